"""Choice and order of the hits that are told."""

from hypothesis import given, settings
from hypothesis import strategies as st

from simonides.domain.item import Validation
from simonides.domain.provenance import Origin, Provenance
from simonides.recall import context_selection
from simonides.recall.assemble import PromptForm, Surroundings, assemble
from simonides.recall.context_selection import holds, in_context_order, once, plain, selected_hits
from simonides.recall.question.speech import Act, act_of, states
from simonides.recall.result import Hit
from simonides.testing import an_item

#: Statements about one thing, and turns that state nothing of it; no two say the same.
STATEMENTS = (
    "Apollo ships on Fridays.", "The release of Apollo was moved to May.", "Аполлон выходит по пятницам.",
    "Apollo sort le vendredi.", "阿波罗每周五发布。", "Ben signs off Apollo before it ships",
)  # fmt: skip
OTHERS = (
    "When does Apollo ship?", "when do we ship apollo", "Do you remember when Apollo ships?", "I am not sure.",
    "I don't know when Apollo ships.", "ok thanks", "Когда выходит Аполлон?", "Я не знаю.", "спасибо",
    "Quand sort Apollo ?", "Je ne sais pas.", "merci beaucoup", "阿波罗什么时候发布？", "我不知道。", "好的，谢谢",
    "Can you tell me when Apollo ships?", "And Apollo?",
)  # fmt: skip
TYPES = ("episode", "fact", "note", "decision", "event", "narrative", "chunk", "preference")


def a_hit(content, type_, place, session, assistant):
    fields = {}
    if type_ == "episode":
        fields = {
            "session_id": session,
            "ordinal": place,
            "provenance": Provenance(source_role="assistant" if assistant else "user"),
            "origin": Origin.ASSISTANT_SAID if assistant else Origin.USER_SAID,
        }
    return an_item(content, type=type_, **fields)


MIXES = st.lists(
    st.builds(
        a_hit,
        st.sampled_from(STATEMENTS + OTHERS),
        st.sampled_from(TYPES),
        st.integers(0, 6),
        st.sampled_from("ab"),
        st.booleans(),
    ),
    max_size=14,
    unique_by=lambda item: (item.session_id, item.ordinal) if item.ordinal is not None else item.id,
)


#: Behind the births of all of them.
AT = an_item().created_at + 1


def thanks(item):
    """True of a turn that tells nothing and is told nowhere."""
    return item.type == "episode" and act_of(item) is Act.ACKNOWLEDGES


def hits_of(items):
    return [Hit(item, 1 - rank / 100, 0.5) for rank, item in enumerate(items)]


@settings(max_examples=150)
@given(
    items=MIXES,
    mode=st.sampled_from(["context", "inject", "catalog", "hybrid"]),
    budget=st.sampled_from([150, 400, 5000]),
    question=st.sampled_from(["When does Apollo ship?", "когда выходит Аполлон", ""]),
)
def test_no_turn_that_states_nothing_stands_before_a_statement_but_right_before_its_answer(
    items, mode, budget, question
):
    _, told = assemble(hits_of(items), [], mode, budget, PromptForm(AT, question=question))
    for place, item in enumerate(told):
        if states(item) or not any(states(other) for other in told[place + 1 :]):
            continue
        following = told[place + 1]
        assert states(following)
        assert (following.session_id, following.ordinal) == (item.session_id, (item.ordinal or 0) + 1)
    assert question not in [item.content for item in told] or not question
    if budget == 5000 and mode == "context":
        said = {item.content for item in items if states(item)}
        assert {item.content for item in told if states(item)} == said


@given(items=MIXES)
def test_what_states_keeps_its_order_and_so_does_the_rest(items):
    told = in_context_order(hits_of(items), "", AT)
    left = once(hits_of(items))
    assert [hit for hit in told if states(hit.item)] == [hit for hit in left if states(hit.item)]
    others = [hit for hit in left if not states(hit.item) and not thanks(hit.item)]
    assert [hit for hit in told if not states(hit.item)] == others


def test_a_question_after_questions_leaves_the_order_as_it_is():
    items = [an_item("When does Apollo ship?", type="episode"), an_item("Apollo ships on Fridays.")]
    assert [hit.item for hit in in_context_order(hits_of(items), "What did I ask about Apollo?", AT)] == items


# The same thing


def the_forms(decision="Apollo ships on Fridays."):
    return [
        an_item(
            "Noted: Apollo ships on Fridays. Anything else?", type="episode", origin=Origin.ASSISTANT_SAID
        ),
        an_item(f"The user talked about Apollo. “{decision}”", type="narrative", origin=Origin.SYSTEM),
        an_item("We decided that Apollo ships on Fridays.", type="episode"),
        an_item(decision, type="decision"),
    ]


@given(order=st.permutations(range(4)), beside=st.integers(0, 4))
def test_decision_turn_echo_and_narrative_are_told_once_by_the_decision_in_the_best_place(order, beside):
    other = an_item("The hut in Riga has twelve beds.")
    items = [the_forms()[place] for place in order]
    items.insert(beside, other)
    told = [hit.item for hit in in_context_order(hits_of(items), "", AT)]
    decision = next(item for item in items if item.type == "decision")
    assert told == ([other, decision] if beside == 0 else [decision, other])


def test_without_a_decision_the_users_turn_speaks_for_its_echo():
    echo, narrative, turn, _ = the_forms()
    assert [hit.item for hit in once(hits_of([echo, narrative, turn]))] == [turn]


@given(
    st.sampled_from(STATEMENTS),
    st.sampled_from(
        ["- {}", "* {}", "1. {}", "> {}", "## {}", "**{}**", "*{}*", "`{}`", "__{}__", "- **{}**"]
    ),
    st.booleans(),
)
def test_markup_makes_no_other_statement_of_it(text, markup, first):
    forms = [an_item(text), an_item(markup.format(text))]
    hits = hits_of(forms[:: 1 if first else -1])
    assert [hit.item for hit in once(hits)] == [hits[0].item]
    assert len(assemble(hits, [], "context", 500, PromptForm(now=AT))[1]) == 1


def test_marks_within_a_word_or_a_sum_are_no_markup():
    texts = [
        "2 * 3 is 6",
        "2 3 is 6",
        "use snake_case",
        "use snakecase",
        "use _private",
        "-5 degrees",
        "5 degrees",
    ]
    assert len(once(hits_of([an_item(text) for text in texts]))) == len(texts)


def test_what_adds_denies_or_differs_is_told_beside_what_it_resembles():
    fact = an_item("Apollo ships on Fridays.", type="decision")
    turns = [
        an_item(text, type="episode")
        for text in (
            "Apollo ships on Fridays, except in May.", "Apollo never ships on Fridays.", "Apollo ships on Mondays.",
            "Borealis ships on Fridays.", "Apollo ships 3 crates on Fridays.", "Does Apollo ship on Fridays?",
            "Apollo ships on Fridays. Ben signs it off.",
        )
    ]  # fmt: skip
    assert len(once(hits_of([fact, *turns]))) == 1 + len(turns)


def test_i_of_one_speaker_is_not_i_of_another():
    fact = an_item("I am allergic to walnuts.", type="fact", metadata={"sender": "Ana"})
    turn = an_item("I am allergic to walnuts too!", type="episode", metadata={"sender": "Ben"})
    assert len(once(hits_of([fact, turn]))) == 2


def test_a_narrative_that_quotes_only_a_question_asks():
    asked = an_item("The user talked about Apollo. Asked first: “When does Apollo ship?”", type="narrative")
    settled = an_item("The user talked about Apollo. “Apollo ships on Fridays.”", type="narrative")
    assert (act_of(asked), act_of(settled)) == (Act.ASKS, Act.STATES)
    assert Hit(asked, 1.0, 1.0).to_dict()["act"] == "asks"


#: Statements of one thing in other words, in other grades, now and then.
TOLD_OF = st.builds(
    lambda content, type_, said, sender, span, standing: an_item(
        content,
        type=type_,
        origin=said,
        metadata={"sender": sender} if sender else {},
        valid_from=span[0],
        valid_until=span[1],
        validation=standing,
    ),
    st.sampled_from(
        ["Apollo ships on Fridays.", "apollo ships on fridays", "Noted: Apollo ships on Fridays.", "Apollo ships.",
         "We decided that Apollo ships on Fridays.", "Apollo ships on Mondays.",
         "The user said: “Apollo ships on Fridays.”",
         "Ben signs it off.", "Apollo ships on Fridays. Ben signs it off.", "When does Apollo ship?", "ok", "…"]
    ),
    st.sampled_from(["episode", "fact", "decision", "narrative", "note"]),
    st.sampled_from([Origin.USER_SAID, Origin.ASSISTANT_SAID, Origin.WEB]),
    st.sampled_from(["", "Ana", "Ben"]),
    st.sampled_from([(None, None), (None, AT - 1), (AT + 1, None), (AT - 2, AT + 2)]),
    st.sampled_from([Validation.UNVERIFIED, Validation.VERIFIED, Validation.CONTESTED]),
)  # fmt: skip


def behind_one_by_one(hits, low, high):
    found = list(hits)
    for hit in [hit for hit in hits if low(hit.item)]:
        place = found.index(hit)
        words = context_selection._words_in(hit.item.content)
        better = [
            at
            for at, other in enumerate(found)
            if at > place
            and high(other.item)
            and states(other.item)
            and context_selection._about_the_same(words, context_selection._words_in(other.item.content))
        ]
        if better:
            found.insert(better[-1], found.pop(place))
    return found


@settings(max_examples=150)
@given(st.lists(TOLD_OF, max_size=12))
def test_the_order_is_what_moving_one_low_hit_after_the_other_gives(items):
    hits = hits_of(items)
    told = once(hits)
    told = behind_one_by_one(told, lambda item: not holds(item, AT), lambda item: holds(item, AT))
    told = behind_one_by_one(told, context_selection._contested, context_selection._verified)
    ordered = sorted((hit for hit in told if not thanks(hit.item)), key=lambda hit: not states(hit.item))
    assert in_context_order(hits, "", AT) == ordered
    for most in range(len(ordered) + 1):
        assert in_context_order(hits, "", AT, most=most) == ordered[:most]


@given(st.lists(TOLD_OF, max_size=12), st.frozensets(st.integers(0, 11)))
def test_hits_crowd_where_fewer_than_half_of_them_state_what_is_not_told(items, known):
    told = frozenset(plain(item.content) for place, item in enumerate(items) if place in known)
    stating = sum(states(item) and plain(item.content) not in told for item in items)
    assert Surroundings(told).crowds(hits_of(items)) == (2 * stating < len(items))


def statements(first, *behind, signals=None):
    """Hits with these relevances and scores of ten times these."""
    texts = [
        "Gareth can be reached at 555 0142.",
        "Noor works at a bank.",
        "Ingrid moved to Bergen.",
        "Pavel drives a Volvo.",
    ]
    return [
        Hit(an_item(text), score=10 * relevance, relevance=relevance, signals=signals or {})
        for text, relevance in zip(texts, (first, *behind), strict=True)
    ]


def told(hits, question="What is Gareth's phone number?", likely=0.9, *, closely=True):
    return len(selected_hits(hits, question, now=0, closely=closely, likely=likely))


def test_of_statements_of_which_one_is_meant_a_prompt_holds_two():
    clear = statements(0.8, 0.4, 0.3, 0.3)
    assert told(clear) == 2


def test_where_any_doubt_is_left_a_prompt_holds_more():
    clear = statements(0.8, 0.4, 0.3, 0.3)
    assert told(clear, closely=False) == 4
    assert told(clear, likely=0.6) > 2
    assert told(clear, "Does Gareth have a phone?") > 2
    assert told(clear, "Why did Gareth call?") > 2
    assert told(clear, "Summarize everything that we know of Gareth and his phone number") > 2
    assert told(statements(0.8, 0.7, 0.6, 0.3)) > 2
    assert told(statements(0.39, 0.2, 0.1, 0.1)) > 2
    assert told(statements(0.8, 0.4, 0.3, 0.3, signals={"agenda": 1.0})) > 2


def test_long_texts_are_told_beside_the_first():
    clear = statements(0.8, 0.4, 0.3, 0.3)
    long = [Hit(an_item(hit.item.content * 6), hit.score, hit.relevance) for hit in clear]
    assert told(long) > 2
