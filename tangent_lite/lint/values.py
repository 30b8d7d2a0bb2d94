"""What is right about a derivative but may surprise: kinks, jumps, gradients that are always zero.

It is read off what the passes found out: what varies, what counts, what is recorded.
"""
from __future__ import annotations

import builtins
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, syntax
from tangent_lite.adjoints.paths import Path
from tangent_lite.analyses.liveness import definitions
from tangent_lite.analyses.writers import is_in
from tangent_lite.functions.units import Prepared
from tangent_lite.inference import NO_OBJECT
from tangent_lite.lint.refusals import Survey, meaning_of
from tangent_lite.passes.activity import Activity

_EQUAL = "where its arguments are equal, the derivative is shared equally"
_TIES = "where several elements are equal"
KINKS: dict[Any, str] = {
    **dict.fromkeys((abs, np.abs, math.fabs, np.fabs), "at 0 the derivative is 0"),
    **dict.fromkeys((np.maximum, np.minimum, np.fmax, np.fmin, builtins.max, builtins.min),
                    _EQUAL),
    **dict.fromkeys((np.max, np.min, np.amax, np.amin, np.ptp, np.nanmax, np.nanmin,
                     np.ndarray.max, np.ndarray.min),
                    f"{_TIES}, the derivative is shared equally"),
    **dict.fromkeys((np.sort, np.partition, np.median, np.ndarray.sort, builtins.sorted),
                    f"{_TIES}, the derivative is that of a stable sort"),
    **dict.fromkeys((np.clip, np.ndarray.clip), "at the borders the derivative is 1/2"),
    np.linalg.norm: "at 0 the derivative is 0",
    np.hypot: "at 0, 0 the derivative is 0",
}
JUMPS = {int, round, np.floor, np.ceil, np.trunc, np.fix, np.rint, np.round, np.around,
         np.ndarray.round, np.sign, np.heaviside, math.floor, math.ceil, math.trunc}
# What only comparisons decide: positions and counts.
STEPS = {np.argmax, np.argmin, np.argsort, np.argpartition, np.searchsorted, np.digitize,
         np.count_nonzero, np.nonzero, np.flatnonzero, np.argwhere, np.ndarray.argmax,
         np.ndarray.argmin, np.ndarray.argsort, np.ndarray.nonzero, np.ndarray.searchsorted}
STEEP = {np.sqrt, np.log, np.log2, np.log10, math.sqrt, math.log, np.cbrt}


@dataclass
class Note:
    """Something to be told of a node. place: where it stands in the user's text."""
    code: str
    place: Any
    message: str
    fix: str | None = None


def remarks(survey: Survey, wrt: list[Path]) -> Iterator[Note]:
    """All that may surprise in what was not refused."""
    if survey.look is not None:
        yield from _always_zero(survey, wrt)
        yield from _written_outside(survey.look.prepared)
    looks = [(s.prepared, s.activity) for s in survey.written]
    if not looks and survey.without_refused is not None:
        looks = [(survey.without_refused.prepared, survey.without_refused.activity)]
    for prepared, activity in looks:
        for node in syntax.statements(prepared.tree.body):
            if not isinstance(node, (syntax.COMPOUND, gast.Break, gast.Pass)):
                yield from _of_statement(node, prepared, activity)
    for stages in survey.written:
        yield from _tapes(stages)
    for source in survey.sources:
        yield from _guarded_too_late(source)


# Gradients that are zero ------------------------------------------------------------------------
def _always_zero(survey: Survey, wrt: list[Path]) -> Iterator[Note]:
    look: Any = survey.look
    prepared, activity = look.prepared, look.activity
    source = prepared.source
    for path in wrt:
        name = path[0]
        kind = prepared.kinds.get(name, kinds.UNKNOWN)
        if len(path) > 1 or name in activity.active or not (
                kind == kinds.UNKNOWN or (isinstance(kind, (kinds.Number, kinds.Array))
                                          and kinds.can_vary(kind))):
            continue
        head = next((n for n in gast.walk(source.tree.args)
                     if isinstance(n, gast.Name) and n.id == name), source.tree)
        if not any(n.id == name and isinstance(n.ctx, gast.Load) for part in source.tree.body
                   for n in syntax.names_in(part)):
            yield Note("TL202", source.place(head), f"{name} is not used: its gradient is always "
                       "zero", f"leave {name} out of wrt")
            continue
        cut = next(_jumps(prepared, activity, {name}), None)
        if cut is not None:
            yield Note("TL202", _place(cut, prepared), f"the gradient of {name} is always zero: "
                       f"the result depends on {name} by steps only, as here",
                       "use what is smooth, or leave it out of wrt")
        else:
            yield Note("TL202", source.place(head), f"the gradient of {name} is always zero: it "
                       "decides which way is taken, or how long an array is, or does not reach "
                       "the result", f"leave {name} out of wrt")


def _jumps(prepared: Prepared, activity: Activity, also: set[str]) -> Iterator[Any]:
    """The operations that are constant but for jumps, or decide something, of what varies."""
    varied = activity.varied | also
    for node in syntax.statements(prepared.tree.body):
        value: Any = getattr(node, "value", None)
        if value is None or isinstance(node, (syntax.COMPOUND, gast.Return)):
            continue
        prepared.typer.names = prepared.facts.before.get(id(node), {})
        is_step = isinstance(value, gast.Compare) or (
            isinstance(value, gast.Call) and is_in(_called(value, prepared), STEPS))
        if (is_step or _is_jump(value, prepared)) and syntax.read_names(value) & varied:
            yield value


def _is_jump(value: Any, prepared: Prepared) -> bool:
    if isinstance(value, gast.BinOp):
        return isinstance(value.op, gast.FloorDiv)
    if not isinstance(value, gast.Call):
        return False
    function = _called(value, prepared)
    return is_in(function, JUMPS) or (function is np.ndarray.astype and kinds.dtype_of(
        prepared.typer.kind(value)) in ("int", "bool"))


# Kinks and jumps ----------------------------------------------------------------------------------
def _of_statement(node: Any, prepared: Prepared, activity: Activity) -> Iterator[Note]:
    value: Any = getattr(node, "value", None)
    if not isinstance(value, (gast.Call, gast.BinOp)):
        return
    prepared.typer.names = prepared.facts.before.get(id(node), {})
    function = _called(value, prepared) if isinstance(value, gast.Call) else None
    if is_in(function, KINKS) and activity.active & set(activity.operands.get(id(node), ())) \
            and activity.cancelled.isdisjoint(definitions(node)):
        yield Note("TL301", _place(value, prepared), f"{_name(function)} has a kink: "
                   f"{KINKS[function]}")
    if _is_jump(value, prepared) and syntax.read_names(value) & activity.varied:
        yield Note("TL302", _place(value, prepared), "this is constant but for jumps: it counts "
                   "as a constant in the derivative")


def _called(node: gast.Call, prepared: Prepared) -> Any:
    function = prepared.facts.callees.get(id(node), (NO_OBJECT, None))[0]
    return prepared.typer.callee(node)[0] if function is NO_OBJECT else function


def _name(function: Any) -> str:
    module = getattr(function, "__module__", None) or "numpy"
    name = str(getattr(function, "__name__", function))
    if isinstance(function, np.ufunc) or module.startswith("numpy"):
        return f"np.linalg.{name}" if "linalg" in module else f"np.{name}"
    return name if module == "builtins" else f"{module}.{name}"


def _place(node: Any, prepared: Prepared) -> Any:
    return (getattr(node, "origin", None) or prepared.source).place(node)


# Loops and globals --------------------------------------------------------------------------------
def _tapes(stages: Any) -> Iterator[Note]:
    """Loops that record arrays at each step."""
    prepared, records = stages.prepared, stages.records
    versions = prepared.names.versions
    for loop in syntax.statements(prepared.tree.body):
        if not isinstance(loop, (gast.For, gast.While)) or not hasattr(loop, "lineno"):
            continue
        kept: dict[str, None] = {}
        names = [*records.starts.get(id(loop.body), ()), *records.ends.get(id(loop.body), ())]
        names += [save.name for node in syntax.statements(loop.body)
                  for save in records.saves.get(id(node), ()) if save.index is None]
        for name in names:
            kind = prepared.facts.names.get(name)
            if isinstance(kind, kinds.Array) and kind.ndim != 0:
                name = versions.get(name, name)
                kept[name if name in prepared.source.names else "intermediate results"] = None
        if kept:
            yield Note("TL303", _place(loop, prepared), "each step of this loop records "
                       f"{' and '.join(kept)} for the backward pass",
                       "if memory runs short: for ... in tangent_lite.checkpoint(range(n)):"
                       if isinstance(loop, gast.For) else None)


def _written_outside(prepared: Prepared) -> Iterator[Note]:
    """Arrays of the module that the function writes to."""
    source = prepared.source
    for name in prepared.outside:
        for node in syntax.all_statements(source.tree):
            targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
            if any(isinstance(t, gast.Subscript) and isinstance(t.value, gast.Name)
                   and t.value.id == name for t in targets):
                yield Note("TL304", source.place(node), f"{name} lives outside and is changed "
                           "here: a derivative writes to a copy of it, so after its call "
                           f"{name} is as it was", f"pass {name} as an argument and return it")
                break


# Infinities that where does not hide --------------------------------------------------------------
def _guarded_too_late(source: Any) -> Iterator[Note]:
    """np.where(x > 0, np.sqrt(x), 0): both branches are computed and differentiated."""
    for node in gast.walk(source.tree):
        if not isinstance(node, gast.Call) or len(node.args) != 3 \
                or meaning_of(node.func, source) is not np.where \
                or not isinstance(node.args[0], gast.Compare):
            continue
        test = node.args[0]
        sides = [test.left, *test.comparators]
        if len(sides) != 2 or not any(isinstance(s, gast.Constant) and s.value == 0
                                      for s in sides):
            continue
        guarded = {gast.dump(s) for s in sides if not isinstance(s, gast.Constant)}
        for branch in node.args[1:]:
            for part in gast.walk(branch):
                argument, what = _steep(part, source)
                if argument is not None and gast.dump(argument) in guarded:
                    shown = source.text(argument)
                    yield Note("TL203", source.place(part), "where this is not chosen it is "
                               f"computed all the same, and at 0 {what}, so the gradient is nan "
                               "there", f"keep {shown} away from 0 first: "
                               f"np.where({source.text(test)}, {shown}, 1.0)")


def _steep(node: Any, source: Any) -> tuple[Any, str]:
    """What an operation must not be given zero of, and what happens if it is."""
    if isinstance(node, gast.Call) and len(node.args) == 1 \
            and is_in(meaning_of(node.func, source), STEEP):
        return node.args[0], "its slope is infinite"
    if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Div):
        return node.right, "it divides by zero"
    return None, ""
