"""Statements: each becomes statements of the forward pass, and their mirror image.

What binds names and what they stand for is in `bindings`.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.heap.bindings import Bindings
from tangent_lite.heap.trails import Trail, hides_errors, is_one_step


class Statements(Bindings):
    """Writes the statements of a function into its two passes."""

    def statements(self, block: list[gast.stmt]) -> None:
        for node in block:
            self.statement(node)

    def statement(self, node: gast.stmt) -> None:
        kept, self.origin = self.origin, node
        before, step = len(self.backward), len(self.trail.steps) if self.trail is not None else 0
        self.careful = any(isinstance(n, gast.NamedExpr) for part in _heads(node)
                           for n in gast.walk(part))
        method = getattr(self, f"_{type(node).__name__}", None)
        if method is None:
            raise self.refuse(node, f"{type(node).__name__} cannot be followed here",
                              "write it in simpler terms")
        method(node, None)
        text = self.source.text(node) if hasattr(node, "lineno") else ""
        made = self.backward[before:] if self.trail is None else self.trail.since(step)
        if made and text and isinstance(
                node, (gast.Assign, gast.AugAssign, gast.Expr, gast.AnnAssign)):
            if self.trail is None:
                self.backward.append(syntax.comment(text))
            else:
                self.trail.steps[-1].insert(0, syntax.comment(text))
        syntax.serve(made, node)
        self.origin = kept

    # Small ones -------------------------------------------------------------------------------
    def _Expr(self, node: gast.Expr, _: None) -> None:
        if isinstance(node.value, gast.Constant):
            return
        if isinstance(node.value, gast.Yield):
            self.yielded(node.value.value or syntax.constant(None))
            return
        if isinstance(node.value, gast.YieldFrom):
            self.handed_on(node.value.value)
            return
        if isinstance(node.value, gast.Call) and self._is_plain_call(node.value):
            call, operands = self.call(node.value)
            self.effect(syntax.statement(call), operands)
            return
        atom = self.value(node.value)
        if atom is node.value:
            self.write(syntax.statement(atom))  # it may fail

    def yielded(self, node: gast.expr, sent: str | None = None) -> None:
        """A yield: what goes back comes to it from there, a step of the trail, and waits for the
        adjoint of the item; sent: the name for what it is sent, whose adjoint is handed out."""
        atom = self.value(node)
        own = None if sent is None or sent in self.inactive else self.adjoint(sent)
        given: gast.expr = gast.Yield(None if own is None else syntax.load(own))
        back = [syntax.assign(self.adjoint(atom.id), self.of_tape(
            "join", syntax.load(self.adjoint(atom.id)), given))
            if self.has_adjoint(atom) else syntax.statement(given)]
        if own is not None:
            back.append(syntax.assign(own, syntax.constant(None)))
        self.behind(back)
        made = gast.Yield(atom)
        self.write(syntax.statement(made) if sent is None else syntax.assign(sent, made))
        self.write(syntax.statement(self.of_tape("resumed")))

    def _Yield(self, node: gast.Yield, target: str | None) -> gast.expr:
        name = target if target is not None else self.temporary("sent")
        self.yielded(node.value or syntax.constant(None), name)
        return syntax.load(name)

    def handed_on(self, node: gast.expr) -> gast.expr:
        """`yield from`; the name of what it takes the items from."""
        atom = self.value(node)
        over = self.operation(self.of_tape("iterator", atom), [atom], "items", None)
        item, sent = self.temporary("item"), self.temporary("sent", True)

        def inner() -> None:
            self.yielded(syntax.load(item), sent)
            self.write(syntax.statement(self.of_tape("not_sent", syntax.load(sent))))
        self.loop(syntax.store(item), over, inner)
        return over

    def _YieldFrom(self, node: gast.YieldFrom, target: str | None) -> gast.expr:
        over = self.handed_on(node.value)
        return self.operation(self.of_tape("returned", over), [over], "result", target)

    def _is_plain_call(self, node: gast.Call) -> bool:
        return not (isinstance(node.func, gast.Name) and node.func.id in ("super", "any", "all"))

    def _Pass(self, node: gast.Pass, _: None) -> None:
        if not self.forward:
            self.write(gast.Pass())

    def _Global(self, node: gast.stmt, _: None) -> None:
        return

    _Nonlocal = _Global

    def _Import(self, node: gast.stmt, _: None) -> None:
        self.write(node)
        for alias in node.names:
            name = alias.asname or alias.name.split(".")[0]
            self.inactive.discard(name)

    _ImportFrom = _Import

    def _Break(self, node: gast.Break, _: None) -> None:
        self.write(gast.Break())

    def _Raise(self, node: gast.Raise, _: None) -> None:
        cause = self.value(node.cause) if node.cause is not None else None
        self.write(gast.Raise(self.value(node.exc) if node.exc is not None else None, cause))

    def _Assert(self, node: gast.Assert, _: None) -> None:
        def fail() -> None:
            given = [self.value(node.msg)] if node.msg is not None else []
            self.write(gast.Raise(self.of_tape("failed", *given), None))

        test = self.test(node.test)
        self.choose(syntax.negated(test), fail, lambda: None)

    def _FunctionDef(self, node: gast.FunctionDef, _: None) -> None:
        plain = not node.decorator_list and node.name not in self.cells
        decorators = [self.value(d) for d in node.decorator_list]
        name = node.name if plain else self.temporary(node.name)
        self.define(syntax.copy(node), name, node.name)
        made: gast.expr = syntax.load(name)
        for decorator in reversed(decorators):
            made = self.operation(self.of_tape("call", decorator, made), [decorator, made],
                                  node.name, None)
        if not plain:
            self.bind(node.name, made)

    # Control flow -----------------------------------------------------------------------------
    def _If(self, node: gast.If, _: None) -> None:
        test = self.test(node.test)
        self.choose(test, lambda: self.statements(node.body), lambda: self.statements(node.orelse))

    def _For(self, node: gast.For, _: None) -> None:
        self.loop(node.target, node.iter, lambda: self.statements(node.body))

    def loop(self, target: gast.expr, over: gast.expr, body: Callable[[], None]) -> None:
        name = target.id if isinstance(target, gast.Name) and target.id not in self.cells else None
        numbers = isinstance(over, gast.Call) and isinstance(over.func, gast.Name) \
            and over.func.id == "range" and self.is_builtin("range") and not over.keywords \
            and not any(isinstance(a, gast.Starred) for a in over.args)
        if numbers:
            bounds = [self.value(a) for a in over.args]
            is_plain = all(isinstance(a, gast.Constant) for a in bounds)
            head: gast.expr = syntax.call(syntax.load("range"), *bounds) if is_plain \
                else self.of_tape("range", *bounds)
            item = name if name is not None else self.temporary("k", True)
            operands: list[gast.expr] = []
        else:
            atom = self.value(over)
            head, operands = self.of_tape("iterate", atom), [atom]
            item = name if name is not None else self.temporary("item")

        def inner() -> None:
            if not numbers:
                self.pull(item, operands)
            elif item not in self.inactive:
                self.renamed(item, syntax.constant(None))
            if name is None:
                self.assign(target, syntax.load(item))
            body()

        self.repeated(lambda block: gast.For(syntax.store(item), head, block, [], None), inner)

    def repeated(self, make: Callable[[list[gast.stmt]], gast.stmt],
                 inner: Callable[[], None]) -> None:
        """A loop, and its mirror image with as many steps."""
        origin = self.origin
        steps = self.temporary("steps", True)
        forward, back = self.block(inner)
        counts = bool(back)
        if counts:
            first = syntax.augment(steps, "+", syntax.constant(1))
            first.written_as = origin
            forward.insert(0, first)
            self.write(syntax.assign(steps, syntax.constant(0)))
        self.write(make(forward or [gast.Pass()]))
        if counts:
            self.write(syntax.statement(self.of_tape("count", syntax.load(steps))))
            self.mirrored([gast.For(syntax.store("_"), self.of_tape("steps"), back, [], None)])

    def _While(self, node: gast.While, _: None) -> None:
        if self.is_plain(node.test):
            self.repeated(lambda block: gast.While(node.test, block, []),
                          lambda: self.statements(node.body))
            return

        def inner() -> None:
            test = self.test(node.test)
            self.choose(test, lambda: self.statements(node.body),
                        lambda: self._Break(gast.Break(), None))

        self.repeated(lambda block: gast.While(syntax.constant(True), block, []), inner)

    def _With(self, node: gast.With, _: None) -> None:
        if self.trail is None and any(hides_errors(item.context_expr) for item in node.items):
            self.step_by_step(lambda: self._managed(list(node.items), node))
        else:
            self._managed(list(node.items), node)

    def _managed(self, items: list[Any], node: gast.With) -> None:
        if not items:
            self.statements(node.body)
            return
        item = items[0]
        manager = self.value(item.context_expr)
        name = self.temporary("entered") if item.optional_vars is not None else None
        left = syntax.statement(self.of_tape("pull", syntax.constant(None)))

        def inner() -> None:
            self.pull(name, [])
            if name is not None:
                self.assign(item.optional_vars, syntax.load(name))
            self._managed(items[1:], node)
            if self.trail is None:
                self.behind([left])

        # On a trail it is left as a step of its own, whether the body fails or not.
        step = [] if self.trail is None else [syntax.constant(self.trail.add([left]))]
        given, back = self.block(inner)
        head = self.of_tape("managed", manager, *step)
        made = gast.With([gast.withitem(head, syntax.store(name) if name else None)],
                         given or [gast.Pass()], None)
        self.write(made)
        self.mirrored(back)

    def _Try(self, node: gast.Try, _: None) -> None:
        if self.trail is not None:
            self._tried(node)
        elif node.handlers and not is_one_step(node.body):
            self.step_by_step(lambda: self._tried(node))
        else:
            self._tried_at_once(node)

    def step_by_step(self, write: Callable[[], None]) -> None:
        """What is written may be left at any place: its steps are noted."""
        self.trail = trail = Trail()
        self.write(syntax.statement(self.of_tape("begin")))
        write()
        self.trail = None
        step = self.names.fresh("step")
        self.mirrored([trail.mirror(step, self.of_tape("undone"))])

    def _tried(self, node: gast.Try) -> None:
        """A try whose steps are noted: its handlers go on from where its body failed."""
        def after(block: list[gast.stmt], name: str | None = None) -> list[gast.stmt]:
            def inner() -> None:
                self.write(syntax.statement(self.of_tape("caught")))
                if name is not None:
                    self.inactive.add(name)
                self.statements(block)
            return self.block(inner)[0]

        kinds = [self.value(h.type) if h.type is not None else None for h in node.handlers]
        body = self.block(lambda: self.statements(node.body))[0]
        orelse = self.block(lambda: self.statements(node.orelse))[0]
        handlers = [gast.ExceptHandler(kind, handler.name, after(
            handler.body, handler.name.id if handler.name is not None else None))
            for kind, handler in zip(kinds, node.handlers)]
        last = after(node.finalbody) if node.finalbody else []
        self.write(gast.Try(body or [gast.Pass()], handlers, orelse, last))

    def _tried_at_once(self, node: gast.Try) -> None:
        """A try whose body is done or has done nothing, or fails for good."""
        way, kept = self.temporary("way", True), self.temporary("mark", True)
        blocks: list[tuple[list[gast.stmt], list[gast.stmt]]] = []
        if node.handlers:
            self.write(syntax.assign(kept, self.of_tape("mark")))
        body = self.block(lambda: self.statements(node.body))
        orelse = self.block(lambda: self.statements(node.orelse))
        made = gast.Try(body[0] or [gast.Pass()], [], orelse[0], [])
        blocks.append((body[0], [*orelse[1], *body[1]]))
        for number, handler in enumerate(node.handlers, 1):
            def caught(handler: Any = handler, number: int = number) -> None:
                self.write(syntax.statement(self.of_tape("abandon", syntax.load(kept))))
                self.write(syntax.assign(way, syntax.constant(number)))
                if handler.name is not None:
                    self.inactive.add(handler.name.id)
                self.statements(handler.body)
            block = self.block(caught)
            kind = self.value(handler.type) if handler.type is not None else None
            made.handlers.append(gast.ExceptHandler(kind, handler.name, block[0]))
            blocks.append(block)
        last = self.block(lambda: self.statements(node.finalbody))
        made.finalbody = last[0] or ([] if made.handlers else [gast.Pass()])
        self.write(syntax.assign(way, syntax.constant(0)))
        self.write(made)
        self.write(syntax.statement(self.of_tape("count", syntax.load(way))))
        taken = self.names.fresh("way")
        mirror: list[gast.stmt] = blocks[-1][1] or [gast.Pass()]
        for number in range(len(blocks) - 2, -1, -1):
            test = gast.Compare(syntax.load(taken), [gast.Eq()], [syntax.constant(number)])
            mirror = [gast.If(test, blocks[number][1] or [gast.Pass()], mirror)]
        self.mirrored([syntax.assign(taken, self.of_tape("counted")), *last[1], *mirror])

    tree: gast.FunctionDef


def _heads(node: gast.stmt) -> list[gast.AST]:
    """The expressions of a statement that are evaluated before the statements in it."""
    if isinstance(node, gast.For):
        return [node.iter]
    if isinstance(node, (gast.While, gast.If)):
        return [node.test]
    if isinstance(node, gast.With):
        return [item.context_expr for item in node.items]
    return [] if isinstance(node, (gast.Try, gast.FunctionDef)) else [node]
