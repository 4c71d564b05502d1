"""Secrets of documents: replaced wherever chunks are cut, and nothing else is."""

import base64
import html
import random
import zipfile
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides import Memory
from simonides.documents.reading import read_text
from simonides.documents.secrets import without_secrets
from simonides.errors import InvalidText
from simonides.governance.policy import Policy
from simonides.governance.settings import PolicySettings
from simonides.testing import FakeEmbedder

POLICY = Policy()
KINDS = {
    "RSA PRIVATE KEY": [
        "",
        "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,3F17F5316E2BAC89D2F7A1C0B1E4F0AA\n\n",
    ],
    "OPENSSH PRIVATE KEY": [""],
    "PRIVATE KEY": [""],
    "PGP PRIVATE KEY BLOCK": ["\n", "Version: GnuPG v2\n\n"],
}
INTRODUCED = (
    "The admin password is {}",
    "The admin password is: {}",
    "password: {}",
    "password:\n  {}",
    "password: >-\n  {}",
    "api_key:\n  {}",
    "The admin password is:\n\n{}",
    "The deploy token is\n{}",
)
FORMS = ("page.md", "page.txt", "page.html", "page.py")


def key(drawn, kind, head, size):
    """A private key, and its lines of which none may be kept."""
    body = base64.b64encode(drawn.randbytes(size)).decode()
    lines = [body[at : at + 64] for at in range(0, len(body), 64)]
    return f"-----BEGIN {kind}-----\n{head}" + "\n".join(lines) + f"\n-----END {kind}-----", lines[:-1]


def value(drawn):
    """A password as a generator draws them."""
    return "Q" + "".join(drawn.choice("abcdefghkmnpqrstuvwxyz") + drawn.choice("23456789") for _ in range(8))


def filling(drawn, size):
    """Lines of which each is told from every other, and the blank ones between paragraphs."""
    lines = []
    while sum(map(len, lines)) < size:
        words = " ".join(drawn.choice(("heron", "mill", "rye", "boat", "pier")) for _ in range(12))
        lines += [f"Row {drawn.randrange(1 << 30)} tells of {words}.", *[""] * drawn.randrange(2)]
    return lines


def written(form, before, secret, after):
    """Lines of a file of a form: text, a secret, text."""
    if form.endswith(".html"):
        page = lambda lines: [f"<p>{line}</p>" if line else "" for line in lines]  # noqa: E731
        return [
            "<body>",
            *page(before),
            "<pre>",
            *html.escape(secret).split("\n"),
            "</pre>",
            *page(after),
            "</body>",
        ]
    if form.endswith(".py"):
        return [
            *(f"# {line}" for line in before),
            'TEXT = """',
            *secret.split("\n"),
            '"""',
            *(f"# {line}" for line in after),
        ]
    return [*before, "", *secret.split("\n"), "", *after]


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 1 << 32), form=st.sampled_from(FORMS))
def test_no_part_of_a_secret_is_kept_wherever_it_stands_and_every_other_line_is_under_its_number(seed, form):
    drawn = random.Random(seed)
    if drawn.random() < 0.5:
        kind = drawn.choice(list(KINDS))
        secret, hidden = key(drawn, kind, drawn.choice(KINDS[kind]), drawn.randrange(300, 5_000))
    else:
        hidden = [value(drawn)]
        secret = drawn.choice(INTRODUCED).format(hidden[0])
    before, after = filling(drawn, drawn.randrange(4_500)), filling(drawn, drawn.randrange(4_500))
    lines = written(form, before, secret, after)
    pieces = without_secrets(read_text("\n".join(lines), form), POLICY).pieces
    kept = "\n".join(piece.text for piece in pieces)
    assert [line for line in hidden if line in kept] == []
    assert "[secret: " in kept
    for line in filter(None, (*before, *after)):
        [piece] = [piece for piece in pieces if line in piece.text]
        at = next(number for number, one in enumerate(lines, 1) if line in one)
        assert piece.first <= at <= piece.last
    assert all(
        one.first <= one.last < other.first or one.last == other.first for one, other in pairwise(pieces)
    )


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 1 << 32), form=st.sampled_from(FORMS))
def test_a_text_without_secrets_is_cut_as_it_is(seed, form):
    drawn = random.Random(seed)
    sentence = "The password is asked for at the gate, and the private key lies in the safe."
    lines = written(form, filling(drawn, 5_000), sentence, filling(drawn, 5_000))
    read = read_text("\n".join(lines), form)
    assert without_secrets(read, POLICY).pieces == read.pieces


def test_a_name_that_an_example_calls_with_a_password_is_kept_elsewhere():
    calls = "open it with BZ2_bzReadOpen when a password is BZ2_bzReadOpen\n\n"
    rest = "\n\n".join(["The rye is ground.\n" * 150, "Call BZ2_bzReadOpen to read."])
    pieces = without_secrets(read_text(calls + rest, "manual.txt"), POLICY).pieces
    assert "Call BZ2_bzReadOpen to read." in pieces[-1].text
    drawn = (
        "The password is Tq7vK2mPz9LwXb8.\n\n" + "The rye is ground.\n" * 300 + "Log in with Tq7vK2mPz9LwXb8."
    )
    pieces = without_secrets(read_text(drawn, "manual.txt"), POLICY).pieces
    assert "Tq7vK2mPz9LwXb8" not in "".join(piece.text for piece in pieces)


@pytest.fixture
def memory(fresh):
    with Memory(fresh, embedder=FakeEmbedder(16)) as made:
        yield made


def parted(drawn):
    """A page of many chunks with a key that three of them would hold."""
    secret, hidden = key(drawn, "OPENSSH PRIVATE KEY", "", 3_500)
    return "\n".join(["# Rows", "", *filling(drawn, 6_000), "", secret, "", *filling(drawn, 6_000)]), hidden


def test_an_edit_elsewhere_leaves_the_chunks_of_a_page_with_a_secret(memory):
    text, hidden = parted(random.Random(5))
    memory.documents.put("notes", "keys.md", text)
    before = memory.documents.chunks("notes", "keys.md")
    memory.documents.put("notes", "keys.md", "A new beginning.\n\n" + text)
    after = memory.documents.chunks("notes", "keys.md")
    by_id = {one.id: one for one in after}
    assert len(by_id) == len(before) + 1
    for one in before:
        assert by_id[one.id].metadata["lines"] == [line + 2 for line in one.metadata["lines"]]
    assert not [line for line in hidden if line in str(list(memory.export()))]


def test_a_value_is_replaced_once_an_edit_of_another_chunk_introduces_it(memory):
    page = "# Server\n\n" + ("some word " * 197) + "The {} is:\n\nQzTq7vK2mPz9 and more.\n"
    memory.documents.put("notes", "a.md", page.format("colour"))
    assert "QzTq7vK2mPz9" in memory.documents.chunks("notes", "a.md")[-1].content
    memory.documents.put("notes", "a.md", page.format("password"))
    first, last = memory.documents.chunks("notes", "a.md")
    assert first.content.endswith("The password is:")
    assert last.content == "[secret: password] and more."


def test_files_read_in_processes_beside_and_converted_ones_lose_their_secrets_too(memory, tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    drawn = random.Random(6)
    text, hidden = parted(drawn)
    (folder / "keys.md").write_text(text)
    (folder / "large.txt").write_text("The mill grinds rye and oats by the water.\n" * 100_000)
    others, more = parted(drawn)
    rows = "".join(f"<p>{line}</p>" for line in others.split("\n"))
    with zipfile.ZipFile(folder / "book.epub", "w") as book:
        book.writestr(
            "META-INF/container.xml",
            '<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>',
        )
        manifest = '<manifest><item id="a" href="a.html"/></manifest><spine><itemref idref="a"/></spine>'
        book.writestr("a.opf", f"<package><metadata/>{manifest}</package>")
        book.writestr("a.html", f"<html><body>{rows}</body></html>")
    report = memory.documents.ingest(folder, corpus="notes")
    assert sorted(report.added) == ["book.epub", "keys.md", "large.txt"]
    kept = "\n".join(
        one.content for name in ("keys.md", "book.epub") for one in memory.documents.chunks("notes", name)
    )
    assert kept.count("[secret: private key]") == 2
    assert [line for line in hidden + more if line in kept] == []


TOKEN = "ghp_Kq3mXv82LpZr91TbWnYc4DsGh7JfUe6RaQoV"


@pytest.mark.parametrize("path", [f"{TOKEN}.md", f"keys/{TOKEN}/a.md", f"old%20{TOKEN}.md"])
def test_a_file_with_a_secret_in_its_path_is_refused_without_showing_it_and_costs_the_others_nothing(
    memory, tmp_path, path
):
    folder = tmp_path / "notes"
    (folder / path).parent.mkdir(parents=True)
    (folder / path).write_text("# Rules\n\nThe old key is dead.\n")
    (folder / "a.md").write_text("# Boats\n\nThe ferry leaves at noon.\n")
    (folder / "z.md").write_text("# Mill\n\nIt grinds rye.\n")
    foreseen = memory.documents.ingest(folder, corpus="notes", dry_run=True)
    report = memory.documents.ingest(folder, corpus="notes")
    assert foreseen.to_dict() | {"dry_run": False} == report.to_dict()
    assert (report.added, len(report.refused)) == (["a.md", "z.md"], 1)
    assert TOKEN not in str(report.to_dict())
    assert "secret: GitHub token" in report.refused[0].reason
    (folder / "a.md").write_text("# Boats\n\nThe ferry leaves at one.\n")
    assert memory.documents.ingest(folder, corpus="notes").changed == ["a.md"]
    with pytest.raises(InvalidText) as caught:
        memory.documents.put("notes", path, "The old key is dead.")
    assert TOKEN not in str(caught.value)
    assert TOKEN not in str(list(memory.export()))


def test_a_file_with_a_secret_in_a_heading_is_kept_without_it(memory, tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("# Boats\n\nThe ferry leaves at noon.\n")
    (folder / "b.md").write_text(
        f"# Rotate {TOKEN}\n\nThe old key is dead.\n\n## Then {TOKEN}\n\nIt is new.\n"
    )
    foreseen = memory.documents.ingest(folder, corpus="notes", dry_run=True)
    report = memory.documents.ingest(folder, corpus="notes")
    assert foreseen.to_dict() | {"dry_run": False} == report.to_dict()
    assert (report.added, report.refused) == (["a.md", "b.md"], [])
    assert memory.documents.get("notes", "b.md").title == "Rotate [secret: GitHub token]"
    assert TOKEN not in str(list(memory.export()))


def test_a_dry_run_refuses_what_rules_of_one_s_own_forbid_as_the_run_does(tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text(
        'category = "forbidden"\n[[rule]]\nname = "own"\nkind = "project name"\npattern = "heronry"\n'
        'keywords = ["heronry"]\nexample = "the heronry"\ncounterexample = "the heron"\n'
    )
    folder = tmp_path / "notes"
    folder.mkdir()
    for name, text in {
        "a.md": "# Boats\n\nThe ferry leaves at noon.",
        "b.md": "# Heronry\n\nIt is by the water.",
        "heronry.md": "It is by the water.",
        "c.md": "# Long\n\n" + "The mill grinds rye.\n" * 120 + "\n## Late\n\nThe heronry is old.",
    }.items():
        (folder / name).write_text(text)
    with Memory(
        tmp_path / "m.db", embedder=FakeEmbedder(16), policy=Policy(PolicySettings(rules=(str(rules),)))
    ) as own:
        foreseen = own.documents.ingest(folder, corpus="notes", dry_run=True)
        report = own.documents.ingest(folder, corpus="notes")
    assert foreseen.to_dict() | {"dry_run": False} == report.to_dict()
    assert report.added == ["a.md", "c.md"]
    assert sorted(one.path for one in report.refused) == ["b.md", "c.md", "heronry.md"]
