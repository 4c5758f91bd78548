"""Search the start position and print the result as a table.

python examples/search.py                # Breakthrough 8x8, RAVE
python examples/search.py othello uct    # another game, another method
"""

import sys

import playout as po

STARTS = {"breakthrough": po.Breakthrough, "othello": po.Othello}

game, method = sys.argv[1:] or ["breakthrough", "rave"]
position = STARTS[game]()
print(position)
print()
print(po.search(position, method, playouts=100_000, seed=1))
