"""What a loop runs over, by position: a range, and what each position stands for.

    for i, v in enumerate(xs):          for i in range(len(xs)):
                                            v = xs[i]
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.short_forms import reversed_range
from tangent_lite.names import Names
from tangent_lite.syntax import call, load, store


class ByPosition:
    """The part of a pass that writes loops by position; what it needs besides is written in front
    of the loop by `assign`, `add` and `temporary` of that pass."""

    names: Names
    out: list[gast.stmt]
    rebound: set[str]                   # names that the loop at hand binds

    def add(self, node: gast.stmt) -> None:
        raise NotImplementedError

    def assign(self, target: gast.expr, value: gast.expr) -> None:
        raise NotImplementedError

    def temporary(self, hint: str, value: gast.expr) -> gast.Name:
        raise NotImplementedError

    def iteration(self, iterator: gast.expr,
                  target: gast.expr | None = None) -> tuple[str, list[Any]]:
        """What a loop runs over: ("range", bounds), or a kind of loop and what it runs over.

        The kinds are "plain" (a sequence), "reversed" and "enumerate" (of another iteration, and
        its start), and "zip" (of others). target: what takes an item, which says how many things
        `zip(*rows)` goes through.
        """
        self.spread(iterator, target)
        if isinstance(iterator, gast.Call) and isinstance(iterator.func, gast.Name) \
                and iterator.func.id in ("range", "enumerate", "zip", "reversed") \
                and iterator.args and _is_known_option(iterator) \
                and not any(isinstance(a, gast.Starred) for a in iterator.args):
            name, args = iterator.func.id, iterator.args
            option = iterator.keywords[0].value if iterator.keywords else None
            if name == "range":
                return "range", args
            if name == "zip":
                targets = target.elts if isinstance(target, gast.Tuple) \
                    and len(target.elts) == len(args) else [None] * len(args)
                parts = [self.steady(self.iteration(a, t)) for a, t in zip(args, targets)]
                if option is not None and option.value:
                    self.alike(parts)
                return "zip", parts
            if name == "enumerate":
                inside = target.elts[1] if isinstance(target, gast.Tuple) \
                    and len(target.elts) == 2 else None
                return "enumerate", [self.steady(self.iteration(args[0], inside)), *map(
                    self.once, args[1:] if option is None else [option])]
            inner = self.iteration(args[0])
            if inner[0] == "range":
                backwards = reversed_range(inner[1])
                if backwards is not None:
                    return "range", backwards
            if inner[0] in ("range", "plain"):
                return "reversed", [self.steady(inner)]
        return "plain", [self.sequence(iterator)]

    def spread(self, iterator: gast.expr, target: gast.expr | None) -> None:
        """`for a, b in zip(*rows)` goes through two rows: they get names."""
        if not (isinstance(iterator, gast.Call) and isinstance(iterator.func, gast.Name)
                and iterator.func.id == "zip" and len(iterator.args) == 1
                and isinstance(iterator.args[0], gast.Starred)
                and isinstance(target, (gast.Tuple, gast.List)) and target.elts
                and not any(isinstance(t, gast.Starred) for t in target.elts)):
            return
        names = [self.names.fresh("row") for _ in target.elts]
        self.assign(syntax.tuple_of([store(n) for n in names], gast.Store()),
                    iterator.args[0].value)
        iterator.args = [load(n) for n in names]

    def alike(self, parts: list[tuple[str, list[Any]]]) -> None:
        """What `zip(xs, ys, strict=True)` asks for."""
        first, *others = [self.length(*part) for part in parts]
        for other in others:
            error = call(load("ValueError"), gast.Constant(
                "zip() has arguments of different lengths", None))
            self.add(gast.If(gast.Compare(syntax.copy(first), [gast.NotEq()], [other]),
                             [gast.Raise(error, None)], []))

    def sequence(self, node: gast.expr) -> gast.expr:
        """A name for what is run over, so that it is computed once."""
        if isinstance(node, gast.Name) and node.id not in self.rebound:
            return node
        return self.temporary("items", node)

    def steady(self, iteration: tuple[str, list[Any]]) -> tuple[str, list[Any]]:
        """An iteration whose items are taken in the body, where the bounds are as they were."""
        kind, parts = iteration
        return kind, [self.once(p) for p in parts] if kind == "range" else parts

    def once(self, node: gast.expr) -> gast.expr:
        """What the body of the loop reads again, as it is in front of the loop."""
        again = syntax.is_simple(node) and not syntax.read_names(node) & self.rebound
        return node if again else self.temporary("start", node)

    def counted(self, kind: str, parts: list[Any], target: gast.expr,
                bound: set[str]) -> tuple[str, list[gast.expr], list[gast.stmt]]:
        """A counter, the bounds of its range, and the statements that take the items."""
        if kind == "range":
            counter = self.names.fresh(target.id if isinstance(target, gast.Name) else "k")
            return counter, parts, [gast.Assign([target], load(counter), None)]
        if kind == "reversed" and parts[0][0] == "plain":
            # Counted down, as one would write it.
            counter = self.names.fresh("k")
            length = self.length("plain", parts[0][1])
            last = syntax.binary(length, "-", syntax.constant(1))
            bounds = [last, syntax.constant(-1), syntax.constant(-1)]
            return counter, bounds, [gast.Assign([target], self.item("plain", parts[0][1], counter),
                                                 None)]
        pair = isinstance(target, (gast.Tuple, gast.List)) and len(target.elts) == 2
        index = target.elts[0] if pair else None
        if kind == "enumerate" and len(parts) == 1 and isinstance(index, gast.Name) \
                and index.id not in bound | set(syntax.bound_names(target.elts[1])):
            value = self.item(parts[0][0], parts[0][1], index.id)
            return index.id, [self.length(*parts[0])], [gast.Assign([target.elts[1]], value, None)]
        counter = self.names.fresh("k")
        value = self.item(kind, parts, counter)
        return counter, [self.length(kind, parts)], [gast.Assign([target], value, None)]

    def length(self, kind: str, parts: list[Any]) -> gast.expr:
        """How often a loop runs."""
        if kind == "zip":
            lengths = [self.length(*p) for p in parts]
            return lengths[0] if len(lengths) == 1 else call(load("min"), *lengths)
        if kind in ("enumerate", "reversed"):
            return self.length(*parts[0])
        if kind == "range":
            if len(parts) == 1:
                return call(load("max"), syntax.copy(parts[0]), syntax.constant(0))
            return call(load("len"), call(load("range"), *syntax.copy(parts)))
        return call(load("len"), syntax.copy(parts[0]))

    def item(self, kind: str, parts: list[Any], counter: str) -> gast.expr:
        """What a loop hands out at a count."""
        if kind == "zip":
            return gast.Tuple([self.item(p[0], p[1], counter) for p in parts], gast.Load())
        if kind == "enumerate":
            number: gast.expr = load(counter)
            if len(parts) > 1:
                number = syntax.binary(number, "+", syntax.copy(parts[1]))
            return gast.Tuple([number, self.item(parts[0][0], parts[0][1], counter)],
                              gast.Load())
        if kind == "range":
            if len(parts) == 1:
                return load(counter)
            return syntax.subscript(call(load("range"), *syntax.copy(parts)), load(counter))
        if kind == "reversed":
            inner = parts[0]
            spot = syntax.binary(syntax.binary(self.length(*inner), "-", syntax.constant(1)), "-",
                                 load(counter))
            if inner[0] == "range":
                return syntax.subscript(call(load("range"), *syntax.copy(inner[1])), spot)
            node = syntax.subscript(syntax.copy(inner[1][0]), spot)
        else:
            node = syntax.subscript(syntax.copy(parts[0]), load(counter))
        node.iterates = True
        return node


def _is_known_option(iterator: gast.Call) -> bool:
    """Whether what loops run over has no option, or `enumerate(xs, start=1)` or a literal one of
    `zip(xs, ys, strict=True)`."""
    given = [(iterator.func.id, k.arg) for k in iterator.keywords]
    return not given or (given == [("enumerate", "start")] and len(iterator.args) == 1) or (
        given == [("zip", "strict")] and isinstance(iterator.keywords[0].value, gast.Constant))
