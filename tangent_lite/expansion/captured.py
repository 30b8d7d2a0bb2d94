"""Functions that integrators and root finders are given: what they read around them becomes args.

    odeint(lambda y, t: -k * y, y0, t)      =>      odeint(lambda y, t, k_1: -k_1 * y, y0, t,
                                                           args=(k,))

Rules speak of what goes through `args`; SciPy gives it to the function behind all else, so it
computes the same, with what the variables are when SciPy is called. A function of several
statements stands beside the function around it then, and is called by its name.
"""
from __future__ import annotations

import inspect
import types
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.calling.resolve import meaning
from tangent_lite.errors import TangentError
from tangent_lite.expansion import Scene, Written
from tangent_lite.functions.called_with_args import (
    OTHERS,
    calls_its_first,
    given_by_itself,
    may_change,
)
from tangent_lite.functions.local_functions import LocalFunction, is_whole, lambda_of
from tangent_lite.inference import NO_OBJECT
from tangent_lite.modules import module_of
from tangent_lite.source import beside, source_of

_PASSED = (kinds.Number, kinds.Array, kinds.Text, kinds.Nothing)
_NUMBERS = (kinds.Number, kinds.Text, kinds.Nothing)       # of quad, whose parameters are numbers


class Captured(Scene):
    """What takes the place of such a call."""

    def with_captured(self, value: gast.Call, plain: gast.Call, function: Any) -> Written | None:
        """The call with what its first argument captures in args; None where it captures nothing
        that can go there."""
        if not calls_its_first(function) or not plain.args:
            return None
        seen, given = value.args[0], plain.args[0]
        kind = self.typer.kind(seen)
        if isinstance(given, gast.Name) and isinstance(kind, kinds.Known) \
                and isinstance(kind.object, LocalFunction) and kind.object.tag is None \
                and not kind.object.bound:
            # As the lambda that it is, of which the next round knows what it reads.
            plain.args = [gast.copy_location(lambda_of(kind.object), given), *plain.args[1:]]
            return [], plain
        local = getattr(given, "local", None)
        if not isinstance(given, gast.Lambda) or local is None or local.bound \
                or local.tag is not None:
            return None
        place = self.place_of_args(value, plain, function)
        if place is None:
            return None
        passed = place.elts if isinstance(place, gast.Tuple) else []
        kinds_passed = _NUMBERS if function.__name__ == "quad" else _PASSED
        is_real = module_of(function).startswith("scipy.integrate")
        made = _Moving(local, seen, given, self, kinds_passed, is_real).moved(
            given_by_itself(function) + len(passed))
        if made is None:
            return None
        first: list[gast.stmt] = []
        more = [part if syntax.is_atom(part) else self.named(first, _name_of(part), part)
                for part in made.values]
        whole = gast.copy_location(gast.Tuple([*passed, *more], gast.Load()), plain)
        arguments = [made.function, *(whole if a is place else a for a in plain.args[1:])]
        keywords = [k for k in plain.keywords if k.arg != "args"]
        if not any(a is place for a in plain.args):
            keywords.append(gast.keyword("args", whole))
        call = self.calling(plain.func, plain, arguments, keywords)
        syntax.place_within(call, plain)
        return [syntax.placed(one, plain) for one in first], call

    def waits_for_function(self, value: gast.Call, plain: gast.Call, function: Any) -> bool:
        """Whether which function it calls is only known once others are written out: `m.rhs`."""
        return not self.context.settled and calls_its_first(function) and bool(plain.args) \
            and isinstance(plain.args[0], gast.Name) and plain.args[0].id in self.bound \
            and self.typer.kind(value.args[0]) == kinds.UNKNOWN

    def place_of_args(self, value: gast.Call, plain: gast.Call, function: Any) -> Any:
        """The tuple that is args now, a constant where none is; None where it is no tuple that is
        written out, or where others would have to be given the same."""
        names = list(inspect.signature(function).parameters)
        if any(k.arg is None for k in plain.keywords) \
                or any(isinstance(a, gast.Starred) for a in plain.args) \
                or len(plain.args) > len(names):
            return None
        found = {**dict(zip(names, zip(value.args, plain.args))),
                 **{k.arg: (s.value, k.value) for s, k in zip(value.keywords, plain.keywords)}}
        if any(name in OTHERS and not isinstance(self.typer.kind(seen), kinds.Nothing)
               for name, (seen, _) in found.items()):
            return None
        place = found["args"][1] if "args" in found else gast.Constant((), None)
        return place if isinstance(place, gast.Tuple) or getattr(place, "value", None) == () \
            else None


class _Moving:
    """One function, of which what it reads around it becomes parameters.

    seen, given: the lambda that stands for it, with the names that kinds are known by and with
    those of the text; passed: the kinds that may go through args; is_real: but no complex ones;
    function: what stands for it then; values: what it is given behind the rest.
    """

    def __init__(self, local: LocalFunction, seen: Any, given: gast.Lambda, scene: Captured,
                 passed: tuple[type, ...], is_real: bool) -> None:
        self.local, self.scene, self.passed, self.is_real = local, scene, passed, is_real
        self.function: gast.expr = given
        self.parameters: list[str] = []
        self.values: list[gast.expr] = []
        self.tree, self.origin = syntax.copy(local.tree), local.origin
        # What it reads around it, by its own names: as the kinds know it, and as the text has it.
        # Both lambdas are the same but for names.
        self.read: dict[str, tuple[gast.expr, gast.expr]] = {
            two.id: (one, syntax.load(two.id)) for one, two in zip(_names(seen), _names(given))
            if two.id in local.captured}
        filled = _filled(given)
        self.is_whole = is_whole(given) and not filled
        if filled:
            self.fill(filled, _filled(seen))

    def fill(self, given: list[Any], seen: list[Any]) -> None:
        """Take the function of a partial, or of a method, in its place, which is given some of its
        arguments: those are what it reads."""
        kind = self.scene.typer.kind(seen[0][1])
        function = kind.object if isinstance(kind, kinds.Known) else None
        self.tree = None
        if not isinstance(function, types.FunctionType):
            return
        try:
            self.origin = source_of(function)
        except TangentError:
            return
        self.scene.context.inliner.read(function)       # whose code is looked at before each call
        self.tree = syntax.copy(self.origin.tree)
        names = [a.id for a in self.tree.args.args]
        parameters = [name if type(name) is str else names[name] if name < len(names) else ""
                      for name, _ in given[1:]]
        self.read = {name: (one, two) for name, (_, one), (_, two) in zip(
            parameters, seen[1:], given[1:])}
        if len(self.read) < len(parameters) or not set(parameters) <= set(names):
            self.tree = None

    def moved(self, count: int) -> _Moving | None:
        """Itself, once it is done; count: how many arguments the function gets anyway. None where
        nothing moves, or not all that has to."""
        if self.tree is None:
            return None
        arguments = self.tree.args
        own = [a.id for a in arguments.args if a.id not in self.read]
        defaults = self.local.defaults if self.origin is self.local.origin else {}
        if arguments.posonlyargs or arguments.kwonlyargs or arguments.vararg or arguments.kwarg \
                or len(own) < count or any(name not in defaults for name in own[count:]):
            return None
        self.values += [syntax.copy(defaults[name]) for name in own[count:]]
        read = [name for name in sorted(self.read) if not self.is_outside(name)]
        if may_change(self.tree, [*read, *own[count:]], lambda name: meaning(self.origin, name)):
            return None
        left = [name for name in read if not self.move(name)]
        if not self.values or (left and not self.is_whole):
            return None
        arguments.args = [gast.Name(p, gast.Param(), None, None)
                          for p in (*own, *self.parameters)]
        arguments.defaults = []
        if self.is_whole:
            made = LocalFunction(self.local.name, self.tree, frozenset(left), frozenset(), {},
                                 self.origin)
            self.function = gast.copy_location(lambda_of(made), self.function)
        else:
            if any(isinstance(n, gast.Call) and isinstance(n.func, gast.Constant)
                   for n in syntax.walk(self.tree)):
                return None                     # a mark, which Python does not know
            self.tree.decorator_list = []
            self.function = self.scene.inject(beside(self.tree, self.origin, {}), self.tree.name)
        return self

    def is_outside(self, name: str) -> bool:
        """Whether a name means what it means for all functions of the module."""
        return name not in self.scene.bound and self.origin is self.local.origin \
            and meaning(self.origin, name) is not NO_OBJECT

    def move(self, name: str) -> bool:
        """Whether a variable, or all that is read of it, is a parameter now."""
        seen, text = self.read[name]
        kind = self.scene.typer.kind(seen)
        if self.may_pass(kind):
            parameter = self.scene.context.names.fresh(name)
            self.take(parameter, text)
            syntax.Rename({name: parameter}).visit(self.tree)
            return True
        parts = _Parts(name)
        for node in self.tree.body:
            parts.visit(node)
        if parts.others or not parts.found or not all(
                _is_held(part, kind)
                and self.may_pass(self.scene.typer.kind(_of(part, seen)))
                for part in parts.found.values()):
            return False
        for key, part in parts.found.items():
            parts.parameters[key] = self.scene.context.names.fresh(_name_of(part))
            self.take(parts.parameters[key], _of(part, text))
        self.tree.body = [parts.visit(node) for node in self.tree.body]
        return True

    def may_pass(self, kind: kinds.Kind) -> bool:
        """Whether what is of that kind may go through args."""
        return isinstance(kind, self.passed) and not (
            self.is_real and kinds.dtype_of(kind) == "complex")

    def take(self, parameter: str, value: gast.expr) -> None:
        self.parameters.append(parameter)
        self.values.append(value)


def _filled(node: Any) -> list[tuple[Any, gast.expr]]:
    """Of `lambda *args, **options: f(m, *args, k=2.0, **options)`, as partials and methods are
    written, what stands for f and for the arguments, by place or name; nothing of all else."""
    call, arguments = node.body, node.args
    if arguments.vararg is None or arguments.args or not isinstance(call, gast.Call) \
            or not call.args or not isinstance(call.args[-1], gast.Starred):
        return []
    return [(None, call.func), *enumerate(call.args[:-1]),
            *((k.arg, k.value) for k in call.keywords if k.arg is not None)]


def _is_held(part: Any, kind: kinds.Kind) -> bool:
    """Whether what a value is of certainly has a part, which is no property."""
    if isinstance(part, gast.Attribute):
        return isinstance(kind, kinds.RecordKind) and part.attr in kind.fields
    if isinstance(kind, kinds.DictKind):
        return part.slice.value in kind.keys
    return isinstance(kind, (kinds.TupleKind, kinds.ListKind, kinds.Array))


class _Parts(gast.NodeTransformer):
    """Finds the parts of a dict or an object that are read: `p["k"]`, `p.k`; puts parameters in
    their place, once they have some. others: whether it is read in another way."""

    def __init__(self, name: str) -> None:
        self.name, self.others = name, False
        self.found: dict[str, gast.expr] = {}
        self.parameters: dict[str, str] = {}

    def visit(self, node: Any) -> Any:
        if isinstance(node, (gast.Subscript, gast.Attribute)) \
                and getattr(node.value, "id", None) == self.name \
                and isinstance(node.ctx, gast.Load) \
                and isinstance(getattr(node, "slice", gast.Constant("", None)), gast.Constant):
            key = gast.dump(node, include_attributes=False)
            if key in self.parameters:
                return gast.copy_location(syntax.load(self.parameters[key]), node)
            self.found[key] = node
            return node
        if isinstance(node, gast.Name) and node.id == self.name:
            self.others = True
        return self.generic_visit(node)


def _of(part: Any, owner: gast.expr) -> gast.expr:
    """The same part of another owner."""
    made = syntax.copy(part)
    made.value = syntax.copy(owner)
    return made


def _name_of(part: Any) -> str:
    """`p["k"]` and `p.k` as p_k."""
    if isinstance(part, gast.Name):
        return part.id
    key = part.attr if isinstance(part, gast.Attribute) else part.slice.value
    name = f"{part.value.id}_{key}"
    return name if name.isidentifier() else "part"


def _names(node: Any) -> list[gast.Name]:
    return [n for n in syntax.walk(node.body) if isinstance(n, gast.Name)]
