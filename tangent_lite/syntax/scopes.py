"""Variables that are called like builtins, and other names for them; names in inner functions."""
from __future__ import annotations

import gast

from tangent_lite import syntax
from tangent_lite.names import BUILTINS_WRITTEN, Names

_SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Lambda, gast.ListComp,
           gast.SetComp, gast.DictComp, gast.GeneratorExp)
_INNER = (*syntax.COMPREHENSIONS, gast.Lambda, gast.FunctionDef)
_DEFINITIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)


def called_like_builtins(tree: gast.FunctionDef) -> dict[str, str]:
    """Names for the variables and parameters of a function that are called like builtins which
    emitted code calls. Left out are those that are bound in any other way (imports, `global`), or
    also by functions, classes and comprehensions in the function."""
    written = BUILTINS_WRITTEN & syntax.all_names(tree)
    if not written or not (
            any(node.id in written and not isinstance(node.ctx, gast.Load)
                for node in syntax.names_in(tree))
            or any(node.name in written
                   for node in syntax.all_of(tree, gast.MatchAs, gast.MatchStar))):
        return {}                           # few functions do more than call them
    own, others = _bound(tree)
    found = sorted((own - others) & BUILTINS_WRITTEN)
    taken = Names(syntax.all_names(tree))
    return {name: taken.fresh(f"{name}_") for name in found}


def names_inside(tree: gast.FunctionDef) -> set[str]:
    """The names that stand in functions and comprehensions inside a function.

    >>> tree = gast.parse("def f(x): return [x * k for k in y] + z").body[0]
    >>> sorted(names_inside(tree))
    ['k', 'x', 'y']
    """
    inner = [one for one in syntax.all_of(tree, *_INNER) if one is not tree]
    return {name.id for name in syntax.names_in(*inner)}


def rename(tree: gast.FunctionDef, names: dict[str, str]) -> None:
    """Give variables of a function other names, also in the functions in it that read them, in
    place."""
    for node in gast.walk(tree):
        if isinstance(node, gast.Name):
            node.id = names.get(node.id, node.id)
        elif isinstance(node, (gast.MatchAs, gast.MatchStar)) and node.name is not None:
            node.name = names.get(node.name, node.name)


def _bound(tree: gast.FunctionDef) -> tuple[set[str], set[str]]:
    """The names that a function binds as variables; and those that are bound in any other way, or
    by functions, classes and comprehensions in it."""
    own = set(syntax.parameter_names(tree.args))
    others: set[str] = set()
    todo: list[tuple[gast.AST, bool]] = [(node, False) for node in tree.body]
    while todo:
        node, inside = todo.pop()
        if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
            (others if inside else own).add(node.id)
        elif isinstance(node, (gast.MatchAs, gast.MatchStar)) and node.name is not None:
            (others if inside else own).add(node.name)
        elif isinstance(node, gast.MatchMapping) and node.rest is not None:
            others.add(node.rest)
        elif isinstance(node, (gast.Import, gast.ImportFrom)):
            others.update(a.asname or a.name.split(".")[0] for a in node.names)
        elif isinstance(node, (gast.Global, gast.Nonlocal)):
            others.update(node.names)
        elif isinstance(node, gast.ExceptHandler) and node.name is not None:
            others.add(node.name.id)
        if isinstance(node, _DEFINITIONS):
            others.add(node.name)
        inside = inside or isinstance(node, _SCOPES)
        todo += [(child, inside) for child in gast.iter_child_nodes(node)]
    return own, others
