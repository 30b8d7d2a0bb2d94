"""Classes of names that may be one thing, which are joined as more is found out."""
from __future__ import annotations


class Classes:
    """Names by class; a class goes by one of its names.

    >>> classes = Classes()
    >>> classes.union("x", "y"), classes.union("y", "z")
    (None, None)
    >>> [classes.find(name) for name in "xyzw"]
    ['x', 'x', 'x', 'w']
    """

    def __init__(self) -> None:
        self.parent: dict[str, str] = {}    # a name in front of which another one stands

    def find(self, name: str) -> str:
        """The name by which the class of a name goes."""
        while name in self.parent:
            name = self.parent[name]
        return name

    def union(self, a: str, b: str) -> None:
        """Make the classes of two names one, which goes by the name of the first."""
        a, b = self.find(a), self.find(b)
        if a != b:
            self.parent[b] = a
