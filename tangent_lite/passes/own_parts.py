"""Copy on entry the parts of dicts and objects that are given, where what these hold changes.

A list or an array in an object is changed for all who hold it. Of an object that the function makes
it is known who does, so that it makes one: with attributes that are those of the one it is given,
or copies of them.

>>> from tangent_lite.emit import emit
>>> class Run: pass
>>> kind = kinds.RecordKind(Run, ("rate", "log"), (kinds.FLOAT, kinds.ListKind(kinds.FLOAT)))
>>> tree = gast.parse('''
... def f(r, x):
...     r.log.append(x * r.rate)
...     return r.log[0]
... ''').body[0]
>>> own_parts(tree, {"r": {"log"}}, {"r": kind}, Names(syntax.all_names(tree)),
...           lambda thing, name: syntax.load(name))
{'r': 'r_1'}
>>> print(emit(tree), end="")
def f(r, x):
    r_1 = blank(Run)
    r_rate = r.rate
    r_log = r.log
    r_log_1 = r_log.copy()
    r_1.rate = r_rate
    r_1.log = r_log_1
    r_1.log.append(x * r_1.rate)
    return r_1.log[0]
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gast

from tangent_lite import kinds, runtime, syntax
from tangent_lite.analyses.parts_changed import parts_changed
from tangent_lite.functions.local_functions import RenameAll
from tangent_lite.kinds import Kind
from tangent_lite.names import Names, stem
from tangent_lite.records import is_made_blank
from tangent_lite.runtime.objects import blank
from tangent_lite.structures.item_copies import each_copied
from tangent_lite.structures.updates import is_key

External = Callable[[Any, str], gast.expr]


def own_parts(tree: gast.FunctionDef, parts: Mapping[str, set[Any]],
              parameter_kinds: Mapping[str, Kind], names: Names,
              external: External) -> dict[str, str]:
    """Copy parameters, or what lies outside, by their parts, in place, and return the names of the
    copies; parts: of each the keys and attributes of lists and arrays that are copied."""
    copies: dict[str, str] = {}
    made: list[Any] = []
    for name, keys in parts.items():
        copies[name] = names.fresh(name)
        made += _copied(syntax.load(name), parameter_kinds[name], copies[name], keys, names,
                        external)
    renamer = RenameAll(copies)
    if not made:
        return copies
    first = tree.body[0]
    tree.body = [renamer.visit(node) for node in tree.body]
    tree.body[:0] = syntax.stand_at(made, first)
    return copies


def parts_to_own(tree: gast.FunctionDef, known: Mapping[str, Kind],
                 copies: Mapping[str, str]) -> list[dict[str, set[Any]]]:
    """The parameters, and what lies outside, of which parts change in place that can be copied on
    entry: two ways to do so, the other copying more; copies: as for `parts_changed`."""
    found = [{name: keys for name, keys in parts_changed(tree, known, copies, rebound).items()
              if can_be_owned(known[name])} for rebound in (False, True)]
    # Where keys lead to nothing more that is copied, the other way would end as the first does.
    made = [{name: parts_copied(known[name], keys) for name, keys in parts.items()}
            for parts in found]
    return [parts for parts in found[:1 + (made[0] != made[1])] if parts]


def parts_copied(kind: Kind, keys: set[Any]) -> list[tuple[Any, ...]]:
    """The parts of something that `own_parts` copies, by the ways to them; the whole is none.

    >>> class Run: pass
    >>> kind = kinds.RecordKind(Run, ("rate", "log"), (kinds.FLOAT, kinds.ListKind(kinds.FLOAT)))
    >>> parts_copied(kind, {"log", "rate"}), parts_copied(kind, set())
    ([('log',)], [])
    """
    if isinstance(kind, kinds.ListKind):
        inside = can_be_owned(kind.item) or isinstance(kind.item, (kinds.ListKind, kinds.Array))
        return [("items", *way) for way in ((), *parts_copied(kind.item, keys))] if inside else []
    return [(key, *way) for key, part in zip(_keys_of(kind), getattr(kind, "items", ()))
            if _is_copied(key, part, keys) for way in ((), *parts_copied(part, keys))]


def can_be_owned(kind: Kind) -> bool:
    """Whether a dict, an object, or a list of these or of arrays can be made again of its parts;
    and a tuple that holds such."""
    if isinstance(kind, kinds.TupleKind):
        return kind.type in (tuple, list) and any(map(can_be_owned, kind.items))
    if isinstance(kind, kinds.ListKind):
        return isinstance(kind.item, kinds.Array) or (
            isinstance(kind.item, (kinds.DictKind, kinds.RecordKind)) and can_be_owned(kind.item))
    if isinstance(kind, kinds.DictKind):
        return not kind.makes and all(map(is_key, kind.keys))
    if not isinstance(kind, kinds.RecordKind):
        return False
    cls: Any = kind.type
    # Of a frozen dataclass __setattr__ is another one.
    return is_made_blank(cls) and cls.__setattr__ is object.__setattr__


def _copied(value: gast.expr, kind: Kind, name: str, keys: set[Any], names: Names,
            external: External) -> list[Any]:
    """Statements that give a name to a copy of a dict, a list or an object."""
    wish = stem(name)
    if isinstance(kind, kinds.Array):
        copy = external(runtime.copy_as_it_lies, "copy_as_it_lies")
        return [syntax.assign(name, syntax.call(copy, value))]
    if isinstance(kind, kinds.ListKind):
        if not can_be_owned(kind.item) and not isinstance(kind.item, (kinds.ListKind, kinds.Array)):
            return [syntax.assign(name, syntax.method(value, "copy"))]
        item_kind = kind.item
        return each_copied(value, name, names, external, lambda item, own: _copied(
            item, item_kind, own, keys, names, external))
    is_object = isinstance(kind, kinds.RecordKind)
    fields = _keys_of(kind)
    out: list[Any] = []
    owns: list[str] = []
    for key, part in zip(fields, kind.items):                       # type: ignore[attr-defined]
        shown = f"{wish}_{key}" if str(key).isidentifier() or isinstance(key, int) \
            else f"{wish}_part"
        own = names.fresh(shown)
        read = syntax.attribute(syntax.copy(value), key) if is_object \
            else syntax.subscript(syntax.copy(value), gast.Constant(key, None))
        out.append(syntax.assign(own, read))
        if _is_copied(key, part, keys):
            read, own = own, names.fresh(shown)
            out += _copied(syntax.load(read), part, own, keys, names, external)
        owns.append(own)
    if isinstance(kind, kinds.TupleKind):
        made: Any = syntax.tuple_of(map(syntax.load, owns))
        if kind.type is list:
            made = gast.List(made.elts, gast.Load())
            made.is_told = True
        out.append(syntax.assign(name, made))
    elif not is_object:
        out.append(syntax.assign(name, gast.Dict([gast.Constant(key, None) for key in fields],
                                                 [syntax.load(own) for own in owns])))
    else:
        cls = kind.type                                             # type: ignore[attr-defined]
        out.insert(0, syntax.assign(name, syntax.call(external(blank, "blank"),
                                                      external(cls, cls.__name__))))
        out += [gast.Assign([gast.Attribute(syntax.load(name), key, gast.Store())],
                            syntax.load(own), None) for key, own in zip(fields, owns)]
    for node in out:
        node.is_entry_part = True
    return out


def _keys_of(kind: Any) -> Any:
    """By what the parts of a tuple, a dict or an object are got at."""
    return range(len(kind.items)) if isinstance(kind, kinds.TupleKind) \
        else kind.fields if isinstance(kind, kinds.RecordKind) else getattr(kind, "keys", ())


def _is_copied(key: Any, part: Kind, keys: set[Any]) -> bool:
    """Whether a part of what is copied by its parts is copied as well."""
    return key in keys if isinstance(part, (kinds.ListKind, kinds.Array)) else can_be_owned(part)
