"""Following a folder: `simonides ingest --watch` with a real watcher, step by step."""

import json
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager

import pytest

from simonides import Memory

pytest.importorskip("watchfiles")
#: Nothing is measured: a run that hangs ends, and its test fails.
_GIVEN_UP_S = 1_800


@contextmanager
def watching(root, store):
    """A run that follows a folder, and the reports that it writes, each as it comes."""
    command = [sys.executable, "-m", "simonides", "--db", str(store), "ingest", str(root)]
    process = subprocess.Popen(
        [*command, "--corpus", "notes", "--watch", "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1,
    )  # fmt: skip
    hanging = threading.Timer(_GIVEN_UP_S, process.kill)
    hanging.start()

    def reports():
        text = ""
        for line in process.stdout:
            text += line
            try:
                report = json.loads(text)
            except ValueError:
                continue
            text = ""
            yield report

    try:
        yield process, reports()
    finally:
        hanging.cancel()
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


def until(reports, met):
    """Reports up to the first of which something holds."""
    for report in reports:
        if met(report):
            return report
    raise AssertionError("the run ended before")


@pytest.fixture
def root(tmp_path):
    made = tmp_path / "notes"
    made.mkdir()
    (made / "mill.md").write_text("# The mill\n\nClosed on Mondays.\n")
    return made


def test_what_changes_in_a_folder_that_is_watched_is_followed(root, tmp_path):
    with watching(root, tmp_path / "m.db") as (process, reports):
        assert next(reports)["added"] == ["mill.md"]
        (root / "mill.md").write_text("# The mill\n\nClosed on Sundays.\n")
        until(reports, lambda report: "mill.md" in report["changed"])
        (root / "lake").mkdir()
        (root / "lake" / "boats.md").write_text("# Boats\n\nTwo rowing boats.\n")
        until(reports, lambda report: "lake/boats.md" in report["added"])
        (root / "mill.md").rename(root / "old mill.md")
        seen = {"added": set(), "removed": set()}
        while not ("old mill.md" in seen["added"] and "mill.md" in seen["removed"]):
            report = next(reports)
            for sort, paths in seen.items():
                paths.update(report[sort])
        (root / "binary.txt").write_bytes(bytes(range(256)) * 20)
        until(reports, lambda report: [one["path"] for one in report["refused"]] == ["binary.txt"])
        process.send_signal(signal.SIGINT)
        assert all(report["added"] == [] for report in reports)
        assert process.wait() in {0, 130}
    with Memory(tmp_path / "m.db") as memory:
        assert {one.path for one in memory.documents.list("notes")} == {"old mill.md", "lake/boats.md"}
        assert memory.documents.chunks("notes", "old mill.md")[0].content.endswith("Closed on Sundays.")


def test_a_change_while_the_first_run_reads_is_not_missed(root, tmp_path):
    with watching(root, tmp_path / "m.db") as (_, reports):
        # Whoever has heard of the first report cannot know if the watcher has begun.
        next(reports)
        (root / "late.md").write_text("Late.\n")
        until(reports, lambda report: "late.md" in report["added"])


def test_a_folder_that_is_empty_for_a_moment_is_followed_further(root, tmp_path):
    with watching(root, tmp_path / "m.db") as (process, reports):
        assert next(reports)["added"] == ["mill.md"]
        (root / "mill.md").unlink()
        while "holds no document" not in process.stderr.readline():
            assert process.poll() is None
        (root / "lake.md").write_text("# The lake\n\nDeep.\n")
        report = until(reports, lambda report: "lake.md" in report["added"])
        assert report["removed"] == ["mill.md"]
