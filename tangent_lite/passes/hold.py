"""Read what a call may bind anew where Python reads it: in front of the call.

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(x):
...     return c * add(x)
... ''').body[0]
>>> print(emit(hold(tree, {"c"})), end="")
def f(x):
    return (c_1 := c) * add(x)

>>> tree = gast.parse("def f(x): return state.k * state.next(x)").body[0]
>>> print(emit(hold(tree, set(), is_object={"state"}.__contains__)), end="")
def f(x):
    return (k := state.k) * state.next(x)

A function defined inside may bind a variable of the function around it (nonlocal), and its body is
written out in front of the statement with the call. A name is read there, and no later, only if it
is bound to another one first. So such a read becomes a walrus, which `desugar` moves in front
together with all that is evaluated before it. So does that of an attribute of an object from
outside, which a call may set: else such a path has no name of its own. This pass runs before
anything moves.
"""
from __future__ import annotations

from collections.abc import Callable

import gast

from tangent_lite import syntax
from tangent_lite.analyses.operands import at, operands, put
from tangent_lite.analyses.short_forms import COMPUTING, may_rebind, runs_others
from tangent_lite.names import Names
from tangent_lite.syntax import COMPREHENSIONS, store


def hold(tree: gast.FunctionDef, rebound: set[str] | frozenset[str], names: Names | None = None,
         is_object: Callable[[str], bool] = lambda name: False) -> gast.FunctionDef:
    """The tree, changed in place; rebound: the names that calls may bind anew; is_object: whether
    a name means an object from outside, of which calls may set attributes."""
    objects = {root.id for node in syntax.all_of(tree, gast.Attribute) if isinstance(
        root := node.value, gast.Name) and is_object(root.id)}
    if rebound or objects:
        writer = _Hold(rebound, objects, names or Names(syntax.all_names(tree)))
        for node in syntax.statements(tree.body):
            writer.statement(node)
    return tree


class _Hold:
    def __init__(self, rebound: set[str] | frozenset[str], objects: set[str],
                 names: Names) -> None:
        self.rebound, self.objects, self.names = rebound, objects, names

    def statement(self, node: gast.stmt) -> None:
        if isinstance(node, gast.Assign):
            node.value = self.expression(node.value, any(map(may_rebind, node.targets)))
            for target in node.targets:
                self.target(target, False)
        elif isinstance(node, gast.AugAssign):
            # What stands at the target is read first; `desugar` knows of that.
            self.target(node.target, may_rebind(node.value))
            node.value = self.expression(node.value, False)
        elif isinstance(node, gast.Delete):
            for target in node.targets:
                self.target(target, False)
        elif not isinstance(node, gast.Raise):
            for field in ("value", "test", "iter"):
                if isinstance(getattr(node, field, None), gast.expr):
                    setattr(node, field, self.expression(getattr(node, field), False))

    def target(self, node: gast.expr, later: bool) -> None:
        """The owner and the index of what is written to."""
        if isinstance(node, gast.Subscript):
            node.value = self.expression(node.value, later or may_rebind(node.slice))
            if isinstance(node.slice, gast.Slice):
                self.operands(node.slice, later)
            else:
                node.slice = self.expression(node.slice, later)
        elif isinstance(node, gast.Attribute):
            node.value = self.expression(node.value, later)
        elif isinstance(node, (gast.Tuple, gast.List)):
            for part in node.elts:
                self.target(part, later)

    def expression(self, node: gast.expr, later: bool) -> gast.expr:
        """The expression; later: whether a call runs in the statement after it was evaluated."""
        if isinstance(node, gast.Name):
            return self.held(node, node.id) if later and node.id in self.rebound else node
        if later and isinstance(node, gast.Attribute) and self.is_of_object(node):
            return self.held(node, node.attr)
        if isinstance(node, gast.Lambda):
            return node                         # reads when it is called
        if isinstance(node, tuple(COMPREHENSIONS)):
            # A generator reads when it is asked, all others where they stand.
            if later and not isinstance(node, gast.GeneratorExp) \
                    and self.rebound & syntax.read_names(node):
                return self.held(node, "parts")
            return node
        self.operands(node, later)
        if later and isinstance(node, gast.NamedExpr) and node.target.id in self.rebound:
            return self.held(node, node.target.id)
        return node

    def operands(self, node: gast.expr, later: bool) -> None:
        called = isinstance(node, gast.Call) and isinstance(node.func, gast.Name)
        if called and node.func.id in COMPUTING and runs_others(node):
            later = True                        # max(c, x, key=h) compares when h was called
        after = later
        for spot in reversed(operands(node)):
            part = at(*spot)
            if called and spot[0] is node:      # called when its arguments are known
                after = any(may_rebind(at(*s)) for s in operands(node)[1:])
            if spot == (node, "func") and isinstance(part, gast.Attribute):
                self.operands(part, after)      # a method is that of its object
            else:
                put(*spot, self.expression(part, after))
            after = after or may_rebind(part)

    def is_of_object(self, node: gast.expr) -> bool:
        """Whether an expression is a path of attributes that starts at an object from outside."""
        while isinstance(node, gast.Attribute):
            node = node.value
        return isinstance(node, gast.Name) and node.id in self.objects

    def held(self, node: gast.expr, wish: str) -> gast.expr:
        made = gast.NamedExpr(store(self.names.fresh(wish)), node)
        made.is_held = True
        gast.copy_location(made.target, node)
        return gast.copy_location(made, node)
