"""Engine and twin stay equal under any sequence of push, pop, copy, text and pickle."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

import playout as po
import playout.reference as ref

sizes = st.tuples(st.integers(3, 8), st.integers(3, 8), st.integers(1, 2))
breakthroughs = sizes.filter(lambda size: 2 * size[2] <= size[0]).map(
    lambda size: (
        po.Breakthrough(size[0], size[1], first_rows=size[2]),
        ref.Breakthrough(*size),
    )
)
connect_fours = (
    st.tuples(st.integers(4, 9), st.integers(4, 9))
    .filter(lambda size: (size[0] + 1) * size[1] <= 64)
    .map(lambda size: (po.ConnectFour(*size), ref.ConnectFour(*size)))
)
othellos = st.sampled_from([4, 6, 8]).map(lambda size: (po.Othello(size), ref.Othello(size)))


class Twins(RuleBasedStateMachine):
    """A compiled position, and the twin's positions that lead to it."""

    position: po.Position
    past: list[ref.Position]

    @initialize(start=breakthroughs | othellos | connect_fours)
    def begin(self, start: tuple[po.Position, ref.Position]) -> None:
        self.position, twin = start
        self.past = [twin]

    @property
    def twin(self) -> ref.Position:
        return self.past[-1]

    @precondition(lambda self: not self.twin.is_over)
    @rule(number=st.integers(0, 1000), as_text=st.booleans())
    def push(self, number: int, as_text: bool) -> None:
        moves = self.twin.legal_moves
        move = moves[number % len(moves)]
        ours = self.position.legal_moves[number % len(moves)]
        assert self.position.push(move.text if as_text else ours) == move.text
        self.past.append(self.twin.after(move))

    @precondition(lambda self: not self.twin.is_over)
    @rule(
        seed=st.integers(0, 2**70),
        plies=st.integers(1, 40),
        policy=st.sampled_from(["random", "guided"]),
    )
    def push_a_playout(self, seed: int, plies: int, policy: str) -> None:
        """Play part of a playout, to reach late positions too. The twin plays the same moves."""
        game = po.playout(self.position, seed=seed, policy=policy)
        assert list(game.moves) == list(ref.playout(self.twin, seed, policy).moves)
        for move in game.moves[:plies]:
            self.position.push(move)
            self.past.append(self.twin.play(str(move)))

    @rule(text=st.text(max_size=5))
    def push_nonsense(self, text: str) -> None:
        if self.position.normal_text(text) not in self.position.legal_moves:
            with pytest.raises(po.IllegalMove):
                self.position.push(text)

    @rule(times=st.integers(1, 10))
    def pop(self, times: int) -> None:
        for _ in range(times):
            if len(self.past) > 1:
                self.position.pop()
                self.past.pop()
            else:
                with pytest.raises(IndexError):
                    self.position.pop()

    @rule(way=st.sampled_from([lambda p: p.copy(), copy.copy, copy.deepcopy]))
    def go_on_with_a_copy(self, way: Callable[[po.Position], po.Position]) -> None:
        """Changing the abandoned original must not affect the copy."""
        left_behind, self.position = self.position, way(self.position)
        assert left_behind == self.position
        if left_behind.history:
            left_behind.pop()
        if not left_behind.is_over:
            left_behind.push(left_behind.legal_moves[-1])

    @rule(as_repr=st.booleans())
    def go_on_from_text(self, as_repr: bool) -> None:
        """A position read from text has no history."""
        kind = type(self.position)
        if as_repr:
            again = eval(repr(self.position), {kind.__name__: kind})
        else:
            again = kind.from_fen(self.position.fen)
        assert again == self.position
        self.position, self.past = again, [self.twin]

    @rule(protocol=st.integers(0, pickle.HIGHEST_PROTOCOL))
    def go_on_from_a_pickle(self, protocol: int) -> None:
        self.position = pickle.loads(pickle.dumps(self.position, protocol))

    @invariant()
    def both_are_alike(self) -> None:
        assert self.position.fen == self.twin.fen
        assert self.position.turn == self.twin.turn
        assert self.position.result == self.twin.result
        assert self.position.is_over == self.twin.is_over
        assert list(self.position.legal_moves) == [move.text for move in self.twin.legal_moves]
        codes = [self.position.code(move) for move in self.position.legal_moves]
        assert codes == [self.twin.code(move) for move in self.twin.legal_moves]
        assert len(self.position.history) == len(self.past) - 1

    @invariant()
    def the_key_is_that_of_the_position(self) -> None:
        """The key does not depend on the way to the position."""
        fresh = type(self.position).from_fen(self.position.fen)
        assert fresh.key == self.position.key
        assert hash(fresh) == hash(self.position)


TestTwins = Twins.TestCase
TestTwins.settings = settings(max_examples=100, stateful_step_count=40)
