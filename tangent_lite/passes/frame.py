"""Keep what the backward pass needs to repeat the control flow.

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(x, n):
...     while x < n:
...         if x > 3:
...             x = x * x
...         n = n + 1
... ''').body[0]
>>> print(emit(frame(tree)), end="")
def f(x, n):
    n_steps = 0
    while x < n:
        n_steps += 1
        cond = x > 3
        if cond:
            x = x * x
        n = n + 1

A condition is named unless it reads only what never changes. Loops that may stop early count their
steps. The bounds of a range that the loop rebinds are named. What turns out not to be needed is
removed by `tidy`.
"""
from __future__ import annotations

import gast

from tangent_lite import syntax
from tangent_lite.analyses.liveness import bound_in, definitions
from tangent_lite.analyses.mentions import head
from tangent_lite.analyses.writers import CHANGING
from tangent_lite.markers import has_marks, way_of
from tangent_lite.names import Names
from tangent_lite.syntax import assign, load, read_names

SHAPES = {"shape", "ndim", "size", "dtype"}


def frame(tree: gast.FunctionDef, names: Names | None = None) -> gast.FunctionDef:
    """Return a tree with counters and named conditions; `names` are those taken."""
    tree = syntax.copy(tree)
    framing = _Frame(names or Names(syntax.all_names(tree)), tree)
    tree.body = framing.block(tree.body, frozenset(framing.stable))
    return tree


class _Frame:
    def __init__(self, names: Names, tree: gast.FunctionDef) -> None:
        self.names = names
        counts: dict[str, int] = {}
        looped: set[str] = set()
        self.writes = False
        self.calls = False
        self.changing: set[str] = set()         # names of what is changed by a method
        self.enters = has_marks(tree.body)      # what is entered may change attributes
        self._count(tree.body, False, counts, looped)
        parameters = set(syntax.parameter_names(tree.args))
        self.stable = {n for n in parameters if n not in counts} \
            | {n for n, c in counts.items() if c == 1 and n not in looped and n not in parameters}
        self.variables = parameters | set(counts)

    def _count(self, block: list[gast.stmt], in_loop: bool, counts: dict[str, int],
               looped: set[str]) -> None:
        for node in block:
            self._note_calls(head(node))
            if isinstance(node, (gast.For, gast.While)):
                if isinstance(node, gast.For):
                    for name in syntax.bound_names(node.target):
                        counts[name] = counts.get(name, 0) + 1
                        looped.add(name)
                self._count(node.body, True, counts, looped)
            elif isinstance(node, gast.If):
                self._count(node.body, in_loop, counts, looped)
                self._count(node.orelse, in_loop, counts, looped)
            else:
                if isinstance(node, (gast.AugAssign, gast.Expr, gast.Delete)) or (
                        isinstance(node, gast.Assign)
                        and not isinstance(node.targets[0], (gast.Name, gast.Tuple))):
                    self.writes = True
                for name in definitions(node):
                    counts[name] = counts.get(name, 0) + (2 if isinstance(node, gast.AugAssign)
                                                          else 1)
                    if in_loop:
                        looped.add(name)

    def _note_calls(self, node: gast.AST) -> None:
        """Note what is changed by methods of which the names say so (`seen.add(k)`)."""
        for call in syntax.all_of(node, gast.Call):
            self.calls = True
            if isinstance(call.func, gast.Attribute) and call.func.attr in CHANGING:
                self.changing.add(syntax.root_name(call.func.value) or "")

    def rewritable(self, test: gast.expr, known: frozenset[str]) -> bool:
        """Whether a condition says the same when it is evaluated again in the backward pass."""
        for part in syntax.walk(test):
            if isinstance(part, gast.Call) and not (isinstance(part.func, gast.Name)
                                                    and part.func.id in ("abs", "len",
                                                                         "isinstance")):
                return False
            if isinstance(part, gast.Call) and part.func.id == "len" and self.writes:
                return False
            if isinstance(part, (gast.Subscript, gast.NamedExpr)) and (
                    self.writes or isinstance(part, gast.NamedExpr)):
                return False
            if isinstance(part, gast.Attribute) and self.enters and part.attr not in SHAPES:
                return False
            if isinstance(part, gast.Compare) and (self.calls or self.writes) and any(
                    isinstance(op, (gast.In, gast.NotIn)) and not self.variables.isdisjoint(
                        read_names(asked)) for op, asked in zip(part.ops, part.comparators)):
                return False            # what a container holds may be something else by then
        names = read_names(test)
        return self.changing.isdisjoint(names) \
            and all(n in known or n not in self.variables for n in names)

    def block(self, block: list[gast.stmt], known: frozenset[str]) -> list[gast.stmt]:
        out: list[gast.stmt] = []

        def add(node: gast.stmt, place: gast.stmt) -> None:
            out.append(syntax.placed(node, place))

        for node in block:
            if isinstance(node, gast.If):
                if way_of(node) is None and not self.rewritable(node.test, known):
                    name = self.names.fresh("cond")
                    add(assign(name, node.test), node)
                    node.test = syntax.copy_place(load(name), node)
                node.body = self.block(node.body, known)
                node.orelse = self.block(node.orelse, known)
            elif isinstance(node, (gast.For, gast.While)):
                self.loop(node, known, add)
                continue
            out.append(node)
        return out

    def loop(self, node: gast.For | gast.While, known: frozenset[str], add) -> None:
        counted = isinstance(node, gast.While) or syntax.may_leave(node.body)
        inner = known
        if isinstance(node, gast.For):
            bound = bound_in(node.body)
            for number, argument in enumerate(node.iter.args):
                if read_names(argument) & (bound | {node.target.id}) \
                        or not (self.rewritable(argument, known) or syntax.is_atom(argument)):
                    name = self.names.fresh(("stop", "stop", "step")[number]
                                            if len(node.iter.args) == 1 or number else "start")
                    add(assign(name, argument), node)
                    node.iter.args[number] = syntax.copy_place(load(name), node)
            inner = known | {node.target.id}
        node.body = self.block(node.body, inner)
        if counted:
            name = self.names.fresh("n_steps")
            add(assign(name, gast.Constant(0, None)), node)
            step = syntax.augment(name, "+", gast.Constant(1, None))
            node.body.insert(0, syntax.placed(step, node))
            node.n_steps = name
        add(node, node)
