"""Many random games of Breakthrough at once, in lanes of 64 bits: any board."""
include "breakthrough_kernel.pxi"
