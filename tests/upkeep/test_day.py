import pytest

from simonides import ALL
from simonides.domain.link import Relation
from simonides.domain.provenance import Origin, Trust
from simonides.errors import ProviderUnavailable
from simonides.testing import ScriptedModel
from simonides.upkeep.jobs.day import EVENT_CHARS

STRETCH = (
    "We painted the old boat in the harbour of Graz all morning, first the hull and then the deck of the boat.",
    "Then the harbour master came along and wanted forty crowns for the berth of the boat, which we paid at once.",
    "The mast of the boat is rotten, and a new mast would cost four hundred crowns at the yard of Marrow.",
    "So we asked the yard of Marrow to look at the mast of the boat on Monday, and went home by tram.",
)


def about(thing):
    return tuple(text.replace("boat", thing) for text in STRETCH)


def talk(memory, *texts, session="s1", at=None, scope="user:ana", role="user"):
    texts = texts or STRETCH
    messages = [{"role": role, "content": text} | ({"at": at} if at else {}) for text in texts]
    memory.add(messages, session_id=session, scope=scope)


def compress(memory, **options):
    run = memory.maintain(["day"], **options)
    assert run.error is None
    return run


def events(memory):
    return sorted(memory.list(scope=ALL, limit=1000, types=["event"]), key=lambda item: item.event_at)


def facts(memory):
    return [item for item in memory.list(scope=ALL, limit=1000) if item.type not in {"episode", "event"}]


def sources_of(memory, item):
    with memory._parts.store.read() as reader:
        return {link.dst for link in reader.links([item.id], [Relation.DERIVED_FROM]) if link.src == item.id}


def test_a_day_that_is_over_gets_an_event_that_quotes_it(memory, clock):
    talk(memory)
    clock.advance(days=1)
    compress(memory)
    (event,) = events(memory)
    assert len(event.content) <= EVENT_CHARS
    assert "boat" in event.content
    assert event.session_id == "s1"
    assert event.scope == "user:ana"
    turns = {turn.id for turn in memory.sessions.get("s1", scope=ALL)}
    assert sources_of(memory, event)
    assert sources_of(memory, event) <= turns


def test_today_is_left_for_another_day(memory, clock):
    talk(memory)
    assert not compress(memory).changes
    clock.advance(days=1)
    compress(memory)
    assert len(events(memory)) == 1


def test_days_that_were_missed_are_all_done_by_the_next_run(memory, clock):
    for number in range(4):
        talk(memory, *about(f"boat{number}"), session=f"s{number}")
        clock.advance(days=1)
    compress(memory)
    assert [event.session_id for event in events(memory)] == ["s0", "s1", "s2", "s3"]


def test_a_session_of_two_days_has_two_events(memory, clock):
    talk(memory)
    clock.advance(days=1)
    talk(memory, *about("kite"))
    clock.advance(days=1)
    compress(memory)
    first, second = events(memory)
    assert "boat" in first.content
    assert "kite" in second.content


def test_an_old_conversation_that_is_recorded_late_is_told_of_too(memory, clock):
    talk(memory)
    clock.advance(days=1)
    compress(memory)
    talk(memory, *about("kite"), session="old", at="2025-05-05T10:00:00Z")
    compress(memory)
    assert {event.session_id for event in events(memory)} == {"s1", "old"}


def test_nothing_is_told_twice(memory, clock):
    talk(memory)
    clock.advance(days=1)
    compress(memory)
    assert not compress(memory).changes
    clock.advance(days=1)
    assert not compress(memory).changes


def test_turns_of_today_do_not_hide_those_of_yesterday_from_tomorrow(memory, clock):
    talk(memory, session="today")
    talk(memory, *about("kite"), session="old", at="2025-05-05T10:00:00Z")
    compress(memory)
    assert [event.session_id for event in events(memory)] == ["old"]
    clock.advance(days=1)
    compress(memory)
    assert [event.session_id for event in events(memory)] == ["old", "today"]


def test_a_day_with_an_event_of_somebody_else_gets_no_other(memory, clock):
    talk(memory)
    memory.add(
        "Painted the boat.", type="event", scope="user:ana", session_id="s1", event_at="2026-03-01T20:00:00Z"
    )
    clock.advance(days=1)
    compress(memory)
    assert [event.content for event in events(memory)] == ["Painted the boat."]


@pytest.mark.parametrize("texts", [("Hi.", "Hello.", "Bye."), (STRETCH[0],)], ids=["short", "one turn"])
def test_what_is_short_tells_of_itself(memory, clock, texts):
    talk(memory, *texts)
    clock.advance(days=1)
    compress(memory)
    assert not events(memory)


def test_an_event_is_no_more_trusted_than_what_it_tells_of(memory, clock):
    talk(memory, role="assistant")
    clock.advance(days=1)
    compress(memory)
    (event,) = events(memory)
    assert (event.origin, event.trust) == (Origin.ASSISTANT_SAID, Trust.MEDIUM)


def test_an_event_quotes_nothing_of_the_user_that_they_did_not_say(memory, clock):
    said = "The user owns the boat in the harbour together with the yard of Marrow."
    talk(memory, said, *about("boat"), said.replace("owns", "loves"), role="assistant")
    clock.advance(days=1)
    compress(memory)
    (event,) = events(memory)
    assert "boat" in event.content
    assert "The user" not in event.content


@pytest.mark.parametrize("role", ["assistant", "tool"])
@pytest.mark.parametrize(
    "said",
    [
        "So you are the owner of the boat in the harbour, and of the yard of Marrow.",
        "We agreed that you never leave the boat in the harbour of Marrow.",
        "Ana, you love the boat in the harbour and the yard of Marrow.",
        "Since your boat in the harbour is old, the yard of Marrow looks at the boat.",
        "Ana owns the boat in the harbour together with the yard of Marrow.",
        "We agreed that Ana never leaves the boat in the harbour of Marrow.",
        "Since Ana owns the boat in the harbour, the yard of Marrow calls.",
        "Owns the boat in the harbour together with the yard of Marrow.",
    ],
)
def test_an_event_quotes_nobody_elses_word_to_or_of_the_user(memory, clock, role, said):
    talk(memory, said, *about("boat"), said, role=role)
    clock.advance(days=1)
    compress(memory)
    (event,) = events(memory)
    assert "boat" in event.content
    assert said not in event.content
    talk(memory, said, *about("boat"), said, session="own")
    clock.advance(days=1)
    compress(memory)
    assert any(said in event.content for event in events(memory))  # Said by the user, it may be told.


def test_undo_takes_the_events_back_and_the_next_run_tells_them_again(memory, clock):
    talk(memory)
    clock.advance(days=1)
    run = compress(memory)
    memory.undo(run.id)
    assert not events(memory)
    compress(memory)
    assert len(events(memory)) == 1


def test_one_scope_does_not_move_the_bookmark_of_the_others(memory, clock):
    talk(memory, scope="user:ana")
    talk(memory, session="s2", scope="user:ben")
    clock.advance(days=1)
    compress(memory, scope="user:ben")
    assert [event.scope for event in events(memory)] == ["user:ben"]
    compress(memory)
    assert {event.scope for event in events(memory)} == {"user:ana", "user:ben"}


def test_statements_of_events_become_facts_without_a_model(memory, clock):
    memory.add(
        "I am allergic to peanuts. It rained all day.",
        type="event",
        scope="user:ana",
        event_at="2026-03-01T10:00:00Z",
    )
    clock.advance(days=1)
    compress(memory)
    (fact,) = facts(memory)
    assert fact.content == "I am allergic to peanuts."
    assert sources_of(memory, fact) == {events(memory)[0].id}
    assert not compress(memory).changes


def summarised(summary):
    return ScriptedModel({"summary": {"summary": summary}})


def test_a_model_words_the_event(open_memory, clock):
    memory = open_memory(
        model=summarised("The user painted the boat and the yard of Marrow will see the mast.")
    )
    talk(memory)
    clock.advance(days=1)
    assert not compress(memory).degradations
    (event,) = events(memory)
    assert event.content == "The user painted the boat and the yard of Marrow will see the mast."
    assert event.metadata["worded_by"] == "scripted"
    assert sources_of(memory, event)


@pytest.mark.parametrize(
    "summary",
    [
        "",
        "Zoltan painted the boat.",
        "The mast of the boat costs 4711 crowns.",
        "Le bateau est dans le port et les mâts sont pourris pour une fois.",
        "Они покрасили старую лодку в гавани.",
        "boat " * 60,
    ],
    ids=["empty", "a name nobody said", "a number nobody said", "French", "Russian", "too long"],
)
def test_an_event_that_the_turns_do_not_bear_out_is_quoted_instead(open_memory, clock, summary):
    memory = open_memory(model=summarised(summary))
    talk(memory)
    clock.advance(days=1)
    run = compress(memory)
    (event,) = events(memory)
    assert event.content != summary.strip()
    assert "boat" in event.content
    assert "worded_by" not in event.metadata
    assert any("could not be used" in text for text in run.degradations)


def test_a_model_that_does_not_answer_is_not_asked_again_in_the_run(open_memory, clock):
    model = ScriptedModel({"summary": ProviderUnavailable("the model is down")})
    memory = open_memory(model=model)
    for number in range(3):
        talk(memory, *about(f"boat{number}"), session=f"s{number}")
    clock.advance(days=1)
    run = compress(memory)
    assert len(events(memory)) == 3
    assert len(model.prompts) == 1
    assert any("the model is down" in text for text in run.degradations)


def drawn(*entries):
    return {"facts": [{"type": "fact"} | entry for entry in entries]}


def with_events(memory, clock):
    for text in ("Ana moved to Graz and found a flat there.", "Ben bought 3 kettles for the new flat."):
        memory.add(text, type="event", scope="user:ana", event_at="2026-03-01T10:00:00Z")
    clock.advance(days=1)


def test_what_lasts_of_events_becomes_facts(open_memory, clock):
    model = ScriptedModel({"facts": drawn({"content": "Ana has a flat in Graz.", "from": [1]})})
    memory = open_memory(model=model)
    with_events(memory, clock)
    assert not compress(memory).degradations
    (fact,) = facts(memory)
    assert (fact.content, fact.type) == ("Ana has a flat in Graz.", "fact")
    assert fact.confidence <= 0.8
    assert len(sources_of(memory, fact)) == 1
    assert len(events(memory)) == 2  # The sources stay.
    assert not compress(memory).changes


def test_one_bad_fact_loses_one(open_memory, clock):
    answer = drawn(
        {"content": "Ana has a flat in Graz.", "from": [1]},
        {"content": "Ana has a flat in Berlin.", "from": [1]},
        {"content": "Ben bought 30 kettles.", "from": [2]},
        {"content": "Ben bought kettles.", "from": [7]},
        {"content": "", "from": [2]},
    )
    answer["facts"].append("nothing")
    memory = open_memory(model=ScriptedModel({"facts": answer}))
    with_events(memory, clock)
    compress(memory)
    assert [fact.content for fact in facts(memory)] == ["Ana has a flat in Graz."]


def test_that_nothing_lasts_is_an_answer(open_memory, clock):
    memory = open_memory(model=ScriptedModel({"facts": {"facts": []}}))
    with_events(memory, clock)
    assert not compress(memory).degradations
    assert not facts(memory)
    assert not compress(memory).changes


def test_events_wait_for_a_model_that_does_not_answer(open_memory, clock):
    model = ScriptedModel({"facts": ProviderUnavailable("the model is down")})
    memory = open_memory(model=model)
    with_events(memory, clock)
    compress(memory)
    assert not facts(memory)
    memory.close()
    again = open_memory(
        model=ScriptedModel({"facts": drawn({"content": "Ana has a flat in Graz.", "from": [1]})})
    )
    compress(again)
    assert [fact.content for fact in facts(again)] == ["Ana has a flat in Graz."]
