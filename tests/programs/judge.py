"""Judges one derivative: value to the bit, gradient, shapes, purity, a second call, no crash."""
import contextlib
import copy
import io
import keyword
import re
import warnings
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from tests.programs.forward import forward_verdict
from tests.programs.running import made, time_limit
from tests.reference.dual import Disagreement, close, reference_gradient
from tests.reference.trees import attributes, floats, is_object, part_at

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
    if not all(isinstance(place, int) for place in wrt):
        return verdict                  # jvp takes whole arguments

    @contextmanager
    def within():
        with time_limit(SECONDS), closed(surroundings(f)), printed():
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
        with printed() as said:
            value = f(*make())
        given, later, whole = frozen(make()), frozen(make()), frozen(make())
        before = snapshot(given)
        try:
            with time_limit(SECONDS), closed(surroundings(f)):
                d = tl.value_and_grad(f, wrt=tuple(wrt))
                with printed() as said_then:
                    found = d(*given)
                after = snapshot(given)
                with printed():
                    again = d(*later)
                    pulled = pull_twice(f, whole, wrt, value)
        except tl.TangentError as error:
            return Verdict("refused", type(error).__name__, reason(error))
        except Exception as error:
            return Verdict("wrong", "crash", f"{type(error).__name__}: {error}")
    try:
        found_value, found_gradient = found
        parts = tuple(part_at(f, given, place) for place in wrt)
        checks = [
            ("value", bits(found_value) == bits(value), f"{found_value!r}, not {value!r}"),
            ("value of vjp", bits(pulled[2]) == bits(value), f"{pulled[2]!r}, not {value!r}"),
            ("repeat", bits(again) == bits(found), f"{again!r} after {found!r}"),
            ("purity", after == before, f"{after!r} was {before!r}"),
            ("printed", said_then.getvalue() == said.getvalue(),
             f"{said_then.getvalue()!r}, not {said.getvalue()!r}"),
            ("pullback", bits(pulled[1]) == bits(pulled[0]), f"{pulled[1]!r} after {pulled[0]!r}"),
            ("vjp", close(pulled[0], found_gradient, 1e-5 if any(map(single, parts)) else 1e-9),
             f"{pulled[0]!r}: {found_gradient!r}"),
            ("form", *formed(found_gradient, parts)),
            ("sharing", *separate(found_gradient, given))]
    except Exception as error:
        return Verdict("wrong", "form", f"{found!r}: {type(error).__name__}: {error}")
    for kind, good, detail in checks:
        if not good:
            return Verdict("wrong", kind, detail)
    if gradient is None:
        return Verdict("skipped", "", "no reference to trust")
    for got, want, part, place in zip(found_gradient, gradient, parts, wrt):
        # Relative to this argument's largest entry, with some slack for huge ones beside it
        slack = max([1.0, 1e-3 * np.max(np.abs(floats(gradient)), initial=0.0)])
        tolerance = max(rtol, 2e-4 if single(part) else 0.0) * slack
        if not close(got, want, tolerance):
            return Verdict("wrong", "gradient", f"argument {place}: {got!r}, not {want!r}")
    return Verdict("right")


def pull_twice(f, args, wrt, value):
    """What a pullback gives when it is called the first and the second time; the value."""
    import tangent_lite as tl

    got, pullback = tl.vjp(f, *args, wrt=tuple(wrt))
    seed = np.ones_like(value) if isinstance(value, np.ndarray) else 1.0
    return copy.deepcopy(pullback(seed)), pullback(seed), got


# Parts -------------------------------------------------------------------------------------------
def children(tree):
    """The parts of a nested value; None for a leaf."""
    if isinstance(tree, dict):
        return tree
    if isinstance(tree, (tuple, list)):
        return dict(enumerate(tree))
    return attributes(tree) if is_object(tree) else None


def arrays(tree):
    """The arrays of a nested value."""
    if isinstance(tree, np.ndarray):
        return [tree]
    return [a for part in (children(tree) or {}).values() for a in arrays(part)]


def snapshot(args):
    """What arguments hold, with the kinds of containers: not only numbers but lengths, keys."""
    parts = children(args)
    if parts is None:
        return bits(args) if isinstance(args, (np.ndarray, np.generic, float)) else repr(args)
    return type(args).__name__, [(key, snapshot(part)) for key, part in parts.items()]


@contextmanager
def printed():
    """Catch what is printed."""
    with contextlib.redirect_stdout(io.StringIO()) as text:
        yield text


def frozen(args):
    """The arguments, their arrays closed to writing: a derivative that writes them fails."""
    for array in arrays(args):
        array.flags.writeable = False
    return args


def surroundings(f):
    """The arrays among the globals and in the closure of a function."""
    cells = [cell.cell_contents for cell in getattr(f, "__closure__", None) or ()]
    # What Python and pytest put into a module (its loader) refers to itself.
    named = [value for name, value in getattr(f, "__globals__", {}).items()
             if name.isidentifier() and not name.startswith("__")]
    return arrays([*named, *cells])


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
    parts = children(tree)
    if parts is None:
        return getattr(tree, "dtype", None) in (np.float32, np.float16)
    return any(map(single, parts.values()))


def bits(tree):
    """A nested value such that equal means equal to the bit."""
    parts = children(tree)
    if parts is not None:
        return {key: bits(part) for key, part in parts.items()}
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
    elif is_object(wanted):
        if type(found) is not type(wanted):
            return False, wrong
        whole = {key: part for key, part in attributes(wanted).items() if floats(part)}
        if not whole.keys() <= vars(found).keys():
            return False, wrong
        pairs = [(getattr(found, key), part) for key, part in whole.items()]
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


NAMED = re.compile(r"\b[\w.]+(?= (may share|comes from|writes into|is captured|is changed))"
                   r"|\b\w+(?= and \S+ may be)|\b\w+(?= calls itself)"
                   r"|(?<=memory with )[\w.]+|(?<=rule for )[\w.]*\d+|(?<=argument )\w+(?=;)"
                   r"|(?<=part of )\w+(?= is written)|(?<=whether )[\w.]+|(?<=and )\w+(?= may be)")


def reason(error):
    """A refusal without the names, numbers and places of one program, to be counted."""
    error = getattr(error, "by_identity", error)
    lines = str(getattr(error, "reason", error)).strip().splitlines()
    text = NAMED.sub("_", lines[0] if lines else "")
    text = re.sub(r"`([^`]*)`", lambda m: m[1] if keyword.issoftkeyword(m[1])
                  or keyword.iskeyword(m[1]) else "_", text)
    text = re.sub(r"'[^']*'|\"[^\"]*\"|<.*>|\d+", "_", text).strip(" :,")
    return text[:110]


def judge_program(program, function, primal_only=False):
    """The verdict on a generated program."""
    return judge(function, lambda: made(program, function.__globals__), program.wrt,
                 primal_only=primal_only)
