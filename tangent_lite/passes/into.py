"""Write results straight into the arrays that they are for, where the user's call did.

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(x, y):
...     y[...] = np.multiply(x, x)
...     return y
... ''').body[0]
>>> tree.body[0].result_of, tree.body[0].casting = False, []
>>> into(tree.body)
>>> print(emit(tree), end="")
def f(x, y):
    np.multiply(x, x, out=y)
    return y

The pass `effects` took the calls apart and marked what it wrote; here they are put together again,
so that they compute what the user's call computed, to the bit: with out=, a sum is taken in the
type of the array, and a product of matrices in its order. Where such a result is still read on its
own, it is a copy of the array, or made in one of the same type. Elementwise results are then
assigned, which makes no difference.
"""
from __future__ import annotations

import gast

from tangent_lite import syntax
from tangent_lite.structures.nested import outer
from tangent_lite.syntax import COMPOUND


def into(body: list[gast.stmt]) -> None:
    """Put `out=` back into the calls of a body, and np.add.at in place of what it marked."""
    for number, node in enumerate(body):
        if isinstance(node, COMPOUND):
            into(node.body)
            into(node.orelse)
        elif isinstance(node, gast.AugAssign) and hasattr(node, "repeats"):
            body[number] = _at(node)
    for node in [n for n in body if isinstance(n, gast.Assign) and hasattr(n, "result_of")]:
        target = outer(node.targets[0])[0]
        spot = next(i for i, n in enumerate(body) if n is node)
        if isinstance(node.value, gast.Call):
            made: gast.stmt = syntax.statement(_with_out(node.value, target, node.casting))
        elif node.result_of:
            first = next((n for n in reversed(body[:spot]) if isinstance(n, gast.Assign)
                          and syntax.same(n.targets[0], node.value)), None)
            empty_like = getattr(first, "goes_into", None)
            if first is None or not empty_like or not isinstance(first.value, gast.Call):
                continue
            start = next(i for i, n in enumerate(body) if n is first)
            if any(node.value.id in syntax.read_names(n) for n in body[start + 1:spot]):
                # Read before the array may change: of the array's type and order all the same.
                fresh = syntax.call(syntax.copy(empty_like), syntax.as_read(target))
                first.value = _with_out(first.value, fresh, node.casting)
                continue
            made = syntax.assign(first.targets[0], syntax.method(
                _with_out(first.value, target, node.casting), "copy"))
            body[:] = [n for n in body if n is not first]
            spot -= 1
        else:
            continue
        body[spot] = syntax.copy_place(made, node)


def _with_out(call: gast.Call, target: gast.expr, casting: list[gast.keyword]) -> gast.Call:
    return gast.Call(call.func, call.args, [
        *call.keywords, gast.keyword("out", syntax.as_read(target)), *casting])


def _at(node: gast.AugAssign) -> gast.stmt:
    target, index = outer(node.target)
    if any(isinstance(n, gast.Slice) for n in syntax.walk(index)):
        index = syntax.subscript(syntax.attribute(node.repeats.value.value, "s_"), index)
    return syntax.copy_place(syntax.statement(syntax.call(
        node.repeats, syntax.as_read(target), index, node.value)), node)
