"""tangent_lite: derivatives of plain Python and NumPy, written out as readable Python."""
from tangent_lite.api import GradientFunction, grad, value_and_grad, vjp
from tangent_lite.checking import check_grads
from tangent_lite.errors import (
    AliasError,
    InputError,
    MissingRuleError,
    OutputError,
    SourceNotFoundError,
    TangentError,
    UnsupportedSyntaxError,
    WrtError,
)
from tangent_lite.registry import adjoint, nondifferentiable, tangent
from tangent_lite.runtime import stop_gradient

__version__ = "0.1.0"
__all__ = [
    "AliasError", "GradientFunction", "InputError", "MissingRuleError", "OutputError",
    "SourceNotFoundError", "TangentError", "UnsupportedSyntaxError", "WrtError", "adjoint",
    "check_grads", "grad", "nondifferentiable", "stop_gradient", "tangent", "value_and_grad", "vjp",
]
