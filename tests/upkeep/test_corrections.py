"""Corrections are taken at their word: what somebody said before gives way, in four languages."""

from itertools import permutations, product

import pytest

from simonides import Memory
from simonides.domain.item import Status, Validation
from simonides.language.clauses import corrects, without_no
from simonides.language.contradiction import replacement
from simonides.testing import FrozenClock

CORRECTED = [
    ("I live in Graz.", "We moved to Linz."),
    ("I live in Graz.", "I moved to Linz last month."),
    ("I live in Graz.", "No, it's Linz."),
    ("I live in Graz.", "Oh wait, I live in Linz."),
    ("I live in Graz.", "I don't live in Graz any more, I live in Linz."),
    ("J'habite à Graz.", "J'ai déménagé à Linz."),
    ("J'habite à Graz.", "Non, c'est Linz."),
    ("Я живу в Граце.", "Я переехал в Линц."),
    ("Я живу в Граце.", "Нет, в Линце."),
    ("Я живу в Граце.", "Вообще-то я живу в Линце."),
    ("我住在格拉茨。", "我搬到北京了。"),
    ("我住在上海。", "我搬到北京了。"),
    ("我住在上海。", "我现在住在北京。"),
    ("我住在上海。", "不对，我住在北京。"),
    ("我在腾讯工作。", "其实我在阿里工作。"),
    ("I work at Acme.", "I now work at Globex."),
    ("I work at Acme.", "I've switched jobs, I work at Globex now."),
    ("Je travaille chez Acme.", "En réalité, je travaille chez Globex."),
    ("I prefer tea.", "Actually, I prefer coffee."),
    ("My dentist is Dr. Hale.", "Sorry, my dentist is Dr. Moss."),
    ("I live in Graz.", "J'ai déménagé à Linz."),
    ("I live in Graz.", "Я переехал в Линц."),
    ("I live in Graz.", "我搬到北京了。"),
    ("I live in Graz.", "Non, c'est Linz."),
    ("I live in Graz.", "Нет, в Линце."),
    ("I live in Graz.", "我现在住在北京。"),
    ("I live in Graz.", "Вообще-то я живу в Линце."),
    ("I live in Graz.", "不对，我住在北京。"),
    ("My car is red.", "Actually, my car is blue."),
    ("I live in Graz.", "I've just moved to Linz."),
    ("I live in Graz.", "We relocated to Linz in May."),
    ("I live in Graz.", "No, Linz."),
    ("My favourite colour is green.", "Sorry, my favourite colour is blue."),
    ("My boss is Anna.", "No wait, my boss is Berta."),
    ("Je préfère le thé.", "En fait, je préfère le café."),
    ("Я предпочитаю чай.", "На самом деле я предпочитаю кофе."),
    ("我喜欢茶。", "其实我喜欢咖啡。"),
    ("My dentist is Dr. Hale.", "No, it's Dr. Moss."),
    ("J'habite à Graz.", "J'habite maintenant à Linz."),
    ("Я живу в Граце.", "Теперь я живу в Линце."),
    ("我在腾讯工作。", "我现在在阿里工作。"),
    ("I live in Graz.", "I live in Linz now."),
    ("Ana lives in Graz.", "Ana moved to Linz."),
    ("Ana lives in Graz.", "Ana now lives in Linz."),
    ("Ana Lopez works at Acme.", "Ana Lopez now works at Globex."),
    ("Ana habite à Graz.", "Ana a déménagé à Linz."),
    ("Анна живёт в Граце.", "Анна переехала в Линц."),
]
#: Of these it is certain: the one ends where the other begins.
CHANGED = [
    ("I'm a vegetarian.", "Actually, I'm a vegan."),
    ("I prefer tea.", "No, I prefer coffee."),
    ("I'm a nurse.", "No, I'm a doctor."),
    ("My favourite colour is blue.", "No, my favourite colour is green."),
    ("I live in Graz.", "I moved to Linz last month."),
    ("I live in Graz.", "I now live in Linz."),
    ("Ana lives in Graz.", "Ana moved to Linz."),
    ("Ana works at Acme.", "Ana now works at Globex."),
    ("My rent is 900 euros.", "My rent was raised to 950 euros."),
]
#: The second says nothing of what the first tells.
BESIDE = [
    ("I live in Graz.", "My sister moved to Linz."),
    ("I prefer tea.", "I prefer coffee."),
    ("I prefer tea.", "Actually, I prefer coffee for breakfast."),
    ("I like tea.", "Actually, I like coffee too."),
    ("I live in Graz.", "I was in Linz last month."),
    ("I live in Graz.", "We moved the meeting to Linz."),
    ("I live in Graz.", "I moved to the garden."),
    ("My dentist is Dr. Hale.", "Sorry, my doctor is Dr. Moss."),
    ("I live in Graz.", "No, it's Monday."),
    ("I work at Acme.", "My wife now works at Globex."),
    ("I have a cat.", "Actually, I have a dog."),
    ("I live in Graz.", "I moved to Linz in 1990 and came back."),
    ("I live in Graz.", "My parents live in Linz."),
    ("I work at Acme.", "I work at Acme with Globex."),
    ("I live in Graz.", "The office moved to Linz."),
    ("I live in Graz.", "No, it's cold."),
    ("Ana lives in Graz.", "Ben moved to Linz."),
    ("Ana lives in Graz.", "Ana Lopez moved to Linz."),
    ("Ana lives in Graz.", "Ana moved the meeting to Linz."),
    ("Ana lives in Graz.", "Ana's sister moved to Linz."),
    ("Ana and Ben live in Graz.", "Ana moved to Linz."),
    ("Ana lives in Graz.", "Ana also lives in Linz."),
    ("Ana lives in Graz.", "Ana lived in Linz."),
    ("Ich wohne in Graz.", "Meine Schwester ist nach Linz gezogen."),
    ("Ich wohne in Graz.", "Ich bin in den Garten gezogen."),
    ("Vivo en Vigo.", "Mi hermana se mudó a Bilbao."),
    ("Я живу в Твери.", "Моя сестра переехала в Омск."),
    ("J'habite à Lyon.", "Ma sœur a emménagé à Nice."),
    ("我住在上海。", "我姐姐上个月搬到了北京。"),
]
#: By language: how somebody says where they live, and that they moved.
MOVES = {
    "en": (
        ("I live in {}.", "We live in {}."),
        ("I moved to {}.", "I've just moved to {}.", "We moved to {} last month."),
    ),
    "de": (
        ("Ich wohne in {}.", "Ich lebe in {}."),
        (
            "Ich bin nach {} gezogen.",
            "Ich bin gerade nach {} umgezogen.",
            "Wir sind letzten Monat nach {} gezogen.",
        ),
    ),
    "fr": (
        ("J'habite à {}.", "Je vis à {}."),
        ("J'ai déménagé à {}.", "Je viens d'emménager à {}.", "Nous avons déménagé à {} le mois dernier."),
    ),
    "es": (("Vivo en {}.",), ("Me mudé a {}.", "Me he mudado a {}.", "Nos mudamos a {} el mes pasado.")),
    "ru": (("Я живу в {}.",), ("Я переехал в {}.", "Мы переехали в {}.", "Мы недавно переехали в {}.")),
    "zh": (("我住在{}。",), ("我搬到{}了。", "我上个月搬到了{}。")),
}
PLACES = {"ru": ("Омск", "Минск", "Псков"), "zh": ("北京", "上海", "广州")}


def after(memory, clock, *texts):
    """Both items, after what was said days apart was consolidated."""
    ids = []
    for text in texts:
        ids += memory.add(text, type="fact", scope="user:ana").item_ids
        clock.advance(days=2)
    memory.maintain(["consolidate"])
    return [memory.get(item_id) for item_id in ids]


@pytest.mark.parametrize(("former", "text"), CORRECTED)
def test_what_was_corrected_gives_way(memory, clock, former, text):
    old, new = after(memory, clock, former, text)
    assert new.status is Status.ACTIVE
    assert new.validation is not Validation.CONTESTED
    if old.status is Status.ACTIVE:
        assert old.validation is Validation.CONTESTED
    else:
        assert old.superseded_by == new.id


@pytest.mark.parametrize("language", MOVES)
def test_a_move_ends_the_former_home_however_both_are_told(memory, clock, language):
    homes, moves = MOVES[language]
    places = PLACES.get(language, ("Riga", "Bilbao", "Turku"))
    pairs = [
        (home.format(former), move.format(place))
        for home, move, (former, place) in product(homes, moves, [*permutations(places, 2)][:3])
    ]
    for side in range(2):
        for number, pair in enumerate(pairs):
            message = {"role": "user", "content": pair[side]}
            memory.add([message], scope=f"user:{number}", session_id=f"s{side}")
        clock.advance(hours=3)
        memory.extract()
    standing = {
        pair: [
            item.content for item in memory.list(scope=f"user:{number}") if item.type in {"identity", "event"}
        ]
        for number, pair in enumerate(pairs)
    }
    assert {pair: found for pair, found in standing.items() if found != [pair[1]]} == {}


def standing_of(memory, pairs, clock, nights):
    """State and validation of both sides of pairs, each in a scope of its own, with nights of upkeep between them."""
    ids = []
    for side in range(2):
        ids += [
            memory.add(pair[side], type="fact", scope=f"user:{number}").item_ids[0]
            for number, pair in enumerate(pairs)
        ]
        for _ in range(nights[side]):
            clock.advance(days=1)
            memory.maintain(["consolidate"])
        clock.advance(days=1)
    return [(memory.get(one).status, memory.get(one).validation) for one in ids]


@pytest.mark.parametrize("nights", [(1, 1), (3, 2)])
def test_a_night_of_upkeep_between_them_changes_nothing(tmp_path, clock, nights):
    # What begins with "No" is of what was said right before it.
    pairs = [pair for pair in (*CORRECTED, *CHANGED, *BESIDE) if without_no(pair[1]) == pair[1]]
    with (
        Memory(tmp_path / "at-once.db", clock=clock) as at_once,
        Memory(tmp_path / "b.db", clock=clock) as by_night,
    ):
        expected = standing_of(at_once, pairs, clock, (0, 1))
        found = standing_of(by_night, pairs, clock, nights)
    assert [pair for pair, one, other in zip(pairs * 2, expected, found, strict=True) if one != other] == []


def test_a_no_of_another_day_is_of_nothing_that_was_said_before(memory, clock):
    ids = []
    for text in ("I prefer tea.", "The parcel comes on Monday.", "No, I prefer coffee."):
        ids += memory.add(text, type="preference", scope="user:ana").item_ids
        clock.advance(days=2)
        memory.maintain(["consolidate"])
    assert {(memory.get(one).status, memory.get(one).validation) for one in ids} == {
        (Status.ACTIVE, Validation.UNVERIFIED)
    }


@pytest.mark.parametrize(("former", "text"), CHANGED)
def test_what_has_changed_ends(memory, clock, former, text):
    old, new = after(memory, clock, former, text)
    assert (old.superseded_by, old.valid_until) == (new.id, new.created_at)
    assert (new.status, new.validation) == (Status.ACTIVE, Validation.UNVERIFIED)


@pytest.mark.parametrize(
    ("types", "former", "text"),
    [
        (("identity", "event"), "I live in Graz.", "We moved to Linz last month."),
        (("note", "identity"), "I live in Graz.", "I moved to Linz."),
        (("identity", "note"), "J'habite à Lyon.", "J'ai déménagé à Nantes."),
        (("fact", "event"), "Ana lives in Berlin.", "Ana moved to Linz."),
        (("identity", "event"), "Я живу в Москве.", "Я переехал в Казань."),
    ],
)
@pytest.mark.parametrize("delta", [False, True])
def test_where_one_lives_ends_by_a_move_of_another_type(memory, clock, types, former, text, delta):
    old = memory.add(former, type=types[0], scope="user:ana").item_ids[0]
    clock.advance(days=2)
    if delta:  # The second run looks around what is new only.
        memory.consolidate(scope="user:ana", promote=False)
    new = memory.add(text, type=types[1], scope="user:ana").item_ids[0]
    clock.advance(days=2)
    memory.maintain(["consolidate"], trigger="threshold" if delta else "hand")
    assert memory.get(old).superseded_by == new
    assert memory.get(new).status is Status.ACTIVE


@pytest.mark.parametrize(
    ("types", "former", "text"),
    [
        (("event", "identity"), "I moved to Linz in 2019.", "I live in Graz."),
        (("identity", "event"), "I live in Graz.", "My sister moved to Linz."),
        (("identity", "event"), "Ana lives in Graz.", "I moved to Linz."),
    ],
)
def test_what_happened_and_another_ones_move_end_nothing(memory, clock, types, former, text):
    items = []
    for kind, said in zip(types, (former, text), strict=True):
        items += memory.add(said, type=kind, scope="user:ana").item_ids
        clock.advance(days=2)
    memory.maintain(["consolidate"])
    assert {memory.get(one).validation for one in items} == {Validation.UNVERIFIED}
    assert {memory.get(one).status for one in items} == {Status.ACTIVE}


def test_a_no_that_answers_a_question_corrects_nothing(memory, clock):
    found = chat(
        memory,
        clock,
        ("user", "I prefer tea."),
        ("assistant", "Shall I order tea?"),
        ("user", "No, I prefer coffee."),
    )
    assert found == {"I prefer tea.": Status.ACTIVE, "I prefer coffee.": Status.ACTIVE}


def chat(memory, clock, *turns):
    """Items kept of a chat, by their texts, once its session has gone silent."""
    for role, text in turns:
        memory.add([{"role": role, "content": text}], session_id="s", scope="user:ana")
        clock.advance(seconds=20)
    clock.advance(days=2)
    memory.maintain(scope="user:ana")
    kept = memory.list(scope="user:ana", archived=True, limit=100)
    return {item.content: item.status for item in kept if item.type not in {"episode", "narrative"}}


@pytest.mark.parametrize("said", ["No, it's Linz.", "Actually, I live in Linz.", "Sorry, Linz."])
@pytest.mark.parametrize("between", [[], [("assistant", "A fine town.")]])
@pytest.mark.parametrize("again", range(4))
def test_the_next_turn_of_a_chat_corrects_what_was_said(memory, clock, said, between, again):
    del again  # Both come in one write: which is the newer must not be by chance.
    found = chat(memory, clock, ("user", "I live in Graz."), *between, ("user", said))
    assert found == {"I live in Graz.": Status.ARCHIVED, "I live in Linz.": Status.ACTIVE}


@pytest.mark.parametrize(
    "between",
    [
        [("assistant", "Is your office there as well?")],
        [("user", "And I work at Acme.")],
        [("user", "What is the weather like?")],
    ],
)
def test_a_no_to_something_else_corrects_nothing(memory, clock, between):
    found = chat(memory, clock, ("user", "I live in Graz."), *between, ("user", "No, it's Linz."))
    assert found["I live in Graz."] is Status.ACTIVE
    assert "I live in Linz." not in found


@pytest.mark.parametrize(("former", "text"), BESIDE)
def test_what_tells_of_something_else_corrects_nothing(memory, clock, former, text):
    for item in after(memory, clock, former, text):
        assert (item.status, item.validation) == (Status.ACTIVE, Validation.UNVERIFIED)


@pytest.mark.parametrize(
    "opener", ["Actually,", "Sorry,", "No wait,", "Correction:", "I meant:", "In reality,"]
)
@pytest.mark.parametrize(
    ("frame", "values"),
    [
        ("I prefer {}.", ("tea", "coffee")),
        ("My favourite colour is {}.", ("green", "blue")),
        ("We use {} for the docs.", ("sphinx", "mkdocs")),
        ("My dentist is {}.", ("Dr. Hale", "Dr. Moss")),
    ],
)
def test_a_correction_puts_one_word_in_the_place_of_another(opener, frame, values):
    one, other = (frame.format(value) for value in values)
    said = f"{opener} {other[0].lower()}{other[1:]}"
    found = replacement(one, said, next_to=False)
    assert found is not None
    assert all(value.split()[-1] in words for value, words in zip(values, found.words, strict=True))
    assert replacement(one, other, next_to=True) is None
    assert replacement(one, f"{said[:-1]} and my sister prefers water.", next_to=True) is None
    assert replacement("I have a cat.", said, next_to=True) is None


@pytest.mark.parametrize(
    "text", ["No, it's Linz.", "Non, c'est Linz.", "Нет, в Линце.", "No, Linz.", "Sorry, Linz."]
)
def test_a_name_alone_corrects_only_what_was_said_right_before(text):
    assert corrects(text)
    assert replacement("I live in Graz.", text, next_to=True) is not None
    assert replacement("I live in Graz.", text, next_to=False) is None
    assert replacement("I like tea.", text, next_to=True) is None


@pytest.mark.parametrize(
    "text", ["No, it's Monday.", "No, it's cold.", "No.", "No, I don't.", "Linz.", "No Linz today."]
)
def test_not_every_no_puts_a_name_in_the_place_of_another(text):
    assert replacement("I live in Graz.", text, next_to=True) is None


#: What is said in a chat takes the place of what was said there before, whatever type each of them is kept as.
SAID_AGAIN = [
    ("I prefer tea.", "Actually, I prefer coffee.", "I prefer coffee."),
    (
        "My favourite colour is red.",
        "Actually, my favourite colour is green.",
        "My favourite colour is green.",
    ),
    ("I'm allergic to nuts.", "Correction: I'm allergic to milk.", "I'm allergic to milk."),
    ("We decided to use Postgres.", "Actually, we decided to use SQLite.", "We decided to use SQLite."),
    ("Je préfère le thé.", "En fait, je préfère le café.", "Je préfère le café."),
    ("我喜欢茶。", "其实我喜欢咖啡。", "我喜欢咖啡。"),
    ("Я предпочитаю чай.", "На самом деле я предпочитаю кофе.", "Я предпочитаю кофе."),
    ("I live in Graz.", "No wait, I live in Hamburg.", "I live in Hamburg."),
    ("I prefer tea.", "No, I prefer coffee.", "I prefer coffee."),
    ("Je préfère le thé.", "Non, je préfère le café.", "Je préfère le café."),
    ("I'm a vegetarian.", "Actually, I'm a vegan.", "I'm a vegan."),
    ("I'm a nurse.", "No, I'm a doctor.", "I'm a doctor."),
    ("I live in Graz.", "Update: I live in Hamburg.", "I live in Hamburg."),
    ("I live in Graz.", "We moved to Linz last month.", "We moved to Linz last month."),
    ("I live in Graz.", "I moved to Linz.", "I moved to Linz."),
    ("J'habite à Lyon.", "J'ai déménagé à Nantes.", "J'ai déménagé à Nantes."),
    ("Я живу в Москве.", "Я переехал в Казань.", "Я переехал в Казань."),
]
#: The first of these stays active.
SAID_BESIDE = [
    ("I prefer tea.", "I prefer coffee."),
    ("I'm a vegetarian.", "Actually, I'm tired."),
    ("I have a cat.", "No, I have a dog."),
    ("I'm a vegetarian.", "I'm a vegan."),
    ("I'm a vegetarian.", "Actually, she is a vegan."),
    ("I like tea.", "Actually, I like coffee too."),
    ("I like tea.", "Actually, I also like coffee."),
    ("I like tea.", "Actually, my wife likes coffee."),
    ("I live in Graz.", "I was in Linz last month."),
    ("I live in Graz.", "My sister moved to Linz."),
    ("I moved to Graz in 2019.", "I work at Acme."),
]


def sessions(memory, clock, former, text, *, together):
    """Items kept of what was said days apart, or in one session, by their texts."""
    for number, said in enumerate((former, text)):
        session = "s0" if together else f"s{number}"
        memory.add([{"role": "user", "content": said}], session_id=session, scope="user:ana")
        clock.advance(seconds=60)
        if not together:
            memory.extract(session_id=session)
            clock.advance(days=2)
    memory.extract()
    kept = memory.list(scope="user:ana", archived=True, limit=100)
    return {item.content: item for item in kept if item.type not in {"episode", "narrative"}}


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize(("former", "text", "kept"), SAID_AGAIN)
def test_a_correction_in_a_chat_takes_the_place_of_what_it_corrects(
    memory, clock, former, text, kept, together
):
    found = sessions(memory, clock, former, text, together=together)
    assert found[former].superseded_by == found[kept].id
    assert (found[kept].status, found[kept].validation) == (Status.ACTIVE, Validation.UNVERIFIED)


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize(("former", "text"), SAID_BESIDE)
def test_what_is_said_beside_it_in_a_chat_corrects_nothing(memory, clock, former, text, together):
    found = sessions(memory, clock, former, text, together=together)
    assert (found[former].status, found[former].validation) == (Status.ACTIVE, Validation.UNVERIFIED)


def test_only_the_one_who_says_it_corrects_himself(memory, clock):
    for name, said in (("Ana", "I prefer tea."), ("Bob", "Actually, I prefer coffee.")):
        memory.add([{"role": "user", "name": name, "content": said}], session_id="s", scope="project:apollo")
        clock.advance(seconds=60)
    memory.extract()
    kept = memory.list(scope="project:apollo", types=["preference"])
    assert {item.content for item in kept} == {"Ana: I prefer tea.", "Bob: I prefer coffee."}


@pytest.mark.parametrize(
    "notes",
    [
        ("The retry limit is 5.", "Correction: the retry limit is 6.", "Correction: the retry limit is 5."),
        ("The port is 80.", "Correction: the port is 81.", "Correction: the port is 80."),
    ],
)
def test_of_notes_the_last_word_counts_also_where_it_repeats_the_first(tmp_path, notes):
    clock = FrozenClock("2026-03-02T10:00:00Z")
    with Memory(tmp_path / "m.db", clock=clock) as memory:
        for note in notes:
            memory.add(note, scope="user:x")
            clock.advance(seconds=60)
        clock.advance(hours=14)
        memory.maintain()
        assert [one.content for one in memory.list(scope="user:x")] == [notes[2]]


@pytest.mark.parametrize(
    ("turns", "told"),
    [
        (("I'm vegan.", "I'm not vegan any more.", "I'm vegan now."), "I'm vegan now."),
        (("I live in Lisbon.", "I now live in Porto.", "I live in Lisbon."), "I live in Lisbon."),
        (("I work at Bosch.", "I now work at Bayer.", "I work at Bosch."), "I work at Bosch."),
        (("I have two cats.", "I have three cats.", "I have two cats."), "I have two cats."),
        (("Ich wohne in Graz.", "Ich wohne in Linz.", "Ich wohne in Graz."), "Ich wohne in Graz."),
    ],
)
def test_what_is_so_again_days_later_is_the_last_word(tmp_path, turns, told):
    clock = FrozenClock("2026-03-02T10:00:00Z")
    with Memory(tmp_path / "m.db", clock=clock) as memory:
        for number, content in enumerate(turns):
            memory.add({"role": "user", "content": content}, session_id=f"s{number}", scope="user:x")
            clock.advance(hours=14)
            memory.maintain()
            clock.advance(hours=10)
        kept = [one for one in memory.list(scope="user:x") if one.type not in {"episode", "narrative"}]
        assert [one.content for one in kept if one.validation is Validation.UNVERIFIED] == [told]


def test_what_is_said_again_with_nothing_in_between_stays_the_item_that_it_is(tmp_path):
    clock = FrozenClock("2026-03-02T10:00:00Z")
    with Memory(tmp_path / "m.db", clock=clock) as memory:
        ids = set()
        for number in range(3):
            memory.add(
                {"role": "user", "content": "I work at Bosch."}, session_id=f"s{number}", scope="user:x"
            )
            memory.extract()
            clock.advance(hours=20)
            ids |= {one.id for one in memory.list(scope="user:x") if one.type not in {"episode", "narrative"}}
        assert len(ids) == 1


def _days(path, turns):
    """Items that a chat of one turn a day leaves, but for its turns."""
    clock = FrozenClock("2026-03-02T10:00:00Z")
    with Memory(path, clock=clock) as memory:
        for number, content in enumerate(turns):
            memory.add({"role": "user", "content": content}, session_id=f"s{number}", scope="user:x")
            clock.advance(seconds=60)
            memory.extract()
            clock.advance(hours=20)
        kept = memory.list(scope="user:x")
        return [one for one in kept if one.type not in {"episode", "narrative"}]


def test_what_is_said_again_is_judged_as_it_was_the_first_time(tmp_path):
    once = _days(tmp_path / "a.db", ["My email is ana@firm-x.org."])
    again = _days(
        tmp_path / "b.db",
        ["My email is ana@firm-x.org.", "My email is ana@firm-y.org.", "My email is ana@firm-x.org."],
    )
    (first,) = [one for one in again if one.content == once[0].content]
    assert "personal" in once[0].tags
    assert (first.tags, first.injectable, first.trust) == (once[0].tags, once[0].injectable, once[0].trust)
