# No Python face: simulation.pyx and fringe.pyx cimport it.
