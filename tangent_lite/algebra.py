"""Shorten formulas by rules of arithmetic that hold for every value, NaN and inf included.

>>> from tangent_lite.emit import emit_expression
>>> def short(text):
...     return emit_expression(algebra(syntax.parse_expression(text), lambda node: True))
>>> short("1.0 * x + -(y * 1.0)"), short("b * x + b * x"), short("-(-x)"), short("x * -y")
('x - y', '2.0 * b * x', 'x', '-x * y')
>>> short("2.0 * a * b * -c"), short("a + 2.0 * b * -c")
('-2.0 * a * b * c', 'a - 2.0 * b * c')
>>> short("2.0 * (0.5 * -b)[:, None] * z"), short("2.0 * (a / (2.0 * c) / n)")
('-b[:, None] * z', 'a / c / n')

`0.0 * x` stays: x may be inf. `x + 0.0` stays too: it turns -0.0 into 0.0. A minus goes into a
product only where what it then stands before is known to be made of floats: -k of an array of
unsigned integers is none. For the same reason i + i stays, which may be an index.
"""
from __future__ import annotations

import math
from collections.abc import Callable

import gast

from tangent_lite import syntax
from tangent_lite.minus import leading_minus, negated, opposite, positive_first
from tangent_lite.once import is_plain, may_be_one
from tangent_lite.syntax import same


def algebra(node: gast.expr, is_float: Callable[[gast.expr], bool] | None = None) -> gast.expr:
    """The shortened expression (the node itself is changed); is_float: see Algebra."""
    return Algebra(is_float).visit(node)


def _value_of(node: gast.expr) -> float | None:
    """The number that stands there: 2.0, -2.0."""
    kind = node.__class__
    if kind is gast.Constant:
        return node.value if type(node.value) is float else None
    if kind is gast.UnaryOp and node.op.__class__ is gast.USub:
        value = _value_of(node.operand) if node.operand.__class__ is gast.Constant else None
        return None if value is None else -value
    return None


def _is_written_out(node: gast.expr) -> bool:
    return _value_of(node) is not None


def _is_whole(node: gast.expr) -> bool:
    """Whether a whole number stands there, of those that are floats as well."""
    return isinstance(node, gast.Constant) and type(node.value) is int and node.value < 2 ** 53


def _is_length(node: gast.expr) -> bool:
    """Whether an expression is how long an array is: `x.shape[0]`, `x.size`."""
    return getattr(node, "attr", "") == "size" or (
        isinstance(node, gast.Subscript) and getattr(node.value, "attr", "") == "shape")


def _constant(value: float) -> gast.expr:
    number = gast.Constant(abs(value), None)
    return syntax.minus(number) if math.copysign(1.0, value) < 0.0 else number


def _is_float_one(node: gast.expr) -> bool:
    """Whether 1.0 stands there."""
    return isinstance(node, gast.Constant) and type(node.value) is float and node.value == 1.0


def _adds_axes(index: gast.expr) -> bool:
    """Whether an index takes all there is, with axes more: `[:, None]`."""
    parts = syntax.shown_parts(index)
    return all(syntax.is_colon(p) or (isinstance(p, gast.Constant) and p.value is None)
               for p in parts) and any(isinstance(p, gast.Constant) for p in parts)


class Algebra(syntax.Transformer):
    """Shortens expressions, and knows whether it did.

    is_float: whether a name, or a part of what it means, surely is made of floats or of complex
    numbers; is_number: whether an expression surely is one number; is_vector: whether it surely is
    an array of one dimension.
    """

    def __init__(self, is_float: Callable[[gast.expr], bool] | None = None,
                 is_number: Callable[[gast.expr], bool] | None = None,
                 is_vector: Callable[[gast.expr], bool] | None = None) -> None:
        self.is_float, self.is_number, self.is_vector = is_float, is_number, is_vector
        self.changed = False

    def may_negate(self, node: gast.expr) -> bool:
        """Whether the negative of an operand is what is meant by a minus in front of a product."""
        return isinstance(node, (gast.Name, gast.Attribute, gast.Subscript)) \
            and self.is_float is not None and self.is_float(node)

    def may_double(self, node: gast.expr) -> bool:
        """Whether twice an expression may be written with 2.0; of an index, `x[i + i]`, it may not.
        """
        if isinstance(node, gast.BinOp):
            return self.may_double(node.left) or self.may_double(node.right)
        if isinstance(node, gast.UnaryOp):
            return self.may_double(node.operand)
        if isinstance(node, gast.Call):
            return getattr(node.func, "id", "") not in ("len", "int")
        return _is_written_out(node) or self.may_negate(node)

    def visit_UnaryOp(self, node: gast.UnaryOp) -> gast.expr:
        self.generic_visit(node)
        if isinstance(node.op, gast.USub):
            node.operand = self.uncopied(node.operand)
        made = self.sign(node)
        self.changed |= made is not node
        return made

    def visit_Subscript(self, node: gast.Subscript) -> gast.expr:
        """`(0.5 * -b)[:, None]` is `0.5 * -b[:, None]`: an axis more does nothing to numbers."""
        self.generic_visit(node)
        value = node.value
        if isinstance(value, gast.Subscript) and isinstance(node.ctx, gast.Load) \
                and syntax.reorders(node.slice) and syntax.same(node.slice, value.slice):
            self.changed = True             # x[::-1][::-1]
            return value.value
        if _adds_axes(node.slice) and isinstance(node.ctx, gast.Load):
            if isinstance(value, gast.BinOp) and isinstance(value.op, gast.Mult) \
                    and _is_written_out(value.left):
                self.changed = True
                node.value = value.right
                return self.operation(gast.BinOp(value.left, value.op, self.visit(node)))
            inner = negated(value)
            if inner is not None and self.may_negate(inner):
                self.changed = True
                node.value = inner
                return syntax.minus(self.visit(node))
        return node

    def visit_Call(self, node: gast.Call) -> gast.expr:
        """`np.sum(x.copy())` is `np.sum(x)`."""
        self.generic_visit(node)
        if getattr(node.func, "attr", "") in ("sum", "mean") and len(node.args) == 1:
            node.args[0] = self.uncopied(node.args[0])
        return node

    def visit_BinOp(self, node: gast.BinOp) -> gast.expr:
        self.generic_visit(node)
        made = self.operation(node)
        self.changed |= made is not node
        return made

    def uncopied(self, node: gast.expr) -> gast.expr:
        """What is copied, in an operand of an operation, which makes a new array or writes into
        its own: x where node is x.copy(), and the same within unbroadcast."""
        if not isinstance(node, gast.Call):
            return node
        if isinstance(node.func, gast.Attribute):
            copied = node.func.value
            if node.func.attr == "copy" and not node.args and (
                    isinstance(copied, gast.Subscript)
                    or (isinstance(copied, gast.Name) and self.may_negate(copied))):
                self.changed = True
                return copied
        elif getattr(node.func, "id", "") == "unbroadcast":
            node.args[0] = self.uncopied(node.args[0])
        return node

    def sign(self, node: gast.UnaryOp) -> gast.expr:
        inner = negated(node)
        if inner is None:
            return node
        again = negated(inner)
        if again is not None:
            return again
        if isinstance(inner, gast.BinOp) and isinstance(
                inner.op, (gast.Mult, gast.Div, gast.MatMult)):
            spine = leading_minus(inner)
            if spine is not None:
                return spine
            return self.negative(inner) or node
        return node

    def negative(self, product: gast.BinOp) -> gast.BinOp | None:
        """-(a * b * c) as -a * b * c, if a minus may stand there; the product is changed."""
        spine = product
        while isinstance(spine.left, gast.BinOp) and isinstance(spine.left.op,
                                                                (gast.Mult, gast.Div)):
            spine = spine.left
        number = _value_of(spine.left)
        if number is not None:
            spine.left = _constant(-number)
        elif self.may_negate(spine.left):
            spine.left = gast.UnaryOp(gast.USub(), spine.left)
        else:
            return None
        return product

    def takes_minus(self, node: gast.expr) -> bool:
        """Whether a minus may stand in front of a factor, or vanishes there."""
        while isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Mult, gast.Div)):
            node = node.left
        return _is_written_out(node) or negated(node) is not None or self.may_negate(node)

    def operation(self, node: gast.BinOp) -> gast.expr:
        if getattr(node, "joins", False):       # lists, whose tangents are joined or repeated
            return node
        # An operation makes a new array: what it reads need not be copied first.
        node.left, node.right = self.uncopied(node.left), self.uncopied(node.right)
        if isinstance(node.op, gast.Mult):
            return self.product(node)
        if isinstance(node.op, gast.Div):
            return node.left if _is_float_one(node.right) else self.halved(node)
        if isinstance(node.op, gast.Add):
            return self.sum(node)
        if isinstance(node.op, gast.Sub):
            return self.difference(node)
        return node

    def product(self, node: gast.BinOp) -> gast.expr:
        left, right = node.left, node.right
        if _is_float_one(left):
            return right
        if _is_float_one(right):
            return left
        if _value_of(left) == -1.0 and self.may_negate(right):
            return self.sign(gast.UnaryOp(gast.USub(), right))
        if _is_whole(right) and self.may_double(left):      # of floats 3 and 3.0 are the same
            right = node.right = _constant(float(right.value))
        if _is_written_out(right) and not _is_written_out(left):
            return self.visit_BinOp(gast.BinOp(right, node.op, left))
        number = _value_of(left)
        if number is not None and isinstance(right, gast.BinOp):
            if isinstance(right.op, gast.Mult):
                other = _value_of(right.left)
                if other is not None and _is_exact(number, other):
                    return self.operation(gast.BinOp(_constant(number * other), node.op,
                                                     right.right))
                return self.with_number(number, right)
            if isinstance(right.op, gast.Div) and _is_power_of_two(abs(number)) \
                    and self.may_double(right):
                return self.with_number(number, right)      # 2.0 * (x / y)
        minus = negated(right)
        if minus is None and self.takes_minus(left):
            minus = leading_minus(right)
        return self.numbers_first(node) if minus is None \
            else self.with_minus(left, minus, number) or self.numbers_first(node)

    def with_minus(self, left: gast.expr, minus: gast.expr,
                   number: float | None) -> gast.expr | None:
        """The product of left, which may be a number, and the negative of minus, with the sign in
        front; None if it cannot stand there."""
        if number is not None:                  # 2.0 * -b is -2.0 * b
            return self.operation(gast.BinOp(_constant(-number), gast.Mult(), minus))
        inner = negated(left)
        if inner is not None:
            return gast.BinOp(inner, gast.Mult(), minus)
        if self.may_negate(left):
            return gast.BinOp(gast.UnaryOp(gast.USub(), left), gast.Mult(), minus)
        front = leading_minus(left) or self.negative(left) if isinstance(
            left, gast.BinOp) and isinstance(left.op, (gast.Mult, gast.Div)) else None
        return None if front is None else gast.BinOp(front, gast.Mult(), minus)

    def sum(self, node: gast.BinOp) -> gast.expr:
        left, right = node.left, node.right
        minus = opposite(right)
        if minus is not None:
            return gast.BinOp(left, gast.Sub(), minus)
        swapped = positive_first(node)
        if swapped is not node:
            return swapped
        if is_plain(left) and not isinstance(left, gast.Constant) \
                and (same(left, right) or self.are_commuted(left, right)) \
                and self.may_double(right):
            return _twice(right)
        return node

    def are_commuted(self, left: gast.expr, right: gast.expr) -> bool:
        """a * b and b * a; of two vectors also a @ b and b @ a, or np.dot(a, b) and np.dot(b, a).
        """
        if isinstance(left, gast.BinOp) and isinstance(right, gast.BinOp):
            (a, b), (c, d) = (left.left, left.right), (right.left, right.right)
            may_be = left.op.__class__ is right.op.__class__ and (
                isinstance(left.op, gast.Mult)
                or (isinstance(left.op, gast.MatMult) and self.are_vectors(a, b)))
        elif isinstance(left, gast.Call) and isinstance(right, gast.Call) \
                and len(left.args) == len(right.args) == 2:
            (a, b), (c, d) = left.args, right.args
            may_be = getattr(left.func, "attr", "") == "dot" and same(left.func, right.func) \
                and not (left.keywords or right.keywords) and self.are_vectors(a, b)
        else:
            return False
        return may_be and same(a, d) and same(b, c)

    def are_vectors(self, *nodes: gast.expr) -> bool:
        return self.is_vector is not None and all(map(self.is_vector, nodes))

    def difference(self, node: gast.BinOp) -> gast.expr:
        left, right = node.left, node.right
        if _is_whole(right) and right.value == 0 and _is_length(left):
            return left
        minus = opposite(right)
        if minus is not None:
            return gast.BinOp(left, gast.Add(), minus)
        if _is_mean_of(right, left):
            right.keywords.pop()        # with its dimensions or without, it is spread alike
        return node

    def numbers_first(self, product: gast.BinOp) -> gast.expr:
        """`x * (3.0 * y)` as `3.0 * x * y`, `2.0 * x * (0.5 * y)` as `y * x`: each is what it was,
        as exactly, in as few operations on arrays."""
        left, right = _leading_number(product.left), _leading_number(product.right)
        if right is None or not (may_be_one(product.left) and may_be_one(product.right)):
            return product
        number = _value_of(right.left)
        if number is None:
            return product
        if left is None:
            if right is product.right and not _is_product(right.right) \
                    and self.is_as_small(product.left, right.right):
                return gast.BinOp(self.with_number(number, product.left), product.op, right.right)
            return gast.BinOp(product.right, product.op, product.left)
        factor = _value_of(left.left)
        if factor is None or not _is_exact(factor, number):
            return product
        one, other = _without(product.left, left), _without(product.right, right)
        if factor * number == 1.0 and (self.may_double(one) or self.may_double(other)):
            return gast.BinOp(one, product.op, other)
        if not self.is_as_small(one, other):
            one, other = other, one
        return gast.BinOp(self.with_number(factor * number, one), product.op, other)

    def is_as_small(self, one: gast.expr, other: gast.expr) -> bool:
        """Whether it takes no operation on arrays more to multiply one factor by a number than to
        multiply the other by it."""
        return self.is_number is not None and (self.is_number(one) or not self.is_number(other))

    def with_number(self, factor: float, chain: gast.expr) -> gast.expr:
        """`2.0 * (a * b)` as `2.0 * a * b`, and `2.0 * (-a * b)` as `-2.0 * a * b`; the chain is
        changed."""
        if isinstance(chain, gast.BinOp) and _is_product(chain):
            chain.left = self.with_number(factor, chain.left)
            if isinstance(chain.op, gast.Div):
                return self.halved(chain)
            return chain.right if _value_of(chain.left) == 1.0 and self.may_double(chain.right) \
                else chain
        inner = negated(chain)
        if inner is not None:
            factor, chain = -factor, inner
        number = _value_of(chain)
        if number is not None and _is_exact(factor, number):
            return _constant(factor * number)
        return gast.BinOp(_constant(factor), gast.Mult(), chain)

    def halved(self, quotient: gast.BinOp) -> gast.expr:
        """`2.0 * x / (2.0 * y)` as `x / y`, `2.0 * x / 2` as x: factors of two are exact."""
        above = _leading_number(quotient.left)
        if above is None or not may_be_one(quotient):
            return quotient
        number, below = _value_of(above.left), quotient.right
        inner = _leading_number(below)
        divisor = _value_of(below) if inner is None else _value_of(inner.left)
        if inner is None and _is_whole(below):
            divisor = float(below.value)
        if number is None or divisor is None or not _is_power_of_two(divisor):
            return quotient
        number /= divisor
        if inner is None:
            rest = quotient.left
        else:
            rest = gast.BinOp(quotient.left, quotient.op, _without(below, inner))
        if number == 1.0 and self.may_double(above.right):
            return _without(rest, above)
        if number == -1.0 and self.may_negate(above.right):
            above.right = syntax.minus(above.right)
            return _without(rest, above)
        above.left = _constant(number)
        return rest


def _is_mean_of(node: gast.expr, array: gast.expr) -> bool:
    """Whether a node is `np.mean(x, keepdims=True)` of an array x, by its name, or that along the
    first axis."""
    if not isinstance(node, gast.Call) or getattr(node.func, "attr", "") not in (
            "mean", "nanmean") or len(node.args) != 1 or not isinstance(array, gast.Name) \
            or not same(node.args[0], array):
        return False
    *others, last = [keyword.arg for keyword in node.keywords] or [""]
    return last == "keepdims" and (not others or (
        others == ["axis"] and getattr(node.keywords[0].value, "value", None) == 0))


def _is_product(node: gast.expr) -> bool:
    return isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Mult, gast.Div))


def _is_power_of_two(value: float) -> bool:
    return value > 0.0 and math.frexp(value)[0] == 0.5


def _is_exact(one: float, other: float) -> bool:
    """Whether a number times the product of another and anything is their product times that, but
    for how the last digit of the whole is rounded: no digit of the product of both is lost."""
    return _is_power_of_two(abs(one)) or _is_power_of_two(abs(other)) or (
        one.is_integer() and other.is_integer() and abs(one * other) < 2 ** 53)


def _leading_number(node: gast.expr) -> gast.BinOp | None:
    """The product of a number and what stands behind it, in front of a chain of factors."""
    while isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Mult, gast.Div)):
        if isinstance(node.op, gast.Mult) and _is_written_out(node.left):
            return node
        node = node.left
    return None


def _without(chain: gast.expr, numbered: gast.BinOp) -> gast.expr:
    """A chain of factors without the number in front of it."""
    if chain is numbered:
        return numbered.right
    spine: gast.BinOp = chain
    while spine.left is not numbered:
        spine = spine.left
    spine.left = numbered.right
    return chain


def _twice(node: gast.expr) -> gast.expr:
    """2.0 * node, the factor in front of a product: 2.0 * b * x."""
    node = syntax.copy(node)
    spine = node
    while isinstance(spine, gast.BinOp) and isinstance(spine.op, (gast.Mult, gast.Div)) \
            and isinstance(spine.left, gast.BinOp) and isinstance(spine.left.op, (gast.Mult,
                                                                                 gast.Div)):
        spine = spine.left
    two = gast.Constant(2.0, None)
    if isinstance(spine, gast.BinOp) and isinstance(spine.op, (gast.Mult, gast.Div)):
        if isinstance(spine.left, gast.UnaryOp):
            spine.left.operand = gast.BinOp(two, gast.Mult(), spine.left.operand)
            return node
        spine.left = gast.BinOp(two, gast.Mult(), spine.left)
        return node
    return gast.BinOp(two, gast.Mult(), node)
