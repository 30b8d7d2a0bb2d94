"""Copy on entry what the function writes to and others hold: a derivative is pure.

>>> from tangent_lite.emit import emit
>>> tree = gast.parse('''
... def f(x):
...     x[0] = 2.0 * x[1]
...     return x
... ''').body[0]
>>> print(emit(own(tree, ["x"])), end="")
def f(x):
    x = x.copy()
    x[0] = 2.0 * x[1]
    return x
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.analyses.liveness import bound_in, written_outside
from tangent_lite.analyses.reaching import reached
from tangent_lite.calling.parts_held import containers_in
from tangent_lite.functions.local_functions import RenameAll
from tangent_lite.kinds import RecordKind, kind_of
from tangent_lite.names import Names, stem
from tangent_lite.records import is_made_blank
from tangent_lite.runtime.objects import blank
from tangent_lite.runtime.tangents import attributes
from tangent_lite.structures.item_copies import each_copied
from tangent_lite.structures.lists import CHANGES

_CONTAINERS = (dict, list)


def own(tree: gast.FunctionDef, parameters: list[str], names: Names | None = None,
        copy: Callable[[str], gast.expr] | None = None, in_place: bool = False,
        outside: list[str] | None = None) -> gast.FunctionDef:
    """Return a tree that copies the parameters first, and the outer arrays that it writes to.

    copy: how what a name means is copied; as it lies in memory, since sums depend on that;
    in_place: the tree may be changed; outside: the outer arrays, where they have been found.
    """
    tree = tree if in_place else syntax.copy(tree)
    copy = copy or (lambda name: syntax.method(syntax.load(name), "copy"))
    names = names or Names(syntax.all_names(tree))
    first: list[gast.stmt] = []
    for name in parameters:
        made = copy(name)
        if isinstance(made, gast.Dict):         # part by part, each with a name
            for number, part in enumerate(made.values):
                kept = names.fresh(f"{name}_part")
                first.append(syntax.assign(kept, part))
                made.values[number] = syntax.load(kept)
        first.append(syntax.assign(name, made))
    for name in written_outside(tree) if outside is None else outside:
        ours = names.fresh(name)
        syntax.Rename({name: ours}).visit(tree)
        first.append(syntax.assign(ours, copy(name)))
        first[-1].is_entry_copy = name
    for node in syntax.stand_at(first, tree.body[0]):
        node.is_entry_copy = getattr(node, "is_entry_copy", node.targets[0].id)
    tree.body = first + tree.body
    return tree


def own_containers(tree: gast.FunctionDef, copies: dict[str, str], names: Names,
                   meaning: Callable[[str], Any],
                   external: Callable[[Any, str], gast.expr]) -> None:
    """Copy the outer dicts, lists and objects that the function changes, in place, before it is
    known which parts they have: those of the copy are followed as those of what the function makes.
    copies: gets the names of the copies, by those of what is copied; meaning: what is copied.

    Done again when more was written out: what stands there now reads the copy as well.
    """
    for name in written_outside(tree) + _changed_outside(tree):
        thing = meaning(name)
        if name not in copies and _is_copied(thing) and _holds_each_once(thing):
            copies[name] = names.fresh(name)
            made = _copied(syntax.load(name), thing, copies[name], names, external)
            made[0].is_entry_copy = made[0].value.is_entry_copy = name
            tree.body[:0] = syntax.stand_at(made, tree.body[0])
    if copies:
        renamer = RenameAll(copies)
        tree.body = [n if getattr(n, "is_entry_copy", None) or hasattr(n, "is_entry_part")
                     else renamer.visit(n) for n in tree.body]


def _is_copied(thing: Any) -> bool:
    """Whether something is a dict, a list or an object of which a copy is made here."""
    cls: Any = type(thing)
    return cls in _CONTAINERS or (isinstance(kind_of(thing), RecordKind)
                                  and is_made_blank(cls))


def _holds_each_once(thing: Any) -> bool:
    """Whether no part of something stands at two places of it, or holds what it is a part of: at
    the call that is refused (`calling.sharing`), and a copy of it would not end."""
    parts = [*map(id, containers_in(thing))]
    return len({*parts}) == len(parts)


def _copied(value: gast.expr, thing: Any, name: str, names: Names,
            external: Callable[[Any, str], gast.expr]) -> list[Any]:
    """Statements that give a name to a copy of a dict or a list, or to an object with the
    attributes of another one, whose dicts, lists and objects are copies, too; so are objects in a
    list that are alike."""
    if type(thing) is list and thing and _are_alike(thing):
        return each_copied(value, name, names, external, lambda item, own: _copied(
            item, thing[0], own, names, external))
    if type(thing) in _CONTAINERS:
        return [syntax.assign(name, syntax.method(value, "copy"))]
    out: list[Any] = [syntax.assign(name, syntax.call(
        external(blank, "blank"), external(type(thing), type(thing).__name__)))]
    out[0].is_entry_part = True
    wish = stem(name)
    for key, part in attributes(thing).items():
        own = names.fresh(f"{wish}_{key}")
        out.append(syntax.assign(own, syntax.attribute(syntax.copy(value), key)))
        out[-1].is_entry_part = True
        if _is_copied(part):
            read, own = own, names.fresh(f"{wish}_{key}")
            out += _copied(syntax.load(read), part, own, names, external)
        out.append(gast.Assign([gast.Attribute(syntax.load(name), key, gast.Store())],
                               syntax.load(own), None))
    return out


def _form(thing: Any) -> Any:
    """How a copy of something is made: things of one form are copied by the same statements."""
    if type(thing) is list:
        forms = {_form(one) for one in thing}
        return list, forms.pop() if len(forms) == 1 else None
    if not _is_copied(thing) or type(thing) is dict:
        return dict if type(thing) is dict else None
    return type(thing), tuple((key, _form(part)) for key, part in attributes(thing).items())


def _are_alike(things: list[Any]) -> bool:
    """Whether things are objects with the same attributes, which are copied alike."""
    return _is_copied(things[0]) and type(things[0]) not in _CONTAINERS \
        and len({_form(one) for one in things}) == 1


def _changed_outside(tree: gast.FunctionDef) -> list[str]:
    """Names from outside the function of which a method is called that changes a list, or an
    attribute is set; and of objects of which an attribute is changed so, that has a name here. Not
    those that functions inside change, which may be hooks: what these do is seen outside."""
    changed = _changed(tree)
    if not changed:
        return []
    scopes = [inside for node in tree.body
              for inside in syntax.all_of(node, gast.Lambda, gast.FunctionDef)]
    changed -= {name for scope in scopes for name in _changed(scope)}
    if not changed:
        return []
    bound = bound_in(tree.body).union(syntax.parameter_names(tree.args))
    owners: dict[str, set[str]] = {}
    for node in syntax.all_of(tree, gast.Assign):
        root = syntax.root_name(node.value) if isinstance(
            node.value, (gast.Attribute, gast.Subscript, gast.Name)) else None
        if root is not None and isinstance(node.targets[0], gast.Name):
            owners.setdefault(node.targets[0].id, set()).add(root)
    roots = reached([name for name in changed if name is not None], owners)
    return sorted(name for name in roots if name not in bound)


def _changed(tree: gast.AST) -> set[str | None]:
    """The names of what changes in a function."""
    found: set[str | None] = set()
    for node in syntax.all_of(tree, gast.Attribute, gast.Subscript, gast.Call):
        if not isinstance(node, gast.Call):
            if isinstance(node.ctx, gast.Store):
                found.add(syntax.root_name(node))
        elif isinstance(node.func, gast.Attribute) and node.func.attr in CHANGES:
            found.add(syntax.root_name(node.func.value))
    return found

