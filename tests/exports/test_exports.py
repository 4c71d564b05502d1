"""Exports: lossless lines, notes that come back, tables, and what is left out for others."""

import csv
import gzip
import io
import json
import signal
import stat
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from simonides import ALL, InvalidInput, Memory
from simonides.domain.provenance import Origin
from simonides.edges.cli.main import app
from simonides.exports.notes import names_of
from simonides.exports.redaction import redactor
from simonides.testing import FakeEmbedder, FrozenClock


def opened(path):
    return Memory(path, embedder=FakeEmbedder(8), clock=FrozenClock("2026-06-01T12:00:00Z"))


@pytest.fixture
def memory(tmp_path):
    with opened(tmp_path / "memory.db") as made:
        first = made.add(
            "We ship on Fridays.\n\n## Why\n\n- less stress", type="decision", title="Release: when?", tags=["release"],
            metadata={"desk": "north", "n": 3}, importance=0.9, event_at="2026-03-01", project="apollo",
            valid_until="2027-01-01",
        ).item_ids[0]  # fmt: skip
        second = made.add(
            "The mill is closed.", type="fact", entities=["Mill"], links=[{"to": first, "rel": "supports"}]
        )
        made.add([{"role": "user", "content": "hello there, I am Ana"}], session_id="s1")
        made.records.put("users/ana", "tea", {"kind": "green"})
        old = made.add("The bridge is up.", type="fact").item_ids[0]
        made.correct(old, "The bridge is down.")
        made.reinforce(second.item_ids[0])
        yield made


def test_lines_are_those_of_export_packed_or_not_and_the_owner_s_alone(memory, tmp_path):
    plain, packed = tmp_path / "all.jsonl", tmp_path / "all.jsonl.gz"
    count = memory.export_to(plain)
    memory.export_to(packed)
    lines = plain.read_text("utf-8").splitlines()
    assert [json.loads(line) for line in lines] == list(memory.export())
    assert count == len(lines)
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()
    assert stat.S_IMODE(plain.stat().st_mode) == stat.S_IMODE(packed.stat().st_mode) == 0o600


def test_what_is_there_is_replaced_only_where_that_is_said(memory, tmp_path):
    (tmp_path / "all.jsonl").write_text("mine")
    with pytest.raises(InvalidInput, match="exists"):
        memory.export_to(tmp_path / "all.jsonl")
    assert (tmp_path / "all.jsonl").read_text() == "mine"
    memory.export_to(tmp_path / "all.jsonl", force=True)
    assert (tmp_path / "all.jsonl").read_text("utf-8").startswith("{")
    assert not list(tmp_path.glob(".simonides-*"))


@pytest.mark.parametrize("name", ["photo.png", "diary.md", ".obsidian/app.json", "deep/er/list.md"])
def test_a_folder_that_holds_anything_else_is_not_replaced(name, memory, tmp_path):
    vault = tmp_path / "vault"
    memory.export_to(vault, form="markdown")
    [*notes] = vault.rglob("*.md")
    with pytest.raises(InvalidInput, match="exists"):
        memory.export_to(vault, form="markdown")
    memory.export_to(vault, form="markdown", force=True)
    (vault / name).parent.mkdir(parents=True, exist_ok=True)
    (vault / name).write_text("---\ntags: [mine]\n---\nsimonides: mine\n")
    with pytest.raises(InvalidInput, match="more than notes"):
        memory.export_to(vault, form="markdown", force=True)
    assert {file for file in vault.rglob("*") if file.is_file()} == {*notes, vault / name}


def test_a_target_that_cannot_be_is_named(memory, tmp_path):
    (tmp_path / "file").write_text("mine")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder")
    for target, form, why in [
        ("folder", "jsonl", "is a folder"),
        ("file", "markdown", "no folder"),
        ("link", "markdown", "no folder"),
        ("file/all.jsonl", "jsonl", "cannot be written"),
        ("no/such/all.jsonl", "jsonl", "there is no folder"),
        ("no/vault", "markdown", "there is no folder"),
        ("vault.gz", "markdown", "not packed"),
        ("x", "yaml", "there are jsonl, csv, markdown"),
    ]:
        with pytest.raises(InvalidInput, match=why):
            memory.export_to(tmp_path / target, form=form, force=True)
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize(
    ("name", "form"), [("all.jsonl", "jsonl"), ("all.csv", "csv"), ("vault", "markdown")]
)
def test_an_export_that_fails_or_is_killed_leaves_what_was_there(name, form, memory, tmp_path):
    target = tmp_path / "out" / name
    target.parent.mkdir()

    def fail(_done):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory.export_to(target, form=form, progress=fail)
    assert list(target.parent.iterdir()) == []
    memory.export_to(target, form=form)
    before = {file: file.read_bytes() for file in target.parent.rglob("*") if file.is_file()}
    killed = (
        "import os, signal, sys\nfrom simonides import Memory\n"
        "with Memory(sys.argv[1]) as memory:\n"
        "    memory.export_to(sys.argv[2], form=sys.argv[3], force=True,"
        " progress=lambda done: os.kill(os.getpid(), signal.SIGKILL))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", killed, str(memory.path), str(target), form], check=False, timeout=60
    )
    assert done.returncode == -signal.SIGKILL
    assert {file: file.read_bytes() for file in before} == before
    [left] = [file for file in target.parent.iterdir() if file != target]
    assert left.name.startswith(".simonides-")
    assert stat.S_IMODE(left.stat().st_mode) == 0o700


def test_a_copy_made_from_lines_gives_the_same_bytes(memory, tmp_path):
    memory.export_to(tmp_path / "all.jsonl.gz")
    with opened(tmp_path / "copy.db") as copy:
        lines = gzip.decompress((tmp_path / "all.jsonl.gz").read_bytes()).splitlines()
        assert all(verdict.stored for verdict in copy.load(map(json.loads, lines), trusted=True).verdicts)
        copy.export_to(tmp_path / "again.jsonl.gz")
    assert (tmp_path / "again.jsonl.gz").read_bytes() == (tmp_path / "all.jsonl.gz").read_bytes()


def test_filters_leave_out_all_that_belongs_to_others(memory, tmp_path):
    memory.export_to(tmp_path / "facts.jsonl", types=["fact"])
    text = (tmp_path / "facts.jsonl").read_text("utf-8")
    assert "The mill is closed." in text
    for word in ("Fridays", "hello there", "green"):
        assert word not in text
    with opened(tmp_path / "copy.db") as copy:
        result = copy.load(map(json.loads, text.splitlines()), trusted=True)
        assert {verdict.outcome.value for verdict in result.verdicts} == {"accepted"}


def test_a_table_has_a_row_for_each_item_and_no_formula(memory, tmp_path):
    memory.add("=HYPERLINK(1)", type="note", entities=["=cmd|' /C calc'!A0"], tags=["+1"])
    count = memory.export_to(tmp_path / "items.csv", types=["note", "decision", "fact"])
    with (tmp_path / "items.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == count == 4
    by_type = {row["type"]: row for row in rows}
    assert by_type["note"]["content"] == "'=HYPERLINK(1)"
    assert not [cell for row in rows for cell in row.values() if cell[:1] in set("=+-@")]
    assert by_type["decision"]["content"].startswith("We ship on Fridays.\n")
    assert json.loads(by_type["decision"]["metadata"]) == {"desk": "north", "n": 3}


_SIGNS = " ab'\"=+-@,;|\t\r\n\v\f\x1c\x85\u2028\u2029\uff1d\ufeff"
_ODD = st.text(
    st.sampled_from(_SIGNS) | st.characters(exclude_characters="\0", codec="utf-8"), min_size=1, max_size=20
).filter(lambda text: not text.isspace())


@settings(max_examples=100, deadline=None)
@given(st.lists(_ODD, min_size=1, max_size=6, unique=True))
def test_texts_of_any_sign_come_back_from_a_table_and_no_reader_sees_a_formula(tmp_path_factory, texts):
    folder = tmp_path_factory.mktemp("table")
    with opened(folder / "memory.db") as memory:
        for text in texts:
            memory.add(f"x{text}", type="note", user_id="ana")
            memory.add(text, type="note", user_id="ana", title=text)
        kept = sorted(item.content for item in memory.list(user_id="ana", limit=100))
        memory.export_to(folder / "items.csv")
    written = (folder / "items.csv").read_bytes().decode()
    for lines in (io.StringIO(written, newline=""), written.splitlines(keepends=True)):
        rows = list(csv.reader(lines))
        assert {len(row) for row in rows} == {32}
        assert not [cell for row in rows[1:] for cell in row if cell.lstrip()[:1] in set("=+-@\uff1d")]
        assert sorted(row[3].removeprefix("'") for row in rows[1:]) == sorted(
            text.removeprefix("'") for text in kept
        )
    with opened(folder / "copy.db") as copy:
        assert copy.import_from("csv", folder / "items.csv", user_id="ana").refused == []
        assert sorted(item.content for item in copy.list(user_id="ana", limit=100)) == kept


def a_table_of_each_standing(path):
    """A table with memories of several scopes, of a model's word, forgotten, replaced and waiting; what was active."""
    with opened(path.parent / "told.db") as memory:
        memory.add(
            "Ana owes the bank a canoe.", user_id="ana", metadata={"desk": [3, "north"]}, tags=["money"]
        )
        memory.add("The mill is closed.", user_id="ana", project="mill")
        memory.forget(memory.add("The spare key is at Gwil's.", user_id="ana").item_id)
        memory.correct(memory.add("We ship on Fridays.", project="mill").item_id, "We ship on Thursdays.")
        memory.propose(
            [{"content": "The anchor weighs 40 kg.", "why_store": "to lift it"}], project="mill", source="s"
        )
        memory.propose([{"content": "Ana hates kilns.", "type": "preference"}], user_id="ana")
        memory.add([{"role": "user", "content": "Is the mill open?"}], user_id="ana", session_id="s1")
        memory.export_to(path)
        return {(str(item.scope), item.content) for item in memory.list(scope=ALL) if item.type != "episode"}


def test_a_table_comes_back_in_its_scopes_by_its_word_and_as_it_stood(tmp_path):
    table = tmp_path / "all.csv"
    active = a_table_of_each_standing(table)
    with opened(tmp_path / "copy.db") as copy:
        report = copy.import_from("csv", table)
        assert report.refused == []
        assert {(str(item.scope), item.content) for item in copy.list(scope=ALL)} == active
        [canoe] = [item for item in copy.list(user_id="ana", exact=True) if "canoe" in item.content]
        assert canoe.metadata == {"desk": [3, "north"]}
        [anchor] = [item for item in copy.list(scope=ALL) if "anchor" in item.content]
        assert anchor.origin is Origin.ASSISTANT_SAID
        assert len(copy.list(scope=ALL, archived=True)) == len(active) + 2
        assert copy.import_from("csv", table).count("accepted") == 0


def test_a_memory_fades_as_ever_after_a_table_and_keeps_its_task_its_tags_its_source_and_its_use(
    tmp_path,
):
    with opened(tmp_path / "memory.db") as memory, opened(tmp_path / "copy.db") as copy:
        for rate in (0, 0.02, None):
            given: dict[str, object] = {} if rate is None else {"decay_rate": rate}
            text = f"The lamp of hall {rate} is lit."
            made = memory.add(
                text, type="fact", task_id="t:1", tags=["#home", "a;b|c"], entities=["A; B"], **given
            )
            memory.reinforce(made.item_id)
            memory.mark_used([made.item_id])
        memory.export_to(tmp_path / "all.csv")
        copy.import_from("csv", tmp_path / "all.csv")
        for item in memory.list():
            came = copy.get(item.id)
            for name in ("decay_rate", "task_id", "tags", "entities", "provenance", "usage", "metadata"):
                assert getattr(came, name) == getattr(item, name)


def test_a_table_that_people_edited_is_nobody_elses(tmp_path):
    table = tmp_path / "all.csv"
    active = a_table_of_each_standing(table)
    with table.open(newline="", encoding="utf-8") as stream:
        rows = [{"remark": "", **row} for row in csv.DictReader(stream)]
    for row in rows:
        del row["tier"]
    rows[0]["scope"] = " "
    with table.open("w", newline="", encoding="utf-8") as stream:
        edited = csv.DictWriter(stream, sorted(rows[0]), delimiter=";")
        edited.writeheader()
        edited.writerows(rows)
    with opened(tmp_path / "copy.db") as copy:
        copy.import_from("csv", table)
        assert {(str(item.scope), item.content) for item in copy.list(scope=ALL)} == active - {
            (scope, content) for scope, content in active if content == rows[0]["content"]
        }


def test_a_table_of_others_may_have_a_column_called_like_a_scope(memory, tmp_path):
    (tmp_path / "theirs.csv").write_text("content,scope,status\nThe roof leaks.,back office,archived\n")
    memory.import_from("csv", tmp_path / "theirs.csv", user_id="bob")
    [item] = [item for item in memory.list(user_id="bob", exact=True) if "roof" in item.content]
    assert item.metadata == {"scope": "back office", "status": "archived"}


def test_a_table_of_others_keeps_its_apostrophes(memory, tmp_path):
    (tmp_path / "theirs.csv").write_text("content\n'-5 degrees' is what Ana said.\n")
    memory.import_from("csv", tmp_path / "theirs.csv", user_id="bob")
    assert "'-5 degrees' is what Ana said." in [item.content for item in memory.list(scope="user:bob")]


def statement(item, *left):
    """An item without what notes lose."""
    lost = {"trust", "validation", "superseded_by", "content_hash", *left}
    return {name: value for name, value in item.to_dict().items() if name not in lost}


def test_notes_come_back_as_they_went(memory, tmp_path):
    memory.export_to(tmp_path / "vault", form="markdown")
    with opened(tmp_path / "copy.db") as copy:
        report = copy.import_from("markdown", tmp_path / "vault")
        assert report.refused == []
        kept = [
            item
            for item in memory.page(scope="project:apollo", archived=True).items
            if item.type in {"fact", "decision"}
        ]
        assert len(kept) == 4
        for item in kept:
            assert statement(copy.get(item.id)) == statement(item)
        there = {(one["src"], one["dst"], one["rel"]) for one in copy.export() if one["kind"] == "link"}
        here = {(one["src"], one["dst"], one["rel"]) for one in memory.export() if one["kind"] == "link"}
        assert there == here
        assert copy.import_from("markdown", tmp_path / "vault").count("accepted") == 0


#: Texts that a memory may hold and a folder of notes has to bear.
TEXTS = st.one_of(
    st.text(min_size=1, max_size=300),
    st.lists(
        st.sampled_from(
            ["---", "%% links %%", "- supports [[global/x]]", "# a", "../../etc/passwd", "", " ", "é", "CON"]
        ),
        min_size=1,
        max_size=6,
    ).map("\n".join),
)  # fmt: skip


@settings(max_examples=40)
@given(
    st.lists(
        st.fixed_dictionaries(
            {"content": TEXTS},
            optional={
                "title": st.one_of(st.just(""), TEXTS),
                "tags": st.lists(st.text(min_size=1, max_size=9), max_size=3),
                "entities": st.lists(st.text(min_size=1, max_size=9), max_size=3),
                "confidence": st.floats(0, 1),
                "importance": st.floats(0, 1),
                "pinned": st.booleans(),
                "injectable": st.booleans(),
                "tier": st.sampled_from(["stm", "mtm", "ltm"]),
                "session_id": st.text(min_size=1, max_size=9),
                "event_at": st.datetimes().map(lambda at: at.isoformat() + "Z"),
                "metadata": st.dictionaries(st.text(max_size=9), st.one_of(st.text(max_size=9), st.floats(-1, 1))),
                "scope": st.sampled_from(
                    ["user:..", "user:CON/project:a.b", "project:A", "project:a", "user:" + "x" * 200]
                ),
            },
        ),
        max_size=5,
    )
)  # fmt: skip
def test_whatever_a_memory_holds_comes_back_from_notes(tmp_path_factory, drawn):
    folder = tmp_path_factory.mktemp("notes")
    with opened(folder / "memory.db") as source, opened(folder / "copy.db") as copy:
        for one in drawn:
            source.add([one])
        items = source.page(scope=ALL, archived=True).items
        if not items:
            return
        source.export_to(folder / "vault", form="markdown")
        assert {file.name for file in folder.iterdir()} >= {"vault"}
        assert copy.import_from("markdown", folder / "vault").refused == []
        for item in items:
            kept = item.to_dict() | {"content": item.content.replace("\r\n", "\n")}
            lost = {"trust", "validation", "superseded_by", "content_hash"}
            assert {
                name: value for name, value in copy.get(item.id).to_dict().items() if name not in lost
            } == {name: value for name, value in kept.items() if name not in lost}


HEADS = st.recursive(
    st.one_of(st.none(), st.booleans(), st.floats(), st.integers(), st.text(max_size=9)),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.text(max_size=5), inner, max_size=2)),
    max_leaves=5,
)  # fmt: skip


@settings(max_examples=80)
@given(
    st.dictionaries(
        st.sampled_from(["title", "type", "scope", "tags", "created", "date", "pinned", "confidence", "status"]),
        HEADS,
    ),
    st.dictionaries(
        st.sampled_from(
            ["origin", "metadata", "provenance", "usage_count", "reinforcement", "last_used_at", "decay_rate"]
        ),
        HEADS,
    ),
)  # fmt: skip
def test_a_head_that_says_anything_is_taken_or_refused_by_itself(tmp_path_factory, head, rest):
    folder = tmp_path_factory.mktemp("notes")
    ids = ["019e830e-1a00-7000-91ee-9168c77a4827", "019e830e-1a00-7000-91ee-9168c77a4828"]
    heads = [head | {"simonides": json.dumps(rest)}, {"type": "note", "scope": "global"}]
    for id_, fields in zip(ids, heads, strict=True):
        lines = [f"{name}: {json.dumps(value)}" for name, value in {"id": id_, **fields}.items()]
        (folder / f"{id_[-1]}.md").write_text(
            "\n".join(["---", *lines, "---", f"Note {id_[-1]}.\n"]), "utf-8"
        )
    with opened(folder / "copy.db") as copy:
        report = copy.import_from("markdown", folder)
        assert report.read == 2 + report.left_out["a time that cannot be read"]
        assert copy.get(ids[1]).content == "Note 8."


@given(st.lists(st.tuples(st.integers(0, 3), TEXTS, TEXTS), max_size=20))
def test_names_of_notes_are_names_everywhere_and_no_two_are_one(drawn):
    items = [
        {"id": f"019e830e-1a00-7000-{n:04x}-00000000000{tail}", "title": title, "content": content, "type": "note"}
        | {"scope": "user:../project:" + "y" * 200}
        for n, (tail, title, content) in enumerate(drawn)
    ]  # fmt: skip
    names = names_of(items)
    assert len({name.casefold() for name in names.values()}) == len(items)
    for name in names.values():
        for part in name.split("/"):
            assert part.strip(" .") == part != ""
            assert len(f"{part}.md".encode()) <= 255
            assert not set(part) & set('<>:"\\|?*.\0\n')
        assert name.rpartition("/")[2][-9] == " " or len(name.rpartition("/")[2].rpartition(" ")[2]) == 32


def test_a_note_that_was_edited_says_what_it_says_now(memory, tmp_path):
    memory.export_to(tmp_path / "vault", form="markdown", types=["decision"], scope="project:apollo")
    [note] = (tmp_path / "vault").rglob("*.md")
    note.write_text(note.read_text("utf-8").replace("less stress", "more sleep"), "utf-8")
    with opened(tmp_path / "copy.db") as copy:
        copy.import_from("markdown", tmp_path / "vault")
        [item] = copy.list(project="apollo")
        assert "more sleep" in item.content


def test_a_note_that_was_thrown_away_or_is_of_another_stays_away(memory, tmp_path):
    vault = tmp_path / "vault"
    memory.export_to(vault, form="markdown", types=["decision"], scope="project:apollo")
    [note] = vault.rglob("*.md")
    (vault / ".trash").mkdir()
    note.rename(vault / ".trash" / note.name)
    (vault / "mine.md").write_text("Bread and milk.")
    with opened(tmp_path / "copy.db") as copy:
        report = copy.import_from("markdown", vault)
        assert [part.place for part in report.refused] == ["mine.md"]
        assert copy.list(project="apollo") == []


def test_notes_are_read_by_obsidian_as_properties_and_links(memory, tmp_path):
    memory.export_to(tmp_path / "vault", form="markdown", types=["fact", "decision"])
    notes = {path.stem[:-9]: path.read_text("utf-8") for path in (tmp_path / "vault").rglob("*.md")}
    fact = notes["The mill is closed"]
    assert fact.startswith("---\nid: ")
    assert '\ntype: "fact"\n' in fact
    assert "- supports [[project apollo/Release when" in fact
    assert '\ntags: ["release"]\n' in notes["Release when"]


@pytest.mark.parametrize(
    ("levels", "text", "redacted"),
    [
        (["emails"], "Write to ana.p@mail.example.com today.", "Write to [e-mail] today."),
        (["hosts"], "At https://wiki.example.org/x?y=1 or 10.0.0.7:80, db.internal.", "At [host] or [host], [host]."),
        (["paths"], "In /srv/data/a b.txt, ~/notes and C:\\Users\\ana.", "In [path], [path] and [path]."),
        (["hosts"], "At [2001:db8::17], ::1 and http://[fe80::1%eth0]:80/x.", "At [host], [host] and [host]"),
        (["hosts"], "At smb://nas/share, git+ssh://ana@[::1]/x.", "At [host], [host]."),
        (["paths"], "In file:///etc/pump.log, file:/etc/a (sqlite:////srv/m.db).", "In [path], [path] ([path])."),
        (["paths"], "PATH=/usr/bin:/srv/ana/bin, C:/Data/ana:", "PATH=[path]:[path], [path]:"),
        (["paths"], "See https://wiki.example.org/x/y.", "See https://wiki.example.org/x/y."),
        (["hosts", "paths"], "a[1::2], B::Deparse, std::vector, 12:30:45, x[::2] stay.",
         "a[1::2], B::Deparse, std::vector, 12:30:45, x[::2] stay."),
        (["hosts"], "The MAC is aa:bb:cc:dd:ee:ff, at 9::.", "The MAC is aa:bb:cc:dd:ee:ff, at [host]."),
        (["emails"], "Nothing to see at 3.14 and 1/2.", "Nothing to see at 3.14 and 1/2."),
        (["hosts", "paths"], "Either/or and v1.2.3 stay, e.g. this.", "Either/or and v1.2.3 stay, e.g. this."),
    ],
)  # fmt: skip
def test_what_is_redacted_is_left_out_and_nothing_else(levels, text, redacted):
    assert redactor(levels, "salt")(text) == redacted


@pytest.mark.parametrize(
    "text",
    [
        "和/或",
        "他/她/它都行",
        "用户/API/网页",
        "和/or/或",
        "가/나",
        "std::vector",
        "x::y1",
        "v1.2.3.",
        "1.2.3.4.5.",
        "a_b.c_d",
    ],
)
def test_words_of_every_script_that_a_slash_or_a_dot_parts_stay(text):
    assert redactor(["hosts", "paths", "emails"], "salt")(text) == text


@pytest.mark.parametrize("frame", [
    "see {}.", "see {}...", "see {}: now", "see {}!", "_{}_", "__{}__", "**{}**", "`{}`", "“{}”", "的{}的", "在{}。",
    "あ{}は", "ip:{}",
])  # fmt: skip
@pytest.mark.parametrize(("level", "told"), [
    ("emails", "ana.p@mail.example.com"), ("ids", "019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66"),
    ("hosts", "10.0.0.7"), ("hosts", "10.0.0.7:80"), ("hosts", "2001:db8::17"), ("hosts", "[2001:db8::17]:80"),
    ("hosts", "db01.corp.example.com"), ("hosts", "https://wiki.example.org/x?y=1"), ("hosts", "smb://nas/share"),
    ("paths", "/srv/data/a.txt"), ("paths", "~/notes/a.txt"), ("paths", "C:\\Users\\ana"), ("paths", "file:///etc/a.log"),
])  # fmt: skip
def test_what_is_redacted_is_left_out_whatever_stands_beside_it(level, told, frame):
    assert told not in redactor([level], "salt")(f"x {frame.format(told)} y")


_ADDRESSES = st.builds(
    lambda address, written: written(address),
    st.ip_addresses(v=6),
    st.sampled_from([str, lambda one: one.exploded, lambda one: one.compressed.upper()]),
)


@given(
    _ADDRESSES,
    st.sampled_from(
        [
            "at {}",
            "at {}.",
            "at {}, and",
            "at [{}]",
            "at [{}]:8080",
            "({})",
            "http://[{}]/x",
            "x=[{}];",
            "{}/64",
        ]
    ),
)
def test_every_address_of_ipv6_is_left_out_and_the_words_around_it_stay(address, frame):
    if not any(character.isdigit() for character in address) and "[" not in frame:
        return  # Bare and without digits it may be a name.
    text = f"The pump answers {frame.format(address)} or so."
    shared = redactor(["hosts"], "salt")(text)
    assert address not in shared
    assert "[host]" in shared
    assert shared.startswith("The pump answers")
    assert shared.endswith("or so.")


def test_redacted_lines_can_still_be_loaded_and_tell_nothing(memory, tmp_path):
    memory.add(
        "Ana's address is ana@example.com, her box /srv/ana.", type="note", scope="user:ana@example.com"
    )
    memory.add([{"role": "user", "content": "I have a boat"}], session_id="ana@example.com")
    memory.add("The desk is free.", type="note", scope="user:bo@example.com", metadata={"ana@example.com": 1})
    memory.records.put("users/ana@example.com", "cup", "blue")
    memory.export_to(tmp_path / "shared.jsonl", redact=["all"])
    memory.export_to(tmp_path / "shared", form="markdown", redact=["all"])
    memory.export_to(tmp_path / "shared.csv", redact=["all"])
    text = (tmp_path / "shared.jsonl").read_text("utf-8")
    notes = [str(file) + file.read_text("utf-8") for file in (tmp_path / "shared").rglob("*.md")]
    for written in [text, (tmp_path / "shared.csv").read_text("utf-8"), *notes]:
        assert "/srv/ana" not in written
        assert "example" not in written
    assert not [item.id for item in memory.list(limit=1000) if item.id in text]
    with opened(tmp_path / "copy.db") as copy:
        result = copy.load(map(json.loads, text.splitlines()), trusted=True)
        assert not [verdict for verdict in result.verdicts if not verdict.stored and verdict.item_id]
        # Whose it was cannot be told, but what was two people's stays so.
        assert len({item.scope for item in copy.page(scope=ALL).items if item.type == "note"}) == 2
    with pytest.raises(InvalidInput, match="nothing is called 'names'"):
        memory.export_to(tmp_path / "x.jsonl", redact=["names"])


def test_a_copy_is_verified_and_a_damaged_one_told(memory, tmp_path):
    copy = tmp_path / "copy.db"
    memory.backup(copy)
    done = CliRunner().invoke(app, ["backup", str(copy), "--verify", "--json"])
    assert (done.exit_code, json.loads(done.stdout)["healthy"]) == (0, True)
    assert sorted(file.name for file in tmp_path.glob("copy*")) == ["copy.db"]
    data = bytearray(copy.read_bytes())
    at = data.find(b"We ship on Fridays.")
    data[at : at + 2] = b"Me"
    copy.write_bytes(bytes(data))
    assert CliRunner().invoke(app, ["backup", str(copy), "--verify"]).exit_code == 1
    assert CliRunner().invoke(app, ["backup", str(tmp_path / "none.db"), "--verify"]).exit_code == 3


def test_a_packed_file_is_imported_as_it_is(memory, tmp_path, monkeypatch):
    memory.export_to(tmp_path / "all.jsonl.gz")
    monkeypatch.setenv("SIMONIDES_DB", str(tmp_path / "copy.db"))
    done = CliRunner().invoke(app, ["import", str(tmp_path / "all.jsonl.gz"), "--trusted"])
    assert done.exit_code == 0, done.output
    with Memory(tmp_path / "copy.db") as copy:
        assert copy.stats()["items"] == memory.stats()["items"]


def test_a_packed_file_that_was_cut_off_says_so(memory, tmp_path, monkeypatch):
    memory.export_to(tmp_path / "all.jsonl.gz")
    whole = (tmp_path / "all.jsonl.gz").read_bytes()
    monkeypatch.setenv("SIMONIDES_DB", str(tmp_path / "copy.db"))
    for cut in (whole[:-9], whole[: len(whole) // 2], whole[:5], whole[:40] + b"?" * 40 + whole[80:]):
        (tmp_path / "cut.gz").write_bytes(cut)
        done = CliRunner().invoke(app, ["import", str(tmp_path / "cut.gz"), "--trusted"])
        assert done.exit_code == 2
        assert "damaged or cut off" in done.output


def test_an_export_by_command_names_what_is_not_in_lines(memory, tmp_path, monkeypatch):
    monkeypatch.setenv("SIMONIDES_DB", str(memory.path))
    for arguments, left_out in [
        (["all.jsonl"], True),
        (["all.csv"], False),
        (["v", "--format", "markdown"], False),
    ]:
        path, *rest = arguments
        done = CliRunner().invoke(app, ["export", str(tmp_path / path), *rest, "--json"])
        assert done.exit_code == 0, done.output
        assert bool(json.loads(done.stdout)["left_out"]) is left_out
