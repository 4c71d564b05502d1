"""Acts of a text: to state something, ask, say that its speaker does not know, or acknowledge.

A question shares its words with every question like it, and answers none of them. The same holds for "I am not sure."
In doubt a text states: what is taken for a question stands behind the rest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import partial
from typing import Final

from simonides.domain.item import Item
from simonides.domain.kept import kept
from simonides.domain.pattern import later
from simonides.domain.text import CJK
from simonides.language.cues import Cues
from simonides.language.sentences import QuestionText, fold, sentences
from simonides.language.tables import worded
from simonides.recall.question.asks import FILLERS, QUESTION_WORDS, Expects
from simonides.recall.question.gate import is_chatter

# The words of `{name}` in a pattern stand in the section `acts` of each language.
_worded: Final = partial(worded, "acts")


class Act(StrEnum):
    """Act of a text."""

    STATES = "states"
    ASKS = "asks"
    KNOWS_NOT = "knows not"
    ACKNOWLEDGES = "acknowledges"


#: What tells of turns in their own words.
TELLING_OF_TURNS: Final = frozenset({"narrative"})
_QUOTED: Final = re.compile(r"“([^“”]+)”|«\s*([^«»]+?)\s*»")
#: Longer texts state something, whatever else they do.
_MOST_CHARS: Final = 1_000
_SPEAKS: Final = re.compile(r"[^\W_]")
_CJK_CHARACTER: Final = re.compile(f"[{CJK}]")
#: Where a sentence falls into clauses; a comma within a number is none.
_CLAUSE_END: Final = later(
    r"[,;:，；：、](?!\d)|(?<=\s)[-—](?=\s)|\b(?:but|so can you|and can you|mais|но)\b|但是?|不过"
)
#: Before what is asked or not known: who is spoken to, how, and that now something is asked.
_OPENERS: Final = later(
    r"(?:(?:(?:sorry|apologies) (?:to bother you|for (?:asking|bothering you)(?: again)?)|i apologi[sz]e|to be honest"
    r"|hey|hi|hello|so|and|also|well|ok(?:ay)?|oh|hm+|um+|er+|please|sorry|excuse me|but|now|then|actually|again"
    r"|wait|by the way|btw|quick question|one (?:more|last) (?:thing|question)"
    r"|just curious|unfortunately|honestly|i'm afraid"
    r"|as an ai\w*"
    r"|а|и|ну|так|слушай|скажи(?:те)?|подскажи(?:те)?|пожалуйста|кстати|извини(?:те)?|прости(?:те)?|увы|к сожалению"
    r"|честно говоря|боюсь|et|alors|bon|dis|dites|au fait|désolée?|pardon|malheureusement|excuse[rz]?-moi|en fait"
    r"|und|also|na|leider|tut mir leid|entschuldigung|lo siento|pues)\b[\s,.!…-]*"
    r"|(?:请问|那么?|对了|顺便问一下|话说|你好|抱歉|不好意思|对不起|很遗憾|可惜|呃|嗯)[\s,，。!！]*)+"
)
_BEFORE_A_QUESTION_WORD: Final = (
    r"(?:(?:in|at|on|for|to|from|by|with|of|about|since|until|till|during|under|near)\s+)?"
)
_AUXILIARY: Final = (
    r"(?:is|are|am|was|were|do|does|did|has|have|had|can|could|will|would|should|shall|might"
    r"|isn't|aren't|don't|doesn't|didn't|haven't|hasn't|can't|won't|wouldn't)"
)
_SUBJECT: Final = r"(?:i|you|we|he|she|it|they|there|anyone|anybody|someone|anything|something)"
#: How a clause begins that asks, with or without a question mark.
_ASKING: Final = _worded(
    rf"""{_BEFORE_A_QUESTION_WORD}(?:
      (?:what|which|who|whom|whose|when|where|why|how)(?:'s|'re|'d|'ll|s)?\s+{_AUXILIARY}\b
    | (?:what|who|when|where|how)(?:'s|'re|'d)\b
    | (?:what|which|whose|how\s(?:many|much|long|old|often|far|tall|big|high|fast|heavy|large|soon))\s
      (?!(?:i|you|we|he|she|it|they|my|our|the|a)\b)(?:[\w'-]+\s){{0,3}}?{_AUXILIARY}\b
    | (?:what|how)\s+about\b | how\s+(?:come|many|much|long|old|often|far)\b | why\s+not\b
    | (?:who|what)\s[a-z]+(?<!s)s\b(?!.*\b(?:is|are|was)\b)
    )
    | {_AUXILIARY}\s+(?:{_SUBJECT}|your?|my|our|his|her|their)\b
    | (?:is|are|was|were|does|did|has|will|can|could|would|should)\s+(?:the|this|that|these|those)\b
    | (?:please\s+)?(?:tell|remind|show)\s+(?:me|us)\s+(?:again\s+)?
      (?:wh\w+|how|if|about|of|again|the|my|our|your|all|everything|anything)\b
    | (?:please\s+)?(?:list|name|recall|summari[sz]e|look\s+up)\s+(?:all|my|our|the|every\w*|what|your)\b
    | (?:please\s+)?let\s+(?:me|us)\s+know\s+(?:wh\w+|how|if|about|of|your|the|any\w*)\b
    | (?:looking|searching|hunting)\s+for\b | in\s+search\s+of\b
    | remember\s+(?:when|how|what|where|who|which|the\s+time)\b
    | (?:any|some)\s+(?:tips|ideas|advice|suggestions|recommendations|thoughts|news|updates?)\b
    | i(?:'d|'m|\s+am|\s+was|\s+would)?\s+(?:want|need|like|wonder(?:ing)?|forgot|curious)\s+
      (?:to\s+(?:know|ask|find\s+out|check)\s+)?
      (?:wh\w+|how|if|about)\b
    | (?:напомни(?:те)?|скажи(?:те)?|подскажи(?:те)?|расскажи(?:те)?)\s+(?:(?:мне|нам|пожалуйста),?\s+)*
      (?:об?|про|что|кто|как\w*|когда|где|куда|сколько|чем|зачем|почему|во\s+сколько)(?!\w)
    | (?:[\w-]+\s+){{1,4}}?ли\s
    | (?:dis|dites|rappelle[sz]?|parle[sz]?|raconte[sz]?)-(?:moi|nous)\s(?!d(?:e\s|')\w+(?:er|ir|re)\b)
    | (?:qu'est-ce|est-ce|c'est\s(?:quoi|quand|qui|où|combien))\b | qu'(?!il\b|elle\b|on\b)
    | (?:[\w'’]+\s){{0,3}}[a-zéèêû]+-(?:t-)?(?:tu|vous|je|il|elle|on|nous|ils|elles)\b
    | {{asking}}
    """,
    flags=re.VERBOSE,
)
#: Question words that begin clauses of statements as well: only without a comma do they ask.
_BARE: Final = _worded(
    r"(?:(?:в|во|на|с|со|у|к|о|об|от|из|до|по|за)\s)?(?:кто|кого|кому|кем|что|чего|чему|чем|где|куда|откуда|когда|почему|зачем"
    r"|сколько|как|какой|какая|какое|какие|каком|какую|каких|каким|чей|чья|чьё|чье|чьи|который)(?![\w-])"
    r"|(?:à|de|dans|depuis|en|pour|avec|chez|sur)?\s?(?:quel(?:le)?s?|combien|comment|pourquoi|quoi)\b"
    r"|(?:où|quand|qui)\s(?!(?:je|tu|il|elle|on|nous|vous|ils|elles|le|la|les|mon|ma|mes)\b|j')"
    r"|{bare}",
    flags=0,
)
_ZH_ASKING: Final = later(
    r"(?:什么|谁|哪|怎么|怎样|多少|几[点号个岁天年]|为何|何时|如何|是否|有没有|是不是|能不能|会不会|要不要|多[久大高远长])(?!都|也|月)"
    r"|[吗么]$|(?:告诉|提醒)我(?!.{0,8}[去做买打交])|记得.*[吗么]|列出"
)
_ZH_STATING: Final = later(r"没什么|无论|不管|任何|什么都|谁都|哪里都|怎么都|不知道.*都|几个月")
_TAG: Final = later(
    r"(?:right|correct|isn't it|isn't she|isn't he|aren't they|doesn't (?:it|she|he)|don't (?:you|they|we)"
    r"|didn't (?:i|we)|yes|ok(?:ay)?|you know|see|huh|eh"
    r"|верно|правда|так|да|не так ли|n'est-ce pas|non|hein|pas vrai|oder|nicht wahr|verdad"
    r"|对吧|对吗|是吧|是吗|好吗|对不对|是不是)\W*"
)
#: What is not known may follow, as a clause of its own or as a word for it.
_REST: Final = (
    r"(?:\W*$|\W+(?:yet|anymore|either|right now|at the moment|for sure|exactly|really|about|of|on|if|whether"
    r"|wh(?:en|ere|o|om|at|ich|ose)|why(?=\W*$)|how(?! to\b)"
    r"|that|this|it|the answer|any of|anything|yours?|our|the user'?s?"
    r"|пока|точно|об?|про|это(?:го|м)?|что|кто|как\w*|когда|где|куда|сколько|ответ\w*|на этот"
    r"|encore|plus|trop|exactement|ce|qui|quand|où|quel\w*|combien|comment|pourquoi|si|de|du|sur|à|cela|ça|d['’]où|d['’]u\w+"
    r"|{rest})(?!\w).*$)"
).replace(" ", r"\s")  # Blanks mean nothing where it is used.
_UNKNOWING: Final = _worded(
    rf"""(?:
      (?:i(?:'m|\s+am|\s+was)?\s+|we(?:'re|\s+are)?\s+)?(?:(?:really|honestly|still|also|just|currently)\s+)*
        (?:not\s+(?:so|too|entirely|quite|really|very|completely|100\s?%\s)?\s*(?:sure|certain)|unsure|uncertain)
    | (?:i|we)?\s*(?:(?:really|honestly|still|also|just|currently)\s+)*(?:do\s+not|don't|dont|did\s+not|didn't)\s+
        (?:(?:really|actually|currently|yet|even)\s+)*(?:know|remember|recall)
    | (?:(?:i|we)\s+(?:(?:currently|really)\s+)?(?:do\s+not|don't)\s+(?:currently\s+)?have
        |there\s+is(?:n't)?|i\s+have|i\s+see|i\s+find)?\s*
        (?:no|any|that|this|enough|such)\s+(?:\w+\s+)?
        (?:idea|clue|information|info|record|records|details?|memory|memories|notes?|knowledge|data)
    | i\s+(?:can't|cannot|can\s+not|couldn't|could\s+not
        |was\s+not\s+able\s+to|wasn't\s+able\s+to)\s+(?:tell|say|answer|find|recall|remember)
    | you\s+(?:have\s+not|haven't|did\s+not|didn't)\s+(?:\w+\s+)?
        (?:tell|told|mention|mentioned|say|said|share|shared)(?:\s+me)?
    | (?:who\s+knows|beats\s+me|dunno|idk|search\s+me)
    | я?\s*(?:(?:пока|тоже|уже|точно|даже|к\s+сожалению)\s+)*
        (?:не\s+(?:знаю|уверена?|помню|могу\s+(?:сказать|вспомнить|ответить)
           |в\s+курсе|нашла?)
        |понятия\s+не\s+имею|без\s+понятия|затрудняюсь\s+(?:ответить|сказать)|(?:трудно|сложно)\s+сказать|забыла?)
    | у\s+меня\s+нет\s+(?:\w+\s+)?(?:информации|сведений|данных|записей)
    | (?:je\s+)?(?:n'|ne\s+)?(?:sais|suis)\s+(?:vraiment\s+)?(?:pas|plus|trop)
        (?:\s+(?:trop|vraiment|du\s+tout))?(?:\s+(?:sûre?|certaine?))?
    | je\s+(?:ne\s+)?(?:me|m'en)\s+(?:souviens|rappelle)\s+(?:pas|plus)
    | je\s+l'ignore | j'ignore | je\s+n'en\s+sais\s+rien
    | (?:je\s+n'(?:en\s+)?ai\s+)?(?:aucune|pas\s+la\s+moindre|pas\s+d')\s?(?:idée|information)
    | pas\s+(?:sûre?|certaine?) | chais\s+pas
    | {{unknowing}}
    ){_REST}""",
    flags=re.VERBOSE,
)
#: Nobody knows, it is unclear, or has to be looked up: where, when, who … follows.
_NOBODY_KNOWS: Final = later(
    r"""(?:
      (?:nobody|no\s?one|none\s+of\s+us)\s+(?:\w+\s+)?(?:knows?|remembers?|recalls?|can\s+(?:say|tell|remember))
    | (?:it(?:'s|\s+is)\s+)?(?:still\s+|currently\s+|completely\s+|really\s+|a\s+)?
        (?:unclear|unknown|not\s+(?:clear|known)|mystery|anyone's\s+guess|anybody's\s+guess)(?:\s+to\s+(?:me|us))?
    | (?:i|we)(?:'d|'ll|\s+would|\s+will)?\s+(?:have|need)\s+to\s+(?:\w+\s+)?(?:check|look|ask|think
        |find\s+out)(?:\s+up)?
    | let\s+me\s+(?:check|look\s+up|think)
    | (?:никто\s+не\s+(?:знает|помнит)|неизвестно|непонятно|неясно|надо\s+(?:проверить|посмотреть|узнать))
    | (?:personne\s+ne\s+(?:sait|se\s+souvient)|on\s+ne\s+sait\s+pas|on\s+ignore|(?:il|je)\s+(?:faut|dois)\s+vérifier)
    )(?:\W*$|\W+(?:about\s+)?(?:wh(?:ere|en|o|ich|at|ether)|if|how(?!\s+to\b)|где|куда|когда|кто|какой|сколько|чей|ли
      |où|quand|qui|quel\w*|combien|si)\b.*$)""",
    re.VERBOSE,
)
_NOTHING_NOTED: Final = later(
    r"(?:there(?:'s|\s+is)|i\s+(?:have|see|find)|we\s+have)\s+nothing\s+(?:in\s+(?:\w+\s+)?(?:memory|memories|notes?|records?)\b"
    r"|(?:noted|stored|saved|written)\b|on\s+file\b).*$"
    r"|(?:dans\s+)?(?:ma\s+mémoire|mes\s+notes)\s+(?:il\s+)?n'y\s+a\s+rien\b.*$|il\s+n'y\s+a\s+rien\s+dans\s+m(?:a|es)\s+(?:mémoire|notes)\b.*$"
    r"|в\s+(?:моей\s+)?(?:памяти|заметках)\s+(?:об\s+этом\s+)?ничего\s+нет\b.*$"
    r"|(?:没有?人|谁[也都]不)(?:知道|记得|清楚).*$|(?:我的)?(?:记忆|笔记)[里中]?(?:没有|什么[也都]没有).*$"
)
#: Thanks for something, and a thing that is but named beside thanks.
_THANKS: Final = later(
    r"(?:(?:many\s+|big\s+)?thanks|thank\s+you|thx|cheers|merci(?:\s+beaucoup)?|спасибо(?:\s+большое)?|danke|gracias)"
    r"(?:\s+(?:so\s+much|very\s+much|a\s+lot|again))?\s+(?:for|pour|за|für|por)\s+"
    r"(?!.*\b(?:is|are|was|were|that|est|sont|que|это|что)\b)(?:[^\s]+\s*){1,6}$|(?:谢谢|多谢|感谢)你?的?[^是在]{1,12}$"
)
_NAMED_ONLY: Final = later(
    r"(?:(?:about|re|as for)\s+)?(?:the|that|this|le|la|les|l')\s?[\w'’-]+(?:\s[\w'’-]+)?$"
)
#: A question word that stands behind what it asks of: "passport where".
_WORD_BEHIND: Final = later(
    r"(?!.*\b(?:i|you|we|he|she|it|they|know|knows|remember|say|says|tell|forgot|ask|asked|see|no|not|some|any|every|is|was|are"
    r"|do|does|did|matter|else|that|guess|wonder|я|ты|мы|знаю|скажи|не|кое|je|tu|sais|dis|pas|n'importe)\b)"
    r"(?:[\w'’-]+\s+){1,3}(?:where|when|who|why|how\s+(?:much|many|long|old)|what\s+time|где|куда|когда|сколько|où|quand|combien)$"
)
#: What somebody was told, or knows, and does not say here: "where the key is". Behind a comma or colon it may be said.
_SOMETHING: Final = r"""(?:
    (?:where|when|who|whom|whose|which|what|why|how|whether|if|about)
    |où|quand|qui|quoi|quel(?:le)?s?|combien|comment|pourquoi|ce\s+qu[ei]|si
    |где|куда|откуда|когда|кто|как(?:ой|ая|ое|ие)?|сколько|почему|зачем|чей|чья|чьё
    |wo|wohin|woher|wann|wer|wem|was|wie|warum|wieso|welche[rsnm]?|ob
    )\b[^,;:—]*"""
_AGAIN: Final = (
    r"(?:\s+(?:again|still|surely|probably|already|must|might|should|certainly|really|do|may|all|both))*"
)
#: Thanks for having been told something, without it.
_TOLD_THANKS: Final = later(
    rf"""(?:
      (?:(?:many|big|lots\s+of)\s+)?(?:thanks|thank\s+you|thx|ty|cheers)(?:\s+(?:so\s+much|very\s+much|a\s+lot|again))*
        \s+for\s+(?:telling|reminding|showing|informing|explaining(?:\s+to)?|letting)(?:\s+(?:me|us))?(?:\s+(?:know|again|of))*
    | merci(?:\s+(?:beaucoup|bien|encore))*\s+de\s+(?:m['’]avoir|nous\s+avoir)\s+
        (?:dit|redit|rappelée?|expliquée?|indiquée?|montrée?)
    | спасибо(?:\s+(?:большое|тебе|вам))*,?\s+что\s+
        (?:сказал|рассказал|напомнил|объяснил|показал|подсказал)[аи]?(?:\s+(?:мне|нам))?,?
    | (?:vielen\s+)?danke?(?:\s+(?:schön|sehr|dir|euch|ihnen))*,?\s+dass\s+(?:du|ihr|sie)\s+(?:mir|uns)\s+
        (?:gesagt|erklärt|gezeigt|verraten)\s+(?:hast|habt|haben),?
    )\s+{_SOMETHING}""",
    re.VERBOSE,
)
#: Somebody is said to know something, or asked for it in a word or two: "you know where …", "spare key location pls".
_HINTED: Final = later(
    rf"""(?:
      (?:(?:so|but|well)\s+)?(?:you|u|ya){_AGAIN}\s+(?:know|remember|recall){_AGAIN}\s+
        (?!.*\b(?:i|we)\s+(?:\w+\s+)?(?:love|like|hate|feel|need|want|enjoy|prefer)\b)(?!what\W*$){_SOMETHING}
    | (?:tu|vous)\s+(?:sais|savez|te\s+souviens|vous\s+souvenez|te\s+rappelles|vous\s+rappelez)
        (?:\s+(?:bien|déjà|encore|sûrement))*\s+{_SOMETHING}
    | (?:ты|вы)\s+(?:(?:же|ведь|ещё|еще|наверное|точно)\s+)*(?:знаешь|знаете|помнишь|помните),?\s+{_SOMETHING}
    | (?:(?:du|ihr|sie)\s+(?:weißt|wisst|wissen)(?:\s+(?:ja|noch|doch|sicher))*|(?:weißt\s+du|wisst\s+ihr|wissen\s+sie)
        (?:\s+noch)?),?\s+{_SOMETHING}
    | (?:[\w'’-]+\s+){{0,5}}(?:
        location|whereabouts|place|address|time|date|number|code|phone|e?-?mail|link|name|status|price|password|schedule
        |hours|deadline|budget
        |adresse|emplacement|numéro|heure|prix|lien|nom|horaires?
        |(?:адрес|номер|место|время|дата|код|цена|ссылка|пароль)(?:\s+[\w-]+){{0,3}}
        |ort|nummer|uhrzeit|datum|preis|termin
      )(?:\s+(?:of|for|de|du|des|von|vom)(?:\s+[\w'’-]+){{1,4}})?,?\s+
        (?:pls|plz|please|pl[sz]|stp|svp|s['’]il\s+(?:te|vous)\s+pla[iî]t|пж|плиз|пожалуйста|bitte)
    )\W*$""",
    re.VERBOSE,
)
#: What leads to a question of where something is, and says no more than that it is sought.
_SOUGHT: Final = _worded(
    r"i (?:still )?(?:can't|cannot|can not|couldn't) (?:seem to )?find\b|i(?:'ve| have)? (?:lost|misplaced)\b"
    r"|i(?:'m| am) (?:still )?(?:looking|searching|hunting) for\b|i(?:'m trying| am trying|'d like| want)? ?to find\b"
    r"|i need\b|je (?:cherche|ne (?:re)?trouve)\b|j'ai (?:perdu|besoin)\b|(?:{sought})\b"
    r"|(?:я )?(?:ищу|не могу найти|не нахожу|потерял[аи]?)\b|мне нуж(?:ен|на|но|ны)\b|我(?:在找|找不到|需要)"
)
#: The question where that is: a word for places or for seeing, and a pronoun.
_WHERE: Final = _worded(
    r"[^.!?\n]*(?:\b(?:where|seen)\b[^.!?\n]*\b(?:it|they|them|that)\b|\boù (?:est|sont)-(?:il|elle)|\b{where_it_is}"
    r"|\bгде\b[^.!?\n]*\b(?:он|она|оно|они|его|её|ее|их)\b"
    r"|它[^。！？\n]*哪|哪[^。！？\n]*它)"
)
#: A name before a colon, and a question behind it: "the alarm code sheet: where is it?"
_HEADED: Final = later(
    r"(?!.*\b(?:is|are|was|were|has|have|had|will|ist|sind|war|est|sont|es|son|está)\b)"
    r"(?:(?:the|my|our|his|her|their|that|about|regarding|re|der|die|das|den|mein\w*|unser\w*|le|la|les|mon|ma|mes"
    r"|notre|el|los|las|mi|mis|nuestr[oa]s?|мо[йяеёи]|наш\w?)\b|我的|关于)"
)
_GERMAN_UNKNOWING: Final = later(
    rf"(?:ich\s+(?:weiß|weiss)\s+(?:es\s+)?(?:leider\s+|auch\s+)?nicht|(?:ich\s+habe\s+)?keine\s+ahnung),?\s+{_SOMETHING}",
    re.VERBOSE,
)
#: One of these stands in whatever says so: most texts hold none, and are not looked at closely.
_DENYING: Final = (
    "n't", "not", "no ", "dont", "unsure", "uncertain", "any ", "that ", "this ", "enough ", "such ", "knows",
    "beats me", "dunno", "idk", "search me", "не ", "нет ", "понятия", "затрудн", "труд", "слож", "забы", "pas", "plus",
    "nobody", "no one", "noone", "none of", "clear", "unknown", "mystery", "guess", "nothing", "to check", "to look",
    "to ask", "to think", "to find", "let me", "никто", "неизв", "непон", "неясн", "надо ", "personne", "vérif", "谁",
    "aucune", "ignore", "rien", "trop", "kein", "nicht", "sé", "ni idea", "desconozco", "olvid", "不", "没", "忘", "记",
)  # fmt: skip
_ZH_UNKNOWING: Final = later(
    r"(?:我|我们)?(?:也|还|真的?|不太|暂时|目前|并)*(?:不知道|不清楚|不太清楚|不确定|不太确定|不记得|记不清|记不得|不晓得|没印象|说不准|不好说|忘了"
    r"|没有(?:关于|这方面|相关|任何|足够)?.{0,10}(?:信息|记录|资料|印象))(?!.*但).*$"
)
#: What begins a clause that only leads up to a question.
_SUBORDINATE: Final = later(
    r"(?:when|while|if|before|after|as for|about|regarding|concerning|given|speaking of|considering"
    r"|for|in|on|at|with|during"
    r"|когда|если|перед|после|насчёт|насчет|что касается|по поводу"
    r"|quand|lorsque|si|avant|après|pour|à propos|concernant"
    r"|wenn|bevor|nachdem|como|cuando)\b|(?:关于|至于|如果|当)"
)
_OWN: Final = later(
    r"(?:i|i'm|i've|i'd|we|we're|we've|my|our|я|мы|мой|моя|моё|мое|у меня|je|j'|nous|mon|ma|notre)\b|[我咱]"
)
#: So many words at least make a statement beside a question; one that begins with "I" and asks at its end has more.
_LEAST_WORDS: Final = 3
_WHOLE_WORDS: Final = 9
#: A question about what was asked: then questions are what answers.
_ABOUT_ASKING: Final = Cues(
    "ask(?:s|ed|ing)? / questions? / wonder(?:ed|ing)?",
    "спр(?:ашивал|осил|ашиваешь|ашиваю|ашивает)\\w* / вопрос\\w*",
    "demand(?:é|ée|és|ait|ais|er) / questions?",
    "问过 / 问了 / 问的 / 提问 / 问题",
)


def asks_for_questions(reading: QuestionText) -> bool:
    """Recognise a question that is after what was asked: "What did I ask about the ferry?"."""
    return _ABOUT_ASKING.search(reading.asking) is not None


def act_of(item: Item) -> Act:
    """Act of an item. A narrative that quotes nothing but questions asks: its session settled nothing."""
    if item.type in TELLING_OF_TURNS and (quoted := quotations(item.content)):
        return Act.STATES if any(act(one) is Act.STATES for one in quoted) else Act.ASKS
    return act(item.content)


def states(item: Item) -> bool:
    """True if an item states anything."""
    return act_of(item) is Act.STATES


def quotations(text: str) -> list[str]:
    """Quotations of a text, in order."""
    return [one or other for one, other in _QUOTED.findall(text)]


@kept(8192)
def act(text: str) -> Act:
    """Act of a text; the same for the same text.

    It states where any sentence of it does, or a clause beside its question. It asks where nothing is stated and
    something is asked. English, Russian, French and Chinese are known with and without question marks, German and
    Spanish in their commonest forms; of any other language the question mark tells.
    """
    if len(text) > _MOST_CHARS:
        return Act.STATES
    done: set[Act] = set()
    sought = False
    for start, end, mark in sentences(text):
        folded = fold(text[start:end]).strip()
        found = _sentence(folded, marked="?" in mark or "？" in mark) if _SPEAKS.search(folded) else None
        if found is Act.STATES:
            if not (_SOUGHT.match(_opened(folded)) and _WHERE.match(fold(text[end:]).lstrip(" .!…。¿\n"))):
                return found
            sought = True
        elif found:
            done.add(found)
    if sought and Act.ASKS not in done:
        return Act.STATES
    return next((one for one in (Act.ASKS, Act.KNOWS_NOT) if one in done), Act.ACKNOWLEDGES)


def stated(text: str) -> tuple[str, ...]:
    """The sentences of a text that state something, each without what only opens it ("Noted, …")."""
    found: list[str] = []
    for start, end, mark in sentences(text):
        sentence = text[start:end].strip()
        folded = fold(sentence)
        if (
            not _SPEAKS.search(folded)
            or _sentence(folded, marked="?" in mark or "？" in mark) is not Act.STATES
        ):
            continue
        while (first := _CLAUSE_END.search(folded)) and is_chatter(folded[: first.start()].strip()):
            sentence, folded = sentence[first.end() :].strip(), folded[first.end() :].strip()
        found.append(sentence)
    return tuple(found)


def _sentence(folded: str, *, marked: bool) -> Act:
    """Act of a sentence: that of its clauses until one of them asks."""
    if is_chatter(folded):
        return Act.ASKS if marked else Act.ACKNOWLEDGES
    if _TOLD_THANKS.fullmatch(folded):
        return Act.ACKNOWLEDGES
    if _HINTED.fullmatch(folded):
        return Act.ASKS
    if _GERMAN_UNKNOWING.fullmatch(folded):
        return Act.KNOWS_NOT
    clauses = [clause for clause in _clauses(folded) if _SPEAKS.search(clause)]
    told = ignorant = led = False
    thanked = named = False
    first = True
    for number, clause in enumerate(clauses):
        body = _opened(clause)
        if not body or is_chatter(clause) or _THANKS.match(body) or _THANKS.match(clause):
            thanked = True
            continue
        if first and number + 1 < len(clauses) and _leads(body, clauses[number + 1 :], folded):
            first = False
            continue
        first = False
        alone = not (told or led) and clause is clauses[-1]
        if _knows_not(clause) or _knows_not(body):
            ignorant = True
        elif any(_asks(one, marked=marked, alone=alone or ignorant) for one in (clause, body)):
            return Act.STATES if told else Act.KNOWS_NOT if ignorant and not marked else Act.ASKS
        elif _SUBORDINATE.match(body):
            led = True
        else:
            only_named = _NAMED_ONLY.match(body) is not None
            named = named or not only_named
            told = told or (not only_named and _weight(body) >= _LEAST_WORDS)
    if marked:
        tagged = len(clauses) > 1 and _TAG.fullmatch(clauses[-1].strip()) is not None
        return Act.STATES if tagged or (told and _tells(folded)) else Act.ASKS
    if thanked and not (told or led or ignorant or named):
        return Act.ACKNOWLEDGES
    return Act.KNOWS_NOT if ignorant and not (told or led) else Act.STATES


def _leads(body: str, rest: Sequence[str], folded: str) -> bool:
    """True if a clause only names what the rest of its sentence asks for the place of."""
    if _WHERE.match(", ".join(rest).lstrip(" ¿")) is None:
        return False
    headed = _HEADED.match(body) is not None and re.search(f"{re.escape(body)} ?[:：]", folded) is not None
    return headed or _SOUGHT.match(body) is not None


def _tells(folded: str) -> bool:
    """True if a long sentence is about its speaker, whatever it asks at its end."""
    return _weight(folded) >= _WHOLE_WORDS and _OWN.match(_opened(folded)) is not None


def _clauses(folded: str) -> list[str]:
    bounds = [0, *(place for found in _CLAUSE_END.finditer(folded) for place in found.span()), len(folded)]
    return [folded[bounds[n] : bounds[n + 1]].strip() for n in range(0, len(bounds), 2)]


def _opened(clause: str) -> str:
    """A clause without what only opens it, and without words for wondering."""
    rest = clause
    while True:
        opener = _OPENERS.match(rest) or FILLERS.match(rest)
        if opener is None or not opener.end():
            return rest
        rest = rest[opener.end() :].lstrip(" ,，")


def _asks(body: str, *, marked: bool, alone: bool) -> bool:
    """True if a clause asks.

    Args:
        marked: Its sentence ends with a question mark: then a question word near its beginning is enough.
        alone: It is the whole sentence.
    """
    if _ASKING.match(body):
        return True
    if _CJK_CHARACTER.search(body):
        return _ZH_ASKING.search(body) is not None and _ZH_STATING.search(body) is None
    if alone and _WORD_BEHIND.fullmatch(body.rstrip(" .!…")):
        return True
    if _BARE.match(body) and (marked or alone):
        return True
    if not marked:
        return False
    found = QUESTION_WORDS.find(body)
    if found is None or _OWN.match(body):
        return False
    kind, place = found
    return len(body[:place].split()) < (1 if kind is Expects.YES_NO else _LEAST_WORDS)


def _knows_not(body: str) -> bool:
    if not any(word in body for word in _DENYING):
        return False
    return any(
        said.match(body) is not None for said in (_UNKNOWING, _ZH_UNKNOWING, _NOBODY_KNOWS, _NOTHING_NOTED)
    )


def _weight(text: str) -> int:
    """Words of a text; two CJK characters make one."""
    han = len(_CJK_CHARACTER.findall(text))
    return len(_CJK_CHARACTER.sub(" ", text).split()) + han // 2
