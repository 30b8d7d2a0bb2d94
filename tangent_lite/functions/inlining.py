"""Write the body of a function in the place of a call of it.

A function that another function could not call as a pair - it writes into its arguments, reads or
binds the variables around it, takes or returns functions - is written out where it is called. Its
names step aside for those that are taken.
"""
from __future__ import annotations

import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.calling.resolve import Resolver
from tangent_lite.errors import TangentError, UnsupportedSyntaxError
from tangent_lite.functions.decided import take_decided
from tangent_lite.functions.default_values import default_values, written_default
from tangent_lite.functions.local_functions import LocalFunction, RenameAll
from tangent_lite.inference import NO_OBJECT
from tangent_lite.modules import module_of
from tangent_lite.names import Names
from tangent_lite.source import Source

LIMIT = 20_000          # statements in one function, after all calls were written out
MOST_NESTED = 3         # how often a function is written out in what it calls of its arguments
MOST_ALIKE = 2          # and for objects of one class of which it is not known what is in them


@dataclass(frozen=True)
class Given:
    """What a call is given: the class of the object that comes first, and of how many parts each
    argument consists."""
    of_class: type | None = None
    sizes: tuple[float, ...] = ()


def is_again(function: Any, call: gast.Call) -> bool:
    """Whether a call, which stands in the bodies of functions that were written out, is one of a
    function by itself. What a function calls that it was handed is not, at some depth:
    `integral(lambda u: integral(lambda v: u * v))`. Nor is a call with an object of another class,
    or with a part of what it was given, as the parts of parts come to an end: `tree_map(f, t[k])`
    in `tree_map(f, t)`, `Sequential([Linear(w)])(x)`, of which both have `__call__` from one class.
    What an object consists of may be known only when calls with it are written out."""
    chain = getattr(call, "chain", ())              # of (function, what it is given)
    called = [one for one, _ in chain]
    if function not in called:
        return False
    given = getattr(call, "given", Given())
    before = [seen for one, seen in chain if one is function]
    if given.sizes < before[-1].sizes or (      # in the order of words: such chains are finite
            given.of_class is not None
            and [g.of_class for g in before].count(given.of_class) < MOST_ALIKE):
        return False
    behind = called[len(called) - called[::-1].index(function):]
    is_handed = not isinstance(function, gast.AST) and any(
        isinstance(one, gast.AST) for one in behind)
    return not is_handed or called.count(function) >= MOST_NESTED


class Inliner:
    """Writes calls out in one function.

    normal: a function's tree, the variables around it, and those that calls may bind anew -> its
    tree in normal form; closed: a function's tree -> the same with its inner functions as values;
    read: a function of a module -> its source, tree and resolver; managing: generator functions
    that are read as context managers, each of which is entered and left once.
    """

    def __init__(self, names: Names, resolver: Resolver, source: Source,
                 normal: Callable[[gast.FunctionDef, set[str], set[str]], gast.FunctionDef],
                 closed: Callable[[gast.FunctionDef, Source], gast.FunctionDef],
                 read: Callable[[Any], tuple[Source, gast.FunctionDef, Resolver]],
                 managing: set[Any]) -> None:
        self.names, self.resolver, self.source = names, resolver, source
        self.normal, self.closed, self.read = normal, closed, read
        self.managing = managing
        self.written = 0
        self.around: set[str] = set()           # the variables of the function
        self.used: set[LocalFunction] = set()
        self.others: dict[Any, LocalFunction] = {}

    # The functions of modules -------------------------------------------------------------------
    def of_module(self, function: Any, bound: set[str]) -> LocalFunction:
        """A function of a module as one that could stand inside this one; bound: names bound
        here."""
        if function not in self.others:
            self.others[function] = self._of_module(function, bound)
        return self.others[function]

    def _of_module(self, function: Any, bound: set[str]) -> LocalFunction:
        source, tree, resolver = self.read(function)
        tree = syntax.copy(tree)
        values = {name: written_default(value, place, function, name, self.resolver, self.names,
                                        bound)
                  for name, value, place in default_values(function)}
        tree.args.defaults, tree.args.kw_defaults = [], [None] * len(tree.args.kwonlyargs)
        own = _bound_somewhere(tree)
        free = sorted({n.id for n in syntax.names_in(*tree.body)
                       if isinstance(n.ctx, gast.Load)} - own)
        tree.decorator_list = []
        syntax.Substitute({n: self.spelled(n, source, resolver, bound) for n in free}).visit(tree)
        mapping = {n: self.names.fresh(n) for n in sorted(own) if n in self.names}
        self.names.take(own - mapping.keys())
        tree = RenameAll(mapping).visit(tree)
        for inner in syntax.all_of(tree, gast.Nonlocal, gast.Global, gast.FunctionDef):
            if not isinstance(inner, gast.FunctionDef):
                inner.names = [mapping.get(n, n) for n in inner.names]
            elif inner is not tree:
                inner.name = mapping.get(inner.name, inner.name)
        tree = self.closed(tree, source)
        return LocalFunction(
            function.__name__, tree, frozenset(), frozenset(),
            {mapping.get(p, p): v for p, v in values.items()}, source,
            {mapping.get(p, p): p for p in own}, function)

    def spelled(self, name: str, source: Source, resolver: Resolver, bound: set[str]) -> gast.expr:
        """How a name of another function's surroundings is written in this function."""
        thing = resolver.free(name)
        if thing is NO_OBJECT:
            return syntax.load(name)
        if name not in bound and name not in source.cells and self.resolver.now(name) is thing \
                and (source.globals is self.source.globals or name not in source.globals) \
                and name not in self.source.cells:
            return syntax.load(name)
        if callable(thing) or isinstance(thing, types.ModuleType):
            # A model that is made for several functions reads variables of its maker.
            wish = thing.__name__ if name in source.cells and is_model(source.function) else name
            return syntax.load(self.resolver.name_for(thing, wish, self.names, bound))
        cell = source.cells.get(name)
        if cell is not None:
            kept = self.resolver.inject(cell, f"{name}_cell", self.names)
            return syntax.attribute(syntax.load(kept), "cell_contents")
        module = sys.modules.get(source.function.__module__ or "")
        if module is None or vars(module) is not source.globals:
            raise UnsupportedSyntaxError(
                f"{source.name} reads the global {name} of a module that is not imported",
                source.place(source.tree), "pass it as an argument")
        kept = self.resolver.inject(module, module.__name__.rpartition(".")[2], self.names)
        return syntax.attribute(syntax.load(kept), name)

    # Writing out --------------------------------------------------------------------------------
    def write(self, function: LocalFunction, call: gast.Call, arguments: list[gast.expr],
              keywords: dict[str, gast.expr], shared: set[str],
              refuse: Callable[[gast.AST, str, str], TangentError]) \
            -> tuple[list[gast.stmt], gast.expr]:
        """The statements that a call stands for, and its value; shared: names that functions
        bind around them (nonlocal), which may change while the body runs."""
        first, body = self.opened(function, call, arguments, keywords, shared, refuse)
        take_decided(body)
        own = _stored(body.body)
        made = self.closed_block(function, call, body, shared, refuse)
        last = made.pop()
        assert isinstance(last, gast.Return)
        value = last.value or gast.Constant(None, None)
        if made and isinstance(value, gast.Name) and value.id not in own \
                and not is_model(function.function) and _binds_last(made, value.id):
            # A name that we gave to what is returned: the caller has one for it.
            bound: Any = made.pop()
            bound.value.place = bound
            value = bound.value
        return first + made, value

    def opened(self, function: LocalFunction, call: gast.Call, arguments: list[gast.expr],
               keywords: dict[str, gast.expr], shared: set[str],
               refuse: Callable[[gast.AST, str, str], TangentError]) \
            -> tuple[list[gast.stmt], gast.FunctionDef]:
        """The statements that bind the parameters, and the function in names of its own; shared:
        names that may be bound anew while its body runs."""
        key = function.function or function.tree
        if is_again(key, call) and not is_model(function.function):
            raise refuse(call, f"{function.name} calls itself, and cannot be written out where it "
                               "is called", "let it take what it reads as arguments, and return "
                               "what it changes")
        body = syntax.copy(function.tree)
        bound = self.bind(function, body.args, call, arguments, keywords, refuse)
        if function in self.used:
            self.rename(function, body, bound)
        self.used.add(function)
        stored = _stored(body.body)
        captured = {n for p in syntax.all_of(body, gast.Lambda)
                    if getattr(p, "local", None) is not None for n in p.local.captured}
        first: list[gast.stmt] = []
        substituted: dict[str, gast.expr] = {}

        def stays(value: gast.expr) -> bool:
            return isinstance(value, gast.Constant) or (
                isinstance(value, gast.Name) and value.id not in shared and value.id not in stored)

        for parameter, value in bound.items():
            is_kept = parameter not in stored and parameter not in captured
            if is_kept and isinstance(value, gast.Tuple) and _is_only_spread(parameter, body):
                parts = []
                for part in value.elts:
                    if not stays(part):
                        name = self.names.fresh(parameter)
                        first.append(syntax.assign(name, part))
                        part = syntax.load(name)
                    parts.append(part)
                _put_apart(parameter, parts, body)
            elif is_kept and stays(value):
                substituted[parameter] = value
            else:
                first.append(syntax.assign(parameter, value))
        for node in first:
            for part in gast.walk(node):
                if isinstance(part, (gast.stmt, gast.expr)):
                    gast.copy_location(part, call)
        for value in substituted.values():      # shown where they stand, not where the body does
            for part in syntax.walk(value):
                if isinstance(part, gast.expr) and not hasattr(part, "origin"):
                    part.origin = getattr(call, "origin", self.source)
        if substituted:
            body.body = [syntax.Substitute(substituted).visit(s) for s in body.body]
        return first, body

    def closed_block(self, function: LocalFunction, call: gast.Call, body: gast.FunctionDef,
                     shared: set[str], refuse: Callable[[gast.AST, str, str], TangentError]) \
            -> list[gast.stmt]:
        """The statements of a function that was opened, in normal form."""
        models, chain = is_model(function.function), getattr(call, "chain", ())
        inside = chain if models else (
            *chain, (function.function or function.tree, getattr(call, "given", Given())))
        body = self.normal(body, self.around, shared)
        for node in body.body:
            for part in syntax.walk(node):
                if isinstance(part, (gast.stmt, gast.expr)) and not hasattr(part, "chain"):
                    part.chain = inside     # of operators too: those of objects become calls
                if models:              # it stands for the call, and is shown as that
                    if isinstance(part, (gast.stmt, gast.expr)):
                        gast.copy_location(part, call)
                    if hasattr(call, "origin"):
                        part.origin = call.origin
                elif function.origin is not self.source and not hasattr(part, "origin"):
                    part.origin = function.origin
        self.written += len(body.body)
        if self.written > LIMIT:
            raise refuse(call, "the calls written out make the function too long",
                         "let helpers return what they change, so that they stay functions")
        return list(body.body)

    def rename(self, function: LocalFunction, body: gast.FunctionDef,
               bound: dict[str, gast.expr]) -> None:
        """Give a further copy of a body names of its own."""
        own = dict.fromkeys(bound)
        own.update(dict.fromkeys(_stored_in_order(body.body)))
        mapping = {}
        for name in own:
            if name in function.bound:
                continue
            base = self.names.versions.get(name, name)
            mapping[name] = self.names.fresh(base)
            self.names.versions[mapping[name]] = base
        RenameAll(mapping).visit(body)
        for name in list(bound):
            bound[mapping.get(name, name)] = bound.pop(name)

    def bind(self, function: LocalFunction, parameters: gast.arguments, call: gast.Call,
             arguments: list[gast.expr], keywords: dict[str, gast.expr],
             refuse: Callable[[gast.AST, str, str], TangentError]) -> dict[str, gast.expr]:
        """Parameters and their arguments, as Python binds them."""
        def wrong(what: str) -> TangentError:
            return refuse(call, f"{function.name}() {what}", "call it as it is defined")

        positional = [p.id for p in parameters.posonlyargs + parameters.args]
        only = [p.id for p in parameters.kwonlyargs]
        passed = {function.keywords.get(p, p): p for p in positional[len(parameters.posonlyargs):]
                  + only}
        bound: dict[str, gast.expr] = dict(zip(positional, arguments))
        rest = arguments[len(positional):]
        if parameters.vararg is not None:
            bound[parameters.vararg.id] = syntax.tuple_of(rest)
        elif rest:
            raise wrong(f"takes {len(positional)} positional arguments, and "
                        f"{len(arguments)} are given")
        more: dict[str, gast.expr] = {}
        for name, value in keywords.items():
            parameter = passed.get(name)
            if parameter is None:
                more[name] = value
            elif parameter in bound:
                raise wrong(f"gets several values for {name}")
            else:
                bound[parameter] = value
        if parameters.kwarg is not None:
            bound[parameters.kwarg.id] = gast.Dict(
                [gast.Constant(n, None) for n in more], list(more.values()))
        elif more:
            raise wrong(f"has no parameter {next(iter(more))}")
        for name in positional + only:
            if name not in bound:
                if name not in function.defaults:
                    raise wrong(f"needs the argument {function.keywords.get(name, name)}")
                bound[name] = syntax.copy(function.defaults[name])
        return {p: bound[p] for p in syntax.parameter_names(parameters)}


def is_model(function: Any) -> bool:
    """Whether a function only says how another one is written in Python."""
    return module_of(function).startswith("tangent_lite.rules")


def _bound_somewhere(tree: gast.FunctionDef) -> set[str]:
    return {n.id for n in syntax.names_in(tree) if not isinstance(n.ctx, gast.Load)} | {
        n.name for n in syntax.all_statements(tree) if n is not tree and (
            isinstance(n, gast.FunctionDef)
            or (isinstance(n, gast.ExceptHandler) and isinstance(n.name, str)))}


def _stored_in_order(block: list[gast.stmt]) -> list[str]:
    found: dict[str, None] = {}
    for node in syntax.walk_in_order(block):
        if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
            found.setdefault(node.id)
    return list(found)


def _binds_last(block: list[gast.stmt], name: str) -> bool:
    """Whether the last statement binds a name, and no other mentions it."""
    last = block[-1]
    return isinstance(last, gast.Assign) and isinstance(last.targets[0], gast.Name) \
        and last.targets[0].id == name \
        and sum(n.id == name for s in block for n in syntax.names_in(s)) == 1


def _is_only_spread(parameter: str, function: gast.FunctionDef) -> bool:
    """Whether all that becomes of `*args` is that they are handed on: `g(*args)`."""
    spread = [one for one in syntax.all_of(function, gast.Starred)
              if getattr(one.value, "id", None) == parameter]
    read = [n for s in function.body for n in gast.walk(s)
            if isinstance(n, gast.Name) and n.id == parameter]
    return bool(spread) and len(spread) == len(read)


def _put_apart(parameter: str, parts: list[gast.expr], function: gast.FunctionDef) -> None:
    """Hand on the parts of `*args` one by one, in place."""
    for node in gast.walk(function):
        for _, items in gast.iter_fields(node):
            for at in range(len(items) - 1, -1, -1) if isinstance(items, list) else ():
                if isinstance(items[at], gast.Starred) \
                        and getattr(items[at].value, "id", None) == parameter:
                    items[at:at + 1] = [syntax.copy_place(syntax.copy(part), items[at])
                                        for part in parts]


def _stored(block: list[gast.stmt]) -> set[str]:
    return set(_stored_in_order(block))
