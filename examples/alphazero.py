"""AlphaZero in plain numpy: a network learns Connect Four on 5x6 squares from games with itself.

    python examples/alphazero.py               # some minutes
    python examples/alphazero.py --quick       # some seconds, enough to beat its start

Each round plays many games at once by Gumbel search, whose improved policy the network learns, with
the results of the games. At the end it plays against itself as it was before, and against UCT.
"""

import argparse
import os
from time import perf_counter

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small products are slower on several threads

import numpy as np

import playout as po

START = po.ConnectFour(5, 6)
SQUARES = START.rows * START.cols
FIELDS = 2 * SQUARES  # of the input: the mover's discs, then the opponent's


class Network:
    """Two hidden layers; a policy over the squares where a disc can land, and a value."""

    def __init__(self, hidden=96, seed=1):
        random = np.random.default_rng(seed)
        sizes = [(FIELDS, hidden), (hidden, hidden), (hidden, SQUARES), (hidden, 1)]
        self.weights = [random.normal(0, (2 / a) ** 0.5, (a, b)) for a, b in sizes]
        self.weights[2:] = [0.1 * w for w in self.weights[2:]]
        self.weights += [np.zeros(b) for _, b in sizes]
        self.weights = [w.astype(np.float32) for w in self.weights]
        self.steps = 0
        self.moments = [(np.zeros_like(w), np.zeros_like(w)) for w in self.weights]

    def layers(self, x):
        """The input, both hidden layers, logits and values before they are squashed."""
        w1, w2, w3, w4, b1, b2, b3, b4 = self.weights
        first = np.maximum(x @ w1 + b1, 0)
        second = np.maximum(first @ w2 + b2, 0)
        return x, first, second, second @ w3 + b3, (second @ w4 + b4)[:, 0]

    def __call__(self, planes, mask):
        """The evaluator. Actions are squares for the first player, then those for the second."""
        x = planes.reshape(len(planes), FIELDS).astype(np.float32)
        *_, logits, value = self.layers(x)
        return np.tile(logits, 2), 1 / (1 + np.exp(-value))

    def learn(self, x, legal, policy, result, rate=1e-3):
        """A step of Adam on the cross-entropies of policy and result."""
        x, first, second, logits, value = self.layers(x)
        odds = np.exp(logits - logits.max(1, keepdims=True)) * legal
        policy_error = (odds / odds.sum(1, keepdims=True) - policy) / len(x)
        value_error = ((1 / (1 + np.exp(-value)) - result) / len(x))[:, None]
        _, w2, w3, w4 = self.weights[:4]
        at_second = (policy_error @ w3.T + value_error @ w4.T) * (second > 0)
        at_first = (at_second @ w2.T) * (first > 0)
        errors = [at_first, at_second, policy_error, value_error]
        inputs = [x, first, second, second]
        slopes = [i.T @ e for i, e in zip(inputs, errors, strict=True)] + [e.sum(0) for e in errors]
        self.steps += 1
        scale = rate * (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for weight, slope, (mean, square) in zip(self.weights, slopes, self.moments, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            weight -= scale * mean / (np.sqrt(square) + 1e-8) + 1e-5 * weight


def self_play(network, games, playouts, seed):
    """Positions of games: planes, legal squares, improved policies and results for the mover."""
    method = po.Gumbel(network, num_considered=6)
    boards = list(po.random_positions(START, games, plies=(0, 10), seed=seed))  # for variety
    rows, owners, turns = [], [], []
    while going := [i for i, board in enumerate(boards) if not board.is_over]:
        playing = [boards[i] for i in going]
        found = po.search(playing, method, playouts=playouts, seed=seed + len(rows))
        planes = po.stack(playing).reshape(len(going), FIELDS)
        masks = np.array([board.legal_mask for board in playing]).reshape(-1, 2, SQUARES).any(1)
        rows.append((planes, masks, found.weights.reshape(-1, 2, SQUARES).sum(1)))
        owners += going
        turns += [board.turn for board in playing]
        for board, move in zip(playing, found.moves, strict=True):
            board.push(move)
    results = np.array([board.result for board in boards])[owners]
    results = np.where(np.array(turns) == 0, results, 1 - results)
    return [np.concatenate(part) for part in zip(*rows, strict=True)] + [results]


def score(one, other, games, seed=1):
    """The mean result of a method against another, as either player, with 32 playouts a move."""
    total = 0.0
    for first in (0, 1):
        boards = [START.copy() for _ in range(games // 2)]
        for i, board in enumerate(boards):  # different openings
            board.push(board.legal_moves[i % 6])
            board.push(board.legal_moves[i // 6 % 6])
        players, turn = [(one, other), (other, one)][first], 0
        while going := [board for board in boards if not board.is_over]:
            for board, move in zip(going, moves_of(players[turn], going, seed), strict=True):
                board.push(move)
            turn = 1 - turn
        results = np.array([board.result for board in boards])
        total += (results if first == 0 else 1 - results).sum()
    return total / (2 * len(boards))


def moves_of(method, boards, seed):
    """The moves of a method in many positions."""
    if isinstance(method, po.PUCT):
        return po.search(boards, method, playouts=32, seed=seed).moves
    return [po.search(board, method, playouts=32, seed=seed).move for board in boards]


def strongest(network):
    return po.PUCT(network, dirichlet_fraction=0, temperature=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="some seconds instead of minutes")
    quick = parser.parse_args().quick
    rounds, games, playouts = 10 if quick else 120, 200, 32
    network, before = Network(), Network()
    random = np.random.default_rng(1)
    kept = []  # positions of the last rounds
    began = perf_counter()
    for number in range(1, rounds + 1):
        kept = [*kept[-14:], self_play(network, games, playouts, seed=1000 * number)]
        data = [np.concatenate(part) for part in zip(*kept, strict=True)]
        for _ in range(len(kept[-1][0]) // 32):
            drawn = random.integers(0, len(data[0]), 128)
            x, legal, policy, result = (part[drawn].astype(np.float32) for part in data)
            network.learn(x, legal, policy, result)
        if number % 10 == 0:
            won = score(strongest(network), strongest(before), 72)
            print(f"round {number}, {perf_counter() - began:.0f} s: {won:.0%} against its start")
    against_start = score(strongest(network), strongest(before), 72)
    against_uct = score(strongest(network), po.UCT(), 72)
    print(f"after {rounds} rounds of {games} games, with 32 playouts a move:")
    print(f"{against_start:.0%} against its start, {against_uct:.0%} against UCT")
    return 0 if against_start > 0.5 else 1


if __name__ == "__main__":
    raise SystemExit(main())
