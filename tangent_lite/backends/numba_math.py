"""Functions of `math` that Numba lacks: rests, roots, counts, comparison up to a tolerance.

They stop where Python raises, and where what Python gives is no int64: the call from Python then
runs in Python from the start.
"""
from __future__ import annotations

import math

import numpy as np
from numba.extending import register_jitable

from tangent_lite import runtime
from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_functions import (
    REPLACED,
    checked,
    is_integer,
    is_real,
    stop,
    value_of,
)
from tangent_lite.backends.numba_overloads import compiled_for

_MOST = 2 ** 62
_BERNOULLI = 1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6


@register_jitable
def _remainder(x, y):
    """As Python does it: exact, half to even; nan where it raises."""
    if math.isinf(y):
        return x if math.isfinite(x) else math.nan
    size, step = abs(x), abs(y)
    rest = np.fmod(size, step)
    other = step - rest
    if rest > other:
        rest = -other
    elif rest == other:
        rest = rest - 2.0 * np.fmod(0.5 * (size - rest), step)
    return math.copysign(1.0, x) * rest


REPLACED[math.fmod] = checked("fmod", 2, np.fmod)
REPLACED[math.remainder] = checked("remainder", 2, _remainder)
if hasattr(math, "cbrt"):                       # from Python 3.11 on
    REPLACED[math.cbrt] = checked("cbrt", 1, np.cbrt)


@compiled_for(math.modf)
def math_modf(x):
    if not is_real(x):
        return None

    def run(x):
        y = float(x)
        if not math.isfinite(y):
            stop()
        whole = np.trunc(y)
        return math.copysign(y - whole, y), math.copysign(whole, y)
    return run


@compiled_for(math.isclose)
def math_isclose(a, b, rel_tol=1e-09, abs_tol=0.0):
    if not (is_real(a) and is_real(b)):
        return None

    def run(a, b, rel_tol=1e-09, abs_tol=0.0):
        if rel_tol < 0.0 or abs_tol < 0.0:
            stop()
        if a == b:
            return True
        if math.isinf(a) or math.isinf(b):
            return False
        apart = abs(float(b) - float(a))
        return apart <= abs(rel_tol * b) or apart <= abs(rel_tol * a) or apart <= abs_tol
    return run


@compiled_for(math.factorial)
def math_factorial(n):
    if not is_integer(n):
        return None

    def run(n):
        if n < 0 or n > 20:
            stop()
        made = 1
        for k in range(2, n + 1):
            made *= k
        return made
    return run


@register_jitable
def _ways(n, k, in_order):
    """How many ways there are to take k of n."""
    if n < 0 or k < 0:
        stop()
    if k > n:
        return 0
    count = k if in_order else min(k, n - k)
    made = 1
    for taken in range(count):
        if made > _MOST // (n - taken):
            stop()
        made *= n - taken
        if not in_order:
            made //= taken + 1
    return made


@compiled_for(math.comb)
def math_comb(n, k):
    if is_integer(n) and is_integer(k):
        return lambda n, k: _ways(np.int64(n), np.int64(k), False)
    return None


@compiled_for(math.perm)
def math_perm(n, k=None):
    if not is_integer(n):
        return None
    if is_integer(k):
        return lambda n, k=None: _ways(np.int64(n), np.int64(k), True)
    if value_of(k) is None:
        return lambda n, k=None: _ways(np.int64(n), np.int64(n), True)
    return None


@compiled_for(math.isqrt)
def math_isqrt(n):
    if not is_integer(n):
        return None

    def run(n):
        if n < 0 or n > _MOST:
            stop()
        root = np.int64(math.sqrt(n))
        while root * root > n:                  # the root of a float may be off by one
            root -= 1
        while (root + 1) * (root + 1) <= n:
            root += 1
        return root
    return run


# The gamma function -------------------------------------------------------------------------------
@overload(runtime.polygamma)
def _polygamma(n, x):
    """Of numbers, which NumPy's functions of arrays take hundreds of times as long for."""
    if not (is_integer(n) and is_real(x)):
        return None

    def polygamma(n, x):
        x = float(x)
        total = 0.0
        factorial = 1.0
        for k in range(1, n + 1):
            factorial *= k
        signed = -factorial if n % 2 else factorial
        while x < 16 + n:
            total -= signed / x ** (n + 1) if x != 0.0 else signed * np.inf
            x += 1.0
        if n == 0:
            total += np.log(x) - 0.5 / x
            for k in range(7):
                total -= _BERNOULLI[k] / ((2 * k + 2) * x ** (2 * k + 2))
            return total
        series = factorial / n / x ** n + 0.5 * factorial / x ** (n + 1)
        for k in range(7):
            rising = 1.0
            for i in range(2 * k + 3, 2 * k + 2 + n):
                rising *= i
            series += _BERNOULLI[k] * rising / x ** (2 * k + 2 + n)
        return total - series if n % 2 == 0 else total + series

    return polygamma
