"""STP, support target prediction: whom the supporter addresses next."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from eval.instances import Answer, Instance, Source, Task, TaskName
from rescue_agent.corpus.moves import supporter_move
from rescue_agent.engines.protocol import Engine


def build(source: Source) -> Iterator[Instance]:
    """Supporter rows with a strategy whose target resolves. The paper takes candidates from all rows, later ones too."""
    episode = source.episode
    everybody = tuple(dict.fromkeys(row.primary_speaker for row in episode.rows if not row.by_supporter))
    for i, row in enumerate(episode.rows):
        move = supporter_move(episode, row)
        if move:
            instance = source.instance(TaskName.STP, i, {"label": move[1]}, with_current=False)
            known = instance.moment.candidates
            from_all = tuple(dict.fromkeys((*episode.participants, *everybody, episode.group_label)))
            yield replace(instance, candidates=from_all if source.protocol.is_paper else known)


def ask(engine: Engine, instance: Instance) -> Answer:
    """All candidates, best first."""
    ranking = engine.rank_targets(instance.moment, instance.candidates)
    return {"ranking": [[label, p] for label, p in ranking.ranking], "reason": ranking.reason}


TASK: Final = Task(TaskName.STP, 1, build, ask)
