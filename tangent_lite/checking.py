"""Check a derivative against differences of the function itself."""
from __future__ import annotations

import copy
import dataclasses
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tangent_lite.api import GradientFunction
from tangent_lite.checking_forward import compare_forward, derivative_as_function
from tangent_lite.errors import AliasError, InputError, TangentError, UnsupportedSyntaxError
from tangent_lite.leaves import leaves
from tangent_lite.request import Path, Request

# Central differences of order eight: weights of f(x + k h) - f(x - k h), k = 1..4
# (Fornberg 1988, Generation of Finite Difference Formulas on Arbitrarily Spaced Grids).
STENCIL = (4 / 5, -1 / 5, 4 / 105, -1 / 280)
COARSER = (3 / 4, -3 / 20, 1 / 60, 0.0)     # of order six, from the same values

# (step, tolerance, rounding) by the coarsest precision at work: rounding errors are divided by the
# step, and what the differences leave out grows with its eighth power. The step is relative.
_STEPS = {2: (1e-1, 5e-2, 1e-3), 4: (3e-2, 2e-3, 1.2e-7), 8: (1e-3, 1e-6, 2.2e-16)}
# Larger arrays are checked at so many elements, and along a direction that moves all of them.
_ELEMENTS = 40


class Mismatch(AssertionError):
    """A derivative that differs from what differences say."""


def check_grads(fun: Any, args: tuple[Any, ...], order: int = 2,
                modes: Sequence[str] = ("fwd", "rev"), atol: float | None = None,
                rtol: float | None = None, eps: float | None = None, seed: int = 0) -> None:
    """Compare the derivatives of fun at args with differences.

    order: 1 for the derivative, 2 for that of the derivative as well, and so on; modes: "fwd",
    "rev" or both: from the second order on each mode is applied to each. Where reverse mode cannot
    read its own output yet, forward mode is applied to it.

    args: numbers, arrays, and tuples, lists, dicts and objects of them; what cannot vary is left
    alone. atol, rtol: allowed difference, absolute and relative; left out, they are what the
    precision of the arguments allows. eps: step of the differences, times max(1, |x|); left out,
    it is in proportion to |x|, and other steps are tried where that one tells nothing. seed: of the
    random weights that make one number of the result.

    Raises AssertionError that names the argument, the element and both numbers. A NaN on one side
    only is a difference.
    """
    if not isinstance(order, int) or order < 1:
        raise TangentError(f"check_grads has no order {order!r}", None, "write order=1 or more")
    if isinstance(modes, str) or not modes or not set(modes) <= {"fwd", "rev"}:
        raise TangentError(f"check_grads has no modes {modes!r}", None,
                           'write modes=("fwd", "rev"), or one of them')
    for mode in modes:
        if mode == "rev":
            _compare_reverse(fun, args, atol, rtol, eps, seed)
        else:
            compare_push(fun, args, atol, rtol, eps, seed)
    if order == 1:
        return
    rng = np.random.default_rng(seed)
    for mode in modes:
        inner, more = derivative_as_function(fun, _copied(args), mode, rng)
        check_grads(inner, more, order - 1, modes, atol, rtol, eps, seed)


def _compare_reverse(fun: Any, args: tuple[Any, ...], atol: float | None, rtol: float | None,
                     eps: float | None, seed: int) -> None:
    try:
        compare(fun, args, None, atol, rtol, eps, seed)
    except (UnsupportedSyntaxError, AliasError) as error:
        if not getattr(error, "second_order", False):
            raise
        compare_push(fun, args, atol, rtol, eps, seed)


def compare_push(fun: Any, args: tuple[Any, ...], atol: float | None, rtol: float | None,
                 eps: float | None, seed: int) -> None:
    """Forward mode against differences along random directions."""
    sizes = [np.asarray(leaf).real.dtype.itemsize for leaf in leaves(args)]
    step, tolerance, _ = _STEPS.get(min(sizes, default=8), _STEPS[8])

    def call(request: Request, values: tuple[Any, ...]) -> Any:
        return _call(request, values)

    def slope(along: Any, size: float) -> list[Any]:
        found = _slopes(along, size)
        if any(np.isnan(part).any() for part in found):     # a step too far, as in np.log(1e-3)
            found = _slopes(along, 1e-4 * size)
        return found

    for wrong in compare_forward(fun, _copied(args), call, _same, step if eps is None else eps,
                                 tolerance if atol is None else atol,
                                 tolerance if rtol is None else rtol, slope, seed):
        raise Mismatch(wrong)


def _slopes(along: Any, size: float) -> list[Any]:
    """The difference quotient of a function that returns a list of numbers and arrays."""
    total: list[Any] | None = None
    with np.errstate(all="ignore"):
        for k, weight in enumerate(STENCIL, 1):
            try:
                pairs = zip(along(k * size), along(-k * size))
                parts = [weight * (np.asarray(a) - np.asarray(b)) / size for a, b in pairs]
            except (ArithmeticError, ValueError):           # math.log of a negative number
                parts = [np.asarray(np.nan) * np.asarray(a) for a in along(0.0)]
            total = parts if total is None else [s + p for s, p in zip(total, parts)]
    return total or []


def compare(fun: Any, args: tuple[Any, ...], wrt: Any = None, atol: float | None = None,
            rtol: float | None = None, eps: float | None = None, seed: int = 0) -> int:
    """check_grads for the parameters in wrt (None: all that can vary); how much was compared."""
    rng = np.random.default_rng(seed)
    derivative = GradientFunction("vjp", fun, wrt, False, True)
    request = derivative.request
    values = request.bound + request.bind(args, {})
    value, pullback = derivative.pull_back(_copied(args), {})
    expected = _call(request, values)
    if not _same(value, expected):
        raise Mismatch(f"{request.name} returns {expected!r}, its derivative {value!r}")
    cotangent = _random_like(value, rng)
    found = pullback(cotangent)
    if wrt is None:
        paths: list[Path] = [(name,) for name in request.names[len(request.bound):]]
    else:
        paths, found = request.paths(), found if isinstance(wrt, tuple) else (found,)
    leaves = []
    for path, gradient in zip(paths, found):
        argument = values[request.names.index(path[0])]
        for _, attribute in path[1:]:
            argument = getattr(argument, attribute)
        leaves += list(_leaves(argument, gradient, path))
    if not leaves:
        raise InputError(f"{request.name}: no argument holds floating-point numbers, so there is "
                         "nothing to compare", None, "pass floats (1.0, not 1)")
    size = min(np.asarray(leaf).real.dtype.itemsize
               for leaf in [*(leaf for _, leaf, _ in leaves), *_numbers_in(value)])
    step, tolerance, rounding = _STEPS.get(size, _STEPS[8])
    atol, rtol = tolerance if atol is None else atol, tolerance if rtol is None else rtol
    count = 0
    for path, leaf, gradient in leaves:
        for where, direction in _directions(leaf, rng):
            count += 1

            def along(t: float, path: Path = path, leaf: Any = leaf,
                      direction: Any = direction) -> float:
                moved = _moved(leaf, t * direction)
                number = request.names.index(path[0])
                changed = list(_copied(values))
                changed[number] = _replace(changed[number], path[1:], moved)
                try:
                    return _dot(_call(request, tuple(changed)), cotangent)
                except ArithmeticError:         # math.exp of a large number
                    return math.nan
                except ValueError as error:     # math.log of a negative one
                    if "math domain" not in str(error) and "expected a" not in str(error):
                        raise
                    return math.nan

            size_of = float(np.max(np.abs(np.where(direction != 0, leaf, 0.0))))
            steps = [step * s for s in _scales(size_of)] if eps is None else [
                eps * max(1.0, size_of), 1e-4 * eps]
            want, unsure = _derivative(along, steps, rounding, atol, rtol)
            moved_by = np.where(direction != 0, gradient, 0.0) * direction  # NaN * 0.0 is NaN
            got, weight = float(np.real(np.sum(moved_by))), float(np.sum(np.abs(moved_by)))
            allowed = atol + unsure + rtol * max(abs(want), weight)
            if not abs(got - want) <= allowed and not (np.isnan(got) and np.isnan(want)) \
                    and got != want:
                raise Mismatch(
                    f"the derivative of {request.name} is wrong: {_spell(path)}{where}: "
                    f"reverse mode {got!r}, differences {want!r}")
    return count


def _call(request: Request, values: tuple[Any, ...]) -> Any:
    values = _copied(values)
    if request.derived is not None:
        return request.fun(*values[len(request.bound):])
    count = len(values) - len(request.keyword_only)
    return request.function(*values[:count], **dict(zip(request.keyword_only, values[count:])))


def _scales(size: float) -> list[float]:
    """Magnitudes to measure steps by: that of the number, smaller ones, then larger ones.

    The function may vary on the scale of a small parameter (log(dt)), on a finer one, or on that
    of something to which the number is added.
    """
    if size == 0.0 or not math.isfinite(size):
        size = 1.0
    return [size * factor for factor in (1.0, 1e-2, 1e-4, 1e-6)] + [
        size * 100.0 ** k for k in range(1, 5) if size * 100.0 ** (k - 1) < 1.0]


def _derivative(along: Any, steps: list[float], rounding: float, atol: float,
                rtol: float) -> tuple[float, float]:
    """A derivative by differences, and how much rounding may have changed it.

    The first step at which differences of two orders agree counts, if they see any change at all;
    else the one at which they agree best.
    """
    best, doubt, blur, flat = math.nan, math.inf, 0.0, 0.0
    for step in steps:
        if step < flat:
            continue
        with np.errstate(all="ignore"):
            values = [(along(k * step), along(-k * step)) for k in range(1, len(STENCIL) + 1)]
            changes = [up - down for up, down in values]
            fine, coarse = (sum(w * c for w, c in zip(weights, changes)) / step
                            for weights in (STENCIL, COARSER))
            unsure = 2.0 * rounding * max(abs(v) for pair in values for v in pair) / step
            error = abs(fine - coarse) + unsure
        if not error < math.inf:                # a step too far, as in np.log(1e-3)
            continue
        is_flat = len({v for pair in values for v in pair}) == 1
        if error <= 0.5 * (atol + rtol * abs(fine)) and not is_flat:
            return fine, unsure
        if is_flat:
            flat = step                         # a smaller step would see no more
        if error < doubt:
            best, doubt, blur = fine, error, unsure
    return best, blur


def _directions(leaf: Any, rng: np.random.Generator) -> Iterator[tuple[str, Any]]:
    """Where to go from a number or array: along elements, from a large one also in all at once."""
    shape = np.shape(leaf)
    units = (1.0, 1j) if np.iscomplexobj(leaf) else (1.0,)
    size = int(np.size(leaf))
    numbers = range(size) if size <= _ELEMENTS else \
        sorted(rng.choice(size, _ELEMENTS, replace=False))
    for number in numbers:
        index = tuple(int(i) for i in np.unravel_index(number, shape)) if shape else ()
        where = f"[{', '.join(map(str, index))}]" if shape else ""
        for unit in units:
            direction = np.zeros(shape, complex if len(units) > 1 else float)
            direction[index] = unit
            yield where + (" (imaginary part)" if unit == 1j else ""), direction
    if size > _ELEMENTS:
        yield " along a random direction", sum(unit * rng.standard_normal(shape) for unit in units)


def _moved(leaf: Any, by: Any) -> Any:
    if isinstance(leaf, np.ndarray):
        # The strides are kept: what ravel and reshape return depends on them.
        moved = leaf.copy(order="K")
        moved[...] = leaf + by
        return moved
    return type(leaf)(leaf + by[()])


def _dot(value: Any, cotangent: Any) -> float:
    if isinstance(value, dict):
        return sum(_dot(value[k], cotangent[k]) for k in value)
    if isinstance(value, (tuple, list)):
        return sum(_dot(v, c) for v, c in zip(value, cotangent))
    if not _is_number(value):
        return 0.0
    return float(np.real(np.sum(np.asarray(value) * np.asarray(cotangent))))


def _same(a: Any, b: Any) -> bool:
    """Whether two results are equal to the bit."""
    if isinstance(a, dict):
        return isinstance(b, dict) and list(a) == list(b) and all(_same(a[k], b[k]) for k in a)
    if isinstance(a, (tuple, list)):
        return type(a) is type(b) and len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, (int, float, complex, np.ndarray, np.generic)):
        x, y = np.asarray(a), np.asarray(b)
        return x.shape == y.shape and x.dtype == y.dtype and \
            (x.dtype.hasobject or x.tobytes() == y.tobytes())
    return True


def _is_number(value: Any) -> bool:
    return isinstance(value, (float, complex, np.floating, np.complexfloating)) or (
        isinstance(value, np.ndarray) and value.dtype.kind in "fc")


def _numbers_in(value: Any) -> list[Any]:
    return [leaf for _, leaf, _ in _leaves(value, value, ())]


def _random_like(value: Any, rng: np.random.Generator) -> Any:
    if isinstance(value, dict):
        return {k: _random_like(v, rng) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        parts = [_random_like(v, rng) for v in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if isinstance(value, np.ndarray):
        made = np.asarray(rng.uniform(0.5, 1.5, value.shape))
        return made.astype(value.dtype) if value.dtype.kind == "f" else made
    return float(rng.uniform(0.5, 1.5)) if _is_number(value) else value


def _leaves(argument: Any, gradient: Any, path: Path) -> Iterator[tuple[Path, Any, Any]]:
    """Paths, values and gradients of the numbers and arrays that may vary."""
    if gradient is None:
        return
    if isinstance(argument, dict):
        for key, part in argument.items():
            yield from _leaves(part, gradient[key], (*path, ("[", key)))
    elif isinstance(argument, (tuple, list)):
        for number, part in enumerate(argument):
            yield from _leaves(part, gradient[number], (*path, ("[", number)))
    elif _is_number(argument):
        yield path, argument, gradient
    elif hasattr(argument, "__dict__") and not callable(argument):
        names = [f.name for f in dataclasses.fields(argument)] \
            if dataclasses.is_dataclass(argument) else list(vars(argument))
        for name in names:
            yield from _leaves(getattr(argument, name), getattr(gradient, name),
                               (*path, (".", name)))


def _replace(tree: Any, path: Path, value: Any) -> Any:
    """The structure with one part exchanged."""
    if not path:
        return value
    (kind, key), *rest = path
    if kind == ".":
        made = copy.copy(tree)
        object.__setattr__(made, key, _replace(getattr(tree, key), tuple(rest), value))
        return made
    if isinstance(tree, dict):
        made = copy.copy(tree)
        made[key] = _replace(tree[key], tuple(rest), value)
        return made
    parts = list(tree)
    parts[key] = _replace(tree[key], tuple(rest), value)
    return type(tree)(*parts) if hasattr(tree, "_fields") else type(tree)(parts)


def _copied(tree: Any) -> Any:
    """The structure with copies of its arrays, since the function may write to them."""
    if isinstance(tree, np.ndarray):
        return tree.copy(order="K")
    if type(tree) in (tuple, list):
        return type(tree)(map(_copied, tree))
    return tree if callable(tree) else copy.deepcopy(tree)


def _spell(path: Path) -> str:
    return path[0] + "".join(f".{key}" if kind == "." else f"[{key!r}]" for kind, key in path[1:])
