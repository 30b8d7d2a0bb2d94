"""Which names are still read: held against small functions, and against a slow search."""
import gast
import pytest

from tangent_lite import syntax
from tangent_lite.analyses.liveness import bound_in, definitions, live_before, liveness, uses


def body(text):
    lines = text.strip("\n").splitlines()
    margin = len(lines[0]) - len(lines[0].lstrip())
    return gast.parse("\n".join(line[margin:] for line in lines)).body


def live(text):
    return " ".join(sorted(live_before(body(text))))


@pytest.mark.parametrize("text, names", [
    ("y = x", "x"),
    ("x = x + 1", "x"),
    ("x = 1; y = x", ""),
    ("y = x; x = 1", "x"),
    ("x += 1", "x"),
    ("u[i] = v", "i u v"),
    ("u[i] += v", "i u v"),
    ("u = v; u[0] = 1", "v"),
    ("o.a = v", "o v"),
    ("a, b = b, a", "a b"),
    ("f(x)", "f x"),
    ("pass", ""),
])
def test_statements(text, names):
    assert live(text) == names


def test_branches_join():
    assert live("""
        if c:
            y = a
        else:
            y = b
        z = y
    """) == "a b c"


def test_a_name_bound_on_one_way_lives():
    assert live("""
        if c:
            y = a
        z = y
    """) == "a c y"


def test_loops_may_run_not_at_all():
    assert live("""
        for i in range(n):
            y = i
        z = y
    """) == "n range y"


def test_loops_carry_names_around():
    assert live("""
        for i in range(n):
            z = y
            y = x
    """) == "n range x y"


def test_what_is_bound_first_is_not_carried():
    block = body("""
        for i in range(n):
            y = x
            z = y
    """)
    facts = liveness(block)
    assert facts.head[id(block[0])] == {"x"}


def test_while_reads_its_test_each_time():
    block = body("""
        while x < n:
            x = x + d
    """)
    facts = liveness(block)
    assert facts.head[id(block[0])] == facts.before[id(block[0])] == {"x", "n", "d"}


def test_break_goes_behind_the_loop():
    assert live("""
        for i in range(n):
            if c:
                x = a
                break
            else:
                x = 1
        y = x
    """) == "a c n range x"


def test_break_of_an_inner_loop_stays_in_the_outer():
    assert live("""
        for i in range(n):
            for j in range(m):
                break
            y = x
    """) == "m n range x"


def test_after_and_before():
    block = body("""
        if c:
            x = a
        y = x
    """)
    facts = liveness(block)
    assert facts.after[id(block[0])] == {"x"}
    assert facts.before[id(block[0])] == {"a", "c", "x"}


def test_only_what_may_be_bound_lives_where_parameters_are_known():
    block = body("""
        for i in range(n):
            if i > 0:
                y = t
            t = i
    """)
    assert liveness(block).before[id(block[0])] == {"n", "range", "t"}
    assert liveness(block, ["n"]).before[id(block[0])] == {"n"}
    assert "t" in liveness(block, ["n"]).head[id(block[0])]


def test_uses_and_definitions():
    assert uses(body("u[i] = v")[0]) == {"u", "i", "v"}
    assert definitions(body("a, (b, c) = v")[0]) == ["a", "b", "c"]
    assert definitions(body("u[i] = v")[0]) == []
    assert definitions(body("x += 1")[0]) == ["x"]
    assert bound_in(body("for i in range(3):\n    if c:\n        x = 1\n")) == {"i", "x"}


def slow(block, name):
    """Whether some way through a block reads a name before it binds it, by trying all ways."""
    def ways(block):
        """Tuples of (reads, binds) along each way; loops run 0, 1 or 2 times."""
        out = [((), False)]
        for node in block:
            if isinstance(node, gast.If):
                parts = [((("r", syntax.read_names(node.test)), *way), left)
                         for arm in (node.body, node.orelse) for way, left in ways(arm)]
            elif isinstance(node, gast.While):
                test = ("r", syntax.read_names(node.test))
                once = ways(node.body)
                parts = [((test,), False)]
                parts += [((test, *a, *(() if left else (test,))), False) for a, left in once]
                parts += [((test, *a, test, *b, *(() if left else (test,))), False)
                          for a, gone in once if not gone for b, left in once]
            elif isinstance(node, gast.Break):
                parts = [((), True)]
            else:
                parts = [((("r", uses(node)), ("w", set(definitions(node)))), False)]
            out = [((*way, *more), left or gone) if not left else (way, left)
                   for way, left in out for more, gone in (parts if not left else [((), False)])]
        return out

    for way, _ in ways(block):
        for kind, names in way:
            if name in names:
                if kind == "r":
                    return True
                break
    return False


def test_against_all_ways():
    import random

    rng = random.Random(3)

    def write(depth, loop):
        out = []
        for _ in range(rng.randint(1, 3)):
            kind = rng.choice(["assign"] * 3 + (["if", "while"] if depth else []))
            if kind == "assign":
                out.append(f"{rng.choice('abcd')} = {rng.choice('abcd')} + {rng.choice('abcd')}")
            elif kind == "if":
                out += [f"if {rng.choice('abcd')}:", *indent(write(depth - 1, loop)), "else:",
                        *indent(write(depth - 1, loop))]
            else:
                out += [f"while {rng.choice('abcd')}:", *indent(write(depth - 1, True))]
        if loop and rng.random() < 0.2:
            out += ["break"]
        return out

    def indent(lines):
        return ["    " + line for line in lines]

    for _ in range(150):
        block = gast.parse("\n".join(write(2, False))).body
        found = live_before(block)
        for name in "abcd":
            assert (name in found) == slow(block, name), gast.dump(gast.Module(block, []))
