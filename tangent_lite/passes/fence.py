"""Refuse what is not handled, with the user's line, the reason and the nearest rewrite.

>>> from tangent_lite.source import source_of
>>> def f(x):
...     global scale
...     scale = x * x
>>> source = source_of(f)
>>> fence(source.tree, source, {}.get)
Traceback (most recent call last):
tangent_lite.errors.UnsupportedSyntaxError: ...: a global cannot be bound in a differentiated ...
...

Everything that passes the fence is given a meaning by the passes behind it.
"""
from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import gast

from tangent_lite import syntax
from tangent_lite.errors import UnsupportedSyntaxError
from tangent_lite.names import BUILTINS_WRITTEN
from tangent_lite.source import Source

REASONS: dict[type, tuple[str, str]] = {
    gast.Await: ("a coroutine cannot be differentiated",
                 "write the computation as a plain function"),
    gast.AsyncFunctionDef: ("a coroutine cannot be differentiated", "write it as a plain function"),
    gast.AsyncFor: ("`async for` cannot be differentiated", "loop over a list"),
    gast.AsyncWith: ("`async with` cannot be differentiated", "use a plain `with` outside"),
    gast.ClassDef: ("a class cannot be defined in a differentiated function",
                    "define it at the top of the module"),
    gast.TryStar: ("`except*` cannot be differentiated", "use `except`"),
    gast.Global: ("a global cannot be bound in a differentiated function",
                  "return the new value"),
    gast.Nonlocal: ("an outer variable cannot be bound in a differentiated function",
                    "return the new value"),
    gast.Import: ("an import inside a differentiated function is not handled",
                  "import at the top of the module"),
    gast.ImportFrom: ("an import inside a differentiated function is not handled",
                      "import at the top of the module"),
}
# Builtins whose calls are written out by their names alone, before it is known what these mean.
BY_NAME = {"range", "len", "reversed", "enumerate", "zip", "isinstance", "callable", "hasattr",
           "any", "all"}
# NumPy has functions of these names, which take arrays, and are often imported over the builtins.
_OF_ARRAYS = {"any", "all"}

HIDDEN = {"eval": "text that is evaluated at run time cannot be differentiated",
          "exec": "text that is executed at run time cannot be differentiated",
          "locals": "locals() exposes variables by name", "globals": "globals() exposes variables",
          "vars": "vars() exposes variables by name",
          "super": "this use of super() is not handled"}
# Where an object has the type parameters that its class was called with (`passes.generics`).
PARAMETERS = "__orig_class__"

# What functions consist of: data under other names than those by which a function knows them.
OF_FUNCTIONS = {"__globals__", "__closure__", "__defaults__", "__kwdefaults__"}


# What a derivative can follow that finds adjoints by identity (see tangent_lite.heap).
BY_IDENTITY = (gast.Global, gast.Nonlocal, gast.Import, gast.ImportFrom, gast.ExceptHandler,
               gast.Try, "super", "vars", PARAMETERS, *sorted(BUILTINS_WRITTEN | BY_NAME))
_LOOKED_AT = {gast.Name, gast.MatchAs, gast.MatchStar, gast.Global, gast.Nonlocal, gast.Try,
              gast.ExceptHandler, gast.Call, gast.FunctionDef, gast.Attribute, gast.Constant,
              *REASONS}
_NAMED = (gast.FunctionDef, gast.ClassDef, gast.MatchAs, gast.MatchStar)
# What asks an exception only for its text or its class.
_TEXT = {"str", "repr", "format", "print", "type", "isinstance"}


def fence(tree: gast.FunctionDef, source: Source, free: Callable[[str], Any],
          allowed: tuple[Any, ...] = ()) -> gast.FunctionDef:
    """Raise UnsupportedSyntaxError at the first construct that is not handled; allowed: kinds of
    nodes, and names of builtins, that are handled all the same."""
    for refusal in refusals(tree, source, free, allowed):
        raise refusal
    return tree


def refusals(tree: gast.FunctionDef, source: Source, free: Callable[[str], Any],
             allowed: tuple[Any, ...] = ()) -> Iterator[UnsupportedSyntaxError]:
    """All that `fence` has to say of a function."""
    def refuse(node: gast.AST, reason: str, fix: str) -> UnsupportedSyntaxError:
        return UnsupportedSyntaxError(reason, source.place(node), fix)

    if isinstance(tree, gast.AsyncFunctionDef):
        yield refuse(tree, *REASONS[gast.AsyncFunctionDef])
        return
    looked_at = [node for node in syntax.walk(tree) if node.__class__ in _LOOKED_AT]
    local = {n.id for n in looked_at
             if n.__class__ is gast.Name and not isinstance(n.ctx, gast.Load)}
    local |= {n.name for n in looked_at if n.__class__ is gast.FunctionDef and n is not tree}
    for node in looked_at:
        if isinstance(node, gast.Name) and node.id in BUILTINS_WRITTEN \
                and node.id not in allowed and not isinstance(node.ctx, gast.Load):
            yield refuse(node, f"{node.id} is given a new meaning here, and the derivative needs "
                               "the old one", f"call the variable {node.id}_ instead")
        if isinstance(node, (gast.MatchAs, gast.MatchStar)) and node.name in BUILTINS_WRITTEN \
                and node.name not in allowed:
            yield refuse(node, f"{node.name} is given a new meaning here, and the derivative needs "
                               "the old one", f"call the variable {node.name}_ instead")
        if node is tree:
            continue
        if isinstance(node, (gast.Global, gast.Nonlocal)) and not _binds(tree, node):
            continue                            # it is only read
        if isinstance(node, gast.Try) and (leave := _exit_of(node.finalbody)) is not None:
            yield refuse(leave, "an exit in `finally` hides exceptions",
                         "put it behind the try block")
        if isinstance(node, gast.Try) and gast.Try not in allowed:
            asked = next((n for part in node.body for n in syntax.walk(part)
                          if isinstance(n, gast.Expr) and isinstance(n.value, gast.Name)), None)
            asked = asked or next((n for handler in node.handlers if handler.type is not None
                                   for n in syntax.names_in(handler.type)
                                   if n.id in ("NameError", "UnboundLocalError")), None)
            if asked is not None:
                yield refuse(asked, "whether a name is bound is tried out here",
                             "bind it in any case")
        if isinstance(node, gast.ExceptHandler) and gast.ExceptHandler not in allowed:
            carried = _looked_into(node)
            if carried is not None:
                yield refuse(carried, "a number that an exception carries cannot be followed",
                             "keep it in a variable")
        if PARAMETERS in (getattr(node, "attr", None), getattr(node, "value", None)) \
                and PARAMETERS not in allowed:
            yield refuse(node, "the type parameters of an object are not followed",
                         "tell it in an attribute of its own")
        inside = OF_FUNCTIONS & {getattr(node, "attr", None), _text_of(node)}
        if inside:
            yield refuse(node, f"{inside.pop()} exposes what functions know by other names",
                         "use the name itself, or give it as an argument")
        if type(node) in REASONS and type(node) not in allowed:
            yield refuse(node, *REASONS[type(node)])
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) \
                and node.func.id in BY_NAME and node.func.id not in allowed \
                and _is_another(node.func.id, local, free):
            yield refuse(node, f"{node.func.id} is no builtin here, and is written out as one",
                         f"call it {node.func.id}_ instead")
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) \
                and node.func.id in HIDDEN and node.func.id not in (*local, *allowed) \
                and free(node.func.id) is getattr(builtins, node.func.id):
            fix = "name the class: Base.method(self, ...)" if node.func.id == "super" \
                else "write the expression itself"
            yield refuse(node, HIDDEN[node.func.id], fix)


def _text_of(node: gast.AST) -> str | None:
    value = getattr(node, "value", None)
    return value if isinstance(value, str) else None


def _is_another(name: str, local: set[str], free: Callable[[str], Any]) -> bool:
    """Whether the name of a builtin means something else."""
    return name in local or (
        name not in _OF_ARRAYS and free(name) is not getattr(builtins, name))


def _looked_into(handler: gast.ExceptHandler) -> gast.AST | None:
    """Where a handler uses the exception for more than its text and its class."""
    if handler.name is None:
        return None
    quiet: set[int] = set()
    for part in handler.body:
        for node in syntax.walk(part):
            if isinstance(node, gast.Raise):
                quiet |= {id(node.exc), id(node.cause)}
            elif isinstance(node, gast.FormattedValue):
                quiet.add(id(node.value))
            elif isinstance(node, gast.Call) and getattr(node.func, "id", "") in _TEXT:
                quiet |= {id(argument) for argument in node.args}
    return next((n for part in handler.body for n in syntax.walk(part)
                 if isinstance(n, gast.Name) and n.id == handler.name.id
                 and isinstance(n.ctx, gast.Load) and id(n) not in quiet), None)


def _exit_of(block: list[gast.stmt], in_loop: bool = False) -> gast.stmt | None:
    """A statement by which control leaves a block."""
    for node in block:
        if isinstance(node, gast.Return) or (
                isinstance(node, (gast.Break, gast.Continue)) and not in_loop):
            return node
        for inner in syntax.blocks_of(node) if not isinstance(node, gast.FunctionDef) else ():
            loop = in_loop or (isinstance(node, (gast.For, gast.While)) and inner is node.body)
            found = _exit_of(inner, loop)
            if found is not None:
                return found
    return None


def _binds(tree: gast.FunctionDef, node: gast.Global | gast.Nonlocal) -> bool:
    """Whether a name that is declared to stand outside is bound, outside the whole function."""
    inside = isinstance(node, gast.Nonlocal) and not any(n is node for n in _own(tree))
    own = _bound_by(_own(tree)) | set(syntax.parameter_names(tree.args))
    if inside and set(node.names) <= _bound_in_functions(tree) | own:
        return False
    return not _bound_by(syntax.walk(tree)).isdisjoint(node.names)


def _bound_by(nodes: Iterable[gast.AST]) -> set[str]:
    """The names that nodes bind: as targets, in patterns, by `def`, `class` and `import`."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
            found.add(node.id)
        elif isinstance(node, _NAMED) and node.name is not None:
            found.add(node.name)
        elif isinstance(node, gast.MatchMapping) and node.rest is not None:
            found.add(node.rest)
        elif isinstance(node, (gast.Import, gast.ImportFrom)):
            found |= {a.asname or a.name.split(".")[0] for a in node.names}
    return found


def _own(tree: gast.FunctionDef) -> list[gast.AST]:
    """The nodes of a function that do not stand in a function defined inside it."""
    found: list[gast.AST] = []
    todo: list[gast.AST] = list(tree.body)
    while todo:
        node = todo.pop()
        found.append(node)
        if not isinstance(node, (gast.FunctionDef, gast.Lambda)):
            todo += gast.iter_child_nodes(node)
    return found


def _bound_in_functions(tree: gast.FunctionDef) -> set[str]:
    """Names that functions defined inside bind for themselves."""
    found: set[str] = set()
    for node in gast.walk(tree):
        if isinstance(node, gast.FunctionDef) and node is not tree:
            outer = {name for n in _own(node) if isinstance(n, (gast.Nonlocal, gast.Global))
                     for name in n.names}
            found |= set(syntax.parameter_names(node.args)) - outer
            found |= _bound_by(_own(node)) - outer
    return found
