"""The policy: from a candidate to a ruling. Pure: no I/O, no clock of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Final

from simonides.domain.actor import IMPORT, is_model, is_person
from simonides.domain.document import CHUNK
from simonides.domain.instant import SECOND_US
from simonides.domain.item import (
    Item,
    Status,
    Validation,
    canonical_json,
    source_texts,
    texts_in,
    texts_packed_in,
)
from simonides.domain.link import Link
from simonides.domain.provenance import FROM_USER, Origin, SourceKind, Trust
from simonides.domain.record import RECORD, lines, segments
from simonides.domain.scope import GLOBAL
from simonides.domain.taxonomy import TAXONOMY, Kind, Taxonomy, Tier
from simonides.domain.text import sha256_hex
from simonides.domain.verdict import Outcome
from simonides.governance.about_user import tells_of_the_user
from simonides.governance.authority import holds_back
from simonides.governance.known import (
    NOTHING_KNOWN,
    KnownMemories,
    borne_out,
    contradicted,
    echoes,
    forgotten,
    of_the_user,
    repeated,
)
from simonides.governance.learned import opinion
from simonides.governance.mention import mentioned
from simonides.governance.redacted_value import redacted_value
from simonides.governance.rulebook import Rulebook
from simonides.governance.rulefiles import book_with
from simonides.governance.scan import Finding, SecretPlace, redact, scan, secret_places
from simonides.governance.settings import PolicySettings
from simonides.governance.speakers import UNNAMED, is_users_word, sender
from simonides.governance.wordings import (
    NO_REASON,
    NO_SOURCE,
    OWN_WORDS,
    UNCHECKED,
    forgotten_before,
    not_the_users,
    of_low_confidence,
    without_source,
)
from simonides.language.tokens import folded
from simonides.language.words import MANNERS, NEGATORS, PREDICATES_OF_USERS
from simonides.values import dataclass

_HOUR_US: Final = 3600 * SECOND_US
_HARD: Final = ("secret", "injection", "mimicry", "forbidden", "junk")
#: What no program may keep in a record.
_REFUSED_IN_RECORDS: Final = frozenset({"secret", "forbidden"})
#: What is looked for in titles, tags and the like too: short words there are no junk, and names no leak.
_ANYWHERE: Final = frozenset({"secret", "injection", "mimicry", "forbidden", "review", "self_instruction"})
#: Types whose source is an id or a path that a program gave.
_NAMED_BY_PROGRAMS: Final = frozenset({"episode", CHUNK})
#: Names of which is remembered that nothing was found in them.
_MOST_NAMES: Final = 1024
#: Words from which on a title, a tag or the like may be a statement.
_LEAST_SAID: Final = 3
#: Words by which a title or a tag says something of its own.
_SHARP: Final = NEGATORS | MANNERS.keys() | PREDICATES_OF_USERS
#: Roles that are no text of anybody's.
_ROLES: Final = frozenset({None, "user", "assistant", "tool", "system"})
#: What keeps a turn of a chat out of prompts.
_ORDERS: Final = frozenset({"injection", "mimicry", "forbidden"})
#: Of these, what a note of the user may talk about.
_GIVEN: Final = frozenset({"injection", "mimicry"})
#: How far from a secret it is looked for, where it may be a name that the rules take for one: over a whole book, a name
#: of a function that an example calls with a password would be gone.
_PAGE_CHARS: Final = 2_000
#: Rejections that leave an event.
_NOTED: Final = frozenset({"secret", "injection", "mimicry"})
#: Whose texts the learned detector reads too.
_LEARNED_OF: Final = frozenset(
    {Origin.ASSISTANT_SAID, Origin.TOOL, Origin.WEB, Origin.DOCUMENT, Origin.IMPORT}
)
_BOUNDED: Final = frozenset({Origin.ASSISTANT_SAID, Origin.TOOL, Origin.WEB})
_OUTSIDE: Final = frozenset({Origin.TOOL, Origin.WEB, Origin.DOCUMENT})


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that may become a memory.

    Attributes:
        item: As it would be stored.
        proposed: Whether a model suggested it; it then has to say why and from where.
        why_store: The reason that was given.
        remarks: What intake has to say about it, such as an unknown type.
        known: What is there already that bears on it.
        before: The item that it changes; None for a new one.
        links: From it to items that there are.
        said_at: When the user said it last, in a turn from which rules took it; None for all else.
        parted: Kinds of secrets of which it holds a part, as is told by the text that it was cut of.
        anew: Something else was said since what is known already: it is judged as if that were not there.
    """

    item: Item
    proposed: bool = False
    why_store: str | None = None
    actor: str = "user"
    remarks: tuple[str, ...] = ()
    known: KnownMemories = NOTHING_KNOWN
    before: Item | None = None
    links: tuple[Link, ...] = ()
    said_at: int | None = None
    parted: tuple[str, ...] = ()
    anew: bool = False


@dataclass(frozen=True, slots=True)
class Ruling:
    """Decision of the policy.

    Attributes:
        outcome: Accepted, quarantined, rejected, or merged: a known item says it already.
        item: The item in the form in which it may be stored; of `merged` the known one, which stays as it is.
        reasons: Why, most important first, each `code: explanation`.
        wished: Of a quarantined item, what it was to be.
    """

    outcome: Outcome
    item: Item
    reasons: tuple[str, ...] = ()
    wished: Item | None = None


def to_be_noted(ruling: Ruling) -> list[str]:
    """Reasons of a rejection that leave an event in the audit log: secrets, and orders to a model."""
    rejected = ruling.outcome is Outcome.REJECTED
    return [reason for reason in ruling.reasons if rejected and reason.partition(":")[0] in _NOTED]


class Policy:
    """The rules that every write passes. Subclass and override `judge` to add rules of your own.

    A subclass calls `super().judge(candidate, at)` and may make its ruling stricter.

    Raises:
        InvalidSettings: A file of rules that the settings name cannot be used.
    """

    def __init__(self, settings: PolicySettings | None = None, taxonomy: Taxonomy = TAXONOMY) -> None:
        self.settings = settings or PolicySettings()
        self.taxonomy = taxonomy
        if self.settings.rules:
            book_with(self.settings.rules)  # What is wrong with them is said now.
        #: Digests of names in which nothing was found.
        self._clean_names: set[str] = set()

    @cached_property
    def book(self) -> Rulebook:
        """The rules; read when the first text is judged, which a process that only reads never does."""
        return book_with(self.settings.rules)

    def judge(self, candidate: Candidate, at: int) -> Ruling:
        """Decide about a candidate.

        Args:
            candidate: What may become a memory.
            at: The present instant; quarantine ends a fixed time after it.
        """
        item = candidate.item
        if len(item.content) > self.settings.max_write_chars:
            return _rejected(item, [f"too long: {len(item.content)} characters; split it or store a pointer"])
        findings = scan(item.content, self.book)
        hidden = self._hidden(candidate)
        if candidate.parted:
            hidden += tuple(Finding(0, 0, "secret", "parted", kind) for kind in candidate.parted)
        if item.type == "episode":
            return _episode(item, findings, hidden)
        if item.type == RECORD:
            return _record(candidate, (*findings, *hidden))
        if item.type == CHUNK:
            return _chunk(item, findings, hidden)
        orders = [finding for finding in findings if finding.category in _GIVEN]
        if orders and item.origin in FROM_USER and not candidate.proposed and mentioned(item.content, orders):
            findings = tuple(finding for finding in findings if finding.category not in _GIVEN)
        else:
            orders = []
        hard = [*_hard(findings + hidden), *self._out_of_bounds(candidate)]
        if hard:
            return _rejected(item, hard)
        if candidate.proposed:
            known = repeated(item.content, candidate.known, item.provenance.source_id)
            if known is not None and not candidate.anew:
                return Ruling(Outcome.MERGED, known, ("duplicate: this is known already", *candidate.remarks))
            if echoes(item.content, candidate.known.recalled):
                return _rejected(item, ["junk: echo of what was recalled in this session"])
        soft = [*self._doubts(candidate, at), *self._soft(findings + hidden, candidate)]
        if soft and (standing := _standing(candidate)):
            # Somebody let its words in as they are: to tag or pin it is no reason to doubt them again.
            was = replace(candidate, item=standing)
            stood = {*self._doubts(was, at), *self._soft(findings + self._hidden(was), was)}
            soft = [reason for reason in soft if reason not in stood]
        if soft:
            return self.quarantined(item, [*soft, *candidate.remarks], at)
        item = _tagged_if_personal(item, findings + hidden)
        if orders or item.trust is Trust.LOW:
            item = replace(item, injectable=False)
        return Ruling(Outcome.ACCEPTED, item, (*_not_injectable(orders), *candidate.remarks))

    def _hidden(self, candidate: Candidate) -> tuple[Finding, ...]:
        """Findings outside a candidate's content. A name may be an address of somebody's; what is told may not."""
        texts, names = _told_beside(candidate), _names_beside(candidate)
        if not texts:
            # Most items have nothing else beside their content than a scope.
            return self._in_name(names) if names == candidate.item.scope else self._anywhere(names)
        before = candidate.before
        fresh = before is None or texts != _told_beside(replace(candidate, item=before))
        return tuple(
            finding
            for finding in scan(f"{texts}\n{names}" if names else texts, self.book)
            if finding.category in _ANYWHERE
            or (finding.category == "personal" and fresh and finding.start < len(texts))
        )

    def _in_name(self, name: str) -> tuple[Finding, ...]:
        """Findings in the name of a scope or a session. Many items have it: its digest outlives it alone."""
        digest = sha256_hex(name)
        if digest in self._clean_names:
            return ()
        findings = self._anywhere(name)
        if not findings:
            if len(self._clean_names) >= _MOST_NAMES:
                self._clean_names.clear()
            self._clean_names.add(digest)
        return findings

    def _anywhere(self, text: str) -> tuple[Finding, ...]:
        return tuple(finding for finding in scan(text, self.book) if finding.category in _ANYWHERE)

    def secrets(self, text: str) -> list[SecretPlace]:
        """Secrets of a text that is to be cut: what is left of one that a cut parts is none by itself."""
        return secret_places(text, scan(text, self.book.of_secrets), reach=_PAGE_CHARS)

    def redacted(self, text: str) -> str:
        """A text to be shown, with a mark for each of its secrets."""
        return redact(text, scan(text, self.book.of_secrets))

    def redacted_value(self, value: Any) -> Any:
        """A JSON value as a record may hold it, with a mark for all that it would be refused for."""

        def refused(text: str) -> list[SecretPlace]:
            findings = [one for one in scan(text, self._book_of_refused) if one.end > one.start]
            return secret_places(text, [replace(one, category="secret") for one in findings])

        return redacted_value(value, refused)

    @cached_property
    def _book_of_refused(self) -> Rulebook:
        return Rulebook(tuple(rule for rule in self.book.rules if rule.category in _REFUSED_IN_RECORDS))

    def refusals(self, text: str) -> tuple[str, ...]:
        """Reasons to refuse a text that stands beside items, such as the evidence of a link."""
        return tuple(_hard(self._anywhere(text)))

    def personal(self, text: str) -> tuple[str, ...]:
        """Kinds of personal data in a text."""
        kinds = {finding.kind for finding in scan(text, self.book) if finding.category == "personal"}
        return tuple(sorted(kinds))

    def refusals_of_name(self, name: str) -> tuple[str, ...]:
        """Reasons to refuse the name of a scope or a session; looked for once, and again after many other names."""
        return tuple(_hard(self._in_name(name)))

    def _out_of_bounds(self, candidate: Candidate) -> Iterable[str]:
        item = candidate.item
        limit = self.taxonomy[item.type].max_chars
        # A person's note is as long as it is; what a model or a tool writes down is to be short.
        bounded = candidate.proposed or item.origin in _BOUNDED
        if bounded and limit is not None and len(item.content) > limit:
            yield (
                f"too long: {len(item.content)} characters, a {item.type} has at most {limit}; "
                "store a pointer to it, or ingest it as a document"
            )
        if item.tier is not Tier.STM and not (item.provenance.source_id or "").strip():
            yield without_source(item.tier)

    def _doubts(self, candidate: Candidate, at: int) -> Iterable[str]:
        item = candidate.item
        if candidate.proposed and not (candidate.why_store or "").strip():
            yield NO_REASON
        if candidate.proposed and item.provenance.source_id is None:
            yield NO_SOURCE
        if item.confidence < self.settings.least_confidence:
            yield of_low_confidence(f"{item.confidence:.2f}")
        if settled := self._contradicted(candidate, at):
            yield settled
        worded = candidate.proposed or (candidate.before is not None and is_model(candidate.actor))
        if worded and (
            gone := forgotten(
                _new_texts(candidate),
                item.scope,
                candidate.known,
                candidate.said_at,
                item.provenance.source_id,
            )
        ):
            yield forgotten_before(gone.id)
        own = item.type in OWN_WORDS
        of_user = _told_of_the_user(item) if worded else []
        if (of_user or own) and not _is_users_word(candidate, of_user):
            yield not_the_users(item)
        provenance = item.provenance
        if (
            provenance.source_kind is SourceKind.DOC
            and not provenance.content_hashes
            and item.trust is not Trust.HIGH
        ):
            yield UNCHECKED

    def _contradicted(self, candidate: Candidate, at: int) -> str | None:
        # What happened at one time is not denied by what happened at another.
        if not candidate.known.settled or self.taxonomy[candidate.item.type].kind is Kind.EPISODIC:
            return None
        known = candidate.known
        in_person = is_users_word(candidate.item) and not candidate.proposed
        settled = tuple(item for item in known.settled if holds_back(item, in_person=in_person))
        pair = contradicted(candidate.item, replace(known, settled=settled), at)
        if pair is None:
            return None
        other, differs = pair
        return (
            f"contradiction: {differs.kind} {differs} with {other.id}; "
            f"if it has changed, correct {other.id} instead"
        )

    def _soft(self, findings: Sequence[Finding], candidate: Candidate) -> Iterable[str]:
        """Reasons for an item to wait, by category: `review` whoever says it, the rest where the user did not."""
        waits = ["review"]
        if candidate.item.origin not in FROM_USER:
            waits += ["personal"]
            orders = any(finding.category == "self_instruction" for finding in findings)
            if orders and not (candidate.proposed and borne_out(candidate.item.content, candidate.known)):
                waits.insert(1, "self_instruction")
        for category in waits if findings else ():
            kinds = sorted({finding.kind for finding in findings if finding.category == category})
            if kinds:
                yield f"{category.replace('_', ' ')}: {', '.join(kinds)}"
        if candidate.item.origin in _LEARNED_OF and not borne_out(candidate.item.content, candidate.known):
            read = opinion(candidate.item.content)
            if read.score > 0:
                words = ", ".join(f"“{word}”" for word in read.words)
                yield f"sounds like an order: {words} ({read.score:+.1f})"

    def quarantined(self, item: Item, reasons: Sequence[str], at: int) -> Ruling:
        """Hold an item back until somebody decides: stored, never recalled, and gone after a fixed time."""
        inert = replace(
            item,
            status=Status.QUARANTINED,
            tier=Tier.STM,
            validation=Validation.UNVERIFIED,
            injectable=False,
            pinned=False,
            confidence=min(item.confidence, self.settings.least_confidence),
            expires_at=at + int(self.settings.quarantine_hours * _HOUR_US),
        )
        return Ruling(Outcome.QUARANTINED, inert, tuple(reasons), wished=item)


def _episode(item: Item, findings: Sequence[Finding], hidden: Sequence[Finding]) -> Ruling:
    """A turn is stored whatever it says: without its secrets, and inert where it gives orders."""
    reasons: list[str] = []
    if any(finding.category == "secret" for finding in findings):
        kinds = sorted({finding.kind for finding in findings if finding.category == "secret"})
        item = replace(item, content=redact(item.content, findings))
        reasons.append(f"redacted: {', '.join(kinds)}")
    if any(finding.category == "secret" for finding in hidden):
        provenance = replace(item.provenance, source_id=None, source_role=None)
        # Who loses their name is no less somebody else than the user.
        named = {"sender": UNNAMED} if sender(item) else {}
        item = replace(item, metadata=named, title="", tags=(), entities=(), provenance=provenance)
        reasons.append("redacted: a secret beside the text; metadata, names, id and role were dropped")
    orders = [finding for finding in (*findings, *hidden) if finding.category in _ORDERS]
    if orders:
        item = replace(item, injectable=False)
        reasons += _not_injectable(orders)
    item = _tagged_if_personal(item, (*findings, *hidden))
    return Ruling(Outcome.ACCEPTED, item, tuple(reasons))


def _record(candidate: Candidate, findings: Sequence[Finding]) -> Ruling:
    """A record is what a program keeps: refused with a secret in it, inert where it gives orders.

    So is what a model keeps about the user, in a prompt it would pass for their word, of what was forgotten, and of
    what identifies a person.
    """
    item = candidate.item
    refused = [one for one in findings if one.category in _REFUSED_IN_RECORDS]
    if refused:
        return _rejected(item, list(_hard(refused)))
    orders = [one for one in findings if one.category in {*_GIVEN, "self_instruction", "review"}]
    item = _tagged_if_personal(item, findings)
    by_model = is_model(candidate.actor) and (
        "personal" in item.tags
        or _told_of_the_user(item)
        or forgotten(_new_texts(candidate), item.scope, candidate.known)
    )
    if orders or item.trust is Trust.LOW or by_model:
        item = replace(item, injectable=False)
    return Ruling(Outcome.ACCEPTED, item, tuple(_not_injectable(orders)))


def _chunk(item: Item, findings: Sequence[Finding], hidden: Sequence[Finding]) -> Ruling:
    """A part of a document is found whatever it says: without its secrets, and inert where it gives orders."""
    refused = [one for one in hidden if one.category == "secret"]
    refused += [one for one in findings if one.category == "forbidden"]
    if refused:
        return _rejected(item, list(_hard(refused)))
    reasons: list[str] = []
    secrets = sorted({finding.kind for finding in findings if finding.category == "secret"})
    if secrets:
        item = replace(item, content=redact(item.content, findings))
        reasons.append(f"redacted: {', '.join(secrets)}")
    orders = [one for one in (*findings, *hidden) if one.category in {*_ORDERS, "self_instruction", "review"}]
    if orders or item.trust is Trust.LOW:
        item = replace(item, injectable=False)
    item = _tagged_if_personal(item, (*findings, *hidden))
    return Ruling(Outcome.ACCEPTED, item, (*reasons, *_not_injectable(orders)))


def _not_injectable(orders: Sequence[Finding]) -> list[str]:
    return [f"not injectable: {', '.join(sorted({finding.kind for finding in orders}))}"] if orders else []


def _hard(findings: Iterable[Finding]) -> Iterable[str]:
    kinds = {(finding.category, finding.kind) for finding in findings if finding.category in _HARD}
    for category, kind in sorted(kinds, key=lambda pair: (_HARD.index(pair[0]), pair[1])):
        yield f"{category}: {kind}"


def _is_users_word(candidate: Candidate, of_user: Sequence[str]) -> bool:
    """True if statements about the user, or orders, may stand as such: the user said or confirmed them.

    Args:
        told: Texts that are about the user. A label, of a word or two, says only of whom the content is, unless it
            denies, restricts or says what somebody likes.
    """
    item, before = candidate.item, candidate.before
    if item.origin in FROM_USER:
        return True
    if before is not None:
        # What came from elsewhere stays what it is taken for, unless somebody has confirmed it.
        known = {before.content, *_named(before)}
        changed = before.type != item.type or not known.issuperset((item.content, *of_user))
        return not changed or before.validation is Validation.VERIFIED
    if candidate.proposed:
        worded = [text for text in of_user if len(text.split()) >= _LEAST_SAID]
        sharp = list(filter(_is_sharp, _named(item)))
        return all(_is_borne_out(text, candidate) for text in dict.fromkeys((item.content, *worded, *sharp)))
    return item.origin not in _OUTSIDE


def _is_borne_out(text: str, candidate: Candidate) -> bool:
    """True if the user said a text, which may call them by their name."""
    known = candidate.known
    return borne_out(text, known) or borne_out(of_the_user(text, candidate.item.scope), known)


def _new_texts(candidate: Candidate) -> list[str]:
    """Every text of an item that it did not hold before; a title as what its content goes on from, too."""
    item, before = candidate.item, candidate.before
    known = set[str]() if before is None else set(_texts_of(before))
    return [text for text in dict.fromkeys(_texts_of(item)) if text not in known]


def _texts_of(item: Item) -> list[str]:
    gone_on = f"{item.title} {item.content[:1].lower()}{item.content[1:]}"
    return [item.content, *_named(item), *source_texts(item), *([gone_on] if item.title else [])]


def _named(item: Item) -> list[str]:
    """Texts beside the content: title, tags, entities, names and values of the metadata."""
    owner = dict(item.scope.parts).get("user")
    metadata = {key: value for key, value in item.metadata.items() if not (owner and value == owner)}
    return [
        re.sub(r"[-_]+", " ", text)
        for text in (item.title, *item.tags, *item.entities, *texts_in(metadata))
        if text
    ]


def _told_of_the_user(item: Item) -> list[str]:
    """Texts of an item that are about the user, also where a scope's user is called by name."""
    return [
        text
        for place, text in enumerate((item.content, *_named(item), *_said_in_address(item)))
        if tells_of_the_user(
            of_the_user(text, item.scope), owned=place == 0 and "user" in dict(item.scope.parts)
        )
    ]


def _said_in_address(item: Item) -> list[str]:
    """Space and key of a record, each and together, as far as they are no plain names."""
    if item.type != RECORD:
        return []
    named = segments(item.provenance.source_id or "")
    parts = [re.sub(r"[-_]+", " ", part) for part in named]
    together = [" ".join(parts)] if any(" " in part for part in named) or any(map(_is_sharp, parts)) else []
    return [part for part in (*parts, *together) if len(part.split()) >= _LEAST_SAID or _is_sharp(part)]


def _is_sharp(text: str) -> bool:
    return not _SHARP.isdisjoint(map(folded, text.split()))


def _told_beside(candidate: Candidate) -> str:
    """Texts of a candidate outside its content: none of them goes unscanned."""
    item = candidate.item
    parts = [item.title, *item.tags, *item.entities, candidate.why_store or "", *candidate.remarks]
    if item.metadata:
        written = canonical_json(dict(item.metadata))
        parts.append(written)
        if "\\" in written:  # What is escaped reads otherwise than what was said.
            parts += [*texts_in(item.metadata), *texts_packed_in(item.metadata)]
        # Whatever of a record is indexed, all of it is judged: as it reads, too.
        shown = "\n".join(lines(item.metadata.get("value"))) if item.type == RECORD else item.content
        if shown != item.content:
            parts.append(shown)
    if not _is_named_by_a_program(candidate):
        parts.append(_source(item))
    return "\n".join(part for part in parts if part)


def _names_beside(candidate: Candidate) -> str:
    """Names by which a program finds a candidate again: its scope and session, ids and paths of what it comes from."""
    item = candidate.item
    parts = [_source(item)] if _is_named_by_a_program(candidate) else []
    if item.scope != GLOBAL and item.type != "episode":  # That of turns is judged once, with their session.
        parts.append(str(item.scope))
    if item.provenance.source_role not in _ROLES:
        parts.append(item.provenance.source_role or "")
    if item.type != "episode":  # The session of turns is judged once, when they are added.
        named = (item.session_id, item.task_id, item.narrative_id, item.corpus_id, item.rule_id)
        parts += [name or "" for name in named]
    return "\n".join(part for part in parts if part)


def _is_named_by_a_program(candidate: Candidate) -> bool:
    """True if the source of a candidate is an id, such as of a mail, and not what a model or a person worded."""
    item = candidate.item
    worded = (
        item.type == RECORD or candidate.proposed or (item.origin in FROM_USER and candidate.actor != IMPORT)
    )
    return item.type in _NAMED_BY_PROGRAMS or not worded


def _source(item: Item) -> str:
    source = item.provenance.source_id or ""
    if item.type == RECORD:
        return "\n".join([source, *segments(source)])
    return "" if source in {"api", "cli"} else source


def _tagged_if_personal(item: Item, findings: Iterable[Finding]) -> Item:
    if "personal" in item.tags or all(finding.category != "personal" for finding in findings):
        return item
    return replace(item, tags=(*item.tags, "personal"))


def _standing(candidate: Candidate) -> Item | None:
    """The item in recall that a person changes and whose words stay."""
    before = candidate.before
    if before is None or before.status is not Status.ACTIVE or not is_person(candidate.actor):
        return None
    return before if before.content == candidate.item.content else None


def _rejected(item: Item, reasons: Sequence[str]) -> Ruling:
    return Ruling(Outcome.REJECTED, item, tuple(reasons))
