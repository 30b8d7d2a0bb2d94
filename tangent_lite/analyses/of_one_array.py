"""What is computed of one array and of literals alone: it has the type of the array, of single or
of double precision.

>>> from types import SimpleNamespace
>>> import numpy as np
>>> tree = gast.parse('''
... w2 = w ** 2
... total = np.sum(w2, axis=1, keepdims=True)
... size = np.sqrt(total)
... other = size * y
... ''')
>>> facts = SimpleNamespace(callees={id(call): (getattr(np, call.func.attr), None)
...                                  for call in syntax.all_of(tree, gast.Call)})
>>> found = OfOneArray(tree.body, facts)
>>> [found.is_of(syntax.load(name), "w") for name in ("w", "size", "other", "y")]
[True, True, False, False]
"""
from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangent_lite import syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import definitions
from tangent_lite.inference import NO_OBJECT

# Functions whose result is of the type of their argument.
_OF_THE_SAME_TYPE = (np.sum, np.mean, np.max, np.amax, np.min, np.amin, np.sqrt, np.abs,
                     np.absolute, np.square, np.linalg.norm, np.exp, np.log, np.std, np.var,
                     np.ndarray.sum, np.ndarray.mean, np.ndarray.max, np.ndarray.min,
                     np.ndarray.std, np.ndarray.var)
_OPERATORS = (gast.Add, gast.Sub, gast.Mult, gast.Div, gast.Pow)


class OfOneArray:
    """Looks at what the names of a body are bound to."""

    def __init__(self, body: list[gast.stmt], facts: Inferred) -> None:
        self.facts = facts
        self.bindings: dict[str, list[Any]] = {}
        for node in syntax.statements(body):
            names = syntax.bound_names(node.target) if isinstance(node, gast.For) \
                else definitions(node)
            for name in names:
                self.bindings.setdefault(name, []).append(node)

    def is_of(self, value: Any, array: str) -> bool:
        """Whether an expression is computed of an array, which is given by its name, alone."""
        if isinstance(value, gast.Constant):
            return type(value.value) in (int, float)
        if isinstance(value, gast.Name):
            if value.id == array:
                return True
            bindings = self.bindings.get(value.id, [])
            return len(bindings) == 1 and isinstance(bindings[0], gast.Assign) \
                and isinstance(bindings[0].targets[0], gast.Name) \
                and self.is_of(bindings[0].value, array)
        if isinstance(value, gast.BinOp):
            return isinstance(value.op, _OPERATORS) and self.is_of(value.left, array) \
                and self.is_of(value.right, array)
        if isinstance(value, gast.UnaryOp):
            return isinstance(value.op, gast.USub) and self.is_of(value.operand, array)
        return isinstance(value, gast.Call) and self.is_made_of(value, array)

    def is_made_of(self, call: gast.Call, array: str) -> bool:
        function, receiver = self.facts.callees.get(id(call), (NO_OBJECT, None))
        given = call.args if receiver is None else [receiver, *call.args]
        return any(function is one for one in _OF_THE_SAME_TYPE) and bool(given) \
            and self.is_of(given[0], array) \
            and all(keyword.arg in ("axis", "keepdims") for keyword in call.keywords) \
            and all(isinstance(one, gast.Constant) for one in given[1:])
