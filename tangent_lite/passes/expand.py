"""Write out what has no derivative of its own: calls of inner functions, comprehensions.

    y = scaled(x)                  =>      t = by * x
                                           y = t
    y = [v * v for v in x]         =>      y = []
                                           for v in x: y.append(v * v)

What a call calls is known from the kinds, so this runs after `infer`, again and again until nothing is
left to write out: what a body calls is known when the body stands in its place. The tree in front of
`frame` is changed; `mark` numbers the expressions, so that what was found in the later tree is found
in the earlier one.
"""
from __future__ import annotations

import functools
import inspect
import itertools
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gast

from tangent_lite import kinds, registry, syntax
from tangent_lite.comprehensions import (
    COMPREHENSIONS,
    any_or_all,
    as_loop,
    dict_over_keys,
    of_call,
)
from tangent_lite.errors import TangentError, UnsupportedSyntaxError
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.inlining import Inliner
from tangent_lite.liveness import written_outside
from tangent_lite.local_functions import LocalFunction, holds_local, lambda_of
from tangent_lite.names import Names
from tangent_lite.syntax import COMPOUND, assign, load
from tangent_lite.unrolling import unroll

_marks = itertools.count(1)


@dataclass
class Context:
    """What the pass is given; by_itself: None if a function of the user can be called as a pair,
    else the error that says why not."""
    typer: Typer
    names: Names
    inliner: Inliner
    refuse: Callable[[gast.AST, str, str], UnsupportedSyntaxError]
    by_itself: Callable[..., TangentError | None]


@dataclass
class Spot:
    """Where a marked expression stands in the tree that is changed."""
    block: list[gast.stmt]
    node: gast.stmt
    value: gast.expr


def mark(tree: gast.FunctionDef) -> dict[int, Spot]:
    """Number what may have to be written out, and say where it stands."""
    spots: dict[int, Spot] = {}
    blocks = [tree.body]
    while blocks:
        block = blocks.pop()
        for node in block:
            if isinstance(node, COMPOUND):
                blocks += [node.body, node.orelse]
            value = _marked(node)
            if value is not None:
                if not hasattr(value, "mark"):
                    value.mark = next(_marks)
                spots[value.mark] = Spot(block, node, value)
    return spots


def _marked(node: gast.stmt) -> gast.AST | None:
    """The part of a statement that carries its mark: an operation, or the whole of a loop."""
    if isinstance(node, (gast.For, gast.AugAssign)):
        return node
    value = node.test if isinstance(node, gast.If) else getattr(node, "value", None)
    return None if value is None or isinstance(value, (gast.Name, gast.Constant)) else value


def expand(tree: gast.FunctionDef, spots: dict[int, Spot], numbered: gast.FunctionDef,
           facts: Any, context: Context) -> bool:
    """Change the tree in place, by what is known of `numbered`, its later form; whether it did."""
    return _Expand(tree, spots, facts, context).run(numbered)


class _Expand:
    def __init__(self, tree: gast.FunctionDef, spots: dict[int, Spot], facts: Any,
                 context: Context) -> None:
        self.tree, self.spots, self.facts, self.context = tree, spots, facts, context
        self.typer = context.typer
        self.shared = _bound_around(tree)
        self.bound = {n.id for n in gast.walk(tree) if isinstance(n, gast.Name)
                      and not isinstance(n.ctx, gast.Load)}
        free = context.inliner.resolver.now
        self.outside = [free(n) for n in written_outside(tree)]     # arrays it writes to

    def run(self, numbered: gast.FunctionDef) -> bool:
        changes: list[tuple[Spot, list[gast.stmt], gast.expr | None]] = []
        for node in syntax.statements(numbered.body):
            value = _marked(node)
            number = getattr(value, "mark", None)
            if number is None or number not in self.spots:
                continue
            spot = self.spots.pop(number)
            self.typer.names = self.facts.before.get(id(node), {})
            made = self.written(value, spot)
            if made is not None:
                changes.append((spot, *made))
        for spot, statements, result in reversed(changes):
            for node in statements:
                for part in gast.walk(node):
                    if isinstance(part, (gast.stmt, gast.expr)) and not hasattr(part, "lineno"):
                        gast.copy_location(part, spot.node)
            self.replace(spot, statements, result)
        return bool(changes)

    def written(self, value: Any, spot: Spot) -> Written | None:
        """What takes the place of something: statements, and what is left of an expression."""
        plain: Any = spot.value
        if isinstance(value, gast.For):
            return unroll(value, plain, self.facts, self.typer, self.context.names)
        if isinstance(value, gast.AugAssign):
            return self.list_grows(value, plain)
        if isinstance(value, gast.Call):
            return self.call(value, spot)
        if isinstance(value, gast.Attribute):
            return self.attribute(value, plain)
        if isinstance(value, COMPREHENSIONS):
            return self.comprehension(value, plain, spot.node)
        if isinstance(value, gast.Dict):
            return self.dict_parts(value, plain) if None in value.keys else None
        if isinstance(value, (gast.Tuple, gast.List)):
            spread = any(isinstance(e, gast.Starred) for e in value.elts)
            return self.sequence_parts(value, plain) if spread else None
        if isinstance(value, gast.Subscript):
            return self.slice_of_tuple(value, plain)
        if isinstance(value, gast.BinOp):
            return self.joined(value, plain)
        return None

    def replace(self, spot: Spot, statements: list[gast.stmt], result: gast.expr | None) -> None:
        node = spot.node
        at = next(i for i, n in enumerate(spot.block) if n is node)
        if result is None or (isinstance(node, gast.Expr) and isinstance(
                result, (gast.Name, gast.Constant))):
            spot.block[at:at + 1] = statements or [gast.copy_location(gast.Pass(), node)]
            return
        if isinstance(node, gast.If):
            node.test = result
        elif isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Tuple) \
                and isinstance(result, (gast.Tuple, gast.List)):
            statements = statements + self.unpacked(node.targets[0], result)
            spot.block[at:at + 1] = statements
            return
        else:
            node.value = result
        spot.block[at:at] = statements

    def unpacked(self, target: gast.Tuple, value: gast.expr) -> list[gast.stmt]:
        """`a, b = x, y`, one by one if no name is bound before it is read."""
        bound = syntax.bound_names(target)
        if len(bound) == len(value.elts) and not set(bound) & syntax.read_names(value):
            made = [assign(n, v) for n, v in zip(bound, value.elts)]
        else:
            name = self.context.names.fresh("parts")
            made = [assign(name, value), gast.Assign([target], load(name), None)]
        for node in made:
            for part in gast.walk(node):
                if isinstance(part, (gast.stmt, gast.expr)) and not hasattr(part, "lineno"):
                    gast.copy_location(part, target)
        return made

    # Lists and tuples ---------------------------------------------------------------------------
    def normal(self, statements: list[gast.stmt], place: gast.AST) -> list[gast.stmt]:
        """Statements in normal form."""
        body = [*statements, gast.Return(None)]
        tree = gast.FunctionDef("block", syntax.function_def("block", [], []).args, body, [], None,
                                None)
        for part in gast.walk(tree):
            if isinstance(part, (gast.stmt, gast.expr)) and not hasattr(part, "lineno"):
                gast.copy_location(part, place)
        made = self.context.inliner.normal(tree).body[:-1]
        for fact in ("origin", "chain"):
            for part in (p for s in made for p in gast.walk(s)):
                if hasattr(place, fact) and not hasattr(part, fact):
                    setattr(part, fact, getattr(place, fact))
        return made

    def comprehension(self, value: gast.expr, plain: gast.expr, node: gast.stmt) -> Written | None:
        """A comprehension that may be on the way of an active value, as a loop."""
        if isinstance(value, gast.DictComp):
            made = dict_over_keys(value, plain, self.typer)
            if made is not None:
                name = self.context.names.fresh("parts")
                return self.normal([assign(name, made)], plain), load(name)
        if isinstance(value, gast.SetComp) or not self.matters(value):
            return None
        target = node.targets[0] if isinstance(node, gast.Assign) else None
        if isinstance(target, gast.Name) and target.id not in syntax.read_names(plain):
            return self.normal(as_loop(plain, target.id), plain), None
        name = self.context.names.fresh("parts")
        return self.normal(as_loop(plain, name), plain), load(name)

    def matters(self, value: gast.expr) -> bool:
        """Whether what a comprehension reads may vary, or is a function that is defined inside."""
        kinds_read = [self.typer.names[n] for n in syntax.read_names(value) if n in self.typer.names]
        return any(kinds.can_vary(k) or holds_local(k) for k in kinds_read) or any(
            getattr(n, "local", None) is not None for n in gast.walk(value))

    def in_arguments(self, value: gast.Call, plain: gast.Call, function: Any) -> Written | None:
        """Comprehensions that are arguments get names first; any and all stop early."""
        first: list[gast.stmt] = []
        if function in (any, all) and len(plain.args) == 1 \
                and isinstance(plain.args[0], gast.GeneratorExp):
            if not self.calls_local(value.args[0]):
                return None
            name = self.context.names.fresh(f"{function.__name__}_of")
            return self.normal(any_or_all(plain.args[0], function.__name__, name), plain), load(name)
        for number, (seen, one) in enumerate(zip(value.args, plain.args)):
            if isinstance(seen, COMPREHENSIONS) and not isinstance(seen, gast.SetComp) \
                    and self.matters(seen):
                name = self.context.names.fresh("parts")
                first += self.normal([assign(name, _as_list(one))], plain)
                plain.args[number] = load(name)
        return (first, plain) if first else None

    def calls_local(self, value: gast.expr) -> bool:
        return any(holds_local(self.typer.names.get(n, kinds.UNKNOWN))
                   for n in syntax.read_names(value))

    def list_grows(self, value: gast.AugAssign, plain: gast.AugAssign) -> Written | None:
        """`xs += ys` appends the items of ys."""
        if not isinstance(value.target, gast.Name) or not isinstance(value.op, gast.Add) \
                or not isinstance(self.typer.names.get(value.target.id), kinds.ListKind):
            return None
        return self.extended(plain.target.id, value.value, plain.value, plain)

    def extended(self, name: str, seen: gast.expr, items: gast.expr,
                 place: gast.AST) -> Written | None:
        kind = self.typer.kind(seen)
        if isinstance(items, (gast.Tuple, gast.List)) and not any(
                isinstance(e, gast.Starred) for e in items.elts):
            return self.normal([syntax.statement(syntax.method(load(name), "append", e))
                                for e in items.elts], place), gast.Constant(None, None)
        if not isinstance(kind, (kinds.ListKind, kinds.TupleKind, kinds.Array)) \
                or not isinstance(items, gast.Name):
            return None
        source: gast.expr = syntax.copy(items)
        if items.id == name:
            source = syntax.method(source, "copy")
        item = self.context.names.fresh("item")
        loop = gast.For(syntax.store(item), source, [syntax.statement(
            syntax.method(load(name), "append", load(item)))], [], None)
        return self.normal([loop], place), None

    def parts_of(self, kind: kinds.TupleKind, owner: gast.expr, numbers: Any,
                 first: list[gast.stmt]) -> list[gast.expr]:
        """Names for parts of a tuple."""
        if isinstance(owner, (gast.Tuple, gast.List)):
            return [owner.elts[n] for n in numbers]
        return [self.named(first, f"{_hint(owner)}_{n}",
                           syntax.subscript(syntax.copy(owner), syntax.constant(n)))
                for n in numbers]

    def slice_of_tuple(self, value: gast.Subscript, plain: gast.Subscript) -> Written | None:
        """`t[1:]` of a tuple, part by part."""
        owner = self.typer.kind(value.value)
        if not isinstance(owner, kinds.TupleKind) or not isinstance(value.slice, gast.Slice) \
                or not isinstance(plain.value, gast.Name):
            return None
        bounds = [kinds.value_of(self.typer.kind(b))
                  for b in (value.slice.lower, value.slice.upper, value.slice.step)]
        if kinds.NO_VALUE in bounds:
            return None
        first: list[gast.stmt] = []
        numbers = range(len(owner.items))[slice(*bounds)]
        parts = self.parts_of(owner, plain.value, numbers, first)
        return first, gast.copy_location(syntax.tuple_of(parts), plain)

    def joined(self, value: gast.BinOp, plain: gast.BinOp) -> Written | None:
        """`a + b` of tuples, and `t * 2`, part by part."""
        left, right = self.typer.kind(value.left), self.typer.kind(value.right)
        if not isinstance(left, kinds.TupleKind) or not isinstance(plain.left, gast.Name):
            return None
        first: list[gast.stmt] = []
        parts = self.parts_of(left, plain.left, range(len(left.items)), first)
        if isinstance(value.op, gast.Add) and isinstance(right, kinds.TupleKind) \
                and isinstance(plain.right, gast.Name):
            parts += self.parts_of(right, plain.right, range(len(right.items)), first)
        elif isinstance(value.op, gast.Mult) and isinstance(kinds.value_of(right), int):
            parts = [syntax.copy(p) for _ in range(kinds.value_of(right)) for p in parts]
        else:
            return None
        return first, gast.copy_location(syntax.tuple_of(parts), plain)

    # Calls ----------------------------------------------------------------------------------------
    def call(self, value: gast.Call, spot: Spot) -> Written | None:
        plain = spot.value
        assert isinstance(plain, gast.Call)
        if any(isinstance(a, gast.Starred) for a in value.args) \
                or any(k.arg is None for k in value.keywords):
            return self.spread(value, plain)
        function, receiver = self.facts.callees.get(id(value), (NO_OBJECT, None))
        if function is NO_OBJECT:
            return self.unresolved(value, plain)
        made = self.in_arguments(value, plain, function) or self.of_builtin(value, plain, function,
                                                                            receiver)
        if made is not None:
            return made
        if function is functools.partial and value.args:
            return self.partial(plain)
        if isinstance(function, functools.partial):
            return self.call_of_partial(function, plain)
        if isinstance(function, types.MethodType) and _entry(function) is None:
            owner = self.inject(function.__self__, _name_of(function.__self__))
            return [], self.calling(self.inject(function.__func__, function.__name__), plain,
                                    [owner, *plain.args])
        if isinstance(function, LocalFunction):
            local = function
        elif isinstance(function, types.FunctionType) and _entry(function) is None:
            error = self.why_not_a_pair(value, function)
            if error is None:
                return None
            if function in getattr(plain, "chain", ()):
                raise error
            try:
                local = self.context.inliner.of_module(function, self.bound)
            except UnsupportedSyntaxError:
                return None         # refused where it is read, if an active value goes through it
        else:
            return None
        arguments = list(plain.args)
        if receiver is not None:
            assert isinstance(plain.func, gast.Attribute)
            arguments.insert(0, plain.func.value)
        return self.context.inliner.write(
            local, plain, arguments, {k.arg: k.value for k in plain.keywords}, self.shared,
            self.context.refuse)

    def of_builtin(self, value: gast.Call, plain: gast.Call, function: Any,
                   receiver: Any) -> Written | None:
        """Calls that stand for comprehensions, for parts of a container, or for a loop."""
        if function in (list.extend, dict.items, dict.keys, dict.values):
            owner = plain.func.value
            if not isinstance(owner, gast.Name):
                return None
            if function is list.extend and len(plain.args) == 1:
                return self.extended(owner.id, value.args[0], plain.args[0], plain)
            return self.views_of_dict(self.typer.kind(receiver), owner, function)
        if plain.keywords or not plain.args:
            return None
        if function in (list, tuple) and len(plain.args) == 1:
            kind = self.typer.kind(value.args[0])
            if isinstance(kind, kinds.TupleKind) and isinstance(plain.args[0], gast.Name):
                first: list[gast.stmt] = []
                parts = self.parts_of(kind, plain.args[0], range(len(kind.items)), first)
                shape = gast.List if function is list else gast.Tuple
                return first, gast.copy_location(shape(parts, gast.Load()), plain)
            return None
        if function in (map, filter, zip, enumerate) and self.matters(value):
            made = of_call(function, plain.args, self.context.names)
            if made is not None:
                return [], gast.copy_location(made, plain)
        return None

    def views_of_dict(self, kind: kinds.Kind, owner: gast.Name, function: Any) -> Written | None:
        """The items, keys or values of a dict whose keys are known, as a tuple."""
        if not isinstance(kind, kinds.DictKind) or not all(map(_is_literal, kind.keys)):
            return None
        first: list[gast.stmt] = []
        parts: list[gast.expr] = []
        for key in kind.keys:
            name: gast.expr = gast.Constant(key, None)
            if function is not dict.keys:
                value = syntax.subscript(syntax.copy(owner), gast.Constant(key, None))
                item = self.named(first, str(key), value)
                name = item if function is dict.values else syntax.tuple_of([name, item])
            parts.append(name)
        return first, syntax.tuple_of(parts)

    def why_not_a_pair(self, value: gast.Call, function: Any) -> TangentError | None:
        """None if a call of a user function can be that of a pair, else the error that says why."""
        given = [self.typer.kind(a) for a in (*value.args, *(k.value for k in value.keywords))]
        if any(map(holds_local, given)):
            return UnsupportedSyntaxError(f"{function.__name__} is given a function that is "
                                          "defined inside", None)
        return self.context.by_itself(value, function, self.outside)

    def calling(self, function: gast.expr, plain: gast.Call, arguments: list[gast.expr],
                keywords: list[gast.keyword] | None = None) -> gast.Call:
        """The same call of another function."""
        made = gast.Call(function, arguments, plain.keywords if keywords is None else keywords)
        gast.copy_location(made, plain)
        for fact in ("chain", "origin"):
            if hasattr(plain, fact):
                setattr(made, fact, getattr(plain, fact))
        return made

    def inject(self, thing: Any, wish: str) -> gast.expr:
        return load(self.context.inliner.resolver.inject(thing, wish, self.context.names))

    def dict_parts(self, value: gast.Dict, plain: Any) -> Written | None:
        """`{**options, "a": x}`, part by part."""
        first: list[gast.stmt] = []
        found: dict[Any, gast.expr] = {}
        for key, seen, given in zip(value.keys, value.values, plain.values):
            if isinstance(key, gast.Constant):
                found[key.value] = given
                continue
            kind = self.typer.kind(seen)
            if key is not None or not isinstance(kind, kinds.DictKind):
                return None
            for name in kind.keys:
                part = syntax.subscript(syntax.copy(given), gast.Constant(name, None))
                found[name] = self.named(first, str(name), part)
        made = gast.Dict([gast.Constant(k, None) for k in found], list(found.values()))
        return first, gast.copy_location(made, plain)

    def sequence_parts(self, value: gast.Tuple | gast.List, plain: Any) -> Written | None:
        """`(*pair, x)`, part by part."""
        first: list[gast.stmt] = []
        parts: list[gast.expr] = []
        for seen, one in zip(value.elts, plain.elts):
            if not isinstance(one, gast.Starred):
                parts.append(one)
                continue
            kind = self.typer.kind(seen.value)
            if not isinstance(kind, kinds.TupleKind):
                return None
            parts += self.parts_of(kind, one.value, range(len(kind.items)), first)
        made = type(plain)(parts, gast.Load())
        return first, gast.copy_location(made, plain)

    def spread(self, value: gast.Call, plain: gast.Call) -> Written | None:
        """`f(*pair, **options)`: the parts one by one, where it is known which there are."""
        first: list[gast.stmt] = []
        arguments: list[gast.expr] = []
        for seen, one in zip(value.args, plain.args):
            if not isinstance(one, gast.Starred):
                arguments.append(one)
                continue
            kind = self.typer.kind(seen.value)
            if not isinstance(kind, kinds.TupleKind):
                return None
            owner = self.owned(first, one.value)
            arguments += self.parts_of(kind, owner, range(len(kind.items)), first)
        keywords: list[gast.keyword] = []
        for seen, given in zip(value.keywords, plain.keywords):
            if given.arg is not None:
                keywords.append(given)
                continue
            kind = self.typer.kind(seen.value)
            if not isinstance(kind, kinds.DictKind) or not all(isinstance(k, str)
                                                               for k in kind.keys):
                return None
            owner = self.owned(first, given.value)
            for key in kind.keys:
                part = syntax.subscript(syntax.copy(owner), gast.Constant(key, None))
                keywords.append(gast.keyword(key, self.named(first, key, part)))
        return first, self.calling(plain.func, plain, arguments, keywords)

    def owned(self, first: list[gast.stmt], value: gast.expr) -> gast.expr:
        """A container that is written out gets a name, to take its parts from."""
        if isinstance(value, (gast.Name, gast.Tuple, gast.List)):
            return value
        return self.named(first, "options", value)

    def named(self, first: list[gast.stmt], wish: str, value: gast.expr) -> gast.expr:
        """A name for a value, bound in front."""
        name = self.context.names.fresh(wish if wish.isidentifier() else "part")
        first.append(assign(name, value))
        return load(name)

    def unresolved(self, value: gast.Call, plain: gast.Call) -> Written | None:
        """A call of what is no single function: of one of several, or of an object."""
        kind = self.typer.kind(value.func)
        if isinstance(kind, kinds.Choice):
            return self.choice(kind, plain)
        if isinstance(kind, kinds.RecordKind):
            method = getattr(kind.type, "__call__", None)
            if isinstance(method, types.FunctionType):
                return [], self.calling(self.inject(method, kind.type.__name__), plain,
                                        [plain.func, *plain.args])
        return None

    def choice(self, kind: kinds.Choice, plain: gast.Call) -> Written:
        """`act(x)` as `if act is np.tanh: t = np.tanh(x) ...`: one branch for each function."""
        first: list[gast.stmt] = []
        function = plain.func
        if not isinstance(function, gast.Name):
            function = self.named(first, "function", function)
        name = self.context.names.fresh("t")
        chain: list[gast.stmt] = []
        for option in reversed(kind.options):
            thing = option.object
            spelled: gast.expr
            test: gast.expr
            if isinstance(thing, LocalFunction):
                spelled = self.tag(thing)
                test = gast.Compare(syntax.copy(function), [gast.Eq()], [syntax.copy(spelled)])
            else:
                spelled = self.inject(thing, getattr(thing, "__name__", "function"))
                test = gast.Compare(syntax.copy(function), [gast.Is()], [syntax.copy(spelled)])
            called = self.calling(spelled, plain, syntax.copy(plain.args),
                                  syntax.copy(plain.keywords))
            branch: list[gast.stmt] = [assign(name, called)]
            chain = [gast.If(test, branch, chain)] if chain else branch
        return first + chain, load(name)

    def tag(self, function: LocalFunction) -> gast.expr:
        """A text that stands for a function in the place of its value, so that it can be told
        which of several was chosen."""
        if function.tag is None:
            function.tag = self.context.names.fresh(function.name)
        made = gast.Constant(function.tag, None)
        made.local = function
        for node in gast.walk(self.tree):
            for field, old in gast.iter_fields(node):
                if getattr(old, "local", None) is function and isinstance(old, gast.Lambda):
                    setattr(node, field, gast.copy_location(syntax.copy(made), old))
                elif isinstance(old, list):
                    for number, part in enumerate(old):
                        if getattr(part, "local", None) is function \
                                and isinstance(part, gast.Lambda):
                            old[number] = gast.copy_location(syntax.copy(made), part)
        return made

    # Functions made by functions --------------------------------------------------------------------
    def partial(self, plain: gast.Call) -> Written:
        """`functools.partial(f, a, k=b)` as a function defined inside, its arguments kept."""
        first: list[gast.stmt] = []
        kept = [self.kept(first, a) for a in plain.args]
        given = [gast.keyword(k.arg, self.kept(first, k.value, k.arg)) for k in plain.keywords]
        rest, more = self.context.names.fresh("args"), self.context.names.fresh("options")
        arguments = gast.arguments([], [], gast.Name(rest, gast.Param(), None, None), [], [],
                                   gast.Name(more, gast.Param(), None, None), [])
        later = gast.Dict([*(gast.Constant(k.arg, None) for k in given), None],
                          [*(k.value for k in given), load(more)])
        named = [gast.keyword(None, later)] if given else [gast.keyword(None, load(more))]
        called = gast.Call(kept[0], [*kept[1:], gast.Starred(load(rest), gast.Load())], named)
        tree = gast.FunctionDef("partial", arguments, [gast.Return(called)], [], None, None)
        for node in gast.walk(tree):
            if isinstance(node, (gast.stmt, gast.expr)):
                gast.copy_location(node, plain)
        names = syntax.read_names(called) - {rest, more}
        function = LocalFunction("partial", tree, frozenset(names), frozenset(), {},
                                 getattr(plain, "origin", self.context.inliner.source))
        return first, gast.copy_location(lambda_of(function), plain)

    def kept(self, first: list[gast.stmt], value: gast.expr, wish: str | None = None) -> gast.expr:
        """An argument as it is now, whatever is bound to its name later."""
        if isinstance(value, gast.Constant) or (isinstance(value, gast.Attribute)):
            return value
        if isinstance(value, gast.Name) and value.id not in self.bound:
            return value
        return self.named(first, wish or _hint(value), value)

    def call_of_partial(self, function: functools.partial, plain: gast.Call) -> Written:
        """A call of a partial object from outside."""
        owner = self.inject(function, "partial")
        first: list[gast.stmt] = []
        arguments: list[gast.expr] = []
        for number in range(len(function.args)):
            part = syntax.subscript(syntax.attribute(syntax.copy(owner), "args"),
                                    syntax.constant(number))
            arguments.append(self.named(first, "part", part))
        keywords = list(plain.keywords)
        for name in function.keywords:
            if name not in {k.arg for k in keywords}:
                part = syntax.subscript(syntax.attribute(syntax.copy(owner), "keywords"),
                                        gast.Constant(name, None))
                keywords.append(gast.keyword(name, self.named(first, name, part)))
        called = self.inject(function.func, getattr(function.func, "__name__", "function"))
        return first, self.calling(called, plain, arguments + list(plain.args), keywords)

    def attribute(self, value: gast.Attribute, plain: gast.Attribute) -> Written | None:
        """A property is a call of its function; a method that is not called is a function that
        remembers its object."""
        owner = self.typer.kind(value.value)
        if not isinstance(owner, kinds.RecordKind) or value.attr in owner.fields:
            return None
        found = inspect.getattr_static(owner.type, value.attr, None)
        if isinstance(found, functools.cached_property):
            raise self.context.refuse(plain, "a cached property changes its object when it is read",
                                      "make it a property, or a method")
        if isinstance(found, property) and isinstance(found.fget, types.FunctionType):
            made = gast.Call(self.inject(found.fget, value.attr), [plain.value], [])
            return [], gast.copy_location(made, plain)
        if isinstance(found, types.FunctionType):
            called = gast.Call(self.inject(functools.partial, "partial"),
                               [self.inject(found, value.attr), plain.value], [])
            return [], gast.copy_location(called, plain)
        return None


Written = tuple[list[gast.stmt], Any]


def unused(tree: gast.FunctionDef) -> None:
    """Take out the definitions of functions that nothing reads any more, in place."""
    while True:
        read = {n.id for n in gast.walk(tree) if isinstance(n, gast.Name)
                and isinstance(n.ctx, gast.Load)}
        found = False
        blocks = [tree.body]
        while blocks:
            block = blocks.pop()
            kept = [n for n in block if not (
                isinstance(n, gast.Assign) and isinstance(n.value, gast.Lambda)
                and isinstance(n.targets[0], gast.Name) and n.targets[0].id not in read)]
            found |= len(kept) < len(block)
            block[:] = kept or [gast.copy_location(gast.Pass(), block[0])]
            for node in block:
                if isinstance(node, COMPOUND):
                    blocks += [b for b in (node.body, node.orelse) if b]
        if not found:
            return


def _entry(function: Any) -> Any:
    try:
        return registry.lookup(function)
    except TypeError:
        return None


def _is_literal(key: Any) -> bool:
    return isinstance(key, (str, int, float, bool)) or key is None


def _as_list(node: gast.expr) -> gast.expr:
    """A generator that is used up at once, as a list."""
    if isinstance(node, gast.GeneratorExp):
        return gast.copy_location(gast.ListComp(node.elt, node.generators), node)
    return node


def _hint(node: gast.expr) -> str:
    return node.id if isinstance(node, gast.Name) else getattr(node, "attr", "part")


def _name_of(thing: Any) -> str:
    return getattr(thing, "__name__", type(thing).__name__.lower())


def _bound_around(tree: gast.FunctionDef) -> set[str]:
    """Names that functions defined inside bind around them."""
    found: set[str] = set()
    todo: list[gast.AST] = [tree]
    while todo:
        for node in gast.walk(todo.pop()):
            local = getattr(node, "local", None)
            if local is not None:
                found |= local.bound
                todo.append(local.tree)
    return found
