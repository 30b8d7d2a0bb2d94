"""Comprehensions, generators and iterators, written out as the loops that they stand for."""
from __future__ import annotations

import functools
import inspect
import itertools
import math
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, registry, syntax
from tangent_lite.analyses.between_items import acts, between, filled, takes_in_turn
from tangent_lite.analyses.only_items import asks_only_items
from tangent_lite.analyses.special_methods import changing
from tangent_lite.analyses.special_names import ITEMS
from tangent_lite.analyses.unseen import may_change, may_fail
from tangent_lite.analyses.used_up import handed_over, used_up_by
from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.expansion import Scene, Written
from tangent_lite.functions.local_functions import LocalFunction, RenameAll
from tangent_lite.inference import NO_OBJECT
from tangent_lite.modules import is_one_of, module_of
from tangent_lite.structures.comprehensions import (
    COMPREHENSIONS,
    any_or_all,
    as_loop,
    dict_over_keys,
    tuple_by_parts,
)
from tangent_lite.syntax import assign, load

# Functions whose result computes its items when it is asked for them.
LAZY = (map, filter, zip, enumerate)

# Iterators of what they are given, in another order or in groups.
HANDING_ON = (itertools.combinations, itertools.combinations_with_replacement,
              itertools.permutations, itertools.product, itertools.pairwise)


# What keeps the items of an iterator, or looks at them once all are there.
KEEPING = (list, tuple, sorted, set, frozenset)
# What looks at each item as it is given, and at nothing else.
LOOKING = (sum, max, min, math.prod, math.fsum, np.fromiter)


class Iterators(Scene):
    """What takes the place of comprehensions, and of functions that are written in Python."""

    def comprehension(self, value: gast.expr, plain: gast.expr, node: gast.stmt,
                      last: bool = False) -> Written | None:
        """A comprehension that may be on the way of an active value, as a loop; last: whether the
        kinds will not say more of what it runs over."""
        if isinstance(value, gast.DictComp) \
                and dict_over_keys(value, plain, self.typer) is not None:
            return None             # key by key, once all else is written out
        binds = binds_outside(plain)
        if isinstance(value, gast.SetComp) and binds:
            raise self.context.refuse(plain, "a set in which `:=` binds a variable is not written "
                                             "out", "write it as a loop")
        if isinstance(value, gast.SetComp) or not (binds or self.matters(value)):
            return None
        if getattr(plain, "is_spread", False) and not last:
            return self.tuple_of_parts(value, plain)
        if isinstance(plain, gast.GeneratorExp):
            self.used_at_once(plain, node)
        target = node.targets[0] if isinstance(node, gast.Assign) else None
        if isinstance(target, gast.Name) and target.id not in syntax.read_names(plain):
            return self.normal(as_loop(plain, target.id), plain), None
        name = self.context.names.fresh("parts")
        return self.normal(as_loop(plain, name), plain), load(name)

    def used_at_once(self, plain: gast.expr, node: gast.stmt) -> None:
        """An iterator computes its items when they are asked for: it has to be used up where it is
        made, before anything that it reads changes."""
        target = node.targets[0] if isinstance(node, gast.Assign) else None
        if isinstance(target, gast.Tuple):
            return                                  # its items are taken one by one, here
        spots = [(b, k) for b in _blocks(self.tree) for k, n in enumerate(b) if n is node]
        names = self.read_lazily(plain)
        while isinstance(target, gast.Name) and spots and not self.is_captured(target.id):
            self.context.lazy[target.id] = names
            if self.fails(plain):
                self.context.failing.add(target.id)
            if self.does_more(plain):
                self.context.acting.add(target.id)
            block, number = spots[0]
            uses = sum(isinstance(n, gast.Name) and n.id == target.id
                       and isinstance(n.ctx, gast.Load) for n in gast.walk(self.tree))
            following = next((n for n in block[number + 1:] if not self.prepares(n)
                              or target.id in syntax.read_names(n)
                              or n.targets[0].id in names), None)
            if following is None or (uses and target.id not in syntax.read_names(following)):
                break
            if uses == 1 and isinstance(following, gast.Assign) \
                    and getattr(following.value, "id", None) == target.id \
                    and isinstance(following.targets[0], gast.Name):
                target, spots = following.targets[0], [(block, block.index(following))]
                continue                            # it has another name
            if uses == 0 or (uses <= 1 + isinstance(following, gast.For) and used_up_by(
                    following, target.id, self.typer.callee)):
                self.stays_in_turn(plain, target.id, block[number + 1:block.index(following)],
                                   following)
                if isinstance(following, gast.For):
                    self.watch(following, names, plain)
                return
            break
        raise self.context.refuse(plain, "a generator that is kept computes its items later",
                                  "make a list of them: [...]")

    def stays_in_turn(self, plain: gast.expr, name: str, skipped: list[gast.stmt],
                      following: gast.stmt) -> None:
        """Refuse an iterator that may do more than compute, or whose items are taken by what may,
        where one happens between the other; skipped: statements in front of that."""
        does_more = self.does_more(plain)
        in_turn, call = between(following, name, self.typer.callee)
        if (does_more and (in_turn or any(map(self.goes_first, skipped)))) \
                or any(map(self.does_more, skipped)) or (
                    in_turn and call is not None and self.does_more(call)) \
                or not self.read_lazily(plain).isdisjoint(filled(following)):
            raise self.in_turns(plain)

    def in_turns(self, plain: gast.expr) -> UnsupportedSyntaxError:
        return self.context.refuse(plain, "what computes these items and what takes them are "
                                          "called in turns, and one may change what the other "
                                          "reads", "make a list of the items first: [...]")

    def goes_first(self, node: gast.stmt) -> bool:
        """Whether a statement looks at all items of something."""
        return isinstance(node.value, COMPREHENSIONS) or (
            isinstance(node.value, gast.Call) and self.typer.callee(node.value)[0] in KEEPING)

    def does_more(self, node: gast.AST) -> bool:
        """Whether something may do more than compute, iterators that it takes items from included.
        """
        return not self.context.acting.isdisjoint(syntax.read_names(node)) \
            or acts(node, self.meanings)

    def meanings(self, node: gast.expr) -> list[Any]:
        """What functions an expression may mean."""
        if not isinstance(node, gast.Name) or node.id not in self.bound:
            found = self.typer.object_of(node) if syntax.root_name(node) not in self.bound \
                else NO_OBJECT
            return [] if found is NO_OBJECT else [found]
        made = [getattr(one.value, "local", None) for one in syntax.all_of(self.tree, gast.Assign)
                if syntax.is_name(one.targets[0], node.id)]
        kind = self.facts.names.get(node.id)
        return [kind.object] if isinstance(kind, kinds.Known) else \
            made if all(isinstance(one, LocalFunction) for one in made) else []

    def is_captured(self, name: str) -> bool:
        """Whether functions that are defined inside read a variable: whenever they are called."""
        return any(name in part.local.captured for part in gast.walk(self.tree)
                   if isinstance(getattr(part, "local", None), LocalFunction))

    def prepares(self, node: gast.stmt) -> bool:
        """Whether a statement only makes another thing to loop over: one of those that are zipped.
        """
        if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
            return False
        value = node.value
        if isinstance(value, gast.Call):
            path = syntax.root_name(value.func)
            function = self.typer.object_of(value.func) if path not in self.bound else None
            return function in (*LAZY, range, len, list, tuple) or is_iterator(function)
        return isinstance(value, (gast.Name, gast.Constant, gast.Tuple, gast.List, gast.Subscript,
                                  *COMPREHENSIONS))

    def watch(self, loop: gast.For, names: set[str], plain: gast.expr) -> None:
        """What an iterator reads must stay what it is while a loop runs over it: `alias` looks
        whether it is written to."""
        bound = {n for s in loop.body for p in gast.walk(s) if isinstance(p, gast.Name)
                 and not isinstance(p.ctx, gast.Load) for n in [p.id]}
        changed = sorted(names & (bound | self.shared))
        if changed:
            raise self.context.refuse(plain, f"{changed[0]} is bound anew while an iterator that "
                                             "reads it is looped over",
                                      "make a list of the items first: [...]")
        if syntax.may_leave(loop.body) and self.fails(plain):
            raise self.context.refuse(plain, "a loop that may be left early leaves the rest of "
                                             "these items uncomputed",
                                      "compute them in the loop")
        loop.lazily = [*getattr(loop, "lazily", ()), *map(load, sorted(names))]
        # `combinations(xs, 2)` hands on what is in xs, and looks into none of it.
        if not (isinstance(plain, gast.Call) and self.typer.object_of(plain.func) in HANDING_ON
                and all(isinstance(part, (gast.Name, gast.Constant)) for part in plain.args)):
            loop.looks_into = True

    def fails(self, plain: gast.expr) -> bool:
        """Whether it shows that items of an iterator are computed: they may raise something."""
        return not self.context.failing.isdisjoint(syntax.read_names(plain)) or may_fail(
            plain, self.typer.object_of)

    def read_lazily(self, plain: gast.expr) -> set[str]:
        """The variables that an iterator reads, those read by iterators behind it included."""
        names = {n.id for n in gast.walk(plain) if isinstance(n, gast.Name)
                 and isinstance(n.ctx, gast.Load)}
        if isinstance(plain, COMPREHENSIONS):
            names -= {n for g in plain.generators for n in syntax.bound_names(g.target)}
        for part in gast.walk(plain):
            local = getattr(part, "local", None)
            if local is None and isinstance(part, gast.Name):
                kind = self.facts.names.get(part.id)
                local = kind.object if isinstance(kind, kinds.Known) else None
            if isinstance(local, LocalFunction):
                names |= local.captured
        for name in list(names):
            names |= self.context.lazy.get(name, set())
        return names & self.bound

    def tuple_of_parts(self, value: gast.expr, plain: gast.expr) -> Written | None:
        """`tuple(0.9 * v for v in s)`, part by part, where the length is known."""
        first: list[gast.stmt] = []
        parts = tuple_by_parts(value, plain, self.typer,
                               lambda item: self.named(first, "item", item)) \
            if self.matters(value) else None
        if parts is None:
            return None
        names = [self.context.names.fresh("part") for _ in parts]
        first += [assign(n, p) for n, p in zip(names, parts)]
        return self.normal(first, plain), \
            gast.copy_location(syntax.tuple_of(map(load, names)), plain)

    def in_arguments(self, value: gast.Call, plain: gast.Call, function: Any) -> Written | None:
        """Comprehensions that are arguments get names first; any and all stop early."""
        first: list[gast.stmt] = []
        if function in (any, all) and len(plain.args) == 1 \
                and isinstance(plain.args[0], gast.GeneratorExp):
            if not self.calls_local(value.args[0]) and not binds_outside(plain.args[0]) \
                    and may_change(value.args[0], self.typer.callee) is None:
                return None
            name = self.context.names.fresh(f"{function.__name__}_of")
            loop = any_or_all(plain.args[0], function.__name__, name)
            return self.normal(loop, plain), load(name)
        for number, (seen, one) in enumerate(zip(value.args, plain.args)):
            if isinstance(seen, COMPREHENSIONS) and not isinstance(seen, gast.SetComp) \
                    and (self.matters(seen) or binds_outside(one)):
                self.handed_to(one, plain, value)
                name = self.context.names.fresh("parts")
                first += self.normal([assign(name, _as_list(one, plain, function))], plain)
                plain.args[number] = load(name)
        for keyword, made in zip(value.keywords, plain.keywords):
            if isinstance(keyword.value, gast.GeneratorExp) and (
                    self.matters(keyword.value) or binds_outside(made.value)):
                self.handed_to(made.value, plain, value)
                name = self.context.names.fresh("parts")
                first += self.normal([assign(name, _as_list(made.value, plain, function))], plain)
                made.value = load(name)
        return (first, plain) if first else None

    def array_of_items(self, value: gast.Call, plain: gast.Call, function: Any) -> Written | None:
        """`np.fromiter(items, float)` of a list of numbers as the array that it is."""
        if function is not np.fromiter or len(value.args) + len(value.keywords) != 2 \
                or any(k.arg != "dtype" for k in value.keywords) or not value.args:
            return None
        kind = self.typer.kind(value.args[0])
        if not isinstance(kind, kinds.ListKind) or not isinstance(kind.item, kinds.Number):
            return None
        name = syntax.attribute(plain.func.value, "array") \
            if isinstance(plain.func, gast.Attribute) else self.inject(np.array, "array")
        return [], self.calling(name, plain, plain.args)

    def handed_to(self, one: gast.expr, plain: gast.Call, value: gast.Call) -> None:
        """A generator that is an argument has to be used up by what is called."""
        if isinstance(one, gast.GeneratorExp) \
                and not handed_over(plain, one, *self.typer.callee(value)):
            raise self.context.refuse(one, "a generator that is handed on may be gone through more "
                                           "than once",
                                      "make a list of its items: [...]")
        if isinstance(one, gast.GeneratorExp) and (
                not self.read_lazily(one).isdisjoint(filled(plain)) or (
                    self.does_more(plain)
                    and takes_in_turn(plain, self.typer.callee(value)[0]))):
            raise self.in_turns(one)

    # Functions that are written in Python ---------------------------------------------------------
    def by_model(self, value: gast.Call, plain: gast.Call, function: Any, receiver: Any,
                 node: gast.stmt) -> Written | None:
        """A call of what `registry.written_as` says how to write: `reduce`, `accumulate`."""
        models = registry.models_of(function)
        lazy = is_iterator(function)
        if not models or not (self.matters(value) or (lazy and self.looped_over(node))):
            return None
        seen = [*([] if receiver is None else [receiver]), *value.args]
        if self.typer.bound_by_calls and any(self.typer.kind(one) == kinds.UNKNOWN for one in seen):
            self.context.waits = True
            return None                         # by now: what that is is known later on
        arguments = [*([] if receiver is None else [plain.func.value]), *plain.args]
        given = {k.arg: k.value for k in value.keywords}
        model = next((m for m in models if self.fits(m, seen, given)), None)
        # What a sum begins with is asked for nothing but what + is.
        asked = seen[:1] if isinstance(function, tuple) and function[0] is sum else seen
        if model is None or any(map(self.may_change_as_asked, asked)):
            return None                     # how often an object is asked for items, matters
        if lazy:
            self.used_at_once(plain, node)
        if function is functools.reduce and isinstance(self.typer.kind(seen[1]), kinds.ListKind) \
                and self.does_more(plain.args[0]):
            raise self.in_turns(plain)          # it may put more into the list
        statements, result = self.context.inliner.write(
            self.context.inliner.of_module(model, self.bound), plain, arguments,
            {k.arg: k.value for k in plain.keywords}, self.shared, self.context.refuse)
        for part in (p for s in statements for p in gast.walk(s)) if lazy else ():
            if isinstance(part, (gast.For, *COMPREHENSIONS)):
                part.runs_ahead = True
        return self.under_its_name(statements, result, plain, node)

    def under_its_name(self, statements: list[gast.stmt], result: gast.expr | None,
                       plain: gast.Call, node: gast.stmt) -> Written:
        """What is made in statements, under the name that the call's result gets."""
        target = node.targets[0] if isinstance(node, gast.Assign) else None
        if statements and isinstance(target, gast.Name) and isinstance(result, gast.Name) \
                and target.id not in syntax.read_names(plain) and result.id not in self.bound:
            for statement in statements:
                RenameAll({result.id: target.id}).visit(statement)
            return statements, None
        return statements, result

    def columns(self, value: gast.Call, plain: gast.Call, node: gast.stmt) -> Written | None:
        """`zip(*rows)` of a list of lists, as lists: where nobody sees that they are tuples."""
        seen, given = value.args[0], plain.args[0]
        kind = self.typer.kind(getattr(seen, "value", seen))
        target = node.targets[0] if isinstance(node, gast.Assign) else None
        if self.typer.object_of(value.func) is not zip or len(value.args) != 1 \
                or not isinstance(seen, gast.Starred) or not isinstance(kind, kinds.ListKind) \
                or not isinstance(kind.item, (kinds.ListKind, kinds.TupleKind)) \
                or not kinds.can_vary(kind) or not isinstance(given.value, gast.Name) \
                or not isinstance(target, (gast.Name, gast.Tuple)):
            return None
        names = [target] if isinstance(target, gast.Name) else target.elts
        if not all(isinstance(one, gast.Name) and asks_only_items(
                self.tree, one.id, 2 if one is target else 1, self.typer.object_of)
                for one in names):
            return None
        if isinstance(kind.item, kinds.TupleKind):
            return self.parts_of_tuples(kind.item, given.value.id, plain, names) \
                if isinstance(target, gast.Tuple) else None
        if isinstance(target, gast.Name):
            self.used_at_once(plain, node)
        of_rows = gast.copy_location(gast.Call(plain.func, [given.value], []), plain)
        return self.by_model(gast.Call(value.func, [seen.value], []), of_rows, (zip, list), None,
                             node)

    def is_only_unpacked(self, node: gast.stmt) -> bool:
        """Whether the name that a statement binds is read once, to unpack what it is bound to."""
        target = node.targets[0] if isinstance(node, gast.Assign) else None
        while isinstance(target, gast.Name):
            uses = [n for n in gast.walk(self.tree) if isinstance(n, gast.Name)
                    and n.id == target.id]
            behind = [one for one in syntax.all_of(self.tree, gast.Assign)
                      if getattr(one.value, "id", None) == target.id]
            if len(uses) != 2 or len(behind) != 1:
                return False
            target = behind[0].targets[0]
        return isinstance(target, gast.Tuple)

    def parts_of_tuples(self, item: kinds.TupleKind, rows: str, plain: gast.Call,
                        names: list[gast.Name]) -> Written | None:
        """`a, b = zip(*pairs)` as `a = [p[0] for p in pairs]` and `b = [p[1] for p in pairs]`."""
        if len(names) != len(item.items) or len({rows, *(n.id for n in names)}) <= len(names):
            return None
        text = f"not enough values to unpack (expected {len(names)}, got 0)"
        empty = gast.If(gast.UnaryOp(gast.Not(), load(rows)), [gast.Raise(syntax.call(
            load("ValueError"), gast.Constant(text, None)), None)], [])
        out: list[gast.stmt] = [empty]
        for number, name in enumerate(names):
            row = self.context.names.fresh("row")
            part = syntax.subscript(load(row), syntax.constant(number))
            out.append(assign(name.id, gast.ListComp(part, [gast.comprehension(
                syntax.store(row), load(rows), [], 0)])))
        return self.normal(out, plain), None

    def may_change_as_asked(self, argument: gast.expr) -> bool:
        """Whether something changes where an argument is asked for items: an object, be it one that
        the function makes, and that has not been taken apart yet."""
        kind = self.typer.kind(argument)
        if kind != kinds.UNKNOWN:
            return isinstance(kind, kinds.RecordKind) and changing(kind.type, ITEMS) is not None
        values = [argument]
        if isinstance(argument, gast.Name):
            values = [node.value for node in syntax.all_of(self.tree, gast.Assign)
                      if argument.id in syntax.bound_names(node.targets[0])]
        made = [self.typer.callee(one)[0] for one in values if isinstance(one, gast.Call)]
        return any(isinstance(one, type) and changing(one, ITEMS) is not None for one in made)

    def fits(self, model: Any, seen: list[gast.expr], given: dict[str, gast.expr]) -> bool:
        """Whether a model takes these arguments."""
        signature = inspect.signature(model)
        try:
            bound = signature.bind(*seen, **given)
        except TypeError:
            return False
        for name, parameter in signature.parameters.items():
            wanted = parameter.annotation
            if wanted is parameter.empty or name not in bound.arguments:
                continue
            argument = bound.arguments[name]
            several = parameter.kind is parameter.VAR_POSITIONAL
            if not all(self.is_as_wanted(one, wanted)
                       for one in (argument if several else [argument])):
                return False
        return True

    def is_as_wanted(self, argument: Any, wanted: Any) -> bool:
        """Whether an argument is what the annotation of a model says."""
        if wanted is registry.CONSTANT:
            return not self.matters(argument)
        found = self.typer.kind(argument)
        if isinstance(wanted, tuple):
            return isinstance(found, wanted)
        return found == wanted if isinstance(wanted, kinds.Kind) \
            else wanted == kinds.value_of(found)

    def looped_over(self, node: gast.stmt) -> bool:
        """Whether what a statement binds is only there for a loop over it, or for another iterator.
        """
        target = node.targets[0] if isinstance(node, gast.Assign) else None
        return isinstance(target, gast.Name) and any(
            (getattr(n, "iterates", False) and getattr(n.value, "id", None) == target.id)
            or (isinstance(n, gast.Call) and is_iterator(self.typer.object_of(n.func))
                and any(getattr(a, "id", None) == target.id for a in n.args))
            for n in gast.walk(self.tree))


def is_iterator(function: Any) -> bool:
    """Whether a function makes an iterator: of itertools, two of NumPy, and `reversed`."""
    owner = function if isinstance(function, type) else getattr(function, "__self__", None)
    return isinstance(owner, type) and (
        owner in (np.ndindex, np.ndenumerate, reversed) or module_of(owner) == itertools.__name__)


def _blocks(tree: gast.AST) -> list[list[gast.stmt]]:
    found, todo = [], [tree.body]
    while todo:
        block = todo.pop()
        found.append(block)
        for node in block:
            todo += list(syntax.blocks_of(node))
    return found


def binds_outside(node: gast.expr) -> bool:
    """Whether a comprehension binds a variable of the function around it: `(y := x * x)`."""
    return any(isinstance(part, gast.NamedExpr) for part in syntax.walk(node))


def only_looks(call: gast.Call, function: Any) -> bool:
    """Whether a call looks at each item as it is given, and at nothing else: not by a key."""
    return is_one_of(function, LOOKING) and all(k.arg != "key" for k in call.keywords)


def _as_list(node: gast.expr, call: gast.Call, function: Any) -> gast.expr:
    """A generator that is used up at once, as a list; call: by what, and function."""
    if isinstance(node, gast.GeneratorExp):
        made = gast.copy_location(gast.ListComp(node.elt, node.generators), node)
        made.momentary = not is_one_of(function, KEEPING)
        made.runs_ahead = made.momentary and not only_looks(call, function)
        return made
    return node
