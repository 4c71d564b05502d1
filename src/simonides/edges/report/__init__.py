"""A report of a store: one page in one file, without scripts. `collect`, then `page` with `charts`, then `write`."""
