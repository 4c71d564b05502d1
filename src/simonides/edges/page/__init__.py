"""The page: where a person sees what a memory knows, why, and what changed, and puts it right.

`routes` are mounted by the server. Each place of the page is one file of `places/`; it reads a `Visit` and answers with
a `View`, of which `answering` makes HTML or JSON.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

__all__ = ["routes"]


def routes() -> list[BaseRoute]:
    """Routes of the page, from `/` on.

    Handlers read `request.state.memory`, the `Memory`, and `request.state.caller`: who asks, with `scope`, `role`
    and `actor`.
    """
    from simonides.edges.page.routing import table  # noqa: PLC0415 - templates are read where a page is served

    return table()
