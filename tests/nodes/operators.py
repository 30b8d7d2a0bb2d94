"""Operators and patterns."""

OPERATORS = {
    "Add": "x + y * y", "Sub": "x - y * y", "Mult": "x * y", "Div": "x / y",
    "Pow": "x ** 2 * y ** x",
    "MatMult": "(np.array([x, y]) @ np.array([y, x]))", "Mod": "(x * 3.0) % 1.0 * y",
    "FloorDiv": "x * ((y * 7.0) // 2.0)", "LShift": "x * y * (1 << 2)",
    "RShift": "x * y * (8 >> 2)",
    "BitOr": "x * y * (1 | 2)", "BitXor": "x * y * (1 ^ 3)",
    "BitAnd": "x * y * (3 & 2)",
    "And": "x * (y if x > 0.0 and y > 0.0 else x)", "Or": "x * (y if x < 0.0 or y > 0.0 else x)",
    "Invert": "x * y * ~2", "Not": "x * (y if not x > 1.0 else x)", "UAdd": "+x * y",
    "USub": "-x * y", "Eq": "x * (y if x == 0.7 else x)", "NotEq": "x * (y if x != 0.7 else x)",
    "Lt": "x * (y if x < y else x)", "LtE": "x * (y if x <= y else x)",
    "Gt": "x * (y if x > y else x)", "GtE": "x * (y if x >= y else x)",
    "Is": "x * (y if x is None else x)", "IsNot": "x * (y if x is not None else x)",
    "In": "x * (y if 'a' in 'bar' else x)", "NotIn": "x * (y if 'a' not in 'bar' else x)",
}
# What differences cannot tell: f jumps there, and its derivative is that of the side it is on.
JUMPS = {"Eq": (1.3, 0.7), "NotEq": (1.4, 0.0)}
RIGHT = {name: f"""
# args: 0.7, 1.3
def f(x, y):
    return {text}
""" for name, text in OPERATORS.items()}


def of_pattern(pattern, subject, first="x * y", head=""):
    """A function that matches a subject against a pattern."""
    return f"""
# args: 0.7, 1.3
{head}
def f(x, y):
    subject = {subject}
    match subject:
        case {pattern}:
            z = {first}
        case _:
            z = x
    return z * x
"""


RIGHT |= {
    "match_case": of_pattern("[a, b] if a < b", "[x, y]", "a * b"),
    "MatchValue": of_pattern('"far"', '"far"'),
    "MatchSingleton": of_pattern("None", "None"),
    "MatchSequence": of_pattern("(a, b)", "(x, y)", "a * b * b"),
    "MatchMapping": of_pattern('{"a": a, **rest}', '{"a": x, "b": y}', 'a * rest["b"]'),
    "MatchClass": of_pattern("Point(u=a, v=b)", "Point(x, y)", "a * b", head='''
@dataclass
class Point:
    u: float
    v: float
'''),
    "MatchStar": of_pattern("[a, *rest]", "[x, y, x * y]", "a * rest[0] * rest[1]"),
    "MatchAs": of_pattern("[a, b] as both", "[x, y]", "a * both[1]"),
    "MatchOr": of_pattern('"near" | "far"', '"far"'),
}
EITHER, REFUSED = {}, {}
