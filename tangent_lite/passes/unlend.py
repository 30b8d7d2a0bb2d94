"""A value that is lent to another name and handed back keeps its own name.

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(bw, g, rate):
...     bw_1 = bw
...     bt = -bw_1
...     bg = bt * rate
...     bw = bw_1
...     return bw, bg
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno                                     # it is not the user's
>>> unlend(tree.body)
>>> print(emit(tree), end="")
def f(bw, g, rate):
    bt = -bw
    bg = bt * rate
    return bw, bg

In between its own name is not mentioned, so it does not matter what is done to the value there, or
read only as long as the other one is not bound anew; the other one is mentioned nowhere else, or
only where both still mean the same.
"""
from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import gast

from tangent_lite import syntax
from tangent_lite.syntax import COMPOUND


def unlend(body: list[gast.stmt]) -> None:
    """Drop such pairs of statements of ours, in place."""
    if any(map(_handed_back, syntax.blocks_in(body))):
        _unlend(body, Counter([part.id for node in body for part in syntax.names_in(node)]))


@dataclass(eq=False, repr=False)
class _Loan:
    """`other = own` in statement `start`; how many mentions of the other are left; in `back` the
    value is handed back; differs: whether the other one was bound anew before that."""
    start: int
    other: str
    left: int
    back: int | None = None
    differs: bool = False


def _unlend(block: list[gast.stmt], counts: Counter[str]) -> None:
    for node in block:
        if isinstance(node, COMPOUND):
            _unlend(node.body, counts)
            _unlend(node.orelse, counts)
    handed_back = _handed_back(block)
    if not handed_back:
        return
    lent: dict[str, _Loan] = {}
    gone: set[int] = set()
    for number, node in enumerate(block):
        pair = _copied(node)
        # What nests is walked again for each block around it, so only where it matters.
        names = [*syntax.names_in(node)] if lent else []
        mentioned = Counter(part.id for part in names)
        bound = {part.id for part in names if not isinstance(part.ctx, gast.Load)}
        for own, loan in list(lent.items()):
            is_back = loan.back is None and pair == (own, loan.other)
            if not is_back and not _goes_on(loan, own, node, mentioned, bound):
                del lent[own]
                continue
            loan.left -= mentioned[loan.other]
            if is_back:
                loan.back, pair = number, None
            if loan.back is not None and not loan.left:
                swap = syntax.Rename({loan.other: own})
                for place in range(loan.start + 1, number + 1):
                    block[place] = swap.visit(block[place])
                counts[own] += counts.pop(loan.other) - 4
                gone |= {loan.start, loan.back}
                del lent[own]
        if pair in handed_back:
            lent[pair[1]] = _Loan(number, pair[0], counts[pair[0]] - 1)
        elif pair is not None:
            lent.pop(pair[1], None)                 # it is lent once more, and stays so
    block[:] = [node for number, node in enumerate(block) if number not in gone]


def _handed_back(block: list[gast.stmt]) -> set[tuple[str, str]]:
    """(other, own) of what a block lends somewhere and hands back somewhere."""
    pairs = {pair for pair in map(_copied, block) if pair is not None and pair[0] != pair[1]}
    return {(other, own) for other, own in pairs if (own, other) in pairs}


def _goes_on(loan: _Loan, own: str, node: gast.stmt, mentioned: Counter[str],
             bound: set[str]) -> bool:
    """Whether a statement leaves a loan as it is: until the value is handed back its own name is
    not mentioned, or read while both names mean it; from then on both names mean it, as long as
    neither is bound anew."""
    if loan.back is None:
        loan.differs = loan.differs or loan.other in bound
        return own not in mentioned or (own not in bound and not loan.differs)
    if loan.other in bound:
        return False
    # A simple statement reads before it binds.
    return own not in bound or (not isinstance(node, COMPOUND)
                                and loan.left == mentioned[loan.other])


def _copied(node: gast.stmt) -> tuple[str, str] | None:
    """(x, y) of a statement `x = y` of ours."""
    if isinstance(node, gast.Assign) and not getattr(node, "lineno", None) \
            and isinstance(node.targets[0], gast.Name) and isinstance(node.value, gast.Name):
        return node.targets[0].id, node.value.id
    return None
