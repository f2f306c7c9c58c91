"""The Replay tab: an episode row by row, the agent's decisions beside what the human supporter did."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal

import gradio as gr

from graphs.record import DecisionRecord, as_decided
from graphs.stepping import DIFFERENCES, Difference, Stepping, differences
from rescue_agent.corpus.rescue import Reading, read_episodes
from rescue_agent.corpus.splits import SPLITS, bundled_episodes
from rescue_agent.engines.protocol import Engine
from rescue_agent.errors import InputError
from rescue_agent.page.status import notice
from rescue_agent.page.stepping import Human, Shown, step
from rescue_agent.page.tab_strings import Language, say
from rescue_agent.schema import Episode
from rescue_agent.tabs.events import QUIET
from rescue_agent.tabs.language import Label, follow, known_language
from rescue_agent.tabs.uploads import read_upload, without_folder
from rescue_agent.tabs.visits import Visits

Place = Literal["first", "previous", "next", "last", "jump"]
PLACES: Final[tuple[Place, ...]] = ("first", "previous", "next", "last", "jump")
SPEEDS: Final = (1.0, 2.0, 4.0, 8.0)
"""Seconds a row, when it plays."""
KEYS: Final = """
const desk = element.closest('.replay-desk');
const buttons = {ArrowLeft: 'replay-previous', ArrowRight: 'replay-next', Home: 'replay-first', End: 'replay-last', d: 'replay-jump'};
element.tabIndex = 0;
desk.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input, textarea, select')) return;
    const button = buttons[event.key] && document.getElementById(buttons[event.key]);
    if (button) { event.preventDefault(); button.click(); }
});
"""


@dataclass
class Visit:
    """What one browser replays: where it is in an episode, and the episodes of the file that it opened."""

    stepping: Stepping
    opened: dict[str, Episode] = field(default_factory=dict)
    position: int = 0
    playing: bool = False


def bundled() -> dict[str, Episode]:
    """The bundled episodes by the line that the list shows, those that no training has seen first."""
    found = [(split, episode) for split in reversed(SPLITS) for episode in bundled_episodes(split)]
    return {f"{e.sample_id} · {e.scenario}, {len(e.rows)} rows ({split})": e for split, e in found}


def opened(reading: Reading, path: Path, language: Language) -> tuple[dict[str, Episode], str]:
    """The episodes of a file by their id, and what is to be said of the reading.

    Raises:
        InputError: when there is nothing to replay in it.
    """
    first = without_folder(reading.rejected[0], path) if reading.rejected else ""
    if not reading.episodes:
        raise InputError(first or say("replay.empty", language, file=path.name))
    episodes = {episode.sample_id: episode for episode in reading.episodes if episode.rows}
    if not episodes:
        raise InputError(say("replay.no_rows", language, file=path.name))
    said = [say("replay.read", language, file=path.name, count=len(episodes))]
    said += [say("replay.mended", language, count=len(reading.mended))] if reading.mended else []
    said += [say("replay.rejected", language, count=len(reading.rejected), first=first)] if first else []
    return episodes, " ".join(said)


def drawn(visit: Visit, language: Language) -> str:
    """The row where a visit is, as HTML."""
    stepping, position = visit.stepping, visit.position
    record = stepping.at(position)
    known = stepping.known
    marks = [bool(differences(known[i])) if i in known else None for i in range(len(stepping.episode.rows))]
    shown = _shown(stepping.episode, position, record) if record else None
    return step(stepping.episode, position, shown, marks, language)


def _shown(episode: Episode, position: int, record: DecisionRecord) -> Shown:
    row, human = episode.rows[position], record.human
    following = episode.rows[position + 1 : position + 2]
    pattern = following[0].relation_cycle_state if following else ""
    felt = next(((e.emotion_description, e.intensity) for e in row.internal_emotion if e.person == row.primary_speaker), None)
    annotated = Human(human.spoke, human.target, human.strategy, human.text, pattern or None, felt)
    return Shown(record.engine, as_decided(record), record.intervene.reason, annotated, differences(record))


def moved(visit: Visit, to: Place, kinds: Sequence[str] = ()) -> bool:
    """Go `to` "first", "previous", "next", "last" or "jump", the next difference of `kinds`; whether there was somewhere to go."""
    before, last = visit.position, len(visit.stepping.episode.rows) - 1
    if to == "jump":
        wanted: tuple[Difference, ...] = tuple(kind for kind in DIFFERENCES if kind in kinds)
        found = visit.stepping.next_difference(before, wanted)
        visit.position = before if found is None else found
    else:
        visit.position = {"first": 0, "previous": max(0, before - 1), "next": min(last, before + 1), "last": last}[to]
    return visit.position != before


class Replays:
    """The visits to the tab. A browser sends a token and a wish; what it sees is worked out and kept here."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.episodes = engine, bundled()
        self.visits: Visits[Visit] = Visits()

    def begin(self, episode: Episode, opened: dict[str, Episode] | None = None) -> tuple[str, Visit]:
        """A new visit: its token, and itself."""
        visit = Visit(Stepping(episode, self.engine), opened or {})
        return self.visits.begin(visit), visit

    def first(self, language: Language) -> str:
        """What the tab shows before anybody did anything; an engine that is paid by the token isn't asked for that."""
        if not self.engine.deterministic:
            return notice(say("replay.begin", language))
        return drawn(Visit(Stepping(next(iter(self.episodes.values())), self.engine)), language)

    def find(self, token: str, chosen: str) -> tuple[str, Visit]:
        """The visit of a token; a new one, with the bundled episode of the name `chosen` or the first, when there is none."""
        if visit := self.visits.find(token):
            return token, visit
        return self.begin(self.episodes.get(chosen) or next(iter(self.episodes.values())))

    def choose(self, token: str, chosen: str, language: str) -> tuple[Any, ...]:
        """Go to the start of another episode."""
        token, visit = self.find(token, chosen)
        episode = visit.opened.get(chosen) or self.episodes.get(chosen) or visit.stepping.episode
        visit.stepping, visit.position, visit.playing = Stepping(episode, self.engine), 0, False
        return token, drawn(visit, known_language(language)), "", *_clock(visit, language)

    def open(self, file: str, language: str) -> tuple[Any, ...]:
        """Replay what somebody uploaded; what cannot be read is one line, and everything else stays."""
        words = known_language(language)
        try:
            found, said = read_upload(file, lambda path: opened(read_episodes(path), path, words), words)
        except InputError as problem:
            return gr.skip(), gr.skip(), notice(str(problem), problem=True), gr.skip(), gr.skip(), gr.skip()
        first = next(iter(found))
        token, visit = self.begin(found[first], found)
        choices = gr.update(choices=[*found, *self.episodes], value=first)
        return token, drawn(visit, words), notice(said), *_clock(visit, language), choices

    def go(self, to: Place, token: str, chosen: str, kinds: list[str], language: str) -> tuple[str, str, str]:
        """Go somewhere in the episode."""
        token, visit = self.find(token, chosen)
        found = moved(visit, to, kinds)
        told = "" if found or to != "jump" else notice(say("replay.no_more", known_language(language)))
        return token, drawn(visit, known_language(language)), told

    def play(self, token: str, chosen: str, language: str) -> tuple[Any, ...]:
        """Start the clock, or stop it."""
        token, visit = self.find(token, chosen)
        visit.playing = not visit.playing
        return token, *_clock(visit, language)

    def tick(self, token: str, chosen: str, language: str) -> tuple[Any, ...]:
        """Go a row on; at the end the clock stops."""
        token, visit = self.find(token, chosen)
        visit.playing = visit.playing and moved(visit, "next")
        return token, drawn(visit, known_language(language)), *_clock(visit, language)

    def again(self, token: str, language: str) -> tuple[Any, ...]:
        """The same row in another language."""
        words, visit = known_language(language), self.visits.find(token)
        shown = drawn(visit, words) if visit else self.first(words)
        return shown, *_clock(visit, language), gr.update(choices=_kinds(language))


def _clock(visit: Visit | None, language: str) -> tuple[Any, Any]:
    """The clock on or off, and what the button says."""
    playing = bool(visit and visit.playing)
    text = say("replay.pause" if playing else "replay.play", known_language(language))
    return gr.update(active=playing), gr.update(value=text)


def _kinds(language: str) -> list[tuple[str, str]]:
    return [(say(f"replay.{kind}", known_language(language)), kind) for kind in DIFFERENCES]


@dataclass(frozen=True)
class _Desk:
    """The components of the tab."""

    intro: gr.Markdown
    episode: gr.Dropdown
    upload: gr.UploadButton
    told: gr.HTML
    places: dict[Place, gr.Button]
    view: gr.HTML
    keys: gr.Markdown
    play: gr.Button
    speed: gr.Radio
    kinds: gr.CheckboxGroup


def _desk(replays: Replays) -> _Desk:
    names = list(replays.episodes)
    intro = gr.Markdown(say("replay.intro"))
    with gr.Row():
        episode = gr.Dropdown(names, value=names[0], label=say("replay.episode"), scale=4, min_width=300)
        upload = gr.UploadButton(say("replay.upload"), file_types=[".json", ".jsonl", ".screenplay"], scale=1)
    told = gr.HTML(apply_default_css=False)
    with gr.Column(elem_classes="replay-desk"):
        with gr.Row():
            places = {to: _place(to) for to in PLACES}
        view = gr.HTML(replays.first("en"), js_on_load=KEYS, apply_default_css=False)
        keys = gr.Markdown(say("replay.keys"))
    with gr.Row():
        play = gr.Button(say("replay.play"), min_width=120)
        speed = gr.Radio(
            [(f"{seconds:g}", seconds) for seconds in SPEEDS], value=SPEEDS[1], label=say("replay.speed"), scale=2, min_width=300
        )
        kinds = gr.CheckboxGroup(_kinds("en"), value=list(DIFFERENCES), label=say("replay.kinds"), scale=3, min_width=300)
    return _Desk(intro, episode, upload, told, places, view, keys, play, speed, kinds)


def _place(to: Place) -> gr.Button:
    return gr.Button(say(f"replay.{to}"), elem_id=f"replay-{to}", min_width=90, variant="primary" if to == "jump" else "secondary")


def replay_tab(engine: Engine, language: gr.Radio) -> None:
    """The tab, inside a Blocks context; its texts follow `language`."""
    replays = Replays(engine)
    token, clock = gr.Textbox(visible=False), gr.Timer(SPEEDS[1], active=False)
    desk = _desk(replays)
    asked, playing = [token, desk.episode, language], [clock, desk.play]
    desk.episode.input(replays.choose, asked, [token, desk.view, desk.told, *playing], **QUIET)
    desk.upload.upload(replays.open, [desk.upload, language], [token, desk.view, desk.told, *playing, desk.episode], **QUIET)
    for to, button in desk.places.items():
        how = QUIET | {"show_progress": "minimal" if to in ("last", "jump") else "hidden"}  # these two may decide a whole episode
        button.click(partial(replays.go, to), [token, desk.episode, desk.kinds, language], [token, desk.view, desk.told], **how)
    desk.play.click(replays.play, asked, [token, *playing], **QUIET)
    clock.tick(replays.tick, asked, [token, desk.view, *playing], **QUIET)
    desk.speed.change(lambda seconds: gr.update(value=seconds), desk.speed, clock, **QUIET)
    language.change(replays.again, [token, language], [desk.view, *playing, desk.kinds], **QUIET)
    follow(language, _labels(desk))


def _labels(desk: _Desk) -> list[Label]:
    places: list[Label] = [(button, "value", f"replay.{to}") for to, button in desk.places.items()]
    return [
        *places,
        (desk.intro, "value", "replay.intro"),
        (desk.episode, "label", "replay.episode"),
        (desk.upload, "label", "replay.upload"),
        (desk.keys, "value", "replay.keys"),
        (desk.speed, "label", "replay.speed"),
        (desk.kinds, "label", "replay.kinds"),
    ]
