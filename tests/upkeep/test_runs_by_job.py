"""Lists of runs by their job: every job that there is can be named, before its first run as well."""

import inspect
import pkgutil
from importlib import import_module

import pytest

from simonides.domain.run import FOLLOWING
from simonides.errors import InvalidInput
from simonides.upkeep import jobs
from simonides.upkeep.jobs.registry import known_jobs


def names_of_jobs():
    for module in pkgutil.iter_modules(jobs.__path__):
        home = import_module(f"{jobs.__name__}.{module.name}")
        for kind in vars(home).values():
            is_own = inspect.isclass(kind) and kind.__module__ == home.__name__ and hasattr(kind, "plan")
            if is_own and isinstance(name := getattr(kind, "name", None), str):
                yield name


def test_a_store_without_runs_lists_none_of_any_job_and_refuses_what_is_no_job(memory):
    names = {*names_of_jobs(), *known_jobs(), *FOLLOWING}
    assert names == {*known_jobs(), *FOLLOWING}
    for name in names:
        assert memory.runs.list(job=name) == []
    with pytest.raises(InvalidInput, match="there is no job 'resolved'"):
        memory.runs.list(job="resolved")
