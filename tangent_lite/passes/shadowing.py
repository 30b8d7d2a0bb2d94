"""Give variables that are called like builtins names of their own: `max = x` is `max_ = x`.

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(x, n):
...     max = x
...     for k in range(n):
...         if k * x > max:
...             max = k * x
...     return max
... ''').body[0]
>>> shadowing(tree)
>>> print(emit(tree), end="")
def f(x, n):
    max_ = x
    for k in range(n):
        if k * x > max_:
            max_ = k * x
    return max_

What is emitted calls `max`, `range`, `len` by these names. Parameters have other names already (see
`source/renamed`); left as they are, for `fence` to refuse, are names that functions inside bind for
themselves.

>>> def clamp(x, min, max):
...     return min if x < min else max if x > max else x
>>> tree = gast.parse("def f(x): return clamp(x * x, 0.0, max=x)").body[0]
>>> print(emit(calls_under_other_names(tree, {"clamp": clamp}.get, {"clamp": clamp}.get,
...                                    lambda function: "clamp_1")), end="")
def f(x):
    return clamp_1(x * x, 0.0, max_=x)
"""
from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import registry, syntax
from tangent_lite.calling.resolve import meant
from tangent_lite.source.renamed import parameters_like_builtins, under_other_names
from tangent_lite.syntax.scopes import called_like_builtins, rename


def shadowing(tree: gast.FunctionDef) -> None:
    """Do so in a function and in the functions in it that read them, in place."""
    names = called_like_builtins(tree)
    for name in syntax.parameter_names(tree.args):
        names.pop(name, None)
    if names:
        rename(tree, names)


def calls_under_other_names(tree: gast.FunctionDef, now: Callable[[str], Any],
                            free: Callable[[str], Any],
                            name_for: Callable[[types.FunctionType], str]) -> gast.FunctionDef:
    """Return a tree in which functions whose parameters are called like builtins are called under
    other names of these.

    now: what a name means around the function; free: the same, noted as something that the
    derivative rests on; name_for: a name for a function.
    """
    def found(tree: gast.FunctionDef) -> list[tuple[gast.Call, types.FunctionType]]:
        calls = [(call, meant(call.func, now)) for call in syntax.all_of(tree, gast.Call)]
        return [(call, function) for call, function in calls
                if isinstance(function, types.FunctionType) and parameters_like_builtins(function)
                and registry.lookup(function) is None and not registry.is_library(function)]

    if not found(tree):
        return tree
    tree = syntax.copy(tree)
    for call, function in found(tree):
        twin, names = under_other_names(function)
        if names and meant(call.func, free) is function \
                and not any(keyword.arg is None for keyword in call.keywords):
            call.func = syntax.copy_place(syntax.load(name_for(twin)), call.func)
            for keyword in call.keywords:
                keyword.arg = names.get(keyword.arg, keyword.arg)
    return tree
