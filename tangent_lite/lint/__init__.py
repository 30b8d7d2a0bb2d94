"""What stands between a function and a good derivative of it: all findings at once.

    findings = lint(function)               # of any arguments, as far as that can be said
    findings = lint(function, (1.0, x))     # of such arguments

The function is read and never run. What is an error to a derivative is an error here, since it is
the passes that say so (lint_refusals); the rest is read off what they find out (lint_values).
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.calling.request import Path, Request, spell
from tangent_lite.errors import (
    AliasError,
    InputError,
    MissingRuleError,
    OutputError,
    Place,
    SourceNotFoundError,
    TangentError,
    WrtError,
)
from tangent_lite.functions.units import Prepared
from tangent_lite.heap import functions
from tangent_lite.lint.argument_kinds import Assumed, Usage, assumptions, usage
from tangent_lite.lint.refusals import Survey, meaning_of, survey
from tangent_lite.lint.values import Note, remarks
from tangent_lite.source import Source, source_of
from tangent_lite.source.renamed import under_other_names
from tangent_lite.source.unstarred import without_stars

# What each code means; the first digit says how grave it is.
CODES = {
    "TL101": "a part of Python that has no derivative",
    "TL102": "a function without a rule",
    "TL103": "memory that two names may share is written to",
    "TL104": "a function whose text is not at hand",
    "TL105": "what is asked for cannot vary",
    "TL106": "the result is not a number",
    "TL201": "adjoints are found by identity, which is slow",
    "TL202": "a gradient that is always zero",
    "TL203": "a guard by np.where that comes too late",
    "TL204": "a whole number where a float is needed",
    "TL301": "a kink",
    "TL302": "a jump: a constant in the derivative",
    "TL303": "a loop that records arrays",
    "TL304": "an array outside the function is changed",
}
_SEVERITIES = {"1": "error", "2": "warning", "3": "note"}
_OF_ERRORS: dict[type[TangentError], str] = {
    MissingRuleError: "TL102", AliasError: "TL103", SourceNotFoundError: "TL104",
    WrtError: "TL105", InputError: "TL105", OutputError: "TL106"}


@dataclass(frozen=True)
class Finding:
    """One thing to be told: its code, where, what, and what to write instead."""
    code: str
    place: Place | None
    message: str
    fix: str | None
    function: str

    @property
    def severity(self) -> str:
        """error: there is no derivative; warning: it may not be what is meant; note: good to know.
        """
        return _SEVERITIES[self.code[2]]


@dataclass(frozen=True)
class Report:
    """What is to be told of a function.

    is_passed_over: it is not there to be differentiated, as far as can be seen; is_open: more may
    be found, which depends on arguments that are not known.
    """
    findings: list[Finding]
    is_passed_over: bool = False
    is_open: bool = False


def lint(function: Any, arguments: tuple[Any, ...] | None = None, wrt: Any = 0,
         is_forward: bool = False, is_asked_for: bool = True) -> list[Finding]:
    """The findings alone; see report."""
    return report(function, arguments, wrt, is_forward, is_asked_for).findings


def report(function: Any, arguments: tuple[Any, ...] | None = None, wrt: Any = 0,
           is_forward: bool = False, is_asked_for: bool = True) -> Report:
    """What is to be told of a function.

    arguments: an example of them; None: what their annotations, defaults and use tell. wrt: as for
    grad. is_asked_for: whether somebody named this function; else it is one of a file, of which
    many are not there to be differentiated, and about which only the sure is told.
    """
    name = getattr(function, "__qualname__", str(function))

    def finding(error: TangentError, place: Place | None = None) -> Finding:
        code = next((c for kind, c in _OF_ERRORS.items() if isinstance(error, kind)), "TL101")
        return Finding(code, error.place or place, error.reason, error.fix, name)

    passed_over = Report([], is_passed_over=True)
    try:
        moving = wrt if isinstance(wrt, tuple) or not is_forward else (wrt,)
        request = Request("jvp" if is_forward else "grad", function, moving, False, False)
        source = source_of(request.function)
    except TangentError as error:
        return Report([finding(error, _head_of(function))]) if is_asked_for else passed_over
    one = _Linted(request, source, arguments, is_forward, is_asked_for)
    if not is_asked_for and not one.may_be_meant():
        return passed_over
    one.look()
    if not is_asked_for and one.returns_none_that_vary():
        return passed_over
    found: dict[Any, Finding] = {}
    for each in one.findings(name, finding):
        found.setdefault((each.code, each.place), each)
    return Report(sorted(found.values(), key=_order), is_open=one.is_open)


def _head_of(function: Any) -> Place | None:
    """Where a function stands, if its text is at hand."""
    try:
        source = source_of(function)
    except (TangentError, AttributeError):
        return None
    return source.place(source.tree)


def _is_users(file: str) -> bool:
    return functions.is_of_user(file) and "site-packages" not in file


def _order(finding: Finding) -> Any:
    place = finding.place
    spot = ("", 0, 0) if place is None else (place.file, place.line, place.column)
    return (*spot, finding.code)


def _kinds_of_owners(prepared: Prepared) -> Iterator[kinds.Kind]:
    """The kinds of what is indexed, or has its shape asked for."""
    for node in syntax.statements(prepared.tree.body):
        prepared.typer.names = prepared.facts.before.get(id(node), {})
        for part in gast.walk(node) if not isinstance(node, syntax.COMPOUND) else ():
            if isinstance(part, gast.Subscript) or (
                    isinstance(part, gast.Attribute) and part.attr in ("shape", "T", "ndim")):
                yield prepared.typer.kind(part.value)


class _Linted:
    """A function for all kinds of arguments that it may be meant for."""

    def __init__(self, request: Request, source: Source, arguments: tuple[Any, ...] | None,
                 is_forward: bool, is_asked_for: bool) -> None:
        self.request, self.source, self.is_asked_for = request, source, is_asked_for
        self.paths: list[Path] = request.paths()
        self.is_exact = arguments is not None
        self.is_forward = is_forward
        values = None if arguments is None else tuple(request.bound) + arguments
        self.assumed: list[Assumed] = assumptions(request, source, values)
        self.usages = usage(source)
        self.surveys: list[Survey] = []
        self.is_open = len(self.assumed) == 1 and self.assumed[0].is_general

    def look(self) -> None:
        """Have the passes look at the function."""
        renamed, others = under_other_names(self.request.function)
        function = without_stars(renamed)
        paths = [(others.get(path[0], path[0]), *path[1:]) for path in self._paths()]
        self.surveys = [
            survey(function, {others.get(name, name): kind for name, kind in one.kinds.items()},
                   paths, one.is_general, self.is_forward) for one in self.assumed]

    def _paths(self) -> list[Path]:
        if self.is_forward:                 # a tangent is one of a whole parameter
            return [(name,) for name in dict.fromkeys(path[0] for path in self.paths)]
        return self.paths

    def may_be_meant(self) -> bool:
        """Whether this may be there to be differentiated: it takes numbers, and gives some."""
        first = self.paths[0][0]
        inner = {n.name for n in gast.walk(self.source.tree) if isinstance(n, gast.FunctionDef)}
        makes_functions = any(
            isinstance(n, gast.Return) and (isinstance(n.value, gast.Lambda)
                                            or getattr(n.value, "id", None) in inner)
            for n in self.source.tree.body)
        return kinds.can_vary(self.assumed[0].kinds[first]) and not makes_functions \
            and not self.usages.get(first, Usage()).is_tool

    def returns_none_that_vary(self) -> bool:
        """Whether what the function gives has no derivative, as far as is known."""
        results = [look.prepared.facts.result for s in self.surveys
                   if (look := s.look or s.without_refused) is not None]
        return bool(results) and not any(map(kinds.can_vary, results))

    def findings(self, name: str, finding: Any) -> Iterator[Finding]:
        if self.is_asked_for:
            yield from self._asked_for(name)
        if not any(kinds.can_vary(self.assumed[0].kinds.get(path[0], kinds.UNKNOWN))
                   for path in self.paths):
            return                              # there is nothing to be differentiated by
        yield from self._refused(finding, self.source.place(self.source.tree), name)
        for note in self._agreed():
            if note.code != "TL202" or self._is_sure():
                yield Finding(note.code, note.place, note.message, note.fix, name)

    # What is refused ----------------------------------------------------------------------------
    def _refused(self, finding: Any, head: Place, name: str) -> Iterator[Finding]:
        """What is refused for all arguments that are thought of.

        Where kinds are not known, the general code may be refused for that reason alone; so what
        depends on them counts only where it is refused for definite kinds as well.
        """
        certain = [s for s, one in zip(self.surveys, self.assumed) if not one.is_general]
        definite = [s for s in certain if self._is_possible(s)]
        first, *others = [s for s, one in zip(self.surveys, self.assumed)
                          if one.is_general or s in definite] or certain
        keys = {r.key for r in first.refused}
        self.is_open |= any(r.key not in keys for s in others for r in s.refused)
        for refused in first.refused:
            error = refused.error
            is_of_kinds = refused.is_slow or isinstance(error, AliasError)
            if not all(refused.key in {r.key for r in s.refused} for s in others) or (
                    is_of_kinds and not definite and not self._is_of_head(error)):
                self.is_open = True
                continue
            if self.assumed[0].is_general and "has no derivative with respect to" in error.reason:
                continue                # an argument that may be a whole number after all
            error = self._in_text_of_user(error, first)
            if not self.is_asked_for and not self._is_of_user(error):
                continue
            if not refused.is_slow:
                yield finding(error, head)
                continue
            yield Finding("TL201", error.place or head, f"{error.reason}; so adjoints are found by "
                          "identity: tens to hundreds of times as long as the function, if it can "
                          "be followed at all", error.fix, name)

    def _is_possible(self, survey: Survey) -> bool:
        """Whether values may be of the kinds that were assumed: numbers have no items."""
        look = survey.look or survey.without_refused
        return self.is_exact or look is None or not any(
            isinstance(kind, kinds.Number) for kind in _kinds_of_owners(look.prepared))

    def _is_of_user(self, error: TangentError) -> bool:
        """Whether it is said of what the text of the user shows to be meant for a derivative."""
        used = self.usages.get(self.paths[0][0], Usage())
        return error.place is not None and (not self._is_of_head(error) or used.is_number
                                            or (used.is_indexed and not used.is_object))

    def _in_text_of_user(self, error: TangentError, survey: Survey) -> TangentError:
        """What is refused in a library, as refused where that is called."""
        if error.place is None or _is_users(error.place.file) or not _is_users(self.source.file):
            return error
        for source in survey.sources:
            for node in gast.walk(source.tree) if _is_users(source.file) else ():
                called: Any = meaning_of(node.func, source) if isinstance(node, gast.Call) else None
                code = getattr(called, "__code__", None)
                if code is not None and code.co_filename == error.place.file:
                    return type(error)(f"{called.__qualname__} cannot be looked into: "
                                       f"{error.reason} ({error.place.where()})",
                                       source.place(node), "call something else, or register its "
                                       "derivative with tangent_lite.adjoint")
        return type(error)(f"{error.reason} ({error.place.where()})",
                           self.source.place(self.source.tree), error.fix)

    def _is_of_head(self, error: TangentError) -> bool:
        """Whether it is the parameters that are refused, whatever they are."""
        return error.place == self.source.place(self.source.tree)

    # What is asked for --------------------------------------------------------------------------
    def _asked_for(self, name: str) -> Iterator[Finding]:
        """Parameters that cannot vary, and results that are no numbers."""
        known = self.assumed[0].kinds
        parameters = self.request.signature.parameters
        for path in self.paths:
            kind = known.get(path[0], kinds.UNKNOWN)
            parameter = parameters.get(path[0])
            if kinds.can_vary(kind) or len(path) > 1 or parameter is None:
                continue
            place = self._place_of(path[0])
            if self.is_exact:
                yield Finding("TL105", place, f"the argument {spell(path)} cannot vary: it holds "
                              "no floats", "pass a float or an array of floats, or leave it out "
                              "of wrt", name)
            elif parameter.annotation is not parameter.empty:
                yield Finding("TL105", place, f"{path[0]} is annotated as what cannot vary",
                              f"write {path[0]}: float, or name other parameters in wrt", name)
            elif isinstance(parameter.default, int) and not isinstance(parameter.default, bool):
                yield Finding("TL204", place, f"the default of {path[0]} is a whole number, which "
                              "cannot vary", f"write {path[0]}={float(parameter.default)}", name)
        if self.returns_none_that_vary() and not any(
                s.look is None and s.refused for s in self.surveys):
            yield Finding("TL106", self._place_of_result(), f"{self.request.name} returns nothing "
                          "that can vary: no float, no array of floats",
                          "return the number that is to be differentiated", name)

    def _place_of(self, name: str) -> Place:
        found = next((n for n in gast.walk(self.source.tree.args)
                      if isinstance(n, gast.Name) and n.id == name), self.source.tree)
        return self.source.place(found)

    def _place_of_result(self) -> Place:
        returned = [n for n in gast.walk(self.source.tree) if isinstance(n, gast.Return)]
        return self.source.place(returned[-1] if returned else self.source.tree)

    # What may surprise --------------------------------------------------------------------------
    def _agreed(self) -> list[Note]:
        """What is to be said for all arguments that are thought of."""
        said = [list(remarks(s, self.paths)) for s in self.surveys
                if (s.look or s.without_refused) is not None and self._is_possible(s)]
        if not said:
            return []
        return [note for note in said[0] if all(
            any((n.code, n.place) == (note.code, note.place) for n in other)
            for other in said[1:])]

    def _is_sure(self) -> bool:
        """Whether a gradient that is zero is one that somebody wants."""
        if self.is_asked_for:
            return not self.returns_none_that_vary()
        name = self.paths[0][0]
        parameter = self.request.signature.parameters.get(name)
        return parameter is not None and (parameter.annotation is not parameter.empty
                                          or self.usages.get(name, Usage()).is_number)
