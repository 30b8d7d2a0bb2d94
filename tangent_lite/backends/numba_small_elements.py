"""Expressions about small arrays of known sizes, said element by element.

    2.0 * (y + h * k)       =>      2.0 * (y_0 + h * k_0), 2.0 * (y_1 + h * k_1)

The elements of an array are a table of expressions: NumPy itself says which of them an index that
is written out takes, and how tables are spread over each other. Which arrays are taken apart, and
what becomes of statements, is said in `numba_small_arrays`.
"""
from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import gast
import numpy as np

from tangent_lite import runtime, syntax
from tangent_lite.backends import numba_words as words
from tangent_lite.backends.numba_containers import length
from tangent_lite.backends.numba_functions import OWN, unbound, undecided
from tangent_lite.backends.numba_making import MAKERS, made_array
from tangent_lite.backends.numba_number_names import IsKind
from tangent_lite.backends.numba_own_elements import own_square
from tangent_lite.backends.numba_own_products import own_dot, own_matmul, own_product
from tangent_lite.backends.numba_own_sums import own_sum
from tangent_lite.backends.numba_shapes import copy_of
from tangent_lite.backends.numba_small_indices import literal_index
from tangent_lite.backends.numba_small_layouts import layout_of
from tangent_lite.backends.numba_small_products import Order, fused, order_of
from tangent_lite.kinds import Array, Kind, Number, dtype_of
from tangent_lite.shapes.sizes import Size, Sizes

# A table of expressions, one for each element of an array: an array of objects. Without axes: that
# of a number.
Table = Any
_OPERATORS = {gast.Add: "+", gast.Sub: "-", gast.Mult: "*"}
_OF_INTS: dict[type, Callable[[int, int], int]] = {
    gast.Add: operator.add, gast.Sub: operator.sub, gast.Mult: operator.mul,
    gast.Mod: operator.mod, gast.FloorDiv: operator.floordiv}
_COPIES = {*MAKERS, copy_of, runtime.copied, runtime.copy_as_it_lies}
_SUMS = {words.SUM, own_sum}
_PRODUCTS = {*words.DOTS, own_product, own_matmul, own_dot}
_MADE: dict[Any, Callable[..., Any]] = {np.zeros: np.zeros, np.ones: np.ones, np.eye: np.eye,
                                        np.identity: np.identity}
_MOST = 9                       # elements of an array that is taken apart
_LONGEST = 4                    # along an axis


def small_sizes(kind: Kind) -> tuple[int, ...] | None:
    """The sizes of an array of floats, if they are known and small."""
    if not isinstance(kind, Array) or kind.dtype != "float" or not kind.ndim \
            or not isinstance(kind.shape, Sizes):
        return None
    found = tuple([size.value for size in kind.shape.axes])
    is_small = all(type(size) is int and 0 < size <= _LONGEST for size in found)
    return found if is_small and math.prod(found) <= _MOST else None


def note_sizes(kind: Kind) -> bool:
    """Note that an array has the sizes that it has in this call; whether that is to be asked of
    arguments."""
    for size in _of_arguments(kind):
        size.equals(Size(size.value))
    return rests_on_arguments(kind)


def rests_on_arguments(kind: Kind) -> bool:
    """Whether the sizes of an array are those of arguments, and others in other calls."""
    return bool(_of_arguments(kind))


def _of_arguments(kind: Kind) -> list[Size]:
    assert isinstance(kind, Array) and isinstance(kind.shape, Sizes)
    return [size for size in kind.shape.axes if size.terms]


class ByArray(Exception):
    """What is not said by elements."""


class Surroundings(NamedTuple):
    """What expressions are read by.

    is_number: whether they are numbers in all calls; kind: what they are; meant: the function that
    an expression means; name_of: a name for a function in the module; fresh: a name that nobody
    has; by_rows: names of arrays that lie by rows (`numba_small_layouts`).
    """
    is_number: IsKind
    kind: Callable[[gast.expr], Kind]
    meant: Callable[[gast.expr], Any]
    name_of: Callable[[Any, str], str]
    fresh: Callable[[str], str]
    by_rows: frozenset[str] = frozenset()

    def sizes(self, node: gast.expr) -> tuple[int, ...] | None:
        """The sizes of an array, if they are known and small."""
        return small_sizes(self.kind(node))


class Elements:
    """The elements of expressions in one statement.

    apart: the arrays that are taken apart, each with the names of its elements; before: statements
    to put in front of the statement; arrays: the arrays of which elements are read where they lie.
    """

    def __init__(self, around: Surroundings, apart: Mapping[str, Table]) -> None:
        self.around, self.apart = around, apart
        self.before: list[gast.stmt] = []
        self.arrays: list[gast.expr] = []

    def name(self, node: gast.expr, wish: str = "part") -> gast.expr:
        """An expression that may be read often."""
        if isinstance(node, (gast.Name, gast.Constant)):
            return node
        name = self.around.fresh(wish)
        self.before.append(syntax.assign(name, node))
        return syntax.load(name)

    def named(self, table: Table) -> Table:
        return _table(table.shape, map(self.name, table.flat))

    # Arrays -----------------------------------------------------------------------------------
    def of(self, node: gast.expr) -> Table:
        """The elements of what an expression gives."""
        if isinstance(node, gast.Name) and node.id in self.apart:
            return _table(self.apart[node.id].shape, map(syntax.load, self.apart[node.id].flat))
        if self.around.is_number(node):
            return _table((), [self._float(node)])
        if isinstance(node, gast.BinOp):
            return self._of_operation(node)
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
            self._ask_for_floats([node.operand])
            table = self.of(node.operand)
            return _table(table.shape, map(syntax.minus, table.flat))
        if isinstance(node, gast.Compare) and len(node.ops) == 1:
            return self._spread([node.left, node.comparators[0]],
                                lambda left, right: gast.Compare(left, node.ops, [right]))
        if isinstance(node, gast.Call):
            return self._of_call(node)
        if isinstance(node, gast.Attribute) and node.attr == "T":
            return self.of(node.value).T
        if isinstance(node, gast.Subscript):
            index = literal_index(node.slice)
            if index is not None and self._is_apart(node.value):
                return taken(self.of(node.value), index)
        return self._read(node)

    def _is_apart(self, node: gast.expr) -> bool:
        """Whether the elements of an array are not where an index finds them."""
        return not isinstance(node, gast.Name) or node.id in self.apart

    def _read(self, node: gast.expr) -> Table:
        """The elements of an array that lies in memory, or of a row of one."""
        places = self.places(node)
        if places is None:
            raise ByArray
        return _table(places.shape, [syntax.subscript(syntax.load(name), index)
                                     for name, index in places.flat])

    def places(self, node: gast.expr) -> Table | None:
        """Where the elements of an array lie: names and indices; None where that is not known."""
        base, parts = node, []
        if isinstance(node, gast.Subscript):
            base, parts = node.value, list(getattr(node.slice, "elts", [node.slice]))
        sizes = self.around.sizes(node)
        kind = self.around.kind(base)
        while parts and syntax.indices.is_colon(parts[-1]):
            parts.pop()
        if not isinstance(base, gast.Name) or base.id in self.apart or sizes is None \
                or not isinstance(kind, Array) or kind.ndim != len(parts) + len(sizes) \
                or not all(self._is_place(part) for part in parts):
            return None
        self.arrays.append(node)
        first = [self.name(self.number(part), "at") for part in parts]
        found = np.empty(sizes, object)
        for place in np.ndindex(*sizes):
            index = [*map(syntax.copy, first), *map(syntax.constant, place)]
            found[place] = base.id, index[0] if len(index) == 1 else syntax.tuple_of(index)
        return found

    def _is_place(self, part: gast.expr) -> bool:
        kind = self.around.kind(part)
        return isinstance(kind, Number) and kind.type == "int"

    def _spread(self, operands: Iterable[gast.expr], make: Callable[..., gast.expr]) -> Table:
        """What is computed of elements, of arrays that are spread over each other."""
        tables = [self.of(one) for one in operands]
        try:
            shape = np.broadcast_shapes(*(table.shape for table in tables))
        except ValueError:
            raise ByArray from None             # NumPy raises, and says why
        tables = [np.broadcast_to(self.named(table) if table.shape != shape else table, shape)
                  for table in tables]
        return _table(shape, [make(*map(syntax.copy, parts))
                              for parts in zip(*(table.flat for table in tables))])

    def _ask_for_floats(self, operands: Iterable[gast.expr]) -> None:
        """Of bools and ints alone floats would not give the same: bools sum to bools, ints wrap."""
        if all(dtype_of(self.around.kind(one)) in ("bool", "int") for one in operands):
            raise ByArray

    def _of_operation(self, node: gast.BinOp) -> Table:
        self._ask_for_floats([node.left, node.right])
        if isinstance(node.op, gast.MatMult):
            return self._product(node.left, node.right)
        if isinstance(node.op, gast.Pow):
            power = node.right.value if isinstance(node.right, gast.Constant) else None
            if not isinstance(power, (int, float)):
                raise ByArray
            if power == 2:
                return self._square(node.left)
            exponent = float(power)
            return self._spread([node.left],
                                lambda x: self.call(np.power, x, syntax.constant(exponent)))
        if isinstance(node.op, gast.Div):
            # Where arrays give inf and nan, numbers would stop.
            return self._spread([node.left, node.right],
                                lambda left, right: self.call(np.divide, left, right))
        if type(node.op) not in _OPERATORS:
            raise ByArray
        return self._spread([node.left, node.right],
                            lambda left, right: gast.BinOp(left, node.op, right))

    def _square(self, node: gast.expr) -> Table:
        table = self.named(self.of(node))
        return _table(table.shape, [syntax.binary(x, "*", syntax.copy(x)) for x in table.flat])

    def call(self, function: Any, *parts: gast.expr) -> gast.expr:
        return syntax.call(syntax.load(self.around.name_of(function, function.__name__)), *parts)

    def _product(self, left: gast.expr, right: gast.expr, is_own: bool = False) -> Table:
        """A product of matrices and vectors: sums of products; is_own: as NumPy adds them up."""
        one, other = (self.named(self.of(side)) for side in (left, right))
        if not 0 < one.ndim < 3 or not 0 < other.ndim < 3 or one.shape[-1] != other.shape[0]:
            raise ByArray
        add: Callable[[Any, Any], gast.expr] = _sum_of_products
        if is_own:
            layouts = [layout_of(side, self.around.by_rows, self.around.meant, self.around.kind)
                       for side in (left, right)]
            order = order_of(one.shape, other.shape, (layouts[0], layouts[1]))
            if order is None:
                raise ByArray
            add = functools.partial(self._in_order, order)
        rows = one[None] if one.ndim == 1 else one
        columns = other[:, None] if other.ndim == 1 else other
        found = np.empty((rows.shape[0], columns.shape[1]), object)
        for i, j in np.ndindex(*found.shape):
            found[i, j] = add(rows[i], columns[:, j])
        return found.reshape(one.shape[:-1] + other.shape[1:])

    def _in_order(self, order: Order, xs: Any, ys: Any) -> gast.expr:
        """A sum of products in NumPy's order, the first one added to 0."""
        total: gast.expr = syntax.constant(0.0)
        for k in order.places:
            x, y = syntax.copy(xs[k]), syntax.copy(ys[k])
            total = self.call(fused, x, y, total) if order.is_fused else \
                syntax.binary(total, "+", syntax.binary(x, "*", y))
        return total

    # Calls ------------------------------------------------------------------------------------
    def _of_call(self, node: gast.Call) -> Table:
        function = self.around.meant(node.func)
        if function is None:
            raise ByArray
        plain = next((one for one, own in OWN.items() if own is function), function)
        if function in (unbound, undecided):
            raise ByArray                       # it says not of what sizes
        if function is made_array and len(node.args) == 1 and not node.keywords:
            return self._made(node.args[0])
        if plain in _MADE:
            return self._filled(node, _MADE[plain])
        if plain in words.ELEMENTWISE and not node.keywords \
                and len(node.args) == words.ELEMENTWISE[plain]:
            self._ask_for_floats(node.args)
            return self._spread(node.args,
                                lambda *parts: syntax.call(syntax.copy(node.func), *parts))
        if function is own_square and len(node.args) == 1:
            self._ask_for_floats(node.args)
            return self._square(node.args[0])
        if function is words.WHERE and len(node.args) == 3:
            return self._spread(node.args, gast.IfExp)
        if function in _COPIES and len(node.args) == 1 and not node.keywords:
            return self.of(node.args[0])
        if function is words.APART:
            return self.of(node.args[0])
        if function in _PRODUCTS and len(node.args) == 2 and not node.keywords:
            self._ask_for_floats(node.args)
            return self._product(node.args[0], node.args[1], is_own=function not in words.DOTS)
        if function in _SUMS:
            return self._summed(node)
        if function in words.ZEROS and len(node.args) == 1 and not node.keywords:
            return _table(self.shape(node.args[0]), None)
        if function in (words.UNBROADCAST, words.UNREDUCE):
            return self._reshaped(node, function is words.UNREDUCE)
        raise ByArray

    def shape(self, node: gast.expr) -> tuple[int, ...]:
        """The shape of an array whose elements are not asked for."""
        elements = Elements(self.around, self.apart)
        found: tuple[int, ...] = elements.of(node).shape
        self.arrays += elements.arrays
        return found

    def _made(self, node: gast.expr) -> Table:
        """The elements of an array that is written out, in rows or number by number."""
        if not isinstance(node, (gast.Tuple, gast.List)):
            return self.of(node)
        tables = [self._made(part) for part in node.elts]
        if not tables or len({table.shape for table in tables}) > 1:
            raise ByArray
        return np.stack(tables)

    def _filled(self, node: gast.Call, make: Callable[..., Any]) -> Table:
        """What `np.zeros(3)` and its like make."""
        sizes = literal_index(node.args[0]) if len(node.args) == 1 and not node.keywords else None
        if sizes is None or not all(type(size) is int and 0 <= size < 10 for size in (
                sizes if isinstance(sizes, tuple) else (sizes,))):
            raise ByArray
        made = make(sizes)
        return _table(made.shape, [syntax.constant(float(x)) for x in made.flat])

    def _summed(self, node: gast.Call) -> Table:
        self._ask_for_floats(node.args[:1])
        table = self.of(node.args[0])
        given = [*node.args[1:], *(one.value for one in node.keywords if one.arg == "axis")]
        if len(node.args) + len(node.keywords) > 2 or len(given) != len(node.args) - 1 + len(
                node.keywords) or not table.ndim:
            raise ByArray
        axis = literal_index(given[0]) if given else None
        is_own = self.around.meant(node.func) is own_sum
        if axis is None:
            if given or (table.ndim > 1 and is_own):
                raise ByArray
            # NumPy adds them to a zero, which makes one of zeros below zero.
            return _table((), [_sum([syntax.constant(0.0), *table.flat] if is_own else table.flat)])
        if type(axis) is not int or not -table.ndim <= axis < table.ndim or is_own:
            raise ByArray
        rows = np.moveaxis(table, axis, -1)
        return _table(rows.shape[:-1], [_sum(rows[place]) for place in np.ndindex(
            *rows.shape[:-1])])

    def _reshaped(self, node: gast.Call, spreads: bool) -> Table:
        """An adjoint in the shape of something: summed to it, or spread over it."""
        if len(node.args) != 2 or node.keywords:
            raise ByArray
        table, shape = self.of(node.args[0]), self.shape(node.args[1])
        if table.shape == shape:
            return table
        if spreads:
            if table.shape:
                raise ByArray                   # along which axes is not said
            return np.broadcast_to(self.named(table), shape)
        if len(shape) > table.ndim:
            raise ByArray
        while table.ndim > len(shape):
            table = _table(table.shape[1:], [_sum(table[(slice(None), *place)])
                                             for place in np.ndindex(*table.shape[1:])])
        for axis, size in enumerate(shape):
            if size != table.shape[axis]:
                if size != 1:
                    raise ByArray
                rows = np.moveaxis(table, axis, -1)
                table = np.expand_dims(_table(rows.shape[:-1], [
                    _sum(rows[place]) for place in np.ndindex(*rows.shape[:-1])]), axis)
        return table

    # Numbers ----------------------------------------------------------------------------------
    def _float(self, node: gast.expr) -> gast.expr:
        """A number among the elements of an array of floats: ints would have other products."""
        kind = self.around.kind(node)
        if not isinstance(kind, Number) or kind.type == "complex":
            raise ByArray
        element = self.number(node)
        if isinstance(element, gast.Constant):
            return syntax.constant(float(element.value))
        return element if kind.type == "float" else self.call(np.float64, element)

    def number(self, node: gast.expr) -> gast.expr:
        """A number, with no array in it that is taken apart."""
        found = self._of_number(node)
        if found is not None:
            return found
        made = syntax.copy(node)
        for field, value in gast.iter_fields(made):
            if isinstance(value, gast.expr):
                setattr(made, field, self.number(value))
            elif isinstance(value, list):
                setattr(made, field, [self.number(one) if isinstance(one, gast.expr) else
                                      self._keyword(one) if isinstance(one, gast.keyword) else one
                                      for one in value])
        return made

    def _keyword(self, node: gast.keyword) -> gast.keyword:
        return gast.keyword(node.arg, self.number(node.value))

    def _of_number(self, node: gast.expr) -> gast.expr | None:
        """A number that is made of elements, or None."""
        if isinstance(node, gast.Name):
            if node.id in self.apart:
                raise ByArray
            return None
        if not syntax.read_names(node) & self.apart.keys():
            return None
        size = self._size(node)
        if size is not None:
            return syntax.constant(size)
        if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name) \
                and node.value.id in self.apart:
            index = literal_index(node.slice)
            table = taken(self.of(node.value), index) if index is not None else None
            if table is None or table.ndim:
                raise ByArray
            return table[()]
        if isinstance(node, gast.Call) and self.around.meant(node.func) is words.APART:
            return self.number(node.args[0])
        is_product = isinstance(node, gast.BinOp) and isinstance(node.op, gast.MatMult)
        function = self.around.meant(node.func) if isinstance(node, gast.Call) else None
        if is_product or (function is not None and function in {*_SUMS, *_PRODUCTS}) \
                or (function is words.UNBROADCAST):
            table = self._of_operation(node) if is_product else self._of_call(node)
            if table.ndim:
                raise ByArray
            return table[()]
        return None

    def _size(self, node: gast.expr) -> int | None:
        """What `len(x)`, `x.size` and `x.shape[0]` are of an array that is taken apart."""
        def table(array: gast.expr) -> Table:
            return self.apart.get(array.id) if isinstance(array, gast.Name) else None

        if isinstance(node, gast.Call) and self.around.meant(node.func) is length:
            found = table(node.args[0])
            return None if found is None else len(found)
        if isinstance(node, gast.Attribute) and node.attr in ("size", "ndim"):
            found = table(node.value)
            return None if found is None else getattr(found, node.attr)
        if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Attribute) \
                and node.value.attr == "shape":
            found, axis = table(node.value.value), literal_index(node.slice)
            if found is None or type(axis) is not int or not -found.ndim <= axis < found.ndim:
                return None
            return found.shape[axis]
        return None


# Tables -------------------------------------------------------------------------------------------
def _table(shape: tuple[int, ...], elements: Iterable[gast.expr] | None) -> Table:
    """A table of expressions; None: of zeros."""
    found = np.empty(shape, object)
    given = iter(elements) if elements is not None else None
    for place in np.ndindex(*shape):
        found[place] = syntax.constant(0.0) if given is None else next(given)
    return found


def taken(table: Table, index: Any) -> Table:
    """What an index takes out of a table."""
    try:
        found = table[index]
    except IndexError:
        raise ByArray from None                 # NumPy raises when it comes to that
    return found if isinstance(found, np.ndarray) else _table((), [found])


def _sum(parts: Iterable[gast.expr]) -> gast.expr:
    """A sum of elements, one after the other, as NumPy sums less than eight."""
    first, *rest = map(syntax.copy, parts)
    for one in rest:
        first = syntax.binary(first, "+", one)
    return first


def _sum_of_products(xs: Any, ys: Any) -> gast.expr:
    return _sum(syntax.binary(syntax.copy(x), "*", syntax.copy(y)) for x, y in zip(xs, ys))
