"""Times that a question names, counted from Wednesday 17 May 2023, 15:30."""

import re
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from simonides.domain.instant import instant, iso
from simonides.language.calendar.grammars import grammar
from simonides.language.calendar.rule import group_count
from simonides.language.calendar.windows import EARLIEST, LATEST, window_of
from simonides.language.tables import languages, table

ASKED = instant("2023-05-17T15:30:00Z")
TODAY = "2023-05-18"


def span(text, at=ASKED):
    """Time that a text names, as two short ISO texts."""
    window = window_of(text, at)
    return None if window is None else tuple(_short(edge) for edge in (window.start, window.end))


def _short(edge):
    return {EARLIEST: "-", LATEST: "+"}.get(edge) or iso(edge).removesuffix("Z").removesuffix(
        ":00"
    ).removesuffix("T00:00")


IN_ENGLISH = [
    ("what happened on 2023-03-05?", "2023-03-05", "2023-03-06"),
    ("from 2023-03-05 to 2023-03-09", "2023-03-05", "2023-03-10"),
    ("kettle 2023-03-01/2023-03-07", "2023-03-01", "2023-03-08"),
    ("2023-03-05T14:30:00Z", "2023-03-05", "2023-03-06"),
    ("in 2023-03", "2023-03-01", "2023-04-01"),
    ("13.02.2023", "2023-02-13", "2023-02-14"),
    ("on 5/13/2023", "2023-05-13", "2023-05-14"),
    ("on 2022/11/30", "2022-11-30", "2022-12-01"),
    ("last_week", "2023-05-08", "2023-05-15"),
    ("kettles last_month", "2023-04-01", "2023-05-01"),
    ("What did I do yesterday?", "2023-05-16", "2023-05-17"),
    ("and yesterday morning?", "2023-05-16T05:00", "2023-05-16T12:00"),
    ("today's news", "2023-05-17", TODAY),
    ("last night", "2023-05-16T18:00", "2023-05-17T06:00"),
    ("this morning", "2023-05-17T05:00", "2023-05-17T12:00"),
    ("tonight", "2023-05-17T18:00", "2023-05-18T06:00"),
    ("the day before yesterday", "2023-05-15", "2023-05-16"),
    ("What did I say last week?", "2023-05-08", "2023-05-15"),
    ("in the last week", "2023-05-10", TODAY),
    ("plans for next week", "2023-05-22", "2023-05-29"),
    ("twenty-one days ago", "2023-04-26", "2023-04-27"),
    ("forty days ago", "2023-04-07", "2023-04-08"),
    ("the week before last", "2023-05-01", "2023-05-08"),
    ("How many films last month?", "2023-04-01", "2023-05-01"),
    ("this year", "2023-01-01", "2024-01-01"),
    ("last year", "2022-01-01", "2023-01-01"),
    ("last quarter", "2023-01-01", "2023-04-01"),
    ("Q4 2022", "2022-10-01", "2023-01-01"),
    ("in Q3", "2022-07-01", "2022-10-01"),
    ("the past 10 days", "2023-05-07", TODAY),
    ("in the past two months", "2023-03-17", TODAY),
    ("over the last few weeks", "2023-04-12", TODAY),
    ("last Friday", "2023-05-12", "2023-05-13"),
    ("last Wednesday", "2023-05-10", "2023-05-11"),
    ("on Friday", "2023-05-12", "2023-05-13"),
    ("on Wednesday", "2023-05-17", TODAY),
    ("next Friday", "2023-05-19", "2023-05-20"),
    ("this Friday", "2023-05-19", "2023-05-20"),
    ("at Friday's meeting", "2023-05-12", "2023-05-13"),
    ("Friday of last week", "2023-05-12", "2023-05-13"),
    ("last week on Friday", "2023-05-12", "2023-05-13"),
    ("on Sunday morning", "2023-05-14T05:00", "2023-05-14T12:00"),
    ("on Monday and Tuesday", "2023-05-15", "2023-05-17"),
    ("last weekend", "2023-05-13", "2023-05-15"),
    ("over the weekend", "2023-05-13", "2023-05-15"),
    ("this weekend", "2023-05-20", "2023-05-22"),
    ("in March", "2023-03-01", "2023-04-01"),
    ("in May", "2023-05-01", "2023-06-01"),
    ("in June", "2022-06-01", "2022-07-01"),
    ("last March", "2023-03-01", "2023-04-01"),
    ("last May", "2022-05-01", "2022-06-01"),
    ("next March", "2024-03-01", "2024-04-01"),
    ("in May last year", "2022-05-01", "2022-06-01"),
    ("in March 2022", "2022-03-01", "2022-04-01"),
    ("in March and April", "2023-03-01", "2023-05-01"),
    ("March 5", "2023-03-05", "2023-03-06"),
    ("on June 5", "2022-06-05", "2022-06-06"),
    ("on March 5th, 2021", "2021-03-05", "2021-03-06"),
    ("5 March 2021", "2021-03-05", "2021-03-06"),
    ("on the 5th of March", "2023-03-05", "2023-03-06"),
    ("on the second of March", "2023-03-02", "2023-03-03"),
    ("on the 20th?", "2023-04-20", "2023-04-21"),
    ("on 29 February", "2020-02-29", "2020-03-01"),
    ("the first week of March", "2023-03-01", "2023-03-08"),
    ("early March", "2023-03-01", "2023-03-12"),
    ("mid-March", "2023-03-11", "2023-03-22"),
    ("at the end of last month", "2023-04-21", "2023-05-01"),
    ("in the first half of 2022", "2022-01-01", "2022-07-03"),
    ("in the summer of 2022", "2022-06-01", "2022-09-01"),
    ("last summer", "2022-06-01", "2022-09-01"),
    ("in the fall", "2022-09-01", "2022-12-01"),
    ("this spring", "2023-03-01", "2023-06-01"),
    ("winter 2021", "2021-12-01", "2022-03-01"),
    ("in 2022", "2022-01-01", "2023-01-01"),
    ("in the 1990s", "1990-01-01", "2000-01-01"),
    ("between March and May 2022", "2022-03-01", "2022-06-01"),
    ("between November and February", "2022-11-01", "2023-03-01"),
    ("from March 5 to 12", "2023-03-05", "2023-03-13"),
    ("5-12 March 2022", "2022-03-05", "2022-03-13"),
    ("since March", "2023-03-01", TODAY),
    ("since last Friday", "2023-05-12", TODAY),
    ("from March onwards", "2023-03-01", TODAY),
    ("before 2022-01-01", "-", "2022-01-01"),
    ("until March", "-", "2023-04-01"),
    ("after 5 March", "2023-03-06", TODAY),
    ("after 5 June 2030", "2030-06-06", "+"),
    ("two weeks before August 11, 2022", "2022-07-25", "2022-08-01"),
    ("the week before August 3, 2022", "2022-07-27", "2022-08-03"),
    ("3 days after March 5", "2023-03-08", "2023-03-09"),
    ("the Sunday before October 25, 2022", "2022-10-23", "2022-10-24"),
    ("3 days ago", "2023-05-14", "2023-05-15"),
    ("three weeks ago", "2023-04-23", "2023-04-30"),
    ("two or three weeks ago", "2023-04-23", "2023-05-07"),
    ("a few months ago", "2022-12-02", "2023-04-02"),
    ("2 years ago", "2020-11-15", "2021-11-17"),
    ("an hour ago", "2023-05-17T14:00", "2023-05-17T15:00"),
    ("a fortnight ago", "2023-04-30", "2023-05-07"),
    ("a year and a half ago", "2021-09-02", "2022-02-02"),
    ("two and a half years ago", "2020-09-02", "2021-02-02"),
    ("a month and a half ago", "2023-03-26", "2023-04-10"),
    ("a week and a half ago", "2023-05-05", "2023-05-09"),
    ("a day and a half ago", "2023-05-16", "2023-05-16T07:00"),
    ("an hour and a half ago", "2023-05-17T13:44", "2023-05-17T14:16"),
    ("What did we decide on Monday the 8th?", "2023-05-08", "2023-05-09"),
    ("What did we decide Monday the 8th about tea?", "2023-05-08", "2023-05-09"),
    ("on Friday 12th?", "2023-05-12", "2023-05-13"),
    ("since Monday, the 8th", "2023-05-08", TODAY),
    ("on Monday the 20th", "2023-03-20", "2023-03-21"),
    ("on Friday the 13th", "2023-01-13", "2023-01-14"),
    ("on Monday the 8th of May", "2023-05-08", "2023-05-09"),
    ("on Monday, May 8th", "2023-05-08", "2023-05-09"),
    ("on Monday, 8 May 2023", "2023-05-08", "2023-05-09"),
    ("on Tuesday 3rd graders came", "2023-05-16", "2023-05-17"),
    ("on Monday may I ask", "2023-05-15", "2023-05-16"),
    ("on the last day of March", "2023-03-31", "2023-04-01"),
    ("the first day of May 2022", "2022-05-01", "2022-05-02"),
    ("the last weekend of March", "2023-03-25", "2023-03-27"),
    ("the last Friday of April", "2023-04-28", "2023-04-29"),
    ("the third Monday in May", "2023-05-15", "2023-05-16"),
    ("the last week of March", "2023-03-25", "2023-04-01"),
]
IN_RUSSIAN = [
    ("к понедельнику", "-", "2023-05-16"),
    ("в прошлой среде", "2023-05-10", "2023-05-11"),
    ("что было четыре дня назад?", "2023-05-13", "2023-05-14"),
    ("двадцать два дня назад", "2023-04-25", "2023-04-26"),
    ("что я делал вчера?", "2023-05-16", "2023-05-17"),
    ("вчера вечером", "2023-05-16T17:00", "2023-05-17"),
    ("позавчера", "2023-05-15", "2023-05-16"),
    ("сегодня утром", "2023-05-17T05:00", "2023-05-17T12:00"),
    ("что мы решили на прошлой неделе?", "2023-05-08", "2023-05-15"),
    ("в прошлом месяце", "2023-04-01", "2023-05-01"),
    ("в этом году", "2023-01-01", "2024-01-01"),
    ("в марте", "2023-03-01", "2023-04-01"),
    ("в марте 2022 года", "2022-03-01", "2022-04-01"),
    ("в начале марта", "2023-03-01", "2023-03-12"),
    ("5 марта", "2023-03-05", "2023-03-06"),
    ("5 марта 2022 г.", "2022-03-05", "2022-03-06"),
    ("3 дня назад", "2023-05-14", "2023-05-15"),
    ("неделю назад", "2023-05-07", "2023-05-14"),
    ("полтора года назад", "2021-09-02", "2022-02-02"),
    ("полторы недели назад", "2023-05-05", "2023-05-09"),
    ("несколько месяцев назад", "2022-12-02", "2023-04-02"),
    ("в прошлую пятницу", "2023-05-12", "2023-05-13"),
    ("во вторник", "2023-05-16", "2023-05-17"),
    ("с марта по май", "2023-03-01", "2023-06-01"),
    ("с 5 по 12 марта", "2023-03-05", "2023-03-13"),
    ("до марта 2022", "-", "2022-03-01"),
    ("после 5 марта", "2023-03-06", TODAY),
    ("с понедельника", "2023-05-15", TODAY),
    ("прошлым летом", "2022-06-01", "2022-09-01"),
    ("летом 2021 года", "2021-06-01", "2021-09-01"),
    ("в 2022 году", "2022-01-01", "2023-01-01"),
    ("за последние 3 дня", "2023-05-14", TODAY),
    ("на выходных", "2023-05-13", "2023-05-15"),
]
IN_CHINESE = [
    ("我昨天做了什么?", "2023-05-16", "2023-05-17"),
    ("昨天晚上", "2023-05-16T17:00", "2023-05-17"),
    ("前天", "2023-05-15", "2023-05-16"),
    ("上周我说了什么", "2023-05-08", "2023-05-15"),
    ("上上周", "2023-05-01", "2023-05-08"),
    ("上周五", "2023-05-12", "2023-05-13"),
    ("星期天", "2023-05-14", "2023-05-15"),
    ("上周末", "2023-05-13", "2023-05-15"),
    ("这个月", "2023-05-01", "2023-06-01"),
    ("上个月底", "2023-04-21", "2023-05-01"),
    ("去年", "2022-01-01", "2023-01-01"),
    ("三月", "2023-03-01", "2023-04-01"),
    ("去年三月", "2022-03-01", "2022-04-01"),
    ("2023年3月5日", "2023-03-05", "2023-03-06"),
    ("十月十五号", "2022-10-15", "2022-10-16"),
    ("二〇二二年", "2022-01-01", "2023-01-01"),
    ("2022年底", "2022-09-01", "2023-01-01"),
    ("3天前", "2023-05-14", "2023-05-15"),
    ("两周前", "2023-04-30", "2023-05-07"),
    ("三个月前", "2023-02-02", "2023-03-05"),
    ("半年前", "2022-10-02", "2023-01-02"),
    ("一年半前", "2021-09-02", "2022-02-02"),
    ("最近三天", "2023-05-14", TODAY),
    ("3月到5月", "2023-03-01", "2023-06-01"),
    ("3月5日至9日", "2023-03-05", "2023-03-10"),
    ("三月以来", "2023-03-01", TODAY),
    ("2022年之前", "-", "2022-01-01"),
    ("去年夏天", "2022-06-01", "2022-09-01"),
]
IN_FRENCH = [
    ("il y a vingt-deux jours", "2023-04-25", "2023-04-26"),
    ("qu'ai-je fait hier ?", "2023-05-16", "2023-05-17"),
    ("hier soir", "2023-05-16T17:00", "2023-05-17"),
    ("avant-hier", "2023-05-15", "2023-05-16"),
    ("ce matin", "2023-05-17T05:00", "2023-05-17T12:00"),
    ("la semaine dernière", "2023-05-08", "2023-05-15"),
    ("cette semaine", "2023-05-15", "2023-05-22"),
    ("le mois dernier", "2023-04-01", "2023-05-01"),
    ("l'an dernier", "2022-01-01", "2023-01-01"),
    ("le week-end dernier", "2023-05-13", "2023-05-15"),
    ("lundi dernier", "2023-05-15", "2023-05-16"),
    ("en mars", "2023-03-01", "2023-04-01"),
    ("en mars 2022", "2022-03-01", "2022-04-01"),
    ("début mars", "2023-03-01", "2023-03-12"),
    ("mi-mars", "2023-03-11", "2023-03-22"),
    ("le 5 mars", "2023-03-05", "2023-03-06"),
    ("le 1er mars 2022", "2022-03-01", "2022-03-02"),
    ("il y a 3 jours", "2023-05-14", "2023-05-15"),
    ("il y a deux semaines", "2023-04-30", "2023-05-07"),
    ("il y a quinze jours", "2023-04-30", "2023-05-07"),
    ("il y a environ huit jours", "2023-05-07", "2023-05-14"),
    ("il y a une quinzaine de jours", "2023-04-30", "2023-05-07"),
    ("ces quinze derniers jours", "2023-05-02", TODAY),
    ("il y a un an et demi", "2021-09-02", "2022-02-02"),
    ("ces 3 derniers jours", "2023-05-14", TODAY),
    ("depuis mars", "2023-03-01", TODAY),
    ("avant mars 2022", "-", "2022-03-01"),
    ("entre mars et mai 2022", "2022-03-01", "2022-06-01"),
    ("du 5 au 12 mars", "2023-03-05", "2023-03-13"),
    ("l'été dernier", "2022-06-01", "2022-09-01"),
    ("à l'automne 2021", "2021-09-01", "2021-12-01"),
    ("en 2022", "2022-01-01", "2023-01-01"),
]
NONE = [
    "may I ask about it",
    "it may be",
    "may 5 people come?",
    "this may take long",
    "Does May like tea?",
    "they march on",
    "on second thoughts",
    "the second kettle",
    "mon ami",
    "spring rolls",
    "I fall often",
    "the fall of Rome",
    "room 2022",
    "in 2022 steps",
    "every Friday",
    "on Sunday mornings",
    "Black Friday",
    "how many days ago did I go?",
    "before the party",
    "Did I like Friday the 13th?",
    "a few and a half years ago",
    "a quarter and a half ago",
    "the sixth Monday in May",
    "every Monday the 8th",
    "after Anna left",
    "the last week of my trip",
    'What did I think of "Yesterday"?',
    "version 2023-13-45",
    "30 February 2023",
    "on 5/6/2023",
    "99999 years ago",
    "9999 years ago",
    "10.0.0.1",
    "five hundred days",
    "call 555-2023",
    "his birthday is March 5",
    "в одну реку",
    "Марта любит чай",
    "каждую пятницу",
    "三个月",
    "目前天气怎么样",
    "五月天的演唱会",
    "每周五",
    "生日在8月份的人",
    "il a été 2022 fois",
    "mission sur Mars",
    "il y a un chat",
    "",
    "?!",
]


@pytest.mark.parametrize(("text", "start", "end"), [*IN_ENGLISH, *IN_RUSSIAN, *IN_CHINESE, *IN_FRENCH])
def test_a_time_is_read_from_its_words(text, start, end):
    assert span(text) == (start, end)


@pytest.mark.parametrize("text", NONE)
def test_words_that_name_no_time_are_no_window(text):
    assert span(text) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("What did Anna do in March 2022 in Oslo?", "in March 2022"),
        ("The kettle, since LAST Friday?", "since LAST Friday"),
        ("between March and May 2022, the ferry", "between March and May 2022"),
        ("我上周五去了哪里", "上周五"),
        ("Что было на прошлой неделе в Осло?", "на прошлой неделе"),
    ],
)
def test_a_window_says_which_words_named_it_as_they_were_written(text, words):
    assert window_of(text, ASKED).words == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        # The sentence that asks counts, not the one that chats.
        ("Today is lovely. What did I say about the kettle?", None),
        ("I go to Oslo next week. What did I do in March?", "in March"),
        # Unless it tells when the conversation was.
        ("Last week we talked about tea. Which one did you recommend?", "Last week"),
        # Of two, the first.
        ("What did I say last week about the trip in March?", "last week"),
    ],
)
def test_of_several_sentences_the_asking_ones_count(text, words):
    window = window_of(text, ASKED)
    assert (window and window.words) == words


def test_days_begin_in_utc():
    assert span("today", instant("2023-05-17T23:30:00-05:00")) == ("2023-05-18", "2023-05-19")
    page = Path(__file__).parents[2] / "docs" / "questions.md"
    assert "Days begin at midnight in UTC" in page.read_text("utf-8")


def test_in_winter_the_present_winter_is_meant():
    asked = instant("2023-01-20T12:00:00Z")
    assert span("this winter", asked) == ("2022-12-01", "2023-03-01")
    assert span("last winter", asked) == ("2021-12-01", "2022-03-01")


_SAMPLES = (
    "in on since before after between and to until the last next this past every of 5 12th 2023 2022-03-05 March may "
    "May Friday week month year days ago few two summer early mid- yesterday morning 上 周 3 月 日 年 前 去年 в марте "
    "прошлой неделе назад лет hier en mars dernière il y a jours ? ."
)
_WORDS = st.sampled_from(_SAMPLES.split())


@settings(max_examples=150)
@given(
    text=st.one_of(st.text(max_size=300), st.lists(_WORDS, max_size=12).map(" ".join)),
    at=st.integers(min_value=-(10**18), max_value=10**18),
)
@example(text="last year", at=-62135596800000000)
@example(text="next year", at=253402300799999999)
@example(text="since yesterday", at=2**63)
def test_any_text_names_a_stretch_or_nothing_and_always_the_same(text, at):
    window = window_of(text, at)
    assert window == window_of(text, at)
    if window is not None:
        assert EARLIEST <= window.start < window.end <= LATEST
        assert window.words


@pytest.mark.parametrize("code", [code for code in languages() if table(code, "times")])
def test_the_groups_of_every_rule_are_counted_right(code):
    for rule in grammar(code).rules:
        assert group_count(rule.pattern) == re.compile(rule.pattern).groups, rule.pattern


@given(day=st.dates(min_value=date(1900, 1, 1), max_value=date(2099, 12, 31)))
def test_any_date_is_read_in_figures_and_in_words(day):
    expected = (day.isoformat(), (day + timedelta(days=1)).isoformat())
    for text in (
        day.isoformat(),
        f"{day:%B} {day.day}, {day.year}",
        f"{day.day} {day:%B} {day.year}",
        f"{day.year}年{day.month}月{day.day}日",
        f"{day.day}.{day.month}.{day.year}",
    ):
        assert span(f"what happened on {text}?") == expected, text
