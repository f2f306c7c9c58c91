"""The model that the settings name, with its wrappers: cache, budget, retry, limits, endpoint, from the outside in."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from pydantic import SecretStr

from rescue_agent.engines.llm.asking import Asker
from rescue_agent.engines.llm.budget import Allowance, Budget, read_prices
from rescue_agent.engines.llm.cache import Cache
from rescue_agent.engines.llm.endpoint import Endpoint
from rescue_agent.engines.llm.limits import Limits
from rescue_agent.engines.llm.local import start
from rescue_agent.engines.llm.media import MediaFolder
from rescue_agent.engines.llm.protocol import Ledger
from rescue_agent.engines.llm.retry import Retry
from rescue_agent.engines.protocol import Engine
from rescue_agent.errors import SettingsError
from rescue_agent.settings import settings


@dataclass(frozen=True)
class Address:
    """Where a model is: `base_url` None for OpenAI's own."""

    base_url: str | None
    api_key: SecretStr | None
    model: str


def configured_address(model: str | None = None) -> Address:
    """The address by setting: a local GGUF, else OPENAI_BASE_URL with `model` (RESCUE_MODEL when None).

    Raises:
        SettingsError: when there is none.
    """
    known = settings()
    if known.local_gguf and model is None:
        server = start(known.local_gguf, known.local_threads, known.local_context)
        return Address(server.base_url, server.api_key, server.model)
    if not known.openai_base_url and not known.openai_api_key:
        raise SettingsError("no language model: set OPENAI_BASE_URL, OPENAI_API_KEY, or both, or RESCUE_LOCAL_GGUF; see docs/models.md")
    name = model or known.model
    if not name:
        raise SettingsError("no language model: RESCUE_MODEL is to name the one at the endpoint")
    return Address(known.openai_base_url, known.openai_api_key, name)


def host_of(base_url: str | None) -> str:
    """The host and port of an address: a user name, a password or a query in it may be secret."""
    return (urlsplit(base_url).netloc.rpartition("@")[2] or "?") if base_url else "api.openai.com"


def sent_to(engine: Engine) -> str:
    """Where `engine` sends what is said; empty where it stays on this computer."""
    known = settings()
    return "" if engine.deterministic or known.local_gguf else host_of(known.openai_base_url)


def connect(address: Address) -> Asker:
    """Ask the model at `address`, within the limits of the settings."""
    known, ledger = settings(), Ledger()
    endpoint = Endpoint(address.model, address.base_url, address.api_key, known.llm_timeout)
    retrying = Retry(Limits(endpoint, known.llm_concurrency, known.llm_per_minute), known.llm_timeout)
    allowance = Allowance(known.max_calls, known.max_tokens, known.max_money)
    budget = Budget(retrying, address.model, ledger, allowance, read_prices(known.prices))
    cached = Cache(budget, known.private_folder() / "answers.sqlite", ledger, known.llm_cache)
    return Asker(cached, ledger, MediaFolder(known.media_dir) if known.media_dir else None, known.llm_max_tokens)
