"""What all learned evaluations share: a file, the board that it is for, its compiled form."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, ClassVar

from mcts_core.errors import BadMethod, shown
from mcts_core.evaluator import Evaluator
from mcts_core.position import Position
from playout.games import GAMES, Size, game_of, size_of, size_text
from playout.learning import weights


@dataclass(frozen=True, eq=False, repr=False)
class Learned:
    """The base class of Net and Patterns."""

    kind: ClassVar[str]
    """As the first line of a file names it."""
    suffix: ClassVar[str]
    """Of a file's name."""

    path: str | os.PathLike[str]
    facts: dict[str, Any] = field(init=False)
    arrays: weights.Arrays = field(init=False)
    ready: list[Evaluator] = field(init=False, default_factory=list)
    """The compiled form, once it was needed."""

    def __post_init__(self) -> None:
        facts, arrays = weights.read(self.path, self.kind)
        object.__setattr__(self, "facts", facts)
        object.__setattr__(self, "arrays", arrays)
        game, size, men = (facts.get(name) for name in ("game", "size", "most_men"))
        is_size = isinstance(size, list) and [type(n) for n in size] == [int, int]
        if not isinstance(game, str) or game not in GAMES or not is_size:
            raise self.fault("is for a game or board that is not known")
        if type(men) is not int:
            raise self.fault("lacks an array or the number of men")
        if not 0 < self.size[0] * self.size[1] <= 64 or men < GAMES[game].most_men(self.size):
            raise self.fault("is for fewer men than its board can have")
        self.check()

    def check(self) -> None:
        """Refuse what no file of this kind can hold."""
        raise NotImplementedError

    @classmethod
    def compiled(
        cls, position: Position, facts: dict[str, Any], arrays: weights.Arrays
    ) -> Evaluator:
        """The compiled form, for the board of a position."""
        raise NotImplementedError

    def fault(self, what: str) -> BadMethod:
        """An error that names the file."""
        return BadMethod(f"{shown(str(self.path))} {what}")

    @property
    def size(self) -> Size:
        """Rows and columns of its board."""
        rows, cols = self.facts["size"]
        return rows, cols

    def evaluator(self, position: Position) -> Evaluator:
        """The compiled form, for positions of this game and board."""
        game = game_of(position)
        if game is None or game.name != self.facts["game"] or size_of(position) != self.size:
            own = f"{self.facts['game']} {size_text(self.size)}"
            raise BadMethod(f"{self!r} is for {own}, not for {shown(position)}")
        if not self.ready:
            self.ready.append(self.compiled(position, self.facts, self.arrays))
        return self.ready[0]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({os.fspath(self.path)!r})"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and os.fspath(self.path) == os.fspath(other.path)

    def __hash__(self) -> int:
        return hash(os.fspath(self.path))

    def __reduce__(self) -> Any:
        return type(self), (self.path,)
