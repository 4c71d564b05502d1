"""Words that were forgotten, or worded anew, come back by no model's word: in no field, in no disguise."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides import Memory
from simonides.domain.scope import Scope
from simonides.errors import NeedsApproval
from simonides.testing import FrozenClock

FORGOTTEN = "The blue ladder belongs to Thekla."
ANOTHER = "The blue ladder belongs to Henrik."
UNSEEN = st.sampled_from("\u200b\u2060\ufeff\u200d\u00ad")


#: Ways to write a whole text.
WAYS = {
    "percent": lambda text: "".join(f"%{ord(sign):02x}" for sign in text),
    "blanks": lambda text: text.replace(" ", "%20"),
    "\\u": lambda text: "".join(f"\\u{ord(sign):04x}" for sign in text),
    "\\x": lambda text: text.replace("e", "\\x65"),
    "\\n": lambda text: text.rstrip(".").replace(" ", "\\n"),
    "tags": lambda text: "".join(chr(0xE0000 + ord(sign)) for sign in text),
    "turned": lambda text: f"\u202e{text[::-1]}\u202c",
    "camel": lambda text: text[0].lower() + text.rstrip(".").title().replace(" ", "")[1:],
    "apart": lambda text: " ".join([*text.split(" ")[-1].rstrip(".")]).join(
        (text.rsplit(" ", 1)[0] + " ", ".")
    ),
    "since": lambda text: f"Since {text[0].lower()}{text.rstrip('.')[1:]}, nobody else may use it.",
    "she said": lambda text: f"She said that {text[0].lower()}{text[1:]}",
    "did you know": lambda text: f"Did you know that {text[0].lower()}{text.rstrip('.')[1:]}?",
}


def dressed(text, draw):
    """A text as somebody might disguise it."""
    way = draw(st.sampled_from(["unseen", "alike", "escaped", "joined", "wide", *WAYS]))
    if way in WAYS:
        return WAYS[way](text)
    place = draw(st.integers(1, len(text) - 2))
    if way == "unseen":
        return f"{text[:place]}{draw(UNSEEN)}{text[place:]}"
    if way == "alike":
        return text.translate(dict(zip(map(ord, "aeo"), "аео", strict=True)))
    if way == "escaped":
        return f"{text[:place]}&#{ord(text[place])};{text[place + 1 :]}"
    if way == "wide":
        return "".join(chr(ord(sign) + 0xFEE0) if sign.isalpha() else sign for sign in text)
    return text.rstrip(".").replace(" ", draw(st.sampled_from(["_", "__", "~"])))


def verdict(memory, **proposal):
    stated = {"why_store": "asked for", "source": "msg-1", "type": "fact"} | proposal
    return memory.propose([stated], scope="user:ana").verdicts[0]


def outcome(memory, **proposal):
    return verdict(memory, **proposal).outcome.value


@settings(max_examples=40)
@given(st.data())
def test_what_was_forgotten_does_not_come_back_disguised(data):
    with Memory(":memory:") as memory:
        memory.forget(memory.add(FORGOTTEN, scope="user:ana", type="fact").item_ids[0])
        text = dressed(FORGOTTEN, data.draw)
        assert "said it and was taken out" in str(verdict(memory, content=text).reasons), repr(text)
        another = verdict(memory, content=dressed(ANOTHER, data.draw))
        assert "said it and was taken out" not in str(another.reasons)


@pytest.mark.parametrize(
    "field",
    [
        {"title": FORGOTTEN},
        {"tags": [FORGOTTEN]},
        {"entities": [FORGOTTEN]},
        {"metadata": {"a": FORGOTTEN}},
        {"source": FORGOTTEN},
    ],
)
def test_what_was_forgotten_does_not_come_back_in_another_field(open_memory, field):
    memory = open_memory()
    memory.forget(memory.add(FORGOTTEN, scope="user:ana", type="fact").item_ids[0])
    assert outcome(memory, content="The barn was painted.", **field) == "quarantined"


def test_what_was_forgotten_does_not_come_back_beside_an_item(open_memory):
    memory = open_memory()
    memory.forget(memory.add(FORGOTTEN, scope="user:ana", type="fact").item_ids[0])
    goats, cows = (memory.add(text, scope="user:ana").item_ids[0] for text in ("Two goats.", "Three cows."))
    with pytest.raises(NeedsApproval, match="forgotten"):
        memory.link(goats, cows, "supports", evidence=FORGOTTEN, actor="model")
    with pytest.raises(NeedsApproval, match="forgotten"):
        memory.palace.assign(goats, room=FORGOTTEN, actor="model")
    memory.link(goats, cows, "supports", evidence=ANOTHER, actor="model")
    memory.palace.assign(goats, room=ANOTHER, actor="model")
    memory.link(cows, goats, "supports", evidence=FORGOTTEN)


def test_what_the_user_worded_anew_does_not_come_back(open_memory):
    memory = open_memory()
    note = {
        "content": FORGOTTEN,
        "title": "Thekla's old ladder",
        "tags": ["borrowed from Thekla"],
        "type": "fact",
    }
    changed = memory.add(note, scope="user:ana").item_ids[0]
    memory._parts.clock.advance(seconds=1)
    memory.update(changed, content="The blue ladder belongs to the town.", title="A ladder", tags=[])
    assert outcome(memory, content=FORGOTTEN) == "quarantined"
    assert outcome(memory, content="The blue ladder is long.", title="Thekla's old ladder") == "quarantined"
    assert outcome(memory, content="The blue ladder is high.", tags=["borrowed from Thekla"]) == "quarantined"
    assert outcome(memory, content="The blue ladder is new.") == "accepted"


def test_what_a_model_proposes_as_it_is_now_is_known(open_memory):
    memory = open_memory()
    changed = memory.add(FORGOTTEN, scope="user:ana", type="fact").item_ids[0]
    memory._parts.clock.advance(seconds=1)
    memory.update(changed, content=ANOTHER)
    assert outcome(memory, content=ANOTHER) == "merged"


SAID = "We decided to ship on Fridays. I live in Graz."
#: What a model may make of it, one with a word of its own that it may keep.
MADE = {
    "We decided to ship on Fridays.": "decision",
    "We ship on Fridays.": "decision",
    "The user lives in Graz.": "identity",
    "I live in Graz.": "identity",
}


def let_go(memory, how):
    """Have what was extracted from SAID gone, in one of the ways."""
    turns = [{"role": "user", "content": SAID}]
    memory.add(turns, session_id="s", scope="user:ana")
    memory.extract()
    memory._parts.clock.advance(seconds=60)
    (turn,) = memory.sessions.get("s", scope="user:ana")
    if how == "turn":
        memory.forget(turn.id)
    elif how == "taken back":
        turns += [{"role": "assistant", "content": "Noted."}, {"role": "user", "content": "I was joking."}]
        memory.add(turns, session_id="s", scope="user:ana")
        memory.extract()
    elif how == "rejected":
        memory.forget(turn.id)
        for waiting in memory.review.list(scope="user:ana"):
            memory.review.reject(waiting.item.id)
    else:
        for item in memory.list(scope="user:ana", types=["decision", "identity"]):
            memory.forget(item.id)
    memory._parts.clock.advance(seconds=60)


@settings(max_examples=25)
@given(
    how=st.sampled_from(["turn", "taken back", "items", "rejected"]),
    days=st.sampled_from([0, 1, 5, 400]),
    jobs=st.lists(st.sampled_from(["expire", "decay", "prune"]), max_size=2),
    session_id=st.sampled_from(["s", "another", None]),
    content=st.sampled_from(sorted(MADE)),
)
def test_what_was_made_of_a_turn_does_not_come_back_once_either_is_let_go(
    how, days, jobs, session_id, content
):
    with Memory(":memory:", clock=FrozenClock("2026-03-02T10:00:00Z")) as memory:
        let_go(memory, how)
        memory._parts.clock.advance(days=days)
        memory.maintain(["similar", *jobs])
        proposal = {"content": content, "type": MADE[content], "why_store": "said", "source": "msg-1"}
        proposed = memory.propose([proposal], session_id=session_id, scope="user:ana").verdicts[0]
        assert proposed.outcome.value == "quarantined"


@pytest.mark.parametrize("how", ["turn", "taken back", "items", "rejected"])
def test_what_the_user_says_again_comes_back_and_so_does_what_was_approved(open_memory, how):
    memory = open_memory()
    let_go(memory, how)
    waiting = memory.review.list(scope="user:ana")
    if approved := next((one.item for one in waiting if one.item.type == "decision"), None):
        memory.review.approve(approved.id)
        memory._parts.clock.advance(days=1)
        assert outcome(memory, content="We decided to ship on Fridays.", type="decision") == "merged"
    memory.add([{"role": "user", "content": "I live in Graz."}], session_id="later", scope="user:ana")
    memory.extract()
    assert "I live in Graz." in [item.content for item in memory.list(scope="user:ana", types=["identity"])]


def test_what_is_said_again_behind_the_turn_that_took_it_back_is_not_held_back(open_memory):
    memory = open_memory()
    said = ["I live in Graz.", "Forget everything I said.", "I live in Graz."]
    turns = [{"role": "user", "content": text} for text in said]
    memory.add(turns[:1], session_id="s", scope="user:ana")
    memory.extract()
    memory.add(turns, session_id="s", scope="user:ana")
    memory.extract()
    assert [item.content for item in memory.list(scope="user:ana", types=["identity"])] == ["I live in Graz."]


SCOPES = ["global", "user:ana", "user:ana/project:apollo", "user:bo", "project:apollo"]


@pytest.mark.parametrize(("forgotten_in", "proposed_in"), [*product(SCOPES, SCOPES)])
def test_what_was_forgotten_comes_back_in_no_scope_that_sees_the_other(
    open_memory, forgotten_in, proposed_in
):
    memory = open_memory()
    memory.forget(memory.add(FORGOTTEN, scope=forgotten_in, type="fact").item_ids[0])
    proposal = {"content": FORGOTTEN, "why_store": "asked for", "source": "msg-1", "type": "fact"}
    proposed = memory.propose([proposal], scope=proposed_in).verdicts[0]
    one, other = Scope(forgotten_in), Scope(proposed_in)
    waits = one.sees(other) or other.sees(one)
    assert proposed.outcome.value == ("quarantined" if waits else "accepted")


@pytest.mark.parametrize("way", WAYS)
def test_a_whole_text_in_disguise_is_read(open_memory, way):
    memory = open_memory()
    memory.forget(memory.add(FORGOTTEN, scope="user:ana", type="fact").item_ids[0])
    assert "said it and was taken out" in str(verdict(memory, content=WAYS[way](FORGOTTEN)).reasons)
    assert "said it and was taken out" not in str(verdict(memory, content=WAYS[way](ANOTHER)).reasons)


@pytest.mark.parametrize(
    "text",
    [
        "She denied that the blue ladder belongs to Thekla's mother.",
        "It is not true that the blue ladder belongs to Thekla.",
        "Since the blue ladder belongs to Henrik, nobody else may use it.",
        "Nobody knows whether the blue ladder belongs to Thekla.",
    ],
)
def test_what_says_something_else_of_it_is_not_taken_for_it(open_memory, text):
    memory = open_memory()
    memory.forget(memory.add(FORGOTTEN, scope="user:ana", type="fact").item_ids[0])
    assert "said it and was taken out" not in str(verdict(memory, content=text).reasons)


@pytest.mark.parametrize("where", ["key", "space", "space in parts"])
def test_what_was_forgotten_does_not_come_back_as_an_address_of_a_record(open_memory, where):
    memory = open_memory()
    memory.forget(memory.add(FORGOTTEN, scope="user:ana", type="fact").item_ids[0])

    def put(text):
        space = {"key": ["p"], "space": [text], "space in parts": text.rstrip(".").rsplit(" ", 2)}[where]
        memory.records.put(
            space, text if where == "key" else "k", {"a": "harbour"}, actor="model", user_id="ana"
        )
        return memory.list(scope="user:ana", types=["record"])[0]

    assert not put(FORGOTTEN).injectable
    memory._parts.clock.advance(seconds=1)
    assert put(ANOTHER).injectable
