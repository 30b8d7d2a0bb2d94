"""Loops of a few steps over the elements of small arrays, step by step.

    for k in range(2):                      d[0] = x[i, 0] - x[j, 0]
        d[k] = x[i, k] - x[j, k]    =>      d[1] = x[i, 1] - x[j, 1]

So that each element is named where it is read, and the array can be taken apart
(`numba_small_arrays`).
"""
from __future__ import annotations

from collections.abc import Callable

import gast

from tangent_lite import syntax
from tangent_lite.analyses.mentions import definitions
from tangent_lite.backends.numba_lists import leaves
from tangent_lite.backends.numba_small_elements import small_sizes
from tangent_lite.backends.numba_small_indices import literal_index
from tangent_lite.kinds import Kind

_MOST_STEPS = 4
_LONGEST = 80                   # statements that a loop may become


def write_steps(tree: gast.FunctionDef, kind: Callable[[gast.expr], Kind]) -> bool:
    """Rewrite such loops of a function, in place; whether there are some. kind: of expressions."""
    made = {name for node in syntax.statements(tree.body) for name in definitions(node)}
    small = {name for name in made - set(syntax.parameter_names(tree.args))
             if small_sizes(kind(syntax.load(name))) is not None}
    return bool(small) and _write_in(tree.body, small)


def _write_in(block: list[gast.stmt], small: set[str]) -> bool:
    found = False
    made: list[gast.stmt] = []
    for node in block:
        for inner in syntax.blocks_of(node):
            found |= _write_in(inner, small)
        steps = _steps(node, small) if isinstance(node, gast.For) else None
        found |= steps is not None
        made += [node] if steps is None else steps
    block[:] = made
    return found


def _steps(loop: gast.For, small: set[str]) -> list[gast.stmt] | None:
    """The statements that a loop stands for, if it is one of a few steps over such elements."""
    numbers = _numbers(loop)
    if not numbers or leaves(loop.body) or loop.orelse:
        return None
    target: str = loop.target.id
    if target in {name for node in syntax.statements(loop.body) for name in definitions(node)} \
            or sum(1 for _ in syntax.statements(loop.body)) * len(numbers) > _LONGEST \
            or not any(_is_element(node, target, small) for node in syntax.walk(loop)):
        return None
    made = [syntax.substitute(syntax.copy(node), {target: syntax.constant(number)})
            for number in numbers for node in loop.body]
    last = [syntax.assign(target, syntax.constant(numbers[-1]))]
    syntax.serve(last, loop)
    return made + last


def _numbers(loop: gast.For) -> range | None:
    """The numbers of the steps, if they are written out and few."""
    head = loop.iter
    if not isinstance(loop.target, gast.Name) or not isinstance(head, gast.Call) \
            or getattr(head.func, "id", "") != "range" or head.keywords:
        return None
    ends = [literal_index(one) for one in head.args]
    if not all(type(one) is int for one in ends) or (len(ends) == 3 and not ends[2]):
        return None
    numbers = range(*ends)
    return numbers if len(numbers) <= _MOST_STEPS else None


def _is_element(node: gast.AST, target: str, small: set[str]) -> bool:
    """Whether an element of such an array is named by the number of the step."""
    return isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name) \
        and node.value.id in small and target in syntax.read_names(node.slice)
