"""Pieces of programs as scientists write them, each a text with gaps; see template.py."""
from tests.programs.idioms import calls, containers, flow, objects, science, writes

IDIOMS = {**calls.IDIOMS, **containers.IDIOMS, **flow.IDIOMS, **objects.IDIOMS,
          **science.IDIOMS, **writes.IDIOMS}
