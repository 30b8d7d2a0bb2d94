"""What refusals suggest, tried: the programs of docs/limitations.md, rewritten as each is told.

`rewritten(reason, args, text)` enters a program: what the refusal says (without its place), the
arguments of f, and the program with the suggestion followed to the letter. A refusal whose
suggestion is no other program (`done`) is entered with what is called instead.
"""
from dataclasses import dataclass

TRIED = []


@dataclass(frozen=True)
class Tried:
    """A suggestion that was followed.

    reason: what the refusal said. args: an expression for the arguments of f, or with `gives` the
    expression to evaluate. text: the program. wrt: the places to differentiate by. expect: the
    gradients where differences cannot tell them. gives: what that gives, as an
    expression. needs: a package that it uses.
    """

    reason: str
    args: str
    text: str
    wrt: tuple = (0,)
    expect: str | None = None
    gives: str | None = None
    needs: str | None = None


def rewritten(reason, args, text, **more):
    """Enter a program, held to differences."""
    TRIED.append(Tried(reason, args, text, **more))


def done(reason, expression, gives, text="", **more):
    """Enter what is called instead, and what it gives."""
    TRIED.append(Tried(reason, expression, text, gives=gives, **more))


def in_place_of(suggestion, args, text, **more):
    """Enter what is called in place of a function that gets no rule on purpose, by its text."""
    TRIED.append(Tried(suggestion, args, text, **more))
