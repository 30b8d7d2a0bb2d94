"""Write the backward pass: the statements in reverse order, each as what it adds to adjoints.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.kinds import FLOAT, INT
>>> from tangent_lite.stages import stages
>>> def f(x, n):
...     for i in range(n):
...         x = x * x
...     return x
>>> for node in stages(f, wrt="x", x=FLOAT, n=INT).written.backward:
...     print(emit(node), end="")
bx = bf
for i in range(n - 1, -1, -1):
    x = x_tape.pop()
    # x = x * x
    bx = bx * x + bx * x

What is added where is the plan's; what was recorded is put back by the tapes, and which adjoints
exist stands in the ledger. An adjoint that a loop or a branch adds to exists before it.
"""
from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.adjoints.ledger import Context, Spot, State
from tangent_lite.adjoints.list_adjoints import ListAdjoints
from tangent_lite.adjoints.paths import CONTAINERS, Path, order
from tangent_lite.adjoints.ranges import backwards
from tangent_lite.adjoints.tapes import Tapes
from tangent_lite.analyses.liveness import definitions
from tangent_lite.kinds import Array, Kind, ListKind, Number
from tangent_lite.markers import Marker, mark, marker_of, untied
from tangent_lite.syntax import COMPOUND, assign, bound_names, call, load, subscript


@dataclass
class Reversed:
    """A forward pass with records, its backward pass, and the adjoints that were asked for."""
    forward: list[gast.stmt]
    backward: list[gast.stmt]
    results: list[gast.expr]
    zeroed: dict[Spot, set[str]]        # where zeros are made in the shape of which variables


def reverse(body: list[gast.stmt], value: gast.expr | None, seed: str, wrt: list[Path],
            context: Context, given: dict[str, str] | None = None,
            entering: Mapping[str, Kind] = MappingProxyType({})) -> Reversed:
    """Both passes of a function: its body, what is differentiated of what it returns, the name of
    that's adjoint; given: arrays of which there are adjoints to work in, and the names of these;
    entering: the kinds that the parameters have at first."""
    writer = _Reverse(context)
    typer, names = context.typer, context.facts.names
    forward = [assign(n, gast.Constant(None, None)) for n in context.records.undefined]
    forward += writer.tapes.forward(body)
    typer.names = names
    ledger = writer.ledger
    state: State = {}
    ledger.state = state
    if value is not None:
        writer.seed(value, load(seed))
    for name, adjoint in (given or {}).items():
        ledger.out.append(assign(context.adjoints[name], load(adjoint)))
        state[(name,)] = True
    backward = [n for n in ledger.out if not _says_nothing(n)]
    backward += writer.backward(body, state)
    ledger.state, ledger.out = state, backward
    typer.names = names
    ledger.spot = ("start", id(body))
    results = [ledger.given_back(path, entering) for path in wrt]
    return Reversed(forward, backward, results, ledger.zeroed)


class _Reverse(ListAdjoints):
    """Walks backwards through blocks, branches and loops."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.tapes = Tapes(context.records, context.fresh, context.external,
                           context.aliases.kept_by_calls, context.aliases.nested,
                           context.versions)
        self.counter: str | None = None         # of reversed loops that count steps only
        self.shown: tuple[int, int] | None = None
        self.in_all_ways: dict[int, set[Path]] = {}     # of branches, by id

    def seed(self, node: gast.expr, value: gast.expr) -> None:
        """Hand the adjoint of what is returned to the adjoints of the variables in it."""
        if isinstance(node, (gast.Tuple, gast.List)):
            for number, part in enumerate(node.elts):
                self.seed(part, subscript(syntax.copy(value), syntax.constant(number)))
        elif isinstance(node, gast.Dict):
            for key, part in zip(node.keys, node.values):
                self.seed(part, subscript(syntax.copy(value), syntax.copy(key)))
        elif isinstance(node, gast.Name) and node.id in self.context.active:
            self.ledger.receive(node.id, value)
        elif isinstance(node, gast.Subscript) and node.value.id in self.context.active:
            step = ("[", node.slice.value)                  # the one part that is differentiated
            if kinds.can_vary(self.ledger.kind_of_path((node.value.id, step))):
                self.ledger.receive_at((node.value.id, step), value)

    def backward(self, block: list[gast.stmt], state: State) -> list[gast.stmt]:
        """The backward pass of a block; the state is changed to what holds in front of it."""
        outer, self.ledger.out = self.ledger.out, []
        outer_state, self.ledger.state = self.ledger.state, state
        records = self.context.records
        for name in reversed(records.starts.get(id(block), []) + records.ends.get(id(block), [])):
            taken = self.tapes.taken(name, load(self.tapes.tape(name)))
            self.ledger.out.append(assign(name, taken))
        for node in reversed(block):
            before = len(self.ledger.out)
            self.statement(node)
            self.ledger.zero = self.ledger.zero.difference(self.ledger.state)
            syntax.serve(self.ledger.out[before:], node)
        out, self.ledger.out = self.ledger.out, outer
        self.ledger.state = outer_state
        self.shown = None
        return out

    def statement(self, node: gast.stmt) -> None:
        context = self.context
        marker = marker_of(node)
        if marker is not None and marker.mirrored:
            self.mirror(node, marker)
        step = context.steps.get(id(node))
        restores = self.tapes.restore(node)
        again = [syntax.copy(s) for s in context.records.again.get(id(node), ())]
        self.ledger.spot = ("behind" if isinstance(node, COMPOUND) else "at", id(node))
        if isinstance(node, COMPOUND):
            self.ledger.out += again
            if id(node) in context.records.alive:
                if isinstance(node, gast.If):
                    self.branch(node)
                else:
                    self.loop(node)
            self.ledger.out += restores
            return
        if step is not None and step.reads_result:
            # Its own operands are what they were, so all that is computed again may come first.
            self.ledger.out += again
            self.adjoint(node, step)
            self.ledger.out += restores
            return
        if step is not None and step.kind == "list_pop" and (
                self.ledger.parts(step.change.item.id)):
            self.ledger.exists((step.change.name,))     # as long as the list is behind the pop
        first = self.for_restoring(node, again)
        held = [syntax.copy(s) for s in context.records.held.get(id(node), ())]
        self.ledger.out += first
        if step is not None and step.kind == "list_set":
            # What went in has the shape that is there now, which the old item need not have.
            self.ledger.exists((step.change.name,))
        self.ledger.out += held + restores + [n for n in again if n not in first]
        if step is not None:
            self.adjoint(node, step)

    def mirror(self, node: gast.Expr, marker: Marker) -> None:
        """The backward pass enters what the forward pass left, and leaves what it entered."""
        if marker.kind == "exit":
            again = mark(replace(marker, kind="enter"), syntax.copy(marker.manager))
        else:
            again = mark(replace(marker, kind="exit"))
        self.ledger.out.append(gast.Expr(again))

    def for_restoring(self, node: gast.stmt, again: list[gast.stmt]) -> list[gast.stmt]:
        """What is computed again and putting back a part of a buffer needs: the buffer, the index.
        """
        needed: set[str] = set()
        for save in self.context.records.saves.get(id(node), ()):
            if save.buffer:
                needed.add(save.name)
                if save.index is not None:
                    needed |= syntax.read_names(save.index)
        found: list[gast.stmt] = []
        for one in self.context.records.held.get(id(node), ()):
            needed |= syntax.read_names(one.value)
        for one in reversed(again):
            if set(bound_names(one.targets[0])) & needed:
                found.insert(0, one)
                needed |= syntax.read_names(one.value)
        return found

    def adjoint(self, node: gast.stmt, step: Any) -> None:
        """What one statement adds."""
        self.context.typer.names = self.names_at(node)
        before = len(self.ledger.out)
        getattr(self, f"_{step.kind}")(node, step)
        spot = (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))
        if len(self.ledger.out) > before and spot != self.shown:
            self.shown = spot
            text = self.context.comment(node)
            if text:
                self.ledger.out.insert(before, syntax.comment(text))

    def prepare(self, paths: set[Path], bound: set[str], before: Set[str]) -> None:
        """Let those adjoints exist that a branch or loop adds to and that live outside it."""
        self.context.typer.names = {}
        for path in sorted((p for p in paths if p[0] not in bound or p[0] in before), key=order):
            self.ledger.exists(path)

    def branch(self, node: gast.If) -> None:
        bound = self.ledger.bound_in(node.body) | self.ledger.bound_in(node.orelse)
        before = self.context.live.before[id(node)]
        ways = self.ledger.touched(node.body), self.ledger.touched(node.orelse)
        missing = {p for p in ways[0] | ways[1] if p not in self.ledger.state}
        # The way that is taken makes the adjoint of a number or an array. Where one of two ways
        # does not add to it, it makes zeros; of several (`elif`) most would: they stand in front.
        at_once = {p for p in missing if self.is_made_at_once(p, node)}
        in_the_ways = at_once if all(ways) else set()
        if _is_chain(node):
            in_the_ways = at_once & self.touched_in_all_ways(node)
        self.prepare(missing - in_the_ways, bound, frozenset())
        made = (at_once - in_the_ways) & self.ledger.state.keys()
        for path in made:
            del self.ledger.state[path]
        zero = self.ledger.zero.difference(self.ledger.state) | made
        one, other = dict(self.ledger.state), dict(self.ledger.state)
        self.ledger.depth += 1
        self.ledger.zero = set(zero)
        body = self.backward(node.body, one)
        left, self.ledger.zero = self.ledger.zero, set(zero)
        orelse = self.backward(node.orelse, other)
        zeros = left, self.ledger.zero
        self.ledger.zero = left & self.ledger.zero
        self.ledger.depth -= 1
        self.context.typer.names = {}
        for path in sorted(set(one) | set(other), key=order):
            if path in one and path in other:
                if one[path] != other[path] and path[0] in self.ledger.kept:
                    (orelse if one[path] else body).append(self.ledger.copy(path[0]))
                    one[path] = other[path] = True
                one[path] = other[path] = one[path] and other[path]
                continue
            if path[0] in bound and path[0] not in before:
                one.pop(path, None)
                other.pop(path, None)
                continue
            if self.ledger.is_view(path[0]):
                # A view of a shadow is bound in the one way only: bound again where it is needed.
                one.pop(path, None)
                other.pop(path, None)
                continue
            lacks, block = (orelse, node.orelse) if path in one else (body, node.body)
            self.ledger.spot = ("start", id(block))
            if path not in zeros[path in one]:
                lacks.append(self.ledger.clear(path))
            one[path] = other[path] = one.get(path, True) and other.get(path, True)
        self.ledger.state.clear()
        self.ledger.state.update(one)
        if not body and not orelse:
            return
        test = untied(syntax.copy(node.test))
        if not body:
            test, body, orelse = syntax.negated(test), orelse, []
        self.ledger.out.append(gast.If(test, body, orelse))

    def touched_in_all_ways(self, node: gast.If) -> set[Path]:
        """Adjoints to which each way of a chain of `elif`s adds, and the last `else`."""
        chain = [node]
        while _is_chain(chain[-1]) and id(chain[-1]) not in self.in_all_ways:
            chain.append(chain[-1].orelse[0])
        for one in reversed(chain):             # the rest of a chain is a chain that comes by later
            if id(one) not in self.in_all_ways:
                rest = self.in_all_ways[id(one.orelse[0])] if _is_chain(one) \
                    else self.ledger.touched(one.orelse)
                self.in_all_ways[id(one)] = self.ledger.touched(one.body) & rest
        return self.in_all_ways[id(node)]

    def is_made_at_once(self, path: Path, node: gast.If) -> bool:
        """Whether an adjoint may begin with a contribution in a branch: it is a number, or an array
        to which no parts are added."""
        if isinstance(self.ledger.kind_of_path(path), Number):
            return True
        name, aliases = path[0], self.context.aliases
        return len(path) == 1 and isinstance(self.ledger.kind(name), Array) \
            and not (self.ledger.is_view(name) or self.ledger.is_shadow(name)) \
            and not (name in aliases.laid_out or name in self.context.twins) \
            and name not in self.ledger.written(node.body) | self.ledger.written(node.orelse)

    def loop(self, node: gast.For | gast.While) -> None:
        bound = self.ledger.bound_in(node.body)
        head = self.context.live.head[id(node)]
        touched = {p for p in self.ledger.touched(node.body) if p[0] not in bound or p[0] in head}
        touched |= {(n,) for n in bound & head if n in self.context.active
                    and n not in self.context.twins
                    and not isinstance(self.ledger.kind(n), CONTAINERS)}
        self.prepare({p for p in touched if p not in self.ledger.state}, bound, head)
        # A copy inside the loop would cost an array for each element: copied once, in front of it,
        # and again only where the loop itself gives the adjoint another array.
        written = [n for n in sorted(self.ledger.written(node.body)) if (n,) in self.ledger.state]
        for name in [*written, *self.ledger.received(node.body)]:
            self.ledger.own(name)
        kept = self.ledger.kept
        lists = {path[0] for path, owned in self.ledger.state.items()
                 if owned and isinstance(self.ledger.kind(path[0]), ListKind)}
        self.ledger.kept = kept | set(written) | lists
        inner: State = {}
        rebound = self.rebound(node)
        for path, owned in self.ledger.state.items():
            inner[path] = owned and (path[0] not in rebound or path[0] in self.ledger.kept)
        start = dict(inner)
        again = self.run_again(node)
        self.ledger.zero -= {path for path in self.ledger.zero if path[0] in bound}
        zero = set(self.ledger.zero)
        self.ledger.depth += 1
        body = self.backward(node.body, inner)
        self.ledger.depth -= 1
        self.ledger.zero &= zero        # what is made in a step is made in none, if there is none
        self.context.typer.names = {}
        self.ledger.spot = ("start", id(node.body))
        for path in sorted(start, key=order):
            if path not in inner:
                body.append(self.ledger.clear(path))
            elif start[path] and not inner[path]:
                if path[0] in self.ledger.kept:
                    body.append(self.ledger.copy(path[0]))
                else:
                    start[path] = False
        for name, value in self.context.records.exits.get(id(node), {}).items():
            body.append(assign(name, syntax.constant(not value)))
        self.ledger.kept = kept
        self.ledger.state.clear()
        self.ledger.state.update(start)
        if isinstance(node, gast.While):
            iterator = call(load("range"), self.tapes.steps(node))
            target = self.unused_counter()
        else:
            target = syntax.copy(node.target)
            iterator = backwards(node, self.tapes.steps(node))
        made = gast.For(target, iterator, body or [gast.Pass()], [], None)
        if again is not None:
            made = self.tapes.segments_of(node).piece(again, made)
            self.tapes.scope = self.tapes.scope[:-1]
        self.ledger.out.append(made)

    def run_again(self, node: gast.For | gast.While) -> list[gast.stmt] | None:
        """The steps of a loop with checkpoints as they are run again, and their tapes in front."""
        if id(node) not in self.context.records.segments:
            return None
        assert isinstance(node, gast.For)
        if self.ledger.depth:           # the number of steps may be another each time
            self.ledger.out.append(self.tapes.segments_of(node).measure())
        self.tapes.scope += (id(node),)
        tapes = self.tapes.tapes_again(node)
        self.ledger.out += [assign(tape, gast.List([], gast.Load())) for tape in tapes]
        return self.tapes.again(node)

    def rebound(self, node: gast.stmt) -> set[str]:
        """Names that a loop binds anew; `x *= 2` on an array is a write, and its adjoint stays."""
        facts = self.context.facts
        found: set[str] = set()
        for one in syntax.statements([node]):
            if isinstance(one, gast.For):
                found.update(bound_names(one.target))
            elif isinstance(one, gast.AugAssign) and isinstance(one.target, gast.Name):
                if not isinstance(facts.before[id(one)].get(one.target.id), Array):
                    found.add(one.target.id)
            elif not isinstance(one, COMPOUND):
                found.update(definitions(one))
        return found

    def unused_counter(self) -> gast.expr:
        if self.counter is None:
            self.counter = self.context.fresh("_")
        return syntax.store(self.counter)


def _is_chain(node: gast.If) -> bool:
    return len(node.orelse) == 1 and isinstance(node.orelse[0], gast.If)


def _says_nothing(node: gast.stmt) -> bool:
    """`bf = bf`: the seed has the name of the adjoint already."""
    return isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
        and isinstance(node.value, gast.Name) and node.value.id == node.targets[0].id
