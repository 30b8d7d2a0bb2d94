"""Functions inside that bind variables around them (nonlocal), as functions that are given them and
return them: of those that are put beside the function around them (`passes/recursion`).

    def walk(k):                            def walk(count, k):
        nonlocal count                          count += 1
        count += 1                  =>          if k == 0:
        if k == 0:                                  return 1.0, count
            return 1.0                          ...
        ...

A call stands for its value, and binds the variable on the way:
`(walked := walk(count, k), count := walked[1], walked[0])[-1]`, of which `desugar` makes statements
in the order in which Python evaluates them.
"""
from __future__ import annotations

import gast

from tangent_lite import syntax
from tangent_lite.names import Names

SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Lambda, gast.ListComp,
          gast.SetComp, gast.DictComp, gast.GeneratorExp)


def bound_outside(definition: gast.FunctionDef) -> set[str] | None:
    """The variables around a function that it binds; None if a function inside of it binds some, or
    if it may be left halfway: who catches that finds them bound."""
    found: set[str] = set()
    for node in gast.walk(definition):
        if isinstance(node, (gast.Try, gast.With)):
            return None
        if isinstance(node, gast.Nonlocal):
            found.update(node.names)
    own = {name for node in _of_its_own(definition) if isinstance(node, gast.Nonlocal)
           for name in node.names}
    return found if found == own else None


def _of_its_own(tree: gast.FunctionDef) -> list[gast.AST]:
    """The nodes of a function that stand in no function or comprehension inside it."""
    found: list[gast.AST] = list(tree.body)
    for node in found:                      # which grows as it is gone through
        if not isinstance(node, SCOPES):
            found += gast.iter_child_nodes(node)
    return found


def calls_stand_plainly(name: str, tree: gast.FunctionDef, moving: set[str]) -> bool:
    """Whether all calls of a function stand where its variables can be bound: in the function
    around it, or in one that is put beside that as well, and in no function or comprehension there;
    and nothing is left halfway."""
    todo: list[gast.AST] = [tree]
    for node in todo:                       # which grows as it is gone through
        if isinstance(node, (gast.Try, gast.With)):
            return False
        if isinstance(node, gast.While) and _calls(node.test, name):
            return False                    # asked anew each time
        if isinstance(node, gast.Call) and getattr(node.func, "id", None) == name and (
                any(isinstance(one, gast.Starred) for one in node.args)
                or any(keyword.arg is None for keyword in node.keywords)):
            return False
        for child in syntax.children(node):
            if isinstance(child, SCOPES) and not (
                    isinstance(child, gast.FunctionDef) and child.name in moving and node is tree):
                if _calls(child, name):
                    return False
            else:
                todo.append(child)
    return True


def _calls(node: gast.AST, name: str) -> bool:
    return any(one.id == name for one in gast.walk(node) if isinstance(one, gast.Name))


def gives_value(definition: gast.FunctionDef) -> bool:
    """Whether a function returns anything but None."""
    return any(isinstance(node, gast.Return) and node.value is not None
               and getattr(node.value, "value", ...) is not None
               for node in _of_its_own(definition))


def hand_over(definition: gast.FunctionDef, names: list[str]) -> None:
    """Let a function, in place, return these variables, which are parameters now."""
    writer = _Returns(names, gives_value(definition))
    definition.body = [writer.visit(node) for node in definition.body]
    last = definition.body[-1]
    if not isinstance(last, gast.Return):
        definition.body.append(_returned(last, None, names, writer.has_value))


class _Returns(gast.NodeTransformer):
    def __init__(self, names: list[str], has_value: bool) -> None:
        self.names, self.has_value = names, has_value

    def visit(self, node: gast.AST) -> gast.AST:
        if isinstance(node, gast.Nonlocal):
            return gast.copy_location(gast.Pass(), node)
        if isinstance(node, gast.Return):
            return _returned(node, node.value, self.names, self.has_value)
        if isinstance(node, (*SCOPES, gast.expr)):
            return node
        return self.generic_visit(node)


def _returned(node: gast.stmt, value: gast.expr | None, names: list[str],
              has_value: bool) -> gast.stmt:
    parts: list[gast.expr] = [syntax.load(name) for name in names]
    if has_value:
        parts.insert(0, value or gast.Constant(None, None))
    return syntax.placed(gast.Return(parts[0] if len(parts) == 1 else syntax.tuple_of(parts)), node)


def named_arguments(call: gast.Call, fresh: Names) -> list[gast.expr]:
    """Names for the arguments of a call, in place, and what binds them in front of it, if one of
    them binds a name itself: Python reads the variables around a function after that."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    if not any(isinstance(part, gast.NamedExpr) for one in given for part in gast.walk(one)):
        return []
    names = [fresh.fresh("given") for _ in given]
    call.args = [syntax.load(name) for name in names[:len(call.args)]]
    for keyword, name in zip(call.keywords, names[len(call.args):]):
        keyword.value = syntax.load(name)
    return [gast.NamedExpr(syntax.store(name), one) for name, one in zip(names, given)]


def taken_over(call: gast.Call, names: list[str], has_value: bool, fresh: Names,
               first: list[gast.expr]) -> gast.expr:
    """The value of a call of such a function, which binds the variables that it returns; first:
    what binds the arguments."""
    kept = fresh.fresh("_and_".join([call.func.id, *names]))
    count = len(names) + has_value
    parts = [syntax.load(kept)] if count == 1 else [
        syntax.subscript(syntax.load(kept), syntax.constant(k)) for k in range(count)]
    bound = [*first, gast.NamedExpr(syntax.store(kept), call),
             *(gast.NamedExpr(syntax.store(name), part)
               for name, part in zip(names, parts[has_value:]))]
    value = parts[0] if has_value else gast.Constant(None, None)
    return last_of([*bound, value], call)


def last_of(parts: list[gast.expr], place: gast.expr) -> gast.expr:
    """`((a := x), (b := y), f(a, b))[-1]`: the last of some expressions, of which the others bind
    names."""
    made = syntax.subscript(syntax.tuple_of(parts), syntax.constant(-1))
    made.picks_last = True
    return syntax.placed(made, place)
