"""Ask for a shape what the backward pass reads anyway, in place of what it would keep for that.

An adjoint is summed to the shape of a variable, or spread to it. `np.log(s)` has the shape of `s`,
so where the backward pass reads `s` and of the logarithm the shape alone, it asks `s`; the
logarithm then need not be kept, nor computed where nobody asks for the value. What is spread
together of several such arrays has the shape of their `broadcast`; they are asked where otherwise
it would have to be computed for its shape alone.

>>> from tangent_lite.emit import emit_expression
>>> from tangent_lite.kinds import Array, new_shape
>>> from tangent_lite.stages import stages
>>> def f(s, y):
...     e = s * s
...     t = np.log(e) * y
...     return np.sum(t)
>>> f.__globals__["np"] = __import__("numpy")
>>> arrays = {name: Array(1, "float", new_shape()) for name in "sy"}
>>> for step in stages(f, "s", **arrays).plan.steps.values():
...     for one in step.contributions:
...         print(f"b{one.name} += {emit_expression(one.value)}")
bs += be * s
bs += be * s
be += blog_e / e
blog_e += unbroadcast(bt * y, e)
bt += unreduce(bf, broadcast(e, y))

Which values have one shape is told by the tokens of their kinds. Both are bound once, the one that
is asked in the same block in front of the other, or in a block around: so they are of the same
iteration. Parameters that stay what they are can always be asked; so can, behind the last loop that
binds it anew, what a variable has become. Types may differ, so what makes zeros goes on asking the
variable itself.
"""
from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import runtime, syntax
from tangent_lite.adjoints.steps import Step, content_reads
from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import bound_in, definitions
from tangent_lite.analyses.reaching import reached
from tangent_lite.kinds import Array, Number
from tangent_lite.shapes.sizes import Sizes, make_up
from tangent_lite.syntax import COMPOUND

# Helpers that ask an argument for its shape and for nothing else, and which argument that is.
ASKING = {"unbroadcast": 1, "unreduce": 1, "reduced_size": 0, "mean_size": 0, "size": 0, "shape": 0,
          "ndim": 0, "diagonal_matmul": 2, "matmul_diagonal": 2}
ASKED = {"shape", "size", "ndim"}
_MOST = 3               # arrays that are asked for the shape of one


def liken(tree: gast.FunctionDef, steps: dict[int, Step], facts: Inferred, aliases: Aliases,
          external: Callable[[Any, str], gast.expr], with_value: bool) -> None:
    """Let shapes be asked of what is read anyway; the steps are changed in place.

    with_value: whether what the function returns is asked for too.
    """
    read = set().union(*(s.reads for s in steps.values()))
    shaped = set().union(*(s.shapes for s in steps.values()))
    if not shaped <= read:
        _Likener(tree, steps, facts, aliases, external, with_value, read, shaped).run()


class _Likener:
    def __init__(self, tree: gast.FunctionDef, steps: dict[int, Step], facts: Inferred,
                 aliases: Aliases, external: Callable[[Any, str], gast.expr], with_value: bool,
                 read: set[str], shaped: set[str]) -> None:
        self.external = external
        self.tree, self.steps, self.facts, self.aliases = tree, steps, facts, aliases
        self.bindings = dict.fromkeys(syntax.parameter_names(tree.args), 1)
        for node in syntax.statements(tree.body):
            bound = syntax.bound_names(node.target) if isinstance(node, gast.For) \
                else definitions(node)
            for name in bound:
                self.bindings[name] = self.bindings.get(name, 0) + 1
        self.read, self.shaped = read, shaped
        self.made_of: dict[str, set[str]] = {}
        self.wanted = set(self.read)            # what is computed, whatever is asked for its shape
        self.find_wanted(with_value)
        self.instead: dict[str, tuple[str, ...]] = {}   # what is asked in place of a name

    def run(self) -> None:
        parameters = [p for p in syntax.parameter_names(self.tree.args) if self.bindings[p] == 1
                      and self.token(p) is not None and not self.aliases.is_written(p)]
        computed = self.with_ingredients(self.wanted)
        while True:
            self.instead = {}
            self.computed = computed
            self.block(self.tree.body, {self.token(p): p for p in parameters}, self.settled())
            # What is asked for its shape after all is computed, and so is what it is made of.
            computed = self.with_ingredients(self.wanted | (self.shaped - self.instead.keys()))
            if not any(len(self.instead[n]) > 1 for n in self.instead.keys() & computed):
                break
        if not self.instead:
            return
        for step in self.steps.values():
            if not step.shapes & self.instead.keys():
                continue
            for one in step.contributions:
                one.value = self.asking(one.value)
            step.locals = [(name, self.asking(value)) for name, value in step.locals]
            # Some of the names may have been asked for more than their shape.
            found = [e for c in step.contributions for e in (c.value, c.index) if e is not None]
            left: set[str] = set()
            for expression in found + [value for _, value in step.locals]:
                left |= content_reads(expression)[1]
            gone = {n for n in step.shapes & self.instead.keys() if n not in left}
            step.shapes -= gone
            # Where it is computed again, it is to be there before it is asked.
            step.reads |= {other for n in gone for other in self.instead[n]}

    def find_wanted(self, with_value: bool) -> None:
        """Find of what each name is made, and what is read for what a statement does, or for which
        way it goes."""
        for node in syntax.statements(self.tree.body):
            read = self.facts.mentions[node].reads
            bound = syntax.bound_names(node.target) if isinstance(node, gast.For) \
                else definitions(node)
            if (isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name)) or (
                    isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name)
                    and isinstance(self.facts.names.get(node.target.id), Number)):
                for name in bound:
                    self.made_of.setdefault(name, set()).update(read)
            elif not isinstance(node, gast.Return) or with_value:
                self.wanted |= read

    def with_ingredients(self, names: set[str]) -> set[str]:
        """Names, and all that they are made of."""
        return reached(names, self.made_of)

    def settled(self) -> dict[int, dict[Any, str]]:
        """For statements outside of loops and branches, by id, the names they read that were bound
        several times and are not bound again, by the tokens of what they have become."""
        found: dict[int, dict[Any, str]] = {}
        later: set[str] = set()
        for node in reversed(self.tree.body):
            if isinstance(node, COMPOUND):
                later |= bound_in([node])
            else:
                later.update(definitions(node))
                before = self.facts.before.get(id(node), {})
                found[id(node)] = {     # of several names the one that was bound last
                    token: name for name, count in self.bindings.items() if count != 1
                    and name in before and name not in later and self.is_asked(name)
                    and (token := _token_of(before[name])) is not None}
        return found

    def block(self, block: list[gast.stmt], known: dict[Any, str],
              settled: dict[int, dict[Any, str]] | None = None) -> None:
        """known: for the tokens of shapes, what is read anyway and has been bound."""
        for node in block:
            known.update((settled or {}).get(id(node), {}))
            if isinstance(node, COMPOUND):
                self.block(node.body, dict(known))
                self.block(node.orelse, dict(known))
                continue
            for name in definitions(node):
                token = self.token(name)
                if token is None or self.bindings.get(name) != 1:
                    continue
                if self.is_asked(name):
                    known[token] = name
                elif name in self.shaped and name not in self.read:
                    found = self.together(token[1], known, name not in self.computed)
                    if found:
                        self.instead[name] = found

    def together(self, shape: Any, known: dict[Any, str], several: bool) -> tuple[str, ...]:
        """A name with a shape, or several that have it when they are spread together; none if there
        are no such."""
        names = {token: name for (_, token), name in known.items()}
        if shape in names:
            return (names[shape],)
        if isinstance(shape, Sizes):
            sized = {token: n for token, n in names.items() if isinstance(token, Sizes)}
            for count in range(1, 3 if several else 2):
                for tokens in itertools.combinations(sized, count):
                    if make_up(shape, tokens):
                        return tuple(sized[token] for token in tokens)
            return ()
        if not several or not isinstance(shape, tuple) or shape[0] != "broadcast":
            return ()
        left, found = set(shape[1]), []
        for token, name in names.items():
            parts = token[1] if isinstance(token, tuple) and token[0] == "broadcast" else {token}
            if parts & left and parts <= shape[1]:
                left -= parts
                found.append(name)
        return () if left or len(found) > _MOST else tuple(found)

    def is_asked(self, name: str) -> bool:
        """Whether the backward pass reads the values of a name, which nobody overwrites."""
        return name in self.read and not self.aliases.is_written(name)

    def token(self, name: str) -> Any:
        return _token_of(self.facts.names.get(name))

    def asking(self, expression: gast.expr) -> gast.expr:
        """An expression that asks others for shapes."""
        expression = syntax.copy(expression)
        for node in syntax.walk(expression):
            if isinstance(node, gast.Call):
                name = node.func.attr if isinstance(node.func, gast.Attribute) else \
                    getattr(node.func, "id", "")
                spot = ASKING.get(name)
                if spot is not None and spot < len(node.args):
                    node.args[spot] = self.other(node.args[spot])
            elif isinstance(node, gast.Attribute) and node.attr in ASKED:
                node.value = self.other(node.value)
        return expression

    def other(self, asked: gast.expr) -> gast.expr:
        if isinstance(asked, gast.Name) and asked.id in self.instead:
            names = self.instead[asked.id]
            if len(names) == 1:
                return syntax.load(names[0])
            return syntax.call(self.external(runtime.broadcast, "broadcast"),
                               *map(syntax.load, names))
        return asked


def _token_of(kind: Any) -> Any:
    return (kind.ndim, kind.shape) if isinstance(kind, Array) and kind.ndim \
        and kind.shape is not None else None
