"""Take imports out of a function: names mean what they would, imported at the top of the module.

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def energy(x):
...     from math import sin
...     return x * sin(x)
... ''').body[0]
>>> print(emit(imports(tree, lambda name: NO_OBJECT, None, lambda *found: None)), end="")
def energy(x):
    return x * sin(x)

That is so of an import that stands in the function's own block, in front of all that mentions the
name, if nothing else binds the name and the module around means nothing else by it. All others stay
where they are, and `fence` says what becomes of them. What is imported is looked up when the
derivative is made; a module that cannot be imported leaves the import to fail when it is called.
"""
from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.inference import NO_OBJECT

# (table, name, what it meant): what the derivative rests on.
Looked = tuple[Any, str, Any]


def imports(tree: gast.FunctionDef, now: Callable[[str], Any], package: str | None,
            bind: Callable[[str, Any, list[Looked]], None]) -> gast.FunctionDef:
    """Return a tree without imports that may as well stand outside.

    now: what a name means around the function; package: the one that relative imports start from;
    bind: told what each name means from now on, and where that was found.
    """
    spots = [n for n in tree.body if isinstance(n, (gast.Import, gast.ImportFrom))]
    taken: list[gast.stmt] = []
    for node in spots:
        found = [_found(alias, node, package) for alias in node.names]
        names = [name for name, _, _ in found]
        if any(thing is NO_OBJECT or not _means(now(name), thing) for name, thing, _ in found) \
                or len(set(names)) < len(names) \
                or not all(_is_bound_here_only(name, node, tree) for name in names):
            continue
        for name, thing, looked in found:
            bind(name, thing, looked)
        taken.append(node)
    if not taken:
        return tree
    gone = {id(node) for node in taken}
    without = gast.FunctionDef(**{field: getattr(tree, field, None) for field in tree._fields})
    without.body = [n for n in tree.body if id(n) not in gone] or tree.body
    return gast.copy_location(without, tree)


def _means(outside: Any, thing: Any) -> bool:
    """Whether a name outside of a function means the same, or nothing."""
    return outside is NO_OBJECT or outside is thing


def _found(alias: Any, node: Any, package: str | None) -> tuple[str, Any, list[Looked]]:
    """The name that a part of an import binds, what it means, and where that was looked up."""
    nothing: tuple[str, Any, list[Looked]] = ("*", NO_OBJECT, [])
    try:
        if isinstance(node, gast.Import):
            module = importlib.import_module(alias.name)
            first = alias.name.split(".")[0]
            if alias.asname:
                return alias.asname, module, [(sys.modules, alias.name, module)]
            return first, sys.modules[first], [(sys.modules, first, sys.modules[first])]
        if node.level and not package:
            return nothing
        module = importlib.import_module("." * node.level + (node.module or ""), package)
        name = alias.asname or alias.name
        if not hasattr(module, alias.name):
            importlib.import_module(f"{module.__name__}.{alias.name}")
        thing = getattr(module, alias.name)
        return name, thing, [(vars(module), alias.name, thing)]
    except Exception:           # whatever importing runs into, it runs into when it is called
        return nothing


def _is_bound_here_only(name: str, node: Any, tree: gast.FunctionDef) -> bool:
    """Whether nothing but one import binds a name, and nothing in front of it mentions it."""
    if name in syntax.parameter_names(tree.args):
        return False
    for other in tree.body[:tree.body.index(node)]:
        if name in syntax.all_names(other):
            return False
    for other in syntax.walk(tree):
        if other is node or other is tree:
            continue
        if isinstance(other, gast.Name):
            if other.id == name and not isinstance(other.ctx, gast.Load):
                return False
        elif isinstance(other, gast.alias):
            if other not in node.names and name in (
                    other.asname, other.name, other.name.split(".")[0]):
                return False
        elif not isinstance(other, (gast.Attribute, gast.keyword, gast.Constant)) and any(
                name == text or (isinstance(text, list) and name in text)
                for text in (getattr(other, field, None) for field in other._fields)):
            return False                        # a def, an exception, a pattern, `nonlocal`
    return True
