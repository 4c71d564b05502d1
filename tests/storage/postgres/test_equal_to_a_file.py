"""Answers of a database and of a file are the same: scores, choice of terms, formulas of time and use."""

import itertools
import random
import re
from importlib.resources import files

import psycopg
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from simonides import Memory
from simonides.domain import retention
from simonides.domain.entity import Name
from simonides.domain.instant import DAY_US, FIRST, HOUR_US, LAST, days_between
from simonides.domain.item import Status, Tier
from simonides.domain.link import Link, Relation
from simonides.domain.provenance import Provenance
from simonides.domain.scope import Scope
from simonides.domain.selection import LIVE, HeldOnce, Selection
from simonides.domain.verdict import Outcome
from simonides.language.search_tokens import search_tokens
from simonides.ports.recalling import Opening, Words
from simonides.ports.store import NewItem, TextQuery
from simonides.storage.postgres.address import PostgresAddress
from simonides.storage.postgres.conditions import conditions
from simonides.storage.postgres.statements import query
from simonides.storage.postgres.store import PostgresStore
from simonides.storage.postgres.words import prefix_of
from simonides.storage.sql.expression import affordable
from simonides.storage.sqlite.store import SqliteStore
from simonides.testing import FakeEmbedder, FrozenClock, an_item
from tests.storage.postgres.server import running

WORDS = (
    *("falcon", "heron", "harbour", "river", "running", "runs", "ship", "ships", "night", "tea", "Ana", "Bo"),
    *("retry", "count", "green", "seven", "oak", "mill"),
)

#: The text search, as a database has it.
SEARCH = files("simonides.storage.postgres").joinpath("functions/simonides_search.sql").read_text("utf-8")

#: As the text index has them.
TOKENS = tuple(dict.fromkeys(token for tokens in search_tokens(WORDS) for token in tokens))


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """The same items in a file and in a database."""
    server = running()
    drawn = random.Random(3)
    items = [
        an_item(
            " ".join(drawn.choices(WORDS, k=drawn.randint(1, 12))) + f" {number}",
            title=drawn.choice(["", *WORDS]),
            tags=tuple(drawn.sample(WORDS, drawn.randint(0, 2))),
            scope=Scope(drawn.choice(["global", "user:ana", "user:bo"])),
            # Few of them hold already.
            valid_from=None if number % 15 == 0 else DAY_US,
        )
        for number in range(120)
    ]
    file = SqliteStore(tmp_path_factory.mktemp("equal") / "memory.db", synchronous="NORMAL")
    address = PostgresAddress(url=server.url, tenant=server.new_tenant())
    database = PostgresStore(address, connections=server.connections)
    for store in (file, database):
        store.write(lambda tx: tx.insert([NewItem(item, Outcome.ACCEPTED) for item in items], None))
    yield file, database
    file.close()


@settings(max_examples=30)
@given(
    terms=st.lists(st.sampled_from([*WORDS, "nothing"]), min_size=1, max_size=6, unique=True),
    every=st.booleans(),
    scopes=st.sampled_from([None, ("user:ana",), ("global", "user:bo")]),
    narrow=st.sampled_from([{}, {"begun_at": 0}, {"types": frozenset({"note"})}]),
    limit=st.sampled_from([2, 60]),
    variants=st.just({})
    | st.dictionaries(
        st.sampled_from([*TOKENS, "noth"]),
        st.lists(st.lists(st.sampled_from(TOKENS), min_size=1, max_size=3).map(" ".join), max_size=3).map(
            tuple
        ),
    ),
)
@example(
    terms=["nothing", "river"],
    every=False,
    scopes=None,
    narrow={},
    limit=60,
    variants={"noth": ("falcon oak", "tea tea", "falcon")},
)
# Of the best too few hold already.
@example(terms=["river", "tea"], every=False, scopes=None, narrow={"begun_at": 0}, limit=2, variants={})
def test_the_same_words_give_the_same_items_in_the_same_order_with_the_same_scores(
    both, terms, every, scopes, narrow, limit, variants
):
    chosen = Selection(scopes=None if scopes is None else tuple(map(Scope, scopes)), live_at=None, **narrow)
    found = []
    for store in both:
        with store.read() as reader:
            matches = reader.search_text(
                TextQuery(tuple(terms), every=every, variants=variants), chosen, limit
            )
            items = reader.load(matches.keys.tolist())
            found.append(
                [
                    (items[key].id, round(score, 5))
                    for key, score in zip(matches.keys.tolist(), matches.scores.tolist(), strict=True)
                ]
            )
    assert found[0] == found[1]


def test_of_a_large_store_the_same_items_are_chosen_with_the_same_scores(server, tmp_path, monkeypatch):
    """Long questions of which a store cannot afford all words: few rare ones choose, common ones only in pairs."""
    monkeypatch.setattr("simonides.storage.sqlite.text.SMALL_STORE", 0)
    monkeypatch.setattr("simonides.storage.postgres.reader.SMALL_STORE", 0)
    drawn = random.Random(8)
    words = [f"zq{number}" for number in range(60)]
    common = [1 / (1 + rank) for rank in range(60)]
    items = [an_item(" ".join(drawn.choices(words, common, k=25))) for _ in range(1200)]
    address = PostgresAddress(url=server.url, tenant=server.new_tenant())
    stores = (
        SqliteStore(tmp_path / "memory.db", synchronous="NORMAL"),
        PostgresStore(address, connections=server.connections),
    )
    for store in stores:
        store.write(lambda tx: tx.insert([NewItem(item, Outcome.ACCEPTED) for item in items], None))
    cut = 0
    for _ in range(30):
        asked = tuple(drawn.sample(words, 30))
        found = []
        for store in stores:
            with store.read() as reader:
                matches = reader.search_text(TextQuery(asked), Selection(scopes=None, live_at=None), 60)
                scores = [round(score, 5) for score in matches.scores.tolist()]
                found.append((matches.keys.tolist(), scores, matches.terms))
        assert found[0] == found[1]
        cut += len(found[0][2]) < len(asked)
    assert cut > 10
    for store in stores:
        store.close()


def _as_if_large(*, at_once: bool) -> str:
    """The text search with bounds of a million items for a hundred; `at_once` as if there were no short cuts."""
    text = SEARCH
    for bound, low in (
        ("rows <= small", "rows <= 0"),
        ("holding <= 5000", "holding <= 0"),
        ("spent + counts[n] <= 400", "spent + counts[n] <= 4"),
        ("most := 1000", "most := 12"),
        ("most_held > 10000", f"most_held > {1 << 40 if at_once else 12}"),
        ("most * 3 *", "most * 2 *"),  # Often too few.
        ("length(narrow -> 'tags') > 0", f"length(narrow -> 'tags') > {1 << 20 if at_once else 0}"),
    ):
        assert text.count(bound) == 1, bound
        text = text.replace(bound, low)
    return text


@settings(max_examples=60)
@given(
    terms=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4, unique=True),
    scopes=st.sampled_from([None, ("user:ana",), ("global", "user:bo")]),
    narrow=st.sampled_from([{}, {"begun_at": 0}])
    | st.sets(st.sampled_from(WORDS), max_size=2).map(
        lambda tags: {"tags": frozenset(map(str.casefold, tags))}
    ),
    limit=st.sampled_from([2, 60]),
)
def test_short_cuts_of_a_large_store_change_no_answer(both, terms, scopes, narrow, limit):
    chosen = Selection(scopes=None if scopes is None else tuple(map(Scope, scopes)), live_at=None, **narrow)
    found = []
    with running().owner() as owner:
        try:
            for at_once in (True, False):
                owner.execute(_as_if_large(at_once=at_once))
                with both[1].read() as reader:
                    matches = reader.search_text(TextQuery(tuple(terms)), chosen, limit)
                found.append((matches.keys.tolist(), matches.scores.tolist()))
        finally:
            owner.execute(SEARCH)
    assert found[0] == found[1]


@settings(max_examples=60)
@given(
    terms=st.lists(
        st.lists(st.sampled_from([*WORDS, "nothing", "1", "77"]), min_size=1, max_size=3).map("_".join),
        min_size=1,
        max_size=4,
        unique=True,
    ),
    every=st.booleans(),
    prefixes=st.booleans(),
    scopes=st.sampled_from([None, ("user:ana",), ("global", "user:bo")]),
)
@example(terms=["running_ship", "ships_night"], every=True, prefixes=False, scopes=None)
def test_a_term_of_several_tokens_is_found_where_they_stand_in_a_row(both, terms, every, prefixes, scopes):
    chosen = Selection(scopes=None if scopes is None else tuple(map(Scope, scopes)), live_at=None)
    # Scores of words that only begin alike differ: an index of words counts each of them by itself.
    places = 5 if not prefixes else -9
    found = []
    for store in both:
        with store.read() as reader:
            matches = reader.search_text(TextQuery(tuple(terms), every=every, prefixes=prefixes), chosen, 200)
            items = reader.load(matches.keys.tolist())
            found.append(
                {
                    items[key].id: round(score, places)
                    for key, score in zip(matches.keys.tolist(), matches.scores.tolist(), strict=True)
                }
            )
    assert found[0] == found[1]


#: What is written, what of it are names, and what is asked: forms, slips, compounds, words of no store.
WRITTEN = (
    "Haus", "Häuser", "Straße", "cheval", "chevaux", "bookshelf", "shelf", "book", "lluvia", "lluvias",
    "running", "Margaret", "margarete", "Aldermere", "Ruben", "Rubens", "Иванов", "Иванова", "harbour",
    "harbours", "river", "umbrella", "wetterbericht", "wetter", "bericht",
)  # fmt: skip
CALLED = (
    "Margaret", "Aldermere", "Rubens", "Иванов", "Иванова", "Катя", "Кати", "Harbour", "Rivere", "Umbrellas",
    "Book Shelf",
)  # fmt: skip
ASKED = (
    "Häuser", "Hauses", "cheval", "chevaux", "bookshelf", "lluvia", "Margeret", "margret", "Aldermeer",
    "Rubenz", "rubens", "Иванове", "harbuor", "harbur", "rivre", "rivers", "umberella", "Wetterbericht",
    "Booksshelf", "shelfbook", "thunder", "Ивановой", "Иванова", "Кате", "Катю", "Катя",
)  # fmt: skip


@pytest.fixture(scope="module")
def both_with_names(tmp_path_factory):
    """The same items, some of which name somebody, in a file and in a database."""
    server = running()
    drawn = random.Random(11)
    news = []
    for number in range(60):
        scope = drawn.choice(["global", "user:ana", "user:bo"])
        words = drawn.choices(WRITTEN, k=drawn.randint(1, 6))
        called = drawn.sample(CALLED, drawn.choice([0, 0, 1, 2]))
        # A name in another case is one of its own where the name itself is not known.
        known = [name for name in called if name != ("Катя" if scope == "user:bo" else "Кати")]
        item = an_item(f"{' '.join(words)} {number}", scope=Scope(scope))
        news.append(NewItem(item, Outcome.ACCEPTED, names=tuple(map(Name, known))))
    file = SqliteStore(tmp_path_factory.mktemp("named") / "memory.db", synchronous="NORMAL")
    address = PostgresAddress(url=server.url, tenant=server.new_tenant())
    database = PostgresStore(address, connections=server.connections)
    for store in (file, database):
        store.write(lambda tx: tx.insert(news, None))
    yield file, database
    file.close()


@settings(max_examples=60)
@given(
    asked=st.lists(st.sampled_from(ASKED), min_size=1, max_size=5, unique=True),
    called=st.sets(st.sampled_from(ASKED), max_size=2),
    language=st.sampled_from([None, "de", "es", "fr", "ru"]),
    scopes=st.sampled_from([None, ("user:ana",), ("global", "user:bo"), ("user:nobody", "user:bo")]),
    changing=st.sampled_from([(), ("harbours",), ("Margarete", "river", "天")]),
)
@example(asked=["harbuor"], called=set(), language=None, scopes=None, changing=("книга", "shelf"))
@example(asked=["rivre", "umberella"], called=set(), language=None, scopes=("global", "user:bo"), changing=())
@example(asked=["Иванове", "Wetterbericht"], called=set(), language=None, scopes=None, changing=())
@example(asked=["Ивановой", "Иванова", "Катю"], called=set(), language=None, scopes=None, changing=())
@example(
    asked=["Иванове", "Кате"], called=set(), language="ru", scopes=("user:nobody", "user:bo"), changing=()
)
def test_words_are_taken_for_the_same_others_however_they_are_looked_up(
    both_with_names, asked, called, language, scopes, changing
):
    words = Words(
        sorted({token for some in search_tokens(asked) for token in some}),
        frozenset(token for some in search_tokens(sorted(called)) for token in some),
        language,
    )
    chosen = Selection(scopes=None if scopes is None else tuple(map(Scope, scopes)), live_at=None)
    opening = Opening(
        selection=chosen, text=TextQuery(tuple(asked)), width=60, long_bytes=100, long=2, words=words,
        names=[word.casefold() for word in asked], too_common=100, narrow=5, pinned=0, changing=changing,
    )  # fmt: skip
    found = []
    file, database = both_with_names
    for store, expected in ((file, False), (database, False), (database, True)):
        with store.read() as reader:
            if expected:
                reader.expect_opening(lambda _: opening)
                reader.state()
            opened = reader.open(opening)
            scored = dict(zip(opened.text.keys.tolist(), opened.text.scores.tolist(), strict=True))
            ids = {
                key: item.id
                for key, item in reader.load([*scored, *opened.mentioning, *opened.changing]).items()
            }
            found.append(
                (
                    {word: tuple(others) for word, others in opened.variants.items()},
                    opened.counts,
                    {ids[key]: round(score, 5) for key, score in scored.items()},
                    [name for name, _, _ in opened.entities],
                    [ids[key] for key in opened.mentioning],
                    [ids[key] for key in opened.changing],
                )
            )
    assert found[0] == found[1] == found[2]


SCOPES = ("user:ana", "user:bo", "user:ana/project:apollo")


def live(memory, clock, drawn, details=None):
    """Turns, statements from them, corrections of corrections, in scopes that not everybody sees; some is forgotten."""
    standing = []
    for number in range(40):
        clock.advance(hours=1)
        words = " ".join(drawn.sample(["harbour", "river", "bridge", "boat", "Ana", "mill"], 3))
        choice = drawn.random()
        one = standing.pop(drawn.randrange(len(standing))) if choice >= 0.4 and standing else None
        if one is None:
            said = f"I keep note {number} about the {words}."
            told = [{"role": "user", "content": said}]
            (turn,) = memory.add(told, session_id=f"s{number % 4}", scope=drawn.choice(SCOPES)).item_ids
            more = details() if details else {}
            (stated,) = memory.add(said, type="preference", scope=drawn.choice(SCOPES), **more).item_ids
            memory.link(stated, turn, "derived_from")
            standing.append(stated)
        elif choice < 0.9:
            standing.append(memory.correct(one, f"I lost note {number}: {words}.").item_id)
        else:
            memory.forget(one)


@pytest.mark.parametrize("seed", range(2))
def test_a_memory_in_which_much_was_replaced_answers_the_same(tmp_path, server, seed):
    answers, scores = [], []
    for place in ({"path": tmp_path / "memory.db"}, {"path": server.url, "tenant": server.new_tenant()}):
        clock = FrozenClock("2026-02-02T18:00:00Z")
        with Memory(**place, embedder=FakeEmbedder(8), clock=clock) as memory:
            live(memory, clock, random.Random(seed))
            hits = [
                hit
                for question in ("Where is the harbour note?", "bridge", "What of Ana's boat?", "lost river")
                for scope in SCOPES
                for hit in memory.search(question, scope=scope, agenda=False, noted=False).hits
            ]
            heirs = [hit.superseded_by and memory.get(hit.superseded_by).content for hit in hits]
        answers.append([(hit.item.content, heir) for hit, heir in zip(hits, heirs, strict=True)])
        scores.append([hit.score for hit in hits])
    assert answers[0] == answers[1]
    assert scores[0] == pytest.approx(scores[1], abs=0.01)  # Vectors are in half precision.
    assert any(heir for _, heir in answers[0])


def details_by(drawn):
    """Details of an item, by which it may be chosen."""
    return lambda: {
        "tags": drawn.sample(["tide", "wind"], drawn.randint(0, 2)),
        "tier": drawn.choice(["mtm", "ltm"]),
        "metadata": {"berth": drawn.randint(1, 2), "kept's": True},
        "task_id": drawn.choice([None, "t'1"]),
        "entities": drawn.choice([(), ("O'Neill", "Mill \\ Co")]),
    }


@pytest.fixture(scope="module")
def both_corrected(tmp_path_factory):
    """The same items, many of which were replaced, in a file and in a database, and the hours of their lives."""
    server = running()
    file, tenant = tmp_path_factory.mktemp("corrected") / "memory.db", server.new_tenant()
    for place in ({"path": file}, {"path": server.url, "tenant": tenant}):
        clock = FrozenClock("2026-02-02T18:00:00Z")
        hours = [clock.now() + hour * HOUR_US for hour in range(0, 44, 4)]
        with Memory(**place, clock=clock) as memory:
            live(memory, clock, random.Random(7), details_by(random.Random(8)))
    stores = (
        SqliteStore(file, synchronous="NORMAL"),
        PostgresStore(PostgresAddress(url=server.url, tenant=tenant), connections=server.connections),
    )
    of_others = [
        NewItem(
            an_item(
                f"A {type_} about the harbour note {number}.",
                type=type_,
                corpus_id=corpus,
                provenance=Provenance(source_id=path),
                scope=Scope(SCOPES[0]),
            ),
            Outcome.ACCEPTED,
        )
        for type_, corpus, paths in (
            ("chunk", "c'1", ["notes", "notes/tide", "notes.old", "notes0", "O'Neill/notes"]),
            ("record", None, ["/users", "/users/ana", "/users/ana's", "/users0"]),
        )
        for number, path in enumerate(paths)
    ]
    for store in stores:
        store.write(lambda tx: tx.insert(of_others, None))
    yield stores, hours
    stores[0].close()


@settings(max_examples=150)
@given(drawn=st.data())
def test_a_narrower_selection_finds_the_same(both_corrected, drawn):
    stores, hours = both_corrected

    def maybe(values):
        return drawn.draw(values) if drawn.draw(st.integers(0, 4)) == 0 else None

    scopes, since = maybe(st.sampled_from([SCOPES, SCOPES[:1]])), maybe(st.sampled_from(hours))
    past = drawn.draw(st.booleans())
    chosen = Selection(
        scopes=None if scopes is None else tuple(map(Scope, scopes)),
        live_at=None,
        statuses=frozenset(Status) - {Status.QUARANTINED} if past else LIVE,
        former=HeldOnce(since, since + 1, copies=True) if past and since is not None else None,
        valid_at=since if past else None,
        tags=maybe(st.sampled_from([frozenset({"tide"}), frozenset({"tide", "wind"})])),
        after=maybe(st.sampled_from(hours)),
        before=maybe(st.sampled_from(hours)),
        types=maybe(st.sampled_from([frozenset({"preference"}), frozenset({"chunk", "episode", "record"})])),
        path=maybe(st.sampled_from(["notes", "O'Neill", "notes/tide"])),
        space=maybe(st.sampled_from(["/users", "/users/ana's"])),
        corpus_id=maybe(st.just("c'1")),
        source_id=maybe(st.sampled_from(["notes0", "/users/ana's"])),
        tiers=maybe(st.sampled_from([frozenset({Tier.LTM}), frozenset(Tier)])),
        entity=maybe(st.sampled_from(["Ana", "O'Neill", "mill \\ co"])),
        metadata=maybe(st.sampled_from([(("berth", "1"),), (("berth", "2"), ("kept's", "true"))])),
        task_id=maybe(st.just("t'1")),
        session_id=maybe(st.just("s1")),
        begun_at=maybe(st.sampled_from(hours)),
        lasting_at=maybe(st.sampled_from(hours)),
        injectable=maybe(st.booleans()),
        recorded_since=maybe(st.sampled_from(hours)),
        pinned=maybe(st.booleans()),
    )
    asked = drawn.draw(st.lists(st.sampled_from(["harbour", "river", "boat", "note", "lost"]), min_size=1))
    width, long = drawn.draw(st.sampled_from([(1, 2), (3, 2), (60, 1)]))
    opening = Opening(
        selection=chosen, text=TextQuery(tuple(asked)), width=width, long_bytes=34, long=long, too_common=100,
        narrow=50, window=(hours[1], hours[-2]), former=True, changing=("lost",), pinned=3,
    )  # fmt: skip
    found = []
    for store in stores:
        with store.read() as reader:
            opened = reader.open(opening)
            keys = opened.text.keys.tolist()
            scores = [round(score, 5) for score in opened.text.scores.tolist()]
            others = (opened.former, opened.changing, opened.within, opened.pinned)
            told = [
                [reader.load(list(some))[key].content for key in some] for some in (keys, *map(list, others))
            ]
            found.append((told, scores, [round(score, 5) for score in opened.former.values()]))
    assert found[0] == found[1]


@pytest.mark.parametrize("items", [30, 1_010], ids=["some long texts", "many"])
def test_long_texts_behind_the_best_are_those_of_a_file(server, tmp_path, items):
    """The database names the few that there are; of many it looks up which hold the words."""
    file = SqliteStore(tmp_path / "memory.db")
    there = PostgresStore(
        PostgresAddress(url=server.url, tenant=server.new_tenant()), connections=server.connections
    )
    texts = [f"harbour {'boat ' * (number % 7)}{number}" for number in range(items)]
    found = []
    for store in (file, there):
        store.write(lambda tx: tx.insert([NewItem(an_item(text), Outcome.ACCEPTED) for text in texts], None))
        opening = Opening(
            selection=Selection(scopes=None, live_at=None), text=TextQuery(("harbour", "boat")), width=3,
            long_bytes=8, long=5, too_common=100, narrow=50, pinned=0,
        )  # fmt: skip
        with store.read() as reader:
            keys = reader.open(opening).text.keys.tolist()
            found.append([reader.load(keys)[key].content for key in keys])
        store.close()
    assert found[0] == found[1]
    assert len(found[0]) >= 5


def test_links_are_looked_up_by_either_end(server):
    """Each of the two indexes begins with the tenant, and would be walked from end to end for the other."""
    store = PostgresStore(
        PostgresAddress(url=server.url, tenant=server.new_tenant()), connections=server.connections
    )
    new = [NewItem(an_item(f"text {number}"), Outcome.ACCEPTED) for number in range(300)]
    store.write(lambda tx: tx.insert(new, None))
    pairs = itertools.pairwise(new)
    store.write(
        lambda tx: [tx.link(Link(src=a.item.id, dst=b.item.id, rel=Relation.CAUSAL)) for a, b in pairs]
    )
    with server.owner() as owner:
        owner.execute("ANALYZE memory_links")
    asked = query("near_and_around", "TRUE")
    about = {
        **{key: [1, 2] for key in ("near", "numbers", "seeds", "best", "given", "known")}, "relations": ["causal"],
        **dict.fromkeys(("wanted", "half", "depth", "surrounded", "reach", "limit"), 2),
        "model": None, "reading": None, "mentioning": False,
    }  # fmt: skip
    with store._view() as database:
        rows = database.run(asked._replace(text=f"EXPLAIN {asked.text}"), about).fetchall()
    plan = "\n".join(line for (line,) in rows)
    for index, end in (("memory_links_pkey", "src"), ("memory_links_by_dst", "dst")):
        assert (
            len(re.findall(rf"using {index} .*\n *Index Cond: \(\(tenant = \S+\) AND \({end} = ", plan)) == 2
        ), plan
    store.close()


def test_a_large_store_is_asked_for_the_same_terms(server):
    """One item holds every term; how many others would is made up."""
    drawn = random.Random(5)
    terms = [f"zq{chr(97 + n)}x" for n in range(20)]
    tenant = server.new_tenant()
    store = PostgresStore(PostgresAddress(url=server.url, tenant=tenant), connections=server.connections)
    store.write(lambda tx: tx.insert([NewItem(an_item(" ".join(terms)), Outcome.ACCEPTED)], None))
    rows = 100_000
    for _ in range(25):
        asked = drawn.sample(terms, drawn.randint(1, 12))
        counts = {term: int(10 ** drawn.uniform(0, 4.7)) for term in terms}
        with server.owner() as owner:
            owner.execute(
                "UPDATE memory_heads SET last_key = %s, worded = %s, tokens = %s WHERE tenant = %s",
                (rows, rows, rows * 20, store.tenant),
            )
            for term, count in counts.items():
                owner.execute(
                    "UPDATE memory_terms SET documents = %s WHERE tenant = %s AND term = %s",
                    (count, store.tenant, term),
                )
        with store.read() as reader:
            matches = reader.search_text(TextQuery(tuple(asked)), Selection(scopes=None, live_at=None), 5)
        assert len(matches.keys) == 1
        assert matches.terms == affordable(asked, counts, rows).terms


instants = st.integers(FIRST, LAST)
ORDINARY = {
    "base": 0.5,
    "rate": 0.1,
    "uses": 3,
    "reinforcement": 2.0,
    "strength": 4.0,
    "since": 0,
    "now": DAY_US,
}
TINY, HUGE = 5e-324, 1.7e308


@settings(max_examples=60)
@given(
    base=st.floats(0, 1), rate=st.floats(0, allow_infinity=False), uses=st.integers(0, 2**31 - 1),
    reinforcement=st.floats(allow_nan=False, allow_infinity=False),
    strength=st.floats(0, allow_infinity=False), since=instants, now=instants,
)  # fmt: skip
@example(**ORDINARY | {"base": TINY})
@example(**ORDINARY | {"base": TINY, "rate": 0.0})
@example(**ORDINARY | {"base": 1e-129, "rate": 1e3, "now": LAST})
@example(**ORDINARY | {"rate": TINY})
@example(**ORDINARY | {"rate": TINY, "now": 1})
@example(**ORDINARY | {"rate": 1e-130, "now": 1})
@example(**ORDINARY | {"rate": HUGE, "since": FIRST, "now": LAST})
@example(**ORDINARY | {"rate": HUGE, "now": 1})
@example(**ORDINARY | {"rate": 5.0, "since": FIRST, "now": LAST})
@example(**ORDINARY | {"uses": 0, "base": TINY})
@example(**ORDINARY | {"uses": 2**31 - 1})
@example(**ORDINARY | {"strength": TINY})
@example(**ORDINARY | {"strength": 1e-130, "since": FIRST, "now": LAST})
@example(**ORDINARY | {"strength": HUGE, "since": FIRST, "now": LAST})
@example(**ORDINARY | {"strength": HUGE, "now": 0})
@example(**ORDINARY | {"reinforcement": TINY})
@example(**ORDINARY | {"reinforcement": -TINY})
@example(**ORDINARY | {"reinforcement": HUGE})
@example(**ORDINARY | {"reinforcement": -HUGE, "since": FIRST, "now": LAST})
def test_the_formulas_of_the_schema_are_those_of_the_domain(
    server, base, rate, uses, reinforcement, strength, since, now
):
    days = days_between(since, now)
    values = {"base": base, "rate": rate, "uses": uses, "by": reinforcement, "of": strength}
    with server.owner() as owner:
        found = owner.execute(
            """SELECT effective_confidence(%(base)s, %(rate)s, %(since)s, %(now)s),
            confidence_after_use(%(base)s, %(uses)s),
            strengthened(%(of)s, %(since)s, %(now)s), faintness(%(by)s, %(since)s, %(now)s)""",
            values | {"since": since, "now": now},
        ).fetchone()
    expected = (
        retention.effective_confidence(base, rate, days), retention.confidence_after_use(base, uses),
        retention.strengthened(strength, days), retention.faintness(reinforcement, days),
    )  # fmt: skip
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    ("tenant", "prefix"), [(1, "1:"), (35, "z:"), (36, "10:"), (-42, "-16:"), (2**31 - 1, "zik0zj:")]
)
def test_lexemes_begin_with_the_tenant_on_both_sides(server, tenant, prefix):
    with server.owner() as owner:
        assert owner.execute("SELECT simonides_prefix(%s)", (tenant,)).fetchone() == (prefix,)
    assert prefix_of(tenant) == prefix


@pytest.mark.parametrize(
    ("statement", "narrower", "looked_up"),
    [
        ("items_latest_first", {"after": 1, "before": 2}, ["END >= 1", "END < 2"]),
        ("made_from", {}, ["source_id = ANY", "(tenant = "]),
    ],
)
def test_what_is_asked_of_a_large_tenant_is_looked_up_by_an_index_under_row_level_security(
    server, statement, narrower, looked_up
):
    """A function that may leak, as PostgreSQL sees it, is tested row by row, whatever index there is."""
    store = PostgresStore(
        PostgresAddress(url=server.url, tenant=server.new_tenant()), connections=server.connections
    )
    store.write(lambda tx: tx.insert([NewItem(an_item("a text"), Outcome.ACCEPTED)], None))
    chosen = Selection(scopes=(Scope("global"),), live_at=None, **narrower)
    fragments, values = conditions(chosen, lambda _: [1])
    with psycopg.connect(server.url) as application:
        application.execute(f"SET LOCAL simonides.tenant = '{store.tenant}'")
        application.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
        asked = f"EXPLAIN {query(statement, *fragments).text}"
        bound = values | {"tenant": store.tenant, "limit": 3, "ids": ["x"]}
        rows = psycopg.ClientCursor(application).execute(asked, bound).fetchall()
    plan = "\n".join(line for (line,) in rows)
    lines = [line for (line,) in rows if "Index Cond" in line]
    assert all(any(one in line for line in lines) for one in looked_up), plan
    if statement == "made_from":
        assert "memory_items_of_chunks" in plan


def test_the_vectors_of_one_item_are_found_by_an_index(server):
    """The other index begins with the tenant as well, and would be walked from end to end."""
    address = PostgresAddress(url=server.url, tenant=server.new_tenant())
    store = PostgresStore(address, connections=server.connections)
    embedder = FakeEmbedder(4)
    texts = [f"text {number}" for number in range(200)]
    new = [
        NewItem(an_item(text), Outcome.ACCEPTED, vector)
        for text, vector in zip(texts, embedder.embed(texts), strict=True)
    ]
    store.write(lambda tx: tx.insert(new, embedder.identity))
    with server.owner() as owner:
        owner.execute("ANALYZE memory_embeddings; SET enable_seqscan = off; SET enable_bitmapscan = off")
        asked = "EXPLAIN DELETE FROM memory_embeddings WHERE tenant = %s AND item = 1"
        rows = psycopg.ClientCursor(owner).execute(asked, (store.tenant,)).fetchall()
    assert "memory_embeddings_pkey" in "\n".join(line for (line,) in rows)
