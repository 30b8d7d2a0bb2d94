"""Lists and dicts of functions that a function makes one by one: where each is made, and each call
of one. Every place that names the list, or a function in it, has to be one that is known here.

>>> tree = gast.parse('''
... def f(x, ks):
...     scales = [lambda v, k=k: v * k for k in ks]
...     shifts = [lambda v, k=k: v + k for k in ks]
...     print(shifts)
...     return sum(scale(x) for scale in scales) + shifts[0](x)
... ''').body[0]
>>> survey = Survey(tree, {"sum": sum, "print": print}.get)
>>> [survey.of_container(name) is not None for name in ("scales", "shifts")]
[True, False]
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.functions.local_functions import free_names
from tangent_lite.functions.makers import Defined, Made, Maker, Partial, has_scopes, maker_of
from tangent_lite.structures.comprehensions import COMPREHENSIONS

_DEFINITIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef)
_OTHERWISE_BOUND = (gast.Global, gast.Nonlocal, gast.MatchAs, gast.MatchStar, gast.MatchMapping,
                    gast.alias, gast.ClassDef)
_BUILTINS: dict[str, Any] = {one.__name__: one for one in (
    len, zip, enumerate, reversed, list, tuple, sorted)}
Meaning = Callable[[gast.expr], Any]


@dataclass
class Making:
    """A place where a function is made and kept: the expression that makes it, the statement that
    does, and the one that makes it where that stands by itself (`g = lambda v: v`)."""
    maker: Maker
    value: gast.expr
    statement: gast.stmt
    by_itself: gast.stmt | None = None


@dataclass
class Plan:
    name: str
    makings: list[Making] = field(default_factory=list)
    calls: list[gast.Call] = field(default_factory=list)
    asks_places: bool = False           # whether `scales[i]` is asked for


def named(tree: gast.FunctionDef) -> Iterator[str]:
    """The names to which lists and dicts are bound that may hold what the function makes."""
    for node in own_nodes(tree):
        if isinstance(node, gast.Assign) and len(node.targets) == 1 \
                and isinstance(node.targets[0], gast.Name) \
                and (filling(node.value) is not None or _is_empty(node.value)):
            yield node.targets[0].id


def own_nodes(tree: gast.FunctionDef) -> list[Any]:
    """The nodes of a function that stand in no function inside it."""
    found: list[Any] = list(tree.body)
    for node in found:                  # which grows as it is gone through
        if not isinstance(node, _DEFINITIONS):
            found += gast.iter_child_nodes(node)
    return found


def filling(value: Any) -> Any:
    """The comprehension that fills a list, a tuple or a dict; None for anything else."""
    if isinstance(value, gast.Call) and getattr(value.func, "id", None) in ("list", "tuple") \
            and len(value.args) == 1 and not value.keywords \
            and isinstance(value.args[0], gast.GeneratorExp):
        return value.args[0]
    return value if isinstance(value, (gast.ListComp, gast.DictComp)) else None


def _is_empty(value: Any) -> bool:
    return (isinstance(value, gast.List) and not value.elts) \
        or (isinstance(value, gast.Dict) and not value.keys)


class Survey:
    """What one function does with the names in it."""

    def __init__(self, tree: gast.FunctionDef, meaning: Meaning) -> None:
        self.tree, self.meaning = tree, meaning
        self.nodes = own_nodes(tree)
        self.around = {id(part): node for node in gast.walk(tree)
                       for part in gast.iter_child_nodes(node)}
        own = {id(node) for node in self.nodes}
        self.mentions: dict[str, list[gast.Name]] = {}
        self.closed = set(syntax.parameter_names(tree.args))    # names that others see
        for node in gast.walk(tree):
            if isinstance(node, gast.Name) and id(node) not in own:
                self.closed.add(node.id)
            elif isinstance(node, gast.Name):
                self.mentions.setdefault(node.id, []).append(node)
            elif isinstance(node, _OTHERWISE_BOUND):
                self.closed |= _names_in(node)

    # The list -------------------------------------------------------------------------------------
    def of_container(self, name: str) -> Plan | None:
        """All places that name a list of functions, and what is in it; None where one is of another
        sort than those that stay right."""
        if name in self.closed:
            return None
        plan = Plan(name)
        items: list[gast.Name] = []             # where a function in it gets a name
        for node in self.mentions[name]:
            if not self.is_fine(node, plan, items):
                return None
        makers = [making.maker for making in plan.makings]
        if len({maker.key for maker in makers}) != 1:
            return None
        alone = [m.value.id for m in plan.makings if m.by_itself is not None]
        if not all(self.item(item, items, plan)
                   for item in dict.fromkeys([*(node.id for node in items), *alone])):
            return None
        # A place that is not there has to be an error, and what nobody asks for is not looked up.
        return plan if all(map(makers[0].fits, plan.calls)) and (
            not plan.asks_places or all(map(makers[0].asks, plan.calls))) else None

    def is_fine(self, node: gast.Name, plan: Plan, items: list[gast.Name]) -> bool:
        around = self.around[id(node)]
        if isinstance(node.ctx, gast.Store):
            return isinstance(around, gast.Assign) and len(around.targets) == 1 \
                and self.filled(around, plan)
        if isinstance(around, gast.Subscript) and around.value is node:
            return self.part(around, plan, items)
        if isinstance(around, gast.Attribute):
            return self.method(around, plan, items)
        if isinstance(around, (gast.If, gast.While, gast.UnaryOp)):
            return not isinstance(around, gast.UnaryOp) or isinstance(around.op, gast.Not)
        if isinstance(around, gast.Compare):    # `key in table`
            return around.left is not node and len(around.ops) == 1 \
                and isinstance(around.ops[0], (gast.In, gast.NotIn)) and self.is_dict(node.id)
        if isinstance(around, gast.Call) and self.is_builtin(around.func, "len"):
            return True
        return self.gone_through(node, items, "keys" if self.is_dict(node.id) else "values")

    def is_dict(self, name: str) -> bool:
        return any(isinstance(around.value, (gast.Dict, gast.DictComp))
                   for node in self.mentions[name] if isinstance(node.ctx, gast.Store)
                   for around in [self.around[id(node)]] if isinstance(around, gast.Assign))

    def filled(self, node: gast.Assign, plan: Plan) -> bool:
        """The name is bound to an empty list, or to one that a comprehension fills."""
        if _is_empty(node.value):
            return isinstance(node.value, gast.Dict) == self.is_dict(plan.name)
        inside = filling(node.value)
        if inside is None or (inside is not node.value
                              and not self.is_builtin(node.value.func, node.value.func.id)):
            return False
        is_dict = isinstance(inside, gast.DictComp)
        value = inside.value if is_dict else inside.elt
        return is_dict == self.is_dict(plan.name) and self.makes(value, node, plan) \
            and self.reads_last(inside, plan.makings[-1].maker, node) is not None

    def reads_last(self, inside: Any, maker: Maker, node: gast.Assign) -> bool | None:
        """Whether the functions that a comprehension makes read a variable of it when they are
        called; None where such are not to be written otherwise."""
        own = {n for one in inside.generators for n in syntax.bound_names(one.target)}
        if isinstance(maker, Defined):
            read = set(free_names(maker.definition("_"))) & own
            if not read:
                return False
            is_plain = isinstance(inside, gast.ListComp) and not has_scopes(maker.node) \
                and all(not one.is_async for one in inside.generators) \
                and own.isdisjoint(syntax.parameter_names(maker.node.args)) \
                and not any(isinstance(n, (*COMPREHENSIONS, *_DEFINITIONS, gast.NamedExpr))
                            for one in inside.generators for n in gast.walk(one)) \
                and not any(isinstance(n, (*COMPREHENSIONS, *_DEFINITIONS, gast.NamedExpr))
                            for held in maker.held for n in gast.walk(held)) \
                and node.targets[0].id not in syntax.read_names(inside)
            return True if is_plain else None
        assert isinstance(maker, (Partial, Made))
        return False if own.isdisjoint(syntax.read_names(maker.function)) else None

    def makes(self, value: gast.expr, statement: gast.stmt, plan: Plan) -> bool:
        """Note what makes the function that is kept, if it can be told."""
        if isinstance(value, gast.Name):
            return self.makes_by_itself(value, statement, plan)
        maker = maker_of(value, self.meant, self.local)
        if maker is None:
            return False
        plan.makings.append(Making(maker, value, statement))
        return True

    def makes_by_itself(self, value: gast.Name, statement: gast.stmt, plan: Plan) -> bool:
        """`def g(v, k=k): ...` and `gs.append(g)` further down in the same block."""
        block, number = syntax.spot_in(self.tree, statement)
        made = [n for n in self.nodes if _defines(n, value.id)]
        if len(made) != 1 or value.id in self.closed or value.id == plan.name:
            return False
        at = next((k for k, one in enumerate(block[:number]) if one is made[0]), None)
        if at is None:
            return False
        maker = maker_of(made[0].value if isinstance(made[0], gast.Assign) else made[0],
                         self.meant, self.local)
        if maker is None or any(syntax.is_name(part, value.id) for one in block[at + 1:number]
                                for part in gast.walk(one)):
            return False
        plan.makings.append(Making(maker, value, statement, made[0]))
        return True

    def meant(self, node: gast.expr) -> Any:
        """The object that a name or a path means, if nothing here binds the name."""
        root = syntax.root_name(node)
        if root is None or root in self.closed or any(isinstance(n.ctx, gast.Store)
                                      for n in self.mentions.get(root, ())) \
                or any(_defines(n, root) for n in self.nodes):
            return None
        return self.meaning(node)

    def local(self, name: str) -> Any:
        """The function that a name means throughout, defined in no block of the function."""
        found = [n for n in self.nodes if isinstance(n, gast.FunctionDef) and n.name == name]
        bound = any(not isinstance(n.ctx, gast.Load) for n in self.mentions.get(name, ()))
        return found[0] if len(found) == 1 and not bound and name not in syntax.parameter_names(
            self.tree.args) and any(found[0] is one for one in self.tree.body) else None

    def part(self, node: gast.Subscript, plan: Plan, items: list[gast.Name]) -> bool:
        """`scales[i]`: called, given a name, or bound anew."""
        if isinstance(node.slice, gast.Slice):
            return isinstance(node.ctx, gast.Load) and self.gone_through(node, items, "values") \
                and not self.is_dict(plan.name)
        around = self.around[id(node)]
        if isinstance(node.ctx, gast.Store):
            return isinstance(around, gast.Assign) and len(around.targets) == 1 \
                and self.makes(around.value, around, plan)
        if not isinstance(node.ctx, gast.Load) or not syntax.is_simple(node.slice) \
                or isinstance(node.slice, gast.Tuple):
            return False
        plan.asks_places = True
        if isinstance(around, gast.Call) and around.func is node:
            plan.calls.append(around)
            return True
        if isinstance(around, gast.Assign) and len(around.targets) == 1 \
                and isinstance(around.targets[0], gast.Name):
            items.append(around.targets[0])
            return True
        return False

    def method(self, node: gast.Attribute, plan: Plan, items: list[gast.Name]) -> bool:
        """`scales.append(...)` of a list, `table.items()` of a dict, where that is gone through."""
        call = self.around[id(node)]
        if not isinstance(call, gast.Call) or call.func is not node or call.keywords:
            return False
        if self.is_dict(plan.name):
            return node.attr in ("keys", "values", "items") and not call.args \
                and self.gone_through(call, items, node.attr)
        statement = self.around[id(call)]
        return node.attr == "append" and len(call.args) == 1 \
            and isinstance(statement, gast.Expr) and self.makes(call.args[0], statement, plan)

    def gone_through(self, node: gast.expr, items: list[gast.Name], what: str) -> bool:
        """Whether a loop or a comprehension goes through something, by whichever builtins, and what
        is a function gets a name."""
        path: list[int] = []                    # which part of the target it is, from inside out
        around = self.around[id(node)]
        while isinstance(around, gast.Call) and not around.keywords \
                and any(a is node for a in around.args):
            if self.is_builtin(around.func, "zip"):
                if any(isinstance(a, gast.Starred) for a in around.args):
                    return False
                path.append(next(k for k, a in enumerate(around.args) if a is node))
            elif self.is_builtin(around.func, "enumerate") and around.args[0] is node:
                path.append(1)
            elif not any(self.is_builtin(around.func, name) for name in ("reversed", "list")) \
                    and not (self.is_builtin(around.func, "sorted") and what == "keys"):
                return False
            node, around = around, self.around[id(around)]
        if not isinstance(around, (gast.For, gast.comprehension)) or around.iter is not node:
            return what == "keys" and not path and isinstance(node, gast.Call) \
                and not isinstance(node.func, gast.Attribute)
        target: Any = around.target
        for part in reversed(path):
            if not isinstance(target, gast.Tuple) or part >= len(target.elts) \
                    or any(isinstance(e, gast.Starred) for e in target.elts):
                return False
            target = target.elts[part]
        if what == "items":
            if not isinstance(target, gast.Tuple) or len(target.elts) != 2:
                return False
            target = target.elts[1]
        if what != "keys":
            if not isinstance(target, gast.Name):
                return False
            items.append(target)
        return True

    def is_builtin(self, node: Any, name: str) -> bool:
        return syntax.is_name(node, name) and self.meant(node) is _BUILTINS[name]

    # Items ----------------------------------------------------------------------------------------
    def item(self, name: str, items: list[gast.Name], plan: Plan) -> bool:
        """Whether all that is done with a function in the list is to call it; of a name that means
        other things elsewhere, in the loops over the list."""
        if name in self.closed or name == plan.name:
            return False
        ours, kept = {id(node) for node in items}, {id(making.value) for making in plan.makings}
        made = {id(making.by_itself) for making in plan.makings
                if making.by_itself is not None and making.value.id == name}
        stores = [n for n in self.mentions[name] if not isinstance(n.ctx, gast.Load)
                  and id(self.around[id(n)]) not in made]
        if any(isinstance(n, gast.FunctionDef) and n.name == name and id(n) not in made
               for n in self.nodes):
            return False
        loops: list[tuple[gast.Name, set[int]]] = []
        by_loop = bool(made) or not ours.issuperset(map(id, stores))
        if by_loop:
            loops = list(self.loops_of(name))
            bound = {id(target) for target, _ in loops}
            if not bound.issuperset(map(id, stores)) \
                    or any(inside & (bound | made) for _, inside in loops):
                return False
        for node in self.mentions[name]:
            if not isinstance(node.ctx, gast.Load) or id(node) in kept:
                continue
            if by_loop:
                over = next((id(target) for target, inside in loops if id(node) in inside), None)
                if over is None:
                    return False
                if over not in ours:
                    continue
            call = self.around[id(node)]
            if not isinstance(call, gast.Call) or call.func is not node:
                return False
            plan.calls.append(call)
        return True

    def loops_of(self, name: str) -> Iterator[tuple[gast.Name, set[int]]]:
        """Where loops and comprehensions bind a name, and all that is evaluated under it there."""
        for node in self.nodes:
            if isinstance(node, gast.For):
                over = [(node.target, node.body)]
            elif isinstance(node, COMPREHENSIONS):
                over = [(one.target, _evaluated_inside(node)) for one in node.generators]
            else:
                continue
            for target, block in over:
                bound = [n for n in gast.walk(target) if syntax.is_name(n, name)]
                inside = {id(part) for one in block for part in gast.walk(one)}
                yield from ((n, inside - {id(n)}) for n in bound)


def _defines(node: Any, name: str) -> bool:
    """Whether a statement gives a name to a function that it makes."""
    return (isinstance(node, gast.FunctionDef) and node.name == name) or (
        isinstance(node, gast.Assign) and len(node.targets) == 1
        and syntax.is_name(node.targets[0], name) and isinstance(node.value, (
            gast.Lambda, gast.Call)))


def _names_in(node: Any) -> set[str]:
    found = set(getattr(node, "names", ())) if isinstance(node, (gast.Global, gast.Nonlocal)) \
        else {getattr(node, "name", None), getattr(node, "rest", None),
              getattr(node, "asname", None)}
    return {name.split(".")[0] for name in found if name}


def _evaluated_inside(node: Any) -> list[Any]:
    """The parts of a comprehension that see its variables."""
    return [part for part in gast.iter_child_nodes(node) if part is not node.generators[0]] + [
        part for part in gast.iter_child_nodes(node.generators[0])
        if part is not node.generators[0].iter]
