"""Differential operators made of the two modes: jvp, linearize, jacobians, hessians and products.

    jacfwd    one push forward for each element of the argument
    jacrev    one pull back for each element of the result
    hessian   forward over reverse
    hvp       one push forward of the gradient
"""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from tangent_lite.api import GradientFunction, called, grad
from tangent_lite.directions import direction
from tangent_lite.errors import InputError, OutputError, TangentError
from tangent_lite.leaves import is_leaf, leaves, replaced, unit_directions
from tangent_lite.runtime_tangents import zero_tangent


# Along a direction ----------------------------------------------------------------------------
def jvp(fun: Any, primals: Any, tangents: Any) -> tuple[Any, Any]:
    """The value of a function and its derivative along a direction: (y, dy).

    primals: the arguments, a tuple; tangents: for each argument its tangent, with the structure
    and shapes of the argument; None for what does not vary (text, integers, callables, and
    whatever is held fixed). dy has the structure of y, with None for what cannot vary.

    Raises InputError where a tangent does not fit its argument.
    """
    primals, tangents = _tuple(primals, "primals"), _tuple(tangents, "tangents")
    if len(primals) != len(tangents):
        raise InputError(f"jvp needs a tangent for each of the {len(primals)} primals, not "
                         f"{len(tangents)}", None, "pass None for what does not vary")
    moving = tuple(k for k, one in enumerate(tangents)
                   if one is not None and _moves(one, primals[k], k))
    return _pushing(fun, moving).push_forward(primals, [tangents[k] for k in moving])


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


def _pushing(fun: Any, wrt: Any) -> GradientFunction:
    """The derivative that takes primals, then tangents of those that wrt names."""
    return GradientFunction("jvp", fun, wrt, False, True)


# How calls of them are read where they stand in code that is differentiated itself.
_pushing.makes_derivative = "function"                              # type: ignore[attr-defined]
_pushing.of = functools.lru_cache(256)(_pushing)                    # type: ignore[attr-defined]
jvp.makes_derivative, jvp.pushing = "pushed", _pushing              # type: ignore[attr-defined]


def linearize(fun: Any, *primals: Any) -> tuple[Any, Callable[..., Any]]:
    """The value of a function at primals, and the linear map from tangents to that of the value.

    The map takes one tangent per primal, as jvp does; it runs the function again each time.
    """
    derivatives: dict[tuple[int, ...], GradientFunction] = {}

    def along(*tangents: Any) -> Any:
        if len(tangents) != len(primals):
            raise InputError(f"the linear map of {called(fun)} takes {len(primals)} tangents, not "
                             f"{len(tangents)}", None, "pass None for what does not vary")
        moving = tuple(k for k, one in enumerate(tangents) if one is not None)
        if moving not in derivatives:
            derivatives[moving] = _pushing(fun, moving)
        return derivatives[moving].push_forward(primals, [tangents[k] for k in moving])[1]

    return _pushing(fun, ()).push_forward(primals, [])[0], along


def elementwise_grad(fun: Any, wrt: Any = 0) -> Operator:
    """The derivative of a function that works element by element, as an array of that shape.

    For any other function it is the gradient of the sum of the result.
    """
    return Operator("elementwise_grad", fun, wrt)


def hvp(fun: Any, wrt: Any = 0) -> Operator:
    """The Hessian of a function times a vector: hvp(fun)(*args, v), without the Hessian itself.

    v has the structure of what wrt names; for a tuple of names it is a tuple.
    """
    return Operator("hvp", fun, wrt)


hvp.makes_derivative, hvp.pushing, hvp.gradient = (                 # type: ignore[attr-defined]
    "product", _pushing, grad)


# Matrices -------------------------------------------------------------------------------------
def jacobian(fun: Any, wrt: Any = 0, *, holomorphic: bool = False) -> Operator:
    """The Jacobian: an array with the axes of the result, then those of the argument.

    A structured result gives that structure of Jacobians, each with the structure of the argument;
    a tuple of names gives a tuple. Forward mode where the argument is smaller than the result,
    else reverse mode.
    """
    return Operator("jacobian", fun, wrt, holomorphic)


def jacfwd(fun: Any, wrt: Any = 0, *, holomorphic: bool = False) -> Operator:
    """The Jacobian by forward mode, one run for each element of the argument; see jacobian."""
    return Operator("jacfwd", fun, wrt, holomorphic)


def jacrev(fun: Any, wrt: Any = 0, *, holomorphic: bool = False) -> Operator:
    """The Jacobian by reverse mode, one pass back for each element of the result; see jacobian."""
    return Operator("jacrev", fun, wrt, holomorphic)


def hessian(fun: Any, wrt: Any = 0) -> Operator:
    """The Hessian of a function whose result is a number: forward mode over reverse mode.

    Its axes are those of the argument twice; a tuple of names gives a tuple of tuples.
    """
    return Operator("hessian", fun, wrt)


class Operator:
    """A differential operator applied to a function: call it with the function's arguments."""

    def __init__(self, kind: str, fun: Any, wrt: Any, holomorphic: bool = False) -> None:
        self.kind, self.primal, self.wrt, self.holomorphic = kind, fun, wrt, holomorphic
        self.__name__ = self.__qualname__ = f"{called(fun)}_{kind}"
        self.__doc__ = getattr(fun, "__doc__", None)
        self.__module__ = getattr(fun, "__module__", None) or __name__
        assert self._forward is not None                # what is wrong with wrt is told at once

    @functools.cached_property
    def _forward(self) -> GradientFunction:
        fun = self.primal
        if self.kind in ("hessian", "hvp"):
            fun = GradientFunction("grad", fun, self.wrt, False, False)
        return _pushing(fun, self._names)

    @functools.cached_property
    def _reverse(self) -> GradientFunction:
        return GradientFunction("vjp", self.primal, self._names, False, True)

    @property
    def _names(self) -> tuple[Any, ...]:
        return self.wrt if isinstance(self.wrt, tuple) else (self.wrt,)

    @property
    def source(self) -> str:
        """The source of the derivative that is run for each element."""
        if self.kind in ("jacrev", "elementwise_grad"):
            return self._reverse.source
        return self._forward.source

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return getattr(self, f"_{self.kind}")(args, keywords)

    # The kinds ----------------------------------------------------------------------------------
    def _elementwise_grad(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        value, pullback = self._reverse.pull_back(args, keywords)
        found = pullback(replaced(value, _ones_like, zero_tangent))
        return found if isinstance(self.wrt, tuple) else found[0]

    def _hvp(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        if not args:
            raise InputError(f"{self.__name__} takes the arguments of the function and a vector")
        *args_, vector = args
        try:
            self._forward.request.signature.bind(*args_, **keywords)
        except TypeError as error:
            raise InputError(f"{self.__name__} takes the arguments of the function and a vector: "
                             f"{error}") from None
        vectors = vector if isinstance(self.wrt, tuple) else (vector,)
        if not isinstance(vectors, tuple) or len(vectors) != len(self._names):
            raise InputError(f"{self.__name__} needs a tuple of {len(self._names)} vectors")
        return self._forward.push_forward(tuple(args_), list(vectors), keywords)[1]

    def _hessian(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        return self._jacfwd(args, keywords)

    def _jacobian(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        arguments = self._forward.arguments(args, keywords)
        given = sum(int(np.size(leaf)) for leaf in leaves(arguments))
        try:
            value, pullback = self._reverse.pull_back(args, keywords)
        except TangentError:
            return self._jacfwd(args, keywords)
        made = list(leaves(value))
        if sum(int(np.size(leaf)) for leaf in made) < given and not any(map(np.iscomplexobj, made)):
            return self._rows(value, pullback, arguments)
        try:
            return self._jacfwd(args, keywords)
        except TangentError:
            if any(map(np.iscomplexobj, made)):
                raise
            return self._rows(value, pullback, arguments)

    def _jacfwd(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        arguments = self._forward.arguments(args, keywords)
        self._check_complex(arguments)
        columns: list[list[Any]] = []
        value: Any = None
        for one in unit_directions(arguments):
            value, column = self._forward.push_forward(args, list(one), keywords)
            columns.append(list(leaves(column)))
        if not columns:
            raise InputError(f"{called(self.primal)}: there is nothing to vary in the argument")
        parts = iter(range(1 << 62))

        def of_part(part: Any) -> Any:
            number = next(parts)
            every = np.array([column[number] for column in columns])
            return self._of_arguments(arguments, np.moveaxis(every, 0, -1), np.shape(part))

        return replaced(value, of_part)

    def _jacrev(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        arguments = self._forward.arguments(args, keywords)
        value, pullback = self._reverse.pull_back(args, keywords)
        return self._rows(value, pullback, arguments)

    def _rows(self, value: Any, pullback: Callable[[Any], Any], arguments: Any) -> Any:
        """The Jacobian, a row for each element of the result."""
        self._check_complex(arguments)
        if not self.holomorphic and any(np.iscomplexobj(leaf) for leaf in leaves(value)):
            raise OutputError(f"{called(self.primal)} returns complex numbers, whose derivative "
                              "reverse mode does not give", None, "use jacfwd")
        rows = [np.concatenate([np.ravel(leaf) for leaf in leaves(pullback(one))] or [np.zeros(0)])
                for one in unit_directions(value, zero_tangent)]
        start = 0

        def of_part(part: Any) -> Any:
            nonlocal start
            size = int(np.size(part))
            mine, start = rows[start:start + size], start + size
            width = sum(int(np.size(leaf)) for leaf in leaves(arguments))
            table = np.array(mine).reshape((*np.shape(part), width))
            return self._of_arguments(arguments, table, np.shape(part))

        return replaced(value, of_part)

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
                             "write holomorphic=True for the complex derivative")

    # Looking ------------------------------------------------------------------------------------
    def __repr__(self) -> str:
        wrt = f", wrt={self.wrt!r}" if self.wrt != 0 else ""
        return f"<{self.kind}({called(self.primal)}{wrt})>"

    def __reduce__(self) -> Any:
        return Operator, (self.kind, self.primal, self.wrt, self.holomorphic)


def _ones_like(leaf: Any) -> Any:
    assert is_leaf(leaf)
    return np.ones_like(leaf) if isinstance(leaf, np.ndarray) else 1.0
