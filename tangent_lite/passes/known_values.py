"""Read what the function has computed itself, where its adjoint would compute it again.

The slope of a sine is a cosine, of `x ** 3` a square, of `abs(x)` a sign. Where the function has
that value under a name, the adjoint reads the name.

>>> from tangent_lite.emit import emit_expression
>>> from tangent_lite.kinds import FLOAT
>>> from tangent_lite.stages import stages
>>> def f(x):
...     c = np.cos(x)
...     s = np.sin(x)
...     return c * s
>>> f.__globals__["np"] = __import__("numpy")
>>> for step in stages(f, x=FLOAT).plan.steps.values():
...     for one in step.contributions:
...         print(f"b{one.name} += {emit_expression(one.value)}")
bx += -bc * s
bx += bs * c
bc += bf * s
bs += bf * c

In front of the statement whose adjoint reads it, the value stands in the same block or in one
around, and neither it nor what it is made of is bound anew in between. It may also stand behind, in
the same block: the adjoint of the statement that binds it was taken just before, and it is still
there, since nothing puts back what such a name held in an iteration before. So the name has one
definition, and none of its values lives from one iteration to the next. The record is told that the
value is read where it is made (`reads_result`). Arrays that are written to stay out.
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.adjoints.steps import Step, content_reads
from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import BoundIn, Liveness, definitions
from tangent_lite.analyses.same_values import (
    Key,
    KnownValues,
    Reader,
    operands_of,
    value_key,
)
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.kinds import Array, Number, Numeric
from tangent_lite.markers import is_attempt, marker_of
from tangent_lite.syntax import COMPOUND


def known_values(tree: gast.FunctionDef, steps: dict[int, Step], facts: Inferred, aliases: Aliases,
                 typer: Typer, live: Liveness) -> None:
    """Let adjoints read what is known; the steps are changed in place."""
    finder = _Finder(tree, steps, facts, aliases, typer, live)
    if finder.made:
        finder.block(tree.body, KnownValues(), frozenset(), True)


class _Finder:
    def __init__(self, tree: gast.FunctionDef, steps: dict[int, Step], facts: Inferred,
                 aliases: Aliases, typer: Typer, live: Liveness) -> None:
        self.steps, self.facts, self.aliases = steps, facts, aliases
        self.typer, self.live, self.bound_in = typer, live, BoundIn()
        self.made: dict[int, Key] = {}          # by the ids of the statements that bind a name
        self.bound: dict[str, int] = dict.fromkeys(syntax.parameter_names(tree.args), 1)
        for node in syntax.statements(tree.body):
            for name in syntax.bound_names(node.target) if isinstance(node, gast.For) \
                    else definitions(node):
                self.bound[name] = self.bound.get(name, 0) + 1
            key = self.key_of(node)
            if key is not None:
                self.made[id(node)] = key
        # What each block computes, by its id: most of what is asked for is not among it.
        self.in_block = {id(block): {self.made.get(id(node)) for node in block}
                         for block in syntax.all_blocks(tree)} if self.made else {}
        self.keys = {key[0] for key in self.made.values()}

    def key_of(self, node: Any) -> Key | None:
        """What a statement computes, if it binds a name to what an adjoint may ask for."""
        if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name) \
                or not self.stays(node.targets[0].id):
            return None
        value = node.value
        function = self.facts.callees.get(id(value), (NO_OBJECT, None))[0] \
            if isinstance(value, gast.Call) else NO_OBJECT
        key = value_key(value, function)
        return key if key is not None and all(
            map(self.stays, operands_of(key) & self.bound.keys())) else None

    def stays(self, name: str) -> bool:
        """Whether a name means a number, or an array that nobody writes to."""
        return isinstance(self.facts.names.get(name), (Number, Array, Numeric)) \
            and not self.aliases.is_written(name)

    # What is known where ----------------------------------------------------------------------
    def block(self, block: list[gast.stmt], known: KnownValues, lasting: frozenset[str],
              is_whole: bool) -> None:
        """known: the names of values that were bound in front; lasting: what lives from one
        iteration to the next of a loop around; is_whole: whether no statement is left halfway."""
        for number, node in enumerate(block):
            bound = set(self.bound_in.by(node))
            if isinstance(node, COMPOUND):
                again, live = set[str](), lasting
                if not isinstance(node, gast.If):
                    again, live = bound, lasting | frozenset(self.live.head[id(node)])
                whole = is_whole and not is_attempt(node)
                self.block(node.body, known.without(again), live, whole)
                self.block(node.orelse, known.without(again), live, whole)
            step = self.steps.get(id(node))
            if step is not None:
                self.read_known(step, known.names, block, number, lasting if is_whole else None)
            known.forget(bound)
            key = self.made.get(id(node))
            if key is not None and not operands_of(key) & bound:
                known.add(key, node.targets[0].id)

    def behind(self, key: Key, block: list[gast.stmt], number: int, lasting: frozenset[str]) \
            -> Any:
        """The statement behind one that computes a value, where the adjoint of that one may read
        it; None if there is none."""
        if key not in self.in_block.get(id(block), ()):
            return None
        operands = operands_of(key)
        for node in block[number:]:
            if marker_of(node) is not None:
                return None
            step = self.steps.get(id(node))
            if self.made.get(id(node)) == key and step is not None and step.kind == "rule":
                name = node.targets[0].id
                return node if self.bound[name] == 1 and name not in lasting else None
            if not operands.isdisjoint(self.bound_in.by(node)):
                return None
        return None

    # Reading it -------------------------------------------------------------------------------
    def read_known(self, step: Step, known: dict[Key, str], block: list[gast.stmt], number: int,
                   lasting: frozenset[str] | None) -> None:
        """Read known values in what a step adds; lasting: None where nothing behind may be read."""
        found: dict[str, Any] = {}              # names, with the statements behind that bind them

        def instead(node: gast.expr) -> str | None:
            function = self.typer.object_of(node.func) if isinstance(node, gast.Call) else NO_OBJECT
            key = value_key(node, function)
            if key is None or key[0] not in self.keys:
                return None
            name = known.get(key)
            if name is None and lasting is not None:
                made = self.behind(key, block, number + 1, lasting)
                if made is not None:
                    name = made.targets[0].id
                    found[name] = made
            return name

        reader = Reader(instead)
        values = [reader.read(one.value) for one in step.contributions]
        if not reader.names:
            return
        before, after = set[str](), set[str]()
        for one, value in zip(step.contributions, values):
            before |= content_reads(one.value)[0]
            after |= content_reads(value)[0]
            one.value = value
        locals_read = {n for _, value in step.locals for n in content_reads(value)[0]}
        step.reads -= before - after - locals_read
        step.reads |= after - before - found.keys()
        for name in reader.names & found.keys():
            other = self.steps[id(found[name])]
            other.reads_result = True
            other.reads.add(name)

