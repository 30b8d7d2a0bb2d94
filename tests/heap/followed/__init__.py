"""Programs that names cannot tell: refused by the passes, and followed by identity.

case(reason, args, text) enters one: what the passes say, the arguments of f, the program.
"""
from dataclasses import dataclass

CASES = {}


@dataclass(frozen=True)
class Case:
    """A program: what refuses it ("AliasError: reason"), its text, and expressions for the
    function, for its arguments and for the places to differentiate by.

    mode: the operator that is refused. is_failing: whether the function itself fails.
    """

    refusal: str
    args: str
    text: str
    entry: str = "f"
    wrt: tuple = (0,)
    mode: str = "grad"
    is_failing: bool = False


def case(refusal, args, text, **more):
    """Enter a program."""
    made = Case(refusal if ": " in refusal[:24] else f"UnsupportedSyntaxError: {refusal}", args,
                text, **more)
    name = made.refusal.partition(": ")[2][:60]
    while name in CASES:
        name += "~"
    CASES[name] = made
