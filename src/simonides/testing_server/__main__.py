"""`python -m simonides.testing_server`: a scripted server in a process of its own.

It prints its address in a line of its own and runs until its standard input ends. Its answers have as many words
as the request's `max_tokens`, a piece of a stream each.
"""

from __future__ import annotations

import argparse
import sys

from simonides.testing_server import Asked, Said, ScriptedServer

#: What memory adds before it would make the answer longer.
_REPEATED_CHARS = 80


def main(arguments: list[str]) -> None:
    """Serve as the arguments say."""
    parser = argparse.ArgumentParser(prog="simonides.testing_server")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--words", type=int, default=20, help="in an answer whose request does not say")
    parser.add_argument("--pause-ms", type=float, default=0.0, help="before each piece but the first")
    parser.add_argument("--repeat", action="store_true", help="say the end of what was asked instead")
    options = parser.parse_args(arguments)

    def said(request: Asked) -> Said:
        most = request.json.get("max_tokens")
        if options.repeat:
            return Said(f"You said: {request.text[-_REPEATED_CHARS:]}", pause_s=options.pause_ms / 1000)
        words = most if isinstance(most, int) else options.words
        return Said("word " * words, piece=len("word "), pause_s=options.pause_ms / 1000)

    with ScriptedServer(said, port=options.port) as server:
        print(server.url, flush=True)  # noqa: T201 - what whoever starts it waits for
        sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1:])
