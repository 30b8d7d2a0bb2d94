"""Loops with checkpoints: pieces of sqrt(n) steps, which the backward pass runs again.

    forward                                 backward
    length = segment_length(n)              for start in reversed(range(0, n, length)):
    x_checkpoints = []                          stop = min(start + length, n)
    for i in range(n):                          x = x_checkpoints.pop()
        if i % length == 0:                     for i in range(start, stop):
            x_checkpoints.append(x)                 x_tape.append(x)
        x = x * x                                   x = x * x
                                                for i in range(stop - 1, start - 1, -1):
                                                    x = x_tape.pop()
                                                    bx = 2.0 * bx * x

A checkpoint holds what the loop carries: names that it binds, by reference, and the contents of
arrays and lists that it changes, as copies. What else the steps read is at hand in the backward
pass as anything is that an adjoint reads. So the steps that are run again do what they did.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.liveness import bound_in, definitions, uses
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.names import stem
from tangent_lite.runtime import copied_lists
from tangent_lite.runtime.segments import segment_length
from tangent_lite.syntax import assign, binary, call, load, subscript


@dataclass(eq=False, repr=False)
class Carried:
    """What a checkpoint of a loop holds, each in the order of the names."""
    names: list[str] = field(default_factory=list)          # bound anew by the loop
    arrays: list[str] = field(default_factory=list)         # names of arrays that it writes into
    lists: list[str] = field(default_factory=list)          # lists that it changes
    dicts: list[str] = field(default_factory=list)          # dicts that get keys that nobody knows
    shadows: list[str] = field(default_factory=list)        # adjoint arrays that are made in it


def reads_again(node: gast.For) -> set[str]:
    """Names that the steps of a loop read and do not bind: they are run again, so these have to be
    at hand in the backward pass."""
    found: set[str] = set()
    for one in syntax.statements(node.body):
        if isinstance(one, gast.For):
            found |= syntax.read_names(one.iter)
        elif isinstance(one, (gast.If, gast.While)):
            found |= syntax.read_names(one.test)
        else:
            found |= uses(one)
    return found - bound_in([node])


def carried(node: gast.For, visible: set[str], written: set[str], aliases: Aliases,
            known: dict[str, Any], contents_of: Callable[[str], set[str]]) -> Carried:
    """What a checkpoint of a loop has to hold.

    visible: names that hold something at the head of the loop that is needed; written: what stands
    for the arrays and lists that the loop changes; known: the kinds of names; contents_of: what
    stands for the contents of a name.
    """
    bound = bound_in(node.body) - {getattr(node, "n_steps", None)}
    changed = sorted(n for n in visible if contents_of(n) & written)
    resized = [n for n in changed if aliases.is_resized(n)]
    dicts = [n for n in resized if isinstance(known.get(n), (kinds.DictKind, kinds.MapKind))]
    return Carried(sorted(bound & visible), [n for n in changed if n not in resized],
                   [n for n in resized if n not in dicts], dicts)


def new_shadows(node: gast.For, found: Carried, shadows: dict[str, str],
                aliases: Aliases) -> list[str]:
    """Shadows among what a loop carries that may be made in the loop, so anew when it runs again.

    shadows: variables with a shadow bound in the forward pass.
    """
    variables = {shadow: name for name, shadow in shadows.items()}
    made = {aliases.find(variables[name]) for one in syntax.statements(node.body)
            for name in definitions(one)
            if name in variables and isinstance(one.value, gast.Call)}
    return [n for n in found.names if n in variables and aliases.find(variables[n]) in made]


def is_checkpointed(node: gast.AST) -> bool:
    return getattr(node, "checkpointed", False)


class Segments:
    """Writes what belongs to one loop; carried: what its checkpoints hold; nested: lists of lists
    of which elements of the inner ones change."""

    def __init__(self, node: gast.For, carried: Carried, fresh: Callable[[str], str],
                 external: Callable[[Any, str], gast.expr], nested: set[str]) -> None:
        self.node, self.carried, self.fresh, self.external = node, carried, fresh, external
        self.nested = nested
        self.length = fresh("length")
        held = {"name": carried.names, "array": carried.arrays, "list": carried.lists,
                "dict": carried.dicts}
        self.lists = {(what, name): fresh(f"{stem(name)}_checkpoints")
                      for what, names in held.items() for name in names}
        self.counted: str | None = getattr(node, "n_steps", None)
        bounds = node.iter.args
        self.is_simple = len(bounds) == 1
        self.from_one = len(bounds) < 3

    # The forward pass -------------------------------------------------------------------------
    def measure(self) -> gast.stmt:
        """`length = segment_length(n)`."""
        helper = self.external(segment_length, "segment_length")
        return assign(self.length, call(helper, self.steps()))

    def keep(self) -> gast.stmt:
        """The checkpoint, at the head of the loop's body."""
        body = []
        for (what, name), checkpoints in self.lists.items():
            value: gast.expr = load(name)
            if what == "list" and name in self.nested:
                value = call(self.external(copied_lists, "copied_lists"), value)
            elif what != "name":
                value = syntax.method(value, "copy")
            body.append(syntax.statement(syntax.method(load(checkpoints), "append", value)))
        test = gast.Compare(binary(self.number(), "%", load(self.length)), [gast.Eq()],
                            [syntax.constant(0)])
        return gast.If(test, body or [gast.Pass()], [])

    def number(self) -> gast.expr:
        """How many steps were done before this one."""
        if self.counted:
            return load(self.counted)
        counter, bounds = load(self.node.target.id), [syntax.copy(a) for a in self.node.iter.args]
        if self.is_simple:
            return counter
        if len(bounds) == 3 and _literal(bounds[2]) == -1:
            return binary(bounds[0], "-", counter)
        done = binary(counter, "-", bounds[0])
        return done if self.from_one else binary(done, "//", bounds[2])

    # The backward pass ------------------------------------------------------------------------
    def piece(self, again: list[gast.stmt], reversed_loop: gast.For) -> gast.For:
        """The loop over the pieces: put back, run again, and backwards."""
        start, stop = self.fresh("start"), self.fresh("stop")
        end = call(load("min"), binary(load(start), "+", load(self.length)), self.taken())
        nexts = {name: self.fresh(f"{stem(name)}_next") for name in self.carried.shadows}
        body = [assign(stop, end)]
        body += [assign(later, load(name)) for name, later in nexts.items()]
        body += self.put_back()
        body.append(syntax.comment("These steps again, now recorded"))
        forwards, backwards = self.pieces(start, stop)
        body.append(gast.For(syntax.copy(self.node.target), forwards, again, [], None))
        # What came for an array that was made in these steps belongs to the one made just now.
        body += [assign(subscript(load(name), gast.Constant(Ellipsis, None), gast.Store()),
                        load(later)) for name, later in nexts.items()]
        reversed_loop.iter = backwards
        body.append(reversed_loop)
        starts = call(load("range"), syntax.constant(0), self.taken(), load(self.length))
        return gast.For(syntax.store(start), call(load("reversed"), starts), body, [], None)

    def put_back(self) -> list[gast.stmt]:
        """The state at the start of a piece: names first, then what they hold."""
        out = []
        for (what, name), checkpoints in self.lists.items():
            value = syntax.method(load(checkpoints), "pop")
            target: gast.expr = syntax.store(name)
            if what == "dict":
                out += [syntax.statement(syntax.method(load(name), "clear")),
                        syntax.statement(syntax.method(load(name), "update", value))]
                continue
            if what == "array":
                target = subscript(load(name), gast.Constant(Ellipsis, None), gast.Store())
            elif what == "list":
                target = subscript(load(name), gast.Slice(None, None, None), gast.Store())
            out.append(gast.Assign([target], value, None))
        return out

    def pieces(self, start: str, stop: str) -> tuple[gast.expr, gast.expr]:
        """The range of a piece, and the same backwards."""
        if self.is_simple:
            minus_one = syntax.constant(-1)
            return (call(load("range"), load(start), load(stop)),
                    call(load("range"), binary(load(stop), "-", syntax.constant(1)),
                         binary(load(start), "-", syntax.constant(1)), minus_one))
        whole = call(load("range"), *[syntax.copy(a) for a in self.node.iter.args])
        piece = subscript(whole, gast.Slice(load(start), load(stop), None))
        return piece, call(load("reversed"), syntax.copy(piece))

    def steps(self) -> gast.expr:
        """How many steps there are at most."""
        bounds = [syntax.copy(a) for a in self.node.iter.args]
        return bounds[0] if self.is_simple else call(load("len"), call(load("range"), *bounds))

    def taken(self) -> gast.expr:
        """How many steps were taken."""
        return load(self.counted) if self.counted else self.steps()


def _literal(node: gast.expr) -> Any:
    return kinds.value_of(Typer({}, lambda name: NO_OBJECT).kind(node))
