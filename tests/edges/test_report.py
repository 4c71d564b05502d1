"""The report: one page that fetches nothing, runs nothing, and shows stored text as text."""

import base64
import hashlib
import json
import re
import stat
import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from simonides import Memory
from simonides.config import Settings, StoreSettings
from simonides.domain.instant import iso
from simonides.domain.run import Run, RunStatus
from simonides.domain.scope import ALL
from simonides.edges.cli.main import app
from simonides.edges.report import charts, page, write
from simonides.edges.report.collect import collect
from simonides.errors import InvalidInput
from simonides.ports.entities import entity_of
from simonides.sample import load_sample
from simonides.testing import FakeEmbedder, FrozenClock

#: Elements that a page may have.
ELEMENTS = {
    "html", "head", "meta", "title", "style", "body", "header", "main", "section", "footer", "h1", "h2", "p", "span",
    "bdi", "br", "div", "dl", "dt", "dd", "ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td", "details",
    "summary", "svg", "desc", "line", "text", "path", "rect",
}  # fmt: skip
PAYLOADS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</td></table><svg onload=alert(1)>",
    "</title></svg><iframe srcdoc='<script>alert(1)</script>'>",
    '" onmouseover="alert(1)" x="',
    "' autofocus onfocus=alert(1) '",
    "</style><script>alert(1)</script>",
    "<!--><script>alert(1)//-->",
    "]]><script>alert(1)</script>",
    "{{ 7 * 7 }}{% raw %}",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "\u202e<b>gnirts\u202c",
    "<a href='javascript:alert(1)'>x</a>",
    "<meta http-equiv=refresh content='0;url=//x'>",
]


class Parsed(HTMLParser):
    """A page as a browser would read it: elements with their attributes, and texts."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.texts, self.comments, self.open = [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in {"meta", "br", "line", "path", "rect"} or tag == "path":
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data):
        self.texts.append(data)

    def handle_comment(self, data):
        self.comments.append(data)

    @property
    def shape(self):
        """Elements and the names of their attributes, in their order."""
        return [(tag, *sorted(attributes)) for tag, attributes in self.elements]

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())


def report_of(memory, scope=ALL):
    return page.render(collect(memory, scope))


@pytest.fixture
def clock():
    return FrozenClock("2026-03-01T12:00:00Z")


@pytest.fixture
def memory(tmp_path, clock):
    settings = Settings(store=StoreSettings(synchronous="NORMAL"))
    with Memory(tmp_path / "memory.db", settings=settings, clock=clock, embedder=FakeEmbedder(8)) as memory:
        yield memory


@pytest.fixture(scope="module")
def worded(tmp_path_factory):
    """Report of a store in which everything that somebody can write holds `word`."""
    folder = tmp_path_factory.mktemp("worded")
    clock = FrozenClock("2026-03-01T12:00:00Z")
    settings = Settings(store=StoreSettings(synchronous="NORMAL"))
    with Memory(folder / "word.db", settings=settings, clock=clock, embedder=FakeEmbedder(8)) as memory:
        added = memory.add(
            [
                {"content": f"word number {n}.", "title": f"word {n}", "tags": ["word t"], "entities": ["word e"]}
                for n in range(3)
            ],
            type="note", scope="project:apollo", confidence=0.8,
        )  # fmt: skip
        memory.add([{"role": "user", "name": "word n", "content": "word"}], session_id="word x")
        memory.palace.assign(added.verdicts[0].item_id, room="word r", domain="word d", shelf="word h")
        memory.propose([{"content": "word is proposed.", "type": "fact"}])
        now = clock.now()
        failed = Run(
            id="r", job="word j", trigger="word g", scope="word c", started_at=now, ended_at=now,
            status=RunStatus.FAILED, error="word went wrong",
        )  # fmt: skip
        store = memory._parts.store
        store.write(lambda tx: tx.put_run(failed))
        for entity in memory.entities.list(scope=ALL):
            told = replace(entity, summary="word is it.")
            store.write(lambda tx, told=told: tx.put_entity(entity_of(tx, told.id)[0], told))
        clock.advance(days=20)
        found = collect(memory, ALL)
    return replace(found, waiting={"word w": 1}, quarantined=1)


def planted(value, payload):
    """The value with a payload in the place of each `word`, in every text that it holds."""
    if type(value) is str:
        return value.replace("word", payload)
    if isinstance(value, Path):
        return str(value).replace("word", payload)
    if is_dataclass(value):
        return replace(
            value, **{one.name: planted(getattr(value, one.name), payload) for one in fields(value)}
        )
    if isinstance(value, Mapping):
        return {planted(name, payload): planted(one, payload) for name, one in value.items()}
    if type(value) in {tuple, list}:
        return type(value)(planted(one, payload) for one in value)
    return value


# Nothing runs, nothing is fetched


@pytest.fixture(scope="module")
def harmless(worded):
    return Parsed(page.render(worded))


@pytest.mark.parametrize("payload", PAYLOADS)
def test_stored_text_is_text_wherever_it_stands(payload, worded, harmless):
    parsed = Parsed(page.render(planted(worded, payload)))
    assert parsed.shape == harmless.shape
    assert parsed.comments == harmless.comments
    assert "alert" not in "".join(str(attributes) for _, attributes in parsed.elements)


def test_every_field_that_is_shown_was_tried(harmless):
    for place in ("word.db", "word number", "word 0:", "word e", "word r", "word d", "word j", "word g", "word c",
                  "word is it.", "word went wrong", "word w"):  # fmt: skip
        assert place in harmless.text, place


def test_there_is_nothing_that_runs_or_loads(harmless):
    assert {tag for tag, _ in harmless.elements} <= ELEMENTS
    names = {name for _, attributes in harmless.elements for name in attributes}
    assert not {name for name in names if name.startswith("on")}
    assert not names & {"href", "src", "srcdoc", "action", "style", "xlink:href", "data"}


def test_the_policy_allows_this_one_style_and_nothing_else(memory):
    text = report_of(memory)
    parsed = Parsed(text)
    [policy] = [
        a["content"] for tag, a in parsed.elements if a.get("http-equiv") == "Content-Security-Policy"
    ]
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert "url(" not in style
    assert "@import" not in style


def test_control_characters_do_not_come_through(memory):
    memory.add("red \x1b[31m and \u202eturned", type="note")
    memory._parts.clock.advance(days=5)
    text = report_of(memory)
    assert "\x1b" not in text
    assert "\u202e" not in text


# What it tells


def test_it_tells_of_the_store(memory, clock):
    for day in range(10):
        memory.add(
            f"Petra bought {day} lamps.", type="fact", tags=["house"], scope="project:apollo", confidence=0.8
        )
        clock.advance(days=1)
    memory.maintain(["decay"])
    parsed = Parsed(report_of(memory))
    assert "Petra bought 0 lamps." in parsed.text
    assert "decay hand ALL done" in parsed.text
    for title in ("Tiers over time", "What came, and what went", "What is fading", "Merges", "To review",
                  "Who and what is mentioned", "Rooms of the palace", "Types", "Runs of upkeep"):  # fmt: skip
        assert title in parsed.text
    assert re.search(r"apollo house 10", parsed.text)
    assert "short term: 10 now." in parsed.text
    assert iso(clock.now())[:10] in parsed.text


def test_reading_it_changes_nothing(memory, clock):
    memory.add("Petra bought lamps.", type="fact")
    before = [item.to_dict() for item in memory.list(scope=ALL)]
    report_of(memory)
    memory.flush()
    assert [item.to_dict() for item in memory.list(scope=ALL)] == before
    assert memory.runs.list() == []


def test_an_empty_store_has_a_page_too(memory):
    parsed = Parsed(report_of(memory))
    assert "Nothing was merged yet." in parsed.text
    assert "There were none:" in parsed.text


def test_only_what_is_visible_from_a_scope_is_told(memory):
    memory.add("Ana likes plums.", type="fact", scope="user:ana", confidence=0.8)
    memory.add("Bo likes pears.", type="fact", scope="user:bo", confidence=0.8)
    memory._parts.clock.advance(days=10)
    from simonides.domain.scope import Scope

    parsed = Parsed(report_of(memory, Scope("user:ana")))
    assert "Ana likes plums." in parsed.text
    assert "pears" not in parsed.text.lower()
    assert "as seen from user:ana" in parsed.text


def test_a_store_that_is_older_than_its_days_is_told_by_weeks(memory, clock):
    memory.add("A.", type="decision")
    clock.advance(days=120)
    found = collect(memory, ALL)
    assert found.growth.by == "week"
    assert 17 <= len(found.growth.periods) <= 20


def test_what_fades_goes_on_the_day_that_is_told(memory, clock):
    (verdict,) = memory.add("The key is under the mat.", type="fact", confidence=0.8).verdicts
    clock.advance(days=40)
    [one] = collect(memory, ALL).fading
    assert one.item.id == verdict.item_id
    assert one.curve[0][0] == -40
    assert one.curve[0][1] == pytest.approx(0.8)
    assert one.curve[-1][1] == pytest.approx(0.05)
    clock.advance(seconds=(one.gone_at - clock.now()) / 1e6 - 60)
    assert memory.maintain(["decay"]).changes == ()
    clock.advance(seconds=120)
    assert len(memory.maintain(["decay"]).changes) == 1


def test_of_many_that_fade_a_few_are_shown_over_the_whole_time(memory, clock):
    for n in range(40):
        memory.add(f"Number {n}.", type="fact", confidence=0.8)
        clock.advance(days=1)
    found = collect(memory, ALL)
    assert (len(found.fading), found.going) == (8, 37)
    days = [one.curve[-1][0] for one in found.fading]
    assert days == sorted(days)
    assert days[-1] - days[0] > 30


# Accessible


def test_each_picture_has_a_title_and_a_text(harmless):
    pictures = [attributes for tag, attributes in harmless.elements if tag == "svg"]
    ids = {attributes["id"] for _, attributes in harmless.elements if "id" in attributes}
    drawn = [a for a in pictures if a.get("role") == "img"]
    assert len(drawn) == 3
    assert all(set(a["aria-labelledby"].split()) <= ids for a in drawn)
    assert all(a.get("aria-hidden") == "true" or a in drawn or a["viewbox"] == "0 0 10 10" for a in pictures)


def test_headings_and_sections_are_joined_and_the_language_is_told(harmless):
    ids = [attributes["id"] for _, attributes in harmless.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert all(a["aria-labelledby"] in ids for tag, a in harmless.elements if tag == "section")
    assert ("html", {"lang": "en"}) in harmless.elements
    assert all("scope" in a for tag, a in harmless.elements if tag == "th")


def palettes():
    """The colours of the light page, of the dark one and of paper."""
    style = (page._FOLDER / "report.css").read_text("utf-8")
    return [
        dict(re.findall(r"--(\w+): (#\w{6})", block))
        for block in re.findall(r":root \{(.*?)\}", style, re.DOTALL)
    ]


def brightness(colour):
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    low, high = sorted((brightness(one), brightness(other)))
    return (high + 0.05) / (low + 0.05)


def test_text_and_pictures_stand_out_from_what_is_behind_them():
    light, dark, paper = palettes()
    for palette in (light, dark, paper):
        for behind in ("paper", "card"):
            assert contrast(palette["ink"], palette[behind]) >= 12
            assert contrast(palette["soft"], palette[behind]) >= 4.5
        for name in ("good", "gone", "merged", "stm"):  # Also colours of words.
            assert contrast(palette[name], palette["card"]) >= 4.5
        for name in ("ltm", "mtm", "turns"):
            assert contrast(palette[name], palette["card"]) >= 3
    assert set(light) == set(dark) == set(paper)


# Shapes


counts = st.lists(st.integers(0, 10**9), min_size=1, max_size=60)


def numbers(path):
    return [tuple(map(float, point.split())) for point in re.findall(r"[ML](\S+ \S+?)(?=[LZ]|$)", path)]


@given(counts, st.integers(1, 3))
def test_areas_stay_in_the_picture_and_on_top_of_one_another(values, layers):
    chart = charts.stacked({f"s{n}": values for n in range(layers)}, [str(n) for n in range(len(values))])
    for shape in chart.shapes:
        for x, y in numbers(shape.path):
            assert charts.LEFT <= x <= charts.WIDTH - charts.RIGHT
            assert charts.TOP - 0.1 <= y <= charts.HEIGHT - charts.BOTTOM + 0.1
    assert len(chart.rows) <= 7
    assert len(chart.columns) <= 9


@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)), min_size=1, max_size=60))
def test_bars_stay_in_the_picture_and_on_their_side(values):
    up, down = [up for up, _ in values], [down for _, down in values]
    chart = charts.diverging({"up": up}, {"down": down}, [str(n) for n in range(len(values))])
    assert len(chart.bars) == sum(map(bool, up)) + sum(map(bool, down))
    for bar in chart.bars:
        assert bar.y >= charts.TOP - 0.1
        assert bar.y + bar.height <= charts.HEIGHT - charts.BOTTOM + 0.1
        side = bar.y + bar.height - chart.zero if bar.name == "up" else bar.y - chart.zero
        assert side == pytest.approx(0, abs=1e-6)
    assert len(chart.rows) <= 10


def test_names_of_curves_do_not_stand_on_one_another():
    curves = {str(n): [(-10.0, 0.8), (5.0 + n / 10, 0.05)] for n in range(6)}
    ends = charts.falling(curves, {-10: "", 0: "today", 10: ""}, 0.05).ends
    for n, one in enumerate(ends):
        assert all(abs(one.x - other.x) >= 14 or abs(one.y - other.y) >= 14 for other in ends[n + 1 :])


# The file


@pytest.mark.parametrize("name", ["report.html", "report.html.gz"])
def test_it_is_written_for_its_owner_alone_and_replaces_only_reports(name, tmp_path):
    target = tmp_path / name
    write.check(target, force=False)
    write.replace(target, write.MARK + "one")
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    write.check(target, force=False)
    write.replace(target, write.MARK + "two")
    assert target.read_text() == write.MARK + "two"
    assert list(tmp_path.iterdir()) == [target]
    target.write_text("<!DOCTYPE html>\nMy thesis")
    with pytest.raises(InvalidInput, match="--force"):
        write.check(target, force=False)
    write.check(target, force=True)


def test_a_place_that_cannot_be_written_is_refused(tmp_path):
    for target in (tmp_path, tmp_path / "nowhere" / "report.html"):
        with pytest.raises(InvalidInput, match="cannot be written"):
            write.check(target, force=True)
    with pytest.raises(InvalidInput, match="cannot be written"):
        write.replace(tmp_path / "nowhere" / "report.html", "x")


# On the command line


@pytest.fixture
def store(tmp_path, monkeypatch):
    """Runs commands on a store with the sample conversation."""
    monkeypatch.setenv("SIMONIDES_DB", str(tmp_path / "memory.db"))
    monkeypatch.chdir(tmp_path)
    with Memory(tmp_path / "memory.db") as memory:
        session = load_sample().sessions[0]
        memory.add([turn.to_message() for turn in session.turns], session_id=session.id)

    def run(*arguments, code=0):
        result = CliRunner().invoke(app, list(arguments))
        assert result.exit_code == code, result.output
        return result

    return run


def test_the_command_writes_a_page_and_says_where(store, tmp_path):
    assert store("report").stdout == "report.html\n"
    assert (tmp_path / "report.html").read_text("utf-8").startswith(write.MARK)
    assert json.loads(store("report", "--out", "b.html", "--json").stdout) == {"path": "b.html"}
    assert (tmp_path / "b.html").exists()
    (tmp_path / "b.html").write_text("mine")
    assert "--force" in store("report", "--out", "b.html", code=2).stderr
    assert (tmp_path / "b.html").read_text() == "mine"
    store("report", "--out", "b.html", "--force")


def test_the_page_is_shown_in_the_browser_that_the_user_has(store, tmp_path, monkeypatch):
    heard = tmp_path / "heard"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {heard}\n')
    browser.chmod(0o700)
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    sys.modules.pop("webbrowser", None)
    store("report", "--open")
    assert heard.read_text().strip() == (tmp_path / "report.html").as_uri()


def test_without_the_package_it_says_what_to_install(store, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    page._environment.cache_clear()
    assert "simonides[report]" in store("report", code=6).stderr
    assert not (tmp_path / "report.html").exists()


def test_types_count_what_is_active_and_runs_name_their_ids(tmp_path):
    with Memory(tmp_path / "m.db", embedder=FakeEmbedder()) as memory:
        memory.add("We ship on Fridays.", type="decision")
        memory.forget(memory.add("We ship on Mondays.", type="decision").verdicts[0].item_id)
        run = memory.consolidate()
        report = collect(memory, ALL)
        assert report.types == {"decision": 1}
        assert run.id in page.render(report)
