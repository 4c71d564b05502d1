"""JSON values without their secrets: nothing that a record is refused for is left, and nothing else is taken."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides import Memory, Policy
from simonides.config import Settings
from simonides.domain.item import canonical_json
from simonides.errors import InvalidText
from simonides.governance.policy import PolicySettings
from simonides.testing import FrozenClock

TOKEN = "ghp_z4NiaBfuRMFFw8Px6diSsjKORGs68JJNoqeJ"
WORD = "hunter2hunter2"
MARK = "[secret: password]"


@pytest.fixture(scope="module")
def redacted():
    return Policy().redacted_value


@pytest.mark.parametrize(
    ("value", "clean"),
    [
        ({"user": "ana", "password": WORD, "n": 1}, {"user": "ana", "password": MARK, "n": 1}),
        ({"user": "ana", "password": 98765432}, {"user": "ana", "password": MARK}),
        ({"user": "ana", "password": 98765.432}, {"user": "ana", "password": MARK}),
        ({"passwords": [WORD, "tr0ub4dor&3"]}, {"passwords": [MARK, MARK]}),
        ({"password": {"value": WORD}, "x": "y"}, {"password": {"value": MARK}, "x": "y"}),
        ({"password": {WORD: True}}, {"password": MARK}),
        ({TOKEN: 1, "b": [TOKEN]}, {"[secret: GitHub token]": 1, "b": ["[secret: GitHub token]"]}),
        (
            {TOKEN: 1, "[secret: GitHub token]": 2},
            {"[secret: GitHub token]": 1, "[secret: GitHub token] 2": 2},
        ),
        ({"content": ["my pass", f"word is {WORD}"]}, {"content": ["my pass", f"word is {MARK}"]}),
        (f'my password is "{WORD}",\nsaid "she" \\ he', f'my password is "{MARK}",\nsaid "she" \\ he'),
    ],
)
def test_a_mark_stands_for_the_secret_alone(redacted, value, clean):
    assert redacted(value) == clean


def test_each_of_many_secrets_has_its_mark(redacted):
    value = [{"user": f"u{n}", "password": f"{WORD}{n}", "roles": [["x"], {}]} for n in range(1_000)]
    assert redacted(value) == [{**one, "password": MARK} for one in value]


@pytest.mark.parametrize("secret", [WORD, 98765432])
def test_a_text_that_is_json_stays_json(redacted, secret):
    given = {"arguments": json.dumps({"user": "ana", "password": secret, "inner": json.dumps({"pin": "x"})})}
    clean = json.loads(redacted(given)["arguments"])
    assert clean == {"user": "ana", "password": MARK, "inner": '{"pin": "x"}'}
    broken = {"arguments": given["arguments"][:-1]}
    assert str(secret) not in redacted(broken)["arguments"]


@pytest.mark.parametrize("times", [1, 2, 3, 5])
@pytest.mark.parametrize(
    ("inner", "clean"),
    [
        ({"password": "hunter2-Xk9!qq"}, {"password": MARK}),
        ([{"a": "b"}, {"pin": {"password": "hunter2-Xk9!qq"}}], [{"a": "b"}, {"pin": {"password": MARK}}]),
        ("my password is hunter2-Xk9!qq", f"my password is {MARK}"),
        ({"password": "hunter2-Xk9!qq", "half": "\ud800"}, {"password": MARK, "half": "\ud800"}),
    ],
)
def test_a_secret_in_json_that_is_packed_again_is_marked_and_refused(redacted, inner, clean, times):
    packed = inner
    for _ in range(times):
        packed = json.dumps(packed)
    shown = redacted({"x": packed})
    unpacked = shown["x"]
    for _ in range(times):
        unpacked = json.loads(unpacked)
    assert unpacked == clean
    with Memory(":memory:", clock=FrozenClock()) as memory:
        with pytest.raises(InvalidText):
            memory.records.put("s", "k", {"x": packed}, index=False)
        memory.records.put("s", "k", shown)
        assert memory.records.get("s", "k").value == shown


@pytest.mark.parametrize(
    "value",
    [
        [{"type": "text", "text": "my password is"}, {"type": "text", "text": WORD}],
        ["my password is", WORD],
        {"a": "my password is", "b": WORD},
    ],
)
@pytest.mark.parametrize("under", ["content", "parts"])
def test_a_secret_in_the_part_after_its_name_is_found(redacted, value, under):
    clean = json.dumps(redacted({under: value}))
    assert WORD not in clean
    assert "my password" in clean
    assert clean.count('"type": "text"') == json.dumps(value).count('"type": "text"')


@pytest.mark.parametrize(
    "value",
    [
        [], {}, "", 0, None, True, 98765432,
        {"a": [{}, [], None, True, 1.5, "x"]},
        {"text": "my password is", "type": "text"},
        {"usage": {"prompt_tokens": 9876543, "total": 12345}, "id": "chatcmpl-BQx8a7Tz0pWnV3kLm5rYcJd1Hs2Fg"},
        {"password": None, "secret": True, "token": "", "api_key": "${API_KEY}"},
        {"arguments": '{"user":   "ana"}', "code": "[1, 2", "brace": "{not json}"},
        {"content": ["The gate", " is green."], "said": [MARK, MARK], "p": {"password": MARK, "user": "ana7"}},
    ],
)  # fmt: skip
def test_a_value_without_a_secret_comes_back_as_it_is(redacted, value):
    assert redacted(value) == value


def test_what_is_forbidden_by_rules_of_ones_own_is_marked_too(tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text(
        'category = "forbidden"\n[[rule]]\nname = "project"\nkind = "project name"\npattern = "(?i)falcon"\n'
        'example = "Falcon flies."\ncounterexample = "The heron flies."\n'
    )
    settings = Settings(policy=PolicySettings(rules=(str(rules),)))
    with Memory(tmp_path / "m.db", settings=settings) as memory:
        value = {"args": {"note": "Falcon flies", "n": 1}}
        with pytest.raises(InvalidText):
            memory.records.put("s", "k", value, index=False)
        clean = memory.records.redacted(value)
        assert clean == {"args": {"note": "[secret: project name] flies", "n": 1}}
        memory.records.put("s", "k", clean)


PIECES = st.sampled_from(
    [TOKEN, WORD, "my password is", "password", "password:", "user", "ana", "the pin is 4711", "a\\b", '"', "\n", "x",
     "token", "tr0ub4dor&3", "api_key=Zq8Tn4Wk9Bv2Xs7Lp3", "postgres://ana:s3cr3tpw@db/x", "{", "=",
     '{"password": "hunter2hunter2"}', "type", "text", "sk-ant-api03-R7xW2qLm9TzKc4VbNs8YdFh3JpQa6EuGiOt1"]
)  # fmt: skip
TEXTS = st.lists(PIECES, min_size=1, max_size=3).map(" ".join)
VALUES = st.recursive(
    TEXTS | st.sampled_from([98765432, 4711.5, True, None]),
    lambda inner: (
        inner.map(json.dumps)
        | st.lists(inner, max_size=3)
        | st.dictionaries(TEXTS | st.just("content"), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(value=VALUES, indexed=st.booleans())
def test_whatever_is_redacted_is_kept(redacted, value, indexed):
    clean = redacted({"v": value})
    assert redacted(clean) == clean
    written = canonical_json(clean)
    assert TOKEN not in written
    with Memory(":memory:", clock=FrozenClock()) as memory:
        memory.records.put("s", "k", clean, index=indexed)
