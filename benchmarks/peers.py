"""The other libraries, each used as its expert would; imported only when asked for.

Arguments are converted, and JAX's functions compiled, before the clock starts. All work in double
precision on the processor. A function written for a peer takes the library first:

    def heat_jax(jax, u, k, n): ...        # jax.numpy, jax.lax
    def heat_torch(torch, u, k, n): ...
    def heat_autograd(np, u, k, n): ...    # autograd.numpy

Without one, the primal itself runs, with `np` and `math` of its module replaced by the library's.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np
import threads
from harness import Peer, Thunk, Workload, tree_leaves, tree_map


def rebind(fun: Callable, **names: Any) -> Callable:
    """A copy of fun, and of the functions of its module that it may call, with globals replaced."""
    scope = {**fun.__globals__, **names}
    for name, value in list(scope.items()):
        if isinstance(value, types.FunctionType) and value.__module__ == fun.__module__:
            scope[name] = types.FunctionType(
                value.__code__, scope, name, value.__defaults__, value.__closure__
            )
    return scope[fun.__name__]


def autograd(fun: Callable | None = None) -> Peer:
    """HIPS autograd, of fun(autograd.numpy, *args) or of the primal."""

    def make(workload: Workload, args: tuple) -> Thunk:
        import autograd.numpy as anp
        from autograd import grad

        if fun is None:
            called = rebind(workload.primal, np=anp, math=anp)
        else:

            def called(*a: Any) -> Any:
                return fun(anp, *a)

        gradient = grad(called, workload.positions())
        return lambda: gradient(*args)

    return make


def torch(fun: Callable) -> Peer:
    """PyTorch (eager, as is usual), of fun(torch, *args); the gradients by torch.autograd.grad."""

    def make(workload: Workload, args: tuple) -> Thunk:
        import torch as library

        library.set_num_threads(threads.number())
        positions = workload.positions()

        def convert(leaf: Any) -> Any:
            return library.from_numpy(leaf.copy()) if isinstance(leaf, np.ndarray) else leaf

        def variable(leaf: Any) -> Any:
            return library.tensor(leaf, dtype=library.float64, requires_grad=True)

        inputs = [
            tree_map(variable if k in positions else convert, arg) for k, arg in enumerate(args)
        ]
        leaves = [leaf for k in positions for leaf in tree_leaves(inputs[k])]
        return lambda: library.autograd.grad(fun(library, *inputs), leaves)

    return make


def jax(fun: Callable | None = None, *, forward: bool = False) -> Peer:
    """JAX under jit, of fun(jax, *args) or of the primal; ints and strings are static.

    forward: by forward mode, for what reverse mode refuses (a while loop).
    """

    def make(workload: Workload, args: tuple) -> Thunk:
        import jax as library

        library.config.update("jax_enable_x64", True)
        if fun is None:
            called = rebind(workload.primal, np=library.numpy, math=library.numpy)
        else:

            def called(*a: Any) -> Any:
                return fun(library, *a)

        static = tuple(k for k, arg in enumerate(args) if isinstance(arg, (int, str)))
        derive = library.jacfwd if forward else library.grad
        gradient = library.jit(derive(called, workload.positions()), static_argnums=static)
        inputs = [
            arg if k in static else tree_map(library.numpy.asarray, arg)
            for k, arg in enumerate(args)
        ]
        return lambda: library.block_until_ready(gradient(*inputs))

    return make
