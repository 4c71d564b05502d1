"""Personal data beside the content of what comes in: judged as in it, and never where only a program names things."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides import ALL, Memory, Scope
from simonides.domain.actor import IMPORT
from simonides.domain.provenance import Origin, Provenance
from simonides.errors import NeedsApproval
from simonides.governance.policy import Candidate, Policy
from simonides.testing import an_item

POLICY = Policy()
NOW = 1_772_366_400_000_000
KINDS = {
    "e-mail address": ["kim.berg@example.org", "write to Kim@Berg-Example.com"],
    "phone number": ["+43 660 5551234", "call 0660 5551234", "(555) 123-4567"],
    "card number": ["4111 1111 1111 1111", "4539148803436467"],
    "IBAN": ["DE89370400440532013000", "DE89 3704 0044 0532 0130 00"],
    "national number": ["512-45-9081", "passport no. C01X00T47"],
}
EXAMPLES = [(kind, text) for kind, texts in KINDS.items() for text in texts]
PLACES = {
    "title": lambda text: {"title": text},
    "tag": lambda text: {"tags": ("kitchen", text)},
    "entity": lambda text: {"entities": (text,)},
    "value of the metadata": lambda text: {"metadata": {"a": [{"b": text}]}},
    "name in the metadata": lambda text: {"metadata": {text: 1}},
    "source": lambda text: {"provenance": Provenance(source_id=text)},
}


def judged(fields, *, origin=Origin.USER_SAID, **about):
    return POLICY.judge(Candidate(an_item("The kettle is blue.", origin=origin, **fields), **about), NOW)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("kind", "text"), EXAMPLES)
def test_personal_data_beside_a_proposal_waits_and_is_tagged_where_the_user_says_it(kind, text, place):
    fields = PLACES[place](text)
    scope = {"scope": Scope.of(user="ana")}
    proposed = judged(fields | scope, origin=Origin.ASSISTANT_SAID, proposed=True, why_store="x")
    assert f"personal: {kind}" in proposed.reasons
    said = judged(fields)
    assert said.outcome.value == "accepted"
    assert said.item.tags == (*fields.get("tags", ()), "personal")


def test_personal_data_in_the_reason_of_a_proposal_waits():
    ruling = judged({}, origin=Origin.ASSISTANT_SAID, proposed=True, why_store="for kim.berg@example.org")
    assert "personal: e-mail address" in ruling.reasons


@given(at=st.integers(0, 3), fields=st.lists(st.sampled_from(sorted(PLACES)), min_size=1, unique=True))
@settings(deadline=None)
def test_what_program_and_engine_call_things_by_is_no_personal_data(at, fields):
    address = "kim.berg@example.org"
    name = [
        {"scope": Scope.of(user=address)}, {"session_id": address}, {"task_id": address}, {"corpus_id": address},
    ][at]  # fmt: skip
    plain = {key: value for field in fields for key, value in PLACES[field]("kettle").items()}
    for origin in (Origin.USER_SAID, Origin.ASSISTANT_SAID):
        assert judged(plain | name, origin=origin).item.tags == plain.get("tags", ())
    # The id of a mail that an import brings reads as an address.
    mail = {"provenance": Provenance(source_id="mbox:CAF12@mail.example.org")}
    imported = judged(plain | mail, origin=Origin.IMPORT, actor=IMPORT)
    assert imported.outcome.value == "accepted"


def test_a_change_of_something_else_is_not_held_back_for_what_stands_there():
    before = an_item(
        "The kettle is blue.", origin=Origin.ASSISTANT_SAID, metadata={"by": "kim.berg@example.org"}
    )
    after = replace(before, importance=0.9)
    assert POLICY.judge(Candidate(after, before=before), NOW).outcome.value == "accepted"
    added = replace(before, title="+43 660 5551234")
    assert POLICY.judge(Candidate(added, before=before), NOW).outcome.value == "quarantined"


@pytest.fixture
def memory(clock):
    with Memory(":memory:", clock=clock) as opened:
        yield opened


@pytest.mark.parametrize("put", [
    ("people", "Kim", {"reach": "+43 660 5551234"}),
    ("people", "kim.berg@example.org", {"likes": "kettles"}),
    (["people", "+43 660 5551234"], "k", {"likes": "kettles"}),
    ("people", "k", {"kim.berg@example.org": "kettles"}),
])  # fmt: skip
def test_a_record_with_personal_data_is_tagged_and_a_models_put_into_no_prompt(memory, put):
    space, key, value = put
    memory.records.put(space, key, value, scope="user:ana")
    memory.records.put(space, key, value, scope="user:ben", actor="model")
    kept = {
        str(item.scope): (item.tags, item.injectable) for item in memory.list(scope=ALL, types=["record"])
    }
    assert kept == {"user:ana": (("personal",), True), "user:ben": (("personal",), False)}


def test_a_model_words_neither_a_room_nor_evidence_with_personal_data(memory):
    one, two = (memory.add(text).item_ids[0] for text in ("Tea is hot.", "Coffee is hot."))
    for _, text in EXAMPLES:
        for place in ({"room": text}, {"room": "r", "shelf": text}, {"room": "r", "domain": text}):
            with pytest.raises(NeedsApproval, match="personal data"):
                memory.palace.assign(one, **place, actor="model")
        with pytest.raises(NeedsApproval, match="personal data"):
            memory.link(one, two, "supports", evidence=text, actor="model")
        memory.link(one, two, "supports", evidence=text)


def test_a_turn_and_a_part_of_a_document_are_tagged(memory):
    turn = {"role": "assistant", "content": "Noted.", "name": "kim.berg@example.org", "id": "a@b.example"}
    named = memory.get(memory.add([turn], session_id="s").item_ids[0])
    assert named.tags == ("personal",)
    plain = memory.get(memory.add([turn | {"name": "Kim"}], session_id="t").item_ids[0])
    assert plain.tags == ()
