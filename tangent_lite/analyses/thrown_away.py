"""Statements that compute something and do nothing with it: `np.sin(y)`, `y[0]`, alone on a line.

All that such a statement may do is raise, so it stays where it stands, and has no adjoint.
"""
from __future__ import annotations

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.purity import computes
from tangent_lite.analyses.unseen import call_may_change
from tangent_lite.inference import NO_OBJECT

# An object says what its operators do, and a dict may make what is missing.
_PLAIN = (kinds.Number, kinds.Array, kinds.Numeric, kinds.Text, kinds.ListKind, kinds.TupleKind)


def is_thrown_away(value: gast.expr, facts: Inferred) -> bool:
    """Whether a statement that is this expression only computes, of numbers, arrays and lists."""
    if any(not isinstance(facts.names[name], _PLAIN)
           for name in syntax.read_names(value) & facts.names.keys()):
        return False
    for call in syntax.all_of(value, gast.Call):
        function, receiver = facts.callees.get(id(call), (NO_OBJECT, None))
        if computes(function) is not True or call_may_change(call, function, receiver):
            return False
    return True
