import json

import pytest

from benchmarks import BENCHES
from benchmarks.measures import MEASURES
from simonides.errors import InvalidInput


def test_a_set_is_measured_overall_and_by_category_beside_the_baselines(data, capsys):
    outcome = BENCHES["locomo"].run(["--data", str(data), "--compare", "--workers", "1"])
    assert outcome["sizes"] == {"worlds": 2, "questions": 4, "turns": 12}
    overall = outcome["figures"]["overall"]
    assert set(overall) == {"simonides", "BM25", "vectors"}
    assert all(set(means) == set(MEASURES) for means in overall.values())
    assert outcome["figures"]["categories"]["1"]["simonides"]["MRR"] == 1.0
    differences = outcome["figures"]["differences"]
    assert set(differences) == {"BM25", "vectors"}
    for mean, lower, upper in differences["BM25"].values():
        assert lower <= mean <= upper
    assert set(outcome["figures"]["categories"]["1"]["differences"]) == {"BM25", "vectors"}
    printed = capsys.readouterr().out
    assert "1 multi-hop" in printed
    assert "simonides − BM25" in printed


def test_the_result_is_printed_and_written_as_json(data, capsys, tmp_path):
    out = tmp_path / "results" / "locomo.json"
    outcome = BENCHES["locomo"].run(["--data", str(data), "--workers", "1", "--json", "--out", str(out)])
    assert json.loads(capsys.readouterr().out) == json.loads(out.read_text("utf-8"))
    assert {"name", "commit", "version", "machine", "seed", "sizes", "figures"} <= set(outcome)
    assert {"cpu", "cores", "python", "sqlite"} <= set(outcome["machine"])


def test_several_processes_measure_what_one_does(data, capsys):
    alone, together = (
        BENCHES["locomo"].run(["--data", str(data), "--workers", str(workers)])["figures"]
        for workers in (1, 2)
    )
    assert together["overall"] == alone["overall"]
    assert together["categories"] == alone["categories"]


def test_kept_stores_are_used_again(data, capsys, tmp_path):
    arguments = ["--data", str(data), "--workers", "1", "--stores", str(tmp_path / "stores")]
    first = BENCHES["locomo"].run(arguments)["figures"]
    second = BENCHES["locomo"].run(arguments)["figures"]
    assert first["overall"] == second["overall"]
    assert "add_turns_per_s" in first
    assert "add_turns_per_s" not in second


def test_the_shipped_sample_needs_no_data(capsys):
    outcome = BENCHES["sample"].run([])
    assert outcome["sizes"]["worlds"] == 1
    assert 0 < outcome["figures"]["overall"]["simonides"]["R@10"] <= 1


def test_what_is_asked_for_besides_gets_rows_of_its_own(data, capsys):
    outcome = BENCHES["locomo"].run(
        ["--data", str(data), "--workers", "1", "--profile", "balanced", "--embedder", "bundled"]
    )
    assert list(outcome["figures"]["overall"]) == ["simonides", "simonides, bundled", "profile balanced"]
    assert outcome["figures"]["differences"]["profile balanced"]["MRR"] == (0.0, 0.0, 0.0)
    assert outcome["settings"]["rows"]["profile balanced"]["asking"] == {"profile": "balanced"}
    assert "search p50, ms, profile balanced" in capsys.readouterr().out


def test_an_unknown_profile_or_weight_is_refused(data):
    with pytest.raises(InvalidInput, match="unknown profile 'best'"):
        BENCHES["locomo"].run(["--data", str(data), "--workers", "1", "--profile", "best"])
    with pytest.raises(InvalidInput, match="there is no setting 'luck'"):
        BENCHES["locomo"].run(["--data", str(data), "--weights", "luck=1"])


def test_a_provider_that_fails_is_named_beside_the_figures(data, capsys):
    name = "ollama:no-such-model"
    outcome = BENCHES["locomo"].run(["--data", str(data), "--workers", "1", "--embedder", name])
    assert list(outcome["figures"]["degraded"]) == [f"simonides, {name}"]
    assert sum(outcome["figures"]["degraded"][f"simonides, {name}"].values()) >= 4
    assert "what did not work as it should" in capsys.readouterr().out


def test_a_store_is_measured_after_upkeep_too_with_what_its_contexts_hold(data):
    outcome = BENCHES["locomo"].run(["--data", str(data), "--workers", "1", "--upkeep"])
    figures = outcome["figures"]
    assert list(figures["overall"]) == ["simonides", "after upkeep", "after upkeep, credited"]
    credited, strict = figures["overall"]["after upkeep, credited"], figures["overall"]["after upkeep"]
    assert credited["R@10"] >= strict["R@10"] > 0
    assert figures["context"]["simonides"]["tokens"] > 0
    assert 0 < figures["context"]["after upkeep"]["evidence"] <= 1
