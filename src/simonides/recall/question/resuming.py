"""Questions about the conversation before this one: "what was the last session about?", "where did we leave off?"."""

from __future__ import annotations

import re
from typing import Final

from simonides.language.cues import Cues
from simonides.language.sentences import QuestionText
from simonides.language.terms import is_topical

_LAST: Final = Cues(
    "(?:last|previous|latest|most recent|prior|preceding) (?:session|conversation|chat|discussion|talk)s?",
    "last time(?! (?:i|he|she|they|you|it|the)\\b) / (?:left|leave) off / where were we / what were we (?:\\w+ing)",
    "(?:continue|resume|pick up|carry on|go on)(?: from)? where we (?:were|stopped|ended|left|paused)",
    "(?:resume|continue) (?:our|the|this|that) (?:conversation|chat|session|discussion|talk|work)",
    "(?:прошл|последн|предыдущ)\\w+ (?:разговор|сесси|бесед|диалог|чат|обсуждени)\\w* / в прошлый раз / прошлого раза",
    "на чем (?:мы )?(?:остановились|закончили) / с того места,? где / где мы остановились",
    "(?:продолжим|продолжи|продолжай|продолжить) (?:наш )?(?:разговор|беседу|диалог|прошлое)",
    "(?:dernière|précédente) (?:session|conversation|discussion|fois) / (?:dernier|précédent) (?:échange|entretien)",
    "où (?:en )?(?:étions-nous|était-on|en étions|on en était) / en était où",
    "là où (?:on|nous) (?:s'est|nous|en|étions)",
    "上(?:一)?[次回](?:的)?(?:会话|对话|聊天|谈话|讨论|我们|聊|说|谈|到哪) / 我们上[次回] / (?:继续|接着)上[次回]",
    "(?:说|聊|谈|做)到哪",
)
#: What says that people talked, and not of what.
_TALKED: Final = re.compile(
    r"\b(?:talk\w*|discuss\w*|spoke|speak\w*|chat\w*|say|said|tell|told|work\w*|continue|resume|pick|carry|left|leave|off"
    r"|doing|go|going|let|lets|us|about|topic|subject|summary|summari[sz]e|happen\w*|remember|recall"
    r"|говор\w+|обсужд\w+|обсуд\w+|беседов\w+|продолж\w+|остановил\w+|закончил\w+|разговор\w*|реч\w+|ш[её]л|шла|тем[аы]"
    r"|parl\w+|discut\w+|repren\w+|continu\w+|arrêt\w+|sujet|dit|quoi|avons|avez|était|étions)\b"
    r"|聊|说|谈|讨论|继续|接着|内容|关于|什么|吧|到|哪"
)


def asks_for_the_last_session(reading: QuestionText) -> bool:
    """Recognise a question about the conversation before, whatever it asks about it."""
    return _LAST.search(reading.folded) is not None


def asks_for_nothing_else(reading: QuestionText) -> bool:
    """Recognise one that asks for that conversation as a whole: no word of it says what was talked about."""
    rest = reading.folded
    while (cue := _LAST.search(rest)) is not None:
        rest = f"{rest[: cue.start()]} {rest[cue.end() :]}"
    return not is_topical(_TALKED.sub(" ", rest))
