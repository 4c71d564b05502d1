"""Items that are made of other items: whose word they are, where they come from, what they are linked to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from simonides.domain.ids import new_id
from simonides.domain.item import MADE_BY, Item, Status
from simonides.domain.link import Link, Relation
from simonides.domain.provenance import Origin, Provenance, SourceKind, Trust
from simonides.domain.taxonomy import Taxonomy
from simonides.domain.text import sha256_hex
from simonides.language.sameness import read
from simonides.ports.store import Reader
from simonides.upkeep.change import AddLink

#: Who brought a memory in, the least first: what is made of several is the word of the least of them.
_ORIGINS: Final = (
    Origin.WEB,
    Origin.IMPORT,
    Origin.DOCUMENT,
    Origin.TOOL,
    Origin.ASSISTANT_SAID,
    Origin.SYSTEM,
    Origin.USER_SAID,
    Origin.USER_CONFIRMED,
)
_TRUSTS: Final = (Trust.LOW, Trust.MEDIUM, Trust.HIGH)
#: Hashes that a provenance names at most.
_MOST_HASHES: Final = 50
#: Words that a text shares with a source that it says something of.
_SHARED: Final = 2
#: The name in `metadata` of the model that worded an item.
WORDED_BY: Final = "worded_by"


def whose(sources: Sequence[Item]) -> tuple[Origin, Trust]:
    """Origin and trust of what is made of items: the lowest of each. Nothing rises by being told again."""
    return (
        min((item.origin for item in sources), key=_ORIGINS.index),
        min((item.trust for item in sources), key=_TRUSTS.index),
    )


def derived(
    content: str,
    item_type: str,
    sources: Sequence[Item],
    *,
    now: int,
    taxonomy: Taxonomy,
    made_by: str,
    worded_by: str | None = None,
    **fields: Any,
) -> Item:
    """An item that says what others say.

    It is of their scope, no surer than the least sure of them, and may go into a prompt only if each of them may.

    Args:
        content: Not blank.
        sources: At least one; of one scope.
        made_by: The job.
        worded_by: The model, where the words are its own.
    """
    first, spec = sources[0], taxonomy[item_type]
    origin, trust = whose(sources)
    kinds = {item.provenance.source_kind for item in sources}
    roles = {item.provenance.source_role for item in sources}
    metadata: Mapping[str, Any] = {MADE_BY: made_by} | ({WORDED_BY: worded_by} if worded_by else {})
    values: dict[str, Any] = {
        "scope": first.scope,
        "origin": origin,
        "trust": trust,
        "injectable": all(item.injectable for item in sources),
        "confidence": min(item.confidence for item in sources),
        "importance": spec.importance,
        "decay_rate": spec.decay_rate,
        "metadata": metadata,
        "provenance": Provenance(
            source_kind=kinds.pop() if len(kinds) == 1 else SourceKind.MIXED,
            source_id=first.id,
            source_role=roles.pop() if len(roles) == 1 else None,
            content_hashes=tuple(dict.fromkeys(sha256_hex(item.content) for item in sources))[:_MOST_HASHES],
        ),
    }
    return Item(
        id=new_id(now), content=content, type=item_type, created_at=now, updated_at=now, **(values | fields)
    )


def links_to(item: Item, sources: Iterable[Item]) -> Iterator[AddLink]:
    """A `derived_from` link to each source: forgetting a source finds what was made of it."""
    for source in dict.fromkeys(sources):
        yield AddLink(Link(src=item.id, dst=source.id, rel=Relation.DERIVED_FROM))


def borne_out_by(text: str, items: Sequence[Item]) -> list[Item]:
    """The items that a text may say something of: those that share words with it, at least two of them."""
    content = read(text).content
    least = min(_SHARED, len(content))
    return [item for item in items if len(read(item.text).content & content) >= least]


def contradicted(reader: Reader, items: Sequence[Item]) -> frozenset[str]:
    """Ids of those of the items that another item contradicts which is believed as well, whichever is right."""
    ids = {item.id for item in items}
    links = reader.links(sorted(ids), [Relation.CONTRADICTS])
    ends = reader.get(sorted({end for link in links for end in (link.src, link.dst)}))
    live = [link for link in links if all(ends[end].status is Status.ACTIVE for end in (link.src, link.dst))]
    return frozenset(end for link in live for end in (link.src, link.dst)) & ids
