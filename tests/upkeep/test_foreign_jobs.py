"""Jobs that other packages offer by entry points."""

import subprocess
import sys
import textwrap

import pytest

from simonides.domain.run import RunStatus
from simonides.errors import InvalidInput
from simonides.upkeep.jobs.registry import known_jobs, own_jobs


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package with jobs: one that works, one that is not there, one that calls itself otherwise."""
    (tmp_path / "acme_jobs.py").write_text(
        textwrap.dedent("""
            from dataclasses import replace

            from simonides.upkeep.change import Revise
            from simonides.upkeep.job import Step

            class Weigh:
                name = "weigh"
                about = "Give every item the same importance."

                def plan(self, ground):
                    for item in ground.items(ground.selection()):
                        if item.importance != 0.25:
                            yield Step((Revise(item, replace(item, importance=0.25), reason="weigh"),))
        """)
    )
    metadata = tmp_path / "acme_jobs-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-jobs\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(
        textwrap.dedent("""
            [simonides.jobs]
            weigh = acme_jobs:Weigh
            lost = acme_jobs:Lost
            renamed = acme_jobs:Weigh
            expire = acme_jobs:Weigh
            undo = acme_jobs:Weigh
        """)
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("acme_jobs", None)


def test_jobs_of_a_package_come_after_those_that_come_along(memory, package):
    assert list(known_jobs()) == [*own_jobs(), "lost", "renamed", "weigh"]
    assert memory.runs.jobs()["weigh"] == "Give every item the same importance."
    assert memory.runs.jobs()["expire"] == own_jobs()["expire"].about
    with pytest.raises(InvalidInput, match=r"there is no job 'weight'.*prune, lost, renamed, weigh"):
        memory.maintain(["weight"])


def test_a_job_of_a_package_runs_is_listed_and_is_taken_back(memory, package, remember):
    item = remember("Ana collects stamps.", importance=0.75)
    run = memory.maintain(["weigh"])
    assert (run.job, run.status, run.counts) == ("weigh", RunStatus.DONE, {"revised": 1})
    assert memory.get(item.id).importance == 0.25
    assert memory.runs.list(job="weigh")[0].id == run.id
    memory.undo(run.id)
    assert memory.get(item.id).importance == 0.75


def test_a_job_of_a_package_is_due_daily(memory, package):
    pytest.importorskip("apscheduler")
    assert {one.job: one.setting for one in memory.schedule.list()}["weigh"] == "schedule.daily"


def test_a_job_that_cannot_be_had_fails_alone_and_says_why(memory, package, remember):
    item = remember("Ana collects stamps.", importance=0.75)
    run = memory.maintain()
    failed = {part.job: part.error for part in run.parts if part.status is RunStatus.FAILED}
    assert set(failed) == {"lost", "renamed"}
    assert "the job 'lost' (acme_jobs:Lost) cannot be imported" in failed["lost"]
    assert "the job 'renamed' calls itself 'weigh'" in failed["renamed"]
    assert memory.get(item.id).importance == 0.25
    assert memory.runs.jobs()["lost"].startswith("Unavailable: the job 'lost'")


def test_whoever_only_adds_and_searches_imports_no_job(tmp_path):
    script = """
import sys
from simonides import Memory
with Memory(sys.argv[1]) as memory:
    memory.add("We ship on Fridays.")
    memory.search("when do we ship?")
    jobs = {"simonides.upkeep.jobs." + name for name in ("consolidate", "causes", "profile")}
    print(sorted(jobs & set(sys.modules)), len(memory.runs.jobs()))
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "m.db")], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["[]", str(len(known_jobs()))]
