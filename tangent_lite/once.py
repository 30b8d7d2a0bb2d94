"""Whether an expression may be evaluated once where it stands there twice.

>>> [is_plain(syntax.parse_expression(text)) for text in (
...     "np.sin(x) + a[0]", "np.sum(x, axis=0)", "tape.pop()", "np.sin(x, out=y)")]
[True, True, False, False]
"""
from __future__ import annotations

import gast

from tangent_lite import syntax

_PLAIN = frozenset({gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp, gast.Attribute,
                    gast.Subscript, gast.Call, gast.keyword, gast.Slice, gast.Tuple})


def is_plain(node: gast.expr) -> bool:
    """Whether evaluating an expression once instead of twice changes nothing but time."""
    classes = syntax.classes_in(node)
    return classes <= _PLAIN and not (gast.Call in classes and any(
        (isinstance(call.func, gast.Attribute) and call.func.attr == "pop")
        or any(keyword.arg in ("out", None) for keyword in call.keywords)
        for call in syntax.all_of(node, gast.Call)))


def may_be_one(node: gast.expr) -> bool:
    """Whether an expression that stands there twice may be evaluated once, and when does not
    matter either."""
    classes = syntax.classes_in(node)
    return classes <= _PLAIN and (gast.Call not in classes or (is_plain(node) and not any(
        getattr(call, "acts", False) for call in syntax.all_of(node, gast.Call))))
