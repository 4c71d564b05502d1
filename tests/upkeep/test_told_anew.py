"""A narrative quotes nothing that was corrected, once upkeep has run."""

from hypothesis import given, settings
from hypothesis import strategies as st

from simonides import Memory
from simonides.testing import FakeEmbedder, FrozenClock

SAID = (
    "My sister Lena lives in Graz. We decided to use Postgres for the ledger.",
    "The launch of Apollo is on Friday, and Petra leads it.",
    "I prefer tea to coffee. My birthday is on the ninth of May.",
)
CORRECTED = "My cousin Boris moved to Lisbon in spring number {}."


def narrative(memory):
    [told] = memory.list(types=["narrative"])
    return told


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.integers(0, 9), st.sampled_from(["correct", "update"])), min_size=1, max_size=4))
def test_what_was_corrected_is_quoted_no_more_after_upkeep(changes):
    clock = FrozenClock("2026-03-01T12:00:00Z")
    with Memory(":memory:", embedder=FakeEmbedder(), clock=clock) as memory:
        memory.add([{"role": "user", "content": text} for text in SAID], session_id="s")
        memory.sessions.end("s")
        told = narrative(memory).content
        quoted = [item for item in memory.list() if item.type != "episode" and f"“{item.content}”" in told]
        assert quoted
        former: list[str] = []
        for number, (which, how) in enumerate(changes):
            clock.advance(hours=1)
            item = quoted[which % len(quoted)]
            while item.superseded_by is not None:
                item = memory.get(item.superseded_by)
            before = memory.get(item.id)
            if how == "correct":
                verdict = memory.correct(before.id, CORRECTED.format(number))
            else:
                verdict = memory.update(before.id, content=CORRECTED.format(number))
            assert verdict.outcome == "accepted", verdict
            former.append(before.content)
            quoted = [memory.get(one.id) for one in quoted]
        clock.advance(hours=1)
        memory.maintain(["sessions"])
        told = narrative(memory)
        assert [text for text in former if text in told.content] == []
        assert any(CORRECTED.format(number) in told.content for number in range(len(changes)))
        assert told.injectable
        clock.advance(hours=1)
        memory.maintain(["sessions"])
        assert narrative(memory) == told
