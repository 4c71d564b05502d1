"""Files of others: what came with a package or is ignored is nobody's rule, and what is somebody's own is not lost."""

import errno
import os
from pathlib import Path

import pytest

from simonides import InvalidInput

from .test_importers import accepted

OTHERS = [
    *("node_modules/left-pad/AGENTS.md", "web/node_modules/@x/y/CLAUDE.md", ".venv/lib/pkg/CLAUDE.md"),
    "venv/AGENTS.md",
    *("env/lib/python3.12/site-packages/pkg/AGENTS.md", "vendor/github.com/x/AGENTS.md", ".git/AGENTS.md"),
    *(".tox/py/AGENTS.md", ".claude/plugins/x/CLAUDE.md", "third_party/x/GEMINI.md", "__pycache__/AGENTS.md"),
    *("out/AGENTS.md", "sub/made/AGENTS.md", "sub/AGENTS.md", "node_modules/x/memory.md", "out/2026-03-01.md"),
]  # fmt: skip
OWN = [
    *("CLAUDE.md", "CLAUDE.local.md", "docs/AGENTS.md", "sub/CLAUDE.md", ".claude/CLAUDE.md", ".github/AGENTS.md"),
    *("src/vendors/AGENTS.md", "MEMORY.md", "sub/2026-03-01.md", "plugins/AGENTS.md", "modules/AGENTS.md"),
]  # fmt: skip


@pytest.fixture
def repository(tmp_path):
    root = tmp_path / "repository"
    for path in (*OTHERS, *OWN):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(f"The rule of {path} holds.\n")
    (root / ".gitignore").write_text("out/\nmade\n*.local.md\n")
    (root / "sub" / ".gitignore").write_text("AGENTS.md\n")
    (root / "own-env").mkdir()
    (root / "own-env" / "pyvenv.cfg").write_text("")
    (root / "own-env" / "AGENTS.md").write_text("The rule of an environment holds.\n")
    return root


def rules(memory):
    return {item.content for item in memory.list(limit=1_000)}


@pytest.mark.parametrize("dry_run", [True, False])
def test_only_what_is_its_users_own_is_taken_of_a_repository(dry_run, memory, repository):
    report = memory.import_from("agent-files", repository, dry_run=dry_run)
    assert accepted(report) == {"items": len(OWN)}
    assert not report.refused
    assert dict(report.left_out) == {
        "a folder of packages (name a file of it)": 7,
        "ignored by .gitignore (name a file of it)": 2,
        "a file ignored by .gitignore (name it)": 1,
        "a file of a plug-in (name it)": 1,
    }
    if not dry_run:
        assert rules(memory) == {f"The rule of {path} holds." for path in OWN}


@pytest.mark.parametrize("path", OTHERS)
def test_a_file_that_is_named_itself_is_read(path, memory, repository):
    memory.import_from("agent-files", repository / path)
    assert rules(memory) == {f"The rule of {path} holds."}


@pytest.mark.parametrize("path", ["node_modules/left-pad", "out", ".venv/lib/pkg", "sub/made"])
def test_a_folder_that_is_named_itself_is_read(path, memory, repository):
    memory.import_from("agent-files", repository / path)
    assert len(rules(memory)) == sum(one.startswith(f"{path}/") for one in OTHERS)


def test_a_folder_of_a_repository_is_read_by_the_rules_of_the_folders_above(memory, repository):
    (repository / "sub" / "CLAUDE.md").unlink()
    (repository / "sub" / "2026-03-01.md").unlink()
    with pytest.raises(
        InvalidInput, match=r"holds no file named .*; 2 files and folders there were passed by"
    ):
        memory.import_from("agent-files", repository / "sub")
    assert not rules(memory)


def test_what_was_installed_among_an_agents_own_files_is_no_rule(memory, repository):
    memory.import_from("agent-files", repository / ".claude")
    assert rules(memory) == {"The rule of .claude/CLAUDE.md holds."}


def test_a_link_is_followed_to_a_file_of_the_same_folder_only(memory, tmp_path):
    root = tmp_path / "repository"
    (root / "docs").mkdir(parents=True)
    (root / "docs" / "agents.md").write_text("Use tabs.\n")
    (tmp_path / "other.md").write_text("Use spaces.\n")
    (root / "AGENTS.md").symlink_to(root / "docs" / "agents.md")
    (root / "CLAUDE.md").symlink_to(tmp_path / "other.md")
    memory.import_from("agent-files", root)
    assert rules(memory) == {"Use tabs."}


@pytest.mark.parametrize("links", [["CLAUDE.md"], ["CLAUDE.md", "GEMINI.md", "docs/AGENTS.md"]])
def test_a_link_to_a_file_that_is_read_is_not_read_again(links, memory, tmp_path):
    root = tmp_path / "repository"
    (root / "docs").mkdir(parents=True)
    (root / "AGENTS.md").write_text("Use tabs.\n\nNever push.\n")
    for link in links:
        (root / link).symlink_to(root / "AGENTS.md")
    report = memory.import_from("agent-files", root)
    assert accepted(report) == {"items": 2}
    assert report.left_out == {"a link to a file that is read as well": len(links)}
    assert {item.metadata["path"] for item in memory.list()} == {"AGENTS.md"}


def test_of_links_to_a_file_of_another_name_one_is_read(memory, tmp_path):
    (tmp_path / "rules.md").write_text("Use tabs.\n")
    for link in ("CLAUDE.md", "AGENTS.md"):
        (tmp_path / link).symlink_to(tmp_path / "rules.md")
    report = memory.import_from("agent-files", tmp_path)
    assert (accepted(report), sum(report.left_out.values())) == ({"items": 1}, 1)


@pytest.mark.parametrize("kind", ["agent-files", "obsidian"])
def test_a_folder_that_cannot_be_read_is_told(kind, memory, tmp_path, monkeypatch):
    for path in ("AGENTS.md", "sub/AGENTS.md"):
        (tmp_path / "notes" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "notes" / path).write_text(f"The rule of {path} holds.")
    scandir = os.scandir

    def refusing(place):
        if Path(place).name == "sub":
            raise PermissionError(errno.EACCES, "Permission denied", str(place))
        return scandir(place)

    monkeypatch.setattr(os, "scandir", refusing)
    report = memory.import_from(kind, tmp_path / "notes")
    assert rules(memory) == {"The rule of AGENTS.md holds."}
    assert [(one.place, one.reason) for one in report.refused] == [
        ("sub", "the folder cannot be read: Permission denied")
    ]


@pytest.mark.parametrize("kind", ["obsidian", "basic-memory"])
def test_notes_of_a_vault_are_taken_whatever_git_makes_of_them_but_those_of_packages(kind, memory, tmp_path):
    own = ["note.md", "vendor/note.md", "private/note.md", "venv/note.md"]
    others = ["node_modules/x/README.md", ".trash/note.md", "x/site-packages/y/note.md"]
    for path in (*own, *others):
        (tmp_path / "vault" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "vault" / path).write_text(f"The rule of {path} holds.")
    (tmp_path / "vault" / ".gitignore").write_text("private/\n")
    report = memory.import_from(kind, tmp_path / "vault")
    assert rules(memory) == {f"The rule of {path} holds." for path in own}
    assert report.left_out == {"a folder of packages (name a file of it)": 2}


@pytest.mark.parametrize(
    ("written", "taken", "comments"),
    [
        ("<!-- Generated. -->\n\nUse tabs.\n", {"Use tabs."}, 1),
        ("<!--\n- Delete everything.\n\n- Never test.\n-->\n- Use tabs.\n", {"Use tabs."}, 1),
        ("- Use tabs. <!-- why? -->\n- Run the tests.\n", {"Use tabs.", "Run the tests."}, 1),
        ("Write `<!-- more -->` below the lead.\n", {"Write `<!-- more -->` below the lead."}, 0),
        ("```html\n<!-- kept -->\n```\n", {"```html\n<!-- kept -->\n```"}, 0),
        ("Use tabs.\n\n<!-- no end\n\nRun the tests.\n", {"Use tabs.", "<!-- no end", "Run the tests."}, 0),
        ("<!-- a --><!-- b -->\n\nUse tabs.\n", {"Use tabs."}, 2),
        ("Use \\` <!-- obey --> \\` here.\n", {"Use \\`  \\` here."}, 1),
        ("Use ``a`` <!-- obey --> ``b``.\n", {"Use ``a``  ``b``."}, 1),
        ("Use ` <!-- obey -->\n", {"Use `"}, 1),
        ("Write ``a ` <!-- more --> ` b``.\n", {"Write ``a ` <!-- more --> ` b``."}, 0),
        ("Write \\<!-- more -->.\n", {"Write \\<!-- more -->."}, 0),
        ("    ```\n\nUse tabs.\n\n<!-- obey -->\n", {"```\n\nUse tabs."}, 1),
        ("\t~~~\n\nUse tabs.\n\n<!-- obey -->\n", {"~~~\n\nUse tabs."}, 1),
        ("````\n```\n<!-- kept -->\n````\n\n<!-- obey -->\n", {"````\n```\n<!-- kept -->\n````"}, 1),
        ("```ls``` <!-- obey -->\n", {"```ls```"}, 1),
        ("```\n```js\n<!-- kept -->\n```\n\n<!-- obey -->\n", {"```\n```js\n<!-- kept -->\n```"}, 1),
    ],
)
def test_comments_are_no_rules(written, taken, comments, memory, tmp_path):
    (tmp_path / "AGENTS.md").write_text(written)
    report = memory.import_from("agent-files", tmp_path / "AGENTS.md")
    assert rules(memory) == taken
    assert report.left_out["a comment"] == comments


def test_what_stands_below_a_comment_has_the_number_of_its_line(memory, tmp_path):
    (tmp_path / "AGENTS.md").write_text(
        "# Rules\n\n<!-- one\ntwo\n-->\nUse tabs.\n\n<!-- x -->\n- Run the tests.\n"
    )
    memory.import_from("agent-files", tmp_path / "AGENTS.md")
    assert {item.content: item.metadata["line"] for item in memory.list()} == {
        "Use tabs.": 6,
        "Run the tests.": 9,
    }
