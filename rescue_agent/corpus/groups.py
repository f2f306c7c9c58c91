"""Which samples belong to one couple or family: a split, a fold and a memory are always cut between groups, never through one."""

from collections.abc import Sequence
from typing import Final

from rescue_agent.schema import Episode

_SHARED_PREFIX: Final = "family_therapy"
"""All families of the public release stand under this one prefix; they are told apart by their members."""
_LINK: Final = 2
"""Two such samples are one family when they share so many names."""


def group_of(episodes: Sequence[Episode]) -> dict[str, str]:
    """sample_id -> group: the part of the id before the slash; for the release's families, samples linked by shared members."""
    groups = {episode.sample_id: episode.group for episode in episodes}
    families = [episode for episode in episodes if episode.group == _SHARED_PREFIX]
    for episode, root in zip(families, _linked(families), strict=True):
        groups[episode.sample_id] = f"{_SHARED_PREFIX}:{root}"
    return groups


def _linked(families: Sequence[Episode]) -> list[str]:
    """For each sample, the smallest sample_id of those that it is linked to, directly or by others."""
    roots = list(range(len(families)))

    def root(i: int) -> int:
        while roots[i] != i:
            i = roots[i]
        return i

    for i, episode in enumerate(families):
        for j in range(i):
            if len(set(episode.participants) & set(families[j].participants)) >= _LINK:
                roots[root(i)] = root(j)
    members: dict[int, list[str]] = {}
    for i, episode in enumerate(families):
        members.setdefault(root(i), []).append(episode.sample_id)
    return [min(members[root(i)]) for i in range(len(families))]
