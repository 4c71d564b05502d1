"""One file for each kind of source, named by it."""
