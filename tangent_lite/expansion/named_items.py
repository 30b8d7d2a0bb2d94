"""Calls that hand on the items of a dict by their names, where its keys are computed.

    rates = dict(zip(names, theta))
    f(t, **rates)               =>      k, v = rates["k"], rates["v"]; f(t, k=k, v=v)

Which parameters are left is known from what is called; which of those that have defaults the dict
holds is asked as the program runs, and whether it holds anything else.
"""
from __future__ import annotations

import inspect
import types
from typing import Any, NamedTuple

import gast

from tangent_lite import kinds, registry, syntax
from tangent_lite.expansion import Written
from tangent_lite.expansion.left_out import LeftOut
from tangent_lite.functions.default_values import PLAIN
from tangent_lite.functions.local_functions import LocalFunction
from tangent_lite.inference import NO_OBJECT
from tangent_lite.records import is_named_tuple
from tangent_lite.syntax import assign, load


class _Parameters(NamedTuple):
    """What a function takes: the names by position, the names that are names alone, how many are
    positions alone, and the defaults."""
    by_position: list[str]
    by_name: list[str]
    nameless: int
    defaults: dict[str, Any]


class NamedItems(LeftOut):
    """What takes the place of `f(**d)`."""

    def spread_of_map(self, value: gast.Call, plain: gast.Call) -> Written | None:
        """`f(x, **rates)`: the items of the dict are the parameters that are left."""
        function, receiver = self.facts.callees.get(id(value), (NO_OBJECT, None))
        spread = [(s.value, k.value) for s, k in zip(value.keywords, plain.keywords)
                  if k.arg is None]
        if len(spread) != 1 or any(isinstance(a, gast.Starred) for a in plain.args):
            return None
        kind = self.typer.kind(spread[0][0])
        if not isinstance(kind, kinds.MapKind) or not isinstance(kind.key, kinds.Text) \
                or kind.missing is not None or not kinds.can_vary(kind):
            return None
        known = _parameters(function)
        if known is None:
            return None
        count = len(plain.args) + (receiver is not None)
        taken = {k.arg for k in plain.keywords}
        left = [n for n in [*known.by_position[count:], *known.by_name] if n not in taken]
        if count < known.nameless or any(
                n in known.defaults and type(known.defaults[n]) not in PLAIN for n in left):
            return None
        first: list[gast.stmt] = []
        owner: Any = spread[0][1]
        whole = owner if isinstance(owner, gast.Name) else self.named(first, "items", owner)
        names = {name: self.context.names.fresh(name) for name in left}
        first += self.taken_by_name(load(whole.id), names, known.defaults, function)
        keywords = [*(k for k in plain.keywords if k.arg is not None),
                    *(gast.keyword(name, load(own)) for name, own in names.items())]
        return self.normal(first, plain), self.calling(plain.func, plain, plain.args, keywords)

    def taken_by_name(self, whole: gast.Name, names: dict[str, str], defaults: dict[str, Any],
                      function: Any) -> list[gast.stmt]:
        """Statements that bind the parameters, which names tells names for, to the items of a dict,
        or to their defaults where it has none; and raise where it has others."""
        first: list[gast.stmt] = []
        most: gast.expr = syntax.constant(sum(name not in defaults for name in names))
        found: dict[str, str] = {}
        for name in names:
            if name in defaults:
                found[name] = self.context.names.fresh(f"has_{name}")
                first.append(assign(found[name], gast.Compare(
                    syntax.constant(name), [gast.In()], [syntax.copy(whole)])))
                most = syntax.binary(most, "+", load(found[name]))
        error = syntax.call(self.inject(TypeError, "TypeError"), syntax.constant(
            f"{function.__name__} got an unexpected keyword argument"))
        count = syntax.call(self.inject(len, "len"), syntax.copy(whole))
        first.append(gast.If(gast.Compare(count, [gast.Gt()], [most]), [gast.Raise(error, None)],
                             []))
        for name, own in names.items():
            item: gast.expr = syntax.subscript(syntax.copy(whole), syntax.constant(name))
            if name in found:
                item = gast.IfExp(load(found[name]), item, syntax.constant(defaults[name]))
            first.append(assign(own, item))
        return first


def _parameters(function: Any) -> _Parameters | None:
    """What a function of the user takes; None where that is not known, or it takes any name."""
    if isinstance(function, LocalFunction):
        given = function.tree.args
        if given.kwarg is not None or function.defaults or given.kwonlyargs:
            return None
        own_names = [getattr(p, "id", p) for p in (*given.posonlyargs, *given.args)]
        names = [function.keywords.get(name, name) for name in own_names]
        return _Parameters(names, [], len(given.posonlyargs), {})
    made: Any = function
    if isinstance(function, type):
        made = made.__new__ if is_named_tuple(made) else made.__init__
    if registry.is_library(function) or not isinstance(made, types.FunctionType):
        return None
    code = made.__code__
    if code.co_flags & inspect.CO_VARKEYWORDS:
        return None
    own = made is not function              # self, or the class
    places = list(code.co_varnames[own:code.co_argcount])
    alone = list(code.co_varnames[code.co_argcount:code.co_argcount + code.co_kwonlyargcount])
    defaults = dict(zip(reversed(places), reversed(made.__defaults__ or ())))
    return _Parameters(places, alone, max(code.co_posonlyargcount - own, 0),
                       {**defaults, **(made.__kwdefaults__ or {})})
