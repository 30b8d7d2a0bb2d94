"""The kind of a list, dict or object behind a statement that writes something into it.

    known = put_into(known, target, item, typer, keys)      # behind `d[key] = item`
"""
from __future__ import annotations

import dataclasses

import gast

from tangent_lite import kinds
from tangent_lite.analyses.loop_keys import LoopKeys
from tangent_lite.inference import Typer
from tangent_lite.kinds import Kind
from tangent_lite.kinds.maps import with_item
from tangent_lite.structures.lists import is_all_of_dict
from tangent_lite.structures.nested import is_grown, is_in_array, levels, places
from tangent_lite.structures.updates import is_descriptor, is_key, replaced_kind


def put_into(known: Kind, target: gast.Subscript | gast.Attribute, item: Kind, typer: Typer,
             keys: LoopKeys) -> Kind:
    """What a container of this kind is once an item is written to target, which is a part of it;
    keys: of the loops around."""
    if isinstance(target, gast.Attribute):
        return replaced_kind(known, **{target.attr: item}) if isinstance(
            known, kinds.RecordKind) and not is_descriptor(known.type, target.attr) else known
    if is_grown(target.slice):
        return _grown(known, target, item, typer)
    if is_in_array(known, target.slice):
        return known                            # as what is written into an array
    if isinstance(known, kinds.ListKind):
        item = item_of(target, item, typer)
        for _ in places(target.slice):
            item = kinds.ListKind(item)
        return kinds.join(known, item)
    if isinstance(known, (kinds.DictKind, kinds.MapKind)):
        if is_all_of_dict(target.slice):        # while it is looked for what that is, as it was
            return kinds.join(known, item) if isinstance(item, kinds.MapKind) else known
        return _with_key(known, target, item, typer, keys)
    return known


def is_into_list(known: Kind, target: gast.Subscript | gast.Attribute) -> bool:
    """Whether what is written to target becomes an item of a list, or of one in it."""
    return isinstance(known, kinds.ListKind) and isinstance(target, gast.Subscript) \
        and not is_grown(target.slice) and not is_in_array(known, target.slice)


def item_of(target: gast.Subscript, value: Kind, typer: Typer) -> Kind:
    """What a list gets: `v[1:] = w` puts in the items of w."""
    is_slice = isinstance(typer.kind(places(target.slice)[-1]), kinds.SliceKind)
    return typer.items_of(value) if is_slice else value


def _grown(known: Kind, target: gast.Subscript, item: Kind, typer: Typer) -> Kind:
    """Behind `d[key].append(v)` and `xs[i].append(v)`, which are written as such targets."""
    if isinstance(known, (kinds.MapKind, kinds.DictKind)):
        return with_item(known, kinds.ListKind(item), typer.kind(target.slice.elts[0]))
    if isinstance(known, kinds.ListKind):
        for _ in range(levels(target.slice) + 1):
            item = kinds.ListKind(item)
        return kinds.join(known, item)
    return known


def _with_key(known: kinds.DictKind | kinds.MapKind, target: gast.Subscript, item: Kind,
              typer: Typer, keys: LoopKeys) -> Kind:
    """Behind `d[key] = v`: a dict of known keys has one more, if this one is known as well."""
    key = kinds.value_of(typer.kind(target.slice))
    is_known = is_key(key) and not hasattr(target, "dynamic")
    if isinstance(known, kinds.MapKind):
        return kinds.with_name(known, key, item) if known.named and is_known \
            else with_item(known, item, typer.kind(target.slice))
    if is_known:
        parts = {**dict(zip(known.keys, known.items)), key: item}
        return dataclasses.replace(known, keys=tuple(parts), items=tuple(parts.values()))
    if set(keys.of(getattr(target.slice, "id", "")) or [None]) <= set(known.keys):
        return dataclasses.replace(known, items=tuple(
            kinds.join(old, item) for old in known.items))
    return with_item(known, item, typer.kind(target.slice))
