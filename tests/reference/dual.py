"""Gradients by two independent routes, from the same source as the function under test.

`numeric_gradient` differences the function (order eight, two step sizes, a kink test) and says
whether its answer can be trusted. `dual_gradient` runs the function's own code on dual numbers,
with look-alikes of `math` and `numpy` in place of the real ones: exact to rounding, but for the
functions it knows only. `reference_gradient` asks both and insists that they agree.

>>> (slope,), trustworthy = numeric_gradient(lambda x, n: x**n, (2.0, 3), (0,))
>>> round(slope, 9), trustworthy
(12.0, True)
>>> numeric_gradient(abs, (0.0,), (0,))[1]
False
"""
import contextlib
import functools
import io
import math
import warnings

import numpy as np

from tests.reference.lookalikes import LookAlike, World
from tests.reference.trees import copies, floats, part_at, rebuilt, with_parts  # noqa: F401

STENCIL = ((1, 4 / 5), (2, -1 / 5), (3, 4 / 105), (4, -1 / 280))
POINTS = sorted({k * s for k, _ in STENCIL for s in (-2, -1, 1, 2)} | {0})
# Weights that take a + b h + c h**3 at h = 1, 2, 4 to a, the jump of the slope at 0
KINK = np.linalg.solve([[1, 1, 1], [1, 2, 4], [1, 8, 64]], [1, 0, 0]).tolist()


class Disagreement(Exception):
    """The two references contradict each other: the referee is wrong, not the player."""


# Differences -------------------------------------------------------------------------------------
def numeric_gradient(f, args, wrt, steps=(1e-3, 1e-4), rtol=1e-8):
    """Gradients of the scalar f(*args) with respect to the arguments at positions wrt.

    Returns (tuple of gradients, trustworthy). Not trustworthy: the two step sizes disagree, left
    and right derivative differ, or f fails near the point. Arguments are float64 copies, never
    aliases of each other, so f may write to them.
    """
    args, wrt = tuple(args), tuple(wrt)
    trees = [part_at(f, args, place) for place in wrt]
    start = [floats(tree) for tree in trees]
    offsets = np.cumsum([0] + [len(part) for part in start])
    flat = [x for part in start for x in part]

    def value(k, shift):
        moved = list(flat)
        if shift:
            moved[k] = moved[k] + shift
        parts = {place: rebuilt(tree, iter(moved[a:b]))
                 for place, tree, a, b in zip(wrt, trees, offsets, offsets[1:])}
        with quiet():
            return as_float(f(*with_parts(f, args, parts)))

    slopes, trustworthy = [], True
    middle = value(0, 0.0)
    for k, x in enumerate(flat):
        for step in steps:
            slope, good = component(lambda t: value(k, t), middle, step * max(1.0, abs(x)), rtol)
            if good:
                break
        slopes.append(slope)
        trustworthy = trustworthy and good
    gradient = tuple(rebuilt(tree, iter(slopes[a:b]))
                     for tree, a, b in zip(trees, offsets, offsets[1:]))
    return gradient, trustworthy and math.isfinite(middle)


@contextlib.contextmanager
def quiet():
    """No warnings, and nothing printed."""
    with warnings.catch_warnings(), np.errstate(all="ignore"), \
            contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


def component(along, middle, h, rtol):
    """Derivative at 0 of a function of one number and whether it can be trusted."""
    try:
        at = {k: along(k * h) if k else middle for k in POINTS}
    except Exception:                               # a neighbour outside the domain of f
        return math.nan, False
    if not all(math.isfinite(y) for y in at.values()):
        return math.nan, False
    fine = sum(w * (at[k] - at[-k]) for k, w in STENCIL) / h
    coarse = sum(w * (at[2 * k] - at[-2 * k]) for k, w in STENCIL) / (2.0 * h)
    jump = sum(w * (at[k] - 2.0 * middle + at[-k]) / (k * h) for k, w in zip((1, 2, 4), KINK))
    scale = max(1.0, abs(fine), abs(middle))
    return fine, abs(fine - coarse) <= rtol * scale and abs(jump) <= 100.0 * rtol * scale


def as_float(value):
    """The one number that a function returned."""
    if isinstance(value, np.ndarray):
        if value.size != 1:
            raise ValueError(f"a scalar is needed, not shape {value.shape}")
        value = value.reshape(())[()]
    return float(value)


# Dual numbers ------------------------------------------------------------------------------------
class Dual:
    """A number v with its gradient d, a vector: one run gives the derivative in all directions."""

    __slots__ = ("v", "d")

    def __init__(self, v, d):
        self.v, self.d = v, d

    def __repr__(self):
        return f"Dual({self.v}, {self.d})"

    def __float__(self):
        raise TypeError("a dual number would lose its derivative here")

    def __int__(self):
        return int(self.v)

    def __bool__(self):
        return bool(self.v)

    def __hash__(self):
        return hash(self.v)

    def __floor__(self):
        return math.floor(self.v)

    def __neg__(self):
        return Dual(-self.v, -self.d)

    def __pos__(self):
        return self

    def __abs__(self):
        return Dual(abs(self.v), (self.v > 0) * self.d - (self.v < 0) * self.d)

    def __round__(self, digits=None):
        return round(self.v, digits)

    def __format__(self, how):
        return format(self.v, how)

    def conjugate(self):
        return self

    def item(self):
        return self


def parts_of(x):
    return (x.v, x.d) if isinstance(x, Dual) else (x, 0.0)


def binary(name, formula):
    """Give Dual the operator and its reflection; formula(v, w, dv, dw) -> (value, gradient)."""
    def forward(x, y):
        if isinstance(y, np.ndarray):
            return NotImplemented
        (v, dv), (w, dw) = parts_of(x), parts_of(y)
        return Dual(*formula(v, w, dv, dw))

    setattr(Dual, f"__{name}__", forward)
    setattr(Dual, f"__r{name}__", lambda x, y: NotImplemented if isinstance(y, np.ndarray)
            else Dual(*formula(*(p for pair in zip(parts_of(y), parts_of(x)) for p in pair))))


def power(v, w, dv, dw):
    slope = w * v ** (w - 1) if np.any(dv) and w != 0 else 0.0
    return v**w, slope * dv + (v**w * math.log(v) * dw if np.any(dw) else 0.0)


binary("add", lambda v, w, dv, dw: (v + w, dv + dw))
binary("sub", lambda v, w, dv, dw: (v - w, dv - dw))
binary("mul", lambda v, w, dv, dw: (v * w, dv * w + v * dw))
binary("truediv", lambda v, w, dv, dw: (v / w, (dv - v / w * dw) / w))
binary("pow", power)
binary("mod", lambda v, w, dv, dw: (v % w, dv - v // w * dw))
binary("floordiv", lambda v, w, dv, dw: (v // w, 0.0 * dv + 0.0 * dw))
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    def _compare(x, y, _name=f"__{_name}__"):
        if isinstance(y, np.ndarray):
            return NotImplemented
        return getattr(float(x.v), _name)(float(parts_of(y)[0]))
    setattr(Dual, f"__{_name}__", _compare)


# The look-alikes of math and numpy ---------------------------------------------------------------
SLOPES = {
    "sin": math.cos, "cos": lambda v: -math.sin(v), "tan": lambda v: 1 / math.cos(v) ** 2,
    "exp": math.exp, "expm1": math.exp, "log": lambda v: 1 / v, "log1p": lambda v: 1 / (1 + v),
    "log2": lambda v: 1 / (v * math.log(2)), "log10": lambda v: 1 / (v * math.log(10)),
    "sqrt": lambda v: 0.5 / math.sqrt(v), "tanh": lambda v: 1 - math.tanh(v) ** 2,
    "sinh": math.cosh, "cosh": math.sinh, "atan": lambda v: 1 / (1 + v * v),
    "asin": lambda v: 1 / math.sqrt(1 - v * v), "acos": lambda v: -1 / math.sqrt(1 - v * v),
    "asinh": lambda v: 1 / math.sqrt(1 + v * v), "fabs": lambda v: (v > 0) - (v < 0),
    "erf": lambda v: 2 / math.sqrt(math.pi) * math.exp(-v * v),
}


def unary(name):
    real, slope = getattr(math, name), SLOPES[name]
    return lambda x: Dual(real(x.v), slope(x.v) * x.d) if isinstance(x, Dual) else real(x)


def elementwise(fun, arity=1):
    return np.frompyfunc(fun, arity, 1)


def extreme(sign):
    """maximum and minimum; ties are shared equally."""
    def fun(x, y):
        v, w = sign * parts_of(x)[0], sign * parts_of(y)[0]
        return 0.5 * x + 0.5 * y if v == w else x if v > w else y
    return fun


def hypot(x, y):
    return MATH["sqrt"](x * x + y * y)


def atan2(y, x):
    (v, dv), (w, dw) = parts_of(y), parts_of(x)
    return Dual(math.atan2(v, w), (w * dv - v * dw) / (v * v + w * w) + 0.0)


def boxed(make):
    """A NumPy function that makes arrays, made to make arrays that can hold dual numbers."""
    @functools.wraps(make)
    def made(*args, **options):
        wanted = options.get("dtype")
        if wanted is not None and np.dtype(wanted).kind == "f":
            del options["dtype"]
        out = make(*args, **options)
        return out.astype(object) if out.dtype.kind == "f" else out
    return made


class Float(type):
    """The type float, of which dual numbers are."""

    def __call__(cls, x=0.0):
        return x if isinstance(x, Dual) else x.item() if isinstance(x, np.ndarray) else float(x)

    def __instancecheck__(cls, x):
        return isinstance(x, (Dual, float))


to_float = Float("float", (), {})


MATH = {name: unary(name) for name in SLOPES}
MATH.update(
    hypot=hypot, atan2=atan2, pow=lambda x, y: x**y, floor=lambda x: math.floor(parts_of(x)[0]),
    ceil=lambda x: math.ceil(parts_of(x)[0]), isfinite=lambda x: math.isfinite(parts_of(x)[0]),
    isnan=lambda x: math.isnan(parts_of(x)[0]), fsum=sum)
NUMPY = {name: elementwise(fun) for name, fun in MATH.items()
         if name in SLOPES and name != "erf"}
NUMPY.update({new: NUMPY[old] for new, old in (
    ("arctan", "atan"), ("arcsin", "asin"), ("arccos", "acos"), ("arcsinh", "asinh"))})
NUMPY.update(
    hypot=elementwise(hypot, 2), arctan2=elementwise(atan2, 2), square=lambda x: x * x,
    reciprocal=lambda x: 1.0 / x, maximum=elementwise(extreme(1), 2),
    minimum=elementwise(extreme(-1), 2), float64=to_float,
    isfinite=elementwise(lambda x: math.isfinite(parts_of(x)[0])))
NUMPY.update({new: NUMPY[old] for new, old in (("abs", "fabs"), ("absolute", "fabs"))})
NUMPY.update(
    var=lambda x, axis=None: np.mean((x - np.mean(x, axis, keepdims=True)) ** 2, axis),
    std=lambda x, axis=None: NUMPY["sqrt"](NUMPY["var"](x, axis)))
LINALG = {"norm": lambda x, axis=None: NUMPY["sqrt"](np.sum(x * x, axis))}
NUMPY.update({name: boxed(getattr(np, name)) for name in (
    "zeros", "ones", "empty", "full", "array", "asarray", "eye", "identity", "linspace", "arange",
    "zeros_like", "ones_like", "empty_like", "full_like", "diag", "asfarray")
    if hasattr(np, name)})


def dual_gradient(f, args, wrt):
    """(value, gradients) by running f on dual numbers; None where f does what they cannot."""
    wrt, args = tuple(wrt), tuple(args)
    trees = [part_at(f, args, place) for place in wrt]
    flat = [x for tree in trees for x in floats(tree)]
    values = iter([Dual(x, e) for x, e in zip(flat, np.eye(len(flat)))])
    moved = {place: rebuilt(tree, values) for place, tree in zip(wrt, trees)}
    try:
        with quiet():
            world = World(library, {"float": to_float})
            out = world.function(f)(*(world.seen(arg) for arg in with_parts(f, args, moved)))
            if isinstance(out, np.ndarray):
                out = out.reshape(-1)[0]
            value, slopes = parts_of(out)
    except (TypeError, AttributeError, ValueError, ArithmeticError, np.linalg.LinAlgError):
        return None
    slopes = iter((slopes + np.zeros(len(flat))).tolist())
    return value, tuple(rebuilt(tree, slopes) for tree in trees)


def library(value):
    """What stands for a module, or a function of one; None for all else."""
    if value is math:
        return LookAlike(math, MATH)
    if value is np:
        return LookAlike(np, {**NUMPY, "linalg": LookAlike(np.linalg, LINALG)})
    if value is float:
        return to_float
    name = getattr(value, "__name__", None)
    if not isinstance(name, str):
        return None
    if value is getattr(math, name, None):
        return MATH.get(name, value)
    if value is getattr(np, name, None) and not isinstance(value, type):
        return NUMPY.get(name, value)
    return None


# Both together -----------------------------------------------------------------------------------
def reference_gradient(f, args, wrt, rtol=1e-7):
    """(gradients, trustworthy, confirmed): the dual numbers' answer where there is one."""
    gradient, trustworthy = numeric_gradient(f, args, wrt)
    exact = dual_gradient(f, args, wrt) if trustworthy else None
    if exact is None:
        return gradient, trustworthy, False
    if not close(exact[1], gradient, rtol):
        raise Disagreement(f"differences {gradient}, dual numbers {exact[1]}")
    return exact[1], True, True


def close(found, wanted, rtol):
    """Whether two nested gradients agree, relative to the largest entry (or 1)."""
    a, b = np.array(floats(found)), np.array(floats(wanted))
    if a.shape != b.shape or not np.all(np.isfinite(a)):
        return False
    return a.size == 0 or bool(np.max(np.abs(a - b)) <= rtol * max(1.0, np.max(np.abs(b))))
