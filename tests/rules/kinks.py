"""What the derivative is at kinks, ties, jumps and edges: the table of docs/kinks.md.

    python -m tests.rules.kinks         # writes the table into the page

Each line is a function, where it is looked at, the derivative there and why it is that; it is taken
in reverse and in forward mode, and both must be the same, bit for bit or to rounding.
"""
import cmath
import functools
import math
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import tangent_lite as tl

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "kinks.md"
BEGIN, END = "<!-- kinks: python -m tests.rules.kinks -->\n", "<!-- end of kinks -->\n"
inf, nan = np.inf, np.nan


@dataclass
class Kink:
    """A function of one argument or more, and its derivative with respect to all of them."""
    shown: str
    f: object
    args: tuple
    expected: object
    why: str

    def reverse(self):
        """The gradient, flat: a row of numbers over all arguments; or what is raised."""
        return attempt(self.gradient)

    def forward(self):
        """The same by forward mode, one direction after the other."""
        return attempt(self.slopes)

    def gradient(self):
        with np.errstate(all="ignore"):
            found = tl.grad(self.f, wrt=tuple(range(len(self.args))))(*map(own, self.args))
        return np.concatenate([np.ravel(part) for part in found])

    def slopes(self):
        found = []
        for k, argument in enumerate(self.args):
            units = np.eye(np.size(argument)).reshape(-1, *np.shape(argument))
            if np.iscomplexobj(argument):
                # df/dx - i df/dy, as gradients have it
                found += [self.along(k, own(u) + 0j) - 1j * self.along(k, 1j * own(u))
                          for u in units]
            else:
                found += [self.along(k, own(u)) for u in units]
        return np.array(found)

    def along(self, k, direction):
        tangents = [None] * len(self.args)
        tangents[k] = direction
        with np.errstate(all="ignore"):
            return tl.jvp(self.f, tuple(map(own, self.args)), tuple(tangents))[1]


def extreme_at(x):
    y = 1.0 * x
    np.maximum.at(y, [0, 0], x[1:])
    return y[0]


def attempt(derivative):
    try:
        return derivative()
    except ZeroDivisionError:
        return "ZeroDivisionError"


def own(value):
    """A number as one of Python's, an array as a copy."""
    return value.item() if np.ndim(value) == 0 and not isinstance(value, (float, complex)) \
        else np.copy(value) if np.ndim(value) else value


def row(*numbers):
    return np.array(numbers, dtype=float)


TIE, EQUAL = "neither is preferred", row(1.0, 3.0, 3.0)
MIDDLE = "the middle of the slopes on both sides"
JUMPS = "constant but for jumps"
STABLE = "a permutation: that of a stable sort"
RETURNED = "what Python returns: nan is neither larger nor smaller"
TAKEN = "the branch that is taken"
INFINITE = "it is: the function is that steep"
PIECE = "the piece that begins there"


def remembered(x, y):
    """A dict of what was found before, by numbers that vary."""
    memo = {}

    def cube(v):
        if v not in memo:
            memo[v] = v ** 3
        return memo[v]
    return cube(x) + 3.0 * cube(y)


def cached(x, y):
    """The same by a cache of Python's library."""
    @functools.cache
    def cube(v):
        return v ** 3
    return cube(x) + 3.0 * cube(y)


KINKS = [
    # Absolute values, signs, jumps
    Kink("abs(x)", lambda x: abs(x), (0.0,), 0, MIDDLE),
    Kink("np.abs(x)", lambda x: np.sum(np.abs(x)), (row(0.0, -1.0),), [0, -1], MIDDLE),
    Kink("np.abs(z)", lambda z: np.abs(z), (0j,), 0, MIDDLE),
    Kink("math.fabs(x)", lambda x: math.fabs(x), (0.0,), 0, MIDDLE),
    Kink("np.fabs(x)", lambda x: np.fabs(x), (0.0,), 0, MIDDLE),
    Kink("np.sign(x)", lambda x: np.sign(x) + x, (0.0,), 1, JUMPS + " (x is added)"),
    Kink("np.floor(x), ceil, trunc", lambda x: np.floor(x) + np.ceil(x) + np.trunc(x) + x, (2.0,),
         1, JUMPS + " (x is added)"),
    Kink("np.round(x)", lambda x: np.round(x) + x, (2.5,), 1, JUMPS + " (x is added)"),
    Kink("round(x)", lambda x: round(x) + x, (2.5,), 1, JUMPS + " (x is added)"),
    Kink("np.heaviside(x, 0.5)", lambda x: np.heaviside(x, 0.5) + x, (0.0,), 1,
         JUMPS + " (x is added)"),
    Kink("x // y", lambda x, y: x // y + x, (4.0, 2.0), [1, 0], JUMPS + " (x is added)"),
    Kink("x % y", lambda x, y: x % y, (4.0, 2.0), [1, -2], "x - y (x // y), and // does not vary"),
    Kink("np.fmod(x, y)", lambda x, y: np.fmod(x, y), (-4.0, 2.0), [1, 2],
         "x - y trunc(x / y), and trunc does not vary"),
    Kink("np.modf(x)[0]", lambda x: np.modf(x)[0], (2.0,), 1, "the whole part does not vary"),
    Kink("np.copysign(x, y)", lambda x, y: np.copysign(x, y), (0.0, -1.0), [0, 0], MIDDLE),
    # The larger of two
    Kink("np.maximum(x, y)", lambda x, y: np.maximum(x, y), (2.0, 2.0), [0.5, 0.5], TIE),
    Kink("np.minimum(x, y)", lambda x, y: np.minimum(x, y), (2.0, 2.0), [0.5, 0.5], TIE),
    Kink("np.fmax(x, y)", lambda x, y: np.fmax(x, y), (2.0, 2.0), [0.5, 0.5], TIE),
    Kink("np.fmin(x, y)", lambda x, y: np.fmin(x, y), (2.0, 2.0), [0.5, 0.5], TIE),
    Kink("np.fmax(x, nan)", lambda x, y: np.fmax(x, y), (2.0, nan), [1, 0], "the number counts"),
    Kink("np.maximum(x, nan)", lambda x, y: np.maximum(x, y), (2.0, nan), [1, 1],
         "the value is nan: neither is preferred"),
    Kink("max(x, y)", lambda x, y: max(x, y), (2.0, 2.0), [0.5, 0.5], TIE),
    Kink("max(x, nan)", lambda x, y: max(x, y), (2.0, nan), [1, 0], RETURNED),
    Kink("max(nan, x)", lambda x, y: max(x, y), (nan, 2.0), [1, 0], RETURNED),
    Kink("min(x, nan)", lambda x, y: min(x, y), (2.0, nan), [1, 0], RETURNED),
    Kink("max(x, nan, z)", lambda x, y, z: max(x, y, z), (2.0, nan, 3.0), [0, 0, 1], RETURNED),
    Kink("min([x, nan, z])", lambda x, y, z: min([x, y, z]), (2.0, nan, 2.0), [0.5, 0, 0.5],
         RETURNED),
    Kink("max(x, nan, z, key=abs)", lambda x, y, z: max(x, y, z, key=abs), (2.0, nan, -3.0),
         [0, 0, 1], RETURNED),
    Kink("min(x, y)", lambda x, y: min(x, y), (2.0, 2.0), [0.5, 0.5], TIE),
    Kink("np.maximum(x, 0.0)", lambda x: np.maximum(x, 0.0), (0.0,), 0.5, "a tie with a constant"),
    Kink("max(x, 0.0)", lambda x: max(x, 0.0), (0.0,), 0.5, "a tie with a constant"),
    Kink("np.where(x > 0, x, 0)", lambda x: np.sum(np.where(x > 0.0, x, 0.0)), (row(0.0, 1.0),),
         [0, 1], TAKEN),
    Kink("x * (x > 0)", lambda x: x * (x > 0.0), (0.0,), 0, "the factor does not vary"),
    Kink("x if x > 0 else 0.0", lambda x: x if x > 0.0 else 0.0 * x, (0.0,), 0, TAKEN),
    Kink("p(x) + 3 * p(y), p(v): memo[v] = v ** 3", remembered, (2.0, 2.0), [48, 0],
         "the branch `v in memo`: what x has left there is read"),
    Kink("p(x) + 3 * p(y), p(v): v ** 3, under functools.cache", cached, (2.0, 2.0), [12, 36],
         "computed anew for numbers that vary"),
    Kink("np.clip(x, -1, 1)", lambda x: np.sum(np.clip(x, -1.0, 1.0)), (row(1.0, -1.0, 0.3, 2.0),),
         [0.5, 0.5, 1, 0], "a tie with the border"),
    Kink("np.clip(x, a, b)", lambda x, a, b: np.clip(x, a, b), (1.0, 0.0, 1.0), [0.5, 0, 0.5], TIE),
    Kink("np.select, np.choose", lambda x: np.sum(np.select([x > 0.0], [x], 0.0)), (row(0.0, 1.0),),
         [0, 1], TAKEN),
    # The largest of many
    Kink("np.max(x)", lambda x: np.max(x), (EQUAL,), [0, 0.5, 0.5], TIE),
    Kink("np.min(x)", lambda x: np.min(x), (row(1.0, 1.0, 3.0),), [0.5, 0.5, 0], TIE),
    Kink("np.max(x, initial=3)", lambda x: np.max(x, initial=3.0), (EQUAL,), [0, 1 / 3, 1 / 3],
         "the start is one more element"),
    Kink("np.maximum.reduce(x)", lambda x: np.maximum.reduce(x), (EQUAL,), [0, 0.5, 0.5], TIE),
    Kink("np.ptp(x)", lambda x: np.ptp(x), (row(0.0, 0.0, 1.0),), [-0.5, -0.5, 1],
         "that of max, less that of min"),
    Kink("np.max(x)", lambda x: np.max(x), (row(2.0, nan),), [nan, nan], "the value is nan"),
    Kink("np.nanmax(x)", lambda x: np.nanmax(x), (row(2.0, nan, 2.0),), [0.5, 0, 0.5],
         "NaN does not count"),
    Kink("np.nansum(x)", lambda x: np.nansum(x), (row(2.0, nan),), [1, 0], "NaN does not count"),
    Kink("np.maximum.reduceat(x, [0, 1])", lambda x: np.sum(np.maximum.reduceat(x, [0, 1])),
         (EQUAL,), [1, 0.5, 0.5], TIE),
    Kink("np.maximum.at(x, [0, 0], x[1:])", extreme_at, (EQUAL,),
         [0, 0.5, 0.5], TIE),
    Kink("np.maximum.accumulate(x)", lambda x: np.sum(np.maximum.accumulate(x)), (EQUAL,),
         [1, 1, 1], "the latest of those that are equal"),
    # Orders
    Kink("np.sort(x)", lambda x: np.sort(x)[1], (EQUAL,), [0, 1, 0], STABLE),
    Kink("np.partition(x, 2)", lambda x: np.partition(x, 2)[2], (row(1.0, 2.0, 2.0, 0.5),),
         [0, 1, 0, 0], STABLE),
    Kink("np.median(x)", lambda x: np.median(x), (row(1.0, 1.0, 1.0),), [0, 1, 0], STABLE),
    Kink("np.nanmedian(x)", lambda x: np.nanmedian(x), (row(1.0, nan, 1.0, 1.0),), [0, 0, 1, 0],
         STABLE),
    Kink("np.quantile(x, 0.5)", lambda x: np.quantile(x, 0.5), (row(1.0, 2.0, 2.0, 0.5),),
         [0.5, 0.5, 0, 0], STABLE),
    Kink("np.quantile in q", lambda q: np.quantile(np.array([0.0, 1.0, 4.0]), q), (0.5,), 6, PIECE),
    Kink("np.quantile in q", lambda q: np.quantile(np.array([0.0, 1.0, 4.0]), q), (1.0,), 0,
         "nothing begins behind the last"),
    Kink("np.quantile(method=\"lower\") in q",
         lambda q: np.quantile(np.array([0.0, 1.0, 4.0]), q, method="lower") + q, (0.5,), 1,
         JUMPS + " (q is added)"),
    Kink("np.unique(x)", lambda x: np.sum(np.unique(x)), (row(1.0, 2.0, 2.0),), [1, 1, 0],
         "the first of those that are equal"),
    Kink("np.interp(x, xp, fp)",
         lambda x: np.interp(x, np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.0, 4.0])), (1.0,), 3,
         PIECE),
    Kink("np.unwrap(x)", lambda x: np.unwrap(x)[1], (row(0.0, math.pi),), [0, 1],
         "what is added does not vary"),
    Kink("np.trim_zeros(x)", lambda x: np.sum(np.trim_zeros(x)), (row(0.0, 2.0, 0.0),), [0, 1, 0],
         "zeros at the ends are not in the result"),
    Kink("np.histogram(x)[0]", lambda x: np.sum(np.histogram(x, 2)[0]) + x[0],
         (row(0.0, 1.0, 1.0),), [1, 0, 0], JUMPS + " (x[0] is added)"),
    Kink("np.nan_to_num(x)", lambda x: np.sum(np.nan_to_num(x)), (row(nan, 1.0, inf),), [0, 1, 0],
         "what is put in its place does not vary"),
    # Powers, products, roots
    Kink("x ** 0", lambda x: x ** 0, (0.0,), 0, "it is the constant 1"),
    Kink("x ** 1", lambda x: x ** 1, (0.0,), 1, ""),
    Kink("x ** 2", lambda x: x ** 2, (0.0,), 0, ""),
    Kink("x ** y", lambda x, y: x ** y, (0.0, 2.0), [0, 0], "0 ** y is the constant 0"),
    Kink("x ** y", lambda x, y: x ** y, (0.0, 0.0), [0, 0], "as x ** 0 and 0 ** y"),
    Kink("np.power(x, y)", lambda x, y: np.sum(np.power(x, y)), (row(0.0, 0.0), row(2.0, 0.0)),
         [0, 0, 0, 0], "the same"),
    Kink("np.sqrt(x)", lambda x: np.sqrt(x), (np.float64(0.0),), inf, INFINITE),
    Kink("np.sqrt(x)", lambda x: np.sqrt(x), (0.0,), inf, INFINITE),
    Kink("math.sqrt(x)", lambda x: math.sqrt(x), (0.0,), inf, INFINITE),
    Kink("x ** 0.5", lambda x: x ** 0.5, (0.0,), inf, INFINITE),
    Kink("np.log(x)", lambda x: np.log(x), (0.0,), inf, INFINITE),
    Kink("x ** 0.5", lambda x: np.sum(x ** 0.5), (row(0.0),), inf, INFINITE),
    Kink("np.cbrt(x)", lambda x: np.sum(np.cbrt(x)), (row(0.0),), inf, INFINITE),
    Kink("np.log(x)", lambda x: np.sum(np.log(x)), (row(0.0),), inf, INFINITE),
    Kink("np.arcsin(x)", lambda x: np.sum(np.arcsin(x)), (row(1.0),), inf, INFINITE),
    Kink("np.arccosh(x)", lambda x: np.sum(np.arccosh(x)), (row(1.0),), inf, INFINITE),
    Kink("np.arctanh(x)", lambda x: np.sum(np.arctanh(x)), (row(1.0),), inf, INFINITE),
    Kink("np.prod(x)", lambda x: np.prod(x), (row(2.0, 0.0, 3.0),), [0, 6, 0],
         "the product of the others"),
    Kink("np.prod(x)", lambda x: np.prod(x), (row(0.0, 0.0, 3.0),), [0, 0, 0],
         "the product of the others"),
    Kink("np.cumprod(x)", lambda x: np.sum(np.cumprod(x)), (row(2.0, 0.0, 3.0),), [1, 8, 0],
         "the products of the others"),
    Kink("np.sinc(x)", lambda x: np.sinc(x), (0.0,), 0, "it is even and smooth"),
    Kink("np.polymul(p, q)", lambda p: np.sum(np.polymul(p, np.array([1.0, 1.0]))),
         (row(0.0, 2.0),), [0, 2], "leading zeros are not in the result"),
    # Lengths and angles
    Kink("np.linalg.norm(x)", lambda x: np.linalg.norm(x), (row(0.0, 0.0),), [0, 0],
         "the middle of the ball of subgradients"),
    Kink("np.linalg.norm(x, 1)", lambda x: np.linalg.norm(x, 1), (row(0.0, -1.0),), [0, -1],
         MIDDLE),
    Kink("np.linalg.norm(x, 3)", lambda x: np.linalg.norm(x, 3), (row(0.0, 0.0),), [0, 0], MIDDLE),
    Kink("np.linalg.norm(x, inf)", lambda x: np.linalg.norm(x, np.inf), (row(2.0, -2.0),),
         [0.5, -0.5], TIE),
    Kink("np.linalg.norm(x, -inf)", lambda x: np.linalg.norm(x, -np.inf), (row(2.0, -2.0),),
         [0.5, -0.5], TIE),
    Kink("np.hypot(x, y)", lambda x, y: np.hypot(x, y), (0.0, 0.0), [0, 0], MIDDLE),
    Kink("math.hypot(x, y)", lambda x, y: math.hypot(x, y), (0.0, 0.0), [0, 0], MIDDLE),
    Kink("math.dist(p, q)", lambda x, y: math.dist([x], [y]), (1.0, 1.0), [0, 0], MIDDLE),
    Kink("np.std(x)", lambda x: np.std(x), (row(1.0, 1.0, 1.0),), [0, 0, 0], "as the norm at 0"),
    Kink("np.arctan2(y, x)", lambda y, x: np.arctan2(y, x), (0.0, 0.0), [0, 0],
         "it turns around: no direction is preferred"),
    Kink("math.atan2(y, x)", lambda y, x: math.atan2(y, x), (0.0, 0.0), [0, 0], "the same"),
    Kink("np.angle(z)", lambda z: np.angle(z), (0j,), 0, "the same"),
    Kink("cmath.phase(z)", lambda z: cmath.phase(z), (0j,), 0, "the same"),
    Kink("np.logaddexp(x, y)", lambda x, y: np.logaddexp(x, y), (-inf, 1.0), [0, 1],
         "its share of the sum"),
    Kink("np.logaddexp(x, y)", lambda x, y: np.logaddexp(x, y), (-inf, -inf), [nan, nan],
         "the shares of a sum that is 0"),
    Kink("np.logaddexp.reduce(x)", lambda x: np.logaddexp.reduce(x), (row(-inf, -inf),), [nan, nan],
         "the shares of a sum that is 0"),
]


def shown(numbers):
    """A derivative as the table has it."""
    if isinstance(numbers, str):
        return f"`{numbers}`"
    found = [number(n) for n in np.ravel(numbers)]
    return found[0] if len(found) == 1 else f"({', '.join(found)})"


def number(value):
    if np.iscomplexobj(value) and np.imag(value) == 0:
        value = np.real(value)
    for k in (2, 3):
        if np.isfinite(value) and abs(value * k - round(value * k)) < 1e-12 and value % 1:
            return f"{round(value * k)}/{k}"
    return f"{value:g}"


def where(kink):
    return ", ".join(f"[{', '.join(f'{v:g}' for v in a)}]" if np.ndim(a) else f"{a:g}"
                     for a in kink.args)


@functools.lru_cache(None)
def table():
    lines = ["| function | at | reverse | forward | why |", "|---|---|---|---|---|"]
    for kink in KINKS:
        lines.append(f"| `{kink.shown}` | {where(kink)} | {shown(kink.reverse())} | "
                     f"{shown(kink.forward())} | {kink.why} |")
    return "\n".join(lines) + "\n"


def with_table(text):
    """The text of the page with today's table."""
    return re.sub(f"{BEGIN}.*{END}", lambda _: f"{BEGIN}\n{table()}\n{END}", text, flags=re.S)


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
