"""Two things told of one subject are two statements: one may change while the other holds."""

from __future__ import annotations

from itertools import permutations, product

import pytest

from simonides import Memory
from simonides.language.contradiction import leaves_standing
from simonides.testing import FrozenClock

SCOPE = "user:ana"
#: By language: the subject, what is told of it, the joints, a move, and a question about the work.
TOLD = {
    "en": (
        "I ",
        ("live in Graz", "work for Acme as a designer", "have two cats"),
        (" and ", ", ", ", and ", " but "),
        "I moved to Linz.",
        "Who do I work for?",
    ),
    "de": (
        "Ich ",
        ("wohne in Graz", "arbeite bei Acme", "habe zwei Katzen"),
        (" und ", " aber "),
        "Ich wohne jetzt in Linz.",
        "Bei wem arbeite ich?",
    ),
    "ru": (
        "Я ",
        ("живу в Граце", "работаю в Яндексе", "учусь на врача"),
        (" и ", ", "),
        "Я переехал в Линц.",
        "Где я работаю?",
    ),
    "fr": (
        "Je ",
        ("vis à Lyon", "travaille chez Acme"),
        (" et ", ", "),
        "J'ai déménagé à Nantes.",
        "Chez qui est-ce que je travaille ?",
    ),
    "zh": (
        "我",
        ("住在杭州", "在阿里巴巴工作"),
        ("，", "，并且", "并"),
        "我现在住在北京。",
        "我在哪里工作？",
    ),
}


def _extracted(*turns: str) -> Memory:
    clock = FrozenClock("2026-02-02T18:00:00Z")
    memory = Memory(":memory:", clock=clock)
    for number, turn in enumerate(turns):
        memory.add([{"role": "user", "content": turn}], session_id=f"s{number}", scope=SCOPE)
        clock.advance(days=1)
        memory.extract()
    return memory


def _statements(memory: Memory) -> list[str]:
    return sorted(
        item.content for item in memory.list(scope=SCOPE) if item.type not in {"episode", "narrative"}
    )


@pytest.mark.parametrize("language", TOLD)
def test_each_thing_told_of_a_subject_is_a_statement(language: str) -> None:
    subject, told, joints, *_ = TOLD[language]
    stop = "。" if language == "zh" else "."
    turns = (f"{subject}{joint.join(two)}{stop}" for two, joint in product(permutations(told, 2), joints))
    with Memory(":memory:") as memory:
        for number, turn in enumerate(turns):
            memory.add([{"role": "user", "content": turn}], session_id=f"s{number}", scope=SCOPE)
        assert {found.content for found in memory.extract().found} == {
            f"{subject}{one}{stop}" for one in told
        }


@pytest.mark.parametrize("language", TOLD)
def test_a_move_leaves_the_work_in_prompts(language: str) -> None:
    subject, (home, work, *_), (joint, *_), moved, question = TOLD[language]
    with _extracted(f"{subject}{home}{joint}{work}.", moved) as memory:
        assert work in memory.context(question, scope=SCOPE, mode="inject", min_relevance=0).text
        assert not any(home in content for content in _statements(memory))


@pytest.mark.parametrize(
    "sentence",
    [
        "I live in a house that my parents built and own.",
        "I don't live in Graz and work for Acme.",
        "I work with people who live in Graz and work for Acme.",
        "I work for Acme and Globex.",
        "I have a brother and a sister.",
        "Ich wohne in einem Haus, das mir gefällt und habe.",
        "Ich arbeite nicht in Graz und wohne in Linz.",
        "Я не живу в Граце и работаю в Яндексе.",
        "我不住在杭州，在阿里巴巴工作。",
    ],
)
def test_what_is_not_told_of_the_subject_alone_stays_in_its_sentence(sentence: str) -> None:
    with _extracted(sentence) as memory:
        assert len(_statements(memory)) <= 1


def test_a_change_of_one_thing_ends_no_memory_that_tells_another() -> None:
    clock = FrozenClock("2026-02-02T18:00:00Z")
    with Memory(":memory:", clock=clock) as memory:
        for content in ("I live in Graz and work for Acme.", "I moved to Linz."):
            memory.add(content, type="identity", scope=SCOPE)
            clock.advance(days=1)
        memory.consolidate(scope=SCOPE)
        first = next(item for item in memory.list(scope=SCOPE) if "Acme" in item.content)
        assert first.validation == "contested"


@pytest.mark.parametrize(
    ("former", "text", "standing"),
    [
        ("The limit is 450 and the timeout is 30.", "Actually, the limit is 480.", True),
        ("The limit is 450, set in nginx.conf.", "Actually, the limit is 480.", False),
        ("We meet on Monday and Friday.", "Actually, we meet on Tuesday.", False),
        ("I live in Graz.", "I moved to Linz.", False),
        ("I live in Graz and I work for Acme.", "I now live in Linz and I now work for Globex.", False),
    ],
)
def test_what_a_change_leaves_standing_is_told(former: str, text: str, standing: bool) -> None:
    assert leaves_standing(former, text) is standing


# Two subjects

OF_TWO = [
    ("I'm vegetarian", " and ", "Tom hates mushrooms"),
    ("I'm vegetarian", ", but ", "my husband Tom eats meat"),
    ("Ich bin Vegetarierin", " und ", "Tom hasst Pilze"),
    ("Soy vegetariana", " y ", "Tom odia las setas"),
    ("Je suis végétarienne", " et ", "Tom déteste les champignons"),
    ("Я живу в Казани", ", а ", "Том любит грибы"),
    ("我住在上海", "，", "我的丈夫喜欢爵士"),
]


@pytest.mark.parametrize(("own", "joint", "other"), OF_TWO)
def test_what_is_told_of_two_subjects_is_two_statements(own, joint, other):
    stop = "。" if "我" in own else "."
    assert told(f"{own}{joint}{other}{stop}") == [f"{own}{stop}", f"{other[0].upper()}{other[1:]}{stop}"]


@pytest.mark.parametrize(
    "said",
    [
        "I live with Kate and Tom.",
        "We live in a flat and Ella loves it.",
        "We decided that I cook and Tom eats out.",
        "I have two cats and Tom is coming on Friday.",
        "Tom and I live in Leeds.",
    ],
)
def test_what_tells_of_nobody_else_by_itself_stays_one_statement(said):
    assert told(said) == [said]


def told(said):
    with Memory(":memory:", clock=FrozenClock("2026-01-05T18:00:00Z")) as memory:
        memory.add([{"role": "user", "content": said}], session_id="one", scope=SCOPE)
        return [found.content for found in memory.extract().found]


@pytest.mark.parametrize(
    "turn",
    [
        "My daughter is three. Allergic to nuts.",
        "My dad lives in Rome. Works nights.",
        "Our dog is old. Can't eat chicken.",
        "Meine Tochter ist drei. Mag keine Milch.",
        "Meine Tochter ist drei, darf keine Nüsse essen.",
        "Ma fille a trois ans. Allergique aux noix.",
        "Ma fille a trois ans, allergique aux noix.",
        "Mi hija tiene tres años. Alérgica a los cacahuetes.",
        "Mi hija tiene tres años, alérgica a los cacahuetes.",
        "我女儿今年三岁了。不吃鱼。",
        "我女儿今年三岁了，不吃鱼。",
        "我老公在深圳上班，不喝酒。",
        "A friend is coming to dinner. Vegan and allergic to soy.",
        "Tom visits us. Allergic to nuts.",
        "Guests on Friday. Allergic to peanuts.",
        "Met a guy called Tom. Vegan since 2010.",
        "Meet Anna. Living in Leeds since 2010.",
        "Eine Freundin kommt zum Essen. Ist Veganerin. Mag keinen Käse.",
        "Tom vient dîner. Allergique aux noix.",
        "Tom viene a cenar. Alérgico a las nueces.",
        "朋友来吃饭。不吃肉。",
    ],
)
def test_what_leaves_out_its_subject_behind_somebody_else_is_not_told_of_the_speaker(turn: str) -> None:
    with _extracted(turn) as memory:
        begun = turn[:4]
        assert all(statement.startswith(begun) for statement in _statements(memory))


@pytest.mark.parametrize(
    "turn",
    [
        "Mein Chef ist überzeugt, dass ich in Graz wohne.",
        "Meine Mutter geht davon aus, dass ich in Graz wohne.",
        "Mein Chef ist sich sicher, ich wohne in Graz.",
        "Wir erwarten Zwillinge, dachte meine Mutter.",
        "Ma sœur, qui est sûre que je fume, travaille chez Acme.",
        "Mi jefe está convencido de que vivo en Graz.",
        "Моя сестра, которая уверена, что я живу в Казани, работает в Яндексе.",
        "У нас все уверены, что я живу в Казани.",
        "我妈否认我抽烟。",
        "我妈怀疑我抽烟。",
        "我姐梦见我住在杭州。",
    ],
)
def test_what_somebody_believes_within_a_clause_states_nothing(turn: str) -> None:
    with _extracted(turn) as memory:
        assert _statements(memory) == []


def test_what_the_speaker_decided_is_kept() -> None:
    with _extracted(turn := "Ich habe beschlossen, dass wir im Mai umziehen.") as memory:
        assert _statements(memory) == [turn]


@pytest.mark.parametrize(
    ("turn", "kept"),
    [
        ("I live in Graz. Source: me", True),
        ("Ich wohne in Graz. Quelle: ich", True),
        ("J'habite à Graz. Source : moi", True),
        ("I live in Graz. Source: my brother", False),
        ("Ich wohne in Graz. Quelle: mein Bruder", False),
    ],
)
def test_a_source_that_is_the_speaker_takes_nothing_away(turn: str, kept: bool) -> None:
    with _extracted(turn) as memory:
        assert bool(_statements(memory)) is kept
