"""What one statement adds to one place of an adjoint is added at once.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import FLOAT, Array
>>> tree = gast.parse('''
... def f(x, y, by, bk):
...     bu = 2.0 * x
...     s = by * x
...     bu[:-2] -= s
...     bu[2:] += s
...     bk += by[0]
...     t = by * y
...     bu[:-2] += t
...     bk -= x[0]
...     return bu, bk
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno                                     # it is not the user's
>>> vector = Array(1, "float")
>>> known = {**dict.fromkeys(["x", "y", "by", "bu", "s", "t"], vector), "bk": FLOAT}
>>> accumulate(tree.body, SameMemory(tree.body, ["x", "y", "by"], Typer({}, {}.get), known))
>>> print(emit(tree), end="")
def f(x, y, by, bk):
    bu = 2.0 * x
    s = by * x
    bu[2:] += s
    t = by * y
    bu[:-2] += t - s
    bk += by[0] - x[0]
    return bu, bk

What is added to other parts in between does not matter, overlap or not: only the order of the terms
changes. Nothing in between reads the place, sets it, or changes what is added. Places are numbers
by their names, elements, and slices; of slices arrays are summed where that makes no array more
than the updates do but one of names. Whole arrays stay, where an update costs no slicing.
"""
from __future__ import annotations

import functools
from typing import Any, NamedTuple

import gast

from tangent_lite import syntax
from tangent_lite.analyses.mentions import definitions
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.kinds import Array, Number, dtype_of
from tangent_lite.markers import marker_of
from tangent_lite.once import is_plain
from tangent_lite.syntax import COMPOUND, binary

TOO_LONG = 40           # nodes of a sum that a reader still takes in
OPEN = 12               # places that are kept in mind at a time


def accumulate(block: list[gast.stmt], memory: SameMemory) -> None:
    """Join updates in a block, in place; memory: which names may hold the same, and kinds."""
    out: list[gast.stmt | None] = []
    waiting: dict[Any, _Update] = {}        # by place
    for node in block:
        if isinstance(node, COMPOUND):
            accumulate(node.body, memory)
            accumulate(node.orelse, memory)
        if not isinstance(node, (gast.Assign, gast.AugAssign)) or hasattr(node, "lineno") \
                or marker_of(node) is not None or hasattr(node, "repeats"):
            waiting.clear()                 # so what other statements add stays where it is
            out.append(node)
            continue
        update = _update(node, len(out), memory)
        if waiting:
            done = _done_by(node, update, memory)
            for place in [p for p, other in waiting.items() if done.hinders(other, memory)]:
                del waiting[place]
        out.append(node)
        if update is None:
            continue
        before = waiting.pop(update.place, None)
        total = None if before is None else _joined(before, update)
        if before is not None and total is not None:
            out[before.spot] = None
            node.op, node.value = total
            update = update._replace(terms=before.terms + update.terms,
                                     reads=before.reads | update.reads)
        waiting[update.place] = update
        if len(waiting) > OPEN:
            del waiting[next(iter(waiting))]
    block[:] = [node for node in out if node is not None]


class _Update(NamedTuple):
    """A statement that adds to a place, and nothing else."""
    place: Any                          # what is equal for the same place
    owner: str                          # the number, or the array that it is a part of
    spot: int                           # where the statement stands
    terms: list[tuple[bool, gast.expr]]         # what is added, and whether it is taken off
    reads: set[str]
    of_numbers: bool


def _update(node: gast.Assign | gast.AugAssign, spot: int, memory: SameMemory) -> _Update | None:
    """What a statement adds where, if that is all that it does."""
    if not isinstance(node, gast.AugAssign) or not isinstance(node.op, (gast.Add, gast.Sub)) \
            or not _only_computes(node.value, memory):
        return None
    target, reads = node.target, syntax.read_names(node.value)
    if isinstance(target, gast.Name):
        if not memory.is_number(target.id):
            return None
        owner = target.id
    elif isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name):
        owner = target.value.id
        if not memory.is_array(owner) \
                or dtype_of(memory.known[owner]) not in ("float", "complex") \
                or memory.index_class(target.slice) != "basic" \
                or not _only_computes(target.slice, memory):
            return None
        reads |= syntax.read_names(target.slice)
    else:
        return None
    if owner in reads or not all(memory.apart(owner, name) for name in reads):
        return None
    kinds = [memory.kind(value) for _, value in _terms(node.value)]
    of_numbers = all(isinstance(kind, Number) for kind in kinds)
    if not all(isinstance(kind, (Number, Array)) and dtype_of(kind) in ("float", "complex")
               for kind in kinds):
        return None
    terms = _terms(node.value) if of_numbers else [(False, node.value)]
    less = isinstance(node.op, gast.Sub)
    return _Update(syntax.key(target), owner, spot,
                   [(minus != less, value) for minus, value in terms], reads, of_numbers)


def _only_computes(value: gast.expr, memory: SameMemory) -> bool:
    """Whether an expression may be evaluated later on, if what it reads stays."""
    return is_plain(value) and not any(
        hasattr(call, "acts") or not memory.is_pure(call)
        for call in syntax.all_of(value, gast.Call))


class _Done(NamedTuple):
    """What a statement does; update: what it adds where, if that is all."""
    update: _Update | None
    bound: set[str]
    reads: set[str]
    changed: set[str]                   # names of arrays

    def hinders(self, other: _Update, memory: SameMemory) -> bool:
        """Whether an update cannot wait until behind the statement."""
        bound, update = self.bound, self.update
        adds_to_it = update is not None and update.owner == other.owner
        if other.owner in self.reads or not bound.isdisjoint(other.reads) \
                or (other.owner in bound and not adds_to_it):
            return True
        if not memory.is_number(other.owner) and not all(
                memory.apart(name, other.owner)
                for name in (self.reads if adds_to_it else self.reads | self.changed)):
            return True
        return not all(memory.apart(name, read) for name in self.changed for read in other.reads)


def _done_by(node: Any, update: _Update | None, memory: SameMemory) -> _Done:
    """What a statement does."""
    bound = set(definitions(node))
    if update is None:
        return _Done(None, bound, syntax.all_names(node) - bound, memory.changed(node))
    return _Done(update, bound, update.reads,
                 set() if memory.is_number(update.owner) else {update.owner})


def _joined(one: _Update, other: _Update) -> tuple[gast.operator, gast.expr] | None:
    """The operator and the value of both updates as one; None if they are better left two."""
    terms = one.terms + other.terms
    if sum(1 for _, value in terms for _ in syntax.walk(value)) > TOO_LONG:
        return None
    made = [t for t in terms if not isinstance(t[1], gast.Name)]
    if not (one.of_numbers and other.of_numbers) and len(made) > 1:
        return None                     # one more array would be alive at a time
    # NumPy adds to what was just made, on the left, in place.
    first = made[0] if len(made) == 1 else next((t for t in terms if not t[0]), terms[0])
    less = first[0]
    rest = [t for t in terms if t is not first]
    total = functools.reduce(
        lambda left, term: binary(left, "+" if term[0] == less else "-", term[1]), rest, first[1])
    return gast.Sub() if less else gast.Add(), total


def _terms(value: gast.expr, less: bool = False) -> list[tuple[bool, gast.expr]]:
    """The terms of a sum, and which of them are taken off."""
    if isinstance(value, gast.BinOp) and isinstance(value.op, (gast.Add, gast.Sub)):
        return [*_terms(value.left, less),
                *_terms(value.right, less != isinstance(value.op, gast.Sub))]
    return [(less, value)]
