"""Memory is given back as soon as it can be: names are forgotten behind their last use.

    h8 = np.tanh(h7 * 1.4)                      h8 = np.tanh(h7 * 1.4)
    ...                                         ...
    bh7 = 1.4 * bh8 * (1.0 - h8 * h8)   =>      bh7 = 1.4 * bh8 * (1.0 - h8 * h8); del bh8, h8
    bh6 = 1.3 * bh7 * (1.0 - h7 * h7)           bh6 = 1.3 * bh7 * (1.0 - h7 * h7); del bh7, h7

A tape is emptied as it is read, and a loop binds its names anew; but in straight code all values of
the forward pass and all adjoints would live until the function returns. That is about twice the
memory that is needed, and arrays of 10 000 and more numbers come from memory that is cold. It is
done to what is compiled, never to the text: who writes it by hand does not litter it with `del`.
"""
from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from tangent_lite.nodes import PARTS

# What has names of its own, or gives a name a meaning that lasts.
_APART = (ast.Global, ast.Nonlocal, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp,
          ast.GeneratorExp, ast.FunctionDef, ast.ClassDef, ast.Delete, ast.ExceptHandler)


def forget_names(function: ast.FunctionDef) -> None:
    """Forget names of a function behind their last use; its tree is changed in place."""
    body = function.body
    kept = _parameters(function)
    last: dict[str, int] = {}
    bound: set[str] = set()
    for number, node in enumerate(body):
        names, apart = _mentioned(node)
        for name in names:
            last[name] = number
        for inner in apart:
            kept |= _kept(inner)
        if isinstance(node, ast.Assign):
            bound |= {n.id for target in node.targets for n in _plain(target)}
    spent: dict[int, list[str]] = {}
    for name in sorted(bound - kept):
        # Behind the last two statements everything is forgotten anyhow.
        if last[name] < len(body) - 2:
            spent.setdefault(last[name], []).append(name)
    made: list[ast.stmt] = []
    for number, node in enumerate(body):
        made.append(node)
        if number in spent:
            place = (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
            made.append(_placed(ast.Delete([
                _placed(ast.Name(name, ast.Del()), place) for name in spent[number]]), place))
    function.body = made


def _placed(node: Any, place: tuple[Any, ...]) -> Any:
    node.lineno, node.col_offset, node.end_lineno, node.end_col_offset = place
    return node


def _parameters(function: ast.FunctionDef) -> set[str]:
    """Names that are the caller's."""
    given = function.args
    return {a.arg for a in (*given.posonlyargs, *given.args, *given.kwonlyargs,
                            *filter(None, (given.vararg, given.kwarg)))}


def _kept(node: Any) -> set[str]:
    """Names that mean something outside, or that an inner scope reads."""
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return {*node.names}
    if isinstance(node, ast.ExceptHandler):
        return {node.name} if node.name else set()
    return _mentioned(node)[0]


def _mentioned(node: Any) -> tuple[set[str], list[ast.AST]]:
    """The names that stand in a tree, and what in it has names of its own."""
    names: set[str] = set()
    apart: list[ast.AST] = []
    todo: list[Any] = [node]
    while todo:
        node = todo.pop()
        kind = node.__class__
        if kind is ast.Name:
            names.add(node.id)
            continue
        if kind in _APART:
            apart.append(node)
        for field in PARTS[kind]:
            value: Any = getattr(node, field, None)
            kind = value.__class__
            if kind is ast.Name:                # most of what there is
                names.add(value.id)
            elif kind is list:
                todo += value
            elif PARTS[kind]:
                todo.append(value)
    return names, apart


def _plain(target: ast.expr) -> Iterator[ast.Name]:
    """The names that a target surely binds."""
    if isinstance(target, ast.Name):
        yield target
    elif isinstance(target, (ast.Tuple, ast.List)):
        for part in target.elts:
            yield from _plain(part)
