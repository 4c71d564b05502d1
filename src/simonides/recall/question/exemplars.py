"""Questions of each intent, as people ask them; what an embedder knows of a question is compared with these."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

#: Language, then intent, then one exemplar a line. Content words are few and plain, so that the nearest
#: exemplar is near for the way it asks, and not for what it asks about.
_ENGLISH = {
    "why": """
why did that happen
why did we choose this one
why was it cancelled
why do I need it
what was the reason for the change
what caused the problem
how come it failed
for what reason did she leave
what made him change his mind
what led to the decision
what motivated them to start
explain the reasons behind this choice
""",
    "when": """
when did that happen
when was the last time we talked about it
when is the deadline
what date was the meeting
what day did he arrive
on which day did it start
in what year did they move
what time does it begin
how long ago was that
since when has she been doing this
when will it be finished
until when is it valid
""",
    "who": """
who did that
who is she
who told me about it
who was there with us
whose is this
whose idea was it
who is responsible for this
with whom did I meet
which person helped me
who did he go with
who should I ask
who owns it
""",
    "what": """
what did she say about it
what is it called
what is the name of the place
what do I like
which one did we choose
where is it
where do they live
what kind of thing is it
what happened at the meeting
which of these did he buy
what does he do for a living
what did we decide
""",
    "general": """
tell me about it
hello, how are you
can you help me with this
write a short summary
do I have one
did they ever go there
how do I do this
give me some suggestions
is it still true
let us continue
how does it work
walk me through everything
""",
}
_RUSSIAN = {
    "why": """
почему это произошло
почему мы выбрали именно это
почему это отменили
зачем мне это нужно
по какой причине она ушла
в чём причина изменений
из-за чего возникла проблема
что заставило его передумать
что привело к такому решению
отчего это не сработало
зачем они это начали
объясни причины этого выбора
""",
    "when": """
когда это произошло
когда мы в последний раз об этом говорили
когда крайний срок
какого числа была встреча
в какой день он приехал
с какого времени это началось
в каком году они переехали
во сколько это начинается
как давно это было
с каких пор она этим занимается
когда это будет готово
до какого числа это действует
""",
    "who": """
кто это сделал
кто она такая
кто мне об этом рассказал
кто там был с нами
чьё это
чья это была идея
кто за это отвечает
с кем я встречался
какой человек мне помог
с кем он поехал
кого мне спросить
кому это принадлежит
""",
    "what": """
что она об этом сказала
как это называется
как называется это место
что мне нравится
какой вариант мы выбрали
где это находится
где они живут
что это за вещь
что произошло на встрече
какой из них он купил
чем он занимается
что мы решили
""",
    "general": """
расскажи об этом
привет, как дела
помоги мне с этим
напиши краткое содержание
есть ли у меня это
бывали ли они там
как это сделать
дай мне совет
это всё ещё так
давай продолжим
как это работает
пройдись по всему подробно
""",
}
_CHINESE = {
    "why": """
为什么会这样
我们为什么选了这个
为什么取消了
我为什么需要它
改变的原因是什么
问题是什么造成的
怎么会失败呢
她因为什么离开
是什么让他改变了主意
为何做出这个决定
他们为啥要开始
解释一下这样选择的理由
""",
    "when": """
这是什么时候发生的
我们上次谈这件事是什么时候
截止日期是哪天
会议是几号
他是哪一天到的
从什么时候开始的
他们是哪一年搬的家
几点开始
那是多久以前的事
她从何时起做这个
什么时候能完成
有效期到什么时候
""",
    "who": """
这是谁做的
她是谁
是谁告诉我的
当时谁和我们在一起
这是谁的
这是谁的主意
谁负责这件事
我和谁见了面
哪个人帮了我
他跟谁一起去的
我该问谁
它归谁所有
""",
    "what": """
她对此说了什么
它叫什么
那个地方的名字是什么
我喜欢什么
我们选了哪一个
它在哪里
他们住在哪儿
那是什么样的东西
会上发生了什么
他买了其中哪个
他是做什么工作的
我们决定了什么
""",
    "general": """
跟我说说这件事
你好，最近怎么样
帮我处理一下
写一个简短的总结
我有没有这个
他们去过那里吗
这个怎么做
给我一些建议
现在还是这样吗
我们继续吧
它是怎么运作的
把整个过程讲一遍
""",
}
_FRENCH = {
    "why": """
pourquoi est-ce arrivé
pourquoi avons-nous choisi celui-ci
pourquoi est-ce que cela a été annulé
pourquoi en ai-je besoin
quelle est la raison de ce changement
qu'est-ce qui a causé le problème
comment se fait-il que cela ait échoué
pour quelle raison est-elle partie
qu'est-ce qui l'a fait changer d'avis
qu'est-ce qui a conduit à cette décision
qu'est-ce qui les a poussés à commencer
explique les raisons de ce choix
""",
    "when": """
quand est-ce arrivé
quand en avons-nous parlé pour la dernière fois
quelle est la date limite
à quelle date était la réunion
quel jour est-il arrivé
depuis quand cela a-t-il commencé
en quelle année ont-ils déménagé
à quelle heure cela commence
il y a combien de temps
depuis quand fait-elle cela
quand est-ce que ce sera fini
jusqu'à quand est-ce valable
""",
    "who": """
qui a fait cela
qui est-elle
qui m'en a parlé
qui était là avec nous
à qui est-ce
de qui était l'idée
qui est responsable de cela
avec qui ai-je eu rendez-vous
quelle personne m'a aidé
avec qui est-il parti
à qui dois-je demander
à qui cela appartient-il
""",
    "what": """
qu'est-ce qu'elle en a dit
comment cela s'appelle
quel est le nom de cet endroit
qu'est-ce que j'aime
lequel avons-nous choisi
où est-ce
où habitent-ils
quel genre de chose est-ce
que s'est-il passé à la réunion
lequel a-t-il acheté
que fait-il dans la vie
qu'avons-nous décidé
""",
    "general": """
parle-moi de cela
bonjour, comment ça va
peux-tu m'aider avec cela
écris un court résumé
est-ce que j'en ai un
y sont-ils déjà allés
comment faire cela
donne-moi quelques conseils
est-ce toujours vrai
continuons
comment cela fonctionne
raconte-moi tout en détail
""",
}

EXEMPLARS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = MappingProxyType(
    {
        language: MappingProxyType(
            {intent: tuple(lines.strip().splitlines()) for intent, lines in one.items()}
        )
        for language, one in (("en", _ENGLISH), ("ru", _RUSSIAN), ("zh", _CHINESE), ("fr", _FRENCH))
    }
)
