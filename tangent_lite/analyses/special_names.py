"""Names of special methods, by what calls them."""
from __future__ import annotations


def _named(*names: str) -> frozenset[str]:
    return frozenset(f"__{name}__" for text in names for name in text.split())


TRUTH = _named("bool len")
ORDER = _named("eq ne lt le gt ge")
HASH = _named("hash eq")
TEXT = _named("str repr format")
ITEMS = _named("iter next getitem len contains reversed length_hint")
INDEX = _named("index")
NUMBER = _named("index int float complex trunc")
_OPERATORS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or",
              "xor", "lshift", "rshift", "divmod")
BINARY = _named(*_OPERATORS)
REFLECTED = _named(*(f"r{name}" for name in _OPERATORS))
UNARY = _named("neg pos invert abs")
ARRAY = _named("array array_ufunc array_function array_interface array_struct")
ATTRIBUTES = _named("getattr getattribute")
SETTING = _named("setattr delattr")
CHANGING_ITEMS = _named("setitem delitem", *(f"i{name}" for name in _OPERATORS))
# Reading an attribute, of which is not known which it is: it may be a property.
ANY = "any attribute"
# What a text calls into which something is put.
FORMAT = TEXT | NUMBER | ATTRIBUTES | {ANY} | _named("getitem")
# What Python calls by itself, and functions written in C: no text shows a call.
UNSEEN = TRUTH | ORDER | HASH | TEXT | ITEMS | NUMBER | BINARY | REFLECTED | UNARY | ARRAY | _named(
    "round floor ceil getattribute")
# What a function may call that is handed an object, and that nobody can look into.
ALL = UNSEEN | ATTRIBUTES | CHANGING_ITEMS | {ANY} | _named(
    "fspath bytes sizeof dir copy deepcopy reduce reduce_ex getstate",
    "getnewargs getnewargs_ex array_wrap array_priority call enter exit missing class")
# Whether something is of a class.
OF_CLASS = _named("class instancecheck subclasscheck subclasshook")
CALL = _named("call")
# No special methods, and called unseen all the same: by ** and dict, and by print.
MAPPING = frozenset(("keys",))
FILE = frozenset(("write", "flush"))
# When an object goes, which may be at any place.
END = _named("del")
