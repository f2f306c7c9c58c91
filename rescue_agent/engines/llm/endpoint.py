"""An OpenAI-compatible server through langchain-openai, and the dialects of such servers.

Servers differ in what they take: `max_completion_tokens` or the older `max_tokens`, a temperature or only the default, `response_format`
with a schema, with `json_object`, or not at all, usage in a stream or not. The first refusal (HTTP 400 or 422 that names the field)
switches the dialect, and it is remembered. `response_format` travels in the body as it is: langchain's own structured output raises
on answers that `parse` can read.
"""

import contextlib
import threading
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, cast

from pydantic import JsonValue, SecretStr

from rescue_agent.engines.llm.answers import without_bounds
from rescue_agent.engines.llm.deadline import bounded_client
from rescue_agent.engines.llm.protocol import Completion, Finish, Message, Request
from rescue_agent.errors import EndpointBusy, EndpointError
from rescue_agent.redaction import redacted

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage
    from langchain_openai import ChatOpenAI
    from openai import APIStatusError, OpenAIError

Format = Literal["bounded_schema", "json_schema", "json_object", "none"]
FORMATS: Final[tuple[Format, ...]] = ("bounded_schema", "json_schema", "json_object", "none")
"""From the strictest down: a schema with lengths and ranges, one without, any JSON object, no promise."""
_REFUSES: Final = (400, 404, 422, 500, 501)
_LEAST_KEY: Final = 6
"""Shorter ones are placeholders of servers that want none."""
_PASSING: Final = (408, 409, 429, 500, 502, 503, 504)


@dataclass(frozen=True)
class Dialect:
    """What a server takes. Starts with everything; each refusal takes something away."""

    format: Format = "bounded_schema"
    completion_tokens: bool = True
    temperature: bool = True
    stream_usage: bool = True

    def without(self, complaint: str, *, structured: bool, streamed: bool) -> "Dialect | None":
        """The dialect after a refusal whose text is `complaint`; None when nothing that it names can be left out."""
        text = complaint.casefold()
        if self.completion_tokens and "max_completion_tokens" in text:
            return replace(self, completion_tokens=False)
        if self.temperature and "temperature" in text:
            return replace(self, temperature=False)
        if streamed and self.stream_usage and ("stream_options" in text or "include_usage" in text):
            return replace(self, stream_usage=False)
        if structured and self.format != "none" and any(word in text for word in ("response_format", "schema", "json", "grammar")):
            return replace(self, format=FORMATS[FORMATS.index(self.format) + 1])
        return None


class Endpoint:
    """A model at a server.

    Args:
        base_url: None for OpenAI's own.
        timeout: seconds after which a request is given up.
    """

    def __init__(self, model: str, base_url: str | None, api_key: SecretStr | None, timeout: float = 30.0) -> None:
        self.model, self.base_url = model, base_url
        self.dialect = Dialect()
        self._key, self._timeout = api_key or SecretStr("none"), timeout
        self._lock = threading.Lock()
        self._http = bounded_client(timeout)

    @property
    def identity(self) -> str:
        """Address and model; a password in the address is left out."""
        return redacted(f"{self.base_url or 'openai'} {self.model}")

    def ask(self, request: Request) -> Generator[str, None, Completion]:
        """One request, in the dialect that the server takes.

        Raises:
            EndpointBusy: for what may pass: too many requests, server errors, timeouts, broken connections.
            EndpointError: for what will not: a wrong key, an unknown model, a refused request.
        """
        while True:
            dialect = self.dialect
            try:
                return (yield from self._once(request, dialect))
            except _Refusal as refusal:
                self._switch(dialect, request, str(refusal))

    def _switch(self, tried: Dialect, request: Request, complaint: str) -> None:
        simpler = tried.without(complaint, structured=request.schema is not None, streamed=request.stream)
        if simpler is None:
            raise EndpointError(f"{self.identity}: {complaint}")
        with self._lock:
            if self.dialect == tried:
                self.dialect = simpler

    def _once(self, request: Request, dialect: Dialect) -> Generator[str, None, Completion]:
        from httpx import HTTPError
        from openai import OpenAIError

        client, messages = self._client(request, dialect), [_as_langchain(m) for m in request.messages]
        try:
            if request.stream:
                return (yield from _streamed(client.stream(messages)))
            completion = _completion(client.invoke(messages))
        except OpenAIError as error:
            raise self._named(error) from error
        except HTTPError as error:  # a stream that broke off, or trickled past its time
            raise EndpointBusy(f"{self.identity}: {self._line(error)}") from error
        except (ValueError, TypeError, AttributeError, KeyError) as error:
            # HTML, null or half a JSON with status 200: the client's parser meets what is no chat completion
            completion = Completion(f"(no chat completion: {self._line(error)})")
        yield completion.text
        return completion

    def _client(self, request: Request, dialect: Dialect) -> "ChatOpenAI":
        from langchain_openai import ChatOpenAI

        body: dict[str, JsonValue] = {}
        if not dialect.completion_tokens:
            body["max_tokens"] = request.max_tokens
        if request.schema is not None and dialect.format != "none":
            body["response_format"] = _response_format(dialect.format, request)
        return ChatOpenAI(
            model=self.model,
            base_url=self.base_url,
            api_key=self._key,
            temperature=request.temperature if dialect.temperature else None,
            max_completion_tokens=request.max_tokens if dialect.completion_tokens else None,
            timeout=self._timeout if request.seconds is None else min(self._timeout, request.seconds),
            http_client=self._http,
            max_retries=0,
            stream_usage=dialect.stream_usage,
            use_responses_api=False,
            extra_body=body or None,
        )

    def _line(self, error: Exception) -> str:
        """The error in one line: some servers quote the key or what they were sent."""
        line = (str(error).splitlines() or [""])[0] or type(error).__name__
        key = self._key.get_secret_value()
        return redacted(line.replace(key, "[...]") if len(key) >= _LEAST_KEY else line)[:300]

    def _named(self, error: "OpenAIError") -> Exception:
        from openai import APIConnectionError, APIStatusError

        if isinstance(error, APIConnectionError):  # timeouts among them
            return EndpointBusy(f"{self.identity}: {self._line(error)}")
        if not isinstance(error, APIStatusError):
            return EndpointBusy(f"{self.identity}: {self._line(error)}")
        if error.status_code in _REFUSES and self.dialect.without(self._line(error), structured=True, streamed=True):
            return _Refusal(self._line(error))
        if error.status_code in _PASSING:
            return EndpointBusy(f"{self.identity}: {self._line(error)}", _retry_after(error))
        return EndpointError(f"{self.identity}: {self._line(error)}")


class _Refusal(Exception):
    """The server names a field of the request that it doesn't take."""


def _response_format(form: Format, request: Request) -> dict[str, JsonValue]:
    if form == "json_object":
        return {"type": "json_object"}
    schema = request.schema if form == "bounded_schema" else without_bounds(request.schema)
    return {"type": "json_schema", "json_schema": {"name": request.purpose, "strict": True, "schema": schema}}


def _as_langchain(message: Message) -> "BaseMessage":
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

    kinds: dict[str, type[BaseMessage]] = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}
    return kinds[message.role](content=cast("str | list[str | dict[str, JsonValue]]", message.content))


def _completion(message: "AIMessage") -> Completion:
    usage = message.usage_metadata
    tokens = (usage["input_tokens"], usage["output_tokens"]) if usage else (0, 0)
    refused = message.additional_kwargs.get("refusal")
    finish = "refusal" if refused else _finish(message.response_metadata.get("finish_reason"))
    return Completion(str(refused or _text(message.content)), finish, *tokens)


def _streamed(chunks: "Iterator[AIMessage]") -> Generator[str, None, Completion]:
    pieces: list[str] = []
    finish: Finish = "stop"
    tokens = (0, 0)
    for chunk in chunks:
        part = _completion(chunk)
        if part.text:
            pieces.append(part.text)
            yield part.text
        finish = part.finish if part.finish != "stop" else finish
        tokens = (max(tokens[0], part.input_tokens), max(tokens[1], part.output_tokens))
    return Completion("".join(pieces), finish, *tokens)


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(part if isinstance(part, str) else str(part.get("text", "")) for part in parts)


def _finish(reason: object) -> Finish:
    return reason if reason in ("length", "content_filter") else "stop"


def _retry_after(error: "APIStatusError") -> float | None:
    """Seconds that the server asks for; None where it doesn't, or asks in a way that can't be read."""
    with contextlib.suppress(ValueError):
        return max(0.0, float(error.response.headers.get("retry-after", "")))
    return None
