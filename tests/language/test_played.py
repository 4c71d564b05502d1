"""Games over several turns: what a user says in a part is nobody's word, before and behind it it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides import Memory
from simonides.domain.instant import HOUR_US
from simonides.domain.provenance import Origin
from simonides.language import played
from simonides.language.earnest import in_earnest
from simonides.language.spoken import own_words, sentences
from simonides.testing import FrozenClock, ScriptedModel, an_item

OPENS = """
Let's do a role play. You are a doctor and I am your patient.
Can we role-play a job interview?
Ok, let's roleplay: you're the dragon, I'm the knight.
Let's play a game: I'm a pirate captain called Redbeard.
Let's play a little game. You are the wizard. I am the apprentice.
Pretend you are interviewing me for a job as a nurse.
Hey, pretend I'm a customer who calls your hotline.
Imagine I'm a customer calling your hotline.
Simulate a first date with me. I'm Jake, a fireman.
Can we practise a job interview? You ask, I answer in character.
I'd like to rehearse a sales call.
I'm writing a novel. Interview my main character, I'll answer as her.
You be the waiter and I'll be the guest.
I'll be the patient and you play the doctor.
For this exercise, I am Harold.
Let's start a text adventure.
Please stay in character.
In this scenario, you are the judge.
Lass uns ein Rollenspiel machen: Du bist Ärztin, ich bin Patient.
Rollenspiel: Du bist Kellner.
Machen wir ein kleines Rollenspiel!
Du bist der Arzt und ich bin der Patient.
Stell dir vor, ich bin ein Kunde.
Tun wir so, als wäre ich dein Chef.
Können wir ein Vorstellungsgespräch üben?
Jouons à un jeu de rôle : tu es médecin et je suis le patient.
Faisons comme si j'étais ton patron.
Tu es le médecin et moi je suis le patient.
Imagine que je suis un client.
Peux-tu simuler un entretien d'embauche ?
Hagamos un juego de rol: tú eres médico y yo soy el paciente.
Tú eres el camarero y yo soy el cliente.
Imagina que soy un cliente.
Vamos a simular una entrevista de trabajo.
Давай сыграем: ты врач, а я пациент.
Давай поиграем в ролевую игру.
Представь, что я покупатель.
Давай разыграем собеседование.
我们来玩角色扮演吧。
你是医生，我是病人。
你来当面试官，我来当求职者。
想象一下我是一个顾客。
模拟一次面试吧。
"""

#: Texts that are handed over turn by turn.
HANDED = """
Translate everything I write into French.
Please translate each sentence I send you into German.
I want you to act as an English translator, spelling corrector and improver.
I'll give you some sentences, please correct them.
I'm going to paste my friend's messages one by one.
Fill the form with fake data.
Übersetze alles, was ich schreibe, ins Englische.
Ich schicke dir jetzt ein paar Sätze.
Traduis tout ce que j'écris en anglais.
Je vais te donner quelques phrases.
Traduce todo lo que escriba al inglés.
Te voy a dar unas frases.
Переводи всё, что я пишу, на английский.
Я пришлю тебе несколько предложений.
把我说的每句话都翻译成英文。
我给你一些句子。
"""

#: Somebody else writes.
OTHERS = """
Hi, this is Ana's brother, I'm using her laptop.
It's her husband here.
This is Tom speaking.
My daughter will type now.
I'm writing on behalf of my mother.
I'm using my friend's account.
Hier ist Anas Bruder.
Hier schreibt Tom.
Meine Tochter schreibt jetzt.
Ici la sœur d'Ana.
C'est la sœur d'Ana, j'utilise son téléphone.
Ma fille va écrire maintenant.
Soy el hermano de Ana, estoy usando su ordenador.
Te escribe su hermana.
Это брат Ани, пишу с её компьютера.
Сейчас моя дочь будет писать.
我是安娜的哥哥，用她的手机。
现在我女儿来打字。
"""

OPENS_NONE = """
Act as a nutritionist.
You are an expert in Python.
Translate this into French.
I write sentences for a living.
I'll give you some details about me.
I work as a translator.
Correct my English when I make mistakes.
This is my sister.
This is Tom's sister.
It's solid now.
It's Monday here.
My daughter will type her essay tomorrow.
I'm using my own laptop.
I'm writing a letter for my mother.
Das ist mein Bruder.
Das ist super.
Hier ist es kalt.
Meine Tochter schreibt gern.
C'est ma sœur.
C'est super ici.
Soy la madre de Luis.
Это мой брат.
Это брат Ани.
我的同事他是做翻译的。
我是安娜的哥哥。
You are a helpful assistant, and I am grateful.
Let's play chess.
Let's play a game of chess.
I play role-playing games every weekend.
I love role play.
Role play is fun.
How do I run a role play with my class?
I have an interview tomorrow.
I'd like to do an interview with the mayor next week.
I'm playing a doctor in a new series.
Imagine you are on a beach.
Imagine I have three apples.
Suppose I am a beginner.
I am a nurse and you are a great help.
You are the best and I am so happy.
You're right, and I'm sorry.
I'm an actor.
My son plays pirates all day.
We had a mock interview at school.
I can't imagine I'm the only one.
I pretend to like it.
Do you play games?
I stayed in character for hours at the fair.
Mein Sohn liebt Rollenspiele.
Ich bin Ärztin und du bist eine große Hilfe.
Du bist super und ich bin froh.
Ich habe morgen ein Vorstellungsgespräch.
Spielen wir Schach.
J'aime les jeux de rôle.
Tu es gentil et je suis contente.
J'ai un entretien demain.
Me gustan los juegos de rol.
Eres muy amable y yo soy feliz.
Tengo una entrevista mañana.
Я люблю ролевые игры.
Ты прав, а я нет.
У меня завтра собеседование.
我喜欢角色扮演游戏。
你是对的，我错了。
我明天有面试。
"""

ENDS = """
Okay, end of the role play.
Let's stop the role play.
Stop the game, please.
Game over.
The role play is over.
End scene.
Back to reality.
Ok, enough role-playing for today.
Stop pretending.
Thanks for the practice!
Let's talk about something else.
It's me again.
Ana here again.
Stop translating.
Ich bin's wieder.
C'est de nouveau moi.
Soy yo otra vez.
Это снова я.
Can we change the topic?
Ende des Rollenspiels.
Schluss mit dem Rollenspiel.
Das Spiel ist vorbei.
Zurück zur Realität.
Fin du jeu de rôle.
Arrêtons le jeu.
Revenons à la réalité.
Fin del juego.
Terminemos el juego de rol.
Volvamos a la realidad.
Конец игры.
Хватит играть.
Игра окончена.
游戏结束。
不玩了。
角色扮演到此为止吧。
"""

ENDS_NOTHING = """
I can't stop the game from crashing.
The game is over at nine, I'll be home by ten.
When does the interview end?
We finished the game at midnight with my brother.
The scene in the kitchen.
Das Spiel hat uns gefallen.
Le jeu commence.
El juego empieza.
Игра началась.
游戏很好玩。
"""


def _lines(table: str) -> list[str]:
    return [line for line in table.splitlines() if line]


def _told(turn: str) -> list[str]:
    return [sentence for sentence, _ in sentences(turn)]


def _begins(turn: str) -> bool:
    told = _told(turn)
    return any(played.opens(one, " ".join(told[place + 1 :])) for place, one in enumerate(told))


@pytest.mark.parametrize("turn", _lines(OPENS + HANDED + OTHERS))
def test_a_game_handed_texts_and_somebody_else_are_known(turn: str) -> None:
    assert _begins(turn)


@pytest.mark.parametrize("turn", _lines(OPENS_NONE))
def test_talk_of_games_and_parts_of_the_listener_alone_begin_none(turn: str) -> None:
    assert not _begins(turn)


@pytest.mark.parametrize("turn", _lines(ENDS))
def test_the_end_of_a_game_is_known(turn: str) -> None:
    assert all(map(played.ends, _told(turn)))


@pytest.mark.parametrize("turn", _lines(ENDS_NOTHING))
def test_talk_of_ends_ends_no_game(turn: str) -> None:
    assert not any(map(played.ends, _told(turn)))


#: What is said while a game is on, before or behind it; its language; a proposal of it.
SAID = {
    "I live in Graz.": "The user lives in Graz.",
    "I'm allergic to walnuts.": "The user is allergic to walnuts.",
    "Ich wohne in Graz.": "Der Nutzer wohnt in Graz.",
    "J'habite à Graz.": "L'utilisateur habite à Graz.",
    "Vivo en Graz.": "El usuario vive en Graz.",
    "Я живу в Граце.": "Пользователь живёт в Граце.",
    "我住在格拉茨。": "用户住在格拉茨。",
}
_SMALL_TALK = ("What hurts?", "Go on.", "Hm.", "Et alors ?", "Und dann?", "然后呢？")

_turns = st.lists(
    st.one_of(
        st.tuples(st.just("opens"), st.sampled_from(_lines(OPENS + HANDED + OTHERS))),
        st.tuples(st.just("ends"), st.sampled_from(_lines(ENDS))),
        st.tuples(st.just("said"), st.sampled_from(sorted(SAID))),
        st.tuples(st.just("talk"), st.sampled_from(_SMALL_TALK)),
        st.tuples(st.just("answer"), st.sampled_from(_SMALL_TALK)),
    ),
    max_size=12,
)


@given(_turns)
def test_what_is_said_in_a_game_is_said_by_nobody_and_all_else_by_the_user(turns) -> None:
    items, meant, playing = [], [], False
    for place, (kind, text) in enumerate(turns):
        origin = Origin.ASSISTANT_SAID if kind == "answer" else Origin.USER_SAID
        items.append(an_item(text, at=1_767_225_600_000_000 + place * 60_000_000, origin=origin))
        if kind == "ends" or not playing:
            meant.append(items[-1])
        playing = kind == "opens" or (playing and kind != "ends")
    assert in_earnest(items) == meant


@given(st.sampled_from(_lines(OPENS)), st.integers(1, 12))
def test_a_game_is_over_after_two_hours_of_silence(proposal: str, hours: int) -> None:
    at = 1_767_225_600_000_000
    turns = [
        an_item(proposal, at=at, origin=Origin.USER_SAID),
        an_item("I live in Graz.", at=at + hours * HOUR_US, origin=Origin.USER_SAID),
    ]
    assert (turns[1] in in_earnest(turns)) is (hours > 2)


@pytest.mark.parametrize("proposal", _lines(OPENS))
@pytest.mark.parametrize("said", ["I live in Graz.", "Ich wohne in Graz.", "我住在格拉茨。"])
def test_own_words_stand_before_a_game_is_proposed_and_behind_its_end(proposal: str, said: str) -> None:
    assert own_words(f"{said} {proposal} {said}").count(said) <= 1
    assert own_words(f"Game over. {said}") == said


@pytest.mark.parametrize(
    ("agreed", "plays"), [("Sure!", True), ("Ja, gern.", True), ("好的。", True), ("What is that?", False)]
)
def test_a_game_that_an_assistant_proposes_is_on_where_the_user_agrees(agreed: str, *, plays: bool) -> None:
    said = [
        an_item("Let's role-play: you are the guest.", origin=Origin.ASSISTANT_SAID),
        an_item(agreed, origin=Origin.USER_SAID),
        an_item("I'm allergic to walnuts.", origin=Origin.USER_SAID),
    ]
    assert (said[2] not in in_earnest(said)) is plays


def _memory(turns: list[str]) -> Memory:
    memory = Memory(":memory:", clock=FrozenClock("2026-03-02T10:00:00Z"))
    roles = [{"role": "user", "content": one} for one in turns]
    memory.add(roles, session_id="s", scope="user:ana")
    return memory


@pytest.mark.parametrize(("said", "told"), sorted(SAID.items()))
@pytest.mark.parametrize("proposal", _lines(OPENS + HANDED + OTHERS)[::9])
def test_neither_extraction_nor_a_proposal_believes_what_is_said_in_a_game(
    said: str, told: str, proposal: str
) -> None:
    claim = {"content": told, "type": "identity", "why_store": "said so", "source": "chat"}
    for turns, believed in (
        ([said], True),
        ([proposal, "Yes.", said], False),
        ([proposal, "Yes.", "Game over.", said], True),
        ([proposal, f"Stop the game. {said}"], True),
    ):
        with _memory(turns) as memory:
            verdict = memory.propose([claim], session_id="s", scope="user:ana").verdicts[0]
            found = [one.content for one in memory.extract().found if one.verdict.outcome.value != "rejected"]
            told_of = [item.content for item in memory.list(scope="user:ana", types=["identity"])]
        if not believed:
            assert verdict.outcome.value == "quarantined"
            assert said not in found
            assert told_of == []
        else:
            assert verdict.outcome.value == "accepted" or said in told_of


@pytest.mark.parametrize("each", [1, 2, 3])
def test_a_game_goes_on_in_turns_that_are_extracted_later(each: int) -> None:
    turns = [
        "Let's do a role play: you are the doctor.",
        "Yes?",
        "I live in Graz.",
        "Stop the game.",
        "I like tea.",
    ]
    clock = FrozenClock("2026-03-02T10:00:00Z")
    found: list[str] = []
    with Memory(":memory:", clock=clock) as memory:
        for start in range(0, len(turns), each):
            some = [{"role": "user", "content": one, "id": one} for one in turns[start : start + each]]
            memory.add(some, session_id="s")
            found += [one.content for one in memory.extract().found]
            clock.advance(seconds=30)
        narratives = memory.sessions.end("s").narratives
        told = " ".join(memory.get(one).content for one in narratives)
    assert found == ["I like tea."]
    assert "Graz" not in told


@pytest.mark.parametrize("session_id", ["s", "another", None])
@pytest.mark.parametrize(
    ("turns", "accepted"),
    [
        (["I like jazz."], True),
        (["I like jazz.", "Which records should I buy?"], True),
        (["I like jazz.", "Forget that."], False),
        (["I like jazz.", "Actually I hate jazz."], False),
        (["Let's do a role play.", "I like jazz."], False),
        (["Let's do a role play.", "Go on.", "Game over.", "I like jazz."], True),
    ],
)
def test_a_turn_that_is_named_as_the_source_counts_as_it_stands_in_its_session(
    turns: list[str], session_id: str | None, *, accepted: bool
) -> None:
    with _memory(turns) as memory:
        said = next(
            one for one in memory.sessions.get("s", scope="user:ana") if one.content == "I like jazz."
        )
        claim = {
            "content": "The user likes jazz.",
            "type": "preference",
            "why_store": "said so",
            "source": said.id,
        }
        verdict = memory.propose([claim], session_id=session_id, scope="user:ana").verdicts[0]
    assert (verdict.outcome.value == "accepted") is accepted


def test_a_model_is_not_shown_what_an_assistant_repeats_in_a_game() -> None:
    told = {
        "content": "The user lives in Graz.",
        "type": "identity",
        "turns": [1, 2],
        "confidence": 0.9,
        "why": "useful",
    }
    model = ScriptedModel({"extract": {"facts": [told]}})
    turns = [
        ("user", "Hello, I like tea."),
        ("user", "Let's do a role play: you are the doctor."),
        ("assistant", "Where do you live?"),
        ("user", "I live in Graz."),
        ("assistant", "So you live in Graz."),
    ]
    with Memory(":memory:", model=model, clock=FrozenClock("2026-03-02T10:00:00Z")) as memory:
        memory.add([{"role": role, "content": text} for role, text in turns], session_id="s")
        found = memory.extract().found
    assert [one.content for one in found] == []
    assert all("Graz" not in prompt.user for prompt in model.prompts)
