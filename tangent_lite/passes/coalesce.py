"""A later version takes the user's name back where the earlier one is not needed any more.

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(u):
...     u_1 = u.copy()
...     u_1[0] = 0.0
...     return u_1
... ''').body[0]
>>> coalesce(tree.body, ["u"], {"u_1": "u"}, {})
>>> print(emit(tree), end="")
def f(u):
    u = u.copy()
    u[0] = 0.0
    return u

So do adjoints: `bu = bu_1` at the end becomes `bu = bu`, which says nothing, and goes.
"""
from __future__ import annotations

import gast

from tangent_lite import syntax
from tangent_lite.names import RESERVED
from tangent_lite.syntax import read_names


def coalesce(body: list[gast.stmt], parameters: list[str], versions: dict[str, str],
             adjoints: dict[str, str]) -> None:
    """Rename in place; versions: later ones -> the user's name; adjoints: each -> its variable."""
    if not versions:
        return
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    bound: set[str] = set()
    for number, node in enumerate(body):
        for part in syntax.names_in(node):
            first.setdefault(part.id, number)
            last[part.id] = number
            if part.ctx.__class__ is gast.Store:
                bound.add(part.id)
    for name in parameters:
        first[name] = -1
        last.setdefault(name, -1)
    of = {v: b for b, v in adjoints.items()}
    taken = set(first)
    renamed: dict[str, str] = {}
    for name in sorted(taken, key=lambda n: (first[n], n)):
        adjoint = name in adjoints
        variable = versions.get(adjoints[name] if adjoint else name)
        base = of.get(variable, f"b{variable}") if adjoint and variable is not None else variable
        if base is None or base == name or name not in bound or base in RESERVED:
            continue
        if base not in first:                   # no version is left that has the name
            if not adjoint or name == f"b{adjoints[name]}":
                renamed[name] = base
                first[base], last[base] = first[name], last[name]
                bound.add(base)
            continue
        if base not in bound and base not in parameters:
            continue
        before, after = (name, base) if adjoint else (base, name)
        if last[before] > first[after]:
            continue
        if last[before] == first[after] and not _hands_over(body[first[after]], after):
            continue
        renamed[name] = base
        first[base] = min(first[base], first[name])
        last[base] = max(last[base], last[name])
    if renamed:
        swap = syntax.Rename(renamed)
        for number, node in enumerate(body):
            body[number] = swap.visit(node)


def _hands_over(node: gast.stmt, after: str) -> bool:
    """Whether a statement binds a name and does not read what it was before."""
    return isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name) \
        and node.targets[0].id == after and after not in read_names(node.value)
