import json

import numpy as np
import pytest

from benchmarks import BENCHES
from benchmarks.vector_sets import clusters, texts


def test_every_kind_that_is_installed_is_measured(tmp_path, capsys):
    kinds = ["exact", "faiss-pq", "sqlite-vec"]
    out = tmp_path / "vectors.json"
    options = f"--sizes 1000 --texts 1000 --kinds {','.join(kinds)} --queries 20".split()
    outcome = BENCHES["vectors"].run([*options, "--folder", str(tmp_path), "--out", str(out)])
    assert json.loads(out.read_text()) == json.loads(json.dumps(outcome))
    for origin in ("clusters", "texts"):
        figures = outcome["figures"][origin]["1000"]
        assert set(figures) <= set(kinds)
        assert figures["exact"]["k80"]["recall"] == figures["exact"]["scoped"]["k10"]["recall"] == 1.0
        assert figures["exact"]["disk_mb"] == 0
        for measured in figures.values():
            assert 0.9 < measured["k10"]["recall"] <= 1.0
            assert measured["k10"]["ms"].keys() == {"p50", "p95"}
            assert measured["open_s"] > 0
    assert [path.name for path in tmp_path.iterdir()] == ["vectors.json"]
    printed = capsys.readouterr().out
    assert "1,000 vectors of clusters" in printed
    assert "one of ten scopes" in printed


@pytest.mark.parametrize("arguments", [["--kinds", "annoy"], ["--sizes", "ten"], ["--sizes", "10"]])
def test_what_cannot_be_measured_is_refused(arguments):
    with pytest.raises(SystemExit):
        BENCHES["vectors"].run(arguments)


@pytest.mark.parametrize("make", [clusters, texts])
def test_the_same_seed_gives_the_same_unit_vectors(make, tmp_path):
    for name in "abc":
        (tmp_path / name).mkdir()
    first, second = make(300, 10, 1, tmp_path / "a"), make(300, 10, 1, tmp_path / "b")
    assert np.array_equal(first.rows, second.rows)
    assert np.array_equal(first.questions, second.questions)
    assert np.allclose(np.linalg.norm(first.rows, axis=1), 1, atol=1e-5)
    assert not np.array_equal(first.rows, make(300, 10, 2, tmp_path / "c").rows)


def test_vectors_of_a_cluster_are_near_each_other_and_far_from_others(tmp_path):
    made = clusters(2000, 50, 1, tmp_path)
    nearest = np.sort(made.rows @ made.questions.T, axis=0)[::-1]
    assert np.median(nearest[0]) > 0.5
    assert abs(np.median(nearest)) < 0.1
