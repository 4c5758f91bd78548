"""PettingZoo: positions of this package as a turn-based environment (AEC).

    from playout.adapters import pettingzoo
    env = pettingzoo.env(po.Breakthrough(5))
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, ended, cut, info = env.last()
        actions = env.action_space(agent)
        env.step(None if ended or cut else actions.sample(observation["action_mask"]))

An observation is `planes()` of the position, as its mover sees it, and the mask of legal actions,
which is empty for the agent that is not to move. Actions are those of `position.action`.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from mcts_core.position import Position

AGENTS = ("player_0", "player_1")


class PositionEnv(AECEnv):  # type: ignore[misc]
    """The environment itself, which believes that actions are legal. Use `env`."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "playout_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(self, start: Position, render_mode: str | None = None) -> None:
        super().__init__()
        self._start = start.copy(past=False)
        self._position = self._start.copy()
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        planes = self._start.planes()
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(0, 1, planes.shape, planes.dtype),
                    "action_mask": Box(0, 1, (self._start.n_codes,), np.int8),
                }
            )
            for agent in AGENTS
        }
        self.action_spaces = {agent: Discrete(self._start.n_codes) for agent in AGENTS}

    def observation_space(self, agent: str) -> Dict:
        """What an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """What an agent may do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin again. There is no chance, so the seed has no effect."""
        self._position = self._start.copy()
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self._position.turn]

    def observe(self, agent: str) -> dict[str, np.ndarray[Any, Any]]:
        """The position and the legal actions."""
        is_next = agent == AGENTS[self._position.turn] and not self._position.is_over
        mask = self._position.legal_mask.astype(np.int8)
        return {
            "observation": self._position.planes(),
            "action_mask": mask if is_next else np.zeros_like(mask),
        }

    def step(self, action: int | None) -> None:
        """Play an action."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._position.push(self._position.move_of(action))  # type: ignore[arg-type]
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        result = self._position.result
        if result is not None:
            self.rewards = {AGENTS[0]: 2 * result - 1, AGENTS[1]: 1 - 2 * result}
            self.terminations = dict.fromkeys(AGENTS, True)
        self.agent_selection = AGENTS[self._position.turn]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The board as text."""
        return str(self._position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""


def env(start: Position, render_mode: str | None = None) -> AECEnv:
    """The environment of a position, with PettingZoo's checks of what a caller does."""
    made: AECEnv = PositionEnv(start, render_mode)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)
