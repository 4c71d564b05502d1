"""Sources of a memory's reranker and language model."""

import pytest

from simonides import Memory
from simonides.aio import AsyncMemory
from simonides.compose import compose
from simonides.config import Settings
from simonides.errors import InvalidSettings
from simonides.models.chat import ChatModel
from simonides.models.provider import Provider
from simonides.models.rerank_api import RerankApi
from simonides.testing import FakeEmbedder, FakeReranker, ScriptedModel

SET = Settings(
    rerank=Provider("tei", "http://localhost:1"),
    model=Provider("openai-compatible", "http://localhost:1/v1", model="m"),
)


def parts(path, settings=None, **given):
    made = compose(path, {"settings": settings or Settings(), "embedder": FakeEmbedder(8), **given})
    made.store.close()
    return made


def test_by_default_there_are_none(path):
    made = parts(path)
    assert (made.reranker, made.model) == (None, None)


def test_those_of_the_settings_are_made(path):
    made = parts(path, SET)
    assert isinstance(made.reranker, RerankApi)
    assert isinstance(made.model, ChatModel)
    assert (made.reranker.name, made.model.name) == ("tei", "openai-compatible:m")


def test_what_is_given_takes_the_place_of_what_is_set(path):
    reranker, model = FakeReranker(), ScriptedModel()
    made = parts(path, SET, reranker=reranker, model=model)
    assert (made.reranker, made.model) == (reranker, model)


@pytest.mark.parametrize("settings", [Settings(rerank=Provider("tee")), Settings(model=Provider("olama"))])
def test_a_provider_that_is_not_known_is_an_error_when_the_memory_is_opened(path, settings):
    with pytest.raises(InvalidSettings, match="known are"):
        Memory(path, settings=settings, embedder=FakeEmbedder(8))
    assert not path.exists()


def test_a_memory_takes_both(open_memory):
    memory = open_memory(reranker=FakeReranker(), model=ScriptedModel())
    memory.add("The kettle is in the left cupboard.")
    assert memory.search("where is the kettle?").hits


async def _asynchronous(path, **given):
    async with AsyncMemory(path, embedder=FakeEmbedder(8), settings=Settings(), **given) as memory:
        return await memory.add("The kettle is in the left cupboard.")


def test_an_asynchronous_memory_takes_both_too(path):
    import asyncio

    added = asyncio.run(_asynchronous(path, reranker=FakeReranker(), model=ScriptedModel()))
    assert added.verdicts[0].outcome == "accepted"


@pytest.mark.parametrize(
    "odd", ["ollama", "bundled:x", 3, {"provider": "ollama"}, [], object, FakeEmbedder], ids=repr
)
@pytest.mark.parametrize(
    "name", ["clock", "embedder", "reranker", "model", "agenda", "consolidator", "policy"]
)
def test_what_cannot_do_what_is_asked_of_it_is_refused_before_anything_is_opened(path, name, odd):
    with pytest.raises(InvalidSettings, match=f"^{name} takes an object"):
        Memory(path, **{name: odd})
    assert not path.exists()
