"""Holds derivatives by identity to differences, with all that a program refers to made anew.

A program may change what lives outside it: each run of it therefore gets a world of its own. What
is checked: the value to the bit, the gradient, that nothing that was given or lives outside is
changed, what is printed, a second call, a pullback that is called twice, and the tangents.
"""
import itertools
import linecache
import math
import sys
import types

import numpy as np
import pytest

import tangent_lite as tl
from tests.heap.forced import by_identity
from tests.programs.judge import bits, formed, printed, separate, snapshot
from tests.reference.dual import close, numeric_gradient
from tests.reference.trees import floats, located, part_at, rebuilt, with_parts

_numbers = itertools.count(1)


def world(text, name=None):
    """The names of a program's text, in a module that is made anew."""
    filename = f"<program {next(_numbers)} of the tests>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    module = types.ModuleType(name or f"program_{next(_numbers)}")
    sys.modules[module.__name__] = module       # dataclasses look there
    vars(module).update(np=np, math=math)
    exec(compile(text, filename, "exec"), vars(module))
    return vars(module)


def outside(f):
    """What a function may reach without being given it, as it is now."""
    f = getattr(f, "__func__", f)
    cells = [cell for cell in f.__closure__ or () if _holds(cell)]
    named = {k: v for k, v in f.__globals__.items()
             if not k.startswith("__") and not callable(v) and not isinstance(v, types.ModuleType)}
    return repr(snapshot((named, [c.cell_contents for c in cells
                                  if not callable(c.cell_contents)])))


def _holds(cell):
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


def reference(make, wrt):
    """The gradient by differences; each run has a world of its own."""
    first, given = make()

    def run(*args):
        f, fresh = make()
        parts = {place: rebuilt(part_at(f, fresh, place), iter(floats(part_at(first, args, place))))
                 for place in wrt}
        return f(*with_parts(f, fresh, parts))

    found, trustworthy = numeric_gradient(run, given, [_position(first, p) for p in wrt])
    assert trustworthy, "differences cannot tell the gradient"
    return found


def _position(f, place):
    """Places as positions: differences are taken of a function without names."""
    return place if isinstance(place, int) else located(f, place)[0]


def check(make, wrt=(0,), rtol=1e-6, forced=False, expect=None):
    """Hold the derivative of a program to differences.

    make: gives the function and its arguments, and with them all that they refer to, anew.
    forced: whether the derivative is found by identity even where names would do. expect: the
    gradients, where differences cannot tell.
    """
    f, args = make()
    with printed() as said:
        value = f(*args)
    wanted = expect if expect is not None else reference(make, wrt)
    f, args = make()
    before, around = snapshot(args), outside(f)
    d = tl.value_and_grad(f, wrt=tuple(wrt))

    def run():
        if not forced:
            return d(*args)
        with by_identity():
            return d(*args)

    with printed() as said_then:
        found_value, found = run()
    assert bits(found_value) == bits(value), f"value {found_value!r}, not {value!r}"
    assert snapshot(args) == before, "an argument was changed"
    assert outside(f) == around, "what lives outside was changed"
    assert said_then.getvalue() == said.getvalue()
    for got, want, place in zip(found, wanted, wrt):
        assert close(got, want, rtol), f"argument {place}: {got!r}, not {want!r}"
        good, what = formed(got, part_at(f, args, place))
        assert good, what
    good, what = separate(found, args)
    assert good, what
    with printed():
        again = run()
        pulled = _pulled(f, args, wrt, value, forced)
    assert bits(again) == bits((found_value, found)), "a second call gives something else"
    assert bits(pulled[0]) == bits(pulled[1]), "a pullback that is called again"
    assert close(pulled[0], found, 1e-9)
    assert snapshot(args) == before and outside(f) == around
    if all(isinstance(place, int) for place in wrt) and all(
            isinstance(args[p], (float, np.ndarray)) for p in wrt):
        _check_tangents(f, args, wrt, found, forced)
    return found


def _pulled(f, args, wrt, value, forced):
    import contextlib
    import copy
    with by_identity() if forced else contextlib.nullcontext():
        _, pullback = tl.vjp(f, *args, wrt=tuple(wrt))
        seed = np.ones_like(value) if isinstance(value, np.ndarray) else 1.0
        return copy.deepcopy(pullback(seed)), pullback(seed)


def _check_tangents(f, args, wrt, gradient, forced):
    import contextlib
    rng = np.random.default_rng(7)
    tangents: list = [None] * len(args)
    for place in wrt:
        tangents[place] = float(rng.normal()) if isinstance(args[place], float) else \
            rng.normal(size=args[place].shape).astype(args[place].dtype)
    with by_identity() if forced else contextlib.nullcontext(), printed():
        _, slope = tl.jvp(f, args, tuple(tangents))
    wanted = sum(np.dot(floats(g), floats(tangents[p])) for g, p in zip(gradient, wrt))
    assert close(np.sum(slope), wanted, 1e-6), f"tangent {slope!r}, not {wanted!r}"


def held(text, args, entry="f", forced=True, **options):
    """Hold a program by identity; args: an expression for its arguments, with a comma behind;
    forced: see check."""
    def make():
        space = world(text.lstrip())
        return eval(entry, space), eval(f"({args},)", space)
    return check(make, forced=forced, **options)


def agrees_with_differences(f, *args):
    """Of numbers and lists of numbers: the value, the gradients, and the second derivatives."""
    value, gradients = tl.value_and_grad(f, wrt=tuple(range(len(args))))(*args)
    assert value == f(*args)
    for place, (given, gradient) in enumerate(zip(args, gradients)):
        def slope(one, put):
            there, here = (f(*args[:place], put(one + h), *args[place + 1:]) for h in (1e-6, -1e-6))
            return (there - here) / 2e-6

        wanted = [slope(one, lambda v: [*given[:k], v, *given[k + 1:]])
                  for k, one in enumerate(given)] \
            if isinstance(given, list) else slope(given, lambda v: v)
        assert gradient == pytest.approx(wanted, rel=1e-6, abs=1e-8)
    tl.check_grads(f, args, order=2)
