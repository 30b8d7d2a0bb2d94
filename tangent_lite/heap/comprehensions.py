"""Functions that are defined inside, and comprehensions, whose loops are written out."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.heap.expressions import Expressions
from tangent_lite.heap.scopes import COMPREHENSIONS, Celled, free_names, targets


class Comprehensions(Expressions):
    """Writes functions that are defined inside and comprehensions into the two passes."""

    def _any(self, node: gast.GeneratorExp, wanted: bool) -> gast.expr:
        name = self.temporary("found", True)
        self.write(syntax.assign(name, syntax.constant(not wanted)))

        def leave() -> None:
            self.write(syntax.assign(name, syntax.constant(wanted)))
            self.write(gast.Break())

        def inner() -> None:
            test = self.test(self.current.elt)
            self.choose(test if wanted else syntax.negated(test), leave, lambda: None)

        self.comprehension(node, inner)
        return syntax.load(name)

    def _Lambda(self, node: gast.Lambda, target: str | None) -> gast.expr:
        name = self.temporary("lambda_")
        body = gast.copy_location(gast.Return(node.body), node.body)
        definition = gast.FunctionDef(name, node.args, [body], [], None, None)
        gast.copy_location(definition, node)
        self.define(definition, name, "<lambda>")
        return syntax.load(name)

    def define(self, node: gast.FunctionDef, name: str, called: str) -> None:
        """A function that is defined inside, and what it is called there; defaults that may vary
        are noted."""
        arguments = node.args
        positional = [*arguments.posonlyargs, *arguments.args]
        defaults: list[tuple[str, gast.expr]] = []
        for number, parameter in enumerate(positional[len(positional) - len(arguments.defaults):]):
            atom = self.value(arguments.defaults[number])
            arguments.defaults[number] = atom
            defaults.append((parameter.id, atom))
        for number, (parameter, default) in enumerate(zip(arguments.kwonlyargs,
                                                          arguments.kw_defaults)):
            if default is not None:
                atom = self.value(default)
                arguments.kw_defaults[number] = atom
                defaults.append((parameter.id, atom))
        for parameter in [*positional, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]:
            if parameter is not None:
                parameter.annotation = None
        node.returns = None
        native = syntax.copy(node)
        native.decorator_list, native.name = [], name
        native.to_adjoin = syntax.copy(native)
        gast.copy_location(native.to_adjoin, node)
        native = _Told(self.names.fresh).visit(native)
        self.write(native)
        if name not in self.inactive:
            self.renamed(name, syntax.constant(None))
        varying = [(n, a) for n, a in defaults if self.has_adjoint(a)]
        known = [] if called == name else [syntax.constant(called)]
        self.effect(syntax.statement(self.of_tape("made", syntax.load(name), *known,
                                                  **dict(varying))), [a for _, a in varying])

    def _ListComp(self, node: gast.ListComp, target: str | None) -> gast.expr:
        return self._collected(node, "list", "append", lambda n: [n.elt])

    def _SetComp(self, node: gast.SetComp, target: str | None) -> gast.expr:
        return self._collected(node, "set", "add", lambda n: [n.elt])

    def _GeneratorExp(self, node: gast.GeneratorExp, target: str | None) -> gast.expr:
        items = self._collected(node, "list", "append", lambda n: [n.elt])
        return self.operation(self.of_tape("once", items), [items], "items", None)

    def _DictComp(self, node: gast.DictComp, target: str | None) -> gast.expr:
        return self._collected(node, "dict", None, lambda n: [n.key, n.value])

    def _collected(self, node: gast.expr, kind: str, method: str | None,
                   parts: Callable[[Any], list[gast.expr]]) -> gast.expr:
        made = self.operation(self.of_tape(kind), [], "items" if kind != "dict" else "d", None)

        def inner() -> None:
            atoms = [self.value(part) for part in parts(self.current)]
            if method is None:
                spot = syntax.subscript(self.of_tape("item", made), atoms[0], gast.Store())
                self.effect(syntax.assign(spot, atoms[1]), [atoms[1]])
            else:
                self.effect(syntax.statement(self.of_tape(
                    "method", made, syntax.constant(method), *atoms)), [made, *atoms])

        self.comprehension(node, inner)
        return made

    def comprehension(self, node: gast.expr, inner: Callable[[], None]) -> None:
        """The loops of a comprehension; its variables are its own."""
        made = syntax.copy(node)
        own = targets(made)
        fresh = {name: self.temporary(name) for name in sorted(own)}
        first = made.generators[0].iter
        made.generators[0].iter = syntax.constant(None)
        _Renamed(fresh).generic_visit(made)
        made.generators[0].iter = first
        captured: set[str] = set()
        for part in gast.walk(made):
            if isinstance(part, (gast.Lambda, gast.FunctionDef)):
                captured |= free_names(part) & set(fresh.values())
        if captured:
            made.generators[0].iter = syntax.constant(None)
            Celled(captured, set()).generic_visit(made)      # an expression imports nothing
            made.generators[0].iter = first
            for name in sorted(captured):
                self.cells.add(name)
                self.write(syntax.assign(name, self.of_tape("new_cell")))
        kept, self.current = getattr(self, "current", None), made
        self._loops(made.generators, inner)
        self.current = kept

    def _loops(self, generators: list[Any], inner: Callable[[], None]) -> None:
        if not generators:
            inner()
            return
        generator = generators[0]
        if generator.is_async:
            raise self.refuse(generator.iter, "`async for` cannot be differentiated",
                              "loop over a list")

        def body() -> None:
            self._conditions(list(generator.ifs), lambda: self._loops(generators[1:], inner))

        self.loop(generator.target, generator.iter, body)

    def _conditions(self, tests: list[gast.expr], inner: Callable[[], None]) -> None:
        if not tests:
            inner()
            return
        test = self.test(tests[0])
        self.choose(test, lambda: self._conditions(tests[1:], inner), lambda: None)

    def loop(self, target: gast.expr, over: gast.expr, body: Callable[[], None]) -> None:
        raise NotImplementedError           # see Statements


class _Renamed(gast.NodeTransformer):
    """Other names for the variables of a comprehension."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: gast.Name) -> gast.Name:
        if node.id in self.names and not isinstance(node.ctx, gast.Param):
            node.id = self.names[node.id]
        return node

    def _inner(self, node: Any) -> Any:
        hidden = targets(node) if isinstance(node, COMPREHENSIONS) else \
            {p.id for p in gast.walk(node.args) if isinstance(p, gast.Name)
             and isinstance(p.ctx, gast.Param)}
        if not hidden & set(self.names):
            self.generic_visit(node)
            return node
        if isinstance(node, COMPREHENSIONS):
            node.generators[0].iter = self.visit(node.generators[0].iter)
            kept, node.generators[0].iter = node.generators[0].iter, gast.Constant(None, None)
            _Renamed({k: v for k, v in self.names.items() if k not in hidden}).generic_visit(node)
            node.generators[0].iter = kept
            return node
        # Defaults belong to the scope around.
        node.args.defaults = [self.visit(d) for d in node.args.defaults]
        node.args.kw_defaults = [d and self.visit(d) for d in node.args.kw_defaults]
        node.body = _Renamed({k: v for k, v in self.names.items()
                              if k not in hidden}).visit(node.body)
        return node

    def visit_Lambda(self, node: gast.Lambda) -> Any:
        return self._inner(node)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _inner


class _Told(gast.NodeTransformer):
    """Where a cell is bound within an expression, `(x.value := e)`, which only the passes can read:
    the cell is told of it in the same expression."""

    def __init__(self, fresh: Callable[[str], str]) -> None:
        self.fresh = fresh

    def visit_NamedExpr(self, node: gast.NamedExpr) -> gast.expr:
        node = self.generic_visit(node)
        if isinstance(node.target, gast.Name):
            return node
        cell, name = node.target.value, node.target.attr
        node.target = syntax.store(self.fresh(f"{cell.id}_bound"))
        told = syntax.call(syntax.attribute(cell, "__setattr__"), syntax.constant(name),
                           syntax.load(node.target.id))
        return gast.copy_location(
            syntax.subscript(syntax.tuple_of([node, told]), syntax.constant(0)), node)
