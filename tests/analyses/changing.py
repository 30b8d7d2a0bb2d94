"""Functions and classes that change what they are given, or what they are."""


def put(log, v):
    log.append(v)
    return False


def put_item(d, key, v):
    d[key] = v
    return False


def scale(a, v):
    a *= v
    return False


class Log:
    def __init__(self):
        self.kept, self.total = [], 0.0

    def put(self, v):
        self.kept.append(v)
        return False

    def add(self, v):
        self.total += v
        return False


class Watchful:
    """It changes when it is looked at."""

    def __init__(self, x):
        self.x = x

    def __bool__(self):
        self.x = self.x * 2.0
        return True

    def __eq__(self, other):
        self.x = self.x + other
        return True

    def __str__(self):
        self.x = self.x * 3.0
        return ""

    def __len__(self):
        self.x = self.x * self.x
        return 2

    def __iter__(self):
        self.x = self.x * 5.0
        return iter([1.0, 2.0])
