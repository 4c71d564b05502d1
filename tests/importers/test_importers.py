"""Importers: what each kind takes from a sample of its format, once, with its times; and what it says of bad input."""

import gzip
import json
import re
import resource
import signal
import subprocess
import sys
import time
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.store.sqlite import SqliteStore

from simonides import ALL, InvalidInput, Memory
from simonides.domain.instant import iso
from simonides.errors import StoreError
from simonides.importers.files import moment_of
from simonides.importers.registry import importer_of, kinds
from simonides.ports.importer import Refusal, SourceRequest, SourceTurn
from simonides.testing import FakeEmbedder

COLUMNS = {"content": "body", "tags": "topics", "created_at": "ts"}
#: Of each kind: the sample, the mapping, and what is taken of it.
SOURCES = [
    ("chatgpt", "chatgpt.json", {}, {"turns": 3}),
    ("claude", "claude.json", {}, {"turns": 2}),
    ("claude-code", "claude-code.jsonl", {}, {"turns": 2}),
    ("codex", "rollout-codex.jsonl", {}, {"turns": 2}),
    ("agent-files", "agent", {}, {"items": 5}),
    ("obsidian", "vault", {}, {"items": 2, "links": 1}),
    ("basic-memory", "basic", {}, {"items": 4, "links": 1}),
    ("markdown", "exported", {}, {"items": 2, "links": 1}),
    ("mem0", "mem0.json", {}, {"items": 2}),
    ("mem0", "mem0-history.sql", {}, {"items": 2}),
    ("mcp-memory", "mcp-memory.jsonl", {}, {"items": 4}),
    ("graphiti", "graphiti.json", {}, {"items": 4}),
    ("letta", "letta.af", {}, {"items": 1, "turns": 2}),
    ("jsonl", "notes.jsonl", COLUMNS, {"items": 1, "turns": 1}),
    ("csv", "notes.csv", {"content": "text", "tags": "labels", "created_at": "when"}, {"items": 2}),
    ("langgraph", "langgraph-store.sql", {}, {"records": 2}),
    ("items-db", "items.sql", {}, {"items": 2, "links": 1}),
    ("graph-db", "graph.sql", {}, {"items": 3, "links": 2}),
    ("tiered-db", "tiered.sql", {}, {"items": 2, "turns": 1}),
    ("scored-db", "scored.sql", {}, {"items": 2}),
]
every_source = pytest.mark.parametrize(
    ("kind", "sample", "mapping", "taken"), SOURCES, ids=[one[1] for one in SOURCES]
)


@pytest.fixture
def path_of(samples, database):
    """Path of a sample; of statements, of the database that they make."""
    return lambda sample: database(sample) if sample.endswith(".sql") else samples / sample


def accepted(report):
    return {what: ended["accepted"] for what, ended in report.counts.items() if ended["accepted"]}


def test_every_kind_has_a_sample():
    assert {kind for kind, *_ in SOURCES} == set(kinds())


@every_source
def test_a_source_is_taken_once(kind, sample, mapping, taken, memory, path_of):
    path = path_of(sample)
    first = memory.import_from(kind, path, mapping=mapping)
    assert accepted(first) == taken
    before = list(memory.export())
    again = memory.import_from(kind, path, mapping=mapping)
    assert accepted(again) == {}
    assert again.count("rejected") == first.count("rejected")
    assert list(memory.export()) == before


@every_source
def test_a_dry_run_tells_what_an_import_does_and_writes_nothing(
    kind, sample, mapping, taken, memory, path_of
):
    path = path_of(sample)
    told = memory.import_from(kind, path, mapping=mapping, dry_run=True)
    assert memory.stats()["items"] == 0
    done = memory.import_from(kind, path, mapping=mapping)
    assert (told.counts, told.left_out) == (done.counts, done.left_out)
    assert accepted(done) == taken


def test_of_a_tree_of_messages_the_branch_that_is_shown_is_taken(memory, samples):
    report = memory.import_from("chatgpt", samples / "chatgpt.json", user_id="ana")
    turns = memory.sessions.get("c-porto", scope="user:ana")
    assert [turn.content.splitlines()[-1] for turn in turns] == [
        "We travel to Porto on the tenth of May.",
        "The guest house by the river has rooms.",
        "This is the house, book it.",
    ]
    assert turns[0].times["event_at"].isoformat() == "2024-05-01T10:00:01.250000+00:00"
    assert report.left_out["a message of a branch that was given up"] == 1
    assert memory.search("Where is the guest house?", scope="user:ana").hits


MARKS = {
    "Riga is old.\ue200cite\ue202turn0search1\ue202turn0search2\ue201": "Riga is old.",
    '\ue200entity\ue202["city","Riga","capital of Latvia"]\ue201 is old.': "Riga is old.",
    "See \ue200url\ue202the map\ue202turn0search1\ue201.": "See the map.",
    '\ue200image_group\ue202{"query":["Riga"]}\ue201\nRiga is old.': "Riga is old.",
    "Riga is old.【12†source】【4:0†map.pdf】": "Riga is old.",
    "A mark that is cut \ue200entity\ue202[": "A mark that is cut entity[",
    "\ue200entity\ue202no JSON\ue201Riga is old.": "Riga is old.",
    "【note】 is no mark": "【note】 is no mark",
}


@pytest.mark.parametrize(("written", "shown"), MARKS.items())
def test_of_an_answer_what_is_shown_is_taken_without_the_marks_of_the_program(
    written, shown, memory, tmp_path
):
    assert said_in(memory, tmp_path, "assistant", [written]) == shown


@pytest.mark.parametrize(
    ("parts", "shown"),
    [
        ([{"content_type": "image_asset_pointer"}, "What is this?"], "[image]\nWhat is this?"),
        (
            [
                {"content_type": "audio_transcription", "text": "I live in Tartu."},
                {"content_type": "real_time_user_audio_video_asset_pointer"},
                {"content_type": "audio_asset_pointer"},
            ],
            "I live in Tartu.",
        ),
        ([{"content_type": "audio_asset_pointer"}], "[audio]"),
        (
            [{"content_type": "video_container_asset_pointer"}, {"content_type": "planet"}],
            "[video]\n[attachment]",
        ),
    ],
)
def test_a_part_that_is_no_text_is_named_as_people_name_it(parts, shown, memory, tmp_path):
    assert said_in(memory, tmp_path, "user", parts) == shown


def said_in(memory, folder, role, parts):
    """Text that is taken of a conversation with one message."""
    message = {"author": {"role": role}, "content": {"content_type": "multimodal_text", "parts": parts}}
    chat = {"id": "c", "mapping": {"n": {"message": message}}, "current_node": "n"}
    (folder / "conversations.json").write_text(json.dumps([chat]))
    memory.import_from("chatgpt", folder / "conversations.json")
    [turn] = memory.sessions.get("c")
    return turn.content


def test_whoever_is_named_in_a_shared_chat_is_kept_with_their_turn(memory, tmp_path):
    said = {
        "author": {"role": "user", "name": "Bob"},
        "content": {"content_type": "text", "parts": ["I live in Graz."]},
    }
    chat = {"id": "c", "mapping": {"n": {"message": said}}, "current_node": "n"}
    (tmp_path / "conversations.json").write_text(json.dumps([chat]))
    memory.import_from("chatgpt", tmp_path / "conversations.json", scope="user:ana")
    [turn] = memory.sessions.get("c", scope="user:ana")
    assert turn.metadata["sender"] == "Bob"


def test_a_file_that_an_agent_s_file_names_is_no_rule(memory, tmp_path):
    (tmp_path / "CLAUDE.md").write_text("- Use uv, not pip.\n\n@docs/other.md\n\n@~/own.md\n")
    report = memory.import_from("agent-files", tmp_path)
    assert [item.content for item in memory.list()] == ["Use uv, not pip."]
    assert report.left_out == {"the name of another file (import it, too)": 2}


@pytest.mark.parametrize("kind", ["obsidian", "markdown", "basic-memory", "agent-files"])
@pytest.mark.parametrize("name", ["all.json", "notes.csv", "export.zip", "store.db"])
def test_what_is_no_note_by_its_name_is_not_taken_for_one(kind, name, memory, tmp_path):
    (tmp_path / name).write_text('{"results": []}')
    with pytest.raises(
        InvalidInput, match=r"is no note in Markdown by its name; give a folder, or a file named \*\.md"
    ):
        memory.import_from(kind, tmp_path / name)


def test_an_export_is_read_in_its_archive(memory, samples, tmp_path):
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.write(samples / "claude.json", "data/conversations.json")
    assert accepted(memory.import_from("claude", tmp_path / "export.zip")) == {"turns": 2}


def test_a_session_that_went_on_since_brings_its_new_turns(memory, samples, tmp_path):
    lines = (samples / "rollout-codex.jsonl").read_text().splitlines()
    file = tmp_path / "rollout-x.jsonl"
    file.write_text("\n".join(lines[:4]))
    assert accepted(memory.import_from("codex", file)) == {"turns": 1}
    file.write_text("\n".join(lines))
    assert accepted(memory.import_from("codex", file)) == {"turns": 1}
    assert len(memory.sessions.get("019b-c0de")) == 2


def test_what_changed_here_since_is_left_as_it_is(memory, samples):
    memory.import_from("mem0", samples / "mem0.json")
    [item] = memory.list(scope="user:ana", tags=["sports"])
    memory.update(item.id, content="Likes rowing after breakfast")
    memory.import_from("mem0", samples / "mem0.json")
    assert memory.get(item.id).content == "Likes rowing after breakfast"


def test_a_history_brings_every_wording_and_what_was_deleted(memory, database):
    memory.import_from("mem0", database("mem0-history.sql"), user_id="ana")
    rows, bicycle = sorted(
        memory.list(scope="user:ana", archived=True), key=lambda one: one.content, reverse=True
    )
    assert [one.item.content for one in memory.history(rows.id)] == ["Rows on Mondays", "Rows on Tuesdays"]
    assert rows.origin == "user-said"
    assert (bicycle.content, bicycle.status) == ("Owns a red bicycle", "archived")


def test_facts_of_a_graph_keep_when_they_were_true(memory, samples):
    memory.import_from("graphiti", samples / "graphiti.json")
    found = {item.content: item for item in memory.list(archived=True)}
    past = found["Ana works in Lisbon"]
    assert past.status == "archived"
    assert past.times["valid_until"].isoformat() == "2025-02-01T00:00:00+00:00"
    assert found["Ana lives in Porto"].entities == ("Ana", "Porto")


def test_a_database_of_items_keeps_tiers_scores_places_and_wordings(memory, database):
    memory.import_from("items-db", database("items.sql"))
    [item] = memory.list(types=["decision"])
    assert (item.tier, item.importance, item.usage_count, item.reinforcement) == ("ltm", 0.8, 4, 6.0)
    assert item.metadata == {"mood": "calm"}
    assert memory.palace.where(item.id).room == "release"
    assert [one.item.content for one in memory.history(item.id)] == [
        "We ship on Mondays.",
        "We ship on Fridays.",
    ]
    [link] = [record for record in memory.export() if record["kind"] == "link"]
    assert (link["src"], link["rel"], link["weight"]) == (item.id, "depends_on", 0.5)


def test_documents_of_a_store_become_records(memory, database):
    memory.import_from("langgraph", database("langgraph-store.sql"), project="apollo")
    record = memory.records.get("users/ana", "tea", project="apollo")
    assert record.value == {"kind": "green", "cups": 3}
    assert memory.records.get("users/ana", "note", project="apollo").ttl_s == 3600


def test_a_document_that_expires_needs_the_time_of_its_writing(memory, database):
    path = database(
        """CREATE TABLE store (prefix, key, value, created_at, updated_at, expires_at);
        INSERT INTO store VALUES
            ('users', 'dated', '{}', '2026-03-02 10:00:00', NULL, '2026-03-02 11:00:00'),
            ('users', 'undated', '{}', NULL, NULL, '2026-03-02 11:00:00');"""
    )
    report = memory.import_from("langgraph", path)
    assert memory.records.get("users", "dated").ttl_s == 3600
    assert [one.reason for one in report.refused] == [
        "it expires, and has no time that tells how long it was to last"
    ]


LETTERS = {"text": "likes the window", "where": {"Łódź 座席": [1, 2.5, None, True]}}


# From Python 3.12 on, of what langgraph itself does.
@pytest.mark.filterwarnings("ignore:The default datetime adapter is deprecated:DeprecationWarning")
@pytest.mark.parametrize("is_open", [False, True])
def test_documents_are_taken_as_langgraph_itself_writes_them(is_open, memory, tmp_path):
    with SqliteStore.from_conn_string(str(tmp_path / "store.db")) as store:
        store.setup()
        store.put(("users", "ana"), "seat", LETTERS)
        store.put(("users", "ana"), "note", {"text": "brief"}, ttl=60)
        store.put(("users",), "empty", {})
        if is_open:
            report = memory.import_from("langgraph", tmp_path / "store.db")
    if not is_open:
        report = memory.import_from("langgraph", tmp_path / "store.db")
    assert (report.counts, report.refused) == ({"records": {"accepted": 3}}, [])
    assert memory.records.get("users/ana", "seat").value == LETTERS
    assert memory.records.get("users/ana", "note").ttl_s == 3600
    assert memory.records.get("users", "empty").value == {}
    assert memory.import_from("langgraph", tmp_path / "store.db").counts == {"records": {"merged": 3}}


@pytest.mark.parametrize(
    ("prefix", "key", "value", "why"),
    [
        ("a", "k", "x'ff00'", "its value is no JSON object"),
        ("a", "k", "x'5b315d'", "its value is no JSON object"),
        ("a", "k", "'[1]'", "its value is no JSON object"),
        ("a", "k", "7", "its value is no JSON object"),
        ("a", "", "'{}'", "the row has no prefix or no key"),
        ("", "k", "x'7b7d'", "the row has no prefix or no key"),
    ],
)
def test_a_document_that_is_none_is_refused_for_what_it_lacks(prefix, key, value, why, memory, database):
    path = database(
        f"CREATE TABLE store (prefix, key, value); INSERT INTO store VALUES ('{prefix}', '{key}', {value})"
    )
    report = memory.import_from("langgraph", path)
    assert (report.count("accepted"), [part.reason for part in report.refused]) == (0, [why])


def test_what_a_model_wrote_counts_as_imported_and_what_a_person_wrote_as_theirs(memory, samples):
    memory.import_from("agent-files", samples / "agent")
    origins = {item.content.splitlines()[0]: item.origin.value for item in memory.list()}
    assert origins["The user prefers short answers."] == "import"
    assert origins["Use tabs in Makefiles."] == "user-said"


def test_what_the_policy_holds_back_waits_and_what_it_refuses_is_named(memory, tmp_path):
    (tmp_path / "memory.jsonl").write_text(
        "\n".join(
            json.dumps({"type": "entity", "name": name, "entityType": "person", "observations": [text]})
            for name, text in [
                ("Ana", "Lives at 12 Harbour Street, her phone is +351 912 345 678"),
                ("Bo", "the password is hunter2hunter2"),
            ]
        )
    )
    report = memory.import_from("mcp-memory", tmp_path / "memory.jsonl")
    assert (report.count("quarantined"), report.count("rejected")) == (1, 1)
    [part] = report.refused
    assert part.place == "memory.jsonl, line 2"
    assert "secret" in part.reason
    assert len(memory.review.list()) == 1
    again = memory.import_from("mcp-memory", tmp_path / "memory.jsonl")
    assert (again.count("merged"), again.count("rejected")) == (1, 1)


def test_a_scope_that_is_named_holds_and_the_source_fills_the_rest(memory, samples):
    memory.import_from("mem0", samples / "mem0.json", user_id="bo", project="lake")
    assert {str(item.scope) for item in memory.list(scope=ALL)} == {"user:bo/project:lake"}


@pytest.mark.parametrize(
    ("kind", "name", "content", "why"),
    [
        ("chatgpt", "c.json", '[{"mapping": {"a": ', "ends in the middle"),
        ("chatgpt", "c.json", '[{"chat_messages": []}]', "none has a `mapping`"),
        ("chatgpt", "c.zip", "", "c.zip is empty: is the file whole?"),
        ("mem0", "m.json", " \n", "m.json is empty"),
        ("claude", "c.json", b"\xff\xfe[", "in UTF-16; save it as UTF-8"),
        ("claude-code", "s.jsonl", '{"planet": 1}', "have no `type`"),
        ("codex", "rollout-1.jsonl", '{"type": "session_meta", "payload": {}}', "first line has no id"),
        ("mem0", "m.json", '{"planet": 1}', "neither a list nor"),
        ("mem0", "m.db", b"SQLite format 3\0 and nothing else", "cannot be"),
        ("graphiti", "g.json", "{}", "neither nodes nor edges"),
        ("letta", "a.af", "{}", "neither agents nor core_memory"),
        ("csv", "t.csv", "a,b\n1,2", "--map content=FIELD, one of a, b"),
        ("jsonl", "t.jsonl", '{"a": 1}', "--map content=FIELD, one of a"),
        ("langgraph", "s.db", b"plain text", "no SQLite database"),
        ("planet", "x", "", "known are agent-files, basic-memory, chatgpt"),
    ],
)
def test_a_source_of_another_kind_is_refused_whole(kind, name, content, why, memory, tmp_path):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InvalidInput, match=re.escape(why)):
        memory.import_from(kind, path)
    assert memory.stats()["items"] == 0


def test_a_database_of_another_version_names_what_it_lacks(memory, database):
    path = database("CREATE TABLE history (id TEXT, memory_id TEXT, prev_value TEXT)")
    with pytest.raises(InvalidInput, match="no column 'old_memory', but id, memory_id, prev_value"):
        memory.import_from("mem0", path)
    with pytest.raises(InvalidInput, match="it has no table 'store', but history"):
        memory.import_from("langgraph", path)


@pytest.mark.parametrize("kind", ["items-db", "graph-db", "tiered-db", "scored-db", "langgraph", "mem0"])
def test_a_store_of_this_program_is_not_taken_for_one_of_others(kind, memory):
    memory.add("A note.")
    with pytest.raises(InvalidInput, match="move it with export and import"):
        memory.import_from(kind, memory.path)


def test_a_foreign_database_is_only_read(memory, database):
    path = database("items.sql")
    before = path.read_bytes()
    memory.import_from("items-db", path)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.glob("theirs.db*")] == ["theirs.db"]


def test_an_archive_that_was_made_to_fill_a_memory_is_not_unpacked(memory, tmp_path):
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", b" " * (300 << 20))
    with pytest.raises(InvalidInput, match="that is not unpacked"):
        memory.import_from("claude", path)


def test_a_bad_line_among_many_costs_the_others_nothing(memory, tmp_path):
    lines = [json.dumps({"content": f"Entry {n} of the logbook."}) for n in range(2_000)]
    lines[1_234] = '{"content": "cut'
    (tmp_path / "many.jsonl").write_text("\n".join(lines))
    report = memory.import_from("jsonl", tmp_path / "many.jsonl")
    assert accepted(report) == {"items": 1_999}
    assert [part.place for part in report.refused] == ["many.jsonl, line 1235"]


#: Reads a file of lines with little more memory than it has, and says how many it read and what it refused.
_READ_LINES = """
import resource, sys
from pathlib import Path
from simonides.importers.registry import importer_of
from simonides.ports.importer import Refusal, SourceRequest
[held] = [line.split()[1] for line in open("/proc/self/status") if line.startswith("VmData")]
limit = (int(held) << 10) + (24 << 20)
resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
read, refused = 0, []
for entry in importer_of("jsonl").read(SourceRequest(path=Path(sys.argv[1]), mapping={})):
    read += 1
    if isinstance(entry, Refusal):
        refused.append(entry.place)
print(read, refused)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is limited as Linux does it")
def test_many_lines_are_read_in_the_memory_of_a_few(tmp_path):
    file = tmp_path / "many.jsonl"
    with file.open("w") as stream:
        for n in range(100_000):
            stream.write(
                '{"content": "cut\n'
                if n == 76_543
                else f'{{"content": "Entry {n} of the logbook, {"x" * 300}"}}\n'
            )
    done = subprocess.run(
        [sys.executable, "-c", _READ_LINES, str(file)], capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "100000 ['many.jsonl, line 76544']", done.stderr[-500:]


ODD = [
    None, True, 0, -1, 1e15, 1e300, 10**400, float("inf"), float("nan"), "9" * 400, "\u00b2", "\u0661", "\ud800",
    "a\0b", "0001-01-01T00:00:00+14:00", "", [], {}, [None], {"\ud800": [1]},
]  # fmt: skip


@given(st.one_of(st.sampled_from(ODD), st.integers(), st.floats(), st.text(), st.datetimes()))
def test_a_moment_is_none_or_one_that_can_be_written(value):
    at = moment_of(value)
    assert at is None or moment_of(iso(at)) == at


def places(value, path=()):
    yield path
    for key, inner in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield from places(inner, (*path, key))


@pytest.mark.parametrize(
    ("kind", "sample"), [one[:2] for one in SOURCES if one[1].endswith((".json", ".jsonl", ".af"))]
)
def test_a_value_of_any_form_in_any_place_is_read_or_refused(kind, sample, samples, tmp_path):
    text = (samples / sample).read_text()
    lines = [line for line in text.splitlines() if line.endswith("}")] if sample.endswith("l") else [text]
    mapping = COLUMNS if sample == "notes.jsonl" else {}
    for number, line in enumerate(lines):
        for path in places(json.loads(line)):
            for odd in ODD:
                whole = [json.loads(line)]
                inner = whole
                for key in (steps := (0, *path))[:-1]:
                    inner = inner[key]
                inner[steps[-1]] = odd
                (tmp_path / sample).write_text(
                    "\n".join([*lines[:number], json.dumps(whole[0]), *lines[number + 1 :]])
                )
                with suppress(InvalidInput):
                    list(importer_of(kind).read(SourceRequest(path=tmp_path / sample, mapping=mapping)))


@pytest.mark.parametrize("dry_run", [True, False])
@pytest.mark.parametrize(
    ("field", "odd", "refused"),
    [
        ("user_id", "a/b", [1]),
        ("user_id", "\ud800", [1]),
        ("session_id", "a\0b", [1]),
        ("id", "a\0b", []),
        ("id", "\ud800", []),
    ],
)
def test_a_turn_of_nobody_and_nowhere_costs_the_others_nothing(
    field, odd, refused, dry_run, memory, tmp_path
):
    turns = [{"role": "user", "content": f"The tide is high at {n}.", "id": str(n)} for n in range(3)]
    turns[1][field] = odd
    (tmp_path / "turns.jsonl").write_text("\n".join(map(json.dumps, turns)))
    report = memory.import_from("jsonl", tmp_path / "turns.jsonl", dry_run=dry_run)
    assert accepted(report) == {"turns": 3 - len(refused)}
    assert [part.place for part in report.refused] == [f"turns.jsonl, line {n + 1}" for n in refused]


@pytest.mark.parametrize("dry_run", [True, False])
def test_of_entries_with_one_id_the_first_is_taken_and_the_others_are_told(dry_run, memory, tmp_path):
    said = ["Rye is sown in May.", "Oats are sown in April.", "Rye is sown in May."]
    lines = [json.dumps({"id": 7, "content": content}) for content in said]
    (tmp_path / "fields.jsonl").write_text("\n".join(lines))
    report = memory.import_from("jsonl", tmp_path / "fields.jsonl", dry_run=dry_run)
    assert report.counts["items"] == {"accepted": 1, "rejected": 1, "merged": 1}
    assert [part.place for part in report.refused] == ["fields.jsonl, line 2"]


@pytest.mark.parametrize("dry_run", [True, False])
def test_what_is_here_under_the_same_id_with_other_words_is_told(dry_run, memory, tmp_path):
    for name, content in (("one", "Rye is sown in May."), ("other", "The mill is closed.")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "Plan.md").write_text(content)
    memory.import_from("obsidian", tmp_path / "one")
    [item] = memory.list()
    memory.update(item.id, content="Rye is sown in June.")
    again = memory.import_from("obsidian", tmp_path / "one", dry_run=dry_run)
    assert (again.count("merged"), again.left_out) == (1, {})
    other = memory.import_from("obsidian", tmp_path / "other", dry_run=dry_run)
    assert (other.counts, other.left_out.total()) == ({}, 1)
    assert memory.import_from("obsidian", tmp_path / "other", project="mill").count("accepted") == 1


@pytest.mark.parametrize(
    ("kind", "name", "text"),
    [
        ("csv", "notes.csv", "content\n" + "\n".join(f"The lamp of hall {n} is lit." for n in range(900))),
        ("jsonl", "notes.jsonl", "\n".join(json.dumps({"content": f"Lamp {n} is lit."}) for n in range(900))),
        ("jsonl", "notes.json", json.dumps([{"content": f"Lamp {n} is lit."} for n in range(900)])),
        (
            "mem0",
            "all.json",
            json.dumps([{"id": f"m{n}", "memory": f"Lamp {n} is lit."} for n in range(900)]),
        ),
    ],
)
def test_a_packed_file_is_the_same_source_and_one_that_is_cut_off_is_refused_whole(
    memory, tmp_path, kind, name, text
):
    plain, packed = tmp_path / name, tmp_path / f"{name}.gz"
    plain.write_text(text)
    packed.write_bytes(gzip.compress(text.encode())[:-9])
    with pytest.raises(InvalidInput, match="damaged or cut off"):
        memory.import_from(kind, packed)
    assert memory.stats()["items"] == 0
    packed.write_bytes(gzip.compress(text.encode()))
    assert memory.import_from(kind, packed).count("accepted") == 900
    assert memory.import_from(kind, plain).count("merged") == 900


def test_a_packed_file_that_was_made_to_fill_a_memory_is_not_unpacked(memory, tmp_path):
    (tmp_path / "notes.json.gz").write_bytes(gzip.compress(b"[" + b" " * (210 << 20) + b"]"))
    with pytest.raises(InvalidInput, match="not unpacked"):
        memory.import_from("jsonl", tmp_path / "notes.json.gz")


def test_rows_of_two_tables_may_have_the_same_ids(memory, tmp_path):
    for name in ("barns", "fields"):
        (tmp_path / f"{name}.csv").write_text(f"id,content\n1,The {name} are in order.\n")
    assert accepted(memory.import_from("csv", tmp_path)) == {"items": 2}


def test_a_folder_is_not_left_through_what_it_holds(memory, samples, tmp_path):
    (tmp_path / "vault").mkdir()
    (tmp_path / "outside.md").write_text("Nothing of this vault.")
    (tmp_path / "vault" / "inside.md").write_text("A note of this vault.")
    (tmp_path / "vault" / "link.md").symlink_to(tmp_path / "outside.md")
    memory.import_from("obsidian", tmp_path / "vault")
    assert [item.content for item in memory.list()] == ["A note of this vault."]


def test_an_importer_of_a_package_that_cannot_be_had_says_so(memory, tmp_path, monkeypatch):
    metadata = tmp_path / "toy-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[simonides.importers]\ntoy = toy_importer:Reader\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(Exception, match="the importer 'toy'"):
        memory.import_from("toy", tmp_path)


#: An importer of another package, which reads what each of its items is like from a file of lines.
_FOREIGN = """
from math import inf, nan
from simonides.domain.item import Usage
from simonides.ports.importer import FormerWording, SourceItem

class Reader:
    def read(self, request):
        for number, line in enumerate(request.path.read_text().splitlines()):
            yield SourceItem(place=str(number), key=str(number), content=f"Field {number} lies fallow.", **eval(line))
"""


@pytest.fixture
def foreign(tmp_path, monkeypatch):
    metadata = tmp_path / "foreign_importer-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: foreign-importer\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[simonides.importers]\nforeign = foreign_importer:Reader\n")
    (tmp_path / "foreign_importer.py").write_text(_FOREIGN)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("foreign_importer", None)


def test_what_an_importer_says_that_no_store_can_give_back_is_refused(memory, foreign, tmp_path):
    odd = [
        *("reinforcement=inf", "reinforcement=nan", "reinforcement=10**400", "reinforcement='3'"),
        "usage_count=2**63-1",
        *("usage_count=-1", "last_used_at=2**62", "last_hit_at='2026-01-01'"),
    ]
    told = [f"{{'usage': Usage({usage})}}" for usage in odd]
    told.append("{'earlier': (FormerWording(content='Field 7 lies open.', at=0, reason=''),)}")
    told.append("{'id': 'seven'}")
    told.append("{'usage': Usage(3.0, 4)}")
    source = tmp_path / "source.txt"
    source.write_text("\n".join(told))
    for dry_run in (True, False):
        report = memory.import_from("foreign", source, dry_run=dry_run)
        assert accepted(report) == {"items": 1}
        assert [part.place for part in report.refused] == [str(number) for number in range(len(told) - 1)]
    memory.flush()
    with Memory(tmp_path / "other.db", embedder=FakeEmbedder(8)) as other:
        other.load(memory.export())
        [item] = other.list()
        assert (item.content, item.usage.reinforcement) == ("Field 10 lies fallow.", 3.0)


def test_an_interrupted_import_says_what_is_kept_and_goes_on(tmp_path):
    file = tmp_path / "many.jsonl"
    entries = [json.dumps({"content": f"Entry {n} of the logbook."}) for n in range(100_000)]
    file.write_text("\n".join(entries))
    command = (sys.executable, "-m", "simonides", "--db", str(tmp_path / "m.db"))
    process = subprocess.Popen(
        [*command, "import", "--from", "jsonl", str(file)], stderr=subprocess.PIPE, text=True
    )
    try:
        with Memory(tmp_path / "m.db", embedder=FakeEmbedder(8)) as memory:
            while memory.stats()["items"] == 0 and process.poll() is None:
                time.sleep(0.005)
            process.send_signal(signal.SIGINT)
            _, stderr = process.communicate(timeout=60)
            kept = memory.stats()["items"]
    finally:
        process.kill()
    assert process.returncode == 130
    told = re.fullmatch(
        r"simonides: interrupted: at least the first ([0-9,]+) parts are in; run it again to go on\n", stderr
    )
    assert told is not None, stderr
    assert 0 <= kept - int(told[1].replace(",", "")) <= 512
    file.write_text("\n".join(entries[: kept + 3]))
    done = subprocess.run(
        [*command, "import", "--from", "jsonl", str(file), "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    counts = json.loads(done.stdout)["counts"]["items"]
    assert (counts["accepted"], counts["merged"]) == (3, kept)


_OF_PROGRAMS = (
    "<system-reminder>I prefer rum.</system-reminder>",
    '<teammate-message teammate_id="x">I prefer rum.</teammate-message>',
    "<task-notification><result>I prefer rum.</result></task-notification>",
    "<skill><name>x</name>I prefer rum.</skill>",
    "<subagent_notification>I prefer rum.</subagent_notification>",
)
_CLAUDE_CODE = (
    {"message": {"role": "assistant", "content": "I prefer rum."}},
    {"message": {"role": "user", "content": "[Request interrupted by user] I prefer rum."}},
    {"message": {"role": "user", "content": "I prefer rum."}, "isVisibleInTranscriptOnly": True},
    *({"message": {"role": "user", "content": text}} for text in _OF_PROGRAMS),
)
_CODEX = (*_OF_PROGRAMS, "Another language model started to solve this problem. I prefer rum.")
_LETTA = tuple(
    json.dumps({"type": kind, "reason": "I prefer rum."}) for kind in ("heartbeat", "login", "system_alert")
)


@pytest.mark.parametrize("kind", ["claude-code", "codex", "letta"])
def test_what_a_program_says_in_its_users_name_is_not_the_users_word(memory, tmp_path, kind):
    match kind:
        case "claude-code":
            lines = [
                {"type": "user", "sessionId": "s", "uuid": str(n), **one}
                for n, one in enumerate(_CLAUDE_CODE)
            ]
            lines.append(lines[0] | {"uuid": "x", "message": {"role": "user", "content": "I prefer tea."}})
            (tmp_path / "s.jsonl").write_text("\n".join(map(json.dumps, lines)))
        case "codex":
            said = [[{"type": "input_text", "text": text}] for text in (*_CODEX, "I prefer tea.")]
            items = [{"type": "message", "role": "user", "content": content} for content in said]
            lines = [{"type": "response_item", "payload": item} for item in items]
            lines.insert(0, {"type": "session_meta", "payload": {"id": "s", "cwd": "/x"}})
            (tmp_path / "rollout-1.jsonl").write_text("\n".join(map(json.dumps, lines)))
        case _:
            messages = [{"role": "user", "content": text} for text in (*_LETTA, "I prefer tea.")]
            (tmp_path / "a.af").write_text(
                json.dumps({"agents": [{"name": "a", "messages": messages}], "blocks": []})
            )
    memory.import_from(kind, tmp_path, user_id="ana")
    assert [item.content for item in memory.list(scope=ALL, types=["episode"])] == ["I prefer tea."]


def _letta_said(*calls):
    functions = [{"name": name, "arguments": json.dumps(given)} for name, given in calls]
    return {
        "role": "assistant",
        "content": [{"type": "text", "text": "The user has hens. I will be warm."}],
        "tool_calls": [
            {"id": f"c{n}", "type": "function", "function": one} for n, one in enumerate(functions)
        ],
    }


@pytest.mark.parametrize("agent_type", ["memgpt_agent", None, "letta_v1_agent"])
def test_of_lettas_agents_their_users_words_and_what_they_sent_are_turns(memory, tmp_path, agent_type):
    def packed(**fields):
        return [{"type": "text", "text": json.dumps(fields | {"time": "2026-01-01 10:00:00 AM UTC+0000"})}]

    messages = [
        _letta_said(("send_message", {"message": "Lovely hens!"})),
        _letta_said(("archival_memory_insert", {"content": "hens"})),
        {"role": "user", "content": packed(type="system_alert", message="Prior messages are hidden.")},
        {"role": "user", "content": packed(type="user_message", message="I keep hens.", name="Noor")},
        {"role": "assistant", "content": [
            {"type": "tool_call", "id": "c1", "name": "send_message", "input": {"message": "I know."}},
        ]},
    ]  # fmt: skip
    agent = {"name": "a", "messages": messages} | ({"agent_type": agent_type} if agent_type else {})
    (tmp_path / "a.af").write_text(json.dumps({"agents": [agent], "blocks": []}))
    memory.import_from("letta", tmp_path / "a.af", user_id="noor")
    turns = [
        (turn.provenance.source_role, turn.content)
        for turn in memory.sessions.get("letta-a", scope="user:noor/agent:a")
    ]
    thought = [("assistant", "The user has hens. I will be warm.")] if agent_type == "letta_v1_agent" else []
    assert turns == [
        ("assistant", "Lovely hens!"), *thought, ("user", "I keep hens."), ("assistant", "I know.")
    ]  # fmt: skip


@pytest.mark.parametrize("kind", ["chatgpt", "claude"])
@pytest.mark.parametrize("left", [5, 30, 200])
def test_an_archive_that_is_cut_off_is_said_to_be_one(samples, tmp_path, kind, left):
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(samples / f"{kind}.json", "conversations.json")
    path.write_bytes(path.read_bytes()[:left])
    with pytest.raises(InvalidInput, match="cut off"):
        list(importer_of(kind).read(SourceRequest(path=path)))


@pytest.mark.parametrize(
    ("end", "whole"),
    [
        ('"open', False),
        ('"a,\n"",\nb', False),
        ('"open\n\n', False),
        ('"closed"', True),
        ('a "b" c"', True),
        ('a"b', True),
    ],
)
def test_a_table_that_ends_inside_a_quotation_is_refused_before_a_row_of_it_is_taken(tmp_path, end, whole):
    path = tmp_path / "notes.csv"
    path.write_text(f"content,tags\nThe kettle is blue.,a\n{end}", "utf-8")
    with Memory(tmp_path / "memory.db", embedder=FakeEmbedder()) as memory:
        with (
            suppress(InvalidInput) if whole else pytest.raises(InvalidInput, match="ends inside a quotation")
        ):
            memory.import_from("csv", path, mapping={"content": "content"})
        assert len(memory.list()) == (2 if whole else 0)


@pytest.mark.parametrize("kind", ["chatgpt", "claude"])
def test_a_number_is_an_id_and_a_time_that_cannot_be_read_is_told(tmp_path, kind):
    one = {
        "chatgpt": {"id": 5, "mapping": {"n": {"message": {
            "id": 7, "author": {"role": "user"}, "create_time": "soon",
            "content": {"content_type": "text", "parts": ["I live in Bergen."]}}}}},
        "claude": {"uuid": 5, "chat_messages": [
            {"uuid": 7, "sender": "human", "text": "I live in Bergen.", "created_at": "soon"}]},
    }[kind]  # fmt: skip
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([one]), "utf-8")
    with Memory(tmp_path / "memory.db", embedder=FakeEmbedder()) as memory:
        report = memory.import_from(kind, path)
        assert accepted(report) == {"turns": 1}
        assert dict(report.left_out) == {"a time that cannot be read": 1}
        assert memory.sessions.list()[0].session_id == "5"


def _chat(number, text):
    """A conversation of ChatGPT with one message; an empty one of no text."""
    node = {
        "message": {
            "id": f"m{number}",
            "author": {"role": "user"},
            "create_time": 1_700_000_000 + number,
            "content": {"content_type": "text", "parts": [text]},
        }
    }
    return {"id": f"c{number}", "title": f"Chat {number}", "mapping": {"n": node} if text else {}}


def _placed(folder, names, shards):
    for name, shard in zip(names, shards, strict=True):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(json.dumps(shard), "utf-8")


@given(
    st.lists(
        st.lists(st.sampled_from(["", "I live in Bergen.", "We ship."]), min_size=1, max_size=3),
        min_size=1,
        max_size=12,
    ),
    st.sampled_from(["conversations-{:03}.json", "conversations-{}.json", "export/conversations-{}.json"]),
    st.randoms(use_true_random=False),
)  # fmt: skip
def test_an_export_in_several_files_is_one_in_order_packed_or_not(tmp_path_factory, texts, named, order):
    folder = tmp_path_factory.mktemp("shards")
    number, shards = 0, []
    for some in texts:
        shards.append([_chat(number + n, text) for n, text in enumerate(some)])
        number += len(some)
    names = [named.format(n) for n in range(len(shards))]
    _placed(folder / "plain", names, shards)
    with zipfile.ZipFile(folder / "export.zip", "w") as archive:
        for name in order.sample(names, len(names)):
            archive.write(folder / "plain" / name, name)
        archive.writestr("__MACOSX/._conversations-000.json", b"\0")
        archive.writestr("user.json", "{}")
    read = [
        list(importer_of("chatgpt").read(SourceRequest(path=folder / path)))
        for path in ("plain", "export.zip")
    ]
    assert read[0] == read[1]
    assert [entry.session_id for entry in read[0] if isinstance(entry, SourceTurn)] == [
        one["id"] for shard in shards for one in shard if one["mapping"]
    ]
    empty = [entry.reason for entry in read[0] if isinstance(entry, Refusal)]
    assert empty == ["left out: an empty conversation"] * sum(
        not one["mapping"] for shard in shards for one in shard
    )


def test_a_shard_of_something_else_is_refused_before_anything_is_taken(tmp_path):
    _placed(tmp_path, ["conversations-000.json", "conversations-001.json"], [[_chat(1, "Hi.")], [{"x": 1}]])
    read = importer_of("chatgpt").read(SourceRequest(path=tmp_path))
    with pytest.raises(InvalidInput, match=r"conversations-001\.json holds no conversations of ChatGPT"):
        next(read)


def test_an_archive_of_many_members_that_claim_too_much_together_is_not_unpacked(tmp_path):
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(3):
            archive.writestr(f"conversations-{number}.json", b" " * (70 << 20))
    with pytest.raises(InvalidInput, match="claims"):
        next(importer_of("chatgpt").read(SourceRequest(path=tmp_path / "bomb.zip")))


@pytest.mark.parametrize(
    "conversation",
    [
        {"id": "c", "mapping": {}},
        {"mapping": {}},
        {"id": "c", "mapping": {"root": {"message": None}}},
        {"id": "c", "mapping": {"root": {"message": None}, "s": {"parent": "root", "message": {
            "author": {"role": "system"}, "content": {"content_type": "text", "parts": [""]}}}}},
        {"uuid": "c", "chat_messages": []},
    ],
)  # fmt: skip
def test_a_conversation_without_a_message_is_told_and_no_fault(conversation, memory, tmp_path):
    path = tmp_path / "conversations.json"
    full = {"uuid": "d", "chat_messages": [{"uuid": "m", "sender": "human", "text": "I live in Bergen."}]}
    kind, full = ("claude", full) if "uuid" in conversation else ("chatgpt", _chat(1, "I live in Bergen."))
    path.write_text(json.dumps([full, conversation]), "utf-8")
    report = memory.import_from(kind, path)
    assert accepted(report) == {"turns": 1}
    assert (report.refused, report.left_out) == ([], {"an empty conversation": 1})


@pytest.mark.parametrize(
    "mapping", [{"a": 3}, {"a": None}, {"root": {"message": None}, "b": []}, {"a": {"message": 3}}]
)
def test_a_damaged_conversation_is_no_empty_one(mapping, memory, tmp_path):
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([_chat(1, "I live in Bergen."), {"id": "c", "mapping": mapping}]), "utf-8")
    report = memory.import_from("chatgpt", path)
    assert accepted(report) == {"turns": 1}
    [refused] = report.refused
    assert (refused.place, report.left_out) == ("conversations.json, conversation 2", {})
    assert "damaged" in str(refused)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"count": 250, "next": "https://x/?page=2", "previous": None}, " with 249 memories"),
        ({"count": 250}, " with 249 memories"),
        ({"next": "https://x/?page=2"}, ""),
        ({"count": 1, "previous": "https://x/?page=1"}, ""),
        ({"count": 1, "next": None, "previous": None}, None),
        ({"count": "many"}, None),
        ({}, None),
    ],
)
def test_of_a_page_of_mem0_it_is_told_that_there_are_others(answer, told, memory, tmp_path):
    rows = [{"id": "1", "memory": "Likes rowing.", "user_id": "ana"}]
    (tmp_path / "p.json").write_text(json.dumps({**answer, "results": rows}))
    report = memory.import_from("mem0", tmp_path / "p.json")
    assert (accepted(report), report.refused) == ({"items": 1}, [])
    reason = f"other pages of the answer{told} (ask for them, and import them, too)"
    assert report.left_out == ({} if told is None else {reason: 1})


@pytest.mark.parametrize(
    ("archived", "taken"),
    [((1, "Another, archived."), 2), ((2, "Another, archived."), 2), ((1, "Rye needs a cold winter."), 1)],
)
def test_an_archive_with_numbers_of_its_own_is_taken(archived, taken, memory, database):
    path = database(
        f"""CREATE TABLE memories (id INTEGER PRIMARY KEY, content);
        INSERT INTO memories VALUES (1, 'Rye needs a cold winter.');
        CREATE TABLE memories_archive (id INTEGER PRIMARY KEY, content);
        INSERT INTO memories_archive VALUES {archived}"""
    )
    report = memory.import_from("scored-db", path)
    assert (report.count("accepted"), report.refused) == (taken, [])
    assert len(memory.list()) == 1
    assert len(memory.list(archived=True)) == taken
    assert memory.import_from("scored-db", path).counts == {"items": {"merged": 2}}


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize(
    "names", [(), ("memories.json",), ("projects.json",), ("memories.json", "projects.json")]
)
def test_what_an_export_of_claude_holds_beside_conversations_is_named_in_the_report(
    names, packed, samples, tmp_path
):
    folder = tmp_path / "export"
    folder.mkdir()
    (folder / "conversations.json").write_bytes((samples / "claude.json").read_bytes())
    for name in (*names, "users.json"):
        (folder / name).write_text("[{}]")
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        for file in folder.iterdir():
            archive.write(file, file.name)
    with Memory(tmp_path / "memory.db", embedder=FakeEmbedder()) as memory:
        report = memory.import_from("claude", tmp_path / ("export.zip" if packed else "export"))
    assert accepted(report) == {"turns": 2}
    told = [
        reason for reason in report.left_out if "noted of the user" in reason or "projects with" in reason
    ]
    assert len(told) == len(names)
    assert not report.refused


def test_relations_of_mem0_are_counted_as_left_out(samples, tmp_path):
    value = json.loads((samples / "mem0.json").read_text("utf-8"))
    results = value if isinstance(value, list) else value["results"]
    path = tmp_path / "all.json"
    path.write_text(
        json.dumps({"results": results, "relations": [{"source": "ana"}, {"source": "bob"}]}), "utf-8"
    )
    with Memory(tmp_path / "memory.db", embedder=FakeEmbedder()) as memory:
        report = memory.import_from("mem0", path)
    assert accepted(report) == {"items": 2}
    assert report.left_out["a relation of mem0's graph"] == 2


@every_source
def test_a_store_without_room_ends_an_import_and_refuses_nothing_of_it(
    kind, sample, mapping, taken, path_of, tmp_path
):
    path = path_of(sample)
    with Memory(tmp_path / "memory.db", embedder=FakeEmbedder()) as memory:
        memory.add("The mill is closed.")
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
        try:
            with pytest.raises(StoreError):
                memory.import_from(kind, path, mapping=mapping, project="p")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert accepted(memory.import_from(kind, path, mapping=mapping, project="p")) == taken
