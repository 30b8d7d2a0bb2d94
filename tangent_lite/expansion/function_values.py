"""Functions as values: one of several that is called, and partials."""
from __future__ import annotations

import functools

import gast

from tangent_lite import kinds, syntax
from tangent_lite.expansion import Written, hint_of
from tangent_lite.expansion.operators import Operators
from tangent_lite.functions.local_functions import LocalFunction, lambda_of
from tangent_lite.runtime.objects import which_of
from tangent_lite.syntax import assign, load


class FunctionValues(Operators):
    """What takes the place of calls of functions that were chosen or made."""

    def choice(self, kind: kinds.Choice, plain: gast.Call) -> Written:
        """`act(x)` as `if act is np.tanh: t = np.tanh(x) ...`: one branch for each function.

        `tl.grad(f)` is another object each time: of derivatives it is asked which of them is alike.
        """
        first: list[gast.stmt] = []
        function = plain.func
        if not isinstance(function, gast.Name):
            function = self.named(first, "function", function)
        name = self.context.names.fresh("t")
        chain: list[gast.stmt] = []
        which = self.which_derivative(first, kind, function)
        for number, option in reversed([*enumerate(kind.options)]):
            thing = option.object
            spelled: gast.expr
            test: gast.expr
            if isinstance(thing, LocalFunction):
                spelled = self.tag(thing)
                test = gast.Compare(syntax.copy(function), [gast.Eq()], [syntax.copy(spelled)])
            else:
                spelled = self.inject(thing, getattr(thing, "__name__", "function"))
                test = gast.Compare(syntax.copy(function), [gast.Is()], [syntax.copy(spelled)])
            if which is not None:
                test = gast.Compare(load(which), [gast.Eq()], [gast.Constant(number, None)])
            called = self.calling(spelled, plain, syntax.copy(plain.args),
                                  syntax.copy(plain.keywords))
            branch: list[gast.stmt] = [assign(name, called)]
            chain = [gast.If(test, branch, chain)] if chain else branch
        return first + chain, load(name)

    def which_derivative(self, first: list[gast.stmt], kind: kinds.Choice,
                         function: gast.expr) -> str | None:
        """A name for the number of what is called among the options; None where none of them is a
        derivative."""
        things = [option.object for option in kind.options]
        if not any(hasattr(type(thing), "emitted_for") for thing in things):
            return None
        options = [self.tag(thing) if isinstance(thing, LocalFunction)
                   else self.inject(thing, getattr(thing, "__name__", "function"))
                   for thing in things]
        asked = gast.Call(self.inject(which_of, "which_of"), [syntax.copy(function), *options], [])
        return self.named(first, "which", asked).id

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

    def partial(self, plain: gast.Call) -> Written:
        """`functools.partial(f, a, k=b)` as a function defined inside, its arguments kept."""
        first: list[gast.stmt] = []
        kept = [self.kept(first, a) for a in plain.args]
        given = [gast.keyword(k.arg, self.kept(first, k.value, k.arg)) for k in plain.keywords]
        rest, more = self.context.names.fresh("args"), self.context.names.fresh("options")
        later = gast.Dict([*(gast.Constant(k.arg, None) for k in given), None],
                          [*(k.value for k in given), load(more)])
        called = gast.Call(kept[0], [*kept[1:], gast.Starred(load(rest), gast.Load())],
                           [gast.keyword(None, later if given else load(more))])
        return first, self.function_of_all("partial", called, rest, more, plain)

    def function_of_all(self, name: str, called: gast.Call, rest: str, more: str,
                        plain: gast.Call) -> gast.Lambda:
        """`def name(*rest, **more): return called`, as the value that a function defined inside
        is."""
        arguments = gast.arguments([], [], gast.Name(rest, gast.Param(), None, None), [], [],
                                   gast.Name(more, gast.Param(), None, None), [])
        tree = gast.FunctionDef(name, arguments, [gast.Return(called)], [], None, None)
        for node in gast.walk(tree):
            if isinstance(node, (gast.stmt, gast.expr)):
                gast.copy_location(node, plain)
        captured = syntax.read_names(called) - {rest, more}
        function = LocalFunction(name, tree, frozenset(captured), frozenset(), {},
                                 getattr(plain, "origin", self.context.inliner.source))
        return gast.copy_location(lambda_of(function), plain)

    def kept(self, first: list[gast.stmt], value: gast.expr, wish: str | None = None) -> gast.expr:
        """An argument as it is now, whatever is bound to its name later."""
        if isinstance(value, (gast.Constant, gast.Attribute)):
            return value
        if isinstance(value, gast.Name) and value.id not in self.bound:
            return value
        return self.named(first, wish or hint_of(value), value)

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
