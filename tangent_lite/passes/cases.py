"""Write `match` as `if` and `elif`.

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(x, how):
...     match how:
...         case "twice" | "double":
...             return 2.0 * x
...         case ("add", y) if y > 0.0:
...             return x + y
...         case _:
...             return x
... ''').body[0]
>>> print(emit(cases(tree, lambda node: None, lambda *what: None)), end="")
def f(x, how):
    if how == "twice" or how == "double":
        return 2.0 * x
    else:
        matched = False
        if "is a sequence"(how) and len(how) == 2 and how[0] == "add":
            y = how[1]
            matched = True
        if matched and y > 0.0:
            return x + y
        else:
            return x

As in Python, the subject is evaluated once; the names of a pattern are bound when all of it has
matched, and stay bound when the guard says no. Whether something is a sequence or a mapping is
answered when kinds are known (see `prune`).
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.markers import Marker, mark
from tangent_lite.modules import held_by_class
from tangent_lite.names import Names
from tangent_lite.syntax import assign, attribute, call, constant, load, placed, subscript

MATCHES_ITSELF = 1 << 22            # a flag of classes such as int and str: `case int(n)`
Refuse = Callable[[gast.AST, str, str], Exception]


@dataclass
class Way:
    """One way for a pattern to match: what has to hold, and what is bound then, or deleted."""
    tests: list[gast.expr] = field(default_factory=list)
    bound: list[tuple[str, gast.expr]] = field(default_factory=list)


def cases(tree: gast.FunctionDef, class_of: Callable[[gast.expr], Any], refuse: Refuse,
          names: Names | None = None) -> gast.FunctionDef:
    """Return a tree without `match`; class_of: the class that an expression means, or None."""
    if syntax.all_of(tree, gast.Match):
        tree = syntax.copy(tree)
        bound = {n.id for n in syntax.walk(tree) if isinstance(n, gast.Name)
                 and not isinstance(n.ctx, gast.Load)}
        for test in (isinstance, hasattr):
            if test.__name__ in bound or class_of(load(test.__name__)) not in (test, None):
                place = next(n for n in syntax.walk(tree) if isinstance(n, gast.Match))
                raise refuse(place, f"{test.__name__} has another meaning here, and patterns need "
                                    "the old one", "give it another name")
        writer = _Cases(names or Names(syntax.all_names(tree)), class_of, refuse)
        tree.body = writer.block(tree.body)
    return tree


class _Cases:
    def __init__(self, names: Names, class_of: Callable[[gast.expr], Any],
                 refuse: Refuse) -> None:
        self.names, self.class_of, self.refuse = names, class_of, refuse

    def block(self, block: list[gast.stmt]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for node in block:
            if isinstance(node, gast.Match):
                out += self.match(node)
                continue
            for inner in syntax.blocks_of(node):
                inner[:] = self.block(inner)
            out.append(node)
        return out

    def match(self, node: gast.Match) -> list[gast.stmt]:
        captured = {n for case in node.cases for n in _captures(case)}
        out: list[gast.stmt] = []
        subject = node.subject
        if not isinstance(subject, gast.Name) or subject.id in captured:
            name = self.names.fresh("subject")
            out.append(placed(assign(name, subject), node))
            subject = load(name)
        return out + self.chain(node.cases, subject)

    def chain(self, found: list[Any], subject: gast.expr) -> list[gast.stmt]:
        if not found:
            return []
        case, rest = found[0], found[1:]
        ways = self.pattern(case.pattern, subject)
        body = self.block(case.body)
        place = case.body[0]
        binding = any(way.bound for way in ways)
        if len(ways) == 1 and not ways[0].tests:
            first = self.bindings(ways[0], case.pattern)
            if case.guard is None:
                return first + body
            return [*first, placed(gast.If(case.guard, body, self.chain(rest, subject)), place)]
        if not binding:
            test = _any([_all(way.tests) for way in ways])
            if case.guard is not None:
                test = gast.BoolOp(gast.And(), [*_parts(test, gast.And), case.guard])
            return [placed(gast.If(test, body, self.chain(rest, subject)), case.pattern)]
        if len(ways) == 1 and case.guard is None:
            first = self.bindings(ways[0], case.pattern)
            return [placed(gast.If(_all(ways[0].tests), first + body, self.chain(rest, subject)),
                        case.pattern)]
        matched = self.names.fresh("matched")
        out = [placed(assign(matched, gast.Constant(False, None)), case.pattern)]
        choice: list[gast.stmt] = []
        for way in reversed(ways):
            done = [*self.bindings(way, case.pattern),
                    placed(assign(matched, gast.Constant(True, None)), case.pattern)]
            choice = [placed(gast.If(_all(way.tests), done, choice), case.pattern)] \
                if way.tests else done
        found_one: gast.expr = load(matched)
        found_one.matched = True
        if case.guard is not None:
            found_one = gast.BoolOp(gast.And(), [found_one, case.guard])
        return [*out, *choice, placed(gast.If(found_one, body, self.chain(rest, subject)),
                                   case.pattern)]

    def bindings(self, way: Way, place: gast.AST) -> list[gast.stmt]:
        return [placed(gast.Delete([value]) if isinstance(getattr(value, "ctx", None), gast.Del)
                    else assign(name, value), place) for name, value in way.bound]

    # Patterns ---------------------------------------------------------------------------------
    def pattern(self, node: Any, subject: gast.expr) -> list[Way]:
        """The ways in which a pattern matches, in the order in which they are tried."""
        made: list[Way] = getattr(self, "_" + type(node).__name__)(node, subject)
        return made

    def together(self, parts: list[list[Way]]) -> list[Way]:
        """All of several patterns: the ways of the first with the ways of the others."""
        found = [Way()]
        for ways in parts:
            found = [Way(a.tests + syntax.copy(b.tests), a.bound + [
                (name, syntax.copy(value)) for name, value in b.bound])
                for a in found for b in ways]
        return found

    def _MatchValue(self, node: Any, subject: gast.expr) -> list[Way]:
        return [Way([_compare(subject, gast.Eq(), node.value)])]

    def _MatchSingleton(self, node: Any, subject: gast.expr) -> list[Way]:
        return [Way([_compare(subject, gast.Is(), gast.Constant(node.value, None))])]

    def _MatchAs(self, node: Any, subject: gast.expr) -> list[Way]:
        ways = self.pattern(node.pattern, subject) if node.pattern is not None else [Way()]
        name = getattr(node.name, "id", node.name)
        if name is not None:
            for way in ways:
                way.bound.append((name, syntax.copy(subject)))
        return ways

    def _MatchOr(self, node: Any, subject: gast.expr) -> list[Way]:
        return [way for part in node.patterns for way in self.pattern(part, subject)]

    def _MatchSequence(self, node: Any, subject: gast.expr) -> list[Way]:
        stars = [k for k, p in enumerate(node.patterns) if isinstance(p, gast.MatchStar)]
        least = len(node.patterns) - len(stars)
        length = call(load("len"), syntax.copy(subject))
        operator = gast.GtE() if stars else gast.Eq()
        first = Way([_ask("sequence", subject)])
        if least or not stars:
            first.tests.append(gast.Compare(length, [operator], [constant(least)]))
        parts = [[first]]
        for number, part in enumerate(node.patterns):
            behind = len(node.patterns) - number
            if isinstance(part, gast.MatchStar):
                name = getattr(part.name, "id", part.name)
                if name is not None:
                    stop = constant(1 - behind) if behind > 1 else None
                    rest = gast.Slice(constant(number) if number else None, stop, None)
                    value = call(load("list"), subscript(syntax.copy(subject), rest))
                    parts.append([Way([], [(name, value)])])
                continue
            index = constant(-behind if stars and stars[0] < number else number)
            parts.append(self.pattern(part, subscript(syntax.copy(subject), index)))
        return self.together(parts)

    def _MatchMapping(self, node: Any, subject: gast.expr) -> list[Way]:
        parts = [[Way([_ask("mapping", subject)])]]
        for key, part in zip(node.keys, node.patterns):
            there = gast.Compare(syntax.copy(key), [gast.In()], [syntax.copy(subject)])
            there.asks = True
            parts.append([Way([there])])
            parts.append(self.pattern(part, subscript(syntax.copy(subject), syntax.copy(key))))
        rest = getattr(node.rest, "id", node.rest)
        if rest is not None:
            whole = gast.Dict([None], [syntax.copy(subject)])       # {**subject}
            less = [(rest, subscript(load(rest), syntax.copy(key), gast.Del()))
                    for key in node.keys]
            parts.append([Way([], [(rest, whole), *less])])
        return self.together(parts)

    def _MatchClass(self, node: Any, subject: gast.expr) -> list[Way]:
        found = self.class_of(node.cls)
        if not isinstance(found, type):
            raise self.refuse(node, "which class this pattern names is not known",
                              "name a class of the module or of an imported one")
        test = call(load("isinstance"), syntax.copy(subject), syntax.copy(node.cls))
        parts = [[Way([test])]]
        patterns = list(node.patterns)
        given = getattr(found, "__match_args__", None)
        if given is None and len(patterns) == 1 and found.__flags__ & MATCHES_ITSELF:
            parts.append(self.pattern(patterns.pop(), subject))
        attributes = list(given or ())[:len(patterns)]
        if len(attributes) < len(patterns):
            raise self.refuse(node, f"{found.__name__} takes fewer positional patterns",
                              "name the attributes: case Point(x=0.0)")
        for name, part in zip([*attributes, *node.kwd_attrs], patterns + node.kwd_patterns):
            if isinstance(held_by_class(found, name), property):
                raise self.refuse(part, f"{name} is a property, which a pattern would ask several "
                                        "times", "ask for it once, and test it with `if`")
            there = call(load("hasattr"), syntax.copy(subject), gast.Constant(name, None))
            there.asks = True
            parts.append([Way([there])])
            parts.append(self.pattern(part, attribute(syntax.copy(subject), name)))
        return self.together(parts)


def _ask(what: str, subject: gast.expr) -> gast.expr:
    return mark(Marker(f"is a {what}", 0), syntax.copy(subject))


def _compare(subject: gast.expr, operator: Any, value: gast.expr) -> gast.expr:
    return gast.Compare(syntax.copy(subject), [operator], [syntax.copy(value)])


def _parts(test: gast.expr, operator: type) -> list[gast.expr]:
    return test.values if isinstance(test, gast.BoolOp) and isinstance(test.op, operator) \
        else [test]


def _all(tests: list[gast.expr]) -> gast.expr:
    if not tests:
        return gast.Constant(True, None)
    return tests[0] if len(tests) == 1 else gast.BoolOp(gast.And(), tests)


def _any(tests: list[gast.expr]) -> gast.expr:
    return tests[0] if len(tests) == 1 else gast.BoolOp(gast.Or(), tests)


def _captures(case: Any) -> set[str]:
    """Names that a case binds before later cases are looked at."""
    found = {n.target.id for n in syntax.walk(case.guard) if isinstance(n, gast.NamedExpr)} \
        if case.guard is not None else set()
    for node in syntax.walk(case.pattern):
        for field_name in ("name", "rest"):
            name = getattr(node, field_name, None)
            name = getattr(name, "id", name)
            if isinstance(name, str):
                found.add(name)
    return found
