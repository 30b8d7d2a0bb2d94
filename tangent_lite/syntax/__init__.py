"""Builders and readers of gast nodes: the vocabulary that the passes speak.

Here are the readers; those of indices stand in `indices`, those of what statements assign to in
`targets`, where nodes stand in `places`, the builders in `builders`, walking and copying in
`nodes`. Nothing here knows about derivatives. Nodes are never shared: `copy` before putting one
twice.

Facts about nodes live in the results of analyses, but for those that have to survive copying and
renaming: these are attributes of the nodes themselves, declared in `marks`.
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from tangent_lite.nodes import NODES, PARTS, Transformer, children, copy, walk
from tangent_lite.nodes import Rewriter as Rewriter
from tangent_lite.nodes import all_of as all_of
from tangent_lite.nodes import all_statements as all_statements
from tangent_lite.nodes import classes_in as classes_in
from tangent_lite.nodes import copy_location as copy_location
from tangent_lite.nodes import names_in as names_in
from tangent_lite.nodes import size as size
from tangent_lite.syntax.builders import (  # noqa: F401
    OPERATORS,
    assign,
    attribute,
    augment,
    binary,
    blank,
    call,
    comment,
    constant,
    function_def,
    key_parts,
    load,
    method,
    minus,
    parse_expression,
    returns,
    reversed_order,
    statement,
    store,
    subscript,
    tuple_of,
)
from tangent_lite.syntax.indices import (  # noqa: F401
    all_of_index,
    constant_int,
    is_colon,
    is_column,
    is_reversal,
    is_whole,
    means_all,
    means_number,
    named_mask,
    reorders,
    shown_parts,
)
from tangent_lite.syntax.places import (  # noqa: F401
    COMPOUND,
    copy_place,
    move,
    place_within,
    placed,
    serve,
    spot_of,
    stand_at,
)
from tangent_lite.syntax.targets import as_read as as_read
from tangent_lite.syntax.targets import bound_names, root_name
from tangent_lite.syntax.targets import target_of as target_of

# Expressions that passes do not take apart.
KEPT = (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp, gast.JoinedStr,
        gast.Set)


# Walking --------------------------------------------------------------------------------------
def walk_in_order(block: list[gast.stmt]) -> Iterator[gast.AST]:
    """The nodes of a block as they stand in the text; a lambda's body is not looked into."""
    todo: list[gast.AST] = list(reversed(block))
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, gast.Lambda):
            todo += reversed(children(node))


def lazily_read(tree: gast.AST) -> set[str]:
    """The names that iterators read while loops run over them, wherever they were made: `alias`
    has to know what these mean."""
    return {name.id for node in all_of(tree, gast.For) for name in getattr(node, "lazily", ())}


def statements(block: list[gast.stmt]) -> Iterator[gast.stmt]:
    """All statements of a block and of the blocks in it, in order."""
    todo = [iter(block)]                # our own stack: of deep trees, each is passed on but once
    while todo:
        for node in todo[-1]:
            yield node
            if node.__class__ in COMPOUND:
                todo += (iter(node.orelse), iter(node.body))
                break
        else:
            todo.pop()


def every_statement(block: list[gast.stmt]) -> list[Any]:
    """The same as a list: sooner done, where all of them are looked at and none is changed."""
    found: list[Any] = []
    add = found.append
    todo = [iter(block)]
    while todo:
        for node in todo[-1]:
            add(node)
            if node.__class__ in COMPOUND:
                todo += (iter(node.orelse), iter(node.body))
                break
        else:
            todo.pop()
    return found


def may_leave(block: list[gast.stmt]) -> bool:
    """Whether some way through a block leaves the loop that it is the body of."""
    return any(isinstance(node, gast.Break) or (
        isinstance(node, gast.If) and (may_leave(node.body) or may_leave(node.orelse)))
        for node in block)


def always_leaves(block: list[gast.stmt]) -> bool:
    """Whether all ways through a block leave the loop around it."""
    if not block:
        return False
    last = block[-1]
    return isinstance(last, gast.Break) or (
        isinstance(last, gast.If) and always_leaves(last.body) and always_leaves(last.orelse))


# Reading --------------------------------------------------------------------------------------
def is_comment(node: gast.AST) -> bool:
    return (node.__class__ is gast.Expr and node.value.__class__ is gast.Constant
            and isinstance(node.value.value, str) and node.value.value.startswith("#"))


def is_one(node: gast.AST) -> bool:
    """Whether a node is the number 1 as a literal."""
    return isinstance(node, gast.Constant) and type(node.value) in (int, float) \
        and node.value == 1


def is_name(node: Any, name: str) -> bool:
    """Whether a node is this name."""
    return isinstance(node, gast.Name) and node.id == name


def is_length_of(node: Any, name: str) -> bool:
    """Whether a node is `len(name)`."""
    return isinstance(node, gast.Call) and getattr(node.func, "id", None) == "len" \
        and len(node.args) == 1 and is_name(node.args[0], name)


def factors(value: gast.expr) -> list[gast.expr]:
    """What a product is made of, from left to right: x, y, z of `x * y * z`."""
    if isinstance(value, gast.BinOp) and isinstance(value.op, gast.Mult):
        return [*factors(value.left), *factors(value.right)]
    return [value]


def is_atom(node: gast.AST) -> bool:
    """A name, a literal, or a literal with a sign: what ANF allows as an operand."""
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, (gast.USub, gast.UAdd)):
        node = node.operand
        return isinstance(node, gast.Constant)
    return isinstance(node, (gast.Name, gast.Constant))


def is_simple(node: gast.AST) -> bool:
    """Whether an expression may be evaluated again, in place: it calls nothing but len and abs.

    >>> is_simple(parse_expression("x.shape[0] - i > len(y)"))
    True
    >>> is_simple(parse_expression("f(x) > 0"))
    False
    """
    for part in walk(node):
        if isinstance(part, gast.Call):
            if not (isinstance(part.func, gast.Name) and part.func.id in (
                    "len", "abs", "int", "min", "max", "isinstance")):
                return False
        elif isinstance(part, (*KEPT, gast.IfExp, gast.NamedExpr, gast.Await, gast.Starred)):
            return False
    return True


def read_names(node: gast.AST) -> set[str]:
    """Names that a node reads from around it; what a lambda or comprehension binds is its own.

    >>> sorted(read_names(parse_expression("x[i] + f(y, [k for k in z])")))
    ['f', 'i', 'x', 'y', 'z']
    """
    found: set[str] = set()
    todo = [node]
    pop, push = todo.pop, todo.append
    parts_of, name_class, load_class = PARTS, gast.Name, gast.Load
    while todo:
        part = pop()
        kind = part.__class__
        if kind is name_class:
            if part.ctx.__class__ is load_class:
                found.add(part.id)
        elif kind in COMPREHENSIONS:
            # The first iterable is evaluated outside, all else inside.
            todo.append(part.generators[0].iter)
            inside: set[str] = set()
            bound: set[str] = set()
            for number, one in enumerate(part.generators):
                bound.update(bound_names(one.target))
                for inner in [*one.ifs, *([one.iter] if number else [])]:
                    inside |= read_names(inner)
            for field in ("elt", "key", "value"):
                if hasattr(part, field):
                    inside |= read_names(getattr(part, field))
            found |= inside - bound
        elif kind is gast.Lambda:
            todo += [d for d in (*part.args.defaults, *part.args.kw_defaults) if d is not None]
            found |= read_names(part.body) - set(parameter_names(part.args))
        else:
            for field in parts_of[kind]:
                value = part.__dict__.get(field)
                kind = value.__class__
                if kind is name_class:          # most of what there is
                    if value.ctx.__class__ is load_class:
                        found.add(value.id)
                elif kind is list:
                    todo += value
                elif parts_of[kind]:
                    push(value)
    return found


COMPREHENSIONS = frozenset({gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp})


def written_roots(node: gast.AST) -> list[str]:
    """The names whose memory changes when something is written into an expression.

    >>> written_roots(parse_expression("x[i].y")), written_roots(parse_expression("np.flip(x)[1:]"))
    (['x'], ['np', 'x'])
    """
    root = root_name(node)
    return [root] if root is not None else sorted(read_names(node))


def viewed_name(node: gast.expr) -> str:
    """The name that a view is a view of.

    >>> viewed_name(parse_expression("np.transpose(x)[1:].T"))
    'x'
    """
    if hasattr(node, "viewed"):
        return node.viewed
    while not isinstance(node, gast.Name):
        if isinstance(node, gast.Call):
            by_method = isinstance(node.func, gast.Attribute) and not (
                node.args and isinstance(node.args[0], gast.Name))
            node = node.func.value if by_method else node.args[0]
        else:
            node = node.value
    return node.id


_OPPOSITES = {gast.Is: gast.IsNot, gast.IsNot: gast.Is, gast.In: gast.NotIn, gast.NotIn: gast.In}


def negated(test: gast.expr) -> gast.expr:
    """`not test`, or what test negates.

    >>> from tangent_lite.emit import emit_expression
    >>> emit_expression(negated(parse_expression("x is None")))
    'x is not None'
    """
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        return test.operand
    if isinstance(test, gast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in _OPPOSITES:
        return gast.Compare(test.left, [_OPPOSITES[type(test.ops[0])]()], test.comparators)
    return gast.UnaryOp(gast.Not(), test)


def parameter_names(arguments: gast.arguments) -> list[str]:
    """Names of all parameters in the order of the signature."""
    found = [a.id for a in arguments.posonlyargs + arguments.args]
    if arguments.vararg:
        found.append(arguments.vararg.id)
    found += [a.id for a in arguments.kwonlyargs]
    if arguments.kwarg:
        found.append(arguments.kwarg.id)
    return found


def all_names(tree: gast.AST) -> set[str]:
    """Every identifier that occurs in a tree, read or bound."""
    found: set[str] = set()
    todo: list[Any] = [tree]
    pop, push = todo.pop, todo.append
    parts_of = PARTS
    while todo:
        node = pop()
        kind, values = node.__class__, node.__dict__
        if kind is gast.Name:
            found.add(values["id"])
        elif kind in _NAMING:
            value = values.get(_NAMING[kind])
            if value.__class__ is list:
                found.update(value)
            elif value:
                found.add(value)
        for field in parts_of[kind]:
            value = values.get(field)
            kind = value.__class__
            if kind is list:
                todo += [part for part in value if part.__class__ in NODES]
            elif kind is gast.Name and value.annotation is None:    # most of what there is
                found.add(value.id)
            elif parts_of[kind]:
                push(value)
    return found


# Where identifiers stand in nodes that are no names; those in patterns are plain text.
_NAMING = {gast.FunctionDef: "name", gast.ClassDef: "name", gast.Global: "names",
           gast.Nonlocal: "names", gast.MatchAs: "name", gast.MatchStar: "name",
           gast.MatchMapping: "rest"}


def blocks_of(node: gast.AST) -> Iterator[list[gast.stmt]]:
    """The statement lists directly inside a compound statement."""
    if node.__class__ in _SIMPLE:
        return
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if isinstance(block, list) and block and isinstance(block[0], gast.stmt):
            yield block
    for handler in getattr(node, "handlers", ()):
        yield handler.body


_SIMPLE = frozenset(kind for kind in NODES if not {
    "body", "orelse", "finalbody", "handlers"}.intersection(getattr(kind, "_fields", ())))


def all_blocks(tree: gast.AST) -> list[list[gast.stmt]]:
    """All statement lists of a function, at any depth."""
    return blocks_in(tree.body)


def spot_in(tree: gast.AST, node: gast.stmt) -> tuple[list[gast.stmt], int]:
    """The block of a tree that a statement stands in, and its number there."""
    return next((block, number) for block in all_blocks(tree)
                for number, one in enumerate(block) if one is node)


def place_in(block: list[gast.stmt], node: gast.stmt) -> int:
    """The number of a statement in its block; equal ones are others."""
    return next(number for number, one in enumerate(block) if one is node)


def blocks_in(block: list[gast.stmt]) -> list[list[gast.stmt]]:
    """A statement list and all that stand in it, at any depth."""
    found, todo = [], [block]
    while todo:
        block = todo.pop()
        found.append(block)
        for node in block:
            if node.__class__ not in _SIMPLE:
                todo += blocks_of(node)
    return found


def same(a: Any, b: Any) -> bool:
    """Whether two nodes are the same code (positions aside)."""
    todo = [(a, b)]
    while todo:
        a, b = todo.pop()
        if type(a) is not type(b):
            return False
        if isinstance(a, gast.AST):
            if isinstance(a, (gast.Load, gast.Store, gast.Param)):
                continue
            todo.extend((getattr(a, f, None), getattr(b, f, None))
                        for f in a._fields if f not in ("ctx", "kind", "type_comment"))
        elif isinstance(a, list):
            if len(a) != len(b):
                return False
            todo.extend(zip(a, b))
        elif a != b or (isinstance(a, float) and repr(a) != repr(b)):
            return False
    return True


def key(node: Any) -> Any:
    """What is equal for nodes that are the same code (positions aside), to look them up by."""
    if node.__class__ is gast.Name:
        return gast.Name, node.id
    if isinstance(node, gast.AST):
        return (node.__class__, *[key(getattr(node, f, None)) for f in node._fields
                                  if f not in _NO_CODE])
    if isinstance(node, list):
        return tuple(map(key, node))
    return (node.__class__, node if node.__class__ is str else repr(node))      # 0.0 and -0.0


_NO_CODE = ("ctx", "kind", "type_comment", "annotation")


class Substitute(Transformer):
    """Replace names that are read by expressions (each use gets a copy of its own)."""

    def __init__(self, values: dict[str, gast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: gast.Name) -> gast.expr:
        if isinstance(node.ctx, gast.Load) and node.id in self.values:
            return copy(self.values[node.id])
        return node


def substitute(node: Any, values: dict[str, gast.expr]) -> Any:
    """A copy of node with names replaced by expressions."""
    return Substitute(values).visit(copy(node))


class Rename(Transformer):
    """Rename variables, read or bound, in place."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: gast.Name) -> gast.Name:
        node.id = self.names.get(node.id, node.id)
        return node
