"""Functions as units of what is emitted: their calls, bodies written out, halves of pairs."""
