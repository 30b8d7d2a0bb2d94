"""Name what decides on a branch, where the branch may change what it reads.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import Array
>>> from tangent_lite.passes.infer import infer
>>> tree = gast.parse('''
... def f(w, v):
...     if v @ v < 1.0:
...         w *= 30.0
...     return w
... ''').body[0]
>>> typer = Typer({}, {}.get)
>>> facts = infer(tree, {"w": Array(1, "float"), "v": Array(1, "float")}, typer)
>>> read = syntax.copy(tree)
>>> steady(read, tree, facts, typer, Names(syntax.all_names(tree)), set())
True
>>> print(emit(read), end="")
def f(w, v):
    cond = v @ v < 1.0
    if cond:
        w *= 30.0
    return w

The backward pass asks the condition again, before what the branch wrote is put back. `frame` knows
no kinds: it names what reads a variable that is bound anew. Whether two names share memory is not
asked here, as a condition that is named in vain costs next to nothing.
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.aliases import may_hold_buffer
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.momentary import may_write
from tangent_lite.inference import Typer
from tangent_lite.markers import way_of
from tangent_lite.names import Names
from tangent_lite.syntax import COMPOUND, load

_LASTING = {"shape", "ndim", "dtype"}           # nothing in place changes them


def steady(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred, typer: Typer,
           names: Names, held: set[str]) -> bool:
    """Rewrite the tree in place, by what is known of `numbered`, its versions; whether it changed.

    held: the names that were made here before; more are added.
    """
    plain = list(syntax.statements(tree.body))
    found = False
    for number, node in enumerate(list(syntax.statements(numbered.body))):
        if not isinstance(node, (gast.If, gast.For)) or way_of(node) is not None \
                or id(node) not in facts.before:
            continue
        original = plain[number]
        asked = [node.test] if isinstance(node, gast.If) else list(node.iter.args)
        places = [original.test] if isinstance(node, gast.If) else list(original.iter.args)
        for spot, (part, place) in enumerate(zip(asked, places)):
            if (isinstance(place, gast.Name) and place.id in held) \
                    or not _reads_contents(part, facts.before[id(node)]) \
                    or not any(not isinstance(n, COMPOUND) and may_write(n, facts)
                               for n in syntax.statements(node.body + node.orelse)):
                continue
            typer.names = facts.before[id(node)]
            value = place
            if not isinstance(typer.kind(part), kinds.Number):
                # A name alone, `a or b`: the value itself must not be what changes.
                value = syntax.call(load("bool"), place) if isinstance(node, gast.If) \
                    else gast.UnaryOp(gast.UAdd(), place)
            name = names.fresh("cond" if isinstance(node, gast.If) else "stop")
            held.add(name)
            _in_front(tree, original, syntax.assign(name, value))
            if isinstance(node, gast.If):
                original.test = syntax.copy_place(load(name), original)
            else:
                original.iter.args[spot] = syntax.copy_place(load(name), original)
            found = True
    return found


def _reads_contents(test: gast.expr, known: Any) -> bool:
    """Whether an expression reads what is in something that can be changed in place."""
    todo: list[gast.AST] = [test]
    while todo:
        part = todo.pop()
        if isinstance(part, gast.Attribute) and part.attr in _LASTING:
            continue
        if isinstance(part, gast.Compare) and all(isinstance(o, (gast.Is, gast.IsNot))
                                                  for o in part.ops):
            continue
        # A list that grows or shrinks has one name, which is told from others.
        if isinstance(part, gast.Call) and getattr(part.func, "id", "") in ("isinstance", "len"):
            continue
        if isinstance(part, gast.Name):
            kind = known.get(part.id)
            if kind is not None and may_hold_buffer(kind):
                return True
        todo += gast.iter_child_nodes(part)
    return False


def _in_front(tree: gast.FunctionDef, node: gast.stmt, new: gast.stmt) -> None:
    """Put a new statement in front of one of the tree."""
    block, spot = syntax.spot_in(tree, node)
    block.insert(spot, syntax.placed(new, node))
