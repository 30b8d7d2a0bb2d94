"""Imports run strictly downward: each import of every module is held against a table."""

import ast
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "tangent_lite"

# The house, from the ground up. A module may import what stands below its own line. What one module
# was split into counts as that module, be it a subpackage (`runtime/rows.py`) or neighbours
# (`adjoints/ledger_book.py`); but in the packages of APART each module stands for itself, and those
# of FOLDERS are there to find one's way only: `analyses/views.py` is views.
LAYERS = [
    ["errors", "modules", "anew", "captured"],
    ["names", "name_sets", "nodes", "syntax", "markers", "runtime", "records", "tangles",
     "trees", "kinds",
     "sizes", "keys", "leaves", "checkpoints", "collector", "depth", "protocols",
     "classes", "reaching", "reuse", "tracebacks"],
    ["tests_of_none", "dict_sites", "bare_objects", "nested", "item_copies", "assumptions"],
    ["line_writer", "meanings", "told_items"],
    ["source", "emit", "yields", "updates", "local_functions", "lists", "given", "whole",
     "mentions", "layouts", "divided", "read_outside", "slopes", "unchanged",
     "parts_held"],
    ["inferred", "spaces", "spelled_leaves", "loop_keys", "ways_out"],
    ["custom", "result_kinds", "short_forms", "operands", "registry", "comprehensions", "inference",
     "lowering", "template"],
    ["once"],
    ["liveness", "steps", "by_position", "displays", "paths", "minus", "algebra", "sums", "resolve",
     "callables", "managers", "writers", "mirrored", "purity", "spelling", "dear_calls",
     "shared_values", "read_no_more"],
    ["makers", "unrolling", "own_managers", "attributes_read"],
    ["kept_functions"],
    ["handed_functions", "surely_bound", "ways_taken", "special_names", "stopping", "taken_apart",
     "call_arguments", "choices", "default_values", "decided", "giving_back", "handing_over",
     "parameters_used", "spans", "taking_in", "called_back", "meant_outside",
     "called_with_args"],
    ["made_here", "made_inside"],
    ["unsure_reads", "only_items", "unseen", "used_up", "written_arguments"],
    ["thrown_away", "harmless_calls", "fixed_values", "between_items"],
    ["special_methods"],
    ["looked_at"],
    ["aliases", "temporaries", "known_kinds", "aggregates", "bound_once", "guessed",
     "parts_changed"],
    ["derived", "same_values"],
    ["held", "memory_advice", "other_names", "standing", "one_name", "momentary", "apart", "sites",
     "tables", "same_memory"],
    ["only_there", "values", "additions", "distinct_places"],
    ["segments", "heads", "handed_on", "rotations", "factors", "indexing"],
    ["recordings", "changed"],
    ["lifetimes"],
    ["remaking"],
    ["new_arrays", "read_so_far", "steady_masks", "written_once", "of_one_array"],
    ["saving"],
    ["filled_alike"],
    ["tapes", "ledger", "ranges", "unbound", "views", "overlaps", "externals", "units",
     "filling", "increments", "tangents", "inlining", "batching"],
    ["points_to_values"],
    ["points_to", "planning"],
    ["real_adjoints"],
    ["statement_adjoints", "by_rule"],
    ["list_adjoints"],
    ["origins", "alike_units", "seeds", "auxiliary", "sized_kinds", "in_place"],
    ["outside_sizes"],
    ["owners"],
    ["expansion"],
    ["rules.*"],
    ["passes.*"],
    ["tidy", "checks", "halfway", "own_units"],
    ["parts_read", "array_parts"],
    ["recorded_parts"],
    ["spent"],
    ["pairs", "acting"],
    ["assemble", "jvps", "batches"],
    ["comments", "copies_on_entry"],
    ["normal_form"],
    ["refusals"],
    ["preparation"],
    ["front_half"],
    ["transform"],
    ["stages"],
    ["linemap", "freeing", "divisions", "written_out", "shortcuts"],
    ["watching"],
    ["compile", "backends"],
    ["standalone", "request", "sharing", "duck_arrays", "pickling"],
    ["fills", "filled_lists", "slices_of_adjoints", "items_of_adjoints",
     "numbers_in_lists", "gathered", "handed_back", "reversals", "iterations", "numbering",
     "tape_order",
     "items_of_classes"],
    ["fresh_results", "determined"],
    ["seed_of_one"],
    ["entry"],
    ["parameter_kinds"],
    ["variant", "highlight"],
    ["heap"],
    ["pullbacks"],
    ["api", "batched"],
    ["linearized"],
    ["jacobians", "called_inside"],
    ["operators", "checking"],
    ["coverage"],
    ["explain", "lint"],
    ["cli", "__init__", "__main__"],
]
APART = ["passes", "rules"]
FOLDERS = ["adjoints", "analyses", "calling", "directions", "functions", "polish", "shapes",
           "structures", "written"]

# What may be imported within a layer, or against the order: (importer, imported).
ALLOWED = {
    ("markers", "syntax"),
    ("syntax", "names"),
    ("syntax", "nodes"),
    ("kinds", "records"),
    ("kinds", "tangles"),
    ("kinds", "sizes"),
    ("sizes", "assumptions"),       # for types alone: sizes note what is assumed of them
    ("kinds", "runtime"),
    ("kinds", "trees"),
    ("trees", "records"),
    ("trees", "runtime"),
    ("records", "runtime"),
    ("tangles", "records"),
    ("leaves", "records"),
    ("leaves", "runtime"),
    ("keys", "tangles"),
    ("keys", "kinds"),  # lazily: only for objects that are neither numbers nor containers
    ("registry", "rules.__init__"),  # lazily: the rules are loaded when the first one is asked for
    ("comprehensions", "registry"),
    ("inference", "comprehensions"),
    ("inference", "registry"),
    ("inference", "result_kinds"),
    ("lowering", "inference"),
    ("sums", "minus"),
    ("algebra", "minus"),
    # Lazily: derivatives of functions that are known only when the emitted code runs.
    ("runtime", "api"),
    ("heap", "api"),
    ("runtime", "operators"),
    ("template", "registry"),
    ("template", "result_kinds"),
    ("backends", "compile"),
    ("__main__", "cli"),
}

# Rules are read by people who know no compiler, and this is all that they meet: how a rule is
# registered, the helpers of the emitted code, what kind of value an operation returns.
RULES_MAY_IMPORT = {"registry", "runtime", "result_kinds"}

# Packages from outside that a module may import; each of OPTIONAL only inside a function, so that
# importing tangent_lite neither needs it nor pays for it.
REQUIRED = {"numpy", "gast", "astunparse"}
OPTIONAL = {"numba", "scipy", "dask", "distributed", "matplotlib", "pygments", "IPython"}
# Emitted code and saved files live on these without the rest of the house; what is called
# runtime.scipy_... is imported by the rules of SciPy only.
RUNTIME_REQUIRED = {"numpy"}
RULES_REQUIRED = {"numpy", "scipy", "cupy"}


class Import(NamedTuple):
    module: str  # dotted, absolute
    line: int
    lazy: bool  # inside a function


def modules():
    """{dotted name without the package's own: file}, of both trees."""
    found = {}
    for folder, prefix in ((ROOT / PACKAGE, ()), (ROOT / "rules", ("rules",))):
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            if not prefix and parts[0] == "rules":  # the link, seen by Pythons that follow it
                continue
            found[".".join(prefix + parts)] = path
    return found


MODULES = modules()


def imports(name, text):
    """All imports of a module. Relative ones are made absolute, and `from tangent_lite import emit`
    counts as tangent_lite.emit where that is a module."""
    found = []

    def visit(node, lazy):
        if isinstance(node, ast.Import):
            found.extend(Import(alias.name, node.lineno, lazy) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                package = f"{PACKAGE}.{name}".split(".")[: -node.level]
                base = ".".join(package + ([base] if base else []))
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                found.append(Import(inner if is_module(inner) else base, node.lineno, lazy))
        inside = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        for child in ast.iter_child_nodes(node):
            visit(child, lazy or inside)

    visit(ast.parse(text), False)
    return found


def is_module(dotted):
    """Whether `tangent_lite.a.b` is a module or package of ours, rather than a name in one."""
    inner = dotted.removeprefix(f"{PACKAGE}.")
    known = {*MODULES, *(name for line in LAYERS for name in line)}
    return dotted != inner and not known.isdisjoint({inner, f"{inner}.__init__"})


def unit(inner):
    """What stands in the table for a module: `runtime.rows` is runtime, `adjoints.ledger_book` is
    ledger, `analyses.views` is views, `passes.anf` itself."""
    parts = [part for part in inner.split(".") if part]
    if parts and parts[0] in FOLDERS:
        parts = parts[1:]
    if not parts or parts == ["__init__"]:
        return "__init__"
    if parts[0] in APART:
        return ".".join(parts[:2]) if len(parts) > 1 else f"{parts[0]}.__init__"
    family = parts[0].split("_")[0]
    return family if any(family in line for line in LAYERS) else parts[0]


def layer(module):
    """The number of the module's line in the table; None where it has no place."""
    entry = f"{module.split('.')[0]}.*" if "." in module else module
    return next((k for k, line in enumerate(LAYERS) if entry in line), None)


def forbidden(name, text):
    """The imports of one module that the tables do not allow, each as a line of text."""
    me = unit(name)
    mine = layer(me)
    if mine is None:
        return []  # test_has_a_place says so
    found = []

    def forbid(which, why):
        found.append(f"{name}:{which.line}: imports {which.module}: {why}")

    for item in imports(name, text):
        top, _, inner = item.module.partition(".")
        if top == PACKAGE:
            other = unit(inner)
            if other == me or (me, other) in ALLOWED:
                continue
            if me == "rules.__init__" and other.startswith("rules."):
                continue  # importing the package registers all its rules
            theirs = layer(other)
            if theirs is None:
                forbid(item, "has no place in LAYERS")
            elif theirs >= mine:
                forbid(item, "is not below it" + (" (lazily)" if item.lazy else ""))
            elif me.startswith("rules.") and other not in RULES_MAY_IMPORT:
                forbid(item, f"rules import only {', '.join(sorted(RULES_MAY_IMPORT))}")
        elif top not in sys.stdlib_module_names:
            required = (RULES_REQUIRED if name.startswith("runtime.scipy_") else
                        RUNTIME_REQUIRED if me == "runtime" else
                        RULES_REQUIRED if me.startswith("rules.") else REQUIRED)
            if name.startswith("backends.") and name != "backends.__init__":
                # They are imported when the backend is asked for, and not before.
                required = required | {"numba", "llvmlite"}
            if top not in required and not (top in OPTIONAL and item.lazy):
                forbid(item, "an optional package belongs inside a function" if top in OPTIONAL
                       else "is not a dependency")
    return list(dict.fromkeys(found))  # one for several names from one module


@pytest.mark.parametrize("name", MODULES)
def test_has_a_place(name):
    assert layer(unit(name)) is not None, f"give {unit(name)} a place in LAYERS of {__file__}"


def test_the_table_names_what_is_there_once():
    places = [name for line in LAYERS for name in line if not name.endswith(".*")]
    assert sorted(places) == sorted(set(places))
    assert set(places) == {unit(name) for name in MODULES if unit(name).split(".")[0] not in APART}


@pytest.mark.parametrize("name", MODULES)
def test_imports_run_downward(name):
    found = forbidden(name, MODULES[name].read_text(encoding="utf-8"))
    assert not found, "\n".join(found)


def test_each_allowed_edge_is_an_exception():
    """What is imported from a lower line needs no permission, nor does what nobody imports."""
    edges = {(unit(name), unit(item.module.partition(".")[2]))
             for name, path in MODULES.items()
             for item in imports(name, path.read_text(encoding="utf-8"))
             if item.module.partition(".")[0] == PACKAGE}
    assert not ALLOWED - edges
    assert all(layer(imported) >= layer(importer) for importer, imported in ALLOWED)


def test_the_allowed_edges_make_no_circle():
    """One order of all modules exists, the exceptions included."""
    below = {}
    for importer, imported in ALLOWED:
        below.setdefault(importer, set()).add(imported)
        assert layer(importer) is not None and layer(imported) is not None, (importer, imported)

    def descend(module, path):
        assert module not in path, " -> ".join([*path, module])
        for other in below.get(module, ()):
            descend(other, [*path, module])

    for module in below:
        descend(module, [])


@pytest.mark.parametrize("name, text", [
    ("errors", "from tangent_lite import api"),
    ("errors", "from .source import origin"),
    ("emit", "import tangent_lite.source"),
    ("passes.anf", "from . import dead"),
    ("passes.anf", "from tangent_lite.passes import dead"),
    ("passes.anf", "from tangent_lite.passes.dead import dead"),
    ("passes.anf", "def f():\n    from tangent_lite.transform import transform"),
    ("transform", "import tangent_lite as tl"),
    ("rules.elementwise", "from tangent_lite.syntax import parse"),
    ("rules.elementwise", "from tangent_lite.rules import linalg"),
    ("rules.elementwise", "import gast"),
    ("runtime.arrays", "import scipy.sparse"),
    ("compile", "import numba"),
    ("backends.__init__", "import numba"),
    ("compile", "def f():\n    import torch"),
])
def test_sees_what_is_forbidden(name, text):
    assert len(forbidden(name, text)) == 1


@pytest.mark.parametrize("name, text", [
    ("api", "from tangent_lite import transform"),
    ("__init__", "from .api import grad"),
    ("passes.anf", "from ..names import fresh\nfrom tangent_lite import emit"),
    ("runtime.arrays", "from .numbers import same\nimport numpy as np"),
    ("rules.elementwise", "from tangent_lite.registry import adjoint\nimport scipy.special"),
    ("backends.numba", "import numba"),
    ("backends.__init__", "def f():\n    import numba"),
])
def test_sees_what_is_allowed(name, text):
    assert not forbidden(name, text)
