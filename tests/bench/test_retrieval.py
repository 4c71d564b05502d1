import json

import pytest

from simonides.bench import BENCHES
from simonides.bench.measures import MEASURES
from simonides.bench.retrieval import recall_settings
from simonides.errors import InvalidInput


def test_a_set_is_measured_overall_and_by_category_beside_the_baselines(data, capsys):
    outcome = BENCHES["locomo"].run(["--data", str(data), "--compare", "--workers", "1"])
    assert outcome["sizes"] == {"worlds": 2, "questions": 4, "turns": 12}
    overall = outcome["figures"]["overall"]
    assert set(overall) == {"simonides", "BM25", "vectors"}
    assert all(set(means) == set(MEASURES) for means in overall.values())
    assert outcome["figures"]["categories"]["1"]["simonides"]["MRR"] == 1.0
    assert set(outcome["figures"]["difference_in_R@10"]) == {"BM25", "vectors"}
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


def test_weights_and_bounds_of_the_read_path_can_be_changed():
    changed = recall_settings({"min_relevance": "0", "prior_span": "0.05"})
    assert changed.min_relevance == 0.0
    assert changed.weights.prior_span == 0.05


def test_an_unknown_weight_is_refused_with_those_there_are():
    with pytest.raises(InvalidInput, match=r"there is no weight 'luck'; use one of .*prior_span"):
        recall_settings({"luck": "1"})
    with pytest.raises(InvalidInput, match="prior_span takes a float, not 'much'"):
        recall_settings({"prior_span": "much"})
