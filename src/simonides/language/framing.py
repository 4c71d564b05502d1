"""Sentences of a turn about the words around them: that they are somebody else's, work to do, or not meant.

A label, a speaker's name or an introduction makes what follows somebody else's, unless it introduces oneself; a wish
to work on a text makes the rest of the turn that text; what is taken back was not said. Structure comes first, word
lists second. English, and the commonest forms in French, German, Spanish, Italian, Russian and Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from simonides.domain.pattern import later
from simonides.domain.text import CJK
from simonides.language.common_words import COMMON
from simonides.language.narration import narrates
from simonides.language.tokens import Shape, Token, tokens
from simonides.language.words import VERBS, is_past_form

#: Of a sentence that is looked through: what frames a text says so at its beginning or its end.
_HEAD: Final = 240
#: Characters of an opener ("Sorry, I meant …"), in which nothing has been said yet.
_OPENING: Final = 8

_TEXTS: Final = (
    r"(?:notes?|letters?|e-?mails?|mails?|messages?|texts?|posts?|tweets?|comments?|reviews?|replies|reply|answers?"
    r"|statements?|profiles?|bios?|biograph(?:y|ies)|transcripts?|transcription|scripts?|dialogues?|sheets?|drafts?"
    r"|sentences?|paragraphs?|passages?|quotes?|quotations?|excerpts?|extracts?|snippets?|inputs?|outputs?|samples?"
    r"|examples?|dictation|diary|diaries|journal|essays?|articles?|stor(?:y|ies)|poems?|lyrics|song|chapters?"
    r"|captions?"
    r"|testimony|testimonials?|record(?:ing)?s?|logs?|files?|documents?|words|chat|conversation|thread|exchange"
    r"|interview|speech|voicemail|cover letter|résumé|cv|character sheet|placeholder|fiction|role-?play|quiz|riddle"
    r"|courriel|courrier|lettre|texte|mot|témoignage|citation|brouillon|phrase|profil"
    r"|nachricht|brief|notiz|zettel|zitat|entwurf|satz|beitrag|aussage"
    r"|correo|mensaje|carta|nota|texto|cita|borrador|frase|perfil|messaggio|lettera|testo|citazione|bozza"
    r"|письмо|записк\w+|сообщени\w+|текст\w*|пост|отзыв\w*|цитат\w+|отрыв\w+|черновик\w*|стать\w+|заметк\w+"
    r"|профил\w+)"
)
_HAN_TEXTS: Final = (
    "(?:日志|文章|邮件|短信|消息|信息|段落|文字|文本|"
    "原文|聊天记录|对话|评论|引文|便条|笔记|资料|简介|台词|信)"
)
_SAID: Final = (
    r"(?:said|says|saying|say|wrote|writes|written|told|tells|asked|asks|answered|answers|replied|replies|texted"
    r"|mailed"
    r"|messaged|posted|tweeted|stated|states|claimed|claims|explained|explains|announced|goes|went|sent|left|shared"
    r"|dit|écrit|a dit|a écrit|répond|répondu|envoyé|laissé|sagt|sagte|schrieb|schreibt|geschrieben|geschickt|meinte"
    r"|dijo|dice|escribió|envió|mandó|disse|scrisse|scritto|detto|mandato"
    r"|сказала?|говорит|написала?|пишет|ответила?|прислала?|оставила?)"
)
_I: Final = r"(?:i|we|i['’]\w{1,2}|we['’]\w{1,2}|ich|wir|je|j['’]\w*|nous|yo|io|я|мы)"
_OTHERS: Final = (
    r"(?:he|she|they|his|her|their|him|them|your|you|il|elle|ils|elles|son|sa|er|sie|ihr\w*|sein\w*|él|ella|su"
    r"|lui|lei"
    r"|он|она|они|его|её|их|他|她)"
)

# Labels

_LABEL: Final = re.compile(r"^(?P<label>[^\n：]{0,120}?)(?::(?=\s|$|[*_\"“'‘«„(])|：)")
_DASH_LABEL: Final = later(
    r"^(?P<label>(?!\d)[\w@#][\w.'’@#]{0,30}(?: [\w.'’@#]{1,30}){0,3}) {0,3}(?:[–—→»|]|->|=>|>{1,3}"
    r"|(?<= )-{1,2}) {0,3}(?=\S)"
)
_BULLET: Final = re.compile(r"^[*•·][ \t]{1,3}|^-[ \t]{1,3}(?=[^\W\d_][\w.' ]{0,30} [–—-] )")
_BARE_DASHES: Final = re.compile(r"^(?:--+|[–—]|\((?P<label>[\w.' ]{1,30})\)) ?(?=\S)")
_TRIM: Final = re.compile(r"^[\s*_#•>()\[\].,\d-]{0,20}|[\s*_()\[\]]{1,10}$")
_OPENERS: Final = (
    r"(?:(?:hi|hey|hello|yes|yeah|yep|no|nope|ok|okay|well|so|and|but|oh|ah|sure|right|sorry|thanks|thank you"
    r"|also|btw|fyi"
    r"|by the way|please|honestly|actually|basically|anyway|besides|again|now|first|firstly|second|secondly|third"
    r"|last"
    r"|lastly|finally|just|quick|another|one|two|three|a|an|the|there|all|everyone|folks|team|more|some|important"
    r"|good|bad|great|big|little|small|fun"
    r"|for the record|for context|for your information|in short|in fact|in general|in brief|to be clear|to sum up"
    r"|oui|non|bon|alors|merci|salut|bonjour|donc|et|mais|au fait|bref|en fait|ja|nein|hallo|danke|also|übrigens|und"
    r"|hola|sí|gracias|y|pero|ciao|sì|grazie|да|нет|привет|спасибо|кстати|и|но|а|итак|ну)[\s,!.]{0,3})"
)
_OPENED: Final = later(rf"{_OPENERS}{{1,4}}", re.IGNORECASE)
_OWN_LABEL: Final = later(
    rf"^{_OPENERS}{{0,4}}(?:"
    r"(?:ps|p\.s\.?|pps|nb|fyi|btw|tl;?dr|notes?(?: to self| to you)?|correction|corrected|update[ds]?|edit|remember"
    r"|remember (?:this|that)|reminder|memo|todo|to do|rules?|context|background|preferences?|facts?|decision|decided"
    r"|conclusion|plans?|goals?|questions?|things?|details?|points?|news|warning|disclaimer|caveat|confession"
    r"|request|wish"
    r"|favou?r|name|age|job|city|address|diet|languages?|allerg\w+|hobb\w+|birthday|problem|issue|situation|hint"
    r"|tip|info"
    r"|information|intro|introduction|status|task|summary|constraint|requirement|deadline|budget|topic|subject matter"
    r"|preferred \w+|favou?rite \w+|agreed|settled|result|outcome|bottom line|as (?:i|we) (?:said|mentioned)"
    r"|keep in mind"
    r"|bear in mind|don['’]t forget|mind you|the thing is|the point is|the problem is|truth is|case in point"
    r"|note bien|rappel|important|à retenir|retiens|souviens-toi|à noter|remarque|précision|contexte|décision"
    r"|merke?|merk dir|(?:die |unsere )?entscheidung(?: ist gefallen| steht(?: fest)?)?|entschieden|beschlossen"
    r"|notiz|hinweis|wichtig|erinnerung|zur info|nachtrag|korrektur|recuerda|importante|aviso|corrección|ricorda"
    r"|correzione|запомни\w*|важно|поправка|напоминание|заметка|правило|учти|имей в виду|решение|план"
    r"|(?:请)?(?:记住|注意)|更正|提醒|补充|重要|备注|顺便(?:说)?|决定|计划|背景)"
    r"|(?:my|our|mon|ma|mes|notre|nos|mein\w{0,2}|unser\w{0,2}|mi|mis|mio|mia|мой|моя|моё|мое|мои|наш\w{0,2}|我的"
    r"|我们的)[ ]?"
    r"(?:(?:own|new|current|full|first|last|home|work|e-?mail|phone|main|only|personal|shipping|favou?rite|preferred"
    r"|native|weekly|daily|food|dietary)[ ]){0,3}"
    r"(?:name|address(?:es)?|age|job|role|city|home ?town|town|country|e-?mail|phone|number|birthday|birth ?date|diet"
    r"|allerg\w+|intoleranc\w+|hobb\w+|goals?|plans?|rules?|preferences?|choice|decision|budget|schedule|routine"
    r"|situation|background|setup|stack|needs?|wish(?:es)?|priorit\w+|requirements?|constraints?|opinion|view"
    r"|position"
    r"|problem|issue|question|colou?r|food|drink|language|size|height|weight|pronouns?|timezone|time zone"
    r"|deadline|order"
    r"|nom|prénom|adresse|âge|ville|métier|régime|préférences?|règles?|anniversaire|décision|langue"
    r"|wohnort|beruf|alter|geburtstag|vorlieben?|regeln?|sprache|nombre|dirección|edad|ciudad|trabajo|nome|indirizzo"
    r"|имя|адрес|возраст|город|работа|день рождения|предпочтени\w|правил[оа]|язык"
    r"|名字|地址|年龄|工作|城市|生日|偏好|习惯|计划|决定|语言|爱好|规则)"
    r"|(?:[\w' -]{1,40} )?(?:about|for) (?:me|myself|us)(?: (?:and|that|to)\b[\w' ]{0,40})?"
    r"|(?:à propos de|sur) moi|über mich|sobre mí|su di me|обо мне|о себе|关于我(?:自己)?|自我介绍|我是这样的"
    rf"|{_I} (?!.{{0,60}}\b(?:read|got|received|found|heard|saw|copied|copy|quote|quoting|forward\w*|paste\w*"
    rf"|was told|was"
    rf" sent|lis|lu|reçu|trouvé|cite|las|bekam|erhielt|прочитала?|получила?|наш[её]л|нашла|цитирую|{_TEXTS}"
    rf"|{_OTHERS})\b).{{0,80}}"
    r"|我(?!.{0,20}(?:收到|读到|看到|听到|引用|转发|复制)).{0,30}"
    r")$",
    re.IGNORECASE,
)
_FIRST_PERSON: Final = later(
    r"\b(?:i|i['’]\w+|my|me|mine|we|our|us|я|мне|меня|мой|моя|мо[её]|мы|наш\w{0,2}|je|j['’]\w*|mon|ma|moi|nous"
    r"|ich|mein\w*"
    r"|mir|wir|yo|mi|me|io|mio|mia)\b|我",
    re.IGNORECASE,
)

# Headings

#: Name a text, or a piece of one, where they stand in a heading.
_HEADING_TEXTS: Final = (
    rf"(?:{_TEXTS}|subtitles?|guest ?book|voice ?(?:messages?|notes?|mails?)|screenplay|monologues?|verses?|headlines?"
    r"|sous-titres?|vocal|chapitres?|extraits?|récits?|réponses?|dialogues?|exemples?|scènes?|roman|journal intime"
    r"|голосов\w+|субтитр\w*|глав[аы]|сцен[аы]|дневник\w*|ответ\w*|пример\w*|реплик\w+|монолог\w*|предложени\w+"
    r"|расшифровк\w+)"
)
_HAN_HEADING_TEXTS: Final = rf"(?:{_HAN_TEXTS}|语音|留言|日记|字幕|证言|例句|回答|故事|小说|剧本|原话)"
_HEADING_TEXT: Final = later(rf"\b{_HEADING_TEXTS}\b|{_HAN_HEADING_TEXTS}$", re.IGNORECASE)
#: A piece of a text by its number.
_NUMBERED: Final = later(
    r"\b(?:chapter|scene|act|page|line|verse|part|section|episode|track|slide|exhibit|recipe|figure|table|example"
    r"|exercise|lesson|entry|sample|testimonial|review|letter|card|chapitre|scène|acte|ligne|exercice|leçon|recette"
    r"|глава|сцена|страница|стр|строка|часть|урок|упражнение|рецепт)\.? {0,2}(?:no\.?|nr\.?|number|n°|№|#)? {0,2}"
    r"(?:\d{1,4}|[ivx]{1,6})\b|第[0-9一二三四五六七八九十百]{1,4}[章节页回幕课段行集]",
    re.IGNORECASE,
)
#: Whose a text is: "of Anne", "от Паши".
_OF_SOMEBODY: Final = re.compile(
    r"(?<=\w )(?:(?:of|from|by|de|von|от)(?: my| the| a)? |d['’])[A-ZÀ-ÞА-ЯЁ][\w'’]+"
)
#: Begin what people say of themselves without a verb: "back from Graz", "no coffee for me", "my order".
_NO_HEADING: Final = later(
    rf"^(?:(?!(?:an?|the|one|another|some|first|second|third|last) ){_OPENERS}(?!\w)|(?:back|home|straight"
    r"|fresh|greetings|regards|love|off|out|away|not|never|none|half|most|my|our"
    r"|mine|about|as|mon|ma|mes|notre|nos|retour|pas|мой|моя|моё|мои|наш\w{0,2}|не|важно)(?!\w))",
    re.IGNORECASE,
)
#: Introduces what whoever speaks has to say.
_OWN_NOTE: Final = later(
    r"^(?:(?:a|one|another|just a|some) )?(?:quick|short|small|side|final|last|little|general|personal|brief|petite?"
    r"|маленькая|короткая) (?:note|notes|message|comment|answer|reply|text|mot|remarque|réponse|заметка|ответ)\W*$",
    re.IGNORECASE,
)
#: Begins what is said of a text of the listener's, or to thank for one.
_REACTS: Final = later(
    r"^(?:(?:what (?:an?|the) )?(?:great|good|nice|lovely|interesting|funny|cool|wonderful|fantastic|excellent|perfect"
    r"|bad|terrible|awesome|beautiful|thanks|thank you|about|re|regarding|merci|belle|bon|bonne|super|спасибо|хорош\w+"
    r"|отличн\w+)(?!\w)|谢谢|感谢|多谢|好)(?!.*\b(?:from|by|of)\b)",
    re.IGNORECASE,
)
#: Words with which a sentence has a verb, so that it is no heading.
_SPEAKING: Final = later(
    rf"(?<!\w){_I}(?!\w)|[我你您]|\b(?:you|your|me|tu|vous|ты|вы|мне|меня)\b", re.IGNORECASE
)
_HEADING_CHARS: Final = 70
_HEADING_WORDS: Final = 8

# Lines

#: A line that holds a name and, at most, a time.
_NAME_LINE: Final = re.compile(
    r"^[ \t]{0,4}(?:#{1,6} ?|[*_]{1,3}|@)?(?P<name>[^\W\d_][^\n.!?。！？:：,，;]{0,40}?)[*_]{0,3}"
    r"[ \t,–—(-]{0,4}(?:\[?\d{1,2}[:.h]\d\d(?:[:.]\d\d)? ?(?:[ap]m)?[\])]?)?[ \t]{0,4}$",
    re.IGNORECASE,
)
_TIMED: Final = re.compile(r"\d{1,2}[:.h]\d\d")
_RECORD: Final = later(rf"(?<=[^\W\d{CJK}])[,;](?=[^\W\d_])|\S\t+\S|[^\n|]\|[^\n|]")
_SENT_FROM: Final = later(
    r"^(?:sent from|get outlook for|envoyé d(?:e|epuis) |gesendet von|von meinem .{0,30} gesendet|enviado desde"
    r"|inviato da"
    r"|отправлено с|发自)",
    re.IGNORECASE,
)
#: A name behind what was said: "— Bob", "- Bob, 2024", "(Bob)".
_SIGNED: Final = re.compile(r"^(?:[–—~]|--?)[ \t]{0,3}(?P<name>[^\W\d_][^\n]{0,40})$")

# Sentences

_MADE_OF: Final = (
    r"(?:this|these|that|it|the (?:following|above|below)|above|below|text|grammar|spelling|typos|punctuation|wording"
    rf"|style|tone|english|french|german|spanish|russian|chinese|{_TEXTS}|\w+['’]s)"
)
_POLITE: Final = (
    r"(?:[<^→-]{1,3}|please|pls|kindly|now|then|and|so|ok|okay|hey|hi|thanks|can you|could you|would you|will you"
    r"|can u"
    r"|you should|help me(?: to)?|i (?:need|want|would like) you to|i['’]d like you to|let['’]?s|just|quickly"
    r"|briefly|also"
    r"|bitte|kannst du|könntest du|kannst|könnten sie|s'il (?:te|vous) pla[iî]t|peux-tu|pouvez-vous|tu peux|merci de"
    r"|por favor|puedes|podrías|puoi|per favore|пожалуйста|можешь|можете|ну)[\s,:]{1,3}"
)
_WORK: Final = (
    r"(?:translat\w+|proof-?read\w*|summari[sz]e|sum up|re-?write|re-?phrase|re-?word|paraphrase|polish|shorten"
    r"|condense"
    r"|tradu[iy]\w+|corrig\w+|résum\w+|répond\w*|reformul\w+|réécri\w*|relis\w*|raccourci\w*"
    r"|übersetz\w*|korrigier\w*|fasse?\b.{0,40}\bzusammen|formulier\w*|kürze?\w*"
    r"|traduc\w+|traduz\w+|traducim\w*|corrige|resum\w+|riassum\w+|correggi"
    r"|перев(?:еди|едите|ести)\w*|исправ\w+|сократ\w+|переска\w+|отредактир\w+|перепиш\w+|перефразир\w+|резюмир\w+)"
)
_WORK_ON_TEXT: Final = (
    r"(?:check|correct|fix|edit|improve|review|analy[sz]e|interpret|classify|rate|grade|comment on|reply|respond"
    r"|answer|explain|decode|reformat|format|simplify|adapt|adjust|tweak|spell-?check|critique|evaluate|extract|parse"
    r"|vérifie\w*|améliore\w*|prüfe?\w*|überprüfe?\w*|verbesser\w*|revisa\w*|mejora\w*|controlla\w*|migliora\w*"
    r"|провер\w+|улучши\w*|ответь\w*)"
)
_TASK: Final = later(
    rf"^(?:{_POLITE}){{0,5}}(?:"
    rf"(?:das |dies\w* |den text |ça |esto |это )?{_WORK}(?:\W*$|(?:\W|\W.{{0,80}}\W)(?:{_MADE_OF}|for me|please"
    rf"|into|to \w+|ça|ceci|cela|ce\w*|das|dies\w*|es|ins"
    r"|auf|esto|eso|al|questo|это\w*|на|его)(?:\W|$)|\W{1,3}(?:bitte|svp|please)\W*$)"
    rf"|{_WORK_ON_TEXT}\b.{{0,80}}\b{_MADE_OF}\b(?!.{{0,40}}\b(?:always|every time|from now on)\b)"
    r"|(?:make|write|turn|put) (?:it|this|that|them) (?:a bit |much |more |less |sound |into |in )?\w+"
    r"|(?:draft|write|compose|prepare|suggest) (?:me )?(?:an? |the )?(?:\w+ )?(?:reply|response|answer)\b"
    r")|^(?:bitte )?(?:das |dies\w* |den text )?(?:übersetzen|korrigieren|zusammenfassen|prüfen)(?: bitte)?\W*$"
    r"|\btl;?dr\b|^(?:any )?(?:thoughts|feedback|comments)\s?\?|^(?:your|any) (?:thoughts|opinion|feedback)\b"
    r"|\bis (?:this|that|it|the above|my \w+) (?:\w+ )?(?:correct|right|ok|okay|grammatical\w*|natural|good|fine"
    r"|true|fluent"
    r"|spelled|clear|polite|too \w+)\b.{0,30}\?"
    rf"|\bwhat (?:do|would|did) you (?:think|make|say) (?:of|about|to) .{{0,40}}\b{_MADE_OF}\b"
    r"|\bhow (?:does|do|would) (?:this|that|it|these) (?:sound|read|look)"
    r"|\bhow (?:can|could|do|should|would) (?:i|we|you) (?:make|improve|phrase|word|put|shorten|fix|say) (?:this"
    r"|it|that)\b"
    r"|\b(?:what|how) (?:shall|should|do|can|would) (?:i|we) (?:answer|reply|respond|say|write)(?: back| to \w+)?\W*$"
    rf"|\bwhat (?:does|did|do) .{{0,40}}\b(?:mean|say|want)(?: (?:here|by .{{0,20}}))?\W*$"
    r"|\bque (?:penses-tu|pensez-vous) de\b|\bqu'en penses-tu|\bwas hältst du (?:davon|von)|\bwas meinst du dazu"
    r"|\bqué (?:piensas|opinas) de|\bcosa ne pensi|\bчто (?:ты )?(?:думаешь|думаете|скажешь)|\bчто (?:мне )?ответить"
    r"|^\s?(?:请|帮我|麻烦|你能|能)?.{0,12}(?:翻译|润色|改写|总结|概括|缩写|校对|修改|摘要|归纳|改短|改一下|检查一下|回复一下)"
    r"|(?:怎么看|怎么回复?|什么意思)",
    re.IGNORECASE,
)
_COMPOSE: Final = later(
    rf"^(?:{_POLITE}){{0,5}}(?:write|draft|compose|create|generate|prepare|finish|complete|continue|start"
    rf"|begin)\b.{{0,40}}"
    rf"\b{_TEXTS}\b|^(?:{_POLITE}){{0,5}}(?:écri\w+|rédige\w*|schreibe?\w*|verfasse\w*|escrib\w+|scriv\w+|напиши\w*"
    rf"|сочини\w*|составь\w*)\b.{{0,40}}\b{_TEXTS}\b|^(?:请|帮我).{{0,8}}写.{{0,12}}{_HAN_TEXTS}"
    r"|\b(?:pretend|role-?play|act as|play the part|opposite day|let['’]?s play)\b|\b(?:next"
    r"|following) (?:sentence|line"
    r"|statement|part|paragraph)\b",
    re.IGNORECASE,
)
#: Makes what follows somebody else's text.
_INTRODUCES: Final = later(
    rf"\b(?:here(?:['’]s| is| are| comes?| goes)|this is|that is|see|attached|below|reading|pasting|copying"
    rf"|quoting|forwarding"
    rf"|dictating|sharing|from)\b.{{0,60}}\b{_TEXTS}\b"
    rf"|\b(?:got|received|found|left|sent|gave|wrote|forwarded|posted|showed|shared|has|had)\b.{{0,40}}"
    rf"\b(?:an?|this|these|the|his|her|their|some|\w+['’]s) (?:\w+ ){{0,2}}{_TEXTS}\b"
    r"|\b(?:is|are|was|were) (?:this|these|below|as follows|the following)\W*$|\b(?:below|follows?|begins?"
    r"|starts?)\W*$"
    rf"|^(?!(?:thanks|thank you|merci|danke|gracias|{_I})\b).{{1,160}}\b(?:this|these|the following|ceci|dies"
    rf"|das hier|esto"
    r"|questo|так|это|вот что)[\s.:!…]*$"
    rf"|\b(?:voici|voilà|ceci est|c'est|hier ist|das ist|aquí está|este es|ecco|вот|это)\b.{{0,50}}\b{_TEXTS}\b"
    rf"|(?:这是|以下是|下面是|收到|转发).{{0,20}}{_HAN_TEXTS}"
    rf"|^(?:вот|voilà|voici|das ist|esto es|ecco)[ ,]{{0,2}}(?:что|ce que?|ce qu['’]|was|lo que|cosa"
    rf"|quello che)\b.{{0,60}}$"
    rf"|\bin (?:his|her|their|your|\w+['’]s) (?:own )?words\b"
    r"|^(?:(?:i|we|just|so|and|ok|hey)[ ,]{1,2}){0,3}(?:got|received|found|read|saw|heard|overheard|copied|pasted"
    r"|screenshotted|spotted) (?:this|that|it|these) (?:on|in|from|at|via|by|over|through|just|today|yesterday|this"
    r"|last)\b|^overheard\b|^(?:reçu|trouvé|lu|vu|entendu) (?:ça|ceci|sur|dans)\b"
    r"|^(?:нашла?|прочитала?|услышала?|получила?|увидела?) (?:это|такое|в|на|у)\b"
    r"|^(?:网上|群里|微信)(?:看到|收到|读到)",
    re.IGNORECASE,
)
_FRAGMENT: Final = later(
    rf"^(?:[^\W_][\w'’]{{0,30}} ){{0,5}}{_TEXTS}\W*$|^.{{0,12}}{_HAN_HEADING_TEXTS}[。.]?$", re.IGNORECASE
)
_STATES: Final = later(
    rf"\b(?:{_I}|you|never|always|please|don['’]t|do not|no|want|prefer|use|send|keep|write|like|hate|love"
    rf"|need)\b|[我请别不]",
    re.IGNORECASE,
)
#: Somebody else is said to speak, and nothing is told of what they say.
_REPORTS: Final = later(
    rf"^(?!{_OPENERS}{{0,3}}{_I}\b).{{1,80}}\b{_SAID}(?: (?:to|me|us|him|her|them|you|this|that|it|the following"
    rf"|so|a note|a"
    r" message|yesterday|today|tonight|just now|now|earlier|again|back|last \w+|this \w+|on \w+|ceci|cela|ça|hier"
    r"|mir|uns"
    r"|das|dies|gestern|heute|me|esto|ayer|мне|нам|это|вчера|сегодня)){0,3}\W*$"
    r"|(?:说|写道|写|表示|回复|问道|称)[了过]?[。.]?$",
    re.IGNORECASE,
)
#: The sentence itself is what somebody else said.
_SPOKEN_BY: Final = later(
    rf"^(?!{_I}\b)(?:[\w'’]{{1,20}} ){{1,3}}(?:(?:was|is|be|were|are)(?: all)? like|goes|went)\s?[,:—-]"
    rf"|^{_SAID} (?!{_I}\b)[^\W\d_][\w'’]{{0,20}}\s?[,:]",
    re.IGNORECASE,
)
#: The sentence itself is but an example, or irony.
_EXAMPLE: Final = later(
    r"^(?:(?:e\.g\.|i\.e\.|for (?:example|instance)|z\.\s?b\.|zum beispiel|par exemple|por ejemplo|ad esempio"
    r"|например"
    r"|yeah,? right|as if|sure,? sure)(?!\w)|(?:例如|比如)|[*_][^*_\n]{1,200}[*_](?!\w))",
    re.IGNORECASE,
)
#: Says of what stands before it that somebody else said it.
_SAID_BEFORE: Final = later(
    rf"\b(?:what|all|how|as) (?!{_I}\b)(?:[\w'’]{{1,20}} ){{1,3}}{_SAID}\b|\b(?:ce que?|ce qu['’]|was|lo que"
    rf"|quello che"
    rf"|(?:это|так|вот что)) ?(?!{_I}\b)(?:[\w'’]{{1,20}} ){{0,3}}{_SAID}\b|\b{_SAID} (?:nobody|no one|no-one|my)\b"
    r"|\b(?:his|her|their|\w+['’]s) (?:own )?words\b|(?:他|她|鲍勃|妈妈)(?:是这么|就是这样|这样|这么)说的?",
    re.IGNORECASE,
)

#: Says behind a comma who said it.
_SAID_BY: Final = later(
    rf"[,，] ?(?:{_SAID}|quote) (?!{_I}\b)[^\W\d_][\w'’ ]{{0,24}}[.!]?$"
    r"|[，,][^，,。我们]{1,8}(?:说|写道|表示|写|讲)(?:的|道|过)?[。！]?$",
    re.IGNORECASE,
)
_SIGNED_BY: Final = later(
    r"^(?:(?:signed|signé|unterschrieben|firmado|подпись)\b|签名|署名)[,:，：]? ?\w", re.IGNORECASE
)

# Taken back

_JOKE: Final = later(
    r"\b(?:(?:just|only|i['’]?m|i was|totally) )?(?:kidding|joking)\b|\bpsych(?:e)?\s?[!.]|^psyche?\W*$|\bj/?k\b"
    r"|\bsarcasm\b"
    r"|^(?:ha(?:ha)*,? )?(?:it['’]?s |that['’]?s |that was )?(?:a |all a )?(?:joke|lie|prank|fib)\W*$|\bapril fools?"
    r"|\b(?:i|that) (?:lied|made (?:it|that) up)\b|\bnot really\b|\bnone of (?:this|that) is true\b|\bmy (?:foot"
    r"|ass)\b"
    r"|\byeah,? right\b|\blol no\b|\bas if\s?[!.]|\bsaid (?:nobody|no one)\b|^c'est faux|^je (?:plaisante|rigole"
    r"|blague)"
    r"|^(?:nan|non),? je (?:plaisante|rigole)|\b(?:nur |war (?:nur )?)?(?:ein )?(?:scherz|witz)\W*$|\bstimmt nicht\b"
    r"|\byou wish\b|\bblague\b|\bgelogen\b|\bes broma\b|\bera broma\b|\bscherzo\b|\bшучу\b|\bшутка\b"
    r"|\bэто неправда\b|\bвру\b|开玩笑|骗你的|才怪|不是真的|逗你"
    r"|\bgotcha\b|\b(?:fooled|tricked|pranked) (?:you|ya)\b|\bhad you (?:there|fooled|going)\b"
    r"|\bmade you look\b"
    r"|\bpoisson d['’]avril\b|\bje t['’]ai (?:eu|eue)\b|\bс первым апреля\b|\bповерил[аи]?\b|愚人节|上当了",
    re.IGNORECASE,
)
_DENIES: Final = later(
    r"^(?:(?:no|nope|nah|not|not true|wrong|false|untrue|nein|falsch|non|faux|no es cierto|falso|нет|неправда"
    r"|неверно|不|不对"
    r"|不是|假的)[\s,.!…。！]{0,4}){1,4}$"
    r"|^(?:(?:well|oh|ah|uh|um|err?|hm+),? )?(?:no,? (?:wait|sorry|scratch|actually|i|it|that)\b|wait\b[,.!–—-]"
    r"|hold on\b|oops\b|scratch that|strike"
    r" that|forget (?:that|it|what i)|correction\b|i mean\b|i meant\b|or rather\b|rather,|actually,? (?:no|not"
    r"|scratch|it|i)\b|on second thoughts?|i"
    r" was wrong|i misspoke|that['’]?s (?:not (?:true|right|correct)|wrong|false|a lie|a joke|nonsense|a typo)"
    r"|that (?:is|was) (?:not (?:true|right|correct)|wrong|false|a lie|a joke|nonsense|a typo)"
    r"|en fait,? non|non,? (?:attends|pardon|en fait)|je voulais dire|pardon,|nein,? (?:warte|moment|doch)"
    r"|moment,|ich meine"
    r"|quatsch|no,? (?:espera|perdón|aspetta)|quiero decir|digo,|нет,? (?:подожди|стоп|погоди|точнее|вернее)|ой,"
    r"|(?:ой,? |ах,? |да |хотя,? |ну,? )?нет,? (?!спасибо|проблем)\w|(?:хотя|а) нет\b|то есть\b|точнее\b"
    r"|(?:(?:oh|ah|uh|um|err?|hm+|well|wait|euh|heu|enfin|ach|äh)[,.… ]{1,3}){0,3}(?:no|non|nein)"
    r"(?:,(?! ?(?:thanks|thank|merci|danke|worries|problem))| (?:pas|le|la|plutôt|das|der|die|lieber)\b)"
    r"|(?:euh|heu|enfin),? (?:non|plutôt)\b|ou plutôt\b"
    r"|(?:or|well|at least|or at least|anyway)?,? ?(?:so|that['’]s what) (?!i\b|we\b)[\w'’ ]{1,30}"
    r" (?:says?|said|thinks?|claims?|claimed|tells?|told|believes?)\b"
    r"|so (?:says?|said|thinks?|claims?|claimed) (?!i\b|we\b)"
    r"|(?:哦|啊|噢|呃|嗯)[,，]?(?:不|错了)"
    r"|вернее\b|стоп\b|не,|不对|不,|不，|等等|等一下|说错了|我说错|应该是|更正)",
    re.IGNORECASE,
)
#: Has no subject, so that it speaks of the sentence before it.
_ABOUT_BEFORE: Final = later(
    r"^(?:is|was|isn['’]t|wasn['’]t|are|were|would be|sounds?|seems)\b(?!.{0,200}\?\W*$)", re.IGNORECASE
)
_INSIDE: Final = later(
    r"[,;.–—(-] {0,2}(?:oh,? |well,? )?(?:no,? wait|no,? sorry|wait,? no|i mean|i meant|scratch that|strike that"
    r"|not really"
    r"|just kidding|not!|lol no|or rather|correction|j/?k\b|psyche?\b|my (?:foot|ass)\b|as if\b|нет,? (?:стоп"
    r"|точнее|вернее)|точнее|вернее|non,? pardon"
    r"|(?:quote|unquote)\b|enfin,? non|je veux dire|nein,? (?:warte|moment)|ich meine|quiero decir|不对|不，|才怪)",
    re.IGNORECASE,
)

#: Says of the whole turn that none of it is meant.
_FOOLS: Final = later(
    r"\bapril,? fools?\b|\baprilscherz\b|\bapril,? april\b|\bpoisson d['’]avril\b|\bс первым апреля\b|愚人节",
    re.IGNORECASE,
)
#: Begins a sentence that its speaker does not claim, or ends one.
_UNCLAIMED: Final = later(
    r"^(?:(?:i lied|i am lying|i['’]m lying|ich (?:lüge|habe gelogen)|j['’]ai menti|je mens|я (?:совра|лг|вр)\w+"
    r"|我撒谎了?|我骗你)\s?[,:—–：，-]"
    r"|(?:(?:greetings|love|regards) )?from \w{1,20} with (?:all )?(?:my )?(?:love|regards|kisses|greetings"
    r"|best wishes)\b"
    r"|(?:de|von|от) \w{1,20},? (?:avec amour|mit liebe|с любовью)\b)|(?:^|\s)/s\W*$",
    re.IGNORECASE,
)
#: Doubts the sentence before it, or mocks it: "Or do I?"
_DOUBTS: Final = later(
    r"^(?:or|oder|ou|или|还是|o)\b.{0,16}[?？]$|^还是.{0,6}[?？]$|^/s\W*$",
    re.IGNORECASE,
)
#: Asks of what stands before it which wording is better, or says that it is but a text.
_WORDING: Final = later(
    r"\bwhich (?:one |of (?:them|these|the two) |sentence |version |phrase )?(?:is|sounds?|reads?|would be) "
    r"(?:the )?(?:better|best|more|most|right|correct)\b(?: (?:english|german|french|russian|style|grammar\w*|wording"
    r"|natural|idiomatic|polite|formal|sentence|version|one))?\W*[?？]$"
    r"|\bis (?:that|this|it) (?:good|correct|proper) (?:english|german|french|russian|grammar)\W*[?？]$"
    r"|\bwas (?:klingt|ist) (?:besser|richtig)\w*(?: \w+)?[?]$|\bqu['’]est-ce qui sonne le mieux\b"
    r"|\bкак (?:лучше|правильно)\b.{0,20}[?]$"
    r"|(?:哪个|哪句)(?:更|比较|是)?(?:好|对|自然|正确|地道).{0,4}[?？]$"
    r"|^(?:that|this|it|these|those|the above)(?:['’]s| (?:was|is|were|are)) (?:(?:all|just|only|merely|but|from|my|our"
    r"|the|a|an|some|\w+['’]s|old|last) ){0,4}(?:test|sample|example|dummy|placeholder|filler|exercise"
    r"|homework|lyrics?)\b"
    r"|^(?:das|dies) (?:war|ist) (?:nur )?(?:ein |der |mein )?(?:test|beispiel|übung)\w*"
    r"|^c['’](?:était|est) (?:juste )?"
    r"(?:un |le )?(?:texte? de )?(?:test|exemple|exercice)\b|^это (?:был\w* )?(?:просто )?(?:тест|пример|упражнение)\w*"
    r"|^(?:这|那)(?:只)?是.{0,4}(?:测试|例句|例子|练习)",
    re.IGNORECASE,
)


def own_part(text: str, ends: Sequence[int]) -> str:
    """A turn without the sentences that its other sentences say are not the speaker's own word.

    Args:
        ends: Where its sentences end, in order.
    """
    places = [0, *ends]
    if places[-1] < len(text):
        places.append(len(text))
    parts = [text[start:end] for start, end in pairwise(places)]
    sentences = [part.strip() for part in parts]
    kept = _outside_tales(sentences, _kept(sentences, parts))
    return "".join(part if place in kept else "\n" for place, part in enumerate(parts))


def _kept(sentences: Sequence[str], parts: Sequence[str]) -> set[int]:
    """Places of the sentences that stand as the speaker's own."""
    tasks = {place for place, said in enumerate(sentences) if said and _TASK.search(said[:_HEAD])}
    if tasks:
        return {place for place in tasks if not _LABEL.match(sentences[place][:_HEAD])}
    first, dropped = 0, set[int]()
    begins_line = True
    last = max((place for place, said in enumerate(sentences) if said), default=-1)
    for place, said in enumerate(sentences):
        starts, begins_line = begins_line, parts[place].endswith("\n")
        if not said:
            continue
        head, tail = said[:_HEAD], said[-_HEAD:]
        before = place > first
        if _FOOLS.search(said) or (_WORDING.search(tail) and before):
            return set()
        if _is_speakers(head):
            return set(range(first, place)) - dropped
        if _SENT_FROM.match(head):
            return set()
        if before and _is_signature(head, last=place == last):
            first = place + 1
        elif _SAID_BEFORE.search(tail) or (before and _JOKE.search(tail)):
            first = place + 1
            if _SAID_BEFORE.search(tail):
                return set()
        elif _JOKE.search(tail) and len(said) > 40:
            dropped.add(place)
        elif before and (_ABOUT_BEFORE.match(head) or _is_aside(head)):
            dropped |= {_before(sentences, place), place}
        elif _DENIES.match(head) or _DOUBTS.match(head):
            if before:
                dropped.add(_before(sentences, place))
        elif (
            _UNCLAIMED.search(said)
            or _INSIDE.search(said, _OPENING)
            or _RECORD.search(said)
            or _SAID_BY.search(tail)
        ):
            dropped.add(place)
        elif _SPOKEN_BY.match(head) or _EXAMPLE.match(head):
            return set(range(first, place)) - dropped
        elif _hands_over(head, said) or (starts and _names_a_speaker(said, parts[place], place < last)):
            return set(range(first, place + 1)) - dropped
    return set(range(first, len(sentences))) - dropped


def _outside_tales(sentences: Sequence[str], kept: set[int]) -> set[int]:
    """The places without what is said in the first person between sentences that tell of others."""
    told: list[int] = []
    tale = False
    for place in sorted(kept):
        said = sentences[place]
        if said and narrates(said):
            kept = kept - set(told) if tale else kept
            tale, told = True, []
        elif said and _FIRST_PERSON.search(said[:_HEAD]):
            told.append(place)
        elif said:
            tale, told = False, []
    return kept


def _before(sentences: Sequence[str], place: int) -> int:
    while place > 0 and not sentences[place - 1]:
        place -= 1
    return max(place - 1, 0)


def _is_speakers(head: str) -> bool:
    """True if a sentence begins with a label that introduces somebody else."""
    head = _BULLET.sub("", head)
    found = _LABEL.match(head)
    if found is not None:
        label = _TRIM.sub("", found["label"])
        return not _OWN_LABEL.search(label) and not _is_opener(label)
    found = _BARE_DASHES.match(head)
    if found is not None and (found["label"] or _FIRST_PERSON.search(head)) and len(head.split()) > 3:
        return True
    found = _DASH_LABEL.match(head)
    if found is None or _FIRST_PERSON.search(found["label"]) or _OWN_LABEL.search(found["label"]):
        return False
    return not _is_opener(found["label"]) and _FIRST_PERSON.search(head, found.end()) is not None


def _is_signature(head: str, *, last: bool) -> bool:
    found = _SIGNED.match(head)
    if _SIGNED_BY.match(head) or (last and _is_name(head)):
        return True
    if found is not None and len(found["name"].split()) <= 4 and not _FIRST_PERSON.search(head):
        return True
    return last and bool(_TIMED.search(head)) and _NAME_LINE.match(head) is not None


def _is_name(line: str) -> bool:
    """True if all of the last sentence is a name: of whoever said what stands above."""
    words = line.split()
    return len(words) <= 3 and all(
        word[:1].isupper() and word.isalpha() and word.casefold() not in COMMON for word in words
    )


def _is_aside(head: str) -> bool:
    """True if a sentence in brackets says whose the one before it is: "(Bob)", "(his words)", "(not really)"."""
    return (
        head[:1] in "(（" and len(head.split()) <= 6 and not re.search(rf"\b{_I}\b|我", head, re.IGNORECASE)
    )


def _hands_over(head: str, said: str) -> bool:
    if _COMPOSE.search(head) or _REPORTS.search(said[:_HEAD]):
        return True
    if _INTRODUCES.search(head):
        return True
    if _OWN_NOTE.match(head) or _REACTS.match(head):
        return False
    fragment = len(said) <= 60 and _FRAGMENT.match(head) is not None and not _STATES.search(head)
    return fragment or _is_heading(head)


def _is_heading(head: str) -> bool:
    """True if a short sentence without a verb names a text, a piece of one, or somebody whose words follow."""
    said = _TRIM.sub("", head.rstrip(" .…。"))
    if (
        len(said) > _HEADING_CHARS
        or head[-1:] in "!?！？"
        or _NO_HEADING.match(said)
        or _SPEAKING.search(said)
    ):
        return False
    if len(said.split()) > _HEADING_WORDS or any(_is_verb(word) for word in tokens(said)[1:]):
        return False
    named = _HEADING_TEXT.search(said) or _NUMBERED.search(head) or _OF_SOMEBODY.search(said)
    return named is not None and not _OWN_LABEL.search(said)


def _is_verb(word: Token) -> bool:
    if word.shape is not Shape.WORD or _HEADING_TEXT.fullmatch(word.text):
        return False
    return word.fold in VERBS or (not word.capital and is_past_form(word))


def _names_a_speaker(said: str, part: str, more: bool) -> bool:
    """True if a line is but a name, or a heading, with something behind it."""
    if not more or not part.endswith("\n"):
        return False
    found = _NAME_LINE.match(said)
    if found is None or len(name := found["name"].strip()) > 40:
        return False
    words = 1 + name.count(" ")
    if words > 4 or (re.search(f"[{CJK}]", name) and len(name) > 6) or _STATES.search(name):
        return False
    return not (_FIRST_PERSON.search(name) or _OWN_LABEL.search(name) or _is_opener(name))


def _is_opener(words: str) -> bool:
    return bool(words) and _OPENED.fullmatch(f"{words} ") is not None
