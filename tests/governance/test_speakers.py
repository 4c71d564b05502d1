"""Decision whose word a turn is, where a chat names those who speak in it."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simonides import Memory
from simonides.adapters.mem0 import Memory as Mem0
from simonides.agent.conversation import Conversation
from simonides.agent.tools import Tools
from simonides.domain.provenance import Origin
from simonides.domain.scope import Scope
from simonides.governance.speakers import users_among
from simonides.testing import FrozenClock, ScriptedModel
from simonides.writing.extract.by_model import found_by
from simonides.writing.intake import message

#: What somebody says of themselves, how a model tells it of the user, and how one orders to forget it.
SAID = [
    (
        "I am allergic to walnuts.",
        "The user is allergic to walnuts.",
        "Forget that I am allergic to walnuts.",
    ),
    ("I live in Graz.", "The user lives in Graz.", "Forget that I live in Graz."),
    ("Ich wohne in Graz.", "Der Nutzer wohnt in Graz.", "Vergiss, dass ich in Graz wohne."),
    ("J'habite à Lyon.", "L'utilisateur habite à Lyon.", "Oublie que j'habite à Lyon."),
    ("Vivo en Sevilla.", "El usuario vive en Sevilla.", "Olvida que vivo en Sevilla."),
    ("Я живу в Риге.", "Пользователь живёт в Риге.", "Забудь, что я живу в Риге."),
    ("我讨厌核桃。", "用户讨厌核桃。", "忘记我讨厌核桃。"),
]
OTHERS = ["Bob", "Zoé", "Иван", "小红", "tool", "assistant", "System", "web page", "Ana's brother", "x" * 90]


def said(name, text):
    return {"role": "user", "content": text} | ({"name": name} if name else {})


def proposed(memory, text, scope, kind="identity"):
    entry = {"content": text, "type": kind, "why_store": "it lasts", "source": "chat"}
    return memory.propose([entry], session_id="s", scope=scope)[0].outcome.value


@pytest.mark.parametrize(
    ("names", "scope", "own"),
    [
        (["Ana", "Bob"], "user:ana", {"Ana"}),
        (["ANA"], "user:ana", {"ANA"}),
        (["Zoë", "Bob"], "user:zoe", {"Zoë"}),
        (["Bob"], "user:ana", set()),
        (["", "Bob"], "user:ana", {""}),
        (["Ana García", "Bob"], "user:ana", {"Ana García"}),
        (["Ana", "Bob"], "user:ana.garcia@example.org", {"Ana"}),
        (["Ana García", "Ana López"], "user:ana", set()),
        (["Ana's brother"], "user:ana", set()),
        (["Ana bot"], "user:ana", set()),
        (["Bob"], "user:u17", {"Bob"}),
        (["Bob"], "user:default", {"Bob"}),
        (["Bob", "bob"], "project:x", {"Bob", "bob"}),
        (["Bob", "Ana"], "project:x", set()),
        (["Bob", ""], "global", {""}),
        (["Bob", "user"], "global", {"user"}),
        (["Bob", "tool"], "global", {"Bob"}),
        (["Jimmy Page"], "global", {"Jimmy Page"}),
        (["tool"], "global", set()),
        (["web page"], "global", set()),
        (["Анна", "Боб"], "user:анна", {"Анна"}),
        (["ana@example.org"], "user:ana@example.org", {"ana@example.org"}),
        (["Ana@Example.org", "Bob"], "user:ana@example.org", {"Ana@Example.org"}),
        (["ana@other.net"], "user:ana@example.org", set()),
        (["ana.garcia@example.org"], "user:ana@example.org", set()),
        (["anagarcia@example.org"], "user:ana.garcia@example.org", set()),
        (["Ana"], "user:ana@example.org", {"Ana"}),
        (["example", "org"], "user:ana@example.org", set()),
        (["ana@example.org"], "user:ana", {"ana@example.org"}),
        (["ana.garcia@example.org"], "user:ana", set()),
        (["ana@example.org"], "user:ana-garcia", set()),
        (["ana.garcia@example.org"], "user:ana-garcia", {"ana.garcia@example.org"}),
        (["ana@example.org", "ana@other.net"], "user:ana", set()),
        (["Ana", "ana@example.org"], "user:ana", {"Ana"}),
        (["bob@example.org"], "user:u17", {"bob@example.org"}),
        (["ana1@example.org"], "user:ana", set()),
        (["Müller", "Bob"], "user:mueller", {"Müller"}),
        (["Mu\u0308ller"], "user:mueller", {"Mu\u0308ller"}),
        (["Mueller"], "user:müller", {"Mueller"}),
        (["MÜLLER"], "user:mueller", {"MÜLLER"}),
        (["Muller"], "user:müller", {"Muller"}),
        (["Muller"], "user:mueller", set()),
        (["Jörg Müller"], "user:joerg", {"Jörg Müller"}),
        (["Jörg"], "user:joerg.mueller@example.org", {"Jörg"}),
        (["Jorge"], "user:joerg", set()),
        (["Søren"], "user:soeren", {"Søren"}),
        (["Groß"], "user:gross", {"Groß"}),
        (["Ana Garcia"], "user:agarcia", set()),
        (["Ana Garcia"], "user:garcia.a", set()),
        (["Ana"], "user:agarcia", set()),
        (["Garcia"], "user:agarcia", set()),
        (["A. Garcia"], "user:agarcia", {"A. Garcia"}),
        (["Ana Garcia"], "user:anagarcia", {"Ana Garcia"}),
        (["Ana"], "user:anagarcia", set()),
        (["AnaGarcia"], "user:ana-garcia", {"AnaGarcia"}),
        (["@ana"], "user:ana", {"@ana"}),
        (["Ann"], "user:anna", set()),
        (["Anya"], "user:ana", set()),
        (["小明", "小红"], "user:小明", {"小明"}),
        (["Jörg Müller", "Joerg Mueller", "Bob"], "user:joerg", {"Jörg Müller", "Joerg Mueller"}),
        (["Müller", "Mueller"], "project:x", {"Müller", "Mueller"}),
        (["Müller", "Muller", "Mueller"], "user:müller", {"Müller", "Muller", "Mueller"}),
    ],
)
def test_the_user_of_a_scope_is_known_by_name_and_nobody_else_is_taken_for_them(names, scope, own):
    assert users_among(names, Scope(scope)) == own


#: First names, of which some are words as well.
FIRST_NAMES = [
    "Ana",
    "Will",
    "May",
    "Mark",
    "Rose",
    "Ai",
    "Bill",
    "Hope",
    "Page",
    "An",
    "Do",
    "El",
    "Ich",
    "Tom",
    "Иван",
]


@pytest.mark.parametrize("owner", [*FIRST_NAMES, "u17", "ana2", "will3"])
@pytest.mark.parametrize("other", [*FIRST_NAMES, "ana1", "will2", "u18"])
def test_no_other_name_is_taken_for_the_users_where_theirs_is_there(owner, other):
    if owner != other:
        scope = Scope(f"user:{owner.lower()}")
        assert users_among([owner, other], scope) == {owner}
        # What has figures, or is what calls a program so, may be an id, under whatever name they write.
        if owner not in {"Ai", "Page", "Ich"} and not any(map(str.isdigit, owner)):
            assert other not in users_among([other], scope)


def test_other_figures_are_another_name():
    assert users_among(["ana1"], Scope("user:ana2")) == frozenset()
    assert users_among(["ana2"], Scope("user:ana")) == frozenset()
    assert users_among(["Ana"], Scope("user:ana2")) == {"Ana"}
    for name in ("ana3", "Ana 3", "ana3@example.org"):
        assert users_among([name], Scope("user:ana2")) == frozenset()
        assert users_among([name], Scope("user:ana2@example.org")) == frozenset()
    assert users_among(["Müller 3"], Scope("user:mueller2")) == frozenset()
    assert users_among(["Müller 2"], Scope("user:mueller2")) == {"Müller 2"}


#: A name, as keyboards without its letters write it.
SPELLINGS = [
    ("Müller", "Mueller", "MÜLLER", "Mu\u0308ller", "mueller"),
    ("Søren", "Soeren", "SØREN", "søren"),
    ("Jörg", "Joerg", "JÖRG", "jo\u0308rg"),
    ("Åsa", "Aasa", "ÅSA", "aasa"),
    ("Groß", "Gross", "GROSS", "groß"),
    ("Zoë", "ZOË", "zoe", "Zoé"),
    ("Jörg Müller", "Joerg Mueller", "joerg.mueller", "JÖRG MÜLLER", "jörg_mueller"),
]


@given(st.data())
def test_spellings_that_are_each_the_users_are_so_together(data):
    spelt = data.draw(st.sampled_from(SPELLINGS))
    owner = data.draw(st.sampled_from(spelt)).replace(" ", "-").lower()
    scope = Scope(f"user:{owner}{data.draw(st.sampled_from(['', '@example.org']))}")
    names = data.draw(st.sets(st.sampled_from(spelt), min_size=1))
    own = {name for name in names if users_among([name], scope)}
    assert users_among([*names, "Bob"], scope) == own
    assert own or names.isdisjoint({owner})


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    scope=st.sampled_from(["user:ana", "project:x", "global"]),
    whose=st.sampled_from(["Ana", "ANA", "Aná", None]),
    mine=st.sampled_from(SAID),
    theirs=st.sampled_from(SAID),
    others=st.lists(st.sampled_from(OTHERS), min_size=1, max_size=2, unique=True),
    labelled=st.booleans(),
    begins=st.booleans(),
)
def test_what_somebody_else_says_is_nothing_of_the_users(
    scope, whose, mine, theirs, others, labelled, begins
):
    if theirs is mine or (whose is not None and scope != "user:ana"):
        whose = None
        theirs = next(one for one in SAID if one is not mine)
    clock = FrozenClock("2026-03-01T08:00Z")
    with Memory(":memory:", clock=clock) as memory:
        own = memory.add(theirs[0], scope=scope).item_id
        clock.advance(seconds=60)
        turns = [
            said(None, f"{name}: {text}") if labelled else said(name, text)
            for name in others
            for text in theirs[::2]
        ]
        memory.add(
            [said(whose, mine[0]), *turns] if begins else [*turns, said(whose, mine[0])],
            session_id="s",
            scope=scope,
        )
        assert proposed(memory, mine[1], scope) in {"accepted", "merged"}
        tools = Tools(memory, scope=scope, session_id="s")
        tools.call("memory.forget", json.dumps({"target": own}))
        tools.call("memory.correct", json.dumps({"target": own, "content": mine[0]}))
        memory.extract(scope=scope, session_id="s")
        assert memory.get(own).status.value == "active"
        assert memory.get(own).superseded_by is None
        memory.purge([own])
        assert proposed(memory, theirs[1], scope) == "quarantined"
        for item in memory.list(scope=scope, limit=100):
            if item.type != "episode" and item.origin is Origin.USER_SAID:
                assert item.content != theirs[0]


@pytest.mark.parametrize(("text", "told", "order"), SAID)
@pytest.mark.parametrize(
    ("name", "scope"), [("Ana", "user:ana"), ("ÁNA", "user:ana"), ("Bob", "global"), ("Bob", "user:u17")]
)
def test_a_users_own_turns_under_a_name_are_their_word(name, scope, text, told, order):
    clock = FrozenClock("2026-03-01T08:00Z")
    with Memory(":memory:", clock=clock) as memory:
        memory.add([said(name, text)], session_id="s", scope=scope)
        assert proposed(memory, told, scope) == "accepted"


def test_a_named_user_has_their_own_memory_forgotten_and_nobody_elses_order_does():
    clock = FrozenClock("2026-03-01T08:00Z")
    with Memory(":memory:", clock=clock) as memory:
        own = memory.add("I am allergic to walnuts.", scope="user:ana").item_id
        for name, status in [("Bob", "active"), ("ANA", "archived")]:
            clock.advance(seconds=60)
            memory.add([said(name, SAID[0][2])], session_id=name, scope="user:ana")
            Tools(memory, scope="user:ana", session_id=name).call(
                "memory.forget", json.dumps({"target": own})
            )
            assert memory.get(own).status.value == status


def test_a_name_that_is_redacted_or_too_long_is_somebodys_all_the_same():
    with Memory(":memory:") as memory:
        secret = {"metadata": {"note": "password=hunter2-Correct-Horse"}}
        memory.add([said("Bob", "I live in Graz.") | secret], session_id="s", scope="user:ana")
        (turn,) = memory.list(scope="user:ana", types=("episode",))
        assert turn.metadata == {"sender": "[name]"}
        assert proposed(memory, "The user lives in Graz.", "user:ana") == "quarantined"
    assert Conversation.of([said("x" * 90, "Hi.")]).spoken[0].name == "x" * 64


def test_what_a_model_put_out_is_no_text_of_a_users_message():
    parts = [{"type": "output_text", "text": "I live in Graz."}, {"type": "input_text", "text": "Hello."}]
    assert message({"role": "user", "content": parts}).content.startswith("<attachment>")
    assert message({"role": "assistant", "content": parts}).content == "I live in Graz.\nHello."
    assert Conversation.of([{"role": "user", "content": parts}]).spoken[0].text == "Hello."
    with Memory(":memory:") as memory:
        memory.add([{"role": "user", "content": parts}], session_id="s", scope="user:ana")
        assert proposed(memory, "The user lives in Graz.", "user:ana") == "quarantined"


def test_mem0s_door_keeps_what_somebody_else_says_behind_their_name():
    with Memory(":memory:") as memory:
        door = Mem0(memory)
        told = [said("Ana", "I live in Linz."), said("Bob", "I live in Graz.")]
        added = door.add(told, user_id="ana", infer=False)["results"]
        assert [one["memory"] for one in added] == ["I live in Linz.", "Bob: I live in Graz."]
        assert [one["actor_id"] for one in added] == ["Ana", "Bob"]


def test_a_model_extracts_nothing_of_the_user_from_what_somebody_else_says():
    turns = [
        message(said(*one)).episode(Scope("user:ana"), "s", 1)
        for one in [("Ana", "Hello there."), ("Bob", "I live in Graz.")]
    ]
    facts = [
        {
            "content": f"{who} lives in Graz.",
            "type": "identity",
            "turns": [2],
            "confidence": 0.9,
            "why": "useful",
        }
        for who in ("The user", "Bob")
    ]
    found = found_by(ScriptedModel({"extract": {"facts": facts}}), turns, 6000)
    assert [one.content for one in found.statements] == ["Bob lives in Graz."]
