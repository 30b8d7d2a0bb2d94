"""The text of constants: numbers, strings, docstrings."""

from __future__ import annotations

import math
import re
import sys

# A literal too large for a float reads back as infinity.
INFINITY = f"1e{sys.float_info.max_10_exp + 1}"


def literal(value: object, kind: str | None = None, banned: tuple[str, ...] = ()) -> str:
    """The source text of a constant; `kind` "num:1e-3" says how the user wrote the number.

    >>> print(literal(1e-12), literal("it's"), literal(0.001, "num:1e-3"))
    1e-12 "it's" 1e-3
    """
    if isinstance(kind, str) and kind.startswith("num:"):
        return kind[len("num:") :]
    if isinstance(value, str | bytes):
        return quoted(value, banned)
    if value is Ellipsis:
        return "..."
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, complex):
        return _complex(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 1 << 8192:
        return hex(value)  # repr refuses ints of more than 4300 digits
    if isinstance(value, tuple):
        items = ", ".join(literal(item, None, banned) for item in value)
        return f"({items},)" if len(value) == 1 else f"({items})"
    if value is None or isinstance(value, bool | int):
        return repr(value)
    raise TypeError(f"a constant of type {type(value).__name__} has no source text: {value!r}")


def _float(value: float) -> str:
    if value != value:
        return 'float("nan")'
    # `1e-08`, `1e+16`: nobody writes an exponent so.
    return re.sub(r"e\+?(-?)0?", r"e\1", repr(value)).replace("inf", INFINITY)


def _complex(value: complex) -> str:
    if value != value:
        return f"complex({_float(value.real)}, {_float(value.imag)})"
    if value.real == 0.0 and (value.imag < 0.0 or math.copysign(1.0, value.real) > 0.0):
        return _float(value.imag).removesuffix(".0") + "j"
    return repr(value).replace("inf", INFINITY)


def quoted(value: str | bytes, banned: tuple[str, ...] = ()) -> str:
    """A string in double quotes, unless single ones need fewer backslashes.

    `banned` are the quotes of f-strings around it, which on Python before 3.12 must not appear.

    >>> print(quoted("a"), quoted('say "a"'), quoted(b"a"), quoted("a", banned=('"',)))
    "a" 'say "a"' b"a" 'a'
    """
    prefix = "b" if isinstance(value, bytes) else ""
    body = escaped(value)
    texts = [prefix + quote + escape_quote(body, quote) + quote for quote in quotes_for(body)]
    for text in texts:
        if banned and not any(quote in text for quote in banned) and "\\" not in text:
            return text
    for text in texts:
        if not any(quote in text for quote in banned):
            return text
    return texts[0]


def quotes_for(body: str) -> tuple[str, str]:
    """Both quotes, the one to prefer around `body` first."""
    return ('"', "'") if body.count('"') <= body.count("'") else ("'", '"')


def escaped(value: str | bytes) -> str:
    """The value with its backslashes and unprintable characters escaped, but not its quotes."""
    # A double quote in front makes repr choose single quotes, which it then escapes.
    text = repr(b'"' + value)[3:-1] if isinstance(value, bytes) else repr('"' + value)[2:-1]
    return text.replace("\\'", "'")


def escape_quote(body: str, quote: str) -> str:
    """`body`, escaped already, made safe inside `quote` (one or three characters)."""
    if len(quote) == 1:
        return body.replace(quote, "\\" + quote)
    if body.endswith(quote[0]):
        return escape_quote(body[:-1], quote) + "\\" + quote[0]
    return body.replace(quote, ("\\" + quote[0]) * 3)


def docstring(value: str) -> list[str]:
    """The lines of a docstring; all but the first are indented already, by whoever wrote them.

    >>> docstring("Sum.")
    ['\"\"\"Sum.\"\"\"']
    """
    body = "\n".join(escaped(line) for line in value.split("\n"))
    return f'"""{escape_quote(body, chr(34) * 3)}"""'.split("\n")
