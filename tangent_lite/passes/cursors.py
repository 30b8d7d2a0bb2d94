"""Iterators that have a name and are asked item by item, as places in what they go through.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.names import Names
>>> tree = gast.parse('''
... def f(xs):
...     it = iter(xs)
...     total = next(it)
...     for x in it:
...         total = total * x
...     return total
... ''').body[0]
>>> import builtins
>>> print(emit(cursors(tree, Names(syntax.all_names(tree)), vars(builtins).get)), end="")
def f(xs):
    it_items = xs
    it_place = 0
    if it_place >= len(it_items):
        raise StopIteration
    item = it_items[it_place]
    it_place = it_place + 1
    total = item
    for k in range(it_place, len(it_items)):
        item_1 = it_items[k]
        x = item_1
        it_place = k + 1
        total = total * x
    return total

It is done where every place that names the iterator is one of those, or takes all that is left of
it at the end (`sum(it)`), and where no list that it may go through grows: an iterator that is used
up stays so, and a loop over a list goes on with what is appended. What `zip`, `enumerate` and a
generator without conditions make is computed when it is asked for, as in Python.
"""
from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.names import Names
from tangent_lite.syntax import assign, call, load
from tangent_lite.syntax.order import first_of, is_at_hand, put

_SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef, gast.ListComp,
           gast.SetComp, gast.DictComp, gast.GeneratorExp)
_BUILTINS = ("next", "iter", "len", "range", "min", "StopIteration")
_CHANGING = {"append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse",
             "appendleft", "popleft", "add", "discard", "update", "setdefault", "popitem"}
# What goes through all that is left.
_TAKING_ALL = ("sum", "list", "tuple", "max", "min", "sorted")


def cursors(tree: gast.FunctionDef, names: Names, meaning: Callable[[str], Any]) \
        -> gast.FunctionDef:
    """The function with such places; meaning: what a name of the module means, or Python's own."""
    if syntax.all_names(tree).isdisjoint(("iter", "next")) \
            or any(meaning(name) is not getattr(builtins, name) for name in _BUILTINS):
        return tree
    looked_at: set[str] = set()
    while True:
        name = next((node.targets[0].id for node in syntax.all_of(tree, gast.Assign)
                     if isinstance(node.targets[0], gast.Name)
                     and node.targets[0].id not in looked_at
                     and _sources(node.value, meaning) is not None), None)
        if name is None:
            return tree
        looked_at.add(name)
        if not _is_seen_elsewhere(tree, name):
            made = _Cursor(syntax.copy(tree), name, names, meaning)
            tree = made.tree if made.write() else tree


def _is_seen_elsewhere(tree: gast.FunctionDef, name: str) -> bool:
    """Whether others than the statements of a function read or bind a name, or two bind it."""
    inside = {part.id for scope in syntax.walk(tree) if isinstance(scope, _SCOPES)
              and scope is not tree for part in gast.walk(scope) if isinstance(part, gast.Name)}
    shared = {one for node in syntax.all_of(tree, gast.Global, gast.Nonlocal)
              for one in node.names}
    bound = sum(node.id == name and not isinstance(node.ctx, gast.Load)
                for node in syntax.names_in(tree))
    return bound != 1 or name in inside | shared | set(syntax.parameter_names(tree.args))


def _sources(value: Any, meaning: Callable[[str], Any]) -> list[gast.expr] | None:
    """What an iterator takes its items from; None where that is no sequence for sure, or where it
    is not known what it makes of them."""
    if isinstance(value, gast.GeneratorExp):
        one = value.generators[0]
        others = [part for part in gast.walk(value.elt)
                  if isinstance(part, (*_SCOPES, gast.NamedExpr, gast.Await))]
        plain = len(value.generators) == 1 and not one.ifs and not one.is_async and not others \
            and isinstance(one.target, gast.Name)
        return [one.iter] if plain and _may_be_sequence(one.iter, meaning) else None
    if not isinstance(value, gast.Call) or value.keywords or not value.args \
            or not isinstance(value.func, gast.Name) \
            or any(isinstance(one, gast.Starred) for one in value.args):
        return None
    function = meaning(value.func.id)
    if function is iter and len(value.args) == 1:
        return _sources(value.args[0], meaning) or (
            list(value.args) if _may_be_sequence(value.args[0], meaning) else None)
    if (function is enumerate and len(value.args) == 1) or function is zip:
        return list(value.args) if all(_may_be_sequence(one, meaning) for one in value.args) \
            else None
    return None


def _may_be_sequence(source: gast.expr, meaning: Callable[[str], Any]) -> bool:
    """Whether something may be a sequence, which its kind will tell: it is made by no function of
    iterators."""
    return not isinstance(source, gast.GeneratorExp) and not (
        isinstance(source, gast.Call) and isinstance(source.func, gast.Name)
        and meaning(source.func.id) in (iter, zip, enumerate, map, filter, reversed))


class _Cursor:
    """Rewrites one iterator, in place."""

    def __init__(self, tree: gast.FunctionDef, name: str, names: Names,
                 meaning: Callable[[str], Any]) -> None:
        self.tree, self.name, self.names, self.meaning = tree, name, names, meaning
        self.place = names.fresh(f"{name}_place")
        self.items: list[str] = []          # the names of what is gone through
        self.value: Any = None              # what makes an iterator of it

    def write(self) -> bool:
        """Whether nothing is left of the iterator."""
        bound = next(node for node in syntax.all_of(self.tree, gast.Assign)
                     if syntax.is_name(node.targets[0], self.name))
        sources = _sources(bound.value, self.meaning) or []
        if len(bound.targets) > 1 or self.may_grow(sources):
            return False
        self.value = bound.value
        while self.value is not None and isinstance(self.value, gast.Call) \
                and self.meaning(self.value.func.id) is iter:
            inner = self.value.args[0]
            self.value = None if any(inner is one for one in sources) else inner
        wish = f"{self.name}_items"
        self.items = [self.names.fresh(wish) for _ in sources]
        for block in syntax.all_blocks(self.tree):
            made: list[gast.stmt] = []
            for node in block:
                new = self.at(node, bound, sources)
                for one in new:
                    syntax.place_within(one, node)
                made += new
            block[:] = made
        return self.name not in syntax.all_names(self.tree)

    def at(self, node: Any, bound: gast.stmt, sources: list[gast.expr]) -> list[gast.stmt]:
        """What is there instead of a statement."""
        if node is bound:
            return [*(assign(name, one) for name, one in zip(self.items, sources)),
                    assign(self.place, syntax.constant(0))]
        if isinstance(node, gast.For) and (
                syntax.is_name(node.iter, self.name) or self.is_numbered(node)):
            return self.loop(node)
        made: list[gast.stmt] = []
        while (taken := first_of(node, self.is_taken)) is not None:
            made += self.taken(taken, node)
        return [*made, node]

    def is_taken(self, node: Any) -> bool:
        if not isinstance(node, gast.Call) or node.keywords or not node.args \
                or not syntax.is_name(node.args[0], self.name) \
                or not isinstance(node.func, gast.Name):
            return False
        if node.func.id == "next":
            return len(node.args) == 1 or (len(node.args) == 2 and is_at_hand(node.args[1]))
        return node.func.id in _TAKING_ALL and self.value is None and len(node.args) == 1 \
            and self.meaning(node.func.id) is getattr(builtins, node.func.id)

    def is_numbered(self, loop: gast.For) -> bool:
        """`for k, v in enumerate(it)`"""
        return isinstance(loop.iter, gast.Call) and syntax.is_name(loop.iter.func, "enumerate") \
            and self.meaning("enumerate") is enumerate and len(loop.iter.args) == 1 \
            and syntax.is_name(loop.iter.args[0], self.name) and not loop.iter.keywords \
            and isinstance(loop.target, gast.Tuple) and len(loop.target.elts) == 2

    # What is written ------------------------------------------------------------------------------
    def taken(self, taken: Any, node: Any) -> list[gast.stmt]:
        """What takes items in front of a statement, in which their name stands then."""
        name = self.names.fresh("item")
        if taken.func.id != "next":
            rest = syntax.subscript(load(self.items[0]), gast.Slice(load(self.place), None, None))
            taken.args[0] = load(name)
            return [assign(name, rest), assign(self.place, self.length())]
        put(node, taken, load(name))
        step = [*self.item(name, load(self.place)), assign(
            self.place, syntax.binary(load(self.place), "+", syntax.constant(1)))]
        if len(taken.args) == 1:
            exhausted = gast.Raise(load("StopIteration"), None)
            exhausted.of_next = True            # see `analyses.stopping`
            return [gast.If(gast.Compare(load(self.place), [gast.GtE()], [self.length()]),
                            [exhausted], []), *step]
        return [gast.If(gast.Compare(load(self.place), [gast.Lt()], [self.length()]), step,
                        [assign(name, taken.args[1])])]

    def loop(self, node: gast.For) -> list[gast.stmt]:
        number, item = self.names.fresh("k"), self.names.fresh("item")
        target: gast.expr = node.target
        first: list[gast.stmt] = []
        inside: list[gast.stmt] = []
        if isinstance(node.iter, gast.Call):
            start = self.names.fresh("start")
            first.append(assign(start, load(self.place)))
            count, target = node.target.elts
            inside.append(gast.Assign([count], syntax.binary(load(number), "-", load(start)), None))
        inside += [*self.item(item, load(number)), gast.Assign([target], load(item), None),
                   assign(self.place, syntax.binary(load(number), "+", syntax.constant(1)))]
        node.target = syntax.store(number)
        node.iter = call(load("range"), load(self.place), self.length())
        node.body[:0] = inside
        node.lazily = [load(name) for name in self.items]
        node.looks_into = True
        return [*first, node]

    def length(self) -> gast.expr:
        lengths = [call(load("len"), load(name)) for name in self.items]
        return lengths[0] if len(lengths) == 1 else call(load("min"), *lengths)

    def item(self, name: str, place: gast.expr) -> list[gast.stmt]:
        """Statements that give a name to the item at a place."""
        parts: list[gast.expr] = [syntax.subscript(load(one), syntax.copy(place))
                                  for one in self.items]
        for part in parts:
            part.iterates = True
        if self.value is None:
            return [assign(name, parts[0])]
        if isinstance(self.value, gast.GeneratorExp):
            own = self.value.generators[0].target.id
            inner = self.names.fresh(own)
            element = syntax.copy(self.value.elt)
            syntax.Rename({own: inner}).visit(element)
            return [assign(inner, parts[0]), assign(name, element)]
        if self.meaning(self.value.func.id) is enumerate:
            parts.insert(0, place)
        return [assign(name, syntax.tuple_of(parts))]

    def may_grow(self, sources: list[gast.expr]) -> bool:
        """Whether a list may get or lose items, other than one that is made here and not gone
        through."""
        read = set().union(*map(syntax.read_names, sources))
        own: dict[str, bool] = {}
        for node in syntax.all_of(self.tree, gast.Assign):
            for name in (name for target in node.targets for name in syntax.bound_names(target)):
                own[name] = own.get(name, True) and isinstance(
                    node.value, (gast.List, gast.ListComp)) and name not in read
        for node in syntax.walk(self.tree):
            if isinstance(node, gast.Delete):
                return True
            if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name) \
                    and node.target.id in read:
                return True
            if isinstance(node, gast.Attribute) and node.attr in _CHANGING \
                    and not own.get(getattr(node.value, "id", ""), False):
                return True
            if isinstance(node, gast.Subscript) and not isinstance(node.ctx, gast.Load) \
                    and isinstance(node.slice, gast.Slice) \
                    and not read.isdisjoint(syntax.read_names(node.value)):
                return True
        return False
