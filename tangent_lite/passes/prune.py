"""Take the branch that kinds decide on: `isinstance`, `is None`, what patterns ask, `if False`.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import FLOAT
>>> from tangent_lite.passes.infer import infer
>>> tree = gast.parse('''
... def f(x):
...     if isinstance(x, list):
...         return x[0]
...     y = 2.0 * x
...     return y
... ''').body[0]
>>> tree.body = [gast.If(tree.body[0].test, tree.body[0].body, tree.body[1:2]), tree.body[2]]
>>> typer = Typer({}, {"isinstance": isinstance, "list": list}.get)
>>> facts = infer(tree, {"x": FLOAT}, typer)
>>> prune(tree, tree, facts, typer)
True
>>> print(emit(tree), end="")
def f(x):
    y = 2.0 * x
    return y

The other branch does not run for arguments of these kinds, and may say what has no derivative.
"""
from __future__ import annotations

import abc
import operator
from collections.abc import Callable, Mapping
from types import FunctionType, MemberDescriptorType, ModuleType
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, syntax
from tangent_lite.analyses.fixed_values import Fixed
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.looked_at import Looking
from tangent_lite.analyses.mentions import Mentions
from tangent_lite.analyses.other_names import changed_elsewhere
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.modules import LIBRARIES, held_by_class
from tangent_lite.runtime import patterns as runtime_patterns
from tangent_lite.structures.unrolling import int_of

NUMBERS = (bool, int, float, complex, np.generic)
ASKS = {"is a sequence": 1 << 5, "is a mapping": 1 << 6}       # flags of classes, as Python asks


def prune(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred, typer: Typer,
          settled: bool = True) -> bool:
    """Rewrite the tree in place, by what is known of `numbered`, its versions; whether it changed.

    settled: which parts dicts and objects have is certain, as nothing is left that may change it.
    """
    plain = list(syntax.statements(tree.body))
    tests = [getattr(original, "test", None) for original in plain]
    decider = _Decider(typer, settled, syntax.parameter_names(tree.args),
                       Fixed(tree, numbered, facts))
    elsewhere, classes = changed_elsewhere(tree), _classes_asked(numbered)
    looking: Looking | None = None
    left: set[int] | None = None        # the statements, once a branch was taken
    is_changed = False
    for number, node in enumerate(syntax.statements(numbered.body)):
        original = plain[number]
        if not isinstance(node, gast.If) or not (
                _asks(node.test, classes) or hasattr(original.test, "asks")
                or _asked_to_hold(node.test)):
            continue
        if original.test is not tests[number] or (left is not None and id(original) not in left):
            continue                            # what was decided before has settled it, too
        typer.names = facts.before.get(id(node), {})
        if elsewhere.decides(original.test) and not decider.is_of_fixed_texts(node.test):
            continue
        answer, shorter = decider.decide(node.test, original.test)
        if answer is None and shorter is original.test:
            continue
        looking = looking or Looking(numbered, facts, typer)
        if next(looking.changed_by(node, node.test), None) is not None:
            continue                            # a special method may do more than answer
        is_changed = True
        if answer is not None:
            _take(tree, original, original.body if answer else original.orelse)
            left = {*map(id, syntax.statements(tree.body))}
        else:
            original.test = shorter
    return is_changed


def asks(tree: gast.FunctionDef) -> bool:
    """Whether a function asks what a value is."""
    classes = _classes_asked(tree)
    return any(isinstance(node, gast.If) and _asks(node.test, classes)
               for node in syntax.statements(tree.body))


def asks_what_is_none(tree: gast.FunctionDef, known: Mapping[str, kinds.Kind],
                      facts: Inferred | None = None) -> bool:
    """Whether a function asks whether something holds that is None: `if cache:`, `not mask`.

    known: kinds of names at any place; facts: where there are others at each.
    """
    return any(_is_none((known if facts is None else facts.before.get(id(node), known)).get(name))
               for node in syntax.statements(tree.body)
               for name in _asked_to_hold(_condition(node)))


def _condition(node: gast.stmt) -> gast.expr | None:
    """What a branch asks, or what it will ask by a name: `missing = not mask`."""
    if isinstance(node, gast.If):
        return node.test
    value = node.value if isinstance(node, gast.Assign) else None
    return value if isinstance(value, (gast.UnaryOp, gast.BoolOp)) else None


def _asked_to_hold(test: gast.expr | None) -> list[str]:
    """The names of which a condition asks whether they hold."""
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        return _asked_to_hold(test.operand)
    if isinstance(test, gast.BoolOp):
        return [name for value in test.values for name in _asked_to_hold(value)]
    return [test.id] if isinstance(test, gast.Name) else []


def ask_when_run(tree: gast.FunctionDef, mentions: Mentions,
                 external: Callable[[Any, str], gast.expr]) -> None:
    """Let what the kinds do not answer be asked when the program runs."""
    for statement in syntax.statements(tree.body):
        for node in mentions[statement].calls:
            marker = getattr(node, "marker", None)
            if marker is not None and marker.kind in ASKS:
                helper = runtime_patterns.is_sequence if marker.kind == "is a sequence" \
                    else runtime_patterns.is_mapping
                node.func = external(helper, helper.__name__)
                del node.marker
                mentions.rewritten(statement)


def _classes_asked(tree: gast.FunctionDef) -> set[str]:
    """The names of what is bound to `type(value)`, as tests have it in normal form."""
    return {node.targets[0].id for node in syntax.statements(tree.body)
            if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name)
            and isinstance(node.value, gast.Call) and getattr(node.value.func, "id", "") == "type"}


def _asks(test: gast.expr, classes: set[str]) -> bool:
    return isinstance(test, gast.Constant) or any(
        hasattr(n, "asks") or _asks_length(n) or _asks_for_none(n) or (
            isinstance(n, gast.Call) and (
                getattr(getattr(n, "marker", None), "kind", None) in ASKS
                or (isinstance(n.func, gast.Name)
                    and n.func.id in ("isinstance", "hasattr", "type"))))
        or getattr(n, "id", None) in classes for n in syntax.walk(test))


def _asks_length(node: gast.AST) -> bool:
    """`len(xs) == 1`: of a tuple it is known."""
    return isinstance(node, gast.Compare) and isinstance(node.left, gast.Call) \
        and isinstance(node.left.func, gast.Name) and node.left.func.id == "len" \
        and isinstance(node.comparators[0], gast.Constant)


def _asks_for_none(node: gast.AST) -> bool:
    """`x is None`, `x is not None`"""
    return isinstance(node, gast.Compare) and len(node.ops) == 1 \
        and isinstance(node.ops[0], (gast.Is, gast.IsNot)) \
        and getattr(node.comparators[0], "value", ...) is None


_ORDER: dict[type, Callable[[Any, Any], bool]] = {
    gast.Eq: operator.eq, gast.NotEq: operator.ne, gast.Lt: operator.lt, gast.LtE: operator.le,
    gast.Gt: operator.gt, gast.GtE: operator.ge}
_SAME = (gast.Is, gast.IsNot, gast.Eq, gast.NotEq)
_OF_TEXTS: dict[type, Callable[[str, str], bool]] = {
    gast.Eq: operator.eq, gast.NotEq: operator.ne, gast.In: lambda one, other: one in other,
    gast.NotIn: lambda one, other: one not in other}
_ASKING_TEXTS = ("startswith", "endswith", "isdigit", "isalpha", "isupper", "islower")


def _is_quiet(node: gast.expr) -> bool:
    """Whether a condition calls nothing of the user's."""
    return all(hasattr(n, "marker") or (isinstance(n.func, gast.Name)
                                        and n.func.id in ("len", "isinstance", "hasattr"))
               for n in syntax.walk(node) if isinstance(n, gast.Call))


def _take(tree: gast.FunctionDef, node: gast.stmt, branch: list[gast.stmt]) -> None:
    """Put one branch in the place of an `if`."""
    todo = [tree.body]
    while todo:
        block = todo.pop()
        for number, one in enumerate(block):
            if one is node:
                leaves = bool(branch) and isinstance(branch[-1], (gast.Break, gast.Raise))
                behind = block[number + 1:]
                if not branch or branch is node.body:
                    behind = _known(behind, branch is node.body)
                block[number:] = branch + ([] if leaves else behind)
                if not block:
                    block.append(gast.copy_location(gast.Pass(), node))
                return
            todo += syntax.blocks_of(one)


def _known(behind: list[gast.stmt], answer: bool) -> list[gast.stmt]:
    """What stands behind a pattern, where it is known whether it has matched."""
    node = behind[0] if behind else None
    parts = _operands(node.test) if isinstance(node, gast.If) else []
    if not parts or not hasattr(parts[0], "matched"):
        return behind
    assert isinstance(node, gast.If)
    if not answer:
        return node.orelse + behind[1:]
    if len(parts) == 1:
        return node.body + behind[1:]
    node.test = parts[1] if len(parts) == 2 else gast.copy_location(
        gast.BoolOp(gast.And(), parts[1:]), node.test)
    return behind


def _operands(test: gast.expr) -> list[gast.expr]:
    return test.values if isinstance(test, gast.BoolOp) and isinstance(test.op, gast.And) \
        else [test]


class _Decider:
    """Answers conditions, where kinds do."""

    def __init__(self, typer: Typer, settled: bool, parameters: list[str], fixed: Fixed) -> None:
        self.typer, self.settled, self.parameters = typer, settled, parameters
        self.fixed = fixed

    def decide(self, test: gast.expr, plain: gast.expr) -> tuple[bool | None, gast.expr]:
        """Whether a condition holds; None if that depends on values, and then what of it does.

        plain: the condition as it stands in the tree that is rewritten.
        """
        answer: bool | None = None
        if isinstance(test, gast.BoolOp) and isinstance(plain, gast.BoolOp):
            stops = isinstance(test.op, gast.Or)
            left: list[gast.expr] = []
            for value, part in zip(test.values, plain.values):
                answer, shorter = self.decide(value, part)
                if answer is None:
                    left.append(shorter)
                elif answer is stops:
                    # What stands in front of it may have effects only where the user wrote it.
                    if all(map(_is_quiet, left)):
                        return stops, plain
                    left.append(part)
            if not left:
                return not stops, plain
            if len(left) == len(plain.values) and all(map(lambda a, b: a is b, left,
                                                          plain.values)):
                return None, plain
            if len(left) == 1:
                return None, left[0]
            return None, gast.copy_location(gast.BoolOp(plain.op, left), plain)
        if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
            answer, _ = self.decide(test.operand, test.operand)
            return None if answer is None else not answer, plain
        if isinstance(test, gast.Constant):
            return bool(test.value), plain
        if isinstance(test, gast.Name):         # None does not hold; others may say it themselves
            is_certain = self.settled or test.id in self.parameters
            return False if is_certain and _is_none(self.typer.kind(test)) else None, plain
        if isinstance(test, gast.Call):
            return self.call(test), plain
        if isinstance(test, gast.Compare) and len(test.ops) == 1:
            return self.compare(test.left, test.ops[0], test.comparators[0]), plain
        return None, plain

    def call(self, node: gast.Call) -> bool | None:
        marker = getattr(node, "marker", None)
        if marker is not None and marker.kind in ASKS:
            return _has_flag(self.typer.kind(node.args[0]), ASKS[marker.kind])
        if isinstance(node.func, gast.Attribute) and node.func.attr in _ASKING_TEXTS:
            return self.ask_text(node)
        function = self.typer.object_of(node.func)
        if function is isinstance and len(node.args) == 2:
            classes = node.args[1].elts if isinstance(node.args[1], gast.Tuple) else [node.args[1]]
            answers = [self.is_instance(node.args[0], cls) for cls in classes]
            if True in answers:
                return True
            return None if None in answers else False
        if function is hasattr and self.settled and len(node.args) == 2 \
                and isinstance(node.args[1], gast.Constant):
            kind = self.typer.kind(node.args[0])
            if isinstance(kind, kinds.Known) and isinstance(kind.object, ModuleType) \
                    and kind.object.__name__.split(".")[0] in LIBRARIES:
                return hasattr(kind.object, node.args[1].value)     # which version it is
            if isinstance(kind, (kinds.RecordKind, kinds.TupleKind)):
                if isinstance(kind.type, type):         # it may come to have one
                    self.typer.of_class(kind.type, node.args[1].value)
                return _has_attribute(kind, node.args[1].value)
        return None

    def is_instance(self, value: gast.expr, cls: gast.expr) -> bool | None:
        found = self.typer.object_of(cls)
        if found is NO_OBJECT or not isinstance(found, type):
            return None
        return _is(self.typer.kind(value), found)

    def class_meant(self, node: gast.expr) -> type | None:
        """The class that an expression surely is, where nothing but what it is says what equals
        it."""
        kind = self.typer.kind(node)
        found = kind.object if isinstance(kind, kinds.Known) else None
        return found if isinstance(found, type) and type(found).__eq__ is type.__eq__ else None

    def compare(self, left: gast.expr, asked: Any, right: gast.expr) -> bool | None:
        if isinstance(asked, (gast.Is, gast.IsNot)) and getattr(right, "value", ...) is None \
                and (self.settled or isinstance(left, gast.Constant)
                     or getattr(left, "id", None) in self.parameters):
            answer = _is_none(self.typer.kind(left))
            return None if answer is None else answer is isinstance(asked, gast.Is)
        if isinstance(asked, _SAME):
            classes = [self.class_meant(part) for part in (left, right)]
            if None not in classes:
                return (classes[0] is classes[1]) is isinstance(asked, (gast.Is, gast.Eq))
        if isinstance(asked, gast.In) and isinstance(left, gast.Constant) and self.settled:
            kind = self.typer.kind(right)
            return left.value in kind.keys if isinstance(kind, kinds.DictKind) else None
        answer = self.compare_texts(left, asked, right)
        if answer is not None:
            return answer
        # A call that is yet to be written out may bind what is compared (`nonlocal k`).
        if self.settled and type(asked) in _ORDER and isinstance(
                self.typer.kind(left), kinds.Number):
            one, other = int_of(left, self.typer), int_of(right, self.typer)
            if type(one) is int and type(other) is int:
                return _ORDER[type(asked)](one, other)
        return None

    def text_of(self, node: gast.expr) -> str | None:
        """The text that an expression surely is, whatever is yet to be written out."""
        value = kinds.value_of(self.typer.kind(node))
        return value if type(value) is str and (self.settled or self.fixed.is_fixed(node)) else None

    def is_of_fixed_texts(self, test: gast.expr) -> bool:
        """Whether all names in a condition are those of texts that nothing changes."""
        return all(self.fixed.is_fixed(name) and self.text_of(name) is not None
                   for name in syntax.names_in(test))

    def compare_texts(self, left: gast.expr, asked: Any, right: gast.expr) -> bool | None:
        """`k == "W"`, `k in ("W", "b")`, `"_" in k` of texts that are known, as the keys of a dict
        are in a loop over it that was written out."""
        text = self.text_of(left)
        if text is None:
            return None
        if isinstance(asked, (gast.In, gast.NotIn)) and isinstance(
                right, (gast.Tuple, gast.List, gast.Set)):
            several = [self.text_of(one) for one in right.elts]
            return None if None in several else (text in several) is isinstance(asked, gast.In)
        other = self.text_of(right)
        if other is None or type(asked) not in _OF_TEXTS:
            return None
        return _OF_TEXTS[type(asked)](text, other)

    def ask_text(self, node: gast.Call) -> bool | None:
        """`k.startswith("W")` of texts that are known."""
        text = self.text_of(node.func.value)
        given = [self.text_of(one) for one in node.args]
        if text is None or None in given or node.keywords \
                or len(given) != (node.func.attr in ("startswith", "endswith")):
            return None
        answer: bool = getattr(text, node.func.attr)(*given)
        return answer


def _is(kind: kinds.Kind, cls: type) -> bool | None:
    """Whether a value of a kind is an instance of a class; None where its class alone does not say
    so: a metaclass, or a protocol with fields, may look at the object."""
    if not _goes_by_class(cls):
        return None
    if isinstance(kind, (kinds.TupleKind, kinds.RecordKind, kinds.Other)):
        return None if any("__class__" in vars(one) for one in kind.type.__mro__[:-1]) \
            else issubclass(kind.type, cls)         # which may say that it is of another class
    if isinstance(kind, kinds.Known):
        return isinstance(kind.object, cls)
    base = _bases(kind)
    if not base:
        return None
    if all(issubclass(one, cls) for one in base):
        return True
    if any(issubclass(one, cls) or issubclass(cls, one) for one in base):
        return None
    if cls.__module__ == "builtins" or not any(
            issubclass(sub, base) for sub in _subclasses(cls)):
        return False
    return None


def _has_attribute(kind: Any, name: str) -> bool | None:
    """Whether an object has an attribute; None where a method of its class is asked."""
    found = held_by_class(kind.type, name, NO_OBJECT)
    if hasattr(found, "__get__") and not isinstance(
            found, (FunctionType, classmethod, staticmethod, MemberDescriptorType)):
        return None                         # a property may raise AttributeError
    if name in getattr(kind, "fields", ()):
        return True
    if found is not NO_OBJECT:
        return None if isinstance(found, MemberDescriptorType) else True
    return None if hasattr(kind.type, "__getattr__") \
        or kind.type.__getattribute__ not in _PLAIN_READING else False


_PLAIN_READING = (object.__getattribute__, tuple.__getattribute__)


def _goes_by_class(cls: type) -> bool:
    return type(cls).__instancecheck__ in (type.__instancecheck__,
                                           abc.ABCMeta.__instancecheck__)


def _is_none(kind: kinds.Kind | None) -> bool | None:
    """Whether a value of a kind is None."""
    if isinstance(kind, kinds.Nothing):
        return None if kind.is_default else True
    return False if isinstance(kind, _NEVER_NONE) else None


_NEVER_NONE = (kinds.Number, kinds.Array, kinds.Numeric, kinds.DuckArray, kinds.Text,
               kinds.TupleKind, kinds.ListKind, kinds.DictKind, kinds.MapKind, kinds.RecordKind,
               kinds.Known, kinds.Choice, kinds.RangeKind, kinds.SliceKind, kinds.Other)


def _has_flag(kind: kinds.Kind, flag: int) -> bool | None:
    """Whether the class of a value of a kind has a flag."""
    if isinstance(kind, (kinds.TupleKind, kinds.RecordKind, kinds.Other)):
        return bool(kind.type.__flags__ & flag)
    if isinstance(kind, kinds.Known):
        return bool(type(kind.object).__flags__ & flag)
    found = {bool(one.__flags__ & flag) for one in _bases(kind)}
    return found.pop() if len(found) == 1 else None


def _bases(kind: kinds.Kind) -> tuple[type, ...]:
    """The classes of which one is that of a value of a kind, or above that."""
    if isinstance(kind, kinds.Number):
        return NUMBERS
    if isinstance(kind, kinds.Array):
        return (np.ndarray,)
    if isinstance(kind, kinds.Text):
        return (str, bytes)
    if isinstance(kind, kinds.Nothing):
        return (type(None),)
    if isinstance(kind, kinds.ListKind):
        return () if kind.is_view else (list,)
    if isinstance(kind, kinds.DictKind):
        return (dict,)
    if isinstance(kind, kinds.RangeKind):
        return (range,)
    return ()


def _subclasses(cls: type) -> list[type]:
    found, todo = [cls], [cls]
    while todo:
        direct: list[type] = type.__subclasses__(todo.pop())
        for sub in direct:
            if sub not in found:
                found.append(sub)
                todo.append(sub)
    return found
