"""A memory on PostgreSQL, as its callers use it."""

import logging
import random

import pytest

from simonides import Memory
from simonides.config import Settings, StoreSettings
from simonides.edges.server.app import reading_at_once
from simonides.errors import InvalidInput, StoreError
from simonides.testing import FakeEmbedder, FrozenClock
from tests.storage import leaving


@pytest.fixture
def clock():
    return FrozenClock("2026-03-01T12:00:00Z")


@pytest.fixture
def memory(server, clock):
    """A memory in a store of its own."""
    settings = Settings(store=StoreSettings(synchronous="NORMAL"))
    with Memory(
        server.url, tenant=server.new_tenant(), settings=settings, clock=clock, embedder=FakeEmbedder(8)
    ) as opened:
        yield opened


def test_chunks_of_one_long_line_stand_in_its_order(memory):
    text = " ".join(f"word{n}" for n in range(2000))
    memory.documents.put("c", "words.txt", text)
    chunks = memory.documents.chunks("c", "words.txt")
    assert "".join(one.content for one in chunks).replace(" ", "") == text.replace(" ", "")
    for chunk in reversed(chunks):  # An earlier release kept no more than the lines.
        memory.update(chunk.id, metadata={"lines": chunk.metadata["lines"]})
    assert [one.id for one in memory.documents.chunks("c", "words.txt")] == [one.id for one in chunks]


def test_every_verb_does_on_a_database_what_it_does_on_a_file(memory, clock):
    (tea, ships) = memory.add(["Ana drinks green tea.", "We ship on Fridays."], project="apollo")
    assert (tea.outcome, ships.outcome) == ("accepted", "accepted")
    memory.add([{"role": "user", "content": "When do we ship?"}], session_id="s", project="apollo")
    assert memory.search("when do we ship", project="apollo").hits[0].item.id == ships.item_id
    assert "Fridays" in memory.context("shipping", project="apollo").text
    clock.advance(days=1)
    memory.correct(ships.item_id, "We ship on Mondays.")
    [hit] = [one for one in memory.search("ship", project="apollo").hits if "ship on" in one.item.content]
    assert hit.item.content == "We ship on Mondays."
    then = memory.search("ship", project="apollo", as_of="2026-03-01T18:00:00Z").hits
    assert "We ship on Fridays." in [one.item.content for one in then]
    memory.update(tea.item_id, content="Bo drinks green tea.")
    for name, contents in (("Ana", ["Ana drinks green tea."]), ("Bo", [])):
        hits = memory.search("tea", project="apollo", entity=name, as_of="2026-03-01T18:00:00Z").hits
        assert [hit.item.content for hit in hits] == contents
    assert [one.name for one in memory.entities.list(scope="project:apollo")]
    memory.records.put(["users", "ana"], "tea", {"green": True}, project="apollo")
    assert memory.records.get(["users", "ana"], "tea", project="apollo").value == {"green": True}
    run = memory.maintain(scope="project:apollo")
    assert run.status == "done"
    assert memory.doctor().healthy
    assert memory.doctor().backend["backend"] == "postgresql"
    memory.forget(tea.item_id)
    memory.purge(tea.item_id)
    assert memory.stats(scope="project:apollo")["by_type"]
    assert memory.doctor().healthy
    assert memory.path is None


def test_a_use_that_a_database_never_takes_is_lost_by_itself_and_told(memory, caplog):
    tea, ships = memory.add(["Ana drinks green tea.", "We ship on Fridays."]).item_ids
    drawn = random.Random(1)
    name = "".join(chr(drawn.randrange(0x20000, 0x2A6DF)) for _ in range(1_000))  # Longer than a key may be.
    memory.mark_used([ships], session_id="monday")
    memory.mark_used([tea], session_id=name)
    memory.context("tea", asked_in=name)
    told = memory.context("when do we ship?", asked_in="monday").injection_id
    with caplog.at_level(logging.WARNING):
        assert [item.usage_count for item in memory.list()] == [1, 0]
    assert caplog.text.count("is lost") == 2
    assert [injection.id for injection in memory.injections()] == [told]
    memory.mark_used([tea], session_id="monday")
    assert [item.usage_count for item in memory.list()] == [1, 1]


def tables_that_say(server, word):
    """Tables of the database with a row that holds a word, whoever's it is."""
    with server.owner() as connection:
        tables = connection.execute(
            "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables "
            "WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
        ).fetchall()
        return [
            table
            for (table,) in tables
            if connection.execute(
                f"SELECT EXISTS (SELECT 1 FROM {table} AS t WHERE t::text ILIKE %s)", (f"%{word}%",)
            ).fetchone()[0]
        ]


def test_what_another_process_has_changed_since_the_last_search_is_found(server, clock):
    """With the first question a process asks what it would in the state that it has seen last."""
    tenant = server.new_tenant()
    one, other = (Memory(server.url, tenant=tenant, clock=clock, embedder=FakeEmbedder(8)) for _ in range(2))
    question = "Which note is about the harbour?"

    def asked(scope):
        found = [(hit.item.id, hit.score, hit.superseded_by) for hit in one.search(question, scope=scope)]
        with Memory(server.url, tenant=tenant, clock=clock, embedder=FakeEmbedder(8)) as fresh:
            assert found == [
                (hit.item.id, hit.score, hit.superseded_by) for hit in fresh.search(question, scope=scope)
            ]
        return {item_id for item_id, *_ in found}

    with one, other:
        (note,) = other.add("A note is about the harbour.", scope="user:ana").item_ids
        assert asked("user:ana/session:s") == asked("user:ana/session:s") == {note}
        (heard,) = other.add("This note of the harbour is new.", scope="user:ana/session:s").item_ids
        assert asked("user:ana/session:s") == {note, heard}
        (pinned,) = other.add("Ships leave on Fridays.", scope="user:ana", pinned=True).item_ids
        assert pinned in asked("user:ana/session:s")
        corrected = other.correct(note, "A note is about the river.").item_id
        assert corrected in asked("user:ana/session:s")


ARGUMENTS = (
    {},
    {"archived": True},
    {"valid_at": "2030-01-01"},
    {"k": 1},
    {"profile": "strict"},
    {"tags": ["sea"]},
)
QUESTIONS = (
    "Which note is about the harbour?",
    "猫",
    "What did we talk about in the last session, the harbour?",
    "harbour_bell",
)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("arguments", ARGUMENTS, ids=str)
def test_a_scope_that_has_come_into_being_since_the_last_search_is_searched(
    server, clock, question, arguments
):
    tenant = server.new_tenant()
    one, other = (Memory(server.url, tenant=tenant, clock=clock, embedder=FakeEmbedder(8)) for _ in range(2))

    def asked(memory):
        hits = memory.search(question, scope="user:ana/session:s", **arguments).hits
        return [(hit.item.id, hit.score) for hit in hits]

    with one, other:
        other.add("A river is far away.")
        for scope in ("user:ana", "user:ana/session:s", "user:ana"):
            assert asked(one) == asked(one)  # The first time nothing is known of its scopes.
            other.add(
                ["The note is about the harbour 猫.", "Ring the harbour_bell."],
                scope=scope,
                tags=["sea"],
                pinned=True,
            )
            with Memory(server.url, tenant=tenant, clock=clock, embedder=FakeEmbedder(8)) as fresh:
                assert asked(one) == asked(fresh) != []


def test_no_table_holds_a_word_of_what_was_purged(memory, server, tmp_path):
    (moved,) = memory.add(["Zyzzyva left in May."], project="apollo")
    memory._parts.store.write(lambda tx: tx.set_aside([moved.item_id]))
    memory.add("Zyzzyva lives in Faro.", tags=["zyzzyva"], entities=["Zyzzyva"], project="apollo")
    memory.add([{"role": "user", "content": "Who is Zyzzyva?"}], session_id="zyzzyva", project="apollo")
    memory.documents.put("notes", "zyzzyva.md", "# Zyzzyva\n\nIt sings at noon.", project="apollo")
    memory.documents.put("notes", "zyzzyva.md", "# Zyzzyva\n\nIt sings at night.", project="apollo")
    (tmp_path / "notes.jsonl").write_text('{"content": "Zyzzyva was imported."}')
    memory.import_from("jsonl", tmp_path / "notes.jsonl", project="apollo")
    memory.context("Where is Zyzzyva?", project="apollo")
    memory.flush()
    assert len(tables_that_say(server, "zyzzyva")) > 5
    memory.purge(project="apollo")
    assert tables_that_say(server, "zyzzyva") == []
    assert memory.doctor().healthy


@pytest.mark.parametrize("said", [True, False])
def test_a_scope_leaves_no_question_and_no_session(memory, server, said):
    leaving.live_in(memory, said=said)
    others = leaving.of(memory, *leaving.OTHERS)
    assert all(tables_that_say(server, word) for word in leaving.WORDS)
    memory.purge(scope=leaving.LEFT)
    assert leaving.of(memory, leaving.LEFT) == [([], [], [])]
    assert leaving.of(memory, *leaving.OTHERS) == others
    assert not [word for word in leaving.WORDS if tables_that_say(server, word)]


def test_what_only_a_file_can_do_says_so(memory, tmp_path):
    for use in (memory.rebuild_fts, lambda: memory.backup(tmp_path / "copy.db")):
        with pytest.raises(StoreError, match="no file"):
            use()


def test_a_tenant_is_for_a_database_and_a_key_for_a_file(server, tmp_path):
    with pytest.raises(InvalidInput, match="a file holds one store"):
        Memory(tmp_path / "x.db", tenant="acme")
    with pytest.raises(InvalidInput, match="names the tenant"):
        Memory(f"{server.url}&tenant=one", tenant="two")


def test_a_server_reads_more_at_once_where_it_waits_for_a_database(memory, tmp_path):
    with Memory(tmp_path / "memory.db", embedder=FakeEmbedder(8)) as of_a_file:
        assert reading_at_once(memory) > reading_at_once(of_a_file)
