"""Short functions written out where they are called: a call of Python costs as much as five sums.

    k, saved = rates_fwd(x, rho)                t_2 = rho - x
                                                k, saved = x * t_2, (x, t_2)
    ...                                 =>      ...
    bx, brho = rates_bwd(saved, bk)             x_1, t_2_1 = saved
                                                bt_2 = bk * x_1
                                                bx, brho = bk * t_2_1 - bt_2, bt_2

It is done to what is compiled, never to the text: who writes a helper wants to read its derivative
once. The statements keep their lines, so a traceback shows the line of the helper.
"""
from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from tangent_lite.nodes import all_nodes, copy_of_ast
from tangent_lite.transform import Unit

LONGEST = 60            # statements of what is written out: the call of a longer one costs nothing
MOST = 600              # statements that are added to one function
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.ListComp,
          ast.SetComp, ast.DictComp, ast.GeneratorExp)
LOOPS = (ast.For, ast.While)
External = dict[str, Any]


def write_out_calls(units: list[Unit], definitions: dict[str, ast.FunctionDef]) \
        -> dict[str, External]:
    """Write short functions out in those that call them, whose trees are changed in place.

    units: callees first. What each function knows beside its module then, by its name.
    """
    known = {unit.name: dict(unit.external) for unit in units}
    for unit in units:
        if any(isinstance(thing, Unit) for thing in unit.external.values()):
            _Caller(unit, definitions, known).run()
    return known


class _Caller:
    """One function, in which calls are written out."""

    def __init__(self, unit: Unit, definitions: dict[str, ast.FunctionDef],
                 known: dict[str, External]) -> None:
        self.unit, self.definitions, self.known = unit, definitions, known
        self.tree, self.external = definitions[unit.name], known[unit.name]
        self.bound = _bound(self.tree) | {a.arg for a in _parameters(self.tree)}
        self.taken = _names_in(self.tree) | self.bound \
            | set(self.external) | set(unit.source.cells)
        self.added = 0
        self.gone: dict[str, None] = {}             # names of what is written out

    def run(self) -> None:
        if any(isinstance(n, (*SCOPES, ast.Try, ast.With)) for n in all_nodes(*self.tree.body)):
            return
        self.tree.body = self.block(self.tree.body, False)
        if self.gone:
            # Who reads the text again finds in the closure what the names in it mean.
            names: list[ast.expr] = [ast.Name(name, ast.Load()) for name in self.gone]
            kept = ast.If(ast.Constant(False), [ast.Expr(ast.Tuple(names, ast.Load()))], [])
            place = len(self.tree.body) - len(_body(self.tree))     # behind the docstring
            self.tree.body.insert(place, ast.fix_missing_locations(
                ast.copy_location(kept, self.tree.body[0])))

    def block(self, body: list[ast.stmt], repeats: bool, inside: tuple[str, ...] = ()) \
            -> list[ast.stmt]:
        """inside: the functions that the statements come from."""
        made: list[ast.stmt] = []
        for node in body:
            for field in ("body", "orelse"):
                inner = getattr(node, field, None)
                if inner:
                    setattr(node, field, self.block(
                        inner, repeats or isinstance(node, LOOPS), inside))
            callee = self.callee(node, repeats, inside)
            if callee is None:
                made.append(node)
            else:
                # In a loop, what branches is written out as well.
                made += self.block(self.taken_out(node, callee), repeats,
                                   (*inside, callee.name))
        return made

    def callee(self, node: ast.stmt, repeats: bool, inside: tuple[str, ...]) \
            -> ast.FunctionDef | None:
        """The function that `a, b = f(x)` calls, or `a += f(x)`, or `a = b + f(x)`, if it may stand
        there."""
        call = _call_of(node)
        if call is None:
            return None
        unit = self.external.get(call.func.id)
        if not isinstance(unit, Unit) or unit is self.unit or unit.name in inside \
                or call.func.id in self.bound:
            return None
        tree = self.definitions[unit.name]
        size = sum(isinstance(n, ast.stmt) for n in all_nodes(tree))
        if size > LONGEST or self.added + size > MOST or not _is_plain(tree, repeats) \
                or call.keywords or len(call.args) != len(tree.args.args) \
                or any(isinstance(n, (ast.Starred, ast.NamedExpr)) for n in all_nodes(call)) \
                or not self.means_the_same(unit, tree):
            return None
        self.added += size
        self.gone.setdefault(call.func.id)
        return tree

    def means_the_same(self, unit: Unit, tree: ast.FunctionDef) -> bool:
        """Whether what a function reads from outside has that name here, too, or can get it."""
        if unit.source.globals is not self.unit.source.globals:
            return False
        external, cells = self.known[unit.name], unit.source.cells
        own = _bound(tree) | {a.arg for a in _parameters(tree)}
        read = _names_in(tree) - own
        more: External = {}
        for name in read:
            if name in external:
                thing = external[name]
                if thing is unit:
                    return False                # it calls itself
                if name not in self.taken:
                    more[name] = thing
                elif name in self.bound or self.external.get(name) is not thing:
                    return False
            elif name in self.bound or name in self.external \
                    or self.unit.source.cells.get(name) is not cells.get(name):
                return False
        self.external.update(more)
        self.taken |= read                      # no variable of the next one is called like it
        return True

    def fresh(self, wish: str) -> str:
        name, number = wish, 0
        while name in self.taken:
            number += 1
            name = f"{wish}_{number}"
        self.taken.add(name)
        self.bound.add(name)
        return name

    def taken_out(self, node: Any, tree: ast.FunctionDef) -> list[ast.stmt]:
        """The body of a function, and behind it the statement that calls it, with what it returns.
        """
        call = _call_of(node)
        if isinstance(node, ast.Assign) and node.value is call:
            return self.written_out(node, tree)
        name = self.fresh(f"{next(_names(node))}_1")
        body = self.written_out(_assign(ast.Name(name, ast.Store()), call, node), tree)
        value: ast.expr = ast.Name(name, ast.Load())
        if isinstance(body[-1], ast.Assign) and getattr(body[-1].targets[0], "id", "") == name:
            value = body[-1].value
            body.pop()
        owner = node if node.value is call else node.value
        field = next(f for f in ("value", "left", "right") if getattr(owner, f, None) is call)
        setattr(owner, field, value)
        return [*body, ast.fix_missing_locations(node)]

    def written_out(self, node: Any, tree: ast.FunctionDef) -> list[ast.stmt]:
        call = node.value
        assert isinstance(call, ast.Call)
        body = copy_of_ast(_body(tree))
        own = _bound(tree)
        last = body.pop()
        assert isinstance(last, ast.Return) and last.value is not None
        parts = _pairs(node.targets[0], last.value)
        read = _names_in(*call.args)
        names = _names_of_results(parts, own - {a.arg for a in tree.args.args}, read)
        made: list[ast.stmt] = []
        for parameter, value in zip(tree.args.args, call.args):
            if isinstance(value, ast.Name) and parameter.arg not in own:
                names[parameter.arg] = value.id
            else:
                names[parameter.arg] = self.fresh(parameter.arg)
                made.append(_assign(ast.Name(names[parameter.arg], ast.Store()), value, node))
        for name in sorted(own - set(names)):
            names[name] = self.fresh(name)
        rename = _Renamed(names)
        made += [rename.visit(one) for one in body]
        parts = [(target, rename.visit(value)) for target, value in parts]
        parts = [(target, value) for target, value in parts if not (
            isinstance(target, ast.Name) and isinstance(value, ast.Name)
            and target.id == value.id)]
        made += _bindings(parts, last)
        return made or [ast.copy_location(ast.Pass(), node)]    # x = itself(x)


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if node.id in self.names:
            node = ast.copy_location(ast.Name(self.names[node.id], node.ctx), node)
        return node


def _call_of(node: Any) -> Any:
    """The call of something with a name that makes the value of a statement, or that is added to
    what has a name."""
    if not ((isinstance(node, ast.Assign) and len(node.targets) == 1)
            or (isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name))):
        return None
    value: Any = node.value
    if isinstance(value, ast.BinOp):
        value = next((one for one, other in ((value.left, value.right), (value.right, value.left))
                      if isinstance(one, ast.Call) and isinstance(other, ast.Name)), None)
    return value if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else None


# Trees --------------------------------------------------------------------------------------------
def _parameters(tree: ast.FunctionDef) -> list[ast.arg]:
    given = tree.args
    return [*given.posonlyargs, *given.args, *given.kwonlyargs,
            *filter(None, (given.vararg, given.kwarg))]


def _bound(tree: ast.FunctionDef) -> set[str]:
    """Names that the statements of a function bind."""
    return {n.id for n in all_nodes(*tree.body)
            if n.__class__ is ast.Name and n.ctx.__class__ is not ast.Load}


def _names_in(*trees: ast.AST) -> set[str]:
    return {n.id for n in all_nodes(*trees) if n.__class__ is ast.Name}


def _body(tree: ast.FunctionDef) -> list[ast.stmt]:
    first = tree.body[0]
    has_words = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return tree.body[1:] if has_words else tree.body


def _is_plain(tree: ast.FunctionDef, repeats: bool) -> bool:
    """Whether a function takes its arguments by position, and returns at its end and there only.

    What loops takes longer than its call; names that are bound in branches are not forgotten in
    straight code (see freeing.py): there, what branches is called.
    """
    given = tree.args
    if given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg or given.defaults:
        return False
    refused = (*SCOPES, *LOOPS, ast.Try, ast.With, ast.Global, ast.Nonlocal, ast.Delete,
               ast.NamedExpr, *(() if repeats else (ast.If,)))
    nodes = all_nodes(*tree.body)
    returns = [n for n in nodes if isinstance(n, ast.Return)]
    return not any(isinstance(n, refused) for n in nodes) and returns == tree.body[-1:] \
        and returns[0].value is not None


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """What each name is bound to, where tuples are written on both sides."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) \
            and len(target.elts) == len(value.elts) \
            and not any(isinstance(e, ast.Starred) for e in (*target.elts, *value.elts)):
        return [pair for t, v in zip(target.elts, value.elts) for pair in _pairs(t, v)]
    return [(target, value)]


def _names_of_results(parts: list[tuple[ast.expr, ast.expr]], own: set[str], read: set[str]) \
        -> dict[str, str]:
    """Variables of the callee that can have the name of what they become: `return y` in `z = f(x)`.

    Not if the arguments read that name: it is bound before they are used for the last time.
    """
    targets = [t.id for t, _ in parts if isinstance(t, ast.Name)]
    names: dict[str, str] = {}
    for target, value in parts:
        if isinstance(target, ast.Name) and isinstance(value, ast.Name) and value.id in own \
                and value.id not in names and target.id not in read \
                and targets.count(target.id) == 1:
            names[value.id] = target.id
    return names


def _bindings(parts: list[tuple[ast.expr, ast.expr]], place: ast.stmt) -> list[ast.stmt]:
    """The statements that bind names to values, one by one where no value reads an earlier name."""
    bound: set[str] = set()
    for target, value in parts:
        if bound & set(_names(value)) or (len(parts) > 1 and not isinstance(target, ast.Name)):
            left = ast.Tuple([t for t, _ in parts], ast.Store())
            right = ast.Tuple([v for _, v in parts], ast.Load())
            return [_assign(left, right, place)]
        bound.update(_names(target))
    return [_assign(target, value, place) for target, value in parts]


def _names(node: ast.AST) -> Iterator[str]:
    return (n.id for n in all_nodes(node) if n.__class__ is ast.Name)


def _assign(target: ast.expr, value: ast.expr, place: ast.stmt) -> ast.stmt:
    return ast.fix_missing_locations(ast.copy_location(ast.Assign([target], value), place))
