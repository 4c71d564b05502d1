import importlib.util
import json
import shutil
from pathlib import Path

import pytest

from benchmarks import BENCHES

MEANS = {"R@1": 0.4, "R@3": 0.5, "R@5": 0.6, "R@10": 0.7, "MRR": 0.6}
WAYS = {"trees": MEANS, "first look": MEANS, "BM25": MEANS, "vectors": MEANS}
JUDGED = {"questions": 4, "error": 0.03, "auc": 0.9, "reliability": [{"said": 0.2, "so": 0.25, "share": 1.0}]}
RANKER = {
    "commit": None,
    "machine": {"cores": 2, "cpu": "some", "python": "3.11", "sqlite": "3.54"},
    "figures": {
        "locomo": {"kind": "turns", "questions": 4, **WAYS, "lead in R@10": {"BM25": [0.1, 0.0, 0.2]}},
    },
    "kinds": {"turns": WAYS, "every set": WAYS},
    "confidence": {
        "world left out": {"all": JUDGED, "kinds": {"turns": JUDGED}},
        "set left out": {"all": JUDGED, "kinds": {"turns": JUDGED}},
        "bounds": [{"bound": 0.2, "answerable below": 0.05, "others below": 0.5}],
    },
}
#: Results that the repository keeps; `tests/bench/test_sets.py` makes one anew.
RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"
SCRIPT = Path(__file__).parents[2] / "scripts" / "docs_figures.py"


@pytest.fixture
def filled():
    spec = importlib.util.spec_from_file_location("docs_figures", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.filled


def block(name):
    return f"before\n<!-- figures {name} -->\nold\n<!-- /figures -->\nafter\n"


def test_results_become_tables_of_the_page(data, filled, tmp_path, capsys):
    results = tmp_path / "results"
    common = ["--data", str(data), "--workers", "1"]
    BENCHES["locomo"].run([*common, "--compare", "--out", str(results / "locomo.json")])
    (results / "ranker.json").write_text(json.dumps(RANKER))
    shutil.copy(RESULTS / "determinism.json", results)
    retrieval, kinds, held, calibration, determinism = (
        filled(block(name), results) for name in ("retrieval", "kinds", "held", "calibration", "determinism")
    )
    assert "**LoCoMo: 2 worlds, 4 questions, 12 turns**" in retrieval
    assert "| | R@5 | R@10 | MRR | lead in R@5 (95 %) |" in retrieval.replace("|  |", "| |")
    assert "| 1 multi-hop | 2 | 1.000 |" in kinds
    assert "| LoCoMo, 4 questions | 0.400 | 0.500 |" in held
    assert "| all | 0.030 | 0.900 |" in calibration
    assert "| 0.200 | 0.050 | 0.500 | 0.700 |" in calibration
    assert "| sample | " in determinism
    for page in (retrieval, kinds, held, calibration, determinism):
        assert page.startswith("before\n<!-- figures ")
        assert page.endswith("<!-- /figures -->\nafter\n")
        assert "old" not in page


def test_a_bench_without_a_result_leaves_its_block_empty(filled, tmp_path):
    page = filled(block("abstain"), tmp_path)
    assert page.replace("\n", "") == "before<!-- figures abstain --><!-- /figures -->after"
