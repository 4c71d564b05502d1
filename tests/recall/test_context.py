"""Text for a prompt: what is in it, within which budget, and what is on record about it."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides.domain.instant import DAY_US, instant
from simonides.domain.item import Validation
from simonides.domain.provenance import Origin, Provenance
from simonides.domain.records import Standing
from simonides.domain.scope import Scope
from simonides.domain.text import count_tokens, normalised
from simonides.errors import InvalidInput, NotFound
from simonides.recall.assemble import (
    MODES,
    PROFILE_TOKENS,
    EntitySummary,
    PromptForm,
    Surroundings,
    assemble,
    budget_for,
    core_profile,
    least_budget,
    line_cost,
    token_budget,
)
from simonides.recall.context_selection import in_context_order
from simonides.recall.render import HEADER, block, catalog, catalog_entry, closing, nonces, opening, parsed
from simonides.recall.result import Hit
from simonides.testing import an_item

EVERY_MODE = pytest.mark.parametrize("mode", MODES)
TYPES = ["fact", "decision", "event", "narrative", "episode", "chunk"]


def hits_of(items):
    return [Hit(item, 1 / (rank + 1), 0.5) for rank, item in enumerate(items)]


# Budgets


CONTENTS = st.text(
    alphabet=st.one_of(st.sampled_from("ab 配置 \n[/]<|"), st.characters(exclude_categories=["Cs"])),
    min_size=1,
    max_size=200,
).filter(str.strip)  # fmt: skip
ITEMS = st.lists(
    st.builds(
        lambda content, type_, title, pinned, origin, place: an_item(
            content, type=type_, title=title, pinned=pinned, metadata={"sender": title}, origin=origin,
            session_id="s", ordinal=place, event_at=instant("2026-03-01") + place // 3 * DAY_US,
            provenance=Provenance(source_role="tool"),
        ),
        CONTENTS,
        st.sampled_from(TYPES),
        st.text(alphabet=st.sampled_from("ab 配\u0085"), max_size=20),
        st.booleans(),
        st.sampled_from(Origin),
        st.integers(0, 9),
    ),
    max_size=15,
)  # fmt: skip
#: Behind the births of all of them.
AT = an_item().created_at + 1
TOLD = PromptForm(AT)
FORMS = st.builds(
    PromptForm,
    now=st.integers(0, 2 * AT),
    profiles=st.lists(st.builds(EntitySummary, st.text(max_size=9), CONTENTS), max_size=4),
    is_complex=st.booleans(),
    ids=st.booleans(),
)


@EVERY_MODE
@settings(max_examples=40)
@given(items=ITEMS, form=FORMS, budget=st.integers(1, 400))
def test_a_budget_holds_whatever_the_contents(mode, items, form, budget):
    pinned = [item for item in items if item.pinned]
    text, taken = assemble(hits_of(items), pinned, mode, budget, form)
    assert count_tokens(text) <= budget
    assert text or not taken
    assert taken or not text or (mode == "context" and form.profiles)
    profile, told = core_profile(pinned, budget, now=AT)
    assert count_tokens(profile) <= budget
    assert set(told) <= set(pinned)
    said = [normalised(item.content) for item in taken]
    assert len(set(said)) == len(said)
    assert len({item.id for item in taken}) == len(taken)


@EVERY_MODE
@settings(max_examples=40)
@given(items=ITEMS.filter(bool), form=FORMS, budget=st.integers(1, 60), more=st.integers(0, 400))
def test_the_least_budget_tells_something_one_token_less_does_not_and_more_does(
    mode, items, form, budget, more
):
    def told(tokens):
        return assemble(hits_of(items), [], mode, tokens, form)[0]

    if told(budget):
        assert told(budget + more)
        return
    least = least_budget(told, budget)
    if least is None:  # None of them says anything.
        assert not told(100_000)
        return
    assert least > budget
    assert told(least)
    assert told(least + more)
    assert not told(least - 1)


def test_no_budget_is_enough_for_nothing():
    assert least_budget(lambda _: "", 12) is None


def test_pinned_turns_of_one_day_cost_the_profile_what_they_take():
    turns = [
        an_item(f"turn {n} of a long day", type="episode", pinned=True, session_id="s", ordinal=n, event_at=0)
        for n in range(30)
    ]
    for budget in range(1, 400, 7):
        assert count_tokens(core_profile(turns, budget, now=AT)[0]) <= budget


@given(items=ITEMS, budget=st.integers(1, 400))
def test_markers_occur_once_for_each_item(items, budget):
    text, taken = assemble(hits_of(items), [], "inject", budget, TOLD)
    assert text.count("[MEMORY: ") == text.count("[/MEMORY]") == len(taken)
    for nonce in nonces(text):
        assert [told.id for told in parsed(text, nonce)] == [item.id for item in taken]


def test_an_item_that_does_not_fit_keeps_out_none_of_those_behind_it():
    items = [an_item("one two three"), an_item("word " * 500), an_item("four five six")]
    text, taken = assemble(hits_of(items), [], "inject", 300, TOLD)
    assert taken == (items[0], items[2])
    (nonce,) = nonces(text)
    assert text == "\n".join([HEADER, opening(nonce), block(items[0]), block(items[2]), closing(nonce)])


def test_a_catalog_gets_shorter_until_it_fits():
    hits = hits_of([an_item(f"the kettle number {number} is blue") for number in range(12)])
    text, taken = assemble(hits, [], "catalog", 100_000, TOLD)
    assert text == catalog([catalog_entry(hit) for hit in hits[:10]])
    assert len(taken) == 10
    small, fewer = assemble(hits, [], "catalog", count_tokens(text) - 1, TOLD)
    assert len(fewer) == 9
    assert json.loads(small)["memory_catalog"] == json.loads(text)["memory_catalog"][:9]
    assert assemble(hits, [], "catalog", 1, TOLD) == ("", ())


@given(
    st.lists(st.text("aбЯ中 '\"\n}{,.👍", min_size=1, max_size=40), max_size=6, unique=True),
    st.integers(1, 400),
)
def test_a_catalog_holds_as_many_as_fit(contents, room):
    hits = hits_of([an_item(f"note {n} {content}") for n, content in enumerate(contents)])
    text, taken = assemble(hits, [], "catalog", room, TOLD)
    told = in_context_order(hits, "", TOLD.now)
    sizes = [catalog([catalog_entry(hit) for hit in told[:size]]) for size in range(1, len(told) + 1)]
    fitting = [size for size in sizes if count_tokens(size) <= room]
    assert (text, len(taken)) == (fitting[-1] if fitting else "", len(fitting))


def test_a_hybrid_gives_the_best_in_full_and_names_the_rest():
    items = [an_item(f"the kettle number {number} is blue") for number in range(20)]
    hits = hits_of(items)
    text, taken = assemble(hits, [], "hybrid", 100_000, TOLD)
    (nonce,) = nonces(text)
    frame = [HEADER, opening(nonce), *(block(item) for item in items[:3]), closing(nonce)]
    assert text == "\n".join([*frame, catalog([catalog_entry(hit) for hit in hits[3:13]])])
    assert taken == tuple(items[:13])


def test_what_a_section_leaves_unused_goes_to_the_next():
    events = [an_item(f"event {number} " + "word " * 10, type="event") for number in range(20)]
    text, taken = assemble(hits_of(events), [], "context", 200, TOLD)
    # Nothing else takes anything; a line has 26 tokens with its break, the heading 5.
    assert len(taken) == (200 - 5) // 26
    assert text.startswith("## Timeline\n- (2026-01-01) event 0 word")


def test_a_store_of_facts_alone_may_fill_the_whole_budget():
    facts = [an_item(f"fact {number} " + "word " * 10) for number in range(60)]
    text, taken = assemble(hits_of(facts), [], "context", 500, TOLD)
    assert 460 < count_tokens(text) <= 500
    assert taken == tuple(facts[: len(taken)])


def test_a_small_budget_holds_the_best_thing_that_fits():
    items = [an_item("word " * 80), an_item("The ferry leaves at noon."), an_item("word " * 60)]
    for mode, budget in (("context", 30), ("inject", 190)):
        assert assemble(hits_of(items), [], mode, budget, TOLD)[1] == (items[1],)


def test_what_has_ended_or_not_begun_is_not_told_as_if_it_held(memory, add, clock):
    add("Ana lives in Graz.", type="fact", valid_from="2020-01-01", valid_until="2025-01-01", pinned=True)
    add("Ana lives in Linz.", type="fact", valid_from="2025-01-01")
    add("Ana lives in Wels.", type="fact", valid_from="2027-01-01")
    for mode in ("context", "inject"):
        context = memory.context("Where does Ana live?", mode=mode)
        said = [item.content for item in context.items]
        assert said[0] == "Ana lives in Linz."
        lines = context.text.splitlines()
        for town, note in (("Graz", "until 2025-01-01"), ("Wels", "from 2027-01-01")):
            for place, told in enumerate(lines):
                if town in told:
                    assert note in told or note in lines[place - 1], context.text
        assert "until" not in next(told for told in lines if "Linz" in told)
    assert "Graz" not in memory.core_profile().text


def test_what_is_verified_is_told_before_what_is_contested():
    contested = an_item("The budget is 500 euros.", validation=Validation.CONTESTED)
    verified = an_item("The budget of Apollo is 700 euros.", validation=Validation.VERIFIED)
    other = an_item("The ferry leaves at noon.")
    text, taken = assemble(hits_of([contested, other, verified]), [], "context", 500, TOLD)
    assert taken == (other, verified, contested)
    assert "(contested)" in text


def test_sections_stand_in_order_with_their_shares():
    items = [
        an_item(f"{type_} {number} " + "word " * 7, type=type_) for type_ in TYPES for number in range(40)
    ]
    profile = [an_item(f"profile {number} " + "word " * 7, pinned=True) for number in range(40)]
    text, taken = assemble(hits_of(items), profile, "context", 1000, TOLD)
    headings = [part.splitlines()[0] for part in text.split("\n\n")]
    assert headings == ["## Facts", "## Profiles", "## Timeline", "## Evidence"]
    spent = [count_tokens(part) for part in text.split("\n\n")]
    assert spent[0] <= 400
    assert sum(spent) <= 1000
    assert min(spent) > 80
    assert {item.type for item in taken} == {"fact", "event", "episode"}


@EVERY_MODE
@pytest.mark.parametrize("budget", [0, -1, 2.5, "many", True, 10**9], ids=repr)
def test_a_budget_is_a_positive_whole_number(memory, add, mode, budget):
    add("the kettle is blue")
    with pytest.raises(InvalidInput, match="max_tokens"):
        memory.context("kettle", mode=mode, max_tokens=budget)


def test_an_unknown_mode_is_an_error(memory):
    with pytest.raises(InvalidInput, match="unknown mode 'prose'"):
        memory.context("kettle", mode="prose")


@pytest.mark.parametrize(
    ("chars", "tokens"),
    [(79, 1100), (80, 1400), (199, 1400), (200, 2000), (399, 2000), (400, 2500), (9999, 2500)],
)
def test_the_budget_of_an_injection_follows_the_length_of_the_question(chars, tokens):
    assert budget_for("k" * chars) == tokens


def test_a_question_decides_the_budget_where_it_is_asked_to():
    budgets = {
        (mode, asked, is_complex): token_budget(asked, mode, "k" * 100, is_complex=is_complex)
        for mode in ("context", "inject")
        for asked in (None, "auto", 77)
        for is_complex in (False, True)
    }
    assert [budgets["context", asked, False] for asked in (None, "auto", 77)] == [2000, 1000, 77]
    assert [budgets["context", asked, True] for asked in (None, "auto", 77)] == [2000, 3000, 77]
    assert {budgets["inject", asked, many] for asked in (None, "auto") for many in (False, True)} == {1400}


def test_a_complex_question_gets_more_evidence_and_less_of_the_rest():
    items = [an_item(f"{type_} {n} " + "word " * 7, type=type_) for type_ in TYPES for n in range(80)]
    pinned = [an_item(f"pinned {n} " + "word " * 7, pinned=True) for n in range(80)]
    simple, complex_ = (
        [
            count_tokens(part)
            for part in assemble(hits_of(items), pinned, "context", 1000, PromptForm(AT, is_complex=many))[
                0
            ].split("\n\n")
        ]
        for many in (False, True)
    )
    assert complex_[3] > 2 * simple[3]
    assert all(less < more for less, more in zip(complex_[:3], simple[:3], strict=True))


def test_auto_gives_a_complex_question_three_times_the_room(memory):
    turns = [{"role": "user", "content": f"turn {n}: kettle " + "and more " * 70} for n in range(60)]
    memory.add(turns, session_id="s")
    assert 900 < memory.context("kettle", max_tokens="auto").tokens <= 1000
    assert 2700 < memory.context("compare every kettle", max_tokens="auto").tokens <= 3000


@EVERY_MODE
@pytest.mark.parametrize("budget", [1, 30, 100, 333])
def test_a_context_stays_within_what_was_asked_for(memory, mode, budget):
    memory.add([f"kettle {number}: " + "the kettle is blue 配置 " * (number % 9) for number in range(50)])
    memory.add(
        [{"role": "user", "content": f"where is kettle {number}?"} for number in range(20)], session_id="s"
    )
    context = memory.context("kettle", mode=mode, max_tokens=budget)
    assert count_tokens(context.text) == context.tokens <= budget
    assert context.mode == mode


# Contents


def test_the_same_text_stands_in_a_context_once(memory):
    memory.add("the kettle is blue", type="fact")
    memory.add("the  kettle is blue", type="note")
    memory.add("the kettle is blue", type="event")
    memory.add("the kettle is blue", type="fact", scope="user:ana", pinned=True)
    memory.add("the kettle is blue", type="note", scope="user:ana", pinned=True)
    memory.add([{"role": "user", "content": "the kettle is blue"}], session_id="s")
    for mode in MODES:
        context = memory.context("blue kettle", scope="user:ana", mode=mode)
        assert " ".join(context.text.split()).count("kettle is blue") == 1, mode
        assert len(context.items) == 1


def test_pinned_items_are_the_core_profile_most_important_first(memory, add):
    low = add("Ana keeps bees", pinned=True, importance=0.2)
    high = add("Ana lives in Graz", pinned=True, importance=0.9)
    add("the ferry leaves at noon")
    context = memory.context("when does the ferry leave?", max_tokens=500, min_relevance=0.3)
    assert context.text == (
        "## Facts\n- (2026-03-01) the ferry leaves at noon\n\n"
        "## Profiles\n- (2026-03-01) Ana lives in Graz\n- (2026-03-01) Ana keeps bees"
    )
    assert [item.id for item in context.items][1:] == [high, low]


def test_the_profile_has_the_scope_and_filters_of_the_question(memory, add):
    add("Bo keeps cats", pinned=True, scope="user:bo")
    add("Ana keeps bees", pinned=True, scope="user:ana")
    add("Ana kept hens", pinned=True, scope="user:ana", expires_at="2026-03-02")
    hidden = add("Ana likes plums", pinned=True, scope="user:ana")
    memory.update(hidden, injectable=False)
    text = memory.context("what is there?", scope="user:ana").text
    assert "bees" in text
    assert "hens" in text
    assert "cats" not in text
    assert "plums" not in text
    assert memory.context("what is there?", scope="user:ana", types=["decision"]).text == ""


def test_the_profile_of_the_past_is_that_of_the_past(memory, add, clock):
    old = add("Ana lives in Graz", pinned=True)
    clock.advance(days=1)
    memory.correct(old, "Ana lives in Linz")
    add("Ana keeps bees", pinned=True)
    text = memory.context("where does Ana live?", as_of="2026-03-01T13:00:00Z").text
    assert "Graz" in text
    assert "Linz" not in text
    assert "bees" not in text
    assert "Linz" in memory.context("where does Ana live?").text


def test_the_core_profile_has_its_own_bound_within_its_section():
    pinned = [an_item(f"pinned {n} " + "word " * 28, pinned=True) for n in range(200)]
    text, taken = assemble([], pinned, "context", 100_000, TOLD)
    assert taken == tuple(pinned[: (PROFILE_TOKENS) // 44])
    assert count_tokens(text) <= PROFILE_TOKENS + count_tokens("## Profiles")
    profile, told = core_profile(pinned, now=AT)
    assert told == taken
    assert text == f"## Profiles\n{profile}"
    assert core_profile(pinned, 50, now=AT) == (profile.splitlines()[0], taken[:1])


def test_a_pinned_item_without_room_in_the_profile_can_answer_as_a_fact():
    answer = an_item("the kettle stands in the cellar " + "since we moved " * 5, pinned=True)
    text, taken = assemble([Hit(answer, 1.0, 1.0)], [answer], "context", 90, TOLD)
    assert taken == (answer,)
    assert text.startswith("## Facts\n")


def test_entities_are_told_behind_the_core_profile_and_not_twice():
    pinned = an_item("Ana lives in Graz", pinned=True)
    form = PromptForm(
        AT, profiles=[EntitySummary("Bo", "mends kettles"), EntitySummary("Ana", "Ana  lives in Graz")]
    )
    text, taken = assemble([], [pinned], "context", 500, form)
    assert text == "## Profiles\n- (2026-01-01) Ana lives in Graz\n- **Bo** mends kettles"
    assert taken == (pinned,)


def test_a_timeline_is_in_the_order_of_time_whatever_the_rank():
    days = ["2026-02-03", "2024-05-06", "2025-01-02"]
    events = [an_item(f"event of {day}", type="event", event_at=instant(day)) for day in days]
    text, taken = assemble(hits_of(events), [], "context", 500, TOLD)
    assert text.splitlines()[1:] == [f"- ({day}) event of {day}" for day in sorted(days)]
    assert taken == (events[1], events[2], events[0])


def turns_of(*places, day="2026-02-03"):
    return [
        an_item(
            f"turn {place}",
            type="episode",
            session_id="s",
            ordinal=place,
            event_at=instant(day) + place * 3_600_000_000,
            metadata={"sender": "Ana"},
        )
        for place in places
    ]


def test_turns_that_follow_each_other_stand_together_oldest_first():
    items = turns_of(7, 2, 23, 8, 24, 6)
    text, taken = assemble(hits_of(items), [], "context", 500, TOLD)
    assert text.splitlines() == [
        "## Evidence",
        "- (2026-02-03) Ana: turn 6",
        "  - Ana: turn 7",
        "  - Ana: turn 8",
        "- (2026-02-03) Ana: turn 2",
        "- (2026-02-03) Ana: turn 23",
        "  - (2026-02-04) Ana: turn 24",
    ]
    assert [item.ordinal for item in taken] == [6, 7, 8, 2, 23, 24]


def test_turns_of_other_sessions_and_scopes_are_no_neighbours():
    one, two = turns_of(1, 2)
    other = an_item("turn 2", type="episode", session_id="t", ordinal=2, metadata={"sender": "Ana"})
    far = an_item("turn 0", type="episode", session_id="s", ordinal=0, scope=Scope("user:bo"))
    text, _ = assemble(hits_of([one, other, far]), [], "context", 500, TOLD)
    assert "  - " not in text
    assert "  - " in assemble(hits_of([one, two]), [], "context", 500, TOLD)[0]


def test_ids_are_named_only_where_they_are_wanted(memory, add):
    fact = add("the kettle is blue")
    assert fact not in memory.context("kettle").text
    assert memory.context("kettle", ids=True).text.endswith(f"the kettle is blue [{fact}]")


# What may be told


@EVERY_MODE
def test_what_may_not_be_injected_is_in_no_context_and_crowds_nothing_out(memory, add, mode):
    for number in range(100):
        add(f"the kettle {number} is blue, blue, blue", injectable=False)
    wanted = add("somebody bought a kettle")
    context = memory.context("kettle blue", mode=mode, min_relevance=0)
    assert [item.id for item in context.items] == [wanted]


def test_a_turn_is_told_with_its_sender_and_day(memory):
    memory.add(
        [
            {"role": "user", "content": "the kettle\nis blue", "name": "Ana", "at": "2026-02-03"},
            {"role": "assistant", "content": "a blue kettle, noted"},
        ],
        session_id="s",
    )
    text = memory.context("what colour is the kettle?").text
    assert "- (2026-02-03) Ana: the kettle is blue" in text
    assert "- (2026-03-01) assistant: “a blue kettle, noted”" in text


@EVERY_MODE
def test_a_context_of_nothing_is_empty(memory, mode):
    context = memory.context("what colour is the kettle?", mode=mode)
    assert (context.text, context.items, context.tokens, context.injection_id) == ("", (), 0, None)
    assert context.abstained
    assert memory.injections() == []


@EVERY_MODE
def test_the_same_store_gives_the_same_text(memory, mode):
    memory.add([f"the kettle {number} is blue" for number in range(30)])
    first = memory.context("blue kettle", mode=mode)
    memory.search("something else")
    assert memory.context("blue kettle", mode=mode).text == first.text


@EVERY_MODE
@pytest.mark.parametrize("pinned", [False, True])
def test_what_was_found_but_does_not_fit_is_said_with_the_tokens_that_it_takes(memory, add, mode, pinned):
    add("The mill stands at Lindau.", pinned=pinned)
    few = memory.context("Where is the mill?", mode=mode, max_tokens=5)
    assert (few.text, few.items, few.injection_id) == ("", (), None)
    assert few.hints == (
        f"what was found does not fit into 5 tokens; {few.least_tokens} are enough for some of it",
    )
    enough = memory.context("Where is the mill?", mode=mode, max_tokens=few.least_tokens)
    assert "The mill stands at Lindau." in enough.text
    assert (enough.hints, enough.least_tokens) == ((), None)
    assert not memory.context("Where is the mill?", mode=mode, max_tokens=few.least_tokens - 1).text


def test_what_fits_only_without_its_id_is_told_without(memory, add):
    item_id = add("The mill stands at Lindau.")
    least = memory.context("Where is the mill?", max_tokens=5, ids=True).least_tokens
    told = memory.context("Where is the mill?", max_tokens=least, ids=True)
    assert "The mill stands at Lindau." in told.text
    assert (item_id in told.text, [one.id for one in told.items]) == (False, [item_id])


def test_a_pinned_item_too_long_for_the_core_profile_is_told_of(memory, add):
    add("The mill stands at Lindau.", pinned=True)
    few = memory.core_profile(max_tokens=3)
    assert (few.text, len(few.hints)) == ("", 1)
    assert memory.core_profile(max_tokens=few.least_tokens).text


@pytest.mark.parametrize("mode", ["inject", "hybrid"])
def test_an_injection_stays_the_same_to_the_letter_while_its_content_does(
    memory, add, clock, open_memory, mode
):
    kettle = add("the kettle is blue")
    first = memory.context("what colour is the kettle?", mode=mode, min_relevance=0)
    (nonce,) = nonces(first.text)
    clock.advance(days=1)
    memory.search("kettle")
    memory.reinforce(kettle)
    memory.close()
    memory = open_memory()
    again = memory.context("kettle, what colour?", mode=mode, min_relevance=0)
    assert again.text == first.text
    memory.update(kettle, content="the kettle is red")
    assert nonces(memory.context("kettle", mode=mode, min_relevance=0).text) != (nonce,)


def test_the_same_content_has_another_nonce_in_another_store(memory, add, open_memory, tmp_path):
    record = list(memory.export()) if add("the kettle is blue") else []
    other = open_memory(tmp_path / "other.db")
    other.load(record)
    one, two = (m.context("kettle", mode="inject").text for m in (memory, other))
    assert one.replace(nonces(one)[0], "") == two.replace(nonces(two)[0], "")
    assert one != two


def test_what_was_injected_is_not_taken_for_a_memory(memory, add):
    add("the kettle is blue")
    for mode in ("inject", "hybrid"):
        text = memory.context("kettle", mode=mode).text
        (verdict,) = memory.add(text)
        assert verdict.outcome == "rejected"


# On record


@EVERY_MODE
def test_an_injection_is_on_record_and_why_tells_it(memory, add, clock, mode):
    item_id = add("the kettle is blue", scope="user:ana")
    context = memory.context("what colour is the kettle?", scope="user:ana", session_id="s1", mode=mode)
    assert context.text == ""
    context = memory.context("what colour is the kettle?", scope="user:ana", mode=mode, min_relevance=0)
    told = memory.why(context.injection_id)
    assert (told.id, told.at, told.scope, told.mode) == (context.injection_id, clock.now(), "user:ana", mode)
    assert told.query == "what colour is the kettle?"
    assert told.tokens == context.tokens == count_tokens(context.text)
    ((found, score),) = told.items
    assert found == item_id
    assert score > 0
    assert memory.injections() == [told]
    assert set(told.signals) == {item_id}
    assert all(value != 0 for value in told.signals[item_id].values())
    assert memory.get(item_id).usage_count == 0


def test_injections_are_listed_newest_first_by_session(memory, clock):
    for number in range(3):
        memory.add(f"the kettle {number} is blue", session_id=f"s{number % 2}")
        memory.context("kettle", session_id=f"s{number % 2}")
        clock.advance(hours=1)
    found = memory.injections()
    assert len(found) == 3
    assert [injection.at for injection in found] == sorted((i.at for i in found), reverse=True)
    assert len(memory.injections("s0")) == 2
    assert len(memory.injections(limit=1)) == 1


def test_an_injection_survives_closing(memory, add, open_memory):
    add("the kettle is blue")
    context = memory.context("what colour is the kettle?", min_relevance=0)
    memory.close()
    assert open_memory().why(context.injection_id).tokens == context.tokens


def test_an_unknown_injection_is_not_found(memory):
    with pytest.raises(NotFound):
        memory.why("nothing like it")


def test_why_tells_what_has_become_of_each_item(memory, add, clock):
    ids = {
        name: add(f"the kettle of {name} is blue") for name in ("nobody", "ana", "bo", "cleo", "dan", "eva")
    }
    memory.update(ids["eva"], expires_at="2026-03-03")
    injected = memory.context("kettle", min_relevance=0).injection_id
    clock.advance(days=1)
    memory.update(ids["ana"], content="the kettle of ana is red")
    corrected = memory.correct(ids["bo"], "the kettle of bo is lost")
    memory.forget(ids["cleo"])
    memory.update(ids["dan"], tags=["kitchen"])
    clock.advance(days=3)
    told = memory.why(injected)
    states = {name: told.now[item_id].state for name, item_id in ids.items()}
    assert states == {
        "nobody": "unchanged", "ana": "changed", "bo": "superseded", "cleo": "archived", "dan": "unchanged",
        "eva": "expired",
    }  # fmt: skip
    ana = told.now[ids["ana"]]
    assert (ana.text, ana.item.content) == ("the kettle of ana is blue", "the kettle of ana is red")
    assert told.now[ids["bo"]].item.superseded_by == corrected.item_id
    entries = {entry["id"]: entry for entry in told.to_dict()["items"]}
    assert entries[ids["ana"]]["injected_text"] == "the kettle of ana is blue"
    assert entries[ids["bo"]]["superseded_by"] == corrected.item_id
    assert entries[ids["nobody"]]["signals"]
    (listed,) = memory.injections()
    assert listed == told
    assert "state" not in listed.to_dict()["items"][0]


def test_purging_an_item_takes_the_record_of_its_injections_along(memory, add):
    item_id = add("the kettle is blue")
    injected = memory.context("kettle").injection_id
    memory.flush()
    memory.purge(item_id)
    with pytest.raises(NotFound, match="no injection"):
        memory.why(injected)


def test_an_item_that_is_no_longer_in_the_store_is_gone():
    assert Standing.of(None, (), 1, 2).to_dict()["state"] == "gone"


def test_a_question_with_unstorable_characters_is_asked_without_them(memory, add):
    add("the kettle is blue")
    context = memory.context("what colour\0 is the kettle?")
    assert "\0" not in memory.why(context.injection_id).query
    with pytest.raises(InvalidInput):
        memory.context("the \ud800 kettle")
    for nothing in (" ", "", None, 5):
        with pytest.raises(InvalidInput):
            memory.context(nothing)


@pytest.mark.parametrize("mode", ["context", "inject", "catalog", "hybrid"])
def test_what_holds_until_later_is_told_before_what_has_ended(memory, add, mode):
    window = "The deploy window of Apollo is {}"
    add(window.format("Monday morning"), valid_until="2020-01-01")
    add(window.format("Friday evening"), valid_until="2099-01-01")
    told = memory.context("When is the deploy window of Apollo?", mode=mode).text
    found = memory.search("When is the deploy window of Apollo?", statements_first=True).hits
    assert "Friday" in told
    assert "Monday" not in told or told.index("Friday") < told.index("Monday")
    assert "Friday" in found[0].item.content


@pytest.mark.parametrize("least", [0.2, 0.5, 0.9])
def test_what_nobody_asked_for_is_put_beside_a_prompt_only_where_it_is_near(memory, least):
    memory.add(
        [
            "The mobile app talks to version 2 of the API.",
            "The API is written in Go.",
            "Ana likes plums.",
            "It rained.",
        ],
        type="fact",
    )
    for asked in ("Which version of the API does the mobile app talk to?", "Who won the regatta?"):
        all_hits = memory.search(asked, k=30)
        near = {hit.item.id for hit in all_hits if hit.relevance >= least and not all_hits.abstained}
        found = memory.context(asked, mode="inject", around=Surroundings(nearest=least))
        assert {item.id for item in found.items} == near
        assert bool(found.text) == bool(near)


_WORDS = ("heron", "ABC", "XMLReader", "3.14", "\n", "  ", " " * 9_000, "Ж", "李雷", "a" * 900)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(_WORDS), min_size=1), st.integers(1, 4_000), st.integers(0, 60_000))
def test_a_line_is_too_long_for_its_room_whether_it_is_read_to_its_end_or_not(words, times, room):
    text = " ".join(words * times)[:200_000]
    cost = count_tokens(text) + count_tokens("\n")
    told = line_cost(text, room)
    assert told > room if cost > room else told == cost


def test_a_pasted_file_leaves_room_for_what_is_short(memory):
    pasted = "The servers stand in the cellar beside the boats. " * 4_000
    memory.add([{"role": "user", "content": pasted}], user_id="ana", session_id="one")
    memory.add(
        [{"role": "user", "content": "The heron Loki nests by the pond."}], user_id="ana", session_id="two"
    )
    text = memory.context("Where do the servers stand, and where does Loki nest?", user_id="ana").text
    assert "The heron Loki nests by the pond." in text
    assert "The servers stand in the cellar" in text
    assert count_tokens(text) < 4_000
