"""What emitted code may call for functions that are given functions: derivatives at run time.

The integrators and root finders of SciPy are told what to call, and their derivatives need the
derivatives of that. `pull` and `push` are vjp and jvp of a function that is known only when the
code runs; they are primitives, with rules in which they stand again, so that any order works. They
import tangent_lite when they are called, so that what calls them cannot be saved.

Arguments come as a tuple. Of those that are no floating-point numbers (integers, text, None) the
adjoint is 0.
"""
from __future__ import annotations

import itertools
import linecache
import types

import numpy as np

from tangent_lite.errors import InputError

MOST = 1024
_made: dict = {}
_numbers = itertools.count(1)


def varying(args):
    """The positions of the arguments that hold floating-point numbers."""
    return tuple(k for k, a in enumerate(args)
                 if isinstance(a, (float, complex, np.ndarray, np.generic, list, tuple))
                 and np.asarray(a).dtype.kind in "fc")


def kept(key, make):
    """What was made for a key, or is made now."""
    found = _made.get(key)
    if found is None:
        found = make()
        if len(_made) >= MOST:          # functions that were made for one call are let go
            _made.clear()
        _made[key] = found
    return found


def _function(key, text, space):
    """The function of a text, made once for each key; its source can be read."""
    def make():
        filename = f"<function of tangent_lite {next(_numbers)}>"
        linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
        names = {"np": np, "__name__": "__tangent_lite__", **space}
        exec(compile(text, filename, "exec"), names)
        return names["made"]
    return kept(key, make)


def one_of(function):
    """The first function like this one: a lambda that captures nothing is made anew each time that
    it is come by, and its derivative would be."""
    if type(function) is not types.FunctionType or function.__closure__ or function.__dict__:
        return function
    def key(one):
        # What was first is kept, and with it all that this tells apart by identity.
        defaults = [*(one.__defaults__ or ()), *(one.__kwdefaults__ or {}).values()]
        return "one", id(one.__code__), id(one.__globals__), *map(id, defaults)
    found = kept(key(function), lambda: function)
    return found if key(found) == key(function) else function


def adjoints_of(function, args, dy, moving=None):
    """The function (*args, dy) -> adjoints of the arguments at the positions moving, a tuple; of
    all that vary, if none are named."""
    from tangent_lite.api import grad
    function = one_of(function)
    moving, count = varying(args) if moving is None else moving, len(args)
    parts = len(dy) if isinstance(dy, tuple) else None
    key = "adjoints", function, count, moving, parts
    names = [f"a{k}" for k in range(count)]
    called = f"function({', '.join(names)})"
    if parts is None:
        value = f"np.sum(dy * np.asarray({called}))"
        body = f"    return {value}\n"
    else:
        sums = " + ".join(f"np.sum(dy[{k}] * y[{k}])" for k in range(parts))
        body = f"    y = {called}\n    return {sums}\n"
    paired = _function(key, f"def made({', '.join([*names, 'dy'])}):\n{body}",
                       {"function": function})
    return kept((*key, "grad"), lambda: grad(paired, wrt=moving))


def pushed_of(function, args):
    """The function (*args, *tangents) -> tangent of the result; tangents of what varies only."""
    function = one_of(function)
    moving, count = varying(args), len(args)
    given = ", ".join([f"a{k}" for k in range(count)] + [f"u{k}" for k in moving])
    text = f"def made({given}):\n    return pushing({given})[1]\n"
    return _function(("pushed", function, count, moving), text,
                     {"pushing": pushing_of(function, moving)})


def pushing_of(function, moving):
    """The function (*args, *tangents of those at the positions moving) -> (value, tangent)."""
    from tangent_lite.operators import jvp
    function = one_of(function)
    return kept(("pushing", function, moving),
                lambda: jvp.pushing(function, moving))     # type: ignore[attr-defined]


def pull(function, args, dy):
    """Adjoints of the arguments in y = function(*args): a tuple as long as args."""
    found = iter(adjoints_of(function, args, dy)(*args, dy))
    moving = varying(args)
    return tuple(next(found) if k in moving else 0.0 for k in range(len(args)))


def push(function, args, dargs):
    """Tangent of function(*args) along dargs, a tuple as long as args; a list as an array."""
    found = pushed_of(function, args)(*args, *(as_tangent(dargs[k], args[k])
                                               for k in varying(args)))
    return np.asarray(found) if isinstance(found, list) else found


def called(function, args):
    """function(*args), for a function that is known only at run time."""
    return function(*args)


def as_tangent(da, a):
    """A tangent as jvp wants it: of the type and shape of what it belongs to."""
    if isinstance(a, np.ndarray):
        return np.broadcast_to(np.asarray(da, a.dtype), a.shape)
    return type(a)(da) if isinstance(a, (float, complex)) else da


def moving_tangents(args, dargs):
    """The tangents of the arguments that vary, as pushed_of takes them."""
    return tuple(as_tangent(dargs[k], args[k]) for k in varying(args))


def moving_back(parts, args):
    """The adjoints of moving_tangents as those of dargs: a tuple as long as args."""
    found = iter(parts)
    moving = varying(args)
    return tuple(next(found) if k in moving else 0.0 for k in range(len(args)))


# Tuples -----------------------------------------------------------------------------------------
def parts_for(parts, args):
    """Adjoints of args, of which it is known then how many there are."""
    return tuple(parts)


def joined(a, b):
    """The parts of a, then those of b; both are tuples."""
    return tuple(a) + tuple(b)


def with_first(x, args):
    """x, then the parts of args."""
    if not isinstance(args, (tuple, list)):
        raise InputError(f"args is of type {type(args).__name__}", None,
                         "pass a tuple: args=(p,)")
    return (x, *args)


def with_last(args, x):
    """The parts of args, then x."""
    return (*args, x)


def rest(z):
    """All parts but the first."""
    return tuple(z[1:])


def front(z):
    """All parts but the last."""
    return tuple(z[:-1])


def head(z, a):
    """As many parts of z as there are of a."""
    return tuple(z[:len(a)])


def tail(z, a):
    """The parts of z behind those of a."""
    return tuple(z[len(a):])


# Roots ------------------------------------------------------------------------------------------
def root_parts(dx, x, function, args):
    """Adjoints of args in the root x of function(x, *args) = 0; x may be many independent ones.

    By the implicit function theorem dx = -f_p dp / f_x (Griewank and Walther, Evaluating
    Derivatives, section 15.1), so that the adjoint of the residual is -dx / f_x.
    """
    at = with_first(x, args)
    slope = pull(function, at, np.ones_like(x))[0]
    return rest(pull(function, at, -dx / slope))


def root_tangent(dargs, x, function, args):
    """Tangent of that root along dargs."""
    at = with_first(x, args)
    slope = pull(function, at, np.ones_like(x))[0]
    return -push(function, at, with_first(np.zeros_like(x), dargs)) / slope


def residual_slopes(x, function, args):
    """The Jacobian of function(x, *args) with respect to the vector x, row by row."""
    at = with_first(x, args)
    rows = []
    for unit in np.eye(np.size(x)):
        rows.append(residual_slope(np.reshape(unit, np.shape(x)), function, at))
    return np.stack(rows)


def residual_slope(unit, function, at):
    """One row of that Jacobian."""
    return np.ravel(pull(function, at, unit)[0])


def system_parts(dx, x, function, args):
    """The same for a system of equations: the adjoint of the residual solves f_x^T r = -dx."""
    slopes = residual_slopes(x, function, args)
    residual = np.reshape(np.linalg.solve(slopes.T, -np.ravel(dx)), np.shape(x))
    return rest(pull(function, with_first(x, args), residual))


def system_tangent(dargs, x, function, args):
    """Tangent of the root of a system along dargs."""
    slopes = residual_slopes(x, function, args)
    moved = push(function, with_first(x, args), with_first(np.zeros_like(x), dargs))
    return np.reshape(-np.linalg.solve(slopes, np.ravel(moved)), np.shape(x))


def fixed_parts(dx, x, function, args):
    """The same for a fixed point x = function(x, *args): the residual is x - function(x)."""
    slopes = np.eye(np.size(x)) - residual_slopes(x, function, args)
    residual = np.reshape(np.linalg.solve(slopes.T, np.ravel(dx)), np.shape(x))
    return rest(pull(function, with_first(x, args), residual))


def fixed_tangent(dargs, x, function, args):
    """Tangent of the fixed point along dargs."""
    slopes = np.eye(np.size(x)) - residual_slopes(x, function, args)
    moved = push(function, with_first(x, args), with_first(np.zeros_like(x), dargs))
    return np.reshape(np.linalg.solve(slopes, np.ravel(moved)), np.shape(x))


def root_found(function, x0, args, method, tol, options):
    """What scipy.optimize.root returns."""
    from scipy import optimize
    return optimize.root(function, x0, args, method, tol=tol, options=options)


def root_of(found, function, args):
    """The root in it."""
    return found.x


def detail(found, name):
    """An attribute of what was found that does not vary."""
    return getattr(found, name)
