"""tangent_lite: derivatives of plain Python and NumPy, written out as readable Python."""
from typing import TYPE_CHECKING, Any

from tangent_lite.api import GradientFunction, grad, value_and_grad, vjp
from tangent_lite.errors import (
    AliasError,
    InputError,
    MissingRuleError,
    NonFiniteError,
    OutputError,
    SourceNotFoundError,
    TangentError,
    UnsupportedSyntaxError,
    WrtError,
)

if TYPE_CHECKING:
    from tangent_lite.adjoints.checkpoints import checkpoint
    from tangent_lite.checking import check_grads
    from tangent_lite.functions.custom import custom_derivative
    from tangent_lite.operators import (
        elementwise_grad,
        hessian,
        hvp,
        jacfwd,
        jacobian,
        jacrev,
        jvp,
        linearize,
    )
    from tangent_lite.registry import adjoint, nondifferentiable, tangent
    from tangent_lite.runtime import grad_hook, stop_gradient

__version__ = "0.1.0"
__all__ = [
    "AliasError", "GradientFunction", "InputError", "MissingRuleError", "NonFiniteError",
    "OutputError", "SourceNotFoundError", "TangentError", "UnsupportedSyntaxError", "WrtError",
    "adjoint", "check_grads", "checkpoint", "custom_derivative", "elementwise_grad", "grad",
    "grad_hook", "hessian", "hvp", "jacfwd", "jacobian", "jacrev", "jvp", "linearize",
    "nondifferentiable", "stop_gradient", "tangent", "value_and_grad", "vjp",
]

# Imported when first asked for, since they bring the parser of rules and more along.
_LATER = {"adjoint": "registry", "check_grads": "checking", "nondifferentiable": "registry",
          "stop_gradient": "runtime", "grad_hook": "runtime", "checkpoint": "adjoints.checkpoints",
          "custom_derivative": "functions.custom",
          "tangent": "registry",
          **dict.fromkeys(("elementwise_grad", "hessian", "hvp", "jacfwd", "jacobian", "jacrev",
                           "jvp", "linearize"), "operators")}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module
    found = globals()[name] = getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
