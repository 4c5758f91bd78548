# No Python face: othello.pyx cimports the kernel.
