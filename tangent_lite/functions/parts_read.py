"""Helpers that read a part of what they are given, and calls of them for which that is too dear.

    def layer(params, k, x):                for k in range(len(params)):
        W, b = params[k]                        x = layer(params, k, x)
        return np.tanh(x @ W + b)

Such a helper by itself returns the adjoint of all of params, zeros but for a part. In a loop that
is made and added in each step, so that the gradient takes time quadratic in their number, where the
function takes linear time. Written out in the loop, the helper adds to the adjoint of the part.

A method reads parts of its object, the attributes. As a pair it returns their adjoints in a dict,
which the caller takes apart, and knows nothing of the sizes that they have in common with what it
is given. So it is written out wherever it is called with an object that has an adjoint.

Of a matrix such a helper reads one element of each row: `-np.mean(logp[np.arange(n), labels])`. It
is written out wherever it is called, and so is who makes the logarithms that it is given: together
they are a cross-entropy, whose adjoint is known (`passes/logarithms`).

A step that makes a dict of a dict, `state = step(state, dt)`, makes two more of adjoints each time
that it is called. Written out in the loop, the parts are variables.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.bound_once import LOG
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import definitions, outside_of_loops
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.kinds import Array
from tangent_lite.modules import is_one_of

LONGEST = 60        # statements, but for reads of attributes; what is longer makes little of zeros
RESULT = "return"           # beside the parameters: what a function returns, matrices of logarithms

# Of a call of a function of the user's: by parameters of which it reads parts, the arguments; the
# call itself as what it returns.
OfCall = Callable[[gast.Call, Any], dict[str, gast.expr]]


def parts_read(tree: gast.FunctionDef, facts: Inferred, typer: Typer, parameters: list[str],
               of_call: OfCall) -> frozenset[str]:
    """The parameters of a function of which it reads parts at places that vary, once each, and
    those that are objects of which it reads attributes.

    >>> from tangent_lite.kinds import Array, FLOAT, INT, ListKind
    >>> from tangent_lite.stages import stages
    >>> def f(x, xs, i):
    ...     return x[i] * x[i + 1] * xs[0] + np.sum(xs)
    >>> f.__globals__["np"] = __import__("numpy")
    >>> made = stages(f, x=Array(1, "float"), xs=Array(1, "float"), i=INT).prepared
    >>> sorted(parts_read(made.tree, made.facts, made.typer, made.parameters,
    ...                   lambda call, function: {}))
    ['x']
    """
    if sum(1 for node in syntax.statements(tree.body)
           if not isinstance(getattr(node, "value", None), gast.Attribute)) > LONGEST:
        return frozenset()
    roots = {name: name for name in parameters}     # names, and what they or what holds them is
    found = {name for name in parameters if isinstance(facts.names.get(name), kinds.RecordKind)
             and _reads_attributes(tree, name, facts)}
    if isinstance(facts.result, Array) and facts.result.ndim == 2 and any(
            is_one_of(function, LOG) for function, _ in facts.callees.values()):
        found.add(RESULT)
    if _holds_dict(facts.result):
        found |= {name for name in parameters
                  if isinstance(kind := facts.names.get(name), kinds.DictKind)
                  and kinds.can_vary(kind)}
    for node in outside_of_loops(tree.body):
        value: Any = getattr(node, "value", None)
        if isinstance(value, gast.Call):
            typer.names = facts.before[id(node)]
            given = of_call(value, facts.callees.get(id(value), (NO_OBJECT, None))[0])
            found |= {roots[a.id] for a in given.values()
                      if isinstance(a, gast.Name) and a.id in roots}
        owner = value.value if isinstance(value, (gast.Attribute, gast.Subscript)) else value
        if not isinstance(owner, gast.Name) or owner.id not in roots:
            continue
        if isinstance(value, gast.Subscript):
            if isinstance(facts.names.get(owner.id), (Array, kinds.ListKind)) \
                    and syntax.read_names(value.slice):
                found.add(roots[owner.id])
        elif isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
            roots[node.targets[0].id] = roots[owner.id]
    return frozenset(found)


def _holds_dict(kind: kinds.Kind) -> bool:
    return isinstance(kind, kinds.DictKind) \
        or (isinstance(kind, kinds.TupleKind) and any(map(_holds_dict, kind.items)))


def _reads_attributes(tree: gast.FunctionDef, name: str, facts: Inferred) -> bool:
    """Whether a function reads attributes of an object, other than methods, that may vary."""
    known: Any = facts.names[name]
    varying = {field for field, kind in zip(known.fields, known.items) if kinds.can_vary(kind)}
    return any(isinstance(n, gast.Attribute) and getattr(n.value, "id", "") == name
               and n.attr in varying for n in syntax.walk(tree))


def helpers_to_write(tree: gast.FunctionDef, facts: Inferred, typer: Typer, active: set[str],
                     of_call: OfCall) -> tuple[set[Any], set[Any]]:
    """The functions that a loop calls with something that stays what it is from step to step, of
    which they read parts, and those that are called with objects, wherever that is; active: the
    names that have adjoints."""
    in_loops: set[Any] = set()
    anywhere: set[Any] = set()
    matrices = _read_by_elements(tree, facts)
    for node, bound in _with_loops(tree.body, None):
        value: Any = getattr(node, "value", None)
        if not isinstance(value, gast.Call) or id(node) not in facts.before:
            continue                            # nobody comes to what is not in there
        typer.names = facts.before[id(node)]
        function = facts.callees.get(id(value), (NO_OBJECT, None))[0]
        for argument in of_call(value, function).values():
            if argument is value and matrices & active & set(definitions(node)):
                anywhere.add(function)
            if not isinstance(argument, gast.Name) or argument.id not in active:
                continue
            kind = typer.kind(argument)
            if isinstance(kind, kinds.RecordKind) or (
                    bound is None and isinstance(kind, Array) and kind.ndim == 2):
                anywhere.add(function)
            elif bound is not None and (
                    argument.id not in bound or isinstance(kind, kinds.DictKind)):
                in_loops.add(function)
    return in_loops, anywhere


def _read_by_elements(tree: gast.FunctionDef, facts: Inferred) -> set[str]:
    """The arrays of which a function reads elements at places that arrays tell."""
    return {value.value.id for node in outside_of_loops(tree.body)
            if isinstance(value := getattr(node, "value", None), gast.Subscript)
            and isinstance(value.value, gast.Name) and any(
                isinstance(facts.names.get(name), Array)
                for name in syntax.read_names(value.slice))}


def _with_loops(block: list[gast.stmt], bound: set[str] | None) \
        -> Iterator[tuple[gast.stmt, set[str] | None]]:
    """Statements, and what the innermost loop around them binds; None outside of loops."""
    todo = [(node, bound) for node in reversed(block)]
    while todo:
        node, bound = todo.pop()
        if isinstance(node, syntax.COMPOUND):
            if not isinstance(node, gast.If):
                bound = {n.id for n in syntax.names_in(node) if not isinstance(n.ctx, gast.Load)}
            todo += [(inner, bound) for inner in reversed([*node.body, *node.orelse])]
        else:
            yield node, bound
