"""Give an object all its attributes at once, where it was given one after the other.

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(x, v):
...     body = replaced(blank(Body), x=x)
...     body_1 = replaced(body, v=v)
...     return body_1
... ''').body[0]
>>> join_updates(tree.body, {"blank": blank, "replaced": replaced},
...              lambda thing, wish: syntax.load(wish))
>>> print(emit(tree), end="")
def f(x, v):
    body_1 = instance(Body, x=x, v=v)
    return body_1

Each update of an object is a copy of it, so a chain of them costs a copy for each attribute. A new
object that is given nothing yet is made where it is first given something.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import gast

from tangent_lite import syntax
from tangent_lite.runtime.objects import blank, instance, replaced


def join_updates(body: list[gast.stmt], external: dict[str, Any],
                 spell: Callable[[Any, str], gast.expr]) -> None:
    """Join such statements, in place; external: what names of the surroundings mean; spell: how
    emitted code spells an object."""
    meanings = {name: thing for name, thing in external.items()
                if any(thing is one for one in (blank, instance, replaced))}
    if any(thing is replaced for thing in meanings.values()):
        counts = Counter(part.id for node in body for part in syntax.names_in(node))
        _Joiner(meanings, counts, spell).block(body)


class _Update(NamedTuple):
    """`name = replaced(owner, ...)`; owner: None of a new object; call: None of another name."""
    name: str
    owner: str | None
    call: gast.Call | None


class _Joiner:
    def __init__(self, meanings: dict[str, Any], counts: Counter[str],
                 spell: Callable[[Any, str], gast.expr]) -> None:
        self.meanings, self.counts, self.spell = meanings, counts, spell

    def meaning(self, call: Any) -> Any:
        return self.meanings.get(getattr(call.func, "id", "")) if isinstance(call, gast.Call) \
            else None

    def block(self, block: list[gast.stmt]) -> None:
        out: list[gast.stmt] = []
        blanks: dict[str, gast.stmt] = {}       # names of new objects that nobody asked for yet
        for node in block:
            for inner in syntax.blocks_of(node):
                self.block(inner)
            last = self.update(node)
            made = blanks.pop(last.owner or "", None) if last is not None else None
            if made is not None and made is not out[-1]:
                out.remove(made)
                out.append(made)
            if blanks:
                for name in syntax.all_names(node):
                    blanks.pop(name, None)
            if last is not None and last.call is not None and last.owner is None \
                    and not last.call.keywords:
                blanks[last.name] = node
            before = self.update(out[-1]) if out else None
            call = None
            if last is not None and before is not None and last.owner == before.name \
                    and (last.name == before.name or self.counts[before.name] == 2):
                call = self.joined(before, last)
            if call is None or before is None:
                out.append(node)
                continue
            self.counts[before.name] -= 2
            out[-1] = syntax.copy_place(gast.Assign(node.targets, call, None), node)
        block[:] = out

    def update(self, node: gast.stmt) -> _Update | None:
        """What a statement does to an object, if it does no more."""
        if not (isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name)):
            return None
        name, call = node.targets[0].id, node.value
        if isinstance(call, gast.Name):
            return _Update(name, call.id, None)
        if self.meaning(call) is replaced and self.meaning(call.args[0]) in (blank, instance):
            node.value = call = self.with_more(call.args[0], call.keywords)
        if self.meaning(call) in (blank, instance):
            return _Update(name, None, call)
        if self.meaning(call) is replaced and isinstance(call.args[0], gast.Name):
            return _Update(name, call.args[0].id, call)
        return None

    def joined(self, before: _Update, last: _Update) -> gast.Call | None:
        """Two updates as one, if the second reads nothing of the first."""
        if last.call is None or before.call is None:
            return before.call                              # another name for what is new
        if any(before.name in syntax.read_names(k.value) for k in last.call.keywords) \
                or {k.arg for k in last.call.keywords} & {k.arg for k in before.call.keywords}:
            return None
        call = self.with_more(before.call, last.call.keywords)
        if before.owner is not None and hasattr(last.call, "updates"):
            call.updates = before.owner
        return call

    def with_more(self, call: gast.Call, keywords: list[gast.keyword]) -> gast.Call:
        """The call, with more attributes."""
        func = call.func
        if self.meaning(call) is blank:
            func = self.spell(instance, "instance")
            self.meanings[syntax.root_name(func) or ""] = instance
        return gast.Call(func, call.args, [*call.keywords, *keywords])
