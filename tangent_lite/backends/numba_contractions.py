"""Sums of products over letters of axes, as einsum has them: loops, written for a spec.

    "ij,jk->ik"     =>      def contract(x0, x1): ...

Products of stacks of matrices, tensordot, kron and the adjoints of all of these are such sums
(`numba_products`). Two large operands that share letters are put into the shape of matrices first,
whose product the library of linear algebra computes.
"""
from __future__ import annotations

import functools
import string
from typing import Any

import numpy as np
from numba import types
from numpy.lib.stride_tricks import as_strided

from tangent_lite.backends.numba_axes import stretched_view
from tangent_lite.backends.numba_functions import is_array, is_number, stop, written_function

# So many products are faster in loops than the copies that the library needs.
_SMALL = 2000


def explicit(spec: str, ranks: list[int]) -> tuple[list[str], str] | None:
    """The letters of the operands and of the result, with letters for an ellipsis, whose axes
    broadcast from the right; None where a spec and the ranks do not fit each other.

    >>> explicit("...i,ij", [3, 2])
    (['ABi', 'ij'], 'ABj')
    """
    inputs, arrow, output = spec.replace(" ", "").partition("->")
    parts = inputs.split(",")
    if len(parts) != len(ranks):
        return None
    free = [c for c in string.ascii_uppercase + string.ascii_lowercase if c not in spec]
    counts = [rank - len(p) + 3 for p, rank in zip(parts, ranks) if "..." in p]
    dots = "".join(free[:max(counts, default=0)])
    if min(counts, default=0) < 0 or len(dots) < max(counts, default=0):
        return None
    if not arrow:
        letters = inputs.replace(".", "").replace(",", "")
        output = "..." * bool(counts) + "".join(sorted(
            c for c in set(letters) if letters.count(c) == 1))
    parts = [p.replace("...", dots[len(dots) - (rank - len(p) + 3):]) for p, rank in
             zip(parts, ranks)]
    output = output.replace("...", dots)
    if any(len(p) != rank for p, rank in zip(parts, ranks)) or "." in "".join(parts) + output \
            or not set(output) <= set("".join(parts)) or len(set(output)) < len(output):
        return None
    return parts, output


def fits(operands: Any) -> bool:
    """Whether all operands are numbers and arrays that make a float64 together."""
    kinds = [getattr(x, "dtype", x) for x in operands]
    return all((is_array(x) or is_number(x)) and not isinstance(k, types.Complex) and
               not (isinstance(k, types.Float) and k.bitwidth != 64)
               for x, k in zip(operands, kinds)) and any(isinstance(k, types.Float) for k in kinds)


@functools.cache
def contraction(parts: tuple[str, ...], output: str) -> Any:
    """`def contract(x0, x1, ...)`: the sum of products; of one operand of which nothing is summed
    it is a view, as einsum gives it."""
    names = ", ".join(f"x{k}" for k in range(len(parts)))
    return with_contraction([f"def contract({names}):"], parts, output)


def with_contraction(lines: list[str], parts: tuple[str, ...], output: str) -> Any:
    """A function whose first lines bind x0, x1, ..., and which returns the sum of products. All of
    it is one function: what a function calls is compiled with it once more."""
    return written_function([*lines, *("    " + line for line in _contracted(parts, output))],
                            {"np": np, "stop": stop, "as_strided": as_strided})


def _contracted(parts: tuple[str, ...], output: str) -> list[str]:
    """The lines that return the sum of products of x0, x1, ..."""
    if len(parts) == 1 and parts[0] and set(parts[0]) == set(output):
        return _view(parts[0], output)
    loops = _loops(parts, output)
    if len(parts) != 2 or any(len(set(p)) < len(p) for p in parts):
        return loops
    first, second = map(set, parts)
    shared, kept = first & second, set(output)
    summed = shared - kept
    if not (summed and first - second and second - first) or (first ^ second) - kept:
        return loops
    several = " * ".join(["1.0", *(f"x0.shape[{k}]" for k in range(len(parts[0]))), *(
        f"x1.shape[{k}]" for k, c in enumerate(parts[1]) if c not in shared)])
    unequal = " or ".join(f"x0.shape[{parts[0].index(c)}] != x1.shape[{parts[1].index(c)}]"
                          for c in sorted(shared))
    return [f"if {several} < {_SMALL} or {unequal}:", *("    " + line for line in loops),
            *_by_matrices(*parts, output)]


def _view(part: str, output: str) -> list[str]:
    """Axes in another order, and diagonals."""
    lines = []
    for k, c in enumerate(part):
        if part.index(c) < k:
            lines += [f"if x0.shape[{k}] != x0.shape[{part.index(c)}]:", "    stop()"]
    shape = ", ".join(f"x0.shape[{part.index(c)}]" for c in output)
    strides = ", ".join(" + ".join(f"x0.strides[{k}]" for k, d in enumerate(part) if d == c)
                        for c in output)
    return [*lines, f"return as_strided(x0, ({shape},), ({strides},))"]


def sizes_of_letters(parts: tuple[str, ...]) -> list[str]:
    """Statements that say how long each letter is (`n_i`), and whether some axis of length 1 is
    stretched to it (`stretched`)."""
    lines = [f"n_{c} = 1" for c in dict.fromkeys("".join(parts))]
    for k, part in enumerate(parts):
        for axis, c in enumerate(part):
            size = f"x{k}.shape[{axis}]"
            if c in part[:axis]:
                # NumPy does not stretch one of the axes of a diagonal.
                lines += [f"if {size} != x{k}.shape[{part.index(c)}]:", "    stop()"]
            lines += [f"if {size} != 1:", f"    if n_{c} != 1 and n_{c} != {size}:",
                      "        stop()", f"    n_{c} = {size}"]
    unequal = [f"x{k}.shape[{axis}] != n_{c}" for k, part in enumerate(parts)
               for axis, c in enumerate(part)]
    return [*lines, f"stretched = {' or '.join(unequal) or 'False'}"]


def _stretched(made: str, array: str, part: str) -> str:
    """A statement that gives an array the lengths of its letters."""
    return stretched_view(made, array, [f"n_{c}" for c in part], range(len(part)))


def element(array: str, part: str) -> str:
    """The element of an array, or of a number, at the letters of its axes."""
    return f"{array}[{', '.join(f'i_{c}' for c in part)}]" if part else array


def nested(letters: str, body: list[str]) -> list[str]:
    """Loops over letters around statements."""
    lines = [f"{'    ' * k}for i_{c} in range(n_{c}):" for k, c in enumerate(letters)]
    return lines + ["    " * len(letters) + line for line in body]


def _loops(parts: tuple[str, ...], output: str) -> list[str]:
    summed = "".join(dict.fromkeys(c for p in parts for c in p if c not in output))
    lines = sizes_of_letters(parts)
    if output:
        shape = ", ".join(f"n_{c}" for c in output)
        lines.append(f"out = np.empty(({shape},))")
    for is_stretched in (True, False):
        names = [f"v{k}" if is_stretched and p else f"x{k}" for k, p in enumerate(parts)]
        product = " * ".join(map(element, names, parts))
        body = ["total = 0.0", *nested(summed, [f"total += {product}"])]
        if output:
            body.append(f"out[{', '.join(f'i_{c}' for c in output)}] = total")
        body = nested(output, body)
        if not output:
            body.append("return total")
        views = [_stretched(name, f"x{k}", p)
                 for k, (name, p) in enumerate(zip(names, parts)) if p]
        lines += [f"if {'' if is_stretched else 'not '}stretched:",
                  *("    " + line for line in [*views * is_stretched, *body])]
    lines.append("return out" if output else "return 0.0")
    return lines


def _by_matrices(first: str, second: str, output: str) -> list[str]:
    """The same by products of matrices, one for each place along the letters that both operands
    and the result have."""
    batch = [c for c in output if c in first and c in second]
    left = [c for c in output if c in first and c not in second]
    right = [c for c in output if c in second and c not in first]
    summed = [c for c in first if c in second and c not in output]
    lines = []
    for c in dict.fromkeys(first + second):
        k, part = (0, first) if c in first else (1, second)
        lines.append(f"n_{c} = x{k}.shape[{part.index(c)}]")
    count = {name: " * ".join(["1", *(f"n_{c}" for c in letters)]) for name, letters in (
        ("batch", batch), ("left", left), ("right", right), ("summed", summed))}
    # Numba compiles these loops in a tenth of the time that transposed copies take it.
    for k, part, order, shape in ((0, first, batch + left + summed, ("batch", "left", "summed")),
                                  (1, second, batch + summed + right,
                                   ("batch", "summed", "right"))):
        sizes = ", ".join(count[name] for name in shape)
        lines += [f"flat{k} = np.empty(x{k}.size)", "p = 0"]
        lines += nested("".join(order), [
            f"flat{k}[p] = {element(f'x{k}', part)}", "p += 1"])
        lines.append(f"a{k} = flat{k}.reshape(({sizes}))")
    found = "".join(batch + left + right)
    lines += [f"made = np.empty(({count['batch']}, {count['left']}, {count['right']}))",
              "for b in range(made.shape[0]):",
              "    np.dot(a0[b], a1[b], made[b])"]
    shape_found = f"({', '.join(f'n_{c}' for c in found)},)"
    if found == output:
        lines.append(f"return made.reshape({shape_found})")
    else:
        shape_out = f"({', '.join(f'n_{c}' for c in output)},)"
        lines += ["flat = made.reshape(made.size)", f"out = np.empty({shape_out})", "p = 0"]
        lines += nested(found, [
            f"out[{', '.join(f'i_{c}' for c in output)}] = flat[p]", "p += 1"])
        lines.append("return out")
    return lines


@functools.cache
def contraction_adjoint(parts: tuple[str, ...], output: str, wanted: int) -> Any:
    """`def adjoint(x0, ..., dz)`: the adjoint of one operand, summed to its shape; its letters may
    be repeated, stretched, or summed over it alone."""
    all_parts = (*parts, output)
    lines = sizes_of_letters(all_parts)
    mine = parts[wanted]
    others = [k for k in range(len(all_parts)) if k != wanted]
    letters = "".join(dict.fromkeys([*mine, *"".join(all_parts)]))
    lines.append(f"dx = np.zeros(x{wanted}.shape)" if mine else "dx = 0.0")
    lines += [_stretched(f"v{k}", f"x{k}", all_parts[k]) for k in others if all_parts[k]]
    if mine:
        lines.append(_stretched("adds", "dx", mine))
    product = " * ".join(element(f"v{k}" if all_parts[k] else f"x{k}", all_parts[k])
                         for k in others)
    lines += nested(letters, [f"{element('adds', mine) if mine else 'dx'} += {product}"])
    lines.append("return dx")
    names = ", ".join(f"x{k}" for k in range(len(all_parts)))
    return written_function([f"def adjoint({names}):", *("    " + line for line in lines)],
                            {"np": np, "stop": stop, "as_strided": as_strided})
