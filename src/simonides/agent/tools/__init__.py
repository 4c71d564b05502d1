"""Tools: what a model may do with a memory, as JSON in and JSON out. One tool, one file; `table` lists them."""

from simonides.agent.tools.dispatch import Tools

__all__ = ["Tools"]
