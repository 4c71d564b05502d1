"""Ends of what speakers said of themselves, told in passing; nothing else ends it."""

import pytest

from simonides.language.ended import ended, may_end_something

OVER = """
I'm vegan, have been for years.|so I stopped being vegan, missed cheese too much
I smoke like 10 a day.|3 weeks without a cig now
I work at Tesco as a shift lead.|left Tesco, started at Aldi on monday
I live in Hull with my mum.|got my own flat in Goole now, moved out of mum's
I'm allergic to penicillin.|doc did a test, turns out im not allergic to penicillin after all
My girlfriend is called Amy.|me and amy broke up
I have a dog called Rufus.|rufus died last night :(
I'm pregnant, due in May.|baby's here!! a boy, noah, 3.4 kilos
I'm a law student at Leeds.|graduated yesterday!! first class
I'm learning Polish.|gave up on polish, too hard
I play football on Tuesdays.|knees are shot so no more football for me
I take sertraline 50mg.|they put me on citalopram instead of the sertraline
I'm unemployed since January.|got a job!! warehouse at Amazon
I share a flat with Joe.|joe moved out so I've got the place to myself
Keep your answers short.|you can go longer again with the answers
I have two cats.|had to rehome the cats, Ella's allergic
I use Slack at work.|we switched from slack to teams
Ich bin Veganerin seit Jahren.|esse jetzt wieder käse, bin nicht mehr vegan
Ich arbeite bei Lidl an der Kasse.|bei lidl hab ich aufgehört, bin seit montag bei dm
Meine Freundin heißt Anna.|anna und ich haben uns getrennt
Ich bin schwanger.|das baby ist da!! ein junge
Ich spiele dienstags Fußball.|knie kaputt, mit fußball ist schluss
Antworte bitte immer kurz.|du kannst wieder ausführlicher antworten
Je suis végane donc si tu me proposes un resto, fais gaffe.|jai arrêté d'être végane, le fromage me manquait
Je suis allergique à la pénicilline.|le test est négatif, je suis pas allergique à la pénicilline en fait
Je suis étudiante en droit à Lille.|diplômée!! jai fini mes études
J'apprends le polonais.|jai laissé tomber le polonais, trop dur
Soy vegana desde hace años.|ya no soy vegana, echaba de menos el queso
Estoy embarazada.|ya nació!! un niño, noé
Juego al fútbol los martes.|rodillas fatal, se acabó el fútbol para mí
Я веган уже много лет.|больше не веган, скучал по сыру
Пью сертралин 50мг.|теперь пью циталопрам вместо сертралина
Играю в футбол по вторникам.|колени всё, с футболом завязал
Я не замужем.|вышла замуж в субботу!
Ich bin laktoseintolerant.|stellt sich raus ich bin gar nicht laktoseintolerant
Ich bin Vegetarier.|seit weihnachten esse ich wieder fleisch
Estoy prometida con Luis.|luis y yo rompimos
У меня две кошки.|кошек пришлось отдать
我吃素好几年了。|我不吃素了 太想吃肉
我女朋友叫小安。|我和小安分手了
我怀孕了。|宝宝出生啦!!男孩
我在学日语。|日语不学了 太难
Ich rauche.|rauche nicht mehr
I work with Joe.|joe quit
I smoke.|two weeks without a cig now
Курю.|три недели без сигарет
I'm vegan.|I thought about it a lot, so I stopped being vegan
I drink coffee.|as of today I no longer drink coffee
我怀孕了。|昨晚宝宝出生了
我抽烟。|我戒烟了
"""
STANDS = """
A cat lives with us.|I moved to Leeds
Bei uns wohnt eine Katze.|bin nach Graz gezogen
У нас живёт кошка Муся.|Переехала! Теперь живу на Таганке
Vivo en Valencia.|en verano nos mudamos a Castellón
I'm vegan.|my sister stopped being vegan
I'm vegan.|Tom isn't vegan any more
I'm vegan.|she stopped being vegan
I'm vegan.|we cancelled the vegan cake
I'm vegan.|the vegan place closed down
I'm vegan.|should I stop being vegan?
I'm vegan.|if I stop being vegan I'll tell you
I'm vegan.|I'm thinking of giving up being vegan
I go to yoga on Mondays.|yoga was cancelled today
I'm a vegetarian.|had a vegetarian curry, amazing
My car is a Golf.|sold the golf clubs
I work for the council.|the council dropped the new bike lane
I'm allergic to nuts.|no more nuts for me after last time
I'm allergic to cats.|our cat died
I hate mushrooms.|no more mushrooms please
I don't eat meat.|I stopped eating meat
I live in Leeds.|my brother moved to Leeds
I live in Leeds.|we moved the meeting to Friday
I live in Leeds.|I'm moving to York if I get the job
I live with Kate in Leeds.|I now live with Kate in Leeds.
I work at Tesco.|I quit smoking
I work at Tesco.|started at 6 this morning, so tired
I run a bakery in Lisbon.|I don't run any more.
I have a dog called Rufus.|my neighbour's dog died
I love coffee.|tea instead of coffee today, felt like it
I love coffee.|I didn't drink coffee this morning
I'm pregnant.|my sister had her baby
I'm pregnant.|can't wait till the baby's here
I'm pregnant.|when the baby is born we'll move
I'm a student.|my girlfriend graduated yesterday
I'm unemployed.|got a job interview on monday
I'm single.|my ex boyfriend called
I'm single.|we're together in this
I smoke.|I should quit smoking
Keep your answers short.|that answer was long enough
Keep your answers short.|write a long poem
My brother lives in Ghent.|my brother quit his job
Ich bin Veganerin.|meine schwester ist nicht mehr vegan
Ich bin allergisch gegen Nüsse.|nüsse gibts bei uns nicht mehr
Ich wohne in Bonn.|ich will nach Köln ziehen
Ich bin schwanger.|meine schwester hat entbunden
Ich trinke gern Kaffee.|heute mal tee statt kaffee
Je suis végane.|ma sœur n'est plus végane
Je suis enceinte.|ma sœur a accouché
J'habite à Lyon.|je voudrais déménager à Nice
Soy vegana.|mi hermana ya no es vegana
Soy alérgica a las nueces.|ya no compro nueces
Estoy en paro.|mi novio encontró curro
Я веган.|сестра больше не веган
Я живу в Туле.|хочу переехать в Москву
У меня аллергия на орехи.|орехи больше не покупаю
我吃素。|我妹妹不吃素了
我住在上海。|我想搬到北京
我失业了。|我老公找到工作了
I'm pregnant.|the baby is not here yet
I'm pregnant.|I was born in Leeds
I'm pregnant.|my first was born in 2019
I'm a law student.|done with uni for today
I'm vegan.|had bacon flavoured crisps
I'm a nurse.|I'm not a nurse today, I'm a patient
I'm vegan.|it is not true that I stopped being vegan
I'm vegan.|I dreamt that I stopped being vegan
Ich bin vegan.|alle denken, ich bin nicht mehr vegan
Je suis végane.|tout le monde croit que je ne suis plus végane
Soy vegana.|todos creen que ya no soy vegana
Я веган.|все думают, что я больше не веган
My girlfriend is called Amy.|Amy quit
My girlfriend is called Amy.|Amy retired
Meine Freundin heißt Anna.|Anna hat gekündigt
Ma copine s'appelle Anna.|Anna a été licenciée
Vivo con Luis.|Luis dejó su trabajo
Моя девушка Аня.|Аня уволилась
我女朋友叫小安。|小安辞职了
I smoke.|no smoking in the office
I smoke.|no cigs left, need to buy
I smoke.|I haven't quit smoking
I work at Tesco.|I haven't quit Tesco
I have a dog called Rufus.|rufus hasn't died
Keep your answers short.|can you reply to this long email
Keep your answers short.|can you answer in detail how this works
Ich bin schwanger.|das baby ist noch nicht da
Ich bin arbeitslos.|hab noch keine stelle gefunden
Ich bin Vegetarier.|ich esse kein Fleisch
Ich bin Single.|wir sind zusammen ins Kino
Ich habe ein Auto.|ich habe das Auto nicht verkauft
Ich rauche.|ich habe nicht mit dem Rauchen aufgehört
Ich trinke Kaffee.|heute keinen Kaffee mehr
Je suis enceinte.|le bébé est pas là
Je fume.|deux heures sans clope, dur
Je bois du café.|je ne bois plus de café ce soir
Je travaille chez Lidl.|je n'ai pas quitté Lidl
Tengo un coche.|no vendí el coche
Bebo café.|ya no bebo café hoy
Я беременна.|я родилась в Туле
Курю.|я не курю дома
Курю.|я не бросил курить
Играю в футбол.|сегодня больше не играю в футбол
Отвечай коротко.|можешь подробнее ответить на этот вопрос
我怀孕了。|小王的宝宝出生了
我失业了。|小王找到工作了
我失业了。|还没找到工作
我吃素。|他又吃肉了
我抽烟。|我在家不抽烟
我单身。|他们在一起了
我喝咖啡。|今天不喝咖啡了
我和小安在一起。|我和小安没分手
回答简短。|可以详细回答这个问题吗
"""


def _pairs(table):
    return [line.split("|") for line in table.strip().splitlines()]


@pytest.mark.parametrize(("former", "later"), _pairs(OVER))
def test_what_is_told_in_passing_ends_what_was_so(former, later):
    assert may_end_something(later)
    assert ended(former, later)


@pytest.mark.parametrize(("former", "later"), _pairs(STANDS))
def test_what_is_of_others_wished_denied_or_of_a_day_ends_nothing(former, later):
    assert not ended(former, later)


def test_what_ends_one_thing_ends_nothing_else_of_the_same_language():
    tables = [_pairs(part) for part in OVER.replace("\nIch bin Vegan", "\n\nIch bin Vegan", 1).split("\n\n")]
    english = tables[0]
    assert [
        (former, later)
        for place, (former, _) in enumerate(english)
        for other, (_, later) in enumerate(english)
        if place != other and ended(former, later)
    ] == []


def test_the_part_that_is_over_is_told():
    assert ended("I live in Graz and I'm pregnant, due in May.", "the baby's here!") != ""
    assert ended("I'm a nurse, I have a dog called Rufus.", "rufus died") == "I have a dog called Rufus"
