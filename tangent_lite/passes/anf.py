"""One operation a statement, in the order in which Python evaluates them.

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(x, y):
...     return x * np.sin(y) + np.exp(-x * x)
... ''').body[0]
>>> print(emit(anf(tree)), end="")
def f(x, y):
    sin_y = np.sin(y)
    t = x * sin_y
    minus_x = -x
    t_1 = minus_x * x
    exp_t = np.exp(t_1)
    f_1 = t + exp_t
    return f_1

Grammar afterwards (atom: a name or a literal):

    statement  = name = operation | names = atom or call | name[index] = atom
               | name op= atom | name[index] op= atom | call | return atom
               | if test: ... else: ... | while test: ... | for name in range(atoms): ...
               | break | pass | assert | raise
    operation  = atom | atom op atom | op atom | path(arguments) | name[index] | atom.attribute
               | tuple, list or dict of arguments | anything that is not taken apart
    argument   = atom | tuple or list of arguments | index

Conditions, comparisons and indices stay whole where they are simple (names, literals, arithmetic,
attributes, subscripts): they have no derivative.
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.names import Names
from tangent_lite.syntax import KEPT, is_atom, is_simple, load

DISPLAYS = (gast.Tuple, gast.List, gast.Dict)
_MADE = (*syntax.COMPREHENSIONS, gast.Set)          # what may hold something that has an adjoint


def anf(tree: gast.FunctionDef, names: Names | None = None,
        variables: set[str] | frozenset[str] = frozenset(),
        in_place: bool = False) -> gast.FunctionDef:
    """Return a tree in A-normal form; `names` are those taken, variables: those bound around it;
    in_place: the tree may be changed."""
    tree = tree if in_place else syntax.copy(tree)
    writer = _Anf(names or Names(syntax.all_names(tree)), tree.name,
                  {n.id for n in syntax.names_in(tree)
                   if not isinstance(n.ctx, gast.Load)} | variables)
    tree.body = writer.block(tree.body)
    return tree


class _Anf:
    def __init__(self, names: Names, function: str, bound: set[str]) -> None:
        self.names, self.function, self.bound = names, function, bound
        self.out: list[gast.stmt] = []
        self.place: gast.AST = gast.Pass()

    # Statements -------------------------------------------------------------------------------
    def block(self, block: list[gast.stmt]) -> list[gast.stmt]:
        outer, self.out = self.out, []
        for node in block:
            self.place = node
            handler = getattr(self, "_" + type(node).__name__, None)
            made = handler(node) if handler else node
            if made is not None:
                self.out.append(made)
        out, self.out = self.out, outer
        return out

    def _Assign(self, node: gast.Assign) -> gast.stmt:
        target = node.targets[0]
        if isinstance(target, gast.Name):
            node.value = self.operation(node.value)
        elif isinstance(target, gast.Tuple):
            node.value = self.operation(node.value)
            if isinstance(node.value, (gast.Subscript, gast.Attribute, gast.BinOp, gast.UnaryOp)):
                node.value = self.named(None, node.value, node.value)
        else:
            node.value = self.atom(node.value, _element_hint(target))
            self.location(target)
        return node

    def _AugAssign(self, node: gast.AugAssign) -> gast.stmt:
        node.value = self.atom(node.value)
        self.location(node.target)
        return node

    def location(self, target: gast.expr) -> None:
        """A subscript or attribute that is written to: its owner a name, its index simple."""
        whole = target.value if isinstance(target, (gast.Subscript, gast.Attribute)) else None
        if isinstance(whole, (gast.Subscript, gast.Attribute)) and not self.is_path(whole):
            # `p["a"]["b"] = v`: what is changed has to be put back, if it is a new value then, and
            # so has what that is a part of.
            self.location(whole)
            target.part_of = syntax.copy(whole)
            if hasattr(whole, "part_of"):       # it is but read here
                del whole.part_of
        if isinstance(target, gast.Subscript):
            note_use(target.value, "write")
            target.value = self.owner(target.value)
            target.slice = self.index(target.slice)
        elif isinstance(target, gast.Attribute):
            target.value = self.owner(target.value)

    def _Expr(self, node: gast.Expr) -> gast.stmt | None:
        node.value = self.operation(node.value)
        if isinstance(node.value, gast.Call) and isinstance(node.value.func, gast.Attribute) \
                and node.value.func.attr == "pop" and isinstance(node.value.func.value, gast.Name):
            # What is thrown away may have a derivative, whose shape it tells.
            self.named("dropped", node.value, node.value)
            return None
        return None if is_atom(node.value) and not hasattr(node, "may_raise") else node

    def _Delete(self, node: gast.Delete) -> gast.stmt:
        self.location(node.targets[0])
        return node

    def _Return(self, node: gast.Return) -> gast.stmt:
        if isinstance(node.value, DISPLAYS):
            node.value = self.argument(node.value)
        elif not is_atom(node.value):
            self.named(self.function, self.operation(node.value), node.value)
            node.value = self.out[-1].targets[0]
            node.value = syntax.copy_location(load(node.value.id), node)
        return node

    def _If(self, node: gast.If) -> gast.stmt:
        node.test = self.test(node.test)
        place = self.place
        node.body, node.orelse = self.block(node.body), self.block(node.orelse)
        self.place = place
        return node

    def _While(self, node: gast.While) -> gast.stmt:
        # The condition is evaluated anew each time, as it stands: only its truth is used.
        place = self.place
        node.body = self.block(node.body)
        self.place = place
        return node

    def _For(self, node: gast.For) -> gast.stmt:
        node.iter.args = [a if is_simple(a) else self.atom(a) for a in node.iter.args]
        place = self.place
        node.body = self.block(node.body)
        self.place = place
        return node

    def _Assert(self, node: gast.Assert) -> gast.stmt:
        return node

    # Expressions ------------------------------------------------------------------------------
    def test(self, node: gast.expr) -> gast.expr:
        if is_simple(node):
            return node
        if isinstance(node, gast.BoolOp):
            return node
        return self.operation(node)

    def operation(self, node: gast.expr) -> gast.expr:
        """The expression with its operands made atoms; the last operation stays."""
        if is_atom(node) or isinstance(node, KEPT) or hasattr(node, "marker"):
            return node
        if isinstance(node, gast.BinOp):
            node.left = self.atom(node.left)
            node.right = self.atom(node.right)
        elif isinstance(node, gast.UnaryOp):
            if isinstance(node.op, gast.Not):
                node.operand = self.test(node.operand) if is_simple(node.operand) \
                    else self.atom(node.operand)
            else:
                node.operand = self.atom(node.operand)
        elif isinstance(node, gast.Call):
            self.callee(node)
            node.args = [self.argument(a) for a in node.args]
            if getattr(node.func, "attr", None) in ("append", "insert"):
                # What goes into a list has a name: its parts have adjoints there.
                node.args = [self.named("item", a, a) if isinstance(a, DISPLAYS) else a
                             for a in node.args]
            for keyword in node.keywords:
                keyword.value = self.part(keyword.value)
        elif isinstance(node, gast.Subscript) and hasattr(node, "picks_last"):
            return self.operation(node.value.elts[-1])
        elif isinstance(node, gast.Subscript):
            # What is called may give a slice; with a call, what is read may be several elements.
            note_use(node.value, "slice" if any(map(_means_slice, syntax.walk(node.slice)))
                     or syntax.all_of(node.slice, gast.Call) else "item")
            if getattr(node.value, "flat_use", None) == "item":
                node.slice = self.index(node.slice)
                node.value.flat_index = syntax.copy(node.slice)
            node.value = self.owner(node.value)
            node.slice = self.index(node.slice)
        elif isinstance(node, gast.Attribute):
            if not self.is_path(node):
                node.value = self.owner(node.value)
        elif isinstance(node, DISPLAYS):
            return self.argument(node)
        elif isinstance(node, gast.Compare):
            if not is_simple(node):
                node.left = self.operand(node.left)
                node.comparators = [self.operand(c) for c in node.comparators]
        elif isinstance(node, gast.Starred):
            node.value = self.spread(node.value)
        return node

    def spread(self, node: gast.expr) -> gast.expr:
        """What stands behind a star: a comprehension there is as good as a tuple, and a generator,
        which is used up at once, as a list."""
        if isinstance(node, gast.GeneratorExp):
            node = gast.copy_location(gast.ListComp(node.elt, node.generators), node)
        if isinstance(node, gast.ListComp):
            node.is_spread = True
        return self.atom(node)

    def operand(self, node: gast.expr) -> gast.expr:
        return node if is_simple(node) else self.atom(node)

    def callee(self, node: gast.Call) -> None:
        """`np.sin` stays; of `x.sum` and `layers[0].forward` the owner becomes a name."""
        func = node.func
        if isinstance(func, gast.Attribute) and not self.is_path(func):
            func.value = self.owner(func.value)
        elif not isinstance(func, (gast.Name, gast.Attribute)):
            node.func = self.atom(func)

    def is_path(self, node: gast.expr) -> bool:
        """A dotted path that starts at a name bound outside: np.linalg.norm."""
        while isinstance(node, gast.Attribute):
            node = node.value
        return isinstance(node, gast.Name) and node.id not in self.bound

    def argument(self, node: gast.expr) -> gast.expr:
        if isinstance(node, (gast.Tuple, gast.List)):
            node.elts = [self.part(e) for e in node.elts]
            return node
        if isinstance(node, gast.Dict):
            parts = []
            for key, value in zip(node.keys, node.values):
                key = key if key is None or isinstance(key, gast.Constant) else self.atom(key)
                parts.append((key, self.atom(value) if key is None else self.part(value)))
            parts = _without_repeats(parts)
            node.keys, node.values = [k for k, _ in parts], [v for _, v in parts]
            return node
        if isinstance(node, gast.Starred):
            node.value = self.spread(node.value)
            return node
        if isinstance(node, KEPT) or self.is_path(node):
            return node
        return self.atom(node)

    def part(self, node: gast.expr) -> gast.expr:
        """A part of something: what a comprehension makes, or a display of which the text does not
        say what it holds, has a name, and its adjoint there."""
        if isinstance(node, _MADE):
            return self.named(None, node, node)
        if isinstance(node, DISPLAYS) and not _shows_all(node):
            return self.named(None, self.argument(node), node)
        return self.argument(node)

    def index(self, node: gast.expr) -> gast.expr:
        """An index stays whole where it is simple, and reads no array that may be written to."""
        if is_simple(node) and not any(isinstance(n, (gast.Compare, gast.Subscript))
                                       for n in syntax.walk(node)):
            return node
        if isinstance(node, gast.Tuple):
            node.elts = [self.index(e) for e in node.elts]
            return node
        if isinstance(node, gast.Slice):
            for field in ("lower", "upper", "step"):
                if getattr(node, field) is not None:
                    setattr(node, field, self.index(getattr(node, field)))
            return node
        if _makes_text(node):
            return self.named("key", self.operation(node), node)
        return self.atom(node)

    def owner(self, node: gast.expr) -> gast.expr:
        """What is subscripted or asked for an attribute: a name, or a path from outside."""
        if isinstance(node, gast.Attribute) and (self.is_path(node) or node.attr == "shape"):
            if not self.is_path(node):
                node.value = self.owner(node.value)
            return node
        return self.atom(node)

    def atom(self, node: gast.expr, wish: str | None = None) -> gast.expr:
        """wish: the name to give it, if the operation gives none, and nothing has it."""
        if is_atom(node) or (isinstance(node, gast.Attribute) and self.is_path(node)):
            return node
        value = self.operation(node)
        if wish is not None and (wish in self.names or hint(value) != "t"):
            wish = None
        return self.named(wish, value, node)

    def named(self, wish: str | None, value: gast.expr, place: gast.expr) -> gast.expr:
        """Bind a value to a new name in front of the statement."""
        name = self.names.fresh(wish or hint(value))
        self.bound.add(name)
        statement = syntax.copy_location(syntax.assign(name, value), self.place)
        self.out.append(statement)
        if hasattr(place, "lineno"):
            syntax.copy_location(value, place)
        return syntax.copy_location(load(name), place if hasattr(place, "lineno") else self.place)


def note_use(node: gast.expr, use: str) -> None:
    """Let `x.flat` know what is done to it: "item" or "slice" is read, or it is written to."""
    if isinstance(node, gast.Attribute) and node.attr == "flat":
        node.flat_use = use


def _means_slice(node: gast.AST) -> bool:
    return isinstance(node, gast.Slice) or (isinstance(node, gast.Constant)
                                            and node.value is Ellipsis)


def _shows_all(node: gast.expr) -> bool:
    """Whether a display says of each part under which number or key it holds it."""
    if isinstance(node, gast.Dict):
        return all(isinstance(key, gast.Constant) for key in node.keys)
    return not any(isinstance(part, gast.Starred) for part in node.elts)


def _without_repeats(parts: list[tuple[Any, gast.expr]]) -> list[tuple[Any, gast.expr]]:
    """The items of a display of a dict, where a key that stands there again has its last value, at
    its first place. What a computed key or `**` puts between is left as it is."""
    out: list[tuple[Any, gast.expr]] = []
    places: dict[Any, int] = {}
    for key, value in parts:
        if not isinstance(key, gast.Constant):
            places.clear()
        elif key.value in places:
            first = places[key.value]
            out[first] = (out[first][0], value)
            continue
        else:
            places[key.value] = len(out)
        out.append((key, value))
    return out


def _element_hint(target: gast.expr) -> str | None:
    """A name for what an element is set to: `x_i`, of x[i]."""
    if not isinstance(target, gast.Subscript) or not isinstance(target.value, gast.Name):
        return None
    is_named = isinstance(target.slice, gast.Name) or (
        isinstance(target.slice, gast.Constant) and type(target.slice.value) is int)
    return hint(target) if is_named else None


def hint(node: gast.expr) -> str:
    """A name for the result of an operation, made from the operation.

    >>> [hint(syntax.parse_expression(text)) for text in ("np.sin(y)", "x @ W", "x ** 2")]
    ['sin_y', 'xW', 'x2']
    """
    if isinstance(node, gast.Call):
        function = node.func.attr if isinstance(node.func, gast.Attribute) else \
            getattr(node.func, "id", "t")
        owner = node.func.value.id if isinstance(node.func, gast.Attribute) and not node.args \
            and isinstance(node.func.value, gast.Name) else None
        argument = node.args[0].id if node.args and isinstance(node.args[0], gast.Name) else owner
        if argument and len(node.args) <= 1:
            return f"{function}_{_short(argument)}"
        return "t" if function in ("sum", "add") else function or "_1"
    if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Mult, gast.MatMult)) \
            and isinstance(node.left, gast.Name) and isinstance(node.right, gast.Name) \
            and _plain(node.left.id) and _plain(node.right.id) and "_" not in node.left.id:
        left, right = node.left.id, node.right.id
        return f"{left}2" if left == right else left + right
    if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Pow) \
            and isinstance(node.left, gast.Name) and _plain(node.left.id) \
            and not node.left.id[-1].isdigit() and isinstance(node.right, gast.Constant) \
            and type(node.right.value) is int and 1 < node.right.value < 10:
        return f"{node.left.id}{node.right.value}"
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub) \
            and isinstance(node.operand, gast.Name):
        return f"minus_{_short(node.operand.id)}"
    if isinstance(node, gast.Attribute) and isinstance(node.value, gast.Name):
        return f"{_short(node.value.id)}_{node.attr}"
    if isinstance(node, gast.Subscript):
        index = node.slice
        if isinstance(node.value, gast.Attribute) and node.value.attr == "shape":
            return "n"
        if isinstance(node.value, gast.Name):
            if isinstance(index, gast.Constant) and isinstance(index.value, str) \
                    and index.value.isidentifier():
                return index.value
            if isinstance(index, gast.Constant) and isinstance(index.value, int):
                return f"{_short(node.value.id)}_{index.value}"
            if isinstance(index, gast.Name):
                return f"{_short(node.value.id)}_{index.id}"
            return f"{_short(node.value.id)}_part"
    return "t"


def _makes_text(node: gast.expr) -> bool:
    """Whether an expression makes a text, as the text of the program shows."""
    if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Mod)):
        return any(_makes_text(part) or isinstance(getattr(part, "value", None), str)
                   for part in (node.left, node.right))
    return isinstance(node, gast.JoinedStr)


def _short(name: str) -> str:
    """Temporaries of temporaries are called by the first of them."""
    return "t" if _is_numbered(name) else name.split("_")[0] if name.count("_") > 1 else name


def _plain(name: str) -> bool:
    return len(name) <= 2 or (len(name) == 3 and name[-1].isdigit() and not _is_numbered(name))


def _is_numbered(name: str) -> bool:
    """Whether a name is that of a temporary, `t_3`, whose number is going to be another one."""
    return name.startswith("t_") and name[2:].isdigit()
