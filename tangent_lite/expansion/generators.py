"""Generators of the user: the loop over one is written into it, in the place of its yields.

    def steps(x, n):                        for i in range(n):
        for i in range(n):                      x = x * x
            x = x * x               =>          v = x
            yield x                             total = total + v

    for v in steps(x, n):
        total = total + v

So both do what they do in the order in which Python does it, whatever they see of each other. A
`return` of the generator ends the loop, a `break` of the loop the generator.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gast

from tangent_lite import kinds, registry, syntax
from tangent_lite.expansion import Written
from tangent_lite.expansion.calls import Calls
from tangent_lite.expansion.iterators import KEEPING, LOOKING, only_looks
from tangent_lite.functions.local_functions import LocalFunction
from tangent_lite.functions.yields import generates
from tangent_lite.inference import NO_OBJECT
from tangent_lite.modules import is_one_of
from tangent_lite.structures.unrolling import iterating, leaving
from tangent_lite.syntax import assign, load, statement

MOST_STATEMENTS = 200           # of loops that stand in several places, one for each yield


@dataclass(eq=False, repr=False)
class Loop:
    """A loop over a generator, in the tree that is changed.

    binding: the statement that calls the generator; taking: the one that takes an item; before,
    behind: other things whose items are taken, those that are asked for one before the generator
    is, and behind it.
    """
    node: gast.For
    binding: gast.Assign
    taking: gast.Assign
    before: list[gast.expr]
    behind: list[gast.expr]


class Generators(Calls):
    """What takes the place of loops over generators, and of what goes through one at once."""
    spots: dict[int, Any]

    def generator_first(self, marked: list[tuple[gast.stmt, Any, int]]) -> bool:
        """Write out one generator, before the kinds of anything that rests on its items are asked
        for; whether there was one."""
        values: dict[Any, Any] = {number: (node, value) for node, value, number in marked}
        for node, value, number in reversed(marked):        # what stands in a loop comes first
            spot = self.spots.get(number)
            if spot is None:
                continue
            self.typer.names = self.facts.before.get(id(node), {})
            if isinstance(value, gast.For):
                if self.loop_over_generator(value, spot, values) \
                        or self.loop_over_object(value, spot):
                    return True
            elif isinstance(value, gast.Call) and (
                    self.gone_through(spot) if self.generator_of(value) is not None
                    else self.object_gone_through(value, spot)):
                return True
        return False

    def generator_of(self, value: gast.Call) -> Any:
        """The generator function that a call calls, if it is one of the user."""
        function, _ = self.facts.callees.get(id(value), (NO_OBJECT, None))
        return function if generates(function) else None

    # Loops ----------------------------------------------------------------------------------------
    def loop_over_generator(self, seen: gast.For, spot: Any, values: dict[Any, Any]) -> bool:
        """`for v in steps(x)`, with the body in the place of each yield."""
        loop = self.loop_at(spot.block, spot.value, values)
        if loop is None:
            return False
        node, value = values[loop.binding.value.mark]
        function = self.generator_of(value)
        if any(isinstance(a, gast.Starred) for a in value.args) \
                or any(k.arg is None for k in value.keywords) \
                or not all(self.has_places(other, seen, loop)
                           for other in (*loop.before, *loop.behind)):
            return False
        self.typer.names = self.facts.before.get(id(node), {})
        plain = loop.binding.value
        _, receiver = self.facts.callees[id(value)]
        arguments = [*([] if receiver is None else [plain.func.value]), *plain.args]
        inliner = self.context.inliner
        local = function if isinstance(function, LocalFunction) \
            else inliner.of_module(function, self.bound)
        count = sum(isinstance(n, gast.Yield) for n in gast.walk(local.tree))
        if count > 1 and count * len(list(syntax.statements(loop.node.body))) > MOST_STATEMENTS:
            return False
        at, end = (next(i for i, n in enumerate(spot.block) if n is one)
                   for one in (loop.binding, loop.node))
        rebound = {n.id for s in spot.block[at:end + 1] for n in gast.walk(s)
                   if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)}
        first, body = inliner.opened(local, plain, arguments,
                                     {k.arg: k.value for k in plain.keywords},
                                     self.shared | rebound, self.context.refuse)
        out = self.written_into(loop, local, plain, body)
        spot.block[end:end + 1] = out
        spot.block[at:at + 1] = first or [gast.copy_location(gast.Pass(), loop.binding)]
        return True

    def loop_at(self, block: list[gast.stmt], node: gast.For,
                values: dict[Any, Any]) -> Loop | None:
        """A loop that goes through a generator that is called in front of it, and that nothing else
        reads."""
        if len(node.iter.args) != 1 or getattr(node, "runs_ahead", False):
            return None
        bounds = _bounds(node.iter.args[0])
        for taking in node.body:
            if not (isinstance(taking, gast.Assign) and getattr(taking.value, "iterates", False)
                    and isinstance(taking.value.value, gast.Name)
                    and isinstance(taking.targets[0], gast.Name)
                    and getattr(taking.value.slice, "id", None) == node.target.id):
                continue
            name = taking.value.value.id
            number = next((k for k, one in enumerate(bounds) if _length_of(one) == name), None)
            binding = next((n for n in block if isinstance(n, gast.Assign)
                            and getattr(n.targets[0], "id", None) == name), None)
            _, value = values.get(getattr(getattr(binding, "value", None), "mark", None),
                                  (None, None))
            if number is None or not isinstance(value, gast.Call) \
                    or self.generator_of(value) is None:
                continue
            mentions = [n for n in gast.walk(self.tree) if isinstance(n, gast.Name)
                        and n.id == name]
            if len(mentions) == 3 and not self.is_captured(name):
                return Loop(node, binding, taking, bounds[:number], bounds[number + 1:])
        return None

    def has_places(self, bound: gast.expr, seen: gast.For, loop: Loop) -> bool:
        """Whether what is looped over beside a generator has items at places, or is a range."""
        name = _length_of(bound)
        if name is None:
            return not any(isinstance(n, gast.Call) and getattr(n.func, "id", None) == "len"
                           for n in gast.walk(bound))
        found = [self.facts.before[id(one)].get(one.value.value.id, kinds.UNKNOWN)
                 for one, other in zip(iterating(seen), iterating(loop.node))
                 if other.value.value.id == name]
        return bool(found) and all(isinstance(k, (kinds.Array, kinds.ListKind)) for k in found)

    def written_into(self, loop: Loop, local: LocalFunction, call: gast.Call,
                     body: gast.FunctionDef) -> list[gast.stmt]:
        """The statements of a generator, with a loop's body in the place of each yield."""
        names = self.context.names
        inside = [n for n in loop.node.body if n is not loop.taking]
        counter = loop.node.target.id
        counts = bool(loop.before or loop.behind) or any(
            isinstance(n, gast.Name) and n.id == counter for s in inside for n in gast.walk(s))
        number = names.fresh("n_items") if counts else ""
        left = names.fresh("left") if syntax.may_leave(inside) and (
            loop.before or not _ends_with_yield(body.body)) else ""
        writer = _AtYields(number, left, loop)
        body.body = writer.block(body.body)
        if loop.before:
            body.body.insert(0, writer.unless(loop.before, syntax.constant(0)))
        head = [assign(name, value) for name, value in (
            (number, syntax.constant(0)), (left, syntax.constant(False))) if name]
        made = [*head, *self.context.inliner.closed_block(
            local, call, body, self.shared, self.context.refuse)[:-1]]
        for one in made:
            syntax.place_within(one, loop.node)
        if left:
            inside = leaving(inside, left)
        return _with_items(made, inside)

    # What goes through one at once ----------------------------------------------------------------
    def gone_through(self, spot: Any) -> bool:
        """`steps_x = steps(x)` in front of `list(steps_x)`, as the list that it is."""
        node, plain = spot.node, spot.value
        target = node.targets[0] if isinstance(node, gast.Assign) else None
        if not isinstance(target, gast.Name) or node.value is not plain \
                or self.is_captured(target.id):
            return False
        at = next(i for i, n in enumerate(spot.block) if n is node)
        following = next((n for n in spot.block[at + 1:] if not self.prepares(n)
                          or target.id in syntax.read_names(n)), None)
        mentions = [n for n in gast.walk(self.tree) if isinstance(n, gast.Name)
                    and n.id == target.id]
        call = getattr(following, "value", None)
        if len(mentions) != 2 or not isinstance(call, gast.Call) \
                or not any(n is m for n in call.args for m in mentions):
            return False
        function = self.typer.object_of(call.func)
        if not is_one_of(function, KEEPING) and not only_looks(call, function):
            return False
        item = self.context.names.fresh("item")
        made = gast.ListComp(load(item), [gast.comprehension(syntax.store(item), plain, [], 0)])
        made.must_be_written = True
        made.momentary = not is_one_of(function, KEEPING)
        node.value = syntax.placed(made, plain)
        return True

    # Objects that are gone through by a generator ------------------------------------------------
    def loop_over_object(self, seen: gast.For, spot: Any) -> bool:
        """`for v in path`, as a loop over what `path.__iter__` gives: a generator, or the iterator
        of what it makes."""
        bounds = [n for n in gast.walk(spot.value.iter) if isinstance(n, gast.Call)]
        for one, other in zip(iterating(seen), iterating(spot.value)):
            name = other.value.value.id
            self.typer.names = self.facts.before[id(one)]
            lengths = [call for call in bounds if _length_of(call) == name]
            if len(lengths) != 1:
                continue
            made = self.iterator_of(one.value.value, other.value.value, spot,
                                    len(iterating(seen)) > 1 and self.only_counts(seen))
            if made is None:
                continue
            lengths[0].args[0] = other.value.value = made
            return True
        return False

    def object_gone_through(self, value: gast.Call, spot: Any) -> bool:
        """`sum(path)`, as that of what `path.__iter__` gives."""
        if not value.args or not is_one_of(self.typer.object_of(value.func),
                                           (*KEEPING, *LOOKING)):
            return False
        made = self.iterator_of(value.args[0], spot.value.args[0], spot)
        if made is not None:
            spot.value.args[0] = made
        return made is not None

    def only_counts(self, seen: gast.For) -> bool:
        """Whether a loop does no more than to compute with numbers and to keep them in lists."""
        for node in syntax.statements(seen.body):
            if not (isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name)) \
                    and not (isinstance(node, gast.Expr) and isinstance(node.value, gast.Call)):
                return False
        called = [(self.facts.callees.get(id(call), (NO_OBJECT, None))[0], call)
                  for node in seen.body for call in syntax.all_of(node, gast.Call)]
        return all(registry.lookup(function) is not None
                   or getattr(call.func, "attr", None) == "append" for function, call in called)

    def iterator_of(self, value: gast.expr, plain: gast.expr, spot: Any,
                    at_once: bool = False) -> gast.expr | None:
        """The name, bound in front of a statement, of what goes through an object; at_once: whether
        its items may all be made there, if they are numbers or arrays that it holds."""
        found = self.dunder("__iter__", value) if isinstance(value, gast.Name) else None
        if found is None:
            return None
        call = gast.copy_location(gast.Call(self.inject(found, "items_of"), [syntax.copy(plain)],
                                            []), spot.node)
        if generates(found):
            kind: Any = self.typer.kind(value)
            made = self.yielded(found, call, self.shared) if at_once and all(
                isinstance(part, (kinds.Number, kinds.Array)) for part in kind.items) else None
            return self.put_in_front(spot, [], call) if made is None \
                else self.put_in_front(spot, made[0], syntax.tuple_of(made[1]))
        first, body = self.context.inliner.opened(
            self.context.inliner.of_module(found, self.bound), call, call.args, {}, self.shared,
            self.context.refuse)
        last = [node for node in body.body if not _is_text(node)]
        given = last[0].value if len(last) == 1 and isinstance(last[0], gast.Return) else None
        if not isinstance(given, gast.Call) or len(given.args) != 1 or given.keywords \
                or not isinstance(given.args[0], _GIVEN) \
                or self.typer.object_of(given.func) is not iter:
            return None
        return self.put_in_front(spot, first, given.args[0])

    def unpacked_object(self, value: gast.Assign, plain: gast.Assign) -> Written | None:
        """`a, b = point` where `point.__iter__` yields one item after the other, or gives the
        iterator of what it makes."""
        owner: Any = plain.value
        found = self.dunder("__iter__", value.value)
        target: Any = plain.targets[0]
        if found is None:
            return None
        call = gast.copy_location(gast.Call(self.inject(found, "items_of"), [syntax.copy(owner)],
                                            []), plain)
        name = self.context.names.fresh("items")
        if not generates(found):
            return self.normal([assign(name, call), gast.Assign([target], load(name), None)],
                               plain), None
        made = self.yielded(found, call, self.shared | set(syntax.bound_names(target)))
        if made is not None:
            first, items = made
            for part in (part for item in items for part in gast.walk(item)):
                if isinstance(part, gast.expr):
                    gast.copy_location(part, plain)
            whole = gast.Assign([target], syntax.tuple_of(items), None)
            return self.normal([*first, gast.copy_location(whole, plain)], plain), None
        as_list = gast.copy_location(gast.Call(self.inject(list, "list"), [owner], []), plain)
        return self.normal([assign(name, as_list), gast.Assign([target], load(name), None)],
                           plain), None

    def yielded(self, found: Any, call: gast.Call,
                shared: set[str]) -> tuple[list[gast.stmt], list[gast.expr]] | None:
        """The items of a generator that does nothing but yield one after the other, and the
        statements in front of them."""
        first, body = self.context.inliner.opened(
            self.context.inliner.of_module(found, self.bound), call, call.args, {}, shared,
            self.context.refuse)
        yields = [getattr(node, "value", None) if isinstance(node, gast.Expr) else None
                  for node in body.body if not _is_text(node)]
        if not all(isinstance(one, gast.Yield) for one in yields):
            return None
        return first, [one.value or gast.Constant(None, None) for one in yields if one is not None]

    def put_in_front(self, spot: Any, first: list[gast.stmt], made: gast.expr) -> gast.expr:
        """A name for what is made in front of a statement, behind other statements."""
        name = self.context.names.fresh("items")
        nodes = [*first, assign(name, made)]
        for one in nodes:
            syntax.place_within(one, spot.node)
        at = next(i for i, n in enumerate(spot.block) if n is spot.node)
        spot.block[at:at] = nodes if len(nodes) == 1 and isinstance(made, gast.Call) \
            else self.normal(nodes, spot.node)
        return gast.copy_location(load(name), spot.node)


_GIVEN = (gast.Tuple, gast.List, gast.Attribute, gast.Name)


def _is_text(node: gast.stmt) -> bool:
    return isinstance(node, gast.Expr) and isinstance(node.value, gast.Constant)


class _AtYields:
    """Writes what stands in the place of a yield; the body of the loop follows later."""

    def __init__(self, number: str, left: str, loop: Loop) -> None:
        """number: the name that counts the items, and left: the one that says that the loop was
        left; empty if nobody asks."""
        self.number, self.left, self.loop = number, left, loop

    def block(self, block: list[gast.stmt]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for node in block:
            if isinstance(node, gast.Expr) and isinstance(node.value, gast.Yield):
                out += [gast.copy_location(one, node) for one in self.at(node.value)]
                continue
            if isinstance(node, gast.Return):
                if node.value is not None and not isinstance(node.value, gast.Constant):
                    out.append(gast.copy_location(gast.Expr(node.value), node))
                node.value = None
            elif not isinstance(node, gast.FunctionDef):
                for name in ("body", "orelse", "finalbody"):
                    if isinstance(getattr(node, name, None), list):
                        setattr(node, name, self.block(getattr(node, name)))
            out.append(node)
        return out

    def at(self, node: gast.Yield) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        if self.loop.behind:
            out.append(self.unless(self.loop.behind, load(self.number)))
        out.append(assign(self.loop.taking.targets[0].id, node.value or gast.Constant(None, None)))
        if self.number:
            out.append(assign(self.loop.node.target.id, load(self.number)))
            out.append(assign(self.number, syntax.binary(load(self.number), "+",
                                                         syntax.constant(1))))
        here = gast.Call(gast.Constant("item", None), [], [])
        here.takes_item = True
        out.append(statement(here))
        if self.left:
            out.append(gast.If(load(self.left), [gast.Return(None)], []))
        if self.loop.before:
            out.append(self.unless(self.loop.before, load(self.number)))
        return out

    def unless(self, bounds: list[gast.expr], number: gast.expr) -> gast.stmt:
        """`if k >= len(data): return`"""
        tests = [gast.Compare(syntax.copy(number), [gast.GtE()], [syntax.copy(bound)])
                 for bound in bounds]
        test = tests[0] if len(tests) == 1 else gast.BoolOp(gast.Or(), tests)
        return gast.If(test, [gast.Return(None)], [])


def _bounds(node: gast.expr) -> list[gast.expr]:
    """What a loop is at an end by: `len(xs)`, or each of `min(len(xs), len(ys))`."""
    if isinstance(node, gast.Call) and getattr(node.func, "id", None) == "min" \
            and not node.keywords:
        return list(node.args)
    return [node]


def _length_of(node: gast.expr) -> str | None:
    """The name whose length an expression is."""
    if isinstance(node, gast.Call) and getattr(node.func, "id", None) == "len" \
            and len(node.args) == 1 and isinstance(node.args[0], gast.Name):
        return str(node.args[0].id)
    return None


def _ends_with_yield(block: list[gast.stmt]) -> bool:
    """Whether all that a generator does behind its only yield is to begin anew the loop around it,
    which is the last that it does."""
    last = block[-1] if block else None
    yields = sum(isinstance(n, gast.Yield) for s in block for n in gast.walk(s))
    if yields != 1 or not isinstance(last, (gast.For, gast.While)) or last.orelse:
        return False
    ending = last.body[-1]
    while isinstance(ending, gast.If):
        ending = (ending.body if any(isinstance(n, gast.Yield) for s in ending.body
                                     for n in gast.walk(s)) else ending.orelse or [None])[-1]
    return isinstance(ending, gast.Expr) and isinstance(ending.value, gast.Yield)


def _with_items(block: list[gast.stmt], inside: list[gast.stmt]) -> list[gast.stmt]:
    """A block with the body of the loop wherever an item is taken."""
    out: list[gast.stmt] = []
    for node in block:
        if getattr(getattr(node, "value", None), "takes_item", False):
            out += _unmarked(syntax.copy(inside))
            continue
        for name in ("body", "orelse"):
            if isinstance(getattr(node, name, None), list):
                setattr(node, name, _with_items(getattr(node, name), inside))
        out.append(node)
    return out


def _unmarked(block: list[gast.stmt]) -> list[gast.stmt]:
    for part in (p for s in block for p in gast.walk(s)):
        if hasattr(part, "mark"):
            del part.mark
    return block

