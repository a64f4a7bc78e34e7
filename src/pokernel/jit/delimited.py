"""Delimited text as bytes: where its records end, the cells of plain ones, and columns of texts put together again."""

from numba import int32, int64, uint8, uint64

from ._compile import inline, kernel
from .memory import address, peek, poke

__all__ = ["BREAK", "END", "MISUSED", "ORDINARY", "OTHERWISE", "QUOTE", "RETURN", "SLACK"]
__all__ += ["any_special", "copy_cells", "join", "record_ends", "split"]

NEWLINE, CARRIAGE_RETURN, QUOTATION_MARK = 10, 13, 34
ORDINARY, END, BREAK, QUOTE, RETURN = range(5)  # classes of bytes
MISUSED = OTHERWISE = -1
SLACK = 8
"""Bytes behind what is written, which may be overwritten."""


@kernel
def record_ends(data, delimiter, ends):
    r"""Find the line ends that end records.

    Parameters
    ----------
    data : ``uint8 (n,)``
    delimiter : a byte
    ends : ``int64``, room for as many places as there are ``\n`` in `data`

    Returns
    -------
    int
        How many places there are now in `ends`; or MISUSED: a quote stands where RFC 4180 does not have any.
    """
    found, quoted, size = 0, False, len(data)
    for at in range(size):
        byte = data[at]
        if byte == NEWLINE:
            if not quoted:
                ends[found] = at
                found += 1
        elif byte == QUOTATION_MARK:
            beside = at + 1 if quoted else at - 1
            other = data[beside] if 0 <= beside < size else uint8(NEWLINE)
            usual = other in (delimiter, NEWLINE, QUOTATION_MARK) or (quoted and other == CARRIAGE_RETURN)
            if not usual:
                return MISUSED
            quoted = not quoted
    return found


@kernel
def split(data, classes, in_quotes, bounds, sizes):
    r"""Find the cells of plain records: one a line, none of them blank, cells without quotes or all in quotes.

    Parameters
    ----------
    data : ``uint8 (n,)``, the last of them ``\n``
    classes, in_quotes : ``uint8 (256,)``, the class of each byte; and inside of quotes
    bounds : ``int32 (records, columns, 2)``, for where each cell starts and stops; room for a record a line
    sizes : ``int64 (columns,)``, zeros, for the bytes of each column

    Returns
    -------
    int
        The number of records; or OTHERWISE.
    """
    record, at, columns, end = 0, uint64(0), len(sizes), uint64(len(data))
    one = uint64(1)
    while at < end:
        for column in range(columns):
            quoted = classes[data[at]] == QUOTE
            if quoted:
                at += one
                start = at
                while in_quotes[data[at]] == ORDINARY:
                    at += one
                stop = at
                if classes[data[at]] != QUOTE:
                    return OTHERWISE
                at += one
            else:
                start = at
                while classes[data[at]] == ORDINARY:
                    at += one
                stop = at
                if start == stop and columns == 1:
                    return OTHERWISE
            kind = classes[data[at]]
            if kind == RETURN and column == columns - 1:
                at += one
                kind = classes[data[at]]
            if kind != (BREAK if column < columns - 1 else END):
                return OTHERWISE
            at += one
            bounds[record, column, 0] = start
            bounds[record, column, 1] = stop
            sizes[column] += int64(stop - start)
        record += 1
    return record


@inline
def _copy(source, stop, limit, to):
    """Copy the bytes between two addresses, eight at a time where as many may be read, to a place with `SLACK`."""
    if stop + 8 <= limit:
        for at in range(source, stop, 8):
            poke(peek(uint64, at), to + at - source)
    else:
        for at in range(source, stop):
            poke(peek(uint8, at), to + at - source)


@kernel
def copy_cells(data, bounds, column, offsets, texts):
    """Put the cells of a column together as Arrow does.

    Parameters
    ----------
    data : ``uint8``
    bounds : ``int32 (records, columns, 2)``, what :func:`split` found
    column : int
    offsets : ``int32 (records + 1,)``, to be filled
    texts : ``uint8``, to be filled; `SLACK` longer than all cells
    """
    size, source, to = int64(0), address(data), address(texts)
    limit = source + len(data)
    for record in range(len(offsets) - 1):
        offsets[record] = size
        start, stop = int64(bounds[record, column, 0]), int64(bounds[record, column, 1])
        _copy(source + start, source + stop, limit, to + size)
        size += stop - start
    offsets[-1] = size


@kernel
def any_special(data, special):
    """Whether one of these bytes is one of four special ones: eight at a time, by the bits that borrow from zeros."""
    ones, high, found = uint64(0x0101010101010101), uint64(0x8080808080808080), uint64(0)
    a, b, c, d = (
        ones * uint64(special[0]),
        ones * uint64(special[1]),
        ones * uint64(special[2]),
        ones * uint64(special[3]),
    )
    begin, whole = address(data), len(data) & ~7
    for at in range(begin, begin + whole, 8):
        word = peek(uint64, at)
        w, x, y, z = word ^ a, word ^ b, word ^ c, word ^ d
        found |= ((w - ones) & ~w) | ((x - ones) & ~x) | ((y - ones) & ~y) | ((z - ones) & ~z)
    for i in range(whole, len(data)):
        found |= high * uint64(data[i] in special)
    return (found & high) != 0


@kernel
def join(rows, texts, special, delimiter, out):
    r"""Write records, each ended by ``\n``.

    Parameters
    ----------
    rows : int
    texts : ``int64 (k, 4)``, for each column the machine addresses of its first offset (32 bits), of its bytes and of
        their end, and whether there are special ones among them
    special : ``bool (256,)``, bytes for which a cell must stand in quotes
    delimiter : a byte
    out : ``uint8``, room for all cells, were each byte of special ones a quote, and `SLACK`

    Returns
    -------
    int
        The number of bytes written.
    """
    begin, columns = address(out), len(texts)
    to = begin
    for row in range(rows):
        for column in range(columns):
            bounds, bytes_ = texts[column, 0] + 4 * row, texts[column, 1]
            start, stop = bytes_ + int64(peek(int32, bounds)), bytes_ + int64(peek(int32, bounds + 4))
            quoted = False
            if texts[column, 3]:
                for at in range(start, stop):
                    quoted |= special[peek(uint8, at)]
            if quoted:
                poke(uint8(QUOTATION_MARK), to)
                to += 1
                for at in range(start, stop):
                    byte = peek(uint8, at)
                    if byte == QUOTATION_MARK:
                        poke(byte, to)
                        to += 1
                    poke(byte, to)
                    to += 1
                poke(uint8(QUOTATION_MARK), to)
                to += 1
            else:
                _copy(start, stop, texts[column, 2], to)
                to += stop - start
            poke(uint8(delimiter if column < columns - 1 else NEWLINE), to)
            to += 1
    return to - begin
