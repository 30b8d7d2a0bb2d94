"""Check a derivative against differences of the function itself."""
from __future__ import annotations

import copy
import math
import types
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tangent_lite.api import GradientFunction
from tangent_lite.calling.duck_arrays import refuse as refuse_ducks
from tangent_lite.calling.request import Path, Request
from tangent_lite.checking.forward import derivative_as_function, moving_parameters
from tangent_lite.errors import (
    AliasError,
    InputError,
    MissingRuleError,
    TangentError,
    UnsupportedSyntaxError,
)
from tangent_lite.leaves import refuse_matrices
from tangent_lite.records import attribute_names, with_parts
from tangent_lite.runtime import copy_as_it_lies
from tangent_lite.runtime.tangents import attributes, bare, is_record, zero_tangent
from tangent_lite.tracebacks import direct

# Central differences of order eight: weights of f(x + k h) - f(x - k h), k = 1..4
# (Fornberg 1988, Generation of Finite Difference Formulas on Arbitrarily Spaced Grids).
STENCIL = (4 / 5, -1 / 5, 4 / 105, -1 / 280)
COARSER = (3 / 4, -3 / 20, 1 / 60, 0.0)     # of order six, from the same values
# The same to one side, of orders four and three: weights of f(x + k h) - f(x).
ONE_SIDED = (4.0, -3.0, 4 / 3, -1 / 4)
ONE_SIDED_COARSER = (3.0, -3 / 2, 1 / 3, 0.0)

# (step, tolerance, rounding) by the coarsest precision at work: rounding errors are divided by the
# step, and what the differences leave out grows with its eighth power. The step is relative.
_STEPS = {2: (1e-1, 5e-2, 1e-3), 4: (3e-2, 2e-3, 1.2e-7), 8: (1e-3, 1e-6, 2.2e-16)}
# Larger arrays are checked at so many elements, and along a direction that moves all of them.
_ELEMENTS = 40

# atol, rtol, eps, seed
_Options = tuple[float | None, float | None, float | None, int]
_REFUSALS = (MissingRuleError, UnsupportedSyntaxError, AliasError)


class Mismatch(AssertionError):
    """A derivative that differs from what differences say."""


@direct
def check_grads(fun: Any, args: tuple[Any, ...], order: int | None = None,
                modes: Sequence[str] | None = None, atol: float | None = None,
                rtol: float | None = None, eps: float | None = None, seed: int = 0) -> None:
    """Compare the derivatives of fun at args with differences.

    order: 1 for the derivative, 2 for that of the derivative as well, and so on; modes: "fwd",
    "rev" or both: from the second order on each mode is applied to each. Where reverse mode cannot
    read its own output yet, forward mode is applied to it. Left out, they are 2 and both, and what
    is refused beyond the first order of reverse mode (a function without a tangent rule) is left
    out as well; what is asked for by name is checked or refused.

    args: numbers, arrays, and tuples, lists, dicts and objects of them; what cannot vary is left
    alone. atol, rtol: allowed difference, absolute and relative; left out, they are what the
    precision of the arguments allows. eps: step of the differences, times max(1, |x|); left out,
    it is in proportion to |x|, and other steps are tried where that one tells nothing. seed: of the
    random weights that make one number of the result.

    Raises AssertionError that names the argument, the element and both numbers. A NaN on one side
    only is a difference.
    """
    if order is not None and (not isinstance(order, int) or order < 1):
        raise TangentError(f"check_grads has no order {order!r}", None, "write order=1 or more")
    if modes is not None and (not modes or not {*modes} <= {"fwd", "rev"}):
        raise TangentError(f"check_grads has no modes {modes!r}", None,
                           'write modes=("fwd", "rev"), or one of them')
    if not isinstance(args, (tuple, list)):
        raise InputError("check_grads takes the arguments as a tuple, not as "
                         f"{type(args).__name__}", None, "write (args,) for one")
    refuse_matrices(tuple(args), "check_grads")
    _check(fun, args, order, modes, (atol, rtol, eps, seed))


def _check(fun: Any, args: tuple[Any, ...], order: int | None, modes: Sequence[str] | None,
           options: _Options, exact: bool = True) -> None:
    """What check_grads does; exact: whether values are to be those of the function to the bit."""
    chosen = list(modes or ("rev", "fwd"))
    for mode in tuple(chosen):
        if mode == "rev":
            _compare_reverse(fun, args, options, exact)
            continue
        try:
            compare(fun, args, None, *options, mode, exact)
        except _REFUSALS:
            if modes is not None:
                raise
            chosen.remove(mode)
    if order == 1:
        return
    request = Request("jvp", fun, (), False, True)
    if request.has_stars:
        # Seeds and tangents stand behind the arguments, where `*rest` would take them.
        if order is None:
            return
        raise InputError(f"second derivatives of {request.name} are not checked: it takes any "
                         "number of arguments", None, "check lambda x, y: f(x, y)")
    rng = np.random.default_rng(options[-1])
    for mode in chosen:
        try:
            inner, more = derivative_as_function(fun, _copied(args), mode, rng)
            # Code of ours is read before it is written down, where sums may get another order.
            _check(inner, more, (order or 2) - 1, tuple(chosen), options, False)
        except _REFUSALS:
            if order is not None:
                raise


def _compare_reverse(fun: Any, args: tuple[Any, ...], options: _Options,
                     exact: bool) -> None:
    try:
        compare(fun, args, None, *options, exact=exact)
    except _REFUSALS as error:
        # By identity it may be refused for another reason; the first one is its cause then.
        if not any(getattr(one, "second_order", False) for one in (error, error.__cause__)):
            raise
        compare(fun, args, None, *options, "fwd", exact)


def compare(fun: Any, args: tuple[Any, ...], wrt: Any = None, atol: float | None = None,
            rtol: float | None = None, eps: float | None = None, seed: int = 0,
            mode: str = "rev", exact: bool = True) -> int:
    """One mode of check_grads, first order, for the parameters in wrt (None: all that can vary);
    how much was compared. exact: whether the values are to be equal to the bit."""
    rng = np.random.default_rng(seed)
    request = Request("vjp", fun, wrt, False, True)
    values = request.bound + request.bind(args, {})
    refuse_ducks(values, "check_grads")
    checked = (_Reverse if mode == "rev" else _Forward)(fun, args, request, values)
    value, expected = checked.value, _call(request, values)
    if not _same(value, expected, exact):
        raise Mismatch(f"{request.name} returns {expected!r}, its derivative {value!r}")
    cotangent = _random_like(value, rng)
    if wrt is None:
        paths: list[Path] = [(name,) for name in request.names[len(request.bound):]]
    else:
        paths = request.paths()
    leaves = []
    for path, gradient in zip(paths, checked.parts(cotangent, values, paths)):
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
            # How far it is to zero, as the direction counts; of many elements, to none.
            moved = np.extract(direction != 0, np.conj(direction) * leaf)
            place = float(moved[0].real) if eps is None and len(moved) == 1 else 0.0
            want, unsure = _derivative(along, steps, rounding, atol, rtol, place)
            got, weight = checked.slope(path, direction, gradient, cotangent)
            allowed = atol + unsure + rtol * max(abs(want), weight)
            if not abs(got - want) <= allowed and not (np.isnan(got) and np.isnan(want)) \
                    and got != want:
                raise Mismatch(
                    f"the derivative of {request.name} is wrong: {_spell(path)}{where}: "
                    f"{checked.mode} mode {got!r}, differences {want!r}")
    return count


class _Reverse:
    """What reverse mode says of a function at some arguments."""
    mode = "reverse"

    def __init__(self, fun: Any, args: tuple[Any, ...], request: Request,
                 values: tuple[Any, ...]) -> None:
        self.wrt = request.wrt
        derivative = GradientFunction("vjp", fun, request.wrt, False, True)
        self.value, self.pullback = derivative.pull_back(_copied(args), {})

    def parts(self, cotangent: Any, values: Any, paths: list[Path]) -> Any:
        """The gradients for a cotangent, in the structures of the arguments."""
        found = self.pullback(cotangent)
        return found if self.wrt is None or isinstance(self.wrt, tuple) else (found,)

    def slope(self, path: Path, direction: Any, gradient: Any,
              cotangent: Any) -> tuple[float, float]:
        """The derivative along a direction in one leaf, and the size of what was summed up."""
        moved_by = np.where(direction != 0, gradient, 0.0) * direction      # NaN * 0.0 is NaN
        return float(np.real(np.sum(moved_by))), float(np.sum(np.abs(moved_by)))


class _Forward:
    """What forward mode says of a function at some arguments."""
    mode = "forward"

    def __init__(self, fun: Any, args: tuple[Any, ...], request: Request,
                 values: tuple[Any, ...]) -> None:
        self.args, self.named = args, dict(zip(request.names, values))
        self.moving = moving_parameters(request, values)
        self.derivative = GradientFunction("jvp", fun, tuple(self.moving), False, True)
        zeros = [zero_tangent(self.named[name]) for name in self.moving]
        self.value = self.derivative.push_forward(_copied(args), zeros)[0] if self.moving \
            else _call(request, values)

    def parts(self, cotangent: Any, values: Any, paths: list[Path]) -> Any:
        """Something in the structures of the arguments; None for those that cannot vary."""
        found = []
        for path in paths:
            part = self.named[path[0]] if path[0] in self.moving else None
            for _, attribute in path[1:]:
                part = getattr(part, attribute)
            found.append(part)
        return found

    def slope(self, path: Path, direction: Any, gradient: Any,
              cotangent: Any) -> tuple[float, float]:
        tangents = []
        for name in self.moving:
            tangent = zero_tangent(self.named[name])
            if name == path[0]:
                leaf = direction if np.ndim(direction) or isinstance(gradient, np.ndarray) \
                    else direction[()].item()
                tangent = _replace(tangent, path[1:], leaf)
            tangents.append(tangent)
        found = self.derivative.push_forward(_copied(self.args), tangents)[1]
        return _dot(found, cotangent), _size(found, cotangent)


def _size(value: Any, cotangent: Any) -> float:
    """The sum of the absolute values of what _dot sums up."""
    if isinstance(value, dict):
        return sum(_size(value[k], cotangent[k]) for k in value)
    if isinstance(value, (tuple, list)):
        return sum(_size(v, c) for v, c in zip(value, cotangent))
    if is_record(value):
        return _size(attributes(value), attributes(cotangent))
    return float(np.sum(np.abs(np.asarray(value) * np.asarray(cotangent)))) \
        if _is_number(value) else 0.0


def _call(request: Request, values: tuple[Any, ...]) -> Any:
    """The value of the function, given the values of its parameters."""
    values = _copied(values)
    if request.derived is not None:
        return request.fun(*values[len(request.bound):])
    positional, by_name = list(values[:len(request.bound)]), {}
    for name, value in zip(request.names[len(positional):], values[len(positional):]):
        parameter = request.signature.parameters[name]
        if parameter.kind is parameter.VAR_POSITIONAL:
            positional += value
        elif parameter.kind is parameter.VAR_KEYWORD:
            by_name.update(value)
        elif parameter.kind is parameter.KEYWORD_ONLY:
            by_name[name] = value
        else:
            positional.append(value)
    return request.function(*positional, **by_name)


def _scales(size: float) -> list[float]:
    """Magnitudes to measure steps by: that of the number, smaller ones, then larger ones.

    The function may vary on the scale of a small parameter (log(dt)), on a finer one, or on that
    of something to which the number is added.
    """
    if size == 0.0 or not math.isfinite(size):
        size = 1.0
    return [size * factor for factor in (1.0, 1e-2, 1e-4, 1e-6)] + [
        size * 100.0 ** k for k in range(1, 5) if size * 100.0 ** (k - 1) < 1.0]


def _changes(along: Any, step: float, place: float) -> tuple[list[float], list[float], Any]:
    """Values of the function around a place, differences of them, and the weights of these.

    No step leads from one side of zero to the other: with a tolerance below zero a function may
    never end (`while error > tol`), with a length below zero it may not be defined.
    """
    numbers = range(1, len(STENCIL) + 1)
    if not place or len(STENCIL) * step < abs(place):
        ups, downs = [along(k * step) for k in numbers], [along(-k * step) for k in numbers]
        return [*ups, *downs], [u - d for u, d in zip(ups, downs)], (STENCIL, COARSER)
    side = math.copysign(1.0, place)
    here, beside = along(0.0), [along(k * side * step) for k in numbers]
    return [here, *beside], [side * (b - here) for b in beside], (ONE_SIDED, ONE_SIDED_COARSER)


def _derivative(along: Any, steps: list[float], rounding: float, atol: float,
                rtol: float, place: float = 0.0) -> tuple[float, float]:
    """A derivative by differences, and how much rounding may have changed it.

    The first step at which differences of two orders agree counts, if they see any change at all;
    else the one at which they agree best. place: of the number that is moved, whose sign stays; 0
    if it has none to keep.
    """
    best, doubt, blur, flat = math.nan, math.inf, 0.0, 0.0
    for step in steps:
        if step < flat:
            continue
        with np.errstate(all="ignore"):
            values, changes, orders = _changes(along, step, place)
            fine, coarse = (sum(w * c for w, c in zip(weights, changes)) / step
                            for weights in orders)
            unsure = 2.0 * sum(map(abs, orders[0])) * rounding * max(map(abs, values)) / step
            error = abs(fine - coarse) + unsure
        if not error < math.inf:                # a step too far, as in np.log(1e-3)
            continue
        is_flat = len(set(values)) == 1
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
        moved = copy_as_it_lies(leaf)
        moved[...] = leaf + by
        return moved
    return type(leaf)(leaf + by[()])


def _dot(value: Any, cotangent: Any) -> float:
    if isinstance(value, dict):
        return sum(_dot(value[k], cotangent[k]) for k in value)
    if isinstance(value, (tuple, list)):
        return sum(_dot(v, c) for v, c in zip(value, cotangent))
    if is_record(value):
        return _dot(attributes(value), attributes(cotangent))
    if not _is_number(value):
        return 0.0
    return float(np.real(np.sum(np.asarray(value) * np.asarray(cotangent))))


def _same(a: Any, b: Any, exact: bool = True) -> bool:
    """Whether two results are equal to the bit, or else but for rounding."""
    if isinstance(a, dict):
        return isinstance(b, dict) and list(a) == list(b) \
            and all(_same(a[k], b[k], exact) for k in a)
    if isinstance(a, (tuple, list)):
        return type(a) is type(b) and len(a) == len(b) \
            and all(_same(x, y, exact) for x, y in zip(a, b))
    if isinstance(a, (int, float, complex, np.ndarray, np.generic)):
        x, y = np.asarray(a), np.asarray(b)
        if x.shape != y.shape or x.dtype != y.dtype or x.dtype.hasobject:
            return x.shape == y.shape and x.dtype == y.dtype
        if not exact and x.dtype.kind in "fc":
            return _nearly_same(x, y)
        if x.dtype.char in "gG":            # there are bytes in them that mean nothing
            return np.array_equal(x, y, equal_nan=True)
        return x.tobytes() == y.tobytes()
    return True


def _nearly_same(x: np.ndarray[Any, Any], y: np.ndarray[Any, Any]) -> bool:
    """Whether two arrays differ by no more than sums do that are taken in another order."""
    found = np.abs(x[np.isfinite(x)])
    tolerance = 1e4 * float(np.finfo(x.dtype).eps)
    return np.allclose(x, y, tolerance, tolerance * max(1.0, float(found.max(initial=0.0))),
                       equal_nan=True)


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
        return with_parts(value, parts)
    if isinstance(value, np.ndarray):
        made = np.asarray(rng.uniform(0.5, 1.5, value.shape))
        return made.astype(value.dtype) if value.dtype.kind == "f" else made
    if is_record(value):
        made = bare(type(value))
        for name, part in attributes(value).items():
            object.__setattr__(made, name, _random_like(part, rng))
        return made
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
    elif is_record(argument):
        for name in attribute_names(argument):
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
    return with_parts(tree, parts)


def _copied(tree: Any) -> Any:
    """The structure with copies of its arrays and objects, since the function may change them."""
    if isinstance(tree, np.ndarray):
        return copy_as_it_lies(tree)
    if type(tree) in (tuple, list):
        return type(tree)(map(_copied, tree))
    if isinstance(tree, types.ModuleType) or (callable(tree) and not is_record(tree)):
        return tree
    return copy.deepcopy(tree)


def _spell(path: Path) -> str:
    return path[0] + "".join(f".{key}" if kind == "." else f"[{key!r}]" for kind, key in path[1:])
