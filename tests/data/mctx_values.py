"""Writes mctx.json: what mctx 0.0.71 finds on small trees. Needs `pip install mctx`, and playout.

    python tests/data/mctx_values.py > tests/data/mctx.json

mctx runs with 64 bits, with our positions behind `jax.pure_callback`, and with our noise instead of
its own. Its values are from -1 to 1.
"""

import json
import math
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import mctx
import numpy as np
from mctx._src import qtransforms

import playout as po
from playout.reference import SFC64

sys.path.insert(0, str(Path(__file__).parents[1]))
from support.evaluators import scattered

jax.config.update("jax_enable_x64", True)

STARTS = [
    po.Breakthrough(4),
    po.Breakthrough(5),
    po.ConnectFour(4, 4),
    po.Othello(4),
    po.Othello(6),
]
LOWEST = -1e30


class World:
    """The positions that a search has seen, by number."""

    def __init__(self, root):
        self.positions = [root]
        self.after = {}

    def evaluated(self, number):
        """Logits, masked, and value."""
        position = self.positions[number]
        logits, value = scattered(position.planes()[None], position.legal_mask[None])
        masked = np.where(position.legal_mask, logits[0].astype(np.float64), LOWEST)
        return masked, 2.0 * float(value[0]) - 1.0

    def step(self, action, number):
        """The number of the next position, reward, discount, logits, value."""
        action, number = int(action[0]), int(number[0])
        position = self.positions[number]
        nothing = np.zeros((1, position.n_codes))
        if position.is_over or not position.legal_mask[action]:  # mctx walks on, and counts nothing
            return np.array([number]), np.zeros(1), np.zeros(1), nothing, np.zeros(1)
        if (number, action) not in self.after:
            child = position.copy()
            child.push(position.move_of(action))
            self.after[number, action] = len(self.positions)
            self.positions.append(child)
        at = self.after[number, action]
        child = self.positions[at]
        if child.is_over:
            seen = child.result if position.turn == 0 else 1.0 - child.result
            return np.array([at]), np.array([2.0 * seen - 1.0]), np.zeros(1), nothing, np.zeros(1)
        logits, value = self.evaluated(at)
        return np.array([at]), np.zeros(1), -np.ones(1), logits[None], np.array([value])


def searched(position, method, playouts, seed, **settings):
    """What mctx finds."""
    world = World(position)
    actions = position.n_codes
    shapes = [
        jax.ShapeDtypeStruct(shape, kind)
        for shape, kind in (
            ((1,), np.int64),
            ((1,), np.float64),
            ((1,), np.float64),
            ((1, actions), np.float64),
            ((1,), np.float64),
        )
    ]

    def recurrent(params, key, action, embedding):
        number, reward, discount, logits, value = jax.pure_callback(
            world.step, tuple(shapes), action, embedding
        )
        output = mctx.RecurrentFnOutput(
            reward=reward, discount=discount, prior_logits=logits, value=value
        )
        return output, number

    logits, value = world.evaluated(0)
    root = mctx.RootFnOutput(
        prior_logits=jnp.asarray(logits[None]),
        value=jnp.asarray([value]),
        embedding=jnp.asarray([0]),
    )
    common = {
        "params": (),
        "rng_key": jax.random.PRNGKey(0),
        "root": root,
        "recurrent_fn": recurrent,
        "num_simulations": playouts,
        "invalid_actions": jnp.asarray(~position.legal_mask[None]),
    }
    if method == "gumbel":
        generator, noise = SFC64(seed), np.zeros((1, actions))
        for move in position.legal_moves:
            noise[0, position.action(move)] = -math.log(-math.log(generator.uniform()))
        drawn, jax.random.gumbel = jax.random.gumbel, lambda *_, **__: jnp.asarray(noise)
        try:
            found = mctx.gumbel_muzero_policy(
                max_num_considered_actions=settings["num_considered"],
                gumbel_scale=settings["gumbel_scale"],
                **common,
            )
        finally:
            jax.random.gumbel = drawn
    else:
        found = mctx.muzero_policy(
            dirichlet_fraction=0.0,
            temperature=0.0,
            **common,
            qtransform=lambda tree, node: qtransforms.qtransform_by_min_max(
                tree, node, min_value=-1.0, max_value=1.0
            ),
        )
    visits = np.asarray(found.search_tree.summary().visit_counts)[0]
    weights = np.asarray(found.action_weights)[0]
    codes = [position.action(move) for move in position.legal_moves]
    return {
        "game": type(position).__name__,
        "position": position.fen,
        "method": method,
        "playouts": playouts,
        "seed": seed,
        "settings": settings,
        "visits": [int(visits[code]) for code in codes],
        "weights": [float(weights[code]) for code in codes],
        "move": str(position.move_of(int(found.action[0]))),
        "value": (float(found.search_tree.node_values[0, 0]) + 1.0) / 2.0,
    }


def cases():
    """Positions of five boards, by both methods."""
    for seed, start in enumerate(STARTS):
        for plies in (0, 4):
            (position,) = po.random_positions(start, 1, plies=plies, seed=seed)
            for playouts in (1, 16, 50, 100):
                yield searched(position, "puct", playouts, seed)
                for scale, considered in ((1.0, 16), (0.0, 4)):
                    settings = {"gumbel_scale": scale, "num_considered": considered}
                    yield searched(position, "gumbel", playouts, seed, **settings)


if __name__ == "__main__":
    lines = [json.dumps(case) for case in cases()]
    print("[\n" + ",\n".join(lines) + "\n]")
