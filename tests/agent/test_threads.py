from simonides import Memory
from simonides.agent.workers import threads_for
from simonides.testing import FakeEmbedder


def test_what_waits_for_a_server_has_more_threads():
    elsewhere = FakeEmbedder(8, local=False)
    with Memory(":memory:", embedder=FakeEmbedder(8)) as near, Memory(":memory:", embedder=elsewhere) as far:
        assert near.local
        assert not far.local
        assert threads_for(near) < threads_for(far)
