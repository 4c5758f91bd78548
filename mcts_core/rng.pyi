import numpy as np

LONGEST_SEED: int
LARGEST_WORD: int
LARGEST_SHORT: int

def known_seed(
    seed: int | np.integer | np.random.SeedSequence | np.random.Generator | None = None,
) -> int | np.random.SeedSequence: ...
def seed_sequence(
    seed: int | np.integer | np.random.SeedSequence | np.random.Generator | None = None,
) -> np.random.SeedSequence: ...

class SFC64:
    def __init__(
        self,
        seed: int | np.integer | np.random.SeedSequence | np.random.Generator | None = None,
        position: int = 0,
        stream: int = 0,
    ) -> None: ...
    def random_raw(self) -> int: ...
    def below(self, n: int) -> int: ...
    def uniform(self) -> float: ...
