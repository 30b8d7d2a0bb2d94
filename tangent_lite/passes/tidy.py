"""Make the emitted passes read as if written by hand: drop what is dead, fold what is used once.

    sin_y = np.sin(y)               t = x * np.sin(y)
    t = x * sin_y            =>
    unused = t + 1.0

Dead code is found by marking from what is returned, so that variables that only feed themselves go
too. A temporary that is used once moves into the expression that uses it, if nothing in between
changes what it reads. The names of the user, and the adjoints of them, stay.
"""
from __future__ import annotations

from collections import ChainMap
from typing import Any

import gast

from tangent_lite import kinds, registry, syntax
from tangent_lite.inference import NO_OBJECT
from tangent_lite.liveness import definitions
from tangent_lite.algebra import algebra
from tangent_lite.syntax import is_comment, read_names

COMPOUND = (gast.If, gast.For, gast.While)
TOO_LONG = 60           # nodes of an expression that a reader still takes in


def tidy(forward: list[gast.stmt], backward: list[gast.stmt], tail: list[gast.stmt],
         parameters: list[str], user_names: set[str], context: Any, external: dict[str, Any],
         middle: gast.stmt | None = None) -> list[gast.stmt]:
    """The two passes as one body, tidied, with their headings."""
    body = syntax.copy(forward) + ([middle] if middle is not None else [syntax.comment("Backward")])
    body += syntax.copy(backward) + tail
    body = [n for n in body if not (isinstance(n, gast.Pass))]
    split = middle if middle is not None else body[len(forward_kept(forward))]
    _Dead(context, external).sweep(body)
    adjoints = {b: v for v, b in context.adjoints.items()}
    for _ in range(2):
        folder = _Folder(parameters, user_names, adjoints, context, split)
        folder.aliases(body)
        folder.fold(body)
        _simplify(body, context)
        _drop_nothings(body)
        _Dead(context, external).sweep(body)
    _coalesce(body, parameters, context.versions, adjoints)
    _drop_nothings(body)
    _drop_comments(body)
    at = next(i for i, n in enumerate(body) if n is split)
    first, second = body[:at], body[at + 1:]
    out: list[gast.stmt] = []
    if first:
        out += [syntax.comment("Forward pass"), *first]
    if middle is not None:
        return [*out, middle, *second]
    if first:
        out.append(syntax.blank())
    return [*out, syntax.comment("Backward pass"), *second]


def forward_kept(forward: list[gast.stmt]) -> list[gast.stmt]:
    return [n for n in forward if not isinstance(n, gast.Pass)]


# Dead code ------------------------------------------------------------------------------------
class _Dead:
    def __init__(self, context: Any, external: dict[str, Any]) -> None:
        self.context, self.external = context, external

    def sweep(self, body: list[gast.stmt]) -> None:
        """Keep what the results need, and what has effects of its own."""
        feeds: dict[str, list[gast.stmt]] = {}
        parents: dict[int, gast.stmt] = {}
        todo: list[gast.stmt] = []
        stack: list[tuple[gast.stmt, gast.stmt | None]] = [(n, None) for n in body]
        breaks: list[gast.stmt] = []
        while stack:
            node, parent = stack.pop()
            if parent is not None:
                parents[id(node)] = parent
            if isinstance(node, COMPOUND):
                stack += [(n, node) for n in node.body + node.orelse]
                if isinstance(node, gast.For):
                    for name in syntax.bound_names(node.target):
                        feeds.setdefault(self.of(name), []).append(node)
                continue
            if isinstance(node, gast.Break):
                breaks.append(node)
                continue
            for name in self.changes(node):
                feeds.setdefault(self.of(name), []).append(node)
            if self.has_effect(node):
                todo.append(node)
        kept: set[int] = set()
        needed: set[str] = set()
        while todo:
            node = todo.pop()
            if id(node) in kept:
                continue
            kept.add(id(node))
            parent = parents.get(id(node))
            if parent is not None and id(parent) not in kept:
                todo.append(parent)
            if isinstance(node, gast.For):
                reads = read_names(node.iter)
            elif isinstance(node, (gast.If, gast.While)):
                reads = read_names(node.test)
            else:
                reads = read_names(node)
                if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
                    reads.add(node.target.id)
            if isinstance(node, (gast.For, gast.While)):
                todo += [b for b in breaks if self.loop_of(b, parents) is node]
            for name in reads:
                name = self.of(name)
                if name not in needed:
                    needed.add(name)
                    todo += feeds.get(name, ())
        self.remove(body, kept)

    def loop_of(self, node: gast.stmt, parents: dict[int, gast.stmt]) -> gast.stmt | None:
        found = parents.get(id(node))
        while found is not None and not isinstance(found, (gast.For, gast.While)):
            found = parents.get(id(found))
        return found

    def of(self, name: str) -> str:
        """Names that share a written buffer count as one, and so do their shadows."""
        aliases = self.context.aliases
        if aliases.is_written(name):
            return aliases.find(name)
        variable = self.owner.get(name)
        if variable is not None and aliases.is_written(variable):
            return f"shadow of {aliases.find(variable)}"
        return name

    @property
    def owner(self) -> dict[str, str]:
        if "_owner" not in self.__dict__:
            self._owner = {b: v for v, b in self.context.adjoints.items()}
        return self._owner

    def changes(self, node: gast.stmt) -> list[str]:
        """Names that a simple statement binds, writes into, or appends to."""
        found = definitions(node) if isinstance(node, (gast.Assign, gast.AugAssign)) else []
        if isinstance(node, (gast.Assign, gast.AugAssign)):
            target = node.targets[0] if isinstance(node, gast.Assign) else node.target
            if isinstance(target, (gast.Subscript, gast.Attribute)):
                found = [syntax.root_name(target) or ""]
        elif isinstance(node, gast.Expr) and isinstance(node.value, gast.Call):
            function = node.value.func
            if isinstance(function, gast.Attribute) and isinstance(function.value, gast.Name):
                found = [function.value.id]
            elif node.value.args and isinstance(node.value.args[0], gast.Name):
                found = [node.value.args[0].id]
        return found

    def has_effect(self, node: gast.stmt) -> bool:
        if is_comment(node) or isinstance(node, gast.Pass):
            return False
        if isinstance(node, (gast.Return, gast.Raise, gast.Assert)):
            return True
        if isinstance(node, gast.Expr):
            call = node.value
            if not isinstance(call, gast.Call):
                return False
            function = call.func
            if isinstance(function, gast.Attribute) and function.attr == "append" and \
                    isinstance(function.value, gast.Name):
                return False
            if isinstance(function, gast.Name) and function.id in self.external:
                return False
            return True
        if isinstance(node, gast.Assign):
            return any(self.may_act(c) for c in syntax.walk(node.value) if isinstance(c, gast.Call))
        return False

    def may_act(self, call: gast.Call) -> bool:
        """Whether a call may do more than return a value."""
        if isinstance(call.func, gast.Attribute) and call.func.attr in ("pop", "copy"):
            return False
        if isinstance(call.func, gast.Name) and call.func.id in self.external:
            return False
        names, self.context.typer.names = self.context.typer.names, self.context.facts.names
        function, _ = self.context.typer.callee(call)
        self.context.typer.names = names
        if function is NO_OBJECT:
            return True
        entry = registry.lookup(function)
        return entry is None or not entry.pure

    def remove(self, block: list[gast.stmt], kept: set[int]) -> None:
        out = []
        for node in block:
            if isinstance(node, COMPOUND):
                self.remove(node.body, kept)
                self.remove(node.orelse, kept)
                real = [n for n in node.body if not is_comment(n)]
                rest = [n for n in node.orelse if not is_comment(n)]
                if not real and not rest and id(node) not in kept:
                    continue
                if not rest:
                    node.orelse = []
                if not real:
                    if isinstance(node, gast.If):
                        node.test = _negated(node.test)
                        node.body, node.orelse = node.orelse, []
                    else:
                        node.body.append(gast.Pass())
                out.append(node)
            elif id(node) in kept or is_comment(node):
                out.append(node)
        block[:] = out


def _negated(test: gast.expr) -> gast.expr:
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        return test.operand
    return gast.UnaryOp(gast.Not(), test)


# Folding --------------------------------------------------------------------------------------
class _Folder:
    def __init__(self, parameters: list[str], user_names: set[str], adjoints: dict[str, str],
                 context: Any, split: gast.stmt) -> None:
        self.parameters, self.user_names = parameters, user_names
        self.adjoints, self.context, self.split = adjoints, context, split
        self.mentions: dict[str, list[tuple[int, str, gast.stmt]]] = {}

    def is_temporary(self, name: str) -> bool:
        """Whether a name is ours: no variable of the user, no adjoint of one."""
        if name in self.parameters:
            return False
        variable = self.adjoints.get(name)
        if variable is not None:
            return self.is_temporary(variable)
        return name not in self.user_names and name not in self.context.versions

    def fold(self, body: list[gast.stmt]) -> None:
        """Fold the temporaries of a body, inner blocks first."""
        self.note(body, 0)
        self.block(body)

    def aliases(self, body: list[gast.stmt]) -> None:
        """`bt = by` for a temporary t: by is used itself, if neither changes any more."""
        changed: dict[str, int] = {}
        order: dict[str, int] = {}
        spots: list[tuple[gast.stmt, list[gast.stmt]]] = []
        todo = [(n, body) for n in reversed(body)]
        number = 0
        while todo:
            node, block = todo.pop()
            number += 1
            spots.append((node, block))
            if isinstance(node, COMPOUND):
                if isinstance(node, gast.For):
                    for name in syntax.bound_names(node.target):
                        changed[name] = changed.get(name, 0) + 2
                todo += [(n, node.orelse) for n in reversed(node.orelse)]
                todo += [(n, node.body) for n in reversed(node.body)]
                continue
            names = definitions(node) if isinstance(node, (gast.Assign, gast.AugAssign)) else []
            target = node.targets[0] if isinstance(node, gast.Assign) else \
                getattr(node, "target", None)
            if isinstance(target, gast.Subscript):
                names = [syntax.root_name(target) or ""] * 2
            if isinstance(node, gast.AugAssign):
                names = names * 2
            if isinstance(node, gast.Expr) and isinstance(node.value, gast.Call):
                names = [n for n in read_names(node.value)] * 2
            for name in names:
                changed[name] = changed.get(name, 0) + 1
                order.setdefault(name, number)
        renamed: dict[str, gast.expr] = {}
        gone: dict[int, tuple[list[gast.stmt], set[int]]] = {}
        for node, block in spots:
            if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name) \
                    or not isinstance(node.value, gast.Name) or hasattr(node, "lineno"):
                continue
            name, value = node.targets[0].id, node.value.id
            value = renamed[value].id if value in renamed else value
            if self.is_temporary(name) and changed.get(name) == 1 and (
                    changed.get(value, 0) == 0 or (changed.get(value) == 1
                                                   and value in self.adjoints)):
                renamed[name] = syntax.load(value)
                gone.setdefault(id(block), (block, set()))[1].add(id(node))
        for block, ids in gone.values():
            block[:] = [n for n in block if id(n) not in ids]
        if renamed:
            swap = syntax.Substitute(renamed)
            for number, node in enumerate(body):
                body[number] = swap.visit(node)

    def note(self, block: list[gast.stmt], number: int) -> None:
        """Note in program order where names are read and bound."""
        for node in block:
            if isinstance(node, gast.For):
                self.read(read_all(node.iter), block, node)
                self.bind(syntax.bound_names(node.target), block, node)
            elif isinstance(node, (gast.If, gast.While)):
                self.read(read_all(node.test), block, node)
            if isinstance(node, COMPOUND):
                self.note(node.body, number)
                self.note(node.orelse, number)
                if isinstance(node, gast.While):
                    self.read(read_all(node.test), block, node)
                continue
            self.read(read_all(node), block, node)
            if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
                self.read([node.target.id], block, node)
            self.bind(definitions(node), block, node)

    def read(self, names: list[str], block: list[gast.stmt], node: gast.stmt) -> None:
        for name in names:
            self.mentions.setdefault(name, []).append((id(block), "read", node))

    def bind(self, names: list[str], block: list[gast.stmt], node: gast.stmt) -> None:
        for name in names:
            self.mentions.setdefault(name, []).append((id(block), "bind", node))

    def block(self, block: list[gast.stmt]) -> None:
        for node in block:
            if isinstance(node, COMPOUND):
                self.block(node.body)
                self.block(node.orelse)
        place = {id(n): i for i, n in enumerate(block)}
        split = place.get(id(self.split), 0)
        gone: set[int] = set()
        for number, node in enumerate(block):
            if not isinstance(node, gast.Assign) or not isinstance(node.targets[0], gast.Name):
                continue
            name = node.targets[0].id
            use = self.single_use(name, node, block)
            if use is None or id(use) not in place or not self.is_temporary(name):
                continue
            target = place[id(use)]
            if target <= number or self.crosses(block, number, target, use):
                continue
            if not self.may_move(node, block[number + 1:target], gone, use):
                continue
            if number >= split and not self.short_enough(node, use):
                continue                    # before the split it is as the user wrote it
            self.put(name, node.value, use)
            gone.add(id(node))
        block[:] = [n for n in block if id(n) not in gone]

    def single_use(self, name: str, node: gast.stmt, block: list[gast.stmt]) -> gast.stmt | None:
        """The one statement that reads what a statement binds, if there is one."""
        entries = self.mentions.get(name, [])
        spots = [i for i, e in enumerate(entries) if e[2] is node and e[1] == "bind"]
        if len(spots) != 1:
            return None
        spot = spots[0]
        if name in self.adjoints and (len(entries) != 2):
            return None
        if any(e[0] == id(block) and e[1] == "read" for e in entries[:spot]) and \
                entries[0][1] == "read":
            return None
        if len(entries) <= spot + 1:
            return None
        where, what, use = entries[spot + 1]
        if what != "read" or where != id(block):
            return None
        # Whoever reads the name later must have bound it anew, in its own block.
        anew: set[int] = set()
        for block_number, kind, _ in entries[spot + 2:]:
            if kind == "bind":
                anew.add(block_number)
            elif block_number not in anew:
                return None
        if isinstance(use, gast.While) or use is node:
            return None
        return use

    def crosses(self, block: list[gast.stmt], start: int, end: int, use: gast.stmt) -> bool:
        """Whether a comment, so another statement of the user, or the split lies between."""
        return any(n is self.split or is_comment(n) for n in block[start + 1:end]) \
            and not self.is_alias(block[start])

    def is_alias(self, node: gast.Assign) -> bool:
        return False

    def may_move(self, node: gast.Assign, between: list[gast.stmt], gone: set[int],
                 use: gast.stmt) -> bool:
        reads = read_names(node.value)
        contents = any(isinstance(n, (gast.Subscript, gast.Call)) for n in syntax.walk(node.value)) \
            or not reads
        if any(isinstance(n, gast.Call) and isinstance(n.func, gast.Attribute)
               and n.func.attr in ("pop", "append") for n in syntax.walk(node.value)):
            return False
        if isinstance(node.value, (gast.Call,)) and self.context and self.unknown(node.value):
            return False
        for other in between:
            if id(other) in gone:
                continue
            if isinstance(other, COMPOUND):
                return False
            changed = set(definitions(other)) if isinstance(other, (gast.Assign, gast.AugAssign)) \
                else set()
            target = other.targets[0] if isinstance(other, gast.Assign) else \
                getattr(other, "target", None)
            writes = isinstance(target, (gast.Subscript, gast.Attribute)) or isinstance(
                other, gast.Expr) and not is_comment(other) and not _is_record(other) \
                or isinstance(other, gast.AugAssign)
            if changed & reads:
                return False
            if writes and (contents or self.arrays(reads)):
                return False
        # In the statement itself, what it writes into must not be read again after the write.
        return True

    def arrays(self, names: set[str]) -> bool:
        facts = self.context.facts.names
        return any(not isinstance(facts.get(self.adjoints.get(n, n), kinds.UNKNOWN), kinds.Number)
                   for n in names)

    def unknown(self, call: gast.Call) -> bool:
        """A call of something without a rule may act: it stays where it is."""
        if isinstance(call.func, gast.Name) and call.func.id.endswith(("_fwd", "_bwd")):
            return True
        return False

    def short_enough(self, node: gast.Assign, use: gast.stmt) -> bool:
        total = sum(1 for _ in syntax.walk(node.value)) + sum(1 for _ in syntax.walk(use))
        return total <= TOO_LONG

    def put(self, name: str, value: gast.expr, use: gast.stmt) -> None:
        replaced = syntax.Substitute({name: value})
        if isinstance(use, gast.For):
            use.iter = replaced.visit(use.iter)
        elif isinstance(use, gast.If):
            use.test = replaced.visit(use.test)
        else:
            replaced.visit(use)
        # What the moved expression reads is now read there.
        for entries in (self.mentions.get(n, ()) for n in read_all(value)):
            for spot, (where, what, node) in enumerate(entries):
                if what == "read" and isinstance(node, gast.Assign) \
                        and isinstance(node.targets[0], gast.Name) and node.targets[0].id == name:
                    entries[spot] = (where, what, use)


def _is_record(node: gast.stmt) -> bool:
    """`x_tape.append(x)`: what is put on our tapes changes nothing else."""
    return isinstance(node, gast.Expr) and isinstance(node.value, gast.Call) \
        and isinstance(node.value.func, gast.Attribute) and node.value.func.attr == "append" \
        and isinstance(node.value.func.value, gast.Name) \
        and node.value.func.value.id.endswith("_tape") and not hasattr(node, "lineno")


def read_all(node: gast.AST) -> list[str]:
    """Names read by a node, each as often as it stands there."""
    return [n.id for n in syntax.walk(node) if isinstance(n, gast.Name)
            and isinstance(n.ctx, gast.Load)]


# The rest -------------------------------------------------------------------------------------
def _simplify(block: list[gast.stmt], context: Any) -> None:
    for node in block:
        if isinstance(node, COMPOUND):
            _simplify(node.body, context)
            _simplify(node.orelse, context)
        elif isinstance(node, (gast.Assign, gast.AugAssign)) and not getattr(node, "lineno", None):
            node.value = algebra(node.value)
            _spread(node, context)
            if isinstance(node, gast.AugAssign) and isinstance(node.op, (gast.Add, gast.Sub)):
                _sign(node)


def _spread(node: gast.Assign | gast.AugAssign, context: Any) -> None:
    """`unreduce(s, y) * a` is `s * a` where a has the shape of y: NumPy spreads s itself."""
    typer = context.typer
    typer.names = ChainMap(context.facts.names, context.adjoint_kinds)
    if isinstance(node, gast.AugAssign) and _is_spread(node.value, typer):
        node.value = node.value.args[0]
        return
    for part in syntax.walk(node.value):
        if not isinstance(part, gast.BinOp) or not isinstance(part.op, (gast.Mult, gast.Div,
                                                                        gast.Add, gast.Sub)):
            continue
        for side, other in (("left", "right"), ("right", "left")):
            spread = getattr(part, side)
            parents: list[tuple[Any, str]] = [(part, side)]
            while isinstance(spread, gast.BinOp) and isinstance(spread.op, (gast.Mult, gast.Div)):
                left = _has_spread(spread.left, typer)
                parents.append((spread, "left" if left else "right"))
                spread = spread.left if left else spread.right
            if not _is_spread(spread, typer):
                continue
            like = typer.kind(spread.args[1])
            if kinds.same_shape(typer.kind(getattr(part, other)), like) and \
                    not _is_spread(getattr(part, other), typer):
                setattr(*parents[-1], spread.args[0])


def _has_spread(node: gast.expr, typer: Any) -> bool:
    return any(_is_spread(n, typer) for n in syntax.walk(node))


def _is_spread(node: gast.expr, typer: Any) -> bool:
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Name) \
        and node.func.id == "unreduce" and len(node.args) == 2 and not node.keywords \
        and isinstance(typer.kind(node.args[0]), kinds.Number)


def _sign(node: gast.AugAssign) -> None:
    """`b += -a * c` is written `b -= a * c`."""
    spine, parent = node.value, None
    while isinstance(spine, gast.BinOp) and isinstance(spine.op, (gast.Mult, gast.Div, gast.MatMult)):
        parent, spine = spine, spine.left
    if parent is not None and isinstance(spine, gast.Constant) \
            and isinstance(parent.right, gast.UnaryOp) and isinstance(parent.right.op, gast.USub):
        parent.right = parent.right.operand             # 0.5 * -b
        node.op = gast.Sub() if isinstance(node.op, gast.Add) else gast.Add()
        return
    if isinstance(spine, gast.UnaryOp) and isinstance(spine.op, gast.USub) \
            and not (parent is None and isinstance(spine.operand, gast.Constant)):
        if parent is None:
            node.value = spine.operand
        else:
            parent.left = spine.operand
        node.op = gast.Sub() if isinstance(node.op, gast.Add) else gast.Add()


def _drop_nothings(block: list[gast.stmt]) -> None:
    """`x = x` says nothing."""
    for node in block:
        if isinstance(node, COMPOUND):
            _drop_nothings(node.body)
            _drop_nothings(node.orelse)
            if not node.body:
                node.body.append(gast.Pass())
    block[:] = [n for n in block if not (
        isinstance(n, gast.Assign) and isinstance(n.targets[0], gast.Name)
        and isinstance(n.value, gast.Name) and n.value.id == n.targets[0].id)]


def _coalesce(body: list[gast.stmt], parameters: list[str], versions: dict[str, str],
              adjoints: dict[str, str]) -> None:
    """A later version takes the user's name back where the earlier one is not needed any more.

    `u_1 = u.copy()` is written `u = u.copy()`, and `bu = bu_1` at the end goes.
    """
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for number, node in enumerate(body):
        for part in syntax.walk(node):
            if isinstance(part, gast.Name):
                first.setdefault(part.id, number)
                last[part.id] = number
    for name in parameters:
        first[name] = -1
        last.setdefault(name, -1)
    bound = {n.id for node in body for n in syntax.walk(node)
             if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)}
    of = {v: b for b, v in adjoints.items()}
    taken = set(first)
    renamed: dict[str, str] = {}
    for name in sorted(taken, key=lambda n: (first[n], n)):
        adjoint = name in adjoints
        variable = versions.get(adjoints[name]) if adjoint else versions.get(name)
        base = of.get(variable) if adjoint else variable
        if base is None or base == name or name not in bound or base not in taken \
                or (base not in bound and base not in parameters):
            continue
        before, after = (name, base) if adjoint else (base, name)
        if last[before] > first[after]:
            continue
        if last[before] == first[after] and not _hands_over(body[first[after]], before, after):
            continue
        renamed[name] = base
        first[base] = min(first[base], first[name])
        last[base] = max(last[base], last[name])
    if renamed:
        swap = syntax.Rename(renamed)
        for number, node in enumerate(body):
            body[number] = swap.visit(node)


def _hands_over(node: gast.stmt, before: str, after: str) -> bool:
    """Whether a statement reads one name and binds the other, and no more."""
    return isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
        and node.targets[0].id == after and after not in read_names(node.value)


def _drop_comments(block: list[gast.stmt]) -> None:
    """A comment with nothing under it goes."""
    out: list[gast.stmt] = []
    for node in block:
        if isinstance(node, COMPOUND):
            _drop_comments(node.body)
            _drop_comments(node.orelse)
        out.append(node)
    kept: list[gast.stmt] = []
    for number, node in enumerate(out):
        following = out[number + 1] if number + 1 < len(out) else None
        if is_comment(node) and node.value.value != "# Backward" and (
                following is None or is_comment(following) or isinstance(following, gast.Return)):
            continue
        kept.append(node)
    block[:] = kept
