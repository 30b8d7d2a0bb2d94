"""Calls of functions with rules in many forms, and whether what is said of the results is true.

A form is a call as text, with `F` for the function and names of `VALUES` for the arguments. What a
function refuses says nothing; of all others the kind is held against what came out.

    python -m tests.rules.results [--module numpy] [--only NAME] [--few]      prints what is false
"""
import argparse

import gast
import numpy as np

from tangent_lite import kinds, registry
from tangent_lite.inference import NO_OBJECT, Typer
from tests.inference.truth import holds
from tests.reference.dual import quiet
from tests.rules.counts import load_everything, name_of, namespace

_rng = np.random.default_rng(0)
VALUES = {
    "x": 0.7, "n": 2, "k": 0, "yes": True, "c": 0.3 + 0.2j,                 # numbers
    "q": np.float64(0.5), "s": np.float32(0.4), "j": np.int64(1), "z": np.array(0.4),
    "v": _rng.random(3) + 0.1, "w": _rng.random(3) + 0.1, "f": _rng.random(3).astype("f4"),
    "h": _rng.random(3).astype("f2"), "i": np.array([2, 0, 1]), "u": np.arange(3, dtype="u1"),
    "b": np.array([True, False, True]), "a": _rng.random(3) + 1j * _rng.random(3),
    "e": np.zeros(0),
    "m": _rng.random((3, 3)), "p": np.eye(3) + 0.1, "mi": np.arange(9).reshape(3, 3),
    "ma": _rng.random((3, 3)) + 1j * np.eye(3), "T": _rng.random((2, 3, 3)) + np.eye(3),
    "t": (0.1, 0.2, 0.4), "l": [0.3, 0.2, 0.5], "li": [1, 2, 0],            # sequences
    "ll": [[1.0, 0.5], [0.5, 4.0]], "tv": (_rng.random(3), _rng.random(3)),
    "lv": [_rng.random(3), _rng.random(3)], "lt": [(0.1, 0.2), (0.3, 0.4)],
    "o": np.zeros(3), "O": np.zeros((3, 3)), "oi": np.zeros(3, int),        # to be written into
}
NAMES = {name: kinds.kind_of(value) for name, value in VALUES.items()}

# Forms ----------------------------------------------------------------------------------------
ALONE = [f"F({one})" for one in VALUES if one not in ("o", "O", "oi")]
IN_PAIRS = ("x", "n", "c", "v", "m", "f", "i", "b", "a", "e", "z", "t", "l", "li", "s", "T", "mi",
            "u", "j")
PAIRS = [f"F({one}, {other})" for one in IN_PAIRS for other in IN_PAIRS]
ALONG = [f"F({one}, axis={axis}{kept})"
         for one in ("v", "m", "i", "f", "b", "a", "T", "l", "mi", "ll", "e", "lv")
         for axis in ("0", "1", "-1", "None", "(0,)", "(0, 1)") for kept in ("", ", keepdims=True")]
OPTIONS = ["dtype=np.float32", "dtype=int", "dtype=complex", "dtype='f8'", "dtype=bool",
           "keepdims=True", "initial=1.0", "initial=1", "out=None", "out=o", "out=O", "out=oi",
           "out=(o,)", "ndmin=2", "weights=v", "ddof=1", "k=1", "n=1", "prepend=0", "append=0.5",
           "mode='same'", "mode='r'", "mode='complete'", "where=b", "where=True", "decimals=1",
           "side='right'", "bins=4", "deg=1", "N=2", "num=4", "increasing=True", "full=True",
           "return_counts=True", "return_index=True", "return_inverse=True", "returned=True",
           "axis=0, dtype=int", "axis=0, out=o", "axis=0, initial=1", "axis=0, where=b",
           "compute_uv=False", "hermitian=True", "full_matrices=False", "pivoting=True",
           "permute_l=True", "p_indices=True", "eigvals_only=True", "retstep=True", "density=True",
           "ord=1", "ord=2", "ord='fro'", "s=(2,)", "norm='ortho'", "rowvar=False", "bias=True",
           "min=0.2", "max=0.9", "0.2, max=0.9", "shape=(2, 2)", "copy=False", "order='F'"]
BEHIND = ["1, 0", "0, 1", "x, n", "v, v", "(0, 1), 1", "2, 1, 0", "(3, 1)", "-1", "[1, 2]",
          "(2, 0)", "[0, 2], 0", "0, None, o", "None, None, o", "0, o", "0, None, None, True",
          "0, float, o", "True", "False", "True, True", "None", "0, True", "n, k", "w, o",
          "w, 0.5, o", "o, o", "0.0, 0.5, None", "int", "'r'", "False, False", "v, 1", "v, x",
          "x, 1", "w, oi", "0.5, o", "0, int"]
WITH_OPTIONS = [f"F({one}, {more})" for one in ("x", "n", "v", "i", "f", "b", "a", "m", "mi", "T",
                                                "l", "li", "lv", "ll", "h")
                for more in (*OPTIONS, *BEHIND)]
TRIPLES = [f"F({one}, {two}, {three})" for one in ("v", "x", "n", "i", "b", "f", "m")
           for two in ("v", "x", "n", "i", "f", "m") for three in ("v", "x", "n", "i", "f", "k")]
OTHERS = """F() | F((2, 3)) | F(3) | F((2, 3), dtype=int) | F("ij,jk", m, m) | F("ii", m) |
    F("i,i->", v, f) | F("i,i", v, f, out=z) | F(b, v, 0) | F(lambda one: one, l) | F([v, w]) |
    F([v, i]) | F((v, m[0])) | F([m, m], 0) | F([v, x]) | F((3,), x) | F((3,), n) | F((3,), 1) |
    F(v, (3,)) | F(m, (1, 0)) | F(0, 1, 3) | F(0, 3) | F(1.0, 2) | F(0, 3, 1.0) | F(*l) |
    F(v, [1]) | F(v, [1, 2]) | F(mi, 1, axis=0) | F(l, key=abs) | F(v, 2, axis=0) | F(2, -1) |
    F(n, -1) | F(n, -n) | F([m, m], x) | F([m, m], v) | F(x, 1, 0) | F(x, n, 0) |
    F(p) | F(p, lower=True) | F(p, v) | F(p, T) | F(T, p) | F((p, i), v) | F((p, True), v) |
    F(x, T) | F(v, T) | F(p, p, p) | F(p, p, x) | F(ma) | F(ma, v) | F(p, 2) | F(p, -1) |
    F([p, m, p]) | F(v, p) | F(l, v) | F(l, 0) | F(l, 0, 0) | F(li, n) | F(l, prepend=0) |
    F([x, n]) | F([v, 0.5]) | F((x, n, c)) | F([b, b]) | F([i, v]) | F([m, v]) | F((v, 0), w) |
    F(v, w, v, w) | F(v, rtol=w) | F(v, w, atol=w) | F(x, x, w) | F(x, x, 0.1, w) |
    F(i, 0, 1, dtype=np.float32) | F(i, 0, 1, o) | F(b, [0, 1, 2]) | F(v, [0, 2]) |
    F(m, [0, 1], axis=1) | F(m, T, axis=0) | F(m, axis=0, out=o) | F(i, out=o) | F(mi, 0, out=o) |
    F(b, x, n) | F(b, x, v) | F(b, n, i) | F(b, m, x) | F(b) | F([b, ~b], [v, w]) |
    F([b, ~b], [v, w], 0) | F(m, 1, 0) | F(T, (0, 2)) | F(T, 1, 2) | F(m, axis=(0, 1)) |
    F(v, n, i) | F(i, [v, w, f]) | F(v, -1, -1) | F(m, -1, 0, 1) | F(v, [0.1, 0.5]) |
    F(m, [0.1, 0.5], 0) | F(m, 0.5, 0) | F(m, 0.5, axis=0, keepdims=True) | F(v, q, None, o) |
    F(l, l) | F(t, t) | F(li, li) | F(n, l) | F(n, t) | F(l, n) | F(t, n) | F("a", "b") |
    F("%d", n) | F("a", n) | F(l, [v]) | F([[x]], [[x]]) | F(lt, ()) | F(lt) | F(lv, v) |
    F(v, w, sparse=True, copy=False) | F(v, w, 1, full=True) | F(m, m, dtype=complex) | F(z, 0) |
    F(p, left=True) | F(p, p, T) | F(T, p, p) | F(m, axis=0, keepdims=True, out=oi) |
    F(i, a_min=0.5) | F(i, min=0.5) | F(v, output=complex) | F(i, u)""".replace(
        "\n", " ").split(" | ")
MANY = [form.strip() for form in dict.fromkeys(
    ALONE + PAIRS + ALONG + WITH_OPTIONS + TRIPLES + [one.strip() for one in OTHERS])]
# Of the others every n-th runs each time.
FEW = list(dict.fromkeys([*ALONE, *map(str.strip, OTHERS), *MANY[::60]]))

# Functions ------------------------------------------------------------------------------------
# These read or write files, ask the user, change settings, look for ever or draw at random.
LEFT_OUT = {
    "help", "exit", "quit", "input", "breakpoint", "open", "exec", "eval", "compile", "print",
    "info", "lookfor", "save", "savetxt", "savez", "savez_compressed", "load", "loadtxt",
    "fromfile", "genfromtxt", "fromregex", "memmap", "tofile", "dump", "test", "set_printoptions",
    "seterr", "seterrcall", "setbufsize", "seed", "show_config", "show_runtime", "is_busday",
    "busday_count", "busday_offset",
    "binary_closing", "binary_dilation", "binary_erosion", "binary_opening", "binary_propagation"}
SPACES = ("builtins", "math", "cmath", "operator", "_bisect",
          "statistics", "methods of ufuncs", "numpy", "numpy.ndarray", "numpy.linalg", "numpy.fft",
          "numpy.lib", "scipy.linalg", "scipy.fft", "scipy.special", "scipy.signal",
          "scipy.ndimage", "scipy.spatial", "scipy.integrate", "scipy.stats", "scipy.interpolate")


def functions(space):
    """The functions of a namespace of which something is said."""
    load_everything()
    return [entry.function for entry in registry.all_entries()
            if entry.kind is not None and namespace(entry.function) == space
            and getattr(entry.function, "__name__", "test") not in LEFT_OUT]


# What is said is false of these calls, and nothing depends on it.
EMPTY = "of no elements NumPy makes one nan for all levels"
OBJECTS = "of a function NumPy makes an array of objects"
NUMBERS = "of a number NumPy makes no transform, and leaves out alone"
EXCEPTIONS = {                                  # how the forms begin, and why
    np.nanquantile: ("F(e, ", EMPTY), np.nanpercentile: ("F(e, ", EMPTY),
    np.fft.fftn: (("F(x, ", "F(n, "), NUMBERS), np.fft.ifftn: (("F(x, ", "F(n, "), NUMBERS),
    np.logical_and: ("F(lambda", OBJECTS), np.logical_or: ("F(lambda", OBJECTS)}


# Holding --------------------------------------------------------------------------------------
def parsed(forms):
    """(text, syntax tree, code, the names in it) of each form."""
    found = []
    for text in forms:
        code = compile(text, "<form>", "eval")
        found.append((text, gast.parse(text, mode="eval").body, code,
                      [name for name in code.co_names if name in VALUES]))
    return found


def writes_past(function, tree):
    """Whether a call hands an output or a mask to one of scipy.special, some of which write past
    the end of what they are given or make."""
    return isinstance(function, np.ufunc) and namespace(function) == "scipy.special" and (
        len(tree.args) > function.nin or any(k.arg in ("out", "where") for k in tree.keywords))


def copied(value):
    return value.copy() if isinstance(value, (np.ndarray, list)) else value


def false_kinds(function, forms, exceptions=EXCEPTIONS):
    """(form, what is said, what came out) where a kind does not hold."""
    def free(name):
        return {"F": function, "np": np}.get(name, getattr(__import__("builtins"), name, NO_OBJECT))

    typer = Typer(dict(NAMES), free)
    excepted = exceptions.get(function, ("nothing",))[0]
    found = []
    for text, tree, code, names in forms:
        if writes_past(function, tree):
            continue
        space = {"F": function, "np": np, **{name: copied(VALUES[name]) for name in names}}
        try:
            value = eval(code, space)
        except Exception:
            continue
        said = typer.kind(tree)
        if not holds(said, value) and not text.startswith(excepted):
            found.append((text, said, value))
    return found


def described(function, text, said, value):
    shape = f" {value.dtype}{value.shape}" if isinstance(value, (np.ndarray, np.generic)) else \
        f" {value!r:.70}"
    return f"{namespace(function)}.{name_of(function)}: {text} said {said!s:.110} " \
           f"is {type(value).__name__}{shape}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--module", help="one namespace, such as numpy.linalg")
    parser.add_argument("--only", help="the name of a function")
    parser.add_argument("--few", action="store_true")
    parser.add_argument("--most", type=int, default=4, help="how many forms of each to print")
    options = parser.parse_args()
    forms = parsed(FEW if options.few else MANY)
    for space in [options.module] if options.module else SPACES:
        for function in functions(space):
            if options.only in (None, name_of(function)):
                with quiet():
                    found = false_kinds(function, forms)
                for one in found[:options.most]:
                    print(described(function, *one), flush=True)


if __name__ == "__main__":
    main()
