"""Former wordings: each is kept in its order, or the report says why not; and rows are named by their own numbers."""

import pytest

HISTORY = """CREATE TABLE history (id TEXT PRIMARY KEY, memory_id, old_memory TEXT, new_memory TEXT, event TEXT,
    created_at DATETIME, updated_at DATETIME, is_deleted INTEGER, actor_id TEXT, role TEXT);
    INSERT INTO history VALUES """
SECRET = "My password is hunter2hunter2"


def events(*rows):
    """A history of rows, each an event, the wording before it and the one after it."""
    lines = [
        f"('h{n}', 7, {quoted(before)}, {quoted(after)}, '{event}', '2024-01-01', '2024-02-{n:02}', "
        f"{int(event == 'DELETE')}, NULL, NULL)"
        for n, (event, before, after) in enumerate(rows, 1)
    ]
    return f"{HISTORY}{', '.join(lines)}"


def quoted(text):
    return "NULL" if text is None else f"'{text}'"


@pytest.mark.parametrize(
    ("rows", "wordings", "refused"),
    [
        ([("ADD", None, "Likes red"), ("UPDATE", "Likes red", "Likes blue")], ["Likes red", "Likes blue"], 0),
        ([("UPDATE", "Likes red", "Likes blue")], ["Likes red", "Likes blue"], 0),
        (
            [("UPDATE", "Likes red", "Likes blue"), ("UPDATE", "Likes green", "Likes grey")],
            ["Likes red", "Likes blue", "Likes green", "Likes grey"],
            0,
        ),
        ([("ADD", None, SECRET), ("UPDATE", SECRET, "Uses a vault")], ["Uses a vault"], 1),
        (
            [("ADD", None, "Likes red"), ("UPDATE", "Likes red", SECRET), ("UPDATE", SECRET, "Uses a vault")],
            ["Likes red", "Uses a vault"],
            1,
        ),
        ([("UPDATE", SECRET, "Uses a vault")], ["Uses a vault"], 1),
        ([("ADD", None, "Likes red"), ("DELETE", "Likes red", None)], ["Likes red"], 0),
        (
            [("UPDATE", "Likes red", "Likes blue"), ("DELETE", "Likes blue", None)],
            ["Likes red", "Likes blue"],
            0,
        ),
        ([("DELETE", "Likes red", None)], ["Likes red"], 0),
    ],
)
def test_every_wording_of_a_history_is_kept_or_told(rows, wordings, refused, memory, database):
    path = database(events(*rows))
    told = memory.import_from("mem0", path, user_id="ana", dry_run=True)
    report = memory.import_from("mem0", path, user_id="ana")
    assert (told.counts, told.refused) == (report.counts, report.refused)
    assert report.counts["items"] == {"accepted": 1}
    assert [part.reason.partition(": ")[0] for part in report.refused] == ["a former wording of it"] * refused
    [item] = memory.list(user_id="ana", archived=True)
    assert list(dict.fromkeys(one.item.content for one in memory.history(item.id))) == wordings
    again = memory.import_from("mem0", path, user_id="ana")
    assert (again.counts["items"], len(again.refused)) == ({"merged": 1}, refused)


def test_a_memory_that_is_a_secret_itself_is_told_once(memory, database):
    path = database(events(("ADD", None, SECRET), ("DELETE", SECRET, None)))
    report = memory.import_from("mem0", path, user_id="ana")
    assert (report.count("accepted"), len(report.refused)) == (0, 1)


def test_of_a_database_of_items_a_refused_wording_costs_the_others_nothing(memory, database):
    path = database(
        f"""CREATE TABLE memory_items (id, content, created_at);
        INSERT INTO memory_items VALUES (1, 'Uses a vault', '2024-01-01');
        CREATE TABLE memory_revisions (item_id, content, created_at);
        INSERT INTO memory_revisions VALUES (1, 'Likes red', '2024-01-01'), (1, '{SECRET}', '2024-01-02')"""
    )
    report = memory.import_from("items-db", path)
    assert len(report.refused) == 1
    [item] = memory.list()
    assert [one.item.content for one in memory.history(item.id)] == ["Likes red", "Uses a vault"]
    assert f"{item.times['created_at']:%Y-%m-%d}" == "2024-01-01"


@pytest.mark.parametrize(
    ("table", "place"),
    [
        ("nodes (id, content, created_at)", "row 2"),
        ("nodes (id INTEGER PRIMARY KEY, content, created_at)", "row 20"),
        ("nodes (id, content, created_at, rowid)", "row 2"),
        ("nodes (id INTEGER, content, created_at, PRIMARY KEY (id)) WITHOUT ROWID", "row 3"),
    ],
)
def test_a_row_is_named_by_its_own_number(table, place, memory, database):
    more = ", 0" if table.endswith("rowid)") else ""
    path = database(
        f"""CREATE TABLE {table}; CREATE TABLE edges (src, dst);
        INSERT INTO nodes VALUES (10, 'The mill is blue.', '2024-01-02'{more}), (20, '', '2024-01-03'{more}),
          (30, 'The mill is old.', '2024-01-01'{more})"""
    )
    report = memory.import_from("graph-db", path)
    assert [part.place for part in report.refused] == [f"theirs.db, nodes, {place}"]
