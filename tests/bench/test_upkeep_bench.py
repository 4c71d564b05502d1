import json

import pytest

from benchmarks import BENCHES, upkeep_world
from benchmarks.upkeep import shared


def test_a_small_night_is_measured_with_every_figure(tmp_path, capsys):
    outcome = BENCHES["upkeep"].run(["--turns", "60", "--days", "4", "--out", str(tmp_path / "upkeep.json")])
    merges, night = outcome["figures"]["merges"], outcome["figures"]["night"]
    assert merges["pairs"] > 0
    assert merges["precision"] == 1
    assert merges["recall"] > 0.5
    assert set(merges["wrong"].values()) == {0}
    assert outcome["figures"]["lost"] == []
    assert night["errors"] == []
    assert night["jobs_s"]["consolidate"] > 0
    assert night["peak_mb"] > 0
    assert json.loads((tmp_path / "upkeep.json").read_text("utf-8"))["name"] == "upkeep"
    assert "merge precision" in capsys.readouterr().out


def test_the_same_seed_makes_the_same_world():
    assert upkeep_world.make(50, 20, 10, 3) == upkeep_world.make(50, 20, 10, 3)
    assert upkeep_world.make(50, 20, 10, 3) != upkeep_world.make(50, 20, 10, 4)


def test_a_world_holds_duplicates_and_near_duplicates_of_each_kind():
    world = upkeep_world.make(2000, 10, 60, 1)
    assert {note.kind for note in world.notes} == {
        "same",
        "number",
        "date",
        "name",
        "negation",
        "word",
        "order",
    }
    assert len({note.meaning for note in world.notes}) < len(world.notes)
    assert len({(note.scope, note.text) for note in world.notes}) == len(world.notes)
    assert all(0 <= note.at_day < 60 for note in world.notes)


@pytest.mark.parametrize("frame", upkeep_world.FRAMES, ids=lambda frame: frame.tag)
def test_every_wording_of_a_frame_has_the_same_slots(frame):
    for wording in (*frame.wordings, frame.denied, frame.swapped):
        assert not wording or all(f"{{{slot}}}" in wording for slot in frame.slots)


def test_shared_words_are_counted_without_case_and_plain_words():
    assert shared("Ana rows on the river", "The river: Ana rows, on a boat!") == pytest.approx(3 / 4)
