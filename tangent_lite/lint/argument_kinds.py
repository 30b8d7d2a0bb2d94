"""What the arguments of a function may be, where neither arguments nor annotations tell.

Without arguments a linter knows little, and what it does not know it must not hold against the
function. So the function is looked at for several sets of kinds that its text allows, and only what
holds for all of them is told.
"""
from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, syntax
from tangent_lite.calling.parameter_kinds import annotated_kinds, found_kinds, with_shape
from tangent_lite.calling.request import Request
from tangent_lite.kinds import Kind
from tangent_lite.source import Source

_ARRAYS = {name for name in dir(np.ndarray) if not name.startswith("_")}
# Which of their arguments are lengths.
_COUNTS = {**dict.fromkeys(("range", "zeros", "ones", "empty", "eye", "identity", "tri"),
                           slice(None)), "full": slice(1), "linspace": slice(2, 3),
           **dict.fromkeys(("standard_normal", "random", "rand", "randn"), slice(None)),
           "normal": slice(2, 3), "uniform": slice(2, 3), "repeat": slice(1, 2)}
_SIZES = {"shape", "size", "axis", "n", "num", "k", "ndmin"}


@dataclass
class Assumed:
    """Kinds of the parameters. is_general: those that are not known are taken for anything."""
    kinds: dict[str, Kind]
    is_general: bool


@dataclass
class Usage:
    """What the text of a function says of a parameter."""
    is_counted: bool = False        # a length
    is_position: bool = False       # a position, or an array of these
    is_indexed: bool = False        # no number: it has items
    is_object: bool = False         # neither number nor array, or such things are its items
    is_tool: bool = False           # a function, a module, or an object that is there for methods
    is_number: bool = False         # a number or an array: arithmetic is done with it


def assumptions(request: Request, source: Source | None,
                values: tuple[Any, ...] | None) -> list[Assumed]:
    """The sets of kinds for which a function is to be looked at."""
    if values is not None:
        return [Assumed(found_kinds(request, values), False)]
    known = annotated_kinds(request, with_defaults=True)
    usages = usage(source) if source is not None else {}
    for name, kind in known.items():
        if kind == kinds.UNKNOWN and name in usages and usages[name].is_counted:
            known[name] = kinds.INT
    unknown = [name for name, kind in known.items() if kind == kinds.UNKNOWN]
    if not unknown:
        return [Assumed(known, False), *_of_dimensions(known)]
    positions = [name for name in unknown if usages.get(name, Usage()).is_position]
    found = [Assumed({**known, **dict.fromkeys(positions, kinds.INT)}, True)]
    if any(usages.get(name, Usage()).is_object for name in unknown):
        return found
    for ndim in (0, 1, 2):
        more = {name: _assumed(ndim, usages[name]) for name in unknown}
        found.append(Assumed({**known, **more}, False))
    return found


def _of_dimensions(known: dict[str, Kind]) -> list[Assumed]:
    """The same as vectors and as matrices, where it is known of arrays only that they are some."""
    some = {name: kind for name, kind in known.items()
            if isinstance(kind, kinds.Array) and kind.ndim is None}
    return [Assumed({**known, **{name: with_shape(replace(kind, ndim=ndim))
                                 for name, kind in some.items()}}, False)
            for ndim in (1, 2) if some]


def _assumed(ndim: int, used: Usage) -> Kind:
    """A number, or an array of so many dimensions, of what the text says it holds."""
    dtype = "int" if used.is_position else "float"
    if ndim == 0 and not used.is_indexed:
        return kinds.Number(dtype)
    return with_shape(kinds.Array(1 if used.is_position else ndim or 1, dtype))


def usage(source: Source) -> dict[str, Usage]:
    """What the text of a function says of its parameters."""
    found = {name: Usage() for name in syntax.parameter_names(source.tree.args)}
    items = _names_of_items(source.tree, set(found))

    def of(node: Any) -> Usage:
        return found.get(node.id, Usage()) if isinstance(node, gast.Name) else Usage()

    def of_items(node: Any) -> Usage:
        """What is said of the parameter of which a node is an item."""
        while isinstance(node, gast.Subscript):
            node = node.value
        return found.get(items.get(node.id, node.id), Usage()) \
            if isinstance(node, gast.Name) else Usage()

    for node in gast.walk(source.tree):
        if isinstance(node, gast.Subscript):
            of(node.value).is_indexed = True
            if isinstance(node.slice, gast.Constant) and isinstance(node.slice.value, str):
                of(node.value).is_object = True
            if not any(isinstance(part, gast.Compare) for part in gast.walk(node.slice)):
                for part in gast.walk(node.slice):
                    of(part).is_position = True
        elif isinstance(node, gast.For):
            of(node.iter).is_indexed = True
        elif isinstance(node, gast.Attribute):
            of_items(node.value).is_object |= node.attr not in _ARRAYS
            of(node.value).is_indexed = True
        elif isinstance(node, gast.BinOp) and not isinstance(node.op, gast.Add):
            for side in (node.left, node.right):
                of(side).is_number = True
        elif isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
            of(node.operand).is_number = True
        elif isinstance(node, gast.Call):
            of_items(node.func).is_object = True
            _called(node, of)
    return found


def _names_of_items(tree: Any, parameters: set[str]) -> dict[str, str]:
    """The variables of loops over parameters, and over their items: `part`, of `parts`, in
    `for k, part in enumerate(parts)`."""
    found: dict[str, str] = {}
    for node in gast.walk(tree):
        if isinstance(node, (gast.For, gast.comprehension)):
            over = [node.iter, *(node.iter.args if isinstance(node.iter, gast.Call) else ())]
            among = [found.get(n.id, n.id) for n in over if isinstance(n, gast.Name)
                     and (n.id in parameters or n.id in found)]
            for name in syntax.names_in(node.target) if among else ():
                found.setdefault(name.id, among[0])
    return found


def _called(node: gast.Call, of: Any) -> None:
    of(node.func).is_tool = True
    if isinstance(node.func, gast.Attribute) and node.func.attr not in _ARRAYS:
        of(node.func.value).is_tool = True
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    for argument in node.args[_COUNTS[name]] if name in _COUNTS else ():
        _count(argument, of)
    if name in ("len", "enumerate", "zip", "sorted", "reversed"):
        for argument in node.args:
            of(argument).is_indexed = True
    for keyword in node.keywords:
        if keyword.arg in _SIZES:
            _count(keyword.value, of)


def _count(node: Any, of: Any) -> None:
    """Note what whole numbers are computed of: not what only has a length."""
    if isinstance(node, (gast.Name, gast.Tuple, gast.Slice, gast.BinOp, gast.UnaryOp)):
        of(node).is_counted = True
        for part in gast.iter_child_nodes(node):
            _count(part, of)
