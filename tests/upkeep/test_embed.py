"""Embedding as a job, and a change of model: the old vectors answer until the new ones are there."""

import pytest

from simonides.domain.instant import iso
from simonides.domain.run import RunStatus
from simonides.errors import ProviderError
from simonides.models.bundled import ENGLISH, BundledEmbedder, EnglishEmbedder
from simonides.recall.embedding_migration import EmbeddingMigration
from simonides.testing import FakeEmbedder
from simonides.vectors.exact import ExactIndex


class Remote(FakeEmbedder):
    """A slow embedder that answers as often as it is told to."""

    def __init__(self, answers=1_000_000):
        super().__init__(8, name="remote")
        self.answers = answers

    @property
    def local(self):
        return False

    def embed(self, texts):
        if self.answers <= 0:
            raise ProviderError("remote does not answer; start it")
        self.answers -= 1
        return super().embed(texts)


def vectors(memory):
    return dict(memory.stats()["vectors"])


def test_what_was_written_without_a_vector_gets_one(open_memory):
    memory = open_memory(embedder=Remote())
    memory.add([f"fact number {n}" for n in range(300)])
    assert vectors(memory) == {}
    run = memory.maintain(["embed"])
    assert run.counts == {"embedded": 300}
    assert vectors(memory) == {"remote": 300}
    assert memory.maintain(["embed"]).counts == {}


def test_a_provider_that_stops_answering_ends_the_run_and_the_next_goes_on(open_memory):
    remote = Remote(answers=1)
    memory = open_memory(embedder=remote)
    memory.add([f"fact number {n}" for n in range(300)])
    run = memory.maintain(["embed"])
    assert (run.status, run.counts) == (RunStatus.FAILED, {"embedded": 128})
    assert "start it" in run.error
    remote.answers = 10
    assert memory.maintain(["embed"]).counts == {"embedded": 172}


def test_an_empty_store_asks_no_provider(open_memory):
    memory = open_memory(embedder=Remote(answers=0))
    assert memory.maintain(["embed"]).status is RunStatus.DONE


def test_a_dry_run_embeds_nothing(open_memory):
    memory = open_memory(embedder=Remote(answers=0))
    memory.add([f"fact number {n}" for n in range(3)])
    assert memory.maintain(["embed"], dry_run=True).counts == {"embedded": 3}
    assert vectors(memory) == {}


def test_in_one_scope_only_its_items_are_embedded_and_no_vectors_are_dropped(open_memory):
    open_memory(embedder=FakeEmbedder(8, name="old")).add(["Figs.", "Plums."], scope="user:ana")
    memory = open_memory(embedder=Remote())
    memory.add("Nuts.", scope="user:bo")
    memory.maintain(["embed"], scope="user:ana")
    assert vectors(memory) == {"old": 2, "remote": 2}


# A change of model

BUNDLED = "bundled-multilingual-256"
TEXTS = [
    "The cat sleeps on the warm windowsill.",
    "Our quarterly revenue grew by a tenth.",
    "The bridge over the river is closed for repairs.",
]


@pytest.fixture
def changed(open_memory):
    """A memory whose items were embedded by the bundled model, opened with another one."""
    open_memory(embedder=BundledEmbedder()).add(TEXTS)
    return open_memory(embedder=Remote())


def test_the_former_model_answers_until_the_present_one_is_complete(changed):
    result = changed.search("kitten napping", min_relevance=0)
    assert result.hits[0].item.content == TEXTS[0]
    assert "vec" in result.hits[0].matches
    (said,) = result.degradations
    assert said.startswith("vectors: 0 of 3")
    assert "bundled" in said
    changed.maintain(["embed"])
    after = changed.search("kitten napping", min_relevance=0)
    assert after.degradations == ()
    assert vectors(changed) == {"remote": 3}


def test_a_store_of_the_first_version_is_found_in_by_meaning_before_and_after_its_vectors_are_made_anew(
    open_memory,
):
    open_memory(embedder=EnglishEmbedder()).add(
        [*TEXTS, "Mein Hund heißt Rex.", "Die Miete wird am Ersten gezahlt."]
    )
    memory = open_memory(embedder=BundledEmbedder())
    assert vectors(memory) == {ENGLISH.name: 5}
    before = memory.search("kitten napping", min_relevance=0)
    assert before.hits[0].item.content == TEXTS[0]
    assert "vec" in before.hits[0].matches
    assert before.degradations[0].startswith("vectors: 0 of 5")
    memory.maintain(["embed"])
    assert vectors(memory) == {
        BUNDLED: 5,
        "all-minilm-l6-v2": 3,
        "universal-sentence-encoder-multilingual": 2,
    }
    after = memory.search("Welches Tier habe ich?", min_relevance=0)
    assert after.hits[0].item.content == "Mein Hund heißt Rex."
    assert after.degradations == ()


def test_while_half_is_embedded_the_former_model_still_answers(open_memory):
    open_memory(embedder=BundledEmbedder()).add([*TEXTS, *(f"fact number {n}" for n in range(197))])
    memory = open_memory(embedder=Remote(answers=1))
    memory.maintain(["embed"])
    assert vectors(memory) == {BUNDLED: 200, "remote": 128}
    result = memory.search("kitten napping", min_relevance=0)
    assert result.hits[0].item.content == TEXTS[0]
    assert result.degradations[0].startswith("vectors: 128 of 200")


def test_a_former_model_that_cannot_be_asked_leaves_the_text_to_answer(open_memory):
    open_memory(embedder=FakeEmbedder(8, name="long gone")).add(TEXTS)
    memory = open_memory(embedder=Remote())
    result = memory.search("where does the cat sleep?")
    assert result.hits[0].item.content == TEXTS[0]
    assert "vectors" not in result.strategy
    assert "long gone cannot be asked any more" in result.degradations[0]
    memory.maintain(["embed"])
    assert memory.search("where does the cat sleep?").degradations == ()


def test_two_complete_models_stand_beside_each_other_and_the_present_one_answers(open_memory):
    open_memory(embedder=FakeEmbedder(8, name="old")).add(TEXTS)
    memory = open_memory(embedder=Remote())
    memory.backfill()
    assert vectors(memory) == {"old": 3, "remote": 3}
    assert memory.search("where does the cat sleep?").degradations == ()
    memory.maintain(["embed"])
    assert vectors(memory) == {"remote": 3}


def test_undo_brings_the_former_vectors_back_and_they_answer_again(changed):
    run = changed.maintain(["embed"])
    assert changed.search("kitten napping", min_relevance=0).degradations == ()
    undo = changed.undo(run.id)
    assert undo.left_alone == ()
    assert vectors(changed) == {BUNDLED: 3}
    result = changed.search("kitten napping", min_relevance=0)
    assert "vec" in result.hits[0].matches
    assert result.degradations[0].startswith("vectors: 0 of 3")
    assert changed.doctor().healthy
    assert changed.maintain(["embed"]).counts == run.counts


def test_runs_that_do_not_tell_whose_vectors_they_made_leave_them(changed, open_memory, tmp_path):
    run = changed.maintain(["embed"])
    records = list(changed.export())
    for record in records:
        if record["kind"] == "change":
            details = record["change"]["details"]
            record["change"]["details"] = {n: v for n, v in details.items() if n in {"count", "model"}}
    copy = open_memory(tmp_path / "copy.db")
    copy.load(records, trusted=True)
    before = vectors(copy)
    undo = copy.undo(run.id)
    (left,) = undo.left_alone
    assert left.why.endswith("are gone: the job `embed` makes new ones")
    assert vectors(copy) == before != {}


def test_vectors_of_texts_that_changed_or_were_purged_since_do_not_come_back(changed):
    run = changed.maintain(["embed"])
    cat, revenue, bridge = sorted(changed.list(), key=lambda item: TEXTS.index(item.content))
    changed.update(revenue.id, content="Our yearly revenue fell.")
    changed.backfill()
    changed.purge(bridge.id)
    changed.undo(run.id)
    assert vectors(changed) == {BUNDLED: 1, "remote": 1}
    with changed._parts.store.read() as reader:
        held = {
            model.name: set(reader.vectors_of(model.fingerprint, [cat.id, revenue.id]))
            for model, _ in reader.models()
        }
    assert held == {BUNDLED: {cat.id}, "remote": {revenue.id}}


def test_vectors_that_were_set_aside_go_when_the_next_ones_are(open_memory):
    names = ("one", "two", "three")
    runs = []
    for name in names:
        memory = open_memory(embedder=FakeEmbedder(8, name=name))
        memory.add(f"fact number {name}")
        runs.append(memory.maintain(["embed"]))
        memory.close()
    memory = open_memory(embedder=FakeEmbedder(8, name="three"))
    memory.undo(runs[2].id)
    assert vectors(memory) == {"two": 2, "three": 1}
    undo = memory.undo(runs[1].id)
    assert [left.why for left in undo.left_alone] == [
        "the vectors of one are gone: the job `embed` makes new ones"
    ]
    assert vectors(memory) == {"two": 1, "three": 1}


def test_what_was_known_then_is_asked_with_the_model_of_its_vectors(changed, clock):
    then = clock.now()
    clock.advance(days=1)
    changed.add("Kittens nap a lot.")
    result = changed.search("kitten napping", min_relevance=0, as_of=iso(then))
    assert [hit.item.content for hit in result.hits][:1] == [TEXTS[0]]
    assert result.degradations[0].startswith("vectors: 0 of 3")


def test_a_running_process_turns_to_the_vectors_of_the_present_model_once_they_are_there(open_memory):
    open_memory(embedder=FakeEmbedder(8, name="long gone")).add([*TEXTS, "Figs.", "Plums."])
    memory = open_memory(embedder=FakeEmbedder(8, name="present"))
    memory.add("Nuts.")
    assert memory.search("where does the cat sleep?").degradations[0].startswith("vectors: 1 of 5")
    memory.backfill()
    assert vectors(memory) == {"long gone": 5, "present": 6}
    result = memory.search("where does the cat sleep?", min_relevance=0)
    assert result.degradations == ()
    assert any("vec" in hit.matches for hit in result)


def test_a_former_model_that_was_away_answers_once_it_is_back(open_memory):
    """Each time that it is away the wait until it is asked again doubles, in changes of the store."""
    old = FakeEmbedder(8, name="old")
    open_memory(embedder=old).add([*TEXTS, *(f"fact number {n}" for n in range(30))])
    back: list[FakeEmbedder] = []
    asked: list[str] = []

    def former(model):
        asked.append(model.name)
        return back[0] if back else None

    embedder = Remote()
    memory = open_memory(embedder=embedder)
    serving = EmbeddingMigration(embedder, ExactIndex, former)

    def said():
        with memory._parts.store.read() as reader:
            return serving.gatherer(reader, reader.state())[1]

    (item,) = memory.list(limit=1)
    for number in range(8):
        assert said() is said() is None
        memory.update(item.id, expires_at=f"2030-01-0{number + 1}")
    assert 1 < len(asked) < 8
    back.append(old)
    found = [said()]
    for number in range(8):
        memory.update(item.id, expires_at=f"2031-01-0{number + 1}")
        found.append(said())
    assert found[-1].startswith("vectors: 0 of 33 vectors are made with remote so far; those of old answer")
    serving.close()
