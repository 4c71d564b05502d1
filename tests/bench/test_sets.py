import pytest

from benchmarks import BENCHES
from benchmarks.determinism import differences
from simonides.memory import PROFILES


def run(bench, data, *more):
    return BENCHES[bench].run(["--data", str(data), "--set", "locomo", "--workers", "1", *more])


def test_every_profile_has_a_row(data, capsys):
    outcome = run("profiles", data)
    assert list(outcome["figures"]["locomo"]["overall"]) == [*PROFILES, "BM25", "vectors"]
    for by_measure in outcome["figures"]["locomo"]["differences"].values():
        assert all(lower <= mean <= upper for mean, lower, upper in by_measure.values())
    assert outcome["sizes"]["locomo"] == {"worlds": 2, "questions": 4, "turns": 12}
    assert next(iter(PROFILES)) in capsys.readouterr().out


def test_an_unknown_set_is_refused_with_those_there_are(data, capsys):
    with pytest.raises(SystemExit):
        BENCHES["profiles"].run(["--data", str(data), "--set", "moon"])
    assert "there is no set 'moon'; known are locomo" in capsys.readouterr().err


def test_two_processes_answer_alike(data, capsys):
    figures = run("determinism", data, "--questions", "2")["figures"]
    assert list(figures) == ["sample", "locomo"]
    for found in figures.values():
        assert found["answers"] > 0
        assert (found["differ"], found["differences"]) == (0, [])
    assert "answers of two processes" in capsys.readouterr().out


def test_what_differs_is_said_with_its_place():
    first = {"hits": [{"score": 0.5, "signals": {"lex": 1.0}}], "abstained": False}
    second = {"hits": [{"score": 0.5, "signals": {"lex": 0.9}}, {}], "abstained": False}
    assert list(differences(first, second)) == ["hits[0].signals.lex: 1.0 and 0.9", "hits[1]: null and {}"]
    assert list(differences(first, first)) == []
