"""Programs in which a call binds a variable anew that is read around it; each is of a number."""
from tests.rebound_programs import bindings, calls, containers
from tests.rebound_programs.shared import PROGRAMS

__all__ = ["PROGRAMS", "bindings", "calls", "containers"]
