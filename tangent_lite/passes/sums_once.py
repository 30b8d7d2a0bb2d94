"""What both terms of a sum add up with np.sum is added up once.

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(a, br):
...     bmu = a * np.sum(br) - np.sum(br)
...     return bmu
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno                                     # it is not the user's
>>> sums_once(tree.body)
>>> print(emit(tree), end="")
def f(a, br):
    bmu = (a - 1.0) * np.sum(br)
    return bmu
"""
from __future__ import annotations

import functools

import gast

from tangent_lite import syntax
from tangent_lite.analyses.values import bound_name
from tangent_lite.once import may_be_one
from tangent_lite.syntax import binary, constant


def sums_once(body: list[gast.stmt]) -> None:
    """Do so in the statements of ours that bind a name, in place."""
    for node in syntax.statements(body):
        if bound_name(node) is not None and not hasattr(node, "lineno") \
                and isinstance(node.value, gast.BinOp) \
                and isinstance(node.value.op, (gast.Add, gast.Sub)) \
                and not getattr(node.value, "joins", False):
            _join(node)


def _join(node: gast.Assign) -> None:
    value = node.value
    terms = [syntax.factors(value.left), syntax.factors(value.right)]
    for factor in terms[0]:
        if not _is_sum(factor) or not may_be_one(value):
            continue
        same = next((f for f in terms[1] if syntax.same(f, factor)), None)
        if same is None or len(terms[0]) == len(terms[1]) == 1:
            continue
        left, right = (_product([f for f in term if f is not taken])
                       for term, taken in zip(terms, (factor, same)))
        node.value = binary(gast.BinOp(left, value.op, right), "*", factor)
        return


def _product(factors: list[gast.expr]) -> gast.expr:
    return functools.reduce(lambda left, right: binary(left, "*", right), factors) \
        if factors else constant(1.0)


def _is_sum(value: gast.expr) -> bool:
    return isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute) \
        and value.func.attr == "sum" and isinstance(value.func.value, gast.Name)
