"""What the adjoint of one statement adds, by the kind of its step.

A step says what a statement does: fill a rule in, read an element, write one, take apart, put
together, call a user function. For each kind there is a method that writes the statements of the
backward pass into the ledger.
"""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, syntax
from tangent_lite.adjoints import shared_values
from tangent_lite.adjoints.ledger import Context
from tangent_lite.adjoints.paths import CONTAINERS, Path, items
from tangent_lite.adjoints.real_adjoints import RealAdjoints
from tangent_lite.adjoints.steps import Contribution
from tangent_lite.analyses.known_kinds import Scopes, kinds_at
from tangent_lite.kinds import Kind, Number
from tangent_lite.minus import signed
from tangent_lite.structures.lists import all_of
from tangent_lite.structures.nested import is_nested
from tangent_lite.structures.updates import changed_parts, fields_of_class, updates_of
from tangent_lite.syntax import assign, binary, bound_names, call, load, subscript


class StatementAdjoints(RealAdjoints):
    """Adjoints of statements that are no compounds; those of changes of lists: `list_adjoints`."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.kinds: dict[str, Kind] = {}

    def names_at(self, node: gast.stmt) -> Scopes:
        return kinds_at(self.context.facts, id(node), self.kinds, self.context.adjoint_kinds)

    def _constant(self, node: gast.stmt, step: Any) -> None:
        self.ledger.drop(step.target)

    def _overwritten(self, node: gast.Assign, step: Any) -> None:
        """Names unpacked from a constant: what was to come for them ends here."""
        for name in syntax.bound_names(node.targets[0]):
            self.ledger.drop(name)

    def _rule(self, node: gast.stmt, step: Any) -> None:
        kind = self.ledger.kind(step.target)
        if isinstance(kind, CONTAINERS):
            # Its parts have adjoints of their own, and the rule reads that of the whole.
            if not self.ledger.parts(step.target):
                return
            step = self.with_parts(step, self.ledger.whole((step.target,), kind))
        elif not self.ledger.present((step.target,)):
            return
        elif any(kinds.dtype_of(self.kind_before(c.name, node)) != "float"
                 for c in step.contributions):
            # Real numbers take the real part of what they receive. Others, as `z` in `abs(z)`, and
            # the items of a list, receive what the rule says.
            real = self.real_behind(node, (step.target,))
            if not isinstance(real, gast.Name):
                self.ledger.out.append(assign(self.context.adjoints[step.target], real))
        own = [c for c in step.contributions if c.name == step.target]
        others = [c for c in step.contributions if c.name != step.target]
        if own:
            shared_values.start(self.ledger, step.locals)
        shared_values.add_all(self.ledger, [] if own else step.locals, self.merged(others, node))
        own = self.merged(own, node)
        plain = len(own) == 1 and own[0].index is None and (
            not self.ledger.is_shadow(step.target) or self.ledger.is_fresh(own[0].value)) \
            and not self.begins_with_zeros(step.target)
        if not plain:
            # The adjoint is about to be bound anew: what is read of it is computed first.
            own = [replace(c, value=self.by_value(c)) for c in own]
        self.ledger.drop(step.target)
        for contribution in own:
            self.ledger.add(contribution)

    def merged(self, contributions: list[Any], node: Any) -> list[Any]:
        """Contributions to one adjoint as one sum: `y * y` adds `by2 * y + by2 * y`. What may be a
        list is not summed by an operator, which would join it."""
        if len(contributions) < 2:
            return contributions
        numbers: tuple[Any, ...] = (Number, kinds.Array, kinds.Numeric)
        found: dict[str, Any] = {}
        out: list[Any] = []
        for one in contributions:
            kind = self.ledger.kind(one.name)
            if one.index is not None or one.steps or not (isinstance(kind, numbers) or (
                    kind == kinds.UNKNOWN and isinstance(node.value, (gast.BinOp, gast.UnaryOp)))):
                out.append(one)
            elif one.name in found:
                spot = out.index(found[one.name])
                operator, value = signed(one.value)
                out[spot] = found[one.name] = replace(out[spot], value=binary(
                    out[spot].value, operator, value))
            else:
                found[one.name] = one
                out.append(one)
        return out

    def begins_with_zeros(self, name: str) -> bool:
        """Whether an adjoint is made as zeros, to which the first contribution is added as well."""
        return self.ledger.is_list(name) or self.ledger.is_view(name) \
            or name in self.context.aliases.laid_out

    def with_parts(self, step: Any, whole: gast.expr) -> Any:
        """A step that reads the adjoints of the parts of its result where it read parts of the
        whole, which is put together only if it is still read then."""
        name = self.context.adjoints[step.target]
        swap = _Parts(name, whole.elts if isinstance(whole, gast.Tuple) else [])
        step = replace(
            step, locals=[(n, swap.visit(syntax.copy(v))) for n, v in step.locals],
            contributions=[replace(c, value=swap.visit(syntax.copy(c.value)))
                           for c in step.contributions])
        values = [*(v for _, v in step.locals), *(c.value for c in step.contributions)]
        if any(name in syntax.read_names(value) for value in values):
            self.ledger.out.append(assign(name, whole))
        return step

    def by_value(self, contribution: Contribution) -> gast.expr:
        """A name for what a contribution adds, so that adjoints may change before it is added."""
        adjoint = self.context.adjoints[contribution.name]
        local = self.context.fresh(f"{adjoint}_part")
        self.ledger.out.append(assign(local, contribution.value))
        self.ledger.know({local: self.context.typer.kind(contribution.value)})
        return load(local)

    _item = _rule

    def _copy(self, node: gast.stmt, step: Any) -> None:
        source = step.contributions[0].name
        if source == step.target:                   # x = x
            return
        if self.ledger.is_view(step.target):
            self.ledger.drop(step.target)
            return
        if step.target in self.context.twins:
            # A new array that gets its variable: the shadow is its adjoint.
            self.ledger.add(Contribution(source, load(self.context.adjoints[step.target])))
            return
        if isinstance(self.ledger.kind(source), kinds.Maybe) \
                and isinstance(self.ledger.kind(step.target), CONTAINERS):
            # What may be None on other ways has one adjoint, which may be that of None.
            if self.ledger.parts(step.target):
                whole = self.ledger.display((step.target,), self.ledger.kind(step.target))
                self.ledger.drop(step.target)
                self.ledger.add(Contribution(source, whole))
            return
        for path in self.ledger.parts(step.target):
            self.ledger.move(path, (source, *path[1:]))

    def _part(self, node: gast.stmt, step: Any) -> None:
        contribution = step.contributions[0]
        for path in self.ledger.parts(step.target):
            self.ledger.move(path, (contribution.name, *contribution.steps, *path[1:]))

    def _element(self, node: gast.stmt, step: Any) -> None:
        contribution = step.contributions[0]
        parts = self.ledger.parts(step.target)
        if not parts or contribution.name not in self.context.active:
            self.ledger.drop(step.target)
            return
        adjoints = [(path, self.ledger.name_of(path)) for path in parts]
        if step.target == contribution.name:    # l = l[::-1]: its adjoint is bound anew
            adjoints = [(path, self.held(path, node)) for path in parts]
            self.ledger.drop(step.target)
        self.ledger.own(contribution.name)
        for path, held in adjoints:
            owner = load(self.context.adjoints[contribution.name])
            adjoint: gast.expr = load(held)
            kind = self.ledger.kind_of_path(path)
            if held == self.ledger.name_of(path):
                adjoint = self.ledger.as_real(path, kind)
            if self.ledger.is_list(path[0]) and not isinstance(
                    self.ledger.kind(contribution.name), kinds.MapKind) and not isinstance(
                    self.context.typer.kind(contribution.index), kinds.Number) \
                    and not is_nested(contribution.index):
                self.ledger.add_list(owner, syntax.copy(contribution.index), adjoint)
                continue
            spot: gast.expr = subscript(owner, syntax.copy(contribution.index))
            for one in path[1:]:
                spot = subscript(spot, syntax.constant(one[1]))
            self.ledger.add_item(spot, adjoint, kind)
        if step.target != contribution.name:
            self.ledger.drop(step.target)

    def held(self, path: Path, node: gast.stmt) -> str:
        """A second name for an adjoint that is about to be bound anew."""
        adjoint = self.ledger.name_of(path)
        local = self.context.fresh(f"{adjoint}_part")
        kind = self.ledger.kind_of_path(path)
        self.ledger.out.append(assign(local, self.real_behind(node, path)))
        self.ledger.know({local: kind})
        return local

    def _unpack(self, node: Any, step: Any) -> None:
        if self.fills_list(node, step):
            return
        for contribution in step.contributions:
            if contribution.index is not None and self.ledger.is_list(contribution.name):
                name = next(n for n, b in self.context.adjoints.items()
                            if b == contribution.value.id)
                for path in self.ledger.parts(name):        # of a tuple each part has its own
                    self.ledger.own(contribution.name)
                    spot = subscript(load(self.context.adjoints[contribution.name]),
                                     syntax.copy(contribution.index))
                    for one in path[1:]:
                        spot = subscript(spot, syntax.constant(one[1]))
                    kind = self.ledger.kind_of_path(path)
                    self.ledger.add_item(spot, self.ledger.as_real(path, kind), kind)
                self.ledger.drop(name)
                continue
            if contribution.index is not None:
                name = next(n for n, b in self.context.adjoints.items()
                            if b == contribution.value.id)
                if (name,) in self.ledger.state:
                    self.ledger.add(contribution)
                    self.ledger.drop(name)
                continue
            name = next(n for n, b in self.context.adjoints.items() if b == contribution.value.id)
            for path in self.ledger.parts(name):
                self.ledger.move(path, (contribution.name, *contribution.steps, *path[1:]))

    def fills_list(self, node: Any, step: Any) -> bool:
        """`a, b = xs` takes all items of a list of arrays: if nothing was added to its adjoint
        before, that is `bxs = [ba, bb]`; whether it is so, and written."""
        names = [target.id for target in node.targets[0].elts]
        sources = {c.name for c in step.contributions if c.index is not None}
        if len(step.contributions) != len(names) or len(set(names)) != len(names) \
                or len(sources) != 1:
            return False
        (source,) = sources
        # Numbers are added where they are, in the list that this one is an item of.
        if not isinstance(getattr(self.ledger.kind(source), "item", None), kinds.Array) \
                or not self.ledger.is_list(source) or (source,) in self.ledger.state \
                or source in self.context.twins or source in names \
                or not all((name,) in self.ledger.state for name in names):
            return False
        adjoints = [load(self.context.adjoints[name]) for name in names]
        self.ledger.out.append(assign(self.context.adjoints[source],
                                      gast.List(adjoints, gast.Load())))
        self.ledger.state[(source,)] = all(self.ledger.state[(name,)] for name in names)
        for name in names:
            self.ledger.drop(name)
        return True

    def _build(self, node: gast.Assign, step: Any) -> None:
        value = node.value
        moves: list[tuple[Path, str]] = []
        rest: list[tuple[Path, Path]] = []          # parts that an update leaves as they are

        def visit(part: gast.expr, path: Path) -> None:
            if updates_of(part) is not None:
                changed = dict(changed_parts(part))
                for inner, _ in items(self.ledger.kind(step.target)):
                    if inner not in changed:
                        rest.append(((*path, inner), (updates_of(part), inner)))
                for inner, one in changed.items():
                    visit(one, (*path, inner))
            elif isinstance(part, gast.Call):
                function, _ = self.context.typer.callee(part)
                given = fields_of_class(function, len(part.args), [k.arg for k in part.keywords])
                for field, one in zip(given or [], [*part.args,
                                                  *(k.value for k in part.keywords)]):
                    inner = ("[", function._fields.index(field)) if issubclass(function, tuple) \
                        else (".", field)
                    visit(one, (*path, inner))
            elif isinstance(part, (gast.Tuple, gast.List)):
                for number, one in enumerate(part.elts):
                    visit(one, (*path, ("[", number)))
            elif isinstance(part, gast.Dict):
                for key, one in zip(part.keys, part.values):
                    visit(one, (*path, ("[", key.value)))
            elif isinstance(part, gast.Name):
                moves.append((path, part.id))

        visit(value, (step.target,))
        if self.ledger.is_list(step.target):
            if (step.target,) in self.ledger.state:
                for path, name in moves:
                    if name in self.context.active:
                        part: gast.expr = load(self.context.adjoints[step.target])
                        for one in path[1:]:
                            part = subscript(part, syntax.constant(one[1]))
                        later = self.ledger.kind_of_path_joined((step.target,))
                        for _ in path[1:]:
                            later = getattr(later, "item", kinds.UNKNOWN)
                        self.ledger.receive(name, part, True, later)
                self.ledger.drop(step.target)
            return
        for path, name in moves:
            if name not in self.context.active:
                continue
            for above in (path[:n] for n in range(1, len(path)) if path[:n] in self.ledger.state):
                # A list that is written in a tuple has its adjoint as a whole.
                taken: gast.expr = load(self.ledger.name_of(above))
                for one in path[len(above):]:
                    taken = subscript(taken, syntax.constant(one[1]))
                self.ledger.receive(name, taken, True)
            for part in self.ledger.parts_of(path):
                self.ledger.move(part, (name, *part[len(path):]))
        if rest:
            self.leave(step.target, rest)
            return
        for path in self.ledger.parts(step.target):
            del self.ledger.state[path]

    def leave(self, name: str, rest: list[tuple[Path, Path]]) -> None:
        """What an update leaves as it is: from a name to another, or to itself."""
        kept = {part for path, _ in rest for part in self.ledger.parts_of(path)}
        for path, source in rest:
            for part in self.ledger.parts_of(path):
                target = (*source, *part[len(path):])
                if target != part and source[0] in self.context.active:
                    self.ledger.move(part, target)
        for part in self.ledger.parts(name):
            if part not in kept:
                del self.ledger.state[part]

    def _view(self, node: gast.stmt, step: Any) -> None:
        if step.contributions and (step.target,) in self.ledger.state:
            # It may be a copy after all, and then it has a shadow of its own.
            base = self.context.adjoints[step.contributions[0].name]
            shares = call(syntax.attribute(self.context.external(np, "np"), "may_share_memory"),
                          load(self.context.adjoints[step.target]), load(base))
            outer, self.ledger.out = self.ledger.out, []
            for contribution in step.contributions:
                self.ledger.add(contribution)
            body, self.ledger.out = self.ledger.out, outer
            self.ledger.out.append(gast.If(gast.UnaryOp(gast.Not(), shares), body, []))
        self.ledger.drop(step.target)

    def _write(self, node: gast.stmt, step: Any) -> None:
        name = step.target
        if not self.ledger.present((name,)):
            return
        self.ledger.own(name)
        step = self.with_real_parts(step)
        shared_values.start(self.ledger, step.locals)
        spot = subscript(load(self.context.adjoints[name]), syntax.copy(step.index), gast.Store())
        self.ledger.out.append(assign(spot, gast.Constant(0.0, None)))
        for contribution in step.contributions:
            self.ledger.add(contribution)

    def _increment(self, node: gast.stmt, step: Any) -> None:
        if not self.ledger.present((step.target,)):
            return
        self.ledger.exists((step.target,))          # a view of a shadow may not be bound yet
        step = self.with_real_parts(step)
        shared_values.start(self.ledger, step.locals)
        for contribution in step.contributions:
            self.ledger.add(contribution)

    def _scale(self, node: gast.stmt, step: Any) -> None:
        """`x *= v` on an array: the adjoint is scaled in place."""
        name = step.target
        if not self.ledger.present((name,)):
            return
        self.ledger.own(name)
        own = next(c for c in step.contributions if c.name == name)
        shared_values.start(self.ledger, step.locals)
        later = []
        for contribution in step.contributions:
            if contribution is not own:
                # By value, before the adjoint changes: v may be x itself, or a view of it.
                local = self.context.fresh(f"{self.context.adjoints[contribution.name]}_part")
                self.ledger.out.append(assign(local, contribution.value))
                self.ledger.know({local: self.context.typer.kind(contribution.value)})
                later.append(replace(contribution, value=load(local)))
        adjoint = self.context.adjoints[name]
        value = own.value
        if isinstance(value, gast.BinOp) and isinstance(value.left, gast.Name) \
                and value.left.id == adjoint:
            self.ledger.out.append(gast.AugAssign(syntax.store(adjoint), value.op, value.right))
        else:
            spot = subscript(load(adjoint), gast.Constant(Ellipsis, None), gast.Store())
            self.ledger.out.append(assign(spot, value))
        for contribution in later:
            self.ledger.add(contribution)

    def _given_back(self, node: gast.stmt, step: Any) -> None:
        """What a call leaves in an array: the call adds it."""

    def _pair(self, node: gast.Assign, step: Any) -> None:
        pair = step.pair
        target = node.targets[0].elts[0] if pair.has_value else gast.Tuple([], gast.Store())
        seed = self.seed_of(node, target)
        if seed is None and not pair.arrays:    # else it puts back what they held
            return
        results: list[str] = []
        results_of: set[str] = set()
        given: list[str] = []               # those that the call itself assigns
        later: list[tuple[Any, str]] = []
        for _, name in pair.active:
            direct = not self.ledger.present((name,)) and name not in results_of and not isinstance(
                self.ledger.kind(name), CONTAINERS) and not self.ledger.is_shadow(name) \
                and self.takes_whole(name) and name not in bound_names(target) \
                and name not in pair.varying        # f(u, u): the call adds to what it is given
            results_of.add(name)
            if direct:
                adjoint = self.context.adjoints[name]
                given.append(name)
            else:
                adjoint = self.context.fresh(self.context.adjoints[name] + "_1")
                later.append((name, adjoint))
            results.append(adjoint)
            self.kinds[adjoint] = self.ledger.kind(name)
        value = call(pair.backward, load(pair.saved), *([] if not pair.has_value else [
            gast.Constant(0.0, None) if seed is None else seed]))
        behind: list[gast.stmt] = []
        if pair.arrays or pair.varying:
            behind = self.in_place(pair, value, results)
        if len(results) == 1:
            self.ledger.out.append(assign(results[0], value))
        else:
            targets = syntax.tuple_of(map(syntax.store, results), gast.Store())
            self.ledger.out.append(assign(targets, value))
        self.ledger.out += behind
        for name in bound_names(target):
            self.ledger.drop(name)
        for name in given:
            self.ledger.state[(name,)] = isinstance(self.ledger.kind(name), Number)
        for name, adjoint in later:
            self.ledger.know({adjoint: self.ledger.kind(name)})
            self.ledger.receive(name, load(adjoint))

    def in_place(self, pair: Any, value: gast.Call, results: list[str]) -> list[gast.stmt]:
        """What a half that works in arrays is given of them and gives, and what that is written
        into (see `functions/in_place`)."""
        behind: list[gast.stmt] = []

        def written(array: str, made: str, kind: kinds.Kind) -> None:
            results.append(made)
            self.kinds[made] = kind
            self.ledger.know({made: kind})
            behind.append(assign(subscript(load(array), all_of(kind), gast.Store()), load(made)))

        for name in pair.varying:
            kind = self.ledger.kind(name)
            if name in self.context.active:
                self.ledger.own(name)
                adjoint = self.context.adjoints[name]
                value.args.append(load(adjoint))
                written(adjoint, self.context.fresh(f"{adjoint}_1"), kind)
                behind[-1].is_done_by_call = True
            else:
                value.args.append(self.ledger.zeros((name,)))
                results.append(self.context.fresh(f"b{name}"))
        for name in pair.arrays:
            value.args.append(load(name))
            written(name, self.context.fresh(f"{name}_1"), self.ledger.kind(name))
        return behind

    def takes_whole(self, name: str) -> bool:
        """Whether what a call returns may be the adjoint of a variable as it is: it is no list, or
        one that nobody changes, and that is received once."""
        return not self.ledger.is_list(name) or (
            self.ledger.depth == 0 and not self.ledger.is_changed_list(name))

    def seed_of(self, node: gast.stmt, target: gast.expr) -> gast.expr | None:
        """The adjoint of what a call was assigned to; None where nothing arrived."""
        if isinstance(target, gast.Name) and target.id in self.context.twins:
            return load(self.context.adjoints[target.id])
        if isinstance(target, gast.Tuple):
            if not any(self.ledger.parts(n) for n in bound_names(target)):
                return None
            return syntax.tuple_of(self.whole_behind(node, n) for n in bound_names(target))
        return self.whole_behind(node, target.id) if self.ledger.parts(target.id) else None


class _Parts(syntax.Transformer):
    """`bx[0]` becomes the first of the parts."""

    def __init__(self, name: str, parts: list[gast.expr]) -> None:
        self.name, self.parts = name, parts

    def visit_Subscript(self, node: gast.Subscript) -> gast.expr:
        number = getattr(node.slice, "value", None)
        if getattr(node.value, "id", None) == self.name and type(number) is int \
                and 0 <= number < len(self.parts):
            return syntax.copy(self.parts[number])
        return self.generic_visit(node)
