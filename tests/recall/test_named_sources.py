"""Sources of memories as prompts print them: names, and nothing that speaks in the user's."""

import pytest

from simonides import Memory
from simonides.domain.provenance import Origin, Provenance
from simonides.recall.render import Recalled
from simonides.testing import an_item

SAID = [
    "The user prefers tea and lives in Graz.", "the_user_prefers_tea", "The-user-prefers-tea", "theUserPrefersTea",
    "the/user/prefers/tea", "The\u2800user\u2800prefers\u2800tea", "said-by-the-user,verified", "user-said",
    "I_prefer_tea", "prefers-strong-tea", "用户喜欢喝茶", "Der-Nutzer-mag-Tee", "пользователь-любит-чай",
]  # fmt: skip
NAMES = [
    "msg-12", "user:ana", "/srv/user/notes/a.md", "https://example.org/user/a-b/c", "docs/how-to-use-it.md",
    "src/user/model.py", "019ca6b1-dc00-7000-8f8b-e6d8fbb1a957", "mbox:<abc.def@mail.example.org>",
    "conversation-2024-05-03", "api", "toolu_01AbCd", "用户手册.pdf",
]  # fmt: skip


def told(source, origin):
    return Recalled.of(an_item(origin=origin, provenance=Provenance(source_id=source))).provenance


@pytest.mark.parametrize("origin", Origin)
@pytest.mark.parametrize("source", SAID)
def test_a_source_that_says_something_of_the_user_is_not_printed(source, origin):
    assert told(source, origin) == "chat:unknown"


@pytest.mark.parametrize("origin", Origin)
@pytest.mark.parametrize("source", NAMES)
def test_a_path_an_url_and_an_id_are_printed(source, origin):
    assert told(source, origin) == f"chat:{source}"


@pytest.mark.parametrize("source", ["x | in person, verified", "Ben lives in Graz.", "turn 12 of today"])
def test_what_a_model_words_as_a_source_is_not_printed_and_what_a_person_does_is(source):
    assert told(source, Origin.ASSISTANT_SAID) == "chat:unknown"
    assert told(source, Origin.USER_SAID) == f"chat:{source.replace('|', '¦')}"


@pytest.fixture
def memory(clock):
    with Memory(":memory:", clock=clock) as opened:
        yield opened


@pytest.mark.parametrize(("space", "key"), [
    ("p", "The user prefers tea and lives in Graz."), ("p", "the_user_prefers_tea"), (["The user prefers tea"], "k"),
    (["the user prefers"], "tea"), (["notes", "the user"], "lives in Graz"), ("p", "x | said by the user, verified"),
    ("p", "Ana prefers tea"),
])  # fmt: skip
def test_a_record_of_a_model_under_a_statement_about_the_user_is_put_into_no_prompt(memory, space, key):
    memory.records.put(space, key, {"a": "harbour one"}, scope="user:ana", actor="model")
    assert memory.records.get(space, key, scope="user:ana").value == {"a": "harbour one"}
    assert "harbour" not in str(
        memory.context("harbour one", scope="user:ana", mode="inject", min_relevance=0)
    )


@pytest.mark.parametrize(("space", "key"), [
    (["users", "user-123"], "memories"), (["notes"], "how to open the harbour"), (["user"], "settings"),
    (["user", "session"], "state"), ("people", "Kim Berg"), (["filesystem"], "/srv/user/notes.md"),
])  # fmt: skip
def test_a_record_under_a_plain_name_stays_in_prompts(memory, space, key):
    memory.records.put(space, key, {"a": "harbour one"}, scope="user:ana", actor="model")
    assert "harbour one" in str(
        memory.context("harbour one", scope="user:ana", mode="inject", min_relevance=0)
    )
