"""Provenance of a memory, and the trust in its source."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from simonides.values import dataclass


class SourceKind(StrEnum):
    """The medium of the source."""

    CHAT = "chat"
    DOC = "doc"
    TOOL = "tool"
    MIXED = "mixed"


class Origin(StrEnum):
    """Origin of a memory: who brought it in. Set by the entry point, never by a field of the input; immutable."""

    USER_SAID = "user-said"
    USER_CONFIRMED = "user-confirmed"
    ASSISTANT_SAID = "assistant-said"
    TOOL = "tool"
    WEB = "web"
    DOCUMENT = "document"
    IMPORT = "import"
    SYSTEM = "system"


class Trust(StrEnum):
    """Trust in a source; what is low needs review before it may be injected."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


#: Trust that follows from the origin.
TRUST_OF = {
    Origin.USER_SAID: Trust.HIGH,
    Origin.USER_CONFIRMED: Trust.HIGH,
    Origin.ASSISTANT_SAID: Trust.MEDIUM,
    Origin.TOOL: Trust.MEDIUM,
    Origin.WEB: Trust.LOW,
    Origin.DOCUMENT: Trust.MEDIUM,
    Origin.IMPORT: Trust.MEDIUM,
    Origin.SYSTEM: Trust.HIGH,
}


#: From the least on.
TRUSTS: Final = (Trust.LOW, Trust.MEDIUM, Trust.HIGH)
#: What somebody said or confirmed in person.
FROM_USER: Final = frozenset({Origin.USER_SAID, Origin.USER_CONFIRMED})
#: Who proposes on behalf of others than the user's own assistant.
_LOW_TRUST: Final = frozenset({"sub-agent", "subagent", "external", "plugin"})


def trust_of_actor(actor: str) -> Trust | None:
    """Trust of what somebody proposes: low for `sub-agent`, `external` and `plugin`, also as `plugin:weather`.

    None where it follows from the origin.
    """
    return Trust.LOW if actor.partition(":")[0].strip().casefold() in _LOW_TRUST else None


@dataclass(frozen=True, slots=True)
class Provenance:
    """The source of an item.

    Attributes:
        source_id: The source's own name: a message id, a URL, a path, `api`, `cli`.
        source_role: Who spoke, in a chat: user, assistant, tool, system.
        chunk_ids: Items of the document chunks it was taken from.
        content_hashes: SHA-256 of the sources' text, hexadecimal.
        span: (start, end) in characters within the source; None where unknown.
    """

    source_kind: SourceKind = SourceKind.CHAT
    source_id: str | None = None
    source_role: str | None = None
    chunk_ids: tuple[str, ...] = ()
    content_hashes: tuple[str, ...] = ()
    span: tuple[int, int] | None = None
