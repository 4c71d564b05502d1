"""From a provider's name to its embedder."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import Final, cast

from simonides.errors import InvalidSettings, ProviderUnavailable
from simonides.models.model2vec import Model2VecEmbedder
from simonides.models.ollama import OllamaEmbedder
from simonides.models.openai import OpenAIEmbedder
from simonides.models.provider import Provider
from simonides.models.sentence_transformers import SentenceTransformersEmbedder
from simonides.ports.embedder import Embedder

#: Packages offer embedders of their own here: each entry point is a callable that takes a `Provider` and
#: returns an `Embedder`, and is chosen by its name.
GROUP: Final = "simonides.embedders"


def provider_named(text: str) -> Provider:
    """Read the short form of a provider: `bundled`, or `ollama:nomic-embed-text`.

    What follows the first colon is the model, further colons included. All else has its usual value.

    Raises:
        InvalidSettings: A part is empty.
    """
    name, colon, model = text.strip().partition(":")
    if not name or (colon and not model):
        raise InvalidSettings(
            f"{text!r} names no model; write PROVIDER:MODEL, such as ollama:nomic-embed-text"
        )
    return Provider(name, model=model or None)


def embedder_from(provider: Provider) -> Embedder:
    """Make the embedder that a provider block names. Opens no connection and loads no model.

    Built-in names go before those of entry points.

    Raises:
        InvalidSettings: The name is unknown, or the block does not suit its embedder.
        ProviderUnavailable: The embedder's package is not installed or cannot be imported.
    """
    make = _BUILT_IN.get(provider.provider)
    return make(provider) if make else _third_party(provider)


def known_embedders() -> list[str]:
    """All names that `embedder_from` understands, sorted."""
    return sorted({*_BUILT_IN, *(found.name for found in entry_points(group=GROUP))})


def _bundled(provider: Provider) -> Embedder:
    from simonides.models.bundled import BundledEmbedder  # noqa: PLC0415 - others need no table

    if provider.model is not None:
        raise InvalidSettings(f"the bundled embedder has one model; write `bundled`, not {provider.name!r}")
    embedder = BundledEmbedder()
    if provider.dimension not in {None, embedder.identity.dimension}:
        raise InvalidSettings(
            f"dimension is {provider.dimension}; the bundled embedder's is {embedder.identity.dimension}, "
            "leave it out"
        )
    return embedder


def _third_party(provider: Provider) -> Embedder:
    found = next(iter(entry_points(group=GROUP, name=provider.provider)), None)
    if found is None:
        raise InvalidSettings(
            f"there is no embedder {provider.provider!r}; known are {', '.join(known_embedders())}"
        )
    return _loaded(found)(provider)


def _loaded(found: EntryPoint) -> Callable[[Provider], Embedder]:
    try:
        return cast("Callable[[Provider], Embedder]", found.load())
    except (ImportError, AttributeError) as error:
        raise ProviderUnavailable(
            f"the embedder {found.name!r} ({found.value}) cannot be imported ({error}); install its package anew"
        ) from error


_BUILT_IN: Final[dict[str, Callable[[Provider], Embedder]]] = {
    "bundled": _bundled,
    "model2vec": Model2VecEmbedder,
    "ollama": OllamaEmbedder,
    "openai": OpenAIEmbedder,
    "sentence-transformers": SentenceTransformersEmbedder,
}
