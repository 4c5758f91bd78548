"""Compare methods on a position with a proven answer, and in games against each other."""

import playout as po

METHODS = [po.Flat(), po.UCB(), po.AMAF(), po.UCT(), po.RAVE(), po.GRAVE()]
PLAYOUTS = [30, 100, 300, 1000, 3000]
SEEDS = range(50)


def rightly_solved(game: po.Position, answer: str, method: po.Method, playouts: int) -> int:
    """The number of searches that find the answer."""
    searches = (po.search(game, method, playouts=playouts, seed=seed) for seed in SEEDS)
    return sum(result.move == answer for result in searches)


def match(first: po.Method, second: po.Method, games: int, playouts: int) -> float:
    """The share of games that the first method wins on 6x6, colours alternated."""
    won = 0.0
    for number in range(games):
        players = [first, second] if number % 2 == 0 else [second, first]
        game = po.Breakthrough(6)
        while not game.is_over:
            seed = 1000 * number + len(game.history)
            game.push(po.search(game, players[game.turn], playouts=playouts, seed=seed).move)
        won += game.result if number % 2 == 0 else 1 - game.result
    return won / games


# One move wins and the others lose, as the solver proves.
game = po.Breakthrough.from_fen(".b..b/bbbbb/w..w./b.w../www.w w")
proof = po.search(game, po.UCT(), playouts=10**6, seed=1, solver=True)
print(game)
print(f"\nproven: {proof.move} has value {proof.value:g} ({proof.playouts:,} playouts)")

print(f"\nfound in {len(SEEDS)} searches of so many playouts:")
print(f"{'':10}" + "".join(f"{n:>7}" for n in PLAYOUTS))
for method in METHODS:
    found = [rightly_solved(game, proof.move, method, n) for n in PLAYOUTS]
    print(f"{method!r:10}" + "".join(f"{n:>7}" for n in found))

print("\nwhat AMAF gains in observations, and its bias, where it is largest")
table = po.compare_estimates(game, 10_000, seed=1)
for row in sorted(table, key=lambda row: -abs(row["bias"]))[:4]:
    print(
        f"{row['move']}: mean {row['mean']:.3f} of {row['visits']}, "
        f"AMAF {row['amaf_mean']:.3f} of {row['amaf_visits']}, bias {row['bias']:+.3f}"
    )

print("\ngames on 6x6, 100 playouts a move (20 games: a first impression, no more)")
for pair in [(po.UCB(), po.Flat()), (po.UCT(), po.Flat()), (po.RAVE(), po.UCT())]:
    print(f"{pair[0]!r} against {pair[1]!r}: {match(*pair, games=20, playouts=100):.0%}")
