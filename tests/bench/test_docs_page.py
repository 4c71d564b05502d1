import importlib.util
import json
import shutil
from pathlib import Path

import pytest

from benchmarks import BENCHES

MEANS = {"R@3": 0.5, "R@5": 0.6, "R@10": 0.7, "MRR": 0.6}
RANKER = {
    "folds": 4,
    "figures": {
        "locomo": {
            "questions": 4,
            "trees": MEANS,
            "first look": MEANS,
            "difference in R@10": [0.1, 0.0, 0.2],
            "categories": {"1": MEANS},
        }
    },
    "ladder": {"all": {"locomo": MEANS}, "without vectors": {"locomo": MEANS}},
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
    retrieval, kinds, ladder, determinism = (
        filled(block(name), results) for name in ("retrieval", "kinds", "ladder", "determinism")
    )
    assert "**LoCoMo: 2 worlds, 4 questions, 12 turns**" in retrieval
    assert "| | R@5 | R@10 | MRR | lead in R@5 (95 %) |" in retrieval.replace("|  |", "| |")
    assert "| 1 multi-hop | 2 | 1.000 |" in kinds
    assert "| without vectors | 0.600 |" in ladder
    assert "| sample | " in determinism
    for page in (retrieval, kinds, ladder, determinism):
        assert page.startswith("before\n<!-- figures ")
        assert page.endswith("<!-- /figures -->\nafter\n")
        assert "old" not in page


def test_a_bench_without_a_result_leaves_its_block_empty(filled, tmp_path):
    page = filled(block("abstain"), tmp_path)
    assert page.replace("\n", "") == "before<!-- figures abstain --><!-- /figures -->after"
