"""The same thing is told once, by its best form, in the place of the best: compared with a slow way to say so."""

from hypothesis import given
from hypothesis import strategies as st

from simonides.domain.provenance import Origin, Trust
from simonides.recall.context_selection import once
from simonides.recall.result import Hit
from simonides.testing import an_item

#: Each thing in words that say it alike, and some that say more or another thing.
TEXTS = [
    "Apollo ships on Fridays.",
    "apollo ships on Fridays",
    "We decided that Apollo ships on Fridays.",
    "Apollo ships on Mondays.",
    "Apollo ships on Fridays. The tests run on Thursdays.",
    "The tests run on Thursdays.",
    "I live in Lyon.",
    "The user lives in Lyon.",
    "When does Apollo ship?",
    "ok",
]
ITEMS = st.builds(
    an_item,
    st.sampled_from(TEXTS),
    type=st.sampled_from(["fact", "episode", "narrative", "decision"]),
    origin=st.sampled_from([Origin.USER_SAID, Origin.ASSISTANT_SAID, Origin.WEB]),
    trust=st.sampled_from([Trust.HIGH, Trust.LOW]),
    scope=st.sampled_from(["user:ana", "user:bob"]),
    metadata=st.sampled_from([{}, {"sender": "Ana"}, {"sender": "Ben"}]),
)
HITS = st.lists(ITEMS, max_size=9).map(
    lambda items: [Hit(item, score=float(-place), relevance=0.5) for place, item in enumerate(items)]
)


def speaks_for(one, other):
    """True if one is all that is told of two."""
    told = once([one, other])
    return len(told) == 1 and told[0] is one


def slowly(hits):
    """Each hit, from the best form on, goes where the first kept one that speaks for it stands."""
    kept = []
    for _, hit in sorted(enumerate(hits), key=lambda pair: (grade(pair[1]), pair[0])):
        spoken = next((entry for entry in kept if speaks_for(entry[0], hit)), None)
        if spoken is None:
            kept.append([hit, hits.index(hit)])
        else:
            spoken[1] = min(spoken[1], hits.index(hit))
    return [hit for hit, _ in sorted(kept, key=lambda entry: (entry[1], hits.index(entry[0])))]


def grade(hit):
    item = hit.item
    if item.trust is Trust.LOW or item.origin is Origin.WEB:
        return 4
    if item.type == "narrative":
        return 3
    if item.type != "episode":
        return 0
    return 2 if item.origin is Origin.ASSISTANT_SAID else 1


@given(HITS)
def test_of_many_the_same_are_told_as_of_each_two(hits):
    assert [hit.item.id for hit in once(hits)] == [hit.item.id for hit in slowly(hits)]


@given(ITEMS, ITEMS)
def test_of_two_forms_of_one_text_the_better_is_told_in_the_better_place(first, second):
    one, other = Hit(first, 1.0, 0.5), Hit(second, 0.5, 0.5)
    told = once([one, other])
    assert told
    if first.content == second.content:
        assert told == [min((one, other), key=grade)]
    if (
        first.scope != second.scope
        and first.content.strip(".").casefold() != second.content.strip(".").casefold()
    ):
        assert told == [one, other]
