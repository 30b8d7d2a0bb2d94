"""A dict that is made of pairs, or of keys, is written with its keys: as a display, or as a
comprehension; and what takes a part of what it is given is written as what it does.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.names import Names
>>> tree = gast.parse('''
... def f(x, y, names):
...     a = dict([("x", x), ("y", y)])
...     b = dict(zip(names, (x, y)))
...     c = dict((name, x * y) for name in names)
...     e, g = dict.fromkeys(("x", "y"), 0.0), dict.fromkeys(names, x)
...     first = operator.itemgetter(0, -1)
...     return a, b, max(c, key=c.get), first(x), e, g
... ''').body[0]
>>> import builtins
>>> known = {**vars(builtins), "operator": operator}
>>> print(emit(keyed(tree, Names(['x']), known.get)), end="")
def f(x, y, names):
    a = {"x": x, "y": y}
    b = {key: value for key, value in zip(names, (x, y))}
    c = {name: x * y for name in names}
    e, g = {"x": 0.0, "y": 0.0}, {key_1: x for key_1 in names}
    first = lambda item: (item[0], item[-1])
    return a, b, max(c, key=lambda key_2: c.get(key_2)), first(x), e, g

Behind this pass no dict is made of a list of pairs that has no name, no method that reads an item
is handed on as the key to sort by, and no getter is made of items or attributes that are written
there.
"""
from __future__ import annotations

import keyword
import operator
from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.names import Names


def keyed(tree: gast.FunctionDef, names: Names, meaning: Callable[[str], Any]) \
        -> gast.FunctionDef:
    """The function with such dicts, in place; meaning: what a name of the module means, or Python's
    own."""
    calls = [call for call in syntax.all_of(tree, gast.Call) if _may_be_keyed(call)]
    if not calls:
        return tree
    bound = set(syntax.parameter_names(tree.args)) | {
        n.id for n in syntax.names_in(tree) if not isinstance(n.ctx, gast.Load)}
    writer = _Keyed(names, bound, lambda name: None if name in bound else meaning(name))
    wanted = any(writer.makes_dict(call) or writer.of_one_value(call) or writer.key_read(call)
                 or writer.getter(call) for call in calls)
    return writer.visit(tree) if wanted else tree


def _may_be_keyed(call: gast.Call) -> bool:
    """Whether a call may be one of these, by how it is written: not `math.sin(x)`."""
    return isinstance(call.func, gast.Name) or bool(call.keywords) \
        or getattr(call.func, "attr", "") in ("itemgetter", "attrgetter", "fromkeys")


class _Keyed(syntax.Transformer):
    def __init__(self, names: Names, bound: set[str], meaning: Callable[[str], Any]) -> None:
        self.names, self.bound, self.meaning = names, bound, meaning

    def makes_dict(self, node: gast.Call) -> bool:
        return len(node.args) == 1 and not node.keywords \
            and self.meaning(getattr(node.func, "id", "")) is dict

    def key_read(self, node: gast.Call) -> gast.keyword | None:
        """`key=d.get`, where something is put in order: it is called at once, as long as d is that.
        """
        orders = self.meaning(getattr(node.func, "id", "")) in (sorted, max, min) \
            or getattr(node.func, "attr", "") == "sort"
        return next((k for k in node.keywords
                     if orders and k.arg == "key" and self.reads_item(k.value)), None)

    def reads_item(self, node: gast.expr) -> bool:
        owner = getattr(getattr(node, "value", None), "id", "")
        return isinstance(node, gast.Attribute) and node.attr in ("get", "__getitem__", "index") \
            and (owner in self.bound or isinstance(self.meaning(owner), (dict, list, tuple)))

    def visit_Call(self, node: gast.Call) -> gast.expr:
        self.generic_visit(node)
        by = self.key_read(node)
        if by is not None:
            by.value = self.called(by.value)
        if self.getter(node) is not None:
            return self.written(node)
        made = self.of_pairs(node.args[0]) if self.makes_dict(node) else \
            self.of_keys(node) if self.of_one_value(node) else None
        return node if made is None else gast.copy_location(made, node)

    def getter(self, node: gast.Call) -> Any:
        """operator.itemgetter or attrgetter, if that is called with what is written there."""
        found = node.func
        function = self.meaning(found.id) if isinstance(found, gast.Name) else \
            getattr(operator, found.attr, None) if isinstance(found, gast.Attribute) \
            and self.meaning(getattr(found.value, "id", "")) is operator else None
        known = {operator.itemgetter: _is_literal, operator.attrgetter: _is_path}.get(
            function) if isinstance(function, type) else None
        return function if known and node.args and not node.keywords \
            and all(map(known, node.args)) else None

    def written(self, node: gast.Call) -> gast.expr:
        """A getter, as the lambda that does the same."""
        item = self.names.fresh("item")
        parts: list[gast.expr] = []
        for one in node.args:
            part: gast.expr = syntax.load(item)
            if self.getter(node) is operator.itemgetter:
                part = syntax.subscript(part, one)
            else:
                for name in one.value.split("."):
                    part = syntax.attribute(part, name)
            parts.append(part)
        made: Any = syntax.parse_expression(f"lambda {item}: None")
        made.body = parts[0] if len(parts) == 1 else syntax.tuple_of(parts)
        return syntax.placed(made, node)

    def called(self, method: gast.expr) -> gast.expr:
        """A method that is handed on, as a lambda that calls it."""
        key = self.names.fresh("key")
        made: Any = syntax.parse_expression(f"lambda {key}: None")
        made.body = syntax.call(method, syntax.load(key))
        return syntax.placed(made, method)

    def of_one_value(self, node: gast.Call) -> bool:
        """Whether a call is `dict.fromkeys(keys, v)`, of a v that costs nothing to read again."""
        return getattr(node.func, "attr", "") == "fromkeys" and len(node.args) == 2 \
            and not node.keywords and not isinstance(node.args[0], gast.Starred) \
            and syntax.is_atom(node.args[1]) \
            and self.meaning(getattr(node.func.value, "id", "")) is dict

    def of_keys(self, node: gast.Call) -> gast.expr:
        """The same as a display, or as a comprehension."""
        keys, value = node.args
        if isinstance(keys, (gast.List, gast.Tuple)) and all(map(_is_literal, keys.elts)) \
                and len(set(map(syntax.key, keys.elts))) == len(keys.elts):
            return gast.Dict(keys.elts, [syntax.copy(value) for _ in keys.elts])
        key = self.names.fresh("key")
        made = gast.DictComp(syntax.load(key), value, [
            gast.comprehension(syntax.store(key), keys, [], 0)])
        return syntax.placed(made, node)

    def of_pairs(self, pairs: gast.expr) -> gast.expr | None:
        if isinstance(pairs, (gast.Dict, gast.DictComp)):
            return pairs                        # a copy of what nobody else has
        if isinstance(pairs, (gast.List, gast.Tuple)) and all(map(_is_pair, pairs.elts)):
            return gast.Dict([pair.elts[0] for pair in pairs.elts],
                             [pair.elts[1] for pair in pairs.elts])
        if isinstance(pairs, (gast.ListComp, gast.GeneratorExp)) and _is_pair(pairs.elt):
            return gast.DictComp(*pairs.elt.elts, pairs.generators)
        if isinstance(pairs, gast.Call) and self.gives_pairs(pairs):
            key, value = self.names.fresh("key"), self.names.fresh("value")
            target = syntax.tuple_of([syntax.store(key), syntax.store(value)], gast.Store())
            made = gast.DictComp(syntax.load(key), syntax.load(value), [
                gast.comprehension(target, pairs, [], 0)])
            return syntax.placed(made, pairs)
        return None

    def gives_pairs(self, node: gast.Call) -> bool:
        """Whether a call is `zip(keys, values)`, or `enumerate(values)`."""
        function = self.meaning(getattr(node.func, "id", ""))
        return not any(isinstance(one, gast.Starred) for one in node.args) and (
            (function is zip and len(node.args) == 2 and not node.keywords)
            or (function is enumerate and len(node.args) >= 1
                and all(k.arg == "start" for k in node.keywords)))


def _is_pair(node: gast.expr) -> bool:
    return isinstance(node, (gast.Tuple, gast.List)) and len(node.elts) == 2 \
        and not any(isinstance(one, gast.Starred) for one in node.elts)


def _is_literal(node: gast.expr) -> bool:
    """Whether a key is written there: a text, or a number and its sign."""
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        node = node.operand
    return isinstance(node, gast.Constant)


def _is_path(node: gast.expr) -> bool:
    """Whether the name of an attribute is written there, or of one of an attribute."""
    value = getattr(node, "value", None)
    return isinstance(node, gast.Constant) and isinstance(value, str) and all(
        part.isidentifier() and not keyword.iskeyword(part) and not part.startswith("__")
        for part in value.split("."))
