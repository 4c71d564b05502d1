"""memory.entities: who and what items mention, as its users see it."""

import json

import pytest

from simonides.config import Settings
from simonides.domain.entity import EntityType
from simonides.domain.scope import ALL
from simonides.errors import Conflict, InvalidInput, InvalidScope, InvalidText, NotFound
from simonides.testing import FakeEmbedder

APOLLO = "project:apollo"
KEY = "sk-proj-" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fG1hJ3"


def names(memory, **fields):
    return {entity.name: entity.mention_count for entity in memory.entities.list(**fields)}


def contents(items):
    return [item.content for item in items]


@pytest.fixture
def dinner(memory, clock):
    """A few memories about Petra, told over some days."""
    memory.add("Petra is allergic to walnuts", type="fact", importance=0.9, project="apollo")
    clock.advance(days=1)
    memory.add(
        [
            {"role": "user", "name": "Ruben", "content": "I cooked for Petra in Rome"},
            {"role": "assistant", "content": "How did Petra like it?"},
        ],
        session_id="monday",
        project="apollo",
    )
    clock.advance(days=1)
    memory.add(
        "We bake for Petra and Lev on Fridays", type="decision", project="apollo", event_at="2020-01-01"
    )
    return memory


def test_every_way_of_writing_registers_what_is_mentioned(memory, open_memory, tmp_path):
    (first,) = memory.add("we met Ana in Rome", type="fact")
    memory.add([{"role": "user", "name": "Ruben", "content": "with Bo, too"}], session_id="s")
    memory.propose([{"content": "They met Cid.", "why_store": "asked", "source": "m1"}])
    assert names(memory) == {"Ana": 1, "Bo": 1, "Cid": 1, "Rome": 1, "Ruben": 1}
    memory.add("we met Ana in Rome", type="fact", entities=["Dora"])
    assert names(memory)["Dora"] == 1
    memory.update(first.item_id, content="we met Ana in Oslo")
    assert names(memory) == {"Ana": 1, "Bo": 1, "Cid": 1, "Oslo": 1, "Ruben": 1, "Dora": 1}
    memory.update(first.item_id, entities=[])
    assert "Dora" not in names(memory)
    memory.correct(first.item_id, "we met Eva in Oslo")
    assert names(memory) == {"Oslo": 2, "Ana": 1, "Bo": 1, "Cid": 1, "Eva": 1, "Ruben": 1}
    copy = open_memory(tmp_path / "copy.db")
    copy.load(memory.export())
    assert names(copy) == names(memory)
    assert memory.doctor().healthy
    assert copy.doctor().healthy


def test_what_is_quarantined_mentions_nobody_until_it_is_approved(memory):
    held, refused = memory.propose([{"content": "The user met Gwil."}, {"content": "The user met Agathe."}])
    assert names(memory) == {}
    memory.review.approve(held.item_id)
    memory.review.reject(refused.item_id)
    assert names(memory) == {"Gwil": 1}
    memory.backfill(again=True)
    assert names(memory) == {"Gwil": 1}


def test_secrets_never_become_names(memory):
    memory.add(
        [{"role": "user", "name": KEY, "content": f"my key is {KEY}, ask Ana about it"}], session_id="s"
    )
    memory.add("a note", entities=[KEY])
    assert names(memory) == {"Ana": 1}
    with pytest.raises(InvalidText, match="secret"):
        memory.entities.alias("Ana", KEY)
    with pytest.raises(InvalidText, match="secret"):
        memory.entities.rename("Ana", KEY)


def test_a_profile_tells_facts_timeline_and_company(dinner):
    profile = dinner.entities.get("PETRA", scope=APOLLO)
    assert (profile.entity.name, profile.entity.type, profile.entity.mention_count) == (
        "Petra",
        EntityType.PERSON,
        4,
    )
    assert contents(profile.facts) == ["Petra is allergic to walnuts", "We bake for Petra and Lev on Fridays"]
    assert contents(profile.timeline) == [
        "We bake for Petra and Lev on Fridays",
        "Petra is allergic to walnuts",
        "I cooked for Petra in Rome",
        "How did Petra like it?",
    ]
    assert [(entry.entity.name, entry.shared) for entry in profile.related] == [
        ("Lev", 1),
        ("Rome", 1),
        ("Ruben", 1),
    ]
    assert contents(dinner.entities.get("Petra", scope=APOLLO, limit=1).timeline) == [
        "How did Petra like it?"
    ]
    json.dumps(profile.to_dict())


def test_a_profile_leaves_out_what_recall_leaves_out(dinner, clock):
    old = dinner.search("walnuts", scope=APOLLO).hits[0].item
    dinner.correct(old.id, "Petra may eat walnuts again")
    dinner.add("Petra is away", project="apollo", expires_at="2026-03-05")
    clock.advance(days=30)
    facts = contents(dinner.entities.get("Petra", scope=APOLLO).facts)
    assert "Petra may eat walnuts again" in facts
    assert not {"Petra is allergic to walnuts", "Petra is away"} & set(facts)


def test_reading_a_profile_is_no_use(dinner):
    dinner.entities.get("Petra", scope=APOLLO)
    assert all(item.usage_count == 0 for item in dinner.list(scope=ALL))


def test_nothing_leaks_from_scopes_that_are_out_of_sight(memory):
    memory.add("we met Petra in Rome", scope="user:ana/project:apollo")
    memory.add("we met Petra in Oslo", scope="user:ana")
    memory.add("we met Petra in Lyon", scope="user:bo")
    memory.add("we met Petra with Lev")
    profile = memory.entities.get("Petra", scope="user:ana")
    assert profile.entity.mention_count == 2
    assert set(contents(profile.facts)) == {"we met Petra with Lev", "we met Petra in Oslo"}
    assert {entry.entity.name for entry in profile.related} == {"Lev", "Oslo"}
    assert names(memory, scope="user:ana") == {"Lev": 1, "Oslo": 1, "Petra": 1}
    assert memory.entities.get("Petra", scope="user:ana/project:apollo").entity.mention_count == 3
    assert memory.entities.get("Petra", scope=ALL).entity.mention_count == 4
    with pytest.raises(NotFound) as error:
        memory.entities.get("Lyons", scope="user:ana")
    assert "Lyon'" not in str(error.value)
    secret = memory.entities.get("Lyon", scope="user:bo").entity
    with pytest.raises(NotFound):
        memory.entities.get(secret.id, scope="user:ana")
    assert memory.entities.get(secret.id).entity == secret


def test_an_alias_joins_names_of_different_scopes_for_who_sees_both(memory):
    memory.add("we met Robert in Rome")
    memory.add("we met Bob in Oslo", scope="user:ana")
    memory.entities.alias("Bob", "Robert", scope="user:ana")
    for name in ("Bob", "Robert"):
        profile = memory.entities.get(name, scope="user:ana")
        assert (profile.entity.name, profile.entity.aliases) == ("Bob", ("Robert",))
        assert len(profile.timeline) == profile.entity.mention_count == 2
    assert memory.entities.get("Robert").entity.mention_count == 1
    with pytest.raises(NotFound):
        memory.entities.get("Bob")


def test_what_is_called_as_ids_are_is_found_by_that_name(memory):
    run = "019ca945-0a00-7000-a43b-c7a7422d3968"
    memory.add("The nightly run ended in Oslo.", scope="user:ana", entities=[run])
    assert memory.entities.get(run, scope="user:ana").entity.name == run
    assert memory.entities.alias(run, "the nightly run", scope="user:ana").names[0] == run
    for scope in (None, "user:bo"):
        with pytest.raises(NotFound):
            memory.entities.get(run, scope=scope)
    # An id comes first, also where who looks does not see what it is of.
    hidden = memory.entities.get(run, scope="user:ana").entity
    memory.add("Petra called.", scope="user:bo", entities=[hidden.id])
    assert memory.entities.get(hidden.id).entity == hidden
    with pytest.raises(NotFound):
        memory.entities.get(hidden.id, scope="user:bo")


def test_an_unknown_name_is_answered_with_near_ones(dinner):
    with pytest.raises(NotFound, match="there is 'Petra'"):
        dinner.entities.get("Petro", scope=APOLLO)
    with pytest.raises(NotFound, match=r"no entity 'Zzyzx'$"):
        dinner.entities.get("Zzyzx", scope=APOLLO)
    with pytest.raises(NotFound):
        dinner.entities.get("019b2f4e-8a51-7c3d-9e10-5b7f0c2d4a66")
    with pytest.raises(InvalidText):
        dinner.entities.get("")


def test_lists_are_filtered_by_type_and_beginning(dinner):
    assert list(names(dinner, scope=APOLLO)) == ["Petra", "Lev", "Rome", "Ruben"]
    assert list(names(dinner, scope=APOLLO, type="person")) == ["Petra", "Ruben"]
    assert list(names(dinner, scope=APOLLO, prefix="R")) == ["Rome", "Ruben"]
    assert list(names(dinner, scope=APOLLO, limit=1)) == ["Petra"]
    assert names(dinner) == {}
    with pytest.raises(InvalidInput, match="no type"):
        dinner.entities.list(type="robot")


def test_two_that_are_one_are_merged(memory):
    memory.add("we met Robert in Rome")
    memory.add("we met Bob in Oslo")
    other = memory.entities.get("Bob").entity
    merged = memory.entities.merge("Robert", "bob")
    assert (merged.name, merged.aliases, merged.mention_count) == ("Robert", ("Bob",), 2)
    assert memory.entities.get(other.id).entity == memory.entities.get("Bob").entity
    memory.add("we met Bob again, at last")
    assert memory.entities.get("Robert").entity.mention_count == 3
    with pytest.raises(InvalidInput, match="itself"):
        memory.entities.merge("Robert", "Bob")


def test_a_merge_is_taken_back_by_a_name_or_the_id_of_what_was_merged(memory):
    memory.add("we met Robert in Rome")
    memory.add("we met Bob in Oslo")
    before = memory.entities.list()
    bob = memory.entities.get("Bob").entity
    for other in ("bob", bob.id):
        memory.entities.merge("Robert", "Bob")
        [merged] = memory.entities.get("Robert").merged
        assert (merged.id, merged.names, merged.scope) == (bob.id, ("Bob",), "global")
        assert memory.entities.unmerge(other) == bob
        assert memory.entities.list() == before
        assert memory.entities.get("Robert").merged == ()
    for other in ("Bob", "Robert", bob.id, before[0].id, "Quill"):
        with pytest.raises(NotFound):
            memory.entities.unmerge(other)
    memory.entities.merge("Robert", "Bob")
    with pytest.raises(NotFound, match="belongs to 'global'"):
        memory.entities.unmerge("Bob", scope="user:ana")
    memory.add("then Bob slept, and Robert and Bob met")
    memory.add("of Bob we heard nothing more")
    assert memory.entities.unmerge("Bob").mention_count == 3
    assert memory.entities.get("Robert").entity.mention_count == 2


def test_of_several_merges_each_is_taken_back_by_itself_and_the_inner_ones_last(memory):
    memory.add("we met Robert in Rome with Bob and Rob and Bert")
    before = memory.entities.list()
    rob, bob = memory.entities.get("Rob").entity, memory.entities.get("Bob").entity
    memory.entities.merge("Bob", "Rob")
    memory.entities.merge("Robert", "Bob")
    memory.entities.merge("Robert", "Bert")
    with pytest.raises(NotFound):
        memory.entities.unmerge(rob.id)
    assert memory.entities.unmerge("Bob").names == ("Bob", "Rob")
    assert memory.entities.get(rob.id).entity.id == bob.id
    assert memory.entities.unmerge("Rob") == rob
    memory.entities.unmerge("Bert")
    assert memory.entities.list() == before


def test_a_change_concerns_the_scope_that_is_named(memory):
    memory.add("we met Robert in Rome")
    memory.add("we met Bob in Oslo", scope="user:ana")
    with pytest.raises(NotFound, match="belongs to 'global'"):
        memory.entities.alias("Robert", "Rob", scope="user:ana")
    with pytest.raises(NotFound, match="no entity 'Bob'"):
        memory.entities.merge("Robert", "Bob")
    with pytest.raises(InvalidScope, match="one scope"):
        memory.entities.alias("Robert", "Rob", scope=ALL)
    robert, bob = memory.entities.get("Robert").entity, memory.entities.get("Bob", scope="user:ana").entity
    with pytest.raises(InvalidInput, match="different scopes"):
        memory.entities.merge(robert.id, bob.id)
    assert memory.entities.alias(bob.id, "Bobby").aliases == ("Bobby",)


def test_names_are_changed_and_types_said(memory):
    memory.add("we met Robert and Alice in Rome")
    assert memory.entities.rename("Robert", "Bob").aliases == ("Robert",)
    with pytest.raises(Conflict, match="merge them"):
        memory.entities.alias("Bob", "Alice")
    rome = memory.entities.retype("Rome", "place")
    assert (rome.type, rome.settled) == (EntityType.PLACE, True)
    for wrong in ("", "two\nlines", "x" * 300):
        with pytest.raises(InvalidInput):
            memory.entities.alias("Bob", wrong)
    with pytest.raises(InvalidInput, match="no type"):
        memory.entities.retype("Bob", "robot")


def test_changes_are_in_the_audit_log_without_a_name(memory):
    memory.add("we met Robert and Alice in Rome")
    memory.entities.alias("Robert", "Bobbington")
    memory.entities.rename("Alice", "Alicia")
    memory.entities.retype("Rome", "place")
    memory.entities.merge("Alicia", "Rome")
    memory.entities.unmerge("Rome")
    events = memory.audit.events(limit=5)
    assert [event.action for event in events] == [
        "entity:unmerge",
        "entity:merge",
        "entity:retype",
        "entity:rename",
        "entity:alias",
    ]
    assert not [word for word in ("Bobbington", "Alicia", "Rome") if word in repr(events)]
    assert memory.audit.verify() == []


def test_what_somebody_said_about_entities_goes_along_with_an_export(memory, open_memory, tmp_path):
    memory.add("we met Robert in Rome")
    memory.add("we met Bob and Lev in Rome")
    memory.entities.merge("Robert", "Bob")
    memory.entities.retype("Rome", "place")
    records = list(memory.export())
    assert [record["name"] for record in records if record["kind"] == "entity"] == ["Robert", "Rome", "Lev"]
    copy = open_memory(tmp_path / "copy.db")
    assert all(verdict.stored for verdict in copy.load(records).verdicts)

    def told(entities):
        return [(e.name, e.aliases, e.type, e.settled, e.mention_count) for e in entities]

    assert told(copy.entities.list()) == told(memory.entities.list())
    assert all(verdict.stored for verdict in copy.load(records).verdicts)
    assert told(copy.entities.list()) == told(memory.entities.list())
    assert copy.doctor().healthy


@pytest.mark.parametrize(
    "change",
    [
        {"name": KEY},
        {"aliases": [KEY]},
        {"aliases": "x\ny"},
        {"type": "robot"},
        {"scope": "nowhere at all"},
        {"name": "Nobody", "aliases": []},
    ],
)
def test_a_record_of_an_entity_that_cannot_be_used_is_rejected(memory, change):
    memory.add("we met Robert in Rome")
    record = {"kind": "entity", "scope": "global", "name": "Robert", "type": "person", "aliases": ["Bob"]}
    (verdict,) = memory.load([record | change]).verdicts
    assert not verdict.stored
    assert memory.entities.get("Robert").entity.aliases == ()


def test_a_link_of_an_export_that_claims_a_mention_is_rejected(memory):
    one, two = memory.add(["one thing", "another thing"]).item_ids
    (verdict,) = memory.load([{"kind": "link", "src": one, "dst": two, "rel": "mentions"}]).verdicts
    assert not verdict.stored


def test_entities_are_read_by_two_memories_of_one_file(open_memory):
    one, other = open_memory(), open_memory(settings=Settings(), embedder=FakeEmbedder(8))
    one.add("we met Robert in Rome")
    other.add("we met Robert in Oslo")
    one.entities.alias("Robert", "Bob")
    other.add("we met Bob in Oslo, again")
    assert one.entities.get("Robert").entity.mention_count == 3


@pytest.mark.parametrize("limit", [0, -1, 2.5, True, "5", None, 10**30])
def test_a_limit_that_is_none_is_an_error_that_says_what_one_is(dinner, limit):
    for ask in (
        lambda: dinner.entities.list(scope=APOLLO, limit=limit),
        lambda: dinner.entities.get("Petra", scope=APOLLO, limit=limit),
        lambda: dinner.entities.alike(scope=APOLLO, limit=limit),
    ):
        with pytest.raises(InvalidInput, match="limit must be a whole number from 1"):
            ask()


@pytest.mark.parametrize("name", ["", " ", "a\0b", "\ud800", 5, None])
def test_a_name_that_is_no_text_is_an_error_that_says_so(dinner, name):
    entities = dinner.entities
    for ask in (
        lambda: entities.get(name, scope=APOLLO),
        lambda: entities.merge("Petra", name, scope=APOLLO),
        lambda: entities.merge(name, "Petra", scope=APOLLO),
        lambda: entities.alias(name, "Pepa", scope=APOLLO),
        lambda: entities.alias("Petra", name, scope=APOLLO),
        lambda: entities.rename(name, "Pepa", scope=APOLLO),
        lambda: entities.retype(name, "person", scope=APOLLO),
        lambda: entities.retype("Petra", name, scope=APOLLO),
    ):
        with pytest.raises(InvalidText):
            ask()
    for fields in ({"prefix": name}, {"type": name}):
        if name is not None:
            with pytest.raises(InvalidText):
                entities.list(scope=APOLLO, **fields)
