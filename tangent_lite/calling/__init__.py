"""From a call to the code for it: kinds of arguments, names that mean the same, shared memory."""
