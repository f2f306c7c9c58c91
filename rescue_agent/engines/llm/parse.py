"""The one way from a model's text to an answer: strip reasoning, unfence, first balanced JSON object, validate, ask once more."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from typing import Final, TypeVar

from pydantic import BaseModel, JsonValue, ValidationError

from rescue_agent.engines.llm.protocol import ChatModel, Completion, Ledger, Message, Request, whole
from rescue_agent.errors import UnparsedReply

T = TypeVar("T", bound=BaseModel)
_LONGEST: Final = 200_000
_TRIED: Final = 100
_QUOTED: Final = 4_000


class _Unreadable(ValueError):
    """Why a text is no answer, in words that a model can mend it by."""


def read_object(text: str) -> dict[str, JsonValue]:
    """The first JSON object in `text`, behind any reasoning (a lone `</think>` too) and out of any fence.

    Raises:
        ValueError: when there is none.
    """
    answer = text[-_LONGEST:].rsplit("</think>", 1)[-1]
    decoder = json.JSONDecoder()
    for start in islice((match.start() for match in re.finditer(r"\{", answer)), _TRIED):
        try:
            found, _ = decoder.raw_decode(answer, start)
        except json.JSONDecodeError as error:
            if error.pos >= len(answer.rstrip()) or error.msg.startswith("Unterminated string"):
                break  # cut off: what stands inside is no answer
            continue
        except RecursionError:
            continue
        if isinstance(found, dict):
            return found
    raise _Unreadable("it holds no JSON object")


def ask_for(model: ChatModel, request: Request, kind: type[T], ledger: Ledger, check: Callable[[T], T] = lambda answer: answer) -> T:
    """The model's answer as a `kind`. What cannot be read is asked for once more, with what was wrong.

    Args:
        check: looks at the meaning, and raises ValueError for what the schema can't say.

    Raises:
        EndpointError: when no answer comes.
        UnparsedReply: when it was refused, or cannot be read the second time; counted in `ledger`.
    """
    completion = whole(model.ask(request))
    try:
        return _read(completion, kind, check)
    except ValueError as problem:
        if completion.finish in ("refusal", "content_filter"):
            raise _unparsed(ledger, request, str(problem)) from None
        ledger.of(request.purpose).repaired += 1
        again = replace(request, messages=(*request.messages, *_repair(completion.text, problem)), stream=False)
    try:
        return _read(whole(model.ask(again)), kind, check)
    except ValueError as problem:
        raise _unparsed(ledger, request, str(problem)) from None


def _read(completion: Completion, kind: type[T], check: Callable[[T], T]) -> T:
    if completion.finish in ("refusal", "content_filter"):
        raise _Unreadable(f"the model did not answer ({completion.finish})")
    try:
        return check(kind.model_validate(read_object(completion.text)))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the object"
        raise _Unreadable(f"{place}: {first['msg']}") from None
    except ValueError as error:
        cut = " (the answer was cut off: be shorter)" if completion.finish == "length" else ""
        raise _Unreadable(f"{error}{cut}") from None


def _repair(text: str, problem: Exception) -> tuple[Message, Message]:
    shown = text[:_QUOTED] or "(empty)"
    return (
        Message("assistant", shown),
        Message("user", f"That cannot be used: {problem}. Answer again with the JSON object alone, as it was asked for."),
    )


def _unparsed(ledger: Ledger, request: Request, why: str) -> UnparsedReply:
    ledger.of(request.purpose).unparsed += 1
    return UnparsedReply(f"{request.purpose}: {why}")
