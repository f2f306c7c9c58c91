"""The score phase: from answers to scores, each with its n, its unscored and parse-failed counts, and its interval."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

from eval.instances import Instance, ProtocolName, TaskName
from eval.metrics.additive import Metric, interval, mean_metric
from eval.metrics.bertscore import bertscore_f1, bertscore_present
from eval.metrics.calibration import calibration_metrics
from eval.metrics.classification import binary_metrics, classification_metrics, preference_bias_metric
from eval.metrics.ranking import ranking_metrics, recall_at, reciprocal_rank
from eval.metrics.text import cosine, embedding_f1, pair_counts
from eval.metrics.viewpoints import pair_f1_metric
from eval.records import Prediction, Result, Setting
from rescue_agent.taxonomy import SCENARIOS, Scenario, pattern_names, strategy_names

WORST_MATCH: Final = 1.0
"""Lowest intensity match, S_Emo and judge score: what an answer that could not be read gets."""
_TEXT_METRICS: Final = ("judge", "bertscore_f1", "embedding_f1", "text_similarity")
Scope = Literal["all", "couple", "family"]


def intensity_match(predicted: float, gold: float) -> float:
    """max(1, 5 - |difference|) (paper, ER)."""
    return max(WORST_MATCH, 5 - abs(predicted - gold))


# Scores of one answer -------------------------------------------------------------------------------------------------


def score_one(prediction: Prediction, grade: float | None = None) -> Prediction:
    """The prediction with the scores of its instance; an unread answer is scored as wrong, an unscored one not at all.

    Args:
        grade: the judge's, 1-5, for ER and VP; None when there is none.
    """
    if prediction.status == "unscored":
        return prediction
    scores = _SCORERS[prediction.task](prediction.prediction, prediction.gold)
    return prediction.model_copy(update={"scores": scores | _judged(prediction.task, scores, grade)})


def _judged(task: TaskName, scores: Mapping[str, float | None], grade: float | None) -> dict[str, float | None]:
    """The judge's grade, and in ER S_Emo (the same) and S_ER, its mean with the intensity match."""
    if grade is None:
        return {}
    match = scores.get("intensity_match")
    return {"judge": grade} if match is None else {"judge": grade, "s_emo": grade, "s_er": (grade + match) / 2}


def _score_er(answer: Mapping[str, Any] | None, gold: Mapping[str, Any]) -> dict[str, float | None]:
    if answer is None:
        return {"intensity_match": WORST_MATCH, "bertscore_f1": _if_present(0.0), "embedding_f1": 0.0, "text_similarity": 0.0}
    return {
        "intensity_match": intensity_match(answer["intensity"], gold["intensity"]),
        "bertscore_f1": bertscore_f1(answer["description"], gold["description"]),
        "embedding_f1": embedding_f1(answer["description"], gold["description"]),
        "text_similarity": cosine(answer["description"], gold["description"]),
    }


def _if_present(value: float) -> float | None:
    """`value` where the paper's BERTScore can be had on this machine."""
    return value if bertscore_present() else None


def _score_vp(answer: Mapping[str, Any] | None, gold: Mapping[str, Any]) -> dict[str, float | None]:
    """Counts of directed pairs, and similarity of the wording on those that match (None when none does)."""
    views = answer["viewpoints"] if answer else []
    said, true = _by_pair(views), _by_pair(gold["viewpoints"])
    right, answered, expected = pair_counts(list(said), list(true))
    matched = [(said[pair], true[pair]) for pair in said.keys() & true.keys()]
    return {
        "right_pairs": right,
        "answered_pairs": answered,
        "true_pairs": expected,
        "bertscore_f1": _mean([f1 for one, other in sorted(matched) if (f1 := bertscore_f1(one, other)) is not None]),
        "embedding_f1": _mean([embedding_f1(one, other) for one, other in sorted(matched)]),
        "text_similarity": _mean([cosine(one, other) for one, other in sorted(matched)]),
    }


def _by_pair(views: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str], str]:
    """(source, target) -> the wording; several of one pair are joined."""
    joined: dict[tuple[str, str], str] = {}
    for view in views:
        pair = (view["source"], view["target"])
        joined[pair] = f"{joined[pair]}; {view['viewpoint']}" if pair in joined else view["viewpoint"]
    return joined


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _score_ranking(answer: Mapping[str, Any] | None, gold: Mapping[str, Any]) -> dict[str, float | None]:
    ranked = [label for label, _ in answer["ranking"]] if answer else []
    return {"recall_at_1": recall_at(ranked, gold["label"], 1), "mrr_at_3": reciprocal_rank(ranked, gold["label"])}


def _score_itp(answer: Mapping[str, Any] | None, gold: Mapping[str, Any]) -> dict[str, float | None]:
    return {"right": float(answer is not None and answer["speak"] == gold["speak"])}


_SCORERS: Final[dict[TaskName, Callable[[Mapping[str, Any] | None, Mapping[str, Any]], dict[str, float | None]]]] = {
    TaskName.ER: _score_er,
    TaskName.VP: _score_vp,
    TaskName.RPP: _score_ranking,
    TaskName.ITP: _score_itp,
    TaskName.STP: _score_ranking,
    TaskName.SSP: _score_ranking,
}


# Scores of a task -----------------------------------------------------------------------------------------------------


def task_metrics(task: TaskName, scored: Sequence[Prediction], scenarios: Sequence[Scenario]) -> list[Metric]:
    """All metrics of a task over `scored` (no unscored ones among them)."""
    if task is TaskName.ER:
        return [_mean_of(scored, name) for name in ("intensity_match", "s_emo", "s_er", *_TEXT_METRICS)]
    if task is TaskName.VP:
        return [pair_f1_metric(scored), *(_mean_of(scored, name) for name in _TEXT_METRICS)]
    if task is TaskName.ITP:
        return _itp_metrics(scored)
    gold = [str(p.gold["label"]) for p in scored]
    rankings = [_ranking(p) for p in scored]
    distributions = [_distribution(p) for p in scored]
    if task is TaskName.STP:
        return [*ranking_metrics(rankings, gold), *calibration_metrics(distributions, gold)]
    labels = [label for s in scenarios for label in (pattern_names(s) if task is TaskName.RPP else strategy_names(s))]
    first = [ranking[0] if ranking else None for ranking in rankings]
    named = classification_metrics(gold, first, list(dict.fromkeys(labels)))
    if task is TaskName.RPP:
        return [*named, *calibration_metrics(distributions, gold)]
    bias = preference_bias_metric(gold, first, list(dict.fromkeys(labels)))
    return [*ranking_metrics(rankings, gold), *named, bias, *calibration_metrics(distributions, gold)]


def _mean_of(scored: Sequence[Prediction], name: str) -> Metric:
    return mean_metric(name, [p.scores.get(name) for p in scored])


_YES: Final = {False: "no", True: "yes"}


def _itp_metrics(scored: Sequence[Prediction]) -> list[Metric]:
    gold = [bool(p.gold["speak"]) for p in scored]
    predicted = [bool(p.prediction["speak"]) if p.prediction else None for p in scored]
    chances = [cast(float, p.prediction.get("probability")) if p.prediction else None for p in scored]
    distributions = [None if chance is None else {"yes": chance, "no": 1 - chance} for chance in chances]
    words = [None if p is None else _YES[p] for p in predicted]
    named = [m for m in classification_metrics([_YES[g] for g in gold], words, tuple(_YES.values())) if m.name != "balanced_accuracy"]
    return [*binary_metrics(gold, predicted), *named, *calibration_metrics(distributions, [_YES[g] for g in gold])]


def _ranking(prediction: Prediction) -> list[str]:
    pairs = cast(list[list[Any]], (prediction.prediction or {}).get("ranking", []))
    return [str(label) for label, _ in pairs]


def _distribution(prediction: Prediction) -> dict[str, float] | None:
    pairs = cast(list[list[Any]], (prediction.prediction or {}).get("ranking", []))
    if not pairs or any(p is None for _, p in pairs):
        return None
    return {str(label): float(p) for label, p in pairs}


@dataclass(frozen=True)
class Column:
    """Whose scores of which task, by which protocol, and how they must be called."""

    engine: str
    task: TaskName
    protocol: ProtocolName
    setting: Setting


def results_of(column: Column, predictions: Sequence[Prediction], instances: Mapping[str, Instance], seed: int) -> Iterator[Result]:
    """The scores of one engine on one task, for all scenarios together and each alone.

    Args:
        instances: by instance id: every instance of the task, answered or not.
    """
    present = [s for s in SCENARIOS if any(i.scenario == s for i in instances.values())]
    scopes: list[tuple[Scope, list[Scenario]]] = [("all", present), *((s, [s]) for s in present)] if present else []
    for scope, scenarios in scopes:
        inside = {key: instance for key, instance in instances.items() if instance.scenario in scenarios}
        yield from _scope_results(column, scope, scenarios, [p for p in predictions if p.instance_id in inside], inside, seed)


def _scope_results(
    column: Column,
    scope: Scope,
    scenarios: Sequence[Scenario],
    predictions: Sequence[Prediction],
    instances: Mapping[str, Instance],
    seed: int,
) -> Iterator[Result]:
    scored = [p for p in predictions if p.status != "unscored"]
    groups = [instances[p.instance_id].group for p in scored]
    for metric in task_metrics(column.task, scored, scenarios):
        score = interval(metric, groups, seed)
        yield Result(
            engine=column.engine,
            task=column.task,
            protocol=column.protocol,
            setting=column.setting,
            scenario=scope,
            metric=metric.name,
            value=score.value,
            low=score.low,
            high=score.high,
            n=metric.n,
            unscored=len(instances) - metric.n,
            parse_failed=sum(p.status == "parse_failed" for p in scored),
        )
