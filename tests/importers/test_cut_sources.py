"""Secrets of files that are cut into several items: no part of one is taken, and nothing else is refused."""

import base64
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides import ALL, Memory
from simonides.testing import FakeEmbedder

HEADS = {
    "RSA PRIVATE KEY": "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,3F17F5316E2BAC89D2F7A1C0B1E4F0AA\n\n",
    "PGP PRIVATE KEY BLOCK": "Version: GnuPG v2\n\n",
    "OPENSSH PRIVATE KEY": "",
}
KINDS = {"agent-files": "CLAUDE.md", "obsidian": "note.md", "basic-memory": "note.md"}


def written(kind, drawn):
    """A file of a kind with a secret somewhere; lines of which none may be taken, and lines of which all must be."""
    body = base64.b64encode(drawn.randbytes(drawn.randrange(200, 4_000))).decode()
    lines = [body[at : at + 64] for at in range(0, len(body), 64)]
    head = drawn.choice(list(HEADS))
    key = "\n".join([f"-----BEGIN {head}-----", HEADS[head] + lines[0], *lines[1:], f"-----END {head}-----"])
    password = "Q" + "".join(drawn.choice("abcdefghkmn") + drawn.choice("23456789") for _ in range(8))
    secret, hidden = drawn.choice(
        [(key, lines[:-1]), (f"The admin password is:\n\n  {password}", [password])]
    )
    told = [f"Row {drawn.randrange(1 << 30)} tells of the heron at the mill by the water." for _ in range(80)]
    point = "- [fact] {}" if kind == "basic-memory" else "- {}"
    rows = [point.format(one) if drawn.random() < 0.5 else f"\n{one}\n" for one in told]
    at = drawn.randrange(len(rows))
    heads = {n: f"\n## Part {n}\n" for n in drawn.sample(range(80), 8)}
    rows = [
        part
        for n, row in enumerate(rows)
        for part in (heads.get(n, ""), *(["\n## Keys\n", secret, "\n## Then\n"] if n == at else []), row)
    ]
    return "# Rules\n\n" + "\n".join(rows) + "\n", hidden, told


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 1 << 32), kind=st.sampled_from(list(KINDS)))
def test_no_part_of_a_secret_is_taken_and_what_stands_in_other_parts_is(tmp_path_factory, seed, kind):
    text, hidden, told = written(kind, random.Random(seed))
    folder = tmp_path_factory.mktemp("source")
    (folder / KINDS[kind]).write_text(text)
    with Memory(folder / "memory.db", embedder=FakeEmbedder(16)) as memory:
        foreseen = memory.import_from(kind, folder, user_id="ana", dry_run=True)
        report = memory.import_from(kind, folder, user_id="ana")
        kept = "\n".join(item.content for item in memory.list(scope=ALL, limit=1_000))
    assert [line for line in hidden if line in kept] == []
    assert foreseen.refused == report.refused
    # What is too long for an item is left out before it is judged.
    assert report.refused or report.left_out
    assert all(one.reason.startswith("secret: ") for one in report.refused)
    # A note of basic-memory has one text, which a secret within refuses, and its observations.
    lost = [one for one in told if one not in kept]
    assert all(f"- [fact] {one}" not in text for one in lost) if kind == "basic-memory" else not lost


@pytest.mark.parametrize("kind", KINDS)
def test_a_refused_part_leaves_an_event_and_files_without_secrets_lose_nothing(tmp_path, kind):
    row = "Row {} tells of the heron at the mill, where the password is asked for."
    told = [row.format(n) for n in range(90)]
    (tmp_path / KINDS[kind]).write_text("\n\n".join(told))
    with Memory(tmp_path / "memory.db", embedder=FakeEmbedder(16)) as memory:
        assert not memory.import_from(kind, tmp_path, user_id="ana").refused
        kept = "\n".join(item.content for item in memory.list(scope=ALL, limit=1_000))
        assert not [one for one in told if one not in kept]
        (tmp_path / KINDS[kind]).write_text("# Keys\n\nThe password is:\n\nQzTq7vK2mPz9\n")
        assert memory.import_from(kind, tmp_path, user_id="bob").refused
        [event] = [one for one in memory.audit.events() if one.action == "refuse"]
        assert event.details["reasons"] == ["secret: password"]
