"""Dicts and objects that a function makes and never hands on: nothing but parts of them is read.

Nobody else holds one, so that what happens to another container does not happen to it.
"""
from __future__ import annotations

import types
from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite import registry, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import bound_in
from tangent_lite.inference import Typer
from tangent_lite.modules import package_of
from tangent_lite.runtime.objects import blank
from tangent_lite.structures.updates import fields_of_class, updates_of
from tangent_lite.syntax.scopes import names_inside


@dataclass(eq=False, repr=False)
class Aggregate:
    """A dict or object of a function: where it is made, where it is bound to itself with another
    part, where a part is read."""
    made: list[gast.Assign] = field(default_factory=list)
    updated: list[gast.Assign] = field(default_factory=list)
    read: list[tuple[gast.expr, Any]] = field(default_factory=list)     # and which part
    calls: list[gast.Call] = field(default_factory=list)    # that have to be written out before
    mentions: int = 0


def aggregates(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred,
               typer: Typer) -> dict[str, Aggregate]:
    """The names that are bound to nothing but dicts and objects made here, and of which nothing but
    parts is read, if what they are given to is written out; numbered: the versions of the tree."""
    names = {node.targets[0].id for node in syntax.statements(tree.body)
             if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name)
             and makes(node.value, typer)}
    if not names:
        return {}
    found: dict[str, Aggregate] = {}
    others = set(syntax.parameter_names(tree.args))
    for node in syntax.statements(tree.body):
        if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
            others |= set(syntax.bound_names(node.target)) if isinstance(node, gast.For) \
                else set() if isinstance(node, syntax.COMPOUND) else bound_in([node])
            continue
        name = node.targets[0].id
        if name not in names:
            continue
        whole = found.setdefault(name, Aggregate())
        if updates_of(node.value) == name:
            whole.updated.append(node)
        elif makes(node.value, typer) and _reads_same_parts(node.value, name, typer):
            whole.made.append(node)
        elif isinstance(node.value, gast.Name) and node.value.id == name:
            whole.updated.append(node)
        else:
            others.add(name)
    found = {name: whole for name, whole in found.items() if name not in others and whole.made}
    if not found:
        return found
    inside = names_inside(tree)
    inside |= syntax.lazily_read(tree)
    called = set()
    for node, version in zip(syntax.statements(tree.body), syntax.statements(numbered.body),
                             strict=True):
        call: Any = getattr(node, "value", None)
        known = getattr(version, "value", None)
        if isinstance(known, gast.Call) and can_be_written(known, facts):
            called.add(id(call.func))
            for part in (*call.args, *(k.value for k in call.keywords),
                         getattr(call.func, "value", None)):
                if getattr(part, "id", "") in found:
                    found[part.id].calls.append(known)
    for node in syntax.walk(tree):
        if isinstance(node, gast.Name) and node.id in found and isinstance(node.ctx, gast.Load):
            found[node.id].mentions += 1
        name, key = part_of(node)
        if name in found and id(node) not in called:
            found[name].read.append((node, key))
    return {name: whole for name, whole in found.items() if name not in inside
            and whole.mentions == len(whole.read) + len(whole.updated) + len(whole.calls)
            and _is_of_one_kind(whole)}


def _reads_same_parts(value: gast.expr, name: str, typer: Typer) -> bool:
    """Whether an expression that makes a container for a name reads nothing of what the name holds,
    but for parts that stay where they are: `state = {"x": x, "t": state["t"]}`."""
    return name not in syntax.read_names(value) or (isinstance(value, gast.Dict) and all(
        name not in syntax.read_names(part) or part_of(part) == (name, key)
        for key, part in given(value, typer).items()))


def can_be_written(call: gast.Call, facts: Inferred) -> bool:
    """Whether the function of the user that is called can be written out, and was not asked for."""
    function = facts.callees.get(id(call), (None, None))[0]
    return isinstance(function, types.FunctionType) and hasattr(call, "mark") \
        and not getattr(call, "must_be_written", False) and not registry.is_library(function) \
        and registry.lookup(function) is None and package_of(function) != "tangent_lite"


def _is_of_one_kind(whole: Aggregate) -> bool:
    """Whether a name means dicts of which items are read, or objects of which attributes are."""
    maker, reads = (gast.Dict, gast.Subscript) if isinstance(whole.made[0].value, gast.Dict) \
        else (gast.Call, gast.Attribute)
    return all(isinstance(node.value, maker) for node in whole.made) \
        and all(isinstance(node, reads) for node, _ in whole.read)


def makes(value: gast.expr, typer: Typer) -> bool:
    """Whether an expression makes a dict of known keys, or an object that keeps what it is given.
    """
    if isinstance(value, gast.Dict):
        keys = [getattr(key, "value", None) for key in value.keys]
        return bool(keys) and all(isinstance(key, gast.Constant) for key in value.keys) \
            and len({(type(key), key) for key in keys}) == len(set(keys)) == len(keys)
    return class_made(value, typer) is not None


def class_made(value: gast.expr, typer: Typer) -> type | None:
    """The class of which an expression makes an object that keeps what it is given."""
    if not isinstance(value, gast.Call):
        return None
    function = typer.object_of(value.func)
    if function is blank:
        return typer.object_of(value.args[0])
    is_plain = isinstance(function, type) and not issubclass(function, tuple) \
        and not any(isinstance(part, gast.Starred) for part in value.args) \
        and fields_of_class(function, len(value.args), [k.arg for k in value.keywords]) is not None
    return function if is_plain else None


def given(value: Any, typer: Typer) -> dict[Any, gast.expr]:
    """The parts that an expression gives to a dict or object."""
    if isinstance(value, gast.Dict):
        return {key.value: part for key, part in zip(value.keys, value.values) if key is not None}
    if isinstance(value, gast.Tuple):
        return dict(enumerate(value.elts))
    known = {keyword.arg: keyword.value for keyword in getattr(value, "keywords", ())}
    made = class_made(value, typer)
    if made is None or typer.object_of(value.func) is not made:
        return known
    return dict(zip(fields_of_class(made, len(value.args), known) or (),
                    [*value.args, *known.values()]))


def part_of(node: gast.AST) -> tuple[str | None, Any]:
    """Of which container an expression reads which part."""
    owner = getattr(node, "value", None)
    if isinstance(owner, gast.Name) and isinstance(getattr(node, "ctx", None), gast.Load):
        if isinstance(node, gast.Attribute):
            return owner.id, node.attr
        if isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Constant):
            return owner.id, node.slice.value
    return None, None
