"""Tests of what a turn takes back itself: from recording on no prompt tells it, nor does what is made of the turn."""

import pytest

from simonides import Memory
from simonides.testing import FrozenClock

SCOPE = "user:ana"
#: By language: what is taken back, a word of it, what else is said, orders to forget it, a question about it.
TURNS = {
    "en": ("I have diabetes.", "diabetes", "I live in Leeds.", "Do I have diabetes?",
           ("Never mind.", "Please forget that.", "Could you forget that I said that, please?")),
    "de": ("Ich habe Diabetes.", "Diabetes", "Ich wohne in Graz.", "Habe ich Diabetes?",
           ("Vergessen Sie das bitte.", "Das vergisst du bitte gleich wieder.", "Merk dir das bitte nicht.")),
    "es": ("Tengo diabetes.", "diabetes", "Vivo en Vigo.", "¿Tengo diabetes?",
           ("Olvide eso, por favor.", "olvidalo porfa", "Olvida que te lo he dicho.")),
    "fr": ("J'ai du diabète.", "diabète", "J'habite à Lyon.", "Est-ce que j'ai du diabète ?",
           ("Oubliez cela, s'il vous plaît.", "Oublie ça stp", "Oublie que je t'ai dit ça.")),
    "ru": ("У меня диабет.", "диабет", "Я живу в Твери.", "У меня диабет?",
           ("Забудьте об этом, пожалуйста.", "забудь плиз", "Забудь, что я это сказала.")),
    "zh": ("我有糖尿病。", "糖尿病", "我住在杭州。", "我有糖尿病吗？",
           ("请忘记我说过这个。", "把这个忘掉吧！", "请别记这个，谢谢。")),
}  # fmt: skip
#: By language: turns of a day of which the last is taken back, what is answered, and a word of it.
DAYS = {
    "de": (["Mein Mann Jens will nächstes Jahr mit den Kindern nach Bremen ziehen, wegen der neuen Stelle.",
            "Die neue Stelle in Bremen beginnt im Mai, und die Wohnung liegt nah an der Schule der Kinder.",
            "Gestern haben Jens und die Kinder die Schule in Bremen und die neue Wohnung angesehen.",
            "Ich denke an Scheidung von Jens wegen Bremen, der Wohnung und der neuen Stelle."],
           "Bitte vergiss, was ich gerade gesagt habe.", "Notiert.", "Scheidung"),
    "fr": (["Mon mari Luc veut déménager à Rennes avec les enfants l'an prochain à cause du nouveau poste.",
            "Le nouveau poste à Rennes commence en mai et l'appartement est près de l'école des enfants.",
            "Hier Luc et les enfants ont visité l'école à Rennes et le nouvel appartement.",
            "Je pense au divorce avec Luc à cause de Rennes, de l'appartement et du nouveau poste."],
           "Oublie ce que je viens de dire, stp.", "C'est noté.", "divorce"),
    "ru": (["Мой муж Игорь хочет в следующем году переехать в Самару с детьми из-за новой работы.",
            "Новая работа в Самаре начинается в мае, и квартира рядом со школой детей.",
            "Вчера Игорь и дети смотрели школу в Самаре и новую квартиру.",
            "Я думаю о разводе с Игорем из-за Самары, квартиры и новой работы."],
           "Забудь, что я сейчас сказала.", "Записал.", "развод"),
}  # fmt: skip


@pytest.fixture
def memory():
    with Memory(":memory:", clock=FrozenClock("2026-03-02T10:00:00Z")) as memory:
        yield memory


def say(memory, *turns):
    """Say turns of the user in one session, each answered."""
    for text, answer in turns:
        said = [{"role": "user", "content": text}, {"role": "assistant", "content": answer}]
        memory.add(said, scope=SCOPE, session_id="s")
        memory._parts.clock.advance(seconds=60)


def settle(memory):
    """Extract, end the session, and let a night pass."""
    memory.extract()
    memory.sessions.end("s", scope=SCOPE)
    memory._parts.clock.advance(days=1)
    memory.maintain()


def told(memory, question):
    return "\n".join(
        memory.context(question, scope=SCOPE, mode=mode, min_relevance=0).text
        for mode in ("inject", "context", "hybrid")
    )


@pytest.mark.parametrize(
    ("language", "order"), [(language, order) for language, row in TURNS.items() for order in row[4]]
)
def test_no_prompt_tells_what_a_turn_takes_back_itself_from_recording_on(memory, language, order):
    statement, word, other, question, _ = TURNS[language]
    gap = "" if language == "zh" else " "
    say(memory, (gap.join([other, statement, order]), "OK."))
    for _ in range(2):
        assert word not in told(memory, question)
        assert other[:-1] in told(memory, other)
        settle(memory)
    kept = [item.content for item in memory.list(scope=SCOPE) if item.type != "episode"]
    assert not any(word in content for content in kept)


@pytest.mark.parametrize("language", TURNS)
def test_a_turn_with_nothing_else_is_put_into_no_prompt(memory, language):
    statement, word, _, question, orders = TURNS[language]
    say(memory, (f"{statement}{'' if language == 'zh' else ' '}{orders[0]}", "OK."))
    assert word not in told(memory, question)
    settle(memory)
    assert told(memory, question).count(word) == 0
    assert memory.search(statement, scope=SCOPE).hits  # Whoever searches finds the turn.


@pytest.mark.parametrize(("language", "alone"), [(one, alone) for one in DAYS for alone in (False, True)])
def test_nothing_that_is_made_of_turns_tells_what_they_take_back(memory, language, alone):
    *turns, last = DAYS[language][0]
    order, answer, word = DAYS[language][1:]
    lasts = [last, order] if alone else [f"{last} {order}"]
    say(memory, *((text, answer) for text in (*turns, *lasts)))
    settle(memory)
    made = [item.content for item in memory.list(scope=SCOPE) if item.type != "episode"]
    assert made
    assert not any(word in content for content in made)
    assert word not in told(memory, word)


def test_without_an_order_a_day_tells_the_same_sentence(memory):
    turns, _, answer, word = DAYS["de"]
    say(memory, *((text, answer) for text in turns))
    settle(memory)
    assert any(word in item.content for item in memory.list(scope=SCOPE) if item.type == "event")


def test_an_answer_that_repeats_it_is_told_no_more(memory):
    say(
        memory,
        ("I live in Leeds. I have diabetes. Please forget that.", "You have diabetes. You live in Leeds."),
    )
    settle(memory)
    assert "diabetes" not in told(memory, "Do I have diabetes?")
    assert "Leeds" in told(memory, "Where do I live?")


@pytest.mark.parametrize(("text", "language"), [
    ("I have diabetes. Please don't forget that.", "en"), ("Ich habe Diabetes. Vergiss das bitte nicht.", "de"),
    ("Tengo diabetes. No lo olvides, por favor.", "es"), ("J'ai du diabète. N'oublie pas ça, s'il te plaît.", "fr"),
    ("У меня диабет. Не забудь об этом, пожалуйста.", "ru"), ("我有糖尿病。请不要忘记这个。", "zh"),
])  # fmt: skip
def test_what_is_not_to_be_forgotten_is_kept_and_told(memory, text, language):
    say(memory, (text, "OK."))
    assert text in told(memory, TURNS[language][3])
    memory.extract()
    (kept,) = [item.content for item in memory.list(scope=SCOPE) if item.type not in {"episode", "narrative"}]
    assert text.startswith(kept)


@pytest.mark.parametrize("said", [True, False])
def test_no_proposal_rests_on_what_its_turn_takes_back(memory, said):
    turn = "I have diabetes. Vergiss das bitte." if said else "I have diabetes. I like tea."
    say(memory, (turn, "OK."))
    claim = {"content": "The user has diabetes.", "type": "fact", "why_store": "said", "source": "chat"}
    verdict = memory.propose([claim], session_id="s", scope=SCOPE).verdicts[0]
    assert verdict.outcome.value == ("quarantined" if said else "accepted")
