"""The moments at which replies are judged: before every supporter's row with a move, with that move as the plan."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from eval.engines import shipped
from eval.instances import SOUND, Instance, TaskName
from eval.plan import Plan
from rescue_agent.decisions import ReplyPlan
from rescue_agent.engines.protocol import Engine
from rescue_agent.moment import Mode, Moment
from rescue_agent.schema import Episode
from rescue_agent.taxonomy import SUPPORTER

HUMAN: Final = "human"
"""The name under which the annotated supporter's own words take part."""
_RECENT: Final = 3


@dataclass(frozen=True)
class Asked:
    """One moment, what is to be said in it, and what the supporter of the episode said (not seen by any engine)."""

    moment_id: str
    group: str
    moment: Moment
    target: str
    strategy: str
    said: str


Writer = Callable[[Asked], str]


def asked(episodes: Sequence[Episode], limit: int | None = None) -> list[Asked]:
    """The moments of `episodes`, at most `limit` of them, spread over the data."""
    plan = Plan(episodes, [TaskName.SSP], SOUND, Mode.DIALOGUE, 0, limit)
    by_id = {episode.sample_id: episode for episode in episodes}
    return [Asked(i.instance_id, i.group, i.moment, i.target, str(i.gold["label"]), _said(by_id, i)) for i in plan.instances]


def _said(episodes: Mapping[str, Episode], instance: Instance) -> str:
    """The row that follows what the moment shows: in the sound protocol that is everything before it."""
    sample = instance.instance_id.split(":", 1)[1].rsplit(":", 1)[0]
    return episodes[sample].rows[len(instance.moment.context)].dialogue_cleaned


def writer(name: str, episodes: Sequence[Episode]) -> Writer:
    """Who writes under `name`: an engine (as it ships, the group under test out of its memory), or the supporter of the episodes.

    Raises:
        InputError: for an engine that there is none of, or that was trained on a group of `episodes`.
    """
    if name == HUMAN:
        return lambda one: one.said
    contender = shipped(name, episodes)
    return lambda one: _reply(contender.for_group(one.group), one)


def _reply(engine: Engine, one: Asked) -> str:
    """What `engine` says: it reads the moment itself, and is given only whom to address with which move."""
    moment = one.moment
    heard = any(not utterance.by_supporter for utterance in moment.utterances)
    plan = ReplyPlan(
        target=one.target,
        strategy=one.strategy,
        pattern=engine.predict_pattern(moment).best,
        emotions=(engine.recognise_emotion(moment),) if heard else (),
        viewpoints=engine.predict_viewpoints(moment),
        recalled=engine.recall(moment),
        recent_replies=recent_replies(moment),
    )
    return "".join(engine.write_reply(moment, plan)).strip()


def recent_replies(moment: Moment) -> tuple[str, ...]:
    """What the supporter said last."""
    return tuple(u.text for u in moment.utterances if u.speaker == SUPPORTER)[-_RECENT:]


def transcript(moment: Moment, rows: int = 8) -> Iterator[str]:
    """The last `rows` utterances, as a person reads them."""
    for utterance in moment.utterances[-rows:]:
        who = "Supporter" if utterance.by_supporter else utterance.speaker
        yield f"{who} > {', '.join(utterance.target)}: {utterance.text}"
