"""Round trips: whatever is kept is exported, and whatever is exported loads again as it was."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides import Memory
from simonides.errors import SimonidesError
from simonides.testing import FakeEmbedder, FrozenClock

_BLANKS = " \n\t\r\v\f\x1c\x85\u2028\u2029\u200b\ufeff"
_SIGNS = _BLANKS + "'\"«»“”„《》「」@#%/:;,.-_=+()[]{}<>|\\~*&!?ßŉİǅﷺ😀é李雷王ЖABZabz019"


def odd(drawn):
    """A text that some bound or rule for names may cut."""
    sizes = (2, 41, 199, 200, 201, 999, 1_000, 1_001, 3_000)
    signs = "".join(drawn.choice(_SIGNS) for _ in range(drawn.randrange(1, 79)))
    capitals = ("Ana", "Łódź", "ACME", "İstanbul", "MÜLLER")
    return drawn.choice(
        (
            drawn.choice("AZÉЖŉİ") * drawn.choice(sizes),
            signs,
            f'"A{signs}"',
            " ".join(drawn.choice(capitals) * drawn.choice((1, 1, 50)) for _ in range(drawn.randrange(1, 7))),
            f"The {'Ba' * drawn.choice(sizes)} is here, Dr. {'Lee-' * drawn.choice((1, 60, 300))}Ann and @{'x' * 30}",
            "".join(drawn.choice(_SIGNS) for _ in range(drawn.choice(sizes))),
            "李雷" * drawn.choice((1, 40, 600)),
        )
    )


def fields(drawn, ids):
    """Fields of an item, each at times, with odd values."""
    names = ("title", "session_id", "task_id", "corpus_id", "rule_id", "user_id", "project")
    chosen = {
        **{name: odd(drawn) for name in names},
        **{name: [odd(drawn) for _ in range(3)] for name in ("tags", "entities")},
        "metadata": {odd(drawn): odd(drawn), "n": drawn.choice((1e308, 2**53, -0.0, None, [odd(drawn)], 1e-320))},
        "provenance": {"source_kind": "doc", "source_id": odd(drawn)},
        "importance": drawn.choice((0.0, 1.0, 5e-324)),
    }  # fmt: skip
    if ids:
        chosen["links"] = [
            {"to": drawn.choice(ids), "rel": "supports", "evidence": odd(drawn), "weight": 1e-300}
        ]
    return {name: value for name, value in chosen.items() if drawn.random() < 0.25}


def filled(memory, drawn):
    """Write what may be written; what is refused is no matter here."""
    ids = []
    for _ in range(drawn.randrange(1, 6)):
        more = fields(drawn, ids)
        whose = {name: value for name, value in more.items() if name in {"session_id", "user_id", "project"}}
        turn = [{"role": "user", "content": odd(drawn), drawn.choice(("name", "id")): odd(drawn)}]
        writes = [
            lambda more=more: ids.extend(memory.add(odd(drawn), **more).item_ids),
            lambda turn=turn, whose=whose: memory.add(turn, **whose),
            lambda: memory.records.put(odd(drawn), odd(drawn), {"v": odd(drawn)}),
            lambda: memory.documents.put("pages", "a.md", f"# {odd(drawn)}\n\n{odd(drawn)}"),
            lambda: memory.correct(drawn.choice(ids), odd(drawn)) if ids else None,
        ]
        for write in (writes[0], *drawn.sample(writes[1:], 1)):
            try:
                write()
            except SimonidesError:
                continue


def told(memory):
    """Lines of an export."""
    return [json.dumps(line, sort_keys=True) for line in memory.export()]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1 << 32))
def test_what_is_written_with_odd_values_loads_again_as_it_was(tmp_path_factory, seed):
    folder = tmp_path_factory.mktemp("stores")
    clock = FrozenClock("2026-03-01T12:00:00Z")
    with (
        Memory(folder / "a.db", embedder=FakeEmbedder(8), clock=clock) as one,
        Memory(folder / "b.db", embedder=FakeEmbedder(8), clock=clock) as other,
    ):
        filled(one, random.Random(seed))
        lines = told(one)
        verdicts = other.load(map(json.loads, lines), trusted=True).verdicts
        assert [verdict.reasons for verdict in verdicts if not verdict.stored] == []
        assert sorted(told(other)) == sorted(lines)


@pytest.mark.parametrize(
    ("name", "kept"), [("ACGT" * 375, "ACGT" * 50), ("Ana\x85Lee", "Ana Lee"), ("Ana\tLee", "Ana\tLee")]
)
def test_a_name_that_earlier_releases_took_for_one_is_loaded_cut(tmp_path, name, kept):
    with Memory(tmp_path / "a.db", embedder=FakeEmbedder(8)) as one:
        one.add("We met Ana at the mill.", entities=["Ana"])
        lines = [dict(line) for line in one.export()]
    for line in lines:
        if line["kind"] == "entity" and line["name"] == "Ana":
            line["name"] = name
    with Memory(tmp_path / "b.db", embedder=FakeEmbedder(8)) as other:
        verdicts = other.load(lines, trusted=True).verdicts
        assert all(verdict.stored for verdict in verdicts)
        assert kept in [entity.name for entity in other.entities.list()]
