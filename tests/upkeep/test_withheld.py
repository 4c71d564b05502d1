"""Tests of what was forgotten or taken back: no prompt tells it by the turn that said it, nor by a narrative."""

import random
from itertools import product

import pytest

from simonides import Memory
from simonides.errors import StoreFull, UndoRefused
from simonides.testing import FrozenClock
from simonides.upkeep.schedule.lease import Lease
from tests.full_disk import full_from

SCOPE = "user:ana"
#: By language: what is let go of, a word of it, what else is said, how that is taken back, a question about it.
LET_GO = {
    "en": ("My salary is 4000 euros.", "4000", "I live in Graz.", "Forget what I told you about my salary.",
           "What is my salary?"),
    "de": ("Mein Gehalt beträgt 4000 Euro.", "4000", "Ich wohne in Graz.",
           "Vergiss, was ich über mein Gehalt gesagt habe.", "Wie hoch ist mein Gehalt?"),
    "fr": ("Je suis allergique aux noix.", "noix", "J'habite à Lyon.", "Oublie ce que je t'ai dit sur les noix.",
           "À quoi suis-je allergique ?"),
    "es": ("Soy alérgica a las nueces.", "nueces", "Vivo en Vigo.", "Olvida lo que te dije sobre las nueces.",
           "¿A qué soy alérgica?"),
    "ru": ("У меня аллергия на орехи.", "аллергия на", "Я живу в Твери.", "Забудь то, что я говорил про орехи.",
           "На что у меня аллергия?"),
}  # fmt: skip


@pytest.fixture
def memory(fresh):
    with Memory(fresh, clock=FrozenClock("2026-03-02T10:00:00Z")) as memory:
        yield memory


def say(memory, *texts):
    """Say each text, hours apart, in one session; what it states is extracted at once."""
    ids = []
    for text in texts:
        ids += memory.add([{"role": "user", "content": text}], scope=SCOPE, session_id="s").item_ids
        memory._parts.clock.advance(hours=3)
        memory.extract()
        memory.maintain()
    return ids


def stated(memory, word):
    kept = (item for item in memory.list(scope=SCOPE, limit=100) if item.type not in {"episode", "narrative"})
    return [item.id for item in kept if word in item.content]


def told(memory, question, word):
    """The modes in which a prompt about a question holds a word."""
    texts = {
        mode: memory.context(question, scope=SCOPE, mode=mode, min_relevance=0).text
        for mode in ("inject", "context", "hybrid")
    }
    return [mode for mode, text in texts.items() if word in text]


@pytest.mark.parametrize(("language", "way"), [*product(LET_GO, ["forget", "take back"])])
def test_no_prompt_tells_what_was_let_go(memory, language, way):
    secret, word, _, takes_back, question = LET_GO[language]
    (turn,) = say(memory, secret)
    assert told(memory, question, secret)
    if way == "forget":
        for item_id in stated(memory, word):
            memory.forget(item_id)
    else:
        say(memory, takes_back)
    assert stated(memory, word) == []
    assert told(memory, question, secret) == []
    assert memory.get(turn).content == secret
    assert turn in {hit.item.id for hit in memory.search(question, scope=SCOPE)}


@pytest.mark.parametrize("language", LET_GO)
def test_of_a_turn_that_states_something_else_the_rest_is_told(memory, language):
    secret, word, other, _, question = LET_GO[language]
    (turn,) = say(memory, f"{secret} {other}")
    for item_id in stated(memory, word):
        memory.forget(item_id)
    assert memory.get(turn).injectable
    assert told(memory, question, secret) == []
    assert "inject" in told(memory, other, other)
    assert memory.search(question, scope=SCOPE).hits[0].item.content == f"{secret} {other}"
    for item_id in stated(memory, other[-6:]):
        memory.forget(item_id)
    assert not memory.get(turn).injectable


@pytest.mark.parametrize("restored_first", [False, True])
def test_what_is_undone_is_told_again(memory, restored_first):
    say(memory, "My salary is 4000 euros.")
    (fact,) = stated(memory, "4000")
    [made] = memory.add(
        "The user earns well.", type="fact", scope=SCOPE, links=[{"to": fact, "rel": "derived_from"}]
    ).item_ids
    memory.forget(fact)
    assert memory.get(made).status == "quarantined"
    (run,) = [run for run in memory.runs.list() if run.job == "retract"]
    if restored_first:  # It tells by its turn again by that alone: the run has only the rest to take back.
        memory.restore(fact)
        assert memory.undo(run.id).left_alone == ()
    else:
        memory.undo(run.id)
        memory.restore(fact)
    assert memory.get(made).status == "active"
    assert told(memory, "What is my salary?", "4000")


def test_a_turn_that_changed_since_is_not_undone(memory):
    (turn,) = say(memory, "My salary is 4000 euros. I live in Graz.")
    (fact,) = stated(memory, "4000")
    memory.forget(fact)
    (run,) = [run for run in memory.runs.list() if run.job == "retract"]
    memory.update(turn, tags=["money"])
    with pytest.raises(UndoRefused):
        memory.undo(run.id)


def test_of_another_scope_nothing_is_withheld(memory):
    ours, theirs = (
        memory.add("The mill is closed.", type="fact", scope=scope).item_ids[0]
        for scope in (SCOPE, "user:bo")
    )
    turn = memory.add([{"role": "user", "content": "The mill is closed."}], scope="user:bo").item_ids[0]
    memory.link(theirs, turn, "derived_from")
    memory.forget(ours)
    assert memory.get(turn).injectable


#: By language: what a user tells in turns, each a statement of its own.
STATEMENTS = {
    "en": ("My salary is 4000 euros.", "I live in Graz.", "I'm allergic to walnuts.", "My sister is called Berta.",
           "I work as a nurse.", "I have a dog named Rex."),
    "de": ("Mein Gehalt beträgt 4000 Euro.", "Ich wohne in Graz.", "Ich bin allergisch gegen Walnüsse.",
           "Meine Schwester heißt Berta.", "Ich arbeite als Krankenpfleger.", "Ich habe einen Hund namens Rex."),
    "fr": ("J'habite à Lyon.", "Je suis allergique aux noix.", "Ma sœur s'appelle Berthe.",
           "Je travaille comme infirmier.", "J'ai un chien nommé Rex."),
    "es": ("Mi sueldo es de 4000 euros.", "Vivo en Vigo.", "Soy alérgica a las nueces.", "Mi hermana se llama Berta.",
           "Trabajo como enfermera.", "Tengo un perro llamado Rex."),
    "ru": ("Я живу в Твери.", "У меня аллергия на орехи.", "Мою сестру зовут Берта.", "Я работаю медсестрой.",
           "У меня есть собака по кличке Рекс."),
    "zh": ("我住在成都。", "我对核桃过敏。", "我姐姐叫王芳。", "我是护士。", "我养了一只狗叫豆豆。"),
}  # fmt: skip


@pytest.mark.parametrize(("language", "seed"), [*product(STATEMENTS, range(2))])
def test_prompts_tell_of_turns_what_was_not_let_go_whatever_was_said_and_in_which_order(
    memory, language, seed
):
    dice = random.Random(seed)
    statements = dice.sample(STATEMENTS[language], len(STATEMENTS[language]))
    between = "" if language == "zh" else " "
    while statements:
        some = [statements.pop() for _ in range(min(len(statements), dice.randint(1, 3)))]
        messages = [{"role": "user", "content": between.join(some)}]
        if dice.random() < 0.5:  # An assistant repeats it.
            messages.append({"role": "assistant", "content": between.join(dice.sample(some, len(some)))})
        memory.add(messages, scope=SCOPE, session_id=f"s{dice.randint(0, 1)}")
    memory._parts.clock.advance(hours=3)
    memory.extract()
    lost = {}
    for _ in range(6):
        statement = dice.choice(STATEMENTS[language])
        if statement not in lost:
            (item_id,) = stated(memory, statement)
            purges = dice.random() < 0.2
            (memory.purge if purges else memory.forget)(item_id)
            lost[statement] = None if purges else item_id
        elif lost[statement] is not None:
            assert memory.restore(lost.pop(statement)).outcome == "accepted"
    for statement in STATEMENTS[language]:
        modes = told(memory, statement, statement)
        assert modes == [] if statement in lost else "inject" in modes, statement


@pytest.mark.parametrize("way", ["restore", "approve"])
def test_what_is_brought_back_is_told_by_its_turn_again(memory, way):
    secret, word, *_, question = LET_GO["en"]
    (turn,) = say(memory, secret)
    (fact,) = stated(memory, word)
    if way == "restore":
        memory.forget(fact)
        assert not memory.get(turn).injectable
        memory.restore(fact)
    else:
        say(memory, "Forget what I told you about my salary.")
        assert not memory.get(turn).injectable
        memory.review.approve(fact)
    assert memory.get(turn).injectable
    assert "inject" in told(memory, question, secret)
    if way == "restore":
        (run,) = [run for run in memory.runs.list() if run.job == "retell"]
        memory.undo(run.id)
        assert not memory.get(turn).injectable


def test_of_a_sentence_that_says_two_things_prompts_tell_what_was_stored_of_the_other(memory):
    say(memory, "I live in Graz and work for Acme.")
    (fact,) = stated(memory, "Acme")
    memory.forget(fact)
    assert told(memory, "Where do I work?", "Acme") == []
    assert "inject" in told(memory, "Where do I live?", "Graz")


def test_what_a_model_worded_is_told_no_more_by_the_sentence_it_was_made_of(memory):
    turn = memory.add(
        [{"role": "user", "content": "They pay me 4000 euros a month. I was in Riga on Sunday."}], scope=SCOPE
    ).item_ids[0]
    fact = memory.add("The salary is 4000 euros.", scope=SCOPE, type="fact").item_ids[0]
    memory.link(fact, turn, "derived_from")
    memory.forget(fact)
    assert told(memory, "What do they pay me?", "4000") == []
    assert "inject" in told(memory, "Where was I on Sunday?", "Riga")


#: By language: how an earlier session's statement is taken back in a later one.
RETRACTED = {
    "en": ("I have a dog named Rex.", ("Forget what I said about my dog.", "That was a joke, I don't have a dog.",
           "What I told you about my dog was a lie.", "Please forget that I have a dog.",
           "Delete the note that I have a dog.", "Please remove from your memory that I have a dog.",
           "Forget the note that says I have a dog.")),
    "de": ("Ich habe einen Hund namens Rex.", ("Vergiss, was ich über meinen Hund gesagt habe.",
           "Das war ein Witz, ich habe keinen Hund.", "Vergiss bitte, dass ich einen Hund habe.",
           "Bitte vergessen Sie, dass ich einen Hund namens Rex habe.",
           "Lösch bitte die Notiz, dass ich einen Hund habe.",
           "Lösche aus deinem Gedächtnis, dass ich einen Hund habe.")),
    "fr": ("J'ai un chien nommé Rex.", ("Oublie ce que j'ai dit sur mon chien.",
           "C'était une blague, je n'ai pas de chien.", "Oublie, s'il te plaît, que j'ai un chien.",
           "Supprime la note que j'ai un chien.", "Supprime de ta mémoire que j'ai un chien.")),
    "es": ("Tengo un perro llamado Rex.", ("Olvida lo que dije sobre mi perro.", "Era broma, no tengo perro.",
           "Por favor, olvide que tengo un perro.", "Borra la nota de que tengo un perro.",
           "Borra de tu memoria que tengo un perro.")),
    "ru": ("У меня есть собака по кличке Рекс.", ("Забудь, что я говорил про собаку.",
           "Это была шутка, у меня нет собаки.", "Забудьте, пожалуйста, что у меня есть собака.",
           "Забудь, что я говорила о своей собаке.", "Удали заметку, что у меня есть собака.",
           "Удали из памяти, что у меня есть собака.")),
    "zh": ("我养了一只狗叫豆豆。", ("忘掉我说的关于狗的事。", "我之前说的关于狗的事是开玩笑的。",
           "请忘记我养了一只狗。", "忘掉我养了一只狗叫豆豆吧，谢谢。", "忘掉我养了一只狗的事。",
           "从记忆中删除我养了一只狗。", "请删除我养了一只狗的记录。")),
}  # fmt: skip


def told_days_apart(memory, *texts):
    for number, text in enumerate(texts):
        memory.add([{"role": "user", "content": text}], scope=SCOPE, session_id=f"day {number}")
        memory._parts.clock.advance(days=1)
        memory.extract()


@pytest.mark.parametrize(
    ("statement", "takes_back"), [(one, back) for one, backs in RETRACTED.values() for back in backs]
)
def test_what_is_taken_back_by_name_in_another_session_is_held_back(memory, statement, takes_back):
    told_days_apart(memory, statement, takes_back)
    assert stated(memory, statement[:-1]) == []
    (held,) = memory.review.list()
    assert held.verdict.reasons[0].startswith("taken back: in ")
    assert told(memory, statement, statement) == []
    memory.undo(memory.runs.list(job="turns")[0].id)
    assert stated(memory, statement[:-1])


@pytest.mark.parametrize("text", [
    "I don't have a dog.", "My sister said: forget what I said about my dog.", "What did I say about my dog?",
    "If I said anything about my dog it was a joke.", "Forget what I said about my cat.",
])  # fmt: skip
def test_what_is_not_taken_back_outright_stays(memory, text):
    told_days_apart(memory, "I have a dog named Rex.", text)
    assert stated(memory, "Rex")


@pytest.mark.parametrize(("statement", "text"), [
    ("Ich habe einen Hund namens Rex.", "Vergiss bitte nicht, dass ich einen Hund habe."),
    ("Ich habe einen Hund namens Rex.", "Vergiss, dass ich eine Katze habe."),
    ("Ich habe einen Hund namens Rex.", "Ich habe vergessen, dass ich einen Hund habe."),
    ("У меня есть собака Рекс.", "Не забудь, что у меня есть собака."),
    ("У меня есть собака Рекс.", "Забудь, что у меня есть кошка."),
    ("我住在杭州。", "不要忘记我住在杭州。"), ("我住在杭州。", "忘记我住在南京。"),
    ("我住在杭州。", "我忘了我住在杭州。"),
])  # fmt: skip
def test_what_is_to_be_kept_or_is_something_else_stays(memory, statement, text):
    told_days_apart(memory, statement, text)
    assert stated(memory, statement[:-1])


def test_what_may_be_either_of_two_is_for_a_person_to_decide(memory):
    told_days_apart(
        memory,
        "I have a dog named Rex.",
        "My dog is allergic to chicken.",
        "Forget what I said about my dog.",
    )
    assert len(stated(memory, "dog")) == 2
    pairs = memory.review.contradictions(scope=SCOPE)
    assert len(pairs) == 2
    memory.forget(stated(memory, "Rex")[0])
    assert len(stated(memory, "dog")) == 1


def test_what_was_taken_back_before_it_was_kept_is_told_by_no_prompt(memory):
    for text in ("My salary is 4000 euros. I live in Graz.", "Forget what I told you about my salary."):
        memory.add([{"role": "user", "content": text}], scope=SCOPE, session_id="s")
    memory._parts.clock.advance(hours=3)
    memory.extract()
    assert told(memory, "What is my salary?", "4000") == []
    assert "inject" in told(memory, "Where do I live?", "Graz")


def test_nor_by_the_turn_that_takes_it_back(memory):
    say(memory, "I'm allergic to walnuts.", "Forget that I'm allergic to walnuts.")
    assert told(memory, "What am I allergic to?", "walnuts") == []


def test_what_is_decided_anew_is_told_no_more(memory):
    say(memory, "My salary is 4000 euros.", "Forget what I told you about my salary.")
    (fact,) = [held.item.id for held in memory.review.list() if held.item.type == "fact"]
    memory.review.approve(fact)
    memory.review.reopen(fact)
    assert told(memory, "What is my salary?", "4000") == []


#: By language: what somebody says, and how others tell the same.
REPEATED = {
    "en": ("I live in Bergen.", "You live in Bergen.", "The user lives in Bergen."),
    "de": ("Mein Hund heißt Rex.", "Dein Hund heißt Rex.", "Mein Hund heißt Rex."),
    "fr": ("J'habite à Bergen.", "Tu habites à Bergen.", "J'habite à Bergen."),
    "es": ("Vivo en Bergen.", "Vives en Bergen.", "Vivo en Bergen."),
    "ru": ("Я живу в Риге.", "Ты живёшь в Риге.", "Я живу в Риге."),
    "zh": ("我住在卑尔根。", "你住在卑尔根。", "我住在卑尔根。"),
}
BESIDE = ("Noted.", "The weather is fine today.", "Rye bread would do.")


@pytest.mark.parametrize("language", REPEATED)
@pytest.mark.parametrize("way", ["add", "add among other things", "propose with its turn", "propose"])
@pytest.mark.parametrize("seed", range(2))
def test_what_was_forgotten_is_told_by_no_turn_however_it_was_kept_and_whenever_the_turn_was(
    memory, language, way, seed
):
    dice = random.Random(f"{language} {way} {seed}")
    said, repeated, noted = REPEATED[language]
    place = said.rstrip(".。").replace("在", "在 ").split()[-1]
    word = place[-3:]
    (turn,) = memory.add([{"role": "user", "content": said}], scope=SCOPE, session_id="s").item_ids
    if way.startswith("add"):
        text = said if way == "add" else f"{said} The bees need sugar water."
        kept = memory.add(text, type="fact", scope=SCOPE).item_ids[0]
    else:
        source = turn if way == "propose with its turn" else "message 1"
        proposal = {"content": noted, "type": "fact", "why_store": "asked", "source": source}
        kept = memory.propose([proposal], scope=SCOPE, session_id="s").verdicts[0].item_id
    memory._parts.clock.advance(hours=1)
    memory.forget(kept)
    assert told(memory, said, word) == []
    for day in range(3):
        memory._parts.clock.advance(days=1)
        pieces = dice.sample([repeated, *BESIDE], dice.randint(1, 4))
        role = dice.choice(["assistant", "tool"])
        turns = [{"role": "user", "content": "Which bread?"}, {"role": role, "content": " ".join(pieces)}]
        later = memory.add(turns, scope=SCOPE, session_id=f"later {day}").item_ids[1]
        assert told(memory, said, word) == []
        assert memory.get(later).injectable or set(pieces) <= {repeated, "Noted."}
    memory._parts.clock.advance(days=1)
    memory.add([{"role": "user", "content": said}], scope=SCOPE, session_id="again")
    memory._parts.clock.advance(days=1)
    turns = [{"role": "assistant", "content": repeated}]
    last = memory.add(turns, scope=SCOPE, session_id="yet again").item_ids[0]
    assert "inject" in told(memory, place, place)
    assert memory.get(last).injectable


def test_a_history_that_is_sent_once_more_says_nothing_anew(memory):
    history = [{"role": "user", "content": "I live in Bergen."}, {"role": "assistant", "content": "Noted."}]
    memory.add(history, scope=SCOPE, session_id="s")
    memory.forget(memory.add("I live in Bergen.", type="fact", scope=SCOPE).item_ids[0])
    memory._parts.clock.advance(hours=1)
    history += [{"role": "user", "content": "So?"}, {"role": "assistant", "content": "You live in Bergen."}]
    memory.add(history, scope=SCOPE, session_id="s")
    assert told(memory, "Where do I live?", "Bergen") == []


#: By language: sentences of which one takes the place of the other.
PLACES = {
    "en": ("I live in {}.", ("Bergen", "Oslo", "Turku", "Graz")),
    "de": ("Ich wohne in {}.", ("Bergen", "Oslo", "Turku", "Graz")),
    "fr": ("J'habite à {}.", ("Bergen", "Oslo", "Turku", "Lyon")),
    "ru": ("Я живу в {}.", ("Риге", "Осло", "Твери", "Перми")),
}


@pytest.mark.parametrize(("language", "seed"), [*product(PLACES, range(4))])
def test_of_what_was_corrected_or_worded_anew_prompts_tell_what_holds_and_of_what_was_forgotten_nothing(
    memory, language, seed
):
    dice = random.Random(f"{language} {seed}")
    sentence, names = PLACES[language]
    first, *others = dice.sample(names, len(names))
    turns = [{"role": "user", "content": f"{sentence.format(first)} {STATEMENTS[language][-1]}"}]
    if dice.random() < 0.5:
        turns.append({"role": "assistant", "content": sentence.format(first)})
    memory.add(turns, scope=SCOPE, session_id="s")
    memory._parts.clock.advance(hours=3)
    memory.extract()
    (kept,) = made = stated(memory, first)
    for name in others[: dice.randint(1, 3)]:
        memory._parts.clock.advance(hours=dice.randint(0, 1))
        if dice.random() < 0.5:
            kept = memory.correct(kept, sentence.format(name)).item_id
        else:
            memory.update(kept, content=sentence.format(name))
            assert kept not in made or not told(memory, "Where?", first)
        assert told(memory, name, name)
    memory._parts.clock.advance(hours=1)
    memory.forget(kept)
    assert [name for name in names if told(memory, name, name)] == []
    assert told(memory, STATEMENTS[language][-1], STATEMENTS[language][-1])


def test_what_was_worded_anew_and_back_again_is_told_by_its_turn(memory):
    (turn,) = say(memory, "I live in Bergen.")
    (kept,) = stated(memory, "Bergen")
    memory.update(kept, content="I live in Oslo.")
    assert not memory.get(turn).injectable
    memory.update(kept, content="I live in Bergen.")
    assert memory.get(turn).injectable
    memory.update(kept, content="I live in Bergen, near the harbour.")
    assert memory.get(turn).injectable


def test_what_a_model_asked_for_and_a_person_approved_is_told_as_what_the_person_worded(memory):
    (turn,) = say(memory, "I live in Bergen.")
    (kept,) = stated(memory, "Bergen")
    waiting = memory.review.ask(kept, "update", {"content": "I live in Oslo."})
    assert memory.get(turn).injectable
    memory.review.approve(waiting.item_id)
    assert memory.get(kept).content == "I live in Oslo."
    assert not memory.get(turn).injectable
    assert told(memory, "Where do I live?", "Bergen") == []


@pytest.mark.parametrize("way", ["update", "restore"])
def test_where_prompts_cannot_be_told_anew_at_once_the_verdict_says_so(memory, way):
    (turn,) = say(memory, "I live in Bergen.")
    (kept,) = stated(memory, "Bergen")
    if way == "restore":
        memory.forget(kept)
    lease = Lease("retell", 10**9)
    memory._parts.store.write(lambda tx: lease.take(tx, memory._parts.clock.now()))
    before = memory.get(turn)
    done = memory.restore(kept) if way == "restore" else memory.update(kept, content="I live in Oslo.")
    assert done.outcome == "accepted"
    assert [reason for reason in done.reasons if reason.startswith("prompts tell by its turns")]
    assert memory.get(turn) == before


def deciding(memory, way):
    """A decision about what was made of a turn, its ids, and whether prompts tell it by the turn from then on."""
    (turn,) = say(memory, "I live in Bergen.")
    (kept,) = stated(memory, "Bergen")
    if way == "update":
        return turn, kept, lambda: memory.update(kept, content="I live in Oslo."), False
    if way == "restore":
        memory.forget(kept)
        return turn, kept, lambda: memory.restore(kept), True
    say(memory, "Forget what I told you about where I live.")
    if way == "approve":
        return turn, kept, lambda: memory.review.approve(kept), True
    memory.review.approve(kept)
    return turn, kept, lambda: memory.review.reopen(kept), False


@pytest.mark.parametrize("number", range(2, 6))
@pytest.mark.parametrize("way", ["update", "restore", "approve", "reopen"])
def test_what_was_decided_while_the_disk_filled_up_stands_and_is_told_with_what_is_left_to_do(
    memory, caplog, way, number
):
    turn, kept, decide, is_told = deciding(memory, way)
    assert memory.get(turn).injectable is not is_told
    with full_from(memory._parts.store, number) as tried:
        verdict = decide()
    reasons = caplog.messages if way == "reopen" else verdict.reasons
    remarks = [reason for reason in reasons if "no space left" in reason]
    assert len(remarks) == (tried[0] >= number)
    if memory.get(turn).injectable is is_told:
        return
    match way:
        case "update":
            assert "change its wording once more" in remarks[0]
            memory.update(kept, content="I live in Oslo now.")
        case "reopen":
            assert "approve it and take that back once more" in remarks[0]
            memory.review.approve(kept)
            memory.review.reopen(kept)
        case _:
            assert "forget it and restore it once more" in remarks[0]
            memory.forget(kept)
            memory.restore(kept)
    assert memory.get(turn).injectable is is_told


@pytest.mark.parametrize("way", ["update", "restore", "approve", "reopen"])
def test_what_could_not_be_decided_on_a_full_disk_can_be_later(memory, way):
    turn, kept, decide, is_told = deciding(memory, way)
    before = memory.get(kept)
    with full_from(memory._parts.store, 1), pytest.raises(StoreFull):
        decide()
    assert memory.get(kept) == before
    decide()
    assert memory.get(turn).injectable is is_told


@pytest.mark.parametrize("asking", [
    "Since I live in Bergen, what umbrella should I buy?", "I live in Bergen, so which ferry could I take?",
    "Which shop is open, as I live in Bergen?",
])  # fmt: skip
def test_no_narrative_tells_what_was_forgotten_within_a_question(memory, asking):
    told_days_apart(memory, "I live in Bergen.", asking)
    memory._parts.clock.advance(days=2)
    memory.maintain()
    narratives = memory.list(scope=SCOPE, types=["narrative"])
    assert any(f"“{asking}”" in narrative.content for narrative in narratives)
    memory.forget(stated(memory, "Bergen")[0])
    assert told(memory, "Which umbrella?", "I live in Bergen") == []
    assert not any(
        one.injectable for one in memory.list(scope=SCOPE, types=["narrative"]) if "I live" in one.content
    )


#: Turns of a session, the name that its narrative has of the first, what takes that back, and a question about it.
NAMED = [
    (("I'm at home in Leeds.", "Lovely weather in Hull."), "Leeds", "Forget what I said about Leeds.", "Where am I?"),
    (("Ich bin in Bremen zuhause.", "Schön ist Kassel."), "Bremen", "Vergiss, was ich über Bremen gesagt habe.",
     "Wo bin ich zuhause?"),
    (("Estoy viviendo en Bilbao.", "Qué bonito es Vigo."), "Bilbao", "Olvida lo que dije de Bilbao.", "¿Dónde vivo?"),
    (("Ma compagne Lena et moi, ça fait 4 ans.", "Brest est belle."), "Lena",
     "Oublie ce que j'ai dit sur Lena.", "Qui est ma compagne ?"),
    (("Я уже два года живу в Казани.", "В Перми красиво."), "Казани", "Забудь, что я живу в Казани.", "Где я живу?"),
]  # fmt: skip


@pytest.mark.parametrize(("turns", "name", "taking_back", "question"), NAMED)
def test_no_narrative_names_what_was_taken_back(memory, turns, name, taking_back, question):
    for place, session in enumerate((turns, turns[1:], (taking_back,))):
        said = [{"role": "user", "content": content} for content in session]
        memory.add(said, scope=SCOPE, session_id=f"s{place}")
        memory._parts.clock.advance(hours=30)
        memory.extract()
        if place == 1:
            assert told(memory, question, name)
    narratives = {one.content: one.injectable for one in memory.list(scope=SCOPE, types=["narrative"])}
    assert {shown for content, shown in narratives.items() if name in content} == {False}
    assert told(memory, question, name) == []
    # What names nothing of it is told as ever.
    assert all(shown for content, shown in narratives.items() if name not in content)


def test_a_narrative_names_again_what_is_restored(memory):
    (turn,) = memory.add(
        [{"role": "user", "content": "I live in Bergen."}], scope=SCOPE, session_id="s"
    ).item_ids
    memory.extract()
    (narrative,) = memory.add(
        {"content": "The user talked about Bergen.", "type": "narrative"}, scope=SCOPE
    ).item_ids
    memory.link(narrative, turn, "derived_from")
    (kept,) = stated(memory, "Bergen")
    memory.forget(kept)
    assert not memory.get(narrative).injectable
    memory.restore(kept)
    assert memory.get(narrative).injectable


def test_a_narrative_goes_on_naming_what_another_turn_of_it_tells(memory):
    turns = [
        {"role": "user", "content": content}
        for content in ("I live in Bergen.", "The harbour of Bergen is large.")
    ]
    ids = memory.add(turns, scope=SCOPE, session_id="s").item_ids
    memory.extract()
    (narrative,) = memory.add(
        {"content": "The user talked about Bergen.", "type": "narrative"}, scope=SCOPE
    ).item_ids
    for turn in ids:
        memory.link(narrative, turn, "derived_from")
    memory.forget(stated(memory, "I live in Bergen")[0])
    assert memory.get(narrative).injectable


#: By language: what somebody says, and how an assistant tells it them, as a friend and politely.
ADDRESSED = {
    "en": (("I live in Bergen.", "You live in Bergen."), ("I work as a baker.", "You work as a baker.")),
    "de": (("Ich wohne in Bergen.", "Du wohnst in Bergen.", "Sie wohnen in Bergen.", "Schön, du wohnst in Bergen."),
           ("Ich habe einen Hund namens Rex.", "Du hast einen Hund namens Rex.", "Sie haben einen Hund namens Rex."),
           ("Ich bin allergisch gegen Nüsse.", "Du bist allergisch gegen Nüsse.", "Sie sind allergisch gegen Nüsse."),
           ("Mein Hund heißt Rex.", "Dein Hund heißt Rex.", "Ihr Hund heißt Rex.")),
    "fr": (("J'habite à Bergen.", "Tu habites à Bergen.", "Vous habitez à Bergen.", "Vous habitez donc à Bergen."),
           ("Je travaille comme infirmier.", "Tu travailles comme infirmier.", "Vous travaillez comme infirmier."),
           ("Je suis allergique aux noix.", "Tu es allergique aux noix.", "Vous êtes allergique aux noix."),
           ("J'ai un chien nommé Rex.", "Tu as un chien nommé Rex.", "Vous avez un chien nommé Rex.")),
    "es": (("Vivo en Bergen.", "Vives en Bergen.", "Usted vive en Bergen.", "¡Qué bien, vives en Bergen!"),
           ("Trabajo como enfermera.", "Trabajas como enfermera.", "Usted trabaja como enfermera."),
           ("Soy alérgica a las nueces.", "Eres alérgica a las nueces.", "Usted es alérgica a las nueces."),
           ("Tengo un perro llamado Rex.", "Tienes un perro llamado Rex.", "Usted tiene un perro llamado Rex.")),
    "ru": (("Я живу в Риге.", "Ты живёшь в Риге.", "Вы живёте в Риге.", "Понял, вы живёте в Риге."),
           ("Я работаю медсестрой.", "Ты работаешь медсестрой.", "Вы работаете медсестрой.")),
    "zh": (("我住在卑尔根。", "你住在卑尔根。", "您住在卑尔根。"),
           ("我对核桃过敏。", "你对核桃过敏。", "您对核桃过敏。")),
}  # fmt: skip


@pytest.mark.parametrize("language", ADDRESSED)
def test_no_assistant_tells_the_user_what_was_forgotten_of_them_however_it_addresses_them(language):
    for statement, *forms in ADDRESSED[language]:
        with Memory(":memory:", clock=FrozenClock("2026-03-02T10:00:00Z")) as memory:
            turns = [{"role": "user", "content": statement}]
            turns += ({"role": "assistant", "content": form} for form in forms)
            others = [form for another, *rest in ADDRESSED[language] if another != statement for form in rest]
            turns += ({"role": "assistant", "content": form} for form in others)
            ids = memory.add(turns, scope=SCOPE, session_id="s").item_ids
            kept = memory.add(statement, type="fact", scope=SCOPE).item_ids[0]
            memory._parts.clock.advance(hours=1)
            memory.forget(kept)
            assert [memory.get(id_).content for id_ in ids if memory.get(id_).injectable] == others
