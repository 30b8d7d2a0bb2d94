"""Second derivatives of the functions with rules, through what users call.

A case of `check` (tests/rules/support.py) becomes a program in a file,

    def program(x0, w_0):
        y = fun(x0, axis=0)
        return np.sum(w_0 * (y + 0.5 * y * y))

whose gradient is right by the tests of the first order. Its second derivatives are taken in all
four sequences of modes; "rf" reads as it nests, reverse over forward. They are compared with
differences of the gradient along a direction, and held against the symmetry of the Hessian. The
square is there so that adjoints vary as well: of a linear function, too, there is something to see.
"""
import importlib.util
import itertools
from dataclasses import dataclass

import numpy as np

import tangent_lite as tl
from tangent_lite import syntax
from tangent_lite.emit import emit
from tests.rules.support import IDENTITY
from tests.rules.values import noise, paired

SEQUENCES = ("rr", "fr", "rf", "ff")
MODES = "modes"                 # whether reverse and forward mode agree at the first order
RIGHT, WRONG, REFUSED, UNKNOWN = "right", "wrong", "refused", "not judged"
# Weights of g(x + k h v) - g(x - k h v), of order six.
STENCIL = {1: 45 / 60, 2: -9 / 60, 3: 1 / 60}
HEAD = "import numpy as np\nimport tangent_lite as tl\n\n\n"
numbers = itertools.count()


@dataclass
class Verdict:
    """What was found of one sequence of modes at one case."""
    what: str
    reason: str = ""


class Program:
    """A function of arrays and numbers whose result is a number, in a file of its own."""

    def __init__(self, text, names, args, moving, externals, folder):
        self.args, self.moving, self.text = args, moving, text
        steps = [f"d{name}" for name in names[:moving]]
        # The parameters that vary come first; the directions of "along" come last.
        tangents = ", ".join(steps) + ", None" * (len(names) - moving)
        # The program itself, unless it was written in another file.
        text = (f"{HEAD}{text}\n\n\n"
                f"def along({', '.join([*names, *steps])}):\n"
                f"    return tl.jvp(program, ({', '.join(names)},), ({tangents},))[1]\n")
        path = folder / f"program_{next(numbers)}.py"
        path.write_text(text, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        vars(module).update(externals)
        spec.loader.exec_module(module)
        self.value, self.along = module.program, module.along
        self.wrt = tuple(range(moving))
        self.gradient = tl.grad(self.value, wrt=self.wrt)

    def gradient_at(self, t, direction):
        """The gradient at a distance t along a direction."""
        moved = [like(a, a + t * d) for a, d in zip(self.args, direction)]
        return self.gradient(*moved, *self.args[self.moving:])

    def differences(self, direction, step):
        """The product of the Hessian with a direction, by differences of the gradient."""
        total = [0.0] * self.moving
        for k, weight in STENCIL.items():
            ahead = self.gradient_at(k * step, direction)
            behind = self.gradient_at(-k * step, direction)
            total = [t + weight * (np.asarray(a) - b) for t, a, b in zip(total, ahead, behind)]
        return [t / step for t in total]

    def product(self, sequence, direction, other):
        """The Hessian times a direction, or ("ff") the number that it makes with the other one."""
        rest = (None,) * (len(self.args) - self.moving)
        if sequence == "rr":
            return tl.vjp(self.gradient, *self.args, wrt=self.wrt)[1](tuple(direction))
        if sequence == "fr":
            return tl.jvp(self.gradient, tuple(self.args), (*direction, *rest))[1]
        if sequence == "rf":
            return tl.grad(self.along, wrt=self.wrt)(*self.args, *direction)
        return tl.jvp(self.along, (*self.args, *other),
                      (*direction, *rest, *(None,) * self.moving))[1]


    def disagreement(self, direction):
        """How far the two modes are apart along a direction, and the size of what is compared."""
        rest = (None,) * (len(self.args) - self.moving)
        pulled = self.gradient(*self.args)
        pushed = tl.jvp(self.value, tuple(self.args), (*direction, *rest))[1]
        return abs(along(pulled, direction) - pushed), magnitude(pulled, direction) + abs(pushed)


def like(model, value):
    """value as the kind of number or array that the model is."""
    if isinstance(model, np.ndarray):
        made = np.empty_like(model)
        made[...] = value
        return made
    return type(model)(value)


# Programs of cases --------------------------------------------------------------------------------
def program_of(case, folder):
    """The program that stands for a case of `check`; None if its result holds no numbers."""
    rng = np.random.default_rng(5)
    names, args = list(case.leaves), list(case.leaves.values())
    moving, externals = len(names), {"fun": case.fun}
    for name, value in case.values.items():
        if isinstance(value, (np.ndarray, np.generic)):
            names.append(name)
            args.append(value)
        else:
            externals[name] = value
    terms = []
    for place, y in parts_of(case.y, "y"):
        if np.asarray(y).dtype.kind not in "fc" or not np.size(y):
            continue
        weights = f"w_{len(terms)}"
        names.append(weights)
        args.append(noise(rng, np.asarray(y)) if np.ndim(y) else noise(rng, np.asarray(y)).item())
        term = f"np.sum({weights} * ({place} + 0.5 * {place} * {place}))"
        terms.append(f"np.real({term})" if np.iscomplexobj(y) else term)
    if not terms or not moving:
        return None
    text = (f"def program({', '.join(names)}):\n    y = {call_of(case)}\n"
            f"    return {' + '.join(terms)}")
    return Program(text, names, args, moving, externals, folder)


def program_written(function, args, folder):
    """The program that a function of numbers and arrays is, all of which vary."""
    names = [f"x{k}" for k in range(len(args))]
    return Program("", names, list(args), len(args), {"program": function}, folder)


def parts_of(value, place):
    """The numbers and arrays of a result, each with the expression that it is."""
    if isinstance(value, (tuple, list)):
        for k, part in enumerate(value):
            yield from parts_of(part, f"{place}[{k}]")
    else:
        yield place, value


def call_of(case):
    """The call of a case as text; a member of arrays is called as one."""
    args = [written(case.expressions[k]) for k in range(len(case.args))]
    options = [f"{k}={written(case.expressions[k])}" for k in case.options]
    if getattr(case.fun, "__objclass__", None) is np.ndarray:
        member = f"{args[0]}.{case.fun.__name__}"
        return f"{member}({', '.join([*args[1:], *options])})" if callable(case.fun) else member
    return f"fun({', '.join([*args, *options])})"


def written(expression):
    return emit(syntax.copy(expression)).strip()


def directions_of(program, hermitian=0):
    """Two directions; where a function reads one triangle of matrices, as many Hermitian ones."""
    for seed in (1, 2):
        rng = np.random.default_rng(seed)
        found = [noise(rng, a) for a in program.args[:program.moving]]
        yield [0.5 * (d + np.conj(np.swapaxes(d, -1, -2))) if k < hermitian else d
               for k, d in enumerate(found)]


# Judging ------------------------------------------------------------------------------------------
def judge(program, direction, other, step=1e-3, rtol=1e-6):
    """The verdicts on the second derivatives of a program, by sequence of modes."""
    with np.errstate(all="ignore"):
        try:
            fine, coarse = (program.differences(direction, h) for h in (step, 2.0 * step))
            apart, terms = program.disagreement(direction)
        except tl.TangentError as error:
            return dict.fromkeys((MODES, *SEQUENCES), Verdict(REFUSED, first_line(error)))
        except (ValueError, ArithmeticError) as error:  # of the function, beside its arguments
            return dict.fromkeys((MODES, *SEQUENCES), Verdict(UNKNOWN, first_line(error)))
        found = {s: attempt(lambda: program.product(s, direction, other)) for s in SEQUENCES}
        if isinstance(found["rr"], Verdict):
            turned = found["rr"]
        else:
            turned = attempt(lambda: program.product("rr", other, direction))
    scale = size(fine)
    doubt = max(size([a - b for a, b in zip(fine, coarse)]), 1e-9 * scale)
    if not np.isfinite(scale):
        return dict.fromkeys((MODES, *SEQUENCES), Verdict(UNKNOWN, "not finite"))
    if doubt > 1e-3 * max(scale, 1e-3):
        return dict.fromkeys((MODES, *SEQUENCES), Verdict(UNKNOWN, "differences do not settle"))
    allowed = max(rtol * max(scale, 1.0), doubt)
    verdicts = {MODES: Verdict(RIGHT) if apart <= IDENTITY * terms else Verdict(
        WRONG, f"the modes differ by {apart:.1e} of {terms:.1e}")}
    for sequence, value in found.items():
        if isinstance(value, Verdict):
            verdicts[sequence] = value
            continue
        if sequence == "ff":
            wrong = abs(value - along(fine, other))
        elif sequence == "fr":
            wrong = size([a - b for a, b in zip(value, fine)])
        else:
            # Reverse mode gives the transposed product, which the convention for complex numbers
            # and symmetric matrices make another array.
            wrong = abs(along(value, other) - along(fine, other))
        verdicts[sequence] = Verdict(RIGHT) if wrong <= allowed * len(fine) * 4 else Verdict(
            WRONG, f"{wrong:.2e} beside {scale:.2e} ({allowed:.0e} allowed)")
    if verdicts["rr"].what == RIGHT and not isinstance(turned, Verdict):
        lopsided = abs(along(found["rr"], other) - along(turned, direction))
        if lopsided > 1e-9 * max(magnitude(found["rr"], other), magnitude(turned, direction), 1e-3):
            verdicts["rr"] = Verdict(WRONG, f"not symmetric by {lopsided:.2e}")
    return verdicts


def attempt(derivative):
    try:
        return derivative()
    except tl.TangentError as error:
        return Verdict(REFUSED, first_line(error))
    except Exception as error:                          # no derivative may end so
        return Verdict(WRONG, f"{type(error).__name__}: {first_line(error)}")


def first_line(error):
    return next(iter(str(error).splitlines()), "")


def size(parts):
    """The largest number of several arrays; NaN where there is one."""
    return max((float(np.max(np.abs(p))) for p in parts if np.size(p)), default=0.0, key=as_key)


def as_key(number):
    return np.inf if np.isnan(number) else number


def along(parts, direction):
    return sum(float(paired(p, d)) for p, d in zip(parts, direction))


def magnitude(parts, direction):
    return sum(float(np.sum(np.abs(p) * np.abs(d))) for p, d in zip(parts, direction))
