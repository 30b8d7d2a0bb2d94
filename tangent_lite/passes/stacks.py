"""Stacks of tuples, as a stack for each part.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.names import Names
>>> tree = gast.parse('''
... def f(x):
...     todo = [(x, 0)]
...     total = 0.0
...     while todo:
...         y, depth = todo.pop()
...         if depth < 3:
...             todo.append((y * y, depth + 1))
...         total += y
...     return total
... ''').body[0]
>>> print(emit(stacks(tree, Names(['x', 'todo']), lambda: True)), end="")
def f(x):
    todo_0 = [x]
    todo_1 = [0]
    total = 0.0
    while todo_0:
        y = todo_0.pop()
        depth = todo_1.pop()
        if depth < 3:
            todo_0.append(y * y)
            todo_1.append(depth + 1)
        total += y
    return total

What lies in a list of tuples would have adjoints of several kinds in turn; each of these lists
holds numbers, or arrays, of one kind. It is done where every place that names the list is one of
those above: nobody else may see that there are several.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.names import Names

_SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef, gast.ListComp,
           gast.SetComp, gast.DictComp, gast.GeneratorExp)
_LEFT_HALFWAY = {gast.Try, gast.With, gast.AsyncWith, *(
    [gast.TryStar] if hasattr(gast, "TryStar") else [])}


def stacks(tree: gast.FunctionDef, names: Names, knows_len: Callable[[], bool]) \
        -> gast.FunctionDef:
    """The function with a list for each part of its stacks of tuples; knows_len: whether `len`
    means what it means to Python.

    What may be left halfway is left alone: of two lists one would have an item more.
    """
    if not any(_popped(tree)) or not syntax.classes_in(tree).isdisjoint(_LEFT_HALFWAY):
        return tree
    while True:
        found = next(((name, count) for name in _popped(tree)
                      for count in [_count(tree, name, knows_len)] if count), None)
        if found is None:
            return tree
        name, count = found
        tree = syntax.copy(tree)
        _Split(name, [names.fresh(f"{name}_{k}") for k in range(count)]).visit(tree)


def _popped(tree: gast.FunctionDef) -> Iterator[str]:
    """The names of what tuples are taken out of."""
    for node in syntax.all_of(tree, gast.Assign):
        if isinstance(node.targets[0], gast.Tuple) and _method(node.value) == "pop":
            yield node.value.func.value.id


def _method(node: Any) -> str | None:
    """m for `name.m(...)` without keywords."""
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) \
            and isinstance(node.func.value, gast.Name) and not node.keywords:
        return str(node.func.attr)
    return None


def _count(tree: gast.FunctionDef, name: str, knows_len: Callable[[], bool]) -> int:
    """How many parts the tuples have; 0 where the list is seen by others, or not made here."""
    counts: set[int] = set()
    fine: set[int] = set()              # mentions that stay right
    is_made = False
    for node in syntax.walk(tree):
        if isinstance(node, (gast.Global, gast.Nonlocal)) and name in node.names:
            return 0
        if isinstance(node, _SCOPES) and node is not tree and name in {
                one.id for one in gast.walk(node) if isinstance(one, gast.Name)}:
            return 0
        if isinstance(node, gast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
            if syntax.is_name(target, name) and isinstance(value, gast.List):
                is_made = True
                counts |= {_length(item, name) for item in value.elts}
                if len(value.elts) > 1 and not syntax.is_simple(value):
                    return 0                # its parts would be computed in another order
                fine.add(id(target))
            elif isinstance(target, gast.Tuple) and _method(value) == "pop" \
                    and syntax.is_name(value.func.value, name) and len(value.args) < 2 \
                    and all(map(_is_number, value.args)):
                counts.add(_length(target, name))
                fine.add(id(value.func.value))
        elif isinstance(node, gast.Expr) and _method(node.value) == "append" \
                and syntax.is_name(node.value.func.value, name) and len(node.value.args) == 1:
            counts.add(_length(node.value.args[0], name))
            fine.add(id(node.value.func.value))
        elif isinstance(node, (gast.While, gast.If)):
            fine |= {id(one) for one in _truths(node.test)}
        elif syntax.is_length_of(node, name) and not node.keywords and knows_len():
            fine.add(id(node.args[0]))
    mentions = {id(one) for one in syntax.walk(tree) if syntax.is_name(one, name)}
    return counts.pop() if is_made and len(counts) == 1 and mentions <= fine else 0


def _is_number(node: gast.expr) -> bool:
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        node = node.operand
    return isinstance(node, gast.Constant) and type(node.value) is int


def _length(node: gast.expr, name: str) -> int:
    """Of a tuple that is written out and does not mention the list; 0 for anything else."""
    if not isinstance(node, gast.Tuple) or any(
            isinstance(part, gast.Starred) for part in node.elts) or any(
            syntax.is_name(one, name) for one in gast.walk(node)):
        return 0
    return len(node.elts)


def _truths(test: gast.expr) -> Iterator[gast.expr]:
    """The parts of a condition of which only is asked whether they are true."""
    if isinstance(test, gast.BoolOp):
        for part in test.values:
            yield from _truths(part)
    elif isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        yield from _truths(test.operand)
    else:
        yield test


class _Split(gast.NodeTransformer):
    def __init__(self, name: str, parts: list[str]) -> None:
        self.name, self.parts = name, parts

    def visit_Assign(self, node: gast.Assign) -> Any:
        target, value = node.targets[0], node.value
        if syntax.is_name(target, self.name):
            made: list[Any] = [syntax.assign(part, gast.List(
                [item.elts[k] for item in value.elts], gast.Load()))
                for k, part in enumerate(self.parts)]
        elif _method(value) == "pop" and syntax.is_name(value.func.value, self.name):
            made = [syntax.assign(target.elts[k], syntax.method(
                syntax.load(part), "pop", *map(syntax.copy, value.args)))
                for k, part in enumerate(self.parts)]
        else:
            return self.generic_visit(node)
        return self.placed(made, node)

    def visit_Expr(self, node: gast.Expr) -> Any:
        if _method(node.value) != "append" or not syntax.is_name(node.value.func.value, self.name):
            return self.generic_visit(node)
        items = node.value.args[0].elts
        return self.placed([syntax.statement(syntax.method(syntax.load(part), "append", item))
                            for part, item in zip(self.parts, items)], node)

    def placed(self, made: list[Any], node: gast.stmt) -> list[Any]:
        for one in made:
            syntax.place_within(one, node)
        return made

    def visit_Name(self, node: gast.Name) -> gast.Name:
        if node.id == self.name:                # of all of them the first is asked
            node.id = self.parts[0]
        return node
