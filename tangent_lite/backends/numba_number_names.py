"""What is a number in the functions that are to be compiled, as far as kinds tell.

Statements about arrays become calls of loops (`numba_groups`), and words such as `np.exp` or
`power_slope` say nothing of whether they are about arrays. A statement about elements is left where
it stands, so that its indices can be looked at with the others (`numba_inside`), and what it shares
with its neighbours is computed once.

Nothing depends on what is found: what is no number here may be one when Numba has found the types.
"""
from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import gast
import numpy as np

from tangent_lite import kinds, syntax
from tangent_lite.backends.numba_functions import (
    METHODS,
    ORIGINALS,
    REPLACED,
    unbound,
    undecided,
)
from tangent_lite.backends.numba_memory import apart
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.kinds import UNKNOWN, Array, Kind, Number
from tangent_lite.passes.infer import infer

# Whether an expression of a function is a number, or an array.
IsKind = Callable[[gast.expr], bool]


class Known(NamedTuple):
    """What tells numbers, and arrays with axes, from all else in a function.

    What is said to be a number is one in all calls; what is said to be an array may be a number in
    calls with other shapes, if it is not so surely. is_whole: an int, in all calls; note: tells it
    of a new name, which is bound to an expression; kind: what an expression is in calls with the
    shapes of this one, and surely: in all calls.
    """
    is_number: IsKind
    is_whole: IsKind
    is_array: IsKind
    is_surely_array: IsKind
    note: Callable[[str, gast.expr], None]
    kind: Callable[[gast.expr], Kind]
    surely: Callable[[gast.expr], Kind]


# Of a function of which no kinds are known.
NOTHING_KNOWN = Known(lambda node: False, lambda node: False, lambda node: False,
                      lambda node: False, lambda name, node: None, lambda node: UNKNOWN,
                      lambda node: UNKNOWN)


def known_in(functions: list[gast.FunctionDef], main: gast.FunctionDef, given: Mapping[str, Kind],
             sized: Mapping[str, Kind], meant: Mapping[str, Any]) -> dict[str, Known]:
    """For each function, by its name, what tells numbers and arrays from all else.

    functions: those that are compiled; main: the one that is called from outside, whose parameters
    are of the kinds `given`; sized: the same with the sizes that arrays have in one call, by which
    arrays are told; meant: what free names mean that are none of Python's.
    """
    found = []
    for kinds_given in (given, sized):
        known = _Kinds({tree.name: tree for tree in functions}, meant)
        known.infer(main, [as_packed(kinds_given.get(name, UNKNOWN))
                           for name in syntax.parameter_names(main.args)])
        found.append(known)
    return {tree.name: _known(*(one.typer(tree.name) for one in found)) for tree in functions}


def _known(typer: Typer, with_sizes: Typer) -> Known:
    def is_array(typer: Typer, node: gast.expr) -> bool:
        kind = typer.kind(node)
        return isinstance(kind, Array) and bool(kind.ndim)

    def note(name: str, node: gast.expr) -> None:
        typer.names[name] = typer.kind(node)
        with_sizes.names[name] = with_sizes.kind(node)

    def is_whole(node: gast.expr) -> bool:
        kind = typer.kind(node)
        return isinstance(kind, Number) and kind.type == "int"

    return Known(lambda node: isinstance(typer.kind(node), Number), is_whole,
                 partial(is_array, with_sizes), partial(is_array, typer), note, with_sizes.kind,
                 typer.kind)


def as_packed(kind: Kind) -> Kind:
    """The kind of an argument as compiled code is given it: keys of dicts are attributes."""
    if isinstance(kind, kinds.DictKind):
        return kinds.RecordKind(object, tuple(map(str, kind.keys)),
                                tuple(map(as_packed, kind.items)))
    if isinstance(kind, kinds.RecordKind):
        return kinds.RecordKind(object, kind.fields, tuple(map(as_packed, kind.items)))
    if isinstance(kind, kinds.TupleKind):
        return kinds.TupleKind(tuple(map(as_packed, kind.items)), kind.type)
    return kinds.ListKind(as_packed(kind.item)) if isinstance(kind, kinds.ListKind) else kind


class _Kinds:
    """names: of each function that was looked at, what its names may be at all calls."""

    def __init__(self, functions: dict[str, gast.FunctionDef], meant: Mapping[str, Any]) -> None:
        self.functions, self.meant = functions, meant
        self.names: dict[str, dict[str, Kind]] = {}
        self.results: dict[Any, Kind] = {}
        self.originals = {id(stub): original for original, stub in reversed(REPLACED.items())}
        self.originals |= {id(stub): getattr(np.ndarray, name) for name, stub in METHODS.items()
                           if id(stub) not in self.originals and hasattr(np.ndarray, name)}
        self.originals |= {id(own): original for own, original in ORIGINALS.items()}

    def typer(self, function: str) -> Typer:
        """What knows the kinds of the expressions of a function."""
        typer = Typer(dict(self.names.get(function, {})), self.free)
        typer.user_call = self.call
        return typer

    def free(self, name: str) -> Any:
        found = self.functions.get(name)
        if found is None:
            found = self.meant.get(name, getattr(builtins, name, NO_OBJECT))
        return self.originals.get(id(found), found)

    def infer(self, tree: gast.FunctionDef, arguments: list[Kind]) -> Kind:
        """What a function returns for arguments of these kinds."""
        key = tree.name, tuple(arguments)
        if key not in self.results:
            self.results[key] = UNKNOWN                     # of a function that calls itself
            typer = Typer({}, self.free)
            typer.user_call = self.call
            facts = infer(tree, dict(zip(syntax.parameter_names(tree.args), arguments)), typer)
            before = self.names.setdefault(tree.name, {})
            for name, kind in facts.names.items():
                before[name] = kinds.join(before[name], kind) if name in before else kind
            self.results[key] = facts.result
        return self.results[key]

    def call(self, typer: Typer, node: gast.Call, function: Any) -> Kind:
        """What a call returns of a function that is compiled as well, or of one of ours."""
        if function is apart:
            return typer.kind(node.args[0])
        if function is unbound or function is undecided:
            return kinds.PENDING
        if not isinstance(function, gast.FunctionDef) or node.keywords:
            return UNKNOWN
        parameters = syntax.parameter_names(function.args)
        arguments = [typer.kind(argument) for argument in node.args]
        if len(arguments) > len(parameters):
            return UNKNOWN
        return self.infer(function, [*arguments, *(
            [UNKNOWN] * (len(parameters) - len(arguments)))])
