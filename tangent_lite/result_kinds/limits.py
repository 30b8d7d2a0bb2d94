"""What rules are not made for, as far as the kinds of the arguments of a call say it.

A check gets the kinds of the arguments, by position and by name, and returns why the call is
refused and what to write in its place, or None. Registered by `registry.refuse_where`; of what has
an unknown number of dimensions nothing is said.

>>> from tangent_lite.kinds import FLOAT, Array
>>> of_matrices(FLOAT)
('a number is taken for a matrix here', 'make it one: np.atleast_2d(x)')
>>> of_matrices(Array(2, "float"))
"""
from __future__ import annotations

from collections.abc import Iterable

from tangent_lite import kinds
from tangent_lite.kinds import NOTHING, Kind, Number
from tangent_lite.result_kinds.numbers import rank

Reason = tuple[str, str] | None
NUMBER = ("a number is taken for a matrix here", "make it one: np.atleast_2d(x)")
VECTOR = ("a vector is taken for a matrix here", "make it one: np.atleast_2d(x)")
STACK = ("the rule is made for one matrix, not for a stack of them", "write a loop over the stack")


def of_matrices(a: Kind, *rest: Kind, **options: Kind) -> Reason:
    """SciPy's functions of a matrix, or of a stack of them."""
    return NUMBER if rank(a) == 0 else None


def of_one_matrix(a: Kind, *rest: Kind, **options: Kind) -> Reason:
    """Functions of which the rules read one matrix."""
    found = {0: NUMBER, 1: VECTOR, 2: None, None: None}
    return found.get(rank(a), STACK)


def of_parts(*parts: Kind, **options: Kind) -> Reason:
    """block_diag: SciPy takes stacks since 1.16."""
    return _up_to(2, parts, STACK)


def of_vectors(c: Kind, r: Kind = NOTHING, *rest: Kind, **options: Kind) -> Reason:
    """toeplitz: SciPy takes stacks of columns and rows since 1.17, and flattened them before."""
    return _up_to(1, (c, r), ("the rule is made for one column and one row, not for stacks of them",
                              "write a loop over the stack"))


def of_systems(a: Kind, b: Kind, *rest: Kind, **options: Kind) -> Reason:
    """solve, lstsq: a right side that is one vector beside a stack of matrices."""
    if rank(b) == 1 and (rank(a) or 0) > 2:
        return ("one vector stands beside a stack of matrices here",
                "make a column of it: b[:, None], and take the solutions [..., 0]")
    return of_matrices(a)


def of_third_matrix(a: Kind, b: Kind, q: Kind, **options: Kind) -> Reason:
    """solve_sylvester."""
    return of_matrices(q)


def of_one_order(x: Kind, order: Kind = NOTHING, *rest: Kind, **options: Kind) -> Reason:
    """norm: the order is one number or a name."""
    order = options.get("ord", order)
    return None if isinstance(order, (Number, kinds.Text, kinds.Nothing)) or rank(order) in (
        0, None) else ("several orders of a norm are not handled", "call it once for each order")


def of_line(y: Kind, x: Kind = NOTHING, dx: Kind = NOTHING, *rest: Kind,
            **options: Kind) -> Reason:
    """trapezoid: places or widths with more dimensions than what is integrated."""
    ndim = rank(y)
    widths = (options.get("x", x), options.get("dx", dx))
    return None if ndim is None else _up_to(ndim, widths, (
        "the places have more dimensions than what is integrated",
        "spread it over them first: np.broadcast_to(y, np.shape(x))"))


def of_real_numbers(*arguments: Kind, **options: Kind) -> Reason:
    """Functions of complex numbers whose derivatives SciPy has for real ones only."""
    return ("the rule is made for real numbers", "compute its derivatives apart, in a rule") \
        if any(kinds.dtype_of(one) == "complex" for one in arguments) else None


def _up_to(most: int, parts: Iterable[Kind], reason: Reason) -> Reason:
    return reason if any((rank(part) or 0) > most for part in parts) else None
