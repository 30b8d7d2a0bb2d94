"""Make the emitted passes read as if written by hand.

    sin_y = np.sin(y)               t = x * np.sin(y)
    t = x * sin_y            =>
    unused = t + 1.0
"""
from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.aliases import Aliases
from tangent_lite.analyses.derived import Derived, DerivedInReverse
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.known_kinds import Scopes
from tangent_lite.analyses.mentions import Mentions
from tangent_lite.analyses.read_no_more import ReadNoMore
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.inference import Typer
from tangent_lite.kinds import Number
from tangent_lite.markers import is_attempt
from tangent_lite.passes.accumulate import accumulate
from tangent_lite.passes.asked_anyway import asked_anyway
from tangent_lite.passes.cancel import cancel
from tangent_lite.passes.choose import choose
from tangent_lite.passes.coalesce import coalesce
from tangent_lite.passes.comments import comments
from tangent_lite.passes.common_factors import common_factors
from tangent_lite.passes.dead import dead
from tangent_lite.passes.earlier import earlier
from tangent_lite.passes.factor import factor
from tangent_lite.passes.first_names import first_names
from tangent_lite.passes.fold import fold
from tangent_lite.passes.gather import gather
from tangent_lite.passes.inherit import inherit
from tangent_lite.passes.into import into
from tangent_lite.passes.join_updates import join_updates
from tangent_lite.passes.left_in import left_in
from tangent_lite.passes.like_terms import join_like_terms
from tangent_lite.passes.matrices import matrices
from tangent_lite.passes.one_row import one_row
from tangent_lite.passes.recopied import recopied
from tangent_lite.passes.reduce import reduce
from tangent_lite.passes.rejoin import rejoin
from tangent_lite.passes.rescale import rescale
from tangent_lite.passes.shortcuts import shortcuts
from tangent_lite.passes.signs import signs
from tangent_lite.passes.simplify import simplify
from tangent_lite.passes.sink import sink
from tangent_lite.passes.sums_at_ends import sums_at_ends
from tangent_lite.passes.sums_once import sums_once
from tangent_lite.passes.take_over import take_over
from tangent_lite.passes.uncopied import uncopied
from tangent_lite.passes.unlend import unlend
from tangent_lite.passes.unlisted import unlisted
from tangent_lite.passes.unspread import unspread
from tangent_lite.syntax import COMPOUND


def tidy(forward: list[gast.stmt], backward: list[gast.stmt], tail: list[gast.stmt],
         parameters: list[str], user_names: set[str], context: DerivedInReverse,
         external: dict[str, Any], middle: gast.stmt | None = None) -> list[gast.stmt]:
    """The two passes as one body, tidied, with their headings; middle: what stands between.

    Their statements are changed in place: whoever needs them as they are hands in a copy.
    """
    split = middle if middle is not None else syntax.comment("Backward")
    body = [n for n in [*forward, split, *backward, *tail]
            if not isinstance(n, gast.Pass)]
    adjoints = {b: v for v, b in context.adjoints.items()}
    memory = SameMemory(body, parameters, context.typer,
                        Scopes(context.facts.names, context.adjoint_kinds))
    is_ours = functools.partial(_is_ours, parameters=parameters, user_names=user_names,
                                adjoints=adjoints, context=context)
    mentions = _shorten(body, parameters, user_names, adjoints, context, external, split, memory,
                        middle is not None)
    signs(body, is_ours, memory, mentions)
    gather(body, set(adjoints), context.adjoint_kinds)
    unspread(body, context, mentions)       # once more, where a sum was a statement more
    choose(body, context)
    sums_once(body)
    of_numbers = memory.has_only_numbers()
    factored = not of_numbers and factor(body, context)
    if cancel(body, context) or factored:
        dead(body, context, external)
    if not of_numbers:
        rescale(body, adjoints, context, memory)
        uncopied(body, memory)
        recopied(body, memory, middle)
        take_over(body, memory)
    unlend(body)
    if not of_numbers:
        left_in(body, memory)
    accumulate(body, memory)
    if common_factors(body, memory):
        dead(body, context, external)
    sums_at_ends(body, memory)
    first_names(body, functools.partial(_is_passing, is_ours=is_ours, adjoints=adjoints,
                                         context=context), memory)
    coalesce(body, parameters, context.versions, adjoints)
    _drop_nothings(body)
    if not of_numbers:
        recopied(body, memory, middle)      # once more, where two names are one
    inherit(body, is_ours)
    _drop_nothings(body)
    comments(body)
    _join_branches(body, functools.partial(_are_numbers, context=context))
    _leave_first(body)
    asked_anyway(body, parameters)
    into(body)
    matrices(body, context.typer)
    at = next(i for i, n in enumerate(body) if n is split)
    first, second = body[:at], body[at + 1:]
    shortcuts(second, context.typer, context.facts.names, context.adjoint_kinds)
    out: list[gast.stmt] = []
    if first:
        out += [syntax.comment("Forward pass"), *first]
    if middle is not None:
        return [*out, middle, *second]
    if first:
        out.append(syntax.blank())
    return [*out, syntax.comment("Backward pass"), *second]


@dataclass(eq=False, repr=False)
class Written:
    """What tidying reads of a function that forward mode wrote."""
    adjoints: dict[str, str]                # here: variable -> tangent
    aliases: Aliases
    typer: Typer
    facts: Inferred
    adjoint_kinds: dict[str, Any]           # of tangents
    versions: dict[str, str]                # later versions -> the user's name; of tangents too
    beside: bool = True                     # tangents share no memory with values


def tidy_forward(forward: list[gast.stmt], tail: gast.stmt, parameters: list[str],
                 user_names: set[str], context: Written,
                 external: dict[str, Any]) -> list[gast.stmt]:
    """The one pass of forward mode as a body, tidied, in place as well."""
    body = [n for n in [*forward, tail] if not isinstance(n, gast.Pass)]
    tangents = {d: v for v, d in context.adjoints.items()}
    memory = SameMemory(body, parameters, context.typer,
                        Scopes(context.facts.names, context.adjoint_kinds))
    _shorten(body, parameters, user_names, tangents, context, external, None, memory)
    earlier(body, context.typer, Scopes(context.facts.names, context.adjoint_kinds),
            context.aliases.is_written)
    coalesce(body, parameters, context.versions, {})
    _drop_nothings(body)
    _leave_first(body)
    asked_anyway(body, parameters, set(tangents))
    into(body)
    matrices(body, context.typer)
    shortcuts([node for node in syntax.statements(body) if isinstance(node, _BINDING)
               and not hasattr(node, "lineno")],
              context.typer, context.facts.names, context.adjoint_kinds)
    return body


_BINDING = (gast.Assign, gast.AugAssign)        # which return nothing


def tidy_plain(body: list[gast.stmt], tail: gast.stmt, parameters: list[str],
               user_names: set[str], context: Written,
               external: dict[str, Any]) -> list[gast.stmt]:
    """A body that was tidy before it was taken apart and changed."""
    body = [n for n in [*body, tail] if not isinstance(n, gast.Pass)]
    dead(body, context, external)
    fold(body, parameters, user_names, {}, context, None)
    dead(body, context, external)
    coalesce(body, parameters, context.versions, {})
    _drop_nothings(body)
    asked_anyway(body, parameters)
    into(body)
    matrices(body, context.typer)
    return body


def _shorten(body: list[gast.stmt], parameters: list[str], user_names: set[str],
             adjoints: dict[str, str], context: Derived, external: dict[str, Any],
             split: gast.stmt | None, memory: SameMemory, apart: bool = False) -> Mentions:
    """Drop what is dead, fold and simplify what is left, and again: what one makes short, the
    other can fold. What the statements mention in the end."""
    mentions = Mentions()
    is_needed = dead(body, context, external, mentions)
    is_ours = functools.partial(_is_ours, parameters=parameters, user_names=user_names,
                                adjoints=adjoints, context=context)
    if split is not None and sink(body, parameters, split, apart, is_ours, memory, mentions):
        is_needed = dead(body, context, external, mentions)
    known = ReadNoMore(body, mentions)
    helper: Any = getattr(context, "external", None)         # in reverse mode
    if helper is not None:
        join_updates(body, external, helper)
    for again in (False, True):
        fold(body, parameters, user_names, adjoints, context, split, mentions, memory,
             may_wait=again and not apart)
        simplify(body, context, mentions)
        unspread(body, context, mentions)
        unlisted(body, context, mentions)
        if not again:
            reduce(body, memory, mentions)
            join_like_terms(body, memory, mentions)
            rejoin(body, is_ours, adjoints, memory, mentions)
            if split is not None and not memory.has_only_numbers():
                one_row(body, memory, context.adjoint_kinds, helper, mentions)
        _drop_nothings(body)
        if not is_needed or known.may_be(body):
            is_needed = dead(body, context, external, mentions)
            known = ReadNoMore(body, mentions)
    return mentions


def _is_ours(name: str, parameters: list[str], user_names: set[str], adjoints: dict[str, str],
             context: Derived) -> bool:
    """Whether a name is no variable of the user, and no adjoint of one."""
    while name in adjoints and name not in parameters:
        name = adjoints[name]
    return name not in parameters and name not in user_names and name not in context.versions


def _is_passing(name: str, is_ours: Callable[[str], bool], adjoints: dict[str, str],
                context: Derived) -> bool:
    """Whether a name is a temporary, or the adjoint of a later version of a variable."""
    return is_ours(name) or adjoints.get(name) in context.versions


def _drop_nothings(block: list[gast.stmt]) -> None:
    """`x = x` says nothing, and neither does `x[k] = x[k]`, which is left of `x[k] -= y` where y
    has no derivative; user code that says so is kept."""
    for node in block:
        if node.__class__ in COMPOUND:
            _drop_nothings(node.body)
            _drop_nothings(node.orelse)
            if not node.body:
                node.body.append(gast.Pass())
    block[:] = [n for n in block if not (n.__class__ is gast.Assign and _is_bound_to_itself(n))]


def _is_bound_to_itself(node: gast.Assign) -> bool:
    target, value = node.targets[0], node.value
    if value.__class__ is gast.Name:
        return isinstance(target, gast.Name) and value.id == target.id
    return value.__class__ is gast.Subscript and isinstance(target, gast.Subscript) \
        and not hasattr(node, "lineno") and value.value.__class__ is gast.Name \
        and syntax.is_name(target.value, value.value.id) \
        and syntax.same(value.slice, target.slice) \
        and not syntax.all_of(value.slice, gast.Call)


def _join_branches(block: list[gast.stmt], are_numbers: Callable[[list[gast.expr]], bool]) -> None:
    """What the mirror of a branch leaves of it: a branch with nothing but a branch in it is one,
    `not x is None` is `x is not None`, and `not i == j` of numbers is `i != j`."""
    for node in block:
        if not isinstance(node, COMPOUND):
            continue
        _join_branches(node.body, are_numbers)
        _join_branches(node.orelse, are_numbers)
        test = getattr(node, "test", None)
        if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not) \
                and isinstance(test.operand, gast.Compare):
            node.test = syntax.negated(test.operand)
            if test.operand.ops[0].__class__ in _UNEQUAL and len(test.operand.ops) == 1 \
                    and are_numbers([test.operand.left, *test.operand.comparators]):
                node.test = gast.Compare(test.operand.left, [_UNEQUAL[type(test.operand.ops[0])]()],
                                         test.operand.comparators)
        if _is_lone(node) and len(node.body) == 1 and _is_lone(node.body[0]):
            inner = node.body[0]
            node.test, node.body = _both(node.test, inner.test), inner.body


_UNEQUAL = {gast.Eq: gast.NotEq, gast.NotEq: gast.Eq}


def _are_numbers(nodes: list[gast.expr], context: Derived) -> bool:
    """Whether all of some expressions surely are numbers."""
    context.typer.names = Scopes(context.facts.names, context.adjoint_kinds)
    return all(isinstance(context.typer.kind(node), Number) for node in nodes)


def _leave_first(block: list[gast.stmt]) -> None:
    """What follows where a loop was not left stands behind, and not in another way of the branch:
    `if done: break`, as the user wrote it."""
    number = 0
    while number < len(block):
        node = block[number]
        number += 1
        if not isinstance(node, COMPOUND):
            continue
        if isinstance(node, gast.If) and node.orelse and not is_attempt(node) \
                and isinstance(node.body[-1], (gast.Break, gast.Continue)):
            block[number:number] = node.orelse
            node.orelse = []
        _leave_first(node.body)
        _leave_first(node.orelse)


def _is_lone(node: gast.stmt) -> bool:
    """Whether a statement is a branch of ours without another way."""
    return isinstance(node, gast.If) and not node.orelse and not hasattr(node, "lineno") \
        and not is_attempt(node)


def _both(one: gast.expr, other: gast.expr) -> gast.expr:
    """one and other; `not (a or b)` where both are negated."""
    negations = [isinstance(t, gast.UnaryOp) and isinstance(t.op, gast.Not) for t in (one, other)]
    if all(negations):
        return gast.UnaryOp(gast.Not(), _joined(gast.Or(), one.operand, other.operand))
    return _joined(gast.And(), one, other)


def _joined(operator: gast.boolop, *tests: gast.expr) -> gast.BoolOp:
    parts = [part for test in tests for part in (
        test.values if isinstance(test, gast.BoolOp) and type(test.op) is type(operator)
        else [test])]
    return gast.BoolOp(operator, parts)
