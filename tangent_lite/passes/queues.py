"""Write deques that nobody else holds as the lists that do the same.

>>> from collections import deque
>>> from tangent_lite.emit import emit
>>> from tangent_lite.inference import Typer
>>> from tangent_lite.kinds import FLOAT, INT
>>> from tangent_lite.passes.infer import infer
>>> tree = gast.parse('''
... def f(x, n):
...     window = deque(maxlen=5)
...     total = 0.0
...     for i in range(n):
...         window.append(x)
...         total = total + window[0]
...     return total
... ''').body[0]
>>> typer = Typer({}, {"deque": deque}.get)
>>> facts = infer(tree, {"x": FLOAT, "n": INT}, typer)
>>> queues(tree, tree, facts, typer, Names(syntax.all_names(tree)))
True
>>> print(emit(tree), end="")
def f(x, n):
    window = []
    total = 0.0
    for i in range(n):
        window.append(x)
        if len(window) > 5:
            window.pop(0)
        total = total + window[0]
    return total

Lists have adjoints that grow and shrink with them; to take the first item of one moves the others,
which for the lengths that windows have costs next to nothing. Deques of what does not vary stay.
"""
from __future__ import annotations

import collections
from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.analyses.inferred import Inferred
from tangent_lite.analyses.liveness import count_bindings
from tangent_lite.inference import NO_OBJECT, Typer
from tangent_lite.modules import package_of
from tangent_lite.names import Names

_LISTED = {"append": "append", "appendleft": "insert", "pop": "pop", "popleft": "pop"}
# Builtins that take a deque as they take a list.
_READING = {len, sum, max, min, list, tuple, sorted, enumerate, zip, reversed, any, all}


def queues(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred, typer: Typer,
           names: Names) -> bool:
    """Rewrite the tree in place, by what is known of `numbered`, its versions; whether it changed.
    """
    made = made_queues(tree, typer)
    if not made:
        return False
    counts, varying = count_bindings(tree), _varying(tree, numbered, facts, typer)
    found = False
    for node in made:
        name = node.targets[0].id
        if counts[name] == 1 and name in varying and _is_plain(node.value) \
                and _is_as_a_list(tree, name, typer):
            _write_as_list(tree, node, name, names)
            found = True
    return found


def made_queues(tree: gast.FunctionDef, typer: Typer) -> list[gast.Assign]:
    """The statements that give a name to a new deque."""
    return [node for node in syntax.statements(tree.body) if isinstance(node, gast.Assign)
            and isinstance(node.targets[0], gast.Name) and isinstance(node.value, gast.Call)
            and typer.object_of(node.value.func) is collections.deque]


def _varying(tree: gast.FunctionDef, numbered: gast.FunctionDef, facts: Inferred,
             typer: Typer) -> set[str]:
    """The names to which something is appended that may vary."""
    found = set()
    for node, version in zip(syntax.statements(tree.body), syntax.statements(numbered.body),
                             strict=True):
        call: Any = getattr(node, "value", None)
        known: Any = getattr(version, "value", None)
        if isinstance(node, gast.Expr) and isinstance(call, gast.Call) and call.args \
                and isinstance(call.func, gast.Attribute) \
                and call.func.attr in ("append", "appendleft") \
                and isinstance(call.func.value, gast.Name):
            typer.names = facts.before.get(id(version), {})
            if kinds.can_vary(typer.kind(known.args[0])):
                found.add(call.func.value.id)
    return found


def _is_plain(call: gast.Call) -> bool:
    return len(call.args) <= 2 and not any(isinstance(a, gast.Starred) for a in call.args) \
        and all(k.arg == "maxlen" for k in call.keywords)


def _is_as_a_list(tree: gast.FunctionDef, name: str, typer: Typer) -> bool:
    """Whether all that is done with a deque a list does as well, and nobody else holds it."""
    uses = sum(n.id == name and isinstance(n.ctx, gast.Load) for n in syntax.names_in(tree))

    def is_it(node: Any) -> bool:
        return isinstance(node, gast.Name) and node.id == name

    allowed = 0
    for statement in syntax.statements(tree.body):
        call = getattr(statement, "value", None)
        if isinstance(statement, (gast.Expr, gast.Assign)) and isinstance(call, gast.Call) \
                and isinstance(call.func, gast.Attribute) and is_it(call.func.value) \
                and call.func.attr in _LISTED and not call.keywords \
                and len(call.args) == (call.func.attr.startswith("append")) \
                and (isinstance(statement, gast.Expr) or not call.args):
            allowed += 1
        if isinstance(statement, (gast.If, gast.While)):
            allowed += is_it(statement.test)
        whole = statement.iter if isinstance(statement, gast.For) else statement.test \
            if isinstance(statement, (gast.If, gast.While)) else statement
        if isinstance(statement, gast.For):
            allowed += is_it(statement.iter)
        for node in syntax.walk(whole):
            if isinstance(node, (gast.Lambda, gast.FunctionDef)):
                return False
            if isinstance(node, gast.Subscript):
                allowed += is_it(node.value) and not isinstance(node.slice, gast.Slice)
            elif isinstance(node, gast.comprehension):
                allowed += is_it(node.iter)
            elif isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
                allowed += is_it(node.operand)
            elif isinstance(node, gast.Call) and _takes_sequences(typer.object_of(node.func)):
                allowed += sum(map(is_it, node.args))
    return allowed == uses


def _takes_sequences(function: Any) -> bool:
    if function is NO_OBJECT:
        return False
    return any(function is one for one in _READING) or package_of(function) == "numpy"


def _write_as_list(tree: gast.FunctionDef, made: gast.Assign, name: str, names: Names) -> None:
    call: Any = made.value
    items = call.args[0] if call.args else None
    most = call.args[1] if len(call.args) == 2 else next((k.value for k in call.keywords), None)
    if isinstance(most, gast.Constant) and most.value is None:
        most = None
    first: list[gast.stmt] = []
    if most is not None and not isinstance(most, gast.Constant):
        limit = names.fresh(f"most_of_{name}")
        first, most = [syntax.assign(limit, most)], syntax.load(limit)
    start = gast.List([], gast.Load()) if items is None else items \
        if isinstance(items, gast.List) else syntax.call(syntax.load("list"), items)
    block, spot = syntax.spot_in(tree, made)
    shorter = [_shortened(name, most, gast.While, 0)] if most is not None and items is not None \
        else []
    block[spot:spot + 1] = [syntax.copy_place(n, made) for n in (
        *first, syntax.assign(name, start), *shorter)]
    for node in list(syntax.statements(tree.body)):
        called = getattr(getattr(node, "value", None), "func", None)
        if not isinstance(called, gast.Attribute) or not isinstance(called.value, gast.Name) \
                or called.value.id != name:
            continue
        how, value = called.attr, node.value
        if how == "popleft":
            called.attr, value.args = "pop", [gast.Constant(0, None)]
        elif how == "appendleft":
            called.attr, value.args = "insert", [gast.Constant(0, None), *value.args]
        if how.startswith("append") and most is not None:
            block, spot = syntax.spot_in(tree, node)
            last = [] if how == "appendleft" else [0]
            block.insert(spot + 1, syntax.copy_place(_shortened(name, most, gast.If, *last), node))


def _shortened(name: str, most: gast.expr, kind: type, *place: int) -> gast.stmt:
    """`if len(window) > most: window.pop(0)`"""
    test = gast.Compare(syntax.call(syntax.load("len"), syntax.load(name)), [gast.Gt()],
                        [syntax.copy(most)])
    drop = syntax.statement(syntax.method(syntax.load(name), "pop",
                                          *[gast.Constant(p, None) for p in place]))
    made: gast.stmt = kind(test, [drop], [])
    return made
