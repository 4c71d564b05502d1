"""`simonides stats --timeline`: how a store grew, drawn in the terminal."""

import json
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from simonides import Memory
from simonides.config import Settings, StoreSettings
from simonides.domain.growth import Growth, Period
from simonides.edges.cli import timeline
from simonides.edges.cli.main import app
from simonides.edges.cli.output import Output
from simonides.testing import FakeEmbedder, FrozenClock

DAY = 86_400_000_000


class Page(Output):
    """Output that is kept, as on a terminal of so many columns or, without a number, in a pipe."""

    def __init__(self, columns=None):
        super().__init__()
        self.terminal = columns is not None
        if columns is not None:
            self.__dict__ |= {"width": columns, "styled": False}
        self.lines = []

    def line(self, text=""):
        self.lines.append(text)


def drawn(growth, columns=None):
    page = Page(columns)
    timeline.show(page, growth)
    return "\n".join(page.lines)


@pytest.fixture
def grown(tmp_path):
    """A store that grew over five days."""
    clock = FrozenClock("2026-03-01T12:00Z")
    settings = Settings(store=StoreSettings(synchronous="NORMAL"))
    with Memory(tmp_path / "memory.db", settings=settings, clock=clock, embedder=FakeEmbedder(8)) as memory:
        memory.add(["One.", "Two."], type="fact", expires_at="2026-03-03")
        clock.advance(days=1)
        memory.add("Three.", type="fact")
        clock.advance(days=2)
        memory.maintain(["expire"])
        yield memory.growth(last=4)


def test_the_picture_of_a_store(grown):
    assert drawn(grown) == (
        "by day, 2026-03-01 to 2026-03-04 (UTC)\n"
        "\n"
        "                   now\n"
        "short term           1  ▆██▃\n"
        "mid term             0  ····\n"
        "long term            0  ····\n"
        "turns                0  ····\n"
        "\n"
        "                in all\n"
        "items came           3  █▄··\n"
        "archived             2  ···█\n"
        "runs                 1  ···█\n"
        "\n"
        "day         came  merged  rose  archived  stm  mtm  ltm  turns  runs\n"
        "2026-03-01     2       0     0         0    2    0    0      0     0\n"
        "2026-03-02     1       0     0         0    3    0    0      0     0\n"
        "2026-03-04     0       0     0         2    1    0    0      0     1"
    )


@pytest.mark.parametrize("columns", [30, 60, 120])
def test_the_picture_fits_its_terminal(grown, columns):
    head = drawn(grown, columns).split("\nday ")[0]
    assert max(map(len, head.splitlines())) <= max(columns, 40)


def test_a_quiet_time_is_told_in_words():
    still = Period(start=0, end=DAY, standing={"stm": 1, "mtm": 0, "ltm": 0, "turns": 0})
    assert drawn(Growth("day", (still,), DAY)).splitlines()[-1] == "nothing happened in this time"


def test_of_many_days_the_last_are_told_in_numbers():
    periods = tuple(
        Period(start=n * DAY, end=(n + 1) * DAY, standing={"stm": n, "mtm": 0, "ltm": 0, "turns": 0}, added=1)
        for n in range(40)
    )
    shown = drawn(Growth("day", periods, 40 * DAY))
    assert shown.splitlines()[-1] == "and 26 earlier ones; --json tells all"


@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=400), st.integers(1, 80))
def test_blocks_fit_and_show_the_highest_in_full(values, cells):
    line = timeline.blocks(values, cells)
    assert 1 <= len(line) <= cells
    assert ("█" in line) == any(values)
    assert line.count("·") <= values.count(0)
    assert (line[-1] == "·") == (not any(values[-ceil(len(values) / cells) :]))


def test_the_command_draws_and_gives_the_numbers(tmp_path, monkeypatch):
    monkeypatch.setenv("SIMONIDES_DB", str(tmp_path / "memory.db"))
    monkeypatch.chdir(tmp_path)
    with Memory(tmp_path / "memory.db") as memory:
        memory.add("One.", type="fact", project="apollo")

    def run(*arguments, code=0):
        result = CliRunner().invoke(app, ["stats", *arguments])
        assert result.exit_code == code, result.output
        return result

    assert "items came           1" in run("--timeline").stdout
    found = json.loads(run("--timeline", "--by", "week", "--last", "3", "--json").stdout)
    assert (found["by"], len(found["periods"]), found["periods"][-1]["added"]) == ("week", 3, 1)
    elsewhere = json.loads(run("--timeline", "--project", "hermes", "--json").stdout)
    assert elsewhere["periods"][-1]["added"] == 0
    assert "by week" in run("--timeline", "--by", "month", code=2).stderr
    assert "last" in run("--timeline", "--last", "0", code=2).stderr
