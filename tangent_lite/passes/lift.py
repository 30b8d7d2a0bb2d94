"""Lift the functions that derivatives are taken of out of the function around them.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.source import source_of
>>> import tangent_lite as tl
>>> def f(x):
...     return x * tl.grad(lambda y: x * y)(1.0)
>>> source, lifted = source_of(f), {}
>>> print(emit(lift(source.tree, source, {"tl": tl}.get, lifted, Names())), end="")
def f(x):
    return x * tl.grad(lambda_)(1.0, x)
>>> print(emit(source_of(lifted["lambda_"]).tree), end="")
def lambda_(y, x):
    return x * y

What it reads around it becomes parameters, so the derivative is one with respect to its own
parameters alone. Calls bring it along by its name, which has to mean there what it means where the
function is defined: `[tl.grad(h)(a) for a in x]`, where h reads another `a`, is refused.
`tl.jvp(f, (x,), (1.0,))` becomes `pushing(f, (0,), 1)(x, 1.0)`: what a call calls is a derivative,
as data.
"""
from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.calling.resolve import meant
from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.functions.handed_functions import definition_of, with_functions_inside
from tangent_lite.functions.local_functions import drop_functions, free_names
from tangent_lite.modules import mark_of
from tangent_lite.names import Names
from tangent_lite.source import Source, with_source
from tangent_lite.syntax import load


def lift(tree: gast.FunctionDef, source: Source, free: Callable[[str], Any],
         lifted: dict[str, Any], names: Names, before: dict[Any, Any] | None = None,
         ) -> gast.FunctionDef:
    """Return the tree with the operands of operators lifted; `lifted` receives them by name.

    free: what a name means that the function does not bind; names: those taken; before: what was
    lifted before, so that the same function of the same text is not made anew.
    """
    names_read = {n.id: n for n in syntax.names_in(tree)}
    # `math.sin` means one thing wherever it stands.
    attributes = {(getattr(n.value, "id", id(n)), n.attr): n
                  for n in syntax.all_of(tree, gast.Attribute)}
    if all(_operator(n, free) is None for n in (*names_read.values(), *attributes.values())):
        return tree
    writer = _Lift(tree, source, free, lifted, names, {} if before is None else before)
    return writer.function()


def _operator(node: gast.AST, free: Callable[[str], Any]) -> Any:
    """The differential operator that an expression means, tl.grad or another; None if none."""
    found = meant(node, free)
    return found if callable(found) and mark_of(found, "makes_derivative") else None


class _Scoped(gast.NodeTransformer):
    """Goes through the code of a function; `around` is what scopes inside it bind at a place."""

    around: frozenset[str] = frozenset()

    def within(self, bound: Iterable[str], visit: Callable[[], None]) -> None:
        outside, self.around = self.around, self.around | frozenset(bound)
        visit()
        self.around = outside

    def comprehension(self, node: Any) -> Any:
        """The first iterable is evaluated outside, all else inside."""
        first = node.generators[0]
        first.iter = self.visit(first.iter)

        def inside() -> None:
            for one in node.generators:
                if one is not first:
                    one.iter = self.visit(one.iter)
                one.ifs = list(map(self.visit, one.ifs))
            for field in ("elt", "key", "value"):
                if hasattr(node, field):
                    setattr(node, field, self.visit(getattr(node, field)))

        self.within([name for one in node.generators for name in syntax.bound_names(one.target)],
                    inside)
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = comprehension


class _Lift(_Scoped):
    def __init__(self, tree: gast.FunctionDef, source: Source, free: Callable[[str], Any],
                 lifted: dict[str, Any], names: Names, before: dict[Any, Any]) -> None:
        self.tree, self.source, self.free = syntax.copy(tree), source, free
        self.lifted, self.names, self.before = lifted, names, before
        bound = bindings(self.tree)
        self.own = set(bound)
        self.functions = {name: nodes[0] for name, nodes in bound.items()
                          if len(nodes) == 1 and isinstance(nodes[0], gast.FunctionDef)}
        self.functions.update({
            node.targets[0].id: definition_of(node.targets[0].id, node.value)
            for node in syntax.all_of(self.tree, gast.Assign)
            if isinstance(node.value, gast.Lambda) and isinstance(node.targets[0], gast.Name)
            and len(node.targets) == 1 and len(bound.get(node.targets[0].id, ())) == 1})
        self.derivatives: dict[str, gast.Call] = {}         # those that are bound once, by name
        self.made: dict[str, tuple[str, list[str]]] = {}    # local function -> lifted, captured
        # Derivatives with names -> what they capture, and the operator.
        self.later: dict[str, tuple[list[str], Any]] = {}

    def function(self) -> gast.FunctionDef:
        self.tree.body = [self.visit(node) for node in self.tree.body]
        if self.later:
            append = _Append(self.later, self.refuse)
            self.tree.body = [append.visit(node) for node in self.tree.body]
            self.check_later()
        used = {n.id for n in syntax.walk(self.tree) if isinstance(n, gast.Name)}
        drop_functions(self.tree.body, set(self.made) - used)
        return self.tree

    def refuse(self, node: gast.AST, reason: str, fix: str) -> UnsupportedSyntaxError:
        return UnsupportedSyntaxError(reason, self.source.place(node), fix)

    # Calls ------------------------------------------------------------------------------------
    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.FunctionDef:
        return node                     # it is read when it is lifted, or when it is called

    def visit_Lambda(self, node: gast.Lambda) -> gast.Lambda:
        return node

    def visit_Assign(self, node: gast.Assign) -> gast.Assign:
        """`g = tl.grad(lambda y: x * y)`: calls of g bring along what it captures."""
        operator = _operator(node.value.func, self.free) if isinstance(node.value, gast.Call) \
            else None
        if operator is None or operator.makes_derivative == "pushed" \
                or not isinstance(node.targets[0], gast.Name):
            return self.generic_visit(node)
        if operator.makes_derivative == "function" and self.is_fixed(node):
            self.derivatives[node.targets[0].id] = syntax.copy(node.value)
        node.value, captured = self.operand(node.value)
        if captured:
            self.later[node.targets[0].id] = captured, operator
        return node

    def visit_Call(self, node: gast.Call) -> gast.expr:
        operator = _operator(node.func, self.free)
        if operator is not None and operator.makes_derivative == "pushed":
            return self.pushed(node)
        if operator is not None:
            made, captured = self.operand(node)
            if captured:
                raise self.refuse(node, "a derivative of a function defined here is handed on, "
                                        "which is not handled yet", "call it here")
            return made
        node = self.with_functions_inside(node)
        if isinstance(node.func, gast.Call):
            operator = _operator(node.func.func, self.free)
            if operator is not None and operator.makes_derivative != "pushed":
                self.check_count(node, operator)
                self.method_as_function(node, operator)
                node.func, captured = self.operand(node.func)
                node = self.generic_visit(node)
                return with_captured(node, captured, operator)
        return self.generic_visit(node)

    def check_count(self, node: gast.Call, operator: Any) -> None:
        """Refuse `tl.hvp(f)(x)`, where f is defined here and takes one argument."""
        function = node.func.args[0] if node.func.args else None
        own = self.functions.get(function.id) if isinstance(function, gast.Name) else function
        if operator.makes_derivative == "product" and not node.keywords \
                and isinstance(own, (gast.FunctionDef, gast.Lambda)) and len(node.args) <= len(
                    syntax.parameter_names(own.args)) - len(own.args.defaults):
            raise self.refuse(node, "hvp takes the arguments of the function and a vector",
                              "write hvp(f)(x, v)")

    def method_as_function(self, node: gast.Call, operator: Any) -> None:
        """`tl.grad(self.loss)(x)` as `tl.grad(lambda x_1: self.loss(x_1))(x)`, which reads a
        variable around it: what is differentiated is a function of what is handed over."""
        made = node.func
        method = made.args[0] if made.args else None
        owner = method.value if isinstance(method, gast.Attribute) else None
        wrt = [*made.args[1:2], *(k.value for k in made.keywords if k.arg == "wrt")]
        if not (isinstance(owner, gast.Name) and owner.id in self.own and not node.keywords) \
                or any(isinstance(a, gast.Starred) for a in node.args) \
                or any(isinstance(n, gast.Constant) and isinstance(n.value, str)
                       for one in wrt for n in gast.walk(one)):
            return
        count = len(node.args) - (operator.makes_derivative == "product")
        names = [self.names.fresh(a.id if isinstance(a, gast.Name) else "value")
                 for a in node.args[:count]]
        called = gast.Call(method, [*map(load, names)], [])
        function = gast.Lambda(gast.arguments(
            [gast.Name(name, gast.Param(), None, None) for name in names], [], None, [], [], None,
            []), called)
        syntax.place_within(function, method)
        made.args[0] = function

    def with_functions_inside(self, node: gast.Call) -> gast.Call:
        """`tl.grad(g)(t, lambda v: s * v)` as `tl.grad(lambda t: g(t, lambda v: s * v))(t)`."""
        made = self.derivatives.get(getattr(node.func, "id", ""))
        if made is not None and node.func.id in self.around:
            return node
        functions = {k: v for k, v in self.functions.items() if k not in self.around}
        function = node.func if made is None else made
        operator = _operator(function.func, self.free) if isinstance(function, gast.Call) else None
        if operator is None or operator.makes_derivative != "function":
            return node
        try:
            call = gast.Call(syntax.copy(function), node.args, node.keywords)
            inside = with_functions_inside(
                gast.copy_location(call, node), self.free, functions, self.own | self.around,
                self.names)
        except ValueError as error:
            raise self.refuse(node, "a function that reads variables around it is handed to a "
                                    f"derivative, and {error}",
                              "take the derivative of a function of what varies: "
                              "grad(lambda v: f(v, fun))(v)") from None
        return node if inside is None else inside

    def is_fixed(self, node: gast.Assign) -> bool:
        """Whether a name means one derivative: it is bound once, and so is what is read for it."""
        return len(bindings(self.tree).get(node.targets[0].id, ())) == 1 \
            and syntax.read_names(node.value) & self.own <= self.functions.keys()

    def operand(self, node: gast.Call) -> tuple[gast.Call, list[str]]:
        """`tl.grad(f)`, f lifted if it is defined here; what it captures."""
        if not node.args:
            return node, []
        node.args = [node.args[0], *map(self.visit, node.args[1:])]
        fun, captured, count = self.lifted_function(node.args[0])
        node.args[0] = fun
        if captured:
            for part in [*node.args[1:2], *(k.value for k in node.keywords if k.arg == "wrt")]:
                _count_from_front(part, count)
        return node, captured

    def lifted_function(self, node: gast.expr) -> tuple[gast.expr, list[str], int]:
        """What stands for the function, what it captures, how many parameters it has itself."""
        if isinstance(node, gast.Lambda):
            definition = definition_of("lambda_", node)
        elif isinstance(node, gast.Name) and node.id in self.functions \
                and node.id not in self.around:
            if node.id in self.made:
                name, captured = self.made[node.id]
                self.check_meaning(node, captured, self.around)
                count = len(syntax.parameter_names(self.functions[node.id].args))
                return gast.copy_location(load(name), node), captured, count
            definition = self.functions[node.id]
        elif isinstance(node, gast.Call) and getattr(
                _operator(node.func, self.free), "makes_derivative", "") == "function":
            return self.derivative_of_derivative(node)
        else:
            return self.visit(node), [], 0
        captured, inner_functions = self.captured(definition, node)
        count = len(syntax.parameter_names(definition.args))
        name = self.names.fresh(definition.name)
        self.lifted[name] = self.make(definition, captured, inner_functions, name)
        if definition.name in self.functions:
            self.made[definition.name] = name, captured
        return gast.copy_location(load(name), node), captured, count

    def derivative_of_derivative(self, node: gast.Call) -> tuple[gast.expr, list[str], int]:
        """`tl.grad(tl.grad(f))`: what f captures goes through both."""
        innermost: gast.expr = node
        while isinstance(innermost, gast.Call) and innermost.args:
            innermost = innermost.args[0]
        own = self.functions.get(getattr(innermost, "id", ""), innermost)
        made, captured = self.operand(node)
        count = len(syntax.parameter_names(own.args)) \
            if isinstance(own, (gast.FunctionDef, gast.Lambda)) else 0
        return made, captured, count

    def captured(self, definition: gast.FunctionDef, node: gast.expr,
                 ) -> tuple[list[str], list[gast.FunctionDef]]:
        """The variables around it that a function reads, and the functions.

        node: what stands for it. A lambda stands in the scopes around it; a function that is
        defined, and those that either of them calls, in that of the whole function alone.
        """
        found: dict[str, None] = {}
        functions: dict[str, gast.FunctionDef] = {}
        todo = [definition]
        while todo:
            reader = todo.pop()
            in_place = self.around if isinstance(node, gast.Lambda) and reader is definition \
                else frozenset[str]()
            names = free_names(reader)
            self.check_meaning(node, names, self.around - in_place)
            if reader is not definition:
                # It comes to stand in the definition, which must not bind what it reads, be that
                # a variable around both or a name of the module.
                for name in sorted({*names} & bindings(definition).keys()):
                    raise self.refuse(node, *two_meanings(name))
            for name in names:
                if name in self.functions and name not in in_place:
                    if name == definition.name:
                        raise self.refuse(definition, "a function defined here that calls itself "
                                          "is not handled yet", "define it at the top of the "
                                          "module")
                    if not all(map(_is_literal, self.functions[name].args.defaults)):
                        raise self.refuse(self.functions[name], *_DEFAULTS)
                    if name not in functions:
                        functions[name] = self.functions[name]
                        todo.append(self.functions[name])
                elif name in self.own or name in in_place:
                    found[name] = None
        return list(found), list(functions.values())

    def check_meaning(self, node: gast.AST, names: Iterable[str], bound: Iterable[str]) -> None:
        for name in sorted({*names} & {*bound} & self.own):
            raise self.refuse(node, *two_meanings(name))

    def make(self, definition: gast.FunctionDef, captured: list[str],
             functions: list[gast.FunctionDef], name: str) -> Any:
        made = syntax.copy(definition)
        arguments = made.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
            raise self.refuse(definition, "a function with * parameters is not handled here yet",
                              "name the parameters")
        if arguments.defaults and (captured or not all(map(_is_literal, arguments.defaults))):
            raise self.refuse(definition, *_DEFAULTS)
        made.name = name
        made.decorator_list = []
        arguments.args += [gast.Name(c, gast.Param(), None, None) for c in captured]
        made.body = [*map(syntax.copy, functions), *made.body]
        key = self.source.function, name, gast.dump(made, include_attributes=True)
        if key not in self.before:
            self.before[key] = with_source(made, self.source, name)
        return self.before[key]

    # Forms ------------------------------------------------------------------------------------
    def pushed(self, node: gast.Call) -> gast.expr:
        """`tl.jvp(f, (x, y), (dx, None))` as `pushing(f, (0,), 2)(x, y, dx)`."""
        operator = _operator(node.func, self.free)
        if len(node.args) != 3 or node.keywords or not all(
                isinstance(a, (gast.Tuple, gast.List)) for a in node.args[1:]):
            raise self.refuse(node, "this call of jvp is not handled in a differentiated function",
                              "write the primals and the tangents as tuples: jvp(f, (x,), (dx,))")
        primals = [self.visit(e) for e in node.args[1].elts]
        tangents = [self.visit(e) for e in node.args[2].elts]
        if len(primals) != len(tangents) or any(
                isinstance(e, gast.Starred) for e in primals + tangents):
            raise self.refuse(node, "jvp needs one tangent for each primal", "write None for what "
                                                                             "does not vary")
        moving = [k for k, t in enumerate(tangents)
                  if not (isinstance(t, gast.Constant) and t.value is None)]
        fun, captured, _ = self.lifted_function(node.args[0])
        return self.pushing(node, operator.pushing_first, fun, moving,
                            [*primals, *map(load, captured)], [tangents[k] for k in moving])

    def pushing(self, node: gast.AST, function: Any, fun: gast.expr, moving: list[int],
                primals: list[gast.expr], tangents: list[gast.expr]) -> gast.expr:
        spots = syntax.tuple_of(map(syntax.constant, moving))
        made = gast.Call(self.named(function, "pushing", node),
                         [fun, spots, syntax.constant(len(primals))], [])
        made = gast.Call(made, primals + tangents, [])
        syntax.place_within(made, node)
        return made

    def named(self, thing: Any, wish: str, node: gast.AST) -> gast.expr:
        """A name for a thing that the user's module may not know."""
        name = self.names.name_of(thing, wish, self.lifted)
        return gast.copy_location(load(name), node)

    def check_later(self) -> None:
        """A derivative that captures is called where it is made, and bound once."""
        called = {id(n.func) for n in syntax.walk(self.tree) if isinstance(n, gast.Call)}
        bound: dict[str, int] = {}
        for node in syntax.walk(self.tree):
            if isinstance(node, gast.Name) and node.id in self.later:
                if not isinstance(node.ctx, gast.Load):
                    bound[node.id] = bound.get(node.id, 0) + 1
                if bound.get(node.id, 0) > 1 or (isinstance(node.ctx, gast.Load)
                                                 and id(node) not in called):
                    raise self.refuse(node, "a derivative of a function defined here is handed "
                                            "on, which is not handled yet", "call it here")


class _Append(_Scoped):
    """Hand over what derivatives capture, where they are called by their names."""

    def __init__(self, captured: dict[str, tuple[list[str], Any]],
                 refuse: Callable[[gast.AST, str, str], UnsupportedSyntaxError]) -> None:
        self.captured, self.refuse = captured, refuse

    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.FunctionDef:
        self.within(bindings(node), lambda: self.generic_visit(node))
        return node

    def visit_Lambda(self, node: gast.Lambda) -> gast.Lambda:
        self.within(syntax.parameter_names(node.args), lambda: self.generic_visit(node))
        return node

    def visit_Call(self, node: gast.Call) -> gast.Call:
        self.generic_visit(node)
        if isinstance(node.func, gast.Name) and node.func.id in self.captured:
            captured, operator = self.captured[node.func.id]
            for name in sorted({*captured} & self.around):
                raise self.refuse(node, *two_meanings(name))
            return with_captured(node, captured, operator)
        return node


def with_captured(node: gast.Call, captured: list[str], operator: Any) -> gast.Call:
    """A call of a derivative that is handed what its function captures as well: behind the
    arguments of the function, and of a product in front of the vector."""
    spot = len(node.args) - (operator.makes_derivative == "product")
    node.args[max(spot, 0):max(spot, 0)] = map(load, captured)
    return node


def bindings(definition: gast.FunctionDef) -> dict[str, list[gast.AST]]:
    """What binds each name of a function: functions that are defined in it, and other nodes."""
    found: dict[str, list[gast.AST]] = {
        name: [definition.args] for name in syntax.parameter_names(definition.args)}

    def bind(name: str | None, node: gast.AST) -> None:
        if name is not None:
            found.setdefault(name, []).append(node)

    todo: list[gast.AST] = list(definition.body)
    while todo:
        node = todo.pop()
        if isinstance(node, gast.FunctionDef):
            bind(node.name, node)
        elif node.__class__ in syntax.COMPREHENSIONS:
            # It binds in a scope of its own, but for `y := x`.
            for part in syntax.all_of(node, gast.NamedExpr):
                bind(part.target.id, part)
        elif not isinstance(node, gast.Lambda):
            if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store):
                bind(node.id, node)
            elif isinstance(node, (gast.MatchAs, gast.MatchStar)):
                bind(node.name, node)
            elif isinstance(node, gast.MatchMapping):
                bind(node.rest, node)
            elif isinstance(node, gast.alias):
                bind((node.asname or node.name).split(".")[0], node)
            todo += gast.iter_child_nodes(node)
    return found


_DEFAULTS = ("a function defined here with defaults is not handled yet", "pass all its arguments")


def two_meanings(name: str) -> tuple[str, str]:
    """Why a call cannot bring a variable along, and what to do about it."""
    return (f"{name} means one thing here, and another where the function that the derivative is "
            "of reads it", "give one of the two another name")


def _is_literal(node: gast.expr) -> bool:
    try:
        ast.literal_eval(gast.gast_to_ast(node))
    except ValueError:
        return False
    return True


def _count_from_front(node: gast.expr, count: int) -> None:
    """wrt=-1 counts from the end of the function's own parameters."""
    parts = syntax.shown_parts(node)
    for number, part in enumerate(parts):
        if isinstance(part, gast.UnaryOp) and isinstance(part.op, gast.USub) \
                and isinstance(part.operand, gast.Constant):
            made = gast.copy_location(gast.Constant(count - part.operand.value, None), part)
            if isinstance(node, gast.Tuple):
                node.elts[number] = made
            else:
                part.__class__ = gast.Constant
                part.__dict__.clear()
                part.__dict__.update(made.__dict__)
