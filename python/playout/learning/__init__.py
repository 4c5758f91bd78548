"""Learned evaluations: their files, networks, and how they are trained by self-play."""
