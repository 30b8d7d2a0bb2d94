"""Jacobians, Hessians and products with vectors where differentiated code calls them: as functions
that are read like any other.

    tl.hessian(f)(x)    =>      def f_hessian(x):
                                    unit = np.eye(x.size, dtype=x.dtype)
                                    slopes = f_grad_tangent_batch(x, unit, 1.0)
                                    return np.moveaxis(slopes, 0, -1)

What takes all directions in one pass (`directions/batched`) is Python, so the derivative of a
Hessian is that of a few products of matrices. Where the code has no form for batches, the
directions are taken one after the other. What varies is a number or an array of floats, or a tuple,
list or dict of these with known parts; anything else is refused by name, and left to those who
follow it by identity (`heap/columns`).
"""
from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from tangent_lite import kinds
from tangent_lite.api import GradientFunction, derivative
from tangent_lite.directions import batched
from tangent_lite.directions.spelled_leaves import Leaf, Marks, Spelling
from tangent_lite.errors import TangentError, UnsupportedSyntaxError
from tangent_lite.kinds import Kind
from tangent_lite.names import Names
from tangent_lite.runtime.batches import row_by_row
from tangent_lite.variant import Variant
from tangent_lite.written.whole import written


class Call(dict[str, Kind]):
    """The kinds of the parameters of the primal at a call, by name; given: those of them that the
    call gives, in turn; vector: the kind of what stands behind them, for a product."""

    def __init__(self, found: dict[str, Kind], given: list[str], vector: Kind | None) -> None:
        super().__init__(found)
        self.given, self.vector = given, vector


def kinds_of_call(operator: Any, args: list[Kind],
                  keywords: dict[str, Kind]) -> Call | None:
    """The kinds of the parameters of the primal, from those of the arguments of a call of the
    operator; None if they do not fit."""
    forward = operator._forward
    if forward.request.bound or forward.request.has_stars or forward.request.keyword_only:
        return None
    forward.request.with_defaults_of_now()
    vector = None
    if operator.kind == "hvp":
        if not args:
            return None
        *args, vector = args
    try:
        bound = forward.request.signature.bind(*args, **keywords).arguments
    except TypeError:
        return None
    call = Call({name: bound.get(name) or kinds.kind_of(parameter.default) for name, parameter
                 in forward.request.signature.parameters.items()}, list(bound), vector)
    # What is not known yet may be known once all of the function has been looked at.
    return None if any(map(_is_open, (*call.values(), vector or kinds.NOTHING))) else call


def _is_open(kind: Kind) -> bool:
    if isinstance(kind, kinds.Array):
        return kind.dtype is None or kind.ndim is None
    return kind == kinds.UNKNOWN or kind is kinds.PENDING or isinstance(kind, kinds.Numeric) \
        or any(map(_is_open, kinds.parts(kind)))


def emitted_for(operator: Any, call: Call) -> Callable[..., Any]:
    """The function for arguments of these kinds.

    Raises UnsupportedSyntaxError for what has no such form, and what the derivatives raise that it
    is made of.
    """
    return _MAKING.get(operator.kind, _Columns)(operator, call).found()


def _refused(operator: Any, why: str) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(f"this {operator.kind} is taken with respect to {why}", None,
                                  "take grad, jvp or hvp there")


# The functions ----------------------------------------------------------------------------------
class _Making:
    """A function for one call of an operator."""

    def __init__(self, operator: Any, call: Call) -> None:
        self.operator, self.call = operator, call
        self.names = Names(call)
        self.spelling = Spelling(lambda why: _refused(operator, why), self.names)
        request = operator._forward.request
        self.paths = request.paths()
        if any(len(path) > 1 for path in self.paths):
            raise _refused(operator, "an attribute")
        self.moving = [path[0] for path in self.paths]
        self.lines: list[str] = []
        defaults = {k: p.default for k, p in request.signature.parameters.items()}
        # What a call leaves out is what it is by default.
        self.given = {name: name if name in call.given else
                      self.spelling.named(defaults[name], f"default_{name}") for name in call}

    @property
    def derivative(self) -> GradientFunction:
        """What is called for each direction."""
        return self.operator._forward

    def found(self) -> Any:
        """The function; the one that was made before, if that still holds: what is one function is
        read once."""
        variant = self.variant()
        left_out = [thing for thing in self.spelling.space.values() if thing is not np]
        key = ("inside", self.operator.kind, repr(self.operator.wrt), self.operator.holomorphic,
               tuple(self.call.given), len(kinds.parts(self.call.vector or kinds.NOTHING)),
               *map(id, left_out))
        made, half = variant.batches.get(key, (None, None))
        if made is not None and half is not variant.main:
            at_once = _at_once(variant)
            made = made if at_once is not None and half is at_once.main else None
        if made is None:
            made, half = self.function(variant)
            variant.batches[key] = made, half
        return made

    def arguments(self, variant: Variant, tangents: list[str]) -> str:
        """What the emitted function of a variant is called with."""
        ours = [*self.given.values(), *map(repr, variant.seeds.values()), *tangents]
        return ", ".join(ours[k] for k in variant.order_of_main)

    def forward(self, variant: Variant, value: str, saved: str) -> None:
        """A call of the forward half of a variant."""
        ours = {variant.renamed[name]: text for name, text in self.given.items()}
        ours.update({name: repr(seed) for name, seed in variant.seeds.items()})
        given = ", ".join(ours[name] for name in inspect.signature(variant.main).parameters)
        call = self.spelling.named(variant.main, variant.main.__name__)
        self.lines.append(f"{value}, {saved} = {call}({given})")

    def variant(self) -> Variant:
        """That of what is called for each direction."""
        return self.variant_of(self.derivative)

    def variant_of(self, of: GradientFunction) -> Variant:
        found = of.called_variant(dict(self.call))
        if found.is_pushed or found.by_identity:
            raise _refused(self.operator, "what reverse mode does not read")
        return found

    def function(self, variant: Variant) -> tuple[Any, Any]:
        """The function that is written, and that of the derivative which it calls."""
        raise NotImplementedError

    def written(self, half: Callable[..., Any], more: list[str], sharing: Any) -> Any:
        parameters = ", ".join([*self.call.given, *more])
        name = self.operator.__name__
        if not name.isidentifier():
            name = f"f_{self.operator.kind}"
        body = "\n    ".join(self.lines)
        made: Any = written(name, f"def {name}({parameters}):\n    {body}\n", half,
                            self.spelling.space)
        if sharing.is_needed:
            made.sharing = sharing
        return made, half


def _at_once(variant: Variant) -> batched.Batched | None:
    """What takes all directions of a variant in one pass; None if there is no such thing, or it
    calls a function once for each direction, which cannot be read."""
    try:
        found = batched.pushing(variant)
    except TangentError:
        return None
    return None if any(thing is row_by_row for unit in found.derivative.units
                       for thing in unit.external.values()) else found


class _Product(_Making):
    """`f_hvp(x, v)`: one push forward of the gradient."""

    def function(self, variant: Variant) -> tuple[Any, Any]:
        vector = self.names.fresh("v")
        tangents = [vector]
        if isinstance(self.operator.wrt, tuple):
            if not isinstance(self.call.vector, kinds.TupleKind) \
                    or len(self.call.vector.items) != len(self.moving):
                raise _refused(self.operator, "several parameters, and not given a tuple")
            tangents = [f"{vector}[{k}]" for k in range(len(self.moving))]
        push = self.spelling.named(variant.main, variant.main.__name__)
        self.lines.append(f"return {push}({self.arguments(variant, tangents)})")
        return self.written(variant.main, [vector], variant.sharing)


class _Elementwise(_Making):
    """`f_elementwise_grad(x)`: the pull back of ones."""

    @property
    def derivative(self) -> GradientFunction:
        return self.operator._reverse

    def function(self, variant: Variant) -> tuple[Any, Any]:
        value, saved = map(self.names.fresh, ("value", "saved"))
        self.forward(variant, value, saved)
        if not isinstance(variant.derivative.result, (kinds.Number, kinds.Array)):
            raise _refused(self.operator, "a function of which it is not known that it gives a "
                                          "number or an array")
        ones = "1.0" if isinstance(variant.derivative.result, kinds.Number) \
            else f"{self.spelling.np}.ones_like({value})"
        for name in self.moving:
            self.spelling.leaves(self.call[name], name)
        pull = self.spelling.named(variant.backward, variant.backward.__name__)
        is_bare = len(variant.paths) == 1 and isinstance(self.operator.wrt, tuple)
        found = f"{pull}({saved}, {ones})"
        self.lines.append(f"return ({found},)" if is_bare else f"return {found}")
        return self.written(variant.main, [], variant.sharing)


class _Columns(_Making):
    """`f_hessian(x)`, `f_jacobian(x)`: the push forwards along all directions."""

    def __init__(self, operator: Any, call: Call) -> None:
        super().__init__(operator, call)
        if operator.holomorphic:
            raise _refused(operator, "complex numbers")
        self.is_hessian = operator.kind == "hessian"
        self.of_moving = kinds.TupleKind(tuple(call[name] for name in self.moving))
        self.leaves = [leaf for name in self.moving
                       for leaf in self.spelling.leaves(call[name], self.given[name])]
        if not self.leaves:
            raise _refused(operator, "nothing")

    def variant(self) -> Variant:
        """Of a Jacobian of one number the gradient, for that is all of it."""
        found = super().variant()
        is_row = self.operator.kind in ("jacobian", "jacrev") \
            and found.derivative.result == kinds.FLOAT
        return self.variant_of(derivative("grad", self.operator.primal, self.operator.wrt)) \
            if is_row else found

    def function(self, variant: Variant) -> tuple[Any, Any]:
        if variant.request.form == "grad":
            gradient = self.spelling.named(variant.emitted, variant.emitted.__name__)
            self.lines.append(f"return {gradient}({', '.join(self.given.values())})")
            return self.written(variant.main, [], variant.sharing)
        if self.is_hessian:
            result: Kind = self.of_moving if isinstance(self.operator.wrt, tuple) \
                else self.of_moving.items[0]
        else:
            result = variant.derivative.result
        if len(self.leaves) == 1 and self.leaves[0].is_number:
            self.along_a_number(variant, result)
            return self.written(variant.main, [], variant.sharing)
        self.count, unit = map(self.names.fresh, ("count", "unit"))
        sizes = [leaf.size for leaf in self.leaves]
        if len(sizes) == 1:
            self.count = sizes[0]
        else:
            self.lines.append(f"{self.count} = {' + '.join(sizes)}")
        found = _at_once(variant)
        half = self.one_by_one(variant, unit, result) if found is None \
            else self.at_once(variant, found, unit, result)
        return self.written(half, [], variant.sharing)

    def along_a_number(self, variant: Variant, result: Kind) -> None:
        """With respect to one number: the push forward is the derivative."""
        tangents = [self.spelling.like(self.call[name], name, lambda leaf: "1.0")
                    for name in self.moving]
        push = self.spelling.named(variant.main, variant.main.__name__)
        call = f"{push}({self.arguments(variant, tangents)})"
        slope = self.names.fresh("slope")
        self.lines.append(f"{slope} = {call}{'' if self.is_hessian else '[1]'}")
        self.lines.append("return " + self.table(result, slope, lambda leaf, _: leaf.text))

    def directions(self, unit: str, rows: str, front: str) -> list[str]:
        """The unit directions of what moves; rows: how a row or all rows are read of the unit
        matrix; front: the axis of directions."""
        ends = self.ends()

        def part(leaf: Leaf) -> str:
            start, stop = next(spans)
            if leaf.is_number:
                return f"{unit}[{rows}{start}]"
            own = unit + (f"[{rows}{start}:{stop}]" if len(self.leaves) > 1
                          else f"[{rows.removesuffix(', ')}]" if front == "" else "")
            own += self.in_dtype(leaf)
            if leaf.axes == 1:
                return own
            return f"{own}.reshape(({front}*{leaf.text}.shape,))"
        spans = iter(ends)
        return [self.spelling.like(self.call[name], self.given[name], part)
                for name in self.moving]

    def in_dtype(self, leaf: Leaf) -> str:
        return "" if len(self.leaves) == 1 else f".astype({leaf.text}.dtype)"

    def ends(self) -> list[tuple[str, str]]:
        """Where the numbers of each leaf start and stop among all."""
        found, seen = [], list[str]()
        for leaf in self.leaves:
            start = " + ".join(seen) or "0"
            seen.append(leaf.size)
            found.append((start, " + ".join(seen)))
        return found

    def unit(self, unit: str) -> None:
        dtype = f", dtype={self.leaves[0].text}.dtype" if len(self.leaves) == 1 else ""
        self.lines.append(f"{unit} = {self.spelling.np}.eye({self.count}{dtype})")

    def at_once(self, variant: Variant, found: batched.Batched, unit: str, result: Kind) -> Any:
        """All directions in one pass."""
        self.unit(unit)
        push = self.spelling.named(found.main, found.main.__name__)
        tangents = self.directions(unit, ":, ", f"{self.count}, ")
        call = f"{push}({self.arguments(variant, tangents)})"
        slopes, value = map(self.names.fresh, ("slopes", "value"))
        mark = found.derivative.batched
        if self.is_hessian:
            self.lines.append(f"{slopes} = {call}")
        else:
            mark = mark[1] if isinstance(mark, tuple) else mark
            self.lines.append(f"{value}, {slopes} = {call}")
        text = value if not self.is_hessian else self.given[self.moving[0]] \
            if not isinstance(self.operator.wrt, tuple) else self.tuple_of_moving()
        self.lines.append("return " + self.tables(result, slopes, text, mark))
        return found.main

    def tuple_of_moving(self) -> str:
        """A name for the tuple of what moves."""
        name = self.names.fresh("moving")
        self.lines.append(f"{name} = ({', '.join(self.given[one] for one in self.moving)},)")
        return name

    def one_by_one(self, variant: Variant, unit: str, result: Kind) -> Any:
        """The directions one after the other, into tables of their slopes."""
        self.unit(unit)
        push = self.spelling.named(variant.main, variant.main.__name__)
        k, found, value = map(self.names.fresh, ("k", "found", "value"))
        if self.is_hessian:
            text = self.given[self.moving[0]] if not isinstance(self.operator.wrt, tuple) \
                else self.tuple_of_moving()
        else:
            zero = [self.spelling.like(
                self.call[name], self.given[name], lambda leaf: "0.0" if leaf.is_number else
                f"{self.spelling.np}.zeros_like({leaf.text})") for name in self.moving]
            self.lines.append(f"{value} = {push}({self.arguments(variant, zero)})[0]")
            text = value
        tables: list[tuple[str, str]] = []

        def table(leaf: Leaf) -> str:
            name = self.names.fresh("slopes")
            tables.append((name, found + leaf.text.removeprefix(text)))
            shape = f"({self.count},)" if leaf.is_number else f"({self.count}, *{leaf.text}.shape)"
            dtype = ", dtype=complex" if leaf.kind == kinds.COMPLEX else "" if leaf.is_number \
                else f", dtype={leaf.text}.dtype"
            self.lines.append(f"{name} = {self.spelling.np}.zeros({shape}{dtype})")
            return name
        slopes = self.names.fresh("slopes")
        every = self.spelling.like(result, text, table, _RESULTS)
        tangents = self.directions(unit, f"{k}, ", "")
        call = f"{push}({self.arguments(variant, tangents)}){'' if self.is_hessian else '[1]'}"
        self.lines.append(f"for {k} in range({self.count}):")
        self.lines.append(f"    {found} = {call}")
        self.lines += [f"    {name}[{k}] = {part}" for name, part in tables]
        self.lines.append(f"{slopes} = {every}")
        self.lines.append("return " + self.tables(result, slopes, text, True))
        return variant.main

    # What is returned ---------------------------------------------------------------------------
    def tables(self, result: Kind, slopes: str, value: str, mark: Any) -> str:
        """The structure of the result, with that of what moves at each place: slopes, cut."""
        spans = dict(zip((leaf.text for leaf in self.leaves), self.ends()))
        marks = Marks(mark)

        def cell(leaf: Leaf, column: Leaf) -> str:
            if leaf.axes is None or column.axes is None:
                raise _refused(self.operator, "an array whose number of axes is not known")
            shape = [f"*{one.text}.shape" for one in (leaf, column) if not one.is_number]
            path = leaf.text.removeprefix(value)
            if not marks.at(path):
                return f"{self.spelling.np}.zeros(({', '.join(shape)},))" if shape else "0.0"
            start, stop = spans[column.text]
            own = f"{slopes}{path}"
            if column.is_number:
                return f"{own}[{start}]{'' if leaf.is_number else '.copy()'}"
            if len(self.leaves) > 1:
                own += f"[{start}:{stop}]"
            if leaf.axes:
                own = f"{self.spelling.np}.moveaxis({own}, 0, -1)"
            return own if column.axes == 1 else f"{own}.reshape(({', '.join(shape)},))"

        return self.table(result, value, cell)

    def table(self, result: Kind, value: str, cell: Callable[[Leaf, Leaf], str]) -> str:
        def row(leaf: Leaf) -> str:
            cells = [self.spelling.like(self.call[name], self.given[name],
                                        lambda column: cell(leaf, column))
                     for name in self.moving]
            return f"({', '.join(cells)},)" if isinstance(self.operator.wrt, tuple) else cells[0]
        return self.spelling.like(result, value, row, _RESULTS)


_RESULTS = ("float", "complex")
_MAKING: dict[str, Any] = {"hvp": _Product, "elementwise_grad": _Elementwise}
