"""Options that several commands share, as values that a command takes for a parameter."""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Protocol, TypeVar

import typer

from simonides.by_hand import for_store
from simonides.domain.address import IN_MEMORY, address_of, has_password, place_of, scheme_of, shown
from simonides.domain.text import near_names
from simonides.edges.cli.output import Output, note
from simonides.errors import StoreError, StoreReadOnly, WrongKey
from simonides.values import dataclass

if TYPE_CHECKING:
    from simonides.domain.scope import Scope, Scopes
    from simonides.memory import Memory


class _Writable(Protocol):
    """A value that writes itself as JSON."""

    def to_dict(self) -> dict[str, Any]: ...


T = TypeVar("T")
W = TypeVar("W", bound=_Writable)
_log = logging.getLogger("simonides.cli")
_UNCOMPARED: Final = (
    "the store is under an integrity key that was not given (SIMONIDES_INTEGRITY_KEY or integrity.key_file): "
    "what is read was not compared"
)

ItemId = Annotated[str, typer.Argument(metavar="ID", help="The item.")]
ItemTarget = Annotated[str, typer.Argument(metavar="ID|WORDS", help="An item's id, or words that name it.")]
Unasked = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


@dataclass(frozen=True)
class Common:
    """Options that every command takes, before or after its name."""

    db: Annotated[
        str | None,
        typer.Option(
            "--db",
            metavar="PATH",
            help="Path or URL of the store. Default: SIMONIDES_DB, then your user store.",
            show_default=False,
        ),
    ] = None  # fmt: skip
    as_json: Annotated[bool, typer.Option("--json", help="Answer in JSON.")] = False
    quiet: Annotated[bool, typer.Option("--quiet", help="Only ids, or nothing.")] = False
    debug: Annotated[bool, typer.Option("--debug", help="Show steps, times and tracebacks.")] = False

    def after(self, before: Common | None) -> Common:
        """These options together with those that stood before the command's name."""
        if before is None:
            return self
        return replace(
            self,
            db=self.db or before.db,
            as_json=self.as_json or before.as_json,
            quiet=self.quiet or before.quiet,
            debug=self.debug or before.debug,
        )

    @cached_property
    def out(self) -> Output:
        """Output for the answer."""
        return Output(self.by_hand)

    def answer(self, value: Any, text: Callable[[Output], None], ids: Iterable[str] = ()) -> None:
        """Give an answer as JSON, as bare ids, or in words, whichever was asked for."""
        if self.as_json:
            self.out.json(value)
        elif self.quiet:
            for item_id in ids:
                self.out.line(item_id)
        else:
            text(self.out)
        for remark in self.out.remarks:
            self.remark(remark)

    def listing(
        self,
        values: list[W],
        text: Callable[[Output, list[W]], None],
        name: Callable[[W], str | None],
        *,
        empty: str = "",
    ) -> None:
        """Give a list as an answer.

        Args:
            name: The id of a value; None for one without.
            empty: Said beside a list without values.
        """
        ids = [item_id for item_id in map(name, values) if item_id is not None]
        self.answer([value.to_dict() for value in values], lambda out: text(out, values), ids)
        if not values and empty:
            self.remark(empty)

    def table(
        self,
        values: list[W],
        headers: Sequence[str],
        row: Callable[[W], Sequence[object]],
        name: Callable[[W], str | None],
        *,
        empty: str = "",
    ) -> None:
        """Give a list as an answer, in words a table with a row for each value; else as `listing`."""
        self.listing(values, lambda out, _: out.table(headers, map(row, values)), name, empty=empty)

    def first(self, read: Callable[[int], list[T]], limit: int) -> list[T]:
        """The first rows of a list; that there are more is said below the answer.

        Args:
            read: Reads at most so many.
        """
        rows = read(limit + 1 if limit > 0 else limit)
        if len(rows) > limit:
            self.out.remarks.append(f"these are the first {limit:,}; --limit shows more")
        return rows[:limit]

    def remark(self, text: str) -> None:
        """Say something beside the answer."""
        if not self.quiet and not self.as_json:
            note(self.by_hand(text))

    def by_hand(self, text: str) -> str:
        """A text of ours whose commands, in backquotes, name the store that is meant here."""
        return for_store(text, self.store_options()) if "`simonides " in text else text

    def store_options(self) -> list[str]:
        """Options by which the next command means the same store; none where it does so by itself."""
        address = None if self.db is None else self.address()
        if self.db is None or (isinstance(address, str) and has_password(address)):
            return []
        return [] if address == replace(self, db=None).address() else ["--db", self.db]

    def degraded(self, degradations: Iterable[str]) -> None:
        """Say before an answer what it was made without, and what helps."""
        for degradation in degradations:
            self.remark(f"degraded: {degradation}")

    @contextmanager
    def memory(self, *, makes: bool = False, reads: bool = False) -> Generator[Memory]:
        """The memory that the options name.

        Args:
            makes: Whether the store is made where there is none; reading makes nothing.
            reads: Whether the command only reads: a store whose integrity key is not given is opened for that.

        Raises:
            StoreError: There is no store at this path, or it cannot be used.
        """
        started = time.perf_counter()
        from simonides.memory import Memory  # noqa: PLC0415 - brings numpy and SQLite along

        _log.debug("engine imported in %.0f ms", (time.perf_counter() - started) * 1000)
        address = self.store(makes=makes)
        started = time.perf_counter()
        try:
            memory = Memory(address)
        except WrongKey:
            if not reads:
                raise
            memory = Memory(address, read_only=True)  # With a key that is another one it is refused again.
            self.remark(_UNCOMPARED)
        except OSError as error:
            raise StoreReadOnly(f"{address} cannot be used: {error.strerror or error}") from error
        _log.debug("%s opened in %.0f ms", address, (time.perf_counter() - started) * 1000)
        with memory:
            yield memory

    def store(self, *, makes: bool) -> Path | str:
        """Address of the store that the options name.

        Args:
            makes: As of `memory`.

        Raises:
            StoreError: There is no store at this path, or no folder for it.
        """
        address = self.address()
        if isinstance(address, Path):
            address = address if makes else self.existing_path()
            if self.db is not None and not address.parent.is_dir():
                raise StoreError(
                    f"there is no folder {address.parent}; make it first, or name another path by --db"
                )
        return address

    def existing_path(self) -> Path:
        """The store that is meant, which has to be there.

        Raises:
            StoreError: It is not.
        """
        path = self.path()
        if not path.exists():
            raise StoreError(f"there is no store at {path}; `simonides add` makes one, --db names another")
        return path

    def path(self) -> Path:
        """The file of the store that is meant.

        Raises:
            StoreError: It is none.
        """
        address = self.address()
        if isinstance(address, str):
            raise StoreError(f"{shown(address)} is no file, and this is for files only")
        return address

    def state_path(self) -> Path:
        """The file beside which a server keeps keys and tokens: the store's, or one of the user that stands for it."""
        address = self.address()
        if isinstance(address, Path):
            return address
        import platformdirs  # noqa: PLC0415 - where a server is kept

        folder = Path(platformdirs.user_data_dir("simonides"))
        folder.mkdir(parents=True, exist_ok=True)
        # Earlier releases went by the spelling: what they made for this one stays in use.
        former, path = (
            folder / f"{scheme_of(text)}-{hashlib.blake2b(text.encode(), digest_size=8).hexdigest()}.db"
            for text in (shown(address), place_of(address))
        )
        kept = any(former.with_suffix(ending).exists() for ending in (".server", ".token"))
        return former if kept else path

    def store_name(self, memory: Memory) -> str:
        """The store as people are told of it: its file, or its address."""
        return shown(self.address() if memory.path is None else memory.path)

    def address(self) -> Path | str:
        """Address of the store that is meant: a path, or a URL where it is no file."""
        if self.db is not None:
            address = address_of(self.db)
            return address.expanduser() if isinstance(address, Path) else address
        from simonides.config import load, store_path  # noqa: PLC0415

        return store_path(load())

    def installed(self) -> tuple[list[str], str]:
        """Options that name the store wherever a command is started, and a sentence for its owner.

        A program that is started from a desktop has neither the directory nor the environment of this command, so the
        store is written out. A password that was not given on the command line is left where it stands.
        """
        address = self.address()
        if isinstance(address, Path):
            path = address if address == IN_MEMORY else address.absolute()
            return ["--db", str(path)], f"its store is {path}"
        if self.db is None and has_password(address):
            return [], (
                f"its store is {shown(address)}, where it starts with the same settings; the address holds a password "
                "and is not written into the file: give it by --db if it may stand there"
            )
        return ["--db", address], f"its store is {shown(address)}"


@dataclass(frozen=True)
class ScopeOptions:
    """Options for the scope of something."""

    scope: Annotated[
        str | None, typer.Option(metavar="SCOPE", help="Such as user:ana/project:apollo.")
    ] = None  # fmt: skip
    user: Annotated[str | None, typer.Option(metavar="NAME", help="The scope's user.")] = None
    agent: Annotated[str | None, typer.Option(metavar="NAME", help="The scope's agent.")] = None
    project: Annotated[str | None, typer.Option(metavar="NAME", help="The scope's project.")] = None

    @property
    def path(self) -> Scope | None:
        """The scope; None if nothing was said."""
        from simonides.domain.scope import Scope  # noqa: PLC0415

        named = {"user": self.user, "agent": self.agent, "project": self.project}
        if self.scope is None and all(name is None for name in named.values()):
            return None
        return Scope(self.scope or "global").narrowed(**named)


@dataclass(frozen=True)
class QuestionOptions:
    """Options of a question, by the names that `Memory` has for them."""

    at: Annotated[str | None, typer.Option(metavar="TIME", help="When the question is asked.")] = None
    as_of: Annotated[
        str | None, typer.Option(metavar="TIME", help="Answer from what was known then.")
    ] = None  # fmt: skip

    @property
    def fields(self) -> dict[str, Any]:
        """Keywords of `Memory`."""
        return {one.name: getattr(self, one.name) for one in fields(self)}


@dataclass(frozen=True)
class SearchOptions(QuestionOptions):
    """Options of a search."""

    min_relevance: Annotated[
        float | None, typer.Option(metavar="NUMBER", help="Hide hits below it, 0 to 1.")
    ] = None  # fmt: skip
    agenda: Annotated[
        bool | None,
        typer.Option(
            "--agenda/--no-agenda",
            help="Follow names and links, or not.",
            show_default="the question decides",
        ),
    ] = None
    profile: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The way of ranking.", show_default="recall.profile"),
    ] = None
    explain: Annotated[bool, typer.Option("--explain", help="Show what each score is made of.")] = False


@dataclass(frozen=True)
class ItemOptions:
    """Options for fields of an item."""

    kind: Annotated[str | None, typer.Option("--type", metavar="NAME", help="fact, decision, todo, …")] = None
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="A heading.")] = None
    tag: Annotated[list[str] | None, typer.Option(metavar="NAME", help="A tag; repeatable.")] = None
    entity: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A person or thing it is about; repeatable.")
    ] = None
    tier: Annotated[str | None, typer.Option(metavar="NAME", help="stm, mtm or ltm.")] = None
    at: Annotated[str | None, typer.Option(metavar="TIME", help="When it happened, ISO 8601.")] = None
    valid_from: Annotated[str | None, typer.Option(metavar="TIME", help="Since when it is true.")] = None
    valid_until: Annotated[str | None, typer.Option(metavar="TIME", help="Until when it is true.")] = None
    expires: Annotated[str | None, typer.Option(metavar="TIME", help="When it expires.")] = None
    confidence: Annotated[float | None, typer.Option(metavar="NUMBER", help="How certain it is, 0 to 1.")] = (
        None
    )
    importance: Annotated[
        float | None, typer.Option(metavar="NUMBER", help="How much it matters, 0 to 1.")
    ] = None

    def fields(self, **others: object) -> dict[str, Any]:
        """Those that were given, by the names that `Memory` has for them, and others that are not None."""
        given = {
            "type": self.kind,
            "title": self.title,
            "tags": self.tag,
            "entities": self.entity,
            "tier": self.tier,
            "event_at": self.at,
            "valid_from": self.valid_from,
            "valid_until": self.valid_until,
            "expires_at": self.expires,
            "confidence": self.confidence,
            "importance": self.importance,
        }
        return {name: value for name, value in (given | others).items() if value is not None}


@dataclass(frozen=True)
class LookOptions(ScopeOptions):
    """From where to look."""

    all_scopes: Annotated[bool, typer.Option("--all-scopes", help="Look everywhere.")] = False

    @property
    def scopes(self) -> Scopes | None:
        """Scope of a read."""
        from simonides.domain.scope import ALL  # noqa: PLC0415

        return ALL if self.all_scopes else self.path

    @property
    def scopes_or_all(self) -> Scopes:
        """Scope of a read that looks everywhere where none is named."""
        from simonides.domain.scope import ALL  # noqa: PLC0415

        return ALL if self.scopes is None else self.scopes

    @property
    def hint(self) -> str:
        """Hint shown when a search is empty."""
        if self.all_scopes:
            return "nothing found in any scope"
        return f"nothing found from scope {self.path or 'global'}; --all-scopes looks everywhere"

    def hints(self, memory: Memory, hints: Sequence[str]) -> list[str]:
        """Hints shown when nothing passed, which say what nothing has, and which scopes there are beside one without.

        Args:
            hints: What the answer says of its filters.
        """
        scopes = memory.stats()["by_scope"]
        unknown = self.path is not None and str(self.path) not in scopes
        near = near_names(str(self.path), scopes).removeprefix("; ") if unknown else ""
        return [*hints, *([near] if near else []), self.hint]
