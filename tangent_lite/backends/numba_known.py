"""Tuples of axes that compiled code knows when it is compiled.

Numba knows the number in `axis=1`, but of `axis=(0, 1)` only that it is two ints. So a tuple that
is written out becomes the name of a thing whose type holds it:

    np_max(x, axis=(0, 2))          =>          np_max(x, axis=known)

That is done last, since what makes loops of statements reads the tuples themselves.
"""
from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import gast
from numba.core.imputils import lower_constant
from numba.extending import models, register_model, typeof_impl

from tangent_lite import syntax
from tangent_lite.backends.numba_functions import METHODS, ORIGINALS, REPLACED, WrittenType

_NAMES = ("axis", "axes")


class Written:
    """A value that is known by its type alone."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        return f"Written({self.value!r})"


register_model(WrittenType)(models.OpaqueModel)


@typeof_impl.register(Written)
def _type_of_written(value, context):
    return WrittenType(value.value)


@lower_constant(WrittenType)
def _constant(context, builder, kind, value):
    return context.get_dummy_value()


def with_known_axes(tree: gast.FunctionDef, meant: Callable[[gast.expr], Any],
                    name_of: Callable[[Any, str], str]) -> None:
    """Replace the tuples of axes in the calls of functions that have overloads of ours."""
    made: dict[str, Written] = {}

    def known(node: gast.expr) -> gast.expr:
        value = _value(node)
        if value is None:
            return node
        thing = made.setdefault(repr(value), Written(value))
        return syntax.load(name_of(thing, "known"))

    for node in syntax.walk(tree):
        if not isinstance(node, gast.Call):
            continue
        names = _parameters(meant(node.func))
        node.args = [known(a) if k < len(names) and names[k] in _NAMES else a
                     for k, a in enumerate(node.args)]
        for keyword in node.keywords:
            if names and keyword.arg in _NAMES:
                keyword.value = known(keyword.value)


def _parameters(function: Any) -> list[str]:
    """The parameters of a function that has overloads of ours, else none."""
    if function is None or not inspect.isfunction(function):
        return []
    ours = (function.__module__ or "").startswith("tangent_lite.runtime") or any(
        function is one for one in (*REPLACED.values(), *METHODS.values(),
                                              *ORIGINALS))
    return list(inspect.signature(function).parameters) if ours else []


def _value(node: gast.expr) -> tuple[Any, ...] | None:
    """The ints of a tuple that is written out, or of a tuple of such tuples."""
    if not isinstance(node, gast.Tuple):
        return None
    found: list[Any] = []
    for part in node.elts:
        sign = 1
        if isinstance(part, gast.UnaryOp) and isinstance(part.op, gast.USub):
            part, sign = part.operand, -1
        if isinstance(part, gast.Constant) and type(part.value) is int:
            found.append(sign * part.value)
        else:
            inner = _value(part)
            if inner is None:
                return None
            found.append(inner)
    return tuple(found)


def as_tuples(node: gast.expr) -> gast.expr:
    """Lists of ints that are written out, and what holds them, as tuples."""
    if not isinstance(node, (gast.List, gast.Tuple)):
        return node
    parts = [as_tuples(part) for part in node.elts]
    whole = all(isinstance(part, gast.Tuple) or (isinstance(part, gast.UnaryOp) and isinstance(
        part.operand, gast.Constant)) or (isinstance(part, gast.Constant)
                                          and type(part.value) is int) for part in parts)
    return syntax.copy_place(gast.Tuple(parts, gast.Load()), node) if whole and parts else node
