"""Which attributes a function of the user may read of an object that it is given."""
from __future__ import annotations

import types
from collections.abc import Iterable
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.errors import TangentError
from tangent_lite.source import source_of

PLAIN = (kinds.Number, kinds.Array, kinds.Numeric)


def attributes_read(function: Any, call: gast.Call, names: Iterable[str]) -> set[str] | None:
    """The attributes that a function reads of what a call gives it by these names; None where the
    object goes further, so that this does not tell.

    >>> class Dense:
    ...     def forward(self, x):
    ...         return x @ self.W + self.b
    ...     def of(self, x):
    ...         return self.forward(x)
    >>> call = gast.parse("forward(layer, x)").body[0].value
    >>> sorted(attributes_read(Dense.forward, call, ["layer"]))
    ['W', 'b']
    >>> attributes_read(Dense.forward, call, ["x"]), attributes_read(Dense.of, call, ["layer"])
    (None, None)
    """
    if not isinstance(function, types.FunctionType):
        return None
    try:
        tree = source_of(function).tree
    except TangentError:
        return None
    given = _given(tree.args, call, set(names))
    if given is None:
        return None
    owners = {id(part.value): part for part in syntax.all_of(tree, gast.Attribute)}
    called = {id(part.func) for part in syntax.all_of(tree, gast.Call)}
    found: set[str] = set()
    for mention in syntax.names_in(tree):
        if mention.id not in given or isinstance(mention.ctx, gast.Param):
            continue
        part: Any = owners.get(id(mention))
        if part is None or id(part) in called or not isinstance(part.ctx, gast.Load):
            return None
        found.add(part.attr)
    return found


def _given(parameters: gast.arguments, call: gast.Call, names: set[str]) -> set[str] | None:
    """The parameters that are given what has one of the names; None where that is not told."""
    positional = [p.id for p in parameters.posonlyargs + parameters.args]
    found: set[str] = set()
    for number, part in enumerate(call.args):
        if isinstance(part, gast.Starred) or not names.isdisjoint(
                syntax.read_names(part) if not isinstance(part, gast.Name) else ()):
            return None
        if getattr(part, "id", None) in names:
            if number >= len(positional):
                return None
            found.add(positional[number])
    for keyword in call.keywords:
        if keyword.arg is None or (names & set(syntax.read_names(keyword.value))
                                   and not isinstance(keyword.value, gast.Name)):
            return None
        if getattr(keyword.value, "id", None) in names:
            found.add(keyword.arg)
    return found


def plain_parts(owners: list[kinds.Kind]) -> set[str]:
    """The attributes by which objects hold numbers and arrays, as far as any has them."""
    parts = [(field, isinstance(item, PLAIN)) for kind in owners
             if isinstance(kind, kinds.RecordKind) for field, item in zip(kind.fields, kind.items)]
    return {field for field, is_plain in parts if is_plain} \
        - {field for field, is_plain in parts if not is_plain}
