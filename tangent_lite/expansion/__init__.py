"""What writing out works with: the tree, what is known of it, and the small pieces that all need.

`Scene` is the base of what writes out containers (`expansion/containers.py`) and calls
(`expansion/calls.py`); the pass `expand` puts them together.
"""
from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import written_outside
from tangent_lite.analyses.unseen import call_may_change, may_change
from tangent_lite.errors import TangentError, UnsupportedSyntaxError
from tangent_lite.functions.inlining import Inliner
from tangent_lite.functions.local_functions import bound_around, holds_local
from tangent_lite.inference import Typer
from tangent_lite.names import Names
from tangent_lite.syntax import assign, load

# Statements that take the place of a statement, or stand in front of it; and what is left of the
# expression (None: the statement is gone).
Written = tuple[list[gast.stmt], Any]


@dataclass(eq=False, repr=False)
class Context:
    """What the pass is given; by_itself: None if a function of the user can be called as a pair,
    else the error that says why not; calls_itself: whether a function does; looked_at: the helpers
    that are being looked at, each called by the one in front of it."""
    typer: Typer
    names: Names
    inliner: Inliner
    refuse: Callable[[gast.AST, str, str], UnsupportedSyntaxError]
    by_itself: Callable[..., TangentError | None]
    calls_itself: Callable[[Any], bool]
    looked_at: list[Any]
    works_in_place: bool = False        # whether functions may work in arrays of their callers
    lazy: dict[str, set[str]] = field(default_factory=dict)     # iterators, and what they read
    failing: set[str] = field(default_factory=set)              # those of which an item may fail
    acting: set[str] = field(default_factory=set)               # those that do more than compute
    # By dict the loops over it that were written out, and the names that its keys have in them.
    keys: dict[str, list[tuple[gast.For, set[str]]]] = field(default_factory=dict)
    # What lives outside and changes, with the names of the copies on entry.
    owned: dict[str, str] = field(default_factory=dict)
    settled: bool = False       # whether no more is going to be written out before what is left
    waits: bool = False         # whether something is left for that reason


class Scene:
    """One round of writing out in one tree."""

    def __init__(self, tree: gast.FunctionDef, facts: Inferred, context: Context) -> None:
        self.tree, self.facts, self.context = tree, facts, context
        self.typer = context.typer
        self.shared = bound_around(tree)
        self.bound = {n.id for n in syntax.names_in(tree)
                      if not isinstance(n.ctx, gast.Load)}          # parameters included
        context.inliner.around = self.bound
        self.changed = False            # whether something was written out in this round
        # Why a call cannot be written out, of which that may change as long as something else is.
        self.postponed: TangentError | None = None

    @functools.cached_property
    def outside(self) -> list[Any]:
        """What lives outside and is changed here."""
        names = {**self.context.owned, **dict.fromkeys(written_outside(self.tree))}
        return [self.context.inliner.resolver.now(name) for name in names]

    def normal(self, statements: list[gast.stmt], place: gast.AST) -> list[gast.stmt]:
        """Statements in normal form."""
        body = [*statements, gast.Return(None)]
        tree = gast.FunctionDef("block", syntax.function_def("block", [], []).args, body, [], None,
                                None)
        syntax.place_within(tree, place)
        made = self.context.inliner.normal(tree, self.bound, self.shared).body[:-1]
        for fact in ("origin", "chain"):
            for part in (p for s in made for p in syntax.walk(s)):
                if hasattr(place, fact) and not hasattr(part, fact):
                    setattr(part, fact, getattr(place, fact))
        return made

    def parts_of(self, kind: kinds.TupleKind, owner: gast.expr, numbers: Any,
                 first: list[gast.stmt]) -> list[gast.expr]:
        """Names for parts of a tuple; those that are literal whole numbers stand for themselves."""
        if isinstance(owner, (gast.Tuple, gast.List)):
            return [owner.elts[n] for n in numbers]
        known = [kinds.value_of(item) for item in kind.items]
        return [syntax.constant(known[n]) if type(known[n]) is int else
                self.named(first, f"{hint_of(owner)}_{n}",
                           syntax.subscript(syntax.copy(owner), syntax.constant(n)))
                for n in numbers]

    def inject(self, thing: Any, wish: str) -> gast.expr:
        """A name for a thing: the user's own, where there is one."""
        resolver = self.context.inliner.resolver
        return load(resolver.name_for(thing, wish, self.context.names, self.bound))

    def owned(self, first: list[gast.stmt], value: gast.expr) -> gast.expr:
        """A container that is written out gets a name, to take its parts from."""
        if isinstance(value, (gast.Name, gast.Tuple, gast.List)):
            return value
        return self.named(first, "options", value)

    def named(self, first: list[gast.stmt], wish: str, value: gast.expr) -> gast.expr:
        """A name for a value, bound in front."""
        name = self.context.names.fresh(wish if wish.isidentifier() else "part")
        first.append(assign(name, value))
        return load(name)

    def calling(self, function: gast.expr, plain: gast.Call, arguments: list[gast.expr],
                keywords: list[gast.keyword] | None = None) -> gast.Call:
        """The same call of another function."""
        made = gast.Call(function, arguments, plain.keywords if keywords is None else keywords)
        gast.copy_location(made, plain)
        for fact in ("chain", "origin"):
            if hasattr(plain, fact):
                setattr(made, fact, getattr(plain, fact))
        return made

    def matters(self, value: gast.expr) -> bool:
        """Whether what a comprehension reads may vary, or is a function that is defined inside, or
        something is changed or made in it."""
        known = self.typer.names
        kinds_read = [known[n] for n in syntax.read_names(value) if n in known]
        return getattr(value, "must_be_written", False) or any(
            kinds.can_vary(k) or holds_local(k) for k in kinds_read) or any(
            getattr(n, "local", None) is not None for n in gast.walk(value)) \
            or may_change(value, self.typer.callee) is not None or self.makes_objects(value)

    def call_changes(self, call: gast.Call) -> bool:
        """Whether a call may change what it is given, or what its function has seen."""
        return call_may_change(call, *self.typer.callee(call))

    def makes_objects(self, value: gast.expr) -> bool:
        """Whether objects are made in an expression, by a dataclass: they may change later."""
        made = (self.typer.object_of(call.func) for call in syntax.all_of(value, gast.Call))
        return any(isinstance(cls, type) and dataclasses.is_dataclass(cls)
                   and not cls.__dataclass_params__.frozen         # type: ignore[attr-defined]
                   for cls in made)

    def calls_local(self, value: gast.expr) -> bool:
        return any(holds_local(self.typer.names.get(n, kinds.UNKNOWN))
                   for n in syntax.read_names(value))


def positional_count(function: Any) -> int | None:
    """How many arguments a function with a rule takes by position, `out` aside; None if that may
    vary.

    >>> import math, numpy as np
    >>> [positional_count(f) for f in (np.hypot, math.atan2, np.outer, np.sum, max)]
    [2, 2, 2, None, None]
    """
    if isinstance(function, np.ufunc):
        return function.nin
    try:
        given = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    needed = [p for p in given if p.name != "out"]
    return len(needed) if all(p.default is p.empty and p.kind in (
        p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in needed) else None


_OF_ONE_VALUE = (kinds.Number, kinds.Text, kinds.Nothing)


def is_of_numbers(kind: kinds.Kind) -> bool:
    """Whether a value is a number, a text, None, or a tuple of these: it has a hash, and whoever
    gets it cannot change it."""
    if isinstance(kind, kinds.TupleKind):
        return all(map(is_of_numbers, kind.items))
    return isinstance(kind, _OF_ONE_VALUE)


def hint_of(node: gast.expr) -> str:
    return node.id if isinstance(node, gast.Name) else getattr(node, "attr", "part")


def name_of(thing: Any) -> str:
    return getattr(thing, "__name__", type(thing).__name__.lower())
