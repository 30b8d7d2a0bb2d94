"""Functions that are called in one place, and short ones, written out where they are called.

Those with loops too, if they are called in a loop, and at two places at most: the tapes that they
make for each call are then one for all (`numba_flat_tapes`).

    def half(x, y):                             t_1 = a * b
        t = x * y                               z = np.sin(t_1)
        return np.sin(t), (t, y)        =>      saved = (t_1, b)
    ...
    z, saved = half(a, b)

Numba passes arrays from function to function by counting who holds them, which for small arrays
costs as much as what is done to them. Written out, what one half of a pair hands over to the other
are variables, and statements about arrays from both sides of a call may share a loop.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from typing import Any

import gast

from tangent_lite import syntax

_LONGEST = 300                  # statements; Numba takes more than linear time for long functions
_SHORT = 8                      # statements of what is written out in several places
_SHORT_OF_SMALL = 30            # the same, where small arrays are made that then are none
_MOST_PLACES = 8
_SHORT_WITH_LOOPS = 30          # of what is called in a loop, and has loops itself: it makes tapes
_FEW_PLACES = 2


def inline_calls(trees: list[gast.FunctionDef], fresh: Callable[[str], str],
                 of_small: Collection[str] = ()) -> set[str]:
    """Write functions out where they are called, in place; the names of those that are gone.

    trees: the functions of a module, callees first; fresh: gives names that nothing has; of_small:
    the names of functions that make arrays of which numbers are made (`numba_small_arrays`).
    """
    functions = {tree.name: tree for tree in trees}
    for tree in trees:
        _name_what_is_added(tree, functions, fresh)
    counts = Counter(node.id for tree in trees for node in syntax.walk(tree)
                     if isinstance(node, gast.Name) and node.id in functions)
    written_out = _in_all_places(trees, functions, counts, of_small)
    gone: set[str] = set()
    for tree in trees:
        size = _size(tree)
        for block in syntax.all_blocks(tree):
            made: list[gast.stmt] = []
            for node in block:
                callee = functions.get(_called(node))
                if callee is None or callee is tree or not _can_stand_there(node, callee) or (
                        callee.name not in written_out and (
                            counts[callee.name] != 1 or size + _size(callee) > _LONGEST)):
                    made.append(node)
                    continue
                size += _size(callee)
                gone.add(callee.name)
                made += _written_out(node, callee, fresh)
            block[:] = made
    return gone


def _name_what_is_added(tree: gast.FunctionDef, functions: Collection[str],
                        fresh: Callable[[str], str]) -> None:
    """`x += f(y)` and `x += apart(f(y), x)` => `t = f(y); x += t`, where f is one of the
    functions."""
    for block in syntax.all_blocks(tree):
        made: list[gast.stmt] = []
        for node in block:
            if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name) \
                    and isinstance(node.value, gast.Call):
                around = node.value
                is_inside = around.args and _of_function(around.args[0], functions)
                if is_inside or _of_function(around, functions):
                    name = fresh(f"{node.target.id}_part")
                    first = [syntax.assign(name, around.args[0] if is_inside else around)]
                    syntax.serve(first, node)
                    made += first
                    if is_inside:
                        around.args[0] = syntax.load(name)
                    else:
                        node.value = syntax.load(name)
            made.append(node)
        block[:] = made


def _of_function(node: gast.expr, functions: Collection[str]) -> bool:
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Name) \
        and node.func.id in functions


def _in_all_places(trees: list[gast.FunctionDef], functions: dict[str, gast.FunctionDef],
                   counts: Counter[str], of_small: Collection[str]) -> set[str]:
    """The names of functions that are called in several places, and short enough to be written out
    in all of them."""
    places = Counter(functions[name].name for tree in trees for node in syntax.statements(tree.body)
                     if (name := _called(node)) in functions
                     and _can_stand_there(node, functions[name]))
    in_loops = {_called(node) for tree in trees for loop in syntax.statements(tree.body)
                if isinstance(loop, (gast.For, gast.While))
                for node in syntax.statements(loop.body)}
    total = sum(map(_size, trees))
    found: set[str] = set()
    for tree in trees:
        added = _size(tree) * (counts[tree.name] - 1)
        if 1 < counts[tree.name] == places[tree.name] <= _MOST_PLACES \
                and (_is_short(tree, _SHORT_OF_SMALL if tree.name in of_small else _SHORT)
                     or (tree.name in in_loops and counts[tree.name] <= _FEW_PLACES
                         and _size(tree) <= _SHORT_WITH_LOOPS)) \
                and total + added <= _LONGEST:
            total += added
            found.add(tree.name)
    return found - functions_that_recur(trees)


def _is_short(tree: gast.FunctionDef, most: int) -> bool:
    return _size(tree) <= most and not any(
        isinstance(node, (gast.For, gast.While)) for node in syntax.statements(tree.body))


def functions_that_recur(trees: list[gast.FunctionDef]) -> set[str]:
    """The names of functions of which a call may lead to another call of it."""
    calls = {tree.name: {node.id for node in syntax.walk(tree) if isinstance(node, gast.Name)}
             for tree in trees}
    reached: dict[str, set[str]] = {}
    for name in calls:
        found: set[str] = set()
        todo = [name]
        while todo:
            new = (calls[todo.pop()] & set(calls)) - found
            found |= new
            todo += new
        reached[name] = found
    return {name for name, found in reached.items() if name in found}


def _size(tree: gast.FunctionDef) -> int:
    return sum(1 for _ in syntax.statements(tree.body))


def _called(node: gast.stmt) -> str:
    """The name of the function in `a, b = f(x)`."""
    if isinstance(node, gast.Assign) and len(node.targets) == 1 \
            and isinstance(node.value, gast.Call) and isinstance(node.value.func, gast.Name):
        return node.value.func.id
    return ""


def _can_stand_there(node: Any, callee: gast.FunctionDef) -> bool:
    """Whether a function returns at its end and there only, and is called by position."""
    returns = [one for one in syntax.statements(callee.body) if isinstance(one, gast.Return)]
    return returns == callee.body[-1:] and returns[0].value is not None \
        and not node.value.keywords and len(node.value.args) == len(callee.args.args)


def _written_out(node: Any, callee: gast.FunctionDef, fresh: Callable[[str], str]) \
        -> list[gast.stmt]:
    """The statements of a function in place of `targets = function(args)`."""
    parameters = syntax.parameter_names(callee.args)
    body: list[Any] = [one for one in callee.body if not syntax.is_comment(one)]
    if isinstance(body[0], gast.Expr) and isinstance(body[0].value, gast.Constant):
        body = body[1:]
    own = {name.id for one in body for name in syntax.walk(one)
           if isinstance(name, gast.Name) and not isinstance(name.ctx, gast.Load)}
    names: dict[str, str] = {}
    made: list[gast.stmt] = []
    for parameter, value in zip(parameters, node.value.args):
        if isinstance(value, gast.Name) and parameter not in own:
            names[parameter] = value.id
        else:
            names[parameter] = fresh(parameter)
            made.append(syntax.assign(names[parameter], value))
    names |= {name: fresh(name) for name in sorted(own - set(parameters))}
    rename = syntax.Rename(names)
    body = [rename.visit(syntax.copy(one)) for one in body]
    made += body[:-1]
    made += _bindings(node.targets[0], body[-1].value)
    syntax.serve(made, node)
    return made


def _bindings(target: gast.expr, value: gast.expr) -> list[gast.stmt]:
    """`target = value`, part by part where no part binds what a later one reads."""
    if isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple) \
            and len(target.elts) == len(value.elts) \
            and all(isinstance(one, gast.Name) for one in target.elts):
        names = [one.id for one in target.elts]
        if not any(name in syntax.read_names(later) for k, name in enumerate(names)
                   for later in value.elts[k + 1:]):
            return [syntax.assign(name, one) for name, one in zip(names, value.elts)]
    return [syntax.assign(target, value)]
