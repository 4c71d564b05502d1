"""Tasks for a language model: one file each, its prompt in `templates/`."""
