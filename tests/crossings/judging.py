"""Judges crossing programs: as other generated programs, and again at other values and sizes, by
the other strategy, and their second derivatives."""
import contextlib
import warnings
from dataclasses import replace

import numpy as np

from tests.heap.forced import by_identity
from tests.programs.judge import (
    SECONDS,
    Verdict,
    bits,
    closed,
    frozen,
    judge,
    printed,
    reason,
    snapshot,
    surroundings,
)
from tests.programs.running import made, time_limit
from tests.reference.dual import close, floats, numeric_gradient
from tests.reference.trees import rebuilt


def other_arguments(args, size, shift):
    """Arguments of the same kinds: vectors of another size, other numbers."""
    rng = np.random.default_rng(shift)

    def other(arg):
        if isinstance(arg, np.ndarray):
            return rng.uniform(-1.2, 1.2, (size,) * arg.ndim).astype(arg.dtype)
        if isinstance(arg, dict):
            return {key: other(part) for key, part in arg.items()}
        if isinstance(arg, list):
            return [other(part) for part in arg]
        return round(float(rng.uniform(-1.2, 1.2)), 3) if isinstance(arg, float) else arg

    return tuple(map(other, args))


def judged(program, function, strategies=("default",), second=False, sizes=(3, 4), whole=True):
    """The verdict on a program: the first of several that is not right.

    whole: pullbacks and forward mode, too; otherwise the gradient alone.
    """
    verdict = None
    for strategy in strategies:
        with by_identity() if strategy == "identity" else contextlib.nullcontext():
            one = held(function, lambda: made(program, function.__globals__), program.wrt) \
                if whole else gradient_alone(program, function)
            if one.outcome in ("right", "skipped") and not one.kind:
                one = again(program, function, sizes) or one
            if one.outcome == "right" and second:
                one = second_order(program, function) or one
        if one.outcome == "wrong":
            return replace(one, kind=f"{one.kind} ({strategy})" if strategy != "default"
                           else one.kind)
        verdict = verdict or one
    return verdict


def held(function, make, wrt):
    """judge(), with differences alone where dual numbers in arrays of objects go astray."""
    one = judge(function, make, wrt)
    if one.kind != "referee":
        return one
    return judge(function, make, wrt, expect=numeric_gradient(function, make(), wrt)[0])


def gradient_alone(program, function):
    """The verdict on the gradient at the arguments of the program: value, slopes, purity."""
    import tangent_lite as tl

    args = frozen(made(program, function.__globals__))
    before = snapshot(args)
    with warnings.catch_warnings(), np.errstate(all="ignore"), printed():
        warnings.simplefilter("ignore")
        slopes, trusted = numeric_gradient(function, args, program.wrt)
        value = function(*made(program, function.__globals__))
        try:
            with time_limit(SECONDS), closed(surroundings(function)):
                found, gradient = tl.value_and_grad(function, wrt=program.wrt)(*args)
        except tl.TangentError as error:
            return Verdict("refused", type(error).__name__, reason(error))
        except Exception as error:
            return Verdict("wrong", "crash", f"{type(error).__name__}: {error}")
    if snapshot(args) != before:
        return Verdict("wrong", "purity", f"{args!r}")
    if bits(found) != bits(value):
        return Verdict("wrong", "value", f"{found!r}, not {value!r}")
    if not trusted:
        return Verdict("skipped", "", "no reference to trust")
    single = any(getattr(a, "dtype", None) == np.float32 for a in args)
    slack = max(1.0, 1e-3 * np.max(np.abs(floats(slopes)), initial=0.0))
    for place, got, want in zip(program.wrt, gradient, slopes):
        if not close(got, want, (2e-4 if single else 1e-6) * slack):
            return Verdict("wrong", "gradient", f"argument {place}: {got!r}, not {want!r}")
    return Verdict("right")


def again(program, function, sizes):
    """None, or what is wrong when a derivative is called with other numbers and sizes."""
    import tangent_lite as tl

    derivative = tl.value_and_grad(function, wrt=program.wrt)
    for shift, size in enumerate(sizes):
        args = other_arguments(program.args, size, program.seed + shift)
        place = f"again, n = {size}, {args!r}"

        def make():
            return rebuilt(args, iter(floats(args)))

        with warnings.catch_warnings(), np.errstate(all="ignore"), printed():
            warnings.simplefilter("ignore")
            try:
                with time_limit(3.0), np.errstate(all="raise", under="ignore"):
                    value = function(*other_typed(make(), args))
                    slopes, trusted = numeric_gradient(function, make(), program.wrt)
            except (TimeoutError, FloatingPointError):     # 0 * inf in what is not chosen
                continue
            except Exception:
                value = None                 # which error the function raises is its own matter
            try:
                with time_limit(SECONDS):
                    found, gradient = derivative(*other_typed(make(), args))
            except tl.TangentError as error:
                if value is None:
                    continue
                return Verdict("refused", f"again {type(error).__name__}", reason(error))
            except Exception as error:
                if value is None:
                    continue
                return Verdict("wrong", "crash", f"{place}: {type(error).__name__}: {error}")
        if value is None:
            continue                     # it raises what nothing else depends on
        if bits(found) != bits(value):
            return Verdict("wrong", "value", f"{place}: {found!r}, not {value!r}")
        if trusted and np.all(np.abs(floats(slopes)) < 1e5):
            single = any(getattr(a, "dtype", None) == np.float32 for a in args)
            for got, want in zip(gradient, slopes):
                if not close(got, want, 3e-4 if single else 1e-6):
                    return Verdict("wrong", "gradient", f"{place}: {got!r}, not {want!r}")
    return None


def other_typed(new, args):
    """The arguments with the dtypes they had."""
    return tuple(n.astype(a.dtype) if isinstance(a, np.ndarray) else n for n, a in zip(new, args))


def second_order(program, function):
    """None, or what is wrong with the derivative of the gradient along a direction."""
    import tangent_lite as tl

    args = made(program, function.__globals__)
    if any(getattr(a, "dtype", None) == np.float32 for a in args):
        return None
    gradient = tl.grad(function, wrt=program.wrt)
    rng = np.random.default_rng(program.seed)
    direction = rng.uniform(-1.0, 1.0, len(floats(args)))
    start = np.array(floats(args))

    def at(t):
        moved = rebuilt(args, iter((start + t * direction).tolist()))
        return np.array(floats(gradient(*moved)))

    tangents = rebuilt(args, iter(direction.tolist()))
    tangents = tuple(None if isinstance(a, int) else t for a, t in zip(args, tangents))
    with warnings.catch_warnings(), np.errstate(all="ignore"), printed():
        warnings.simplefilter("ignore")
        try:
            with time_limit(SECONDS):
                found = np.array(floats(tl.jvp(gradient, args, tangents)[1]))
                middle = at(0.0)
                sides = [[at(s * h) for s in (-2, -1, 1, 2)] for h in (1e-3, 1e-4)]
        except tl.TangentError as error:
            return Verdict("refused", f"second {type(error).__name__}", reason(error))
        except Exception as error:
            return Verdict("wrong", "crash", f"second order: {type(error).__name__}: {error}")
    one, two = ((a - 8 * b + 8 * c - d) / (12 * h) for (a, b, c, d), h in zip(sides, (1e-3, 1e-4)))
    smooth = all(np.max(np.abs(c - 2 * middle + b), initial=0.0) < 1e-3 for _, b, c, _ in sides)
    scale = max(1.0, np.max(np.abs(two), initial=0.0))
    if smooth and np.max(np.abs(one - two), initial=0.0) < 1e-6 * scale \
            and not np.allclose(found, two, rtol=0, atol=1e-5 * scale):
        return Verdict("wrong", "second order", f"{found!r}, not {two!r}")
    return None
