"""Functions of Python's library that take containers or functions, each told what it does.

A handler takes the tape and the arguments, and gives the value and what takes the adjoint of the
value to the arguments, in their order (keywords last).
"""
from __future__ import annotations

import builtins
import collections
import copy
import dataclasses
import functools
import itertools
import math
import operator
import typing
from collections.abc import Callable
from typing import Any

import numpy as np

from tangent_lite.checkpoints import checkpoint
from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap import arrays, classes, containers, iteration, models, operations
from tangent_lite.heap.containers import Moves, holds
from tangent_lite.heap.deep import COPYING, deep_copy, special_of
from tangent_lite.heap.memory import Parts, can_vary
from tangent_lite.heap.own import is_record, keep
from tangent_lite.heap.primitives import Back, primitive, varies
from tangent_lite.heap.unknown import Unknown
from tangent_lite.protocols import BY_METHOD
from tangent_lite.runtime_objects import blank
from tangent_lite.runtime_places import joined_columns, joined_rows
from tangent_lite.runtime_tangents import attributes

Handler = Callable[..., tuple[Any, "Back | None"]]
HANDLERS: dict[Any, Handler] = {}


def handles(*functions: Any) -> Callable[[Handler], Handler]:
    """Register a handler."""
    def register(handler: Handler) -> Handler:
        for function in functions:
            HANDLERS[function] = handler
        return handler
    return register


# Sequences ------------------------------------------------------------------------------------
@handles(list)
def list_(tape: Any, *xs: Any) -> tuple[Any, Back | None]:
    return _copied(tape, list, xs)


@handles(tuple)
def tuple_(tape: Any, *xs: Any) -> tuple[Any, Back | None]:
    if xs and type(xs[0]) is tuple:
        return xs[0], lambda adjoint: (adjoint,)
    return _copied(tape, tuple, xs)


def _copied(tape: Any, kind: Any, xs: tuple[Any, ...]) -> tuple[Any, Back | None]:
    if not xs:
        return kind(), None
    items = tape.listed(xs[0])
    made = kind(items)
    moves = Moves(tape, made)
    for k, item in enumerate(made):
        if holds(item):
            moves.part(k, 0, items, k)
    return made, moves.back(1)


@handles(collections.deque)
def deque_(tape: Any, *xs: Any, maxlen: Any = None) -> tuple[Any, Back | None]:
    if len(xs) > 1:
        maxlen = xs[1]
    made: Any = collections.deque(maxlen=maxlen)
    if not xs:
        return made, None
    items = tape.listed(xs[0])
    made.extend(items)
    moves = Moves(tape, made)
    for k in range(len(made)):
        if holds(made[k]):
            moves.part(k, 0, items, len(items) - len(made) + k)
    return made, moves.back(len(xs))


@handles(dict)
def dict_(tape: Any, /, *xs: Any, **keywords: Any) -> tuple[Any, Back | None]:
    return _dict(tape, {}, xs, keywords)


@handles(collections.OrderedDict)
def ordered_dict_(tape: Any, /, *xs: Any, **keywords: Any) -> tuple[Any, Back | None]:
    return _dict(tape, collections.OrderedDict(), xs, keywords)


@handles(dict.fromkeys)
def fromkeys_(tape: Any, keys: Any, value: Any = None) -> tuple[Any, Back | None]:
    made = dict.fromkeys(tape.listed(keys), value)
    moves = Moves(tape, made)
    for key in made:
        if holds(value):
            moves.item(key, 1)
    return made, moves.back(2)


@handles(collections.defaultdict)
def defaultdict_(tape: Any, /, *xs: Any, **keywords: Any) -> tuple[Any, Back | None]:
    made: Any = collections.defaultdict(xs[0] if xs else None)
    _, back = _dict(tape, made, xs[1:], keywords)
    return made, None if back is None else (
        lambda adjoint: _prefixed(back(adjoint), len(xs[:1])))


def _prefixed(found: Any, count: int) -> Any:
    return None if found is None else [None] * count + list(found)


def _dict(tape: Any, made: Any, xs: tuple[Any, ...],
          keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    if not xs and not keywords:
        return made, None
    _, back = containers.update(tape, made, xs, keywords)
    return made, back


@handles(set, frozenset)
def set_(tape: Any, *xs: Any) -> tuple[Any, Back | None]:
    items = list(tape.listed(xs[0])) if xs else []
    return containers.display(tape, set, tuple(items))[0], None


@handles(checkpoint)
def checkpoint_(tape: Any, function: Any) -> tuple[Any, Back | None]:
    """The function itself: all that the backward pass needs is kept here anyhow."""
    return function, lambda adjoint: (adjoint,)


@handles(len)
def len_(tape: Any, xs: Any) -> tuple[Any, Back | None]:
    return len(xs), None


@handles(id)
def id_(tape: Any, x: Any) -> tuple[Any, Back | None]:
    return id(tape.heap.shared.original(x)), None


HANDLERS[operator.is_] = lambda tape, a, b: (tape.heap.shared.is_one(a, b), None)
HANDLERS[operator.is_not] = lambda tape, a, b: (not tape.heap.shared.is_one(a, b), None)


@handles(np.lib.stride_tricks.as_strided)
def as_strided_(tape: Any, x: Any, *how: Any, **options: Any) -> tuple[Any, Back | None]:
    """It lies in the memory of x, and that has the adjoints and the tangents."""
    array, back = (x, None) if isinstance(x, np.ndarray) else tape.called(np.asarray, (x,), {})
    return np.lib.stride_tricks.as_strided(array, *how, **options), back


@handles(np.shares_memory, np.may_share_memory)
def shares_memory_(tape: Any, a: Any, b: Any, *bounds: Any,
                   **options: Any) -> tuple[Any, Back | None]:
    if tape.heap.shared.are_several(a, b):
        raise UnsupportedSyntaxError("whether two arrays share memory is asked of what was given "
                                     "twice", tape.place(), "ask whether one is the other")
    return np.shares_memory(a, b, *bounds, **options), None


def _iterator(made: Any) -> tuple[Any, Back | None]:
    return _lazy(made) if isinstance(made, iteration.Lazy) else (made, None)


HANDLERS.update({
    zip: lambda tape, *xs, strict=False: _lazy(iteration.zipped(tape, *xs, strict=strict)),
    enumerate: lambda tape, xs, start=0: _lazy(iteration.enumerated(tape, xs, start)),
    iter: lambda tape, xs: _iterator(iteration.iterated(tape, xs)),
    map: lambda tape, f, *xs: _lazy(iteration.mapped(tape, f, *xs)),
    filter: lambda tape, f, xs: _lazy(iteration.filtered(tape, f, xs)),
    np.ndenumerate: lambda tape, x: _lazy(iteration.numbered(tape, x)),
    itertools.chain: lambda tape, *xs: _lazy(iteration.chained(tape, *xs)),
    itertools.islice: lambda tape, xs, *bounds: _lazy(iteration.sliced(tape, xs, *bounds)),
})


HANDLERS.update({
    itertools.takewhile: lambda tape, f, xs: _lazy(iteration.while_true(tape, f, xs, drop=False)),
    itertools.dropwhile: lambda tape, f, xs: _lazy(iteration.while_true(tape, f, xs, drop=True)),
})
HANDLERS.update({
    itertools.chain.from_iterable: lambda tape, xss: _lazy(iteration.chained_all(tape, xss)),
    itertools.starmap: lambda tape, f, xs: _lazy(iteration.mapped(tape, f, xs, starred=True)),
    itertools.repeat: lambda tape, x, *n, times=None: _lazy(
        iteration.repeated(tape, x, *n, *([] if times is None else [times]))),
    itertools.compress: lambda tape, xs, which: _lazy(iteration.compressed(tape, xs, which)),
    itertools.filterfalse: lambda tape, f, xs: _lazy(
        iteration.filtered(tape, f, xs, wanted=False)),
})
for _one in (itertools.combinations, itertools.permutations,
             itertools.combinations_with_replacement):
    HANDLERS[_one] = lambda tape, xs, *r, _one=_one: _lazy(
        iteration.indexed(_one, xs, *r, tape=tape, count=1))
HANDLERS[itertools.pairwise] = lambda tape, xs: _lazy(iteration.paired(tape, xs))
HANDLERS[itertools.product] = lambda tape, *xs, **options: _lazy(
    iteration.indexed(itertools.product, *xs, tape=tape, count=max(len(xs), 1), **options))


@handles(itertools.accumulate)
def accumulate_(tape: Any, xs: Any, *more: Any, func: Any = None,
                **options: Any) -> tuple[Any, Back | None]:
    lazy = iteration.accumulated(tape, xs, *(more or (func or operator.add,)), **options)
    count = 1 + len(more) + (func is not None)

    def back(_: Any) -> Any:
        found = lazy.back(None)
        return None if found is None else [found[0], *[None] * (count - 1), found[2]]
    return lazy, back


@handles(itertools.zip_longest)
def zip_longest_(tape: Any, *xs: Any, fillvalue: Any = None) -> tuple[Any, Back | None]:
    return _lazy(iteration.zipped_to_longest(tape, *xs, filling=fillvalue))


def _lazy(lazy: Any) -> tuple[Any, Back | None]:
    return lazy, lazy.back


@handles(reversed)
def reversed_(tape: Any, xs: Any) -> tuple[Any, Back | None]:
    if is_record(xs) and hasattr(type(xs), "__reversed__"):
        return tape.called(type(xs).__reversed__, (xs,), {})
    return _lazy(iteration.backwards(tape, xs))


@handles(next)
def next_(tape: Any, it: Any, *default: Any) -> tuple[Any, Back | None]:
    if is_record(it):
        return tape.called(type(it).__next__, (it,), {})
    if not isinstance(it, iteration.Lazy):
        value = next(it, *default)
        if varies(value):
            raise UnsupportedSyntaxError(f"what a {type(it).__name__} goes through cannot be "
                                         "followed", tape.place(), "loop over a list")
        return value, None
    step = next(it.steps, None)
    if step is None:
        if not default:
            raise StopIteration
        return default[0], lambda adjoint: (None, adjoint)
    value, back = step

    def returned(adjoint: Any) -> None:
        if back is not None:
            back(adjoint)
    return value, returned


@handles(any, all)
def any_(tape: Any, xs: Any) -> tuple[Any, Back | None]:
    raise AssertionError("told apart in calls")


def _any(tape: Any, xs: Any, wanted: bool) -> tuple[Any, Back | None]:
    for value, back in iteration.steps(tape, xs):
        if back is not None:
            tape.push(lambda _, back=back: back(None))
        if operations.truth(tape, value) is wanted:
            return wanted, None
    return not wanted, None


HANDLERS[any] = lambda tape, xs: _any(tape, xs, True)
HANDLERS[all] = lambda tape, xs: _any(tape, xs, False)


class ByComparison:
    """The key of a sort that goes by a function of two items."""

    def __init__(self, compare: Any) -> None:
        self.compare = compare


HANDLERS[functools.cmp_to_key] = lambda tape, mycmp: (ByComparison(mycmp), None)


def order_of(tape: Any, items: Any, key: Any, reverse: bool) -> list[int]:
    """The positions of the items, sorted as Python sorts."""
    if isinstance(key, ByComparison):
        return sorted(range(len(items)), reverse=reverse, key=functools.cmp_to_key(
            lambda a, b: tape.aside(key.compare, (items[a], items[b]), {})))
    ranks = [item if key is None else tape.aside(key, (item,), {}) for item in items]

    def compared(a: int, b: int) -> int:
        # Python sorts by `<` alone.
        return -1 if operations.compare(tape, "lt", ranks[a], ranks[b]) else 0

    if any(operations.is_overloaded(rank, "__lt__") for rank in ranks):
        return sorted(range(len(items)), key=functools.cmp_to_key(compared), reverse=reverse)
    return sorted(range(len(items)), key=ranks.__getitem__, reverse=reverse)


@handles(sorted)
def sorted_(tape: Any, xs: Any, key: Any = None, reverse: bool = False) \
        -> tuple[Any, Back | None]:
    items = tape.listed(xs)
    order = order_of(tape, items, key, reverse)
    made = [items[k] for k in order]
    moves = Moves(tape, made)
    for k, spot in enumerate(order):
        if holds(made[k]):
            moves.part(k, 0, items, spot)
    return made, moves.back(1)


# Attributes -----------------------------------------------------------------------------------
@handles(getattr)
def getattr_(tape: Any, x: Any, name: str, *default: Any) -> tuple[Any, Back | None]:
    try:
        value, back = classes.get(tape, x, name)
    except AttributeError:
        if not default:
            raise
        return default[0], lambda adjoint: (None, None, adjoint)
    return value, None if back is None else (lambda adjoint: _padded(back(adjoint)))


def _padded(found: Any) -> Any:
    return None if found is None else (found[0], None, None)


@handles(object.__getattribute__)
def object_getattribute(tape: Any, x: Any, name: str) -> tuple[Any, Back | None]:
    value, back = classes.get_plainly(tape, x, name)
    return value, None if back is None else (lambda adjoint: _padded(back(adjoint)))


@handles(setattr)
def setattr_(tape: Any, x: Any, name: str, value: Any) -> tuple[Any, Back | None]:
    back = classes.set_(tape, x, name, value)
    return None, _third(back)


@handles(object.__setattr__)
def object_setattr(tape: Any, x: Any, name: str, value: Any) -> tuple[Any, Back | None]:
    return None, _third(classes.set_plainly(tape, x, name, value))


def _third(back: Back | None) -> Back | None:
    if back is None:
        return None

    def third(adjoint: Any) -> Any:
        found = back(adjoint)
        return None if found is None else (None, None, found[0])
    return third


@handles(delattr)
def delattr_(tape: Any, x: Any, name: str) -> tuple[Any, Back | None]:
    return None, classes.delete(tape, x, name)


# Copies ---------------------------------------------------------------------------------------
@handles(copy.copy)
def copy_(tape: Any, x: Any) -> tuple[Any, Back | None]:
    if isinstance(x, np.ndarray):
        return primitive(tape, None, "copy", (x,), {})
    if is_record(x):
        if hasattr(type(x), "__copy__"):
            value, back = tape.called(type(x).__copy__, (x,), {})
            return value, back
        special = special_of(x, COPYING)
        if special is not None:
            raise UnsupportedSyntaxError(f"{type(x).__name__} says in {special} how it is copied, "
                                         "which cannot be followed", tape.place(),
                                         "write a method that makes the copy")
        made = blank(type(x))
        moves = Moves(tape, made)
        for name, value in attributes(x).items():
            keep(x, made, name, value)
            if holds(value):
                moves.part(name, 0, x, name)
        tape.heap.ours(made)
        return made, moves.back(1)
    return shallow(tape, x)


def shallow(tape: Any, x: Any) -> tuple[Any, Back | None]:
    """x.copy() of a list, dict or set."""
    if isinstance(x, (tuple, str, int, float, complex, type(None), np.generic)):
        return x, lambda adjoint: (adjoint,)
    made = copy.copy(x)
    moves = Moves(tape, made)
    keys = x if isinstance(x, dict) else range(len(x)) if isinstance(x, containers.LISTS) else ()
    for key in keys:
        if holds(x[key]):
            moves.part(key, 0, x, key)
    return made, moves.back(1)


@handles(copy.deepcopy)
def deepcopy_(tape: Any, x: Any) -> tuple[Any, Back | None]:
    return deep_copy(tape, x)


@handles(dataclasses.replace)
def replace_(tape: Any, x: Any, /, **changes: Any) -> tuple[Any, Back | None]:
    kind = type(x)
    names = [f.name for f in dataclasses.fields(x) if f.init]
    values = {name: changes.get(name, getattr(x, name)) for name in names}
    if set(changes) - set(names):
        made = dataclasses.replace(x, **changes)        # raises what Python raises, mostly
        raise UnsupportedSyntaxError(f"dataclasses.replace gives {type(made).__name__} values that "
                                     "are no fields", tape.place(), "call the class itself")
    made, back = tape.called(kind, (), values)

    def split(adjoint: Any) -> Any:
        found = back(adjoint) if back is not None else None
        if found is None:
            return None
        parts = dict(zip(names, found))
        for name in names:
            if name not in changes:
                tape.adjoints.add_slot(x, name, parts.get(name))
        return [None, *(parts.get(name) for name in changes)]
    return made, split


# Numbers --------------------------------------------------------------------------------------
@handles(float, complex)
def float_(tape: Any, *args: Any) -> tuple[Any, Back | None]:
    raise AssertionError("told apart in calls")


def _number(tape: Any, kind: Any, args: tuple[Any, ...]) -> tuple[Any, Back | None]:
    if args and isinstance(args[0], str):
        if tape.heap.writes_text:
            raise UnsupportedSyntaxError("a number is read from a text, into which numbers were "
                                         "written before", tape.place(),
                                         "keep the number in a variable")
        return kind(*args), None
    return primitive(tape, kind, None, args, {})


HANDLERS[float] = lambda tape, *args: _number(tape, float, args)
HANDLERS[complex] = lambda tape, *args: _number(tape, complex, args)


def _written_as_text(function: Any) -> Handler:
    def text(tape: Any, /, *args: Any, **keywords: Any) -> tuple[Any, Back | None]:
        tape.heap.writes_text = True
        shown = operations.shown(tape, args[0], function, *args[1:]) if args else None
        if shown is not None:
            return shown, None
        return function(*args, **keywords), None
    return text


for _function in (str, repr, format, ascii):
    HANDLERS[_function] = _written_as_text(_function)
# What has no derivative, and changes nothing that has one.
for _quiet in (print, isinstance, issubclass, callable, hasattr, hash, type, int, range,
               slice, input, ord, chr, bin, hex, oct, math.isnan, math.isinf, math.isfinite,
               math.isclose, operator.truth, operator.not_,
               functools.wraps, functools.update_wrapper, collections.namedtuple):
    HANDLERS[_quiet] = lambda tape, *args, _quiet=_quiet, **keywords: (
        _quiet(*args, **keywords), None)
HANDLERS[operator.contains] = lambda tape, x, y: (operations.compare(tape, "in", y, x), None)
HANDLERS[typing.cast] = lambda tape, kind, x: (x, lambda adjoint: (None, adjoint))
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    HANDLERS[getattr(operator, _name)] = lambda tape, x, y, _name=_name: (
        operations.compare(tape, _name, x, y), None)
for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_",
              "xor"):
    HANDLERS[getattr(operator, _name)] = lambda tape, x, y, _name=_name: \
        operations.binary(tape, _name, x, y)
for _name in ("iadd", "isub", "imul", "itruediv", "ipow", "imatmul", "ifloordiv", "imod"):
    HANDLERS[getattr(operator, _name)] = lambda tape, x, y, _name=_name: \
        operations.in_place(tape, _name, x, y)
for _name in ("neg", "pos"):
    HANDLERS[getattr(operator, _name)] = lambda tape, x, _name=_name: \
        operations.unary(tape, _name, x)
HANDLERS[bool] = lambda tape, *x: (bool(x) and operations.truth(tape, x[0]), None)
HANDLERS[operator.getitem] = lambda tape, x, key: tape.got(x, key)
HANDLERS[pow] = lambda tape, x, y, *m: operations.binary(tape, "pow", x, y) if not m else (
    pow(x, y, *m), None)


@handles(round)
def round_(tape: Any, x: Any, *digits: Any) -> tuple[Any, Back | None]:
    if isinstance(x, np.ndarray):
        return primitive(tape, np.round, None, (x, *digits), {})
    return round(x, *digits), None


def _asking(function: Any, method: str, plain: Handler | None) -> Handler:
    """A builtin that asks the class of its argument for a method (see `protocols`)."""
    def handler(tape: Any, /, *args: Any, **keywords: Any) -> tuple[Any, Back | None]:
        if args and operations.is_overloaded(args[0], method):
            found = getattr(type(args[0]), method, None)
            if found is not None:
                return tape.called(found, args, keywords)
        if plain is not None:
            return plain(tape, *args, **keywords)
        return primitive(tape, function, None, args, keywords)
    return handler


for _function, _name in BY_METHOD:
    HANDLERS[_function] = _asking(_function, _name, HANDLERS.get(_function))


@handles(operator.setitem)
def setitem_(tape: Any, x: Any, key: Any, value: Any) -> tuple[Any, Back | None]:
    return None, _third(tape.wrote(x, key, value))


# Arrays that are written to -------------------------------------------------------------------
@handles(np.copyto)
def copyto_(tape: Any, dst: Any, src: Any, casting: str = "same_kind", where: Any = True) \
        -> tuple[Any, Back | None]:
    arrays.check_overlap(tape, dst, ..., src)
    if arrays.moves_along(tape, dst, src):
        return None, arrays.copy_moving(tape, dst, src, where)
    source = arrays.written(src)
    change = arrays.Change(tape, dst, ...)
    with change:
        np.copyto(dst, src, casting=casting, where=where)  # type: ignore[arg-type]
    mask = np.broadcast_to(where, dst.shape)

    def rest(adjoint: Any) -> Any:
        if isinstance(adjoint, Unknown):
            return (None, arrays.to_value(tape, source, adjoint))
        kept = np.where(mask, 0.0, adjoint)
        found = arrays.to_value(tape, source, np.where(mask, adjoint, 0.0))
        tape.adjoints.add(dst, kept)
        return (None, found)

    return None, change.back(rest)


def _joined(function: Any) -> Handler:
    """np.r_[x, y], written as a call of its method."""
    def joined(tape: Any, key: Any) -> tuple[Any, Back | None]:
        if any(isinstance(part, slice) and can_vary(part.start) for part in key):
            raise UnsupportedSyntaxError("the bounds of this slice may vary", tape.place(),
                                         "write np.linspace")
        value, back = primitive(tape, function, None, key, {})

        def parts(adjoint: Any) -> Any:
            found = back(adjoint) if back is not None else None
            return None if found is None else (
                Parts({k: part for k, part in enumerate(found) if part is not None}),)
        return value, parts
    return joined


HANDLERS[np.r_.__getitem__] = _joined(joined_rows)
HANDLERS[np.c_.__getitem__] = _joined(joined_columns)


@handles(np.put)
def put_(tape: Any, a: Any, ind: Any, v: Any, mode: str = "raise") -> tuple[Any, Back | None]:
    return None, arrays.put(tape, a, ind, v, mode)


@handles(np.vectorize)
def vectorize_(tape: Any, pyfunc: Any, *options: Any, **keywords: Any) -> tuple[Any, Back | None]:
    """The function is made as it is; what it reads is seen when it is called."""
    return np.vectorize(pyfunc, *options, **keywords), None


def call_vectorized(tape: Any, function: Any, args: tuple[Any, ...],
                    keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """np.vectorize(f)(*args): f of each element."""
    if function.signature is not None or function.excluded or keywords or (
            function.otypes is not None and len(function.otypes) > 1):
        raise UnsupportedSyntaxError(
            "np.vectorize is followed without signature, excluded arguments and keywords, for one "
            "result", tape.place(), "write a loop over the elements")
    dtype = None if function.otypes is None else function.otypes[0]
    value, back = tape.called(models.vectorized, (function.pyfunc, dtype, *args), {})

    def rest(adjoint: Any) -> Any:
        found = back(adjoint) if back is not None else None
        return None if found is None else list(found)[2:]
    return value, rest


def _read_from_memory(function: Any) -> Handler:
    def read(tape: Any, *args: Any, **keywords: Any) -> tuple[Any, Back | None]:
        if tape.heap.writes_text or any(map(varies, args)):
            raise UnsupportedSyntaxError("numbers are read from text, bytes or a file, and numbers "
                                         "were written to some before", tape.place(),
                                         "keep them in an array")
        return function(*args, **keywords), None
    return read


for _reader in (np.frombuffer, np.fromstring, np.load, np.loadtxt, np.genfromtxt, np.fromfile,
                np.fromregex):
    HANDLERS[_reader] = _read_from_memory(_reader)


del builtins
