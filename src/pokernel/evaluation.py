"""The friendly door: text, sequences and arrays of cards to strengths, everything checked once."""

from collections.abc import Iterable
from operator import add
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from .errors import HandSizeError
from .inputs import as_array, as_one_hand, read_parts, require_integers
from .single import STRENGTH_OF, STRENGTH_OF_TEXTS, prepare_texts, strength_of

__all__ = ["evaluate", "evaluate_columns", "warmup"]


@overload
def evaluate(
    hands: str, board: str | None = None, *, out: None = None, validate: bool = True, threads: int | None = None
) -> int: ...
@overload
def evaluate(
    hands: Any,
    board: Any = None,
    *,
    out: NDArray[np.uint16] | None = None,
    validate: bool = True,
    threads: int | None = None,
) -> Any: ...
def evaluate(
    hands: Any,
    board: Any = None,
    *,
    out: NDArray[np.uint16] | None = None,
    validate: bool = True,
    threads: int | None = None,
) -> Any:
    """Strength of the best five cards of each hand.

    Parameters
    ----------
    hands : str, sequence or integer array
        One hand: a text (``"As Ks Qs Js Ts"``), a sequence of single cards (texts or ints 0 … 51) or an array ``(k,)``.
        Many: a sequence of hands, or an array ``(..., k)``; ``uint8``, C-contiguous, is the fast layout, every other
        integer dtype and stride gives the same answers.
    board : like `hands`, optional
        Cards that `hands` share; None, a blank text or an empty list where there are none. The leading axes broadcast:
        ``(n, 2)`` hole cards go with one board or with ``(n, 5)`` boards, ``(n, players, 2)`` with ``(n, 1, 5)``.
    out : numpy.ndarray, optional
        Where the strengths go: ``uint16``, of the result's shape, not overlapping the hands.
    validate : bool, default True
        Refuse cards above 51 and duplicates. False trusts an array (one hand is always checked, and so is the range of
        integers wider than ``uint8``): an invalid hand then gets a meaningless strength.
    threads : int, optional
        Number of threads for arrays; by default one for fewer than 262,144 hands, every core from there on.

    Returns
    -------
    int or numpy.ndarray
        For one hand an int; otherwise ``uint16`` strengths of shape ``(...)``. 1 is the weakest (7-5-4-3-2 unsuited),
        7462 the strongest (a royal flush): higher is stronger, equal is a split pot.

    Raises
    ------
    CardError, DuplicateCardError
        Something that is no card; a card twice in a hand, or in a hand and its board. For arrays it names the first
        bad row and the number of bad rows.
    HandSizeError
        Not 5, 6 or 7 cards in a hand, or hands of different sizes.
    OutputError
        `out` has the wrong shape, is read-only or overlaps the hands.
    TypeError
        Arrays of floats, booleans or objects; `out` of another dtype; anything that is not cards.

    Examples
    --------
    >>> import numpy as np, pokernel
    >>> pokernel.evaluate("As Ks Qs Js Ts 2c 3d")
    7462
    >>> pokernel.evaluate((51, 47, 43, 39, 35))
    7462
    >>> pokernel.evaluate(["AsAh", "KsKh"], board="2c 7d 9h Js 3c")
    array([4028, 3808], dtype=uint16)
    >>> pokernel.evaluate(np.array([[0, 5, 10, 15, 20, 25, 30], [51, 47, 43, 39, 35, 31, 27]], np.uint8))
    array([  49, 7462], dtype=uint16)
    """
    if board is None and out is None:  # one hand, the quick ways
        kind = type(hands)
        if kind is tuple or kind is list:
            try:
                return STRENGTH_OF[len(hands)](hands)
            except (KeyError, TypeError):  # not ints, not of a hand's size, or of one that is not prepared yet
                strength = _strength_of_texts(hands, len(hands))
        else:
            strength = _strength_of_text(hands) if kind is str else None
        if strength is not None:
            return strength
    parts = read_parts(hands, board)
    if out is None and (hand := as_one_hand(parts)) is not None:
        return strength_of(hand)
    arrays = [as_array(part, what) for part, what in zip(parts, ("hands", "board"), strict=False)]
    return _evaluate_arrays(arrays, out, validate, threads)


def _strength_of_text(text: str) -> int | None:
    return None if len(text) % 2 else _strength_of_texts(map(add, text[::2], text[1::2]), len(text) // 2)


def _strength_of_texts(texts: Iterable[str], k: int) -> int | None:
    """Strength of canonical card texts; None if they are something else, or no hand."""
    if k not in STRENGTH_OF_TEXTS:
        if k not in (5, 6, 7):
            return None
        prepare_texts(k)
    return STRENGTH_OF_TEXTS[k](texts)


def _evaluate_arrays(
    arrays: list[NDArray[Any]], out: NDArray[np.uint16] | None, validate: bool, threads: int | None
) -> Any:
    from .bulk import evaluate_parts
    from .outputs import output_array

    try:
        shape = np.broadcast_shapes(*(array.shape[:-1] for array in arrays))
    except ValueError:
        shapes = " and ".join(str(array.shape[:-1]) for array in arrays)
        raise HandSizeError(f"hands and board do not go together: their leading shapes are {shapes}") from None
    strengths = output_array(out, np.uint16, shape, arrays)
    if shape:
        return evaluate_parts(arrays, shape, strengths, validate, threads)
    evaluate_parts([array[np.newaxis] for array in arrays], (1,), strengths[np.newaxis], validate, threads)
    return int(strengths) if out is None else out


def evaluate_columns(
    *columns: NDArray[Any],
    out: NDArray[np.uint16] | None = None,
    validate: bool = True,
    threads: int | None = None,
) -> NDArray[np.uint16]:
    """Strengths of hands whose cards lie in separate columns, as in a data frame, without putting them together.

    Parameters
    ----------
    *columns : integer arrays
        5, 6 or 7 of them, all of shape ``(n,)``: the hands' first cards, their second cards, and so on. Contiguous
        ``uint8`` is the fast layout.
    out, validate, threads
        As for :func:`evaluate`.

    Returns
    -------
    numpy.ndarray
        ``uint16``, shape ``(n,)``.

    Raises
    ------
    CardError, DuplicateCardError, HandSizeError, OutputError, TypeError
        As for :func:`evaluate`.

    Examples
    --------
    >>> import numpy as np, pokernel
    >>> pokernel.evaluate_columns(*np.array([[51, 0], [47, 5], [43, 10], [39, 15], [35, 20]], np.uint8))
    array([7462,    1], dtype=uint16)
    """
    from .bulk import evaluate_parts
    from .outputs import output_array

    arrays = []
    for number, column in enumerate(columns):
        nothing = isinstance(column, (list, tuple)) and not len(column)
        array = np.empty(0, np.uint8) if nothing else np.asanyarray(column)
        require_integers(array, f"column {number}")
        if array.ndim != 1 or array.shape != np.shape(columns[0]):
            raise HandSizeError(f"column {number} has shape {array.shape}, columns must all be of one length (n,)")
        arrays.append(array)
    if len(arrays) not in (5, 6, 7):
        raise HandSizeError(f"a hand has 5, 6 or 7 cards, not {len(arrays)}")
    strengths = output_array(out, np.uint16, arrays[0].shape, arrays)
    return evaluate_parts([array[:, np.newaxis] for array in arrays], arrays[0].shape, strengths, validate, threads)


def warmup() -> None:
    """Compile, or load from numba's cache, the kernels that arrays of 5, 6 and 7 cards need, in rows and in columns.

    Without it the first array of each hand size and layout waits for its kernel: a second or two the first time on a
    machine, a tenth of a second later, plus the import of numba. Boards and strided arrays are gathered into columns.

    Examples
    --------
    >>> import pokernel
    >>> pokernel.warmup()
    """
    for k in (5, 6, 7):
        hand = np.arange(k, dtype=np.uint8)
        evaluate(hand[np.newaxis])
        evaluate_columns(*hand[:, np.newaxis])
