"""Lists of adjoints, made as one makes them by hand.

    bx = zeros_like(x)                  bx = [0.0] * len(x)
    brows = zeros_like(rows)    =>      brows = [[0.0] * len(row) for row in rows]
    by = spread_over(bs, y)             by = [bs] * len(y)
    bz = parts_like(bs * a, z)          bz = (bs * a).tolist()
    bw = zeros_like(w)                  bw = bz
    add_parts(bw, np.s_[:], bz)

where it is known that numbers (or arrays, for zeros) are in the lists: the helpers ask that of each
item. As with other lists of adjoints (filled_lists.py) this is done in the text that is shown,
saved and run.
"""
from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, runtime, runtime_shapes, syntax
from tangent_lite.array_parts import Unit

_MAKERS = (runtime.zeros_like, runtime.spread_over, runtime_shapes.parts_like)


def write_out_lists(derivative: Any) -> None:
    """Write out what makes lists of numbers; the trees are changed in place."""
    for unit in derivative.units:
        body, known = unit.tree.body, Unit(unit)
        done = [_hand_on(body, node, known) for node in list(body)]
        done += [_write_out(node, known) for node in syntax.statements(body)]
        if any(done):
            unit.leave_unread()


def _hand_on(body: list[gast.stmt], node: gast.stmt, unit: Unit) -> bool:
    """Let a list that is added to zeros, and is used no more, take their place."""
    made: Any = getattr(node, "value", None)
    if not isinstance(node, gast.Assign) or not _calls(made, runtime.zeros_like, unit) \
            or not isinstance(getattr(made, "structure", None), kinds.Number):
        return False
    place = body.index(node) + 1
    added: Any = getattr(body[place], "value", None)
    if not isinstance(body[place], gast.Expr) or not _calls(added, runtime.add_parts, unit):
        return False
    target, where, part = added.args
    everything = gast.Slice(None, None, None)
    if not syntax.same(target, node.targets[0]) or not isinstance(part, gast.Name) \
            or part.id == target.id or not isinstance(where, gast.Subscript) \
            or not syntax.same(where.slice, everything) \
            or not _is_own(part.id, body[:place - 1], unit):
        return False
    later: Any = next((n for n in body[place + 1:] if part.id in syntax.all_names(n)), None)
    if later is not None and (not _binds(later, part.id)
                              or part.id in syntax.all_names(later.value)):
        return False
    node.value = part
    del body[place]
    return True


def _is_own(name: str, body: list[gast.stmt], unit: Unit) -> bool:
    """Whether a list was made in a block, and nothing else got hold of it."""
    for node in reversed(body):
        if _binds(node, name):
            return any(_calls(getattr(node, "value", None), helper, unit) for helper in _MAKERS)
        for inner in syntax.statements([node]):
            spot: Any = inner.target if isinstance(inner, gast.AugAssign) else None
            if name in syntax.all_names(inner) and not isinstance(inner, syntax.COMPOUND) \
                    and (syntax.root_name(spot) != name or spot.__class__ is gast.Name
                         or name in syntax.all_names(inner.value)):
                return False
            if isinstance(inner, gast.For) and name in syntax.all_names(
                    gast.Tuple([inner.target, inner.iter], gast.Load())):
                return False
            if isinstance(inner, (gast.If, gast.While)) and name in syntax.all_names(inner.test):
                return False
    return False


def _binds(node: gast.stmt, name: str) -> bool:
    return isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
        and node.targets[0].id == name


def _calls(node: Any, helper: Any, unit: Unit) -> bool:
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Name) \
        and unit.means(node.func.id) is helper


def _write_out(node: gast.stmt, unit: Unit) -> bool:
    made: Any = getattr(node, "value", None)
    if not isinstance(node, gast.Assign) or not hasattr(made, "structure") \
            or not isinstance(made.func, gast.Name) \
            or unit.means("len", len) is not len or not isinstance(made.args[-1], gast.Name):
        return False
    helper = unit.means(made.func.id)
    if helper is runtime.spread_over:
        node.value = _times(made.args[0], made.args[1])
        return True
    if helper is runtime_shapes.parts_like:
        node.value = syntax.method(made.args[0], "tolist")
        return True
    found = _zeros(made.structure, made.args[0], unit) if helper is runtime.zeros_like else None
    if found is None:
        return False
    node.value = found
    return True


def _zeros(item: Any, items: gast.expr, unit: Unit) -> gast.expr | None:
    """Zeros for a list of such items."""
    if isinstance(item, kinds.Number):
        return _times(syntax.constant(0.0), items)
    name = "row" if isinstance(item, kinds.ListKind) else "item"
    each: gast.expr | None = None
    if isinstance(item, kinds.ListKind) and isinstance(item.item, kinds.Number):
        each = _times(syntax.constant(0.0), syntax.load(name))
    elif isinstance(item, kinds.Array) and item.dtype == "float" and unit.means("np") is np:
        each = syntax.call(syntax.attribute(syntax.load("np"), "zeros_like"), syntax.load(name))
    if each is None:
        return None
    return gast.ListComp(each, [gast.comprehension(syntax.store(name), items, [], 0)])


def _times(part: gast.expr, items: gast.expr) -> gast.expr:
    return syntax.binary(gast.List([part], gast.Load()), "*",
                         syntax.call(syntax.load("len"), items))
