"""A search as a picture, and why something stood in a prompt."""

import json
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from simonides import Memory
from simonides.edges.cli import picture
from simonides.edges.cli.main import app
from simonides.edges.cli.output import Output
from simonides.recall.result import Hit, SearchResult
from simonides.sample import load_sample
from simonides.testing import an_item

ROW = re.compile(r"^    (?P<name>[\w ]+?)  +(?P<bar>[━╌]*) *(?P<value>[+-]\d+\.\d\d)$", re.MULTILINE)
SUM = re.compile(
    r"^    = (?:\(?(?:(?P<base>-?[\d.]+) \(base\) [+−] )?[-\d.]+\)?(?: × (?P<factor>[\d.]+) \(factor\))? = )?"
    r"(?P<score>-?[\d.]+)$",
    re.MULTILINE,
)


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """A store that holds the sample conversation."""
    path = tmp_path_factory.mktemp("sample") / "sample.db"
    with Memory(path) as memory:
        for session in load_sample().sessions:
            memory.add([turn.to_message() for turn in session.turns], session_id=session.id)
    return path


@pytest.fixture
def store(tmp_path, monkeypatch):
    """A store that does not exist yet; the environment names it."""
    path = tmp_path / "memory.db"
    monkeypatch.setenv("SIMONIDES_DB", str(path))
    monkeypatch.chdir(tmp_path)
    return path


def run(*arguments):
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return result.stdout


class Page(Output):
    """Output that is kept, as on a terminal of so many columns or, without a number, in a pipe."""

    def __init__(self, columns=None, *, colours=False):
        super().__init__()
        self.terminal = columns is not None
        if columns is not None:
            self.__dict__ |= {"width": columns, "styled": colours}
        self.lines = []

    def line(self, text=""):
        self.lines.append(text)


def drawn(result, columns=None, *, colours=False):
    page = Page(columns, colours=colours)
    picture.show(page, result)
    return "\n".join(page.lines) + "\n"


def a_result(*hits, **fields):
    return SearchResult(
        tuple(Hit(an_item(f"text {n}"), score, 0.5, signals) for n, (score, signals) in enumerate(hits)),
        strategy="text+vectors",
        **fields,
    )


# What a score is made of


def test_the_signals_of_every_hit_add_up_to_its_score(sample):
    with Memory(sample) as memory:
        for question in load_sample().questions[:12]:
            for hit in memory.search(question.text, k=20, at=question.at, min_relevance=0):
                made = picture.makeup(hit.score, hit.signals)
                assert made.parts, hit.signals
                told = (made.base + sum(made.parts.values())) * made.factor
                assert told == pytest.approx(hit.score, abs=0.001)
                assert set(made.parts) | {"base", "factor"} >= set(hit.signals)


def test_parts_may_speak_against_a_hit_and_base_and_factor_count_once():
    made = picture.makeup(1.1, {"words": 2.0, "form": -1.0, "factor": 1.1})
    assert (made.base, dict(made.parts), made.factor) == (0.0, {"words": 2.0, "form": -1.0}, 1.1)
    added = picture.makeup(4.3, {"base": 3.0, "words": 1.0, "prior": 0.3})
    assert (added.base, dict(added.parts), added.factor) == (3.0, {"words": 1.0, "prior": 0.3}, 1.0)


@given(st.dictionaries(st.text(max_size=5), st.floats(-9, 9), max_size=6), st.floats(-9, 9))
def test_what_does_not_add_up_is_not_said_to(signals, score):
    made = picture.makeup(score, signals)
    if made.parts:
        told = (made.base + sum(made.parts.values())) * made.factor
        assert told == pytest.approx(score, abs=0.08)
    assert bool(made.parts) == bool(picture.in_words(score, signals))


# The picture


@pytest.mark.parametrize("columns", [None, 60, 80, 200])
def test_what_is_drawn_adds_up(sample, columns):
    with Memory(sample) as memory:
        result = memory.search("what may Ruben not eat?", k=5)
    text = drawn(result, columns)
    assert "\x1b" not in text
    blocks = re.split(r"(?m)^ ?\d+  ", text)[1:]
    assert len(blocks) == 5
    for block, hit in zip(blocks, result, strict=True):
        rows = list(ROW.finditer(block))
        total = SUM.search(block)
        assert float(total["score"]) == round(hit.score, 2)
        told = float(total["base"] or 0) + sum(float(row["value"]) for row in rows)
        told *= float(total["factor"] or 1)
        assert told == pytest.approx(hit.score, abs=0.01 * len(rows) + 0.02)
        longest = max(rows, key=lambda row: abs(float(row["value"])))
        assert longest is rows[0] or rows[0]["name"] == "other"
    widths = [
        sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line) for line in text.splitlines()
    ]
    if columns is not None:
        assert max(widths) <= columns


def test_the_longest_bar_belongs_to_the_largest_part_of_all_hits():
    text = drawn(a_result((4.0, {"words": 4.0}), (1.0, {"words": 2.0, "form": -1.0})))
    bars = [(row["name"], row["bar"]) for row in ROW.finditer(text)]
    assert bars == [("words", "━" * 32), ("words", "━" * 16), ("form", "╌" * 8)]


def test_small_parts_stand_together():
    signals = {"words": 2.0} | {f"part {n}": 0.03 for n in range(9)} | {"none": 0.0}
    text = drawn(a_result((2.27, signals)))
    assert [(row["name"], row["value"]) for row in ROW.finditer(text)] == [
        ("words", "+2.00"),
        ("other", "+0.27"),
    ]


def test_base_and_factor_stand_in_the_sum_and_not_among_the_bars():
    signals = {"base": 3.0, "words": 1.5, "form": -0.5}
    text = drawn(
        a_result((4.0, signals), (4.4, signals | {"factor": 1.1}), (2.2, {"words": 2.0, "factor": 1.1}))
    )
    assert [line.strip() for line in text.splitlines() if line.startswith("    =")] == [
        "= 3.00 (base) + 1.00 = 4.00",
        "= (3.00 (base) + 1.00) × 1.10 (factor) = 4.40",
        "= 2.00 × 1.10 (factor) = 2.20",
    ]
    assert "base" not in {row["name"] for row in ROW.finditer(text)}


def test_what_the_channels_saw_stands_below_the_sum():
    hit = Hit(an_item("text"), 0.7, 0.5, {"lex": 0.9}, {"lex": 0.9, "vec": 0.2, "time": 1.0})
    text = drawn(SearchResult((hit,)))
    assert not SUM.search(text), "what does not add up is not drawn"
    assert "relevance 0.50  words 0.90  meaning 0.20  time 1.00" in text


def test_a_terminal_gets_colours_where_they_are_wanted():
    result = a_result((1.0, {"words": 2.0, "form": -1.0}))
    assert "\x1b[" in drawn(result, 80, colours=True)
    assert "\x1b[" not in drawn(result, 80, colours=False)


def test_what_was_read_out_of_the_question_stands_first():
    analysis = {
        "intent": "when", "complex": True, "entities": ["Ana", "Graz"], "asks": "anyone", "expects": "time",
        "window": ["2026-02-23T00:00:00Z", "2026-03-02T00:00:00Z", "last week"],
    }  # fmt: skip
    text = drawn(a_result((1.0, {"words": 1.0}), analysis=analysis, confidence=0.876))
    lines = [line.split(maxsplit=1) for line in text.split("\n\n")[0].splitlines()]
    assert lines == [
        ["after", "when"], ["expects", "time"], ["time", "2026-02-23 to 2026-03-02 (last week)"],
        ["entities", "Ana, Graz"], ["complex", "yes"], ["channels", "text, vectors"],
        ["certain", "88% that something stored answers"],
    ]  # fmt: skip


def test_what_failed_stands_first_and_what_was_left_out_and_how_it_went_on_last():
    result = SearchResult((), True, 7, "text", ("vectors: no answer",), trace="asked\n  and asked again")
    text = drawn(result)
    left_out = "7 candidates were left out: too faint, or nothing stored seems to answer"
    assert text.startswith("degraded: vectors: no answer")
    for words in (": too little", left_out, "  and asked again"):
        assert words in text
    assert "1 candidate was left out" in drawn(SearchResult((), True, 1, "text"))
    beside_hits = drawn(a_result((1.0, {"words": 1.0}), hidden=2))
    assert "2 candidates were left out: too faint\n" in beside_hits
    assert "only what is nearest" in drawn(a_result((1.0, {"words": 1.0}), abstained=True))


def test_a_memory_cannot_steer_the_terminal_through_the_picture(store):
    with Memory(store) as memory:
        memory.add("red \x1b[31malert\x1b[0m \u202egnp.exe")
    out = run("search", "alert", "--explain")
    assert "\x1b" not in out
    assert "\u202e" not in out


def test_an_explained_search_answers_in_json_as_ever(store):
    with Memory(store) as memory:
        memory.add("Ruben reacts to walnuts")
    plain, explained = (
        json.loads(run("search", "walnuts", "--json", *more)) for more in ((), ("--explain",))
    )
    for found in (plain, explained):
        found["hits"][0]["item"] = found["hits"][0]["item"]["id"]  # Without its count of uses.
    # Between the two a moment passes, in which the item grows older.
    assert explained["hits"][0].pop("score") == pytest.approx(plain["hits"][0].pop("score"), abs=1e-4)
    assert explained["hits"][0].pop("signals") == pytest.approx(plain["hits"][0].pop("signals"), abs=1e-4)
    assert plain == explained


def test_the_chief_reasons_are_told_in_one_line():
    told = picture.render.reasons(Page(), {"lex": 1.0, "vec": 0.5, "tag": 1.0}, 4)
    assert told == "words ━━━━  meaning ━━──  coverage ────"


# Why


def test_why_tells_question_items_reasons_and_what_has_become_of_them(store):
    with Memory(store) as memory:
        walnuts = memory.add("Ruben reacts to walnuts").verdicts[0].item_id
        bread = memory.add("Ruben bakes bread without nuts").verdicts[0].item_id
        gone = memory.add("Ruben may eat almonds").verdicts[0].item_id
        pinned = memory.add("Ruben is a baker", pinned=True, type="identity").verdicts[0].item_id
        injected = memory.context("Ruben: walnuts, almonds, bread?", min_relevance=0).injection_id
        memory.correct(walnuts, "Ruben reacts to walnuts and hazelnuts")
        memory.update(bread, content="Ruben bakes rye bread")
        memory.forget(gone)
    out = run("why", injected)
    assert "Ruben: walnuts, almonds, bread?" in out
    assert "was replaced since by" in out
    assert "was forgotten since" in out
    assert "then: Ruben bakes bread without nuts" in out
    assert "now: Ruben bakes rye bread" in out
    assert re.search(r"\d\.\d\d = ", out)
    entries = {entry["id"]: entry for entry in json.loads(run("why", injected, "--json"))["items"]}
    assert [entries[item_id]["state"] for item_id in (walnuts, bread, gone, pinned)] == [
        "superseded", "changed", "archived", "unchanged",
    ]  # fmt: skip


def test_what_was_only_pinned_is_said_to_be_of_the_core_profile(store):
    with Memory(store) as memory:
        memory.add("Ana lives in Graz", pinned=True, type="identity")
        memory.add("the ferry leaves at noon")
        injected = memory.context("when does the ferry leave?", min_relevance=0.3).injection_id
    assert "part of the core profile" in run("why", injected)


def test_why_without_an_id_lists_where_and_how_something_was_injected(store):
    with Memory(store) as memory:
        memory.add("the ferry leaves at noon", session_id="monday")
        memory.context("ferry", mode="inject", session_id="monday")
        memory.context("when does the ferry leave?")
    header, newest, oldest = run("why").splitlines()
    assert header.split() == ["id", "when", "mode", "session", "items", "question"]
    assert "context" in newest
    assert newest.endswith("when does the ferry leave?")
    assert " inject " in oldest
    assert " monday " in oldest


# Contexts


def test_a_context_for_people_names_ids_only_where_asked(store):
    with Memory(store) as memory:
        item_id = memory.add("Ruben reacts to walnuts").verdicts[0].item_id
    plain = run("context", "walnuts", "--markdown")
    assert plain == run("context", "walnuts")
    assert item_id not in plain
    assert item_id in run("context", "walnuts", "--ids")
    assert run("context", "walnuts", "--max-tokens", "auto") == plain
    wrong = CliRunner().invoke(app, ["context", "walnuts", "--markdown", "--mode", "inject"])
    assert wrong.exit_code == 2
    assert "contradict" in wrong.stderr
