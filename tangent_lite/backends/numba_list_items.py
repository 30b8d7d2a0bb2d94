"""Items of lists: a list of Numba's is of one type, and what is put into it has to be of that.

    v = [0] * n                         v = [0.0] * n
    v[0] = x * x                =>      v[0] = x * x

Numba takes the first list for one of ints, and would cut what is put into it to a whole number.
So lists that hold floats at any time begin with floats. Where that is not seen in the text (the
list is made by a function, or is an argument), a pass over Numba's typed code refuses what would be
cut.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast
from numba import types
from numba.core import ir
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.errors import TypingError

from tangent_lite import syntax
from tangent_lite.kinds import Kind, ListKind, Number


def begin_with_floats(tree: gast.FunctionDef, kind: Callable[[gast.expr], Kind]) -> bool:
    """Make floats, in place, of ints in lists that hold floats as well; whether there were any.

    kind: what an expression may be at all times, so that of a list is that of all that it holds.
    """
    given = list(_given(tree))
    floats = {name for name, _, _ in given if _holds_floats(kind(syntax.load(name)))} \
        | {name for name, value in _put_into(tree) if _is_float(kind(value))}
    more = True
    while more:                             # rows of such a list are such lists
        more = False
        for name, value, _ in given:
            for part in _parts(value) if name in floats else ():
                if isinstance(part, gast.Name) and part.id not in floats \
                        and isinstance(kind(part), ListKind):
                    floats.add(part.id)
                    more = True
    changed = False
    for name, value, put in given:
        if name in floats:
            made = _as_floats(value, kind)
            if made is not value:
                put(made)
                changed = True
    return changed


def _given(tree: gast.FunctionDef) -> Iterator[tuple[str, Any, Callable[[gast.expr], None]]]:
    """Lists that names are bound to, and what is put into lists that is written out or has a name:
    the name of the list, the expression, and what puts another one into its place."""
    for node in syntax.statements(tree.body):
        if isinstance(node, gast.Assign) and len(node.targets) == 1 \
                and isinstance(node.value, (gast.List, gast.BinOp, gast.ListComp, gast.Name)):
            target: Any = _owner(node.targets[0])
            if isinstance(target, gast.Name) and (
                    target is not node.targets[0] or not isinstance(node.value, gast.Name)):
                yield target.id, node.value, _setter(node, "value")
        call = node.value if isinstance(node, gast.Expr) else None
        if isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute) \
                and isinstance(call.func.value, gast.Name) and len(call.args) == 1 \
                and call.func.attr == "append":
            yield call.func.value.id, call.args[0], _setter(call.args, 0)


def _put_into(tree: gast.FunctionDef) -> Iterator[tuple[str, gast.expr]]:
    """What becomes an item, or an item of an item, of what a name means, or is added to one."""
    for node in syntax.statements(tree.body):
        target: Any = syntax.target_of(node)
        if isinstance(node, (gast.Assign, gast.AugAssign)) and isinstance(target, gast.Subscript):
            owner = _owner(target)
            if isinstance(owner, gast.Name):
                yield owner.id, node.value


def _owner(target: Any) -> Any:
    """What a place is an item of: `m` of `m[i][j]`."""
    while isinstance(target, gast.Subscript):
        target = target.value
    return target


def _setter(owner: Any, key: Any) -> Callable[[gast.expr], None]:
    def put(made: gast.expr) -> None:
        if isinstance(owner, list):
            owner[key] = made
        else:
            setattr(owner, key, made)
    return put


def _holds_floats(kind: Kind) -> bool:
    """Whether what is known of a list, or of a list of lists, says that some items are floats."""
    if not isinstance(kind, ListKind):
        return False
    while isinstance(kind, ListKind):
        kind = kind.item
    return _is_float(kind)


def _is_float(kind: Kind) -> bool:
    return isinstance(kind, Number) and kind.type == "float"


def _parts(value: Any) -> Iterator[gast.expr]:
    """The items that a display writes out, down to what is no display."""
    if isinstance(value, gast.List):
        for part in value.elts:
            yield from _parts(part)
    elif isinstance(value, gast.BinOp) and isinstance(value.left, gast.List):
        yield from _parts(value.left)
    elif isinstance(value, gast.ListComp):
        yield from _parts(value.elt)
    else:
        yield value


def _as_floats(value: Any, kind: Callable[[gast.expr], Kind]) -> Any:
    """An expression with floats in the place of the ints among its items, or itself."""
    if isinstance(value, gast.List):
        made = [_as_floats(part, kind) for part in value.elts]
        return value if all(a is b for a, b in zip(made, value.elts)) else \
            gast.copy_location(gast.List(made, gast.Load()), value)
    if isinstance(value, gast.BinOp) and isinstance(value.op, gast.Mult) \
            and isinstance(value.left, gast.List):
        left = _as_floats(value.left, kind)
        return value if left is value.left else \
            gast.copy_location(gast.BinOp(left, value.op, value.right), value)
    if isinstance(value, gast.ListComp):
        elt = _as_floats(value.elt, kind)
        return value if elt is value.elt else \
            gast.copy_location(gast.ListComp(elt, value.generators), value)
    if isinstance(value, gast.Constant) and type(value.value) is int \
            and abs(value.value) <= 2 ** 53:
        return gast.copy_location(syntax.constant(float(value.value)), value)
    return value


@register_pass(mutates_CFG=False, analysis_only=True)
class ItemsFit(FunctionPass):
    """Refuses what would be cut as it is put into a list."""

    _name = "tangent_lite_items_fit"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        for block in state.func_ir.blocks.values():
            for node in block.body:
                if isinstance(node, (ir.SetItem, ir.StaticSetItem)):
                    owner = state.typemap[node.target.name]
                    value = state.typemap[node.value.name]
                    if isinstance(owner, types.List) and _is_cut(value, owner.dtype):
                        raise TypingError(f"a list of {owner.dtype} holds no {value}", loc=node.loc)
        return False


def _is_cut(value: Any, item: Any) -> bool:
    """Whether Numba makes another value of one that is put among items of a type."""
    value, item = (types.unliteral(getattr(one, "type", one)) if isinstance(one, types.Optional)
                   else types.unliteral(one) for one in (value, item))
    if isinstance(value, types.BaseTuple) and isinstance(item, types.BaseTuple):
        return any(map(_is_cut, value, item))
    if isinstance(value, types.Float):
        return isinstance(item, (types.Integer, types.Boolean)) \
            or (isinstance(item, types.Float) and item.bitwidth < value.bitwidth)
    return isinstance(value, types.Integer) and isinstance(item, types.Boolean)
