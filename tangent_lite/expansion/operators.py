"""Operators and brackets that stand for calls: of methods of objects, and `np.r_[x, y]`."""
from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, syntax
from tangent_lite.expansion import Written
from tangent_lite.expansion.matrices import Matrices
from tangent_lite.expansion.objects import Objects
from tangent_lite.inference import NO_OBJECT
from tangent_lite.inference.methods import UNDECIDED, behind, method_of
from tangent_lite.kinds.operators import DUNDERS
from tangent_lite.modules import is_array_like, is_asked_by_arrays
from tangent_lite.runtime.places import joined_columns, joined_rows
from tangent_lite.syntax import load

# np.r_[x, y] and np.c_[x, y] are calls that are written as subscripts.
JOINED = {id(np.r_): joined_rows, id(np.c_): joined_columns}


class Operators(Objects, Matrices):
    """What takes the place of operators."""

    def operator(self, value: Any, plain: Any) -> Written | None:
        """`p + q`, `-p`, `p < q`, `p[i]` and `len(p)` of objects are calls of their methods."""
        owner: Any
        made = self.matrix_operator(value, plain)
        if made is not None:
            return made
        if isinstance(value, gast.UnaryOp):
            name, owner, operands = DUNDERS.get(type(value.op)), value.operand, [plain.operand]
        elif isinstance(value, gast.Subscript):
            if getattr(value, "iterates", False):
                return None         # a step of a loop, which goes by __iter__
            made = self.joined_in_brackets(value, plain)
            if made is not None:
                return made
            name, owner, operands = "getitem", value.value, [plain.value, plain.slice]
        elif isinstance(value, gast.BinOp):
            return self.of_two(value, value.op, [value.left, value.right],
                               [plain.left, plain.right], plain)
        elif isinstance(value, gast.Compare) and len(value.ops) == 1 \
                and type(value.ops[0]) in DUNDERS:
            return self.of_two(value, value.ops[0], [value.left, *value.comparators],
                               [plain.left, *plain.comparators], plain)
        else:
            return None
        if name is None or not self.are_at_hand(operands):
            return None
        found = self.dunder(f"__{name}__", owner)
        if found is None:
            return None
        return [], gast.copy_location(gast.Call(self.inject(found, name), operands, []), plain)

    def are_at_hand(self, operands: list[gast.expr]) -> bool:
        """Whether operands may be handed to a method as they stand."""
        return all(syntax.is_atom(o) or self.typer.object_of(o) is not NO_OBJECT
                   for o in operands)

    def of_two(self, value: Any, op: gast.AST, seen: list[gast.expr], operands: list[gast.expr],
               plain: gast.expr) -> Written | None:
        """`p + q` and `p < q`, where an operand is an object whose class defines it."""
        if not self.are_at_hand(operands):
            return None
        found = behind(self.typer, op, seen[0], seen[1], hasattr(plain, "of_part"))
        if found is None or found is UNDECIDED or (isinstance(op, gast.cmpop) and found.on_right):
            return None         # what is left in the end, `checks.special_methods` refuses
        if found.on_right:
            operands = operands[::-1]
            owner: Any = getattr(self.typer.kind(seen[1]), "type", None)
            left = self.typer.kind(seen[0])
            may_be_array = isinstance(left, (kinds.Array, kinds.Numeric)) or (
                isinstance(left, kinds.Number) and kinds.value_of(left) is kinds.NO_VALUE
                and is_array_like(owner))       # which a number of NumPy's makes an array of
            if may_be_array and not is_asked_by_arrays(owner):
                if isinstance(left, kinds.Numeric) and not self.context.settled:
                    self.context.waits = True   # it may be a number, once more is written out
                    return None
                raise self.context.refuse(
                    value, f"NumPy makes arrays of objects of {owner.__name__}",
                    "use float(x), or let the class have __array_ufunc__ = None")
        called = gast.Call(self.inject(found.method, DUNDERS[type(op)]), operands, [])
        return [], gast.copy_location(called, plain)

    def object_grows(self, value: gast.AugAssign, plain: gast.AugAssign) -> Written | None:
        """`p += v` of an object is `p = p.__iadd__(v)`, or `p = p + v` where its class has none."""
        if not isinstance(plain.target, gast.Name) or not isinstance(value.target, gast.Name):
            return None
        made = self.object_changed(load(plain.target.id), load(value.target.id), value, plain)
        if made is None:
            return None
        return [], made

    def object_changed(self, plain_target: gast.expr, target: gast.expr, value: gast.AugAssign,
                       plain: gast.AugAssign) -> gast.expr | None:
        """What `p += v` of an object or a tuple binds p to; None of others."""
        name = DUNDERS[type(value.op)]
        kind = self.typer.kind(target)
        found = behind(self.typer, value.op, target, value.value, in_place=True)
        if found is UNDECIDED:
            return None
        if found is not None and found.name == f"__i{name}__":
            made: gast.expr = gast.Call(self.inject(found.method, f"i{name}"),
                                        [plain_target, plain.value], [])
        elif not hasattr(getattr(kind, "type", None), f"__i{name}__") and (
                isinstance(kind, kinds.TupleKind) or found is not None):
            made = gast.BinOp(plain_target, plain.op, plain.value)
        else:
            return None
        return gast.copy_location(made, plain)

    def joined_in_brackets(self, value: gast.Subscript, plain: gast.Subscript) -> Written | None:
        """`np.r_[x, 2.0 * y]` as the call that it is, its parts given names."""
        joined = JOINED.get(id(self.typer.object_of(value.value)))
        parts = self.parts_joined(value.slice, plain.slice)
        if joined is None or parts is None or any(
                isinstance(p, gast.Call) and isinstance(p.func, gast.Name) and p.func.id == "slice"
                and self.active_bounds(p) for p in parts):
            return None
        first: list[gast.stmt] = []
        given = [p if isinstance(p, (gast.Name, gast.Constant)) or not syntax.read_names(p)
                 else self.named(first, "part", p) for p in parts]
        call = gast.Call(self.inject(joined, joined.__name__), given, [])
        return self.normal(first, plain), gast.copy_location(call, plain)

    def parts_joined(self, seen: gast.expr, plain: gast.expr) -> list[gast.expr] | None:
        """What stands in the brackets of np.r_; for a tuple that has a name, its parts. None if it
        is not known whether it is one."""
        if not isinstance(seen, gast.Name):
            return syntax.key_parts(plain)
        kind = self.typer.kind(seen)
        if isinstance(kind, kinds.TupleKind) and issubclass(kind.type, tuple):
            return [syntax.subscript(plain, syntax.constant(k)) for k in range(len(kind.items))]
        is_one = isinstance(kind, (kinds.Number, kinds.Array, kinds.TupleKind))
        return [plain] if is_one else None

    def active_bounds(self, bounds: gast.Call) -> bool:
        """Whether the bounds of a slice may vary: np.r_[x:2.0:5j] is a linspace."""
        return any(kinds.can_vary(self.typer.names.get(n, kinds.NOTHING))
                   for n in syntax.read_names(bounds))

    def dunder(self, name: str, seen: gast.expr) -> Any:
        """The method behind an operator, if the operand is an object that defines it in Python."""
        return method_of(self.typer, self.typer.kind(seen), name)
