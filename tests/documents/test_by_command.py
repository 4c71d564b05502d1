"""Reading folders by command: what stays out of prompts is told, and so is what is kept of an interrupted run."""

import json
import re
import signal
import subprocess
import sys
import time

from typer.testing import CliRunner

from simonides import Memory
from simonides.edges.cli.main import app
from simonides.testing import FakeEmbedder


def test_a_context_of_a_corpus_that_stays_out_of_prompts_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("SIMONIDES_DB", str(tmp_path / "memory.db"))
    with Memory(tmp_path / "memory.db") as memory:
        memory.documents.put("notes", "mill.md", "# The mill\n\nIt is closed on Mondays.\n")

    def asked(corpus):
        done = CliRunner().invoke(app, ["context", "when is the mill closed?", "--corpus", corpus])
        assert done.exit_code == 0, done.output
        return done

    assert "documents corpus notes --injectable" in asked("notes").output
    assert "looks everywhere" in asked("others").output
    assert CliRunner().invoke(app, ["documents", "corpus", "notes", "--injectable"]).exit_code == 0
    assert "closed on Mondays" in asked("notes").output


def test_a_document_whose_name_begins_like_an_option_is_shown(tmp_path, monkeypatch):
    monkeypatch.setenv("SIMONIDES_DB", str(tmp_path / "memory.db"))
    with Memory(tmp_path / "memory.db") as memory:
        for name in ("-b.md", "--json.md", "-k"):
            memory.documents.put("notes", name, "# The mill\n\nIt is closed on Mondays.\n")
    for name in ("-b.md", "--json.md", "-k"):
        for given in ([name], ["--json", name], [name, "--json"]):
            done = CliRunner().invoke(app, ["documents", "show", "notes", *given])
            assert done.exit_code == 0, done.output
            assert name in done.output
    assert CliRunner().invoke(app, ["documents", "show", "notes", "-b.md", "--jsno"]).exit_code == 2


def test_an_interrupted_run_says_what_is_kept_and_goes_on(tmp_path):
    root = tmp_path / "notes"
    root.mkdir()
    for n in range(8_000):
        (root / f"{n}.md").write_text(f"# Note {n}\n\nIt says {n}.\n")
    command = (sys.executable, "-m", "simonides", "--db", str(tmp_path / "m.db"))
    process = subprocess.Popen(
        [*command, "ingest", str(root), "--corpus", "notes"], stderr=subprocess.PIPE, text=True
    )
    try:
        with Memory(tmp_path / "m.db", embedder=FakeEmbedder(8)) as memory:
            # Once a second piece is in, the first has been counted.
            while len(memory.documents.list("notes", limit=65)) < 65 and process.poll() is None:
                time.sleep(0.005)
            process.send_signal(signal.SIGINT)
            _, stderr = process.communicate(timeout=600)
            kept = {document.path for document in memory.documents.list("notes", limit=10_000)}
    finally:
        process.kill()
    assert process.returncode == 130, stderr
    told = re.fullmatch(
        r"simonides: interrupted: ([0-9,]+) of 8,000 files are in; ingest again to go on\n", stderr
    )
    assert told is not None, stderr
    assert 0 <= len(kept) - int(told[1].replace(",", "")) <= 64
    left = sorted({f"{n}.md" for n in range(8_000)} - kept)
    for name in left[3:]:
        (root / name).unlink()
    done = subprocess.run(
        [*command, "ingest", str(root), "--corpus", "notes", "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    report = json.loads(done.stdout)
    assert sorted(report["added"]) == left[:3]
    assert report["unchanged"] == len(kept)


def test_a_folder_is_a_corpus_of_its_own_name_unless_one_is_given(tmp_path, monkeypatch):
    monkeypatch.setenv("SIMONIDES_DB", str(tmp_path / "memory.db"))
    for name in ("mills", "locks"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.md").write_text(f"# About {name}\n\nThey are closed on Mondays.\n")

    def ingested(*arguments):
        return CliRunner().invoke(app, ["ingest", *arguments])

    assert ingested(f"{tmp_path / 'mills'}/").exit_code == 0
    monkeypatch.chdir(tmp_path / "locks")
    assert ingested(".").exit_code == 0
    assert ingested("locks.md", "--corpus", "other").exit_code == 0
    for several in (["locks.md"], [".", "../mills"], ["/"]):
        refused = ingested(*several)
        assert refused.exit_code == 2
        assert f"simonides ingest {' '.join(several)} --corpus handbook" in refused.stderr
    with Memory(tmp_path / "memory.db") as memory:
        assert {corpus.name for corpus in memory.documents.corpora()} == {"mills", "locks", "other"}


def test_deleting_a_document_that_is_not_there_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("SIMONIDES_DB", str(tmp_path / "memory.db"))
    with Memory(tmp_path / "memory.db") as memory:
        memory.documents.put("notes", "mill.md", "# The mill\n\nIt is closed on Mondays.\n")
    missing = CliRunner().invoke(app, ["documents", "delete", "notes", "nope.md"])
    assert missing.exit_code == 3
    assert "no document nope.md" in missing.stderr


def test_a_path_that_is_not_there_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("SIMONIDES_DB", str(tmp_path / "memory.db"))
    for given in (["nope"], ["nope", "--corpus", "notes"]):
        done = CliRunner().invoke(app, ["ingest", *given])
        assert (done.exit_code, "there is no nope to ingest" in done.stderr) == (2, True), done.stderr
