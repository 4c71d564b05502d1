"""Round trips: what a caller waits for where the database is far away."""

import time

import pytest

from simonides import Memory
from simonides.testing import FakeEmbedder
from tests.storage.postgres.network import Network


@pytest.fixture
def network(server):
    counting = Network(f"{server.data}/.s.PGSQL.5432")
    yield counting
    counting.close()


@pytest.fixture
def memory(server, network):
    url = f"postgresql://simonides_app@127.0.0.1:{network.port}/postgres?sslmode=disable&gssencmode=disable"
    with Memory(url, tenant=server.new_tenant(), embedder=FakeEmbedder(8)) as opened:
        yield opened


#: Several times what one trip takes: nothing goes on behind anybody's back after so long a silence.
SILENCE_S = 0.1


def quiet(network):
    """The trips until now, when no more come."""
    before = None
    while before != network.trips:
        before = network.trips
        time.sleep(SILENCE_S)
    return before


def takes(most, memory, network, work):
    """Tell if some work takes so few round trips, with those behind its back; it was done before, as a process does.

    A machine that is busy adds some: it sends in parts what belongs together, and ends a view late. So the fewest of
    several times are those of the work itself.
    """
    network.delay_s = 0.02  # What is sent while nothing can have been heard yet is one trip.
    work()
    for _ in range(6):
        memory.flush()  # Uses are written down half a second later.
        before = quiet(network)
        work()
        if quiet(network) - before <= most:
            return True
    return False


def texts(text):
    """A text that nobody has said before, each time."""
    numbers = iter(range(1000))
    return lambda: text.format(next(numbers))


def test_a_search_waits_for_three_round_trips(memory, network):
    memory.add([f"Ana keeps note {n} about the harbour." for n in range(20)], project="apollo")
    memory.search("harbour note", project="apollo")
    # The fourth ends the view, when the search has answered.
    assert takes(4, memory, network, lambda: memory.search("harbour note", project="apollo"))


def test_a_search_of_a_process_that_holds_the_vectors_takes_no_more(memory, network):
    memory.add([f"Ana keeps note {n} about the harbour." for n in range(20)], project="apollo")
    for _ in range(10):  # By then it holds them.
        memory.search("harbour note", project="apollo")
    assert takes(4, memory, network, lambda: memory.search("harbour note", project="apollo"))


@pytest.mark.parametrize(
    "question",
    [
        "Where is the harbour note? Who keeps the river note?",
        "Why does Ana keep a note about the harbour, and Bo one about the river?",
        "Which notes did Ana keep about the harbour?",
        "What did Ana keep last week about the harbour?",
        "Where does Ana live?",
        "Где живёт Иванов?",
        "Which thunderstorm did the harbourmaster keep from umbrellas?",
        "Where does my mother keep the harbour note?",
    ],
    ids=[
        "several",
        "complex",
        "list",
        "time",
        "change",
        "names in other cases",
        "words that the store lacks",
        "kin",
    ],
)
def test_a_question_of_any_kind_waits_for_three_round_trips(memory, network, question):
    memory.add([f"Ana keeps note {n} about the harbour, Bo one about the river." for n in range(20)])
    memory.search(question)
    assert takes(4, memory, network, lambda: memory.search(question))


def test_a_name_of_several_words_is_looked_for_in_texts_for_two_more(memory, network):
    memory.add([f"Ana keeps note {n} about the harbour_note." for n in range(20)])
    memory.search("harbour_note")
    assert takes(6, memory, network, lambda: memory.search("harbour_note"))


@pytest.mark.parametrize(
    "narrower",
    [
        {"tags": ["tide"]},
        {"after": "2026-03-01"},
        {"after": "2026-03-01", "before": "2026-05-01", "tags": ["tide"], "types": ["fact"]},
        {"valid_at": "2026-06-01"},
        {"entity": "Ana"},
        {"metadata": {"berth": 2}},
        {"tiers": ["mtm"], "task_id": "t1", "pinned": False, "kinds": ["semantic"], "session_id": "s"},
    ],
    ids=["tags", "time", "several", "instant", "entity", "metadata", "others"],
)
def test_a_narrower_selection_takes_no_more(memory, network, narrower):
    clock = "2026-04-{:02}T10:00:00Z"
    for n in range(20):
        memory.add(
            f"Ana keeps note {n} about the harbour.",
            type="fact", tags=["tide"], event_at=clock.format(n + 1), metadata={"berth": n % 3}, task_id="t1",
            tier="mtm", entities=["Ana"], session_id="s",
        )  # fmt: skip
    assert memory.search("harbour note", **narrower).hits
    assert takes(4, memory, network, lambda: memory.search("harbour note", **narrower))


def test_a_search_that_finds_former_wordings_takes_no_more(memory, network):
    """Turns whose statements were corrected, again and again: with the hits it asks if they still hold."""
    turns = [f"I keep note {n} about the harbour." for n in range(8)]
    for turn in turns:
        told = [{"role": "user", "content": turn}]
        (said,) = memory.add(told, session_id="s", scope="user:ana").item_ids
        (stated,) = memory.add(turn, type="preference", scope="user:ana").item_ids
        memory.link(stated, said, "derived_from")
        for place in ("river", "bridge"):
            stated = memory.correct(stated, turn.replace("harbour", place)).item_id
    question = "Where is the harbour note?"
    assert any(hit.superseded_by for hit in memory.search(question, scope="user:ana"))
    assert takes(4, memory, network, lambda: memory.search(question, scope="user:ana"))


@pytest.mark.parametrize(
    "question",
    ["Which note is on the bookshelf?", "Where is the note of harbuor?", "Where is the note for my mother?"],
)
def test_a_word_that_stands_for_others_takes_one_more(memory, network, question):
    """Its variants are looked up while it is searched for, and then they are."""
    memory.add([f"Ana keeps note {n} on the book shelf of the Harbour for Mum." for n in range(20)])
    assert memory.search(question).hits
    assert takes(5, memory, network, lambda: memory.search(question))


def test_a_write_waits_for_two_round_trips(memory, network):
    text = texts("Ana keeps note {} about the harbour.")
    assert takes(2, memory, network, lambda: memory.add(text(), project="apollo"))


def test_many_items_wait_for_no_more_than_one(memory, network):
    text = texts("Ana keeps note {} about the harbour.")
    assert takes(2, memory, network, lambda: memory.add([text() for _ in range(100)], project="apollo"))


def test_a_write_beside_what_is_settled_looks_at_that_first(memory, network):
    memory.add("We ship on Fridays.", pinned=True, project="apollo")
    text = texts("Ana keeps note {} about the harbour.")
    # Two for what is settled and the names; that view ends behind the back of whoever waits.
    assert takes(5, memory, network, lambda: memory.add(text(), project="apollo"))


def test_many_items_beside_what_is_settled_look_at_that_once(memory, network):
    memory.add("We ship on Fridays.", pinned=True, project="apollo")
    text = texts("Ana keeps note {} about the harbour.")
    assert takes(6, memory, network, lambda: memory.add([text() for _ in range(40)], project="apollo"))


def test_a_turn_of_a_chat_waits_for_three_round_trips(memory, network):
    text = texts("And what about note {}?")

    def turn():
        memory.add([{"role": "user", "content": text()}], session_id="s", project="apollo")

    # It asks whether turns of the session were moved to the archive; that view, too, ends behind its back.
    assert takes(4, memory, network, turn)


def test_forgetting_waits_for_five_round_trips(memory, network):
    # One of them asks whether there were conversations that may tell it.
    items = memory.add([f"Ana keeps note {n} about the harbour." for n in range(8)], project="apollo")
    ids = iter([item.item_id for item in items])
    assert takes(7, memory, network, lambda: memory.forget(next(ids)))


def test_a_purge_waits_for_some_thirteen_round_trips_however_much_goes(memory, network):
    items = memory.add([f"Ana keeps note {n} about the harbour." for n in range(300)], project="apollo")
    ids = [item.item_id for item in items]
    assert takes(13, memory, network, lambda: memory.purge(ids.pop()))
    assert takes(15, memory, network, lambda: memory.purge(*[ids.pop() for _ in range(40)]))


def test_a_correction_waits_for_seven_round_trips(memory, network):
    items = memory.add([f"Ana keeps note {n} about the harbour." for n in range(8)], project="apollo")
    ids = iter([item.item_id for item in items])
    numbers = iter(range(100))
    assert takes(9, memory, network, lambda: memory.correct(next(ids), f"Ana lost note {next(numbers)}."))


def test_new_names_are_looked_for_among_earlier_items_several_at_once(memory, network):
    number = iter(range(100))

    def batch():
        n = next(number)
        return [f"We met {name}{'bcdfghklmn'[n]}ard Quill{name.lower()} at the harbour." for name in
                ("Al", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ike", "Jo", "Kim", "Leo")]  # fmt: skip

    before = len(memory.entities.list(scope="project:apollo"))
    # The names are asked for once the items stand, and the items that hold them are read then.
    assert takes(10, memory, network, lambda: memory.add(batch(), project="apollo"))
    assert len(memory.entities.list(scope="project:apollo")) >= before + 20
