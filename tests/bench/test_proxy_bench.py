from benchmarks import proxy
from benchmarks.report import report


def test_both_ways_are_measured_and_their_difference_is_what_was_added(capsys):
    effort = proxy.Effort(items=20, requests=2, streams=2, rounds=1, words=2, pause_ms=1)
    outcome = proxy.measure(effort)
    for found in outcome["figures"].values():
        if isinstance(found, dict):
            direct, proxied = found["without the proxy"], found["through the proxy"]
            assert found["added"]["p50"] == proxied["p50"] - direct["p50"]
            assert direct["p50"] > 0
    assert outcome["sizes"]["streams"] == 2
    report(proxy.tables(outcome))
    shown = capsys.readouterr().out
    assert "one after the other, added" in shown
    assert "2 streams at once, through the proxy" in shown
