"""Statements about the user that a model writes wait, by whatever door and in whatever field they come."""

from __future__ import annotations

from dataclasses import replace

import pytest

from simonides import Memory
from simonides.domain.item import Status
from simonides.errors import NeedsApproval

SAID = {"content": "Prefers tea to coffee.", "type": "fact", "why_store": "asked for it", "source": "msg-1"}
FIELDS = [
    {"title": "The user"},
    {"title": "User preference", "content": "Tea over coffee."},
    {"content": "Tea over coffee.", "metadata": {"user": "prefers it"}},
    {"content": "Tea over coffee.", "metadata": {"subject": "user", "predicate": "prefers"}},
    {"content": "Tea over coffee.", "tags": ["user-preference"]},
    {"content": "Tea over coffee.", "tags": ["user"]},
    {"content": "Tea over coffee.", "entities": ["the user"]},
    {"content": "Ana prefers tea."},
    {"content": "Ana's favourite colour is blue."},
]


@pytest.fixture
def memory(fresh):
    with Memory(fresh) as opened:
        yield opened


def outcome(memory, proposal, **where):
    return memory.propose([SAID | proposal], user_id="ana", **where).verdicts[0].outcome.value


@pytest.mark.parametrize("fields", FIELDS)
def test_a_statement_about_the_user_waits_in_whatever_fields_it_stands(memory, fields):
    assert outcome(memory, fields) == "quarantined"


def test_the_users_name_in_the_metadata_of_their_scope_says_nothing(memory):
    assert outcome(memory, {"content": "The build uses Bazel.", "metadata": {"user": "ana"}}) == "accepted"


@pytest.mark.parametrize("content", ["The user prefers tea.", "Ana prefers tea."])
def test_what_the_user_said_is_borne_out_with_a_label_and_by_name(memory, content):
    memory.add([{"role": "user", "content": "Thanks! I prefer tea."}], user_id="ana", session_id="s")
    assert outcome(memory, {"content": content, "tags": ["user"]}, session_id="s") == "accepted"


@pytest.mark.parametrize(
    "beside",
    [
        *({"title": title} for title in ("Hates coffee", "Not tea but rum", "Never coffee", "Only at night")),
        *({"tags": [tag]} for tag in ("hates-coffee", "never", "vegan")),
        {"metadata": {"user": "hates coffee"}},
    ],
)
def test_what_the_user_said_carries_nothing_beside_it_that_they_did_not_say(memory, beside):
    memory.add([{"role": "user", "content": "Thanks! I prefer tea."}], user_id="ana", session_id="s")
    said = {"content": "The user prefers tea.", "type": "preference"}
    assert outcome(memory, said | beside, session_id="s") == "quarantined"
    assert (
        outcome(memory, said | {"title": "Favourite drink", "tags": ["drinks"]}, session_id="s") == "accepted"
    )


@pytest.mark.parametrize(
    "changes", [{"title": "The user"}, {"entities": ["the user"]}, {"metadata": {"user": "prefers it"}}]
)
def test_a_model_turns_no_note_of_its_own_into_one_about_the_user(memory, changes):
    note = memory.propose([SAID | {"content": "Tea is in the kitchen."}], user_id="ana").verdicts[0].item_id
    assert memory.update(note, actor="model", **changes).outcome.value == "rejected"


def test_a_record_of_a_model_about_the_user_is_kept_and_put_into_no_prompt(memory):
    memory.records.put("notes", "k", {"text": "The user prefers tea."}, user_id="ana", actor="model")
    memory.records.put("notes", "l", {"text": "The kettle is for tea."}, user_id="ana", actor="model")
    assert memory.records.get("notes", "k", user_id="ana").value == {"text": "The user prefers tea."}
    shown = str(memory.context("tea", user_id="ana"))
    assert "prefers" not in shown
    assert "kettle" in shown


@pytest.mark.parametrize("said", ["the user prefers tea", "用户喜欢喝茶", "ユーザーはビーガンです"])
def test_neither_a_room_nor_evidence_that_a_model_words_is_about_the_user(memory, said):
    one, two = (memory.add(text, user_id="ana").item_ids[0] for text in ("Tea is hot.", "Coffee is hot."))
    with pytest.raises(NeedsApproval):
        memory.palace.assign(one, room=said, actor="model")
    with pytest.raises(NeedsApproval):
        memory.link(one, two, "supports", evidence=said, actor="model")
    with pytest.raises(NeedsApproval):
        memory.link(one, two, "supports", evidence="user: vegan", actor="model")
    for name in ("user preferences", "用户", "厨房"):
        memory.palace.assign(one, room=name, actor="model")


def said(memory, session_id):
    memory.add([{"role": "user", "content": "Thanks! I prefer tea."}], user_id="ana", session_id=session_id)


@pytest.mark.parametrize("let_go", ["forget", "reject"])
@pytest.mark.parametrize("gone", ["I prefer tea.", "The user prefers tea."])
def test_what_was_let_go_comes_back_by_no_words_from_before(memory, let_go, gone):
    said(memory, "s")
    if let_go == "forget":
        memory.forget(memory.add(gone, type="preference", user_id="ana").item_ids[0])
    else:
        held = memory.propose([SAID | {"content": gone, "why_store": ""}], user_id="ana")
        memory.review.reject(held.verdicts[0].item_id)
    for content in (
        "The user prefers tea.",
        "I prefer tea.",
        "Ana prefers tea.",
        "The user prefers tea. Tea is hot.",
    ):
        assert outcome(memory, {"content": content, "type": "preference"}, session_id="s") == "quarantined"
    assert all(one.verdict.outcome.value == "quarantined" for one in memory.extract().found)
    assert not memory.list(user_id="ana", types=["preference"])
    assert outcome(memory, {"content": "Tea is in the tin."}, session_id="s") == "accepted"


def test_what_was_forgotten_and_said_again_is_the_users_word_again(memory):
    said(memory, "s")
    memory.forget(memory.add("I prefer tea.", type="preference", user_id="ana").item_ids[0])
    said(memory, "t")
    wanted = {"content": "The user prefers tea.", "type": "preference"}
    assert outcome(memory, wanted, session_id="s") == "quarantined"
    assert outcome(memory, wanted, session_id="t") == "accepted"


def test_several_statements_that_were_forgotten_come_back_in_no_mixture(memory):
    told = "I prefer tea. I live in Graz. My wife is called Ida."
    memory.add([{"role": "user", "content": told}], user_id="ana", session_id="s")
    for found in memory.extract().found:
        memory.forget(found.verdict.item_id)
    for content in (
        "The user prefers tea. The user lives in Graz.",
        "The user lives in Graz and the user prefers tea.",
        "My wife is called Ida. I live in Graz.",
        "The kettle is blue, and the user prefers tea.",
        "The user lives in Graz; the kettle is blue.",
    ):
        assert outcome(memory, {"content": content}, session_id="s") == "quarantined", content


def test_a_chat_that_is_recorded_again_was_said_when_it_was_said(memory):
    chat = [{"role": "user", "content": "Thanks! I prefer tea.", "at": "2026-03-01T09:00:00Z"}]
    memory.add(chat, user_id="ana", session_id="s")
    for found in memory.extract().found:
        memory.forget(found.verdict.item_id)
    memory.add(chat, user_id="ana", session_id="again")
    assert outcome(memory, {"content": "The user prefers tea."}, session_id="again") == "quarantined"
    assert [one.verdict.outcome.value for one in memory.extract().found] == ["quarantined"]


def test_what_was_corrected_comes_back_by_no_words_from_before(memory):
    said(memory, "s")
    tea = memory.add("I prefer tea.", type="preference", user_id="ana").item_ids[0]
    memory.correct(tea, "I prefer coffee.")
    assert outcome(memory, {"content": "The user prefers tea."}, session_id="s") == "quarantined"
    said(memory, "t")
    assert outcome(memory, {"content": "The user prefers tea."}, session_id="t") == "accepted"


def test_what_was_worded_anew_comes_back_by_no_words_from_before(memory):
    said(memory, "s")
    [found] = memory.extract().found
    memory.update(found.verdict.item_id, content="I prefer coffee.")
    assert outcome(memory, {"content": "The user prefers tea."}, session_id="s") == "quarantined"
    assert outcome(memory, {"content": "The user prefers coffee."}, session_id="s") == "quarantined"
    said(memory, "t")
    assert outcome(memory, {"content": "The user prefers tea."}, session_id="t") == "accepted"


def test_a_model_words_nothing_of_its_own_as_what_was_forgotten(memory):
    memory.forget(memory.add("The spare key is under the mat.", user_id="ana").item_ids[0])
    own = memory.propose([SAID | {"content": "The kettle is blue."}], user_id="ana").verdicts[0].item_id
    changed = memory.update(own, actor="model", content="The spare key is under the mat.")
    assert changed.outcome.value == "rejected"


GONE = "Nina keeps the spare laptop at home."
#: Ways in which a proposal may say it again.
AROUND = (
    "{gone} The printer is on floor 2.",
    "The printer is on floor 2. {gone}",
    "{bare} (see wiki).",
    "{bare} [see the wiki], and the printer is on floor 2.",
    "Nina (of sales) keeps the spare laptop at home.",
    "The printer is on floor 2 – {bare}.",
    "(By the way, {bare}.) The printer is on floor 2.",
    "Note: {gone}",
    "- {bare}\n- The printer is on floor 2.",
    "“{gone}”",
)
WIKI = {"content": "See the wiki."}
BESIDE = (
    WIKI | {"title": GONE},
    WIKI | {"metadata": {"note": GONE}},
    WIKI | {"metadata": {"notes": ["See the wiki.", {"more": GONE}]}},
    WIKI | {"tags": ["nina-keeps-the-spare-laptop-at-home"]},
    {"title": "Nina", "content": "Keeps the spare laptop at home."},
)


@pytest.mark.parametrize(
    "proposal",
    [*({"content": way.format(gone=GONE, bare=GONE.rstrip("."))} for way in AROUND), *BESIDE],
)
def test_what_was_forgotten_comes_back_in_no_part_and_no_field_of_a_proposal(memory, proposal):
    assert outcome(memory, proposal) == "accepted"  # It was not forgotten yet.
    for item in memory.list(user_id="ana"):
        memory.purge(item.id)
    memory.forget(memory.add(GONE, user_id="ana").item_ids[0])
    assert outcome(memory, proposal) == "quarantined"
    assert outcome(memory, WIKI | {"title": "Nina's laptop"}) == "accepted"


def test_each_sentence_of_what_was_forgotten_was_forgotten(memory):
    memory.add([{"role": "user", "content": "I prefer rum. I live in Graz."}], user_id="ana", session_id="s")
    memory.forget(memory.add("I prefer rum. I live in Graz.", user_id="ana").item_ids[0])
    for content in ("The user prefers rum.", "The user lives in Graz."):
        assert outcome(memory, {"content": content}, session_id="s") == "quarantined"


def test_of_what_was_corrected_the_rest_may_be_said_again(memory):
    note = memory.add("The build takes 7 minutes. It uses Ninja and CMake.", user_id="ana").item_ids[0]
    memory.correct(note, "The build takes 5 minutes. It uses Ninja and CMake.")
    assert outcome(memory, {"content": "It uses Ninja and CMake."}) == "accepted"


@pytest.mark.parametrize("value", [{"text": GONE}, {"notes": ["See the wiki.", GONE]}, GONE])
def test_a_record_of_a_model_that_says_what_was_forgotten_is_put_into_no_prompt(memory, value):
    memory.forget(memory.add(GONE, user_id="ana").item_ids[0])
    memory.records.put("notes", "k", value, user_id="ana", actor="model")
    memory.records.put("notes", "l", {"text": "The laptop stand is at home."}, user_id="ana", actor="model")
    assert memory.records.get("notes", "k", user_id="ana").value == value
    shown = str(memory.context("laptop at home", user_id="ana"))
    assert "spare" not in shown
    assert "stand" in shown
    memory.records.put("notes", "k", value, user_id="ana")
    assert "spare" in str(memory.context("laptop at home", user_id="ana"))  # A person may keep it.


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The flag is on.", "The flag is off."),
        ("We ship before noon.", "We ship after noon."),
        ("Always merge into main.", "Always merge from main."),
        ("Die Sicherung läuft vor Mitternacht.", "Die Sicherung läuft nach Mitternacht."),
        ("Sauvegarde avant minuit.", "Sauvegarde après minuit."),
        ("Резервная копия до полуночи.", "Резервная копия после полуночи."),
        ("备份在午夜之前运行。", "备份在午夜之后运行。"),
    ],
)
def test_two_that_differ_in_a_small_word_are_not_one(memory, one, other):
    proposed = [SAID | {"content": content, "type": "fact"} for content in (one, other)]
    first, second = (memory.propose([each]).verdicts[0] for each in proposed)
    assert first.item_id != second.item_id
    memory.consolidate()
    assert {item.content for item in memory.list(types=["fact"])} == {one, other}


@pytest.mark.parametrize(
    ("user_id", "content"),
    [
        *(("jane", said) for said in ("jane is diabetic.", "Jane is diabetic.", "Is Jane diabetic? Yes.")),
        *(
            ("jane.doe", said)
            for said in ("Jane Doe is diabetic.", "Jane is diabetic.", "jane.doe is diabetic.")
        ),
        *(
            ("AnaMaria", "Ana Maria is diabetic."),
            ("ANA", "Ana is diabetic."),
            ("u-123", "u-123 is diabetic."),
        ),
        *(("jane_doe", "jane_doe is diabetic."), ("анна", "Анна замужем."), ("小明", "小明喜欢喝茶。")),
    ],
)
def test_a_scopes_user_is_known_by_name_however_it_is_written(memory, user_id, content):
    verdict = memory.propose([SAID | {"content": content}], user_id=user_id).verdicts[0]
    assert verdict.outcome.value == "quarantined"


@pytest.mark.parametrize(
    ("user_id", "content"),
    [
        ("will", "Will it scale?"),
        ("jane", "Janet is diabetic."),
        ("jane", "Mary Jane is diabetic."),
        ("42", "42 is even."),
    ],
)
def test_a_word_that_only_looks_like_a_users_name_names_nobody(memory, user_id, content):
    verdict = memory.propose([SAID | {"content": content}], user_id=user_id).verdicts[0]
    assert verdict.outcome.value == "accepted"


def test_a_model_may_tag_its_own_note_that_it_has_corrected_to_less(memory):
    own = memory.propose([SAID | {"content": "The old kettle is blue."}], user_id="ana").verdicts[0].item_id
    now = memory.correct(own, "The kettle is blue.", actor="model")
    assert now.outcome.value == "accepted"
    assert memory.update(now.item_id, actor="model", tags=["kitchen"]).outcome.value == "accepted"


def test_what_was_forgotten_and_moved_to_the_archive_file_comes_back_by_no_words_from_before(memory):
    gone = memory.add("The billing service runs on port 8443.").item_ids[0]
    memory.forget(gone)
    memory._parts.store.write(lambda tx: tx.set_aside([gone]))
    verdict = memory.propose([SAID | {"content": "The billing service runs on port 8443."}]).verdicts[0]
    assert verdict.outcome.value == "quarantined"


def test_what_merely_faded_does_not_hide_what_was_forgotten(memory):
    memory.forget(memory.add("The lamp in the hall is blue.").item_ids[0])
    for number in range(30):
        faded = memory.add(f"The lamp in the hall is blue, {number}.").item_ids[0]
        item = memory.get(faded)
        memory._parts.store.write(
            lambda tx, item=item: tx.revise(
                replace(item, status=Status.ARCHIVED), reason="fade", action="expire", actor="upkeep"
            )
        )
    verdict = memory.propose([SAID | {"content": "The lamp in the hall is blue."}]).verdicts[0]
    assert verdict.outcome.value == "quarantined"
