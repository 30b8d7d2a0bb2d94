"""Operators: those of numbers and arrays at once, others by what the classes of operands define."""
from __future__ import annotations

import inspect
import operator
from typing import Any

import numpy as np

from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap import (
    arrays,
    classes,
    container_operators,
    containers,
    numbers,
    special,
)
from tangent_lite.heap.memory import can_vary, spread
from tangent_lite.heap.own import is_record
from tangent_lite.heap.primitives import Back, primitive
from tangent_lite.heap.unknown import Unknown
from tangent_lite.modules import is_array_like, is_asked_by_arrays
from tangent_lite.runtime import unbroadcast
from tangent_lite.runtime.sparse import is_sparse

BINARY = {"add": "add", "sub": "sub", "mul": "mul", "truediv": "truediv", "floordiv": "floordiv",
          "mod": "mod", "pow": "pow", "matmul": "matmul", "and_": "and", "or_": "or",
          "xor": "xor", "lshift": "lshift", "rshift": "rshift"}
UNARY = {"neg": "neg", "pos": "pos", "invert": "invert", "not_": "bool"}
_REAL = (float, np.floating)
_BUILT_IN = (np.ndarray, tuple, dict, set, frozenset, *containers.LISTS)
_PLAIN = (int, float, str, bytes, bool, np.generic, np.ndarray, type(None), complex)

_REFLECTED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}

def binary(tape: Any, name: str, x: Any, y: Any) -> tuple[Any, Back | None]:
    """The value of x op y, and what takes its adjoint to x and y."""
    tx, ty = type(x), type(y)
    step = numbers.step(name, x, y)
    if step is not None:
        return step
    function = getattr(operator, name)
    if tx is int and ty is int:
        return function(x, y), None
    if name in numbers.SLOPES and _is_real(x, tx) and _is_real(y, ty) and not tape.heap.order:
        value = function(x, y)
        return value, _real(tape, numbers.SLOPES[name], value, x, y)
    if name == "mod" and isinstance(x, (str, bytes)):
        tape.heap.writes_text = True
        special.check(tape, special.FORMAT, y)
        return x % y, None
    if is_sparse(x) or is_sparse(y):
        return primitive(tape, function, None, (x, y), {})
    if is_overloaded(x, f"__{BINARY[name]}__") or is_overloaded(y, f"__r{BINARY[name]}__"):
        return _of_objects(tape, name, x, y)
    if isinstance(x, _PLAIN) and isinstance(y, _PLAIN):
        if isinstance(x, (str, bytes)) or isinstance(y, (str, bytes)):
            return function(x, y), None
        return primitive(tape, function, None, (x, y), {})
    if _goes_to_numpy(name, x, y) or _goes_to_numpy(name, y, x):
        return _as_arrays(tape, name, x, y)
    found = container_operators.binary(tape, name, x, y)
    if found is not None:
        return found
    return _of_objects(tape, name, x, y)


def _goes_to_numpy(name: str, one: Any, other: Any) -> bool:
    """Whether NumPy makes an array of a list or tuple; times a number of NumPy, it repeats."""
    return isinstance(one, (list, tuple)) and (
        isinstance(other, np.ndarray) or (isinstance(other, np.generic) and name != "mul"))


def _as_arrays(tape: Any, name: str, x: Any, y: Any) -> tuple[Any, Back | None]:
    """x op y, of which one is a list or tuple that NumPy makes an array of."""
    first = isinstance(x, (list, tuple))
    array, made = tape.called(np.asarray, (x if first else y,), {})
    value, back = binary(tape, name, *((array, y) if first else (x, array)))
    if back is None:
        return value, None

    def both(adjoint: Any) -> Any:
        found = back(adjoint)           # that of the array is noted with the array
        given = made(None) if made is not None else None
        part = given[0] if given else None
        other = found[1 if first else 0] if found else None
        return (part, other) if first else (other, part)
    return value, both


def is_overloaded(x: Any, method: str) -> bool:
    """Whether the class of x may say in Python what an operator does."""
    if isinstance(x, _PLAIN):
        return False
    return is_record(x) or (isinstance(x, tuple)
                            and hasattr(classes.on_class(type(x), method), "__code__"))


def _is_real(x: Any, kind: type) -> bool:
    if kind is float or kind is int or kind is np.float64:
        return True
    return kind is np.ndarray and x.dtype.kind == "f"


def _real(tape: Any, slopes: Any, value: Any, x: Any, y: Any) -> Back:
    def back(adjoint: Any) -> Any:
        if isinstance(value, np.ndarray):
            adjoint = tape.adjoints.take_known_or_not(value)
        if adjoint is None:
            return None
        if isinstance(adjoint, Unknown):
            return spread(tape.adjoints, x, adjoint), spread(tape.adjoints, y, adjoint)
        bx, by = slopes(adjoint, x, y)
        return _given(tape, x, bx), _given(tape, y, by)
    return back


def _given(tape: Any, x: Any, adjoint: Any) -> Any:
    """The adjoint of an operand, which may have been broadcast."""
    if isinstance(x, np.ndarray):
        tape.adjoints.add(x, unbroadcast(adjoint, x))
        return None
    if not can_vary(x):
        return None
    return type(x)(np.sum(adjoint)) if isinstance(adjoint, np.ndarray) else type(x)(adjoint)


def _of_objects(tape: Any, name: str, x: Any, y: Any) -> tuple[Any, Back | None]:
    """As Python does it: the method of the left operand, or the reflected one of the right."""
    short = BINARY[name]
    if isinstance(x, np.number) and is_record(y) and not is_asked_by_arrays(type(y)) \
            and not is_array_like(type(y)) and hasattr(type(y), f"__r{short}__"):
        value, back = _number_of_numpy(tape, f"__r{short}__", x, y)
        if value is not NotImplemented:
            return value, back
    tries = [(x, y, f"__{short}__", False), (y, x, f"__r{short}__", True)]
    if type(y) is not type(x) and issubclass(type(y), type(x)) \
            and getattr(type(y), f"__r{short}__", None) is not None:
        tries.reverse()
    elif type(x) is type(y):
        tries.pop()
    for left, right, method, is_turned in tries:
        found = getattr(type(left), method, None)
        if found is None:
            continue
        if isinstance(left, (bool, int, float, complex)) and not isinstance(left, np.generic):
            continue                            # numbers know only numbers
        if isinstance(left, (np.generic, np.ndarray)) and is_record(right):
            if not is_asked_by_arrays(type(right)):
                raise UnsupportedSyntaxError(
                    f"NumPy makes arrays of objects of {type(right).__name__}", tape.place(),
                    "use float(x), or let the class have __array_ufunc__ = None")
            continue
        if isinstance(left, _BUILT_IN) and not hasattr(found, "__code__"):
            # It would end up here again: what it can do is asked for in other places.
            built_in = container_operators.binary(tape, name, x, y) \
                if isinstance(right, tuple) else None
            if built_in is not None:
                return built_in
            continue
        value, back = tape.called(found, (left, right), {})
        if value is NotImplemented:
            continue
        if is_turned and back is not None:
            return value, turned(back)
        return value, back
    found = container_operators.binary(tape, name, x, y)         # a list times what has __index__
    if found is not None:
        return found
    x, y = special.whole(tape, x), special.whole(tape, y)       # a text times what has __index__
    special.check(tape, special.ALL, x, y)
    value = getattr(operator, name)(x, y)               # raises what Python raises
    if isinstance(x, _BUILT_IN) or isinstance(y, _BUILT_IN):
        raise UnsupportedSyntaxError(
            f"{type(x).__name__} and {type(y).__name__} are put together by an operator, which is "
            "not handled", tape.place(), "write it with lists, or with arrays")
    return value, None


def _number_of_numpy(tape: Any, method: str, x: Any, y: Any) -> tuple[Any, Back | None]:
    """`x * y` of a number of NumPy's and an object: what NumPy makes of both is one multiplication
    of objects, of Python's number and y."""
    plain = complex if isinstance(x, np.complexfloating) else \
        float if isinstance(x, np.floating) else int
    number, of_number = tape.called(plain, (x,), {})
    value, of_method = tape.called(getattr(type(y), method), (y, number), {})
    if of_method is None:
        return value, None

    def back(adjoint: Any) -> Any:
        given = of_method(adjoint)
        if given is None:
            return None
        by, bnumber = given
        return (None if of_number is None or bnumber is None else of_number(bnumber)[0]), by
    return value, back


def turned(back: Back) -> Back:
    """The adjoints of two operands in the other order."""
    def swapped(adjoint: Any) -> Any:
        found = back(adjoint)
        return None if found is None else (found[1], found[0])
    return swapped


def in_place(tape: Any, name: str, x: Any, y: Any) -> tuple[Any, Back | None]:
    """The value of x after x op= y."""
    if isinstance(x, np.ndarray):
        return x, arrays.in_place(tape, name, x, y)
    found = container_operators.in_place(tape, name, x, y)
    if found is not None:
        return found
    if is_overloaded(x, f"__{name}__"):
        method = getattr(type(x), f"__{name}__", None)
        if method is not None:
            value, back = tape.called(method, (x, y), {})
            if value is not NotImplemented:
                return value, back
    return binary(tape, arrays.PLAIN.get(name, name[1:]), x, y)


def unary(tape: Any, name: str, x: Any) -> tuple[Any, Back | None]:
    """The value of op x."""
    if name == "not_":
        return not truth(tape, x), None
    if type(x) is float and name == "neg":
        return -x, lambda b: None if b is None else (-b,)
    if is_overloaded(x, f"__{UNARY[name]}__"):
        return tape.called(getattr(type(x), f"__{UNARY[name]}__"), (x,), {})
    if not isinstance(x, np.ndarray) and not can_vary(x):
        return getattr(operator, name)(x), None
    return primitive(tape, getattr(operator, name), None, (x,), {})


def truth(tape: Any, x: Any) -> bool:
    """Whether x counts as true."""
    for name in ("__bool__", "__len__"):
        if is_overloaded(x, name):
            method = getattr(type(x), name, None)
            if method is not None:
                found = tape.aside(method, (x,), {})
                return bool(found) if name == "__bool__" else bool(special.whole(tape, found))
    return bool(x)


def compare(tape: Any, name: str, x: Any, y: Any) -> Any:
    """The value of a comparison, which has no derivative."""
    if name in ("in", "not in"):
        found = _contains(tape, y, x)
        return found if name == "in" else not found
    if name in ("is", "is not"):
        return tape.heap.shared.is_one(x, y) == (name == "is")
    reflected = _REFLECTED[name]
    if is_overloaded(x, f"__{name}__") or is_overloaded(y, f"__{reflected}__"):
        return _compared(tape, name, x, y, reflected)
    if isinstance(x, (list, tuple)) and type(x) is type(y) and (
            special.says(x, special.ORDER) or special.says(y, special.ORDER)):
        for a, b in zip(x, y):
            if a is not b and not truth(tape, compare(tape, "eq", a, b)):
                return name == "ne" if name in ("eq", "ne") else compare(tape, name, a, b)
        return getattr(operator, name)(len(x), len(y))
    special.check(tape, special.ORDER, x, y)
    return getattr(operator, name)(x, y)


def _compared(tape: Any, name: str, x: Any, y: Any, reflected: str) -> Any:
    """As Python does it: the method of the left operand, or the reflected one of the right."""
    tries = [(x, y, name), (y, x, reflected)]
    if type(y) is not type(x) and issubclass(type(y), type(x)):
        tries.reverse()
    for left, right, method in tries:
        found: Any = getattr(type(left), f"__{method}__", None)
        if method == "ne" and found is object.__ne__ and is_followed(type(left).__eq__):
            value = tape.aside(type(left).__eq__, (left, right), {})
            if value is not NotImplemented:
                return not truth(tape, value)
        if found is None:
            continue
        follows = is_followed(found)
        if not follows and (hasattr(found, "__code__")      # @dataclass compares what they hold
                            or isinstance(left, (np.ndarray, np.generic))):
            special.check(tape, special.ORDER | special.ARRAY, left, right)
        value = tape.aside(found, (left, right), {}) if follows else found(left, right)
        if value is NotImplemented:
            continue
        if not follows:
            return value
        if can_vary(value) or is_record(value):
            raise UnsupportedSyntaxError(f"{found.__qualname__} gives more than whether it holds",
                                         tape.place(), "write a method with a name of its own")
        return value
    return getattr(operator, name)(x, y)


def is_followed(method: Any) -> bool:
    """Whether a method is written in Python, and not by @dataclass."""
    code = getattr(inspect.unwrap(method) if callable(method) else method, "__code__", None)
    return code is not None and code.co_filename != "<string>"


def _contains(tape: Any, container: Any, x: Any) -> bool:
    method = getattr(type(container), "__contains__", None)
    if is_overloaded(container, "__contains__"):
        if method is not None:
            return truth(tape, tape.aside(method, (container, x), {}))
        container = tape.listed(container)
    if isinstance(container, (dict, set, frozenset)):
        special.hashed(tape, x)
    elif isinstance(container, (tuple, *containers.LISTS)):
        if special.says((x,), special.ORDER) or special.says(container, special.ORDER):
            return any(_is_like(tape, item, x) for item in container)
    else:
        special.check(tape, special.ALL, x, container)
    return x in container


def _is_like(tape: Any, item: Any, x: Any) -> bool:
    """Whether an item of a container counts as x."""
    return item is x or truth(tape, compare(tape, "eq", item, x))


def found_in(tape: Any, container: Any, name: str, x: Any, *bounds: Any) -> int:
    """container.index(x, *bounds) or container.count(x)"""
    bounds = tuple([special.whole(tape, bound) for bound in bounds])
    if not special.says((x,), special.ORDER) and not special.says(container, special.ORDER):
        return int(getattr(container, name)(x, *bounds))
    start, stop = bounds[0] if bounds else None, bounds[1] if len(bounds) > 1 else None
    spots = range(len(container))[slice(start, stop)]
    if name == "count":
        return sum(_is_like(tape, container[k], x) for k in spots)
    for k in spots:
        if _is_like(tape, container[k], x):
            return k
    empty: Any = () if isinstance(container, tuple) else type(container)()
    return int(empty.index(None))               # raises what Python raises


def shown(tape: Any, x: Any, function: Any, *how: Any) -> str | None:
    """What repr, str or format make of an object whose class says so in Python, else None."""
    names = {repr: ("__repr__",), ascii: ("__repr__",), str: ("__str__", "__repr__"),
             format: ("__format__", "__str__", "__repr__")}[function]
    if not is_record(x):
        special.check(tape, special.TEXT, x)
        return None
    for name in names:
        method = getattr(type(x), name)
        if is_followed(method):
            text = tape.aside(method, (x, *(how or ("",))) if name == "__format__" else (x,), {})
            return text.encode("ascii", "backslashreplace").decode() if function is ascii else text
    special.check(tape, special.TEXT, x)
    return None
