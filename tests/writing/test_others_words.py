"""Turns of a user: nothing of what they quote, forward or paste becomes their word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.config import BufferSettings, Settings, StoreSettings
from simonides.domain.provenance import Origin
from simonides.domain.scope import GLOBAL
from simonides.language.excerpt import excerpt
from simonides.testing import ScriptedModel
from simonides.upkeep.jobs.day import spoken
from simonides.writing.extract.by_model import found_by, shown
from simonides.writing.intake import message

AT = 1_767_225_600_000_000
#: What somebody else says, and how a model would tell it of the user.
FOREIGN = [
    ("I hate walnuts with all my heart.", "The user hates walnuts."),
    ("I am allergic to penicillin, always was.", "The user is allergic to penicillin."),
    ("We decided to ship on Mondays.", "They decided to ship on Mondays."),
    ("Je déteste les noix depuis toujours.", "L'utilisateur déteste les noix."),
    ("Я ненавижу грецкие орехи с детства.", "Пользователь ненавидит грецкие орехи."),
    ("我从小就讨厌核桃。", "用户讨厌核桃。"),
]
OWN = "I love my garden in Ghent."
#: Ways to hand on a text beside words of one's own.
HANDED_ON = [
    OWN + ' My brother wrote "{}" yesterday.',
    OWN + " My brother wrote “{}” yesterday.",
    OWN + "\n\n> {}\n",
    OWN + "\n```\n{}\n```",
    OWN + "\n<mail>{}</mail>",
    OWN + "\nPlease sum up this mail: {}",
    OWN + "\nHere is the message:\n{}",
    OWN + "\nAna wrote to me: {}",
    OWN + "\nOn Mon, 2 Mar 2026, Ozan wrote:\n{}",
    OWN + "\n---------- Forwarded message ----------\nFrom: Ozan\n\n{}",
    OWN + " Translate this: {}",
]


def turn(content, role="user", **fields):
    return message({"role": role, "content": content, "at": "2026-01-01T00:00:00Z"} | fields).episode(
        GLOBAL, "s", AT
    )


def fact(content, *turns, kind="preference"):
    return {"content": content, "type": kind, "turns": list(turns), "confidence": 0.9, "why": "useful"}


def found(turns, *facts):
    model = ScriptedModel({"extract": {"facts": list(facts)}})
    return found_by(model, turns, 6000), model.prompts


@pytest.mark.parametrize("name", [None, "Ana"])
@given(
    foreign=st.sampled_from(FOREIGN),
    handed_on=st.sampled_from(HANDED_ON),
    named=st.sampled_from([(1,), (1, 3)]),
)
def test_what_a_turn_hands_on_is_neither_shown_to_a_model_nor_taken_for_its_senders_word(
    name, foreign, handed_on, named
):
    said, told = foreign
    turns = [
        turn(handed_on.format(said), **({"name": name} if name else {})),
        turn(f"It says: {told}", "assistant"),
        turn("Thank you, that helps.", **({"name": name} if name else {})),
    ]
    # The assistant has repeated it, and the model names the user's turn for it, as the user or by name.
    about = told if name is None else told.replace("The user", name)
    outcome, (prompt,) = found(turns, fact(about, *named), fact("The user loves their garden in Ghent.", 1))
    assert said not in prompt.user
    assert [statement.content for statement in outcome.statements] in (
        ["The user loves their garden in Ghent."],
        [],  # In doubt a word is somebody else's.
    )
    assert told not in [statement.content for statement in outcome.statements]


@given(foreign=st.sampled_from(FOREIGN))
def test_the_same_words_without_a_quotation_are_shown_and_kept(foreign):
    said, told = foreign
    outcome, (prompt,) = found([turn(said)], fact(told, 1))
    assert [statement.content for statement in outcome.statements] == [told]
    assert said in prompt.user or not said.isascii()


def test_own_words_beside_a_quotation_are_kept_and_the_quotation_is_marked():
    turns = [turn('I moved to Ghent in May. My sister wrote: "I will never leave Riga, never."', name="Ana")]
    outcome, (prompt,) = found(
        turns, fact("Ana moved to Ghent in May.", 1), fact("Ana's sister wrote […] to her.", 1)
    )
    assert [statement.content for statement in outcome.statements] == ["Ana moved to Ghent in May."]
    assert outcome.dropped == ("the speaker's own words do not bear it out",)
    assert "Riga" not in prompt.user


def test_a_turn_of_pasted_words_only_is_not_shown():
    assert shown([turn("> I hate walnuts.\n> I live in Riga.")]) == []


@given(foreign=st.sampled_from(FOREIGN), handed_on=st.sampled_from(HANDED_ON))
def test_what_the_log_of_a_day_is_made_of_has_nothing_that_was_handed_on(foreign, handed_on):
    turns = [turn(handed_on.format(foreign[0]))]
    assert all(foreign[0] not in one.text for one in spoken(turns))
    quoted = excerpt(turns, 200)
    assert quoted is None or foreign[0] not in quoted.text


def test_a_mail_that_was_pasted_leaves_no_item_as_the_users_word(open_memory):
    model = ScriptedModel(
        {"extract": {"facts": [fact("The user is allergic to penicillin.", 1, kind="identity")]}}
    )
    memory = open_memory(
        settings=Settings(store=StoreSettings(synchronous="NORMAL"), buffer=BufferSettings()), model=model
    )
    mail = "Please sum up this mail:\nDear team, I am allergic to penicillin.\nBest, Ozan"
    said = [
        {"role": "user", "content": mail},
        {"role": "assistant", "content": "Ozan is allergic to penicillin."},
    ]
    memory.add(said, session_id="s")
    memory.extract()
    assert [
        item for item in memory.list() if item.type != "episode" and item.origin is Origin.USER_SAID
    ] == []
