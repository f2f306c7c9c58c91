# ruff: noqa: E501  (a style sheet)
"""The style sheet of the tabs Replay, Scores and Settings, over Gradio's variables, in light and dark."""

from typing import Final

TABS_STYLE: Final = """
.first-screen { font-size: .95rem; } .help-now { border-left: 4px solid #b91c1c !important; }
button[role="tab"][aria-selected="true"] { color: var(--tab-good) !important; }
:root { --tab-good: #0f766e; --tab-warn: #b45309; --tab-bad: #b91c1c; --tab-soft: #5b6472; --tab-line: #d5d9df; --tab-now: #eef6f5; --tab-card: #ffffff; }
.dark { --tab-good: #5eead4; --tab-warn: #fbbf24; --tab-bad: #fca5a5; --tab-soft: #b3bac6; --tab-line: #3b424e; --tab-now: #16302e; --tab-card: #181b22; }
.replay, .scores, .facts { color: var(--body-text-color); line-height: 1.5; }
.replay header { display: flex; flex-wrap: wrap; gap: .2rem 1rem; justify-content: space-between; align-items: baseline; }
.replay header strong { font-size: 1.1rem; } .replay header span { color: var(--tab-soft); font-size: .9rem; }
.replay .strip { display: flex; gap: 2px; margin: .5rem 0 .9rem; height: 1.1rem; align-items: flex-end; }
.replay .strip i { flex: 1 1 0; min-width: 2px; height: .55rem; border-radius: 2px; background: var(--tab-line); }
.replay .strip .supporter { height: .25rem; background: var(--tab-soft); } .replay .strip .agrees { background: var(--tab-good); }
.replay .strip .differs { height: .85rem; background: var(--tab-warn); } .replay .strip .now { outline: 2px solid var(--body-text-color); outline-offset: 1px; }
.replay .said { border-left: 3px solid var(--tab-line); padding: .15rem .8rem; margin: .3rem 0; color: var(--tab-soft); overflow-wrap: anywhere; font-size: .93rem; }
.replay p, .scores p, .notice { margin: .3rem 0; } .replay .said p { margin: 0; white-space: pre-wrap; } .replay .said span { font-size: .85rem; color: var(--tab-soft); }
.replay .said.supporter { border-left-style: dashed; }
.replay .said.now { background: var(--tab-now); border-left-color: var(--tab-good); color: var(--body-text-color); border-radius: 0 .4rem .4rem 0; padding: .5rem .8rem; font-size: 1rem; }
.replay .verdict { font-weight: 600; margin: .9rem 0 .3rem; } .replay .verdict.agrees { color: var(--tab-good); } .replay .verdict.differs { color: var(--tab-warn); }
.replay .beside { width: 100%; border-collapse: collapse; table-layout: fixed; font-size: .92rem; background: var(--tab-card); }
.replay .beside th, .replay .beside td { text-align: left; vertical-align: top; padding: .45rem .6rem; border-bottom: 1px solid var(--tab-line); overflow-wrap: anywhere; }
.replay .beside th { font-weight: 600; } .replay .beside thead th, .replay .beside tbody th { color: var(--tab-soft); } .replay .beside thead th:first-child { width: 22%; }
.replay .beside tr.differs { box-shadow: inset 4px 0 0 var(--tab-warn); }
.replay .share { display: grid; grid-template-columns: minmax(5rem, 1fr) minmax(2rem, 5rem) 2.8rem; gap: .5rem; align-items: center; }
.replay .share span:last-child { text-align: right; font-variant-numeric: tabular-nums; } .replay .share:nth-of-type(n+2) { color: var(--tab-soft); }
.replay meter { width: 100%; height: .6rem; border: 0; border-radius: 3px; background: var(--tab-line); -webkit-appearance: none; appearance: none; }
.replay meter::-webkit-meter-bar { background: var(--tab-line); border: 0; border-radius: 3px; height: .6rem; } .replay meter::-webkit-meter-optimum-value { background: var(--tab-good); border-radius: 3px; } .replay meter::-moz-meter-bar { background: var(--tab-good); }
.replay details { margin: .7rem 0 0; } .replay summary { cursor: pointer; color: var(--tab-soft); }
.replay dl, .facts dl { display: grid; grid-template-columns: minmax(6rem, 11rem) 1fr; gap: .3rem .9rem; margin: .5rem 0; font-size: .9rem; }
.replay dt, .facts dt { color: var(--tab-soft); } .replay dd, .facts dd { margin: 0; overflow-wrap: anywhere; }
.replay-desk [tabindex="0"]:focus-visible { outline: 3px solid var(--tab-good); outline-offset: 4px; border-radius: .3rem; }
.notice { margin: .2rem 0; padding: .5rem .8rem; border-left: 3px solid var(--tab-good); background: var(--tab-now); color: var(--body-text-color); overflow-wrap: anywhere; }
.notice.problem { border-left-color: var(--tab-bad); color: var(--tab-bad); background: transparent; font-weight: 600; }
.facts h3, .scores h2 { font-weight: 600; } .facts h3 { font-size: 1.05rem; }
.scores .soft, .scores figcaption { color: var(--tab-soft); font-size: .88rem; }
.scores h2 { font-size: 1.15rem; margin: 1.4rem 0 .3rem; } .scores .scroll, .scores figure { overflow-x: auto; margin: .6rem 0; }
.scores table { border-collapse: collapse; font-size: .86rem; background: var(--tab-card); } .scores caption { text-align: left; font-weight: 600; padding: .3rem 0; }
.scores th, .scores td { text-align: left; white-space: nowrap; padding: .35rem .7rem; border-bottom: 1px solid var(--tab-line); font-variant-numeric: tabular-nums; }
.scores th { color: var(--tab-soft); font-weight: 600; } .scores tr td:first-child, .scores tr th:first-child { position: sticky; left: 0; background: var(--tab-card); font-weight: 600; }
.scores svg { max-width: 100%; min-width: 30rem; height: auto; } .scores svg text { fill: var(--body-text-color); font-size: 12px; } .scores .bar { fill: var(--tab-good); opacity: .75; } .scores .published { opacity: .3; }
.scores .whisker { stroke: var(--body-text-color); stroke-width: 1.5; }
.progress { display: grid; gap: .3rem; } .progress progress { width: 100%; height: .7rem; accent-color: var(--tab-good); }
@media (max-width: 640px) {
  .replay .beside thead th:first-child { display: none; } .replay .beside tr { display: grid; grid-template-columns: 1fr 1fr; border-bottom: 1px solid var(--tab-line); }
  .replay .beside tbody th { grid-column: 1 / -1; padding-bottom: 0; } .replay .beside th, .replay .beside td { border-bottom: 0; }
  .replay .share { grid-template-columns: 1fr 2.8rem; } .replay .share meter { grid-column: 1 / -1; grid-row: 2; }
}
@media (prefers-reduced-motion: reduce) { .replay *, .scores *, .progress * { animation: none !important; transition: none !important; } }
"""
