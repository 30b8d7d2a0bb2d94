"""Which function a name belongs to, and which variables several functions see."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from tangent_lite import syntax

FUNCTIONS = (gast.FunctionDef, gast.Lambda)
COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


def own_nodes(tree: gast.AST) -> Iterator[gast.AST]:
    """The nodes of a function without those of the functions in it (but with their defaults)."""
    todo: list[gast.AST] = list(tree.body) if isinstance(tree.body, list) else [tree.body]
    while todo:
        node = todo.pop()
        yield node
        if isinstance(node, FUNCTIONS):
            todo += [*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None),
                     *getattr(node, "decorator_list", [])]
        else:
            todo += gast.iter_child_nodes(node)


def targets(comprehension: gast.expr) -> set[str]:
    """The names that the loops of a comprehension bind."""
    return {n.id for g in comprehension.generators for n in gast.walk(g.target)
            if isinstance(n, gast.Name)}


def local_names(tree: gast.AST) -> set[str]:
    """The variables of a function."""
    found = set(syntax.parameter_names(tree.args))
    outside: set[str] = set()
    hidden: dict[int, set[str]] = {}
    for node in own_nodes(tree):
        found.update(bound_by(node))
        if isinstance(node, (gast.Global, gast.Nonlocal)):
            outside.update(node.names)
        elif isinstance(node, COMPREHENSIONS):
            for generator in node.generators:
                for name in gast.walk(generator.target):
                    hidden[id(name)] = set()
    for node in own_nodes(tree):
        if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load) \
                and id(node) not in hidden:
            found.add(node.id)
    return found - outside


def names_in(tree: gast.AST) -> set[str]:
    """The names that a function itself reads or binds, in whichever way."""
    return {n.id for n in own_nodes(tree) if isinstance(n, gast.Name)} | {
        name for node in own_nodes(tree) for name in bound_by(node)}


def bound_by(node: gast.AST) -> list[str]:
    """The names that a definition or an import binds."""
    if isinstance(node, (gast.FunctionDef, gast.ClassDef)):
        return [node.name]
    if isinstance(node, (gast.Import, gast.ImportFrom)):
        return [(a.asname or a.name.split(".")[0]) for a in node.names]
    return []


def declared(tree: gast.AST, kind: Any) -> set[str]:
    """The names that a function declares global, or nonlocal."""
    return {name for node in own_nodes(tree) if isinstance(node, kind) for name in node.names}


def free_names(tree: gast.AST) -> set[str]:
    """The names that a function, or a function in it, uses and does not bind itself."""
    used = {n.id for n in own_nodes(tree) if isinstance(n, gast.Name)}
    used |= declared(tree, gast.Nonlocal)       # `nonlocal g`, then `def g` or `import m as g`
    for node in own_nodes(tree):
        if isinstance(node, FUNCTIONS):
            used |= free_names(node)
    return used - local_names(tree) - declared(tree, gast.Global)


def captured_names(tree: gast.AST) -> set[str]:
    """The variables of a function that functions in it use."""
    inner: set[str] = set()
    for node in own_nodes(tree):
        if isinstance(node, FUNCTIONS):
            inner |= free_names(node)
    return inner & local_names(tree)


class Celled(gast.NodeTransformer):
    """Write `x.value` for each of some variables; taken: names that mean something already;
    inside: in the functions inside as well; is_outside: whether they belong to a function
    around, or to the module."""

    def __init__(self, names: set[str], taken: set[str], inside: bool = True,
                 is_outside: bool = False) -> None:
        self.names, self.taken, self.inside, self.is_outside = names, taken, inside, is_outside

    def beside(self, name: str, ending: str) -> str:
        """A name for what is bound where only names can be: `a.value` is none."""
        ours = f"{name}_{ending}"
        while {ours, f"{ours}_part"} & self.taken:
            ours += "_"
        return ours

    def visit_Name(self, node: gast.Name) -> gast.expr:
        if node.id not in self.names or isinstance(node.ctx, gast.Param):
            return node
        return gast.copy_location(
            gast.Attribute(gast.copy_location(syntax.load(node.id), node), "value", node.ctx), node)

    def visit_Import(self, node: Any) -> list[gast.stmt]:
        """`import a` binds a name, `a.value` is no name."""
        out: list[gast.stmt] = [node]
        for alias in node.names:
            name = alias.asname or alias.name.split(".")[0]
            if name in self.names and alias.name != "*":
                ours = self.beside(name, "imported")
                alone = gast.copy_location(type(node)(**vars(node)), node)
                whole = "." in alias.name and not alias.asname and isinstance(node, gast.Import)
                alone.names = [gast.alias(name if whole else alias.name, ours)]
                kept = gast.Assign([self.visit(syntax.store(name))], syntax.load(ours), None)
                out += [alone, gast.copy_location(kept, node)]
                if not whole:
                    node.names = [one for one in node.names if one is not alias]
                else:
                    alias.asname = f"{ours}_part"
        return out if node.names else out[1:]

    visit_ImportFrom = visit_Import

    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.stmt | list[gast.stmt]:
        node.args.defaults = [self.visit(d) for d in node.args.defaults]
        node.args.kw_defaults = [d and self.visit(d) for d in node.args.kw_defaults]
        node.decorator_list = [self.visit(d) for d in node.decorator_list]
        if self.inside:
            inner = Celled(self.names - local_names(node), self.taken, is_outside=True)
            node.body = [one for part in node.body for one in _list(inner.visit(part))]
        if not self.is_outside or node.name not in self.names:
            return node
        # `nonlocal g`, then `def g`: the function is what the cell holds
        kept = gast.Assign([self.visit(syntax.store(node.name))],
                           syntax.load(self.beside(node.name, "defined")), None)
        node.name = self.beside(node.name, "defined")
        return [node, gast.copy_location(kept, node)]

    def visit_ExceptHandler(self, node: gast.ExceptHandler) -> gast.ExceptHandler:
        """What is caught goes into the cell, which is empty behind the handler."""
        if node.name is None or node.name.id not in self.names:
            return self.generic_visit(node)
        name, node.name = node.name.id, None
        node = self.generic_visit(node)
        node.name = syntax.store(self.beside(name, "caught"))
        kept = gast.Assign([self.visit(syntax.store(name))], syntax.load(node.name.id), None)
        node.body.insert(0, gast.copy_location(kept, node))
        return node

    def visit_Lambda(self, node: gast.Lambda) -> gast.Lambda:
        node.args.defaults = [self.visit(d) for d in node.args.defaults]
        node.args.kw_defaults = [d and self.visit(d) for d in node.args.kw_defaults]
        if self.inside:
            node.body = Celled(self.names - local_names(node), self.taken,
                               is_outside=True).visit(node.body)
        return node

    def _comprehension(self, node: gast.expr) -> gast.expr:
        first = node.generators[0]
        first.iter = self.visit(first.iter)
        kept = first.iter
        first.iter = gast.Constant(None, None)
        inner = Celled(self.names - targets(node), self.taken, self.inside, self.is_outside)
        inner.generic_visit(node)
        first.iter = kept
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    def visit_Nonlocal(self, node: gast.Nonlocal) -> gast.stmt | None:
        left = [name for name in node.names if name not in self.names]
        if not left:
            return gast.copy_location(gast.Pass(), node)
        node.names = left
        return node


def _list(found: object) -> list:
    if found is None:
        return []
    return found if isinstance(found, list) else [found]


def celled_body(tree: gast.FunctionDef, names: set[str], inside: bool = True,
                is_outside: bool = False) -> None:
    """Write `x.value` for some variables in the body of a function, in place; inside: in those of
    the functions inside as well; is_outside: whether they are not the function's own."""
    inner = Celled(names, syntax.all_names(tree), inside, is_outside)
    tree.body = [one for part in tree.body for one in _list(inner.visit(part))]


def inactive_names(tree: gast.FunctionDef, is_builtin: object) -> set[str]:
    """Variables that never hold what varies: counters, texts, the results of comparisons."""
    candidates = local_names(tree) - set(syntax.parameter_names(tree.args))
    while True:
        bad: set[str] = set()
        for node in own_nodes(tree):
            bad |= _active_bound(node, candidates, is_builtin)
        left = candidates - bad
        if left == candidates:
            return candidates
        candidates = left


def _active_bound(node: gast.AST, inactive: set[str], is_builtin: object) -> set[str]:
    """The names that a statement binds to what may vary."""
    def is_inactive(value: gast.expr) -> bool:
        return never_varies(value, inactive, is_builtin)

    if isinstance(node, gast.Assign):
        found: set[str] = set()
        for target in node.targets:
            found |= _unpacked(target, node.value, is_inactive)
        return found
    if isinstance(node, (gast.AugAssign, gast.AnnAssign, gast.NamedExpr)):
        if isinstance(node.target, gast.Name) and node.value is not None \
                and not is_inactive(node.value):
            return {node.target.id}
        return set()
    if isinstance(node, gast.For):
        if _is_call(node.iter, {"range"}, is_builtin) and isinstance(node.target, gast.Name):
            return set()
        return {n.id for n in gast.walk(node.target) if isinstance(n, gast.Name)}
    if isinstance(node, gast.With):
        return {n.id for item in node.items if item.optional_vars is not None
                for n in gast.walk(item.optional_vars) if isinstance(n, gast.Name)}
    if isinstance(node, gast.FunctionDef):
        return {node.name}
    if isinstance(node, gast.ExceptHandler):
        return {node.name.id} if node.name is not None else set()
    if isinstance(node, (gast.Import, gast.ImportFrom)):
        return set()
    return set()


def _unpacked(target: gast.expr, value: gast.expr, is_inactive: object) -> set[str]:
    if is_inactive(value):                                      # type: ignore[operator]
        return set()
    if isinstance(target, (gast.Tuple, gast.List)) and isinstance(value, (gast.Tuple, gast.List)) \
            and len(target.elts) == len(value.elts) \
            and not any(isinstance(e, gast.Starred) for e in (*target.elts, *value.elts)):
        return {name for t, v in zip(target.elts, value.elts)
                for name in _unpacked(t, v, is_inactive)}
    return {n.id for n in gast.walk(target) if isinstance(n, gast.Name)
            and not isinstance(n.ctx, gast.Load)}


def _is_call(node: gast.expr, names: set[str], is_builtin: object) -> bool:
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Name) \
        and node.func.id in names and is_builtin(node.func.id)  # type: ignore[operator]


def never_varies(value: gast.expr, inactive: set[str], is_builtin: object) -> bool:
    """Whether an expression can only be a constant, a counter, a text or a truth value."""
    def inner(node: gast.expr) -> bool:
        return never_varies(node, inactive, is_builtin)

    if isinstance(value, (gast.Constant, gast.JoinedStr)):
        return True
    if isinstance(value, gast.Name):
        return value.id in inactive
    if isinstance(value, gast.Compare):
        return True
    if isinstance(value, gast.BinOp):
        return inner(value.left) and inner(value.right)
    if isinstance(value, gast.UnaryOp):
        return isinstance(value.op, gast.Not) or inner(value.operand)
    if isinstance(value, gast.BoolOp):
        return all(map(inner, value.values))
    if isinstance(value, gast.IfExp):
        return inner(value.body) and inner(value.orelse)
    return _is_call(value, {"len", "range", "isinstance", "int", "bool", "str", "hasattr",
                            "callable", "id"}, is_builtin)
