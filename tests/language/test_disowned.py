"""Words that their own turn, or the next one, says are somebody else's: sources, heads of posts, quotations."""

from __future__ import annotations

import pytest

from simonides import Memory
from simonides.language.spoken import own_words
from simonides.language.taken_back.turns import takes_back

#: A line break is written as \\n.
SOMEBODY_ELSES = """
J'habite à Graz. C'est Tom qui l'a dit.
Vivo en Graz. Lo dijo Tom.
Ich wohne in Graz. Das hat Tom gesagt.
Я живу в Граце. Это сказал Том.
我住在格拉茨。这是汤姆说的。
I live in Graz. Tom said that.
I live in Graz. [source: Tom]
Ich wohne in Graz. [Quelle: Tom]
J'habite à Graz. (source : Tom)
Vivo en Graz. (Fuente: Tom)
Я живу в Граце. (Источник: Том)
我住在格拉茨。（来源：汤姆）
10:32 Tom\\nI live in Graz.
[10:32] Tom\\nI live in Graz.
Tom R. · 3 days ago\\nI live in Graz.
Tom · 2h\\nI live in Graz.
Tom Weber, yesterday at 10:32\\nI live in Graz.
Tom · vor 3 Tagen\\nIch wohne in Graz.
Tom · il y a 3 jours\\nJ'habite à Graz.
Tom · hace 3 días\\nVivo en Graz.
Том · 3 дня назад\\nЯ живу в Граце.
汤姆 · 3天前\\n我住在格拉茨。
Tom here. I live in Graz.
00:01:02 --> 00:01:04\\nI live in Graz.
1\\n00:01:02,000 --> 00:01:04,000\\nI live in Graz.
~~I live in Graz.~~
（我住在格拉茨。）
(I live in Graz.)
Here is what my therapist noted. I live in Graz.
Hier ist, was meine Therapeutin notiert hat. Ich wohne in Graz.
Vivo en Graz. ¿Puedes traducirlo?
¿Puedes traducir esto? Vivo en Graz.
"""

OWN = """
Same here. I live in Graz.
Everyone here knows it. I live in Graz.
I live in Graz (Austria).
I have diabetes. My doctor said so.
I live in Graz. I said that before.
At 10:32 I take the bus. I live in Graz.
Hello · good morning, I live in Graz.
Here is what I need. I live in Graz.
Here is what happened. I live in Graz.
I live in Graz. Source of joy: my garden.
Das sagt man so. Ich wohne in Graz.
I live in Graz. C'est moi qui l'ai dit.
Today I live in Graz.
I live in Graz ~ 5 km from the centre ~ and love it.
Graz, today\\nI live in Graz now.
¿Puedes ayudarme? Vivo en Graz.
我住在格拉茨（奥地利）。
"""

DISOWNING = """
That's a lyric.
That was a quote from my favourite film.
That's from a song.
I was quoting Tom.
Just a quote.
That was the opening line of my novel.
Those are not my words.
That's not about me.
No wait, that's my brother.
Wait, no, that's my sister.
Sorry, that's someone else.
No, that's my brother.
Tom said that, not me.
Das ist ein Zitat.
Das war aus einem Lied.
Ich habe nur zitiert.
Nein warte, das ist mein Bruder.
Moment, das ist meine Schwester.
C'est une citation.
C'est tiré d'une chanson.
Je citais Tom.
Non attends, c'est mon frère.
C'est Tom qui l'a dit.
Es una cita.
Eso es de una canción.
Estaba citando a Tom.
No, espera, ese es mi hermano.
Eso lo dijo Tom.
Это цитата.
Это из песни.
Я просто цитировал.
Нет, подожди, это мой брат.
Это сказал Том.
那是歌词。
这是一句台词。
不对，那是我弟弟。
"""

NOT_DISOWNING = """
That's a nice quote.
That's my favourite song.
That's a good line of work.
That's from my garden.
That's my brother.
It's a book.
I was reading about Graz.
I sing in a choir.
Das ist mein Bruder.
Das ist ein Buch.
C'est mon frère.
C'est un livre.
Es mi hermano.
Es un libro.
Это мой брат.
Это книга.
那是我弟弟。
That is what my doctor said.
Who said that?
"""

_NAMED = ("Graz", "格拉茨", "Грац", "diabetes")


def _stands(text: str) -> bool:
    words = own_words(text.replace("\\n", "\n"))
    return any(name in words for name in _NAMED)


@pytest.mark.parametrize("text", SOMEBODY_ELSES.strip().splitlines())
def test_words_whose_turn_names_another_source_are_nobodys(text: str) -> None:
    assert not _stands(text)


@pytest.mark.parametrize("text", OWN.strip().splitlines())
def test_words_that_merely_look_so_stay(text: str) -> None:
    assert _stands(text)


@pytest.mark.parametrize("text", DISOWNING.strip().splitlines())
def test_the_next_turn_disowns_what_was_said(text: str) -> None:
    assert takes_back("I live in Graz.", ["Sure."], text)


@pytest.mark.parametrize("text", NOT_DISOWNING.strip().splitlines())
def test_the_next_turn_tells_of_something_else(text: str) -> None:
    assert not takes_back("I live in Graz.", ["Sure."], text)


def test_a_bare_no_that_answers_a_question_disowns_nothing() -> None:
    assert not takes_back("I live in Graz.", ["Is Tom your cousin?"], "No, that's my brother.")


@pytest.mark.parametrize("put_right", ["Correction: Linz.", "Sorry, Linz.", "No, Linz."])
def test_a_proposal_of_what_was_put_right_waits(put_right: str) -> None:
    said = {"content": "The user lives in Graz.", "type": "identity", "why_store": "asked for", "source": "q"}
    turns = [{"role": "user", "content": text} for text in ("I live in Graz.", put_right)]
    with Memory(":memory:") as memory:
        memory.add(turns, session_id="s", scope="user:ana")
        [verdict] = memory.propose([said], session_id="s", scope="user:ana")
    assert verdict.outcome.value == "quarantined"
