"""From a provider's name to what it provides: embedders, rerankers, language models."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from simonides.errors import InvalidSettings
from simonides.models.chat import ChatModel
from simonides.models.cross_encoder import CrossEncoderReranker
from simonides.models.minilm import DIMENSION, MiniLMEmbedder
from simonides.models.model2vec import Model2VecEmbedder
from simonides.models.ollama import OllamaEmbedder
from simonides.models.openai import OpenAIEmbedder
from simonides.models.provider import BUNDLED, STATIC, Provider
from simonides.models.rerank_api import RerankApi
from simonides.models.sentence_transformers import SentenceTransformersEmbedder
from simonides.models.universal import MultilingualEncoder
from simonides.models.universal_sentence_encoder import UniversalSentenceEncoderEmbedder
from simonides.plugins import Makers
from simonides.ports.embedder import Embedder
from simonides.ports.model import LanguageModel
from simonides.ports.reranker import Reranker


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
    return EMBEDDERS.named(provider.provider)(provider)


def reranker_from(provider: Provider) -> Reranker:
    """Make the reranker that a provider block names, as `embedder_from` makes an embedder."""
    return RERANKERS.named(provider.provider)(provider)


def model_from(provider: Provider) -> LanguageModel:
    """Make the language model that a provider block names, as `embedder_from` makes an embedder."""
    return MODELS.named(provider.provider)(provider)


def _bundled(provider: Provider) -> Embedder:
    embedder = _bundled_once()
    if provider.dimension not in {None, embedder.identity.dimension}:
        raise InvalidSettings(
            f"dimension is {provider.dimension}; the bundled embedder's is {embedder.identity.dimension}, "
            "leave it out"
        )
    return embedder


@cache
def _bundled_once() -> Embedder:
    """The embedder that comes along, for all memories of this process: its words fill some 12 MB."""
    from simonides.models.bundled import BundledEmbedder  # noqa: PLC0415 - others need no table

    return BundledEmbedder()


def _minilm(provider: Provider) -> Embedder:
    if provider.model is not None or provider.dimension not in {None, DIMENSION}:
        raise InvalidSettings(
            f"{provider.provider} has one model, of {DIMENSION} dimensions; leave model and dimension out"
        )
    return encoder()


def encoders_beside(embedder: Embedder) -> tuple[Embedder | None, Embedder | None]:
    """The encoders that come along, for English and for other languages, where an embedder knows these less."""
    from simonides.models.bundled import BundledEmbedder  # noqa: PLC0415 - others need no table

    if isinstance(embedder, BundledEmbedder):
        return encoder(), multilingual_encoder()
    return encoder() if isinstance(embedder, UniversalSentenceEncoderEmbedder) else None, None


@cache
def encoder() -> Embedder:
    """The English encoder that comes along, for all memories of this process: its weights fill some 60 MB."""
    return MiniLMEmbedder()


@cache
def multilingual_encoder() -> Embedder:
    """The encoder for other languages that comes along, likewise: its weights fill some 50 MB."""
    return MultilingualEncoder()


EMBEDDERS: Final = Makers[Callable[[Provider], Embedder]](
    "embedder",
    "simonides.embedders",
    {
        "all-minilm-l6-v2": _minilm,
        BUNDLED: _bundled,
        STATIC: _bundled,
        "model2vec": Model2VecEmbedder,
        "ollama": OllamaEmbedder,
        "openai": OpenAIEmbedder,
        "sentence-transformers": SentenceTransformersEmbedder,
        "universal-sentence-encoder": UniversalSentenceEncoderEmbedder,
    },
)
RERANKERS: Final = Makers[Callable[[Provider], Reranker]](
    "reranker",
    "simonides.rerankers",
    {
        "cohere": RerankApi,
        "jina": RerankApi,
        "rerank": RerankApi,
        "sentence-transformers": CrossEncoderReranker,
        "tei": RerankApi,
    },
)
MODELS: Final = Makers[Callable[[Provider], LanguageModel]](
    "language model",
    "simonides.models",
    {"ollama": ChatModel, "openai": ChatModel, "openai-compatible": ChatModel},
)
