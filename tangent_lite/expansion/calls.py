"""Calls of functions that cannot be called as pairs: what they call is written in their place."""
from __future__ import annotations

import functools
import math
import types
from typing import Any

import gast
import numpy as np

from tangent_lite import kinds, registry, syntax
from tangent_lite.analyses.changed_elsewhere import ChangedElsewhere
from tangent_lite.analyses.harmless_calls import changes_nothing
from tangent_lite.analyses.managers import UNKNOWN_MANAGER
from tangent_lite.analyses.own_managers import managing
from tangent_lite.analyses.stopping import ENDED, asks_next
from tangent_lite.errors import TangentError, UnsupportedSyntaxError, final
from tangent_lite.expansion import (
    Written,
    hint_of,
    is_of_numbers,
    name_of,
)
from tangent_lite.expansion.calls_of_builtins import CallsOfBuiltins
from tangent_lite.expansion.captured import Captured
from tangent_lite.expansion.copies import COPIES
from tangent_lite.expansion.functions_taken_in import FunctionsTakenIn
from tangent_lite.expansion.handing_back import HandingBack
from tangent_lite.functions.custom import own_derivative
from tangent_lite.functions.inlining import Given, is_again, is_model
from tangent_lite.functions.local_functions import (
    LocalFunction,
    bound_around,
    holds_local,
    lambda_of,
    unused,
)
from tangent_lite.functions.yields import generates
from tangent_lite.inference import NO_OBJECT
from tangent_lite.modules import fitted_by, says
from tangent_lite.result_kinds.outputs import is_numerical
from tangent_lite.runtime.grids import block_of
from tangent_lite.runtime.objects import blank, instance, replaced
from tangent_lite.structures.comprehensions import COMPREHENSIONS
from tangent_lite.structures.updates import gives_other_fields

MOST_INSIDE = 200       # statements written out, from which on helpers stay pairs if they can


def _is_kept_by_nobody(kind: kinds.Kind) -> bool:
    """Whether a value, as far as is known of it, is none that could be changed."""
    return isinstance(kind, kinds.Array) or kind == kinds.UNKNOWN or is_of_numbers(kind)


class Calls(CallsOfBuiltins, Captured, FunctionsTakenIn, HandingBack):
    """What takes the place of calls."""

    def call(self, value: gast.Call, spot: Any) -> Written | None:
        """By what is called: first what Python and its libraries say, then functions of users."""
        plain = spot.value
        assert isinstance(plain, gast.Call)
        if hasattr(plain.func, "behind"):
            return self.call_of_super(value, plain)
        if any(k.arg is None for k in value.keywords):
            return self.spread_of_map(value, plain)
        if any(isinstance(a, gast.Starred) for a in value.args):
            return self.spread(value, plain) or self.spread_of_list(value, plain) \
                or self.columns(value, plain, spot.node)
        function, receiver = self.facts.callees.get(id(value), (NO_OBJECT, None))
        if getattr(plain, "manages", False) and function is not NO_OBJECT:
            return self.call_of_manager(plain, function, receiver)
        if not self.context.settled and self.is_kept(plain.func, value.func):
            self.context.waits = True
            return None                         # what is written out may put another there
        if any(function is one for one in COPIES) and value.args \
                and isinstance(self.typer.kind(value.args[0]), kinds.RecordKind) \
                and (self.typer.is_growing or not self.context.settled):
            self.context.waits = True
            return None                         # what is written out may give it more to copy
        if function is NO_OBJECT:
            return self.unresolved(value, plain)
        made = self.matrix_call(value, plain, function, receiver)
        if made is not None:
            return made
        method = self.typer.method_called(function) if registry.lookup(function) is None else None
        if method is not None:
            return self.call_of_object(method, plain)
        if function in ENDED:
            self.not_ended(value, plain)
        shorthand = self.shorthand(value, plain, function, receiver)
        if shorthand is not None:
            return self.under_its_name(*shorthand, plain, spot.node)
        if function is replaced and isinstance(plain.args[0], gast.Name) \
                and not hasattr(plain, "updates"):
            # As it stands in a derivative that is read again: a copy, and nobody sees a change.
            for call in (value, plain):
                call.updates, call.is_copy = call.args[0].id, True
        if function is instance:
            return self.given_one_by_one(plain, plain.args)
        if function in (blank, replaced) or says(function):
            return None
        if gives_other_fields(function):
            return self.other_fields(value, plain, receiver)
        if self.uses_up_keys(value, function) or (function is list and len(value.args) == 1
                                                  and self.holds_computed_keys(value.args[0])):
            return None                         # once it is known which keys there are
        if function is tuple and len(plain.args) == 1 and isinstance(plain.args[0], COMPREHENSIONS):
            return self.tuple_of_parts(value.args[0], plain.args[0])
        if self.waits_for_function(value, plain, function):
            self.context.waits = True
            return None
        return self.in_arguments(value, plain, function) \
            or self.with_captured(value, plain, function) \
            or self.of_builtin(value, plain, function, spot.node) \
            or self.by_model(value, plain, function, receiver, spot.node) \
            or self.array_of_items(value, plain, function) \
            or self.parts_in_call(value, plain, function) \
            or self.arrays_for_lists(value, plain, function) \
            or self.parts_of_named_tuple(value, plain, function) \
            or self.call_of_callable(value, plain, function, receiver, spot)

    def call_of_manager(self, plain: gast.Call, function: Any,
                        receiver: gast.expr | None) -> Written:
        """`with sim.halved()`, by now known to be a generator that yields once, as that."""
        made = managing(function)
        if made is None:
            raise self.context.refuse(plain, *UNKNOWN_MANAGER)
        self.context.inliner.managing.add(made)
        func: Any = plain.func
        return [], self.calling(self.inject(made, made.__name__), plain,
                                [*([] if receiver is None else [func.value]), *plain.args])

    def call_of_callable(self, value: gast.Call, plain: gast.Call, function: Any,
                         receiver: gast.expr | None, spot: Any) -> Written | None:
        """By the sort of thing that is called: classes, partials, methods, functions."""
        if function is functools.partial and value.args:
            return self.partial(plain)
        if isinstance(function, type) and registry.lookup(function) is None \
                and function.__module__ not in ("builtins", "numpy", "functools"):
            return self.made_of_class(function, plain, spot.node)
        if isinstance(function, functools.partial):
            return self.call_of_partial(function, plain)
        if isinstance(function, types.MethodType) and registry.lookup(function) is None:
            owner = self.inject(function.__self__, name_of(function.__self__))
            return [], self.calling(self.inject(function.__func__, function.__name__), plain,
                                    [owner, *plain.args])
        if generates(function):
            return None                         # who goes through it may yet be written out
        if isinstance(function, LocalFunction):
            if self.may_be_another(plain) or self.changed_elsewhere.may_be(plain.func):
                return None
            return self.body_of(function, plain, receiver)
        if isinstance(function, types.FunctionType) and registry.lookup(function) is None \
                and (is_model(function) or not registry.is_ours(function)):
            return self.call_of_user(value, plain, function, receiver, spot)
        return self.handed_on(value, plain) or self.several_results(value, plain, spot.node)

    def call_of_user(self, value: gast.Call, plain: gast.Call, function: types.FunctionType,
                     receiver: gast.expr | None, spot: Any) -> Written | None:
        """The body of a function of a module, unless it can be a pair and is not wanted inside."""
        if registry.is_library(function) and own_derivative(function) is None \
                and self.only_computes(value, function, receiver):
            return self.handed_on(value, plain)     # scipy.integrate.quad: not looked into
        filled = self.with_left_out(value, plain, function, receiver)
        if filled is not None:
            return filled
        plain.given = self.what_is_given(value, function, receiver)
        error = self.why_not_a_pair(value, function)
        if error is not None and receiver is None:
            inside = self.with_functions_inside(value, plain, function)
            if inside is not None:
                return inside
        if error is not None and self.waits_for_items(value, function):
            self.context.waits, self.postponed = True, error
            return None
        if error is None and not self.is_inside(function, plain, spot):
            return self.named_owner(plain, receiver) or self.named_containers(value, plain)
        if error is not None and own_derivative(function) is not None:
            raise final(error)          # written out it would have the derivative of its code
        made = None if error is None else self.changed_by(value, plain, function, receiver, error)
        if made is not None:
            return made
        if error is not None and is_again(function, plain):
            raise error
        try:
            local = self.context.inliner.of_module(function, self.bound)
        except TangentError as refusal:
            if error is None:
                return self.named_containers(value, plain)
            if getattr(value, "must_be_written", False) or not (
                    isinstance(refusal, UnsupportedSyntaxError) or registry.is_library(function)):
                raise                   # what it does to its object is not known
            return None                 # refused where it is read, if an active value goes through
        return self.body_of(local, plain, receiver)

    def waits_for_items(self, value: gast.Call, function: types.FunctionType) -> bool:
        """Whether a function that calls itself, and changes nothing, is given what may be known, or
        known better, once loops over dicts are written out, which comes last: `tree_map(f, v)` of
        their items."""
        return math.inf in [kinds.size_in_parts(self.typer.kind(a)) for a in value.args] \
            and self.context.calls_itself(function) \
            and changes_nothing(value, function, self.typer)

    def what_is_given(self, value: gast.Call, function: types.FunctionType,
                      receiver: gast.expr | None) -> Given:
        """What a call gives a function, by its parameters in their order."""
        given = [*([] if receiver is None else [receiver]), *value.args]
        by_name = {k.arg: k.value for k in value.keywords}
        given += [by_name[name] for name in fitted_by(function).parameters if name in by_name]
        found = [self.typer.kind(one) for one in given]
        return Given(found[0].type if found and isinstance(found[0], kinds.RecordKind) else None,
                     tuple(map(kinds.size_in_parts, found)))

    def named_owner(self, plain: gast.Call, receiver: gast.expr | None) -> Written | None:
        """`body.shape.area()` as `shape = body.shape` and `shape.area()`, where the method is
        called as a pair: what has an adjoint there has a name."""
        func = plain.func
        if receiver is None or not isinstance(func, gast.Attribute) \
                or not isinstance(func.value, (gast.Attribute, gast.Subscript)) \
                or syntax.root_name(func.value) not in self.bound \
                or not kinds.can_vary(self.typer.kind(receiver)):
            return None
        first: list[gast.stmt] = []
        func.value = self.named(first, hint_of(func.value), func.value)
        return first, plain

    def body_of(self, local: LocalFunction, plain: gast.Call,
                receiver: gast.expr | None) -> Written:
        """The statements of a function, for the arguments of a call."""
        arguments = list(plain.args)
        if receiver is not None:
            assert isinstance(plain.func, gast.Attribute)
            arguments.insert(0, plain.func.value)
        return self.context.inliner.write(
            local, plain, arguments, {k.arg: k.value for k in plain.keywords}, self.shared,
            self.context.refuse)

    def only_computes(self, value: gast.Call, function: Any, receiver: gast.expr | None) -> bool:
        """Whether a function of a library has nothing to keep what varies in but its result: it is
        the method of no object (queue.Queue.put), and is given no list and no object. What those of
        NumPy and SciPy are given they only read."""
        given = [self.typer.kind(a) for a in (*value.args, *(k.value for k in value.keywords))]
        is_method = receiver is not None or "." in function.__qualname__
        return any(map(holds_local, given)) or (not is_method and (
            is_numerical(function) or all(map(_is_kept_by_nobody, given))))

    def is_kept(self, plain: gast.expr, seen: gast.expr) -> bool:
        """Whether the function that is called was taken out of a list, a dict or an object."""
        if isinstance(plain, gast.Attribute):
            owner = self.typer.kind(seen.value)
            return isinstance(owner, kinds.RecordKind) and plain.attr in owner.fields
        return isinstance(plain, gast.Subscript) or getattr(plain, "id", None) in self.taken_out

    @functools.cached_property
    def taken_out(self) -> set[str]:
        """The names of what is taken out of lists, dicts and objects."""
        bound = [(n.targets[0].id, n.value) for n in syntax.statements(self.tree.body)
                 if isinstance(n, gast.Assign) and isinstance(n.targets[0], gast.Name)]
        found = {name for name, value in bound if isinstance(value, gast.Subscript)
                 or (isinstance(value, gast.Attribute) and syntax.root_name(value) in self.bound)}
        while True:
            more = {name for name, value in bound if getattr(value, "id", None) in found}
            if more <= found:
                return found
            found |= more

    @functools.cached_property
    def changed_elsewhere(self) -> ChangedElsewhere:
        """What objects get anew under other names than those by which it is called."""
        return ChangedElsewhere(self.tree, lambda value: isinstance(value, gast.Call)
                                and self.typer.object_of(value.func) is blank)

    def is_inside(self, function: Any, plain: gast.Call, spot: Any) -> bool:
        """Whether a function is to be written out, since it reads parts, unless the text is long
        already."""
        mapped = self.typer.mapped
        return self.context.inliner.written < MOST_INSIDE \
            and (function in mapped.anywhere
                 or (function in mapped.inside and id(spot.block) in self.in_loops)) \
            and function not in getattr(plain, "chain", ())

    @functools.cached_property
    def in_loops(self) -> set[int]:
        """The blocks in loops, by id."""
        return {id(block) for loop in syntax.statements(self.tree.body)
                if isinstance(loop, (gast.For, gast.While))
                for block in syntax.all_blocks(loop)}

    def may_be_another(self, plain: gast.Call) -> bool:
        """Whether a call that is yet to be written out may bind another function to what is
        called: then it has to be written out first."""
        versions = self.context.names.versions
        left = self.shared & {versions.get(n, n) for n, kind in self.facts.names.items()
                              if holds_local(kind)}
        if not left:
            return False
        tree = syntax.copy(self.tree)
        unused(tree)
        left &= bound_around(tree)
        if not left or isinstance(plain.func, gast.Lambda):
            return False
        stores = [n for n in syntax.statements(tree.body) if isinstance(n, gast.Assign)
                  and isinstance(plain.func, gast.Name)
                  and plain.func.id in syntax.bound_names(n.targets[0])]
        return len(stores) != 1 or not isinstance(stores[0].value, gast.Lambda) \
            or plain.func.id in left

    def handed_on(self, value: gast.Call, plain: gast.Call) -> Written | None:
        """A function that is defined inside and handed on by its name, as the lambda that it is:
        so what it reads is read by the call."""
        made = self.block_written_out(value, plain)
        if made is not None:
            return made
        changed = False
        for seen, given in zip((*value.args, *(k.value for k in value.keywords)),
                               (*plain.args, *(k.value for k in plain.keywords))):
            kind = self.typer.kind(seen)
            if not isinstance(given, gast.Name) or not isinstance(kind, kinds.Known) \
                    or not isinstance(kind.object, LocalFunction) or kind.object.tag is not None:
                continue
            made = gast.copy_location(lambda_of(kind.object), given)
            plain.args = [made if a is given else a for a in plain.args]
            for keyword in plain.keywords:
                keyword.value = made if keyword.value is given else keyword.value
            changed = True
        return ([], plain) if changed else None

    def several_results(self, value: gast.Call, plain: gast.Call,
                        node: gast.stmt) -> Written | None:
        """`a, b = np.modf(x)` as `modf = np.modf(x)` and `a, b = modf`: its rule has one result."""
        function, _ = self.facts.callees.get(id(value), (NO_OBJECT, None))
        entry = registry.lookup(function)
        if not (isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Tuple)) \
                or entry is None or entry.adjoint is None or not self.matters(value) \
                or not isinstance(self.typer.kind(value), (kinds.TupleKind, kinds.Array)):
            return None
        first: list[gast.stmt] = []
        return first, self.named(first, name_of(function), plain)

    def block_written_out(self, value: gast.Call, plain: gast.Call) -> Written | None:
        """`np.block([[x, y], [z, 2.0 * x]])` as a call of which the arrays are the parts."""
        function, _ = self.facts.callees.get(id(value), (NO_OBJECT, None))
        if function is not np.block or len(plain.args) != 1 or not self.matters(value):
            return None
        first: list[gast.stmt] = []
        parts: list[gast.expr] = []

        def layout(node: gast.expr) -> gast.expr | None:
            if isinstance(node, gast.List):
                inner = [layout(e) for e in node.elts]
                return None if None in inner else syntax.tuple_of(inner)
            if isinstance(self.typer.kind(node), (kinds.ListKind, kinds.TupleKind)) \
                    or isinstance(node, (gast.Starred, gast.Tuple)):
                return None
            parts.append(node if isinstance(node, (gast.Name, gast.Constant))
                         else self.named(first, "part", node))
            return syntax.constant(len(parts) - 1)

        shape = layout(plain.args[0])
        if not isinstance(shape, gast.Tuple):
            return None
        call = self.calling(self.inject(block_of, "block_of"), plain,
                            [shape, syntax.tuple_of(parts)])
        return self.normal(first, plain), call

    def not_ended(self, value: gast.Call, plain: gast.Call) -> None:
        """Refuse an iterator that ends where a function which it calls asks another one that is
        used up: a loop does not end there."""
        for given in (*value.args, *(k.value for k in value.keywords)):
            kind = self.typer.kind(given)
            options = kind.options if isinstance(kind, kinds.Choice) else [kind]
            if any(isinstance(one, kinds.Known) and asks_next(
                    one.object, self.typer.object_of, set()) for one in options):
                raise self.context.refuse(plain, "StopIteration ends the iterator that calls this",
                                          "return a value that says so")

    def why_not_a_pair(self, value: gast.Call, function: Any) -> TangentError | None:
        """None if a call of a user function can be that of a pair, else the error that says why."""
        why = getattr(value, "must_be_written", False)
        if isinstance(why, TangentError):
            return why
        if why:
            return self.context.refuse(value, f"{function.__name__} changes its object",
                                       "return what it changes")
        if self.changed and any(self.typer.kind(a) == kinds.UNKNOWN for a in value.args):
            return None         # it is known once what stands in front is written out
        given = [self.typer.kind(a) for a in (*value.args, *(k.value for k in value.keywords))]
        if any(map(holds_local, given)):
            return self.context.refuse(value, f"{function.__name__} is given a function that is "
                                       "defined inside", "write a loop, or define it outside")
        if any(map(self.is_list_of_unlike, value.args)):
            return self.context.refuse(value, f"{function.__name__} is given a list of different "
                                       "objects", "write the loop over them where they are known")
        return self.context.by_itself(value, function, self.outside)

    def unresolved(self, value: gast.Call, plain: gast.Call) -> Written | None:
        """A call of what is no single function: of one of several, or of an object."""
        kind = self.typer.kind(value.func)
        if isinstance(kind, kinds.Choice):
            return self.choice(kind, plain)
        if isinstance(kind, kinds.RecordKind):
            method = self.typer.of_class(kind.type, "__call__")
            if isinstance(method, types.FunctionType):
                return self.call_of_object(method, plain)
        return None

    def call_of_object(self, method: types.FunctionType, plain: gast.Call) -> Written:
        """`layer(x)` of an object of a class with `__call__`, as the call of that."""
        first: list[gast.stmt] = []
        owner = plain.func              # `self.layer(x)`: what has an adjoint has a name
        if not isinstance(owner, gast.Name):
            owner = self.named(first, hint_of(owner), owner)
        name = method.__qualname__.split(".")[-2:][0]
        return first, self.calling(self.inject(method, name), plain, [owner, *plain.args])
