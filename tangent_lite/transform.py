"""The pipeline: from a function and the kinds of its arguments to the text of its derivative."""
from __future__ import annotations

import contextlib
import gc
import inspect
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite import kinds, registry, syntax
from tangent_lite.errors import AliasError, UnsupportedSyntaxError
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.kinds import Kind
from tangent_lite.liveness import bound_in, liveness
from tangent_lite.names import Names
from tangent_lite.passes.activity import activity
from tangent_lite.passes.alias import alias, walk
from tangent_lite.passes.anf import anf
from tangent_lite.passes.desugar import desugar
from tangent_lite.passes.exits import exits
from tangent_lite.passes.fence import fence
from tangent_lite.passes.frame import frame
from tangent_lite.passes.infer import Inferred, infer
from tangent_lite.passes.own import own
from tangent_lite.passes.plan import Context as PlanContext
from tangent_lite.passes.plan import plan
from tangent_lite.passes.record import record
from tangent_lite.passes.reverse import Context as ReverseContext
from tangent_lite.passes.reverse import Reverse
from tangent_lite.passes.tidy import tidy
from tangent_lite.passes.twins import twins
from tangent_lite.passes.versions import versions
from tangent_lite.resolve import Resolver
from tangent_lite.source import Source, source_of
from tangent_lite.steps import Contribution


@dataclass
class Unit:
    """One emitted function: its tree and what its free names mean."""
    name: str
    tree: gast.FunctionDef
    source: Source
    external: dict[str, Any] = field(default_factory=dict)      # name -> object or Unit


@dataclass
class Pair:
    """The two halves of a user function that is called by differentiated code."""
    name: str
    forward: Unit
    backward: Unit
    active: tuple[str, ...]                 # parameters whose adjoints the backward half returns


@dataclass
class CallOfPair:
    """A pair at one place where it is called."""
    name: str
    forward: gast.expr
    backward: gast.expr
    arguments: list[gast.expr]
    active: list[tuple[int, str]]           # (position, variable of the caller)
    shadows: bool = False
    saved: str = ""


@dataclass
class Prepared:
    """A function body in normal form, with the facts about it."""
    source: Source
    tree: gast.FunctionDef
    parameters: list[str]
    kinds: dict[str, Kind]
    facts: Inferred
    aliases: Any
    names: Names
    resolver: Resolver
    typer: Typer
    copied: list[str]


@dataclass
class Derivative:
    """The emitted functions of one derivative; the last unit is the one that is called."""
    units: list[Unit]
    resolvers: list[Resolver]
    result: Kind
    written: list[str]                      # parameters that the function writes to
    main: Unit
    backward: Unit | None = None            # for a pair


class Transformer:
    """Builds one derivative: the function itself and the pairs of what it calls."""

    def __init__(self, general: bool = False) -> None:
        self.general = general
        self.units: list[Unit] = []
        self.resolvers: list[Resolver] = []
        self.pairs: dict[Any, Pair] = {}
        self.results: dict[Any, Kind] = {}
        self.unit_names = Names()

    # Front half: the function in normal form -----------------------------------------------------
    def prepare(self, function: Any, parameter_kinds: dict[str, Kind], outermost: bool) -> Prepared:
        """Bring a function into normal form and find out about it."""
        source = source_of(function)
        resolver = Resolver(source)
        self.resolvers.append(resolver)
        fence(source.tree, source, resolver.free)
        tree = source.tree
        if tree.args.vararg or tree.args.kwarg:
            raise UnsupportedSyntaxError("a function with * or ** parameters is not handled yet",
                                         source.place(tree), "name the parameters")
        parameters = syntax.parameter_names(tree.args)
        names = Names(syntax.all_names(tree))
        tree = exits(tree, names)
        tree = desugar(tree, names)
        tree = anf(tree, names)
        tree = frame(tree, names)
        tree = own(tree, [], names)
        if self.general:
            parameter_kinds = {n: kinds.Numeric(None) if k == kinds.UNKNOWN and n in _arithmetic(tree)
                               else k for n, k in parameter_kinds.items()}
        copied: list[str] = []
        rebound: set[str] = set()
        while True:
            numbered = versions(tree, names)
            typer = Typer({}, resolver.free)
            typer.user_call = self.kind_of_call(typer)
            facts = infer(numbered, parameter_kinds, typer)
            self.check_loops(numbered, facts, source)
            if self.settle(tree, numbered, facts, typer, source, rebound):
                continue
            aliases = alias(numbered, facts, typer, source.place, parameters)
            for name in sorted(rebound & bound_in(numbered.body)):
                mates = [n for n in facts.names if aliases.find(n) == aliases.find(name)]
                if len(mates) > 1:
                    raise AliasError(f"whether {name} is a number or an array is not known where "
                                     f"it is changed, and {mates[0]} may be the same array",
                                     source.place(tree), f"write {name} = {name} + ...")
            written = [p for p in parameters if aliases.is_written(p) and p not in copied
                       and not isinstance(parameter_kinds[p], kinds.Number)]
            if not written:
                break
            if not outermost:
                raise AliasError(f"{source.name} writes into its argument {written[0]}; a helper "
                                 "that changes its arguments is not handled yet",
                                 source.place(source.tree), "return the changed array instead")
            copied += written
            tree = own(tree, written, names)
        if not outermost and any(getattr(n, "is_entry_copy", False) for n in numbered.body):
            raise AliasError(f"{source.name} writes into an array from outside; a helper that does "
                             "is not handled yet", source.place(source.tree),
                             "pass the array in, or make it in the helper")
        return Prepared(source, numbered, parameters, parameter_kinds, facts, aliases, names,
                        resolver, typer, copied)

    def settle(self, tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred,
               typer: Typer, source: Source, rebound: set[str]) -> bool:
        """Rewrite in-place operations whose meaning the kinds decide; whether any was.

        `x **= v` on an array writes x[...]; `x[i] += v` with an array of indices reads and writes;
        `x += v` where x may be a number or an array binds x, if nobody else holds the array.
        """
        plain = list(walk(tree.body))
        found = False
        for number, node in enumerate(walk(numbered.body)):
            if not isinstance(node, gast.AugAssign):
                continue
            typer.names = facts.before[id(node)]
            original = plain[number]
            if isinstance(node.target, gast.Subscript):
                if typer.index_class(node.target.slice) in ("array", "unknown", "mask") and \
                        isinstance(typer.kind(node.target.value), kinds.Array) and \
                        typer.index_class(node.target.slice) != "mask":
                    self.spell_out(tree, original, syntax.copy(original.target))
                    found = True
                continue
            name = original.target.id
            kind = facts.before[id(node)].get(node.target.id, kinds.UNKNOWN)
            if isinstance(kind, kinds.Array):
                if not isinstance(node.op, (gast.Add, gast.Sub, gast.Mult, gast.Div)):
                    whole = syntax.subscript(syntax.load(name), gast.Constant(Ellipsis, None),
                                             gast.Store())
                    self.spell_out(tree, original, whole)
                    found = True
            elif isinstance(kind, kinds.Numeric) or (kind == kinds.UNKNOWN):
                self.spell_out(tree, original, syntax.store(name))
                rebound.add(name)
                found = True
        return found

    def spell_out(self, tree: gast.FunctionDef, node: gast.AugAssign, target: gast.expr) -> None:
        """`target op= value` as `t = target op value; target = t`."""
        old = syntax.copy(target)
        old.ctx = gast.Load()
        if isinstance(old, gast.Subscript) and isinstance(old.slice, gast.Constant) \
                and old.slice.value is Ellipsis:
            old = old.value
        block = next(b for b in _blocks(tree) if any(n is node for n in b))
        spot = next(i for i, n in enumerate(block) if n is node)
        made: list[gast.stmt] = []
        value: gast.expr = gast.BinOp(old, node.op, node.value)
        if not isinstance(target, gast.Name):
            names = Names(syntax.all_names(tree))
            if isinstance(old, gast.Subscript):
                part = names.fresh("part")
                made.append(syntax.assign(part, old))
                value = gast.BinOp(syntax.load(part), node.op, node.value)
            name = names.fresh("t")
            made.append(syntax.assign(name, value))
            value = syntax.load(name)
        made.append(syntax.assign(target, value))
        for one in made:
            gast.copy_location(one, node)
            for inner in syntax.walk(one):
                if isinstance(inner, gast.expr) and not hasattr(inner, "lineno"):
                    gast.copy_location(inner, node)
        block[spot:spot + 1] = made

    def check_loops(self, tree: gast.FunctionDef, facts: Inferred, source: Source) -> None:
        """`for v in xs` was written as a loop over xs[k]: refuse where xs is no sequence."""
        for node in walk(tree.body):
            value = getattr(node, "value", None)
            if isinstance(node, gast.Assign) and getattr(value, "iterates", False):
                name = getattr(value.value, "id", None)
                kind = facts.before[id(node)].get(name, kinds.UNKNOWN) if name else kinds.UNKNOWN
                if isinstance(kind, (kinds.Array, kinds.ListKind, kinds.TupleKind, kinds.Numeric,
                                     kinds.RangeKind, kinds.Text)):
                    continue
                if kind == kinds.UNKNOWN and self.general:
                    continue
                raise UnsupportedSyntaxError(
                    "only ranges, arrays, lists and tuples can be looped over",
                    source.place(node), "make a list of what is looped over, before the loop")

    def kind_of_call(self, typer: Typer) -> Callable[[gast.Call, Any], Kind]:
        def kind(node: gast.Call, function: Any) -> Kind:
            if not hasattr(function, "__code__"):
                return kinds.UNKNOWN
            receiver = typer.callee(node)[1]
            owner = [] if receiver is None else [typer.kind(receiver)]
            if any(isinstance(a, gast.Starred) for a in node.args):
                return kinds.UNKNOWN
            try:
                bound = inspect.signature(function).bind(
                    *owner, *[typer.kind(a) for a in node.args],
                    **{k.arg: typer.kind(k.value) for k in node.keywords if k.arg})
            except TypeError:
                return kinds.UNKNOWN
            return self.result_kind(function, _all_kinds(function, bound.arguments))
        return kind

    def result_kind(self, function: Any, parameter_kinds: dict[str, Kind]) -> Kind:
        """The kind of what a user function returns."""
        key = (function, tuple(parameter_kinds.items()))
        if key in self.results:
            return self.results[key]
        self.results[key] = kinds.EMPTY
        for _ in range(4):
            found = self.prepare(function, parameter_kinds, False).facts.result
            if found == self.results[key]:
                break
            self.results[key] = found
        return _without_shapes(self.results[key])

    # Back half --------------------------------------------------------------------------------
    def differentiate(self, function: Any, parameter_kinds: dict[str, Kind],
                      wrt: list[tuple[Any, ...]], form: str, outermost: bool,
                      name: str | None = None) -> tuple[Prepared, list[Unit]]:
        """Write a derivative: form "grad", "value_and_grad" or "pair"."""
        prepared = self.prepare(function, parameter_kinds, outermost)
        source, tree, facts = prepared.source, prepared.tree, prepared.facts
        name = name or source.name
        typer, aliases = prepared.typer, prepared.aliases
        last = tree.body[-1]
        assert isinstance(last, gast.Return)
        body = tree.body[:-1]
        names = prepared.names
        unit_external: dict[str, Any] = {}
        bound = set(prepared.parameters) | bound_in(tree.body)

        def external(thing: Any, wish: str) -> gast.expr:
            for spelled, known in unit_external.items():
                if known is thing:
                    return syntax.load(spelled)
            if wish not in bound and prepared.resolver.now(wish) is thing \
                    and not hasattr(thing, "__tangent_lite_unit__"):
                prepared.resolver.free(wish)
                names.take([wish])
                return syntax.load(wish)
            spelled = names.fresh(wish)
            unit_external[spelled] = thing
            return syntax.load(spelled)

        statements = list(walk(tree.body))
        found = activity(statements, facts, aliases, typer, {p[0] for p in wrt},
                         syntax.read_names(last.value))
        seed = names.fresh(f"b{name}")
        adjoints: dict[str, str] = {}
        order = [*prepared.parameters, *_in_order(statements)]
        returned = last.value.id if isinstance(last.value, gast.Name) else None
        for variable in dict.fromkeys(order):
            if variable in found.active:
                temporary = variable == returned and variable not in names.versions \
                    and variable not in syntax.all_names(source.tree)
                adjoints[variable] = seed if temporary else names.fresh(f"b{variable}")
        adjoint_kinds = {b: facts.names[v] for v, b in adjoints.items() if v in facts.names}

        def pair(function: Any, arguments: list[gast.expr], keywords: dict[str, gast.expr],
                 node: gast.expr, active: set[str]) -> CallOfPair:
            return self.pair_at(function, arguments, keywords, node, active, source, typer, external)

        def check_pure(node: gast.Call, function: Any) -> None:
            self.kind_of_call(typer)(node, function)

        twin_names = twins(tree, facts, aliases, found.active, found.operands, adjoints, external,
                           names.fresh, source.place)
        planned = plan(tree, PlanContext(facts, aliases, found, typer, adjoints, names.fresh,
                                         external, source.place, pair, check_pure))
        body = tree.body[:-1]
        live = liveness(tree.body, prepared.parameters)
        block = gast.FunctionDef(name, tree.args, body, [], None, None)
        records = record(block, planned.steps, facts, aliases, live, prepared.parameters,
                         {n: adjoints[n] for n in twin_names})

        originals = {(n.lineno, n.col_offset): n for n in syntax.walk(source.tree)
                     if isinstance(n, gast.stmt)}

        def comment(node: gast.stmt) -> str | None:
            if getattr(node, "is_entry_copy", False):
                return f"{node.value.func.value.id} is copied on entry"
            original = originals.get((getattr(node, "lineno", 0), getattr(node, "col_offset", 0)))
            return source.text(original) if original is not None else None

        reverse = Reverse(ReverseContext(
            planned.steps, records, facts, aliases, live, found.active, adjoints,
            {**adjoint_kinds, **planned.kinds}, typer, names.fresh, external, comment,
            twin_names, planned.listed, names.versions))
        forward = [syntax.assign(n, gast.Constant(None, None)) for n in records.undefined]
        forward += reverse.forward(body)
        typer.names = facts.names
        state: dict[Any, bool] = {}
        start = self.seed(last, reverse, state, seed, found.active, facts)
        first = [n for n in start if not (isinstance(n, gast.Assign) and syntax.same(
            n.value, syntax.load(getattr(n.targets[0], "id", ""))))]
        backward = first + reverse.backward(body, state)
        reverse.state = state
        reverse.out = []
        typer.names = facts.names
        results = [self.result(reverse, path) for path in wrt]
        backward += reverse.out
        units = self.assemble(prepared, name, form, forward, backward, last, results, wrt, seed,
                              unit_external, reverse)
        return prepared, units

    def seed(self, last: gast.Return, reverse: Reverse, state: dict[Any, bool], seed: str,
             active: set[str], facts: Inferred) -> list[gast.stmt]:
        """Hand the seed to the adjoints of what is returned."""
        out: list[gast.stmt] = []
        reverse.state, reverse.out = state, out

        def visit(node: gast.expr, value: gast.expr) -> None:
            if isinstance(node, (gast.Tuple, gast.List)):
                for number, part in enumerate(node.elts):
                    visit(part, syntax.subscript(syntax.copy(value), syntax.constant(number)))
            elif isinstance(node, gast.Dict):
                for key, part in zip(node.keys, node.values):
                    visit(part, syntax.subscript(syntax.copy(value), syntax.copy(key)))
            elif isinstance(node, gast.Name) and node.id in active:
                give((node.id,), facts.names[node.id], value)

        def give(path: Any, kind: Kind, value: gast.expr) -> None:
            if isinstance(kind, (kinds.TupleKind, kinds.DictKind, kinds.RecordKind)) \
                    and not reverse.is_list(path[0]):
                from tangent_lite.passes.reverse import _items, _select
                for step, item in _items(kind):
                    if kinds.can_vary(item):
                        give((*path, step), item, _select(value, step))
                return
            reverse.add(Contribution(path[0], value, steps=path[1:]))

        if last.value is not None:
            visit(last.value, syntax.load(seed))
        return out

    def result(self, reverse: Reverse, path: tuple[Any, ...]) -> gast.expr:
        kind = reverse.kind_of_path(path)
        return reverse.whole(path, kind)

    def assemble(self, prepared: Prepared, name: str, form: str, forward: list[gast.stmt],
                 backward: list[gast.stmt], last: gast.Return, results: list[gast.expr],
                 wrt: list[tuple[Any, ...]], seed: str, external: dict[str, Any],
                 reverse: Reverse) -> list[Unit]:
        """Put the passes into functions."""
        source, names = prepared.source, prepared.names
        where = f"{source.name} ({os.path.basename(source.file)}:{source.tree.lineno})"
        what = ", ".join(_spell(path) for path in wrt)
        arguments = _plain_arguments(prepared.source.tree.args)
        value = last.value or gast.Constant(None, None)
        if form in ("grad", "value_and_grad"):
            answer: gast.expr = results[0] if len(results) == 1 else syntax.tuple_of(results)
            out_forward = list(forward)
            if form == "value_and_grad":
                changed = bound_in(backward)
                if syntax.read_names(value) & changed:
                    kept = names.fresh("value")
                    out_forward.append(syntax.assign(kept, value))
                    value = syntax.load(kept)
                answer = syntax.tuple_of([value, answer])
                title = f"Value and gradient of {where} with respect to {what}."
                unit_name = f"{name}_value_and_grad"
            else:
                title = f"Gradient of {where} with respect to {what}."
                unit_name = f"{name}_grad"
            body = tidy(out_forward, backward, [gast.Return(answer)], prepared.parameters,
                        set(syntax.all_names(source.tree)), reverse.context, external)
            if arguments.kwonlyargs:
                arguments.kwonlyargs.append(_parameter(seed))
                arguments.kw_defaults.append(gast.Constant(1.0, None))
            else:
                arguments.args.append(_parameter(seed))
                missing = len(arguments.args) - 1 - len(arguments.defaults)
                del missing
                arguments.defaults.append(gast.Constant(1.0, None))
            tree = gast.FunctionDef(unit_name, arguments, [_doc(title), *body], [], None, None)
            unit = Unit(unit_name, tree, source, external)
            self.units.append(unit)
            return [unit]
        return self.halves(prepared, name, forward, backward, value, results, wrt, seed, external,
                           reverse, where, what)

    def halves(self, prepared: Prepared, name: str, forward: list[gast.stmt],
               backward: list[gast.stmt], value: gast.expr, results: list[gast.expr],
               wrt: list[tuple[Any, ...]], seed: str, external: dict[str, Any], reverse: Reverse,
               where: str, what: str) -> list[Unit]:
        """A forward half that returns what is saved, and a backward half that leaves it intact."""
        source, names = prepared.source, prepared.names
        answer = syntax.tuple_of(results) if len(results) != 1 else results[0]
        saved_name = names.fresh("saved")
        user_names = set(syntax.all_names(source.tree))
        given: dict[str, str] = {}
        if prepared.aliases.written:
            # What it keeps would be changed by its backward half: that runs the function again.
            self.check_again(prepared)
            plain = [n for n in prepared.tree.body if not isinstance(n, gast.Return)]
            keep = syntax.tuple_of([value, *map(syntax.load, prepared.parameters)])
            first = tidy(plain, [], [gast.Return(keep)], prepared.parameters, user_names,
                         reverse.context, external)
            second = tidy(forward, backward, [gast.Return(answer)], prepared.parameters, user_names,
                          reverse.context, external)
            value = first.pop().value.elts[0]
            needed = list(prepared.parameters)
            for number, parameter in enumerate(prepared.parameters):
                if parameter in bound_in(first):
                    # Bound anew on the way: what was given is kept under another name.
                    given[parameter] = names.fresh(f"{parameter}_given")
                    first.insert(number, syntax.assign(given[parameter], syntax.load(parameter)))
            heading = False
        else:
            mark = gast.Return(syntax.tuple_of([value]))
            whole = tidy(forward, backward, [gast.Return(answer)], prepared.parameters, user_names,
                         reverse.context, external, middle=mark)
            at = next(i for i, n in enumerate(whole) if isinstance(n, gast.Return))
            first, second = whole[:at], whole[at + 1:]
            value = whole[at].value.elts[0]
            available = bound_in(first) | set(prepared.parameters)
            needed = [n for n in _free_in_order(second) if n in available]
            certain = _certain(first) | set(prepared.parameters)
            first = [syntax.assign(n, gast.Constant(None, None)) for n in needed
                     if n not in certain] + first
            heading = True
        prologue: list[gast.stmt] = []
        if needed:
            target = syntax.tuple_of(map(syntax.store, needed), gast.Store())
            prologue.append(syntax.assign(target, syntax.load(saved_name)))
        if heading:
            popped = {n.func.value.id for s in second for n in syntax.walk(s)
                      if isinstance(n, gast.Call) and isinstance(n.func, gast.Attribute)
                      and n.func.attr == "pop" and isinstance(n.func.value, gast.Name)}
            prologue += [syntax.assign(n, syntax.method(syntax.load(n), "copy"))
                         for n in needed if n in popped]
        both = syntax.tuple_of([value, syntax.tuple_of(
            syntax.load(given.get(n, n)) for n in needed)])
        arguments = _plain_arguments(source.tree.args, bare=True)
        forward_name = self.unit_names.fresh(f"{name}_fwd")
        backward_name = self.unit_names.fresh(f"{name}_bwd")
        forward_tree = gast.FunctionDef(
            forward_name, arguments,
            [_doc(f"Value of {where} and what its backward pass needs."),
             *_without_heading(first), gast.Return(both)], [], None, None)
        second_arguments = syntax.function_def("f", [saved_name, seed], []).args
        backward_tree = gast.FunctionDef(
            backward_name, second_arguments,
            [_doc(f"Backward pass of {where}: adjoints of {what}."), *prologue,
             *(_without_heading(second) if heading else second)], [], None, None)
        units = [Unit(forward_name, forward_tree, source, external),
                 Unit(backward_name, backward_tree, source, external)]
        self.units += units
        return units

    def check_again(self, prepared: Prepared) -> None:
        """Refuse to run a function twice that draws random numbers or prints."""
        for node in walk(prepared.tree.body):
            for part in syntax.walk(node) if not isinstance(node, (gast.If, gast.For, gast.While)) \
                    else ():
                if not isinstance(part, gast.Call):
                    continue
                function, _ = prepared.facts.callees.get(id(part), (NO_OBJECT, None))
                entry = registry.lookup(function) if function is not NO_OBJECT else None
                if function is print or (entry is not None and not entry.pure):
                    raise AliasError(
                        f"{prepared.source.name} writes into arrays, so that its backward pass runs "
                        "it again, and this call must not run twice", prepared.source.place(part),
                        "move it out of the function")

    # Calls of user functions ----------------------------------------------------------------------
    def pair_at(self, function: Any, arguments: list[gast.expr], keywords: dict[str, gast.expr],
                node: gast.expr, active: set[str], source: Source, typer: Typer,
                external: Callable[[Any, str], gast.expr]) -> CallOfPair:
        """The pair of a user function for one call of it."""
        signature = inspect.signature(function)
        try:
            bound = signature.bind(*arguments, **keywords)
        except TypeError as error:
            raise UnsupportedSyntaxError(str(error), source.place(node)) from None
        argument_kinds = _all_kinds(function, {n: typer.kind(a)
                                               for n, a in bound.arguments.items()})
        parameters = list(signature.parameters)
        varying = tuple(p for p in parameters if isinstance(bound.arguments.get(p), gast.Name)
                        and bound.arguments[p].id in active
                        and kinds.can_vary(argument_kinds[p]))
        names = typer.names
        for name, argument in bound.arguments.items():
            if name not in varying and isinstance(argument, (gast.Tuple, gast.List, gast.Dict)) \
                    and syntax.read_names(argument) & active:
                raise UnsupportedSyntaxError("a container is written as an argument of a helper",
                                             source.place(argument), "give it a name first")
        pair = self.pair(function, argument_kinds, varying)
        typer.names = names
        values = []
        for parameter in parameters:
            if parameter in bound.arguments:
                values.append(bound.arguments[parameter])
            else:
                default = signature.parameters[parameter].default
                if default is not None and not isinstance(default, (bool, int, float, str)):
                    raise UnsupportedSyntaxError(
                        f"the default of {parameter} is no literal", source.place(node),
                        "pass it in the call")
                values.append(syntax.constant(default))
        return CallOfPair(pair.name, external(pair.forward, pair.forward.name),
                          external(pair.backward, pair.backward.name), values,
                          [(n, bound.arguments[p].id) for n, p in enumerate(pair.active)])

    def pair(self, function: Any, parameter_kinds: dict[str, Kind], active: tuple[str, ...]) -> Pair:
        key = (function, tuple(parameter_kinds.items()), active)
        if key in self.pairs:
            return self.pairs[key]
        name = function.__name__ if function.__name__.isidentifier() else "lambda_"
        # A recursive function meets its own pair, which is filled in when it is done.
        forward = Unit("", gast.FunctionDef(), None)                        # type: ignore[arg-type]
        backward = Unit("", gast.FunctionDef(), None)                       # type: ignore[arg-type]
        forward.name, backward.name = f"{name}_fwd", f"{name}_bwd"
        made = self.pairs[key] = Pair(name, forward, backward, active)
        before = len(self.units)
        _, units = self.differentiate(function, parameter_kinds, [(p,) for p in active], "pair",
                                      False)
        for ours, done in ((forward, units[0]), (backward, units[1])):
            ours.__dict__.update(done.__dict__)
        self.units[before:] = [u for u in self.units[before:] if u not in units] \
            + [forward, backward]
        return made


def _blocks(tree: gast.AST) -> list[list[gast.stmt]]:
    found, todo = [], [tree.body]
    while todo:
        block = todo.pop()
        found.append(block)
        for node in block:
            todo += list(syntax.blocks_of(node))
    return found


def derive(function: Any, parameter_kinds: dict[str, Kind], wrt: list[tuple[Any, ...]], form: str,
           general: bool = False) -> Derivative:
    """The derivative of a function for arguments of these kinds."""
    registry.load_rules()
    transformer = Transformer(general)
    with _without_collector():
        prepared, units = transformer.differentiate(function, parameter_kinds, wrt, form, True)
    return Derivative(transformer.units, transformer.resolvers, prepared.facts.result,
                      prepared.copied, units[0], units[1] if len(units) > 1 else None)


@contextlib.contextmanager
def _without_collector() -> Iterator[None]:
    """Trees are many small objects that all stay until the end: looking for garbage finds none."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


# Small pieces ---------------------------------------------------------------------------------
def _arithmetic(tree: gast.FunctionDef) -> set[str]:
    """Names that are certainly numbers or arrays: operands of what lists cannot do."""
    found: set[str] = set()
    for node in syntax.walk(tree):
        if isinstance(node, gast.BinOp) and not isinstance(node.op, gast.Add):
            parts = [node.left, node.right]
            if isinstance(node.op, gast.Mult):
                parts = [p for p, other in ((node.left, node.right), (node.right, node.left))
                         if not isinstance(other, gast.Constant) or isinstance(other.value, float)]
        elif isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
            parts = [node.operand]
        elif isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and isinstance(
                node.func.value, gast.Name) and node.func.value.id in ("np", "numpy", "math") \
                and len(node.args) == 1:
            parts = node.args
        else:
            continue
        found |= {p.id for p in parts if isinstance(p, gast.Name)}
    return found


def _all_kinds(function: Any, given: dict[str, Kind]) -> dict[str, Kind]:
    """Kinds of all parameters, defaults included."""
    return {name: given.get(name) or kinds.kind_of(parameter.default)
            for name, parameter in inspect.signature(function).parameters.items()}


def _without_shapes(kind: Kind) -> Kind:
    """A kind for the caller, where the shapes of the callee mean nothing."""
    if isinstance(kind, kinds.Array):
        return kinds.Array(kind.ndim, kind.dtype, kinds.new_shape())
    if isinstance(kind, kinds.TupleKind):
        return kinds.TupleKind(tuple(map(_without_shapes, kind.items)), kind.type)
    if isinstance(kind, kinds.DictKind):
        return kinds.DictKind(kind.keys, tuple(map(_without_shapes, kind.items)))
    return kind


def _in_order(statements: list[gast.stmt]) -> list[str]:
    found: dict[str, None] = {}
    for node in statements:
        for name in bound_in([node]) if not isinstance(node, (gast.If, gast.While)) else ():
            found.setdefault(name)
    return sorted(found, key=list(found).index) if len(found) < 2 else list(found)


def _spell(path: tuple[Any, ...]) -> str:
    return path[0] + "".join(f".{s[1]}" if s[0] == "." else f"[{s[1]!r}]" for s in path[1:])


def _parameter(name: str) -> gast.Name:
    return gast.Name(name, gast.Param(), None, None)


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


def _doc(text: str) -> gast.Expr:
    return gast.Expr(gast.Constant(text, None))


def _free_in_order(block: list[gast.stmt]) -> list[str]:
    """Names that a block reads and that are bound in front of it, in order."""
    found: dict[str, None] = {}
    for node in block:
        for part in syntax.walk(node):
            if isinstance(part, gast.Name) and not isinstance(part.ctx, gast.Param):
                found.setdefault(part.id)
    live = _live_in(block)
    return [n for n in found if n in live]


def _live_in(block: list[gast.stmt]) -> set[str]:
    from tangent_lite.liveness import Liveness, _block
    return _block(block, set(), None, Liveness())


def _certain(block: list[gast.stmt]) -> set[str]:
    """Names that are bound whichever way a block runs."""
    found: set[str] = set()
    for node in block:
        if isinstance(node, gast.If):
            found |= _certain(node.body) & _certain(node.orelse)
        elif not isinstance(node, (gast.For, gast.While)):
            found |= bound_in([node])
    return found


def _without_heading(block: list[gast.stmt]) -> list[gast.stmt]:
    """A half has no heading for its only pass."""
    return [n for n in block if not (syntax.is_comment(n) and n.value.value in (
        "# Forward pass", "# Backward pass", "#"))]


