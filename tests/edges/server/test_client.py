"""One contract for a memory and for a client of a server of it: the same verbs, values and errors."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import inspect
import re
from pathlib import Path

import httpx
import pytest

import simonides.client
from simonides import ALL, Candidates, Item, Memory, NotFound
from simonides.client import AsyncClient, Client
from simonides.domain.records import Place
from simonides.domain.scope import Scope
from simonides.edges.http.access import Access
from simonides.edges.http.tokens import Credential, Role
from simonides.edges.server.app import application
from simonides.edges.server.table import TABLE
from simonides.errors import (
    Conflict,
    Forbidden,
    InvalidInput,
    InvalidText,
    NeedsApproval,
    ProviderUnavailable,
    SimonidesError,
    WrongToken,
)
from tests.edges.whole_answers import TestClient

#: Verbs of a memory that no request asks for: what is of its file, its process, or of the middleware.
NOT_SERVED = {
    "admit",
    "backup",
    "close",
    "export_to",
    "flush",
    "meant",
}


@pytest.fixture
def app(memory):
    return application(memory, Access.of("127.0.0.1", Credential(Scope("global")), hosts="testserver"))


@pytest.fixture
def client(app):
    with TestClient(app) as http:
        yield Client(http=http)


@pytest.fixture(params=["memory", "client"])
def either(request, memory, client):
    """A memory, or a client of a server of it."""
    return memory if request.param == "memory" else client


def added(either, content, **fields):
    [verdict] = either.add(content, **fields)
    assert verdict.outcome == "accepted", verdict
    return verdict.item_id


#: What JSON has no form for, and half of a surrogate pair, by itself and within an entry.
UNSENT = [b"x", object(), float("nan"), float("inf"), "a \ud800", len]


class TestContract:
    @pytest.mark.parametrize("odd", UNSENT, ids=lambda odd: type(odd).__name__)
    @pytest.mark.parametrize("verb", ["add", "propose"])
    def test_an_entry_that_json_has_no_form_for_is_rejected_and_costs_the_others_nothing(
        self, either, verb, odd
    ):
        proposed = {"why_store": "asked", "source": "m1"} if verb == "propose" else {}
        good = [{"content": f"Boat {masts}.", **proposed} for masts in (2, 3)]
        for bad in (odd, {"content": odd}, {"content": "A boat.", "metadata": {"note": [odd]}}):
            before = len(either.list())
            result = getattr(either, verb)([good[0], bad, good[1]])
            assert [one.outcome for one in result][1] == "rejected"
            assert result[1].reasons[0].startswith("invalid: ")
            assert not {one.outcome for one in (result[0], result[2])} & {"rejected", "quarantined"}
            assert len(either.list()) == max(before, 2)

    @pytest.mark.parametrize("odd", [b"x", float("nan"), len], ids=["bytes", "nan", "function"])
    def test_so_is_a_message_of_a_chat_and_half_of_a_character_in_one_is_replaced(self, either, odd):
        turns = [
            {"role": "user", "content": "We sail."},
            {"role": "assistant", "content": "Yes.", "metadata": {"note": odd}},
            {"role": "user", "content": "At \ud800 noon."},
        ]
        outcomes = [one.outcome.value for one in either.add(turns, session_id="s")]
        assert outcomes == ["accepted", "rejected", "accepted"]
        assert [one.content for one in either.sessions.get("s")] == ["We sail.", "At \ufffd noon."]

    def test_what_is_told_of_one_input_needs_no_index_and_lists_have_one(self, either):
        one = either.add("We ship on Fridays.", type="decision")
        assert (one.outcome, one.item_id, one.reasons) == (one[0].outcome, one[0].item_id, one[0].reasons)
        two = either.add(["The mill grinds rye.", "The lock is closed on Mondays."])
        assert two[-1] == two.verdicts[-1]
        assert two[:1] == two.verdicts[:1]
        assert not any(hasattr(two, name) for name in ("outcome", "item_id", "reasons"))
        with pytest.raises(AttributeError, match=r"2 verdicts.*one\.outcome for one in"):
            _ = two.outcome
        found = either.search("when do we ship?")
        assert found[0] == found.hits[0]
        assert found[:2] == found.hits[:2]
        assert either.page()[0] == either.page().items[0]
        with pytest.raises(IndexError):
            _ = found[len(found)]

    @pytest.mark.parametrize(
        "named",
        [
            {"user_id": "ana"},
            {"project": "apollo"},
            {"user_id": "ana", "project": "apollo"},
            {"scope": "user:ana"},
            {"scope": "user:ana", "project": "apollo"},
        ],
    )
    def test_a_purge_by_the_names_of_a_scope_takes_exactly_that_scope(self, either, named):
        scopes = ["global", "user:ana", "project:apollo", "project:apollo/user:ana"]
        for scope in scopes:
            added(either, f"The key of {scope} hangs by the door.", scope=scope)
        either.purge(**named)
        left = {str(item.scope) for item in either.list(scope=ALL)}
        meant = Scope(named.get("scope", "global")).narrowed(
            user=named.get("user_id"), project=named.get("project")
        )
        assert left == {str(Scope(scope)) for scope in scopes} - {str(meant)}

    def test_a_session_may_be_called_a_run(self, either):
        spoken = [{"role": "user", "content": "The ferry leaves at noon."}]
        assert either.add(spoken, run_id="monday").session_id == "monday"
        added(either, "The ferry is blue.", run_id="tuesday")
        proposed = either.propose([{"content": "The ferry has a bar.", "type": "fact"}], run_id="monday")
        assert proposed.session_id == "monday"
        for named in (
            {"run_id": "monday"},
            {"session_id": "monday"},
            {"session_id": "monday", "run_id": "tuesday"},
        ):
            hits = either.search("when does the ferry leave?", **named)
            assert {hit.item.session_id for hit in hits} == {"monday"}
            assert {item.session_id for item in either.list(**named)} == {"monday"}

    def test_a_purge_by_an_unknown_name_is_refused(self, either):
        added(either, "We ship on Fridays.")
        with pytest.raises(InvalidInput, match="did you mean 'project'"):
            either.purge(projekt="apollo")
        assert len(either.list(scope=ALL)) == 1

    def test_what_is_added_is_found(self, either):
        item_id = added(either, "We ship on Fridays.", type="decision", tags=["release"], project="apollo")
        found = either.search("when do we ship?", project="apollo")
        assert [hit.item.id for hit in found] == [item_id]
        assert found.hits[0].item == either.get(item_id, scope=ALL)
        assert "Fridays" in either.context("when do we ship?", project="apollo").text
        assert [item.id for item in either.list(scope="project:apollo", types=["decision"])] == [item_id]
        assert either.list() == []

    def test_lists_begin_where_they_are_told_to(self, either):
        for n in range(5):
            added(either, f"note {n}")
        assert [item.content for item in either.list(limit=2, offset=1)] == ["note 3", "note 2"]
        first = either.page(limit=3)
        assert [item.content for item in either.page(limit=3, cursor=first.cursor)] == ["note 1", "note 0"]
        assert [item.content for item in either.timeline(limit=2)] == ["note 3", "note 4"]

    def test_a_change_stands_in_the_history(self, either):
        item_id = added(either, "The dome is green.", type="fact", title="Dome")
        assert either.update(item_id, title=None, tags=["paint"]).outcome == "accepted"
        assert either.get(item_id).title == ""
        verdict = either.correct(item_id, "The dome is blue.")
        assert verdict.outcome == "accepted"
        assert [one.item.content for one in either.history(item_id)][-1] == "The dome is blue."
        assert either.explain(item_id).item.superseded_by == verdict.item_id
        assert isinstance(either.correct("the boat in the harbour", "x"), Candidates)

    def test_what_was_forgotten_comes_back(self, either):
        item_id = added(either, "The dome is green.")
        gone = either.forget("The dome is green.")
        assert isinstance(gone, Item)
        assert (gone.id, gone.status) == (item_id, "archived")
        assert either.restore(item_id).outcome == "accepted"
        assert either.confirm(item_id).validation == "verified"
        assert either.reinforce(item_id).reinforcement > either.demote(item_id).reinforcement
        assert either.purge(item_id)["items"] == 1
        with pytest.raises(NotFound):
            either.get(item_id)

    def test_items_are_joined(self, either):
        first, second = added(either, "The dome leaks."), added(either, "Ruben mends it.")
        assert either.link(second, first, "refines", evidence="both").rel == "refines"
        assert {node.id for node in either.graph(first).nodes} >= {first, second}
        assert either.derived(first) == []
        assert either.resolve(first).id == first
        assert either.weak(below=0.1) == []
        either.mark_used([first])

    def test_proposals_wait_and_are_decided(self, either):
        [held] = either.propose([{"content": "Ana owns two boats."}])
        assert held.outcome == "quarantined"
        [waiting] = either.review.list()
        assert waiting.item.id == held.item_id
        assert waiting.verdict.reasons == held.reasons
        assert either.review.show(held.item_id).item == waiting.item
        assert either.review.approve(held.item_id, "so it is").outcome == "accepted"
        with pytest.raises(Conflict):
            either.review.reject(held.item_id)
        assert either.review.reopen(held.item_id).status == "quarantined"
        assert [one.item.id for one in either.review.list()] == [held.item_id]
        assert either.review.contradictions() == []
        assert either.review.rollback(session_id="nothing").dry_run

    def test_prompts_are_told(self, either):
        item_id = added(either, "We ship on Fridays.", pinned=True)
        injected = either.context("when do we ship?", mode="inject")
        assert either.why(injected.injection_id).items[0][0] == item_id
        assert [one.id for one in either.injections()] == [injected.injection_id]
        assert [item.id for item in either.core_profile().items] == [item_id]

    def test_the_parts_are_there(self, either):
        item_id = added(either, "Ruben Castle mends the dome.", type="fact", entities=["Ruben Castle"])
        assert either.palace.assign(item_id, room="Repairs", domain="House") == either.palace.where(item_id)
        assert either.palace.where(item_id) == Place(
            item_id, "House", "Repairs", either.palace.where(item_id).shelf
        )
        assert either.palace.list() == {"House": 1}
        assert either.palace.rooms() == {("House", "Repairs"): 1}
        assert list(either.palace.shelves().values()) == [1]
        assert [item.id for item in either.palace.get("House")] == [item_id]
        assert "Ruben Castle" in [one.name for one in either.entities.list()]
        assert [item.id for item in either.entities.get("Ruben Castle").facts] == [item_id]
        assert either.entities.rename("Ruben Castle", "R. Castle").aliases == ("Ruben Castle",)
        assert either.entities.retype("R. Castle", "person").settled
        run = "019ca945-0a00-7000-a43b-c7a7422d3968"
        added(either, "The nightly run mends the dome.", entities=[run])
        assert either.entities.get(run).entity.name == run
        either.entities.alike()

    def test_records_are_kept(self, either):
        put = either.records.put(["users", "ana"], "tea", {"likes": ["green"]})
        assert either.records.get("users/ana", "tea") == put
        assert either.records.list("users") == [put]
        assert either.records.spaces() == [("users", "ana")]
        assert either.records.search("green tea")[0].record == put
        assert either.records.delete("users/ana", "tea") is True
        assert either.records.get("users/ana", "tea") is None
        assert [one.value for one in either.records.history("users/ana", "tea")] == [
            {"likes": ["green"]},
            None,
        ]

    def test_records_of_a_project_are_its_own(self, either):
        put = either.records.put("notes", "tea", "green", project="apollo")
        assert put.scope == "project:apollo"
        assert either.records.get("notes", "tea", project="apollo") == put
        assert either.records.get("notes", "tea") is None
        assert either.records.list(project="apollo") == [put]
        assert either.records.delete("notes", "tea", project="apollo") is True

    def test_conversations_are_told_and_ended(self, either):
        said = [
            {"role": "user", "content": "I live in Bern."},
            {"role": "assistant", "content": "I note that."},
        ]
        assert either.add(said, session_id="monday").session_id == "monday"
        assert [one.session_id for one in either.sessions.list()] == ["monday"]
        assert [turn.content for turn in either.sessions.get("monday", last=1)] == ["I note that."]
        assert either.sessions.end("monday").ended == ("monday",)

    def test_upkeep_runs_and_is_taken_back(self, either):
        for content in (
            "Ruben greases the bearings every spring.",
            "Every spring Ruben greases the bearings.",
        ):
            added(either, content, type="fact")
        assert either.maintain(["consolidate"], dry_run=True).dry_run
        run = either.maintain(["consolidate"])
        assert either.runs.show(run.id).id == run.id
        assert run.id in [one.id for one in either.runs.list()]
        assert "consolidate" in either.runs.jobs()
        assert either.undo(run.id).undoes == run.id
        assert either.audit.verify() == []
        assert either.audit.events(limit=1)[0].number > 1
        assert either.growth(last=1).periods[0].added >= 2
        assert either.stats()["items"] == 2

    def test_what_says_the_same_is_merged(self, either):
        added(either, "Ruben greases the bearings every spring.", type="fact")
        added(either, "Every spring Ruben greases the bearings.", type="fact")
        assert either.consolidate(tiers=["ltm"], dry_run=True).dry_run
        run = either.consolidate(promote=False)
        assert either.runs.show(run.id).job == run.job
        report = either.doctor()
        assert (report.healthy, report.problems) == (True, ())
        assert report.backend

    def test_a_store_is_put_in_order(self, either):
        either.add([{"role": "user", "content": "I moved to Porto and I prefer tea."}], session_id="monday")
        would = either.extract(session_id="monday", dry_run=True)
        assert (would.turns, would.run_id, would.dry_run) == (1, None, True)
        done = either.extract(session_id="monday")
        assert [one.content for one in done.found] == [one.content for one in would.found] != []
        assert either.runs.show(done.run_id).id == done.run_id
        assert either.extract(session_id="monday").turns == 0
        assert either.backfill() == 0
        assert either.backfill(again=True) == either.stats()["items"]
        assert isinstance(either.reindex(), str)
        either.rebuild_fts()
        assert "rebuild" in {event.action for event in either.audit.events()}
        assert either.search("Porto").hits

    def test_documents_are_kept(self, either):
        text = "# Dome\n\nThe dome is green.\n\n# Boat\n\nThe boat is blue.\n"
        kept = either.documents.put("guide", "docs/dome.md", text)
        assert either.documents.list("guide") == [kept]
        chunks = either.documents.chunks("guide", "docs/dome.md")
        assert len(chunks) == kept.chunks
        for data in (text.encode(), bytearray(text.encode()), memoryview(text.encode())):
            assert either.documents.put("other", "docs/dome.md", data).sha256 == kept.sha256
        assert [one.name for one in either.documents.corpora()] == ["guide", "other"]
        assert either.documents.corpus("guide", label="The guide").label == "The guide"
        assert either.documents.compare("guide", "other").unchanged == kept.chunks
        assert either.documents.relate("guide", "other").unchanged == kept.chunks
        assert {link.rel for link in either.explain(chunks[0].id).links} >= {"same_rule"}
        assert either.documents.get("guide", "docs/dome.md") == kept
        assert either.documents.get("guide", "docs/other.md") is None
        assert [item.id for item in either.list(path="docs", corpus_id="guide")] == [
            item.id for item in reversed(chunks)
        ]
        assert either.list(path="src") == []
        assert {hit.item.id for hit in either.search("dome", path="docs/dome.md", corpus_id="guide")} <= {
            item.id for item in chunks
        }
        assert either.documents.delete("other") == 1
        assert either.documents.list("other") == []
        [put, *_, ended] = either.documents.history("other", "docs/dome.md")
        assert (put.value["sha256"], ended.value) == (kept.sha256, None)
        assert either.documents.history("other", "none.md") == []
        assert either.documents.purge("other", "docs/dome.md")["items"] == 3
        assert either.documents.history("other", "docs/dome.md") == []
        with pytest.raises(NotFound):
            either.documents.chunks("guide", "none.md")

    def test_what_others_kept_is_taken_in(self, either, tmp_path):
        source = tmp_path / "what Ana said.jsonl"
        source.write_text('{"text": "The dome is green."}\n{"text": ""}\n')
        mapping = {"content": "text"}
        told = either.import_from("jsonl", source, mapping=mapping, dry_run=True)
        assert told.dry_run
        assert either.list() == []
        taken = either.import_from("jsonl", source, mapping=mapping)
        assert taken.count("accepted") == 1
        assert taken == dataclasses.replace(told, dry_run=False)
        assert [item.content for item in either.list()] == ["The dome is green."]
        with pytest.raises(InvalidInput):
            either.import_from("jsonl", tmp_path / "none.jsonl")
        with pytest.raises(InvalidInput):
            either.import_from("nonsense", source)

    def test_what_goes_out_comes_in(self, either, open_memory):
        item_id = added(either, "We ship on Fridays.")
        records = list(either.export())
        either.purge(item_id)
        assert either.load(records).count("accepted") >= 1
        assert either.get(item_id).content == "We ship on Fridays."

    @pytest.mark.parametrize(
        ("error", "call"),
        [
            (NotFound, lambda one: one.get("01a1fa7c-f3df-7dfc-9e66-775f82845ba0")),
            (NotFound, lambda one: one.why("none")),
            (InvalidText, lambda one: one.add("a\0b")),
            (InvalidInput, lambda one: one.search("x", profile="nonsense")),
            (InvalidInput, lambda one: one.search("x", nonsense=1)),
            (InvalidInput, lambda one: one.list(scope="nonsense")),
            (InvalidInput, lambda one: one.page(cursor="nonsense")),
            (InvalidInput, lambda one: one.maintain(["nonsense"])),
            *((InvalidInput, lambda one, n=n: one.list(limit=n)) for n in (-1, 0, True, 1.5, "3", None)),
            *((InvalidInput, lambda one, n=n: one.list(offset=n)) for n in (True, 1.5, "3", None)),
            *((NotFound, lambda one, i=i: one.get(i)) for i in (None, "", "a/b", 5, "bad \ud800", "..")),
            *((NotFound, lambda one, i=i: one.history(i)) for i in (None, "", "a/b")),
            (InvalidText, lambda one: one.add("bad \ud800")),
            (InvalidText, lambda one: one.search("bad \udfff")),
            *(
                (InvalidInput, lambda one, v=v: one.records.put("notes", "boat", v))
                for v in (float("nan"), float("inf"), [-float("inf")], object(), {"a": object()})
            ),
            (InvalidInput, lambda one: one.add("x", metadata={"a": float("inf")})),
            (NotFound, lambda one: one.undo("none")),
            (NotFound, lambda one: one.sessions.get("none")),
            (NotFound, lambda one: one.entities.get("none")),
        ],
    )
    def test_errors_are_the_same(self, either, error, call):
        with pytest.raises(error):
            call(either)

    def test_a_model_is_refused_what_takes_a_person(self, either):
        item_id = added(either, "Ana likes tea.")
        with pytest.raises(NeedsApproval):
            either.update(item_id, title="x", actor="gpt")
        with pytest.raises(NeedsApproval):
            either.review.approve(item_id, actor="gpt")


PARTS = ("palace", "entities", "records", "documents", "review", "sessions", "runs", "audit")


def verbs_of(kind):
    return {
        name: one
        for name, one in inspect.getmembers(kind, callable)
        if not name.startswith("_") and name != "do"
    }


def test_a_client_has_the_verbs_of_a_memory(memory, client):
    assert set(verbs_of(Memory)) - NOT_SERVED == set(verbs_of(Client)) - {"close"}
    assert set(verbs_of(AsyncClient)) == set(verbs_of(Client))
    for part in PARTS:
        ours, theirs = verbs_of(type(getattr(client, part))), verbs_of(type(getattr(memory, part)))
        assert set(ours) <= set(theirs)
        for name, verb in ours.items():
            assert set(inspect.signature(verb).parameters) - {"self"} <= set(
                inspect.signature(theirs[name]).parameters
            )


def test_verbs_of_parts_and_filters_that_a_client_lacks_stand_in_the_docs(memory, client):
    page = (Path(__file__).parents[3] / "docs" / "server.md").read_text("utf-8")
    told = page.partition("What stays\nbehind")[2].partition("\n\n")[0]
    lacking = {
        f"{part}.{verb}"
        for part in PARTS
        for verb in set(verbs_of(type(getattr(memory, part)))) - set(verbs_of(type(getattr(client, part))))
    }
    assert {name for name in lacking if f"`{name}`" not in told} == set()
    for verb in (client.list, client.page, client.timeline):
        with pytest.raises(InvalidInput, match="metadata: unknown field"):
            verb(metadata={"desk": "north"})
    with pytest.raises(InvalidInput, match="noted: unknown field"):
        client.search("ferry", noted=False)
    assert "`metadata`" in told
    assert "`noted`" in told


def test_every_request_of_a_client_is_an_operation():
    """The contract above asks for all of them; here only paths are compared."""
    served = {f"{one.method} {one.path}" for one in TABLE}
    source = inspect.getsource(simonides.client)
    asked = set(re.findall(r'"([A-Z]+ /v1/[^"]+)"', source))
    assert len(asked) > 50
    assert asked <= served


#: Defaults of a server that are those of `Memory` in other words, or that a client tells it.
DEFAULTS = {
    *(("weak", "limit"), ("injections", "limit"), ("runs.list", "limit")),
    *(("reinforce", "by"), ("demote", "by"), ("consolidate", "tiers")),
    *((f"records.{verb}", "prefix") for verb in ("list", "search", "spaces")),
}


def test_what_is_left_out_means_the_same_to_a_server(memory):
    compared = 0
    for operation in TABLE:
        verb = functools.reduce(lambda one, name: getattr(one, name, None), operation.name.split("."), memory)
        known = inspect.signature(verb).parameters if callable(verb) else {}
        for name, field in operation.takes.model_fields.items():
            if name in known and not field.is_required() and (operation.name, name) not in DEFAULTS:
                assert field.default == known[name].default, (operation.name, name)
                compared += 1
    assert compared > 50


def test_lists_are_as_long_as_those_of_a_memory(either):
    added(either, "We ship on Fridays.", pinned=True)
    for _ in range(25):
        either.context("when do we ship?", mode="inject")
    assert len(either.injections()) == 20
    assert len(either.injections(limit=22)) == 22


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_editors_see_the_signatures_of_a_memory(kind):
    for name, verb in verbs_of(kind).items():
        if name not in {"close", "export", "list", "derived", "update", "purge", "import_from", "load"}:
            assert inspect.signature(verb) == inspect.signature(getattr(Memory, name))
            assert inspect.iscoroutinefunction(verb) is (kind is AsyncClient)


def test_verbs_are_awaited_too(app):
    async def work():
        transport = httpx.ASGITransport(app)
        async with AsyncClient(
            http=httpx.AsyncClient(transport=transport, base_url="http://testserver")
        ) as client:
            [verdict] = await client.add("We ship on Fridays.")
            found = await client.search("ship")
            assert found.hits[0].item.id == verdict.item_id
            assert (await client.records.put("a", "b", 1)).value == 1
            assert [item.content for item in await client.list(limit=5, types=["note"])] == [
                "We ship on Fridays."
            ]
            with pytest.raises(NotFound):
                await client.get("none")

    asyncio.run(work())


def test_a_scope_of_the_client_holds_where_none_is_named(app):
    with TestClient(app) as http:
        ana, everybody = Client(http=http, scope="user:ana"), Client(http=http, scope=ALL)
        added(ana, "Ana's.")
        assert ana.records.put("notes", "a", 1).scope == "user:ana"
        assert [item.scope for item in everybody.list(types=["note"])] == ["user:ana"]


def test_a_server_that_is_not_there_is_told(memory):
    with (
        Client("http://127.0.0.1:9") as client,
        pytest.raises(ProviderUnavailable, match="check that the server runs"),
    ):
        client.search("x")


@pytest.mark.parametrize("answer", [httpx.Response(200, text="hello"), httpx.Response(502, text="<html>")])
def test_an_answer_of_something_else_is_told(answer):
    http = httpx.Client(transport=httpx.MockTransport(lambda _: answer), base_url="http://x")
    with Client(http=http) as client, pytest.raises(SimonidesError, match="server of Simonides"):
        client.search("x")


@pytest.mark.parametrize("name", ["\ud800", None, "", ".", "..", 7])
@pytest.mark.parametrize(
    "call",
    [
        *(lambda client, name: client.runs.show(name), lambda client, name: client.review.reject(name)),
        *(lambda client, name: client.review.approve(name), lambda client, name: client.get(name)),
        lambda client, name: client.undo(name),
    ],
)
def test_a_name_that_nothing_can_have_asks_no_server(call, name):
    http = httpx.Client(
        transport=httpx.MockTransport(lambda _: pytest.fail("it was asked")), base_url="http://x"
    )
    with Client(http=http) as client, pytest.raises((InvalidInput, NotFound)):
        call(client, name)


def test_a_key_of_metadata_is_text(app):
    with TestClient(app) as http, pytest.raises(InvalidInput):
        Client(http=http).add("The kettle is blue.", metadata={"\ud800": 1})


#: Scopes, models and users in any language; a header has Latin letters by itself.
NAMES = ["анна", "ана-мария", "小明", "josé", "ÅSA", "müller", "🙂", "a b", "\u0130x"]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_in_any_language_is_sent_and_means_the_same(app, name):
    with TestClient(app) as http:
        client = Client(http=http, scope=f"user:{name}")
        [said] = client.propose(
            [{"content": "The kettle is blue.", "why_store": "x", "source": "m"}], actor=name
        ).verdicts
        assert client.get(said.item_id).scope == f"user:{name}"
        assert [item.id for item in client.list()] == [said.item_id]
        assert Client(http=http).list(user_id=name)[0].id == said.item_id
        assert Client(http=http).audit.events(item_id=said.item_id)[0].actor == name


@pytest.mark.parametrize("bad", ["a\nb", "a\rb", "a\x00b", "a\x7fb", "a\u2028b"])
def test_a_name_that_no_header_holds_is_refused_before_anything_is_sent(app, bad):
    with TestClient(app) as http:
        for use in (
            lambda: Client(http=http, scope=f"user:{bad}").list(),
            lambda: Client(http=http).list(user_id=bad),
            lambda: Client(http=http).propose([], actor=bad),
            lambda: Client(key=bad),
            lambda: Client(key="ключ"),
        ):
            with pytest.raises(InvalidInput):
                use()


@pytest.mark.parametrize("made", [Client, AsyncClient])
@pytest.mark.parametrize("url", ["127.0.0.1:11999", "localhost", "ftp://localhost", "", "//localhost:80"])
def test_an_address_that_is_none_of_a_server_says_how_one_begins(made, url):
    with pytest.raises(InvalidInput, match="http://"):
        made(url)


@pytest.mark.parametrize(
    ("key", "verb", "error"),
    [
        (None, lambda client: client.list(), WrongToken),
        ("mistyped", lambda client: client.list(), WrongToken),
        ("reads", lambda client: client.add("We ship on Fridays."), Forbidden),
        ("reads", lambda client: client.list(scope="project:other"), Forbidden),
    ],
)
def test_a_key_that_is_wrong_is_told_from_one_that_reaches_less_far(memory, key, verb, error):
    reads = Credential(Scope("user:ana"), token="reads", role=Role.READER)
    access = Access.of("127.0.0.1", Credential(Scope("global")), hosts="testserver", credentials=[reads])
    with TestClient(application(memory, access)) as http:
        if key is not None:
            http.headers["Authorization"] = f"Bearer {key}"
        with pytest.raises(error):
            verb(Client(http=http))
