"""Laying out one logical line: a list of tokens -> physical lines under a width.

The printer writes plain strings, and between them marks the places where a careful person would
break the line if it were too long:

* `Open` ... `Close` is a group: all its breaks are taken, or none;
* `Line` is a break: its `flat` text if the group stays on one line, else a new line;
* `IfBroken` is text that appears only in a broken group, such as the comma after a last argument.

Groups nest, and an outer one breaks before an inner one, so that `f(a, g(b))` becomes

    f(
        a, g(b)
    )

first, one argument a line next, and `g(b)` opens last.
"""

from __future__ import annotations

from dataclasses import dataclass

INDENT = 4


@dataclass(frozen=True)
class Line:
    """A place to break: `flat` on one line, else `before`, a new line, `after`."""

    flat: str = ""
    before: str = ""
    after: str = ""
    dedent: bool = False  # indent like the line that opened the group: a closing bracket
    fill: bool = False  # break only where the next item does not fit, not everywhere


@dataclass(frozen=True)
class Open:
    """Start of a group whose lines are indented by `indent` more."""

    indent: int = 0
    flat: str = ""


@dataclass(frozen=True)
class Close:
    """End of the innermost group."""

    flat: str = ""


@dataclass(frozen=True)
class IfBroken:
    """Text that is printed only if its group is broken."""

    text: str
    flat: str = ""


Token = str | Line | Open | Close | IfBroken

# The tokens in use. They never change, so that all printers share them.
NEST = Open(INDENT)
GROUP = Open()
CLOSE = Close()
SOFT = Line()
SPACE = Line(" ")
FILL = Line(" ", fill=True)
DEDENT = Line(dedent=True)
COMMA = IfBroken(",")
OPTIONAL_LEFT = Line(before="(")
OPTIONAL_RIGHT = Line(after=")", dedent=True)
CONTINUED = Line(" ", before=" \\", fill=True)


def flat_text(tokens: list[Token]) -> str:
    """The tokens on one line.

    >>> flat_text(["f", "(", Open(4), Line(), "x", Line(dedent=True), Close(), ")"])
    'f(x)'
    """
    return "".join([token if token.__class__ is str else token.flat      # type: ignore[union-attr]
                    for token in tokens])


def is_short(tokens: list[Token], start: int, size: int) -> bool:
    """Whether the tokens from `start` take at most `size` columns on one line."""
    for index in range(start, len(tokens)):
        token = tokens[index]
        size -= len(token if token.__class__ is str else token.flat)    # type: ignore[union-attr]
        if size < 0:
            return False
    return True


def lay_out(tokens: list[Token], indent: int, limit: int) -> str:
    """The tokens as one line, or as several of at most `limit` columns where breaks allow.

    >>> call = ["f", "(", Open(4), Line(), "x", Line(dedent=True), Close(), ")"]
    >>> print(lay_out(call, indent=0, limit=3))
    f(
        x
    )
    """
    text = flat_text(tokens)
    if indent + len(text) <= limit:
        return " " * indent + text
    out = [" " * indent]
    column = indent
    groups = [(indent, True)]  # (indentation of its lines, whether it is broken)
    for index, token in enumerate(tokens):
        if isinstance(token, str):
            out.append(token)
            column += len(token)
        elif isinstance(token, Open):
            outer, broken = groups[-1]
            broken = broken and not _fits(tokens, index, limit - column)
            groups.append((outer + token.indent, broken))
        elif isinstance(token, Close):
            groups.pop()
        elif isinstance(token, IfBroken):
            text = token.text if groups[-1][1] else token.flat
            out.append(text)
            column += len(text)
        elif not groups[-1][1] or (
            token.fill and _fits(tokens, index + 1, limit - column - len(token.flat), inside=True)
        ):
            out.append(token.flat)
            column += len(token.flat)
        else:
            column = groups[-2 if token.dedent else -1][0]
            out.append(f"{token.before}\n{' ' * column}{token.after}")
            column += len(token.after)
    return "".join(out)


def _fits(tokens: list[Token], start: int, room: int, inside: bool = False) -> bool:
    """Whether what starts here fits into `room` columns, up to the next possible break.

    What starts here is the group opened at `start`, or if `inside` the item up to the next break
    of the group that we are in. What follows it belongs to the same line until a break may come.
    """
    depth = 1 if inside else 0
    after = False
    for index in range(start, len(tokens)):
        token = tokens[index]
        if isinstance(token, str):
            room -= len(token)
        elif isinstance(token, Open):
            depth += 1
        elif isinstance(token, Close):
            depth -= 1
            after = after or depth == 0
        elif isinstance(token, Line):
            if after or (inside and depth == 1):
                return room >= len(token.before)
            room -= len(token.flat)
        elif after or (inside and depth == 1):
            room -= len(token.text)
        if room < 0:
            return False
    return True
