"""From emitted functions to other places: files, other processes, pages, lines of the user."""
