"""The reranker that asks `/rerank`, against a server on this machine."""

import numpy as np
import pytest

from simonides.errors import InvalidSettings, ProviderError, ProviderUnavailable
from simonides.models.http import MAX_ANSWER_BYTES
from simonides.models.provider import MAX_TEXT_BYTES, Provider
from simonides.models.registry import reranker_from
from simonides.models.rerank_api import RerankApi
from simonides.testing import RerankerContract

QUESTION = "where is the spare key"
TEXTS = ["rates rose in March", "the spare key is under the pot", "the key to it"]


def reranker(server_or_url, name="rerank", *, pauses=None, **options):
    url = getattr(server_or_url, "url", server_or_url)
    options = {"model": "some-model"} | options
    return RerankApi(Provider(name, url, **options), pause=([] if pauses is None else pauses).append)


class RerankApiContract(RerankerContract):
    FORM = "rerank"

    @pytest.fixture(autouse=True)
    def _server(self, rerank_server):
        self.server = rerank_server

    def make_reranker(self):
        return reranker(self.server, self.FORM)

    def make_failing_reranker(self):
        self.server.mischief.append(401)
        return reranker(self.server, self.FORM)


class TestLikeCohere(RerankApiContract):
    FORM = "cohere"


class TestLikeTei(RerankApiContract):
    FORM = "tei"


EVERY_FORM = pytest.mark.parametrize("form", ["cohere", "jina", "rerank", "tei"])
BOTH_ANSWERS = pytest.mark.parametrize("form", ["rerank", "tei"])


# What is asked


@EVERY_FORM
def test_scores_come_in_the_order_of_the_texts(form, rerank_server):
    scores = reranker(rerank_server, form).rerank(QUESTION, TEXTS)
    assert np.allclose(scores, [0, 4 / 5, 2 / 5])


def test_cohere_is_asked_for_all_scores_of_its_model(rerank_server):
    reranker(rerank_server, "cohere").rerank(QUESTION, TEXTS)
    assert rerank_server.bodies == [
        {"model": "some-model", "query": QUESTION, "documents": TEXTS, "top_n": 3}
    ]


def test_jina_is_told_not_to_send_the_texts_back(rerank_server):
    reranker(rerank_server, "jina").rerank(QUESTION, TEXTS)
    [body] = rerank_server.bodies
    assert body.pop("return_documents") is False
    assert body == {"model": "some-model", "query": QUESTION, "documents": TEXTS, "top_n": 3}


def test_a_server_of_ones_own_may_have_one_model_without_a_name(rerank_server):
    reranker(rerank_server, "rerank", model=None).rerank(QUESTION, TEXTS)
    assert rerank_server.bodies == [{"query": QUESTION, "documents": TEXTS, "top_n": 3}]


def test_tei_is_told_to_cut_long_texts(rerank_server):
    reranker(rerank_server, "tei", model=None).rerank(QUESTION, TEXTS)
    assert rerank_server.bodies == [{"query": QUESTION, "texts": TEXTS, "truncate": True}]


def test_tei_gets_as_many_texts_at_a_time_as_is_set_and_the_others_get_all(rerank_server):
    texts = [f"key {number}" if number % 3 else "a spare key" for number in range(7)]
    in_batches = reranker(rerank_server, "tei", batch_size=3).rerank(QUESTION, texts)
    assert [body["texts"] for body in rerank_server.bodies] == [texts[:3], texts[3:6], texts[6:]]
    rerank_server.requests.clear()
    assert np.array_equal(reranker(rerank_server, "jina", batch_size=3).rerank(QUESTION, texts), in_batches)
    assert len(rerank_server.bodies) == 1


def test_a_long_text_is_cut_and_what_is_no_unicode_replaced(rerank_server):
    reranker(rerank_server).rerank("half \ud83d", ["x" * 10_000, "NUL \x00"])
    [body] = rerank_server.bodies
    assert body["query"] == "half \ufffd"
    assert [len(text) for text in body["documents"]] == [MAX_TEXT_BYTES, 5]


def test_without_texts_nothing_is_asked(rerank_server):
    assert reranker(rerank_server).rerank(QUESTION, []).shape == (0,)
    assert rerank_server.requests == []


def test_it_is_named_as_users_write_it(rerank_server):
    assert reranker(rerank_server, "tei", model=None).name == "tei"
    assert reranker(rerank_server, "jina", model="m").name == "jina:m"


def test_a_slash_at_the_end_of_the_address_does_not_matter(rerank_server):
    reranker(f"{rerank_server.url}/v1/").rerank(QUESTION, TEXTS)
    assert rerank_server.requests[-1][0] == "/v1/rerank"


def test_the_key_is_sent_and_none_where_there_is_none(rerank_server):
    reranker(rerank_server, api_key="key-of-a-test").rerank(QUESTION, TEXTS)
    assert rerank_server.header("authorization") == "Bearer key-of-a-test"
    reranker(rerank_server).rerank(QUESTION, TEXTS)
    assert rerank_server.header("authorization") is None


# Settings


@pytest.mark.parametrize("name", ["rerank", "tei"])
def test_a_server_of_ones_own_needs_an_address(name):
    with pytest.raises(InvalidSettings, match="base_url"):
        reranker_from(Provider(name, model="m"))


@pytest.mark.parametrize(("name", "variable"), [("cohere", "COHERE_API_KEY"), ("jina", "JINA_API_KEY")])
def test_a_service_needs_a_model_and_a_key(name, variable):
    with pytest.raises(InvalidSettings, match=f"{name} needs a model"):
        reranker_from(Provider(name, api_key="k"))
    with pytest.raises(InvalidSettings, match=variable):
        reranker_from(Provider(name, model="m"))
    assert reranker_from(Provider(name, model="m", api_key="k")).name == f"{name}:m"


# What goes wrong


@BOTH_ANSWERS
@pytest.mark.parametrize(
    ("mischief", "says"),
    [
        ("nan", "no finite number"),
        ("infinity", "no finite number"),
        ("too large", "no finite number"),
        ("text", "without index and score"),
        ("true", "without index and score"),
        ("nulls", "without index and score"),
        ("numbers", "without index and score"),
        ("not numbered", "without index and score"),
        ("out of range", "score for text 3 of 3"),
        ("below zero", "score for text -1 of 3"),
        ("one more", "score for text 3 of 3"),
        ("one fewer", "2 scores for 3 texts"),
        ("twice", "two scores for text 1"),
        ("no list", "without a list of scores"),
        ("not json", "without scores .*base_url"),
        ("html", "without scores .*base_url"),
        ("deep", "without scores .*base_url"),
        ("empty", "without a list of scores"),
        ("null", "without a list of scores"),
        ("10 MB", rf"more than {MAX_ANSWER_BYTES:,} bytes"),
        ("packed", "packed with deflate"),
        ("redirect", "redirects are not followed"),
        (400, "answered 400: .*misbehave.*model"),
        (401, "answered 401: .*misbehave.*api_key"),
        (404, "answered 404: .*misbehave.*base_url"),
        (422, "answered 422: .*misbehave.*model"),
    ],
)
def test_an_answer_that_cannot_be_used_is_a_provider_error(form, mischief, says, rerank_server):
    rerank_server.mischief.append(mischief)
    with pytest.raises(ProviderError, match=says) as caught:
        reranker(rerank_server, form, api_key="key-of-a-test").rerank(QUESTION, TEXTS)
    assert not isinstance(caught.value, ProviderUnavailable)
    assert str(caught.value).isprintable()
    assert "key-of-a-test" not in str(caught.value)
    assert len(rerank_server.requests) == 1


@pytest.mark.parametrize("mischief", [408, 429, 500, 503, "hang up", "cut off"])
def test_a_server_that_is_busy_or_hangs_up_is_asked_again(mischief, rerank_server):
    pauses = []
    rerank_server.mischief.extend([mischief, mischief])
    assert reranker(rerank_server, pauses=pauses).rerank(QUESTION, TEXTS).any()
    assert pauses == [0.5, 1.0]


@pytest.mark.parametrize("mischief", [429, 500, "hang up"])
def test_one_that_stays_so_is_unavailable_after_three_requests(mischief, rerank_server):
    rerank_server.mischief.extend([mischief] * 9)
    with pytest.raises(ProviderUnavailable, match="try again later"):
        reranker(rerank_server).rerank(QUESTION, TEXTS)
    assert len(rerank_server.requests) == 3


def test_the_pause_a_server_asks_for_is_kept(rerank_server):
    pauses = []
    rerank_server.retry_after = "7"
    rerank_server.mischief.append(429)
    reranker(rerank_server, pauses=pauses).rerank(QUESTION, TEXTS)
    assert pauses == [7]


@pytest.mark.parametrize("wanted", ["31", "29"])
def test_a_pause_that_would_reach_the_deadline_is_not_begun(wanted, rerank_server):
    pauses = []
    rerank_server.retry_after = wanted
    rerank_server.mischief.append(429)
    with pytest.raises(ProviderUnavailable, match="429"):
        reranker(rerank_server, pauses=pauses, timeout_s=29).rerank(QUESTION, TEXTS)
    assert pauses == []


@pytest.mark.parametrize("mischief", ["silent", "drip", "dripping head"])
def test_an_answer_that_does_not_end_in_time_is_given_up_and_not_asked_for_again(mischief, rerank_server):
    rerank_server.mischief.extend([mischief] * 9)
    with pytest.raises(ProviderUnavailable, match=r"within 0\.1 s.*timeout_s"):
        reranker(rerank_server, timeout_s=0.1).rerank(QUESTION, TEXTS)
    assert len(rerank_server.requests) <= 1


def test_the_deadline_holds_for_all_batches_together(rerank_server):
    rerank_server.mischief.extend([None, None, "silent"])
    with pytest.raises(ProviderUnavailable, match=r"within 0\.3 s"):
        reranker(rerank_server, "tei", batch_size=1, timeout_s=0.3).rerank(QUESTION, TEXTS)
    assert len(rerank_server.requests) <= 3


def test_one_batch_that_fails_fails_the_call(rerank_server):
    rerank_server.mischief.extend([None, "nan"])
    with pytest.raises(ProviderError, match="finite"):
        reranker(rerank_server, "tei", batch_size=1).rerank(QUESTION, TEXTS)


def test_a_port_where_nothing_listens_is_named_and_not_tried_again(closed_port):
    pauses = []
    with pytest.raises(ProviderUnavailable, match=f"cannot be reached at {closed_port}.*base_url"):
        reranker(closed_port, pauses=pauses).rerank(QUESTION, TEXTS)
    assert pauses == []


def test_a_redirect_takes_neither_key_nor_texts_along(rerank_server):
    rerank_server.mischief.append("redirect")
    with pytest.raises(ProviderError, match="answered 307"):
        reranker(rerank_server, api_key="key-of-a-test").rerank(QUESTION, TEXTS)
    assert [path for path, _, _ in rerank_server.requests] == ["/rerank"]


def test_it_works_again_after_a_failure(rerank_server):
    rerank_server.mischief.append("nan")
    again = reranker(rerank_server)
    with pytest.raises(ProviderError):
        again.rerank(QUESTION, TEXTS)
    assert again.rerank(QUESTION, TEXTS).any()
