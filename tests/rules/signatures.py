"""Calls of functions with rules in all the forms that NumPy accepts, judged through vjp and jvp.

The cases of `check` (support.py) are the bases. Each is varied in one respect (variations.py): an
argument of another layout or precision, one more option of the signature of the function, the same
call with arguments by position or by name, a result that is written into an array. Where NumPy
takes the call, the derivative is right, or refused by a TangentError; nothing else is allowed.

    python -m tests.rules.signatures [--module numpy] [--only NAME]      prints what is wrong
"""
import argparse
import importlib.util
import itertools
import tempfile
import warnings
from collections import Counter
from pathlib import Path

import numpy as np

import tangent_lite as tl
from tests.rules import cases
from tests.rules.calls import call_of, copied, frozen, laid_out, reference
from tests.rules.orders import parts_of
from tests.rules.values import hermitian, noise, paired
from tests.rules.variations import variations, varied

RIGHT, REFUSED, WRONG, CRASH, UNJUDGED = "right", "refused", "WRONG", "CRASH", "not judged"
numbers = itertools.count()


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
