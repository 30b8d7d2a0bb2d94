"""Make `with` and `try` of the marks that stand for them: what `enclose` did, undone.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.passes.enclose import enclose
>>> tree = gast.parse('''
... def f(x):
...     with lock:
...         try:
...             y = math.sqrt(x)
...         except ValueError:
...             y = 0.0
...     return y
... ''').body[0]
>>> tree = enclose(tree)
>>> tree.body.append(gast.parse("seen.append(succeeded)").body[0])     # the backward pass asks
>>> tree.body = unclose(tree.body)
>>> print(emit(tree), end="")
def f(x):
    with lock:
        try:
            y = math.sqrt(x)
            succeeded = True
        except ValueError:
            succeeded = False
            y = 0.0
    return y
    seen.append(succeeded)

Which way a try went is noted only if somebody asks. What a body that was left halfway had put on
tapes is taken off again in front of a handler.
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.markers import Marker, has_marks, marker_of, way_of
from tangent_lite.names import Names
from tangent_lite.syntax import assign, call, is_comment, load, read_names


def unclose(body: list[gast.stmt], names: Names | None = None) -> list[gast.stmt]:
    """The body of a function with blocks in the place of marks; `names` are those taken."""
    if not has_marks(body):
        return body
    taken = {name for node in body for name in syntax.all_names(node)}
    writer = _Unclose(names or Names(taken))
    out = writer.block(body)
    asked = {name for node in out for name in read_names(node)}
    return _without(out, {id(note) for note in writer.notes if note.targets[0].id not in asked})


class _Unclose:
    def __init__(self, names: Names) -> None:
        self.names = names
        self.notes: list[gast.Assign] = []          # of the way taken

    def block(self, block: list[gast.stmt]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        number = -1
        while number + 1 < len(block):
            number += 1
            node = block[number]
            marker = marker_of(node)
            if marker is None:
                self.inside(node)
                out.append(node)
            elif marker.kind == "enter":
                end = _find(block, number, "exit", marker.region)
                out += self.context(node, self.block(block[number + 1:end]))
                number = end
            elif marker.kind == "begin":
                middle = _find(block, number, "finally", marker.region)
                end = _find(block, middle, "end", marker.region)
                out += _finally(self.block(block[number + 1:middle]),
                                self.block(block[middle + 1:end]))
                number = end
            elif marker.kind == "try":
                ends = [k for k in range(number + 1, len(block))
                        if way_of(block[k]) == (marker.region, None)]
                if not ends:                        # nothing in it can fail
                    out += self.note(node.targets[0].id, marker, 0)
                    continue
                end = ends[0]
                out += block[number + 1:end]
                out += self.attempt(node, marker, block[end])
                number = end
            elif marker.kind == "caught":
                out.append(node)
        return out

    def inside(self, node: gast.stmt) -> None:
        for field in ("body", "orelse"):
            inner = getattr(node, field, None)
            if inner:
                setattr(node, field, self.block(inner) or [gast.Pass()])

    def context(self, node: gast.stmt, inner: list[gast.stmt]) -> list[gast.stmt]:
        entered: Any = node.value
        mirror = not hasattr(node, "lineno")        # written by the backward pass
        if mirror and all(map(is_comment, inner)):
            return []
        target = node.targets[0] if isinstance(node, gast.Assign) else None
        items = [gast.withitem(entered.args[0], target)]
        real = [n for n in inner if not is_comment(n)]
        if len(real) == len(inner) == 1 and isinstance(real[0], gast.With):
            items += real[0].items
            inner = real[0].body
        return [gast.With(items, inner or [gast.Pass()], None)]

    def attempt(self, start: gast.Assign, marker: Marker, branch: gast.If) -> list[gast.stmt]:
        flag = start.targets[0].id
        whole = _way([branch], marker.region, 0)
        at = _find(whole, -1, "else", marker.region)
        body, orelse = self.block(whole[:at]), self.block(whole[at + 1:])
        if all(map(_is_nothing, body)):
            return [*body, *orelse, *self.note(flag, marker, 0)]
        first, cut = self.cut(branch, body)
        handlers = []
        for number in range(1, marker.handlers + 1):
            block = self.block(_way([branch], marker.region, number))
            name = None
            for node in block:
                caught = marker_of(node)
                if caught is not None and caught.kind == "caught":
                    name = node.targets[0]
            block = [n for n in block if marker_of(n) is None]
            if not (block and isinstance(block[-1], gast.Raise)):
                block[:0] = [*syntax.copy(cut), *self.note(flag, marker, number)]
            kind: Any = start.value.args[number - 1]
            if isinstance(kind, gast.Constant):
                kind = None                         # `except:`
            handlers.append(gast.ExceptHandler(kind, name, block or [gast.Pass()]))
        last = orelse if orelse else body
        if not isinstance(last[-1], gast.Raise):
            last += self.note(flag, marker, 0)
        return [*first, gast.Try(body, handlers, orelse, [])]

    def note(self, flag: str, marker: Marker, way: int) -> list[gast.stmt]:
        """`succeeded = True`, or the number of the handler."""
        value = way == 0 if marker.handlers == 1 else way
        made = assign(flag, gast.Constant(value, None))
        self.notes.append(made)
        return [made]

    def cut(self, branch: gast.If, body: list[gast.stmt]) -> tuple[list[gast.stmt],
                                                                   list[gast.stmt]]:
        """The lengths of the tapes before a try, and how its handlers shorten them to that."""
        first: list[gast.stmt] = []
        cut: list[gast.stmt] = []
        end = len(body)
        while end and (_appended(body[end - 1]) or _is_nothing(body[end - 1])):
            end -= 1                                # behind all that can fail
        grown = {_appended(n) for one in body[:end] for n in syntax.walk(one)}
        for tape in getattr(branch, "tapes", ()):
            if tape in grown:
                length = self.names.fresh(f"{tape}_length")
                first.append(assign(length, call(load("len"), load(tape))))
                rest = gast.Slice(load(length), None, None)
                cut.append(gast.Delete([syntax.subscript(load(tape), rest, gast.Del())]))
        return first, cut


def _find(block: list[gast.stmt], start: int, kind: str, region: int) -> int:
    """Where a mark stands behind a place; the end of the block if it does not."""
    for number in range(start + 1, len(block)):
        marker = marker_of(block[number])
        if marker is not None and (marker.kind, marker.region) == (kind, region):
            return number
    return len(block)


def _finally(inner: list[gast.stmt], last: list[gast.stmt]) -> list[gast.stmt]:
    if all(map(_is_nothing, inner)) or all(map(_is_nothing, last)):
        return inner + last                         # nothing to be sure of
    at = next((k for k, n in enumerate(inner) if isinstance(n, gast.Try)), None)
    if at == len(inner) - 1 and not inner[at].finalbody and not any(
            hasattr(n, "lineno") for n in inner[:at]):
        inner[at].finalbody = last
        return inner
    return [gast.Try(inner, [], [], last)]


def _way(block: list[gast.stmt], region: int, way: int) -> list[gast.stmt]:
    """What of a block runs on one way out of a try: 0 is its body, others are its handlers."""
    out: list[gast.stmt] = []
    for node in block:
        found = way_of(node)
        if found is None or found[0] != region:
            out.append(node)
            continue
        taken = (found[1] or 0) == way
        if isinstance(node.test, gast.UnaryOp):
            taken = not taken
        out += _way(node.body if taken else node.orelse, region, way)
    return out


def _is_nothing(node: gast.stmt) -> bool:
    """Whether a statement cannot fail."""
    return isinstance(node, gast.Pass) or is_comment(node) or (
        isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name)
        and isinstance(node.value, gast.Constant))


def _appended(node: gast.AST) -> str | None:
    """The list that a statement appends to."""
    value = getattr(node, "value", None)
    if isinstance(node, gast.Expr) and isinstance(value, gast.Call) \
            and isinstance(value.func, gast.Attribute) and value.func.attr == "append" \
            and isinstance(value.func.value, gast.Name):
        return value.func.value.id
    return None


def _without(block: list[gast.stmt], gone: set[int]) -> list[gast.stmt]:
    """The block without some statements, in it and in the blocks in it."""
    out = [n for n in block if id(n) not in gone]
    for node in out:
        for inner in syntax.blocks_of(node):
            inner[:] = _without(inner, gone) or [gast.Pass()]
    return out
