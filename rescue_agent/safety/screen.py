"""The guard's screening: rules over the plain form of a text, and a trained head. The higher of the two wins; neither lowers the other."""

import logging
from functools import lru_cache

from rescue_agent.embedding import default_embedder
from rescue_agent.errors import HeadsError
from rescue_agent.redaction import where
from rescue_agent.safety.head import BUNDLED, RiskHead
from rescue_agent.safety.levels import Family, Level, Screening
from rescue_agent.safety.normalise import plain
from rescue_agent.safety.rules import DISTRESS, IDIOMS, RULES

logger = logging.getLogger(__name__)
_LONGEST = 20_000


def screen(text: str) -> Screening:
    """Screen one text by rules and by the trained head; by rules alone where the head cannot be had."""
    ruled, learned = screen_by_rules(text), _screen_by_head(text)
    # the family of the rules is the surer one; the head's counts where they found none
    families = ruled.families or learned.families
    return Screening(level=max(ruled.level, learned.level), families=families)


def _screen_by_head(text: str) -> Screening:
    head = _head()
    if head is None:
        return Screening()
    try:
        return head.screen(default_embedder(), text[:_LONGEST])
    except Exception as error:
        logger.error("the guard's head failed; rules decide alone: %s", where(error))
        return Screening()


@lru_cache(maxsize=1)
def _head() -> RiskHead | None:
    try:
        head = RiskHead.load(BUNDLED)
    except HeadsError as problem:
        logger.warning("%s; rules decide alone", problem)
        return None
    return head if head.embedding_model == default_embedder().model_id else None


def screen_by_rules(text: str) -> Screening:
    """Screen one text by rules.

    Quoted, denied and reported statements count. What is said of somebody else is found as that; where a text fits both, both
    families are named. Idioms are taken out phrase by phrase, so that added text can only add findings.
    """
    lines = plain(text[:_LONGEST])
    normal, in_one = IDIOMS.sub(" _ ", lines), IDIOMS.sub(" _ ", lines.replace("\n", " "))
    found: dict[Family, Level] = {}
    for rule in RULES:
        # a phrase may also be typed a word a line; what one line says alone counts whatever stands on the others
        if rule.pattern.search(normal) or (in_one != normal and rule.pattern.search(in_one)):
            found[rule.family] = max(rule.level, found.get(rule.family, Level.NONE))
    if Family.SELF_HARM_OF_OTHER in found and not _speaks_of_oneself(normal):
        found.pop(Family.SELF_HARM, None)
    if found:
        return Screening(level=max(found.values()), families=tuple(sorted(found)))
    return Screening(level=Level.DISTRESS if DISTRESS.search(normal) else Level.NONE)


def _speaks_of_oneself(normal: str) -> bool:
    words = set(normal.replace("'", " ").split())
    return bool(words & {"i", "im", "ive", "me", "myself", "my", "ich", "mich", "mir"})
