"""Going through trees of gast nodes: the three loops that most passes spend their time in.

Which fields of a class may hold nodes is looked up in a table, so that what has no parts (names,
literals, operators) is not looked into.
"""
from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from typing import Any, ClassVar

import gast

LEAVES = (gast.expr_context, gast.operator, gast.unaryop, gast.boolop)
NODES = frozenset(c for c in vars(gast).values() if isinstance(c, type)
                   and issubclass(c, gast.AST) and not issubclass(c, LEAVES))


# Fields that hold no nodes, or nodes without parts that walks leave out.
_PLAIN = frozenset({"id", "ctx", "op", "attr", "arg", "kind", "type_comment", "level",
                    "module", "asname", "conversion", "is_async", "simple", "rest"})
# Attributes that passes give to nodes and that hold nodes: see `syntax.marks`.
_ADDED = {gast.AugAssign: ("repeats",), gast.Subscript: ("part_of",),
          gast.Attribute: ("part_of",), gast.Assign: ("casting",), gast.For: ("lazily",)}


class _Fields(dict):
    """For a class of nodes, the fields that may hold nodes; added: what passes add as well."""

    def __init__(self, added: bool) -> None:
        super().__init__()
        self.added = added

    def __missing__(self, kind: type) -> tuple[str, ...]:
        fields = tuple(f for f in getattr(kind, "_fields", ()) if f not in _PLAIN
                       and not (f == "value" and kind is gast.Constant))
        found = self[kind] = fields + (_ADDED.get(kind, ()) if self.added else ())
        return found


class Methods(dict):
    """For a class of nodes, the name of the method for its nodes."""

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self.prefix = prefix

    def __missing__(self, kind: type) -> str:
        found = self[kind] = sys.intern(self.prefix + kind.__name__)
        return found


PARTS = _Fields(added=True)
FIELDS = _Fields(added=False)
INNER = _Fields(added=True)                     # without the annotations of parameters,
INNER[gast.Name] = ()                           # so that a name is a leaf
_WITH_PARTS = frozenset(kind for kind in NODES if INNER[kind])


def made(kind: Any, *values: Any) -> Any:
    """A node with these fields, made without the constructors of gast, which take three times as
    long.

    >>> made(gast.UnaryOp, gast.USub(), gast.Constant(2.0, None)).operand.value
    2.0
    """
    node = kind.__new__(kind)
    node.__dict__ = dict(zip(kind._fields, values))
    return node


def copy_location(node: Any, place: Any) -> Any:
    """Let a statement or an expression stand where another one stands, if that stands anywhere."""
    given = place.__dict__
    if "lineno" in given:
        get = given.get
        node.__dict__.update(lineno=given["lineno"], col_offset=get("col_offset"),
                             end_lineno=get("end_lineno"), end_col_offset=get("end_col_offset"))
    return node


def walk(node: gast.AST) -> Iterator[gast.AST]:
    """The nodes of a tree, the node itself first; operators and contexts are left out.

    Several times faster than ast.walk, which most passes would spend their time in.
    """
    todo = [node]
    pop, push = todo.pop, todo.append
    parts_of, nodes = PARTS, NODES
    while todo:
        node = pop()
        yield node
        fields = parts_of[node.__class__]
        if fields:
            values = node.__dict__
            for field in fields:
                value = values.get(field)
                kind = value.__class__
                if kind is list:
                    for part in value:
                        if part.__class__ in nodes:
                            push(part)
                elif kind in nodes:
                    push(value)


def size(node: gast.AST) -> int:
    """How many nodes `walk` goes through."""
    count = 0
    todo: list[Any] = [node]
    pop, push = todo.pop, todo.append
    parts_of, nodes = PARTS, NODES
    while todo:
        node = pop()
        count += 1
        get = node.__dict__.get
        for field in parts_of[node.__class__]:
            value = get(field)
            kind = value.__class__
            if kind is list:
                todo += [part for part in value if part.__class__ in nodes]
            elif parts_of[kind]:
                push(value)
            elif kind in nodes:         # a literal
                count += 1
    return count


def all_nodes(*roots: Any) -> list[Any]:
    """All that stands in trees, of gast or of ast, in an order of its own: several times faster
    than ast.walk. Literals and contexts may be among it.

    >>> import ast
    >>> sorted(n.id for n in all_nodes(ast.parse("y = f(x)")) if isinstance(n, ast.Name))
    ['f', 'x', 'y']
    """
    found: list[Any] = []
    todo = [*roots]
    pop, push = todo.pop, todo.append
    parts_of = PARTS
    while todo:
        node = pop()
        found.append(node)
        for field in parts_of[node.__class__]:
            value = node.__dict__.get(field)
            if value.__class__ is list:
                todo += value
            elif value is not None:
                push(value)
    return found


def copy_of_ast(node: Any) -> Any:
    """A deep copy of a node of ast, or of a list of such, as `copy` makes of nodes of gast: what
    has no parts, as contexts and operators, is shared."""
    if node.__class__ is list:
        return [copy_of_ast(part) for part in node]
    kind = node.__class__
    if not isinstance(node, ast.AST) or not (PARTS[kind] or isinstance(node, (ast.expr, ast.stmt))):
        return node
    made = kind.__new__(kind)
    made.__dict__ = values = node.__dict__.copy()
    for field in PARTS[kind]:
        values[field] = copy_of_ast(values.get(field))
    return made


def names_in(*roots: gast.AST) -> list[gast.Name]:
    """The names that stand in trees, read or bound, one tree after the other, in each in the order
    of `walk`."""
    found: list[gast.Name] = []
    todo: list[Any] = [*reversed(roots)]
    pop, push = todo.pop, todo.append
    parts_of, name_class, binary = PARTS, gast.Name, gast.BinOp
    node: Any
    while todo:
        node = pop()
        kind = node.__class__
        while kind is binary and node.right.__class__ is name_class:    # as of most operations
            found.append(node.right)
            node = node.left
            kind = node.__class__
        if kind is name_class:
            found.append(node)
            continue
        fields = parts_of[kind]
        if fields:
            get = node.__dict__.get
            for field in fields:
                value = get(field)
                kind = value.__class__
                if kind is list:
                    todo += value
                elif parts_of[kind]:                # a name has parts as well
                    push(value)
    return found


def children(node: gast.AST) -> list[gast.AST]:
    """The nodes right below a node, as they stand in the text; without operators and contexts."""
    found: list[gast.AST] = []
    values = node.__dict__
    for field in FIELDS[node.__class__]:
        value = values.get(field)
        if value.__class__ is list:
            found += [part for part in value if part.__class__ in NODES]
        elif value.__class__ in NODES:
            found.append(value)
    return found


def copy(node: Any) -> Any:
    """A deep copy of a node or a list of nodes; attributes such as positions are kept.

    The stack is our own, so that an expression of a thousand operators does not hit the recursion
    limit.
    """
    if isinstance(node, list):
        return [copy(part) for part in node]
    if not isinstance(node, gast.AST):
        return node
    # Operators and contexts have no parts, so they are shared.
    kind = node.__class__
    root = kind.__new__(kind)
    root.__dict__ = values = node.__dict__.copy()
    if kind is gast.Name and node.annotation is None:
        return root
    todo = [(kind, values)]
    pop, push = todo.pop, todo.append
    parts_of, inner, nodes = PARTS, INNER, NODES
    while todo:
        kind, values = pop()            # of a copy, which holds the parts of the node as yet
        for field in parts_of[kind]:
            value = values.get(field)
            kind = value.__class__
            if kind in nodes:
                values[field] = made = kind.__new__(kind)
                made.__dict__ = own = value.__dict__.copy()
                if inner[kind] or own.get("annotation") is not None:
                    push((kind, own))
            elif kind is list:
                values[field] = parts = []
                for part in value:
                    kind = part.__class__
                    if kind in nodes:
                        made = kind.__new__(kind)
                        made.__dict__ = own = part.__dict__.copy()
                        if parts_of[kind]:
                            push((kind, own))
                        parts.append(made)
                    else:
                        parts.append(part)
    return root


def classes_in(*roots: gast.AST) -> set[type]:
    """The classes of the nodes of trees, but for operators and contexts."""
    found: set[type] = set()
    todo: list[Any] = [*roots]
    pop, push = todo.pop, todo.append
    parts_of, nodes = PARTS, NODES
    while todo:
        node = pop()
        kind = node.__class__
        found.add(kind)
        get = node.__dict__.get
        for field in parts_of[kind]:
            value = get(field)
            kind = value.__class__
            if kind is list:
                todo += [part for part in value if part.__class__ in nodes]
            elif parts_of[kind]:
                push(value)
            elif kind in nodes:
                found.add(kind)
    return found


def all_statements(node: gast.AST) -> list[Any]:
    """The statements in a tree, it itself included, in the order of `walk`; and the handlers and
    cases between them. What is in expressions is not looked at."""
    found: list[Any] = []
    todo = [node]
    while todo:
        node = todo.pop()
        found.append(node)
        for field in _BLOCKS[node.__class__]:
            todo += node.__dict__.get(field, ())
    return found


class _Blocks(dict):
    """For a class of nodes, the fields that hold statements, or what statements stand in."""

    def __missing__(self, kind: type) -> tuple[str, ...]:
        found = self[kind] = () if issubclass(kind, gast.expr) else tuple(
            f for f in ("body", "handlers", "orelse", "finalbody", "cases")
            if f in getattr(kind, "_fields", ()))
        return found


_BLOCKS = _Blocks()


class _AreStatements(dict):
    """Whether all nodes of some classes are statements."""

    def __missing__(self, kinds: tuple[type, ...]) -> bool:
        found = self[kinds] = all(issubclass(kind, gast.stmt) for kind in kinds)
        return found


_ARE_STATEMENTS = _AreStatements()


def all_of(node: gast.AST, *kinds: type) -> list[Any]:
    """The nodes of one class in a tree, or of several, in the order of `walk`: names and literals,
    of which most trees consist, are not looked at, nor expressions where statements are asked for.
    """
    if _ARE_STATEMENTS[kinds]:
        return [one for one in all_statements(node) if one.__class__ in kinds]
    found: list[Any] = []
    todo = [node]
    pop, push = todo.pop, todo.append
    inner, with_parts, binary = INNER, _WITH_PARTS, gast.BinOp
    while todo:
        node = pop()
        kind = node.__class__
        if kind in kinds:
            found.append(node)
        get = node.__dict__.get
        if kind is binary:                  # most of what is looked at
            left, right = get("left"), get("right")
            if left.__class__ in with_parts:
                push(left)
            if right.__class__ in with_parts:
                push(right)
            continue
        for field in inner[kind]:
            value = get(field)
            kind = value.__class__
            if kind is list:
                for part in value:
                    if part.__class__ in with_parts:
                        push(part)
            elif kind in with_parts:
                push(value)
    return found


_VISITS = Methods("visit_")
_UNKNOWN: Any = object()


class Transformer(gast.NodeTransformer):
    """A NodeTransformer that does not look at what has no parts, operators and contexts included:
    most of the nodes of a tree.

    Which method is for which class of nodes is found out once for each class of transformers.
    """

    _methods: ClassVar[dict[type, Any]] = {}    # by class of nodes; None: there is none
    _is_plain = True                    # whether nodes are visited as here

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._methods, cls._is_plain = {}, cls.visit is Transformer.visit

    def method_of(self, kind: type) -> Any:
        """The method for nodes of a class, of this class of transformers."""
        found = getattr(type(self), _VISITS[kind], None)
        if found is gast.NodeTransformer.visit_Constant:        # which does as generic_visit does
            found = None
        self._methods[kind] = found
        return found

    def visit(self, node: Any) -> Any:
        kind = node.__class__
        method = self._methods.get(kind, _UNKNOWN)
        if method is _UNKNOWN:
            method = self.method_of(kind)
        return self.generic_visit(node) if method is None else method(self, node)

    def generic_visit(self, node: Any) -> Any:
        values = node.__dict__
        methods = self._methods if self._is_plain else {}
        for field in FIELDS[node.__class__]:
            value = values.get(field)
            kind = value.__class__
            if kind in NODES:
                # Names and literals, most of what there is, stay if there is no method for them.
                if kind in _BARE and methods.get(kind, _UNKNOWN) is None \
                        and value.__dict__.get("annotation") is None:
                    continue
                made = self.visit(value)
                if made is None:
                    del values[field]
                else:
                    values[field] = made
            elif kind is list:
                out: list[Any] = []
                for part in value:
                    made = self.visit(part) if part.__class__ in NODES else part
                    if isinstance(made, list):
                        out += made
                    elif made is not None or part is None:
                        out.append(made)
                value[:] = out
        return node


_BARE = frozenset({gast.Name, gast.Constant})


class Rewriter(Transformer):
    """A Transformer that leaves the tree as it is, and gives a changed copy of it."""

    def generic_visit(self, node: Any) -> Any:
        kind = node.__class__
        made = kind.__new__(kind)
        made.__dict__ = values = node.__dict__.copy()
        for field in PARTS[kind]:
            value = values.get(field)
            kind = value.__class__
            if kind in NODES:
                values[field] = self.visit(value)
            elif kind is list:
                values[field] = [self.visit(part) if part.__class__ in NODES else part
                                 for part in value]
        return made
