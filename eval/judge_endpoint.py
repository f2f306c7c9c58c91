"""The judge's endpoint: any OpenAI-compatible server, one question a request."""

import json
import re
import threading
from typing import TYPE_CHECKING, Final

from pydantic import JsonValue, SecretStr

from rescue_agent.errors import EndpointError, SettingsError
from rescue_agent.settings import settings

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage
    from langchain_openai import ChatOpenAI

TIMEOUT: Final = 60.0
_AGAIN: Final = 'Your answer held no JSON object with a "score" of 1 to 5. Answer with {"reason": "...", "score": N} and nothing else.'
_LOWEST, _HIGHEST = 1, 5


class JudgeEndpoint:
    """A chat model that grades. Its address and key are OPENAI_BASE_URL and OPENAI_API_KEY.

    Raises:
        SettingsError: when neither an address nor a key is set.
    """

    def __init__(self, model: str) -> None:
        self.model = model
        self.tokens: dict[str, int] = {"input": 0, "output": 0}
        self._lock = threading.Lock()
        self._temperature: float | None = 0.0
        if not settings().openai_base_url and not settings().openai_api_key:
            raise SettingsError(f"--judge-model {model}: no endpoint; set OPENAI_BASE_URL, OPENAI_API_KEY, or both")

    def grade(self, rubric: str, material: JsonValue) -> float | None:
        """The grade (1-5) of `material`, which travels as JSON beside the rubric; None when two replies hold none.

        Raises:
            EndpointError: when the endpoint doesn't answer.
        """
        messages = [("system", rubric), ("human", json.dumps(material, ensure_ascii=False, sort_keys=True))]
        reply = self._ask(messages)
        score = read_score(reply)
        return score if score is not None else read_score(self._ask([*messages, ("ai", reply), ("human", _AGAIN)]))

    def _ask(self, messages: list[tuple[str, str]]) -> str:
        from openai import BadRequestError, OpenAIError

        try:
            return self._text(self._client().invoke(messages))
        except BadRequestError as error:
            if self._temperature is None or "temperature" not in str(error):
                raise EndpointError(f"judge {self.model}: {_line(error)}") from error
            self._temperature = None  # some servers take the default only; asked without from now on
            return self._ask(messages)
        except (OpenAIError, ValueError, TypeError) as error:  # a reply that is no chat completion raises whatever the parser meets
            raise EndpointError(f"judge {self.model}: {_line(error)}") from error

    def _client(self) -> "ChatOpenAI":
        from langchain_openai import ChatOpenAI

        return ChatOpenAI(
            model=self.model,
            base_url=settings().openai_base_url,
            api_key=settings().openai_api_key or SecretStr("none"),
            temperature=self._temperature,
            timeout=TIMEOUT,
            max_retries=2,
            use_responses_api=False,
        )

    def _text(self, message: "AIMessage") -> str:
        usage = message.usage_metadata
        if usage:
            with self._lock:
                self.tokens["input"] += usage["input_tokens"]
                self.tokens["output"] += usage["output_tokens"]
        return message.content if isinstance(message.content, str) else json.dumps(message.content)


def read_score(reply: str) -> float | None:
    """The `score` of the first JSON object in `reply` that has one; None if it isn't a number of 1 to 5. Reasoning before is left out."""
    text = re.split(r"</think>", reply)[-1]
    decoder = json.JSONDecoder()
    for start in (match.start() for match in re.finditer(r"\{", text)):
        try:
            found, _ = decoder.raw_decode(text, start)
        except (json.JSONDecodeError, RecursionError):
            continue
        if isinstance(found, dict) and "score" in found:
            score = found["score"]
            usable = isinstance(score, (int, float)) and not isinstance(score, bool) and _LOWEST <= score <= _HIGHEST
            return float(score) if usable else None
    return None


def _line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
