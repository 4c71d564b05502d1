"""A session that another one follows is over: it is due, and done when what is due is done."""

import pytest

from simonides.domain.scope import ALL


@pytest.fixture
def say(memory, clock):
    def said(text, session, scope="user:ana"):
        clock.advance(hours=0.05)
        memory.add([{"role": "user", "content": text}], session_id=session, scope=scope)

    return said


def due(memory):
    return {(one.job, one.trigger) for one in memory.schedule.due() if one.trigger == "session"}


def test_a_session_that_goes_on_is_not_due(memory, say):
    say("My sister Petra lives in Milan.", "one")
    assert due(memory) == set()


def test_a_session_is_due_once_another_one_follows_it(memory, say):
    say("My sister Petra lives in Milan.", "one")
    say("Hello again.", "two")
    assert ("sessions", "session") in due(memory)
    would = memory.maintain(["sessions"], dry_run=True)
    run = memory.maintain(due=True)
    sessions = next(part for part in run.parts or (run,) if part.job == "sessions")
    assert sessions.counts == would.counts
    states = {one.session_id: one.consolidated_at is not None for one in memory.sessions.list(scope=ALL)}
    assert states == {"one": True, "two": False}
    assert ("sessions", "session") not in due(memory)


def test_a_session_of_another_scope_ends_none(memory, say):
    say("My sister Petra lives in Milan.", "one")
    say("Hello.", "two", scope="user:bob")
    assert due(memory) == set()


def test_what_was_noted_is_consolidated_after_the_first_switch(memory, say, clock):
    say("My sister Petra lives in Milan.", "one")
    memory.add("The ferry leaves at noon.", type="fact", scope="user:ana")
    say("Hello again.", "two")
    assert ("consolidate", "session") in due(memory)
