"""The palace: the browsing hierarchy domain / room / shelf / card."""

from __future__ import annotations

from typing import Final

from simonides.domain.scope import Scope

#: The room of what has no tag and no entity.
MISC: Final = "misc"


def domain_of(scope: str, corpus_id: str | None) -> str:
    """The domain of what has not been assigned: its scope's project, else its corpus, else the scope itself."""
    project = dict(Scope(scope).parts).get("project")
    return project or corpus_id or scope
