"""Calls varied in one respect: layouts and precisions, options, forms of the call, outputs."""
import inspect
import warnings

import numpy as np

from tests.rules.calls import Call, frozen, reference


def other_layouts(x):
    """The same sort of values in arrays of all layouts and precisions."""
    x = np.asarray(x)
    yield "0-d", np.array(x.ravel()[0]) if x.size else np.array(0.5)
    yield "a NumPy scalar", np.float64(np.real(x.ravel()[0])) if x.size else np.float64(0.5)
    yield "size 0", x[:0].copy() if x.ndim else np.zeros(0)
    yield "no columns", x[..., :0].copy() if x.ndim else np.zeros((2, 0))
    yield "size 1", x[tuple(slice(0, 1) for _ in x.shape)].copy() if x.ndim else x.reshape(1)
    yield "single", x.astype(np.complex64 if x.dtype.kind == "c" else np.float32)
    yield "half", x.astype(np.float16) if x.dtype.kind == "f" else x.astype(np.complex64)
    yield "long double", x.astype(np.clongdouble if x.dtype.kind == "c" else np.longdouble)
    yield "negative strides", x[tuple(slice(None, None, -1) for _ in x.shape)]
    yield "Fortran order", np.asfortranarray(x) if x.ndim > 1 else np.repeat(x, 2)[::2]
    yield "broadcast", np.broadcast_to(x, (2, *x.shape))
    yield "repeated", np.broadcast_to(x[:1], x.shape) if x.ndim else np.broadcast_to(x, (3,))
    yield "complex", x * (1.0 + 0.25j) + 0.125j
    yield "read-only", frozen(x.copy())


def with_layouts(base):
    """The base with its arguments in other layouts: each of them, and all of them."""
    arrays = [n for n in base.moving if isinstance(base.values[n], (np.ndarray, float, complex))]
    for name in arrays[:3]:
        for what, value in other_layouts(base.values[name]):
            yield varied(base, f"{name} {what}", {name: value})
    if len(arrays) > 1:
        together = [dict(other_layouts(base.values[n])) for n in arrays]
        for what in together[0]:
            yield varied(base, f"all {what}", {n: t[what] for n, t in zip(arrays, together)})


def varied(base, what, values=None, **changes):
    made = Call(base.function, what, list(base.arguments), dict(base.options),
                {**base.values, **(values or {})}, list(base.moving), base.result, base.before,
                hermitian=base.hermitian)
    vars(made).update(changes)
    return made


OPTIONS = {
    "axis": ["None", "0", "-1", "(0,)", "(0, 1)", "(-1, 0)", "()", "np.int64(0)"],
    "axes": ["(1, 0)", "(-1, 0)", "((0,), (1,))"],
    "keepdims": ["True", "False"],
    "initial": ["0.5", "2.0"],
    "dtype": ["np.float32", "np.longdouble", "complex", "'float32'", "np.dtype(float)"],
    "where": ["True", "mask", "row"],
    "order": ["'C'", "'F'", "'K'", "'A'"],
    "casting": ["'same_kind'", "'unsafe'"], "subok": ["True", "False"],
    "ddof": ["1", "0"], "correction": ["1", "0.5"],
    "mode": ["'wrap'", "'clip'", "'raise'", "'same'", "'valid'", "'full'", "'reduced'", "'r'",
             "'complete'", "'reflect'", "'edge'", "'constant'"],
    "method": ["'lower'", "'midpoint'", "'nearest'", "'hazen'", "'weibull'", "'median_unbiased'"],
    "side": ["'left'", "'right'"], "left": ["0.25"], "right": ["0.75"], "period": ["2.0"],
    "norm": ["'ortho'", "'forward'", "'backward'"], "n": ["1", "2", "5"], "s": ["(2, 2)"],
    "ord": ["1", "2", "3", "np.inf", "'fro'", "0.5"], "optimize": ["True", "'greedy'"],
    "offset": ["1", "-1"], "axis1": ["1", "-1"], "axis2": ["0", "-2"], "k": ["1", "-1", "0"],
    "copy": ["True", "False", "None"], "ndmin": ["2"], "sparse": ["True"], "indexing": ["'ij'"],
    "hermitian": ["True"], "UPLO": ["'U'", "'L'"], "upper": ["True"], "rcond": ["1e-10", "None"],
    "full": ["True"], "full_matrices": ["False"], "compute_uv": ["False"], "overwrite_input":
    ["True"], "prepend": ["0.5"], "append": ["0.5"], "edge_order": ["2"], "decimals": ["1"],
    "nan": ["0.5"], "posinf": ["1.0"], "neginf": ["0.0"], "rowvar": ["False"], "bias": ["True"],
    "returned": ["True"], "weights": ["row"], "kind": ["'stable'"], "stable": ["True"],
    "discont": ["3.0"], "increasing": ["True"], "include_initial": ["True"], "equal_nan": ["True"],
    "return_index": ["True"], "return_counts": ["True"], "return_inverse": ["True"],
    "num": ["4"], "endpoint": ["False"], "retstep": ["True"], "base": ["2.0"],
    "repeats": ["2"], "shift": ["1"], "dx": ["0.5"], "x": ["row"], "min": ["0.2"], "max": ["0.9"],
    "a_min": ["0.2"], "a_max": ["0.9"], "device": ["'cpu'"], "like": ["np.zeros(2)"],
    "deg": ["True"], "trim": ["'f'"], "fill_value": ["0.5"], "stat_length": ["1"],
    "constant_values": ["0.5", "(0.5, 0.25)"], "end_values": ["0.5"], "reflect_type": ["'odd'"],
    "degree": ["1"], "type": ["1", "2", "3"], "orthogonalize": ["True"],
}
ALIASES = {"axisa": "axis1", "axisb": "axis1", "axisc": "axis1", "assume_unique": "full"}
OF_UFUNCS = {"dtype": OPTIONS["dtype"], "where": ["True"], "casting": OPTIONS["casting"],
             "order": OPTIONS["order"], "subok": OPTIONS["subok"]}
SINGLES = {"np.float32": "float", "'float32'": "float"}


def optional_parameters(function):
    """(name, whether it may stand by position) of the parameters that a call may leave out."""
    if isinstance(function, np.ufunc):
        if function.signature is not None:
            return [("axes", False), ("axis", False), ("dtype", False), ("order", False)]
        return [(name, False) for name in OF_UFUNCS]
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        member = getattr(function, "__objclass__", None) is np.ndarray
        model = getattr(np, function.__name__, None) if member else None
        if model is None or model is function:
            return [(n, False) for n in ("axis", "out", "dtype", "keepdims", "order")]
        return optional_parameters(model)
    return [(p.name, p.kind is not p.KEYWORD_ONLY) for p in parameters
            if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) and (
                p.default is not p.empty or p.name in OPTIONS)]


def names_by_position(function):
    try:
        return [p.name for p in inspect.signature(function).parameters.values()
                if p.kind in (p.POSITIONAL_OR_KEYWORD, p.POSITIONAL_ONLY)]
    except (TypeError, ValueError):
        return []


def helpers_for(base):
    """Masks and rows that fit the first array of a call."""
    x = next((np.asarray(v) for n, v in base.values.items() if n in base.moving), np.zeros(()))
    mask = np.arange(x.size).reshape(x.shape) % 3 != 1
    row = mask[(0,) * max(x.ndim - 1, 0)] if x.size else mask
    return mask, row, np.linspace(0.5, 1.5, row.size).reshape(row.shape)


def with_options(base):
    """The base with one more option of the function's signature; the options by position too."""
    mask, row_mask, row = helpers_for(base)
    given = set(base.options) | set(names_by_position(base.function)[:len(base.arguments)])
    for name, _ in optional_parameters(base.function):
        known = OPTIONS.get(ALIASES.get(name, name), [])
        if name in given or not callable(base.function):
            continue
        for text in known:
            wide = SINGLES.get(text, text)
            extra = {}
            if text == "mask":
                extra = {"mask": mask}
            elif text == "row":
                extra = {"row": row_mask if name == "where" else row}
            yield varied(base, f"{name}={text}", extra, options={**base.options, name: text},
                         wide={name: wide} if wide != text else {})
            if name in ("keepdims", "axis") and isinstance(base.function, np.ufunc):
                continue
    for name, text in (("axis", "0"), ("axis", "-1")):
        for other, value in (("keepdims", "True"), ("where", "mask"), ("initial", "0.5"),
                             ("dtype", "np.float32"), ("ddof", "1"), ("method", "'lower'")):
            names = {n for n, _ in optional_parameters(base.function)}
            if {name, other} <= names - given:
                yield varied(base, f"{name}={text}, {other}={value}", {"mask": mask},
                             options={**base.options, name: text, other: value},
                             wide={other: "float"} if other == "dtype" else {})


def with_forms(base):
    """The same call, arguments by name, options by position."""
    if getattr(base.function, "__objclass__", None) is np.ndarray:
        return
    names = names_by_position(base.function)
    if names and len(names) >= len(base.arguments):
        for first in range(len(base.arguments)):
            yield varied(base, f"by name from {first}", arguments=base.arguments[:first],
                         options={**dict(zip(names[first:], base.arguments[first:])),
                                  **base.options})
    try:
        parameters = inspect.signature(base.function).parameters
    except (TypeError, ValueError):
        return
    options, arguments = dict(base.options), list(base.arguments)
    for name in names[len(arguments):]:
        if not options:
            break
        if name in options:
            arguments.append(options.pop(name))
            yield varied(base, f"{name} by position", arguments=list(arguments),
                         options=dict(options))
        elif parameters[name].default is None or \
                isinstance(parameters[name].default, (int, float, str)):
            arguments.append(repr(parameters[name].default))
        else:
            break


def with_outputs(base, y):
    """The result written into an array: a fresh one, one of a view, the first argument."""
    if isinstance(y, tuple) or not takes_out(base.function):
        return
    dtype = np.asarray(y).dtype
    fresh = f"    out = np.zeros({np.shape(y)}, '{dtype.str}')\n"
    kept = f"    out = np.full({np.shape(y)}, 0.5, '{dtype.str}')\n"
    options = {**base.options, "out": "out"}
    yield varied(base, "out, returned", options=options, before=fresh)
    yield varied(base, "out, read", options=options, before=fresh,
                 result="{call}\n    return out * 2.0")
    yield varied(base, "out=None", options={**base.options, "out": "None"})
    if isinstance(base.function, np.ufunc):
        yield varied(base, "out of a tuple", options={**base.options, "out": "(out,)"},
                     before=fresh, result="{call}\n    return out * 2.0")
        yield varied(base, "out by position", arguments=[*base.arguments, "out"], before=fresh,
                     result="{call}\n    return out * 2.0")
        mask = np.arange(np.size(y)).reshape(np.shape(y)) % 3 != 1
        yield varied(base, "out where", {"mask": mask}, options={**options, "where": "mask"},
                     before=kept, result="{call}\n    return out * 2.0")
    else:
        names = names_by_position(base.function)
        if "out" in names and len(base.arguments) == names.index("out") and not base.options:
            yield varied(base, "out by position", arguments=[*base.arguments, "out"], before=fresh)
    for name in base.moving[:2]:
        x = np.asarray(base.values[name])
        if np.shape(y) == x.shape and x.ndim:
            yield varied(base, f"out={name}", options={**base.options, "out": name},
                         before=f"    {name} = {name} * 1.0\n",
                         result=f"{{call}}\n    return {name} * 2.0")
            yield varied(base, f"out={name}, the argument", options={**base.options, "out": name},
                         result=f"{{call}}\n    return {name} * 2.0")
    yield varied(base, "out of a view", options={**base.options, "out": "out[1]"},
                 before=f"    out = np.zeros({(2, *np.shape(y))}, '{dtype.str}')\n",
                 result="{call}\n    return out * 2.0")


def takes_out(function):
    if isinstance(function, np.ufunc):
        return True
    return any(name == "out" for name, _ in optional_parameters(function)) or (
        "out" in names_by_position(function))


def variations(base):
    """All variations of a call."""
    yield base
    yield from with_layouts(base)
    yield from with_options(base)
    yield from with_forms(base)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        y = reference(base, {n: base.values[n] for n in base.values})
    if y is not None:
        yield from with_outputs(base, y)
