"""The computation graph of a function: its operations in normal form, and what flows between them.

    x * y + np.sin(x)       x and y lead to `*`, x to `sin`, both to `+`, and that to the result

Loops and branches are frames with their heads on top. A variable that a loop carries has a box at
the loop's top, into which its last value leads back. A value that is used far below its place
stands there once more, so that no line runs through the whole picture.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.emit import emit_expression
from tangent_lite.markers import marker_of

FAR = 12            # boxes of one frame that a line may pass before its source stands there again

_SYMBOLS: dict[type, str] = {
    gast.Add: "+", gast.Sub: "-", gast.Mult: "*", gast.Div: "/", gast.FloorDiv: "//",
    gast.Mod: "%", gast.Pow: "**", gast.MatMult: "@", gast.LShift: "<<", gast.RShift: ">>",
    gast.BitAnd: "&", gast.BitOr: "|", gast.BitXor: "^", gast.USub: "-", gast.UAdd: "+",
    gast.Invert: "~", gast.Not: "not", gast.Lt: "<", gast.LtE: "<=", gast.Gt: ">", gast.GtE: ">=",
    gast.Eq: "==", gast.NotEq: "!=", gast.Is: "is", gast.IsNot: "is not", gast.In: "in",
    gast.NotIn: "not in", gast.And: "and", gast.Or: "or"}
_BUILT: dict[type, str] = {gast.Tuple: "tuple", gast.List: "list", gast.Dict: "dict",
                           gast.JoinedStr: "text", gast.Lambda: "lambda", gast.Set: "set"}
_CUT = (gast.Compare, gast.BoolOp)
_CUT_CALLS = {"len", "int", "range", "round", "bool", "floor", "ceil", "argmax", "argmin", "sign",
              "rint", "isinstance", "shape"}


@dataclass
class Node:
    """A box: an input, an operation, a constant, the head of a frame, a carried variable, the
    result, or a value that stands there again."""
    key: str
    kind: str
    label: str
    title: str
    name: str = ""              # the variable of the user that it is, where the label is another
    active: bool = False
    cuts: bool = False          # whether no derivative passes


@dataclass
class Group:
    """A frame: the function itself, a loop, or a way of a branch."""
    key: str
    children: list[Node | Group] = field(default_factory=list)


@dataclass
class Graph:
    """The boxes of a function, in nested frames, and the arrows between them."""
    root: Group
    nodes: dict[str, Node]
    edges: list[tuple[str, str]]


def graph_of(tree: gast.FunctionDef, users: frozenset[str] | set[str], wrt: set[str],
             head_of: Callable[[gast.stmt], str | None],
             differentiated: Callable[[gast.AST], bool | None] = lambda node: None) -> Graph:
    """The graph of a function in normal form.

    users: the names of variables that the user wrote; head_of: how the user wrote the head of a
    loop or branch; differentiated: whether the derivative passes an operation, None where that is
    not known.
    """
    builder = _Builder(users, head_of, differentiated)
    builder.function(tree)
    _mark(builder, wrt)
    return _tidied(builder)


Environment = dict[str, tuple[str, ...]]        # variable -> the boxes that its value may come from


class _Builder:
    def __init__(self, users: frozenset[str] | set[str],
                 head_of: Callable[[gast.stmt], str | None],
                 differentiated: Callable[[gast.AST], bool | None]) -> None:
        self.users, self.head_of, self.differentiated = users, head_of, differentiated
        self.nodes: dict[str, Node] = {}
        self.edges: dict[tuple[str, str], None] = {}
        self.group = Group("f0")
        self.root = self.group
        self.frames = 0
        self.inputs: dict[str, str] = {}
        self.mates: dict[str, list[str]] = {}       # names that may mean parts of one thing

    def node(self, kind: str, label: str, title: str, *sources: str, name: str = "",
             cuts: bool = False) -> str:
        key = f"b{len(self.nodes)}"
        self.nodes[key] = made = Node(key, kind, label, title, name, cuts=cuts)
        self.group.children.append(made)
        for source in sources:
            self.edges[source, key] = None
        return key

    def function(self, tree: gast.FunctionDef) -> None:
        known: Environment = {}
        for name in syntax.parameter_names(tree.args):
            self.inputs[name] = key = self.node("input", name, f"{name}: a parameter")
            known[name] = (key,)
        self.block(tree.body, known)

    def block(self, block: list[gast.stmt], known: Environment) -> None:
        for node in block:
            if isinstance(node, gast.If):
                self.branch(node, known)
            elif isinstance(node, (gast.For, gast.While)):
                self.loop(node, known)
            else:
                self.statement(node, known)

    def reads(self, node: Any, known: Environment) -> list[str]:
        """The boxes that an expression reads, in the order in which they are written."""
        names = [n.id for n in syntax.names_in(node) if n.id in known] if node is not None else []
        return list(dict.fromkeys(key for name in names for key in known[name]))

    def framed(self, head: str, title: str, block: list[gast.stmt], known: Environment,
               sources: list[str], before: Callable[[str], None] = lambda key: None) -> str:
        """A block in a frame of its own; the box of its head."""
        outer = self.group
        self.frames += 1
        self.group = Group(f"f{self.frames}")
        outer.children.append(self.group)
        key = self.node("head", _short(head, 48), title, *sources)
        before(key)
        self.block(block, known)
        self.group = outer
        return key

    def branch(self, node: gast.If, known: Environment) -> None:
        sources = self.reads(node.test, known)
        head = self.head_of(node)
        if head is None or not head.startswith(("if ", "elif ")):
            head = f"if {emit_expression(node.test)}" if marker_of(node) is None else "try"
        one, other = dict(known), dict(known)
        where = f"{head}{_line(node)}"
        if _says_something(node.body):
            self.framed(head, where, node.body, one, sources)
        if _says_something(node.orelse):
            self.framed(f"else of {head}" if not _says_something(node.body) else "else",
                        f"the other way of {where}", node.orelse, other, sources)
        for name in {**one, **other}:
            known[name] = tuple(dict.fromkeys(one.get(name, ()) + other.get(name, ())))

    def loop(self, node: gast.For | gast.While, known: Environment) -> None:
        bound = _bound(node.body)
        carried = [name for name in bound if name in known and name in _read_in(node)]
        is_for = isinstance(node, gast.For)
        head = self.head_of(node)
        if head is None or not head.startswith(("for ", "while ")):
            head = f"for {emit_expression(node.target)} in {emit_expression(node.iter)}" \
                if is_for else f"while {emit_expression(node.test)}"
        sources = self.reads(node.iter if is_for else node.test, known)
        inner = dict(known)
        tops: dict[str, str] = {}

        def before(key: str) -> None:
            if is_for:
                for name in syntax.bound_names(node.target):
                    inner[name] = (key,)
            for name in carried:
                tops[name] = self.node(
                    "carried", name, f"{name}, as the iteration begins{_line(node)}", *known[name])
                inner[name] = (tops[name],)
        self.framed(head, f"{head}{_line(node)}", node.body, inner, sources, before)
        for name, top in tops.items():
            for last in inner[name]:
                if last != top:
                    self.edges[last, top] = None
        known.update(inner)
        self.block(node.orelse, known)

    def statement(self, node: gast.stmt, known: Environment) -> None:
        value = getattr(node, "value", None)
        if isinstance(node, gast.Return):
            self.node("result", "result", f"what is returned{_line(node)}",
                      *self.reads(value, known))
        elif isinstance(node, gast.Assign):
            self.assign(node, node.targets[0], node.value, known)
        elif isinstance(node, gast.AugAssign):
            symbol = _SYMBOLS.get(type(node.op), "?") + "="
            sources = list(dict.fromkeys(self.reads(node.target, known)
                                         + self.reads(node.value, known)))
            target = node.target
            if not isinstance(target, gast.Name):
                symbol = f"{_place(target)} {symbol}"
            self.bind(syntax.root_name(target), self.operation(node, symbol, sources, node), known)
        elif isinstance(node, gast.Expr) and marker_of(node) is None \
                and not isinstance(value, gast.Constant):
            key = self.operation(node, _label(value), self.reads(value, known), value)
            function = getattr(value, "func", None)
            if isinstance(function, gast.Attribute):        # xs.append(v) changes xs
                root = syntax.root_name(function.value)
                if root in known:
                    self.bind(root, key, known)
        elif isinstance(node, gast.FunctionDef):
            self.bind(node.name, self.node("operation", f"def {node.name}",
                                           f"{node.name}: a function{_line(node)}",
                                           *self.reads(node, known)), known)
        elif isinstance(node, gast.Delete):
            for target in node.targets:
                if not isinstance(target, gast.Name):
                    self.bind(syntax.root_name(target), self.operation(
                        node, f"del {_place(target)}", self.reads(target, known), node), known)

    def assign(self, node: gast.Assign, target: gast.expr, value: gast.expr,
               known: Environment) -> None:
        sources = self.reads(value, known)
        if isinstance(target, gast.Name) and isinstance(value, gast.Name) and sources:
            known[target.id] = known[value.id]
            self.join(target.id, value)
            return
        if isinstance(target, (gast.Name, gast.Tuple, gast.List)):
            names = syntax.bound_names(target)
            name = ", ".join(n for n in names if n in self.users)
            if isinstance(value, gast.Constant):
                key = self.node("constant", _short(emit_expression(value)),
                                f"{emit_expression(target)} = {emit_expression(value)}"
                                f"{_line(node)}", name=name, cuts=True)
            else:
                key = self.operation(node, _label(value), sources, value, name)
            for one in names:
                known[one] = (key,)
                self.join(one, value)
            return
        sources = list(dict.fromkeys(self.reads(target, known) + sources))
        key = self.operation(node, f"{_place(target)} =", sources, value)
        self.bind(syntax.root_name(target), key, known)

    def operation(self, node: gast.stmt, label: str, sources: list[str], spot: Any,
                  name: str = "") -> str:
        passes = self.differentiated(spot)
        cuts = not passes if passes is not None else _cuts(spot)
        return self.node("operation", label, f"{_shown(node)}{_line(node)}", *sources, name=name,
                         cuts=cuts)

    def bind(self, name: str | None, key: str, known: Environment) -> None:
        """What is written into has another value from here on, under all its names."""
        for one in () if name is None else self.mates.get(name, [name]):
            if one == name or one in known:
                known[one] = (key,)

    def join(self, name: str, value: gast.expr) -> None:
        """Note that a name may mean what another one means, or a part of it."""
        for mates in self.mates.values():
            if name in mates and mates[0] != name:
                mates.remove(name)
        self.mates.pop(name, None)
        root = syntax.root_name(value) if isinstance(
            value, (gast.Name, gast.Subscript, gast.Attribute)) else None
        if root is not None and root != name:
            mates = self.mates.setdefault(root, [root])
            mates.append(name)
            self.mates[name] = mates


def _mark(builder: _Builder, wrt: set[str]) -> None:
    """Mark what lies on a way from what is asked for to the result."""
    down: dict[str, list[str]] = {}
    up: dict[str, list[str]] = {}
    for one, other in builder.edges:
        if builder.nodes[other].kind == "head":
            continue                            # what decides passes no derivative
        down.setdefault(one, []).append(other)
        up.setdefault(other, []).append(one)
    nodes = builder.nodes
    start = [key for name, key in builder.inputs.items() if name in wrt]
    ends = [key for key, node in nodes.items() if node.kind == "result"]
    for key in _reached(start, down, nodes) & _reached(ends, up, nodes):
        nodes[key].active = True


def _reached(start: list[str], ways: dict[str, list[str]], nodes: dict[str, Node]) -> set[str]:
    found, todo = set(start), list(start)
    while todo:
        for key in ways.get(todo.pop(), ()):
            if key not in found and not nodes[key].cuts:
                found.add(key)
                todo.append(key)
    return found


def _tidied(builder: _Builder) -> Graph:
    """The graph without constants that nothing reads, and with values again far below their places.
    """
    used = {one for one, _ in builder.edges}
    gone = {key for key, node in builder.nodes.items() if node.kind == "constant"
            and key not in used}
    nodes = {key: node for key, node in builder.nodes.items() if key not in gone}
    into: dict[str, list[str]] = {}
    for one, other in builder.edges:
        into.setdefault(other, []).append(one)
    order = {key: number for number, key in enumerate(nodes)}
    edges: list[tuple[str, str]] = []
    again: dict[tuple[str, str, int], str] = {}

    def copied(group: Group) -> Group:
        made = Group(group.key)
        number = 0
        for child in group.children:
            if isinstance(child, Group):
                made.children.append(copied(child))
                number += FAR // 2
                continue
            if child.key in gone:
                continue
            number += 1
            for source in into.get(child.key, ()):
                far = order[child.key] - order[source] > 2 * FAR
                if not far or child.kind in ("carried", "result", "head"):
                    edges.append((source, child.key))
                    continue
                spot = (source, group.key, number // FAR)
                if spot not in again:
                    node = nodes[source]
                    again[spot] = key = f"b{len(builder.nodes) + len(again)}"
                    ghost = Node(key, "again", node.name or node.label,
                                 f"{node.title}, from above", "", node.active)
                    nodes[key] = ghost
                    made.children.append(ghost)
                edges.append((again[spot], child.key))
            made.children.append(child)
        return made

    return Graph(copied(builder.root), nodes, edges)


# Texts --------------------------------------------------------------------------------------------
def _label(value: Any) -> str:
    """What an operation is called: as written, constants beside an operator with it."""
    if isinstance(value, gast.BinOp):
        symbol = _SYMBOLS.get(type(value.op), "?")
        left = f"{_short(emit_expression(value.left), 12)} " \
            if isinstance(value.left, gast.Constant) else ""
        right = f" {_short(emit_expression(value.right), 12)}" \
            if isinstance(value.right, gast.Constant) else ""
        return left + symbol + right
    if isinstance(value, gast.UnaryOp):
        return _SYMBOLS.get(type(value.op), "?")
    if isinstance(value, gast.Compare):
        return " ".join(_SYMBOLS.get(type(op), "?") for op in value.ops)
    if isinstance(value, gast.BoolOp):
        return _SYMBOLS.get(type(value.op), "?")
    if isinstance(value, gast.Call):
        function = value.func
        if isinstance(function, gast.Constant):
            return "try"
        return str(getattr(function, "attr", None) or getattr(function, "id", "call"))
    if isinstance(value, (gast.Subscript, gast.Attribute)):
        return _place(value)
    return _BUILT.get(type(value), _short(emit_expression(value)))


def _place(target: Any) -> str:
    """`[i, 0]` of x[i, 0], `.T` of x.T."""
    if isinstance(target, gast.Subscript):
        index = emit_expression(target.slice)
        if isinstance(target.slice, gast.Tuple):
            index = index.removeprefix("(").removesuffix(")")
        return f"[{_short(index)}]"
    return f".{target.attr}" if isinstance(target, gast.Attribute) else \
        _short(emit_expression(target))


def _shown(node: gast.stmt) -> str:
    value = getattr(node, "value", None)
    if isinstance(node, gast.Assign):
        return _short(f"{emit_expression(node.targets[0])} = {emit_expression(value)}", 90)
    if isinstance(node, gast.AugAssign):
        return _short(f"{emit_expression(node.target)} {_SYMBOLS.get(type(node.op), '?')}= "
                      f"{emit_expression(value)}", 90)
    return _short(emit_expression(value), 90) if value is not None else "del"


def _short(text: str, most: int = 18) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[:most - 1]}\N{HORIZONTAL ELLIPSIS}"


def _line(node: Any) -> str:
    line = getattr(node, "lineno", None)
    return f" (line {line})" if line else ""


# Facts that need no kinds ---------------------------------------------------------------------
def _cuts(node: Any) -> bool:
    if isinstance(node, _CUT) or (isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not)):
        return True
    if isinstance(node, gast.BinOp):
        return isinstance(node.op, gast.FloorDiv)
    if isinstance(node, gast.Attribute):
        return node.attr in ("shape", "ndim", "size", "dtype")
    return isinstance(node, gast.Call) and _label(node) in _CUT_CALLS


def _says_something(block: list[gast.stmt]) -> bool:
    return any(not isinstance(node, gast.Pass) for node in block)


def _bound(block: list[gast.stmt]) -> list[str]:
    """The names that a block binds or changes, in order."""
    found: dict[str, None] = {}
    for node in syntax.statements(block):
        for name in syntax.names_in(node):
            if not isinstance(name.ctx, gast.Load):
                found.setdefault(name.id)
        target = syntax.target_of(node)
        if target is None and isinstance(node, gast.Expr) and isinstance(
                getattr(node.value, "func", None), gast.Attribute):
            target = node.value.func.value
        root = syntax.root_name(target) if target is not None else None
        if root is not None:
            found.setdefault(root)
    return list(found)


def _read_in(node: gast.For | gast.While) -> set[str]:
    found = {n.id for one in node.body for n in syntax.names_in(one)
             if isinstance(n.ctx, gast.Load)}
    found |= {one.target.id for one in syntax.statements(node.body)
              if isinstance(one, gast.AugAssign) and isinstance(one.target, gast.Name)}
    return found | (syntax.read_names(node.test) if isinstance(node, gast.While) else set())
