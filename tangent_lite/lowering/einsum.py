"""Derivatives of einsum as einsums: the letters of the result and of an operand change places.

    z = einsum("ij,jk->ik", x, y)           bx = einsum("ik,jk->ij", bz, y)
"""
from __future__ import annotations

from collections.abc import Callable

import gast

from tangent_lite import kinds, syntax
from tangent_lite.inference import Typer
from tangent_lite.runtime import products as runtime_products


def letters(spec: str) -> tuple[list[str], str] | None:
    """The letters of the operands and of the result; None where an ellipsis stands for some.

    >>> letters("ij, jk")
    (['ij', 'jk'], 'ik')
    """
    if "..." in spec:
        return None
    inputs, arrow, output = spec.replace(" ", "").partition("->")
    if not arrow:
        output = "".join(sorted(c for c in set(inputs) - {","} if inputs.count(c) == 1))
    return inputs.split(","), output


def named(operands: gast.expr, typer: Typer) -> tuple[gast.expr, list[int]] | None:
    """The letters of the operands of a call of einsum, and at which places its arrays stand; None
    where the form of the call is not known, or the lists of axes are not written out."""
    if not isinstance(operands, gast.Tuple):
        return None
    parts = operands.elts
    if isinstance(typer.kind(parts[0]), kinds.Text):
        return syntax.copy(parts[0]), list(range(1, len(parts)))
    places = list(range(0, len(parts) - len(parts) % 2, 2))
    lists = [parts[i + 1] for i in places] + parts[len(parts) - len(parts) % 2:]
    if not all(isinstance(axes, (gast.List, gast.Tuple)) and all(
            isinstance(n, gast.Constant) and (n.value is Ellipsis or isinstance(n.value, int))
            for n in axes.elts) for axes in lists):
        return None
    text, _ = runtime_products.einsum_text(
        [part for i in places for part in (None, [n.value for n in parts[i + 1].elts])]
        + [[n.value for n in axes.elts] for axes in lists[len(places):]])
    return syntax.constant(text), places


def adjoint(spec: str, k: int, dz: gast.expr, xs: list[gast.expr],
            numpy: Callable[[str], gast.expr]) -> gast.expr | None:
    """The adjoint of operand k in `z = einsum(spec, *xs)`; None for repeated letters.

    What is summed over one operand alone is the same for each of its elements.
    """
    found = letters(spec)
    if found is None or len(set(found[0][k])) < len(found[0][k]):
        return None
    parts, output = found
    mine = parts[k]
    others = [(p, x) for i, (p, x) in enumerate(zip(parts, xs)) if i != k]
    if not output and len(others) == 1 and others[0][0] == mine:
        return syntax.binary(dz, "*", others[0][1])
    if not set(mine) <= set(output).union(*(p for p, _ in others)):
        others.append((mine, syntax.call(numpy("ones_like"), syntax.copy(xs[k]))))
    text = ",".join([output, *(p for p, _ in others)]) + "->" + mine
    return syntax.call(numpy("einsum"), syntax.constant(text), dz, *(x for _, x in others))


def tangent(spec: gast.expr, dxs: list[gast.expr], xs: list[gast.expr],
            numpy: Callable[[str], gast.expr]) -> gast.expr | None:
    """The tangent of `z = einsum(spec, *xs)`: a sum over the operands that vary."""
    total: gast.expr | None = None
    for k, dx in enumerate(dxs):
        if isinstance(dx, gast.Constant) or _is_zeros(dx):
            continue
        operands = [*map(syntax.copy, xs[:k]), dx, *map(syntax.copy, xs[k + 1:])]
        term = syntax.call(numpy("einsum"), syntax.copy(spec), *operands)
        total = term if total is None else syntax.binary(total, "+", term)
    return total


def _is_zeros(node: gast.expr) -> bool:
    """Whether a tangent is written as zeros: of what does not vary."""
    return isinstance(node, gast.Call) and isinstance(node.func, (gast.Attribute, gast.Name)) \
        and getattr(node.func, "attr", getattr(node.func, "id", "")) in ("zeros_like", "zeros",
                                                                         "zero_tangent")
