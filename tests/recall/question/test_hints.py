"""Thanks for having been told something, and words that somebody knows it, state nothing of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.recall.question.speech import Act, act

THINGS = {
    "en": (
        "where the spare key is",
        "when the ferry leaves",
        "who waters the plants",
        "how many chairs we have",
        "what the code is",
    ),
    "fr": ("où est la clé de secours", "quand part le ferry", "qui arrose les plantes", "quel est le code"),
    "ru": ("где запасной ключ", "когда уходит паром", "кто поливает цветы", "какой код"),
    "de": (
        "wo der Ersatzschlüssel ist",
        "wann die Fähre fährt",
        "wer die Blumen gießt",
        "wie der Code lautet",
    ),
    "zh": ("备用钥匙在哪", "渡轮几点开", "谁浇花", "密码是什么"),
}
THANKS = {
    "en": (
        "Thanks for telling me {}.",
        "Thank you so much for reminding me {}",
        "thx for letting me know {}!",
        "Many thanks for showing us {}.",
    ),
    "fr": (
        "Merci de m'avoir dit {}.",
        "Merci beaucoup de m’avoir rappelé {}",
        "merci de nous avoir expliqué {} !",
    ),
    "ru": (
        "Спасибо, что сказал, {}.",
        "Спасибо большое, что напомнила мне, {}",
        "спасибо что подсказали {}!",
    ),
    "de": ("Danke, dass du mir gesagt hast, {}.", "Vielen Dank, dass Sie uns erklärt haben, {}"),
    "zh": ("谢谢你告诉我{}。", "谢谢提醒我{}"),
}
KNOWS = {
    "en": ("You know {}", "you surely remember {}.", "So you still know {}"),
    "fr": ("Tu sais {}", "vous savez {}.", "Vous vous souvenez {}"),
    "ru": ("Ты знаешь, {}", "вы помните {}", "Ты же знаешь, {}."),
    "de": ("Du weißt ja, {}", "Weißt du, {}", "Sie wissen {}."),
    "zh": ("你知道{}", "你还记得{}"),
}
BRIEF = {
    "en": (
        "spare key location pls",
        "ferry time please",
        "Ana's phone number plz",
        "address of the vet please",
    ),
    "fr": ("adresse du dentiste stp", "numéro de la mairie s'il te plaît"),
    "ru": ("адрес дачи пж", "номер врача пожалуйста"),
    "de": ("Adresse vom Zahnarzt bitte", "Datum bitte"),
}
STATED = {
    "en": ("Thanks for telling me that {}", "You know that {}", "Thanks, {}"),
    "fr": ("Merci, {}", "Tu sais que {}"),
    "ru": ("Спасибо, {}",),
    "de": ("Danke, {}",),
}
FACTS = {
    "en": ("the spare key is under the mat.", "we moved the ferry to noon.", "Ana waters the plants."),
    "fr": ("la clé de secours est sous le tapis.", "Anne arrose les plantes."),
    "ru": ("запасной ключ лежит под ковриком.", "Анна поливает цветы."),
    "de": ("der Ersatzschlüssel liegt unter der Matte.", "Ana gießt die Blumen."),
}


def drawn(frames, things):
    return st.sampled_from(sorted(frames)).flatmap(
        lambda language: st.builds(
            str.format, st.sampled_from(frames[language]), st.sampled_from(things[language])
        )
    )


@given(drawn(THANKS, THINGS))
def test_thanks_for_what_was_told_state_nothing(text):
    assert act(text) is not Act.STATES, text


@given(drawn(KNOWS, THINGS))
def test_that_somebody_knows_where_states_nothing(text):
    assert act(text) is Act.ASKS, text


@pytest.mark.parametrize("text", [text for some in BRIEF.values() for text in some])
def test_a_thing_named_with_please_asks_for_it(text):
    assert act(text) is Act.ASKS


@given(drawn(STATED, FACTS))
def test_what_is_said_behind_thanks_is_stated(text):
    assert act(text) is Act.STATES, text


@pytest.mark.parametrize(
    "text",
    [
        "You know where the spare key is: under the mat.",
        "Thanks for telling me where the key is, I put it under the mat.",
        "You know how much I love tea.",
        "Please change the address.",
        "The deadline is Friday, please.",
        "Put the time on the label please",
        "Tu sais où est la clé : sous le tapis.",
        "Ты знаешь, где ключ: под ковриком.",
    ],
)
def test_what_tells_it_as_well_states(text):
    assert act(text) is Act.STATES


@pytest.mark.parametrize(
    "text", ["Ich weiß nicht, wo der Schlüssel ist.", "Keine Ahnung, wo der Schlüssel ist."]
)
def test_german_not_knowing_is_known(text):
    assert act(text) is Act.KNOWS_NOT
