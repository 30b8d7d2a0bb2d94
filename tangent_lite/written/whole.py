"""Derivatives made of emitted functions, as functions that can be read again: the two halves of a
pair run one after the other, or a gradient by forward mode, element by element.
"""
from __future__ import annotations

import inspect
import itertools
import linecache
from collections.abc import Callable
from typing import Any

import numpy as np

from tangent_lite.runtime import zeros_like
from tangent_lite.runtime.tangents import seed_of

_numbers = itertools.count(1)
_BODIES = {
    ("grad", False): ["value, saved = forward({arguments})",
                      "gradient = backward(saved, {unit})", "return gradient"],
    ("value_and_grad", False): ["value, saved = forward({arguments})",
                                "gradient = backward(saved, {unit})",
                                "return value, gradient"],
    ("grad", True): ["both, saved = forward({arguments})", "value, aux = both",
                     "gradient = backward(saved, {whole_unit})",
                     "return gradient, aux"],
    ("value_and_grad", True): ["both, saved = forward({arguments})", "value, aux = both",
                               "gradient = backward(saved, {whole_unit})",
                               "return (value, aux), gradient"],
    ("vjp", False): ["value, saved = forward({arguments})", "gradient = backward(saved, {seed})",
                     "return {gradients}"],
}


def whole(forward: Callable[..., Any], backward: Callable[..., Any], form: str,
          has_aux: bool, count: int, in_tuple: bool, seeds: dict[str, Any],
          seeds_value: bool = False, holomorphic: bool = False) -> Callable[..., Any]:
    """`f_grad(x)`, made of `f_fwd(x)` and `f_bwd(saved, bf)`; `f_vjp(x, bf)` gives a tuple.

    count: how many gradients f_bwd returns; in_tuple: whether one alone is put into a tuple; seeds:
    of what is differentiated, where that is a derivative, which stay what they are; seeds_value:
    whether f_bwd of (value, aux) takes the adjoint of the value alone; holomorphic: whether the
    value may be complex.
    """
    names = list(inspect.signature(forward).parameters)
    parameters = ", ".join(n for n in names if n not in seeds)
    arguments = ", ".join(repr(seeds[n]) if n in seeds else n for n in names)
    title = forward.__name__.removesuffix("_fwd")
    name = f"{title}_{form}"
    seed = f"b{name}"
    if form == "vjp":
        parameters = f"{parameters}, {seed}" if parameters else seed
    lines = list(_BODIES[form, has_aux])
    unit = f"seed_of(value, {title!r}{', True' if holomorphic else ''})"
    if in_tuple and form != "vjp":
        lines[-1] = lines[-1].replace("gradient", "(gradient,)")
    body = "\n    ".join(lines).format(
        arguments=arguments, seed=seed, unit=unit,
        whole_unit=unit if seeds_value else f"({unit}, zeros_like(aux))",
        gradients="gradient" if count > 1 else "(gradient,)")
    return written(name, f"def {name}({parameters}):\n    {body}\n", forward,
                    {"forward": forward, "backward": backward, "seed_of": seed_of,
                     "zeros_like": zeros_like})


def in_a_tuple(derivative: Callable[..., Any], form: str, names: list[str],
               by_keyword: int) -> Callable[..., Any]:
    """`f_grad(x)` with its one gradient in a tuple, as wrt=("x",) asks for it."""
    front = names[:len(names) - by_keyword]
    given = ", ".join([*front, *(f"{n}={n}" for n in names[len(front):])])
    star = ["*"] if by_keyword else []
    parameters = ", ".join([*front, *star, *names[len(front):]])
    name = derivative.__name__
    result = f"derivative({given})"
    body = f"return ({result},)" if form == "grad" else \
        f"value, gradient = {result}\n    return value, (gradient,)"
    return written(name, f"def {name}({parameters}):\n    {body}\n", derivative,
                    {"derivative": derivative})


def by_directions(push: Callable[..., Any], names: list[str], moving: dict[str, bool],
                  form: str, seeds: dict[str, Any],
                  holomorphic: bool = False) -> Callable[..., Any]:
    """`f_grad(x)`, made of `f_jvp(x, dx)`: one run for each element of x.

    moving: the parameters to differentiate with respect to, and which of them are numbers; seeds:
    what those parameters are that stand in front of the tangents.
    """
    front = [repr(seeds[p.name]) if p.name in seeds else p.name
             for p in inspect.signature(push).parameters.values()
             if p.name in names or (p.name in seeds and p.default is p.empty)]
    taken = set(names)
    zero = {n: "0.0" if number else f"np.zeros({n}.shape)" for n, number in moving.items()}

    def fresh(wish: str) -> str:
        while wish in taken:
            wish += "_"
        taken.add(wish)
        return wish

    value, slope, unit, spot = map(fresh, ("value", "slope", "unit", "k"))

    def call(name: str | None, along: str) -> str:
        tangents = [along if n == name else zero[n] for n in moving]
        return f"{value}, {slope} = push({', '.join([*front, *tangents])})"

    primal = push.__name__.removesuffix("_jvp")
    lines = [call(None, ""), f"seed_of({value}, {primal!r}{', True' if holomorphic else ''})"]
    found = []
    for name, number in moving.items():
        gradient = fresh(f"b{name}")
        if number:
            lines += [call(name, "1.0"), f"{gradient} = np.sum({slope})"]
            found.append(gradient)
            continue
        # Nothing is written to here, so that what is pushed shares memory with nothing.
        lines += [f"{gradient} = []", f"for {spot} in range({name}.size):",
                  f"    {unit} = 1.0 * (np.arange({name}.size) == {spot})",
                  f"    {call(name, f'{unit}.reshape({name}.shape)')}",
                  f"    {gradient}.append(np.sum({slope}))"]
        found.append(f"np.array({gradient}).reshape({name}.shape)")
    answer = ", ".join(found)
    if form == "value_and_grad":
        answer = f"{value}, {answer}" if len(found) == 1 else f"{value}, ({answer})"
    lines.append(f"return {answer}")
    title = f"{primal}_{form}"
    body = "\n    ".join(lines)
    return written(title, f"def {title}({', '.join(names)}):\n    {body}\n", push,
                    {"push": push, "seed_of": seed_of, "np": np})


def written(name: str, text: str, half: Callable[..., Any], space: dict[str, Any]) \
        -> Callable[..., Any]:
    """A function of this text, which reads what space holds, and rests on what the other does."""
    filename = f"<tangent_lite {name} whole {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    space["__name__"] = half.__module__
    exec(compile(text, filename, "exec"), space)
    made = space[name]
    made.rests_on = getattr(half, "rests_on", [])
    made.text = text
    return made
