"""The Scores tab: open results, compare them, and run a small score of the bundled test episodes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any, Final

import gradio as gr

from eval.background import BackgroundRun, beside
from eval.instances import PROTOCOLS, TaskName
from eval.plan import Plan
from eval.records import Result, Results, read_results
from eval.report.page import sections
from eval.report.table import about
from rescue_agent.corpus.splits import bundled_episodes
from rescue_agent.engines.protocol import Engine
from rescue_agent.errors import InputError
from rescue_agent.moment import Mode
from rescue_agent.page.progress import progress_bar
from rescue_agent.page.status import notice
from rescue_agent.page.tab_strings import Language, say
from rescue_agent.tabs.events import QUIET
from rescue_agent.tabs.language import follow, known_language
from rescue_agent.tabs.uploads import read_upload
from rescue_agent.tabs.visits import Visits

ALL: Final = "all"
_TASKS: Final = [(task.upper(), task.value) for task in TaskName]
_USUAL: Final = ("itp", "stp", "ssp")
_LARGEST: Final = 200


@dataclass
class Visit:
    """What one browser looks at: the results that it opened, and the run that it started."""

    opened: list[tuple[str, Results]] = field(default_factory=list)
    run: BackgroundRun | None = None

    def named(self, language: Language) -> list[tuple[str, Results]]:
        """Everything to show, each with what to call it."""
        own = self.run.results if self.run else None
        return [*self.opened, *([(say("scores.this_run", language), own)] if own else [])]


def usable(path: Path) -> Results:
    """The results in a file.

    Raises:
        InputError: when it is no results.json, or tells nothing of its run.
    """
    try:
        results = read_results(path)
        about(results)
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise InputError.at(path.name, f"is no results.json of a run ({type(error).__name__}: {error})", "score again") from None
    return results


def report(named: Sequence[tuple[str, Results]], task: str, scenario: str, language: Language) -> str:
    """What was scored with what, then plots and tables of a task (or all), in a scenario."""
    if not named:
        return f'<div class="scores"><p class="soft">{escape(say("scores.nothing", language))}</p></div>'
    chosen = [r for r in beside(named).results if _wanted(r, task, scenario)]
    runs = "".join(f"<p><b>{escape(name)}</b> {escape(about(results))}</p>" for name, results in named)
    body = sections(chosen) or f"<p>{escape(say('scores.no_rows', language))}</p>"
    return f'<div class="scores">{runs}<p class="soft">{escape(say("scores.columns", language))}</p>{body}</div>'


def _wanted(result: Result, task: str, scenario: str) -> bool:
    return task in (ALL, result.task) and result.scenario == scenario


def how_far(run: BackgroundRun, language: Language) -> str:
    """The progress of a run, or how it ended."""
    now = run.progress
    if now.phase == "failed":
        return notice(say("scores.failed", language, why=now.why), problem=True)
    if now.phase == "stopped":
        return notice(say("scores.stopped", language, done=now.done))
    if now.phase == "done":
        return notice(say("scores.done", language, done=now.done, engines=", ".join(run.engines)))
    text = say("scores.progress", language, what=now.what, done=now.done, total=now.total)
    text = text if now.phase == "answering" else say(f"scores.{now.phase}", language)
    return progress_bar(text, now.done, now.total)


class Scores:
    """The visits to the tab, and what the buttons do."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.visits: Visits[Visit] = Visits()

    def find(self, token: str) -> tuple[str, Visit]:
        """The visit of a token; a new one when there is none."""
        if visit := self.visits.find(token):
            return token, visit
        visit = Visit()
        return self.visits.begin(visit), visit

    def open(self, files: list[str], token: str, task: str, scenario: str, given: str) -> tuple[Any, ...]:
        """Show the results in `files`; one that cannot be read is named, the others are shown."""
        token, visit = self.find(token)
        language, problems, opened = known_language(given), [], []
        for number, file in enumerate(files, 1):
            try:
                opened.append((f"{number}: {Path(file).name}" if len(files) > 1 else Path(file).name, read_upload(file, usable, language)))
            except InputError as problem:
                problems.append(notice(str(problem), problem=True))
        visit.opened = opened or visit.opened
        return token, "".join(problems), report(visit.named(language), task, scenario, language)

    def show(self, token: str, task: str, scenario: str, given: str) -> str:
        """The same results, another choice of task and scenario."""
        language = known_language(given)
        visit = self.visits.find(token)
        return report(visit.named(language) if visit else [], task, scenario, language)

    def start(self, token: str, tasks: list[str], limit: float, given: str) -> tuple[Any, ...]:
        """Start a run of the chosen tasks."""
        token, visit = self.find(token)
        language = known_language(given)
        chosen = [task for task in TaskName if task.value in tasks]
        if not chosen:
            return token, notice(say("scores.no_task", language), problem=True), *_buttons(False)
        amount = max(1, min(int(limit or 1), _LARGEST))
        run = BackgroundRun(Plan(bundled_episodes("test"), chosen, PROTOCOLS["sound"], Mode.DIALOGUE, 0, amount), self.engine.name)
        if not run.start():
            return token, notice(say("scores.busy", language), problem=True), *_buttons(False)
        visit.run = run
        return token, how_far(run, language), *_buttons(True)

    def stop(self, token: str) -> None:
        """Stop the run of this visit; the next tick shows that it ended."""
        visit = self.visits.find(token)
        if visit and visit.run:
            visit.run.stop()

    def tick(self, token: str, task: str, scenario: str, given: str) -> tuple[Any, ...]:
        """How far the run is; its results when it is done."""
        visit, language = self.visits.find(token), known_language(given)
        if not visit or not visit.run:
            return "", gr.skip(), *_buttons(False)
        over = visit.run.progress.over
        shown = report(visit.named(language), task, scenario, language) if over else gr.skip()
        return how_far(visit.run, language), shown, *_buttons(not over)


def _buttons(running: bool) -> tuple[Any, Any, Any]:
    """The clock, the start button and the stop button, while a run is under way and otherwise."""
    return gr.update(active=running), gr.update(interactive=not running), gr.update(interactive=running)


def scores_tab(engine: Engine, language: gr.Radio) -> None:
    """The tab, inside a Blocks context; its texts follow `language`."""
    scores = Scores(engine)
    token, clock = gr.Textbox(visible=False), gr.Timer(1.0, active=False)
    intro = gr.Markdown(say("scores.intro"))
    with gr.Row():
        tasks = gr.CheckboxGroup(_TASKS, value=list(_USUAL), label=say("scores.tasks"), scale=3, min_width=300)
        limit = gr.Slider(5, _LARGEST, value=20, step=5, label=say("scores.limit"), scale=2, min_width=300)
    with gr.Row():
        start = gr.Button(say("scores.start"), variant="primary", min_width=120)
        stop = gr.Button(say("scores.stop"), variant="stop", interactive=False, min_width=120)
        upload = gr.UploadButton(say("scores.upload"), file_types=[".json"], file_count="multiple", min_width=120)
    told = gr.HTML(apply_default_css=False)
    with gr.Row():
        task = gr.Dropdown(_task_choices("en"), value=ALL, label=say("scores.task"))
        scenario = gr.Dropdown([ALL, "couple", "family"], value=ALL, label=say("scores.scenario"))
    view = gr.HTML(report([], ALL, ALL, "en"), apply_default_css=False)
    choice, running = [task, scenario, language], [clock, start, stop]
    start.click(scores.start, [token, tasks, limit, language], [token, told, *running], **QUIET)
    stop.click(scores.stop, token, None, **QUIET)
    clock.tick(scores.tick, [token, *choice], [told, view, *running], **QUIET)
    upload.upload(scores.open, [upload, token, *choice], [token, told, view], **QUIET)
    gr.on([task.input, scenario.input, language.change], scores.show, [token, *choice], view, **QUIET)
    language.change(lambda given: gr.update(choices=_task_choices(given)), language, task, **QUIET)
    follow(language, [(intro, "value", "scores.intro"), (tasks, "label", "scores.tasks"), (limit, "label", "scores.limit"),
                      (start, "value", "scores.start"), (stop, "value", "scores.stop"), (upload, "label", "scores.upload"),
                      (task, "label", "scores.task"), (scenario, "label", "scores.scenario")])  # fmt: skip


def _task_choices(language: str) -> list[tuple[str, str]]:
    return [(say("scores.every_task", known_language(language)), ALL), *_TASKS]
