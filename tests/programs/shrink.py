"""Makes a failing program small: drops statements and parts of expressions while it still fails."""
import ast
import copy
import dataclasses
import tempfile
from pathlib import Path

from tests.programs.judge import judge_program
from tests.programs.running import HEADER, entry, load, runs


def statement_edits(tree):
    """Ways to take a statement away: drop it, or put its body in its place."""
    edits = []
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                edits += [edit for k in reversed(range(len(block)))
                          for edit in removals(block, k, field == "body")]
    return edits


def removals(block, k, needed):
    """Edits of the statement block[k]; a body that must not be empty gets a pass."""
    def put(new):
        def edit():
            block[k:k + 1] = new
            if needed and not block:
                block.append(ast.Pass())
        return edit

    statement = block[k]
    if isinstance(statement, ast.Pass) and len(block) == 1:
        return []
    edits = [put([])]
    if isinstance(statement, (ast.If, ast.For, ast.While, ast.With, ast.Try)):
        edits += [put(part) for part in (statement.body, getattr(statement, "orelse", []),
                                         getattr(statement, "finalbody", [])) if part]
    return edits


def expression_edits(tree):
    """Ways to make an expression smaller: put an operand or an argument in its place."""
    edits = []
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            places = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
            for k, old in places:
                for new in smaller(old):
                    edits.append(lambda node=node, field=field, k=k, new=new: (
                        setattr(node, field, new) if k is None
                        else getattr(node, field).__setitem__(k, new)))
    return edits


def smaller(node):
    """Expressions that may stand for a larger one."""
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.BoolOp):
        return node.values
    if isinstance(node, ast.UnaryOp):
        return [] if isinstance(node.operand, ast.Constant) else [node.operand]
    if isinstance(node, ast.IfExp):
        return [node.body, node.orelse]
    if isinstance(node, ast.NamedExpr):
        return [node.value]
    if isinstance(node, ast.Call):
        return node.args
    return []


def smallest(source, fails, log=lambda line: None):
    """The smallest source found for which fails(source) holds."""
    tree, changed = ast.parse(source), True
    while changed:
        changed = False
        for edits_of in (statement_edits, expression_edits):
            k = 0
            while True:
                trial = copy.deepcopy(tree)
                edits = edits_of(trial)
                if k >= len(edits):
                    break
                edits[k]()
                text = ast.unparse(ast.fix_missing_locations(trial))
                if fails(text):
                    tree, changed = ast.parse(text), True
                    log(f"{len(text.splitlines())} lines")
                else:
                    k += 1
    return ast.unparse(tree)


def shrunk(program, verdict, log=lambda line: None):
    """The program made small while the verdict stays of its kind."""
    with tempfile.TemporaryDirectory() as folder:
        count = 0

        def fails(source):
            nonlocal count
            count += 1
            candidate = dataclasses.replace(program, source=source)
            try:
                if runs(candidate) is not None:
                    return False
                module = load(HEADER + source + "\n", Path(folder) / f"trial_{count}.py")
                found = judge_program(candidate, entry(program, vars(module)))
            except Exception:                       # no longer a program
                return False
            alike = (found.outcome, found.kind) == (verdict.outcome, verdict.kind)
            if verdict.kind == "crash" or verdict.outcome == "refused":
                alike = alike and found.detail[:40] == verdict.detail[:40]
            return alike

        return dataclasses.replace(program, source=smallest(program.source, fails, log))
