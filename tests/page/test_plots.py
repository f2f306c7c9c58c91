"""What the supporter sees, as figures: every value stands where a reader looks for it."""

import pytest

from rescue_agent.decisions import Edge, EmotionEstimate, RelationState
from rescue_agent.moment import Correction
from rescue_agent.page.plots import emotions, patterns, relation_graph

PEOPLE = ("Orla", "Pavel")


def felt(person, intensity, words="hurt"):
    return EmotionEstimate(person=person, description=words, intensity=intensity)


def graph(*edges, people=PEOPLE):
    return relation_graph(RelationState(edges=edges), people)


def hovers(figure):
    return [text for trace in figure.data for text in ([trace.hovertext] if isinstance(trace.hovertext, str) else trace.hovertext or ())]


def test_each_person_has_a_line_over_their_own_turns():
    figure = emotions([felt("Orla", 4), felt("Pavel", 6), felt("Orla", 8)], {}, PEOPLE)
    lines = {trace.name: (list(trace.x), list(trace.y)) for trace in figure.data}
    assert lines == {"Orla": ([1, 3], [4, 8]), "Pavel": ([2], [6])}


def test_a_persons_own_word_takes_the_place_of_what_was_read():
    figure = emotions([felt("Orla", 4), felt("Orla", 5)], {1: Correction(description="scared", intensity=9)}, PEOPLE)
    (line,) = figure.data
    assert list(line.y) == [4, 9]
    assert list(line.marker.symbol) == ["circle", "diamond"]
    assert "scared" in line.hovertext[1]


def test_beliefs_are_stacked_and_add_up_to_one_at_every_turn():
    figure = patterns([{"a_b": 0.7, "c": 0.3}, {"c": 1.0}])
    assert {trace.stackgroup for trace in figure.data} == {"belief"}
    assert [sum(shares) for shares in zip(*(trace.y for trace in figure.data), strict=True)] == pytest.approx([1, 1])


def test_an_edge_is_coloured_by_warmth_widened_by_tension_and_named_on_hover():
    cold = Edge(source="Orla", target="Pavel", warmth=-1, tension=1, viewpoint="Pavel won't hear it")
    warm = Edge(source="Pavel", target="Orla", warmth=1, tension=0)
    lines = [trace for trace in graph(cold, warm).data if trace.mode == "lines"]
    assert [line.line.color for line in lines] == ["rgb(217, 95, 2)", "rgb(43, 123, 186)"]
    assert lines[0].line.width > lines[1].line.width
    first = hovers(graph(cold))[0]
    assert "Orla → Pavel" in first
    assert "Pavel won&#x27;t hear it" in first


def test_an_edge_and_its_way_back_do_not_lie_on_each_other():
    there, back = (Edge(source=a, target=b) for a, b in (PEOPLE, PEOPLE[::-1]))
    bends = [(trace.x[1], trace.y[1]) for trace in graph(there, back).data if trace.mode == "lines"]
    assert bends[0] != bends[1]


def test_somebody_who_is_not_in_the_room_has_no_edge():
    assert [trace.mode for trace in graph(Edge(source="Orla", target="Nobody")).data] == ["markers+text"]


def test_names_and_viewpoints_are_text_in_every_figure():
    people = ("<b>Orla", "Pavel")
    edge = Edge(source="<b>Orla", target="Pavel", viewpoint="<a href='x'>")
    shown = [emotions([felt("<b>Orla", 3, "<i>sad")], {}, people), graph(edge, people=people), patterns([{"<u>": 1.0}])]
    assert not any(tag in str(figure.to_dict()) for figure in shown for tag in ("<b>Orla", "<i>sad", "<a href", "<u>"))


def test_nothing_is_drawn_before_anything_is_known():
    assert [trace.mode for trace in relation_graph(None, PEOPLE).data] == ["markers+text"]
    assert len(emotions([], {}, PEOPLE).data) == len(patterns([]).data) == 0
