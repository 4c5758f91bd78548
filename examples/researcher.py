"""Nine jobs of a researcher, each in a few lines, on one core in some seconds.

    python examples/researcher.py

Jobs that need something that is not installed say so and are left out.
"""

import subprocess
import sys
import tempfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import playout as po

START = po.Breakthrough(5)
HERE = Path(__file__).parent


@cache
def labels():
    """Positions with what random games say of them, as arrays to learn from."""
    positions = po.random_positions(START, 3000, plies=(2, 16), seed=1)
    means = po.playouts(positions, 64, seed=1).mean
    print(f"{len(means)} positions, means from {means.min():.2f} to {means.max():.2f}")
    return po.stack(positions).reshape(len(positions), -1).astype(float), means


def own_network():
    """A network of one layer, learned by least squares, in a PUCT search."""
    boards, means = labels()
    inputs = np.hstack([boards, np.ones((len(boards), 1))])
    half = len(inputs) // 2
    weights = np.linalg.lstsq(inputs[:half], means[:half], rcond=None)[0]
    correlation = np.corrcoef(inputs[half:] @ weights, means[half:])[0, 1]

    def network(planes, mask):
        value = planes.reshape(len(planes), -1) @ weights[:-1] + weights[-1]
        return np.zeros(mask.shape), np.clip(value, 0, 1)

    method = po.PUCT(network, dirichlet_fraction=0, temperature=0)
    found = po.search(START, method, playouts=400, seed=1)
    print(f"correlation with unseen labels {correlation:.2f}; PUCT plays {found.move}")


def matches():
    """Two methods against each other, with an interval of their difference."""
    found = po.match("rave", "uct", game=START, games=20, playouts=100, seed=1)
    print(f"RAVE scores {found.score:.2f} of 1 in {found.games} games against UCT")


def openspiel():
    """A game of OpenSpiel for our search, and our search as a bot of theirs."""
    import pyspiel

    from playout.adapters.openspiel import Bot, State

    game = State("tic_tac_toe")
    found = po.search(game, "uct", playouts=300, seed=1)
    bots = [Bot("uct", playouts=100, seed=1), pyspiel.make_uniform_random_bot(1, 7)]
    returns = pyspiel.evaluate_bots(game.state.clone(), bots, 1)
    print(f"action {found.move.original}; against a random bot {returns[0]:+.0f}")


def pettingzoo():
    """One of our games as a PettingZoo environment, played at random."""
    from playout.adapters.pettingzoo import env

    world = env(START)
    world.reset(seed=1)
    steps = 0
    for agent in world.agent_iter():
        observation, reward, ended, cut, _ = world.last()
        space = world.action_space(agent)
        world.step(None if ended or cut else space.sample(observation["action_mask"]))
        steps += 1
    print(f"{steps} steps, the last reward {reward:+.0f}")


def dask():
    """Random games on a Dask cluster, with the result of one process."""
    from distributed import Client, LocalCluster

    settings = {"processes": False, "dashboard_address": None}
    with (
        LocalCluster(n_workers=1, threads_per_worker=2, **settings) as cluster,
        Client(cluster) as client,
    ):
        pool = client.get_executor(pure=False)
        found = po.playouts(START, 20_000, seed=1, executor=pool, workers=8)
    print(f"{found.wins} of {found.n} games won, as on one core:", end=" ")
    print(found.wins == po.playouts(START, 20_000, seed=1).wins)


class Race:
    """A game in Python: count to 21 by one, two or three; who says 21 loses."""

    n_codes = 44

    def __init__(self, count=0, turn=0):
        self.count, self.turn = count, turn

    def legal_moves(self):
        return [n for n in (1, 2, 3) if self.count + n <= 21]

    def play(self, n):
        self.count, self.turn = self.count + n, 1 - self.turn

    def is_over(self):
        return self.count == 21

    def result(self):
        return 1.0 - self.turn  # the other one has said 21

    def key(self):
        return self.count, self.turn

    def code(self, n):
        return 2 * (self.count + n) + self.turn

    def copy(self):
        return Race(self.count, self.turn)


def game_in_python():
    """The best move leaves 4, 8, 12, 16 or 20 said."""
    po.check_game(Race(), games=20)
    found = po.search(Race(1), po.GRAVE(), playouts=500, seed=1, solver=True)
    print(f"after 1, say {found.move} more: value {found.value:.0f}, {found.reason}")


SETUP = """
from pathlib import Path
import mcts_core
from Cython.Build import cythonize
from setuptools import Extension, setup
installed = str(Path(mcts_core.__file__).parents[1])
race = Extension("race", ["race.pyx"], include_dirs=[installed], extra_compile_args=["-O1"])
setup(name="race", ext_modules=cythonize(race, include_path=[installed]))
"""


def game_in_cython():
    """The same game, compiled against the contract: `race.pyx`."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        Path(folder, "setup.py").write_text(SETUP)
        Path(folder, "race.pyx").write_bytes((HERE / "race.pyx").read_bytes())
        build = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
        done = subprocess.run(build, cwd=folder, capture_output=True, text=True)
        if done.returncode:
            print("left out: it could not be compiled:", done.stderr.strip().splitlines()[-1])
            return
        sys.path.insert(0, folder)
        from race import Race

        checked = po.check_game(Race(), games=20)
        found = po.search(Race(1), "grave", playouts=100_000, seed=1)
        print(f"{len(checked.functions)} functions kept the contract; ", end="")
        print(f"after 1, say {found.move}: {found.playouts} playouts in {found.seconds:.2f} s")


def save_and_load():
    """A search that goes on another day, and a result as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "breakthrough.search")
        with po.Searcher(START, "rave", seed=1) as searcher:
            searcher.search(playouts=1000)
            searcher.save(path)
        with po.Searcher.load(path) as searcher:
            found = searcher.search(playouts=1000)
    again = po.Result.from_json(found.to_json())
    print(f"{again.moves['visits'].sum()} visits, of which {again.playouts} after loading")


def main():
    """Do all jobs in turn."""
    jobs = [
        ("1 labels", labels, None),
        ("2 a network of your own", own_network, None),
        ("3 matches", matches, None),
        ("4 OpenSpiel", openspiel, "pyspiel"),
        ("5 PettingZoo", pettingzoo, "pettingzoo"),
        ("6 Dask", dask, "distributed"),
        ("7 a game of your own in Python", game_in_python, None),
        ("8 a game of your own in Cython", game_in_cython, "Cython"),
        ("9 save and load", save_and_load, None),
    ]
    for title, job, needs in jobs:
        print(f"{title}: ", end="", flush=True)
        if needs is not None and find_spec(needs) is None:
            print(f"left out, because {needs} is not installed")
        else:
            job()


if __name__ == "__main__":
    main()
