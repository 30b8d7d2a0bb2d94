"""Make the functions defined inside a function values with names of their own.

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(x):
...     def scaled(t, by=2.0 * x):
...         return by * t
...     return scaled(x)
... ''').body[0]
>>> print(emit(closures(tree)), end="")
def f(x):
    scaled_by = 2.0 * x
    scaled = lambda t, by=scaled_by: by * t
    return scaled(x)

A lambda carries what it stands for as the fact `local`; a function of several statements is a
lambda too, whose body only says what it captures. No name that such a function binds for itself is
bound anywhere else, so a call may be replaced by the body. Defaults are evaluated where Python
does.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.functions.local_functions import LocalFunction, lambda_of
from tangent_lite.names import Names
from tangent_lite.structures.comprehensions import COMPREHENSIONS

Refuse = Callable[[gast.AST, str, str], Exception]


def closures(tree: gast.FunctionDef, names: Names | None = None, origin: Any = None,
             refuse: Refuse | None = None) -> gast.FunctionDef:
    """Return a tree whose inner functions are lambdas; `names` are those taken."""
    kinds = syntax.classes_in(*tree.body)
    every = _every_name(tree, kinds)
    names = names or Names(every)
    names.take(every)
    has_functions = not kinds.isdisjoint((gast.FunctionDef, gast.Lambda))
    if not has_functions and kinds.isdisjoint(COMPREHENSIONS):
        return tree
    tree = syntax.copy(tree)
    _rename_comprehensions(tree, names)
    if has_functions:
        writer = _Closures(names, origin, refuse or _no_place)
        writer.rename(tree)
        tree.body = writer.block(tree.body)
    return tree


def _no_place(node: gast.AST, reason: str, fix: str) -> Exception:
    return ValueError(reason)


def _every_name(tree: gast.FunctionDef, kinds: set[type]) -> set[str]:
    """All names in a function, those of keywords included; kinds: of the nodes in its body."""
    found = syntax.all_names(tree)
    if gast.keyword in kinds.union(syntax.classes_in(tree.args, *tree.decorator_list)):
        found |= {a.arg for a in syntax.all_of(tree, gast.keyword) if a.arg}
    return found


def _inner(node: gast.AST) -> list[gast.AST]:
    """The functions defined directly inside a function."""
    found: list[gast.AST] = []
    todo = list(gast.iter_child_nodes(node)) if not isinstance(node, gast.FunctionDef) \
        else list(node.body)
    while todo:
        one = todo.pop(0)
        if isinstance(one, (gast.FunctionDef, gast.Lambda)):
            found.append(one)
            # Its defaults and decorators belong to the function around it.
            todo += [d for d in (*one.args.defaults, *one.args.kw_defaults) if d is not None]
            todo += getattr(one, "decorator_list", [])
        else:
            todo += gast.iter_child_nodes(one)
    return found


def _body(node: gast.AST) -> list[gast.AST]:
    return node.body if isinstance(node, gast.FunctionDef) else [node.body]


def _bound_by(node: gast.AST) -> tuple[set[str], set[str]]:
    """Names that a function binds for itself, and those it declares to be of the one around."""
    own = set(syntax.parameter_names(node.args))
    outer: set[str] = set()
    todo = list(_body(node))
    while todo:
        one = todo.pop()
        if isinstance(one, (gast.FunctionDef, gast.Lambda)):
            if isinstance(one, gast.FunctionDef):
                own.add(one.name)
                todo += one.decorator_list
            todo += [d for d in (*one.args.defaults, *one.args.kw_defaults) if d is not None]
            continue
        if isinstance(one, (gast.Nonlocal, gast.Global)):
            outer.update(one.names)
        elif isinstance(one, gast.Name) and not isinstance(one.ctx, gast.Load):
            own.add(one.id)
        todo += gast.iter_child_nodes(one)
    return own - outer, outer


class _Scoped(gast.NodeTransformer):
    """Rename names in a function and in the functions in it that do not bind them anew."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: gast.Name) -> gast.Name:
        node.id = self.names.get(node.id, node.id)
        return node

    def visit_Nonlocal(self, node: gast.Nonlocal) -> gast.Nonlocal:
        node.names = [self.names.get(n, n) for n in node.names]
        return node

    def visit_FunctionDef(self, node: Any) -> Any:
        if isinstance(node, gast.FunctionDef):
            node.name = self.names.get(node.name, node.name)
            node.decorator_list = [self.visit(d) for d in node.decorator_list]
        node.args.defaults = [self.visit(d) for d in node.args.defaults]
        node.args.kw_defaults = [None if d is None else self.visit(d)
                                 for d in node.args.kw_defaults]
        own, _ = _bound_by(node)
        outer, self.names = self.names, {k: v for k, v in self.names.items() if k not in own}
        if isinstance(node, gast.FunctionDef):
            node.body = [self.visit(s) for s in node.body]
        else:
            node.body = self.visit(node.body)
        self.names = outer
        return node

    visit_Lambda = visit_FunctionDef


def _rename_comprehensions(tree: gast.FunctionDef, names: Names) -> None:
    """Give what comprehensions bind a name of its own, where it is that of something else."""
    taken: set[str] = set(syntax.parameter_names(tree.args))
    found: list[Any] = []

    def visit(node: gast.AST, inside: bool) -> None:
        if isinstance(node, gast.Name) and not inside:
            taken.add(node.id)
        for child in gast.iter_child_nodes(node):
            if isinstance(child, COMPREHENSIONS):
                found.append(child)
                visit(child, True)
            else:
                visit(child, inside)

    visit(tree, False)
    for node in found:
        own = [n for g in node.generators for n in syntax.bound_names(g.target)]
        mapping = {n: names.fresh(n) for n in own if n in taken}
        taken.update(mapping.get(n, n) for n in own)
        if not mapping:
            continue
        first = node.generators[0]
        held, first.iter = first.iter, gast.Constant(None, None)
        renamer = _Scoped(mapping)
        for field, value in gast.iter_fields(node):
            if isinstance(value, list):
                setattr(node, field, [renamer.visit(v) for v in value])
            else:
                setattr(node, field, renamer.visit(value))
        first.iter = held


class _Closures:
    def __init__(self, names: Names, origin: Any, refuse: Refuse) -> None:
        self.names, self.origin, self.refuse = names, origin, refuse
        self.out: list[gast.stmt] = []
        self.place: gast.AST = gast.Pass()
        self.rebound: set[str] = set()          # names that functions bind around them

    # Names --------------------------------------------------------------------------------------
    def rename(self, tree: gast.FunctionDef) -> None:
        """Let each function in a function bind names that nobody else binds or reads."""
        taken = set(_bound_by(tree)[0])
        everywhere: dict[str, int] = {}
        for node in gast.walk(tree):
            if isinstance(node, gast.Name):
                everywhere[node.id] = everywhere.get(node.id, 0) + 1

        def visit(node: gast.AST) -> None:
            for inner in _inner(node):
                own, _ = _bound_by(inner)
                within: dict[str, int] = {}
                for part in gast.walk(inner):
                    if isinstance(part, gast.Name):
                        within[part.id] = within.get(part.id, 0) + 1
                clash = sorted(n for n in own if n in taken
                               or everywhere.get(n, 0) > within.get(n, 0))
                mapping = {n: self.names.fresh(n) for n in clash}
                if mapping:
                    renamer = _Scoped(mapping)
                    for field in ("args", "kwonlyargs", "posonlyargs"):
                        for one in getattr(inner.args, field, []):
                            one.id = mapping.get(one.id, one.id)
                    for one in (inner.args.vararg, inner.args.kwarg):
                        if one is not None:
                            one.id = mapping.get(one.id, one.id)
                    if isinstance(inner, gast.FunctionDef):
                        inner.body = [renamer.visit(s) for s in inner.body]
                    else:
                        inner.body = renamer.visit(inner.body)
                    inner.keywords = {v: k for k, v in mapping.items()}
                taken.update(mapping.get(n, n) for n in own)
                visit(inner)

        visit(tree)
        self.rebound = {n for node in syntax.all_of(tree, gast.Nonlocal) for n in node.names}

    # Values -------------------------------------------------------------------------------------
    def block(self, block: list[gast.stmt]) -> list[gast.stmt]:
        outer, self.out = self.out, []
        for node in block:
            self.place = node
            if isinstance(node, gast.FunctionDef):
                self.definition(node)
                continue
            if isinstance(node, (gast.Nonlocal, gast.Global)):
                continue
            for field, value in gast.iter_fields(node):
                if isinstance(value, gast.expr):
                    setattr(node, field, self.lambdas(value))
                elif isinstance(value, list) and value and isinstance(value[0], gast.expr):
                    setattr(node, field, [self.lambdas(v) for v in value])
            for inner in _blocks(node):
                inner[:] = self.block(inner)
                self.place = node
            for part in _heads(node):
                self.within(part)
            self.out.append(node)
        made, self.out = self.out, outer
        return made

    def within(self, part: gast.AST) -> None:
        """Lambdas in what is neither a statement nor an expression: keywords, with-items."""
        for field, value in gast.iter_fields(part):
            if isinstance(value, gast.expr):
                setattr(part, field, self.lambdas(value))

    def definition(self, node: gast.FunctionDef) -> None:
        function = self.local(node, node.name, hoist=True)
        value: gast.expr = lambda_of(function)
        for decorator in reversed(node.decorator_list):
            if not _is_wraps(decorator):
                value = syntax.call(self.lambdas(decorator), value)
        self.add(syntax.assign(node.name, value))

    def add(self, node: gast.stmt) -> None:
        syntax.place_within(node, self.place)
        self.out.append(node)

    def lambdas(self, node: gast.expr, hoist: bool = True) -> gast.expr:
        """The expression with its lambdas as local functions."""
        if isinstance(node, gast.Lambda):
            made = lambda_of(self.local(node, "lambda_", hoist))
            return gast.copy_location(made, node)
        hoist = hoist and not isinstance(node, (*COMPREHENSIONS, gast.IfExp, gast.BoolOp))
        for field, value in gast.iter_fields(node):
            if isinstance(value, gast.expr):
                setattr(node, field, self.lambdas(value, hoist))
            elif isinstance(value, list):
                for number, part in enumerate(value):
                    if isinstance(part, gast.expr):
                        value[number] = self.lambdas(part, hoist)
                    elif isinstance(part, gast.keyword):
                        part.value = self.lambdas(part.value, hoist)
                    elif isinstance(part, gast.comprehension):
                        part.iter = self.lambdas(part.iter, False)
                        part.ifs = [self.lambdas(i, False) for i in part.ifs]
        return node

    def calls_beside(self, node: gast.AST) -> bool:
        """Whether the statement calls what may be evaluated before a lambda in it."""
        todo: list[gast.AST] = [] if isinstance(self.place, gast.FunctionDef) else [self.place]
        while todo:
            part = todo.pop()
            if isinstance(part, gast.Call) and not any(n is node for n in gast.walk(part)):
                return True
            todo += [n for n in gast.iter_child_nodes(part) if not isinstance(n, gast.stmt)]
        return False

    def local(self, node: Any, name: str, hoist: bool) -> LocalFunction:
        _own, outer = _bound_by(node)
        place = self.place
        parameters = node.args.posonlyargs + node.args.args
        defaults: dict[str, gast.expr] = {}
        given = list(zip(parameters[len(parameters) - len(node.args.defaults):],
                         node.args.defaults))
        given += [(p, d) for p, d in zip(node.args.kwonlyargs, node.args.kw_defaults)
                  if d is not None]
        for parameter, default in given:
            if isinstance(default, gast.Constant):
                defaults[parameter.id] = default
                continue
            if not hoist:
                raise self.refuse(default, "a default that is computed inside an expression is not "
                                           "handled", "define the function on a line of its own")
            if syntax.read_names(default) & self.rebound and self.calls_beside(node):
                raise self.refuse(default, "a default that reads what a call in the same statement "
                                           "may bind anew is not handled",
                                  "define the function on a line of its own")
            kept = self.names.fresh(f"{name}_{parameter.id}" if name != "lambda_"
                                    else parameter.id)
            self.add(syntax.assign(kept, self.lambdas(default)))
            defaults[parameter.id] = gast.copy_location(syntax.load(kept), default)
        arguments = syntax.copy(node.args)
        arguments.defaults, arguments.kw_defaults = [], [None] * len(arguments.kwonlyargs)
        for one in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]:
            one.annotation = None
        if isinstance(node, gast.FunctionDef):
            body = self.block(node.body)
        else:
            outer_out, self.out = self.out, []
            value = self.lambdas(node.body, hoist=False)
            self.out = outer_out
            body = [gast.copy_location(gast.Return(value), node.body)]
        self.place = place
        tree = gast.FunctionDef(name, arguments, body, [], None, None)
        gast.copy_location(tree, node)
        return LocalFunction(name, tree, frozenset(_free(tree) | outer), frozenset(outer), defaults,
                             self.origin, getattr(node, "keywords", {}))


def _free(tree: gast.FunctionDef) -> set[str]:
    """Names that a function reads and does not bind, in the functions in it as well."""
    own = set(_bound_by(tree)[0])
    found: set[str] = set()
    for node in tree.body:
        for part in gast.walk(node):
            if isinstance(part, gast.Lambda) and getattr(part, "local", None) is not None:
                found |= part.local.captured | {n for d in part.local.defaults.values()
                                                for n in syntax.read_names(d)}
        found |= {n.id for n in gast.walk(node) if isinstance(n, gast.Name)
                  and isinstance(n.ctx, gast.Load)}
    inner = {p for node in tree.body for part in gast.walk(node) if isinstance(part, gast.Lambda)
             for p in syntax.parameter_names(part.args)}
    return found - own - inner


def _is_wraps(node: gast.expr) -> bool:
    """`functools.wraps(g)` changes what a function is called, not what it computes."""
    return isinstance(node, gast.Call) and (
        getattr(node.func, "attr", None) == "wraps" or getattr(node.func, "id", None) == "wraps")


def _blocks(node: gast.AST) -> list[list[gast.stmt]]:
    found = list(syntax.blocks_of(node))
    found += [case.body for case in getattr(node, "cases", ())]
    return found


def _heads(node: gast.AST) -> list[gast.AST]:
    return [*getattr(node, "items", ()), *getattr(node, "cases", ())]
