from mcts_core.base.engine import Engine

REASONS: dict[int, str]

class LimitedSearch(Engine):
    @property
    def nodes(self) -> int: ...
