"""Work that is waited for only so long."""

from __future__ import annotations

import threading

import pytest

from simonides.agent.errands import Deadline, Errands, TooMuchWaiting
from simonides.errors import StoreFull

LONG, NONE = 60_000, 0


@pytest.fixture
def errands():
    made = Errands("test", 2)
    yield made
    made.close()


def test_what_is_done_in_time_is_there(errands):
    assert errands.run(lambda _: 42).result(Deadline(LONG)) == 42


def test_what_is_raised_is_raised_where_it_is_waited_for(errands):
    with pytest.raises(KeyError, match="missing"):
        errands.run(lambda _: {}["missing"]).result(Deadline(LONG))


def test_what_is_late_is_given_up_and_told_so(errands):
    gate = threading.Event()
    heard = []

    def work(errand):
        gate.wait(30)
        heard.append(errand.wanted())

    errand = errands.run(work)
    with pytest.raises(TimeoutError):
        errand.result(Deadline(NONE))
    gate.set()
    errand.done.result(30)
    assert heard == [False]


def test_what_was_told_that_it_is_wanted_is_waited_for(errands):
    told, gate = threading.Event(), threading.Event()

    def work(errand):
        assert errand.wanted()
        told.set()
        gate.wait(30)
        return "there"

    errand = errands.run(work)
    told.wait(30)
    opener = threading.Timer(0, gate.set)
    opener.start()
    assert errand.result(Deadline(NONE)) == "there"
    opener.join()


def test_a_line_is_done_in_its_order_also_after_a_failure(errands):
    done = []

    def fails(_):
        done.append("first")
        raise ValueError

    first = errands.run(fails, after="line")
    rest = [errands.run(lambda _, n=n: done.append(n), after="line") for n in range(50)]
    errands.settle()
    assert done == ["first", *range(50)]
    assert isinstance(first.done.exception(), ValueError)
    assert all(errand.done.done() for errand in rest)


def test_lines_do_not_wait_for_each_other(errands):
    gate = threading.Event()
    held = errands.run(lambda _: gate.wait(30), after="one")
    assert errands.run(lambda _: "other", after="other").result(Deadline(LONG)) == "other"
    gate.set()
    assert held.result(Deadline(LONG))


def test_a_long_line_keeps_no_thread_from_the_others(errands):
    gate = threading.Event()
    line = [errands.run(lambda _: gate.wait(30), after="one") for _ in range(100)]
    assert errands.run(lambda _: "other", after="other").result(Deadline(LONG)) == "other"
    gate.set()
    assert all(errand.result(Deadline(LONG)) for errand in line)


def test_closing_waits_for_a_whole_line(errands):
    gate = threading.Event()
    line = [errands.run(lambda _: gate.wait(30), after="one") for _ in range(10)]
    closing = threading.Thread(target=errands.close)
    closing.start()
    gate.set()
    closing.join(30)
    assert all(errand.done.done() for errand in line)
    with pytest.raises(RuntimeError):
        errands.run(lambda _: None)


def test_behind_a_store_that_hangs_no_more_than_so_much_waits(errands):
    gate = threading.Event()
    for _ in range(1000):
        errands.run(lambda _: gate.wait(30), after="line")
    with pytest.raises(TooMuchWaiting):
        errands.run(lambda _: None)
    gate.set()
    errands.settle()
    assert errands.run(lambda _: 1).result(Deadline(LONG)) == 1


def test_what_was_given_up_before_it_began_is_not_begun_where_late_work_is_dropped():
    errands, hold, begun = Errands("test", 1, drops=True), threading.Event(), []
    first = errands.run(lambda _: hold.wait(30))
    late = errands.run(lambda _: begun.append("late"))
    with pytest.raises(TimeoutError):
        late.result(Deadline(1))
    hold.set()
    assert first.result(Deadline(10_000))
    with pytest.raises(TimeoutError):
        late.result(Deadline(10_000))
    assert begun == []
    errands.close()


def test_what_nobody_waits_for_any_more_is_done_and_its_failure_is_told_to_the_operator(caplog):
    errands, hold = Errands("test", 1), threading.Event()

    def fails(_):
        hold.wait(30)
        raise StoreFull

    late = errands.run(fails, after="line")
    with pytest.raises(TimeoutError):
        late.result(Deadline(1))
    hold.set()
    errands.close()
    assert errands.failed == 1
    assert "nobody waited for" in caplog.text
