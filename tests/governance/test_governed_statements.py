"""Statements that their own sentence, or a few words behind it, denies, thinks or tells of somebody else."""

import pytest

from simonides.domain.provenance import Origin
from simonides.governance.bearing import bears_out
from simonides.testing import an_item
from simonides.writing.extract import statements

#: What a user may say in a language; of each, the words without a full stop.
CLAIMS = {
    "en": ["I live in Graz", "I like opera", "I'm allergic to nuts"],
    "de": ["ich wohne in Linz", "ich mag Oper", "ich bin Vegetarierin"],
    "fr": ["j'habite à Lyon", "j'adore l'opéra", "je suis allergique aux noix"],
    "es": ["vivo en Vigo", "soy enfermera", "tengo diabetes"],
    "ru": ["я живу в Твери", "я люблю оперу", "у меня аллергия на орехи"],
    "zh": ["我住在成都", "我喜欢歌剧", "我对花生过敏"],
}
#: Sentences in which it is denied, believed by somebody, believed once, or said by somebody else.
GOVERNED = {
    "en": """
It's not the case that {}.|Nobody could say that {}.|You assume {}.|You seem to believe {}.|My boss assumes {}.
It's a myth that {}.|I used to believe {}.|I once thought {}.|I always assumed {}.|As my aunt likes to put it, {}.
To quote my brother, {}.|In the words of Kafka, {}.|He grinned, {}.|She emailed me, {}.|She waved, {}.|Yeah right, {}.
If you ask Tom, {}.|The form says {}.|{}, or so Tom thinks.|You'd swear {}.|In your opinion {}.|You have it that {}.
He leaned over and whispered, {}.|My profile claims {}.|Tom is convinced {}.|Everybody is sure {}.|I was certain {}.
Nowhere did I write that {}.|The brochure promised visitors that {}.
My neighbour from the second floor keeps telling everyone {}.|You two reckon {}.
According to the doctor's letter, {}.|Legend has it {}.|She sighed, {}.|Grandpa winked at the nurse, {}.
My ex was under the impression {}.|I was under the impression {}.|It would be wrong to think that {}.
Rumour has it that {}.|The chatbot before you concluded that {}.|You concluded {}.
Back then I was sure {}.|As they say in my village, {}.|Bob went, {}.|For all you know {}.
She looked at me and went, {}.|Not that {}.|I'd be lying if I said {}.
He told the whole office on Friday, {}.|In your summary it says {}.|You told Bob {}.
""",
    "de": """
Du meinst wohl, {}.|Du bildest dir ein, {}.|Sie vermuten, {}.|Ihr glaubt, {}.|Meine Chefin nimmt an, {}.|Er lachte, {}.
Früher glaubte ich, {}.|Ich war überzeugt, {}.|Ich bildete mir ein, {}.|Wie Oma immer sagt, {}.|Um Bob zu zitieren, {}.
Schön wär's, {}.|Man könnte meinen, {}.|Es heißt, {}.|Tom behauptete, {}.|Du gehst davon aus, {}.|Sie haben gedacht, {}.
Angeblich hat er gesagt, {}.|Nach Meinung meiner Tante, {}.|Mir wurde gesagt, {}.|Ich hatte gehofft, {}.|Du sagst, {}.
Sie schrieb mir, {}.|Es ist gelogen, {}.|Du hältst es für wahr, {}.|Tom ist sicher, {}.|Du findest, {}.
Der Arzt behauptet steif und fest, {}.|Ihr seid der Ansicht, {}.|Sie nehmen offenbar an, {}.
Meine Nachbarin aus dem zweiten Stock erzählt allen, {}.|Damals war ich mir sicher, {}.
Ich ging immer davon aus, {}.|Opa zwinkerte der Schwester zu, {}.|Sie seufzte, {}.
Du hast Bob erzählt, {}.|In deiner Zusammenfassung steht, {}.|Es kursiert das Gerücht, {}.
Ich würde lügen, wenn ich sagte, {}.|Wie man bei uns im Dorf sagt, {}.|Du tust so, als ob es heißt, {}.
Niemand glaubt mir, {}.
""",
    "fr": """
Ce n'est pas vrai que {}.|Tu t'imagines que {}.|Vous croyez que {}.|Mon chef est persuadé que {}.|Je croyais que {}.
J'étais sûr que {}.|Comme dit ma tante, {}.|Pour citer Paul, {}.|Selon ma mère, {}.|Il a souri, {}.|Elle m'a écrit, {}.
On dirait que {}.|On raconte que {}.|Ben voyons, {}.|Tu trouves que {}.|Vous supposez que {}.|Je pensais que {}.
Personne ne croit que {}.|Il paraît que {}.|À en croire Paul, {}.|Tu penses que {}.|J'avais l'impression que {}.
Il serait faux de dire que {}.|Nulle part je n'ai écrit que {}.
Ma voisine du deuxième raconte à tout le monde que {}.|Vous avez l'air de croire que {}.
À l'époque j'étais certain que {}.|Elle a soupiré, {}.|Comme on dit chez nous, {}.
D'après la lettre du médecin, {}.|Tu as dit à Bob que {}.|Le bruit court que {}.|Tu es convaincue que {}.
Non pas que {}.|Le médecin prétend que {}.|Je m'étais imaginé que {}.
""",
    "es": """
No es cierto que {}.|Es mentira que {}.|Tú crees que {}.|Usted piensa que {}.|Mi jefe está convencido de que {}.
Antes creía que {}.|Pensaba que {}.|Como dice mi tía, {}.|Para citar a Bob, {}.|Según mi madre, {}.|Se rio, {}.
Me escribió, {}.|Dicen que {}.|Corre el rumor de que {}.|Te imaginas que {}.|Supones que {}.|Estaba segura de que {}.
Nadie cree que {}.|Ella se rio y contestó, {}.|En palabras de Bob, {}.|Crees que {}.|Opinas que {}.
Sería falso decir que {}.|Mi vecina del segundo le cuenta a todo el mundo que {}.
Parece que crees que {}.|En aquel entonces estaba seguro de que {}.|Ella suspiró, {}.
El abuelo guiñó un ojo, {}.|Como decimos en mi pueblo, {}.|Le dijiste a Bob que {}.
De acuerdo con la carta del médico, {}.|Estás convencida de que {}.|No es que {}.
El médico afirma que {}.|Se rumorea que {}.|Me imaginaba que {}.
""",
    "ru": """
Неверно, что {}.|Это ложь, что {}.|Вы считаете, {}.|Тебе кажется, что {}.|Ты решил, что {}.|Начальник уверен, что {}.
Раньше я верил, что {}.|Мне казалось, {}.|Я был уверен, что {}.|Как говорит бабушка, {}.|Цитирую Боба, {}.
По словам мамы, {}.|Он засмеялся, {}.|Ходят слухи, что {}.|Нельзя сказать, что {}.|Никто не верит, что {}.
Ага, конечно, {}.|Мама уверяет, {}.|Ты воображаешь, что {}.|По-вашему, {}.|По-твоему, {}.|Вы полагаете, что {}.
Не то чтобы {}.|Это выдумка, что {}.|Она написала мне, {}.|Я ошибочно полагал, что {}.|Ты уверена, что {}.
Было бы неверно сказать, что {}.|Нигде я не писал, что {}.
Соседка со второго этажа всем рассказывает, что {}.|Похоже, вы верите, что {}.
Тогда я не сомневался, что {}.|Она вздохнула, {}.|Дед подмигнул медсестре, {}.
Как говорят у нас в деревне, {}.|Судя по письму врача, {}.|Ты сказала Бобу, что {}.|Ты убеждён, что {}.
Врач настаивает, что {}.|Мне чудилось, что {}.|По мнению начальника, {}.|Ты подумал, что {}.
Не верьте, что {}.|Сосед по даче уверяет всех вокруг, что {}.|Из твоей сводки следует, что {}.
Будто бы {}.
""",
    "zh": """
并不是说{}。|你以为{}。|你认为{}。|您觉得{}。|我老板以为{}。|我以前以为{}。|我一直以为{}。|按我妈的话说，{}。|引用小王的话，{}。
用他的话来说，{}。|她笑了，{}。|他发短信给我，{}。|有人传{}。|据说{}。|听说{}。|说{}是假的。|谁说{}。|你猜{}。|你们都觉得{}。
他写信来，{}。|你相信{}。|大家都以为{}。|照医生的说法，{}。|假如{}。|我曾经认为{}。|我妈坚称{}。
说{}就不对了。|我从来没写过{}。|二楼的邻居逢人就讲{}。|你好像相信{}。|那时候我确信{}。|她叹了口气，{}。|爷爷眨了眨眼，{}。|按我们村的说法，{}。|根据医生的信，{}。|你跟小王讲过{}。
你坚信{}。|并非{}。|医生断定{}。|谣传{}。|你误会{}了。|你的总结里写着{}。|我还当{}呢。|我误以为{}。
""",
}
#: A few words behind it, with which it was not said.
TAKEN_BACK = {
    "en": """
Never mind.|Disregard that.|Oops, wrong window.|Typo.|Kidding!|My kid typed this.|Not really.|NOT.|Strike that.|Lies.
No, scratch that.|Cancel that.|That was meant for Bob.|Sorry, wrong thread.|That's not true.|As if!|I wish.|Delete that.
Autocomplete.|Sorry, that was my brother on my phone.|Sorry, my cat just walked over the keyboard.|Or maybe not.
Psych!|Gotcha.|Ha, you wish.|Correction, no.|Please forget what I just typed.|Wrong person.
Copy and paste error.|That went to the wrong window, sorry.|My daughter grabbed my phone there.
I mean, not at all.|Nope.|Actually scrap that.|Only in my dreams.|Ignore my last message please.
Please disregard what I wrote above.|That sentence was not mine.|That's what my mother would say.
""",
    "de": """
Gar nicht.|Doch nicht.|Vergiss es.|Vergiss das.|Falscher Chat.|Das war die Autokorrektur.|Streich das.|Quatsch.|Nee.
Von wegen.|War nur Spaß.|Ach was.|Stimmt nicht.|Das hat mein Sohn getippt.|Sorry, das war mein Bruder an meinem Handy.
Naja, nicht wirklich.|Ach nein.|Falsches Fenster.|Ignorier das.|Nur ein Witz.
Reingelegt!|Nö.|Ach Unsinn.|Falsche Person.|Streich den letzten Satz bitte.|Kopierfehler.
Das ging an das falsche Fenster, sorry.|Meine Tochter war gerade an meinem Handy.|Schön wär's.
Im Traum vielleicht.|Ignoriere bitte meine letzte Nachricht.
Vergiss bitte, was ich gerade geschrieben habe.|Kleiner Scherz.|Nicht ernst gemeint.
Das würde meine Mutter sagen.
""",
    "fr": """
Ou pas.|Oublie ça.|Mauvais chat.|Erreur de saisie.|Laisse tomber.|Je rigole.|N'importe quoi.|C'était le correcteur.
Pas du tout.|En fait non.|Mon fils a tapé ça.|Désolé, c'était mon frère sur mon téléphone.|Pas vraiment.|Efface ça.
Je t'ai eu !|Nan.|Mauvaise personne.|Erreur de copier-coller.|Ignore mon dernier message s'il te plaît.
Ma fille avait pris mon téléphone.|Dans mes rêves.|Tu parles.|C'est faux.
Oublie ce que je viens d'écrire.|Raye ça.
""",
    "es": """
Mentira.|Olvídalo.|Olvida eso.|Chat equivocado.|Era broma.|Qué va.|Fue el autocorrector.|Bueno, no.|No es verdad.
Para nada.|Lo escribió mi hijo.|Perdón, era mi hermano con mi teléfono.|No en serio.|Borra eso.|Ignora eso.
¡Has picado!|Qué más quisiera.|Persona equivocada.|Error de copiar y pegar.
Ignora mi último mensaje, por favor.|Mi hija tenía mi teléfono.|En mis sueños.|Ni hablar.|Es falso.
Olvida lo que acabo de escribir.|Tacha eso.
""",
    "ru": """
Или нет.|Забудь.|Забудь это.|Не тот чат.|Автозамена.|Шучу.|Неправда.|Да нет.|Вру.|Это сын написал.|Ошибся чатом.
Ой, это брат с моего телефона писал.|Не обращай внимания.|Хотя вряд ли.|Опечатка.|Удали это.
Попался!|Неа.|Не тому человеку.|Ошибка копирования.|Проигнорируй моё последнее сообщение, пожалуйста.
Дочка взяла мой телефон.|Размечтался.|Ещё чего.|Это ложь.|Забудь, что я сейчас написал.|Вычеркни это.
Мечтать не вредно.
""",
    "zh": """
才怪。|才不是。|算了。|忘了吧。|忽略这条。|发错了。|打错了。|输入法的锅。|骗你的。|并没有。|不是的。|刚才是我弟弟在打字。|发错群了。
上当了吧。|想得美。|发错人了。|复制粘贴弄错了。|请忽略我上一条消息。|刚才女儿拿了我的手机。|做梦呢。|瞎说的。|忘掉我刚才写的吧。|划掉这句。|当我没说。|胡说的。
""",
}
#: What may stand before a claim and leaves it the speaker's.
LEADS = {
    "en": """
At the moment, {}.|These days, {}.|For three years, {}.|After the divorce, {}.|In general, {}.
I moved, {}.|Hi, {}.|By the way, {}.|Yes, {}.|I'm Ana and {}.|Well, {}.
My wife is a teacher and {}.|I'm 34, {}.
""",
    "de": """
Zurzeit, {}.|Seit drei Jahren, {}.|Nach der Scheidung, {}.|Hallo, {}.|Ja, {}.
Ich bin Jonas und {}.|Also, {}.|Ich bin 34, {}.
""",
    "fr": """
En ce moment, {}.|Depuis trois ans, {}.|Après le divorce, {}.|Bonjour, {}.|Oui, {}.
Je m'appelle Claire et {}.|Au fait, {}.|J'ai 34 ans, {}.
""",
    "es": """
Ahora mismo, {}.|Desde hace tres años, {}.|Después del divorcio, {}.|Hola, {}.|Sí, {}.
Me llamo Lucía y {}.|Por cierto, {}.|Tengo 34 años, {}.
""",
    "ru": """
На данный момент, {}.|После развода, {}.|Привет, {}.|Да, {}.|Меня зовут Олег, {}.|Кстати, {}.
Мне 34 года, {}.
""",
    "zh": """
目前，{}。|毕业后，{}。|你好，{}。|对了，{}。|其实{}。|我叫王芳，{}。|是的，{}。
""",
}

#: What may stand behind it and goes on about it, or about something else.
GOING_ON = {
    "en": """
My phone is new.|The window faces south.|Message me later.|There is a chat.|We rent by the month.
It is lovely.|So is Ben.|Always.|The flat is small.|Nice to meet you.|Great fun!|Since May.
It started in May.
""",
    "de": """
Mein Handy ist neu.|Das Fenster geht nach Süden.
Das ist schön.|Ben auch.|Immer schon.|Die Wohnung ist klein.|Seit Mai.|Ganz gern sogar.
""",
    "fr": """
C'est très beau.|Ben aussi.|Depuis toujours.|L'appartement est petit.|Enchantée.
""",
    "es": """
Es muy bonito.|Ben también.|Desde siempre.|El piso es pequeño.|Encantada.
""",
    "ru": """
Это чудесно.|Бен тоже.|Всегда.|Квартира маленькая.|Очень приятно.
""",
    "zh": """
很好。|小王也是。|一直都是。|房子很小。|很高兴认识你。
""",
}


def _each(lines):
    return [said for line in lines.strip().splitlines() for said in line.split("|")]


def _sentence(claim):
    stop = "。" if claim[0] == "我" else "."
    return f"{claim[0].upper()}{claim[1:]}{stop}"


def stated(turn):
    """The statements of a turn that extraction keeps."""
    return [one.content for one in statements([an_item(turn, type="episode", origin=Origin.USER_SAID)])]


def taken_for_own(claim, turn):
    """Ways in which a claim is taken for the speaker's word: as bearing out a proposal, as worth keeping."""
    kept = any(claim.casefold() in one.casefold() for one in stated(turn))
    return [way for way, taken in (("proposal", bears_out(turn, claim)), ("extraction", kept)) if taken]


@pytest.mark.parametrize("code", sorted(CLAIMS))
def test_a_claim_alone_is_the_speakers_own(code):
    for claim in CLAIMS[code]:
        assert taken_for_own(claim, _sentence(claim)) == ["proposal", "extraction"]


@pytest.mark.parametrize("code", sorted(CLAIMS))
def test_what_somebody_denies_believes_or_says_is_not_ones_own_claim(code):
    wrong = {
        frame: ways
        for frame in _each(GOVERNED[code])
        for claim in CLAIMS[code]
        if (ways := taken_for_own(claim, frame.format(claim)))
    }
    assert wrong == {}


@pytest.mark.parametrize("code", sorted(CLAIMS))
def test_what_is_taken_back_in_the_same_breath_was_not_said(code):
    gap = "" if code == "zh" else " "
    wrong = {
        back: ways
        for back in _each(TAKEN_BACK[code])
        for claim in CLAIMS[code]
        if (ways := taken_for_own(claim, f"{_sentence(claim)}{gap}{back}"))
    }
    assert wrong == {}


@pytest.mark.parametrize("code", sorted(CLAIMS))
def test_a_greeting_or_another_statement_before_a_claim_leaves_it_ones_own(code):
    lost = {
        lead
        for lead in _each(LEADS[code])
        for claim in CLAIMS[code]
        if "extraction" not in taken_for_own(claim, lead.format(claim))
    }
    assert lost == set()


@pytest.mark.parametrize("code", sorted(GOING_ON))
def test_what_goes_on_about_a_claim_leaves_it_ones_own(code):
    gap = "" if code == "zh" else " "
    lost = {
        more
        for more in _each(GOING_ON[code])
        for claim in CLAIMS[code]
        if "extraction" not in taken_for_own(claim, f"{_sentence(claim)}{gap}{more}")
    }
    assert lost == set()


@pytest.mark.parametrize(
    "turn",
    [
        *(
            "Mi marido come carne, yo no.",
            "A mi hija le gusta el té, a mí no.",
            "Vivo en Vigo, mi hermano ya no.",
        ),
        *("Мой брат живёт в Риге, я нет.", "Мой муж не ест мясо, я да.", "Ich mag Tee, mein Mann nicht."),
        *("I live in Graz, my brother does not.", "J'aime le thé, ma sœur pas.", "我喜欢茶，我弟弟不喜欢。"),
    ],
)
def test_a_denial_at_the_end_stays_with_what_it_denies(turn):
    assert stated(turn) in ([turn], [])


@pytest.mark.parametrize(
    "turn",
    ["I like tea, but no.", "Ich mag Tee, aber nein.", "J'aime le thé, mais non.", "Prefiero el té, pero no.",
     "Я люблю чай, но нет.", "我喜欢茶的话。"],
)  # fmt: skip
def test_a_no_at_the_end_takes_a_statement_back(turn):
    assert stated(turn) == []
