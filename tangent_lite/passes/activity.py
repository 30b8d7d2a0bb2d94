"""Which variables have an adjoint: those that depend on what is asked for and reach the result.

>>> from tangent_lite.kinds import FLOAT
>>> from tangent_lite.stages import stages
>>> def f(x, y):
...     a = 2.0 * y         # does not vary
...     b = x * a           # active
...     c = abs(x)          # reaches nothing
...     return b
>>> sorted(stages(f, wrt="x", x=FLOAT, y=FLOAT).context.active)
['b', 'x']

One graph for the whole function, so the work is linear; a name stands for all its uses (the pass
`versions` has split unrelated ones).
"""
from __future__ import annotations

import io
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite import kinds, registry, result_kinds, template
from tangent_lite.adjoints.steps import derived
from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import definitions
from tangent_lite.analyses.reaching import reached
from tangent_lite.functions.local_functions import holds_local
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.kinds.operators import WHOLE, may_give_anything
from tangent_lite.markers import marker_of
from tangent_lite.modules import says
from tangent_lite.structures.lists import list_change
from tangent_lite.structures.updates import updates_of
from tangent_lite.syntax import read_names

NUMBERS = (kinds.Number, kinds.Array, kinds.Numeric)
_CONSTANT = (*WHOLE, gast.Not, gast.Is, gast.IsNot, gast.In, gast.NotIn)
CONSTANT_ATTRIBUTES = {"shape", "ndim", "size", "dtype", "itemsize", "nbytes", "strides", "flags"}


@dataclass
class Activity:
    """Active names, and for each statement (by id) the operands whose adjoint it feeds."""
    active: set[str] = field(default_factory=set)
    varied: set[str] = field(default_factory=set)       # names that depend on what is asked for
    operands: dict[int, list[str]] = field(default_factory=dict)
    cancelled: frozenset[str] = frozenset()             # names on which nothing depends


def activity(statements: Iterable[gast.stmt], facts: Inferred, aliases: Aliases, typer: Typer,
             varied: set[str], useful: set[str], cancelled: Collection[str] = ()) -> Activity:
    """Active names, given those that vary, those that count, and those on which nothing depends.
    """
    found = Activity(cancelled=frozenset(cancelled))
    forward: dict[str, set[str]] = {}
    backward: dict[str, set[str]] = {}

    def edge(source: str, target: str) -> None:
        forward.setdefault(source, set()).add(target)
        backward.setdefault(target, set()).add(source)

    def name_of(name: str) -> str:
        return aliases.find(name) if aliases.is_linked(name) else name

    statements = list(statements)
    keys = _Keys(statements)
    for node in statements:
        if isinstance(node, (gast.If, gast.For, gast.While, gast.Break, gast.Pass)):
            continue
        environment = facts.before.get(id(node), {})
        typer.names = environment
        value = getattr(node, "value", None)
        listed = keys.of_list(value, typer, facts)
        reads = [] if value is None else listed if listed is not None \
            else differentiable_reads(value, typer, facts)
        for name, owner in keys.put(node, typer, facts):
            edge(name_of(name), owner)
        targets = [n for n in definitions(node) if n not in cancelled
                   and _carries(facts.after[id(node)].get(n, kinds.UNKNOWN))]
        if isinstance(node, gast.AugAssign) or \
                (isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Subscript)):
            written = node.target if isinstance(node, gast.AugAssign) else node.targets[0]
            name = written.id if isinstance(written, gast.Name) else \
                getattr(written.value, "id", "")
            # `w = 0; w += x`: an integer that becomes a float.
            kind = facts.names.get(name, kinds.UNKNOWN) \
                if written is getattr(node, "target", None) \
                and isinstance(written, gast.Name) else environment.get(name, kinds.UNKNOWN)
            targets = [name] if kinds.can_vary(kind) or list_change(node, environment) else []
        if isinstance(node, (gast.Assert, gast.Raise)):
            reads = []
        if isinstance(node, gast.Delete):
            reads = sorted(read_names(node))
        if marker_of(node) is not None and not targets:
            continue                            # what is entered changes no value (see `managers`)
        if isinstance(node, gast.Expr) and isinstance(value, gast.Call):
            # A call for its effect: what varies may end up in anything that it can change.
            reads, targets = _effects(value, typer, facts)
        found.operands[id(node)] = reads
        for target in targets:
            for read in reads:
                edge(name_of(read), name_of(target))
    vary = reached({name_of(n) for n in varied}, forward)
    # Text counts only where a number is made of it again, not where it is returned.
    count = reached({name_of(n) for n in useful
                    if kinds.can_vary(facts.names.get(n, kinds.UNKNOWN))}, backward)
    both = vary & count
    found.varied = {n for n in facts.names if name_of(n) in vary
                    and kinds.can_vary(facts.names[n])}
    for name in facts.names:
        if name_of(name) in both and _carries(facts.names[name]):
            found.active.add(name)
    return found


def _without_effect(entry: Any, node: gast.Call, receiver: gast.expr | None) -> list[gast.expr]:
    """The arguments of which only the shape counts, as a rule says by `d[x] = None`."""
    rule = None if entry is None else entry.adjoint or entry.tangent
    if rule is None or not rule.without_effect or receiver is not None or any(
            isinstance(a, gast.Starred) for a in node.args) or any(
            k.arg is None for k in node.keywords):
        return []
    try:
        bound = template.bind(rule, node.args, {k.arg: k.value for k in node.keywords})
    except template.BindingError:
        return []
    return [one for name, one in bound.items()
            if name in rule.without_effect and isinstance(one, gast.AST)]


class _Keys:
    """What the keys of dicts depend on that are not written out: texts, which numbers may have been
    written into. Of what other keys are made no number comes back: `kinds.maps.keys_at_hand`."""

    def __init__(self, statements: list[gast.stmt]) -> None:
        # Whether a name only means dicts that are made here, which get no keys unseen.
        self.made: dict[str, bool] = {}
        for node in statements:
            for name in definitions(node) if isinstance(node, gast.Assign) else ():
                is_made = isinstance(node.value, gast.Dict) and (
                    None not in node.value.keys or updates_of(node.value) == name)
                self.made[name] = self.made.get(name, True) and is_made

    def of_list(self, value: gast.expr | None, typer: Typer, facts: Inferred) -> list[str] | None:
        """What `list(d)` depends on; None for other operations."""
        if not isinstance(value, gast.Call) or not typer.takes_keys(
                facts.callees.get(id(value), (NO_OBJECT, None))[0], value):
            return None
        name = getattr(value.args[0], "id", "")
        kind: Any = typer.kind(value.args[0])
        if isinstance(kind, kinds.SetKind) or not _holds_text(kind.key):
            return []
        return [_keys(name)] if self.made.get(name) else sorted(read_names(value.args[0]))

    def put(self, node: gast.stmt, typer: Typer, facts: Inferred) -> Iterator[tuple[str, str]]:
        """Texts that become keys, or are made for that, and what stands for the keys of the dict.
        """
        target = node.targets[0] if isinstance(node, gast.Assign) else None
        if isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name) \
                and isinstance(typer.kind(target.value), (kinds.DictKind, kinds.MapKind)) \
                and _holds_text(typer.kind(target.slice)):
            for name in differentiable_reads(target.slice, typer, facts):
                yield name, _keys(target.value.id)


def _keys(name: str) -> str:
    return f"keys of {name}"


def _holds_text(kind: kinds.Kind) -> bool:
    return any(map(_holds_text, kind.items)) if isinstance(kind, kinds.TupleKind) \
        else not isinstance(kind, kinds.Number)


def _carries(kind: kinds.Kind) -> bool:
    """Whether a value may depend on what varies: a number may be written into a text, too, and
    functions that are defined inside read what is around them."""
    if isinstance(kind, kinds.Number):
        return kinds.can_vary(kind)
    if holds_local(kind):
        return True
    if isinstance(kind, kinds.ListKind):
        kind = kind.item                        # lines of text
    return kinds.can_vary(kind) or isinstance(kind, kinds.Text) or (
        isinstance(kind, kinds.Other) and issubclass(kind.type, io.IOBase))


def _effects(call: gast.Call, typer: Typer, facts: Inferred) -> tuple[list[str], list[str]]:
    """Names that vary in a call made for its effect, and names that it may change."""
    function, _ = facts.callees.get(id(call), (NO_OBJECT, None))
    if says(function):
        return [], []
    change = list_change(gast.Expr(call), typer.names)
    if change is not None:
        item = [n for n in read_names(change.item) if n in typer.names
                and _carries(typer.names[n])] if change.item is not None else []
        return item, [change.name]
    names = [n for n in sorted(read_names(call)) if n in typer.names]
    reads = [n for n in names if _carries(typer.names[n])]
    return reads, [n for n in names if not isinstance(
        typer.names[n], (kinds.Number, kinds.Text, kinds.Nothing, kinds.Known))]


def differentiable_reads(node: gast.expr, typer: Typer, facts: Inferred) -> list[str]:
    """Names on which the value of an operation depends differentiably, each as often as it stands.
    """
    return [n for n in _reads(node, typer, facts)
            if n in typer.names and _carries(typer.names[n])]


def _operator(node: Any) -> tuple[list[Any], list[gast.expr]]:
    """The operators of an expression, and what they are applied to."""
    if isinstance(node, gast.Compare):
        return node.ops, [node.left, *node.comparators]
    return [node.op], [node.operand] if isinstance(node, gast.UnaryOp) else [node.left, node.right]


def _reads(node: gast.expr, typer: Typer, facts: Inferred) -> list[str]:
    node = derived(node)
    if isinstance(node, gast.Name):
        return [node.id]
    if isinstance(node, (gast.BinOp, gast.UnaryOp, gast.Compare)):
        ops, operands = _operator(node)
        if all(isinstance(op, _CONSTANT) for op in ops) and not any(
                may_give_anything(typer, op, map(typer.kind, operands)) for op in ops):
            return []
        return [name for operand in operands for name in _reads(operand, typer, facts)]
    if isinstance(node, (gast.BoolOp, gast.Constant, gast.Slice)):
        return []
    if isinstance(node, gast.JoinedStr):
        return sorted(read_names(node))
    if isinstance(node, gast.Subscript):
        return _reads(node.value, typer, facts) + typer.keys_of_objects(node)
    if isinstance(node, gast.Attribute):
        owner = typer.kind(node.value)
        is_constant = (node.attr in CONSTANT_ATTRIBUTES and isinstance(
            owner, (*NUMBERS, kinds.MatrixKind))) or (
            node.attr in ("nnz", "format") and isinstance(owner, kinds.MatrixKind))
        return [] if is_constant else _reads(node.value, typer, facts)      # of objects: fields
    if isinstance(node, (gast.Tuple, gast.List)):
        return [n for e in node.elts for n in _reads(e, typer, facts)]
    if isinstance(node, gast.Dict):
        return [n for e in node.values for n in _reads(e, typer, facts)]
    if isinstance(node, gast.Starred):
        return _reads(node.value, typer, facts)
    if isinstance(node, gast.Call):
        function, receiver = facts.callees.get(id(node), (NO_OBJECT, None))
        if says(function):
            return []
        entry = registry.lookup(function) if function is not NO_OBJECT else None
        if entry is not None and entry.constant and entry.kind is not result_kinds.text \
                and not may_give_anything(typer, function, map(typer.kind, node.args)):
            return []
        if entry is not None and entry.constant_of_real and all(
                isinstance(kind, NUMBERS) and kinds.dtype_of(kind) in ("bool", "int", "float")
                for kind in map(typer.kind, node.args)):
            return []
        found = _reads(receiver, typer, facts) if receiver is not None else []
        if receiver is None and isinstance(node.func, gast.Attribute):
            found += _reads(node.func.value, typer, facts)
        elif receiver is None and isinstance(node.func, gast.Name):
            found += [node.func.id]
        without = _without_effect(entry, node, receiver)
        for argument in [*node.args, *(k.value for k in node.keywords)]:
            if argument not in without:
                found += _reads(argument, typer, facts)
        return found
    return sorted(read_names(node))
