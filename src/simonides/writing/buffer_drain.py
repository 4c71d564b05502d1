"""From turns that wait to items: one session at a time, each piece committed with the turns it came from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from simonides.domain.ids import new_id
from simonides.domain.item import Item
from simonides.domain.provenance import Origin, Provenance, SourceKind, Trust
from simonides.domain.scope import Scope
from simonides.domain.taxonomy import Taxonomy
from simonides.domain.text import sha256_hex, shortened
from simonides.domain.verdict import Verdict
from simonides.errors import Conflict, ProviderError
from simonides.governance.policy import Candidate
from simonides.ports.buffer import Waiting, WaitingTurn
from simonides.ports.clock import Clock
from simonides.ports.model import LanguageModel
from simonides.ports.store import Store
from simonides.writing.buffer import BufferSettings, Extract, back_off, due
from simonides.writing.extract import Statement, statements
from simonides.writing.extract.by_model import found_by
from simonides.writing.extract.report import Extracted, ExtractReport
from simonides.writing.record import Recorder

RULES: Final = "rules"
_LONGEST_ERROR: Final = 300
#: The least of several origins and trusts holds for what comes from all of them.
_BY_WEIGHT: Final = (Origin.ASSISTANT_SAID, Origin.USER_SAID, Origin.USER_CONFIRMED)
_TRUSTS: Final = (Trust.LOW, Trust.MEDIUM, Trust.HIGH)

#: Called with how many turns are done, and of how many.
DrainProgress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which turns to take.

    Attributes:
        scopes: Theirs; None for every scope.
        session_id: Only of this session, then also those that failed for good.
        due_only: Only of sessions that are due.
        dry_run: Tell what would be found; change nothing.
    """

    scopes: tuple[Scope, ...] | None
    session_id: str | None = None
    due_only: bool = False
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class _Findings:
    """What was found in a piece, and by what.

    Attributes:
        failed: Why the model found nothing, where the rules did in its place; the turns stand as failed then.
    """

    statements: tuple[Statement, ...]
    by: str
    failed: str | None = None
    dropped: tuple[str, ...] = ()


class Drain:
    """Takes turns out of the buffer and stores what they state.

    Models are asked outside of transactions. What a piece of turns states is stored in the transaction that
    takes these turns out of the buffer: what is interrupted is done again, and nothing twice.
    """

    def __init__(
        self,
        store: Store,
        recorder: Recorder,
        model: LanguageModel | None,
        clock: Clock,
        taxonomy: Taxonomy,
        settings: BufferSettings,
    ) -> None:
        self._store = store
        self._recorder = recorder
        self._model = model
        self._clock = clock
        self._taxonomy = taxonomy
        self._settings = settings

    def run(self, wanted: Wanted, progress: DrainProgress | None = None) -> ExtractReport:
        """Extract from all turns that are wanted, session by session.

        A model that fails leaves the turns where they are, to be tried again; see `BufferSettings.extract`
        for what happens when it failed as often as it may.
        """
        report = ExtractReport(dry_run=wanted.dry_run)
        if (why := self._impossible()) is not None:
            return replace(report, degradations=(why,))
        sessions = self._sessions(wanted)
        total = sum(one.turns + (one.failed if wanted.session_id else 0) for one in sessions)
        for one in sessions:
            while True:
                piece = self._drain(one, wanted)
                report += piece
                if progress is not None and (piece.turns or piece.put_off):
                    progress(report.turns + report.put_off, total)
                if piece.turns < self._settings.max_turns or piece.put_off or wanted.dry_run:
                    break
        return report

    def _impossible(self) -> str | None:
        """Why nothing can be extracted; None where something can."""
        if self._settings.extract == Extract.OFF:
            return "extraction is off: buffer.extract"
        if self._settings.extract == Extract.MODEL and self._model is None:
            return "buffer.extract is `model`, and there is no model: set one, or `auto`"
        return None

    def _sessions(self, wanted: Wanted) -> Sequence[Waiting]:
        with self._store.read() as reader:
            waiting = reader.waiting(wanted.scopes)
        if wanted.due_only:
            waiting = list(due(waiting, self._clock.now(), self._settings))
        return [one for one in waiting if wanted.session_id in (None, one.session_id)]

    def _drain(self, one: Waiting, wanted: Wanted) -> ExtractReport:
        """Extract from the next piece of a session."""
        with self._store.read() as reader:
            turns = reader.waiting_turns(
                one.scope, one.session_id, self._settings.max_turns, failed=wanted.session_id is not None
            )
        if not turns:
            return ExtractReport(dry_run=wanted.dry_run)
        report = ExtractReport(sessions=(one.session_id,), dry_run=wanted.dry_run)
        try:
            findings = self._find(turns)
            if wanted.dry_run:
                found = tuple(_told(statement, findings.by, None) for statement in findings.statements)
                return _ended(report, turns, findings, found)
            found = self._store_found(one, [turn.item for turn in turns], findings)
        except ProviderError as error:
            return self._put_off(turns, error, report)
        except Conflict:
            # Another process has them; what it does not take comes up again.
            return report
        return _ended(report, turns, findings, found)

    # Finding

    def _find(self, turns: Sequence[WaitingTurn]) -> _Findings:
        items = [turn.item for turn in turns]
        if self._model is None or self._settings.extract == Extract.RULES:
            return _Findings(statements(items), RULES)
        try:
            found = found_by(self._model, items, self._settings.max_tokens)
        except ProviderError as error:
            if self._settings.extract == Extract.AUTO and self._failed_for_good(turns):
                return _Findings(statements(items), RULES, failed=_said(error))
            raise
        return _Findings(found.statements, self._model.name, dropped=found.dropped)

    def _failed_for_good(self, turns: Sequence[WaitingTurn]) -> bool:
        """Whether another failure is one too many."""
        return max(turn.tries for turn in turns) + 1 >= self._settings.tries

    # Storing

    def _store_found(self, one: Waiting, turns: Sequence[Item], findings: _Findings) -> tuple[Extracted, ...]:
        at = self._clock.now()
        by_id = {turn.id: turn for turn in turns}
        found: list[tuple[Candidate, Sequence[str]]] = []
        for statement in findings.statements:
            sources = [by_id[source] for source in statement.source_ids]
            found.append((self._candidate(statement, sources, one, findings.by, at), statement.source_ids))
        verdicts = self._recorder.extracted(found, list(by_id), one.session_id, failed=findings.failed)
        return tuple(
            _told(statement, findings.by, verdict)
            for statement, verdict in zip(findings.statements, verdicts, strict=True)
        )

    def _candidate(
        self, statement: Statement, sources: Sequence[Item], one: Waiting, by: str, at: int
    ) -> Candidate:
        """What a statement would be stored as: with the origin and trust of those who said it, no more."""
        names = {str(turn.metadata.get("sender") or "") for turn in sources}
        name = names.pop() if len(names) == 1 else ""
        item = Item(
            id=new_id(at),
            content=statement.content,
            type=statement.type,
            created_at=at,
            updated_at=at,
            scope=one.scope,
            tags=statement.tags,
            entities=statement.entities,
            provenance=Provenance(
                SourceKind.CHAT,
                source_id=statement.source_ids[0],
                source_role=sources[0].provenance.source_role,
                content_hashes=tuple(sha256_hex(turn.content) for turn in sources),
            ),
            confidence=statement.confidence,
            importance=statement.importance,
            decay_rate=self._taxonomy[statement.type].decay_rate,
            event_at=statement.event_at,
            session_id=one.session_id,
            origin=min((turn.origin for turn in sources), key=_BY_WEIGHT.index),
            trust=min((turn.trust for turn in sources), key=_TRUSTS.index),
            metadata={"extracted_by": by} | ({"sender": name} if name else {}),
        )
        # As a proposal: what is known in other words, or was put into a prompt of the session, is no news.
        actor = "upkeep" if by == RULES else "model"
        return Candidate(item, proposed=True, why_store=statement.why_store, actor=actor)

    def _put_off(
        self, turns: Sequence[WaitingTurn], error: ProviderError, report: ExtractReport
    ) -> ExtractReport:
        """Leave turns where they are, to be tried again later, or as failed."""
        tries = max(turn.tries for turn in turns) + 1
        last = tries >= self._settings.tries
        retry_at = None if last else self._clock.now() + back_off(tries, self._settings)
        if not report.dry_run:
            ids = [turn.item.id for turn in turns]
            self._store.write(lambda tx: tx.put_off(ids, _said(error), retry_at))
        what = f"{_said(error)}; {len(turns)} turns of {report.sessions[0]} " + (
            "stand as failed"
            if last
            else f"are tried again, {tries} of {self._settings.tries} tries are over"
        )
        return replace(report, put_off=len(turns), degradations=(what,))


def _ended(
    report: ExtractReport, turns: Sequence[WaitingTurn], findings: _Findings, found: tuple[Extracted, ...]
) -> ExtractReport:
    failed = findings.failed
    return replace(
        report,
        turns=len(turns),
        found=found,
        dropped=findings.dropped,
        degradations=() if failed is None else (f"{failed}; extracted by rules, the turns stand as failed",),
    )


def _told(statement: Statement, by: str, verdict: Verdict | None) -> Extracted:
    return Extracted(statement.content, statement.type, by, statement.source_ids, verdict)


def _said(error: ProviderError) -> str:
    return shortened(str(error), _LONGEST_ERROR)
