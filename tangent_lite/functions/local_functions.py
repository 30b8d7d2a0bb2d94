"""Functions that are defined inside the differentiated function: what a call of one means.

A function defined inside is a value, `gast.Lambda`, that carries a `LocalFunction` as the fact
`local`. Its body reads the variables around it by name, when it is called, as Python does: so a
call of it is the body itself, written at the place of the call.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite import kinds, syntax


@dataclass(eq=False)
class LocalFunction:
    """A function, its body in the names of the function around it.

    captured: what it reads or binds around it; bound: what of that it binds (nonlocal);
    defaults: parameter -> atom, evaluated where the function was defined;
    keywords: parameter -> the name by which it is passed, where that is another;
    function: the function itself, if it is one of a module and not defined inside.
    """
    name: str
    tree: gast.FunctionDef
    captured: frozenset[str]
    bound: frozenset[str]
    defaults: dict[str, gast.expr]
    origin: Any = field(repr=False)             # the Source that its text stands in
    keywords: dict[str, str] = field(default_factory=dict)
    function: Any = None
    tag: str | None = None                      # the text that stands for it, where one of several
    #                                             functions is chosen at run time

    @property
    def __name__(self) -> str:                  # as functions have it
        return self.name


def lambda_of(function: LocalFunction) -> gast.Lambda:
    """The value that stands for a function: itself, if it is one expression, else only what it
    captures; then it cannot be written out."""
    body = function.tree.body
    last = body[-1]
    if len(body) == 1 and isinstance(last, gast.Return) and last.value is not None:
        value = syntax.copy(last.value)
    else:
        value = syntax.tuple_of(map(syntax.load, sorted(function.captured)))
    made = gast.Lambda(syntax.copy(function.tree.args), value)
    made.args.defaults = [syntax.copy(function.defaults[p.id])
                          for p in (made.args.posonlyargs + made.args.args)
                          if p.id in function.defaults]
    made.args.kw_defaults = [syntax.copy(function.defaults[p.id])
                             if p.id in function.defaults else None
                             for p in made.args.kwonlyargs]
    made.local = function
    return made


def bound_around(tree: gast.FunctionDef) -> set[str]:
    """Names that functions defined inside bind around them."""
    return {name for local in functions_in(tree) for name in local.bound}


def functions_in(tree: gast.FunctionDef) -> list[LocalFunction]:
    """The functions defined inside a function, at any depth."""
    found: list[LocalFunction] = []
    todo: list[gast.AST] = [tree]
    while todo:
        for node in syntax.all_of(todo.pop(), gast.Lambda):
            local = getattr(node, "local", None)
            if local is not None:
                found.append(local)
                todo.append(local.tree)
    return found


def unused(tree: gast.FunctionDef) -> None:
    """Take out the definitions of functions that nothing reads any more, in place."""
    while True:
        read = {n.id for n in syntax.names_in(tree) if isinstance(n.ctx, gast.Load)}
        read |= {n.target.id for n in syntax.statements(tree.body)      # `u *= k` reads u as well
                 if isinstance(n, gast.AugAssign) and isinstance(n.target, gast.Name)}
        found = False
        blocks = [tree.body]
        while blocks:
            block = blocks.pop()
            kept = [n for n in block if not (
                isinstance(n, gast.Assign) and isinstance(n.value, (gast.Lambda, gast.Name))
                and isinstance(n.targets[0], gast.Name) and n.targets[0].id not in read)]
            found |= len(kept) < len(block)
            block[:] = kept or [gast.copy_location(gast.Pass(), block[0])]
            for node in block:
                if isinstance(node, syntax.COMPOUND):
                    blocks += [b for b in (node.body, node.orelse) if b]
        if not found:
            return


def is_whole(node: gast.Lambda) -> bool:
    """Whether a lambda can be written out as it stands."""
    local = getattr(node, "local", None)
    return local is None or (len(local.tree.body) == 1
                             and isinstance(local.tree.body[0], gast.Return)
                             and local.tree.body[0].value is not None)


def renamed(function: LocalFunction, names: dict[str, str]) -> LocalFunction:
    """The same function in other names."""
    tree = syntax.copy(function.tree)
    RenameAll(names).visit(tree)
    defaults = {names.get(p, p): RenameAll(names).visit(syntax.copy(d))
                for p, d in function.defaults.items()}
    return LocalFunction(function.name, tree,
                         frozenset(names.get(n, n) for n in function.captured),
                         frozenset(names.get(n, n) for n in function.bound),
                         defaults, function.origin,
                         {names.get(p, p): function.keywords.get(p, p)
                          for p in syntax.parameter_names(function.tree.args)},
                         function.function)


class RenameAll(syntax.Rename):
    """Rename variables in place, in the functions defined inside as well."""

    def visit_Lambda(self, node: gast.Lambda) -> gast.Lambda:
        self.generic_visit(node)
        local = getattr(node, "local", None)
        if local is not None:
            node.local = renamed(local, self.names)
        return node


def holds_local(kind: kinds.Kind, function: LocalFunction | None = None) -> bool:
    """Whether a value is, or holds, a function that is defined inside (this one, if given)."""
    if kind.__class__ is kinds.Number:
        return False
    if isinstance(kind, kinds.Known):
        return isinstance(kind.object, LocalFunction) and function in (None, kind.object)
    if isinstance(kind, kinds.Choice):
        return any(holds_local(o, function) for o in kind.options)
    return any(holds_local(part, function) for part in kinds.parts(kind))


def is_tagged(kind: kinds.Kind) -> bool:
    """Whether a value is, or holds, a function for which a text stands."""
    if kind.__class__ is kinds.Number:
        return False
    if isinstance(kind, kinds.Known):
        return isinstance(kind.object, LocalFunction) and kind.object.tag is not None
    if isinstance(kind, kinds.Choice):
        return any(map(is_tagged, kind.options))
    return any(map(is_tagged, kinds.parts(kind)))


def free_names(definition: gast.FunctionDef) -> list[str]:
    """Names that a function reads and does not bind, in order."""
    own = set(syntax.parameter_names(definition.args))
    found: dict[str, None] = {}
    todo: list[gast.AST] = list(reversed(definition.body))
    while todo:
        node = todo.pop()
        if isinstance(node, gast.FunctionDef):
            own.add(node.name)
            found.update(dict.fromkeys(free_names(node)))
            continue
        if isinstance(node, (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp,
                             gast.GeneratorExp)):
            found.update(dict.fromkeys(sorted(syntax.read_names(node))))
            continue
        if isinstance(node, gast.Name):
            if isinstance(node.ctx, gast.Load):
                found[node.id] = None
            else:
                own.update(syntax.bound_names(node))
        todo += reversed(list(gast.iter_child_nodes(node)))
    return [n for n in found if n not in own]


def drop_functions(block: list[gast.stmt], names: set[str]) -> None:
    """Definitions that nothing needs any more."""
    for node in block:
        for inner in syntax.blocks_of(node):
            drop_functions(inner, names)
    block[:] = [n for n in block
                if not (isinstance(n, gast.FunctionDef) and n.name in names)] or [gast.Pass()]
