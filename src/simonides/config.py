"""Settings: one frozen tree from its owner's file, the environment and arguments, in that order of strength.

No file of the working directory is read unless it was named: whoever writes a repository that somebody clones must not
choose where the memories of that person are sent.
"""

from __future__ import annotations

import logging
import math
import os
import re
import shlex
import stat
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import MISSING, Field, field, fields, is_dataclass
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, Final, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import platformdirs

from simonides.domain.address import IN_MEMORY, address_of
from simonides.domain.flag import flag
from simonides.domain.pattern import later
from simonides.domain.taxonomy import TAXONOMY, Taxonomy, TypeSettings
from simonides.domain.tuning import is_tuned, tuned
from simonides.errors import InvalidInput, InvalidSettings
from simonides.governance.settings import PolicySettings
from simonides.models.provider import BUNDLED, Provider, is_web_address
from simonides.models.registry import provider_named
from simonides.recall.settings import RecallSettings
from simonides.upkeep.schedule.hours import ScheduleSettings
from simonides.upkeep.settings import ConsolidateSettings, UpkeepSettings
from simonides.values import dataclass
from simonides.vectors.registry import IndexSettings
from simonides.writing.buffer import BufferSettings

_log = logging.getLogger(__name__)
_PREFIX: Final = "SIMONIDES_"
#: Variables that say where things are and set nothing.
_NO_SETTINGS: Final = frozenset(
    {"SIMONIDES_DB", "SIMONIDES_OWNER", "SIMONIDES_CONFIG", "SIMONIDES_BENCH_DATA"}
)
#: The name of the file of settings.
FILE: Final = "simonides.toml"
#: Settings that are paths, by section.
_RELATIVE: Final = {"store": "path", "policy": "rules", "integrity": "key_file", "encryption": "key_file"}
#: Shortest integrity key: what can be guessed with the file at hand keeps nobody out.
_KEY_LENGTH: Final = 32
#: What a file of a key grants to others than its owner.
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
#: How long the command that prints a key may take: a keyring may ask somebody.
_COMMAND_S: Final = 120
#: What Kubernetes and Docker call a service's addresses, such as SIMONIDES_SERVICE_HOST and SIMONIDES_PORT_80_TCP_ADDR.
_SERVICE: Final = later(
    r"SIMONIDES_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)"
)
_ADDRESS: Final = re.compile(r"(tcp|udp|sctp)://")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """Settings of the store.

    Attributes:
        path: The file, or a URL such as `sqlite:////srv/notes.db` or `postgresql://db.example/memory`; empty for the
            default in the user's data directory.
        synchronous: FULL survives a power cut, NORMAL keeps only the file whole.
    """

    path: str = ""
    synchronous: str = "FULL"

    def __post_init__(self) -> None:
        if self.synchronous not in {"FULL", "NORMAL"}:
            raise InvalidSettings(f"store.synchronous is FULL or NORMAL, not {self.synchronous!r}")


@dataclass(frozen=True, slots=True)
class IntegritySettings:
    """A key of the owner's, outside the file: whoever can write to the file cannot make rows pass for the store's own.

    Attributes:
        key: The key itself, of 32 characters or more; better in the environment than in a file.
        key_file: A file that holds the key, read when a store is opened. One of the two.
    """

    key: str | None = field(default=None, repr=False)
    key_file: str = ""

    def __post_init__(self) -> None:
        _at_most_one("integrity", self.key, self.key_file)

    def secret(self) -> str | None:
        """The key; None where there is none.

        Raises:
            InvalidSettings: The file cannot be read, or holds no key.
        """
        return _secret("integrity", self.key, self.key_file)


@dataclass(frozen=True, slots=True)
class EncryptionSettings:
    """A key under which the file itself is encrypted, with its archive and its backups. Needs `simonides[encryption]`.

    Attributes:
        key: The key itself, of 32 characters or more; better in the environment than in a file.
        key_file: A file that holds the key, read when a store is opened.
        key_command: A command, with its arguments, that prints the key: of a keyring, say. One of the three.
    """

    key: str | None = field(default=None, repr=False)
    key_file: str = ""
    key_command: str = ""

    def __post_init__(self) -> None:
        _at_most_one("encryption", self.key, self.key_file, self.key_command)

    def secret(self) -> str | None:
        """The key; None where there is none.

        Raises:
            InvalidSettings: The file cannot be read, the command fails, or there is no key in what it prints.
        """
        if self.key_command:
            return _printed(self.key_command)
        return _secret("encryption", self.key, self.key_file)


def _at_most_one(section: str, key: str | None, file: str, command: str = "") -> None:
    given = {"key": key, "key_file": file, "key_command": command}
    several = [f"{section}.{name}" for name, value in given.items() if value]
    if len(several) > 1:
        raise InvalidSettings(f"{several[0]} and {several[1]} are both set; leave one out")
    if key is not None:
        _long_enough(key, f"{section}.key")


def _secret(section: str, key: str | None, key_file: str) -> str | None:
    if not key_file:
        return None if key is None else key.strip()
    return key_in(Path(key_file), f"{section}.key_file")


def key_in(path: Path, name: str) -> str:
    """The key that a file holds.

    Where others can read the file, the log says so. It is not refused: secrets that containers are given often are
    files that everybody there can read, and that nobody can change.

    Raises:
        InvalidSettings: It cannot be read, or holds none.
    """
    try:
        with path.expanduser().open(encoding="utf-8") as file:
            mode = os.fstat(file.fileno()).st_mode
            key = file.read().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidSettings(f"{name} {path} cannot be read: {error}") from error
    _long_enough(key, f"the key in {path}")
    if os.name != "nt" and mode & _OTHERS:
        _log.warning("%s %s can be read by others on this machine; run: chmod 600 %s", name, path, path)
    return key


def _printed(command: str) -> str:
    import subprocess  # noqa: PLC0415 - few have such a command

    try:
        done = subprocess.run(  # noqa: S603 - the owner's own settings name it
            shlex.split(command), capture_output=True, check=True, timeout=_COMMAND_S, text=True
        )
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        # What it printed may hold the key.
        raise InvalidSettings(
            f"encryption.key_command gave no key ({type(error).__name__}); run it by hand to see why"
        ) from None
    _long_enough(done.stdout, "the key that encryption.key_command prints")
    return done.stdout.strip()


def _long_enough(key: str, name: str) -> None:
    """See that a key is not one that can be guessed with the file at hand."""
    if len(key.strip()) < _KEY_LENGTH:
        raise InvalidSettings(
            f"{name} is shorter than {_KEY_LENGTH} characters; `openssl rand -hex 32` makes a good one"
        )


class Mode(StrEnum):
    """Ways of giving a chat memory."""

    INJECT = "inject"
    CATALOG = "catalog"
    HYBRID = "hybrid"
    TOOLS_ONLY = "tools-only"
    OFF = "off"


class Placement(StrEnum):
    """Places in a prompt for what a chat is told of memory."""

    SYSTEM = "system"
    USER = "user"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class MiddlewareSettings:
    """Memory in a chat.

    Attributes:
        mode: What stands in the prompt: `inject` what answers, in full; `catalog` its titles; `hybrid` the best
            in full and titles of the rest; `tools-only` nothing but the core profile; `off`: no memory at all.
        deadline_ms: How long a chat waits for memory before the model and after it; then it goes on without.
        profile_tokens: Most tokens of the core profile in the system prompt; 0 for none.
        max_rounds: How often a model is asked again with the results of memory's tools.
        propose: Tell the model how to suggest what should be remembered.
        placement: Where the core profile and what the model is told of memory stand: `system`, at the end of the
            first system message, which is made where there is none; `user`, before the first message of the user,
            for models that refuse a system message; `none`, nowhere.
        asks_in_words: An answer that is nothing but a request such as `Recall memory about the boat` is a search:
            the model is asked again with what it finds.
    """

    mode: str = Mode.HYBRID.value
    deadline_ms: int = 300
    profile_tokens: int = 500
    max_rounds: int = tuned(3)
    propose: bool = True
    placement: str = Placement.SYSTEM.value
    asks_in_words: bool = True

    def __post_init__(self) -> None:
        for name, words in (("mode", Mode), ("placement", Placement)):
            if getattr(self, name) not in set(words):
                value = getattr(self, name)
                raise InvalidSettings(f"middleware.{name} is one of {', '.join(words)}, not {value!r}")
        flag(self.propose, "middleware.propose")
        flag(self.asks_in_words, "middleware.asks_in_words")
        for name, least in (("deadline_ms", 1), ("profile_tokens", 0), ("max_rounds", 0)):
            if getattr(self, name) < least:
                raise InvalidSettings(
                    f"middleware.{name} is {getattr(self, name)}; it must be at least {least}"
                )


@dataclass(frozen=True, slots=True)
class ProxySettings:
    """The proxy between a chat client and the server of its model.

    Attributes:
        upstream: Address of that server, without `/v1` at its end.
        api_key: Sent to it instead of what clients send; "${NAME}" in it is read from the environment. Without
            one, what clients send is passed on.
        host, port: Where the proxy listens. Where others than this machine can reach it, it asks for a token.
        hosts: Further names, separated by commas, under which clients may address it.
        origins: Web pages, separated by commas, such as `https://chat.example`, that may use it from a browser.
        user_header: A header in which a chat server that is trusted says whose request it is, such as
            `X-OpenWebUI-User-Id`: each user then has a scope of their own. Empty for none.
        session_header: A header in which it names the conversation. Empty for `X-Simonides-Session` only.
        user_field: Whether a request's body says whose it is: `user` or `safety_identifier`, or Anthropic's
            `metadata.user_id`.
        skip_prefixes: Requests whose first system message or last message of the user begins so go past memory:
            prompts that a client writes for itself. Those of several clients are known.
        skip_headers: Requests with such a header, `Name` or `Name: value`, go past memory.
        skip_models: Requests to such models go past memory; `*` stands for anything.
        tools: Whether a model is offered memory's tools: where the client's request `offered` tools of its own,
            `always`, or `never`.
        connect_timeout_s: Longest wait for a connection to the upstream.
        timeout_s: Longest silence of the upstream within one answer. Loading a model takes minutes.
        max_body_mb: Longest request that is looked into; a longer one is refused. Elsewhere nothing is bounded.
        idle_s: How long no chat may have been under way before what is due is extracted.
    """

    upstream: str = "http://localhost:11434"
    api_key: str | None = field(default=None, repr=False)
    host: str = "127.0.0.1"
    port: int = 11435
    hosts: str = ""
    origins: str = ""
    user_header: str = ""
    session_header: str = ""
    user_field: bool = False
    skip_prefixes: tuple[str, ...] = ()
    skip_headers: tuple[str, ...] = ()
    skip_models: tuple[str, ...] = ()
    tools: str = "offered"
    connect_timeout_s: float = tuned(10.0)
    timeout_s: float = 600.0
    max_body_mb: float = tuned(64.0)
    idle_s: float = tuned(5.0)

    def __post_init__(self) -> None:
        if self.tools not in {"offered", "always", "never"}:
            raise InvalidSettings(f"proxy.tools is offered, always or never, not {self.tools!r}")
        if not 0 <= self.port <= 65535:
            raise InvalidSettings(f"proxy.port is {self.port}; a port is a number from 0 to 65535")
        for name in ("connect_timeout_s", "timeout_s", "max_body_mb", "idle_s"):
            if not (getattr(self, name) > 0 and math.isfinite(getattr(self, name))):
                raise InvalidSettings(f"proxy.{name} is {getattr(self, name)}; it must be a number above 0")
        flag(self.user_field, "proxy.user_field")
        if not is_web_address(self.upstream):
            raise InvalidSettings(
                f"proxy.upstream is {self.upstream!r}; it must be an address like http://localhost:11434"
            )
        self._upstream()

    def _upstream(self) -> Provider:
        return Provider("proxy.upstream", base_url=self.upstream, api_key=self.api_key)

    def secret(self) -> str | None:
        """The upstream's key, with variables of the environment filled in."""
        return self._upstream().secret()


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set. Made by `load`, or by hand for one Memory.

    Attributes:
        rerank: The reranker: a block with the same keys as `embedder`, or `PROVIDER:MODEL`. None for none.
        model: The language model, likewise. None for none: what can use one goes on without.
        types: Types of memory of one's own, by name: `[types.recipe]`.
    """

    store: StoreSettings = field(default_factory=StoreSettings)
    embedder: Provider = field(default_factory=lambda: Provider(BUNDLED))
    policy: PolicySettings = field(default_factory=PolicySettings)
    recall: RecallSettings = field(default_factory=RecallSettings)
    index: IndexSettings = field(default_factory=IndexSettings)
    buffer: BufferSettings = field(default_factory=BufferSettings)
    upkeep: UpkeepSettings = field(default_factory=UpkeepSettings)
    consolidate: ConsolidateSettings = field(default_factory=ConsolidateSettings)
    schedule: ScheduleSettings = field(default_factory=ScheduleSettings)
    middleware: MiddlewareSettings = field(default_factory=MiddlewareSettings)
    proxy: ProxySettings = field(default_factory=ProxySettings)
    integrity: IntegritySettings = field(default_factory=IntegritySettings)
    encryption: EncryptionSettings = field(default_factory=EncryptionSettings)
    rerank: Provider | None = None
    model: Provider | None = None
    types: Mapping[str, TypeSettings] = field(default_factory=dict[str, TypeSettings])

    def __post_init__(self) -> None:
        self.taxonomy  # noqa: B018 - types that do not go together are told at once

    @property
    def taxonomy(self) -> Taxonomy:
        """The types of memory that hold: the packaged ones and one's own."""
        return TAXONOMY.including(self.types)


def store_path(settings: Settings) -> Path | str:
    """The address of the store of somebody who names none: the settings', `SIMONIDES_DB`, or the user's own file."""
    named = settings.store.path or os.environ.get(f"{_PREFIX}DB")
    if not named:
        return user_store()
    address = address_of(named)
    return address.expanduser() if isinstance(address, Path) else address


def user_store() -> Path:
    """The user's own file."""
    return Path(platformdirs.user_data_dir("simonides")) / "memory.db"


def settings_file(environment: Mapping[str, str] | None = None) -> Path:
    """The file that settings are read from: the one that `SIMONIDES_CONFIG` names, or the user's own."""
    environment = os.environ if environment is None else environment
    named = environment.get(f"{_PREFIX}CONFIG")
    return Path(named).expanduser() if named else Path(platformdirs.user_config_dir("simonides")) / FILE


def load(path: str | Path | None = None, environment: Mapping[str, str] | None = None) -> Settings:
    """Settings from a file and the environment.

    Args:
        path: A TOML file; None for the one that `SIMONIDES_CONFIG` names, else for `simonides.toml` in the user's
            configuration directory, if there is one. Relative paths in it are relative to its folder.
        environment: Variables; None for the process's own. `SIMONIDES_RECALL_MIN_RELEVANCE` sets
            `recall.min_relevance`, `SIMONIDES_DB` the store's path, `SIMONIDES_MODEL=ollama:llama3` a provider.

    Raises:
        InvalidSettings: The file cannot be read, a key is unknown or a value out of range; the message names the
            key, and the file or variable that it stands in.
    """
    tree, origins = _read(path, environment)
    if path is None and (lost := unread_file(environment)) is not None:
        _warn_of(lost)
    return _build(Settings, tree, "", origins)


def origins(
    path: str | Path | None = None, environment: Mapping[str, str] | None = None
) -> Mapping[str, str]:
    """The file or variable from which each setting comes that `load` does not leave at its default, by dotted name."""
    return dict(_read(path, environment)[1])


def unread_file(environment: Mapping[str, str] | None = None) -> Path | None:
    """A `simonides.toml` in the working directory that is not read, since nothing names it."""
    default = Path(FILE).resolve()
    return default if default.is_file() and default != settings_file(environment).resolve() else None


@cache
def _warn_of(lost: Path) -> None:
    """Say once that a file of the working directory sets nothing."""
    _log.warning("%s is not read; if it is yours, name it: SIMONIDES_CONFIG=%s", lost, lost)


def _read(
    path: str | Path | None, environment: Mapping[str, str] | None
) -> tuple[dict[str, Any], dict[str, str]]:
    """The tree of what is set, and the origin of each setting in it by its dotted name."""
    environment = os.environ if environment is None else environment
    origins: dict[str, str] = {}
    named = path is not None or bool(environment.get(f"{_PREFIX}CONFIG"))
    tree = _from_file(settings_file(environment) if path is None else Path(path), origins, required=named)
    for name in sorted(environment):  # A provider's short form comes before its keys.
        if name.startswith(_PREFIX) and name not in _NO_SETTINGS:
            _place(tree, name, environment[name], origins)
    if stored := environment.get(f"{_PREFIX}DB"):
        _place(tree, f"{_PREFIX}STORE_PATH", stored, origins)
        origins["store.path"] = f"{_PREFIX}DB"
    return tree, origins


def _from_file(path: Path, origins: dict[str, str], *, required: bool) -> dict[str, Any]:
    if not required and not path.exists():
        return {}
    try:
        tree = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidSettings(f"{path} cannot be read: {error}") from error
    for name, where in _RELATIVE.items():
        _beside(tree, name, where, path.absolute().parent)
    origins |= dict.fromkeys(_leaves(tree), str(path))
    return tree


def _beside(tree: dict[str, Any], section: str, key: str, folder: Path) -> None:
    """Take paths of a file as relative to its folder: the working directory may belong to somebody else."""
    value = tree.get(section)
    if not isinstance(value, dict) or key not in value:
        return
    values = cast("dict[str, Any]", value)
    given: object = values[key]
    if isinstance(given, str) and given:
        try:
            address = address_of(given)
        except InvalidInput as error:
            raise InvalidSettings(f"{section}.{key}: {error}") from error
        if isinstance(address, Path) and address != IN_MEMORY:
            values[key] = str(folder / address.expanduser())
    elif isinstance(given, list):
        texts = cast("list[object]", given)
        values[key] = [str(folder / Path(one).expanduser()) if isinstance(one, str) else one for one in texts]


def _leaves(tree: Mapping[str, Any], where: str = "") -> Iterator[str]:
    """Dotted names of the values of a tree."""
    for name, value in tree.items():
        if isinstance(value, Mapping):
            yield from _leaves(cast("Mapping[str, Any]", value), f"{where}{name}.")
        else:
            yield where + name


def _place(tree: dict[str, Any], name: str, value: str, origins: dict[str, str]) -> None:
    """Put `SIMONIDES_SECTION_SOME_KEY` into its section as some_key, or a provider's short form into its own."""
    words = name.removeprefix(_PREFIX).lower()
    section, _, key = words.partition("_")
    hints = _types_of(Settings)
    kind = _section(hints[section]) if section in hints else None
    keys = {one.name for one in fields(kind)} if is_dataclass(kind) else None
    if _of_a_cluster(name, value, keys):
        return
    if keys is None or not (key or kind is Provider):
        raise InvalidSettings(f"the variable {name} names no setting; a section is one of {', '.join(hints)}")
    if not key:
        tree[section] = value
    else:
        if isinstance(named := tree.get(section), str) and kind is Provider:
            short = provider_named(named)
            tree[section] = {"provider": short.provider, "model": short.model}
        if not isinstance(tree.setdefault(section, {}), dict):
            raise InvalidSettings(f"{section} must be a section of settings, got {tree[section]!r}")
        tree[section][key] = value
    origins[f"{section}.{key}" if key else section] = name


def _of_a_cluster(name: str, value: str, keys: AbstractSet[str] | None) -> bool:
    """True of a variable that Kubernetes or Docker sets in every container beside a service called `simonides…`."""
    words = name.removeprefix(_PREFIX).lower()
    if keys is not None and words.partition("_")[2] in keys:
        return words.endswith("port") and _ADDRESS.match(value) is not None
    return _SERVICE.fullmatch(name) is not None


def _hint(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, list(known), n=1)
    return f" did you mean {near[0]!r}?" if near else ""


def _build(
    kind: type[T],
    tree: Mapping[str, Any],
    where: str,
    origins: Mapping[str, str],
    otherwise: object | None = None,
) -> T:
    """A section from what is set in it.

    Args:
        otherwise: The section that holds where nothing is set: it has what a section itself has no default for.
    """
    hints = _types_of(kind)
    tree = _without_tuned(kind, tree, where, origins)
    known = {one.name for one in fields(cast("Any", kind)) if not is_tuned(one)}
    if unknown := sorted(set(tree) - known):
        raise InvalidSettings(
            f"unknown setting {where + unknown[0]!r}{_from(where + unknown[0], origins)};"
            f"{_hint(unknown[0], known)} known here: {', '.join(sorted(known))}"
        )
    values: dict[str, Any] = {}
    for name, value in tree.items():
        hint = _section(hints[name])
        try:
            if hint is Provider and isinstance(value, str):
                values[name] = provider_named(value)
            elif get_origin(hint) is Mapping:
                values[name] = _named(get_args(hint)[1], value, where + name, origins)
            elif is_dataclass(hint) and isinstance(value, Mapping):
                inner = cast("Mapping[str, Any]", value)
                usual = _default(kind, name)
                values[name] = _build(cast("type[Any]", hint), inner, f"{where}{name}.", origins, usual)
            else:
                values[name] = _coerced(value, hint, where + name)
        except InvalidSettings as error:
            source = _from(where + name, origins)
            if not source or source.strip(" ()") in str(error):
                raise
            raise InvalidSettings(f"{error}{source}") from error
    for one in fields(cast("Any", kind)):
        if one.name not in values and _default(kind, one.name) is MISSING:
            if not isinstance(otherwise, kind):
                raise InvalidSettings(f"{where}{one.name} is not set, and has no default; set it, too")
            values[one.name] = getattr(otherwise, one.name)
    return kind(**values)


@cache
def _types_of(section: type[Any]) -> Mapping[str, Any]:
    return get_type_hints(section)


def _default(kind: type[Any], name: str) -> object:
    """Default of a dataclass's field; MISSING where it has none."""
    described: Field[Any] = kind.__dataclass_fields__[name]
    return described.default if described.default_factory is MISSING else described.default_factory()


def _without_tuned(
    kind: type[Any], tree: Mapping[str, Any], where: str, origins: Mapping[str, str]
) -> Mapping[str, Any]:
    """The tree without what former releases let files set; each such name is told."""
    former = {one.name for one in fields(kind) if is_tuned(one)}
    for name in sorted(former & tree.keys()):
        _log.warning(
            "%s%s is no setting any more and changes nothing; leave it out",
            where + name,
            _from(where + name, origins),
        )
    return {name: value for name, value in tree.items() if name not in former}


def _named(kind: type[T], value: object, where: str, origins: Mapping[str, str]) -> Mapping[str, T]:
    """Sections of one kind by names of somebody's own."""
    sections = cast("Mapping[str, Any]", value if isinstance(value, Mapping) else {where: value})
    if wrong := [tree for tree in sections.values() if not isinstance(tree, Mapping)]:
        raise InvalidSettings(f"{where} holds sections, such as [{where}.name]; got {wrong[0]!r}")
    return {name: _build(kind, tree, f"{where}.{name}.", origins) for name, tree in sections.items()}


def _from(name: str, origins: Mapping[str, str]) -> str:
    """Origin of a setting, in brackets; of a section, if all of it has one."""
    own = {origin for key, origin in origins.items() if key == name or key.startswith(f"{name}.")}
    return f" (from {own.pop()})" if len(own) == 1 else ""


def _section(hint: Any) -> Any:
    """The dataclass that a type wants, or None instead of one; any other type as it is."""
    kinds = get_args(hint) if get_origin(hint) in {Union, UnionType} else ()
    return next((kind for kind in kinds if is_dataclass(kind)), hint)


def _coerced(value: Any, hint: Any, where: str) -> Any:
    """A value as its type wants it; text from the environment is read as that type."""
    if get_origin(hint) is tuple:
        return _texts(value, where)
    wanted = (
        [kind for kind in get_args(hint) if kind is not type(None)]
        if get_origin(hint) in {Union, UnionType}
        else [hint]
    )
    for kind in wanted:
        if isinstance(value, bool) is (kind is bool) and isinstance(value, kind):
            return value
        number = isinstance(value, int) and not isinstance(value, bool)
        if (kind is float and number) or (kind in {int, float} and isinstance(value, str)):
            try:
                return kind(value)
            except (ValueError, OverflowError):
                continue
        if isinstance(value, str) and kind is bool and value.lower() in {"true", "false", "1", "0"}:
            return value.lower() in {"true", "1"}
    names = " or ".join(getattr(kind, "__name__", str(kind)) for kind in wanted)
    raise InvalidSettings(f"{where} must be {names}, got {value!r}")


def _texts(value: Any, where: str) -> tuple[str, ...]:
    """A list of texts; in the environment they are separated by commas."""
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    if isinstance(value, list | tuple):
        parts = cast("list[object] | tuple[object, ...]", value)
        if all(isinstance(part, str) for part in parts):
            return tuple(str(part) for part in parts)
    raise InvalidSettings(f"{where} must be a list of texts, got {value!r}")
