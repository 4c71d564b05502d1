"""Questions about a former time see what was replaced since, and nothing of what was forgotten."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides import Memory
from simonides.testing import FakeEmbedder, FrozenClock

#: What held, what holds since two months later, a question about the former time, and one about now.
CHANGES = [
    ("I live in Linz.", "I live in Vienna.", "Where did I live in January?", "Where do I live?"),
    ("I live in Linz.", "I live in Vienna.", "Where did I live before?", "Where do I live now?"),
    ("I swim on Tuesdays.", "I swim on Thursdays.", "When did I swim in January 2026?", "When do I swim?"),
    ("My manager is Priya.", "My manager is Tom.", "Who was my former manager?", "Who is my manager?"),
    ("My manager is Priya.", "My manager is Tom.", "Who is my old manager?", "Who is my manager?"),
    ("The port is 8080.", "The port is 9090.", "What did the port use to be?", "What is the port?"),
    ("The build takes 7 minutes.", "The build takes 5 minutes.", "How long did the build take in January?",
     "How long does the build take?"),
    ("Mia wohnt in Linz.", "Mia wohnt in Wien.", "Wo hat Mia früher gewohnt?", "Wo wohnt Mia?"),
    ("Mias Chef ist Jan.", "Mias Chef ist Ole.", "Wer war Mias früherer Chef?", "Wer ist Mias Chef?"),
    ("Mia vive en Madrid.", "Mia vive en Cádiz.", "¿Dónde vivía Mia antes?", "¿Dónde vive Mia?"),
    ("Mia habite à Lyon.", "Mia habite à Paris.", "Où habitait Mia auparavant ?", "Où habite Mia ?"),
    ("Миа живёт в Москве.", "Миа живёт в Омске.", "Где Миа жила раньше?", "Где живёт Миа?"),
    ("Mia住在北京。", "Mia住在上海。", "Mia以前住在哪里？", "Mia住在哪里？"),
]  # fmt: skip


@pytest.fixture
def memory(fresh):
    with Memory(fresh, clock=FrozenClock("2026-01-05T09:00:00Z")) as memory:
        memory.add(["The cellar is damp.", "We walk to the lake with Bo."])
        yield memory


def found(memory, question, **asked):
    return [hit.item.content for hit in memory.search(question, **asked)]


def changed(memory, old, new):
    (item_id,) = memory.add(old, type="fact").item_ids
    memory._parts.clock.advance(days=60)
    replaced = memory.correct(item_id, new).item_id
    memory._parts.clock.advance(days=10)
    return item_id, replaced


@pytest.mark.parametrize(("old", "new", "then", "now"), CHANGES)
def test_what_held_then_comes_first_and_what_holds_is_told_beside_it(memory, old, new, then, now):
    changed(memory, old, new)
    told = found(memory, then)
    assert told.index(old) < told.index(new)
    assert old not in found(memory, now)
    assert new in found(memory, now)


@pytest.mark.parametrize(
    ("old", "new", "now"),
    [
        ("My daughter is 7 years old.", "My daughter is 8 years old.", "How old is my daughter?"),
        ("The server is 3 years old.", "The server is 4 years old.", "How old is the server now?"),
        ("The first step is the backup.", "The first step is the dry run.", "What is the first step?"),
        ("The release takes 3 weeks.", "The release takes 2 weeks.", "How long until the release?"),
        ("I lock the door.", "I lock the gate.", "What do I lock before I leave?"),
        ("Ich sperre die Tür ab.", "Ich sperre das Tor ab.", "Was sperre ich zuerst ab?"),
        ("Meine Miete ist 700 Euro.", "Meine Miete ist 800 Euro.", "Was kostet meine Miete?"),
        ("Mein Beruf ist Koch.", "Mein Beruf ist Wirt.", "Sag mir, was mein Beruf ist."),
        ("Cierro la puerta.", "Cierro el portal.", "¿Qué cierro antes de salir?"),
        ("Je ferme la porte.", "Je ferme le portail.", "Qu'est-ce que je ferme avant de partir ?"),
    ],
)
def test_what_is_told_in_the_present_asks_for_what_holds(memory, old, new, now):
    changed(memory, old, new)
    told = found(memory, now)
    assert new in told
    assert old not in told


@pytest.mark.parametrize(("old", "new", "then", "now"), CHANGES)
def test_asked_on_a_former_day_a_question_finds_what_held_then(memory, old, new, then, now):
    changed(memory, old, new)
    told = found(memory, now, at="2026-01-20")
    assert old in told
    assert new not in told
    assert found(memory, now, at="2026-03-10") == found(memory, now)


@pytest.mark.parametrize(("old", "new", "then", "now"), CHANGES)
def test_of_what_was_so_once_and_is_so_again_the_one_of_the_time_that_is_asked_about_is_told(
    memory, old, new, then, now
):
    first, second = changed(memory, old, new)
    memory._parts.clock.advance(days=60)
    third = memory.correct(second, old).item_id
    memory._parts.clock.advance(days=10)
    for question, told, asked in ((then, first, {}), (now, third, {}), (now, third, {"archived": True})):
        hits = memory.search(question, **asked).hits
        assert next(hit.item.id for hit in hits if hit.item.content == old) == told


@pytest.mark.parametrize(
    "question", ["Where did I live in April?", "What must I check before I move to Linz?"]
)
def test_what_had_ended_before_the_time_or_is_asked_for_by_no_time_is_not_told(memory, question):
    changed(memory, "I live in Linz.", "I live in Vienna.")
    memory._parts.clock.advance(days=60)
    assert "I live in Linz." not in found(memory, question)


def test_a_context_says_until_when_it_held(memory):
    changed(memory, "I live in Linz.", "I live in Vienna.")
    assert "I live in Linz. (until 2026-03-06, superseded)" in memory.context("Where did I live before?").text


@pytest.mark.parametrize("question", ["When did we meet in January?", "When did we meet before?"])
def test_an_event_that_was_told_wrongly_never_held(memory, question):
    changed(memory, "We met on a Monday.", "We met on a Tuesday.")
    told = found(memory, question)
    assert told[0] == "We met on a Tuesday."


def test_what_was_replaced_is_nothing_that_a_change_could_mean(memory):
    _, new = changed(memory, "My address is Elm Street 12.", "My address is Oak Lane 3.")
    meant = memory.resolve("my old address")
    hits = [meant] if not hasattr(meant, "hits") else [hit.item for hit in meant.hits]
    assert {item.content for item in hits} <= {
        "My address is Oak Lane 3.", "The cellar is damp.", "We walk to the lake with Bo.",
    }  # fmt: skip
    assert new in {item.id for item in hits}


@settings(max_examples=25)
@given(
    length=st.integers(1, 4), gone=st.integers(0, 4), how=st.sampled_from(["forget", "purge", "none"]),
    asked=st.sampled_from(["Where did Mia live in 2025?", "Where did Mia live before?", "valid_at", "former boss?"]),
)  # fmt: skip
def test_nothing_of_what_was_forgotten_comes_back_by_what_it_replaced(
    tmp_path_factory, length, gone, how, asked
):
    clock = FrozenClock("2025-01-05")
    folder = tmp_path_factory.mktemp("former")
    with Memory(folder / "m.db", embedder=FakeEmbedder(), clock=clock) as memory:
        ids = [memory.add("Mia lives in town 0 near her boss.", type="fact").item_ids[0]]
        for n in range(1, length + 1):
            clock.advance(days=30)
            ids.append(memory.correct(ids[-1], f"Mia lives in town {n} near her boss.").item_id)
        clock.advance(days=400)
        lost = ids[min(gone, length)]
        if how != "none":
            getattr(memory, how)(lost)
        told = (
            memory.search("where does Mia live?", valid_at="2025-01-20", k=20)
            if asked == "valid_at"
            else memory.search(asked, k=20)
        )
        found = {hit.item.id for hit in told}
        last = lost == ids[-1]
        if how == "none":
            assert ids[0] in found
        elif last or how == "purge":
            assert not found & set(ids[: ids.index(lost) + 1])
        else:
            assert lost not in found
