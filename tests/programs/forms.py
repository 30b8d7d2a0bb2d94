"""The forms in which parameters come: alone, or together as attributes of an object.

A function of the level full is written over plain parameters first; then some of them move into
a dataclass, a plain object or `self`, or become what a closure captures.
"""
import ast

from tests.programs.running import Again, New
from tests.programs.statements import indented

FORMS = [(9, "plain"), (2, "dataclass"), (2, "object"), (3, "method"), (1, "call"), (2, "closure")]


def stored(tree):
    """Names that are bound anywhere in a tree."""
    found = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)
             and not isinstance(n.ctx, ast.Load)}
    found |= {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}
    found |= {n.name for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.MatchAs))}
    return found | {name for n in ast.walk(tree) if isinstance(n, (ast.Global, ast.Nonlocal))
                    for name in n.names}


class Inline(ast.NodeTransformer):
    """x becomes self.x."""

    def __init__(self, names, owner):
        self.names, self.owner = names, owner

    def visit_Name(self, node):
        if node.id not in self.names:
            return node
        return ast.Attribute(ast.Name(self.owner, ast.Load()), node.id, node.ctx)


def formed(author, params, args, wrt, body, name, seed):
    """(top lines, function lines, args, wrt, entry) of the function in some form."""
    rng = author.rng
    form = author.pick(FORMS)
    twins = {k for k, a in enumerate(args) if isinstance(a, Again)}
    twins |= {args[k].position for k in twins}
    movable = [k for k in wrt if k < len(args) and "=" not in params[k]
               and (form != "closure" or isinstance(args[k], float)) and k not in twins]
    if form == "plain" or not movable:
        return [], [f"def {name}({', '.join(params)}):", *indented(body)], args, wrt, name
    some = sorted(rng.sample(movable, min(len(movable), rng.randint(1, 3))))
    tree = ast.parse("\n".join(body))
    bound = stored(tree)
    if form == "closure":
        some = [k for k in some if params[k] not in bound][:len(movable) - 1]
        return captured(params, args, wrt, body, name, seed, some)
    cls = f"Model{seed}"
    owner = "self" if form in ("method", "call") else author.fresh_name(["params", "model", "p"])
    moved = [params[k] for k in some]
    inline = [n for n in moved if n not in bound]
    body = ast.unparse(Inline(inline, owner).visit(tree)).splitlines()
    body = [f"{n} = {owner}.{n}" for n in moved if n not in inline] + body
    new = New(cls, {n: args[k] for n, k in zip(moved, some)})
    rest = [k for k in range(len(params)) if k not in some]
    new_args = [new, *(args[k] for k in rest if k < len(args))]
    left = [1 + rest.index(k) for k in wrt if k not in some]
    whole = author.pick([(2, [0]), (3, [f"{owner}.{n}" for n in moved]), (1, [owner])])
    signature = ", ".join([owner, *(params[k] for k in rest)])
    inner = "__call__" if form == "call" else name if form != "method" else f"loss{seed}"
    function = [f"def {inner}({signature}):", *indented(body)]
    if form == "dataclass" or form in ("method", "call") and author.chance(0.4):
        fields = [f"{n}: {'float' if isinstance(args[k], float) else 'object'}"
                  for n, k in zip(moved, some)]
        top = ["@dataclass", f"class {cls}:", *indented(fields)]
    else:
        lines = [f"def __init__(self, {', '.join(moved)}):",
                 *indented(f"self.{n} = {n}" for n in moved)]
        top = [f"class {cls}:", *indented(lines)]
    if form in ("method", "call"):
        return [], [*top, *indented(function)], new_args, [*whole, *left], f"{cls}.{inner}"
    return top, function, new_args, [*whole, *left], name


def captured(params, args, wrt, body, name, seed, some):
    """The function as what a factory returns, which captures some of the parameters."""
    rest = [k for k in range(len(params)) if k not in some]
    function = [f"def {name}({', '.join(params[k] for k in rest)}):", *indented(body)]
    lines = [f"def make{seed}({', '.join(params[k] for k in some)}):", *indented(function),
             f"    return {name}"]
    left = [rest.index(k) for k in wrt if k not in some]
    given = ", ".join(repr(args[k]) for k in some)
    return [], lines, [args[k] for k in rest if k < len(args)], left, f"make{seed}({given})"
