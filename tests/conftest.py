"""Real parts, made once a session: the packaged embedder, the shipped heads, an index of the bundled training episodes."""

import os
from pathlib import Path

import pytest

from rescue_agent.settings import settings


@pytest.fixture(scope="session", autouse=True)
def own_data_folder(tmp_path_factory):
    """No test may touch the user's own rooms, index or settings."""
    folder = tmp_path_factory.mktemp("data")
    before = dict(os.environ)
    for name in [name for name in os.environ if name.startswith(("RESCUE_", "OPENAI_"))]:
        del os.environ[name]
    os.environ["RESCUE_DATA_DIR"] = str(folder)
    settings.cache_clear()
    yield Path(folder)
    os.environ.clear()
    os.environ.update(before)
    settings.cache_clear()


@pytest.fixture(scope="session")
def embedder():
    from rescue_agent.embedding import default_embedder

    return default_embedder()


@pytest.fixture(scope="session")
def training_episodes():
    from rescue_agent.corpus.splits import bundled_episodes

    return bundled_episodes("train")


@pytest.fixture(scope="session")
def dev_episodes():
    from rescue_agent.corpus.splits import bundled_episodes

    return bundled_episodes("dev")


@pytest.fixture(scope="session")
def engine(own_data_folder):
    """The embedded engine as a user has it."""
    from rescue_agent.engines.registry import make_engine

    return make_engine("embedded")


@pytest.fixture
def couple():
    """A short invented couple episode with every kind of annotation."""
    from rescue_agent.corpus.screenplay import parse

    return parse(COUPLE)[0]


COUPLE = """=== test_couple/1
scenario: couple
people: Orla, Pavel

Orla > Pavel: You never said the boiler man was coming. I sat in the car for two hours.
  type accusation | tone sharp | feels furious at being forgotten @7 | sees Pavel: he forgets her as soon as she is out of the door ~ bitter
Pavel > Orla: I texted. I'm sure I texted. Whatever, it's fixed now.
  type defense | tone flat | feels cornered @5
Therapist > Couple: The more Orla asks, the shorter Pavel gets, and then Orla asks louder.
  tone even | move track > Couple: names the steps
  cycle pursue_withdraw (1, 2): Orla presses and Pavel closes the matter
Orla > Therapist: I just wanted him to come down to the car.
  type disclosure | tone quieter | feels sad and longing @6 | sees Pavel: he leaves her waiting ~ hurt
Pavel > Orla: I'm sorry. I should have come down.
  type repair | tone low | feels ashamed @5 | sees Orla: she was really waiting for him ~ tender
Therapist > Pavel: Would you tell Orla what kept you upstairs?
  tone warm | move enact > Pavel: has him say it to her
  cycle repair_softening (4, 5): Orla shows the wish, Pavel apologises
Pavel > Orla: I thought you'd be angry, so I hid behind the boiler man.
  type disclosure | feels embarrassed @4
"""
