"""Random games after each first move, as a table.

python examples/playouts.py              # Breakthrough 5x5
python examples/playouts.py othello      # Othello 8x8
"""

import sys

import playout as po

GAMES = 200_000

start = po.Othello() if sys.argv[1:] == ["othello"] else po.Breakthrough(5)
moves = start.legal_moves
after = []
for move in moves:
    start.push(move)
    after.append(start.copy())
    start.pop()

# The means are seen by the side to move, which after a move is the opponent.
games = po.playouts(after, GAMES, seed=1)
value = 1 - games.mean

print(start)
print(f"\n{GAMES:,} random games after each move\n")
print("move   won by the mover   standard error   plies a game")
for i in sorted(range(len(moves)), key=lambda i: -value[i]):
    plies = 1 + games.plies[i] / GAMES
    print(f"{moves[i]:<7}{value[i]:16.4f}{games.stderr[i]:17.4f}{plies:15.2f}")
rate = GAMES * len(moves) / games.seconds
print(f"\n{GAMES * len(moves):,} games in {games.seconds:.2f} s: {rate / 1e6:.1f} million a second")
