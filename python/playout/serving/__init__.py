"""Playout as an engine that other programs talk to: UCI, GTP and NBoard.

Reading order: `lines` reads commands and writes answers; `mind` makes searches and keeps its tree
from move to move; `thinking` runs one of them on a thread of its own; `scores` turns values into
what the protocols show. Then a file for each
protocol: `uci` (with `uci_options` and `uci_go`), `gtp` (with `gtp_game`), `nboard`.
"""
