"""Rewrites that make functions of parts, and hand arguments on."""
import ast
import copy

from tests.programs.rewrites.tools import (
    Swap,
    arguments,
    bound,
    expression,
    leaves,
    parsed,
    read,
    rewrite,
)


def names_of(site, part):
    """What a run of statements binds, and what it reads of the function."""
    own = site.locals()
    return sorted(bound(part) & own), sorted(read(part) & own)


def is_movable(site, part):
    """Whether a run of statements may stand in another function."""
    return not site.is_generator and not leaves(part) and not any(
        isinstance(n, (ast.Global, ast.Nonlocal, ast.ClassDef))
        or (isinstance(n, ast.Name) and n.id in ("locals", "super", "vars"))
        for n in ast.walk(site.function))


@rewrite
def into_local_function(site):
    """A run of statements in a function inside, with nonlocal."""
    run = site.runs()
    if run is None:
        return False
    block, start, end = run
    part = block[start:end]
    if not is_movable(site, part):
        return False
    names, _ = names_of(site, part)
    name = site.fresh("step")
    params = {a.arg for a in arguments(site.function)}
    block[start:end] = []
    elsewhere = bound(site.function.body) | params | read(site.function.body)
    names = [n for n in names if n in elsewhere]
    first = [n for n in names if n not in bound(site.function.body) | params]
    inner = parsed(f"def {name}():\n    pass")[0]
    inner.body = (parsed(f"nonlocal {', '.join(names)}") if names else []) + part
    call = parsed(f"{name}()")
    before = parsed("\n".join(f"{n} = {site.pick(['None', '0.0'])}" for n in first))
    if block is not site.function.body and site.rng.random() < 0.5:
        site.function.body[0:0] = [*before, inner]
        block[start:start] = call
    else:
        block[start:start] = [*before, inner, *call]
    return True


@rewrite
def into_helper(site):
    """A run of statements in a helper at the top, with arguments and a tuple as its result."""
    run = site.runs()
    if run is None:
        return False
    block, start, end = run
    part = block[start:end]
    if not is_movable(site, part) or site.function not in site.tree.body:
        return False
    names, reads = names_of(site, part)
    block[start:end] = []
    elsewhere = read(site.function)
    results = [n for n in names if n in elsewhere]
    before = bound(site.function.body) | {a.arg for a in arguments(site.function)}
    params = sorted({n for n in reads if n in before} | {n for n in results if n in before
                    and site.rng.random() < 0.2})
    name = site.fresh("helper")
    inner = parsed(f"def {name}({', '.join(params)}):\n    pass")[0]
    inner.body = part + parsed(f"return {', '.join(results)}" if results else "pass")
    style = site.pick(["plain", "plain", "keywords", "star", "double"])
    given = {"plain": ", ".join(params), "keywords": ", ".join(f"{p}={p}" for p in params),
             "star": f"*[{', '.join(params)}]",
             "double": "**{" + ", ".join(f"'{p}': {p}" for p in params) + "}"}[style]
    call = f"{name}({given})"
    block[start:start] = parsed(f"{', '.join(results)} = {call}" if results else call)
    at = site.tree.body.index(site.function)
    site.tree.body[at:at] = [inner]
    return True


DECORATORS = ["""
import functools
def {name}(fun):
    @functools.wraps(fun)
    def hands_on(*args, **kwargs):
        return fun(*args, **kwargs)
    return hands_on
""", """
def {name}(fun):
    return fun
""", """
import functools
def {name}(fun):
    def hands_on(*args):
        out = fun(*args)
        return out
    return functools.update_wrapper(hands_on, fun)
"""]


@rewrite
def wrapped(site):
    """A decorator that does nothing."""
    if site.is_generator or site.function not in site.tree.body:
        return False
    name = site.fresh("passing")
    site.top(site.pick(DECORATORS).format(name=name))
    site.function.decorator_list.insert(0, ast.Name(name, ast.Load()))
    return True


# How arguments are handed on: what is made of them (a: `x=x, y=y`, k: `'x': x, 'y': y`, p: `x, y`),
# how one is read from it, and what has to stand at the top of the module.
HOLDERS = {
    "dict": ("{{{k}}}", "{q}['{name}']", ""),
    "list": ("[{p}]", "{q}[{number}]", ""),
    "data": ("{cls}({a})", "{q}.{name}",
             "import dataclasses\n@dataclasses.dataclass\nclass {cls}:\n    {fields}"),
    "named": ("{cls}({a})", "{q}.{name}",
              "import collections\n{cls} = collections.namedtuple('{cls}', {names!r})"),
    "namespace": ("{cls}({a})", "{q}.{name}", "from types import SimpleNamespace as {cls}"),
}


def inner_function(site):
    """A copy of the function under another name, and its parameters; None where it has others than
    plain ones."""
    args = site.function.args
    params = [a.arg for a in args.args]
    if args.vararg or args.kwarg or args.kwonlyargs or args.posonlyargs or args.defaults \
            or site.function not in site.tree.body or site.function.decorator_list \
            or site.is_generator or not params or any(p.startswith("_") for p in params):
        return None
    inner = copy.deepcopy(site.function)
    inner.name = site.fresh(f"{site.function.name}_inner")
    return inner, params


@rewrite
def handed_on(site):
    """The arguments go to a function with the same body, as they are or by keyword."""
    found = inner_function(site)
    if found is None:
        return False
    inner, params = found
    given = ", ".join(f"{p}={p}" for p in reversed(params))
    how = site.pick(["closure", "default", "keywords"])
    if how == "closure":
        site.function.body = [inner, *parsed(f"return {inner.name}({', '.join(params)})")]
        return True
    call = f"return {inner.name}({given})"
    if how == "default":
        inner.args.defaults = [ast.Constant(None) for _ in params]
    else:
        box = site.fresh("box")
        call = f"{box} = dict({given})\nreturn {inner.name}(**{box})"
    site.tree.body.insert(site.tree.body.index(site.function), inner)
    site.function.body = parsed(call)
    return True


@rewrite
def handed_on_in_one(site):
    """The arguments go to a function with the same body in a dict, a list, an object."""
    found = inner_function(site)
    if found is None:
        return False
    inner, params = found
    made, form, top = HOLDERS[site.pick(sorted(HOLDERS))]
    box, q, cls = site.fresh("box"), site.fresh("q"), site.fresh("Holder")
    places = {p: form.format(q=q, name=p, number=k) for k, p in enumerate(params)}
    inner.args = parsed(f"def f({q}): pass")[0].args
    if site.rng.random() < 0.6 and not set(params) & bound(inner.body):
        for p, place in places.items():
            swap = Swap(p, lambda place=place: expression(place), late=True)
            inner.body = [swap.visit(s) for s in inner.body]
    else:
        inner.body[0:0] = parsed("\n".join(f"{p} = {place}" for p, place in places.items()))
    value = made.format(a=", ".join(f"{p}={p}" for p in params), p=", ".join(params), cls=cls,
                        k=", ".join(f"'{p}': {p}" for p in params))
    site.function.body = parsed(f"{box} = {value}\nreturn {inner.name}({box})")
    fields = "\n    ".join(f"{p}: object" for p in params)
    site.top(top.format(cls=cls, names=params, fields=fields))
    site.tree.body.insert(site.tree.body.index(site.function), inner)
    return True
