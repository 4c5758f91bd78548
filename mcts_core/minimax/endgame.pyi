from typing import Self

from mcts_core.evaluator import Evaluator
from mcts_core.games.othello import Othello
from mcts_core.minimax.finisher import Finisher
from mcts_core.minimax.limits import LimitedSearch
from mcts_core.position import Position

FINISHER: Finisher

class Worker: ...

class EndgameSolver(LimitedSearch):
    def __new__(
        cls,
        position: Position,
        memory: int = ...,
        guide: Evaluator | None = None,
        threads: int = ...,
    ) -> Self: ...
    @staticmethod
    def takes_guide(position: Position) -> bool: ...
    @property
    def position(self) -> Othello: ...
    @property
    def score(self) -> int: ...
    @property
    def square(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    def run(
        self,
        low: int,
        high: int,
        seconds: float | None = None,
        nodes: int | None = None,
        only: int | None = None,
    ) -> str: ...
    def help(self, number: int, low: int, high: int) -> None: ...
    def line(self, score: int, outcome_only: bool) -> list[int]: ...
