"""Simulated weeks and months with the nightly jobs each night, and a clock that only moves when it is told."""

import random
from dataclasses import replace

from simonides.config import Settings, StoreSettings
from simonides.domain.item import Status
from simonides.domain.run import RunStatus
from simonides.domain.taxonomy import Tier
from simonides.upkeep.settings import UpkeepSettings

NIGHTLY = ["expire", "consolidate", "decay", "corecall", "palace", "embed", "similar", "prune"]


def night(memory, clock):
    clock.advance(days=1)
    run = memory.maintain(NIGHTLY)
    assert run.status is RunStatus.DONE, run.error
    return run


def test_an_untouched_fact_lives_until_day_64_and_used_ones_live_on(open_memory, clock):
    memory = open_memory()
    fact = memory.add("Petra likes figs.", type="fact", confidence=0.8).verdicts[0].item_id
    used = memory.add("Ruben plays chess on Sundays.", type="fact", confidence=0.8).verdicts[0].item_id
    seen = memory.add("The roof was mended.", type="fact", confidence=0.8).verdicts[0].item_id
    kept = [
        memory.add("I am Petra.", type="identity").verdicts[0].item_id,
        memory.add("We ship on Fridays.", type="decision").verdicts[0].item_id,
        memory.confirm(memory.add("The attic is dry.", type="fact").verdicts[0].item_id).id,
        memory.add("The cellar is wet.", type="fact", pinned=True).verdicts[0].item_id,
    ]
    moment = memory.add("The build is running.", type="temp").verdicts[0].item_id
    turn = (
        memory.add([{"role": "user", "content": "Hello there, it is me."}], session_id="s")
        .verdicts[0]
        .item_id
    )
    died = {}
    for day in range(1, 91):
        night(memory, clock)
        memory.get(seen)
        memory.explain(seen)
        memory.context("what about the roof?")
        if day % 20 == 0:
            memory.get(used, used=True, asked_in=f"day {day}")
            memory.flush()
        for item_id in (fact, used, seen, moment, turn, *kept):
            if memory.get(item_id).status is not Status.ACTIVE:
                died.setdefault(item_id, day)
    assert abs(died.pop(fact) - 64) <= 1
    assert abs(died.pop(seen) - 64) <= 1  # A look is no use.
    assert abs(died.pop(moment) - 54) <= 1
    assert died == {}
    assert memory.get(fact).confidence == 0.8
    assert memory.get(seen).usage_count == 0
    assert memory.get(seen).tier is Tier.STM
    assert memory.doctor().healthy


def test_a_store_that_grows_every_day_stays_under_its_limit_and_loses_nothing(open_memory, clock, path):
    settings = replace(
        Settings(store=StoreSettings(synchronous="NORMAL")), upkeep=UpkeepSettings(max_size="600KB")
    )
    memory = open_memory(settings=settings)
    rng = random.Random(7)
    ids = []
    moved = 0
    for day in range(45):
        words = [" ".join(f"w{rng.randrange(10**5)}" for _ in range(60)) for _ in range(6)]
        ids += [verdict.item_id for verdict in memory.add([f"{day} {text}" for text in words]).verdicts]
        clock.advance(days=1)
        moved += memory.maintain(["decay", "prune"]).counts.get("moved", 0)
        assert memory.stats()["live_bytes"] <= 600_000
    assert moved > 50
    assert path.stat().st_size <= 660_000
    there = {item.id for item in memory.list(archived=True, limit=10_000)}
    assert there == set(ids)
    assert memory.stats()["archive"]["items"] == moved
    assert memory.doctor().healthy
    assert memory.restore(ids[0]).outcome == "accepted"
