"""What is done with matrices of scipy.sparse, as calls of functions that have rules: operators,
methods, and what makes a matrix of numbers that may vary.
"""
from __future__ import annotations

from typing import Any

import gast

from tangent_lite import kinds, syntax
from tangent_lite.expansion import Scene, Written, hint_of
from tangent_lite.kinds import is_matrix
from tangent_lite.registry.matrices import form_of_maker, function_for_matrices

# Methods that are operators, and those that give the same matrix in another format.
_METHODS = {"dot": gast.MatMult, "multiply": gast.Mult}
_FORMATS = ("tocsr", "tocsc", "tocoo", "todia", "tobsr", "tolil", "asformat", "copy")
_CHANGES = ("setdiag", "resize", "eliminate_zeros", "sum_duplicates", "prune")


class Matrices(Scene):
    """What takes the place of operators and calls with sparse matrices."""

    def matrix_operator(self, value: Any, plain: Any) -> Written | None:
        """`A + B`, `k * A`, `A @ x`, `-A` and `A[i, j]` of matrices."""
        if isinstance(value, gast.UnaryOp):
            if isinstance(value.op, gast.USub) and is_matrix(self.typer.kind(value.operand)):
                return self.call_of("negated", [plain.operand], plain)
            return None
        if isinstance(value, gast.Subscript):
            return self.elements_read(value, plain)
        if not isinstance(value, gast.BinOp):
            return None
        left, right = self.typer.kind(value.left), self.typer.kind(value.right)
        if not is_matrix(left) and not is_matrix(right):
            return None
        return self.of_operands(value.op, [left, right], [plain.left, plain.right], plain)

    def of_operands(self, op: Any, found: list[kinds.Kind], operands: list[gast.expr],
                    plain: gast.expr) -> Written | None:
        name = kinds.operator_of_matrices(op, *found)
        if name is None:
            return None                         # what is active there, `filling` refuses
        if name == "scaled" and is_matrix(found[1]):
            operands = operands[::-1]
        return self.call_of(name, operands, plain)

    def matrix_grows(self, value: gast.AugAssign, plain: gast.AugAssign) -> Written | None:
        """`A += B` of matrices is `A = A + B`, as Python has it."""
        if not isinstance(plain.target, gast.Name) or not isinstance(value.target, gast.Name) \
                or not isinstance(value.op, (gast.Add, gast.Sub)):
            return None
        found = [self.typer.kind(syntax.load(value.target.id)), self.typer.kind(value.value)]
        if not is_matrix(found[0]):
            return None
        return self.of_operands(value.op, found, [syntax.load(plain.target.id), plain.value], plain)

    def call_of(self, name: str, arguments: list[gast.expr], plain: gast.expr,
                keywords: list[gast.keyword] | None = None) -> Written:
        """A call of what stands for an operator, a method or a constructor."""
        called = gast.Call(self.inject(function_for_matrices(name), name), arguments,
                           keywords or [])
        return [], gast.copy_location(called, plain)

    def elements_read(self, value: gast.Subscript, plain: Any) -> Written | None:
        """`A[i, j]`, `A[rows]`, `A[:, columns]`"""
        if not is_matrix(self.typer.kind(value.value)) or getattr(value, "iterates", False):
            return None
        parts = syntax.key_parts(plain.slice)
        seen = syntax.key_parts(value.slice)
        if len(parts) != 2 or not isinstance(plain.slice, gast.Tuple):
            return None
        if all(isinstance(self.typer.kind(one), kinds.Number) for one in seen):
            return self.call_of("element", [plain.value, *parts], plain)
        if any(isinstance(self.typer.kind(one), kinds.Number) for one in seen) or not any(
                isinstance(one, gast.Slice) or isinstance(self.typer.kind(one), kinds.SliceKind)
                for one in seen):
            return None
        given = [self.slice_made(one) for one in parts]
        return self.call_of("selected", [plain.value, *given], plain)

    def slice_made(self, part: gast.expr) -> gast.expr:
        if not isinstance(part, gast.Slice):
            return part
        bounds = [syntax.constant(None) if one is None else one
                  for one in (part.lower, part.upper, part.step)]
        return syntax.call(syntax.load("slice"), *bounds)

    def attribute_of_matrix(self, value: gast.Attribute, plain: gast.Attribute) -> Written | None:
        """`A.T`"""
        if value.attr != "T" or not is_matrix(self.typer.kind(value.value)):
            return None
        return self.call_of("transposed", [plain.value], plain)

    def matrix_call(self, value: gast.Call, plain: gast.Call, function: Any,
                    receiver: gast.expr | None) -> Written | None:
        """Methods of matrices, and what makes one."""
        form = form_of_maker(function)
        if form is not None and receiver is None and value.args \
                and not any(isinstance(a, gast.Starred) for a in value.args):
            return getattr(self, f"made_of_{form}")(value, plain) if self.matters(value) else None
        if receiver is None or not is_matrix(self.typer.kind(receiver)) \
                or not isinstance(plain.func, gast.Attribute):
            return None
        owner, name = plain.func.value, plain.func.attr
        if name in _CHANGES and self.matters(value):
            raise self.context.refuse(plain, f"{name} changes a sparse matrix in place",
                                      "make another one of what it is made of")
        if plain.keywords:
            return None
        if name in _METHODS and len(value.args) == 1:
            op = _METHODS[name]()
            kind, other = self.typer.kind(receiver), self.typer.kind(value.args[0])
            if isinstance(other, kinds.Number):
                return self.call_of("scaled", [owner, plain.args[0]], plain)
            if name == "multiply":
                known = is_matrix(other) or (isinstance(other, kinds.Array) and other.ndim)
                return self.call_of("multiplied", [owner, plain.args[0]], plain) if known else None
            return self.of_operands(op, [kind, other], [owner, plain.args[0]], plain)
        if name == "transpose" and not value.args:
            return self.call_of("transposed", [owner], plain)
        return None

    # What makes matrices --------------------------------------------------------------------------

    def made_of_parts(self, value: gast.Call, plain: gast.Call) -> Written | None:
        """`csr_matrix((data, (i, j)), shape)`, `csr_matrix((data, indices, indptr), shape)`,
        `csr_matrix(dense)` and `csr_matrix(A)`."""
        maker = self.typer.object_of(value.func)
        kind, first = self.typer.kind(value.args[0]), []        # type: tuple[Any, list[Any]]
        given, rest = plain.args[0], plain.args[1:]
        if is_matrix(kind) and not rest:
            return None                         # its rule is that of all formats
        keywords = [*[gast.keyword(name, one) for name, one in zip(("shape", "dtype", "copy"),
                                                                   rest)], *plain.keywords]
        if isinstance(kind, kinds.Array):
            return self.call_of("from_dense", [plain.func, given], plain, keywords) \
                if kind.ndim == 2 else None
        if not isinstance(kind, kinds.TupleKind):
            return None
        items = kind.items
        parts = self.parts_named(kind, given, first)
        if len(items) == 2 and isinstance(items[0], kinds.Array) \
                and isinstance(items[1], kinds.TupleKind) and len(items[1].items) == 2:
            places = self.parts_named(items[1], parts[1], first)
            name, arguments = "from_triplets", [parts[0], *places]
        elif len(items) == 3 and maker.__name__.startswith(("csr", "csc")):
            name = "from_rows" if maker.__name__.startswith("csr") else "from_columns"
            arguments = parts
        else:
            return None
        made, call = self.call_of(name, [plain.func, *arguments], plain, keywords)
        return self.normal([*first, *made], plain), call

    def parts_named(self, kind: Any, given: gast.expr, first: list[gast.stmt]) -> list[gast.expr]:
        """Names for the parts of a tuple."""
        parts = self.parts_of(kind, given, range(len(kind.items)), first)
        return [part if isinstance(part, (gast.Name, gast.Tuple, gast.List, gast.Constant))
                else self.named(first, hint_of(part), part) for part in parts]

    def made_of_diagonals(self, value: gast.Call, plain: gast.Call) -> Written | None:
        """`diags([lower, d, upper], [-1, 0, 1])`, `diags(d)`"""
        kind, given = self.typer.kind(value.args[0]), plain.args[0]
        names = ("offsets", "shape", "format", "dtype")
        keywords = [*[gast.keyword(name, one) for name, one in zip(names, plain.args[1:])],
                    *plain.keywords]
        first: list[gast.stmt] = []
        if isinstance(kind, kinds.Array) and kind.ndim == 1:
            return self.call_of("of_one_diagonal", [plain.func, given], plain, keywords)
        offsets = next((k.value for k in value.keywords if k.arg == "offsets"),
                       value.args[1] if len(value.args) > 1 else None)
        if offsets is None or isinstance(self.typer.kind(offsets), kinds.Number):
            return None                         # a list of numbers is one diagonal then
        if isinstance(kind, kinds.TupleKind):
            parts = self.parts_named(kind, given, first)
        elif isinstance(given, (gast.List, gast.Tuple)):
            parts = [one if isinstance(one, (gast.Name, gast.Constant))
                     else self.named(first, "diagonal", one) for one in given.elts]
        else:
            return None
        made, call = self.call_of("of_diagonals", [plain.func, syntax.tuple_of(parts)], plain,
                                  keywords)
        return self.normal([*first, *made], plain), call

    def made_of_blocks(self, value: gast.Call, plain: gast.Call) -> Written | None:
        """`bmat([[A, B], [None, C]])`"""
        first: list[gast.stmt] = []
        parts: list[gast.expr] = []
        layout: list[gast.expr] = []
        if not isinstance(plain.args[0], gast.List) or len(plain.args) > 1:
            return None
        for row in plain.args[0].elts:
            if not isinstance(row, gast.List):
                return None
            places: list[gast.expr] = []
            for one in row.elts:
                if isinstance(one, gast.Starred):
                    return None
                if isinstance(one, gast.Constant) and one.value is None:
                    places.append(syntax.constant(None))
                    continue
                places.append(syntax.constant(len(parts)))
                parts.append(one if isinstance(one, gast.Name) else self.named(first, "block", one))
            layout.append(syntax.tuple_of(places))
        made, call = self.call_of(
            "of_blocks", [plain.func, syntax.tuple_of(layout), syntax.tuple_of(parts)], plain,
            plain.keywords)
        return self.normal([*first, *made], plain), call
