"""Greetings, thanks, praise and agreement ask memory for nothing; what stands beside them may."""

import pytest

from simonides.texts import worth_asking

TALK = {
    "en": [
        "Hi!", "Hello there", "Good morning!", "Hey, how are you?", "Thanks!", "Thank you so much!",
        "Thanks, that helps a lot.", "Great, thank you for your help!", "Perfect.", "ok", "OK, got it.",
        "Sounds good", "Cool, thanks", "lol", "haha nice one", "Wow, amazing!", "You're the best!", "Never mind.",
        "No worries.", "See you tomorrow!", "Good night", "Bye!", "Yes please", "No, thanks.", "Sure, go ahead.",
        "Continue.", "Please go on.", "Next.", "That's right.", "Exactly!", "I see.", "Makes sense, thanks.",
        "Got it, thanks for the explanation.", "One moment please", "Brb", "That was very helpful, thank you.",
        "Nice work!", "I appreciate it.", "You are welcome", "Have a nice weekend!", "Happy Friday!", "Let's go!",
        "Awesome, that worked!", "Thanks anyway.", "That clears it up, thanks.", "Good evening!", "Morning!",
        "Hey there!", "Much appreciated.", "Thanks a million", "Ok great", "Alright then", "Fine by me.",
        "Talk to you later.", "Take care!", "Cheers mate", "Good point.", "Fair enough.", "Right, thanks.",
        "Congratulations!", "Good luck!", "Sorry about that.", "My bad", "Yes, exactly.", "Go on please",
        "Wonderful!", "I like it!", "Thanks again!", "Thanks for everything", "Yo!", "Good stuff",
        "Okay, see you then", "Yes, that's it!", "Hmm okay", "Oh, I see!", "Perfect, thank you!",
    ],
    "de": [
        "Hallo!", "Guten Morgen", "Danke!", "Vielen Dank für die Hilfe!", "Alles klar, danke.", "Super!", "Passt.",
        "Ok, verstanden.", "Bis morgen!", "Gute Nacht", "Ja, bitte.", "Nein, danke.", "Weiter.", "Genau so.",
        "Das hat geholfen, danke.", "Trotzdem danke.", "Danke dir!", "Herzlichen Dank.", "Schönen Abend noch!",
        "Einverstanden.", "Klingt gut.", "Das passt so.", "Gern geschehen", "Viel Glück!", "Bis dann!",
        "Sehr gut, danke.", "Hi!", "Super, danke dir", "Wunderbar, vielen Dank", "Ciao!",
    ],
    "es": [
        "¡Hola!", "Buenos días", "¡Gracias!", "Muchas gracias por tu ayuda", "Vale, perfecto", "De acuerdo",
        "Hasta luego", "Sí, por favor", "No, gracias", "Genial, funciona", "Continúa", "Gracias de todos modos.",
        "Mil gracias", "Buenas tardes", "Muy amable, gracias", "Suena bien", "Nos vemos", "Estupendo, gracias",
        "Buena suerte", "Lo siento", "Claro que sí", "Ok, gracias", "Buenas", "Ok, perfecto", "Chao",
    ],
    "fr": [
        "Bonjour !", "Merci !", "Merci beaucoup pour ton aide", "D'accord", "Parfait, merci", "À bientôt",
        "Oui, s'il te plaît", "Non merci", "Continue", "Super, ça marche !", "Bonne nuit", "Merci quand même.",
        "Un grand merci !", "Bonne journée à toi", "Ça me va.", "Entendu.", "Bonne chance !", "Désolé",
        "Pas de souci", "Salut !", "Très bien, merci.", "À demain", "Coucou !", "C'est bon, merci", "Ok, à plus",
    ],
    "ru": [
        "Привет!", "Доброе утро", "Спасибо!", "Спасибо большое за помощь", "Понятно", "Хорошо, спасибо",
        "До свидания", "Да, пожалуйста", "Нет, спасибо", "Продолжай", "Отлично, работает!", "Всё равно спасибо.",
        "Благодарю!", "Спасибо за подсказку", "Добрый вечер", "До завтра", "Удачи!", "Извини", "Договорились",
        "Всё ясно, спасибо", "Да, конечно", "Отлично!", "Здравствуйте!", "Ок, понял", "Пока-пока", "Ура!",
    ],
    "zh": [
        "你好！", "早上好", "谢谢！", "非常感谢你的帮助", "好的", "明白了", "再见", "好的，谢谢", "不用了，谢谢",
        "继续", "太好了，可以了！", "还是谢谢你。", "多谢了", "晚上好", "没问题", "太感谢了", "祝你好运", "对不起",
        "说得对", "辛苦你了", "好，谢谢", "拜拜", "嗨", "好嘞", "嗯嗯",
    ],
}  # fmt: skip
#: Like small talk, and about something.
ABOUT_SOMETHING = [
    "My thanks to Anna for the cake", "It works at the bank", "Happy Friday, where is my key?",
    "Let's go with PostgreSQL.", "Thanks, the code is 4711",
    "Nice work on the parser", "Good idea: use Redis for the queue", "Good morning routine",
    "okay but not the red one", "Done with the parser, what is next?", "Congratulations card for Clara",
    "I like it when it rains", "Sorry, what was my address again?", "Das hat Anna geholfen",
    "Ich bin einverstanden mit Plan B", "Suerte es el nombre de mi perro", "funciona con Redis",
    "Merci à Julie pour le gâteau",
    "работает с Redis", "что с работой", "厉害的打印机在哪里",
]  # fmt: skip


def test_there_are_two_hundred_turns_in_six_languages():
    assert sum(map(len, TALK.values())) >= 200
    assert set(TALK) == {"de", "en", "es", "fr", "ru", "zh"}


@pytest.mark.parametrize("language", TALK)
def test_small_talk_asks_for_nothing(language):
    assert [said for said in TALK[language] if worth_asking(said)] == []


def test_what_is_about_something_may_be_asked_for():
    assert [said for said in ABOUT_SOMETHING if not worth_asking(said)] == []
