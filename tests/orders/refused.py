"""What is refused, and in which sequences of modes; the sequences of the slow tests included."""

REFUSED: dict[str, list[str]] = {}
