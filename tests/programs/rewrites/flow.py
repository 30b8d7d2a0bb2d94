"""Rewrites of control flow."""
import ast
import copy

from tests.programs.rewrites.tools import (
    bound,
    expression,
    forms,
    own_jumps,
    parsed,
    read,
    rewrite,
)


def put(site, header, tail=""):
    """Put a run of statements below a header; the place of it."""
    run = site.runs()
    if run is None:
        return None
    block, start, end = run
    statement = parsed(f"{header}:\n    pass{tail}")[-1]
    statement.body = block[start:end]
    block[start:end] = [statement]
    return block, start, statement


@rewrite
def once(site):
    """for _ in range(1): ..."""
    name = site.fresh("_")
    header = site.pick([f"for {name} in range(1)", f"for {name} in (0,)", f"for {name} in [1.0]"])
    return put(site, header) is not None


@rewrite
def forever_once(site):
    """while True: ...; break"""
    found = put(site, site.pick(["while True", "while 1"]))
    if found:
        found[2].body.append(ast.Break())
    return found is not None


OF_ARRAYS = forms("""
    np.all({a} == {a}) ; np.sum({a} * 0.0) == 0.0 ; {a}.size >= 0 ; {a} is not None ;
    np.max({a}, initial=0.0) > -1e9 ; len(np.shape({a})) > 0""")
OF_NUMBERS = forms("""
    {n} == {n} ; {n} < 1e30 ; not {n} > 1e30 ; {n} is not None ; -1e30 < {n} < 1e30 ;
    isinstance({n}, (int, float)) ; abs({n}) >= 0 or {n} != {n}""")


def flags(site, before):
    """An expression that is true, of names that are bound; or the word `flag`."""
    arrays = [n for n in sorted(before) if site.is_array(n)]
    numbers = [n for n in sorted(before) if site.is_number(n)]
    choices = ["True", "1", "flag"]
    if arrays:
        choices += [text.format(a=site.pick(arrays)) for text in OF_ARRAYS]
    if numbers:
        choices += [text.format(n=site.pick(numbers)) for text in OF_NUMBERS]
    return site.pick(choices)


@rewrite
def guarded(site):
    """if flag: ... else: something else"""
    run = site.runs(allow_exits=True)
    if run is None:
        return False
    block, start, end = run
    part = block[start:end]
    known = read(part) & site.locals()
    flag = flags(site, known)
    before = []
    if flag == "flag":
        flag, args = site.fresh("flag"), site.function.args
        if site.rng.random() < 0.5 and not (args.vararg or args.kwarg or args.kwonlyargs):
            args.args.append(ast.arg(flag))
            args.defaults.append(ast.Constant(True))
        else:
            site.function.body[0:0] = parsed(f"{flag} = True")
            if block is site.function.body:
                start, end = start + 1, end + 1
    elif site.rng.random() < 0.4:
        name = site.fresh("flag")
        before, flag = parsed(f"{name} = {flag}"), name
    other = []
    for name in sorted(bound(part) & site.locals()):
        if site.is_number(name):
            other += parsed(site.pick([f"{name} = 0.0", f"{name} = 7.0", f"{name} = None"]))
        elif site.is_array(name):
            other += parsed(site.pick([f"{name} = np.ones(2)", f"{name} = 0.0", f"{name} = None"]))
    for name in sorted(known - bound(part)):
        if site.is_array(name) and site.rng.random() < 0.3:
            other += parsed(f"{name}[...] = 1.0")
    site.rng.shuffle(other)
    statement = ast.If(expression(flag), part, other)
    if other and site.rng.random() < 0.3:
        statement = ast.If(expression(f"not ({flag})"), other, part)
    block[start:end] = [*before, statement]
    return True


@rewrite
def early(site):
    """return e at the end of both branches; or if c: return e in front of it."""
    body = site.function.body
    if not isinstance(body[-1], ast.Return) or site.is_generator:
        return False
    last = body[-1]
    if len(body) > 1 and isinstance(body[-2], ast.If) and site.rng.random() < 0.7:
        body[-2].body.append(copy.deepcopy(last))
        if body[-2].orelse and site.rng.random() < 0.5:
            body[-2].orelse.append(last)
            body.pop()
        return True
    flag = flags(site, read(last) & site.locals())
    if flag == "flag" or last.value is None:
        return False
    body[-1:] = [ast.If(expression(flag), [copy.deepcopy(last)], []), *parsed(
        site.pick(["return 0.0", "return None", "raise ValueError('never')"]))]
    return True


@rewrite
def named_result(site):
    """result = e; return result"""
    block, k = site.pick(site.statements((ast.Return,))) or (None, 0)
    if block is None or block[k].value is None:
        return False
    name = site.fresh("result")
    value = block[k].value
    block[k:k + 1] = [ast.Assign([ast.Name(name, ast.Store())], value), *parsed(f"return {name}")]
    return True


def ranges(site):
    """Places of loops `for name in range(...)`."""
    return [(b, k) for b, k in site.statements((ast.For,))
            if isinstance(b[k].target, ast.Name) and isinstance(b[k].iter, ast.Call)
            and ast.unparse(b[k].iter.func) == "range" and 1 <= len(b[k].iter.args) <= 2
            and not any(isinstance(a, ast.Starred) for a in b[k].iter.args)]


@rewrite
def as_while(site):
    """for i in range(n) as a while loop."""
    block, k = site.pick(ranges(site)) or (None, 0)
    if block is None:
        return False
    loop = block[k]
    at, stop = site.fresh("at"), site.fresh("stop")
    args = [ast.unparse(a) for a in loop.iter.args]
    low, high = args if len(args) == 2 else ("0", args[0])
    i = loop.target.id
    if site.rng.random() < 0.5 and not own_jumps(loop, ast.Continue) and i not in bound(loop.body):
        head = parsed(f"while {at} < {stop}:\n    {i} = {at}")[0]
        head.body += loop.body + parsed(f"{at} += 1")
    else:
        head = parsed(f"while {at} < {stop}:\n    {i} = {at}\n    {at} = {at} + 1")[0]
        head.body += loop.body
    head.orelse = loop.orelse
    block[k:k + 1] = [*parsed(f"{stop} = {high}\n{at} = {low}"), head]
    return True


@rewrite
def peeled(site):
    """The first iteration stands in front of the loop."""
    choices = [(b, k) for b, k in ranges(site)
               if not own_jumps(b[k], (ast.Break, ast.Continue)) and not b[k].orelse]
    block, k = site.pick(choices) or (None, 0)
    if block is None:
        return False
    loop = block[k]
    stop = site.fresh("stop")
    args = [ast.unparse(a) for a in loop.iter.args]
    low, high = args if len(args) == 2 else ("0", args[0])
    start = site.fresh("start")
    first = parsed(f"if {start} < {stop}:\n    {loop.target.id} = {start}")[0]
    first.body += copy.deepcopy(loop.body)
    loop.iter = expression(f"range({start} + 1, {stop})")
    block[k:k + 1] = [*parsed(f"{stop} = {high}\n{start} = {low}"), first, loop]
    return True


@rewrite
def split_loop(site):
    """A loop in two halves."""
    choices = [(b, k) for b, k in ranges(site)
               if not own_jumps(b[k], (ast.Break,)) and not b[k].orelse]
    block, k = site.pick(choices) or (None, 0)
    if block is None:
        return False
    loop = block[k]
    stop, start, half = site.fresh("stop"), site.fresh("start"), site.fresh("half")
    args = [ast.unparse(a) for a in loop.iter.args]
    low, high = args if len(args) == 2 else ("0", args[0])
    second = copy.deepcopy(loop)
    loop.iter = expression(f"range({start}, {half})")
    second.iter = expression(f"range({half}, {stop})")
    how = f"{half} = min({start} + 1, {stop})" if site.rng.random() < 0.5 else \
        f"{half} = max({start}, ({start} + {stop}) // 2)"
    block[k:k + 1] = [*parsed(f"{stop} = {high}\n{start} = {low}\n{how}"), loop, second]
    return True


@rewrite
def loop_else(site):
    """What stands behind a loop goes into its else; a break that never happens."""
    choices = [(b, k) for b, k in site.statements((ast.For, ast.While))
               if not own_jumps(b[k], ast.Break) and not b[k].orelse]
    block, k = site.pick(choices) or (None, 0)
    if block is None:
        return False
    loop = block[k]
    if site.rng.random() < 0.6:
        flag = flags(site, read(loop.body) & site.locals())
        if flag != "flag":
            loop.body.insert(site.rng.randint(0, len(loop.body)),
                             ast.If(expression(f"not ({flag})"), [ast.Break()], []))
    if k + 1 < len(block):
        loop.orelse = [block.pop(k + 1)]
    return True


@rewrite
def with_finally(site):
    """try: ... finally: ..."""
    run = site.runs()
    if run is None:
        return False
    block, start, end = run
    part = block[start:end]
    cut = site.rng.randint(1, len(part))
    last = part[cut:] or parsed("pass")
    how = site.rng.random()
    if how < 0.5:
        statement = ast.Try(part[:cut], [], [], last)
    else:
        handler = parsed("try:\n    pass\nexcept ZeroDivisionError:\n    raise")[0].handlers
        statement = ast.Try(part[:cut], handler, last if how < 0.75 else [], [])
        block[start:end] = [statement] + (part[cut:] if how >= 0.75 else [])
        return True
    block[start:end] = [statement]
    return True


@rewrite
def in_context(site):
    """with nullcontext(): ..."""
    site.top("from contextlib import nullcontext as _nothing")
    return put(site, "with _nothing()") is not None
