"""The adjoint of a statement as data: `plan` decides it, `record` reads it, `reverse` writes it."""
from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from tangent_lite import syntax

# Functions that read only the shape of this argument.
SHAPE_ONLY = {"unbroadcast": 1, "unreduce": 1, "zeros_like": 0, "zeros_as_it_lies": 0,
              "reduced_size": 0, "mean_size": 0, "spread_over": 1, "repeated_parts": 1, "shape": 0,
              "ndim": 0, "size": 0, "diagonal_matmul": 2, "matmul_diagonal": 2, "in_shape_of": 1}
SHAPE_ATTRIBUTES = {"shape", "size", "ndim", "dtype"}


@dataclass(eq=False, repr=False)
class Contribution:
    """What is added to the adjoint of a variable, or to the part of it at index."""
    name: str
    value: gast.expr
    index: gast.expr | None = None
    repeated: bool = False                  # the index may name an element twice
    steps: tuple[Any, ...] = ()             # the path to the part of a container


@dataclass(eq=False, repr=False)
class Step:
    """The adjoint of one statement."""
    kind: str
    target: str | None = None
    locals: list[tuple[str, gast.expr]] = field(default_factory=list)
    contributions: list[Contribution] = field(default_factory=list)
    reads: set[str] = field(default_factory=set)        # names whose value it reads
    shapes: Set[str] = frozenset()          # names of which only the shape counts
    reads_result: bool = False
    index: gast.expr | None = None
    pair: Any = None
    operands: set[str] = field(default_factory=set)
    buffers: Set[str] = frozenset()         # arrays that saved values may refer to
    parts: list[str] = field(default_factory=list)      # lists that a list is joined of
    change: Any = None                      # the ListChange of a statement that changes a list
    keeps_shape: bool = False               # what it puts in is shaped like what was there

    def note_reads(self) -> None:
        """Note what its expressions read."""
        parts = [e for c in self.contributions for e in (c.value, c.index) if e is not None]
        for expression in parts + [value for _, value in self.locals]:
            values, shapes = content_reads(expression)
            self.reads |= values
            self.shapes |= shapes
        if self.index is not None:
            self.reads |= syntax.read_names(self.index)


def content_reads(node: gast.AST) -> tuple[set[str], set[str]]:
    """Names that an expression reads for their values, and those for their shapes only.

    >>> values, shapes = content_reads(syntax.parse_expression("unbroadcast(bz * y, x)"))
    >>> sorted(values - {"unbroadcast"}), sorted(shapes)
    (['bz', 'y'], ['x'])
    """
    values: set[str] = set()
    shapes: set[str] = set()
    todo = [node]
    while todo:
        one: Any = todo.pop()
        kind = one.__class__
        if kind is gast.Name:
            values.add(one.id)
        elif kind is gast.BinOp:                        # as most are
            todo += (one.left, one.right)
        elif isinstance(one, gast.Attribute) and one.attr in SHAPE_ATTRIBUTES \
                and isinstance(one.value, gast.Name):
            shapes.add(one.value.id)
        elif isinstance(one, gast.Call):
            name = one.func.attr if isinstance(one.func, gast.Attribute) else \
                getattr(one.func, "id", "")
            spot = SHAPE_ONLY.get(name)
            for number, argument in enumerate(one.args):
                if number == spot and isinstance(argument, gast.Name):
                    shapes.add(argument.id)
                else:
                    todo.append(argument)
            todo += [k.value for k in one.keywords]
            todo.append(one.func)
        else:
            todo += syntax.children(one)
    return values, shapes


def index_value(index: gast.expr, external: Callable[[Any, str], gast.expr]) -> gast.expr:
    """An index as an expression of its own: with slices in it, `np.s_[:, rows]`."""
    index = syntax.copy(index)
    if any(isinstance(n, gast.Slice) for n in syntax.walk(index)):
        return syntax.subscript(syntax.attribute(external(np, "np"), "s_"), index)
    return index


def derived(value: Any) -> Any:
    """The call that is differentiated in the place of a value: see the pass `logarithms`."""
    return getattr(value, "derived_as", value)


def beside_derived(value: Any) -> gast.Subscript | None:
    """The elements that the value is beside that call: what comes back goes to them as well."""
    return getattr(value, "derived_beside", None)
