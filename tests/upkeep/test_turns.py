"""Runs of `extract` and of the end of a session can be shown, and taken back exactly."""

import json

import pytest

from simonides.config import Settings, StoreSettings
from simonides.domain.run import RunStatus
from simonides.domain.scope import ALL
from simonides.domain.verdict import Outcome
from simonides.errors import ProviderError
from simonides.governance.policy import Policy, Ruling
from simonides.testing import ScriptedModel
from simonides.writing.buffer import BufferSettings

ANA = "user:ana"
TALK = [
    {"role": "user", "content": "My sister Petra lives in Ghent."},
    {"role": "assistant", "content": "How is Petra?"},
    {"role": "user", "content": "We decided to sell Gallows Farm in June."},
]


def talk(memory, *texts, session="s", scope=ANA):
    said = [{"role": "user", "content": text} for text in texts] or TALK
    return memory.add(said, session_id=session, scope=scope).item_ids


def state(memory):
    """All that an export tells, what waits, sessions and entities included; without revisions, runs, archived items."""
    found = []
    for record in memory.export():
        told = dict(record)
        if told["kind"] == "item":
            told["revisions"] = told["revisions"][-1]["item"] | {"updated_at": 0}
            if told["revisions"]["status"] == "archived":
                continue
        if told["kind"] not in {"run", "change"}:
            found.append(json.dumps(told, sort_keys=True))
    return sorted(found)


def taken_back(memory, report, before):
    """True if the run of a report, taken back, leaves what was there before."""
    run = memory.runs.show(report.run_id)
    assert run.status is RunStatus.DONE
    assert run.changes
    assert all(change.lines for change in run.changes)
    undo = memory.undo(report.run_id)
    assert undo.left_alone == ()
    assert state(memory) == before


def test_extract_is_a_run_that_is_taken_back_exactly(memory):
    talk(memory)
    before = state(memory)
    report = memory.extract()
    assert report.count("accepted") == 2
    assert {
        change.item_id for change in memory.runs.show(report.run_id).changes if change.kind == "create"
    } == {*report.item_ids}
    taken_back(memory, report, before)
    again = memory.extract()
    assert [one.content for one in again.found] == [one.content for one in report.found]


def test_the_end_of_a_session_is_a_run_that_is_taken_back_exactly(memory):
    talk(memory)
    before = state(memory)
    report = memory.sessions.end("s", scope=ANA)
    assert (report.ended, len(report.narratives), len(report.found)) == (("s",), 1, 2)
    taken_back(memory, report, before)
    assert memory.sessions.list(scope=ANA)[0].ended_at is None


def test_a_session_that_fell_silent_is_ended_in_the_run_that_extracts(memory, clock):
    talk(memory)
    clock.advance(hours=1)
    before = state(memory)
    report = memory.extract(due_only=True)
    assert (report.ended, len(report.narratives)) == (("s",), 1)
    taken_back(memory, report, before)


def test_sessions_that_are_ended_because_they_fell_silent_are_a_run(memory, clock):
    talk(memory)
    memory.extract()
    clock.advance(hours=1)
    before = state(memory)
    report = memory.sessions.end_silent(scope=ANA)
    assert report.ended == ("s",)
    taken_back(memory, report, before)


def test_sessions_that_share_a_narrative_are_taken_back_one_after_the_other(memory):
    asked = "how do I boil an egg?"
    talk(memory, asked, session="a")
    talk(memory, asked, session="b")
    states, reports = [], []
    for name in ("a", "b"):
        states.append(state(memory))
        reports.append(memory.sessions.end(name, scope=ANA))
    assert reports[0].narratives == reports[1].narratives
    taken_back(memory, reports[1], states[1])
    taken_back(memory, reports[0], states[0])


def test_a_session_that_was_told_anew_is_told_as_before(memory, clock):
    talk(memory)
    memory.sessions.end("s", scope=ANA)
    clock.advance(hours=1)
    talk(memory, "We decided to buy Marrow Hill in July.")
    before = state(memory)
    report = memory.sessions.end("s", scope=ANA)
    assert "Marrow Hill" in memory.get(report.narratives[0]).content
    taken_back(memory, report, before)


def test_what_turns_repeat_is_supported_no_longer_once_that_is_taken_back(memory):
    memory.add("We decided to sell Gallows Farm in June.", type="decision", scope=ANA)
    talk(memory)
    before = state(memory)
    taken_back(memory, memory.extract(), before)


def test_what_contradicts_is_contested_no_longer_once_that_is_taken_back(memory):
    memory.add("I live in Lisbon.", type="identity", scope=ANA)
    talk(memory, "I live in Porto.")
    before = state(memory)
    report = memory.extract()
    assert "contest" in {change.details.get("reason") for change in memory.runs.show(report.run_id).changes}
    taken_back(memory, report, before)


def down(open_memory, **buffer):
    failing = ProviderError("no answer")
    chosen = Settings(store=StoreSettings(synchronous="NORMAL"), buffer=BufferSettings(**buffer))
    return open_memory(model=ScriptedModel({"extract": failing, "narrative": failing}), settings=chosen)


@pytest.mark.parametrize("extract", ["auto", "model"])
def test_tries_and_failures_are_taken_back_exactly(open_memory, clock, extract):
    memory = down(open_memory, extract=extract)
    talk(memory)
    states, reports = [], []
    for _ in range(3):
        states.append(state(memory))
        reports.append(memory.extract(session_id="s"))
    assert [report.put_off for report in reports] == [3, 3, 0 if extract == "auto" else 3]
    assert memory.stats(scope=ALL)["buffer"] == {"waiting": 0, "failed": 3}
    for report, before in zip(reports[::-1], states[::-1], strict=True):
        taken_back(memory, report, before)


def test_a_failure_that_is_taken_back_late_does_not_let_turns_wait_that_were_taken_since(open_memory, clock):
    answers = [ProviderError("no answer"), {"facts": []}]
    memory = open_memory(model=ScriptedModel({"extract": answers}))
    talk(memory)
    failed = memory.extract(session_id="s")
    assert memory.extract(session_id="s").turns == 3
    memory.undo(failed.run_id)
    assert memory.sessions.waiting("s", scope=ANA) == []


def test_an_error_that_quotes_a_purged_turn_is_in_no_run(open_memory, clock):
    failing = ProviderError("cannot parse 'Gallows'")
    memory = open_memory(model=ScriptedModel({"extract": failing}))
    ids = talk(memory)
    memory.extract(session_id="s")
    memory.extract(session_id="s")
    memory.purge(ids[2])
    assert "Gallows" not in json.dumps(list(memory.export()))
    assert memory.sessions.waiting("s", scope=ANA)[0].tries == 2


def test_where_there_is_nothing_to_do_there_is_no_run(memory, clock):
    talk(memory)
    memory.extract()
    told = len(memory.runs.list())
    for report in (memory.extract(), memory.extract(due_only=True), memory.sessions.end_silent()):
        assert report.run_id is None
    assert len(memory.runs.list()) == told


def test_a_dry_run_is_no_run_and_changes_nothing(memory):
    talk(memory)
    before = state(memory)
    report = memory.extract(dry_run=True)
    assert (report.run_id, report.turns, len(report.found)) == (None, 3, 2)
    assert state(memory) == before
    assert memory.runs.list() == []


def test_extraction_that_is_asked_for_does_not_put_off_the_nightly_jobs(memory, clock):
    def nightly():
        return {one.job: (one.last, one.next_at) for one in memory.schedule.list()}

    talk(memory)
    before = nightly()
    memory.sessions.end("s", scope=ANA)
    assert nightly() == before


class Left(Exception):
    """Raised by a watcher that leaves off."""


def test_whoever_watches_may_leave_off_and_keeps_what_was_done(memory, clock):
    talk(memory, session="a")
    talk(memory, "I live in Ghent.", session="b")

    def leave(_done, _of):
        raise Left

    with pytest.raises(Left):
        memory.extract(progress=leave)
    (run,) = memory.runs.list()
    assert run.status is RunStatus.FAILED
    assert memory.stats(scope=ALL)["buffer"]["waiting"] == 1
    assert memory.extract().turns == 1


class Wary(Policy):
    """Turns down whatever tells of Ghent."""

    def judge(self, candidate, at):
        if candidate.item.type != "episode" and "Ghent" in candidate.item.content:
            return Ruling(Outcome.REJECTED, candidate.item, ("secret: nobody is to know of it",))
        return super().judge(candidate, at)


def test_a_statement_that_is_refused_keeps_no_other_from_being_kept(open_memory, clock):
    memory = open_memory(policy=Wary())
    talk(memory, "I live in Ghent.", "I prefer green tea.")
    report = memory.extract()
    outcomes = {one.content: one.verdict.outcome for one in report.found}
    assert outcomes == {"I live in Ghent.": "rejected", "I prefer green tea.": "accepted"}
    assert report.turns == 2
    assert memory.stats(scope=ALL)["buffer"]["waiting"] == 0
    (event,) = [one for one in memory.audit.events() if one.action == "refuse"]
    assert event.content_hash is not None
    assert event.details == {"reasons": ["secret: nobody is to know of it"]}
    assert "Ghent" not in json.dumps(memory.runs.show(report.run_id).to_dict())


def test_a_statement_that_has_to_be_decided_about_waits_no_longer_once_it_is_taken_back(memory):
    known = memory.add("I live in Lisbon.", type="identity", scope=ANA).item_ids[0]
    memory.confirm(known)
    talk(memory, "I live in Porto.")
    before = state(memory)
    report = memory.extract()
    assert [one.verdict.outcome for one in report.found] == ["quarantined"]
    assert len(memory.review.list(scope=ANA)) == 1
    taken_back(memory, report, before)
    assert memory.review.list(scope=ANA) == []
