"""The emitted functions of a function that brings its own derivative (see custom.py).

    def f_fwd(x, k):                    def f_bwd(saved, bf):
        y = f(x, k)                         x, k, y = saved
        return y, (x, k, y)                 bx, bk = f_adjoint(y, x, k, bf)
                                            return own_part(bx, x, "x", "model.py", 9), ...

Where only the other of adjoint and tangent is there, it is transposed: it is linear in what comes
last, so that its own pair, at any point, is its transpose.
"""
from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import kinds
from tangent_lite.functions.custom import OwnDerivative
from tangent_lite.functions.units import Pair, Unit
from tangent_lite.kinds import Kind
from tangent_lite.names import Names
from tangent_lite.runtime import zeros_like
from tangent_lite.runtime.custom import own_part, own_tangent_of
from tangent_lite.runtime.tangents import zero_tangent
from tangent_lite.source import Source, source_of, whereabouts

MakePair = Callable[[Any, dict[str, Kind], tuple[str, ...]], Pair]


def own_pair(function: Any, own: OwnDerivative, parameter_kinds: dict[str, Kind], result: Kind,
             active: tuple[str, ...], pair: MakePair) -> list[Unit]:
    """Both halves; active: the parameters whose adjoints are asked for; pair: makes pairs."""
    text = _Text(function, own.adjoint or own.tangent)
    names = list(parameter_kinds)
    y, every = text.names.fresh("y"), ", ".join(names)
    saved, seed = text.names.fresh("saved"), text.names.fresh(f"b{text.name}")
    forward = text.unit(f"{text.name}_fwd", f"""
        def f({every}):
            {y} = {text.spell(function, text.name)}({every})
            return {y}, ({every}, {y})
        """, f"Value of {text.where} and what its backward pass needs.")
    title = f"Backward pass of {text.where}: adjoints of {', '.join(active)}, as it says."
    adjoints = {n: text.names.fresh(f"b{n}") for n in names}
    if own.adjoint is not None:
        called = text.spell(own.adjoint, f"{text.name}_adjoint")
        lines = [f"{', '.join(adjoints.values())} = {called}({y}, {every}, {seed})"]
        parts = [text.checked(own_part, f"{adjoints[n]}, {n}, {n!r}") for n in active]
    else:
        given, moving = _parameters(own.tangent), []
        tangents = {}
        for name, d in zip(names, given[1 + len(names):]):
            tangents[name] = f"{text.spell(zeros_like, 'zeros_like')}({name})" if name in active \
                else f"{text.spell(zero_tangent, 'zero_tangent')}({name})"
            moving += [d] if name in active else []
        known = [result, *parameter_kinds.values(),
                 *(parameter_kinds[n] if n in active else kinds.UNKNOWN for n in names)]
        made = pair(own.tangent, dict(zip(given, known)), tuple(moving))
        kept = text.names.fresh("tangent_saved")
        lines = [f"_, {kept} = {text.spell(made.forward, made.forward.name)}"
                 f"({y}, {every}, {', '.join(tangents.values())})",
                 f"{', '.join(adjoints[n] for n in active)} = "
                 f"{text.spell(made.backward, made.backward.name)}({kept}, {seed})"]
        parts = [adjoints[n] for n in active]
    body = "\n            ".join([f"{every}, {y} = {saved}", *lines])
    backward = text.unit(f"{text.name}_bwd", f"""
        def f({saved}, {seed}):
            {body}
            return {', '.join(parts)}
        """, title)
    return [forward, backward]


def own_jvp(function: Any, own: OwnDerivative, parameter_kinds: dict[str, Kind], result: Kind,
            varying: tuple[str, ...], pair: MakePair) -> Unit:
    """`f_jvp(x, k, dx)`; varying: the parameters that have tangents."""
    text = _Text(function, own.tangent or own.adjoint)
    names = list(parameter_kinds)
    y, every = text.names.fresh("y"), ", ".join(names)
    along = {n: text.names.fresh(f"d{n}") for n in varying}
    tangents = [along.get(n) or f"{text.spell(zero_tangent, 'zero_tangent')}({n})" for n in names]
    lines = [f"{y} = {text.spell(function, text.name)}({every})"]
    if own.tangent is not None:
        called = text.spell(own.tangent, f"{text.name}_tangent")
        found = text.checked(own_tangent_of, f"{called}({y}, {every}, {', '.join(tangents)}), {y}")
    else:
        given = _parameters(own.adjoint)
        known = [result, *parameter_kinds.values(), result]
        made = pair(own.adjoint, dict(zip(given, known)), (given[len(names) + 1],))
        kept = text.names.fresh("adjoint_saved")
        lines.append(f"_, {kept} = {text.spell(made.forward, made.forward.name)}({y}, {every}, "
                     f"{text.spell(zeros_like, 'zeros_like')}({y}))")
        seed = tangents[0] if len(names) == 1 else f"({', '.join(tangents)})"
        found = f"{text.spell(made.backward, made.backward.name)}({kept}, {seed})"
    body = "\n            ".join([*lines, f"return {y}, {found}"])
    unit = text.unit(f"{text.name}_jvp", f"""
        def f({', '.join([every, *along.values()])}):
            {body}
        """, f"Value of {text.where} and its derivative along {', '.join(along.values())}, as it "
             "says.")
    unit.defaults = ()
    return unit


class _Text:
    """Emitted functions that are short enough to be written as text."""

    def __init__(self, function: Any, definition: Any) -> None:
        self.source, self.definition = source_of(function), source_of(definition)
        self.name = function.__name__ if function.__name__.isidentifier() else "lambda_"
        self.where = whereabouts(self.source)
        self.parameters = set(inspect.signature(function).parameters)
        self.names = Names({self.name, "_", *self.parameters})
        self.external: dict[str, Any] = {}

    def spell(self, thing: Any, wish: str) -> str:
        """A name for an object: the user's own, where it stands in the module."""
        for name, known in self.external.items():
            if known is thing:
                return name
        own = getattr(thing, "__name__", "")
        if self.source.globals.get(own) is thing and own not in self.parameters:
            self.names.take([own])
            return own
        name = wish if wish == self.name else self.names.fresh(wish)
        self.external[name] = thing
        return name

    def checked(self, helper: Any, arguments: str) -> str:
        """A call of a helper that tells where the user's definition stands."""
        name = self.spell(helper, helper.__name__)
        return f"{name}({arguments}, {self.definition.file!r}, {self.definition.tree.lineno})"

    def unit(self, name: str, text: str, title: str) -> Unit:
        tree = gast.parse(inspect.cleandoc(text)).body[0]
        spot = (self.definition.tree.lineno, _other(self.definition, self.source))
        for node in gast.walk(tree):
            for attribute in ("lineno", "end_lineno", "col_offset", "end_col_offset"):
                node.__dict__.pop(attribute, None)
            if isinstance(node, gast.stmt):
                node.spot = spot
        tree.name = name
        tree.body.insert(0, gast.Expr(gast.Constant(title, None)))
        read = {n.id for n in gast.walk(tree) if isinstance(n, gast.Name)}
        return Unit(name, tree, self.source,
                    {n: thing for n, thing in self.external.items() if n in read}, ())


def _other(definition: Source, source: Source) -> Source | None:
    return None if definition is source else definition


def _parameters(function: Any) -> list[str]:
    return list(inspect.signature(function).parameters)
