"""A local model in this process: a GGUF file behind xllamacpp's OpenAI-compatible server, on a free loopback port, with a key."""

import secrets
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from rescue_agent.errors import SettingsError


@dataclass(frozen=True)
class LocalServer:
    """A server that runs as long as this object (and at most as long as the process)."""

    base_url: str
    api_key: SecretStr
    model: str
    handle: Any


@lru_cache(maxsize=1)
def start(gguf: Path, threads: int, context: int) -> LocalServer:
    """Start the model of `gguf`; the same again gives the server that runs.

    Args:
        context: tokens of the context window.

    Raises:
        SettingsError: when the extra is not installed, or the file is no GGUF model.
    """
    _refuse_unusable(gguf)
    try:
        import xllamacpp
    except ImportError:
        raise SettingsError("RESCUE_LOCAL_GGUF: a local model needs the extra: pip install 'rescue-agent[local]'") from None
    key = secrets.token_urlsafe(24)
    parameters = xllamacpp.CommonParams()
    parameters.model.path, parameters.model_alias = str(gguf), {gguf.stem}
    parameters.api_keys, parameters.hostnames, parameters.port = [key], ["127.0.0.1"], 0
    parameters.n_ctx, parameters.n_parallel, parameters.cpuparams.n_threads = context, 1, threads
    parameters.verbosity, parameters.ui = -1, False
    try:
        server = xllamacpp.Server(parameters)
    except RuntimeError as error:
        raise SettingsError(f"RESCUE_LOCAL_GGUF={gguf}: the model does not load ({error})") from None
    return LocalServer(f"{server.listening_address}/v1", SecretStr(key), gguf.stem, server)


def _refuse_unusable(gguf: Path) -> None:
    try:
        with gguf.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        raise SettingsError(f"RESCUE_LOCAL_GGUF={gguf}: {error.strerror}; give the path of a GGUF file") from None
    if magic != b"GGUF":
        raise SettingsError(f"RESCUE_LOCAL_GGUF={gguf}: not a GGUF file")
