"""What is known of shapes before the program runs: how long the axes of arrays are."""
