r'''The two passes of a function in which what changes is found by identity.

>>> from tangent_lite.emit import emit
>>> from tangent_lite.source import source_of
>>> def f(x, d):
...     d["x"] = x * x
...     return d["x"] * x
>>> from tangent_lite.heap.functions import template_of
>>> forward, backward = template_of(f).text.split("\n\n\n")
>>> print("\n".join(forward.splitlines()[2:]))
    t = tape.mul(x, x)
    tape.item(d)["x"] = t
    d_part = tape.item(d)["x"]
    t_1 = tape.mul(d_part, x)
    return t_1
>>> print(backward, end="")
def f_bwd(tape, bt_1):
    """Adjoints of the parameters of f."""
    bt = bx = bd_part = bd = None
    # return d["x"] * x
    bt_1, bd_part, bx = tape.pull(bt_1, bd_part, bx)
    bd_part, bd = tape.pull(bd_part, bd)
    # d["x"] = x * x
    _, bt = tape.pull(None, bt)
    bt, bx, bx_1 = tape.pull(bt, bx, None)
    bx = tape.join(bx, bx_1)
    return bx, bd

Nothing is known of the kinds of values: what an operation does to adjoints is found when it runs
(see `tape`). So there is one text for arguments of any kind, and what it does depends on nothing
that has to be proven.
'''
from __future__ import annotations

import builtins
import re
import sys
import types
from collections.abc import Callable
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.functions.yields import check_yields, is_generator
from tangent_lite.heap.generators import generators
from tangent_lite.heap.local_classes import local_classes
from tangent_lite.heap.memory import Cell
from tangent_lite.heap.own import holds_state
from tangent_lite.heap.scopes import (
    captured_names,
    celled_body,
    declared,
    inactive_names,
    local_names,
    names_in,
    own_nodes,
)
from tangent_lite.heap.statements import Statements
from tangent_lite.inference import NO_OBJECT
from tangent_lite.modules import attribute_of
from tangent_lite.names import Names
from tangent_lite.passes.cases import cases
from tangent_lite.passes.exits import exits
from tangent_lite.passes.fence import BY_IDENTITY, fence
from tangent_lite.passes.in_turn import in_turn
from tangent_lite.source import Source, whereabouts

_PLAIN = (int, float, complex, str, bytes, bool, type(None))


def adjoin(tree: gast.FunctionDef, source: Source, now: Callable[[str], Any], free: set[str],
           is_inner: bool, by_steps: bool = False) -> tuple[gast.FunctionDef, gast.FunctionDef]:
    """The forward and the backward pass; free: names of the functions around; is_inner: whether
    variables that several functions see are written as cells already; by_steps: whether it may be
    left at any place."""
    taken = Names(syntax.all_names(tree))
    tree = local_classes(syntax.copy(tree), source, lambda node: _class_of(node, now), taken, free)
    tree = fence(tree, source, now, BY_IDENTITY)
    check_yields(tree, source.refuse)
    generates = is_generator(tree)
    tree = cases(tree, lambda node: _class_of(node, now), source.refuse, taken)
    bound = free | local_names(tree)
    tree = in_turn(tree, taken, lambda name: NO_OBJECT if name in bound else now(name))
    tree = exits(tree, taken)
    generators(tree, source, now, taken)
    local = local_names(tree)
    outer = (free - {"__class__"}) - local
    if not is_inner:
        celled_body(tree, outer)
    outside = _data_outside(tree, source, now, local | outer)
    named = {name: taken.fresh(name.lower() if name.isupper() else name)
             for name in sorted(outside)}
    # Functions inside look for themselves
    celled_body(tree, outside, inside=False, is_outside=True)
    _rename_cells(tree, named)
    cells = captured_names(tree)
    celled_body(tree, cells)

    def is_builtin(name: str) -> bool:
        return name not in local and name not in outer \
            and now(name) is getattr(builtins, name, NO_OBJECT)

    def kept(node: gast.expr) -> bool:
        return _is_known(node, local | outer | set(named.values()) | {"__class__"}, now)

    inactive = inactive_names(tree, is_builtin)
    writer = Statements(source, taken, inactive, cells | outer | set(named.values()), kept,
                        is_builtin)
    writer.tree = tree
    writer.origin = tree
    arguments = tree.args
    parameters = [p.id for p in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]]
    parameters += [p.id for p in (arguments.vararg, arguments.kwarg) if p is not None]
    writer.first = parameters[0] if parameters else ""
    if "__class__" in free:
        writer.write(syntax.assign("__class__", writer.of_tape("captured",
                                                               syntax.constant("__class__"))))
        inactive.add("__class__")
    for name in sorted(outer):
        writer.write(syntax.assign(name, writer.of_tape("captured", syntax.constant(name))))
    for name, ours in named.items():
        writer.write(syntax.assign(ours, writer.of_tape("outside", syntax.constant(name))))
    for name in sorted(cells):
        writer.write(syntax.assign(name, writer.of_tape(
            "new_cell", *([syntax.load(name)] if name in parameters else []))))
        if name in parameters:
            own = writer.adjoint(name)
            writer.backward.append(gast.Assign(
                [syntax.tuple_of([syntax.store("_"), syntax.store(own)], gast.Store())],
                writer.of_tape("pull", syntax.constant(None), syntax.load(own)), None))
    last = tree.body[-1]
    assert isinstance(last, gast.Return)
    if generates or by_steps:
        found: list[gast.expr] = []
        writer.step_by_step(lambda: found.append(_result(writer, tree, last)))
        result = found[0]
    else:
        result = _result(writer, tree, last)
    if not generates or not (isinstance(result, gast.Constant) and result.value is None):
        writer.write(gast.Return(result))
    return _written(tree, writer, parameters, result, generates)


def _result(writer: Statements, tree: gast.FunctionDef, last: gast.Return) -> gast.expr:
    """Write the body of a function, and what it returns; the name of that."""
    writer.statements(tree.body[:-1])
    writer.origin = last
    writer.careful = any(isinstance(n, gast.NamedExpr) for n in gast.walk(last))
    before = len(writer.backward)
    result = writer.value(last.value if last.value is not None else syntax.constant(None))
    if len(writer.backward) > before and hasattr(last, "lineno"):
        writer.backward.append(syntax.comment(writer.source.text(last)))
    syntax.serve(writer.backward[before:], last)
    return result


def _written(tree: gast.FunctionDef, writer: Statements, parameters: list[str],
             result: gast.expr, generates: bool) -> tuple[gast.FunctionDef, gast.FunctionDef]:
    """The two passes as functions; that of a generator takes the adjoint of what it returns."""
    name = tree.name
    where = whereabouts(writer.source) if writer.source.tree.name == name else name
    title = gast.Expr(gast.Constant(f"{'Items' if generates else 'Value'} of {where}, and on "
                                    "the tape what its backward pass needs.", None))
    forward = syntax.function_def(f"{name}_fwd", [writer.tape, *parameters],
                                  [title, *writer.forward])
    seed = None
    if not generates or writer.has_adjoint(result):
        seed = writer.adjoint(result.id) if writer.has_adjoint(result) else \
            writer.names.fresh(f"b{name}")
    own = [writer.adjoints.get(p) for p in parameters]
    body = list(reversed(writer.backward))
    others = [b for b in dict.fromkeys(writer.adjoints.values()) if b != seed]
    head: list[gast.stmt] = [
        gast.Assign([syntax.store(b) for b in others[k:k + 6]], syntax.constant(None), None)
        for k in range(0, len(others), 6)]
    answer = syntax.tuple_of([syntax.constant(None) if b is None else syntax.load(b) for b in own])
    if len(own) == 1:
        answer = syntax.tuple_of(answer.elts)
    title = gast.Expr(gast.Constant(f"Adjoints of the parameters of {name}.", None))
    backward = syntax.function_def(f"{name}_bwd", [writer.tape, *([seed] if seed else [])],
                                   [title, *head, *body, gast.Return(answer)])
    return forward, backward


def _class_of(node: gast.expr, now: Callable[[str], Any]) -> Any:
    if isinstance(node, gast.Name):
        found = now(node.id)
        return None if found is NO_OBJECT else found
    if isinstance(node, gast.Attribute):
        owner = _class_of(node.value, now)
        return getattr(owner, node.attr, None)
    return None


def _is_known(node: gast.expr, local: set[str], now: Callable[[str], Any]) -> bool:
    """Whether an expression names a function, class or module, or what a module holds."""
    if isinstance(node, gast.Name):
        if node.id in local or not isinstance(node.ctx, gast.Load):
            return False
        found = now(node.id)
        return found is NO_OBJECT or not isinstance(found, Cell)
    if isinstance(node, gast.Attribute):
        root: gast.expr = node
        while isinstance(root, gast.Attribute):
            root = root.value
        if not isinstance(root, gast.Name) or root.id in local:
            return False
        owner = _class_of(node.value, now)
        held = attribute_of(owner, node.attr, None) if isinstance(owner, types.ModuleType) \
            else getattr(owner, node.attr, None)
        return (isinstance(owner, types.ModuleType) and _is_library(held, owner)) \
            or (owner is not None and callable(owner) and not isinstance(owner, type)
                and hasattr(owner, "reduce") and callable(held))
    return False


def _is_library(thing: Any, owner: types.ModuleType) -> bool:
    """Whether what a module holds stays as it is: a number of the user's may be bound anew."""
    if isinstance(thing, _PLAIN):
        return owner.__name__.split(".")[0] in {"numpy", "scipy", *sys.stdlib_module_names}
    return isinstance(thing, types.ModuleType) or (callable(thing) and not holds_state(thing))


def _data_outside(tree: gast.FunctionDef, source: Source, now: Callable[[str], Any],
                  known: set[str]) -> set[str]:
    """Global names that mean data, which may change in the run."""
    found = set(declared(tree, gast.Global))
    names = {n.id for n in gast.walk(tree) if isinstance(n, gast.Name)}
    for name in names - known - found:
        thing = now(name)
        if isinstance(thing, Cell) or (thing is not NO_OBJECT and getattr(
                builtins, name, NO_OBJECT) is thing):
            continue
        if (thing is NO_OBJECT or not is_data(thing)) and not _is_rebound(source, name):
            continue                    # not there: it may be at the next call
        found.add(name)
    return found & names_in(tree)


def is_data(thing: Any) -> bool:
    """Whether what a global means may itself change in a run."""
    return not isinstance(thing, (type, types.ModuleType, *_PLAIN)) \
        and not (callable(thing) and not holds_state(thing))


def _is_rebound(source: Source, name: str) -> bool:
    """Whether a function of the module says that it binds a global."""
    pattern = re.compile(rf"^\s*global\b[^#]*\b{re.escape(name)}\b")
    return any("global" in line and pattern.match(line) for line in source.lines)


def _rename_cells(tree: gast.FunctionDef, named: dict[str, str]) -> None:
    """Call what stands for a global by a name that is free."""
    for node in own_nodes(tree):
        if isinstance(node, gast.Attribute) and isinstance(node.value, gast.Name) \
                and node.value.id in named and node.attr == "value":
            node.value.id = named[node.value.id]
