"""The Settings tab without a browser: what it tells, and what it never tells."""

import json

import pytest
from pydantic import SecretStr

from rescue_agent.settings import settings
from rescue_agent.tabs.settings import configured, endpoint_report, set_length
from tests.scripted_server import Script, serving


@pytest.fixture
def endpoint(monkeypatch):
    def use(url):
        monkeypatch.setattr(settings(), "openai_base_url", url)
        monkeypatch.setattr(settings(), "openai_api_key", SecretStr("sk-secret-canary"))
        monkeypatch.setattr(settings(), "model", "small-model")

    return use


def test_it_says_what_runs_here(engine):
    told = dict(configured(engine, "en"))

    assert told["Engine"] == "embedded: on this computer, no key, no network"
    assert told["Language model"] == "none; the embedded engine needs none"


def test_a_key_is_never_shown_nor_what_else_is_secret_in_an_address(engine, endpoint):
    endpoint("https://user:sk-secret-canary@models.example:8000/v1?key=sk-secret-canary")  # pragma: allowlist secret
    told = dict(configured(engine, "en"))

    assert told["Endpoint"] == "models.example:8000"
    assert told["Key"] == "set (never shown)"
    assert "sk-secret-canary" not in str(told)


def test_without_a_model_the_test_says_that_none_is_needed():
    assert "the embedded engine needs none" in endpoint_report("en")
    assert 'role="status"' in endpoint_report("en")


def test_an_endpoint_that_answers(endpoint):
    script = Script(json.dumps({"evidence": "none", "speak": False, "probability": 0.5}))
    with serving(script) as url:
        endpoint(url)
        told = endpoint_report("en")

    assert "The endpoint answers: structured answers by" in told
    assert "sk-secret-canary" not in told


def test_an_endpoint_that_refuses_is_one_line_without_the_key(endpoint):
    with serving(Script(401)) as url:
        endpoint(url)
        told = endpoint_report("en")

    assert "The endpoint doesn&#x27;t work" in told
    assert 'role="alert"' in told
    assert "sk-secret-canary" not in told


def test_the_length_of_replies_is_one_of_two(monkeypatch):
    monkeypatch.setattr(settings(), "reply_length", "normal")
    set_length("endless")
    assert settings().reply_length == "normal"
    set_length("short")
    assert settings().reply_length == "short"
