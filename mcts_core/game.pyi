# The contract has no Python face: cimport it, from game.pxd.
