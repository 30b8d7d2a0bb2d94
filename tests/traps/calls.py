"""Traps of calls: pure helpers, argument passing, namesakes, globals, closures, recursion."""
import functools
import math

import numpy as np

from tests.traps import twin
from tests.traps.case import case
from tests.traps.twin import norm as other_norm

u4 = np.array([0.5, -1.2, 0.8, 1.7])
RATE = 0.5
TABLE = np.array([1.0, -2.0, 0.5])


def scale(x, y):
    return RATE * x * y


def norm(u):
    return np.sum(np.abs(u))


def namesakes(x, y, u):
    a = scale(x, y) + twin.scale(x, y)
    return a * norm(u) + other_norm(u) + twin.through(x) + twin.RATE * RATE


case(namesakes, 0.7, 1.3, u4)


def square(x):
    return x * x


def several_kinds(x, u, A, n):
    y = square(x) + square(n) * x
    return y + np.sum(square(u)) + np.sum(square(A)) * square(square(x))


case(several_kinds, 0.7, u4, np.arange(4.0).reshape(2, 2), 3)


def twice_with_same(x):
    return scale(x, x) + scale(scale(x, x), x)


case(twice_with_same, 0.7)


def reads_element(u, i):
    return u[i] * u[i - 1]


def called_in_loop(u, x):
    for i in range(len(u)):
        x = x + reads_element(u, i) * square(x)
    return x


case(called_in_loop, u4, 0.3)


def called_on_overwritten(u, x):
    y = reads_element(u, 1)
    u[1] = x * y
    z = reads_element(u, 1)
    u[0] = z
    return y * z * reads_element(u, 2)


case(called_on_overwritten, u4, 0.3)


def overwrites_parameter(x, y):
    x = x * y
    y += x
    x -= y * 0.3
    return x * y


def caller_keeps(x, y):
    z = overwrites_parameter(x, y)
    return z * x + overwrites_parameter(y, z) * y


case(caller_keeps, 0.7, 1.3)


def with_defaults(x, k=2.0, *, shift=0.5, power=3):
    return k * x**power + shift


def keywords(x, y):
    return (with_defaults(x) + with_defaults(k=y, x=x) * with_defaults(y, shift=x)
            + with_defaults(x, y, power=2))


case(keywords, 0.7, 1.3)


def with_star(*xs, **options):
    total = options.get("start", 0.0)
    for x in xs:
        total = total * x + x
    return total


def stars(x, y):
    pair = (x, y)
    return with_star(x, y, x * y, start=y) + with_star(*pair)


case(stars, 0.7, 1.3, label="star")


def pair_of(x, y):
    return x * y, x - y


def unpacks_result(x, y):
    a, b = pair_of(x, y)
    x, y = pair_of(b, a)
    c = pair_of(a, x)[1]
    return x * y * c


case(unpacks_result, 0.7, 1.3)


def sometimes_constant(x, k):
    y = 2.0
    if k > 1:
        y = x * x
    return y


def calls_constant(x, n):
    total = 0.0
    for k in range(n):
        total = total + sometimes_constant(x, k) * k
    return total


case(calls_constant, 0.7, 4)


def unused_result(x, y):
    scale(x, y)
    z = scale(x, x)
    z = y
    return z * x


case(unused_result, 0.7, 1.3)


def as_argument(f, x):
    return f(x) * x


def callables(x):
    return as_argument(square, x) + as_argument(math.sin, x) + as_argument(np.exp, x)


case(callables, 0.7, label="callable")


def lambdas(x, y):
    f = lambda a, b=2.0: a * y + b  # noqa: E731
    y = y * x
    return f(x) * f(x, y)


case(lambdas, 0.7, 1.3, label="closure")


def late_binding(x, n):
    def inner(a):
        return a * x + k

    k = 1.0
    total = inner(x)
    for i in range(n):
        k = k * x
        total = total + inner(k)
    return total


case(late_binding, 0.7, 3, label="closure")


def nonlocal_counter(x):
    total = 0.0

    def add(a):
        nonlocal total
        total = total + a * a
        return total

    y = add(x) * add(2.0 * x)
    return y + total


case(nonlocal_counter, 0.7, label="closure")


def maker(k):
    def inner(x):
        return k * x * x
    return inner


tripled = maker(3.0)


def calls_closures(x, y):
    return tripled(x) + maker(y)(x)


case(calls_closures, 0.7, 1.3, label="closure")
case(tripled, 0.7)


def composed(x, y):
    part = functools.partial(scale, y=y)
    return part(x) * part(y * x)


case(composed, 0.7, 1.3, label="closure")


def factorial_like(x, n):
    if n == 0:
        return x
    return x * n + factorial_like(x * 0.5, n - 1) * x


case(factorial_like, 0.7, 4, label="recursion")


def fold(u, a):
    n = u.shape[0]
    if n == 1:
        return math.sin(a * u[0])
    left = fold(u[:n // 2], a)
    right = fold(u[n // 2:], a)
    return left * right + a * left


case(fold, u4, 0.6, label="recursion")


def even(x, n):
    return x if n == 0 else odd(x * x, n - 1)


def odd(x, n):
    return 1.0 if n == 0 else x * even(math.sin(x), n - 1)


case(even, 0.7, 5, label="recursion")
case(even, 0.7, 4, label="recursion")


def global_array_read(x, i):
    return np.sum(TABLE * x) * TABLE[i] + x * RATE


case(global_array_read, 0.7, 1)


def methods(u, x):
    v = u.copy()
    v.fill(x)
    v *= u.mean()
    w = u.reshape(2, 2).T
    return v.sum() * u.dot(v) + w.max() + u.T[0] * w.flatten()[1] + u.prod() + (u * 1.0).cumsum()[2]


case(methods, u4, 0.7)


def converts(x, u):
    y = float(u[0] * x)
    z = float(x)
    w = np.float64(z) * y
    return w * float(np.sum(u))


case(converts, 0.7, u4)


def builtin_sums(u, x):
    return sum(u) * x + sum([x, u[0], x * x]) + sum(u, x) + pow(x, 3) + pow(x, u[0])


case(builtin_sums, u4, 0.7)


def logs_and_asserts(x):
    """A docstring with d[x] = bx in it."""
    assert x > 0.0, f"x is {x}"
    # a comment
    y = x * x; z = y * x
    name = f"{x:.2f} and {y}"
    if not isinstance(x, float) or len(name) < 2:
        raise ValueError(name)
    return z


case(logs_and_asserts, 0.7)


@functools.lru_cache
def cached(n):
    return n * 2.0


def calls_cached(x):
    return x * cached(3) + x


case(calls_cached, 0.7)


class Spring:
    def __init__(self, k):
        self.k = k

    def force(self, x):
        return -self.k * x


spring = Spring(2.5)


def calls_method(x):
    return spring.force(x) * x + spring.k * x


case(calls_method, 0.7, label="object")
