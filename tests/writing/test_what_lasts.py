"""States of a moment and roles that are played, beside what lasts; statements behind when and why they hold."""

import pytest

from simonides.domain.scope import GLOBAL
from simonides.writing.extract import statements
from simonides.writing.intake import message

#: For the moment, for a task, or in a role: nothing to keep for good.
PASSING = """
Now I have a problem.
Now my laptop is broken.
Now my sister is here.
Now I'm in the kitchen.
Jetzt habe ich Hunger.
Jetzt ist mein Laptop kaputt.
Jetzt ist meine Frau da.
Jetzt stehen wir im Stau.
Nun brauche ich ein Rezept.
My battery went down to 20%.
My pizza came to 20 euros.
My rent went up a lot.
Ahora tengo hambre.
Maintenant j'ai faim.
Теперь я голоден.
现在我饿了。
Pretend I'm a pirate.
I can't eat until noon.
I'm on the train.
I'm at the airport.
I'm hungry.
I'm tired.
I am trying to center a div.
I'm getting a TypeError.
I'm working on a slide deck.
I'm in a meeting.
I'm stuck on this bug.
I'm having trouble with my printer.
I'm back.
I'm done.
I'm ready.
I'm sorry.
I'm confused.
I'm looking for a good restaurant.
I'm writing an email to my boss.
I'm at work.
I'm late for the bus.
I'm bored.
I'm not sure.
I'm using your answer.
I'm on my way home.
I can't have dairy before the test tomorrow.
I need to plan a week of dinners.
Act as if I'm a doctor.
You are a travel agent and I am a customer who wants a trip to Peru.
I'll be the customer: I'm allergic to nuts.
I'm playing a wizard and I live in a tower.
I'm seeing an error.
I'm still waiting for the parcel.
I'm trying to fix a leak.
I'm cooking dinner.
I'm watching a film.
I have a headache.
I have a question.
I have a meeting at 3.
I'm cold.
I'm on hold.
I am debugging a script.
I'm testing the microphone.
I'm in the kitchen.
I can't find my keys.
I prefer the first option.
I like option B better.
Tu so, als wäre ich ein Pirat.
Ich bin im Zug.
Ich bin am Flughafen.
Ich bin hungrig.
Ich bin müde.
Ich habe Hunger.
Ich versuche, ein Div zu zentrieren.
Ich bekomme einen TypeError.
Ich bin gerade in einer Besprechung.
Ich kann bis Mittag nichts essen.
Ich habe Kopfschmerzen.
Ich bin fertig.
Ich bin unterwegs.
Ich suche ein gutes Restaurant.
Ich schreibe eine E-Mail an meinen Chef.
Ich bevorzuge Variante B.
Ich koche gerade.
Ich habe eine Frage.
Stell dir vor, ich bin Arzt.
Imagina que soy un pirata.
Estoy en el tren.
Estoy en el aeropuerto.
Tengo hambre.
Estoy cansada.
Estoy intentando centrar un div.
Me sale un TypeError.
Estoy en una reunión.
No puedo comer hasta el mediodía.
Tengo dolor de cabeza.
Ya terminé.
Busco un buen restaurante.
Estoy escribiendo un correo.
Tengo una pregunta.
Prefiero la opción B.
Tengo frío.
Imagine que je suis un pirate.
Je suis dans le train.
Je suis à l'aéroport.
J'ai faim.
Je suis fatiguée.
J'essaie de centrer un div.
J'ai une TypeError.
Je suis en réunion.
Je ne peux pas manger avant midi.
J'ai mal à la tête.
Je cherche un bon restaurant.
J'écris un mail à mon chef.
J'ai une question.
Je préfère l'option B.
J'ai froid.
Fais comme si j'étais médecin.
Представь, что я пират.
Я в поезде.
Я в аэропорту.
Я голоден.
Я устала.
Я пытаюсь отцентрировать div.
У меня ошибка TypeError.
Я на совещании.
Мне нельзя есть до полудня.
У меня болит голова.
Я ищу хороший ресторан.
Я пишу письмо начальнику.
У меня вопрос.
Мне больше нравится первый вариант.
Я замёрз.
假装我是海盗。
我在火车上。
我在机场。
我饿了。
我累了。
我正在尝试居中一个div。
我遇到了TypeError。
我在开会。
我中午之前不能吃东西。
我头疼。
我在找一家好餐馆。
我在写邮件。
我有个问题。
我更喜欢方案B。
我有点冷。
You are a travel agent and I am a customer who wants a trip to Peru.
I'll be the customer: I'm allergic to nuts.
I'm playing a wizard and I live in a tower.
Be my therapist. I'm a widow with two kids.
You're the interviewer. I'm a nurse from Graz.
Let's role-play. I'm a nurse.
Act as my doctor. I have diabetes.
Du bist ein Reiseberater und ich bin Kundin.
Rollenspiel: Ich bin Ärztin.
Sei mein Therapeut. Ich bin Witwe.
Ich bin die Kundin: Ich bin allergisch gegen Nüsse.
Tu so, als ob. Ich bin Ärztin.
Eres un agente de viajes y yo soy enfermera.
Juego de rol. Soy enfermera.
Sé mi terapeuta. Soy viuda.
Haz como si fueras médico. Soy enfermera.
Tu es un agent de voyage et je suis infirmière.
Jeu de rôle : je suis infirmière.
Sois mon médecin. J'ai du diabète.
Fais comme si tu étais médecin. Je suis infirmière.
Ты врач, а я медсестра.
Ролевая игра. Я медсестра.
Будь моим врачом. У меня диабет.
Ты — продавец, а я медсестра.
你是医生，我是护士。
角色扮演。我是护士。
我来演护士，我住在格拉茨。
"""
LASTING = """
I'm a nurse.
I'm allergic to nuts.
I'm learning Dutch.
I'm vegetarian.
I live in Bath.
I work at Aldi.
I'm training for a marathon.
I can't eat gluten.
I can't eat nuts.
I'm writing a novel.
I'm working on my thesis.
I'm studying law.
I'm from Graz.
I'm 34 years old.
I'm married.
I'm a customer of Aldi.
I have two kids.
I have a dog.
I have diabetes.
I prefer tea.
I prefer trains to planes.
I'm a vegetarian.
I play the cello.
I'm afraid of spiders.
I'm left-handed.
I'm getting married in June.
I'm building a house.
I'm writing my master's thesis on bees.
I have a peanut allergy.
I'm a doctor.
Ich bin Krankenschwester.
Ich bin allergisch gegen Nüsse.
Ich lerne Niederländisch.
Ich bin Vegetarierin.
Ich wohne in Graz.
Ich arbeite bei Aldi.
Ich kann kein Gluten essen.
Ich habe zwei Kinder.
Ich habe einen Hund.
Ich bevorzuge Tee.
Ich habe Diabetes.
Ich bin verheiratet.
Ich spiele Cello.
Ich komme aus Graz.
Soy enfermera.
Soy alérgica a las nueces.
Estoy aprendiendo holandés.
Soy vegetariana.
Vivo en Graz.
Trabajo en Aldi.
No puedo comer gluten.
Tengo dos hijos.
Tengo un perro.
Prefiero el té.
Tengo diabetes.
Estoy casada.
Toco el violonchelo.
Soy de Graz.
Je suis infirmière.
Je suis allergique aux noix.
J'apprends le néerlandais.
Je suis végétarienne.
J'habite à Graz.
Je travaille chez Aldi.
J'ai deux enfants.
J'ai un chien.
Je préfère le thé.
J'ai du diabète.
Je suis mariée.
Je joue du violoncelle.
Я медсестра.
У меня аллергия на орехи.
Я учу голландский.
Я вегетарианка.
Я живу в Граце.
Я работаю в Алди.
Мне нельзя есть глютен.
У меня двое детей.
У меня есть собака.
Я предпочитаю чай.
У меня диабет.
Я замужем.
Я играю на виолончели.
我是护士。
我对坚果过敏。
我在学荷兰语。
我是素食者。
我住在格拉茨。
我在阿尔迪工作。
我有两个孩子。
我有一只狗。
我更喜欢茶。
我有糖尿病。
我结婚了。
You are kind and I am a nurse.
You are a machine. I'm a nurse.
I'm playing a gig and I live in Bath.
I am the mother of two kids.
Du bist nett. Ich bin Krankenschwester.
Ich bin die Mutter von zwei Kindern.
Ich spiele Cello und wohne in Graz.
Soy enfermera y tengo dos hijos.
Je suis infirmière et j'ai deux enfants.
Я медсестра, а мой муж врач.
我是护士，我住在格拉茨。
I'm working on my thesis in biology.
My rent has gone up to 845 euros.
My rent just went up from 730 to 845 euros.
My commute went down to 20 minutes.
Mon loyer a baissé à 700 euros.
I can't eat nuts.
I can't drink milk before bed.
Je ne peux pas manger de gluten.
Je viens de Graz.
我不能吃麸质。
"""
#: What stands before the comma, or the verb, belongs to the statement.
UNDER_CIRCUMSTANCES = """
Since May, I work at Aldi.
As of today, I live in Bonn.
Because of my job, I live in Linz.
Since last year, I live in Graz.
For two years now, I have a dog.
Thanks to my sister, I play chess.
Since I was a child, I play the cello.
From June on, I work at Bosch.
Starting Monday, I work at Bosch.
For health reasons, I don't eat meat.
After the divorce, I live alone.
Since May I work at Aldi.
Seit Mai arbeite ich bei Aldi.
Ab heute wohne ich in Bonn.
Wegen meiner Arbeit wohne ich in Linz.
Seit letztem Jahr wohne ich in Graz.
Aus gesundheitlichen Gründen esse ich kein Fleisch.
Seit meiner Kindheit spiele ich Cello.
Nach der Scheidung wohne ich allein.
Zurzeit wohne ich in Bath.
Ab Juni arbeite ich bei Bosch.
Dank meiner Schwester spiele ich Schach.
Desde mayo trabajo en Aldi.
Desde mayo, trabajo en Aldi.
A partir de hoy vivo en Bonn.
Desde el año pasado vivo en Graz.
Por motivos de salud no como carne.
Desde niña toco el violonchelo.
Gracias a mi hermana juego al ajedrez.
Ahora mismo vivo en Bath.
Depuis mai, je travaille chez Aldi.
À partir d'aujourd'hui, j'habite à Bonn.
Depuis l'année dernière, j'habite à Graz.
Pour des raisons de santé, je ne mange pas de viande.
Depuis mon enfance, je joue du violoncelle.
En ce moment, j'habite à Bath.
Dès juin, je travaille chez Bosch.
С мая я работаю в Алди.
С сегодняшнего дня я живу в Бонне.
Из-за работы я живу в Линце.
С прошлого года я живу в Граце.
По состоянию здоровья я не ем мясо.
С детства я играю на виолончели.
Благодаря сестре я играю в шахматы.
Сейчас я живу в Бате.
С июня я работаю в Бош.
从五月起，我在阿尔迪工作。
从今天起我住在波恩。
因为工作，我住在林茨。
去年开始，我住在格拉茨。
因为健康原因，我不吃肉。
目前我住在巴斯。
从六月开始我在博世工作。
Now I live in Leeds.
Now my rent is 845 euros.
Currently my sister works at Aldi.
Jetzt wohne ich in Graz.
Nun wohnen wir in Graz.
Inzwischen arbeite ich bei Aldi.
Jetzt beträgt meine Miete 845 Euro.
Jetzt arbeitet meine Frau bei Aldi.
Seit Mai wohnt meine Schwester in Graz.
Ahora vivo en Graz.
Ahora mi alquiler es de 845 euros.
Ahora pago 845 euros de alquiler.
Maintenant j'habite à Graz.
Désormais mon loyer est de 845 euros.
Теперь я живу в Граце.
Теперь моя аренда 845 евро.
现在我住在格拉茨。
现在我的房租是845欧元。
"""
#: Views and words of others before the same statements.
VIEWS = """
According to Bob, I live in Graz.
In your opinion, I like jazz.
From his letter, I live in Graz.
After the story, I live in a tower.
Thanks to the game, I am a wizard.
Nach Meinung meiner Frau mag ich Jazz.
Nach Ansicht des Arztes bin ich allergisch gegen Nüsse.
Laut Bob wohne ich in Graz.
Por lo que dices, vivo en Graz.
После слов мамы я люблю джаз.
从他的信来看，我喜欢爵士乐。
"""

#: What stands in brackets, or is listed behind a colon, belongs to the statement.
LISTED = """
My rent is 900 (warm).
Our cats are Mio (2) and Fynn (5).
I work at Bosch (since May) as a welder (full time).
We have two kids: Tom (7) and Lily (4).
Ma fille s'appelle Léa (8 ans).
Wir haben zwei Kinder: Emil (7) und Lotta (4).
Tenemos dos hijos: Leo y Eva.
Hablo dos idiomas: vasco y francés.
У нас двое детей: Эмиль и Лотта.
我们有两个孩子：小明（7岁）和小刚（4岁）。
"""

#: Behind a colon somebody else speaks, or brackets are those of a program.
OF_OTHERS = """
Tom wrote, and I have to say: I'm leaving Graz.
She asked me, we have one rule: my dog sleeps outside.
I have a message from Ana: I live in York.
Tengo un mensaje de Ana: vivo en Jaén.
Tengo que decirte: vivo en Jaén.
У меня письмо от Ани: я живу в Уфе.
result = fetch(my_dog) if (my_cat) else load(we)
"""


def _lines(table: str) -> list[str]:
    return table.strip().splitlines()


def _stated(said: str) -> list[tuple[str, str]]:
    turn = message({"role": "user", "content": said, "at": "2026-01-01T00:00:00Z"}).episode(GLOBAL, "s", 1)
    return [(one.type, one.content) for one in statements([turn])]


@pytest.mark.parametrize("said", _lines(PASSING))
def test_the_moment_and_roles_are_not_kept_for_good(said: str) -> None:
    assert not {kind for kind, _ in _stated(said)} - {"event", "todo"}


@pytest.mark.parametrize("said", _lines(LASTING))
def test_what_lasts_is_kept(said: str) -> None:
    assert _stated(said)


@pytest.mark.parametrize("said", _lines(UNDER_CIRCUMSTANCES))
def test_when_and_why_a_statement_holds_stays_with_it(said: str) -> None:
    assert said in [content for _, content in _stated(said)]


@pytest.mark.parametrize("said", _lines(LISTED))
def test_what_is_listed_stays_with_its_statement(said: str) -> None:
    assert said in [content for _, content in _stated(said)]


def test_who_is_listed_stays_with_the_last_of_two_statements() -> None:
    kept = [content for _, content in _stated("My wife is Kate, we have two kids: Tom (7) and Lily (4).")]
    assert kept == ["My wife is Kate.", "We have two kids: Tom (7) and Lily (4)."]


@pytest.mark.parametrize("said", _lines(OF_OTHERS))
def test_what_others_say_behind_a_colon_is_not_kept(said: str) -> None:
    assert not _stated(said)


def test_a_reason_that_is_told_itself_is_the_statement() -> None:
    said = "Since I was born in Leeds and I've always lived there, I know my way around."
    assert _stated(said)[0][1].startswith("I was born in Leeds")


@pytest.mark.parametrize("said", _lines(VIEWS))
def test_a_view_before_a_statement_is_no_circumstance(said: str) -> None:
    assert not _stated(said)
