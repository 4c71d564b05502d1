"""Uses of items, and what a use changes."""

import logging
import math

import pytest

from simonides.errors import StoreError, StoreFull
from simonides.testing import FakeEmbedder


def gained(confidence, uses):
    """Confidence after so many uses, by hand: min(1, confidence + 0.05 · ln(1 + count/20)) at each."""
    for count in range(1, uses + 1):
        confidence = min(1.0, confidence + 0.05 * math.log(1 + count / 20))
    return confidence


def test_a_search_uses_what_answers_and_nothing_else(memory, add, clock):
    tea, _ = add("tea is in the tin"), add("coffee is in the jar")
    clock.advance(hours=1)
    memory.search("tea", k=1)
    item = memory.get(tea)
    assert (item.usage_count, item.last_used_at) == (1, clock.now())
    assert [item.usage_count for item in memory.list()] == [0, 1]


def test_a_use_counts_once_per_item_and_session(memory, add):
    tea = add("tea is in the tin", session_id="s1")
    for session in ("s1", "s1"):
        memory.search("tea", session_id=session)
    assert memory.get(tea).usage_count == 1


def test_searches_without_a_session_belong_together_until_half_an_hour_of_silence(memory, add, clock):
    tea = add("tea is in the tin")
    for _ in range(5):
        memory.search("tea")
        clock.advance(seconds=29 * 60)
    assert memory.get(tea).usage_count == 1
    clock.advance(seconds=2 * 60)
    memory.search("tea")
    assert memory.get(tea).usage_count == 2


def test_confidence_gains_with_each_use_by_the_formula(memory, add, clock):
    tea = add("tea is in the tin", confidence=0.5)
    for count in range(1, 6):
        memory.search("tea")
        clock.advance(hours=1)
        item = memory.get(tea)
        assert item.usage_count == count
        assert item.confidence == pytest.approx(gained(0.5, count))
    assert gained(0.5, 1) == pytest.approx(0.5 + 0.05 * 0.04879, abs=1e-6)
    assert len(memory.history(tea)) == 1


def test_confidence_never_passes_one(memory, add, clock):
    tea = add("tea is in the tin", confidence=0.999)
    for _ in range(3):
        memory.search("tea")
        clock.advance(hours=1)
    assert memory.get(tea).confidence == 1.0


def test_what_was_gained_survives_an_update_and_is_not_gained_twice(memory, add, clock):
    tea = add("tea is in the tin", confidence=0.5)
    memory.search("tea")
    before = memory.get(tea).confidence
    memory.update(tea, title="Tea")
    assert memory.get(tea).confidence == pytest.approx(before)
    clock.advance(hours=1)
    memory.search("tea")
    assert memory.get(tea).confidence == pytest.approx(gained(0.5, 2))


READS = {
    "get": lambda memory, item_id: memory.get(item_id),
    "list": lambda memory, item_id: memory.list(),
    "timeline": lambda memory, item_id: memory.timeline(),
    "context": lambda memory, item_id: memory.context("tea"),
    "inject": lambda memory, item_id: memory.context("tea", mode="inject"),
    "catalog": lambda memory, item_id: memory.context("tea", mode="catalog"),
    "history": lambda memory, item_id: memory.history(item_id),
    "explain": lambda memory, item_id: memory.explain(item_id),
    "resolve": lambda memory, item_id: memory.resolve("tea"),
    "weak": lambda memory, item_id: memory.weak(below=2.0),
    "stats": lambda memory, item_id: memory.stats(),
    "palace": lambda memory, item_id: memory.palace.get("global"),
    "export": lambda memory, item_id: list(memory.export()),
    "as_of": lambda memory, item_id: memory.search("tea", as_of="2027-01-01"),
    "doctor": lambda memory, item_id: memory.doctor(),
    "vague words": lambda memory, item_id: memory.forget("umbrella"),
}


@pytest.mark.parametrize("read", READS)
def test_looking_is_not_using(memory, add, read):
    tea = add("tea is in the tin")
    READS[read](memory, tea)
    item = memory.get(tea)
    assert (item.usage_count, item.last_used_at, item.confidence, item.reinforcement) == (0, None, 1.0, 0.0)


def test_an_item_read_because_somebody_asked_is_used(memory, add):
    tea = add("tea is in the tin")
    memory.get(tea, used=True)
    memory.get(tea, used=True)
    assert memory.get(tea).usage_count == 1


def test_uses_are_written_when_the_memory_is_closed(memory, add, open_memory):
    tea = add("tea is in the tin")
    memory.search("tea")
    memory.close()
    memory.close()
    assert open_memory().get(tea).usage_count == 1


def test_uses_are_written_before_the_counts_are_read(memory, add):
    add("tea is in the tin")
    memory.search("tea")
    (record,) = memory.export()
    assert record["usage"]["usage_count"] == 1


@pytest.mark.parametrize(
    "read",
    [
        lambda memory, tea: [memory.get(tea)],
        lambda memory, _: memory.list(),
        lambda memory, _: memory.timeline(),
        lambda memory, tea: [memory.explain(tea).item],
        lambda memory, _: [weak.item for weak in memory.weak(below=2)],
        lambda memory, tea: memory.palace.get(memory.palace.where(tea).domain),
        lambda memory, _: memory.entities.get("Ana").facts,
        lambda memory, _: [item for one in memory.review.contradictions() for item in (one.older, one.newer)],
    ],
)
def test_every_read_tells_of_the_uses_up_to_now(memory, add, read):
    tea = add("Ana keeps the tea")
    memory.link(tea, add("Ana keeps no tea"), "contradicts")
    memory.mark_used([tea])
    assert [item.usage_count for item in read(memory, tea) if item.id == tea] == [1]


def test_the_turns_of_a_session_tell_of_the_uses_up_to_now(memory):
    memory.add([{"role": "user", "content": "The tea is in the tin."}], session_id="s1")
    [turn] = memory.sessions.get("s1")
    memory.mark_used([turn.id])
    assert memory.sessions.get("s1")[0].usage_count == 1


def test_many_searches_are_all_counted(memory, add, clock):
    tea = add("tea is in the tin")
    for _ in range(50):
        memory.search("tea")
        clock.advance(hours=1)
    assert memory.get(tea).usage_count == 50


def test_a_store_that_is_only_read_is_searched_and_closed_without_a_trace(memory, add, path, open_memory):
    tea = add("tea is in the tin")
    memory.close()
    before = path.read_bytes()
    reading = open_memory(read_only=True)
    assert [hit.item.id for hit in reading.search("tea")] == [tea]
    context = reading.context("tea")
    assert "tea is in the tin" in context.text
    assert context.injection_id is None  # It is not on record, so nothing could be asked about it.
    assert reading.get(tea, used=True).usage_count == 0
    assert reading.list()[0].id == reading.timeline()[0].id == tea
    assert reading.stats()["items"] == 1
    assert reading.explain(tea).item.usage_count == 0
    assert reading.injections() == []
    with pytest.raises(StoreError):
        reading.add("coffee")
    reading.close()
    assert path.read_bytes() == before
    assert open_memory().get(tea).usage_count == 0


class FullDisk:
    """A store whose disk is full for a while: what writes fails, what reads does not."""

    def __init__(self, store):
        self._store = store
        self.full = True

    def __getattr__(self, name):
        return getattr(self._store, name)

    def write(self, work):
        if self.full:
            raise StoreFull
        return self._store.write(work)


def test_reading_goes_on_where_uses_cannot_be_written_and_they_are_kept_for_later(memory, add, caplog):
    from simonides.writing.uses import UseLog

    tea = add("tea is in the tin")
    disk = FullDisk(memory._parts.store)
    log = UseLog(disk)
    log.used([tea], "s1", 1)
    with caplog.at_level(logging.WARNING):
        log.settle()
    assert f"kept for later: {StoreFull()}" in caplog.text
    assert "Traceback" not in caplog.text
    with pytest.raises(StoreFull):
        log.flush()
    assert memory.get(tea).usage_count == 0
    disk.full = False
    log.close()
    assert memory.get(tea).usage_count == 1


def test_uses_that_cannot_be_written_at_the_end_are_said_to_be_lost(memory, add, caplog):
    from simonides.writing.uses import UseLog

    log = UseLog(FullDisk(memory._parts.store))
    log.used([add("tea is in the tin")], "s1", 1)
    with caplog.at_level(logging.WARNING):
        log.close()
    assert "are lost: " in caplog.text
    assert "later" not in caplog.text


def test_uses_written_by_two_memories_add_up(memory, add, open_memory):
    tea = add("tea is in the tin")
    other = open_memory(embedder=FakeEmbedder(8))
    memory.search("tea")
    other.search("tea")
    memory.flush()
    other.flush()
    assert memory.get(tea).usage_count == 2


def test_a_use_of_what_was_purged_meanwhile_is_dropped(memory, add, open_memory):
    tea = add("tea is in the tin")
    other = open_memory()
    other.search("tea")
    memory.purge(tea)
    other.flush()
    assert memory.stats()["items"] == 0


# What serves nobody


@pytest.fixture
def open_real(open_memory):
    """Opens a memory with the embedder that comes along."""
    return lambda: open_memory(embedder=None)


BARN = "Mice live in the barn."
OTHERS = (
    "The ferry to Gotland leaves at noon.", "Ana is allergic to walnuts.", "We ship Apollo on Fridays.",
    "The barn was built in 1902.", "My dentist is Dr. Ozols.",
)  # fmt: skip


UNANSWERED = (
    "When does the ferry leave?", "what time is the boat to Gotland?", "Who is my dentist?", "Is Bergen rainy?",
    "What may Ana not eat?", "When was the barn built?", "Когда отходит паром?", "渡轮什么时候出发？",
)  # fmt: skip
WAYS = ({}, {"k": 1}, {"agenda": True}, {"min_relevance": 0.0})
#: Every question in each way of asking, among more or fewer others; the question of the barn for a hundred days.
ASKED = [
    (OTHERS, "When was the barn built?", {}),
    *(
        (others, question, WAYS[(number + shift) % len(WAYS)])
        for number, question in enumerate(UNANSWERED)
        for shift, others in enumerate((OTHERS, OTHERS[:1], (), OTHERS), number // 4)
    ),
]


@pytest.mark.parametrize(("others", "question", "fields"), ASKED)
def test_a_hundred_days_of_one_question_promote_nothing_that_does_not_answer(
    open_real, clock, others, question, fields
):
    memory = open_real()
    [barn] = memory.add([BARN]).item_ids
    memory.add(list(others))
    before = memory.get(barn)
    for _ in range(100 if others == OTHERS and not fields and "barn" in question else 3):
        memory.search(question, **fields)
        clock.advance(days=1)
    item = memory.get(barn)
    assert (item.usage_count, item.last_used_at, item.tier) == (0, None, before.tier)
    assert item.confidence == before.confidence


def test_what_answers_is_used_by_being_found(open_real, clock):
    memory = open_real()
    [barn] = memory.add([BARN]).item_ids
    memory.add(list(OTHERS))
    for _ in range(5):
        memory.search("What lives in the barn?")
        clock.advance(days=1)
    assert memory.get(barn).usage_count == 5


def test_of_many_that_answer_three_are_used_and_no_question(open_real):
    memory = open_real()
    memory.add([f"The barn holds {number} crates of barn paint." for number in range(9)])
    memory.add([{"role": "user", "content": "What does the barn hold?"}], session_id="s")
    assert len(memory.search("What does the barn hold?")) > 3
    used = [item for item in memory.list(limit=100) if item.usage_count]
    assert 1 <= len(used) <= 3
    assert all(item.type != "episode" for item in used)


def test_whoever_only_looks_leaves_no_trace(open_real):
    memory = open_real()
    memory.add("The observatory opens to visitors at eight.", type="fact")
    shown = memory.search("When does the observatory open to visitors?", noted=False)
    text = memory.context("When does the observatory open to visitors?", noted=False)
    memory.flush()
    assert shown.hits[0].item.usage_count == memory.get(shown.hits[0].item.id).usage_count == 0
    assert "at eight" in text.text
    assert (text.tokens > 0, text.injection_id, memory.injections()) == (True, None, [])
    # The same question by somebody who asks is noted.
    memory.search("When does the observatory open to visitors?")
    asked = memory.context("When does the observatory open to visitors?")
    memory.flush()
    assert memory.get(shown.hits[0].item.id).usage_count == 1
    assert (asked.text, asked.tokens) == (text.text, text.tokens)
    assert [one.id for one in memory.injections()] == [asked.injection_id]


def test_to_take_back_that_something_was_forgotten_is_no_use_of_it(memory):
    item_id = memory.add("Noor keeps hens behind the shed.").item_id
    memory.forget(item_id)
    memory.restore(item_id)
    assert memory.get(item_id).usage_count == 0


@pytest.mark.parametrize("back_days", [0, 1, 200])
@pytest.mark.parametrize("what", ["get", "mark_used", "search", "reinforce", "restore"])
def test_no_use_by_a_clock_that_was_set_back_makes_an_item_older(memory, clock, what, back_days):
    kettle = memory.add("The kettle stands in the yard.", type="fact", confidence=0.8).item_id
    clock.advance(days=300)
    tea = memory.add("The tea stands in the yard.", type="fact", confidence=0.8).item_id
    used = kettle if what == "restore" else tea
    if what == "restore":
        memory.maintain(["decay"])
        assert memory.get(kettle).status == "archived"
    before = memory.explain(tea).effective_confidence
    clock.advance(days=-back_days)
    uses = {
        "get": lambda: memory.get(tea, used=True),
        "mark_used": lambda: memory.mark_used([tea]),
        "search": lambda: memory.search("tea"),
        "reinforce": lambda: memory.reinforce(tea),
        "restore": lambda: memory.restore(kettle),
    }
    uses[what]()
    memory.flush()
    clock.advance(days=back_days)
    usage = memory.get(used).usage
    at = usage.last_hit_at if what == "reinforce" else usage.last_used_at
    assert at == clock.now()
    assert memory.explain(used).effective_confidence >= before
    memory.maintain(["decay"])
    assert memory.get(used).status == "active"


def test_a_use_and_a_hit_are_dated_by_the_clock_where_it_goes_right(memory, clock):
    tea = memory.add("The tea stands in the yard.", type="fact").item_id
    for _ in range(3):
        clock.advance(days=3)
        memory.get(tea, used=True)
        memory.reinforce(tea)
        memory.flush()
        assert memory.get(tea).usage.last_used_at == memory.get(tea).usage.last_hit_at == clock.now()
