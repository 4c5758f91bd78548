from collections.abc import Callable

from mcts_core.base.engine import Engine

REASONS: dict[int, str]

class LimitedSearch(Engine):
    watch: Callable[[], object] | None
    @property
    def nodes(self) -> int: ...
