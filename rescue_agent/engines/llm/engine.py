"""The `llm` engine: the six decisions and the reply by a language model.

`LlmEngine` asks for one decision at a time, which is how scoring asks. `JointEngine` makes all six in one call the first time that it
is asked about a moment, which is how a room does: a turn costs that call and the reply.
"""

import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pydantic import JsonValue

from rescue_agent.decisions import (
    Edge,
    EmotionEstimate,
    InterventionDecision,
    Ranking,
    RecalledMoment,
    RelationState,
    ReplyPlan,
    ViewpointEstimate,
)
from rescue_agent.engines.llm.answers import (
    EmotionAnswer,
    InterventionAnswer,
    Kind,
    joint_kind,
    ranking_kind,
    shares,
    strict_schema,
    viewpoints_kind,
)
from rescue_agent.engines.llm.asking import Asker
from rescue_agent.engines.llm.items import GROUP, Mask, material
from rescue_agent.engines.llm.tables import pattern_table, strategy_table
from rescue_agent.errors import EndpointError, RescueError, UnparsedReply
from rescue_agent.moment import Moment
from rescue_agent.prompts import load_prompt
from rescue_agent.relation import with_edges
from rescue_agent.settings import ReplyLength
from rescue_agent.taxonomy import SUPPORTER, pattern_names, strategy_names

WORDS: Final[Mapping[ReplyLength, int]] = {"short": 15, "normal": 45}
"""About how many words a reply is to have."""
SCORING_PROMPTS: Final = ("material", "decide_er", "decide_vp", "decide_rpp", "decide_itp", "decide_stp", "decide_ssp")
"""The prompts of the six decisions, asked one by one."""
_REMEMBERED: Final = 64
_FORGET_FAILURE: Final = 60.0
Evidence = Mapping[str, JsonValue]


class LlmEngine:
    """One call a decision.

    Args:
        asker: how a model is asked.
        window: how many turns a model sees.
    """

    name = "llm"
    deterministic = False

    def __init__(self, asker: Asker, window: int) -> None:
        self.asker, self._window = asker, window

    def for_group(self, group: str) -> "LlmEngine":
        """The same engine: it remembers nobody."""
        return self

    def recall(self, moment: Moment) -> tuple[RecalledMoment, ...]:
        """Nothing: a language model has no memory of episodes here."""
        return ()

    # The six decisions ----------------------------------------------------------------------------------------------

    def recognise_emotion(self, moment: Moment) -> EmotionEstimate:
        """ER. Raises, like all six, EndpointError and UnparsedReply."""
        answer = self._decide("decide_er", moment, EmotionAnswer)
        return _emotion(answer, self._speaker(moment), Mask(moment), answer.evidence)

    def predict_viewpoints(self, moment: Moment) -> tuple[ViewpointEstimate, ...]:
        """VP."""
        mask, speaker = Mask(moment), self._speaker(moment)
        answer = self._decide("decide_vp", moment, viewpoints_kind(_others(moment, speaker, mask)))
        return _viewpoints(answer.viewpoints, speaker, mask)

    def predict_pattern(self, moment: Moment) -> Ranking:
        """RPP."""
        labels = pattern_names(moment.scenario)
        answer = self._decide("decide_rpp", moment, ranking_kind(labels), {"patterns": pattern_table(moment.scenario)})
        return _ranking(answer.ranking, labels, Mask(moment), answer.evidence)

    def follow_relation(self, moment: Moment) -> RelationState:
        """The state that was there before: one decision at a time follows no room."""
        return moment.prior or RelationState()

    def decide_intervention(self, moment: Moment) -> InterventionDecision:
        """ITP."""
        answer = self._decide("decide_itp", moment, InterventionAnswer)
        return _intervention(answer, Mask(moment), answer.evidence)

    def rank_targets(self, moment: Moment, candidates: Sequence[str]) -> Ranking:
        """STP."""
        mask = Mask(moment.model_copy(update={"participants": tuple(dict.fromkeys((*moment.participants, *candidates)))}))
        ids = tuple(mask.ids[name] for name in candidates)
        answer = self._decide("decide_stp", moment, ranking_kind(ids), extra={"candidates": list(ids)}, mask=mask)
        return _ranking(answer.ranking, ids, mask, answer.evidence, names=True)

    def rank_strategies(self, moment: Moment, target: str) -> Ranking:
        """SSP."""
        labels, mask = strategy_names(moment.scenario), Mask(moment)
        tables, extra = {"strategies": strategy_table(moment.scenario)}, {"target": mask.ids.get(target, GROUP)}
        answer = self._decide("decide_ssp", moment, ranking_kind(labels), tables, extra)
        return _ranking(answer.ranking, labels, mask, answer.evidence)

    def write_reply(self, moment: Moment, plan: ReplyPlan) -> Iterator[str]:
        """The reply as it comes, names in the place of ids."""
        mask = Mask(moment)
        shown = {**material(moment, mask, self._window), "plan": _plan(plan, mask), "words": WORDS[plan.length]}
        shown["said_before"] = [mask.hide(text) for text in plan.recent_replies]
        system = load_prompt("reply").fill({"strategies": strategy_table(moment.scenario)})
        yield from mask.show_pieces(self.asker.pieces("reply", system, shown))

    # How a model is asked -------------------------------------------------------------------------------------------

    def evidence(self, moment: Moment, mask: Mask) -> Evidence:
        """What else the model is shown of a moment; nothing here."""
        return {}

    def _decide(
        self,
        prompt: str,
        moment: Moment,
        kind: Kind,
        tables: Mapping[str, str] | None = None,
        extra: Mapping[str, JsonValue] | None = None,
        mask: Mask | None = None,
    ) -> Any:  # noqa: ANN401  (an answer of `kind`, which is made at run time)
        mask = mask or Mask(moment)
        system = load_prompt(prompt).fill({"material": load_prompt("material").text, **(tables or {})})
        found = self.evidence(moment, mask)
        shown = {**material(moment, mask, self._window), **({"evidence": dict(found)} if found else {}), **(extra or {})}
        return self.asker.answer(prompt, system, shown, kind, strict_schema(kind), moment)

    @staticmethod
    def _speaker(moment: Moment) -> str:
        if moment.current is None or moment.current.by_supporter:
            raise ValueError("ER and VP need a moment whose current turn is a participant's")
        return moment.current.speaker


class JointEngine(LlmEngine):
    """All six decisions in one call a moment."""

    def __init__(self, asker: Asker, window: int) -> None:
        super().__init__(asker, window)
        self._outcomes: OrderedDict[Moment, tuple[float, Any]] = OrderedDict()

    def _all(self, moment: Moment) -> Any:  # noqa: ANN401  (an answer of `joint_kind`)
        """The answer about `moment`, asked for once. A failure is remembered for a while, so that a turn fails once, not six times."""
        asked_at, outcome = self._outcomes.get(moment, (0.0, None))
        if outcome is None or (isinstance(outcome, RescueError) and time.monotonic() - asked_at > _FORGET_FAILURE):
            outcome = self._ask_all(moment)
            self._outcomes[moment] = (time.monotonic(), outcome)
            while len(self._outcomes) > _REMEMBERED:
                self._outcomes.popitem(last=False)
        if isinstance(outcome, RescueError):
            raise outcome
        return outcome

    def recognise_emotion(self, moment: Moment) -> EmotionEstimate:
        """ER."""
        answer = self._all(moment)
        return _emotion(answer.emotion, self._speaker(moment), Mask(moment), answer.evidence)

    def predict_viewpoints(self, moment: Moment) -> tuple[ViewpointEstimate, ...]:
        """VP."""
        return _viewpoints(self._all(moment).viewpoints, self._speaker(moment), Mask(moment))

    def predict_pattern(self, moment: Moment) -> Ranking:
        """RPP."""
        answer = self._all(moment)
        return _ranking(answer.pattern, pattern_names(moment.scenario), Mask(moment), answer.evidence)

    def follow_relation(self, moment: Moment) -> RelationState:
        """The speaker's edges as the model sees them now, its patterns as belief, and the summary so far."""
        if moment.current is None or moment.current.by_supporter:
            return moment.prior or RelationState()
        answer, mask, speaker = self._all(moment), Mask(moment), moment.current.speaker
        views = {view.target: view.viewpoint for view in self.predict_viewpoints(moment)}
        belief = self.predict_pattern(moment).probabilities
        before = moment.prior or RelationState()
        state = before.model_copy(
            update={
                "belief": tuple((label, belief[label]) for label in pattern_names(moment.scenario)),
                "summary": mask.show(answer.summary),
            }
        )
        return with_edges(state, (_edge(item, before, speaker, mask, views) for item in answer.toward))

    def decide_intervention(self, moment: Moment) -> InterventionDecision:
        """ITP."""
        answer = self._all(moment)
        return _intervention(answer.intervention, Mask(moment), answer.evidence)

    def rank_targets(self, moment: Moment, candidates: Sequence[str]) -> Ranking:
        """STP."""
        answer, mask = self._all(moment), Mask(moment)
        return _ranking(answer.target, tuple(mask.ids[name] for name in candidates), mask, answer.evidence, names=True)

    def rank_strategies(self, moment: Moment, target: str) -> Ranking:
        """SSP, for the target that the model itself thought of."""
        answer = self._all(moment)
        return _ranking(answer.strategy, strategy_names(moment.scenario), Mask(moment), answer.evidence)

    def _ask_all(self, moment: Moment) -> Any:  # noqa: ANN401  (the answer, or why there is none)
        mask, scenario = Mask(moment), moment.scenario
        candidates = tuple(mask.ids[name] for name in moment.candidates)
        others = _others(moment, self._speaker(moment), mask)
        kind = joint_kind(others, candidates, pattern_names(scenario), strategy_names(scenario))
        tables = {"patterns": pattern_table(scenario), "strategies": strategy_table(scenario)}
        try:
            return self._decide("decide_all", moment, kind, tables)
        except (EndpointError, UnparsedReply) as failure:
            return failure


def _others(moment: Moment, speaker: str, mask: Mask) -> tuple[str, ...]:
    return tuple(mask.ids[name] for name in moment.participants if name not in (speaker, SUPPORTER))


def _emotion(answer: Any, person: str, mask: Mask, evidence: str) -> EmotionEstimate:  # noqa: ANN401
    return EmotionEstimate(person=person, description=mask.show(answer.description), intensity=answer.intensity, reason=mask.show(evidence))


def _viewpoints(views: Sequence[Any], speaker: str, mask: Mask) -> tuple[ViewpointEstimate, ...]:
    found = {
        view.target: ViewpointEstimate(
            source=speaker,
            target=mask.name(view.target),
            viewpoint=mask.show(view.viewpoint),
            attitude=mask.show(view.attitude),
            probability=view.probability,
        )
        for view in reversed(views)
    }
    return tuple(sorted(found.values(), key=lambda view: -view.probability))


def _ranking(ranked: Sequence[Any], labels: Sequence[str], mask: Mask, evidence: str, *, names: bool = False) -> Ranking:
    scores = shares(ranked, labels)
    return Ranking.of({mask.name(label) if names else label: score for label, score in scores.items()}, mask.show(evidence))


def _intervention(answer: Any, mask: Mask, evidence: str) -> InterventionDecision:  # noqa: ANN401
    # small models give the probability of what they said; the decision is what they said
    agrees = (answer.probability >= 0.5) == answer.speak
    probability = answer.probability if agrees else 1 - answer.probability
    return InterventionDecision(speak=answer.speak, probability=probability, reason=mask.show(evidence))


def _edge(item: Any, before: RelationState, speaker: str, mask: Mask, views: Mapping[str, str]) -> Edge:  # noqa: ANN401
    target = mask.name(item.target)
    known = views.get(target) or before.edge(speaker, target).viewpoint
    return Edge(source=speaker, target=target, warmth=item.warmth, tension=item.tension, alignment=item.alignment, viewpoint=known)


def _plan(plan: ReplyPlan, mask: Mask) -> dict[str, JsonValue]:
    return {
        "target": mask.ids.get(plan.target, GROUP),
        "strategy": plan.strategy,
        "pattern": plan.pattern,
        "feelings": [{"of": mask.ids[e.person], "what": mask.hide(e.description), "intensity": e.intensity} for e in plan.emotions],
        "views": [{"from": mask.ids[v.source], "of": mask.ids[v.target], "what": mask.hide(v.viewpoint)} for v in plan.viewpoints],
    }
