"""Importing at the command line: plain lines, and what an interruption leaves."""

import json
import re
import signal
import subprocess
import sys
import time
import zipfile

import pytest
from typer.testing import CliRunner

from simonides import Memory
from simonides.edges.cli.main import app
from simonides.testing import FakeEmbedder
from tests.full_disk import DISKS, SIZE_MB, small

SIMONIDES = (sys.executable, "-m", "simonides")


@pytest.fixture
def simonides(tmp_path, monkeypatch):
    monkeypatch.setenv("SIMONIDES_DB", str(tmp_path / "memory.db"))

    def run(*arguments, stdin=""):
        return CliRunner().invoke(app, list(arguments), input=stdin)

    return run


def plain(number):
    return json.dumps({"kind": "item", "content": f"Entry {number} of the logbook.", "type": "fact"})


def test_plain_lines_are_added_as_add_would_add_them(simonides):
    lines = [plain(1), '{"content": "Written by hand.", "tags": ["own"], "scope": "user:ana"}', plain(1)]
    done = simonides("import", "-", stdin="\n".join(lines))
    assert (done.exit_code, done.stdout) == (0, "2 accepted, 1 merged\n")
    found = json.loads(simonides("list", "--all-scopes", "--json").stdout)
    assert {item["scope"] for item in found} == {"global", "user:ana"}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"kind": "item", "content": "x", "importanze": 1}', "unknown field 'importanze'"),
        ('{"kind": "item", "content": ""}', "the content"),
        ('{"kind": "item", "content": "my password is hunter2hunter2"}', "secret"),
        ('{"kind": "item", "id": "x", "format": 7}', "format 7 is not known"),
        ('{"kind": "item"}', "leave out format and revisions"),
        ('{"kind": "planet"}', 'a plain item: {"kind": "item", "content": "…"}'),
        ("{}", 'a plain item: {"kind": "item", "content": "…"}'),
    ],
)
def test_a_line_that_is_neither_says_what_to_write(simonides, line, why):
    done = simonides("import", "-", stdin=line)
    assert done.exit_code == 1
    assert why in done.stderr


def test_an_interrupted_import_says_what_is_in_and_goes_on(simonides, tmp_path):
    file = tmp_path / "many.jsonl"
    file.write_text("\n".join(plain(number) for number in range(100_000)), "utf-8")
    process = subprocess.Popen([*SIMONIDES, "import", str(file)], stderr=subprocess.PIPE, text=True)
    try:
        with Memory(tmp_path / "memory.db", embedder=FakeEmbedder(8)) as memory:
            while memory.stats()["items"] == 0 and process.poll() is None:
                time.sleep(0.005)
            process.send_signal(signal.SIGINT)
            _, stderr = process.communicate(timeout=300)
            kept = memory.stats()["items"]
    finally:
        process.kill()
    assert process.returncode == 130
    told = re.fullmatch(
        r"simonides: interrupted: at least the first ([0-9,]+) of 100,000 records are in; import it again to go on\n",
        stderr,
    )
    assert told is not None, stderr
    assert (
        0 <= kept - int(told[1].replace(",", "")) <= 512
    )  # The piece that was being committed may have come in.
    file.write_text("\n".join(plain(number) for number in range(kept + 3)), "utf-8")
    assert simonides("import", str(file)).stdout == f"3 accepted, {kept:,} merged\n"


@pytest.mark.parametrize("disk", DISKS)
def test_an_import_for_which_the_disk_has_no_room_says_what_is_in_and_goes_on(simonides, tmp_path, disk):
    file = tmp_path / "many.jsonl"
    file.write_text("\n".join(plain(number) for number in range(3000)), "utf-8")
    with small(tmp_path / "disk", disk) as place:
        store = ("--db", str(place / "memory.db"))
        assert simonides("add", "The mill is closed on Mondays.", *store).exit_code == 0
        with (place / "filler").open("wb") as filler:
            filler.write(bytes((SIZE_MB - 9) << 20))
        done = simonides("import", str(file), *store)
        (place / "filler").unlink()
        assert done.exit_code == 4
        assert "what did not fit was not kept" in done.stderr
        told = re.search(
            r"at least the first ([0-9,]+) of 3,000 records are in; import it again", done.stderr
        )
        with Memory(place / "memory.db") as memory:
            kept = memory.stats()["items"] - 1
        # Of what was answered last it may not have heard yet.
        assert 0 <= kept - int(told[1].replace(",", "")) <= 512 < kept < 3000
        assert "records are in" not in simonides("import", str(file), "--quiet", *store).stderr
    assert "records are in" not in simonides("import", str(file)).stderr


def test_an_export_says_what_it_leaves_out(simonides, tmp_path):
    simonides("import", "-", stdin=plain(1))
    done = simonides("export", str(tmp_path / "all.jsonl"))
    assert "1 records\nnot in it: the audit log, contexts that were given, vectors" in done.stdout


def test_what_upkeep_did_elsewhere_is_left_out_in_one_line(open_memory, tmp_path):
    memory = open_memory()
    memory.add(["Entry one.", "Entry two."])
    memory.add("Gone since long.", expires_at="2020-01-01")
    memory.maintain(["expire"])
    file = tmp_path / "all.jsonl"
    file.write_text("\n".join(map(json.dumps, memory.export())), "utf-8")

    def imported(name, *options):
        return CliRunner().invoke(app, ["import", str(file), "--db", str(tmp_path / name), *options])

    told = json.loads(imported("json.db", "--json").stdout)
    assert (told["outcomes"], told["rejected"]) == ({"accepted": 3}, [])
    assert told["left_out"] >= 1
    done = imported("copy.db")
    assert (done.exit_code, done.stdout) == (0, "3 accepted\n")
    what = f"{told['left_out']} records of upkeep or of models' requests are left out; --trusted takes them in, too"
    assert done.stderr == f"simonides: {what}\n"
    whole = imported("whole.db", "--trusted")
    assert (whole.exit_code, whole.stderr) == (0, "")
    file.write_text(file.read_text("utf-8") + "\n{}", "utf-8")
    bad = imported("bad.db")
    assert (bad.exit_code, len(bad.stderr.splitlines())) == (1, 2)


def test_a_zip_without_its_origin_is_told_how_to_name_it(tmp_path):
    packed = tmp_path / "export.zip"
    with zipfile.ZipFile(packed, "w") as made:
        made.writestr("conversations.json", "[]")
    refused = CliRunner().invoke(app, ["--db", str(tmp_path / "memory.db"), "import", str(packed)])
    assert refused.exit_code == 2
    assert f"--from chatgpt {packed}" in refused.stderr
    assert not (tmp_path / "memory.db").exists()


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("export.zip", b"PK\x03\x04rest", "is a ZIP, and no export of Simonides; .* --from chatgpt "),
        ("their.db", b"SQLite format 3\0rest", "is a database, .* --from langgraph "),
        ("notes.csv", b"content\nThe mill\n", "is a table, .* --from csv "),
        ("my vault", None, "is a folder, .* --from obsidian '"),
    ],
)
def test_what_is_no_export_is_refused_whole_with_the_command_that_takes_it(
    simonides, tmp_path, name, data, said
):
    path = tmp_path / name
    path.mkdir() if data is None else path.write_bytes(data)
    done = simonides("import", str(path))
    assert done.exit_code == 2
    assert re.search(said, done.stderr), done.stderr
    assert not (tmp_path / "memory.db").exists()
