"""The low door: scalar functions inside a user's own compiled code, and the incremental hand."""

from typing import Any

import naive
import numpy as np
import pytest
from conftest import RunPython
from hypothesis import given
from hypothesis import strategies as st
from layouts import deal
from numpy.typing import NDArray

from pokernel.jit import add, card_key, card_mask, combine, lookup5, lookup6, lookup7, remove, strength5, strength7

HANDS = st.lists(st.integers(0, 51), min_size=7, max_size=7, unique=True)


@naive.compiled
def hand_of(cards: NDArray[Any]) -> tuple[int, int]:
    key, mask = card_key(cards[0]), card_mask(cards[0])
    for i in range(1, len(cards)):
        key, mask = add(key, mask, cards[i])
    return key, mask


@naive.compiled
def look_up(key: int, mask: int, size: int) -> int:
    if size == 5:
        return lookup5(key, mask)
    if size == 6:
        return lookup6(key, mask)
    return lookup7(key, mask)


@naive.compiled
def added_up(hands: NDArray[Any], out: NDArray[np.uint16]) -> None:
    for i in range(len(hands)):
        key, mask = hand_of(hands[i])
        out[i] = look_up(key, mask, hands.shape[1])


@naive.compiled
def by_combining(hands: NDArray[Any], holes: int, out: NDArray[np.uint16]) -> None:
    """Hole and board apart, combined, as an equity loop does."""
    for i in range(len(hands)):
        key, mask = hand_of(hands[i, :holes])
        board_key, board_mask = hand_of(hands[i, holes:])
        key, mask = combine(key, mask, board_key, board_mask)
        out[i] = look_up(key, mask, hands.shape[1])


@naive.compiled
def by_removing(hands: NDArray[Any], place: int, out: NDArray[np.uint16]) -> None:
    """All cards but one, that one having been added and taken away."""
    for i in range(len(hands)):
        key, mask = hand_of(hands[i])
        key, mask = remove(key, mask, hands[i, place])
        out[i] = look_up(key, mask, hands.shape[1] - 1)


@pytest.mark.parametrize("dtype", ["u1", "i1", "<u2", "<i4", "<u4", "<i8", "<u8"])
@pytest.mark.parametrize("k", [5, 6, 7])
def test_cards_added_one_by_one(k: int, dtype: str, rng: np.random.Generator) -> None:
    hands = deal(rng, 50_000, k)
    out = np.zeros(len(hands), np.uint16)
    added_up(hands.astype(dtype), out)
    np.testing.assert_array_equal(out, naive.strengths(hands))


@pytest.mark.parametrize("k", [5, 6, 7])
def test_partial_hands_combine(k: int, rng: np.random.Generator) -> None:
    hands = deal(rng, 50_000, k)
    for holes in range(1, k):
        out = np.zeros(len(hands), np.uint16)
        by_combining(hands, holes, out)
        np.testing.assert_array_equal(out, naive.strengths(hands), f"{holes} + {k - holes}")


@pytest.mark.parametrize("k", [6, 7])
def test_removed_card_leaves_no_trace(k: int, rng: np.random.Generator) -> None:
    hands = deal(rng, 50_000, k)
    for place in range(k):
        out = np.zeros(len(hands), np.uint16)
        by_removing(hands, place, out)
        np.testing.assert_array_equal(out, naive.strengths(np.delete(hands, place, axis=1)))


@pytest.mark.parametrize("suit", range(4))
@pytest.mark.parametrize("k", [5, 6, 7])
def test_suited_hands_split_in_every_way(k: int, suit: int) -> None:
    """A bias inside partial hands would make four suited cards a flush; both sides hold some here."""
    ranks = np.array([12, 10, 8, 6, 3, 2, 0])
    for suited in range(k + 1):
        hand = np.array(
            [4 * rank + (suit if i < suited else (suit + 1 + i % 3) % 4) for i, rank in enumerate(ranks[:k])]
        )
        expected = naive.strength(hand.tolist())
        for holes in range(1, k):
            out = np.zeros(1, np.uint16)
            by_combining(hand[None], holes, out)
            assert out[0] == expected


@given(HANDS, st.integers(1, 6))
def test_the_order_of_adding_does_not_matter(hand: list[int], split: int) -> None:
    forward, backward = hand_of(np.array(hand)), hand_of(np.array(hand[::-1]))
    assert forward == backward
    assert hand_of(np.array(hand[split:] + hand[:split])) == forward
    assert remove(*forward, hand[-1]) == hand_of(np.array(hand[:-1]))


def test_keys_and_masks_of_single_cards() -> None:
    keys = [int(card_key(card)) for card in range(52)]
    masks = [int(card_mask(card)) for card in range(52)]
    assert len(set(keys)) == 52
    assert masks == [1 << (16 * (card % 4) + card // 4) for card in range(52)]
    for card, key in enumerate(keys):
        assert key & 0xFFFF == 1 << (4 * (card % 4))
        assert key >> 32 == keys[card // 4 * 4] >> 32


def test_scalar_functions_from_plain_python(rng: np.random.Generator) -> None:
    for hand in deal(rng, 50, 7).tolist():
        assert int(strength7(*hand)) == naive.strength(hand)
        assert int(strength5(*hand[:5])) == naive.strength(hand[:5])
        assert int(strength7(*map(np.uint8, hand))) == naive.strength(hand)


USERS_CODE = """
import numpy as np
from numba import njit
from pokernel.jit import add, card_key, card_mask, lookup7, strength5, strength6, strength7

@njit
def of_each_size(h):
    return (strength5(h[0], h[1], h[2], h[3], h[4]), strength6(h[0], h[1], h[2], h[3], h[4], h[5]),
            strength7(h[0], h[1], h[2], h[3], h[4], h[5], h[6]))

@njit
def one_by_one(h):
    key, mask = card_key(h[0]), card_mask(h[0])
    for i in range(1, 7):
        key, mask = add(key, mask, h[i])
    return lookup7(key, mask)

for hand in HANDS:
    for cards in (np.array(hand), np.array(hand, np.uint8), tuple(hand)):
        print(*(int(s) for s in of_each_size(cards)), int(one_by_one(cards)))
"""

SOME_HANDS = [
    [51, 47, 43, 39, 35, 0, 5],
    [12, 8, 4, 0, 48, 49, 50],
    [0, 1, 2, 3, 51, 50, 49],
    [7, 3, 51, 45, 33, 20, 10],
    [51, 47, 3, 7, 23, 27, 31],
]


@pytest.mark.parametrize(
    "environment",
    [{"NUMBA_DISABLE_JIT": "1"}, {"NUMBA_BOUNDSCHECK": "1"}, {"NUMBA_OPT": "0"}, {}],
    ids=lambda environment: "".join(environment) or "plain",
)
def test_users_code_in_a_fresh_process(environment: dict[str, str], run_python: RunPython) -> None:
    ended = run_python(USERS_CODE.replace("HANDS", repr(SOME_HANDS)), env=environment)
    expected = [
        [naive.strength(hand[:5]), naive.strength(hand[:6]), naive.strength(hand), naive.strength(hand)]
        for hand in SOME_HANDS
        for _ in range(3)
    ]
    assert [list(map(int, line.split())) for line in ended.stdout.splitlines()] == expected, ended.stderr


def test_arrays_without_the_compiler(run_python: RunPython) -> None:
    ended = run_python(
        "import numpy as np, pokernel\n"
        f"hands = np.array({SOME_HANDS})\n"
        "print(*pokernel.evaluate(hands), *pokernel.evaluate(hands.astype(np.uint8)[:, :5], validate=False))\n"
        "try: pokernel.evaluate(np.array([[0, 1, 2, 3, 4], [0, 1, 2, 3, 52]]))\n"
        "except pokernel.CardError as error: print(error)\n",
        env={"NUMBA_DISABLE_JIT": "1"},
    )
    assert ended.returncode == 0, ended.stderr
    strengths, refusal = ended.stdout.splitlines()
    expected = [naive.strength(hand) for hand in SOME_HANDS] + [naive.strength(hand[:5]) for hand in SOME_HANDS]
    assert strengths == " ".join(map(str, expected))
    assert "row 1" in refusal


def test_users_function_can_be_cached(run_python: RunPython, tmp_path: Any) -> None:
    """Our tables are below the size from which numba refuses to cache a function that reads them."""
    (tmp_path / "user.py").write_text(
        "from numba import njit\n"
        "from pokernel.jit import strength7\n"
        "@njit(cache=True)\n"
        "def royal():\n"
        "    return strength7(51, 47, 43, 39, 35, 0, 5)\n"
    )
    script = "import user; print(user.royal(), *user.royal.stats.cache_hits.values())"
    environment = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    first, second = (run_python(f"import sys; sys.path.insert(0, '.'); {script}", env=environment) for _ in range(2))
    assert first.stdout == "7462\n", first.stderr
    assert second.stdout == "7462 1\n", second.stderr


def test_no_writable_cache_folder(run_python: RunPython) -> None:
    """Where numba finds no folder to cache in, kernels compile without a cache."""
    ended = run_python(
        "import numpy as np, pokernel\nprint(*pokernel.evaluate(np.array([[51, 47, 43, 39, 35, 0, 5]] * 2)))",
        env={"NUMBA_CACHE_DIR": "/proc/no/such/folder", "HOME": "/proc/no/such/folder"},
    )
    assert ended.stdout == "7462 7462\n", ended.stderr
