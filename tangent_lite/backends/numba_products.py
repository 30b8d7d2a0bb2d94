"""Products of vectors, matrices and stacks of them, einsum, and their adjoints, for Numba.

Vectors and matrices go to Numba's own products; the rest are sums over letters of axes
(`numba_contractions`).
"""
from __future__ import annotations

import operator
import string
from typing import Any

import numpy as np
from numba import types
from numba.extending import register_jitable

from tangent_lite import runtime
from tangent_lite.backends.numba_axes import fitting
from tangent_lite.backends.numba_borrowing import overload
from tangent_lite.backends.numba_contractions import (
    contraction,
    contraction_adjoint,
    explicit,
    fits,
    with_contraction,
)
from tangent_lite.backends.numba_functions import (
    WITHOUT_EFFECT,
    NotWritten,
    is_array,
    is_number,
    stop,
    value_of,
    written_function,
)
from tangent_lite.backends.numba_overloads import compiled_for
from tangent_lite.runtime import products as runtime_products


# Vector products ------------------------------------------------------------------------------
@register_jitable
def _cross(out, x, y):
    out[0] = x[1] * y[2] - x[2] * y[1]
    out[1] = x[2] * y[0] - x[0] * y[2]
    out[2] = x[0] * y[1] - x[1] * y[0]


def in_space(x, y):
    """The cross product of vectors of three, or of the rows of two matrices of such."""
    return np.cross(x, y)


@overload(in_space)
def _in_space(x, y):
    if not (is_array(x) and is_array(y)):
        return None
    if x.ndim == 1 == y.ndim:
        def vectors(x, y):
            if x.shape[0] != 3 or y.shape[0] != 3:
                stop()
            out = np.empty(3)
            _cross(out, x, y)
            return out
        return vectors
    if x.ndim == 2 == y.ndim:
        def rows(x, y):
            if x.shape[1] != 3 or y.shape[1] != 3 or x.shape[0] != y.shape[0]:
                stop()
            out = np.empty(x.shape)
            for i in range(x.shape[0]):
                _cross(out[i], x[i], y[i])
            return out
        return rows
    return None


@compiled_for(np.cross)
def np_cross(x, y):
    return lambda x, y: in_space(x, y)


@overload(runtime_products.cross_adjoint_left)
def _cross_adjoint_left(dz, x, y):
    return lambda dz, x, y: in_space(y, dz)


@overload(runtime_products.cross_adjoint_right)
def _cross_adjoint_right(dz, x, y):
    return lambda dz, x, y: in_space(dz, x)


@overload(runtime_products.outer_adjoint_left)
def _outer_adjoint_left(dz, x, y):
    if is_array(x) and is_array(y) and x.ndim == 1 == y.ndim:
        return lambda dz, x, y: np.dot(dz, y)
    return None


@overload(runtime_products.outer_adjoint_right)
def _outer_adjoint_right(dz, x, y):
    if is_array(x) and is_array(y) and x.ndim == 1 == y.ndim:
        return lambda dz, x, y: np.dot(x, dz)
    return None


# Letters --------------------------------------------------------------------------------------
Letters = tuple[tuple[str, str], str]


def letters_of_matmul(m: int, n: int) -> Letters:
    """The spec of x @ y for ranks m and n, whose stacks broadcast from the right.

    >>> letters_of_matmul(3, 2)
    (('Aik', 'kj'), 'Aij')
    """
    stack = string.ascii_uppercase[:max(m, n, 2) - 2]
    left = stack[len(stack) - max(m - 2, 0):]
    right = stack[len(stack) - max(n - 2, 0):]
    rows, columns = "i" * (m > 1), "j" * (n > 1)
    return (left + rows + "k", right + "k" + columns), stack + rows + columns


def letters_of_tensordot(m: int, n: int, axes: Any) -> Letters | None:
    """The spec of tensordot(x, y, axes) for ranks m and n.

    >>> letters_of_tensordot(2, 3, ([1], [0]))
    (('AB', 'Bbc'), 'Abc')
    """
    if isinstance(axes, int):
        if not 0 <= axes <= min(m, n):
            return None
        left, right = [*range(m - axes, m)], [*range(axes)]
    elif isinstance(axes, tuple) and len(axes) == 2:
        left, right = ([a] if isinstance(a, int) else list(a) for a in axes)
    else:
        return None
    if len(left) != len(right) or not all(
            isinstance(a, int) and -rank <= a < rank
            for side, rank in ((left, m), (right, n)) for a in side):
        return None
    left, right = [a % m for a in left], [a % n for a in right]
    if len(set(left)) < len(left) or len(set(right)) < len(right):
        return None
    first = string.ascii_uppercase[:m]
    second = list(string.ascii_lowercase[:n])
    for a, b in zip(left, right):
        second[b] = first[a]
    output = "".join(c for k, c in enumerate(first) if k not in left) + "".join(
        c for k, c in enumerate(second) if k not in right)
    return (first, "".join(second)), output


def letters_of_dot(m: int, n: int) -> Letters | None:
    """The spec of dot(x, y): the last axis of x with the last but one of y, if it has two."""
    return letters_of_tensordot(m, n, ((m - 1,), (max(n - 2, 0),)))


def letters_of_inner(m: int, n: int) -> Letters | None:
    return letters_of_tensordot(m, n, ((m - 1,), (n - 1,)))


def product(letters: Letters | None, x: Any, y: Any) -> Any:
    """`def product(x, y)` for a spec; of sizes that are summed over none is stretched."""
    if letters is None or not fits((x, y)):
        return None
    (left, right), output = letters
    summed = [c for c in left if c in right and c not in output]
    lines = ["def product(x, y):"]
    for c in summed:
        lines += [f"    if x.shape[{left.index(c)}] != y.shape[{right.index(c)}]:",
                  "        stop()"]
    return with_contraction([*lines, "    x0, x1 = x, y"], (left, right), output)


def product_adjoint(letters: Letters | None, wanted: int, dz: Any, x: Any, y: Any) -> Any:
    """`def adjoint(dz, x, y)`: the adjoint of x (0) or y (1) in their product, in its shape."""
    if letters is None or not fits((dz, x, y)):
        return None
    parts, output = letters
    ranks = [len(p) for p in parts]
    contract = contraction((output, parts[1 - wanted]), "".join(parts[wanted]))
    fit = register_jitable(fitting(ranks[wanted], ranks[wanted]))
    if wanted == 0:
        def left(dz, x, y):
            dx = contract(dz, y)
            return dx if dx.shape == x.shape else fit(dx, x)
        return register_jitable(left)

    def right(dz, x, y):
        dy = contract(dz, x)
        return dy if dy.shape == y.shape else fit(dy, y)
    return register_jitable(right)


# Stacks ---------------------------------------------------------------------------------------
@overload(operator.matmul)
def _matmul_of_stacks(x, y):
    if not (is_array(x) and is_array(y) and x.ndim and y.ndim):
        return None
    if max(x.ndim, y.ndim) < 3:
        return _of_ints(x, y)               # vectors and matrices are Numba's own
    return product(letters_of_matmul(x.ndim, y.ndim), x, y)


def _of_ints(x, y):
    """`x @ y` of vectors and matrices of which one holds ints or truth values, or both ints; None
    for others."""
    floats = [kind.dtype == types.float64 for kind in (x, y)]
    ints = [isinstance(kind.dtype, (types.Integer, types.Boolean)) for kind in (x, y)]
    if floats[0] and ints[1]:
        return lambda x, y: np.dot(x, y.astype(np.float64))
    if floats[1] and ints[0]:
        return lambda x, y: np.dot(x.astype(np.float64), y)
    if x.dtype != types.int64 or y.dtype != types.int64:
        return None
    (left, right), output = letters_of_matmul(x.ndim, y.ndim)
    sizes = [("x", left.index(c), "i_" + c) for c in left] + [
        ("y", right.index(c), "i_" + c) for c in right if c not in left]
    loops = {name: f"for {name} in range({array}.shape[{axis}]):" for array, axis, name in sizes}
    place = ", ".join(f"i_{c}" for c in output) or "0"
    shape = ", ".join(f"x.shape[{left.index(c)}]" if c in left else f"y.shape[{right.index(c)}]"
                      for c in output) or "1"
    lines = [f"    if x.shape[{left.index('k')}] != y.shape[{right.index('k')}]:",
             "        stop()", f"    out = np.zeros(({shape},), np.int64)"]
    lines += [f"{'    ' * (depth + 1)}{loop}" for depth, loop in enumerate(loops.values())]
    lines.append("    " * (len(loops) + 1) + f"out[{place}] += x[{_at(left)}] * y[{_at(right)}]")
    return written_function(["def product(x, y):", *lines,
                             f"    return out{'' if output else '[0]'}"],
                            {"np": np, "stop": stop})


def _at(letters: str) -> str:
    return ", ".join(f"i_{c}" for c in letters)


@compiled_for(np.matmul, *([np.linalg.matmul] if hasattr(np.linalg, "matmul") else []))
def np_matmul(x, y):
    return (lambda x, y: x @ y) if is_array(x) and is_array(y) and x.ndim and y.ndim else None


@compiled_for(np.dot, methods=("dot",))
def np_dot(x, y):
    if is_number(x) or is_number(y):
        return lambda x, y: x * y
    if not (is_array(x) and is_array(y) and x.ndim and y.ndim):
        return None
    if max(x.ndim, y.ndim) < 3:
        return _of_ints(x, y) or (lambda x, y: np.dot(x, y))
    return product(letters_of_dot(x.ndim, y.ndim), x, y)


@compiled_for(np.inner)
def np_inner(x, y):
    if is_number(x) or is_number(y):
        return lambda x, y: x * y
    if is_array(x) and is_array(y) and x.ndim and y.ndim:
        return product(letters_of_inner(x.ndim, y.ndim), x, y)
    return None


@compiled_for(np.tensordot,
              *([np.linalg.tensordot] if hasattr(np.linalg, "tensordot") else []),
              prefer_literal=True)
def np_tensordot(x, y, axes=2):
    if not (is_array(x) and is_array(y)):
        return None
    made = product(letters_of_tensordot(x.ndim, y.ndim, value_of(axes)), x, y)
    return (lambda x, y, axes=2: made(x, y)) if made is not None else None


def _adjoints(letters_of: Any, wanted: int) -> Any:
    """The overload of an adjoint of matmul, dot or inner."""
    def typed(dz, x, y):
        if is_number(x) or is_number(y):
            if letters_of is letters_of_matmul:
                return None
            return _of_numbers(wanted, x, y)
        if not (is_array(x) and is_array(y) and x.ndim and y.ndim):
            return None
        small = (_left, _right)[wanted](dz, x, y) if letters_of is not letters_of_inner else None
        return small or product_adjoint(letters_of(x.ndim, y.ndim), wanted, dz, x, y)
    return typed


def _of_numbers(wanted: int, x: Any, y: Any) -> Any:
    """Adjoints of a product of which one factor is a number, by elements."""
    mine = (x, y)[wanted]
    if is_number(mine):
        if wanted == 0:
            return lambda dz, x, y: np.sum(dz * y)
        return lambda dz, x, y: np.sum(dz * x)
    return (lambda dz, x, y: dz * y) if wanted == 0 else (lambda dz, x, y: dz * x)


def _by_ranks(x, y, ways):
    """Of the ways for dimensions (1, 1), (2, 1), (1, 2) and (2, 2) the one for x and y."""
    ranks = [(1, 1), (2, 1), (1, 2), (2, 2)]
    if not (is_array(x) and is_array(y)) or (x.ndim, y.ndim) not in ranks:
        return None
    return ways[ranks.index((x.ndim, y.ndim))]


def _left(dz, x, y):
    return _by_ranks(x, y, (lambda dz, x, y: dz * y, lambda dz, x, y: np.outer(dz, y),
                            lambda dz, x, y: np_dot(y, dz), lambda dz, x, y: np_dot(dz, y.T)))


def _right(dz, x, y):
    return _by_ranks(x, y, (lambda dz, x, y: dz * x, lambda dz, x, y: np_dot(x.T, dz),
                            lambda dz, x, y: np.outer(x, dz), lambda dz, x, y: np_dot(x.T, dz)))


for _number, _side in enumerate(("left", "right")):
    overload(getattr(runtime, f"matmul_adjoint_{_side}"))(_adjoints(letters_of_matmul, _number))
    overload(getattr(runtime_products, f"dot_adjoint_{_side}"))(_adjoints(letters_of_dot, _number))
    overload(getattr(runtime_products, f"inner_adjoint_{_side}"))(
        _adjoints(letters_of_inner, _number))


@overload(runtime_products.tensordot_adjoint_left, prefer_literal=True)
def _tensordot_adjoint_left(dz, x, y, axes=2):
    return _tensordot_adjoint(dz, x, y, axes, 0)


@overload(runtime_products.tensordot_adjoint_right, prefer_literal=True)
def _tensordot_adjoint_right(dz, x, y, axes=2):
    return _tensordot_adjoint(dz, x, y, axes, 1)


def _tensordot_adjoint(dz, x, y, axes, wanted):
    if not (is_array(x) and is_array(y)):
        return None
    letters = letters_of_tensordot(x.ndim, y.ndim, value_of(axes))
    made = product_adjoint(letters, wanted, dz, x, y)
    return (lambda dz, x, y, axes=2: made(dz, x, y)) if made is not None else None


# einsum ---------------------------------------------------------------------------------------
@compiled_for(np.einsum, prefer_literal=True)
def np_einsum(spec, *xs):
    letters = letters_of_einsum(spec, xs)
    if letters is None or not fits(_parts(xs)):
        return None
    parts, output = letters
    return with_contraction(
        ["def run(spec, *xs):", *(f"    x{k} = xs[{k}]" for k in range(len(parts)))],
        tuple(parts), output)


WITHOUT_EFFECT[np_einsum] = ("optimize",)


def _parts(xs: Any) -> tuple[Any, ...]:
    """The types of starred arguments, which come as one tuple at times."""
    xs = tuple(xs)
    return tuple(xs[0].types) if len(xs) == 1 and isinstance(xs[0], types.BaseTuple) else xs


def letters_of_einsum(spec: Any, xs: Any) -> tuple[list[str], str] | None:
    """The letters of operands and result; None where the spec is not written out."""
    try:
        text = value_of(spec)
    except NotWritten:
        return None
    if not isinstance(text, str):
        return None
    return explicit(text, [x.ndim if is_array(x) else 0 for x in _parts(xs)])


@overload(runtime_products.einsum_adjoint, prefer_literal=True)
def _einsum_adjoint(k, dz, operands):
    if not isinstance(operands, types.BaseTuple) or not len(operands.types):
        return None
    spec, *xs = operands.types
    return _operand_adjoint("k, dz, operands", spec, value_of(k) - 1, dz, xs, "operands", 1)


@overload(runtime_products.einsum_operand, prefer_literal=True)
def _einsum_operand(spec, k, dz, xs):
    if not isinstance(xs, types.BaseTuple):
        return None
    return _operand_adjoint("spec, k, dz, xs", spec, value_of(k), dz, xs.types, "xs", 0)


def _operand_adjoint(parameters, spec, wanted, dz, xs, name, first):
    """The adjoint of one operand; name: the tuple that the operands stand in, from `first` on."""
    letters = letters_of_einsum(spec, xs)
    if letters is None or not fits((dz, *xs)):
        return None
    parts, output = letters
    adjoint = contraction_adjoint(tuple(parts), output, wanted)
    operands = ", ".join(f"{name}[{n + first}]" for n in range(len(parts)))
    return written_function([f"def run({parameters}):", f"    return adjoint({operands}, dz)"],
                            {"adjoint": adjoint})
