"""Statements of a move and of another employer, in six languages, and others that tell of neither."""

from itertools import product

import pytest

from simonides.language.contradiction import difference, has_changed
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
        "我们搬到{}了。|我搬到{}了。|我们现在住在{}。|我们三个月前搬到{}。|我们五天前搬到{}。",
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
Vivo en Valencia.|Nos mudamos a Soria en abril.
Vivo en Valencia.|Nos mudamos el 1 de mayo a Soria.
Vivo en Valencia.|Nos mudamos a Soria la semana que viene.
Vivo en Valencia.|Nos mudamos a Soria este verano.
Vivo en Valencia.|El lunes nos mudamos a Soria.
Vivo en Valencia.|Hemos comido en Soria.
我住在杭州。|他搬到南京了。
我住在杭州。|我想搬到南京。
我住在杭州。|我们四月搬到南京。
我住在杭州。|我五月搬到南京。
我住在杭州。|我周五搬到南京。
我住在杭州。|我们定了五月搬到南京。
我住在杭州。|五月一号我们搬去南京。
我住在杭州。|我要搬到南京。
我住在杭州。|我准备搬到南京。
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
Der Termin ist am Freitag.|Der Termin wurde auf Dienstag verschoben.
The meeting is on Friday.|The meeting was moved to Tuesday.
La réunion est vendredi.|La réunion a été déplacée à mardi.
La reunión es el viernes.|La reunión se ha movido al martes.
Встреча в пятницу.|Встречу перенесли на вторник.
会议在周五。|会议改到周二了。
I have a dentist appointment on Monday.|My dentist appointment was moved to Tuesday.
The meeting is on Friday.|The meeting was brought forward to Thursday.
The meeting is on Friday.|The meeting was put off to Monday.
The meeting is on Friday.|The meeting got pushed back to Monday.
Die Sitzung ist am Freitag.|Die Sitzung wurde auf Donnerstag vorgezogen.
La réunion est vendredi.|La réunion a été avancée à jeudi.
La reunión es el viernes.|La reunión se ha adelantado al jueves.
La reunión es a las 10.|La reunión se ha movido a las 11.
Встреча в пятницу.|Встречу сдвинули на четверг.
会议在周五。|会议提前到周四了。
Mein Zug geht um 9 Uhr nach Rom.|Mein Zug nach Rom geht jetzt um 10 Uhr.
La réunion est le 3 mai.|La réunion a été reportée au 4 mai.
My meeting is on Friday.|My meeting was rescheduled for Monday.
Mi cita es el viernes.|Mi cita se ha cambiado para el lunes.
The meeting is on Monday.|The meeting was moved to Monday and then back to Friday.
会议在周五。|会议改在周一了。
会议在周五。|会议推迟到周一了。
Встреча в пятницу.|Встречу отложили до понедельника.
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
My holiday begins on May 3.|My holiday was extended to May 20.
Mein Urlaub beginnt am 3. Mai.|Mein Urlaub wurde auf den 20. Mai verlängert.
Mon séjour commence lundi.|Mon séjour a été prolongé à vendredi.
Mi viaje empieza el lunes.|Mi viaje se ha ampliado al viernes.
Мой отпуск начинается 3 мая.|Мой отпуск продлили до 20 мая.
Meine Miete ist 900 Euro.|Ihre Miete ist auf 950 Euro gestiegen.
"""

#: Told of when or by how much something was changed, or of another one: it contradicts nothing.
OTHERWISE = """
Der Termin ist am Freitag.|Der Termin wurde am Montag verschoben.
Die Sitzung ist am Freitag.|Die Sitzung wurde am Montag verlegt.
The meeting is on Friday.|The meeting was moved on Monday.
The meeting is on Friday.|The meeting was rescheduled on Monday.
La réunion est vendredi.|La réunion a été reportée lundi.
La reunión es el viernes.|La reunión se ha movido el lunes.
Встреча в пятницу.|Встречу перенесли в понедельник.
会议在周五。|会议周一改了。
会议在周五。|会议是周一改的。
I brought 2 cakes to the party.|I got 3 cakes to the party.
I brought 2 cakes.|I got 3 cakes.
I got 2 cakes.|I brought 3 cakes.
Die Frist wurde um 2 Wochen verlängert.|Die Frist wurde um 3 Wochen verlängert.
The deadline was extended by 2 weeks.|The deadline was extended by 3 weeks.
Le délai a été prolongé de 2 semaines.|Le délai a été prolongé de 3 semaines.
El plazo se ha ampliado en 2 semanas.|El plazo se ha ampliado en 3 semanas.
Срок продлили на 2 недели.|Срок продлили на 3 недели.
截止日期延长了2周。|截止日期延长了3周。
My rent went up by 50 euros.|My rent went up by 30 euros.
Meine Miete ist um 50 Euro gestiegen.|Meine Miete ist um 30 Euro gestiegen.
Mon loyer a augmenté de 50 euros.|Mon loyer a augmenté de 30 euros.
Mi alquiler ha subido 50 euros.|Mi alquiler ha subido 30 euros.
Моя аренда выросла на 50 евро.|Моя аренда выросла на 30 евро.
我的房租涨了50欧元。|我的房租涨了30欧元。
Mein Zug geht um 9 Uhr nach Rom.|Mein Zug ist um 14 Uhr in Rom.
My train goes to Rome at 9.|My train is in Rome at 14.
My train to Rome leaves at 9.|My train is in Rome at 14:00.
Mon train part pour Rome à 9 h.|Mon train est à Rome à 14 h.
Mi tren sale para Roma a las 9.|Mi tren está en Roma a las 14.
The meeting is on Friday.|The meeting was moved to Monday and then back to Friday.
The meeting is on Friday.|The meeting was moved to Monday, then back to Friday.
Die Sitzung ist am Freitag.|Die Sitzung wurde auf Montag und dann wieder auf Freitag verschoben.
La réunion est vendredi.|La réunion a été déplacée à lundi puis à nouveau à vendredi.
La reunión es el viernes.|La reunión se ha movido al lunes y luego otra vez al viernes.
Встреча в пятницу.|Встречу перенесли на понедельник, а потом обратно на пятницу.
会议在周五。|会议改到周一，后来又改回周五了。
La réunion est vendredi.|Une réunion a été déplacée à lundi.
La reunión es el viernes.|Una reunión se ha movido al lunes.
The meeting is on Friday.|A meeting was moved to Monday.
Die Sitzung ist am Freitag.|Eine Sitzung wurde auf Montag verschoben.
会议在周五。|有个会议改到周一了。
会议在周五。|有一个会议改到周一了。
会议在周五。|一个会议改到周一了。
会议在周五。|另一个会议改到周一了。
Встреча в пятницу.|Одну встречу перенесли на понедельник.
Встреча в пятницу.|Другую встречу перенесли на понедельник.
La réunion est vendredi.|Une autre réunion a été déplacée à lundi.
La reunión es el viernes.|Otra reunión se ha movido al lunes.
The meeting is on Friday.|Another meeting was moved to Monday.
Die Sitzung ist am Freitag.|Eine andere Sitzung wurde auf Montag verschoben.
Mon loyer est de 900 euros.|Un loyer est maintenant de 950 euros.
Mi alquiler es de 900 euros.|Un alquiler es ahora de 950 euros.
My rent is 900 euros.|My rent is now up by 50 euros.
Mon loyer est de 900 euros.|Son loyer est passé à 950 euros.
Mi alquiler es de 900 euros.|Su alquiler ha subido a 950 euros.
My rent is 900 euros.|My rent is now under 950 euros.
Meine Miete ist 900 Euro.|Meine Miete ist jetzt unter 950 Euro.
Mon loyer est de 900 euros.|Mon loyer est maintenant sous 950 euros.
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


@pytest.mark.parametrize(("one", "other"), [line.split("|") for line in OTHERWISE.strip().splitlines()])
def test_when_and_by_how_much_something_changed_is_no_other_value_of_it(one, other):
    assert difference(one, other) is None
    assert difference(other, one) is None
