"""A list that is kept where somebody asks for it, and None elsewhere, is a list in any case.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.names import Names
>>> tree = gast.parse('''
... def f(x, record=False):
...     trace = [] if record else None
...     for k in range(3):
...         x = x * x
...         if trace is not None:
...             trace.append(x)
...     return x + trace[0] if record else x
... ''').body[0]
>>> import builtins
>>> made = kept_or_none(tree, Names(syntax.all_names(tree)), vars(builtins).get, {"record"})
>>> print(emit(made), end="")
def f(x, record=False):
    trace = []
    for k in range(3):
        x = x * x
        if record:
            trace.append(x)
    return x + trace[0] if record else x

Nobody may see that there is a list where there was None: the name is bound in one place, tests ask
whether it is None or true (which an empty list is not), and all else stands where one of them, or
the condition itself, says that there is a list. A condition that may be another one later on has a
name of its own: `has_trace`.
"""
from __future__ import annotations

import collections
from collections.abc import Callable, Collection
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.names import Names

_SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef)
_TESTED = (gast.If, gast.While, gast.IfExp, gast.Assert)


def kept_or_none(tree: gast.FunctionDef, names: Names, meaning: Callable[[str], Any],
                 steady: Collection[str]) -> gast.FunctionDef:
    """The function with such lists, in place; meaning: what a name of the module means, or Python's
    own; steady: parameters that are true or not as long as they have their names."""
    bound = {node.id for node in syntax.names_in(tree) if not isinstance(node.ctx, gast.Load)}

    def outside(name: str) -> Any:
        return None if name in bound else meaning(name)

    for node in list(tree.body):
        number = syntax.place_in(tree.body, node)
        found = _choice(node, tree.body[number - 1] if number else None, outside)
        if found is None or not _is_bound_once(tree, found, tree.body[:number]):
            continue
        condition: Any = found.condition
        is_steady = isinstance(condition, gast.Name) and condition.id in steady \
            and not _binds(tree, condition.id)
        kept = condition.id if is_steady else names.fresh(f"has_{found.name}")
        reads = _Reads(found.name, condition.id if is_steady else "")
        reads.block(tree.body[number + 1:], False)
        if not reads.is_guarded:
            continue
        _rewrite(tree, number, found, kept, is_steady)
        _Tests(found.name, kept).visit(tree)
    return tree


class _Found:
    """A list that is made if a condition holds; name: its variable; statements: those that say so;
    made: the list, which is a deque where is_deque says so."""

    def __init__(self, name: str, condition: gast.expr, made: gast.expr,
                 statements: list[gast.stmt], is_deque: bool) -> None:
        self.name, self.condition, self.made = name, condition, made
        self.statements, self.is_deque = statements, is_deque

    def list_if(self, kept: str) -> gast.expr:
        """The list, or an empty one where a name says that there is none."""
        made: Any = self.made
        if not self.is_deque:
            empty = gast.List([], gast.Load())
            return empty if isinstance(made, gast.List) and not made.elts \
                else gast.IfExp(syntax.load(kept), made, empty)
        # Of one deque it is known whether it may be written as a list.
        nothing: list[gast.expr] = [gast.List([], gast.Load()), syntax.constant(0)]
        for number, given in enumerate(made.args):
            made.args[number] = gast.IfExp(syntax.load(kept), given, nothing[number])
        for keyword in made.keywords:
            keyword.value = gast.IfExp(syntax.load(kept), keyword.value, syntax.constant(0))
        return made


def _choice(node: gast.stmt, before: gast.stmt | None,
            meaning: Callable[[str], Any]) -> _Found | None:
    """What a statement makes: `trace = [] if record else None`, or `if record: trace = []` behind
    `trace = None`."""
    name, value = _bound(node)
    if name and isinstance(value, gast.IfExp):
        test, made, other = value.test, value.body, value.orelse
        if _is_none(made):
            test, made, other = syntax.negated(test), other, made
        kind = _kind(made, meaning)
        return _Found(name, test, made, [node], kind == "deque") if kind and _is_none(other) \
            else None
    if isinstance(node, gast.If) and not node.orelse and len(node.body) == 1 and before is not None:
        name, value = _bound(node.body[0])
        kind = _kind(value, meaning)
        if value is not None and kind and _bound(before)[0] == name \
                and _is_none(_bound(before)[1]):
            return _Found(name, node.test, value, [before, node], kind == "deque")
    return None


def _bound(node: Any) -> tuple[str, gast.expr | None]:
    """The name that a statement binds to a value, and the value."""
    targets = node.targets if isinstance(node, gast.Assign) else \
        [node.target] if isinstance(node, gast.AnnAssign) else []
    return (targets[0].id, node.value) if len(targets) == 1 and isinstance(
        targets[0], gast.Name) and node.value is not None else ("", None)


def _is_none(node: gast.expr | None) -> bool:
    return isinstance(node, gast.Constant) and node.value is None


def _kind(made: gast.expr | None, meaning: Callable[[str], Any]) -> str:
    """What an expression makes anew, a list or a deque; "" for others."""
    if isinstance(made, gast.BinOp) and isinstance(made.op, gast.Mult):
        return "list" if gast.List in (type(made.left), type(made.right)) else ""
    if isinstance(made, (gast.List, gast.ListComp)):
        return "list"
    if not isinstance(made, gast.Call):
        return ""
    called = made.func
    function = meaning(called.id) if isinstance(called, gast.Name) else \
        getattr(collections, called.attr, None) if isinstance(called, gast.Attribute) \
        and meaning(getattr(called.value, "id", "")) is collections else None
    if function is list:
        return "list"
    return "deque" if function is collections.deque and len(made.args) <= 2 and not any(
        isinstance(one, gast.Starred) for one in made.args) and all(
        one.arg == "maxlen" for one in made.keywords) else ""


def _is_bound_once(tree: gast.FunctionDef, found: _Found, before: list[gast.stmt]) -> bool:
    """Whether a name is bound where it is said and nowhere else, and read behind that, in this
    function only."""
    own = {id(part) for node in found.statements for part in syntax.walk(node)}
    if any(isinstance(part, gast.Name) and part.id == found.name and id(part) not in own
           for node in before for part in syntax.walk(node)):
        return False
    for node in syntax.walk(tree):
        if isinstance(node, gast.Name) and node.id == found.name and id(node) not in own \
                and not isinstance(node.ctx, gast.Load):
            return False
        if isinstance(node, _SCOPES) and node is not tree and found.name in syntax.all_names(node):
            return False
        if isinstance(node, (gast.Global, gast.Nonlocal)) and found.name in node.names:
            return False
    return found.name not in syntax.parameter_names(tree.args)


def _binds(tree: gast.FunctionDef, name: str) -> bool:
    """Whether a function, or what is defined in it, binds one of its parameters anew."""
    return any(isinstance(node, gast.Name) and node.id == name and not isinstance(
                   node.ctx, (gast.Load, gast.Param)) for node in syntax.walk(tree)) \
        or any(isinstance(node, _SCOPES) and node is not tree and name in syntax.all_names(node)
               for node in syntax.walk(tree))


class _Reads:
    """Whether all reads of a variable are tests, or stand where a test says that it is a list.

    condition: the name that says the same; "" for none.
    """

    def __init__(self, name: str, condition: str) -> None:
        self.name, self.condition = name, condition
        self.is_guarded = True

    def block(self, block: list[gast.stmt], is_there: bool) -> None:
        for node in block:
            self.read(node, is_there)

    def read(self, node: Any, is_there: bool) -> None:
        """Look at what stands in a node; is_there: whether the list is known to be there."""
        if isinstance(node, gast.Name):
            self.is_guarded &= is_there or node.id != self.name
        elif isinstance(node, _TESTED):
            there = {True: is_there or self.says(node.test, True),
                     False: is_there or self.says(node.test, False)}
            self.test(node.test, is_there)
            for name, value in gast.iter_fields(node):
                if name != "test":
                    self.parts(value, there[name == "body"])
        elif isinstance(node, gast.BoolOp):
            self.operands(node, is_there, self.read)
        elif isinstance(node, gast.Compare) and _tests_none(node, self.name):
            return
        else:
            for _, value in gast.iter_fields(node):
                self.parts(value, is_there)

    def parts(self, value: Any, is_there: bool) -> None:
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, gast.AST):
                self.read(part, is_there)

    def test(self, node: gast.expr, is_there: bool) -> None:
        """The same of a test, of which only counts whether it holds."""
        if syntax.is_name(node, self.name):
            return
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
            self.test(node.operand, is_there)
        elif isinstance(node, gast.BoolOp):
            self.operands(node, is_there, self.test)
        else:
            self.read(node, is_there)

    def operands(self, node: gast.BoolOp, is_there: bool,
                 look: Callable[[gast.expr, bool], None]) -> None:
        """Those of `a and b`: behind one that says so, the list is there."""
        for part in node.values:
            look(part, is_there)
            is_there = is_there or self.says(part, isinstance(node.op, gast.And))

    def says(self, node: gast.expr, holds: bool) -> bool:
        """Whether it follows that the list is there if a test holds, or does not."""
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
            return self.says(node.operand, not holds)
        if isinstance(node, gast.BoolOp):
            return isinstance(node.op, gast.And) is holds \
                and any(self.says(part, holds) for part in node.values)
        if isinstance(node, gast.Name):
            return holds and node.id in (self.name, self.condition)
        return isinstance(node, gast.Compare) and _tests_none(node, self.name) \
            and isinstance(node.ops[0], gast.IsNot) is holds


def _tests_none(node: gast.Compare, name: str) -> bool:
    """Whether a comparison is `name is None` or `name is not None`."""
    return syntax.is_name(node.left, name) and len(node.ops) == 1 \
        and isinstance(node.ops[0], (gast.Is, gast.IsNot)) and _is_none(node.comparators[0])


def _rewrite(tree: gast.FunctionDef, number: int, found: _Found, kept: str,
             is_steady: bool) -> None:
    """Make a list where the list, or None, was made; kept: the name that says which."""
    written: list[gast.stmt] = []
    if not is_steady:
        written.append(syntax.assign(kept, gast.IfExp(
            found.condition, syntax.constant(True), syntax.constant(False))))
    written.append(syntax.assign(found.name, found.list_if(kept)))
    start = number + 1 - len(found.statements)
    tree.body[start:number + 1] = [syntax.placed(one, found.statements[-1]) for one in written]


class _Tests(syntax.Transformer):
    """Tests of the condition in the place of tests of what is None."""

    def __init__(self, name: str, kept: str) -> None:
        self.name, self.kept = name, kept

    def visit_Compare(self, node: gast.Compare) -> gast.expr:
        if not _tests_none(node, self.name):
            return self.generic_visit(node)
        kept = syntax.load(self.kept)
        made = kept if isinstance(node.ops[0], gast.IsNot) else gast.UnaryOp(gast.Not(), kept)
        return syntax.placed(made, node)
