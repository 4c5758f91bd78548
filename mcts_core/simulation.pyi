# No Python face: tree.pyx cimports it.
