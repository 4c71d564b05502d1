"""The cross-encoder: with a package that only looks like sentence-transformers, and with the real one where it is
installed."""

import importlib.util
import sys
import textwrap

import numpy as np
import pytest

from simonides.errors import InvalidSettings, ProviderError, ProviderUnavailable
from simonides.models.cross_encoder import CrossEncoderReranker
from simonides.models.provider import Provider
from simonides.models.registry import reranker_from
from simonides.testing import RerankerContract

QUESTION, TEXTS = "where is the key", ["rates rose", "the key is here", "the key"]


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of that name, in whose place no other is found: what it was told is in `calls`."""
    (tmp_path / "sentence_transformers.py").write_text(
        textwrap.dedent("""
            import re

            import numpy as np

            calls = []
            scores = None
            trouble = None


            class CrossEncoder:
                def __init__(self, name, **options):
                    calls.append((name, options))
                    if name == "far away" and options.get("local_files_only"):
                        raise OSError("not here")
                    if name == "nowhere":
                        raise OSError("no such model\\n\\x1b[31m")

                def predict(self, pairs, **options):
                    calls.append((list(pairs), options))
                    if trouble is not None:
                        raise trouble
                    if scores is not None:
                        return scores
                    words = [[set(re.findall(r"\\w+", text.lower())) for text in pair] for pair in pairs]
                    return np.array([len(asked & said) for asked, said in words], np.float32)
        """)
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "sentence_transformers", raising=False)
    import sentence_transformers

    yield sentence_transformers
    sys.modules.pop("sentence_transformers", None)


def reranker(model="here", **options):
    return CrossEncoderReranker(Provider("sentence-transformers", model=model, **options))


@pytest.mark.usefixtures("package")
class TestCrossEncoder(RerankerContract):
    def make_reranker(self):
        return reranker()

    def make_failing_reranker(self):
        return reranker("nowhere")


def test_the_registry_makes_one_without_loading_a_model(package):
    made = reranker_from(Provider("sentence-transformers", model="here"))
    assert isinstance(made, CrossEncoderReranker)
    assert made.name == "sentence-transformers:here"
    assert package.calls == []


def test_the_model_is_loaded_when_it_is_first_asked_and_once(package):
    made = reranker(batch_size=7)
    assert package.calls == []
    assert made.rerank(QUESTION, []).shape == (0,)
    assert package.calls == []
    assert made.rerank(QUESTION, TEXTS).tolist() == [0, 3, 2]
    made.rerank(QUESTION, TEXTS)
    loaded, asked, again = package.calls
    assert loaded == ("here", {"local_files_only": True, "token": None})
    assert (
        asked
        == again
        == ([(QUESTION, text) for text in TEXTS], {"batch_size": 7, "show_progress_bar": False})
    )


def test_a_name_that_is_not_here_is_fetched_with_the_key(package, monkeypatch):
    monkeypatch.setenv("KEY_OF_A_TEST", "key-from-outside")
    reranker("far away", api_key="${KEY_OF_A_TEST}").rerank(QUESTION, TEXTS)
    assert [options for _, options in package.calls[:2]] == [
        {"local_files_only": True, "token": "key-from-outside"},
        {"token": "key-from-outside"},
    ]


def test_a_model_that_cannot_be_loaded_is_unavailable(package):
    with pytest.raises(ProviderUnavailable, match=r"nowhere cannot be loaded \(no such model") as caught:
        reranker("nowhere").rerank(QUESTION, TEXTS)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("scores", "says"),
    [
        (np.zeros((3, 2)), "no single score"),
        (np.zeros(2), "2 scores for 3 texts"),
        (np.array([1, np.nan, 2]), "no finite number"),
        (["much", "little", "none"], "no numbers"),
        (None, "no single score"),
    ],
)
def test_what_is_not_a_score_for_each_text_is_a_provider_error(package, scores, says):
    package.scores = scores if scores is not None else np.float32(1)
    with pytest.raises(ProviderError, match=says):
        reranker().rerank(QUESTION, TEXTS)


@pytest.mark.parametrize("trouble", [RuntimeError("out of memory"), ValueError("bad input")])
def test_a_model_that_fails_says_what_may_help(package, trouble):
    package.trouble = trouble
    with pytest.raises(ProviderError, match=rf"{trouble}.*smaller batch_size"):
        reranker().rerank(QUESTION, TEXTS)


def test_it_needs_a_model():
    with pytest.raises(InvalidSettings, match="needs a model"):
        reranker_from(Provider("sentence-transformers"))


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A cross-encoder of a few hundred weights that know nothing."""
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    folder = tmp_path_factory.mktemp("model")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *{word for text in TEXTS for word in text.split()}]
    (folder / "vocab.txt").write_text("\n".join(words))
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=8,
        num_labels=1,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    return folder


@pytest.mark.skipif(
    importlib.util.find_spec("sentence_transformers") is None, reason="needs sentence-transformers"
)
@pytest.mark.filterwarnings("default")  # torch and its friends warn of their own affairs
class TestTheRealPackage:
    def test_each_text_has_a_score_of_its_own_wherever_it_stands(self, files):
        made = reranker(str(files))
        scores = made.rerank(QUESTION, TEXTS)
        assert (scores.dtype, scores.shape) == (np.float32, (3,))
        assert len(set(scores.tolist())) == 3
        assert np.allclose(made.rerank(QUESTION, TEXTS[::-1]), scores[::-1], atol=1e-5)

    def test_a_folder_that_holds_no_model_is_unavailable(self, tmp_path):
        with pytest.raises(ProviderUnavailable, match="cannot be loaded"):
            reranker(str(tmp_path)).rerank(QUESTION, TEXTS)
