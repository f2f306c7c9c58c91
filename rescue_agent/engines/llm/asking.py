"""From a prompt and its material to a request, and to the model: constant parts first, so that a server's prefix cache helps."""

import json
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from pydantic import BaseModel, JsonValue

from rescue_agent.engines.llm.media import MediaFolder
from rescue_agent.engines.llm.parse import ask_for
from rescue_agent.engines.llm.protocol import ChatModel, Completion, Ledger, Message, Request
from rescue_agent.moment import Moment
from rescue_agent.prompts import load_prompt

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True)
class Asker:
    """Asks one model, and keeps count in one ledger.

    Attributes:
        media: images and sounds that may go along; None for words alone.
        max_tokens: of one answer.
    """

    model: ChatModel
    ledger: Ledger = field(default_factory=Ledger)
    media: MediaFolder | None = None
    max_tokens: int = 900

    def answer(
        self,
        prompt: str,
        system: str,
        shown: Mapping[str, JsonValue],
        kind: type[T],
        schema: dict[str, JsonValue],
        moment: Moment | None = None,
        check: Callable[[T], T] = lambda answer: answer,
    ) -> T:
        """The model's answer to `prompt` about `shown`.

        Args:
            moment: whose media go along, if any may.
            check: looks at the meaning, and raises ValueError for what the schema can't say.

        Raises:
            EndpointError: when no answer comes.
            UnparsedReply: when none can be read.
        """
        parts = self.media.parts(moment) if self.media and moment else []
        request = Request(prompt, _messages(system, shown, parts), schema, load_prompt(prompt).sha256, self.max_tokens)
        return ask_for(self.model, request, kind, self.ledger, check)

    def pieces(self, prompt: str, system: str, shown: Mapping[str, JsonValue]) -> Iterator[str]:
        """The model's plain answer, streamed. Raises EndpointError."""
        request = Request(
            prompt, _messages(system, shown, []), None, load_prompt(prompt).sha256, max_tokens=self.max_tokens, temperature=0.3, stream=True
        )
        return _without_reasoning(self.model.ask(request))


def _messages(system: str, shown: Mapping[str, JsonValue], parts: list[JsonValue]) -> tuple[Message, ...]:
    text = json.dumps(shown, ensure_ascii=False)
    content: JsonValue = [{"type": "text", "text": text}, *parts] if parts else text
    return Message("system", system), Message("user", content)


def _without_reasoning(pieces: Generator[str, None, Completion]) -> Iterator[str]:
    """The pieces behind a `<think>` block, if the answer begins with one."""
    held, thinking = "", None
    for piece in pieces:
        if thinking is False:
            yield piece
            continue
        held += piece
        if thinking is None and held.lstrip() and not "<think>".startswith(held.lstrip()[:7]):
            thinking = False
            yield held
        elif "</think>" in held:
            thinking, held = False, held.split("</think>", 1)[1].lstrip()
            yield held
    if thinking is None and not held.lstrip().startswith("<think>"):
        yield held
