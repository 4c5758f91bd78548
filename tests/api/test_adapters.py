"""Bridges to other libraries, with the conformance tests of these libraries."""

from __future__ import annotations

import pickle
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import playout as po


def test_adapters_are_imported_only_when_used() -> None:
    code = (
        "import sys, playout.adapters, playout.adapters.kaggle; "
        "print({'pyspiel', 'pettingzoo', 'gymnasium', 'kaggle_environments'} & {*sys.modules})"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "set()\n"


# OpenSpiel


@pytest.fixture
def openspiel() -> Any:
    pytest.importorskip("pyspiel")
    from playout.adapters import openspiel

    return openspiel


@pytest.mark.parametrize(
    "name", ["tic_tac_toe", "breakthrough(rows=5,columns=5)", "othello", "nim"]
)
def test_their_games_are_games_here(openspiel: Any, name: str) -> None:
    game = openspiel.State(name)
    po.check_game(game, games=3)
    assert pickle.loads(pickle.dumps(game)).key() == game.key()
    found = po.search(game, "rave", playouts=200, seed=1)
    assert found.move.original in game.state.legal_actions()


def test_exact_results_in_their_games(openspiel: Any) -> None:
    assert po.solve(openspiel.State("tic_tac_toe")).value == 0.5


@pytest.mark.parametrize(
    ("name", "message"),
    [("kuhn_poker", "hidden information, chance"), ("no_such_game", "OpenSpiel has no game")],
)
def test_other_games_are_refused(openspiel: Any, name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        openspiel.State(name)


def test_our_bots_in_their_matches(openspiel: Any) -> None:
    import pyspiel

    game = pyspiel.load_game("tic_tac_toe")
    ours = openspiel.Bot("uct", playouts=300, seed=1)
    rng = np.random.RandomState(1)
    theirs = pyspiel.make_uniform_random_bot(1, 7)
    returns = [
        pyspiel.evaluate_bots(game.new_initial_state(), [ours, theirs], int(rng.randint(10**6)))[0]
        for _ in range(10)
    ]
    assert sum(returns) >= 8
    shares, action = ours.step_with_policy(game.new_initial_state())
    assert sum(share for _, share in shares) == pytest.approx(1.0)
    assert action == max(shares, key=lambda pair: pair[1])[0]


def test_their_bots_are_players_here(openspiel: Any) -> None:
    import pyspiel

    game = openspiel.State("tic_tac_toe")
    theirs = openspiel.player(lambda side: pyspiel.make_uniform_random_bot(side, 7), "chance")
    match = po.match("uct", theirs, game=game, games=10, playouts=200, seed=1, openings=0)
    assert match.players == ("UCT()@200", "chance")
    assert match.score > 0.7
    with pytest.raises(po.BadPosition, match="plays OpenSpiel's games"):
        theirs(po.Othello())


# PettingZoo


@pytest.mark.parametrize("start", [po.Breakthrough(5), po.Othello(6), po.ConnectFour(5, 5)])
@pytest.mark.filterwarnings("ignore")
def test_the_environment_passes_pettingzoos_own_test(start: po.Position) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test

    from playout.adapters import pettingzoo

    api_test(pettingzoo.env(start), num_cycles=200)


def test_rewards_are_those_of_the_game() -> None:
    pytest.importorskip("pettingzoo")
    from playout.adapters import pettingzoo

    start = po.Breakthrough(4)
    env = pettingzoo.env(start, "ansi")
    env.reset(seed=1)
    game, total = start.copy(), {"player_0": 0.0, "player_1": 0.0}
    rng = np.random.default_rng(1)
    for agent in env.agent_iter():
        observation, reward, ended, _, _ = env.last()
        total[agent] += reward
        if ended:
            env.step(None)
            continue
        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        game.push(game.move_of(action))
        env.step(action)
    assert game.result is not None
    assert total == {"player_0": 2 * game.result - 1, "player_1": 1 - 2 * game.result}
    assert str(game) == env.render()


# Kaggle


def test_the_agent_wins_at_once_and_blocks() -> None:
    from playout.adapters import kaggle

    rules = {"rows": 6, "columns": 7, "inarow": 4, "actTimeout": 0.2}
    board = [0] * 28 + [2] + [0] * 6 + [1, 1, 1, 0, 2, 2, 0]
    assert kaggle.agent({"board": board, "mark": 1}, rules) == 3
    seen = SimpleNamespace(board=[0] * 35 + [1, 1, 1, 0, 2, 2, 0], mark=2)
    assert kaggle.agent(seen, SimpleNamespace(**rules)) == 3
    with pytest.raises(po.BadPosition, match="four in a row, and this game 5"):
        kaggle.agent(seen, rules | {"inarow": 5})


def test_the_file_to_submit_defines_an_agent() -> None:
    from playout.adapters import kaggle

    names: dict[str, Any] = {}
    exec(kaggle.submission(), names)
    seen = {"board": [0] * 42, "mark": 1}
    assert names["agent"](seen, {"rows": 6, "columns": 7, "actTimeout": 0.1}) in range(7)


def test_kaggles_own_environment_runs_it() -> None:
    environments = pytest.importorskip("kaggle_environments")
    from playout.adapters import kaggle

    env = environments.make("connectx", configuration={"actTimeout": 0.3}, debug=True)
    env.run([kaggle.agent, "random"])
    assert [state.status for state in env.state] == ["DONE", "DONE"]
