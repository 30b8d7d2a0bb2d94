"""Functions that are called with different kinds, or literals, and read alike for all of them stand
once in the text."""
import numpy as np

import tangent_lite as tl


def integrand(p, x):
    return p[1] * np.exp(-p[0] * x)


def simpson(p, a, b):
    return (b - a) / 6 * (integrand(p, a) + 4 * integrand(p, (a + b) / 2) + integrand(p, b))


def halved(p, a, b, n):
    m = (a + b) / 2
    if n == 0:
        return simpson(p, a, b)
    return simpson(p, a, m) + halved(p, m, b, n - 1)


def started_from_literals(p):
    return halved(p, 0.0, 1.0, 3) + halved(p, 0, p[0], 2)


def test_callers_of_merged_units_are_merged():
    p = np.array([0.7, 1.3])
    tl.check_grads(started_from_literals, (p,), order=2)
    names = [line.split("(")[0] for line in tl.grad(lambda p: halved(p, 0.0, 1.0, 3))
             .source_for(p).splitlines() if line.startswith("def ")]
    assert names == [f"def {name}_{half}" for name in ("integrand", "simpson", "halved")
                     for half in ("fwd", "bwd")] + ["def lambda__grad"]


def even(x, n):
    return x * odd(x, n - 1) if n else 1.0


def odd(x, n):
    return np.sin(x) * even(x, n - 1) if n else x


def test_pairs_that_call_each_other():
    tl.check_grads(lambda x: even(x, 4) + odd(x, 3) + even(2.0 * x, 5), (0.8,), order=2)
