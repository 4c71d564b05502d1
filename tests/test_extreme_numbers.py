"""Numbers at the ends of what a float holds: a setting or a field is refused by name, or works without a warning."""

import math
import warnings
from contextlib import suppress
from dataclasses import fields, is_dataclass
from typing import get_args

import pytest

from simonides.config import Settings, _types_of, is_tuned, load
from simonides.errors import InvalidInput, InvalidSettings
from simonides.memory import Memory
from simonides.testing import FakeEmbedder, FrozenClock

TINY, HUGE = 5e-324, 1.7976931348623157e308
EXTREMES = (HUGE, 1e308, -HUGE, math.inf, -math.inf, math.nan, -0.0, 1e-320, TINY, -TINY)
WHOLE = (2**31, 2**63, 2**64, -1, 10**30)


def numeric(kind, where=""):
    """Names of the settings that are numbers, and their kinds."""
    hints = _types_of(kind)
    for one in fields(kind):
        if is_tuned(one):
            continue
        hint, inner = hints[one.name], next((k for k in get_args(hints[one.name]) if is_dataclass(k)), None)
        if is_dataclass(hint):
            yield from numeric(hint, f"{where}{one.name}.")
        elif one.name == "types":
            yield from numeric(inner, "types.recipe.")
        elif inner is not None:
            continue
        for number in {hint, *get_args(hint)} & {int, float}:
            yield f"{where}{one.name}", number


SETTINGS = sorted(set(numeric(Settings)), key=lambda setting: (setting[0], setting[1].__name__))


def used(memory, clock):
    """Use what computes with numbers."""
    type_ = next(iter(memory.settings.types), "fact")
    memory.add(["The dome is green in May.", "Ana paints the dome."], type=type_)
    memory.add([{"role": "user", "content": "I live in Bern."}], session_id="monday")
    clock.advance(days=30)
    for scope in ("global", "user:ana"):
        memory.search("Where is the dome?", scope=scope)
        memory.context("dome", scope=scope)
    memory.weak()
    memory.maintain()
    clock.advance(days=3000)
    memory.search("dome")
    return memory.explain(memory.list()[0].id)


def loaded(file):
    """Settings, or why they are refused."""
    try:
        return load(file, {}), ""
    except InvalidSettings as error:
        return None, str(error)


@pytest.mark.parametrize(("name", "kind"), SETTINGS)
def test_a_setting_that_is_an_extreme_number_is_refused_by_name_or_works(tmp_path, name, kind):
    section, _, field = name.rpartition(".")
    for value in WHOLE if kind is int else EXTREMES:
        file = tmp_path / "simonides.toml"
        file.write_text(f"[{section}]\n{field} = {value!r}\n")
        settings, refusal = loaded(file)
        if settings is None:
            assert field in refusal, value
            continue
        assert math.isfinite(value), value
        clock = FrozenClock("2026-03-01T12:00:00Z")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with Memory(":memory:", settings=settings, embedder=FakeEmbedder(8), clock=clock) as memory:
                used(memory, clock)


def ways(value, item_id):
    """Calls of a memory that take the number."""
    for name in ("decay_rate", "confidence", "importance"):
        yield lambda memory, name=name: memory.update(item_id, **{name: value})
        yield lambda memory, name=name: memory.add(
            [{"content": "The dome leaks.", "type": "fact", name: value}]
        )
        yield lambda memory, name=name: memory.load(
            [{"kind": "item", "content": "The dome has doors.", "type": "fact", name: value}]
        )
    yield lambda memory: memory.reinforce(item_id, value)
    yield lambda memory: memory.demote(item_id, value)
    yield lambda memory: memory.weak(below=value)
    yield lambda memory: memory.records.put("notes", "boat", value)
    yield lambda memory: memory.records.put("notes", "boat", 1, ttl=value)
    yield lambda memory: memory.update(item_id, metadata={"depth": value})


@pytest.mark.parametrize("value", [*EXTREMES, *WHOLE])
def test_a_field_that_is_an_extreme_number_is_refused_or_works(value):
    clock = FrozenClock("2026-03-01T12:00:00Z")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with Memory(":memory:", embedder=FakeEmbedder(8), clock=clock) as memory:
            [item_id] = memory.add("The dome has a lamp.", type="fact").item_ids
            for way in ways(value, item_id):
                with suppress(InvalidInput):
                    way(memory)
            explained = used(memory, clock)
            assert math.isfinite(explained.effective_confidence)
            assert memory.doctor().problems == ()
