"""Names that a text mentions."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.domain.entity import MAX_MENTIONS, MENTIONS_OF_A_PAGE, EntityType, Name
from simonides.domain.scope import Scope
from simonides.language.names import guess, may_be_a_word, names_in, names_of
from simonides.testing import an_item


def certain(text):
    return [name.text for name in names_in(text) if not name.known_only]


def doubtful(text):
    return [name.text for name in names_in(text) if name.known_only]


def kinds(text):
    return {name.text: name.type for name in names_in(text)}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("we met Ada Lovelace in Rome", ["Ada Lovelace", "Rome"]),
        ("she works with O'Brien, Jean-Luc and the AT&T people", ["O'Brien", "Jean-Luc", "AT&T"]),
        ("he studied at the University of London", ["University of London"]),
        ("they played Ludwig van Beethoven", ["Ludwig van Beethoven"]),
        ("a book by J. K. Rowling", ["J. K. Rowling"]),
        ("I saw Dr. Smith yesterday", ["Smith"]),
        ("that is Ana's Toyota and Bo’s dog", ["Ana", "Toyota", "Bo"]),
        ("мы видели Анну в Москве", ["Анну", "Москве"]),
        ("we love Éva and Ørsted", ["Éva", "Ørsted"]),
        ("im Januar fuhr Ana nach Graz, im März nach Linz", ["Ana", "Graz", "Linz"]),
        ("the NASA team uses GPT-4", ["NASA", "GPT-4"]),
    ],
)
def test_capitals_within_a_sentence_are_names(text, names):
    assert certain(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "Yesterday we walked. Maybe tomorrow, too. And I? Of course.",
        "Good morning! Thanks a lot. That's great. I'm fine, it’s OK.",
        "On Monday or Tuesdays in March we rest",
        "THIS IS REALLY VERY IMPORTANT",
        "no capital anywhere at all",
        "1. First 2) Then",
        "",
    ],
)
def test_words_that_begin_sentences_times_and_shouts_are_no_names(text):
    assert certain(text) == []


def test_a_word_that_begins_a_sentence_is_a_name_only_where_it_is_known():
    assert (certain("Camping was fun"), doubtful("Camping was fun")) == ([], ["Camping"])
    assert (certain("Ok then. Rome!"), doubtful("Ok then. Rome!")) == ([], ["Rome"])


def test_a_word_that_begins_a_sentence_counts_if_it_is_written_so_elsewhere():
    assert certain("Rome! We loved Rome") == ["Rome", "Rome"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Petra is allergic to walnuts", "Petra"),
        ("Lev likes tea", "Lev"),
        ("Apollo ships on Friday", "Apollo"),
        ("FastAPI makes it easy", "FastAPI"),
        ("NASA landed", "NASA"),
        ("Ada Lovelace wrote it", "Ada Lovelace"),
    ],
)
def test_what_acts_at_the_beginning_of_a_sentence_is_a_name(text, name):
    assert certain(text) == [name]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Hey Melanie! Long time", ["Melanie"]),
        ("Oh thanks Caroline", ["Caroline"]),
        ("Yesterday Ana came by", ["Ana"]),
        ("Photo of Ana at the lake", ["Ana"]),
        ("Is Margaret Ashby still there?", ["Margaret Ashby"]),
    ],
)
def test_what_opens_a_sentence_does_not_hide_the_name_behind_it(text, names):
    assert certain(text) == names


@pytest.mark.parametrize(
    "text", ["## Final Thoughts\nnothing", "1. **Set Clear Goals**: be clear", "Some Notes:\nx"]
)
def test_headings_name_nothing(text):
    assert certain(text) == []


def test_titles_in_quotation_marks_are_names():
    text = 'she read "Becoming Nicole", «Война и мир», “The Hobbit” and 《红楼梦》 after 「雪国」'
    assert {"Becoming Nicole", "Война и мир", "The Hobbit", "红楼梦", "雪国"} <= set(certain(text))


@pytest.mark.parametrize(
    "text",
    [
        'he said "well, come in!"',
        'a "very" small one',
        '"one two three four five six seven words"',
        "他说：「你好，世界！」",
    ],
)
def test_speech_in_quotation_marks_is_no_title(text):
    assert certain(text) == []


def test_identifiers_are_tools():
    text = "call retry_count and maxSize from os.path.join, see config.py on example.org"
    assert kinds(text) == dict.fromkeys(
        ["retry_count", "maxSize", "os.path.join", "config.py", "example.org"], EntityType.TOOL
    )


def test_addresses_keys_and_code_are_no_names():
    assert certain("mail ana@example.com or https://host.example/Foo_Bar?q=Rome") == []
    assert certain("use a1B2c3D4e5F6g7H8i9 and 0xDEADBEEF1234") == []
    assert certain("run\n```\nclass Foo_Bar: pass\n```\nplease") == []


def test_handles_are_persons():
    assert kinds("ask @ana_b about it") == {"@ana_b": EntityType.PERSON}


def test_german_nouns_count_where_they_are_known():
    text = "Ich habe das Auto gekauft und der Hund ist im Garten mit Ana Müller"
    assert certain(text) == ["Ana Müller"]
    assert doubtful(text) == ["Auto", "Hund", "Garten"]


def test_han_text_gives_titles_and_stretches_for_known_names():
    assert certain("昨天见到李明了") == []
    assert doubtful("昨天见到李明了") == ["昨天见到李明了"]
    assert certain("OPPOReno7这款手机") == ["OPPOReno7"]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Bank of America", EntityType.ORGANIZATION),
        ("Acme Inc.", EntityType.ORGANIZATION),
        ("Acme GmbH", EntityType.ORGANIZATION),
        ("Golden Gate Bridge", EntityType.PLACE),
        ("Project Apollo", EntityType.PROJECT),
        ("retry_count", EntityType.TOOL),
        ("FastAPI", EntityType.TOOL),
        ("Rome", EntityType.CONCEPT),
        ("Ada Lovelace", EntityType.CONCEPT),
        ("", EntityType.CONCEPT),
    ],
)
def test_types_are_guessed_modestly(name, kind):
    assert guess(name) is kind


def test_who_said_a_turn_is_a_person_and_comes_first():
    turn = an_item("We saw Rome with Éva", type="episode", entities=("Ana",))
    assert names_of(turn) == (Name("Ana", EntityType.PERSON), Name("Rome"), Name("Éva"))


def test_given_entities_are_names_whatever_they_look_like():
    item = an_item("nothing here", entities=("walnuts", "Acme Inc"))
    assert names_of(item) == (Name("walnuts"), Name("Acme Inc", EntityType.ORGANIZATION))


def test_names_of_a_title_count_where_they_are_known():
    item = an_item("we ship", title="Plans For Apollo")
    assert all(name.known_only for name in names_of(item))
    both = an_item("we ship Apollo", title="Apollo")
    assert names_of(both) == (Name("Apollo"),)


def test_the_project_of_the_scope_is_a_project():
    item = an_item("we ship Apollo with Éva", scope=Scope("user:ana/project:apollo"))
    assert names_of(item) == (Name("Apollo", EntityType.PROJECT), Name("Éva"))


def test_the_same_name_counts_once_and_keeps_the_better_guess():
    item = an_item("with Ana. Ana likes tea. so does ANA", entities=("ana",))
    assert names_of(item) == (Name("ana", EntityType.PERSON),)


def test_an_item_gives_so_many_certain_names_at_most_the_given_ones_first():
    given = [f"Given {letter}" for letter in string.ascii_uppercase[:5]]
    text = " and ".join(f"Mr. {letter}{letter.lower()}x" for letter in string.ascii_uppercase)
    names = names_of(an_item(f"so {text}", entities=tuple(given)))
    assert len(names) == MENTIONS_OF_A_PAGE
    assert [name.text for name in names[:5]] == given


@given(
    before=st.integers(0, 400),
    kind=st.sampled_from(["the walls are white. ", "墙是白的。", "x" * 300, "a\n"]),
)
def test_a_name_is_found_wherever_it_stands_in_a_long_text(before, kind):
    text = kind * (before * 40 // len(kind)) + " and then Zora Quill and 《红楼梦》 came"
    assert {"Zora Quill", "红楼梦"} <= {name.text for name in names_of(an_item(text)) if not name.known_only}
    assert len(text) < 20_000


def test_a_long_text_names_more_than_a_short_one_what_it_comes_back_to_first():
    text = " and ".join(
        f"with Mr. {one}{other.lower()}x" for one in string.ascii_uppercase for other in "ABCDEF"
    )
    page = f"{text}, so does Zora Quill. {'the walls are white. ' * 90}\n"
    assert len(page) > 4_000
    names = [name.text for name in names_of(an_item(page * 30)) if not name.known_only]
    assert MENTIONS_OF_A_PAGE < len(names) <= MAX_MENTIONS
    last = page * 5 + "Zora Quill came. " * 300
    assert "Zora Quill" in [name.text for name in names_of(an_item(last)) if not name.known_only]


def test_an_entity_at_the_end_of_a_long_note_is_known(memory):
    text = "The walls are white. " * 3_000 + "So we met with Zora Quill."
    item_id = memory.add(text).item_ids[0]
    assert [item.id for item in memory.entities.get("Zora Quill").facts] == [item_id]


@given(st.text(max_size=300))
def test_whatever_the_text_names_are_lines_without_blanks_around(text):
    for name in names_in(text):
        assert name.text == name.text.strip() != ""
        assert "\n" not in name.text


def test_what_is_done_with_the_names_of_a_text_leaves_the_next_look_at_it_alone():
    text = "We met Olga and Kim in Porto."
    first = names_in(text)
    names = list(first)
    first.clear()
    assert names_in(text) == names != []


@given(st.text("aA._-'’& @\"*#`:/1", max_size=200))
def test_odd_punctuation_breaks_nothing(text):
    names_in(text)


@pytest.mark.parametrize(
    "piece",
    ["A.", "A-", "a_", "a.b", "A' ", '"A', "**", "# ", "@a", "Aa of ", "```", "://a", "A B ", "李", "É’"],
)
def test_repetition_costs_no_more_than_its_length(piece):
    """Every pattern is linear: a text of 200,000 characters is cut, and no part of it is walked twice."""
    names_in(piece * (200_000 // len(piece)))


@pytest.mark.parametrize(
    "text",
    [
        "I'm Noor.",
        "Hi, I'm Noor",
        "I’m Noor, nice to meet you.",
        "It's Noor.",
        "Don't call Noor.",
        "C'est Noor.",
    ],
)
def test_a_pronoun_with_its_verb_is_no_part_of_a_name(text):
    assert [name.text for name in names_in(text) if not name.known_only] == ["Noor"]


@pytest.mark.parametrize(
    ("name", "in_german", "elsewhere"),
    [
        ("API", True, True),
        ("CI", True, True),
        ("Tage", True, False),
        ("Login-Ausfall", True, False),
        ("Farida", True, False),
        ("Postgres", True, False),
        ("NORDWIND", True, False),
        ("Meridian Foods", False, False),
        ("Frau Petersen", False, False),
        ("R7", False, False),
        ("tokens.css", False, False),
    ],
)
def test_a_name_that_may_be_an_ordinary_word(name, in_german, elsewhere):
    assert may_be_a_word(name, german=True) is in_german
    assert may_be_a_word(name, german=False) is elsewhere
