"""Judges one derivative: value to the bit, gradient, shapes, purity, a second call, no crash."""
import copy
import re
import warnings
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from tests.programs.forward import forward_verdict
from tests.programs.program import time_limit
from tests.reference.dual import Disagreement, close, copies, floats, reference_gradient

SECONDS = 60.0                     # for one derivative: transforming it and calling it twice


@dataclass(frozen=True)
class Verdict:
    """right, refused, skipped (no reference to trust) or wrong; what was wrong; details."""

    outcome: str
    kind: str = ""
    detail: str = ""
    forward: str = ""               # of forward mode, where it was not right

    def __str__(self):
        return ": ".join(part for part in (self.outcome, self.kind, self.detail) if part)


def judge(f, args, wrt, expect=None, rtol=1e-6, primal_only=False):
    """The verdict on tangent_lite's gradient of f at args.

    args: the arguments, or a function without arguments that makes them (for arguments that
    share memory). expect: the gradients, where differences cannot tell (at a kink).
    """
    make = args if callable(args) else lambda: copy.deepcopy(args)
    if expect is not None:
        gradient, trusted, confirmed = expect, True, False
    else:
        try:
            gradient, trusted, confirmed = reference_gradient(f, make(), wrt)
        except Disagreement as error:
            return Verdict("wrong", "referee", str(error))
    if primal_only:
        return Verdict("right" if trusted else "skipped", "confirmed" if confirmed else "")
    gradient = gradient if trusted else None
    found = derivative(f, make, wrt, gradient, rtol)
    if found.outcome == "wrong":
        return found
    return forward(f, make, wrt, gradient, rtol, found)


def forward(f, make, wrt, gradient, rtol, verdict):
    """The verdict on both modes, given that on reverse mode."""
    @contextmanager
    def within():
        with time_limit(SECONDS), closed(surroundings(f)):
            yield

    rtol = max(rtol, 2e-4 if any(single(a) for a in make()) else 0.0)
    outcome, detail = forward_verdict(f, make, wrt, gradient, rtol,
                                      (within, frozen, bits, reason))
    if outcome == "wrong":
        return Verdict("wrong", "forward", detail)
    return replace(verdict, forward=detail if outcome == "refused" else "")


def derivative(f, make, wrt, gradient, rtol):
    """Run tangent_lite on f and hold what it gives against the gradient."""
    import tangent_lite as tl

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        value = f(*make())
        given = frozen(make())
        try:
            with time_limit(SECONDS), closed(surroundings(f)):
                d = tl.value_and_grad(f, wrt=tuple(wrt))
                found = d(*given)
                again = d(*frozen(make()))
        except tl.TangentError as error:
            return Verdict("refused", type(error).__name__, reason(error))
        except Exception as error:
            return Verdict("wrong", "crash", f"{type(error).__name__}: {error}")
    try:
        found_value, found_gradient = found
        checks = [
            ("value", bits(found_value) == bits(value), f"{found_value!r}, not {value!r}"),
            ("repeat", bits(again) == bits(found), f"{again!r} after {found!r}"),
            ("form", *formed(found_gradient, tuple(given[i] for i in wrt))),
            ("sharing", *separate(found_gradient, given))]
    except Exception as error:
        return Verdict("wrong", "form", f"{found!r}: {type(error).__name__}: {error}")
    for kind, good, detail in checks:
        if not good:
            return Verdict("wrong", kind, detail)
    if gradient is None:
        return Verdict("skipped", "", "no reference to trust")
    for got, want, i in zip(found_gradient, gradient, wrt):
        # Relative to this argument's largest entry, with some slack for huge ones beside it
        slack = max([1.0, 1e-3 * np.max(np.abs(floats(gradient)), initial=0.0)])
        tolerance = max(rtol, 2e-4 if single(given[i]) else 0.0) * slack
        if not close(got, want, tolerance):
            return Verdict("wrong", "gradient", f"argument {i}: {got!r}, not {want!r}")
    return Verdict("right")


# Parts -------------------------------------------------------------------------------------------
def arrays(tree):
    """The arrays of a nested value."""
    if isinstance(tree, dict):
        return [a for part in tree.values() for a in arrays(part)]
    if isinstance(tree, (tuple, list)):
        return [a for part in tree for a in arrays(part)]
    return [tree] if isinstance(tree, np.ndarray) else []


def frozen(args):
    """The arguments, their arrays closed to writing: a derivative that writes them fails."""
    for array in arrays(args):
        array.flags.writeable = False
    return args


def surroundings(f):
    """The arrays among the globals and in the closure of a function."""
    cells = [cell.cell_contents for cell in getattr(f, "__closure__", None) or ()]
    return arrays([*getattr(f, "__globals__", {}).values(), *cells])


@contextmanager
def closed(some):
    """Close arrays to writing for a while: a derivative works on copies of what f writes."""
    before = [array.flags.writeable for array in some]
    frozen(some)
    try:
        yield
    finally:
        for array, flag in zip(some, before):
            array.flags.writeable = flag


def single(tree):
    """Whether a nested argument holds single-precision numbers."""
    if isinstance(tree, dict):
        return any(single(part) for part in tree.values())
    if isinstance(tree, (tuple, list)):
        return any(single(part) for part in tree)
    return getattr(tree, "dtype", None) in (np.float32, np.float16)


def bits(tree):
    """A nested value such that equal means equal to the bit."""
    if isinstance(tree, dict):
        return {key: bits(part) for key, part in tree.items()}
    if isinstance(tree, (tuple, list)):
        return tuple(bits(part) for part in tree)
    array = np.asarray(tree)
    return array.shape, array.dtype.str, array.tobytes()


def formed(found, wanted):
    """Whether a gradient has the structure, shapes and dtypes of the arguments; what is wrong."""
    wrong = f"{found!r} for {wanted!r}"
    if isinstance(wanted, dict):
        if not isinstance(found, dict) or found.keys() != wanted.keys():
            return False, wrong
        pairs = [(found[key], wanted[key]) for key in wanted]
    elif isinstance(wanted, (tuple, list)):
        if type(found) is not type(wanted) or len(found) != len(wanted):
            return False, wrong
        pairs = list(zip(found, wanted))
    elif isinstance(wanted, np.ndarray):
        same = isinstance(found, np.ndarray) and found.shape == wanted.shape
        return same and found.dtype == wanted.dtype, wrong
    elif isinstance(wanted, float):
        return isinstance(found, float), wrong
    else:
        return isinstance(found, type(wanted)) if isinstance(wanted, np.floating) else True, wrong
    bad = [what for good, what in (formed(*pair) for pair in pairs) if not good]
    return not bad, "; ".join(bad)


def separate(gradient, args):
    """Whether the gradient's arrays are writable, distinct, and no part of the arguments."""
    own = arrays(gradient)
    if not all(a.flags.writeable for a in own):
        return False, "a gradient array cannot be written"
    for k, a in enumerate(own):
        if any(np.shares_memory(a, b) for b in own[k + 1:] + arrays(args)):
            return False, "a gradient array shares memory with another or with an argument"
    return True, ""


def reason(error):
    """A refusal without the names, numbers and places of one program, to be counted."""
    lines = str(getattr(error, "reason", error)).strip().splitlines()
    text = lines[0] if lines else ""
    text = re.sub(r"'[^']*'|`[^`]*`|\"[^\"]*\"|\d+", "_", text).strip(" :,")
    return text[:110]


def judge_program(program, function, primal_only=False):
    """The verdict on a generated program."""
    return judge(function, copies(program.args), program.wrt, primal_only=primal_only)
