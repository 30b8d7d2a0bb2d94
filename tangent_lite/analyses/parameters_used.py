"""What a function does with its parameters, as its text says: calls them, hands them on, asks them
for attributes."""
from __future__ import annotations

import types

import gast

from tangent_lite import syntax


def bound_anywhere(tree: gast.FunctionDef) -> frozenset[str]:
    """The names that a function binds, and those that functions, lambdas and comprehensions which
    stand in it bind for themselves."""
    return frozenset([n.id for n in syntax.names_in(tree) if not isinstance(n.ctx, gast.Load)]
                     + [n.name for n in syntax.all_of(tree, gast.FunctionDef) if n is not tree])


def called_by_name(tree: gast.FunctionDef, handed: frozenset[str]) -> frozenset[str]:
    """Names of functions that change nothing if the text of this one does not: of those that it is
    handed, and of those that stand in it; where they mean nothing else."""
    inside = [n.name for n in syntax.all_of(tree, gast.FunctionDef) if n is not tree]
    if not handed and not inside:
        return handed
    bound = [n.id for n in syntax.names_in(tree) if not isinstance(n.ctx, gast.Load)] + inside
    return frozenset(name for name in (*handed, *inside) if bound.count(name) == 1)


def handed_on_by(call: gast.Call, called: types.FunctionType,
               handed: frozenset[str]) -> frozenset[str]:
    """The parameters of a function that is called which are given functions that were handed."""
    names = called.__code__.co_varnames[:called.__code__.co_argcount]
    given = [*zip(names, call.args), *((k.arg, k.value) for k in call.keywords)]
    return frozenset(name for name, value in given if getattr(value, "id", None) in handed) \
        if not any(isinstance(one, gast.Starred) for one in call.args) else frozenset()


def only_asked_for_attributes(tree: gast.FunctionDef, name: str) -> bool:
    """Whether nothing is done with a parameter but to read its attributes, and to ask which object
    it is, and of which class."""
    safe = [node.value for node in syntax.all_of(tree, gast.Attribute)]
    for call in syntax.all_of(tree, gast.Call):
        if getattr(call.func, "id", None) in ("isinstance", "type", "id", "super"):
            safe += call.args
    for node in syntax.all_of(tree, gast.Compare):
        if all(isinstance(op, (gast.Is, gast.IsNot)) for op in node.ops):
            safe += [node.left, *node.comparators]
    safe += [node.value for node in syntax.all_of(tree, gast.Return)]
    ids = {id(node) for node in safe}
    return all(id(node) in ids for node in syntax.walk(tree) if isinstance(node, gast.Name)
               and node.id == name and isinstance(node.ctx, gast.Load))
