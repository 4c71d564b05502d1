"""A dry run shows what would change, as a diff, and changes nothing."""

from dataclasses import replace

from simonides.domain.run import RunStatus
from simonides.upkeep.change import Revise
from simonides.upkeep.job import Step


def test_a_dry_run_shows_what_a_run_then_does(memory, remember, run_job, merge, path):
    items = [remember("The sky is blue."), remember("The sky is rather blue.")]
    memory.flush()
    step = merge(items, "The sky is blue indeed.")
    before = [revision for item in items for revision in memory.history(item.id)]
    shown = run_job([step], dry_run=True)
    assert shown.dry_run
    assert (shown.status, shown.counts) == (RunStatus.DONE, {"merged": 2, "created": 1, "linked": 2})
    assert shown.changes[0].lines == (
        "  [fact] The sky is blue.",
        "- status: active",
        "+ status: archived",
        "- superseded_by: none",
        f"+ superseded_by: {step.changes[0].after.superseded_by}",
    )
    assert shown.changes[2].lines == ("+ [fact] The sky is blue indeed.",)
    assert [revision for item in items for revision in memory.history(item.id)] == before
    assert memory.runs.list() == []
    done = run_job([step])
    assert [change.lines for change in done.changes] == [change.lines for change in shown.changes]
    assert done.counts == shown.counts


def test_a_new_text_is_shown_below_the_old_one(memory, remember, run_job):
    item = remember("One.\nTwo.", tags=["a"])
    after = replace(item, content="One.\nThree.", tags=("a", "b"))
    run = run_job([Step((Revise(item, after, reason="x"),))], dry_run=True)
    assert run.changes[0].lines == (
        "- [fact] One.",
        "- Two.",
        "+ [fact] One.",
        "+ Three.",
        "- tags: a",
        "+ tags: a, b",
    )


def test_a_dry_run_shows_what_the_policy_would_refuse(memory, remember, run_job, merge):
    items = [remember("One."), remember("Two.")]
    run = run_job([merge(items, "My key is AKIAIOSFODNN7EXAMPLE.")], dry_run=True)
    assert run.counts == {"refused": 1}
    assert run.changes == ()


def test_a_dry_run_of_all_jobs_leaves_the_file_as_it_is(memory, remember, clock):
    remember("Until tomorrow.", expires_at="2026-03-02")
    clock.advance(days=3)
    before = memory.stats()["by_status"]
    run = memory.maintain(dry_run=True)
    assert run.counts["archived"] == 1
    assert {part.job for part in run.parts} == set(memory.runs.jobs())
    assert memory.stats()["by_status"] == before
    assert memory.runs.list() == []
