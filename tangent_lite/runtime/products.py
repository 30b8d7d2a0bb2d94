"""What emitted code may call for products of arrays of any rank.

All of these are linear in dz and in the other factor, so that the adjoints of an adjoint are the
product itself and its other adjoint (rules/helpers.py). Only NumPy is imported.
"""
from __future__ import annotations

import numpy as np

from tangent_lite.runtime import unbroadcast


def contracted(x, y, axes):
    """np.tensordot; CuPy's refuses arrays without axes, of which nothing is summed."""
    if np.ndim(x) == 0 or np.ndim(y) == 0:
        return np.multiply(x, y)
    return np.tensordot(x, y, axes)


def dot_adjoint_left(dz, x, y):
    """Adjoint of x in z = dot(x, y); x: (..., k), y: (..., k, m) or (k,), or one is a number."""
    if np.ndim(x) == 0:
        return np.sum(dz * y)
    if np.ndim(y) == 0:
        return dz * y
    first, rank = np.ndim(x) - 1, np.ndim(y)
    summed = [*range(rank - 2), rank - 1] if rank > 1 else []
    return contracted(dz, y, ([*range(first, first + len(summed))], summed)) if rank > 1 else \
        np.multiply.outer(dz, y)


def dot_adjoint_right(dz, x, y):
    """Adjoint of y in z = dot(x, y), as dot_adjoint_left."""
    if np.ndim(y) == 0:
        return np.sum(dz * x)
    if np.ndim(x) == 0:
        return dz * x
    summed = [*range(np.ndim(x) - 1)]
    dy = contracted(x, dz, (summed, summed))
    return np.moveaxis(dy, 0, -2) if np.ndim(y) > 1 else dy


def inner_adjoint_left(dz, x, y):
    """Adjoint of x in z = inner(x, y), the sum over both last axes."""
    if np.ndim(x) == 0:
        return np.sum(dz * y)
    if np.ndim(y) == 0:
        return dz * y
    first, others = np.ndim(x) - 1, np.ndim(y) - 1
    return contracted(dz, y, ([*range(first, first + others)], [*range(others)]))


def inner_adjoint_right(dz, x, y):
    """Adjoint of y in z = inner(x, y)."""
    if np.ndim(y) == 0:
        return np.sum(dz * x)
    if np.ndim(x) == 0:
        return dz * x
    summed = [*range(np.ndim(x) - 1)]
    return contracted(dz, x, (summed, summed))


def outer_adjoint_left(dz, x, y):
    """Adjoint of x in z = outer(x, y), which reads both as vectors; shape of x."""
    return np.reshape(dz @ np.ravel(y), np.shape(x))


def outer_adjoint_right(dz, x, y):
    """Adjoint of y in z = outer(x, y); shape of y."""
    return np.reshape(np.ravel(x) @ dz, np.shape(y))


def _axes_of(x, y, axes):
    if isinstance(axes, int):
        return [*range(np.ndim(x) - axes, np.ndim(x))], [*range(axes)]
    left, right = axes
    left = [left] if np.ndim(left) == 0 else list(left)
    right = [right] if np.ndim(right) == 0 else list(right)
    return [a % np.ndim(x) for a in left], [a % np.ndim(y) for a in right]


def tensordot_adjoint_left(dz, x, y, axes=2):
    """Adjoint of x in z = tensordot(x, y, axes); shape of x."""
    left, right = _axes_of(x, y, axes)
    kept = [a for a in range(np.ndim(x)) if a not in left]
    others = [a for a in range(np.ndim(y)) if a not in right]
    # The axes of the product: those of x that are kept, then those of y that were summed.
    product = contracted(dz, y, ([*range(len(kept), len(kept) + len(others))], others))
    order = kept + [left[right.index(a)] for a in sorted(right)]
    return np.transpose(product, tuple(np.argsort(order)))


def tensordot_adjoint_right(dz, x, y, axes=2):
    """Adjoint of y in z = tensordot(x, y, axes); shape of y."""
    left, right = _axes_of(x, y, axes)
    kept = [a for a in range(np.ndim(x)) if a not in left]
    others = [a for a in range(np.ndim(y)) if a not in right]
    product = contracted(x, dz, (kept, [*range(len(kept))]))
    order = [right[left.index(a)] for a in sorted(left)] + others
    return np.transpose(product, tuple(np.argsort(order)))


def _explicit(spec, ranks):
    """A spec of einsum written out: operands, result, with letters for an ellipsis."""
    spec = spec.replace(" ", "")
    inputs, arrow, output = spec.partition("->")
    parts = inputs.split(",")
    if "..." in spec:
        free = [c for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" if c not in spec]
        counts = [rank - len(p) + 3 for p, rank in zip(parts, ranks) if "..." in p]
        dots = "".join(free[:max(counts)])
        # The axes of an ellipsis broadcast from the right.
        parts = [p.replace("...", dots[len(dots) - (rank - len(p) + 3):]) if "..." in p else p
                 for p, rank in zip(parts, ranks)]
        output = output.replace("...", dots)
    else:
        dots = ""
    if not arrow:
        letters = "".join(parts)
        output = dots + "".join(sorted(c for c in set(letters)
                                       if letters.count(c) == 1 and c not in dots))
    return parts, output


def einsum_operand(spec, k, dz, xs):
    """Adjoint of xs[k] in z = einsum(spec, *xs), summed over no axis that was broadcast.

    spec: as text, implicit or explicit, an ellipsis and repeated letters included.
    """
    parts, output = _explicit(spec, [np.ndim(x) for x in xs])
    mine, shape = parts[k], np.shape(xs[k])
    others = [p for i, p in enumerate(parts) if i != k]
    known = set(output).union(*others)
    single = "".join(dict.fromkeys(mine))           # each letter once
    found = "".join(c for c in single if c in known)
    terms = [dz, *(x for i, x in enumerate(xs) if i != k)]
    part = np.einsum(",".join([output, *others]) + "->" + found, *terms)
    sizes = dict(zip(mine, shape))
    if found != single:
        # Letters of this operand alone were summed: the same for each of their values.
        part = part[tuple(slice(None) if c in found else None for c in single)]
    size = dict(zip(single, np.shape(part)))
    size.update((c, n) for c, n in sizes.items() if c not in found)
    part = np.broadcast_to(part, [size[c] for c in single])
    if single == mine:
        return part
    result = np.zeros([size[c] for c in mine], part.dtype)
    np.einsum(mine + "->" + single, result)[...] = part      # einsum gives a view of the diagonal
    return result


def einsum_replaced(spec, k, x, xs):
    """einsum(spec, *xs) with x in place of xs[k]; adjoint of dz in einsum_operand."""
    return np.einsum(spec, *xs[:k], x, *xs[k + 1:])


def einsum_operand_other(spec, j, k, bx, dz, xs):
    """Adjoint of xs[j] in einsum_operand(spec, k, dz, xs)."""
    if j == k:
        return np.zeros(np.shape(xs[j]))
    return einsum_operand(spec, j, dz, (*xs[:k], bx, *xs[k + 1:]))


def einsum_operand_tangent(spec, k, dz, dxs, xs):
    """Tangent of einsum_operand(spec, k, dz, xs) along dxs."""
    total = 0.0 * einsum_operand(spec, k, dz, xs)
    for j, dx in enumerate(dxs):
        if j != k:
            total = total + einsum_operand(spec, k, dz, (*xs[:j], dx, *xs[j + 1:]))
    return total


def einsum_tangent(spec, dxs, xs):
    """Tangent of einsum(spec, *xs) along dxs."""
    return sum(np.einsum(spec, *xs[:k], dx, *xs[k + 1:]) for k, dx in enumerate(dxs))


def einsum_tangent_adjoint(spec, j, by, dxs, xs):
    """Adjoint of xs[j] in einsum_tangent(spec, dxs, xs)."""
    total = np.zeros(np.shape(xs[j]))
    for k, dx in enumerate(dxs):
        if k != j:
            total = total + einsum_operand(spec, j, by, (*xs[:k], dx, *xs[k + 1:]))
    return total


def einsum_second(spec, exs, dxs, xs):
    """The change of einsum_tangent(spec, dxs, xs) where xs changes along exs."""
    total = 0.0 * einsum_tangent(spec, dxs, xs)
    for j, ex in enumerate(exs):
        for k, dx in enumerate(dxs):
            if j != k:
                changed = [ex if i == j else dx if i == k else x for i, x in enumerate(xs)]
                total = total + np.einsum(spec, *changed)
    return total


def einsum_text(operands):
    """The spec and the arrays of einsum(*operands): as they are in ("ij,jk", x, y); of (x, [0, 1],
    y, [1, 2], [0, 2]), where a list names the axes of what stands before it, the same as text."""
    if isinstance(operands[0], str):
        return operands[0], tuple(operands[1:])
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    texts = ["".join("..." if n is Ellipsis else letters[n] for n in axes)
             for axes in (*operands[1::2], *(operands[-1:] if len(operands) % 2 else ()))]
    xs = tuple(operands[:len(operands) - len(operands) % 2:2])
    return ",".join(texts[:len(xs)]) + "".join("->" + t for t in texts[len(xs):]), xs


def einsum_place(k, operands):
    """Which of the arrays of einsum(*operands) operands[k] is."""
    return k - 1 if isinstance(operands[0], str) else k // 2


def einsum_adjoint(k, dz, operands):
    """Adjoint of operands[k] in z = einsum(*operands), in either form of the call."""
    spec, xs = einsum_text(operands)
    return einsum_operand(spec, einsum_place(k, operands), dz, xs)


def einsum_with(k, x, operands):
    """einsum(*operands) with x in place of operands[k]; adjoint of dz in einsum_adjoint."""
    spec, xs = einsum_text(operands)
    return einsum_replaced(spec, einsum_place(k, operands), x, xs)


def einsum_adjoint_other(j, k, bx, dz, operands):
    """Adjoint of operands[j] in einsum_adjoint(k, dz, operands)."""
    spec, xs = einsum_text(operands)
    return einsum_operand_other(spec, einsum_place(j, operands), einsum_place(k, operands), bx, dz,
                                xs)


def einsum_changes(dxs, operands):
    """Those of the tangents of all operands that belong to arrays."""
    return tuple(dxs[1:]) if isinstance(operands[0], str) \
        else tuple(dxs[:len(dxs) - len(dxs) % 2:2])


def einsum_adjoint_tangent(k, dz, dxs, operands):
    """Tangent of einsum_adjoint(k, dz, operands) along dxs."""
    spec, xs = einsum_text(operands)
    return einsum_operand_tangent(spec, einsum_place(k, operands), dz,
                                  einsum_changes(dxs, operands), xs)


def einsum_along(dxs, operands):
    """Tangent of einsum(*operands) along dxs, in either form of the call."""
    spec, xs = einsum_text(operands)
    return einsum_tangent(spec, einsum_changes(dxs, operands), xs)


def einsum_along_adjoint(j, by, dxs, operands):
    """Adjoint of operands[j] in einsum_along(dxs, operands)."""
    spec, xs = einsum_text(operands)
    return einsum_tangent_adjoint(spec, einsum_place(j, operands), by,
                                  einsum_changes(dxs, operands), xs)


def einsum_along_second(exs, dxs, operands):
    """The change of einsum_along(dxs, operands) where the operands change along exs."""
    spec, xs = einsum_text(operands)
    return einsum_second(spec, einsum_changes(exs, operands), einsum_changes(dxs, operands), xs)


# Products of vectors in stacks ------------------------------------------------------------------
def vecdot_adjoint_left(dz, x, y, axis=-1):
    """Adjoint of x in z = vecdot(x, y, axis=axis), which is linear in conj(x); shape of x."""
    product = np.conj(np.expand_dims(dz, -1) * np.moveaxis(y, axis, -1))
    return np.moveaxis(unbroadcast(product, np.moveaxis(x, axis, -1)), -1, axis)


def vecdot_adjoint_right(dz, x, y, axis=-1):
    """Adjoint of y in z = vecdot(x, y, axis=axis); shape of y."""
    product = np.expand_dims(dz, -1) * np.conj(np.moveaxis(x, axis, -1))
    return np.moveaxis(unbroadcast(product, np.moveaxis(y, axis, -1)), -1, axis)


def matvec_adjoint_left(dz, x, y):
    """Adjoint of x in z = matvec(x, y), the product of matrices and vectors; shape of x."""
    return unbroadcast(np.expand_dims(dz, -1) * np.expand_dims(y, -2), x)


def matvec_adjoint_right(dz, x, y):
    """Adjoint of y in z = matvec(x, y); shape of y."""
    return unbroadcast(np.sum(np.expand_dims(dz, -1) * x, axis=-2), y)


def vecmat_adjoint_left(dz, x, y):
    """Adjoint of x in z = vecmat(x, y), the product of conjugate vectors and matrices; shape of x.
    """
    return unbroadcast(np.conj(np.sum(np.expand_dims(dz, -2) * y, axis=-1)), x)


def vecmat_adjoint_right(dz, x, y):
    """Adjoint of y in z = vecmat(x, y); shape of y."""
    return unbroadcast(np.conj(np.expand_dims(x, -1)) * np.expand_dims(dz, -2), y)


# Vector products ----------------------------------------------------------------------------------
def cross_adjoint_left(dz, x, y, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """Adjoint of x in z = cross(x, y, axisa, axisb, axisc, axis); shape of x.

    Vectors of two components lie in a plane; the product of two of them is a number, the component
    across that plane.
    """
    if axis is None and axisa == axisb == axisc == -1 and in_line(dz, x, y):
        return np.cross(y, dz)
    first, second, last = (axisa, axisb, axisc) if axis is None else (axis, axis, axis)
    product = np.cross(in_space(np.moveaxis(y, second, -1)), across(dz, x, y, first, second, last))
    part = product[..., :np.shape(x)[first]]
    return np.moveaxis(unbroadcast(part, np.moveaxis(x, first, -1)), -1, first)


def cross_adjoint_right(dz, x, y, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """Adjoint of y in z = cross(x, y, axisa, axisb, axisc, axis); shape of y."""
    if axis is None and axisa == axisb == axisc == -1 and in_line(dz, x, y):
        return np.cross(dz, x)
    first, second, last = (axisa, axisb, axisc) if axis is None else (axis, axis, axis)
    product = np.cross(across(dz, x, y, first, second, last), in_space(np.moveaxis(x, first, -1)))
    part = product[..., :np.shape(y)[second]]
    return np.moveaxis(unbroadcast(part, np.moveaxis(y, second, -1)), -1, second)


def in_line(dz, x, y):
    """Whether all three are vectors of three components along the last axis, one for one."""
    return np.shape(dz) == np.shape(x) == np.shape(y) and np.shape(x)[-1] == 3


def in_space(x):
    """Vectors of three components for vectors of two, along the last axis."""
    if np.shape(x)[-1] == 3:
        return x
    return np.concatenate((x, np.zeros_like(x[..., :1])), axis=-1)


def across(dz, x, y, first, second, last):
    """The adjoint dz of cross(x, y) as vectors of three components along the last axis."""
    if np.shape(x)[first] == 3 or np.shape(y)[second] == 3:
        return np.moveaxis(dz, last, -1)
    height = np.expand_dims(dz, -1)
    return np.concatenate((np.zeros_like(height), np.zeros_like(height), height), axis=-1)


def kron_adjoint_left(dz, x, y):
    """Adjoint of x in z = kron(x, y); shape of x."""
    return _kron_part(dz, x, y, 0)


def kron_adjoint_right(dz, x, y):
    """Adjoint of y in z = kron(x, y); shape of y."""
    return _kron_part(dz, x, y, 1)


def _kron_part(dz, x, y, wanted):
    rank = max(np.ndim(x), np.ndim(y))
    first = (1,) * (rank - np.ndim(x)) + np.shape(x)
    second = (1,) * (rank - np.ndim(y)) + np.shape(y)
    pairs = np.reshape(dz, [n for pair in zip(first, second) for n in pair])
    if wanted == 0:
        other, axes, shape = np.reshape(y, second), [*range(1, 2 * rank, 2)], np.shape(x)
    else:
        other, axes, shape = np.reshape(x, first), [*range(0, 2 * rank, 2)], np.shape(y)
    return np.reshape(np.tensordot(pairs, other, (axes, [*range(rank)])), shape)
