"""Draws from the distributions that Thompson sampling needs, made from uniform numbers.

A normal draw gives a gamma draw, and two gamma draws give a beta draw.
"""

from math import cos, log, pi, sqrt

from .rng import SFC64


def normal(generator: SFC64) -> float:
    """A draw from the normal distribution with mean 0 and variance 1 (Box and Muller, 1958).

    Two uniform numbers give the length and the angle of a point. Its two coordinates are normal;
    one is used.

    >>> generator = SFC64(1)
    >>> round(sum(normal(generator) ** 2 for _ in range(2000)) / 2000, 1)
    1.0
    """
    u1 = generator.uniform()
    u2 = generator.uniform()
    return sqrt(-2.0 * log(1.0 - u1)) * cos(2.0 * pi * u2)


def gamma(generator: SFC64, a: float) -> float:
    """A draw from Gamma(a), a >= 1: positive, with mean a (Marsaglia and Tsang, 2000).

    The cube of a scaled normal number has nearly this distribution. Rejecting a few draws makes it
    exact.

    >>> generator = SFC64(1)
    >>> round(sum(gamma(generator, 5.0) for _ in range(2000)) / 2000, 1)
    5.0
    """
    d = a - 1.0 / 3.0
    k = 1.0 / sqrt(9.0 * d)
    while True:
        z = normal(generator)
        v = 1.0 + k * z
        if v <= 0:
            continue
        v = v * v * v
        u = 1.0 - generator.uniform()
        if log(u) < 0.5 * z * z + d - d * v + d * log(v):
            return d * v


def beta(generator: SFC64, a: float, b: float) -> float:
    """A draw from Beta(a, b): between 0 and 1, with mean a / (a + b).

    >>> generator = SFC64(1)
    >>> round(sum(beta(generator, 3.0, 1.0) for _ in range(1000)) / 1000, 2)
    0.75
    """
    x = gamma(generator, a)
    y = gamma(generator, b)
    return x / (x + y)
