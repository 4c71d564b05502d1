"""A scripted week of a coding agent through its hooks, and what is in its context when it is asked a week later."""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from benchmarks.report import Table, finish, options_of, progress, result
from benchmarks.timing import percentiles, times_ms
from simonides.domain.scope import Scope
from simonides.domain.text import count_tokens
from simonides.edges.hooks.events import AgentEvent, AgentHooks
from simonides.memory import Memory
from simonides.testing import FrozenClock

_WEEK: Final = Path(__file__).with_name("hooks.toml")
_DAYS, _SESSIONS = 5, 3
#: Prompts of a session in which something is decided, and others.
_PLANTED, _WORK = 4, 16
_FILES: Final = ("billing/parser.py", "web/cart.tsx", "core/events.py", "api/orders.py", "tools/import.py")
_ANSWERS: Final = ("Done.", "I changed it, and the tests pass.", "Understood, I will keep to that.")
_BASE: Final = Scope("user:ana")
#: Every so many work prompts name their file first, as people do.
_FILE_FIRST: Final = 5


class Agent:
    """A coding agent that tells its hooks what happens."""

    def __init__(self, hooks: AgentHooks, folder: str) -> None:
        self._hooks = hooks
        self._folder = folder

    def tell(self, name: str, session: str, **fields: Any) -> str:
        """Context that the agent is given for an event."""
        event = AgentEvent("claude-code", name, {"session_id": session, "cwd": self._folder, **fields})
        answer = self._hooks.answer(event, _BASE)
        return json.loads(answer)["hookSpecificOutput"]["additionalContext"] if answer else ""


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Measure as the options say."""
    options = _options(name, arguments)
    outcome = measure(options.seed, options.calls)
    return finish(outcome, tables(outcome), options)


def measure(seed: int, calls: int) -> dict[str, Any]:
    """Live through the week, ask afterwards, and time calls in processes of their own."""
    week = tomllib.loads(_WEEK.read_text("utf-8"))
    planted: list[dict[str, str]] = week["planted"]
    with tempfile.TemporaryDirectory(prefix="simonides-bench-") as folder:
        (Path(folder) / "apollo" / ".git").mkdir(parents=True)
        project = str(Path(folder) / "apollo")
        path = Path(folder) / "week.db"
        clock = FrozenClock("2026-03-02T09:00:00Z")
        with Memory(path, clock=clock) as memory:
            agent = Agent(AgentHooks(memory), project)
            progress("a week of work")
            given = list(_live(agent, clock, planted, week["work"]["prompts"], seed))
            clock.advance(days=3)
            progress("the questions afterwards")
            start = agent.tell("SessionStart", "next", source="startup")
            beside = [
                agent.tell("UserPromptSubmit", f"asked-{n}", prompt=one["asked"])
                for n, one in enumerate(planted)
            ]
        times = _times(path, project, calls)
    at_start = [one["told"] in start for one in planted]
    at_prompt = [one["told"] in text for one, text in zip(planted, beside, strict=True)]
    found = [first or second for first, second in zip(at_start, at_prompt, strict=True)]
    figures = {
        "found": sum(found) / len(planted),
        "at the start": sum(at_start) / len(planted),
        "beside the prompt": sum(at_prompt) / len(planted),
        "irrelevant beside work": sum(map(bool, given)) / len(given),
        "irrelevant beside questions": sum(
            bool(text) and not answers for text, answers in zip(beside, at_prompt, strict=True)
        )
        / len(planted),
        "start_tokens": count_tokens(start),
        "warm_ms": times,
    }
    sizes = {"planted": len(planted), "work": len(given), "calls": calls}
    return result("hooks", seed=seed, sizes=sizes, figures=figures)


def _live(
    agent: Agent, clock: FrozenClock, planted: list[dict[str, str]], work: list[str], seed: int
) -> Iterator[str]:
    """Texts that the agent is given beside each work prompt of a week in which everything planted is said once."""
    chance = random.Random(seed)
    told = iter(planted)
    for number in range(_DAYS * _SESSIONS):
        session = f"week-{number}"
        agent.tell("SessionStart", session, source="startup")
        kinds = [True] * _PLANTED + [False] * _WORK
        chance.shuffle(kinds)
        for place, decides in enumerate(kinds):
            clock.advance(hours=0.05)
            prompt = next(told)["told"] if decides else _order(chance, work)
            text = agent.tell("UserPromptSubmit", session, prompt=prompt)
            if not decides:
                yield text
            agent.tell("Stop", session, last_assistant_message=chance.choice(_ANSWERS))
            if place == len(kinds) // 2:
                agent.tell("PreCompact", session, trigger="auto")
                agent.tell("SessionStart", session, source="compact")
        agent.tell("SessionEnd", session, reason="other")
        clock.advance(hours=20 if number % _SESSIONS == _SESSIONS - 1 else 1)


def _order(chance: random.Random, work: list[str]) -> str:
    prompt, file = chance.choice(work), chance.choice(_FILES)
    return (
        f"{file}: {prompt}" if chance.randrange(_FILE_FIRST) == 0 else f"{prompt[:-1]} ({file}){prompt[-1]}"
    )


def _times(path: Path, project: str, calls: int) -> dict[str, float]:
    """Milliseconds of a call in a process of its own, the helper being there."""
    if not calls:
        return {}
    with tempfile.TemporaryDirectory(dir="/tmp") as short:
        environment = dict(os.environ) | {"XDG_RUNTIME_DIR": short, "XDG_STATE_HOME": short}
        command = [sys.executable, "-m", "simonides.edges.hooks", "claude-code", "UserPromptSubmit"]

        def call(number: int) -> None:
            event = {
                "session_id": f"t{number}",
                "cwd": project,
                "prompt": "Which API version does the phone call?",
            }
            subprocess.run(  # noqa: S603 - this very interpreter
                [*command, "--db", str(path), "--scope", str(_BASE)],
                input=json.dumps(event).encode(),
                env=environment,
                check=True,
                capture_output=True,
            )

        call(-1)
        found = percentiles(times_ms(call, range(calls)), 50, 95)
        for file in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):
                if short.encode() in file.read_bytes():
                    os.kill(int(file.parent.name), 15)
    return found


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """A result for people."""
    figures, sizes = outcome["figures"], outcome["sizes"]
    shares = [[name, f"{value:.0%}"] for name, value in figures.items() if isinstance(value, float)]
    title = f"{sizes['planted']} decisions and preferences, {sizes['work']} prompts of work"
    rows = [*shares, ["tokens at the start", figures["start_tokens"]]]
    found = [Table(title, ("", ""), rows)]
    if figures["warm_ms"]:
        found.append(
            Table("ms of a warm call", ("", *figures["warm_ms"]), [["call", *figures["warm_ms"].values()]])
        )
    return found


def _options(name: str, arguments: list[str]) -> argparse.Namespace:
    parser = options_of(name, "A scripted week of a coding agent, and what is in its context afterwards.")
    parser.add_argument("--seed", type=int, default=1, help="of the week")
    parser.add_argument(
        "--calls", type=int, default=50, help="of hooks in processes of their own; 0 for none"
    )
    return parser.parse_args(arguments)
