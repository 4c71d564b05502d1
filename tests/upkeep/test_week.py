import pytest

from simonides import ALL
from simonides.domain.item import Status
from simonides.domain.link import Relation
from simonides.errors import ProviderUnavailable
from simonides.testing import ScriptedModel

FACTS = (
    "The lamp of the tower burns oil.",
    "The lamp of the tower has 3 wicks.",
    "The tower has a red door.",
    "The keeper of the tower is Moss.",
    "The stairs of the tower are steep.",
    "The tower leans to the south.",
    "The bell of the tower is cracked.",
    "The garden of the tower grows beans.",
    "The well of the tower is dry.",
    "The roof of the tower was mended.",
    "The tower can be seen from the sea.",
)


def tell(memory, facts=FACTS, **fields):
    memory.add(list(facts), **({"type": "fact", "tags": ["tower"]} | fields))


def compress(memory, **options):
    run = memory.maintain(["week"], **options)
    assert run.error is None
    return run


def contents(memory):
    return [item.content for item in memory.list(scope=ALL, limit=1000)]


def said(*entries):
    return {"facts": list(entries)}


GOOD = {"content": "The lamp of the tower burns oil and has 3 wicks.", "from": [1, 2]}


def test_without_a_model_nothing_is_done_and_that_is_said(memory):
    tell(memory)
    run = compress(memory)
    assert not run.changes
    assert any("no model" in text for text in run.degradations)


def test_several_facts_are_said_in_one_and_can_still_be_reached(open_memory):
    memory = open_memory(model=ScriptedModel({"compress": said(GOOD)}))
    tell(memory)
    assert not compress(memory).degradations
    assert GOOD["content"] in contents(memory)
    assert len(contents(memory)) == len(FACTS) - 1
    gone = [
        item for item in memory.list(scope=ALL, limit=100, archived=True) if item.status is Status.ARCHIVED
    ]
    (new,) = [item for item in memory.list(scope=ALL, limit=100) if item.content == GOOD["content"]]
    assert {item.content for item in gone} == set(FACTS[:2])
    assert {item.superseded_by for item in gone} == {new.id}
    assert new.tags == ("tower",)
    with memory._parts.store.read() as reader:
        links = reader.links([new.id], [Relation.SUPERSEDES])
    assert {link.dst for link in links} == {item.id for item in gone}


def test_a_topic_with_few_facts_is_left_alone(open_memory):
    memory = open_memory(model=ScriptedModel({}))
    tell(memory, FACTS[:9])
    assert not compress(memory).changes


def test_a_topic_is_asked_about_again_only_when_there_are_new_facts(open_memory):
    model = ScriptedModel({"compress": said(GOOD)})
    memory = open_memory(model=model)
    tell(memory)
    compress(memory)
    assert not compress(memory).changes
    assert len(model.prompts) == 1
    tell(
        memory,
        [f"The {name} of the tower is painted green." for name in ("gate", "shed", "mill", "barn", "pier")],
    )
    compress(memory)
    assert len(model.prompts) == 2


def test_topics_and_scopes_are_not_mixed(open_memory):
    memory = open_memory(model=ScriptedModel({}))
    tell(memory, FACTS[:6])
    tell(memory, FACTS[6:], tags=["garden"])
    tell(memory, FACTS[:6], scope="user:ana")
    assert not compress(memory).changes


@pytest.mark.parametrize(
    "entry",
    [
        {"content": "The lamp of the tower burns oil.", "from": [1, 2]},
        {"content": "The lamp of the tower burns oil and has 4 wicks.", "from": [1, 2]},
        {"content": "The lamp of Marrow burns oil and has 3 wicks.", "from": [1, 2]},
        {"content": "Lamp: 3.", "from": [1, 2]},
        {"content": "The lamp of the tower burns oil and has 3 wicks, " + "as is well known " * 9, "from": [1, 2]},
        {"content": "", "from": [1, 2]},
        {"content": "La lampe de la tour brûle avec une huile et 3 mèches qui sont dans les murs.", "from": [1, 2]},
        {"content": "The lamp of the tower burns oil and has 3 wicks.", "from": [1, 99]},
        {"content": "The lamp of the tower burns oil and has 3 wicks.", "from": []},
        {"content": 7, "from": [1, 2]},
    ],
    ids=[
        "partial", "another number", "another name", "shrunken", "over-long", "empty", "French", "unknown source",
        "no source", "no text",
    ],
)  # fmt: skip
def test_what_is_not_borne_out_changes_nothing(open_memory, entry):
    memory = open_memory(model=ScriptedModel({"compress": said(entry)}))
    tell(memory)
    run = compress(memory)
    assert sorted(contents(memory)) == sorted(FACTS)
    assert any("could not be used" in text for text in run.degradations)


@pytest.mark.parametrize("answer", [said(), "no idea", {"facts": None}], ids=["nothing", "prose", "null"])
def test_an_empty_answer_archives_nothing(open_memory, answer):
    memory = open_memory(model=ScriptedModel({"compress": answer}))
    tell(memory)
    compress(memory)
    assert sorted(contents(memory)) == sorted(FACTS)


def test_one_bad_entry_loses_one(open_memory):
    bad = {"content": "The keeper Moss painted the red door of the tower in 1987.", "from": [3, 4]}
    memory = open_memory(model=ScriptedModel({"compress": said(bad, GOOD)}))
    tell(memory)
    run = compress(memory)
    assert GOOD["content"] in contents(memory)
    assert set(FACTS[2:]) <= set(contents(memory))
    assert any("not borne out" in text for text in run.degradations)


def test_a_fact_is_taken_once(open_memory):
    again = {"content": "The lamp of the tower has 3 wicks and the tower has a red door.", "from": [2, 3]}
    memory = open_memory(model=ScriptedModel({"compress": said(GOOD, again)}))
    tell(memory)
    compress(memory)
    assert FACTS[2] in contents(memory)
    assert again["content"] not in contents(memory)


def test_what_contradicts_itself_is_not_put_together(open_memory):
    facts = ("The tower opens at 9:00 on Monday.", "The tower opens at 8:00 on Monday.", *FACTS[2:])
    both = {
        "content": "The tower opens at 9:00 on Monday, the tower opens at 8:00 on Monday.",
        "from": [1, 2],
    }
    memory = open_memory(model=ScriptedModel({"compress": said(both)}))
    tell(memory, facts)
    compress(memory)
    assert sorted(contents(memory)) == sorted(facts)


def test_what_is_verified_or_pinned_keeps_its_words(open_memory):
    model = ScriptedModel({})
    memory = open_memory(model=model)
    tell(memory)
    for item in memory.list(scope=ALL, limit=2):
        memory.confirm(item.id)
    assert not compress(memory).changes


def test_undo_brings_the_facts_back(open_memory):
    memory = open_memory(model=ScriptedModel({"compress": said(GOOD)}))
    tell(memory)
    run = compress(memory)
    memory.undo(run.id)
    assert sorted(contents(memory)) == sorted(FACTS)


def test_a_model_that_does_not_answer_changes_nothing(open_memory):
    model = ScriptedModel({"compress": ProviderUnavailable("the model is down")})
    memory = open_memory(model=model)
    tell(memory)
    tell(memory, scope="user:ana")
    run = compress(memory)
    assert not run.changes
    assert len(model.prompts) == 1
    assert any("the model is down" in text for text in run.degradations)


def test_a_fact_that_changed_meanwhile_is_left_alone(open_memory):
    writing = open_memory()
    tell(writing)

    def meanwhile(_prompt):
        (lamp,) = [item for item in writing.list(scope=ALL, limit=100) if "burns oil" in item.content]
        writing.update(lamp.id, content="The lamp of the tower burns gas.")
        return '{"facts": [{"content": "The lamp of the tower burns oil and has 3 wicks.", "from": [1, 2]}]}'

    memory = open_memory(model=ScriptedModel({"compress": meanwhile}))
    run = compress(memory)
    assert run.counts["skipped"] == 1
    assert "The lamp of the tower burns gas." in contents(memory)
    assert FACTS[1] in contents(memory)
