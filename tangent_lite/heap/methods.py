"""Methods of lists, dicts, arrays and other types that Python and NumPy bring."""
from __future__ import annotations

import collections
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from tangent_lite import registry
from tangent_lite.analyses import writers
from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap import (
    arrays,
    bound_by_hand,
    classes,
    containers,
    dicts,
    library,
    list_methods,
    models,
    operations,
    special,
    texts,
)
from tangent_lite.heap.containers import LISTS, holds, read
from tangent_lite.heap.iteration import Lazy
from tangent_lite.heap.memory import add, can_vary
from tangent_lite.heap.moving import part
from tangent_lite.heap.own import is_record
from tangent_lite.heap.primitives import Back, again, primitive, varies
from tangent_lite.structures.updates import gives_other_fields

Result = tuple[Any, "Back | None"]
_VIEWS = {"reshape", "ravel", "transpose", "swapaxes", "squeeze", "view", "diagonal"}


def call(tape: Any, x: Any, name: str, args: tuple[Any, ...], keywords: dict[str, Any]) -> Result:
    """x.name(*args, **keywords); adjoints for (x, *args, *keywords)."""
    if is_record(x):
        found = classes.on_class(type(x), name)
        if isinstance(found, types.FunctionType) and name not in getattr(x, "__dict__", ()):
            return tape.called(found, (x, *args), keywords)
        return _got_and_called(tape, x, name, args, keywords)
    if name == "__class__":
        return _got_and_called(tape, x, name, args, keywords)
    if name[:2] == "__" and not hasattr(
            classes.on_class(type(x), name), "__code__"):
        found = _special(tape, x, name, args, keywords)
        if found is not None:
            return found
    if isinstance(x, LISTS):
        return list_methods.call(tape, x, name, args, keywords)
    if isinstance(x, dict):
        found = classes.on_class(type(x), name)
        if isinstance(found, types.FunctionType) and not isinstance(x, collections.Counter):
            return tape.called(found, (x, *args), keywords)
        return _of_dict(tape, x, name, args, keywords)
    if isinstance(x, np.ndarray):
        return _of_array(tape, x, name, args, keywords)
    if isinstance(x, set):
        return _of_set(tape, x, name, args, keywords)
    if isinstance(x, (str, bytes)):
        if name in ("format", "format_map"):
            tape.heap.writes_text = True
        given = [tape.listed(a) if special.goes_lazily(a) else a for a in args]
        special.check(tape, special.FORMAT if name in ("format", "format_map") else special.ALL,
                      *given, *keywords.values())
        return getattr(x, name)(*given, **keywords), None
    if isinstance(x, tuple) and name == "_replace" and gives_other_fields(getattr(x, name)):
        return _replaced(tape, x, keywords)
    if isinstance(x, tuple) and name in ("count", "index", "_asdict"):
        if name == "_asdict":
            return _as_dict(tape, x)
        return operations.found_in(tape, x, name, *args), None
    if isinstance(x, (float, complex, np.generic)) and not isinstance(x, np.bool_):
        if name == "as_integer_ratio":
            raise UnsupportedSyntaxError("whole numbers are made of a float, and tell nothing of "
                                         "where it came from", tape.place(), "use the float")
        if name in ("is_integer", "hex"):
            tape.heap.writes_text |= name == "hex"
            return getattr(x, name)(*args), None
        if name == "item":
            return primitive(tape, float, None, (x,), {}) if not np.iscomplexobj(x) else \
                primitive(tape, complex, None, (x,), {})
        if isinstance(x, (float, complex)) and not isinstance(x, np.generic) \
                and name != "conjugate":        # which gives one of Python's, and np.conj does not
            return getattr(x, name)(*args), None
        return primitive(tape, None, name, (x, *args), keywords)
    if isinstance(x, np.bool_) and not any(
            varies(one) or isinstance(one, np.ndarray) for one in (*args, *keywords.values())):
        return getattr(x, name)(*args, **keywords), None
    if isinstance(x, tuple):
        found = classes.on_class(type(x), name)
        if isinstance(found, types.FunctionType) and name not in getattr(x, "__dict__", ()):
            return tape.called(found, (x, *args), keywords)
    if isinstance(x, Lazy) and x.runs and name == "send":
        return _sent(x, *args)
    if isinstance(x, Lazy) and name not in ("__iter__", "__next__"):
        raise UnsupportedSyntaxError(f"the method {name} of an iterator cannot be followed",
                                     tape.place(), "loop over it, or make a list of it")
    return _got_and_called(tape, x, name, args, keywords)


def _got_and_called(tape: Any, x: Any, name: str, args: tuple[Any, ...],
                    keywords: dict[str, Any]) -> Result:
    """A method that has to be asked for: an attribute, which is called."""
    if bound_by_hand.is_called_by_name(x, name):
        return bound_by_hand.called_by_name(tape, x, name, args, keywords)
    function, getting = classes.get(tape, x, name)
    is_tuple = isinstance(function, tuple)      # it may have an adjoint, with a slot or without
    value, back = call(tape, function, "__call__", args, keywords) if is_tuple \
        else tape.called(function, args, keywords)

    def both(adjoint: Any) -> Any:
        found = back(adjoint) if back is not None else None
        of_function = None
        if is_tuple and found is not None:
            of_function, *found = found
        first = getting(of_function) if getting is not None else None
        return [first[0] if first else None, *(found or ())]
    return value, None if back is None and getting is None else both


def _sent(x: Lazy, value: Any) -> Result:
    """generator.send(value)"""
    step = x.send(value)
    if step is None:
        raise x.stopped()
    item, back = step
    return item, lambda adjoint: (None, back(adjoint) if back is not None else None)


def _special(tape: Any, x: Any, name: str, args: tuple[Any, ...],
             keywords: dict[str, Any]) -> Result | None:
    """x.__add__(y) and its like, of numbers, arrays and containers; None for the methods of other
    things, and for those that the methods below know."""
    if not isinstance(x, (int, float, complex, np.generic, np.ndarray, tuple, dict, set, *LISTS)):
        return None
    short = name[2:-2]
    for operation, known in operations.BINARY.items():
        if short == known:
            return operations.binary(tape, operation, x, *args)
        if short == f"r{known}":
            value, back = operations.binary(tape, operation, args[0], x)
            return value, None if back is None else operations.turned(back)
    for operation, known in operations.UNARY.items():
        if short == known:
            return operations.unary(tape, operation, x) if operation != "not_" else (
                operations.truth(tape, x), None)
    if short in ("lt", "le", "gt", "ge", "eq", "ne"):
        return operations.compare(tape, short, x, args[0]), None
    if short == "contains":
        return operations.compare(tape, "in", args[0], x), None
    if short == "getitem":
        value, back = tape.got(x, *args)
        return value, back
    if short == "setitem":
        put: Back | None = tape.wrote(x, *args)
        return None, None if put is None else lambda adjoint: _behind(_behind(put(adjoint)))
    if short == "delitem":
        moved = tape.deleted(x, *args)
        return None, None if moved is None else list_methods.after(moved)
    if short == "init" and isinstance(x, (list, dict)) and not x:
        if not args and not keywords:
            return None, None
        return call(tape, x, "extend" if isinstance(x, list) else "update", args, keywords)
    if short in ("len", "hash", "repr", "str", "init_subclass", "sizeof", "bool"):
        return None
    raise UnsupportedSyntaxError(f"{name} of a {type(x).__name__} is called", tape.place(),
                                 "write the operation itself")


# Dicts ----------------------------------------------------------------------------------------
def _of_dict(tape: Any, x: Any, name: str, args: tuple[Any, ...],
             keywords: dict[str, Any]) -> Result:
    if name != "update":
        special.hashed(tape, *args[:1])
    if name == "get":
        key, *default = args
        if key in x:
            return x[key], read(tape, x, key) if holds(x[key]) else None
        return (default[0] if default else None), lambda adjoint: (None, None, adjoint)
    if name == "setdefault":
        return _set_default(tape, x, *args, **keywords)
    if isinstance(x, collections.Counter) and name in ("update", "subtract"):
        if any(map(varies, (x, args, keywords))):
            raise UnsupportedSyntaxError("numbers are added up in a Counter", tape.place(),
                                         "add them up in a defaultdict(float)")
        tape.heap.write(x)
        return getattr(x, name)(*args, **keywords), None
    if name == "pop":
        return _pop_key(tape, x, *args, **keywords)
    if name == "popitem":
        return _pop_item(tape, x, *args, **keywords)
    if name == "update":
        _, back = dicts.update(tape, x, args, keywords)
        return None, lambda adjoint: _behind(back(adjoint))
    if name == "copy":
        return library.shallow(tape, x)
    if name == "clear":
        tape.heap.write(x)
        x.clear()
        return None, None
    if name in ("keys", "values", "items", "__contains__", "__len__"):
        return getattr(x, name)(*args), None
    if name == "fromkeys" and type(x) is dict:          # whatever it holds
        value, back = tape.called(dict.fromkeys, args, keywords)
        return value, None if back is None else lambda adjoint: _behind(back(adjoint))
    if name == "move_to_end":
        x.move_to_end(*args, **keywords)
        return None, None
    if name == "most_common" and not any(map(can_vary, x.values())):
        return x.most_common(*args), None
    raise UnsupportedSyntaxError(f"the method {name} of a {type(x).__name__} cannot be followed",
                                 tape.place(), "write it with d[key]")


def _behind(found: Any) -> Any:
    return None if found is None else [None, *found]


def _set_default(tape: Any, x: Any, key: Any, default: Any = None) -> Result:
    if key in x:
        return x[key], read(tape, x, key) if holds(x[key]) else None
    tape.heap.write(x)
    x[key] = default

    def back(adjoint: Any) -> Any:
        slot = tape.adjoints.slots(x).pop(key, None)
        return (None, None, add(slot, adjoint))
    return default, back


def _pop_item(tape: Any, x: Any, *args: Any, **keywords: Any) -> Result:
    key, value = x.popitem(*args, **keywords)       # the first or the last, of an OrderedDict
    tape.heap.write(x)

    def back(adjoint: Any) -> None:
        if adjoint is not None:
            tape.adjoints.add_slot(x, key, adjoint.get(1))
    return (key, value), back


def _pop_key(tape: Any, x: Any, key: Any, *given: Any, **keywords: Any) -> Result:
    if key not in x:
        return x.pop(key, *given, **keywords), lambda adjoint: (None, None, adjoint)
    value = x.pop(key)
    tape.heap.write(x)
    return value, read(tape, x, key) if holds(value) else None


def _of_set(tape: Any, x: Any, name: str, args: tuple[Any, ...],
            keywords: dict[str, Any]) -> Result:
    if any(can_vary(a) for a in args):
        raise UnsupportedSyntaxError("a float is put into a set, which tells nothing of where it "
                                     "came from", tape.place(), "use a list")
    if name in ("add", "discard", "remove", "__contains__"):
        special.hashed(tape, *args)
    else:
        args = tuple([tape.listed(a) if is_record(a) else a for a in args])
        special.check(tape, special.HASH, *args)
    found = getattr(x, name)(*args, **keywords)
    tape.heap.write(x)
    return found, None


def _as_dict(tape: Any, x: Any) -> Result:
    """namedtuple._asdict"""
    made = x._asdict()
    moves = containers.Moves(tape, made)
    for k, (field, value) in enumerate(zip(x._fields, x)):
        if holds(value):
            moves.part(field, 0, x, k)
    return made, moves.back(1)


def _replaced(tape: Any, x: Any, keywords: dict[str, Any]) -> Result:
    """namedtuple._replace"""
    made = x._replace(**keywords)
    moves = containers.Moves(tape, made)
    for k, (field, value) in enumerate(zip(x._fields, made)):
        if holds(value):
            if field in keywords:
                moves.item(k, 1 + list(keywords).index(field))
            else:
                moves.part(k, 0, x, k)
    return made, moves.back(1 + len(keywords))


# Arrays ---------------------------------------------------------------------------------------
def _of_array(tape: Any, x: np.ndarray, name: str, args: tuple[Any, ...],
              keywords: dict[str, Any]) -> Result:
    if not keywords and (step := again(tape, None, name, (x, *args))) is not None:
        return step
    if name == "fill":
        back = arrays.set_(tape, x, ..., *args)
        return None, lambda adjoint: _behind(back(adjoint))
    if name == "sort":
        return None, arrays.sort(tape, x, *args, **keywords)
    if name == "partition":
        return None, tape.called(models.partition, (x, *args), keywords)[1]
    if name == "put":
        back = arrays.put(tape, x, *args, **keywords)
        return None, back
    if name in ("tolist", "item"):
        return _as_python(tape, x, name, args)
    if name in writers.METHODS:
        raise UnsupportedSyntaxError(f"the method {name} of arrays cannot be followed",
                                     tape.place(), "write x[...] = ...")
    if name == "astype" and "copy" in keywords:
        if not keywords["copy"] and x.astype(*args, **keywords) is x:
            return x, None
        keywords = {k: v for k, v in keywords.items() if k != "copy"}
    if name == "astype" and (made := x.astype(*args, **keywords)).dtype.kind in "SUV":
        tape.heap.writes_text = True
        return made, None
    out = keywords.get("out")
    place = writers.OUT_OF_METHODS.get(name)
    if out is None and place is not None and place - 1 < len(args):
        out = args[place - 1]
    if out is not None:
        plain = {k: v for k, v in keywords.items() if k != "out"}
        given = args if place is None else args[:place - 1]
        fresh, first = primitive(tape, None, name, (x, *given), plain)
        return out, arrays.write_result(
            tape, out, None, lambda: getattr(x, name)(*args, **keywords), fresh, first)
    if x.dtype.kind not in "fc" and not any(map(can_vary, args)) and not any(
            isinstance(a, np.ndarray) and a.dtype.kind in "fc" for a in args):
        return texts.followed(tape, getattr(np.ndarray, name), (x, *args), keywords), None
    entry = registry.lookup(getattr(np.ndarray, name))
    if entry is not None and entry.constant and entry.adjoint is None:
        return getattr(x, name)(*args, **keywords), None
    if name in writers.HARMLESS and name not in ("choose", "compress", "view"):
        tape.heap.writes_text = True
        return getattr(x, name)(*args, **keywords), None
    if name == "view":
        if not args and not keywords:
            return x.view(), None
        raise UnsupportedSyntaxError("an array is looked at as one of another type", tape.place(),
                                     "use astype")
    return primitive(tape, None, name, (x, *args), keywords)


def _rows(items: list[Any], depth: int, spot: tuple[int, ...] = ()) -> Iterator[Any]:
    """The innermost lists of nested lists, and where they are."""
    if depth == 1:
        yield spot, items
    else:
        for k, item in enumerate(items):
            yield from _rows(item, depth - 1, (*spot, k))


def _as_python(tape: Any, x: np.ndarray, name: str, args: tuple[Any, ...]) -> Result:
    """x.tolist() and x.item()"""
    value = getattr(x, name)(*args)
    if x.dtype.kind not in "fc":
        return value, None
    if tape.heap.order:
        return _as_moving(tape, x, name, args, value)
    if isinstance(value, list):
        return value, _of_rows(tape, value, [x])
    return value, _of_item(tape, x, args)


def _as_moving(tape: Any, x: np.ndarray, name: str, args: tuple[Any, ...], value: Any) -> Result:
    """The same with tangents, of which the numbers of the array take theirs."""
    tangents = tape.heap.tangents
    if not tangents.has(x):
        return value, None
    every = [tangents.of(x, which) for which in range(tangents.count)]
    value = tangents.put(value, [getattr(one, name)(*args) for one in every[1:]])
    if isinstance(value, list):
        return value, _of_rows(tape, value, every)
    backs = [_of_item(tape, one, args) for one in every]

    def back_of_item(adjoint: Any) -> None:
        for which, one in enumerate(backs):
            one(part(adjoint, which))
    return value, back_of_item


def _of_rows(tape: Any, value: list[Any], every: list[np.ndarray]) -> Back:
    """What takes the adjoints of the numbers in nested lists to the array that they came from, and
    those of their tangents to its tangents."""
    rows = list(_rows(value, every[0].ndim))

    def back(_: Any) -> None:
        for spot, row in rows:
            slots = tape.adjoints.slots(row)
            for k in list(slots):
                adjoint = slots.pop(k)
                for which, one in enumerate(every):
                    if part(adjoint, which) is not None:
                        tape.adjoints.add_item(one, (*spot, k), part(adjoint, which))
    return back


def _of_item(tape: Any, x: np.ndarray, args: tuple[Any, ...]) -> Back:
    """What takes the adjoint of x.item(*args) to the array."""
    if len(args) == 1 and isinstance(args[0], (int, np.integer)):
        spot: Any = np.unravel_index(int(args[0]) % x.size, x.shape)
    elif args:
        spot = args[0] if isinstance(args[0], tuple) else args
    else:
        spot = (0,) * x.ndim

    def back_of_item(adjoint: Any) -> None:
        if adjoint is not None:
            tape.adjoints.add_item(x, spot, adjoint)
    return back_of_item
