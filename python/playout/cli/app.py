"""The commands by name. The module of a command is imported when the command is run."""

from __future__ import annotations

from importlib import import_module

import click

from mcts_core.errors import did_you_mean, shown
from playout import __version__
from playout.cli.errors import OPTION_NAMES

COMMANDS = {
    "search": "Find the best move, with a table that is live during the search.",
    "play": "Play against a method, or let two methods play each other.",
    "review": "Say what each move of a game was worth.",
    "web": "Show positions, games and searches on a page in the browser.",
    "match": "Play a match: who is stronger, and how sure is that?",
    "tournament": "Rate several players on one scale.",
    "uci": "Serve programs that speak UCI: Breakthrough and Othello.",
    "gtp": "Serve programs that speak GTP: all games.",
    "nboard": "Serve NBoard: Othello.",
    "engine": "Check whether another engine can play in a match.",
    "learn": "Learn an evaluation of a game by self-play.",
    "book": "Build and show opening books.",
    "compare": "Compare all methods on one position, with more and more playouts.",
    "solve": "Find the exact result of a position under best play.",
    "perft": "Count move sequences of a given length, to test the rules.",
    "bench": "Measure how fast this machine plays and searches.",
    "doctor": "Check this installation.",
}


class Commands(click.Group):
    """A group of commands that imports only the command that is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, from the module of that name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"playout.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names, or an error with a proposal."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            hint = did_you_mean(args[0], list(COMMANDS))
            raise click.UsageError(
                f"there is no command {shown(args[0])}{hint} Known: {', '.join(COMMANDS)}", ctx
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands in the help, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=Commands, context_settings=OPTION_NAMES, invoke_without_command=True)
@click.version_option(__version__, prog_name="playout", message="%(prog)s %(version)s")
@click.pass_context
def commands(ctx: click.Context) -> None:
    """Game search in the terminal.

    \b
    Examples:
      playout search --game breakthrough --size 5 --method rave
      playout play --game othello --black you --white uct
      playout COMMAND --help
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
