"""Programs of the tests, by name."""


class Programs(dict):
    """Functions by their names; as a decorator it enters one."""

    def __call__(self, function):
        assert function.__name__ not in self
        self[function.__name__] = function
        return function
