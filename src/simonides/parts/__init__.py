"""The parts of a Memory that have verbs of their own, one file each."""
