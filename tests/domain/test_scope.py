"""Scopes: canonical form, and what is visible from where."""

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides.domain.scope import ALL, GLOBAL, MAX_PARTS, Scope, visible
from simonides.errors import InvalidInput, InvalidScope

KEYS = ("user", "project", "agent", "room", "team", "device")
VALUES = st.text(st.characters(codec="utf-8", exclude_characters="/"), min_size=1, max_size=12).filter(
    lambda text: text == text.strip() and text.isprintable() and not text[0].isspace()
)
SCOPES = st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=4).map(lambda parts: Scope.of(**parts))
thorough = settings(max_examples=100, derandomize=True)


@pytest.mark.parametrize(
    ("path", "canonical"),
    [
        ("global", "global"),
        ("project:apollo", "project:apollo"),
        ("project:apollo/user:ana", "user:ana/project:apollo"),
        ("agent:cody/project:apollo/user:ana", "user:ana/project:apollo/agent:cody"),
        ("zone:z/device:d/agent:a", "agent:a/device:d/zone:z"),
        ("user:Ana Lovelace", "user:Ana Lovelace"),
        ("user:дина/project:项目", "user:дина/project:项目"),
        ("project:git:main", "project:git:main"),
    ],
)
def test_parts_are_put_in_the_order_user_project_agent_then_by_name(path, canonical):
    assert Scope(path) == canonical
    assert str(Scope(path)) == canonical


def test_the_order_of_the_parts_does_not_matter():
    assert Scope("project:p/user:u") is not None
    assert Scope("project:p/user:u") == Scope("user:u/project:p")
    assert hash(Scope("project:p/user:u")) == hash("user:u/project:p")


@pytest.mark.parametrize(
    "path",
    [
        "",
        " ",
        "/",
        "ana",
        "user:",
        "user: ",
        ":ana",
        "User:ana",
        "1st:ana",
        "user:ana/",
        "/user:ana",
        "user:ana//project:x",
        "global/user:ana",
        "user:ana/global",
        "user:a\nb",
        "user:a\0b",
        "user:a\x7fb",
        "user:\ud800",
        "us er:ana",
        "user:" + "x" * 201,
        "k" * 33 + ":x",
    ],
)
def test_what_is_no_path_of_parts_is_refused(path):
    with pytest.raises(InvalidScope):
        Scope(path)


def test_a_key_occurs_once():
    with pytest.raises(InvalidScope, match="twice"):
        Scope("user:ana/user:bo")


def test_a_scope_has_at_most_six_parts():
    parts = [f"k{n}:v" for n in range(MAX_PARTS)]
    assert len(Scope("/".join(parts)).parts) == MAX_PARTS
    with pytest.raises(InvalidScope, match="at most 6"):
        Scope("/".join([*parts, "more:v"]))


def test_a_wrong_scope_is_an_invalid_input_and_a_value_error():
    with pytest.raises(InvalidInput):
        Scope("nothing")
    with pytest.raises(ValueError, match="user:ana"):
        Scope("nothing")


def test_a_long_wrong_scope_is_cut_in_the_message():
    with pytest.raises(InvalidScope) as caught:
        Scope("x" * 10_000)
    assert len(str(caught.value)) < 300


def test_a_scope_is_made_of_named_parts_and_none_are_left_out():
    assert Scope.of(project="apollo", user="ana", agent=None) == "user:ana/project:apollo"
    assert Scope.of(user=None) == GLOBAL
    assert Scope.of() == "global"


BLANKS = st.text(st.sampled_from(" \t\n\r\x0b\x1c\x85\xa0\u2003\u2028\u3000"), max_size=2)


@thorough
@given(BLANKS, VALUES, BLANKS)
def test_no_two_spellings_of_a_part_are_one_scope(before, name, after):
    written = before + name + after
    for made in (lambda: Scope.of(user=written), lambda: Scope(f"user:{written}/project:x")):
        if written == name:
            assert dict(made().parts)["user"] == name
        else:
            with pytest.raises(InvalidScope, match="white space"):
                made()


@pytest.mark.parametrize("value", ["ana/project:apollo", "ana/agent:root", "a/b", "/", "", " "])
def test_the_value_of_a_named_part_cannot_bring_parts_of_its_own(value):
    with pytest.raises(InvalidScope):
        Scope.of(user=value)


def test_from_a_scope_all_subsets_of_its_parts_are_visible_itself_first_global_last():
    assert Scope("user:ana/project:apollo").visible() == (
        "user:ana/project:apollo",
        "user:ana",
        "project:apollo",
        "global",
    )
    assert GLOBAL.visible() == ("global",)
    assert len(Scope("user:a/project:b/agent:c").visible()) == 8


def test_the_items_of_a_user_are_not_visible_from_a_project_or_from_global():
    ana = Scope("user:ana")
    assert not Scope("project:apollo").sees(ana)
    assert not GLOBAL.sees(ana)
    assert not Scope("user:bo").sees(ana)
    assert not Scope("user:ana").sees(Scope("user:ana/project:apollo"))
    assert Scope("user:ana/project:apollo").sees(ana)


@thorough
@given(SCOPES, SCOPES)
def test_sees_agrees_with_visible(here, there):
    assert here.sees(there) == (there in here.visible())


@thorough
@given(SCOPES)
def test_a_scope_is_its_own_canonical_form_and_sees_itself_and_global(scope):
    assert Scope(str(scope)) == scope
    assert Scope("/".join(reversed(str(scope).split("/")))) == scope
    assert scope.visible()[0] == scope
    assert scope.visible()[-1] == GLOBAL
    assert len(set(scope.visible())) == 2 ** len(scope.parts)


@thorough
@given(st.text(max_size=60))
def test_any_text_is_a_scope_or_is_refused_as_one(text):
    try:
        scope = Scope(text)
    except InvalidScope:
        return
    assert Scope(str(scope)) == scope


def test_a_scope_survives_pickling():
    scope = Scope("user:ana/project:apollo")
    assert type(pickle.loads(pickle.dumps(scope))) is Scope
    assert pickle.loads(pickle.dumps(scope)) == scope


def test_everywhere_is_said_on_purpose_and_is_no_scope():
    assert visible(ALL) is None
    assert visible(Scope("user:ana")) == ("user:ana", "global")
    assert repr(ALL) == "ALL"
    assert not isinstance(ALL, str)
