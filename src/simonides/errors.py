"""Every error that Simonides raises on purpose, in one tree.

::

    SimonidesError
    ├── InvalidInput            what was passed in cannot be used; nothing was written
    │   ├── InvalidText             empty, NUL, lone surrogate, too long
    │   ├── InvalidScope            not a path of key:value parts
    │   ├── InvalidVector           NaN, infinity or the wrong dimension
    │   └── InvalidSettings         unknown key, value out of range
    ├── NotFound                no such item, entity, run or injection in sight
    ├── Conflict                the change contradicts what is stored; nothing was written
    │   ├── NeedsApproval           a model asks for what takes a person's word
    │   └── UndoRefused             items changed since the run that was to be taken back
    ├── RateLimited             too many calls of one session; nothing was done
    ├── WrongToken              a server knows nobody by this key or token
    ├── Forbidden               a server does not allow it with this key or token
    ├── Busy                    too much goes on at once; nothing was done
    ├── StoreError              the file
    │   ├── NotAStore               a file that is not a Simonides database
    │   ├── NewerSchema             written by a later release
    │   ├── StoreReadOnly           the file or its folder cannot be written
    │   ├── StoreFull               the disk is full
    │   ├── StoreLocked             another process kept it locked for too long
    │   ├── StoreDamaged            SQLite or a row hash says that bytes changed
    │   ├── WrongKey                the store and a key do not go together
    │   └── StoreClosed             used after close()
    └── ProviderError           an embedder, reranker or model did not answer usefully
        ├── ProviderUnavailable     not reachable, timed out
        │   └── NotInstalled            a package is missing that comes with an extra
        └── InvalidAnswer           a model's answer is not what its task asked for

A message says what happened and what to do, in no words of Python: whoever asks over REST, MCP or the command line
reads it, too. Where a verb is the next step, an `Advice` names it, and each edge calls it by a name of its own. The
first line of a class's docstring is its message when it is raised without one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, NamedTuple

#: Characters of a message, and of its end where it would be longer.
_MOST_CHARS: Final = 2000
_END_CHARS: Final = 400


class Advice(NamedTuple):
    """A next step by a verb.

    Attributes:
        text: It, with `{}` for the verb's name: "{} lists them".
        verb: As `Memory` calls it: `runs.list`.
    """

    text: str
    verb: str


class SimonidesError(Exception):
    """Simonides could not do what was asked."""

    #: Stable name for JSON answers (tools, CLI, REST).
    code = "error"
    #: The next step, if a verb is one. Python shows it as a note below the message.
    advice: Advice | None = None

    def __init__(self, message: str | None = None, advice: Advice | None = None) -> None:
        told = message or (type(self).__doc__ or "").partition("\n")[0]
        if len(told) > _MOST_CHARS:
            # What was passed in may be of any length; what happened stands at the beginning, what to do at the end.
            told = f"{told[: _MOST_CHARS - _END_CHARS - 3]} … {told[-_END_CHARS:]}"
        super().__init__(told)
        if advice is not None:
            self.advice = advice
            self.add_note(advice.text.format(f"{advice.verb}()"))

    def worded(self, name_of: Callable[[str], str | None]) -> str:
        """The message, and the advice as an edge words it.

        Args:
            name_of: The edge's name of a verb; None for one that it lacks: then the advice is left out.
        """
        name = None if self.advice is None else name_of(self.advice.verb)
        return (
            str(self) if self.advice is None or name is None else f"{self}; {self.advice.text.format(name)}"
        )


class InvalidInput(SimonidesError, ValueError):
    """The input cannot be used."""

    code = "invalid_input"


class InvalidText(InvalidInput):
    """The text cannot be stored as it is."""

    code = "invalid_text"


class InvalidScope(InvalidInput):
    """A scope is `global` or key:value parts joined by '/', such as 'user:ana/project:apollo'."""

    code = "invalid_scope"


class InvalidVector(InvalidInput):
    """The vector holds NaN or infinity, or has the wrong dimension."""

    code = "invalid_vector"


class InvalidSettings(InvalidInput):
    """The settings cannot be used."""

    code = "invalid_settings"


class NotFound(SimonidesError, LookupError):
    """Nothing with this id is visible from here."""

    code = "not_found"


class Conflict(SimonidesError):
    """The change contradicts what is stored."""

    code = "conflict"


class NeedsApproval(Conflict):
    """This memory is not a model's own; a person decides what becomes of it."""

    code = "needs_approval"

    def __init__(
        self, message: str | None = None, reasons: tuple[str, ...] = (), advice: Advice | None = None
    ) -> None:
        super().__init__(message or "; ".join(reasons) or None, advice)
        #: Why a person has to decide; empty where the message alone says it.
        self.reasons = reasons


class UndoRefused(Conflict):
    """Items changed since the run; nothing was taken back. With `force` the rest is."""

    code = "undo_refused"

    def __init__(self, message: str | None = None, item_ids: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        #: The items that changed since.
        self.item_ids = item_ids


class WrongToken(SimonidesError):
    """The server knows nobody by this key or token; show one that it made."""

    code = "token"


class Forbidden(SimonidesError):
    """The server does not allow this with the key or token that was shown."""

    code = "forbidden"


class Busy(SimonidesError):
    """Too much goes on at once; nothing was done, try again."""

    code = "busy"


class RateLimited(SimonidesError):
    """Too many calls in a short time; nothing was done."""

    code = "rate_limited"

    def __init__(self, retry_after_s: float = 1.0, unnoted: int = 1) -> None:
        super().__init__(f"too many calls in a short time; try again in {max(1, math.ceil(retry_after_s))} s")
        #: Seconds after which the next call is let through.
        self.retry_after_s = retry_after_s
        #: Refusals to note in the audit log now, this one among them; 0 within a minute of the last event.
        self.unnoted = unnoted


class StoreError(SimonidesError):
    """The store could not be read or written."""

    code = "store_error"


class NotAStore(StoreError):
    """The file is not a Simonides database; choose another path, it was left as it is."""

    code = "not_a_store"


class NewerSchema(StoreError):
    """The store was written by a later release; upgrade Simonides to open it."""

    code = "newer_schema"


class StoreReadOnly(StoreError):
    """The store or its folder cannot be written; check the permissions."""

    code = "store_read_only"


class StoreFull(StoreError):
    """The disk is full; free some space and try again, what did not fit was not kept."""

    code = "store_full"


class StoreLocked(StoreError):
    """Another process kept the store locked for too long; try again."""

    code = "store_locked"


class StoreDamaged(StoreError):
    """Bytes of the store changed; restore a backup, or run `simonides doctor --salvage NEW.db`."""

    code = "store_damaged"


class WrongKey(StoreError):
    """The store and the key that was given do not go together."""

    code = "wrong_key"


class StoreClosed(StoreError):
    """The store is closed; open it again."""

    code = "store_closed"


class ProviderError(SimonidesError):
    """A provider gave an answer that cannot be used."""

    code = "provider_error"


class ProviderUnavailable(ProviderError):
    """A provider does not respond; check that its server is running."""

    code = "provider_unavailable"


class NotInstalled(ProviderUnavailable):
    """A package is missing that comes with an extra."""

    code = "not_installed"

    @classmethod
    def of(cls, package: str, *, extra: str) -> NotInstalled:
        """The error for a package, with the command that installs it."""
        return cls(f"{package} is not installed; run: pip install 'simonides[{extra}]'")


class InvalidAnswer(ProviderError):
    """A model's answer is not what its task asked for; nothing of it was used."""

    code = "invalid_answer"
