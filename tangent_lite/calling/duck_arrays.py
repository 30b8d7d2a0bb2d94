"""Derivatives that take duck arrays: whether what they call leaves such arrays as they are, and
where in the user's code it is that one cannot do what it is asked.

A helper that is not known to ask no more of an array than NumPy's protocols say might make an array
of NumPy of it, which computes a lazy one without a word. So a derivative that calls any other
helper is refused, and named is the statement that needs it.
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Collection
from types import FunctionType, ModuleType
from typing import Any

import gast
import numpy as np

from tangent_lite import runtime, syntax, trees
from tangent_lite.compile import line_map
from tangent_lite.errors import (
    InputError,
    MissingRuleError,
    OutputError,
    Place,
    TangentError,
    final,
)
from tangent_lite.functions.units import Derivative, Unit
from tangent_lite.kinds import Kind
from tangent_lite.kinds.duck import in_memory, named
from tangent_lite.modules import module_of
from tangent_lite.runtime import custom as runtime_custom
from tangent_lite.runtime import duck as runtime_duck
from tangent_lite.runtime import factors as runtime_factors
from tangent_lite.runtime import fourier as runtime_fourier
from tangent_lite.runtime import grids as runtime_grids
from tangent_lite.runtime import linalg as runtime_linalg
from tangent_lite.runtime import objects as runtime_objects
from tangent_lite.runtime import places as runtime_places
from tangent_lite.runtime import products as runtime_products
from tangent_lite.runtime import reductions as runtime_reductions
from tangent_lite.runtime import shapes as runtime_shapes
from tangent_lite.runtime import slopes as runtime_slopes
from tangent_lite.runtime import tangents as runtime_tangents
from tangent_lite.tracebacks import place_of_line
from tangent_lite.written.linemap import place_of

# What leaves arrays of any type as they are. Each is tried with an array that raises where it would
# be turned into another: see tests/calling/test_duck_arrays.py.
_LEAVE_ARRAYS = {
    runtime: "unbroadcast match unreduce reduced_size mean_size share_ties through_dtype "
             "power_slope log_or_zero divide_or_zero where_larger where_positive abs_slope "
             "clip_inner clip_low clip_high power_slope_in_exponent power_slopes "
             "matmul_adjoint_left matmul_adjoint_right zeros_like sum_of_structures term_of_sum "
             "add_parts add_items stop_gradient grad_hook copied spread_over",
    runtime_custom: "hooked",
    runtime_factors: "cholesky_adjoint cholesky_tangent eigh_adjoint eigh_vectors in_basis "
                     "over_gaps svdvals_adjoint svdvals_tangent",
    runtime_fourier: "fitted real_for",
    runtime_grids: "grid_part",
    runtime_linalg: "transposed solve_outer solve_transposed pinv_adjoint chain_part "
                    "as_matrix_factor dagger matrix_power_slope diagonal_sum diagonal_part "
                    "hermitian_part pinv_tangent solve_tangent chain_tangent spin",
    runtime_objects: "blank instance replaced",
    runtime_places: "select_hits",
    runtime_products: "dot_adjoint_left dot_adjoint_right tensordot_adjoint_left "
                      "tensordot_adjoint_right outer_adjoint_left outer_adjoint_right "
                      "inner_adjoint_left inner_adjoint_right kron_adjoint_left "
                      "kron_adjoint_right cross_adjoint_left cross_adjoint_right",
    runtime_reductions: "uncumsum products_of_others norm_slope count_numbers full_weights "
                        "degrees_of_freedom degrees_for_each some_degrees_of_freedom",
    runtime_shapes: "concatenated_part concatenated_parts stacked_part stacked_parts joined_part "
                    "joined_parts reshape_like reshape_back transpose_back transpose_again sizes "
                    "roll_back undiff diff_part untile append_part trapezoid_weights unsort "
                    "sort_tangent pad_tangent diff_along",
    runtime_slopes: "sinc_slope abs_slope_adjoint abs_slope_tangent angle_slope imag_adjoint",
    runtime_tangents: "zero_tangent own_tangent seed_of bare attributes is_record",
}
# What besides asks whether numbers are zero or adds to single elements, which a lazy array would be
# computed for.
_READ_OR_WRITE_ELEMENTS = {
    runtime_factors: "svd_back svd_forth qr_back qr_forth",
    runtime_fourier: "irfft_adjoint rfft_adjoint spectrum_weights resized",
    runtime_linalg: "cofactors",
    runtime_reductions: "cumprod_adjoint cumprod_tangent",
    runtime_shapes: "untake untake_along unpad unrepeat undiag undiagonal trace_adjoint",
}


def _functions(names: dict[ModuleType, str]) -> set[Any]:
    return {getattr(module, name) for module, found in names.items() for name in found.split()}


LEAVE_ARRAYS = _functions(_LEAVE_ARRAYS)
LEAVE_ARRAYS_IN_MEMORY = LEAVE_ARRAYS | _functions(_READ_OR_WRITE_ELEMENTS)
# What the derivative itself may ask of NumPy about arrays of NumPy only.
_OF_NUMPY = {"array", "asarray", "may_share_memory", "putmask", "empty", "empty_like"}


def by_protocol(derivative: Derivative, kinds: Collection[Kind]) -> None:
    """Refuse a derivative that calls what may turn arrays into others; kinds: of the arguments."""
    known = LEAVE_ARRAYS_IN_MEMORY if in_memory(kinds) else LEAVE_ARRAYS
    for unit in derivative.units:
        for node in syntax.statements(unit.tree.body):
            name = _turns_arrays(node, unit, known)
            if name is not None:
                raise final(MissingRuleError(
                    f"the derivative of this needs {name}, which works on arrays of NumPy only, "
                    f"not on arrays of type {named(kinds)}", _place(node, unit),
                    "write it with functions that are elementwise, sums, products or slices, or "
                    "pass arrays of NumPy"))


def _turns_arrays(node: gast.stmt, unit: Unit, known: set[Any]) -> str | None:
    """The name of a helper that a statement calls and that may turn arrays into others; known: the
    helpers that do not."""
    parts = [getattr(node, field) for field in ("value", "test", "iter", "targets")
             if isinstance(getattr(node, field, None), gast.AST)]
    for part in (one for whole in parts for one in syntax.walk(whole)):
        if isinstance(part, gast.Name):
            thing = unit.external.get(part.id)
            if isinstance(thing, FunctionType) and thing not in known \
                    and module_of(thing).startswith("tangent_lite.runtime") \
                    and thing.__module__ not in (runtime_duck.__name__, runtime_custom.__name__):
                return thing.__name__
        elif isinstance(part, gast.Attribute) and isinstance(part.value, gast.Name) \
                and unit.external.get(part.value.id) is np and part.attr in _OF_NUMPY \
                and not hasattr(node, "lineno"):
            return f"np.{part.attr}"
    return None


def _place(node: gast.stmt, unit: Unit) -> Place | None:
    found = place_of(node, unit) or place_of(unit.tree, unit)
    return None if found is None else place_of_line(*found)


def located(function: Callable[..., Any], derivative: Derivative) -> Callable[..., Any]:
    """An emitted function, whose refusals while it runs name the user's line."""
    @functools.wraps(function)
    def run(*values: Any) -> Any:
        try:
            return function(*values)
        except TangentError as error:
            file = function.__code__.co_filename
            trace = error.__traceback__
            spot = None
            while error.place is None and trace is not None:
                if trace.tb_frame.f_code.co_filename == file:
                    spot = line_map(derivative).get(trace.tb_lineno, spot)
                trace = trace.tb_next
            if spot is not None:
                error.place = place_of_line(*spot)
            raise

    return run


def seed(value: Any, name: str, complex_output: Callable[[], OutputError] | None) -> Any:
    """One, of the type of a result that is a duck array and need not be computed; complex_output:
    the error if it is complex, None where it may be."""
    if value.dtype.kind == "c" and complex_output is not None:
        raise complex_output()
    return runtime_duck.one_of_duck(value, name)


def refuse(values: Any, what: str) -> None:
    """Refuse duck arrays where all elements of an array are needed one by one."""
    for duck in trees.ducks_in(values):
        raise InputError(f"{what} takes arrays of NumPy, and was given one of type "
                         f"{type(duck).__name__}", None,
                         "take grad, vjp, jvp or hvp, or pass arrays of NumPy")
