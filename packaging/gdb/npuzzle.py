"""Boards and search results as gdb shows them. In gdb, or in ~/.gdbinit:

    source <this tree>/packaging/gdb/npuzzle.py

A board is shown as its rows, `[8 1 3 | 4 0 2 | 7 6 5]`; a result by its status, cost and number of states, with its path,
moves and statistics as children.
"""

import gdb
import gdb.printing


def unqualified(value):
    return value.type.unqualified().strip_typedefs()


def vector_elements(vector):
    """The elements of a std::vector of libstdc++ or libc++."""
    try:
        begin, end = vector["_M_impl"]["_M_start"], vector["_M_impl"]["_M_finish"]
    except gdb.error:
        begin, end = vector["__begin_"], vector["__end_"]
    for index in range(int(end - begin)):
        yield (begin + index).dereference()


def rows_text(tiles, size):
    tiles = [str(tile) for tile in tiles]
    return "[" + " | ".join(" ".join(tiles[row : row + size]) for row in range(0, size * size, size)) + "]"


class BoardPrinter:
    """npuzzle::Board. Of a board above 10 x 10 only the size and the place of the blank are shown."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        size = int(self.value["size_"])
        tiles = self.value["tiles_"]
        if size > 10:
            row, column = divmod(int(self.value["blank_cell_"]), size)
            return f"{size} x {size}, blank in row {row}, column {column}"
        tiles = [int(tile) for tile in vector_elements(tiles)]
        return rows_text(tiles, size) if len(tiles) == size * size else "(moved from)"


class PackedBoardPrinter:
    """npuzzle::PackedBoard<N>."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        size = int(unqualified(self.value).template_argument(0))
        bits = 4 if size <= 4 else 5
        # gdb turns no 128-bit integer into one of Python: its bytes are read.
        word = self.value["word_"]
        count = word.type.sizeof
        byte = gdb.lookup_type("unsigned char")
        cast = word.address.reinterpret_cast(byte.pointer()) if word.address is not None else None
        if cast is not None:
            number = sum(int(cast[index]) << (8 * index) for index in range(count))
        else:
            number = int(word)
        mask = (1 << bits) - 1
        return rows_text([number >> (bits * cell) & mask for cell in range(size * size)], size)


class SearchResultPrinter:
    """npuzzle::SearchResult<State, Cost, Move>."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        status = str(self.value["status"]).rsplit("::", 1)[-1]
        states = sum(1 for _ in vector_elements(self.value["path"]))
        if states == 0:
            return status
        cost = self.value["cost"].format_string()
        return f"{status}, cost {cost}, a path of {states} state{'' if states == 1 else 's'}"

    def children(self):
        yield "path", self.value["path"]
        for field in self.value.type.strip_typedefs().fields():
            if field.is_base_class:
                base = self.value[field]
                for member in base.type.strip_typedefs().fields():
                    yield member.name, base[member]
        yield "statistics", self.value["statistics"]


def build_printer():
    printers = gdb.printing.RegexpCollectionPrettyPrinter("npuzzle")
    printers.add_printer("Board", "^npuzzle::Board$", BoardPrinter)
    printers.add_printer("PackedBoard", "^npuzzle::PackedBoard<.*>$", PackedBoardPrinter)
    printers.add_printer("SearchResult", "^npuzzle::SearchResult<.*>$", SearchResultPrinter)
    return printers


gdb.printing.register_pretty_printer(gdb.current_objfile(), build_printer(), replace=True)
