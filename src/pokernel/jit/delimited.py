"""Delimited text as bytes: where its records end, the cells of plain ones, and columns of texts put together again."""

from numba import int32, int64, uint8

from ._compile import kernel
from .text import peek

__all__ = ["BREAK", "END", "MISUSED", "ORDINARY", "OTHERWISE", "QUOTE", "RETURN"]
__all__ += ["copy_cells", "join", "record_ends", "split"]

NEWLINE, CARRIAGE_RETURN, QUOTATION_MARK = 10, 13, 34
ORDINARY, END, BREAK, QUOTE, RETURN = range(5)  # classes of bytes
MISUSED = OTHERWISE = -1


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
def split(data, classes, bounds, sizes):
    r"""Find the cells of plain records: one a line, none of them blank, cells without quotes or all in quotes.

    Parameters
    ----------
    data : ``uint8 (n,)``, the last of them ``\n``
    classes : ``uint8 (256,)``, the class of each byte
    bounds : ``int32 (records, columns, 2)``, for where each cell starts and stops; room for a record a line
    sizes : ``int64 (columns,)``, zeros, for the bytes of each column

    Returns
    -------
    int
        The number of records; or OTHERWISE.
    """
    record, at, columns = 0, 0, len(sizes)
    while at < len(data):
        for column in range(columns):
            quoted = classes[data[at]] == QUOTE
            at += quoted
            start = at
            kind = classes[data[at]]
            while kind == ORDINARY or (quoted and kind == BREAK):
                at += 1
                kind = classes[data[at]]
            stop = at
            if quoted:
                if kind != QUOTE:
                    return OTHERWISE
                at += 1
                kind = classes[data[at]]
            elif start == stop and columns == 1:
                return OTHERWISE
            if kind == RETURN and column == columns - 1:
                at += 1
                kind = classes[data[at]]
            if kind != (BREAK if column < columns - 1 else END):
                return OTHERWISE
            at += 1
            bounds[record, column, 0] = start
            bounds[record, column, 1] = stop
            sizes[column] += stop - start
        record += 1
    return record


@kernel
def copy_cells(data, bounds, column, offsets, texts):
    """Put the cells of a column together as Arrow does.

    Parameters
    ----------
    data : ``uint8``
    bounds : ``int32 (records, columns, 2)``, what :func:`split` found
    column : int
    offsets : ``int32 (records + 1,)``, to be filled
    texts : ``uint8``, to be filled; as large as all cells
    """
    size = 0
    for record in range(len(offsets) - 1):
        offsets[record] = size
        for at in range(bounds[record, column, 0], bounds[record, column, 1]):
            texts[size] = data[at]
            size += 1
    offsets[-1] = size


@kernel
def join(rows, texts, special, delimiter, out):
    r"""Write records, each ended by ``\n``.

    Parameters
    ----------
    rows : int
    texts : ``int64 (k, 2)``, machine addresses of each column's first offset (32 bits) and of its bytes
    special : ``bool (256,)``, bytes for which a cell must stand in quotes
    delimiter : a byte
    out : ``uint8``, room for all cells, were each byte of them a quote

    Returns
    -------
    int
        The number of bytes written.
    """
    size, columns = int64(0), len(texts)
    for row in range(rows):
        for column in range(columns):
            bounds, bytes_ = texts[column, 0] + 4 * row, texts[column, 1]
            start, stop = bytes_ + int64(peek(int32, bounds)), bytes_ + int64(peek(int32, bounds + 4))
            place, quoted = size, False
            for at in range(start, stop):
                byte = peek(uint8, at)
                quoted |= special[byte]
                out[size] = byte
                size += 1
            if quoted:
                size = place + 1
                out[place] = QUOTATION_MARK
                for at in range(start, stop):
                    byte = peek(uint8, at)
                    if byte == QUOTATION_MARK:
                        out[size] = QUOTATION_MARK
                        size += 1
                    out[size] = byte
                    size += 1
                out[size] = QUOTATION_MARK
                size += 1
            out[size] = delimiter if column < columns - 1 else NEWLINE
            size += 1
    return size
