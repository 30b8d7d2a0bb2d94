"""Write the short forms of Python out, without knowing what the values are.

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(x, xs):
...     a = b = x if x > 0 else -x
...     a, b = b, a
...     for i, v in enumerate(xs):
...         a += v
...     return a
... ''').body[0]
>>> print(emit(desugar(tree)), end="")
def f(x, xs):
    if x > 0:
        t = x
    else:
        t = -x
    a = t
    b = t
    a_1 = b
    b = a
    a = a_1
    for i in range(len(xs)):
        v = xs[i]
        a += v
    return a

Grammar afterwards: assignments have one target, a name, a subscript, an attribute or a tuple of
names; conditional expressions, `and`/`or` that choose a value, and walruses are statements; `for`
runs over a range with a name that the body does not bind.
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.operands import at, is_held, put
from tangent_lite.analyses.short_forms import (
    calls,
    calls_others,
    has_short_form,
    has_walrus,
    may_rebind,
)
from tangent_lite.names import Names
from tangent_lite.structures.choices import Choices
from tangent_lite.structures.displays import items_written_into
from tangent_lite.syntax import assign, call, load, store


def desugar(tree: gast.FunctionDef, names: Names | None = None,
            anew: set[str] | frozenset[str] = frozenset(),
            seen: set[str] | frozenset[str] = frozenset(),
            in_place: bool = False) -> gast.FunctionDef:
    """Return a tree without short forms; `names` are those taken; anew: names that calls may bind
    anew; seen: names that calls may read; in_place: the tree may be changed."""
    tree = tree if in_place else syntax.copy(tree)
    writer = _Desugar(names or Names(syntax.all_names(tree)), anew, seen)
    body = tree.body
    if body and isinstance(body[0], gast.Expr) and isinstance(body[0].value, gast.Constant):
        body = body[1:] or [gast.copy_location(gast.Pass(), body[0])]
    _mark_reads(tree)
    tree.body = writer.block(body)
    tree.decorator_list = []
    return tree


def _mark_reads(tree: gast.FunctionDef) -> None:
    """Mark names that are statements by themselves: if one says anything, then that it may not be
    bound. Derivatives say so (see `unassigned`)."""
    taken = set(syntax.parameter_names(tree.args))
    for node in syntax.statements(tree.body):
        if isinstance(node, gast.Expr) and isinstance(node.value, gast.Name) \
                and node.value.id not in taken:
            node.may_raise = True


class _Desugar(Choices):
    def __init__(self, names: Names, anew: set[str] | frozenset[str],
                 seen: set[str] | frozenset[str]) -> None:
        self.names, self.anew, self.seen = names, anew, seen
        self.out: list[gast.stmt] = []
        self.place: gast.AST = gast.Pass()
        self.rebound: set[str] = set()          # names that the loop at hand binds

    def block(self, block: list[gast.stmt]) -> list[gast.stmt]:
        outer, self.out = self.out, []
        for node in block:
            self.place = node
            handler = getattr(self, "_" + type(node).__name__, None)
            if handler:
                handler(node)
            else:
                self.add(node)
        made, self.out = self.out, outer
        return made

    def add(self, node: gast.stmt) -> None:
        """Append a statement, placed where the user's statement stands."""
        if node is not self.place:
            # Statements that stand in it were placed when they were added themselves.
            inside = [*node.body, *node.orelse] if isinstance(node, syntax.COMPOUND) else ()
            placed = {id(one) for one in inside if hasattr(one, "lineno")}
            todo: list[gast.AST] = [node]
            while todo:
                part = todo.pop()
                if isinstance(part, (gast.stmt, gast.expr)) and not hasattr(part, "lineno"):
                    syntax.copy_location(part, self.place)
                parts = syntax.children(part)
                todo += [one for one in parts if id(one) not in placed] if placed else parts
            syntax.copy_location(node, self.place)
        self.out.append(node)

    def _Expr(self, node: gast.Expr) -> None:
        if isinstance(node.value, gast.Constant):
            return
        value = self.expression(node.value)
        if not isinstance(value, gast.Name):
            self.add(gast.Expr(value))
        elif getattr(node, "may_raise", False):
            node.value = value
            self.add(node)

    def _Assert(self, node: gast.Assert) -> None:
        if has_walrus(node.test):
            node.test = self.test(node.test)
        self.add(node)

    def _Delete(self, node: gast.Delete) -> None:
        target = node.targets[0]
        target.value = self.expression(target.value)
        target.slice = self.expression(target.slice)
        self.add(node)

    def _Global(self, node: gast.Global) -> None:
        """What is declared so is only read."""

    _Nonlocal = _Global

    def _Return(self, node: gast.Return) -> None:
        self.add(gast.Return(self.expression(node.value or gast.Constant(None, None))))

    def _AnnAssign(self, node: gast.AnnAssign) -> None:
        if node.value is not None:
            self.assign(node.target, self.expression(node.value))

    def _Assign(self, node: gast.Assign) -> None:
        if len(node.targets) == 1 and isinstance(node.value, gast.Name) \
                and syntax.same(node.targets[0], node.value):
            return                                      # `x = x`
        if isinstance(node.value, gast.GeneratorExp) and len(node.targets) == 1 \
                and isinstance(node.targets[0], (gast.Tuple, gast.List)):
            node.value = gast.copy_location(gast.ListComp(       # it is used up here
                node.value.elt, node.value.generators), node.value)
        if isinstance(node.value, gast.IfExp) and len(node.targets) == 1 \
                and isinstance(node.targets[0], gast.Name):
            self.choose(node.value, node.targets[0].id)
            return
        value = self.expression(node.value)
        if any(map(has_short_form, node.targets)) and not syntax.is_atom(value) \
                and not isinstance(value, (gast.Tuple, gast.List)):
            value = self.temporary("t", value)          # the value is computed before the index
        if len(node.targets) > 1:
            if not syntax.is_atom(value):
                value = self.temporary("t", value)
            for target in node.targets:
                self.assign(target, syntax.copy(value))
        else:
            self.assign(node.targets[0], value)

    def _AugAssign(self, node: gast.AugAssign) -> None:
        target = node.target
        if isinstance(target, gast.Name) and (_has_own_walrus(node.value) or (
                target.id in self.anew and may_rebind(node.value))):
            # `x += (x := 3)` reads x first, and changes it in place if it is an array.
            old = self.temporary(target.id, load(target.id))
            value = self.expression(node.value)
            self.add(gast.AugAssign(store(old.id), node.op, value))
            self.add(assign(target.id, load(old.id)))
        elif isinstance(target, gast.Subscript):
            self.augmented_part(node, target)
        else:
            if isinstance(target, gast.Attribute):
                target.value = self.expression(target.value)
                if self.reaches(node.value, target):
                    old = self.temporary(target.attr, syntax.as_read(target))
                    value = self.expression(node.value)
                    self.add(gast.AugAssign(store(old.id), node.op, value))
                    self.add(gast.Assign([target], load(old.id), None))
                    return
            self.add(gast.AugAssign(node.target, node.op, self.expression(node.value)))

    def reaches(self, value: gast.expr, target: gast.expr) -> bool:
        """Whether a call in a value may be seen to change the object whose attribute this is."""
        root = syntax.root_name(target)
        return may_rebind(value) and (root in self.seen or root in syntax.read_names(value))

    def augmented_part(self, node: gast.AugAssign, target: gast.Subscript) -> None:
        """`x[i()] += v()`: first the index, then what stands there, then the value."""
        walrus = _has_own_walrus(node.value)
        target.value = self.expression(target.value)
        if isinstance(target.value, gast.Attribute) and self.reaches(node.value, target):
            target.value = self.temporary(target.value.attr, target.value)
        target.slice = self.expression(target.slice)
        if walrus:
            target.value = self.temporary("t", target.value)
        if not syntax.is_atom(node.value) or not isinstance(node.op, (gast.Add, gast.Sub)):
            target.slice = self.kept_index(target.slice, walrus)
        # What stands there may be read late if no call sees it in between; a slice is a view.
        late = not walrus and (not calls_others(node.value) or any(
            isinstance(n, gast.Slice) for n in syntax.walk(target.slice)))
        if late and isinstance(node.op, (gast.Add, gast.Sub)):
            sees = syntax.root_name(target) in syntax.read_names(node.value)
            made = gast.AugAssign(target, node.op, self.expression(node.value))
            if sees:
                made.sees_owner = True
            self.add(made)
            return
        # `x[i] *= v` reads and writes: as two operations.
        old: gast.expr = syntax.copy(target)
        old.ctx = gast.Load()
        old.in_place = True
        if not late and has_short_form(node.value):
            old = self.temporary("part", old)
        value = gast.BinOp(old, node.op, self.expression(node.value))
        value.of_part = True
        self.add(gast.Assign([target], value, None))

    def kept_index(self, index: gast.expr, rebound: bool) -> gast.expr:
        """The index with its calls moved in front; its names too, if they may be bound anew."""
        spots: list[tuple[Any, Any]] = []
        if isinstance(index, gast.Tuple):
            spots = [(index.elts, number) for number in range(len(index.elts))]
        elif isinstance(index, gast.Slice):
            spots = [(index, f) for f in ("lower", "upper", "step") if getattr(index, f)]
        elif calls(index) or (rebound and syntax.read_names(index)):
            return self.temporary("index", index)
        for spot in spots:
            put(*spot, self.kept_index(at(*spot), rebound))
        return index

    def assign(self, target: gast.expr, value: gast.expr) -> None:
        if isinstance(target, gast.List):
            target = gast.copy_location(gast.Tuple(target.elts, target.ctx), target)
        if isinstance(target, gast.Subscript):
            target.value = self.expression(target.value)
            target.slice = self.expression(target.slice)
        if not isinstance(target, gast.Tuple):
            self.add(gast.Assign([target], value, None))
            return
        parts = target.elts
        starred = any(isinstance(p, gast.Starred) for p in parts)
        if isinstance(value, (gast.Tuple, gast.List)) and len(value.elts) == len(parts) \
                and not starred and not any(isinstance(v, gast.Starred) for v in value.elts):
            self.parallel(parts, value.elts)
            return
        if all(isinstance(p, gast.Name) for p in parts):
            self.add(gast.Assign([target], value, None))
            return
        names = syntax.bound_names(target)
        if not starred and isinstance(value, gast.Call) and len(set(names)) == len(names) and all(
                isinstance(n, (gast.Name, gast.Tuple, gast.List, gast.Load, gast.Store))
                for n in syntax.walk(target)):
            # Of what a call gives, each part is taken by a name of its own: `(a, b), saved = f(x)`.
            inner = [p if isinstance(p, gast.Name) else syntax.store(self.names.fresh("parts"))
                     for p in parts]
            self.add(gast.Assign([gast.copy_location(gast.Tuple(inner, gast.Store()), target)],
                                 value, None))
            for part, name in zip(parts, inner):
                if part is not name:
                    self.assign(part, load(name.id))
            return
        if not starred and isinstance(value, gast.Call) and all(
                isinstance(p, (gast.Name, gast.Attribute, gast.Subscript)) for p in parts):
            # `self.a, self.b = map(f, pair)`: all are taken at once, and go where they go in turn.
            inner = [store(self.names.fresh("part")) for _ in parts]
            self.add(gast.Assign([gast.copy_location(gast.Tuple(inner, gast.Store()), target)],
                                 value, None))
            for part, name in zip(parts, inner):
                self.assign(part, load(name.id))
            return
        # Nested or starred targets: take the parts one by one. All are taken before the first goes
        # where it may change what they are taken from.
        if not isinstance(value, gast.Name):
            value = self.temporary("parts", value)
        taken: list[tuple[gast.expr, gast.expr]] = []
        for number, part in enumerate(parts):
            index: gast.expr = syntax.constant(number)
            if isinstance(part, gast.Starred):
                after = len(parts) - number - 1
                stop = syntax.constant(-after) if after else None
                index = gast.Slice(syntax.constant(number), stop, None)
                one = call(load("list"), syntax.subscript(syntax.copy(value), index))
                taken.append((part.value, one))
                continue
            if any(isinstance(p, gast.Starred) for p in parts[:number]):
                index = syntax.constant(number - len(parts))
            taken.append((part, syntax.subscript(syntax.copy(value), index)))
        if value.id in names or any(isinstance(n, (gast.Subscript, gast.Attribute))
                                    for n in syntax.walk(target)):
            taken = [(part, self.temporary("part", one)) for part, one in taken]
        for part, one in taken:
            self.assign(part, one)

    def parallel(self, targets: list[gast.expr], values: list[gast.expr]) -> None:
        """`a, b = b, a`: a value that is read after its name was bound is put aside first."""
        reads = [syntax.read_names(v) for v in values]
        names = [n for t in targets for n in syntax.bound_names(t)]
        if len(set(names)) < len(names):
            values = [v if syntax.is_atom(v) and not isinstance(v, gast.Name)
                      else self.temporary("t", v) for v in values]
            for target, value in zip(targets, values):
                self.assign(target, value)
            return
        later: list[tuple[gast.expr, gast.expr]] = []
        simple = all(isinstance(t, gast.Name) for t in targets)
        for number, (target, value) in enumerate(zip(targets, values)):
            bound = set(syntax.bound_names(target))
            clash = not simple or any(bound & r for r in reads[number + 1:]) or (
                bool(bound & self.seen) and any(map(may_rebind, values[number + 1:])))
            if clash and not isinstance(value, gast.Constant):
                hint = target.id if isinstance(target, gast.Name) else "t"
                value = self.temporary(hint, value)
            if clash:
                later.append((target, value))
            else:
                self.assign(target, value)
        for target, value in later:
            self.assign(target, value)

    def temporary(self, hint: str, value: gast.expr) -> gast.Name:
        name = self.names.fresh(hint)
        self.add(assign(name, value))
        return gast.copy_location(load(name), self.place)

    def _If(self, node: gast.If) -> None:
        test = self.test(node.test)
        body, orelse = self.block(node.body), self.block(node.orelse)
        self.place = node
        self.add(gast.If(test, body, orelse))

    def _While(self, node: gast.While) -> None:
        before = len(self.out)
        test = self.test(syntax.copy(node.test))
        if len(self.out) == before and not calls_others(test):
            body = self.block(node.body)
            self.place = node
            self.add(gast.While(test, body, []))
            return
        # The condition needs statements: it is computed inside, and left by break.
        needed, self.out[before:] = self.out[before:], []
        body = self.block(node.body)
        self.place = node
        leave = gast.copy_location(gast.Break(), node)
        stop = gast.copy_location(gast.If(test, body, [leave]), node)
        self.add(gast.While(gast.Constant(True, None), [*needed, stop], []))

    def _For(self, node: gast.For) -> None:
        items = items_written_into(node)
        if items is not None:
            self.one_by_one(node, items)
            return
        target = node.target
        first: list[gast.stmt] = []
        if isinstance(node.iter, gast.List) and node.iter.elts and all(
                isinstance(one, gast.Constant) and isinstance(one.value, str)
                for one in node.iter.elts):
            # Keys that are written out: of a list that nobody else knows.
            node.iter = gast.copy_location(gast.Tuple(node.iter.elts, gast.Load()), node.iter)
        note_flat(node.iter)
        iterator = self.expression(node.iter)
        place = node
        bound = _bound_in(node.body) | self.anew
        self.rebound = bound | set(syntax.bound_names(target))
        kind, parts = self.iteration(iterator, target)
        if kind == "range" and isinstance(target, gast.Name) and target.id not in bound:
            counter = target.id
            bounds = parts
        else:
            counter, bounds, first = self.counted(kind, parts, target, bound)
        first = [syntax.placed(statement, place) for statement in first]
        body = self.block(first) + self.block(node.body)
        self.place = place
        made = gast.For(store(counter), call(load("range"), *bounds), body, [], None)
        for fact in ("checkpointed", "runs_ahead"):
            if getattr(node, fact, False):
                setattr(made, fact, True)
        self.add(made)

    def one_by_one(self, node: gast.For, items: list[gast.expr]) -> None:
        """The body of a loop, once for each item; what the loop changes keeps its first meaning."""
        changed = _bound_in([node]) | self.anew

        def kept(item: gast.expr) -> gast.expr:
            if isinstance(item, gast.Tuple):
                item.elts = list(map(kept, item.elts))
                return item
            return item if syntax.is_atom(item) and not syntax.read_names(item) & changed \
                else self.temporary("item", self.expression(item))

        for item in list(map(kept, items)):
            taken = gast.Assign([syntax.copy(node.target)], item, None)
            self.place = node
            syntax.copy_location(taken, node)
            self.out += self.block([taken, *map(syntax.copy, node.body)])


def _has_own_walrus(node: gast.AST) -> bool:
    """Whether the user binds a name in an expression."""
    return any(not is_held(n) for n in syntax.all_of(node, gast.NamedExpr))


def _bound_in(block: list[gast.stmt]) -> set[str]:
    return {n.id for n in syntax.names_in(*block) if n.ctx.__class__ is gast.Store}


def note_flat(iterator: gast.expr) -> None:
    """Let `x.flat` know that a loop goes through it."""
    if isinstance(iterator, gast.Call) and isinstance(iterator.func, gast.Name) \
            and iterator.func.id in ("enumerate", "zip", "reversed"):
        for argument in iterator.args:
            note_flat(argument)
    elif isinstance(iterator, gast.Attribute) and iterator.attr == "flat":
        iterator.flat_use = "item"
