"""The language of a text is guessed by its small words, and not guessed where nothing tells."""

import pytest

from simonides.language.guess import in_doubt, language_of

SENTENCES = {
    "en": [
        "I live in Graz.",
        "We decided to ship on Fridays.",
        "My sister is allergic to nuts.",
        "What did I say about the garden last week?",
        "Don't use tables in your answers.",
        "Who wore the hat in the war?",
        "The plants may die in Los Angeles.",
        "I'm a nurse at the Charité in Berlin.",
        "Where does Jürgen Müller work?",
        "how many cats do i have",
        "im a nurse",
        "When is the meeting with the Kunsthistorisches Museum?",
    ],
    "de": [
        "Ich wohne in Graz.",
        "Wir haben uns für die blaue Tür entschieden.",
        "Meine Schwester ist gegen Nüsse allergisch.",
        "Was habe ich letzte Woche über den Garten gesagt?",
        "Wann war das Meeting mit dem Team?",
        "Wer hat die Miete bezahlt?",
        "Ich arbeite bei Google in der Cloud.",
        "wie heisst mein hund",
        "Bitte antworte immer auf Englisch.",
        "Das Deployment ist am Freitag.",
    ],
    "fr": [
        "J'habite à Graz.",
        "Nous avons décidé de partir en train.",
        "Ma sœur est allergique aux noix.",
        "Qu'est-ce que j'ai dit sur le jardin ?",
        "L’école de mon fils est à Lyon.",
        "ou est-ce que je travaille",
        "Je préfère le thé.",
    ],
    "ru": ["Я живу в Граце.", "Мы решили выпускать по пятницам.", "Когда мы переехали из Google в Яндекс?"],
    "zh": ["我住在格拉茨。", "我们决定星期五发布。", "我用 Python 和 Rust。", "我住 Graz"],
}


@pytest.mark.parametrize(
    ("code", "text"), [(code, text) for code, texts in SENTENCES.items() for text in texts]
)
def test_a_sentence_tells_its_language(code, text):
    assert language_of(text) == code


@pytest.mark.parametrize("code", SENTENCES)
def test_whole_texts_tell_it_by_their_beginning(code):
    assert language_of(" ".join(SENTENCES[code]) * 50) == code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "42",
        "2026-03-04 12:30, 17 %",
        "José Müller",
        "Los Angeles",
        "Die Hard",
        "La Paz",
        "Иван Петров",
        "王小明",
        "Kubernetes",
        "Graz, Wien, Linz",
        "for x in range(3): print(x.y)",
        "def of(self, text: str) -> None: return self.a[text] = {}",
        "https://example.com/the/way/to/go",
        "Ich wohne in Wien and I live in Vienna.",
        "Eu moro em Lisboa com a minha irmã.",
        "Ik woon in Gent en ik heb een kat.",
        "Io vivo a Roma con la mia famiglia.",
        "Я живу в Києві.".replace("Я живу", "Я мешкаю"),
        "私はグラーツに住んでいます。",
        "저는 서울에 살아요.",
    ],
)
def test_what_tells_nothing_or_two_things_is_no_guess(text):
    assert language_of(text) is None


@pytest.mark.parametrize(
    "text", ["deploy command staging", "Backup Uhrzeit", "Kubernetes", "postgres port 5432", "José Müller"]
)
def test_keywords_may_be_in_any_language(text):
    assert in_doubt(text)


@pytest.mark.parametrize(
    "text",
    [
        *(text for texts in SENTENCES.values() for text in texts),
        "Eu moro em Lisboa com a minha irmã.",
        "Ik woon in Gent en ik heb een kat.",
        "Иван Петров",
        "私はグラーツに住んでいます。",
        "42",
        "",
    ],
)
def test_what_is_in_a_language_is_not_in_doubt(text):
    assert not in_doubt(text)
