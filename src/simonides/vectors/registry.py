"""From the settings' section `index` to the index that compares vectors."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.tuning import tuned
from simonides.errors import InvalidSettings, NotInstalled
from simonides.plugins import Makers
from simonides.ports.vectors import VectorIndex
from simonides.values import dataclass
from simonides.vectors.approximate import ApproximateIndex, SavingPlan
from simonides.vectors.engine import Engine
from simonides.vectors.exact import ExactIndex
from simonides.vectors.faiss import FaissHNSW, FaissIVF, FaissPQ
from simonides.vectors.sqlite_vec import SqliteVec
from simonides.vectors.usearch import USearch

#: Packages offer indexes of their own here: each entry point is a callable that takes an `IndexRequest`
#: and returns a `VectorIndex`, and is chosen by its name.
GROUP: Final = "simonides.indexes"
AUTO: Final = "auto"
EXACT: Final = "exact"
#: The store compares, where it is a database that can; an index of the process then serves its past alone.
PGVECTOR: Final = "pgvector"


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """Settings of the comparison of vectors.

    Attributes:
        kind: `auto` takes `pgvector` on PostgreSQL, or the process itself where it goes on searching few vectors, and
            for a file `faiss-pq` where faiss is installed and `exact` elsewhere; `pgvector`, `faiss-pq`,
            `faiss-hnsw`, `faiss-ivf`, `usearch`, `sqlite-vec`, or what another package offers.
        above: Vectors of one scope from which it is used; fewer are compared one by one, which is quick, >= 1.
        m: Neighbours of a node, for `faiss-hnsw` and `usearch`, 2 to 128.
        ef_construction: Nodes that are looked at to place one, for the same, 8 to 4096.
        ef_search: Nodes that are looked at to answer, for the same, 8 to 4096: more find more and take longer.
        probed: Share of the lists that are looked at, for `faiss-ivf`, in (0, 1].
    """

    kind: str = AUTO
    above: int = tuned(50_000)
    m: int = tuned(32)
    ef_construction: int = tuned(200)
    ef_search: int = tuned(1600)
    probed: float = tuned(0.5)

    def __post_init__(self) -> None:
        for name, least, most in (
            ("above", 1, None),
            ("m", 2, 128),
            ("ef_construction", 8, 4096),
            ("ef_search", 8, 4096),
        ):
            value = getattr(self, name)
            if value < least or (most is not None and value > most):
                bounds = f"at least {least}" if most is None else f"{least} to {most}"
                raise InvalidSettings(f"index.{name} is {bounds}, got {value}")
        if not 0 < self.probed <= 1:
            raise InvalidSettings(f"index.probed lies above 0 and up to 1, got {self.probed}")


@dataclass(frozen=True, slots=True)
class IndexRequest:
    """Sizes and places that an index is made for.

    Attributes:
        model: Of the vectors.
        settings: The section `index`.
        folder: Where it may keep files, beside the store; a purge removes it with all that is in it.
            None for a store that has no place.
        writes: Whether it may change anything there.
    """

    model: EmbedderIdentity
    settings: IndexSettings
    folder: Path | None
    writes: bool = True


def maker_of(kind: str) -> Callable[[IndexRequest], VectorIndex]:
    """Maker of indexes of a kind. Imports no engine.

    Built-in names go before those of entry points.

    Raises:
        InvalidSettings: There is no such kind.
        ProviderUnavailable: Its package is not installed or cannot be imported.
    """
    if kind not in {AUTO, *_INDEXES.built_in} and kind not in (kinds := known_kinds()):
        raise InvalidSettings(f"index.kind is one of {', '.join(kinds)}, not {kind!r}")
    if kind == AUTO:
        kind = _PREFERRED if find_spec(_ENGINES[_PREFERRED].module) is not None else EXACT
    elif (known := _ENGINES.get(kind)) is not None and find_spec(known.module) is None:
        raise NotInstalled.of(known.package, extra=known.extra)
    return _INDEXES.named(kind)


def known_kinds() -> list[str]:
    """All names that `maker_of` understands, sorted."""
    return sorted({AUTO, *_INDEXES.known()})


@dataclass(frozen=True, slots=True)
class _Known:
    package: str
    extra: str
    module: str
    engine: Callable[[IndexSettings], Engine]


def _approximate(known: _Known) -> Callable[[IndexRequest], VectorIndex]:
    def make(request: IndexRequest) -> VectorIndex:
        plan = SavingPlan(request.folder, request.settings.above, request.writes)
        return ApproximateIndex(request.model, known.engine(request.settings), plan)

    return make


#: What the bench prefers: docs/decisions/0012-approximate-index.md.
_PREFERRED: Final = FaissPQ.name
_ENGINES: Final[dict[str, _Known]] = {
    FaissPQ.name: _Known("faiss-cpu", "faiss", "faiss", lambda _: FaissPQ()),
    FaissHNSW.name: _Known(
        "faiss-cpu", "faiss", "faiss", lambda s: FaissHNSW(s.m, s.ef_construction, s.ef_search)
    ),
    FaissIVF.name: _Known("faiss-cpu", "faiss", "faiss", lambda s: FaissIVF(s.probed)),
    USearch.name: _Known(
        "usearch", "usearch", "usearch", lambda s: USearch(s.m, s.ef_construction, s.ef_search)
    ),
    SqliteVec.name: _Known("sqlite-vec", "sqlite-vec", "sqlite_vec", lambda _: SqliteVec()),
}
_INDEXES: Final = Makers[Callable[[IndexRequest], VectorIndex]](
    "index",
    GROUP,
    {
        EXACT: lambda request: ExactIndex(request.model),
        PGVECTOR: lambda request: ExactIndex(request.model),
        **{kind: _approximate(known) for kind, known in _ENGINES.items()},
    },
)
