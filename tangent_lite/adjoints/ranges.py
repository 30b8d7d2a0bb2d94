"""The range of a loop that runs backwards."""
from __future__ import annotations

import gast

from tangent_lite import kinds, syntax
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.syntax import binary, call, load, subscript


def backwards(node: gast.For, steps: gast.expr | None = None) -> gast.expr:
    """The range of a loop, from its end; steps: how many steps it made, if it may have been left.

    >>> from tangent_lite.emit import emit_expression
    >>> for text in ("range(n)", "range(2, n + 1)", "range(n, 0, -1)", "range(n - 1, -1, -1)"):
    ...     loop = gast.For(syntax.store("i"), syntax.parse_expression(text), [], [], None)
    ...     print(emit_expression(backwards(loop)))
    range(n - 1, -1, -1)
    range(n, 1, -1)
    range(1, n + 1)
    range(n)
    >>> for text in ("range(n)", "range(2, n + 1)", "range(n, 0, -1)"):
    ...     loop = gast.For(syntax.store("i"), syntax.parse_expression(text), [], [], None)
    ...     print(emit_expression(backwards(loop, load("n_steps"))))
    range(n_steps - 1, -1, -1)
    range(n_steps + 1, 1, -1)
    reversed(range(n, 0, -1)[:n_steps])
    """
    args = [syntax.copy(a) for a in node.iter.args]
    minus_one = syntax.constant(-1)
    if steps is not None:
        if len(args) == 1:
            return call(load("range"), shifted(steps, -1), syntax.copy(minus_one), minus_one)
        if len(args) == 2 and isinstance(args[0], gast.Constant):
            return call(load("range"), shifted(steps, args[0].value - 1), shifted(args[0], -1),
                        minus_one)
        taken = subscript(call(load("range"), *args), gast.Slice(None, steps, None))
        return call(load("reversed"), taken)
    if len(args) == 1:
        return call(load("range"), shifted(args[0], -1), syntax.copy(minus_one), minus_one)
    if len(args) == 2:
        return call(load("range"), shifted(args[1], -1), shifted(args[0], -1), minus_one)
    start, stop, step = args
    literal = kinds.value_of(Typer({}, lambda name: NO_OBJECT).kind(step))
    if literal == -1:
        first, end = shifted(stop, 1), shifted(start, 1)
        return call(load("range"), *([] if getattr(first, "value", None) == 0 else [first]), end)
    return call(load("reversed"), call(load("range"), start, stop, step))


def shifted(node: gast.expr, by: int) -> gast.expr:
    """node + by, with the numbers in it added up.

    >>> from tangent_lite.emit import emit_expression
    >>> for text, by in (("n - 1", 1), ("n - 1 - 1", 0), ("2", -1), ("n", -1)):
    ...     print(emit_expression(shifted(syntax.parse_expression(text), by)))
    n
    n - 2
    1
    n - 1
    """
    if isinstance(node, gast.Constant) and isinstance(node.value, int):
        return syntax.constant(node.value + by)
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub) \
            and isinstance(node.operand, gast.Constant):
        return syntax.constant(by - node.operand.value)
    while isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Sub)) \
            and isinstance(node.right, gast.Constant) and isinstance(node.right.value, int):
        by += node.right.value if isinstance(node.op, gast.Add) else -node.right.value
        node = node.left
    if by == 0:
        return node
    return binary(node, "+" if by > 0 else "-", gast.Constant(abs(by), None))
