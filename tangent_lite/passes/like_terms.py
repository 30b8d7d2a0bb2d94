"""Terms of a sum that are multiples of one product are one term.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import FLOAT
>>> tree = gast.parse('''
... def f(a, r, bz):
...     t = 0.5 * r
...     ar = a * r
...     bs = bz * t + 0.5 * bz * r
...     bar = bz * r
...     br = bz * ar
...     ba = bar * r
...     br += bar * a
...     return ba, br, bs
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno                                     # it is not the user's
>>> names = ["a", "r", "bz", "t", "ar", "bs", "br", "ba", "bar"]
>>> memory = SameMemory(tree.body, ["a", "r", "bz"], Typer({}, {}.get), dict.fromkeys(names, FLOAT))
>>> join_like_terms(tree.body, memory)
>>> print(emit(tree), end="")
def f(a, r, bz):
    t = 0.5 * r
    ar = a * r
    bs = bz * r
    bar = bz * r
    ba = bar * r
    br = 2.0 * bar * a
    return ba, br, bs

So the adjoint of `a * r * r`, which Python reads as `(a * r) * r`, is `2.0 * bar * a`, and nothing
of the forward pass is kept for it. Which products are alike is told by the values of the names in
them (`analyses.values`); what is written is one of the terms as it stood, the one that takes the
fewest operations, with another number in front. What one block adds to a number, or to an array, in
several statements is a sum as well, if nothing in between reads it.
"""
from __future__ import annotations

import functools
from collections import Counter
from dataclasses import dataclass
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.mentions import Mentions
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.analyses.values import Product, Products, bound_name, number_of
from tangent_lite.markers import is_attempt
from tangent_lite.once import may_be_one
from tangent_lite.syntax import COMPOUND, binary, constant


def join_like_terms(body: list[gast.stmt], memory: SameMemory,
                    mentions: Mentions | None = None) -> None:
    """Join them in place in the statements of ours. memory: which names may hold the same, and
    kinds; mentions: what the statements mention, which changes here."""
    _Joiner(body, memory, Mentions() if mentions is None else mentions).block(body, False)


@dataclass
class _Term:
    """One term of a sum; sign, value: as it stands there, None for nothing; product: what it is
    one of where it stands, if it may be joined."""
    sign: float
    value: Any
    product: Any = None


@dataclass
class _Sum:
    """A statement that adds to a name, or binds it to a sum."""
    node: Any
    name: str
    terms: list[_Term]

    @property
    def is_bound(self) -> bool:
        return isinstance(self.node, gast.Assign)


class _Joiner:
    def __init__(self, body: list[gast.stmt], memory: SameMemory, mentions: Mentions) -> None:
        self.body, self.memory, self.mentions = body, memory, mentions
        self.values = Products(memory, mentions)
        # The value of a name -> what it is short for, and the values of the names in that.
        self.defined: dict[int, tuple[gast.expr, list[tuple[str, int]]]] = {}
        self.arrays: set[str] = set()                   # names of sums that may wait
        self.added_to = {node.target.id for node in syntax.every_statement(body)
                         if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name)}

    @functools.cached_property
    def uses(self) -> Counter[str]:
        """How often names are read. Few bodies have anything that it is asked of."""
        return Counter([name.id for node in self.body for name in syntax.names_in(node)
                        if isinstance(name.ctx, gast.Load)])

    # The walk ---------------------------------------------------------------------------------
    def block(self, block: list[gast.stmt], watched: bool) -> None:
        """Join the terms in the statements of a block; watched: whether handlers of exceptions may
        see what was added half way."""
        sums: dict[str, _Sum] = {}          # by the name that is added to
        gone: list[gast.stmt] = []
        for node in block:
            if isinstance(node, COMPOUND):
                sums.clear()
                self.arrays.clear()
                for inner in (node.body, node.orelse):
                    with self.values.inside(node):
                        self.block(inner, watched or is_attempt(node))
                continue
            found = None if hasattr(node, "lineno") else self.sum_of(node)
            if sums:
                self.end(sums, node, None if found is None else found.name)
            if found is not None:
                before = sums.get(found.name)
                self.join(found)
                if before is not None and not found.is_bound and not watched:
                    self.move(before, found)
                    if not before.terms:
                        gone.append(before.node)
                if found.name in self.added_to:
                    sums[found.name] = found
                    if not self.values.is_number(found.name):
                        self.arrays.add(found.name)
            self.note(node)
        if gone:
            left = set(map(id, gone))
            block[:] = [node for node in block if id(node) not in left]

    def end(self, sums: dict[str, _Sum], node: Any, target: str | None) -> None:
        """What a statement reads, or may write into, is no sum any more that may wait; target: the
        name that it adds to, or binds."""
        mentioned = self.mentions[node]
        for name in mentioned.reads:
            sums.pop(name, None)
        if target is None:
            for name in mentioned.binds:
                sums.pop(name, None)
        if self.arrays:
            others = {self.memory.root(n) for n in (*mentioned.names, *mentioned.binds)
                      if n != target and not self.values.is_number(n)}
            for name in [n for n in self.arrays if self.memory.root(n) in others]:
                self.arrays.remove(name)
                sums.pop(name, None)

    def note(self, node: gast.stmt) -> None:
        """Go past a statement, and note what a name is short for."""
        name = bound_name(node)
        if name is None or node.value.__class__ not in (gast.BinOp, gast.UnaryOp):
            self.values.passed(node)
            return
        reads = [(n, self.values.of_name(n)) for n in self.mentions[node].reads]
        self.values.passed(node)
        self.defined[self.values.of_name(name)] = node.value, reads

    def sum_of(self, node: Any) -> _Sum | None:
        """The terms of what a statement adds to a name, or binds it to."""
        if isinstance(node, gast.AugAssign):
            if not isinstance(node.target, gast.Name) \
                    or not isinstance(node.op, (gast.Add, gast.Sub)):
                return None
            name, sign = node.target.id, 1.0 if isinstance(node.op, gast.Add) else -1.0
        elif isinstance(node, gast.Assign) and len(node.targets) == 1 \
                and isinstance(node.targets[0], gast.Name):
            name, sign = node.targets[0].id, 1.0
        else:
            return None
        if not (self.values.is_number(name) or self.memory.is_array(name)):
            return None
        found = _Sum(node, name, _summed(node.value, sign))
        if len(found.terms) > 1 or name in self.added_to:
            for term in found.terms:
                if term.value.__class__ is not gast.Name:       # whose product stands there
                    term.product = self.values.product(term.value)
        return found

    # Joining ----------------------------------------------------------------------------------
    def join(self, found: _Sum) -> None:
        """Join what is alike in one statement."""
        groups: dict[Any, list[_Term]] = {}
        for term in found.terms:
            if term.product is not None:
                groups.setdefault(term.product.factors, []).append(term)
        merged = [self.merge(alike) for alike in groups.values() if len(alike) > 1]
        if any(merged):
            self.write(found)

    def move(self, before: _Sum, found: _Sum) -> None:
        """Join what is alike in two statements that add to one name, in the later one."""
        if not self.values.is_number(found.name) and before.is_bound \
                and not len(before.terms) == len(found.terms) == 1:
            return          # what is bound first decides on the type and the shape of an array
        waiting = {term.product.factors: term for term in before.terms if term.product is not None}
        pairs = [(term, waiting.pop(term.product.factors)) for term in found.terms
                 if term.product is not None and term.product.factors in waiting]
        merged = [self.merge(list(pair)) for pair in pairs]
        if not any(merged):
            return
        self.write(before)
        if not before.terms and before.is_bound:
            node = found.node
            node.__class__ = gast.Assign
            node.__dict__.pop("target")
            node.__dict__.pop("op")
            node.__dict__.update(targets=[syntax.store(found.name)], type_comment=None)
        self.write(found)

    def merge(self, alike: list[_Term]) -> bool:
        """Let the first of some terms stand for all of them; whether it does."""
        first = alike[0]
        product = first.product
        total = sum(term.sign * term.product.number for term in alike)
        if total == 0.0:
            return False                # nothing is left of what cancels, but for inf and nan
        texts = [self.text(term.value, product) for term in alike]
        costs = [(self.cost(text), spot) for spot, text in enumerate(texts) if text is not None]
        if not costs:
            # The number is in a name that all have.
            bare = [_bare(syntax.copy(term.value)) for term in alike]
            if len({self.values.product(text) for _, text in bare}) > 1:
                return False
            total = sum(term.sign * number for term, (number, _) in zip(alike, bare, strict=True))
            texts = [text for _, text in bare]
            costs = [(self.cost(text), spot) for spot, text in enumerate(texts)]
        for term in alike:
            for name in syntax.names_in(term.value):
                self.uses[name.id] -= 1
            term.value = None
        first.sign = -1.0 if total < 0.0 else 1.0
        first.value = _times(abs(total), texts[min(costs)[1]])
        first.product = product._replace(number=abs(total))
        for name in syntax.names_in(first.value):
            self.uses[name.id] += 1
        return True

    def text(self, value: gast.expr, product: Product) -> gast.expr | None:
        """A product without its number: none is left in it, and none in the names that it reads.
        None where such a name, or another one, is short for what cannot be written here."""
        _, made = _bare(syntax.copy(value))
        for _ in range(4):
            found = self.values.product(made)
            if found is None or found.factors != product.factors:
                return None
            if found.number == 1.0:
                return made
            swap: dict[str, gast.expr] = {}
            for name in syntax.read_names(made):
                known = self.values.products.get(self.values.of_name(name))
                if known is not None and known.number != 1.0:
                    text, reads = self.defined.get(self.values.of_name(name), (None, ()))
                    if text is None or any(self.values.of_name(n) != then for n, then in reads):
                        return None
                    swap[name] = text
            _, made = _bare(syntax.Substitute(swap).visit(made))
        return None

    def cost(self, text: gast.expr) -> int:
        """How many operations a term takes, with those of names that are read for it alone."""
        total = 0
        todo: list[gast.expr] = [text]
        while todo and total < 50:
            node = todo.pop()
            for part in syntax.walk(node):
                total += isinstance(part, (gast.BinOp, gast.Call))
                if isinstance(part, gast.Name) and self.uses[part.id] == 1:
                    known, _ = self.defined.get(self.values.of_name(part.id), (None, ()))
                    if known is not None:
                        todo.append(known)
        return total

    def write(self, found: _Sum) -> None:
        """Write down what is left of the terms of a statement."""
        node = found.node
        terms = found.terms = [term for term in found.terms if term.value is not None]
        if not terms:
            return
        turn = 1.0
        if isinstance(node, gast.AugAssign):
            # The sign of what is added goes into `+=` or `-=`.
            turn = -1.0 if all(term.sign < 0.0 for term in terms) else 1.0
            node.op = gast.Sub() if turn < 0.0 else gast.Add()
        if all(may_be_one(term.value) for term in terms):
            terms.sort(key=lambda term: term.sign * turn < 0.0)
        value = terms[0].value
        if terms[0].sign * turn < 0.0:
            value = self.minus(value)
        for term in terms[1:]:
            value = binary(value, "-" if term.sign * turn < 0.0 else "+", term.value)
        node.value = value
        self.mentions.rewritten(node)

    def minus(self, value: gast.expr) -> gast.expr:
        """The negative of a term, which is changed: -k of an array of unsigned integers is none."""
        spine, parent = value, None
        while isinstance(spine, gast.BinOp) and isinstance(spine.op, (gast.Mult, gast.Div)):
            parent, spine = spine, spine.left
        if parent is None or not self.values.is_float(spine):
            return syntax.minus(value)
        parent.left = syntax.minus(spine)
        return value


def _summed(value: gast.expr, sign: float) -> list[_Term]:
    """The terms of a sum, from left to right, with their signs."""
    if isinstance(value, gast.BinOp) and isinstance(value.op, (gast.Add, gast.Sub)) \
            and not getattr(value, "joins", False):
        other = sign if isinstance(value.op, gast.Add) else -sign
        return [*_summed(value.left, sign), *_summed(value.right, other)]
    return [_Term(sign, value)]


def _bare(value: gast.expr) -> tuple[float, gast.expr]:
    """The number in front of a product, and the product without the numbers and signs in it; the
    node is changed."""
    if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub):
        number, value = _bare(value.operand)
        return -number, value
    if isinstance(value, gast.BinOp) and isinstance(value.op, gast.Mult):
        (one, value.left), (other, value.right) = _bare(value.left), _bare(value.right)
        last, first = number_of(value.right), number_of(value.left)
        if last is not None:
            return one * other * last, value.left
        if first is not None:
            return one * other * first, value.right
        return one * other, value
    if isinstance(value, gast.BinOp) and isinstance(value.op, gast.Div):
        number, value.left = _bare(value.left)
        return number, value
    return 1.0, value


def _times(number: float, value: gast.expr) -> gast.expr:
    """A product with a number in front."""
    if number == 1.0:
        return value
    spine, parent = value, None
    while isinstance(spine, gast.BinOp) and isinstance(spine.op, (gast.Mult, gast.Div)):
        parent, spine = spine, spine.left
    other = number_of(spine)
    first = constant(number * other) if other is not None else \
        binary(constant(number), "*", spine)            # 1.0 / x, which is 2.0 / x then
    if parent is None:
        return first
    parent.left = first
    return value
