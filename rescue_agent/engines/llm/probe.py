"""What a server supports, found by asking it twice: once for an answer that a schema binds, once for a stream."""

import time
from dataclasses import dataclass

from rescue_agent.engines.llm.answers import InterventionAnswer, strict_schema
from rescue_agent.engines.llm.connect import Address
from rescue_agent.engines.llm.endpoint import Dialect, Endpoint
from rescue_agent.engines.llm.parse import ask_for
from rescue_agent.engines.llm.protocol import Ledger, Message, Request
from rescue_agent.errors import UnparsedReply
from rescue_agent.settings import settings

_QUESTION = Message("user", 'Answer with {"evidence": "none", "speak": false, "probability": 0.5} and nothing else.')


@dataclass(frozen=True)
class Support:
    """What was found.

    Attributes:
        dialect: what the server takes.
        structured: whether an answer of the asked form came, at the latest on the second try.
        pieces: in how many pieces a streamed answer came.
        seconds: both questions together.
    """

    dialect: Dialect
    structured: bool
    pieces: int
    seconds: float

    def __str__(self) -> str:
        takes = [
            f"structured answers by {self.dialect.format}" if self.structured else "no structured answers",
            "max_completion_tokens" if self.dialect.completion_tokens else "max_tokens",
            "temperature" if self.dialect.temperature else "default temperature only",
            f"streaming ({self.pieces} pieces)" if self.pieces > 1 else "no streaming",
        ]
        return f"{', '.join(takes)}; {self.seconds:.1f} s"


def probe(address: Address) -> Support:
    """Ask the server at `address`.

    Raises:
        EndpointError: when it doesn't answer.
    """
    endpoint, started = Endpoint(address.model, address.base_url, address.api_key, settings().llm_timeout), time.monotonic()
    request = Request("probe", (_QUESTION,), strict_schema(InterventionAnswer), max_tokens=settings().llm_max_tokens)
    try:
        ask_for(endpoint, request, InterventionAnswer, Ledger())
        structured = True
    except UnparsedReply:
        structured = False
    pieces = 0
    streamed = endpoint.ask(Request("probe", (Message("user", "Count from 1 to 5."),), max_tokens=settings().llm_max_tokens, stream=True))
    for _ in streamed:
        pieces += 1
    return Support(endpoint.dialect, structured, pieces, time.monotonic() - started)
