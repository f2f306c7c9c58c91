"""The judge's endpoint: any OpenAI-compatible server, one question a request, by the same way as the engines ask."""

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field, JsonValue

from rescue_agent.engines.llm.answers import strict_schema
from rescue_agent.engines.llm.connect import configured_address, connect
from rescue_agent.errors import UnparsedReply
from rescue_agent.prompts import Prompt


def _no_truth_value(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("a number of 1 to 5 is asked for")
    return value


class Grade(BaseModel):
    """What a judge answers."""

    reason: str = ""
    score: Annotated[float, BeforeValidator(_no_truth_value), Field(ge=1, le=5)]


class JudgeEndpoint:
    """A chat model that grades. Its address and key are OPENAI_BASE_URL and OPENAI_API_KEY.

    Raises:
        SettingsError: when neither an address nor a key is set.
    """

    def __init__(self, model: str) -> None:
        self.model = model
        self._asker = connect(configured_address(model))

    @property
    def tokens(self) -> dict[str, int]:
        """Tokens of this process's questions: input and output. What the cache answered costs none."""
        total = self._asker.ledger.total()
        return {"input": total.input_tokens, "output": total.output_tokens}

    def grade(self, rubric: Prompt, material: dict[str, JsonValue]) -> float | None:
        """The grade (1-5) of `material`, which travels as JSON beside the rubric; None when two replies hold none.

        Raises:
            EndpointError: when the endpoint doesn't answer.
        """
        try:
            return self._asker.answer(rubric.name, rubric.text, material, Grade, strict_schema(Grade)).score
        except UnparsedReply:
            return None
