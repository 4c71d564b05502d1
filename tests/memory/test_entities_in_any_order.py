"""Mentions of an entity do not depend on the order of writing, the case of a name, or the script."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides import Memory
from simonides.language.chinese_names import chinese_names
from simonides.language.russian_names import forms

NAMED = [
    "Bristol is quiet in winter.",
    "We drove to Bristol with Petra.",
    "Petra is allergic to walnuts.",
    "I met Ruben at the fair, and Petra was late.",
    "Ruben has a boat.",
    "Today is a holiday.",
    "I moved to Winterthur.",
    "Winterthur has a good market, said Ruben.",
    "小王和李明去了北京。",
    "我的朋友李明喜欢跑步。",
    "李明的生日在五月。",
    "Дмитрий живёт у моря.",
    "Вчера я видел Дмитрия.",
    "Мы ездили с Дмитрием в Казань.",
    "Казань стоит на Волге.",
]


def mentions(memory):
    return {
        (frozenset(item.content for item in memory.entities.get(entity.id).timeline), entity.mention_count)
        for entity in memory.entities.list()
    }


@settings(max_examples=12)
@given(order=st.permutations(NAMED), together=st.booleans())
def test_in_any_order_the_same_is_mentioned(order, together):
    with Memory(":memory:") as one, Memory(":memory:") as other:
        one.add(NAMED)
        if together:
            other.add(order)
        else:
            for text in order:
                other.add(text)
        assert mentions(other) == mentions(one)


def test_an_earlier_item_is_found_by_what_became_known_later(open_memory):
    memory = open_memory()
    memory.add("Bristol in winter, what a place.")
    assert memory.entities.list() == []
    memory.add("I live in Bristol.")
    assert memory.entities.get("Bristol").entity.mention_count == 2
    assert len(memory.list(entity="Bristol")) == 2


def test_what_becomes_known_in_one_scope_is_not_mentioned_in_another(open_memory):
    memory = open_memory()
    memory.add("Bristol in winter, what a place.", user_id="ana")
    memory.add("I live in Bristol.", user_id="bob")
    assert [entity.mention_count for entity in memory.entities.list(scope="user:bob")] == [1]
    assert memory.entities.list(scope="user:ana") == []


def test_what_is_held_back_mentions_nothing(open_memory):
    memory = open_memory()
    memory.propose([{"content": "Bristol in winter, what a place."}])
    memory.add("I live in Bristol.")
    assert memory.entities.get("Bristol").entity.mention_count == 1


def test_a_greeting_is_no_part_of_a_name(open_memory):
    memory = open_memory()
    memory.add(["Hi, I'm Noor.", "I’m Noor, hello!", "Hello, this is Noor."])
    assert [(entity.name, entity.mention_count) for entity in memory.entities.list()] == [("Noor", 3)]


# Russian cases


CASES = [
    "Дмитрий Дмитрия Дмитрию Дмитрием Дмитрии", "Андрей Андрея Андрею Андреем Андрее",
    "Игорь Игоря Игорю Игорем Игоре", "Иван Ивана Ивану Иваном Иване", "Анна Анны Анне Анну Анной",
    "Ольга Ольги Ольге Ольгу Ольгой", "Мария Марии Марию Марией", "Катя Кати Кате Катю Катей",
    "Илья Ильи Илье Илью Ильёй", "Никита Никиты Никите Никиту Никитой", "Казань Казани Казанью",
    "Москва Москвы Москве Москву Москвой", "Париж Парижа Парижу Парижем Париже",
    "Достоевский Достоевского Достоевскому Достоевским Достоевском", "Евгений Евгению Евгением",
    "Константин Константина Константину Константином",
]  # fmt: skip


@pytest.mark.parametrize("row", CASES, ids=[row.split()[0] for row in CASES])
def test_every_case_of_a_name_is_one_entity(row, open_memory):
    memory = open_memory()
    names = row.split()
    for name in reversed(names):
        memory.add(f"Вчера рассказали про {name} и море.")
    (entity,) = memory.entities.list()
    assert entity.mention_count == len(names)
    for name in names:
        assert memory.entities.get(name).entity.id == entity.id


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Александр", "Александра"), ("Евгений", "Евгения"), ("Валентин", "Валентина"), ("Иванов", "Иванова"),
        ("Владислав", "Владислава"), ("Пушкин", "Пушкина"), ("Иван", "Анна"), ("Виктор", "Виктория"),
        ("Марина", "Мария"), ("Рим", "Римма"), ("Юлий", "Юлия"),
    ],
)  # fmt: skip
def test_two_people_are_not_one(one, other, open_memory):
    memory = open_memory()
    memory.add([f"Вчера мы видели: рядом {one} у моря.", f"Вчера мы видели: рядом {other} у моря."])
    assert {entity.name for entity in memory.entities.list()} == {one, other}


def test_a_case_that_may_be_either_of_two_is_neither(open_memory):
    memory = open_memory()
    memory.add(["Вчера пришёл Александр.", "Вчера пришла Александра.", "Дай это Александру."])
    assert memory.entities.get("Александр").entity.mention_count == 1
    assert memory.entities.get("Александра").entity.mention_count == 1


@given(st.text(alphabet="абвгдеийклмноструфья", min_size=1, max_size=9))
def test_forms_go_both_ways(name):
    assert name in forms(name)
    assert all(name in forms(other) for other in forms(name))


@given(st.text(max_size=12))
def test_only_russian_words_have_forms(name):
    assert forms(name) == {name} or any("\u0400" <= char <= "\u04ff" for char in name)


# Chinese names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("我叫李明。", ["李明"]), ("我的朋友李明喜欢跑步。", ["李明"]), ("我妹妹王芳在北京工作。", ["王芳"]),
        ("他叫欧阳明华，住在上海。", ["欧阳明华"]),
        ("同事陈建国和我一起去。", ["陈建国"]), ("医生张伟告诉我。", ["张伟"]),
        ("我朋友高兴地说。", []), ("我是高中生。", []), ("我是王老师。", []),
        ("老师方法很好。", []), ("我姐姐马上来。", []), ("邻居王先生也来。", []),
        ("朋友周末去。", []), ("这是黄色的。", []), ("经理任务很多。", []),
        ("朋友许多都来。", []), ("客户金融公司很大。", []), ("我叫了出租车。", []),
        ("老师说安全最重要。", []),
    ],
)  # fmt: skip
def test_a_chinese_name_is_taken_where_its_surroundings_say_so(text, names):
    assert chinese_names(text) == names
