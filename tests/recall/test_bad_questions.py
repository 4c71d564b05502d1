"""Questions that are none, stores that lack something, and providers that have gone: a defined answer each time."""

import json
import math
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides.errors import InvalidText, ProviderUnavailable
from simonides.recall.ranking.profiles import PROFILES
from simonides.testing import FakeEmbedder, FakeReranker, ScriptedModel

STORED = [
    "the kettle is blue and stands in the hall",
    "我们把水壶放在厨房里",
    "чайник стоит на кухне",
    "الغلاية الزرقاء في المطبخ",
    "กาต้มน้ำสีฟ้าอยู่ในครัว",
    "la bouilloire est à la cuisine",
    "retryCount is read by http_client.py",
    "100%_of it\\",
    "the and of it",
]

QUESTIONS = {
    "a hundred kilobytes of words": ("where is the blue kettle " * 5_000)[:100_000],
    "a hundred kilobytes of one word": "a" * 100_000,
    "a hundred kilobytes of different words": " ".join(f"word{n}" for n in range(12_000))[:100_000],
    "a hundred kilobytes of Chinese": "水壶在哪里" * 20_000,
    "a hundred kilobytes of questions": ("where is it? Also, " * 6_000)[:100_000],
    "a hundred kilobytes of marks": "?" * 100_000,
    "a hundred kilobytes of blanks and a word": " " * 100_000 + "kettle",
    "only stop words": "what is it to you and me?",
    "only stop words, in French": "qu'est-ce que c'est pour nous ?",
    "only stop words, in Russian": "что это и как у нас?",
    "only stop words, in Chinese": "这是什么?",
    "one letter": "I",
    "punctuation": "?!... --- ()[]{}",
    "quotes": "\"'`«»“”",
    "wildcards": "%_\\*?",
    "emoji": "👍👨‍👩‍👧🏳️‍🌈",
    "NUL within": "ket\0tle",
    "NUL at the end": "kettle\0",
    "control characters": "kettle\x01\x02\x1b[31m",
    "operators": 'kettle" OR content:* AND NOT NEAR(x, 2) ^y -z +w {a b}',
    "SQL": "'); DROP TABLE memory_items; --",
    "Thai": "กาต้มน้ำอยู่ที่ไหน",
    "Arabic": "أين الغلاية الزرقاء؟",
    "Russian": "где стоит чайник?",
    "Hebrew": "איפה הקומקום?",
    "Hindi": "केतली कहाँ है?",
    "Korean": "주전자는 어디에 있나요?",
    "mixed scripts": "где kettle 水壶 กาต้มน้ำ?",
    "right to left marks": "\u202ewhere is the kettle\u202c\u200f",
    "zero width": "k\u200be\u200bt\u200bt\u200bl\u200be",
    "decomposed": "e\u0301te\u0301 a\u0300 la cuisine",
    "a pile of accents": "k" + "\u0301" * 5_000,
    "a time that never was": "what happened on 2026-02-31 at 25:61?",
    "a time out of reach": "what happened in the year 999999999?",
    "code": "```\nfor (;;) { x[0] += 1; }\n```",
    "a URL": "https://example.org/?q=kettle&x=%00",
}

#: Stores and providers that lack something; what each has to say of it.
LACKING = {
    "nothing": None,
    "items": None,
    "vectors": "vectors: 12 of 12 items have none yet; run `simonides backfill`",
    "half of the vectors": "vectors: 7 of 12 items have none yet; run `simonides backfill`",
    "an embedder": "vectors: nobody listens on port 11434",
    "a reranker": "rerank: no answer within 5 s",
}


class Gone(FakeEmbedder):
    """A remote embedder that does not answer."""

    def __init__(self):
        super().__init__(8, local=False)

    @property
    def identity(self):
        raise ProviderUnavailable("nobody listens on port 11434")

    def embed(self, texts):
        raise ProviderUnavailable("nobody listens on port 11434")


@pytest.fixture
def lacking(open_memory):
    """Opens a memory that lacks something."""

    def opened(what):
        options = {
            "vectors": {"embedder": FakeEmbedder(8, local=False)},
            "half of the vectors": {"embedder": FakeEmbedder(8, local=False)},
            "an embedder": {"embedder": Gone()},
            "a reranker": {"reranker": FakeReranker(error=ProviderUnavailable("no answer within 5 s"))},
        }.get(what, {})
        memory = open_memory(**options)
        if what == "items":
            return memory
        memory.add(STORED[::2])
        if what == "half of the vectors":
            memory.backfill()
        memory.add(STORED[1::2])
        memory.add([{"role": "user", "content": text} for text in STORED[:3]], session_id="s")
        return memory

    return opened


def is_defined(result, k=10):
    """Check that a search gave an answer that can be used, whatever it was."""
    json.dumps(result.to_dict(), allow_nan=False)
    assert 0 <= result.confidence <= 1
    assert len(result) <= k
    assert result.hidden >= 0
    assert result.strategy
    assert result.abstained or result.hits
    scores = [hit.score for hit in result]
    assert scores == sorted(scores, reverse=True)
    assert len({hit.item.id for hit in result}) == len(result)
    for hit in result:
        assert math.isfinite(hit.score)
        assert 0 <= hit.relevance <= 1
        assert all(0 < value <= 1 for value in hit.matches.values())
        parts = sum(value for name, value in hit.signals.items() if name != "factor")
        assert hit.score == pytest.approx(parts * hit.signals.get("factor", 1.0), abs=1e-5)


@pytest.mark.parametrize("question", QUESTIONS)
def test_whatever_is_asked_the_answer_is_defined(lacking, question):
    memory = lacking("nothing")
    for fields in (
        {},
        {"min_relevance": 0},
        {"agenda": True, "min_relevance": 0},
        {"k": 1},
        {"archived": True},
    ):
        result = memory.search(QUESTIONS[question], **fields)
        is_defined(result, fields.get("k", 10))
        assert result.degradations == ()
    for mode in ("context", "inject", "catalog", "hybrid"):
        assert memory.context(QUESTIONS[question], mode=mode).degradations == ()


@pytest.mark.parametrize("profile", PROFILES)
def test_whatever_is_asked_every_profile_has_a_defined_answer(lacking, profile):
    memory = lacking("nothing")
    for name, question in QUESTIONS.items():
        result = memory.search(question, profile=profile, min_relevance=0)
        is_defined(result)
        assert result.degradations == (), name


@pytest.mark.parametrize("what", LACKING)
def test_whatever_is_missing_the_answer_is_defined_and_says_what_failed(lacking, what):
    memory = lacking(what)
    for question in Random(what).sample([*QUESTIONS.values()], len(QUESTIONS) // 3):
        for fields in ({}, {"min_relevance": 0, "agenda": True}):
            result = memory.search(question, **fields)
            is_defined(result)
            others = [said for said in result.degradations if not said.startswith("intent: ")]
            assert set(others) <= {LACKING[what]}
    result = memory.search("where is the blue kettle?", min_relevance=0)
    if what == "items":
        assert (result.hits, result.abstained, result.strategy) == ((), True, "none")
    else:
        assert result.hits[0].item.content == STORED[0]
        assert LACKING[what] is None or LACKING[what] in result.degradations


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("what", LACKING)
def test_whatever_is_missing_every_profile_has_a_defined_answer(lacking, what, profile):
    memory = lacking(what)
    for agenda in (True, False):
        result = memory.search("where is the blue kettle?", profile=profile, agenda=agenda, min_relevance=0)
        is_defined(result)
        assert bool(result.hits) == (what != "items")
        # `weighted` looks at no words, and the vectors of the fake embedder mean nothing.
        if result.hits and profile != "weighted":
            assert result.hits[0].item.content == STORED[0]


def test_a_store_without_vectors_answers_by_its_words(lacking):
    memory = lacking("vectors")
    result = memory.search("где стоит чайник?")
    assert result.hits[0].item.content == "чайник стоит на кухне"
    assert "vectors" not in result.strategy
    assert all("vec" not in hit.matches for hit in result)


def test_what_has_no_vector_yet_is_found_beside_what_has_one(lacking):
    memory = lacking("half of the vectors")
    assert 0 < sum(memory.stats()["vectors"].values()) < len(STORED)
    for text in STORED[:5]:
        assert memory.search(text, min_relevance=0).hits[0].item.content == text, text
    result = memory.search("the kettle of the hall, retryCount and кухне", min_relevance=0, k=20)
    # The turns of the session say the same as some of the notes.
    seen = {hit.item.content: hit.matches for hit in result if hit.item.type == "note"}
    assert "vec" in seen[STORED[0]]
    assert not [text for text in STORED[1::2] if "vec" in seen.get(text, ())]


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("where is the kettle?", 0), ("水壶在哪里?", 1), ("где чайник?", 2), ("أين الغلاية؟", 3),
        ("กาต้มน้ำสีฟ้าอยู่ในครัว", 4), ("où est la bouilloire ?", 5),
    ],
)  # fmt: skip
def test_a_question_in_any_script_finds_the_text_that_has_its_words(open_memory, question, number):
    memory = open_memory(embedder=None)
    memory.add(STORED)
    result = memory.search(question, min_relevance=0)
    assert result.hits[0].item.content == STORED[number]
    assert "lex" in result.hits[0].matches


def test_a_store_that_holds_nothing_but_signs_has_defined_answers(memory):
    """Their tokens are none: no mean length, no words, no terms."""
    memory.add(
        [{"role": "user", "content": text} for text in ("👍👍", "🎉", "!!! ???", "...")], session_id="s"
    )
    for question in ("kettle", "👍👍", "what is it?", "tea for two", "?"):
        for profile in PROFILES:
            is_defined(memory.search(question, profile=profile, min_relevance=0, agenda=True))


@pytest.mark.parametrize("question", ["", " ", "\0", "\0\0 \n", "\ud800", "kettle \udfff"])
def test_what_is_no_text_is_an_error_that_says_so(memory, question):
    memory.add("the kettle is blue")
    for ask in (memory.search, memory.context):
        with pytest.raises(InvalidText):
            ask(question)


class Wild(FakeEmbedder):
    """An embedder to which some texts are nothing, and others all the same."""

    def embed(self, texts):
        rows = np.zeros((len(texts), 8), np.float32)
        for row, text in enumerate(texts):
            if len(text) % 3:
                rows[row, len(text) % 2] = 1.0
        return rows


PIECES = st.one_of(
    st.sampled_from(["kettle", " ", "? Also, ", "last week ", "Ana ", "why ", "水壶", "чайник", "\0", "👍"]),
    st.sampled_from(["\"'*()^:-", "100%", "\u200b", "```", "_"]),
    st.characters(exclude_categories=["Cs"]),
)  # fmt: skip


@settings(max_examples=50)
@given(
    question=st.lists(PIECES, min_size=1, max_size=25)
    .map("".join)
    .filter(lambda text: text.replace("\0", " ").strip()),
    profile=st.sampled_from(list(PROFILES)),
    agenda=st.sampled_from([None, True, False]),
    k=st.integers(1, 12),
)
def test_no_question_is_too_odd(open_memory, question, profile, agenda, k):
    memory = open_memory(embedder=Wild(8), model=ScriptedModel({"expand": "no JSON", "bridge": "no JSON"}))
    memory.add([*STORED, "Ana has the kettle"], entities=["Ana"])
    result = memory.search(question, profile=profile, agenda=agenda, k=k, min_relevance=0)
    is_defined(result, k)
    memory.close()
