"""What a loop takes from a lazy iterator is computed by the loop, when it is its turn.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.names import Names
>>> tree = gast.parse('''
... def f(xs):
...     total = 0.0
...     for k, root in enumerate(math.sqrt(x) for x in xs):
...         if root > 3.0:
...             break
...         total += k * root
...     for y in filter(lambda x: x > 1.0, map(math.log, xs)):
...         total += y
...     return total
... ''').body[0]
>>> import builtins
>>> print(emit(in_turn(tree, Names(['x', 'xs']), vars(builtins).get)), end="")
def f(xs):
    total = 0.0
    for k, x_1 in enumerate(xs):
        root = math.sqrt(x_1)
        if root > 3.0:
            break
        total += k * root
    keeps = lambda x: x > 1.0
    for item_1 in xs:
        item = math.log(item_1)
        if keeps(item):
            y = item
            total += y
    return total

A loop that is left early leaves the rest of the items uncomputed, and what their computation
prints, changes or raises comes between what the loop itself does. Behind this pass an iterator in
a loop is one of items that are there: sequences, and what `zip`, `enumerate` and `islice` make of
them. What more than one place may take items from is left as it is.
"""
from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.stopping import may_stop, mentions_stop
from tangent_lite.names import Names

_SCOPES = (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp,
           gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)


def in_turn(tree: gast.FunctionDef, names: Names, meaning: Callable[[str], Any]) \
        -> gast.FunctionDef:
    """The function with such loops; meaning: what a name of the module means, or Python's own."""
    return _Loops(tree, names, meaning).visit(tree) if syntax.all_of(tree, gast.For) else tree


class _Loops(syntax.Transformer):
    def __init__(self, tree: gast.FunctionDef, names: Names,
                 meaning: Callable[[str], Any]) -> None:
        self.tree, self.names, self.meaning = tree, names, meaning
        self.others = set(syntax.parameter_names(tree.args))

    def visit_For(self, node: gast.For) -> Any:
        first: list[gast.stmt] = []
        while self.is_unwound(node, first):
            pass
        self.generic_visit(node)
        return [*first, node] if first else node

    def is_unwound(self, node: gast.For, first: list[gast.stmt]) -> bool:
        """Take the outermost iterator off the loop, if that can be: change the node in place."""
        found = self.unwound(node, first)
        if found is None:
            return False
        target, iterator, body = found
        for one in body:
            syntax.place_within(one, node)
        node.target, node.iter, node.body = target, iterator, body
        return True

    def unwound(self, node: gast.For, first: list[gast.stmt]) \
            -> tuple[gast.expr, gast.expr, list[gast.stmt]] | None:
        iterator = node.iter
        item = self.item_of(iterator, node, first)
        if item is not None:
            return item(node.target, node.body)
        if not isinstance(iterator, gast.Call) \
                or any(isinstance(a, gast.Starred) for a in iterator.args):
            return None
        if any(k.arg != "start" for k in iterator.keywords) or not iterator.args:
            return None
        function, args = self.function_of(iterator), iterator.args
        target = node.target
        if function is itertools.takewhile and len(args) == 2 and not node.orelse:
            holds, name = self.steady(args[0], "holds", node, first), self.names.fresh("item")
            if holds is None:
                return None
            leave = gast.If(syntax.negated(syntax.call(holds, syntax.load(name))),
                            [gast.Break()], [])
            return syntax.store(name), args[1], [
                leave, syntax.assign(target, syntax.load(name)), *node.body]
        # The last of those that are zipped is asked only if the others have handed out theirs.
        at = len(args) - 1 if function is zip else 0
        inner = target.elts[1 if function is enumerate else at] \
            if isinstance(target, gast.Tuple) and function in (zip, enumerate) \
            and len(target.elts) == (2 if function is enumerate else len(args)) else None
        if function is itertools.islice and len(args) == 2:
            inner = target
        if inner is None or isinstance(inner, gast.Starred):
            return None
        item = self.item_of(args[at], node, first, whole=True)
        if item is None:
            return None
        part, args[at], body = item(inner, node.body)
        if inner is target:
            return part, iterator, body
        target.elts[target.elts.index(inner)] = part
        return target, iterator, body

    def item_of(self, iterator: gast.expr, loop: gast.For, first: list[gast.stmt],
                whole: bool = False) -> Any:
        """What makes target, iterator and body of a loop over what an iterator takes its items
        from; whole: whether each of those has to give an item."""
        if isinstance(iterator, gast.GeneratorExp):
            return self.of_generator(iterator, loop, whole)
        if not isinstance(iterator, gast.Call) or iterator.keywords \
                or len(iterator.args) < 2 or any(isinstance(a, gast.Starred)
                                                 for a in iterator.args):
            return None
        function, (called, *sources) = self.function_of(iterator), iterator.args
        if function is map:
            made = self.steady(called, "function", loop, first)
            if made is None:
                return None

            def mapped(target: gast.expr, body: list[gast.stmt]) -> Any:
                items = [self.names.fresh("item") for _ in sources]
                value = syntax.call(made, *map(syntax.load, items))
                if len(items) == 1:
                    return syntax.store(items[0]), sources[0], [syntax.assign(target, value),
                                                                *body]
                zipped = syntax.call(syntax.load("zip"), *sources)
                syntax.copy_place(zipped, iterator)
                syntax.copy_place(zipped.func, iterator)
                return syntax.tuple_of(map(syntax.store, items), gast.Store()), zipped, [
                    syntax.assign(target, value), *body]
            return mapped if len(sources) == 1 or self.meaning("zip") is zip else None
        if function is filter and not whole and len(sources) == 1:
            empty = isinstance(called, gast.Constant) and called.value is None
            keeps = called if empty else self.steady(called, "keeps", loop, first)
            if keeps is None:
                return None

            def filtered(target: gast.expr, body: list[gast.stmt]) -> Any:
                item = self.names.fresh("item")
                test = syntax.load(item) if empty else syntax.call(keeps, syntax.load(item))
                return syntax.store(item), sources[0], [gast.If(
                    test, [syntax.assign(target, syntax.load(item)), *body], [])]
            return filtered
        return None

    def of_generator(self, made: gast.GeneratorExp, loop: gast.For, whole: bool) -> Any:
        """A generator that is written in the loop: its loops become those of the function."""
        plain = len(made.generators) == 1
        if any(g.is_async for g in made.generators) or (whole and (
                not plain or made.generators[0].ifs)):
            return None
        own = [n for g in made.generators for n in syntax.bound_names(g.target)]
        start = made.generators[0].iter             # is evaluated outside of it
        made.generators[0].iter = syntax.constant(None)
        inside = [n for part in syntax.walk(made) if isinstance(part, _SCOPES) and part is not made
                  for n in _bound_inside(part)]
        if not set(own).isdisjoint(inside):
            made.generators[0].iter = start
            return None
        within = _counted(made, own)
        renamed = {n: self.names.fresh(n) for n, count in _counted(self.tree, own).items()
                   if count > within[n] or n in self.others}
        syntax.Rename(renamed).visit(made)
        made.generators[0].iter = start

        is_left = _breaks(loop.body)

        def generated(target: gast.expr, body: list[gast.stmt]) -> Any:
            body = [syntax.assign(target, made.elt), *body]
            for one in reversed(made.generators):
                for test in reversed(one.ifs):
                    body = [gast.If(test, body, [])]
                if one is not made.generators[0]:
                    inner = gast.For(one.target, one.iter, body, [], None)
                    body = [inner]
                    if is_left:             # who leaves the inner loop leaves the outer one
                        inner.orelse = [gast.Continue()]
                        body = [inner, gast.Break()]
            return made.generators[0].target, start, body
        return generated

    def function_of(self, called: gast.Call) -> Any:
        """What is called, where that is a function of Python or of itertools."""
        if isinstance(called.func, gast.Name):
            return self.meaning(called.func.id)
        if isinstance(called.func, gast.Attribute) and isinstance(called.func.value, gast.Name) \
                and self.meaning(called.func.value.id) is itertools:
            return getattr(itertools, called.func.attr, None)
        return None

    def steady(self, function: gast.expr, wish: str, loop: gast.For,
               first: list[gast.stmt]) -> gast.expr | None:
        """A function that an iterator keeps, to be called in the loop; None if it may be another
        one there."""
        if self.may_stop(function):
            return None
        if isinstance(function, gast.Lambda):
            name = self.names.fresh(wish)
            first.append(syntax.copy_place(syntax.assign(name, function), loop))
            syntax.copy_place(first[-1].targets[0], function)
            return syntax.load(name)
        root = syntax.root_name(function)
        parts = [part for one in loop.body for part in syntax.walk(one)]
        path = {part.attr for part in syntax.walk(function) if isinstance(part, gast.Attribute)}
        if root is None or any(isinstance(part, gast.Subscript) for part in syntax.walk(function)):
            return None
        for part in [loop.target, *parts]:
            if root in syntax.bound_names(part) or (
                    isinstance(part, gast.Attribute) and not isinstance(part.ctx, gast.Load)
                    and part.attr in path):
                return None
            if isinstance(part, (gast.FunctionDef, gast.ClassDef)) and part.name == root:
                return None
        return function


    def may_stop(self, function: gast.expr) -> bool:
        """Whether a function may end the iterator that calls it."""
        if not isinstance(function, gast.Name):
            return mentions_stop(function)
        return may_stop(self.meaning(function.id)) or any(
            mentions_stop(inner) for inner in syntax.all_of(self.tree, gast.FunctionDef)
            if inner is not self.tree and inner.name == function.id)


def _breaks(body: list[gast.stmt]) -> bool:
    """Whether a `break` in a body leaves the loop that it is of."""
    for node in body:
        if isinstance(node, gast.Break):
            return True
        inner = [node.orelse] if isinstance(node, (gast.For, gast.While)) else \
            [] if isinstance(node, _SCOPES) else [*syntax.blocks_of(node)]
        if any(map(_breaks, inner)):
            return True
    return False


def _counted(tree: gast.AST, names: list[str]) -> dict[str, int]:
    """How often names occur."""
    found = dict.fromkeys(names, 0)
    for part in syntax.walk(tree):
        if isinstance(part, gast.Name) and part.id in found:
            found[part.id] += 1
    return found


def _bound_inside(scope: Any) -> list[str]:
    """The names that a lambda or a comprehension binds for itself."""
    if isinstance(scope, gast.Lambda):
        return syntax.parameter_names(scope.args)
    return [n for g in getattr(scope, "generators", ()) for n in syntax.bound_names(g.target)]
