"""Judges forward mode: its value to the bit, its tangent against the gradient, purity."""
import contextlib
import io
import warnings

import numpy as np

from tests.reference.trees import attributes, floats, is_object, rebuilt


def forward_verdict(f, make, wrt, gradient, rtol, limits):
    """(outcome, what is wrong or why it was refused) of jvp along a random direction.

    gradient: of the parameters in wrt, None where there is none to trust; limits: the context
    managers of the judge, the bits of a value and the reason of an error.
    """
    import tangent_lite as tl

    within, frozen, bits, reason = limits
    if not all(isinstance(place, int) for place in wrt):
        return "skipped", "a part of an argument"
    rng = np.random.default_rng(7)
    args = make()
    places = {place % len(args) for place in wrt}
    tangents = [rebuilt(arg, iter(rng.standard_normal(len(floats(arg))).tolist()))
                if i in places else None for i, arg in enumerate(args)]
    tangents = [direction_like(arg, t) for arg, t in zip(args, tangents)]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        with contextlib.redirect_stdout(io.StringIO()):
            value = f(*make())
        try:
            with within():
                found, slope = tl.jvp(f, frozen(make()), frozen(tuple(tangents)))
        except tl.TangentError as error:
            return "refused", f"{type(error).__name__}: {reason(error)}"
        except Exception as error:
            return "wrong", f"{type(error).__name__}: {error}"
    if bits(found) != bits(value):
        return "wrong", f"value {found!r}, not {value!r}"
    if np.shape(slope) != np.shape(value):
        return "wrong", f"tangent {slope!r} of {value!r}"
    if gradient is None:
        return "skipped", ""
    terms = [g * t for part, i in zip(gradient, wrt)
             for g, t in zip(floats(part), floats(tangents[i]))]
    want = sum(terms)
    size = max([1.0, *map(abs, terms)])
    if not (abs(slope - want) <= rtol * size or (np.isnan(slope) and np.isnan(want))):
        return "wrong", f"tangent {slope!r}, not {want!r}"
    return "right", ""


def direction_like(arg, tangent):
    """The tangent with the dtypes of the argument, its arrays as arrays of their own."""
    if tangent is None:
        return None
    if isinstance(arg, dict):
        return {key: direction_like(arg[key], tangent[key]) for key in arg}
    if isinstance(arg, (tuple, list)):
        parts = [direction_like(a, t) for a, t in zip(arg, tangent)]
        return type(arg)(*parts) if hasattr(arg, "_fields") else type(arg)(parts)
    if is_object(arg):
        for name, part in attributes(arg).items():
            object.__setattr__(tangent, name, direction_like(part, getattr(tangent, name)))
        return tangent
    if isinstance(arg, np.ndarray) and arg.dtype.kind == "f":
        return np.asarray(tangent, dtype=arg.dtype)
    return tangent if isinstance(arg, (float, np.floating)) else None
