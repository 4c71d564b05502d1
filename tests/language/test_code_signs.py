"""Signs that mean something as in code tell two statements apart; what only punctuates does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.governance.known import KnownMemories, repeated
from simonides.language.code_signs import signs_of_code
from simonides.language.faithfulness import unfaithful_merge
from simonides.language.sameness import read, same
from simonides.testing import an_item

APART = [
    ("DELETE FROM holds WHERE expires_at < now();", "DELETE FROM holds WHERE expires_at > now();"),
    ("We support Python >=3.11.", "We support Python <=3.11."),
    ("x = a - b gives the free seats.", "x = a + b gives the free seats."),
    ("x = a * b - c gives the fare.", "x = a - b * c gives the fare."),
    ("Free seats are capacity - booked.", "Free seats are capacity / booked."),
    ("The cron entry is 0 3 * * * on quay-01.", "The cron entry is * 3 * * 0 on quay-01."),
    ("Pin the driver with psycopg==3.2 in pyproject.", "Pin the driver with psycopg!=3.2 in pyproject."),
    ("Pin the driver with psycopg~=3.2 in pyproject.", "Pin the driver with psycopg==3.2 in pyproject."),
    ("npm version ^4.1.0 is what we allow.", "npm version ~4.1.0 is what we allow."),
    ("npm version 4.1.0 is what we allow.", "npm version ~4.1.0 is what we allow."),
    ("rsync -a src/ dst/ copies the contents.", "rsync -a src dst/ copies the contents."),
    ("pip install -e . installs the package.", "pip install . installs the package."),
    ("Seats are free if held && paid.", "Seats are free if held || paid."),
    ("The guard is if (!full) book();", "The guard is if (full) book();"),
    ("docker run -d starts the mail catcher.", "docker run -it starts the mail catcher."),
    ("The copy is made with scp -r to quay-01.", "The copy is made with scp -R to quay-01."),
    ("The glob for tests is tests/*.py here.", "The glob for tests is tests/**/*.py here."),
    ("Allow the header with Access: * in nginx.", "Allow the header with Access: - in nginx."),
    ("The clock offset of the kiosk is -2 hours.", "The clock offset of the kiosk is +2 hours."),
    ("The clock offset of the kiosk is −2 hours.", "The clock offset of the kiosk is 2 hours."),
    ("Rounding of fares uses x // 5.", "Rounding of fares uses x % 5."),
    ("The range of decks is [1, 4) in the layout.", "The range of decks is [1, 4] in the layout."),
    ("Mask cards by replacing .* in the log.", "Mask cards by replacing .+ in the log."),
    ("The ticket is matched by \\d in the form.", "The ticket is matched by \\w in the form."),
    ("tail -n 5 app.log shows what failed.", "tail -n +5 app.log shows what failed."),
    ("chmod +x release.sh before the first run.", "chmod -x release.sh before the first run."),
    ("set -e is at the top of release.sh.", "set +e is at the top of release.sh."),
    ("Redirect the errors with cmd > out.log in cron.", "Redirect the errors with cmd >> out.log in cron."),
    ("The kiosk is written in C++ by Mira.", "The kiosk is written in C by Mira."),
    ("The list of seats defaults to [] in the api.", "The list of seats defaults to {} in the api."),
]  # fmt: skip
SAME = [
    (
        "The release script starts with `set -e` in CI.",
        "**Note:** the release script starts with set -e in CI!",
    ),
    ("We support Python >=3.11.", "- We support Python `>= 3.11`"),
    ("The offset of the kiosk is −2 hours.", "“The offset of the kiosk is -2 hours”"),
    (
        "Ana's backup – the nightly one – runs at 80 % load.",
        "Ana's backup (the nightly one) runs at 80% load.",
    ),
    ("The deploy runs at night and/or on demand.", "* The *deploy* runs at night and/or on demand!"),
    ("The Q&A with R&D is on Monday.", "On Monday — the Q&A with R&D."),
    ("The seat is free!", "> The seat is free."),
]


@pytest.mark.parametrize(("one", "other"), APART)
def test_other_signs_of_code_say_something_else(one, other):
    assert not same(read(one), read(other))
    assert not same(read(other), read(one))
    for text, known in ((one, other), (other, one)):
        assert repeated(text, KnownMemories(near=(an_item(content=known),))) is None


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_only_punctuates_tells_nothing_apart(one, other):
    assert same(read(one), read(other))
    assert same(read(other), read(one))


@pytest.mark.parametrize(
    "text",
    [
        "**Ana** likes *tea*!!!", "- tea\n* milk\n+ cake", "and/or R&D 80% 5 %", "super !", "2020-2021, 10:00-12:00",
        "See https://a.example/b?x=1&y=-2#z.", "[a > b](https://a.example) well-known", "Wow :-) ^^", "---\ntitle",
        "Ana — the nurse —tall and quick— came.", "ENV=prod", "~~no~~ yes",
    ],
)  # fmt: skip
def test_ordinary_writing_has_no_signs_of_code(text):
    assert signs_of_code(text.replace("[a > b]", "[a]")) == ()


def test_a_model_may_not_turn_a_sign():
    sources = [("", "Holds go where expires_at < now()."), ("", "Where expires_at < now(), holds go.")]
    assert unfaithful_merge("", "Holds go where expires_at < now().", sources) is None
    assert "something else" in (unfaithful_merge("", "Holds go where expires_at > now().", sources) or "")


OPERATORS = ["<", ">", "<=", ">=", "==", "!=", "&&", "||", ">>", "->", "|", "^", "~", "%", "//", "*", "+"]


@given(
    st.lists(st.sampled_from(OPERATORS), min_size=2, max_size=2, unique=True),
    st.sampled_from(
        ["The guard is seats {} limit in the api.", "Keep rows where age {} limit on quay.", "a {} b is held"]
    ),
)
def test_one_operator_is_never_another(operators, frame):
    one, other = map(frame.format, operators)
    assert not same(read(one), read(other))


@given(st.text(alphabet="ab1 -+*/<>=!&|^~%[](),.#$\\\n`_", max_size=80))
def test_any_signs_are_read_and_a_text_says_the_same_as_itself(text):
    assert list(signs_of_code(text)) == sorted(signs_of_code(text))
    assert same(read(text), read(text))
