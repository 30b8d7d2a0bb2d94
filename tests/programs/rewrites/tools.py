"""What rewrites share: names that are free, blocks, what statements bind and read."""
import ast

REWRITES = {}
SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# Names that are taken elsewhere: in emitted code, in modules, among the builtins
NASTY = """
    bx bf b_x dx dy t t_1 t_tape tape x_tape result returned cond n_steps saved value_1 stopped
    unbroadcast unreduce type id input object filter copy args self cls grad f_grad pull shadow seed
    np_1 _t _ __x bself i_1 success succeeded add_at zeros_like fwd bwd begin end l O out primal
    tangent heap records runtime""".split()


def rewrite(function):
    """Enter a rewrite: of a Site, which it changes; whether it did."""
    REWRITES[function.__name__] = function
    return function


class Site:
    """A function in the tree of its module, and chance."""

    def __init__(self, tree, function, rng, kinds):
        self.tree, self.function, self.rng = tree, function, rng
        self.kinds = {name: kind for (where, name), kind in kinds.items() if where == function.name}
        self.taken = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
        self.taken |= {n.arg for n in ast.walk(tree) if isinstance(n, (ast.arg, ast.keyword))}
        self.taken |= {n.name for n in ast.walk(tree) if hasattr(n, "name") and n.name}
        self.taken |= {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
        self.is_generator = any(isinstance(n, (ast.Yield, ast.YieldFrom, ast.Await))
                                for n in ast.walk(function))

    def fresh(self, stem):
        """A name that nothing has: a nasty one at times."""
        if self.rng.random() < 0.4:
            free = [n for n in NASTY if n not in self.taken]
            if free:
                stem = self.rng.choice(free)
        name, k = stem, 0
        while name in self.taken:
            k += 1
            name = f"{stem}{k}"
        self.taken.add(name)
        return name

    def kind(self, name):
        """The one kind that a name had while it ran, or None."""
        kinds = self.kinds.get(name, ())
        return next(iter(kinds)) if len(kinds) == 1 else None

    def is_number(self, name):
        return bool(self.kinds.get(name)) and self.kinds[name] <= {"float", "int", "float64"}

    def is_array(self, name):
        return bool(self.kinds.get(name)) and all(k.startswith("array") for k in self.kinds[name])

    def blocks(self):
        """All lists of statements of the function itself."""
        found = []

        def visit(node):
            for field in ("body", "orelse", "finalbody", "handlers", "cases"):
                part = getattr(node, field, None)
                if not isinstance(part, list):
                    continue
                if field not in ("handlers", "cases"):
                    found.append(part)
                for child in part:
                    if not isinstance(child, SCOPES):
                        visit(child)
        visit(self.function)
        return [block for block in found if block]

    def locals(self):
        """Names that are bound in the function and in no other way than by statements."""
        params = {a.arg for a in arguments(self.function)}
        outer = {n for s in ast.walk(self.function) if isinstance(s, (ast.Global, ast.Nonlocal))
                 for n in s.names}
        return (params | bound(self.function.body)) - outer

    def statements(self, kinds=SIMPLE):
        """Places (block, index) of statements of some kinds."""
        return [(block, k) for block in self.blocks() for k, s in enumerate(block)
                if isinstance(s, kinds) and not is_docstring(s)]

    def bindings(self):
        """Places of statements that bind one name."""
        return [(block, k) for block, k in self.statements((ast.Assign,))
                if len(block[k].targets) == 1 and isinstance(block[k].targets[0], ast.Name)]

    def pick(self, choices):
        choices = list(choices)
        return self.rng.choice(choices) if choices else None

    def runs(self, allow_exits=False, longest=4):
        """A run of statements (block, start, end) without exits out of it, or None."""
        for _ in range(8):
            block = self.pick(self.blocks())
            start = self.rng.randrange(len(block))
            end = min(len(block), start + self.rng.randint(1, longest))
            part = block[start:end]
            if any(is_docstring(s) or isinstance(s, (ast.Global, ast.Nonlocal)) for s in part):
                continue
            if not allow_exits and leaves(part):
                continue
            return block, start, end
        return None

    def top(self, text):
        """Put statements at the top of the module, behind its imports."""
        place = max([k + 1 for k, s in enumerate(self.tree.body)
                     if isinstance(s, (ast.Import, ast.ImportFrom))], default=0)
        self.tree.body[place:place] = parsed(text)


def forms(text):
    """The pieces of program of a text: ` ;` is between two of them, ` / ` between two lines."""
    return [" ".join(piece.split()).replace(" / ", "\n") for piece in text.split(" ;")]


def parsed(text):
    return ast.parse(text).body


def expression(text):
    return ast.parse(text, mode="eval").body


def is_docstring(s):
    return isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)


def arguments(function):
    a = function.args
    return [*a.posonlyargs, *a.args, *a.kwonlyargs, *filter(None, (a.vararg, a.kwarg))]


def inside(node, stop=()):
    """The nodes below one (or some), not into nodes of the classes to stop at."""
    stack = list(node) if isinstance(node, list) else [node]
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, stop):
            stack.extend(ast.iter_child_nodes(node))


def bound(nodes):
    """Names that statements bind in the scope they stand in."""
    names = set()
    stack = list(nodes) if isinstance(nodes, list) else [nodes]
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
            for n in ast.walk(node):
                if isinstance(n, ast.Nonlocal):
                    names.update(n.names)
        elif isinstance(node, ast.Lambda):
            pass
        elif isinstance(node, COMPREHENSIONS):
            names |= {n.target.id for n in ast.walk(node) if isinstance(n, ast.NamedExpr)}
        else:
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                names.add(node.id)
            if isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
                names.add(node.name)
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                names |= {(a.asname or a.name).split(".")[0] for a in node.names}
            stack.extend(ast.iter_child_nodes(node))
    return names


def read(nodes):
    """Names that are read anywhere below, also by `x += e`."""
    names = {n.id for n in inside(nodes) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    return names | {n.target.id for n in inside(nodes)
                    if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name)}


def leaves(nodes, loops=0):
    """Whether statements are left by a return, a break or a continue, or suspended."""
    for s in nodes:
        if isinstance(s, (ast.Return, ast.Raise)):
            return True
        if any(isinstance(n, (ast.Yield, ast.YieldFrom, ast.Await)) for n in inside(s, SCOPES)):
            return True
        if isinstance(s, (ast.Break, ast.Continue)) and not loops:
            return True
        if isinstance(s, (ast.For, ast.While)):
            if leaves(s.body, loops + 1) or leaves(s.orelse, loops):
                return True
        elif not isinstance(s, SCOPES):
            for field in ("body", "orelse", "finalbody", "handlers", "cases"):
                part = getattr(s, field, [])
                if leaves(part, loops):
                    return True
    return False


def own_jumps(loop, classes):
    """Whether a loop's body has a break (or continue) of its own."""
    stack = list(loop.body)
    while stack:
        s = stack.pop()
        if isinstance(s, classes):
            return True
        if isinstance(s, (ast.For, ast.While)):
            stack.extend(s.orelse)
        elif not isinstance(s, SCOPES):
            stack.extend(n for n in ast.iter_child_nodes(s))
    return False


class Swap(ast.NodeTransformer):
    """Puts something in place of reads of a name; not into functions and generators inside."""

    def __init__(self, name, new, most=99, late=False):
        self.name, self.new, self.most, self.count, self.late = name, new, most, 0, late

    def visit_Name(self, node):
        if node.id == self.name and isinstance(node.ctx, ast.Load) and self.count < self.most:
            self.count += 1
            return self.new()
        return node

    def visit_Lambda(self, node):
        return self.generic_visit(node) if self.late else node

    visit_GeneratorExp = visit_FunctionDef = visit_Lambda


class Put(ast.NodeTransformer):
    """Puts one node in place of another."""

    def __init__(self, old, new):
        self.old, self.new = old, new

    def visit(self, node):
        return self.new if node is self.old else self.generic_visit(node)
