"""Lists of adjoints, made as one makes them by hand.

    bx = zeros_like(x)                  bx = [0.0] * len(x)
    brows = zeros_like(rows)    =>      brows = [[0.0] * len(row) for row in rows]
    by = spread_over(bs, y)             by = [bs] * len(y)
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

from tangent_lite import kinds, runtime, syntax
from tangent_lite.polish.array_parts import Unit, binds, blocks, without_blocks

_MAKERS = (runtime.zeros_like, runtime.spread_over, runtime.copied_parts)
_CHANGES = {"pop", "append", "insert"}


def write_out_lists(derivative: Any) -> None:
    """Write out what makes lists of numbers; the trees are changed in place."""
    for unit in derivative.units:
        if "structure" not in unit.sought.marks:
            continue
        body, known = unit.tree.body, Unit(unit)
        done = [_hand_on(block, node, known) for block in blocks(body) for node in list(block)]
        done += [_write_out(node, known) for node in syntax.every_statement(body)]
        if any(done):
            unit.leave_unread()


def _hand_on(block: list[gast.stmt], node: gast.stmt, unit: Unit) -> bool:
    """Let a list that is added to zeros, and is used no more, take their place."""
    made: Any = getattr(node, "value", None)
    if not isinstance(node, gast.Assign) or not _calls(made, runtime.zeros_like, unit) \
            or not isinstance(getattr(made, "structure", None), kinds.Number):
        return False
    place = block.index(node) + 1
    added: Any = getattr(block[place], "value", None) if place < len(block) else None
    if not isinstance(added, gast.Call) or not isinstance(block[place], gast.Expr) \
            or not _calls(added, runtime.add_parts, unit):
        return False
    target, where, part = added.args
    everything = gast.Slice(None, None, None)
    if not syntax.same(target, node.targets[0]) or not isinstance(part, gast.Name) \
            or part.id == target.id or not isinstance(where, gast.Subscript) \
            or not syntax.same(where.slice, everything) or not _is_own(part.id, unit):
        return False
    later: Any = next((n for n in block[place + 1:] if part.id in syntax.all_names(n)), None)
    is_bound_anew = later is not None and binds(later, part.id) \
        and part.id not in syntax.all_names(later.value)
    if not is_bound_anew and (later is not None or block is not unit.body):
        return False
    node.value = part
    del block[place]
    return True


def _is_own(name: str, unit: Unit) -> bool:
    """Whether a list of numbers is always made here, and nothing else gets hold of it."""
    everything = list(syntax.statements(unit.body))
    if name in syntax.parameter_names(unit.unit.tree.args) \
            or not any(binds(node, name) for node in everything):
        return False
    return all(_keeps(node, name, unit) for node in everything)


def _keeps(node: gast.stmt, name: str, unit: Unit) -> bool:
    """Whether a statement takes no more than numbers out of a list."""
    if isinstance(node, gast.Return):
        return True
    value: Any = getattr(node, "value", None)
    if binds(node, name):
        return (_lists_array(value) or any(_calls(value, maker, unit) for maker in _MAKERS)) \
            and (name not in syntax.all_names(value) or _calls(value, runtime.copied_parts, unit))
    total = inside = 0
    for part in syntax.walk(without_blocks(node)):
        if isinstance(part, gast.Name):
            total += part.id == name
        elif isinstance(part, gast.Subscript):
            inside += syntax.is_name(part.value, name) and not isinstance(part.slice, gast.Slice)
        elif isinstance(part, gast.Attribute):
            inside += syntax.is_name(part.value, name) and part.attr in _CHANGES
        elif isinstance(part, gast.Call) and _calls(part, runtime.add_parts, unit):
            inside += sum(syntax.is_name(argument, name) for argument in part.args)
    return total == inside


def _calls(node: Any, helper: Any, unit: Unit) -> bool:
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Name) \
        and unit.means(node.func.id) is helper


def _lists_array(node: Any) -> bool:
    """Whether an expression is `array.tolist()`, with which adjoints of lists begin."""
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) \
        and node.func.attr == "tolist" and not node.args


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
    elif isinstance(item, kinds.Array) and item.dtype == "float" and not item.is_mixed \
            and unit.means("np") is np:
        each = syntax.call(syntax.attribute(syntax.load("np"), "zeros_like"), syntax.load(name))
    if each is None:
        return None
    return gast.ListComp(each, [gast.comprehension(syntax.store(name), items, [], 0)])


def _times(part: gast.expr, items: gast.expr) -> gast.expr:
    return syntax.binary(gast.List([part], gast.Load()), "*",
                         syntax.call(syntax.load("len"), items))
