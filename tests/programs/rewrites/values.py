"""Rewrites of expressions: pulled out, put in, taken through containers and functions."""
import ast
import copy

from tests.programs.rewrites.names import reads_to_swap
from tests.programs.rewrites.tools import (
    COMPREHENSIONS,
    SCOPES,
    SIMPLE,
    Put,
    Swap,
    expression,
    forms,
    parsed,
    read,
    rewrite,
)


def parts(s):
    """Expressions of a statement that are computed whenever it runs."""
    found, stack = [], [s.value] if getattr(s, "value", None) is not None else []
    while stack:
        node = stack.pop()
        if isinstance(node, (*SCOPES, *COMPREHENSIONS, ast.NamedExpr)):
            continue
        if isinstance(node, (ast.BinOp, ast.Call, ast.Subscript, ast.UnaryOp, ast.Compare,
                             ast.IfExp)):
            found.append(node)
        if isinstance(node, ast.IfExp):
            stack.append(node.test)
        elif isinstance(node, ast.BoolOp):
            stack.append(node.values[0])
        elif isinstance(node, ast.Call):
            stack += [node.func.value] if isinstance(node.func, ast.Attribute) else []
            stack += [a for a in node.args if not isinstance(a, ast.Starred)]
            stack += [k.value for k in node.keywords if k.arg]
        elif not isinstance(node, ast.Compare):
            stack += [n for n in ast.iter_child_nodes(node)
                      if isinstance(n, ast.expr) and not isinstance(n, (ast.Slice, ast.Starred))]
    return found


@rewrite
def pulled_out(site):
    """t = part; statement with t"""
    block, k = site.pick(site.statements()) or (None, 0)
    if block is None:
        return False
    node = site.pick(parts(block[k]))
    if node is None or any(isinstance(n, ast.NamedExpr) for n in ast.walk(block[k])):
        return False
    name = site.fresh("part")
    block[k] = Put(node, ast.Name(name, ast.Load())).visit(block[k])
    block[k:k] = [ast.Assign([ast.Name(name, ast.Store())], node)]
    return True


@rewrite
def put_in(site):
    """A variable that is read once, in the next statement, is written out there."""
    choices = []
    for block, k in site.bindings():
        if k + 1 < len(block) and isinstance(block[k + 1], SIMPLE):
            name = block[k].targets[0].id
            uses = [n for n in ast.walk(site.function)
                    if isinstance(n, ast.Name) and n.id == name]
            if len(uses) == 2 and name in read(block[k + 1]):
                choices.append((block, k, name))
    place = site.pick(choices)
    if place is None:
        return False
    block, k, name = place
    swap = Swap(name, lambda: copy.deepcopy(block[k].value))
    swap.visit(block[k + 1])
    if swap.count:
        del block[k]
    return bool(swap.count)


@rewrite
def walrus(site):
    """The first read of a variable in the next statement binds it."""
    choices = [(block, k) for block, k in site.bindings() if k + 1 < len(block)
               and block[k].targets[0].id in read(block[k + 1])
               and isinstance(block[k + 1], (ast.Assign, ast.Return, ast.If))]
    place = site.pick(choices)
    if place is None:
        return False
    block, k = place
    name, value, following = block[k].targets[0].id, block[k].value, block[k + 1]
    swap = Swap(name, lambda: ast.NamedExpr(ast.Name(name, ast.Store()), value), most=1)
    field = "test" if isinstance(following, ast.If) else "value"
    setattr(following, field, swap.visit(getattr(following, field)))
    if swap.count:
        del block[k]
    return bool(swap.count)


@rewrite
def second_walrus(site):
    """A part of a statement, or what a branch asks, gets a name where it stands."""
    block, k = site.pick(site.statements((ast.If, *SIMPLE))) or (None, 0)
    if block is None:
        return False
    s, name = block[k], ast.Name(site.fresh("w"), ast.Store())
    if isinstance(s, ast.If):
        s.test = ast.NamedExpr(name, s.test)
        return True
    node = site.pick(parts(s))
    if node is None:
        return False
    block[k] = Put(node, ast.NamedExpr(name, node)).visit(s)
    return True


def wrap(site, texts, want):
    """Put a form around one read of a name, or around all in a statement."""
    place = reads_to_swap(site, want)
    if place is None:
        return False
    block, k, name = place
    text = site.pick(texts)
    swap = Swap(name, lambda: expression(text.format(v=name)), most=site.pick([1, 1, 9]))
    if isinstance(block[k], ast.AugAssign):
        block[k].value = swap.visit(block[k].value)
    else:
        swap.visit(block[k])
    return bool(swap.count)


NUMBERS = forms("""
    min({v}, {v}) ; max({v}, {v}) ; ({v} if {v} > 0.0 else {v}) ; [{v}][0] ; ({v},)[-1] ;
    ({v} if {v} is not None else 0.0) ; {{'k': {v}}}['k'] ; (lambda q: q)({v}) ; (lambda: {v})() ;
    sum([{v}]) ; next(iter([{v}])) ; [q for q in [{v}]][0] ; dict(a={v}).get('a') ; +{v} ;
    sorted([{v}])[0] ; (-(-{v})) ; ({v} or {v}) ; ({v} and {v}) ; np.array([{v}])[0] ; float({v}) ;
    np.array({v})[()] ; np.asarray({v}).item() ; list(map(lambda q: q, [{v}]))[0] ; max([{v}]) ;
    np.sum([{v}]) ; [{v}, 1.0][::-1][1] ; next(q for q in ({v},)) ; (0.0, {v})[1] ;
    abs({v}) * (1 if {v} >= 0 else -1) ; (None, {v})[1] ; [None, {v}].pop() ; np.full(3, {v})[1] ;
    np.dot([{v}], [1.0]) ; math.fsum([{v}]) ; sum(([{v}],), [])[0] ; max({v}, float('-inf')) ;
    (1.0 * {v}) ; np.float64({v})""")
ARRAYS = forms("""
    {v}[:] ; {v}[::-1][::-1] ; {v}.T.T ; {v}.reshape(-1).reshape({v}.shape) ; {v}[...] ;
    {v}.view() ; np.asarray({v}) ; {v}[None][0] ; np.reshape({v}, {v}.shape) ; [{v}][0] ;
    ({v} if True else None) ;
    (lambda q: q)({v}) ; {{'k': {v}}}['k'] ; ({v} if np.sum({v}) > 0 else {v}) ; {v}[0:].view() ;
    np.transpose(np.transpose({v})) ; np.atleast_1d({v}) ; np.squeeze({v}[None], 0) ; ({v},)[0] ;
    {v}.ravel().reshape(np.shape({v})) ; np.flip(np.flip({v})) ; {v}[(Ellipsis,)] ; +{v} ;
    next(iter([{v}])) ; {v}[slice(None)] ; np.expand_dims({v}, -1)[..., 0] ; [{v}, {v}][1] ;
    np.swapaxes({v}, 0, 0) ; np.broadcast_to({v}, {v}.shape) ; np.stack([{v}, {v}])[0] ;
    np.array([q for q in {v}]) ; np.array(list({v})) ; np.concatenate([{v}, {v}])[:len({v})] ;
    {v}.copy() ; np.array({v}) ; np.where({v} == {v}, {v}, {v}) ; np.maximum({v}, {v}) ;
    np.array([{v}[q] for q in range(len({v}))]) ; {v}[np.arange(len({v}))] ; np.array([*{v}]) ;
    {v}[np.ones(len({v}), bool)] ; np.vstack([{v}, {v}])[:len({v})] ; np.ascontiguousarray({v}) ;
    np.copy({v}) ; {v}.flat[:].reshape({v}.shape) ; np.take({v}, range(len({v})), axis=0) ;
    np.roll(np.roll({v}, 1), -1) ; {v}.astype(float) ; np.rollaxis({v}, 0) ; np.add({v}, 0.0) ;
    np.einsum('i->i', {v}) ; np.fromiter({v}, float) ; np.cumsum(np.diff({v}, prepend=0.0))""")


@rewrite
def wrapped_number(site):
    """min(v, v), v if c else v, through a container, a lambda, a generator."""
    return wrap(site, NUMBERS, site.is_number)


@rewrite
def wrapped_array(site):
    """Views, copies, containers of an array."""
    return wrap(site, ARRAYS, site.is_array)


WRITES = forms("""
    {n} = np.empty_like({t}) / {n}[:] = {t} ;
    {n} = np.zeros({t}.shape) / {n} += {t} ;
    {n} = np.zeros({t}.shape) / {n}[...] = {t} ;
    {n} = {t}.copy() / {n}[0:1] = {t}[0:1] ;
    {n} = np.zeros(np.shape({t})) / for k_{t} in range(len({t})): {n}[k_{t}] = {t}[k_{t}] ;
    {n} = np.zeros_like({t}) / for k_{t} in range(len({t})): {n}[k_{t}] += {t}[k_{t}] ;
    {n} = np.empty_like({t}) / for k_{t}, q_{t} in enumerate({t}): {n}[k_{t}] = q_{t} ;
    {n} = np.ones({t}.shape) / {n}.T[...] = {t}.T ;
    {n} = np.zeros({t}.shape) / np.copyto({n}, {t}) ;
    {n} = np.ones_like({t}) / {n}[::-1] = {t}[::-1] ;
    {n} = np.ones_like({t}) / {n} *= {t} ;
    {n} = np.ones_like({t}) / {n}.flat = {t} ;
    {n} = np.zeros_like({t}) / np.add({t}, 0.0, out={n}) ;
    {n} = np.array([q_{t} for q_{t} in {t}]) ;
    {n} = np.vstack([{t}, {t}]) / {n} = {n}[:len({t})] ;
    {n} = list({t}) / {n} = np.array({n})""")


@rewrite
def by_writes(site):
    """A whole array is bound by writing it into another."""
    choices = [(b, k) for b, k in site.bindings() if site.is_array(b[k].targets[0].id)
               and "f" in str(site.kind(b[k].targets[0].id))]
    block, k = site.pick(choices) or (None, 0)
    if block is None:
        return False
    name, t = block[k].targets[0].id, site.fresh("new")
    text = site.pick(WRITES).format(n=name, t=t)
    block[k:k + 1] = [ast.Assign([ast.Name(t, ast.Store())], block[k].value), *parsed(text)]
    return True


@rewrite
def by_elements(site):
    """An operation on arrays as a comprehension."""
    signs = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
    choices = []
    for block, k in site.statements():
        for node in parts(block[k]):
            if isinstance(node, ast.BinOp) and type(node.op) in signs:
                a, b = (isinstance(side, ast.Name) and site.kind(side.id) == "array1f"
                        for side in (node.left, node.right))
                choices += [(block, k, node, a, b)] if a or b else []
    place = site.pick(choices)
    if place is None:
        return False
    block, k, node, a, b = place
    p, q, op = site.fresh("p"), site.fresh("q"), signs[type(node.op)]
    left, right = ast.unparse(node.left), ast.unparse(node.right)
    if a and b:
        text = site.pick([
            f"np.array([{p} {op} {q} for {p}, {q} in zip({left}, {right})])",
            f"np.array([{left}[{p}] {op} {right}[{p}] for {p} in range(len({left}))])",
            f"np.array(list(map(lambda {p}, {q}: {p} {op} {q}, {left}, {right})))"])
    elif a:
        text = f"np.array([{p} {op} ({right}) for {p} in {left}])"
    else:
        text = f"np.array([({left}) {op} {q} for {q} in {right}])"
    block[k] = Put(node, expression(text)).visit(block[k])
    return True
