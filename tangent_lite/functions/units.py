"""What a derivative is made of: emitted functions, pairs of them, a function in normal form."""
from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.purity import Purity
from tangent_lite.calling.resolve import Resolver
from tangent_lite.inference import Typer
from tangent_lite.kinds import Kind
from tangent_lite.names import Names
from tangent_lite.source import Source
from tangent_lite.structures import nested
from tangent_lite.syntax.marks import Sought, sought_in


@dataclass
class InPlace:
    """How calls of a half stand in the text until it is tidied: see `functions/in_place`."""
    written: list[tuple[int, int]]          # (place in the target, place in the arguments)
    mentioned: list[int]                    # arguments that are not handed over


@dataclass
class Unit:
    """One emitted function: its tree and what its free names mean."""
    name: str
    tree: gast.FunctionDef
    source: Source
    external: dict[str, Any] = field(default_factory=dict)      # name -> object or Unit
    defaults: tuple[Any, ...] | None = None     # of its last parameters; None: the user's, and 1.0
    forward: Unit | None = None                 # of a backward half: what saves for it
    # Of a forward half: whether what it saves may hold the memory of what it returns.
    saves_result: bool = True
    in_place: InPlace | None = None             # of a half that works in arrays of its caller
    # The names in its body, noted by `number`, behind which nothing changes it.
    named: list[gast.Name] | None = None

    @classmethod
    def of_body(cls, name: str, arguments: gast.arguments, title: str, body: list[gast.stmt],
                source: Source, external: dict[str, Any],
                defaults: tuple[Any, ...] | None = None) -> Unit:
        """The function with this body, in which indices are written as Python has them."""
        text = gast.Expr(gast.Constant(title, None))
        made = cls(name, gast.FunctionDef(name, arguments, [text, *body], [], None, None), source,
                   external, defaults)
        if not made.sought.marks.isdisjoint(nested.MARKS):
            made.tree.body = nested.written_out(made.tree.body)
        return made

    @functools.cached_property
    def sought(self) -> Sought:
        """What is looked for in the whole tree: polishing it makes no more of that."""
        return sought_in(self.tree)

    def leave_unread(self) -> None:
        """Forget what names mean that are read no more; the other half may have the same table."""
        left = syntax.all_names(self.tree)
        self.external = {name: thing for name, thing in self.external.items() if name in left}


@dataclass(eq=False, repr=False)
class Pair:
    """The two halves of a user function that is called by differentiated code."""
    name: str
    forward: Unit
    backward: Unit
    active: tuple[str, ...]                 # parameters whose adjoints the backward half returns
    changes: tuple[str, ...] = ()           # arrays in which the halves work
    adds: tuple[str, ...] = ()              # arrays to whose adjoints the backward half adds


@dataclass(eq=False, repr=False)
class CallOfPair:
    """A pair at one place where it is called."""
    name: str
    forward: gast.expr
    backward: gast.expr
    arguments: list[gast.expr]
    active: list[tuple[int, str]]           # (position, variable of the caller)
    saved: str = ""
    saves_result: bool = True               # the caller may write to what is saved
    arrays: list[str] = field(default_factory=list)     # of the caller, in which the halves work
    varying: list[str] = field(default_factory=list)    # those in whose adjoints they work
    has_value: bool = True


@dataclass
class Prepared:
    """A function body in normal form, with the facts about it."""
    source: Source
    tree: gast.FunctionDef
    parameters: list[str]
    kinds: dict[str, Kind]
    facts: Inferred
    aliases: Aliases
    names: Names
    resolver: Resolver
    typer: Typer
    copied: list[str]
    # Names from outside that it changes, and what leads to the arrays in them; None: anything.
    outside: dict[str, set[Any] | None]
    purity: Purity                          # what is known of the functions that it calls
    changed: list[str]                      # parameters whose dicts, lists and objects it changes
    origins: Any                            # what its result may share memory with, of a helper
    # Those of them in which arrays change, as new ones, and what leads to these; None: anything.
    in_place: dict[str, set[Any] | None]
    may_not_fit: bool                       # whether `fit` found something that may not


@dataclass(eq=False, repr=False)
class Derivative:
    """The emitted functions of one derivative; the last unit is the one that is called."""
    units: list[Unit]
    resolvers: list[Resolver]
    result: Kind
    written: list[str]                      # parameters that the function writes to
    changed: list[str]                      # parameters whose dicts, lists and objects it changes
    outside: dict[str, set[Any] | None]     # as of `Prepared`
    in_place: dict[str, set[Any] | None]    # as of `Prepared`
    main: Unit
    backward: Unit | None = None            # for a pair
    is_jvp: bool = False
    text: str | None = None                 # the page on which they stand, once it is written
    batched: Any = False                    # which parts of what it returns are batches
    seeds_value: bool = False               # of (value, aux): whether the seed is that of the value
    # What is asked of all that it calls, at each call of it: see `directions/acting`.
    answers: dict[str, bool] = field(default_factory=dict, init=False, repr=False, compare=False)
