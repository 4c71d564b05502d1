"""The ranking profiles, each over every set."""

from __future__ import annotations

from typing import Any

from benchmarks.report import finish, options_of
from benchmarks.sets import measure_sets, set_options, set_tables
from benchmarks.variants import Variant
from simonides.memory import PROFILES


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Measure as the options say."""
    parser = options_of(name, "Every ranking profile, beside plain BM25 and vectors; the default one first.")
    set_options(parser)
    options = parser.parse_args(arguments)
    variants = [Variant(profile, asking={"profile": profile}) for profile in PROFILES]
    outcome = measure_sets(name, variants, options)
    return finish(outcome, set_tables(outcome), options)
