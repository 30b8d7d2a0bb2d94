"""`x[1:] += y` writes through a view of x: what Python does then, `x[1:] = view`, changes nothing.

Numba does it all the same, by way of a copy, as the two share memory, and compiles what says how
shapes differ. A pass over its typed code leaves that statement out.
"""
from __future__ import annotations

from typing import Any

from numba import types
from numba.core import ir
from numba.core.compiler_machinery import FunctionPass, register_pass

_OF_VIEWS = (types.SliceType, types.Integer, types.NoneType, types.EllipsisType)


@register_pass(mutates_CFG=False, analysis_only=False)
class WrittenViews(FunctionPass):
    """Takes such statements out."""

    _name = "tangent_lite_written_views"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        changed = False
        for block in state.func_ir.blocks.values():
            made: dict[str, Any] = {}       # names, and what the block has bound them to last
            body = []
            for node in block.body:
                if isinstance(node, (ir.SetItem, ir.StaticSetItem)) \
                        and _is_idle(node, made, state.typemap):
                    changed = True
                    continue
                if isinstance(node, ir.Assign):
                    made = {name: value for name, value in made.items()
                            if node.target.name not in _read(value)}
                    made[node.target.name] = node.value
                body.append(node)
            block.body = body
        return changed


def _read(value: Any) -> set[str]:
    """The names that an expression reads."""
    return {name.name for name in value.list_vars()} if isinstance(value, ir.Expr) else set()


def _is_idle(node: Any, made: dict[str, Any], typemap: dict[str, Any]) -> bool:
    """Whether a statement assigns a view to itself."""
    written = made.get(node.value.name)
    if not isinstance(written, ir.Expr) or written.op != "inplace_binop":
        return False
    view = made.get(written.lhs.name)
    if not isinstance(view, ir.Expr) or view.op not in ("getitem", "static_getitem"):
        return False
    place, index = (one.index_var if isinstance(one, ir.StaticSetItem) or static else one.index
                    for one, static in ((node, False), (view, view.op == "static_getitem")))
    if place is None or index is None or not _is_one_place(place.name, index.name, made) \
            or node.target.name != view.value.name:
        return False
    kinds = [typemap[name] for name in (view.value.name, written.lhs.name, node.value.name)]
    asked = typemap[index.name]
    parts = asked.types if isinstance(asked, types.BaseTuple) else (asked,)
    return all(isinstance(kind, types.Array) for kind in kinds) and kinds[1] == kinds[2] \
        and all(isinstance(part, _OF_VIEWS) for part in parts)


def _is_one_place(one: str, other: str, made: dict[str, Any]) -> bool:
    """Whether two names of an index mean one place: from Python 3.12 on `x[a:b] += y` makes the
    slice twice."""
    if one == other:
        return True
    calls = [made.get(name) for name in (one, other)]
    if not all(isinstance(call, ir.Expr) and call.op == "call" and not call.kws for call in calls):
        return False
    functions = [made.get(call.func.name) for call in calls]    # type: ignore[union-attr]
    given = [[arg.name for arg in call.args] for call in calls]     # type: ignore[union-attr]
    return given[0] == given[1] and all(
        isinstance(function, ir.Global) and function.value is slice for function in functions)
