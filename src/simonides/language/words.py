"""Words sorted by what they do in a statement; a word may do several things.

For English, Russian, French and Chinese. Written for this project.
"""

from __future__ import annotations

import re
from typing import Final

from simonides.language.tokens import Shape, Token, folded, stemmed


def _set(*texts: str) -> frozenset[str]:
    return frozenset(folded(word) for text in texts for word in text.split())


#: Words that carry no topic.
STOP: Final = _set(
    """a about above after again against all am an and any are as at be because been before being below between both
    but by can could did do does doing down during each either else ever few for from further had has have having
    every here how if in into is it its itself just let may me might more most must of off on once only or other out own
    per please same shall should so some such than that the then there these this those through to too under until
    up upon very was were what when where which while who whom whose why will with would also still even yes""",
    """ai as au aux avec ce ces cet cette c d de des du elle en est et eu il ils j l la le les leur leurs lui mais me
    n ne on ou par pas plus pour qu que quel quelle qui s sa se ses si son sont sur t un une y a ont sera etait""",
    """а без бы в во вот все для до же за и из или им их к ко как ли на над но о об от по под при про с со так
    также там то тоже у что чтобы эта эти это этот есть быть будет был была было были""",
)
#: Words that say that something has a value, or that it has it now: two statements may differ in them.
LIGHT: Final = _set(
    """now currently today presently nowadays already actually exactly officially always usually total overall about
    around approximately approx roughly nearly almost circa least most than over under up
    start starts begin begins take takes place happen happens held hold holds set sets scheduled schedule due
    fall falls run runs go goes cost costs amount amounts equal equals weigh weighs measure measures need needs
    get gets contain contains include includes stand stands remain remains moved changed raised lowered increased
    decreased reduced postponed rescheduled switched renamed updated shifted pushed extended corrected
    became becomes become new latest current stay stays""",
    """maintenant actuellement aujourd hui environ exactement deja commence commencent debute coute coutent fixe fixee
    prevu prevue lieu aura avoir etre passe passee nouveau nouvelle suis es sommes etes ete reste restent demeure
    sois soit soyons soyez soient aie ait aies ayons ayez aient""",
    """сейчас теперь сегодня уже примерно около ровно начинается начнется начинаем стоит составляет равен равна
    равно имеет имеется назначен назначена назначено перенесен перенесена перенесено изменен изменена
    увеличен увеличена теперешний новый новая""",
)
#: Han characters that carry no topic.
HAN_LIGHT: Final = frozenset(
    "的了吗呢吧啊在是有和与及就都也很把被对为从到于会要已这那其之个着过现目前今约大共总开始进行举行定改至成"
)
#: Who speaks of whom. The user is "I" to themselves, "you" and "the user" to a model.
PERSONS: Final = {
    word: person
    for person, words in {
        "user": """i my mine myself me user you your yours yourself je j mon ma mes moi vous votre vos utilisateur
            utilisatrice я мой моя мое мои мне меня моего моей вы ваш ваша ваше ваши пользователь
            пользователя ты твой""",
        "we": "we our ours us nous notre nos мы наш наша наше наши нас нам",
        "he": "he his him himself он",
        "she": "she her hers herself она",
        "they": "they their theirs them они",
    }.items()
    for word in _set(words)
}
HAN_PERSONS: Final = (
    ("我们", "we"), ("咱们", "we"), ("他们", "they"), ("她们", "they"), ("用户", "user"),
    ("我", "user"), ("你", "user"), ("您", "user"), ("他", "he"), ("她", "she"),
)  # fmt: skip

#: What stands for "no longer" and its like once a sentence was read; no word that anybody writes.
ENDED: Final = "nolonger"
HAN_ENDED: Final = "不再"
NEGATORS: Final = _set(
    "nolonger not never no none nobody nothing neither nor without cannot non jamais aucun aucune sans rien не ни "
    "никогда никто нет нельзя без"
)
#: Say that something is so hardly ever; whoever does a thing denies them, and they deny it.
SELDOM: Final = _set("hardly barely scarcely rarely seldom rarement редко")
#: Deny a verb that has "ne" before it.
BEHIND_NE: Final = _set(
    "pas plus jamais rien aucun aucune nul nulle personne guere point nullement aucunement"
)
NEVER: Final = frozenset(stemmed(word) for word in _set("never jamais никогда"))
HAN_NEGATORS: Final = (
    *(
        "从来没有",
        "从来没",
        "从来不",
        "从没有",
        "从没",
        "从未",
        "从不",
        "并没有",
        "并没",
        "并不",
        "并非",
        "并未",
    ),
    *(
        "根本没有",
        "根本没",
        "根本不",
        "压根不",
        "完全不",
        "绝不",
        "决不",
        "毫不",
        "几乎没有",
        "几乎不",
        "很少",
    ),
    *("没有", "不再", "不", "没", "无", "未", "别", "勿", "非"),
)
#: In Chinese, words that hold such a character and negate nothing.
HAN_NOT_NEGATING: Final = re.compile("不[但仅错同久]|不管(?!理)|非常|无论|特别|别人|[分区]别|未来")

#: A clause with one of these is no plain statement of what is so.
UNSURE: Final = _set(
    """if unless whether might maybe perhaps possibly probably would could suppose supposedly rumored allegedly
    except consider considering think thinks guess si peut-etre peutetre probablement сли если возможно может
    наверное вероятно кажется бы"""
)
HAN_UNSURE: Final = ("如果", "可能", "也许", "或许", "假如", "要是", "大概")
#: A clause with one of these adds to what is known.
ADDING: Final = _set(
    """also too another additional additionally besides second secondary additionally extra both either sometimes
    aussi egalement autre supplementaire parfois тоже также еще другой другая другое дополнительно иногда"""
)
HAN_ADDING: Final = ("另外", "另一", "还有", "也", "还", "又", "有时")
#: What was so and is not said to be so now.
PAST: Final = _set(
    """was were had did used formerly previously earlier ago once originally initially yesterday former
    etait etaient avait avaient fut autrefois auparavant ancien ancienne
    был была было были раньше прежде вчера бывший бывшая"""
)
HAN_PAST: Final = ("曾经", "以前", "之前", "过去", "原来", "曾", "昨天")
PRESENT: Final = _set(
    """is are am has have does do will now currently stay stays remain remains est sont a ont
    maintenant теперь сейчас является"""
)
#: Verbs whose past says what is so from then on.
CHANGES: Final = _set(
    """moved changed raised lowered increased decreased reduced postponed rescheduled switched renamed updated shifted
    pushed extended corrected relocated migrated became decided chose chosen picked selected married joined fixed set
    deplace reporte reportee change modifie augmente fixe decide choisi
    перенесли перенесен перенесена перенесено изменили изменен увеличили переехал переехала переименован
    решил решила решили
    выбрали"""
)
#: Of these, those that happen at one time; "was married" tells of a time that is over.
EVENTS: Final = CHANGES - _set("married joined fixed set became fixe")
HAN_CHANGES: Final = ("改", "搬", "调整", "推迟", "提前", "换", "决定", "变")
#: English pasts and participles that do not end in -ed.
IRREGULAR_PASTS: Final = _set(
    """went gone ate eaten paid ran came met got gotten left bought sold made took taken said told spent wrote
        written lost
    won built sent kept gave given saw seen spoke spoken taught drank drunk drove driven rode ridden began begun chose
    chosen found felt held heard knew known led lent meant sang slept stood swam thought threw understood wore broke
    broken brought caught drew drawn fed fell fought flew forgot grew grown hid laid lit rang rose sat shot shut shook
    spun stole struck stuck swore tore woke dealt dug hung"""
)
#: Words that end like a past and are none.
_NO_PASTS: Final = _set(
    """hundred sacred naked wicked indeed shed sled embed biped infrared named called based located titled nicknamed
    married divorced retired interested tired scared supposed"""
)
#: With one of these a statement tells what was.
PAST_AUXILIARIES: Final = _set(
    """was were had did used formerly previously originally initially once ago
    etait etaient etais etions etiez avait avaient avais avions aviez fut furent eut autrefois jadis
    был была было были раньше прежде когда-то некогда"""
)
#: With one of these, what will be.
FUTURE: Final = _set(
    """will shall gonna tomorrow sera seront serai serons aura auront aurai aurons demain
    буду будет будем будете будут станет станут завтра"""
)
#: Two words with which something is about to be.
PURSUED: Final = frozenset(
    f"{go} to" for go in ("gonna", "about", "plan", "plans", "planning", "intend", "intends")
) | frozenset(
    f"{go} {verb}" for go in ("va", "vais", "vont", "allons", "allez") for verb in ("etre", "avoir")
)
PRESENT_COPULAS: Final = _set("is are am be being")
#: Behind these a participle tells of the present: is painted, est marié, gets paid.
PARTICIPLE_BEHIND: Final = _set(
    """is are am be being get gets getting stay stays remain remains to can may must should will
    est sont suis sommes etes etre a an the my our his her their its your this that these those of in with un une le la
    les de des"""
)
PERFECT: Final = _set("has have having had")
#: The same before a French participle; some are English words, too.
FRENCH_PERFECT: Final = _set("ai as a ont avons avez")
DEFINING: Final = _set("means signifie означает")
#: May stand between an auxiliary and its participle.
ADVERBS: Final = _set(
    """not never always already just also since yet still ever often now pas jamais toujours deja aussi bien
    не уже тоже"""
)
#: By what a word tells how a statement is meant.
MANNERS: Final = {
    word: mark
    for mark, words in {
        "past": "past former ex ancien ancienne бывший бывшая бывшие",
        "can": "can able capable peut peuvent peux pouvons может могу могут можем можно",
        "could": "could pourrait pourrais pourraient мог могла могли",
        "may": "may might",
        "must": """must should ought need needs obliged required doit doivent dois devons devrait faut должен
            должна должно
            должны надо нужно обязан обязана следует""",
        "would": "would serait aurait бы",
        "want": """want wants wanted wish wishes wished hope hopes hoped plan plans planned intend intends try
            tries tried
            veut veux voudrait espere souhaite хочу хочет хотел хотела надеюсь надеется планирует планирую""",
        "doubt": """doubt doubts doubted maybe perhaps possibly probably supposedly allegedly apparently unsure
            uncertain
            presumably likely unlikely seems seem seemed guess suppose doute peut-etre probablement sans-doute
            apparemment возможно вероятно наверное кажется якобы сомневаюсь вряд""",
        "if": "if unless whether si сли если",
        "except": "except unless sauf excepte кроме",
        "only": "only merely solely seulement uniquement только лишь",
        "all": """all every always each any everything everybody everyone everywhere whole entire tous toutes
            toujours chaque
            все всё всегда каждый каждая каждое каждую""",
        "some": """some several few certain quelques certains certaines некоторые несколько""",
        "half": "half moitie половина половину",
        "most": "most mostly majority plupart большинство",
        "often": "often frequently usually generally normally typically souvent часто обычно",
        "seldom": "sometimes occasionally seldom rarely hardly barely parfois rarement иногда редко",
        "nearly": "almost nearly presque почти",
        "ended": """nolonger longer anymore stopped stop stops quit quits ceased arrete cesse
            больше перестал перестала бросил""",
        "until": "until till jusqu пока",
        "yet": "yet encore пока",
        "twice": "twice thrice double дважды трижды",
        "instead": "instead rather than",
        "more": "more plus больше",
        "less": "less fewer moins меньше",
    }.items()
    for word in _set(words)
}
#: The same in Chinese. A sign that is part of a longer one counts as that, too.
HAN_MANNERS: Final = (
    ("曾", "past"), ("以前", "past"), ("之前", "past"), ("过去", "past"), ("原来", "past"), ("昨天", "past"),
    ("过", "past"), ("将", "future"), ("会", "future"), ("打算", "future"), ("明天", "future"), ("可能", "doubt"),
    ("也许", "doubt"), ("或许", "doubt"), ("大概", "doubt"), ("好像", "doubt"), ("应该", "must"), ("必须", "must"),
    ("可以", "can"), ("能", "can"), ("想", "want"), ("希望", "want"), ("如果", "if"), ("假如", "if"), ("要是", "if"),
    ("只", "only"), ("除了", "except"), ("所有", "all"), ("总是", "all"), ("每", "all"), ("一直", "all"),
    ("有些", "some"),    ("有时", "seldom"), ("偶尔", "seldom"), ("很少", "seldom"), ("经常",
    "often"), ("常常", "often"), ("通常", "often"),
    ("几乎", "nearly"), ("不再", "ended"), ("怀疑", "doubt"),
)  # fmt: skip
#: Words of which such a sign is a part that tells nothing.
HAN_NO_MANNERS: Final = re.compile(
    "会[议员计话]|[开年约聚社机协学晚宴]会|过[敏程分期]|[通经超不难]过|[功智性技]能|能[源力量]|思想|想[法念]|将军"
    "|每日|"
    "[0一二两三四五六七八九十百几多]只"
)
_RUSSIAN_PASTS: Final = (
    *(
        "ал",
        "ала",
        "ало",
        "али",
        "ил",
        "ила",
        "ило",
        "или",
        "ел",
        "ела",
        "ели",
        "ял",
        "яла",
        "яли",
        "ыл",
        "ыла",
        "ыли",
    ),
    *("лся", "лась", "лось", "лись"),
)


def is_past_form(token: Token) -> bool:
    """Whether a word has the form of a past or of a participle."""
    fold = token.fold
    if token.shape is not Shape.WORD or fold in _NO_PASTS:
        return False
    if "\u0400" <= fold[0] <= "\u04ff":
        return len(fold) > 3 and fold.endswith(_RUSSIAN_PASTS)
    written = token.text.casefold()
    if written.endswith(("é", "ée", "és", "ées", "ait", "aient")):
        return True
    return (
        fold in IRREGULAR_PASTS
        or (len(fold) > 4 and fold.endswith("ed") and not fold.endswith("eed"))
        or (fold == "agreed")
    )


# Corrections


def _phrases(*texts: str) -> frozenset[tuple[str, ...]]:
    return frozenset(
        tuple(folded(word) for word in phrase.split())
        for text in texts
        for phrase in text.replace("\n", " ").split("|")
    )


#: Begin a statement that corrects an earlier one. "No longer" and "moved to" are none: they tell of a change.
CORRECTING: Final = _phrases(
    """correction|actually|sorry|i meant|i meant to say|i mean|to correct myself|i was wrong|i was mistaken|i misspoke|
    my mistake|my bad|oops|wait|no wait|hold on|scratch that|strike that|rather|or rather|update|i stand corrected|
    let me correct that|let me correct myself|that was wrong|apologies|my apologies""",
    """en fait|pardon|desole|desolee|je voulais dire|je me suis trompe|je me suis trompee|erratum|plutot|rectification|
    excusez moi|excuse moi|oups|je corrige""",
    """поправка|на самом деле|извини|извините|прости|простите|я ошибся|я ошиблась|точнее|вернее|я имел в виду|
    я имела в виду|исправление|ой|исправляюсь|сорри""",
)
HAN_CORRECTING: Final = (
    "更正一下", "更正", "纠正一下", "其实", "抱歉", "对不起", "不好意思", "我说错了", "说错了",
    "我的意思是", "准确地说", "应该说", "哦不",
)  # fmt: skip
#: Words that begin a correction only before a comma or the like.
NEEDS_MARK: Final = _set("wait rather update oops plutot точнее вернее ой")
#: Stand before those, and behind them before what is meant.
BEFORE_CORRECTING: Final = _set("well no oh ah so and but non bon ah mais нет ну а и")
BEHIND_CORRECTING: Final = _set("that que qu что")
BUT: Final = _set("but mais а")

# Who says it, and what it is worth

#: Behind "would" these say what somebody wants.
WISHED: Final = _set("like love prefer rather want wish")
#: Verbs of a wish: one who says so, or orders it, prefers it and wants it.
WISHES: Final = WISHED | _set(
    """please wants prefers likes favourite favorite veux voudrais souhaite prefere stp svp plait пожалуйста хочу хотел
    хотела предпочитаю прошу"""
)
HAN_WISHES: Final = frozenset("请想要希望偏好")
#: Stems of what a statement may say of a wish.
ATTITUDES: Final = frozenset(
    stemmed(word)
    for word in _set(
        """prefer prefers wants want wishes wish asks asked requests requested request expects prefere souhaite veut
        предпочитает хочет просит"""
    )
)
#: Stems of words by which somebody says that he tells what another said.
LEADS: Final = frozenset(
    stemmed(word)
    for word in _set(
        """remember remembered recall recalled noted mentioned mentions stated states memory said says say told
        earlier previously помню сказал сказала souviens rappelle mentionne"""
    )
)
#: Begin an order; what they order stands behind them.
IMPERATIVES: Final = _set(
    """please use answer reply respond write call give keep speak show send make remember add start include format
    address refer talk put let let's always never note
    reponds utilise ecris appelle parle fais donne garde retiens
    пожалуйста отвечай отвечайте используй используйте пиши пишите называй говори делай добавляй запомни"""
)
#: Stand before a statement and say nothing.
OPENERS: Final = _set(
    """hello hi hey there oh
    well okay ok yes yeah sure thanks thank btw way fyi context record anyway honestly important
    remember note reminder mind keep forget rule rules preference preferences request update correction good
    morning evening
    bonjour salut merci bref rappel привет кстати спасибо да хорошо ладно запомни важно"""
)
HAN_OPENERS: Final = frozenset("请记住注意顺便提醒更正补充一下")
#: Say that somebody else says it, or that nobody claims it.
REPORTS: Final = _set(
    """said says say saying tells told telling wrote writes claims claimed claim thinks thought believes believed heard
    read reckons insists swears suggests suggested according doubt doubts doubted suppose guess wonder wondering wish
    wished imagine pretend dream dreamt joke joking kidding lie lied false untrue wrong rumour rumor hypothetically
    character novel story if unless whether
    dit disait disent ecrit pense pretend selon doute imagine si
    говорит говорят сказал сказала сказали пишет написал написала думает считает сомневаюсь якобы будто если"""
)
HAN_REPORTS: Final = (
    "说",
    "写道",
    "认为",
    "觉得",
    "据",
    "怀疑",
    "假设",
    "如果",
    "假如",
    "听说",
    "声称",
    "称",
)
#: Words of a language without which a clause says the same: articles, forms of "be", joints, emphasis. No preposition
#: and no negation is among them: they restrict, and turn about.
FREE: Final = {
    "en": _set(
        """a an the am is are do does that and s really very quite currently now still also too already simply
        actually well indeed definitely certainly truly so personally"""
    ),
    "fr": _set(
        """le la les l un une du des de d est suis sommes sont etes que qu et vraiment tres actuellement maintenant
        deja aussi bien"""
    ),
    "ru": _set("это и что является очень действительно сейчас теперь уже также тоже"),
    "zh": frozenset[str](),
}
HAN_FREE: Final = frozenset("的是在很也都还真")
#: Of whom the pronouns of a language speak. In a user's turn "you" is the assistant; "own" may be anybody's.
PRONOUNS: Final = {
    language: {folded(word): who for who, words in by_person.items() for word in words.split()}
    for language, by_person in {
        "en": {
            "user": "i my mine myself me user",
            "listener": "you your yours yourself assistant",
            "we": "we our ours us ourselves",
            "he": "he his him himself",
            "she": "she her hers herself",
            "they": "they their theirs them themselves",
        },
        "fr": {
            "user": "je j mon ma mes moi m me utilisateur utilisatrice",
            "listener": "tu ton ta tes toi te t vous votre vos",
            "we": "nous notre nos",
            "he": "il lui",
            "she": "elle",
            "they": "ils elles leur leurs eux",
            "own": "son sa ses s se",
        },
        "ru": {
            "user": "я мой моя мое мои мне меня мной моего моей моему моих моим мою моем",
            "listener": "ты твой твоя твое твои тебя тебе вы ваш ваша ваше ваши вас вам",
            "we": "мы наш наша наше наши нас нам нами",
            "he": "он его ему им",
            "she": "она ее ей",
            "they": "они их",
            "own": "свой своя свое свои своего своей свою своих себя себе",
        },
        "zh": {},
        "": {},
    }.items()
}
#: Pronouns with which a clause begins.
SUBJECTS: Final = _set("i we you he she they je j nous tu vous il elle ils elles on я мы ты вы он она они")
#: Begin what only tells under which circumstances the clause behind it holds.
SUBORDINATE: Final = _set(
    """when whenever while during after before until till since because as although though where wherever once if
    unless in on at with without from by for to of about around under over between among through despite besides except
    given considering regarding concerning like unlike outside inside near being having
    quand lorsque pendant apres avant depuis parce comme si dans en a au aux avec sans pour par sur sous chez vers
    когда пока после до перед если потому в во на с со без из к для при по за над под у о об"""
)
#: Forms of a word that no ending tells, and words that deny in the same way.
SAME_WORDS: Final = {
    folded(word): kind
    for kind, words in {
        "¬not": "not cannot",
        "¬never": "never jamais никогда",
        "¬nor": "neither nor ni ни",
        "have": "have has having ai a avons avez ont",
        "go": "go goes",
        "suis": "suis est",
    }.items()
    for word in words.split()
}

#: Pairs of words of which one denies the other.
_OPPOSITES: Final = """
like dislike|love hate|like hate|enable disable|enabled disabled|allow forbid|allowed forbidden|allow prohibit|
allow ban|allowed banned|permitted forbidden|open closed|include exclude|possible impossible|true false|
married single|married divorced|married unmarried|dead alive|present absent|required optional|succeed fail|
active inactive|accept reject|accepted rejected|approved rejected|agree disagree|safe unsafe|available unavailable|
public private|vegetarian carnivore|stable unstable|legal illegal|finished unfinished|done undone|on off|
paid unpaid|known unknown|valid invalid|correct incorrect|trust distrust|supported unsupported|encrypted unencrypted|
mandatory optional|happy unhappy|early late|open shut|
aime deteste|autorise interdit|autorisee interdite|ouvert ferme|ouverte fermee|active desactive|activee desactivee|
vrai faux|marie celibataire|marie divorce|accepte refuse|accepte rejete|
любит ненавидит|разрешен запрещен|разрешено запрещено|разрешена запрещена|открыт закрыт|открыта закрыта|
включен выключен|включена выключена|включено выключено|женат холост|замужем разведена|жив мертв|может неможет|
работает закрыт|работает закрыта|работают закрыты|работает отключен|работает сломан|открыты закрыты
"""
OPPOSITES: Final = frozenset(
    frozenset((stemmed(folded(one)), stemmed(folded(other))))
    for pair in _OPPOSITES.replace("\n", "").split("|")
    for one, other in (pair.split(),)
)
HAN_OPPOSITES: Final = (
    ("喜欢", "讨厌"), ("允许", "禁止"), ("打开", "关闭"), ("开启", "关闭"), ("启用", "禁用"), ("已婚", "未婚"),
    ("同意", "反对"), ("接受", "拒绝"), ("公开", "私密"), ("可以", "禁止"), ("营业", "关门"), ("营业", "打烊"),
    ("营业", "歇业"), ("营业", "休息"), ("开门", "关门"), ("开放", "关闭"),
)  # fmt: skip

#: What somebody does with a thing that he gives up or avoids, by its stem; a Chinese sign.
CONSUMED: Final = frozenset(
    stemmed(word)
    for word in _set(
        """eat eats eating drink drinks smoke smokes use uses take takes play plays mange manges mangent bois boit
        boivent fume fument utilise utilisent prends prend ем ест едим пью пьет курю курит использую использует
        используй используйте"""
    )
) | frozenset("吃喝抽用")
#: Endings by which a noun and an adjective of one stem are told apart: an allergy, allergic; intolerant, intolerance.
_DERIVED: Final = re.compile(
    "(?<=[^\\W\\d_]{5})(?:ati(?:c|qu)|ic|iqu|y|ia|i|a|an[ct]e?|ancy|en[ct]e?|ency|ичн?|ичен|ик|ия?|ен|н)$"
)


def root_of(stem: str) -> str:
    """A stem without the ending that makes it a noun or an adjective."""
    return _DERIVED.sub("", stem)


#: Words behind which the reason or circumstance follows, which does not change what is said.
ASIDES: Final = _set(
    """because since whereas although though which according thanks whose so car parce puisque selon bien
    потому поскольку так хотя который которая"""
)
HAN_ASIDES: Final = ("因为", "由于", "所以", "因此", "虽然")
JOINING: Final = _set("and but et mais и но а")
SENTENCE_ENDS: Final = frozenset(".!?;。！？；\n")
QUESTION_MARKS: Final = frozenset("?？")

#: By what a name that follows is the value: of each class of statement there is one value at a time.
#: The word itself says no more than the class does.
NAMING: Final = {
    stemmed(word): kind
    for kind, words in {
        "place": """live lives living lived reside resides based located situated headquartered moved relocated relocate
            held place stands stand sits
            habite habitons habitent vit vivent situe situee base basee siege demenage
            живет живу живем живут находится расположен расположена расположено переехал переехала""",
        "employer": "work works working employed joined travaille travaillent работает работаю работают",
        "called": """called named name names nicknamed renamed appelle appellent nomme nommee nom prenom
            зовут называется имя""",
        "origin": "born comes hails ne nee vient родился родилась родом",
        "spouse": "married engaged marie mariee epoux женат замужем",
        "choice": """chose chosen choose picked selected decided switched migrated choisi decide opte выбрали решили
            перешли""",
        "host": "deployed hosted hosts deploye heberge hebergee развернут развернута размещен размещена",
    }.items()
    for word in _set(words)
}
#: Verbs whose subject is one person at a time.
LEADING: Final = _set("leads heads chairs manages dirige preside возглавляет руководит")
#: Said between the verb and the name.
PREPOSITIONS: Final = _set(
    "in at on to for by from of as the a an dans a au aux en de du la le les sur pour par chez в во на из с у к за для"
)
#: Before a time from which on something is so.
SINCE: Final = _set("since from as starting beginning after depuis des partir с начиная после")
HAN_SINCE: Final = frozenset("从自起")
COPULAS: Final = _set("is est является") | {"это"}
HAN_NAMING: Final = (
    ("住在", "place"), ("位于", "place"), ("搬到", "place"), ("搬去", "place"), ("设在", "place"),
    ("名叫", "called"), ("叫做", "called"), ("名字是", "called"), ("名字叫", "called"), ("叫", "called"),
    ("来自", "origin"), ("出生在", "origin"), ("出生于", "origin"), ("就职于", "employer"), ("任职于", "employer"),
    ("部署在", "host"), ("托管在", "host"),
)  # fmt: skip
