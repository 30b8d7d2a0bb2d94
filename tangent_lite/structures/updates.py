"""Changes of dicts and objects whose parts are known, as new values of the variable.

    state["x"] = x + v                 =>      state = {**state, "x": x + v}
    body.speed = 2.0 * v               =>      body = replaced(body, speed=2.0 * v)

The parts of such containers are followed one by one, as variables are, so that a part that changes
is a variable that is bound anew. That holds as long as the container has one name: `alias` sees to
it. What was passed in stays as it was.
"""
from __future__ import annotations

import collections
import dataclasses
import inspect
from collections.abc import Callable
from types import MemberDescriptorType, SimpleNamespace
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.kinds import DictKind, RecordKind
from tangent_lite.modules import held_by_class
from tangent_lite.records import is_made_of_fields
from tangent_lite.runtime.objects import replaced
from tangent_lite.syntax import assign, load

Inject = Callable[[Any, str], gast.expr]
# What `owner.key = value` calls in classes that do nothing of their own then.
PLAIN_SETTERS = (object.__setattr__, SimpleNamespace.__setattr__)


def part_written(target: gast.expr, owner: kinds.Kind, key: Any, value: gast.expr,
                 inject: Inject) -> gast.Assign | None:
    """`owner[key] = value` or `owner.key = value` as a binding of the owner; None for others."""
    if not isinstance(target.value, gast.Name):
        return None
    name = target.value.id
    if isinstance(target, gast.Attribute) and isinstance(owner, RecordKind) \
            and not is_descriptor(owner.type, target.attr) and _has_room(owner.type, target.attr) \
            and (getattr(target, "sets_field", False)
                 or getattr(owner.type, "__setattr__", None) in PLAIN_SETTERS):
        made: gast.expr = gast.Call(inject(replaced, "replaced"), [load(name)],
                                    [gast.keyword(target.attr, value)])
    elif isinstance(target, gast.Subscript) and isinstance(owner, DictKind) and is_key(key):
        made = gast.Dict([None, gast.Constant(key, None)], [load(name), value])
    else:
        return None
    made.updates = name
    return assign(name, made)


def is_key(key: Any) -> bool:
    """Whether a key can be written out."""
    return isinstance(key, (str, int, float, bool)) or key is None


def updates_of(value: gast.expr | None) -> str | None:
    """The name of the container that an expression is a changed copy of."""
    if value is None or not getattr(value, "updates", None):
        return None
    return value.values[0].id if isinstance(value, gast.Dict) else value.args[0].id


def change_of(value: gast.expr | None) -> str | None:
    """The same, where whoever holds the container sees the change: in a derivative that is read
    again, `replaced` makes a copy."""
    return None if getattr(value, "is_copy", False) else updates_of(value)


def changed_parts(value: gast.expr) -> list[tuple[tuple[str, Any], gast.expr]]:
    """The parts that an update changes: (step, what is there now)."""
    if isinstance(value, gast.Dict):
        return [(("[", k.value), v) for k, v in zip(value.keys, value.values) if k is not None]
    return [((".", k.arg), k.value) for k in value.keywords]


def replaced_kind(owner: kinds.Kind, /, **fields: kinds.Kind) -> kinds.Kind:
    """The kind of `replaced(owner, ...)`."""
    if not isinstance(owner, RecordKind):
        return kinds.UNKNOWN
    found = dict(zip(owner.fields, owner.items))
    found.update(fields)
    return RecordKind(owner.type, tuple(found), tuple(found.values()))


def gives_other_fields(function: Any) -> bool:
    """Whether a function gives an object with other values of some fields, for what it is given by
    name: `dataclasses.replace`, and `_replace` of named tuples, which has one code for all."""
    return function is dataclasses.replace or getattr(function, "__code__", None) is _REPLACE


_REPLACE = collections.namedtuple("_", ())._replace.__code__  # type: ignore[attr-defined]


def other_fields(owner: kinds.Kind, given: Any) -> list[str] | None:
    """All fields that the class of an object is called with, where it is given others for some;
    None where it is no such class, or there is more to it."""
    if isinstance(owner, kinds.TupleKind) and hasattr(owner.type, "_fields"):
        found = list(owner.type._fields)
        return found if set(given) <= set(found) \
            and fields_of_class(owner.type, 0, found) == found else None
    if not isinstance(owner, RecordKind) or not dataclasses.is_dataclass(owner.type):
        return None
    found = [f.name for f in dataclasses.fields(owner.type) if f.init]
    known = set(inspect.signature(owner.type).parameters) == set(found)     # there is no InitVar
    return found if known and set(given) <= set(found) <= set(owner.fields) else None


def other_fields_kind(owner: kinds.Kind, /, **given: kinds.Kind) -> kinds.Kind:
    """The kind of `dataclasses.replace(owner, ...)`, where no code of the class runs."""
    if other_fields(owner, given) is None:
        return kinds.UNKNOWN
    if isinstance(owner, kinds.TupleKind):
        known = dict(zip(owner.type._fields, owner.items))       # type: ignore[attr-defined]
        return kinds.TupleKind(tuple({**known, **given}.values()), owner.type)
    if not isinstance(owner, RecordKind) or not is_made_of_fields(owner.type, owner.fields):
        return kinds.UNKNOWN
    return replaced_kind(owner, **given)


def dict_kind(*owner: kinds.Kind, **given: kinds.Kind) -> kinds.Kind:
    """The kind of `dict(owner, ...)`."""
    if len(owner) > 1 or (owner and not isinstance(owner[0], DictKind)):
        return owner[0] if len(owner) == 1 and isinstance(owner[0], kinds.MapKind) and not given \
            else kinds.UNKNOWN
    found = dict(zip(owner[0].keys, owner[0].items)) if owner else {}   # type: ignore[attr-defined]
    found.update(given)
    return DictKind(tuple(found), tuple(found.values()))


def instance_kind(cls: kinds.Kind, /, **fields: kinds.Kind) -> kinds.Kind:
    """The kind of `blank(cls)` and of `instance(cls, ...)`."""
    if isinstance(cls, kinds.Known) and isinstance(cls.object, type):
        return RecordKind(cls.object, tuple(fields), tuple(fields.values()))
    return kinds.UNKNOWN


def without_key(owner: gast.Name, kind: DictKind, key: Any) -> gast.Dict:
    """The dict without one of its keys."""
    keys = [k for k in kind.keys if k != key]
    return gast.Dict([gast.Constant(k, None) for k in keys],
                     [syntax.subscript(load(owner.id), gast.Constant(k, None)) for k in keys])


def class_kind(*owner: kinds.Kind) -> kinds.Kind:
    """The kind of `type(owner)` and of `owner.__class__`: the class of an object, unless that says
    itself which it is."""
    if len(owner) == 1 and isinstance(owner[0], (RecordKind, kinds.TupleKind)) and not any(
            "__class__" in vars(one) for one in owner[0].type.__mro__[:-1]):
        return kinds.Known(owner[0].type)
    return kinds.UNKNOWN


def fields_of_class(cls: type, count: int, names: Any) -> list[str] | None:
    """The fields that the arguments of `cls(...)` become, if that is all that the call does: first
    those of the positional ones, then names. None for other classes."""
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        known = list(cls._fields)
        plain = _is_made_by_namedtuple(cls.__new__) and cls.__init__ is object.__init__ \
            and cls.__getattribute__ is tuple.__getattribute__
    elif dataclasses.is_dataclass(cls):
        every = dataclasses.fields(cls)
        known = [f.name for f in every if not f.kw_only]
        plain = count <= len(known) and is_made_of_fields(cls, tuple(f.name for f in every))
        known += [f.name for f in every if f.kw_only]
    else:
        return None
    given = [*known[:count], *names]
    if not plain or count > len(known) or set(given) != set(known) or len(given) != len(known):
        return None
    return given


def _is_made_by_namedtuple(new: Any) -> bool:
    """Whether the __new__ of a named tuple is the one that collections.namedtuple makes."""
    found = getattr(new, "__globals__", {}).get("__name__")
    return str(found).startswith("namedtuple_")


def made_of_class(cls: Any, args: list[kinds.Kind], options: dict[str, kinds.Kind]) -> kinds.Kind:
    """The kind of `cls(...)`."""
    given = fields_of_class(cls, len(args), options)
    if given is None:
        return kinds.UNKNOWN
    found = dict(zip(given, [*args, *options.values()]))
    if issubclass(cls, tuple):
        return kinds.TupleKind(tuple(found[f] for f in cls._fields), cls)
    names = tuple(f.name for f in dataclasses.fields(cls))
    return RecordKind(cls, names, tuple(found[n] for n in names))


def is_descriptor(cls: type, name: str) -> bool:
    """Whether a class says what happens when an attribute is read or set: a property, a slot."""
    found = held_by_class(cls, name)
    return hasattr(type(found), "__set__") and not isinstance(found, MemberDescriptorType)


def _has_room(cls: type, name: str) -> bool:
    """Whether an object of a class can be given an attribute: one with slots has no others."""
    return bool(cls.__dictoffset__) or isinstance(held_by_class(cls, name), MemberDescriptorType)
