"""Functions that have rules: their value, and how an adjoint of the value reaches the arguments.

The pair of `np.sum(x, axis=0)` is that of `def call(x): return function(x, axis=0)`, which the
passes write as for any function of the user. One is made for each function, number of arguments and
combination of kinds, and kept.
"""
from __future__ import annotations

import collections
import inspect
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from tangent_lite import registry
from tangent_lite.calling.divided import DIVIDED
from tangent_lite.calling.keys import key_of
from tangent_lite.calling.parameter_kinds import found_kinds
from tangent_lite.calling.request import Request
from tangent_lite.calling.reuse import until_forgotten
from tangent_lite.directions.acting import acts
from tangent_lite.directions.given import as_emitted
from tangent_lite.errors import MissingRuleError, TangentError, UnsupportedSyntaxError
from tangent_lite.heap import handed_back, special, spelled
from tangent_lite.heap.memory import can_vary, root_of, seen, spread, taken, zero_of
from tangent_lite.heap.moving import spread_all, taken_all
from tangent_lite.heap.numbers import REAL
from tangent_lite.heap.own import is_record, of_another_class
from tangent_lite.heap.unknown import Unknown
from tangent_lite.heap.untouched import untouched
from tangent_lite.kinds import is_other_array
from tangent_lite.modules import package_of
from tangent_lite.runtime.sparse import is_sparse
from tangent_lite.runtime.tangents import attributes
from tangent_lite.trees import finish
from tangent_lite.variant import Variant

Back = Callable[[Any], Any]
_variants: dict[Any, Variant] = until_forgotten()
_requests: dict[Any, Request] = until_forgotten()
# Of calls with arguments whose adjoints no rule says: why, what to do, and which ones do have one.
_lacking: dict[Any, tuple[str, str | None, tuple[str, ...]]] = until_forgotten()
# Calls with numbers and arrays alone, by what is called and the kinds of these (see `again`).
_known: dict[Any, Known] = until_forgotten()
_NUMBERS = frozenset((float, complex, np.float64, np.complex128))
_CONSTANTS = frozenset((int, bool, str, type(None)))
_MOST = 10_000      # calls that are known, since constants are told from each other
# Packages whose functions ask objects for numbers.
_ASKING_NUMBERS = ("numpy", "math")


class Known(NamedTuple):
    """What was found out of a call with numbers and arrays alone."""
    variant: Variant
    is_by_memory: bool                          # see `handed_back`
    request: Request
    spots: tuple[int, ...]                      # which arguments are given to the code
    of_numbers: bool                            # whether all of these are numbers that vary


# What is complex here is so by its value, and of a real number it is the real part that counts.
SEEN = 0j


def again(tape: Any, function: Any, method: str | None,
          args: tuple[Any, ...]) -> tuple[Any, Back | None] | None:
    """What `primitive` gives for a call that is like one before; None if there was none.

    Most calls are of a few functions with numbers and arrays, which hold nothing that has to be
    looked into, and are no part of what the code for the call is written for.
    """
    if tape.heap.order:
        return None
    key = _known_by(function, method, args)
    known = None if key is None else _known.get(key)
    if known is None:
        return None
    variant, is_by_memory, request, spots, of_numbers = known
    given = args if len(spots) == len(args) else tuple([args[spot] for spot in spots])
    try:
        value, saved = variant.main(*given)
    except DIVIDED:
        variant, (value, saved) = ran(variant, lambda one: one.main(*given),
                                      lambda: request.function(*given))
    if of_numbers and type(value) in REAL:
        return value, _of_numbers(variant, saved, given, spots, len(args))
    if not is_by_memory:
        value = handed_back.apart(tape, function, value, args, args)
    elif is_view_of(value, args):
        return value, None
    return value, pullback(tape, variant, value, saved, given, spots, len(args), None, given)


def _of_numbers(variant: Variant, saved: Any, given: tuple[Any, ...], spots: tuple[int, ...],
                count: int) -> Back | None:
    """The same as `pullback`, of a number that is made of numbers."""
    active = variant.spots
    if not active:
        return None

    def back(adjoint: Any) -> Any:
        if adjoint is None:
            return None
        out: list[Any] = [None] * count
        if type(adjoint) is Unknown:
            for spot in spots:
                out[spot] = adjoint
            return out
        found = variant.pulled(saved, adjoint)
        for number, part in zip(active, found if len(active) > 1 else (found,)):
            out[spots[number]] = part if type(part) in REAL else \
                finish(part, given[number], set())
        return out
    return back


def _known_by(function: Any, method: str | None, args: tuple[Any, ...]) -> Any:
    """What a call is known by: constants by themselves, what varies by its kind. None if it is
    given something else than constants, numbers and arrays."""
    found: list[Any] = [registry.key_of_function(function), method]
    for arg in args:
        kind = (type(arg), arg) if type(arg) in _CONSTANTS else _type_of(arg, _NUMBERS)
        if kind is None:
            return None
        found.append(kind)
    return tuple(found)


def types_of(args: tuple[Any, ...], numbers: frozenset[Any]) -> tuple[Any, ...] | None:
    """The types of arguments, and of arrays of numbers the dimensions and the type of these; None
    if one is neither such an array nor of one of the types."""
    found = tuple([_type_of(arg, numbers) for arg in args])
    return None if None in found else found


def _type_of(arg: Any, numbers: frozenset[Any]) -> Any:
    """The type of a number, what is told apart of an array of numbers; None of anything else."""
    kind = type(arg)
    if kind is np.ndarray:
        return (arg.ndim, arg.dtype.char) if arg.dtype.kind in "biufc" else None
    return kind if kind in numbers else None


def primitive(tape: Any, function: Any, method: str | None, args: tuple[Any, ...],
              keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """The value of a call, and what takes its adjoint to those of the arguments (None if it is not
    needed); method: the name of a method of the first argument."""
    if not keywords and (step := again(tape, function, method, args)) is not None:
        return step
    values = {**{f"a{k}": v for k, v in enumerate(args)},
              **{f"{k}_": v for k, v in keywords.items()}}      # max= would hide max
    special.check(tape, special.ALL, *values.values())
    special.check_numbers(tape, *values.values())
    called = registry.key_of_function(function)
    fixed = {name: text for name, value in values.items()
             if (text := spelled.as_literal(called or method, name, value)) is not None}
    left = {name: _snapshot(value) for name, value in values.items() if name not in fixed}
    if not any(varies(value) for value in left.values()):
        if function is None or package_of(function) != "scipy" or isinstance(function, np.ufunc):
            return _native(function, method, args, keywords), None
        with untouched(tape, function.__name__, tuple(left.values())):
            return _native(function, method, args, keywords), None
    if package_of(function) in _ASKING_NUMBERS and special.says(
            tuple(left.values()), special.NUMBER | special.ARRAY):
        raise UnsupportedSyntaxError("what this call does with an object is said by its class",
                                     tape.place(), "call the method of the object")
    if tape.heap.order:
        moving = tuple(name for name, value in left.items() if tape.heap.tangents.moves(value))
        if not moving:
            return _native(function, method, args, keywords), None
    named = tuple([(name, values[name]) for name, text in fixed.items() if text == name])
    key: tuple[Any, ...] = (called, method, len(args), tuple(values), tuple(fixed.items()), named)
    request = _requests.get(key)
    if request is None:
        written = spelled.written(function, method, len(args), list(keywords), fixed, dict(named))
        request = _requests[key] = Request("vjp", written, None, False, True)
    if tape.heap.order:
        return _moved(tape, key, request.function, values, left, moving)
    given = tuple(left.values())
    variant, lacking = _variant_or_part(tape, function, key, request, left)
    if variant is not None:
        variant, (value, saved) = ran(variant, lambda one: one.main(*given),
                                       lambda: request.function(*given))
    else:
        with untouched(tape, str(getattr(function, "__name__", method)), given):
            value, saved = _native(function, method, args, keywords), None
    _check_matrix(tape, value)
    is_by_memory = handed_back.is_by_memory(function)
    if variant is not None and lacking is None and not keywords and len(_known) < _MOST \
            and (known_by := _known_by(function, method, args)) is not None:
        _known[known_by] = Known(
            variant, is_by_memory, request,
            tuple([k for k in range(len(args)) if f"a{k}" in left]),
            all(type(one) in REAL for one in given))
    if not is_by_memory:
        value = handed_back.apart(tape, function, value, list(left.values()), list(given))
    elif is_view_of(value, given):
        return value, None
    if isinstance(value, np.ndarray) and value.dtype.hasobject:
        raise of_objects(tape)
    if lacking is not None and not varies(value):
        raise lacking                               # which could not be told of it
    positions = {name: k for k, name in enumerate(values)}
    return value, pullback(tape, variant, value, saved, given,
                            [positions[name] for name in left], len(values), lacking,
                            [values[name] for name in left])


def _check_matrix(tape: Any, value: Any) -> None:
    """A sparse matrix that varies has no place in memory by which its adjoint could be found."""
    if is_sparse(value):
        error = UnsupportedSyntaxError(
            "a sparse matrix that varies is not followed by identity", tape.place(),
            "rewrite what the cause of this error names")
        error.is_told_better_by_names = True
        raise error


def pullback(tape: Any, variant: Variant | None, value: Any, saved: Any, given: tuple[Any, ...],
              spots: Sequence[int], count: int, lacking: MissingRuleError | None,
              operands: Sequence[Any]) -> Back:
    """What takes the adjoint of the value of a call to those of its arguments; spots: where those
    stand that are no part of the call itself, among all (count)."""
    result = seen(value)
    sources = [seen(operand) for operand in operands]

    def back(adjoint: Any) -> Any:
        adjoints = tape.adjoints
        seed = taken(adjoints, result, adjoint)
        paths = variant.paths if variant is not None else ()
        if seed is None or not (paths or lacking):
            return None
        parts: list[Any] = [None if lacking is None else Unknown(lacking)] * len(spots)
        if isinstance(seed, Unknown):
            parts = [seed] * len(spots)
        elif variant is not None and paths:
            gradients = variant.gradients(variant.pulled(saved, as_emitted(seed, value)), given,
                                          [], SEEN)
            for spot, gradient in zip(variant.spots, gradients):
                parts[spot] = gradient
        out: list[Any] = [None] * count
        for spot, source, part in zip(spots, sources, parts):
            out[spot] = spread(adjoints, source, part)
        return out
    return back


def _variant_or_part(tape: Any, function: Any, key: tuple[Any, ...], request: Request,
                     left: dict[str, Any]) -> tuple[Variant | None, MissingRuleError | None]:
    """The code for a call; where no rule says the adjoints of some arguments, that for the others,
    None if there are none, and why."""
    given = tuple(left.values())
    kinds_key = key + tuple([key_of(value) for value in given])
    lacking = _lacking.get(kinds_key)
    if lacking is None:
        try:
            return _variant_for(tape, key, request, given), None
        except MissingRuleError as error:
            if function is None or registry.lookup(function) is None:
                raise                           # nothing at all is known of it
            names: tuple[str, ...] = ()
            for name in [name for name, value in left.items() if varies(value)]:
                try:
                    _variant_for(tape, *_asked(key, request, (*names, name)), given)
                    names = (*names, name)
                except MissingRuleError:
                    pass
            lacking = _lacking[kinds_key] = error.reason, error.fix, names
    reason, fix, names = lacking
    return _variant_for(tape, *_asked(key, request, names), given) if names else None, \
        MissingRuleError(reason, tape.place(), fix)


def _asked(key: tuple[Any, ...], request: Request, names: tuple[str, ...]
           ) -> tuple[tuple[Any, ...], Request]:
    """The request for the adjoints of some arguments alone."""
    key = (*key, names)
    if key not in _requests:
        _requests[key] = Request("vjp", request.function, names, False, True)
    return key, _requests[key]


def _variant_for(tape: Any, key: tuple[Any, ...], request: Request,
                 given: tuple[Any, ...]) -> Variant:
    """The code for a call and arguments of such kinds."""
    kinds_key = key + tuple([key_of(value) for value in given])
    variant = _variants.get(kinds_key)
    if variant is None:
        spelled.show(request.function)
        try:
            variant = _variants[kinds_key] = Variant(request, found_kinds(request, given), given)
        except MissingRuleError as error:
            raise MissingRuleError(error.reason, tape.place(), error.fix) from None
        except TangentError as error:
            other = next((one for one in map(type, given) if is_other_array(one)), None)
            if other is not None:
                raise of_another_class(other, tape.place()) from None
            reason = error.reason if re.search(r"\bd*a\d", error.reason) is None else \
                f"this call of {_called(request)} cannot be followed"
            raise UnsupportedSyntaxError(reason, tape.place(), error.fix) from None
    return variant


def _called(request: Any) -> str:
    return str(request.function.called)


# With tangents --------------------------------------------------------------------------------
def _moved(tape: Any, key: tuple[Any, ...], call: Any, values: dict[str, Any],
           left: dict[str, Any], moving: tuple[str, ...]) -> tuple[Any, Back | None]:
    """The same where arguments carry tangents: what is called is the derivative of the call along
    them, once for each direction, and its pair takes adjoints of all components back."""
    tangents = tape.heap.tangents
    key = (*key, tangents.order, moving, tape.heap.records)
    request = _requests.get(key)
    if request is None:
        request = _requests[key] = _pushed(call, moving, tangents.order, tape.heap.records)
    # Of each argument the value, and for each direction the tangents of what was there before.
    named: list[tuple[str, int]] = [(name, 0) for name in left]
    for direction in range(tangents.order):
        named += [(name, which | 1 << direction) for name, which in named if name in moving]
    given = tuple([tangents.component(left[name], which) for name, which in named])
    if tape.heap.records:
        variant, (found, saved) = ran(
            _variant_for(tape, key, request, given), lambda one: one.main(*given),
            lambda: call(*given[:len(left)]))
    else:
        count = len([1 for _, which in named if not which >> tangents.order - 1])
        variant, found = ran(
            _variant_for(tape, key, request, given[:count]),
            lambda one: one.push_forward(given[:count], list(given[count:])),
            lambda: call(*given[:len(left)]))
    parts = [_component_of(found, which, tangents.order) for which in range(tangents.count)]
    value = parts[0]
    _check_matrix(tape, value)
    if not handed_back.is_by_memory(key[0]):
        value = handed_back.apart(tape, key[0], value, list(left.values()), list(given))
    elif is_view_of(value, given):
        return value, None
    if isinstance(value, np.ndarray) and value.dtype.hasobject:
        raise of_objects(tape)
    value = tangents.put(value, parts[1:])
    if not tape.heap.records:
        return value, None
    positions = {name: k for k, name in enumerate(values)}
    result = seen(value)
    sources = {name: seen(values[name]) for name in moving}
    asked = [pair for pair in named if pair[0] in moving]

    def back(adjoint: Any) -> Any:
        seeds = taken_all(tape, result, adjoint)
        if all(seed is None for seed in seeds):
            return None
        seeds = [as_emitted(zero_of(result) if seed is None else seed, value) for seed in seeds]
        for _ in range(tangents.order):             # pairs of pairs, as the value was
            seeds = list(zip(seeds[::2], seeds[1::2]))
        gradients = variant.gradients(variant.pulled(saved, seeds[0]), given, [], SEEN)
        by_name: dict[str, list[Any]] = {name: [None] * tangents.count for name in moving}
        for (name, which), gradient in zip(asked, gradients):
            by_name[name][which] = gradient
        out: list[Any] = [None] * len(values)
        for name, contributions in by_name.items():
            out[positions[name]] = spread_all(tape, sources[name], contributions)
        return out

    return value, back


def ran(variant: Variant, run: Callable[[Variant], Any], plain: Callable[[], Any]) \
        -> tuple[Variant, Any]:
    """What a variant gives, and which one gave it: where a number of Python's is divided by zero on
    the way, one that divides as NumPy does, if the call itself has a value."""
    try:
        return variant, run(variant)
    except DIVIDED:
        if acts(variant.derivative):
            raise
        plain()                             # raises what the call raises
        variant = variant.dividing_as_numpy
        return variant, run(variant)


def _component_of(found: Any, which: int, order: int) -> Any:
    """A component of what is returned, which is a pair for each direction, the last outermost."""
    for direction in reversed(range(order)):
        found = found[which >> direction & 1]
    return found


def _pushed(call: Any, moving: tuple[str, ...], order: int, records: bool) -> Request:
    """The derivative of a call along tangents of some arguments, as often as there are directions:
    itself to be differentiated backwards, or, if nothing is recorded, the last time forwards."""
    from tangent_lite.api import GradientFunction
    function, asked = call, list(moving)
    known = len(inspect.signature(call).parameters)
    for _ in range(order if records else order - 1):
        function = GradientFunction("jvp", function, tuple(asked), False, True)
        names = list(function.__signature__.parameters)
        asked, known = asked + names[known:], len(names)
    return Request("vjp" if records else "jvp", function, tuple(asked), False, True)


def of_objects(tape: Any) -> UnsupportedSyntaxError:
    """What an array of objects holds has no place in memory by which it could be found."""
    return UnsupportedSyntaxError("an array of objects holds what varies or changes", tape.place(),
                                  "use a list")


def is_view_of(value: Any, given: tuple[Any, ...]) -> bool:
    """Whether a result lies in the memory of an argument; refused where only a part of it does."""
    if isinstance(value, np.ndarray):
        root = root_of(value)
        return any(isinstance(g, np.ndarray) and root_of(g) is root for g in given)
    if isinstance(value, (tuple, list)) and any(isinstance(v, np.ndarray) for v in value):
        flat = [a for g in given for a in (g if isinstance(g, (tuple, list)) else (g,))]
        arrays = [v for v in value if isinstance(v, np.ndarray)]
        # Whole numbers, as np.ix_ makes them of truth values, have no adjoint to be shared.
        found = [is_view_of(v, tuple(flat))
                 for v in [a for a in arrays if varies(a)] or arrays]
        if any(found) and not all(found):
            raise UnsupportedSyntaxError("some of the results are views, and some are not", None,
                                         "copy them")
        return all(found)
    return False


def varies(value: Any, above: tuple[int, ...] = ()) -> bool:
    """Whether there are numbers in a value that may vary; above: what it is part of."""
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "fc"
    if can_vary(value) or isinstance(value, (int, str)) or value is None:
        return can_vary(value)
    if id(value) in above:
        return False
    above = (*above, id(value))
    if isinstance(value, (tuple, list, set, collections.deque)):
        return any(varies(part, above) for part in value)
    if isinstance(value, dict):
        return any(varies(part, above) for part in value.values())
    return is_record(value) and any(
        varies(part, above) for part in attributes(value).values())


def _native(function: Any, method: str | None, args: tuple[Any, ...],
            keywords: dict[str, Any]) -> Any:
    if method is not None:
        return getattr(args[0], method)(*args[1:], **keywords)
    return function(*args, **keywords)


def _snapshot(value: Any) -> Any:
    """A container as it is now: later changes of it are none of the call's business."""
    if isinstance(value, list):
        return [_snapshot(item) for item in value]
    if type(value) is dict:
        return {key: _snapshot(item) for key, item in value.items()}
    return value


def without_first(back: Back | None) -> Back | None:
    """Adjoints for all arguments but the first, which is the object that was called."""
    if back is None:
        return None

    def rest(adjoint: Any) -> Any:
        found = back(adjoint)
        return None if found is None else found[1:]
    return rest


def behind_first(step: tuple[Any, Back | None]) -> tuple[Any, Back | None]:
    """A call that has an operand in front of its arguments which gets no adjoint: the object of a
    method, or what is called."""
    value, back = step
    if back is None:
        return value, None

    def behind(adjoint: Any) -> Any:
        found = back(adjoint)
        return None if found is None else [None, *found]
    return value, behind
