# The table has no Python face: cimport it, from table.pxd.
