"""Which expressions of an emitted body surely have one value, and which of them are products.

>>> from tangent_lite.analyses.same_memory import SameMemory
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import FLOAT
>>> tree = gast.parse('''
... ax = a * x
... cube = 3.0 * ax * x
... x = x + 1.0
... other = a * x
... ''')
>>> names = ["a", "x", "ax", "cube", "other"]
>>> floats = dict.fromkeys(names, FLOAT)
>>> values = Values(SameMemory(tree.body, ["a", "x"], Typer({}, {}.get), floats))
>>> found = []
>>> for node in tree.body:
...     found.append(values.product(node.value))
...     values.passed(node)
>>> [product.number for product in found], found[0] == found[3]
([1.0, 3.0, 1.0, 1.0], False)
>>> sorted(count for _, count in found[1].above)
[1, 2]

The walk goes through the body from the top. A name has a new value where it is bound, and what it
holds has one where something may write into it. So values are compared across statements, not
texts. Products are those of floats and complex numbers: small integers that are multiplied in
another order may be too large in between.
"""
from __future__ import annotations

import contextlib
import functools
from collections import Counter
from collections.abc import Iterator, Set
from typing import Any, NamedTuple

import gast

from tangent_lite import syntax
from tangent_lite.algebra import may_be_one
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.kinds import UNKNOWN, Array, dtype_of
from tangent_lite.syntax import COMPOUND

MOST = 12               # factors of one product: x = x * x thirty times over has many
_POWERS = (2, 3, 4)
# Expressions whose value is that of the names in them.
_LASTING = (gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp, gast.Subscript, gast.Slice,
            gast.Tuple)


class Product(NamedTuple):
    """A number times factors, over others: each by its value, with how often it stands there."""
    number: float
    above: frozenset[tuple[Any, int]]
    below: frozenset[tuple[Any, int]]

    @property
    def factors(self) -> tuple[Any, Any]:
        """What it is but for the number."""
        return self.above, self.below


class Values:
    """What names mean at the place that the walk has come to; memory: which names may share some.
    """

    def __init__(self, memory: SameMemory) -> None:
        self.memory = memory
        self.bound: Counter[str] = Counter()            # how often a name was bound so far
        self.written: Counter[str] = Counter()          # and how often what its class holds
        self.products: dict[Any, Product] = {}          # value of a name -> what it is a product of
        self.statements = 0
        self.loops = 0                                  # that are around

    # Values -----------------------------------------------------------------------------------
    def of_name(self, name: str) -> Any:
        """What stands for the value of a name here."""
        if self.memory.is_number(name):
            return name, self.bound[name]
        return name, self.bound[name], self.written[self.memory.root(name)]

    def of(self, node: gast.expr) -> Any:
        """What stands for the value of an expression here: equal for expressions that surely have
        one value."""
        if node.__class__ is gast.Name:
            return self.of_name(node.id)
        names = tuple((name, self.of_name(name)) for name in sorted(syntax.all_names(node)))
        if any(isinstance(part, gast.expr) and not isinstance(part, _LASTING)
               for part in syntax.walk(node)):
            # What is asked for again may be something else; within one statement it may not, but
            # for what acts, as draws do.
            return syntax.key(node), names, self.statements if may_be_one(node) else id(node)
        return syntax.key(node), names

    def is_float(self, node: gast.expr) -> bool:
        """Whether an expression surely is made of floats or complex numbers."""
        kind = node.__class__
        if kind is gast.Name:
            return dtype_of(self.memory.known.get(node.id, UNKNOWN)) in ("float", "complex")
        if kind is gast.Constant:
            return type(node.value) is float
        if kind is gast.BinOp and isinstance(node.op, (gast.Mult, gast.Add, gast.Sub, gast.Div)):
            return self.is_float(node.left) or self.is_float(node.right)
        if kind is gast.UnaryOp:
            return isinstance(node.op, gast.USub) and self.is_float(node.operand)
        if kind is gast.Subscript:
            return node.value.__class__ is gast.Name and self.is_float(node.value) \
                and isinstance(self.memory.known.get(node.value.id), Array)
        return False

    # Products ---------------------------------------------------------------------------------
    def product(self, node: gast.expr) -> Product:
        """The product that an expression is, names taken apart as well."""
        number, above, below = self._product(node)
        return Product(number, frozenset(above.items()), frozenset(below.items()))

    def _product(self, node: gast.expr) -> tuple[float, Counter[Any], Counter[Any]]:
        kind = node.__class__
        number = number_of(node)
        if number is not None:
            return number, Counter(), Counter()
        if kind is gast.Name:
            known = self.products.get(self.of_name(node.id))
            if known is not None:
                return known.number, Counter(dict(known.above)), Counter(dict(known.below))
        elif kind is gast.UnaryOp and isinstance(node.op, gast.USub):
            if self.is_float(node.operand):
                number, above, below = self._product(node.operand)
                return -number, above, below
        elif kind is gast.BinOp and self.is_float(node):
            if isinstance(node.op, gast.Mult):
                one, above, below = self._product(node.left)
                other, more, less = self._product(node.right)
                return one * other, above + more, below + less
            if isinstance(node.op, gast.Div):
                one, above, below = self._product(node.left)
                other, more, less = self._product(node.right)
                if other == 1.0:
                    return one, above + less, below + more
            elif isinstance(node.op, gast.Pow) and isinstance(node.right, gast.Constant) \
                    and node.right.value in _POWERS and self.is_float(node.left):
                number, above, below = self._product(node.left)
                times = int(node.right.value)
                if number == 1.0:
                    return 1.0, Counter({k: n * times for k, n in above.items()}), \
                        Counter({k: n * times for k, n in below.items()})
        return 1.0, Counter([self.of(node)]), Counter()

    # The walk ---------------------------------------------------------------------------------
    def passed(self, node: gast.stmt) -> None:
        """Go past a simple statement."""
        self.statements += 1
        product = None
        if node.__class__ is gast.Assign and len(node.targets) == 1 \
                and isinstance(node.targets[0], gast.Name) \
                and isinstance(node.value, (gast.BinOp, gast.UnaryOp, gast.Name)):
            made = self.product(node.value)
            if 0 < sum(n for _, n in (*made.above, *made.below)) <= MOST:
                product = made                          # a number that has a name keeps it
        self._changed(node)
        if product is not None:
            name = node.targets[0].id
            key = self.of_name(name)
            if not any(known == key for known, _ in (*product.above, *product.below)):
                self.products[key] = product

    @contextlib.contextmanager
    def inside(self, node: gast.stmt) -> Iterator[None]:
        """Go through a block of a compound statement: what the statement binds or changes may be
        anything in it, and behind it."""
        is_loop = not isinstance(node, gast.If)
        self.loops += is_loop
        self._around(node)
        yield
        self._around(node)
        self.loops -= is_loop

    def _around(self, node: gast.stmt) -> None:
        # Outside of loops, what is bound in one place means that wherever it means something.
        once = set() if self.loops else {n for n, count in self.bindings.items() if count == 1}
        for inner in syntax.statements([node]):
            self._changed(inner, once)

    @functools.cached_property
    def bindings(self) -> Counter[str]:
        """In how many places names are bound; the head of the function is one."""
        return Counter([*self.memory.parameters, *(
            name.id for node in self.memory.body for name in syntax.names_in(node)
            if not isinstance(name.ctx, gast.Load))])

    def _changed(self, node: gast.stmt, once: Set[str] = frozenset()) -> None:
        if isinstance(node, gast.For):
            self.bound.update(syntax.bound_names(node.target))
        elif not isinstance(node, COMPOUND):
            self.bound.update({n.id for n in syntax.names_in(node)
                               if not isinstance(n.ctx, gast.Load)} - once)
            for root in {self.memory.root(name) for name in self.memory.changed(node)
                         if not self.memory.is_number(name)}:
                self.written[root] += 1


def number_of(node: gast.expr) -> float | None:
    """The number that stands there, if it is one that floats are multiplied with."""
    if node.__class__ is gast.Constant and type(node.value) in (float, int) \
            and abs(node.value) < 2 ** 31:
        return float(node.value)
    return None
