"""Where the weights of the hybrid pool are kept: one JSON file in the data folder, by model."""

import json
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from rescue_agent.engines.hybrid import PoolWeights
from rescue_agent.errors import InputError
from rescue_agent.files import replacing
from rescue_agent.settings import settings

_TABLE = TypeAdapter(dict[str, PoolWeights])


def weights_file() -> Path:
    """The file."""
    return settings().private_folder() / "pool_weights.json"


def load_weights(identity: str) -> PoolWeights:
    """The weights fitted for the model `identity`; 1/2 everywhere if none were.

    Raises:
        InputError: when the file is broken.
    """
    return _read().get(identity, PoolWeights())


def save_weights(identity: str, weights: PoolWeights) -> None:
    """Keep `weights` for the model `identity`. Raises as `load_weights`."""
    table = {**_read(), identity: weights}
    with replacing(weights_file(), mode=0o600) as file:
        file.write_text(json.dumps({name: w.model_dump() for name, w in sorted(table.items())}, indent=1), encoding="utf-8")


def _read() -> dict[str, PoolWeights]:
    path = weights_file()
    try:
        return _TABLE.validate_json(path.read_bytes()) if path.exists() else {}
    except ValidationError as error:
        raise InputError.at(str(path), f"cannot be read ({error.errors()[0]['msg']})", "run `rescue-agent fit-hybrid` again") from None
