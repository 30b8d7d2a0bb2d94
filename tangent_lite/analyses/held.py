"""Values that are containers, or what these hold: tangents share memory as the values do."""
from __future__ import annotations

import gast
import numpy as np

from tangent_lite import kinds, runtime
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.runtime.objects import replaced

# Whether their results share memory with what they are given depends on shapes and types alone, so
# it is so for tangents where it is so for values.
SHARED_ALIKE = (runtime.unbroadcast, runtime.unreduce, runtime.match, runtime.through_dtype,
                np.broadcast_to, np.expand_dims, np.squeeze, np.asarray, np.atleast_1d,
                np.atleast_2d, np.ndarray.squeeze)


def in_container(node: gast.expr, typer: Typer, facts: Inferred) -> bool:
    """Whether a value is a container, or what one holds: the tangents share memory in one way."""
    if isinstance(node, (gast.Tuple, gast.List, gast.Dict)):
        return True
    if isinstance(node, (gast.Subscript, gast.Attribute)):
        return isinstance(typer.kind(node.value), (kinds.ListKind, kinds.TupleKind, kinds.DictKind,
                                                   kinds.MapKind, kinds.RecordKind))
    if isinstance(node, gast.BinOp):
        return any(isinstance(typer.kind(p), (kinds.ListKind, kinds.TupleKind))
                   for p in (node.left, node.right))
    if isinstance(node, gast.Call):
        function, _ = facts.callees.get(id(node), (NO_OBJECT, None))
        return isinstance(function, type) or function in SHARED_ALIKE or function is replaced or \
            getattr(function, "__objclass__", None) in (list, dict)
    return False
