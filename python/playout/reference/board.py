"""Squares, their names, and diagrams of boards.

A board is a string with one character for each square, row after row: the number of a square is
`row * cols + col`.
Columns are named a, b, c, ... and rows 1, 2, 3, ...
"""

COLUMN_LETTERS = "abcdefgh"


def square_name(square: int, cols: int) -> str:
    """The name of a square.

    >>> square_name(0, cols=5), square_name(7, cols=5)
    ('a1', 'c2')
    """
    row, col = divmod(square, cols)
    return f"{COLUMN_LETTERS[col]}{row + 1}"


def board_rows(board: str, cols: int) -> list[str]:
    """The board cut into its rows.

    >>> board_rows("ww..bb", cols=2)
    ['ww', '..', 'bb']
    """
    return [board[start : start + cols] for start in range(0, len(board), cols)]


def read_rows(fen: str, first: str, second: str) -> tuple[int, int, str, int]:
    """Rows, columns, board and player to move of a line that begins with the highest row.

    The two players are known by their letters.

    >>> read_rows("bbb/.../www b", "w", "b")
    (3, 3, 'www...bbb', 1)
    """
    words = fen.split()
    if len(words) != 2 or words[1] not in (first, second):
        raise ValueError(f"{fen!r}: expected the rows, a space, and {first} or {second} to move")
    lines = words[0].split("/")[::-1]
    cols, board = len(lines[0]), "".join(lines)
    if any(len(line) != cols for line in lines) or not set(board) <= {first, second, "."}:
        raise ValueError(
            f"{fen!r}: expected rows of equal length, made of {first}, {second} and '.'"
        )
    return len(lines), cols, board, (first, second).index(words[1])


def diagram(board: str, cols: int, first_row_on_top: bool) -> str:
    """The board as a diagram.

    >>> print(diagram("www...bbb", cols=3, first_row_on_top=False))
    3 b b b
    2 . . .
    1 w w w
      a b c
    """
    lines = [
        f"{number} {' '.join(row)}" for number, row in enumerate(board_rows(board, cols), start=1)
    ]
    letters = "  " + " ".join(COLUMN_LETTERS[:cols])
    return "\n".join([letters, *lines] if first_row_on_top else [*reversed(lines), letters])
