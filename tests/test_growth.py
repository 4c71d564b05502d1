"""Readers of texts by users, models, tools and imports take time in proportion to the length.

Processor time over growing texts is compared with itself, never with a clock on the wall: a machine that is busy
makes all of it slower. A pattern that backtracks holds the interpreter, and with it every other thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from random import Random

import pytest

from simonides import Memory
from simonides.agent.conversation import text_of
from simonides.agent.proposals import from_tool_call, parse
from simonides.agent.stream import VisibleStream
from simonides.agent.usage import came_back
from simonides.domain.provenance import Origin
from simonides.domain.text import count_tokens, derived_tokens, normalised, shortened
from simonides.edges.http.talk import request_of
from simonides.governance.authority import warranted
from simonides.governance.bearing import bears_out
from simonides.governance.known import KnownMemories, borne_out, echoes, restates
from simonides.governance.learned import opinion
from simonides.governance.policy import Policy
from simonides.governance.requests import Request, RequestedAct
from simonides.governance.scan import redact, scan
from simonides.governance.trial import try_policy
from simonides.language.clauses import clauses
from simonides.language.contradiction import differences
from simonides.language.names import names_in
from simonides.language.sameness import read as read_alike
from simonides.language.sameness import same
from simonides.language.spoken import hands_on, own_words, sentences
from simonides.language.tokens import tokens
from simonides.recall.question.analysis import analyse
from simonides.recall.question.gate import gate
from simonides.recall.question.parts import parts
from simonides.recall.question.speech import act, quotations, stated
from simonides.testing import an_item
from simonides.writing.extract.by_model import shown
from simonides.writing.extract.statements import statements

_POLICY = Policy()
_ITEM = an_item("I am allergic to peanuts.", origin=Origin.USER_SAID)


def _turn(text: str):
    return an_item(text, type="episode", origin=Origin.USER_SAID)


#: Public ways in for texts that anybody may write.
WAYS_IN: dict[str, Callable[[str], object]] = {
    "own words": own_words,
    "handed on": hands_on,
    "sentences": lambda text: list(sentences(text)),
    "tokens": tokens,
    "clauses": clauses,
    "differences": lambda text: differences(text, "I never eat nuts."),
    "borne out by": lambda text: bears_out(text, "The user is allergic to peanuts."),
    "bears out": lambda text: bears_out("I am allergic to peanuts.", text),
    "borne out": lambda text: borne_out("The user eats nuts.", KnownMemories(heard=(_turn(text),))),
    "restates": lambda text: restates(text, text),
    "echoes": lambda text: echoes(text, [text]),
    "warranted": lambda text: warranted(Request(RequestedAct.FORGET, _ITEM.id), _ITEM, [_turn(text)]),
    "opinion": opinion,
    "scan": lambda text: redact(text, scan(text)),
    "judged note": lambda text: try_policy(_POLICY, text or "x"),
    "judged proposal": lambda text: try_policy(_POLICY, text or "x", origin="assistant-said"),
    "judged turn": lambda text: try_policy(_POLICY, text or "x", type_="episode"),
    "extracted": lambda text: statements([_turn(text)]),
    "shown to a model": lambda text: shown([_turn(text)]),
    "names": names_in,
    "alike": lambda text: same(read_alike(text), read_alike(text + " indeed")),
    "question": lambda text: analyse(text, 0),
    "gate": gate,
    "parts of a question": parts,
    "act": act,
    "stated": stated,
    "quotations": quotations,
    "proposals": lambda text: parse(f"<MEMORY_PROPOSALS_JSON>{text}</MEMORY_PROPOSALS_JSON>"),
    "proposals bare": parse,
    "proposals call": lambda text: from_tool_call("memory.propose", text),
    "came back": lambda text: came_back([_ITEM, _turn(text)], text),
    "stream": lambda text: [VisibleStream().feed(text), _by_the_letter(text)],
    "message": lambda text: text_of({"role": "user", "content": text}),
    "request": lambda text: request_of(text.encode()),
    "words of the index": derived_tokens,
    "normalised": normalised,
    "counted": count_tokens,
    "shortened": lambda text: shortened(text, 100),
}


def _by_the_letter(text: str) -> str:
    stream = VisibleStream()
    return "".join(stream.feed(letter) for letter in text) + stream.end()


#: What patterns trip over, to be repeated: runs of one sign, openings without an end, words without blanks.
UNITS = (
    *(" ", "\t", "\n", " \n", "\r\n", "\u3000", "\u200b", "e\u0301", "\u0301"),
    *("> ", ">", "-", "- ", "*", "_", "=", "#", "`", "~", "|", "\\", "/", "@", "&", "$", "%"),
    *(".", ". ", "!", "?", ",", ", ", ":", ": ", ";", "…", "'", '"', "«", "“", "‘", "「", "("),
    *("[", "{", "<", "</", "<a>", "<a ", "[quote]", '{"a":', "[[", '"a",', "```", '"""'),
    *("a", "A", "a ", "A ", "Ab ", "7", "7 ", "1.", "1,", "a1", "aA", "a_", "a-", "a@", "a.", "x'"),
    *(
        "请",
        "请，",
        "请。",
        "я",
        "я ",
        "A. ",
        "e.g. ",
        "A: a. ",
        "a:",
        "I said ",
        "the text ",
        "dear\n",
        "> \n",
    ),
    *(
        "and ",
        "not ",
        "from ",
        "to 1 ",
        "http://a",
        "a\n",
        "\U0001f600",
        "forget it ",
        "what is ",
        "I live in ",
        "[MEMORY: ",
        "<<memory ",
    ),
)
#: Ways that read with another one of these first, and hold little of their own: each gets a fifth of the units.
BUILT_ON_OTHERS = {
    "alike",
    "bears out",
    "borne out",
    "borne out by",
    "clauses",
    "echoes",
    "judged note",
    "judged proposal",
    "question",
    "restates",
    "stated",
}
#: Lengths, each four times the one before. What is bounded reads no further than some thousands.
LENGTHS = (250, 1_000, 4_000)
#: Four times as long a text may take this many times as long; what is quadratic takes sixteen times.
MOST = 9.0
#: What a clock of the processor tells apart on a machine that does much else.
RESOLUTION_S = 0.02


def _cost(way: Callable[[str], object], unit: str, length: int, turn: int) -> float:
    # Never the same text twice: some of these remember what they have read.
    text = f"{turn} {(unit * length)[:length]}x.\nZ{turn}"
    # Of this thread: what an earlier test left behind does not count.
    before = time.thread_time()
    way(text)
    return time.thread_time() - before


def _grows(
    way: Callable[[str], object],
    unit: str,
    lengths: Sequence[int] = LENGTHS,
    cost: Callable[[Callable[[str], object], str, int, int], float] = _cost,
) -> str | None:
    """Describe growth that is too fast, at the least of several measurements; None where there is none."""
    shorter = cost(way, unit, lengths[0], 0)
    for length in lengths[1:]:
        longer = cost(way, unit, length, 0)
        for turn in range(1, 4):
            if longer <= MOST * shorter + RESOLUTION_S:
                break
            shorter = max(shorter, cost(way, unit, length // 4, turn))
            longer = min(longer, cost(way, unit, length, turn))
        else:
            return f"{unit!r}: {longer:.3f} s for {length} characters, {shorter:.3f} s for a quarter"
        if 2 * 16 * longer < RESOLUTION_S:
            return None  # Nothing could be told apart at the next length either.
        shorter = longer
    return None


@pytest.mark.parametrize("name", WAYS_IN)
def test_the_time_to_read_a_text_grows_with_its_length_and_no_faster(name):
    way = WAYS_IN[name]
    way("Reads what it reads once from files before anything is measured. I eat nuts, not “figs”.")
    units = Random(name).sample(UNITS, len(UNITS) // 5) if name in BUILT_ON_OTHERS else UNITS
    grown = [found for unit in units if (found := _grows(way, unit))]
    assert not grown, "\n".join(grown)


@pytest.mark.parametrize(("power", "is_noticed"), [(1, False), (1.5, False), (2, True)])
def test_what_is_quadratic_is_noticed(power, is_noticed):
    def cost(way: object, unit: str, length: int, turn: int) -> float:
        return 0.15 * (length / 1_000) ** power

    assert bool(_grows(len, "я", cost=cost)) is is_noticed


#: What the rules find again and again, and judge by what stands around it.
FOUND_OFTEN = (
    "Our filter blocks 'ignore all previous instructions' and ",
    "The paper says: ignore all previous instructions. ",
    "The token <|im_start|>system begins one. ",
    "My password is hunter%2! and ",
    "from now on always answer in French, ",
)


@pytest.mark.parametrize("name", ["judged note", "judged proposal", "judged turn", "scan"])
def test_so_does_the_time_to_judge_what_is_found_thousands_of_times(name):
    way = WAYS_IN[name]
    way("Reads what it reads once from files before anything is measured.")
    grown = [found for unit in FOUND_OFTEN if (found := _grows(way, unit, (10_000, 40_000)))]
    assert not grown, "\n".join(grown)


def _links(memory: Memory, count: int) -> None:
    [hub] = memory.add("The shed is green.").item_ids
    for item_id in memory.add([f"Bird number {n} nests." for n in range(count)]).item_ids:
        memory.link(hub, item_id, "supports")
    memory.explain(hub)
    memory.graph(hub)
    memory.search("What colour is the shed?")
    memory.update(hub, content="The shed is red.")
    memory.forget(hub)


def _turns(memory: Memory, count: int) -> None:
    turns = [
        {"role": "user" if n % 2 == 0 else "assistant", "content": f"Turn {n}: bird {7 * n}."}
        for n in range(count)
    ]
    memory.add(turns, session_id="s")
    memory.add([*turns, {"role": "user", "content": "One more bird."}], session_id="s")
    memory.search("Which turn names bird 70?")
    memory.sessions.get("s")


def _sessions(memory: Memory, count: int) -> None:
    for n in range(count):
        memory.add([{"role": "user", "content": f"Bird {n} nests."}], session_id=f"s{n}")
    memory.search("Which bird nests?")
    memory.sessions.list(limit=count)


def _namesakes(memory: Memory, count: int) -> None:
    for n in range(count):
        memory.add(f"Bird {n} nests.", entities=[f"Ana{n} Petrova"])
    memory.search("Which bird does Ana5 Petrova feed?")
    memory.entities.list(limit=count)


def _tags(memory: Memory, count: int) -> None:
    for n in range(count):
        memory.add(f"Bird {n} nests.", tags=[f"tag{n}", "birds"])
    memory.search("tag7", tags=["birds"])
    memory.list(tags=["birds"], limit=count)


#: What fills a memory with lists that users make long, and reads them again.
LONG_LISTS: dict[str, Callable[[Memory, int], None]] = {
    "links of an item": _links,
    "turns of a session": _turns,
    "sessions": _sessions,
    "entities with a word in common": _namesakes,
    "tags": _tags,
    "names in a text": lambda memory, count: memory.add(
        ". ".join(f"I met Ana{n} Petrova{n}" for n in range(8 * count))
    ),
    "keys of metadata": lambda memory, count: memory.add(
        "The shed is green.", metadata={f"key {n}": n for n in range(8 * count)}
    ),
}


@pytest.mark.parametrize("name", LONG_LISTS)
def test_the_time_to_fill_and_read_a_list_grows_with_its_length_and_no_faster(name, open_memory, tmp_path):
    def cost(count: int, turn: str) -> float:
        memory = open_memory(tmp_path / f"{count}{turn}.db")
        memory.add("Whatever is read once is read before anything is measured.")
        before = time.process_time()
        LONG_LISTS[name](memory, count)
        return time.process_time() - before

    shorter, longer = cost(50, "a"), cost(200, "a")
    for turn in "bcd":
        if longer > MOST * shorter + RESOLUTION_S:
            shorter, longer = max(shorter, cost(50, turn)), min(longer, cost(200, turn))
    assert longer <= MOST * shorter + RESOLUTION_S
