"""`playout play`: you against a method, or two methods against each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from playout.arena.levels import RANKS, levels
from playout.arena.limit import Limit
from playout.arena.players import You, player_from
from playout.arguments import one_of
from playout.cli import record
from playout.cli.clock import TAG, clock_from, clock_of, tag_of
from playout.cli.counts import COUNT
from playout.cli.errors import Command, Fault
from playout.cli.positions import game_of, own_game, position_options, to_search
from playout.cli.repeat import command_line, drawn
from playout.cli.screen import console, print_json, print_whole
from playout.cli.session import Session
from playout.record import Record
from playout.task import SEARCH_POLICIES

PLAYOUTS = 10_000  # a move, by default
RIVAL = "best"


@click.command(cls=Command)
@position_options
@click.option(
    "--white",
    metavar="WHO",
    help=f"you; a level ({', '.join(RANKS)}); or a method with a limit: rave@5000, uct@2s.",
)
@click.option("--black", metavar="WHO", help="The same. Default: you play first, against best.")
@click.option(
    "-n",
    "--playouts",
    type=COUNT,
    metavar="N",
    help=f"Level: playouts a move. Default: {PLAYOUTS:,}.",
)
@click.option("-s", "--seconds", type=float, metavar="S", help="Level: seconds a move instead.")
@click.option(
    "--policy",
    default="random",
    metavar="NAME",
    help="How playouts choose moves: random, guided, mast or ppaf.",
)
@click.option(
    "--book",
    metavar="FILE",
    help="Methods play from this opening book while they can; `default`: the package's.",
)
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Default: a random seed.")
@click.option(
    "--clock",
    metavar="S+S",
    help="Each side's seconds for the game, and those that each move adds: 180+2. Default: none.",
)
@click.option("--comments", is_flag=True, help="Say after each of your moves what it gave away.")
@click.option("--save", metavar="FILE", help="Save the game to this file after every move.")
@click.option("--resume", metavar="FILE", help="Continue a saved game, and save it there.")
@click.option("--json", "as_json", is_flag=True, help="Two methods only: print the game as JSON.")
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:
    """Play against a search method, or let two methods play each other.

    Type moves as they are printed (a2a3, f5), or one of these words: moves, hint, undo, save FILE,
    board, resign, quit, help. Ctrl-C and Ctrl-D end the program like quit.

    \b
    Examples:
      playout play                               Breakthrough 8x8: you are white
      playout play --size 5 --white rave@50000   you are black, the method begins
      playout play --black club --comments       a level, and a word on each of your moves
      playout play --clock 180+2                 three minutes each, two seconds for each move
      playout play -g othello --black you --white "AlphaBeta(depth=8)"
      playout play --size 5 --white rave --black uct --playouts 2000 --seed 1
      playout play -g connect-four --book four.book
      playout play --save game.json              and later:
      playout play --resume game.json
    """
    game, path = _resumed(ctx, options) if options["resume"] is not None else _new(options)
    if options["as_json"] and str(You()) in game.players:
        raise Fault("--json is for two methods: give --white and --black, such as --black uct")
    if path is not None:
        record.write(path, game)  # so that a file that cannot be written is noticed now
    screen = console()
    session = Session(
        screen, game, path, is_silent=options["as_json"], has_comments=options["comments"]
    )
    is_ended = session.play()
    line = _line(ctx, session, is_ended)
    if options["as_json"]:
        print_json(game.to_dict() | {"command": line})
    else:
        print_whole(screen, f"{'Again' if is_ended else 'Go on with'}: {line}")


def _new(options: dict[str, Any]) -> tuple[Record, Path | None]:
    position = to_search(
        **{name: options[name] for name in ("game", "size", "first_rows", "position", "moves")}
    )
    sides = game_of(position).sides
    names = [options[side] for side in sides]
    if names == [None, None]:
        names = ["you", RIVAL]
    limit = Limit(playouts=options["playouts"], seconds=options["seconds"])
    if not limit.is_given:
        limit = Limit(playouts=PLAYOUTS)
    named = {level.name: str(level) for level in levels(position)}
    book = {} if options["book"] is None else {"book": options["book"]}
    first, second = (
        str(player_from(named.get(name or "", name or "you"), limit, **book)) for name in names
    )
    game = Record(
        position,
        (first, second),
        drawn(options["seed"]),
        one_of("policy", options["policy"], SEARCH_POLICIES),
    )
    if options["clock"] is not None:
        game.tags |= tag_of(clock_from(options["clock"]))
    record.players_of(game)
    path = None if options["save"] is None else Path(options["save"])
    if path is not None:
        refuse_existing(path)
    return game, path


def refuse_existing(path: Path) -> None:
    """Refuse to overwrite an existing file."""
    if record.exists(path):
        raise Fault(f"{path} exists: go on with it by --resume {path}, or choose another name")


def _resumed(ctx: click.Context, options: dict[str, Any]) -> tuple[Record, Path]:
    kept = ("resume", "save", "as_json", "comments", *own_game(options))
    for param in ctx.command.params:
        name = param.name or ""
        is_given = ctx.get_parameter_source(name) is not ParameterSource.DEFAULT
        if is_given and name not in kept:
            raise Fault(f"--resume takes all from the file: leave {param.opts[-1]} out")
    game = record.read(Path(options["resume"]))
    if options["save"] is not None:
        path = Path(options["save"])
        refuse_existing(path)
        return game, path
    return game, Path(options["resume"])


def _line(ctx: click.Context, session: Session, is_ended: bool) -> str:
    """The command that continues the game, or repeats it if it is over."""
    game = session.game
    if not is_ended and session.path is not None:
        kept = {"resume": session.path} | own_game(ctx.params)
        return command_line(ctx, **(dict.fromkeys(ctx.params) | kept))
    if is_ended and str(You()) not in game.players and not ctx.params["resume"]:
        return command_line(ctx, seed=game.seed, save=None)
    start = game.to_dict()
    given: dict[str, object] = dict.fromkeys(ctx.params)
    given |= {"game": start["game"], "position": start["start"], "seed": game.seed}
    given |= start["players"]
    if not is_ended and start["moves"]:
        given["moves"] = " ".join(start["moves"])
    if (clock := clock_of(game)).clock is not None:
        given["clock"] = tag_of(clock)[TAG]
    if game.policy != "random":
        given["policy"] = game.policy
    return command_line(ctx, **given)
