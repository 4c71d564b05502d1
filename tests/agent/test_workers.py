"""Work that is waited for only so long."""

from __future__ import annotations

import threading

import pytest

from simonides.agent.workers import Deadline, TooMuchWaiting, Workers
from simonides.errors import SimonidesError, StoreFull

LONG, NONE = 60_000, 0


@pytest.fixture
def workers():
    made = Workers("test", 2)
    yield made
    made.close()


def test_what_is_done_in_time_is_there(workers):
    assert workers.run(lambda _: 42).result(Deadline(LONG)) == 42


def test_what_is_raised_is_raised_where_it_is_waited_for(workers):
    with pytest.raises(KeyError, match="missing"):
        workers.run(lambda _: {}["missing"]).result(Deadline(LONG))


def test_what_is_late_is_given_up_and_told_so(workers):
    gate = threading.Event()
    heard = []

    def work(task):
        gate.wait(60)
        heard.append(task.wanted())

    task = workers.run(work)
    with pytest.raises(TimeoutError):
        task.result(Deadline(NONE))
    gate.set()
    task.done.result(30)
    assert heard == [False]


def test_what_was_told_that_it_is_wanted_is_waited_for(workers):
    told, gate = threading.Event(), threading.Event()

    def work(task):
        assert task.wanted()
        told.set()
        gate.wait(60)
        return "there"

    task = workers.run(work)
    told.wait(60)
    opener = threading.Timer(0, gate.set)
    opener.start()
    assert task.result(Deadline(NONE)) == "there"
    opener.join()


def test_a_line_is_done_in_its_order_also_after_a_failure(workers):
    done = []

    def fails(_):
        done.append("first")
        raise ValueError

    first = workers.run(fails, after="line")
    rest = [workers.run(lambda _, n=n: done.append(n), after="line") for n in range(50)]
    workers.settle()
    assert done == ["first", *range(50)]
    assert isinstance(first.done.exception(), ValueError)
    assert all(task.done.done() for task in rest)


def test_lines_do_not_wait_for_each_other(workers):
    gate = threading.Event()
    held = workers.run(lambda _: gate.wait(60), after="one")
    assert workers.run(lambda _: "other", after="other").result(Deadline(LONG)) == "other"
    gate.set()
    assert held.result(Deadline(LONG))


def test_a_long_line_keeps_no_thread_from_the_others(workers):
    gate = threading.Event()
    line = [workers.run(lambda _: gate.wait(60), after="one") for _ in range(100)]
    assert workers.run(lambda _: "other", after="other").result(Deadline(LONG)) == "other"
    gate.set()
    assert all(task.result(Deadline(LONG)) for task in line)


def test_closing_waits_for_a_whole_line(workers):
    gate = threading.Event()
    line = [workers.run(lambda _: gate.wait(60), after="one") for _ in range(10)]
    closing = threading.Thread(target=workers.close)
    closing.start()
    gate.set()
    closing.join(30)
    assert all(task.done.done() for task in line)
    with pytest.raises(SimonidesError):
        workers.run(lambda _: None)


def test_behind_a_store_that_hangs_no_more_than_so_much_waits(workers):
    gate = threading.Event()
    for _ in range(1000):
        workers.run(lambda _: gate.wait(60), after="line")
    with pytest.raises(TooMuchWaiting):
        workers.run(lambda _: None)
    gate.set()
    workers.settle()
    assert workers.run(lambda _: 1).result(Deadline(LONG)) == 1


def test_what_was_given_up_before_it_began_is_not_begun_where_late_work_is_dropped():
    workers, hold, begun = Workers("test", 1, drops=True), threading.Event(), []
    first = workers.run(lambda _: hold.wait(60))
    late = workers.run(lambda _: begun.append("late"))
    with pytest.raises(TimeoutError):
        late.result(Deadline(1))
    hold.set()
    assert first.result(Deadline(10_000))
    with pytest.raises(TimeoutError):
        late.result(Deadline(10_000))
    assert begun == []
    workers.close()


def test_what_nobody_waits_for_any_more_is_done_and_its_failure_is_told_to_the_operator(caplog):
    workers, hold = Workers("test", 1), threading.Event()

    def fails(_):
        hold.wait(60)
        raise StoreFull

    late = workers.run(fails, after="line")
    with pytest.raises(TimeoutError):
        late.result(Deadline(1))
    hold.set()
    workers.close()
    assert workers.failed == 1
    assert "nobody waited for" in caplog.text


def test_what_can_wait_stays_behind_what_is_waited_for_and_no_longer_than_its_patience():
    first, hold, done = Workers("first", 1), threading.Event(), []
    behind = Workers("behind", 1, behind=first)
    others = [first.run(lambda _: hold.wait(60)), first.run(lambda _: done.append("first"))]
    hurried = behind.run(lambda _: done.append("hurried"))
    assert hurried.result(Deadline(LONG)) is None
    patient = behind.run(lambda _: done.append("patient"), patience=Deadline(LONG))
    with pytest.raises(TimeoutError):
        patient.result(Deadline(50))
    hold.set()
    patient.done.result(30)
    assert done == ["hurried", "first", "patient"]
    assert all(other.done.done() for other in others)
    hold.clear()
    held = first.run(lambda _: hold.wait(60))
    behind.run(lambda _: done.append("impatient"), patience=Deadline(20)).done.result(30)
    assert done[-1] == "impatient"
    hold.set()
    held.done.result(30)
    first.close()
    behind.close()
