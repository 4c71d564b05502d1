"""Inputs of `add`, and its answers."""

import json

import pytest

from simonides import AddResult
from simonides.domain.item import Item
from simonides.domain.provenance import Origin, Provenance, SourceKind, Trust
from simonides.domain.scope import ALL
from simonides.domain.verdict import Outcome
from simonides.errors import InvalidInput, InvalidScope, InvalidText
from simonides.testing import an_item


def outcomes(result):
    return [verdict.outcome.value for verdict in result]


def stored(memory):
    return sorted(item.content for item in memory.list(scope=ALL, limit=1000))


def test_a_text_becomes_a_note_that_the_user_said(memory, clock):
    (verdict,) = memory.add("the kettle is blue")
    assert (verdict.outcome, verdict.reasons) == ("accepted", ())
    item = memory.get(verdict.item_id)
    assert (item.content, item.type, item.scope, item.tier) == ("the kettle is blue", "note", "global", "stm")
    assert (item.origin, item.trust) == (Origin.USER_SAID, Trust.HIGH)
    assert (item.provenance.source_kind, item.provenance.source_id) == (SourceKind.CHAT, "api")
    assert (item.confidence, item.importance, item.decay_rate) == (1.0, 0.4, 0.1)
    assert item.created_at == item.updated_at == clock.now()
    assert item.injectable
    assert not item.pinned


def test_every_field_reaches_the_item(memory):
    (verdict,) = memory.add(
        "we ship on Fridays",
        type="decision",
        title="  Releases\nof Apollo ",
        tags=["release", " Release ", "срок"],
        entities=["Ana"],
        tier="MTM",
        confidence=0.75,
        importance=1,
        pinned=False,
        injectable=False,
        decay_rate=0.5,
        event_at="2026-01-02",
        valid_from="2026-01-01T00:00:00+01:00",
        valid_until="2026-12-31",
        expires_at="2027-01-01",
        session_id="s1",
        task_id="t1",
        narrative_id="n1",
        corpus_id="c1",
        rule_id="r1",
        provenance={"source_kind": "doc", "source_id": "plan.md", "content_hashes": ["ab"], "span": [3, 9]},
        metadata={"deep": [1, {"a": None}]},
        scope="project:apollo",
        user_id="ana",
    )
    item = memory.get(verdict.item_id)
    found = item.to_dict()
    assert item.title == "Releases of Apollo"
    assert item.tags == ("release", "срок")
    assert item.provenance == Provenance(SourceKind.DOC, "plan.md", content_hashes=("ab",), span=(3, 9))
    assert item.metadata == {"deep": [1, {"a": None}]}
    expected = {
        "type": "decision",
        "scope": "user:ana/project:apollo",
        "tier": "mtm",
        "confidence": 0.75,
        "importance": 1.0,
        "injectable": False,
        "decay_rate": 0.5,
        "event_at": "2026-01-02T00:00:00Z",
        "valid_from": "2025-12-31T23:00:00Z",
        "valid_until": "2026-12-31T00:00:00Z",
        "expires_at": "2027-01-01T00:00:00Z",
        "session_id": "s1",
        "task_id": "t1",
        "narrative_id": "n1",
        "corpus_id": "c1",
        "rule_id": "r1",
        "entities": ["Ana"],
    }
    assert {name: found[name] for name in expected} == expected


def test_a_mapping_says_more_than_the_keywords_and_they_more_than_nothing(memory):
    result = memory.add(
        [{"content": "one kettle", "type": "fact", "scope": "user:ana"}, "two kettles"],
        type="todo",
        scope="user:bo",
        tags=["kitchen"],
    )
    first, second = (memory.get(verdict.item_id) for verdict in result)
    assert (first.type, first.scope, first.tags) == ("fact", "user:ana", ("kitchen",))
    assert (second.type, second.scope, second.tags) == ("todo", "user:bo", ("kitchen",))


def test_a_list_of_texts_mappings_and_items_is_answered_in_order(memory):
    result = memory.add(["one kettle", {"content": "two kettles"}, an_item("three kettles")])
    assert outcomes(result) == ["accepted"] * 3
    assert [memory.get(item_id).content for item_id in result.item_ids] == [
        "one kettle",
        "two kettles",
        "three kettles",
    ]
    assert len(result) == result.count(Outcome.ACCEPTED) == 3
    assert result.session_id is None


def test_an_empty_list_is_answered_with_nothing(memory):
    assert memory.add([]) == AddResult(())


def test_an_item_is_taken_in_as_a_new_one_of_the_user(memory, clock):
    given = an_item(
        "the kettle is blue",
        scope="user:ana",
        title="Kettle",
        tags=("kitchen",),
        type="definition",
        confidence=0.7,
        validation="verified",
        status="archived",
        origin=Origin.SYSTEM,
        trust=Trust.LOW,
        superseded_by="somebody",
        event_at=1_700_000_000_000_000,
    )
    (verdict,) = memory.add(given)
    item = memory.get(verdict.item_id)
    assert item.id != given.id
    assert item.created_at == clock.now()
    assert (item.status, item.superseded_by) == ("active", None)
    assert (item.origin, item.trust) == (Origin.USER_SAID, Trust.HIGH)
    kept = ("content", "title", "tags", "type", "confidence", "validation", "scope", "event_at")
    assert all(getattr(item, name) == getattr(given, name) for name in kept)


class NoJson:
    """A value that no JSON can hold, whose name is the same in every process."""

    def __repr__(self):
        return "NoJson()"


NO_JSON = NoJson()
BAD_ITEMS = [
    {"content": "nul \0 in it"},
    {"content": "half a pair \ud800"},
    {"content": "  "},
    {"content": 5},
    {"title": "half a pair \ud800"},
    {"metadata": {"x": float("nan")}},
    {"metadata": {"x": NO_JSON}},
    {"decay_rate": float("inf")},
    {"event_at": 10**30},
    {"event_at": "2026-01-01"},
    {"type": "episode"},
    {"tags": ("",) * 65},
]


@pytest.mark.parametrize("fields", BAD_ITEMS, ids=repr)
def test_an_item_that_cannot_be_stored_is_refused_alone_and_costs_others_nothing(memory, fields):
    values = {"content": "the kettle is blue"} | fields
    try:
        bad = an_item(**values)
    except InvalidInput:
        return
    with pytest.raises(InvalidInput):
        memory.add(bad)
    assert outcomes(memory.add(["one kettle", bad, "two kettles"])) == ["accepted", "rejected", "accepted"]
    assert stored(memory) == ["one kettle", "two kettles"]
    assert memory.doctor().healthy


BAD = [
    ({"content": None}, "string"),
    ({"content": ""}, "empty"),
    ({"content": " \n "}, "empty"),
    ({"content": 5}, "string"),
    ({"content": "a\0b"}, "NUL"),
    ({"content": "a\udfff"}, "surrogate"),
    ({}, "string"),
    ({"content": "x y", "wings": 2}, "wings"),
    ({"content": "x y", "type": "episode"}, "engine's own"),
    ({"content": "x y", "type": "chunk"}, "engine's own"),
    ({"content": "x y", "type": "t" * 300}, "type"),
    ({"content": "x y", "scope": "planet"}, "not a scope"),
    ({"content": "x y", "scope": "user:"}, "not a scope"),
    ({"content": "x y", "scope": "user:a/user:b"}, "twice"),
    ({"content": "x y", "scope": 5}, "scope"),
    ({"content": "x y", "scope": ""}, "not a scope"),
    ({"content": "x y", "confidence": float("nan")}, "confidence"),
    ({"content": "x y", "confidence": float("inf")}, "confidence"),
    ({"content": "x y", "confidence": 1.01}, "confidence"),
    ({"content": "x y", "confidence": -0.1}, "confidence"),
    ({"content": "x y", "confidence": "high"}, "confidence"),
    ({"content": "x y", "confidence": True}, "confidence"),
    ({"content": "x y", "confidence": 10**400}, "confidence"),
    ({"content": "x y", "importance": 2}, "importance"),
    ({"content": "x y", "decay_rate": float("inf")}, "decay_rate"),
    ({"content": "x y", "metadata": {"a": float("nan")}}, "JSON"),
    ({"content": "x y", "metadata": {"a": float("inf")}}, "JSON"),
    ({"content": "x y", "metadata": {"a": {1, 2}}}, "JSON"),
    ({"content": "x y", "metadata": {"a": "\ud800"}}, "surrogate"),
    ({"content": "x y", "metadata": [1]}, "metadata"),
    ({"content": "x y", "tags": "kitchen"}, "tags"),
    ({"content": "x y", "tags": [None]}, "tags"),
    ({"content": "x y", "tags": ["two\nlines"]}, "tags"),
    ({"content": "x y", "tags": [f"t{n}" for n in range(65)]}, "65 words"),
    ({"content": "x y", "entities": {"a": 1}}, "entities"),
    ({"content": "x y", "title": "a\0b"}, "title"),
    ({"content": "x y", "tier": "longest"}, "tier"),
    ({"content": "x y", "pinned": "yes"}, "pinned"),
    ({"content": "x y", "event_at": "yesterday"}, "event_at"),
    ({"content": "x y", "valid_from": "2026-02-01", "valid_until": "2026-01-01"}, "valid_until"),
    ({"content": "x y", "provenance": "chat"}, "provenance"),
    ({"content": "x y", "provenance": {"page": 3}}, "page"),
    ({"content": "x y", "provenance": {"source_kind": "dream"}}, "source_kind"),
    ({"content": "x y", "provenance": {"span": "x"}}, "span"),
    ({"content": "x y", "provenance": {"span": [3]}}, "span"),
    ({"content": "x y", "provenance": {"span": [9, 3]}}, "span"),
]


def label(value):
    return repr(value)[:50] if isinstance(value, dict) else None


@pytest.mark.parametrize(("bad", "said"), BAD, ids=label)
def test_what_cannot_be_stored_raises_alone_and_is_rejected_in_a_list(memory, bad, said):
    with pytest.raises(InvalidInput, match=said):
        memory.add(bad)
    result = memory.add(["one kettle", bad, "two kettles"])
    assert outcomes(result) == ["accepted", "rejected", "accepted"]
    assert said in result.verdicts[1].reasons[0]
    assert result.verdicts[1].item_id is None
    assert stored(memory) == ["one kettle", "two kettles"]


@pytest.mark.parametrize("value", [5, None, 2.5, b"bytes", bytearray(b"bytes"), NO_JSON], ids=repr)
def test_what_is_no_text_mapping_item_or_list_raises(memory, value):
    with pytest.raises(InvalidInput, match="a text, a mapping"):
        memory.add(value)


def test_a_list_of_nonsense_is_answered_member_by_member(memory):
    result = memory.add([1, None, b"bytes", ["a"], "one kettle"])
    assert outcomes(result) == ["rejected"] * 4 + ["accepted"]


def test_errors_have_types_of_their_own(memory):
    with pytest.raises(InvalidText):
        memory.add("a\0b")
    with pytest.raises(InvalidScope):
        memory.add("one kettle", scope="planet")
    with pytest.raises(InvalidScope):
        memory.add("one kettle", scope=ALL)
    assert stored(memory) == []


@pytest.mark.parametrize("field", ["text", "memory", "value", "Content"])
def test_a_text_in_an_unknown_field_is_told_by_the_name_of_the_field(memory, field):
    with pytest.raises(InvalidInput, match=f"unknown field '{field}'; an item takes content, "):
        memory.add({field: "the kettle is blue"})
    (verdict,) = memory.add([{field: "the kettle is blue"}])
    assert f"unknown field '{field}'" in verdict.reasons[0]


def test_an_unknown_type_becomes_a_note_and_that_is_said(memory):
    (verdict,) = memory.add("the kettle is blue", type="gossip")
    assert verdict.outcome == "accepted"
    assert verdict.reasons == ("unknown type 'gossip' is stored as 'note'",)
    assert memory.get(verdict.item_id).type == "note"


def test_an_item_of_an_unknown_type_becomes_a_note_too(memory):
    (verdict,) = memory.add(an_item("the kettle is blue", type="gossip"))
    assert verdict.reasons == ("unknown type 'gossip' is stored as 'note'",)
    assert memory.get(verdict.item_id).type == "note"


def test_another_name_of_a_type_is_understood_and_said(memory):
    (verdict,) = memory.add("tea comes first", type="Rule")
    assert verdict.reasons == ("type 'Rule' is stored as 'constraint'",)
    assert memory.get(verdict.item_id).type == "constraint"


@pytest.mark.parametrize(
    ("named", "scope"),
    [
        ({"user_id": "ana"}, "user:ana"),
        ({"agent_id": "bot"}, "agent:bot"),
        ({"project": "apollo"}, "project:apollo"),
        ({"user_id": "ana", "agent_id": "bot", "project": "apollo"}, "user:ana/project:apollo/agent:bot"),
        ({"scope": "project:apollo", "user_id": "ana"}, "user:ana/project:apollo"),
        ({"scope": "channel:x/user:ana"}, "user:ana/channel:x"),
        ({"user_id": None}, "global"),
    ],
    ids=repr,
)
def test_parts_by_name_and_a_scope_say_the_place_together(memory, named, scope):
    (verdict,) = memory.add("the kettle is blue", **named)
    assert memory.get(verdict.item_id).scope == scope
    assert [hit.item.id for hit in memory.search("kettle", **named)] == [verdict.item_id]
    assert [item.id for item in memory.list(**named)] == [verdict.item_id]


@pytest.mark.parametrize("value", ["", " ", "a/b", "a/user:b", "\ud800", 5, ["a"]], ids=repr)
def test_a_part_that_cannot_be_one_is_refused(memory, value):
    for call in (memory.add, memory.search, memory.context):
        with pytest.raises(InvalidScope):
            call("the kettle is blue", user_id=value)
    assert stored(memory) == []


def test_a_run_id_is_a_session_id(memory):
    (verdict,) = memory.add("the kettle is blue", run_id="r1")
    assert memory.get(verdict.item_id).session_id == "r1"
    assert len(memory.search("kettle", run_id="r1")) == 1
    assert len(memory.search("kettle", session_id="r1")) == 1
    assert len(memory.search("kettle", run_id="r2")) == 0


def test_a_long_note_is_kept_whole(memory):
    note = "The choir met on Tuesday. " * 3_900 + "The lighthouse of Uist has 217 steps."
    [verdict] = memory.add(note)
    assert verdict.outcome == "accepted"
    assert memory.get(verdict.item_id).content == note


def test_a_proposal_that_is_over_long_is_refused_with_advice(memory):
    (verdict,) = memory.propose(
        [{"content": "kettle " * 429, "type": "fact", "why_store": "asked for", "source": "m1"}]
    )
    assert verdict.outcome == "rejected"
    assert "3003 characters" in verdict.reasons[0]
    assert "store a pointer" in verdict.reasons[0]


def test_a_text_of_ten_mebibytes_has_a_defined_answer(memory):
    (verdict,) = memory.add("kettle word " * 873_814)
    assert verdict.outcome == "rejected"
    assert "too long: 10485768 characters" in verdict.reasons[0]
    assert outcomes(memory.add("kettle " * 10_000, type="pointer")) == ["accepted"]
    assert memory.doctor().healthy


def test_a_word_of_a_million_characters_has_a_defined_answer(memory):
    word = "k" * 1_000_000
    (verdict,) = memory.add(word)
    assert verdict.outcome == "accepted"
    assert memory.get(verdict.item_id).content == word
    assert memory.search(word).hits is not None


def test_long_term_tiers_need_a_source(memory):
    (by_the_user,) = memory.add("the kettle is blue", tier="ltm")
    assert by_the_user.outcome == "accepted"
    assert memory.get(by_the_user.item_id).decay_rate == 0
    for tier in ("mtm", "ltm"):
        (without,) = memory.add(f"the {tier} kettle", tier=tier, provenance=Provenance())
        assert without.outcome == "rejected"
        assert without.reasons[0] == f"no source: an item in {tier} needs provenance.source_id"
        (named,) = memory.add(f"the {tier} kettle", tier=tier, provenance=Provenance(source_id="plan.md"))
        assert named.outcome == "accepted"
    (short,) = memory.add("the stm kettle", provenance=Provenance())
    assert short.outcome == "accepted"


def test_the_same_again_is_merged_and_adds_what_is_new(memory, clock):
    (first,) = memory.add("the kettle  is blue", type="fact", tags=["kitchen"])
    clock.advance(hours=1)
    (again,) = memory.add("the kettle is blue", type="fact", tags=["Kitchen", "tea"], entities=["Ana"])
    assert (again.outcome, again.item_id) == ("merged", first.item_id)
    assert "known already" in again.reasons[0]
    item = memory.get(first.item_id)
    assert (item.tags, item.entities) == (("kitchen", "tea"), ("Ana",))
    assert item.content == "the kettle  is blue"
    assert [revision.reason for revision in memory.history(first.item_id)] == ["create", "merge"]
    assert outcomes(memory.add("the kettle is blue", type="fact")) == ["merged"]
    assert len(memory.history(first.item_id)) == 2
    assert [event.action for event in memory.audit.events(item_id=first.item_id)] == [
        "merge",
        "merge",
        "create",
    ]


def test_the_same_in_one_list_is_merged_with_its_first(memory):
    result = memory.add(["one kettle", "two kettles", "one kettle"])
    assert outcomes(result) == ["accepted", "accepted", "merged"]
    assert result.item_ids[0] == result.item_ids[2]


def test_the_same_words_in_another_scope_or_as_another_type_are_another_item(memory):
    memory.add("the kettle is blue", type="fact")
    assert outcomes(memory.add("the kettle is blue", type="note")) == ["accepted"]
    assert outcomes(memory.add("the kettle is blue", type="fact", scope="user:ana")) == ["accepted"]


def test_a_long_list_is_stored_whole_with_progress(memory):
    seen = []
    result = memory.add([f"kettle number {n}" for n in range(1100)], progress=seen.append)
    assert outcomes(result) == ["accepted"] * 1100
    assert seen == sorted(seen)
    assert seen[-1] == 1100
    assert len(seen) > 1
    assert memory.stats()["items"] == 1100


def test_answers_are_json(memory):
    results = [
        memory.add(["one kettle", {"content": ""}]),
        memory.add([{"role": "user", "content": "hello there Ana"}]),
        memory.propose([{"content": "a kettle"}]),
        memory.search("kettle"),
        memory.context("kettle"),
        memory.list()[0],
        memory.explain(memory.list()[0].id),
        memory.history(memory.list()[0].id)[0],
        memory.weak(below=2.0)[0],
        memory.sessions.list()[0],
        memory.review.list()[0],
        memory.audit.events()[0],
        memory.correct("kettle nowhere", "nothing"),
        memory.doctor(),
        memory.load([{}]),
        memory.palace.where(memory.list()[0].id),
    ]
    for result in results:
        told = json.loads(json.dumps(result.to_dict(), allow_nan=False))
        assert isinstance(told, dict)
    json.dumps(dict(memory.stats()), allow_nan=False)


def test_an_item_tells_every_field_in_json(memory, add):
    told = memory.get(add("the kettle is blue")).to_dict()
    named = {field for field in Item.__dataclass_fields__ if field != "usage"}
    assert named <= set(told)


def test_an_item_is_not_made_a_note_by_a_mistyped_change_of_its_type(memory):
    (verdict,) = memory.add("the kettle is blue", type="decision")
    with pytest.raises(InvalidInput, match="did you mean 'decision'"):
        memory.update(verdict.item_id, type="decsion")
    assert memory.get(verdict.item_id).type == "decision"


@pytest.mark.parametrize("ask", ["search", "context"])
def test_of_a_question_of_megabytes_the_beginning_and_the_end_count(memory, ask):
    memory.add(["The kettle is blue.", "The ferry leaves at nine."])
    long = f"Which kettle? {'It rained again, and nobody came. ' * 100_000} When does the ferry leave?"
    found = getattr(memory, ask)(long)
    assert {hit.item.content for hit in found} if ask == "search" else found.text
    for injection in memory.injections():
        assert injection.query.startswith("Which kettle?")
        assert injection.query.endswith("When does the ferry leave?")
        assert len(injection.query) <= 100_000
    assert len(memory.injections()) == (ask == "context")
