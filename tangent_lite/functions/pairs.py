"""Calls of user functions: the kinds of their results, and the pairs that take their places.

    y = f(x)      =>      y, f_saved = f_fwd(x)      and      bx = f_bwd(f_saved, by)

A pair is made for each combination of kinds and active arguments.
"""
from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from types import FunctionType
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, registry, syntax
from tangent_lite.analyses.dict_sites import dicts_in
from tangent_lite.analyses.origins import NEW, Origins
from tangent_lite.analyses.purity import Purity
from tangent_lite.analyses.written_arguments import OfCall as WrittenInto
from tangent_lite.calling.resolve import Resolver
from tangent_lite.errors import AliasError, TangentError, UnsupportedSyntaxError
from tangent_lite.functions.call_arguments import all_kinds, arguments_of, bound_call, takes_any
from tangent_lite.functions.custom import own_derivative
from tangent_lite.functions.default_values import passed_default
from tangent_lite.functions.giving_back import VALUE, GivenBack, handed_on_whole, without_arrays
from tangent_lite.functions.in_place import holds_floats, in_texts
from tangent_lite.functions.local_functions import holds_local
from tangent_lite.functions.own_units import own_pair
from tangent_lite.functions.parts_read import RESULT, parts_read
from tangent_lite.functions.parts_read import OfCall as PartsRead
from tangent_lite.functions.units import CallOfPair, Pair, Unit
from tangent_lite.inference import OBJECT_CALLS, Typer
from tangent_lite.kinds import Kind
from tangent_lite.modules import fitted_by
from tangent_lite.passes.logarithms import OfCall, Probability, probability_result
from tangent_lite.shapes import anew
from tangent_lite.shapes.layouts import (
    Layouts,
    for_caller,
    is_alone,
    itself,
    key_of,
    without_shapes,
)
from tangent_lite.source import Source

# So often the result of a function is looked for while those that it calls are unknown.
MOST_LOOKS = 8


class Pairs:
    """The pairs of one derivative; prepare and differentiate: the two halves of the pipeline."""

    def __init__(self, prepare: Callable[..., Any], differentiate: Callable[..., Any],
                 units: list[Unit], resolvers: list[Resolver]) -> None:
        self.prepare, self.differentiate, self.units = prepare, differentiate, units
        self.resolvers = resolvers
        self.reads: dict[Any, dict[int, Any]] = {}      # function -> arrays it reads from outside
        self.building: list[Any] = []                   # functions that are being looked at
        self.layouts = Layouts()
        self.purity = Purity()
        self.pairs: dict[Any, Pair] = {}
        self.results: dict[Any, Kind] = {}
        self.origins: dict[Any, Origins | None] = {}    # what results share memory with
        self.unfinished: list[Any] = []                 # the keys of results being looked for
        self.provisional: set[Any] = set()              # those that rest on unfinished ones
        self.looks: Counter[Any] = Counter()            # how often such was looked for in vain
        self.recursive: set[Any] = set()                # whose result is needed to find it
        self.prepared: dict[Any, Any] = {}              # for the first that needs it
        self.probabilities: dict[Any, Probability] = {}     # of those that make such of a parameter
        self.refused: dict[Any, TangentError] = {}      # what cannot be a pair, and why
        self.written: dict[Any, str] = {}               # a parameter that is written into
        self.call_themselves: set[Any] = set()          # functions, with whichever arguments
        self.parts_read: dict[Any, frozenset[str]] = {}     # parameters of which parts are read
        # Numba has no type for what a half that works in what it is given saves of others, which
        # save such in turn; and machine code records what is dear to compute again.
        self.in_python = True
        self.handed_on_whole: dict[Any, frozenset[str]] = {}    # parameters, by such functions

    def given(self, node: gast.Call, function: Any, typer: Typer) -> dict[str, Kind] | None:
        """The kinds of the parameters in a call of a user function; None if they do not fit."""
        if not isinstance(function, FunctionType) \
                or any(isinstance(a, gast.Starred) for a in node.args):
            return None
        receiver = typer.callee(node)[1]
        given = [] if receiver is None else [typer.kind(receiver)]
        given += [typer.kind(a) for a in node.args]
        signature = fitted_by(function)
        parameters = signature.parameters
        if not node.keywords and len(given) == len(parameters) and all(
                p.kind is p.POSITIONAL_OR_KEYWORD for p in parameters.values()):
            return dict(zip(parameters, given))         # as in most calls
        try:
            bound = signature.bind(
                *given, **{k.arg: typer.kind(k.value) for k in node.keywords if k.arg})
        except TypeError:
            return None
        return all_kinds(function, bound.arguments)

    def seen(self, function: Any, given: dict[str, Kind]) -> dict[str, Kind]:
        """The kinds of all parameters, defaults included, as the function sees them."""
        return self.layouts.seen(function, all_kinds(function, given))

    def kind_of_call(self, typer: Typer, node: gast.Call, function: Any) -> Kind:
        """How a typer finds the kind of a call of a user function. What a library does inside is
        long (a filter of SciPy's takes minutes): it is read only where an active value goes in."""
        if isinstance(function, functools._lru_cache_wrapper):
            kept = self.kind_of_call(typer, node, function.__wrapped__)
            return kept if _is_numeric(kept) else kinds.UNKNOWN
        given = self.given(node, function, typer)
        if given is None or takes_any(function) or registry.is_ours(function) \
                or registry.is_library(function) \
                or any(map(holds_local, given.values())):   # it is written out, or refused
            return kinds.UNKNOWN
        if self.is_awaited(function, given):
            return kinds.PENDING
        result = self.result_kind(function, self.layouts.seen(function, given))
        # A function that it makes is known only where its body is written out.
        return kinds.UNKNOWN if holds_local(result) else result

    def origins_of_call(self, typer: Typer, node: gast.Call, function: Any) -> Any:
        """How a typer finds what the result of a user function may share memory with."""
        if isinstance(function, functools._lru_cache_wrapper):
            return Origins(outside=frozenset({"the cache"})), {}    # each call gives it again
        given = self.given(node, function, typer)
        if given is None or takes_any(function) or registry.is_ours(function) \
                or registry.is_library(function) or any(map(holds_local, given.values())):
            return None
        given = self.layouts.seen(function, given)
        self.result_kind(function, given)
        known = self.origins.get(key_of(function, given))
        return None if known is None else (known, arguments_of(node, function, typer))

    def by_itself(self, typer: Typer,
                  place: Callable[[gast.AST], Any]) -> Callable[..., TangentError | None]:
        """Whether a call of a user function can be that of a pair: None, or why it cannot.

        written: the arrays from outside that the caller writes to, on copies of its own.
        """
        def why_not(node: gast.Call, function: Any, written: list[Any]) -> TangentError | None:
            given = self.given(node, function, typer)
            if given is None or function in OBJECT_CALLS or _is_not_read(function, given) \
                    or self.is_awaited(function, given):
                return None
            if any(map(holds_local, given.values())):
                # Be it held by an object: what the function captures is not seen in a pair.
                return UnsupportedSyntaxError(f"{function.__name__} is given a function that is "
                                              "defined inside", place(node), "define it outside")
            if takes_any(function):
                return UnsupportedSyntaxError(f"{function.__name__} takes any number of arguments",
                                              place(node), "name its parameters")
            given = self.layouts.seen(function, given)
            result = self.result_kind(function, given)
            if holds_local(result):
                return UnsupportedSyntaxError(f"{function.__name__} returns a function",
                                              place(node), "call that function where it is made")
            for thing in written:
                if id(thing) in self.reads.get(function, {}):
                    return AliasError(f"{function.__name__} reads an array from outside that is "
                                      "written to", place(node), "pass the array to it")
            return self.refused.get(key_of(function, given))
        return why_not

    def called_as_pair(self, typer: Typer,
                       place: Callable[[gast.AST], Any]) -> Callable[[gast.Call, Any], None]:
        """Raise why a call of a user function cannot be that of a pair, if it cannot."""
        why_not = self.by_itself(typer, place)

        def check(node: gast.Call, function: Any) -> None:
            error = why_not(node, function, [])
            if error is not None:
                raise error
        return check

    def is_awaited(self, function: Any, given: dict[str, Kind]) -> bool:
        """Whether a function that is being looked at calls itself with what another call of it
        returns (`a, n = walk(left, n); b, n = walk(right, n)`): of which kind that is, is known
        when the looks at it agree, and until then there is nothing to look at."""
        if not self.unfinished or not any(kind is kinds.PENDING for kind in given.values()):
            return False
        at = [number for number, key in enumerate(self.unfinished) if key[0] is function]
        if at:
            anew.token()
            self.recursive.add(self.unfinished[at[-1]])
            self.provisional.update(self.unfinished[at[-1] + 1:])
        return bool(at)

    def result_kind(self, function: Any, parameter_kinds: dict[str, Kind]) -> Kind:
        """The kind of what a user function returns."""
        key = key_of(function, parameter_kinds)
        if function in self.layouts.underway:
            self.call_themselves.add(function)
        if key in self.results:
            self.note_callee(function)
            if key in self.unfinished:
                anew.token()                    # it holds as long as this is looked for
                self.recursive.add(key)
                # What is found meanwhile of those that it calls rests on too little.
                self.provisional.update(self.unfinished[self.unfinished.index(key) + 1:])
                # The shapes that were found so far need not be those in the end.
                return for_caller(self.results[key], with_sizes=False)
            return for_caller(self.results[key])
        self.results[key], self.origins[key] = kinds.PENDING, NEW
        before = len(self.resolvers)
        self.building.append(function)
        self.layouts.underway.append(function)
        self.unfinished.append(key)
        for _ in range(4):
            try:
                prepared = self.prepare(function, parameter_kinds, False)
                found, handed_on = prepared.facts.result, prepared.origins
                self.prepared[key] = prepared
                self.note_probability(key, function, prepared)
                self.purity.note(function, prepared)
                self.parts_read[key] = parts_read(
                    prepared.tree, prepared.facts, prepared.typer, prepared.parameters,
                    self.parts_read_in(prepared.typer))
            except TangentError as error:
                if not isinstance(error, (AliasError, UnsupportedSyntaxError)) \
                        and not registry.is_library(function):
                    raise
                if own_derivative(function) is None or isinstance(error, AliasError):
                    self.refused[key] = error
                found, handed_on = kinds.UNKNOWN, None
                # It may be said of a function that this one calls, whose arguments are others.
                if getattr(error, "code", None) is getattr(function, "__code__", error):
                    found = _of_what_class(error.result)        # type: ignore[attr-defined]
                    if own_derivative(function) is None and hasattr(error, "argument"):
                        self.written[key] = error.argument
                        if found is kinds.UNKNOWN:      # which another look would find again
                            self.results[key], self.origins[key] = found, handed_on
                            break
            if is_one(found, self.results[key]) and handed_on == self.origins[key]:
                break
            self.results[key], self.origins[key] = found, handed_on
            if key not in self.recursive:
                break
        else:
            self.results[key] = kinds.UNKNOWN           # each look at it finds another kind
            self.origins[key] = None
        if self.results[key] is kinds.PENDING and len(self.unfinished) == 1:
            self.results[key] = kinds.UNKNOWN           # it never returns
        self.building.pop()
        self.layouts.underway.pop()
        self.unfinished.pop()
        self.note_reads(function, self.resolvers[before:])
        result = self.results[key]
        if key in self.provisional:
            anew.token()
            self.provisional.discard(key)
            self.prepared.pop(key, None)
            self.looks[key] += 1
            if self.looks[key] < MOST_LOOKS:
                del self.results[key], self.origins[key]
            else:                               # functions that call each other in many ways
                result = self.results[key] = kinds.UNKNOWN
                self.origins[key] = None
        return for_caller(result)

    def note_probability(self, key: Any, function: Any, prepared: Any) -> None:
        """Note what a function makes of a parameter, if the pass `logarithms` knows that."""
        if own_derivative(function) is not None or registry.lookup(function) is not None:
            return                                      # of which the user says what it is
        found = probability_result(prepared.tree, prepared.facts, prepared.aliases, prepared.typer,
                                   self.probability_of(prepared.typer), prepared.parameters)
        if found is not None:
            self.probabilities[key] = found

    def probability_of(self, typer: Typer) -> OfCall:
        """What a call of a user function makes of one of its arguments, and which."""
        def of_call(node: gast.Call, function: Any) -> tuple[gast.expr, Probability] | None:
            given = self.given(node, function, typer) if self.probabilities else None
            found = None if given is None or takes_any(function) else self.probabilities.get(
                key_of(function, self.layouts.seen(function, given)))
            return None if found is None else \
                (arguments_of(node, function, typer)[found.argument], found)
        return of_call

    def parts_read_in(self, typer: Typer) -> PartsRead:
        """How it is found out of which arguments a call reads parts."""
        def of_call(node: gast.Call, function: Any) -> dict[str, gast.expr]:
            given = self.given(node, function, typer)
            if given is None or function in OBJECT_CALLS or takes_any(function) \
                    or any(map(holds_local, given.values())) or registry.is_ours(function) \
                    or own_derivative(function) is not None or registry.is_library(function):
                return {}
            key = key_of(function, self.layouts.seen(function, given))
            if key not in self.parts_read or function in self.call_themselves:
                return {}
            arguments = {**arguments_of(node, function, typer), RESULT: node}
            return {name: arguments[name] for name in self.parts_read[key]}
        return of_call

    def written_in(self, typer: Typer) -> WrittenInto:
        """How it is found out which argument a call of a user function certainly writes into."""
        def of_call(node: gast.Call, function: Any) -> gast.expr | None:
            given = self.given(node, function, typer) if self.written else None
            name = None if given is None or takes_any(function) else self.written.get(
                key_of(function, self.layouts.seen(function, given)))
            return None if name is None else arguments_of(node, function, typer)[name]
        return of_call

    def take_prepared(self, function: Any, parameter_kinds: dict[str, Kind]) -> Any:
        """The front half of a function, which was run to find the kind of its result; whoever takes
        it may change it. None if there is none."""
        key = key_of(function, parameter_kinds)
        return None if key in self.recursive else self.prepared.pop(key, None)

    def note_reads(self, function: Any, resolvers: list[Resolver]) -> None:
        """Note which arrays from outside a function reads, what it calls included."""
        found = self.reads.setdefault(function, {})
        for resolver in resolvers:
            for thing in resolver.seen.values():
                if isinstance(thing, (np.ndarray, list, dict)) \
                        or isinstance(kinds.kind_of(thing), kinds.RecordKind):
                    found[id(thing)] = thing
        self.note_callee(function)

    def note_callee(self, function: Any) -> None:
        """Whoever is being looked at calls this function, and so reads what it reads."""
        for caller in self.building:
            self.reads.setdefault(caller, {}).update(self.reads.get(function, {}))

    def pair_at(self, function: Any, arguments: list[gast.expr], keywords: dict[str, gast.expr],
                node: gast.expr, active: set[str], source: Source, typer: Typer,
                external: Callable[[Any, str], gast.expr]) -> CallOfPair:
        """The pair of a user function for one call of it."""
        signature, bound = bound_call(function, arguments, keywords, node, source)
        argument_kinds = self.seen(function, {n: typer.kind(a)
                                              for n, a in bound.arguments.items()})
        if _is_not_read(function, argument_kinds):
            raise UnsupportedSyntaxError(f"{function.__name__} is not looked into",
                                         source.place(node), "write a rule for it")
        parameters = list(signature.parameters)
        varying = tuple(p for p in parameters if isinstance(bound.arguments.get(p), gast.Name)
                        and bound.arguments[p].id in active
                        and kinds.can_vary(argument_kinds[p]))
        names = typer.names
        for name, argument in bound.arguments.items():
            if name not in varying and isinstance(argument, (gast.Tuple, gast.List, gast.Dict)) \
                    and syntax.read_names(argument) & active:
                raise UnsupportedSyntaxError("a container is written as an argument of a helper",
                                             source.place(argument), "give it a name first")
            if isinstance(argument, (gast.Attribute, gast.Subscript)) \
                    and syntax.read_names(argument) & active \
                    and kinds.can_vary(argument_kinds[name]):
                raise UnsupportedSyntaxError("a part of something is an argument of a helper",
                                             source.place(node), "give it a name first")
        back = getattr(function, "sharing", None)
        back = back if self.in_python and isinstance(back, GivenBack) else None
        pair = self.pair(function if back is None else without_arrays(function), argument_kinds,
                         varying, self.added_to(function, argument_kinds, varying))
        typer.names = names
        values = []
        for parameter in parameters:
            if parameter in bound.arguments:
                values.append(bound.arguments[parameter])
            else:
                values.append(passed_default(signature.parameters[parameter].default, parameter,
                                             source.place(node)))
        made = CallOfPair(pair.name, external(pair.forward, pair.forward.name),
                          external(pair.backward, pair.backward.name), values,
                          [(n, bound.arguments[p].id) for n, p in enumerate(pair.active)],
                          saves_result=pair.forward.saves_result)
        if back is not None:
            made.has_value, made.saves_result = back.value is VALUE, False
            arrays = [bound.arguments[p] for p in pair.changes]
            if not all(isinstance(array, gast.Name) for array in arrays):
                raise UnsupportedSyntaxError("a part of something is changed by a helper",
                                             source.place(node), "give it a name first")
            made.arrays = [array.id for array in arrays]
            made.varying = [array.id for p, array in zip(pair.changes, arrays)
                            if kinds.can_vary(argument_kinds[p])]
        made.varying += [bound.arguments[p].id for p in pair.adds]
        return made

    def added_to(self, function: Any, parameter_kinds: dict[str, Kind],
                 active: tuple[str, ...]) -> tuple[str, ...]:
        """The arrays to whose adjoints the backward half of a function adds that calls itself: it
        hands on those that it is given, where zeros in each call would cost as much as the array
        is long."""
        own = itself(function)
        if not self.in_python or own not in self.call_themselves:
            return ()
        changes = () if function is own else function.sharing.names
        arrays = [p for p in active if p not in changes and holds_floats(parameter_kinds[p])]
        if not arrays:
            return ()
        known = self.handed_on_whole.get(own)
        if known is None:
            called = {one.__name__ for one in map(itself, self.call_themselves)}
            known = self.handed_on_whole[own] = handed_on_whole(own, called)
        return tuple(p for p in arrays if p in known)

    def pair(self, function: Any, parameter_kinds: dict[str, Kind],
             active: tuple[str, ...], adds: tuple[str, ...] = ()) -> Pair:
        """The pair of a user function, for these kinds and active parameters; made once. adds:
        arrays to whose adjoints its backward half adds, in place of returning these."""
        key = (*key_of(function, parameter_kinds), active, adds)
        if key in self.pairs:
            return self.pairs[key]
        name = function.__name__ if function.__name__.isidentifier() else "lambda_"
        # A recursive function meets its own pair, which is filled in when it is done.
        forward = Unit("", gast.FunctionDef(), None)                        # type: ignore[arg-type]
        backward = Unit("", gast.FunctionDef(), None)                       # type: ignore[arg-type]
        forward.name, backward.name = f"{name}_fwd", f"{name}_bwd"
        changes = getattr(function, "changes", ())
        made = self.pairs[key] = Pair(name, forward, backward,
                                      tuple(p for p in active if p not in (*changes, *adds)),
                                      changes, adds)
        if changes or adds:
            forward.in_place, backward.in_place = in_texts(function, parameter_kinds, made)
        before = len(self.units)
        own = own_derivative(function)
        if own is not None:
            units = own_pair(function, own, parameter_kinds,
                             self.result_kind(function, parameter_kinds), active, self.pair)
            self.units += units
        else:
            self.layouts.underway.append(function)
            _, units = self.differentiate(function, parameter_kinds, [(p,) for p in active],
                                          "pair", False, adds)
            self.layouts.underway.pop()
        for ours, done in ((forward, units[0]), (backward, units[1])):
            ours.__dict__.update({**done.__dict__, "in_place": ours.in_place})
        backward.forward = forward
        self.units[before:] = [u for u in self.units[before:] if u not in units] \
            + [forward, backward]
        return made

    def state(self) -> Any:
        """Which pairs and units there are, so that an attempt can be undone."""
        return dict(self.pairs), list(self.units)

    def go_back(self, state: Any) -> None:
        """Forget the pairs and units that came since, of which some may be half done."""
        self.pairs, self.units[:] = state

    def of_itself(self, function: Any, parameter_kinds: dict[str, Kind],
                  active: tuple[str, ...]) -> Pair | None:
        """The pair by which a function calls itself, if it serves for these arguments, too."""
        for (other, other_kinds, _, others_active, _), pair in self.pairs.items():
            if other is function and others_active == active and is_alone(dict(other_kinds)) \
                    and all(_alike(a, b[1]) for a, b in zip(parameter_kinds.values(),
                                                            other_kinds)):
                return pair
        return None


def _alike(a: Kind, b: Kind) -> bool:
    """Whether two kinds differ in what is known of shapes only."""
    if isinstance(a, kinds.Array) and isinstance(b, kinds.Array):
        return (a.ndim, a.dtype) == (b.ndim, b.dtype)
    return is_one(a, b) or (isinstance(a, kinds.Number) and isinstance(b, kinds.Number)
                                 and a.type == b.type and b.value is kinds.NO_VALUE)


def is_one(a: Kind, b: Kind) -> bool:
    """Whether two looks found the same, shapes aside; literals count, which `==` does not compare:
    the 2.0 that ends a recursion is not what all of its calls return."""
    return a == b and kinds.how_unknown(a) == kinds.how_unknown(b) \
        and kinds.is_identical(_alone(a), _alone(b))


def _alone(kind: Kind) -> Kind:
    """A kind without what each look finds anew: shapes, and where dicts are made."""
    return dicts_in(without_shapes(kind), lambda one: replace(one, sites=frozenset()))


def _is_numeric(kind: Kind) -> bool:
    """Whether a value is a number, an array, or a tuple of these."""
    if isinstance(kind, kinds.TupleKind):
        return all(map(_is_numeric, kind.items))
    return isinstance(kind, (kinds.Number, kinds.Array))


def _is_not_read(function: Any, given: dict[str, Kind]) -> bool:
    """Whether a call hands a function that is defined inside to one of a library."""
    return registry.is_library(function) and any(map(holds_local, given.values()))


def _of_what_class(kind: Kind) -> Kind:
    """What is known before it is written out of what a call returns that changes something: of
    which class an object is, as in `p += v`, and which attributes it has."""
    return kinds.RecordKind(kind.type, kind.fields, (kinds.UNKNOWN,) * len(kind.fields)) \
        if isinstance(kind, kinds.RecordKind) else kinds.UNKNOWN


