"""What a function surely made itself, by its text alone."""
from __future__ import annotations

import types

import gast
import numpy as np

from tangent_lite import syntax
from tangent_lite.analyses.meant_outside import meant
from tangent_lite.analyses.purity import can_be_hashed

_MAKING = {np.array, np.zeros, np.ones, np.empty, np.full, np.eye, np.zeros_like, np.ones_like,
           np.empty_like, np.full_like, np.copy, np.linspace, np.arange}
_MAKING_ANEW = {list, dict, set, float, int, sum, len, sorted}
_COMPUTED = (gast.Constant, gast.BinOp, gast.UnaryOp, gast.Compare, gast.JoinedStr)
_DISPLAYS = (gast.List, gast.Dict, gast.Set, gast.ListComp, gast.SetComp, gast.DictComp)
_PUTTING = ("append", "extend", "insert", "setdefault", "update", "add", "fill", "put", "itemset")


class MadeHere:
    """Local names that mean numbers and containers which the function made, wherever it binds them,
    and whatever is called so in the functions that stand in it; named: the names that the function
    binds, or a function in it.

    What such a container holds may be of others: `rows = list(given)`, `rows[0] *= 2.0`.
    """

    def __init__(self, tree: gast.FunctionDef, function: types.FunctionType,
                 named: frozenset[str]) -> None:
        self.function, self.named = function, named
        made: dict[str, int] = {}
        bound: dict[str, int] = {}
        holding: set[str] = set()           # what may hold something that was there before
        for node in syntax.walk(tree):
            if isinstance(node, gast.Assign):
                for target in node.targets:
                    if isinstance(target, gast.Name) and self.is_new(node.value):
                        made[target.id] = made.get(target.id, 0) + 1
                        if not self.holds_new(node.value):
                            holding.add(target.id)
                    elif isinstance(target, gast.Subscript) and not self.is_new(node.value):
                        holding.add(getattr(target.value, "id", ""))
            elif isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
                made[node.target.id] = made.get(node.target.id, 0) + 1      # in place, of what it
                if not self.is_computed(node.value):                        # means
                    holding.add(node.target.id)
            elif isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) \
                    and node.func.attr in _PUTTING and not all(map(self.is_computed, node.args)):
                holding.add(getattr(node.func.value, "id", ""))
            for name in _bound_by(node):
                bound[name] = bound.get(name, 0) + 1
        given = {n.id for n in syntax.names_in(tree) if isinstance(n.ctx, gast.Param)}
        self.names = {n for n in bound if bound[n] == made.get(n)} - given
        self.holding = holding

    def changes_own(self, node: gast.AugAssign) -> bool:
        """Whether what is changed in place is the function's own: a name, or an item of one."""
        if isinstance(node.target, gast.Name):
            return node.target.id in self.names
        owner = getattr(getattr(node.target, "value", None), "id", None)
        return isinstance(node.target, gast.Subscript) and owner in self.names - self.holding

    def is_new(self, value: gast.expr) -> bool:
        """Whether an expression makes a number or a container, or an array."""
        if isinstance(value, gast.Call):
            made = meant(value.func, self.function, self.named)
            return can_be_hashed(made) and (made in _MAKING_ANEW or self.makes_array(value))
        return isinstance(value, (*_COMPUTED, *_DISPLAYS))

    def makes_array(self, value: gast.Call) -> bool:
        made = meant(value.func, self.function, self.named)
        return can_be_hashed(made) and made in _MAKING \
            and {k.arg for k in value.keywords} <= {"dtype", "order", "shape"}

    def holds_new(self, value: gast.expr) -> bool:
        """Whether what is made holds nothing that was there before."""
        if isinstance(value, gast.Call):
            made = meant(value.func, self.function, self.named)
            return self.makes_array(value) or made in (float, int, len) or not value.args
        if isinstance(value, (gast.List, gast.Set, gast.Tuple)):
            return all(map(self.is_computed, value.elts))
        if isinstance(value, gast.Dict):
            return all(map(self.is_computed, value.values))
        if isinstance(value, (gast.ListComp, gast.SetComp)):
            return self.is_computed(value.elt)
        if isinstance(value, gast.DictComp):
            return self.is_computed(value.value)
        return self.is_computed(value)

    def is_computed(self, value: gast.expr) -> bool:
        """Whether a value is new, all through: of operations with containers the parts are not."""
        if isinstance(value, (*_DISPLAYS, gast.Call)):
            return self.is_new(value) and self.holds_new(value)
        if isinstance(value, gast.BinOp):
            shown = [part for part in (value.left, value.right)
                     if isinstance(part, (gast.List, gast.Dict, gast.Tuple, gast.Set))]
            return all(map(self.holds_new, shown))
        return isinstance(value, _COMPUTED)


def _bound_by(node: gast.AST) -> list[str]:
    """The names that a node binds; imports, patterns and the like have the text of theirs."""
    if isinstance(node, gast.Name):
        return [node.id] if isinstance(node.ctx, gast.Store) else []
    if isinstance(node, gast.alias):
        return [(node.asname or node.name).split(".")[0]]
    return [name for name in (getattr(node, "name", None), getattr(node, "rest", None))
            if isinstance(name, str)]
