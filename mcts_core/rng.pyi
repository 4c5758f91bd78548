import numpy as np

LONGEST_SEED: int

def seed_sequence(
    seed: int | np.integer | np.random.SeedSequence | None = None,
) -> np.random.SeedSequence: ...

class SFC64:
    def __init__(
        self,
        seed: int | np.integer | np.random.SeedSequence | None = None,
        position: int = 0,
        stream: int = 0,
    ) -> None: ...
    def random_raw(self) -> int: ...
    def below(self, n: int) -> int: ...
    def uniform(self) -> float: ...
