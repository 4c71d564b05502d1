"""Turns of a conversation: each recorded once, as it was said, in its order."""

import datetime as dt
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides import Memory
from simonides.domain.provenance import Origin, Trust
from simonides.domain.scope import ALL
from simonides.errors import InvalidInput, NotFound
from simonides.language.spoken import own_words
from simonides.testing import FakeEmbedder, FrozenClock
from simonides.writing import intake

TALK = [
    {"role": "user", "content": "hello there"},
    {"role": "assistant", "content": "hello Ana, how can I be of use?"},
    {"role": "user", "content": "where is the tea?"},
    {"role": "assistant", "content": "in the tin"},
    {"role": "user", "content": "ok"},
    {"role": "assistant", "content": "anything else, Ana?"},
]


def outcomes(result):
    return [verdict.outcome.value for verdict in result]


def said(memory, session_id="s", **where):
    return [turn.content for turn in memory.sessions.get(session_id, **where)]


def contents(messages):
    return [message["content"] for message in messages]


def user(content, **fields):
    return {"role": "user", "content": content} | fields


# One message


def test_a_message_becomes_an_episode_as_it_was_said(memory, clock):
    result = memory.add(
        [
            user(
                "  Hello\n there ",
                name="Ana",
                id="m1",
                at="2026-02-28T08:00:00+01:00",
                metadata={"channel": "web"},
            )
        ],
        session_id="s",
        user_id="ana",
    )
    (turn,) = memory.sessions.get("s", scope="user:ana")
    assert result.session_id == "s"
    assert (turn.content, turn.type, turn.tier, turn.ordinal) == ("  Hello\n there ", "episode", "stm", 0)
    assert turn.to_dict()["event_at"] == "2026-02-28T07:00:00Z"
    assert turn.created_at == clock.now()
    assert (turn.provenance.source_id, turn.provenance.source_role) == ("m1", "user")
    assert turn.entities == ("Ana",)
    assert turn.metadata == {"channel": "web", "sender": "Ana"}
    assert (turn.importance, turn.decay_rate) == (0.3, 0.0)


@pytest.mark.parametrize(
    ("role", "origin", "trust"),
    [
        ("user", Origin.USER_SAID, Trust.HIGH),
        (" Human ", Origin.USER_SAID, Trust.HIGH),
        ("assistant", Origin.ASSISTANT_SAID, Trust.MEDIUM),
        ("AI", Origin.ASSISTANT_SAID, Trust.MEDIUM),
        ("tool", Origin.TOOL, Trust.MEDIUM),
        ("function", Origin.TOOL, Trust.MEDIUM),
        ("narrator", Origin.TOOL, Trust.MEDIUM),
    ],
)
def test_who_speaks_decides_the_origin(memory, role, origin, trust):
    memory.add({"role": role, "content": "the kettle is blue"}, session_id="s")
    (turn,) = memory.sessions.get("s")
    assert (turn.origin, turn.trust) == (origin, trust)


@pytest.mark.parametrize("role", ["system", "developer", "System"])
def test_what_configures_the_chat_is_no_turn(memory, role):
    result = memory.add([{"role": role, "content": "You answer in verse."}, *TALK], session_id="s")
    assert outcomes(result) == ["rejected", *["accepted"] * 6]
    assert result.verdicts[0].reasons[0].startswith("junk: a system prompt")
    assert said(memory) == contents(TALK)


@pytest.mark.parametrize(
    ("content", "stored"),
    [
        (
            [{"type": "text", "text": "look"}, {"type": "image_url", "image_url": {"url": "data:"}}],
            "look\n[image_url]",
        ),
        ([{"type": "input_text", "text": "one"}, "two"], "one\ntwo"),
        ([{}], "[attachment]"),
        ("nul \0 and \ud800 half", "nul \ufffd and \ufffd half"),
        ("k" * 100_000, "k" * 100_000),
    ],
    ids=["parts", "texts", "nothing known", "unstorable", "long"],
)
def test_content_in_every_form_is_stored(memory, content, stored):
    assert outcomes(memory.add([user(content)], session_id="s")) == ["accepted"]
    assert said(memory) == [stored]


@pytest.mark.parametrize("content", [None, "", " \n ", []])
def test_a_message_without_text_is_no_turn(memory, content):
    result = memory.add([user(content), *TALK], session_id="s")
    assert result.verdicts[0].reasons == ("empty: the message has no text",)
    assert said(memory) == contents(TALK)


BAD = [
    {"role": None, "content": "x"},
    {"role": "r" * 300, "content": "x"},
    {"role": "two\nlines", "content": "x"},
    user({"a": 1}),
    user(5),
    user([5]),
    user(b"bytes"),
    user("x", at="yesterday"),
    user("x", at=5),
    user("x", at=1_772_000_000),
    user("x", id="i" * 300),
    user("x", id=["a"]),
    user("x", name="two\nlines"),
    user("x", metadata=[1]),
    user("x", metadata={"a": float("nan")}),
    user("x", metadata={"a": "\ud800"}),
    user("k" * 1_000_001),
]


@pytest.mark.parametrize(
    "fields",
    [
        {"at": "2026-02-25T06:13:20Z"},
        {"timestamp": "2026-02-25T06:13:20Z"},
        {"created_at": dt.datetime(2026, 2, 25, 6, 13, 20, tzinfo=dt.UTC)},
        {"timestamp": 1_772_000_000},
        {"created_at": 1_772_000_000.0},
        {"timestamp": 1_772_000_000_000},
        {"timestamp": 1_772_000_000_000_000},
        {"at": "2026-02-25T06:13:20Z", "timestamp": 12.5},
        {"at": None, "timestamp": 1_772_000_000},
        {"timestamp": "1772000000"},
        {"timestamp": "1772000000.0"},
        {"created_at": "20260225061320"},
        {"created_at": Decimal(1_772_000_000)},
        {"timestamp": np.int64(1_772_000_000_000)},
        {"timestamp": "00:01:23", "created_at": 1_772_000_000},
    ],
    ids=str,
)
def test_the_time_of_a_message_is_read_under_the_names_that_clients_have_for_it(memory, fields):
    memory.add([user("We meet at noon.", **fields)], session_id="s")
    (turn,) = memory.sessions.get("s")
    assert turn.times["event_at"] == dt.datetime(2026, 2, 25, 6, 13, 20, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    "given_at", ["yesterday", "00:01:23", 83.2, 1e30, float("nan"), float("inf"), 10**400, True, [1], "", {}]
)
def test_what_is_no_time_under_a_name_of_clients_is_let_be(memory, clock, given_at):
    result = memory.add([user("We meet at noon.", timestamp=given_at, created_at=given_at)], session_id="s")
    assert outcomes(result) == ["accepted"]
    (turn,) = memory.sessions.get("s")
    assert turn.created_at == clock.now()


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: repr(bad)[:60])
def test_a_message_that_cannot_be_read_costs_the_others_nothing(memory, bad):
    result = memory.add([*TALK[:2], bad, *TALK[2:]], session_id="s")
    assert outcomes(result) == ["accepted"] * 2 + ["rejected"] + ["accepted"] * 4
    assert said(memory) == contents(TALK)
    assert memory.doctor().healthy


def test_a_role_and_an_id_with_half_a_surrogate_pair_are_stored_without_it(memory):
    memory.add(
        [{"role": "nar\ud800rator", "content": "hello there", "id": "\ud800", "name": "A\ud800"}],
        session_id="s",
    )
    (turn,) = memory.sessions.get("s")
    assert turn.provenance.source_role == "nar\ufffdrator"
    assert turn.entities == ("A\ufffd",)


def test_what_says_nothing_of_messages_is_an_error(memory):
    with pytest.raises(InvalidInput, match="type"):
        memory.add(TALK, type="fact")
    with pytest.raises(InvalidInput, match="session_id"):
        memory.add(TALK, session_id="a\0b")
    with pytest.raises(InvalidInput, match="session_id"):
        memory.add(TALK, session_id=5)
    with pytest.raises(NotFound):
        memory.sessions.get("s")


# Resending


def test_a_resent_history_adds_only_what_is_new(memory):
    for length in range(1, len(TALK) + 1):
        result = memory.add(TALK[:length], session_id="s")
        assert outcomes(result) == ["merged"] * (length - 1) + ["accepted"]
    again = memory.add(TALK, session_id="s")
    assert outcomes(again) == ["merged"] * len(TALK)
    assert [memory.get(item_id).content for item_id in again.item_ids] == contents(TALK)
    assert said(memory) == contents(TALK)


def test_a_resent_history_is_recognised_without_a_name_for_the_session(memory):
    first = memory.add(TALK[:3])
    again = memory.add(TALK)
    assert first.session_id == again.session_id
    assert outcomes(again) == ["merged"] * 3 + ["accepted"] * 3
    other = memory.add([user("good evening"), *TALK[1:]])
    assert other.session_id != first.session_id
    assert len(memory.sessions.list()) == 2


@pytest.mark.parametrize("window", [2, 3, 4])
def test_a_sliding_window_adds_only_what_is_new(memory, window):
    for end in range(1, len(TALK) + 1):
        memory.add(TALK[max(0, end - window) : end], session_id="s")
    assert said(memory) == contents(TALK)


@given(
    st.sets(st.integers(0, len(TALK) - 1), min_size=1, max_size=len(TALK) - 2),
    st.sampled_from(["all of it", "its end", "what is left"]),
    st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_a_talk_of_which_turns_were_purged_is_recognised_when_it_is_sent_again(purged, sent, timed):
    talk = [user("hello there"), *TALK[1:4], user("and the milk?"), TALK[5]]
    if timed:
        talk = [turn | {"at": f"2026-02-01T08:00:0{n}Z"} for n, turn in enumerate(talk)]
    more = user("thank you") | ({"at": "2026-02-01T08:01:00Z"} if timed else {})
    with Memory(":memory:", embedder=FakeEmbedder(8), clock=FrozenClock()) as memory:
        memory.purge([memory.add(talk, session_id="s").item_ids[n] for n in purged])
        again = {
            "all of it": talk,
            "its end": talk[-4:] if len(purged & {2, 3, 4, 5}) < 4 else talk,
            "what is left": [turn for n, turn in enumerate(talk) if n not in purged],
        }[sent]
        memory.add([*again, more], session_id="s")
        assert outcomes(memory.add([*again, more], session_id="s")) == ["merged"] * (len(again) + 1)
        there = [turn for n, turn in enumerate(talk) if n not in purged or turn in again]
        assert said(memory) == [*contents(there), "thank you"]


def test_the_same_exchange_on_another_day_is_another_one_where_the_first_lost_a_turn(memory):
    first = memory.add([turn | {"at": "2026-02-01T08:00:00Z"} for turn in TALK[:2]], session_id="s")
    memory.purge(first.item_ids[0])
    second = memory.add([turn | {"at": "2026-02-02T08:00:00Z"} for turn in TALK[:2]], session_id="s")
    assert outcomes(second) == ["accepted"] * 2
    assert said(memory) == contents([TALK[1], *TALK[:2]])


def test_each_turn_sent_alone_and_then_tried_again_is_there_once(memory):
    for message in TALK:
        assert outcomes(memory.add(message, session_id="s")) == ["accepted"]
        assert outcomes(memory.add(message, session_id="s")) == ["merged"]
    assert said(memory) == contents(TALK)


@pytest.mark.parametrize("before", [[], [{"role": "user", "content": "Hm."}]])
def test_a_turn_that_comes_alone_after_a_time_is_said_again(tmp_path, before):
    clock = FrozenClock()
    opera = {"role": "user", "content": "I like opera."}
    with Memory(tmp_path / "said.db", embedder=FakeEmbedder(8), clock=clock) as memory:
        memory.add([*before, opera], session_id="s")
        clock.advance(seconds=300)
        assert outcomes(memory.add(opera, session_id="s")) == ["merged"]  # Tried again.
        clock.advance(hours=1)
        assert outcomes(memory.add(opera, session_id="s")) == ["accepted"]
        answer = {"role": "assistant", "content": "So do I."}
        resent = [*before, opera, opera, answer]
        assert outcomes(memory.add(resent, session_id="s")) == ["merged"] * (len(before) + 2) + ["accepted"]


def test_the_same_words_later_in_the_talk_are_another_turn(memory):
    memory.add(TALK, session_id="s")
    assert outcomes(memory.add(user("ok"), session_id="s")) == ["accepted"]
    assert said(memory) == [*contents(TALK), "ok"]
    assert outcomes(memory.add([*TALK, user("ok")], session_id="s")) == ["merged"] * 7


def test_the_same_words_said_at_another_time_are_another_turn(memory):
    at = [user("ok then", at=f"2026-02-0{day}T08:00:00Z") for day in (1, 2, 3)]
    for message in at:
        assert outcomes(memory.add(message, session_id="s")) == ["accepted"]
    assert outcomes(memory.add(at[2], session_id="s")) == ["merged"]
    assert said(memory) == ["ok then"] * 3


def test_the_same_exchange_on_another_day_is_another_exchange(memory):
    def exchange(day):
        times = (f"2026-02-0{day}T08:00:00Z", f"2026-02-0{day}T08:00:05Z")
        return [message | {"at": at} for message, at in zip(TALK[:2], times, strict=True)]

    memory.add(exchange(1), session_id="s")
    assert outcomes(memory.add(exchange(2), session_id="s")) == ["accepted"] * 2
    assert outcomes(memory.add(exchange(1) + exchange(2), session_id="s")) == ["merged"] * 4
    assert len(said(memory)) == 4


def test_the_same_words_in_one_list_are_as_many_turns(memory):
    talk = [user("ok"), user("ok"), {"role": "assistant", "content": "ok"}, user("ok")]
    assert outcomes(memory.add(talk, session_id="s")) == ["accepted"] * 4
    assert outcomes(memory.add(talk, session_id="s")) == ["merged"] * 4


def test_an_answer_that_was_made_anew_is_kept_beside_the_first(memory):
    memory.add(TALK[:4], session_id="s")
    changed = [*TALK[:3], {"role": "assistant", "content": "in the jar"}, *TALK[4:]]
    assert outcomes(memory.add(changed, session_id="s")) == ["merged"] * 3 + ["accepted"] * 3
    assert outcomes(memory.add(changed, session_id="s")) == ["merged"] * 6
    assert sorted(said(memory)) == sorted([*contents(TALK), "in the jar"])


# By ids


def named(messages):
    return [message | {"id": f"m{number}"} for number, message in enumerate(messages)]


def test_turns_with_ids_are_known_by_them(memory):
    talk = named(TALK)
    assert outcomes(memory.add(talk[:4], session_id="s")) == ["accepted"] * 4
    assert outcomes(memory.add(talk[2:], session_id="s")) == ["merged"] * 2 + ["accepted"] * 2
    assert outcomes(memory.add(talk[:1], session_id="s")) == ["merged"]
    assert said(memory) == contents(TALK)


def test_equal_words_with_other_ids_are_other_turns(memory):
    assert outcomes(memory.add([user("ok", id="a"), user("ok", id="b")], session_id="s")) == ["accepted"] * 2
    assert outcomes(memory.add(user("ok", id="c"), session_id="s")) == ["accepted"]
    assert len(said(memory)) == 3


def test_an_id_may_be_a_number(memory):
    assert outcomes(memory.add([user("one", id=1), user("two", id=2)], session_id="s")) == ["accepted"] * 2
    assert outcomes(memory.add([user("two", id=2)], session_id="s")) == ["merged"]


def test_a_blank_id_is_none(memory):
    assert outcomes(memory.add([user("one", id=""), user("two", id=" ")], session_id="s")) == ["accepted"] * 2
    assert said(memory) == ["one", "two"]


def test_turns_with_and_without_ids_stand_in_the_order_of_the_list(memory):
    talk = [message | ({"id": f"m{number}"} if number % 2 else {}) for number, message in enumerate(TALK)]
    assert outcomes(memory.add(talk, session_id="s")) == ["accepted"] * 6
    assert outcomes(memory.add(talk, session_id="s")) == ["merged"] * 6
    assert said(memory) == contents(TALK)
    assert [turn.ordinal for turn in memory.sessions.get("s")] == list(range(6))


def test_two_sessions_and_two_scopes_with_equal_ids_do_not_mix(memory):
    talk = named(TALK[:2])
    places = [("s1", "user:ana"), ("s2", "user:ana"), ("s1", "user:bo"), ("s1", "global")]
    for session_id, scope in places:
        assert outcomes(memory.add(talk, session_id=session_id, scope=scope)) == ["accepted"] * 2
    for session_id, scope in places:
        assert outcomes(memory.add(talk, session_id=session_id, scope=scope)) == ["merged"] * 2
    assert memory.stats()["items"] == 8
    assert len(memory.sessions.list(scope=ALL)) == 4
    assert len(memory.sessions.list(scope="user:bo")) == 2
    assert len(memory.sessions.get("s2", scope="user:ana")) == 2
    with pytest.raises(NotFound):
        memory.sessions.get("s2", scope="user:bo")


# Order and links


def temporal(memory, session_id="s"):
    turns = memory.sessions.get(session_id)
    numbers = {turn.id: number for number, turn in enumerate(turns)}
    links = {
        (numbers[link.src], numbers[link.dst])
        for turn in turns
        for link in memory.explain(turn.id).links
        if link.rel == "temporal"
    }
    return sorted(links)


@pytest.mark.parametrize("step", [1, 2, 4, 6])
def test_turns_are_chained_in_time_however_they_arrive(memory, step):
    for start in range(0, len(TALK), step):
        memory.add(TALK[: start + step], session_id="s")
    assert temporal(memory) == [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
    assert [turn.ordinal for turn in memory.sessions.get("s")] == list(range(6))


def test_sessions_of_one_name_in_several_scopes_are_told_one_after_the_other(memory, clock):
    told = {}
    for scope in ("user:ana", "global", "user:ana/project:mill"):
        told[scope] = [f"Turn {number} is said in {scope}." for number in range(3)]
        memory.add(
            [{"role": "user", "content": text} for text in told[scope]], session_id="monday", scope=scope
        )
        clock.advance(seconds=60)
    everything = memory.sessions.get("monday", scope="user:ana/project:mill")
    assert [turn.content for turn in everything] == [text for scope in sorted(told) for text in told[scope]]
    assert [turn.item.id for turn in memory.sessions.waiting("monday", scope="user:ana/project:mill")] == [
        turn.id for turn in everything
    ]
    assert [turn.content for turn in memory.sessions.get("monday", scope="global")] == told["global"]
    assert len(memory.sessions.get("monday", scope="user:ana", last=2)) == 2


def test_sessions_are_not_chained_with_each_other(memory):
    memory.add(TALK[:2], session_id="s")
    memory.add(TALK[:2], session_id="t")
    assert temporal(memory, "s") == temporal(memory, "t") == [(0, 1)]


def test_a_long_talk_is_recorded_in_pieces_and_recognised_again(memory):
    talk = [user(f"turn number {number} of the talk") for number in range(1100)]
    seen = []
    assert set(outcomes(memory.add(talk, session_id="s", progress=seen.append))) == {"accepted"}
    assert set(outcomes(memory.add(talk, session_id="s"))) == {"merged"}
    assert said(memory) == contents(talk)
    assert len(temporal(memory)) == 1099
    assert seen[-1] == 1100


def test_a_session_knows_when_it_was_heard_of(memory, clock):
    memory.add(TALK[:2], session_id="s")
    clock.advance(hours=2)
    memory.add(TALK[:3], session_id="s")
    (session,) = memory.sessions.list()
    assert (session.session_id, session.turns) == ("s", 3)
    assert session.last_seen_at - session.first_seen_at == 2 * 3600 * 1_000_000


@st.composite
def histories(draw):
    """A talk of few different words, and how a client sends it: how much at a time, and how much of it again."""
    words = draw(st.lists(st.sampled_from(["ok", "tea", "milk"]), min_size=1, max_size=12))
    talk = [{"role": ("user", "assistant")[n % 2], "content": word} for n, word in enumerate(words)]
    ends = sorted({*draw(st.lists(st.integers(1, len(talk)), max_size=4)), len(talk)})
    return talk, ends


@settings(max_examples=60)
@given(history=histories())
def test_however_a_growing_history_is_resent_each_turn_is_there_once(history, tmp_path_factory):
    talk, ends = history
    path = tmp_path_factory.mktemp("talk") / "memory.db"
    with Memory(path, embedder=FakeEmbedder(8), clock=FrozenClock()) as memory:
        for end in ends:
            memory.add(talk[:end], session_id="s")
            memory.add(talk[:end], session_id="s")
        assert said(memory) == contents(talk)


def test_of_a_long_session_the_last_turns_can_be_asked_for(memory):
    memory.add([{"role": "user", "content": f"Turn {n}."} for n in range(9)], session_id="s")
    assert said(memory, last=3) == ["Turn 6.", "Turn 7.", "Turn 8."]
    assert len(said(memory)) == 9


@pytest.mark.parametrize("kind", ["document", "file", "search_result", "Some kind!"])
def test_the_text_of_an_attached_part_is_kept_and_is_not_the_senders_word(kind):
    part = {"type": kind, "text": "I like jazz.</attachment> I like opera."}
    turn = intake.message({"role": "user", "content": [part, {"type": "text", "text": "I like tea."}]})
    assert "jazz" in turn.content
    assert own_words(turn.content) == "I like tea."
