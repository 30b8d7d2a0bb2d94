"""What is refused, and in which sequences of modes; the sequences of the slow tests included."""

REFUSED = {
    # What a helper returns is one of two things, as an argument says.
    "mixed-singular": ["rrf", "frf"],
}
