"""A decision is made whole, or not at all; and repeating it goes on where it stopped."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from simonides.domain.item import Status
from simonides.errors import Conflict, NeedsApproval, SimonidesError
from simonides.testing import FrozenClock


class Meanwhile(FrozenClock):
    """A clock at whose every look something else happens first, as in another thread."""

    def __init__(self):
        super().__init__("2026-03-01T12:00:00Z")
        self.happens = None

    def now(self):
        happens, self.happens = self.happens, None
        if happens is not None:
            again = happens()
            self.happens = happens if again else None
        return super().now()


@pytest.fixture
def meanwhile():
    return Meanwhile()


@pytest.fixture
def watched(open_memory, meanwhile):
    return open_memory(clock=meanwhile)


def waiting(memory):
    return [one.item.id for one in memory.review.list()]


def asked(memory, item_id, act, changes=None):
    if act == "assign":  # What a person placed, a model does not move.
        memory.palace.assign(item_id, room="people")
    verdict = memory.review.ask(item_id, act, changes, actor="model")
    assert verdict.outcome == "quarantined", verdict
    return verdict.item_id


def test_a_correction_with_further_fields_is_approved_whole(memory, add):
    home = add("Ana lives in Oslo", type="fact")
    request = asked(
        memory, home, "correct", {"content": "Ana lives in Rome now", "tags": ["home"], "tier": "ltm"}
    )
    verdict = memory.review.approve(request)
    assert verdict.outcome == "accepted"
    assert waiting(memory) == []
    now = memory.get(verdict.item_id)
    assert (now.content, now.tags, now.tier) == ("Ana lives in Rome now", ("home",), "ltm")
    assert memory.get(home).superseded_by == now.id


def test_a_correction_of_which_a_field_is_refused_changes_nothing(memory, add):
    home = add("Ana lives in Oslo", type="fact")
    request = asked(memory, home, "correct", {"content": "Ana lives in Rome now", "importance": 0.9})
    memory.correct(home, "Ana lives in Bergen")
    before = list(memory.export())
    with pytest.raises(Conflict, match="replaced"):
        memory.review.approve(request)
    assert list(memory.export()) == before
    assert waiting(memory) == [request]


@pytest.mark.parametrize(
    ("act", "changes"),
    [
        ("correct", {"content": "Ana lives in Rome now"}),
        ("update", {"title": "Home"}),
        ("confirm", None),
        ("assign", {"room": "homes"}),
    ],
)
def test_a_request_that_was_decided_meanwhile_is_not_carried_out(watched, meanwhile, act, changes):
    home = watched.add("Ana lives in Oslo", type="fact").verdicts[0].item_id
    request = asked(watched, home, act, changes)
    before = watched.get(home), watched.palace.where(home)
    meanwhile.happens = lambda: watched.review.reject(request) and None
    with pytest.raises(Conflict):
        watched.review.approve(request)
    assert (watched.get(home), watched.palace.where(home)) == before
    assert waiting(watched) == []


@pytest.mark.parametrize("act", ["correct", "update", "forget", "confirm", "assign"])
def test_of_approvals_at_once_one_is_carried_out(memory, add, act):
    changes = {
        "correct": {"content": "Ana lives in Rome now"},
        "update": {"title": "x"},
        "assign": {"room": "homes"},
    }
    request = asked(memory, add("Ana lives in Oslo", type="fact"), act, changes.get(act))
    together = threading.Barrier(4)

    def approve(_):
        together.wait()
        try:
            return memory.review.approve(request).outcome
        except SimonidesError as error:
            return error

    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(approve, range(4)))
    won = [answer for answer in answers if not isinstance(answer, SimonidesError)]
    assert len(won) >= 1 if act == "forget" else len(won) == 1
    assert all(isinstance(answer, Conflict) for answer in answers if answer not in won)
    assert waiting(memory) == []
    assert [event.action for event in memory.audit.events(item_id=request)].count("approve") == 1


def test_a_model_that_corrects_its_own_and_sets_what_people_set_changes_nothing(memory):
    noon = "The ferry leaves at noon."
    (verdict,) = memory.propose(
        [{"content": noon, "type": "fact", "why_store": "seen", "source": "timetable"}], user_said=noon
    )
    assert verdict.outcome == "accepted", verdict
    changes = {"content": "The ferry leaves at one.", "pinned": True}
    answer = memory.review.ask(verdict.item_id, "correct", changes, actor="model")
    assert answer.outcome == "quarantined"
    assert any("pinned is set by people" in reason for reason in answer.reasons)
    assert memory.get(verdict.item_id).content == "The ferry leaves at noon."
    assert memory.get(verdict.item_id).status is Status.ACTIVE


def test_what_takes_a_person_says_why_as_data():
    error = NeedsApproval(reasons=("pinned is set by people", "doubt: a; b"))
    assert error.reasons == ("pinned is set by people", "doubt: a; b")
    assert str(error) == "pinned is set by people; doubt: a; b"


def test_what_cannot_be_forgotten_just_now_stands_as_it_did_with_all_that_was_made_of_it(watched, meanwhile):
    source = watched.add("Ana lives in Oslo", type="fact").verdicts[0].item_id
    made = watched.add("Ana's home is by the sea", type="fact").verdicts[0].item_id
    watched.link(made, source, "derived_from")
    before = watched.get(source), watched.get(made)
    item = watched.get(source)
    meanwhile.happens = lambda: watched.update(source, title="changed meanwhile") and None
    try:
        watched.forget(source)
    except Conflict:
        assert watched.get(made) == before[1]
        assert watched.get(source).status is item.status
    else:
        assert watched.get(source).status is Status.ARCHIVED


def test_what_comes_into_a_scope_while_it_is_purged_goes_as_well(watched, meanwhile):
    for number in range(3):
        watched.add(f"note {number} of Ana", user_id="ana")
    watched.add("a note of Bob", user_id="bob")
    late = iter(range(2))

    def happens():
        number = next(late, None)
        if number is None:
            return False
        watched.add(f"late note {number} of Ana", user_id="ana")
        return True

    meanwhile.happens = happens
    assert watched.purge(user_id="ana")["items"] >= 4
    assert watched.list(scope="user:ana", exact=True, archived=True) == []
    assert [item.content for item in watched.list(user_id="bob")] == ["a note of Bob"]


def test_a_scope_that_is_written_to_all_the_time_says_so(watched, meanwhile):
    watched.add("a note of Ana", user_id="ana")

    numbers = iter(range(10_000))

    def happens():
        watched.add(f"late note {next(numbers)}", user_id="ana")
        return True

    meanwhile.happens = happens
    with pytest.raises(Conflict, match="written to"):
        watched.purge(user_id="ana")


def test_a_time_that_is_asked_for_waits_and_is_set_when_it_is_approved(memory, add):
    home = add("Ana moved to Oslo", type="event")
    moved = datetime(2026, 2, 1, 9, tzinfo=UTC)
    memory.review.approve(asked(memory, home, "update", {"event_at": moved, "tags": ("home",)}))
    item = memory.get(home)
    assert (item.times["event_at"], item.tags) == (moved, ("home",))
