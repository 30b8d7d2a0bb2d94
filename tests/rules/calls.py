"""A call of a function with rules as text, with the values of its names; and how it is run."""
from dataclasses import dataclass, field

import numpy as np

from tests.rules.orders import written


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


def frozen(x):
    x.flags.writeable = False
    return x
