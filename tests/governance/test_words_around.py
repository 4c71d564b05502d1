"""Words around a statement that make it somebody else's, or take it back: for proposals as for extraction."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.domain.provenance import Origin
from simonides.governance.known import KnownMemories, borne_out
from simonides.language.narration import narrates
from simonides.testing import an_item
from simonides.writing.extract import statements

#: A statement of a language, by a word of it, with what a model would make of it.
TOLD = {
    "tea": "The user prefers tea.",
    "чай": "Пользователь предпочитает чай.",
    "thé": "L'utilisateur préfère le thé.",
    "茶": "用户喜欢茶。",
}
NOT_OWN = [
    "* Bob - I prefer tea.",
    "Answer of the AI yesterday\nI prefer tea.",
    "Got this on WhatsApp just now\nI prefer tea.",
    "Ok so Bob, quote, I prefer tea, unquote.",
    "我喜欢茶，小王说。",
    "Голосовое от Паши. Я предпочитаю чай.",
    "Я предпочитаю чай. Хотя нет, кофе.",
    "Я предпочитаю чай. То есть кофе.",
    "Je préfère le thé. Enfin non, le café.",
    "The butler bowed. I prefer tea. Then he left.",
    "Дворецкий поклонился. Я предпочитаю чай. Потом он ушёл.",
    "Le majordome s'inclina. Je préfère le thé. Puis il partit.",
    "管家鞠了一躬。我喜欢茶。然后他走了。",
    "Subtitles. I prefer tea.",
    "Chapter 1. I prefer tea.",
    "Testimonial no. 4. I prefer tea.",
    "Sample sentence for the lesson. I prefer tea.",
    "Dear diary of my character. I prefer tea.",
    "Diary of Anne, 1911. I prefer tea.",
    "Subtitles.\nI prefer tea.",
    "Chapter 1.\nI prefer tea.",
    "Testimonial no. 4.\nI prefer tea.",
    "Sample sentence for the lesson.\nI prefer tea.",
    "Dear diary of my character.\nI prefer tea.",
    "Diary of Anne, 1911.\nI prefer tea.",
    "Guest book, page 3. I prefer tea. Signed, Bob.",
    "I prefer tea.\nBob",
    "He paused. I prefer tea. We all laughed.",
    "I prefer tea. Or so my wife says.",
    "I prefer tea. Ha, gotcha!",
    "小李的语音。我喜欢茶。",
    "我喜欢茶。哦不，我喜欢咖啡。",
    "Message vocal de Paul. Je préfère le thé.",
    "Je préfère le thé. Euh non, pas vraiment.",
    "Je préfère le thé. Poisson d'avril !",
    "Recipe no. 3. I prefer tea.",
    "Scene 2. I prefer tea.",
    "Letter to the editor. I prefer tea.",
    "Voice message from Mum. I prefer tea.",
    "Голосовое сообщение от мамы. Я предпочитаю чай.",
    "Глава 1. Я предпочитаю чай.",
    "Chapitre 1. Je préfère le thé.",
    "第一章。我喜欢茶。",
    "Anna's answer. I prefer tea.",
    "Overheard on the bus. I prefer tea.",
    "Page 12. I prefer tea.",
    "Line 4. I prefer tea.",
    "She smiled. I prefer tea. They sat down.",
    "The old man coughed. I prefer tea. Nobody answered.",
    "Она улыбнулась. Я предпочитаю чай. Все засмеялись.",
    "Elle sourit. Je préfère le thé. Ils rirent.",
    "她笑了。我喜欢茶。大家都笑了。",
    "I prefer tea. No, coffee.",
    "I prefer tea. Well, no, coffee actually.",
    "I prefer tea. I mean coffee.",
    "I prefer tea. April fools!",
    "I prefer tea. Or at least that's what my husband thinks.",
    "Я предпочитаю чай. Нет, кофе.",
    "Я предпочитаю чай. Вернее, кофе.",
    "Я предпочитаю чай. Шутка!",
    "Je préfère le thé. Non, le café.",
    "Je préfère le thé. Je plaisante !",
    "我喜欢茶。不对，是咖啡。",
    "我喜欢茶。开玩笑的。",
    "我喜欢茶，他说。",
    "I prefer tea, quote Bob.",
    "* Anna: I prefer tea.",
    "- Bob - I prefer tea.",
    "Je préfère le thé, dit Paul.",
    "Я предпочитаю чай, сказал Паша.",
    "I prefer tea.\nAnna",
    "I prefer tea.\n\nBob Miller",
    "Я предпочитаю чай.\nПаша",
    "I prefer tea. Signed, Bob.",
    "Notes of Anna's interview. I prefer tea.",
    "Excerpt from a novel by Joyce. I prefer tea.",
    "The diary of a spy. I prefer tea.",
    "A letter from Bob. I prefer tea.",
    "Transcript, part 2. I prefer tea.",
    "Line of Hamlet. I prefer tea.",
    "Email from my boss. I prefer tea.",
    "Voicemail, Tuesday. I prefer tea.",
    "Review no. 12. I prefer tea.",
    "Message de maman. Je préfère le thé.",
    "Extrait du roman. Je préfère le thé.",
    "Journal d'Anne. Je préfère le thé.",
    "Письмо от бабушки. Я предпочитаю чай.",
    "Отрывок из романа. Я предпочитаю чай.",
    "Дневник Анны. Я предпочитаю чай.",
    "妈妈的留言。我喜欢茶。",
    "安妮的日记。我喜欢茶。",
    "小说第三章。我喜欢茶。",
    "The door opened. I prefer tea. She laughed.",
    "Anna sighed. I prefer tea. Bob nodded.",
    "They waited. I prefer tea. I live in Oslo. Everybody clapped.",
    "Les invités attendaient. Je préfère le thé. Personne ne répondit.",
    "Король встал. Я предпочитаю чай. Все молчали.",
    "他站了起来。我喜欢茶。她哭了。",
    "I prefer tea. Uh, no, coffee.",
    "I prefer tea. Hm, no, I prefer coffee.",
    "I prefer tea. No, wait.",
    "I prefer tea. Wait, coffee.",
    "I prefer tea. Or rather coffee.",
    "I prefer tea. Or so they say.",
    "I prefer tea. At least that's what Bob thinks.",
    "I prefer tea. Fooled you!",
    "Я предпочитаю чай. Ой, нет, кофе.",
    "Я предпочитаю чай. Точнее кофе.",
    "Я предпочитаю чай. С первым апреля!",
    "Je préfère le thé. Ah non, le café.",
    "Je préfère le thé. Ou plutôt le café.",
    "我喜欢茶。呃，不，咖啡。",
    "我喜欢茶。愚人节快乐！",
    "我喜欢茶，老师说的。",
    "I prefer tea, says Anna.",
    "Je préfère le thé, a dit Paul.",
    "Anna, quote: I prefer tea.",
    "Saw this on Twitter.\nI prefer tea.",
    "Found this in the kitchen\nI prefer tea.",
    "Heard this on the radio. I prefer tea.",
    "• Anna - I prefer tea.",
    "I prefer tea.\nAnna Karenina",
]
OWN = [
    "I prefer tea. Thanks, Bob.",
    "Hi! I prefer tea. Thanks.",
    "Good morning. I prefer tea.",
    "Hello there. I prefer tea. Have a nice day.",
    "Quick note. I prefer tea.",
    "Sure. I prefer tea.",
    "Good question. I prefer tea.",
    "Great idea! I prefer tea.",
    "Yes. I prefer tea.",
    "My wife prefers coffee. I prefer tea.",
    "I prefer tea.\nThanks!",
    "Morning! I prefer tea.",
    "Second point. I prefer tea.",
    "Same here. I prefer tea.",
    "Oh well. I prefer tea.",
    "Доброе утро. Я предпочитаю чай.",
    "Привет! Я предпочитаю чай. Спасибо.",
    "Bonjour. Je préfère le thé. Merci.",
    "你好。我喜欢茶。谢谢。",
    "早上好。我喜欢茶。",
    "Важно. Я предпочитаю чай.",
    "Bonne idée. Je préfère le thé.",
    "I prefer tea. Ok?",
    "Thanks for asking. I prefer tea. Bye.",
    "Nice. I prefer tea.",
    "Update. I prefer tea.",
    "Happy new year! I prefer tea.",
    "No. I prefer tea.",
    "I prefer tea. No, thank you for the coffee.",
    "By the way, I prefer tea.",
    "As I said, I prefer tea.",
    "No, I prefer tea.",
    "I prefer tea, thanks for asking!",
    "I prefer tea, thank you.",
    "Great, that worked! I prefer tea.",
    "I prefer tea. Dinner ideas?",
    "Au fait, je préfère le thé.",
    "Je préfère le thé, merci.",
    "Кстати, я предпочитаю чай.",
    "Я предпочитаю чай, спасибо.",
    "对了，我喜欢茶。",
    "其实我喜欢茶。",
    "我喜欢茶，谢谢。",
    "I prefer tea.\nThanks",
    "I prefer tea.\nBye",
    "I prefer tea. Ok, next question.",
    "In the morning. I prefer tea.",
    "Well. I prefer tea.",
    "A question. I prefer tea.",
    "Great answer. I prefer tea.",
    "Да. Я предпочитаю чай.",
    "Спасибо за ответ. Я предпочитаю чай.",
    "Хороший вопрос. Я предпочитаю чай.",
    "Merci pour la réponse. Je préfère le thé.",
    "谢谢你的回答。我喜欢茶。",
    "好的。我喜欢茶。",
]
#: What a few words behind it leave in doubt: they may take it back.
DOUBTFUL_BEHIND = [
    "I prefer tea. I said so yesterday.",
    "I prefer tea. That's what I said.",
    "I prefer tea. So I said no.",
]
#: What a few words beside it leave in doubt: taken as said, and too little to bear a proposal out.
DOUBTFUL = [
    "I prefer tea. No milk, please.",
    "I prefer tea. Sorry for the late reply.",
    "Je préfère le thé. Non merci.",
    "Я предпочитаю чай. Нет, спасибо.",
    "The weather is bad. I prefer tea. Bob likes coffee.",
    "Bob came by. I prefer tea. He prefers coffee.",
    "I prefer tea. No sugar.",
    "I prefer tea. Not too hot.",
    "I prefer tea. He prefers coffee.",
    "He prefers coffee. I prefer tea. She prefers water.",
    "I prefer tea. Not coffee.",
    "I prefer tea. No idea why.",
    "I prefer tea. Really, no coffee.",
    "I got your message. I prefer tea.",
    "I read the novel. I prefer tea.",
    "No worries. I prefer tea.",
    "No, thanks. I prefer tea.",
    "One thing. I prefer tea.",
    "Coffee? I prefer tea.",
    "It rained today. I prefer tea.",
    "I met Bob today. He ordered coffee. I prefer tea.",
    "Bob ordered coffee. I prefer tea.",
    "About drinks. I prefer tea.",
    "Breakfast. I prefer tea.",
    "No coffee for me. I prefer tea.",
    "For breakfast. I prefer tea.",
    "My order. I prefer tea.",
    "Allergies. I prefer tea.",
    "Personal preferences. I prefer tea.",
    "Meeting went well. I prefer tea.",
    "Long day. I prefer tea.",
    "Long time no see! I prefer tea.",
    "Back from Graz. I prefer tea.",
    "Not a fan of coffee. I prefer tea.",
    "Black, no sugar. I prefer tea.",
    "My mother called. I prefer tea. She asked.",
    "The doctor called today. I prefer tea. We talked.",
    "Your last answer was good. I prefer tea.",
    "About your letter. I prefer tea.",
    "Vegetarian. I prefer tea.",
    "Born in Graz. I prefer tea.",
    "34 years old. I prefer tea.",
    "Teacher. I prefer tea.",
    "From Graz. I prefer tea.",
    "Now. I prefer tea.",
    "One more question. I prefer tea.",
    "Re your question. I prefer tea.",
    "Answering your question. I prefer tea.",
    "New job, new habits. I prefer tea.",
    "Nice story. I prefer tea.",
    "Monday. I prefer tea.",
    "Busy day at work. I prefer tea.",
    "Ещё одно. Я предпочитаю чай.",
    "今天下雨了。我喜欢茶。",
]
SAID = {"en": "I prefer tea.", "ru": "Я предпочитаю чай.", "fr": "Je préfère le thé.", "zh": "我喜欢茶。"}
#: Names of texts, pieces of them and authors, which make headings in any order.
HEADINGS = {
    "en": (
        ["Letter", "Diary", "Testimonial", "Voice message", "Answer", "Sample sentence"],
        ["of Anna", "from my boss", "by Joyce", "for the lesson", "no. 4", ""],
    ),
    "fr": (["Lettre", "Message vocal", "Témoignage", "Extrait"], ["de Paul", "du roman", "no. 4", ""]),
    "ru": (["Письмо", "Дневник", "Отзыв", "Отрывок"], ["от Паши", "Анны", "из романа", ""]),
    "zh": (["小李的", "妈妈的", "安妮的"], ["语音", "日记", "留言", "故事"]),
}
TALES = {
    "en": ["The butler bowed.", "He paused.", "Anna sighed.", "They all laughed.", "Then she left.", "Nobody spoke."],
    "fr": ["Le majordome s'inclina.", "Elle sourit.", "Puis il partit.", "Ils rirent.", "Personne ne répondit."],
    "ru": ["Дворецкий поклонился.", "Она улыбнулась.", "Потом он ушёл.", "Все засмеялись."],
    "zh": ["管家鞠了一躬。", "她笑了。", "然后他走了。", "大家都笑了。"],
}  # fmt: skip
TAKEN_BACK = {
    "en": ["No, coffee.", "Uh, no, coffee.", "Or rather coffee.", "Ha, gotcha!", "Or so they say.", "Just kidding."],
    "fr": ["Non, le café.", "Enfin non, le café.", "Ou plutôt le café.", "Poisson d'avril !"],
    "ru": ["Нет, кофе.", "Хотя нет, кофе.", "То есть кофе.", "Вернее, кофе.", "Шутка!"],
    "zh": ["哦不，我喝咖啡。", "不对，是咖啡。", "开玩笑的。"],
}  # fmt: skip
LANGUAGES = st.sampled_from(sorted(SAID))


def own(turn):
    """True if a statement of tea is borne out by a turn, and if it is taken from it."""
    heard = an_item(turn, type="episode", origin=Origin.USER_SAID)
    word, told = next((word, told) for word, told in TOLD.items() if word in turn)
    taken = [one.content for one in statements([heard]) if word in one.content]
    return borne_out(told, KnownMemories(heard=(heard,))), bool(taken)


@pytest.mark.parametrize("turn", NOT_OWN)
def test_what_is_around_it_makes_it_nobodys_word(turn):
    assert own(turn) == (False, False)


@pytest.mark.parametrize("turn", OWN)
def test_a_greeting_a_remark_or_a_circumstance_leaves_it_ones_own(turn):
    assert own(turn) == (True, True)


@pytest.mark.parametrize("turn", DOUBTFUL)
def test_a_few_words_beside_it_bear_nothing_out(turn):
    assert own(turn) == (False, True)


@pytest.mark.parametrize("turn", DOUBTFUL_BEHIND)
def test_a_few_words_behind_it_may_take_it_back(turn):
    assert own(turn) == (False, False)


@given(LANGUAGES, st.data())
def test_a_heading_introduces_the_words_behind_it(language, data):
    texts, of = HEADINGS[language]
    gap = "" if language == "zh" else " "
    heading = (data.draw(st.sampled_from(texts)) + gap + data.draw(st.sampled_from(of))).strip()
    end = data.draw(st.sampled_from([". ", ".\n", "\n"] if language != "zh" else ["。", "。\n", "\n"]))
    assert own(f"{heading}{end}{SAID[language]}") == (False, False), heading


@given(LANGUAGES, st.data())
def test_what_is_said_between_the_sentences_of_a_tale_is_said_in_it(language, data):
    before, behind = (data.draw(st.sampled_from(TALES[language])) for _ in range(2))
    gap = "" if language == "zh" else data.draw(st.sampled_from([" ", "\n"]))
    assert narrates(before)
    assert own(gap.join((before, SAID[language], behind))) == (False, False)
    if before != behind:
        assert own(gap.join((SAID[language], before)))[1]


@given(LANGUAGES, st.data())
def test_what_follows_takes_back_what_was_said(language, data):
    back = data.draw(st.sampled_from(TAKEN_BACK[language]))
    gap = "" if language == "zh" else " "
    assert own(f"{SAID[language]}{gap}{back}") == (False, False)
