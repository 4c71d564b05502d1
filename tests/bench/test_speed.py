import json
from dataclasses import fields
from pathlib import Path
from typing import ClassVar

import pytest

import simonides
from benchmarks import BENCHES, against, rounds
from benchmarks.corpus import Corpus
from benchmarks.course import ONE, TEN, Course, Effort
from benchmarks.install import base_install
from benchmarks.report import report
from benchmarks.speed import index_settings, measure, tables
from benchmarks.trees import Tree
from simonides import Memory
from simonides.config import Settings
from simonides.errors import InvalidInput
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
    questions = Corpus(sample, 1).questions(50, 40)
    real = {question.text for question in sample.questions}
    assert [text is None for _, text in questions] == [True, False] * 20
    for question, text in questions:
        if text is None:
            assert question in real
        else:
            assert len(question.split()) == 4
            assert set(question.split()) <= set(texts[text].split())


class Inside(Tree):
    """This version in this process: what takes the times is not the point here. Its first hit is timed once."""

    first_hits: ClassVar[list[tuple[float, float]]] = []

    def run(self, plan, place):
        do = {"fill": rounds.fill, "index": rounds.index, "measure": rounds.measure}[plan["do"]]
        return do(dict(plan, settings=self.settings))

    def first_hit(self, path, question, scope, place, attempts):
        if not self.first_hits:
            self.first_hits.append(super().first_hit(path, question, scope, place, attempts))
        return self.first_hits[0]


class Once(Inside):
    """Another version: of each kind of work a process of it does the first, and this one the rest."""

    done: ClassVar[set[str]] = set()
    first_hits: ClassVar[list[tuple[float, float]]] = []

    def run(self, plan, place):
        if plan["do"] in self.done:
            return super().run(plan, place)
        self.done.add(plan["do"])
        return Tree.run(self, plan, place)


def test_a_small_run_returns_every_figure(sample, tmp_path, capsys):
    course = Course(Corpus(sample, 1), effort := Effort(queries=4, adds=3, fresh=1, bulk=10), tmp_path, None)
    outcome = measure(course, [30, 60], effort, {}, Inside.own({}))
    figures = json.loads(json.dumps(outcome))["figures"]
    for size in ("30", "60"):
        found = figures[size]
        assert found["not_accepted"] == 0
        for name in ("add_ms", "turn_ms", "bare_commit_ms"):
            assert 0 < found[name]["p50"] <= found[name]["p99"]
        for name in (
            "fill_items_per_s",
            "bulk_items_per_s",
            "threads_items_per_s",
            "file_bytes_per_item",
        ):
            assert found[name] > 0
        for layout in (TEN, ONE):
            assert set(found[layout]["search_ms"]) == {"p50", "p95", "p99"}
            assert found[layout]["context_ms"]["p50"] > 0
            assert found[layout]["first_hit_s"] > 0
            assert found[layout]["rss_mb"] > 10
    assert 0 < figures["import_s"] < 30
    growth = [name for name in figures["ratios"] if "60 ÷ 30 items" in name]
    assert {name.partition(" p50")[0] for name in growth} >= {"search", "context"}
    report(tables(outcome))
    printed = capsys.readouterr().out
    assert "30 items  60 items" in printed
    assert "search k=10, one scope, p99, ms" in printed


def test_the_texts_of_a_part_come_one_after_the_other(sample):
    stream = Corpus(sample, 1).stream(3)
    assert [next(stream) for _ in range(5)] == Corpus(sample, 1).texts(5, part=3)


def test_kept_stores_are_filled_once_and_stay_as_they_were(sample, tmp_path, capsys):
    (place := tmp_path / "place").mkdir()
    course, own = Course(Corpus(sample, 1), Effort(), place, tmp_path / "kept"), Inside.own({})
    with course.stores([own], 50, TEN) as (first,):
        assert first.fill["not_accepted"] == 0
        (kept,) = (tmp_path / "kept").iterdir()
        before = kept.read_bytes()
        with Memory(first.path) as memory:
            memory.add("written to the copy only")
    with course.stores([own], 50, TEN) as (second,):
        assert second.fill is None
        assert second.path.read_bytes() == kept.read_bytes() == before
        assert second.size_bytes == len(before)
    assert list(place.iterdir()) == []
    assert capsys.readouterr().err.count("filling") == 1


def test_a_store_is_filled_piece_by_piece(tmp_path):
    texts = tmp_path / "texts"
    texts.write_text("".join(f"parcel {n} waits at gate {n % 7}\n" for n in range(25)), "utf-8")
    plan = {"path": str(tmp_path / "filled.db"), "texts": str(texts), "scopes": ["project:a", "project:b"]}
    filled = rounds.fill(plan | {"size": 20, "settings": {}}, piece=6)
    assert (filled["not_accepted"], filled["calls"]) == (0, 4)
    with Memory(plan["path"]) as memory:
        assert memory.stats()["by_scope"] == {"project:a": 10, "project:b": 10}


def test_another_index_is_refused_where_there_is_one_only():
    assert index_settings(None) == {}
    if "index" not in {entry.name for entry in fields(Settings)}:
        with pytest.raises(InvalidInput, match="leave --index out"):
            index_settings("faiss")


def test_another_source_tree_is_measured_by_turns_with_this_one(sample, tmp_path, capsys):
    package = Path(simonides.__file__).parent
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "simonides").symlink_to(package, target_is_directory=True)
    (place := tmp_path / "place").mkdir()
    effort = Effort(queries=2, adds=2, fresh=1, bulk=10)
    course = Course(Corpus(sample, 1), effort, place, None)
    outcome = against.measure(course, (Inside.own({}), Once.other(tmp_path, {})), [30], effort, 1)
    report(against.tables(outcome))
    for layout, names in ((TEN, {"search_ms", "context_ms", "add_ms"}), (ONE, {"search_ms", "first_hit_s"})):
        found = outcome["figures"]["30"][layout]
        assert names <= set(found)
        for compared in found.values():
            assert 0 < compared["from"] <= compared["here ÷ there"] <= compared["to"]
    printed = capsys.readouterr()
    assert "here ÷ there" in printed.out
    assert "round 1 of 1" in printed.err


def test_a_folder_without_the_package_is_not_compared_with_itself(tmp_path):
    with pytest.raises(InvalidInput, match="holds no package simonides"):
        BENCHES["speed"].run(["--sizes", "60", "--against", str(tmp_path)])


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
