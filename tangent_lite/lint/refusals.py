"""Why a function has no derivative, or only a slow one: all that the passes refuse in it.

The passes themselves say it: they read the function again and again, each time without what they
refused before (see lint_repairs), so what is told here is what a derivative would be told.
"""
from __future__ import annotations

import collections
import re
from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite.adjoints.paths import Path
from tangent_lite.analyses.own_managers import managing
from tangent_lite.calling.depth import room_to_write
from tangent_lite.calling.resolve import Resolver, meaning
from tangent_lite.errors import (
    AliasError,
    MissingRuleError,
    Place,
    TangentError,
    UnsupportedSyntaxError,
)
from tangent_lite.heap.adjoin import adjoin
from tangent_lite.heap.modelled import HANDLERS
from tangent_lite.inference import NO_OBJECT
from tangent_lite.kinds import Kind
from tangent_lite.kinds import duck as kinds_duck
from tangent_lite.lint.repairs import Repairs, holes
from tangent_lite.passes.fence import refusals
from tangent_lite.source import Source
from tangent_lite.stages import Look, looked_at
from tangent_lite.transform import Stages

# Whose methods are followed by identity without rules.
CONTAINERS = (list, dict, set, tuple, str, collections.deque)
MOST = 60                       # refusals of one function

# Reasons of the passes that hold by identity as well, which says so only when the program runs.
BY_IDENTITY_TOO = re.compile("|".join((
    "an active value is the key of an object",
    "an active number is written into a text from which a number is read again",
    "an argument is written in a form that the rule does not take apart",
    "this expression is not handled on active values yet",
    *[f"the attribute {name} of an array is assigned"
      for name in ("shape", "strides", "dtype", "flat", "data", "T")],
    ".* may share memory with .*, which this call reads while it writes",
    "what is written overlaps with where it goes, and NumPy overwrites some of it unread",
    "jvp needs one tangent for each primal",
    "hvp takes the arguments of the function and a vector")))


@dataclass
class Refused:
    """One refusal. is_slow: names alone do not do, and the derivative is found by identity."""
    error: TangentError
    is_slow: bool

    @property
    def key(self) -> Any:
        place = self.error.place
        return type(self.error).__name__, place and (place.file, place.line, place.column)


@dataclass
class Survey:
    """What the passes say of a function, for arguments of some kinds.

    look: what they find out, if nothing was refused; without_refused: what they find out of the
    rest; written: what became of the function and of each helper.
    """
    refused: list[Refused] = field(default_factory=list)
    look: Look | None = None
    without_refused: Look | None = None
    written: list[Stages] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)


def survey(function: Any, parameter_kinds: dict[str, Kind], wrt: list[Path], general: bool,
           is_forward: bool) -> Survey:
    """All that is refused in a function and in the helpers that it calls."""
    found, repairs = Survey(), Repairs()
    errors: list[TangentError] = []
    look = None
    with holes():
        for _ in range(MOST):
            found.written.clear()
            try:
                look = looked_at(function, parameter_kinds, wrt, general, is_forward,
                                 repairs.applied, found.written.append)
                break
            except TangentError as error:
                if error.place is None or not _is_new(error, errors):
                    if error.place is None:
                        errors.append(error)
                        break
                elif isinstance(error, MissingRuleError) or not repairs.tainted(error.place) \
                        or _is_syntax(error, repairs):
                    errors.append(error)
                if not repairs.repair(error.place):
                    break
            except Exception:
                if not repairs.times:
                    raise
                break                               # of a function that nobody wrote
    by_identity = _by_identity(repairs) if errors else []
    if not errors:
        found.look = look
    found.without_refused = look
    has_ducks = any(map(kinds_duck.holds_duck, parameter_kinds.values()))
    found.refused = [Refused(e, not has_ducks and _is_slow(e, by_identity, repairs))
                     for e in errors]
    said = {_spot(e) for e in errors}
    if errors:
        found.refused += [Refused(e, False) for e in by_identity if _spot(e) not in said]
    found.sources = list(repairs.read.values())
    return found


def _is_new(error: TangentError, known: list[TangentError]) -> bool:
    return _spot(error) not in map(_spot, known)


def _spot(error: TangentError) -> Any:
    place = error.place
    return place and (place.file, place.line, place.column)


def _is_syntax(error: TangentError, repairs: Repairs) -> bool:
    """Whether the fence refuses it, whatever stands around it."""
    place: Any = error.place
    source = repairs.source_at(place)
    return source is not None and place in {
        e.place for e in refusals(source.tree, source, Resolver(source).now)}


def _by_identity(repairs: Repairs) -> list[TangentError]:
    """What is refused before a function runs, where adjoints are found by identity."""
    found: list[TangentError] = []
    for source in list(repairs.read.values()):
        own = Repairs()
        for _ in range(0 if _is_managing(source) else MOST):
            try:
                with room_to_write(source.name):
                    now = own.applied(source)
                    tree = now.tree if now is not source else source.tree
                    adjoin(tree, now, Resolver(now).now,
                           set(source.function.__code__.co_freevars), False)
                break
            except UnsupportedSyntaxError as error:
                if error.place is None:
                    break
                if _is_new(error, found):
                    found.append(error)
                if not own.repair(error.place):
                    break
            except TangentError:
                break
            except Exception:
                if not own.times:
                    raise
                break                               # of a function that nobody wrote
    return found


def _is_managing(source: Source) -> bool:
    """Whether a function is a generator under `contextlib.contextmanager`: where such a block is
    entered and left it runs as it is."""
    return managing(Resolver(source).now(source.tree.name)) is source.function


def _is_slow(error: TangentError, by_identity: list[TangentError], repairs: Repairs) -> bool:
    """Whether what the passes refuse is followed by identity."""
    if error.is_final or _spot(error) in map(_spot, by_identity):
        return False
    if isinstance(error, (UnsupportedSyntaxError, AliasError)):
        return BY_IDENTITY_TOO.fullmatch(error.reason) is None
    if isinstance(error, MissingRuleError) and error.place is not None:
        return error.reason.startswith("no tangent rule") or _is_handled(
            error.reason, error.place, repairs)
    return False


def _is_handled(reason: str, place: Place, repairs: Repairs) -> bool:
    """Whether the function that is called at a place is one that needs no rule there."""
    if reason.startswith("no adjoint rule for np.ndarray."):
        return False
    source = repairs.source_at(place)
    for node in gast.walk(source.tree) if source is not None else ():
        if isinstance(node, gast.Call) and (node.lineno, node.col_offset) == (
                place.line, place.column):
            function = meaning_of(node.func, source)
            if function is NO_OBJECT and isinstance(node.func, gast.Attribute) \
                    and any(hasattr(one, node.func.attr) for one in CONTAINERS):
                return True
            try:
                if function in HANDLERS:
                    return True
            except TypeError:
                pass
    return False


def meaning_of(node: Any, source: Any) -> Any:
    """What a dotted name means."""
    if isinstance(node, gast.Attribute):
        return getattr(meaning_of(node.value, source), node.attr, NO_OBJECT)
    return meaning(source, node.id) if isinstance(node, gast.Name) else NO_OBJECT
