"""The table of traps: case(f, *args) enters one."""
from dataclasses import dataclass

from tests.reference.dual import floats

CASES = {}


@dataclass(frozen=True)
class Case:
    """A function, a maker of its arguments, and what to differentiate by."""

    f: object
    make: object
    wrt: tuple
    expect: tuple | None           # the gradients where differences cannot tell: at a kink
    theme: str


def case(f, *args, wrt=None, expect=None, make=None, label=None):
    """Enter a trap; by default it is differentiated by every argument that holds floats.

    make: a function that makes the arguments anew, where they must share memory.
    """
    import copy
    maker = make or (lambda: copy.deepcopy(args))
    if wrt is None:
        wrt = tuple(k for k, arg in enumerate(maker()) if floats(arg) or holds_no_number(arg))
    theme = f.__module__.rsplit(".", 1)[-1]
    name = f"{theme}-{f.__name__}" + (f"-{label}" if label else "")
    while name in CASES:
        stem, _, count = name.rpartition("~")
        name = f"{stem}~{int(count) + 1}" if stem else f"{name}~2"
    CASES[name] = Case(f, maker, wrt, expect, theme)


def holds_no_number(arg):
    """Whether an argument is an empty array of floats: its gradient is as empty."""
    return getattr(arg, "size", None) == 0 and arg.dtype.kind == "f"
