"""The embedder of model2vec, with a small table of its own, where the package is installed."""

import importlib.util

import numpy as np
import pytest

from simonides.errors import ProviderUnavailable
from simonides.models.model2vec import Model2VecEmbedder
from simonides.models.provider import Provider

pytestmark = [
    pytest.mark.skipif(importlib.util.find_spec("model2vec") is None, reason="needs model2vec"),
    pytest.mark.filterwarnings("default"),
]

WORDS = ["[UNK]", "apples", "pears", "quinces", "and"]


def saved(folder, seed=1):
    from model2vec import StaticModel
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    tokenizer = Tokenizer(WordLevel({word: row for row, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    table = np.random.default_rng(seed).normal(size=(len(WORDS), 12)).astype(np.float32)
    StaticModel(table, tokenizer).save_pretrained(folder)
    return table


def embedder(folder, **settings):
    return Model2VecEmbedder(Provider("model2vec", model=str(folder), **settings))


def test_a_texts_vector_is_that_of_its_words_scaled_to_length_1(tmp_path):
    table = saved(tmp_path)
    vectors = embedder(tmp_path).embed(["apples and pears", "", "quinces"])
    expected = table[[1, 4, 2]].sum(axis=0)
    assert vectors.dtype == np.float32
    assert np.allclose(vectors[0], expected / np.linalg.norm(expected), atol=1e-6)
    assert not vectors[1].any()


def test_unknown_words_alone_embed_to_nothing(tmp_path):
    saved(tmp_path)
    assert not embedder(tmp_path).embed(["medlars"]).any()


def test_the_fingerprint_changes_with_the_table_and_not_with_the_folder(tmp_path):
    for folder, seed in (("one", 1), ("same", 1), ("other", 2)):
        saved(tmp_path / folder, seed)
    one, same, other = (embedder(tmp_path / folder).identity for folder in ("one", "same", "other"))
    assert one.fingerprint == same.fingerprint != other.fingerprint
    assert one.name == f"model2vec:{tmp_path / 'one'}"


def test_a_dimension_that_is_set_cuts_the_vectors(tmp_path):
    saved(tmp_path)
    short = embedder(tmp_path, dimension=4)
    assert short.embed(["apples"]).shape == (1, 4)
    assert short.identity.dimension == 4
    assert short.identity.fingerprint != embedder(tmp_path).identity.fingerprint


def test_it_is_local_if_its_files_are(tmp_path):
    saved(tmp_path)
    assert embedder(tmp_path).local
    assert not embedder("somebody/some-model").local


def test_a_folder_that_holds_no_model_is_unavailable(tmp_path):
    with pytest.raises(ProviderUnavailable, match="cannot be loaded"):
        embedder(tmp_path).embed(["apples"])
