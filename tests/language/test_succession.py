"""Moves and jobs that a text tells of: the speaker's own, and those of others, in six languages."""

import pytest

from simonides.language.sentences import fold
from simonides.language.succession import ChangeKind, changes_told, kind_asked

#: The speaker moved.
OWN_MOVES = [
    "We did it, we moved! I'm writing from Ilkley.",
    "I've just relocated to Bath.",
    "Tom and I moved to Bath.",
    "My wife and I have moved to Graz.",
    "We finally got the keys to our new place in Durham and moved in on Saturday.",
    "Finally moved to Bath.",
    "Last week we moved house.",
    "I stayed a year in Leeds, then moved to Hull.",
    "Our new address is 5 Mill Lane.",
    "We moved back to Leeds for good.",
    "Katrin und ich sind nach Basel gezogen.",
    "Ich bin mit meiner Freundin nach Trier gezogen.",
    "Seit Samstag sind wir umgezogen und leben in Trier.",
    "Wir sind umgezogen, ich sitze im Garten in Emmendingen.",
    "Nach Trier gezogen sind wir im Mai.",
    "Me he mudado a Soria.",
    "Mi mujer y yo nos mudamos a Bilbao.",
    "En mayo me mudé a Soria.",
    "On a déménagé à Vannes.",
    "Ma femme et moi avons déménagé à Nantes.",
    "J'ai enfin déménagé à Vannes.",
    "Мы с мужем переехали в Калугу.",
    "В мае переехала в Калугу.",
    "我和姐姐搬到南京了。",
    "上周末搬到南京了。",
    "我们上个月搬家了。",
]
#: The speaker left, or has another, job.
OWN_JOBS = [
    "I quit my job at Brightwell.",
    "I quit.",
    "I resigned on Monday.",
    "I handed in my notice.",
    "I've joined the team at Acme.",
    "I got hired by Aldi last month.",
    "Aldi hired me.",
    "I started at Acme on Monday.",
    "I now work for Northern Rail.",
    "Ich habe gekündigt.",
    "Ich habe bei Siemens gekündigt.",
    "Mir wurde gekündigt.",
    "Ich habe zu Bosch gewechselt.",
    "Ich fange am Montag bei Vitos an.",
    "Ich habe eine neue Stelle bei Vitos angetreten.",
    "He dejado mi trabajo.",
    "Empiezo el lunes en Repsol.",
    "Me han contratado en Quirón.",
    "J'ai quitté mon travail.",
    "J'ai démissionné.",
    "J'ai été embauchée à la clinique Pasteur.",
    "Je commence lundi à l'hôpital Cochin.",
    "Я уволилась.",
    "Я ушла из Яндекса.",
    "Я устроилась в клинику.",
    "我辞职了。",
    "我上个月入职了同仁医院。",
    "我加入了华为。",
]
#: Somebody or something else moved, though the speaker is in the sentence.
NO_MOVES = [
    "Jess has moved to Berlin, we waved her off on Sunday.",
    "Colm moved the meeting to Friday, we were relieved.",
    "Anna has moved to Rome and I'm jealous.",
    "I stayed and Jess moved to Berlin.",
    "I think Jess has moved to Berlin.",
    "I told you that Jess moved to Berlin.",
    "I was at home when Dev moved to Leeds.",
    "I moved the meeting to Friday.",
    "We moved the sofa to the study.",
    "I was deeply moved by the film.",
    "Jess told me he moved to Berlin.",
    "Our dentist has moved to York.",
    "My office has moved to York.",
    "Anne ist nach Hamburg gezogen, wir haben ihr geholfen.",
    "Wir haben Basel in Betracht gezogen.",
    "Ich freue mich, dass Anne nach Hamburg gezogen ist.",
    "Jetzt wohnt Anne in Kiel, und ich vermisse sie.",
    "Lucía se ha mudado a Roma y yo tengo envidia.",
    "José se mudó a Soria, le ayudamos.",
    "Léa a déménagé à Lyon, nous l'avons aidée.",
    "Léa s'est installée à Lyon et je suis jalouse.",
    "Лена переехала в Казань, мы ей помогли.",
    "Лена переехала в Казань, и я завидую.",
    "小李搬到北京了，我们都很舍不得。",
    "我同事搬到北京了。",
]
#: What was given up or begun is no job, or not the speaker's.
NO_JOBS = [
    "I've quit Italian.",
    "I quit smoking.",
    "I've quit the gym.",
    "Dev has resigned, we're all sad.",
    "I'm done with Duolingo. The owl won. I've quit Italian.",
    "I take the train to work now, forty minutes from Leeds.",
    "I joined a gym.",
    "I joined the choir at St Mary's.",
    "I've switched to decaf.",
    "Priya joined Acme and I'm happy for her.",
    "We hired a plumber.",
    "I've resigned myself to it.",
    "Ich habe das Fitnessstudio gekündigt.",
    "Ich habe Netflix gekündigt.",
    "Ich habe die Reifen gewechselt.",
    "Ich habe angefangen zu joggen.",
    "Ich habe mit Italienisch angefangen.",
    "Sven hat gekündigt, wir sind alle traurig.",
    "Dejé de fumar.",
    "He dejado el gimnasio.",
    "Empecé a correr en mayo.",
    "Hemos contratado a un fontanero.",
    "Dani ha dimitido, estamos tristes.",
    "J'ai quitté la salle de sport.",
    "J'ai commencé à courir.",
    "Nous avons embauché un plombier.",
    "Paul a démissionné, nous sommes tristes.",
    "Я бросила курить.",
    "Я перешла на чай.",
    "Антон уволился, нам грустно.",
    "Я устроила вечеринку.",
    "Я ушла из спортзала.",
    "我加入了健身房。",
    "小王辞职了，我们很难过。",
    "我戒烟了。",
]


def own(text, change):
    return any(told.change is change and told.own for told in changes_told(text))


@pytest.mark.parametrize("text", OWN_MOVES)
def test_a_move_is_the_speakers_where_they_are_the_subject_of_its_clause(text):
    assert own(text, ChangeKind.MOVED)


@pytest.mark.parametrize("text", NO_MOVES)
def test_a_move_of_others_is_not_the_speakers_who_stands_in_another_clause(text):
    assert not own(text, ChangeKind.MOVED)


@pytest.mark.parametrize("text", OWN_JOBS)
def test_a_job_that_was_left_or_begun_is_the_speakers(text):
    assert own(text, ChangeKind.EMPLOYED)


@pytest.mark.parametrize("text", NO_JOBS)
def test_habits_clubs_and_jobs_of_others_are_no_job_of_the_speaker(text):
    assert not own(text, ChangeKind.EMPLOYED)


def test_whose_move_it_is_holds_whoever_moved_along():
    told = changes_told("My sister and I have moved to Kent.")[0]
    assert (told.kin, told.own) == ("sister", True)


@pytest.mark.parametrize("question", [
    "What is my home town?", "Where did I grow up?", "Which city was I born in?", "Was ist meine Heimatstadt?",
    "Dans quelle ville suis-je né ?", "Dans quel pays ai-je grandi ?", "¿Cuál es mi ciudad natal?",
    "¿Cuál es mi ciudad de origen?",
    "Где мой родной город?", "我老家在哪里？", "我的家乡是哪里？",
])  # fmt: skip
def test_where_somebody_comes_from_is_not_where_they_live(question):
    assert kind_asked(fold(question)) is None


@pytest.mark.parametrize("question", [
    "What is my address?", "Which city do I live in?", "In welcher Stadt wohne ich?", "Dans quelle ville j'habite ?",
    "¿Cuál es mi ciudad?", "В каком городе я живу?", "我家在哪里？",
])  # fmt: skip
def test_where_somebody_lives_may_have_changed_by_a_move(question):
    assert kind_asked(fold(question)) is ChangeKind.MOVED
