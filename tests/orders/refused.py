"""What is refused, and in which sequences of modes."""

REFUSED = {}
