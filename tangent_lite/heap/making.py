"""How objects come to be: what a call of a class does."""
from __future__ import annotations

import abc
import dataclasses
import enum
import inspect
import sys
import types
from typing import Any

from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.heap import exceptions, special
from tangent_lite.heap.classes import is_generated, set_, set_plainly
from tangent_lite.heap.containers import Moves, holds
from tangent_lite.heap.memory import add
from tangent_lite.heap.own import is_plain_tuple, is_record
from tangent_lite.heap.primitives import Back, varies
from tangent_lite.modules import package_of


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
    if dataclasses.is_dataclass(kind) and is_generated(init):
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
    return meta is abc.ABCMeta


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
