"""Results come back from the JSON that they wrote: a client elsewhere works with the same types."""

import json

import pytest

import simonides
from simonides import AddResult, ContextResult, ExtractReport, Hit, Item, Record, Run, SearchResult, Verdict
from simonides.domain.link import Link
from simonides.domain.records import AuditEvent, Revision, Session
from simonides.errors import InvalidInput


@pytest.fixture
def results(memory, clock):
    """One of everything, of a small history."""
    added = memory.add(["Ana drinks green tea.", "Ana drinks black tea."], user_id="ana", metadata={"n": 1})
    memory.add([{"role": "user", "content": "I am allergic to walnuts."}], session_id="s", user_id="ana")
    extracted = memory.extract()
    link = memory.link(*added.item_ids, evidence="both of tea")
    memory.update(added.item_ids[0], content="Ana drinks white tea.", expires_at="2026-04-01", pinned=True)
    found = memory.search("what does Ana drink?", user_id="ana", explain=True, agenda=True)
    clock.advance(days=60)
    return [
        added, *added, extracted, link, found, *found, *memory.list(user_id="ana"),
        memory.context("what does Ana drink?", user_id="ana"), *memory.history(added.item_ids[0]),
        *memory.sessions.list(scope="user:ana"), *memory.audit.events(), memory.maintain(["expire"]), memory.maintain(),
        memory.records.put("a/b", "k", {"n": 1}, ttl=60),
    ]  # fmt: skip


def test_every_result_comes_back(results):
    kinds = {type(one) for one in results}
    assert kinds == {
        AddResult, Verdict, ExtractReport, Link, SearchResult, Hit, Item, ContextResult, Revision, Session, AuditEvent,
        Run, Record,
    }  # fmt: skip
    for one in results:
        written = json.loads(json.dumps(one.to_dict()))
        back = type(one).from_dict(written)
        # An agenda's trace is told, and is no value that could be read back.
        assert json.loads(json.dumps(back.to_dict())) == written | (
            {"trace": None} if "trace" in written else {}
        )
        if not isinstance(one, Run | SearchResult):
            assert back == one


@pytest.mark.parametrize(
    "name", ["outcome", "item", "at", "found", "status", "rel", "items", "hits", "space"]
)
def test_a_value_that_cannot_be_read_is_refused(results, name):
    for one in results:
        written = one.to_dict()
        if name in written:
            with pytest.raises(InvalidInput):
                type(one).from_dict({**written, name: 5})


@pytest.mark.parametrize("written", [None, [], "x", "", 5, b"{}", [{}], ()])
def test_what_is_no_mapping_is_refused(written):
    public = [one for name in simonides.__all__ if hasattr(one := getattr(simonides, name), "from_dict")]
    assert {SearchResult, ExtractReport, Item, Run} <= set(public)
    for kind in (*public, Link, AuditEvent, Revision, Session):
        with pytest.raises(InvalidInput):
            kind.from_dict(written)


def test_what_lacks_its_fields_is_refused(results):
    for kind in {type(one) for one in results} - {ExtractReport}:  # Every field of that may be left out.
        with pytest.raises(InvalidInput):
            kind.from_dict({"nonsense": 1})
