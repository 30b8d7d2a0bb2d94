"""An adjoint that becomes a multiple of itself is multiplied in place.

>>> from types import SimpleNamespace
>>> from tangent_lite.analyses.aliases import Aliases
>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import Array
>>> tree = gast.parse('''
... def f(bw, bx, w, x):
...     bw_part = bw.copy()
...     bw[...] = 0.0
...     bw += bw_part * x
...     bx += bw_part * w
... ''').body[0]
>>> for node in tree.body:
...     del node.lineno                                     # it is not the user's
>>> memory = SameMemory(tree.body, ["bw", "bx", "w", "x"], Typer({}, {}.get), dict.fromkeys(
...     ["bw", "bx", "w", "x", "bw_part"], Array(1, "float")))
>>> rescale(tree.body, {"bw": "w", "bx": "x"}, SimpleNamespace(aliases=Aliases()), memory)
>>> print(emit(tree), end="")
def f(bw, bx, w, x):
    bx += bw * w
    bw *= x

So it goes back through `w[...] = w * x`: nothing is copied, and nothing set to zero.
"""
from __future__ import annotations

from collections import Counter
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.derived import Derived
from tangent_lite.analyses.same_memory import SameMemory
from tangent_lite.syntax import COMPOUND, is_comment, read_names


def rescale(body: list[gast.stmt], adjoints: dict[str, str], context: Derived,
            memory: SameMemory) -> None:
    """Do so in a body, in place; adjoints: what each is the adjoint of; memory: which names may
    hold the same, and kinds."""
    if any(_is_moved_out(block, number, adjoints)
           for block in syntax.blocks_in(body) for number in range(len(block) - 2)):
        named = Counter([name.id for node in body for name in syntax.names_in(node)])
        _rescale(body, adjoints, context, memory, named)
        memory.forget()


def _is_moved_out(block: list[gast.stmt], number: int, adjoints: dict[str, str]) -> bool:
    """Whether a statement copies an adjoint that the next one sets to zero."""
    part, name = _copied(block[number], adjoints)
    return part is not None and _is_zeroed(block[number + 1], name)


def _rescale(block: list[gast.stmt], adjoints: dict[str, str], context: Derived, memory: SameMemory,
             named: Counter[str]) -> None:
    for node in block:
        if isinstance(node, COMPOUND):
            _rescale(node.body, adjoints, context, memory, named)
            _rescale(node.orelse, adjoints, context, memory, named)
    for number in range(len(block) - 3, -1, -1):
        if not _is_moved_out(block, number, adjoints):
            continue
        part, name = _copied(block[number], adjoints)
        last = _last_use(block, number + 2, part, named[part] - 1)
        if last is None:
            continue
        between = block[number + 2:last + 1]
        made = _as_product(between, part, name, adjoints, context, memory)
        if made is not None:
            block[number:last + 1] = made


def _copied(node: gast.stmt, adjoints: dict[str, str]) -> tuple[Any, str]:
    """(part, b) where a statement of ours is `part = b.copy()`, of all of an adjoint."""
    value = getattr(node, "value", None)
    if not isinstance(node, gast.Assign) or hasattr(node, "lineno") \
            or not isinstance(node.targets[0], gast.Name) or not isinstance(value, gast.Call) \
            or not isinstance(value.func, gast.Attribute) or value.func.attr != "copy" \
            or value.args or value.keywords:
        return None, ""
    name = _whole(value.func.value)
    return (node.targets[0].id, name) if name in adjoints else (None, "")


def _whole(node: gast.expr) -> str:
    """b, of `b`, `b[:]` or `b[...]`."""
    if isinstance(node, gast.Subscript) and syntax.means_all(node.slice):
        node = node.value
    return getattr(node, "id", "")


def _is_zeroed(node: gast.stmt, name: str) -> bool:
    return isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Subscript) \
        and _whole(node.targets[0]) == name and isinstance(node.value, gast.Constant) \
        and type(node.value.value) is float and node.value.value == 0.0


def _last_use(block: list[gast.stmt], start: int, part: str, uses: int) -> int | None:
    """The statement of a block that holds the last use of a part, if all of them stand there in
    assignments of ours to names and sums."""
    for number in range(start, len(block)):
        node = block[number]
        if not isinstance(node, (gast.Assign, gast.AugAssign)) or hasattr(node, "lineno"):
            if is_comment(node):
                continue
            return None
        uses -= sum(isinstance(n, gast.Name) and n.id == part for n in syntax.walk(node))
        if uses == 0:
            return number
    return None


def _as_product(nodes: list[gast.stmt], part: str, name: str, adjoints: dict[str, str],
                context: Derived, memory: SameMemory) -> list[gast.stmt] | None:
    """The statements with the adjoint in the place of the part, and the product behind them. What
    another name holds from then on is no part of the adjoint, which changes: a copy of it is."""
    sums = [n for n in nodes if isinstance(n, gast.AugAssign) and _whole(n.target) == name]
    if len(sums) != 1 or not isinstance(sums[0].op, (gast.Add, gast.Sub)):
        return None
    factors = _factors(sums[0].value, part)
    read = {n for factor in factors or () for n in read_names(factor)}
    if not factors or part in read or not all(map(_is_plain, factors)):
        return None
    find = context.aliases.find

    def may_be_it(names: set[str]) -> bool:
        """Whether one of some names is the adjoint, or may share memory with it."""
        return name in names or any(
            n in adjoints and find(adjoints[n]) == find(adjoints[name]) for n in names)

    others = [n for n in nodes if n is not sums[0]]
    lasting: list[Any] = []             # what binds another name to the part
    for node in others:
        if is_comment(node) or not _is_plain(node.value):
            return None
        target = syntax.target_of(node)
        root = syntax.root_name(target)
        binds = isinstance(node, gast.Assign) and isinstance(target, gast.Name)
        if root in read or not (binds or root in adjoints) or may_be_it(
                {n.id for n in syntax.walk(node) if isinstance(n, gast.Name)}):
            return None
        if binds and part in read_names(node.value) and not memory.is_fresh(node.value):
            if not isinstance(node.value, gast.Name):
                return None
            lasting.append(node)
    if may_be_it(read):
        return None
    for node in lasting:
        node.value = syntax.method(node.value, "copy")
    swap = syntax.Substitute({part: syntax.load(name)})
    if isinstance(sums[0].op, gast.Sub):
        factors[-1] = syntax.minus(factors[-1])
    kept = {k: v for k, v in vars(sums[0]).items() if k not in ("target", "op", "value")}
    products = [syntax.augment(name, "*", factor) for factor in factors]
    for product in products:
        product.__dict__.update(kept)
    return [*(swap.visit(n) for n in others), *products]


def _factors(product: gast.expr, part: str) -> list[gast.expr] | None:
    """What a product multiplies a part by, in turn: [d, e], of `part * d * e`."""
    if not isinstance(product, gast.BinOp) or not isinstance(product.op, gast.Mult):
        return None
    for one, other in ((product.left, product.right), (product.right, product.left)):
        if getattr(one, "id", "") == part:
            return [other]
    found = _factors(product.left, part)
    if found is None:
        return None
    if isinstance(found[-1], gast.Constant):            # of `2.0 * part * e`
        return [*found[:-1], gast.BinOp(found[-1], gast.Mult(), product.right)]
    return [*found, product.right]


def _is_plain(node: gast.expr) -> bool:
    """Whether an expression changes nothing: no tape is taken from."""
    return not any(isinstance(n.func, gast.Attribute) and n.func.attr in ("pop", "append")
                   for n in syntax.all_of(node, gast.Call))
