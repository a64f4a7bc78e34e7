"""``pokernel eval`` and ``pokernel verify``: a few hands, or all there are, told in tables or JSON."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import typer

from ..cards import format_card, format_cards, parse_cards
from ..errors import CardError, HandSizeError
from ..strength import Category, category, describe
from .terminal import CommandError, print_table, progress_bar

__all__ = ["print_pairs", "read_cards", "show", "show_verification"]


@dataclass(frozen=True, slots=True)
class _Shown:
    """One hand, as texts and numbers."""

    hand: str
    strength: int
    category: str
    description: str
    best_five: str
    wins: bool


def show(texts: Sequence[str], board: str = "", as_json: bool = False) -> None:
    """
    Print what hands are worth, and of several the winners.

    Parameters
    ----------
    texts : sequence of str
        The hands; with a board, the hole cards.
    board : str
        Cards that belong to every hand; blank for none.
    as_json : bool
        Whether to print a JSON object.

    Raises
    ------
    CommandError
        If a text is no hand, or a card would be in two places.
    """
    common = read_cards("board", board) if board.strip() else ()
    holes = [read_cards(_named(index, texts), text) for index, text in enumerate(texts)]
    if common:
        _check_places(holes, common)
    hands = [_evaluated(_named(index, texts), hole, common) for index, hole in enumerate(holes)]
    best = max(strength for strength, _ in hands)
    shown = [
        _Shown(
            format_cards(hole, " "),
            strength,
            category(strength).label,
            describe(strength),
            format_cards(five, " "),
            strength == best,
        )
        for hole, (strength, five) in zip(holes, hands, strict=True)
    ]
    winners = [index for index, hand in enumerate(shown, 1) if hand.wins]
    if as_json:
        document = {"board": format_cards(common, " "), "hands": list(map(asdict, shown)), "winners": winners}
        typer.echo(json.dumps(document, ensure_ascii=False, indent=2))
        return
    if len(shown) == 1:
        hand = shown[0]
        pairs = [("hand", hand.hand)] + [("board", format_cards(common, " "))] * bool(common)
        pairs += [("strength", str(hand.strength)), ("category", hand.category)]
        print_pairs([*pairs, ("description", hand.description), ("best five", hand.best_five)])
        return
    heads = ["", "hand", "strength", "category", "description", "best five", ""]
    mark = "wins" if len(winners) == 1 else "splits"
    print_table(
        heads,
        [
            [str(n), hand.hand, str(hand.strength), hand.category, hand.description, hand.best_five, mark * hand.wins]
            for n, hand in enumerate(shown, 1)
        ],
        right=["strength"],
    )
    typer.echo(_verdict(winners))
    if not common and (shared := _impossible(holes)):
        typer.echo(f"note: {shared} is in some hands but not in all: one deck cannot deal these hands", err=True)


def print_pairs(pairs: Sequence[tuple[str, str]]) -> None:
    """Print names and values in two columns."""
    width = max(len(name) for name, _ in pairs)
    for name, value in pairs:
        typer.echo(f"{name:<{width}}  {value}")


def _named(index: int, texts: Sequence[str]) -> str:
    return f"hand {index + 1}" if len(texts) > 1 else "hand"


def read_cards(name: str, text: str) -> tuple[int, ...]:
    """Read cards; what is wrong with them is told under a name."""
    try:
        return parse_cards(text)
    except CardError as error:
        raise CommandError(f"{name}: {error}") from error


def _evaluated(name: str, hole: tuple[int, ...], board: tuple[int, ...]) -> tuple[int, Sequence[int]]:
    from .. import best_five, evaluate

    cards = hole + board
    if not 5 <= len(cards) <= 7:
        with_board = " with the board" if board else ""
        raise CommandError(f"{name}: {len(cards)} card{'s' * (len(cards) != 1)}{with_board}; a hand has 5, 6 or 7")
    try:
        return evaluate(cards), best_five(cards)
    except (CardError, HandSizeError) as error:
        raise CommandError(f"{name}: {error}") from error


def _check_places(holes: Sequence[Sequence[int]], board: Sequence[int]) -> None:
    """Refuse a card that would be in two places of one deal."""
    place = dict.fromkeys(board, "on the board")
    for number, hole in enumerate(holes, 1):
        for card in hole:
            if card in place:
                raise CommandError(f"{format_card(card)} is {place[card]} and in hand {number}")
            place[card] = f"in hand {number}"


def _impossible(holes: Sequence[Sequence[int]]) -> str:
    """Return the cards that several hands hold though not all do: no board could be shared like that."""
    counts = Counter(card for hole in holes for card in hole)
    return format_cards([card for card, count in counts.items() if 1 < count < len(holes)], " ")


def _verdict(winners: Sequence[int]) -> str:
    if len(winners) == 1:
        return f"hand {winners[0]} wins"
    *rest, last = map(str, winners)
    return f"hands {', '.join(rest)} and {last} split the pot"


def show_verification(seven: bool, as_json: bool = False) -> None:
    """
    Enumerate every hand and print the counts of the categories and the signature.

    Parameters
    ----------
    seven : bool
        Whether to enumerate the seven-card hands as well.
    as_json : bool
        Whether to print a JSON object.

    Raises
    ------
    PokernelError
        If a count or a strength is not what it must be.
    """
    from ..verify import verify

    with progress_bar("verify") as advance:
        found = verify(seven=seven, progress=lambda done, total: advance(done / total, f"{done:,} hands"))
    if as_json:
        typer.echo(json.dumps(asdict(found), indent=2, default=int))
        return
    columns = [("five cards", found.five_counts, found.five_distinct)]
    if found.seven_counts is not None and found.seven_distinct is not None:
        columns.append(("seven cards", found.seven_counts, found.seven_distinct))
    rows = [[kind.label, *(f"{counts[kind]:,}" for _, counts, _ in columns)] for kind in reversed(Category)]
    rows.append(["all hands", *(f"{sum(counts):,}" for _, counts, _ in columns)])
    rows.append(["distinct strengths", *(f"{distinct:,}" for _, _, distinct in columns)])
    heads = [head for head, _, _ in columns]
    print_table(["category", *heads], rows, right=heads)
    typer.echo(f"kernels: {found.kernels}")
    typer.echo(f"every count as published; signature {found.signature}")
