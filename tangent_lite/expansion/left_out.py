"""Parameters that a call leaves out, and whose defaults a pair cannot have by itself."""
from __future__ import annotations

import types

import gast

from tangent_lite.expansion import Written
from tangent_lite.expansion.shorthands import Shorthands
from tangent_lite.functions.default_values import PLAIN, default_values, written_default


class LeftOut(Shorthands):
    """What takes the place of calls that leave such parameters out."""

    def with_left_out(self, value: gast.Call, plain: gast.Call, function: types.FunctionType,
                      receiver: gast.expr | None) -> Written | None:
        """`h(x)` as `h(x, bounds=(0.0, 1.0))`: what is a tuple, an array, a function by default is
        an argument as any other, so that it has a kind, and functions are seen to be handed on."""
        if not self.matters(value):
            return None
        code = function.__code__
        count = min(len(plain.args) + (receiver is not None), code.co_argcount)
        given = {*code.co_varnames[:count], *(k.arg for k in plain.keywords)}
        left = [one for one in default_values(function) if one[0] not in given]
        by_position = code.co_varnames[:code.co_posonlyargcount]
        first: list[gast.stmt] = []
        arguments, keywords = list(plain.args), list(plain.keywords)
        if all(type(default) in PLAIN for _, default, _ in left):
            return None
        for name, default, place in left:
            if type(default) in PLAIN and name not in by_position:
                continue
            made = written_default(default, place, function, name, self.context.inliner.resolver,
                                   self.context.names, self.bound)
            if isinstance(made, gast.Subscript):
                made = self.named(first, name, made)
            if name in by_position:
                arguments.append(made)
            else:
                keywords.append(gast.keyword(name, made))
        return self.normal(first, plain), self.calling(plain.func, plain, arguments, keywords)
