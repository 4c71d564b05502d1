"""Statements without a model: what users clearly state, in their own words, and nothing else."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.extract import Guess, Label, judged, labelled, measure
from simonides.domain.scope import GLOBAL
from simonides.domain.taxonomy import TAXONOMY
from simonides.language.spoken import own_words, sentences, without_recalled
from simonides.writing.extract import statements
from simonides.writing.extract.language import codes, wordings
from simonides.writing.intake import message

AT = 1_767_225_600_000_000
SAID_AT = "2026-01-01T00:00:00Z"
EXAMPLES = [(code, group) for code in sorted(codes()) for group in wordings(code).examples]


def turn(content, role="user", **fields):
    return message({"role": role, "content": content, "at": SAID_AT} | fields).episode(GLOBAL, "s", AT)


def found(*contents, **fields):
    """(type, content) of what users' turns state."""
    told = statements([turn(content, **fields) for content in contents])
    return [(statement.type, statement.content) for statement in told]


# The languages' own examples


@pytest.mark.parametrize(("code", "group"), EXAMPLES, ids=lambda value: getattr(value, "type", value))
def test_the_examples_of_a_group_of_forms_show_what_it_is_for(code, group):
    for sentence in group.stated:
        assert [kind for kind, _ in found(sentence)] == [group.type], (code, sentence)
    for sentence in group.not_stated:
        assert found(sentence) == [], (code, sentence)


@pytest.mark.parametrize("code", sorted(codes()))
def test_forms_are_of_types_that_the_taxonomy_knows(code):
    assert {form.type for form in wordings(code).forms} <= set(TAXONOMY.specs)


# What a statement looks like


def test_a_statement_is_said_as_it_was_and_named_after_its_speaker():
    told = statements([turn("by the way, I prefer trains to planes, thanks!", name="Ana", id="m1")])
    (one,) = told
    assert one.content == "Ana: I prefer trains to planes."
    assert one.type == "preference"
    assert one.entities == ("Ana",)
    assert one.event_at == AT
    assert one.importance == TAXONOMY["preference"].importance
    assert one.why_store == "Ana stated a preference"


def test_who_has_no_name_is_quoted_alone():
    assert found("btw I live in Ghent") == [("identity", "I live in Ghent.")]


def test_a_statement_in_a_request_is_found_and_the_request_is_not():
    assert found("Since I'm allergic to nuts, what else could I use?") == [
        ("identity", "I'm allergic to nuts.")
    ]
    assert found("I'm vegan, so can you suggest a soup?") == [("identity", "I'm vegan.")]


def test_several_statements_of_a_turn_are_one_each():
    assert found("I'm Ana and I run a bakery. We decided to open on Sundays!") == [
        ("identity", "I'm Ana."),
        ("identity", "I run a bakery."),
        ("decision", "We decided to open on Sundays."),
    ]


def test_what_several_turns_say_is_one_statement_of_all_of_them():
    turns = [turn("I live in Ghent.", id="a"), turn("As I said: I live in Ghent!", id="b")]
    (one,) = statements(turns)
    assert one.source_ids == (turns[0].id, turns[1].id)


def test_what_is_asked_to_be_remembered_is_surer_and_weightier():
    (asked,) = statements([turn("Please remember that our gate code changes every month.")])
    assert (asked.type, asked.content) == ("fact", "Our gate code changes every month.")
    assert asked.confidence > 0.8
    assert asked.importance >= 0.7
    assert asked.why_store == "the user asked to remember it"


def test_who_hedges_is_believed_less():
    (sure,) = statements([turn("I live in Ghent.")])
    (hedged,) = statements([turn("I'm pretty sure I'm allergic to wasps.")])
    assert hedged.confidence < sure.confidence


#: Words around a guess, of which one half stands before what is guessed, and one behind it; what may be guessed.
GUESSES = {
    "en": (
        ["I think {}", "I think that {}", "I believe {}", "Actually, I suspect {}", "I guess {}", "I suppose {}"],
        ["{}, I think", "{}, I believe"],
        ["I'm allergic to wasps", "I live in Ghent", "I like opera"],
    ),
    "de": (
        ["Ich vermute, {}", "Ich glaube, {}", "Ich denke, {}", "Ich nehme an, {}", "Ich schätze mal, {}"],
        ["{}, glaube ich", "{}, vermute ich"],
        ["ich bin allergisch gegen Pollen", "ich wohne in Gent", "ich mag Oper"],
    ),
    "fr": (
        ["Je crois que {}", "Je pense que {}", "Je suppose que {}", "Il me semble que {}"],
        ["{}, je crois", "{}, je pense"],
        ["je suis allergique aux noix", "j'habite à Lyon", "j'adore le thé"],
    ),
    "es": (
        ["Creo que {}", "Yo creo que {}", "Supongo que {}", "Me parece que {}", "Imagino que {}"],
        ["{}, creo", "{}, supongo"],
        ["soy alérgica a las nueces", "vivo en Sevilla", "me gusta la ópera"],
    ),
    "ru": (
        ["Думаю, {}", "Я думаю, что {}", "Полагаю, {}", "По-моему, {}", "Подозреваю, что {}"],
        ["{}, думаю", "{}, полагаю"],
        ["у меня аллергия на орехи", "я живу в Граце", "я люблю оперу"],
    ),
    "zh": (
        ["我猜{}", "我觉得{}", "估计{}", "恐怕{}", "我想{}"],
        [],
        ["我对花生过敏", "我住在成都", "我喜欢歌剧"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("code", sorted(GUESSES))
def test_what_is_guessed_is_not_stated(code):
    before, behind, guessed = GUESSES[code]
    stop = wordings(code).full_stop
    for words in guessed:
        begun = f"{words[0].upper()}{words[1:]}"
        assert len(found(begun + stop)) == 1, words
        for guess in before:
            assert found(guess.format(words) + stop) == [], (guess, words)
        for guess in behind:
            assert found(guess.format(begun) + stop) == [], (guess, words)


def test_a_verb_of_guessing_may_say_something_else():
    assert found("Ich schätze Ruhe.") == [("preference", "Ich schätze Ruhe.")]
    assert found("I live in Ghent because I think it's pretty.") != []
    assert found("Remember that I think tabs are better.") == [("fact", "I think tabs are better.")]


def test_a_correction_says_that_it_is_one():
    (one,) = statements([turn("Actually, I live in Bruges.")])
    assert one.why_store == "the user stated a correction"


# What is said of several, for a while, or of what stands before it

COMPANY = {
    "en": [
        "My husband and I live in Leeds.",
        "Tom, Ella and I have two cats.",
        "Me and my wife live in Bath.",
        "Tom and I have split up.",
    ],
    "de": [
        "Meine Frau und ich wohnen in Graz.",
        "Mein Bruder und ich arbeiten bei Siemens.",
        "Katrin und ich wollen im Sommer nach Basel ziehen.",
        "Katrin und ich haben beschlossen, nach Basel zu ziehen.",
        "Ich und meine Frau wohnen in Graz.",
        "Miriam und ich sind jetzt zusammen.",
    ],
    "es": ["Mi mujer y yo vivimos en Sevilla.", "Lucía y yo queremos ir a Roma en mayo."],
    "fr": [
        "Ma femme et moi habitons à Lyon.",
        "Lucie et moi, nous habitons à Lyon.",
        "Lucie et moi sommes mariés.",
    ],
    "ru": ["Мы с женой живём в Казани.", "Моя жена и я живём в Казани.", "Я и моя жена живём в Казани."],
    "zh": ["我和我妻子住在上海。", "小红和我住在上海。"],
}


@pytest.mark.parametrize("said", [one for some in COMPANY.values() for one in some])
def test_what_is_said_of_several_keeps_all_of_them(said):
    assert [text for _, text in found(said)] == [said]


@pytest.mark.parametrize(
    "said",
    [
        "I have two cats and I live in Leeds.",
        "Ich arbeite bei Siemens und ich wohne in Graz.",
        "Tengo dos gatos y vivo en Sevilla.",
    ],
)
def test_two_statements_of_one_speaker_are_no_company(said):
    assert len(found(said)) == 2


@pytest.mark.parametrize(
    "said",
    [
        "Three days in and I'm a monster.",
        "I'm a single mum this week",
        "Drei Tage ohne Kaffee und ich bin ein Wrack.",
        "Ich bin diese Woche alleinerziehend.",
        "Soy madre soltera esta semana.",
        "Je suis célibataire cette semaine.",
        "Trois jours et je suis une infirmière.",
        "Три дня, и я студент.",
        "三天了，我是个病人。",
        "Allein mag ich nicht.",
    ],
)
def test_what_somebody_is_for_a_while_is_not_who_they_are(said):
    assert not found(said)


@pytest.mark.parametrize(
    "said", ["I'm 34 today.", "As of this week I'm a nurse.", "I'm a single mum.", "Fisch mag ich nicht."]
)
def test_what_began_just_now_lasts(said):
    assert [text for _, text in found(said)] == [said]


def test_a_deadline_is_told_with_what_it_is_the_deadline_of_or_not():
    told = "Priya gave us two more weeks for Kestrel, the new deadline is 13 March."
    assert [text for _, text in found(told)] == [told]
    assert not found("The new deadline is 13 March.")
    assert [text for _, text in found("The deadline for Kestrel is 13 March.")] == [
        "The deadline for Kestrel is 13 March."
    ]


# What is no statement


@pytest.mark.parametrize(
    "content",
    [
        "What do I prefer?",
        "If I lived in Ghent, I'd cycle.",
        "I might be allergic to wasps.",
        "My brother says he is allergic to wasps.",
        "For example, I live in Ghent and you don't.",
        "I live in Ghent lol",
        "I'm the queen of Belgium. Just kidding!",
        "Imagine I live in Ghent.",
        "In my novel I live in Ghent.",
        "I wish I lived in Ghent.",
        "Apparently I'm allergic to wasps.",
        "We haven't decided to move yet.",
        'Translate this: "I live in Ghent and I prefer trains."',
        "Proofread this for me.\nI live in Ghent. I prefer trains.",
        "Write a story about me. I live in Ghent.",
        '"I prefer trains to any plane"',
        "> I live in Ghent.",
        "On Mon, 2 Mar 2026, Ana wrote:\nI live in Ghent.",
        "```\nI live in Ghent\n```",
        "Here is the log:\nI live in Ghent",
        "2026-03-01 12:00:00 INFO I live in Ghent",
        "I prefer that one.",
        "I love it!",
        "I'd like a soup.",
        "I'm tired right now.",
        "I like your answer.",
        "",
    ],
)
def test_what_is_not_the_speakers_own_claim_states_nothing(content):
    assert found(content or "…") == []


@pytest.mark.parametrize("role", ["assistant", "tool", "function"])
def test_nobody_but_users_state_anything(role):
    assert found("I live in Ghent and I prefer trains.", role=role) == []


def test_what_was_recalled_is_no_news():
    block = "[MEMORY: 1 | preference | stm | tags= | provenance=chat:api]\nI prefer trains.\n[/MEMORY]"
    frame = f"<<memory 0011aabbccddeeff>>\n{block}\n<</memory 0011aabbccddeeff>>\nI live in Ghent."
    catalog = '{"memory_catalog":[{"id":"1","title":"I prefer trains."}]}'
    context = "## Facts\n- (2026-03-01) I prefer trains.\n\nI live in Ghent."
    proposals = (
        '<MEMORY_PROPOSALS_JSON>[{"content":"I prefer trains."}]</MEMORY_PROPOSALS_JSON>I live in Ghent.'
    )
    for content in (frame, f"{block}\nI live in Ghent.", f"{catalog}\nI live in Ghent.", context, proposals):
        assert found(content) == [("identity", "I live in Ghent.")], content
        assert "trains" not in without_recalled(content)


def test_a_turn_that_carries_orders_states_nothing():
    inert = message({"role": "user", "content": "I live in Ghent."}).episode(GLOBAL, "s", AT)
    assert statements([inert])
    assert statements([replace(inert, injectable=False)]) == ()


def test_just_kidding_takes_back_what_the_same_speaker_said_before():
    turns = [turn("I live in Atlantis.", name="Ana"), turn("I live in Ghent.", name="Ben")]
    joked = [*turns, turn("Just kidding!", name="Ana")]
    assert [one.content for one in statements(joked)] == ["Ben: I live in Ghent."]


def test_a_document_that_was_pasted_states_nothing():
    assert found("I live in Ghent. " * 400) == []


# Own words and sentences


def test_sentences_end_where_they_end_and_nowhere_else():
    text = "Dr. Weber is my dentist, e.g. on Mondays. It costs 3.50 euros! Really? 我叫王芳。你呢？"
    assert list(sentences(text)) == [
        ("Dr. Weber is my dentist, e.g. on Mondays", False),
        ("It costs 3.50 euros", False),
        ("Really", True),
        ("我叫王芳", False),
        ("你呢", True),
    ]


def test_short_quotations_are_terms_and_long_ones_are_somebody_elses_words():
    assert own_words('We call it "the shed" here.') == 'We call it "the shed" here.'
    assert "nothing" not in own_words('He wrote "I want nothing of this" and left.')


@given(
    text=st.text(max_size=300)
    | st.lists(st.sampled_from(["I live in ", "我", "\n", '"', "```", "[MEMORY: ", "? "])).map("".join)
)
def test_any_text_has_an_answer_and_it_is_in_the_text(text):
    for statement in statements([turn(text or " ")]):
        assert statement.type in TAXONOMY.specs
        assert statement.content.rstrip(".。").casefold() in text.casefold()


# The labelled turns


def test_half_of_the_labelled_turns_have_nothing_to_keep():
    rows = labelled()
    assert len(rows) >= 160
    assert len({row["id"] for row in rows}) == len(rows)
    assert sum(not row["keep"] for row in rows) >= len(rows) / 2
    assert {row["language"] for row in rows} == {"en", "ru", "zh", "fr"}
    for row in rows:
        assert all(one["text"] in row["text"] and one["type"] in TAXONOMY.specs for one in row["keep"])


def test_on_the_development_half_nine_of_ten_statements_are_right():
    figures = measure(["development"])["figures"]["development"]["groups"]["all"]
    assert figures["precision"] >= 0.9
    assert figures["recall"] >= 0.9


def test_a_statement_with_words_that_nobody_labelled_is_wrong():
    label = Label("1", "identity", "I live in Ghent")
    part = Guess("1", "identity", "I live in Ghent.")
    more = Guess("1", "fact", "I live in Ghent, near the old canal.")
    other = Guess("1", "fact", "My sister is a dentist.")
    elsewhere = Guess("2", "identity", "I live in Ghent.")
    assert judged([label], [part]) == ([True], [True], [True])
    assert judged([label], [more]) == ([True], [True], [False])
    assert judged([label], [other]) == ([False], [False], [False])
    assert judged([label], [elsewhere]) == ([False], [False], [False])


@pytest.mark.parametrize(
    "opened", ["Eigentlich", "Tatsächlich", "Nein, eigentlich", "In Wirklichkeit", "Übrigens"]
)
@pytest.mark.parametrize(
    ("inverted", "said"),
    [
        ("heiße ich Johanna", "Ich heiße Johanna."),
        ("wohne ich in Linz", "Ich wohne in Linz."),
        ("bin ich Lehrerin", "Ich bin Lehrerin."),
        ("arbeite ich bei Acme", "Ich arbeite bei Acme."),
    ],
)
def test_a_german_statement_may_have_its_verb_first_behind_what_opens_it(opened, inverted, said):
    (one,) = statements([turn(f"{opened} {inverted}.")])
    assert (one.type, one.content.casefold()) == ("identity", said.casefold())
    assert one.corrects is (opened != "Übrigens")
    assert found(f"{opened} {inverted}?") == []


#: A statement of each language that ends with a name, without the name.
ENDING_WITH_A_NAME = {
    "en": "I live in ", "de": "Ich wohne in ", "fr": "J'habite à ", "es": "Vivo en ", "ru": "Я живу в ", "zh": "我住在",
}  # fmt: skip


@pytest.mark.parametrize("code", sorted(ENDING_WITH_A_NAME))
@pytest.mark.parametrize("marks", ["()", "«»", "“”", '""'])
def test_what_closes_what_was_opened_within_a_statement_stays(code, marks):
    name = "Graz (8010, Bezirk Lend)" if marks == "()" else f"{marks[0]}Graz{marks[1]}"
    said = f"{ENDING_WITH_A_NAME[code]}{name}{wordings(code).full_stop}"
    assert found(said) == [("identity", said)]


def test_a_letter_before_a_full_stop_gets_no_second_one():
    assert found("Ich bevorzuge Sorte B.") == [("preference", "Ich bevorzuge Sorte B.")]
