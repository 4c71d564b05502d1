"""Items that rise."""

import pytest

from simonides.domain.item import Status, Usage, Validation
from simonides.domain.provenance import Provenance, Trust
from simonides.domain.taxonomy import TAXONOMY, Tier
from simonides.testing import an_item
from simonides.upkeep.promote import promoted

SOURCE = Provenance(source_id="api")


def risen(**fields):
    return promoted(an_item(**({"provenance": SOURCE} | fields)), TAXONOMY)


@pytest.mark.parametrize(
    ("fields", "tier"),
    [
        ({"usage": Usage(usage_count=1)}, None),
        ({"usage": Usage(usage_count=2)}, Tier.MTM),
        ({"tier": Tier.MTM, "usage": Usage(usage_count=4)}, None),
        ({"tier": Tier.MTM, "usage": Usage(usage_count=5)}, Tier.LTM),
        ({"type": "decision"}, Tier.MTM),
        ({"type": "identity", "tier": Tier.MTM}, Tier.LTM),
        ({"validation": Validation.VERIFIED}, Tier.MTM),
        ({"pinned": True}, Tier.MTM),
        ({"tier": Tier.LTM, "pinned": True, "usage": Usage(usage_count=9)}, None),
    ],
)
def test_an_item_rises_by_one_tier_when_it_has_earned_it(fields, tier):
    found = risen(**fields)
    assert (None if found is None else found.tier) is tier


@pytest.mark.parametrize(
    "fields",
    [
        {"provenance": Provenance()},
        {"trust": Trust.LOW},
        {"validation": Validation.CONTESTED},
        {"validation": Validation.RETRACTED},
        {"status": Status.QUARANTINED},
        {"status": Status.ARCHIVED},
        {"type": "episode"},
        {"type": "chunk"},
    ],
)
def test_what_nobody_vouches_for_stays_whatever_its_use(fields):
    earned = {"pinned": True, "usage": Usage(usage_count=50)}
    assert risen(**earned) is not None
    assert risen(**(earned | fields)) is None


@pytest.mark.parametrize("tier", [Tier.STM, Tier.MTM])
@pytest.mark.parametrize("injectable", [True, False])
@pytest.mark.parametrize("expires_at", [None, 5])
def test_rising_changes_nothing_that_somebody_said_of_an_item(tier, injectable, expires_at):
    found = risen(pinned=True, tier=tier, expires_at=expires_at, injectable=injectable, decay_rate=0.3)
    assert (found.expires_at, found.injectable) == (expires_at, injectable)


def test_confidence_stops_decaying_in_the_long_term():
    assert risen(pinned=True, decay_rate=0.1).decay_rate == 0.1
    assert risen(pinned=True, tier=Tier.MTM, decay_rate=0.1).decay_rate == 0
