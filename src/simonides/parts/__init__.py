"""The parts of a Memory that have verbs of their own, one file each."""

from simonides.parts.audit import Audit
from simonides.parts.documents import Documents
from simonides.parts.entities import Entities
from simonides.parts.palace import Palace
from simonides.parts.records import Records
from simonides.parts.review import Contradicted, Quarantined, Review
from simonides.parts.runs import Runs
from simonides.parts.schedule import Schedule
from simonides.parts.sessions import Sessions

__all__ = [
    "Audit",
    "Contradicted",
    "Documents",
    "Entities",
    "Palace",
    "Quarantined",
    "Records",
    "Review",
    "Runs",
    "Schedule",
    "Sessions",
]
