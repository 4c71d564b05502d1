"""The embedders that ask a server, against one on this machine."""

import numpy as np
import pytest

from simonides.errors import InvalidSettings, ProviderError, ProviderUnavailable
from simonides.models.ollama import OllamaEmbedder
from simonides.models.openai import OpenAIEmbedder
from simonides.models.provider import MAX_TEXT_BYTES, Provider


class Pauses(list):
    """Takes the place of waiting: notes how long each pause would have been."""

    def __call__(self, seconds):
        self.append(seconds)


def ollama(server_or_url, *, model="nomic-embed-text", pause=None, **options):
    url = getattr(server_or_url, "url", server_or_url)
    return OllamaEmbedder(
        Provider("ollama", url, model=model, **options), pause=Pauses() if pause is None else pause
    )


def openai(server_or_url, *, model="some-model", pause=None, **options):
    url = getattr(server_or_url, "url", server_or_url) + "/v1"
    return OpenAIEmbedder(
        Provider("openai", url, model=model, **options), pause=Pauses() if pause is None else pause
    )


BOTH = pytest.mark.parametrize("make", [ollama, openai])


def unit(vector):
    return np.asarray(vector) / np.linalg.norm(vector)


def header(server, name):
    return {key.lower(): value for key, value in server.requests[-1][2].items()}.get(name)


# What both promise


@BOTH
def test_vectors_come_in_the_order_of_the_texts_scaled_to_length_1(make, embedding_server):
    texts = ["apples", "pears", "quinces"]
    vectors = make(embedding_server).embed(texts)
    assert vectors.dtype == np.float32
    assert np.allclose(vectors, [unit(embedding_server.vector(text)) for text in texts], atol=1e-6)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)


@BOTH
def test_texts_are_sent_in_batches_of_the_set_size(make, embedding_server):
    texts = [f"text {number}" for number in range(7)]
    vectors = make(embedding_server, batch_size=3).embed(texts)
    assert embedding_server.batches == [texts[:3], texts[3:6], texts[6:]]
    assert np.allclose(vectors[5], unit(embedding_server.vector("text 5")), atol=1e-6)


@BOTH
def test_a_blank_text_is_a_row_of_zeros_and_is_not_sent(make, embedding_server):
    vectors = make(embedding_server).embed(["", "apples", " \n\t", "pears"])
    assert embedding_server.batches == [["apples", "pears"]]
    assert not vectors[[0, 2]].any()
    assert np.allclose(vectors[3], unit(embedding_server.vector("pears")), atol=1e-6)


@BOTH
@pytest.mark.parametrize("texts", [[], ["", "  "]])
def test_nothing_to_embed_still_has_the_models_dimension(make, texts, embedding_server):
    assert make(embedding_server).embed(texts).shape == (len(texts), 8)


@BOTH
def test_a_text_that_is_not_valid_unicode_is_sent_with_replacement_characters(make, embedding_server):
    make(embedding_server).embed(["half \ud83d of a pair, \x00 and NUL"])
    assert embedding_server.batches == [["half \ufffd of a pair, \ufffd and NUL"]]


@BOTH
def test_a_long_text_is_cut_at_a_character(make, embedding_server):
    make(embedding_server).embed(["  " + "€" * 5000])
    [[sent]] = embedding_server.batches
    assert set(sent) == {"€"}
    assert len(sent.encode()) == MAX_TEXT_BYTES - MAX_TEXT_BYTES % 3


@BOTH
def test_making_one_touches_no_network(make, embedding_server):
    make(embedding_server)
    assert embedding_server.requests == []


@BOTH
def test_they_are_not_local(make, embedding_server):
    assert make(embedding_server).local is False


@BOTH
def test_the_dimension_is_learnt_from_one_answer_and_not_asked_again(make, embedding_server):
    embedder = make(embedding_server)
    embedder.embed(["apples"])
    assert embedder.identity.dimension == embedder.identity.dimension == 8
    assert embedding_server.batches == [["apples"]]


@BOTH
def test_without_a_first_answer_one_word_is_embedded_to_learn_the_dimension(make, embedding_server):
    assert make(embedding_server).identity.dimension == 8
    assert embedding_server.batches == [["dimension"]]


@BOTH
def test_a_dimension_that_is_set_is_part_of_the_request(make, embedding_server):
    embedder = make(embedding_server, dimension=4)
    assert embedder.embed(["apples"]).shape == (1, 4)
    assert embedder.identity.dimension == 4
    assert [body["dimensions"] for _, body, _ in embedding_server.requests if body] == [4]


@BOTH
def test_a_dimension_that_is_not_set_is_left_out_of_the_request(make, embedding_server):
    make(embedding_server).embed(["apples"])
    assert "dimensions" not in embedding_server.requests[-1][1]


@BOTH
def test_large_numbers_are_scaled_without_overflow(make, embedding_server):
    embedding_server.mischief.append("huge")
    vectors = make(embedding_server).embed(["apples"])
    assert np.allclose(vectors[0], unit(embedding_server.vector("apples")), atol=1e-6)


@BOTH
def test_they_are_named_as_users_write_them(make, embedding_server):
    embedder = make(embedding_server, model="nomic-embed-text")
    assert embedder.identity.name == f"{make.__name__}:nomic-embed-text"


# What goes wrong, for both


@BOTH
@pytest.mark.parametrize(
    ("mischief", "says"),
    [
        ("nan", "NaN"),
        ("infinity", "infinity"),
        ("text", "gave"),
        ("nulls", "gave"),
        ("one fewer", "1 vectors for 2 texts"),
        ("one more", "3 vectors for 2 texts"),
        ("no vectors", "gave"),
        ("ragged", "gave"),
        ("not json", "base_url"),
        ("html", "base_url"),
        ("empty", "base_url"),
    ],
)
def test_an_answer_that_cannot_be_used_is_a_provider_error(make, mischief, says, embedding_server):
    embedding_server.mischief.append(mischief)
    with pytest.raises(ProviderError, match=says) as caught:
        make(embedding_server).embed(["apples", "pears"])
    assert not isinstance(caught.value, ProviderUnavailable)
    assert len(embedding_server.requests) == 1


@BOTH
@pytest.mark.parametrize("texts", [["apples"], ["apples", "pears"], ["", "apples"]])
def test_zeros_alone_are_an_error_where_a_plain_word_gives_them_too(make, texts, embedding_server):
    embedder = make(embedding_server)
    embedder.embed(["apples"])
    embedding_server.mischief.extend(["zeros", "zeros"])
    with pytest.raises(ProviderError, match="zeros for a plain word"):
        embedder.embed(texts)
    assert np.linalg.norm(embedder.embed(texts)[-1]) == pytest.approx(1)


@BOTH
def test_zeros_for_texts_alone_are_what_the_model_makes_of_them(make, embedding_server):
    embedding_server.mischief.append("zeros")
    assert not make(embedding_server).embed(["…"]).any()
    assert len(embedding_server.requests) == 2


@BOTH
def test_an_answer_of_another_dimension_says_what_to_set(make, embedding_server):
    embedding_server.mischief.extend([None, "wrong dimension"])
    embedder = make(embedding_server)
    embedder.embed(["apples"])
    with pytest.raises(ProviderError, match=r"7 numbers, not 8; leave `dimension` out or set it to 7"):
        embedder.embed(["apples"])


@BOTH
@pytest.mark.parametrize("status", [408, 429, 500, 503])
def test_a_busy_server_is_asked_again(make, status, embedding_server):
    pauses = Pauses()
    embedding_server.mischief.extend([status, status])
    vectors = make(embedding_server, pause=pauses).embed(["apples"])
    assert np.allclose(vectors[0], unit(embedding_server.vector("apples")), atol=1e-6)
    assert pauses == [0.5, 1.0]


@BOTH
@pytest.mark.parametrize("status", [429, 500])
def test_a_server_that_stays_busy_is_unavailable_after_three_requests(make, status, embedding_server):
    embedding_server.mischief.extend([status] * 9)
    with pytest.raises(
        ProviderUnavailable, match=rf"answered {status}: .*told to misbehave.*; try again later"
    ):
        make(embedding_server).embed(["apples"])
    assert len(embedding_server.batches) == 3


@BOTH
def test_a_server_that_hangs_up_is_asked_again(make, embedding_server):
    embedding_server.mischief.append("hang up")
    assert make(embedding_server).embed(["apples"]).any()


@BOTH
def test_a_server_that_keeps_hanging_up_is_unavailable(make, embedding_server):
    embedding_server.mischief.extend(["hang up"] * 9)
    with pytest.raises(ProviderUnavailable, match="broke"):
        make(embedding_server).embed(["apples"])
    assert len(embedding_server.batches) == 3


@BOTH
def test_a_server_that_stays_silent_is_given_up_and_not_asked_again(make, embedding_server):
    embedding_server.mischief.extend(["silent"] * 9)
    with pytest.raises(ProviderUnavailable, match=r"within 0\.05 s.*timeout_s"):
        make(embedding_server, timeout_s=0.05).embed(["apples"])
    assert len(embedding_server.batches) <= 1


@BOTH
def test_a_port_where_nothing_listens_is_named_and_not_tried_again(make, closed_port):
    pauses = Pauses()
    with pytest.raises(ProviderUnavailable, match=f"at {closed_port}.*base_url"):
        make(closed_port, pause=pauses).embed(["apples"])
    assert pauses == []


@BOTH
@pytest.mark.parametrize(("status", "advice"), [(401, "api_key"), (403, "api_key"), (400, "dimension")])
def test_a_refusal_says_what_to_check_and_is_not_repeated(make, status, advice, embedding_server):
    embedding_server.mischief.append(status)
    with pytest.raises(ProviderError, match=rf"answered {status}: .*misbehave.*; .*{advice}") as caught:
        make(embedding_server).embed(["apples"])
    assert not isinstance(caught.value, ProviderUnavailable)
    assert len(embedding_server.batches) == 1


@BOTH
@pytest.mark.parametrize(
    "body", ["null", "[]", '"text"', "", '{"error": ["a", 1]}', "<html>\x1b[31m" + "x" * 9999]
)
def test_no_body_of_a_failure_gets_past_the_errors(make, body, embedding_server):
    embedding_server.error_body = body
    embedding_server.mischief.append(400)
    with pytest.raises(ProviderError) as caught:
        make(embedding_server).embed(["apples"])
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 600


@BOTH
def test_a_batch_that_fails_fails_the_call(make, embedding_server):
    embedding_server.mischief.extend([None, 400])
    with pytest.raises(ProviderError):
        make(embedding_server, batch_size=1).embed(["apples", "pears", "quinces"])
    assert embedding_server.batches == [["apples"], ["pears"]]


@BOTH
def test_it_works_again_after_a_failure(make, embedding_server):
    embedding_server.mischief.append("nan")
    embedder = make(embedding_server)
    with pytest.raises(ProviderError):
        embedder.embed(["apples"])
    assert embedder.embed(["apples"]).any()


# Keys


@BOTH
def test_a_key_is_sent_as_it_is(make, embedding_server):
    make(embedding_server, api_key="key-of-a-test").embed(["apples"])
    assert header(embedding_server, "authorization") == "Bearer key-of-a-test"


@BOTH
def test_a_key_is_read_from_the_variable_it_names(make, embedding_server, monkeypatch):
    monkeypatch.setenv("KEY_OF_A_TEST", "key-from-outside\n")
    make(embedding_server, api_key="${KEY_OF_A_TEST}").embed(["apples"])
    assert header(embedding_server, "authorization") == "Bearer key-from-outside"


@BOTH
def test_a_variable_that_is_not_set_is_named(make, embedding_server, monkeypatch):
    monkeypatch.delenv("KEY_OF_A_TEST", raising=False)
    with pytest.raises(InvalidSettings, match="'KEY_OF_A_TEST', which is not set"):
        make(embedding_server, api_key="${KEY_OF_A_TEST}")


@BOTH
def test_a_model_is_required(make, embedding_server):
    with pytest.raises(InvalidSettings, match=f"{make.__name__}:MODEL"):
        make(embedding_server, model=None)


def test_the_key_in_the_environment_does_not_go_to_another_server_than_openais(embedding_server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "key-for-openai")
    openai(embedding_server).embed(["apples"])
    assert header(embedding_server, "authorization") == "Bearer none"


def test_the_environments_server_and_key_are_used_if_none_is_set(embedding_server, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", f"{embedding_server.url}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "key-for-openai")
    OpenAIEmbedder(Provider("openai", model="some-model")).embed(["apples"])
    assert header(embedding_server, "authorization") == "Bearer key-for-openai"


def test_openai_without_any_key_says_how_to_set_one(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(InvalidSettings, match="OPENAI_API_KEY"):
        OpenAIEmbedder(Provider("openai", model="text-embedding-3-large"))


def test_openai_cannot_use_an_empty_key(embedding_server):
    with pytest.raises(InvalidSettings, match="api_key"):
        openai(embedding_server, api_key="")


# OpenAI's own


def test_openais_own_models_are_asked_for_256_numbers(embedding_server):
    embedder = openai(embedding_server, model="text-embedding-3-large")
    assert embedder.embed(["apples"]).shape == (1, 256)
    assert embedding_server.requests[-1][1]["dimensions"] == 256


def test_openais_identity_asks_nothing_if_the_dimension_is_known(embedding_server):
    identity = openai(embedding_server, model="text-embedding-3-large").identity
    assert (identity.fingerprint, identity.dimension) == ("text-embedding-3-large:256", 256)
    assert embedding_server.requests == []


def test_openais_fingerprint_changes_with_model_and_dimension(embedding_server):
    fingerprints = {
        openai(embedding_server, model=model, dimension=dimension).identity.fingerprint
        for model in ("text-embedding-3-small", "text-embedding-3-large")
        for dimension in (None, 512)
    }
    assert len(fingerprints) == 4


@pytest.mark.parametrize("mischief", ["shuffled", "unnumbered"])
def test_rows_are_put_in_the_order_of_their_numbers(mischief, embedding_server):
    embedding_server.mischief.append(mischief)
    vectors = openai(embedding_server).embed(["apples", "pears"])
    assert np.allclose(vectors[1], unit(embedding_server.vector("pears")), atol=1e-6)


def test_a_server_of_another_dimension_than_asked_is_an_error(embedding_server):
    embedding_server.mischief.append("wrong dimension")
    with pytest.raises(ProviderError, match="255 numbers, not 256"):
        openai(embedding_server, model="text-embedding-3-large").embed(["apples"])


def test_the_pause_a_server_asks_for_is_kept(embedding_server):
    pauses = Pauses()
    embedding_server.retry_after = "7"
    embedding_server.mischief.append(429)
    openai(embedding_server, pause=pauses).embed(["apples"])
    assert pauses == [7]


def test_a_server_that_asks_for_a_longer_pause_than_the_timeout_is_unavailable_at_once(embedding_server):
    pauses = Pauses()
    embedding_server.retry_after = "31"
    embedding_server.mischief.append(429)
    with pytest.raises(ProviderUnavailable, match="429"):
        openai(embedding_server, pause=pauses).embed(["apples"])
    assert pauses == []


@pytest.mark.parametrize("header", ["Wed, 21 Oct 2026 07:28:00 GMT", "-3", "nan", ""])
def test_a_pause_that_is_no_number_of_seconds_is_passed_over(header, embedding_server):
    pauses = Pauses()
    embedding_server.retry_after = header
    embedding_server.mischief.append(429)
    openai(embedding_server, pause=pauses).embed(["apples"])
    assert pauses == [0.5]


def test_a_wrong_path_says_what_to_check(embedding_server):
    provider = Provider("openai", f"{embedding_server.url}/nowhere", model="some-model")
    with pytest.raises(ProviderError, match=r"404.*base_url"):
        OpenAIEmbedder(provider).embed(["apples"])


# Ollama's own


def test_ollamas_fingerprint_is_the_digest_of_the_model_and_the_dimension(embedding_server):
    assert ollama(embedding_server).identity.fingerprint == "sha256:aaaa:8"


def test_ollamas_fingerprint_changes_when_another_model_is_pulled_under_the_name(embedding_server):
    before = ollama(embedding_server).identity
    embedding_server.digests["nomic-embed-text:latest"] = "sha256:bbbb"
    after = ollama(embedding_server).identity
    assert before.name == after.name
    assert before.fingerprint != after.fingerprint


def test_ollamas_digest_is_asked_for_once(embedding_server):
    embedder = ollama(embedding_server)
    assert embedder.identity == embedder.identity
    assert [path for path, _, _ in embedding_server.requests].count("/api/tags") == 1


def test_a_tag_is_part_of_ollamas_model(embedding_server):
    embedding_server.digests["nomic-embed-text:v1.5"] = "sha256:cccc"
    assert ollama(embedding_server, model="nomic-embed-text:v1.5").identity.fingerprint == "sha256:cccc:8"


def test_a_model_that_ollama_does_not_have_says_how_to_get_it(embedding_server):
    with pytest.raises(ProviderUnavailable, match="ollama pull all-minilm"):
        _ = ollama(embedding_server, model="all-minilm").identity
    embedding_server.mischief.append(404)
    with pytest.raises(ProviderError, match="ollama pull all-minilm"):
        ollama(embedding_server, model="all-minilm").embed(["apples"])


def test_ollamas_host_is_read_from_the_environment_if_none_is_set(embedding_server, monkeypatch):
    monkeypatch.setenv("OLLAMA_HOST", embedding_server.url)
    assert OllamaEmbedder(Provider("ollama", model="nomic-embed-text")).embed(["apples"]).any()


def test_a_host_that_is_no_address_is_refused(monkeypatch):
    monkeypatch.setenv("OLLAMA_HOST", "http://localhost:many")
    with pytest.raises(InvalidSettings, match="OLLAMA_HOST"):
        OllamaEmbedder(Provider("ollama", model="nomic-embed-text"))
