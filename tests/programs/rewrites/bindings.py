"""Rewrites of assignments: through tuples, containers and functions; variables in a state."""
import ast

from tests.programs.rewrites.tools import (
    COMPREHENSIONS,
    SCOPES,
    arguments,
    bound,
    expression,
    forms,
    parsed,
    read,
    rewrite,
)

THROUGH = forms("""
    {t}, *{r} = {v}, 1.0, 2.0 ; *{r}, {t} = 1.0, {v} ; ({t},) = ({v},) ; [{t}] = [{v}] ;
    {r}, {t} = 0, {v} ; {r} = ({v}, 1) / {t}, _ = {r} ; {r} = [{v}] / {t} = {r}.pop() ;
    {r} = {{'v': {v}}} / {t} = {r}['v'] ; {r} = [] / {r}.append({v}) / {t} = {r}[-1] ;
    {r} = [None] * 2 / {r}[1] = {v} / {t} = {r}[1] ; for {t} in [{v}]: pass ;
    for {r} in [{v}]: {t} = {r} ; def {r}(): return {v} / {t} = {r}() ;
    {r} = lambda: {v} / {t} = {r}() ;
    ({r}, ({t}, *_)) = 0, ({v}, 1) ; {t} = ({v}) if True else 0.0 ;
    if ({r} := {v}) is None: {t} = 0.0 / else: {t} = {r} ;
    {r} = dict(a=0.0) / {r}.update(a={v}) / {t} = {r}.pop('a') ;
    {r} = [0.0, {v}] / {r}.reverse() / {t}, _ = {r}""")
PAIRS = forms("""
    {p} = ({n}) / {n} = {p} ; {p} = [{n}] / {n} = {p} ; {p} = {{{f}}} / {n} = {p}.values() ;
    {p} = [({n})] / for {n} in {p}: pass ; {p} = tuple([{n}]) / [{n}] = {p} ;
    {p} = lambda: ({n}) / {n} = {p}()""")


@rewrite
def through(site):
    """a, *rest = e, ...; what is bound goes through a tuple, a list, a dict, a function."""
    choices = [(b, k) for b, k in site.statements((ast.Assign,)) if len(b[k].targets) == 1
               and isinstance(b[k].targets[0], (ast.Name, ast.Subscript, ast.Attribute))]
    block, k = site.pick(choices) or (None, 0)
    if block is None:
        return False
    s = block[k]
    block[k:k + 1] = parsed(site.pick(THROUGH).format(
        t=ast.unparse(s.targets[0]), v=ast.unparse(s.value), r=site.fresh("rest")))
    return True


@rewrite
def at_once(site):
    """Two assignments become one of tuples."""
    choices = [(block, k) for block, k in site.bindings()
               if (block, k + 1) in site.bindings()
               and not bound(block[k]) & (read(block[k + 1]) | bound(block[k + 1]))]
    block, k = site.pick(choices) or (None, 0)
    if block is None:
        return False
    a, b = block[k:k + 2]
    display = site.pick([ast.Tuple, ast.Tuple, ast.List])([a.value, b.value], ast.Load())
    block[k:k + 2] = [ast.Assign([ast.Tuple([a.targets[0], b.targets[0]], ast.Store())], display)]
    return True


@rewrite
def packed(site):
    """Variables are packed and unpacked."""
    block, k = site.pick(site.statements()) or (None, 0)
    names = [] if block is None else sorted(
        n for n in read(block[k]) & site.locals() if site.kinds.get(n))
    if not names:
        return False
    some = site.rng.sample(names, min(len(names), site.rng.randint(1, 3)))
    p, fields = site.fresh("pair"), ", ".join(f"'{n}': {n}" for n in some)
    text = site.pick(PAIRS).format(p=p, n=", ".join(some) + ",", f=fields)
    if site.rng.random() < 0.3:
        text = f"{p} = {{{fields}}}\n" + "\n".join(f"{n} = {p}['{n}']" for n in some)
    block[k:k] = parsed(text)
    return True


@rewrite
def in_state(site):
    """Variables live in a dict, a list or an object."""
    inside = {n.id for s in ast.walk(site.function) if s is not site.function
              and isinstance(s, (*SCOPES, *COMPREHENSIONS))
              for n in ast.walk(s) if isinstance(n, ast.Name)}
    banned = {n.target.id for n in ast.walk(site.function) if isinstance(n, ast.NamedExpr)}
    banned |= {n.name for n in ast.walk(site.function) if getattr(n, "name", None)}
    banned |= {n for s in ast.walk(site.function) if isinstance(s, (ast.Global, ast.Nonlocal))
               for n in s.names}
    names = sorted(n for n in site.locals() - inside - banned if site.kinds.get(n))
    if not names or site.is_generator or any(isinstance(n, (ast.Import, ast.ImportFrom))
                                             for n in ast.walk(site.function)):
        return False
    params = {a.arg for a in arguments(site.function)}
    some = site.rng.sample(names, min(len(names), site.rng.randint(1, 3)))
    state, how = site.fresh("state"), site.pick(["dict", "list", "object", "namespace"])
    places = {n: {"dict": f"{state}['{n}']", "list": f"{state}[{i}]"}.get(how, f"{state}.{n}")
              for i, n in enumerate(some)}
    first = {n: n if n in params else site.pick(["None", "0.0", "0"]) for n in some}
    if how == "dict":
        start = f"{state} = {{{', '.join(f'{n!r}: {v}' for n, v in first.items())}}}"
    elif how == "list":
        start = f"{state} = [{', '.join(first.values())}]"
    else:
        cls = site.fresh("State")
        site.top(f"class {cls}:\n    pass" if how == "object"
                 else f"from types import SimpleNamespace as {cls}")
        start = "\n".join([f"{state} = {cls}()", *(f"{places[n]} = {n}" for n in some
                                                   if n in params)])

    class Into(ast.NodeTransformer):
        def visit_Name(self, node):
            if node.id not in places:
                return node
            new = expression(places[node.id])
            new.ctx = type(node.ctx)()
            return new

    site.function.body = [*parsed(start), *(Into().visit(s) for s in site.function.body)]
    return True
