"""The rules: one file for each area of NumPy, SciPy and Python; importing registers them."""
from tangent_lite.rules import (  # noqa: F401
    builtin_rules,
    creation,
    elementwise,
    elementwise_pairs,
    helpers,
    helpers_arrays,
    helpers_products,
    joining,
    linalg,
    math_rules,
    operators,
    products,
    reductions,
    selecting,
    shapes,
    user_rules,
)
