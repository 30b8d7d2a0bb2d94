"""Put local functions that call themselves beside the function in which they are defined.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.source import source_of
>>> def f(x, a):
...     def power(n):
...         return a if n == 0 else x * power(n - 1)
...     return power(3)
>>> source, lifted = source_of(f), {}
>>> print(emit(recursion(source.tree, source, lifted)), end="")
def f(x, a):
    return power(a, x, 3)
>>> print(emit(source_of(lifted["power"]).tree), end="")
def power(a, x, n):
    return a if n == 0 else x * power(a, x, n - 1)

A call of a function defined inside is the body in its place, which has no end where it calls
itself. Beside, it is called as a pair, and what it reads around it becomes parameters; so it must
be called by its name. The functions that it calls go with it, lambdas that have a name
(`f = lambda x: a * x`) too. What it binds around it (nonlocal) it returns, and who calls it binds
that (`functions/handing_over`).

>>> def f(x):
...     count = 0
...     def power(n):
...         nonlocal count
...         count += 1
...         return 1.0 if n == 0 else x * power(n - 1)
...     return power(3) / count
>>> source, lifted = source_of(f), {}
>>> print(emit(recursion(source.tree, source, lifted)), end="")
def f(x):
    count = 0
    return (
        (
            (power_and_count := power(count, x, 3)),
            (count := power_and_count[1]),
            power_and_count[0],
        )[-1]
        / count
    )

What cannot be moved stays where it is, and is refused where it is called.
"""
from __future__ import annotations

import types
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.functions.handing_over import (
    bound_outside,
    calls_stand_plainly,
    gives_value,
    hand_over,
    last_of,
    named_arguments,
    taken_over,
)
from tangent_lite.functions.local_functions import drop_functions, free_names
from tangent_lite.names import Names
from tangent_lite.source import Source, beside
from tangent_lite.syntax import load

SCOPES = (gast.FunctionDef, gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp,
          gast.GeneratorExp)


def recursion(tree: gast.FunctionDef, source: Source, lifted: dict[str, Any]) -> gast.FunctionDef:
    """Return the tree without its recursive functions; `lifted` receives them by name."""
    if all(node is tree for node in syntax.all_of(tree, gast.FunctionDef, gast.Lambda)):
        return tree
    original, tree = tree, _with_names(tree)
    functions = _functions(tree)
    reached = {name: _reached(name, functions) for name in functions}
    moving = _moving(functions)
    if not moving:
        return original
    own = _own_names(tree) - functions.keys()
    bound = {n: bound_outside(functions[n]) for n in functions}
    rebound = {n: sorted({v for one in {n, *reached[n]} for v in bound[one] or ()})
               for n in moving}
    captured = {name: sorted({v for n in {name, *reached[name]} for v in free_names(functions[n])
                              if v in own} | own.intersection(rebound[name])) for name in moving}
    while True:
        stay = {n for n in moving if not _can_move(n, functions, captured, tree)
                or bound[n] is None or not own.issuperset(rebound[n])
                or (rebound[n] and not calls_stand_plainly(n, tree, moving))}
        stay |= {n for n in moving if reached[n] & stay}
        if not stay:
            break
        moving -= stay
    if not moving:
        return original
    tree = syntax.copy(tree)
    functions = _functions(tree)
    taken = {n: (rebound[n], gives_value(functions[n])) for n in moving if rebound[n]}
    _Calls({n: captured[n] for n in moving}, taken).visit(tree)
    cells = {name: types.CellType() for name in moving}
    for name in sorted(moving):
        definition = functions[name]
        arguments = definition.args
        if rebound[name]:
            hand_over(definition, rebound[name])
        more = [gast.Name(c, gast.Param(), None, None) for c in captured[name]]
        arguments.args = [*more, *arguments.args]
        lifted[name] = cells[name].cell_contents = beside(definition, source, cells)
    drop_functions(tree.body, moving)
    return tree


def _with_names(tree: gast.FunctionDef) -> gast.FunctionDef:
    """The function with definitions in place of the lambdas with a name (`f = lambda x: a * x`)
    that a function which calls itself reaches."""
    names = {n.targets[0].id for n in _of_its_own(tree) if _names_a_lambda(n)}
    wanted = names & _moving(_functions(_defined(tree, names))) if names else names
    return _defined(tree, wanted) if wanted else tree


def _names_a_lambda(node: gast.AST) -> bool:
    return isinstance(node, gast.Assign) and isinstance(node.value, gast.Lambda) \
        and len(node.targets) == 1 and isinstance(node.targets[0], gast.Name)


def _defined(tree: gast.FunctionDef, names: set[str]) -> gast.FunctionDef:
    tree = syntax.copy(tree)
    for block in syntax.blocks_in(tree.body):
        for k, node in enumerate(block):
            if _names_a_lambda(node) and node.targets[0].id in names:
                value = gast.copy_location(gast.Return(node.value.body), node)
                block[k] = gast.copy_location(gast.FunctionDef(
                    node.targets[0].id, node.value.args, [value], [], None, None), node)
    return tree


def _moving(functions: dict[str, gast.FunctionDef]) -> set[str]:
    """The functions that call themselves, and those that they reach."""
    reached = {name: _reached(name, functions) for name in functions}
    return {n for name in functions if name in reached[name] for n in reached[name]}


def _functions(tree: gast.FunctionDef) -> dict[str, gast.FunctionDef]:
    """The functions that a function defines itself, those of which the names mean nothing else."""
    found: dict[str, gast.FunctionDef] = {}
    bound = dict.fromkeys(syntax.parameter_names(tree.args), 1)
    for node in _of_its_own(tree):
        if isinstance(node, gast.FunctionDef):
            found[node.name] = node
            bound[node.name] = bound.get(node.name, 0) + 1
        elif isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
            bound[node.id] = bound.get(node.id, 0) + 1
    return {name: node for name, node in found.items() if bound[name] == 1}


def _of_its_own(tree: gast.AST) -> list[gast.AST]:
    """The nodes of a function that stand in no function or comprehension inside it."""
    found = syntax.children(tree)
    for node in found:                  # which grows as it is gone through
        if not isinstance(node, SCOPES):
            found += syntax.children(node)
    return found


def _own_names(tree: gast.FunctionDef) -> set[str]:
    return set(syntax.parameter_names(tree.args)) | {
        n.id for n in _of_its_own(tree)
        if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)} | {
        n.name for n in _of_its_own(tree) if isinstance(n, gast.FunctionDef)}


def _reached(name: str, functions: dict[str, gast.FunctionDef]) -> set[str]:
    """The functions that a function calls, or hands on, in the end."""
    found: set[str] = set()
    todo = [name]
    while todo:
        more = set(free_names(functions[todo.pop()])) & functions.keys() - found
        found |= more
        todo += more
    return found


def _can_move(name: str, functions: dict[str, gast.FunctionDef], captured: dict[str, list[str]],
              tree: gast.FunctionDef) -> bool:
    definition = functions[name]
    arguments = definition.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs \
            or definition.decorator_list or not _is_defined_first(definition, tree) \
            or not all(isinstance(d, gast.Constant) for d in arguments.defaults):
        return False
    if any(isinstance(n, (gast.Global, gast.Yield, gast.YieldFrom))
           for n in gast.walk(definition)):
        return False
    every = set(captured[name])
    if any(n != name and n not in captured and n in functions
           for n in free_names(definition)):
        return False
    for node in gast.walk(tree):
        if isinstance(node, SCOPES) and node is not tree:
            # A name in a function around the call that is not the captured one.
            shadows = {n.id for n in gast.walk(node) if isinstance(n, gast.Name)
                       and not isinstance(n.ctx, gast.Load)}
            shadows -= {v for n in getattr(node, "body", ()) if isinstance(n, gast.Nonlocal)
                        for v in n.names} if isinstance(node, gast.FunctionDef) else set()
            if shadows & every and any(isinstance(n, gast.Name) and n.id == name
                                       for n in gast.walk(node)):
                return False
    called = {id(n.func) for n in gast.walk(tree) if isinstance(n, gast.Call)}
    return not every or all(id(n) in called for n in gast.walk(tree)
                            if isinstance(n, gast.Name) and n.id == name)


def _is_defined_first(definition: gast.FunctionDef, tree: gast.FunctionDef) -> bool:
    """Whether the name of a function is mentioned behind its definition alone, but for functions
    beside it: in front of it, or where it was not reached, it would be unbound."""
    for block in syntax.blocks_in(tree.body):
        for place, node in enumerate(block):
            if node is definition:
                behind = {id(part) for later in block[place:] for part in gast.walk(later)}
                return all(id(part) in behind for part in _of_its_own(tree)
                           if isinstance(part, gast.Name) and part.id == definition.name)
    return False


class _Calls(gast.NodeTransformer):
    """Hand over what functions captured, where they are called."""

    def __init__(self, captured: dict[str, list[str]],
                 taken: dict[str, tuple[list[str], bool]]) -> None:
        self.captured, self.taken, self.names = captured, taken, Names()

    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.FunctionDef:
        around, self.names = self.names, Names(syntax.all_names(node) | self.captured.keys())
        self.generic_visit(node)
        self.names = around
        return node

    def visit_Expr(self, node: gast.Expr) -> gast.Expr:
        self.generic_visit(node)
        if hasattr(node.value, "picks_last") and getattr(node.value.value.elts[-1], "ctx", None):
            node.value.value.elts[-1] = gast.copy_location(gast.Constant(None, None), node)
        return node

    def visit_Call(self, node: gast.Call) -> gast.expr:
        self.generic_visit(node)
        if isinstance(node.func, gast.Name):
            more = self.captured.get(node.func.id, [])
            taken = self.taken.get(node.func.id)
            first = named_arguments(node, self.names) if more else []
            node.args = [*(gast.copy_location(load(n), node.func) for n in more), *node.args]
            if taken is not None:
                return taken_over(node, *taken, self.names, first)
            if first:
                return last_of([*first, node], node)
        return node
