"""Intent of a question: by cue words, and where they are silent by exemplars."""

import numpy as np
import pytest

from simonides.domain.embedding import EmbedderIdentity
from simonides.errors import ProviderUnavailable
from simonides.language.sentences import read
from simonides.models.bundled import BundledEmbedder
from simonides.recall.cosines import PAIRS
from simonides.recall.question.exemplars import exemplars
from simonides.recall.question.intent import NEAR, Basis, Intent, IntentClassifier, intent_by_cues

#: Questions with the intent that a reader would give them.
INTENTS = {
    "en": [
        ("Why did the ferry turn back halfway?", "why"),
        ("How come nobody watered the tomatoes?", "why"),
        ("What was the reason for moving the rehearsal?", "why"),
        ("What made Greta give up the violin?", "why"),
        ("Remind me why we dropped the blue tiles", "why"),
        ("For what reason was the permit refused?", "why"),
        ("The reason behind the late delivery?", "why"),
        ("What led to the leak in the attic?", "why"),
        ("When did Oskar sell the boat?", "when"),
        ("When is the rent due?", "when"),
        ("What day did the piano arrive?", "when"),
        ("How long ago did we plant the pear tree?", "when"),
        ("In what year was the lighthouse built?", "when"),
        ("Do you remember when the roof was repaired?", "when"),
        ("What time does the choir meet?", "when"),
        ("Since when has Lina been learning Finnish?", "when"),
        ("How many days ago did I see the dentist?", "when"),
        ("Who fixed the boiler?", "who"),
        ("Whose bicycle is in the shed?", "who"),
        ("Who did I lend the ladder to?", "who"),
        ("With whom did Greta go to the opera?", "who"),
        ("Which colleague knows the alarm code?", "who"),
        ("Tell me who painted the mural", "who"),
        ("Who's feeding the cat in August?", "who"),
        ("What is the name of my dentist's parrot?", "what"),
        ("What did Oskar say when he saw the bill?", "what"),
        ("Where are the spare fuses?", "what"),
        ("Which film did we watch while it rained?", "what"),
        ("What does the man who sells eggs charge?", "what"),
        ("What colour is the new fence?", "what"),
        ("Where did I park when I visited Lina?", "what"),
        ("Which route did the hikers choose?", "what"),
        ("What instrument does Greta play?", "what"),
        ("Tell me about the observatory", "general"),
        ("Did Lina ever go to Norway?", "general"),
        ("How do I bleed the radiators?", "general"),
        ("Suggest something for dinner", "general"),
        ("Is the shed still locked?", "general"),
        ("Summarize our plans for the garden", "general"),
        ("How many chairs do we own?", "general"),
    ],
    "ru": [
        ("Почему паром повернул обратно?", "why"),
        ("Зачем мы купили вторую лестницу?", "why"),
        ("Из-за чего отложили репетицию?", "why"),
        ("По какой причине отказали в разрешении?", "why"),
        ("Напомни, почему мы не взяли синюю плитку", "why"),
        ("Когда Оскар продал лодку?", "when"),
        ("Во сколько собирается хор?", "when"),
        ("В каком году построили маяк?", "when"),
        ("Какого числа платить за квартиру?", "when"),
        ("С каких пор Лина учит финский?", "when"),
        ("Кто починил котёл?", "who"),
        ("Чей велосипед стоит в сарае?", "who"),
        ("С кем Грета ходила в оперу?", "who"),
        ("Кому я одолжил лестницу?", "who"),
        ("Что сказал Оскар про счёт?", "what"),
        ("Где лежат запасные пробки?", "what"),
        ("Какой фильм мы смотрели?", "what"),
        ("Как называется наш клуб?", "what"),
        ("На чём играет Грета? Чем она занимается?", "what"),
        ("Расскажи про обсерваторию", "general"),
        ("Лина бывала в Норвегии?", "general"),
        ("Сколько у нас стульев?", "general"),
    ],
    "zh": [
        ("渡轮为什么掉头了?", "why"),
        ("为何推迟排练?", "why"),
        ("漏水的原因是什么?", "why"),
        ("我们为啥没选蓝色瓷砖?", "why"),
        ("怎么会没人浇番茄?", "why"),
        ("奥斯卡什么时候卖的船?", "when"),
        ("房租是几号交?", "when"),
        ("合唱团几点集合?", "when"),
        ("灯塔是哪一年建的?", "when"),
        ("钢琴是哪天到的?", "when"),
        ("谁修的锅炉?", "who"),
        ("棚子里的自行车是谁的?", "who"),
        ("格蕾塔和谁去的歌剧院?", "who"),
        ("哪位同事知道密码?", "who"),
        ("我牙医的鹦鹉叫什么?", "what"),
        ("备用保险丝在哪里?", "what"),
        ("我们看了哪部电影?", "what"),
        ("新栅栏是什么颜色?", "what"),
        ("说说天文台吧", "general"),
        ("莉娜去过挪威吗?", "general"),
        ("我们有多少把椅子?", "general"),
    ],
    "fr": [
        ("Pourquoi le ferry a-t-il fait demi-tour ?", "why"),
        ("Pour quelle raison la répétition a-t-elle été déplacée ?", "why"),
        ("Qu'est-ce qui a causé la fuite au grenier ?", "why"),
        ("Comment se fait-il que personne n'ait arrosé les tomates ?", "why"),
        ("Rappelle-moi pourquoi on a refusé le carrelage bleu", "why"),
        ("Quand Oscar a-t-il vendu le bateau ?", "when"),
        ("À quelle heure la chorale se réunit-elle ?", "when"),
        ("En quelle année le phare a-t-il été construit ?", "when"),
        ("Quel jour le piano est-il arrivé ?", "when"),
        ("Depuis quand Lina apprend-elle le finnois ?", "when"),
        ("Qui a réparé la chaudière ?", "who"),
        ("Avec qui Greta est-elle allée à l'opéra ?", "who"),
        ("À qui est le vélo dans la remise ?", "who"),
        ("De qui vient ce vieux fauteuil ?", "who"),
        ("Qu'a dit Oscar en voyant la facture ?", "what"),
        ("Où sont les fusibles de rechange ?", "what"),
        ("Quel film avons-nous regardé ?", "what"),
        ("Quelle est la couleur de la clôture ?", "what"),
        ("Comment s'appelle le perroquet ?", "what"),
        ("Parle-moi de l'observatoire", "general"),
        ("Lina est-elle déjà allée en Norvège ?", "general"),
        ("Combien de chaises avons-nous ?", "general"),
    ],
}

#: Questions that hold no cue word: only an embedder that knows the language can tell what they are after.
SILENT = [
    ("Explain the decision to drop the blue tiles", "why"),
    ("The motivation for giving up the violin?", "why"),
    ("I do not understand the cause of the delay", "why"),
    ("Could you explain the cancelled trip?", "why"),
    ("Is there an explanation for the late delivery?", "why"),
    ("Give me the grounds for the refusal", "why"),
    ("Date of my last dental visit?", "when"),
    ("Deadline for the permit", "when"),
    ("Day and time of the rehearsal, please", "when"),
    ("Is the meeting tomorrow or next week?", "when"),
    ("The year the lighthouse was built", "when"),
    ("How long until the rent is due?", "when"),
    ("The person responsible for the boiler", "who"),
    ("Name the colleague with the alarm code", "who"),
    ("Owner of the bicycle in the shed?", "who"),
    ("My contact at the insurance?", "who"),
    ("Author of the mural?", "who"),
    ("Do I know anybody in Oslo?", "who"),
    ("My favourite tea?", "what"),
    ("The address of the dentist", "what"),
    ("Colour of the fence?", "what"),
    ("Tell me the title of the book I lost", "what"),
    ("Our decision about the fence", "what"),
    ("Tell me about the observatory", "general"),
    ("Did Lina ever go to Norway?", "general"),
    ("How do I bleed the radiators?", "general"),
    ("Suggest something for dinner", "general"),
    ("Is the shed still locked?", "general"),
    ("Summarize our plans for the garden", "general"),
    ("How many chairs do we own?", "general"),
    ("Have I been to the opera with Greta?", "general"),
    ("Do we have enough paint?", "general"),
    ("Help me plan the weekend", "general"),
    ("Could we try another route?", "general"),
    ("Would Oskar like a new boat?", "general"),
    ("Has Greta finished the quilt?", "general"),
    ("Write a poem about the pear tree", "general"),
]

EXEMPLARS = exemplars()


class Scripted:
    """An embedder of four dimensions that gives each text the vector that was written down for it."""

    local = True

    def __init__(self, vectors, *, multilingual=True, fails=False):
        self.vectors, self.multilingual, self.fails = vectors, multilingual, fails
        self.asked = []

    @property
    def identity(self):
        return EmbedderIdentity("scripted", "scripted", 4)

    def embed(self, texts):
        self.asked.append(list(texts))
        if self.fails:
            raise ProviderUnavailable("the server does not answer; start it")
        return np.array([self.vectors.get(text, (0, 0, 0, 1)) for text in texts], np.float32)


def labelled(table):
    return [pytest.param(text, intent, id=text) for text, intent in table]


@pytest.mark.parametrize(("text", "intent"), labelled(one for table in INTENTS.values() for one in table))
def test_cue_words_tell_the_intent(text, intent):
    assert intent_by_cues(read(text)) == intent


def test_exemplars_behind_cues_are_right_more_often_than_either_alone():
    embedder = BundledEmbedder()
    classifier = IntentClassifier(embedder)
    table = [one for table in INTENTS.values() for one in table] + SILENT
    exemplars = [(line, intent) for intent, lines in EXEMPLARS["en"].items() for line in lines]
    rows = embedder.embed([line for line, _ in exemplars])

    def nearest(text):
        cosines = rows @ embedder.embed([text])[0]
        return exemplars[int(cosines.argmax())][1] if cosines.max() > NEAR else intent_by_cues(read(text))

    def right(classify):
        return sum(classify(text) == intent for text, intent in table)

    together = right(lambda text: classifier.classify(text).intent)
    assert together > right(nearest)
    assert together > right(lambda text: intent_by_cues(read(text)))
    assert together / len(table) > 0.85


def test_where_cues_are_silent_the_nearest_exemplar_decides():
    near = (1, 0, 0, 0)
    classifier = IntentClassifier(Scripted({"the grounds": near, EXEMPLARS["en"]["why"][0]: near}))
    found = classifier.classify("the grounds")
    assert (found.intent, found.basis, found.degraded) == (Intent.WHY, Basis.EXEMPLARS, None)


def test_a_question_is_compared_with_exemplars_of_its_own_language():
    near = (1, 0, 0, 0)
    russian = Scripted({"the grounds": near, "Расскажи про чай": near, EXEMPLARS["ru"]["why"][0]: near})
    assert IntentClassifier(russian).classify("the grounds").basis is Basis.CUES
    assert IntentClassifier(russian).classify("Расскажи про чай").intent is Intent.WHY


def test_an_exemplar_that_is_not_near_decides_nothing():
    cosine = NEAR - 0.01
    embedder = Scripted(
        {"the grounds": (1, 0, 0, 0), EXEMPLARS["en"]["why"][0]: (cosine, (1 - cosine**2) ** 0.5, 0, 0)}
    )
    assert IntentClassifier(embedder).classify("the grounds").intent is Intent.GENERAL


def test_a_cue_word_outweighs_the_nearest_exemplar():
    near = (1, 0, 0, 0)
    embedder = Scripted({"when did Anna go": near, EXEMPLARS["en"]["who"][0]: near})
    found = IntentClassifier(embedder).classify("when did Anna go")
    assert (found.intent, found.basis) == (Intent.WHEN, Basis.CUES)
    assert embedder.asked == []


def test_a_vector_that_is_at_hand_is_not_computed_again_and_exemplars_once_only():
    embedder = Scripted({})
    classifier = IntentClassifier(embedder)
    vector = np.array((0, 0, 0, 1), np.float32)
    classifier.classify("the grounds", vector)
    classifier.classify("the tea", vector)
    classifier.classify("Расскажи про чай", vector)
    classifier.classify("Parle-moi de la maison", vector)
    english, pairs, others = embedder.asked
    assert pairs == [text for pair in PAIRS for text in pair]
    assert english == [line for lines in EXEMPLARS["en"].values() for line in lines]
    assert len(english) + len(others) == sum(len(lines) for by in EXEMPLARS.values() for lines in by.values())


@pytest.mark.parametrize("text", ["Расскажи про чай", "说说天文台吧", "Parle-moi de la maison"])
def test_an_embedder_for_english_is_not_asked_about_other_languages(text):
    embedder = Scripted({}, multilingual=False)
    assert IntentClassifier(embedder).classify(text).basis is Basis.CUES
    assert embedder.asked == []


def test_an_embedder_for_english_is_given_english_exemplars_only():
    embedder = Scripted({}, multilingual=False)
    IntentClassifier(embedder).classify("tell me about tea", np.array((0, 0, 0, 1), np.float32))
    exemplars, pairs = embedder.asked
    assert pairs == [text for pair in PAIRS for text in pair]
    assert exemplars == [line for lines in EXEMPLARS["en"].values() for line in lines]


def test_an_embedder_that_fails_is_named_and_cues_decide():
    classifier = IntentClassifier(Scripted({}, fails=True))
    found = classifier.classify("tell me about tea")
    assert found.intent is Intent.GENERAL
    assert found.degraded == "intent: the server does not answer; start it"


def test_an_embedder_that_failed_is_asked_again_the_next_time():
    embedder = Scripted({EXEMPLARS["en"]["why"][0]: (1, 0, 0, 0)}, fails=True)
    classifier, vector = IntentClassifier(embedder), np.array((1, 0, 0, 0), np.float32)
    classifier.classify("the grounds", vector)
    embedder.fails = False
    assert classifier.classify("the grounds", vector).intent is Intent.WHY


def test_every_language_has_a_dozen_exemplars_for_each_intent():
    for by_intent in EXEMPLARS.values():
        assert set(by_intent) == {intent.value for intent in Intent}
        assert all(len(set(lines)) >= 12 for lines in by_intent.values())


def test_exemplars_and_labelled_questions_are_not_the_same():
    exemplars = {line for by in EXEMPLARS.values() for lines in by.values() for line in lines}
    asked = {text.casefold().rstrip(" ?") for table in (*INTENTS.values(), SILENT) for text, _ in table}
    assert not exemplars & asked


# Families: each way of asking, about anything

THINGS = ("the launch", "Anna", "apollo", "our move to Berlin", "проекта", "встречи", "项目", "la réunion")
COURSES = (
    "timeline of events", "timeline of {}", "time line of {}", "a chronology of {}", "the chronological order of {}",
    "what happened after {}?", "what happened before {}?", "what happened right after {}?", "what came next after {}?",
    "what happened since {}?", "in what order did {} happen?", "the sequence of events around {}",
    "хронология событий", "хронология {}", "ход событий после {}", "что было после {}?", "что произошло до {}?",
    "что случилось потом после {}?", "в каком порядке всё шло после {}?", "{}的时间线", "{}之后发生了什么？",
    "{}以前发生过什么？", "事件的先后顺序", "chronologie de {}", "la suite des événements après {}",
    "qu'est-ce qui s'est passé après {} ?", "dans quel ordre s'est fait {} ?",
)  # fmt: skip
EVERYTHING = (
    "tell me everything about {}", "tell me all you know about {}", "tell me more about {}", "everything about {}",
    "give me an overview of {}", "describe {}", "расскажи всё про {}", "расскажи мне всё, что знаешь о {}",
    "опиши {}", "dis-moi tout sur {}", "raconte-moi tout ce que tu sais de {}", "关于{}的一切",
    "告诉我有关{}的所有情况", "介绍一下{}",
)  # fmt: skip


@pytest.mark.parametrize("thing", THINGS)
@pytest.mark.parametrize(
    ("form", "intent"),
    [*((form, Intent.WHEN) for form in COURSES), *((form, Intent.WHAT) for form in EVERYTHING)],
)
@pytest.mark.parametrize("shouted", [False, True])
def test_a_whole_family_of_questions_is_read_alike(form, intent, thing, shouted):
    text = form.format(thing)
    assert intent_by_cues(read(text.upper() if shouted else text)) is intent
