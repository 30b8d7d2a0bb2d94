"""Lists of objects, or of dicts, that a function makes and never hands on: the rows of a table.

Such a list is known by three groups of statements: where a new object joins it, where an object of
it gets a name, and where parts of an object are read or given. If that is all that is done with the
list and with its objects, then an object is its place in the list, and nothing else is.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

_SAME = (gast.Is, gast.IsNot)


@dataclass(eq=False, repr=False)
class Group:
    """The names of a thing: those that it gets when a part of it changes, and for what is new those
    that it is handed to."""
    names: set[str]
    bound: list[gast.Assign] = field(default_factory=list)      # to something that is not the thing
    front: list[gast.stmt] = field(default_factory=list)        # of what is new: until it joins
    behind: set[int] = field(default_factory=set)               # and where it is a row
    is_used: bool = False                                       # there


@dataclass(eq=False, repr=False)
class Table:
    """A list of objects; all statements are those of the versions."""
    name: str
    given: bool = False                 # whether it is a parameter
    made: list[gast.Assign] = field(default_factory=list)
    joining: list[tuple[gast.stmt, str]] = field(default_factory=list)  # and the name that joins
    lengths: list[gast.Call] = field(default_factory=list)
    asked: list[gast.expr] = field(default_factory=list)        # `if xs`, `while not xs`
    within: list[gast.expr] = field(default_factory=list)       # `xs[i].x` in a longer expression
    reads: list[gast.Assign] = field(default_factory=list)
    comprehended: list[gast.Assign] = field(default_factory=list)   # xs = [... for ...]
    cut: list[gast.Assign] = field(default_factory=list)        # where it is made as xs[a:b]
    cuts: list[gast.Assign] = field(default_factory=list)       # where that is made of it
    returned: list[gast.Assign] = field(default_factory=list)   # xs[i] = x, and x is there
    calls: list[gast.Call] = field(default_factory=list)    # of functions of the user, given it
    iterated: list[gast.For] = field(default_factory=list)  # loops over combinations(xs, 2)
    uses: int = 0

    def accounted(self) -> int:
        """How many of its mentions are of a known form."""
        return sum(isinstance(node, gast.Expr) for node, _ in self.joining) \
            + sum(map(len, (self.lengths, self.asked, self.within, self.reads, self.returned,
                            self.cuts, self.iterated)))


@dataclass(eq=False, repr=False)
class Layout:
    """What becomes of a table: its columns, the groups of its new objects and of its rows."""
    table: Table
    columns: list[Any]
    fresh: list[Group]
    rows: list[Group]
    selections: list[Table]             # lists of rows of it
    direct: dict[str, gast.expr]        # names of rows, of which the place has a name already
    calls: list[gast.Call]              # what has to be written out before
    of_objects: bool                    # of which the parts are attributes
    plain: str                          # the name of the list in the function that is rewritten


def is_identity(node: Any) -> bool:
    """Whether an expression asks whether two names are names of one thing."""
    return isinstance(node, gast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], _SAME)


def is_from_end(index: Any) -> bool:
    """Whether an index is a negative number as it stands there."""
    return isinstance(index, gast.UnaryOp) and isinstance(index.op, gast.USub) \
        and isinstance(index.operand, gast.Constant) and type(index.operand.value) is int


def is_reversed(part: gast.Slice) -> bool:
    """Whether a slice is [::-1]."""
    return part.lower is None and part.upper is None and is_from_end(part.step) \
        and part.step.operand.value == 1


def part_within(node: Any) -> tuple[str | None, Any]:
    """Of an item of which list an expression reads which part: `xs[i].x`."""
    owner = getattr(node, "value", None)
    if isinstance(owner, gast.Subscript) and isinstance(owner.value, gast.Name) \
            and not isinstance(owner.slice, gast.Slice) \
            and isinstance(getattr(node, "ctx", None), gast.Load):
        if isinstance(node, gast.Attribute):
            return owner.value.id, node.attr
        if isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Constant):
            return owner.value.id, node.slice.value
    return None, None


def is_tuple(value: gast.expr) -> bool:
    """Whether an expression is a tuple of known length."""
    return isinstance(value, gast.Tuple) and bool(value.elts) \
        and not any(isinstance(part, gast.Starred) for part in value.elts)
