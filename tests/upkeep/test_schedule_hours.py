"""Cron expressions: what they mean, on which clock, and what is refused."""

import sys
from zoneinfo import ZoneInfo

import pytest

from simonides.config import load
from simonides.domain.instant import instant, iso, to_datetime
from simonides.errors import InvalidSettings, ProviderUnavailable
from simonides.upkeep.jobs.registry import own_jobs
from simonides.upkeep.schedule.cron import Cron, hours_of, zone_of
from simonides.upkeep.schedule.hours import ScheduleSettings, setting_of, timetable

JOBS = own_jobs()

BERLIN = ZoneInfo("Europe/Berlin")
#: Clocks are turned by half an hour there.
LORD_HOWE = ZoneInfo("Australia/Lord_Howe")


def hours(expression, since, count=3, zone=BERLIN):
    """The next hours of an expression on the face of a clock, with what it is ahead of UTC."""
    cron, at, found = Cron(expression, zone), instant(since), []
    for _ in range(count):
        at = cron.after(at)
        found.append(f"{to_datetime(at).astimezone(zone):%a %d %H:%M %z}")
    return found


@pytest.mark.parametrize(
    ("expression", "days"),
    [
        ("0 4 * * 0", ["Sun 29"]),
        ("0 4 * * 7", ["Sun 29"]),
        ("0 4 * * 1", ["Mon 30"]),
        ("0 4 * * mon", ["Mon 30"]),
        ("0 4 * * MON", ["Mon 30"]),
        ("0 4 * * 5-7", ["Fri 27", "Sat 28", "Sun 29"]),
        ("0 4 * * fri-mon", ["Fri 27", "Sat 28", "Sun 29", "Mon 30"]),
        ("0 4 * * */2", ["Sat 28", "Sun 29", "Tue 31"]),
        ("0 4 * * 1-5/2", ["Fri 27", "Mon 30", "Wed 01"]),
        ("0 4 * * sat,1", ["Sat 28", "Mon 30"]),
        ("0 4 28 * mon", ["Sat 28", "Mon 30"]),
        ("0 4 */2 * fri-sun", ["Fri 27", "Sun 29"]),
    ],
)
def test_weekdays_mean_what_they_mean_to_cron(expression, days):
    assert [hour[:6] for hour in hours(expression, "2026-03-27", len(days))] == days


def test_an_hour_that_comes_twice_is_meant_once():
    assert hours("30 2 * * *", "2026-10-24T12:00Z") == [
        "Sun 25 02:30 +0200",
        "Mon 26 02:30 +0100",
        "Tue 27 02:30 +0100",
    ]
    # Asked while it comes for the second time.
    assert hours("30 2 * * *", "2026-10-25T01:10Z", 1) == ["Mon 26 02:30 +0100"]


def test_an_hour_that_is_left_out_comes_an_hour_later():
    assert hours("30 2 * * *", "2026-03-28T12:00Z") == [
        "Sun 29 03:30 +0200",
        "Mon 30 02:30 +0200",
        "Tue 31 02:30 +0200",
    ]
    assert hours("30 2 * * *", "2026-03-29T01:10Z", 1) == ["Sun 29 03:30 +0200"]


@pytest.mark.parametrize("zone", [BERLIN, LORD_HOWE, ZoneInfo("UTC")])
def test_a_daily_hour_comes_once_on_each_day_of_a_year(zone):
    cron, at = Cron("15 2 * * *", zone), instant("2026-01-01T12:00Z")
    days = []
    for _ in range(365):
        at = cron.after(at)
        days.append(to_datetime(at).astimezone(zone).date())
    assert len(set(days)) == 365
    assert (days[-1] - days[0]).days == 364


def test_the_first_hour_is_always_behind_the_instant_that_was_asked_about():
    cron = Cron("0 3 * * *", BERLIN)
    at = cron.after(instant("2026-06-01T00:00Z"))
    assert iso(at) == "2026-06-01T01:00:00Z"
    assert iso(cron.after(at)) == "2026-06-02T01:00:00Z"
    assert iso(cron.after(at - 1)) == "2026-06-01T01:00:00Z"


def test_there_is_no_hour_after_the_last_year():
    assert Cron("0 3 * * *", BERLIN).after(instant("9999-12-31T23:00Z")) is None


@pytest.mark.parametrize(
    "text", ["", "3", "0 3 * *", "0 3 * * * *", "@daily", "0 3 * * mon; ls", "zu 3 Uhr nachts\n"]
)
def test_what_has_no_five_fields_is_refused_with_the_key(text):
    with pytest.raises(InvalidSettings, match=r"schedule\.daily .* five fields"):
        ScheduleSettings(daily=text)


@pytest.mark.parametrize(
    "text",
    ["60 3 * * *", "0 25 * * *", "0 3 32 * *", "0 3 * 13 *", "0 3 * * 8", "0 3 * * funday",
     "*/0 3 * * *", "0 3 * * 1/0"],
)  # fmt: skip
def test_a_field_out_of_range_is_refused_with_the_key(text):
    with pytest.raises(InvalidSettings, match=r"schedule\.weekly"):
        hours_of(ScheduleSettings(weekly=text))


def test_a_day_that_never_comes_is_refused():
    with pytest.raises(InvalidSettings, match="no day that ever comes"):
        hours_of(ScheduleSettings(prune="0 4 30 2 *"))


def test_an_unknown_zone_is_refused_with_one_that_is_known():
    with pytest.raises(InvalidSettings, match=r"Europe/Berlin"):
        hours_of(ScheduleSettings(zone="Europe/Nowhere"))


@pytest.mark.parametrize("zone", ["../etc/passwd", "/etc/localtime", "a\0b"])
def test_a_zone_is_no_path(zone):
    with pytest.raises(InvalidSettings, match=r"schedule\.zone"):
        hours_of(ScheduleSettings(zone=zone))


def test_the_zone_that_is_named_counts():
    assert str(zone_of(ScheduleSettings(zone="Asia/Tokyo"))) == "Asia/Tokyo"
    found = hours_of(ScheduleSettings(zone="Asia/Tokyo"))["0 3 * * *"]
    assert iso(found.after(instant("2026-03-01"))) == "2026-03-01T18:00:00Z"


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), 1e6])
def test_how_often_it_looks_has_bounds(seconds):
    with pytest.raises(InvalidSettings, match=r"schedule\.look_s"):
        ScheduleSettings(look_s=seconds)


@pytest.mark.parametrize(
    "wrong",
    [
        {"daily": "99 3 * * *"},
        {"daily": "0 24 * * *"},
        {"weekly": "0 4 * * 1-9"},
        {"prune": "0 4 0 * *"},
        {"zone": "Mars/X"},
    ],
    ids=repr,
)
def test_what_no_clock_has_is_refused_when_settings_are_loaded(tmp_path, wrong):
    ((name, value),) = wrong.items()
    path = tmp_path / "settings.toml"
    path.write_text(f'[schedule]\n{name} = "{value}"\n')
    with pytest.raises(InvalidSettings, match=f"schedule.{name}"):
        load(path, {})


def test_hours_may_be_set_to_never():
    settings = ScheduleSettings(weekly="none")
    week = next(hour for hour in timetable(JOBS, settings, hours_of(settings)) if hour.job == "week")
    assert (week.setting, week.expression, week.hours) == ("schedule.weekly", "none", None)


def test_every_job_has_its_hours():
    found = {job: setting_of(job) for job in JOBS}
    assert {job for job, setting in found.items() if setting == "weekly"} == {"week", "profile"}
    assert {job for job, setting in found.items() if setting == "prune"} == {"prune"}
    daily = {job for job, setting in found.items() if setting == "daily"}
    assert daily >= {
        "extract", "sessions", "day", "consolidate", "decay", "expire", "entities", "causes", "palace", "embed",
    }  # fmt: skip


def test_hours_come_from_file_and_environment(tmp_path):
    file = tmp_path / "simonides.toml"
    file.write_text('[schedule]\ndaily = "15 2 * * *"\nzone = "Europe/Paris"\n')
    settings = load(file, {"SIMONIDES_SCHEDULE_PRUNE": "none"})
    assert (settings.schedule.daily, settings.schedule.zone) == ("15 2 * * *", "Europe/Paris")
    assert settings.schedule.prune == "none"


def test_without_the_package_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "apscheduler.triggers.cron", None)
    with pytest.raises(ProviderUnavailable, match=r"simonides\[schedule\]"):
        hours_of(ScheduleSettings(look_s=59))
