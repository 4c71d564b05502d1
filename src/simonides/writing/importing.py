"""Importing: entries of a source past the policy into the store, each once however often the source is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, islice
from typing import Any, Final, cast

from simonides.domain.actor import IMPORT
from simonides.domain.ids import id_named
from simonides.domain.importing import ImportReport, placed
from simonides.domain.instant import iso
from simonides.domain.item import Item, Status
from simonides.domain.provenance import Origin
from simonides.domain.reach import everywhere, reach
from simonides.domain.record import RecordPut
from simonides.domain.records import Revision
from simonides.domain.scope import GLOBAL, Scope
from simonides.domain.text import short_text, valid_text
from simonides.domain.verdict import Outcome, Verdict
from simonides.errors import InvalidInput, SimonidesError, StoreDamaged, StoreError
from simonides.governance.policy import Candidate, Policy
from simonides.ports.both import both
from simonides.ports.clock import Clock
from simonides.ports.importer import (
    LEFT_OUT,
    CutFrom,
    FormerWording,
    Refusal,
    SourceEntry,
    SourceItem,
    SourceLink,
    SourceRecord,
    SourceTurn,
)
from simonides.ports.store import Store
from simonides.values import dataclass
from simonides.writing.intake import Intake, Message, message
from simonides.writing.item_records import ItemRecord, of_source
from simonides.writing.record import Recorder
from simonides.writing.records import RecordKeeper, at_address
from simonides.writing.store_records import read_link
from simonides.writing.transfer import Transfer

#: Entries that are judged and committed together.
_PAGE: Final = 512
_WORDS: Final[Mapping[type[SourceEntry], str]] = {
    SourceItem: "items", SourceTurn: "turns", SourceRecord: "records", SourceLink: "links"
}  # fmt: skip
_LOOSE: Final = Verdict(Outcome.REJECTED, None, ("it joins what this source does not bring",))
_AGAIN: Final = Verdict(Outcome.REJECTED, None, ("an entry before it has the same id and other words",))
_CHANGED: Final = (
    "other words are here under its id: it was changed at the source, or two sources use the same ids (import one of "
    "them into a scope of its own)"
)
_OTHER_WORDS: Final = Verdict(Outcome.MERGED, None, (_CHANGED,))
_TAKEN: Final = Verdict(Outcome.ACCEPTED)
#: Until the policy has said why.
_PARTED: Final = Verdict(Outcome.REJECTED)
_OTHER_VALUE: Final = Verdict(
    Outcome.MERGED, None, ("duplicate: the key has another value here; it was left as it is",)
)
_KNOWN: Final = Verdict(Outcome.MERGED, None, ("duplicate: an earlier import brought it",))


@dataclass(frozen=True, slots=True)
class _ReadItem:
    """An item of a source as it would stand here, and the kinds of secrets of which it holds a part."""

    item: Item
    record: ItemRecord
    parted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _ReadLink:
    """A link of a source, by the ids that its ends would have by themselves."""

    src: str
    dst: str
    record: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Importing:
    """Takes in what importers read.

    Attributes:
        transfer: Takes in records of items, as `load` does.
    """

    store: Store
    policy: Policy
    clock: Clock
    recorder: Recorder
    records: RecordKeeper
    transfer: Transfer

    def run(
        self,
        kind: str,
        entries: Iterable[SourceEntry],
        scope: Scope,
        *,
        dry_run: bool = False,
        progress: Callable[[int], None] | None = None,
    ) -> ImportReport:
        """Judge entries and store what may be stored.

        Args:
            scope: Where it belongs; the source's own parts of a scope fill what this leaves open.

        What a former import brought stays as it is here now. What the policy would hold back waits in quarantine.

        Guarantees:
            What `progress` was told of is durable, each conversation's piece, item or record whole.
        """
        report = ImportReport(kind, dry_run)
        course = _Course(self, kind, scope, report)
        source = iter(entries)
        while page := list(islice(source, _PAGE)):
            for sort, some in groupby(page, _sort_of):
                course.take(sort, list(some))
            if progress is not None:
                progress(report.read)
        return report


class _Course:
    """One import under way."""

    def __init__(self, parts: Importing, kind: str, scope: Scope, report: ImportReport) -> None:
        self._parts = parts
        self._kind = kind
        self._scope = scope
        self._report = report
        #: Ids of items that brought one along, or that stand where the source said, by key: links name only that.
        self._own: dict[str, str] = {}
        #: Ids under which a dry run would have stored contents.
        self._foreseen: dict[tuple[Scope, bytes], str] = {}
        #: Hashes of contents that a dry run would have stored under these ids.
        self._told: dict[str, bytes] = {}
        #: Messages that a dry run would have stored, by conversation; records; links.
        self._told_turns: dict[tuple[Scope, str], dict[str, Message]] = {}
        self._told_records: dict[tuple[Scope, str], Any] = {}
        self._told_links: set[tuple[str, str, str]] = set()
        #: Ids of the items that hold what was read, by the ids that it would have by itself.
        self._ids: dict[str, str] = {}
        #: The text that items are cut of at present, and its lines that hold a secret or a part of one, with its kind.
        self._uncut = ""
        self._secret_lines: dict[int, str] = {}

    def take(self, sort: type[SourceEntry], entries: Sequence[SourceEntry]) -> None:
        if sort is Refusal:
            for entry in cast("Sequence[Refusal]", entries):
                self._note_refusal(entry)
        elif sort is SourceTurn:
            for (session_id, scope), some in groupby(
                cast("Sequence[SourceTurn]", entries),
                lambda one: (one.session_id, self._guarded(one.whose, self._place)),
            ):
                self._turns(session_id, scope, list(some))
        elif sort is SourceRecord:
            for entry in cast("Sequence[SourceRecord]", entries):
                self._note(entry, self._guarded(entry, self._record))
        else:
            self._items(cast("Sequence[SourceItem | SourceLink]", entries))

    # Items and links, by way of the records that stores are copied with

    def _items(self, entries: Sequence[SourceItem | SourceLink]) -> None:
        read: list[_ReadItem | _ReadLink | Verdict] = [self._guarded(entry, self._read) for entry in entries]
        ended: dict[int, Verdict | str] = {n: one for n, one in enumerate(read) if isinstance(one, Verdict)}
        ended |= self._known({n: one.item for n, one in enumerate(read) if isinstance(one, _ReadItem)})
        items = [(n, one) for n, one in enumerate(read) if isinstance(one, _ReadItem) and n not in ended]
        given = [one for _, one in items]
        verdicts = [self._foresee(one) for one in given] if self._report.dry_run else self._stored(given)
        for (n, one), verdict in zip(items, verdicts, strict=True):
            ended[n] = verdict
            if verdict.item_id is not None:
                self._ids[one.item.id] = verdict.item_id
        # Links come after what they join, and go by the ids that it has here.
        links = [(n, one) for n, one in enumerate(read) if isinstance(one, _ReadLink)]
        for (n, _), verdict in zip(links, self._joined([one for _, one in links]), strict=True):
            ended[n] = verdict
        for n, entry in enumerate(entries):
            match ended[n]:
                case Verdict() as verdict:
                    self._note(entry, verdict)
                case why:
                    self._report.left_out[why] += 1

    def _known(self, items: Mapping[int, Item]) -> dict[int, Verdict | str]:
        """Verdicts on items whose ids are taken, by what is here or an entry before; or why one is left out."""
        ended: dict[int, Verdict | str] = {}
        contents = self._told if self._report.dry_run else dict[str, bytes]()
        with both(self._parts.store) as views:
            here = views.get(list({item.id for item in items.values()}))
            for n, item in items.items():
                mark, there = item.content_hash, here.get(item.id)
                if there is not None:
                    self._ids[item.id] = item.id
                    is_same = mark == there.content_hash or any(
                        mark == state.item.content_hash for state in views.revisions(item.id)
                    )
                    ended[n] = _KNOWN if is_same else _CHANGED
                elif item.id in contents:
                    ended[n] = _KNOWN if mark == contents[item.id] else _AGAIN
                else:
                    contents[item.id] = mark
        return ended

    def _stored(self, read: Sequence[_ReadItem]) -> list[Verdict]:
        loaded = iter(self._loaded([one.record for one in read if not one.parted]))
        ended = [_PARTED if one.parted else next(loaded) for one in read]
        # A copy of a store brings nothing that the policy holds back; what comes from elsewhere waits for a decision.
        held = [
            n
            for n, (one, verdict) in enumerate(zip(read, ended, strict=True))
            if not verdict.stored and (one.parted or one.item.status is Status.ACTIVE)
        ]
        again = self._parts.recorder.items([_candidate(read[n]) for n in held])
        for n, verdict in zip(held, again, strict=True):
            ended[n] = verdict
        return ended

    def _foresee(self, one: _ReadItem) -> Verdict:
        """The verdict that storing it would have."""
        item = one.item
        [ruling] = self._parts.recorder.judged([_candidate(one)])
        if ruling.outcome is Outcome.REJECTED:
            return Verdict(ruling.outcome, None, ruling.reasons)
        if item.status is not Status.ACTIVE:
            return Verdict(ruling.outcome, item.id, ruling.reasons)
        mark = (item.scope, item.content_hash)
        with self._parts.store.read() as reader:
            there = reader.holders(item.scope, [item.content_hash]).get(item.content_hash)
        holder = self._foreseen.get(mark) if there is None else there.id
        self._foreseen.setdefault(mark, item.id)
        outcome = ruling.outcome if holder is None else Outcome.MERGED
        return Verdict(outcome, holder or item.id, ruling.reasons)

    def _joined(self, links: Sequence[_ReadLink]) -> list[Verdict]:
        made = {
            n: link.record | {"src": self._ids[link.src], "dst": self._ids[link.dst]}
            for n, link in enumerate(links)
            if link.src in self._ids and link.dst in self._ids
        }
        if self._report.dry_run:
            ended = [self._guarded(record, self._foreseen_link) for record in made.values()]
        else:
            ended = self._loaded(list(made.values()))
        by_place = dict(zip(made, ended, strict=True))
        return [by_place.get(n, _LOOSE) for n in range(len(links))]

    def _foreseen_link(self, record: Mapping[str, Any]) -> Verdict:
        link = read_link(record)
        mark = (link.src, link.dst, link.rel.value)
        with self._parts.store.read() as reader:
            there = any((one.src, one.dst) == mark[:2] for one in reader.links([link.src], [link.rel]))
        if there or mark in self._told_links:
            return _KNOWN
        self._told_links.add(mark)
        return _TAKEN

    def _loaded(self, records: Sequence[Mapping[str, Any] | ItemRecord]) -> list[Verdict]:
        """Verdicts on records without their numbers: the source has places of its own."""
        return [
            replace(
                verdict,
                reasons=tuple(reason.removeprefix(f"record {number}: ") for reason in verdict.reasons),
            )
            for number, verdict in enumerate(self._parts.transfer.load(records).verdicts, 1)
        ]

    def _read(self, entry: SourceItem | SourceLink) -> _ReadItem | _ReadLink:
        scope = self._place(entry.whose)
        if isinstance(entry, SourceItem) and entry.scope is not None and scope == GLOBAL:
            scope = _reached(Scope(entry.scope))
        if isinstance(entry, SourceLink):
            at = self._parts.clock.now() if entry.created_at is None else entry.created_at
            fields = {"weight": entry.weight, "evidence": entry.evidence, "created_at": iso(at)}
            record = {"kind": "link", "rel": entry.rel.value} | fields
            src, dst = (self._own.get(key) or self._id(scope, key) for key in (entry.src, entry.dst))
            return _ReadLink(src, dst, record)
        item_id = self._id(scope, entry.key)
        if entry.id is not None and self._may_keep(entry.id):
            item_id = entry.id
        if item_id == entry.id or scope != self._scope:
            self._own[entry.key] = item_id
        now = self._parts.clock.now()
        intake = Intake(
            now,
            origin=entry.origin,
            source_id=f"{self._kind}:{entry.key}"[:200],
            taxonomy=self._parts.policy.taxonomy,
            actor=IMPORT,
        )
        created = min(now, now if entry.created_at is None else entry.created_at)
        updated = min(now, max(created, created if entry.updated_at is None else entry.updated_at))
        read = intake.candidate(entry.content, scope, entry.fields).item
        item = replace(
            read,
            id=item_id,
            created_at=created,
            updated_at=updated,
            status=Status.ARCHIVED if entry.archived else Status.ACTIVE,
        )
        states: list[Item] = []
        kept: list[FormerWording] = []
        for one in entry.earlier:
            state = replace(
                item,
                content=valid_text(one.content, name="a former wording"),
                updated_at=min(now, max(created, one.at)),
                status=Status.ACTIVE,
            )
            # A record with it would be refused whole, its other wordings and times with it.
            ruling = self._parts.policy.judge(Candidate(state, actor=IMPORT), now)
            if ruling.outcome is not Outcome.REJECTED:
                states.append(state)
                kept.append(one)
            elif state.content != item.content:
                reason = f"a former wording of it: {'; '.join(ruling.reasons)}"
                self._report.note("wordings", "rejected", entry.place, reason)
        record = _record_of(replace(entry, earlier=kept), (*states, item))
        return _ReadItem(item, record, self._parted(entry.cut_from))

    def _parted(self, cut_from: CutFrom | None) -> tuple[str, ...]:
        """Kinds of secrets of a text that reach into lines of it."""
        if cut_from is None:
            return ()
        text, lines = cut_from
        if text is not self._uncut:
            self._uncut, self._secret_lines = text, {}
            line = at = 0
            for place in self._parts.policy.secrets(text):
                line += text.count("\n", at, place.start)
                at = place.start
                count = text.count("\n", at, place.end) + 1
                self._secret_lines |= dict.fromkeys(range(line + 1, line + 1 + count), place.kind)
        secret = self._secret_lines
        return tuple(sorted({secret[line] for line in lines if line in secret})) if secret else ()

    def _may_keep(self, item_id: str) -> bool:
        """True of an id that an item may have here.

        Bound to scopes, only those of items that are within: another's id looks like one that nobody has.
        """
        if reach() is everywhere:
            return True
        with both(self._parts.store) as views:
            return any(reach()(item.scope) for item in views.get([item_id]).values())

    def _id(self, scope: Scope, key: str) -> str:
        short_text(key, name="an id of the source")
        return id_named(f"{self._kind}\n{scope}\n{key}")

    # Turns

    def _turns(self, session_id: str, scope: Scope | Verdict, entries: Sequence[SourceTurn]) -> None:
        changed: frozenset[int] = frozenset()
        if isinstance(scope, Verdict):
            verdicts: Sequence[Verdict] = [scope] * len(entries)
        else:
            try:
                name = short_text(session_id, name="the name of a conversation")
                if self._report.dry_run:
                    verdicts = self._foreseen_turns(name, scope, entries)
                else:
                    messages = [entry.message for entry in entries]
                    verdicts = self._parts.recorder.turns(messages, scope, name).verdicts
                changed = self._changed_turns(name, scope, entries, verdicts)
            except SimonidesError as error:
                verdicts = [_invalid(error)] * len(entries)
        for n, (entry, verdict) in enumerate(zip(entries, verdicts, strict=True)):
            if n in changed or verdict is _OTHER_WORDS:
                self._report.left_out[_CHANGED] += 1
            else:
                self._note(entry, verdict)

    def _changed_turns(
        self, session_id: str, scope: Scope, entries: Sequence[SourceTurn], verdicts: Sequence[Verdict]
    ) -> frozenset[int]:
        """Places of turns that are known by their ids, and neither say now nor ever said here what the source says."""
        merged = {
            n: one.item_id for n, one in enumerate(verdicts) if one.outcome is Outcome.MERGED and one.item_id
        }
        if not merged:
            return frozenset()
        with both(self._parts.store) as views:
            here = views.get(list(set(merged.values())))
        there = {n: here[item_id] for n, item_id in merged.items() if item_id in here}
        read = {n: message(entries[n].message) for n in there}
        differing = [n for n, turn in there.items() if turn.content != read[n].content]
        kept = self._kept_words([read[n] for n in differing], scope, session_id)
        wordings = {n: {words, read[n].content} for n, words in zip(differing, kept, strict=True)}
        with both(self._parts.store) as views:
            return frozenset(
                n
                for n, words in wordings.items()
                if there[n].content not in words
                and all(state.item.content not in words for state in views.revisions(there[n].id))
            )

    def _kept_words(self, messages: Sequence[Message], scope: Scope, session_id: str) -> list[str]:
        """Words that are kept of messages: the policy replaces their secrets."""
        now = self._parts.clock.now()
        turns = [Candidate(one.episode(scope, session_id, now)) for one in messages]
        return [ruling.item.content for ruling in self._parts.recorder.judged(turns)] if turns else []

    def _foreseen_turns(
        self, session_id: str, scope: Scope, entries: Sequence[SourceTurn]
    ) -> Sequence[Verdict]:
        read: list[Message | Verdict] = [
            self._guarded(entry, lambda one: message(one.message)) for entry in entries
        ]
        sources = [one.source_id for one in read if isinstance(one, Message) and one.source_id is not None]
        with self._parts.store.read() as reader:
            known = reader.conversation(scope, session_id, last=1, source_ids=sources).by_source
        foreseen = self._told_turns.setdefault((scope, session_id), {})
        ended: list[Verdict] = []
        for one in read:
            if isinstance(one, Verdict):
                ended.append(one)
            elif one.skipped is not None:
                ended.append(Verdict(Outcome.REJECTED, None, (one.skipped,)))
            else:
                source = one.source_id or ""
                there = known.get(source)
                before = foreseen.get(source)
                if there is not None or before is None:
                    ended.append(_TAKEN if there is None else replace(_KNOWN, item_id=there))
                    foreseen |= {source: one} if source else {}
                else:
                    is_same = (
                        before.content == one.content
                        or len(set(self._kept_words([before, one], scope, session_id))) == 1
                    )
                    ended.append(_KNOWN if is_same else _OTHER_WORDS)
        return ended

    # Records

    def _record(self, entry: SourceRecord) -> Verdict:
        scope = self._place(entry.whose)
        put = RecordPut(space=tuple(entry.space), key=entry.key, value=entry.value, ttl_s=entry.ttl_s)
        mark = (scope, put.address)
        if mark in self._told_records:
            value = self._told_records[mark]
        else:
            with self._parts.store.read() as reader:
                there = at_address(reader, scope, put.address)
            if there is None:
                if self._report.dry_run:
                    self._parts.records.prepared(
                        put, scope, self._parts.clock.now(), IMPORT, Origin.USER_SAID
                    )
                    self._told_records[mark] = entry.value
                else:
                    self._parts.records.put([put], scope, actor=IMPORT)
                return _TAKEN
            value = there.metadata.get("value")
        return _KNOWN if value == entry.value else _OTHER_VALUE

    # Reporting

    def _place(self, whose: Mapping[str, object]) -> Scope:
        return _reached(placed(self._scope, whose))

    def _guarded(self, entry: Any, read: Callable[[Any], Any]) -> Any:
        try:
            return read(entry)
        except SimonidesError as error:
            return _invalid(error)

    def _note_refusal(self, entry: Refusal) -> None:
        if entry.reason.startswith(LEFT_OUT):
            self._report.left_out[entry.reason.removeprefix(LEFT_OUT)] += 1
        else:
            self._report.note("parts", "rejected", entry.place, entry.reason)

    def _note(self, entry: SourceEntry, verdict: Verdict) -> None:
        reason = "; ".join(verdict.reasons) or None
        self._report.note(_WORDS[type(entry)], verdict.outcome.value, entry.place, reason)


def _reached(scope: Scope) -> Scope:
    """The scope, where what is done now may write into it.

    Raises:
        InvalidInput: It may not.
    """
    if not reach()(scope):
        raise InvalidInput(f"the source says that this belongs to {scope}, which may not be written to here")
    return scope


def _sort_of(entry: SourceEntry) -> type[SourceEntry]:
    """Sort of an entry; links are taken in together with items."""
    return SourceItem if isinstance(entry, SourceLink) else type(entry)


def _candidate(one: _ReadItem) -> Candidate:
    return Candidate(one.item, actor=IMPORT, parted=one.parted)


def _invalid(error: SimonidesError) -> Verdict:
    """The refusal of an entry for an error; one of the store that no entry is to blame for is raised again."""
    # What a damaged archive file holds is missed by some entries alone.
    if isinstance(error, StoreError) and not isinstance(error, StoreDamaged):
        raise error
    return Verdict(Outcome.REJECTED, None, (f"invalid: {error}",))


def _record_of(entry: SourceItem, states: Sequence[Item]) -> ItemRecord:
    """The record of an item as a source tells of it: every wording, and what it is now."""
    reasons = [*(one.reason for one in entry.earlier), "archive" if entry.archived else "import"]
    revisions = [
        Revision(number, state, state.updated_at, reason)
        for number, (state, reason) in enumerate(zip(states, reasons, strict=True), 1)
    ]
    return of_source(revisions, entry.usage, entry.room)
