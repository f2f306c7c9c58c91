"""Replay: a script instead of people. The same turn graph runs over an episode.

`script` follows the episode: after every participant's row the agent decides, beside what the human supporter did, and the script
goes on. `agent` leaves the human supporter's rows out: what the agent says takes their place.
"""

from collections.abc import Callable, Iterator
from typing import Literal, cast

from graphs.record import DecisionRecord, HumanEntry, human_after, record_of
from graphs.state import RECENT_REPLIES, SupportContext, SupportInput, SupportState
from graphs.support import graph, observe
from rescue_agent.decisions import RelationState
from rescue_agent.engines.protocol import Engine
from rescue_agent.moment import Mode, Moment, Utterance
from rescue_agent.schema import Episode
from rescue_agent.taxonomy import SUPPORTER

Follow = Literal["script", "agent"]


def replay(episode: Episode, engine: Engine, *, follow: Follow = "script", mode: Mode = Mode.DIALOGUE) -> Iterator[DecisionRecord]:
    """Yield the decision after every participant's row of `episode`.

    The engine's memory leaves out the episode's own group, and no row is shown before its time.
    """
    own = engine.for_group(episode.group)
    return _follow_script(episode, own, mode) if follow == "script" else _follow_agent(episode, own, mode)


def _follow_script(episode: Episode, engine: Engine, mode: Mode) -> Iterator[DecisionRecord]:
    said: tuple[str, ...] = ()
    state: RelationState | None = None
    for position, row in enumerate(episode.rows):
        moment = Moment.at(episode, position, with_current=True, mode=mode, prior=state)
        if row.by_supporter:
            state = engine.follow_relation(moment)
            continue
        turn = run_turn(moment, engine, recent_replies=said)
        state, said = turn["relation"], _remember(said, turn["reply"])
        yield record_of(turn, episode.sample_id, row.row_index, engine.name, human_after(episode, position))


def _follow_agent(episode: Episode, engine: Engine, mode: Mode) -> Iterator[DecisionRecord]:
    heard: tuple[Utterance, ...] = ()
    said: tuple[str, ...] = ()
    state: RelationState | None = None
    paused = False
    for position, row in episode.client_rows():
        known = Moment.at(episode, position, with_current=True, mode=mode)
        turn = run_turn(known.model_copy(update={"context": heard, "prior": state}), engine, recent_replies=said, paused=paused)
        heard, state, paused = (*heard, turn["turn"]), turn["relation"], turn.get("pauses", False)
        if turn["reply"]:
            spoken = Utterance(speaker=SUPPORTER, target=(turn["target"].best,), text=turn["reply"])
            state = engine.follow_relation(known.model_copy(update={"context": heard, "current": spoken, "prior": state}))
            heard, said = (*heard, spoken), _remember(said, turn["reply"])
        yield record_of(turn, episode.sample_id, row.row_index, engine.name, HumanEntry(spoke=False))


def run_turn(
    moment: Moment,
    engine: Engine,
    *,
    recent_replies: tuple[str, ...] = (),
    paused: bool = False,
    streamed: Callable[[str], None] | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> SupportState:
    """Run the turn graph once, for `moment.current`. What the guard kept out of joint work is read all the same, for the record.

    Args:
        streamed: is given the reply so far, whole checked sentences, while it is being written.
        stopped: tells whether somebody stopped the supporter; a reply that is being written is then not said.

    Raises:
        ValueError: when the moment has no current utterance.
    """
    given, context = turn_input(moment, recent_replies, paused), SupportContext(engine=engine, stopped=stopped)
    if streamed is None:
        return whole(cast(SupportState, graph.invoke(given, context=context)), context)
    state: object = given
    for mode, chunk in graph.stream(given, context=context, stream_mode=["custom", "values"]):
        if mode == "values":
            state = chunk
        else:
            streamed(cast(dict[str, str], chunk)["said"])
    return whole(cast(SupportState, state), context)


def whole(state: SupportState, context: SupportContext) -> SupportState:
    """`state` with all six decisions in it, also where the guard took the turn out of joint work."""
    return state if "strategy" in state else observe(state, context)


def turn_input(moment: Moment, recent_replies: tuple[str, ...], paused: bool, *, facilitated: bool = False) -> SupportInput:
    """What the turn graph is given for `moment.current`. Raises ValueError when there is none."""
    if moment.current is None:
        raise ValueError("a turn needs something that was said")
    return SupportInput(
        scenario=moment.scenario,
        participants=list(moment.participants),
        mode=moment.mode,
        window=list(moment.context),
        turn=moment.current,
        prior=moment.prior,
        recent_replies=list(recent_replies),
        paused=paused,
        facilitated=facilitated,
    )


def _remember(said: tuple[str, ...], reply: str) -> tuple[str, ...]:
    return (*said, reply)[-RECENT_REPLIES:] if reply else said
