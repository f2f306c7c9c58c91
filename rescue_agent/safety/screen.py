"""The guard's screening: rules over the plain form of a text. No model takes part, and none can lower what the rules found."""

from rescue_agent.safety.levels import Family, Level, Screening
from rescue_agent.safety.normalise import plain
from rescue_agent.safety.rules import DISTRESS, IDIOMS, RULES

_LONGEST = 20_000


def screen(text: str) -> Screening:
    """Screen one text.

    Quoted, denied and reported statements count. What is said of somebody else is found as that; where a text fits both, both
    families are named. Idioms are taken out phrase by phrase, so that added text can only add findings.
    """
    normal = IDIOMS.sub(" _ ", plain(text[:_LONGEST]))
    found: dict[Family, Level] = {}
    for rule in RULES:
        if rule.pattern.search(normal):
            found[rule.family] = max(rule.level, found.get(rule.family, Level.NONE))
    if Family.SELF_HARM_OF_OTHER in found and not _speaks_of_oneself(normal):
        found.pop(Family.SELF_HARM, None)
    if found:
        return Screening(level=max(found.values()), families=tuple(sorted(found)))
    return Screening(level=Level.DISTRESS if DISTRESS.search(normal) else Level.NONE)


def _speaks_of_oneself(normal: str) -> bool:
    words = set(normal.replace("'", " ").split())
    return bool(words & {"i", "im", "ive", "me", "myself", "my", "ich", "mich", "mir"})
