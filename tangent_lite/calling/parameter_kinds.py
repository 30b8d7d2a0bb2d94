"""The kinds of the parameters of a function: from the arguments of a call, or from annotations."""
from __future__ import annotations

import dataclasses
from typing import Any

from tangent_lite import kinds
from tangent_lite.calling.request import Request
from tangent_lite.kinds import Kind
from tangent_lite.kinds import duck as kinds_duck
from tangent_lite.modules import module_of
from tangent_lite.shapes.assumptions import Assumptions
from tangent_lite.shapes.sized_kinds import sized


def found_kinds(request: Request, values: tuple[Any, ...],
                assumed: Assumptions | None = None) -> dict[str, Kind]:
    """The kinds of the parameters for these arguments; with the sizes of arrays, if it is noted
    somewhere what is assumed of them."""
    found = [kinds.kind_of(value) for value in values]
    if any(map(kinds_duck.holds_duck, found)):
        found = list(map(kinds_duck.next_to_ducks, found))
        assumed = None
    named = dict(zip(request.names, map(with_shape, found)))
    if assumed is not None:
        return {name: sized(kind, value, name, assumed)
                for (name, kind), value in zip(named.items(), values)}
    return named


def annotated_kinds(request: Request, with_defaults: bool = False) -> dict[str, Kind]:
    """The kinds of the parameters as annotations and bound objects tell; the rest is unknown.

    with_defaults: take them from the defaults too, where there is no annotation.
    """
    found: dict[str, Kind] = {}
    for name, value in zip(request.names, request.bound):
        found[name] = kinds.kind_of(value)
    for parameter in request.signature.parameters.values():
        kind = _of_annotation(parameter.annotation)
        default = parameter.default
        if kind is None and default is not parameter.empty and \
                (with_defaults or isinstance(default, (bool, str, type(None)))):
            kind = kinds.Nothing(is_default=True) if default is None \
                else with_shape(kinds.kind_of(default))
        found[parameter.name] = kind or kinds.UNKNOWN
    return {name: found.get(name, kinds.UNKNOWN) for name in request.names}


_ARRAYS = ("ndarray", "NDArray")
_ANNOTATIONS: dict[str, Kind] = {
    "float": kinds.FLOAT, "int": kinds.INT, "bool": kinds.BOOL, "complex": kinds.COMPLEX,
    "str": kinds.TEXT, **dict.fromkeys(_ARRAYS, kinds.Array(None, "float"))}


def _of_annotation(annotation: Any) -> Kind | None:
    """The kind that an annotation names: float, np.ndarray, "np.ndarray", NDArray[np.float64]."""
    if isinstance(annotation, str):
        head, _, inside = annotation.replace(" ", "").partition("[")
        package, _, name = head.rpartition(".")
        known = package in ("", "np", "numpy", "npt", "numpy.typing")
    else:
        origin = getattr(annotation, "__origin__", annotation)
        name, inside = getattr(origin, "__name__", ""), str(annotation)
        known = module_of(origin) in ("builtins", "numpy")
    if any(other in inside for other in ("int", "bool", "complex")) and name in _ARRAYS:
        return None
    return _ANNOTATIONS.get(name) if known else None


def with_shape(kind: Kind) -> Kind:
    """The kind of a parameter of whatever shape: its arrays with a token for that; those in lists
    and objects, which may be other ones each time, without."""
    if isinstance(kind, kinds.Array):
        return kinds.Array(kind.ndim, kind.dtype, kinds.new_shape())
    if isinstance(kind, kinds.DuckArray):
        return dataclasses.replace(kind, shape=kinds.new_shape())
    if isinstance(kind, (kinds.TupleKind, kinds.DictKind)):
        return dataclasses.replace(kind, items=tuple(map(with_shape, kind.items)))
    return kinds_duck.replaced(kind, _without_shape)


def _without_shape(kind: Kind) -> Kind:
    if isinstance(kind, (kinds.Array, kinds.DuckArray)) and kind.shape is not None:
        return dataclasses.replace(kind, shape=None)
    if isinstance(kind, kinds.Number) and kind.size is not None:
        return dataclasses.replace(kind, size=None)
    return kind
