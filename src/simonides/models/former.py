"""The embedder that made vectors which are stored already: after a change of model they are still searched."""

from __future__ import annotations

from dataclasses import replace

from simonides.domain.embedding import EmbedderIdentity
from simonides.errors import InvalidSettings, ProviderError
from simonides.models.bundled import ENGLISH, EnglishEmbedder
from simonides.models.provider import Provider
from simonides.models.registry import embedder_from, provider_named
from simonides.ports.embedder import Embedder

#: How the bundled embedder calls its models.
_BUNDLED = "bundled-"


def former_embedder(model: EmbedderIdentity, present: Provider) -> Embedder | None:
    """The embedder of a model, if it can be made and is still the same one; asks it what it is.

    Args:
        present: The embedder of today's settings: a server that both share is reached the same way.
    """
    try:
        if model == ENGLISH:
            return EnglishEmbedder()
        embedder = embedder_from(_provider(model, present))
        same = embedder.identity == model
    except (ProviderError, InvalidSettings):
        return None
    return embedder if same else None


def _provider(model: EmbedderIdentity, present: Provider) -> Provider:
    if model.name.startswith(_BUNDLED):
        return Provider("bundled")
    named = provider_named(model.name)
    if named.provider == present.provider:
        named = replace(present, model=named.model)
    # One that gives this length by itself needs not be told, and may not take it.
    return replace(named, dimension=None if named.provider == "model2vec" else model.dimension)
