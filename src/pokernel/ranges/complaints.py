"""What is wrong with the text of a range, in words that tell what to write instead."""

import re
from typing import Final

__all__ = ["SYNTAX", "quote", "why"]

_WORD: Final = re.compile(r"[^\s,()]+|.", re.DOTALL)
_CARD: Final = "(?:10|[2-9TJQKAtjqka])[cdhsCDHS♣♧♦♢♥♡♠♤]\ufe0f?"

SYNTAX: Final = "write AA, TT+, AK, AKs, ATo+, A5s-A2s, AsKs, 15% or random"

_HINTS: Final = tuple(
    (re.compile(pattern), hint)
    for pattern, hint in (
        (r"[,)]", "a hand is missing here"),
        (r"\(", "a group starts with its weight: 50%(QQ, AKs)"),
        (r"[-+:]", "nothing stands before it"),
        (r".*-\Z", "nothing stands after the -"),
        (r".*\+\+", "one + is enough"),
        (r".*@", "a weight comes after a colon: AA:0.5"),
        (rf"{_CARD}\Z", "one card; the two of a combo stand together: AsKs"),
        (rf"({_CARD}){{2}}[-+]", "+ and - go with hands such as AKs, not with cards"),
        (rf"({_CARD}){{3}}", "two cards to a combo, and a comma or a space before the next"),
        (r"[0-9]*\.?[0-9]+\Z", "a share needs its %: 15%"),
        (r".*%", "a share stands alone, 15%, or before a group, 50%(QQ, AKs)"),
        (r".*\+-|.*-.*\+", "either + or -, not both"),
        (r"(10|[2-9TJQKAtjqka]){2}", "after two ranks come s, o or nothing, then perhaps + or -, then perhaps :0.5"),
    )
)


def why(text: str, at: int, reason: str = "") -> str:
    """Quote the word at a position, with the reason why it is no range; the likeliest one if none is given."""
    match = _WORD.match(text, at)
    if match is None:
        return f"it ends ({reason or SYNTAX})"
    word = match[0]
    strange = [f"U+{ord(c):04X}" for c in word if c.isalnum() and not c.isascii()]
    if strange and not reason:  # a Cyrillic A looks like an ace
        reason = f"{' '.join(strange[:3])}, no ASCII letter"
    return f"{quote(word)} ({reason or next((hint for form, hint in _HINTS if form.match(word)), SYNTAX)})"


def quote(text: str, at: int = 0, limit: int = 80) -> str:
    """Quote a text, or of a long one what is around a position."""
    start = max(0, min(at - limit // 2, len(text) - limit))
    end = start + limit
    return repr("…" * (start > 0) + text[start:end] + "…" * (end < len(text)))
