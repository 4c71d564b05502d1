"""Speaker whose words a question is after, and the kind of answer that it expects."""

from __future__ import annotations

import re
from enum import StrEnum
from math import ceil
from typing import Final

from simonides.domain.text import CJK
from simonides.language.cues import Cues, Lexicon
from simonides.language.sentences import QuestionText
from simonides.language.tables import cues


class Asks(StrEnum):
    """Speaker whose turns hold the answer: what the user said, what the assistant answered, or anyone's."""

    USER = "user"
    ASSISTANT = "assistant"
    ANYONE = "anyone"


class Expects(StrEnum):
    """The kind of answer that a question expects."""

    TIME = "time"
    NUMBER = "number"
    PERSON = "person"
    PLACE = "place"
    YES_NO = "yes_no"
    LIST = "list"
    REASON = "reason"
    PREFERENCE = "preference"
    OTHER = "other"


_ANSWERED = (
    "(?:said|told|mentioned|suggested|recommended|gave|given|advised|proposed|listed|wrote|written|provided|explained"
    "|described|shared|offered|showed|shown|created|generated|drafted|outlined|summari[sz]ed|pointed out|came up with"
    "|referred|answered|replied|promised|taught|named|warned|calculated|estimated|helped)"
)
_ANSWER = (
    "(?:say|tell|mention|suggest|recommend|give|advise|propose|list|write|provide|explain|describe|share|offer|show"
    "|create|generate|draft|outline|summari[sz]e|point out|come up with|refer|answer|reply|promise|teach|name|warn)"
)
_LOOSELY = (
    "(?:(?:also|just|had|have|already|once|even|then|earlier|previously|originally|initially|first) ){0,2}"
)
_FR_ANSWERED = (
    "(?:dit|conseillée?s?|recommandée?s?|suggérée?s?|proposée?s?|donnée?s?|mentionnée?s?|expliquée?s?|écrit|parlé"
    "|répondu|citée?s?|fournie?s?)"
)
_RU_ANSWERED = (
    "(?:сказал|говорил|советовал|посоветовал|рекомендовал|порекомендовал|предлагал|предложил|упоминал|упомянул|дал"
    "|давал|писал|написал|назвал|объяснил|объяснял|рассказал|рассказывал|ответил|перечислил|обещал)(?:а|и)?"
)
_ZH_ANSWER = "(?:说|推荐|建议|提到|提|告诉|讲|列|写|介绍|给|回答|提供|解释|答应|总结)"

#: The assistant's own words. The leftmost of these and of `_SELF` counts.
_ASSISTANT = Cues(
    f"you {_LOOSELY}{_ANSWERED}",
    f"(?:did|have|had) you (?:\\w+ )?(?:{_ANSWER}|{_ANSWERED})",
    "your (?:\\w+ )?(?:suggestions?|recommendations?|advice|answers?|repl(?:y|ies)|response|explanation|message)",
    f"(?:ты|вы) (?:(?:мне|нам|тогда|уже|раньше|ранее|недавно) ){{0,2}}{_RU_ANSWERED}",
    f"(?:мне|нам) (?:ты|вы)? ?{_RU_ANSWERED} / (?:тво(?:й|я|и|его|ей|их|ю|ем)|ваш(?:а|и|его|ей|их|у)?)"
    " (?:\\w+ )?(?:совет|рекомендац|ответ|предложен)\\w*",
    f"(?:tu|vous) (?:m'|nous |ne )?(?:as|avais|avez|aviez) (?:\\w+ )?{_FR_ANSWERED}",
    f"(?:m'|nous )?(?:as-tu|avez-vous|avais-tu|aviez-vous) (?:\\w+ )?{_FR_ANSWERED}",
    f"qu'as-tu {_FR_ANSWERED} / (?:ta|tes|ton|votre|vos)"
    " (?:\\w+ )?(?:recommandations?|suggestions?|conseils?|réponses?|propositions?)",
    f"[你您](?:上次|之前|以前|刚才|刚刚|曾经?|昨天|那天|当时|先前|上回|前面)[^。？?]{{0,6}}?{_ZH_ANSWER}",
    f"[你您](?:曾?给我|跟我|向我|对我|为我)?{_ZH_ANSWER}(?:过|的|了|我|给我|出的)",
    "[你您]的(?:建议|推荐|回答|答案|意见|回复)",
)
#: The user's own words.
_SELF = Cues(
    "(?:did|have|had) i (?:\\w+ )?(?:say|said|tell|told|mention|mentioned|ask|asked|call|write|wrote|describe|state)",
    "i (?:\\w+ )?(?:said|told you|mentioned|asked you|wrote)",
    "я (?:\\w+ )?(?:сказал|говорил|рассказал|рассказывал|упоминал|упомянул|просил|спрашивал|писал)(?:а)?",
    "(?:ai-je|avais-je) (?:\\w+ )?(?:dit|mentionné|parlé|raconté|demandé)",
    "j'(?:ai|avais) (?:\\w+ )?(?:dit|mentionné|parlé|raconté|demandé)",
    "我(?:[^们。？?你您]{0,6})?(?:说过|说了|说的|提到|提过|告诉[你您]|跟[你您]说|讲过|问过)",
)
#: A conversation with the assistant, when nothing says whose words are meant.
_CONVERSATION = Cues(
    "our (?:last|previous|earlier|past|recent) (?:\\w+ )?(?:conversations?|chats?|discussions?|sessions?)",
    "наш(?:ем|его|ей|у)? (?:прошл|предыдущ|последн)\\w+ (?:разговор|беседа|беседе|диалог)\\w*",
    "notre (?:dernière|précédente) (?:conversation|discussion)",
    "我们(?:上次|之前)的(?:对话|聊天|谈话|讨论)",
)
#: What is said to ask at all, and says nothing about whose words are meant.
FILLERS = re.compile(
    r"\bi (?:was wondering|wonder(?:ed)?|want(?:ed)? to|would like to|need to|forgot|don't remember|can't remember"
    r"|can't recall|remember|think|wish to|am trying to|was trying to|have a question)\b"
    r"|\bi'(?:d like to|m wondering|m curious|m trying to|ve forgotten)\b"
    r"|\bя (?:хочу|хотела?|забыла?|не помню|помню|думаю)\b"
    r"|\bje (?:voudrais|veux|me demande|ne me souviens|ne sais plus|pense)\b|\bj'(?:aimerais|ai oublié)\b"
    r"|我(?:想问|想知道|想请问|忘了|忘记|不记得|记不清|真正想)|(?:告诉|给|提醒|帮|教|跟|对|为)我|我们"
)
_ME = Cues(
    "i / i'm / i've / i'd / i'll / my / mine / myself",
    "я / меня / мне нрав\\w+ / мо(?:й|я|е|и|его|ему|ем|ей|ю|их|им|ими) / у меня",
    "je / j'\\w+ / mon / ma / mes / moi-même / ai-je / suis-je / mien(?:ne)?s?",
    "我 / 俺 / 咱",
)


def asks_about(reading: QuestionText) -> Asks:
    """Speaker whose words the question is after.

    "What did you suggest" is after the assistant's, "what did I tell you" and "my" after the user's; the
    first of such words counts.
    """
    text = reading.folded
    said, told = _ASSISTANT.search(text), _SELF.search(text)
    if said and (not told or said.start() < told.start()):
        return Asks.ASSISTANT
    if told:
        return Asks.USER
    if _CONVERSATION.search(text):
        return Asks.ASSISTANT
    return Asks.USER if _ME.search(FILLERS.sub(" ", reading.asking)) else Asks.ANYONE


#: "Can you tell me" before the question proper.
_POLITE = re.compile(
    r"\b(?:can|could|would|will) you (?:please |also |just )?(?:remind|tell|show|give) (?:me|us)(?: again)?"
    r"(?: of| about)?\b"
    r"|\b(?:do you (?:know|remember|recall)|i was wondering if you (?:remember(?:ed)?|knew|know))\b"
    r"|^\W*(?:(?:hey|hi|so|and|also|well|ok|okay|please)\b[ ,]*)*(?:can|could|would|will) you (?:please |also |just )?"
)
_TOLD_BY_WORDS: Final = (
    Expects.TIME,
    Expects.NUMBER,
    Expects.REASON,
    Expects.PLACE,
    Expects.PERSON,
    Expects.LIST,
    Expects.OTHER,
    Expects.YES_NO,
)
#: The leftmost question word decides; at one place the first kind that fits.
QUESTION_WORDS: Final = Lexicon({kind: cues("expects", kind) for kind in _TOLD_BY_WORDS})
_PREFERENCE = Cues(
    "suggest / suggestions? / recommend / recommendations? / any (?:tips|advice|ideas) / advise / prefers? / preferred",
    "preferences? / favou?rites? / like (?:best|most|better) / likes? best / would i like / might (?:i )?like",
    "посоветуй(?:те)? / порекомендуй(?:те)? / предпочита\\w+ / любим\\w+ / (?:больше )?нравится / предложи(?:те)?",
    "recommande[rz]? / suggère[rz]? / conseille[rz]? / préfér\\w+ / préfère\\w* / favori(?:te)?s? / des idées",
    "推荐 / 建议 / 喜欢 / 最爱 / 偏好 / 更爱 / 爱吃 / 爱喝",
)
#: Kinds for which words such as "favourite" or "suggest" say more than the question word does.
_WEAK: Final = {Expects.OTHER, Expects.YES_NO, Expects.LIST}
_CJK_CHARACTER = re.compile(f"[{CJK}]")


def expected(reading: QuestionText, asks: Asks) -> Expects:
    """The kind of answer that the question expects.

    Args:
        asks: What the assistant recommended before is no question of taste.
    """
    text = reading.asking
    if polite := _POLITE.search(text):
        text = text[polite.end() :]
    found = QUESTION_WORDS.find(text)
    if found is None:
        questioned = polite is None and ("?" in reading.folded or "？" in reading.folded)
        kind = Expects.YES_NO if questioned else Expects.OTHER
    else:
        kind, place = found
        if kind is Expects.YES_NO and not _begins(text, place):
            kind = Expects.OTHER
    if kind in _WEAK and asks is not Asks.ASSISTANT and _PREFERENCE.search(text):
        return Expects.PREFERENCE
    return kind


def _begins(text: str, place: int) -> bool:
    """True if at most a few words stand before: "so, Anna, did you" asks, "the cat did" tells."""
    return len(text[:place].split()) <= 2 or text[:place].rstrip().endswith((",", ":", "-"))


#: Questions after what came before what.
_ORDER = Cues(
    "(?:what|which) order / in order(?! to) / the order (?:of|in which) / timeline / chronolog\\w+ / before or after",
    "sequence of / from (?:the )?(?:earliest|first|oldest) to / starting (?:from|with) the (?:earliest|first|oldest)",
    "(?:which|who|whose|what)\\b[^.?!]{0,80}\\b(?:first|earlier|earliest|sooner|last),? [^.?!]{0,80}\\bor\\b",
    "(?:did|do|does|was|were) [^.?!]{0,80}\\bfirst\\b[^.?!]{0,80}\\bor\\b",
    "(?:which|who|what) (?:\\w+ ){0,3}(?:happened|came|occurred|was) (?:first|earlier|later)",
    "earlier (?:than|or later) / (?:happened|came|occurred|born) (?:first|earlier|later)",
    "в каком порядке / (?:что|кто|какое|какой|какая) (?:было|был|была|произошло|случилось|начал\\w+) раньше",
    "(?:что|кто|какое|какой|какая) [^.?!]{0,60}(?:раньше|сначала|первым|первой)[^.?!]{0,60}\\bили",
    "раньше или позже / до или после / сначала [^.?!]{0,60}или / хронологи\\w+ / последовательность\\w*",
    "dans quel ordre / avant ou après / d'abord [^.?!]{0,60}\\bou / chronologi\\w+ / par ordre / en premier",
    "plus tôt (?:que|ou) / (?:qui|lequel|laquelle|qu'est-ce qui) [^.?!]{0,60}en premier / ordre (?:des|dans lequel)",
    "顺序 / 先后 / 时间线 / 时间轴 / 谁先 / 哪个先 / 哪[个件一]{1,2}[^。？?]{0,20}(?:更早|在先|先发生|最早|较早)",
    "谁[^。？?]{0,20}(?:更早|更晚) / 先[^。？?]{1,30}还是 / 之前还是之后 / 按时间",
)


def asks_order(reading: QuestionText) -> bool:
    """Recognise a question that is after the order of events."""
    return _ORDER.search(reading.asking) is not None


_AGGREGATE = Cues(
    "all / every / each / total / overall / altogether / summary / summari[sz]e / compare / comparison / compared",
    "average / count / how many / list / everything / entire / various / timeline / differences? / most / least / both",
    "все / всех / всего / каждый / каждого / итого / сумма / сравни(?:те)? / в среднем",
    "перечисли(?:те)? / сколько раз",
    "tous / toutes / chaque / total / résumé / résume[rz]? / compare[rz]? / moyenne / liste / ensemble / différences?",
    "所有 / 全部 / 每个 / 一共 / 总共 / 总结 / 比较 / 列出 / 哪些 / 平均 / 分别 / 总的 / 合计 / 几个",
)
_CONJUNCTION = Cues(
    "and / or / but / then / while / whereas / as well as / и / или / а / но / а также / а потом",
    "et / ou / mais / puis / ainsi que / tandis que",
    "和 / 或者? / 还是 / 以及 / 并且 / 而且 / 另外 / 但是 / 与 / 此外",
)
_CJK_RUN = re.compile(f"[{CJK}]+")
#: Characters of a Chinese word, on average.
_CJK_WORD_CHARS: Final = 1.6
_SIMPLE_WORDS: Final = 10
_SIMPLE_CONJUNCTIONS: Final = 2


def is_complex(reading: QuestionText) -> bool:
    """Recognise a question that asks for more than a lookup: ten words or more, an aggregate word, or two conjunctions.

    A CJK word counts as 1.6 characters.
    """
    text = reading.folded
    cjk = sum(map(len, _CJK_RUN.findall(text)))
    words = len(_CJK_RUN.sub(" ", text).split()) + ceil(cjk / _CJK_WORD_CHARS)
    if words >= _SIMPLE_WORDS or _AGGREGATE.search(text):
        return True
    return _CONJUNCTION.count(text) >= _SIMPLE_CONJUNCTIONS


_RECALL = Cues(
    "(?<!product )(?<!vehicle )(?<!safety )(?<!food )(?<!car )(?<!the )(?<!a )recall"
    "(?! (?:notice|election|vote|rate|campaign|order)\\b)(?!@)",
    "what do (?:we|you|i) (?:already )?know about / from (?:your |our |the )?memory / in your memory",
    "(?:we|i) (?:\\w+ )?(?:decided|agreed|discussed|noted|settled) (?:\\w+ )?(?:earlier|before|previously|last time)",
    "remember (?:when|that|what|who|where|how|why|which|our|my|the|if) / remind me (?!to\\b)\\w+",
    "(?:previously|earlier|already) (?:discussed|decided|noted|agreed|mentioned|said|told) / do you remember",
    "(?:discussed|decided|noted|agreed|mentioned|talked about) (?:previously|earlier|before|last time)",
    "вспомни(?:те)? / помнишь / помните / припомни(?:те)? / что мы знаем о(?:б|бо)? / что ты знаешь о(?:б|бо)?",
    "из памяти / по памяти / напомни(?:те)?(?: мне)?,? (?:что|как|когда|кто|где|о|об|про|какой|какая|какие)",
    "(?:как )?мы (?:\\w+ )?(?:решили|договорились|обсуждали|обсудили)(?: раньше| ранее)?",
    "ранее (?:обсуждали|решили|отмечали|упоминали)",
    "rappelle-moi / rappelez-moi / te souviens-tu / vous souvenez-vous / tu te souviens / de mémoire",
    "que (?:savons-nous|sait-on|sais-tu) (?:de|du|des|sur) / ce qu(?:e nous|'on) (?:avons|a) (?:décidé|dit|convenu)",
    "comme (?:nous l'avons |on l'a )?(?:décidé|convenu|dit|discuté)",
    "(?:décidé|discuté|noté|convenu) (?:précédemment|avant)",
    "(?:还|你|您|否)记得 / 记得吗 / 记不记得 / 回忆 / 想起来 / 我们知道(?:些|点)?什么",
    "根据记忆 / 从记忆 / 凭记忆",
    "之前(?:讨论|决定|说过|提到|提过|商量)",
    "上次(?:讨论|决定|说|提到|聊) / 提醒我[^去做买]{0,4}(?:什么|怎么|谁|哪|的) / 我们(?:之前|以前|先前)",
)


def wants_recall(reading: QuestionText) -> bool:
    """Recognise a text that says that it is memory it asks for: "recall", "as we decided earlier", "remind me what"."""
    return _RECALL.search(reading.folded) is not None
