"""Laws that no ranking may break, whatever it has learned, as a caller sees it."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides import Memory
from simonides.domain.instant import iso
from simonides.domain.item import Validation
from simonides.domain.scope import ALL
from simonides.recall.question.speech import Act, act_of_turn
from simonides.testing import FakeEmbedder, FrozenClock
from tests.prepared import copied

WORDS = (
    "kettle",
    "blue",
    "garden",
    "rent",
    "paint",
    "Friday",
    "train",
    "cake",
    "lamp",
    "seven",
    "door",
    "I",
    "we",
)
TEXTS = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join),
    min_size=2, max_size=10, unique=True,
)  # fmt: skip


@settings(max_examples=30)
@given(
    texts=TEXTS, seed=st.integers(0, 999), question=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4)
)
def test_the_order_in_which_undated_notes_were_stored_does_not_matter(
    tmp_path_factory, texts, seed, question
):
    turned = random.Random(seed).sample(texts, len(texts))
    told: list[dict[str, float]] = []
    for notes in (texts, turned):
        folder = tmp_path_factory.mktemp("notes")
        with Memory(folder / "m.db", embedder=FakeEmbedder(), clock=FrozenClock("2026-03-01")) as memory:
            for note in notes:
                memory.add(note)
            result = memory.search(f"what of {' '.join(question)}?", k=len(texts))
            told.append({hit.item.content: hit.score for hit in result})
    assert told[1] == pytest.approx(told[0], abs=1e-5)


def test_of_what_ties_the_newest_comes_first(fresh):
    with Memory(fresh, embedder=FakeEmbedder()) as memory:
        ids = [memory.add("The kettle is blue", scope=f"user:u{n}/project:p").item_ids[0] for n in range(5)]
        assert [hit.item.id for hit in memory.search("kettle", scope=ALL, profile="classic", k=5)][:1] == ids[
            -1:
        ]


# Opposites: two notes that answer one question, first one of them favoured, then the other

PAIRS = (
    (
        "what is the rent of the workshop?",
        "The rent of the workshop is {}.",
        "900 euros a month",
        "a thousand euros",
    ),
    ("where does Mia live?", "Mia lives in {}.", "Turku", "a small flat in Oslo"),
    (
        "when is the meeting about the roof?",
        "The meeting about the roof is {}.",
        "on Friday",
        "on Monday at nine",
    ),
    ("which server do we deploy to?", "We deploy to {}.", "falcon-3 in Paris", "heron-1"),
    ("what is Ana's favourite tea?", "Ana's favourite tea is {}.", "green tea with mint", "rooibos"),
    ("who feeds the cat?", "{} feeds the cat.", "Petra", "Our neighbour Ruben"),
    ("what colour is the door?", "The door is {}.", "blue", "painted red on both sides"),
    ("how many people come to the dinner?", "{} people come to the dinner.", "Seven", "Twelve"),
    ("где живёт Миша?", "Миша живёт {}.", "в Туле", "в Казани у брата"),
    ("项目什么时候发布？", "项目{}发布。", "星期五", "下个月初"),
)
BOTH_WAYS = [(pair, favoured) for pair in PAIRS for favoured in (0, 1)]
both_ways = pytest.mark.parametrize(("pair", "favoured"), BOTH_WAYS, ids=lambda some: str(some)[:24])


@pytest.fixture
def clock():
    return FrozenClock("2026-03-01")


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """A store with two notes about other things."""
    path = tmp_path_factory.mktemp("begun") / "memory.db"
    with Memory(path, clock=FrozenClock("2026-03-01")) as memory:
        memory.add(["The cellar is damp.", "We walk to the lake on Sundays."])
    return path


@pytest.fixture
def two(tmp_path, clock, begun):
    """A memory with the two notes of a pair, and with others; the favoured one stored first or second."""
    memories = []

    def made(pair, favoured, better, worse, first):
        _, form, *values = pair
        memory = Memory(copied(begun, tmp_path / f"{len(memories)}.db"), clock=clock)
        memories.append(memory)
        order = (favoured, 1 - favoured) if first else (1 - favoured, favoured)
        ids = {
            n: memory.add(
                form.format(values[n]), type="fact", **(better if n == favoured else worse)
            ).item_ids[0]
            for n in order
        }
        return memory, ids[favoured], ids[1 - favoured]

    yield made
    for memory in memories:
        memory.close()


def ranked(memory, pair, **fields):
    result = memory.search(pair[0], **fields)
    for hit in result:
        assert sum(hit.signals.values()) == pytest.approx(hit.score, abs=1e-4)
    return [hit.item.id for hit in result]


def ahead(memory, pair, better, worse, **fields):
    found = ranked(memory, pair, **fields)
    return found.index(better) < found.index(worse)


def become(memory, item_id, **changes):
    item = replace(memory.get(item_id), **changes)
    memory._parts.store.write(lambda tx: tx.revise(item, reason="test", action="update"))


@both_ways
def test_verified_comes_before_contested(two, pair, favoured):
    for first in (True, False):
        memory, better, worse = two(pair, favoured, {}, {}, first)
        memory.confirm(better)
        become(memory, worse, validation=Validation.CONTESTED)
        assert ahead(memory, pair, better, worse)


@both_ways
def test_what_nobody_contests_comes_before_what_is_contested_though_that_is_newer(two, pair, favoured):
    memory, better, worse = two(
        pair, favoured, {"event_at": "2025-01-01"}, {"event_at": "2025-06-01"}, first=True
    )
    become(memory, worse, validation=Validation.CONTESTED)
    assert ahead(memory, pair, better, worse)


@both_ways
def test_reinforced_comes_before_demoted(two, pair, favoured):
    for first in (True, False):
        memory, better, worse = two(pair, favoured, {}, {}, first)
        for _ in range(10):
            memory.reinforce(better)
            memory.demote(worse)
        assert ahead(memory, pair, better, worse)


@both_ways
def test_the_newest_comes_first_by_when_it_happened(two, pair, favoured):
    for first in (True, False):
        memory, better, worse = two(
            pair, favoured, {"event_at": "2025-06-01"}, {"event_at": "2025-01-01"}, first
        )
        assert ahead(memory, pair, better, worse)


@both_ways
def test_what_was_stored_a_day_later_comes_first(fresh, clock, pair, favoured):
    with Memory(fresh, clock=clock) as memory:
        _, form, *values = pair
        (worse,) = memory.add(form.format(values[1 - favoured]), type="fact").item_ids
        clock.advance(days=1)
        (better,) = memory.add(form.format(values[favoured]), type="fact").item_ids
        assert ahead(memory, pair, better, worse)


@both_ways
def test_what_was_replaced_stands_behind_what_replaced_it(fresh, clock, pair, favoured):
    with Memory(fresh, clock=clock) as memory:
        _, form, *values = pair
        (old,) = memory.add(form.format(values[1 - favoured]), type="fact").item_ids
        clock.advance(days=1)
        new = memory.correct(old, form.format(values[favoured])).item_id
        assert ranked(memory, pair)[0] == new
        assert old not in ranked(memory, pair)
        assert ahead(memory, pair, new, old, archived=True)


@both_ways
def test_what_has_ended_or_not_begun_is_not_given_as_current_but_on_request(two, pair, favoured):
    for bounds, then in (
        ({"valid_from": "2024-01-01", "valid_until": "2025-01-01"}, "2024-06-01"),
        ({"valid_from": "2027-01-01"}, "2027-06-01"),
    ):
        memory, now, other = two(pair, favoured, {}, bounds, first=False)
        assert ranked(memory, pair)[0] == now
        assert other not in ranked(memory, pair)
        assert other in ranked(memory, pair, valid_at=then)
        assert other in ranked(memory, pair, at=then)
        assert other not in [item.id for item in memory.context(pair[0]).items]
        assert other in {item.id for item in memory.list()}


@pytest.mark.parametrize(
    ("question", "ended", "to_come"),
    [
        ("where does Mia live?", False, False),
        ("where does Mia live now?", False, False),
        ("where did Mia live before?", True, False),
        ("where did Mia live in 2024?", True, False),
        ("where did Mia use to live?", True, False),
        ("where will Mia live?", False, True),
        ("where will Mia live next year?", False, True),
        ("где живёт Mia?", False, False),
        ("где жила Mia раньше?", True, False),
        ("где будет жить Mia?", False, True),
        ("où habite Mia maintenant ?", False, False),
        ("où habitait Mia avant ?", True, False),
        ("Mia现在住在哪里？", False, False),
        ("Mia以前住在哪里？", True, False),
        ("Mia以后住在哪里？", False, True),
    ],
)
def test_a_question_about_another_time_is_given_what_held_then(fresh, clock, question, ended, to_come):
    with Memory(fresh, clock=clock) as memory:
        memory.add("Mia lives in Turku.", type="fact")
        memory.add("Mia lives in Oslo.", type="fact", valid_from="2023-01-01", valid_until="2025-01-01")
        memory.add("Mia lives in Rome.", type="fact", valid_from="2027-01-01")
        found = {hit.item.content for hit in memory.search(question)}
        assert ("Mia lives in Oslo." in found, "Mia lives in Rome." in found) == (ended, to_come)
        assert "Mia lives in Turku." in found


# The same of the other profiles, as far as their formulas say so (docs/profiles.md): between notes that say the same

EVERY_PROFILE = ("balanced", "weighted", "rrf", "classic", "hebbian", "strict")


def verified_and_contested(memory, better, worse):
    memory.confirm(better)
    become(memory, worse, validation=Validation.CONTESTED)


def reinforced_and_demoted(memory, better, worse):
    memory.reinforce(better)
    memory.demote(worse)


def more_and_less_important(memory, better, worse):
    become(memory, better, importance=1.0)
    become(memory, worse, importance=0.2)


CLAIMS = [
    (verified_and_contested, ("balanced", "weighted")),
    (reinforced_and_demoted, ("balanced", "hebbian")),
    (more_and_less_important, ("classic",)),
]


@pytest.mark.parametrize(("stand", "profiles"), CLAIMS)
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair[0][:24])
def test_what_a_profile_weighs_decides_between_notes_that_say_the_same(
    tmp_path, clock, begun, pair, profiles, stand
):
    text = pair[1].format(pair[2])
    texts = (text, f"{text} Well.")
    for favoured in (0, 1):
        with Memory(copied(begun, tmp_path / f"{favoured}.db"), clock=clock) as memory:
            ids = [memory.add(one, type="fact").item_ids[0] for one in texts]
            stand(memory, ids[favoured], ids[1 - favoured])
            for profile in profiles:
                found = [hit.item.id for hit in memory.search(text, profile=profile, min_relevance=0)]
                assert found.index(ids[favoured]) < found.index(ids[1 - favoured]), profile


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair[0][:24])
def test_no_profile_gives_what_was_replaced_has_ended_or_not_begun(fresh, clock, pair):
    _, form, one, other = pair
    with Memory(fresh, clock=clock) as memory:
        (now,) = memory.add(form.format(one), type="fact").item_ids
        (ended,) = memory.add(form.format(other), type="fact", valid_until="2025-01-01").item_ids
        (coming,) = memory.add(form.format(other), type="decision", valid_from="2027-01-01").item_ids
        (old,) = memory.add(form.format(other), type="note").item_ids
        new = memory.correct(old, form.format(f"{other} {one}")).item_id
        for profile in EVERY_PROFILE:
            result = memory.search(form.format(""), profile=profile, min_relevance=0)
            found = {hit.item.id for hit in result}
            assert {now, new} <= found, profile
            assert not {ended, coming, old} & found, profile


@pytest.mark.parametrize("ahead_s", [0, 1, 60])
def test_a_correction_by_a_clock_that_is_a_little_ahead_is_found_by_the_others(fresh, clock, ahead_s):
    form, *values = "The lease of the mill ends in {}.", "May", "June"
    with Memory(fresh, clock=clock) as memory:
        old = memory.add(form.format(values[0]), type="fact").item_id
        clock.advance(days=1)
        new = memory.correct(old, form.format(values[1])).item_id
        to_come = memory.add(
            form.format("July"), type="note", valid_from=iso(clock.now() + 61_000_000)
        ).item_id
        clock.advance(seconds=-ahead_s)
        for profile in EVERY_PROFILE:
            found = [hit.item.id for hit in memory.search(form.format(""), profile=profile, min_relevance=0)]
            assert new in found, profile
            assert to_come not in found, profile
        context = memory.context("When does the lease of the mill end?")
        assert [item.id for item in context.items] == [new]
        assert "from" not in context.text
        past = iso(clock.now() - 3_600_000_000)
        assert new not in {hit.item.id for hit in memory.search("lease of the mill", valid_at=past)}


# Who is named, and what only asks

NAMED = (
    ("what is Rex allergic to?", "Allergic to {}.", "Rex", "chicken", "pollen and dust"),
    ("when does Petra come?", "Comes {}.", "Petra", "on Friday", "on Monday at nine"),
    ("what does the Apollo project cost?", "The project costs {}.", "Apollo", "900 euros", "a thousand euros a month"),
    ("where does Mia live?", "Lives in {}.", "Mia", "Turku", "a small flat in Oslo"),
    ("which server does Falcon run on?", "It runs on {}.", "Falcon", "heron-1", "the old machine in Paris"),
    ("what is Ana's favourite tea?", "The favourite tea is {}.", "Ana", "green tea with mint", "rooibos"),
    ("what colour is Ruben's door?", "The door is {}.", "Ruben", "blue", "painted red on both sides"),
    ("how old is Bella?", "She is {} years old.", "Bella", "seven", "twelve and a half"),
    ("где живёт Миша?", "Живёт {}.", "Миша", "в Туле", "в Казани у брата"),
    ("Lena什么时候来？", "{}来。", "Lena", "星期五", "下个月初"),
)  # fmt: skip
named = pytest.mark.parametrize("pair", NAMED, ids=lambda pair: pair[2])


@pytest.mark.parametrize("others", [["Somebody"], []], ids=["somebody", "nobody"])
@named
def test_a_note_about_whom_the_question_names_comes_first(tmp_path, clock, begun, pair, others):
    question, form, name, *values = pair
    for number, (favoured, first) in enumerate((f, o) for f in (0, 1) for o in (True, False)):
        with Memory(copied(begun, tmp_path / f"{number}.db"), clock=clock) as memory:
            ids = {
                n: memory.add(
                    form.format(values[n]), type="fact", entities=[name] if n == favoured else others
                ).item_ids[0]
                for n in ((favoured, 1 - favoured) if first else (1 - favoured, favoured))
            }
            found = [hit.item.id for hit in memory.search(question)]
            assert found.index(ids[favoured]) < found.index(ids[1 - favoured])


ALIASES = (
    ("what is {} allergic to?", "{} is allergic to chicken.", "Robert", "Bob", "Tom"),
    ("where does {} live?", "{} lives in Turku.", "Katharina", "Kate", "Mia"),
    ("when does {} come?", "{} comes on Friday.", "Elizabeth", "Liz", "Nora"),
    ("what does {} cost?", "{} costs 900 euros.", "New York", "NYC", "Oslo"),
    ("how old is {}?", "{} is seven years old.", "Alexander", "Sasha", "Pavel"),
    ("which server does {} run on?", "{} runs on heron-1.", "Apollo", "the moon project", "Falcon"),
    ("what is {}'s favourite tea?", "The favourite tea of {} is rooibos.", "Margaret", "Peggy", "Ana"),
    ("who feeds {}?", "Petra feeds {}.", "William", "Bill", "Rex"),
    ("где живёт {}?", "{} живёт в Туле.", "Александр", "Саша", "Миша"),
    ("{}什么时候来？", "{}星期五来。", "伊丽莎白", "小白", "小红"),
)


@pytest.mark.parametrize("by", ["name", "alias"])
@pytest.mark.parametrize("pair", ALIASES, ids=lambda pair: pair[2])
def test_a_note_by_another_name_of_whom_the_question_names_comes_first(
    tmp_path, empty_store, clock, pair, by
):
    question, form, *names, other = pair
    asked, told = names if by == "name" else names[::-1]
    for number, order in enumerate(((told, other), (other, told))):
        with Memory(copied(empty_store, tmp_path / f"{number}.db"), clock=clock) as memory:
            memory.add(["The cellar is damp.", "We walk to the lake on Sundays."])
            memory.add(f"{names[0]} is a friend.", entities=[names[0]])
            memory.entities.alias(*names)
            for name in order:
                memory.add(form.format(name), type="fact")
            found = [hit.item.content for hit in memory.search(question.format(asked))]
            assert found.index(form.format(told)) < [*found, form.format(other)].index(form.format(other))


SLIPS = (
    ("where does {} work?", "{} works at the harbour.", "Michael", "Micheal", "Simone"),
    ("where does {} live?", "{} lives in Turku.", "Katharina", "Katarina", "Josephine"),
    ("what is {} allergic to?", "{} is allergic to chicken.", "Kowalski", "Kowalsky", "Petersen"),
    ("when does {} come?", "{} comes on Friday.", "Elizabeth", "Elisabeth", "Frederick"),
    ("how old is {}?", "{} is seven years old.", "Alexander", "Alexnader", "Benjamin"),
    ("who feeds {}?", "Petra feeds {}.", "Caroline", "Carolien", "Whiskers"),
    ("wann kommt {}?", "{} kommt am Freitag.", "Friedrich", "Freidrich", "Wilhelm"),
    ("¿dónde vive {}?", "{} vive en Vigo.", "Fernández", "Fernándes", "Martínez"),
    ("où habite {} ?", "{} habite à Lyon.", "Geneviève", "Genevieve", "Dominique"),
    ("где живёт {}?", "{} живёт в Туле.", "Владимир", "Владмир", "Екатерина"),
)


@pytest.mark.parametrize("pair", SLIPS, ids=lambda pair: pair[2])
def test_a_slip_in_a_name_does_not_hide_who_is_meant(tmp_path, empty_store, clock, pair):
    question, form, name, slip, other = pair
    for number, order in enumerate(((name, other), (other, name))):
        with Memory(copied(empty_store, tmp_path / f"{number}.db"), clock=clock) as memory:
            memory.add(["The cellar is damp.", "We walk to the lake on Sundays."])
            for one in order:
                memory.add(form.format(one), type="fact")
            assert memory.search(question.format(slip)).hits[0].item.content == form.format(name)


ASKED = (
    ("what is the rent of the workshop?", "What is the rent of the workshop?",
     "The rent of the workshop is 900 euros a month."),
    ("where does Mia live?", "Where does Mia live?", "Mia lives in Turku."),
    ("when is the meeting about the roof?", "When is the meeting about the roof?",
     "The meeting about the roof is on Friday."),
    ("which server do we deploy to?", "Which server do we deploy to?", "We deploy to falcon-3 in Paris."),
    ("what is Ana's favourite tea?", "What is Ana's favourite tea?", "Ana's favourite tea is green tea with mint."),
    ("who feeds the cat?", "Who feeds the cat while we are away?", "Petra feeds the cat."),
    ("what colour is the door?", "What colour is the door, do you know?", "The door is blue."),
    ("how many people come to the dinner?", "How many people come to the dinner?",
     "Seven people come to the dinner."),
    ("где живёт Миша?", "Где живёт Миша?", "Миша живёт в Туле."),
    ("项目什么时候发布？", "项目什么时候发布？", "项目星期五发布。"),
)  # fmt: skip


@pytest.mark.parametrize("stored", ["as notes", "in a chat", "in two chats"])
@pytest.mark.parametrize("pair", ASKED, ids=lambda pair: pair[0])
def test_a_statement_comes_before_what_only_asks_the_same(tmp_path, empty_store, clock, pair, stored):
    question, asks, states = pair
    for number, texts in enumerate(([asks, states], [states, asks])):
        with Memory(copied(empty_store, tmp_path / f"{number}.db"), clock=clock) as memory:
            memory.add(["The cellar is damp.", "We walk to the lake on Sundays."])
            if stored == "as notes":
                memory.add(texts)
            elif stored == "in a chat":
                memory.add([{"role": "user", "content": text} for text in ("Hello.", *texts, "Fine.")])
            else:
                for name, text in zip("ab", texts, strict=True):
                    memory.add([{"role": "user", "content": text}], session_id=name)
                    clock.advance(days=1)
            found = [hit.item.content for hit in memory.search(question)]
            assert found.index(states) < found.index(asks)


#: A question, a turn that shares words with it and states nothing, and the answer.
NOTHING_STATED = (
    ("Where are we going in August?", "Plan a trip through August for two couples",
     "We're off to Gdansk on 9 August."),
    ("What is my husband called?", "Invent six names for a husband in a novel", "I married Ivo in May."),
    ("Where do I work?", "Draft a letter about where people work", "I got a job at the harbour office."),
    ("Wo feiern wir Silvester?", "Nenne fünf Ideen für Silvester", "Wir feiern am Jahresende in Bregenz."),
    ("¿Dónde es la boda de Eva?", "Escribe un discurso para una boda", "Eva se casa en Lugo."),
    ("Où dînons-nous samedi ?", "Propose un menu pour un dîner de samedi", "Samedi, table réservée chez Paul."),
    ("Куда мы едем летом?", "Составь план на лето для студента", "В июле мы летим в Батуми."),
    ("我们几号搬家？", "写一首关于搬家的诗", "我们九号搬到新房子。"),
    ("What do I pay the gardener?", "Great, thanks, the gardener!", "The gardener gets 30 euros from me."),
)  # fmt: skip


@pytest.mark.parametrize("question", NOTHING_STATED, ids=lambda case: case[0])
def test_a_statement_comes_before_a_turn_that_orders_or_thanks(tmp_path, empty_store, clock, question):
    asked, order, states = question
    for number, texts in enumerate(([order, states], [states, order])):
        with Memory(copied(empty_store, tmp_path / f"{number}.db"), clock=clock) as memory:
            for name, text in zip("abcd", (*texts, "The bus was late.", "The bins are full."), strict=True):
                memory.add([{"role": "user", "content": text}], session_id=name)
                clock.advance(days=1)
            found = [hit.item.content for hit in memory.search(asked)]
            assert order not in found or found.index(states) < found.index(order)


#: A question, a long request that tells by the way what is asked for, and a statement that shares words with it.
TOLD_BY_THE_WAY = (
    ("What does my recipe app run on?",
     ("Could you help me write the login page of my recipe app, which runs on Flask with SQLite and Jinja templates "
     "behind nginx, and explain each of the steps?"),
     "The recipe app is fun to run."),
    ("Which city is my workshop on beekeeping in?",
     ("Draft an invitation to a free workshop on beekeeping in Leiden for the neighbours of our allotment "
     "and everybody in our street."),
     "My workshop on beekeeping went well."),
)  # fmt: skip


@pytest.mark.parametrize("question", TOLD_BY_THE_WAY, ids=lambda case: case[0])
def test_a_long_request_counts_by_what_it_tells(tmp_path, empty_store, clock, question):
    asked, request, states = question
    assert act_of_turn(request) is Act.ASKS
    for number, texts in enumerate(([request, states], [states, request])):
        with Memory(copied(empty_store, tmp_path / f"{number}.db"), clock=clock) as memory:
            for name, text in zip("abcd", (*texts, "The bus was late.", "The bins are full."), strict=True):
                memory.add([{"role": "user", "content": text}], session_id=name)
                clock.advance(days=1)
            told = {hit.item.content: hit for hit in memory.search(asked)}
            assert told[request].score > told[states].score - 2


#: A question about oneself, what one said of it in other words, and what was said of somebody else in its words.
WHOSE = (
    ("What am I allergic to?", "I break out in a rash from latex.", "My cousin Olga is allergic to bees."),
    ("Where do I live?", "I rent a loft in Ghent.", "Our friend Tom lives in Lille."),
    ("Where do I work?", "I started at the harbour office in May.", "My brother works at the dairy."),
    ("When is my birthday?", "I came into the world on 2 July 1980.", "My niece Ada's birthday is 9 June."),
    ("What did I study?", "I graduated in botany.", "My sister Ida studied law in Leiden."),
    ("Wo arbeite ich?", "Ich habe eine Stelle im Hafenamt.", "Mein Bruder arbeitet in der Molkerei."),
    ("¿Dónde trabajo?", "Me han contratado en el puerto.", "Mi hermana trabaja en la lechería."),
    ("Où est-ce que je travaille ?", "J'ai trouvé un poste au port.", "Ma sœur travaille à la laiterie."),
    ("Где я работаю?", "Меня взяли в порт.", "Моя сестра работает в пекарне."),
    ("我在哪里工作？", "我在港口找到了工作。", "我妹妹在奶厂工作。"),
)


@pytest.mark.parametrize("extracted", [False, True])
@pytest.mark.parametrize("case", WHOSE, ids=lambda case: case[0])
def test_what_was_said_of_somebody_else_is_no_answer_about_oneself(
    tmp_path, empty_store, clock, case, extracted
):
    question, own, theirs = case
    for number, texts in enumerate(([own, theirs], [theirs, own])):
        with Memory(copied(empty_store, tmp_path / f"{number}.db"), clock=clock) as memory:
            for name, text in zip("abcd", (*texts, "The bus was late.", "The bins are full."), strict=True):
                memory.add([{"role": "user", "content": text}], session_id=name, user_id="ana")
                clock.advance(days=1)
            if extracted:
                memory.extract()
            found = [hit.item.content for hit in memory.search(question, user_id="ana")]
            assert theirs not in found or found.index(own) < found.index(theirs)


NAMES = st.sampled_from(["wheel", "cellar", "lamp", "harbour"])


@settings(max_examples=25)
@given(
    form=st.sampled_from(["--no-{}", "--{}=all", "@{}", "#{}", "${}", "%{}s", "/{}/top", "{}.run()", "-{}"]),
    name=NAMES,
    question=st.sampled_from(
        ["{}", "when do I need {}?", "wozu dient {}?", "зачем нужен {}?", "what is `{}` for"]
    ),
    first=st.booleans(),
)
def test_what_holds_a_flag_or_another_literal_of_the_question_comes_first(
    tmp_path_factory, form, name, question, first
):
    literal = form.format(name)
    holds = f"On Tuesdays the job is started with {literal} by Ben."
    others = [
        f"The {name} is cleaned by hand, and nobody else touches the {name}.",
        f"What {name} do I need?",
    ]
    texts = [holds, *others] if first else [*others, holds]
    with Memory(tmp_path_factory.mktemp("literals") / "m.db") as memory:
        memory.add([*texts, f"Set {name.upper()}=1 first.", "Lunch is at noon."])
        assert memory.search(question.format(literal)).hits[0].item.content == holds


VALID = st.tuples(st.none() | st.integers(0, 9), st.none() | st.integers(0, 9))


@settings(max_examples=25)
@given(bounds=st.lists(VALID, min_size=1, max_size=6), now=st.integers(0, 9))
def test_a_search_sees_what_holds_at_the_time_of_asking_and_nothing_else(tmp_path_factory, bounds, now):
    clock = FrozenClock("2026-01-01")
    day = [f"2026-02-{n + 1:02d}" for n in range(10)]
    with Memory(tmp_path_factory.mktemp("valid") / "m.db", embedder=FakeEmbedder(), clock=clock) as memory:
        wanted = set()
        for number, (start, end) in enumerate(bounds):
            if start is not None and end is not None and start >= end:
                continue
            fields = {"valid_from": start, "valid_until": end}
            dated = {name: day[value] for name, value in fields.items() if value is not None}
            (item,) = memory.add(f"The kettle number {number} is blue", **dated).item_ids
            if (start is None or start <= now) and (end is None or end > now):
                wanted.add(item)
        assert {hit.item.id for hit in memory.search("which kettle is blue?", at=day[now])} == wanted


def test_of_five_versions_the_newest_comes_first_however_they_were_stored(tmp_path, empty_store):
    for seed in range(8):
        months = random.Random(seed).sample(range(1, 6), 5)
        with Memory(copied(empty_store, tmp_path / f"{seed}.db"), clock=FrozenClock("2026-03-01")) as memory:
            for month in months:
                memory.add(
                    f"The rent of the workshop is {870 + 17 * month} euros", event_at=f"2025-0{month}-03"
                )
            for question in ("what is the rent of the workshop?", "how much do we pay for the workshop?"):
                assert memory.search(question).hits[0].item.content.endswith(f"{870 + 17 * 5} euros")


GOING_ON = (
    (
        "That went well! My legs hurt a bit now. What comes next in the {}?",
        "The {} plan has two runs a week.",
        ("swimming", "marathon"),
    ),
    (
        "Das lief gut. Der Chef war zufrieden. Was fehlt noch beim {}?",
        "Beim {} fehlen noch zwei Seiten.",
        ("Bericht", "Prospekt"),
    ),
    ("测试通过了。大家都很高兴。{}还缺什么？", "{}还缺两页。", ("报告", "网站")),
)


def going_on(tmp_path, case, new, message=None):
    """Two notes about a message's matter, best first, of which the one about `new` was told last; what each gains."""
    asked, form, things = case
    clock = FrozenClock("2026-03-01")
    days = ("2025-09-01", "2026-02-27")
    with Memory(tmp_path / f"{new}{message is None}.db", clock=clock) as memory:
        memory.add("The cellar is damp.", event_at="2026-02-27")
        memory.add("We walk to the lake on Sundays.", event_at="2025-09-01")
        ids = {
            memory.add(form.format(thing), event_at=days[thing == things[new]]).item_ids[0]: thing
            for thing in things
        }
        found = memory.search(message or asked.format(" / ".join(things)))
        for hit in found:
            assert sum(hit.signals.values()) == pytest.approx(hit.score, abs=1e-4)
        hits = [hit for hit in found if hit.item.id in ids]
        gained = {ids[hit.item.id]: hit.signals.get("time", 0.0) for hit in hits}
        return [ids[hit.item.id] for hit in hits], gained


@pytest.mark.parametrize("new", [0, 1])
@pytest.mark.parametrize("case", GOING_ON, ids=lambda case: case[0][:20])
def test_a_message_goes_on_with_what_was_said_lately(tmp_path, case, new):
    order, gained = going_on(tmp_path, case, new)
    assert order[0] == case[2][new]
    assert gained[case[2][new]] > 1
    assert gained[case[2][1 - new]] < 0.1


@pytest.mark.parametrize(
    "message",
    [
        "What is in the plan?",
        "That went well! What comes next in the swimming / marathon plan?",
        "That went well! My legs hurt. What was in the swimming plan in September 2025?",
    ],
)
def test_a_question_or_one_that_names_a_time_gains_nothing_for_what_is_new(tmp_path, message):
    for new in (0, 1):
        _, gained = going_on(tmp_path, GOING_ON[0], new, message)
        assert gained[GOING_ON[0][2][new]] < 0.5


def test_what_is_contested_gains_nothing_by_being_new(fresh):
    clock = FrozenClock("2026-03-01")
    asked = "The paint is dry. It looks fine now. What is the rent of the workshop?"
    with Memory(fresh, clock=clock) as memory:
        old, new = (
            memory.add(f"The rent of the workshop is {rent} euros.", event_at=day).item_ids[0]
            for rent, day in ((900, "2025-09-01"), (1_000, "2026-02-28"))
        )
        assert memory.search(asked).hits[0].item.id == new
        become(memory, new, validation=Validation.CONTESTED)
        assert memory.search(asked).hits[0].item.id == old


@pytest.mark.parametrize("day", ["2026-03-02", "2027-01-01"])
def test_what_is_of_a_later_time_was_not_said_lately(fresh, day):
    asked = "The paint is dry. It looks fine now. What is planned for the workshop?"
    with Memory(fresh, clock=FrozenClock("2026-03-01")) as memory:
        old, to_come = (
            memory.add(f"{what} is planned for the workshop.", event_at=at).item_ids[0]
            for what, at in (("A sale", "2026-02-28"), ("A party", day))
        )
        gained = {hit.item.id: hit.signals["time"] for hit in memory.search(asked)}
        assert gained[old] > 1
        assert gained[to_come] < 0.5


@pytest.mark.parametrize("first", ["own", "another's"])
@pytest.mark.parametrize(
    ("own", "question", "anothers", "of_another"),
    [
        ("My doctor is Dr Weber.", "Who is my doctor?", "My sister's doctor is Dr Klein.",
         "Who is my sister's doctor?"),
        ("My partner is Lena.", "Who is my partner?", "My mother's partner is Omar.", "Who is my mother's partner?"),
        ("Mon loyer est de 730 euros.", "Combien est mon loyer ?", "Le loyer de ma sœur est de 900 euros.",
         "Combien est le loyer de ma sœur ?"),
        ("Mi perro se llama Rex.", "¿Cómo se llama mi perro?", "El perro de mi madre se llama Bello.",
         "¿Cómo se llama el perro de mi madre?"),
        ("Meine Miete ist 730 Euro.", "Wie hoch ist meine Miete?", "Die Miete meiner Schwester ist 900 Euro.",
         "Wie hoch ist die Miete meiner Schwester?"),
        ("Meine Frau heißt Katrin.", "Wie heißt meine Frau?", "Die Erzieherin heißt Frau Demir.",
         "Wie heißt die Erzieherin?"),
        ("Mein Hund heißt Rex.", "Wie heißt mein Hund?", "Der Hund meiner Mutter heißt Bello.",
         "Wie heißt der Hund meiner Mutter?"),
    ],
)  # fmt: skip
def test_of_what_two_have_the_one_stands_first_who_is_asked_about(
    tmp_path, own, question, anothers, of_another, first
):
    clock = FrozenClock("2026-01-10T09:00:00Z")
    with Memory(tmp_path / "m.db", clock=clock) as memory:
        for text in (own, anothers) if first == "own" else (anothers, own):
            memory.add([{"role": "user", "content": text}], session_id=text)
            clock.advance(days=9)
        memory.extract()
        assert memory.search(question).hits[0].item.content == own
        assert memory.search(of_another).hits[0].item.content == anothers


@pytest.mark.parametrize(
    ("own", "question", "anothers"),
    [
        ("My doctor is Dr Weber.", "Who is my doctor?", "My mother has a new doctor, Dr Bauer."),
        ("My car is a Renault Clio.", "What car do I have?", "The car of my boss is a Volvo."),
        ("Mein Hund heißt Rex.", "Wie heißt mein Hund?", "Der Hund meiner Mutter heißt Bello."),
        ("Mein Arzt ist Dr. Weber.", "Wer ist mein Arzt?", "Meine Mutter hat einen neuen Arzt, Dr. Bauer."),
        ("Mein Auto ist ein Renault.", "Was für ein Auto habe ich?", "Das neue Auto meiner Chefin ist ein Volvo."),
        ("Meine Miete beträgt 700 Euro.", "Wie hoch ist meine Miete?", "Meine Schwester zahlt 900 Euro Miete."),
        ("Mon médecin est le docteur Weber.", "Qui est mon médecin ?", "Ma mère a un médecin, le docteur Bauer."),
        ("Mi médico es el doctor Weber.", "¿Quién es mi médico?", "Mi madre tiene un médico, el doctor Bauer."),
        ("Мой врач — доктор Вебер.", "Кто мой врач?", "У моей мамы новый врач, доктор Бауэр."),
    ],
)  # fmt: skip
def test_what_another_got_later_stands_behind_what_one_has_oneself(tmp_path, own, question, anothers):
    clock = FrozenClock("2026-01-10T09:00:00Z")
    with Memory(tmp_path / "m.db", clock=clock) as memory:
        for text in (own, anothers):
            memory.add(text)
            clock.advance(days=9)
        assert [hit.item.content for hit in memory.search(question)] == [own, anothers]
