"""What is said of cached functions and of complex parameters of integrals, followed."""
from tests.suggestions import rewritten

rewritten(
    "a parameter of quad is complex",
    "1.0", """
import scipy.integrate

def f(x):
    return scipy.integrate.quad(lambda t, re, im: t * 2.0 * re * im, 0.0, 1.0, args=(x, x))[0]
""", needs="scipy")

rewritten(
    "cache_info of a cached function is not followed: what it knows here is kept elsewhere",
    "2.0", """
def f(x):
    known = {}
    misses = 0
    for k in range(4):
        if k not in known:
            misses += 1
            known[k] = 1.0 if k == 0 else x * known[k - 1]
    return known[3] * misses
""")

rewritten(
    "times is cached, and would give now what it does not give from its cache: what it reads, or "
    "gave, has changed",
    "3.0", """
def f(x):
    scale = [x]
    def times(k):
        return scale[0] * k
    first = times(2.0)
    scale[0] = x * x
    return first + times(2.0)
""")
