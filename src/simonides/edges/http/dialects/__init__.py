"""Languages of clients and servers of models: one dialect, one file."""
