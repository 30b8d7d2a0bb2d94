"""Whether a rule takes what its function takes: names in the same order, the same defaults.

Calls are matched with rules by place and by name, and what a call leaves out is filled in from the
rule. So a rule that disagrees with its function would be filled in with other values than those
that the function runs with.
"""
from __future__ import annotations

import inspect
import types
from typing import Any

import gast

from tangent_lite.errors import InputError, TangentError
from tangent_lite.modules import is_of_library, signature_of
from tangent_lite.registry.reading import Parameter, Rule
from tangent_lite.source import source_of


def check_callable(function: Any) -> None:
    """Rules are for what is called."""
    if not callable(function):
        raise InputError(f"a rule is for a function, and not for {function!r}", None,
                         "name the function: @adjoint(f)")


def check_fits(rule: Rule, function: Any, definition: Any) -> None:
    """TangentError where a rule disagrees with the function that it is for, as far as this is a
    function of the user's, which says what it takes."""
    if not isinstance(function, types.FunctionType) or is_of_library(function):
        return
    taken = list(signature_of(function).parameters.values())
    wrong = _disagreement(rule.parameters, taken)
    if wrong is not None:
        source = source_of(definition)
        reason, fix = wrong
        raise TangentError(f"the rule {source.name} {reason}", source.place(source.tree), fix)


def _disagreement(parameters: tuple[Parameter, ...],
                  taken: list[inspect.Parameter]) -> tuple[str, str] | None:
    by_name = {one.name: one for one in taken}
    stars = [one for one in taken if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
    plain = [one for one in parameters if not one.star]
    if not stars and len(plain) > len(taken):
        return (f"has the parameter {plain[len(taken)].name}, and the function takes "
                f"{len(taken)} arguments", "leave it out: the first parameter is the result")
    for one, place in zip(plain, taken):
        if one.name != place.name and one.name in by_name and place not in stars \
                and by_name[one.name].kind is not inspect.Parameter.KEYWORD_ONLY:
            return (f"has {one.name} where the function has {place.name}",
                    "write the parameters in the order of the function")
    for number, one in enumerate(plain):
        meant = by_name.get(one.name) or (taken[number] if number < len(taken) else None)
        if meant is None or meant in stars or one.default is None or meant.default is meant.empty:
            continue
        if isinstance(one.default, gast.Constant) and _differ(one.default.value, meant.default):
            return (f"says {one.name}={one.default.value!r}, and the function "
                    f"{meant.name}={meant.default!r}", "give it the default of the function")
    return None


def _differ(ours: Any, theirs: Any) -> bool:
    """Whether two defaults are certainly two: only plain values are compared."""
    plain = (bool, int, float, complex, str, bytes, type(None))
    return isinstance(theirs, plain) and (type(ours) is not type(theirs) or ours != theirs)
