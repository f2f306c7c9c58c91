"""The questions of the study. A step varies one thing and leaves the rest as it ships; the order is that of docs/engine.md."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from eval.study.judging import Classifier, Maker, Verdict, judged, logistic, penalty_of
from eval.study.material import DECISIONS, Decision, Examples, Material, Table
from eval.study.sequence import calibration, filtering, joint, memory
from rescue_agent.engines.embedded.examples import ReadEpisode
from rescue_agent.engines.embedded.features import window_features
from rescue_agent.engines.embedded.heads import Array
from rescue_agent.engines.embedded.reading import VECTOR_SCALE
from rescue_agent.taxonomy import pattern_names

Step = Callable[[Material], Iterator[Verdict]]


def _commonest() -> Classifier:
    from sklearn.dummy import DummyClassifier

    model: Classifier = DummyClassifier(strategy="most_frequent")
    return model


def words(material: Material) -> Iterator[Verdict]:
    """How much should the 384 coordinates of the sentence embedding weigh against the few features that say what goes on?"""
    for decision in DECISIONS:
        train, dev = material.tables(decision)
        yield judged(decision.name, "commonest label", train, dev, _commonest)
        mask = material.columns(decision, "vector")
        for scale in (0.0, 0.2, 0.8, 2.0, 4.0):
            factor = scale / VECTOR_SCALE
            variant = f"words x {scale:g}"
            scaled = train.with_columns(mask, factor), dev.with_columns(mask, factor)
            yield judged(decision.name, variant, *scaled, logistic(penalty_of(decision)))


def penalty(material: Material) -> Iterator[Verdict]:
    """How strongly should the heads be regularised?"""
    for decision in DECISIONS:
        for strength in (0.03, 0.1, 0.3, 1.0, 3.0, 10.0):
            yield judged(decision.name, f"C {strength:g}", *material.tables(decision), logistic(strength))


def readings(material: Material) -> Iterator[Verdict]:
    """What do the intermediate readings bring: utterance types as a prediction between, and the lexical cues?"""
    for decision in DECISIONS[1:]:
        train, dev = material.tables(decision)
        for field in ("types", "lexical"):
            mask = material.columns(decision, field)
            without = train.with_columns(mask, 0), dev.with_columns(mask, 0)
            if mask.any():
                yield judged(decision.name, f"without {field}", *without, logistic(penalty_of(decision)))
        yield judged(decision.name, "as shipped", train, dev, logistic(penalty_of(decision)))


def window(material: Material) -> Iterator[Verdict]:
    """How far back should the pattern head look? The filter remembers what lies further back."""
    for decision in (d for d in DECISIONS if d.name.startswith("pattern")):
        for size in (2, 4, 8, 16):
            sized = Decision(decision.name, _pattern_windows(size), decision.scenario)
            yield judged(decision.name, f"{size} rows", *material.tables(sized), logistic(penalty_of(decision)))


def _pattern_windows(size: int) -> Examples:
    def examples(read: Sequence[ReadEpisode]) -> Iterator[tuple[Array, str]]:
        for item in read:
            for i, row in item.rows():
                if row.relation_cycle_state in pattern_names(item.episode.scenario):
                    yield window_features(item.readings[:i], len(item.readings[0].vector), size), row.relation_cycle_state

    return examples


def heads(material: Material) -> Iterator[Verdict]:
    """Which kind of head? All see the same features; those that need it get them standardised."""
    for decision in DECISIONS[1:]:
        for name, make in _kinds(penalty_of(decision)).items():
            yield judged(decision.name, name, *material.tables(decision), make)


def _kinds(strength: float) -> Mapping[str, Maker]:
    def standardised(model: Maker) -> Maker:
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        return lambda: make_pipeline(StandardScaler(), model())

    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
    from sklearn.neural_network import MLPClassifier
    from sklearn.svm import SVC, LinearSVC

    return {
        "logistic regression": logistic(strength),
        "logistic regression, classes weighted": logistic(strength, balanced=True),
        "linear SVM": lambda: LinearSVC(C=strength / 10, max_iter=5000),
        "RBF kernel SVM": lambda: SVC(C=10.0, gamma="scale"),
        "gradient boosting": lambda: HistGradientBoostingClassifier(max_iter=60, max_leaf_nodes=8, l2_regularization=5.0, random_state=0),
        "nearest prototype": standardised(NearestCentroid),
        "20 nearest neighbours": lambda: KNeighborsClassifier(20, weights="distance"),
        "small neural head (32)": lambda: MLPClassifier((32,), alpha=1.0, max_iter=200, early_stopping=True, random_state=0),
    }


def cues(material: Material) -> Iterator[Verdict]:
    """What do tone, face, posture and gestures bring, where they are annotated (audiovisual mode)?"""
    from rescue_agent.moment import Mode

    watched = material.in_mode(Mode.AUDIOVISUAL)
    for decision in DECISIONS:
        for name, seen in (("words only", material), ("with tone and visible cues", watched)):
            yield judged(decision.name, name, *seen.tables(decision), logistic(penalty_of(decision)))


def transfer(material: Material) -> Iterator[Verdict]:
    """Does what couples teach carry over to families, whose episodes share no family and few labels? A stand-in for people never seen."""
    decision = next(d for d in DECISIONS if d.name == "intervene")
    couples = Table.of([i for i in material.train if i.episode.scenario == "couple"], decision.examples)
    families = Table.of([i for i in [*material.train, *material.dev] if i.episode.scenario == "family"], decision.examples)
    mask = material.columns(decision, "vector")
    for scale in (0.0, 0.2, 0.8, 4.0):
        at = couples.with_columns(mask, scale / VECTOR_SCALE), families.with_columns(mask, scale / VECTOR_SCALE)
        yield judged("intervene: couples, then families", f"words x {scale:g}", *at, logistic(penalty_of(decision)))
    yield judged("intervene: couples, then families", "commonest label", couples, families, _commonest)


STEPS: Final[Mapping[str, Step]] = {
    step.__name__: step for step in (words, penalty, readings, window, filtering, memory, calibration, joint, cues, transfer, heads)
}
