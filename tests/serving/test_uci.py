"""`playout uci` over its pipes."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from time import perf_counter

import pytest

import playout as po
from playout.notation import own_move, position_of
from playout.serving.uci_options import VARIANTS
from support.engine_process import EngineProcess, answers, engine

SCORE = r"score (cp -?\d+|mate -?[1-9]\d*)"
MOVE = r"([a-h][1-8]){2}|P@[a-h][1-8]"
INFO = re.compile(
    rf"info depth \d+ seldepth \d+ multipv \d+ {SCORE} nodes \d+ nps \d+ time \d+ "
    rf"pv ({MOVE})( ({MOVE}))*"
)
BEST = re.compile(rf"bestmove ({MOVE}|0000)( ponder ({MOVE}))?")


@pytest.fixture(scope="module")
def process() -> Iterator[EngineProcess]:
    """An engine that tests share, because it takes longer to start than they do."""
    with engine("uci", "uct") as process:
        yield process


@pytest.fixture
def uci(process: EngineProcess) -> EngineProcess:
    """The shared engine as it was in the beginning, if no test changes its other options."""
    process.send("setoption name Method value uct", "setoption name Threads value 1")
    process.send("position startpos", "ucinewgame")
    return process


def best_move(uci: EngineProcess, go: str) -> str:
    """The answer to `go`; every line on the way must have the form of UCI."""
    uci.send(go)
    *infos, best = uci.until("bestmove")
    assert all(INFO.fullmatch(line) for line in infos), infos
    assert BEST.fullmatch(best), best
    return best


def test_introduction() -> None:
    lines = answers("uci", script="uci\nisready\nquit\n")
    assert lines[0].startswith("id name playout ")
    assert lines[1].startswith("id author ")
    assert lines[-2:] == ["uciok", "readyok"]
    options = [re.match(r"option name (\S+) type (\S+) default \S", line) for line in lines[3:-2]]
    names = [found[1] for found in options if found]
    assert len(names) == len(options)
    assert {"UCI_Variant", "Method", "Threads", "Hash", "MultiPV", "Solver", "Ponder"} <= {*names}


@pytest.fixture(scope="module")
def players() -> Iterator[tuple[EngineProcess, EngineProcess]]:
    with engine("uci", "rave solver") as first, engine("uci", "uct") as second:
        yield first, second


@pytest.mark.parametrize("variant", VARIANTS)
def test_game_against_itself(variant: str, players: tuple[EngineProcess, EngineProcess]) -> None:
    """Two processes play a whole game by legal moves."""
    position = VARIANTS[variant]()
    moves: list[str] = []
    for uci in players:
        uci.send(f"setoption name UCI_Variant value {variant}", "ucinewgame")
    while not position.is_over:
        uci = players[position.turn]
        uci.send(" ".join(["position startpos moves", *moves]))
        move = best_move(uci, "go nodes 200").split()[1]
        position.push(own_move(position, move))
        moves.append(move)


FAIRY = shutil.which("fairy-stockfish") or shutil.which("/usr/games/fairy-stockfish")


@pytest.mark.skipif(FAIRY is None, reason="fairy-stockfish is not installed")
def test_game_against_fairy_stockfish() -> None:
    """Each program refuses what the other one may not play, and neither has to."""
    position = po.Breakthrough()
    moves: list[str] = []
    with engine("uci") as ours, EngineProcess([str(FAIRY)]) as theirs:
        for uci in (ours, theirs):
            uci.send("uci", "setoption name UCI_Variant value breakthrough")
            uci.until("uciok")
        while not position.is_over:
            ours_moves = position.turn == 0
            uci = ours if ours_moves else theirs
            uci.send(" ".join(["position startpos moves", *moves]), "go nodes 1000")
            moves.append(uci.until("bestmove")[-1].split()[1])
            position.push(moves[-1])
            theirs.send(" ".join(["position startpos moves", *moves]), "d")
            fen = theirs.until("Fen:")[-1].removeprefix("Fen: ")
            assert position_of(position, fen) == position
        ours.send("quit")
        theirs.send("quit")


def test_final_passes() -> None:
    """UCI ends a game on a board with room by two passes, which this library does not have."""
    fen = "fen 4/4/4/PPPp[PPp] w 0 1"
    lines = answers(
        "uci", "--variant", "flipello4",
        script=f"position {fen}\ngo\nposition {fen} moves a1a1\ngo\n"
        f"position {fen} moves a1a1 d1d1\ngo\nquit\n",
    )  # fmt: skip
    best = [line for line in lines if line.startswith("bestmove")]
    assert best == ["bestmove a1a1", "bestmove d1d1", "bestmove 0000"]


@pytest.mark.parametrize(
    ("go", "least", "most"),
    [
        ("go nodes 3000", 3000, 3000),
        ("go depth 10", 1024, 1024),
        ("go depth 10 nodes 3000", 1024, 1024),
        ("go nodes 3000 wtime 600000 btime 600000", 3000, 3000),
    ],
)
def test_limits_in_work(uci: EngineProcess, go: str, least: int, most: int) -> None:
    """`nodes` are playouts, and `depth` counts their doublings."""
    uci.send(go)
    *_, last, _ = uci.until("bestmove")
    assert least <= int(last.split()[last.split().index("nodes") + 1]) <= most


def test_memory_of_the_player_is_its_hash() -> None:
    lines = answers("uci", "rave memory=64MiB", script="uci\nquit\n")
    assert "option name Hash type spin default 64 min 1 max 1048576" in lines


def test_level_of_the_player_holds() -> None:
    """No move takes more than the level that the command names."""
    with engine("uci", "uct@500") as uci:
        uci.send("go wtime 600000 btime 600000")
        assert " nodes 500 " in uci.until("bestmove")[-2]


def test_alpha_beta() -> None:
    """Depth is that of the search, and a won ending is a mate."""
    with engine("uci", "AlphaBeta", "--variant", "flipello") as uci:
        uci.send("go depth 6")
        assert uci.until("bestmove")[-2].startswith("info depth 6 ")
        uci.send("setoption name MultiPV value 3", "go depth 2")
        lines = uci.until("bestmove")[-4:-1]
        assert [line.split()[6] for line in lines] == ["1", "2", "3"]
        assert len({line.split(" pv ")[1].split()[0] for line in lines}) == 3


def test_lines_of_a_tree_search() -> None:
    with engine("uci", "rave") as uci:
        uci.send("setoption name MultiPV value 4", "go nodes 5000")
        lines = uci.until("bestmove")[-5:-1]
        assert [line.split()[6] for line in lines] == ["1", "2", "3", "4"]
        assert all(INFO.fullmatch(line) for line in lines)
        assert all(len(line.split(" pv ")[1].split()) > 1 for line in lines)


def test_proven_win_is_a_mate() -> None:
    with engine("uci", "uct solver", "--variant", "breakthrough5") as uci:
        uci.send("position fen 5/1P3/ppp2/5/5 w 0 1", "go nodes 10000")
        *_, last, best = uci.until("bestmove")
        assert " score mate 1 " in last
        assert best.split()[1] in ("b4a5", "b4b5", "b4c5")


def test_infinite_waits_for_stop() -> None:
    """Also where the search has nothing left to find out."""
    with engine("uci", "uct solver", "--variant", "breakthrough5") as uci:
        uci.send("position fen 5/1P3/ppp2/5/5 w 0 1", "go infinite")
        assert uci.until("info")
        assert uci.ask("isready", "readyok")
        assert uci.is_silent(0.3)
        assert uci.ask("stop", "bestmove")


def test_ponder() -> None:
    """The clock starts at `ponderhit`; the tree that was grown is used."""
    with engine("uci", "uct") as uci:
        uci.send("position startpos moves h2g3 a7a6", "go ponder wtime 4000 btime 4000")
        assert uci.until("info depth")
        began = perf_counter()
        uci.send("ponderhit")
        while not (timed := uci.timed_line())[1].startswith("bestmove"):
            pass
        assert 0.1 < timed[0] - began < 10.0  # 0.2 s: a twentieth of the clock
        uci.send("go ponder")
        assert uci.ask("stop", "bestmove")


def test_clock() -> None:
    """A twentieth of the time, and most of the increment."""
    with engine("uci", "uct") as uci:
        for go, seconds in (
            ("go wtime 4000 btime 100000", 0.2),
            ("go wtime 1000 btime 1000 movestogo 2", 0.5),
            ("go movetime 300", 0.3),
        ):
            uci.send(go)
            milliseconds = int(uci.until("bestmove")[-2].split(" time ")[1].split()[0])
            assert 900 * seconds <= milliseconds <= 1000 * seconds + 2000
        uci.send("go wtime -50 btime 0 winc 0 binc 0")
        assert uci.until("bestmove")


@pytest.mark.parametrize(
    ("script", "fault"),
    [
        ("go searchmoves a2a3", "go searchmoves is not supported"),
        ("go mate 3", "go mate is not supported"),
        ("go nodes many", "needs a whole number, not 'many'"),
        ("go nodes", "needs a whole number"),
        ("go fast", "go does not know 'fast'"),
        ("position startpos moves a1a8\ngo", "'a1a8'"),
        ("position fen nonsense\ngo", "a FEN is a board"),
        ("position\ngo nodes 1", "position startpos moves"),
        ("setoption name Method value AlphaBeta(evaluation=weights)\ngo depth 1", "Othello"),
        ("setoption name Method value ucb\nsetoption name Threads value 2\ngo", "one thread"),
    ],
)
def test_faults_that_leave_no_move(uci: EngineProcess, script: str, fault: str) -> None:
    """What is wrong is said, and a null move is the answer; then all goes on."""
    uci.send(script, "ucinewgame", "isready")
    lines = uci.until("readyok")
    assert sorted(lines)[0] == "bestmove 0000"
    assert sum(line.startswith("info string error: ") and fault in line for line in lines) >= 1


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("name Thread value 2", "did you mean 'Threads'"),
        ("name Threads value 0", "a whole number from 1 to 1024, not '0'"),
        ("name Hash value " + "9" * 5000, "Hash is a whole number"),
        ("name Hash value 1000000", "memory=1,048,576,000,000 is more than this machine has"),
        ("name Method value uctt", "did you mean 'uct'"),
        ("name Method value UCT(c=", "is not a method"),
        ("name UCI_Variant value chess", "UCI_Variant must be one of"),
        ("name Solver value perhaps", "true or false"),
        ("Threads 2", "write: setoption name NAME value VALUE"),
        ("", "write: setoption name NAME value VALUE"),
    ],
)
def test_wrong_options(uci: EngineProcess, words: str, fault: str) -> None:
    uci.send(f"setoption {words}", "isready")
    line, _ = uci.until("readyok")
    assert line.startswith("info string error: ")
    assert fault in line


def test_method_option() -> None:
    with engine("uci") as uci:
        uci.send("setoption name Method value RAVE(bias=1e-4)", "uci")
        assert "option name Method type string default RAVE(bias=0.0001)" in uci.until("uciok")


def test_end_of_input_ends_it() -> None:
    """Also while it searches without an end."""
    with engine("uci") as uci:
        uci.send("go infinite")
        uci.until("info")
        uci.close_input()
        assert uci.rest()[-1].startswith("bestmove")


def test_end_of_input_waits_for_an_answer() -> None:
    """A search with a limit is not cut short."""
    *_, last, best = answers("uci", "uct", script="go nodes 20000\n")
    assert " nodes 20000 " in last
    assert best.startswith("bestmove")


def test_quit_ends_a_search() -> None:
    *_, best = answers("uci", "uct", script="go movetime 100000\nquit\n")
    assert best.startswith("bestmove")


@pytest.mark.serial
@pytest.mark.parametrize("player", ["rave solver", "AlphaBeta", "flat"])
def test_stop_is_answered_at_once(player: str) -> None:
    """Within 20 ms on an idle machine; ten times that is allowed here."""
    with engine("uci", player, "--variant", "flipello") as uci:
        times = []
        for _ in range(7):
            uci.send("go infinite")
            uci.until("info depth")
            began = perf_counter()
            uci.send("stop")
            while not (timed := uci.timed_line())[1].startswith("bestmove"):
                pass
            times.append(timed[0] - began)
        assert sorted(times)[len(times) // 2] < 0.2
