from typing import Self

from mcts_core.games.othello import Othello
from mcts_core.minimax.finisher import Finisher
from mcts_core.minimax.limits import LimitedSearch

FINISHER: Finisher

class EndgameSolver(LimitedSearch):
    def __new__(cls, position: Othello, memory: int = ...) -> Self: ...
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
    def line(self, score: int, outcome_only: bool) -> list[int]: ...
