# No Python face: breakthrough.pyx cimports the kernel.
