"""Many words at a time, told by whole numbers: the same scores as by looking up each, to the last bit."""

import json
import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.domain.verdict import Outcome
from simonides.ports.store import NewItem, TextQuery
from simonides.storage.postgres.address import PostgresAddress
from simonides.storage.postgres.store import PostgresStore
from simonides.storage.postgres.tallies import place_of, tallies
from simonides.testing import an_item
from tests.storage.postgres.server import running


def sharing():
    """Two words that have the same place."""
    known = {}
    for number in range(1 << 18):
        word = f"w{number}q"
        if (other := known.setdefault(place_of(word), word)) != word:
            return other, word
    raise AssertionError


SHARING = sharing()
#: Enough for several questions of twelve each.
WORDS = (*SHARING, *(f"{first}{second}lm" for first in "bcdfgr" for second in "aeiou"))


@pytest.fixture(scope="module")
def store():
    drawn = random.Random(7)
    server = running()
    made = PostgresStore(
        PostgresAddress(url=server.url, tenant=server.new_tenant()), connections=server.connections
    )
    texts = (
        " ".join(
            word
            for word in drawn.sample(WORDS, drawn.randint(1, 9))
            for _ in range(drawn.choice([1, 1, 1, 2, 3, 5]))
        )
        for _ in range(400)
    )
    items = [an_item(f"{text} {number}", scope=Scope("user:ana")) for number, text in enumerate(texts)]
    made.write(lambda tx: tx.insert([NewItem(item, Outcome.ACCEPTED) for item in items], None))
    return made


@pytest.fixture(scope="module")
def untold(store):
    """The same, where nothing but the counts tell."""
    server = running()
    other = PostgresStore(
        PostgresAddress(url=server.url, tenant=server.new_tenant()), connections=server.connections
    )
    with store.read() as reader:
        items = reader.load(list(range(1, 401)))
    other.write(lambda tx: tx.insert([NewItem(items[key], Outcome.ACCEPTED) for key in sorted(items)], None))
    with server.owner() as owner:
        owner.execute("UPDATE memory_words SET tallies = NULL WHERE tenant = %s", (other.tenant,))
    return other


@settings(max_examples=40)
@given(
    terms=st.lists(st.sampled_from(WORDS), min_size=4, max_size=30, unique=True),
    every=st.booleans(),
    variants=st.dictionaries(
        st.sampled_from(WORDS),
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(tuple),
        max_size=3,
    ),
)
@example(terms=[*WORDS], every=False, variants={})
@example(terms=[SHARING[0], *WORDS[2:12]], every=False, variants={})
@example(terms=[*WORDS[2:14]], every=False, variants={WORDS[3]: (SHARING[1], f"{WORDS[4]} {WORDS[5]}")})
def test_scores_are_those_of_the_counts(store, untold, terms, every, variants):
    found = []
    for one in (store, untold):
        with one.read() as reader:
            query = TextQuery(tuple(terms), every=every, variants=variants)
            matches = reader.search_text(query, Selection(scopes=None, live_at=None), 500)
            found.append((matches.keys.tolist(), matches.scores.tolist(), matches.terms))
    assert found[0] == found[1]


@settings(max_examples=60)
@given(
    counts=st.dictionaries(
        st.text(st.characters(exclude_characters="\0", codec="utf-8"), min_size=1), st.integers(1, 9)
    )
)
@example(counts={})
@example(counts=dict.fromkeys(SHARING, 2) | {"a'\"\\": 1})
@example(counts={str(number): 1 for number in range(16_000)})
@example(counts={str(number): 1 for number in range(16_001)})
def test_the_server_tallies_as_the_client_does(server, counts):
    with server.owner() as owner:
        placed = owner.execute(
            "SELECT t, simonides_place(t) FROM unnest(%s::text[]) AS u (t)", (list(counts),)
        )
        assert dict(placed.fetchall()) == {word: place_of(word) for word in counts}
        same = owner.execute(
            "SELECT simonides_tallies(%s::text::jsonb) IS NOT DISTINCT FROM %s::text::sparsevec",
            (json.dumps(counts), tallies(counts)),
        )
        assert same.fetchone() == (True,)


@pytest.mark.parametrize("tallies", ["NULL", "'{1:3}/268435456'"])
def test_doctor_tells_how_numbers_become_those_of_the_words_again(server, tallies):
    store = PostgresStore(
        PostgresAddress(url=server.url, tenant=server.new_tenant()), connections=server.connections
    )
    items = [an_item("Ana keeps a note."), an_item("Bo keeps another.")]
    store.write(lambda tx: tx.insert([NewItem(item, Outcome.ACCEPTED) for item in items], None))
    assert not [*store.check()]
    with server.owner() as owner:
        owner.execute(
            f"UPDATE memory_words SET tallies = {tallies} WHERE tenant = %s AND item = 2", (store.tenant,)
        )
        (problem,) = store.check()
        assert problem.area == "text index"
        assert "1 items" in problem.message
        owner.execute(problem.message.partition("run ")[2])
    assert not [*store.check()]
