"""Many rows in one statement: what is written is what was given."""

import numpy as np
import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides.domain.scope import Scope
from simonides.domain.verdict import Outcome
from simonides.language.russian_names import forms
from simonides.ports.store import NewItem
from simonides.storage.postgres.address import PostgresAddress
from simonides.storage.postgres.arrays import array
from simonides.storage.postgres.database import PostgresDatabase
from simonides.storage.postgres.statements import query_of
from simonides.storage.postgres.store import PostgresStore
from simonides.storage.postgres.vectors import half_bytes, halves
from simonides.testing import an_item

#: What a text may hold: no NUL, no half of a pair.
TEXTS = st.text(
    st.characters(exclude_characters="\0", exclude_categories=["Cs"]) | st.sampled_from("\"\\{},' ")
)
NUMBERS = st.integers(-(2**63), 2**63 - 1)


@settings(max_examples=60, deadline=None)
@given(
    texts=st.lists(TEXTS | st.none()) | st.lists(TEXTS),
    numbers=st.lists(NUMBERS | st.none()) | st.lists(NUMBERS),
    data=st.lists(st.binary() | st.none()) | st.lists(st.binary()),
)
def test_arrays_are_read_as_they_were_written(server, texts, numbers, data):
    with server.owner() as owner:
        asked = "SELECT %s::text[], %s::bigint[], %s::bytea[]"
        found = owner.execute(asked, [array(tuple(values)) for values in (texts, numbers, data)]).fetchone()
    assert found == (texts, numbers, data)


def test_an_array_with_a_text_that_no_text_can_be_is_refused(server):
    with server.owner() as owner, pytest.raises(psycopg.DataError):
        owner.execute("SELECT %s::text[]", (array(("one", "an\0other")),))


@settings(max_examples=60, deadline=None)
@given(texts=st.lists(TEXTS))
def test_texts_of_a_view_are_read_as_they_were_asked(server, texts):
    asked = query_of("SELECT :texts::text[], '5 %% %' WHERE :texts::text[] IS NOT NULL")
    with server.connections.lend() as connection:
        (found,) = PostgresDatabase(connection, 1).run(asked, {"texts": texts})
    assert found == (texts, "5 %% %")


@settings(max_examples=60, deadline=None)
@given(
    vectors=st.lists(
        st.lists(st.floats(width=32, allow_nan=False), max_size=4).map(tuple), min_size=1, max_size=5
    )
)
def test_vectors_are_halved_together_as_each_by_itself(vectors):
    given = [np.array(vector, "<f4").tobytes() for vector in vectors]
    assert halves(given) == [half_bytes(one) if one else b"" for one in given]


@pytest.mark.parametrize("name", ["Ana", "Ana O'Neil", "C++", "Анна", "東京", "back\\slash"])
def test_who_else_has_a_name_is_found_in_its_scope_alone(server, name):
    store = PostgresStore(
        PostgresAddress(url=server.url, tenant=server.new_tenant()), connections=server.connections
    )
    contents = [f"{name} sails", "nobody sails", f"again {name}", f"{max(forms(name))} here"]
    items = [an_item(content, scope=Scope("user:ana")) for content in contents]
    items.append(an_item(f"{name} elsewhere", scope=Scope("user:bo")))
    store.write(lambda tx: tx.insert([NewItem(item, Outcome.ACCEPTED) for item in items], None))

    def holders(tx, most):
        scope = tx.scope_key(Scope("user:ana"))
        tx.look_for_names([(scope, name), (scope, "?!")], most)
        return tx.holders_of_name(name, scope, most), tx.holders_of_name("?!", scope, most)

    assert store.write(lambda tx: holders(tx, 9)) == ([4, 3, 1], [])
    assert store.write(lambda tx: holders(tx, 1)) == ([4], [])
