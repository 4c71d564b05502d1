"""Promises of a run: what is to be tried again is asked about again, and nothing else waits."""

import pytest

from simonides.errors import InvalidAnswer, ProviderUnavailable

SAID = "My sister Petra plays chess with Ruben."
EVENT = "The harbour of Marrow Hill was closed."


class Ailing:
    """A language model that fails as it is told to, and otherwise finds nothing."""

    name = "ailing"

    def __init__(self):
        self.problem = None
        self.asked = []

    def answer(self, prompt):
        self.asked.append(f"{prompt.system}\n{prompt.user}")
        if self.problem is not None:
            raise self.problem
        return '{"facts": [], "narrative": "My sister Petra plays chess with Ruben.", "summary": ""}'


@pytest.fixture
def model():
    return Ailing()


@pytest.fixture
def memory(open_memory, model):
    return open_memory(model=model)


def run(memory, way):
    if way != "extract()":
        return "; ".join(memory.maintain([way]).degradations)
    return "; ".join(memory.extract(due_only=True).degradations)


@pytest.mark.parametrize("problem", [ProviderUnavailable("it is down"), InvalidAnswer("well")])
@pytest.mark.parametrize("way", ["extract()", "extract", "sessions", "day"])
def test_what_is_said_to_wait_is_asked_about_again_and_nothing_else_is(memory, model, clock, way, problem):
    memory.add([{"role": "user", "content": SAID}], session_id="s", scope="user:ana")
    memory.add(EVENT, type="event", event_at="2026-02-27", scope="user:ana")
    clock.advance(days=2)
    model.problem = problem
    told = run(memory, way)
    assert told
    model.problem = None
    model.asked.clear()
    clock.advance(hours=3)
    run(memory, way)
    about = EVENT if way == "day" else SAID
    asked_again = any(about in prompt and "narrative" not in prompt for prompt in model.asked)
    assert asked_again == ("wait" in told or "tried again" in told), told


def test_after_the_last_try_nothing_is_said_to_be_tried_again(memory, model, clock):
    memory.add([{"role": "user", "content": SAID}], session_id="s", scope="user:ana")
    model.problem = ProviderUnavailable("it is down")
    told = []
    for _ in range(5):
        clock.advance(hours=3)
        told.append(run(memory, "extract"))
    assert ["tried again" in text for text in told] == [True, True, False, False, False]
    assert "stand as failed" in told[2]
    assert told[3:] == ["", ""]


def test_sessions_that_a_silent_model_was_not_asked_about_are_asked_about_by_the_next_run(
    memory, model, clock
):
    for name in ("a", "b"):
        memory.add([{"role": "user", "content": f"{SAID} {name}"}], session_id=name, scope="user:ana")
    clock.advance(days=2)
    model.problem = ProviderUnavailable("it is down")
    assert "turns of other sessions wait for the next run" in run(memory, "extract")
    model.problem = None
    model.asked.clear()
    clock.advance(seconds=1)
    run(memory, "extract")
    assert [f"{SAID} b" in prompt for prompt in model.asked] == [True]  # The other one waits for its time.
