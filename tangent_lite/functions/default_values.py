"""Default values of parameters, as expressions: what a call is given that leaves one out.

Which functions were read, and which defaults they had, is looked at before each call of a
derivative (`calling/resolve`), so a default that cannot change inside may be written as what it is.
"""
from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.calling.resolve import Resolver, is_by_identity
from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.names import Names

PLAIN = (bool, int, float, str, type(None))


def default_values(function: types.FunctionType) -> Iterator[tuple[str, Any, gast.expr]]:
    """The parameters that have defaults, these, and where they stand behind the function:
    `__defaults__[0]` of a name that is to be put in front."""
    code = function.__code__
    names = code.co_varnames[:code.co_argcount]
    given = function.__defaults__ or ()
    for number, name in enumerate(names[len(names) - len(given):]):
        yield name, given[number], _place("__defaults__", number)
    for name, value in (function.__kwdefaults__ or {}).items():
        yield name, value, _place("__kwdefaults__", name)


def written_default(value: Any, place: gast.expr, function: Any, name: str, resolver: Resolver,
                    names: Names, bound: set[str]) -> gast.expr:
    """A default as an expression: a literal, the name of a function or class, or where it stands.

    place: as default_values says; name: of the parameter; bound: names of variables here.
    """
    literal = literal_default(value)
    if literal is not None:
        return literal
    if is_by_identity(value):
        return syntax.load(resolver.name_for(
            value, getattr(value, "__name__", name), names, bound))
    spelled = resolver.inject(function, function.__name__, names)
    return syntax.Substitute({"_": syntax.load(spelled)}).visit(place)


def literal_default(value: Any) -> gast.expr | None:
    """A literal, also a tuple of literals, or None.

    >>> from tangent_lite.emit import emit
    >>> emit(literal_default((0.0, (-1.0, None))))
    '(0.0, (-1.0, None))'
    >>> literal_default([0.0]) is None
    True
    """
    if type(value) in PLAIN:
        return syntax.constant(value)
    if type(value) is not tuple:
        return None
    parts = [literal_default(part) for part in value]
    return None if None in parts else syntax.tuple_of(parts)


def passed_default(value: Any, name: str, place: Any) -> gast.expr:
    """A default as a helper of the derivative is given it, where the call leaves it out; what is no
    literal is put into the calls before (`expansion/left_out`).

    >>> from tangent_lite.emit import emit
    >>> emit(passed_default(-1.0, "low", None))
    '-1.0'
    """
    literal = literal_default(value)
    if literal is None:
        raise UnsupportedSyntaxError(f"the default of {name} is no literal", place,
                                     "pass it in the call")
    return literal


def _place(attribute: str, key: int | str) -> gast.expr:
    return syntax.subscript(syntax.attribute(syntax.load("_"), attribute), syntax.constant(key))
