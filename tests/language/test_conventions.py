"""Two values of one convention contradict each other; two conventions do not."""

import pytest

from simonides import Memory
from simonides.language.contradiction import difference
from simonides.testing import FrozenClock

CHANGED = [
    ("Lines are at most 100 characters.", "Lines are at most 120 characters.", ("100", "120")),
    ("Functions have at most 30 lines.", "Functions have at most 60 lines.", ("30", "60")),
    ("Docstrings follow Google style.", "Docstrings follow NumPy style.", ("Google style", "NumPy style")),
    ("Versions follow CalVer.", "Versions follow SemVer.", ("CalVer", "SemVer")),
    ("Table names are plural.", "Table names are singular.", ("plural", "singular")),
    ("Indentation is four spaces.", "Indentation is tabs.", ("four spaces", "tabs")),
    (
        "Identifiers are camelCase in JSON.",
        "Identifiers are snake_case in JSON.",
        ("camelCase", "snake_case"),
    ),
    ("Commits are signed with GPG.", "Commits are signed with SSH.", ("GPG", "SSH")),
    ("Ids are UUIDv4.", "Ids are UUIDv7.", ("UUIDv4", "UUIDv7")),
    ("Sessions are stored in Redis.", "Sessions are now stored in Postgres.", ("Redis", "Postgres")),
    (
        "Sessions are stored in Redis.",
        "Sessions are stored in Postgres instead of Redis.",
        ("Redis", "Postgres"),
    ),
    ("Secrets are kept in Vault.", "Secrets are kept in Doppler.", ("Vault", "Doppler")),
    ("We use yarn for packages.", "We use pnpm for packages.", ("yarn", "pnpm")),
    (
        "Dates are formatted DD/MM/YYYY.",
        "Dates are formatted YYYY-MM-DD.",
        ("DD / MM / YYYY", "YYYY - MM - DD"),
    ),
]
APART = [
    ("Table names are plural.", "Table names are snake_case."),
    ("Commits are signed with GPG.", "Commits are signed with care."),
    ("Sessions are stored in Redis.", "Carts are stored in Postgres."),
    ("Sessions are stored in Redis.", "Sessions are also stored in Postgres."),
    ("Sessions were stored in Redis.", "Sessions are stored in Postgres."),
    ("Sessions are stored in Redis for the kiosk.", "Sessions are stored in Postgres for the api."),
    ("Sessions are stored in Postgres.", "Sessions are stored in PostgreSQL."),
    ("Secrets are kept in Vault.", "Secrets are kept in HashiCorp Vault."),
    ("Keys are stored in Vault.", "Keys may be stored in Doppler."),
    ("Are sessions stored in Redis?", "Sessions are stored in Postgres."),
    ("Data stored in Redis expires.", "Data stored in Postgres expires."),
    ("Functions have at most 30 lines.", "Methods have at most 60 lines."),
    ("Lines are at most 100 characters.", "Lines are at least 10 characters."),
    ("I follow Google.", "I follow Apple."),
    ("Ana follows Ben.", "Ana follows Carla."),
    ("We use yarn for packages.", "We use npm for the kiosk."),
    ("We use Redis for sessions.", "We use Postgres for bookings."),
    ("The staging server is slow.", "The staging server is down."),
    ("Books are kept in boxes.", "Books are kept in Graz."),
    ("Errors go to Sentry.", "Errors go to Grafana."),
    ("The api is hosted on AWS in Dublin.", "The api is hosted on GCP in Oslo."),
]


@pytest.mark.parametrize(("former", "later", "values"), CHANGED)
def test_another_value_of_a_convention_contradicts_the_former(former, later, values):
    for one, other, words in ((former, later, values), (later, former, values[::-1])):
        found = difference(one, other)
        assert found is not None
        assert found.words == words


@pytest.mark.parametrize(("one", "other"), APART)
def test_two_conventions_contradict_nothing(one, other):
    assert difference(one, other) is None
    assert difference(other, one) is None


@pytest.mark.parametrize(("former", "later", "values"), CHANGED)
def test_of_a_convention_that_changed_upkeep_pins_the_former_no_more(former, later, values):
    clock = FrozenClock("2026-07-13T09:00:00Z")
    with Memory(":memory:", clock=clock) as memory:
        memory.add(former, type="constraint", project="t")
        clock.advance(days=30)
        memory.maintain(["consolidate", "profile"])
        assert former in memory.core_profile(project="t").text
        memory.add(later, type="constraint", project="t")
        memory.maintain(["consolidate", "profile"])
        assert former not in memory.core_profile(project="t").text
