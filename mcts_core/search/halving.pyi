from typing import Self

class Halving:
    def __new__(cls, n_moves: int, playouts: int, amaf: float) -> Self: ...
