"""Statements of small stores are read closely: by an encoder that knows more of meaning than words do."""

import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.paraphrases import small_stores
from simonides import Memory
from simonides.agent.middleware import Middleware
from simonides.config import load
from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.instant import instant
from simonides.domain.kept import forget_texts
from simonides.errors import ProviderUnavailable
from simonides.language.guess import in_doubt
from simonides.models.bundled import BundledEmbedder
from simonides.models.registry import encoder, multilingual_encoder
from simonides.recall.close_reader import MAX_CHARS, CloseReader
from simonides.recall.question.analysis import analyse
from simonides.recall.question.exemplars import EmbeddedExemplars
from simonides.recall.ranking.match import FIRM_SHARE, close_share, held_beside_names
from simonides.recall.ranking.meaning import by_meaning
from tests.prepared import copied

FACTS = (
    "I gave up my landline two years ago.",
    "We keep bees behind the garage.",
    "My knees hurt on stairs.",
    "I am saving up for a kayak.",
    "Our lease runs out at the end of August.",
    "I tip ten percent at most.",
    "My daughter is in her second year of law.",
    "I never schedule meetings before ten.",
    "Dad's hearing aid takes size 312 batteries.",
    "I paint watercolours of harbours.",
    "The guest bed sleeps two.",
    "I share a printer with the flat downstairs.",
)
#: Asked in words that the fact does not have.
ASKED = (
    ("Do I own any insects?", "We keep bees behind the garage."),
    ("What joint trouble do I have?", "My knees hurt on stairs."),
    ("When must we have moved out?", "Our lease runs out at the end of August."),
    ("Which subject does my child study?", "My daughter is in her second year of law."),
    ("What kind of art do I make?", "I paint watercolours of harbours."),
    ("How many visitors can stay overnight?", "The guest bed sleeps two."),
    ("Which boat do I want to buy?", "I am saving up for a kayak."),
)


def store(path, *, closely=True, **options):
    settings_ = load(None, {"SIMONIDES_EMBEDDER": "bundled" if closely else "bundled-static"})
    memory = Memory(path, settings=settings_, **options)
    for fact in FACTS:
        memory.add(fact, type="fact")
    return memory


class Counting:
    """An encoder that counts what it is asked for, and fails once it is told to."""

    multilingual = False
    local = True

    def __init__(self):
        self.asked = []
        self.fails = False

    @property
    def identity(self):
        return EmbedderIdentity("counting", "counting", encoder().identity.dimension)

    def embed(self, texts):
        if self.fails:
            raise ProviderUnavailable("all-minilm-l6-v2.npz is not there or damaged; reinstall the package.")
        self.asked += texts
        return encoder().embed(texts)


def test_facts_are_found_first_by_questions_in_other_words(tmp_path):
    with store(tmp_path / "close.db") as close, store(tmp_path / "plain.db", closely=False) as plain:
        found = [close.search(question)[0].item.content == fact for question, fact in ASKED]
        before = [plain.search(question)[0].item.content == fact for question, fact in ASKED]
    assert sum(found) >= len(ASKED) - 1
    assert sum(before) < sum(found)


@pytest.mark.parametrize("made_by", [encoder, multilingual_encoder])
def test_the_scale_that_comes_along_is_that_of_the_encoder(made_by):
    kept, made = CloseReader(made_by()).scale, EmbeddedExemplars(made_by()).scale
    assert (kept.unrelated, kept.related) == pytest.approx((made.unrelated, made.related), abs=1e-5)
    assert kept.telling is made.telling is True


def test_a_text_is_read_once():
    counting = Counting()
    reader = CloseReader(counting)
    first = reader.vectors(FACTS)
    assert np.array_equal(reader.vectors(FACTS[::-1]), first[::-1])
    assert sorted(counting.asked) == sorted(FACTS)


def test_what_was_purged_is_forgotten_by_the_reader():
    counting = Counting()
    reader = CloseReader(counting)
    reader.vectors(FACTS)
    forget_texts()
    reader.vectors(FACTS[:1])
    assert counting.asked.count(FACTS[0]) == 2


@pytest.mark.parametrize(
    "text",
    ["Meine Tochter studiert im zweiten Jahr Jura und wohnt in Kiel.", "Ma fille fait du droit à Lyon, elle y habite.",
     "Моя дочь учится на втором курсе.", "我女儿在读法律二年级。", "word " * MAX_CHARS],
    ids=["German", "French", "Russian", "Chinese", "long"],
)  # fmt: skip
def test_what_is_no_english_statement_is_not_read(text):
    counting = Counting()
    assert not CloseReader(counting).vectors([text]).any()
    assert counting.asked == []


#: Of bees, knees, a daughter, watercolours and a kayak, in other words than `FACTS` have, and in other languages.
ABROAD = (
    "Welche Insekten halte ich?", "Welches Gelenk macht mir Ärger?", "Welches Fach belegt mein Kind an der Uni?",
    "Welche Kunst mache ich?", "Welches Boot will ich kaufen?",
    "¿Qué insectos crío?", "¿Qué articulación me da problemas?", "¿Qué carrera estudia mi niña?", "¿Qué arte practico?",
    "¿Qué barco quiero comprar?",
    "Quels insectes est-ce que j'élève ?", "Quelle articulation me fait souffrir ?",
    "Quelle matière étudie mon enfant ?", "Quel art est-ce que je pratique ?",
    "Quel bateau est-ce que je veux acheter ?",
    "Каких насекомых я развожу?", "Какой сустав меня беспокоит?", "Какой предмет изучает мой ребёнок?",
    "Каким искусством я занимаюсь?", "Какую лодку я хочу купить?",
    "我养什么昆虫？", "我哪个关节不舒服？", "我的孩子学什么专业？", "我从事什么艺术？", "我想买什么船？",
)  # fmt: skip
MEANT = (FACTS[1], FACTS[2], FACTS[5], FACTS[9], FACTS[3])


@pytest.mark.parametrize("language", ["es", "ru"])
def test_facts_in_other_languages_are_found_first_by_questions_in_other_words(tmp_path, language):
    found = {True: 0, False: 0}
    for closely in found:
        settings_ = load(None, {"SIMONIDES_EMBEDDER": "bundled" if closely else "bundled-static"})
        for facts in (one for one in small_stores("everyday") if one.language == language):
            with Memory(tmp_path / f"{facts.id}-{closely}.db", settings=settings_) as memory:
                ids = {
                    name: memory.add(fact, type="fact").verdicts[0].item_id
                    for name, fact in facts.facts.items()
                }
                found[closely] += sum(
                    memory.search(text)[0].item.id == ids[name] for text, name in facts.questions
                )
    assert found[True] >= found[False] + 5, found


@pytest.mark.parametrize("language", ["en", "de"])
def test_keywords_of_questions_in_other_words_find_facts_first(tmp_path, language):
    found = {True: 0, False: 0}
    for closely in found:
        settings_ = load(None, {"SIMONIDES_EMBEDDER": "bundled" if closely else "bundled-static"})
        for facts in (one for one in small_stores("natively") if one.language == language):
            with Memory(tmp_path / f"{facts.id}-{closely}.db", settings=settings_) as memory:
                ids = {
                    name: memory.add(fact, type="fact").verdicts[0].item_id
                    for name, fact in facts.facts.items()
                }
                keywords = {
                    " ".join(analyse(text, instant("2026-01-05")).content_terms): ids[name]
                    for text, name in facts.questions
                }
                found[closely] += sum(
                    memory.search(text)[0].item.id == id_ for text, id_ in keywords.items() if in_doubt(text)
                )
    assert found[True] >= found[False] + 3, found


def test_what_is_asked_in_one_language_is_found_in_another(tmp_path):
    with store(tmp_path / "close.db") as close, store(tmp_path / "plain.db", closely=False) as plain:
        found, before = (
            [
                memory.search(question)[0].item.content == MEANT[place % 5]
                for place, question in enumerate(ABROAD)
            ]
            for memory in (close, plain)
        )
    assert sum(found) > max(sum(before), 0.7 * len(ABROAD)), (sum(found), sum(before))


def test_a_question_goes_to_the_reader_of_its_language():
    others = CloseReader(multilingual_encoder())
    reader = CloseReader(encoder(), others)
    assert reader.of("Where do I live?") is reader
    for question in ("Wo wohne ich?", "¿Dónde vivo?", "Où est-ce que j'habite ?", "Где я живу?", "我住在哪里？",
                     "私はどこに住んでいますか。", "저는 어디에 살아요?"):  # fmt: skip
        assert reader.of(question) is others, question
        assert CloseReader(encoder()).of(question) is None
    for question in ("Rex", "postgres port 5432", "", "?"):
        assert reader.of(question) is None, question


@pytest.mark.parametrize(
    ("texts", "multilingual"),
    [
        (FACTS, False),
        (("Der Testserver ist nur über das VPN zu erreichen.", "Jens ist im Urlaub."), True),
        ((*FACTS, "Jens ist im Urlaub."), False),
        (("42", "Kubernetes"), None),
        ((), None),
    ],
)
def test_keywords_go_to_the_reader_of_what_may_answer_them(texts, multilingual):
    others = CloseReader(multilingual_encoder())
    reader = CloseReader(encoder(), others)
    expected = None if multilingual is None else others if multilingual else reader
    for keywords in ("Rex", "postgres port 5432", "Backup Uhrzeit"):
        assert reader.beside(keywords, texts) is expected, keywords
    for question in (
        "Where do I live?",
        "Wo wohne ich?",
        "Onde moro eu com a minha irmã?",
        "我住在哪里？",
        "?",
        "",
    ):
        assert reader.beside(question, texts) is None, question


@settings(deadline=None, max_examples=60)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=5), st.integers(0, 3_000), st.integers(0, 3_000))
def test_the_share_falls_with_words_held_and_is_nothing_in_large_stores_and_beside_names(
    coverage, one, other
):
    none = np.zeros(len(coverage))
    held = held_beside_names(np.array(coverage), none)
    few, many = sorted((max(one, 12), max(other, 12)))
    assert close_share(0.0, few) >= close_share(held, few) >= FIRM_SHARE
    assert close_share(held, few) >= close_share(held, many)
    assert close_share(held, 1_000) == pytest.approx(FIRM_SHARE)
    alone = np.eye(1, len(coverage))[0]
    assert close_share(held_beside_names(np.array(coverage), alone), few) == FIRM_SHARE


def test_a_reader_that_fails_is_told_of_and_the_search_goes_on(tmp_path, monkeypatch):
    counting = Counting()
    counting.fails = True
    monkeypatch.setattr("simonides.models.registry.encoder", lambda: counting)
    with store(tmp_path / "facts.db") as memory:
        found = memory.search("Do I own any insects?")
    assert len(found) > 0
    assert any("close reading" in said and "reinstall" in said for said in found.degradations)


def test_an_embedder_that_was_given_is_taken_at_its_word(tmp_path):
    class Given:
        multilingual = True
        local = True
        _own = BundledEmbedder()

        @property
        def identity(self):
            return EmbedderIdentity("given", "given", self._own.identity.dimension)

        def embed(self, texts):
            return self._own.embed(texts)

    with (
        store(tmp_path / "given.db", embedder=Given()) as given,
        store(tmp_path / "off.db", closely=False) as off,
    ):
        for question, _ in ASKED:
            assert [hit.item.content for hit in given.search(question)] == [
                hit.item.content for hit in off.search(question)
            ]


def test_a_user_with_a_few_facts_is_read_in_a_store_of_many(tmp_path):
    with Memory(tmp_path / "many.db") as memory:
        for fact in FACTS:
            memory.add(fact, type="fact", scope="user:ana")
        others = [
            {"content": f"The order {n} of shop {n % 17} went out.", "type": "fact"} for n in range(1_200)
        ]
        memory.add(others, scope="user:ben")
        found = [memory.search(text, scope="user:ana")[0].item.content == fact for text, fact in ASKED]
    assert sum(found) >= len(ASKED) - 1


#: Statements of which more are near to a question than are read for it.
MANY = sorted(
    fact for store in small_stores("everyday") if store.language == "en" for fact in store.facts.values()
)


def filled(path, facts, *, read=False, **options):
    with Memory(path, **options) as memory:
        memory.add([{"content": fact, "type": "fact", "event_at": "2026-01-01"} for fact in facts])
        if read:
            memory.backfill()
    return path


def answers(path, k=10, **options):
    """Answers of a copy of a store: it knows nothing of what another was asked."""
    copy = copied(path, Path(tempfile.mkdtemp(dir=path.parent)) / "copy.db")
    with Memory(copy, **options) as memory:
        return [[hit.item.content for hit in memory.search(question, k=k)] for question, _ in ASKED]


@pytest.mark.parametrize("read", [False, True], ids=["when asked", "by upkeep"])
def test_the_order_in_which_statements_were_stored_says_nothing(tmp_path, monkeypatch, read):
    monkeypatch.setattr("simonides.recall.gather._READ_FROM", 0)
    shuffled = [MANY[place] for place in np.random.default_rng(7).permutation(len(MANY))]
    assert sum(map(len, MANY)) > 6_000
    assert answers(filled(tmp_path / "one.db", MANY, read=read)) == answers(
        filled(tmp_path / "other.db", shuffled, read=read)
    )


@pytest.mark.parametrize("read", [False, True], ids=["when asked", "by upkeep"])
@pytest.mark.parametrize("facts", [FACTS, MANY], ids=["a dozen", "many"])
def test_the_first_are_the_same_however_many_are_wanted(tmp_path, monkeypatch, facts, read):
    monkeypatch.setattr("simonides.recall.gather._READ_FROM", 0)
    path = filled(tmp_path / "facts.db", facts, read=read)
    few, many = answers(path), answers(path, k=80)
    assert [found[0] for found in many] == [found[0] for found in few]


def test_a_statement_of_several_lines_is_read():
    texts = ["We keep bees.\nThey live behind the garage.", "We keep bees.\tTwo hives.", "We keep\u00a0bees."]
    assert CloseReader(encoder()).vectors(texts).any(axis=1).all()


def test_where_too_little_is_read_closely_an_embedder_that_tells_speaks_for_itself(tmp_path, monkeypatch):
    long = [" ".join(MANY[place : place + 6])[:MAX_CHARS] for place in range(0, len(MANY), 2)]
    path = filled(tmp_path / "long.db", long, embedder=encoder())
    alone = answers(path, embedder=encoder())
    monkeypatch.setattr("simonides.compose.encoders_beside", lambda _: (Counting(), None))
    assert answers(path, embedder=encoder()) == alone


def test_memories_of_one_process_read_a_statement_once(tmp_path, monkeypatch):
    counting = Counting()
    monkeypatch.setattr("simonides.models.registry.encoder", lambda: counting)
    for name in ("one.db", "other.db"):
        with store(tmp_path / name) as memory:
            memory.search("Do I own any insects?")
    assert len(counting.asked) > 1
    assert len(counting.asked) == len(set(counting.asked))


def test_getting_warm_reads_what_a_first_question_is_compared_with(tmp_path, monkeypatch):
    counting = Counting()
    monkeypatch.setattr("simonides.models.registry.encoder", lambda: counting)
    with Memory(tmp_path / "facts.db") as memory:
        memory.add([{"content": fact, "type": "fact"} for fact in FACTS], scope="user:ana")
        with Middleware(memory) as middleware:
            middleware.warm()
            patience = time.monotonic() + 60
            while set(FACTS).isdisjoint(counting.asked) and time.monotonic() < patience:
                time.sleep(0.01)
        assert not set(FACTS).isdisjoint(counting.asked)


def test_of_no_candidates_nothing_is_read(stage):
    table = stage.candidates()
    vectors = np.ones((1, 2), np.float32)
    query = replace(table.query, parts=("where?",), vectors=vectors, trusted=[1.0], extent=20, passing=20)
    found = by_meaning(table.having(query=query), np.zeros(0, np.intp))
    assert (len(found.alike), found.closely) == (0, False)
