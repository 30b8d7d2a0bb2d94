"""Calls that change nothing, be it by a function that they are handed: `tree_map(np.tanh, params)`.

What a function does with one that it is given is what that one does; so the text of both tells.
"""
from __future__ import annotations

import types
from typing import Any

import gast

from tangent_lite import kinds, registry, syntax
from tangent_lite.analyses.unseen import leaves_all, may_change
from tangent_lite.functions.local_functions import LocalFunction
from tangent_lite.inference import Typer
from tangent_lite.modules import fitted_by

_CHANGING = (gast.AugAssign, gast.Global, gast.Nonlocal, gast.Delete, gast.Yield, gast.YieldFrom,
             gast.Await)


def changes_nothing(call: gast.Call, function: types.FunctionType, typer: Typer) -> bool:
    """Whether a call of a function of the user changes nothing that was there before, as far as the
    texts of it and of the functions that it is handed tell."""
    if typer.callee(call)[1] is not None or any(isinstance(a, gast.Starred) for a in call.args) \
            or any(k.arg is None for k in call.keywords):
        return False
    given = [*zip(fitted_by(function).parameters, call.args),
             *((k.arg, k.value) for k in call.keywords)]
    handed = frozenset(name for name, value in given if _leaves_all(typer.kind(value), typer))
    return leaves_all(function, handed=handed)


def _leaves_all(kind: kinds.Kind, typer: Typer) -> bool:
    """Whether a value is a function that changes nothing."""
    if not isinstance(kind, kinds.Known):
        return False
    function: Any = kind.object
    if isinstance(function, LocalFunction):
        return not syntax.all_of(function.tree, *_CHANGING) and not any(
            isinstance(n, (gast.Subscript, gast.Attribute)) and not isinstance(n.ctx, gast.Load)
            for n in syntax.walk(function.tree)) \
            and may_change(function.tree, typer.callee) is None
    if registry.lookup(function) is not None:
        return True
    return isinstance(function, types.FunctionType) and leaves_all(function)
