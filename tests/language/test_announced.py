"""Turns that give the next one away: a text comes, or somebody else writes."""

from __future__ import annotations

import pytest

from simonides import Memory
from simonides.language import played
from simonides.language.spoken import own_words

#: Until a user ends it.
BEGIN = """
Bob wants to type something.
Tom would like to ask you something.
I'll dictate a letter.
Take dictation please.
Let me dictate the speech.
I'll read you Bob's letter now.
I'll read you a poem.
I hand the phone over to Bob.
I'm giving my sister the laptop now.
I'll send it line by line.
I'm going to paste the chapter in several parts.
We're rehearsing a dialogue, I read the lines of Anna.
Bob is typing now.
Mia wants to say hi, she'll type now.
Passing you to Bob.
Now over to Bob.
Bob's turn to type.
Let me read you what Tom wrote.
Bob möchte dir etwas schreiben.
Jetzt schreibt Bob.
Ich gebe das Handy an Bob weiter.
Ich gebe Bob das Handy.
Ich diktiere dir einen Brief.
Bitte Diktat.
Ich lese dir jetzt Bobs Brief vor.
Ich schicke sie dir Zeile für Zeile.
Wir proben einen Dialog, ich lese den Text von Anna.
Bob veut écrire quelque chose.
Je passe le téléphone à Bob.
Je vais te dicter une lettre.
Je te lis la lettre de Bob.
Je te l'envoie ligne par ligne.
On répète une scène, je lis les répliques d'Anna.
Bob quiere escribir algo.
Le paso el teléfono a Bob.
Te voy a dictar una carta.
Te leo la carta de Bob.
Te lo mando frase por frase.
Estamos ensayando una escena, yo leo el papel de Ana.
Боб хочет что-то написать.
Передаю телефон Бобу.
Сейчас продиктую тебе письмо.
Я прочитаю тебе письмо Боба.
Пришлю по строчкам.
Мы репетируем диалог, я читаю реплики Анны.
汤姆想打几句话。
我把手机交给汤姆。
我来口述一封信。
我给你读一下汤姆的信。
我会一句一句发给你。
我们正在排练一段对话。
"""

#: The next turn.
ANNOUNCE = """
Next message is from my dad.
The next message is not mine.
The following text is a quote.
Here comes the text, summarize it:
Here is my sister's bio:
I am going to paste my sister's bio in the next message.
I'll send you the article now.
Let me paste it here.
What follows is from my neighbour's diary.
The message below is from Tom.
Here's the email I got:
Was folgt, ist von meinem Nachbarn.
Ce qui suit est de mon voisin.
Lo que sigue es de mi vecino.
Die nächste Nachricht ist von meinem Vater.
Jetzt kommt der Text, fass ihn zusammen:
Ich kopiere dir gleich den Lebenslauf meiner Schwester.
Le prochain message est de mon père.
Voici le texte, résume-le :
Je vais te coller la bio de ma sœur dans le prochain message.
El próximo mensaje es de mi padre.
Aquí viene el texto, resúmelo:
Te voy a pegar la biografía de mi hermana en el próximo mensaje.
Следующее сообщение от моего папы.
Вот текст, сократи его:
Сейчас пришлю биографию сестры.
下一条消息是我爸爸发的。
下面是文章，请总结：
我马上贴一下我妹妹的简介。
"""

NEITHER = """
Can you proofread my story?
I wrote Bob a letter.
My son wants to write a book.
Bob wants to write a book.
Tom wants to say goodbye to his team.
I dictate my messages since my hands hurt.
I read a poem every morning.
I'll read the book tonight.
I gave the phone to my son.
I give my daughter the phone on weekends.
I'll send the letter tomorrow.
I'll send you a message when I'm back.
I'll send you my details bit by bit.
My next job is in Graz.
The next line is at eight.
The next one is from Berlin at nine.
Here is my situation.
Here is my address:
Here is the thing.
The next part of my trip is Graz.
Then over to Vienna.
I'm putting Bob on the team.
My daughter is one, she talks now.
It's Bob's turn.
Here's the plan.
I'll send the message now and wait.
I'll give you some context.
I am rehearsing for a concert.
I play the role of a scrum master in my team.
Bob is writing a thesis.
Anna takes over the project in May.
I'll take the part in Graz.
I'm going to paste the wallpaper here.
Let me show you my preferences.
I want to share a story about me.
Ich gebe Bob morgen das Geld.
Bob möchte einen Roman schreiben.
Die nächste Nachricht kommt morgen.
Ich schreibe gerade einen Brief.
Ich lese gern Briefe.
Ich diktierte ihr früher alles.
Bob veut écrire un roman.
J'écris une lettre à ma mère.
Voici mon adresse.
Je donne un livre à Bob.
Bob quiere escribir un libro.
Escribo una carta a mi madre.
Aquí está mi dirección.
Боб хочет написать книгу.
Я пишу письмо маме.
Вот мой адрес.
汤姆想写一本书。
我昨天写了一封信。
我想买手机。
下面是我的地址。
我喜欢读信。
"""


def _kept(*turns: str) -> list[str]:
    """Statements extracted of turns of a user, each answered, and whether a proposal of the last is accepted."""
    answered = [
        one
        for text in turns
        for one in ({"role": "user", "content": text}, {"role": "assistant", "content": "Sure."})
    ]
    with Memory(":memory:") as memory:
        memory.add(answered, session_id="s", scope="user:ana")
        said = {
            "content": "The user lives in Graz.",
            "type": "identity",
            "why_store": "asked for",
            "source": "q",
        }
        outcome = memory.propose([said], session_id="s", scope="user:ana")[0].outcome.value
        found = [one.content for one in memory.extract().found]
    assert (outcome == "accepted") == ("I live in Graz." in found)
    return found


@pytest.mark.parametrize("sentence", BEGIN.strip().splitlines())
def test_somebody_else_or_a_text_is_announced_until_it_ends(sentence: str) -> None:
    assert played.opens(sentence)


@pytest.mark.parametrize("sentence", ANNOUNCE.strip().splitlines())
def test_the_next_turn_is_announced_as_somebody_elses(sentence: str) -> None:
    assert played.announces(sentence) or played.opens(sentence)


@pytest.mark.parametrize("sentence", NEITHER.strip().splitlines())
def test_nothing_is_announced(sentence: str) -> None:
    assert not played.announces(sentence)
    assert not played.opens(sentence)


@pytest.mark.parametrize(
    "announced", ["Next message is from my dad.", "Take dictation please.", "Bob wants to type something."]
)
def test_what_was_announced_is_nobodys_word(announced: str) -> None:
    assert _kept(announced, "I live in Graz.") == []


def test_an_announcement_is_of_one_turn() -> None:
    assert _kept("Next message is from my dad.", "Hope you like the new phone.", "I live in Graz.") == [
        "I live in Graz."
    ]


def test_a_text_in_the_same_turn_was_not_announced_for_the_next() -> None:
    letter = "Here comes the letter: " + "The weather was fine and we walked along the river for hours. " * 3
    assert _kept(letter, "I live in Graz.") == ["I live in Graz."]


def test_a_text_behind_a_colon_was_not_announced_for_the_next() -> None:
    assert _kept("Here comes the letter: I like Vienna.", "I live in Graz.") == ["I live in Graz."]


def test_a_text_that_never_comes_takes_nothing() -> None:
    assert _kept("Can you proofread my story?", "I live in Graz.") == ["I live in Graz."]


def test_what_stands_behind_an_announcement_is_the_text() -> None:
    assert own_words("Hello. Here comes the letter. I live in Graz.") == "Hello."


def test_whoever_is_back_speaks_again() -> None:
    assert _kept("Next message is from my dad.", "It's me again. I live in Graz.") == ["I live in Graz."]
