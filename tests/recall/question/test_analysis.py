"""A question, read."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from simonides.domain.instant import instant
from simonides.language.question_names import MAX_CANDIDATES, MAX_NAMES
from simonides.language.sentences import MAX_CHARS, fold, read
from simonides.language.terms import terms
from simonides.models.bundled import BundledEmbedder
from simonides.recall.question.analysis import Asks, Expects, Intent, analyse
from simonides.recall.question.intent import IntentClassifier
from simonides.testing import FakeEmbedder

ASKED = instant("2023-05-17T15:30:00Z")

CASES = [
    (
        "What did you recommend for the kettle in Oslo last week?",
        "what",
        "assistant",
        "other",
        ("Oslo",),
        "last week",
    ),
    ("Why did Anna Petrova leave in March?", "why", "anyone", "reason", ("Anna Petrova",), "in March"),
    ("When did I first see the lighthouse?", "when", "user", "time", (), None),
    ("Who came on Friday?", "who", "anyone", "person", (), "on Friday"),
    ("Where is my ladder?", "what", "user", "place", (), None),
    ("How many films did I watch in 2022?", "general", "user", "number", (), "in 2022"),
    ("Did Lina call yesterday?", "general", "anyone", "yes_no", ("Lina",), "yesterday"),
    ("Which tools does Oskar own?", "what", "anyone", "list", ("Oskar",), None),
    ("What is Greta's favourite tea?", "what", "anyone", "preference", ("Greta",), None),
    ("Что ты мне посоветовал на прошлой неделе?", "what", "assistant", "other", (), "на прошлой неделе"),
    ("Почему Лина уехала в марте?", "why", "anyone", "reason", ("Лина",), "в марте"),
    ("Где мой ключ?", "what", "user", "place", (), None),
    ("Сколько стоила лодка в 2022 году?", "general", "anyone", "number", (), "в 2022 году"),
    ("我上周五和谁见面了?", "who", "user", "person", (), "上周五"),
    ("你上次推荐的书是什么?", "what", "assistant", "other", (), None),
    ("莉娜为什么去年搬家?", "why", "anyone", "reason", (), "去年"),
    ("灯塔什么时候建的?", "when", "anyone", "time", (), None),
    ("Que m'as-tu conseillé hier ?", "what", "assistant", "other", (), "hier"),
    ("Qui est venu la semaine dernière ?", "who", "anyone", "person", (), "la semaine dernière"),
    ("Où est ma clé ?", "what", "user", "place", (), None),
    ("Pourquoi Élodie est-elle partie en mars ?", "why", "anyone", "reason", ("Élodie",), "en mars"),
    ("kettle", "general", "anyone", "other", (), None),
    ("", "general", "anyone", "other", (), None),
    ("?!", "general", "anyone", "yes_no", (), None),
    ("\0\ud800", "general", "anyone", "other", (), None),
]


@pytest.mark.parametrize(("text", "intent", "asks", "expects", "names", "words"), CASES)
def test_a_question_is_read(text, intent, asks, expects, names, words):
    found = analyse(text, ASKED)
    assert (found.intent, found.asks, found.expects) == (Intent(intent), Asks(asks), Expects(expects))
    assert found.names == names
    assert (found.window and found.window.words) == words
    assert found.terms == terms(text)


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("What did Anna do in March 2023?", ("Anna",)),
        ("What did I do last week?", ()),
        ("Last week was my last week at Acme, why?", ("Last", "week", "Acme")),
        ("我上周做了什么", ()),
        ("我上周修了什么", ("我上", "周修", "修了", "了什")),
        ("Anything planned for Thursday?", ()),
        ("Any plans for the weekend?", ()),
        ("where is the kettle", ("kettle",)),
        ("the", ("the",)),
    ],
)
def test_the_words_that_named_the_time_are_left_out_of_the_content_terms(text, content):
    assert analyse(text, ASKED).content_terms == content


def test_what_kind_of_search_it_wants_is_said():
    plain = analyse("Where is the kettle?", ASKED)
    assert (plain.complex, plain.recall_intent, plain.order) == (False, False, False)
    rich = analyse("Do you remember in what order I saw all the islands and lighthouses?", ASKED)
    assert (rich.complex, rich.recall_intent, rich.order) == (True, True, True)


def test_the_given_vector_is_the_one_that_is_compared():
    embedder = BundledEmbedder()
    classifier = IntentClassifier(embedder)
    deadline = embedder.embed(["when is the deadline"])[0]
    assert analyse("the paint", ASKED, classifier, vector=deadline).intent is Intent.WHEN
    assert analyse("the paint", ASKED, classifier).intent is Intent.GENERAL


def test_a_classifier_that_fails_leaves_its_reason():
    from simonides.errors import ProviderUnavailable

    class Silent(FakeEmbedder):
        def embed(self, texts):
            raise ProviderUnavailable("no answer; start the server")

    found = analyse("tell me about tea", ASKED, IntentClassifier(Silent()))
    assert found.degraded == "intent: no answer; start the server"
    assert analyse("tell me about tea", ASKED).degraded is None


def test_of_a_long_message_the_beginning_and_the_end_are_read():
    found = analyse("Anna came. " + "and so on " * 20_000 + "What did I tell Bert yesterday?", ASKED)
    assert len(found.text) <= MAX_CHARS
    assert found.names == ("Anna", "Bert")
    assert (found.asks, found.window.words) == (Asks.USER, "yesterday")


@given(text=st.text(max_size=2 * MAX_CHARS))
@example(text="İ" * 500 + " Straße")
@example(text="e\u0301" * 900)
def test_folding_moves_no_character(text):
    reading = read(text)
    assert len(reading.folded) == len(reading.text) <= MAX_CHARS
    assert len(fold(text)) == len(text)
    assert any(piece.asks for piece in reading.pieces)


@given(text=st.text(max_size=500), at=st.integers(-(10**18), 10**18))
@example(text="a" * 100_000, at=0)
@example(text="\ud800" * 100_000, at=0)
@example(text="last week " * 10_000, at=0)
@example(text="3月5日" * 25_000, at=0)
@example(text='"' * 100_000, at=-(2**70))
def test_any_text_is_read_within_bounds_and_always_alike(text, at):
    intents = IntentClassifier(FakeEmbedder(8))
    vector = np.ones(8, np.float32)
    found = analyse(text, at, intents, vector=vector)
    assert found == analyse(text, at, intents, vector=vector)
    assert len(found.text) <= MAX_CHARS
    assert len(found.names) <= MAX_NAMES
    assert len(found.candidates) <= MAX_CANDIDATES
    assert set(found.content_terms) <= set(found.terms)
    assert found.window is None or found.window.start < found.window.end


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Is my father still alive?", ("father", "alive")),
        ("Do I currently rent anything?", ("rent", "anything")),
        ("Wohne ich zurzeit in Graz?", ("wohne", "graz")),
        ("Est-ce que je fume encore ?", ("est-ce", "fume")),
        ("¿Todavía vivo en Jaén?", ("vivo", "jaén")),
    ],
)
def test_that_something_is_still_so_is_no_topic(text, content):
    assert {term.casefold() for term in analyse(text, ASKED).content_terms} <= set(content)
