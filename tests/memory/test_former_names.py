"""Former public names: they do the same, and warn."""

import pytest

import simonides
import simonides.testing
from simonides import Memory, Policy, try_policy
from simonides.testing import FakeEmbedder, ScriptedAnswer


@pytest.mark.parametrize(
    ("module", "former", "present"),
    [
        (simonides, "Seat", simonides.SchedulerLease),
        (simonides.testing, "Said", ScriptedAnswer),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_former_name_of_a_module_warns(module, former, present):
    with pytest.warns(DeprecationWarning, match=former):
        assert getattr(module, former) is present
    assert former not in module.__all__


def test_a_former_name_of_a_memory_warns(tmp_path):
    with Memory(tmp_path / "m.db", embedder=FakeEmbedder(32)) as memory:
        item_id = memory.add("We ship on Fridays.", type="decision").verdicts[0].item_id
        with pytest.warns(DeprecationWarning, match="resolve"):
            assert memory.meant(item_id) == memory.resolve(item_id)
        with pytest.warns(DeprecationWarning, match="lease"):
            assert memory.schedule.seat().take() is None


def test_a_former_name_of_a_trial_warns():
    trial = try_policy(Policy(), "My password is hunter2hunter2.")
    assert trial.findings
    with pytest.warns(DeprecationWarning, match="findings"):
        assert trial.sightings == trial.findings
