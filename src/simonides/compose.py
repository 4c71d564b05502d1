"""The one place where settings become objects."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, cached_property, partial
from inspect import getattr_static
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, TypedDict

from simonides.config import EncryptionSettings, Settings, load, store_path
from simonides.domain.address import IN_MEMORY, SQLITE, scheme_of
from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.flag import flag
from simonides.domain.item import Item
from simonides.domain.taxonomy import Taxonomy
from simonides.domain.text import known_names
from simonides.errors import InvalidSettings
from simonides.governance.limits import Limiter, Rate
from simonides.models.checked import Checked
from simonides.models.former import former_embedder
from simonides.models.provider import STATIC
from simonides.models.registry import (
    embedder_from,
    encoders_beside,
    model_from,
    provider_named,
    reranker_from,
)
from simonides.models.streaming import StreamingModel
from simonides.ports.both import Both, both
from simonides.ports.clock import Clock
from simonides.ports.embedder import Embedder
from simonides.ports.files import FileStore
from simonides.ports.model import LanguageModel
from simonides.ports.reranker import Reranker
from simonides.ports.store import Reader, Store
from simonides.ports.vectors import VectorIndex, saved_vectors
from simonides.ports.workers import DueStores
from simonides.recall.archived import ArchiveRecall
from simonides.recall.close_reader import CloseReader, close_reader
from simonides.recall.embedding_migration import EmbeddingMigration
from simonides.recall.missing_vectors import MissingVectors
from simonides.recall.retrieve import Retriever
from simonides.recall.search import Recall
from simonides.storage.registry import StoreRequest, due_stores_of, migrate_database, open_store
from simonides.storage.sqlite.cipher import cipher_from
from simonides.storage.sqlite.rekey import rekey
from simonides.storage.sqlite.salvage import Salvaged, salvage
from simonides.storage.sqlite.seals import key_from
from simonides.storage.sqlite.store import put_files_under_key
from simonides.upkeep.archive import Restorer
from simonides.upkeep.settings import JobSettings
from simonides.values import dataclass
from simonides.vectors.exemplars import KeptExemplars
from simonides.vectors.registry import AUTO, PGVECTOR, IndexRequest, maker_of
from simonides.writing.backfill import Backfill, NameBackfill
from simonides.writing.uses import UseLog

if TYPE_CHECKING:
    from simonides.governance.policy import Policy
    from simonides.governance.settings import PolicySettings
    from simonides.recall.agenda.search import Agenda
    from simonides.recall.ranking.profiles.enhanced import Expand
    from simonides.upkeep.merge import Consolidator
    from simonides.upkeep.schedule.watch import Watch
    from simonides.upkeep.upkeep import Upkeep
    from simonides.writing.curate import Curator
    from simonides.writing.documents import DocumentKeeper
    from simonides.writing.entities import Registrar
    from simonides.writing.habits import Habits
    from simonides.writing.neighbours import Neighbours
    from simonides.writing.record import Recorder
    from simonides.writing.records import RecordKeeper
    from simonides.writing.requests import Requests
    from simonides.writing.transfer import Transfer
    from simonides.writing.writers import Writers


class SystemClock:
    """The computer's clock."""

    def now(self) -> int:
        return time.time_ns() // 1000


def salvage_store(source: Path, target: Path, settings: Settings | None = None) -> Salvaged:
    """Put what can be read of a damaged store into a new one; the damaged file is only read.

    Args:
        settings: The new store is under their integrity key, if they have one.

    Raises:
        InvalidInput: There is a file at the target.
        StoreError: Not even the list of items can be read.
    """
    settings = settings or Settings()
    return salvage(source, target, _key(settings), _cipher(settings))


def seal_store(path: Path, settings: Settings, clock: Clock | None = None) -> None:
    """Put a store and its archive file under the integrity key of the settings. They are taken for sound as they stand.

    Raises:
        InvalidSettings: The settings have no key.
        StoreDamaged: The doctor finds something wrong.
        WrongKey: One of them is under another key.
    """
    key = _key(settings)
    if key is None:
        raise InvalidSettings(
            "there is no integrity key; set SIMONIDES_INTEGRITY_KEY or integrity.key_file first"
        )
    put_files_under_key(path, key, (clock or SystemClock()).now(), _cipher(settings))


def migrate_store(url: str, *, role: str | None = None, tenants: Sequence[str] = ()) -> int:
    """Prepare a PostgreSQL database for this release, as the owner of its tables; the version of its schema.

    Args:
        role: Who reads and writes from now on, a role that owns nothing; made without a password where there is none.
        tenants: Stores to be there afterwards, beside `default` and the one that the address names.

    Raises:
        InvalidInput: The address is not that of a database, or a name is none.
        NotInstalled: The package that speaks to it is missing.
        StoreError: The server cannot be used, is too old, or lacks pgvector.
    """
    return migrate_database(url, role=role, tenants=tenants)


def due_stores(url: str, *, lease_s: float = 600.0) -> DueStores:
    """The stores of a PostgreSQL database that are due for upkeep, for workers to take.

    Args:
        lease_s: How long a worker has one without saying that it still does.

    Raises:
        InvalidInput: The address is not that of a database, or names a tenant.
        NotInstalled: The package that speaks to it is missing.
        StoreError: The server cannot be used, or is not prepared.
    """
    return due_stores_of(url, lease_s)


def rekey_store(
    path: Path, settings: Settings, *, former: str | None = None, plain: bool = False
) -> list[Path]:
    """Encrypt a store and its archive file with the key of the settings, or take that away.

    Nobody else may have the store open. What other copies and backups hold stays as it is.

    Args:
        former: The key that they are under, where they are under another one.
        plain: Take the key of the settings away instead.

    Returns:
        The files that were written anew.

    Raises:
        InvalidSettings: The settings have no key.
        NotInstalled: The package that encrypts is missing.
        StoreError: Another program has it open, or it is under neither key.
    """
    plain = flag(plain, "plain")
    if (present := _cipher(settings)) is None:
        raise InvalidSettings(
            "there is no encryption key; set SIMONIDES_ENCRYPTION_KEY, encryption.key_file or encryption.key_command"
        )
    before = None if former is None else cipher_from(former.strip())
    return rekey(path, present, None) if plain else rekey(path, before, present)


#: Providers of language models, as a short form begins.
_PROVIDERS: Final = frozenset({"ollama", "openai", "openai-compatible"})


def streaming_model(settings: Settings, named: str | None = None) -> StreamingModel | None:
    """The model to talk to: the one that is named, else that of the settings; None for none.

    Raises:
        InvalidSettings: It needs a key, an address or a name.
        ProviderUnavailable: The package that talks to it is not installed.
    """
    provider = provider_named(named) if named else settings.model
    if named and provider is not None and provider.provider not in _PROVIDERS:
        raise InvalidSettings(
            f"{named!r} names no provider; write ollama:{named} or openai:{named}, and one with an address of its own "
            "into the settings of `model`"
        )
    return None if provider is None else StreamingModel(provider)


def _key(settings: Settings) -> bytes | None:
    secret = settings.integrity.secret()
    return None if secret is None else key_from(secret)


def _cipher(settings: Settings) -> str | None:
    secret = settings.encryption.secret()
    return None if secret is None else cipher_from(secret)


def _repeating(reader: Reader, moved: Reader | None, turns: Sequence[Item]) -> Mapping[str, Item]:
    """Turns by which others than the user say again what was forgotten, as prompts are to tell them."""
    from simonides.upkeep.withheld import repeating  # noqa: PLC0415 - most chats repeat nothing of that kind

    return repeating(reader, moved, turns)


#: Of parts that one thread makes for all; one may need another.
_MAKING: Final = threading.RLock()


@dataclass(frozen=True)
class Parts:
    """Parts that a Memory is made of. Without a reranker or a model, whatever could use one does without.

    Attributes:
        temporary: The folder of a store that goes when it is closed.
        given_policy: The one that somebody brought; None for the settings' own.
    """

    temporary: TemporaryDirectory[str] | None
    store: Store
    embedder: Embedder
    reranker: Reranker | None
    model: LanguageModel | None
    given_policy: Policy | None
    clock: Clock
    taxonomy: Taxonomy
    settings: Settings
    recall: Recall
    archive: ArchiveRecall
    uses: UseLog
    backfill: Backfill
    closers: Sequence[CloseReader]
    names: NameBackfill
    limiter: Limiter
    quota: Limiter
    restorer: Restorer
    consolidator: Consolidator | None

    @property
    def writers(self) -> Writers:
        """The writers and their policy; made when the first is asked for."""
        with _MAKING:
            if (made := vars(self).get("_writers")) is None:
                from simonides.writing.writers import writers_of  # noqa: PLC0415 - most processes only read

                policy = self.given_policy or _policy(self.settings)
                made = vars(self)["_writers"] = writers_of(
                    self.store, self.embedder, policy, self.clock, self.model, _repeating
                )
            return made

    @property
    def policy(self) -> Policy:
        """The rules that every write passes."""
        return self.writers.policy

    @property
    def recorder(self) -> Recorder:
        """The recorder of items and turns."""
        return self.writers.recorder

    @property
    def records(self) -> RecordKeeper:
        """The keeper of values under keys."""
        return self.writers.records

    @property
    def curator(self) -> Curator:
        """The curator of single items."""
        return self.writers.curator

    @property
    def requests(self) -> Requests:
        """The keeper of requests for people to decide on."""
        return self.writers.requests

    @property
    def neighbours(self) -> Neighbours:
        """The finder of items that bear on a candidate."""
        return self.writers.neighbours

    @property
    def registrar(self) -> Registrar:
        """The registrar of entities."""
        return self.writers.registrar

    @cached_property
    def documents(self) -> DocumentKeeper:
        """The keeper of documents."""
        from simonides.writing.documents import DocumentKeeper  # noqa: PLC0415 - most processes keep none

        return DocumentKeeper(self.store, self.embedder, self.policy, self.clock, self.records)

    @cached_property
    def habits(self) -> Habits:
        """The reader of statements in turns."""
        from simonides.writing.habits import Habits  # noqa: PLC0415 - most processes leave that to upkeep

        return Habits(self.settings.buffer, self.recorder.judged, answers=self.model is not None)

    @cached_property
    def transfer(self) -> Transfer:
        """Copies of the store to other stores, and from them."""
        from simonides.writing.transfer import Transfer  # noqa: PLC0415 - most processes copy nothing

        return Transfer(self.store, self.embedder, self.policy, self.clock, self.neighbours, self.recorder)

    @cached_property
    def watch(self) -> Watch:
        """The source of due work, and of its times."""
        from simonides.upkeep.schedule.watch import Watch  # noqa: PLC0415 - most processes keep no schedule

        return Watch(self.store, self.embedder, self.taxonomy, self.settings.consolidate, self.habits)

    @property
    def upkeep(self) -> Upkeep:
        """The one that runs jobs, and is stopped, for all threads; made when it is first asked for."""
        with _MAKING:
            if (made := self.upkeep_made) is None:
                from simonides.upkeep.runner import RunParts  # noqa: PLC0415 - most processes run no jobs
                from simonides.upkeep.upkeep import Upkeep  # noqa: PLC0415

                settings = JobSettings(self.settings.upkeep, self.settings.consolidate)
                parts = (
                    self.store,
                    self.policy,
                    self.embedder,
                    self.closers,
                    self.model,
                    self.clock,
                    settings,
                    self.habits,
                )
                made = vars(self)["_upkeep"] = Upkeep(RunParts(*parts, self.consolidator))
            return made

    @property
    def upkeep_made(self) -> Upkeep | None:
        """The same; None where nobody has asked for it."""
        return vars(self).get("_upkeep")

    @contextmanager
    def reading(self) -> Generator[Reader]:
        """A view of the store in which every use that was noted counts."""
        self.uses.settle()
        with self.store.read() as reader:
            yield reader

    @contextmanager
    def reading_all(self, expecting: Sequence[str] = ()) -> Generator[Both]:
        """The same view with the archive file's beside it.

        Args:
            expecting: Ids of items of which is asked what was made from them.
        """
        self.uses.settle()
        with both(self.store, expecting) as views:
            yield views


class Options(TypedDict, total=False):
    """Options of a memory: what takes the place of what the settings name, and how its store is opened.

    Without `settings` they are read from the user's own `simonides.toml` and the environment.
    """

    settings: Settings | None
    clock: Clock | None
    embedder: Embedder | None
    reranker: Reranker | None
    model: LanguageModel | None
    agenda: Agenda | None
    consolidator: Consolidator | None
    policy: Policy | None
    read_only: bool
    tenant: str | None


def known(options: Options) -> Options:
    """The options themselves.

    Raises:
        TypeError: There is no option of one of these names.
    """
    if unknown := sorted(set(options).difference(Options.__annotations__)):
        raise TypeError(
            f"a memory has no option {unknown[0]!r}; {known_names(unknown[0], Options.__annotations__)}"
        )
    return options


#: What an object has at least that takes the place of what the settings name; and where these name one, if they do.
_NEEDED: Final[Mapping[str, tuple[tuple[str, ...], str]]] = {
    "clock": (("now",), ""),
    "embedder": (("local", "embed"), "embedder"),
    "reranker": (("rerank",), "rerank"),
    "model": (("answer",), "model"),
    "agenda": (("run",), ""),
    "consolidator": (("merge",), ""),
    "policy": (("judge",), ""),
}


def _able(options: Options) -> Options:
    """The options themselves, where each object can do what is asked of it.

    Raises:
        InvalidSettings: One cannot: it is the name of a provider, or a class that was not called.
    """
    for name, (needed, section) in _NEEDED.items():
        value = options.get(name)
        if value is not None and (isinstance(value, type) or not all(_has(value, one) for one in needed)):
            kind = f"the class {value.__name__}" if isinstance(value, type) else type(value).__name__
            settings = f"; a provider is named in the settings, under [{section}]" if section else ""
            raise InvalidSettings(f"{name} takes an object with {' and '.join(needed)}, not {kind}{settings}")
    return options


def _has(value: object, name: str) -> bool:
    """True if an object has something of a name; a property is not asked, which may have to ask a server."""
    return getattr_static(value, name, None) is not None or hasattr(type(value), "__getattr__")


def compose(address: Path | str | None, options: Options) -> Parts:
    """Build the parts for one store."""
    named = _named(_able(known(options)))
    # A folder is made for it only once nothing else can be wrong.
    store, temporary = _opened(address or store_path(named.settings), named)
    return _parts(named, store, temporary)


@dataclass(frozen=True, slots=True)
class _Named:
    """All that settings and options name. Nothing is opened for it."""

    options: Options
    settings: Settings
    clock: Clock
    embedder: Embedder
    closer: CloseReader | None
    reranker: Reranker | None
    model: LanguageModel | None
    policy: Policy | None
    make_index: Callable[[IndexRequest], VectorIndex]
    read_only: bool

    @property
    def closers(self) -> Sequence[CloseReader]:
        return () if self.closer is None else self.closer.readers

    @property
    def taxonomy(self) -> Taxonomy:
        """Types of items, and how each fades."""
        return self.settings.taxonomy if self.policy is None else self.policy.taxonomy

    @property
    def bounds(self) -> PolicySettings:
        """Bounds of the policy."""
        return self.settings.policy if self.policy is None else self.policy.settings


def _named(options: Options) -> _Named:
    settings = options.get("settings")
    settings = load() if settings is None else settings
    if not isinstance(settings, Settings):
        raise InvalidSettings(
            f"settings are Settings, as simonides.config.load reads them, not {type(settings).__name__}"
        )
    read_only = flag(options.get("read_only", False), "read_only")
    embedder, reranker, model = options.get("embedder"), options.get("reranker"), options.get("model")
    embedder = embedder_from(settings.embedder) if embedder is None else embedder
    beside, others = (None, None) if settings.embedder.provider == STATIC else encoders_beside(embedder)
    if reranker is None and settings.rerank is not None:
        reranker = reranker_from(settings.rerank)
    if model is None and settings.model is not None:
        model = model_from(settings.model)
    policy = options.get("policy")
    if policy is None and settings.policy.rules:
        policy = _policy(settings)  # What is wrong with a file of rules is said now.
    return _Named(
        options=options,
        settings=settings,
        clock=options.get("clock") or SystemClock(),
        embedder=embedder if options.get("embedder") is None else Checked(embedder),
        closer=None if beside is None else close_reader(beside, others),
        reranker=reranker,
        model=model,
        policy=policy,
        make_index=maker_of(settings.index.kind),
        read_only=read_only,
    )


def _policy(settings: Settings) -> Policy:
    from simonides.governance.policy import Policy  # noqa: PLC0415 - most processes only read

    return Policy(settings.policy, settings.taxonomy)


def _opened(address: Path | str, named: _Named) -> tuple[Store, TemporaryDirectory[str] | None]:
    """The store of an address, and the folder that goes with it where it is a temporary one."""
    settings = named.settings
    address, temporary = _place(address)
    if settings.index.kind == PGVECTOR and scheme_of(address) == SQLITE:
        raise InvalidSettings("index.kind = 'pgvector' is for a store on PostgreSQL; take `auto` for a file")
    try:
        store = open_store(
            StoreRequest(
                address=address,
                synchronous=settings.store.synchronous,
                read_only=named.read_only,
                temporary=temporary is not None,
                key=_key(settings),
                cipher=_cipher(settings),
                tenant=named.options.get("tenant"),
                compares=settings.index.kind in {AUTO, PGVECTOR},
                holds=settings.index.kind == AUTO,
            )
        )
    except BaseException:
        if temporary is not None:
            temporary.cleanup()
        raise
    return store, temporary


def _parts(named: _Named, store: Store, temporary: TemporaryDirectory[str] | None) -> Parts:
    settings, embedder, clock, bounds = named.settings, named.embedder, named.clock, named.bounds
    if bounds.auditor and named.model is None:
        raise InvalidSettings("policy.auditor needs a language model; name one under model, or turn it off")
    agenda = _agenda(named)

    def archive_recall() -> Recall | None:
        return None if (archive := store.archive) is None else _recall(named, archive, agenda)

    return Parts(
        temporary=temporary,
        store=store,
        embedder=embedder,
        reranker=named.reranker,
        model=named.model,
        given_policy=named.policy,
        clock=clock,
        taxonomy=named.taxonomy,
        settings=settings,
        recall=_recall(named, store, agenda, MissingVectors()),
        archive=ArchiveRecall(archive_recall, lambda: store.archive_problem),
        uses=UseLog(store, kept=not store.read_only),
        backfill=Backfill(store, embedder, named.closers, named.taxonomy),
        closers=named.closers,
        names=NameBackfill(store),
        limiter=Limiter(Rate(bounds.calls_per_minute, bounds.calls_at_once)),
        quota=Limiter(Rate(bounds.proposals_per_hour / 60, bounds.proposals_per_hour)),
        restorer=Restorer(store, embedder, clock),
        consolidator=named.options.get("consolidator"),
    )


def _agenda(named: _Named) -> Callable[[], Agenda]:
    """Maker of the agenda, which is made once, when it is first asked for."""

    @cache
    def made() -> Agenda:
        from simonides.recall.agenda.search import Agenda  # noqa: PLC0415 - few questions need one
        from simonides.tasks.bridge import word_subgoal  # noqa: PLC0415

        word = None if named.model is None else partial(word_subgoal, named.model)
        return named.options.get("agenda") or Agenda(named.settings.recall.agenda, word=word)

    return made


def _expanding(model: LanguageModel) -> Expand:
    """Function that asks a model for other words of a question."""
    from simonides.tasks.expand import expand  # noqa: PLC0415 - most memories have no model

    return partial(expand, model)


def _recall(
    named: _Named, store: Store, agenda: Callable[[], Agenda], missing: MissingVectors | None = None
) -> Recall:
    """Recall from a store, or from its archive."""
    settings, embedder = named.settings, named.embedder
    file = store.path if isinstance(store, FileStore) else None
    # An index on the disk would say in clear text what the store keeps encrypted.
    kept = file is not None and settings.encryption == EncryptionSettings()
    folder = saved_vectors(file) if file is not None and kept else None

    def index(identity: EmbedderIdentity) -> VectorIndex:
        return named.make_index(IndexRequest(identity, settings.index, folder, writes=not store.read_only))

    exemplars = None if folder is None else KeptExemplars(folder, writes=not named.read_only)
    former = partial(former_embedder, present=settings.embedder)
    retriever = Retriever(
        store,
        EmbeddingMigration(embedder, index, former, missing, exemplars, named.closer),
        embedder,
        named.taxonomy,
        settings.recall,
        expand=None if named.model is None else _expanding(named.model),
        reranker=named.reranker,
    )
    return Recall(retriever, agenda)


def _place(address: Path | str) -> tuple[Path | str, TemporaryDirectory[str] | None]:
    """Place of a store; for `:memory:` a folder that only the user can read and that is deleted with it.

    SQLite's own memory databases have one connection, or no log to write ahead in: readers would wait for writers.
    """
    if address != IN_MEMORY:
        return address, None
    folder = TemporaryDirectory(prefix="simonides-", ignore_cleanup_errors=True)
    return Path(folder.name) / "memory.db", folder
