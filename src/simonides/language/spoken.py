"""Own words of a message's sender: without memories that were put in, quotations, code, logs and pasted texts.

The one place that tells a speaker's own words from words of others that they hand on. In doubt a word is somebody
else's: what is lost is asked for again, what is taken for the user's word is believed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from simonides.domain.item import Item
from simonides.domain.pattern import later
from simonides.domain.provenance import FROM_USER
from simonides.domain.text import CJK
from simonides.language.framing import own_part
from simonides.language.quantities import MONTHS_BEHIND_ORDINALS
from simonides.language.quoted import QUOTATION, plain, without_quotations
from simonides.language.tokens import folded

#: Characters of a turn that are looked through. What is longer is a document, whose beginning tells what is asked.
_MOST_CHARS: Final = 20_000

_FRAME: Final = re.compile(r"<<memory ([0-9a-f]+)>>.*?<</memory \1>>|<<memory [0-9a-f]+>>.*", re.DOTALL)
_BLOCK: Final = re.compile(r"\[MEMORY: [^\n]*.*?(?:\[/MEMORY\]|\Z)", re.DOTALL)
_PROPOSALS: Final = re.compile(r"<MEMORY_PROPOSALS_JSON>.*?(?:</MEMORY_PROPOSALS_JSON>|\Z)", re.DOTALL)
_CATALOG: Final = re.compile(r'\{\s*"memory_catalog"[^\n]*')
_HEADER: Final = re.compile(r"Reference material from long-term memory\.[^\n]*")
_SECTIONS: Final = re.compile(
    r"^## (?:Facts|Profiles|Timeline|Evidence)\n(?:[ \t]*-[^\n]*(?:\n|\Z))+", re.MULTILINE
)

#: The same, where somebody is shown what is left.
LEFT_OUT: Final = "[…]"

# Blocks that say themselves where they end

_FENCED: Final = re.compile(r"(?P<fence>```+|~~~+).*?(?:(?P=fence)|\Z)", re.DOTALL)
_TAG: Final = r"[a-z][\w-]{0,30}"
_CLOSING: Final = re.compile(rf"</(?P<tag>{_TAG})\s*+>", re.IGNORECASE)
#: A block as far as it goes, or the tag that one between tags begins with.
_MARKED: Final = re.compile(
    rf"<(?P<tag>{_TAG})(?:\s[^<>\n]{{0,200}})?>"
    r"|\[(?P<bracket>quote|code|cite)\b[^\]\n]{0,80}\].*?(?:\[/(?P=bracket)\]|\Z)"
    r'|(?P<triple>"""|\'\'\').*?(?:(?P=triple)|\Z)'
    r"|\b(?:begin|start) (?:of )?(?:the )?(?:quot(?:e|ation)|text|message|e-?mail)\b.*?"
    r"(?:\b(?:end (?:of )?(?:the )?(?:quot(?:e|ation)|text|message|e-?mail)|unquote)\b|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_RULER: Final = re.compile(
    r"^[ \t]*+(?:[-=_*~#—]{3,}+|[-=_*~#]{2,}+[^\n\w]{0,3}[\w ]{1,40}[^\n\w]{0,3}[-=_*~#]{2,}+)[ \t]*+$",
    re.MULTILINE,
)

# Words that hand on a text

_NOUNS: Final = (
    r"(?:logs?|errors?|output|e-?mails?|mails?|texts?|letters?|messages?|articles?|code|files?|paragraphs?"
    r"|documents?|traces?|"
    r"configs?|posts?|reviews?|excerpts?|transcripts?|abstracts?|drafts?|essays?|chapters?|quot(?:e|ation)s?"
    r"|tweets?|comments?|"
    r"passages?|conversations?|chats?|threads?|poems?|lyrics|notes? from \w+|stor(?:y|ies)|snippets?"
    r"|statements?|replies|reply|"
    r"лог|письм[оае]|текст\w*|код|ошибк\w+|сообщени\w+|стать\w+|отрыв\w+|цитат\w+|переписк\w+|заметк\w+|пост"
    r"|отзыв\w*|"
    r"texte|courriel|courrier|lettre|mél|citation|extrait|commentaire|discussion|nachricht|artikel|brief|zitat"
    r"|auszug|"
    r"correo|mensaje|carta|texto|artículo)"
)
_HAN_NOUNS: Final = (
    "(?:日志|文章|邮件|代码|报错|短信|消息|信息|段落|文字|文本|这段话|原文|聊天记录|对话|评论|引文|信)"
)
#: A line that announces a text which was pasted below it.
_ANNOUNCED: Final = later(
    rf"^[^\n]*(?:\b{_NOUNS}\b|{_HAN_NOUNS})[^\n:：]{{0,40}}[:：][ \t]*(?=\n|\Z)", re.MULTILINE | re.IGNORECASE
)
#: The same, with the text behind it on the line.
_SHOWN: Final = later(
    r"(?:\b(?:this|these|that|those|the|following|below|his|her|their|a|an|another|from \w+|\w+['’]s|[A-Z]\w+s"
    r"|got|received|forwarded|"
    r"эт\w+|вот|его|её|ее|их|от \w+|следующ\w+|ce|cet|cette|ces|voici|cet|le|la|un|une|son|sa|suivante?"
    r"|diese\w*|folgende\w*|hier ist|"
    rf"este|esta|el|siguiente)\s+(?:[\w'’-]+\s+){{0,3}}{_NOUNS}\b[^.!?\n:：]{{0,60}}"
    rf"|(?:这|那|以下|下面|他|她|的)[^。！？\n:：]{{0,10}}{_HAN_NOUNS}[^。！？\n:：]{{0,20}})[:：]",
    re.IGNORECASE,
)
#: Where an order begins, with what leads up to it.
_ORDERED: Final = (
    r"(?:\A|(?<=\n)|(?<=[.!?;,:，。！？；]\s)|(?<=[，。！？；]))"
    r"(?:(?:now|please|ok|okay|just|and|then|(?:can|could|would|will) you|bitte|jetzt|por favor|maintenant"
    r"|s['’]il (?:te|vous) plaît|пожалуйста|теперь|请|现在),? ?)*+"
)
#: Words to be written or said, as an order. Writing down is what a memory does.
_DICTATED: Final = (
    r"(?:write|type|say|repeat|print|output|recite|dictate|schreibe?|sage?|wiederhole?|écris|écrivez|répète|répétez"
    r"|dis|escribe|repite|di|напиши|повтори|скажи|写|说|念|重复)"
)
#: Asks for work on a text that stands behind a colon.
_WORKED_ON: Final = later(
    rf"{_ORDERED}{_DICTATED}\b(?![^.!?\n:：]{{0,20}}\b(?:down|auf)\b)[^.!?\n:：]{{0,40}}[:：]"
    r"|\b(?:sum(?:s|med|ming)? up|summari[sz]e|summary of|tl;?dr|translat\w+|proof-?read|rewrite|re-?phrase"
    r"|paraphrase|polish|shorten|"
    r"simplify|classify|grade|analy[sz]e|interpret|comment on|repl(?:y|ies) to|respond to|answer to|extract|parse|"
    r"what (?:do|would|should|does|did) (?:you|i|this|that|he|she|it) (?:think|make|mean|say|answer|reply)"
    r"|what(?:'s| is) (?:this|meant)|"
    r"how (?:do|should|would) (?:i|you) (?:answer|reply|respond)|is this|forward(?:ed|ing)?|fwd|pasted?|cop(?:y"
    r"|ied)|quot(?:e|ing|ed)|"
    r"перевед\w+|перевести|перепиш\w+|исправ\w+|сократ\w+|переска\w+|отредактир\w+|провер\w+|резюмир\w+"
    r"|подведи\w*|суммир\w+|обобщи\w*|"
    r"изложи\w*|ответь\w*|что (?:ты )?думаешь|прокомментир\w+|проанализир\w+|процитир\w+|цитирую|пересылаю"
    r"|переслан\w+|"
    r"résum\w+|tradui\w+|corrig\w+|relis\w*|reformul\w+|répond\w*|que penses-tu|explique\w*|analyse\w*"
    r"|transfér\w+|je cite|"
    r"fass\w*|zusammenfass\w*|übersetz\w*|korrigier\w*|antworte\w*|was hältst du|weitergeleitet|resum\w+"
    r"|traduc\w+|corrig\w+|responde\w*|"
    r"reenviad\w+)\b[^.!?\n:：]{0,120}[:：](?=\s|[\"“«„'‘「『]|$)"
    r"|(?:翻译|润色|改写|总结|概括|缩写|校对|修改|摘要|归纳|解释|分析|回复|转发|引用"
    r"|怎么看)[^。！？\n:：]{0,40}[:：]",
    re.IGNORECASE,
)
#: Somebody else speaks behind the colon.
_SAYS: Final = later(
    r"(?:\b(?:said|says|wrote|writes|goes|reads|stat(?:es|ed)|told \w+|tells \w+|asked|asks|answer(?:s|ed)|"
    r"repli(?:es|ed)|posted|tweeted|texted|mailed|messaged|claim(?:s|ed)|according to [^:\n]{1,40}|schrieb"
    r"|schreibt|sagte|sagt|meint|"
    r"meinte|dit|disait|écrit|écrivait|répond|répondu|selon [^:\n]{1,40}|dijo|dice|escribió|escribe|сказал[аи]?"
    r"|говорит|говорил[аи]?|"
    r"написал[аи]?|пишет|ответил[аи]?|спросил[аи]?)\b|(?:说|写道|写|表示|回复|问道|问|称)(?:了"
    r"|过)?)[^.!?\n:：]{0,60}[:：]",
    re.IGNORECASE,
)
_BY_ONESELF: Final = re.compile(
    r"(?:\b(?:i|i['’]ve|we|я|мы|je|nous|ich|wir|yo)(?: \w+){0,2}|\bj['’]ai|\bj['’]|我|我们)\s*$",
    re.IGNORECASE,
)
#: Behind the sentence stands a text to work on, or a part to play.
_TASK: Final = later(
    r"\b(?:translate|proof-?read|summari[sz]e|sum up|rewrite|re-?phrase|paraphrase|polish|shorten|simplify"
    r"|classify|grade|improve|"
    r"correct|edit|condense|fix the (?:grammar|spelling))\b[^.!?\n:]{0,60}\b(?:this|these|the following|below"
    r"|text|into|to|it|letter|"
    r"e-?mail|mail|message|sentence|paragraph|essay|article|passage)\b|\b(?:write|tell|compose|make up|continue"
    r"|finish|invent)\b"
    r"[^.!?\n]{0,40}\b(?:story|poem|song|novel|scene|dialogue|script|haiku|limerick|joke|lyrics|fairy tale"
    r"|monologue|riddle|rap|"
    r"sketch)\b|\b(?:pretend|role-?play|act as|you are now|let'?s play)\b|\bimagine (?:i|that i|you|we|that you"
    r"|that we)\b|\bsuppose\b"
    r"|\b(?:переведи|перепиши|исправь|сократи|перескажи|отредактируй|проверь"
    r"|резюмируй)\w*\b[^.!?\n]{0,60}\b(?:это\w*|текст\w*|"
    r"следующ\w+|письм\w+|предложени\w+|на \w+ский|фраз\w+)|\b(?:напиши|сочини|придумай"
    r"|расскажи)\w*[^.!?\n]{0,40}\b(?:рассказ|"
    r"стих\w*|сказк\w+|песн\w+|роман|диалог|анекдот|историю)|\b(?:представь|притворись|сыграй)\b"
    r"|\b(?:tradui[st]\w*|corrige\w*|résume\w*|reformule\w*|réécri\w*|améliore\w*"
    r"|relis\w*)\b[^.!?\n]{0,60}\b(?:ce|cette|ces|texte|"
    r"suivante?|phrase|lettre|mail|message|en \w+)\b|\b(?:écris|raconte|invente|compose"
    r"|rédige)\w*\b[^.!?\n]{0,40}\b(?:histoire|"
    r"poème|chanson|conte|roman|dialogue|blague|scène)|\b(?:fais semblant|joue le rôle|imagine)\b"
    r"|(?:翻译|润色|改写|总结|概括|缩写|校对|修改|改一下)[^。！？\n]{0,30}(?:下面|以下|这|文|句|成|：|:)|(?:写"
    r"|编|讲)[^。！？\n]{0,12}(?:诗|故事|小说|"
    r"歌词|笑话|剧本|童话|对话)|扮演|假装|想象|假设|假如|模拟"
    rf"|{_ORDERED}{_DICTATED} (?:[\w'’]+ ){{0,2}}"
    r"(?:the following|after me|exactly|verbatim|word for word|folgendes|nach|ceci|après moi|lo siguiente"
    r"|следующее|за мной)\b|跟我[念说读]|[写说念](?:以下|下面)"
    r"|\brole[- ]?play\w*|\brollenspiel\w*|\bjeu de rôle\b|\bjuego de rol\b|\bролев\w+ игр\w+"
    r"|\bfor (?:the )?sake of (?:the )?(?:argument|example)\b|\bhypothetical\w*|\bwhat if\b"
    r"|\blet['’]?s (?:say|assume|suppose|imagine)\b|\bassum(?:e|ing) (?:that )?(?:i|we)\b"
    r"|\b(?:stell dir vor|angenommen|nehmen wir an)\b|\b(?:supposons|mettons) que\b"
    r"|\b(?:imagina|supón|supongamos|finge|представим|допустим|предположим)\b"
    r"|(?:\A|(?<=\n)|(?<=[.!?] ))(?:(?:for|in) (?:the|this|my|our) (?:story|scene|scenario|sketch|script|novel|play"
    r"|game|dialogue)\b|(?:(?:(?:for )?(?:example|instance)|zum beispiel|beispiel|par exemple|exemple|por ejemplo"
    r"|ejemplo|например|пример|例如|比如)[ \t]*[:：,，]))",
    re.IGNORECASE,
)
#: Speaks of a text that stands above.
_ABOVE: Final = later(
    rf"\b(?:the |this |that )?(?:{_NOUNS} (?:\w+ )?)?above\b|\babove (?:is|was|comes)\b|^[^\S\n]*+\^|\b(?:текст"
    rf"|письмо|сообщение|написанное)? ?выше\b"
    r"|\bci-dessus\b|\boben\b|上面的?|以上|\bwhat (?:does|did) (?:he|she|this person|the author) (?:mean|want|say)\b",
    re.IGNORECASE | re.MULTILINE,
)
#: From here on somebody else's letter.
_LETTER: Final = later(
    r"^[ \t>*-]*+(?:"
    r"(?:On|Am|Le|El|Il|Op) [^\n]{4,160}(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef)[^\n]{0,60}:"
    r"|[^\n]{4,160}(?:пишет|написала?|写道|来信)[^\n]{0,20}[:：][ \t]*+$"
    r"|(?:begin )?[-_=> ]*+(?:original|forwarded|weitergeleitete|ursprüngliche|пересланн?\w*|пересылаем\w*"
    r"|исходное|reenviado|mensaje "
    r"reenviado|转发的?|原始)[ -]*+(?:message|e-?mail|mail|nachricht|сообщени\w*|письмо|邮件|消息|by"
    r"|from)?[^\n]{0,60}$"
    r"|message (?:transféré|d['’]origine)"
    r"|(?:Fwd?|FW|WG|TR|Пер)\s?[:：]"
    r"|(?:From|Sent|Subject|Von|Betreff|De|Objet|Envoyé|Asunto|От|Тема|Отправлено|发件人|主题|发送时间"
    r"|寄件人) ?[:：] ?\S)",
    re.MULTILINE | re.IGNORECASE,
)
_SALUTATION: Final = later(
    r"(?:^|(?<=[.!?] ))[ \t]*+(?:dear|hi|hello|hey|good (?:morning|day|evening)|sehr geehrte\w*|liebe[r]?|hallo"
    r"|cher|chère"
    r"|bonjour|salut|estimad[oa]|querid[oa]|hola|"
    r"дорог\w+|уважаем\w+|здравствуй\w*|привет|亲爱的|尊敬的|你好)[^\n.]{0,60}[,:!，：！]?[ \t]*+\n",
    re.MULTILINE | re.IGNORECASE,
)
_FAREWELL: Final = later(
    r"(?=(^[ \t]*+(?:(?:kind|best|warm(?:est)?|many) (?:regards|wishes)|regards|sincerely|yours\b[^\n]{0,20}"
    r"|cheers"
    r"|best|love|thanks|many thanks|all the "
    r"best|mit freundlichen grüßen|viele grüße|liebe grüße|lg|mfg|cordialement|bien à (?:vous|toi)|bises"
    r"|amicalement|saludos|atentamente|"
    r"un abrazo|с уважением|с наилучшими[^\n]{0,20}|всего доброго|целую|此致(?:敬礼)?|祝好"
    r"|谨上)[,!.，。！]?[ \t]*+(?:\n[ \t]*[^\n]{1,40})?$))",
    re.MULTILINE | re.IGNORECASE,
)
#: A letter is no longer than this.
_LETTER_CHARS: Final = 6_000

# Lines

_QUOTED_LINE: Final = re.compile(r"[ \t]*(?:[>＞|│┃┆┇┊┋║▌▎▏❘❙❚⎜⎪]|»(?! *$))")
_LABELLED: Final = later(
    r"[ \t*_-]*+(?:[\[(]?\d{1,4}[-:./\d ,apmAPM]{2,20}[\])]?[ \t,-]*+)?[*_]{0,2}"
    r"(?P<label>(?!https?\b)[^\W\d_][\w.'’ -]{0,30}?)[*_]{0,2}"
    r"(?: ?[\[(][^\])\n]{1,30}[\])])?[*_]{0,2} ?[:：][*_]{0,2}[ \t]*+(?=(?P<said>\S))"
)
_TIMED: Final = re.compile(
    r"[ \t*_-]*+[\[(]?\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?: ?[ap]m)?[\])]?[ \t,-]+\S", re.IGNORECASE
)
#: Who may stand before a colon in a chat.
_SPEAKERS: Final = re.compile(
    r"(?:user|human|assistant|ai|bot|system|me|you|them|customer|agent|client|support|interviewer|interviewee"
    r"|speaker(?: \w+)?|"
    r"пользователь|ассистент|оператор|клиент|utilisateur|client|用户|助手|客服|甲|乙|[qa])",
    re.IGNORECASE,
)
#: What people put before what they say themselves.
_OWN_LABELS: Final = later(
    r"(?:ps|p\.s\.?|nb|fyi|btw|note(?: to self)?|notes|correction|corrected|update|updated|edit|remember"
    r"|reminder|please remember|important|todo|"
    r"to do|rule|rules|also|context|background|preferences?|my \w+(?: \w+)?|our \w+(?: \w+)?|fact|decision"
    r"|decided|summary|"
    r"conclusion|plan|goal|question|answer|warning|news|good news|bad news|one more thing|fun fact|first|second"
    r"|third|finally|"
    r"in short|example|for the record|disclaimer|name|age|job|city|address|diet|language|allerg\w+|hobb\w+|birthday|"
    r"запомни\w*|кстати|важно|поправка|напоминание|заметка|правило|итак|note bien|rappel|important|à retenir"
    r"|au fait|retiens|merk dir|hinweis|wichtig|korrektur|nachtrag|notiz|erinnerung|zur info|regel|entscheidung|"
    r"记住|请记住|注意|更正|提醒|补充|重要|备注|顺便)",
    re.IGNORECASE,
)
_FIRST_PERSON: Final = later(
    r"\b(?:i|i['’]\w+|my|me|we|our|я|мне|меня|мой|моя|мы|у меня|je|j['’]\w*|mon|ma|nous|ich|mein\w*|wir|yo"
    r"|mi)\b|我",
    re.IGNORECASE,
)
_DASHED: Final = re.compile(r"[ \t]*[—–―][ \t]*\S")

_NOT_SAID: Final = re.compile(
    r"\s*+(?:>|\||<[/!?a-zA-Z]|[\[{}\]]|\$ |#!|#{1,6} |//|/\*|Traceback |at [\w.$]+\(|File \"|\"[\w ]+\" ?:"
    r"|def \w+\(|class \w+[:({]|from [\w.]+ import |import [\w.{*]+(?: from| as|;|$)|return [\w.({\[]+;?$"
    r"|(?:const|let|var) \w+ ?=|function \w*\(|(?:public|private|protected) (?:static|void|class|final|int|string)\b"
    r"|(?:SELECT|INSERT|UPDATE|CREATE|DELETE|ALTER) [\w*]|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d)"
    r"|.*\b(?:INFO|WARN(?:ING)?|ERROR|DEBUG|FATAL)\b[ :\]]"
)
_SIGNS: Final = re.compile(r"[{}()\[\];=<>\\|$_/]")
_MOST_SIGNS: Final = 0.08

_CJK: Final = re.compile(f"[{CJK}]")
_END: Final = re.compile(r"(?<![.!?…])[.!?…]++[\"”»')\]]*+(?=\s|$)|[。！？；…]+[”」）]*|\n+|(?<=\w);(?=\s)")
_ABBREVIATION: Final = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|approx|Dr|Mrs?|Ms|Prof|St|vs|No|Nr|Inc|Ltd|Jr|Sr|ca|т\.?\s?е|т\.?\s?д|г|ул|M|Mme)"
    r"|\b[A-Z])\.$"
)
#: The same before a number.
_NUMBER: Final = re.compile(r"\b(?:no|nr|fig|pp?|vol|ch|стр|гл|рис)\.$", re.IGNORECASE)
_ABBREVIATION_CHARS: Final = 12
_MONTH: Final = re.compile(r" ([^\W\d_]{3,12})\b")


def without_recalled(text: str) -> str:
    """A message without what memory put into it, and without a model's proposals: nothing of it is news."""
    if "emory" not in text and "MEMORY" not in text and "## " not in text:
        return text
    for pattern in (_FRAME, _BLOCK, _PROPOSALS, _CATALOG, _HEADER, _SECTIONS):
        text = pattern.sub(" ", text)
    return text.strip()


def own_words(text: str) -> str:
    """Own words of a message's sender, line by line; `QUOTATION` stands for longer quotations."""
    return _own_words(text[:_MOST_CHARS])


@lru_cache(maxsize=512)
def _own_words(text: str) -> str:
    text = _FENCED.sub("\n", plain(without_recalled(text)))
    text = _outside_marks(text)
    text = own_part(text, [end.end() for end in _ends(text)])
    text = _before_what_is_handed_on(_behind_what_stands_above(text))
    text = _without_letters(text)
    text = _outside_rulers(text)
    text = "\n".join(_spoken_lines(text.split("\n")))
    text = without_quotations(text)
    return "\n".join(line.strip() for line in text.split("\n") if line.strip())


def said_in(turn: Item) -> str:
    """Text of a turn to take at its sender's word: of a user the own words, `LEFT_OUT` for longer quotations.

    Of everybody else all but what memory put into it: nobody takes that for the user's word.
    """
    if turn.origin not in FROM_USER:
        return without_recalled(turn.content)
    return own_words(turn.content).replace(QUOTATION, LEFT_OUT)


def hands_on(text: str) -> bool:
    """True if a message holds more than its sender's own words, memories apart."""
    return "".join(own_words(text).split()) != "".join(plain(without_recalled(text)).split())


def sentences(text: str) -> Iterator[tuple[str, bool]]:
    """The sentences of a text, without their full stops, and whether each is a question."""
    start = 0
    for end in _ends(text):
        if sentence := text[start : end.start()].strip(' \t"“”«»()*#•-–'):
            yield sentence, "?" in end[0] or "？" in end[0]
        start = end.end()
    if rest := text[start:].strip(' \t\n"“”«»()*#•-–'):
        yield rest, False


def _ends(text: str) -> Iterator[re.Match[str]]:
    """Ends of the sentences of a text."""
    start = 0
    for end in _END.finditer(text):
        beginning = max(start, end.end() - _ABBREVIATION_CHARS)
        if end[0] == "." and (
            _ABBREVIATION.search(text, beginning, end.end())
            or (
                text[end.end() : end.end() + 2].strip().isdigit()
                and _NUMBER.search(text, beginning, end.end())
            )
            or _is_ordinal(text, end.start())
        ):
            continue
        yield end
        start = end.end()


def _is_ordinal(text: str, stop: int) -> bool:
    """True if a full stop stands between the number of a day and its month: "am 3. Mai"."""
    month = _MONTH.match(text, stop + 1) if text[stop - 1 : stop].isdigit() else None
    return month is not None and folded(month[1]) in MONTHS_BEHIND_ORDINALS


# Blocks


def _outside_marks(text: str) -> str:
    """Text outside marked blocks. A tag without an end begins none."""
    last = {found["tag"].lower(): found.start() for found in _CLOSING.finditer(text)}
    kept: list[str] = []
    start = at = 0
    while found := _MARKED.search(text, at):
        at = found.end()
        if tag := found["tag"]:
            if last.get(tag.lower(), -1) < at:
                at = found.start() + 1
                continue
            closings = (closing for closing in _CLOSING.finditer(text, at))
            at = next(closing.end() for closing in closings if closing["tag"].lower() == tag.lower())
        kept.append(text[start : found.start()])
        start = at
    return "\n".join([*kept, text[start:]])


def _without_letters(text: str) -> str:
    """The text without letters in it that have a salutation and a farewell."""
    farewells = [found.span(1) for found in _FAREWELL.finditer(text)]
    kept: list[str] = []
    start = 0
    for found in _SALUTATION.finditer(text) if farewells else ():
        place = bisect_left(farewells, (found.end(), 0))
        if found.start() < start or place == len(farewells):
            continue
        begins, ends = farewells[place]
        if begins - found.end() <= _LETTER_CHARS:
            kept.append(text[start : found.start()])
            start = ends
    return "\n".join([*kept, text[start:]])


def _before_what_is_handed_on(text: str) -> str:
    """The text as far as the first words that hand on somebody else's, without the sentence that sets the task."""
    ends = [len(text)]
    for pattern in (_LETTER, _ANNOUNCED, _SHOWN, _WORKED_ON, _SAYS):
        for found in pattern.finditer(text):
            if pattern is _SAYS and _BY_ONESELF.search(text, max(found.start() - 40, 0), found.start()):
                continue
            ends.append(
                found.start() if pattern in (_LETTER, _ANNOUNCED) else _sentence_start(text, found.start())
            )
            break
    text = text[: min(ends)]
    task = _TASK.search(text)
    return text if task is None else text[: _sentence_start(text, task.start())]


def _sentence_start(text: str, place: int) -> int:
    return max((end.end() for end in _END.finditer(text, 0, place)), default=0)


def _behind_what_stands_above(text: str) -> str:
    """Without what stands before a paragraph that speaks of it as the text above."""
    found = _ABOVE.search(text)
    if found is None:
        return text
    start = text.rfind("\n", 0, found.start()) + 1
    return text[start:] if text[:start].strip() else text


def _outside_rulers(text: str) -> str:
    """Text before the first ruler, and between the second and the third: what a pair encloses was pasted."""
    pieces = _RULER.split(text)
    return "\n".join(pieces[::2])


# Lines


def _spoken_lines(lines: list[str]) -> Iterator[str]:
    """Lines that the sender says: no quoted ones, no transcript, no code, no log."""
    labelled = [_speaker(line) for line in lines]
    dashed = sum(_DASHED.match(line) is not None for line in lines) > 1
    timed = sum(_TIMED.match(line) is not None for line in lines) > 1
    transcript = sum(label == "chat" for label in labelled) > 1
    others = False
    for line, label in zip(lines, labelled, strict=True):
        if not line.strip():
            others = False
        elif (
            _QUOTED_LINE.match(line)
            or label == "other"
            or (label == "chat" and transcript)
            or (dashed and _DASHED.match(line))
            or (timed and _TIMED.match(line))
        ):
            others = True
        elif not others and _is_said(line):
            yield _before_a_speaker(line)


def _before_a_speaker(line: str) -> str:
    """A line as far as a sentence in it that somebody named speaks: "Good morning. Ozan: I hate walnuts."."""
    ends = [end.end() for end in _END.finditer(line)]
    first_person = _last_first_person(line) if ends else -1
    return next((line[:end] for end in ends if end < len(line) and _speaks(line, end, first_person)), line)


def _speaks(line: str, start: int, first_person: int) -> bool:
    """True if somebody named speaks from a place of a line on: who is one, or speaks in the first person."""
    named = _named(line, start)
    return named is not None and (named[0] or named[1] <= first_person)


def _last_first_person(line: str) -> int:
    return max((found.start() for found in _FIRST_PERSON.finditer(line)), default=-1)


def _named(line: str, start: int = 0) -> tuple[bool, int] | None:
    """Look up the name before a colon: True if it is a speaker's, and the start of the words behind it."""
    found = _LABELLED.match(line, start)
    if found is None or _OWN_LABELS.fullmatch(label := found["label"].strip()):
        return None
    if _SPEAKERS.fullmatch(label):
        return True, found.start("said")
    words = label.split()
    named = all(word[:1].isupper() or _CJK.match(word) for word in words)
    if not named or len(words) > 3 or len(label) > 20 or _FIRST_PERSON.search(label):
        return None
    return False, found.start("said")


def _speaker(line: str) -> str:
    """Speaker of a line, where somebody named speaks: `other`, `chat` (in a row of such lines), or nothing."""
    named = _named(line)
    if named is None:
        return ""
    if named[0] or _FIRST_PERSON.search(line, named[1]):
        return "other"
    return "chat" if line.rstrip()[-1:] in ".!?…。！？" else ""


def _is_said(line: str) -> bool:
    """True if a line is something that people say, and no code, log or quoted letter."""
    if _NOT_SAID.match(line):
        return False
    return len(line) < 20 or len(_SIGNS.findall(line)) <= _MOST_SIGNS * len(line)
