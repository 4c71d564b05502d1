"""Words of the user that look like somebody else's and are kept, and such that a request makes an example of."""

from __future__ import annotations

from itertools import product

import pytest

from simonides.domain.scope import GLOBAL
from simonides.language import played
from simonides.writing.extract import Statement, statements
from simonides.writing.intake import message

AT = 1_767_225_600_000_000

#: A statement of each language.
STATED = {
    "en": ("I live in Graz", "I'm a nurse"),
    "de": ("Ich wohne in Graz", "Ich bin Krankenpfleger"),
    "fr": ("J'habite à Lyon", "Je suis infirmière"),
    "es": ("Vivo en Madrid", "Soy enfermera"),
    "ru": ("Я живу в Твери", "Я вегетарианец"),
    "zh": ("我住在上海", "我是护士"),
}

#: Asks how the statement before it is worded.
OF_WORDING = {
    "en": """
how do you say that in French?
how would you phrase it?
is this sentence correct?
translate that into German
what's that in Italian?
what is that in American English?
how is this called in Latin?
is that correct English?
""",
    "de": """
wie sagt man das auf Englisch?
wie würdest du das formulieren?
ist dieser Satz richtig?
übersetze das ins Englische
was heißt das auf Französisch?
was heißt das auf gut Deutsch?
wie sagt man das in einer anderen Sprache?
""",
    "fr": """
comment dit-on ça en anglais ?
comment tu formulerais ça ?
est-ce que cette phrase est correcte ?
traduis ça en anglais
comment le dire en allemand ?
traduis ça vers l'espagnol
""",
    "es": """
¿cómo se dice eso en francés?
¿cómo lo dirías?
¿es correcta esta frase?
traduce eso al inglés
¿cómo se traduce eso al polaco?
""",
    "ru": """
как это сказать по-французски?
как бы ты это сформулировал?
правильно ли это предложение?
переведи это на английский
как это перевести на немецкий?
""",
    "zh": """
这句话用法语怎么说？
这个怎么表达？
这个句子对吗？
把这句翻译成英文
""",
}

#: A plan and its condition, and one without.
CONDITIONAL = {
    "en": (
        "I'm moving to Graz in May",
        " if all goes well",
        " unless the visa is refused",
        ", provided I get the job",
    ),
    "de": ("Ich ziehe im Mai nach Graz", ", wenn alles klappt", ", sofern die Bank zustimmt"),
    "fr": ("Je déménage à Lyon en mai", " si tout va bien", ", à condition d'avoir le poste"),
    "es": ("Me mudo a Madrid en mayo", " si todo va bien", ", a menos que no me den el visado"),
    "ru": ("Я переезжаю в Тверь в мае", ", если всё получится", ", при условии, что дадут визу"),
    "zh": ("我明年要搬到上海", "，除非公司不同意", "，只要一切顺利"),
}

#: Have the words of a condition, and name none for the plan.
SURE_PLANS = """
I'm moving to Graz in May even if I lose my job.
I'm moving to Graz in May as if nothing happened.
I decided to quit my job and I don't care if they mind.
I'm flying to Rome on Friday, tell me if it rains.
Je vais à Rome vendredi, dis-moi s'il pleut.
J'ai un examen lundi, c'est si dur.
J'ai un examen lundi, s'il te plaît.
Je déménage à Lyon en mai, même si je perds mon travail.
Vuelo a Roma el viernes, dime si llueve.
Me mudo a Madrid en mayo incluso si pierdo mi trabajo.
Me mudo a Madrid en mayo aunque pierda mi trabajo.
Я лечу в Рим в пятницу, скажи, если будет дождь.
Я переезжаю в Тверь в мае, даже если потеряю работу.
我周五去罗马，只要三天。
我明年要搬到上海，即使公司不同意。
"""

#: Stand beside a statement, and take nothing of it away.
BESIDE = {
    "en": (
        "10:30 Gym\n{}.",
        "7:45 Breakfast\n14:30 - Dentist\n{}.",
        "10:30 Meeting with Tom\n{}.",
        "10:30 Gym, 12:00 Lunch\n{}.",
        "{}.\nCredit: 300 euros",
        "{}. My cardiologist said so.",
        "{}. My anaesthesiologist said so.",
        "{}. My family doctor confirmed that.",
    ),
    "de": (
        "10:30 Training\n{}.",
        "10:30 Zahnarzt Termin\n{}.",
        "10:30 Training Turnhalle\n{}.",
        "{}. Das hat meine Kardiologin gesagt.",
        "{}. Das sagt der Pneumologe.",
    ),
    "fr": (
        "10h30 Piscine\n{}.",
        "{}.\nCitation: 300 euros",
        "{}. Ma cardiologue l'a dit.",
        "{}. Mon psychiatre l'a dit.",
    ),
    "es": (
        "10:30 Gimnasio\n{}.",
        "{}.\nCita: el 3 de mayo a las 10",
        "{}.\nCita: con el médico el lunes",
        "{}.\nCita: mañana",
        "{}. Lo dijo mi cardiólogo.",
        "{}. Lo dijo mi gastroenteróloga.",
    ),
    "ru": ("10:30 Спортзал\n{}.", "{}. Так сказал мой кардиолог.", "{}. Так сказал мой пульмонолог."),
    "zh": ("10:30 健身\n{}。", "{}。医生这么说的。", "{}。这是我的心理医生告诉我的。"),
}

#: What makes it somebody else's all the same.
FOREIGN = {
    "en": (
        "10:32 Tom\n{}.",
        "10:30 Coffee Tom\n{}.",
        "10:30 Run Lola\n{}.",
        "Gym - Bob\n{}.",
        "Doctor · 10:30\n{}.",
        "Coffee, 2 hours ago\n{}.",
        "{}.\nSource: Tom Miller",
        "{}.\nSource: 20 Minutes",
        "{}.\nSource: 48 Hours (CBS)",
        "{}.\nSource: 60 Minutes",
        "{}. Tom said so.",
        "{}. The astrologist said so.",
        "{}. Our geologist wrote that.",
        "{}. The consultant said so.",
        "{}. My witch doctor said so.",
        "{}.\nCredit: Tom Miller",
        "{}.\nCredit: 60 Minutes",
    ),
    "de": (
        "10:30 Training Tom\n{}.",
        "Arzt · 10:30\n{}.",
        "{}.\nQuelle: 24 Stunden",
        "{}. Das sagt die Soziologin.",
        "{}. Das sagt der Tierarzt.",
    ),
    "fr": (
        "10h30 Piscine Marie\n{}.",
        "{}.\nSource : 60 Minutes",
        "{}.\nSource : 24 heures",
        "{}. L'astrologue l'a dit.",
    ),
    "es": (
        "10:30 Café Tom\n{}.",
        "{}.\nFuente: El País",
        "{}.\nFuente: El Mundo",
        "{}.\nFuente: 20 minutos",
        "{}.\nCita: El Quijote",
        "{}.\nCita: con Machado",
        "{}. Lo dijo la socióloga.",
    ),
    "ru": ("10:30 Кофе Том\n{}.", "{}.\nИсточник: 60 минут", "{}. Так сказал наш геолог."),
    "zh": ("10:30 汤姆\n{}。", "{}。\n来源：300元", "{}。老师这么说的。"),
}

#: What a statement comes to is asked in such words, too, and not how it is worded.
OF_WHAT_IT_MEANS = """
I'm diabetic.|What is that in Celsius?
My son is 1.20 m tall.|What's that in Imperial?
I was born in 1970.|What is that in Chinese years?
I live in Graz.|Does that sentence end in 2027?
Ich habe Diabetes.|Was heißt das auf Dauer?
Ich habe Diabetes.|Was heißt das auf lange Sicht?
Ich habe Diabetes.|Wie sage ich das meinem Chef?
Je suis diabétique.|Comment traduire ça dans mon régime ?
Je suis diabétique.|Comment le dire à mon mari ?
Soy diabética.|¿Cómo se traduce eso en mi dieta?
Soy diabética.|¿Cómo lo digo a mi jefe?
Я вешу 70 кг.|Как это перевести в фунты?
Я диабетик.|Как это сказать врачу?
我是糖尿病人。|这个怎么说明？
"""

#: What something costs, or how long it takes, again and again.
RECURRING = """
My phone bill is 30 euros a month.
My electricity bill is 90 euros.
My season ticket is 900 euros a year.
My bus fare is 3 euros a day.
My coffee is 3 euros a day.
My sleep is 6 hours a night.
My screen time is 4 hours a day.
My dialysis is 4 hours.
My drive to work is 50 minutes.
My walk to the station is 15 minutes.
Meine Handyrechnung ist 30 Euro im Monat.
Mein Arbeitsweg ist 40 Minuten.
Ma facture de téléphone est de 30 euros par mois.
我的话费每月30元。
"""

#: The same once.
ONCE = """
My coffee is 3 euros.
My pizza is 20 minutes.
My bus is 20 minutes.
My train is 20 minutes late.
My order is 30 euros.
"""

SENT_ELSEWHERE = """
Here is my letter of thanks.
Hier kommt mein Dankesbrief.
Voici ma lettre de remerciement.
Aquí va mi carta de agradecimiento.
Ich schicke jetzt meine Bewerbung an die Firma und bin nervös.
Ich schicke jetzt meinen Brief an die Bank.
Je vais envoyer ma lettre à la banque maintenant.
Ahora envío mi carta al banco.
Сейчас отправлю письмо в банк.
我现在发邮件给老板。
"""

SENT_HERE = """
Here is my sister's letter.
Here is my text:
Ich schicke dir jetzt den Brief an meine Tante.
Je vais te coller la lettre maintenant.
Te envío ahora la carta de mi tía.
Сейчас отправлю тебе письмо.
Сейчас отправлю письмо в следующем сообщении.
我现在发一封邮件给你。
"""


def heard(text: str) -> tuple[Statement, ...]:
    return statements([message({"role": "user", "content": text}).episode(GLOBAL, "t", AT)])


def lines(text: str) -> list[str]:
    return text.strip().split("\n")


@pytest.mark.parametrize("code", STATED)
def test_a_statement_whose_wording_is_asked_about_is_an_example(code):
    for stated, asked in product(STATED[code], lines(OF_WORDING[code])):
        joint, stop = ("，", "。") if code == "zh" else (", ", ". ")
        assert heard(stated), stated
        assert not heard(f"{stated}{joint}{asked}"), (stated, asked)
        assert not heard(f"{stated}{stop}{asked[0].upper()}{asked[1:]}"), (stated, asked)


@pytest.mark.parametrize("code", STATED)
def test_only_the_sentence_that_is_asked_about_is_one(code):
    first, second = STATED[code]
    stop = "。" if code == "zh" else ". "
    joint = "，" if code == "zh" else ", "
    for asked in lines(OF_WORDING[code]):
        kept = [statement.content for statement in heard(f"{first}{stop}{second}{joint}{asked}")]
        assert [one.rstrip(".。") for one in kept] in ([first], []), asked


@pytest.mark.parametrize("line", lines(OF_WHAT_IT_MEANS))
def test_a_statement_of_which_something_else_is_asked_is_kept(line):
    stated, asked = line.split("|")
    assert [one.content for one in heard(f"{stated} {asked}")] == [stated]


@pytest.mark.parametrize("code", CONDITIONAL)
def test_a_plan_is_kept_with_its_condition_and_less_surely(code):
    plan, *conditions = CONDITIONAL[code]
    (certain,) = heard(plan)
    for condition in conditions:
        (held,) = heard(plan + condition)
        assert held.content.rstrip(".。") == plan + condition
        assert held.confidence < certain.confidence


@pytest.mark.parametrize("plan", lines(SURE_PLANS))
def test_a_plan_that_depends_on_nothing_is_as_sure_whatever_else_is_said(plan):
    assert [one.confidence for one in heard(plan)] == [0.8]


def test_a_habit_with_a_condition_is_as_sure_as_one_without():
    assert heard("I get migraines if I drink wine.")[0].confidence == heard("I get migraines.")[0].confidence


@pytest.mark.parametrize("code", BESIDE)
def test_a_diary_an_amount_or_an_expert_beside_a_statement_takes_nothing_away(code):
    for beside, stated in product(BESIDE[code], STATED[code]):
        kept = [statement.content.rstrip(".。") for statement in heard(beside.format(stated))]
        assert stated in kept, beside


@pytest.mark.parametrize("code", FOREIGN)
def test_a_name_in_its_place_does(code):
    for foreign, stated in product(FOREIGN[code], STATED[code]):
        assert not heard(foreign.format(stated)), foreign


@pytest.mark.parametrize("sentence", lines(SENT_ELSEWHERE))
def test_a_letter_of_ones_own_or_to_somebody_else_announces_no_foreign_text(sentence):
    assert not played.announces(sentence)


@pytest.mark.parametrize("sentence", lines(SENT_HERE))
def test_a_letter_for_the_listener_does(sentence):
    assert played.announces(sentence)


@pytest.mark.parametrize(
    ("question", "stated"),
    [
        ("Was soll ich morgen für die ganze Familie kochen, mein Sohn hat eine Nussallergie?", True),
        ("Kannst du mir bitte ein Rezept ohne Nüsse geben, ich bin Veganer?", True),
        ("Warum denkt Tom eigentlich die ganze Zeit, ich bin Veganer?", False),
        ("Wie lange muss ich noch auf den Bus warten, ich habe Hunger?", False),
    ],
)
def test_a_german_question_may_tell_something_behind_what_it_asks(question, stated):
    assert bool(heard(question)) is stated


@pytest.mark.parametrize("stated", lines(RECURRING))
def test_what_is_paid_or_lasts_again_and_again_is_kept(stated):
    assert [(one.content, one.confidence) for one in heard(stated)] == [(stated, 0.8)]


@pytest.mark.parametrize("stated", lines(ONCE))
def test_what_is_paid_or_lasts_once_is_not(stated):
    assert not heard(stated)
