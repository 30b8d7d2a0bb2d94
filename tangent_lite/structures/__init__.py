"""Lists, dicts, objects and tuples whose parts are known: changes, views, loops over parts."""
