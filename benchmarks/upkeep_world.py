"""Notes and turns over sixty days, made from a seed, of which it is known what repeats what.

Every note is one wording of a statement: a frame with its slots filled. Two notes of the same frame with the same
slots are duplicates; if one slot differs or one denies, they are near-duplicates that must stay apart. The wordings
were written before the rules that they measure were tuned, and some use words that no rule knows.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final


def _values(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_FIRST: Final = "Ana Ben Carla Dmitri Elif Farid Greta Hugo Ines Jonas Keiko Lena Marco Nadia Omar"
_LAST: Final = (
    "Abel Brandt Castro Duval Eriksen Ferrari Grant Haas Ito Jansen Kovac Lopez Moretti Nunez Olsen Petrov"
)
_NAMES: Final = """
Apollo Hermes Juno Vesta Argus Orion Selene Titan Castor Pollux Danube Rhone Vistula Tagus Elbe Neva Loire Moselle
Ganges Indus Mekong Amazon Yukon Volga Everest Annapurna Lhotse Denali Elbrus Etna Hekla Fuji Sirius Vega Rigel
Altair Deneb Antares Spica Polaris Falcon Heron Osprey Kestrel Merlin Sparrow Magpie Raven Willow Maple Cedar Juniper
Hazel Rowan Birch Linden Cobalt Indigo Crimson Amber Saffron Umber Copper Nickel Quartz Basalt Granite Marble
"""
#: What a slot holds: by which the kind of a difference is called.
_SLOTS: Final[Mapping[str, tuple[str, Sequence[str]]]] = {
    "person": ("name", [" ".join(pair) for pair in product(_values(_FIRST), _values(_LAST))]),
    "place": ("name", _values("Lisbon Porto Oslo Riga Kyoto Lyon Gdansk Turin Bergen Malmo Tartu Graz")),
    "project": ("name", _values(_NAMES)),
    "tool": ("name", _values("Postgres Redis Kafka Nginx Grafana Terraform Ansible Jenkins Vault Consul")),
    "number": (
        "number",
        [str(n) for n in (3, 4, 5, 7, 8, 12, 14, 15, 20, 24, 25, 30, 40, 45, 60, 75, 90, 120)],
    ),
    "port": ("number", [str(n) for n in (3000, 5432, 6379, 8000, 8080, 8081, 8443, 9000, 9090, 9200)]),
    "day": ("date", _values("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")),
    "date": (
        "date",
        [f"{d} {m}" for d, m in product((2, 9, 14, 21, 28), _values("March April May June October"))],
    ),
    "hour": ("number", [f"{h}:{m}" for h, m in product((8, 9, 10, 11, 14, 16), _values("00 15 30"))]),
    "drink": ("word", _values("tea coffee cocoa lemonade kombucha")),
    "sport": ("word", _values("climbing rowing chess tennis cycling fencing")),
    "colour": ("word", _values("red blue green yellow violet")),
    "part": ("word", _values("billing search login export report archive upload")),
    "fault": ("word", _values("memory timeout encoding certificate permission")),
}
#: Slots that say what a statement is about: with them, a scope has one statement of a frame.
_SUBJECTS: Final = ("person", "project", "part", "fault")


@dataclass(frozen=True, slots=True)
class Frame:
    """A statement with slots.

    Attributes:
        wordings: Each says the same; slots stand in braces.
        denied: The same, denied; empty where that would say nothing.
        swapped: The same words with the parts exchanged; empty where that would say the same.
    """

    type: str
    tag: str
    wordings: tuple[str, ...]
    denied: str = ""
    swapped: str = ""

    @property
    def slots(self) -> tuple[str, ...]:
        """Names of the slots."""
        return tuple(name for name in _SLOTS if f"{{{name}}}" in self.wordings[0])


FRAMES: Final = (
    Frame(
        "preference",
        "food",
        (
            "{person} prefers {drink} in the morning.",
            "In the morning, {person} prefers {drink}.",
            "{person} still prefers {drink} in the morning.",
            "{person} prefers {drink} in the morning, before work.",
            "Mornings, {person} prefers {drink}.",
        ),
        "{person} does not prefer {drink} in the morning.",
    ),
    Frame(
        "fact",
        "home",
        (
            "{person} lives in {place} with two cats.",
            "{person} resides in {place} with two cats.",
            "{person} is living in {place} with two cats.",
            "{person} lives in {place}, with two cats.",
            "{person} and two cats live in {place}.",
        ),
        "{person} no longer lives in {place} with two cats.",
    ),
    Frame(
        "fact",
        "service",
        (
            "The {part} service of {project} listens on port {port}.",
            "{project}'s {part} service listens on port {port}.",
            "The {part} service of {project} is listening on port {port} now.",
            "Note: the {part} service of {project} listens on port {port}.",
            "On port {port}, the {part} service of {project} listens.",
        ),
        "The {part} service of {project} does not listen on port {port}.",
    ),
    Frame(
        "decision",
        "storage",
        (
            "We decided to use {tool} for the sessions of {project}.",
            "We chose to use {tool} for the sessions of {project}.",
            "For the sessions of {project}, we decided to use {tool}.",
            "We decided on {tool} for the sessions of {project}.",
            "We decided to use {tool} for all the sessions of {project}.",
        ),
        "We decided not to use {tool} for the sessions of {project}.",
    ),
    Frame(
        "fact",
        "schedule",
        (
            "The weekly review of {project} is on {day} at {hour}.",
            "{project}'s weekly review is on {day} at {hour}.",
            "The weekly review of {project} takes place on {day} at {hour}.",
            "On {day} at {hour} is the weekly review of {project}.",
            "Weekly review of {project}: {day}, {hour}.",
        ),
    ),
    Frame(
        "fact",
        "deadline",
        (
            "The contract with {project} ends on {date}.",
            "The contract with {project} ends {date}.",
            "Reminder: the contract with {project} ends on {date}.",
            "The contract with {project} expires on {date}.",
            "On {date} the contract with {project} ends.",
        ),
        "The contract with {project} does not end on {date}.",
    ),
    Frame(
        "constraint",
        "limits",
        (
            "Uploads to {project} may have at most {number} megabytes.",
            "Uploads to {project} may have {number} megabytes at most.",
            "At most {number} megabytes may an upload to {project} have.",
            "Uploads to {project} may really have at most {number} megabytes.",
            "Uploads to {project} are limited to {number} megabytes.",
        ),
    ),
    Frame(
        "solution",
        "faults",
        (
            "A {fault} failure of the {part} job goes away after restarting {tool}.",
            "The {fault} failure of the {part} job goes away after restarting {tool}.",
            "A {fault} error of the {part} job goes away after restarting {tool}.",
            "A {fault} failure of the {part} job goes away after a restart of {tool}.",
            "After restarting {tool}, a {fault} failure of the {part} job goes away.",
        ),
        "A {fault} failure of the {part} job does not go away after restarting {tool}.",
    ),
    Frame(
        "preference",
        "sport",
        (
            "{person} likes {sport} with friends on {day} evenings.",
            "{person} enjoys {sport} with friends on {day} evenings.",
            "On {day} evenings, {person} likes {sport} with friends.",
            "{person} really likes {sport} with friends on {day} evenings.",
            "{person} likes {sport} on {day} evenings with friends.",
        ),
        "{person} dislikes {sport} with friends on {day} evenings.",
    ),
    Frame(
        "procedure",
        "release",
        (
            "Before a release of {project}, run the {part} tests against {tool}.",
            "Run the {part} tests against {tool} before a release of {project}.",
            "Before any release of {project}, run the {part} tests against {tool}.",
            "Before a release of {project}, please run the {part} tests against {tool}.",
            "Before a release of {project}, the {part} tests are run against {tool}.",
        ),
        "Before a release of {project}, never run the {part} tests against {tool}.",
    ),
    Frame(
        "fact",
        "people",
        (
            "{person} leads the {project} team from the {place} office.",
            "The {project} team is led by {person} from the {place} office.",
            "{person} leads the team of {project} from the {place} office.",
            "From the {place} office, {person} leads the {project} team.",
            "{person} currently leads the {project} team from the {place} office.",
        ),
        "{person} never leads the {project} team from the {place} office.",
    ),
    Frame(
        "definition",
        "terms",
        (
            "In {project}, a cold start means no request for {number} minutes.",
            "A cold start in {project} means no request for {number} minutes.",
            "In {project}, a cold start means that there was no request for {number} minutes.",
            "In {project} a cold start is no request for {number} minutes.",
            "Cold start, in {project}: no request for {number} minutes.",
        ),
    ),
    Frame(
        "fact",
        "gifts",
        (
            "{person} bought a {colour} bicycle in {place}.",
            "{person} purchased a {colour} bicycle in {place}.",
            "In {place}, {person} bought a {colour} bicycle.",
            "{person} bought a {colour} bike in {place}.",
            "{person} bought a {colour} bicycle in {place} for the summer.",
        ),
        "{person} did not buy a {colour} bicycle in {place}.",
    ),
    Frame(
        "fact",
        "backups",
        (
            "Backups of {project} are kept for {number} days on {tool}.",
            "Backups of {project} are retained for {number} days on {tool}.",
            "On {tool}, backups of {project} are kept for {number} days.",
            "{project}'s backups are kept for {number} days on {tool}.",
            "The backups of {project} are kept on {tool} for {number} days.",
        ),
        "Backups of {project} are not kept for {number} days on {tool}.",
    ),
    Frame(
        "pattern",
        "calls",
        (
            "{part} calls go from {tool} to {project}.",
            "{part} calls go from {tool} over to {project}.",
            "All {part} calls go from {tool} to {project}.",
            "{part} calls always go from {tool} to {project}.",
            "{part} calls: they go from {tool} to {project}.",
        ),
        swapped="{part} calls go from {project} to {tool}.",
    ),
    Frame(
        "fact",
        "famille",
        (
            "{person} habite à {place} depuis {number} ans.",
            "{person} habite maintenant à {place} depuis {number} ans.",
            "Depuis {number} ans, {person} habite à {place}.",
            "{person} vit à {place} depuis {number} ans.",
        ),
        "{person} n'habite pas à {place} depuis {number} ans.",
    ),
    Frame(
        "fact",
        "работа",
        (
            "{person} работает над проектом {project} с {date}.",
            "{person} уже работает над проектом {project} с {date}.",
            "С {date} {person} работает над проектом {project}.",
            "{person} работает с {date} над проектом {project}.",
        ),
        "{person} не работает над проектом {project} с {date}.",
    ),
    Frame(
        "fact",
        "会议",
        (
            "{project}项目的会议在{number}号房间举行。",
            "{project}项目的会议都在{number}号房间举行。",
            "{project}项目的会议现在在{number}号房间举行。",
            "会议室：{project}项目的会议在{number}号房间举行。",
        ),
        "{project}项目的会议不在{number}号房间举行。",
    ),
)
_SCOPES: Final = ("user:ana", "project:apollo", "project:hermes", "global")
#: Of all statements: those that come again in other words, and those with a near-duplicate of each kind.
_REPEATED: Final = 0.3
_VARIED: Final = 0.3
_ASIDE: Final = ("notes", "misc", "later")
_TALK: Final = (
    "Can you look at the {part} job again? It was slow since {hour}.",
    "I am on the train to {place}, back at {hour}.",
    "Thanks, that helps with {project}.",
    "What did {person} say about the {tool} upgrade?",
    "Let us go through the {part} list after lunch.",
    "The weather in {place} is awful today.",
    "I wonder whether {tool} would be faster than what we have.",
    "Could you draft a mail to {person} for me?",
    "{person} called, something about the {colour} folder.",
    "Here is the summary of the {project} thread you asked for.",
)


@dataclass(frozen=True, slots=True)
class Note:
    """One note.

    Attributes:
        meaning: What it says; notes with equal meanings are duplicates.
        group: Statement that it is a wording or a variant of; near-duplicates share it.
        kind: How it differs from the statement: `same`, `number`, `date`, `name`, `negation`, `word` or `order`.
        at_day: In [0, days).
    """

    text: str
    type: str
    tags: tuple[str, ...]
    scope: str
    meaning: str
    group: int
    kind: str
    at_day: float


@dataclass(frozen=True, slots=True)
class World:
    """Notes and turns in the order in which they come.

    Attributes:
        turns: Text of each turn and its day, in [0, days).
    """

    notes: tuple[Note, ...]
    turns: tuple[tuple[str, float], ...]


def make(notes: int, turns: int, days: int, seed: int) -> World:
    """A world of about so many notes and exactly so many turns."""
    drawn = random.Random(seed)
    found: list[Note] = []
    taken: set[str] = set()
    group = 0
    while len(found) < notes:
        group += 1
        found += _statement(drawn, group, days, taken)
    said = [
        (
            drawn.choice(_TALK).format_map(
                {name: drawn.choice(values) for name, (_, values) in _SLOTS.items()}
            ),
            day,
        )
        for day in sorted(drawn.uniform(0, days) for _ in range(turns))
    ]
    return World(tuple(sorted(found, key=lambda note: note.at_day)), tuple(said))


def _statement(drawn: random.Random, group: int, days: int, taken: set[str]) -> list[Note]:
    """A statement with its repetitions and near-duplicates; none if it was made before."""
    number = drawn.randrange(len(FRAMES))
    frame = FRAMES[number]
    filled = {name: drawn.choice(_SLOTS[name][1]) for name in frame.slots}
    scope = drawn.choice(_SCOPES)
    subject = f"{scope} {number} {[filled[name] for name in _SUBJECTS if name in filled]}"
    if subject in taken:
        return []
    taken.add(subject)
    wordings = drawn.sample(frame.wordings, len(frame.wordings))
    said: list[tuple[str, Mapping[str, str], str]] = [(wordings[0], filled, "same")]
    if drawn.random() < _REPEATED:
        said += [(wording, filled, "same") for wording in wordings[1 : drawn.randint(2, len(wordings))]]
    if drawn.random() < _VARIED:
        said.append(_variant(drawn, frame, wordings[0], filled))
    found: list[Note] = []
    for wording, values, kind in said:
        meaning = f"{scope} {number} {sorted(values.items())} {kind if kind in {'negation', 'order'} else ''}"
        text = wording.format_map(values)
        if f"{scope} {text}" in taken:
            continue
        taken.add(f"{scope} {text}")
        tags = (drawn.choice(_ASIDE), frame.tag) if drawn.random() < 0.1 else (frame.tag,)
        found.append(Note(text, frame.type, tags, scope, meaning, group, kind, drawn.uniform(0, days)))
    return found


def _variant(
    drawn: random.Random, frame: Frame, wording: str, filled: Mapping[str, str]
) -> tuple[str, Mapping[str, str], str]:
    """A near-duplicate: denied, with the parts exchanged, or with another value in one slot."""
    choices = [*frame.slots, *(["denied"] if frame.denied else []), *(["swapped"] if frame.swapped else [])]
    chosen = drawn.choice(choices)
    if chosen == "denied":
        return frame.denied, filled, "negation"
    if chosen == "swapped":
        return frame.swapped, filled, "order"
    kind, values = _SLOTS[chosen]
    other = drawn.choice([value for value in values if value != filled[chosen]])
    return wording, {**filled, chosen: other}, kind
