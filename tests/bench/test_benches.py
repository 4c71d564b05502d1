import json
import subprocess
import sys

import pytest

from benchmarks import BENCHES
from benchmarks.__main__ import main
from benchmarks.report import Table, report


def test_naming_the_benches_loads_none_of_them():
    code = (
        "import sys; from benchmarks import BENCHES; "
        "print(sorted(m for m in sys.modules if m.startswith('benchmarks.') or m == 'numpy.linalg'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = [name for name in done.stdout.strip("[]\n").replace("'", "").split(", ") if name]
    assert [name for name in loaded if name.startswith("benchmarks.")] == []


@pytest.mark.parametrize("name", sorted(BENCHES))
def test_every_bench_says_what_it_does_and_lists_its_options(name, capsys):
    assert BENCHES[name].help
    with pytest.raises(SystemExit) as ended:
        BENCHES[name].run(["--help"])
    assert ended.value.code == 0
    printed = capsys.readouterr().out
    assert f"python -m benchmarks {name}" in printed
    assert "--json" in printed
    assert "--out" in printed


def test_the_module_lists_the_benches_where_none_is_named(capsys):
    assert main([]) == 2
    listed = capsys.readouterr().err
    assert all(name in listed for name in BENCHES)
    assert main(["--help"]) == 0
    assert main(["nonsense"]) == 2


def test_the_module_says_what_to_give_where_data_is_missing(capsys, monkeypatch):
    monkeypatch.delenv("SIMONIDES_BENCH_DATA", raising=False)
    assert main(["locomo"]) == 1
    assert "--data DIR" in capsys.readouterr().err


def test_the_short_round_writes_one_result_for_each_bench(tmp_path, capsys):
    outcome = BENCHES["short"].run(["--folder", str(tmp_path), "--items", "100", "--rounds", "1"])
    written = {path.stem: json.loads(path.read_text("utf-8"))["figures"] for path in tmp_path.glob("*.json")}
    assert written == json.loads(json.dumps(outcome["figures"]))
    assert set(written) == {"sample", "speed", "crash", "processes", "policy", "extract"}
    crash, processes, times = written["crash"], written["processes"], written["policy"]["time"]
    assert set(crash["acknowledged"]) == {"texts added", "updates", "corrections", "turns of a chat"}
    assert (crash["lost"], crash["half_records"]) == ([], [])
    assert (processes["errors"], processes["lost"], processes["problems"]) == ([], 0, [])
    assert processes["acknowledged"] == 400
    assert processes["writes_per_s"] > 0
    assert times["p50_ms"]["scan"]["prose"]["2000"] > 0
    assert times["p50_ms"]["whole policy"]["prose"]["100000"] > 0
    assert set(times["growth_of_10_times"]) == {"prose", "base64", "near misses", "one word"}
    printed = capsys.readouterr().out
    assert "crash: 1 kills" in printed
    assert "acknowledged in all" in printed
    assert "writes/s" in printed


def test_columns_of_a_table_stand_under_each_other(capsys):
    report([Table("title", ("", "n"), [["a", 1], ["longer", 12_345], ["part", 0.5], ["none", None]])])
    assert capsys.readouterr().out == (
        "title\n               n\n  a            1\n  longer  12,345\n  part     0.500\n  none\n\n"
    )
