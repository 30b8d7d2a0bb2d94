"""How a derivative comes about, statement by statement.

What is told is what the passes know: the plan of the adjoints, what depends on what, the records,
and the text that was emitted, whose lines are mapped to those of the user.
"""
from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast

from tangent_lite import kinds, registry, syntax, template
from tangent_lite.analyses.liveness import definitions
from tangent_lite.emit import emit_expression
from tangent_lite.explain.graph import Graph, graph_of
from tangent_lite.inference import BINARY, NO_OBJECT, UNARY
from tangent_lite.source import Source, source_of, whereabouts
from tangent_lite.stages import Look, looked_at, normal_form
from tangent_lite.syntax import COMPOUND


@dataclass
class Explained:
    """One statement of the user: its text, and what becomes of it."""
    line: int
    text: str
    operations: list[tuple[str, list[str]]] = field(default_factory=list)   # (what, formulas)
    constant: list[str] = field(default_factory=list)
    forward: list[str] = field(default_factory=list)        # lines that only the derivative needs
    reasons: list[str] = field(default_factory=list)        # why they are there
    adjoint: list[str] = field(default_factory=list)


@dataclass
class Explanation:
    """A function, its derivative, and what is told of each statement."""
    title: str
    word: str                   # for what emitted lines are: adjoint, or tangent in forward mode
    notes: list[str]
    statements: list[Explained]
    function: str               # the text of the function
    derivative: str             # ... and of its derivative
    graph: Graph


def explain(derivative: Any, arguments: tuple[Any, ...] | None) -> Explanation:
    """What is to be told of a derivative, for such arguments (None: for any)."""
    variant = derivative.variant_to_read(arguments)
    source = source_of(variant.function)
    request = variant.request
    wrt = ", ".join(".".join([p[0], *(s[1] for s in p[1:])]) for p in
                    (variant.paths or request.paths()))
    mode = "forward" if request.is_forward else "reverse"
    title = f"How the derivative of {whereabouts(source)} with respect to {wrt} comes about " \
            f"({mode} mode)"
    told = [Explained(node.lineno, source.text(node)) for node in _statements(source)]
    by_line = _by_line(source, told)
    _emitted(variant, source, by_line, request.is_forward)
    look, notes = None, []
    if variant.by_identity:
        place = variant.refusal.place
        notes.append("Its adjoints are found by identity, while it runs, since by names it cannot "
                     f"be done: {variant.refusal.reason}"
                     + (f" ({place.where()})" if place is not None else "")
                     + ". Which operations are differentiated shows then only.")
    else:
        look = looked_at(variant.function, {variant.renamed[n]: k for n, k in
                                            variant.kinds.items()},
                         [(variant.renamed[p[0]], *p[1:]) for p in variant.paths],
                         variant.general, request.is_forward)
        _Teller(look, source, by_line, told).tell()
    return Explanation(title, "tangent" if request.is_forward else "adjoint", notes, told, "".join(
        line + "\n" for line in source.lines[source.tree.lineno - 1:source.tree.end_lineno]),
        variant.text, _graph(variant, source, look))


def _statements(source: Source) -> list[Any]:
    found = [n for n in syntax.all_statements(source.tree) if isinstance(n, gast.stmt)
             and n is not source.tree and not (isinstance(n, gast.Expr) and isinstance(
                 n.value, gast.Constant))]
    return sorted(found, key=lambda n: (n.lineno, n.col_offset))


def _by_line(source: Source, told: list[Explained]) -> Callable[[str, int], Explained | None]:
    """The statement that stands in a line of a file, or goes on there."""
    spans = [(node.lineno, one) for node, one in zip(_statements(source), told)]
    last = source.tree.end_lineno
    lines: dict[int, Explained] = {}
    for number, (line, one) in enumerate(spans):
        end = spans[number + 1][0] if number + 1 < len(spans) else last + 1
        for at in range(line, max(end, line + 1)):
            lines.setdefault(at, one)
    return lambda file, line: lines.get(line) if file == source.file else None


def _emitted(variant: Any, source: Source, by_line: Callable[[str, int], Explained | None],
             is_forward: bool) -> None:
    """Give each statement what was emitted for it."""
    text, places = variant.text, variant.lines
    rows, own = text.splitlines(), {line.strip() for line in source.lines}
    for definition in ast.parse(text).body:
        if not isinstance(definition, ast.FunctionDef):
            continue
        heading = (ast.get_docstring(definition) or "")
        backward = heading.startswith("Backward pass of") or is_forward \
            or definition.name.endswith("_bwd")
        latest: Explained | None = None
        for number in range(definition.lineno + 1, (definition.end_lineno or 0) + 1):
            row = rows[number - 1]
            if row.strip() == "# Backward pass":
                backward, latest = True, None
                continue
            file, line = places.get(number, ("", 0))
            one = by_line(file, line)
            if one is None and file and latest is not None and backward:
                one = latest                # of a function that was written out at the call
            latest = one
            if one is None or row.strip().startswith("#") or not row.strip():
                continue
            if backward:
                one.adjoint.append(row)
            elif row.strip() not in own and (
                    "_tape" in row or ".copy()" in row or "_old" in row or "n_steps" in row):
                one.forward.append(row.strip())


class _Teller:
    """Tells of each statement what the analyses know."""

    def __init__(self, look: Look, source: Source,
                 by_line: Callable[[str, int], Explained | None],
                 told: list[Explained]) -> None:
        self.look, self.source, self.by_line, self.told = look, source, by_line, told
        self.facts, self.active = look.prepared.facts, look.activity.active
        self.versions = look.prepared.names.versions
        self.texts: dict[str, str] = {}         # names that are ours -> what the user wrote

    def at(self, node: Any) -> Explained | None:
        origin = getattr(node, "origin", None) or self.source
        return self.by_line(origin.file, getattr(node, "lineno", 0))

    def tell(self) -> None:
        for node in syntax.statements(self.look.prepared.tree.body):
            one = self.at(node)
            if one is None or isinstance(node, (COMPOUND, gast.Break, gast.Pass)):
                continue
            self.look.prepared.typer.names = self.facts.before.get(id(node), {})
            for name in definitions(node):
                if self.versions.get(name, name) not in self.source.names:
                    self.texts[name] = _short(_users(node.value, self.source, node), 40)
                elif name in self.versions:
                    self.texts[name] = self.versions[name]
            self.operation(node, one)
            self.passive(node, one)
        self.records()

    def operation(self, node: Any, one: Explained) -> None:
        value: Any = getattr(node, "value", None)
        operands = [n for n in self.look.activity.operands.get(id(node), ()) if n in self.active]
        if value is None or not operands or not any(n in self.active for n in definitions(node)):
            return
        what = _short(_users(value, self.source, node))
        stages = self.look.stages
        step = None if stages is None else stages.plan.steps.get(id(node))
        if step is not None and step.kind == "pair":
            one.operations.append((what, ["has a derivative of its own, which is called"]))
            return
        function, given = self.called(node, value)
        if function is NO_OBJECT:
            return
        entry = registry.lookup(function)
        rule = None if entry is None else entry.adjoint if stages is not None \
            else entry.tangent or entry.adjoint
        if rule is None:
            if isinstance(value, gast.Call) and hasattr(function, "__name__"):
                one.operations.append((what, ["has a derivative of its own, which is called"]))
            return
        try:
            bound = template.bind(rule, given, {k.arg: k.value for k in
                                                getattr(value, "keywords", ()) if k.arg})
        except template.BindingError:
            bound = {}
        one.operations.append((what, _formulas(rule, bound, set(operands), self.texts)))

    def called(self, node: Any, value: Any) -> tuple[Any, list[gast.expr]]:
        """The function that an operation is, and what it is given."""
        if isinstance(node, gast.AugAssign):
            return BINARY.get(type(node.op), NO_OBJECT), [node.target, value]
        if isinstance(value, gast.BinOp):
            return BINARY[type(value.op)], [value.left, value.right]
        if isinstance(value, gast.UnaryOp):
            return UNARY[type(value.op)], [value.operand]
        if isinstance(value, gast.Call):
            function, receiver = self.facts.callees.get(id(value), (NO_OBJECT, None))
            if function is NO_OBJECT:
                function, receiver = self.look.prepared.typer.callee(value)
            return function, [*([receiver] if receiver is not None else []), *value.args]
        return NO_OBJECT, []

    def passive(self, node: Any, one: Explained) -> None:
        """Why what a statement binds has no adjoint."""
        for name in definitions(node) if isinstance(node, gast.Assign) else ():
            user = self.versions.get(name, name)
            if name in self.active or user not in self.source.names:
                continue
            kind = self.facts.after.get(id(node), {}).get(name, kinds.UNKNOWN)
            reads = self.look.activity.operands.get(id(node), [])
            if not kinds.can_vary(kind):
                why = "it is no floating-point number"
            elif isinstance(node.value, gast.Constant):
                why = "it is a constant"
            elif name in self.look.activity.cancelled:
                why = "it cancels out"
            elif name in self.look.activity.varied:
                why = "it does not reach the result"
            elif any(n in self.look.activity.varied for n in reads):
                why = "what it is computed by has no derivative"
            else:
                why = "it does not depend on what is asked for"
            text = f"{user}: {why}"
            if text not in one.constant:
                one.constant.append(text)

    def records(self) -> None:
        """What is kept for the backward pass, and which adjoints read it."""
        stages = self.look.stages
        if stages is None:
            return
        readers: dict[str, list[int]] = {}
        for node in syntax.statements(self.look.prepared.tree.body):
            step = stages.plan.steps.get(id(node))
            where = self.at(node)
            if step is not None and where is not None:
                for name in step.reads:
                    lines = readers.setdefault(name, [])
                    if where.line not in lines:
                        lines.append(where.line)
        for node in syntax.statements(self.look.prepared.tree.body):
            one = self.at(node)
            saves = [save.name for save in stages.records.saves.get(id(node), ())]
            if isinstance(node, (gast.For, gast.While)):
                saves += [*stages.records.starts.get(id(node.body), ()),
                          *stages.records.ends.get(id(node.body), ())]
            for name in saves if one is not None else ():
                lines = sorted(readers.get(name, ()))
                user = self.versions.get(name, name)
                why = f"{user} is overwritten here, and read by " \
                      f"{_adjoints_of(lines)}" if lines else \
                      f"{user} is overwritten here, and read in the backward pass"
                # The record may stand at the head of the loop.
                holder = next((o for o in (one, *self.told) if o is not None and any(
                    f"{user}_" in row or f"({name})" in row for row in o.forward)), None)
                why = why.replace(" here", f" in line {one.line}" if one is not None
                                  and holder is not one else " here")
                if holder is not None and why not in holder.reasons:
                    holder.reasons.append(why)


def _adjoints_of(lines: list[int]) -> str:
    shown = ", ".join(map(str, lines))
    return f"the adjoint of line {shown}" if len(lines) == 1 else f"the adjoints of lines {shown}"


def _formulas(rule: Any, bound: dict[str, Any], active: set[str],
              texts: dict[str, str]) -> list[str]:
    """The formulas of a rule for the operands that are active, and what its names stand for."""
    found = []
    for part in rule.parts:
        if isinstance(part, registry.Local):
            found.append(f"{part.name} = {emit_expression(part.formula)}")
            continue
        name = part.sequence or part.target
        argument = bound.get(name)
        parts = argument if isinstance(argument, list) else [argument]
        names = {n for a in parts if isinstance(a, gast.AST) for n in syntax.read_names(a)}
        if part.is_zero or (bound and name in bound and not names & active):
            continue
        text = f"d[{part.target}] = {emit_expression(part.formula)}"
        if isinstance(argument, gast.AST) and part.sequence is None:
            given = emit_expression(argument)
            given = texts.get(given, given)
            text += f"    ({name} is {given})" if given != name else ""
        elif part.sequence is not None:
            text += f"    (for each {part.target} of {name})"
        found.append(text)
    return found


def _users(value: Any, source: Source, node: Any) -> str:
    """An operation as the user wrote it."""
    origin = getattr(node, "origin", None) or source
    if getattr(value, "lineno", None) and getattr(value, "end_lineno", None):
        try:
            return origin.text(value)
        except (AttributeError, IndexError):
            pass
    return emit_expression(value)


def _short(text: str, most: int = 60) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[:most - 3]}..."


# The graph ------------------------------------------------------------------------------------
def _graph(variant: Any, source: Source, look: Look | None) -> Graph:
    read, tree = normal_form(variant.function)
    heads = {(n.lineno, n.col_offset): n for n in syntax.all_statements(read.tree)
             if isinstance(n, (gast.If, gast.For, gast.While))}

    def head_of(node: gast.stmt) -> str | None:
        found = heads.get((getattr(node, "lineno", 0), getattr(node, "col_offset", 0)))
        return None if found is None else read.text(found).removesuffix(":")

    passes: dict[Any, bool] = {}
    if look is not None:
        for node in syntax.statements(look.prepared.tree.body):
            key = _spot(getattr(node, "value", None) or node)
            operands = look.activity.operands.get(id(node))
            if key is not None and operands is not None \
                    and getattr(node, "origin", source) is source:
                is_active = any(n in look.activity.active for n in operands)
                passes[key] = passes.get(key, False) or is_active
    wrt = {p[0] for p in (variant.paths or variant.request.paths())}
    return graph_of(tree, read.names, wrt, head_of, lambda node: passes.get(_spot(node)))


def _spot(node: Any) -> Any:
    if not hasattr(node, "lineno"):
        return None
    return (node.lineno, node.col_offset, getattr(node, "end_lineno", None),
            getattr(node, "end_col_offset", None), type(node).__name__)


# Texts --------------------------------------------------------------------------------------------
def as_text(told: Explanation) -> str:
    """The explanation for a terminal."""
    out = [told.title, *told.notes, ""]
    for one in told.statements:
        out.append(f"{one.line} | {one.text}")
        out += _details(one, told.word)
        out.append("")
    return "\n".join(out).rstrip() + "\n"


def _details(one: Explained, word: str) -> list[str]:
    out = []
    for what, formulas in one.operations:
        out.append(f"    {what}")
        out += [f"        {formula}" for formula in formulas]
    for label, rows in (("not differentiated", one.constant), ("recorded", one.forward),
                        ("because", one.reasons)):
        out += [f"    {label}: {row}" for row in rows]
    if one.adjoint:
        out.append(f"    {word}:")
        least = min(len(row) - len(row.lstrip()) for row in one.adjoint)
        out += [f"        {row[least:]}" for row in one.adjoint]
    return out
