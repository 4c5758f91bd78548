"""What came of a match or a tournament: numbers, words and the games themselves."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Self

from playout.arena import statistics
from playout.arena.contest import Contest, Row
from playout.arena.game import OVER
from playout.arena.openings import after
from playout.arena.statistics import PAIR_SCORES, SPRT, Pairs, Rating
from playout.record import Record


class Games:
    """The games of a contest; those of whole pairs count.

    They are in the order of their fixtures, whichever ended first.
    """

    def __init__(self, contest: Contest, rows: list[Row]) -> None:
        self.contest = contest
        self.rows = sorted(rows, key=lambda row: row.fixture)

    def records(self) -> Iterator[Record]:
        """Each game as a record, which can be saved, reviewed and played on from."""
        for row in self.rows:
            names = [player.name for player in self.contest.players]
            fixture = row.fixture
            second = fixture.a if fixture.side else fixture.b
            played = row.played
            position = after(self.contest.start, (*row.opening, *played.moves))
            plies = len(played.moves)
            before = (None,) * (len(position.history) - plies)
            yield Record(
                position,
                (names[fixture.first], names[second]),
                self.contest.seed,
                verdict=None if played.reason == OVER else (played.result, played.reason),
                seconds=before + _rounded(played.seconds[:plies]),
                expected=before + _rounded(played.expected[:plies]),
                tags={"Date": row.began[:10].replace("-", "."), "Version": row.version},
            )

    @property
    def reasons(self) -> dict[str, int]:
        """How the games ended, the most frequent first."""
        return dict(Counter(row.played.reason for row in self.rows).most_common())

    @property
    def faults(self) -> list[str]:
        """What players did wrong."""
        return [row.played.fault for row in self.rows if row.played.fault]

    @property
    def seconds(self) -> float:
        """That all moves took together."""
        return sum(sum(row.played.seconds) for row in self.rows)

    def residuals(self) -> dict[str, tuple[int, float]]:
        """For each worker its games, and how far its score lies off the mean, in standard errors.

        A worker beyond 3 either way is not like the others: slower, or its clock is wrong.
        """
        if not self.rows:
            return {}
        scores: dict[str, list[float]] = {}
        for row in self.rows:
            scores.setdefault(row.worker, []).append(row.score)
        mean = sum(row.score for row in self.rows) / len(self.rows)
        variance = max(mean * (1 - mean), 0.01)
        return {
            worker: (len(own), (sum(own) / len(own) - mean) / math.sqrt(variance / len(own)))
            for worker, own in sorted(scores.items())
        }


def _rounded(values: tuple[float | None, ...]) -> tuple[float | None, ...]:
    return tuple(None if value is None else round(value, 6) for value in values)


class Meeting:
    """The whole pairs of games of two players, in the order of their numbers.

    With a test, only those up to the pair that decides it count. Pairs end in any order; because
    they count in the order of their numbers, a test stops at the same pair on every machine.
    """

    def __init__(self, sprt: SPRT | None = None) -> None:
        self.sprt = sprt
        self.decision: str | None = None
        self.pairs_played: list[tuple[float, float]] = []  # results to the first named player
        self._counts = [0] * len(PAIR_SCORES)
        self._halves: dict[int, dict[int, float]] = {}  # games whose pair does not count yet
        self._next = 0

    @classmethod
    def of(cls, rows: Iterable[Row], sprt: SPRT | None) -> Self:
        """The pairs among the games of two players."""
        meeting = cls(sprt)
        for row in rows:
            meeting.add(row)
        return meeting

    def add(self, row: Row) -> None:
        """Take in a game, and count the pairs that it completes."""
        fixture = row.fixture
        self._halves.setdefault(fixture.pair, {})[fixture.side] = row.score
        if self.sprt is None:
            if len(self._halves[fixture.pair]) == 2:
                self._count(fixture.pair)
            return
        while self.decision is None and len(self._halves.get(self._next, {})) == 2:
            self._count(self._next)
            self._next += 1
            self.decision = self.sprt.decision(self.pairs)

    def _count(self, pair: int) -> None:
        halves = self._halves.pop(pair)
        self.pairs_played.append((halves[0], halves[1]))
        self._counts[round(2 * (halves[0] + halves[1]))] += 1

    def turned(self) -> Meeting:
        """The same games, as the other player sees them."""
        other = Meeting()
        other.pairs_played = [(1 - second, 1 - first) for first, second in self.pairs_played]
        other._counts = self._counts[::-1]
        return other

    @property
    def pairs(self) -> Pairs:
        """How often pairs had each score."""
        lost, worse, even, better, won = self._counts
        return Pairs((lost, worse, even, better, won))

    @property
    def games(self) -> int:
        """How many games count."""
        return 2 * len(self.pairs_played)

    @property
    def wins(self) -> int:
        """Of the first named player."""
        return sum(pair.count(1.0) for pair in self.pairs_played)

    @property
    def draws(self) -> int:
        """Games without a winner."""
        return sum(pair.count(0.5) for pair in self.pairs_played)

    @property
    def losses(self) -> int:
        """Of the first named player."""
        return sum(pair.count(0.0) for pair in self.pairs_played)

    @property
    def by_side(self) -> tuple[float, float]:
        """The score of the first named player when it plays first in a game, and when second."""
        n = len(self.pairs_played)
        if not n:
            return 0.5, 0.5
        first, second = (sum(pair[side] for pair in self.pairs_played) / n for side in (0, 1))
        return first, second


class Match(Games):
    """A match between two players. `print` it: it is a report.

    >>> import playout as po
    >>> found = po.match("uct", "flat", game=po.Breakthrough(5), games=20, playouts=100, seed=1)
    >>> found.players, found.score
    (('UCT()@100', 'Flat()@100'), 0.5)
    """

    def __init__(self, contest: Contest, rows: list[Row], sprt: SPRT | None = None) -> None:
        super().__init__(contest, rows)
        self.sprt = sprt

    @cached_property
    def meeting(self) -> Meeting:
        """The games that count."""
        return Meeting.of(self.rows, self.sprt)

    @property
    def players(self) -> tuple[str, str]:
        """Both names."""
        first, second = self.contest.players
        return first.name, second.name

    @property
    def pairs(self) -> Pairs:
        """The pentanomial: how often a pair of games was worth 0, 1/4, 1/2, 3/4, 1."""
        return self.meeting.pairs

    @property
    def games(self) -> int:
        """How many games count."""
        return self.meeting.games

    @property
    def score(self) -> float:
        """The mean result of the first named player."""
        return self.pairs.score

    @property
    def elo(self) -> float:
        """How much stronger the first named player is."""
        return self.pairs.elo

    @property
    def interval(self) -> tuple[float, float]:
        """The Elo between which the truth lies, in 95 % of all matches."""
        return self.pairs.elo_interval

    @property
    def superiority(self) -> float:
        """The likelihood that the first named player is the stronger one."""
        return self.pairs.superiority

    @property
    def llr(self) -> float | None:
        """Of the sequential test, if there is one."""
        return None if self.sprt is None else self.sprt.llr(self.pairs)

    @property
    def decision(self) -> str | None:
        """What the test has decided: "H0", "H1" or None."""
        return self.meeting.decision

    def to_dict(self) -> dict[str, Any]:
        """All figures, in plain types."""
        meeting, low_high = self.meeting, self.interval
        found: dict[str, Any] = {
            "contest": self.contest.described(),
            "players": list(self.players),
            "games": self.games,
            "wins": meeting.wins,
            "draws": meeting.draws,
            "losses": meeting.losses,
            "score": self.score,
            "score_interval": list(self.pairs.score_interval),
            "by_side": list(meeting.by_side),
            "pairs": list(self.pairs.counts),
            "elo": self.elo,
            "elo_interval": list(low_high),
            "superiority": self.superiority,
            "reasons": self.reasons,
            "faults": self.faults,
            "seconds": self.seconds,
            "workers": {name: list(facts) for name, facts in self.residuals().items()},
        }
        if self.sprt is not None:
            test: dict[str, Any] = {
                "elo0": self.sprt.elo0,
                "elo1": self.sprt.elo1,
                "model": self.sprt.model,
            }
            test |= {"llr": self.llr, "bounds": list(self.sprt.bounds), "decision": self.decision}
            found["sprt"] = test
        return found

    def to_json(self, indent: int | None = None) -> str:
        """`to_dict()` as JSON text."""
        return json.dumps(self.to_dict(), indent=indent)

    def to_html(self) -> str:
        """A page of its own, with pictures."""
        from playout.render import arena

        return arena.match_page(self)

    def __str__(self) -> str:
        from playout.render import arena

        return arena.match_text(self)

    def __repr__(self) -> str:
        low, high = self.interval
        first, second = self.players
        return (
            f"<Match {first} - {second}: {self.score:.1%} of {self.games} games, "
            f"Elo {self.elo:+.0f} ({low:+.0f} to {high:+.0f})>"
        )

    def _repr_html_(self) -> str:
        from playout.render import arena

        return arena.match_html(self)


class Tournament(Games):
    """A tournament of several players on one scale of ratings. `print` it: it is a table.

    >>> import playout as po
    >>> how = {"game": po.Breakthrough(5), "games": 2, "playouts": 20, "seed": 1}
    >>> po.tournament(["uct", "flat", "rave"], **how).players
    ['UCT()@20', 'Flat()@20', 'RAVE()@20']
    """

    @property
    def players(self) -> list[str]:
        """All names."""
        return [player.name for player in self.contest.players]

    @cached_property
    def meetings(self) -> dict[tuple[int, int], Meeting]:
        """The games of each two players who meet, by their numbers."""
        found = {pairing: Meeting() for pairing in self.contest.pairings}
        for row in self.rows:
            found[row.fixture.a, row.fixture.b].add(row)
        return found

    def meeting(self, a: int, b: int) -> Meeting:
        """The games of two players by their numbers, as the first of them sees them."""
        if (b, a) in self.meetings:
            return self.meetings[b, a].turned()
        return self.meetings.get((a, b), Meeting())

    @cached_property
    def ratings(self) -> list[Rating]:
        """A rating for each player; their mean is 0."""
        met = []
        for (a, b), meeting in self.meetings.items():
            pairs = meeting.pairs
            if pairs.n:
                met.append((a, b, 2.0 * pairs.n, 2.0 * pairs.n * pairs.score))
        return statistics.ratings(len(self.players), met)

    @property
    def ranking(self) -> list[int]:
        """The players' numbers, the strongest first."""
        ratings = self.ratings
        return sorted(range(len(ratings)), key=lambda index: -ratings[index].elo)

    def to_dict(self) -> dict[str, Any]:
        """All figures, in plain types."""
        ratings, names = self.ratings, self.players
        return {
            "contest": self.contest.described(),
            "ratings": [
                {"player": names[index], "elo": ratings[index].elo, "error": ratings[index].error}
                for index in self.ranking
            ],
            "meetings": [
                {
                    "players": [names[a], names[b]],
                    "games": meeting.games,
                    "score": meeting.pairs.score,
                    "pairs": list(meeting.pairs.counts),
                }
                for (a, b), meeting in self.meetings.items()
            ],
            "reasons": self.reasons,
            "faults": self.faults,
            "seconds": self.seconds,
            "workers": {name: list(facts) for name, facts in self.residuals().items()},
        }

    def to_json(self, indent: int | None = None) -> str:
        """`to_dict()` as JSON text."""
        return json.dumps(self.to_dict(), indent=indent)

    def to_html(self) -> str:
        """A page of its own, with pictures."""
        from playout.render import arena

        return arena.tournament_page(self)

    def __str__(self) -> str:
        from playout.render import arena

        return arena.tournament_text(self)

    def __repr__(self) -> str:
        return f"<Tournament of {len(self.players)} players, {len(self.rows)} games>"

    def _repr_html_(self) -> str:
        from playout.render import arena

        return arena.tournament_html(self)
