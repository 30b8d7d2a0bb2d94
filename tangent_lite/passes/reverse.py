"""Write the backward pass: the statements in reverse order, each as what it adds to adjoints.

    forward            backward
    t = x * y          bx += bt * y;  by += bt * x
    x[i] = v           bv += bx[i];  bx[i] = 0.0
    for i in range(n)  for i in range(n - 1, -1, -1)

The pass keeps book of which adjoints exist. The first contribution assigns, later ones add; in place
only where the array is our own. An adjoint that a loop or a branch adds to exists before it. The
adjoints of the parts of a container are kept apart, by their path, and put together at the end.
"""
from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable
import dataclasses
import re
from dataclasses import dataclass, field, replace
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, lowering, registry, runtime, syntax
from tangent_lite.errors import TangentError
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.kinds import Array, Kind, Number
from tangent_lite.liveness import Liveness, bound_in
from tangent_lite.steps import Contribution, index_value
from tangent_lite.syntax import assign, augment, binary, call, load, subscript

CONTAINERS = (kinds.TupleKind, kinds.DictKind, kinds.RecordKind)
Path = tuple[Any, ...]              # (name, step, step, ...), step = ("[", key) or (".", attribute)
State = dict[Path, bool]            # the adjoints that exist -> whether the array is our own


@dataclass
class Context:
    """What the pass is given."""
    steps: dict[int, Any]
    records: Any
    facts: Any
    aliases: Any
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


@dataclass
class Reversed:
    """A forward pass with records, and its backward pass."""
    forward: list[gast.stmt] = field(default_factory=list)
    backward: list[gast.stmt] = field(default_factory=list)
    state: State = field(default_factory=dict)


class Reverse:
    """Forward with records and backward of one function body (without its return)."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tapes: dict[str, str] = {}
        self.olds: dict[tuple[int, int], str] = {}
        self.out: list[gast.stmt] = []
        self.counter: str | None = None         # of reversed loops that count steps only
        self.depth = 0                          # of loops and branches around
        self.state: State = {}
        self.paths: dict[Path, str] = {}        # names of adjoints of parts of containers
        self.loops: list[gast.stmt] = []
        self.shown: tuple[int, int] | None = None
        self.kinds: dict[str, Kind] = {}
        self.touches: dict[int, set[Path]] = {}

    # Forward ----------------------------------------------------------------------------------
    def forward(self, block: list[gast.stmt], outermost: bool = True) -> list[gast.stmt]:
        """The block with its records."""
        out: list[gast.stmt] = []
        for node in block:
            tapes: list[str] = []
            if outermost:
                tapes = self.tapes_in(node)
            out += [syntax.assign(tape, gast.List([], gast.Load())) for tape in tapes]
            for number, save in enumerate(self.context.records.saves.get(id(node), ())):
                out.append(self.save(node, number, save))
            if isinstance(node, (gast.If, gast.For, gast.While)):
                made = gast.copy_location(type(node).__new__(type(node)), node)
                made.__dict__.update(node.__dict__)
                made.body = self.forward(node.body, False)
                made.orelse = self.forward(node.orelse, False)
                out.append(made)
            else:
                out.append(node)
        for name in self.context.records.ends.get(id(block), ()):
            append = syntax.statement(syntax.method(load(self.tape(name)), "append",
                                                    self.kept(name)))
            _at_exits(out, append)
        return out

    def kept(self, name: str) -> gast.expr:
        return load(name)

    def tapes_in(self, node: gast.stmt) -> list[str]:
        """Tapes that are first used in a loop, in order."""
        found: list[str] = []
        todo = [node]
        while todo:
            one = todo.pop(0)
            blocks = [one.body, one.orelse] if isinstance(one, (gast.If, gast.For, gast.While)) \
                else []
            for save in self.context.records.saves.get(id(one), ()):
                if save.in_loop:
                    found.append(self.tape(save.name, save))
            for block in blocks:
                found += [self.tape(name) for name in self.context.records.ends.get(id(block), ())]
                todo += block
        fresh = [t for t in dict.fromkeys(found) if t not in self.made]
        self.made.update(fresh)
        return fresh

    @property
    def made(self) -> set[str]:
        return self.__dict__.setdefault("_made", set())

    def tape(self, name: str, save: Any = None) -> str:
        """The tape of a name, or of a part of a buffer."""
        plain = re.sub(r"_\d+$", "", name) or name
        key, wish = name, f"{plain}_tape"
        if save is not None and save.buffer:
            key = f"{name}[]"
            if isinstance(save.index, gast.Name):
                wish = f"{plain}_{save.index.id}_tape"
        if key not in self.tapes:
            self.tapes[key] = self.context.fresh(wish)
        return self.tapes[key]

    def save(self, node: gast.stmt, number: int, save: Any) -> gast.stmt:
        value: gast.expr = load(save.name)
        if save.buffer:
            if save.index is not None:
                value = subscript(value, syntax.copy(save.index))
            if not save.element:
                value = syntax.method(value, "copy")
        if save.in_loop:
            return syntax.statement(syntax.method(load(self.tape(save.name, save)), "append", value))
        wish = f"{save.name}_old"
        if save.buffer and isinstance(save.index, gast.Constant):
            wish = f"{save.name}_{save.index.value}"
        name = self.olds[id(node), number] = self.context.fresh(wish)
        return assign(name, value)

    def restore(self, node: gast.stmt) -> list[gast.stmt]:
        """Put back what a statement overwrote."""
        out = []
        saves = self.context.records.saves.get(id(node), ())
        for number in range(len(saves) - 1, -1, -1):
            save = saves[number]
            if save.in_loop:
                value: gast.expr = syntax.method(load(self.tape(save.name, save)), "pop")
            else:
                value = load(self.olds[id(node), number])
            if not save.buffer:
                out.append(assign(save.name, value))
                continue
            index = syntax.copy(save.index) if save.index is not None else \
                gast.Constant(Ellipsis, None)
            out.append(assign(subscript(load(save.name), index, gast.Store()), value))
        return out

    # Backward ---------------------------------------------------------------------------------
    def backward(self, block: list[gast.stmt], state: State) -> list[gast.stmt]:
        """The backward pass of a block; the state is changed to what holds in front of it."""
        outer, self.out = self.out, []
        outer_state, self.state = self.state, state
        for name in reversed(self.context.records.ends.get(id(block), ())):
            self.out.append(assign(name, syntax.method(load(self.tape(name)), "pop")))
        for node in reversed(block):
            self.statement(node)
        out, self.out = self.out, outer
        self.state = outer_state
        self.shown = None
        return out

    def statement(self, node: gast.stmt) -> None:
        context = self.context
        step = context.steps.get(id(node))
        restores = self.restore(node)
        again = [syntax.copy(s) for s in context.records.again.get(id(node), ())]
        if isinstance(node, (gast.If, gast.For, gast.While)):
            self.out += again
            if id(node) in context.records.alive:
                if isinstance(node, gast.If):
                    self.branch(node)
                else:
                    self.loop(node)
            self.out += restores
            return
        if step is not None and step.reads_result:
            # Its own operands are what they were, so all that is computed again may come first.
            self.out += again
            self.adjoint(node, step)
            self.out += restores
            return
        first = self.for_restoring(node, again)
        self.out += first + restores + [n for n in again if n not in first]
        if step is not None:
            self.adjoint(node, step)

    def for_restoring(self, node: gast.stmt, again: list[gast.stmt]) -> list[gast.stmt]:
        """Names computed again that putting back a part of a buffer needs: the buffer, the index."""
        needed: set[str] = set()
        for save in self.context.records.saves.get(id(node), ()):
            if save.buffer:
                needed.add(save.name)
                if save.index is not None:
                    needed |= syntax.read_names(save.index)
        found: list[gast.stmt] = []
        for one in reversed(again):
            if set(syntax.bound_names(one.targets[0])) & needed:
                found.insert(0, one)
                needed |= syntax.read_names(one.value)
        return found

    def adjoint(self, node: gast.stmt, step: Any) -> None:
        """What one statement adds."""
        self.context.typer.names = self.names_at(node)
        before = len(self.out)
        getattr(self, "_" + step.kind)(node, step)
        spot = (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))
        if len(self.out) > before and spot != self.shown:
            self.shown = spot
            text = self.context.comment(node)
            if text:
                self.out.insert(before, syntax.comment(text))

    def names_at(self, node: gast.stmt) -> ChainMap[str, Kind]:
        facts = self.context.facts
        return ChainMap({}, facts.before.get(id(node), {}), facts.after.get(id(node), {}),
                        facts.names, self.kinds, self.context.adjoint_kinds)

    # Kinds of steps -----------------------------------------------------------------------------
    def _constant(self, node: gast.stmt, step: Any) -> None:
        self.drop(step.target)

    def _rule(self, node: gast.stmt, step: Any) -> None:
        if not self.present((step.target,)):
            return
        own = [c for c in step.contributions if c.name == step.target]
        others = [c for c in step.contributions if c.name != step.target]
        self.out += [assign(name, value) for name, value in step.locals]
        for contribution in _merged(others):
            self.add(contribution)
        self.drop(step.target)
        for contribution in _merged(own):
            self.add(contribution)

    _item = _rule

    def _copy(self, node: gast.stmt, step: Any) -> None:
        source = step.contributions[0].name
        if self.is_view(step.target):
            self.drop(step.target)
            return
        if step.target in self.context.twins:
            # A new array that gets its variable: the shadow is its adjoint.
            self.add(Contribution(source, load(self.context.adjoints[step.target])))
            return
        for path in self.parts(step.target):
            self.move(path, (source, *path[1:]))

    def _part(self, node: gast.stmt, step: Any) -> None:
        contribution = step.contributions[0]
        for path in self.parts(step.target):
            self.move(path, (contribution.name, *contribution.steps, *path[1:]))

    def is_list(self, name: str) -> bool:
        """Whether the adjoint of a variable is a list of adjoints, changed in place."""
        return name in self.context.listed or isinstance(
            self.context.facts.names.get(name), kinds.ListKind)

    def _element(self, node: gast.stmt, step: Any) -> None:
        contribution = step.contributions[0]
        parts = self.parts(step.target)
        if not parts or contribution.name not in self.context.active:
            self.drop(step.target)
            return
        self.exists((contribution.name,))
        owner = load(self.context.adjoints[contribution.name])
        for path in parts:
            adjoint = load(self.name_of(path))
            if self.is_list(path[0]):
                self.add_list(owner, syntax.copy(contribution.index), adjoint)
                continue
            spot: gast.expr = subscript(owner, syntax.copy(contribution.index))
            for one in path[1:]:
                spot = subscript(spot, syntax.constant(one[1]))
            self.add_item(spot, adjoint, self.kind_of_path(path))
        self.drop(step.target)

    def add_item(self, spot: gast.expr, value: gast.expr, kind: Kind) -> None:
        """`blist[k] += value`: in place in an array of the list, which is its own."""
        target = syntax.copy(spot)
        target.ctx = gast.Store()
        if isinstance(kind, Number) or (isinstance(kind, Array) and kind.dtype == "float"):
            self.out.append(augment(target, "+", value))
        else:
            self.out.append(assign(target, self.sum_of(spot, value, kind)))

    def sum_of(self, old: gast.expr, value: gast.expr, kind: Kind, operator: str = "+") -> gast.expr:
        """old + value; where lists and dicts may stand there, part by part."""
        if kind in (kinds.UNKNOWN, kinds.EMPTY) or isinstance(kind, (*CONTAINERS, kinds.ListKind)):
            if operator == "-":
                value = syntax.minus(value)
            helper = self.context.external(runtime.sum_of_structures, "sum_of_structures")
            return call(helper, old, value)
        return binary(old, operator, value)

    def add_list(self, owner: gast.expr, index: gast.expr, value: gast.expr) -> None:
        """Add a list of adjoints to those at the positions of a slice."""
        helper = self.context.external(runtime.add_parts, "add_parts")
        self.out.append(syntax.statement(call(helper, owner, index_value(
            index, self.context.external), value)))

    def _unpack(self, node: gast.stmt, step: Any) -> None:
        for contribution in step.contributions:
            if contribution.index is not None and self.is_list(contribution.name):
                name = next(n for n, b in self.context.adjoints.items()
                            if b == contribution.value.id)
                if (name,) in self.state:
                    self.exists((contribution.name,))
                    spot = subscript(load(self.context.adjoints[contribution.name]),
                                     syntax.copy(contribution.index))
                    self.add_item(spot, contribution.value, self.kind(name))
                    self.drop(name)
                continue
            if contribution.index is not None:
                name = next(n for n, b in self.context.adjoints.items()
                            if b == contribution.value.id)
                if (name,) in self.state:
                    self.add(contribution)
                    self.drop(name)
                continue
            name = next(n for n, b in self.context.adjoints.items() if b == contribution.value.id)
            for path in self.parts(name):
                self.move(path, (contribution.name, *contribution.steps, *path[1:]))

    def _build(self, node: gast.Assign, step: Any) -> None:
        value = node.value
        moves: list[tuple[Path, str]] = []

        def visit(part: gast.expr, path: Path) -> None:
            if isinstance(part, (gast.Tuple, gast.List)):
                for number, one in enumerate(part.elts):
                    visit(one, (*path, ("[", number)))
            elif isinstance(part, gast.Dict):
                for key, one in zip(part.keys, part.values):
                    visit(one, (*path, ("[", key.value)))
            elif isinstance(part, gast.Name):
                moves.append((path, part.id))

        visit(value, (step.target,))
        if self.is_list(step.target):
            if (step.target,) in self.state:
                for path, name in moves:
                    if name in self.context.active:
                        part: gast.expr = load(self.context.adjoints[step.target])
                        for one in path[1:]:
                            part = subscript(part, syntax.constant(one[1]))
                        self.receive(name, part)
                self.drop(step.target)
            return
        for path, name in moves:
            for part in self.parts_of(path):
                if name in self.context.active:
                    self.move(part, (name, *part[len(path):]))
        for path in self.parts(step.target):
            del self.state[path]

    def _view(self, node: gast.stmt, step: Any) -> None:
        self.drop(step.target)

    def _write(self, node: gast.stmt, step: Any) -> None:
        name = step.target
        if not self.present((name,)):
            return
        self.own(name)
        self.out += [assign(local, value) for local, value in step.locals]
        spot = subscript(load(self.context.adjoints[name]), syntax.copy(step.index), gast.Store())
        self.out.append(assign(spot, gast.Constant(0.0, None)))
        for contribution in step.contributions:
            self.add(contribution)

    def _increment(self, node: gast.stmt, step: Any) -> None:
        if not self.present((step.target,)):
            return
        self.out += [assign(local, value) for local, value in step.locals]
        for contribution in step.contributions:
            self.add(contribution)

    def _scale(self, node: gast.stmt, step: Any) -> None:
        """`x *= v` on an array: the adjoint is scaled in place."""
        name = step.target
        if not self.present((name,)):
            return
        self.own(name)
        own = next(c for c in step.contributions if c.name == name)
        self.out += [assign(local, value) for local, value in step.locals]
        later = []
        for contribution in step.contributions:
            if contribution is not own:
                # By value, before the adjoint changes: v may be x itself, or a view of it.
                local = self.context.fresh(f"{self.context.adjoints[contribution.name]}_part")
                self.out.append(assign(local, contribution.value))
                self.typer_names({local: self.context.typer.kind(contribution.value)})
                later.append(replace(contribution, value=load(local)))
        adjoint = self.context.adjoints[name]
        value = own.value
        if isinstance(value, gast.BinOp) and isinstance(value.left, gast.Name) \
                and value.left.id == adjoint:
            self.out.append(gast.AugAssign(syntax.store(adjoint), value.op, value.right))
        else:
            spot = subscript(load(adjoint), gast.Constant(Ellipsis, None), gast.Store())
            self.out.append(assign(spot, value))
        for contribution in later:
            self.add(contribution)

    def _pair(self, node: gast.Assign, step: Any) -> None:
        pair = step.pair
        target = node.targets[0].elts[0]
        seed = self.seed_of(target)
        if seed is None and not pair.shadows:
            return
        results: list[str] = []
        results_of: set[str] = set()
        given: list[str] = []               # those that the call itself assigns
        later: list[tuple[Any, str]] = []
        for _, name in pair.active:
            direct = not self.present((name,)) and name not in results_of and not isinstance(
                self.kind(name), CONTAINERS) and not self.is_shadow(name) \
                and not self.is_list(name) and name not in _names(target)
            results_of.add(name)
            if direct:
                adjoint = self.context.adjoints[name]
                given.append(name)
            else:
                adjoint = self.context.fresh(self.context.adjoints[name] + "_1")
                later.append((name, adjoint))
            results.append(adjoint)
            self.kinds[adjoint] = self.kind(name)
        value = call(pair.backward, load(pair.saved), seed)
        if len(results) == 1:
            self.out.append(assign(results[0], value))
        else:
            self.out.append(assign(syntax.tuple_of(map(syntax.store, results), gast.Store()), value))
        for name in _names(target):
            self.drop(name)
        for name in given:
            self.state[(name,)] = isinstance(self.kind(name), Number)
        for name, adjoint in later:
            self.typer_names({adjoint: self.kind(name)})
            self.receive(name, load(adjoint))

    def typer_names(self, extra: dict[str, Kind]) -> None:
        self.context.typer.names = ChainMap(extra, self.context.typer.names)

    def receive(self, name: str, value: gast.expr) -> None:
        """Add an adjoint that is structured as the variable is."""
        def visit(path: Path, kind: Kind, node: gast.expr) -> None:
            if isinstance(kind, CONTAINERS) and not self.is_list(path[0]):
                for step, item in _items(kind):
                    if kinds.can_vary(item):
                        visit((*path, step), item, _select(node, step))
                return
            self.add(Contribution(path[0], node, steps=path[1:]))

        visit((name,), self.kind(name), value)

    def seed_of(self, target: gast.expr) -> gast.expr | None:
        """The adjoint of what a call was assigned to; None where nothing arrived."""
        if isinstance(target, gast.Name) and target.id in self.context.twins:
            return load(self.context.adjoints[target.id])
        if isinstance(target, gast.Tuple):
            if not any(self.parts(n) for n in _names(target)):
                return None
            return syntax.tuple_of(self.whole((n,), self.kind(n)) for n in _names(target))
        if not self.parts(target.id):
            return None
        return self.whole((target.id,), self.kind(target.id))

    def kind(self, name: str) -> Kind:
        found = self.context.typer.names.get(name)
        return found if found is not None else self.context.facts.names.get(name, kinds.UNKNOWN)

    # Book-keeping -------------------------------------------------------------------------------
    def is_view(self, name: str) -> bool:
        return name in self.context.aliases.views

    def is_shadow(self, name: str) -> bool:
        aliases = self.context.aliases
        return aliases.is_written(name) and name not in aliases.momentary

    def parts(self, name: str) -> list[Path]:
        return self.parts_of((name,))

    def parts_of(self, path: Path) -> list[Path]:
        """Paths below a path that have an adjoint."""
        return [p for p in self.state if p[:len(path)] == path]

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

    def present(self, path: Path) -> bool:
        """Whether an adjoint exists; a shadow that the forward pass bound always does."""
        if path in self.state or path[0] in self.context.twins:
            return True
        view = self.context.aliases.views.get(path[0])
        return view is not None and self.present((_view_base(view.value),))

    def drop(self, name: str) -> None:
        for path in self.parts(name):
            del self.state[path]

    def move(self, source: Path, target: Path) -> None:
        """The adjoint of one variable becomes (a contribution to) that of another."""
        adjoint = load(self.name_of(source))
        owned = self.state.pop(source)
        kind = self.kind_of_path(source)
        self.typer_names({adjoint.id: kind})
        if not kinds.can_vary(self.kind_of_path(target)) or target[0] not in self.context.active:
            return
        fresh = target not in self.state
        if fresh and len(target) > 1 and target not in self.paths and self.depth == 0 \
                and len(source) == 1:
            # Nothing needs to be written: the part is known by the name of the variable.
            self.paths[target] = adjoint.id
            self.state[target] = owned
            return
        self.add(Contribution(target[0], adjoint, steps=target[1:]))
        if fresh and target in self.state:
            self.state[target] = owned

    def kind_of_path(self, path: Path) -> Kind:
        kind = self.kind(path[0])
        if len(path) == 1 and self.is_list(path[0]):
            return kind if isinstance(kind, kinds.ListKind) else kinds.ListKind(kinds.UNKNOWN)
        for step in path[1:]:
            found = dict(_items(kind)) if isinstance(kind, CONTAINERS) else {}
            kind = found.get(step, kinds.UNKNOWN)
        return kind

    def primal(self, path: Path) -> gast.expr:
        """The expression of a variable or of a part of it."""
        node: gast.expr = load(path[0])
        for step in path[1:]:
            node = _select(node, step)
        return node

    def zeros(self, path: Path) -> gast.expr:
        """Zero of the shape of a variable."""
        kind = self.kind_of_path(path)
        if isinstance(kind, Number):
            return gast.Constant(0.0, None)
        value = call(self.context.external(runtime.zeros_like, "zeros_like"), self.primal(path))
        names = ChainMap({path[0]: self.kind(path[0])}, self.context.typer.names)
        typer = self.context.typer
        saved, typer.names = typer.names, names
        if len(path) > 1 and isinstance(kind, Array) and kind.dtype in ("float", "complex"):
            value = call(syntax.attribute(self.context.external(np, "np"), "zeros_like"),
                         self.primal(path))
        else:
            value = lowering.lower(runtime.zeros_like, value, typer, self.context.external)
        typer.names = saved
        return value

    def exists(self, path: Path) -> None:
        """Make sure that an adjoint exists (as zero, or as a view of the shadow it mirrors)."""
        if path in self.state or path[0] in self.context.twins:
            return
        name = path[0]
        if len(path) == 1 and self.is_view(name):
            node = self.context.aliases.views[name]
            base = _view_base(node.value)
            self.exists((base,))
            self.own(base)
            value = syntax.substitute(node.value, {base: load(self.context.adjoints[base])})
            self.out.append(assign(self.name_of(path), value))
            self.state[path] = True
            return
        self.out.append(assign(self.name_of(path), self.zeros(path)))
        self.state[path] = True

    def own(self, name: str) -> None:
        """Make sure that an adjoint that is about to be written is an array of our own."""
        path = (name,)
        if name in self.context.twins:
            return
        self.exists(path)
        if not self.state[path] and not isinstance(self.kind(name), Number):
            adjoint = self.name_of(path)
            self.out.append(assign(adjoint, syntax.method(load(adjoint), "copy")))
            self.state[path] = True

    def add(self, contribution: Any) -> None:
        """Add to an adjoint: assign if it is the first, else add."""
        name, value = contribution.name, contribution.value
        if name not in self.context.active:
            return
        path = (name, *contribution.steps)
        if name in self.context.twins:
            self.context.typer.names = ChainMap(self.context.typer.names, self.context.facts.names)
        kind = self.kind_of_path(path)
        if not kinds.can_vary(kind):
            return
        typer = self.context.typer
        value_kind = typer.kind(value)
        if kinds.dtype_of(value_kind) == "complex" and kinds.dtype_of(kind) == "float":
            value = call(syntax.attribute(self.context.external(np, "np"), "real"), value)
        if contribution.index is not None:
            self.add_part(contribution, value)
            return
        adjoint = self.name_of(path)
        if len(path) == 1 and self.is_list(name):
            if path in self.state:
                self.add_list(load(adjoint), gast.Slice(None, None, None), value)
            else:
                self.exists(path)
                self.add_list(load(adjoint), gast.Slice(None, None, None), value)
            return
        if name in self.context.twins:
            operator = "+"
            if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub):
                operator, value = "-", value.operand
            self.out.append(augment(adjoint, operator, value))
            return
        if isinstance(kind, CONTAINERS) and len(path) == 1 or isinstance(kind, CONTAINERS):
            raise AssertionError("containers receive by their parts")
        if path not in self.state:
            if len(path) == 1 and (self.is_view(name)):
                self.exists(path)
            elif len(path) == 1 and self.is_shadow(name) and not self.is_fresh(value):
                if isinstance(value, gast.Name) and isinstance(kind, Array):
                    self.out.append(assign(adjoint, syntax.method(value, "copy")))
                    self.state[path] = True
                    return
                self.exists(path)
            else:
                self.out.append(assign(adjoint, value))
                self.state[path] = self.is_fresh(value)
                return
        in_place = isinstance(kind, Number) or (
            isinstance(kind, Array) and kind.dtype == "float" and self.state[path]
            and kinds.dtype_of(value_kind) in ("float", "int", "bool"))
        if len(path) == 1 and (self.is_view(name) or self.is_shadow(name)) \
                and isinstance(kind, Array):
            self.own(name)
            in_place = True
        operator = "+"
        if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub):
            operator, value = "-", value.operand
        if in_place:
            self.out.append(augment(adjoint, operator, value))
        else:
            self.out.append(assign(adjoint, self.sum_of(load(adjoint), value, kind, operator)))
            self.state[path] = isinstance(kind, Array)

    def add_part(self, contribution: Any, value: gast.expr) -> None:
        """Add to the part of an array's adjoint at an index."""
        name = contribution.name
        self.own(name)
        adjoint = self.name_of((name,))
        if contribution.repeated:
            helper = self.context.external(runtime.add_at, "add_at")
            index = index_value(contribution.index, self.context.external)
            added = call(helper, load(adjoint), index, value)
            self.out.append(syntax.statement(added))
            return
        part = self.context.typer.kind(subscript(load(name), syntax.copy(contribution.index)))
        if part == kinds.UNKNOWN:
            self.add_item(subscript(load(adjoint), syntax.copy(contribution.index)), value, part)
            return
        spot = subscript(load(adjoint), syntax.copy(contribution.index), gast.Store())
        operator = "+"
        if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub):
            operator, value = "-", value.operand
        self.out.append(augment(spot, operator, value))

    def is_fresh(self, node: gast.expr) -> bool:
        """Whether an expression makes an array that nobody else holds."""
        typer = self.context.typer
        kind = typer.kind(node)
        if isinstance(kind, Number):
            return True
        if isinstance(node, (gast.BinOp, gast.UnaryOp)):
            return isinstance(kind, Array)
        if isinstance(node, gast.Call):
            function, _ = typer.callee(node)
            if function is NO_OBJECT:
                return False
            if function in (np.zeros_like, np.sum, np.outer, np.exp, np.ndarray.copy):
                return isinstance(kind, Array)
            entry = registry.lookup(function)
            return entry is not None and entry.view == "never" and isinstance(kind, Array) \
                and function not in (runtime.unbroadcast, runtime.unreduce) \
                and not getattr(function, "__module__", "").startswith(runtime.__name__)
        return False

    # Branches and loops -------------------------------------------------------------------------
    def touched(self, block: list[gast.stmt]) -> set[Path]:
        """Adjoints that the backward pass of a block adds to."""
        return {p for p in self.all_touched(block) if p[0] not in self.context.twins}

    def all_touched(self, block: list[gast.stmt]) -> set[Path]:
        found: set[Path] = set()
        todo = list(block)
        while todo:
            node = todo.pop()
            if isinstance(node, (gast.If, gast.For, gast.While)):
                todo += node.body + node.orelse
                continue
            step = self.context.steps.get(id(node))
            if step is None:
                continue
            for contribution in step.contributions:
                if contribution.name in self.context.active and step.kind != "element":
                    found |= self.leaves((contribution.name, *contribution.steps))
            if step.kind == "element" and step.contributions[0].name in self.context.active:
                found.add((step.contributions[0].name,))
            if step.kind in ("build", "pair", "view"):
                for name in step.operands:
                    if name in self.context.active:
                        found |= self.leaves((name,))
            if step.kind in ("write", "increment", "scale") and step.target:
                found.add((step.target,))
        views = {p for p in found if self.is_view(p[0])}
        while views:
            bases = {(_view_base(self.context.aliases.views[p[0]].value),) for p in views}
            views = {b for b in bases if b not in found and self.is_view(b[0])}
            found |= bases
        return found

    def leaves(self, path: Path) -> set[Path]:
        """The paths to the numbers and arrays in a variable."""
        kind = self.kind_of_path_joined(path)
        if not isinstance(kind, CONTAINERS) or self.is_list(path[0]):
            return {path[:1]} if self.is_list(path[0]) else {path}
        found: set[Path] = set()
        for step, item in _items(kind):
            if kinds.can_vary(item):
                found |= self.leaves((*path, step))
        return found

    def kind_of_path_joined(self, path: Path) -> Kind:
        saved, self.context.typer.names = self.context.typer.names, {}
        kind = self.kind_of_path(path)
        self.context.typer.names = saved
        return kind

    def prepare(self, paths: set[Path], bound: set[str], before: frozenset[str]) -> None:
        """Let those adjoints exist that a branch or loop adds to and that live outside it."""
        self.context.typer.names = {}
        for path in sorted(paths, key=_order):
            if path[0] not in bound or path[0] in before:
                self.exists(path)

    def branch(self, node: gast.If) -> None:
        bound = bound_in(node.body) | bound_in(node.orelse)
        before = self.context.live.before[id(node)]
        touched = self.touched(node.body) | self.touched(node.orelse)
        missing = {p for p in touched if p not in self.state}
        self.prepare(missing, bound, frozenset())
        one, other = dict(self.state), dict(self.state)
        self.depth += 1
        body = self.backward(node.body, one)
        orelse = self.backward(node.orelse, other)
        self.depth -= 1
        for path in sorted(set(one) | set(other), key=_order):
            if path in one and path in other:
                one[path] = other[path] = one[path] and other[path]
                continue
            if path[0] in bound and path[0] not in before:
                one.pop(path, None)
                other.pop(path, None)
                continue
            (orelse if path in one else body).append(self.clear(path))
            one[path] = other[path] = False
        self.state.clear()
        self.state.update(one)
        if not body and not orelse:
            return
        test = syntax.copy(node.test)
        if not body:
            test, body, orelse = _negated(test), orelse, []
        self.out.append(gast.If(test, body, orelse))

    def clear(self, path: Path) -> gast.stmt:
        """Set an adjoint back to zero."""
        adjoint = self.name_of(path)
        kind = self.kind_of_path_joined(path)
        if isinstance(kind, (Number, kinds.Numeric)):
            return assign(adjoint, gast.Constant(0.0, None))
        return assign(adjoint, self.zeros(path))

    def loop(self, node: gast.For | gast.While) -> None:
        bound = bound_in(node.body)
        head = self.context.live.head[id(node)]
        touched = {p for p in self.touched(node.body) if p[0] not in bound or p[0] in head}
        touched |= {(n,) for n in bound & head if n in self.context.active
                    and n not in self.context.twins
                    and not isinstance(self.kind(n), CONTAINERS)}
        self.prepare({p for p in touched if p not in self.state}, bound, head)
        inner: State = {}
        for path, owned in self.state.items():
            inner[path] = owned and path[0] not in bound
        start = dict(inner)
        self.depth += 1
        body = self.backward(node.body, inner)
        self.depth -= 1
        for path in sorted(start, key=_order):
            if path not in inner:
                body.append(self.clear(path))
                start[path] = False
            elif start[path] and not inner[path]:
                start[path] = False
        self.state.clear()
        self.state.update(start)
        if isinstance(node, gast.While):
            counter = load(node.n_steps)
            iterator = call(load("range"), counter)
            target = self.unused_counter()
        else:
            target = syntax.copy(node.target)
            iterator = _backwards(node)
        self.out.append(gast.For(target, iterator, body or [gast.Pass()], [], None))

    def unused_counter(self) -> gast.expr:
        if self.counter is None:
            self.counter = self.context.fresh("_")
        return syntax.store(self.counter)

    # Results ------------------------------------------------------------------------------------
    def whole(self, path: Path, kind: Kind) -> gast.expr:
        """The adjoint of a variable, put together from its parts; zeros where nothing arrived."""
        if len(path) == 1 and self.is_list(path[0]):
            return load(self.name_of(path)) if path in self.state else self.zeros(path)
        if path[0] in self.context.twins:
            return load(self.name_of(path))
        if isinstance(kind, CONTAINERS):
            return self.structure(path, kind)
        if path in self.state:
            return load(self.name_of(path))
        if not kinds.can_vary(kind):
            return gast.Constant(None, None)
        return self.zeros(path)

    def structure(self, path: Path, kind: Any) -> gast.expr:
        known = self.leaves(path)
        stray = [p for p in self.parts_of(path) if p not in known]
        if stray:
            raise TangentError(f"the adjoint of {_spelled(stray[0])} has no place in the gradient "
                               f"of {path[0]}", None, "report this as a bug of tangent_lite")
        parts = [self.whole((*path, step), item) for step, item in _items(kind)]
        if isinstance(kind, kinds.DictKind):
            return gast.Dict([gast.Constant(k, None) for k in kind.keys], parts)
        if isinstance(kind, kinds.TupleKind):
            if kind.type is tuple:
                return syntax.tuple_of(parts)
            return gast.Call(self.context.external(kind.type, kind.type.__name__), parts, [])
        keywords = [gast.keyword(f, p) for f, p in zip(kind.fields, parts)]
        if dataclasses.is_dataclass(kind.type):
            return gast.Call(self.context.external(kind.type, kind.type.__name__), [], keywords)
        return gast.Dict([gast.Constant(f, None) for f in kind.fields], parts)


def _spelled(path: Path) -> str:
    return path[0] + "".join(f".{s[1]}" if s[0] == "." else f"[{s[1]!r}]" for s in path[1:])


def _order(path: Path) -> tuple[str, ...]:
    return tuple(str(p) for p in path)


def _items(kind: Any) -> list[tuple[Any, Kind]]:
    if isinstance(kind, kinds.DictKind):
        return [(("[", key), item) for key, item in zip(kind.keys, kind.items)]
    if isinstance(kind, kinds.RecordKind):
        return [((".", name), item) for name, item in zip(kind.fields, kind.items)]
    if kind.type is not tuple and hasattr(kind.type, "_fields"):
        return [(("[", number), item) for number, item in enumerate(kind.items)]
    return [(("[", number), item) for number, item in enumerate(kind.items)]


def _select(node: gast.expr, step: Any) -> gast.expr:
    if step[0] == ".":
        return syntax.attribute(syntax.copy(node), step[1])
    return subscript(syntax.copy(node), syntax.constant(step[1]))


def _names(target: gast.expr) -> list[str]:
    return syntax.bound_names(target)


def _merged(contributions: list[Any]) -> list[Any]:
    """Contributions to one adjoint as one sum: `y * y` adds `by2 * y + by2 * y`."""
    found: dict[str, Any] = {}
    out: list[Any] = []
    for one in contributions:
        if one.index is not None or one.steps:
            out.append(one)
        elif one.name in found:
            spot = out.index(found[one.name])
            value, operator = one.value, "+"
            if isinstance(value, gast.UnaryOp) and isinstance(value.op, gast.USub):
                value, operator = value.operand, "-"
            out[spot] = found[one.name] = replace(out[spot], value=binary(
                out[spot].value, operator, value))
        else:
            found[one.name] = one
            out.append(one)
    return out


def _view_base(node: gast.expr) -> str:
    if isinstance(node, gast.Name):
        return node.id
    if isinstance(node, gast.Call):
        owner = node.func.value if isinstance(node.func, gast.Attribute) and not (
            node.args and isinstance(node.args[0], gast.Name)) else node.args[0]
        return _view_base(owner)
    return _view_base(node.value)


def _negated(test: gast.expr) -> gast.expr:
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        return test.operand
    return gast.UnaryOp(gast.Not(), test)


def _backwards(node: gast.For) -> gast.expr:
    """The range of a loop, from its end: range(n) is range(n - 1, -1, -1)."""
    args = [syntax.copy(a) for a in node.iter.args]
    steps = getattr(node, "n_steps", None)
    if steps:
        taken = subscript(call(load("range"), *args), gast.Slice(None, load(steps), None))
        return call(load("reversed"), taken)
    minus_one = syntax.constant(-1)
    if len(args) == 1:
        return call(load("range"), _shift(args[0], -1), syntax.copy(minus_one), minus_one)
    if len(args) == 2:
        return call(load("range"), _shift(args[1], -1), _shift(args[0], -1), minus_one)
    start, stop, step = args
    literal = kinds.value_of(Typer({}, lambda name: NO_OBJECT).kind(step))
    if literal == -1:
        return call(load("range"), _shift(stop, 1), _shift(start, 1))
    return call(load("reversed"), call(load("range"), start, stop, step))


def _shift(node: gast.expr, by: int) -> gast.expr:
    """node + by, with the numbers in it added up: `n - 1` shifted by 1 is `n`."""
    if isinstance(node, gast.Constant) and isinstance(node.value, int):
        return syntax.constant(node.value + by)
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub) \
            and isinstance(node.operand, gast.Constant):
        return syntax.constant(by - node.operand.value)
    if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Sub)) \
            and isinstance(node.right, gast.Constant) and isinstance(node.right.value, int):
        by += node.right.value if isinstance(node.op, gast.Add) else -node.right.value
        node = node.left
    if by == 0:
        return node
    return binary(node, "+" if by > 0 else "-", gast.Constant(abs(by), None))


def _at_exits(block: list[gast.stmt], node: gast.stmt) -> None:
    """Put a statement at the end of a block, on each way out of it."""
    last = block[-1] if block else None
    if isinstance(last, gast.Break):
        block.insert(len(block) - 1, syntax.copy(node))
    elif isinstance(last, gast.If) and (_leaves(last.body) or _leaves(last.orelse)):
        _at_exits(last.body, node)
        _at_exits(last.orelse, node)
    else:
        block.append(syntax.copy(node))


def _leaves(block: list[gast.stmt]) -> bool:
    return any(isinstance(n, gast.Break) or (
        isinstance(n, gast.If) and (_leaves(n.body) or _leaves(n.orelse))) for n in block)
