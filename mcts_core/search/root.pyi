from mcts_core.search.driver import Driver

class RootSearch(Driver):
    def share(self, target: int, number: int, threads: int) -> None: ...
