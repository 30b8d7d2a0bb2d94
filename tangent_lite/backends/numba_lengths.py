"""Lengths that the heads of loops ask for have names, as the passes behind this one expect.

    for i in range(length(x)):                      stop = length(x)
        ...                                         for i in range(stop):
    for i in range(length(x) - 1, -1, -1):   =>         ...
        ...                                         for i in range(stop - 1, -1, -1):
                                                        ...

Loops over the same numbers are known by the text of their heads; a call in it might do anything.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.syntax import assign, load

_CHANGING = {"append", "pop", "insert", "extend", "remove", "clear", "put", "take"}


def name_lengths(tree: gast.FunctionDef, is_length: Callable[[gast.expr], bool],
                 fresh: Callable[[str], str], left_out: Collection[str] = ()) -> None:
    """Give them names in a function, in place; is_length: whether a function of the module is
    `len`; fresh: a name nobody has; left_out: names of which the length is asked for as before."""
    asked = {call.args[0].id for loop in syntax.all_of(tree, gast.For)
             for call in _lengths(loop.iter, is_length)}
    asked.difference_update(left_out)
    if not asked:
        return
    parameters = syntax.parameter_names(tree.args)
    bound = Counter([*parameters, *(n.id for node in tree.body for n in syntax.names_in(node)
                                    if not isinstance(n.ctx, gast.Load))])
    asked -= {call.func.value.id for call in syntax.all_of(tree, gast.Call)
              if isinstance(call.func, gast.Attribute) and call.func.attr in _CHANGING
              and isinstance(call.func.value, gast.Name)}
    asked -= {syntax.root_name(target) for node in syntax.all_of(tree, gast.Delete)
              for target in node.targets}
    for name in sorted(one for one in asked if bound[one] == 1):
        places = [(tree.body, 0)] if name in parameters else [
            (block, at + 1) for block in syntax.all_blocks(tree) for at, node in enumerate(block)
            if isinstance(node, gast.Assign) and name in syntax.bound_names(node.targets[0])]
        if len(places) != 1:
            continue
        block, at = places[0]
        loops = [loop for node in block[at:] for loop in syntax.all_of(node, gast.For)]
        calls = {id(call): call for loop in syntax.all_of(tree, gast.For)
                 for call in _lengths(loop.iter, is_length) if call.args[0].id == name}
        if not calls.keys() <= {id(call) for loop in loops
                                for call in _lengths(loop.iter, is_length)}:
            continue                        # a loop elsewhere asks for it as well
        stop = fresh("stop")
        block.insert(at, assign(stop, syntax.copy(next(iter(calls.values())))))
        for loop in loops:
            loop.iter = _Named(calls, stop).visit(loop.iter)


def _lengths(head: gast.expr, is_length: Callable[[gast.expr], bool]) -> list[Any]:
    """The calls in the head of a loop over a range that ask for the length of what has a name."""
    if not isinstance(head, gast.Call) or getattr(head.func, "id", "") != "range":
        return []
    return [call for argument in head.args for call in syntax.all_of(argument, gast.Call)
            if is_length(call.func) and len(call.args) == 1 and not call.keywords
            and isinstance(call.args[0], gast.Name)]


class _Named(gast.NodeTransformer):
    def __init__(self, calls: dict[int, gast.Call], name: str) -> None:
        self.calls, self.name = calls, name

    def visit_Call(self, node: gast.Call) -> gast.expr:
        if id(node) in self.calls:
            return load(self.name)
        self.generic_visit(node)
        return node
