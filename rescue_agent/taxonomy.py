"""Closed label sets of RESCUE-BENCH (arXiv 2609.09657), with definitions and tie-breaks as data.

The same table feeds the prompts, the trained heads, `corpus check` and the page. Label strings are the benchmark's own;
definitions are in our words.
"""

from dataclasses import dataclass
from typing import Final, Literal

Scenario = Literal["couple", "family"]
SCENARIOS: Final[tuple[Scenario, ...]] = ("couple", "family")

SUPPORTER: Final = "Therapist"
"""Role label of the supporter in files of the RESCUE schema. A person always reads "supporter"."""

GROUP_LABEL: Final[dict[Scenario, str]] = {"couple": "Couple", "family": "Family"}


@dataclass(frozen=True)
class Label:
    """One closed label: its exact string, what it means, and when another label wins over it."""

    name: str
    definition: str
    tie_break: str = ""


_PURSUE_WITHDRAW = Label(
    "pursue_withdraw",
    "One presses, demands or complains for contact; the other avoids, minimises or goes quiet.",
    "If both press, it is mutual attack or escalation; if both go quiet, mutual withdrawal.",
)
_REPAIR_SOFTENING = Label(
    "repair_softening",
    "The cycle loosens: somebody shows vulnerability, apologises or validates. New and still fragile.",
    "Once the shared stance is stable and they solve it together, it is alignment.",
)
_MIXED_TRANSITION = Label(
    "mixed_transition",
    "Two strong patterns at once, or a visible turn from one to another within these rows.",
    "Never a fallback for being unsure: name both patterns in the reason.",
)

PATTERNS: Final[dict[Scenario, tuple[Label, ...]]] = {
    "couple": (
        _PURSUE_WITHDRAW,
        Label(
            "attack_attack",
            "Blame meets counter-blame; each move raises the heat.",
            "A single sharp remark that the other does not return is not yet this pattern.",
        ),
        Label(
            "withdraw_withdraw",
            "Nobody reaches for the other; both are flat, distant or resigned.",
            "If one still presses for contact, it is pursue_withdraw.",
        ),
        _REPAIR_SOFTENING,
        Label(
            "constructive_alignment",
            "A stable shared stance; the two solve it together.",
            "A first tentative softening is repair_softening.",
        ),
        _MIXED_TRANSITION,
    ),
    "family": (
        Label(
            "escalation_conflict",
            "Blame meets counter-blame among members; each move raises the heat.",
            "If a child is being recruited against a member, it is cross_generational_coalition.",
        ),
        _PURSUE_WITHDRAW,
        Label(
            "mutual_disengagement",
            "Nobody reaches for anybody; flat, distant or resigned.",
            "If one still presses for contact, it is pursue_withdraw.",
        ),
        Label(
            "cross_generational_coalition",
            "A child is pulled to one side against another member: a triangle across generations.",
            "If roles blur but nobody is set against anybody, it is boundary_hierarchy_strain.",
        ),
        Label(
            "boundary_hierarchy_strain",
            "Roles or generations blur: a child who parents, a parent as peer, no subsystem that holds.",
            "If the blurring serves one side against another, it is cross_generational_coalition.",
        ),
        _REPAIR_SOFTENING,
        Label(
            "cooperative_family_alliance",
            "A stable shared stance; members solve it together.",
            "A first tentative softening is repair_softening.",
        ),
        _MIXED_TRANSITION,
    ),
}

_TRACK = Label(
    "track",
    "Names or follows the live interaction cycle, move by move.",
    "The broadest move: it wins only when nothing more specific fits.",
)
_REFRAME = Label(
    "reframe",
    "Moves the meaning from one person's fault to a shared pattern or need.",
    "Wins over track when the meaning changes, not only the description.",
)
_ENACT = Label(
    "enact",
    "Has one member say it directly to another, here and now.",
    "Wins over evoke when a feeling is to be spoken to the other directly; over track always.",
)
_REPAIR = Label(
    "repair",
    "Apology, acknowledgement or reconnection after a rupture.",
    "Wins over join when there was a rupture to mend.",
)
_COUNTERBALANCE = Label(
    "counterbalance",
    "Gives voice and airtime back to the less heard.",
    "Wins over track; yields to safeguard when safety is the point.",
)
_SAFEGUARD = Label(
    "safeguard",
    "Protects someone who is shamed, flooded or attacked right now.",
    "Wins over counterbalance when safety is the point.",
)

STRATEGIES: Final[dict[Scenario, tuple[Label, ...]]] = {
    "couple": (
        _TRACK,
        _REFRAME,
        Label(
            "evoke",
            "Deepens the primary feeling under the reaction: hurt, fear, shame, longing.",
            "Yields to enact when the feeling is to be said to the partner directly.",
        ),
        _ENACT,
        Label(
            "join",
            "Warms the contact between the partners.",
            "Yields to repair after a rupture.",
        ),
        Label(
            "detach",
            "Lets both step back and look at the pattern together as an 'it'.",
            "Wins over track when both are invited to look at it from outside.",
        ),
        _REPAIR,
        _COUNTERBALANCE,
        _SAFEGUARD,
        Label(
            "goal_align",
            "Turns the talk back to a shared aim or task.",
            "Wins over track.",
        ),
    ),
    "family": (
        Label(
            "join",
            "Warms the contact between the supporter and the family.",
            "Wins over track; yields to repair after a rupture.",
        ),
        _TRACK,
        _COUNTERBALANCE,
        _ENACT,
        Label(
            "boundary",
            "Makes roles, generations, subsystems or coalitions clear.",
            "Wins over track.",
        ),
        _REFRAME,
        _REPAIR,
        _SAFEGUARD,
    ),
}

UTTERANCE_TYPES: Final[tuple[Label, ...]] = (
    Label(
        "accusation",
        "Blames or criticises a person present.",
        "Wins over request where the question only wraps the blame, and over recollection that is told against somebody present.",
    ),
    Label(
        "defense",
        "Justifies, explains away or rejects blame.",
        "An explanation that answers the charge is a defense; a word that leaves the charge lying is a withdrawal.",
    ),
    Label(
        "disclosure",
        "Shows something inner or private: a feeling, a fear, a wish.",
        "Wins over recollection when the feeling is the point.",
    ),
    Label("request", "Asks somebody for an act, an answer or a change.", "What is asked for could be done or answered."),
    Label("recollection", "Tells what happened, as the speaker remembers it."),
    Label("reflection", "Thinks about oneself, the other or the pattern from a little distance."),
    Label("repair", "Apologises, takes something back, offers to make it good."),
    Label("withdrawal", "Leaves the contact: minimises, ends the topic, goes silent."),
    Label("validation", "Says that the other's feeling or view makes sense or is welcome."),
    Label("other", "None of these: greetings, logistics, fillers."),
)

NO_STRATEGY: Final = "Backchannels, hand-offs ('and you?') and fact-finding questions carry no strategy."


def pattern_names(scenario: Scenario) -> tuple[str, ...]:
    """Relation-pattern labels of a scenario, in the benchmark's order (6 for a couple, 8 for a family)."""
    return tuple(label.name for label in PATTERNS[scenario])


def strategy_names(scenario: Scenario) -> tuple[str, ...]:
    """Support-strategy labels of a scenario, in the benchmark's order (10 for a couple, 8 for a family)."""
    return tuple(label.name for label in STRATEGIES[scenario])


UTTERANCE_TYPE_NAMES: Final[tuple[str, ...]] = tuple(label.name for label in UTTERANCE_TYPES)
