"""Derivatives of functions whose arrays, containers and objects go by several names.

The passes know each variable by its name. Where a function keeps what changes under names that
cannot be told apart before it runs (two names of one dict, arrays in lists, objects that refer to
each other), adjoints are found by the *identity* of what they belong to instead:

    memory       the adjoint of an array or a container, found by what the array or container is
    own          private copies of what a call is given, which share memory as the originals do
    tape         what the emitted forward pass calls, and what it leaves for the backward pass
    arrays, containers, iteration, operations, library*, classes   what operations do to adjoints
    handlers     the table of the functions of the library that are told what they do
    calls        which of these a call means; calls_by_rule: those of functions with a rule
    adjoin, scopes, mirroring, expressions, comprehensions, statements   the pass that writes the
                 two passes of a function
    functions    emitted functions, one pair for each function that is called
"""
