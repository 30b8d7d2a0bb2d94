"""Write the tangent of each active statement beside it: forward mode.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.kinds import FLOAT, INT
>>> from tangent_lite.stages import tangents_of
>>> def f(x, n):
...     for i in range(n):
...         x = x * x
...     return x
>>> for node in tangents_of(f, wrt="x", x=FLOAT, n=INT).body:
...     print(emit(node), end="")
for i in range(n):
    dx = dx * x + x * dx
    x = x * x
return x, dx

The control flow is the user's. What holds of a value holds of its tangent: dx has the structure and
the shape of x, is bound where x is bound, viewed where x is viewed, written where x is written, and
appended to where x is appended to; so two tangents share memory exactly where their values do.
"""
from __future__ import annotations

from collections import ChainMap
from types import FunctionType
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, registry, syntax
from tangent_lite.adjoints.paths import CONTAINERS
from tangent_lite.analyses import writers
from tangent_lite.analyses.known_kinds import kinds_at
from tangent_lite.analyses.mirrored import CHANGING, mirrored_call
from tangent_lite.analyses.momentary import written_by
from tangent_lite.analyses.thrown_away import is_thrown_away
from tangent_lite.directions.by_rule import ByRule, Context
from tangent_lite.directions.tangents import made_by_rule, mirrors
from tangent_lite.inference import BINARY, NO_OBJECT, UNARY
from tangent_lite.kinds import Array, Number
from tangent_lite.markers import Marker, attempted, is_attempt, mark, marker_of, way_of
from tangent_lite.modules import says
from tangent_lite.result_kinds.mixed import may_round
from tangent_lite.structures.lists import list_change
from tangent_lite.structures.nested import container, is_swap, swap
from tangent_lite.syntax import COMPOUND, assign, bound_names, load, read_names, subscript


def forward(body: list[gast.stmt], context: Context) -> list[gast.stmt]:
    """The body with the tangents in it; it returns (value, tangent)."""
    return _Forward(context).block(body)


class _Forward(ByRule):
    # Statements -------------------------------------------------------------------------------
    def block(self, block: list[gast.stmt]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for node in block:
            if is_attempt(node) and self.may_wait(attempted(node)):
                self.attempt(node)
                node.orelse = self.block(node.orelse)
                out.append(node)
                continue
            if isinstance(node, COMPOUND):
                outer, self.watched = self.watched, self.watched or is_attempt(node)
                node.body = self.block(node.body)
                self.watched = outer
                node.orelse = self.block(node.orelse)
                out.append(node)
                continue
            self.before, self.after = [], []
            made = self.statement(node)
            syntax.serve([*self.before, made, *self.after], node)
            out += [*self.before, made, *self.after]
        return out

    def may_wait(self, body: list[gast.stmt]) -> bool:
        """Whether the tangents of the body of a try can be computed behind it: it binds names, each
        to a value of its own, and what it reads stays what it is."""
        read: set[str] = set()
        for node in body:
            if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name) \
                    or marker_of(node) is not None or getattr(node.value, "in_place", False) \
                    or any(written_by(call, self.context.facts)
                           for call in self.context.facts.mentions[node].calls):
                return False
            read |= read_names(node)
            if node.targets[0].id in read:
                return False
            read.add(node.targets[0].id)
        return True

    def attempt(self, node: gast.If) -> None:
        """The body of a try, and behind it, where no handler looks on, the tangents."""
        body = attempted(node)
        rest = node.body[len(body):]
        late: list[gast.stmt] = []
        outer, self.watched, self.waits = self.watched, True, True
        for one in body:
            self.before, self.after = [], []
            if self.statement(one) is not one:      # which computes the tangent as well
                self.not_watched(one)
            syntax.serve([*self.before, *self.after], one)
            late += [*self.before, *self.after]
        self.watched, self.waits = outer, False
        if late and not rest:
            way: Any = way_of(node)
            rest = [syntax.copy_place(gast.Expr(mark(Marker("else", way[0]))), node)]
        node.body = [*body, *rest[:1], *late, *self.block(rest[1:])]

    def statement(self, node: gast.stmt) -> gast.stmt:
        """The statement itself; its tangents go before or after it."""
        self.typer.names = kinds_at(self.context.facts, id(node))
        after = self.context.facts.after.get(id(node), {})
        self.tangents.know(self.typer)
        operands = [n for n in self.context.activity.operands.get(id(node), [])
                    if n in self.active]
        if isinstance(node, gast.Assign):
            target = node.targets[0]
            if isinstance(target, gast.Name):
                if target.id not in self.active:
                    self.check_call(node)
                    return self.taken(node)
                if marker_of(node) is not None:
                    raise self.refuse(node.value, "what a context manager hands out here depends "
                                                  "on an active value",
                                      "compute it without the context manager")
                return self.binding(node, target.id, node.value, operands,
                                    after.get(target.id, kinds.UNKNOWN))
            if isinstance(target, gast.Tuple):
                return self.unpacking(node, target, operands, after)
            return self.write(node, target)
        if isinstance(node, gast.AugAssign):
            return self.augmented(node)
        if isinstance(node, gast.Delete):
            target = node.targets[0]
            if not isinstance(target, gast.Name) and self.is_active(target.value):
                spot = syntax.subscript(self.tangents.of(target.value), syntax.copy(target.slice),
                                        gast.Del())
                self.before.append(gast.Delete([spot]))
            return node
        if isinstance(node, gast.Expr):
            return node if marker_of(node) is not None else self.effect(node, operands)
        if isinstance(node, gast.Return):
            value = node.value or gast.Constant(None, None)
            both = [value, self.tangents.of(value)]
            return syntax.copy_place(gast.Return(syntax.tuple_of(both)), node)
        return node

    def taken(self, node: gast.Assign) -> gast.stmt:
        """`n = xs.pop()` for a value that does not count: it is taken from the tangents as well."""
        function, _ = self.context.facts.callees.get(id(node.value), (NO_OBJECT, None))
        if isinstance(node.value, gast.Call) and function in CHANGING:
            twin = mirrored_call(function, node.value, self.tangents, self.typer)
            if twin is not None:
                self.before.append(syntax.statement(twin))
        return node

    def check_call(self, node: gast.Assign) -> None:
        """A call whose result does not vary may still change what varies (as in `plan`)."""
        function, _ = self.context.facts.callees.get(id(node.value), (NO_OBJECT, None))
        found = self.context.activity
        if isinstance(node.value, gast.Call) and isinstance(function, FunctionType) \
                and registry.lookup(function) is None and any(
                    n in found.varied and not isinstance(self.typer.names.get(n), Number)
                    for n in found.operands.get(id(node), ())):
            self.context.check_pair(node.value, function)

    # Bindings ---------------------------------------------------------------------------------
    def binding(self, node: gast.stmt, target: str, value: gast.expr, operands: list[str],
                kind: kinds.Kind) -> gast.stmt:
        """`target = value`, and the tangent of it."""
        if not operands and isinstance(value, (gast.Tuple, gast.List, gast.Dict)):
            self.before.append(assign(self.name(target), self.tangents.of(value)))
            return node
        if not operands and self.makes_zeros(value, kind):
            self.before.append(assign(self.name(target), syntax.copy(value)))
            return node
        if not operands and isinstance(value, gast.Attribute) and value.attr == "__dict__":
            # What is written into it is written into the object, which has a tangent of its own.
            raise self.refuse(value, "writing to an attribute is not handled yet",
                              "keep the value in a variable")
        if not operands:
            # What it is now decides what zero looks like.
            self.typer.names = ChainMap({target: kind}, self.typer.names)
            self.after.append(assign(self.name(target), self.tangents.zero(load(target), kind)))
            return node
        self.filling.check_value(value, kind)
        if isinstance(value, gast.Call):
            return self.call(node, target, value)
        if mirrors(value, self.typer):
            self.before.append(assign(self.name(target), self.tangents.of(value)))
            return node
        if isinstance(value, gast.Subscript):
            raise self.refuse(value, "this subscript is not handled on active values yet",
                              "give what is subscripted a name first")
        if isinstance(value, gast.Attribute):
            if isinstance(self.typer.kind(value.value), CONTAINERS):
                raise self.filling.no_field(value)
            return self.rule(node, target, self.filling.attribute(value), [value.value], {}, value)
        if isinstance(value, gast.BinOp):
            return self.rule(node, target, BINARY[type(value.op)], [value.left, value.right], {},
                             value)
        if isinstance(value, gast.UnaryOp):
            return self.rule(node, target, UNARY[type(value.op)], [value.operand], {}, value)
        raise self.refuse(value, "this expression is not handled on active values yet",
                          "write it as a loop or with NumPy operations")

    def makes_zeros(self, value: gast.expr, kind: kinds.Kind) -> bool:
        """Whether a value is an array of zeros, as its tangent is: `bx = np.zeros_like(x)`."""
        function, _ = self.context.facts.callees.get(id(value), (NO_OBJECT, None))
        return function in (np.zeros, np.zeros_like) and isinstance(kind, Array) \
            and kind.dtype in ("float", "complex")

    def unpacking(self, node: gast.Assign, target: gast.Tuple, operands: list[str],
                  after: dict[str, kinds.Kind]) -> gast.stmt:
        names = bound_names(target)
        if not any(n in self.active for n in names):
            self.check_call(node)
            return node
        if not operands:
            for name in names:
                if name in self.active:
                    kind = after.get(name, kinds.UNKNOWN)
                    zero = self.tangents.zero(load(name), kind)
                    self.after.append(assign(self.name(name), zero))
            return node
        if kinds.may_be_object(self.typer.kind(node.value)) \
                and not made_by_rule(node.value, self.typer):
            raise self.refuse(node, "what is unpacked here is not known to be a tuple",
                              "return a tuple of fixed length")
        if isinstance(node.value, gast.Call):
            return self.call(node, None, node.value)
        if not mirrors(node.value, self.typer):
            raise self.refuse(node, "this unpacking is not handled on active values yet",
                              "unpack a name")
        self.before.append(assign(self.targets(target), self.tangents.of(node.value)))
        return node

    def targets(self, target: gast.expr) -> gast.expr:
        """What receives the tangents of what is unpacked; what does not vary goes to `_`."""
        if isinstance(target, gast.Tuple):
            return syntax.tuple_of(map(self.targets, target.elts), gast.Store())
        if isinstance(target, gast.Starred):
            return gast.Starred(self.targets(target.value), gast.Store())
        if target.id in self.active:
            return syntax.store(self.name(target.id))
        return syntax.store(self.context.fresh(f"d{target.id}"))

    # Writes -----------------------------------------------------------------------------------
    def write(self, node: gast.Assign, target: gast.expr) -> gast.stmt:
        """`x[i] = v`: `dx[i] = dv`, or zero."""
        self.filling.check_write(node, target)
        varied = self.context.activity.varied
        moving = any(n in varied for n in read_names(node.value))
        if isinstance(target, gast.Attribute):
            if moving:
                raise self.refuse(node, "writing to an attribute is not handled yet",
                                  "keep the value in a variable")
            return node
        name = getattr(target.value, "id", None)
        if name is None or name not in self.active:
            owner = self.typer.kind(target.value)
            if moving and (name is None or not isinstance(owner, (Array, kinds.Numeric))) \
                    and kinds.can_vary(self.typer.kind(node.value)):
                raise self.refuse(node, "writing here is not handled on active values yet",
                                  "write to an array that has a name")
            return node
        owner = self.typer.kind(target.value)
        if is_swap(target.slice):
            self.before.append(swap(self.name(name), *target.slice.elts))
            return node
        owner = container(owner, target.slice)
        self.check_written(node, owner)
        spot = subscript(load(self.name(name)), syntax.copy(target.slice), gast.Store())
        value: gast.expr = gast.Constant(0.0, None)
        if self.is_active(node.value) or not isinstance(owner, Array):
            value = self.tangents.of(node.value)
        self.before.append(assign(spot, value))
        return node

    def check_written(self, node: gast.stmt, owner: kinds.Kind) -> None:
        reason = may_round(owner, self.context.is_general) if self.is_active(node.value) else None
        if reason is not None:
            raise self.refuse(node, reason, "make the array a float array")
        if isinstance(owner, (kinds.TupleKind, kinds.RecordKind)):
            raise self.refuse(node, "writing active values into an object is not handled yet",
                              "use an array, or build a new container")

    def augmented(self, node: gast.AugAssign) -> gast.stmt:
        """`x += v`: the tangent is changed in place where the value is."""
        target = node.target
        owner = target.value if isinstance(target, gast.Subscript) else target
        name = getattr(owner, "id", None)
        if name is None or name not in self.active:
            if self.is_active(node.value) and name is None:
                raise self.refuse(node, "writing here is not handled on active values yet",
                                  "write to an array that has a name")
            return node
        kind = container(self.typer.kind(load(name)), getattr(target, "slice", None))
        self.check_written(node, kind)
        if not isinstance(kind, (Number, Array, kinds.ListKind)):
            raise self.refuse(node, f"whether {name} is a number or an array is not known, so "
                                    "neither is what `+=` changes", f"write {name} = {name} + ...")
        spot = syntax.copy(target)
        (spot.value if isinstance(target, gast.Subscript) else spot).id = self.name(name)
        linear = isinstance(node.op, (gast.Add, gast.Sub))
        scaled = isinstance(node.op, (gast.Mult, gast.Div)) and not self.is_active(node.value)
        if isinstance(kind, kinds.ListKind) and isinstance(target, gast.Name):
            if not isinstance(node.op, gast.Add):
                raise self.refuse(node, "this in-place operation is not handled yet",
                                  "write it as a loop")
            self.before.append(_repeating(gast.AugAssign(
                    spot, node.op, self.tangents.of(node.value)), node))
        elif linear:
            if self.is_active(node.value):
                self.before.append(_repeating(gast.AugAssign(
                    spot, node.op, self.tangents.of(node.value)), node))
        elif scaled and not (isinstance(kind, Number) and isinstance(target, gast.Name)):
            self.before.append(gast.AugAssign(spot, node.op, syntax.copy(node.value)))
        else:
            return self.rewritten(node, name, spot, kind)
        return node

    def rewritten(self, node: gast.AugAssign, name: str, spot: gast.expr,
                  kind: kinds.Kind) -> gast.stmt:
        """`x *= v` as x = x * v; the tangent is computed in whole before it is assigned."""
        target, made = node.target, node
        old, tangent = syntax.copy(target), syntax.copy(spot)
        old.ctx = tangent.ctx = gast.Load()
        value = syntax.copy_place(gast.BinOp(old, node.op, node.value), node)
        whole = isinstance(target, gast.Name) and isinstance(kind, Array)
        rule = self.filling.rule_of(BINARY[type(node.op)], [old, node.value], {}, value,
                                    "tangent")
        result = name
        if rule.reads_result:
            result = self.context.fresh("t")
            self.context.facts.names[result] = self.typer.kind(value)
            self.before.append(syntax.copy_place(assign(result, value), node))
            where = _all_of(target) if whole else target
            made = syntax.copy_place(assign(where, load(result)), node)
        first, formula = self.formula(rule, result, [old, node.value], {}, value,
                                      {id(old): tangent}, kind)
        self.before += [*first, assign(_all_of(spot) if whole else spot,
                                       formula or gast.Constant(0.0, None))]
        return made

    # Calls ------------------------------------------------------------------------------------
    def effect(self, node: gast.Expr, operands: list[str]) -> gast.stmt:
        """A call for its effect: what it does to values is done to their tangents."""
        call = node.value
        if not isinstance(call, gast.Call):
            return node
        function, _ = self.context.facts.callees.get(id(call), (NO_OBJECT, None))
        twin = mirrored_call(function, call, self.tangents, self.typer)
        if twin is not None:
            self.before.append(syntax.statement(twin))
            return node
        if list_change(node, self.typer.names) is not None:
            return node                 # of a list that nothing is read of that counts
        entry = registry.lookup(function) if function is not NO_OBJECT else None
        if (entry is None and not hasattr(function, "__code__")) \
                or any(function is one for one in writers.TO_FILES):
            # What it changes is not known to count (object.__setattr__(p, name, x), write(x)); what
            # varies may end up in it all the same.
            found = self.context.activity
            operands = [n for n in found.operands.get(id(node), ()) if n in found.varied]
        if not operands or says(function) or is_thrown_away(call, self.context.facts):
            return node
        if hasattr(function, "__code__") and entry is None:
            # A function of the user that writes to its arguments is refused where it is read.
            self.context.check_pair(call, function)
            return node
        raise self.refuse(node, "a call that may change an active value is not handled yet",
                          "assign its result, or write x[...] = value")

    def call(self, node: gast.stmt, target: str | None, value: gast.Call) -> gast.stmt:
        function, receiver = self.context.facts.callees.get(id(value), (NO_OBJECT, None))
        arguments = ([receiver] if receiver is not None else []) + list(value.args)
        keywords = {k.arg: k.value for k in value.keywords}
        twin = mirrored_call(function, value, self.tangents, self.typer)
        if twin is not None and target is not None:
            self.before.append(assign(self.name(target), twin))
            return node
        self.filling.check_call(function, arguments, keywords, value)
        entry = registry.lookup(function)
        if entry is None and hasattr(function, "__code__"):
            return self.user_call(node, function, arguments, keywords, value)
        if target is None:
            raise self.refuse(node, "several results of one call are not handled here yet",
                              "give the result a name and unpack it")
        return self.rule(node, target, function, arguments, keywords, value)

    def user_call(self, node: gast.Assign, function: Any, arguments: list[gast.expr],
                  keywords: dict[str, gast.expr], value: gast.Call) -> gast.stmt:
        """`y = f(x)`: `y, dy = f_jvp(x, dx)`."""
        self.not_watched(node)
        made, values = self.context.jvp(function, arguments, keywords, value, self.active,
                                        self.tangents)
        call = syntax.copy_place(gast.Call(made, values, []), value)
        target = node.targets[0]
        both = syntax.tuple_of([target, self.targets(target)], gast.Store())
        return syntax.copy_place(gast.Assign([both], call, None), node)


def _all_of(node: gast.Name) -> gast.expr:
    """x[...]"""
    return subscript(load(node.id), gast.Constant(Ellipsis, None), gast.Store())


def _repeating(made: gast.AugAssign, node: gast.AugAssign) -> gast.AugAssign:
    """`np.add.at(x, index, v)` stands as a marked x[index] += v; so does what is done to dx."""
    if hasattr(node, "repeats"):
        made.repeats = syntax.copy(node.repeats)
    return made
