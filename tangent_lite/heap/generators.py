"""Generator expressions that are kept, as the map and filter that they are.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.source import source_of
>>> def f(xs, k):
...     squares = (x * x * k for x in xs if x > 0.0)
...     return sum(squares)
>>> source = source_of(f)
>>> print(emit(generators(source.tree, source, {"map": map, "filter": filter}.get)), end="")
def f(xs, k):
    squares = map(lambda x: x * x * k, filter(lambda x: x > 0.0, xs))
    return sum(squares)

What uses a generator up at once (sum, list, max) may as well be given a list, if the items are new
numbers or arrays, which nobody changes before they are looked at. A generator of several loops is
the function that it stands for:

>>> def f(xs):
...     return max(v for x in xs for v in x)
>>> source = source_of(f)
>>> print(emit(generators(source.tree, source, vars(builtins).get)), end="")
def f(xs):
    def generator(items):
        for x in items:
            for v in x:
                yield v
    return max(generator(iter(xs)))
"""
from __future__ import annotations

import builtins
import collections
import math
import types
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from tangent_lite import syntax
from tangent_lite.names import Names
from tangent_lite.source import Source
from tangent_lite.structures.comprehensions import nested

# What keeps the items, or looks at them once all are there; and what looks at each as it is given.
_KEEPING = (list, tuple, sorted, set, dict, frozenset, collections.Counter, collections.deque)
_STOPPING = (any, all)                          # are written out as loops
_AT_ONCE = (*_KEEPING, *_STOPPING, sum, max, min, math.fsum, math.prod, np.fromiter, np.sum,
            str.join)
_NEW = (gast.BinOp, gast.UnaryOp, gast.Compare, gast.Constant, gast.JoinedStr)
_NUMBERS = {"abs", "float", "int", "len", "round", "complex", "bool", "str"}


def generators(tree: gast.FunctionDef, source: Source, now: Callable[[str], Any],
               names: Names | None = None) -> gast.FunctionDef:
    """Write kept generator expressions as map and filter, or as functions, in place; names: those
    taken."""
    _Generators(source, now, names or Names(syntax.all_names(tree))).function(tree)
    return tree


class _Generators(gast.NodeTransformer):
    def __init__(self, source: Source, now: Callable[[str], Any], names: Names) -> None:
        self.source, self.now, self.names = source, now, names
        self.functions: list[gast.stmt] = []    # to stand in front of the statement at hand
        self.depth = 0                          # of comprehensions and lambdas

    def function(self, tree: gast.FunctionDef) -> None:
        tree.body = self.block(tree.body)

    def block(self, block: list[gast.stmt]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for node in block:
            kept, self.functions = self.functions, []
            node = self.visit(node)
            out += [*self.functions, node]
            self.functions = kept
        return out

    def generic_visit(self, node: gast.AST) -> gast.AST:
        for name, old in gast.iter_fields(node):
            if isinstance(old, list) and old and isinstance(old[0], gast.stmt):
                setattr(node, name, self.block(old))
            elif isinstance(old, list):
                setattr(node, name, [self.visit(n) if isinstance(n, gast.AST) else n for n in old])
            elif isinstance(old, gast.AST):
                setattr(node, name, self.visit(old))
        return node

    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.FunctionDef:
        node.decorator_list = [self.visit(d) for d in node.decorator_list]
        node.args = self.visit(node.args)
        return node                             # its body is read when it is followed

    def inside(self, node: gast.AST) -> gast.AST:
        """What has variables of its own: a function in front of the statement sees none of them."""
        self.depth += 1
        self.generic_visit(node)
        self.depth -= 1
        return node

    visit_Lambda = visit_ListComp = visit_SetComp = visit_DictComp = inside

    def visit_Call(self, node: gast.Call) -> gast.Call:
        called = self.meant(node.func)
        at_once = any(called is one for one in _AT_ONCE) and not any(
            k.arg == "key" and called is not sorted for k in node.keywords)
        for number, arg in enumerate(node.args):
            if isinstance(arg, gast.GeneratorExp) and at_once and (
                    any(called is one for one in (*_KEEPING, *_STOPPING))
                    or self.is_new(arg.elt)):
                self.inside(arg)
            else:
                node.args[number] = self.visit(arg)
        node.func = self.visit(node.func)
        node.keywords = [self.visit(k) for k in node.keywords]
        return node

    def meant(self, called: gast.expr) -> Any:
        """What is called, where that is a function of Python or of a module; methods are not: a
        list that grows may be looked at meanwhile, and functions be called in turns with others."""
        if isinstance(called, gast.Name):
            return self.now(called.id)
        if isinstance(called, gast.Attribute) and isinstance(called.value, gast.Name):
            owner = self.now(called.value.id)
            if isinstance(owner, types.ModuleType):
                return getattr(owner, called.attr, None)
        return str.join if isinstance(called, gast.Attribute) and called.attr == "join" \
            and isinstance(called.value, gast.Constant) else None

    def is_new(self, node: gast.expr) -> bool:
        """Whether an expression gives what nobody else holds, and so nobody changes."""
        if isinstance(node, gast.Tuple):
            return all(map(self.is_new, node.elts))
        if isinstance(node, gast.IfExp):
            return self.is_new(node.body) and self.is_new(node.orelse)
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Name):
            return node.func.id in _NUMBERS and self.now(node.func.id) is getattr(
                builtins, node.func.id)
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) \
                and isinstance(node.func.value, gast.Name):
            function = getattr(self.now(node.func.value.id), node.func.attr, None)
            return isinstance(function, np.ufunc) or getattr(function, "__module__", "") == "math" \
                or any(function is one for one in (np.sum, np.mean, np.dot, np.prod))
        return isinstance(node, _NEW)

    def as_function(self, node: gast.GeneratorExp) -> gast.expr:
        """A call of the function that a generator expression stands for."""
        first = node.generators[0]
        name, items = self.names.fresh("generator"), self.names.fresh("items")
        over, first.iter = first.iter, syntax.load(items)
        inner = syntax.statement(gast.Yield(node.elt))
        made = syntax.function_def(name, [items], nested(node.generators, [inner]))
        syntax.place_within(made, node)
        self.functions.append(made)
        call = syntax.call(syntax.load(name), syntax.call(syntax.load("iter"), over))
        return gast.copy_location(call, node)

    def visit_GeneratorExp(self, node: gast.GeneratorExp) -> gast.expr:
        node.generators[0].iter = self.visit(node.generators[0].iter)
        generator = node.generators[0]
        if self.depth == 0 and (len(node.generators) > 1 or not _is_flat(generator.target)) \
                and self.now("iter") is iter and not any(
                    isinstance(n, gast.NamedExpr) for n in gast.walk(node)):
            return self.as_function(node)
        over, generator.iter = generator.iter, syntax.constant(None)
        self.inside(node)
        generator.iter = over
        if len(node.generators) > 1 or not _is_flat(generator.target) \
                or not _is_by_itself(node) or self.now("map") is not map \
                or self.now("filter") is not filter:
            raise self.source.refuse(node, "a generator that is kept cannot be followed",
                                     "make a list in place of it: [...]")
        xs = generator.iter
        for test in generator.ifs:
            xs = _lazy("filter", _function(generator.target, test), xs)
        made = _lazy("map", _function(generator.target, node.elt), xs)
        return gast.copy_location(made, node)


def _lazy(name: str, function: gast.expr, xs: gast.expr) -> gast.Call:
    """A map or filter that comes to its end once, as a generator does."""
    made = syntax.call(syntax.load(name), function, xs)
    made.stands_for_generator = True
    return made


def _is_by_itself(node: gast.GeneratorExp) -> bool:
    """Whether an item depends on none of the others: the functions that a generator hands out have
    one variable together, and what `:=` binds is bound around it."""
    given = {id(a) for call in gast.walk(node) if isinstance(call, gast.Call)
             for a in (*call.args, *(k.value for k in call.keywords))}
    own = set(syntax.bound_names(node.generators[0].target))
    return not any(isinstance(part, gast.NamedExpr) or (
        isinstance(part, gast.Lambda) and id(part) not in given
        and own & syntax.read_names(part)) for part in gast.walk(node))


def _is_flat(target: gast.expr) -> bool:
    """Whether a target is a name, or names in a row."""
    return isinstance(target, gast.Name) or all(isinstance(n, gast.Name) for n in target.elts)


def _function(target: gast.expr, value: gast.expr) -> gast.expr:
    """lambda target: value"""
    names = [target] if isinstance(target, gast.Name) else target.elts
    parameters = [gast.Name(n.id, gast.Param(), None, None) for n in names]
    arguments = gast.arguments(parameters, [], None, [], [], None, [])
    made = gast.copy_location(gast.Lambda(arguments, syntax.copy(value)), value)
    if isinstance(target, gast.Name):
        return made
    item = gast.Name("item", gast.Param(), None, None)
    inner = syntax.call(made, gast.Starred(syntax.load("item"), gast.Load()))
    return gast.copy_location(
        gast.Lambda(gast.arguments([item], [], None, [], [], None, []), inner), value)
