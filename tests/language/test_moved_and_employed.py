"""Statements of a move and of another employer, in six languages, and others that tell of neither."""

from itertools import product

import pytest

from simonides.language.contradiction import has_changed
from simonides.language.outdated import outdated

#: Statements of where somebody lives; what tells that it is otherwise by now; where.
MOVED = {
    "en": (
        "I live in Leeds.|I live in Leeds with Kate.",
        "We moved to {}.|Now we live in {}.|I moved to live in {}.",
        "Ilkley|York",
    ),
    "de": (
        "Ich wohne in Graz.|Ich wohne mit Max in Graz.",
        "Wir sind nach {} gezogen.|Jetzt wohnen wir in {}.|Ich wohne jetzt in {}.",
        "Linz|Bonn",
    ),
    "fr": (
        "J'habite à Nantes.|J'habite à Nantes avec Paul.",
        "On a déménagé à {}.|On vient de déménager à {}.|Je viens de déménager à {}.|Maintenant on habite à {}.",
        "Rennes|Brest",
    ),
    "es": (
        "Vivo en Valencia.|Vivo en Valencia con Paco.",
        "Nos hemos mudado a {}.|Acabo de mudarme a {}.|Ahora vivimos en {}.|Nos mudamos a vivir a {}.",
        "Castellón|Soria",
    ),
    "ru": (
        "Я живу в Казани.|Я живу в Казани с Олей.",
        "Теперь мы живём в {}.|Я переехала жить в {}.|Мы переехали в {}.",
        "Уфе|Перми",
    ),
    "zh": (
        "我住在杭州。|我住在杭州，在一家银行做会计。",
        "我们搬到{}了。|我搬到{}了。|我们现在住在{}。",
        "南京|苏州",
    ),
}
#: Statements of what somebody is and where; what they are; what tells of another employer.
EMPLOYED = {
    "en": ("I'm a {} at Acme.", "nurse|cook", "I now work for Globex."),
    "de": (
        "Ich bin {} bei Siemens.",
        "Krankenschwester|Koch",
        "Ich arbeite jetzt bei Bosch.|Jetzt arbeite ich bei Bosch.",
    ),
    "fr": (
        "Je suis {} chez Renault.",
        "infirmière|comptable|analyste",
        "Je travaille maintenant chez Airbus.",
    ),
    "es": ("Soy {} en Mapfre.", "enfermera|abogada|contable", "Ahora trabajo en Telefónica."),
    "ru": ("Я работаю {} в Газпроме.", "бухгалтером|медсестрой", "Теперь я работаю в Сбербанке."),
    "ru, without a verb": ("Я {} в Газпроме.", "бухгалтер|врач|юрист", "Теперь я работаю в Сбербанке."),
    "zh": ("我在阿里当{}。|我在阿里做{}。", "会计|工程师", "我现在在腾讯工作。|我现在在腾讯上班。"),
}
#: Pairs of which the second says nothing of the first.
BESIDE = """
J'habite à Nantes.|On a déménagé le bureau à Rennes.
J'habite à Nantes.|On va déménager à Rennes.
J'habite à Nantes.|Ils ont déménagé à Rennes.
J'habite à Nantes.|On mange à Rennes.
I live in Leeds.|I work on a renamed project in York.
I live in Leeds.|We work on a farm in York.
I live in Leeds.|They moved to York.
I live in Leeds.|We want to move to York.
Vivo en Valencia.|Ana se ha mudado a Soria.
Vivo en Valencia.|Queremos mudarnos a Soria.
Vivo en Valencia.|Hemos comido en Soria.
我住在杭州。|他搬到南京了。
我住在杭州。|我想搬到南京。
我住在杭州。|小王搬到南京了。
我住在杭州。|我现在在南京出差。
我在杭州做饭。|我现在在腾讯工作。
我在厨房做饭。|我现在在腾讯工作。
Я живу в Казани.|Аня переехала в Уфу.
Я живу в Казани.|Мы хотим жить в Уфе.
Я живу в Казани.|Я люблю жить в Уфе.
Ich bin gerade bei Anna.|Ich arbeite jetzt bei Bosch.
Ich bin oft bei Anna.|Ich arbeite jetzt bei Bosch.
Ich bin bei Anna.|Ich arbeite jetzt bei Bosch.
Je suis souvent chez Anna.|Je travaille maintenant chez Airbus.
Je suis allée chez Anna.|Je travaille maintenant chez Airbus.
Soy feliz en Madrid.|Ahora trabajo en Telefónica.
Soy vegetariana.|Ahora trabajo en Telefónica.
Я дома в Казани.|Теперь я работаю в Сбербанке.
Я один в Казани.|Теперь я работаю в Сбербанке.
Ich bin Krankenschwester bei Siemens.|Ich arbeite jetzt bei Siemens.
Ich bin Krankenschwester bei Siemens.|Ich arbeite jetzt in Teilzeit.
Ich bin Krankenschwester bei Siemens.|Anna arbeitet jetzt bei Bosch.
Я бухгалтер.|Теперь я работаю в Сбербанке.
我在阿里当会计。|小王现在在腾讯工作。
我在阿里当会计。|我现在在阿里工作。
"""


#: A value is another by now.
VALUES = """
The meeting is on Friday.|The meeting got pushed to Monday.
My flight to Rome is on May 3.|My flight to Rome is now on May 4.
My dentist appointment is on Monday at 10.|My dentist appointment was rescheduled to Tuesday at 9.
The launch is in May.|The launch slipped to June.
My rent is 900 euros.|My rent went up to 950 euros.
Die Sitzung ist am Freitag.|Die Sitzung wurde auf Montag verschoben.
Mein Flug nach Rom geht am 3. Mai.|Mein Flug nach Rom wurde auf den 4. Mai verschoben.
Meine Miete ist 900 Euro.|Meine Miete wurde auf 950 Euro erhöht.
La réunion est vendredi.|La réunion a été déplacée à lundi.
Mon loyer est de 900 euros.|Mon loyer est passé à 950 euros.
La reunión es el viernes.|La reunión se ha movido al lunes.
Mi alquiler es de 900 euros.|Mi alquiler ha subido a 950 euros.
Встреча в пятницу.|Встречу перенесли на понедельник.
Моя аренда 900 евро.|Моя аренда выросла до 950 евро.
会议在周五。|会议改到周一了。
"""
#: Told of something else, of how much, of when, of one time, or without saying that anything changed.
AS_BEFORE = """
The meeting with Ana is on Friday.|The meeting with Bob was moved to Monday.
The meeting is on Fridays.|This week the meeting was moved to Monday.
The meeting is on Friday at 10.|The meeting on Monday at 9 is about the budget.
My rent is 900 euros.|My rent was raised by 50 euros.
My rent is 900 euros.|My rent is 950 euros.
Die Sitzung ist am Freitag.|Die Probe wurde auf Montag verschoben.
Die Sitzung ist am Freitag.|Die Sitzung würde auf Montag verschoben.
Meine Miete ist 900 Euro.|Meine Miete wurde am 3. Mai erhöht.
Meine Miete ist 900 Euro.|Meine Miete wurde um 50 Euro erhöht.
Meine Wohnung hat 3 Zimmer.|Meine Wohnung wurde 1950 gebaut.
Mon loyer est de 900 euros.|Mon loyer a augmenté de 50 euros.
Mi alquiler es de 900 euros.|Mi alquiler ha subido 50 euros.
La reunión es el viernes.|La cena se ha movido al lunes.
My dentist appointment is on Friday.|My dentist appointment on Thursday was moved to Monday.
My dentist appointment is on Friday.|My dentist appointment should be moved to Monday.
My flight to Rome is on May 3.|My flight to Rome on May 1 was moved to May 2.
My flight to Rome is on May 3.|My flight to Rome was almost moved to May 4.
My rent is 900 euros.|My rent was raised from 800 to 850 euros in 2019.
My rent is 900 euros.|My rent can be raised to 950 euros at most.
Mein Termin ist am Freitag.|Mein Termin am Donnerstag wurde auf Montag verschoben.
Meine Miete ist 900 Euro.|Meine Miete wurde 2019 auf 850 Euro erhöht.
Die Sitzung ist am Freitag.|Die Sitzung wurde am Montag verschoben.
Mon loyer est de 900 euros.|En 2019 mon loyer est passé à 850 euros.
La réunion est vendredi.|La réunion de jeudi a été déplacée à lundi.
La réunion est vendredi.|La réunion a été déplacée lundi.
Mi alquiler es de 900 euros.|El mes pasado mi alquiler fue de 850 euros.
La reunión es el viernes.|La reunión fue el lunes pasado.
La reunión es el viernes.|La reunión del jueves se ha movido al lunes.
Встреча в пятницу.|Встречу в четверг перенесли на понедельник.
我的会议在周五。|我周四的会议改到周一了。
会议在周五。|会议差点改到周一了。
Моя аренда 900 евро.|Моя аренда выросла на 50 евро.
"""


def _is_over(former, text):
    return has_changed(former, text) or outdated(former, text) is not None


@pytest.mark.parametrize("code", MOVED)
def test_who_moved_lives_no_more_where_they_did(code):
    for former, told, place in product(*(words.split("|") for words in MOVED[code])):
        assert _is_over(former, told.format(place)), (former, told)


@pytest.mark.parametrize("code", EMPLOYED)
def test_who_works_for_another_is_no_more_what_they_were_there(code):
    for former, profession, told in product(*(words.split("|") for words in EMPLOYED[code])):
        assert _is_over(former.format(profession), told), (former, profession, told)


@pytest.mark.parametrize(("former", "text"), [line.split("|") for line in BESIDE.strip().splitlines()])
def test_what_is_of_others_wished_or_somewhere_else_changes_nothing(former, text):
    assert not _is_over(former, text)


@pytest.mark.parametrize(("former", "text"), [line.split("|") for line in VALUES.strip().splitlines()])
def test_what_was_moved_raised_or_is_now_otherwise_holds_no_more(former, text):
    assert has_changed(former, text)


@pytest.mark.parametrize(("former", "text"), [line.split("|") for line in AS_BEFORE.strip().splitlines()])
def test_a_change_of_something_else_or_by_how_much_replaces_no_value(former, text):
    assert not has_changed(former, text)
