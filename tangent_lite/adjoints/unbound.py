"""Tests of names that are None before anything is bound to them: to read such a name is an error.

A name that may not be bound yet where it is recorded is None at first.

    h = None
    for v in x:
        h_tape.append(h)
        if v > 0.0:
            h = v
        if h is None:
            raise UnboundLocalError("h is read before it is bound")
        s = s * h

A test stands in front of each read that no way through the function tells to be bound
(`unsure_reads`): none does where the first round of a loop binds the name and the others read it.
"""
from __future__ import annotations

from collections.abc import Set

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.unsure_reads import unsure_reads
from tangent_lite.kinds import Array, Number
from tangent_lite.names import stem

_NEVER_NONE = (Number, Array, kinds.Numeric, kinds.ListKind, kinds.TupleKind, kinds.DictKind,
               kinds.MapKind, kinds.RecordKind)


def is_never_none(kind: kinds.Kind | None) -> bool:
    """Whether the function itself never binds None to what is of a kind."""
    return isinstance(kind, _NEVER_NONE)


def tests_of_unbound(block: list[gast.stmt], last: gast.stmt, names: Set[str],
                     parameters: Set[str]) -> list[gast.stmt]:
    """The statements of a function with tests of some names, in place; last: the return behind."""
    if not names:
        return block
    unsure = unsure_reads([*block, last], parameters)
    for inner in syntax.blocks_in(block):
        for place in range(len(inner) - 1, -1, -1):
            inner[place:place] = tests_of(unsure.get(id(inner[place]), set()) & names, inner[place])
    return block + tests_of(unsure.get(id(last), set()) & names, None)


def tests_of(names: Set[str], node: gast.stmt | None) -> list[gast.stmt]:
    """What raises where one of the names is None; node: the statement that reads them."""
    made: list[gast.stmt] = []
    for name in sorted(names):
        test = gast.Compare(syntax.load(name), [gast.Is()], [syntax.constant(None)])
        made.append(gast.If(test, [raises(name)], []))
    if node is not None:
        syntax.serve(made, node)
    return made


def raises(name: str) -> gast.stmt:
    """What raises for a name that is read before it is bound."""
    said = syntax.constant(f"{stem(name)} is read before it is bound")
    return gast.Raise(syntax.call(syntax.load("UnboundLocalError"), said), None)
