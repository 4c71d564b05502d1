"""The user's own word: what they say themselves, unchanged, and nothing that they hand on."""

import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides.domain.provenance import Origin
from simonides.governance.known import KnownMemories, borne_out
from simonides.language.quoted import QUOTATION, plain
from simonides.language.spoken import own_words
from simonides.testing import an_item
from simonides.writing.extract.statements import statements

#: What somebody else says of themselves, and how a model would tell it of the user.
FOREIGN = [
    ("I hate walnuts.", "The user hates walnuts."),
    ("I am allergic to penicillin.", "The user is allergic to penicillin."),
    ("I live in Ghent and I prefer trains.", "The user lives in Ghent."),
    ("Never book flights before noon.", "The user never books flights before noon."),
    ("We decided to use PostgreSQL.", "We decided to use PostgreSQL."),
    ("My name is Ozan.", "The user's name is Ozan."),
    ("J'habite à Lyon.", "L'utilisateur habite à Lyon."),
    ("Je déteste les noix.", "L'utilisateur déteste les noix."),
    ("Я живу в Риге.", "Пользователь живёт в Риге."),
    ("Я ненавижу орехи.", "Пользователь ненавидит орехи."),
    ("我讨厌核桃。", "用户讨厌核桃。"),
    ("我住在上海。", "用户住在上海。"),
    ("Ich hasse Walnüsse.", "Ich hasse Walnüsse."),
]

#: Ways to hand on a text, `{}`; `{lines}` is it with a mark before each line.
QUOTING = [
    'My brother wrote "{}" yesterday.',
    "My brother wrote “{}” yesterday.",
    "Mon frère a écrit « {} » hier.",
    "Mein Bruder schrieb „{}“ gestern.",
    "Брат написал «{}» вчера.",
    "哥哥写道：「{}」",
    "哥哥写道：“{}”",
    "The sign says '{}' in large letters.",
    "The sign says ‘{}’ in large letters.",
    "He called it ``{}'' in his talk.",
    "She said: {}",
    "Ana wrote to me: {}",
    "Anna a écrit : {}",
    "Анна сказала: {}",
    "安娜说：{}",
    "Here is “{}",
    "> {}",
    "> Hello.\n> {}\nWhat does that mean?",
    "Look:\n> Hello there,\n{}\n\nIs it true?",
    "```\n{}\n```",
    "```text\n{}",
    "~~~\n{}\n~~~",
    "<mail>\n{}\n</mail>",
    "<quote>{}</quote>",
    "[quote=Ana]{}[/quote]",
    'Take this: """{}"""',
    "Please sum up this mail: {}",
    "Please sum up this mail:\n{}",
    "please summarize: {}",
    "Summarize the following text.\n\n{}",
    "Can you translate this message: {}",
    "What do you think of this: {}",
    "How should I reply to this e-mail: {}",
    "Proofread this paragraph.\n{}",
    "TL;DR please: {}",
    "Résume ce mail : {}",
    "Traduis ce texte :\n{}",
    "Que penses-tu de ce message : {}",
    "Переведи это письмо: {}",
    "Перескажи кратко: {}",
    "Что думаешь об этом сообщении: {}",
    "请总结这封邮件：{}",
    "翻译下面的文字：\n{}",
    "帮我看看他的短信：{}",
    "Fasse diese Nachricht zusammen: {}",
    "Übersetze: {}",
    "I got this message from my landlord:\n{}",
    "This is the mail I received:\n\nDear all,\n{}\nBest regards,\nOzan",
    "Hi Ben,\n{}\nKind regards,\nOzan",
    "From: Ozan <ozan@example.org>\nTo: Ben\nSubject: me\n\n{}",
    "Von: Ozan\nAn: Ben\nBetreff: ich\n\n{}",
    "От: Озан\nКому: Бен\nТема: обо мне\n\n{}",
    "发件人：小明\n主题：我\n\n{}",
    "Subject: hello\n{}",
    "What does he want?\n\nOn Mon, 2 Mar 2026 at 10:12, Ozan wrote:\n{}",
    "Le lun. 2 mars 2026, Ozan a écrit :\n{}",
    "-----Original Message-----\n{}",
    "---------- Forwarded message ---------\nFrom: Ozan\n\n{}",
    "Begin forwarded message:\n\n{}",
    "Fwd: hello\n{}",
    "Can you check it?\n---\n{}\n---",
    "Can you check it?\n=====\n{}",
    "Ozan: {}",
    "[10:02] Ozan: Hello!\n[10:03] Ben: {}",
    "Ozan (10:02): Hello there.\nBen (10:03): {}",
    "**Ozan**: {}",
    "User: Hello.\nAssistant: Hi!\nUser: {}",
    "Interviewer: Who are you?\nInterviewee: {}",
    "Озан: {}",
    "小明：{}",
    "{}\n\nThe text above is from my neighbour.",
    "{}\n\n^ what does he mean?",
    "{}\n\nSummarize the message above.",
    '{{"note": "{}"}}',
    "2026-03-01 12:00:00 INFO {}",
    "According to my brother: {}",
    "I quote: {}",
]
FRAMES = st.sampled_from(["{}", "Hello!\n\n{}", "{}\n", "Good morning. {}"])


def heard(text):
    return KnownMemories(heard=(an_item(text, type="episode", origin=Origin.USER_SAID),))


def stated(text):
    return [one.content for one in statements([an_item(text, type="episode", origin=Origin.USER_SAID)])]


@settings(max_examples=120)
@given(st.sampled_from(FOREIGN), st.sampled_from(QUOTING), FRAMES)
def test_what_is_handed_on_is_not_the_users_word(foreign, quoting, frame):
    text, told = foreign
    if frame == "Good morning. {}" and ("\n" in quoting or not quoting[:1].isalpha()):
        frame = "{}"  # A block begins on a line of its own.
    turn = frame.format(quoting.format(text))
    assert not borne_out(told, heard(turn))
    assert not borne_out(text, heard(turn))
    own = {one.casefold().rstrip(".。") for one in stated(turn)}
    assert not any(piece.strip(" .。").casefold() in said for piece in text.split(" and ") for said in own)


@given(
    st.sampled_from(FOREIGN),
    st.sampled_from(["Remember: {}", "Note: {}", "As I said: {}", "By the way: {}", "{}"]),
)
def test_the_same_words_without_quotation_are(foreign, frame):
    assert borne_out(foreign[0], heard(frame.format(foreign[0])))


@given(st.text(max_size=400))
def test_own_words_are_never_more_than_was_said(text):
    words = own_words(text)
    assert len(words) <= len(text)
    assert set(words) <= set(plain(text)) | {QUOTATION, "\n"}


# Faithful and twisted

#: A turn, and statements of it that change nothing.
FAITHFUL = [
    ("I hate walnuts.", ["The user hates walnuts.", "I hate walnuts.", "User dislikes walnuts."]),
    ("By the way, I'm allergic to nuts. What can I cook?", ["The user is allergic to nuts."]),
    ("I live in Graz with my sister.", ["The user lives in Graz with their sister."]),
    ("I work as a nurse in Linz.", ["The user works as a nurse in Linz."]),
    ("I'm a nurse.", ["The user is a nurse.", "The user works as a nurse."]),
    ("My name is Noor.", ["The user's name is Noor.", "The user is called Noor."]),
    ("Call me Noor.", ["The user is called Noor."]),
    ("I'm Noor.", ["The user's name is Noor."]),
    (
        "Please answer in French from now on.",
        ["The user wants answers in French.", "Answer in French from now on."],
    ),
    (
        "I'd like short answers, please.",
        ["The user prefers short answers.", "The user would like short answers."],
    ),
    ("I always drink tea in the morning.", ["The user always drinks tea in the morning."]),
    ("I don't eat meat.", ["The user does not eat meat.", "The user doesn't eat meat."]),
    ("I like tea but I hate coffee.", ["The user likes tea.", "The user hates coffee."]),
    (
        "I have two cats and three dogs.",
        ["The user has two cats and three dogs.", "The user has 2 cats and 3 dogs."],
    ),
    ("My sister hates walnuts.", ["The user's sister hates walnuts.", "My sister hates walnuts."]),
    ("I used to live in Graz.", ["The user used to live in Graz."]),
    ("I will move to Oslo in May.", ["The user will move to Oslo in May."]),
    ("We ship on Fridays.", ["We ship on Fridays.", "The user ships on Fridays."]),
    ("Hey, I prefer trains to planes.", ["The user prefers trains to planes."]),
    ("Remember that I never fly.", ["The user never flies."]),
    ("I lent Ben my drill.", ["The user lent Ben their drill."]),
    ("J'habite à Lyon.", ["L'utilisateur habite à Lyon."]),
    ("Je n'aime pas le café.", ["L'utilisateur n'aime pas le café."]),
    ("Я живу в Риге.", ["Пользователь живёт в Риге."]),
    ("Я не ем мясо.", ["Пользователь не ест мясо."]),
    ("我住在上海。", ["用户住在上海。"]),
    ("我不喜欢咖啡。", ["用户不喜欢咖啡。"]),
    ("请用中文回答。", ["用户希望用中文回答。"]),
]


@pytest.mark.parametrize(("turn", "said"), [(turn, said) for turn, some in FAITHFUL for said in some])
def test_a_faithful_restatement_is_the_users_word(turn, said):
    assert borne_out(said, heard(turn))
    assert borne_out(said, heard(f"Hello! {turn}"))


#: What the user said, and what it is made into, axis by axis.
VERBS = [("hate", "hates", "hated", "loves"), ("love", "loves", "loved", "hates"), ("avoid", "avoids", "avoided",
            "seeks"),
         ("buy", "buys", "bought", "sells"), ("eat", "eats", "ate", "cooks")]  # fmt: skip
THINGS = [
    ("walnuts", "hazelnuts"),
    ("red wine", "white wine"),
    ("trains", "planes"),
    ("long mails", "short mails"),
]
OTHERS = ["My brother", "Ana", "My boss", "Our neighbour", "She", "He", "They", "You", "My dog", "Nobody"]


def twists(verb, thing, other):
    bare, now, then, opposite = verb
    what, else_ = thing
    plain, told = f"I {bare} {what}.", f"The user {now} {what}."
    yield from ((plain, f"The user {now} {else_}."), (plain, f"The user {opposite} {what}."))
    yield from (
        (plain, one)
        for one in (
            f"The user does not {bare} {what}.", f"The user never {now} {what}.", f"The user no longer {now} {what}.",
            f"The user {then} {what}.", f"The user used to {bare} {what}.", f"The user will {bare} {what}.",
            f"The user may {bare} {what}.", f"The user must {bare} {what}.", f"The user can {bare} {what}.",
            f"The user wants to {bare} {else_}.", f"The user {now} all {what}.", f"The user always {now} {what}.",
            f"Everybody {now} {what}.",
            f"{other} {now} {what}.".replace("You", "It"), f"The user's brother {now} {what}.",
            f"The user {now} only {what}.", f"The user {now} {what} and {else_}.", f"The user {now} two {what}.",
            f"The user {now} {what} except on Sundays.", f"The user {now} {what} every day.",
            f"The user is afraid of {what}.",
            f"The user rarely {now} {what}.", f"The user {now} {what} since 2019.", f"Every user {now} {what}.",
        )
    )  # fmt: skip
    yield from (
        (one, told)
        for one in (
            f"I do not {bare} {what}.", f"I don't {bare} {what}.", f"I never {bare} {what}.",
            f"I no longer {bare} {what}.",
            f"I doubt that I {bare} {what}.", f"I doubt I {bare} {what}.", f"I used to {bare} {what}.",
            f"I {then} {what}.",
            f"I will {bare} {what}.", f"I may {bare} {what}.", f"Maybe I {bare} {what}.", f"I might {bare} {what}.",
            f"If I {bare} {what}, I go home.", f"Do I {bare} {what}?", f"I wish I could {bare} {what}.",
            f"I would {bare} {what} if I had time.", f"I think I {bare} {what}.", f"I don't think I {bare} {what}.",
            f"It is not true that I {bare} {what}.", f"I stopped, I no longer {bare} {what}.",
            f"I pretend to {bare} {what}.",
            f"{other} said I {bare} {what}.", f"{other} says that I {bare} {what}.", f"People say I {bare} {what}.",
            f"{other} {now} {what}.", f"My friend and boss {now} {what}.", f"Imagine that I {bare} {what}.",
            f"I rarely {bare} {what}.", f"I {bare} {what} only on Sundays.", f"I only {bare} {what} when I am sad.",
            f"I almost {bare} {what}.", f"I {bare} this {what.split()[-1]}.", f"I hardly {bare} {what}.",
            f"I was told to {bare} {what}.", f"I know people who {bare} {what}.", f"I refuse to {bare} {what}.",
            f"I {bare} {else_}, not {what}.", f"I {bare} neither {what} nor {else_}.", f"I tried to {bare} {what}.",
            f"I {bare} {what} unless it rains.", f"I {bare} {what} until May.", f"In my novel I {bare} {what}.",
        )
    )  # fmt: skip


TWISTED = [
    ("I prefer trains to planes.", "The user prefers planes to trains."),
    ("I moved from Graz to Linz.", "The user moved from Linz to Graz."),
    ("I lent Ben my drill.", "Ben lent the user a drill."),
    ("I owe Ana 20 euros.", "Ana owes the user 20 euros."),
    ("I owe Ana 20 euros.", "The user owes Ana 200 euros."),
    ("I owe Ana 20 euros.", "The user owes Ana 20 dollars."),
    ("I run 5 km.", "The user runs 5 miles."),
    ("I run 5 km.", "The user runs at least 5 km."),
    ("I run about 5 km.", "The user runs 5 km."),
    ("I have two cats.", "The user has three cats."),
    ("My boss annoys me.", "The user annoys the boss."),
    ("Ana trusts me.", "The user trusts Ana."),
    ("I trust Ana.", "Ana trusts the user."),
    ("I help Ana.", "The user is helped by Ana."),
    ("I eat before noon.", "The user eats after noon."),
    ("I work with Ana.", "The user works against Ana."),
    ("My cat is called Mia.", "The user is called Mia."),
    ("My sister hates walnuts.", "The user hates walnuts."),
    ("I hate walnuts.", "The user's sister hates walnuts."),
    *(
        (f"{thing}, please.", f"The user {prefers} {thing}.")
        for thing in ("One ticket", "A table for two", "Linz", "The second one", "Pizza", "No tea")
        for prefers in ("prefers", "wants")
    ),
    *(
        (f"{thing} please", f"The user {prefers} {thing}.")
        for thing in ("one ticket to Linz", "a table for two", "the code", "next", "no tea")
        for prefers in ("prefers", "wants")
    ),
    *(
        (f"{order} one ticket.", f"The user {prefers} one ticket.")
        for order in ("Give me", "Please send", "Show me", "Write", "Make")
        for prefers in ("prefers", "wants")
    ),
    ("Ein Ticket bitte.", "Der Nutzer bevorzugt ein Ticket."),
    ("Un billet svp.", "L'utilisateur préfère un billet."),
    ("Один билет, пожалуйста.", "Пользователь предпочитает один билет."),
    ("Una pizza, por favor.", "El usuario prefiere una pizza."),
    ("Write docstrings in Google style.", "The user wants docstrings in Google style."),
    ("I want you to write docstrings in Google style.", "The user wants docstrings in Google style."),
    ("I want you to be quiet and use tabs.", "Use tabs."),
    ("Please answer this in French.", "The user always wants answers in French."),
    ("Please answer this in French.", "The user wants answers in French."),
    ("Use dark mode for this page.", "The user always prefers dark mode."),
    ("Today I skip lunch.", "The user skips lunch."),
    ("I want a quiet room tonight.", "The user prefers quiet rooms."),
    ("I live in Graz until May.", "The user lives in Graz."),
    ("I never eat more than 2 eggs.", "The user never eats eggs."),
    ("I like tea, not coffee.", "The user doesn't like tea."),
    ("I like tea, not coffee.", "The user likes coffee."),
    ("I hate tea and love coffee.", "The user hates coffee."),
    ("I hate tea and love coffee.", "The user loves tea."),
    ("I meet Ana on Monday.", "The user meets Ana on Tuesday."),
    ("I meet Ana on Monday.", "The user meets Ana on Monday, 4 May 2026."),
    ("Я люблю чай.", "Пользователь не любит чай."),
    ("Я раньше любил чай.", "Пользователь любит чай."),
    ("Я не люблю чай.", "Пользователь любит чай."),
    ("Брат любит чай.", "Пользователь любит чай."),
    ("Возможно, я люблю чай.", "Пользователь любит чай."),
    ("Брат говорит, что я люблю чай.", "Пользователь любит чай."),
    ("J'aime le thé.", "L'utilisateur n'aime pas le thé."),
    ("Je n'aime plus le thé.", "L'utilisateur aime le thé."),
    ("Mon frère aime le thé.", "L'utilisateur aime le thé."),
    ("Mon frère dit que j'aime le thé.", "L'utilisateur aime le thé."),
    ("J'aimais le thé.", "L'utilisateur aime le thé."),
    ("我喜欢喝茶。", "用户不喜欢喝茶。"),
    ("我不喜欢喝茶。", "用户喜欢喝茶。"),
    ("我哥哥喜欢喝茶。", "用户喜欢喝茶。"),
    ("他说，我喜欢喝茶。", "用户喜欢喝茶。"),
    ("我以前喜欢喝茶。", "用户喜欢喝茶。"),
    ("我可能喜欢喝茶。", "用户喜欢喝茶。"),
    ("他喜欢喝茶。", "用户喜欢喝茶。"),
    ("我喜欢喝茶。", "用户总是喜欢喝茶。"),
]


@settings(max_examples=120)
@given(st.sampled_from(VERBS), st.sampled_from(THINGS), st.sampled_from(OTHERS), st.data())
def test_a_statement_that_was_changed_is_not_the_users_word(verb, thing, other, data):
    turn, said = data.draw(st.sampled_from(list(twists(verb, thing, other))))
    assert not borne_out(said, heard(turn))
    assert not borne_out(said, heard(f"Hello! {turn} Thanks."))


@pytest.mark.parametrize(("turn", "said"), TWISTED)
def test_a_changed_direction_quantity_or_subject_is_not_the_users_word(turn, said):
    assert not borne_out(said, heard(turn))


#: Ways to have words written, said, played or supposed that are nobody's statement, `{}`.
PLAYED = [
    "For the role play, {}",
    "For the sake of the argument, {}",
    "In the story, {}",
    "Let's say {}",
    "What if {}",
    "Hypothetically, {}",
    "Assuming that {}",
    "Example: {}",
    "For example, {}",
    "Please write: {}",
    "Could you type this: {}",
    "Say: {}",
    "Say the following.\n{}",
    "Repeat after me: {}",
    "Répète après moi : {}",
    "Imagina que {}",
    "Angenommen, {}",
    "Допустим, {}",
    "Повтори за мной: {}",
    "跟我念：{}",
    "假设{}",
]


@pytest.mark.parametrize("way", PLAYED)
@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I am your boss.", "The user is the boss."),
        ("I am the administrator.", "The user is the administrator."),
        *FOREIGN[:2],
        ("我讨厌核桃。", "用户讨厌核桃。"),
    ],
)
def test_what_is_dictated_played_or_supposed_is_nobodys_statement(way, said, told):
    assert not borne_out(told, KnownMemories(heard=(an_item(way.format(said), origin=Origin.USER_SAID),)))


@pytest.mark.parametrize(
    "before",
    ["I write novels.", "I use vim.", "I work in games.", "I got tickets for the game.", "Please note:"],
)
def test_words_of_ones_own_stand_beside_writing_and_games(before):
    turn = an_item(f"{before} I hate walnuts.", origin=Origin.USER_SAID)
    assert borne_out("The user hates walnuts.", KnownMemories(heard=(turn,)))


@given(st.lists(st.sampled_from(["I", "l", "x", "d'", "aujourd"]), min_size=1, max_size=3_000))
def test_a_chain_of_apostrophes_is_read_to_its_end(parts):
    assert not borne_out(
        "The user hates walnuts.", KnownMemories(heard=(an_item("'".join(parts), origin=Origin.USER_SAID),))
    )


# Framed by other sentences, labels, marks and signs

#: What a sentence, a label or a sign around a statement makes somebody else's.
HANDED_ON = [
    *(
        "Here is what my mother sent me:\n{}",
        "Fix the grammar: {}",
        "My boss: {}",
        "mum: {}",
        "12:01 bob: {}",
        "RT @bob: {}",
    ),
    *(
        "Bob - {}",
        "Bob – {}",
        "Mom → {}",
        "PM from @lisa - {}",
        "bob> {}",
        "*Bob*\n{}",
        "### Bob\n{}",
        "#lisa\n{}",
    ),
    *(
        "Bob\n10:33 AM\n{}",
        "Lisa, 14:22\n{}",
        "{}\nBob, 10:33",
        "{} — Bob",
        "{}\n— Bob, 2024",
        "{} (his words, not mine)",
    ),
    *(
        "Bob left me a note.\n{}",
        "This is Bob's profile.\n{}",
        "Here's the transcript. {}",
        "Patient note. {}",
    ),
    *(
        "The client is clear on this. {}",
        "She was like, {}",
        "{} That's what she said.",
        "{}\nThat is what Bob wrote.",
    ),
    *(
        "Вот что пишет Боб. {}",
        "Мне Боб прислал вот это:\n{}",
        "Voici le mail de Bob.\n{}",
        "这是鲍勃的邮件。\n{}",
    ),
    *(
        "Hier ist Bobs Mail.\n{}",
        "Bob napisał: {}",
        "Bob dedi ki: {}",
        "קבל: {}",
        "Моя сестра говорит так. {}",
    ),
    *(
        "Name,Statement\nBob,{}",
        "id\tclaim\n7\t{}",
        "Sent from my iPhone\n{}",
        "e.g. {}",
        "_{}_ read the sign",
    ),
]
#: A wish to work on a text, before it or behind it.
WORKED_ON = [
    *(
        "Can you translate this for me?",
        "Bitte übersetzen.",
        "Kannst du das übersetzen?",
        "Переведи это.",
        "Traduis ça.",
    ),
    *(
        "把这段翻译成中文。",
        "Is this grammatically correct?",
        "What do you think of this text by my colleague?",
        "TL;DR please",
    ),
    *(
        "Please draft a reply.",
        "Make it shorter.",
        "Que penses-tu de ce texte ?",
        "What shall I answer?",
        "Réponds à ce message.",
    ),
]
#: Takes back what was said right before it.
TAKEN_BACK = [
    *(
        "Just kidding.",
        "Psych!",
        "NOT!",
        "Not.",
        "No.",
        "Nah, not true.",
        "No wait, that is wrong.",
        "Scratch that.",
    ),
    *("Haha, joke.", "Actually no.", "Said nobody ever.", "is false.", "would be a lie.", "(not really)"),
    *("C'est une blague.", "Das war ein Witz.", "Шутка.", "开玩笑。"),
]
#: Marks around a quotation, and signs before one, as they reach us.
MARKED = [
    *(
        "‟{}”",
        "❝{}❞",
        "❛{}❜",
        "⟪{}⟫",
        "《{}》",
        "〈{}〉",
        "｢{}｣",
        "›{}‹",
        "🙶{}🙷",
        "″{}″",
        "`{}´",
        "〟{}〞",
        "﹁{}﹂",
        "＇{}＇",
    ),
    *(
        "&quot;{}&quot;",
        "&ldquo;{}&rdquo;",
        "&#34;{}&#34;",
        "&gt; {}",
        "\u200b> {}",
        "\ufeff> {}",
        "\u2067> {}",
        "＞ {}",
    ),
    *("(( {} ))", "<<{}>>", "⌈{}⌋", "⸨{}⸩", '{}"', "“{}", "″{}‶", "«{}“"),
]
OF_OTHERS = st.sampled_from([*HANDED_ON, *MARKED, *(f"{{}} {said}" for said in TAKEN_BACK)]) | st.tuples(
    st.sampled_from(WORKED_ON), st.sampled_from(["{{}}\n\n{}", "{}\n\n{{}}", "{{}} {}", "Hello.\n{{}}\n{}"])
).map(lambda pair: pair[1].format(pair[0]))
WHOLE = [said for said in FOREIGN if said[0] not in {"我讨厌核桃。", "Ich hasse Walnüsse."}]


@settings(max_examples=150)
@given(st.sampled_from(WHOLE), OF_OTHERS)
def test_what_other_sentences_labels_and_marks_say_is_not_ones_own_is_not(foreign, wrapping):
    text, told = foreign
    turn = wrapping.format(text)
    assert not borne_out(told, heard(turn))
    assert not borne_out(text, heard(turn))
    beginning = text.rstrip(".。")[:8].casefold()
    assert not any(beginning in said.casefold() for said in stated(turn))


#: Somebody whom people call theirs, in six languages, and where the name of whoever says a statement may stand.
OWN_PEOPLE = [
    *(
        "my boss",
        "my little sister",
        "Meine Mutter",
        "mein Chef",
        "ma mère",
        "mon voisin",
        "mi madre",
        "mi jefe",
    ),
    *("моя мама", "мой сосед", "我老板", "我妈妈"),
]
NAMED_BESIDE = [
    *("{said} — {name}", "{said}\n- {name}", "{said} ~{name}", "{said}\n({name})", "{name}:\n{said}"),
    *("10:32 {name}\n{said}", "{name} 10:32\n{said}", "{name} · 3 days ago\n{said}"),
]


@settings(max_examples=100)
@given(st.sampled_from(WHOLE), st.sampled_from(OWN_PEOPLE), st.sampled_from(NAMED_BESIDE))
def test_what_somebody_of_ones_own_says_is_theirs_as_if_they_were_named(foreign, name, beside):
    text, told = foreign
    turn = beside.format(said=text, name=name)
    assert not borne_out(told, heard(turn))
    assert not borne_out(text, heard(turn))
    assert not stated(turn)


@pytest.mark.parametrize(
    "beside",
    [
        "{} I love:\n- my mum\n- my dad",
        "{}\n- my boss likes it.",
        "{} My boss was here.",
        "My sister is here. {}",
        "{}\n— my final word",
    ],
)
def test_to_name_somebody_of_ones_own_leaves_the_words_ones_own(beside):
    assert "I hate walnuts." in own_words(beside.format("I hate walnuts."))


@pytest.mark.parametrize(
    "frame",
    [
        *(
            "PS: {}",
            "FYI: {}",
            "About me: {}",
            "One thing about me: {}",
            "Please remember: {}",
            "Au fait : {}",
            "Кстати: {}",
        ),
        *(
            "Hello!\n\n{}",
            "Thanks, that helped. {}",
            "{} What can I cook?",
            "{} Can you recommend a book?",
            "Yes - {}",
        ),
        *(
            "I'm planning a trip. {}",
            "Well, {}",
            "My flight leaves at 10:30. {}",
            "{} My sister lives in Rome.",
        ),
    ],
)
def test_what_introduces_oneself_leaves_the_words_ones_own(frame):
    assert borne_out("The user hates walnuts.", heard(frame.format("I hate walnuts.")))


def test_every_quotation_mark_that_unicode_knows_quotes():
    marks = [chr(place) for place in range(sys.maxunicode + 1)]
    ends = {"Pi", "Pf", "Ps", "Pe"}
    of_kind = [
        sign for sign in marks if unicodedata.category(sign) in ends and sign not in "()[]{}（）［］｛｝"
    ]
    assert len(of_kind) > 100
    for sign in of_kind:
        assert not borne_out("The user hates walnuts.", heard(f"{sign}I hate walnuts.{sign}")), sign


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("I live in Oslo. No, wait, Bergen.", []),
        ("I live in Oslo. Correction: I live in Bergen.", ["I live in Bergen."]),
        ("I live in Oslo, no wait, in Bergen.", []),
    ],
)
def test_a_correction_in_the_same_breath_ends_what_it_corrects(said, kept):
    assert stated(said) == kept


#: Restrictions that a clause may have, before it or behind it.
RESTRICTIONS = [
    *(
        "for now",
        "at night",
        "on Mondays",
        "for breakfast",
        "in theory",
        "at home",
        "on paper",
        "in the game",
        "apart from bacon",
    ),
    *(
        "during Lent",
        "after dinner",
        "before noon",
        "with Bob around",
        "for tax purposes",
        "here",
        "in winter",
        "without milk",
    ),
]


@given(
    st.sampled_from(RESTRICTIONS),
    st.sampled_from(["I prefer {} {}.", "{}, I prefer {}.", "{} I prefer {}."]),
    st.sampled_from(["tea", "long mails", "the blue pen"]),
)
def test_a_restriction_that_is_left_out_is_missed(restriction, frame, thing):
    order = (thing, restriction) if frame.startswith("I") else (restriction.capitalize(), thing)
    assert not borne_out(f"The user prefers {thing}.", heard(frame.format(*order)))


@given(
    st.sampled_from(["le thé", "le vin", "le sucre", "les chats", "Paris", "mon chef"]),
    st.sampled_from(
        [
            "Je n'aime pas {}.",
            "J'aime pas {}.",
            "Je n'aime plus {}.",
            "Je n'aime guère {}.",
            "J'aime peu {}.",
            "Il aime {}.",
            "Elle aime {}.",
            "Paul aime {}.",
            "Ma mère aime {}.",
            "Je n'aime que {}.",
            "Je n'aime ni {} ni ça.",
        ]
    ),
)
def test_a_french_denial_or_another_subject_bears_nothing_out(thing, frame):
    assert borne_out(f"L'utilisateur aime {thing}.", heard(f"J'aime {thing}.")) or thing == "mon chef"
    assert not borne_out(f"L'utilisateur aime {thing}.", heard(frame.format(thing)))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I eat all but meat.", "The user eats meat."),
        ("I like everything but cats.", "The user likes cats."),
        ("I work from 9 to 5.", "The user works from 5 to 9."),
        ("Never call me at night.", "Never call the user."),
        ("I am allergic to nothing.", "The user is allergic."),
        ("I've been vegetarian.", "The user is vegetarian."),
        ("I am a vegetarian cook's husband.", "The user is vegetarian."),
        ("Always ask before deleting files.", "Always ask before deleting."),
        ("Never mention my ex to my mother.", "Never mention my ex."),
        ("Use metric units here.", "Use metric units."),
        ("我想住在北京。", "用户住在北京。"),
        ("我喜欢茶才怪。", "用户喜欢茶。"),
        ("私は茶が好きじゃない。", "私は茶が好き。"),
        ("I live in Graz with my sister.", "The user lives in Graz."),
        ("I work as a nurse in Linz.", "The user works as a nurse."),
        ("Likes tea.", "The user likes tea."),
        ("Любит чай.", "Пользователь любит чай."),
    ],
)
def test_another_extent_order_or_subject_is_another_statement(said, told):
    assert not borne_out(told, heard(said))


UNCLAIMED = [
    "I lied: {}", "From Bob with love, {}", "1. {} 2. I live in Rome. Which is better English?", "{} Or do I?",
    "April fools! {}", "{} That was yesterday's test text.", "{} /s", "{} This is just an example sentence.",
    "J'ai menti : {}", "Poisson d'avril ! {}", "Ich habe gelogen: {}", "{} Das war nur ein Test.",
]  # fmt: skip


@pytest.mark.parametrize("around", UNCLAIMED)
@pytest.mark.parametrize("claim", ["I live in Berlin.", "I'm allergic to nuts.", "My name is Bob."])
def test_what_a_turn_does_not_claim_is_read_so_by_extraction_and_by_proposals(around, claim):
    turn = around.format(claim)
    assert claim.rstrip(".") not in own_words(turn)
    assert own_words(claim) == claim


#: A statement, a proposal of it, and a later turn that says something else of the same.
OVERRULED = [
    ("I live in Graz.", "The user lives in Graz.", "Actually, I live in Linz."),
    ("I live in Graz.", "The user lives in Graz.", "I moved to Linz last month."),
    ("I live in Graz.", "The user lives in Graz.", "I don't live in Graz any more."),
    ("My rent is 500 euros.", "The user's rent is 500 euros.", "My rent is 700 euros now."),
    ("I prefer tea.", "The user prefers tea.", "Actually, I prefer coffee."),
    ("I'm a vegetarian.", "The user is a vegetarian.", "I'm no longer a vegetarian."),
    ("Ich wohne in Graz.", "Der Nutzer wohnt in Graz.", "Ich wohne nicht mehr in Graz."),
    ("J'habite à Graz.", "L'utilisateur habite à Graz.", "Je n'habite plus à Graz."),
    ("Vivo en Graz.", "El usuario vive en Graz.", "Ya no vivo en Graz."),
    ("Я живу в Граце.", "Пользователь живёт в Граце.", "Я больше не живу в Граце."),
]
#: What says nothing of that.
BESIDE = [
    "Nice weather today.",
    "I like trains.",
    "My sister lives in Linz.",
    "What is a vegetarian?",
    "Thanks!",
]


@pytest.mark.parametrize(("said", "told", "later"), OVERRULED)
@given(
    before=st.lists(st.sampled_from(BESIDE), max_size=3),
    between=st.lists(st.sampled_from(BESIDE), max_size=3),
)
def test_what_the_user_says_otherwise_later_bears_out_nothing_until_it_is_said_again(
    said, told, later, before, between
):
    def heard(*texts):
        turns = [
            an_item(text, at=1_767_225_600_000_000 + place, ordinal=place, origin=Origin.USER_SAID)
            for place, text in enumerate(texts)
        ]
        return KnownMemories(heard=tuple(reversed(turns)))

    assert borne_out(told, heard(*before, said, *between))
    assert not borne_out(told, heard(*before, said, *between, later))
    assert borne_out(told, heard(*before, later, *between, said))


def test_another_speaker_overrules_nobody():
    ana, bob = (
        an_item(text, at=1 + place, ordinal=place, origin=Origin.USER_SAID, metadata={"sender": sender})
        for place, (text, sender) in enumerate([("I live in Graz.", "Ana"), ("I live in Linz.", "Bob")])
    )
    assert borne_out("The user lives in Graz.", KnownMemories(heard=(bob, ana)))
