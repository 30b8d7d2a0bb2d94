"""Calls of functions with rules in all the forms that NumPy accepts, judged through vjp and jvp.

The cases of `check` (tests/rules/support.py) are the bases. Each is varied in one respect: an
argument of another layout or precision, one more option of the signature of the function, the same
call with arguments by position or by name, a result that is written into an array. Where NumPy
takes the call, the derivative is right, or refused by a TangentError; nothing else is allowed.

    python -m tests.rules.signatures [--module numpy] [--only NAME]      prints what is wrong
"""
import argparse
import importlib.util
import inspect
import itertools
import tempfile
import warnings
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import tangent_lite as tl
from tests.rules import cases
from tests.rules.orders import parts_of, written
from tests.rules.support import hermitian, noise, paired

RIGHT, REFUSED, WRONG, CRASH, UNJUDGED = "right", "refused", "WRONG", "CRASH", "not judged"
numbers = itertools.count()


@dataclass
class Call:
    """A call as text, with the values of its names; `moving` are those that vary."""
    function: object
    what: str                               # in which respect it was varied
    arguments: list                         # texts
    options: dict                           # name: text
    values: dict                            # name: value
    moving: list
    result: str = "{call}"                  # what is made of the call; "out" is the array written
    before: str = ""
    wide: dict = field(default_factory=dict)    # options of the reference in double precision
    hermitian: int = 0                      # how many arguments are read by one triangle

    def written(self):
        options = [f"{k}={v}" for k, v in self.options.items()]
        function = self.function
        if getattr(function, "__objclass__", None) is np.ndarray:
            member = f"{self.arguments[0]}.{function.__name__}"
            return f"{member}({', '.join([*self.arguments[1:], *options])})" \
                if callable(function) else member
        return f"fun({', '.join([*self.arguments, *options])})"

    def text(self):
        body = self.before + f"    {self.result.format(call=self.written())}\n"
        return f"def program({', '.join(self.values)}):\n{body}"


def call_of(case):
    """The base call of a case of `check`."""
    arguments = [written(case.expressions[k]) for k in range(len(case.args))]
    options = {k: written(case.expressions[k]) for k in case.options}
    return Call(case.fun, "as it is", arguments, options, {**case.leaves, **case.values},
                list(case.leaves), "return {call}",
                hermitian=getattr(case.compare, "hermitian_arguments", 0))


# Variations ---------------------------------------------------------------------------------------
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


def frozen(x):
    x.flags.writeable = False
    return x


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


# Judging ------------------------------------------------------------------------------------------
def copied(value):
    """A copy that lies in memory as an array does, but for what repeats."""
    return laid_out(value, value) if isinstance(value, np.ndarray) else value


def laid_out(value, model):
    """value in an array of its own that has the order and the signs of strides of a model."""
    if not model.ndim:
        return np.array(value)
    turn = tuple(slice(None, None, -1 if s < 0 else 1) for s in model.strides)
    made = np.empty_like(model[turn], dtype=value.dtype)[turn]
    made[...] = value
    return made


def reference(call, values):
    """What the function returns, run as it is; None where NumPy refuses the call."""
    space = {"np": np, "fun": call.function}
    exec(compile(call.text(), "<reference>", "exec"), space)
    try:
        return space["program"](**{n: copied(v) for n, v in values.items()})
    except Exception:
        return None


def judge(call, folder):
    """(verdict, why) of a call; None where there is nothing to judge."""
    reason = cannot_be_judged(call)
    if reason is not None:
        return UNJUDGED, reason
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        y = reference(call, call.values)
        if y is None:
            return None
        if not any(np.asarray(p).dtype.kind in "fc" for _, p in parts_of(y, "")):
            return None
        return judged(call, y, folder)


def judged(call, y, folder):
    path = folder / f"call_{next(numbers)}.py"
    path.write_text("import numpy as np\n\n\n" + call.text(), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    module.fun = call.function
    spec.loader.exec_module(module)
    rng = np.random.default_rng(3)
    names = list(call.values)
    args = [call.values[n] for n in names]
    args = [frozen(copied(a)) if isinstance(a, np.ndarray) else a for a in args]
    direction = {n: noise(rng, call.values[n]) for n in call.moving}
    for name in call.moving[:call.hermitian]:
        direction[name] = hermitian(direction[name])
    by = noise_like(rng, y)
    wrt = tuple(names.index(n) for n in call.moving)
    verdicts = []
    pulled = pushed = None
    try:
        value, pullback = tl.vjp(module.program, *args, wrt=wrt)
        pulled = pullback(by)
        verdicts.append(same_value(value, y, "vjp"))
    except tl.TangentError as error:
        verdicts.append((REFUSED, f"vjp: {error}"))
    except NotImplementedError as error:
        verdicts.append((REFUSED, f"vjp: {error}"))
    except np.linalg.LinAlgError as error:
        verdicts.append((UNJUDGED, f"vjp: {error}"))
    except Exception as error:
        verdicts.append((CRASH, f"vjp: {type(error).__name__}: {error}"))
    try:
        tangents = tuple(direction.get(n) for n in names)
        value, pushed = tl.jvp(module.program, tuple(args), tangents)
        verdicts.append(same_value(value, y, "jvp"))
    except tl.TangentError as error:
        verdicts.append((REFUSED, f"jvp: {error}"))
    except NotImplementedError as error:
        verdicts.append((REFUSED, f"jvp: {error}"))
    except np.linalg.LinAlgError as error:
        verdicts.append((UNJUDGED, f"jvp: {error}"))
    except Exception as error:
        verdicts.append((CRASH, f"jvp: {type(error).__name__}: {error}"))
    if pulled is not None:
        verdicts.append(fitting([call.values[n] for n in call.moving], pulled, "gradient"))
    if pushed is not None:
        verdicts.append(fitting([y], [pushed], "tangent"))
    verdicts.append(against_differences(call, y, by, direction, pulled, pushed))
    order = [WRONG, CRASH, REFUSED, UNJUDGED, RIGHT]
    return min((v for v in verdicts if v), key=lambda v: order.index(v[0]))


def noise_like(rng, y):
    if isinstance(y, tuple):
        made = [noise_like(rng, p) for p in y]
        return type(y)(*made) if hasattr(y, "_fields") else tuple(made)
    if isinstance(y, list):
        return [noise_like(rng, p) for p in y]
    if np.asarray(y).dtype.kind not in "fc":
        return None
    return noise(rng, y)


def same_value(value, y, mode):
    for (place, a), (_, b) in zip(parts_of(value, "y"), parts_of(y, "y")):
        if np.asarray(a).dtype != np.asarray(b).dtype or np.shape(a) != np.shape(b) or \
                not np.array_equal(a, b, equal_nan=np.asarray(b).dtype.kind in "fc"):
            return WRONG, f"{mode}: the value {place} is {a!r} in place of {b!r}"
    return RIGHT, ""


def fitting(models, found, what):
    """Whether derivatives have the shapes and precisions of what they belong to."""
    for model, one in zip(models, found):
        for (place, a), (_, b) in zip(parts_of(model, ""), parts_of(one, "")):
            kind = np.asarray(a).dtype
            if b is None or kind.kind not in "fc":
                continue
            if np.shape(a) != np.shape(b):
                return WRONG, f"{what}{place}: shape {np.shape(b)} in place of {np.shape(a)}"
            if np.asarray(b).dtype != kind:
                return WRONG, f"{what}{place}: {np.asarray(b).dtype} in place of {kind}"
    return RIGHT, ""


def precision_of(values):
    sizes = [np.finfo(np.asarray(v).dtype).eps for v in values if np.asarray(v).dtype.kind in "fc"]
    return max(sizes, default=1e-16)


def widened(value):
    value = np.asarray(value) if not isinstance(value, np.ndarray) else value
    wide = np.complex128 if value.dtype.kind == "c" else np.float64
    return laid_out(value.astype(wide), value)


def against_differences(call, y, by, direction, pulled, pushed):
    options = {**call.options, **call.wide}
    before = call.before.replace("'<f4'", "'<f8'").replace("'<f2'", "'<f8'") \
        .replace("'<c8'", "'<c16'")
    wide = varied(call, "wide", options=options, before=before)
    start = {n: widened(v) if n in call.moving else v for n, v in call.values.items()}

    def at(t):
        moved = {n: restored(v + t * np.asarray(direction[n], v.dtype), call.values[n])
                 if n in call.moving else v for n, v in start.items()}
        found = reference(wide, moved)
        return None if found is None else [p for _, p in parts_of(found, "")]

    h = 1e-3
    values = [at(t) for t in (h, -h, 2 * h, -2 * h, h / 2, -h / 2, 0.0)]
    if any(v is None or [np.shape(p) for p in v] != [np.shape(p) for p in values[0]]
           for v in values):
        return UNJUDGED, "the function ends beside the point"
    shapes = [np.shape(p) for _, p in parts_of(y, "")]
    if [np.shape(p) for p in values[0]] != shapes:
        return UNJUDGED, "another shape beside the point"
    cotangents = [p for _, p in parts_of(by, "")]
    precise = max(precision_of(call.values[n] for n in call.moving),
                  precision_of([p for _, p in parts_of(y, "")]))
    rtol = 1e-6 if precise < 1e-15 else 3e4 * precise if precise > 1e-4 else 1e-3
    expected = total = slack = 0.0
    pushed_parts = None if pushed is None else [p for _, p in parts_of(pushed, "")]
    for k, b in enumerate(cotangents):
        if b is None or np.asarray(values[0][k]).dtype.kind not in "fc":
            continue
        a, c, d, e, m, n, middle = (np.asarray(v[k]) for v in values)
        fine = (8.0 * (a - c) - (d - e)) / (12.0 * h)
        finer = (8.0 * (m - n) - (a - c)) / (6.0 * h)
        if not np.all(np.isfinite(fine)):
            return UNJUDGED, "not finite"
        doubt = biggest(fine - finer)
        bend = (m - 2.0 * middle + n) / (h / 2)
        if doubt > 1e-4 * max(1.0, biggest(fine)) or biggest(bend) > 0.1 * max(1.0, biggest(fine)):
            return UNJUDGED, "a kink"
        if pushed_parts is not None and pushed_parts[k] is not None \
                and not np.all(np.isfinite(pushed_parts[k])):
            return UNJUDGED, "no finite derivative"
        if pushed_parts is not None:
            found = pushed_parts[k]
            if found is None:
                found = np.zeros_like(fine)
            if not np.allclose(found, fine, rtol, 4.0 * doubt + rtol * max(1.0, biggest(fine))):
                return WRONG, f"jvp: {found!r} in place of {fine!r}"
        expected += paired(b, fine)
        total += float(np.sum(np.abs(np.asarray(b) * fine)))
        slack += 4.0 * doubt * float(np.sum(np.abs(b)))
    if pulled is not None:
        found = sum(paired(p, direction[n]) for p, n in zip(pulled, call.moving))
        size = total + sum(float(np.sum(np.abs(np.asarray(p) * direction[n])))
                           for p, n in zip(pulled, call.moving))
        if not np.isfinite(found):
            return UNJUDGED, "no finite derivative"
        if not abs(found - expected) <= slack + rtol * max(1.0, size):
            return WRONG, f"vjp: {found!r} in place of {expected!r}"
    return RIGHT, ""


def restored(value, model):
    """value as an array or number as the model is one, in its layout."""
    if isinstance(model, np.ndarray):
        return laid_out(np.asarray(value), model)
    return value.item() if isinstance(value, np.ndarray) and not isinstance(model, np.generic) \
        else value[()]


def biggest(x):
    return float(np.max(np.abs(x))) if np.size(x) else 0.0


# What differences cannot judge --------------------------------------------------------------------
TIES = {np.median, np.nanmedian, np.quantile, np.nanquantile, np.percentile, np.nanpercentile,
        np.max, np.min, np.amax, np.amin, np.nanmax, np.nanmin, np.partition, np.sort, np.ptp,
        np.ndarray.max, np.ndarray.min, np.ndarray.sort, np.ndarray.partition}
EQUAL = {np.linalg.eig, np.linalg.eigvals, np.linalg.svd}
UNINITIALISED = {np.fft.irfft, np.fft.hfft}


def cannot_be_judged(call):
    """Why differences say nothing of a call; None if they do."""
    if call.what.endswith(("repeated", "broadcast")):
        if call.function in TIES:
            return "elements are equal, and NumPy's order decides"
        if call.function in EQUAL:
            return "eigenvalues or singular values are equal"
    if call.what.endswith(("size 0", "no columns")) and call.function in UNINITIALISED:
        return "NumPy returns what was in memory"
    if call.what in ("where=mask", "where=row") and isinstance(call.function, np.ufunc) \
            and "out" not in call.options:
        return "NumPy leaves what was in memory where the mask does not hold"
    if call.what.endswith("long double") and call.function in (np.partition, np.ndarray.partition):
        return "how the rest is ordered depends on the precision"
    return None


# Running ------------------------------------------------------------------------------------------
def bases(found, most, module="numpy"):
    from tests.rules import counts
    for group in cases.by_function(found).values():
        if counts.namespace(group[0].fun).startswith(module):
            for case in cases.representative(group, most):
                yield call_of(case)


def judged_calls(calls, folder):
    """(call, verdict, why) of the calls that say something."""
    for call in calls:
        verdict = judge(call, folder)
        if verdict is not None:
            yield (call, *verdict)


def described(call, verdict, why):
    from tests.rules import counts
    name = f"{counts.namespace(call.function)}.{counts.name_of(call.function)}"
    return f"{verdict} {name} [{call.what}] {call.written()}\n      {str(why)[:300]}"


def main():
    from tests.rules import counts
    parser = argparse.ArgumentParser()
    parser.add_argument("--module", default="numpy")
    parser.add_argument("--only", help="the name of a function")
    parser.add_argument("--most", type=int, default=2, help="bases for each function")
    parser.add_argument("--tests", default="tests/rules")
    parser.add_argument("--refused", action="store_true", help="print what is refused, too")
    options = parser.parse_args()
    counts.load_everything()
    shown = {WRONG, CRASH} | ({REFUSED} if options.refused else set())
    tally = Counter()
    every = (call for base in bases(cases.collected(options.tests), options.most, options.module)
             if options.only in (None, counts.name_of(base.function))
             for call in variations(base))
    with tempfile.TemporaryDirectory(prefix="signatures_") as folder:
        for call, verdict, why in judged_calls(every, Path(folder)):
            tally[verdict] += 1
            if verdict in shown:
                print(described(call, verdict, why), flush=True)
    print(dict(tally))


if __name__ == "__main__":
    main()
