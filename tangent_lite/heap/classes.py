"""Objects: attributes read and written, methods, properties, and how objects come to be."""
from __future__ import annotations

import abc
import dataclasses
import enum
import functools
import inspect
import sys
import types
from typing import Any

import numpy as np

from tangent_lite import registry
from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap import arrays, exceptions, special
from tangent_lite.heap.containers import Moves, holds, read, written
from tangent_lite.heap.memory import Cell, add, can_vary
from tangent_lite.heap.own import is_plain_tuple, is_record
from tangent_lite.heap.primitives import Back, primitive, varies
from tangent_lite.modules import getter_of, package_of

_VIEWS = {"T", "mT", "real", "flat", "base"}


def get(tape: Any, x: Any, name: str) -> tuple[Any, Back | None]:
    """x.name"""
    if isinstance(x, Cell):
        if not hasattr(x, "value"):
            raise NameError("a variable that a function captures is not bound yet")
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
    return getattr(x, name), None


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
        if not _is_generated(kind.__setattr__):
            _, back = tape.called(kind.__setattr__, (x, name, value), {})
            return None if back is None else (lambda adjoint: _last_only(back(adjoint)))
        setattr(x, name, value)                 # a frozen dataclass raises
        return None
    return set_plainly(tape, x, name, value)


def _second_only(found: Any) -> Any:
    return None if found is None else (found[1],)


def _last_only(found: Any) -> Any:
    return None if found is None else (found[2],)


def set_plainly(tape: Any, x: Any, name: str, value: Any) -> Back | None:
    """object.__setattr__(x, name, value)"""
    found = on_class(type(x), name)
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
def make(tape: Any, kind: Any, args: tuple[Any, ...],
         keywords: dict[str, Any]) -> tuple[Any, Back | None]:
    """kind(*args, **keywords)"""
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        if not is_plain_tuple(kind):
            raise _not_followed(tape, kind)
        made: Any = kind(*args, **keywords)
        moves = Moves(tape, made)
        fields = list(kind._fields)
        given = [*range(len(args)), *(fields.index(k) for k in keywords)]
        for number, spot in enumerate(given):
            if holds(made[spot]):
                moves.item(spot, number)
        return made, moves.back(len(given))
    if issubclass(kind, BaseException):
        return exceptions.make(tape, kind, args, keywords)
    if issubclass(kind, enum.Enum):
        return kind(*args, **keywords), None
    if kind is types.SimpleNamespace:
        made = types.SimpleNamespace(**keywords)
        moves = Moves(tape, made)
        for number, (name, value) in enumerate(keywords.items()):
            if holds(value):
                moves.item(name, number)
        return made, moves.back(len(keywords))
    if type(kind) is not type and not _is_plain_metaclass(type(kind)):
        raise UnsupportedSyntaxError(f"the class of {kind.__name__} is no plain class",
                                     tape.place(), "use a class without metaclass")
    if kind.__new__ is not object.__new__:
        if _is_of_library(kind) and not any(map(varies, (args, keywords))):
            return kind(*args, **keywords), None
        if any(b is not object and b.__flags__ & (1 << 9) == 0 for b in kind.__mro__):
            raise _not_in_python(tape, kind)
        raise _not_followed(tape, kind)
    if getattr(kind, "__abstractmethods__", None):
        kind(*args, **keywords)                 # raises what Python raises
    special.check_end(tape, kind)
    if any("__class__" in vars(one) for one in kind.__mro__[:-1]):
        raise UnsupportedSyntaxError(f"a {kind.__name__} says itself of which class it is, and may "
                                     "be taken for a tuple", tape.place(), "leave __class__ alone")
    made = object.__new__(kind)
    if not is_record(made):
        raise _not_in_python(tape, kind)
    tape.heap.ours(made)
    init = kind.__init__
    if dataclasses.is_dataclass(kind) and _is_generated(init):
        back = _by_fields(tape, made, kind, args, keywords)
    elif init is object.__init__:
        if args or keywords:
            raise TypeError(f"{kind.__name__}() takes no arguments")
        return made, None
    else:
        _, inner = tape.called(init, (made, *args), keywords)
        back = None if inner is None else (lambda adjoint: _rest(inner(adjoint)))
    return made, back


def says_what_is_missing(kind: type) -> bool:
    """Whether a class is that of dicts but for what stands for keys that are not there, and methods
    of its own."""
    own = vars(kind)
    return kind.__mro__[1:] == (dict, object) and "__missing__" in own and type(kind) is type \
        and not (set(own) & set(dir(dict))) - {"__doc__", "__class_getitem__"} \
        and "__getattr__" not in own


def _not_followed(tape: Any, kind: type) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(f"how a {kind.__name__} comes to be cannot be followed",
                                  tape.place(), "write __init__ in place of __new__")


def _not_in_python(tape: Any, kind: type) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(f"{kind.__name__} is built on a class that is not written in "
                                  "Python", tape.place(), "keep such a thing in an attribute")


def _is_of_library(kind: type) -> bool:
    return package_of(kind) in sys.stdlib_module_names


def _rest(found: Any) -> Any:
    return None if found is None else found[1:]


def _is_plain_metaclass(meta: type) -> bool:
    import abc
    return meta is abc.ABCMeta


def _is_generated(method: Any) -> bool:
    """Whether a method was written by @dataclass."""
    code = getattr(method, "__code__", None)
    return code is not None and code.co_filename == "<string>"


def _by_fields(tape: Any, made: Any, kind: Any, args: tuple[Any, ...],
               keywords: dict[str, Any]) -> Back | None:
    """What the __init__ that @dataclass writes does."""
    signature = inspect.signature(kind.__init__)
    given = dict(list(signature.bind(made, *args, **keywords).arguments.items())[1:])
    order = list(signature.parameters)[1:]
    positions = {name: k for k, name in enumerate(order[:len(args)])}
    positions.update({name: len(args) + k for k, name in enumerate(keywords)})
    put = set_plainly if kind.__dataclass_params__.frozen else set_
    steps: list[tuple[int | None, Any]] = []        # the operand that takes what a step gives
    variables = dataclasses.fields(kind)
    for field in variables:
        before: Back | None = None
        if field.init and field.name in given:
            value = given[field.name]
        elif field.default is not dataclasses.MISSING and field.init:
            value = tape.heap.own(field.default)
        elif field.default_factory is not dataclasses.MISSING:
            value, before = tape.called(field.default_factory, (), {})
        else:
            continue
        steps.append((None, before))
        steps.append((positions.get(field.name), put(tape, made, field.name, value)))
    names = [name for name in order if name not in {field.name for field in variables}]
    post = getattr(kind, "__post_init__", None)
    inner: Back | None = None
    if post is not None:
        more = [given[name] if name in given else tape.heap.own(signature.parameters[name].default)
                for name in names]
        _, inner = tape.called(post, (made, *more), {})
    if inner is None and all(step is None for _, step in steps):
        return None

    def back(_: Any) -> Any:
        out: list[Any] = [None] * (len(args) + len(keywords))
        found = inner(None) if inner is not None else None
        for name, part in zip(names, (found or [None])[1:]):
            if name in positions:
                out[positions[name]] = part
        adjoint: Any = None
        for operand, step in reversed(steps):
            found = step(adjoint) if step is not None else None
            # What a field was given is what its factory made, or what came in.
            adjoint = found[0] if found and operand is None else None
            if found is not None and operand is not None:
                out[operand] = add(out[operand], found[0])
        return out
    return back
