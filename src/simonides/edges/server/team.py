"""Teams: the processes that serve one store together, and how they know each other."""

from __future__ import annotations

import hmac
from pathlib import Path
from typing import TYPE_CHECKING, Final

from simonides.reserve import Reserve
from simonides.values import dataclass

if TYPE_CHECKING:
    from starlette.datastructures import Headers

    from simonides.config import ProxySettings
    from simonides.edges.http.access import Access

#: Header of a request that a worker sends on to another.
WORKER: Final = "x-simonides-worker"


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """A server, as each of its processes has to know it.

    Attributes:
        store: Address of the memory.
        state: File of its keys.
        reserve: Room on the disk that this may use on a full one; None for none.
        upkeep: Whether the schedule of upkeep is kept meanwhile.
        proxy: How a server of models is reached, whose chats are given memory; None for none.
    """

    store: Path | str
    state: Path
    access: Access
    upkeep: bool = True
    proxy: ProxySettings | None = None
    reserve: Reserve | None = None


@dataclass(frozen=True, slots=True)
class Team:
    """Workers of one server.

    Attributes:
        folder: Of their sockets, which only their owner opens.
        size: How many.
        number: Of this one, from 0 on; the first does what only one can do.
        secret: By which they know each other's requests.
    """

    folder: Path
    size: int
    number: int
    secret: str

    @property
    def is_first(self) -> bool:
        """True of the worker that keeps the schedule, conversations over MCP, and chats."""
        return self.number == 0

    def socket(self, number: int | None = None) -> Path:
        """Path of a worker's socket; of this one's without a number."""
        return self.folder / f"{self.number if number is None else number}.sock"

    def sent(self, headers: Headers) -> bool:
        """True of a request that another worker sent on: it was counted there."""
        return hmac.compare_digest(headers.get(WORKER, "").encode("latin-1"), self.secret.encode())
