"""Functions that are made one by one and kept in a list or a dict: kept is what each of them holds.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.names import Names
>>> tree = gast.parse('''
... def f(x, ks):
...     scales = [lambda v, k=k: v * k for k in ks]
...     total = 0.0
...     for scale in scales:
...         total += scale(x)
...     return total
... ''').body[0]
>>> print(emit(made_in_loops(tree, Names(syntax.all_names(tree)), lambda node: None)), end="")
def f(x, ks):
    def lambda_(v, k):
        return v * k
    scales = [k for k in ks]
    total = 0.0
    for scale in scales:
        total += lambda_(x, k=scale)
    return total

What a function reads around it, and no default holds, it reads when it is called: so does the one
that is defined at the head. A variable of a comprehension is then what it was at the end, so that
such a comprehension is written as the loop that it is. It is done where all functions in the list
are made alike (`functions/makers`), and every place that names the list or an item of it is one
that calls, adds, loops or counts: nobody else may see that there are no functions.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.kept_functions import Making, Plan, Survey, filling, named, own_nodes
from tangent_lite.functions.makers import Defined
from tangent_lite.names import Names


def made_in_loops(tree: gast.FunctionDef, names: Names,
                  meaning: Callable[[gast.expr], Any]) -> gast.FunctionDef:
    """The function with what its functions hold in their place; meaning: the object that a name or
    a path from outside means."""
    if not _calls_what_is_bound(tree):
        return tree
    made = syntax.copy(tree)
    is_same = True
    while True:
        survey = Survey(made, meaning)
        plan = next(filter(None, map(survey.of_container, dict.fromkeys(named(made)))), None)
        if plan is None:
            return tree if is_same else made
        _Writer(survey, plan, names).write()
        is_same = False


def _calls_what_is_bound(tree: gast.FunctionDef) -> bool:
    """Whether something is called that was taken out of a list, or given a name by a loop."""
    calls = syntax.all_of(tree, gast.Call)
    asked = {call.func.id for call in calls if isinstance(call.func, gast.Name)}
    if not any(isinstance(call.func, gast.Subscript) for call in calls) and not any(
            name.id in asked and isinstance(name.ctx, gast.Store)
            for name in syntax.names_in(tree)):
        return False                        # as most often, whatever functions inside do
    bound: set[str] = set()
    called: set[str] = set()
    for node in own_nodes(tree):
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store):
            bound.add(node.id)
        elif isinstance(node, gast.Call):
            if isinstance(node.func, gast.Subscript):
                return True
            if isinstance(node.func, gast.Name):
                called.add(node.func.id)
    return not bound.isdisjoint(called)


class _Writer:
    """Writes the function as planned, in place."""

    def __init__(self, survey: Survey, plan: Plan, names: Names) -> None:
        self.survey, self.plan, self.names = survey, plan, names
        self.tree = survey.tree
        maker = plan.makings[0].maker
        wish = maker.node.name if isinstance(maker, Defined) and isinstance(
            maker.node, gast.FunctionDef) else "lambda_"
        self.maker, self.name = maker, names.fresh(wish)

    def write(self) -> None:
        definition = self.maker.definition(self.name)
        for call in self.plan.calls:
            self.call(call)
        for making in self.plan.makings:
            if making.by_itself is None:
                self.replace(making.value, _display(making.maker.held, making.value))
            else:
                self.keep(making)
        for making in self.plan.makings:
            inside = filling(getattr(making.statement, "value", None))
            if inside is not None and definition is not None \
                    and self.survey.reads_last(inside, making.maker, making.statement):
                self.loop(making.statement, inside, definition)
        if definition is not None:
            first = isinstance(self.tree.body[0], gast.Expr) and isinstance(
                self.tree.body[0].value, gast.Constant)
            self.tree.body.insert(int(first), definition)

    def call(self, call: gast.Call) -> None:
        """`scale(x)` as `lambda_(x, k=scale)`."""
        item, number = call.func, len(self.maker.held)
        held = [item] if number == 1 else [
            syntax.subscript(syntax.copy(item), syntax.constant(k)) for k in range(number)]
        made = self.maker.called(self.name, call, held)
        call.func, call.args, call.keywords = made.func, made.args, made.keywords
        _place([call.func, *call.args, *(k.value for k in call.keywords)], call)

    def replace(self, old: gast.expr, new: gast.expr) -> None:
        around = self.survey.around[id(old)]
        for field_, value in gast.iter_fields(around):
            if value is old:
                setattr(around, field_, new)
            elif isinstance(value, list) and any(one is old for one in value):
                value[:] = [new if one is old else one for one in value]

    def keep(self, making: Making) -> None:
        """What a function holds that is made in front of the statement which keeps it."""
        block, number = syntax.spot_in(self.tree, making.by_itself)
        maker, place = making.maker, making.by_itself
        if block[number + 1] is making.statement:
            del block[number]
            self.replace(making.value, _display(maker.held, making.value))
            return
        kept = [self.names.fresh(f"{making.value.id}_{word}" if word else making.value.id)
                for word in [*[""] * (len(maker.held) - len(maker.words)), *maker.words]]
        made: list[Any] = [syntax.assign(name, value) for name, value in zip(kept, maker.held)]
        _place(made, place)
        block[number:number + 1] = made
        self.replace(making.value, _display([syntax.load(name) for name in kept], making.value))

    def loop(self, node: Any, inside: Any, definition: gast.FunctionDef) -> None:
        """A comprehension as the loop that it is: its variables are those of the function, and
        what a function reads of them is what they are in the end."""
        own = dict.fromkeys(n for one in inside.generators for n in syntax.bound_names(one.target))
        rename = syntax.Rename({name: self.names.fresh(name) for name in own})
        definition.body = [rename.visit(one) for one in definition.body]
        first = inside.generators[0]
        outer, first.iter = first.iter, gast.Constant(None, None)
        rename.visit(inside)
        first.iter = outer
        body: list[Any] = [syntax.statement(syntax.method(
            syntax.load(self.plan.name), "append", inside.elt))]
        for one in reversed(inside.generators):
            for condition in reversed(one.ifs):
                body = [gast.If(condition, body, [])]
            body = [gast.For(one.target, one.iter, body, [], None)]
        node.value = gast.List([], gast.Load())
        _place([node.value, *body], node)
        block, number = syntax.spot_in(self.tree, node)
        block[number + 1:number + 1] = body


def _display(held: list[gast.expr], place: gast.expr) -> gast.expr:
    """What is kept: what is held, a tuple of several, None where it is nothing."""
    made = held[0] if len(held) == 1 else syntax.tuple_of(held) if held \
        else gast.Constant(None, None)
    _place([made], place)
    return made


def _place(made: list[Any], place: Any) -> None:
    for one in made:
        syntax.place_within(one, place)
