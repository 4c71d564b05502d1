import json

import pytest

from simonides.bench import BENCHES
from simonides.bench.corpus import Corpus
from simonides.bench.install import base_install
from simonides.bench.report import report
from simonides.bench.speed import ONE, TEN, tables
from simonides.sample import load_sample


@pytest.fixture(scope="module")
def sample():
    return load_sample()


def test_the_same_seed_makes_the_same_corpus_and_another_seed_another(sample):
    texts = Corpus(sample, 1).texts(300)
    assert Corpus(sample, 1).texts(300) == texts
    assert Corpus(sample, 1).texts(100) == texts[:100]
    assert not set(Corpus(sample, 2).texts(300)) & set(texts)
    assert not set(Corpus(sample, 1).texts(300, part=1)) & set(texts)


def test_a_sentence_has_twenty_to_thirty_words_and_none_is_there_twice(sample):
    texts = Corpus(sample, 1).texts(2000)
    assert {len(text.split()) for text in texts} == set(range(20, 31))
    assert len(set(texts)) == len(texts)


def test_half_of_the_questions_are_real_and_half_are_words_of_one_text(sample):
    texts = Corpus(sample, 1).texts(50)
    questions = Corpus(sample, 1).questions(texts, 40)
    real = {question.text for question in sample.questions}
    assert [text is None for _, text in questions] == [True, False] * 20
    for question, text in questions:
        if text is None:
            assert question in real
        else:
            assert len(question.split()) == 4
            assert set(question.split()) <= set(texts[text].split())


def test_a_small_run_returns_every_figure(capsys):
    outcome = BENCHES["speed"].run(
        ["--sizes", "100,200", "--queries", "12", "--adds", "10", "--fresh", "1", "--json"]
    )
    json.loads(capsys.readouterr().out)
    figures = outcome["figures"]
    for size in ("100", "200"):
        found = figures[size]
        assert found["not_accepted"] == 0
        for name in ("add_ms", "turn_ms", "bare_commit_ms"):
            assert 0 < found[name]["p50"] <= found[name]["p99"]
        for name in ("bulk_items_per_s", "threads_items_per_s", "file_bytes_per_item"):
            assert found[name] > 0
        for layout in (TEN, ONE):
            assert set(found[layout]["search_ms"]) == {"p50", "p95", "p99"}
            assert found[layout]["context_ms"]["p50"] > 0
            assert found[layout]["first_hit_s"] > 0
            assert found[layout]["rss_mb"] > 10
    assert 0 < figures["import_s"] < 30
    assert len(figures["ratios"]) == 3
    report(tables(outcome))
    printed = capsys.readouterr().out
    assert "100 items  200 items" in printed
    assert "search k=10, one scope, p99, ms" in printed


@pytest.mark.parametrize("sizes", ["many", "5"])
def test_sizes_that_cannot_be_measured_are_refused(sizes, capsys):
    with pytest.raises(SystemExit):
        BENCHES["speed"].run(["--sizes", sizes])
    assert "--sizes" in capsys.readouterr().err


def test_the_base_install_holds_what_simonides_needs_and_no_extra():
    distributions, size = base_install()
    assert {"simonides", "apsw", "numpy", "pydantic", "pydantic-core"} <= set(distributions)
    assert not {"openai", "sentence-transformers", "pytest"} & set(distributions)
    assert size == sum(distributions.values()) > 1_000_000
