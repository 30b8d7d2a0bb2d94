"""What calls are given: tuples and containers that are written out as arguments, and stars.

    odeint(f, y0, t, args=p)    =>      p_0, p_1 = p[0], p[1]; odeint(f, y0, t, args=(p_0, p_1))
    f((x, y))                   =>      parts = x, y; f(parts)
    f(x, *items)                =>      part, part_1 = items; f(x, part, part_1)
    total(*items)               =>      total(items), of the twin that takes a list for *args
"""
from __future__ import annotations

import inspect
import itertools
import math
import types
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, registry, syntax
from tangent_lite.analyses.only_items import asks_only_items
from tangent_lite.calling.resolve import meaning
from tangent_lite.expansion import Written, positional_count
from tangent_lite.expansion.named_items import NamedItems
from tangent_lite.functions.default_values import PLAIN
from tangent_lite.functions.local_functions import LocalFunction
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.modules import module_of
from tangent_lite.records import is_named_tuple
from tangent_lite.source import source_of
from tangent_lite.source.unstarred import without_stars
from tangent_lite.syntax import load


class Arguments(NamedItems):
    """What takes the place of arguments."""

    def arrays_for_lists(self, value: gast.Call, plain: gast.Call,
                         function: Any) -> Written | None:
        """`stats.beta.logpdf([0.2, 0.3], a, b)`: SciPy makes arrays of lists, for which rules are
        not made."""
        entry = registry.lookup(function)
        if entry is None or entry.adjoint is None \
                or not module_of(function).startswith("scipy.stats"):
            return None
        first: list[gast.stmt] = []

        def as_array(seen: gast.expr, given: gast.expr) -> gast.expr:
            kind = self.typer.kind(seen)
            items = kind.items if isinstance(kind, kinds.TupleKind) else \
                (kind.item,) if isinstance(kind, kinds.ListKind) else ()
            if not items or not all(isinstance(item, kinds.Number) for item in items):
                return given
            made = gast.Call(self.inject(np.asarray, "asarray"), [given], [])
            return self.named(first, "values", gast.copy_location(made, given))

        arguments = [as_array(s, g) for s, g in zip(value.args, plain.args)]
        keywords = [gast.keyword(k.arg, as_array(s.value, k.value))
                    for s, k in zip(value.keywords, plain.keywords)]
        return (first, self.calling(plain.func, plain, arguments, keywords)) if first else None

    def parts_in_call(self, value: gast.Call, plain: gast.Call, function: Any) -> Written | None:
        """A tuple that SciPy is given as args and has a name is written out: `args=(p[0], p[1])`,
        for rules that say what each part gets; so are the two points of `math.dist`."""
        entry = registry.lookup(function)
        if entry is None or entry.adjoint is None or (
                function is not math.dist and not module_of(function).startswith(
                    ("scipy.integrate", "scipy.optimize", "tangent_lite.runtime.scipy_"))):
            return None
        loops = {getattr(p, "sequence", None) for p in entry.adjoint.parts}
        names = [p.name for p in entry.adjoint.parameters]
        first: list[gast.stmt] = []

        def written_out(name: str | None, seen: gast.expr, given: gast.expr) -> gast.expr:
            kind = self.typer.kind(seen)
            if name not in loops or not isinstance(kind, kinds.TupleKind) \
                    or not isinstance(given, gast.Name) or not kinds.can_vary(kind):
                return given
            parts = self.parts_of(kind, given, range(len(kind.items)), first)
            return gast.copy_location(gast.Tuple(parts, gast.Load()), given)

        arguments = [written_out(n, s, g) for n, s, g in zip(names, value.args, plain.args)]
        keywords = [gast.keyword(k.arg, written_out(k.arg, s.value, k.value))
                    for s, k in zip(value.keywords, plain.keywords)]
        if not first or len(arguments) < len(plain.args):
            return None
        return first, self.calling(plain.func, plain, arguments, keywords)

    def named_containers(self, value: gast.Call, plain: gast.Call) -> Written | None:
        """Containers that are written out as arguments get names: `f((x, y))`."""
        first: list[gast.stmt] = []
        arguments = []
        for seen, argument in zip(value.args, plain.args):
            if isinstance(argument, (gast.Tuple, gast.List, gast.Dict)) \
                    and kinds.can_vary(self.typer.kind(seen)) and syntax.read_names(argument):
                argument = self.named(first, "parts", argument)
            arguments.append(argument)
        return (first, self.calling(plain.func, plain, arguments)) if first else None

    def spread_of_list(self, value: gast.Call, plain: gast.Call) -> Written | None:
        """`f(x, *items)` of a list: its items are the parameters that are left; so they are in
        `f(*items, y)`, of a function without defaults."""
        function, receiver = self.facts.callees.get(id(value), (NO_OBJECT, None))
        stars = [n for n, a in enumerate(plain.args) if isinstance(a, gast.Starred)]
        if len(stars) != 1 or any(k.arg is None for k in plain.keywords):
            return None
        before, behind = plain.args[:stars[0]], plain.args[stars[0] + 1:]
        seen, given = value.args[stars[0]], plain.args[stars[0]]
        kind = self.typer.kind(seen.value)
        if not isinstance(kind, (kinds.ListKind, kinds.Array)) or not kinds.can_vary(kind):
            return None
        if function in (max, min) and len(plain.args) == 1 and not plain.keywords:
            return [], self.calling(plain.func, plain, [given.value])
        if function is math.hypot and len(plain.args) == 1:
            # The length of a vector from zero, which math computes as it does this.
            first: list[gast.stmt] = []
            whole = given.value if isinstance(given.value, gast.Name) \
                else self.named(first, "vector", given.value)
            zeros = syntax.binary(gast.List([syntax.constant(0.0)], gast.Load()), "*", syntax.call(
                self.inject(len, "len"), load(whole.id)))
            zeros = self.named(first, "zeros", zeros)
            return self.normal(first, plain), self.calling(
                self.inject(math.dist, "dist"), plain, [whole, zeros])
        if function is itertools.chain and len(plain.args) == 1:
            return [], self.calling(self.inject(itertools.chain.from_iterable, "chain_of_all"),
                                    plain, [given.value])
        count = positional_count(function) \
            if receiver is None and registry.lookup(function) else None
        if count is not None:
            parameters = gast.arguments([f"x{k}" for k in range(count)], [], None, [], [], None, [])
        elif isinstance(function, LocalFunction):
            parameters = function.tree.args
        elif not registry.is_library(function) and isinstance(
                made := _maker(function), types.FunctionType):
            code = made.__code__
            parameters = gast.arguments(
                list(code.co_varnames[made is not function:code.co_argcount]), [],
                "rest" if code.co_flags & inspect.CO_VARARGS else None, [], [], None,
                list(made.__defaults__ or ()))
        else:
            return None
        taken = {k.arg for k in plain.keywords}
        free = list(itertools.takewhile(lambda p: getattr(p, "id", p) not in taken,
                                        parameters.posonlyargs + parameters.args))
        left = len(free) - len(plain.args) + 1 - (receiver is not None)
        defaults: list[Any] = list(function.defaults) if isinstance(function, LocalFunction) \
            else parameters.defaults[:len(parameters.defaults) - len(parameters.args) + len(free)]
        defaults = defaults[-left:] if left > 0 and not behind else defaults
        if behind and (defaults or parameters.vararg is not None or left < 1):
            return None
        if left < 1 and receiver is None and isinstance(function, types.FunctionType):
            twin = _for_a_list(function)
            if twin is not None:
                self.context.inliner.read(function)     # whose code is looked at before each call
                return self.handed_as_list(plain, twin, len(free))
        if parameters.vararg is not None or left < 1 or (defaults and (
                isinstance(function, LocalFunction)
                or not all(type(default) in PLAIN for default in defaults))):
            raise self.context.refuse(
                plain, "how many arguments this passes is not known before the call",
                "pass the list itself, as one argument")
        first_free = len(before) + (receiver is not None)
        names = [self.context.names.fresh(name if defaults else "part")
                 for name in free[first_free:first_free + left]]
        if defaults:
            first = self.normal(self.as_many_as_there_are(given.value, names, defaults, function),
                                plain)
        else:
            target = syntax.tuple_of(map(syntax.store, names), gast.Store())
            first = [gast.Assign([target], given.value, None)]
            if not isinstance(given.value, gast.Name):
                first = self.normal(first, plain)
        return first, self.calling(plain.func, plain, [*before, *map(load, names), *behind],
                                   plain.keywords)

    def handed_as_list(self, plain: gast.Call, twin: types.FunctionType, count: int) -> Written:
        """The call of a function with `*args` as one of its twin, which takes a list; count: how
        many parameters stand in front."""
        *given, star = plain.args
        whole = star.value
        more = given[count:]
        first: list[gast.stmt] = []
        if more:
            whole = self.named(first, "items", gast.List([*more, star], gast.Load()))
            first = self.normal(first, plain)
        return first, self.calling(self.inject(twin, twin.__name__), plain,
                                   [*given[:count], whole])

    def as_many_as_there_are(self, given: gast.expr, names: list[str], defaults: list[Any],
                             function: Any) -> list[gast.stmt]:
        """Statements that bind each name to an item of what is given, or to its default where there
        are not so many items."""
        first: list[gast.stmt] = []
        whole = given if isinstance(given, gast.Name) else self.named(first, "parts", given)
        count = syntax.call(self.inject(len, "len"), load(whole.id))
        error = syntax.call(self.inject(TypeError, "TypeError"), syntax.constant(
            f"{function.__name__} takes at most {len(names)} more arguments"))
        first.append(gast.If(gast.Compare(count, [gast.Gt()], [syntax.constant(len(names))]),
                             [gast.Raise(error, None)], []))
        for k, name in enumerate(names):
            item: gast.expr = syntax.subscript(load(whole.id), syntax.constant(k))
            number = k - len(names) + len(defaults)
            if number >= 0:
                item = gast.IfExp(gast.Compare(syntax.copy(count), [gast.Gt()],
                                               [syntax.constant(k)]),
                                  item, syntax.constant(defaults[number]))
            first.append(syntax.assign(name, item))
        return first


def _for_a_list(function: types.FunctionType) -> types.FunctionType | None:
    """The twin of a function that takes a list in place of `*args`, if it only asks for items of
    them; None if there is none."""
    code = function.__code__
    if not code.co_flags & inspect.CO_VARARGS or code.co_flags & inspect.CO_VARKEYWORDS \
            or registry.is_library(function):
        return None
    twin = without_stars(function)
    if twin is function:
        return None
    source = source_of(twin)
    bound = {node.id for node in syntax.names_in(source.tree)
             if not isinstance(node.ctx, gast.Load)}
    typer = Typer({}, lambda name: NO_OBJECT if name in bound else meaning(source, name))
    name = code.co_varnames[code.co_argcount]
    return twin if asks_only_items(source.tree, name, 1, typer.object_of) else None


def _maker(function: Any) -> Any:
    """What gets the arguments of a call: of a class, that which makes its objects."""
    made: Any = function
    if not isinstance(function, type):
        return made
    return made.__new__ if is_named_tuple(made) else made.__init__
