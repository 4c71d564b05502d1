"""Changes of entities by hand: names, types, and two that are one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Final

from simonides.domain.entity import Entity, EntityType, fold, valid_name
from simonides.domain.ids import is_id
from simonides.domain.item import Status
from simonides.domain.records import AuditEvent
from simonides.domain.scope import Scope
from simonides.domain.selection import ItemOrder, Selection
from simonides.domain.text import short_text
from simonides.errors import Conflict, InvalidText, NotFound
from simonides.language.names import names_of
from simonides.ports.clock import Clock
from simonides.ports.entities import EntitySelection, entity_of
from simonides.ports.store import Reader, Store, Writer

if TYPE_CHECKING:
    from simonides.governance.policy import Policy

#: Entities among whose names those near a mistyped one are looked for.
_LOOKED_THROUGH: Final = 2000
_ALL: Final = 1 << 53


class Registrar:
    """Changes entities that are known by id, or by name in the very scope that they belong to."""

    def __init__(self, store: Store, policy: Policy, clock: Clock) -> None:
        self._store = store
        self._policy = policy
        self._clock = clock

    def merge(self, keep: str, other: str, scope: Scope, *, actor: str = "user") -> Entity:
        """Make two entities one.

        Raises:
            NotFound: One of them does not exist.
            InvalidInput: They are one already, or belong to different scopes.
        """

        def work(tx: Writer) -> int:
            kept, gone = own(tx, keep, scope), own(tx, other, scope)
            before = tx.entities(EntitySelection(keys=[gone]))[gone]
            tx.merge_entities(kept, gone)
            self._record(tx, "merge", kept, actor, merged=before.id)
            return kept

        return self._changed(work)

    def unmerge(self, other: str, scope: Scope, *, actor: str = "user") -> Entity:
        """Take back that an entity was merged into another.

        Raises:
            NotFound, Conflict: As of `Entities.unmerge`.
        """

        def work(tx: Writer) -> int:
            into = own(tx, other, scope)
            merges = [
                merge
                for merge in tx.entity_merges([into])
                if other == merge.merged.id or fold(other) in map(fold, merge.merged.names)
            ]
            if not merges:
                raise NotFound(f"nothing that is called {other[:80]!r} was merged into what it is now")
            mention = Selection(scopes=None, live_at=None, statuses=frozenset(Status), mentioned=(into,))
            mentioning = tx.keys(mention, ItemOrder.OLDEST, limit=_ALL)
            since = tx.load([key for key in mentioning if key not in merges[0].known])
            kept = tx.entities(EntitySelection(keys=[into]))[into]
            tx.unmerge_entity(merges[0].key, [(key, names_of(item)) for key, item in since.items()])
            left = tx.entities(EntitySelection(keys=[merges[0].key, into]))
            if not left:
                raise Conflict("nothing mentions either of the two any more; they stay one")
            back = merges[0].key if merges[0].key in left else into
            self._record(tx, "unmerge", back, actor, merged=merges[0].merged.id, **{"from": kept.id})
            return back

        return self._changed(work)

    def alias(self, name: str, alias: str, scope: Scope, *, actor: str = "user") -> Entity:
        """Give an entity a further name.

        Raises:
            NotFound: There is no such entity.
            Conflict: Another entity of its scope has the name.
            InvalidText: The name holds a secret or an order.
        """
        return self._named("alias", name, alias, scope, actor, Entity.aliased)

    def rename(self, name: str, to: str, scope: Scope, *, actor: str = "user") -> Entity:
        """Give an entity another name; the former one stays an alias.

        Raises:
            NotFound, Conflict, InvalidText: As of `alias`.
        """
        return self._named("rename", name, to, scope, actor, Entity.renamed)

    def retype(self, name: str, kind: EntityType, scope: Scope, *, actor: str = "user") -> Entity:
        """Say what an entity is; no guess changes it any more.

        Raises:
            NotFound: There is no such entity.
        """

        def work(tx: Writer) -> int:
            key = own(tx, name, scope)
            tx.put_entity(
                key, replace(tx.entities(EntitySelection(keys=[key]))[key], type=kind, settled=True)
            )
            self._record(tx, "retype", key, actor, type=kind.value)
            return key

        return self._changed(work)

    def _named(
        self,
        action: str,
        name: str,
        given: str,
        scope: Scope,
        actor: str,
        changed: Callable[[Entity, str], Entity],
    ) -> Entity:
        given = valid_name(given)
        if refused := self._policy.refusals(given):
            raise InvalidText(f"the name cannot be stored ({refused[0]}); choose another")

        def work(tx: Writer) -> int:
            key = own(tx, name, scope)
            tx.put_entity(key, changed(tx.entities(EntitySelection(keys=[key]))[key], given))
            self._record(tx, action, key, actor)
            return key

        return self._changed(work)

    def _record(self, tx: Writer, action: str, key: int, actor: str, **details: str) -> None:
        entity = tx.entities(EntitySelection(keys=[key]))[key]
        event = AuditEvent(
            action=f"entity:{action}",
            at=self._clock.now(),
            scope=entity.scope,
            actor=actor,
            details={"entity": entity.id} | details,
        )
        tx.record([event])

    def _changed(self, work: Callable[[Writer], int]) -> Entity:
        return self._store.write(partial(_after, work=work))


def _after(tx: Writer, work: Callable[[Writer], int]) -> Entity:
    key = work(tx)
    return tx.entities(EntitySelection(keys=[key]))[key]


def own(reader: Reader, name: str, scope: Scope) -> int:
    """The key of the entity that an id, or a name in exactly this scope, means.

    Raises:
        NotFound: There is none; the message names what may have been meant.
        InvalidText: It is no text that could be a name.
    """
    short_text(name, name="the name")
    if is_id(name) and (keyed := entity_of(reader, name)) is not None:
        return keyed[0]
    named = reader.entities_named([fold(name)], (scope,))
    if named:
        return named[0][1]
    wider = reader.entities_named([fold(name)], scope.visible())
    if wider:
        place = wider[0][2].scope
        raise NotFound(f"{name[:80]!r} belongs to {place!r}; name that scope to change it there")
    raise unknown(reader, name, (scope,))


def unknown(reader: Reader, name: str, scopes: tuple[Scope, ...] | None) -> NotFound:
    """That there is no entity of this name, with those that have a similar one."""
    known: dict[str, str] = {}
    for entity in reader.entities(EntitySelection(scopes=scopes), _LOOKED_THROUGH).values():
        for other in entity.names:
            known.setdefault(fold(other), other)
    near = _near(fold(name), known)
    hint = f"; there is {', '.join(repr(known[folded]) for folded in near)}" if near else ""
    return NotFound(f"there is no entity {name[:80]!r}{hint}")


def _near(folded: str, known: Sequence[str] | dict[str, str]) -> list[str]:
    """At most five known names: those that hold the one asked for as a word, then those spelled alike."""
    holding = [name for name in known if folded in name.split() or name in folded.split()]
    alike = get_close_matches(folded, list(known), n=5, cutoff=0.6)
    return list(dict.fromkeys([*holding[:5], *alike]))[:5]
