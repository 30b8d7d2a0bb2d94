"""A temporary that is another name of an adjoint goes, and the adjoint is bound anew behind its
last use.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import FLOAT
>>> tree = gast.parse('''
... def f(b, s, bs, bb, bw):
...     bt = bs
...     bs = bt * b
...     bb += bt * s
...     bw += bt
...     return bs, bb, bw
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno                                     # it is not the user's
>>> names = ["b", "s", "bs", "bb", "bw"]
>>> floats = dict.fromkeys([*names, "bt"], FLOAT)
>>> rejoin(tree.body, "bt".__eq__, {"bs", "bb", "bw"},
...        SameMemory(tree.body, names, Typer({}, {}.get), floats), Mentions())
>>> print(emit(tree), end="")
def f(b, s, bs, bb, bw):
    bb += bs * s
    bw += bs
    bs = bs * b
    return bs, bb, bw

That is the adjoint of `s = w + b * s`, whose last operand is reached first. Nothing that the
statement crosses reads what it binds, or changes what it reads.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.mentions import Mentions
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.analyses.values import bound_name
from tangent_lite.once import may_be_one
from tangent_lite.syntax import COMPOUND

FAR = 30                # statements between a name and its last use
_CROSSED = (gast.Assign, gast.AugAssign, gast.Expr, *COMPOUND)


def rejoin(body: list[gast.stmt], is_temporary: Callable[[str], bool], adjoints: Collection[str],
           memory: SameMemory, mentions: Mentions) -> None:
    """Do so in a body, in place; is_temporary: whether a name is ours; memory: which names may
    hold the same, and kinds; mentions: what the statements mention, which changes here."""
    if any(_copied(node, is_temporary, adjoints) for node in syntax.statements(body)):
        _Rejoiner(body, is_temporary, adjoints, memory, mentions).block(body)
        memory.forget()


def _copied(node: Any, is_temporary: Callable[[str], bool],
            adjoints: Collection[str]) -> str | None:
    """The temporary that a statement of ours makes another name of an adjoint."""
    name = bound_name(node)
    if name is None or hasattr(node, "lineno") or node.value.__class__ is not gast.Name \
            or node.value.id not in adjoints or not is_temporary(name):
        return None
    return name


class _Rejoiner:
    def __init__(self, body: list[gast.stmt], is_temporary: Callable[[str], bool],
                 adjoints: Collection[str], memory: SameMemory, mentions: Mentions) -> None:
        self.is_temporary, self.adjoints = is_temporary, adjoints
        self.memory, self.mentions = memory, mentions
        everything = syntax.every_statement(body)
        self.bound = Counter([name for node in everything for name in self.binds(node)])
        self.used = Counter([name for node in everything for name in mentions[node].names])

    def binds(self, node: Any) -> list[str]:
        return syntax.bound_names(node.target) if isinstance(node, gast.For) \
            else self.mentions[node].binds

    def block(self, block: list[gast.stmt]) -> None:
        spot = 0
        while spot < len(block):
            node: Any = block[spot]
            if isinstance(node, COMPOUND):
                self.block(node.body)
                self.block(node.orelse)
            name = _copied(node, self.is_temporary, self.adjoints)
            if name is not None and self.bound[name] == 1 \
                    and self.has_gone(block, spot, name, node.value.id):
                del block[spot]
            else:
                spot += 1

    def has_gone(self, block: list[gast.stmt], start: int, name: str, adjoint: str) -> bool:
        """Whether a name that is bound to an adjoint could be replaced by it in all its uses."""
        last = anew = start
        uses = 0
        for spot in range(start + 1, min(len(block), start + FAR)):
            for inner in syntax.statements([block[spot]]):
                if name in self.mentions[inner].names:
                    uses += self.mentions[inner].names.count(name)
                    last = spot
                if adjoint in self.binds(inner) and anew == start:
                    anew = spot
            if uses == self.used[name]:
                break
        if not uses or uses != self.used[name]:
            return False
        if start < anew < last:
            if not self.may_move(block, anew, last, adjoint):
                return False
            block.insert(last, block.pop(anew))
        elif anew == last and bound_name(block[anew]) is None:
            return False                            # it is used behind that as well
        swap = syntax.Substitute({name: gast.Name(adjoint, gast.Load(), None, None)})
        for node in block[start + 1:last + 1]:
            for inner in syntax.statements([node]):
                if name in self.mentions[inner].names:
                    _swapped(inner, swap)
                    self.mentions.rewritten(inner)
        self.used[adjoint] += uses - 1
        return True

    def may_move(self, block: list[gast.stmt], start: int, last: int, adjoint: str) -> bool:
        """Whether the statement that binds an adjoint anew may stand behind others."""
        node: Any = block[start]
        reads = self.mentions[node].reads
        return bound_name(node) is not None and not hasattr(node, "lineno") \
            and may_be_one(node.value) and adjoint not in reads \
            and all(map(self.memory.is_pure, self.mentions[node].calls)) \
            and all(self.may_cross(crossed, adjoint, reads)
                    for crossed in syntax.statements(block[start + 1:last + 1]))

    def may_cross(self, crossed: gast.stmt, adjoint: str, reads: set[str]) -> bool:
        """Whether a statement may come before one that binds a name to what is made of others."""
        binds = self.binds(crossed)
        if not isinstance(crossed, _CROSSED) or adjoint in self.mentions[crossed].uses \
                or adjoint in binds or not reads.isdisjoint(binds):
            return False
        if isinstance(crossed, COMPOUND):
            return not self.mentions[crossed].calls
        return all(self.memory.apart(name, read) for name in self.memory.changed(crossed)
                   for read in reads)


def _swapped(node: Any, swap: syntax.Substitute) -> None:
    """Replace names in a statement, or in the head of a compound one."""
    if isinstance(node, gast.For):
        node.iter = swap.visit(node.iter)
    elif isinstance(node, COMPOUND):
        node.test = swap.visit(node.test)
    else:
        swap.visit(node)
