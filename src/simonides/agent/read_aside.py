"""A process that reads contexts beside the one that records: `python -m simonides.agent.read_aside`."""

from __future__ import annotations

from contextlib import suppress

from simonides.agent.calls import OPENED, OpenRequest, Reply, WantedRequest, sendable
from simonides.agent.readers import ChatContextRequest
from simonides.child import channel_to_starter
from simonides.config import Mode
from simonides.domain.scope import ALL
from simonides.memory import Memory


def main() -> None:
    """Read contexts for the process that started this one, until its end."""
    channel = channel_to_starter()
    messages = channel.messages()

    def wanted() -> bool:
        channel.send(WantedRequest())
        return next(messages, False)

    opening: OpenRequest = next(messages)
    try:
        memory = Memory(opening.address)
    except Exception as error:  # noqa: BLE001 - it is raised in the other process
        channel.send(Reply(OPENED, error=sendable(error)))
        return
    with memory, suppress(OSError):  # The other process has ended.
        warm = ChatContextRequest("What do we know?", ALL, Mode.HYBRID.value, True, None, frozenset(), False)
        warm.answered(memory, lambda: False)
        channel.send(Reply(OPENED))
        for request in messages:
            try:
                reply = Reply(OPENED, request.answered(memory, wanted))
            except OSError:
                raise
            except Exception as error:  # noqa: BLE001 - it is raised in the other process
                reply = Reply(OPENED, error=sendable(error))
            channel.send(reply)


if __name__ == "__main__":
    main()
