"""Results (value, something else) of which the value alone is differentiated, as with has_aux.

    return loss, {"residual": r}        the adjoint that the backward half takes is that of loss
    result = loss, None                 here that of result[0]
    return result

What else is returned has no adjoint. One of zeros would have to be made at each call and led
through all that was computed for it, where zero times infinity is no longer zero.
"""
from __future__ import annotations

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.inferred import Inferred


def value_in(result: gast.expr | None, facts: Inferred) -> gast.expr | None:
    """The expression of the value in what a function returns; None if it is not known to be a
    tuple of two."""
    if isinstance(result, gast.Tuple) and len(result.elts) == 2:
        return result.elts[0]
    if isinstance(result, gast.Name):
        kind = facts.names.get(result.id)
        if isinstance(kind, kinds.TupleKind) and len(kind.items) == 2:
            return syntax.subscript(syntax.load(result.id), syntax.constant(0))
    return None
