"""The command line on a store whose integrity key is not at hand: what reads answers, what writes is refused."""

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from simonides import ALL, Memory
from simonides.config import IntegritySettings, Settings
from simonides.edges.cli.main import COMMANDS, app

KEY = {"SIMONIDES_INTEGRITY_KEY": "correct horse battery staple, and then some"}
READING = [
    "list", "show ITEM", "history ITEM", "explain ITEM", "graph ITEM", "search heron", "stats", "stats --timeline",
    "export", "weak", "why", "why CONTEXT", "sessions list", "sessions show s", "entities list", "entities show Ana",
    "entities alike", "palace list", "palace get house", "records list", "records get users tea",
    "records history users tea", "records search green", "documents corpora", "documents list notes",
    "documents show notes a.md", "documents compare notes others", "review list", "review contradictions",
    "runs list", "runs jobs", "audit log", "list --json", "context heron",
]  # fmt: skip
WRITING = [
    "add this", "update ITEM --title new", "correct ITEM this", "reinforce ITEM", "demote ITEM", "confirm ITEM",
    "forget ITEM", "restore ITEM", "purge ITEM --yes", "link ITEM OTHER", "sessions end s",
    "entities rename Ana Anna", "palace assign ITEM --room cellar", "records put users tea 1",
    "records delete users tea", "maintain", "consolidate", "backfill", "reindex", "rebuild-fts",
    "documents delete notes a.md", "documents compare notes others --link", "documents purge notes --yes",
    "extract", "review approve ITEM",
    "review reject ITEM", "entities merge Ana Boat", "entities alias Ana Anni", "records purge users tea --yes",
    "schedule",
]  # fmt: skip

#: Commands that answer otherwise (below), want more than a store to begin with, open none, are groups, or serve others.
OTHERS = {
    "doctor", "audit verify", "audit seal", "backup", "report", "review show", "runs show", "copy", "rekey", "migrate",
    "demo", "settings", "tools", "tools list", "tools call", "policy", "policy rules", "policy test", "worker",
    "serve", "proxy", "chat", "mcp", "mcp install", "hook", "hook claude-code", "hook codex", "hook install", "agent",
    "agent recall", "agent propose", "agent forget", "keys", "keys create", "keys list", "keys revoke", "import",
    "ingest", "undo", "audit", "documents", "entities", "palace", "records", "review", "runs", "sessions",
    "documents corpus", "entities retype", "entities unmerge", "review reopen", "review rollback",
}  # fmt: skip


def names_of_commands():
    root = get_command(app)
    for name in COMMANDS:
        yield name
        for sub in getattr(root.get_command(None, name), "commands", ()):
            yield f"{name} {sub}"


def test_of_every_command_is_said_whether_it_reads():
    names = set(names_of_commands())
    lines = [f"{line} " for line in (*READING, *WRITING)]
    tried = {max((one for one in names if line.startswith(f"{one} ")), key=len) for line in lines}
    assert tried | OTHERS == names
    assert not tried & OTHERS


@pytest.fixture
def keyed(tmp_path):
    """The path of a store under a key, with a bit of everything; and names of what is in it."""
    store = tmp_path / "s.db"
    for command in (
        ["add", "The heron of Ana nests at Lindau.", "--type", "fact"],
        ["add", "The mill is closed on Mondays.", "--type", "fact"],
        ["records", "put", "users", "tea", '{"kind": "green"}'],
        ["context", "heron"],
    ):
        assert run(store, command, **KEY).exit_code == 0
    with Memory(
        store, settings=Settings(integrity=IntegritySettings(KEY["SIMONIDES_INTEGRITY_KEY"]))
    ) as memory:
        memory.add([{"role": "user", "content": "Ana owns a boat."}], session_id="s")
        memory.documents.put("notes", "a.md", "# Boats\n\nAna owns a boat.")
        memory.documents.put("others", "a.md", "# Boats\n\nAna sold her boat.")
        found = [item.id for item in memory.list(scope=ALL, types=["fact"])]
        memory.palace.assign(found[0], room="cellar", domain="house")
        context = memory.injections()[0].id
    return store, {"ITEM": found[0], "OTHER": found[1], "CONTEXT": context}


def run(store, command, **environment):
    return CliRunner().invoke(app, [*command, "--db", str(store)], env=environment)


def told(command, names):
    return [names.get(word, word) for word in command.split()]


def test_a_command_that_only_reads_answers_the_same_without_the_key_and_says_so(keyed):
    store, names = keyed
    for command in READING:
        with_key, without = run(store, told(command, names), **KEY), run(store, told(command, names))
        assert (command, without.exit_code, without.stdout) == (command, with_key.exit_code, with_key.stdout)
        assert with_key.exit_code == 0, (command, with_key.stderr)
        assert "--json" in command or "was not compared" in without.stderr, command


def test_a_command_that_writes_is_refused_and_changes_nothing(keyed):
    store, names = keyed
    before = run(store, ["export"]).stdout
    for command in WRITING:
        refused = run(store, told(command, names))
        assert refused.exit_code == 4, (command, refused.stdout, refused.stderr)
        assert "under an integrity key" in refused.stderr, command
    assert run(store, ["export"], **KEY).stdout == before


def test_the_doctor_and_the_audit_say_that_nothing_was_compared(keyed):
    store, _ = keyed
    for command, said in ((["doctor"], "can be compared"), (["audit", "verify"], "was not compared")):
        looked = run(store, command)
        assert looked.exit_code == 1
        assert said in " ".join(looked.stdout.split())
        assert run(store, command, **KEY).exit_code == 0


def test_with_another_key_or_none_in_the_file_nothing_is_read(keyed, tmp_path):
    store, _ = keyed
    other = {"SIMONIDES_INTEGRITY_KEY": "another key of somebody else's, as long"}
    assert run(tmp_path / "plain.db", ["add", "We ship on Fridays."]).exit_code == 0
    for path, why in (
        (store, "another integrity key"),
        (tmp_path / "plain.db", "is not under the integrity key"),
    ):
        for command in ("list", "export", "doctor", "audit verify"):
            refused = run(path, command.split(), **other)
            assert refused.exit_code == 4
            assert why in refused.stderr


def test_what_a_lost_key_left_is_exported_into_a_new_store(keyed, tmp_path):
    store, _ = keyed
    assert run(store, ["export", str(tmp_path / "all.jsonl")]).exit_code == 0
    assert run(store, ["backup", str(tmp_path / "copy.db")]).exit_code == 0
    assert run(store, ["report", "--out", str(tmp_path / "report.html")]).exit_code == 0
    assert run(tmp_path / "new.db", ["import", str(tmp_path / "all.jsonl"), "--trusted"]).exit_code == 0
    exports = {run(tmp_path / name, ["export"]).stdout for name in ("s.db", "copy.db", "new.db")}
    assert len(exports) == 1
