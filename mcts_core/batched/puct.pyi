from typing import Any, Self

from mcts_core.batched.chooser import Chooser

class PUCT(Chooser):
    def __new__(cls, options: dict[str, Any]) -> Self: ...
