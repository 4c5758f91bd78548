"""How playouts choose moves: a policy by name, in a capsule, or by a function in Python."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, TypeAlias, cast

from mcts_core.playouts import Rollout, is_policy_capsule
from mcts_core.search.policies.function import FunctionPolicy
from playout.arguments import one_of

PolicyFunction: TypeAlias = Callable[[Any, Sequence[Any]], int | Iterable[float]]
AnyPolicy: TypeAlias = str | PolicyFunction | Any
"""A name, a function, or the capsule of a C function."""


def is_function(policy: object) -> bool:
    """Whether a policy is a function of the user's in Python."""
    return callable(policy) and not isinstance(policy, type)


def checked_policy(policy: AnyPolicy, names: Collection[str]) -> AnyPolicy:
    """The policy, if it is one of these names, a function or a capsule.

    >>> checked_policy("guided", ["random", "guided"])
    'guided'
    >>> checked_policy("clever", ["random", "guided"])
    Traceback (most recent call last):
    ValueError: policy must be one of 'random', 'guided', not 'clever'.
    """
    if is_function(policy) or is_policy_capsule(policy):
        return policy
    return one_of("policy", cast(str, policy), names)


def compiled_policy(policy: AnyPolicy) -> str | Rollout | Any:
    """The policy as the engine takes it. A function gets an object for one search."""
    return FunctionPolicy(cast(PolicyFunction, policy)) if is_function(policy) else policy


def policy_name(policy: AnyPolicy) -> str:
    """The policy as a text: its name, or that of a function.

    >>> policy_name("guided"), policy_name(len)
    ('guided', 'len')
    """
    if isinstance(policy, str):
        return policy
    return getattr(policy, "__qualname__", type(policy).__name__)
