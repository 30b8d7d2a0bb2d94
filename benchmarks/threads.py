"""One thread for every library unless told otherwise: pools that fight over cores time at random.

Imported and called before NumPy is, as the pools are sized when the libraries are loaded.
"""

import os

_POOLS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def limit(argv: list[str]) -> None:
    """Set what the libraries read, from `--threads N` or `--threads=N` in argv (else 1)."""
    count = "1"
    for k, word in enumerate(argv):
        if word == "--threads" and k + 1 < len(argv):
            count = argv[k + 1]
        elif word.startswith("--threads="):
            count = word.partition("=")[2]
    for name in _POOLS:
        os.environ[name] = count
    if count == "1":
        flags = os.environ.get("XLA_FLAGS", "")
        os.environ["XLA_FLAGS"] = f"{flags} --xla_cpu_multi_thread_eigen=false".strip()


def number() -> int:
    """The number of threads that was set."""
    return int(os.environ.get("OMP_NUM_THREADS", "1"))
