"""Candidates: what each channel finds that no other does, and that it applies the selection before its limit."""

import numpy as np
import pytest

from simonides.errors import ProviderUnavailable
from simonides.recall.gather import latin_share, unspaced_share
from simonides.testing import FakeEmbedder


def contents(found):
    return [sketch.content for sketch in found.candidates.sketches]


@pytest.fixture
def silent(known_texts):
    """An embedder to which nothing means anything: only what is not found by meaning is found."""
    return known_texts()


@pytest.fixture
def store(open_memory, silent):
    return open_memory(embedder=silent)


# What each channel finds by itself


def test_the_text_channel_finds_words(store, asked):
    store.add(["the kettle is blue", "the tea is green"])
    with asked(store, "where is the kettle?") as found:
        assert contents(found) == ["the kettle is blue"]
        assert found.candidates.channels == ("text",)
        assert found.candidates.query.vectors is None
        assert found.candidates.query.trust == 0.0
    result = store.search("where is the kettle?")
    assert result.strategy == "text"


def test_the_vector_channel_finds_what_means_the_same(open_memory, known_texts, asked):
    embedder = known_texts(
        {"sick puppy": [1, 0, 0, 0], "my dog is ill": [4, 3, 0, 0], "we paint": [-1, 0, 0, 0]}
    )
    memory = open_memory(embedder=embedder)
    memory.add(["my dog is ill", "the tea is green", "we paint"])
    with asked(memory, "sick puppy") as found:
        # What points elsewhere, and what embeds to nothing, is no neighbour.
        assert contents(found) == ["my dog is ill"]
        assert found.candidates.channels == ("vectors",)
        assert found.candidates.cosine.tolist() == pytest.approx([0.8])
        assert found.candidates.query.trust == 1.0
    assert memory.search("sick puppy", min_relevance=0).strategy == "vectors"


def test_each_question_of_a_message_has_neighbours_of_its_own(open_memory, known_texts, asked):
    vectors = {
        "sick puppy?": [1, 0, 0, 0], "broken window?": [0, 1, 0, 0],
        "my dog is ill": [1, 0.1, 0, 0], "the glass is cracked": [0.1, 1, 0, 0],
    }  # fmt: skip
    memory = open_memory(embedder=known_texts(vectors))
    memory.add(["my dog is ill", "the tea is green", "the glass is cracked"])
    with asked(memory, "sick puppy? Also, broken window?") as found:
        assert contents(found) == ["my dog is ill", "the glass is cracked"]
        assert found.candidates.query.parts == ("sick puppy?", "broken window?")
        assert found.candidates.query.vectors.shape == (2, 4)
        assert len(found.candidates.matches) == 2
        # Each by the question that it is nearer to.
        assert found.candidates.cosine.tolist() == pytest.approx([1 / np.hypot(1, 0.1)] * 2, abs=1e-5)


def test_an_entity_is_found_by_another_name_of_it(store, asked):
    store.add(["feeds the cat", "waters the garden"], entities=["Petra Novak"])
    store.add("feeds the dog", entities=["Bo"])
    store.entities.alias("Petra Novak", "Pepa")
    with asked(store, "what does Pepa do?") as found:
        assert contents(found) == ["feeds the cat", "waters the garden"]
        # By its mentions; and by its words, since another name stands for them.
        assert found.candidates.channels == ("text", "entities")
        assert found.candidates.query.entities == ("Petra Novak",)
        assert found.candidates.entity.tolist() == [1.0, 1.0]
    result = store.search("what does Pepa do?", min_relevance=0)
    assert result.strategy == "text+entities"
    assert result.analysis["entities"] == ["Petra Novak"]


def test_the_share_of_the_entities_named_is_told_of_each_candidate(store, asked):
    store.add("they met in Riga", entities=["Petra Novak", "Bo Lind"])
    store.add("she sings", entities=["Petra Novak"])
    store.entities.alias("Petra Novak", "Pepa")
    with asked(store, "what did Pepa and Bo Lind do?") as found:
        shares = dict(zip(contents(found), found.candidates.entity.tolist(), strict=True))
        assert shares == {"they met in Riga": 1.0, "she sings": 0.5}


def test_a_time_finds_what_happened_in_it(store, asked):
    store.add("the roof leaked", event_at="2026-02-18")
    store.add("the cat was ill", event_at="2026-01-22")
    with asked(store, "what happened last week?") as found:
        assert contents(found) == ["the roof leaked"]
        assert found.candidates.channels == ("time",)
        assert found.candidates.window.tolist() == [1.0]
    # It is counted from the date of the question.
    with asked(store, "what happened last week?", at="2026-01-30") as found:
        assert contents(found) == ["the cat was ill"]


def test_a_former_wording_finds_what_took_its_place(store, clock, asked):
    (old,) = store.add("the blue kettle is in the hall").item_ids
    clock.advance(days=1)
    middle = store.correct(old, "a red pot is in the hall").item_id
    clock.advance(days=1)
    store.correct(middle, "everything has moved to Graz")
    clock.advance(days=1)
    with asked(store, "kettle") as found:
        assert contents(found) == ["everything has moved to Graz"]
        assert found.candidates.channels == ("former wording",)
    result = store.search("kettle", min_relevance=0)
    assert [hit.item.content for hit in result] == ["everything has moved to Graz"]
    assert result.strategy == "former wording"
    # Who asks for what was corrected as well is given it, and the link from what took its place.
    with asked(store, "kettle", archived=True) as found:
        assert contents(found) == ["the blue kettle is in the hall", "a red pot is in the hall"]
        assert found.candidates.channels == ("text", "links")


def test_a_link_finds_what_is_at_its_other_end_either_way(store, asked):
    ids = store.add(
        ["the kettle is blue", "paint from Graz", "a colour for guests", "the tea is green"]
    ).item_ids
    store.link(ids[0], ids[1], "references")
    store.link(ids[2], ids[0], "depends_on")
    with asked(store, "kettle") as found:
        assert contents(found) == ["the kettle is blue", "paint from Graz", "a colour for guests"]
        assert found.candidates.channels == ("text", "links")
        # The best seed gives all it has: .5 along a reference, .4 back to what depends on it.
        assert found.candidates.activation.tolist() == pytest.approx([0.0, 0.5, 0.4])
    assert store.search("kettle").strategy == "text+links"


def test_who_asks_why_is_led_to_the_cause(store, asked):
    cause, effect = store.add(["the pipe burst", "the kettle is rusty"]).item_ids
    store.link(cause, effect, "causal")
    for question, activation in (("why is the kettle rusty?", 1.0), ("is the kettle rusty?", 0.4)):
        with asked(store, question) as found:
            assert dict(zip(contents(found), found.candidates.activation.tolist(), strict=True)) == {
                "the pipe burst": pytest.approx(activation),
                "the kettle is rusty": 0.0,
            }


def test_what_is_pinned_is_always_looked_at_and_is_no_channel(store, asked):
    store.add("call me Ana", pinned=True)
    store.add(["the tea is green", "the kettle is blue"])
    with asked(store, "kettle") as found:
        assert contents(found) == ["call me Ana", "the kettle is blue"]
        assert found.candidates.channels == ("text",)
    with asked(store, "unknown words") as found:
        assert contents(found) == ["call me Ana"]
        assert found.candidates.channels == ()
    assert store.search("unknown words", min_relevance=0).strategy == "none"


def test_turns_up_to_two_places_beside_a_match_are_looked_at_and_are_no_channel(store, asked):
    turns = ["one", "two", "three", "the kettle is blue", "five", "six", "seven"]
    store.add([{"role": "user", "content": text} for text in turns], session_id="s")
    store.add([{"role": "user", "content": "elsewhere"}], session_id="t")
    with asked(store, "kettle") as found:
        assert contents(found) == ["two", "three", "the kettle is blue", "five", "six"]
        assert found.candidates.channels == ("text",)
        assert found.candidates.neighbours[1].tolist() == [1, 2, 3, 4, -1]
        assert found.candidates.neighbours[-2].tolist() == [-1, -1, 0, 1, 2]


def test_everything_is_found_once_and_in_the_order_of_its_keys(open_memory, asked):
    memory = open_memory()
    ids = memory.add(
        [{"content": f"the kettle of Petra Novak {n}", "event_at": "2026-02-18"} for n in range(9)],
        entities=["Petra Novak"],
        pinned=True,
    ).item_ids
    memory.link(ids[0], ids[1], "similar")
    memory.correct(memory.add("a lid of the kettle").item_ids[0], "everything is lost")
    with asked(memory, "what happened to the kettle of Petra Novak last week?") as found:
        keys = found.candidates.keys.tolist()
        assert keys == sorted(set(keys))
        assert [sketch.key for sketch in found.candidates.sketches] == keys
        assert len(set(contents(found))) == 10
        assert found.candidates.channels == ("text", "vectors", "entities", "time", "former wording", "links")
    assert (
        memory.search("what happened to the kettle of Petra Novak last week?", agenda=False).strategy
        == "text+vectors+entities+time+former wording+links"
    )


def test_an_empty_store_has_no_candidates(store, asked):
    with asked(store, "what did Ana do last week?") as found:
        assert len(found.candidates) == 0
        assert found.candidates.channels == found.candidates.degradations == ()


# Before the limit

#: Of many and of the wanted one: what their texts tell, so that no two are the same.
MANY, WANTED = [f"room {n}" for n in range(70)], ["the hall"]


def of_text(memory, places, **fields):
    # The wanted one matches worse.
    text = "blue kettle" if places is MANY else "somebody said something of a blue kettle that stood in"
    memory.add([f"{text} {place}" for place in places], **fields)


def of_vectors(memory, places, **fields):
    slant = 0.0 if places is MANY else 1.0
    texts = [f"tea in {place}" for place in places]
    vectors = {text: [1, slant, 0, 0] for text in texts}
    memory._parts.embedder._embedder.vectors |= vectors | {"blue kettle": [1, 0, 0, 0]}
    memory.add(texts, **fields)


def of_entities(memory, places, **fields):
    scope = fields.get("scope")
    memory.add([f"feeds the cat in {place}" for place in places], entities=["Petra Novak"], **fields)
    memory.entities.alias("Petra Novak", "Pepa", scope=scope)


def of_time(memory, places, **fields):
    # The latest come first.
    at = "2026-02-19" if places is MANY else "2026-02-17"
    memory.add([f"leak in {place}" for place in places], event_at=at, **fields)


def of_former_wording(memory, places, **fields):
    text = "blue kettle" if places is MANY else "somebody said something of a blue kettle that stood in"
    for item, place in zip(
        memory.add([f"{text} {place}" for place in places], **fields).item_ids, places, strict=True
    ):
        memory.correct(item, f"tea in {place}")


def of_links(memory, places, **fields):
    (anchor,) = memory.add(f"blue kettle with {len(places)} links", **fields).item_ids
    # What is linked more loosely comes later.
    weight = 1.0 if places is MANY else 0.5
    for item in memory.add([f"tea in {place}" for place in places], **fields).item_ids:
        memory.link(anchor, item, "similar", weight=weight)


def of_pins(memory, places, **fields):
    importance = 1.0 if places is MANY else 0.1
    memory.add([f"tea in {place}" for place in places], pinned=True, importance=importance, **fields)


CHANNELS = {
    "text": (of_text, "blue kettle"),
    "vectors": (of_vectors, "blue kettle"),
    "entities": (of_entities, "what does Pepa do?"),
    "time": (of_time, "what happened last week?"),
    "former wording": (of_former_wording, "blue kettle"),
    "links": (of_links, "blue kettle"),
    "pinned": (of_pins, "blue kettle"),
}
#: What the others are, what the wanted one is, and what is asked for.
CROWDS = {
    "scope": ({"scope": "user:bo"}, {"scope": "user:ana"}, {"scope": "user:ana"}),
    "type": ({"type": "note"}, {"type": "decision"}, {"types": ["decision"]}),
    "tag": ({"tags": ["hall"]}, {"tags": ["kitchen"]}, {"tags": ["kitchen"]}),
    "validity": ({"valid_from": "2026-02-28"}, {"valid_from": "2026-01-01"}, {"valid_at": "2026-02-27"}),
    "expiry": ({"expires_at": "2026-03-02"}, {}, {}),
}


#: What took the place of a wording is valid from then on, and expires no sooner than it is told to.
CASES = [(channel, crowd) for channel in CHANNELS for crowd in CROWDS
         if channel != "former wording" or crowd not in {"validity", "expiry"}]  # fmt: skip


@pytest.mark.parametrize(("channel", "crowd"), CASES)
def test_a_channel_finds_what_passes_however_much_does_not(store, clock, asked, channel, crowd):
    fill, question = CHANNELS[channel]
    others, wanted, filters = CROWDS[crowd]
    # Who is wanted is older, where the newest come first.
    fill(store, WANTED, **wanted)
    clock.advance(seconds=1)
    fill(store, MANY, **others)
    clock.advance(days=2)
    with asked(store, question, at="2026-03-01T12:00:00Z", **filters) as found:
        # Beside a link stands the item that it was followed from.
        own = [text for text in contents(found) if not text.startswith("blue kettle with")]
        assert [text.endswith("the hall") for text in own] == [True], own
        if channel != "pinned":
            assert channel in found.candidates.channels


def test_turns_beside_a_match_keep_to_the_selection(store, clock, asked):
    turns = [{"role": "user", "content": text} for text in ("first", "the kettle is blue", "last")]
    for turn in turns:
        store.add([turn], session_id="s", scope="user:ana")
        clock.advance(seconds=60)
    bounds = {"after": "2026-03-01T12:01:00Z", "before": "2026-03-01T12:02:00Z"}
    for filters, expected in (
        ({}, ["first", "the kettle is blue", "last"]),
        (bounds, ["the kettle is blue"]),
    ):
        with asked(store, "kettle", scope="user:ana", **filters) as found:
            assert contents(found) == expected
    with asked(store, "kettle", scope="user:bo") as found:
        assert contents(found) == []


def test_a_link_does_not_lead_out_of_the_scope(store, asked):
    (seen,) = store.add("the kettle is blue", scope="global").item_ids
    (hidden,) = store.add("a secret of Bo", scope="user:bo").item_ids
    store.link(seen, hidden, "similar")
    with asked(store, "kettle", scope="user:ana") as found:
        assert contents(found) == ["the kettle is blue"]
        assert found.candidates.channels == ("text",)
    with asked(store, "kettle", scope="user:bo") as found:
        assert contents(found) == ["the kettle is blue", "a secret of Bo"]


def test_a_complex_question_follows_two_links_in_a_row(store, asked):
    first, second, third, fourth = store.add(
        ["the kettle is blue", "paint from Graz", "a colour for guests", "the tea is green"], scope="user:ana"
    ).item_ids
    for src, dst in ((first, second), (second, third), (third, fourth)):
        store.link(src, dst, "references")
    with asked(store, "the kettle", scope="user:ana") as found:
        assert contents(found) == ["the kettle is blue", "paint from Graz"]
    with asked(store, "list everything on the kettle", scope="user:ana") as found:
        assert contents(found) == ["the kettle is blue", "paint from Graz", "a colour for guests"]
        # What it lets through is passed on; nothing flows back to where it came from.
        assert found.candidates.activation.tolist() == pytest.approx([0.0, 0.5, 0.25])


def test_nothing_out_of_sight_is_passed_through(store, asked):
    (seen,) = store.add("the kettle is blue", scope="global").item_ids
    (hidden,) = store.add("a secret of Bo", scope="user:bo").item_ids
    (behind,) = store.add("paint from Graz", scope="global").item_ids
    store.link(seen, hidden, "similar")
    store.link(hidden, behind, "similar")
    with asked(store, "list everything on the kettle", scope="user:ana") as found:
        assert contents(found) == ["the kettle is blue"]
    with asked(store, "list everything on the kettle", scope="user:bo") as found:
        assert contents(found) == ["the kettle is blue", "a secret of Bo", "paint from Graz"]


# What the question is to the channels


def test_the_name_of_who_speaks_is_looked_for_and_not_embedded(open_memory, silent, asked):
    memory = open_memory(embedder=silent)
    memory.add([{"role": "user", "name": "Ana Lovelace", "content": "the kettle is blue"}], session_id="s")
    silent.asked.clear()
    with asked(memory, "what did Ana say about the kettle?") as found:
        assert found.candidates.query.names == {"ana"}
        assert found.candidates.speaker.tolist() == [1.0]
    assert "what did say about the kettle?" in silent.asked


def test_a_question_of_a_name_alone_is_embedded_as_it_is(open_memory, silent, asked):
    memory = open_memory(embedder=silent)
    memory.add([{"role": "user", "name": "Ana", "content": "the kettle of Ana is blue"}], session_id="s")
    silent.asked.clear()
    with asked(memory, "Ana") as found:
        assert found.candidates.query.names == {"ana"}
    assert "Ana" in silent.asked


@pytest.mark.parametrize(
    ("text", "latin", "unspaced"),
    [
        ("where is it?", 1.0, 0.0), ("где он?", 0.0, 0.0), ("配置文件", 0.0, 1.0), ("", 1.0, 0.0), ("?!", 1.0, 0.0),
        ("12", 1.0, 0.0), ("été où", 1.0, 0.0), ("config 配置", 0.75, 0.25),
    ],
)  # fmt: skip
def test_scripts_are_told_by_the_letters_of_a_text(text, latin, unspaced):
    assert latin_share(text) == latin
    assert unspaced_share(text) == unspaced


class LatinEmbedder(FakeEmbedder):
    """An embedder to which other scripts mean nothing, although it gives vectors for them."""

    @property
    def multilingual(self):
        return False


def test_an_embedder_is_trusted_as_far_as_it_knows_the_script(open_memory, asked):
    memory = open_memory(embedder=LatinEmbedder(8))
    memory.add(["配置文件在服务器上", "the kettle is blue"])
    for question, trust, unspaced in (
        ("where is the kettle?", 1.0, False),
        ("配置文件在哪里?", 0.0, True),
        ("где чайник?", 0.0, False),
        ("配置 config?", 0.75, False),
    ):
        with asked(memory, question) as found:
            assert found.candidates.query.trust == pytest.approx(trust)
            assert found.candidates.query.unspaced == unspaced
            assert (found.candidates.cosine > 0).any() == (trust > 0)


# What a channel that fails leaves


def test_an_embedder_that_fails_is_a_degradation_and_the_others_go_on(open_memory, known_texts, asked):
    embedder = known_texts({"my dog is ill": [1, 0, 0, 0]})
    memory = open_memory(embedder=embedder)
    memory.add(["my dog is ill", "the tea is green"])
    embedder.error = ProviderUnavailable("nobody listens on port 11434")
    with asked(memory, "which dog?") as found:
        assert contents(found) == ["my dog is ill"]
        assert found.candidates.channels == ("text",)
        assert found.candidates.degradations == ("vectors: nobody listens on port 11434",)
        assert (found.candidates.query.vectors, found.candidates.query.trust) == (None, 0.0)
    assert memory.search("which dog?").degradations[0] == "vectors: nobody listens on port 11434"


class NamelessEmbedder(FakeEmbedder):
    """A remote embedder that answers, and then does not when it is asked what it is."""

    def __init__(self):
        super().__init__(8, local=False)

    @property
    def identity(self):
        raise ProviderUnavailable("the model was unloaded")


def test_an_embedder_that_cannot_say_what_it_is_is_a_degradation_too(open_memory):
    memory = open_memory(embedder=NamelessEmbedder())
    memory.add(["the kettle is blue", "the tea is green"])
    result = memory.search("where is the kettle?", min_relevance=0)
    assert result.hits[0].item.content == "the kettle is blue"
    assert result.strategy == "text"
    assert "vectors: the model was unloaded" in result.degradations


def test_a_profile_without_vectors_does_not_compare_any(open_memory, silent):
    memory = open_memory(embedder=silent)
    memory.add("the kettle is blue")
    question = "why is the kettle blue?"  # Its intent can be told without an embedder.
    for profile, embedded in (("classic", False), ("hebbian", False), ("balanced", True)):
        silent.asked.clear()
        assert memory.search(question, profile=profile).strategy == "text"
        assert (question in silent.asked) == embedded
