"""Graphs of Graphiti and Zep, written as JSON: their nodes, edges and episodes with the fields of their models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from simonides.domain.instant import iso
from simonides.errors import InvalidInput
from simonides.importers.files import (
    Fields,
    a_list,
    a_text,
    an_object,
    json_of,
    moment_of,
    sources,
    with_times,
)
from simonides.ports.importer import LEFT_OUT, Refusal, SourceEntry, SourceItem, SourceRequest


class GraphitiImporter:
    """`{"nodes": […], "edges": […], "episodes": […]}`, each as `model_dump(mode="json")` or the API gives it.

    An edge is a fact with the time in which it was true; a node's summary is a memory of that entity; an episode is a
    note of its time.
    """

    def read(self, request: SourceRequest) -> Iterator[SourceEntry]:
        files = sources(request.path, "*.json")
        read = [(file, an_object(json_of(file))) for file in files]
        for file, value in read:
            if not any(isinstance(value.get(name), list) for name in ("nodes", "edges", "episodes")):
                raise InvalidInput(f"{file.name} is no graph: it has neither nodes nor edges nor episodes")
            nodes = [an_object(node) for node in a_list(value.get("nodes"))]
            names = {a_text(node.get("uuid")): a_text(node.get("name")) for node in nodes}
            for number, node in enumerate(nodes, 1):
                yield from with_times(_node(node, f"{file.name}, node {number}"), node, "created_at")
            edges = [an_object(edge) for edge in a_list(value.get("edges"))]
            for number, edge in enumerate(edges, 1):
                entry = _edge(edge, names, f"{file.name}, edge {number}")
                yield from with_times(entry, edge, "created_at", "expired_at", "valid_at", "invalid_at")
            episodes = [an_object(episode) for episode in a_list(value.get("episodes"))]
            for number, episode in enumerate(episodes, 1):
                entry = _episode(episode, f"{file.name}, episode {number}")
                yield from with_times(entry, episode, "valid_at", "created_at")


def _node(node: Fields, place: str) -> SourceEntry:
    name, key = a_text(node.get("name")), a_text(node.get("uuid") or node.get("uuid_"))
    summary = a_text(node.get("summary")).strip()
    if not name or not key:
        return Refusal(place=place, reason="the node has no name or no uuid")
    if not summary:
        return Refusal(place=place, reason=f"{LEFT_OUT}a node without a summary (its edges name it)")
    labels = [label for one in a_list(node.get("labels")) if (label := a_text(one)) not in {"", "Entity"}]
    metadata = {"labels": labels, "attributes": dict(an_object(node.get("attributes")))}
    return SourceItem(
        place=place,
        key=key,
        content=summary,
        fields={
            "type": "fact",
            "title": name[:200],
            "entities": [name[:200]],
            "metadata": {name: value for name, value in metadata.items() if value} | _group(node),
        },
        created_at=moment_of(node.get("created_at")),
    )


def _edge(edge: Fields, names: Mapping[str, str], place: str) -> SourceEntry:
    fact, key = a_text(edge.get("fact")).strip(), a_text(edge.get("uuid") or edge.get("uuid_"))
    if not fact or not key:
        return Refusal(place=place, reason="the edge has no fact or no uuid")
    ends = [
        names.get(a_text(edge.get(f"{end}_node_uuid"))) or a_text(edge.get(f"{end}_node_name"))
        for end in ("source", "target")
    ]
    metadata = {"relation": a_text(edge.get("name"))} | _group(edge)
    if attributes := dict(an_object(edge.get("attributes"))):
        metadata["attributes"] = attributes
    fields: dict[str, Any] = {
        "type": "fact",
        "entities": list({name[:200]: None for name in ends if name}),
        "metadata": metadata,
    }
    for name, given in (("valid_from", "valid_at"), ("valid_until", "invalid_at")):
        if (at := moment_of(edge.get(given))) is not None:
            fields[name] = iso(at)
    return SourceItem(
        place=place,
        key=key,
        content=fact,
        fields=fields,
        created_at=moment_of(edge.get("created_at")),
        updated_at=moment_of(edge.get("expired_at")),
        archived=moment_of(edge.get("expired_at")) is not None,
    )


def _episode(episode: Fields, place: str) -> SourceEntry:
    content, key = a_text(episode.get("content")).strip(), a_text(episode.get("uuid") or episode.get("uuid_"))
    if not content or not key:
        return Refusal(place=place, reason="the episode has no content or no uuid")
    fields: dict[str, Any] = {"type": "note", "title": a_text(episode.get("name"))[:200]}
    fields["metadata"] = {
        name: value for name in ("source", "source_description") if (value := a_text(episode.get(name)))
    } | _group(episode)
    if (at := moment_of(episode.get("valid_at"))) is not None:
        fields["event_at"] = iso(at)
    return SourceItem(
        place=place, key=key, content=content, fields=fields, created_at=moment_of(episode.get("created_at"))
    )


def _group(one: Fields) -> dict[str, Any]:
    return {"group": group} if (group := a_text(one.get("group_id"))) else {}
