"""Where programs with rebound variables are entered."""
from tests.registered import Programs

PROGRAMS = program = Programs()
