"""The notation of ranges: what each form means, by lists written out by hand; what is refused, and how."""

import math
import re
from decimal import Context, Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pokernel import Range
from pokernel.errors import RangeError

RANKS = "23456789TJQKA"
SUITS = "cdhs"


def number(one: str, two: str) -> int:
    """The number of the combo of two cards, from the rule in the docstring of ``by_combo``."""
    low, high = sorted(4 * RANKS.index(card[0]) + SUITS.index(card[1]) for card in (one, two))
    return high * (high - 1) // 2 + low


def combos_of(hand: str) -> set[int]:
    """Numbers of the combos of AA, AKs, AKo or AsKs, from the definition of the words."""
    if len(hand) == 4:
        return {number(hand[:2], hand[2:])}
    pairs = [(hand[0] + a, hand[1] + b) for a in SUITS for b in SUITS]
    return {number(one, two) for one, two in pairs if (one[1] == two[1]) == (hand[2:] == "s")}


def weights(hands: str) -> NDArray[np.float64]:
    """Weights by combo of hands in words: ``"AA AKs*0.5"``."""
    by_combo = np.zeros(1326)
    for hand in hands.split():
        name, _, weight = hand.partition("*")
        by_combo[list(combos_of(name))] = float(weight or 1)
    return by_combo


def every_hand() -> str:
    return " ".join(
        a + b + suffix
        for i, a in enumerate(RANKS)
        for j, b in enumerate(RANKS)
        if i >= j
        for suffix in ([""] if i == j else "so")
    )


EXPANSIONS = {
    # one hand
    "AA": "AA",
    "22": "22",
    "AKs": "AKs",
    "AKo": "AKo",
    "AK": "AKs AKo",
    "72o": "72o",
    "T9": "T9s T9o",
    "109s": "T9s",
    "1010": "TT",
    "A10o": "ATo",
    # plus: pairs rise, else the kicker rises
    "TT+": "TT JJ QQ KK AA",
    "1010+": "TT JJ QQ KK AA",
    "AA+": "AA",
    "22+": "22 33 44 55 66 77 88 99 TT JJ QQ KK AA",
    "A5s+": "A5s A6s A7s A8s A9s ATs AJs AQs AKs",
    "ATo+": "ATo AJo AQo AKo",
    "AT+": "ATs AJs AQs AKs ATo AJo AQo AKo",
    "A10+": "ATs AJs AQs AKs ATo AJo AQo AKo",
    "K9s+": "K9s KTs KJs KQs",
    "97s+": "97s 98s",
    "98s+": "98s",
    "KQs+": "KQs",
    "AKs+": "AKs",
    "32+": "32s 32o",
    # runs, from either end
    "77-TT": "77 88 99 TT",
    "TT-77": "77 88 99 TT",
    "KK-JJ": "JJ QQ KK",
    "77-77": "77",
    "A5s-A2s": "A2s A3s A4s A5s",
    "A2s-A5s": "A2s A3s A4s A5s",
    "KQs-KTs": "KTs KJs KQs",
    "K9-K8": "K9s K9o K8s K8o",
    "A4o-A2o": "A4o A3o A2o",
    "A5s-A5s": "A5s",
    "76s-54s": "76s 65s 54s",
    "54s-76s": "76s 65s 54s",
    "T9s-54s": "T9s 98s 87s 76s 65s 54s",
    "98s-AKs": "98s T9s JTs QJs KQs AKs",
    "J9o-86o": "J9o T8o 97o 86o",
    "J8-96": "J8s J8o T7s T7o 96s 96o",
    "A4s-K3s": "A4s K3s",
    # combos
    "AsKs": "AsKs",
    "KsAs": "AsKs",
    "AsAc": "AsAc",
    "10h10d": "ThTd",
    "A♠K♠": "AsKs",
    "A♠\ufe0fK♥\ufe0f": "AsKh",
    "askd": "AsKd",
    "ASKD": "AsKd",
    # case, separators, white space
    "aks": "AKs",
    "AKS": "AKs",
    "kQO": "KQo",
    "tt+": "TT JJ QQ KK AA",
    "AA,KK": "AA KK",
    "AA KK": "AA KK",
    "AA, KK": "AA KK",
    " AA\t,\n KK ": "AA KK",
    "AA\u00a0KK": "AA KK",
    "77 - TT": "77 88 99 TT",
    "77–TT": "77 88 99 TT",
    "A5s−A2s": "A2s A3s A4s A5s",
    # overlaps count once
    "AA, AA": "AA",
    "QQ+, KK+": "QQ KK AA",
    "AK, AKs, AsKs": "AKs AKo",
    "AKs:0.5, AKs:0.5": "AKs*0.5",
    "AKs:0.5, AhKh:.50": "AKs*0.5",
    "50%(AA), AA:0.5": "AA*0.5",
    "33.3%(AA), AA:0.333": "AA*0.333",
    # weights
    "AKs:0.5": "AKs*0.5",
    "AKs:1": "AKs",
    "AKs:1.0": "AKs",
    "AKs:.5": "AKs*0.5",
    "AA:1e-3": "AA*0.001",
    "AA:2.5E-1": "AA*0.25",
    "AA: 0.5": "AA*0.5",
    "AA : 0.5": "AA*0.5",
    "QQ+:0.25": "QQ*0.25 KK*0.25 AA*0.25",
    "77-99:0.25": "77*0.25 88*0.25 99*0.25",
    "AsKs:0.1, AhKh": "AsKs*0.1 AhKh",
    "50%(QQ,AKs)": "QQ*0.5 AKs*0.5",
    "50% ( QQ AKs )": "QQ*0.5 AKs*0.5",
    "12.5%(QQ)": "QQ*0.125",
    "50%(QQ,AKs:0.5), AA": "QQ*0.5 AKs*0.25 AA",
    "50%(QQ,50%(AKs:0.5)),AA": "QQ*0.5 AKs*0.125 AA",
    "50%(50%(QQ)) KK": "QQ*0.25 KK",
    "100%(QQ)": "QQ",
    "22% (AA)": "AA*0.22",
    "10%(AA:0.7)": "AA*0.07",
    "10%(AA:0.7), AA:0.07": "AA*0.07",
    "70%(70%(AA), 49%(KK))": "AA*0.49 KK*0.343",
    # nothing
    "AA, KK:0": "AA",
    "AA, 0%(KK)": "AA",
    "AA, 0%": "AA",
    "AA:0": "",
    "0%": "",
}


@pytest.mark.parametrize("text", EXPANSIONS)
def test_what_is_written_and_what_it_means(text: str) -> None:
    expected = weights(EXPANSIONS[text])
    made = Range(text)
    assert np.array_equal(made.by_combo, expected)
    assert len(made) == np.count_nonzero(expected)


@pytest.mark.parametrize("text", ["random", "RANDOM", "Random", "*", "100%", "22+, 32+, 42+, 52+, 62+, 72+, 82+, 92+, T2+, J2+, Q2+, K2+, A2+"])  # fmt: skip
def test_everything(text: str) -> None:
    assert np.array_equal(Range(text).by_combo, np.ones(1326))
    assert np.array_equal(Range(text).by_combo, weights(every_hand()))


def test_everything_weighted() -> None:
    assert np.array_equal(Range("random:0.25").by_combo, np.full(1326, 0.25))
    assert np.array_equal(Range("50%(*)").by_combo, np.full(1326, 0.5))


def test_sizes_that_every_player_knows() -> None:
    assert [len(Range(text)) for text in ("AA", "AKs", "AKo", "AK", "random", "AsKs")] == [6, 4, 12, 16, 1326, 1]


@given(st.lists(st.sampled_from([text for text in EXPANSIONS if "*" not in EXPANSIONS[text]]), min_size=1))
def test_a_list_means_all_of_its_items(texts: list[str]) -> None:
    texts = [text for text in texts if not re.search(r":0\b|0%\(", text)] or ["AA"]
    expected = np.max([weights(EXPANSIONS[text]) for text in texts], axis=0)
    assert np.array_equal(Range(", ".join(texts)).by_combo, expected)
    assert np.array_equal(Range(" ".join(texts)).by_combo, expected)


def test_many_combos_and_deep_groups() -> None:
    every_combo = [f"{one}{two}" for hand in every_hand().split() for one, two in two_cards(hand)]
    assert len(every_combo) == 1326
    assert Range(",".join(every_combo)) == Range.random()
    deep = 20_000
    assert Range("100%(" * deep + "AA" + ")" * deep) == Range("AA")


def two_cards(hand: str) -> list[tuple[str, str]]:
    cards = [rank + suit for rank in RANKS for suit in SUITS]
    wanted = combos_of(hand)
    return [(a, b) for i, a in enumerate(cards) for b in cards[:i] if number(a, b) in wanted]


# ---- weights that are multiplied -------------------------------------------------------------------------------------

DECIMALS = st.one_of(
    st.integers(1, 9).map(lambda tenths: f".{tenths}"),
    st.integers(1, 1000).map(lambda thousandths: f"{thousandths / 1000}"),
    st.floats(1e-9, 1).map(repr),
    st.text("0123456789", min_size=1, max_size=40).map(lambda digits: f"0.{digits}1"),
    st.just("1." + "0" * 30),
)


def test_products_of_percents_are_exact() -> None:
    for share in range(101):
        for weight in range(101):
            expected = share * weight / 10_000  # one rounding
            made = Range(f"{share}%(AsAh:{weight / 100}), AdAc:{expected!r}, AsAh:{expected!r}")
            assert made.by_combo[number("As", "Ah")] == made.by_combo[number("Ad", "Ac")] == expected


@given(st.lists(DECIMALS, max_size=12), DECIMALS)
def test_products_are_rounded_once(shares: list[str], weight: str) -> None:
    percents = [f"{Decimal(share).scaleb(2, Context(100)):f}" for share in shares]
    text = "".join(f"{percent}%(" for percent in percents) + f"AsAh:{weight}" + ")" * len(percents)
    made = Range(text)
    assert made.weights.tolist() == [float(math.prod(map(Fraction, [weight, *shares])))]
    assert Range(str(made)) == made
    assert Range(f"{text}, {made}") == made


def test_many_factors_of_many_digits() -> None:
    """Nothing grows with the number of groups but the stack of them."""
    deep = 20_000
    (weight,) = set(Range("99.999%(" * deep + "AA" + ")" * deep).weights.tolist())
    assert math.isclose(weight, math.exp(deep * math.log1p(-1e-5)), rel_tol=1e-12)
    assert Range("AA:0." + "3" * 5000) == Range(f"AA:{1 / 3}")
    for exponent in ("9", "9" * 30):
        assert Range(f"AA:0e-{exponent}, KK:0e{exponent}") == Range("0%")


# ---- shares ----------------------------------------------------------------------------------------------------------


def class_numbers(hands: str) -> list[int]:
    """Class numbers, 13 * r + s: suited if r > s, offsuit if r < s."""
    found = []
    for hand in hands.split():
        high, low = RANKS.index(hand[0]), RANKS.index(hand[1])
        found.append(13 * low + high if hand.endswith("o") else 13 * high + low)
    return found


@pytest.fixture
def known_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """AA (6 combos), AKo (6 + 12 = 18), AKs (22), then the rest in any order."""
    first = class_numbers("AA AKo AKs")
    order = np.array([*first, *(number for number in range(169) if number not in first)], np.uint8)
    monkeypatch.setattr("pokernel.ranges.classes.load", {"preflop_order": order}.__getitem__)


@pytest.mark.usefixtures("known_order")
@pytest.mark.parametrize(
    ("combos", "hands"),
    [
        (0.001, "AA"),  # never none
        (6, "AA"),
        (11.99, "AA"),
        (12.01, "AA AKo"),
        (19.99, "AA AKo"),
        (20.01, "AA AKo AKs"),
        (22, "AA AKo AKs"),
    ],
)
def test_a_share_takes_the_number_of_classes_that_comes_nearest(combos: float, hands: str) -> None:
    share = f"{100 * combos / 1326:.9f}%"
    assert np.array_equal(Range(share).by_combo, weights(hands))
    assert np.array_equal(Range(f"{share}:0.5").by_combo, weights(hands) / 2)


def test_at_a_tie_a_share_takes_the_larger_number(monkeypatch: pytest.MonkeyPatch) -> None:
    offsuit = [13 * low + high for high in range(13) for low in range(high)]
    first = [*offsuit[:55], 14 * 12]  # 55 * 12 = 660 combos, 666 with the aces; half of all is 663
    order = np.array([*first, *(number for number in range(169) if number not in first)], np.uint8)
    monkeypatch.setattr("pokernel.ranges.classes.load", {"preflop_order": order}.__getitem__)
    assert (len(Range("49.9%")), len(Range("50%"))) == (660, 666)


def test_the_order_is_by_equity_against_a_random_hand() -> None:
    assert Range("0.1%") == Range("AA")
    assert Range("1.36%") == Range("QQ+")
    assert Range("72o, 32o") & Range("90%") == Range("0%")
    assert 0.15 - 6 / 1326 <= len(Range("15%")) / 1326 <= 0.15 + 6 / 1326


def test_larger_shares_hold_the_smaller_ones_and_only_whole_classes() -> None:
    held = Range("0%")
    for percent in range(101):
        more = Range(f"{percent}%")
        assert held in more
        assert abs(len(more) - 13.26 * percent) <= 6
        assert set(np.unique(more.grid())) <= {0.0, 1.0}
        assert Range(f"{100 * len(more) / 1326:.2f}%") == more  # what `pokernel range` prints reads back
        held = more


# ---- what is refused -------------------------------------------------------------------------------------------------

REFUSED = {
    "": (0, "it ends"),
    "  ": (2, "it ends"),
    ",": (0, "','"),
    "AA,": (3, "it ends"),
    "AA, ": (4, "it ends"),
    ",AA": (0, "','"),
    "AA,,KK": (3, "a hand is missing"),
    "AcAc": (0, "Ac twice"),
    "AA, 10h10h": (4, "Th twice"),
    "AKx": (0, "s, o or nothing"),
    "AA, AKx, QQ": (4, "'AKx'"),
    "AKso": (0, "'AKso'"),
    "AKsuited": (0, "'AKsuited'"),
    "TT++": (0, "one + is enough"),
    "AA, TT++": (4, "one + is enough"),
    "AAs": (0, "neither suited nor offsuit"),
    "KK AAo": (3, "neither suited nor offsuit"),
    "KA": (0, "the higher rank comes first: AK"),
    "9Ts": (0, "the higher rank comes first: T9s"),
    "25": (0, "a share has a %: 25%"),
    "15": (0, "a share needs its %"),
    "15 %": (0, "a share needs its %"),
    "AKsQQ": (0, "'AKsQQ'"),
    "As Ks": (0, "together: AsKs"),
    "As": (0, "together: AsKs"),
    "A": (0, "'A'"),
    "Axs": (0, "'Axs'"),
    "AsKsQsJs": (0, "two cards to a combo"),
    "AsKs+": (0, "not with cards"),
    "AsKs-AsQs": (0, "not with cards"),
    "AsKsx": (0, "'AsKsx'"),
    "AA@0.5": (0, "after a colon"),
    "77-TT+": (0, "either + or -"),
    "TT+-77": (0, "either + or -"),
    "AKs-QJo": (0, "both ends must be suited"),
    "A5s-A2": (0, "both ends must be suited"),
    "A5s-K4o": (0, "both ends must be suited"),
    "AA-AK": (0, "both ends must be pairs"),
    "TT-T8": (0, "both ends must be pairs"),
    "AKs-ATs-A2s": (0, "'AKs-ATs-A2s'"),
    "AKs-QTs": (0, "the same gap"),
    "A5s-K5s": (0, "the same gap"),
    "AA-": (0, "nothing stands after"),
    "AA - ": (3, "nothing stands before"),
    "-AA": (0, "nothing stands before"),
    "+": (0, "nothing stands before"),
    "(AA)": (0, "a group starts with its weight"),
    "50%(AA": (0, "not closed"),
    "KK 50%(AA, 20%(QQ)": (3, "not closed"),
    "50%()": (4, "a hand is missing"),
    "50%(AA,)": (7, "a hand is missing"),
    "50%(": (4, "it ends"),
    "AA)": (2, "no parenthesis is open"),
    "50%(AA))": (7, "no parenthesis is open"),
    "50%(AA)KK": (7, "a comma or a space"),
    "50%(AA):0.5": (7, "a comma or a space"),
    "15%AA": (0, "a share stands alone"),
    "1e1%": (0, "a share stands alone"),
    "101%": (0, "at most 100%"),
    "AA 100.0001%": (3, "at most 100%"),
    "200%(AA)": (0, "at most 100%"),
    "100.000000000000000000001%(AA)": (0, "at most 100%"),
    "-5%": (0, "nothing stands before"),
    "0.000" + "0" * 400 + "1%": (0, "too small"),
    "random2": (0, "'random2'"),
    "randomAA": (0, "'randomAA'"),
    "AA*": (0, "'AA*'"),
    "nan": (0, "'nan'"),
    "None": (0, "'None'"),
    "AA;KK": (0, "'AA;KK'"),
    "A\u0410": (0, "U+0410"),
    "\uff21\uff2b": (0, "U+FF21 U+FF2B"),
    "AK\u017f": (0, "U+017F"),
    "A\u212as": (0, "U+212A"),
    "\u0662\u0662": (0, "U+0662"),
    "\u0661\u0665%": (0, "U+0661"),
}


@pytest.mark.parametrize("text", REFUSED)
def test_refusals_tell_where_and_what(text: str) -> None:
    position, told = REFUSED[text]
    with pytest.raises(RangeError) as caught:
        Range(text)
    message = str(caught.value)
    assert message.startswith(f"no range at position {position} of ")
    assert told in message
    assert repr(text) in message or len(text) > 80
    assert "\n" not in message


@pytest.mark.parametrize("weight", ["2", "1.0001", "1.000000000000000000001", "1e" + "9" * 30, "nan", "NaN", "inf", "-1", "-0", "1e1", "x", "0.5x", "0.5AA", "50%", "0,5", "", "1_0", "0x1", "½", "٠"])  # fmt: skip
def test_what_is_no_weight(weight: str) -> None:
    if weight == "0,5":  # a weight of 0, then what is no hand
        with pytest.raises(RangeError, match=r"^no range at position 9 of 'KK AKs:0,5': '5'"):
            Range(f"KK AKs:{weight}")
        return
    with pytest.raises(RangeError, match=r"^no weight at position 7 of .*weights are numbers from 0 to 1"):
        Range(f"KK AKs:{weight}")


def test_a_weight_is_never_rounded_to_nothing() -> None:
    assert Range("AA:5e-324").weights.tolist() == [5e-324] * 6
    assert Range("50%(AA:5e-324)").weights.tolist() == [5e-324] * 6  # 2.5e-324 is nearer to it than to 0
    for text in ("AA:1e-400", f"AA:1e-{'9' * 30}", "1%(AA:5e-324)", "49%(AA:5e-324)", "KK, 0.5%(0.5%(AA:5e-322))"):
        with pytest.raises(RangeError, match="too small"):
            Range(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("AhKh, AKs:0.5", "two weights for AhKh in 'AhKh, AKs:0.5': 1.0 at position 0, 0.5 at position 6"),
        ("AK:0.25 AKo:0.5", "two weights for Ac?Kd? in .*: 0.25 at position 0, 0.5 at position 8"),
        ("AA, AsAh:0", "two weights for AsAh in .*: 1.0 at position 0, 0.0 at position 4"),
        ("AA:0 AsAh", "two weights for AsAh in .*: 0.0 at position 0, 1.0 at position 5"),
        ("50%(AA, KK), AsAh", "two weights for AsAh in .*: 0.5 at position 4, 1.0 at position 13"),
        ("QQ:0.5, random", "two weights for Qd?Qc? in .*: 0.5 at position 0, 1.0 at position 8"),
    ],
)
def test_conflicting_weights(text: str, told: str) -> None:
    with pytest.raises(RangeError, match="^" + told.replace("c?", "[cdhs]").replace("d?", "[cdhs]")):
        Range(text)


def test_long_texts_are_quoted_where_they_are_wrong() -> None:
    with pytest.raises(RangeError) as caught:
        Range("AA " * 100 + "XX" + " KK" * 100)
    message = str(caught.value)
    assert "at position 300 of '…" in message
    assert "AA XX KK" in message
    assert len(message) < 300


@pytest.mark.parametrize("text", [None, 5, b"AA", ["AA"], np.array("AA"), Range("AA"), 0.15, object()])
def test_wrong_types(text: object) -> None:
    with pytest.raises(TypeError, match="a range is read from str, not from"):
        Range(text)  # type: ignore[arg-type]


def test_texts_of_numpy_are_texts() -> None:
    assert Range(np.str_("AKs")) == Range("AKs")
    with pytest.raises(RangeError, match="of 'AKx': 'AKx'"):
        Range(np.str_("AKx"))


@given(st.text("AKQT29shco+-:.%()*,105 ", max_size=12) | st.text(max_size=8))
def test_any_text_is_a_range_or_refused_with_a_position(text: str) -> None:
    try:
        made = Range(text)
    except RangeError:
        with pytest.raises(RangeError, match=r" position \d+ (of|in) |: .* position \d+, .* at position \d+"):
            Range(text)
    else:
        assert Range(str(made)) == made
