"""What a test says of which values are None.

>>> test = gast.parse("last is not None and self.first is None").body[0].value
>>> [(syntax.root_name(place), is_none) for place, is_none in nones(test, True)]
[('last', False), ('self', True)]
>>> list(nones(test, False))
[]
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.kinds import (
    NOTHING,
    PENDING,
    Array,
    DictKind,
    Kind,
    Maybe,
    Nothing,
    Number,
    RecordKind,
    with_parts,
)

_TESTS = (gast.Compare, gast.BoolOp, gast.UnaryOp)


def nones(test: gast.expr, holds: bool) -> Iterator[tuple[gast.expr, bool]]:
    """The names, and parts of names, that are surely None, or surely not, where a test holds, or
    does not."""
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        yield from nones(test.operand, not holds)
    elif isinstance(test, gast.BoolOp) and isinstance(test.op, gast.And) is holds:
        for part in test.values:
            yield from nones(part, holds)
    elif isinstance(test, gast.Compare) and len(test.ops) == 1 \
            and isinstance(test.ops[0], (gast.Is, gast.IsNot)) \
            and getattr(test.comparators[0], "value", ...) is None:
        yield test.left, isinstance(test.ops[0], gast.Is) is holds


def narrowed(names: dict[str, Kind], place: gast.expr, is_none: bool, is_hopeful: bool) -> None:
    """Let what is known of names say that something is None, or that it is not.

    is_hopeful: what is nothing but None may yet be bound to something else, by a loop.
    """
    owner: Any = place if isinstance(place, gast.Name) else getattr(place, "value", None)
    if not isinstance(owner, gast.Name) or owner.id not in names:
        return
    whole = names[owner.id]
    if owner is place:
        names[owner.id] = _narrowed(whole, is_none, is_hopeful)
        return
    if isinstance(place, gast.Attribute) and isinstance(whole, RecordKind):
        step, steps = place.attr, whole.fields
    elif isinstance(place, gast.Subscript) and isinstance(whole, DictKind):
        step, steps = getattr(place.slice, "value", None), whole.keys
    else:
        return
    names[owner.id] = with_parts(whole, [
        _narrowed(part, is_none, is_hopeful) if (type(one), one) == (type(step), step) else part
        for one, part in zip(steps, whole.items)])


def _narrowed(kind: Kind, is_none: bool, is_hopeful: bool) -> Kind:
    if isinstance(kind, Maybe) and not isinstance(kind.other, (Number, Array)):
        return kind             # its adjoint is one thing, wherever the name stands: see `settle`
    if isinstance(kind, Maybe):
        return NOTHING if is_none else kind.other
    return PENDING if isinstance(kind, Nothing) and not is_none and is_hopeful else kind


def is_test(node: gast.stmt) -> bool:
    """Whether a statement gives a name to a test."""
    return node.__class__ is gast.Assign and node.value.__class__ in _TESTS


class Tests:
    """The tests that names of one block stand for: `cond = last is not None`, then `if cond:`.

    A name stands for its test as long as neither it nor what the test reads is bound anew.
    """

    def __init__(self) -> None:
        self.known: dict[str, gast.expr] = {}
        self.readers: dict[str, set[str]] = {}      # name -> those whose tests read it

    def note(self, node: gast.stmt, bound: Iterable[str]) -> None:
        """Behind a statement, which binds these names."""
        for name in bound:
            self.known.pop(name, None)
            for reader in self.readers.pop(name, ()):
                self.known.pop(reader, None)
        if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
                and isinstance(node.value, _TESTS):
            name, test = node.targets[0].id, self.behind(node.value)
            read = syntax.read_names(test)
            if name not in read:
                self.known[name] = test
                for part in read:
                    self.readers.setdefault(part, set()).add(name)

    def behind(self, test: gast.expr) -> gast.expr:
        """A test in which names stand for their tests no more."""
        if isinstance(test, gast.Name):
            return self.known.get(test.id, test)
        if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
            return gast.UnaryOp(test.op, self.behind(test.operand))
        if isinstance(test, gast.BoolOp):
            return gast.BoolOp(test.op, [self.behind(part) for part in test.values])
        return test
