"""What an operation makes is nobody else's, and need not be copied to be written into.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import Array
>>> from tangent_lite.analyses.same_memory import SameMemory
>>> tree = gast.parse('''
... def f(by, x):
...     bx = (by * x).copy()
...     bz = by.copy()
...     bx[0] += bz[1]
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno                                     # it is not the user's
>>> known = {"by": Array(1, "float"), "x": Array(1, "float")}
>>> uncopied(tree.body, SameMemory(tree.body, ["by", "x"], Typer({}, {}.get), known))
>>> print(emit(tree), end="")
def f(by, x):
    bx = by * x
    bz = by.copy()
    bx[0] += bz[1]

Neither need what is only computed with, where it is not written to meanwhile:

>>> tree = gast.parse('''
... def f(bx, k, x):
...     bt = bx.copy()
...     bk = bt @ x
...     bz = bt * k
...     bx[0] = 0.0
...     return bk, bz
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno
>>> known = {"bx": Array(1, "float"), "x": Array(1, "float")}
>>> uncopied(tree.body, SameMemory(tree.body, ["bx", "k", "x"], Typer({}, {}.get), known))
>>> print(emit(tree), end="")
def f(bx, k, x):
    bt = bx
    bk = bt @ x
    bz = bt * k
    bx[0] = 0.0
    return bk, bz

Nor need what nobody mentions behind the copy, if it is an array of the function's own:

>>> tree = gast.parse('''
... def f(by, x):
...     bz = by * x
...     bx = bz.copy()
...     bx += by
...     return bx
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno
>>> uncopied(tree.body, SameMemory(tree.body, ["by", "x"], Typer({}, {}.get),
...                                dict.fromkeys(["by", "x", "bx", "bz"], Array(1, "float"))))
>>> print(emit(tree), end="")
def f(by, x):
    bz = by * x
    bx = bz
    bx += by
    return bx

A copy that is to lie in memory as something else does says so (`order="K"`), and stays. Copies
under the same name: see recopied.
"""
from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.syntax import COMPOUND


def uncopied(body: list[gast.stmt], memory: SameMemory) -> None:
    """Do so in a body, in place; statements of the user stay as they are."""
    _leave_fresh(body, memory)
    copied = [found for node in syntax.every_statement(body)
              if (found := _copied(node)) is not None]
    if copied:
        _leave_spent(body, memory)
        _leave_looked_at(body, memory, Counter([n.id for s in body for n in syntax.names_in(s)]))


def _leave_fresh(body: list[gast.stmt], memory: SameMemory) -> None:
    """What an operation makes is nobody else's."""
    for node in syntax.statements(body):
        value = getattr(node, "value", None)
        if isinstance(node, gast.Assign) and not hasattr(node, "lineno") \
                and isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute) \
                and value.func.attr == "copy" and not value.args and not value.keywords \
                and isinstance(value.func.value, gast.BinOp) \
                and memory.is_fresh(value.func.value):
            node.value = value.func.value


def _leave_spent(body: list[gast.stmt], memory: SameMemory) -> None:
    """What is not mentioned any more, nor held by anything else."""
    behind: set[str] = set()            # what is mentioned further down
    for node in reversed(body):
        found = None if isinstance(node, COMPOUND) else _copied(node)
        if found is not None and found.owner is node \
                and isinstance(found.copy.func.value, gast.Name) \
                and found.name != found.of and found.of not in behind \
                and memory.is_array(found.of) and memory.is_held_by(found.of):
            node.value = found.copy.func.value
            memory.forget()
        behind.update(name.id for name in syntax.names_in(node))


def _leave_looked_at(block: list[gast.stmt], memory: SameMemory, counts: Counter[str]) -> None:
    """What is computed with alone; counts: how often names are mentioned."""
    for number, node in enumerate(block):
        if node.__class__ in COMPOUND:
            _leave_looked_at(node.body, memory, counts)
            _leave_looked_at(node.orelse, memory, counts)
            continue
        found = _copied(node)
        if found is not None and _is_looked_at(block[number + 1:], found, memory, counts):
            if found.owner is node:
                node.value = found.copy.func.value
            else:
                found.owner.args[0] = found.copy.func.value
            memory.forget()                             # the two are one from here on


class _Copied:
    """`name = of.copy()`, `name = of[i].copy()`, or within `unbroadcast`: the copy, and what it
    stands in."""

    def __init__(self, name: str, owner: Any, copy: Any) -> None:
        self.name, self.owner, self.copy = name, owner, copy
        self.of: str = getattr(copy.func.value, "value", copy.func.value).id


def _copied(node: Any) -> _Copied | None:
    if not isinstance(node, gast.Assign) or hasattr(node, "lineno") \
            or not isinstance(node.targets[0], gast.Name) or not isinstance(node.value, gast.Call):
        return None
    owner, value = node, node.value
    if getattr(value.func, "id", "") == "unbroadcast":
        owner, value = value, value.args[0]
    if not isinstance(value, gast.Call) or not isinstance(value.func, gast.Attribute) \
            or value.func.attr != "copy" or value.args or value.keywords:
        return None
    copied = value.func.value
    whole = copied.value if isinstance(copied, gast.Subscript) else copied
    return _Copied(node.targets[0].id, owner, value) if isinstance(whole, gast.Name) else None


def _is_looked_at(rest: list[gast.stmt], found: _Copied, memory: SameMemory,
                  counts: Counter[str]) -> bool:
    """Whether the copy is an operand of operations, until the last of which what it is a copy of
    stays what it is. They make new arrays before anything is written into."""
    left = counts[found.name] - 1
    for node in rest:
        names = [n for n in syntax.names_in(node) if n.id == found.name]
        if any(not isinstance(n.ctx, gast.Load) for n in names) \
                or len(names) > _operands(node, found.name):
            return False
        left -= len(names)
        # What is in a loop is looked at again, behind what the loop writes.
        if not left and node.__class__ not in COMPOUND:
            return True
        if found.of in {n.id for n in syntax.names_in(node) if not isinstance(n.ctx, gast.Load)} \
                or not all(memory.apart(name, found.of) for one in syntax.statements([node])
                           if one.__class__ not in COMPOUND for name in memory.changed(one)):
            return False
        if not left:
            return True
    return False


def _operands(node: gast.stmt, name: str) -> int:
    """How often a name is an operand of an operation in a statement."""
    return sum(getattr(side, "id", "") == name for part in syntax.walk(node)
               for side in ([part.left, part.right] if isinstance(part, gast.BinOp) else
                            [part.operand] if isinstance(part, gast.UnaryOp) else []))
