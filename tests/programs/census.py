"""Counts what generated programs contain: a set of labels for each, read off its tree."""
import ast
import collections

NODES = {
    ast.Lambda: "lambda", ast.ListComp: "list comprehension", ast.DictComp: "dict comprehension",
    ast.GeneratorExp: "generator", ast.NamedExpr: "walrus", ast.IfExp: "ternary",
    ast.JoinedStr: "f-string", ast.Try: "try", ast.With: "with", ast.Match: "match",
    ast.Delete: "del", ast.Break: "break", ast.Continue: "continue", ast.Assert: "assert",
    ast.Raise: "raise", ast.Nonlocal: "nonlocal", ast.ClassDef: "class", ast.While: "while",
    ast.For: "for", ast.BoolOp: "and, or", ast.Starred: "star", ast.AugAssign: "op=",
    ast.Dict: "dict display", ast.List: "list display", ast.Tuple: "tuple"}
METHODS = {"append", "extend", "insert", "pop", "update", "setdefault", "reverse", "fill", "sort",
           "get", "items", "values", "copy", "ravel", "reshape"}
BUILTINS = {"zip", "enumerate", "map", "filter", "sorted", "reversed", "any", "all", "sum", "min",
            "max", "isinstance", "print", "len", "range", "abs", "list", "getattr"}
FUNCTIONS = {"copyto": "np.copyto", "errstate": "np.errstate", "partial": "partial",
             "wraps": "wraps", "at": "ufunc.at", "namedtuple": "namedtuple", "where": "np.where",
             "reduce": "reduce"}


def labels(source):
    """What a program contains."""
    tree = ast.parse(source)
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    found = {label for node in ast.walk(tree) for label in labels_of(node)}
    for f in functions:
        inside = [n for n in ast.walk(f) if n is not f]
        if any(isinstance(n, ast.FunctionDef) for n in inside):
            found.add("nested function")
        if any(isinstance(n, ast.Call) and getattr(n.func, "id", "") == f.name for n in inside):
            found.add("recursion")
        if any(isinstance(n, ast.Return) for s in f.body for n in ast.walk(s)
               if not isinstance(s, ast.Return)):
            found.add("early return")
    return found


def labels_of(node):
    """The labels of one node."""
    if type(node) in NODES:
        yield NODES[type(node)]
    if isinstance(node, (ast.For, ast.While)) and node.orelse:
        yield "else of a loop"
    if isinstance(node, ast.FunctionDef):
        yield from signature_labels(node)
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield from decorator_labels(node)
    if isinstance(node, ast.Call):
        yield from call_labels(node)
    if isinstance(node, (ast.Assign, ast.AugAssign)):
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Attribute):
                yield "attribute written"
            if isinstance(target, ast.Subscript):
                yield f"x[{index_label(target.slice)}] written"
            if isinstance(target, ast.Name) and isinstance(node, ast.Assign) \
                    and isinstance(node.value, ast.Name):
                yield "second name"
        if isinstance(node, ast.Assign) and len(node.targets) > 1:
            yield "a = b = e"


def signature_labels(node):
    arguments = node.args
    if arguments.vararg:
        yield "*args"
    if arguments.kwarg:
        yield "**kwargs"
    if arguments.kwonlyargs:
        yield "keyword-only"
    if arguments.defaults:
        yield "default"
    if arguments.args and arguments.args[0].arg == "self":
        yield node.name if node.name.startswith("__") else "method"


def decorator_labels(node):
    for decorator in node.decorator_list:
        yield f"@{ast.unparse(decorator).split('.')[-1].split('(')[0].rstrip('0123456789_')}"


def call_labels(node):
    name = getattr(node.func, "attr", None)
    if name in FUNCTIONS:
        yield FUNCTIONS[name]
    elif name in METHODS:
        yield f".{name}()"
    if isinstance(node.func, ast.Name) and node.func.id in BUILTINS:
        yield f"{node.func.id}()"
    if any(k.arg == "out" for k in node.keywords):
        yield "out="
    if any(k.arg is None for k in node.keywords):
        yield "call with **"
    if any(isinstance(a, ast.Starred) for a in node.args):
        yield "call with *"


def index_label(index):
    if isinstance(index, ast.Slice):
        return ":"
    if isinstance(index, ast.Tuple):
        return ", ".join(index_label(part) for part in index.elts)
    if isinstance(index, ast.Constant) and isinstance(index.value, str):
        return "key"
    return "..." if isinstance(index, ast.Constant) and index.value is ... else "i"


def shares(results):
    """{label: (programs, right ones)} of (labels, outcome) pairs, the frequent ones first."""
    count, right = collections.Counter(), collections.Counter()
    for found, outcome in results:
        count.update(found)
        if outcome == "right":
            right.update(found)
    return {label: (n, right[label]) for label, n in count.most_common()}
