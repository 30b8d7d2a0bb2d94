"""What is known of the adjoints at one place of the backward pass: which exist, under which name,
of which kind, and which of them a block adds to. Writing them is the Ledger's (`ledger.py`).
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.adjoints.paths import CONTAINERS, Path, items, select
from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.known_kinds import Scopes
from tangent_lite.analyses.liveness import BoundIn, Liveness
from tangent_lite.inference import Typer
from tangent_lite.kinds import Kind, Number
from tangent_lite.syntax import COMPOUND, load

State = dict[Path, bool]            # the adjoints that exist -> whether the array is our own
Spot = tuple[str, int]              # "at" or "behind" a statement, at the "start" of a block (ids)


@dataclass(eq=False, repr=False)
class Context:
    """What the backward pass is written from."""
    steps: dict[int, Any]
    records: Any
    facts: Inferred
    aliases: Aliases
    live: Liveness
    active: set[str]
    adjoints: dict[str, str]
    adjoint_kinds: dict[str, Kind]
    typer: Typer
    fresh: Callable[[str], str]
    external: Callable[[Any, str], gast.expr]
    comment: Callable[[gast.stmt], str | None]
    twins: set[str] = field(default_factory=set)    # variables whose shadow the forward pass binds
    listed: set[str] = field(default_factory=set)   # tuples that are read as lists are
    versions: dict[str, str] = field(default_factory=dict)  # later versions -> the user's name
LIST_CHANGES = ("list_append", "list_insert", "list_set", "list_put", "list_grow", "list_swap")


class Book:
    """The adjoints at one place of the backward pass; `out` receives the statements."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.out: list[gast.stmt] = []
        self.state: State = {}
        self.zero: set[Path] = set()            # do not exist, but their names hold zeros
        self.paths: dict[Path, str] = {}        # names of adjoints of parts of containers
        self.depth = 0                          # of loops and branches around
        self.kept: set[str] = set()             # to stay our own while the loops around run
        self.spot: Spot | None = None           # where in the forward pass we are
        self.zeroed: dict[Spot, set[str]] = {}  # where zeros were made, shaped like what
        self.bound_in = BoundIn()
        self.inside: dict[int, set[Path]] = {}  # what a compound statement adds to, by its id

    def is_list(self, name: str) -> bool:
        """Whether the adjoint of a variable is a list of adjoints, changed in place."""
        return name in self.context.listed or isinstance(
            self.context.facts.names.get(name), (kinds.ListKind, kinds.MapKind))

    def is_changed_list(self, name: str) -> bool:
        """Whether the function changes a list; its adjoint is changed alike."""
        return any(step.change is not None and step.change.name == name
                   for step in self.context.steps.values())

    def is_view(self, name: str) -> bool:
        return name in self.context.aliases.views

    def is_shadow(self, name: str) -> bool:
        aliases = self.context.aliases
        return aliases.is_written(name) and name not in aliases.momentary

    def is_viewed(self, name: str) -> bool:
        """Whether a second shadow has to go on sharing memory with that of a variable."""
        aliases = self.context.aliases
        return self.is_shadow(name) and any(aliases.find(v) == aliases.find(name)
                                            for v in aliases.views)

    def kind(self, name: str) -> Kind:
        found = self.context.typer.names.get(name)
        return found if found is not None else self.context.facts.names.get(name, kinds.UNKNOWN)

    def kind_of_path(self, path: Path) -> Kind:
        kind = self.kind(path[0])
        if kind.__class__ is kinds.Number and len(path) == 1:       # as most are
            return kind
        if isinstance(kind, kinds.Maybe) and isinstance(kind.other, kinds.Number):
            return kind.other                       # None has an adjoint that nobody adds to
        if len(path) == 1 and self.is_list(path[0]):
            return kind if isinstance(kind, (kinds.ListKind, kinds.MapKind)) \
                else kinds.ListKind(kinds.UNKNOWN)
        for step in path[1:]:
            found = dict(items(kind)) if isinstance(kind, CONTAINERS) else {}
            kind = found.get(step, kinds.UNKNOWN)
        return kind

    def kind_of_path_joined(self, path: Path) -> Kind:
        saved, self.context.typer.names = self.context.typer.names, {}
        kind = self.kind_of_path(path)
        self.context.typer.names = saved
        return kind

    def know(self, extra: dict[str, Kind]) -> None:
        """Let the kinds of more names be known."""
        self.context.typer.names = Scopes(extra, self.context.typer.names)

    def parts(self, name: str) -> list[Path]:
        return self.parts_of((name,))

    def parts_of(self, path: Path) -> list[Path]:
        """Paths below a path that have an adjoint."""
        return [p for p in self.state if p[:len(path)] == path]

    def leaves(self, path: Path) -> set[Path]:
        """The paths to the numbers and arrays in a variable."""
        kind = self.kind_of_path_joined(path)
        if not isinstance(kind, CONTAINERS) or self.is_list(path[0]):
            return {path[:1]} if self.is_list(path[0]) else {path}
        found: set[Path] = set()
        for step, item in items(kind):
            if kinds.can_vary(item):
                found |= self.leaves((*path, step))
        return found

    def touched(self, block: list[gast.stmt]) -> set[Path]:
        """Adjoints that the backward pass of a block adds to."""
        found = self.all_touched(block)
        return {p for p in found if p[0] not in self.context.twins} if self.context.twins else found

    def all_touched(self, block: list[gast.stmt]) -> set[Path]:
        found: set[Path] = set()
        for node in block:
            if isinstance(node, COMPOUND):      # in the branches of a chain there is the rest of it
                inside = self.inside.get(id(node))
                if inside is None:
                    inside = self.all_touched(node.body) | self.all_touched(node.orelse)
                    if isinstance(node, gast.If):       # what lives in a branch only ends there
                        live = self.context.live
                        local = self.bound_in([node]) - live.before[id(node)] - live.after[id(node)]
                        inside = {p for p in inside if p[0] not in local}
                    self.inside[id(node)] = inside
                found |= inside
            else:
                step = self.context.steps.get(id(node))
                if step is not None:
                    found |= self.touched_by(step)
        views = {p for p in found if self.is_view(p[0])} if self.context.aliases.views else set()
        while views:
            bases = {(syntax.viewed_name(self.context.aliases.views[p[0]].value),) for p in views}
            views = {b for b in bases if b not in found and self.is_view(b[0])}
            found |= bases
        return found

    def touched_by(self, step: Any) -> set[Path]:
        """Adjoints that one statement adds to, those of what a view is a view of left out."""
        found: set[Path] = set()
        for contribution in step.contributions:
            if contribution.name in self.context.active and step.kind != "element":
                found |= self.leaves((contribution.name, *contribution.steps))
        if step.kind == "element" and step.contributions[0].name in self.context.active:
            found.add((step.contributions[0].name,))
        if step.kind == "list_join":
            found |= {(n,) for n in step.parts if n in self.context.active}
        if step.change is not None:
            found.add((step.change.name,))
        if step.kind in ("build", "pair", "view", *LIST_CHANGES):
            for name in step.operands:
                if name in self.context.active:
                    found |= self.leaves((name,))
        if step.kind in ("write", "increment", "scale") and step.target:
            found.add((step.target,))
        return found

    def written(self, block: list[gast.stmt]) -> set[str]:
        """Variables whose adjoint the backward pass of a block writes into."""
        found: set[str] = set()
        for node in syntax.statements(block):
            step = None if isinstance(node, COMPOUND) else self.context.steps.get(id(node))
            if step is None or step.kind == "element":
                continue
            if step.kind in ("write", "scale"):
                found.add(step.target)
            for contribution in step.contributions:
                if contribution.index is not None or self.is_shadow(contribution.name):
                    found.add(contribution.name)
            if step.kind == "view":
                found |= step.operands
            if step.pair is not None:
                found.update((*step.pair.arrays, *step.pair.varying))
        views = set(filter(self.is_view, found))
        while views:
            views = {syntax.viewed_name(self.context.aliases.views[v].value) for v in views}
            found |= views
            views = set(filter(self.is_view, views))
        return {n for n in found if n in self.context.active and n not in self.context.twins
                and not self.is_view(n) and not self.is_list(n)
                and not isinstance(self.context.facts.names.get(n), Number)}

    def received(self, block: list[gast.stmt]) -> list[str]:
        """Lists whose adjoints are not our own yet, and that the backward pass of a block adds to.
        """
        return sorted(path[0] for path in self.touched(block)
                      if self.state.get(path) is False and self.is_list(path[0]))

    def name_of(self, path: Path) -> str:
        """The name of the adjoint of a variable or of a part of one."""
        if len(path) == 1:
            return self.context.adjoints[path[0]]
        if path not in self.paths:
            tail = "_".join(str(step[1]) for step in path[1:])
            tail = "".join(c if c.isalnum() or c == "_" else "_" for c in tail)
            last = path[-1][1]
            wish = f"b{last}" if isinstance(last, str) and last.isidentifier() else \
                f"b{path[0]}_{tail}"
            self.paths[path] = self.context.fresh(wish)
        return self.paths[path]

    def primal(self, path: Path) -> gast.expr:
        """The expression of a variable or of a part of it."""
        node: gast.expr = load(path[0])
        for step in path[1:]:
            node = select(node, step)
        return node

    def present(self, path: Path) -> bool:
        """Whether an adjoint exists; a shadow that the forward pass bound always does."""
        if path in self.state or path[0] in self.context.twins:
            return True
        view = self.context.aliases.views.get(path[0])
        return view is not None and self.present((syntax.viewed_name(view.value),))

    def drop(self, name: str) -> None:
        for path in self.parts(name):
            del self.state[path]
