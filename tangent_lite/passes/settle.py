"""Write out the in-place operations whose meaning the kinds decide, and several results at once.

`x **= v` on an array writes x[...]; `x[rows] += v` with an array of rows reads, then writes;
`x += v` where x may be a number or an array binds x, if nobody else holds the array. What a
function with a rule returns is one tuple or list, of which `w, v = np.linalg.eigh(a)` takes the
parts.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import FLOAT, Array
>>> from tangent_lite.passes.infer import infer
>>> tree = gast.parse('''
... def f(x, v):
...     x **= v
...     return x
... ''').body[0]
>>> typer = Typer({}, {}.get)
>>> facts = infer(tree, {"x": Array(1, "float"), "v": FLOAT}, typer)
>>> settle(tree, tree, facts, typer)
True
>>> print(emit(tree), end="")
def f(x, v):
    t = x ** v
    x[...] = t
    return x
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import kinds, registry, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.names import Names


def settle(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred, typer: Typer,
           names: Names | None = None) -> bool:
    """Rewrite the tree in place, by what is known of `numbered`, its versions; whether it changed.

    A statement that binds from now on what it may have written is marked: `was_in_place`.
    """
    names = names or Names(syntax.all_names(tree))
    plain = list(syntax.statements(tree.body))
    arithmetic = facts.arithmetic(numbered)
    found = False
    for number, node in enumerate(syntax.statements(numbered.body)):
        if id(node) in arithmetic:
            continue
        if _drops_an_item(node, facts, typer):
            _name_dropped(tree, plain[number], names)
            found = True
            continue
        if _keeps_nothing(node, facts, typer):
            _do_first(tree, plain[number])
            found = True
            continue
        if _unpacks_results(node, facts, typer) or _unpacks_an_item(node, facts, typer):
            _name_first(tree, plain[number], names)
            found = True
            continue
        if _takes_apart_what_may_be_none(node, facts, typer):
            whole = plain[number]
            if not isinstance(whole.targets[0], gast.Tuple):
                whole = whole.value
            _name_first(tree, plain[number], names, whole)
            found = True
            continue
        if not isinstance(node, gast.AugAssign) or hasattr(node, "repeats"):
            continue
        typer.names = facts.before[id(node)]
        original = plain[number]
        if isinstance(node.target, gast.Subscript):
            if typer.index_class(node.target.slice) in ("array", "unknown") and \
                    isinstance(typer.kind(node.target.value), kinds.Array):
                _spell_out(tree, original, syntax.copy(original.target), names)
                found = True
            continue
        name = original.target.id
        kind = facts.before[id(node)].get(node.target.id, kinds.UNKNOWN)
        if isinstance(kind, kinds.Array):
            if not isinstance(node.op, (gast.Add, gast.Sub, gast.Mult, gast.Div)):
                whole = syntax.subscript(syntax.load(name), gast.Constant(Ellipsis, None),
                                         gast.Store())
                _spell_out(tree, original, whole, names)
                found = True
        elif isinstance(kind, kinds.Numeric) or kind == kinds.UNKNOWN or (
                isinstance(node.op, gast.FloorDiv) and kinds.can_vary(kind)):
            # What `x //= v` binds does not vary: it is another value than the x that it reads.
            _spell_out(tree, original, syntax.store(name), names)
            found = True
    return found


def _drops_an_item(node: gast.stmt, facts: Inferred, typer: Typer) -> bool:
    """`xs.pop()`, of whose item the adjoint is zero."""
    return isinstance(node, gast.Expr) and _takes_an_item(node, facts, typer)


def _unpacks_an_item(node: gast.stmt, facts: Inferred, typer: Typer) -> bool:
    """`a, b = xs.pop(0)`: the item comes out of the list under a name of its own."""
    return isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Tuple) \
        and _takes_an_item(node, facts, typer)


def _takes_apart_what_may_be_none(node: Any, facts: Inferred, typer: Typer) -> bool:
    """`a, b = xs[k]` or `a = best[0]`: a value of which only parts are asked has a name of its own,
    so that it is known not to be None where it has that name."""
    if not isinstance(node, gast.Assign):
        return False
    whole = node.value
    if not isinstance(node.targets[0], gast.Tuple):
        if not isinstance(whole, (gast.Subscript, gast.Attribute)):
            return False
        whole = whole.value
    typer.names = facts.before[id(node)]
    kind = typer.kind(whole)
    return isinstance(kind, kinds.Maybe) and not isinstance(kind.other, kinds.Number)


def _takes_an_item(node: Any, facts: Inferred, typer: Typer) -> bool:
    """Whether the value of a statement comes out of a list of what may vary."""
    call = node.value
    if not isinstance(call, gast.Call) or not isinstance(call.func, gast.Attribute) \
            or call.func.attr != "pop":
        return False
    typer.names = facts.before[id(node)]
    kind = typer.kind(call.func.value)
    return isinstance(kind, kinds.ListKind) and kinds.can_vary(kind)


def _name_dropped(tree: gast.FunctionDef, node: gast.Expr, names: Names) -> None:
    """`xs.pop()` as `dropped = xs.pop()`: it goes back to its place in the backward pass."""
    block, spot = syntax.spot_in(tree, node)
    block[spot] = syntax.copy_place(syntax.assign(names.fresh("dropped"), node.value), node)


# What changes a list or dict and returns None.
_DOERS = {"append", "insert", "extend", "clear", "reverse", "remove", "sort", "update"}


def _keeps_nothing(node: gast.stmt, facts: Inferred, typer: Typer) -> bool:
    """`r = xs.append(v)`, as of a function that returns what `append` returns."""
    value = getattr(node, "value", None)
    if not isinstance(node, gast.Assign) or not isinstance(value, gast.Call) \
            or not isinstance(value.func, gast.Attribute) or value.func.attr not in _DOERS:
        return False
    typer.names = facts.before[id(node)]
    return isinstance(typer.kind(value.func.value),
                      (kinds.ListKind, kinds.DictKind, kinds.MapKind))


def _do_first(tree: gast.FunctionDef, node: gast.Assign) -> None:
    """`r = xs.append(v)` as `xs.append(v); r = None`: what changes a list is a statement."""
    block, spot = syntax.spot_in(tree, node)
    block.insert(spot, syntax.copy_place(gast.Expr(node.value), node))
    node.value = syntax.copy_place(gast.Constant(None, None), node.value)


def _unpacks_results(node: gast.stmt, facts: Inferred, typer: Typer) -> bool:
    """`a, b = f(x)`, where f has a rule."""
    if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Tuple) \
            or not isinstance(node.value, gast.Call) or hasattr(node.value, "marker"):
        return False
    function, _ = facts.callees.get(id(node.value), (NO_OBJECT, None))
    entry = registry.lookup(function) if function is not NO_OBJECT else None
    if entry is None or (entry.adjoint is None and entry.tangent is None):
        return False
    typer.names = facts.before[id(node)]
    kind = typer.kind(node.value)
    return isinstance(kind, kinds.ListKind) or (
        isinstance(kind, kinds.TupleKind) and len(kind.items) == len(node.targets[0].elts))


def _name_first(tree: gast.FunctionDef, node: gast.Assign, names: Names,
                whole: Any = None) -> None:
    """`a, b = f(x)` as `t = f(x); a, b = t`; whole: what in the statement has the value that gets
    the name, if not the statement."""
    whole = whole or node
    block, spot = syntax.spot_in(tree, node)
    called = getattr(whole.value, "func", whole.value)
    wish = getattr(called, "attr", getattr(called, "id", "t"))
    name = names.fresh(wish if wish.isidentifier() else "t")
    first = syntax.copy_place(syntax.assign(name, whole.value), node)
    block.insert(spot, first)
    whole.value = syntax.copy_place(syntax.load(name), whole.value)


def _spell_out(tree: gast.FunctionDef, node: gast.AugAssign, target: gast.expr,
               names: Names) -> None:
    """`target op= value` as `t = target op value; target = t`."""
    old = syntax.copy(target)
    old.ctx = gast.Load()
    if isinstance(old, gast.Subscript) and isinstance(old.slice, gast.Constant) \
            and old.slice.value is Ellipsis:
        old = old.value
    block, spot = syntax.spot_in(tree, node)
    made: list[gast.stmt] = []
    value: gast.expr = gast.BinOp(old, node.op, node.value)
    if not isinstance(target, gast.Name):
        if isinstance(old, gast.Subscript):
            part = names.fresh("part")
            made.append(syntax.assign(part, old))
            value = gast.BinOp(syntax.load(part), node.op, node.value)
        name = names.fresh("t")
        made.append(syntax.assign(name, value))
        value = syntax.load(name)
    made.append(syntax.assign(target, value))
    made[-1].was_in_place = isinstance(target, gast.Name)
    block[spot:spot + 1] = [syntax.placed(one, node) for one in made]
