"""Names that may be read before they are bound: Numba reads zeros there, Python raises.

`guarded` writes a flag beside each such name and asks it before the name is read. A name that is
None until something is bound to it counts as unbound: Numba has no name that is None or a number
and still as fast as one. `best is None` asks the flag.
"""
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.adjoints.ranges import backwards
from tangent_lite.analyses.mentions import head
from tangent_lite.backends.numba_lists import ends, leaves
from tangent_lite.syntax import assign, load

_TAPE = re.compile(r"_(tape|checkpoints)(_\d+)?$")      # what names of tapes end with
_PLAIN = (gast.Name, gast.Constant, gast.Compare, gast.BoolOp, gast.UnaryOp, gast.BinOp,
          gast.cmpop, gast.boolop, gast.unaryop, gast.operator, gast.expr_context)

Tests = tuple[tuple[gast.expr, bool], ...]
Missing = set[tuple[str, Tests]]


def guarded(tree: gast.FunctionDef, is_half: bool, unbound: str, theirs: set[str],
            asker: Callable[[], str] | None) -> None:
    """Write flags and questions into a function, in place.

    unbound: the name of the function that gives what stands in names that are None at first.
    theirs: the names of the user, whose lists may be asked for None where tapes are not.
    asker: gives the name of the function that says whether a name is None, given its flag; None in
    functions that hand None on to others, which ask it for that.
    is_half: it is a half of a pair, whose results hold what was never bound, for the other half to
    leave alone.
    """
    asked = set() if asker is None else _asked_before_restored(tree, theirs)
    unset = _none_or_bound(tree, asked)
    asked &= unset
    bindings = Counter(name for node in syntax.walk(tree) for name in _bound_by(node))
    once = {name for name, count in bindings.items() if count == 1} \
        - set(syntax.parameter_names(tree.args))
    flow = _Flow(unset, is_half, theirs, once)
    flow.block(tree.body, set(syntax.parameter_names(tree.args)))
    if not flow.unsure and not unset:
        return
    unsure = {name for found in flow.questions.values() for name, _ in found if name in bindings} \
        | asked
    taken = syntax.all_names(tree)
    flags = {}
    for name in sorted(unsure):
        flag = f"{name}_is_bound"
        while flag in taken:
            flag += "_"
        flags[name] = flag
    writer = _Writer(flags, unset, flow.questions, unbound)
    start = [assign(flag, gast.Constant(False, None)) for flag in flags.values()]
    # Numba wants to see a name bound somewhere above the place where it is read.
    first = {name for name in flags if name not in unset} - set(
        syntax.parameter_names(tree.args))
    start += [assign(name, syntax.call(load(unbound))) for name in sorted(first)]
    start += [assign(flags[name], gast.Constant(True, None))
              for name in syntax.parameter_names(tree.args) if name in flags]
    has_docstring = bool(tree.body) and _is_text(tree.body[0])
    top = tree.body[:1] if has_docstring else []
    tree.body = top + start + writer.block(tree.body[len(top):])
    if asked and asker is not None:
        _AskFlags({name: flags[name] for name in asked}, asker()).visit(tree)


def _is_text(node: gast.stmt) -> bool:
    return isinstance(node, gast.Expr) and isinstance(node.value, gast.Constant)


def _none_or_bound(tree: gast.FunctionDef, by_flags: set[str]) -> set[str]:
    """Names that are set to None and bound to something else too, and never asked for None, but for
    those whose flags can be asked."""
    none: set[str] = set()
    other = set(syntax.parameter_names(tree.args))
    asked: set[str] = set()
    for node in syntax.walk(tree):
        if isinstance(node, gast.Assign) and _is_none(node.value):
            none.update(name for target in node.targets for name in syntax.bound_names(target))
        else:
            other.update(_bound_by(node))
        if isinstance(node, gast.Compare) and any(map(_is_none, [node.left, *node.comparators])) \
                and not (_question(node) and syntax.read_names(node) <= by_flags):
            asked |= syntax.read_names(node)
    return (none & other) - asked


def _asked_before_restored(tree: gast.FunctionDef, theirs: set[str]) -> set[str]:
    """Names that are asked for None, but not where a tape may have given back that they were None:
    a flag says then that they are bound."""
    asked: dict[str, int] = {}
    restored: dict[str, int] = {}
    for number, whole in enumerate(tree.body):
        for node in syntax.statements([whole]):
            for part in gast.walk(head(node)):
                found = _question(part)
                if found is not None:
                    asked[found[0]] = number
            if any(_TAPE.search(name) for name in syntax.read_names(head(node)) - theirs):
                for name in _bound_by(node):
                    restored.setdefault(name, number)
    # What is given back in a loop may be asked in its next step.
    return {name for name, number in asked.items() if number < restored.get(name, number + 1)} \
        - set(syntax.parameter_names(tree.args))


def _question(node: gast.AST) -> tuple[str, bool] | None:
    """The name in `name is None` (True) and `name is not None` (False)."""
    if isinstance(node, gast.Compare) and len(node.ops) == 1 and isinstance(node.left, gast.Name) \
            and isinstance(node.ops[0], (gast.Is, gast.IsNot)) and _is_none(node.comparators[0]):
        return node.left.id, isinstance(node.ops[0], gast.Is)
    return None


class _AskFlags(gast.NodeTransformer):
    """`best is None` => `is_unset(best, best_is_bound)`"""

    def __init__(self, flags: dict[str, str], asker: str) -> None:
        self.flags, self.asker = flags, asker

    def visit_Compare(self, node: gast.Compare) -> Any:
        found = _question(node)
        if found is None or found[0] not in self.flags:
            return self.generic_visit(node)
        asked = syntax.call(load(self.asker), load(found[0]), load(self.flags[found[0]]))
        return syntax.copy_place(asked if found[1] else syntax.negated(asked), node)


def _is_none(node: gast.AST) -> bool:
    return isinstance(node, gast.Constant) and node.value is None


def _bound_by(node: gast.AST) -> list[str]:
    """The names that a statement binds itself."""
    if isinstance(node, gast.Assign):
        return [name for target in node.targets for name in syntax.bound_names(target)]
    if isinstance(node, (gast.AugAssign, gast.For, gast.AnnAssign)):
        return syntax.bound_names(node.target)
    return []


class _Flow:
    """Goes through a function and notes, by statement, which names it may read unbound.

    A set of bound names is None behind a jump, where nothing is reached. once: names that one
    statement binds.
    """

    def __init__(self, unset: set[str], is_half: bool, theirs: set[str], once: set[str]) -> None:
        self.unset, self.is_half, self.theirs = unset, is_half, theirs
        # What a statement may read unbound, and the tests that come out true where it does.
        self.questions: dict[int, Missing] = {}
        self.loops: list[list[set[str]]] = []       # of the loops around: bound at each break
        # The ranges of loops that go back over those in front of them, and what is bound if these
        # made a step: then they did too.
        self.mirrors: list[tuple[gast.expr, set[str]]] = []
        self.surely: set[str] = set()               # bound by each step of the loop just seen
        self.once = once
        # What the ways of branches bind, by the name of the condition and what that says.
        self.ways: dict[tuple[str, bool], set[str]] = {}

    @property
    def unsure(self) -> bool:
        return bool(self.questions)

    def reads(self, node: gast.stmt, parts: Iterable[gast.AST | None], bound: set[str]) -> None:
        missing = {found for part in parts if part is not None
                   for found in self.missing(part, bound)}
        if missing:
            self.questions.setdefault(id(node), set()).update(missing)

    def missing(self, part: Any, bound: set[str], under: Tests = ()) -> Missing:
        """The names that an expression may read unbound; `best is None or s > best` does not.

        under: the tests around it, and how they come out where it is evaluated."""
        found = _question(part)
        if found is not None and found[0] in self.unset:
            return set()
        if isinstance(part, gast.BoolOp):
            missing: Missing = set()
            for value in part.values:
                missing |= self.missing(value, bound, under)
                is_true = isinstance(part.op, gast.And)
                bound = bound | self.bound_if(value, is_true)
                under = _further(under, value, is_true)
            return missing
        if isinstance(part, gast.IfExp):
            return self.missing(part.test, bound, under).union(*(
                self.missing(way, bound | self.bound_if(part.test, is_true),
                             _further(under, part.test, is_true))
                for way, is_true in ((part.body, True), (part.orelse, False))))
        if isinstance(part, gast.UnaryOp):
            return self.missing(part.operand, bound, under)
        return {(name, under) for name in syntax.read_names(part) - bound}

    def bound_if(self, test: gast.expr, is_true: bool) -> set[str]:
        """The names that are bound, and not None, if a test came out like that."""
        found = _question(test)
        if found is not None:
            return {found[0]} if found[1] != is_true else set()
        if isinstance(test, gast.Name):
            return self.ways.get((test.id, is_true), set())
        if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
            return self.bound_if(test.operand, not is_true)
        if isinstance(test, gast.BoolOp) and isinstance(test.op, gast.And) == is_true:
            return {name for part in test.values for name in self.bound_if(part, is_true)}
        return set()

    def block(self, block: list[gast.stmt], bound: set[str] | None) -> set[str] | None:
        known = self.mirrors
        before: gast.stmt | None = None
        for node in block:
            if bound is None:
                break
            changed = {name for one in syntax.statements([node]) for name in _bound_by(one)}
            self.mirrors = [(range_, names - changed) for range_, names in self.mirrors
                            if not changed & syntax.read_names(range_)]
            self.surely = set()
            bound = self.statement(node, bound, before)
            before = node if not syntax.is_comment(node) else before
            if isinstance(node, gast.For) and _can_be_repeated(node) \
                    and not changed & syntax.read_names(node.iter):
                self.mirrors = [*self.mirrors, (backwards(node), self.surely)]
        self.mirrors = known
        return bound

    def statement(self, node: gast.stmt, bound: set[str],
                  before: gast.stmt | None) -> set[str] | None:
        if isinstance(node, gast.Assign):
            if _is_none(node.value):
                names = _bound_by(node)
                return (bound | set(names)) - self.unset.intersection(names)
            inside = [t for t in node.targets if not isinstance(t, gast.Name)]
            self.reads(node, [node.value, *inside], bound)
            return bound | set(_bound_by(node))
        if isinstance(node, gast.AugAssign):
            named = {node.target.id} if isinstance(node.target, gast.Name) else set()
            self.reads(node, [node.value, node.target], bound)
            if named - bound:
                self.questions.setdefault(id(node), set()).update((n, ()) for n in named - bound)
            return bound | named
        if isinstance(node, gast.If):
            self.reads(node, [node.test], bound)
            ways = [self.block(node.body, bound | self.bound_if(node.test, True)),
                    self.block(node.orelse, bound | self.bound_if(node.test, False))]
            if isinstance(node.test, gast.Name) and node.test.id in self.once \
                    and isinstance(before, gast.Assign) and _bound_by(before) == [node.test.id]:
                # Where this condition is asked again, this branch has been gone through since.
                self.ways.update(((node.test.id, is_true), way - self.unset)
                                 for is_true, way in zip((True, False), ways) if way is not None)
            return _meet(ways)
        if isinstance(node, gast.For):
            self.reads(node, [node.iter], bound)
            self.loops.append([])
            mirrored = {name for range_, names in self.mirrors if syntax.same(range_, node.iter)
                        for name in names}
            surely = self.block(node.body,
                                bound | mirrored | set(syntax.bound_names(node.target)))
            breaks = self.loops.pop()
            found = _meet([self.block(node.orelse, bound), *breaks])
            self.surely = surely or set()
            return found
        if isinstance(node, gast.While):
            self.reads(node, [node.test], bound)
            self.loops.append([])
            self.block(node.body, bound | self.bound_if(node.test, True))
            breaks = self.loops.pop()
            forever = isinstance(node.test, gast.Constant) and bool(node.test.value)
            ends = [] if forever else [self.block(node.orelse, bound)]
            return _meet([*ends, *breaks])
        if isinstance(node, gast.Break):
            self.loops[-1].append(bound)
            return None
        if isinstance(node, gast.Continue):
            return None
        if isinstance(node, gast.Return):
            if not self.is_half:
                self.reads(node, [node.value], bound)
            return None
        if isinstance(node, gast.Raise):
            return None
        if isinstance(node, gast.Expr) and self._keeps(node.value):
            return bound
        self.reads(node, [p for p in node.__dict__.values() if isinstance(p, gast.AST)], bound)
        return bound

    def _keeps(self, value: gast.expr) -> bool:
        """`tape.append(x)`: what is put on a tape may never have been bound."""
        return isinstance(value, gast.Call) and isinstance(value.func, gast.Attribute) \
            and value.func.attr == "append" and isinstance(value.func.value, gast.Name) \
            and value.func.value.id not in self.theirs \
            and _TAPE.search(value.func.value.id) is not None \
            and syntax.read_names(value) <= {*self.unset, *syntax.read_names(value.func)}


def _can_be_repeated(loop: gast.For) -> bool:
    """Whether a loop runs to its end, over a range of numbers that are the same afterwards."""
    return ends(loop) is not None and not leaves(loop.body) and not any(
        isinstance(part, gast.Call) for argument in loop.iter.args for part in gast.walk(argument))


def _meet(ways: list[set[str] | None]) -> set[str] | None:
    reached = [way for way in ways if way is not None]
    return set.intersection(*reached) if reached else None


class _Writer:
    def __init__(self, flags: dict[str, str], unset: set[str],
                 questions: dict[int, Missing], unbound: str) -> None:
        self.flags, self.unset, self.questions = flags, unset, questions
        self.unbound = unbound

    def block(self, block: list[gast.stmt]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for node in block:
            asked = self.asked(node)
            if asked and isinstance(node, gast.While):
                # The test is evaluated again and again: it moves into the loop.
                node.body = [*self.ask(asked, node), gast.If(
                    syntax.negated(node.test), [*node.orelse, gast.Break()], []), *node.body]
                node.test, node.orelse = gast.Constant(True, None), []
            else:
                out += self.ask(asked, node)
            if isinstance(node, gast.Assign) and _is_none(node.value):
                names = _bound_by(node)
                out += [assign(self.flags[n], gast.Constant(False, None)) for n in names
                        if n in self.flags and n in self.unset]
                left = [n for n in names if n not in self.unset]
                made = [assign(n, syntax.call(load(self.unbound))) for n in names
                        if n in self.unset]
                made += [assign(n, gast.Constant(None, None)) for n in left]
                syntax.serve(made, node)
                out += made
                continue
            for field in ("body", "orelse"):
                inner = getattr(node, field, None)
                if isinstance(inner, list) and inner:
                    setattr(node, field, self.block(inner))
            marks = [assign(self.flags[n], gast.Constant(True, None)) for n in _bound_by(node)
                     if n in self.flags]
            if isinstance(node, gast.For):
                node.body = marks + node.body
                marks = []
            syntax.serve(marks, node)
            out.append(node)
            out += marks
        return out or ([gast.Pass()] if block else [])

    def asked(self, node: gast.stmt) -> dict[str, list[Tests]]:
        """The names to ask for in front of a statement, and the tests where these are read: none
        where it is in any case."""
        found = [(n, under) for n, under in self.questions.get(id(node), ()) if n in self.flags]
        asked = {name: [under for n, under in found if n == name] for name in sorted(dict(found))}
        return {name: [] if () in ways else ways for name, ways in asked.items()}

    def ask(self, asked: dict[str, list[Tests]], node: gast.stmt) -> list[gast.stmt]:
        made: list[gast.stmt] = []
        for name, ways in asked.items():
            test: gast.expr = gast.UnaryOp(gast.Not(), load(self.flags[name]))
            read = [_all_of(under) for under in sorted(ways, key=_in_order)]
            if read:
                test = gast.BoolOp(gast.And(), [
                    test, read[0] if len(read) == 1 else gast.BoolOp(gast.Or(), read)])
            made.append(gast.If(test, [gast.Raise(
                syntax.call(load("UnboundLocalError"),
                            gast.Constant(f"{name} is read before it is bound", None)), None)], []))
        syntax.serve(made, node)
        return made


def _further(under: Tests, test: gast.expr, is_true: bool) -> Tests:
    """These tests, and one more, if it can be evaluated once more: names do not change meanwhile,
    elements and what functions give might."""
    if any(not isinstance(node, _PLAIN) for node in gast.walk(test)) \
            or any(_is_none(node) for node in gast.walk(test)):
        return under
    return (*under, (test, is_true))


def _all_of(under: Tests) -> gast.expr:
    tests = [syntax.copy(test) if is_true else syntax.negated(syntax.copy(test))
             for test, is_true in under]
    return tests[0] if len(tests) == 1 else gast.BoolOp(gast.And(), tests)


def _in_order(under: Tests) -> str:
    return repr([(gast.dump(test), is_true) for test, is_true in under])
