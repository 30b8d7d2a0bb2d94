"""What may be left at any place: each step of it is noted, and undone by its number.

The body of a `try` may fail anywhere, in the middle of a loop too, and what it did until then has
been done. Its mirror image cannot be entered in the middle. So each step leaves its number on the
tape, and the backward pass goes through the numbers, the last first, and does for each what belongs
to that step, whatever loops and branches led there:

    tape.begin()
    try:
        for v in tape.iterate(x):
            tape.did(0)
            total = tape.add(total, v)
            tape.did(1)
    except ValueError:
        tape.caught()

    for step in tape.undone():
        if step == 1:
            _, btotal, bv = tape.pull(btotal, None, bv)
        else:
            bv, bx = tape.pull(bv, bx)
"""
from __future__ import annotations

import gast

from tangent_lite import syntax


class Trail:
    """The steps of one such part: what the backward pass does for each, in its order."""

    def __init__(self) -> None:
        self.steps: list[list[gast.stmt]] = []

    def add(self, block: list[gast.stmt]) -> int:
        """A step, and its number."""
        self.steps.append(block)
        return len(self.steps) - 1

    def since(self, number: int) -> list[gast.stmt]:
        """What undoes the steps from that number on."""
        return [node for step in self.steps[number:] for node in step]

    def mirror(self, step: str, over: gast.expr) -> gast.For:
        """The loop that undoes the steps that were done; step: a name for their numbers."""
        chain = list(self.steps[0]) if self.steps else [gast.Pass()]
        for number in range(1, len(self.steps)):
            test = gast.Compare(syntax.load(step), [gast.Eq()], [syntax.constant(number)])
            chain = [gast.If(test, self.steps[number], chain)]
        return gast.For(syntax.store(step), over, chain, [], None)


def is_one_step(block: list[gast.stmt]) -> bool:
    """Whether the body of a `try` either fails before it has done anything or is done: one
    operation, whose value is bound to a name."""
    doing = list(block)
    while len(doing) > 1 and _is_flag(doing[-1]):
        doing.pop()
    if len(doing) != 1 or not isinstance(doing[0], (gast.Assign, gast.Expr)):
        return False
    targets = doing[0].targets if isinstance(doing[0], gast.Assign) else []
    inside = list(gast.walk(doing[0].value))
    # A call may change something before it fails, and an attribute may be a property.
    return all(isinstance(t, gast.Name) for t in targets) and len(targets) < 2 \
        and not any(isinstance(n, (gast.Call, gast.Attribute, gast.NamedExpr, gast.ListComp,
                                   gast.SetComp, gast.DictComp, gast.GeneratorExp)) for n in inside)


def hides_errors(manager: gast.expr) -> bool:
    """Whether a context manager is there to end its body without a word: contextlib.suppress.

    Others that do so are refused when they do it: this decides how the body is written.
    """
    function = manager.func if isinstance(manager, gast.Call) else manager
    return "suppress" in (getattr(function, "id", ""), getattr(function, "attr", ""))


def _is_flag(node: gast.stmt) -> bool:
    return isinstance(node, gast.Assign) and isinstance(node.value, gast.Constant) \
        and all(isinstance(t, gast.Name) for t in node.targets)
