"""Full stops that count and shorten, whose words a clause behind a statement says it is, and who nobody is."""

import pytest

from simonides.domain.scope import GLOBAL
from simonides.language.clauses import sentences_of
from simonides.language.spoken import sentences
from simonides.writing.extract import statements
from simonides.writing.intake import message

#: Each is one sentence, and what stands behind it another.
ONE = """
Ich wohne in der 3. Etage|Wir wohnen im 4. Stock|Ich wohne im 3. Bezirk in Wien|Ich arbeite in der 2. Schicht
Mein 2. Kind heißt Max|Seit dem 3. Semester wohne ich in Halle|Jeder 10. Platz ist frei|Ab 1. Mai arbeite ich bei Bosch
ich wohne im 4. stock links|Wir treffen uns jeden 2. Montag|Ich wohne in der Str. des 17. Juni
"""
#: The bar stands where a sentence ends.
TWO = """
Ich bin 3. |Das war knapp|Ich wohne in der 3. |Meine Frau auch|Ich wohne in der 3. |Heute regnet es
I am 3. |Dogs are nice
Ich habe 3. |Sie sind süß|Wir treffen uns um 3. |Bring Kuchen mit
Room 3. |The door is red|Ich bin der 1. |Das freut mich
Nous sommes 3. |Paul est ici|Somos 3. |Ana no viene|Нас 3. |Аня дома
"""
#: A turn, and the statement in it; nothing behind the bar where there is none.
STATED = """
Ab 1. Mai arbeite ich bei Bosch.|Ab 1. Mai arbeite ich bei Bosch.
Ich wohne in der 3. Etage. Es ist schön.|Ich wohne in der 3. Etage.
我是素食者，我哥哥说。|
我对花生过敏，我妈说。|
我是素食者，我姐姐也这么觉得。|
我住在杭州，小王说的。|
我喜欢茶，我姐姐也喜欢。|我喜欢茶，我姐姐也喜欢。
我是素食者，我跟你说过。|我是素食者。
Sure, and I'm Superman.|
Sure. And I'm the Queen of Sheba.|
Right, and I'm a nurse.|I'm a nurse.
Na klar, und ich bin Superman.|
Na klar, und ich bin Julius Cäsar.|
Klar, und ich bin der Kaiser von China.|
Ja, und ich bin Krankenschwester.|Ich bin Krankenschwester.
Ya, y yo soy Napoleón.|
Sí, claro, y yo soy la reina de Saba.|
Sí, y soy enfermera.|Soy enfermera.
Ah bon, et moi je suis Batman.|
Oui, et je suis infirmière.|Je suis infirmière.
Ага, а я Наполеон.|
Да, и я медсестра.|Я медсестра.
"""


def _each(table):
    return [one for line in table.strip().splitlines() for one in line.split("|")]


def _turn(text):
    return message({"role": "user", "content": text, "at": "2026-03-02T18:00:00Z"}).episode(GLOBAL, "s", 1)


@pytest.mark.parametrize("sentence", _each(ONE))
def test_a_full_stop_that_counts_or_shortens_ends_no_sentence(sentence):
    assert [one for one, _ in sentences(f"{sentence}. Es ist schön.")] == [sentence, "Es ist schön"]


@pytest.mark.parametrize("sentence", [one for one in _each(ONE) if "Str." not in one])
def test_statements_are_compared_and_quoted_by_the_same_sentences(sentence):
    assert len(list(sentences_of(f"{sentence}. Es ist schön."))) == 2


@pytest.mark.parametrize(("one", "other"), list(zip(_each(TWO)[::2], _each(TWO)[1::2], strict=True)))
def test_a_full_stop_behind_a_figure_ends_a_sentence_elsewhere(one, other):
    assert [sentence for sentence, _ in sentences(f"{one}{other}.")] == [one.strip(" ."), other]
    assert len(list(sentences_of(f"{one}{other}."))) == 2


@pytest.mark.parametrize("line", STATED.strip().splitlines())
def test_what_is_stated_is_a_whole_sentence_of_the_speakers(line):
    turn, stated = line.split("|")
    assert [one.content for one in statements([_turn(turn)])] == ([stated] if stated else [])
