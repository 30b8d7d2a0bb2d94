"""Changes of dicts and objects whose parts are known, as new values of the variable.

    state["x"] = x + v                 =>      state = {**state, "x": x + v}
    body.speed = 2.0 * v               =>      body = replaced(body, speed=2.0 * v)

The parts of such containers are followed one by one, as variables are, so that a part that changes
is a variable that is bound anew. That holds as long as the container has one name: `alias` sees to
it. What was passed in stays as it was.
"""
from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from types import MemberDescriptorType, SimpleNamespace
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.kinds import DictKind, RecordKind
from tangent_lite.records import is_made_of_fields
from tangent_lite.runtime_objects import replaced
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
            and not is_descriptor(owner.type, target.attr) \
            and getattr(owner.type, "__setattr__", None) in PLAIN_SETTERS:
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


def changed_parts(value: gast.expr) -> list[tuple[tuple[str, Any], gast.expr]]:
    """The parts that an update changes: (step, what is there now)."""
    if isinstance(value, gast.Dict):
        return [(("[", k.value), v) for k, v in zip(value.keys, value.values) if k is not None]
    return [((".", k.arg), k.value) for k in value.keywords]


def replaced_kind(owner: kinds.Kind, **fields: kinds.Kind) -> kinds.Kind:
    """The kind of `replaced(owner, ...)`."""
    if not isinstance(owner, RecordKind):
        return kinds.UNKNOWN
    found = dict(zip(owner.fields, owner.items))
    found.update(fields)
    return RecordKind(owner.type, tuple(found), tuple(found.values()))


def blank_kind(cls: kinds.Kind) -> kinds.Kind:
    """The kind of `blank(cls)`."""
    if isinstance(cls, kinds.Known) and isinstance(cls.object, type):
        return RecordKind(cls.object, (), ())
    return kinds.UNKNOWN


def without_key(owner: gast.Name, kind: DictKind, key: Any) -> gast.Dict:
    """The dict without one of its keys."""
    keys = [k for k in kind.keys if k != key]
    return gast.Dict([gast.Constant(k, None) for k in keys],
                     [syntax.subscript(load(owner.id), gast.Constant(k, None)) for k in keys])


def fields_of_class(cls: type, count: int, names: Any) -> list[str] | None:
    """The fields that the arguments of `cls(...)` become, if that is all that the call does: first
    those of the positional ones, then names. None for other classes."""
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        known = list(cls._fields)
        plain = cls.__new__.__qualname__.endswith("__new__") and cls.__init__ is object.__init__
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
    found = inspect.getattr_static(cls, name, None)
    return hasattr(type(found), "__set__") and not isinstance(found, MemberDescriptorType)
