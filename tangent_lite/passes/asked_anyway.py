"""Leave out what asks whether a name is bound where the next statement reads the name anyway.

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(x, n):
...     for k in range(n):
...         if k > 2:
...             h = x * k
...         # raises if h is not bound
...         h
...         s = s * h
...     return s
... ''').body[0]
>>> tree.body[0].body.insert(1, syntax.comment("# raises if h is not bound"))
>>> tree.body[0].body[2].may_raise = True
>>> asked_anyway(tree.body, ["x", "n"])
>>> print(emit(tree), end="")
def f(x, n):
    for k in range(n):
        if k > 2:
            h = x * k
        s = s * h
    return s

Where nothing is left that binds the name, Python would look for it outside, so the error is raised.
"""
from __future__ import annotations

from collections.abc import Iterable, Set

import gast

from tangent_lite import syntax
from tangent_lite.adjoints.unbound import raises
from tangent_lite.analyses.liveness import bound_in
from tangent_lite.analyses.unsure_reads import surely_read


def asked_anyway(body: list[gast.stmt], parameters: Iterable[str],
                 tangents: Set[str] = frozenset()) -> None:
    """Leave such statements out, with what is said of them, in place; but not in front of what
    reads one of the tangents, of which the error would be."""
    bound: set[str] | None = None
    for block in syntax.blocks_in(body):
        if not any("may_raise" in node.__dict__ for node in block):
            continue
        bound = {*bound_in(body), *parameters} if bound is None else bound
        block[:] = [raises(node.value.id) if getattr(node, "may_raise", False)
                    and node.value.id not in bound else node for node in block]
        asked: list[gast.stmt] = []         # in front of the next statement that does something
        dropped: set[int] = set()
        for node in block:
            if syntax.is_comment(node) or getattr(node, "may_raise", False):
                asked.append(node)
            else:
                reads = surely_read(node)
                if not tangents.isdisjoint(reads):
                    reads = set()
                for number, one in enumerate(asked):
                    if hasattr(one, "may_raise") and one.value.id in reads:
                        dropped.add(id(one))
                        if number and syntax.is_comment(asked[number - 1]):
                            dropped.add(id(asked[number - 1]))
                asked = []
        if dropped:
            block[:] = [node for node in block if id(node) not in dropped]
