"""Rewrites of names: other names, second names, copies, first values of another kind."""
import ast
import copy

from tests.programs.rewrites.tools import (
    COMPREHENSIONS,
    SIMPLE,
    Swap,
    arguments,
    bound,
    forms,
    is_docstring,
    parsed,
    read,
    rewrite,
)


@rewrite
def renamed(site):
    """Some variables get names that are taken elsewhere."""
    if any(isinstance(n, ast.Name) and n.id in ("locals", "vars", "eval", "exec")
           for n in ast.walk(site.function)):
        return False
    keywords = {n.arg for n in ast.walk(site.tree) if isinstance(n, ast.keyword)}
    outer = {n for s in ast.walk(site.tree) if isinstance(s, (ast.Global, ast.Nonlocal))
             for n in s.names}
    params = {a.arg for a in arguments(site.function)}
    names = sorted(site.locals() - keywords - outer - params
                   | (params - keywords - outer if site.rng.random() < 0.5 else set()))
    if not names:
        return False
    new = {name: site.fresh("bx") for name in
           site.rng.sample(names, min(len(names), site.rng.randint(1, 4)))}
    for n in ast.walk(site.function):
        if isinstance(n, ast.Name):
            n.id = new.get(n.id, n.id)
        elif isinstance(n, ast.arg):
            n.arg = new.get(n.arg, n.arg)
        elif isinstance(n, (ast.FunctionDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) \
                and n is not site.function and n.name:
            n.name = new.get(n.name, n.name)
    return True


def reads_to_swap(site, want=lambda name: True):
    """(block, index, name) of a simple statement that reads a local and does not bind it."""
    inner = {a.arg for n in ast.walk(site.function) if n is not site.function
             and isinstance(n, (ast.FunctionDef, ast.Lambda)) for a in arguments(n)}
    inner |= {t.id for n in ast.walk(site.function) if isinstance(n, COMPREHENSIONS)
              for g in n.generators for t in ast.walk(g.target) if isinstance(t, ast.Name)}
    found = []
    for block, k in site.statements():
        s = block[k]
        for name in sorted((read(s) & site.locals()) - inner):
            if want(name) and not any(isinstance(n, ast.NamedExpr) and n.target.id == name
                                      for n in ast.walk(s)):
                found.append((block, k, name))
    return site.pick(found)


@rewrite
def second_name(site):
    """a2 = a, and the statements behind it read (and write into) a2."""
    place = reads_to_swap(site)
    if place is None:
        return False
    block, k, name = place
    other = site.fresh(f"{name}_2")
    changed = 0
    for s in block[k:k + site.rng.randint(1, 5)]:
        if not isinstance(s, SIMPLE):
            break
        swap = Swap(name, lambda: ast.Name(other, ast.Load()))
        if isinstance(s, ast.AugAssign) and isinstance(s.target, ast.Name) and s.target.id == name:
            s.value = swap.visit(s.value)
            if site.is_array(name):
                s.target.id = other
                changed += 1
                continue
            changed += swap.count
            break
        swap.visit(s)
        changed += swap.count
        if name in bound(s):
            break
    if not changed:
        return False
    block[k:k] = parsed(f"{other} = {name}")
    return True


COPIES = {
    "array": forms("""
        {c} = {v}.copy() / {c}[...] = 0.0 ; {c} = {v}.copy() / {c} *= 2.0 ;
        {c} = np.array({v}) / {c}[:] = {c} * 3.0 ; {c} = {v} / {c} = {c} * {c} ;
        {c} = {v} + 0.0 / {c} += {v}"""),
    "number": forms("""
        {c} = {v} / {c} += 1.0 ; {c} = {v} / {c} = {c} * {c} ;
        {c} = [{v}] / {c}[0] = {c}[0] * 2.0 ; {c} = {v} / {c} *= {v} / {c} = None"""),
    "list": forms("""
        {c} = list({v}) / {c}.clear() ; {c} = {v}[:] / {c}.append(0.0) ;
        {c} = {v}.copy() / {c} += [1.0]"""),
    "dict": forms("{c} = dict({v}) / {c}.clear() ; {c} = {{**{v}}} / {c}['new'] = 1.0"),
    None: forms("{c} = {v} / {c} = None"),
}


@rewrite
def dead_copy(site):
    """A copy is overwritten; nobody reads it."""
    block, k = site.pick(site.statements()) or (None, 0)
    name = None if block is None else site.pick(
        n for n in sorted(read(block[k]) & site.locals()) if site.kinds.get(n))
    if name is None:
        return False
    kind = "array" if site.is_array(name) else "number" if site.is_number(name) \
        else site.kind(name)
    text = site.pick(COPIES.get(kind, COPIES[None])).format(c=site.fresh(f"{name}_c"), v=name)
    block[k:k] = parsed(text)
    return True


@rewrite
def first_value(site):
    """A name is bound to something else before its value."""
    block, k = site.pick(site.bindings()) or (None, 0)
    if block is None or any(isinstance(n, ast.Nonlocal) for n in ast.walk(site.function)):
        return False
    name = block[k].targets[0].id
    if name in read(block[k]):
        return False
    block[k:k] = parsed(
        f"{name} = {site.pick(['0', '0.0', 'None', '1', '[]', 'True', 'np.zeros(2)'])}")
    return True


@rewrite
def zero_as_int(site):
    """s = 0 in place of s = 0.0, and 1 in place of 1.0."""
    choices = [n for n in ast.walk(site.function) if isinstance(n, ast.Constant)
               and isinstance(n.value, float) and n.value in (0.0, 1.0, 2.0)]
    node = site.pick(choices)
    if node is None:
        return False
    node.value = int(node.value)
    return True


@rewrite
def itself(site):
    """a = a; two swaps."""
    place = reads_to_swap(site, lambda name: bool(site.kinds.get(name)))
    if place is None:
        return False
    block, k, name = place
    others = sorted((read(block[k]) & site.locals()) - {name})
    other = site.pick(others)
    if other and site.rng.random() < 0.6:
        block[k:k] = parsed(f"{name}, {other} = {other}, {name}\n{name}, {other} = {other}, {name}")
    else:
        block[k:k] = parsed(f"{name} = {name}")
    return True


@rewrite
def augmented(site):
    """x += e as x = x + e where x is a number, and back."""
    choices = []
    for block, k in site.statements((ast.AugAssign, ast.Assign)):
        s = block[k]
        if isinstance(s, ast.AugAssign):
            plain = isinstance(s.target, ast.Name) and site.is_number(s.target.id)
            if plain or isinstance(s.target, (ast.Subscript, ast.Attribute)):
                choices.append((block, k))
        elif len(s.targets) == 1 and isinstance(s.value, ast.BinOp) and \
                isinstance(s.targets[0], (ast.Name, ast.Subscript)):
            same = copy.deepcopy(s.targets[0])
            if ast.unparse(same) == ast.unparse(s.value.left) and (
                    not isinstance(same, ast.Name) or site.is_number(same.id)):
                choices.append((block, k))
    block, k = site.pick(choices) or (None, 0)
    if block is None:
        return False
    s = block[k]
    if isinstance(s, ast.AugAssign):
        left = copy.deepcopy(s.target)
        left.ctx = ast.Load()
        block[k] = ast.Assign([s.target], ast.BinOp(left, s.op, s.value))
    else:
        block[k] = ast.AugAssign(s.targets[0], s.value.op, s.value.right)
    return True


@rewrite
def chained(site):
    """a = b = e."""
    choices = [(b, k) for b, k in site.statements((ast.Assign,))]
    block, k = site.pick(choices) or (None, 0)
    if block is None or is_docstring(block[k]):
        return False
    other = ast.Name(site.fresh("also"), ast.Store())
    block[k].targets.insert(site.rng.choice([0, len(block[k].targets)]), other)
    target = block[k].targets[-1]
    if isinstance(target, ast.Name) and site.rng.random() < 0.5 and target is not other:
        block[k + 1:k + 1] = parsed(f"{target.id} = {other.id}")
    return True
