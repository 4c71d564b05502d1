"""Exit codes, and which of them an error ends with."""

from __future__ import annotations

from typing import Final

from simonides.errors import InvalidInput, NotFound, NotInstalled, ProviderError, SimonidesError, StoreError

OK: Final = 0
WRONG: Final = 1
USAGE: Final = 2
NOT_FOUND: Final = 3
STORE: Final = 4
PROVIDER: Final = 5
MISSING: Final = 6
INTERRUPTED: Final = 130

#: What JSON calls an error that is none of the library's.
NAMES: Final = {WRONG: "internal", USAGE: "usage", STORE: "store_error", INTERRUPTED: "interrupted"}

#: What each code says, as `simonides --help` shows it.
MEANINGS: Final = {
    OK: "done",
    WRONG: "something is wrong: problems found, input rejected, words ambiguous",
    USAGE: "the arguments or the input cannot be used",
    NOT_FOUND: "there is nothing with this id",
    STORE: "the store cannot be used: missing, locked, read-only, damaged, full",
    PROVIDER: "an embedder or model does not answer",
    MISSING: "a package that is needed is not installed",
    INTERRUPTED: "interrupted",
}

_CODES: Final[tuple[tuple[type[SimonidesError], int], ...]] = (
    (InvalidInput, USAGE),
    (NotFound, NOT_FOUND),
    (StoreError, STORE),
    (NotInstalled, MISSING),
    (ProviderError, PROVIDER),
)


def code_of(error: BaseException) -> int:
    """The exit code for an error."""
    return next((code for kind, code in _CODES if isinstance(error, kind)), WRONG)


def code_named(name: str) -> int:
    """The exit code for the stable name of an error, as tools answer with it."""
    for kind, code in _CODES:
        if name in {one.code for one in (kind, *kind.__subclasses__())}:
            return code
    return WRONG
