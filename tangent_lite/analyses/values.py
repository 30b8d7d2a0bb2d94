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
>>> floats = dict.fromkeys(["a", "x", "ax", "cube", "other"], FLOAT)
>>> memory = SameMemory(tree.body, ["a", "x"], Typer({}, {}.get), floats)
>>> values = Products(memory, Mentions())
>>> found = []
>>> for node in tree.body:
...     found.append(values.product(node.value))
...     values.passed(node)
>>> [product and product.number for product in found], found[0] == found[3]
([1.0, 3.0, None, 1.0], False)
>>> len(found[1].above)                                 # a * x * x
3

The walk goes through the body from the top. A name has a new value where it is bound, and what it
holds has one where something may write into it. So values are compared across statements, not
texts. Products are those of floats and complex numbers: small integers that are multiplied in
another order may be too large in between.
"""
from __future__ import annotations

import contextlib
import functools
from collections import Counter
from collections.abc import Iterable, Iterator, Set
from typing import Any, NamedTuple

import gast

from tangent_lite import syntax
from tangent_lite.analyses.mentions import SCOPES, Mentions, head
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.kinds import UNKNOWN, dtype_of
from tangent_lite.once import may_be_one
from tangent_lite.syntax import COMPOUND

MOST = 12               # factors of one product: x = x * x thirty times over has many
_POWERS = (2, 3, 4)
_PRODUCTS = frozenset({gast.BinOp, gast.UnaryOp, gast.Name})      # what may be one
_SUMS = frozenset({gast.Add, gast.Sub})
_BINDING = frozenset({gast.Assign, gast.AugAssign, *COMPOUND})
# Expressions whose value is that of the names in them.
_LASTING = frozenset({gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp, gast.Subscript,
                      gast.Slice, gast.Tuple})


class Product(NamedTuple):
    """A number times factors, over others: each by its value, as often as it stands there."""
    number: float
    above: tuple[int, ...]
    below: tuple[int, ...]

    @property
    def factors(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """What it is but for the number."""
        return self.above, self.below


class _Inside(NamedTuple):
    """What a compound statement does."""
    bound: Set[str]
    written: Set[str]           # names of arrays


class Values:
    """What names mean at the place that the walk has come to; memory: which names may share some;
    mentions: what the statements mention."""

    def __init__(self, memory: SameMemory, mentions: Mentions) -> None:
        self.memory, self.mentions = memory, mentions
        self.found: dict[Any, int] = {}                 # what stands for a value -> the value
        self.count = 0                                  # of values
        self.now: dict[str, int] = {}                   # names of numbers -> their values
        self.bound: Counter[str] = Counter()            # how often other names were bound so far,
        self.written: Counter[str] = Counter()          # and what their classes hold was changed
        self.are_numbers: dict[str, bool] = {}
        self.has_arrays = memory.has_arrays()
        self.statements = 0
        self.loops = 0                                  # that are around
        self.blocks: dict[gast.stmt, _Inside] = {}

    # Values -----------------------------------------------------------------------------------
    def of_name(self, name: str) -> int:
        """The value of a name here."""
        value = self.now.get(name)
        if value is None:
            if self.is_number(name):
                value = self.now[name] = self.count = self.count + 1
            elif self.memory.is_array(name):
                value = self._numbered((name, self.bound[name], self.times_written(name)))
            else:                       # nobody knows when it changes
                value = self._numbered((name, -self.statements))
        return value

    def times_written(self, name: str) -> int:
        """How often what an array may hold was changed so far. Which names share some is found out
        where anything was."""
        return self.written[self.memory.root(name)] if self.written else 0

    def _numbered(self, key: Any) -> int:
        value = self.found.get(key)
        if value is None:
            value = self.found[key] = self.count = self.count + 1
        return value

    def is_number(self, name: str) -> bool:
        """Whether a name means a number wherever it means something."""
        known = self.are_numbers.get(name)
        if known is None:
            known = self.are_numbers[name] = self.memory.is_number(name)
        return known

    def bind(self, name: str) -> None:
        """A name means something else from here on."""
        if self.now.pop(name, None) is None:
            self.bound[name] += 1

    def of(self, node: gast.expr) -> int:
        """The value of an expression here: equal for expressions that surely have one value."""
        if node.__class__ is gast.Name:
            return self.of_name(node.id)
        names = tuple([self.of_name(name.id) for name in syntax.names_in(node)])
        key: Any = syntax.key(node), names
        if not syntax.classes_in(node) <= _LASTING:
            # What is asked for again may be something else; within one statement it may not, but
            # for what acts, as draws do.
            key = *key, self.statements if may_be_one(node) else -id(node)
        return self._numbered(key)

    # Floats -----------------------------------------------------------------------------------
    def is_float(self, node: Any) -> bool:
        """Whether an expression surely is made of floats or complex numbers."""
        kind = node.__class__
        if kind is gast.Name:
            return self.holds_floats(node.id)
        if kind is gast.Constant:
            return type(node.value) is float
        if kind is gast.BinOp and isinstance(node.op, (gast.Mult, gast.Add, gast.Sub, gast.Div)):
            return self.is_float(node.left) or self.is_float(node.right)
        if kind is gast.UnaryOp:
            return isinstance(node.op, gast.USub) and self.is_float(node.operand)
        return kind is gast.Subscript and node.value.__class__ is gast.Name \
            and self.memory.is_array(node.value.id) and self.holds_floats(node.value.id)

    def holds_floats(self, name: str) -> bool:
        """Whether a number or array surely is of floats or complex numbers."""
        return dtype_of(self.memory.known.get(name, UNKNOWN)) in ("float", "complex")

    # The walk ---------------------------------------------------------------------------------
    def passed(self, node: Any) -> None:
        """Go past a simple statement."""
        self.statements += 1
        self._changed(node)

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
        inside = self._inside(node)
        # Outside of loops, what is bound in one place means one thing wherever it means something.
        for name in inside.bound if self.loops else inside.bound - self.bound_once:
            self.bind(name)
        for root in {self.memory.root(name) for name in inside.written}:
            self.written[root] += 1

    def _inside(self, node: Any) -> _Inside:
        """What a statement and those in it bind and write into. It is found once, since statements
        stand in many others (in a chain of elifs, in all in front of them); terms that are joined
        leave it as it is."""
        found = self.blocks.get(node)
        if found is None:
            bound = set(self._binds(node))
            written = {name for name in self._written(node) if not self.is_number(name)} \
                if self.has_arrays else set()
            for inner in (*node.body, *node.orelse) if isinstance(node, COMPOUND) else ():
                if isinstance(inner, COMPOUND):
                    more = self._inside(inner)
                    bound |= more.bound
                    written |= more.written
                    continue
                bound.update(self._binds(inner))
                if self.has_arrays:
                    written.update(n for n in self._written(inner) if not self.is_number(n))
            found = self.blocks[node] = _Inside(bound, written)
        return found

    @functools.cached_property
    def bound_once(self) -> Set[str]:
        """Names that are bound in one place; the head of the function is one."""
        bindings = Counter(self.memory.parameters)
        for node in syntax.statements(self.memory.body):
            found = self._binds(node)
            if node.__class__ in _BINDING and not SCOPES.isdisjoint(self.mentions[node].classes):
                inside = _bound_inside(head(node))
                found = [*found, *inside] if isinstance(node, COMPOUND) else inside
            for name in found:
                bindings[name] += 1
        return {name for name, count in bindings.items() if count == 1}

    def _binds(self, node: Any) -> list[str]:
        """The names that a statement, or the head of a compound one, binds."""
        if isinstance(node, gast.For):
            return syntax.bound_names(node.target)
        if node.__class__ in _BINDING:
            return self.mentions[node].binds
        return _bound_inside(node)

    def _changed(self, node: Any) -> None:
        name = bound_name(node)
        if name is not None:
            self.bind(name)
            if not self.has_arrays:
                return
        else:
            for name in self._binds(node):
                self.bind(name)
        if self.has_arrays:
            for root in {self.memory.root(n) for n in self._written(node) if not self.is_number(n)}:
                self.written[root] += 1

    def _written(self, node: Any) -> Iterable[str]:
        """Names of what a statement, or the head of a compound one, may write into."""
        calls = self.mentions[node].calls
        if isinstance(node, COMPOUND):
            return [name for call in calls if not self.memory.is_pure(call)
                    for name in self.memory.names(call)]
        return self.memory.changed(node) if calls or bound_name(node) is None else ()


class Products(Values):
    """Values of names, and which of them are products of others."""

    def __init__(self, memory: SameMemory, mentions: Mentions) -> None:
        super().__init__(memory, mentions)
        self.products: dict[int, Product] = {}          # value of a name -> what it is a product of

    def product(self, node: gast.expr) -> Product | None:
        """The product of floats that an expression is, names taken apart as well; None where it
        has not two factors, or is not known to be of floats."""
        if node.__class__ not in _PRODUCTS:
            return None
        number, above, below, is_float = self._product(node)
        if not is_float or number == 0.0 or not 1 < len(above) + len(below) <= MOST:
            return None
        return Product(number, tuple(sorted(above)), tuple(sorted(below)))

    def _product(self, node: Any) -> tuple[float, tuple[int, ...], tuple[int, ...], bool]:
        """A number, factors above and below, and whether it surely is of floats."""
        kind = node.__class__
        if kind is gast.Name:
            value = self.of_name(node.id)
            known = self.products.get(value)
            if known is not None:
                return *known, True
            return 1.0, (value,), (), self.holds_floats(node.id)
        if kind is gast.Constant:
            number = number_of(node)
            if number is not None:
                return number, (), (), type(node.value) is float
        elif kind is gast.UnaryOp and node.op.__class__ is gast.USub:
            number, above, below, is_float = self._product(node.operand)
            if is_float:
                return -number, above, below, True
        elif kind is gast.BinOp:
            made = self._operation(node)
            if made is not None:
                return *made, True
        return 1.0, (self.of(node),), (), self.is_float(node)

    def _operation(self, node: gast.BinOp) -> tuple[float, tuple[int, ...], tuple[int, ...]] | None:
        if node.op.__class__ is gast.Mult:
            one, above, below, is_float = self._product(node.left)
            other, more, less, too = self._product(node.right)
            if is_float or too:
                return one * other, above + more, below + less
        elif node.op.__class__ is gast.Div:
            one, above, below, is_float = self._product(node.left)
            other, more, less, too = self._product(node.right)
            if (is_float or too) and other == 1.0:
                return one, above + less, below + more
        elif node.op.__class__ is gast.Pow and isinstance(node.right, gast.Constant) \
                and node.right.value in _POWERS:
            one, above, below, is_float = self._product(node.left)
            times = int(node.right.value)
            if is_float and one == 1.0:
                return one, above * times, below * times
        return None

    def passed(self, node: Any) -> None:
        self.statements += 1
        product = None
        name = bound_name(node)
        if name is not None and node.value.__class__ in _PRODUCTS and not is_sum(node.value):
            number, above, below, is_float = self._product(node.value)
            # A number that has a name keeps it.
            if is_float and (number != 1.0 or len(above) + len(below) > 1
                             or node.value.__class__ is gast.Name) \
                    and 0 < len(above) + len(below) <= MOST:
                product = Product(number, above, below)
        self._changed(node)
        if product is not None:
            assert name is not None
            self.products[self.of_name(name)] = product


def _bound_inside(node: gast.AST) -> list[str]:
    """The names that are bound anywhere in a node, comprehensions included."""
    if node.__class__ is gast.Expr and node.value.__class__ is gast.Constant:   # a comment
        return []
    return [n.id for n in syntax.names_in(node) if not isinstance(n.ctx, gast.Load)]


def bound_name(node: Any) -> str | None:
    """The name that a statement binds, if that is all that it does but compute."""
    if node.__class__ is gast.Assign and len(node.targets) == 1 \
            and node.targets[0].__class__ is gast.Name:
        name: str = node.targets[0].id
        return name
    return None


def is_sum(node: gast.expr) -> bool:
    """Whether an expression adds or subtracts."""
    return node.__class__ is gast.BinOp and node.op.__class__ in _SUMS


def number_of(node: gast.expr) -> float | None:
    """The number that stands there, if it is one that floats are multiplied with."""
    if node.__class__ is gast.Constant and type(node.value) in (float, int) \
            and abs(node.value) < 2 ** 31:
        return float(node.value)
    return None
