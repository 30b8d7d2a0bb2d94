"""Loops over the axes of arrays, written out for a number of dimensions and compiled when used.

Numba has reductions over one axis at most, none with keepdims, and no broadcasting by hand; all of
these are loops over all elements in which some index stands still.
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

Loop = Callable[..., Any]


def normal_axes(axis: Any, ndim: int) -> tuple[int, ...]:
    """The axes that an argument `axis` means, in order; ValueError for one that there is not."""
    if axis is None:
        return tuple(range(ndim))
    given = axis if isinstance(axis, tuple) else (axis,)
    if not all(isinstance(a, int) and -ndim <= a < ndim for a in given):
        raise ValueError(f"axis {axis} of {ndim}")
    return tuple(sorted({a % ndim for a in given}))


def _made(text: str, name: str) -> Loop:
    space: dict[str, Any] = {"np": np, "as_strided": as_strided}
    exec(compile(text, f"<tangent_lite numba {name}>", "exec"), space)
    return space[name]


def _loops(ndim: int, shape: str, body: str) -> list[str]:
    """Nested loops over a shape, i0, i1, ... around a statement."""
    lines = []
    for k in range(ndim):
        lines.append(f"{'    ' * (k + 1)}for i{k} in range({shape}[{k}]):")
    inner = "    " * (ndim + 1)
    return lines + [inner + line for line in body.split("\n")]


def _tuple(parts: list[str]) -> str:
    return "(" + ", ".join(parts) + ("," if len(parts) == 1 else "") + ")"


_STARTS = {"sum": "np.zeros({shape}, x.dtype)", "prod": "np.ones({shape}, x.dtype)",
           "max": "np.empty({shape}, x.dtype)", "min": "np.empty({shape}, x.dtype)",
           "any": "np.zeros({shape}, np.bool_)", "all": "np.ones({shape}, np.bool_)"}
_STEPS = {
    "sum": "out[{o}] += x[{i}]", "prod": "out[{o}] *= x[{i}]",
    "max": "v = x[{i}]\nif {first} or v > out[{o}] or v != v:\n    out[{o}] = v",
    "min": "v = x[{i}]\nif {first} or v < out[{o}] or v != v:\n    out[{o}] = v",
    "any": "out[{o}] = out[{o}] or x[{i}] != 0", "all": "out[{o}] = out[{o}] and x[{i}] != 0"}


@functools.cache
def reduction(kind: str, ndim: int, axes: tuple[int, ...], keepdims: bool) -> Loop:
    """`def reduce(x)`: sum, prod, max, min, any or all over some axes, but not over all of them
    unless they are kept."""
    kept = [k for k in range(ndim) if k not in axes]
    shape = [f"x.shape[{k}]" if k in kept else "1" for k in range(ndim) if keepdims or k in kept]
    out = [f"i{k}" if k in kept else "0" for k in range(ndim) if keepdims or k in kept]
    first = " and ".join(f"i{k} == 0" for k in axes)
    lines = ["def reduce(x):"]
    if kind in ("max", "min"):
        lines += [f"    if {' * '.join(f'x.shape[{k}]' for k in axes)} == 0:",
                  "        raise ValueError('an extreme of no elements')"]
    lines.append("    out = " + _STARTS[kind].format(shape=_tuple(shape)))
    step = _STEPS[kind].format(o=", ".join(out), i=", ".join(f"i{k}" for k in range(ndim)),
                               first=first)
    if kind in ("max", "min"):
        # nan stays, whatever comes behind it.
        step = step.replace(f"if {first} or", f"if {first} or out[{', '.join(out)}] == "
                            f"out[{', '.join(out)}] and (").replace("v != v:", "v != v):")
    return _made("\n".join([*lines, *_loops(ndim, "x.shape", step), "    return out"]), "reduce")


@functools.cache
def spreading(ndim: int, axes: tuple[int, ...], has_axes: bool) -> Loop:
    """`def spread(dy, x)`: dy along the axes that a reduction of x removed (or kept as 1)."""
    index = [("0" if k in axes else f"i{k}") for k in range(ndim) if has_axes or k not in axes]
    body = f"out[{', '.join(f'i{k}' for k in range(ndim))}] = dy[{', '.join(index)}]"
    return _made("\n".join(["def spread(dy, x):", "    out = np.empty(x.shape, dy.dtype)",
                            *_loops(ndim, "x.shape", body), "    return out"]), "spread")


def stretched_view(made: str, array: str, sizes: Sequence[str], axes: Sequence[int | None]) -> str:
    """A statement that gives an array sizes, each along one of its axes or along none. What is
    stretched has a stride of zero: to ask at each element what is, LLVM would write the loops over
    them once for every answer."""
    strides = ["0" if axis is None else
               f"{array}.strides[{axis}] if {array}.shape[{axis}] == {size} else 0"
               for size, axis in zip(sizes, axes)]
    return f"{made} = as_strided({array}, {_tuple(list(sizes))}, {_tuple(strides)})"


@functools.cache
def fitting(ndim: int, target: int) -> Loop:
    """`def fit(dy, x)`: dy, of ndim dimensions, summed or spread to the shape of x, of target."""
    full = max(ndim, target)
    lines = ["def fit(dy, x):"]
    axes: list[tuple[int | None, int | None]] = []
    for k in range(full):
        a, b = k - (full - ndim), k - (full - target)
        axes.append((a if a >= 0 else None, b if b >= 0 else None))
        if a >= 0 and b >= 0:
            lines += [f"    m, n = dy.shape[{a}], x.shape[{b}]",
                      "    if m != n and m != 1 and n != 1:",
                      "        raise ValueError('shapes that do not fit')",
                      f"    n{k} = n if m == 1 else m"]
        else:
            lines.append(f"    n{k} = dy.shape[{a}]" if a >= 0 else f"    n{k} = x.shape[{b}]")
    sizes = [f"n{k}" for k in range(full)]
    of_dy, of_x = zip(*axes) if axes else ((), ())
    lines += [f"    sizes = {_tuple(sizes)}", "    out = np.zeros(x.shape, dy.dtype)",
              "    " + stretched_view("given", "dy", sizes, of_dy),
              "    " + stretched_view("sums", "out", sizes, of_x)]
    index = ", ".join(f"i{k}" for k in range(full)) or "()"
    return _made("\n".join([*lines, *_loops(full, "sizes", f"sums[{index}] += given[{index}]"),
                            "    return out"]), "fit")


@functools.cache
def counting(ndim: int, axes: tuple[int, ...]) -> Loop:
    """`def count(x)`: how many elements a reduction over the axes takes together."""
    return _made(f"def count(x): return {' * '.join(f'x.shape[{k}]' for k in axes) or '1'}",
                 "count")
