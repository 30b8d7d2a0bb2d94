"""A minus in front of a temporary moves to where the temporary is used, if it vanishes there.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import FLOAT, Array
>>> tree = gast.parse('''
... def f(bz, x, bk):
...     bu = 2.0 * x
...     bt_6 = -bz
...     bt_5 = bt_6 * x
...     bu[:-2] -= bt_5
...     bu[2:] += bt_5
...     bk = bk + bt_6 * 2.0
...     return bu, bk
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno                                     # it is not the user's
>>> vector = Array(1, "float")
>>> known = {"bz": vector, "x": vector, "bu": vector, "bk": vector}
>>> signs(tree.body, {"bt_5", "bt_6"}.__contains__,
...       SameMemory(tree.body, ["bz", "x", "bk"], Typer({}, {}.get), known))
>>> print(emit(tree), end="")
def f(bz, x, bk):
    bu = 2.0 * x
    bt_5 = bz * x
    bu[:-2] += bt_5
    bu[2:] -= bt_5
    bk = bk - bz * 2.0
    return bu, bk

Negation is exact, and so is all that a sign moves through: products, quotients, sums, and maps that
are linear. So each value is what it was, to the bit, or its negative where it is named. The
names are ours and bound once; never are there more signs than before.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import gast
import numpy as np

from tangent_lite import runtime, syntax
from tangent_lite.analyses.mentions import Mentioned, Mentions, definitions
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.kinds import Number, dtype_of
from tangent_lite.minus import leading_minus
from tangent_lite.once import may_be_one
from tangent_lite.syntax import COMPOUND

STEPS = 16              # uses that are looked at for one sign
FAR = 100               # statements between a name and its last use
PRODUCTS = (gast.Mult, gast.Div, gast.MatMult)

# Maps that are linear in their first argument.
_LINEAR = (np.sum, np.tril, np.triu, np.diag, np.transpose, np.reshape, np.dot, np.outer, np.cross,
           runtime.unbroadcast, runtime.unreduce)
_OF_ANY_SIGN = ("shape", "size", "ndim", "dtype")


def signs(body: list[gast.stmt], is_temporary: Callable[[str], bool], memory: SameMemory,
          mentions: Mentions | None = None) -> None:
    """Move them in a body, in place; is_temporary: whether a name is ours; memory: which names may
    hold the same, and kinds; mentions: what the statements mention, which changes here."""
    mover = _Mover(body, is_temporary, memory, Mentions() if mentions is None else mentions)
    for block in mover.blocks:
        mover.block(block)


class _Stays(Exception):
    """A sign cannot be moved through here."""


class _Use(NamedTuple):
    """A statement that mentions a temporary, and where it stands."""
    node: Any
    block: list[gast.stmt]
    spot: int


class _Mover:
    def __init__(self, body: list[gast.stmt], is_temporary: Callable[[str], bool],
                 memory: SameMemory, table: Mentions) -> None:
        self.memory = memory
        self.blocks: list[list[gast.stmt]] = [body]
        self.bound: dict[str, list[_Use]] = {}
        self.used: dict[str, list[_Use]] = {}
        self.fixed: set[str] = set()            # names that are used where no sign can move
        for block in self.blocks:
            for spot, node in enumerate(block):
                self.note(_Use(node, block, spot), table[node])
                if isinstance(node, COMPOUND):
                    self.blocks += [b for b in (node.body, node.orelse) if b]
        self.names = {name for name, uses in self.bound.items()
                      if len(uses) == 1 and name not in self.fixed and is_temporary(name)}
        # What one attempt makes of statements, and what it is of no use for.
        self.work: dict[gast.stmt, Any] = {}
        self.steps, self.light, self.flipped, self.of_another = 0, True, [""], False

    def note(self, use: _Use, mention: Mentioned) -> None:
        """Note what a statement binds and reads."""
        node = use.node
        for name in set(mention.names):
            self.used.setdefault(name, []).append(use)
        for name in syntax.bound_names(node.target) if isinstance(node, gast.For) \
                else mention.binds:
            self.bound.setdefault(name, []).append(use)
            if not _binds_name(node):
                self.fixed.add(name)
        if hasattr(node, "lineno") or hasattr(node, "repeats") \
                or not isinstance(node, (gast.Assign, gast.AugAssign)):
            self.fixed.update(mention.names, mention.binds)
        elif not _binds_name(node):
            for target in node.targets if isinstance(node, gast.Assign) else [node.target]:
                self.fixed |= syntax.all_names(target)

    def block(self, block: list[gast.stmt]) -> None:
        """Move the signs of a block, from the top."""
        gone = {id(node) for node in block if _binds_name(node)
                and node.targets[0].id in self.names and self.moves(node)}
        if gone:
            block[:] = [n for n in block if id(n) not in gone]

    def moves(self, node: Any) -> bool:
        """Move the sign of one temporary, if that is worth it; whether its statement goes."""
        name, value = node.targets[0].id, _unsigned(node.value)
        if value is None or dtype_of(self.memory.kind(value)) not in ("float", "complex"):
            return False
        other = value.id if isinstance(value, gast.Name) else None
        if other is None and not self.memory.is_fresh(value):
            return False
        self.work, self.steps, self.light, self.flipped = {}, 0, True, []
        self.of_another = other is not None and not self.memory.is_number(other)
        try:
            cost = self.flip(name) - 1
        except _Stays:
            return False
        if cost > 0 or (cost == 0 and not (other and self.light)) \
                or (other and not self.stays(other, name)):
            return False
        if other is not None:
            swap = syntax.Substitute({name: value})
            for use in self.used.get(name, ()):
                swap.visit(self.now(use.node))
            self.names.discard(other)               # there are more uses of it now
        for old, made in self.work.items():
            old.__dict__.update({field: getattr(made, field) for field in ("value", "op")
                                 if hasattr(made, field)})
        if other is None:
            node.value = value
        return other is not None

    def stays(self, other: str, name: str) -> bool:
        """Whether a name means the same at all uses of one that was made of it."""
        [(_, block, start)] = self.bound[name]
        end = max((use.spot for use in self.used.get(name, ())), default=start)
        return end - start <= FAR and not any(
            other in definitions(node) or isinstance(node, COMPOUND)
            or not all(self.memory.apart(other, n) for n in self.memory.changed(node))
            for node in block[start + 1:end])           # the last one reads before it writes

    def is_float(self, node: gast.expr) -> bool:
        """Whether an expression surely is made of floats, as all that becomes negative is."""
        return getattr(node, "id", None) in self.flipped \
            or dtype_of(self.memory.kind(node)) in ("float", "complex")

    # One attempt ------------------------------------------------------------------------------
    def now(self, node: gast.stmt) -> Any:
        """A statement as this attempt has made it so far."""
        if node not in self.work:
            self.work[node] = syntax.copy(node)
        return self.work[node]

    def flip(self, name: str) -> int:
        """Let a name stand for the negative of what it stands for; how many signs more that takes.
        """
        [(_, block, start)] = self.bound[name]
        self.flipped.append(name)
        total = 0
        for use in self.used.get(name, ()):
            self.steps += 1
            if use.block is not block or use.spot <= start or self.steps > STEPS:
                raise _Stays
            made = self.now(use.node)
            before = _signs(made.value)
            sign, made.value = _pulled(made.value, name, self.memory)
            total += self.put(use, made, sign) - before
        return total

    def put(self, use: _Use, made: Any, sign: int) -> int:
        """Put a sign into a statement, or into what it binds; how many signs that leaves."""
        if isinstance(made, gast.AugAssign):
            if sign < 0:
                if not isinstance(made.op, (gast.Add, gast.Sub)):
                    raise _Stays
                made.op = gast.Sub() if isinstance(made.op, gast.Add) else gast.Add()
            return _signs(made.value)
        # What was an array of its own stays one; and what was not does, or would be another's.
        fresh = self.memory.is_fresh(use.node.value)
        if self.of_another and not fresh:
            raise _Stays
        if sign < 0:
            negated = _negated(syntax.copy(made.value), self.is_float) if fresh else None
            cost = None if negated is None else _signs(negated)
            if _binds_name(made) and made.targets[0].id in self.names:
                kept = {node: syntax.copy(n) for node, n in self.work.items()}
                light = self.light
                here = syntax.copy(made)
                try:
                    below = _signs(made.value) + self.flip(made.targets[0].id)
                    if (cost is None or below < cost) and (
                            not fresh or self.memory.is_fresh(here.value)):
                        return below
                except _Stays:
                    pass
                self.work, self.light = kept, light
                made = self.work[use.node] = here
            if negated is None or cost is None:
                raise _Stays
            first = _leftmost(made.value)
            self.light &= isinstance(first, gast.Constant) or getattr(
                first, "id", None) == self.flipped[0] or isinstance(self.memory.kind(first), Number)
            made.value = negated
        if fresh and not self.memory.is_fresh(made.value):
            raise _Stays
        return _signs(made.value)


def _binds_name(node: Any) -> bool:
    """Whether a statement of ours binds one name."""
    return node.__class__ is gast.Assign and len(node.targets) == 1 \
        and isinstance(node.targets[0], gast.Name) and not hasattr(node, "lineno")


def _signs(value: gast.expr) -> int:
    return sum(isinstance(n, gast.UnaryOp) and isinstance(n.op, gast.USub)
               and not isinstance(n.operand, gast.Constant) for n in syntax.walk(value))


def _unsigned(value: gast.expr) -> gast.expr | None:
    """What an expression is the negative of, where it says so: a * b, of `-a * b`."""
    if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub):
        return None if isinstance(value.operand, gast.Constant) else value.operand
    return leading_minus(syntax.copy(value)) if isinstance(value, gast.BinOp) \
        and _signs(value) else None


def _leftmost(value: gast.expr) -> gast.expr:
    while isinstance(value, gast.BinOp) and isinstance(value.op, PRODUCTS):
        value = value.left
    return value


def _negated(value: gast.expr, is_float: Callable[[gast.expr], bool]) -> gast.expr:
    """The negative of an expression, which is changed."""
    if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub):
        return value.operand
    spine, parent = value, None
    while isinstance(spine, gast.BinOp) and isinstance(spine.op, PRODUCTS):
        parent, spine = spine, spine.left
    if parent is None:
        if isinstance(value, gast.BinOp) and isinstance(value.op, gast.Sub) \
                and may_be_one(value):
            return gast.BinOp(value.right, value.op, value.left)
        return syntax.minus(value)
    if isinstance(spine, gast.UnaryOp) and isinstance(spine.op, gast.USub):
        parent.left = spine.operand
    elif (isinstance(spine, gast.Constant) and type(spine.value) is float) or is_float(spine):
        parent.left = syntax.minus(spine)
    else:
        return syntax.minus(value)
    return value


def _pulled(value: gast.expr, name: str, memory: SameMemory) -> tuple[int, gast.expr]:
    """A sign, and what an expression is but for it, when a name is the negative of what it was."""
    if name not in syntax.all_names(value):
        return 1, value
    if isinstance(value, gast.Name):
        return -1, value
    if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub):
        sign, inner = _pulled(value.operand, name, memory)
        return (1, inner) if sign < 0 else (1, syntax.minus(inner))
    if isinstance(value, gast.BinOp):
        one, value.left = _pulled(value.left, name, memory)
        other, value.right = _pulled(value.right, name, memory)
        if isinstance(value.op, (gast.Mult, gast.MatMult)) or (
                isinstance(value.op, gast.Div) and other > 0):
            return one * other, value
        if isinstance(value.op, (gast.Add, gast.Sub)) and not getattr(value, "joins", False):
            return _sum(value, one, other if isinstance(value.op, gast.Add) else -other)
    elif isinstance(value, gast.Attribute) and value.attr == "T":
        sign, value.value = _pulled(value.value, name, memory)
        return sign, value
    elif isinstance(value, gast.Attribute) and value.attr in _OF_ANY_SIGN:
        sign, value.value = _pulled(value.value, name, memory)
        return 1, value
    elif isinstance(value, gast.Subscript) and name not in syntax.all_names(value.slice):
        sign, value.value = _pulled(value.value, name, memory)
        return sign, value
    elif isinstance(value, gast.Call) and value.args and not any(
            name in syntax.all_names(n) for n in (value.func, *value.args[1:], *value.keywords)) \
            and {k.arg for k in value.keywords} <= {"axis", "keepdims"} \
            and any(memory.object_of(value.func) is one for one in _LINEAR):
        sign, value.args[0] = _pulled(value.args[0], name, memory)
        return sign, value
    raise _Stays


def _sum(value: gast.BinOp, one: int, other: int) -> tuple[int, gast.expr]:
    """A sum of two terms with their signs: the sign in front of it, and the sum."""
    if one < 0 and other < 0:
        return -1, gast.BinOp(value.left, gast.Add(), value.right)
    if one < 0:
        if not may_be_one(value):
            raise _Stays
        return 1, gast.BinOp(value.right, gast.Sub(), value.left)
    return 1, gast.BinOp(value.left, gast.Add() if other > 0 else gast.Sub(), value.right)
