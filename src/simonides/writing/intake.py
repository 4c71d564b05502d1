"""Intake: from what callers pass in to candidates for the policy."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, Final, cast

from simonides.domain.flag import flag
from simonides.domain.ids import new_id
from simonides.domain.instant import TIMES_OF_MESSAGES, first_instant, instant, to_datetime
from simonides.domain.item import (
    MAX_METADATA_DEPTH,
    MAX_TAG_CHARS,
    MAX_TAGS,
    MAX_TITLE_CHARS,
    Item,
    Validation,
    checked_metadata,
    is_deeper,
)
from simonides.domain.item_fields import ItemFields
from simonides.domain.link import Link, Relation, hand_made
from simonides.domain.provenance import TRUST_OF, Origin, Provenance, SourceKind, Trust, trust_of_actor
from simonides.domain.scope import Scope
from simonides.domain.taxonomy import TAXONOMY, Taxonomy, Tier
from simonides.domain.text import cleaned_text, short_text, shortened, shown, valid_text
from simonides.domain.verdict import Outcome, Verdict
from simonides.errors import InvalidInput, InvalidScope
from simonides.governance.limits import LARGEST_WRITE_BYTES
from simonides.governance.policy import Candidate
from simonides.values import dataclass

#: Levels of a proposal: metadata stands within it.
_DEEPEST: Final = MAX_METADATA_DEPTH + 1
_ROLE_ORIGINS: Final = {
    "user": Origin.USER_SAID,
    "human": Origin.USER_SAID,
    "assistant": Origin.ASSISTANT_SAID,
    "ai": Origin.ASSISTANT_SAID,
    "model": Origin.ASSISTANT_SAID,
    "tool": Origin.TOOL,
    "function": Origin.TOOL,
}
#: Who speaks in a turn, for the audit log.
SPEAKERS: Final = {Origin.USER_SAID: "user", Origin.ASSISTANT_SAID: "assistant", Origin.TOOL: "tool"}
#: Roles whose messages configure the chat and are no part of what was said in it.
CONFIGURATION: Final = frozenset({"system", "developer"})
_FIELDS: Final = frozenset(ItemFields.__annotations__)
_INSTANTS: Final = ("event_at", "valid_from", "valid_until", "expires_at")
#: Types that nobody gives to a text: other rules hold for them.
RESERVED: Final = {
    "episode": "pass chat messages as a list of mappings with role and content",
    "chunk": "chunks are made from documents",
    "record": "keep a value under a key instead",
}
_MAX_TYPE_CHARS: Final = 40
#: Kinds of a message's parts that are what its sender says; what a model put out is no user's word.
_SAID_BY_USERS: Final = frozenset({"text", "input_text"})
_SAID: Final = _SAID_BY_USERS | {"output_text"}
_MOST_LINKS: Final = 64
#: What a model may say of its proposal.
_PROPOSED: Final = frozenset(
    {"type", "title", "tags", "entities", "confidence", "importance", "event_at", "metadata"}
)


@dataclass(frozen=True, slots=True)
class Intake:
    """Entry of inputs: it decides their origin, which no field of an input can raise.

    Attributes:
        source_id: Names the source where the input names none: `api` or `cli`.
        trust: None for what follows from the origin.
    """

    at: int
    origin: Origin = Origin.USER_SAID
    source_id: str | None = "api"
    taxonomy: Taxonomy = TAXONOMY
    confidence: float = 1.0
    proposed: bool = False
    actor: str = "user"
    trust: Trust | None = None

    def candidate(self, content: object, scope: Scope, given: Mapping[str, Any]) -> Candidate:
        """A candidate from a text and what is said about it.

        Raises:
            InvalidInput: The text cannot be stored, a field is unknown or a value out of range; the
                message names it.
        """
        given = dict(given)
        wanted = given.pop("links", None)
        # Before the content: where there is none, such a field may be what was meant by it.
        if unknown := sorted(set(given) - _FIELDS):
            raise InvalidInput(
                f"unknown field {unknown[0]!r}; an item takes content, {', '.join(sorted(_FIELDS))}"
            )
        text = valid_text(content, name="the content")
        type_name, remark = self.taxonomy.resolve(_type(given) or "note")
        if type_name in RESERVED:
            raise InvalidInput(f"type {type_name!r} is the engine's own: {RESERVED[type_name]}")
        spec = self.taxonomy[type_name]
        values: dict[str, Any] = {
            "confidence": self.confidence,
            "importance": spec.importance,
            "decay_rate": spec.decay_rate,
            "provenance": self._provenance(given.get("provenance")),
        }
        for name, value in given.items():
            if value is not None and name in _READERS:
                values[name] = _READERS[name](value, name)
        if values.get("pinned") or values.get("tier") is Tier.LTM:
            values["decay_rate"] = 0.0
        item = Item(
            id=new_id(self.at),
            content=text,
            type=type_name,
            created_at=self.at,
            updated_at=self.at,
            scope=scope,
            origin=self.origin,
            trust=TRUST_OF[self.origin] if self.trust is None else self.trust,
            **values,
        )
        return Candidate(
            item,
            proposed=self.proposed,
            actor=self.actor,
            remarks=() if remark is None else (remark,),
            links=() if wanted is None else _links(wanted, item),
        )

    @classmethod
    def of_model(
        cls,
        at: int,
        taxonomy: Taxonomy,
        *,
        actor: str = "model",
        source_id: str | None = None,
        confirmed: bool = False,
    ) -> Intake:
        """Intake for a model's proposals.

        Args:
            actor: Who proposes. What a sub-agent, a plugin or anybody external proposes is of low trust.
            source_id: What proposals are taken from that do not say it themselves.
            confirmed: The user agreed to them, which makes them the user's word.
        """
        if confirmed:
            return cls(at, origin=Origin.USER_CONFIRMED, source_id=source_id, taxonomy=taxonomy)
        return cls(
            at,
            origin=Origin.ASSISTANT_SAID,
            source_id=source_id,
            taxonomy=taxonomy,
            confidence=0.5,
            proposed=True,
            actor=actor,
            trust=trust_of_actor(actor),
        )

    def read(
        self, value: object, scope: Scope, given: Mapping[str, Any], *, strict: bool
    ) -> Candidate | Verdict:
        """A candidate from a text, a mapping with fields of its own, or an item.

        Args:
            given: Said of it where it does not say otherwise itself.
            strict: Raise for what cannot be read, instead of answering with a rejection.
        """
        try:
            match value:
                case Item():
                    return self._adopted(value)
                case Mapping():
                    own = dict(cast("Mapping[str, Any]", value))
                    content = own.pop("content", None)
                    place = _place(own.pop("scope", None), scope)
                    return self.candidate(content, place, {**given, **own})
                case _:
                    return self.candidate(value, scope, given)
        except InvalidInput as error:
            if strict:
                raise
            return Verdict(Outcome.REJECTED, None, (f"invalid: {error}",))

    def proposal(self, value: object, scope: Scope, session_id: str | None = None) -> Candidate | Verdict:
        """A candidate from what a model proposed; or the verdict on what cannot be read."""
        if not isinstance(value, Mapping):
            return Verdict(Outcome.REJECTED, None, ("invalid: a proposal is a mapping with content",))
        given = cast("Mapping[str, Any]", value)
        if not is_deeper(given, _DEEPEST) and (size := _size(given)) > LARGEST_WRITE_BYTES:
            return Verdict(
                Outcome.REJECTED,
                None,
                (f"too long: {size} bytes, a proposal has at most {LARGEST_WRITE_BYTES}; propose a pointer",),
            )
        try:
            return self.proposed_in(given, scope, session_id)
        except InvalidInput as error:
            return Verdict(Outcome.REJECTED, None, (f"invalid: {error}",))

    def proposed_in(self, value: Mapping[str, Any], scope: Scope, session_id: str | None = None) -> Candidate:
        """A candidate from what a model proposed; fields that are not its to set are left out, and said.

        Raises:
            InvalidInput: It cannot be read, or is longer than what is written at once.
        """
        given = dict(value)
        if is_deeper(given, _DEEPEST):
            raise InvalidInput(f"the proposal is nested deeper than {_DEEPEST} levels")
        if _size(given) > LARGEST_WRITE_BYTES:
            raise InvalidInput(f"a proposal has at most {LARGEST_WRITE_BYTES} bytes; propose a pointer")
        content, why, source = (
            given.pop("content", None),
            given.pop("why_store", None),
            given.pop("source", None),
        )
        ignored = sorted(set(given) - _PROPOSED)
        kept = {name: held for name, held in given.items() if name in _PROPOSED}
        if session_id is not None:
            kept["session_id"] = session_id
        if source is not None:
            kept["provenance"] = {"source_kind": "chat", "source_id": str(source)}
        candidate = self.candidate(content, scope, kept)
        remarks = (f"ignored: a proposal does not set {', '.join(ignored)}",) if ignored else ()
        return replace(
            candidate, why_store=None if why is None else str(why), remarks=candidate.remarks + remarks
        )

    def _adopted(self, item: Item) -> Candidate:
        """An item that a caller made or took from elsewhere, as a new one of this store."""
        if item.type in RESERVED:
            raise InvalidInput(f"type {item.type!r} is the engine's own; move stores with export and load")
        given = {name: getattr(item, name) for name in _FIELDS.difference(_INSTANTS)}
        try:
            given |= {name: to_datetime(at) for name in _INSTANTS if (at := getattr(item, name)) is not None}
            validation = Validation(item.validation)
        except (TypeError, OverflowError) as error:
            raise InvalidInput("an item's times are microseconds between the years 1 and 9999") from error
        except ValueError as error:
            raise InvalidInput(str(error)) from error
        candidate = self.candidate(item.content, Scope(item.scope), given)
        return replace(candidate, item=replace(candidate.item, validation=validation))

    def _provenance(self, given: object) -> Provenance:
        if isinstance(given, Provenance):
            return _provenance({field.name: getattr(given, field.name) for field in fields(Provenance)})
        if given is None:
            return Provenance(source_id=self.source_id)
        if not isinstance(given, Mapping):
            raise InvalidInput(f"provenance must be a mapping, not {type(given).__name__}")
        named = cast("Mapping[str, Any]", given)
        known = {field.name for field in fields(Provenance)}
        if unknown := sorted(set(named) - known):
            raise InvalidInput(
                f"provenance: unknown field {unknown[0]!r}; it takes {', '.join(sorted(known))}"
            )
        return _provenance(named)


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat, read and cleaned.

    Attributes:
        source_id: The client's own id for it, where it sends one.
    """

    role: str
    content: str
    name: str | None
    source_id: str | None
    at: int | None
    metadata: Mapping[str, Any]

    @property
    def skipped(self) -> str | None:
        """Reason that this message is no turn to be remembered; None if it is one."""
        if self.role in CONFIGURATION:
            return "junk: a system prompt configures the chat, it is not part of what was said"
        if not self.content or self.content.isspace():
            return "empty: the message has no text"
        return None

    def episode(self, scope: Scope, session_id: str, intake_at: int) -> Item:
        """The episode that keeps this turn verbatim; its ordinal is set when it is stored."""
        origin = _ROLE_ORIGINS.get(self.role, Origin.TOOL)
        named = self.name if self.name and self.name.casefold() != self.role else None
        return Item(
            id=new_id(intake_at),
            content=self.content,
            type="episode",
            created_at=intake_at,
            updated_at=intake_at,
            scope=scope,
            entities=(named,) if named else (),
            provenance=Provenance(SourceKind.CHAT, self.source_id, self.role),
            importance=TAXONOMY["episode"].importance,
            decay_rate=0.0,
            event_at=intake_at if self.at is None else self.at,
            session_id=session_id,
            ordinal=0,
            origin=origin,
            trust=TRUST_OF[origin],
            metadata={**self.metadata, "sender": named} if named else self.metadata,
        )


def _links(given: object, item: Item) -> tuple[Link, ...]:
    """The links that an input asks for, from the item that it becomes."""
    if not isinstance(given, Sequence) or isinstance(given, str | bytes):
        raise InvalidInput('links is a list such as [{"to": id, "rel": "supports"}]')
    entries = cast("Sequence[object]", given)
    if len(entries) > _MOST_LINKS:
        raise InvalidInput(f"links: {len(entries)} of one item, at most {_MOST_LINKS} are made")
    return tuple(_link(entry, item) for entry in entries)


def _link(entry: object, item: Item) -> Link:
    if not isinstance(entry, Mapping):
        raise InvalidInput(
            f'links: each is a mapping such as {{"to": id, "rel": "supports"}}, not {entry!r:.40}'
        )
    given = dict(cast("Mapping[str, Any]", entry))
    to, rel = given.pop("to", None), given.pop("rel", Relation.REFERENCES.value)
    evidence, weight = given.pop("evidence", None), given.pop("weight", 1.0)
    if given:
        raise InvalidInput(
            f"links: unknown field {min(map(str, given))!r}; a link takes to, rel, evidence, weight"
        )
    return Link(
        src=item.id,
        dst=short_text(to, name="links: `to`"),
        rel=hand_made(rel),
        evidence=None if evidence is None else valid_text(evidence, name="links: `evidence`"),
        weight=_weight(weight),
        created_at=item.created_at,
    )


def _weight(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise InvalidInput(f"links: weight is a number >= 0, got {value!r:.40}")
    return float(value)


def source_of(actor: str) -> str:
    """Source named for what somebody adds who names none: the command line, or the library."""
    return "cli" if actor == "cli" else "api"


def is_message(value: object) -> bool:
    """True if a value has the form of a chat message."""
    return isinstance(value, Mapping) and "role" in value and "content" in value


def message(value: Mapping[str, Any]) -> Message:
    """A chat message as OpenAI and Ollama clients send it.

    Content may be a text, a list of parts (text is kept, other parts are named), or None.

    Raises:
        InvalidInput: Role, id or time cannot be used.
    """
    role = _word(value["role"], "role")
    known = role.casefold() in CONFIGURATION.union(_ROLE_ORIGINS)
    by_user = _ROLE_ORIGINS.get(role.casefold()) is Origin.USER_SAID
    return Message(
        role=role.casefold() if known else role,
        content=cleaned_text(_content(value["content"], _SAID_BY_USERS if by_user else _SAID)),
        name=_text(value, "name") or None,
        source_id=_message_id(value) or None,
        at=_time_of(value),
        metadata=_metadata(value.get("metadata")),
    )


def _time_of(value: Mapping[str, Any]) -> int | None:
    """Time at which a message was written, under whichever of the names that clients have for it.

    Raises:
        InvalidInput: `at` is no time. Clients may mean something else by the others, such as a place in a recording.
    """
    if (at := value.get("at")) is not None:
        return instant(at, name="at")
    return first_instant(value, *TIMES_OF_MESSAGES)


def _message_id(value: Mapping[str, Any]) -> str | None:
    """A message's own id; clients that number their messages pass whole numbers."""
    given = value.get("id")
    return str(given) if type(given) is int else _text(value, "id")


def _content(content: object, kinds: frozenset[str]) -> str:
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        return "\n".join(_part(part, kinds) for part in cast("Sequence[object]", content))
    raise InvalidInput(f"a message's content is text or a list of parts, not {type(content).__name__}")


def _part(part: object, kinds: frozenset[str]) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, Mapping):
        fields = cast("Mapping[str, object]", part)
        kind = fields.get("type", "attachment")
        text = fields.get("text")
        if not isinstance(text, str):
            return f"[{kind}]"
        if "type" not in fields or kind in kinds:
            return text
        # A document or a file is nobody's own word: it stands between marks that say where it ends.
        return f"<attachment>\n{text.replace('</', '< /')}\n</attachment>"
    raise InvalidInput(f"a part of a message is a mapping, not {type(part).__name__}")


def _size(value: object) -> int:
    """Bytes of the texts in a value of JSON, without its brackets and numbers."""
    match value:
        case str():
            return len(value.encode("utf-8", "surrogatepass"))
        case Mapping():
            return sum(
                _size(name) + _size(inner) for name, inner in cast("Mapping[object, object]", value).items()
            )
        case list() | tuple():
            return sum(_size(inner) for inner in cast("Sequence[object]", value))
        case _:
            return 0


def _provenance(fields: Mapping[str, Any]) -> Provenance:
    """A provenance from its fields. Who says where it comes from, and names no source, knows none."""
    try:
        kind = SourceKind(str(fields.get("source_kind", "chat")))
    except ValueError:
        raise InvalidInput("provenance.source_kind is one of chat, doc, tool, mixed") from None
    return Provenance(
        source_kind=kind,
        source_id=_text(fields, "source_id") or None,
        source_role=_text(fields, "source_role"),
        chunk_ids=words(fields.get("chunk_ids", ()), "provenance.chunk_ids"),
        content_hashes=words(fields.get("content_hashes", ()), "provenance.content_hashes"),
        span=_span(fields.get("span")),
    )


def _span(value: object) -> tuple[int, int] | None:
    if value is None:
        return None
    pair = cast("Sequence[object]", value) if isinstance(value, Sequence) else ()
    match list(pair):
        case [int(start), int(end)] if 0 <= start <= end < 1 << 53:
            return start, end
        case _:
            raise InvalidInput(
                f"provenance.span is a pair of positions, start and end, not {shown(cast('object', value))}"
            )


def words(values: object, name: str) -> tuple[str, ...]:
    """Tags or names: stripped, no blank ones, none twice (compared without case), in their order.

    Raises:
        InvalidInput: It is no list of words, or a word is too long or spans lines.
    """
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise InvalidInput(f"{name} must be a list of words")
    texts: dict[str, str] = {}
    for value in cast("Sequence[object]", values):
        numbered = isinstance(value, int) and not isinstance(value, bool)
        word = _word(str(value) if numbered else value, name)
        if word:
            texts.setdefault(word.casefold(), word)
    if len(texts) > MAX_TAGS:
        raise InvalidInput(f"{name}: {len(texts)} words, at most {MAX_TAGS} are kept")
    return tuple(texts.values())


def _word(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"{name} must be text, not {type(value).__name__}")
    word = cleaned_text(value).strip()
    if len(word) > MAX_TAG_CHARS * 2 or len(word.splitlines()) > 1:
        raise InvalidInput(f"{name}: {word[:40]!r}… is too long or spans lines")
    return word


def _text(given: Mapping[str, Any], name: str) -> str | None:
    value = given.get(name)
    return None if value is None else _word(value, name)


def _type(given: Mapping[str, Any]) -> str | None:
    name = _text(given, "type")
    if name is not None and len(name) > _MAX_TYPE_CHARS:
        raise InvalidInput(f"a type is one word of at most {_MAX_TYPE_CHARS} characters, not {len(name)}")
    return name


def _share(value: object, name: str) -> float:
    share = _number(value, name)
    if share > 1:
        raise InvalidInput(f"{name} lies in [0, 1], got {share}")
    return share


def _number(value: object, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise InvalidInput(f"{name} must be a number >= 0, got {shown(value)}")
    try:
        return float(value)
    except OverflowError:
        raise InvalidInput(f"{name} is too large") from None


def _place(named: object, otherwise: Scope) -> Scope:
    """The scope that an input names for itself."""
    if named is None:
        return otherwise
    if not isinstance(named, str):
        raise InvalidScope(f"a scope is text, not {type(named).__name__}")
    return Scope(named)


def _tier(value: object, name: str) -> Tier:
    try:
        return Tier(str(value).lower())
    except (ValueError, RecursionError):
        raise InvalidInput(f"unknown {name} {shown(value)}; use stm, mtm or ltm") from None


def _title(value: object, name: str) -> str:
    return shortened(valid_text(value, name=f"the {name}"), MAX_TITLE_CHARS) if value else ""


def _metadata(value: object, name: str = "metadata") -> Mapping[str, Any]:
    return {} if value is None else checked_metadata(value, name)


def _instant(value: Any, name: str) -> int:
    return instant(value, name=name)


#: How each field is read that a caller may give; `type` and `provenance` depend on more than their value.
_READERS: Final[Mapping[str, Callable[[Any, str], Any]]] = {
    "title": _title,
    "tags": words,
    "entities": words,
    "tier": _tier,
    "confidence": _share,
    "importance": _share,
    "decay_rate": _number,
    "pinned": flag,
    "injectable": flag,
    "metadata": _metadata,
    "event_at": _instant,
    "valid_from": _instant,
    "valid_until": _instant,
    "expires_at": _instant,
    "session_id": _word,
    "task_id": _word,
    "narrative_id": _word,
    "corpus_id": _word,
    "rule_id": _word,
}
