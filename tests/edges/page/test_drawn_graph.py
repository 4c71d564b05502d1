"""Drawings of graphs: every neighbour stands in its own place, with what there is room for."""

from hypothesis import given
from hypothesis import strategies as st

from simonides.edges.page.drawn_graph import WIDTH, Neighbour, drawn

LABELS = st.text(max_size=300)
NEIGHBOURS = st.lists(
    st.builds(
        Neighbour,
        id=st.uuids().map(str),
        kind=st.sampled_from(["item", "entity"]),
        label=LABELS,
        relation=st.just("mentions"),
        outward=st.sampled_from([True, False, None]),
        weight=st.floats(0, 1000),
        struck=st.booleans(),
    ),
    max_size=30,
    unique_by=lambda one: one.id,
)


@given(NEIGHBOURS)
def test_rows_stand_below_one_another_within_the_drawing(neighbours):
    drawing = drawn(neighbours)
    assert [row.one for row in drawing.rows] == neighbours
    end = 0.0
    for row in drawing.rows:
        assert row.top >= end
        assert row.top < row.y < row.top + row.height
        assert all(row.y < y <= row.top + row.height for y, _ in row.lines)
        end = row.top + row.height
    assert drawing.height >= end


@given(NEIGHBOURS)
def test_labels_are_told_from_their_beginning_and_say_where_they_go_on(neighbours):
    for row in drawn(neighbours).rows:
        told = "".join("".join(line.split()) for _, line in row.lines)
        whole = "".join(row.one.label.split())
        assert len(row.lines) in (1, 2)
        assert told == whole or (told.endswith("…") and whole.startswith(told[:-1].rstrip(".…")))


@given(NEIGHBOURS, st.lists(st.tuples(st.integers(0, 31), st.integers(0, 31)), max_size=30))
def test_arcs_join_only_what_is_there_and_each_two_once(neighbours, pairs):
    ids = [one.id for one in neighbours] + ["elsewhere"]
    joined = [(ids[a % len(ids)], ids[b % len(ids)], "beside") for a, b in pairs]
    arcs = drawn(neighbours, joined).arcs
    expected = {frozenset((a, b)) for a, b, _ in joined if a != b and "elsewhere" not in (a, b)}
    assert len(arcs) == len(expected)
    for path, _ in arcs:
        assert max(float(x) for x in path[1:].replace("C", " ").split()[::2]) <= WIDTH
