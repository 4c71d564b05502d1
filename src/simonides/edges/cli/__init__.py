"""The command line: each command parses, calls `Memory` once, and renders."""
