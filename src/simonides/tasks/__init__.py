"""What a language model is asked to do: one file per task, its prompt in `templates/`."""
