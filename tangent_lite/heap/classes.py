"""Objects: attributes read and written, methods, properties."""
from __future__ import annotations

import abc
import functools
import types
from typing import Any

import numpy as np

from tangent_lite import registry
from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap import arrays, exceptions
from tangent_lite.heap.containers import HOLDING, holds, read, written
from tangent_lite.heap.memory import Cell, add, can_vary, root_of
from tangent_lite.heap.own import is_record
from tangent_lite.heap.primitives import Back, primitive
from tangent_lite.modules import getter_of
from tangent_lite.runtime.sparse import is_sparse

_VIEWS = {"T", "mT", "real", "flat", "base"}


def got(tape: Any, x: Any, name: str) -> tuple[Any, Back | None]:
    """x.name, where it most often is a variable that functions share, or plainly an attribute: no
    class says anything of that name, or of attributes at all."""
    kind: Any = type(x)
    if kind is Cell:
        value = getattr(x, "value", _MISSING)
        if value is _MISSING:
            return get(tape, x, name)           # not bound yet
    else:
        if kind.__getattribute__ is not object.__getattribute__ or not kind.__dictoffset__ \
                or not is_record(x):
            return get(tape, x, name)
        value = x.__dict__.get(name, _MISSING)
        if value is _MISSING:
            return get(tape, x, name)
        for one in kind.__mro__:
            if name in one.__dict__:
                return get(tape, x, name)
    return value, read(tape, x, name) if isinstance(value, HOLDING) else None


_MISSING = object()


def get(tape: Any, x: Any, name: str) -> tuple[Any, Back | None]:
    """x.name"""
    if isinstance(x, Cell):
        if not hasattr(x, "value"):
            is_own = getattr(x, "owner", None) is tape.function.__code__
            raise (UnboundLocalError if is_own else NameError)(
                "a variable that a function captures is not bound yet")
        return x.value, read(tape, x, name) if holds(x.value) else None
    if isinstance(x, np.ndarray):
        return _of_array(tape, x, name)
    if is_record(x):
        return _of_object(tape, x, name)
    if isinstance(x, np.generic):
        if name in ("real", "imag") and can_vary(x):
            return primitive(tape, getattr(np, name), None, (x,), {})
        if name == "T" and can_vary(x):
            return primitive(tape, np.transpose, None, (x,), {})
        return _plain_attribute(tape, x, name), None
    if isinstance(x, (float, complex)) and name in ("real", "imag"):
        return primitive(tape, getattr(np, name), None, (x,), {})
    if isinstance(x, tuple):
        fields = getattr(x, "_fields", ())
        if name in fields:
            value = getattr(x, name)
            return value, read(tape, x, fields.index(name)) if holds(value) else None
        found = on_class(type(x), name)
        if isinstance(found, property) and found.fget is not None:
            return _only_first(tape.called(found.fget, (x,), {}))
        return _found_on_class(tape, x, name)
    if isinstance(x, types.ModuleType):
        return _of_module(tape, x, name)
    if isinstance(x, type):
        if name == "__dict__":
            raise _hidden(tape, name)
        return _kept(tape, x.__mro__, name) or (tape.heap.own(getattr(x, name)), None)
    if isinstance(x, types.FunctionType):
        if name == "__dict__" and x.__dict__ and not tape.heap.is_ours(x):
            raise _hidden(tape, name)
        value = getattr(x, name)
        if name not in x.__dict__:
            return value, None
        if tape.heap.is_ours(x):
            return value, read(tape, x, name) if holds(value) else None
        return _kept(tape, (x,), name) or (tape.heap.own(value), None)
    if exceptions.is_followed(tape, x):
        return exceptions.get(tape, x, name)
    if isinstance(x, BaseException):
        value = getattr(x, name)
        if not _is_said(value):
            raise UnsupportedSyntaxError("a number that an exception carries cannot be followed",
                                         tape.place(), "keep it in a variable")
        return value, None
    if isinstance(x, super):
        return _of_super(tape, x, name)
    value = getattr(x, name)
    if isinstance(x, dict) and on_class(type(x), name) is None and holds(value):
        # As scipy.optimize has its results: items that are read as attributes.
        if name not in x or x[name] is not value:
            raise UnsupportedSyntaxError(f"an attribute of a {type(x).__name__} is read",
                                         tape.place(), "keep the value in an item")
        return tape.got(x, name)
    if is_sparse(x) and isinstance(value, np.ndarray):
        tape.heap.in_matrices.append(root_of(value))
    return value, None


def _of_object(tape: Any, x: Any, name: str) -> tuple[Any, Back | None]:
    kind: Any = type(x)
    if name == "__dict__":
        return tape.heap.space_of(x), None
    if kind.__getattribute__ not in (object.__getattribute__,
                                     types.SimpleNamespace.__getattribute__):
        raise UnsupportedSyntaxError(f"{kind.__name__} defines __getattribute__, which cannot be "
                                     "followed", tape.place(), "use properties")
    if on_class(kind, name) is None and hasattr(kind, "__getattr__") \
            and name not in getattr(x, "__dict__", ()):
        return _only_first(tape.called(kind.__getattr__, (x, name), {}))
    return get_plainly(tape, x, name)


def get_plainly(tape: Any, x: Any, name: str) -> tuple[Any, Back | None]:
    """object.__getattribute__(x, name)"""
    if not is_record(x):
        return get(tape, x, name)
    if name == "__dict__":
        return tape.heap.space_of(x), None
    kind: Any = type(x)
    found = on_class(kind, name)
    if isinstance(found, property):
        if found.fget is None:
            return getattr(x, name), None
        return _only_first(tape.called(found.fget, (x,), {}))
    if isinstance(found, functools.cached_property):
        if name in vars(x):
            return vars(x)[name], read(tape, x, name) if holds(vars(x)[name]) else None
        value, back = tape.called(found.func, (x,), {})
        object.__setattr__(x, name, value)
        tape.heap.write(x)

        def cached(adjoint: Any) -> Any:
            slot = tape.adjoints.slots(x).pop(name, None)
            joined = add(adjoint, slot)
            return _first(back(joined)) if back is not None else None
        return value, cached
    if name in getattr(x, "__dict__", ()) and not hasattr(
            getattr(type(found), "__set__", None), "__code__"):
        value = x.__dict__[name]
        return value, read(tape, x, name) if holds(value) else None
    if isinstance(found, (types.MemberDescriptorType,)):
        value = getattr(x, name)
        return value, read(tape, x, name) if holds(value) else None
    if found is None:
        return object.__getattribute__(x, name), None           # raises what Python raises
    if hasattr(type(found), "__get__") and not isinstance(
            found, (types.FunctionType, staticmethod, classmethod, types.BuiltinFunctionType,
                    types.MethodDescriptorType, types.WrapperDescriptorType,
                    functools.partialmethod, type)):
        method = type(found).__get__
        if hasattr(method, "__code__"):
            value, back = tape.called(method, (found, x, kind), {})
            return value, _turned_to_first(back)
    return _found_on_class(tape, x, name)


def _of_super(tape: Any, x: Any, name: str) -> tuple[Any, Back | None]:
    """super().name: properties are followed, methods are called later."""
    kinds = x.__self_class__.__mro__
    for kind in kinds[kinds.index(x.__thisclass__) + 1:]:
        if isinstance(kind.__dict__.get(name), property):
            value, back = tape.called(kind.__dict__[name].fget, (x.__self__,), {})
            return value, _turned_to_first(back)
        if name in kind.__dict__:
            found = _kept(tape, (kind,), name)
            if found is not None:
                return found[0], _turned_to_first(found[1])
            break
    value = getattr(x, name)
    return (value if callable(value) else tape.heap.own(value)), None


def _found_on_class(tape: Any, x: Any, name: str) -> tuple[Any, Back | None]:
    kept = _kept(tape, type(x).__mro__, name)
    if kept is not None:
        return kept[0], _turned_to_first(kept[1])
    value = getattr(x, name)
    if isinstance(x, tuple) and isinstance(value, types.MethodType) and value.__self__ is x:
        # A tuple is not found by identity: its adjoint goes by the slot of the method.
        return value, lambda _: (tape.adjoints.slots(value).pop("__self__", None),)
    return value if isinstance(value, types.MethodType) else tape.heap.own(value), None


def _of_module(tape: Any, x: types.ModuleType, name: str) -> tuple[Any, Back | None]:
    """A global of a module, which functions of that module may have changed in this run."""
    getter = getter_of(x, name)
    if getter is not None:
        value, back = tape.called(getter, (name,), {})
        return value, _turned_to_first(back)
    if name == "__dict__":
        raise _hidden(tape, name)
    value = getattr(x, name)
    if isinstance(value, (types.FunctionType, type, types.ModuleType)):
        return value, None
    cell = tape.heap.cell(("global", id(vars(x)), name), lambda: value)
    return get(tape, cell, "value")


def _attribute_outside(tape: Any, x: Any, name: str) -> Cell:
    """What stands in this run for an attribute of a function or class that lives outside."""
    found: Cell = tape.heap.cell(("attribute", x, name), lambda: x.__dict__[name])
    return found


def _kept(tape: Any, things: tuple[Any, ...], name: str) -> tuple[Any, Back | None] | None:
    """An attribute of the first of some classes, or functions, that has it, if this run has changed
    it."""
    owner = next((one for one in things if name in one.__dict__), None)
    if owner is None or not tape.heap.has_cell(("attribute", owner, name)):
        return None
    return get(tape, _attribute_outside(tape, owner, name), "value")


def _is_plain_on(x: Any, name: str, value: Any) -> bool:
    """Whether x.name = value changes data that a class of the user has: no method, and nothing that
    gives attributes of its objects."""
    return isinstance(x, type) and type(x) in (type, abc.ABCMeta) and name in x.__dict__ \
        and not registry.is_library(x) and not name.startswith("__") and not any(
            callable(one) or hasattr(type(one), "__get__") for one in (x.__dict__[name], value))


def method_of(x: Any, name: str) -> types.FunctionType | None:
    """The function that a call x.name(...) is one of, where an object of the user's has plainly a
    method of that name; None where more has to be asked."""
    if not is_record(x):
        return None
    for one in type(x).__mro__:
        if name in one.__dict__:
            found = one.__dict__[name]
            return found if type(found) is types.FunctionType \
                and name not in getattr(x, "__dict__", ()) else None
    return None


def _turned_to_first(back: Back | None) -> Back | None:
    if back is None:
        return None

    def first(adjoint: Any) -> Any:
        back(adjoint)
        return None
    return first


def _only_first(step: tuple[Any, Back | None]) -> tuple[Any, Back | None]:
    value, back = step
    return value, None if back is None else (lambda adjoint: _first(back(adjoint)))


def _first(found: Any) -> Any:
    return None if found is None else (found[0],)


def on_class(kind: type, name: str) -> Any:
    """What a class, or one that it comes from, has by a name, as it stands there."""
    for one in kind.__mro__:
        if name in one.__dict__:
            return one.__dict__[name]
    return None


def _of_array(tape: Any, x: np.ndarray, name: str) -> tuple[Any, Back | None]:
    return _plain_attribute(tape, x, name), None


# What is written to through these goes by no name of the array.
_MEMORY = ("data", "ctypes", "__array_interface__", "__array_struct__")


def _plain_attribute(tape: Any, x: Any, name: str) -> Any:
    value = getattr(x, name)
    if name == "flat":
        raise UnsupportedSyntaxError("the iterator x.flat cannot be followed", tape.place(),
                                     "use x.ravel(), or x.reshape(-1) where it is written to")
    if name in _MEMORY and x.dtype.kind in "fcO":
        raise UnsupportedSyntaxError(f"the memory x.{name} cannot be followed", tape.place(),
                                     "use x itself")
    return value


def set_(tape: Any, x: Any, name: str, value: Any) -> Back | None:
    """x.name = value"""
    if isinstance(x, Cell):
        tape.heap.write(x)
        x.value = value
        return written(tape, x, name)
    if is_record(x):
        return _set_of_object(tape, x, name, value)
    if isinstance(x, types.FunctionType) and tape.heap.is_ours(x):
        setattr(x, name, value)
        return written(tape, x, name) if holds(value) else None
    if (isinstance(x, types.FunctionType) and name in x.__dict__) or _is_plain_on(x, name, value):
        return set_(tape, _attribute_outside(tape, x, name), "value", value)
    if isinstance(x, np.ndarray) and name in ("real", "imag"):
        if name == "imag" and x.dtype.kind != "c":
            x.imag = value                      # raises what Python raises
        return arrays.set_(tape, getattr(x, name), ..., value)
    if isinstance(x, np.ndarray):
        _plain_attribute(tape, x, name)         # x.flat = v is refused as x.flat[:] = v
        raise UnsupportedSyntaxError(f"the attribute {name} of an array is assigned", tape.place(),
                                     "write x[...] = value, or give the array x.reshape(...) a "
                                     "name")
    if isinstance(x, dict):                     # its adjoints are those of its items
        raise UnsupportedSyntaxError("an attribute of a dict is changed", tape.place(),
                                     "keep the value in an item")
    if exceptions.is_followed(tape, x):
        return exceptions.set_(tape, x, name, value)
    what = "a class" if isinstance(x, type) else "a module" \
        if isinstance(x, types.ModuleType) else f"a {type(x).__name__}"
    raise UnsupportedSyntaxError(f"an attribute of {what} is changed, which lives on after the "
                                 "call", tape.place(), "keep the value in an object")


def _set_of_object(tape: Any, x: Any, name: str, value: Any) -> Back | None:
    kind: Any = type(x)
    found = on_class(kind, name)
    if isinstance(found, property):
        if found.fset is None:
            setattr(x, name, value)             # raises what Python raises
            return None
        _, back = tape.called(found.fset, (x, value), {})
        return None if back is None else (lambda adjoint: _second_only(back(adjoint)))
    if kind.__setattr__ is not object.__setattr__ and kind is not types.SimpleNamespace:
        if not is_generated(kind.__setattr__):
            _, back = tape.called(kind.__setattr__, (x, name, value), {})
            return None if back is None else (lambda adjoint: _last_only(back(adjoint)))
        setattr(x, name, value)                 # a frozen dataclass raises
        return None
    return _set_past(tape, x, name, value, found)


def _second_only(found: Any) -> Any:
    return None if found is None else (found[1],)


def _last_only(found: Any) -> Any:
    return None if found is None else (found[2],)


def set_plainly(tape: Any, x: Any, name: str, value: Any) -> Back | None:
    """object.__setattr__(x, name, value)"""
    return _set_past(tape, x, name, value, on_class(type(x), name))


def _set_past(tape: Any, x: Any, name: str, value: Any, found: Any) -> Back | None:
    """The same; found: what the class has by that name."""
    if found is not None and hasattr(type(found), "__set__") and not isinstance(
            found, types.MemberDescriptorType):
        method = type(found).__set__
        if hasattr(method, "__code__"):
            _, back = tape.called(method, (found, x, value), {})
            return None if back is None else (lambda adjoint: _last_only(back(adjoint)))
    if can_vary(value) or not isinstance(value, (int, str, bool, type(None))):
        tape.heap.write(x)
        if holds(value):
            tape.heap.writes_of_numbers += 1
    else:
        tape.heap.shared.counted[id(x)] = x
        if can_vary(getattr(x, "__dict__", {}).get(name)):
            tape.heap.writes_of_numbers += 1
    object.__setattr__(x, name, value)
    return written(tape, x, name)


def delete(tape: Any, x: Any, name: str) -> Back | None:
    """del x.name"""
    if isinstance(x, Cell):
        del x.value
        return None
    kind: Any = type(x)
    if not is_record(x) or kind.__delattr__ not in (
            object.__delattr__, types.SimpleNamespace.__delattr__):
        raise UnsupportedSyntaxError(f"an attribute of a {type(x).__name__} is deleted",
                                     tape.place(), "keep the value in an object of your own")
    delattr(x, name)
    tape.heap.write(x)
    return None


def _hidden(tape: Any, name: str) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(f"{name} exposes attributes as a dict", tape.place(),
                                  "name the attributes, or use getattr and setattr")


def _is_said(value: Any) -> bool:
    """Whether what an exception carries is text and the like, of which no derivative depends."""
    if type(value) is tuple:
        return all(map(_is_said, value))
    return isinstance(value, (str, bytes, int, type, type(None), types.TracebackType,
                              types.MethodType, types.BuiltinMethodType, BaseException))


# Making objects -------------------------------------------------------------------------------


def is_generated(method: Any) -> bool:
    """Whether a method was written by @dataclass."""
    code = getattr(method, "__code__", None)
    return code is not None and code.co_filename == "<string>"
