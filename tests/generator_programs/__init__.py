"""Programs with generators of the user: each takes a number and gives one."""
from tests.generator_programs import collected, handed_on, in_context, looped_over
from tests.generator_programs.shared import PROGRAMS, program

__all__ = ["PROGRAMS", "collected", "handed_on", "in_context", "looped_over", "program"]
