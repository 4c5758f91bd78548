"""Othello on a dict, for the engines here; it shares no code with playout."""

SQUARES = [column + row for row in "12345678" for column in "abcdefgh"]
START = {"d4": "W", "e5": "W", "e4": "B", "d5": "B"}


def flipped(board: dict[str, str], square: str, mine: str) -> list[str]:
    if square in board:
        return []
    found = []
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            line, x, y = [], ord(square[0]) + dx, int(square[1]) + dy
            while board.get(at := chr(x) + str(y), mine) != mine:
                line.append(at)
                x, y = x + dx, y + dy
            if board.get(chr(x) + str(y)) == mine:
                found += line
    return found


def moves(board: dict[str, str], mine: str) -> list[str]:
    return [square for square in SQUARES if flipped(board, square, mine)]


def play(board: dict[str, str], square: str, mine: str) -> None:
    for other in flipped(board, square, mine):
        board[other] = mine
    board[square] = mine
