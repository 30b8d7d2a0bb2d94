"""Classes that are defined in a function: their methods become functions, of which one call makes
the class.

    class Line:                             def Line_at(self, t):
        def at(self, t):                        return slope * t
            return slope * t        =>      Line = type("Line", module, (), "at", "", Line_at)

So methods capture what functions inside capture. What stands on the class itself must not vary.
"""
from __future__ import annotations

import abc
import functools
import types
from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.names import Names
from tangent_lite.source import Source

_WRAPPERS: dict[Any, str] = {
    property: "property", staticmethod: "staticmethod", classmethod: "classmethod",
    functools.cached_property: "cached_property", abc.abstractmethod: "abstractmethod"}
_OF_PROPERTIES = ("setter", "getter", "deleter")
_CONSTANT = (gast.Constant, gast.UnaryOp, gast.BinOp, gast.Tuple, gast.List, gast.Dict, gast.Set,
             gast.Call, gast.keyword, gast.Attribute, gast.Lambda, gast.operator, gast.unaryop,
             gast.expr_context, gast.Subscript)


def is_class(node: gast.expr) -> bool:
    """Whether an expression is the call that makes a class."""
    return hasattr(node, "makes_class")


def local_classes(tree: gast.FunctionDef, source: Source, meaning: Callable[[gast.expr], Any],
                  names: Names, bound: set[str]) -> gast.FunctionDef:
    """Write the classes of a function, and of those in it, as calls, in place; meaning: what an
    expression outside means; bound: the variables of the function, and of those around."""
    if gast.ClassDef in syntax.classes_in(tree):
        _Classes(source, meaning, names, bound).inside(tree)
    return tree


class _Classes(gast.NodeTransformer):
    def __init__(self, source: Source, meaning: Callable[[gast.expr], Any], names: Names,
                 bound: set[str]) -> None:
        self.source, self.meaning, self.names, self.bound = source, meaning, names, bound

    def inside(self, tree: gast.FunctionDef) -> None:
        kept = self.bound
        self.bound = kept | {n.id for n in gast.walk(tree) if isinstance(n, gast.Name)
                             and not isinstance(n.ctx, gast.Load)}
        self.generic_visit(tree)
        self.bound = kept

    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.FunctionDef:
        self.inside(node)
        return node

    def visit_ClassDef(self, node: gast.ClassDef) -> list[gast.stmt]:
        name = node.name
        made = self.names.fresh(name)
        _Private(name).generic_visit(node)
        out: list[gast.stmt] = []
        entries: list[gast.expr] = []
        own: dict[str, str] = {}
        methods: dict[str, tuple[str, str]] = {}        # what is made of each, and its variable
        kinds: list[tuple[str, gast.expr]] = []
        if node.keywords:
            raise self._refuse(node)

        def enter(key: str, wrapper: str, value: gast.expr) -> None:
            entries.extend([syntax.constant(key), syntax.constant(wrapper), value])

        for number, part in enumerate(node.body):
            if isinstance(part, gast.FunctionDef):
                wrappers, others = self._wrappers(part)
                method = part.name
                part.name = self.names.fresh(f"{name}_{method}")
                part.decorator_list = others
                _In(made, own).of_function(part)
                self.inside(part)
                out.append(part)
                enter(method, wrappers, syntax.load(part.name))
                methods[method] = wrappers, part.name
            elif isinstance(part, (gast.Assign, gast.AnnAssign)):
                target = part.targets[0] if isinstance(part, gast.Assign) else part.target
                if not isinstance(target, gast.Name) or len(getattr(part, "targets", "1")) > 1:
                    raise self._refuse(part)
                if isinstance(part, gast.AnnAssign):
                    kinds.append((target.id, _In(made, own).visit(part.annotation)))
                if part.value is None:
                    continue
                again = self._of_methods(part.value, methods)
                if again:
                    for wrapper, variable in again:
                        enter(target.id, wrapper.format(target.id), syntax.load(variable))
                    methods[target.id] = again[0]
                    continue
                self._check(part.value, own)
                variable = self.names.fresh(f"{name}_{target.id}")
                out.append(syntax.assign(variable, _In(made, own).visit(part.value)))
                own[target.id] = variable
                enter(target.id, "", syntax.load(variable))
            elif isinstance(part, gast.Expr) and isinstance(part.value, gast.Constant):
                if number == 0:
                    enter("__doc__", "", part.value)
            elif not isinstance(part, gast.Pass):
                raise self._refuse(part)
        if kinds:
            enter("__annotations__", "", gast.Dict([syntax.constant(k) for k, _ in kinds],
                                                   [kind for _, kind in kinds]))
        module = syntax.constant(self.source.globals.get("__name__", "__main__"))
        value: Any = gast.Call(syntax.load("type"), [
            syntax.constant(name), module, syntax.tuple_of(node.bases), *entries], [])
        value.makes_class = True                # with what `type` is not given
        out.append(syntax.assign(made, value))
        value = syntax.load(made)
        for decorator in reversed(node.decorator_list):
            value = gast.Call(decorator, [value], [])
        out.append(syntax.assign(name, value))
        for statement in out:
            syntax.place_within(statement, node)
        return out

    def _wrappers(self, node: gast.FunctionDef) -> tuple[str, list[gast.expr]]:
        """What the class makes of a method, and the decorators that are called before."""
        if not node.decorator_list:
            return "", []
        first, *others = node.decorator_list
        if isinstance(first, gast.Attribute) and first.attr in _OF_PROPERTIES \
                and isinstance(first.value, gast.Name) and first.value.id not in self.bound:
            return f"{first.attr} {first.value.id}", others
        found = self.meaning(first)
        known = _WRAPPERS.get(found, "") if isinstance(found, (type, types.FunctionType)) else ""
        return (known, others) if known else ("", node.decorator_list)

    def _of_methods(self, value: gast.expr,
                    methods: dict[str, tuple[str, str]]) -> list[tuple[str, str]]:
        """What `g = f` and `property(get, put)` enter, by the methods that they name."""
        named = [methods[n.id] for n in gast.walk(value)
                 if isinstance(n, gast.Name) and n.id in methods]
        if not named:
            return []
        if isinstance(value, gast.Name) and named[0][0] in ("", "staticmethod", "classmethod"):
            return named
        if not isinstance(value, gast.Call) or self.meaning(value.func) is not property \
                or value.keywords or len(named) != len(value.args) or len(named) > 2 \
                or any(wrapper for wrapper, _ in named):
            raise self._refuse(value)
        return [("property", named[0][1]), *(("setter {}", put) for _, put in named[1:])]

    def _check(self, value: gast.expr, own: dict[str, str]) -> None:
        """What stands on a class must not vary."""
        for node in gast.walk(value):
            if isinstance(node, gast.Name):
                if node.id in self.bound and node.id not in own:
                    raise self.source.refuse(
                        value, "an attribute of a class that is defined here may vary",
                        "set it in __init__")
            elif not isinstance(node, _CONSTANT):
                raise self._refuse(value)

    def _refuse(self, node: gast.AST) -> Exception:
        return self.source.refuse(node, "a class that is defined here has more than methods and "
                                        "constants", "define it at the top of the module")


class _In(gast.NodeTransformer):
    """What names in the body of a class mean; in methods `super()` and `__class__` alone."""

    def __init__(self, made: str, own: dict[str, str]) -> None:
        self.made, self.own = made, own
        self.first = ""

    def visit_Name(self, node: gast.Name) -> gast.Name:
        if node.id == "__class__":
            node.id = self.made
        elif isinstance(node.ctx, gast.Load):
            node.id = self.own.get(node.id, node.id)
        return node

    def of_function(self, node: gast.FunctionDef) -> None:
        """Rewrite a method in place."""
        node.args.defaults = [self.visit(d) for d in node.args.defaults]
        node.args.kw_defaults = [d and self.visit(d) for d in node.args.kw_defaults]
        parameters = syntax.parameter_names(node.args)
        inner = _In(self.made, {})
        inner.first = parameters[0] if parameters else ""
        node.body = [inner.visit(part) for part in node.body]

    def visit_Call(self, node: gast.Call) -> gast.Call:
        self.generic_visit(node)
        if isinstance(node.func, gast.Name) and node.func.id == "super" and not node.args \
                and self.first:
            node.args = [syntax.load(self.made), syntax.load(self.first)]
        return node


class _Private(gast.NodeTransformer):
    """Names that begin with two underlines belong to the class."""

    def __init__(self, name: str) -> None:
        self.prefix = f"_{name.lstrip('_')}"

    def _of_class(self, name: str) -> str:
        return self.prefix + name if name.startswith("__") and not name.endswith("__") else name

    def visit_Attribute(self, node: gast.Attribute) -> gast.Attribute:
        node.attr = self._of_class(node.attr)
        self.generic_visit(node)
        return node

    def visit_Name(self, node: gast.Name) -> gast.Name:
        node.id = self._of_class(node.id)
        return node

    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.FunctionDef:
        node.name = self._of_class(node.name)
        self.generic_visit(node)
        return node


def new_class(name: str, module: str, bases: tuple[Any, ...], entries: tuple[Any, ...]) -> type:
    """A class, as its definition makes it; entries: keys, what is made of the values, values."""
    def fill(space: dict[str, Any]) -> None:
        space["__module__"], space["__qualname__"] = module, name
        for key, wrapper, value in zip(*[iter(entries)] * 3):
            if isinstance(value, types.FunctionType) and not wrapper.startswith(_OF_PROPERTIES):
                value.__name__, value.__qualname__ = key, f"{name}.{key}"
            space[key] = _wrapped(space, wrapper, value)
    return types.new_class(name, bases, {}, fill)


def _wrapped(space: dict[str, Any], wrapper: str, value: Any) -> Any:
    how, _, of = wrapper.partition(" ")
    if of:
        return getattr(space[of], how)(value)
    for made, known in _WRAPPERS.items():
        if known == how:
            return made(value)
    return value
