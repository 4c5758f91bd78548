"""The names that arguments take, as types: an editor offers them, a type checker tests them.

Lists that compiled modules or registries own are repeated here, because a type cannot be computed;
a test compares the two.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

MethodName: TypeAlias = Literal[
    "alphabeta",
    "amaf",
    "best",
    "bestfirst",
    "flat",
    "grave",
    "halving",
    "rave",
    "ucb",
    "uct",
    "ucttuned",
]
Ties: TypeAlias = Literal["random", "first"]
FlatSchedule: TypeAlias = Literal["uniform", "recent"]
BanditRule: TypeAlias = Literal["ucb1", "tuned", "bayes", "kl", "thompson", "greedy"]
BetaRule: TypeAlias = Literal["mse", "hand", "heuristic", "variance"]
BiasScale: TypeAlias = Literal["kind", "phase"]
Prior: TypeAlias = Literal["shallow"]

PlayoutPolicy: TypeAlias = Literal["random", "guided"]
SearchPolicy: TypeAlias = Literal["random", "guided", "mast", "ppaf"]
Rewards: TypeAlias = Literal["result", "margin"]
OnInterrupt: TypeAlias = Literal["raise", "return"]

EvaluationName: TypeAlias = Literal["net", "patterns", "rows", "weights", "ratios", "washington"]

Protocol: TypeAlias = Literal["uci", "gtp", "nboard", "python"]
TournamentSchedule: TypeAlias = Literal["round robin", "gauntlet", "ladder"]
EloModel: TypeAlias = Literal["normalised", "logistic"]
