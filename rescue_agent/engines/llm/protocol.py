"""What a language model is here: something that answers a request, piece by piece.

A model is one method, a generator: it yields the pieces of text as they come and returns the whole completion. Wrappers (cache, budget,
retry, limits) are models around a model: `completion = yield from inner.ask(request)`.
"""

import json
from collections.abc import Generator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Literal, Protocol

from pydantic import JsonValue

Role = Literal["system", "user", "assistant"]
Finish = Literal["stop", "length", "content_filter", "refusal"]


@dataclass(frozen=True)
class Message:
    """One message. `content` is text, or a list of content parts (text, image, audio) as OpenAI's API has them."""

    role: Role
    content: JsonValue


@dataclass(frozen=True)
class Request:
    """One question.

    Attributes:
        purpose: the prompt's id; usage is counted by it.
        schema: JSON schema of the answer; None for plain text.
        prompt_sha256: hash of the prompt file, so that a changed prompt is another request.
        max_tokens: upper bound of the answer.
        stream: whether pieces are wanted as they come.
        seconds: what is left of the time for an answer; None for the model's own bound.
    """

    purpose: str
    messages: tuple[Message, ...]
    schema: dict[str, JsonValue] | None = None
    prompt_sha256: str = ""
    max_tokens: int = 900
    temperature: float = 0.0
    stream: bool = False
    seconds: float | None = None

    def key(self, identity: str) -> str:
        """Hash of everything that the answer of the model `identity` may depend on."""
        shown = [identity, [[m.role, m.content] for m in self.messages], self.schema, self.prompt_sha256, self.max_tokens, self.temperature]
        return sha256(json.dumps(shown, sort_keys=True, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class Completion:
    """An answer, and the tokens that it cost (0 where the server doesn't say)."""

    text: str
    finish: Finish = "stop"
    input_tokens: int = 0
    output_tokens: int = 0


class ChatModel(Protocol):
    """A language model.

    Attributes:
        identity: endpoint and model name.
    """

    @property
    def identity(self) -> str:
        """Endpoint and model name: part of every cache key and of every configuration."""
        ...

    def ask(self, request: Request) -> Generator[str, None, Completion]:
        """Yield the answer's pieces, return the completion.

        Raises:
            EndpointError: when no answer comes.
        """
        ...


def whole(answer: Generator[str, None, Completion]) -> Completion:
    """Wait for the completion."""
    while True:
        try:
            next(answer)
        except StopIteration as end:
            completion: Completion = end.value
            return completion


@dataclass
class Usage:
    """What was asked for one purpose. Answers from the cache cost nothing and are counted apart."""

    calls: int = 0
    cached: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    repaired: int = 0
    unparsed: int = 0


@dataclass
class Ledger:
    """Usage by purpose, of one process."""

    entries: dict[str, Usage] = field(default_factory=dict)

    def of(self, purpose: str) -> Usage:
        """The entry of `purpose`."""
        return self.entries.setdefault(purpose, Usage())

    def total(self) -> Usage:
        """All purposes together."""
        names = list(Usage.__dataclass_fields__)
        return Usage(**{name: sum(getattr(entry, name) for entry in self.entries.values()) for name in names})
