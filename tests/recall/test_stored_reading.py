"""Tests of what upkeep reads of statements, which is kept beside their vectors and found by in stores of any size."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.paraphrases import small_stores
from simonides import Memory
from simonides.config import load
from simonides.domain.kept import forget_texts
from simonides.domain.selection import LONGER
from simonides.domain.taxonomy import TAXONOMY
from simonides.models.registry import encoder
from simonides.recall.ranking.match import FIRM_SHARE, close_share
from simonides.testing import FrozenClock
from tests.recall.test_close_reading import ASKED, FACTS, Counting

MODEL = "all-minilm-l6-v2"
#: More than are read for a question.
ORDERS = tuple(f"The order {n} of shop {n % 17} went out." for n in range(1_200))


def statements(texts):
    return [{"content": text, "type": "fact"} for text in texts]


def stored(memory):
    """Number of the vectors of the closer reading."""
    return memory.stats()["vectors"].get(MODEL, 0)


def firsts(memory, **options):
    return sum(memory.search(text, **options)[0].item.content == fact for text, fact in ASKED)


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A store of many statements, of which upkeep has read all."""
    with Memory(tmp_path_factory.mktemp("large") / "large.db") as memory:
        memory.add(statements([*FACTS, *ORDERS]))
        before = firsts(memory)
        memory.maintain(["embed"])
        yield memory, before


@pytest.fixture
def asked(monkeypatch):
    """Ask what upkeep has read in small stores, too."""
    monkeypatch.setattr("simonides.recall.gather._READ_FROM", 0)


@pytest.fixture
def counting(monkeypatch):
    """An encoder that counts what it is asked for."""
    made = Counting()
    monkeypatch.setattr("simonides.models.registry.encoder", lambda: made)
    return made


def test_a_fact_in_other_words_is_found_in_a_large_store_once_upkeep_has_read_it(large):
    memory, before = large
    assert stored(memory) == len(FACTS) + len(ORDERS)
    assert firsts(memory) >= len(ASKED) - 1
    assert before < firsts(memory)


def test_what_was_written_since_is_read_when_it_is_asked_about(large):
    memory, _ = large
    memory.add("Grandma's ring is in the blue tin.", type="fact")
    assert memory.search("In which box is the jewellery?")[0].item.content.startswith("Grandma")


@pytest.mark.parametrize("language", ["es", "zh"])
def test_facts_in_other_languages_are_found_in_a_large_store_once_upkeep_has_read_them(tmp_path, language):
    stores = [one for one in small_stores("everyday") if one.language == language]
    orders = {
        "es": "El pedido {} de la tienda {} salió ayer por la tarde.",
        "zh": "第{}号店的第{}号订单昨天下午寄出去了。",
    }
    others = [orders[language].format(n, n % 17) for n in range(1_100)]
    with Memory(tmp_path / "large.db") as memory:
        memory.add(statements([*others, *(fact for one in stores for fact in one.facts.values())]))

        def right():
            return sum(
                memory.search(question)[0].item.content == one.facts[name]
                for one in stores
                for question, name in one.questions
            )

        before = right()
        memory.maintain(["embed"])
        assert memory.stats()["vectors"]["universal-sentence-encoder-multilingual"] == memory.stats()["items"]
        assert right() >= before + 3


def test_each_reader_stores_what_is_in_its_languages(tmp_path):
    with Memory(tmp_path / "both.db") as memory:
        memory.add(
            statements([*FACTS, "Meine Tochter studiert Jura und wohnt in Kiel.", "私は東京に住んでいます。"])
        )
        memory.backfill()
        assert stored(memory) == len(FACTS)
        assert memory.stats()["vectors"]["universal-sentence-encoder-multilingual"] == 2


def test_backfill_reads_what_upkeep_reads(tmp_path):
    found = []
    for name, read in (("backfill", Memory.backfill), ("embed", lambda memory: memory.maintain(["embed"]))):
        with Memory(tmp_path / f"{name}.db") as memory:
            memory.add(statements(FACTS))
            read(memory)
            assert stored(memory) == len(FACTS)
            found.append([[hit.item.content for hit in memory.search(text)] for text, _ in ASKED])
    assert found[0] == found[1]


def test_each_statement_is_read_once_and_what_is_none_never(tmp_path, counting):
    with Memory(tmp_path / "facts.db") as memory:
        memory.add(statements([*FACTS, "Meine Tochter studiert Jura und wohnt in Kiel.", "word " * 80]))
        memory.add([{"role": "user", "content": "I have a cat and two dogs."}], session_id="s")
        for _ in range(2):
            memory.maintain(["embed"])
            memory.backfill()
        assert memory.stats()["vectors"][counting.identity.name] == len(FACTS)
    assert sorted(counting.asked) == sorted(FACTS)


def test_a_statement_in_new_words_is_read_anew(tmp_path, counting):
    with Memory(tmp_path / "facts.db") as memory:
        added = memory.add("We keep bees behind the garage.", type="fact")
        memory.backfill()
        memory.update(added.item_id, content="We keep hens behind the garage.")
        assert not memory.stats()["vectors"].get(counting.identity.name)
        memory.backfill()
    assert counting.asked == ["We keep bees behind the garage.", "We keep hens behind the garage."]


def test_a_plan_reads_nothing_and_a_run_that_is_undone_leaves_nothing(tmp_path):
    with Memory(tmp_path / "facts.db") as memory:
        memory.add(statements(FACTS))
        memory.maintain(["embed"], dry_run=True)
        assert stored(memory) == 0
        run = memory.maintain(["embed"])
        assert stored(memory) == len(FACTS)
        memory.undo(run.id)
        assert stored(memory) == 0


def test_a_memory_that_goes_without_sets_what_was_read_aside(tmp_path):
    with Memory(tmp_path / "facts.db") as memory:
        memory.add(statements(FACTS))
        memory.backfill()
    without = load(None, {"SIMONIDES_EMBEDDER": "bundled-static"})
    with Memory(tmp_path / "facts.db", settings=without) as memory:
        assert memory.search("bees").degradations == ()
        memory.maintain(["embed"])
        assert stored(memory) == 0


def test_an_embedder_by_that_name_goes_on_with_what_was_read(tmp_path):
    with Memory(tmp_path / "facts.db") as memory:
        memory.add(statements(FACTS))
        memory.backfill()
    with Memory(tmp_path / "facts.db", embedder=encoder()) as memory:
        assert memory.search("bees").degradations == ()
        assert memory.stats()["vectors"][MODEL] == len(FACTS)


def test_a_small_store_is_asked_as_before_and_nothing_is_read_that_upkeep_has_read(tmp_path, counting):
    with Memory(tmp_path / "facts.db", clock=FrozenClock("2026-11-24T12:00:00Z")) as memory:
        memory.add(statements(FACTS))

        def scores():
            hits = [memory.search(text, noted=False) for text, _ in ASKED]
            return [[(hit.item.id, hit.score) for hit in some] for some in hits]

        before = scores()
        memory.backfill()
        forget_texts()
        counting.asked.clear()
        after = scores()
    assert after == before
    assert set(counting.asked).isdisjoint(FACTS)


def test_all_is_read_again_where_that_is_wanted(tmp_path, counting):
    with Memory(tmp_path / "facts.db") as memory:
        memory.add(statements(FACTS))
        memory.backfill()
        memory.backfill(again=True)
    assert sorted(counting.asked) == sorted(FACTS * 2)


@pytest.mark.usefixtures("asked")
def test_a_purged_statement_leaves_no_vector_and_no_answer(tmp_path):
    with Memory(tmp_path / "facts.db") as memory:
        memory.add(statements(FACTS))
        memory.backfill()
        memory.search("Do I own any insects?")
        bees = next(item for item in memory.list(limit=50) if "bees" in item.content)
        memory.purge(bees.id)
        assert stored(memory) == len(FACTS) - 1
        assert all("bees" not in hit.item.content for hit in memory.search("Do I own any insects?", k=20))


@pytest.mark.usefixtures("asked")
@settings(deadline=None, max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_no_scope_answers_with_what_was_read_of_another(tmp_path_factory, data):
    owners = [data.draw(st.sampled_from(["user:ana", "user:ben", "user:eva"])) for _ in FACTS]
    with Memory(tmp_path_factory.mktemp("scopes") / "facts.db") as memory:
        for fact, owner in zip(FACTS, owners, strict=True):
            memory.add(fact, type="fact", scope=owner)
        memory.backfill()
        found = 0
        for text, _ in ASKED:
            for owner in set(owners):
                hits = memory.search(text, scope=owner, k=20)
                own = {fact for fact, one in zip(FACTS, owners, strict=True) if one == owner}
                found += len(hits)
                assert {hit.item.content for hit in hits} <= own
        assert found


@settings(deadline=None, max_examples=60)
@given(st.floats(0, 1), st.integers(12, 100_000), st.integers(12, 100_000))
def test_the_share_of_what_is_stored_fades_in_no_large_store(coverage, one, other):
    few, many = sorted((one, other))
    shares = [close_share(coverage, extent, stored=True) for extent in (few, many)]
    assert shares[0] >= shares[1] > 0.5
    assert close_share(None, few, stored=True) == FIRM_SHARE


def test_types_that_are_not_read_are_types():
    assert set(TAXONOMY.specs) >= LONGER
