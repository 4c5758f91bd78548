"""Matches and tournaments as text, as HTML for notebooks, and as pages of their own."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from playout.arena.contest import Contest
from playout.arena.results import Games, Match, Meeting, Tournament
from playout.arena.statistics import PAIR_SCORES, Pairs
from playout.python_games import game_again
from playout.render import chart
from playout.render.text import board_of, seconds_text

if TYPE_CHECKING:
    from playout.arena.statistics import SPRT

FEW_GAMES = 1600  # fewer cannot show a gain of some 10 Elo
MOST_FAULTS = 5  # shown
STRANGE = 3.0  # standard errors beyond which a worker is named
STYLE = (
    "body{font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 1em;"
    "color-scheme:light dark}table{border-collapse:collapse;margin:1em 0}"
    "td,th{padding:.2em .8em;text-align:right}td:first-child,th:first-child{text-align:left}"
    "tr:nth-child(even){background:#8882}.chart{max-width:100%;height:auto}"
)


# A match


def match_text(match: Match) -> str:
    """The report of a match."""
    if not match.games:
        return f"{match.players[0]} - {match.players[1]}: no pair of games yet"
    return "\n".join([_headline(match), *facts(match), *notes(match)])


def _headline(match: Match) -> str:
    first, second = match.players
    return f"{first} - {second}: {_place(match.contest)}"


def _place(contest: Contest) -> str:
    facts = contest.described()
    board = board_of(contest.start)
    size = "" if board is None else f" {len(board.rows)}x{len(board.rows[0])}"
    return f"{game_again(facts['game']).title}{size}, seed {contest.seed}"


def facts(match: Match) -> list[str]:
    """The figures of a match, a line each."""
    meeting, pairs = match.meeting, match.pairs
    low, high = (100 * end for end in pairs.score_interval)
    elo_low, elo_high = match.interval
    by_first, by_second = (100 * share for share in meeting.by_side)
    lines = [
        f"score       {100 * match.score:.1f} %  ({low:.1f} to {high:.1f})   "
        f"of {match.games:,} games: {meeting.wins:,} won, {meeting.draws:,} drawn, "
        f"{meeting.losses:,} lost",
        f"Elo         {match.elo:+.1f}  ({elo_low:+.1f} to {elo_high:+.1f})",
        f"stronger    {match.players[0]}, with a likelihood of {match.superiority:.3f}",
        f"by side     {by_first:.1f} % when it plays first, {by_second:.1f} % when second",
        f"pairs       {_pentanomial(pairs)}",
    ]
    if match.sprt is not None:
        lines.append(f"test        {_test(match.sprt, match.llr or 0.0, match.decision)}")
    return lines


def _pentanomial(pairs: Pairs) -> str:
    shown = (f"{2 * score:g}: {n}" for score, n in zip(PAIR_SCORES, pairs.counts, strict=True))
    return f"points of two games   {'   '.join(shown)}"


def _test(sprt: SPRT, llr: float, decision: str | None) -> str:
    low, high = sprt.bounds
    words = {
        None: "not decided",
        "H0": f"H0 accepted: not stronger by {sprt.elo1:g}",
        "H1": f"H1 accepted: stronger by more than {sprt.elo0:g}",
    }
    return (
        f"{words[decision]}   LLR {llr:.2f} between {low:.2f} and {high:.2f}, "
        f"{sprt.model} Elo [{sprt.elo0:g}, {sprt.elo1:g}]"
    )


def notes(games: Games) -> list[str]:
    """What a reader should know besides the figures."""
    found = []
    reasons = [f"{reason} {n:,}" for reason, n in games.reasons.items()]
    found.append(f"ended by    {', '.join(reasons)}; {seconds_text(games.seconds)} of thinking")
    for fault in games.faults[:MOST_FAULTS]:
        found.append(f"fault       {fault}")
    if len(games.faults) > MOST_FAULTS:
        found.append(f"            and {len(games.faults) - MOST_FAULTS:,} more")
    for worker, (n, residual) in games.residuals().items():
        if abs(residual) > STRANGE:
            found.append(
                f"worker      {worker}: its {n:,} games lie {residual:+.1f} standard errors off"
            )
    is_decided = isinstance(games, Match) and games.decision is not None
    if len(games.rows) < FEW_GAMES and not is_decided:
        found.append(f"            A gain of 10 Elo shows only in {FEW_GAMES:,} games and more.")
    if not games.contest.is_repeatable:
        found.append(
            "            Times or threads decide here: the seed does not repeat the games."
        )
    return found


def match_html(match: Match) -> str:
    """What a notebook shows."""
    lines = match_text(match).split("\n")
    return (
        f"<div><b>{escape(lines[0])}</b><pre>{escape(chr(10).join(lines[1:]))}</pre>"
        f"{match_charts(match)}</div>"
    )


def match_charts(match: Match) -> str:
    """How the score, and the test, went from pair to pair."""
    played = match.meeting.pairs_played
    if not played:
        return ""
    counts, xs = [0] * len(PAIR_SCORES), list(range(1, len(played) + 1))
    scores, lows, highs, llrs = [], [], [], []
    for first, second in played:
        counts[round(2 * (first + second))] += 1
        pairs = Pairs((counts[0], counts[1], counts[2], counts[3], counts[4]))
        low, high = pairs.score_interval
        scores.append(pairs.score)
        lows.append(low)
        highs.append(high)
        if match.sprt is not None:
            llrs.append(match.sprt.llr(pairs))
    drawn = chart.svg(
        chart.Curve(xs, scores, lows, highs),
        f"Score of {match.players[0]}, with the interval of 95 %",
        "pairs of games",
        [(0.5, "even")],
    )
    if match.sprt is not None:
        low, high = match.sprt.bounds
        drawn += chart.svg(
            chart.Curve(xs, llrs, colour="#e08a2e"),
            "Log-likelihood ratio of the test",
            "pairs of games",
            [(low, "H0"), (high, "H1")],
        )
    return drawn


def match_page(match: Match) -> str:
    """A page that needs nothing else."""
    first, second = match.players
    return page(f"{first} - {second}", match_html(match))


def page(title: str, body: str) -> str:
    """A document in HTML."""
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>"
        f"<body><h1>{escape(title)}</h1>{body}</body></html>\n"
    )


# A tournament


def tournament_text(tournament: Tournament) -> str:
    """The table of a tournament."""
    cells = [_heads(tournament), *_lines(tournament)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    lines = [
        "  ".join(
            cell.ljust(width) if column == 1 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]
    head = f"{_place(tournament.contest)}: {len(tournament.rows):,} games"
    return "\n".join([head, "", *lines, "", *notes(tournament)])


def _heads(tournament: Tournament) -> list[str]:
    return ["", "player", "Elo", "+-", "games", "score", *map(str, _places(tournament))]


def _places(tournament: Tournament) -> range:
    return range(1, len(tournament.players) + 1)


def _lines(tournament: Tournament) -> list[list[str]]:
    """A row for each player, the strongest first; the last cells are the scores against each."""
    ratings, ranking = tournament.ratings, tournament.ranking
    lines = []
    for place, index in enumerate(ranking, start=1):
        meetings = [
            None if other == index else tournament.meeting(index, other) for other in ranking
        ]
        games = sum(meeting.games for meeting in meetings if meeting)
        points = sum(meeting.games * meeting.pairs.score for meeting in meetings if meeting)
        lines.append(
            [
                str(place),
                tournament.players[index],
                f"{ratings[index].elo:+.0f}",
                f"{ratings[index].error:.0f}",
                f"{games:,}",
                f"{100 * points / games:.1f} %" if games else "",
                *(_against(meeting) for meeting in meetings),
            ]
        )
    return lines


def _against(meeting: Meeting | None) -> str:
    if meeting is None:
        return "."
    return f"{100 * meeting.pairs.score:.0f}" if meeting.games else ""


def tournament_html(tournament: Tournament) -> str:
    """What a notebook shows."""
    rows = [_row("th", _heads(tournament)), *(_row("td", line) for line in _lines(tournament))]
    return (
        f"<div><b>{escape(_place(tournament.contest))}</b><table>{''.join(rows)}</table>"
        f"{ladder_chart(tournament)}<pre>{escape(chr(10).join(notes(tournament)))}</pre></div>"
    )


def _row(tag: str, cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"


LINE = 24  # pixels of a player's line
NAMES, SCALE = 260, 360  # pixels for the names and for the scale


def ladder_chart(tournament: Tournament) -> str:
    """Every player on one scale, with the interval."""
    ratings, ranking = tournament.ratings, tournament.ranking
    low = min(rating.elo - rating.error for rating in ratings)
    high = max(rating.elo + rating.error for rating in ratings)
    width = (high - low) or 1.0

    def x(elo: float) -> float:
        return NAMES + (elo - low) / width * SCALE

    parts = []
    for place, index in enumerate(ranking):
        rating, y = ratings[index], LINE * place + LINE / 2
        left, right = x(rating.elo - rating.error), x(rating.elo + rating.error)
        parts.append(
            f'<text x="{NAMES - 10}" y="{y + 4}" text-anchor="end">'
            f"{escape(tournament.players[index][:40])}</text>"
            f'<line x1="{left:.1f}" x2="{right:.1f}" y1="{y}" y2="{y}" '
            f'stroke="#3f8fd2" stroke-width="3" stroke-opacity="0.45"/>'
            f'<circle cx="{x(rating.elo):.1f}" cy="{y}" r="4.5" fill="#3f8fd2"/>'
            f'<text x="{NAMES + SCALE + 12}" y="{y + 4}">{rating.elo:+.0f}</text>'
        )
    height = LINE * len(ranking)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {NAMES + SCALE + 60} {height}" '
        f'width="{NAMES + SCALE + 60}" height="{height}" role="img" class="chart" '
        'font-family="sans-serif" font-size="12" fill="currentColor">'
        f"<title>Ratings in Elo</title>{''.join(parts)}</svg>"
    )


def tournament_page(tournament: Tournament) -> str:
    """A page that needs nothing else."""
    return page(_place(tournament.contest), tournament_html(tournament))
