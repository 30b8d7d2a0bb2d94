"""The adjoint of a statement as data: what `plan` decides, `record` reads and `reverse` writes out."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from tangent_lite import syntax


@dataclass
class Contribution:
    """What is added to the adjoint of a variable, or to the part of it at index."""
    name: str
    value: gast.expr
    index: gast.expr | None = None
    repeated: bool = False                  # the index may name an element twice
    steps: tuple[Any, ...] = ()             # the path to the part of a container


@dataclass
class Step:
    """The adjoint of one statement."""
    kind: str
    target: str | None = None
    locals: list[tuple[str, gast.expr]] = field(default_factory=list)
    contributions: list[Contribution] = field(default_factory=list)
    reads: set[str] = field(default_factory=set)        # names whose value it reads
    shapes: set[str] = field(default_factory=set)       # names of which only the shape counts
    reads_result: bool = False
    index: gast.expr | None = None
    pair: Any = None
    operands: set[str] = field(default_factory=set)
    buffers: set[str] = field(default_factory=set)      # arrays that saved values may refer to


def index_value(index: gast.expr, external: Callable[[Any, str], gast.expr]) -> gast.expr:
    """An index as an expression of its own: with slices in it, `np.s_[:, rows]`."""
    index = syntax.copy(index)
    if any(isinstance(n, gast.Slice) for n in syntax.walk(index)):
        return syntax.subscript(syntax.attribute(external(np, "np"), "s_"), index)
    return index
