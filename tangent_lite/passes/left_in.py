"""What is taken out of an adjoint and added to the same place again stays where it is.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import FLOAT, Array
>>> tree = gast.parse('''
... def f(bu, k):
...     bu_part = bu[1:-1].copy()
...     bu[1:-1] = 0.0
...     bt = bu_part * k
...     bu[2:] += bt
...     bu[1:-1] += bu_part - 2.0 * bt
...     return bu
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno                                     # it is not the user's
>>> known = {**dict.fromkeys(["bu", "bu_part", "bt"], Array(1, "float")), "k": FLOAT}
>>> left_in(tree.body, SameMemory(tree.body, ["bu", "k"], Typer({}, {}.get), known))
>>> print(emit(tree), end="")
def f(bu, k):
    bu_part = bu[1:-1]
    bt = bu_part * k
    bu[2:] += bt
    bu[1:-1] -= 2.0 * bt
    return bu

So it is with the adjoint of `new[1:-1] = u[1:-1] + ...`, once that of `new` is that of `u`. In
between the adjoint is only added to. The part is a copy only if it is read behind such a sum.
"""
from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.additions import only_adds
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.analyses.values import bound_name
from tangent_lite.kinds import Array
from tangent_lite.once import may_be_one
from tangent_lite.syntax import COMPOUND, is_comment


def left_in(body: list[gast.stmt], memory: SameMemory) -> None:
    """Do so in a body, in place; memory: which names may hold the same, and kinds."""
    if not any(_taken_out(block, spot) for block in syntax.blocks_in(body)
               for spot in range(len(block) - 2)):
        return
    named = Counter(n.id for node in body for n in syntax.names_in(node))
    _left_in(body, memory, named)
    memory.forget()                     # what was a copy may be a view now


def _taken_out(block: list[gast.stmt], spot: int) -> gast.Subscript | None:
    """The part of an adjoint that a statement of ours gives a name, if the next sets it to zero."""
    node, zeroed = block[spot], block[spot + 1]
    if bound_name(node) is None or hasattr(node, "lineno") or hasattr(zeroed, "lineno"):
        return None
    part: Any = node.value
    if isinstance(part, gast.Call) and isinstance(part.func, gast.Attribute) \
            and part.func.attr == "copy" and not part.args and not part.keywords:
        part = part.func.value
    if isinstance(part, gast.Subscript) and isinstance(part.value, gast.Name) \
            and isinstance(zeroed, gast.Assign) and _is_place(zeroed.targets[0], part) \
            and isinstance(zeroed.value, gast.Constant) and type(zeroed.value.value) is float \
            and zeroed.value.value == 0.0:
        return part
    return None


def _is_place(target: gast.expr, part: gast.Subscript) -> bool:
    return isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name) \
        and isinstance(part.value, gast.Name) and target.value.id == part.value.id \
        and syntax.same(target.slice, part.slice)


def _left_in(block: list[gast.stmt], memory: SameMemory, named: Counter[str]) -> None:
    for node in block:
        if isinstance(node, COMPOUND):
            _left_in(node.body, memory, named)
            _left_in(node.orelse, memory, named)
    for spot in range(len(block) - 3, -1, -1):
        part = _taken_out(block, spot) if spot + 1 < len(block) else None
        if part is not None:
            _put_back(block, spot, part, memory, named)
    block[:] = [node for node in block if not _does_nothing(node)]


def _does_nothing(node: Any) -> bool:
    """Whether a loop or a branch of ours has nothing left to do."""
    if not isinstance(node, (gast.For, gast.If)) or hasattr(node, "lineno") or node.orelse \
            or not all(map(is_comment, node.body)):
        return False
    head = node.iter if isinstance(node, gast.For) else node.test
    return all(isinstance(call.func, gast.Name) and call.func.id in ("range", "len")
               for call in syntax.all_of(head, gast.Call))


def _put_back(block: list[gast.stmt], spot: int, part: gast.Subscript, memory: SameMemory,
              named: Counter[str]) -> None:
    """Leave a part in where it is added again; nothing is changed where it is not."""
    name, adjoint = bound_name(block[spot]) or "", part.value.id
    if not isinstance(memory.known.get(adjoint), Array) or not _is_plain(part.slice, memory):
        return
    fixed = {name} | syntax.read_names(part.slice)
    left = named[name] - 1
    first = None                    # the first statement that adds to the adjoint
    read_behind = False             # whether the part is read there, or later, or lives on
    for last in range(spot + 2, len(block)):
        node: Any = block[last]
        if is_comment(node):
            continue
        names = [n.id for n in syntax.names_in(node)]
        left -= names.count(name)
        back = _without(node, part, name) if not left and names.count(name) == 1 else None
        if back is not None:
            break
        if not left or not only_adds(node, adjoint, memory) \
                or (isinstance(node, COMPOUND) and name in names) \
                or not fixed.isdisjoint(n.id for n in syntax.names_in(node)
                                        if not isinstance(n.ctx, gast.Load)) \
                or not all(memory.apart(n, adjoint) for n in names if n not in (adjoint, name)) \
                or name in memory.changed(node):
            return
        if first is None and adjoint in names:
            first = last
        read_behind |= name in names and (first is not None or not _only_reads(node, memory))
    else:
        return
    if not all(memory.apart(n, adjoint) for n in names if n not in (adjoint, name)):
        return
    block[last:last + 1] = back
    del block[spot + 1]
    if named[name] == 2:
        del block[spot]
    elif not read_behind:
        block[spot].value = part
    named[name] -= 1
    named[adjoint] -= 1


def _only_reads(node: gast.stmt, memory: SameMemory) -> bool:
    """Whether a statement computes with what it reads, and gives it no other name."""
    return isinstance(node, gast.AugAssign) or (
        isinstance(node, gast.Assign) and memory.is_fresh(node.value))


def _is_plain(index: gast.expr, memory: SameMemory) -> bool:
    """Whether an index names each element once, and costs nothing to evaluate."""
    return memory.index_class(index) == "basic" and not syntax.all_of(index, gast.Call)


def _without(node: Any, part: gast.Subscript, name: str) -> list[gast.stmt] | None:
    """A statement that adds a part to its place, without the part: none if that is all it does."""
    if not isinstance(node, gast.AugAssign) or hasattr(node, "lineno") \
            or not isinstance(node.op, (gast.Add, gast.Sub)) or not _is_place(node.target, part) \
            or name in syntax.read_names(node.target):
        return None
    terms = _terms(node.value, isinstance(node.op, gast.Add))
    mine = [k for k, (is_added, term) in enumerate(terms)
            if is_added and isinstance(term, gast.Name) and term.id == name]
    if len(mine) != 1:
        return None
    del terms[mine[0]]
    if not terms:
        return []
    if [is_added for is_added, _ in terms] == [False, True] and may_be_one(node.value):
        terms.reverse()                         # `x += b - a`, in place of `x -= a - b`
    is_sum = terms[0][0]
    value = terms[0][1]
    for is_added, term in terms[1:]:
        value = gast.BinOp(value, gast.Add() if is_added is is_sum else gast.Sub(), term)
    node.op, node.value = gast.Add() if is_sum else gast.Sub(), value
    return [node]


def _terms(value: gast.expr, is_added: bool) -> list[tuple[bool, gast.expr]]:
    """The terms of a sum, each with whether it is added."""
    if isinstance(value, gast.BinOp) and isinstance(value.op, (gast.Add, gast.Sub)):
        return [*_terms(value.left, is_added),
                *_terms(value.right, is_added is isinstance(value.op, gast.Add))]
    if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub):
        return _terms(value.operand, not is_added)
    return [(is_added, value)]
