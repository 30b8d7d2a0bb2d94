"""Compute the same thing once: common subexpressions of the forward pass.

>>> import numpy as np
>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import NO_OBJECT, Typer
>>> from tangent_lite.kinds import FLOAT
>>> from tangent_lite.passes.infer import infer
>>> tree = gast.parse('''
... def f(x):
...     t = np.exp(x)
...     t_1 = np.exp(x)
...     t_2 = np.sin(t_1)
...     return t_2
... ''').body[0]
>>> typer = Typer({}, {"np": np}.get)
>>> facts = infer(tree, {"x": FLOAT}, typer)
>>> share(tree, facts, typer, written=lambda name: False, kept={"x"})
>>> print(emit(tree), end="")
def f(x):
    t = np.exp(x)
    t_2 = np.sin(t)
    return t_2

Only operations without effects on names that are bound once take part, so that the same text means
the same value, and elements of arrays; arrays that are written to, or handed out, do not. Of a part
that is multiplied by itself (`x[i:] @ x[i:]`) there is one view, be the array written or not.
"""
from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import kinds, registry, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.mentions import head
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.markers import marker_of
from tangent_lite.syntax import COMPOUND


def share(tree: gast.FunctionDef, facts: Inferred, typer: Typer, written: Callable[[str], bool],
          kept: frozenset[str] | set[str],
          handed_out: Callable[[str], bool] = lambda name: False) -> None:
    """Let later statements use what earlier ones computed; the tree and the facts are changed.

    written: whether an array may be changed in place; kept: names of the user, which stay;
    handed_out: whether the result may hold it: whoever gets that may write to one of two arrays.
    """
    _squares(tree, facts, kept)
    _Share(tree, facts, typer, written, kept, handed_out).block(tree.body, {})


def _squares(tree: gast.FunctionDef, facts: Inferred, kept: frozenset[str] | set[str]) -> None:
    """`-x * x` as the negative of a square, of floats and arrays of them, where both are the same
    to the bit: so the slope is `-2.0 * x`."""
    pairs = [(first, second) for block in syntax.all_blocks(tree)
             for first, second in itertools.pairwise(block)
             if isinstance(getattr(first, "value", None), gast.UnaryOp)
             and _is_square_of_minus(first, second)]
    if not pairs:
        return
    counts = Counter(node.id for node in syntax.names_in(tree))
    for first, second in pairs:
        name, minus = first.targets[0].id, first.value
        if name in kept or counts[name] != 2 \
                or not _is_float(facts.before[id(first)].get(minus.operand.id)):
            continue
        first.value = gast.copy_location(gast.BinOp(
            minus.operand, gast.Mult(), syntax.copy(minus.operand)), minus)
        second.value = gast.copy_location(gast.UnaryOp(gast.USub(), second.value.left),
                                          second.value)
        for node in (first, second):
            facts.mentions.rewritten(node)


def _is_square_of_minus(first: Any, second: Any) -> bool:
    """Whether two statements are `m = -x` and `t = m * x`."""
    if not isinstance(first, gast.Assign) or not isinstance(second, gast.Assign) \
            or not isinstance(first.targets[0], gast.Name):
        return False
    minus, product = first.value, second.value
    return isinstance(minus, gast.UnaryOp) and isinstance(minus.op, gast.USub) \
        and isinstance(minus.operand, gast.Name) and isinstance(product, gast.BinOp) \
        and isinstance(product.op, gast.Mult) and isinstance(product.left, gast.Name) \
        and product.left.id == first.targets[0].id and syntax.same(product.right, minus.operand)


def _is_float(kind: Any) -> bool:
    return (isinstance(kind, kinds.Number) and kind.type == "float"
            and kinds.value_of(kind) is kinds.NO_VALUE) or (
        isinstance(kind, kinds.Array) and kind.dtype == "float")


class _Share:
    def __init__(self, tree: gast.FunctionDef, facts: Inferred, typer: Typer,
                 written: Callable[[str], bool], kept: frozenset[str] | set[str],
                 handed_out: Callable[[str], bool]) -> None:
        self.facts, self.typer, self.written, self.kept = facts, typer, written, kept
        self.handed_out = handed_out
        self.bound: dict[str, int] = {}
        self.written_by: set[str] = set()           # names that elements are put in through
        self.multiplied: set[tuple[str, str]] = set()       # what is multiplied with what
        for node in syntax.statements(tree.body):
            if isinstance(node, gast.Assign):
                self.multiplied.add(self.factors(node.value))
            if isinstance(target := syntax.target_of(node), (gast.Subscript, gast.Attribute)):
                self.written_by.update(syntax.written_roots(target))
            if isinstance(node, gast.For):
                # In an iteration the counter of a loop stays, if nothing else binds it.
                for name in syntax.bound_names(node.target):
                    self.bound[name] = self.bound.get(name, 0) + 1
            elif isinstance(node, (gast.Assign, gast.AugAssign)):
                for name in facts.mentions[node].binds:
                    self.bound[name] = self.bound.get(name, 0) + (
                        2 if isinstance(node, gast.AugAssign) else 1)
        self.parameters = set(syntax.parameter_names(tree.args))
        self.instead: dict[str, str] = {}           # a name -> the earlier one with its value

    def block(self, block: list[gast.stmt], known: dict[Any, str]) -> None:
        """Walk a block; known: the names of values, by what computes them."""
        out: list[gast.stmt] = []
        views: dict[Any, str] = {}              # of arrays that are written, up to the next write
        elements: dict[Any, str] = {}           # numbers in lists, likewise
        for node in block:
            self.replace(node)
            if marker_of(node) is not None:
                known.clear()                   # computed there, it may warn or fail otherwise
            if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name) \
                    or isinstance(node.value, gast.Call):
                views.clear()
                if not self.is_pure_call(node):
                    elements.clear()
            if isinstance(node, COMPOUND):
                self.block(node.body, dict(known))
                self.block(node.orelse, dict(known))
            elif isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
                name = node.targets[0].id
                values = known if self.can_share(node) else views if self.is_view(node) \
                    else elements if self.is_element(node) else {}
                earlier = values.setdefault(syntax.key(node.value), name)
                if earlier != name and name not in self.kept \
                        and (values is not views or (earlier, name) in self.multiplied):
                    self.instead[name] = earlier
                    continue
            out.append(node)
        block[:] = out or ([gast.Pass()] if block else [])

    def replace(self, node: gast.stmt) -> None:
        """Read earlier names in a statement (in the head of a compound)."""
        if self.instead.keys().isdisjoint(self.facts.mentions[node].names):
            return
        before = self.facts.before.get(id(node), {})
        for name in syntax.names_in(head(node)):
            if name.id in self.instead and isinstance(name.ctx, gast.Load):
                if name.id in before:
                    before[self.instead[name.id]] = before[name.id]
                name.id = self.instead[name.id]
        self.facts.mentions.rewritten(node)

    def can_share(self, node: gast.Assign) -> bool:
        value = node.value
        name = node.targets[0].id
        if self.bound.get(name) != 1 or name in self.parameters or self.written(name):
            return False
        if any(not self.stays(operand) or self.written(operand)
               for operand in self.facts.mentions[node].reads):
            return False
        if self.handed_out(name) and not isinstance(
                self.facts.after[id(node)].get(name), kinds.Number):
            return False
        if isinstance(value, (gast.BinOp, gast.UnaryOp)):
            return isinstance(self.facts.after[id(node)].get(name),
                              (kinds.Number, kinds.Array, kinds.Numeric))
        if isinstance(value, gast.Subscript):
            return self.is_part(node, kinds.Number)
        if not isinstance(value, gast.Call):
            return False
        function, _ = self.facts.callees.get(id(value), (NO_OBJECT, None))
        entry = registry.lookup(function) if function is not NO_OBJECT else None
        return entry is not None and entry.pure and not entry.writes and entry.view == "never" \
            and (entry.adjoint is not None or entry.constant) and isinstance(
                self.facts.after[id(node)].get(name), (kinds.Number, kinds.Array, kinds.Numeric)) \
            and not any(k.arg == "out" for k in value.keywords)

    def is_view(self, node: gast.Assign) -> bool:
        """Whether a statement gives a name, to read by, to a part of an array, which shows whatever
        is written into that: so does another such name."""
        if not isinstance(node.value, gast.Subscript) or not self.is_part(node, kinds.Array):
            return False
        name = node.targets[0].id
        self.typer.names = self.facts.before[id(node)]
        return self.typer.index_class(node.value.slice) == "basic" and not self.handed_out(name) \
            and name not in self.written_by \
            and self.bound.get(name) == 1 and name not in self.parameters \
            and all(map(self.stays, self.facts.mentions[node].reads))

    def is_element(self, node: gast.Assign) -> bool:
        """Whether a statement takes a number out of a list, where there may be another one
        once that is written to."""
        name = node.targets[0].id
        return isinstance(node.value, gast.Subscript) \
            and self.is_part(node, kinds.Number, kinds.ListKind) \
            and self.bound.get(name) == 1 and name not in self.parameters \
            and all(map(self.stays, self.facts.mentions[node].reads))

    def is_pure_call(self, node: gast.stmt) -> bool:
        """Whether a statement gives a name to what a function with a rule returns, and no more."""
        if not isinstance(node, gast.Assign) or not isinstance(node.value, gast.Call) \
                or not isinstance(node.targets[0], gast.Name):
            return False
        function, _ = self.facts.callees.get(id(node.value), (NO_OBJECT, None))
        entry = registry.lookup(function) if function is not NO_OBJECT else None
        return entry is not None and entry.pure and not entry.writes \
            and not any(k.arg == "out" for k in node.value.keywords)

    def stays(self, name: str) -> bool:
        """Whether a name is bound to one thing, in an iteration."""
        return not self.bound.get(name) if name in self.parameters \
            else self.bound.get(name, 1) == 1

    def is_part(self, node: gast.Assign, of: Any, out_of: Any = kinds.Array) -> bool:
        """Whether a statement takes a part of this kind out of an array."""
        owner = getattr(node.value.value, "id", "")
        return isinstance(self.facts.before[id(node)].get(owner), out_of) \
            and isinstance(self.facts.after[id(node)].get(node.targets[0].id), of)

    def factors(self, value: gast.expr) -> tuple[str, str]:
        """The names of the two that a product is one of, or that a pure function takes."""
        both: list[gast.expr] = []
        if isinstance(value, gast.BinOp) and isinstance(value.op, (gast.Mult, gast.MatMult)):
            both = [value.left, value.right]
        elif isinstance(value, gast.Call) and len(value.args) == 2:
            function, _ = self.facts.callees.get(id(value), (NO_OBJECT, None))
            entry = registry.lookup(function) if function is not NO_OBJECT else None
            both = value.args if entry is not None and entry.pure and not entry.writes else []
        first, second = [getattr(one, "id", "") for one in both] or ("", "")
        return first, second
