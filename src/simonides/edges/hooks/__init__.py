"""Hooks of coding agents: memory at the start of a session, beside a prompt, and of what was said."""
