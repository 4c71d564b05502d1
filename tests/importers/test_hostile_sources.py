"""Sources that are almost what they should be: entries twice, fields gone or odd, times without a zone.

Whatever is read of such a source is read once, a dry run tells of it what the import then does, and what cannot be read
is refused in words.
"""

import json
import random
import shutil
import sqlite3
import zipfile
from itertools import count

import pytest

from simonides import InvalidInput, Memory
from simonides.importers.databases import opened
from simonides.testing import FakeEmbedder, FrozenClock

from .conftest import NOW, SAMPLES
from .test_importers import ODD, SOURCES, accepted

VARIANTS = 10


def test_a_table_that_takes_all_names_of_its_numbers_is_read_by_its_order(database):
    path = database(
        "CREATE TABLE t (rowid TEXT, _rowid_ TEXT, OID TEXT, a); INSERT INTO t (a) VALUES (5), (6);"
    )
    with opened(path) as theirs:
        asked: list[str] = []
        theirs._connection.exec_trace = lambda _, statement, __: asked.append(statement) or True
        rows = [(place, row["a"]) for place, row in theirs.rows("t")]
    assert rows == [("theirs.db, t, row 1", 5), ("theirs.db, t, row 2", 6)]
    assert asked == ['SELECT NULL, "rowid", "_rowid_", "OID", "a" FROM "t"']


def places(value, path=()):
    if path:
        yield path
    for key, inner in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield from places(inner, (*path, key))


def changed(value, drawn):
    """A JSON value with some of it gone, twice, of another kind, or at a time of no zone."""
    value = json.loads(json.dumps(value))
    for _ in range(drawn.randint(1, 3)):
        known = list(places(value))
        if not known:
            return value
        *steps, last = drawn.choice(known)
        inner = value
        for step in steps:
            inner = inner[step]
        match drawn.choice(["gone", "twice", "odd", "zone"]):
            case "gone":
                del inner[last]
            case "twice" if isinstance(inner, list):
                inner.append(inner[last])
            case "twice":
                inner[f"{last} again"] = inner[last]
            case "odd":
                inner[last] = drawn.choice(ODD)
            case _:
                inner[last] = "2024-03-01 12:30:00"
    return value


def written(source, target, drawn):
    """A sample with a few things wrong."""
    if source.is_dir():
        shutil.copytree(source, target)
        pages = sorted(page for page in target.rglob("*") if page.is_file())
        page = drawn.choice(pages)
        lines = page.read_text("utf-8").split("\n")
        match drawn.choice(["twice", "gone", "cut", "windows", "again"]):
            case "twice":
                page.with_stem(f"{page.stem} 2").write_text(page.read_text("utf-8"), "utf-8")
            case "gone":
                del lines[drawn.randrange(len(lines))]
                page.write_text("\n".join(lines), "utf-8")
            case "cut":
                page.write_text(page.read_text("utf-8")[: drawn.randrange(200)], "utf-8")
            case "windows":
                page.write_bytes("\r\n".join(lines).encode("utf-8-sig"))
            case _:
                page.write_text(page.read_text("utf-8") * 2, "utf-8")
    elif source.suffix == ".sql":
        connection = sqlite3.connect(target)
        connection.executescript(source.read_text("utf-8"))
        tables = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        ]
        table = drawn.choice(tables)
        columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
        column = drawn.choice(columns)
        made = f'CREATE TABLE copied AS SELECT * FROM "{table}"; DROP TABLE "{table}"; '
        match drawn.choice(["gone", "twice", "odd", "null", "empty"]):
            case "gone":
                made += f'ALTER TABLE copied DROP COLUMN "{column}";' if len(columns) > 1 else ""
            case "twice":
                made += "INSERT INTO copied SELECT * FROM copied;"
            case "odd":
                odd = drawn.choice(["'2024-03-01 12:30:00'", "-1", "1e300", "x'ff00'", "''", "'[1, {}]'"])
                made += f'UPDATE copied SET "{column}" = {odd};'
            case "null":
                made += f'UPDATE copied SET "{column}" = NULL;'
            case _:
                made += "DELETE FROM copied;"
        connection.executescript(f'{made} ALTER TABLE copied RENAME TO "{table}";')
        connection.close()
    elif source.suffix == ".csv":
        lines = source.read_text("utf-8").split("\n")
        at = drawn.randrange(1, len(lines))
        lines[at:at] = [
            drawn.choice([lines[at], '"open', ",,,,,,", "", "a" * 50, lines[at][: len(lines[at]) // 2]])
        ]
        target.write_text("\n".join(lines), "utf-8")
    elif source.suffix == ".jsonl":
        values = [
            json.loads(line)
            for line in source.read_text("utf-8").splitlines()
            if line.startswith("{") and line.endswith("}")
        ]
        target.write_text("\n".join(json.dumps(one) for one in changed(values, drawn)), "utf-8")
    else:
        target.write_text(json.dumps(changed(json.loads(source.read_text("utf-8")), drawn)), "utf-8")


def reported(memory, kind, path, **options):
    """The report of an import, or the reason that the source is refused."""
    try:
        return memory.import_from(kind, path, **options)
    except InvalidInput as refused:
        return str(refused)


@pytest.mark.parametrize(
    ("kind", "sample", "mapping"), [one[:3] for one in SOURCES], ids=[one[1] for one in SOURCES]
)
def test_of_a_source_with_faults_a_dry_run_tells_what_is_taken_and_that_is_taken_once(
    kind, sample, mapping, tmp_path
):
    drawn = random.Random(sample)
    taken = 0
    with Memory(tmp_path / "memory.db", embedder=FakeEmbedder(8), clock=FrozenClock(NOW)) as memory:
        for number in range(VARIANTS):
            path = tmp_path / str(number) / sample.replace(".sql", ".db")
            path.parent.mkdir()
            written(SAMPLES / sample, path, drawn)
            place = {"project": f"variant-{number}"}
            before = list(memory.export())
            told = reported(memory, kind, path, mapping=mapping, dry_run=True, **place)
            assert list(memory.export()) == before
            done = reported(memory, kind, path, mapping=mapping, **place)
            if isinstance(told, str):
                assert (done, list(memory.export())) == (told, before)
                continue
            assert (told.counts, told.left_out, told.refused) == (done.counts, done.left_out, done.refused)
            first = list(memory.export())
            again = memory.import_from(kind, path, mapping=mapping, **place)
            assert accepted(again) == {}
            assert list(memory.export()) == first
            taken += bool(accepted(done))
    assert taken


TEXTS = [one[:3] for one in SOURCES if not one[1].endswith(".sql")]
of_texts = pytest.mark.parametrize(("kind", "sample", "mapping"), TEXTS, ids=[one[1] for one in TEXTS])
#: The same text, as other programs save it.
SAVED = {
    "with a mark at its beginning": lambda text: text.encode("utf-8-sig"),
    "with line ends of Windows": lambda text: text.replace("\n", "\r\n").encode(),
    "with both": lambda text: text.replace("\n", "\r\n").encode("utf-8-sig"),
    "with empty lines at its end": lambda text: f"{text}\n\n".encode(),
}


def saved(sample, target, form):
    """A sample, saved otherwise."""
    source = SAMPLES / sample
    shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)
    for file in target.rglob("*") if target.is_dir() else [target]:
        if file.is_file():
            file.write_bytes(form(file.read_text("utf-8")))


@of_texts
def test_a_text_is_read_alike_however_it_was_saved_and_taken_once(kind, sample, mapping, tmp_path):
    with Memory(tmp_path / "memory.db", embedder=FakeEmbedder(8), clock=FrozenClock(NOW)) as memory:
        whole = memory.import_from(kind, SAMPLES / sample, mapping=mapping)
        before = list(memory.export())
        for number, form in enumerate(SAVED.values()):
            path = tmp_path / str(number) / sample
            path.parent.mkdir()
            saved(sample, path, form)
            again = memory.import_from(kind, path, mapping=mapping)
            assert accepted(again) == {}
            assert (again.read, len(again.refused)) == (whole.read, len(whole.refused))
        assert list(memory.export()) == before


@of_texts
def test_a_text_in_utf_16_is_said_to_be_in_it(kind, sample, mapping, tmp_path):
    path = tmp_path / sample
    saved(sample, path, lambda text: text.encode("utf-16"))
    with Memory(tmp_path / "memory.db", embedder=FakeEmbedder(8), clock=FrozenClock(NOW)) as memory:
        done = reported(memory, kind, path, mapping=mapping)
        told = [done] if isinstance(done, str) else [part.reason for part in done.refused]
        assert told
        assert all("in UTF-16; save it as UTF-8" in reason for reason in told)


TIMES = (
    "at",
    "when",
    "created_at",
    "updated_at",
    "create_time",
    "timestamp",
    "valid_at",
    "invalid_at",
    "expired_at",
)


@pytest.mark.parametrize(
    ("kind", "sample", "mapping"),
    [one for one in TEXTS if one[1].endswith((".json", ".jsonl", ".af"))],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_nothing_is_lost_for_a_time_that_cannot_be_read_and_that_is_told(kind, sample, mapping, tmp_path):
    """A part is taken without the time that it lost, whatever that changes, and the loss is said."""
    text = (SAMPLES / sample).read_text("utf-8")
    lines = sample.endswith(".jsonl")
    whole = [
        json.loads(one) if one.startswith("{") and one.endswith("}") else one for one in text.splitlines()
    ]
    whole = whole if lines else json.loads(text)

    def taken(value, name):
        path = tmp_path / name / sample
        path.parent.mkdir()
        rows = (
            [one if isinstance(one, str) else json.dumps(one) for one in value]
            if lines
            else [json.dumps(value)]
        )
        path.write_text("\n".join(rows), "utf-8")
        with Memory(
            tmp_path / name / "memory.db", embedder=FakeEmbedder(8), clock=FrozenClock(NOW)
        ) as memory:
            done = memory.import_from(kind, path, mapping=mapping)
            unread = done.left_out["a time that cannot be read"]
            return accepted(done), unread, [item.event_at for item in memory.list()]

    sound, _, times = taken(whole, "sound")
    for number, path in enumerate(path for path in places(whole) if path[-1] in TIMES):
        value = json.loads(json.dumps(whole))
        inner = value
        for step in path[:-1]:
            inner = inner[step]
        inner[path[-1]] = "soon"
        found, told, now = taken(value, str(number))
        assert sum(found.values()) == sum(sound.values()), path
        assert told or sorted(map(str, now)) == sorted(map(str, times)), path


def damaged(data, drawn):
    """Bytes of a file after a bad disk, a download that broke off, or an editor of another encoding."""
    found, at = bytearray(data), drawn.randrange(len(data))
    match drawn.choice(["cut", "flip", "many", "insert", "nul", "head", "twice"]):
        case "cut":
            return bytes(found[:at])
        case "flip":
            found[at] ^= 1 << drawn.randrange(8)
        case "many":
            for _ in range(40):
                found[drawn.randrange(len(found))] = drawn.randrange(256)
        case "insert":
            found[at:at] = drawn.randbytes(20)
        case "nul":
            found[at : at + 30] = bytes(30)
        case "head":
            return bytes(found[at:])
        case _:
            return bytes(found) * 2
    return bytes(found)


@pytest.mark.parametrize(
    ("kind", "sample", "packed"),
    [("chatgpt", "chatgpt.json", True), ("claude", "claude.json", True), ("letta", "letta.af", False)]
    + [(kind, sample, False) for kind, sample, *_ in SOURCES if sample.endswith((".sql", ".jsonl", ".csv"))],
)
def test_a_damaged_file_is_refused_in_words_or_taken_as_a_dry_run_tells(kind, sample, packed, tmp_path):
    mapping = next(one[2] for one in SOURCES if one[1] == sample)
    for seed in range(VARIANTS):
        drawn = random.Random(f"{seed} {sample}")
        whole = tmp_path / f"whole-{seed}"
        if sample.endswith(".sql"):
            connection = sqlite3.connect(whole)
            connection.executescript((SAMPLES / sample).read_text("utf-8"))
            connection.close()
        elif packed:
            with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.write(SAMPLES / sample, "conversations.json")
        else:
            shutil.copy(SAMPLES / sample, whole)
        suffix = ".zip" if packed else ".db" if sample.endswith(".sql") else (SAMPLES / sample).suffix
        target = tmp_path / f"{seed}{suffix}"
        target.write_bytes(data := damaged(whole.read_bytes(), drawn))
        with Memory(tmp_path / f"{seed}.memory", embedder=FakeEmbedder(8), clock=FrozenClock(NOW)) as memory:
            told = reported(memory, kind, target, mapping=mapping, dry_run=True)
            done = reported(memory, kind, target, mapping=mapping)
            if isinstance(done, str):
                assert done == told
                assert memory.stats()["items"] == 0, (seed, done)
            else:
                assert accepted(done) == accepted(told), seed
        assert target.read_bytes() == data


@pytest.mark.parametrize(
    "sample", ["chatgpt.json", "claude.json", "graphiti.json", "letta.af", "mcp-memory.jsonl", "mem0.json"]
)
def test_a_text_that_cannot_be_stored_is_refused_in_words_wherever_it_stands(sample, memory, tmp_path):
    lines = sample.endswith(".jsonl")
    text = (SAMPLES / sample).read_text("utf-8")
    whole = [json.loads(line) for line in text.splitlines()] if lines else json.loads(text)
    source, number = tmp_path / sample, count()
    for path in places(whole):
        for odd in ("\ud800", "a\0b"):
            spoilt = json.loads(json.dumps(whole))
            inner = spoilt
            for step in path[:-1]:
                inner = inner[step]
            if not isinstance(inner[path[-1]], str):
                continue
            inner[path[-1]] = odd
            source.write_text("\n".join(map(json.dumps, spoilt)) if lines else json.dumps(spoilt))
            place = {"project": f"variant-{next(number)}"}
            told = reported(memory, source.stem, source, dry_run=True, **place)
            done = reported(memory, source.stem, source, **place)
            if isinstance(told, str):
                assert done == told
            else:
                assert (told.counts, told.left_out, told.refused) == (
                    done.counts,
                    done.left_out,
                    done.refused,
                )
