"""Expressions: each operation becomes a call of the tape, and leaves its mirror image behind."""
from __future__ import annotations

import functools
from collections.abc import Callable

import gast

from tangent_lite import syntax
from tangent_lite.analyses.short_forms import may_rebind
from tangent_lite.heap.local_classes import is_class
from tangent_lite.heap.mirroring import Mirroring
from tangent_lite.heap.scopes import never_varies

BINARY = {gast.Add: "add", gast.Sub: "sub", gast.Mult: "mul", gast.Div: "truediv",
           gast.FloorDiv: "floordiv", gast.Mod: "mod", gast.Pow: "pow", gast.MatMult: "matmul",
           gast.BitAnd: "and_", gast.BitOr: "or_", gast.BitXor: "xor", gast.LShift: "lshift",
           gast.RShift: "rshift"}
_COMPARED = {gast.Lt: "lt", gast.LtE: "le", gast.Gt: "gt", gast.GtE: "ge", gast.Eq: "eq",
             gast.NotEq: "ne", gast.In: "in", gast.NotIn: "not in", gast.Is: "is",
             gast.IsNot: "is not"}
_UNARY = {gast.USub: "neg", gast.UAdd: "pos", gast.Invert: "invert"}


class Expressions(Mirroring):
    """Writes expressions into the forward pass, and their mirror images into the backward pass.

    An expression becomes an *atom*: a name, a constant, or what has no derivative and is at hand.
    """

    def value(self, node: gast.expr, target: str | None = None) -> gast.expr:
        """An atom for the value of an expression; target: the name that it is to be bound to."""
        if isinstance(node, gast.Name) and not self.careful:
            return node
        if self.is_plain(node):
            return node
        method = getattr(self, f"_{type(node).__name__}", None)
        if method is None:
            raise self.refuse(node, f"{type(node).__name__} cannot be followed here",
                              "write it in simpler terms")
        return method(node, target)

    def is_plain(self, node: gast.expr) -> bool:
        """Whether an expression has no derivative, and may stand as it is."""
        if isinstance(node, gast.Constant):
            return True
        if isinstance(node, gast.Name) and node.id in self.ours:
            return node.id in self.inactive
        if self.kept(node):
            return True
        if isinstance(node, gast.Name):
            return node.id in self.inactive and not self.careful
        if isinstance(node, (gast.BinOp, gast.UnaryOp, gast.Compare, gast.BoolOp)):
            return never_varies(node, self.inactive, self.is_builtin) and all(
                isinstance(c, (gast.operator, gast.unaryop, gast.cmpop, gast.boolop))
                or self.is_plain(c) for c in gast.iter_child_nodes(node))
        return False

    def _Name(self, node: gast.Name, target: str | None) -> gast.expr:
        name = self.temporary(node.id, node.id in self.inactive)
        self.write(syntax.assign(name, node))
        self.renamed(name, node)
        return syntax.load(name)

    def _BinOp(self, node: gast.BinOp, target: str | None) -> gast.expr:
        left, right = self.value(node.left), self.value(node.right)
        return self.operation(self.of_tape(BINARY[type(node.op)], left, right), [left, right],
                              "t", target)

    def _UnaryOp(self, node: gast.UnaryOp, target: str | None) -> gast.expr:
        operand = self.value(node.operand)
        if isinstance(node.op, gast.Not):
            if self.is_truth(node.operand):
                return gast.UnaryOp(gast.Not(), operand)
            return self.operation(self.of_tape("not_", operand), [], "cond", target, True)
        return self.operation(self.of_tape(_UNARY[type(node.op)], operand), [operand], "t", target)

    def is_truth(self, node: gast.expr) -> bool:
        """Whether Python itself knows if the value counts as true."""
        return isinstance(node, gast.Compare) or self.is_plain(node) or (
            isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not)) or (
            isinstance(node, gast.Call) and isinstance(node.func, gast.Name)
            and node.func.id in ("isinstance", "len", "any", "all", "callable", "hasattr")
            and self.is_builtin(node.func.id))

    def test(self, node: gast.expr) -> gast.expr:
        """An atom for whether a value counts as true."""
        atom = self.value(node)
        if self.is_truth(node) or isinstance(node, gast.BoolOp):
            return atom
        return self.operation(self.of_tape("truth", atom), [], "cond", None, True)

    def _Compare(self, node: gast.Compare, target: str | None) -> gast.expr:
        parts = [node.left, *node.comparators]
        if len(parts) > 2 and not all(self.is_plain(p) or isinstance(p, gast.Name)
                                      for p in parts[2:]):
            # What comes later is looked at only where what came before holds.
            middle = [self.value(parts[0]), self.value(parts[1])]
            rest = gast.copy_location(gast.Compare(middle[1], node.ops[1:], parts[2:]), node)
            both = gast.BoolOp(gast.And(), [
                gast.copy_location(gast.Compare(middle[0], node.ops[:1], [middle[1]]), node), rest])
            return self.value(gast.copy_location(both, node), target)
        atoms = [self.value(part) for part in parts]
        name = target if target is not None and target in self.inactive \
            else self.temporary("cond", True)
        if all(self.is_plain(a) for a in atoms) or all(
                _asks_for_constant(op, a, b) for op, a, b in zip(node.ops, atoms, atoms[1:])):
            self.write(syntax.assign(name, gast.Compare(atoms[0], node.ops, atoms[1:])))
            return syntax.load(name)
        self._compared(name, atoms, node.ops)
        return syntax.load(name)

    def _compared(self, name: str, atoms: list[gast.expr], operators: list[gast.cmpop]) -> None:
        """name = a < b < c, where what `<` means may be written in Python."""
        if _asks_for_constant(operators[0], *atoms[:2]):
            self.write(syntax.assign(name, gast.Compare(atoms[0], operators[:1], atoms[1:2])))
        else:
            kind = syntax.constant(_COMPARED[type(operators[0])])
            self.operation(self.of_tape("compare", kind, *atoms[:2]), [], "cond", name, True)
        if len(operators) > 1:
            test = self.operation(self.of_tape("truth", syntax.load(name)), [], "cond", None, True)
            self.choose(test, lambda: self._compared(name, atoms[1:], operators[1:]), lambda: None)

    def _BoolOp(self, node: gast.BoolOp, target: str | None) -> gast.expr:
        inactive = never_varies(node, self.inactive, self.is_builtin)
        name = self.temporary("cond" if inactive else "t", inactive)
        self.bind(name, node.values[0])
        for value in node.values[1:]:
            test: gast.expr = syntax.load(name)
            if not inactive:
                test = self.operation(self.of_tape("truth", test), [], "cond", None, True)
            if isinstance(node.op, gast.Or):
                test = gast.UnaryOp(gast.Not(), test)
            self.choose(test, functools.partial(self.bind, name, value), lambda: None)
        return syntax.load(name)

    def _IfExp(self, node: gast.IfExp, target: str | None) -> gast.expr:
        test = self.test(node.test)
        name = target if target is not None else self.temporary(
            "t", never_varies(node, self.inactive, self.is_builtin))
        used = name if target is None or target not in syntax.read_names(node) \
            else self.temporary(name)
        self.choose(test, lambda: self.bind(used, node.body), lambda: self.bind(used, node.orelse))
        return syntax.load(used)

    def bind(self, name: str, node: gast.expr) -> None:
        """name = node"""
        atom = self.value(node, name)
        if isinstance(atom, gast.Name) and atom.id == name:
            return
        self.write(syntax.assign(name, atom))
        self.renamed(name, atom)

    def choose(self, test: gast.expr, body: Callable[[], None],
               orelse: Callable[[], None]) -> None:
        """An if, and its mirror image, which takes the way that was taken."""
        first, first_back = self.block(body)
        second, second_back = self.block(orelse)
        leaves = [_never_ends(block) for block in (first, second)]
        if (first_back or second_back) and not any(leaves):
            for block, which in ((first, True), (second, False)):
                self.noted(block, which)
            taken = self.of_tape("branched")
            if first_back:
                mirror = gast.If(taken, first_back, second_back)
            else:
                mirror = gast.If(gast.UnaryOp(gast.Not(), taken), second_back, [])
            back: list[gast.stmt] = [mirror]
        else:
            back = second_back if leaves[0] else first_back
        if first or second:
            if not first:
                test, first, second = syntax.negated(test), second, []
            self.write(gast.If(test, first, second))
        self.mirrored(back)

    def noted(self, block: list[gast.stmt], which: bool) -> None:
        """Note at each end of a block that it was taken: also where a break leaves it."""
        last = block[-1] if block else None
        if isinstance(last, gast.If) and _leaves(last):
            self.noted(last.body, which)
            self.noted(last.orelse, which)
        elif not isinstance(last, gast.Raise):
            note = syntax.statement(self.of_tape("branch", syntax.constant(which)))
            note.written_as = self.origin
            block.insert(len(block) - isinstance(last, gast.Break), note)

    def _Attribute(self, node: gast.Attribute, target: str | None) -> gast.expr:
        atom = self.value(node.value)
        wish = node.attr if node.attr != "value" or not isinstance(atom, gast.Name) else atom.id
        return self.operation(self.of_tape("attribute", atom, syntax.constant(node.attr)), [atom],
                              wish.lstrip("_") or "t", target)

    def index(self, node: gast.expr) -> gast.expr:
        """An index, its parts atoms."""
        if isinstance(node, gast.Slice):
            parts = [None if p is None else self.value(p) for p in (node.lower, node.upper,
                                                                    node.step)]
            return gast.Slice(*parts)
        if isinstance(node, gast.Tuple):
            if any(isinstance(e, gast.Starred) for e in node.elts):
                return self.value(node)
            return syntax.tuple_of([self.index(e) for e in node.elts])
        return self.value(node)

    def subscripted(self, node: gast.Subscript) -> gast.expr:
        """What is subscripted, as an atom; `x.flat` is what `tape.flat` makes of it."""
        if not isinstance(node.value, gast.Attribute) or node.value.attr != "flat":
            return self.value(node.value)
        atom = self.value(node.value.value)
        return self.operation(self.of_tape("flat", atom), [atom], "flat", None)

    def _Subscript(self, node: gast.Subscript, target: str | None) -> gast.expr:
        if isinstance(node.value, gast.Attribute) and node.value.attr in ("r_", "c_"):
            # np.r_[x, y] is a call of a method: what it is given may vary.
            key = node.slice if not isinstance(node.slice, (gast.Tuple, gast.Slice)) \
                else syntax.tuple_of(syntax.key_parts(node.slice))
            return self._Call(gast.copy_location(gast.Call(gast.Attribute(
                node.value, "__getitem__", gast.Load()), [key], []), node), target)
        atom = self.subscripted(node)
        index = self.index(node.slice)
        wish = f"{atom.id}_part" if isinstance(atom, gast.Name) else "part"
        return self.operation(syntax.subscript(self.of_tape("item", atom), index), [atom], wish,
                              target)

    # Displays ---------------------------------------------------------------------------------
    def parts(self, elements: list[gast.expr], later: list[gast.keyword] | None = None) \
            -> tuple[list[gast.expr], list[gast.expr]]:
        """The arguments that stand for parts, some starred; and the operands that they are. later:
        what is evaluated behind them."""
        given, operands = [], []
        for number, element in enumerate(elements):
            if isinstance(element, gast.Starred):
                atom = self.value(element.value)
                if not all(isinstance(n, (gast.Name, gast.Constant))
                           for n in [*elements[number + 1:], *(k.value for k in later or ())]) \
                        and self.has_adjoint(atom):
                    # What is gone through may change what is evaluated after it.
                    atom = self.operation(self.of_tape("gone_through", atom), [atom], "items", None)
                given.append(self.of_tape("star", atom))
            else:
                atom = self.value(element)
                given.append(atom)
            operands.append(atom)
        return given, operands

    def _Tuple(self, node: gast.Tuple, target: str | None) -> gast.expr:
        given, operands = self.parts(node.elts)
        if all(g is o and not self.has_adjoint(o) for g, o in zip(given, operands)) \
                and target is None:
            return syntax.tuple_of(given)
        return self.operation(self.of_tape("tuple", *given), operands, "pair", target)

    def _List(self, node: gast.List, target: str | None) -> gast.expr:
        given, operands = self.parts(node.elts)
        return self.operation(self.of_tape("list", *given), operands, "items", target)

    def _Set(self, node: gast.Set, target: str | None) -> gast.expr:
        given, operands = self.parts(node.elts)
        return self.operation(self.of_tape("set", *given), operands, "items", target)

    def _Dict(self, node: gast.Dict, target: str | None) -> gast.expr:
        given, operands = [], []
        for key, value in zip(node.keys, node.values):
            if key is None:
                atom = self.value(value)
                given.append(self.of_tape("stars", atom))
                operands.append(atom)
            else:
                atoms = [self.value(key), self.value(value)]
                given += atoms
                operands += atoms
        return self.operation(self.of_tape("dict", *given), operands, "d", target)

    def _JoinedStr(self, node: gast.JoinedStr, target: str | None) -> gast.expr:
        made = syntax.copy(node)
        varies = self._shown(made)
        name = self.temporary("text", True)
        self.write(syntax.assign(name, self.of_tape("text", made) if varies else made))
        return syntax.load(name)

    def _shown(self, node: gast.JoinedStr) -> bool:
        """Let the tape write what stands in an f-string; whether any of it may vary."""
        varies = False
        for part in node.values:
            if not isinstance(part, gast.FormattedValue):
                continue
            part.value = self.value(part.value)
            if part.format_spec is not None:
                varies = self._shown(part.format_spec) or varies
            if self.has_adjoint(part.value):
                varies = True
                how = [part.format_spec] if part.format_spec is not None else []
                part.value = self.operation(self.of_tape(
                    "show", part.value, syntax.constant(part.conversion), *how), [], "shown",
                    None, True)
                part.conversion, part.format_spec = -1, None
        return varies

    # Calls ------------------------------------------------------------------------------------
    def _Call(self, node: gast.Call, target: str | None) -> gast.expr:
        if hasattr(node, "marker"):
            asked = "is_sequence" if node.marker.kind == "is a sequence" else "is_mapping"
            cond = self.temporary("cond", True)
            self.write(syntax.assign(cond, self.of_tape(asked, self.value(node.args[0]))))
            return syntax.load(cond)
        if is_class(node):
            atoms = [self.value(a) for a in node.args]
            return self.operation(self.of_tape("new_class", *atoms), [], "made", target)
        special = self._special(node, target)
        if special is not None:
            return special
        call, operands = self.call(node)
        name = node.func.attr if isinstance(node.func, gast.Attribute) else \
            node.func.id if isinstance(node.func, gast.Name) else "t"
        inactive = target is None and never_varies(node, self.inactive, self.is_builtin)
        return self.operation(call, operands, name.strip("_").lower() or "t", target, inactive)

    def call(self, node: gast.Call) -> tuple[gast.expr, list[gast.expr]]:
        """The call of the tape that a call becomes, and its operands."""
        operands: list[gast.expr] = []
        if isinstance(node.func, gast.Attribute) and not self.kept(node.func) \
                and not self.is_bound_late(node):
            owner = self.value(node.func.value)
            operands.append(owner)
            head, first = "method", [owner, syntax.constant(node.func.attr)]
        else:
            function = self.value(node.func)
            head = "generator" if hasattr(node, "stands_for_generator") else "call"
            first = [function]
            if self.has_adjoint(function):
                head = "apply"
                operands.append(function)
        given, found = self.parts(node.args, node.keywords)
        operands += found
        keywords: list[gast.keyword] = []
        named: list[gast.expr] = []
        for keyword in node.keywords:
            atom = self.value(keyword.value)
            if keyword.arg is None:
                behind = [syntax.constant(len(keywords))] if keywords else []
                given.append(self.of_tape("stars", atom, *behind))
                operands.append(atom)
            else:
                keywords.append(gast.keyword(keyword.arg, atom))
                named.append(atom)
        call = self.of_tape(head, *first, *given)
        call.keywords += keywords
        return call, operands + named

    def is_bound_late(self, node: gast.Call) -> bool:
        """Whether a variable that is called may be bound anew by what stands in its arguments:
        `k(h())`. Python reads it first, and a method is looked up when its arguments are known."""
        return isinstance(node.func, gast.Attribute) and self.is_cell(node.func.value) \
            and any(may_rebind(a) for a in (*node.args, *(k.value for k in node.keywords)))

    def _special(self, node: gast.Call, target: str | None) -> gast.expr | None:
        """super(), and any and all over what is computed one by one."""
        if not isinstance(node.func, gast.Name) or not self.is_builtin(node.func.id):
            return None
        if node.func.id == "super" and not node.args:
            name = self.temporary("parent")
            self.write(syntax.assign(name, syntax.call(
                syntax.load("super"), syntax.load("__class__"), self.first_parameter())))
            self.renamed(name, syntax.constant(None))
            return syntax.load(name)
        if node.func.id in ("any", "all") and len(node.args) == 1 \
                and isinstance(node.args[0], gast.GeneratorExp) \
                and len(node.args[0].generators) == 1:
            return self._any(node.args[0], node.func.id == "any")
        return None

    def _any(self, node: gast.GeneratorExp, wanted: bool) -> gast.expr:
        raise NotImplementedError           # see Comprehensions

    def first_parameter(self) -> gast.expr:
        if self.first in self.cells:
            return syntax.attribute(syntax.load(self.first), "value")
        return syntax.load(self.first)


def _asks_for_constant(operator: gast.cmpop, a: gast.expr, b: gast.expr) -> bool:
    """Whether `a is b` asks for None or the like."""
    return isinstance(operator, (gast.Is, gast.IsNot)) \
        and any(isinstance(one, gast.Constant) for one in (a, b))


def _leaves(node: gast.If) -> bool:
    """Whether an if ends with a break in one of its branches."""
    return any(block and (isinstance(block[-1], gast.Break) or (
        isinstance(block[-1], gast.If) and _leaves(block[-1])))
        for block in (node.body, node.orelse))


def _never_ends(block: list[gast.stmt]) -> bool:
    return bool(block) and isinstance(block[-1], gast.Raise)
