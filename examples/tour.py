"""A travelling salesman's tour as a game for one player, where AMAF helps.

A move builds a road between two cities, in any order, until the roads form one tour. The result is
between 0 and 1, and higher for a shorter tour. Whether a road is good hardly depends on when it is
built, which is AMAF's assumption. So every playout tells something about all roads in it, not only
about the first. The more roads there are for the same number of playouts, the more this helps: AMAF
and RAVE become better than flat Monte Carlo and UCT.

    python examples/tour.py
"""

from __future__ import annotations

import math
import random

import playout as po

Road = tuple[int, int]


class Tour:
    """Some roads of a tour: no city has three, and no part forms a closed loop too early."""

    turn = 0  # there is only one player

    def __init__(self, cities: list[tuple[float, float]]) -> None:
        self.cities = cities
        self.n_codes = len(cities) ** 2
        self.max_plies = len(cities)
        self.roads: list[Road] = []
        self.other_end = list(range(len(cities)))  # of the path that ends in a city; -1: inside

    def legal_moves(self) -> list[Road]:
        ends = [city for city in range(len(self.cities)) if self.other_end[city] >= 0]
        return [(a, b) for a in ends for b in ends if a < b and self.other_end[a] != b]

    def play(self, road: Road) -> None:
        """Join two paths into one."""
        a, b = road
        far_a, far_b = self.other_end[a], self.other_end[b]
        self.other_end[a] = self.other_end[b] = -1
        self.other_end[far_a], self.other_end[far_b] = far_b, far_a
        self.roads.append(road)

    def is_over(self) -> bool:
        """One path goes through all cities. The road that closes it is not a choice."""
        return len(self.roads) == len(self.cities) - 1

    def length(self) -> float:
        first, last = (city for city, end in enumerate(self.other_end) if end >= 0)
        return sum(self.distance(a, b) for a, b in [*self.roads, (first, last)])

    def distance(self, a: int, b: int) -> float:
        return math.dist(self.cities[a], self.cities[b])

    def result(self) -> float:
        """1 for a length of 0, falling to 0 for a bad tour or worse."""
        return max(0.0, 1.0 - self.length() / (0.6 * len(self.cities)))

    def key(self) -> object:
        return frozenset(self.roads)

    def code(self, road: Road) -> int:
        return road[0] * len(self.cities) + road[1]

    def copy(self) -> Tour:
        twin = Tour(self.cities)
        twin.roads, twin.other_end = self.roads.copy(), self.other_end.copy()
        return twin


def random_cities(n: int, seed: int) -> list[tuple[float, float]]:
    draw = random.Random(seed)
    return [(draw.random(), draw.random()) for _ in range(n)]


def build(cities: list[tuple[float, float]], method: str, playouts: int) -> float:
    """The length of the tour when every road is chosen by a new search."""
    tour = Tour(cities)
    while not tour.is_over():
        found = po.search(tour, method, playouts=playouts, seed=len(tour.roads))
        tour.play(next(road for road in tour.legal_moves() if str(road) == found.move))
    return tour.length()


def main() -> None:
    maps, playouts = 6, 150
    print(f"mean length of the tours over {maps} maps, {playouts} playouts a road")
    print("cities   flat   amaf    uct   rave  grave")
    for n in (8, 12, 16):
        means = []
        for method in ("flat", "amaf", "uct", "rave", "grave"):
            lengths = [build(random_cities(n, seed), method, playouts) for seed in range(maps)]
            means.append(sum(lengths) / maps)
        print(f"{n:6}", *(f"{mean:6.3f}" for mean in means))


if __name__ == "__main__":
    main()
