"""The words of a question that are worth looking for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.language import terms as module
from simonides.language.terms import MAX_CHARS, STOP_WORDS, is_topical, terms


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("what colour is the kettle?", ("colour", "kettle")),
        ("the", ("the",)),
        ("to be or not to be", ("to", "be", "or", "not")),
        ("Where is Anna's tea-pot?", ("Anna", "tea", "pot")),
        ("O'Brien's key", ("Brien", "key")),
        ("l'hôtel de la gare", ("hôtel", "gare")),
        ("see https://example.org/a?b=c and www.x.org/y soon", ("see", "soon")),
        ("IT is slow, it is", ("IT", "slow")),
        ("is it slow in IT?", ("IT", "slow")),
        ("the US and us", ("US",)),
        ("retryCount max_size HTTP2 v3", ("retryCount", "max_size", "HTTP2", "v3")),
        ("b c d", ()),
        ("x y kettle", ("kettle",)),
        ("Kettle kettle KETTLE", ("Kettle",)),
        ("配置文件", ("配置", "置文", "文件")),
        ("的", ("的",)),
        ("我们 配置", ("配置",)),
        ("где ключ от дачи", ("ключ", "дачи")),
        ("où est la clé", ("clé",)),
        ("?!… — ()", ()),
        ('"kettle" AND (blue OR NOT x*)', ("kettle", "AND", "blue", "OR", "NOT")),
    ],
)
def test_terms_are_what_carries_the_topic(question, expected):
    assert terms(question) == expected


@pytest.mark.parametrize("question", ["the", "what is it to you?", "где это?", "的", "?!", "b c d"])
def test_a_question_of_nothing_but_stop_words_has_no_topic(question):
    assert not is_topical(question)


@pytest.mark.parametrize("question", ["kettle", "where is it in IT?", "где ключ?", "配置", "v2"])
def test_one_word_is_topic_enough(question):
    assert is_topical(question)


def test_whole_words_are_meant_and_not_what_they_hold():
    assert terms("call the hall at once, they all said") == ("call", "hall", "said")


def test_of_a_long_message_names_and_numbers_are_kept_first():
    question = (
        " ".join(f"ordinary{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(200)) + " retryCount 4711"
    )
    found = terms(question)
    assert {"retryCount", "4711"} <= set(found)
    assert sum(len(term) + 1 for term in found) <= MAX_CHARS


@given(text=st.text(max_size=500))
def test_any_text_has_terms_within_bounds_none_twice(text):
    found = terms(text)
    assert terms(text) == found
    assert len({term.casefold() for term in found}) == len(found)
    assert len(found) <= 1 or sum(len(term) + 1 for term in found) <= MAX_CHARS
    assert not any(set(term) & set(' \t\n"*()') for term in found)


@given(
    words=st.lists(st.sampled_from(sorted(STOP_WORDS)), min_size=1),
    topic=st.sampled_from(["kettle", "ключ", "clé"]),
)
def test_stop_words_stay_only_where_nothing_else_is_left(words, topic):
    assert terms(" ".join([*words, topic])) == (topic,)


@given(st.text("aZ1_ .'&+#-/\t\n", max_size=30))
def test_what_is_ascii_is_cut_as_any_text_is(text):
    assert module._PLAIN_WORD.findall(text) == module._WORD.findall(text)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("How old is Ella?", ("old", "Ella")),
        ("Where does Elle live?", ("Elle", "live")),
        ("Wie alt ist Ella?", ("alt", "Ella")),
        ("¿Cuántos años tiene Ella?", ("años",)),
        ("Wo wohnen Sie?", ("wohnen",)),
        ("Where does she live? And Will?", ("live",)),
    ],
)
def test_a_name_that_is_a_stop_word_of_another_language_alone_is_a_term(question, words):
    assert terms(question) == words
