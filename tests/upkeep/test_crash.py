"""kill -9 in the middle of runs and undos: nothing is lost, nothing half applied, and it goes on."""

import pytest

from benchmarks import killed_runs


@pytest.mark.parametrize("alive_s", [0.0, 0.05, 0.15, 0.3])
def test_a_killed_run_is_exactly_the_steps_that_it_had_done(tmp_path, alive_s):
    found = killed_runs.one_round(tmp_path / "memory.db", alive_s)
    assert (found.lost, found.half) == ((), ())
