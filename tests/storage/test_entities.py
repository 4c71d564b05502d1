"""The registry of entities in the file: damage, other processes, bytes that a purge leaves, and the past."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides.domain.entity import Name
from simonides.domain.ids import new_id
from simonides.domain.link import Relation
from simonides.domain.selection import Selection
from simonides.domain.verdict import Outcome
from simonides.errors import NotFound
from simonides.ports.entities import EntitySelection
from simonides.ports.store import NewItem
from simonides.testing import an_item

EVERYTHING = Selection(scopes=None, live_at=None)
NAMES = ["Plantagenet", "Quixote", "Zweigelt", "Wojtyla", "Xanadu", "Ybarra", "Vercingetorix", "Uzbek"]


def put(store, content, *names):
    item = an_item(content)
    new = NewItem(item, Outcome.ACCEPTED, names=tuple(Name(name) for name in names))
    store.write(lambda tx: tx.insert([new], None))
    return item


def counts(store):
    with store.read() as reader:
        return {
            entity.name: entity.mention_count for entity in reader.entities(EntitySelection(), 100).values()
        }


def key_of(store, name):
    with store.read() as reader:
        ((_, key, _),) = reader.entities_named([name.casefold()], None)
    return key


def on_disk(path, words):
    data = b"".join(file.read_bytes() for file in path.parent.iterdir())
    return [word for word in words if word.encode() in data]


def test_two_processes_agree_on_who_is_who(open_store):
    """Names that one remembers do not outlive what the other merged or purged."""
    one, other = open_store(), open_store()
    put(one, "one", "Robert", "Bob")
    put(other, "two", "Robert", "Bob")
    one.write(lambda tx: tx.merge_entities(key_of(one, "Robert"), key_of(one, "Bob")))
    put(other, "three", "Bob")
    assert counts(one) == {"Robert": 3}
    gone = put(one, "four", "Gwil")
    put(other, "five", "Robert")
    one.purge([gone.id], 1)
    put(one, "six", "Agathe")
    put(other, "seven", "Gwil")
    assert counts(other) == {"Robert": 4, "Agathe": 1, "Gwil": 1}
    assert list(one.check()) == []


def test_names_of_many_items_in_one_piece_are_counted_once_an_item(open_store):
    store = open_store()
    news = [
        NewItem(
            an_item(f"item {n}"), Outcome.ACCEPTED, names=(Name("Ana"), Name("ANA"), Name(f"Name {n % 7}"))
        )
        for n in range(100)
    ]
    store.write(lambda tx: tx.insert(news, None))
    found = counts(store)
    assert found["Ana"] == 100
    assert sum(found.values()) == 200
    assert list(store.check()) == []


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("UPDATE memory_entities SET mention_count = 7", "miscount"),
        ("DELETE FROM memory_entity_names", "looked up"),
        ("DELETE FROM memory_entities", "does not exist"),
        ("DELETE FROM memory_links", "miscount"),
        (
            "INSERT INTO memory_links (src, dst, rel, created_at) VALUES (1, 99, 'mentions', 0)",
            "do not exist",
        ),
    ],
)
def test_damage_of_the_registry_is_found_and_mended(open_memory, raw, damage, said):
    memory = open_memory()
    memory.add("we met Petra in Rome")
    raw().execute(damage)
    report = memory.doctor()
    assert [
        problem
        for problem in report.problems
        if said in problem.message or "does not exist" in problem.message
    ]
    memory.backfill(again=True)
    assert memory.doctor().healthy
    assert {entity.name: entity.mention_count for entity in memory.entities.list()} == {"Petra": 1, "Rome": 1}


def test_no_byte_of_a_purged_name_is_left(open_memory, path):
    memory = open_memory()
    ids = {}
    for number, name in enumerate(NAMES):
        (verdict,) = memory.add(f"we met {name} in Rome, number {number}", entities=[f"{name} the Elder"])
        ids[name] = verdict.item_id
        if number % 2:
            memory.update(verdict.item_id, content=f"nobody special came, number {number}", entities=[])
        if number % 3 == 0:
            memory.entities.alias(name if number % 2 == 0 else "Rome", f"{name}ius")
    memory.entities.merge("Rome", NAMES[0])
    memory.purge(*ids.values())
    assert memory.entities.list() == []
    assert on_disk(path, NAMES) == []
    assert memory.doctor().healthy


def test_names_purged_one_item_after_the_other_leave_no_byte_and_the_rest_stays(open_memory, path):
    memory = open_memory()
    ids = [
        (name, memory.add(f"we met {name} and {other} today").item_ids[0])
        for name, other in zip(NAMES, NAMES[1:] + NAMES[:1], strict=True)
    ]
    random.Random(5).shuffle(ids)
    kept = dict(ids)
    for name, item_id in ids[:-1]:
        memory.purge(item_id)
        del kept[name]
        said = {word for item_id in kept.values() for word in memory.get(item_id).content.split()}
        assert {entity.name for entity in memory.entities.list()} == said & set(NAMES)
        assert set(on_disk(path, NAMES)) == said & set(NAMES)
    assert memory.doctor().healthy


@pytest.mark.parametrize("seed", range(3))
def test_a_merge_that_is_taken_back_after_a_purge_brings_back_nothing_of_it(seed, open_memory, path):
    """Entities merged at random, items purged, merges taken back: names are there that an item says, and no others."""
    memory, drawn = open_memory(), random.Random(seed)
    ids = [
        (names, memory.add(f"we met {names[0]} and {names[1]} today").item_ids[0])
        for names in (drawn.sample(NAMES, 2) for _ in range(10))
    ]
    for name in drawn.sample([one.name for one in memory.entities.list()], 2):
        key = key_of(memory._parts.store, name)
        told = memory.entities.get(name).entity
        memory._parts.store.write(
            lambda tx, key=key, told=told: tx.put_entity(key, replace(told, summary=f"{told.name} is met."))
        )
    for _ in range(4):
        keep, gone = drawn.sample([one.name for one in memory.entities.list()], 2)
        memory.entities.merge(keep, gone)
    drawn.shuffle(ids)
    memory.purge(*(item_id for _, item_id in ids[:4]))
    taken_back = 0
    while merged := [one for known in memory.entities.list() for one in memory.entities.get(known.id).merged]:
        memory.entities.unmerge(drawn.choice(merged).id)
        taken_back += 1
    assert taken_back
    said = [name for names, _ in ids[4:] for name in names]
    found = memory.entities.list()
    # Those of which one has no name left stay one.
    assert sorted(name for entity in found for name in entity.names) == sorted(set(said))
    assert all(entity.mention_count == said.count(entity.name) for entity in found if not entity.aliases)
    assert set(on_disk(path, NAMES)) == set(said)
    assert memory.doctor().healthy


@pytest.mark.parametrize(
    "attributes",
    [
        {"into": "Quixote"},
        {
            "into": 1,
            "names": [],
            "attributes": {},
            "mentions": [],
            "others": [],
            "merged": [],
            **{side: ["concept", False, None, None] for side in ("gone", "kept")},
            "changes": [["Quixote", 1]],
        },
    ],
)
def test_attributes_that_look_like_a_record_of_a_merge_are_purged_as_any(attributes, open_memory, path):
    memory = open_memory()
    (first,) = memory.add("we met Quixote with Ybarra")
    memory.add("we met Ybarra again")
    told = {
        "kind": "entity",
        "format": 2,
        "id": new_id(1),
        "name": "Zweigelt",
        "type": "person",
        "scope": "global",
        "settled": True,
        "aliases": ["Zwei"],
        "summary": None,
        "first_seen_at": "2026-01-01T00:00:00Z",
        "last_seen_at": None,
        "attributes": attributes,
        "merged": [],
    }
    (verdict,) = memory.load([told], trusted=True).verdicts
    assert verdict.outcome is Outcome.ACCEPTED, verdict
    assert memory.entities.get("Zweigelt").merged == ()
    memory.purge(first.item_id)
    assert on_disk(path, ["Quixote"]) == []


def test_a_name_that_lives_on_keeps_a_spelling_that_is_left(open_memory, path):
    memory = open_memory()
    (first,) = memory.add("we met PLANTAGENET there")
    memory.add("we met Plantagenet again")
    assert [entity.name for entity in memory.entities.list()] == ["PLANTAGENET"]
    memory.purge(first.item_id)
    assert [entity.name for entity in memory.entities.list()] == ["Plantagenet"]
    assert on_disk(path, ["PLANTAGENET"]) == []


def test_an_entity_that_was_merged_goes_with_the_one_that_it_became(open_memory):
    memory = open_memory()
    (first,) = memory.add("we met Plantagenet with Quixote")
    gone = memory.entities.get("Quixote").entity
    memory.entities.merge("Plantagenet", "Quixote")
    assert memory.entities.get(gone.id).entity.name == "Plantagenet"
    memory.purge(first.item_id)
    with pytest.raises(NotFound):
        memory.entities.get(gone.id)


def test_the_past_knows_the_entities_of_what_was_said_then(open_memory, open_store, clock):
    memory = open_memory()
    (rome,) = memory.add("we met Petra in Rome")
    memory.add("we met Gaston", scope="user:ana")
    memory.entities.alias("Petra", "Petruschka")
    then = clock.now()
    clock.advance(days=1)
    memory.add("we met Gaston with Petra", scope="user:ana")

    def known():
        past = open_store().as_of(then, None)
        try:
            with past.read() as reader:
                found = {
                    entity.name: entity.mention_count
                    for entity in reader.entities(EntitySelection(), 10).values()
                }
                named = reader.entities_named(["petruschka"], None)
                return found, [
                    reader.keys(replace(EVERYTHING, mentioned=(key,)), limit=10) for _, key, _ in named
                ]
        finally:
            past.close()

    assert known() == ({"Gaston": 1, "Petra": 1, "Rome": 1}, [[1]])
    memory.update(rome.item_id, content="we met Lev in Oslo")
    assert known()[0] == {"Gaston": 1, "Petra": 1, "Rome": 1}


def test_a_link_to_an_entity_is_none_between_items(open_store):
    """An item and an entity may have the same key."""
    store = open_store()
    put(store, "one", "Ana")
    put(store, "two", "Ana")
    with store.read() as reader:
        assert reader.mentioned_by([1, 2]) == [(1, 1), (2, 1)]
        assert reader.links_from_keys([1, 2], Relation) == []
        assert reader.links([item.id for item in reader.load([1, 2]).values()]) == []


LINKS = st.dictionaries(
    st.tuples(st.integers(1, 5), st.integers(1, 5), st.sampled_from(["causal", "references", "mentions"])),
    st.sampled_from([0.5, 1.0, 2.0]),
    max_size=25,
)


@pytest.mark.parametrize("count", [5, 2_500])
def test_the_surroundings_of_what_many_items_refer_to_hold_each_link_once(open_store, raw, count):
    store = open_store()
    rows = [(1, dst, "supports") for dst in range(2, count)] + [(dst, 1, "causal") for dst in range(2, count)]
    raw().executemany(
        "INSERT INTO memory_links (src, dst, rel, weight, created_at) VALUES (?, ?, ?, 1.0, 0)", rows
    )
    with store.read() as reader:
        found, ends, turns = reader.surroundings([1, 2], frozenset(Relation), (), 1, EVERYTHING)
    assert [(one.src, one.dst, one.rel.value) for one in found] == sorted(rows)
    assert not ends
    assert not turns
    store.close()


@settings(max_examples=40)
@given(LINKS, st.lists(st.integers(1, 5), min_size=1, max_size=4), st.integers(1, 8))
def test_the_strongest_links_of_items_come_each_once(open_store, raw, links, keys, limit):
    store = open_store()
    file = raw()
    file.execute("DELETE FROM memory_links")
    rows = [(src, dst, rel, weight) for (src, dst, rel), weight in links.items()]
    file.executemany(
        "INSERT INTO memory_links (src, dst, rel, weight, created_at) VALUES (?, ?, ?, ?, 0)", rows
    )
    wanted = [row for row in rows if row[2] != "mentions" and {row[0], row[1]} & set(keys)]
    wanted.sort(key=lambda row: (-row[3], *row[:3]))
    with store.read() as reader:
        found = reader.links_from_keys(keys, Relation, limit)
        assert [(one.src, one.dst, one.rel.value, one.weight) for one in found] == sorted(wanted[:limit])
        found, _, _ = reader.surroundings(keys, frozenset(Relation), (), 1, EVERYTHING)
        assert [(one.src, one.dst, one.rel.value, one.weight) for one in found] == sorted(wanted)
    store.close()
