"""Calls of derivatives that are handed functions which read variables around them.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.names import Names
>>> def g(t, fun):
...     return fun(t) * t
>>> call = syntax.parse_expression("grad(g)(t, lambda v: s * v)")
>>> print(emit(with_functions_inside(call, {"g": g}.get, {}, {"s", "t"}, Names(["t", "s"]))))
grad(lambda t_1: g(t_1, lambda v: s * v))(t)

Such a function would have to bring `s` along. In a function of what is left the derivative is with
respect to, what that one reads around it is all there is to bring.
"""
from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Set
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.calling.resolve import meant
from tangent_lite.functions.local_functions import free_names
from tangent_lite.names import Names

DISPLAYS = (gast.Tuple, gast.List, gast.Dict)


def with_functions_inside(call: gast.Call, free: Callable[[str], Any],
                          functions: dict[str, gast.FunctionDef], own: Set[str],
                          names: Names) -> gast.Call | None:
    """`grad(g)(t, fun)` as `grad(lambda t: g(t, fun))(t)`, if fun reads variables around it; None
    if no argument does.

    free: what a name means outside; functions: those that are defined around the call, by name;
    own: the variables around it. Raises ValueError where what the derivative is with respect to
    does not tell, or is such a function.
    """
    def hands_on(node: gast.expr) -> bool:
        """Whether an argument is, or holds, a function that reads variables around it."""
        if isinstance(node, DISPLAYS):
            parts = node.values if isinstance(node, gast.Dict) else node.elts
            return any(map(hands_on, parts))
        definition = functions.get(node.id) if isinstance(node, gast.Name) else node
        if isinstance(definition, gast.Lambda):
            definition = definition_of("lambda_", definition)
        if not isinstance(definition, gast.FunctionDef):
            return False
        read = {*free_names(definition), *(
            name for default in definition.args.defaults for name in syntax.read_names(default))}
        return not own.isdisjoint(read)

    given = [*call.args, *(k.value for k in call.keywords)]
    moved = [node for node in given if hands_on(node)]
    if not moved or not call.func.args:
        return None
    operator = call.func
    function = operator.args[0]
    if any(isinstance(a, gast.Starred) for a in call.args) \
            or any(k.arg is None for k in call.keywords):
        raise ValueError("how many arguments there are is not known")
    by_position, every = _parameters(function, free, functions)
    if len(by_position) < len(call.args):
        raise ValueError("the parameters of the function are not known")
    parameters = by_position[:len(call.args)] + [k.arg for k in call.keywords]
    # Functions that are defined around the call come to stand inside, with what they read.
    taken = {*own, *(n.id for part in (*moved, function) for n in syntax.names_in(part))}
    taken.update(*map(free_names, functions.values()))
    called = {p: names.fresh(p) if p in taken else p
              for p, node in zip(parameters, given) if node not in moved}
    values = [syntax.load(called[p]) if p in called else node
              for p, node in zip(parameters, given)]
    count = len(call.args)
    inner = gast.Call(function, values[:count], [
        gast.keyword(k.arg, value) for k, value in zip(call.keywords, values[count:])])
    taking = [gast.Name(p, gast.Param(), None, None) for p in called.values()]
    whole = gast.Lambda(gast.arguments(taking, [], None, [], [], None, []), inner)
    _rename(operator, every, called)
    operator.args[0] = whole
    call.args, call.keywords = [node for node in given if node not in moved], []
    syntax.place_within(whole, call)
    return call


def definition_of(name: str, node: gast.Lambda) -> gast.FunctionDef:
    """A lambda as a definition."""
    body: list[gast.stmt] = [gast.copy_location(gast.Return(node.body), node.body)]
    return gast.copy_location(gast.FunctionDef(name, node.args, body, [], None, None), node)


def _parameters(function: gast.expr, free: Callable[[str], Any],
                functions: dict[str, gast.FunctionDef]) -> tuple[list[str], list[str]]:
    """The names of the parameters that a function takes by position, and of all that positions in
    wrt count, `*` and what follows where that is not known."""
    definition = functions.get(function.id) if isinstance(function, gast.Name) else function
    if isinstance(definition, (gast.Lambda, gast.FunctionDef)):
        arguments = definition.args
        found = [a.id for a in (*arguments.posonlyargs, *arguments.args)]
        stars = ["*"] if arguments.vararg or arguments.kwarg else []
        return found, found + stars + [a.id for a in arguments.kwonlyargs]
    try:
        parameters = inspect.signature(meant(function, free)).parameters.values()
    except (TypeError, ValueError):
        return [], []
    found = [p.name for p in parameters if p.kind in (
        p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return found, ["*" if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) else p.name
                   for p in parameters]


def _rename(operator: gast.Call, parameters: list[str], called: dict[str, str]) -> None:
    """Let the operator's wrt mean the parameters that are left."""
    left = list(called)

    def meaning(one: Any) -> Any:
        if isinstance(one, int) and not isinstance(one, bool):
            count = len(parameters)
            is_known = -count <= one < count and "*" not in (
                parameters if one < 0 else parameters[:one])
            name, rest = parameters[one] if is_known else None, ""
        else:
            name, dot, rest = str(one).partition(".")
            rest = dot + rest
        if name not in called:
            raise ValueError("it has no derivative with respect to that")
        return left.index(name) if isinstance(one, int) else called[name] + rest

    keyword = next((k for k in operator.keywords if k.arg == "wrt"), None)
    if keyword is None and len(operator.args) < 2:
        operator.keywords = [gast.keyword("wrt", syntax.constant(meaning(0))), *operator.keywords] \
            if meaning(0) else operator.keywords
        return
    written = keyword.value if keyword is not None else operator.args[1]
    wrt = ast.literal_eval(gast.gast_to_ast(written))       # ValueError where it is computed
    new = tuple(map(meaning, wrt)) if isinstance(wrt, tuple) else meaning(wrt)
    made = syntax.tuple_of(map(syntax.constant, new)) if isinstance(new, tuple) \
        else syntax.constant(new)
    if keyword is not None:
        keyword.value = made
    else:
        operator.args[1] = made
