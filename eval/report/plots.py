"""Plots as inline SVG: no script, no font, nothing from elsewhere."""

import html
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from eval.report.labels import LabelScore

_BAR: Final = 22
_LEFT: Final = 330
_WIDTH: Final = 420
_LETTER: Final = 7
"""About how wide a letter of a name is."""


@dataclass(frozen=True)
class Bar:
    """A score, with its interval where it has one; `published` bars are drawn paler."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    published: bool = False


def interval_plot(metric: str, bars: Sequence[Bar]) -> str:
    """A bar an engine with its interval."""
    top = max([1.0, *(bar.value if bar.high is None else bar.high for bar in bars)])
    return _bars(bars, top, f"{metric} with 95 % intervals")


def _bars(bars: Sequence[Bar], top: float, caption: str) -> str:
    left = min(_LEFT, 20 + _LETTER * max(len(bar.name) for bar in bars))
    rows = "".join(_bar(i, bar, top, left) for i, bar in enumerate(bars))
    return _figure(left + _WIDTH + 90, _BAR * len(bars) + 4, rows, caption)


def _bar(i: int, bar: Bar, top: float, left: int) -> str:
    y, length = i * _BAR + 4, max(0.0, bar.value) / top * _WIDTH
    whisker = ""
    if bar.low is not None and bar.high is not None:
        a, b = (left + x / top * _WIDTH for x in (bar.low, bar.high))
        whisker = f'<line x1="{a:.1f}" x2="{b:.1f}" y1="{y + 7}" y2="{y + 7}" class="whisker"/>'
    label = f'<text x="{left - 8}" y="{y + 12}" text-anchor="end">{html.escape(bar.name[:60])}</text>'
    number = f'<text x="{left + _WIDTH + 8}" y="{y + 12}">{bar.value:.3f}</text>'
    kind = "bar published" if bar.published else "bar"
    return f'{label}<rect x="{left}" y="{y}" width="{length:.1f}" height="14" class="{kind}"/>{whisker}{number}'


def confusion_plot(pairs: Sequence[tuple[str, str]]) -> str:
    """A confusion matrix: rows gold, columns answers, darker for a larger share of its row."""
    labels = sorted({label for pair in pairs for label in pair})
    counts, size = Counter(pairs), 30
    cells = []
    for i, gold in enumerate(labels):
        total = sum(counts[gold, other] for other in labels)
        cells.append(f'<text x="{_LEFT - 8}" y="{i * size + 20}" text-anchor="end">{html.escape(gold)}</text>')
        for j, answer in enumerate(labels):
            n = counts[gold, answer]
            x, share = _LEFT + j * size, n / total if total else 0
            cells.append(f'<rect x="{x}" y="{i * size}" width="{size}" height="{size}" class="cell" fill-opacity="{share:.2f}"/>')
            cells.append(f'<text x="{x + size / 2}" y="{i * size + 20}" text-anchor="middle">{n or ""}</text>')
    heads = "".join(
        f'<text transform="translate({_LEFT + j * size + 20},{len(labels) * size + 8}) rotate(45)">{html.escape(label)}</text>'
        for j, label in enumerate(labels)
    )
    side = len(labels) * size
    return _figure(_LEFT + side + 150, side + 150, "".join(cells) + heads, "Confusions: rows are gold, columns are answers")


def label_bars(scores: Sequence[LabelScore]) -> str:
    """F1 a label, with precision and recall in words."""
    bars = [Bar(f"{s.label} (n {s.n}, P {s.precision:.2f} R {s.recall:.2f})", s.f1) for s in scores]
    return _bars(bars, 1.0, "F1 of each label (n: how often it is true)")


def calibration_plot(confidences: Sequence[tuple[float, bool]], bins: int = 10) -> str:
    """Share of right answers against confidence, in bins of equal width."""
    if not confidences:
        return ""
    side, dots = 220, []
    for b in range(bins):
        inside = [(c, right) for c, right in confidences if min(int(c * bins), bins - 1) == b]
        if inside:
            x, y = (sum(values) / len(inside) for values in zip(*inside, strict=True))
            dots.append(
                f'<circle cx="{x * side + 20:.1f}" cy="{side - y * side + 10:.1f}" r="{2 + 10 * len(inside) / len(confidences):.1f}"/>'
            )
    frame = f'<rect x="20" y="10" width="{side}" height="{side}" class="frame"/>'
    frame += f'<line x1="20" y1="{side + 10}" x2="{side + 20}" y2="10" class="whisker"/>'
    return _figure(side + 40, side + 30, frame + "".join(dots), "Calibration: right answers (up) against confidence (right)")


def _figure(width: float, height: float, content: str, caption: str) -> str:
    said = html.escape(caption)
    box = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}"'
    return f'<figure tabindex="0"><svg role="img" aria-label="{said}" {box}>{content}</svg><figcaption>{said}</figcaption></figure>'
