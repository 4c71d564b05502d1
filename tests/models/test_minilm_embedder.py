"""The English encoder that comes along: its weights, its vectors, and what it is told apart by."""

import hashlib
import threading
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides import Memory
from simonides.config import load
from simonides.errors import InvalidSettings, ProviderUnavailable
from simonides.models.bundled import english_tokens
from simonides.models.minilm import DIMENSION, WEIGHTS_PATH, MiniLMEmbedder
from simonides.models.provider import Provider
from simonides.models.registry import embedder_from

ENCODER = MiniLMEmbedder()
TEXTS = (
    "My dog Rex is three years old.",
    "Do I have any pets?",
    "x",
    "Wir fahren im Mai nach Graz.",
    "one two three " * 200,
    "\u2028 a \x00 b",
)
#: Cosines of all-MiniLM-L6-v2 itself, in full precision, by torch.
REFERENCE = (
    ("Do I have any pets?", "My dog Rex is three years old.", 0.4065),
    ("What should I not put in my lunch box?", "I am allergic to peanuts.", 0.2498),
    ("Do I have any pets?", "I am allergic to peanuts.", 0.1765),
    ("Where am I employed?", "I work as a nurse at St. Anne's Hospital.", 0.4405),
)


@pytest.mark.parametrize(("question", "fact", "expected"), REFERENCE)
def test_cosines_are_those_of_the_model_but_for_rounding(question, fact, expected):
    one, other = ENCODER.embed([question, fact])
    assert float(one @ other) == pytest.approx(expected, abs=0.03)


def test_the_fingerprint_is_the_digest_of_all_arrays():
    digest = hashlib.sha256()
    with zipfile.ZipFile(WEIGHTS_PATH) as file:
        for name in file.namelist():
            with file.open(name) as content:
                array = np.lib.format.read_array(content)
            if name != "fingerprint.npy":
                digest.update(f"{name[:-4]} {array.dtype.str} {array.shape}\n".encode() + array.tobytes())
            if name == "rows.npy":
                assert len(array) == len(english_tokens()) + 2
    assert ENCODER.identity.fingerprint == digest.hexdigest()
    assert ENCODER.identity.dimension == DIMENSION


@settings(deadline=None, max_examples=30)
@given(st.lists(st.sampled_from(TEXTS), min_size=1, max_size=12))
def test_a_vector_is_the_same_bit_for_bit_whatever_stands_beside_its_text(texts):
    alone = np.stack([ENCODER.embed([text])[0] for text in texts])
    assert np.array_equal(ENCODER.embed(texts), alone)


@settings(deadline=None, max_examples=50)
@given(st.text(max_size=80))
def test_any_text_has_a_unit_vector_or_none(text):
    (vector,) = ENCODER.embed([text])
    length = float(np.linalg.norm(vector))
    assert length == pytest.approx(1, abs=1e-5) or not vector.any()


def test_what_has_no_token_has_no_vector():
    assert not ENCODER.embed(["", " \n "]).any()
    assert ENCODER.embed([]).shape == (0, DIMENSION)


def test_what_stands_behind_the_first_tokens_changes_nothing():
    one, other = ENCODER.embed(["word " * 254, "word " * 254 + "pets"])
    assert np.array_equal(one, other)


def test_several_threads_get_what_one_gets():
    expected = ENCODER.embed(TEXTS)
    found = [None] * 4

    def embed(place):
        found[place] = MiniLMEmbedder().embed(TEXTS) if place % 2 else ENCODER.embed(TEXTS)

    threads = [threading.Thread(target=embed, args=(place,)) for place in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(some, expected) for some in found)


@pytest.mark.parametrize("left", [0, 100, 1_000_000])
def test_a_damaged_file_is_a_clear_error(tmp_path, left):
    path = tmp_path / "weights.npz"
    path.write_bytes(WEIGHTS_PATH.read_bytes()[:left])
    with pytest.raises(ProviderUnavailable, match="reinstall the package"):
        MiniLMEmbedder(path).embed(["word"])


def test_a_missing_file_is_a_clear_error(tmp_path):
    with pytest.raises(ProviderUnavailable, match="reinstall the package"):
        _ = MiniLMEmbedder(tmp_path / "none.npz").identity


@pytest.mark.parametrize(
    "provider",
    [Provider("all-minilm-l6-v2", model="other"), Provider("all-minilm-l6-v2", dimension=256)],
    ids=["model", "dimension"],
)
def test_it_is_one_model_of_one_length(provider):
    with pytest.raises(InvalidSettings, match="has one model, of 384 dimensions"):
        embedder_from(provider)


def test_a_store_can_have_it_for_all(tmp_path):
    chosen = load(None, {"SIMONIDES_EMBEDDER": "all-minilm-l6-v2"})
    with Memory(tmp_path / "facts.db", settings=chosen) as memory:
        for text in ("I am allergic to peanuts.", "My flat has a balcony.", "The router stands in the hall."):
            memory.add(text, type="fact")
        assert memory.search("Which food could make me ill?")[0].item.content == "I am allergic to peanuts."
