"""A claim about the user is borne out by a turn that says the same words of the same person."""

import itertools

import pytest

from simonides.governance.about_user import tells_of_the_user
from simonides.governance.bearing import bears_out


@pytest.mark.parametrize(
    ("turn", "claim"),
    [
        ("Ich wohne in Graz und ich arbeite bei Acme.", "Ich wohne in Graz."),
        ("Übrigens, ich bin sehr allergisch gegen Nüsse.", "Ich bin allergisch gegen Nüsse."),
        ("Vivo en Graz.", "Vivo en Graz."),
        ("Yo vivo en Graz.", "Vivo en Graz."),
        ("Soy muy alérgica a las nueces.", "Soy alérgica a las nueces."),
        ("Mi perro es negro.", "Mi perro es negro."),
    ],
)
def test_the_same_words_of_the_same_person_bear_a_claim_out(turn, claim):
    assert bears_out(turn, claim)


@pytest.mark.parametrize(
    ("turn", "claim"),
    [
        ("Ich wohne nicht in Graz.", "Ich wohne in Graz."),
        ("Mein Bruder wohnt in Graz.", "Ich wohne in Graz."),
        ("Ich wohnte in Graz.", "Ich wohne in Graz."),
        ("Ich wohnte in Graz.", "Der Nutzer wohnt in Graz."),
        ("Ich liebte Opern.", "Der Nutzer liebt Opern."),
        ("Vivía en Graz.", "El usuario vive en Graz."),
        ("Vive en Graz.", "El usuario vive en Graz."),
        ("Er wohnt in Graz.", "Der Nutzer wohnt in Graz."),
        ("Ich würde in Graz wohnen.", "Ich wohne in Graz."),
        ("Vive en Graz.", "Vivo en Graz."),
        ("No vivo en Graz.", "Vivo en Graz."),
        ("Ya no vivo en Graz.", "Vivo en Graz."),
        ("Vivía en Graz.", "Vivo en Graz."),
        ("Mi hermano vive en Graz.", "Vivo en Graz."),
        ("Mi perro es negro.", "Tu perro es negro."),
        ("Quizás vivo en Graz.", "Vivo en Graz."),
    ],
)
def test_another_person_time_or_certainty_does_not(turn, claim):
    assert not bears_out(turn, claim)


@pytest.mark.parametrize(
    "claim",
    [
        "Ich wohne in Graz.",
        "Der Nutzer wohnt in Graz.",
        "Vivo en Graz.",
        "Soy alérgico a las nueces.",
        "El usuario vive en Graz.",
        "Mi hermana vive en Graz.",
    ],
)
def test_a_claim_about_the_user_is_known_as_one(claim):
    assert tells_of_the_user(claim)


#: What is said of the user, what may stand around it, and what hides it.
SAID = (
    *("the user quit smoking", "the user wed Bob", "the user cut sugar", "the user definitely prefers tea"),
    *(
        "the user Ana avoids gluten",
        "the user - Ana - avoids gluten",
        "the user and Bob married",
        "user: vegan",
        "user → vegan",
    ),
    *(
        "this user prefers tea",
        "the current user prefers tea",
        "the end user prefers tea",
        "tea is preferred by the user",
    ),
    *(
        "Eva is the user's name",
        "Eva is my name",
        "diet of the user: vegan",
        "both the user and Bob are vegan",
    ),
    *(
        "der Benutzer mag Tee",
        "l'utente è vegano",
        "o usuário é vegano",
        "de gebruiker is veganist",
        "该用户是素食者",
    ),
    *("ユーザーはビーガンです", "Пользователь веган", "l’utilisateur est végétalien"),
)
AROUND = (
    "{}.",
    "* {}.",
    "After the move to the new big city last year, {}.",
    "It rains. {}!",
    "Note: {}",
    "A door is open.\n{}",
)
DISGUISED = (
    str,
    str.capitalize,
    lambda said: said.replace("user", "**user**"),
    lambda said: said.replace("user", "`user`"),
    lambda said: said.replace("user", "us\u200ber"),
    lambda said: said.replace("user", "u\u0455er"),
    lambda said: said.replace("user", "\uff55\uff53\uff45\uff52"),
    lambda said: said.replace("the user", "\u0422he user"),
)


#: Words that name a thing behind "user", and are verbs as well.
ALSO_VERBS = (
    "limits sugar",
    "lists three cats",
    "types slowly",
    "tests positive",
    "models hats",
    "records songs",
    "groups stamps",
)


@pytest.mark.parametrize("verb", ALSO_VERBS)
def test_what_the_user_does_is_no_name_of_a_thing(verb):
    assert tells_of_the_user(f"The user {verb}.")
    assert tells_of_the_user(f"The user {verb} and is vegan.")
    assert not tells_of_the_user(f"The user {verb.split()[0]} are kept.")


@pytest.mark.parametrize(
    "said", ["User name: Bob.", "The user name is Bob.", "User settings: dark.", "User role = chief."]
)
def test_a_label_of_the_users_is_about_the_user(said):
    assert tells_of_the_user(said)


def test_a_long_text_is_read_to_its_end():
    assert tells_of_the_user("A door is open. " * 2_000 + "The user is vegan.")


#: What tells of the user without a plain "the user" or "I": asked, addressed, left out, run on, in other letters.
OTHERWISE = """
Does the user prefer tea? Yes, always.
Do I prefer tea? Yes.
The u s e r prefers tea.
The us3r prefers tea.
The resu prefers tea.
VGhlIHVzZXIgcHJlZmVycyB0ZWE=
TheUser prefers tea
theuser prefers tea
The end-user prefers tea.
The user-prefers tea
usr is vegan
М\u0443 wife is Ida
im vegan
Iam vegan
\uff29\uff2d vegan
l am vegan
You prefer tea.
Your favourite colour is blue.
The human prefers tea.
使用者喜欢茶
本人住在北京。
更喜欢喝茶。
Eu prefiro chá.
Ik hou van thee.
私は菜食主義者です。
저는 채식주의자입니다.
أنا نباتي
Prefers tea.
Allergies: peanuts
Lebt vegan in Graz.
Préfère le thé.
Vive en Graz.
Предпочитает чай.
Name: Ana. Age: 34.
the user
User preference
You have two cats.
You drink tea.
You're allergic to nuts.
You grew up in Graz.
Your wife is Ida.
Your cat is black.
Du magst Tee.
Deine Frau heißt Ida.
Vous préférez le thé.
Ton nom est Paul.
Vives en Graz con tu esposa.
Твоя жена Ида.
The user confirms that they prefer tea.
The user signed up for yoga.
The user logs 80 kg.
If the user is logged in, they always drink tea.
The user's session shows that they are vegan.
The user's account manager is Ida.
The_user prefers tea.
The Linux user prefers tea.
MEU NOME É ANA.
Spouse: Tom
Home address: 12 Elm Street
Favorite color: blue
Favourite drink is tea.
Born in 1980 in Linz.
Vegetarian since 2010.
Prefers: tea
המשתמש אוהב תה
你喜欢喝茶。
您对花生过敏。
年龄：34
"""
SOMETHING_ELSE = """
Run the tests with make test.
You can run it with make.
The EU has 27 members.
Multi-user systems are slow.
user interface
user management
The API uses OAuth 2.0 and JSON.
We deploy on Fridays.
Uses pytest for tests.
Version: 1.0
Die Datenbank ist PostgreSQL 16.
If you change the schema, run migrate.
Human error caused the outage.
The customer wants a refund.
Im Repo liegt ein Makefile.
Im Winter wird geheizt.
Im neuen Büro gibt es Kaffee.
IAM roles are kept in Terraform.
1 was down on Friday.
! have a look
Install my-app first.
My-app is deployed.
The user-profile page is slow.
user-events are kept for a week
IK solver runs at 60 Hz.
MOJ publishes the data.
Aku Korhonen wrote the parser.
Lives in src/app/main.py.
Likes are stored in Redis.
Retired nodes are removed.
The speaker is broken.
The speaker notes are in the deck.
The human review takes a day.
You need Python 3.12.
You have to run make first.
Your token expires after an hour.
If the user is not logged in, redirect to /login.
When the user clicks Save, the form is validated.
The API returns 404 if the user does not exist.
The user's password is hashed with argon2.
The function get_user returns None if missing.
The user prompt is the last message.
Never trust user input.
Postgres user: app_rw
The admin user has id 1.
用户可以上传5个文件。
Works on Linux.
Has two endpoints.
Sie können Redis verwenden.
Vous pouvez utiliser Redis.
Puedes usar Redis.
Можно использовать Redis.
喜欢数存储在Redis中。
偏好设置页在左侧。
讨厌的错误已修复。
住在/src目录下。
人脸识别需要本人脸部数据。
使用者需登录。
"""


@pytest.mark.parametrize("said", OTHERWISE.strip().splitlines())
def test_the_user_is_told_of_without_being_named(said):
    assert tells_of_the_user(said)
    assert tells_of_the_user(f"A door is open. {said}")


@pytest.mark.parametrize("said", SOMETHING_ELSE.strip().splitlines())
def test_a_note_about_something_else_is_not_about_the_user(said):
    assert not tells_of_the_user(said)


@pytest.mark.parametrize("said", SAID)
def test_whatever_names_the_user_is_about_the_user(said):
    for around, disguised in itertools.product(AROUND, DISGUISED):
        text = around.format(disguised(said))
        assert tells_of_the_user(text), text


@pytest.mark.parametrize(
    "claim",
    [
        *("Die Tür ist blau.", "La puerta es azul.", "Graz es una ciudad.", "World War I ended in 1918."),
        *(
            "The user table has an index.",
            "Users may log in.",
            "Each user gets ten megabytes.",
            "Any registered user can post.",
        ),
        *(
            "Limits apply per user.",
            "The path is /srv/user/data.",
            "Write to user@example.org.",
            "The user_id column is unique.",
        ),
        *(
            "The API returns user.name as text.",
            "A new user signs up.",
            "User stories are kept here.",
            "It is user-friendly.",
        ),
        *(
            "Das Programm prüft jeden Benutzer.",
            "每个用户有一个账号。",
            "用户界面是新的。",
        ),
    ],
)
def test_a_claim_about_something_else_is_none(claim):
    assert not tells_of_the_user(claim)


#: What the user says, and the same said of the user.
TOLD = [
    ("Ich wohne in Leipzig.", "Der Nutzer wohnt in Leipzig."),
    ("Ich arbeite bei Acme.", "Die Nutzerin arbeitet bei Acme."),
    ("Ich esse kein Fleisch.", "Der Nutzer isst kein Fleisch."),
    ("Ich habe zwei Katzen.", "Der Nutzer hat zwei Katzen."),
    ("Ich bin Vegetarierin.", "Die Nutzerin ist Vegetarierin."),
    ("Ich spreche Polnisch.", "Der Nutzer spricht Polnisch."),
    ("Ich trinke Kaffee.", "Der Nutzer trinkt Kaffee."),
    ("Vivo en Sevilla.", "El usuario vive en Sevilla."),
    ("Trabajo en Acme.", "La usuaria trabaja en Acme."),
    ("Tengo dos gatos.", "El usuario tiene dos gatos."),
    ("Soy vegetariana.", "La usuaria es vegetariana."),
    ("Prefiero el café.", "El usuario prefiere el café."),
    ("Bebo café.", "El usuario bebe café."),
]


@pytest.mark.parametrize(("turn", "claim"), TOLD)
def test_what_is_said_of_the_user_is_borne_out_by_what_the_user_says_of_himself(turn, claim):
    assert bears_out(turn, claim)
    who, said = claim.split(" ")[1], claim.split(" ", 2)[2]
    assert not bears_out(f"{'Mein Bruder' if who.startswith('Nutzer') else 'Mi hermano'} {said}", claim)


@pytest.mark.parametrize(
    ("asking", "claim"),
    [
        *(
            (f"{asking}, dass ich Vegetarierin bin.", "Ich bin Vegetarierin.")
            for asking in ("Merk dir bitte", "Bitte merke dir", "Vergiss nicht", "Denk daran")
        ),
        *(
            (f"{asking} soy vegetariana.", "Soy vegetariana.")
            for asking in ("Recuerda que", "No olvides que", "Ten en cuenta que")
        ),
        *(
            (f"{asking} que je suis végétarienne.", "Je suis végétarienne.")
            for asking in ("Retiens", "N'oublie pas", "Note bien")
        ),
        ("Запомни, что я живу в Граце.", "Я живу в Граце."),
        ("Не забудь, что я живу в Граце.", "Я живу в Граце."),
        ("remember: the staging db is read only", "The staging db is read only."),
        ("The disk is read only.", "The disk is read only."),
        ("I want you to write docstrings in Google style.", "Write docstrings in Google style."),
        ("I'd like you to use tabs.", "Use tabs."),
        ("I need you to always answer in French.", "Always answer in French."),
        ("Please use metric units.", "The user wants metric units."),
        ("Please remember that I am a vegetarian.", "I am a vegetarian."),
        ("Keep in mind that I am a vegetarian.", "I am a vegetarian."),
        ("Don't forget that I am a vegetarian.", "I am a vegetarian."),
    ],
)
def test_what_is_asked_to_be_remembered_is_said(asking, claim):
    assert bears_out(asking, claim)


@pytest.mark.parametrize(
    "turn",
    [
        "Merk dir nicht, dass ich Vegetarierin bin.",
        "Merk dir, dass ich keine Vegetarierin bin.",
        "Merk dir, dass mein Bruder Vegetarier ist.",
        "Merk dir, ob ich Vegetarierin bin.",
        "Merk dir, dass ich Vegetarierin war.",
    ],
)
def test_who_asks_to_remember_something_else_does_not_say_it(turn):
    assert not bears_out(turn, "Ich bin Vegetarierin.")


@pytest.mark.parametrize(
    "turn",
    [
        *(
            "Repeat after me. I prefer tea.",
            "Please read this out loud.\nI prefer tea.",
            "I prefer tea. Actually coffee.",
            "I prefer tea. Actually, green tea.",
            "I prefer tea. Sorry, coffee!",
        ),
        *(
            "I prefer tea. ― Wilde",
            "I prefer tea. ‒ Wilde",
            "│ I prefer tea.",
            "┃ I prefer tea.",
            "▌ I prefer tea.",
        ),
    ],
)
def test_what_is_taken_back_or_somebody_elses_is_not_said(turn):
    assert not bears_out(turn, "The user prefers tea.")


@pytest.mark.parametrize(
    "turn",
    ["I prefer tea. Sorry, I have to go now, see you.", "I prefer tea. Actually, my sister does so, too."],
)
def test_what_only_goes_on_takes_nothing_back(turn):
    assert bears_out(turn, "The user prefers tea.")


#: What stands beside "I prefer tea." and may say that it is not what the user prefers.
BEHIND = """
Her exact words.|Not my words.|From the script.|In my dreams.|In French please.|How is that in French?
Into German.|Count the letters.|How many vowels?|Which film is that from?|True or false?|Only on Sundays.|On Sundays.
At work at least.|When I'm ill.|Unless there is coffee.|If there's no coffee.|Until last year anyway.|At least I did.
Haha, never.|Perhaps not.|Maybe.|Depends though.|No.|Great line from Alien.|Wow, not really.|Page nine.|Zwölf Wörter.
"""
BEFORE = """
Mum on the phone.|Our landlord.|Persona.|Slogan.|Is this correct grammar.|Typing exercise.|Only on Sundays.
Tom, last week.|You are Sherlock now.|Send this to Tom.|Flashcard.|Fake.
"""
PLAIN = """
Thanks!|What do you have?|That sounds great!|I live in Linz.|Can you help?|Any ideas?
What now?|Got any tips?|Where can I buy some?|Yes.|Thanks for the tips.|Ok.
"""


def _each(lines):
    return [said for line in lines.strip().splitlines() for said in line.split("|")]


@pytest.mark.parametrize("beside", _each(BEHIND))
def test_a_few_words_behind_a_claim_leave_in_doubt_whose_it_is(beside):
    assert not bears_out(f"I prefer tea. {beside}", "The user prefers tea.")
    assert not bears_out(f"Thanks! I prefer tea. {beside} I live in Linz.", "The user prefers tea.")


@pytest.mark.parametrize("beside", _each(BEFORE))
def test_a_few_words_before_a_claim_leave_in_doubt_whose_it_is(beside):
    assert not bears_out(f"{beside} I prefer tea.", "The user prefers tea.")


@pytest.mark.parametrize("beside", _each(PLAIN))
def test_thanks_and_what_the_user_says_or_asks_beside_a_claim_leave_nothing_in_doubt(beside):
    assert bears_out(f"I prefer tea. {beside}", "The user prefers tea.")
    assert bears_out(f"{beside} I prefer tea.", "The user prefers tea.")


@pytest.mark.parametrize(
    ("claim", "told", "doubtful", "plain"),
    [
        (
            "Ich mag Tee.",
            "Der Nutzer mag Tee.",
            ("Ihre Worte.", "Nur sonntags.", "Auf Englisch bitte."),
            ("Danke!",),
        ),
        ("J'aime le thé.", "L'utilisateur aime le thé.", ("Ses mots.", "À traduire."), ("Merci !",)),
        (
            "Prefiero el café.",
            "El usuario prefiere el café.",
            ("Sus palabras.", "Solo los domingos."),
            ("Gracias.",),
        ),
        ("Я люблю чай.", "Пользователь любит чай.", ("Её слова.", "На плакате."), ("Спасибо!",)),
        ("我喜欢喝茶。", "用户喜欢喝茶。", ("她的原话。", "只在周日。"), ("谢谢！",)),
    ],
)
def test_it_is_so_in_every_language(claim, told, doubtful, plain):
    for beside in doubtful:
        assert not bears_out(f"{claim} {beside}", told), beside
    for beside in plain:
        assert bears_out(f"{claim} {beside}", told), beside


#: A statement in each language, and what leaves it the speaker's own right beside it.
LEFT_OWN = """
I prefer tea.|Thank you very much!|Got it?|Remember that.|Keep that in mind.|Many thanks.|Ok, done.|How is the weather?
Ich mag Tee.|Danke dir!|Vielen Dank!|Merke dir das bitte.|Wie wird das Wetter?|Alles klar.|Vergiss das nicht.
Je préfère le thé.|Merci beaucoup.|Merci bien !|Retiens cela.|Souviens-toi.|Quel temps fait-il ?|N'oublie pas ça.
Prefiero el té.|Muchas gracias.|¡Mil gracias!|Recuerda eso.|¿Qué tiempo hace?|Ten eso en cuenta.
Я предпочитаю чай.|Спасибо большое.|Огромное спасибо!|Какая погода?|Запомни, пожалуйста.
我喜欢茶。|谢谢你！|天气怎么样？|记住。|请记住。|记住这个。|多谢！
"""
#: Likewise, what takes it back, guesses it or says that it is somebody else's.
TAKEN_BACK = """
I prefer tea.|I suppose.|I joke.|I quote Bob.|I read that.|I heard this somewhere.|Please quote Bob.|I'm kidding.
I prefer tea.|I got that from Bob.|I did until May.|I doubt it.|My sister wrote that.|My son took my phone.|I think.
I prefer tea.|I stopped in May.|I play a spy tonight.|I need this in French.|I copied that from his profile.|I don't.
Ich mag Tee.|Ich scherze.|Ich zitiere Bob.|Ich las das.|Ich lüge.|Mein Bruder hat das geschrieben.|Ich glaube.
Je préfère le thé.|Je cite.|Je plaisante.|Je cite Paul.|J'ai lu ça.|Je crois.|Ma sœur a écrit ça.
Prefiero el té.|Cito a Bob.|Bromeo.|Leí eso.|Miento.|Me mudé en mayo.|Mi hermana escribió eso.
Я предпочитаю чай.|Я шучу.|Цитирую Боба.|Я это прочитал.|Я пошутил.|Я переехал в мае.
我喜欢茶。|这句话是什么意思？|这怎么译？|我五月搬走了。|我妹妹写的。
"""


def _beside(table):
    lines = (line.split("|") for line in table.strip().splitlines())
    return [
        (said, turn)
        for said, *some in lines
        for words in some
        for turn in (f"{said} {words}", f"{words} {said}")
    ]


@pytest.mark.parametrize(("said", "turn"), _beside(LEFT_OWN))
def test_thanks_a_question_or_an_order_to_remember_leave_it_the_speakers_own(said, turn):
    assert bears_out(turn, said)


@pytest.mark.parametrize(("said", "turn"), _beside(TAKEN_BACK))
def test_a_few_words_that_quote_joke_or_lie_take_it_back(said, turn):
    assert not bears_out(turn, said)


@pytest.mark.parametrize(
    "said",
    [
        *("Works as a nurse.", "Has two children.", "Is diabetic.", "Earns 4,000 euros a month."),
        *(
            "Doesn't drink alcohol.",
            "Can't stand olives.",
            "Ist Lehrer.",
            "Est végétarien.",
            "Es vegetariana.",
        ),
    ],
)
def test_where_a_scope_belongs_to_somebody_what_names_nobody_is_about_them(said):
    assert tells_of_the_user(said, owned=True)
    assert not tells_of_the_user(said)


#: What names nobody, or somebody without a name, and is about whomever a scope belongs to.
OF_THE_OWNER = """
Preference: tea.|Does not eat pork.|Drives a Volvo.|Wakes up at six.|Rents a flat in Graz.|Vegetarian.
Job title: nurse.|Profile: vegan, lives in Graz.|The speaker likes jazz.|The account holder prefers tea.|Is not married.
Interlocutor prefers tea.|This person lives in Graz.|The person I'm talking to likes jazz.|Commutes by train.
Collects stamps.|Has never smoked.|Favorite color: blue.|Occupation: baker.|Fährt einen Volvo.|Vegetarierin.
Beruf: Krankenschwester.|Lieblingsfarbe: Blau.|Diese Person wohnt in Graz.|Conduit une Volvo.|Ne mange pas de porc.
Végétarienne.|Métier : infirmière.|Cette personne habite à Graz.|No come cerdo.|Vegetariana.|Esta persona vive en Graz.
Не ест свинину.|Вегетарианка.|Профессия: медсестра.|Этот человек живёт в Граце.|职业：护士。|这个人住在格拉茨。
"""
#: Notes of a project that leave out what they are about, or name something else.
OF_SOMETHING_ELSE = """
Uses PostgreSQL 16 for the event store.|The build uses Bazel.|Deploys run on Fridays.|Tests: run make check.|Backup job.
Version: 3.2|Restarts the service nightly.|Handles retries with backoff.|Returns a list of ids.|Red barn.|Two goats.
Release notes: see CHANGELOG.|Budget: 500 euros.|Next release: May.|Läuft auf Port 8080.|Utilise PostgreSQL.
Does not compile on Windows.|Sends mail hourly.|Costs 20 euros.|Opens at nine.|Server in Frankfurt.|服务器在法兰克福。
"""


@pytest.mark.parametrize("said", _each(OF_THE_OWNER))
def test_in_the_scope_of_a_user_what_leaves_them_out_is_about_them(said):
    assert tells_of_the_user(said, owned=True)


@pytest.mark.parametrize("said", _each(OF_SOMETHING_ELSE))
def test_a_note_without_a_subject_may_be_about_a_program(said):
    assert not tells_of_the_user(said, owned=True)
