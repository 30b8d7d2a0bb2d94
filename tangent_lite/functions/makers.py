"""What makes a function again and again: a lambda or a definition with defaults, a partial, a
function that returns one. What differs from one to the next is *held*: values, found where each is
made.

>>> maker = maker_of(syntax.parse_expression("lambda v, k=k, by=2.0: by * v * k"))
>>> from tangent_lite.emit import emit
>>> [emit(value) for value in maker.held]
['k']
>>> print(emit(maker.definition("scaled")), end="")
def scaled(v, k, by):
    return by * v * k
>>> call = syntax.parse_expression("g(x)")
>>> emit(maker.called("scaled", call, [syntax.load("item")]))
'scaled(x, k=item, by=2.0)'

So a call of one of them is a call of the one definition, with what it holds: what a function reads
around it, it reads when it is called, wherever it was made.
"""
from __future__ import annotations

import functools
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.errors import TangentError
from tangent_lite.source import source_of
from tangent_lite.structures.comprehensions import COMPREHENSIONS

_DEFINITIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef)
# What keeps a definition where it is: it binds around itself, or is no plain function.
_BINDING = (gast.Nonlocal, gast.Global, gast.Yield, gast.YieldFrom, gast.Await, gast.AsyncFor,
            gast.AsyncWith, gast.AsyncFunctionDef, gast.ClassDef, gast.NamedExpr)


@dataclass
class Maker:
    """key: equal for what makes the same functions, what they hold aside; held: what is computed
    where a function is made, in order; words: the parameters that get it, for those of which
    there are some."""
    key: Any
    held: list[gast.expr]
    words: list[str] = field(default_factory=list)

    def definition(self, name: str) -> gast.FunctionDef | None:
        """What is to be defined once, under this name."""
        return None

    def fits(self, call: gast.Call) -> bool:
        """Whether a call of such a function can be written as one with what it holds."""
        return _is_plain(call)

    def asks(self, call: gast.Call) -> bool:
        """Whether a call of such a function asks for anything that it holds."""
        return len(self.held) > len(self.words) \
            or not {k.arg for k in call.keywords}.issuperset(self.words)

    def called(self, name: str, call: gast.Call, held: list[gast.expr]) -> gast.Call:
        """The call of such a function that holds these."""
        raise NotImplementedError


@dataclass
class Defined(Maker):
    """A lambda or a definition: of its defaults those that are no literals are held."""
    node: Any = None
    literals: dict[str, gast.expr] = field(default_factory=dict)

    def definition(self, name: str) -> gast.FunctionDef:
        arguments = syntax.copy(self.node.args)
        arguments.args = [*arguments.posonlyargs, *arguments.args]
        arguments.posonlyargs, arguments.defaults = [], []
        arguments.kw_defaults = [None] * len(arguments.kwonlyargs)
        body = syntax.copy(self.node.body)
        if isinstance(self.node, gast.Lambda):
            body = [gast.copy_location(gast.Return(body), body)]
        made = gast.FunctionDef(name, arguments, body, [], None, None)
        return gast.copy_location(made, self.node)

    def given(self, call: gast.Call) -> set[str]:
        """The parameters that a call gives something."""
        arguments = self.node.args
        by_place = [p.id for p in (*arguments.posonlyargs, *arguments.args)]
        return {*by_place[:len(call.args)], *(k.arg for k in call.keywords)}

    def asks(self, call: gast.Call) -> bool:
        return not self.given(call).issuperset(self.words)

    def fits(self, call: gast.Call) -> bool:
        arguments = self.node.args
        by_place = [p.id for p in (*arguments.posonlyargs, *arguments.args)]
        by_name = {p.id for p in (*arguments.args, *arguments.kwonlyargs)}
        words = [k.arg for k in call.keywords]
        given = self.given(call)
        return _is_plain(call) and (arguments.vararg is not None
                                    or len(call.args) <= len(by_place)) \
            and by_name.issuperset(words) \
            and not set(words).intersection(by_place[:len(call.args)]) \
            and given | {*self.words, *self.literals} >= {*by_place, *by_name}

    def called(self, name: str, call: gast.Call, held: list[gast.expr]) -> gast.Call:
        given = self.given(call)
        more = [*zip(self.words, held), *self.literals.items()]
        return gast.Call(syntax.load(name), call.args, [
            *call.keywords, *(gast.keyword(word, syntax.copy(value)) for word, value in more
                              if word not in given)])


@dataclass
class Partial(Maker):
    """`functools.partial(function, a, k=b)`: a and b are held."""
    function: Any = None

    def called(self, name: str, call: gast.Call, held: list[gast.expr]) -> gast.Call:
        first = len(held) - len(self.words)
        given = {k.arg for k in call.keywords}
        return gast.Call(syntax.copy(self.function), [*held[:first], *call.args], [
            *(gast.keyword(word, value) for word, value in zip(self.words, held[first:])
              if word not in given), *call.keywords])


@dataclass
class Made(Maker):
    """`make(a, k=b)`, where all that make does is to define a function and return it."""
    function: Any = None

    def called(self, name: str, call: gast.Call, held: list[gast.expr]) -> gast.Call:
        first = len(held) - len(self.words)
        made = gast.Call(syntax.copy(self.function), held[:first], [
            gast.keyword(word, value) for word, value in zip(self.words, held[first:])])
        return gast.Call(made, call.args, call.keywords)


def maker_of(node: Any, meaning: Callable[[gast.expr], Any] = lambda node: None,
             local: Callable[[str], Any] = lambda name: None) -> Maker | None:
    """What an expression or a definition makes, if that is a function; meaning: the object that a
    name or a path means from outside; local: the definition of a function inside, if its name means
    that one throughout."""
    if isinstance(node, (gast.Lambda, gast.FunctionDef)):
        return _defined(node)
    if not isinstance(node, gast.Call) or not _is_plain(node):
        return None
    if meaning(node.func) is functools.partial:
        return _partial(node, meaning, local)
    if isinstance(node.func, (gast.Name, gast.Attribute)):
        definition = local(getattr(node.func, "id", "")) or _definition_of(meaning(node.func))
        if definition is not None and _only_makes(definition):
            called = Defined(None, [], node=definition, literals=dict.fromkeys(
                _with_defaults(definition.args), gast.Constant(None, None)))
            if called.fits(node):
                words = [k.arg for k in node.keywords]
                return Made(("made", syntax.key(node.func), len(node.args), tuple(words)),
                            [*node.args, *(k.value for k in node.keywords)], words,
                            function=node.func)
    return None


def _is_plain(call: gast.Call) -> bool:
    return not any(isinstance(a, gast.Starred) for a in call.args) \
        and all(k.arg is not None for k in call.keywords)


def _with_defaults(arguments: gast.arguments) -> dict[str, gast.expr]:
    """The parameters that have a default, in the order in which the defaults are evaluated."""
    by_place = [*arguments.posonlyargs, *arguments.args]
    return {p.id: d for p, d in (
        *zip(by_place[len(by_place) - len(arguments.defaults):], arguments.defaults),
        *zip(arguments.kwonlyargs, arguments.kw_defaults)) if d is not None}


def _defined(node: Any) -> Maker | None:
    if getattr(node, "decorator_list", None) or node.args.kwarg is not None \
            or any(isinstance(part, _BINDING) for part in gast.walk(node)):
        return None
    if isinstance(node, gast.FunctionDef) and any(
            syntax.is_name(part, node.name) for part in gast.walk(node)):
        return None                     # it calls whatever has its name by then
    defaults = _with_defaults(node.args)
    literals = {p: d for p, d in defaults.items() if isinstance(d, gast.Constant)}
    words = [p for p in defaults if p not in literals]
    body = node.body if isinstance(node.body, list) else [node.body]
    # Which of the parameters are held shows in `words`, and so in the key.
    key = ("defined", tuple(syntax.parameter_names(node.args)), len(node.args.posonlyargs),
           len(node.args.kwonlyargs), node.args.vararg is not None, tuple(words),
           tuple((p, syntax.key(d)) for p, d in literals.items()),
           tuple(map(syntax.key, body)))
    return Defined(key, [defaults[p] for p in words], words, node=node, literals=literals)


def _partial(node: gast.Call, meaning: Callable[[gast.expr], Any],
             local: Callable[[str], Any]) -> Maker | None:
    if not node.args:
        return None
    function = node.args[0]
    if not (isinstance(function, gast.Name) and local(function.id) is not None):
        meant = meaning(function)
        if not callable(meant) or isinstance(meant, (type, functools.partial)):
            return None
    words = [k.arg for k in node.keywords]
    return Partial(("partial", syntax.key(function), len(node.args), tuple(words)),
                   [*node.args[1:], *(k.value for k in node.keywords)], words, function=function)


def _definition_of(function: Any) -> gast.FunctionDef | None:
    if not isinstance(function, types.FunctionType):
        return None
    try:
        tree = source_of(function).tree
    except TangentError:
        return None
    return tree if isinstance(tree, gast.FunctionDef) else None


def _only_makes(node: gast.FunctionDef) -> bool:
    """Whether all that a function does is to define another one and return it."""
    body = node.body[1:] if isinstance(node.body[0], gast.Expr) and isinstance(
        node.body[0].value, gast.Constant) else node.body
    if node.decorator_list or node.args.vararg or node.args.kwarg or node.args.posonlyargs \
            or not body or not isinstance(body[-1], gast.Return):
        return False
    value = body[-1].value
    if len(body) == 2 and isinstance(body[0], gast.FunctionDef):
        made = body[0]
        if not syntax.is_name(value, made.name) or made.name in syntax.parameter_names(node.args) \
                or made.decorator_list:
            return False
    elif len(body) == 1 and isinstance(value, gast.Lambda):
        made = value
    else:
        return False
    own = syntax.parameter_names(node.args)
    return not any(isinstance(part, _BINDING) for part in gast.walk(made)) and all(
        isinstance(d, gast.Constant) or getattr(d, "id", None) in own
        for d in _with_defaults(made.args).values())


def has_scopes(node: Any) -> bool:
    """Whether names in a function may mean something else than around it, or than its own."""
    body = node.body if isinstance(node.body, list) else [node.body]
    return any(isinstance(part, (*_DEFINITIONS, *COMPREHENSIONS))
               for one in body for part in gast.walk(one))
