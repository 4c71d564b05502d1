"""A language model's server for tests: OpenAI's, Anthropic's and Ollama's protocols, and faults.

    with ScriptedServer(["Hello!", Said("You said so.", fault=Fault.CUT)]) as server:
        client = OpenAI(base_url=f"{server.url}/v1", api_key="any")

It needs the standard library only and listens on this machine only. `python -m simonides.testing_server`
starts one in a process of its own.
"""

from simonides.testing_server.faults import TWELVE, Fault, spoil
from simonides.testing_server.script import Asked, Call, Page, Said
from simonides.testing_server.server import ScriptedServer

__all__ = ["TWELVE", "Asked", "Call", "Fault", "Page", "Said", "ScriptedServer", "spoil"]
