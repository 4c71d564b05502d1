"""Sameness of two texts, by their words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.language.sameness import overlap, read, same, says_all

SAME = [
    ("Ana prefers green tea in the morning.", "In the morning, Ana prefers green tea."),
    ("The team decided to use PostgreSQL for billing.", "The team chose to use Postgres for billing."),
    ("The billing service uses Redis.", "Note: the billing service is using Redis now."),
    ("Ana lives in Lisbon.", "Ana lives in Lisbon with her cat."),
    ("The user prefers dark mode in the editor.", "I prefer dark mode in my editor."),
    ("The deploy runs on port 8080 every night.", "Every night the deploy runs on port 8080."),
    ("Ben bought a big car last week.", "Ben purchased a large car last week."),
    ("Ana's favourite colour is red", "Ana's favorite color is red."),
    ("The retry limit is 5.", "The retry limit is five."),
    ("The weekly review of Apollo is on Monday.", "Apollo's weekly review is on Monday."),
    ("Ana leads the Juno team.", "Ana leads the team of Juno."),
    ("In Vienna, Ana meets Ben in May.", "In May, Ana meets Ben in Vienna."),
    (
        "On Mondays in Graz and on Fridays in Linz Ana teaches.",
        "Ana teaches on Fridays in Linz and on Mondays in Graz.",
    ),
    ("我喜欢喝绿茶", "我很喜欢喝绿茶。"),
    ("Анна живёт в Лиссабоне", "Анна живет сейчас в Лиссабоне."),
    ("Les sauvegardes sont faites la nuit", "Les sauvegardes sont toujours faites la nuit."),
]
APART = [
    ("Ana likes tea.", "Ana likes coffee."),
    ("The dog bit the man.", "The man bit the dog."),
    ("The flight goes from Paris to London.", "The flight goes from London to Paris."),
    ("Ana reports to Ben.", "Ben reports to Ana."),
    ("Ana left because Ben left.", "Ben left because Ana left."),
    ("Ana helped Ben.", "Ana was helped by Ben."),
    ("Ana used to work at Acme.", "Ana works at Acme."),
    ("Ana plans to move to Oslo.", "Ana moved to Oslo."),
    ("Ana stopped drinking tea.", "Ana drinks tea."),
    ("Send it before lunch.", "Send it after lunch."),
    ("Alerts are on.", "Alerts are off."),
    ("My bike is red.", "Her bike is red."),
    ("Ana likes tea.", "Ana likes tea kettles."),
    ("Deploys may run on Fridays.", "Deploys must run on Fridays."),
    ("The server was down.", "The server is down."),
    ("The service uses Redis.", "The billing service uses Redis."),
    ("Some tests run nightly on staging.", "All tests run nightly on staging."),
    ("We meet with Ana on Friday.", "We meet with Ana and Ben on Friday."),
    ("Do we deploy on Fridays?", "We deploy on Fridays."),
    ("我喜欢茶", "我喜欢茶杯"),
    # What two things have exchanged.
    (
        "Reads go to the replica, writes go to the primary.",
        "Reads go to the primary, writes go to the replica.",
    ),
    ("In dev we log to stdout; in prod we log to Loki.", "In prod we log to stdout; in dev we log to Loki."),
    (
        "Admins log in with Keycloak, customers with a link.",
        "Admins log in with a link, customers with Keycloak.",
    ),
    (
        "Node 22 is for the front end, Node 18 for the kiosk.",
        "Node 18 is for the front end, Node 22 for the kiosk.",
    ),
    (
        "Logs of the api go to Loki, logs of the worker go to disk.",
        "Logs of the api go to disk, logs of the worker go to Loki.",
    ),
    (
        "Merge with squash on main and with rebase on release.",
        "Merge with rebase on main and with squash on release.",
    ),
    (
        "Deploy on Tuesdays to staging and on Thursdays to production.",
        "Deploy on Thursdays to staging and on Tuesdays to production.",
    ),
    (
        "On Tuesdays we deploy to staging, on Thursdays to production.",
        "On Thursdays we deploy to staging, on Tuesdays to production.",
    ),
    # What a number, a date, a name or a denial sets apart.
    ("The retry limit is 5.", "The retry limit is 6."),
    ("Port 8080 is open.", "Port 8081 is open."),
    ("Version 1.2.3 is out.", "Version 1.2.4 is out."),
    ("Ana visits Ben on Monday.", "Ana visits Ben on Tuesday."),
    ("The lease ends on 3 May 2026.", "The lease ends on 3 June 2026."),
    ("Ana likes rowing on the river.", "Ben likes rowing on the river."),
    ("The upload limit is 5 MB.", "The upload limit is not 5 MB."),
    ("Backups never run on Sunday.", "Backups run on Sunday."),
    ("我喜欢茶", "我不喜欢茶"),
    ("Анна любит чай по утрам", "Анна не любит чай по утрам"),
    ("Ana habite à Lyon depuis 3 ans", "Ana n'habite pas à Lyon depuis 3 ans"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_a_repetition_in_other_words_says_the_same(one, other):
    assert same(read(one), read(other))
    assert same(read(other), read(one))


@pytest.mark.parametrize(("one", "other"), APART)
def test_news_in_nearly_the_same_words_does_not(one, other):
    assert not same(read(one), read(other))
    assert not same(read(other), read(one))


def test_overlap_is_the_lower_share_of_content_words_that_each_has_in_common():
    three, four = read("Ana lives in Lisbon"), read("Ana lives in Lisbon with cats")
    assert overlap(three, four) == overlap(four, three) == 3 / 4
    assert overlap(three, three) == 1
    assert overlap(three, read("the of and")) == 0


def test_one_of_two_that_say_the_same_may_say_more():
    short, long = read("Ana lives in Lisbon."), read("Ana lives in Lisbon with her cat.")
    assert says_all(long, short)
    assert not says_all(short, long)


@given(st.text(max_size=200), st.text(max_size=200))
def test_comparing_any_two_texts_is_symmetric_and_bounded(one, other):
    first, second = read(one), read(other)
    assert same(first, second) == same(second, first)
    assert 0 <= overlap(first, second) == overlap(second, first) <= 1


@given(st.text(min_size=1, max_size=200))
def test_every_text_says_the_same_as_itself(text):
    assert same(read(text), read(text))
