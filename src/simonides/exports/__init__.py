"""Exports: one file for each form in which memories are written out."""
