"""Put the two passes into functions: one for a gradient, two halves for a pair."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gast
import numpy as np

from tangent_lite import checks, kinds, runtime, syntax
from tangent_lite.adjoints.ledger import Context
from tangent_lite.adjoints.paths import Path, spelled
from tangent_lite.adjoints.steps import index_value
from tangent_lite.adjoints.unbound import is_never_none, tests_of_unbound
from tangent_lite.analyses.aliases import may_hold_buffer
from tangent_lite.analyses.liveness import bound_in, live_before
from tangent_lite.analyses.surely_bound import bound_by
from tangent_lite.functions.in_place import (
    GivenArrays,
    added_at_last,
    bare,
    given_as,
    not_alone,
    stays,
)
from tangent_lite.functions.units import Pair, Prepared, Unit
from tangent_lite.names import Names
from tangent_lite.passes.augment import augment
from tangent_lite.passes.fit import written_out
from tangent_lite.passes.reverse import Reversed
from tangent_lite.passes.unclose import unclose
from tangent_lite.polish.spent import leave_put_back
from tangent_lite.runtime import copied_lists
from tangent_lite.source import whereabouts
from tangent_lite.structures import nested
from tangent_lite.tidy import tidy

# The first half, its value, what is saved (name in the second -> name in the first), the second.
_Halves = tuple[list[gast.stmt], gast.expr, dict[str, str], list[gast.stmt]]


class Assembler:
    """The parts of one derivative, and what is said of it."""

    def __init__(self, prepared: Prepared, name: str, written: Reversed, context: Context,
                 wrt: list[Path], seed: str, external: dict[str, Any]) -> None:
        self.prepared, self.name, self.written = prepared, name, written
        self.context, self.seed, self.external = context, seed, external
        self.source, self.names = prepared.source, prepared.names
        self.user_names = set(self.source.names)
        self.where = whereabouts(self.source)
        self.what = ", ".join(map(spelled, wrt))
        last = prepared.tree.body[-1]
        self.value: gast.expr = last.value or gast.Constant(None, None)

    def tidied(self, forward: list[gast.stmt], backward: list[gast.stmt], answer: gast.expr,
               middle: gast.stmt | None = None) -> list[gast.stmt]:
        for half in (forward, backward) if self.prepared.may_not_fit else ():
            written_out(half, self.context.external)
        body = tidy(forward, backward, [gast.Return(answer)], self.prepared.parameters,
                    self.user_names, self.context, self.external, middle)
        bare(body, self.external)
        augment(body, self.source.original, self.context.typer, self.context.facts.names)
        return body

    def unit(self, name: str, arguments: gast.arguments, title: str,
             body: list[gast.stmt]) -> Unit:
        return Unit.of_body(name, arguments, title, unclose(body, self.names), self.source,
                            self.external)

    # One function -----------------------------------------------------------------------------
    def gradient(self) -> Unit:
        """`f_grad(x, bf=1.0)`."""
        body = self.tidied(self.written.forward, self.written.backward, self.answer())
        return self.unit(f"{self.name}_grad", self.arguments(),
                         f"Gradient of {self.where} with respect to {self.what}.", body)

    def value_and_gradient(self) -> Unit:
        """`f_value_and_grad(x, bf=1.0)`."""
        forward, value = list(self.written.forward), self.value
        if syntax.read_names(value) & bound_in(self.written.backward):
            kept = self.names.fresh("value")
            forward.append(syntax.assign(kept, value))
            value = syntax.load(kept)
        body = self.tidied(forward, self.written.backward,
                           syntax.tuple_of([value, self.answer()]))
        return self.unit(f"{self.name}_value_and_grad", self.arguments(),
                         f"Value and gradient of {self.where} with respect to {self.what}.", body)

    def by_pair(self, pair: Pair, with_value: bool, wrt: list[Path]) -> Unit:
        """The gradient of a function that calls itself: its two halves, one after the other."""
        value, saved = (self.names.fresh(n) for n in (self.name, "saved"))
        given = [syntax.load(p) for p in self.prepared.parameters]
        body: list[gast.stmt] = [gast.Assign(
            [syntax.tuple_of([syntax.store(value if with_value else "_"), syntax.store(saved)],
                             gast.Store())], syntax.call(self.called(pair.forward), *given), None)]
        zeros = {name: self.names.fresh(f"b{name}") for name in pair.adds}
        for name, adjoint in zeros.items():
            body.append(syntax.assign(adjoint, syntax.call(self.zeros_like(name),
                                                           syntax.load(name))))
        answer: gast.expr = syntax.call(self.called(pair.backward), syntax.load(saved),
                                        syntax.load(self.seed), *map(syntax.load, zeros.values()))
        if zeros:
            others = {name: self.names.fresh(f"b{name}") for name in pair.active}
            targets = [*map(syntax.store, others.values())]
            body.append(gast.Expr(answer) if not targets else gast.Assign(
                [targets[0] if len(targets) == 1 else syntax.tuple_of(targets, gast.Store())],
                answer, None))
            found = {**zeros, **others}
            parts = [syntax.load(found[path[0]]) for path in wrt]
            answer = parts[0] if len(parts) == 1 else syntax.tuple_of(parts)
        if with_value:
            answer = syntax.tuple_of([syntax.load(value), answer])
        form, what = ("value_and_grad", "Value and gradient") if with_value else \
            ("grad", "Gradient")
        return self.unit(f"{self.name}_{form}", self.arguments(),
                         f"{what} of {self.where} with respect to {self.what}.",
                         [*body, gast.Return(answer)])

    def zeros_like(self, name: str) -> gast.expr:
        """The function that makes zeros for an array, or for a list."""
        if isinstance(self.prepared.kinds[name], kinds.ListKind):
            return self.context.external(runtime.zeros_like, "zeros_like")
        return syntax.attribute(self.context.external(np, "np"), "zeros_like")

    def add_parts(self, total: gast.expr, part: gast.expr) -> gast.stmt:
        """A list of adjoints, added to another one."""
        index = index_value(gast.Slice(None, None, None), self.context.external)
        return syntax.statement(syntax.call(
            self.context.external(runtime.add_parts, "add_parts"), total, index, part))

    def called(self, unit: Unit) -> gast.expr:
        """An emitted function, by the name that it has here."""
        for name, thing in self.external.items():
            if thing is unit:
                return syntax.load(name)
        name = self.names.fresh(unit.name)
        self.external[name] = unit
        return syntax.load(name)

    def answer(self) -> gast.expr:
        results = self.written.results
        return results[0] if len(results) == 1 else syntax.tuple_of(results)

    def arguments(self) -> gast.arguments:
        """The user's parameters, and the seed."""
        made = _plain_arguments(self.source.tree.args)
        seed = gast.Name(self.seed, gast.Param(), None, None)
        if made.kwonlyargs:
            made.kwonlyargs.append(seed)
            made.kw_defaults.append(gast.Constant(1.0, None))
        else:
            made.args.append(seed)
            made.defaults.append(gast.Constant(1.0, None))
        return made

    # Two halves -------------------------------------------------------------------------------
    def pair(self, unit_names: Names, again: bool, given: GivenArrays | None = None,
             halves: _Halves | None = None) -> list[Unit]:
        """`f_fwd(x)` returns the value and what is saved; `f_bwd(saved, bf)` leaves it intact.

        again: the second half runs the function again, and nothing but its arguments is saved;
        given: arrays in which the halves work, and adjoints in which the second one does, which it
        is given behind that of the value: `f_bwd(saved, bf, ba)`. What is saved is then used up;
        halves: those that are made already.
        """
        given = given or GivenArrays()
        saved = self.names.fresh("saved")
        first, value, kept, second = halves or (
            self.run_again(given) if again else self.run_on(given))
        seeds = {name: name for name in given.adjoints.values()}
        if given.adjoints or given.copies:
            second = self.in_place(first, second, given, seeds)
        prologue: list[gast.stmt] = []
        if kept:
            target = syntax.tuple_of(map(syntax.store, kept), gast.Store())
            prologue.append(syntax.assign(target, syntax.load(saved)))
        if not again:
            # A pullback may be called again: lists that it pops from are copied first.
            popped = set() if given.copies else _popped(second)
            unbound = {t.id for n in first if isinstance(n, gast.Assign)
                       and isinstance(n.value, gast.Constant) and n.value.value is None
                       for t in n.targets if isinstance(t, gast.Name)}
            within = _changed_within(second)
            prologue += [self.copied(n, n in unbound, n in within) for n in kept if n in popped]
            second = _without_heading(second)
        record = syntax.tuple_of(map(syntax.load, kept.values()))
        title, seed = f"Value of {self.where} and what its backward pass needs.", [self.seed]
        what = f"adjoints of {self.what}"
        if given.copies:
            changed = ", ".join(given.copies)
            what += f"; {changed} as before"
            function: Any = self.source.function
            if not function.has_value:
                title, seed = f"{self.where}, and what its backward pass needs.", []
        both = syntax.tuple_of([value, record]) if seed else record
        forward_name = unit_names.fresh(f"{self.name}_fwd")
        backward_name = unit_names.fresh(f"{self.name}_bwd")
        units = [
            self.unit(forward_name, _plain_arguments(self.source.tree.args, bare=True), title,
                      [*_without_heading(first),
                       syntax.copy_place(gast.Return(both), self.prepared.tree.body[-1])]),
            self.unit(backward_name,
                      syntax.function_def("f", [saved, *seed, *seeds.values()], []).args,
                      f"Backward pass of {self.where}: {what}.", [*prologue, *second])]
        units[0].saves_result = self.may_hold(kept.values(), value)
        return units

    def in_place(self, first: list[gast.stmt], second: list[gast.stmt], given: GivenArrays,
                 seeds: dict[str, str]) -> list[gast.stmt]:
        """The second half as it works in what it is given; seeds: the names under which it is given
        adjoints, which are noted."""
        adjoints, count = given.active(self.context.active), len(self.written.results)
        if not adjoints and not given.copies:
            return second               # what it reads there has no part in what it returns
        answer = second.pop().value.elts
        ends = answer[count:]
        for one, (array, name) in zip(ends, adjoints.items()):
            known: str | None = None
            if isinstance(one, gast.Name) and stays(second, one.id, name):
                known = given_as(second, one.id, name)
            elif isinstance(one, gast.Name) and array not in given.copies.values():
                known = added_at_last(
                    second, one.id, name, self.zeros_like(array), self.names.fresh, self.add_parts
                    if isinstance(self.prepared.kinds[array], kinds.ListKind) else None)
            if known is None:
                raise not_alone(self.source.name, self.source.place(self.source.tree))
            seeds[name] = known
        for one, parameter in zip(ends[len(adjoints):], given.copies):
            if not isinstance(one, gast.Name) or not stays(first, one.id, parameter) \
                    or not stays(second, one.id, one.id):
                raise not_alone(self.source.name, self.source.place(self.source.tree))
        results = answer[:count]
        if results:
            second.append(gast.Return(results[0] if count == 1 else syntax.tuple_of(results)))
        return second

    def ends(self, given: GivenArrays) -> tuple[gast.expr, list[gast.expr]]:
        """What the second half leaves behind, and the arrays that the first one does."""
        arrays: list[gast.expr] = [*map(syntax.load, given.copies.values())]
        adjoints = [syntax.load(self.context.adjoints[n])
                    for n in given.active(self.context.active)]
        if not arrays and not adjoints:
            return self.answer(), []
        return syntax.tuple_of([*self.written.results, *adjoints, *arrays]), arrays

    def may_hold(self, kept: Iterable[str], value: gast.expr) -> bool:
        """Whether what is saved may hold the memory of the value: an array that is returned, or
        what is known too little of (tapes, what other halves save)."""
        facts, aliases = self.prepared.facts, self.prepared.aliases
        if not may_hold_buffer(facts.result):
            return False
        stands_for, versions = self.stands_for(), self.prepared.names.versions

        def meant(names: Iterable[str]) -> set[str]:
            return {one for name in names for one in stands_for.get(versions.get(name, name), ())}

        returned = {aliases.find(name) for name in meant(syntax.read_names(value))}
        return any(not (found := meant([name])) or any(
            may_hold_buffer(facts.names[one]) and aliases.find(one) in returned for one in found)
            for name in kept)

    def stands_for(self) -> dict[str, list[str]]:
        """The versions that a name may stand for by now: `coalesce` gave it back to them."""
        versions = self.prepared.names.versions
        found: dict[str, list[str]] = {}
        for name in self.prepared.facts.names:
            found.setdefault(versions.get(name, name), []).append(name)
        return found

    def copied(self, name: str, unbound: bool, within: bool) -> gast.stmt:
        """`xs = xs.copy()`, also where xs may be None because it was never bound; within: lists in
        the list change as well."""
        if within:
            helper = self.context.external(copied_lists, "copied_lists")
            return syntax.assign(name, syntax.call(helper, syntax.load(name)))
        value: gast.expr = syntax.method(syntax.load(name), "copy")
        if unbound:
            unbound_test = gast.Compare(syntax.load(name), [gast.Is()], [gast.Constant(None, None)])
            value = gast.IfExp(unbound_test, gast.Constant(None, None), value)
        return syntax.assign(name, value)

    def nothing_put_back(self, given: GivenArrays | None) -> _Halves | None:
        """Both halves as `run_on` makes them, if all parts of arrays that the second one puts back
        are looked at by nobody: then it leaves all arrays as the first one has left them."""
        names, known = self.names.copy(), dict(self.external)
        known_kinds = dict(self.context.adjoint_kinds)      # tidying finds out about its own text
        kept = self.written, self.value
        self.written = Reversed(syntax.copy(self.written.forward),
                                syntax.copy(self.written.backward),
                                syntax.copy(self.written.results), self.written.zeroed)
        self.value = syntax.copy(self.value)
        made = self.run_on(given or GivenArrays(), leaves=True)
        if not checks.writes_into_arrays(self.prepared, made[-1]):
            return made
        self.written, self.value = kept
        self.names.go_back(names)
        for table, before in ((self.external, known), (self.context.adjoint_kinds, known_kinds)):
            table.clear()
            table.update(before)
        return None

    def run_on(self, given: GivenArrays, leaves: bool = False) -> _Halves:
        """Both halves, where the second goes on from where the first stopped; leaves: what it puts
        back for nobody is left out."""
        given.keep_none()
        answer, arrays = self.ends(given)
        has_value = getattr(self.source.function, "has_value", True)
        whole = self.tidied(self.written.forward, self.written.backward, answer,
                            middle=gast.Return(syntax.tuple_of([
                                self.value if has_value else gast.Constant(None, None), *arrays])))
        parameters = set(self.prepared.parameters)
        at = next(i for i, n in enumerate(whole) if isinstance(n, gast.Return))
        first, second = whole[:at], whole[at + 1:]
        if leaves:
            self.leave_put_back(first, second)
        available = bound_in(first) | parameters
        needed = [n for n in _free_in_order(second) if n in available]
        certain = bound_by(first, parameters) or available
        unbound = [n for n in needed if n not in certain]
        if unbound:
            facts, stands_for = self.prepared.facts, self.stands_for()
            first = tests_of_unbound(
                first, whole[at], {n for n in unbound if stands_for.get(n) and all(
                    is_never_none(facts.names[one]) for one in stands_for[n])}, parameters)
            first.insert(0, gast.Assign([*map(syntax.store, unbound)],
                                        gast.Constant(None, None), None))
        return first, whole[at].value.elts[0], {n: n for n in needed}, second

    def leave_put_back(self, first: list[gast.stmt], second: list[gast.stmt]) -> None:
        """Leave out what is put back for nobody, in place; who is given an array that the first
        half returns puts back himself what he writes into it."""
        between = gast.Pass()
        tree = syntax.function_def("f", [], [*first, between, *second])
        tree.args = self.arguments()
        unit = Unit("f", tree, self.source, self.external)
        leave_put_back(unit)
        at = next(i for i, n in enumerate(unit.tree.body) if n is between)
        first[:], second[:] = unit.tree.body[:at], unit.tree.body[at + 1:]

    def run_again(self, given: GivenArrays) -> _Halves:
        """The same, where the second half starts from the parameters."""
        prepared = self.prepared
        plain = syntax.copy([n for n in prepared.tree.body if not isinstance(n, gast.Return)])
        parameters = [syntax.load(p) for p in prepared.parameters]
        first = self.tidied(plain, [], syntax.tuple_of([self.value, *parameters]))
        second = self.tidied(self.written.forward, self.written.backward, self.ends(given)[0])
        value = first.pop().value.elts[0]
        kept = {p: p for p in prepared.parameters}
        for parameter in prepared.parameters:
            if parameter in bound_in(first):
                # Bound anew on the way: what was given is kept under another name.
                kept[parameter] = self.names.fresh(f"{parameter}_given")
                first.insert(0, syntax.assign(kept[parameter], syntax.load(parameter)))
        return first, value, kept, second


def _popped(block: list[gast.stmt]) -> set[str]:
    """Lists and dicts that a block changes."""
    found: set[str] = set()
    for node in (n for s in block for n in syntax.walk(s)):
        if isinstance(node, gast.Call):
            function = node.func
            if isinstance(function, gast.Attribute) and isinstance(function.value, gast.Name) \
                    and function.attr in ("pop", "append", "insert"):
                found.add(function.value.id)
            elif isinstance(function, gast.Name) and function.id.startswith("put_back") \
                    and isinstance(node.args[0], gast.Name):
                found.add(node.args[0].id)
        elif isinstance(node, gast.Delete):
            found.add(syntax.root_name(node.targets[0]) or "")
        elif isinstance(node, gast.Assign):
            found |= {t.value.id for t in node.targets if isinstance(t, gast.Subscript)
                      and isinstance(t.value, gast.Name)}
    return found


def _changed_within(block: list[gast.stmt]) -> set[str]:
    """Lists of lists, and dicts of lists, of which a block changes the inner ones."""
    targets = [t for node in block for one in (
        *syntax.all_of(node, gast.Assign), *syntax.all_of(node, gast.Delete)) for t in one.targets]
    return {syntax.root_name(t) or "" for t in targets if isinstance(t, gast.Subscript) and (
        nested.levels(t.slice) > 0 or isinstance(t.ctx, gast.Del))}


def _plain_arguments(arguments: gast.arguments, bare: bool = False) -> gast.arguments:
    """The user's parameters; defaults only where they are literals."""
    made = syntax.copy(arguments)
    for one in [*made.posonlyargs, *made.args, *made.kwonlyargs]:
        one.annotation = None
    if bare:
        made.args = made.posonlyargs + made.args + made.kwonlyargs
        made.posonlyargs, made.kwonlyargs, made.kw_defaults, made.defaults = [], [], [], []
    elif not all(map(_literal, made.defaults)):
        made.defaults = []
    if made.kwonlyargs:
        made.kw_defaults = [d if d is not None and _literal(d) else None for d in made.kw_defaults]
    if not bare and made.posonlyargs:
        made.args, made.posonlyargs = made.posonlyargs + made.args, []
    return made


def _literal(node: gast.expr) -> bool:
    return syntax.is_atom(node) and not isinstance(node, gast.Name)


def _free_in_order(block: list[gast.stmt]) -> list[str]:
    """Names that a block reads and that are bound in front of it, in order."""
    found: dict[str, None] = {}
    for node in block:
        for part in syntax.walk(node):
            if isinstance(part, gast.Name) and not isinstance(part.ctx, gast.Param):
                found.setdefault(part.id)
    live = live_before(block)
    return [n for n in found if n in live]


def _without_heading(block: list[gast.stmt]) -> list[gast.stmt]:
    """A half has no heading for its only pass."""
    return [n for n in block if not (syntax.is_comment(n) and n.value.value in (
        "# Forward pass", "# Backward pass", "#"))]
