"""From annotated episodes to what the memory holds of them."""

from collections.abc import Iterator, Sequence
from typing import Final

from rescue_agent.corpus.moves import supporter_move
from rescue_agent.decisions import RecalledMoment, RecalledRow
from rescue_agent.embedding import Embedder
from rescue_agent.engines.embedded.features import recall_vector
from rescue_agent.engines.embedded.phrases import about_name
from rescue_agent.engines.embedded.reading import embed_utterances
from rescue_agent.memory.episodes import Stored
from rescue_agent.moment import Moment, Utterance
from rescue_agent.schema import Episode, Row
from rescue_agent.taxonomy import GROUP_LABEL

_SHOWN_ROWS: Final = 4


def remember(episodes: Sequence[Episode], embedder: Embedder) -> Iterator[Stored]:
    """Yield every moment before a supporter's turn, and every participant's row."""
    for episode in episodes:
        utterances = [Utterance.of(row) for row in episode.rows]
        names = Moment.at(episode, len(episode.rows), with_current=False).participants
        vectors = embed_utterances(embedder, utterances, names)
        for i, row in enumerate(episode.rows):
            if row.by_supporter:
                if i > 0:
                    yield Stored(episode.group, episode.scenario, recall_vector(vectors[:i]), _moment(episode, i))
            else:
                yield Stored(episode.group, episode.scenario, vectors[i], _row(episode, i, names))


def _moment(episode: Episode, i: int) -> RecalledMoment:
    row = episode.rows[i]
    move = supporter_move(episode, row)
    shown = episode.rows[max(0, i - _SHOWN_ROWS) : i]
    return RecalledMoment(
        sample_id=episode.sample_id,
        row_index=row.row_index,
        distance=0.0,
        pattern=row.relation_cycle_state,
        strategy=move[0] if move else "",
        target_role=target_role(move[1] if move else "", [r.primary_speaker for r in episode.rows[:i] if not r.by_supporter]),
        text="\n".join(f"{r.primary_speaker}: {r.dialogue_cleaned}" for r in shown),
        reply=row.dialogue_cleaned,
    )


def target_role(target: str, speakers: Sequence[str]) -> str:
    """How a target stands in the conversation: group, last_speaker, other_speaker or silent; empty without a target.

    Args:
        speakers: the participants who have spoken, one for each of their rows, oldest first.
    """
    if not target:
        return ""
    if target in GROUP_LABEL.values():
        return "group"
    return "last_speaker" if speakers and speakers[-1] == target else "other_speaker" if target in speakers else "silent"


def _row(episode: Episode, i: int, names: Sequence[str]) -> RecalledRow:
    row = episode.rows[i]
    emotion = next((e for e in row.internal_emotion if e.person == row.primary_speaker), None)
    view = next((about_name(v, names) for v in row.viewpoints_attitudes if v.source == row.primary_speaker and about_name(v, names)), None)
    return RecalledRow(
        sample_id=episode.sample_id,
        row_index=row.row_index,
        distance=0.0,
        emotion=emotion.emotion_description if emotion else "",
        intensity=emotion.intensity if emotion else None,
        viewpoint=view.text if view else "",
        attitude=view.extra if view else "",
        supporter_next=_supporter_next(episode.rows, i),
    )


def _supporter_next(rows: Sequence[Row], i: int) -> bool:
    return i + 1 < len(rows) and rows[i + 1].by_supporter
