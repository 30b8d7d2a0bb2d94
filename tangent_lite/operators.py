"""Differential operators made of the two modes: jvp, linearize, jacobians, hessians and products.

    jacfwd    the push forwards of all elements of the argument, in one pass where it can be
    jacrev    the pull backs of all elements of the result, likewise
    hessian   forward over reverse
    hvp       one push forward of the gradient
"""
from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from tangent_lite import trees
from tangent_lite.api import GradientFunction, derivative
from tangent_lite.api.reading import annotations_of, called
from tangent_lite.calling.divided import DIVIDED
from tangent_lite.calling.read_outside import Then, read_outside
from tangent_lite.calling.request import Request, left_out, no_options
from tangent_lite.calling.sharing import detached
from tangent_lite.directions import called_inside
from tangent_lite.directions.acting import acts
from tangent_lite.directions.given import direction
from tangent_lite.directions.jacobians import Rows, columns, size_of, source_of_columns
from tangent_lite.directions.linearized import Linearized
from tangent_lite.errors import (
    AliasError,
    InputError,
    MissingRuleError,
    OutputError,
    TangentError,
    UnsupportedSyntaxError,
)
from tangent_lite.leaves import is_leaf, leaves, replaced
from tangent_lite.modules import module_of
from tangent_lite.runtime.duck import is_duck
from tangent_lite.runtime.tangents import zero_tangent
from tangent_lite.tracebacks import direct
from tangent_lite.written import pickling


# Along a direction ----------------------------------------------------------------------------
@direct
def jvp(fun: Any, primals: Any, tangents: Any, debug: str | None = None) -> tuple[Any, Any]:
    """The value of a function and its derivative along a direction: (y, dy).

    primals: the arguments, a tuple; tangents: for each argument its tangent, with the structure
    and shapes of the argument; None for what does not vary (text, integers, callables, and
    whatever is held fixed). dy has the structure and shapes of y, with None for what cannot vary.
    debug: see grad.

    Raises InputError where a tangent does not fit its argument, and what grad raises for a function
    that cannot be differentiated.
    """
    primals, tangents = _tuple(primals, "primals"), _tuple(tangents, "tangents")
    if len(primals) != len(tangents):
        raise InputError(f"jvp needs a tangent for each of the {len(primals)} primals, not "
                         f"{len(tangents)}", None, "pass None for what does not vary")
    request = _pushing(fun, ()).request
    request.bind(primals, {})                           # its errors say what is wrong with them
    given = {k: one for k, one in _by_parameter(request, tangents).items()
             if k == request.star or _moves(one, primals[k], k)}
    return _pushing(fun, tuple(given), debug).push_forward(primals, list(given.values()))


def _by_parameter(request: Request, tangents: tuple[Any, ...]) -> dict[int, Any]:
    """The tangents that are not None, by the numbers of parameters: a tuple for one with a star."""
    star = request.star
    given = {k: one for k, one in enumerate(tangents[:star]) if one is not None}
    if star is not None and any(one is not None for one in tangents[star:]):
        given[star] = tuple(tangents[star:])
    return given


def _moves(tangent: Any, primal: Any, number: int) -> bool:
    """Whether a primal may vary; if not, its tangent may only be zero."""
    if any(True for _ in leaves(primal)):
        return True
    direction(tangent, primal, f"primal {number}")
    return False


def _tuple(given: Any, what: str) -> tuple[Any, ...]:
    if not isinstance(given, (tuple, list)):
        raise InputError(f"jvp takes its {what} as a tuple, not as {type(given).__name__}", None,
                         f"write ({what[:-1]},) for one")
    return tuple(given)


def _pushing(fun: Any, wrt: Any, debug: str | None = None) -> GradientFunction:
    """The derivative that takes primals, then tangents of those that wrt names."""
    return derivative("jvp", fun, wrt, True, debug)


@functools.lru_cache(256)
def _last_first(fun: Any, wrt: Any, count: int) -> list[Any]:
    """What _pushing_first made last, with the defaults that it rests on."""
    return []


def _pushing_first(fun: Any, wrt: Any, count: int) -> GradientFunction:
    """The same of a function that is called with so many primals: the others are as they are by
    default, for what follows the primals are tangents."""
    rest = left_out(fun, count)
    last = _last_first(fun, wrt, count)
    if not last or last[0].keys() != rest.keys() or any(
            value is not last[0][name] for name, value in rest.items()):
        last[:] = rest, _pushing(functools.partial(fun, **rest) if rest else fun, wrt)
    return last[1]


# How calls of them are read where they stand in code that is differentiated itself.
_pushing.makes_derivative = "function"                              # type: ignore[attr-defined]
_pushing.of = functools.lru_cache(256)(_pushing)                    # type: ignore[attr-defined]
_pushing_first.makes_derivative = "function"                        # type: ignore[attr-defined]
_pushing_first.of = _pushing_first                                  # type: ignore[attr-defined]
jvp.makes_derivative = "pushed"                                     # type: ignore[attr-defined]
jvp.pushing, jvp.pushing_first = _pushing, _pushing_first           # type: ignore[attr-defined]


@direct
def linearize(fun: Any, *primals: Any) -> tuple[Any, Callable[..., Any]]:
    """The value of a function at primals, and the linear map from tangents to that of the value.

    The map takes one tangent per primal, as jvp does, and does not run the function again: it is
    the transpose of the pullback. Where that cannot be written as formulas (functions that are
    followed by identity, those with hooks) it is one run with tangents at each call.
    """
    request = _pushing(fun, ()).request
    request.bind(primals, {})                                   # its errors say what is wrong
    primals = detached(primals, trees.arrays_in(primals))       # they may change before it is used
    linear: Linearized | None = None
    with contextlib.suppress(UnsupportedSyntaxError, MissingRuleError, AliasError, *DIVIDED):
        made = Linearized(derivative("vjp", fun, None, True), primals, {})
        if made.is_worth_it and made.transposed:    # where it divides by zero, it does so now
            linear = made
    if linear is None:
        moving = tuple(_by_parameter(request, tuple(
            one if any(True for _ in leaves(one)) else None for one in primals)))
        forward = _pushing(fun, moving)
        variant, values = forward.variant_for(primals, {})
        push = forward.pushing(variant)
        then = Then(read_outside(variant.request.function), called(fun)).with_contents()
        value = push(values, [None] * len(moving))[0]

    @direct
    def along(*tangents: Any) -> Any:
        if len(tangents) != len(primals):
            raise InputError(f"the linear map of {called(fun)} takes {len(primals)} tangents, not "
                             f"{len(tangents)}", None, "pass None for what does not vary")
        given = {k: one for k, one in _by_parameter(request, tangents).items()
                 if k == request.star or _moves(one, primals[k], k)}
        if linear is None:
            then.check()
        else:
            return linear.along({request.visible[k]: one for k, one in given.items()})
        return push(values, [given.get(k) for k in moving])[1]

    return value if linear is None else linear.value, along


linearize.makes_map = "tangents"                                    # type: ignore[attr-defined]


@direct
def elementwise_grad(fun: Any, wrt: Any = 0, **options: Any) -> Operator:
    """The derivative of a function that works element by element, in the shape of its argument.

    For any other function it is the gradient of the sum of the result.
    """
    no_options("elementwise_grad", options)
    return Operator("elementwise_grad", fun, wrt)


@direct
def hvp(fun: Any, wrt: Any = 0, **options: Any) -> Operator:
    """The Hessian of a function times a vector: hvp(fun)(*args, v), without the Hessian itself.

    v has the structure and shapes of what wrt names, and so has the product; for a tuple of names
    both are tuples. The result of the function is one number.
    """
    no_options("hvp", options)
    return Operator("hvp", fun, wrt)


# Matrices -------------------------------------------------------------------------------------
@direct
def jacobian(fun: Any, wrt: Any = 0, *, holomorphic: bool = False,
             **options: Any) -> Operator:
    """The Jacobian: an array with the axes of the result, then those of the argument.

    Of a function from shape (n,) to shape (m,) it has the shape (m, n). A structured result gives
    that structure of Jacobians, each with the structure of the argument; a tuple of names gives a
    tuple. Reverse mode where the result is smaller than the argument,
    else forward mode. The function itself runs once: all directions go through it together, or, if
    what it does has no form for that, one after the other (source_for says which).

    Raises InputError and OutputError where numbers are complex and holomorphic=True is not given.
    """
    no_options("jacobian", options)
    return Operator("jacobian", fun, wrt, holomorphic)


@direct
def jacfwd(fun: Any, wrt: Any = 0, *, holomorphic: bool = False,
           **options: Any) -> Operator:
    """The Jacobian by forward mode, all elements of the argument at once; see jacobian."""
    no_options("jacfwd", options)
    return Operator("jacfwd", fun, wrt, holomorphic)


@direct
def jacrev(fun: Any, wrt: Any = 0, *, holomorphic: bool = False,
           **options: Any) -> Operator:
    """The Jacobian by reverse mode, all elements of the result at once; see jacobian."""
    no_options("jacrev", options)
    return Operator("jacrev", fun, wrt, holomorphic)


@direct
def hessian(fun: Any, wrt: Any = 0, **options: Any) -> Operator:
    """The Hessian of a function whose result is a number: forward mode over reverse mode.

    Its axes are those of the argument twice: (n, n) for an argument of shape (n,). A tuple of names
    gives a tuple of tuples.
    """
    no_options("hessian", options)
    return Operator("hessian", fun, wrt)


@functools.lru_cache(256)
def _operator_of(kind: str, fun: Any, wrt: Any = 0, holomorphic: bool = False) -> Operator:
    """What a call of one of them makes, where it stands in code that is differentiated."""
    return Operator(kind, fun, wrt, holomorphic)


# How calls of them are read there: see directions/called_inside.py; by identity heap/columns.py.
for _operator in (jacobian, jacfwd, jacrev, hessian, elementwise_grad, hvp):
    _operator.makes_derivative = (                              # type: ignore[union-attr]
        "product" if _operator is hvp else "function")
    _operator.of = functools.partial(                           # type: ignore[union-attr]
        _operator_of, _operator.__name__)


# What to do about complex arguments, where there is no holomorphic=True to be asked for.
_OF_COMPLEX_NUMBERS = {"hessian": "use hvp, or take real and imaginary parts as arguments"}


class Operator:
    """A differential operator applied to a function: call it with the function's arguments."""

    of_columns = True       # a call of it in code that is differentiated: see heap/columns.py
    # The variant, and how many numbers varied, where a Jacobian went forward last: it does so again
    # without a run that says how large the value is.
    _went_forward: tuple[Any, int] | None = None

    def __init__(self, kind: str, fun: Any, wrt: Any, holomorphic: bool = False) -> None:
        self.kind, self.primal, self.wrt, self.holomorphic = kind, fun, wrt, holomorphic
        self.__name__ = self.__qualname__ = f"{called(fun)}_{kind}"
        self.__doc__ = getattr(fun, "__doc__", None)
        self.__module__ = module_of(fun) or __name__
        self.__annotations__ = annotations_of(fun)
        assert self._forward is not None                # what is wrong with wrt is told at once

    @functools.cached_property
    def _forward(self) -> GradientFunction:
        fun = self.primal
        if self.kind in ("hessian", "hvp"):
            # The gradient itself need not be computed.
            return derivative("tangent", derivative("grad", fun, self.wrt), self._names, True)
        return _pushing(fun, self._names)

    @functools.cached_property
    def _reverse(self) -> GradientFunction:
        return derivative("vjp", self.primal, self._names, True)

    @property
    def key(self) -> tuple[Any, ...]:
        """What operators that are alike have in common."""
        return (self.kind, self.holomorphic, self._forward.key)

    @property
    def _names(self) -> tuple[Any, ...]:
        return self.wrt if isinstance(self.wrt, tuple) else (self.wrt,)

    @property
    def __globals__(self) -> dict[str, Any]:
        return self._forward.__globals__

    @property
    def __signature__(self) -> Any:
        """That of the function; of hvp with a vector, or one for each name."""
        import inspect
        signature = self._forward.request.signature
        if self.kind != "hvp":
            return signature
        by_position = inspect.Parameter.POSITIONAL_OR_KEYWORD
        given = [p.replace(kind=by_position, default=p.empty)
                 for p in signature.parameters.values()]
        vector = next(name for name in ("v", "vector", "vector_")
                      if name not in signature.parameters)
        return inspect.Signature([*given, inspect.Parameter(vector, by_position)])

    @property
    @direct
    def source(self) -> str:
        """The source of the derivative that is run for each element."""
        if self.kind in ("jacrev", "elementwise_grad"):
            return self._reverse.source
        return self._forward.source

    @direct
    def source_for(self, *args: Any, **keywords: Any) -> str:
        """The source that runs for such arguments (of hvp without the vector).

        Of Jacobians and Hessians it takes all directions in one pass; where the code has no form
        for that, a comment says why, and the source is that for one direction.
        """
        if self.kind in ("hvp", "elementwise_grad"):
            one = self._forward if self.kind == "hvp" else self._reverse
            return one.source_for(*args, **keywords)
        if self.kind == "jacrev" or (self.kind == "jacobian" and self._goes_back(args, keywords)):
            return Rows(self._reverse, args, keywords).source()
        return source_of_columns(self._forward, args, keywords)

    @direct
    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return getattr(self, f"_{self.kind}")(args, keywords)

    # The kinds ----------------------------------------------------------------------------------
    def _elementwise_grad(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        value, pullback = self._reverse.pull_back(args, keywords)
        found = pullback(replaced(value, _ones_like, zero_tangent))
        return found if isinstance(self.wrt, tuple) else found[0]

    def _hvp(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        if not args:
            raise InputError(f"{self.__name__} takes the arguments of the function and a vector",
                             None, f"call it as {self.__name__}(x, v)")
        *args_, vector = args
        try:
            self._forward.request.signature.bind(*args_, **keywords)
        except TypeError as error:
            raise InputError(f"{self.__name__} takes the arguments of the function and a vector: "
                             f"{error}", None, "pass the vector last") from None
        vectors = vector if isinstance(self.wrt, tuple) else (vector,)
        if not isinstance(vectors, tuple) or len(vectors) != len(self._names):
            raise InputError(f"{self.__name__} needs a tuple of {len(self._names)} vectors")
        return self._forward.push_forward(tuple(args_), list(vectors), keywords)

    # Where it is called in code that is differentiated ----------------------------------------
    def kinds_of_call(self, args: list[Any], keywords: dict[str, Any]) -> Any:
        """The kinds of the parameters of the primal at a call; None if they do not fit."""
        return called_inside.kinds_of_call(self, args, keywords)

    def emitted_for(self, call: Any) -> Callable[..., Any]:
        """The function for arguments of these kinds: Python code, to be read again."""
        return called_inside.emitted_for(self, call)

    def _hessian(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        return self._jacfwd(args, keywords)

    def _goes_back(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> bool:
        """Whether a Jacobian is taken by reverse mode: it has fewer rows than columns."""
        given = size_of(self._forward.arguments(args, keywords))
        if given <= 1:
            return False
        try:
            value = Rows(self._reverse, args, keywords).value
        except TangentError:
            return False
        return size_of(value) < given and not any(map(np.iscomplexobj, leaves(value)))

    def _jacobian(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        given = size_of(self._forward.arguments(args, keywords))
        if given <= 1:
            try:
                return self._jacfwd(args, keywords)
            except TangentError:
                return self._jacrev(args, keywords)
        if self._went_forward is not None:
            with contextlib.suppress(TangentError):
                variant, _ = self._reverse.variant_for(args, keywords)
                if (variant, given) == self._went_forward:
                    return self._jacfwd(args, keywords)
        self._went_forward = None
        try:
            rows = Rows(self._reverse, args, keywords)
        except TangentError:
            return self._jacfwd(args, keywords)
        is_complex = any(map(np.iscomplexobj, leaves(rows.value)))
        if not is_complex and (size_of(rows.value) < given or rows.variant.by_identity
                               or acts(rows.variant.derivative)):       # it has run already
            return self._rows(rows)
        try:
            found = self._jacfwd(args, keywords)
        except TangentError:
            if is_complex:
                raise
            return self._rows(rows)
        if not is_complex:
            self._went_forward = (rows.variant, given)
        return found

    def _jacfwd(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        arguments = self._forward.arguments(args, keywords)
        self._check_complex(arguments)
        value, tables = columns(self._forward, args, keywords)
        self._check_holomorphic(arguments, value)
        parts = iter(tables)
        return replaced(value, lambda part: self._of_arguments(
            arguments, np.moveaxis(next(parts), 0, -1), np.shape(part)))

    def _jacrev(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        return self._rows(Rows(self._reverse, args, keywords))

    def _rows(self, rows: Rows) -> Any:
        """The Jacobian, a row for each element of the result."""
        self._check_complex(rows.arguments)
        if not self.holomorphic and any(np.iscomplexobj(leaf) for leaf in leaves(rows.value)):
            raise OutputError(f"{called(self.primal)} returns complex numbers, whose derivative "
                              "reverse mode does not give", None, "use jacfwd")
        self._check_holomorphic(rows.arguments, rows.value)
        count = size_of(rows.value)
        every = np.concatenate([table.reshape(count, int(np.prod(table.shape[1:])))
                                for table in rows.tables()], axis=1)
        start = 0

        def of_part(part: Any) -> Any:
            nonlocal start
            size = int(np.size(part))
            mine, start = every[start:start + size], start + size
            return self._of_arguments(rows.arguments, mine.reshape(
                (*np.shape(part), mine.shape[1])), np.shape(part))

        return replaced(rows.value, of_part)

    def _of_arguments(self, arguments: Any, table: np.ndarray, shape: tuple[int, ...]) -> Any:
        """The last axis of a table, cut into the structure of the arguments."""
        start = 0

        def cut(leaf: Any) -> Any:
            nonlocal start
            size = int(np.size(leaf))
            part = table[..., start:start + size].reshape((*shape, *np.shape(leaf)))
            start += size
            if part.shape == () and not isinstance(leaf, np.ndarray):
                return part[()].item()
            return part.copy()

        found = replaced(arguments, cut)
        return found if isinstance(self.wrt, tuple) else found[0]

    def _check_complex(self, arguments: Any) -> None:
        if not self.holomorphic and any(np.iscomplexobj(leaf) for leaf in leaves(arguments)):
            raise InputError(f"{called(self.primal)}: the argument is complex", None,
                             _OF_COMPLEX_NUMBERS.get(self.kind, "write holomorphic=True for the "
                                                                "complex derivative"))

    def _check_holomorphic(self, arguments: Any, value: Any) -> None:
        """Real parts of results have no complex derivative.

        That of |z|^2 would be the gradient by reverse mode, the slope along the real axis by
        forward mode.
        """
        if (self.holomorphic and any(np.iscomplexobj(leaf) for leaf in leaves(arguments))
                and not all(map(np.iscomplexobj, leaves(value)))):
            raise OutputError(f"{called(self.primal)} returns real numbers, which have no complex "
                              "derivative with respect to complex ones", None,
                              "use grad, or vjp, for the gradient")

    def save(self, path: Any, *args: Any, **keywords: Any) -> None:
        """Refused: what is called is several runs of a derivative, and no function to write."""
        raise TangentError(f"a {self.kind} cannot be written to a file: it is put together of "
                           "several runs of a derivative", None,
                           "save the derivative along a direction, "
                           "tl.grad(lambda x, v: np.sum(tl.grad(f)(x) * v)), or the gradient")

    # Looking ------------------------------------------------------------------------------------
    def __repr__(self) -> str:
        wrt = f", wrt={self.wrt!r}" if self.wrt != 0 else ""
        return f"<{self.kind}({called(self.primal)}{wrt})>"

    def __reduce__(self) -> Any:
        return pickling.reduced(_made, self.primal, (self.kind, self.wrt, self.holomorphic))


def _made(primal: Any, kind: str, *asked: Any) -> Operator:
    return Operator(kind, primal, *asked)


def _ones_like(leaf: Any) -> Any:
    assert is_leaf(leaf)
    return np.ones_like(leaf) if isinstance(leaf, np.ndarray) or is_duck(leaf) else 1.0
