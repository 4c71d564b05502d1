"""Views read what is hidden, and know where each character comes from."""

import base64

from hypothesis import given
from hypothesis import strategies as st

from simonides.governance.rulebook import rulebook
from simonides.governance.views import TextView, derived_views, readings


def readings_of(text: str) -> list[TextView]:
    return readings(TextView(text))


def derived(text: str, trigger: str) -> list[TextView]:
    return list(derived_views(TextView(text), {trigger: [(0, len(text))]}))


def test_plain_ascii_has_one_view_and_it_is_the_text():
    (view,) = readings_of("Kim likes plums.")
    assert view.text == "Kim likes plums."
    assert view.span(4, 9) == (4, 9)


def test_accents_and_look_alikes_are_folded_in_a_second_view():
    clean, folded = readings_of("Ünïcode and раssword")
    assert clean.text == "Ünïcode and раssword"
    assert folded.text == "Unicode and password"


def test_typographic_punctuation_needs_no_second_view():
    (view,) = readings_of("Kim’s “plums” — and tea")
    assert view.text == 'Kim\'s "plums" - and tea'


def test_a_span_covers_the_invisible_characters_within_it():
    text = "so pl\u200bu\u200bm it is"
    clean = readings_of(text)[0]
    start = clean.text.index("plum")
    assert text[slice(*clean.span(start, start + 4))] == "pl\u200bu\u200bm"


def test_a_ligature_is_covered_whole():
    text = "the ﬁg"
    view = readings_of(text)[0]
    assert view.text == "the fig"
    assert view.span(5, 7) == (4, 6)


def test_what_is_in_base64_has_the_span_of_the_blob():
    blob = base64.b64encode(b"the cellar key hangs by the stairs").decode()
    text = f"so {blob} it is"
    (view,) = derived(text, "blob")
    assert view.text == "the cellar key hangs by the stairs"
    assert text[slice(*view.span(4, 10))] == blob


def test_what_does_not_decode_to_text_has_no_view():
    assert derived("commit 4f9c0e2b1a8d7c6f5e4d3c2b1a0f9e8d7c6b5a4f", "blob") == []


def test_text_read_backwards_is_placed_forwards():
    text = "so mulp it is"
    words, view = derived(text, "reversed")
    assert words.text == "os plum ti si"
    start = view.text.index("plum")
    assert text[slice(*view.span(start, start + 4))] == "mulp"


def test_letters_apart_are_joined_and_words_kept_where_gaps_differ():
    assert [v.text for v in derived("say p l u m s   a n d   t e a now", "spaced")] == [
        "say plums and tea now"
    ]


def test_a_view_of_a_view_leads_back_to_the_text():
    blob = base64.b64encode(b"plums & tea &#112;lum").decode()
    text = f"ab\u200bc {blob}"
    clean = readings_of(text)[0]
    (decoded,) = derived_views(clean, {"blob": [(0, len(clean.text))]})
    (unescaped,) = derived_views(decoded, {"escapes": [(0, len(decoded.text))]})
    start = unescaped.text.index("plum", 6)
    assert text[slice(*unescaped.span(start, start + 4))] == blob


@given(st.text(max_size=80))
def test_every_character_of_every_view_comes_from_somewhere(text: str):
    for view in readings_of(text):
        suspects = rulebook().suspects(view.text.encode("utf-8", "replace"))
        whole = {name: [(0, len(view.text))] for name, _ in suspects.triggers}
        for each in [view, *derived_views(view, whole)]:
            for at in range(len(each.text)):
                start, end = each.span(at, at + 1)
                assert 0 <= start <= end <= len(text)
