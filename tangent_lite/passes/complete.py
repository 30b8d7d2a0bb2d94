"""Give an object the attributes that a loop or a branch gives it, in front of that.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import FLOAT, INT
>>> from tangent_lite.passes.infer import infer
>>> from tangent_lite.runtime_objects import blank, replaced
>>> class Body:
...     pass
>>> tree = gast.parse('''
... def f(x, n):
...     body = blank(Body)
...     for i in range(n):
...         body = replaced(body, x=x)
...     return body
... ''').body[0]
>>> typer = Typer({}, {"Body": Body, "blank": blank, "replaced": replaced}.get)
>>> facts = infer(tree, {"x": FLOAT, "n": INT}, typer)
>>> complete(tree, tree, facts, typer)
True
>>> print(emit(tree), end="")
def f(x, n):
    body = blank(Body)
    body.x = None
    for i in range(n):
        body = replaced(body, x=x)
    return body

An object that has an attribute in one iteration and not in another is of no known kind. A class may
have a value for it, which is then that of the object; else it is None, which nobody reads: Python
would have no attribute there. Who asks which attributes there are is left alone, and who may go on
where there is none: who reads it in a `try`, or looks at what was read as at None.
"""
from __future__ import annotations

import functools
import inspect
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.inference import Typer
from tangent_lite.liveness import definitions
from tangent_lite.markers import attempted, is_attempt
from tangent_lite.runtime_objects import replaced

_ASKING = {"hasattr", "getattr", "delattr", "vars", "dir", "copy", "deepcopy", "__dict__",
           "__slots__"}
_EQUALITIES = (gast.Is, gast.IsNot, gast.Eq, gast.NotEq, gast.In, gast.NotIn)


def complete(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Any, typer: Typer) -> bool:
    """Rewrite the tree in place, by what is known of `numbered`, its versions; whether it changed.
    """
    given: dict[int, tuple[str, str, str]] = {}     # statement -> name, version, attribute
    owners: dict[str, list[tuple[int, kinds.Kind]]] = {}    # version -> place, kind: its bindings
    places: dict[int, int] = {}
    for place, (node, version) in enumerate(zip(
            syntax.statements(tree.body), syntax.statements(numbered.body), strict=True)):
        places[id(node)] = place
        store, named = _store(node, typer), _store(version, typer)
        if store is not None and named is not None:
            given[id(node)] = store[0], named[0], store[1]
        for name in definitions(version):
            kind = facts.after.get(id(version), {}).get(name, kinds.UNKNOWN)
            owners.setdefault(name, []).append((place, kind))
    if not given or any(
            getattr(node, "id", getattr(node, "attr", None)) in _ASKING
            for node in syntax.walk(tree) if isinstance(node, (gast.Name, gast.Attribute))):
        return False
    asks_for = functools.cache(functools.partial(_asks_for, tree))
    for block in syntax.all_blocks(tree):
        for spot, node in enumerate(block):
            if not isinstance(node, syntax.COMPOUND):
                continue
            missing: dict[tuple[str, str], type] = {}
            for one in syntax.statements([node]):
                name, version, attribute = given.get(id(one), ("", "", ""))
                before = [kind for place, kind in owners.get(version, ())
                          if place < places[id(node)]]
                owner = _type_without(before, attribute)
                is_given = owner is not None and any(
                    (version, attribute) == known[1:] and places[other] < places[id(node)]
                    for other, known in given.items())
                if owner is not None and not is_given \
                        and not _gives_always(node, name, attribute, given) \
                        and (hasattr(owner, attribute) or not asks_for(attribute)):
                    missing[name, attribute] = owner
            for (name, attribute), owner in reversed(missing.items()):
                block.insert(spot, syntax.copy_place(_default(name, attribute, owner), node))
            if missing:
                return True
    return False


def _asks_for(tree: gast.FunctionDef, attribute: str) -> bool:
    """Whether it makes a difference that None is read where Python finds no such attribute."""
    names = {node.targets[0].id for node in syntax.statements(tree.body)
             if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name)
             and getattr(node.value, "attr", None) == attribute}

    def is_it(node: Any) -> bool:
        return getattr(node, "attr", None) == attribute or getattr(node, "id", None) in names

    for node in syntax.walk(tree):
        asked: list[Any] = [getattr(node, "test", None)]
        if isinstance(node, gast.Compare) and isinstance(node.ops[0], _EQUALITIES):
            asked = [node.left, *node.comparators]
        elif isinstance(node, gast.BoolOp):
            asked = node.values
        elif isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
            asked = [node.operand]
        elif is_attempt(node):
            asked = [part for one in attempted(node) for part in syntax.walk(one)]
        if any(map(is_it, asked)):
            return True
    return False


def _store(node: gast.stmt, typer: Typer) -> tuple[str, str] | None:
    """`body.x = v`, or what stands for it: `body = replaced(body, x=v)`."""
    if not isinstance(node, gast.Assign):
        return None
    target, value = node.targets[0], node.value
    if isinstance(target, gast.Attribute) and isinstance(target.value, gast.Name):
        return target.value.id, target.attr
    if isinstance(target, gast.Name) and isinstance(value, gast.Call) and len(value.args) == 1 \
            and len(value.keywords) == 1 and typer.object_of(value.func) is replaced \
            and isinstance(value.args[0], gast.Name):
        return target.id, value.keywords[0].arg
    return None


def _type_without(owners: list[kinds.Kind], attribute: str) -> type | None:
    """The class of objects none of which has an attribute, as far as is known of any."""
    types = {kind.type if isinstance(kind, kinds.RecordKind) and attribute not in kind.fields
             else None for kind in owners}
    found = types.pop() if len(types) == 1 else None
    if found is None or any(hasattr(found, name) for name in ("__getattr__", "__slots__")) \
            or getattr(found, "__setattr__", None) is not object.__setattr__:
        return None
    return None if hasattr(type(inspect.getattr_static(found, attribute, None)), "__get__") \
        else found


def _gives_always(node: gast.stmt, name: str, attribute: str,
                  given: dict[int, tuple[str, str, str]]) -> bool:
    """Whether each branch gives the attribute, so that it is there behind them."""
    return isinstance(node, gast.If) and all(any(
        given.get(id(one), ("", "", ""))[::2] == (name, attribute) for one in branch)
        for branch in (node.body, node.orelse))


def _default(name: str, attribute: str, owner: type) -> gast.Assign:
    value = syntax.attribute(syntax.load(name), attribute) if hasattr(owner, attribute) \
        else gast.Constant(None, None)
    return gast.Assign([gast.Attribute(syntax.load(name), attribute, gast.Store())], value, None)
