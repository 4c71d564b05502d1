"""One contract for memory tools of Anthropic, on their files and on our records, sync and async."""

import asyncio
import importlib
import json
import re
from importlib.util import find_spec
from pathlib import Path

import anthropic
import pytest
from anthropic.lib.tools import ToolError
from anthropic.tools import BetaAsyncLocalFilesystemMemoryTool, BetaLocalFilesystemMemoryTool
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides import Memory
from simonides.adapters.anthropic import AsyncMemoryTool, MemoryTool
from simonides.testing import FakeEmbedder
from simonides.testing_server import Call, Said, ScriptedServer

#: The HTTP client that the SDK stands on; that of its first version is `httpx`.
httpx = importlib.import_module("httpx2" if find_spec("httpx2") else "httpx")
TEXT = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"


class Called:
    """A tool, called as the SDK calls it: what it answers, or the error that it raises."""

    def __init__(self, tool):
        self.tool = tool

    def __call__(self, command, **arguments):
        try:
            answer = self.tool.call({"command": command, **arguments})
            return asyncio.run(answer) if asyncio.iscoroutine(answer) else answer
        except ToolError as error:
            return f"error: {error}"


@pytest.fixture(params=["theirs", "ours", "theirs, awaited", "ours, awaited"])
def tool(request, tmp_path, memory):
    kinds = {
        "theirs": lambda: BetaLocalFilesystemMemoryTool(str(tmp_path / "files")),
        "ours": lambda: MemoryTool(memory),
        "theirs, awaited": lambda: BetaAsyncLocalFilesystemMemoryTool(str(tmp_path / "files")),
        "ours, awaited": lambda: AsyncMemoryTool(memory),
    }
    return Called(kinds[request.param]())


def shown(listing):
    """A listing without sizes of directories, which depend on the disk."""
    lines = listing.splitlines()
    return [re.sub(r"^\S+\t", "", line) if line.endswith("/") else line for line in lines[2:]]


def create(tool, path, text=TEXT):
    return tool("create", path=path, file_text=text)


def content(tool, path):
    return tool("view", path=path)


def test_it_is_the_tool_that_claude_knows(tool):
    assert tool.tool.to_dict() == {"type": "memory_20250818", "name": "memory"}


def test_a_file_is_created_and_viewed_with_numbers(tool):
    assert create(tool, "/memories/a.md") == "File created successfully at: /memories/a.md"
    assert content(tool, "/memories/a.md") == (
        "Here's the content of /memories/a.md with line numbers:\n     1\tone\n     2\ttwo\n     3\tthree\n"
        "     4\tfour\n     5\tfive\n     6\tsix\n     7\tseven\n     8\t"
    )


@pytest.mark.parametrize(
    ("range_", "numbers"),
    [([2, 3], [2, 3]), ([6, -1], [6, 7, 8]), ([0, 2], [1, 2]), ([9, 12], []), ([1], range(1, 9))],
)
def test_a_part_of_a_file(tool, range_, numbers):
    create(tool, "/memories/a.md")
    lines = tool("view", path="/memories/a.md", view_range=range_).split("\n")[1:]
    assert [int(line.split("\t")[0]) for line in lines if line] == list(numbers)


def test_an_empty_file(tool):
    create(tool, "/memories/a.md", "")
    assert content(tool, "/memories/a.md").endswith("numbers:\n     1\t")


@pytest.mark.parametrize("text", ["Grüße 号\n", "tab\there\r\nlines\n", "no end", "\n\n", "{}", "x" * 5000])
def test_any_text_comes_back(tool, text):
    create(tool, "/memories/a.md", text)
    lines = content(tool, "/memories/a.md").split("\n")[1:]
    assert "\n".join(line.split("\t", 1)[1] for line in lines) == text


def test_what_exists_is_not_created_again(tool):
    create(tool, "/memories/a.md")
    assert create(tool, "/memories/a.md", "x") == "error: File /memories/a.md already exists"
    assert "one" in content(tool, "/memories/a.md")


def test_a_directory_is_listed_two_levels_deep_without_hidden_files(tool):
    for path in ("b.md", "a/x.md", "a/deep/y.md", "a/deep/deeper/z.md", ".hidden", "c/.secret", "big.md"):
        create(tool, f"/memories/{path}", "x" * 2000 if path == "big.md" else "x")
    listing = tool("view", path="/memories")
    assert listing.startswith(
        "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items:\n"
    )
    assert shown(listing) == [
        "/memories/a/",
        "/memories/a/deep/",
        "1B\t/memories/a/x.md",
        "1B\t/memories/b.md",
        "2.0K\t/memories/big.md",
        "/memories/c/",
    ]
    assert shown(tool("view", path="/memories/a")) == [
        "/memories/a/deep/",
        "/memories/a/deep/deeper/",
        "1B\t/memories/a/deep/y.md",
        "1B\t/memories/a/x.md",
    ]


def test_an_empty_memory_is_listed(tool):
    assert shown(tool("view", path="/memories")) == []


def test_a_text_is_replaced(tool):
    create(tool, "/memories/a.md")
    assert tool("str_replace", path="/memories/a.md", old_str="four", new_str="4\n4b") == (
        "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
        "     2\ttwo\n     3\tthree\n     4\t4\n     5\t4b\n     6\tfive"
    )
    assert "     5\t4b\n" in content(tool, "/memories/a.md")


def test_what_is_not_there_is_not_replaced(tool):
    create(tool, "/memories/a.md")
    assert tool("str_replace", path="/memories/a.md", old_str="nine", new_str="") == (
        "error: No replacement was performed, old_str `nine` did not appear verbatim in /memories/a.md."
    )


def test_what_is_there_twice_is_not_replaced(tool):
    create(tool, "/memories/a.md", "aa\nb\naaa\n")
    assert tool("str_replace", path="/memories/a.md", old_str="aa", new_str="") == (
        "error: No replacement was performed. Multiple occurrences of old_str `aa` in lines: 1, 3, 3. "
        "Please ensure it is unique"
    )


LINES = [(0, "x", "x\na\nb\n"), (1, "x\n\n", "a\nx\nb\n"), (2, "", "a\nb\n")]


@pytest.mark.parametrize(("line", "text", "result"), LINES)
def test_a_line_is_inserted(tool, line, text, result):
    create(tool, "/memories/a.md", "a\nb")
    answer = tool("insert", path="/memories/a.md", insert_line=line, insert_text=text)
    assert answer == "The file /memories/a.md has been edited."
    lines = content(tool, "/memories/a.md").split("\n")[1:]
    assert "\n".join(one.split("\t", 1)[1] for one in lines) == result


@pytest.mark.parametrize("line", [-1, 3])
def test_a_line_beyond_the_file(tool, line):
    create(tool, "/memories/a.md", "a\nb\n")
    assert tool("insert", path="/memories/a.md", insert_line=line, insert_text="x") == (
        f"error: Invalid `insert_line` parameter: {line}. It should be within the range [0, 2]."
    )


def test_a_file_and_a_directory_are_deleted(tool):
    for path in ("a.md", "d/x.md", "d/e/y.md"):
        create(tool, f"/memories/{path}")
    assert tool("delete", path="/memories/a.md") == "Successfully deleted /memories/a.md"
    assert tool("delete", path="/memories/d") == "Successfully deleted /memories/d"
    assert shown(tool("view", path="/memories")) == []
    assert tool("delete", path="/memories/d") == "error: The path /memories/d does not exist"


def test_a_file_and_a_directory_are_renamed(tool):
    for path in ("a.md", "d/x.md", "d/e/y.md"):
        create(tool, f"/memories/{path}", path)
    answer = tool("rename", old_path="/memories/a.md", new_path="/memories/new/b.md")
    assert answer == "Successfully renamed /memories/a.md to /memories/new/b.md"
    tool("rename", old_path="/memories/d", new_path="/memories/f")
    assert "a.md" in content(tool, "/memories/new/b.md")
    assert "d/e/y.md" in content(tool, "/memories/f/e/y.md")
    assert tool("view", path="/memories/d/x.md").startswith("error: The path")


def test_nothing_is_renamed_over_another(tool):
    create(tool, "/memories/a.md")
    create(tool, "/memories/b.md")
    answer = tool("rename", old_path="/memories/a.md", new_path="/memories/b.md")
    assert answer == "error: The destination /memories/b.md already exists"


@pytest.mark.parametrize(
    ("command", "arguments", "answer"),
    [
        ("view", {"path": "/etc/passwd"}, "Path must start with /memories, got: /etc/passwd"),
        ("view", {"path": "/memories/../x"}, "Path /memories/../x would escape /memories directory"),
        (
            "view",
            {"path": "/memories/a"},
            "The path /memories/a does not exist. Please provide a valid path.",
        ),
        (
            "create",
            {"path": "memories/a", "file_text": ""},
            "Path must start with /memories, got: memories/a",
        ),
        (
            "str_replace",
            {"path": "/memories/a", "old_str": "", "new_str": ""},
            "The path /memories/a does not exist. Please provide a valid path.",
        ),
        (
            "insert",
            {"path": "/memories/a", "insert_line": 0, "insert_text": ""},
            "The path /memories/a does not exist. Please provide a valid path.",
        ),
        ("delete", {"path": "/memories/a"}, "The path /memories/a does not exist"),
        ("delete", {"path": "/memories"}, "Cannot delete the /memories directory itself"),
        ("delete", {"path": "/memories/"}, "Cannot delete the /memories directory itself"),
        (
            "rename",
            {"old_path": "/memories/a", "new_path": "/memories/b"},
            "The path /memories/a does not exist",
        ),
        (
            "rename",
            {"old_path": "/memories", "new_path": "/memories/b"},
            "Cannot rename the /memories directory itself",
        ),
    ],
)
def test_what_cannot_be_done_is_said_in_their_words(tool, command, arguments, answer):
    assert tool(command, **arguments) == f"error: {answer}"


def test_a_directory_is_no_file(tool):
    create(tool, "/memories/d/a.md")
    for command, arguments in (
        ("str_replace", {"old_str": "a", "new_str": "b"}),
        ("insert", {"insert_line": 0, "insert_text": "x"}),
    ):
        assert tool(command, path="/memories/d", **arguments) == "error: The path /memories/d is not a file."
    assert create(tool, "/memories/d") == "error: File /memories/d already exists"


def test_paths_that_mean_one_file(tool):
    create(tool, "/memories/d/../a.md")
    assert "one" in content(tool, "/memories//a.md")
    assert "one" in content(tool, "/memories/./a.md")


def test_everything_is_cleared(tool):
    create(tool, "/memories/d/a.md")
    cleared = tool.tool.clear_all_memory()
    assert (asyncio.run(cleared) if asyncio.iscoroutine(cleared) else cleared) == "All memory cleared"
    assert shown(tool("view", path="/memories")) == []


NAMES = st.sampled_from(["/memories/a", "/memories/b", "/memories/d/a", "/memories/d/b", "/memories/d"])
FILES = NAMES.filter(lambda name: name != "/memories/d")
TEXTS = st.sampled_from(["", "a", "a\n", "a\nb", "b\na\nb\n"])
COMMANDS = st.one_of(
    st.tuples(st.just("create"), st.fixed_dictionaries({"path": FILES, "file_text": TEXTS})),
    st.tuples(
        st.just("str_replace"),
        st.fixed_dictionaries({"path": NAMES, "old_str": st.sampled_from("ab"), "new_str": TEXTS}),
    ),
    st.tuples(
        st.just("insert"),
        st.fixed_dictionaries({"path": NAMES, "insert_line": st.integers(-1, 3), "insert_text": TEXTS}),
    ),
    st.tuples(st.just("delete"), st.fixed_dictionaries({"path": FILES})),
    st.tuples(st.just("view"), st.fixed_dictionaries({"path": NAMES})),
    st.tuples(
        st.just("rename"),
        st.fixed_dictionaries({"old_path": NAMES, "new_path": FILES}),
    ),
)  # fmt: skip


@given(st.lists(COMMANDS, max_size=15))
@settings(max_examples=40)
def test_any_commands_are_answered_as_their_files_answer(tmp_path_factory, commands):
    folder = tmp_path_factory.mktemp("files")
    with Memory(":memory:", embedder=FakeEmbedder(8)) as memory:
        ours, theirs = Called(MemoryTool(memory)), Called(BetaLocalFilesystemMemoryTool(str(folder)))
        create(ours, "/memories/d/keep")
        create(theirs, "/memories/d/keep")
        for command, arguments in commands:
            if command == "rename" and arguments["old_path"] == "/memories/d":
                continue  # A directory that is moved into itself is an error of the system there.
            answers = [tool(command, **arguments) for tool in (ours, theirs)]
            if "\n" in answers[1] and "directories" in answers[1]:
                answers = [shown(answer) for answer in answers]
            assert answers[0] == answers[1], (command, arguments)


# Only ours


def test_what_a_model_keeps_is_found_and_is_its_own(memory):
    tool = Called(MemoryTool(memory, user_id="ana", actor="model:claude"))
    create(tool, "/memories/tea.md", "Ana drinks green tea without sugar.")
    (hit,) = memory.search("what does Ana drink?", user_id="ana").hits
    assert (hit.item.origin, hit.item.scope) == ("assistant-said", "user:ana")
    assert Called(MemoryTool(memory, user_id="bob"))("view", path="/memories/tea.md").startswith("error")
    assert [one.value for one in memory.records.history("memories", "tea.md", user_id="ana")] == [
        "Ana drinks green tea without sugar."
    ]


def test_a_file_that_a_person_keeps_is_read_and_not_changed(memory):
    tool = Called(MemoryTool(memory))
    memory.records.put("memories/notes", "user.txt", "Ana wrote this.")
    for pinned in (False, True):
        answers = [
            tool("str_replace", path="/memories/notes/user.txt", old_str="Ana", new_str="Bob"),
            tool("insert", path="/memories/notes/user.txt", insert_line=0, insert_text="x"),
            tool("rename", old_path="/memories/notes", new_path="/memories/n"),
            tool("delete", path="/memories/notes"),
        ]
        assert all(answer.startswith("error: the record") for answer in answers), answers
        assert content(tool, "/memories/notes/user.txt").endswith("\tAna wrote this.")
        if not pinned:
            memory.records.purge("memories")
            create(tool, "/memories/notes/user.txt", "Ana wrote this.")
            memory.update(memory.records.get("memories/notes", "user.txt").item_id, pinned=True)


def test_a_secret_is_refused_and_the_model_is_told(memory):
    tool = Called(MemoryTool(memory))
    answer = create(tool, "/memories/a.md", "the token is ghp_R7xW2qLm9TzKc4VbNs8YdFh3JpQa6EuGiOt1")
    assert answer.startswith("error: ")
    assert "secret" in answer
    assert content(tool, "/memories/a.md").startswith("error")


def test_too_long_a_file_is_refused_and_the_old_one_stays(memory):
    tool = Called(MemoryTool(memory))
    create(tool, "/memories/a.md", "a")
    assert tool("str_replace", path="/memories/a.md", old_str="a", new_str="x" * 10_000_000).startswith(
        "error: "
    )
    assert content(tool, "/memories/a.md").endswith("\ta")


def test_a_file_is_no_directory(memory):
    tool = Called(MemoryTool(memory))
    create(tool, "/memories/a", "a")
    assert create(tool, "/memories/a/b", "b").startswith("error: ")
    assert tool("rename", old_path="/memories/a", new_path="/memories/a/b").startswith("error: ")
    assert content(tool, "/memories/a").endswith("\ta")


def test_their_runner_calls_it(memory):
    """The SDK's own loop, with a model that creates a file and then ends."""
    turns = [
        {
            "stop_reason": "tool_use",
            "content": [
                {
                    "type": "tool_use", "id": "t1", "name": "memory",
                    "input": {"command": "create", "path": "/memories/a.md", "file_text": "Ana likes tea."},
                }
            ],
        },
        {"stop_reason": "end_turn", "content": [{"type": "text", "text": "Noted."}]},
    ]  # fmt: skip
    asked = []

    def answer(request):
        asked.append(json.loads(request.content))
        body = {
            "id": "m", "type": "message", "role": "assistant", "model": "claude", "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        } | turns[len(asked) - 1]  # fmt: skip
        return httpx.Response(200, json=body)

    client = anthropic.Anthropic(
        api_key="none", http_client=httpx.Client(transport=httpx.MockTransport(answer))
    )
    runner = client.beta.messages.tool_runner(
        model="claude", max_tokens=100, tools=[MemoryTool(memory)],
        messages=[{"role": "user", "content": "Remember that Ana likes tea."}],
    )  # fmt: skip
    assert runner.until_done().content[0].text == "Noted."
    assert asked[0]["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    assert memory.records.get("memories", "a.md").value == "Ana likes tea."
    assert "File created successfully" in json.dumps(asked[1]["messages"][-1])


DOCS = Path(__file__).parents[2] / "docs/adapters/anthropic.md"


@pytest.mark.parametrize("text", ["", "Saving."])
def test_the_example_of_the_docs_runs_as_it_stands(text):
    [example] = re.findall(r"```text\n(from .*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    example = example.replace("model=…", 'model="m", max_tokens=50')
    example = example.replace("messages=…", 'messages=[{"role": "user", "content": "I keep hens."}]')
    note = {"command": "create", "path": "/memories/ana.md", "file_text": "Ana keeps hens."}
    with (
        Memory(":memory:", embedder=FakeEmbedder()) as memory,
        ScriptedServer([Said(text, calls=(Call("memory", note),)), "Done."]) as server,
    ):
        known = {"client": anthropic.Anthropic(base_url=server.url, api_key="any"), "memory": memory}
        exec(example.replace("client.beta", "runner = client.beta"), known)
        assert known["runner"].until_done().content[0].text == "Done."
        assert memory.search("hens", user_id="ana").hits[0].item.content == "Ana keeps hens."
        assert [asked.json["thread"]["type"] for asked in server.chats] == ["create", "continue"]
