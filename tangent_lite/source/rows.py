"""Rows of text that belong to one piece of code: its head, without comments, on one line."""
from __future__ import annotations

import io
import tokenize


def head(rows: list[str]) -> list[str]:
    """The rows of a statement with a block, up to the colon.

    >>> head(["if (x", "    > 1):", "    y = {1: 2}"])
    ['if (x', '    > 1):']
    """
    depth = lambdas = 0
    for token in tokenize.generate_tokens(io.StringIO("\n".join(rows)).readline):
        if token.string == "lambda" and not depth:
            lambdas += 1
        elif token.type == tokenize.OP and token.string in "([{":
            depth += 1
        elif token.type == tokenize.OP and token.string in ")]}":
            depth -= 1
        elif token.type == tokenize.OP and token.string == ":" and not depth:
            if not lambdas:
                row, column = token.end
                return [*rows[: row - 1], rows[row - 1][:column]]
            lambdas -= 1
    return rows


def on_one_line(rows: list[str]) -> str:
    """Rows of one piece of code as one row, with single spaces between.

    >>> on_one_line(["f(", "    x,", "    y", ")"])
    'f(x, y)'
    """
    text = ""
    for row in rows:
        row = row.strip().removesuffix("\\").rstrip()
        if row:
            tight = not text or text[-1] in "([{" or row[0] in ")]},:"
            text += row if tight else f" {row}"
    return text


def without_comments(rows: list[str]) -> list[str]:
    if not any("#" in row for row in rows):
        return rows
    rows = list(rows)
    # In brackets, so that the ends of lines inside an expression end no statement.
    text = "(" + "\n".join(rows) + "\n)"
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                row, column = token.start
                rows[row - 1] = rows[row - 1][: column - (row == 1)]
    except (tokenize.TokenError, SyntaxError):  # part of an f-string on Python 3.11 and older
        pass
    return rows
