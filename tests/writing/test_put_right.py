"""Turns of a few words that put right what their speaker said in the turn before, in six languages."""

from itertools import product, zip_longest

import pytest

from simonides import Memory
from simonides.language.put_right import put_right
from simonides.testing import FrozenClock

#: What begins such a turn, and what ends it; the statements, each with what is put right.
LED = {
    "en": ("No, |No, it's |Sorry, |Wait, it's |Actually, |I meant ", "| not {}|, not {}"),
    "de": ("Nein, |Nein, es ist |Quatsch, |Falsch, es ist |Ich meinte |Ups, ", "|, nicht {}"),
    "es": ("No, |No, es |Perdón, |Ay, no, es |Quise decir |Uy, ", "|, no {}|, no en {}"),
    "fr": ("Non, |Non, c'est |Pardon, |Oups, c'est |Je voulais dire ", "|, pas {}|, pas à {}"),
    "ru": ("Нет, в |Ой, в |Извини, в |Точнее, в ", "|, а не в {}|, не в {}"),
    "zh": ("不，是|不对，是|不对，|我说错了，是|抱歉，是|错了，应该是", "|，不是{}"),
}
STATED = {
    "en": "I live in {}.|Leeds|York|My dog is called {}.|Rex|Max|I work at {}.|Acme|Globex",
    "de": "Ich wohne in {}.|Graz|Linz|Mein Hund heißt {}.|Rex|Max|Ich arbeite bei {}.|Bosch|Siemens",
    "es": "Vivo en {}.|Soria|Lugo|Mi perro se llama {}.|Rex|Max|Trabajo en {}.|Mapfre|Telefónica",
    "fr": "J'habite à {}.|Nantes|Rennes|Mon chien s'appelle {}.|Rex|Max|Je travaille chez {}.|Renault|Airbus",
    "ru": "Я живу в {}.|Казани|Самаре|Я живу в {}.|Уфе|Перми|Я работаю в {}.|Газпроме|Сбербанке",
    "zh": "我住在{}。|杭州|南京|我的狗叫{}。|旺财|小黑|我在{}工作。|阿里|腾讯",
}
#: A statement, a turn, and what is so.
TOLD_ANEW = """
I have a dentist appointment on Monday at 10.|No, it's Tuesday.|I have a dentist appointment on Tuesday at 10.
I have a dentist appointment on Monday at 10.|No, at 11.|I have a dentist appointment on Monday at 11.
Am Montag habe ich einen Zahnarzttermin.|Nein, am Dienstag.|Am Dienstag habe ich einen Zahnarzttermin.
Ich habe am Montag um 10 Uhr einen Zahnarzttermin.|Nein, um 11 Uhr.|Ich habe am Montag um 11 Uhr einen Zahnarzttermin.
Tengo cita con el dentista el lunes a las 10.|No, es el martes.|Tengo cita con el dentista el martes a las 10.
Tengo cita con el dentista el lunes a las 10.|No, a las 11.|Tengo cita con el dentista el lunes a las 11.
J'ai rendez-vous chez le dentiste lundi à 10h.|Non, c'est mardi.|J'ai rendez-vous chez le dentiste mardi à 10h.
J'ai rendez-vous chez le dentiste lundi à 10h.|Non, à 11h.|J'ai rendez-vous chez le dentiste lundi à 11h.
У меня приём у врача в понедельник в 10:00.|Нет, во вторник.|У меня приём у врача во вторник в 10:00.
我周一有牙医预约。|不对，是周二，不是周一。|我周二有牙医预约。
I live in Graz.|Not Graz, Linz.|I live in Linz.
Ich wohne in Graz.|Nicht Graz, sondern Linz.|Ich wohne in Linz.
Ich wohne in der Schweiz.|Nein, in Österreich.|Ich wohne in Österreich.
Ich wohne in der Schweiz.|Nein, Österreich.|Ich wohne in der Schweiz. Nein, Österreich.
我住在杭州。|不是杭州，是南京。|我住在南京。
Я живу в Казани.|Нет, Самара.|Я живу в Казани. Нет, Самара.
Я живу в Казани.|Извини, я имела в виду Самару.|Я живу в Казани. Извини, я имела в виду Самару.
I have two cats.|No, three.|I have three cats.
I have two cats.|No, three cats.|I have three cats.
I have one cat.|No, two.|I have one cat. No, two.
I have 3 kids and 2 dogs.|No, 4 kids.|I have 4 kids and 2 dogs.
I earn 900 euros a month.|Sorry, 950.|I earn 950 euros a month.
I earn 900 euros a month.|Correction: 950 euros.|I earn 950 euros a month.
I earn 900 euros.|No, 950 dollars.|I earn 900 euros. No, 950 dollars.
I have 4 dogs.|Sorry, 5.|I have 5 dogs.
I was born in 1984.|No, 1985.|I was born in 1985.
I live at 12 Oak Street.|No, 14.|I live at 14 Oak Street.
My son is 1.80 m tall.|No, 1.85 m.|My son is 1.85 m tall.
Meine Tochter ist 7 Jahre alt.|Nein, 8.|Meine Tochter ist 8 Jahre alt.
Ich habe zwei Katzen.|Nein, drei.|Ich habe drei Katzen.
J'ai deux chats.|Non, trois.|J'ai trois chats.
Tengo dos gatos.|No, tres.|Tengo tres gatos.
Мне 30 лет.|Нет, 31.|Мне 30 лет. Нет, 31.
我有两只猫。|不，三只。|我有三只猫。
My email is ana@x.org.|No, ana@y.org.|My email is ana@y.org.
My blood pressure is 120/80.|No, 130/80.|My blood pressure is 130/80.
My email is eve@x.org.|Sorry, eve@y.org.|My email is eve@y.org.
My office phone is 555-1234.|Sorry, 555-1235.|My office phone is 555-1235.
I am allergic to peanuts.|No, to walnuts.|I am allergic to walnuts.
I am allergic to peanuts.|No, walnuts, not peanuts.|I am allergic to walnuts.
I am allergic to peanuts.|Not peanuts, walnuts.|I am allergic to walnuts.
I am allergic to peanuts.|Sorry, I mean walnuts.|I am allergic to peanuts. Sorry, I mean walnuts.
I am vegetarian.|Correction: vegan.|I am vegetarian. Correction: vegan.
I play the piano.|No, the violin.|I play the violin.
I work as a nurse.|I meant a midwife.|I work as a midwife.
I drive a red car.|No, a blue one.|I drive a red car. No, a blue one.
Ich bin gegen Erdnüsse allergisch.|Nein, Walnüsse, nicht Erdnüsse.|Ich bin gegen Walnüsse allergisch.
Soy alérgico a los cacahuetes.|No, a las nueces.|Soy alérgico a las nueces.
Je suis allergique aux arachides.|Non, aux noix.|Je suis allergique aux noix.
Я работаю врачом.|Нет, учителем, а не врачом.|Я работаю учителем.
"""
#: The same in other words: what says that it was wrong, an apology behind it, what is denied first, a typed correction.
TOLD_ANEW += """\
I earn 52000 pounds a year.|Sorry, that was wrong, it's 58000.|I earn 58000 pounds a year.
I earn 52000 pounds a year.|That's wrong, I earn 58000.|I earn 58000 pounds a year.
I work in room 402.|I think that's wrong. It's room 204.|I work in room 204.
My blood type is A positive.|Hang on … It's A negative.|My blood type is A negative.
I live in Leeds.|Let me correct that: York.|I live in York.
I work as a nurse.|Or rather, a midwife.|I work as a midwife.
I have two dogs.|Make that three.|I have three dogs.
I have a dentist appointment on 8 June.|Scratch that, 9 June.|I have a dentist appointment on 9 June.
I have two dogs.|Not two but three.|I have three dogs.
I speak Danish.|It's not Danish but Dutch.|I speak Dutch.
I speak Danish.|Dutch, not Danish.|I speak Dutch.
I live in Leeds.|York, sorry.|I live in York.
I'm 38 years old.|39, sorry.|I'm 39 years old.
I earn 900 euros a month.|950, sorry.|I earn 950 euros a month.
I have three dogs.|Two, sorry. Two dogs.|I have two dogs.
I live in York.|*Leeds|I live in Leeds.
I live in leeds.|no, york|I live in york.
I live in leeds.|sorry, york|I live in york.
Ich verdiene 3000 Euro im Monat.|Das war falsch, es sind 3200.|Ich verdiene 3200 Euro im Monat.
Ich verdiene 3000 Euro im Monat.|Nein, ich verdiene 3200.|Ich verdiene 3200 Euro im Monat.
Ich wohne in Graz.|Linz, sorry.|Ich wohne in Linz.
Ich wohne in Graz.|Mein Fehler, Linz.|Ich wohne in Linz.
Ich spreche Dänisch.|Holländisch, nicht Dänisch.|Ich spreche Holländisch.
Ich spreche Dänisch.|Es ist nicht Dänisch, sondern Holländisch.|Ich spreche Holländisch.
Gano 900 euros al mes.|Me equivoqué, son 950.|Gano 950 euros al mes.
Vivo en Soria.|Lugo, perdón.|Vivo en Lugo.
Vivo en Soria.|Mejor dicho, en Lugo.|Vivo en Lugo.
Vivo en Soria.|No en Soria, sino en Lugo.|Vivo en Lugo.
J'habite à Nantes.|Rennes, pardon.|J'habite à Rennes.
J'habite à Nantes.|Ou plutôt, à Rennes.|J'habite à Rennes.
J'habite à Nantes.|Pas à Nantes, mais à Rennes.|J'habite à Rennes.
J'ai deux chats.|Trois, pardon.|J'ai trois chats.
Я живу в Казани.|Я ошибся, в Самаре.|Я живу в Самаре.
Я живу в Казани.|В Самаре, извини.|Я живу в Самаре.
Я живу в Казани.|Не в Казани, а в Самаре.|Я живу в Самаре.
我每月挣9000元。|不好意思，是9500元。|我每月挣9500元。
我每月挣9000元。|刚才说错了，是9500元。|我每月挣9500元。
我会说德语。|不是德语，是法语。|我会说法语。
我会说德语。|是法语，不是德语。|我会说法语。
我住在杭州。|南京，不好意思。|我住在南京。
"""
#: What was meant, said behind it or behind a colon; what interrupts itself; what may be wrong of several.
TOLD_ANEW += """\
I live in Leeds.|Sorry, York I mean.|I live in York.
I earn 900 euros a month.|Sorry, 950 I meant.|I earn 950 euros a month.
I earn 900 euros a month.|No wait, 950.|I earn 950 euros a month.
I earn 900 euros a month.|wait, no: 950|I earn 950 euros a month.
I am allergic to peanuts.|No wait, walnuts.|I am allergic to peanuts. No wait, walnuts.
I am allergic to peanuts.|Sorry, walnuts I mean.|I am allergic to peanuts. Sorry, walnuts I mean.
Ich wohne seit zwei Jahren in Graz.|Nein, warte, Linz.|Ich wohne seit zwei Jahren in Graz. Nein, warte, Linz.
Ich bin allergisch gegen Erdnüsse.|Nein, warte, Walnüsse.|Ich bin allergisch gegen Erdnüsse. Nein, warte, Walnüsse.
Ich bin allergisch gegen Erdnüsse.|*Walnüsse|Ich bin allergisch gegen Erdnüsse. *Walnüsse
Soy alérgico a los cacahuetes.|No, espera, las nueces.|Soy alérgico a los cacahuetes. No, espera, las nueces.
Gano 900 euros al mes.|No espera, 950.|Gano 950 euros al mes.
J'habite à Nantes.|Pardon, je veux dire Rennes.|J'habite à Rennes.
J'habite à Nantes.|oups, je voulais dire Rennes|J'habite à Rennes.
Mon loyer est de 900 euros.|Non, attends, 950.|Mon loyer est de 950 euros.
Я живу в Казани.|Извини, я имел в виду: Самара.|Я живу в Казани. Извини, я имел в виду: Самара.
Моя зарплата 900 евро.|ой, я хотела сказать 950|Моя зарплата 900 евро. Ой, я хотела сказать 950
Моя зарплата 900 евро.|Нет, подожди, 950.|Моя зарплата 900 евро. Нет, подожди, 950.
我住在杭州。|不对，等等，南京。|我住在南京。
我住在杭州。|更正：南京。|我住在南京。
我对花生过敏。|抱歉，我是说核桃。|我对花生过敏。 抱歉，我是说核桃。
Mi mujer Lena y yo vivimos en Soria.|Perdón, Irina.|Mi mujer Lena y yo vivimos en Soria. Perdón, Irina.
My dog Rex and I live in Leeds.|No, Max.|My dog Rex and I live in Leeds. No, Max.
My dog Rex and I live in Leeds.|No, in York.|My dog Rex and I live in York.
"""
#: Denied by name, in other words than the statement has.
BY_NAME = """\
I work at Orange.|Actually no, I'm not at Orange but at OVH, my mistake.|I work at OVH.
I work at Orange.|Sorry, I'm not employed by Orange but by OVH.|I work at OVH.
Wir wohnen in Graz.|Moment, wir sind nicht in Graz, sondern in Linz.|Wir wohnen in Linz.
Je travaille chez Orange.|Non, je ne suis pas chez Orange mais chez OVH, erreur de ma part.|Je travaille chez OVH.
Я работаю в Газпроме.|Ой, я ошиблась: я не в Газпроме, а в Сбербанке.|Я работаю в Сбербанке.
我在华为工作。|说错了,我不在华为,在腾讯。|我在腾讯工作。
"""
#: What is told of somebody else, who is a pronoun by now.
TOLD_ANEW += """\
My sister works at Bosch.|Sorry, she works at Bayer.|My sister works at Bayer.
My daughter is called Carina.|Her name is Karin.|My daughter is called Karin.
My daughter is called Carina.|Sorry, her name is Karin.|My daughter is called Karin.
My brother has two kids.|No, he has three kids.|My brother has three kids.
My sister lives in Leeds.|No, she lives in York.|My sister lives in York.
Meine Schwester arbeitet bei Bosch.|Nein, sie arbeitet bei Bayer.|Meine Schwester arbeitet bei Bayer.
Mein Bruder hat zwei Kinder.|Nein, er hat drei Kinder.|Mein Bruder hat drei Kinder.
Mi hermana trabaja en Mapfre.|No, ella trabaja en Telefónica.|Mi hermana trabaja en Telefónica.
Mi hermana trabaja en Mapfre.|Perdón, trabaja en Telefónica.|Mi hermana trabaja en Telefónica.
Ma sœur travaille chez Renault.|Non, elle travaille chez Airbus.|Ma sœur travaille chez Airbus.
Моя сестра работает в Газпроме.|Нет, она работает в Сбербанке.|Моя сестра работает в Сбербанке.
我妹妹住在重庆。|不对，她住在成都。|我妹妹住在成都。
Meine Tochter heißt Carina.|Sie heißt Karin.|Meine Tochter heißt Karin.
Mi hija se llama Carina.|No, se llama Karina.|Mi hija se llama Karina.
Ma fille s'appelle Carine.|Pardon, elle s'appelle Karine.|Ma fille s'appelle Karine.
Мою дочь зовут Карина.|Нет, её зовут Катя.|Мою дочь зовут Катя.
我女儿叫小红。|不对，她叫小虹。|我女儿叫小虹。
My sister is 30.|No, she's 31.|My sister is 31.
"""
#: Turns that put nothing of it right.
LEFT = """
I work as a nurse.|Sorry, I'm not a nurse but a midwife.
Ich arbeite als Krankenschwester.|Sorry, ich bin keine Krankenschwester, sondern Hebamme.
Trabajo en una librería.|Perdona, no es una librería, es una papelería.
I don't work at Orange.|No, I don't work at Orange but at OVH.
I love Python.|No, I don't love Python but Rust.
I like tea.|Sorry, I don't like tea but coffee.
I love Python.|No, I don't love Python but Rust is fine.
I was born in Paris.|Sorry, I'm not in Paris but in Nice.
Je suis né à Paris.|Pardon, je ne suis pas à Paris mais à Nice.
我在北京出生。|不对，我不在北京，而在上海。
I met Anna in Nice.|Sorry, I'm not in Nice but in Paris.
My cat OVH is old.|Sorry, I'm not at OVH but at Orange.
I used to work at OVH.|Sorry, I'm not at OVH but at Orange.
I work at Orange.|Sorry, I'm not at Orange but at home.
I work at Orange.|Sorry, I'm not at Orange but on holiday.
Ich arbeite bei Orange.|Nein, ich bin nicht bei Orange, sondern im Urlaub.
Je travaille chez Orange.|Pardon, je ne suis pas chez Orange mais en vacances.
I work at Orange.|Sorry: "I'm not at Orange but at OVH", she said.
I am allergic to peanuts.|No, thanks.|No, go on.|No, really.|Sorry, wrong window.|Sorry, one moment.
I am allergic to peanuts.|Sorry, to be clear.
I work at a bank.|Sorry, at work now.|No, wait a second.|Sorry, my mistake.|No, one more thing.|Oops.
I have two cats.|No, 5 minutes.|No, two dogs.|Sorry, 2 questions.|No, two.|No, two cats.
I have 3 kids and 2 dogs.|No, 4.
I play the piano in a band.|No, the violin.
Ich bin gegen Erdnüsse allergisch.|Entschuldigung, einen Moment.|Nein, zwei Minuten.
Tengo dos gatos.|Lo siento, un momento.|No, cinco minutos.
J'ai deux chats.|Pardon, une minute.|Non, cinq minutes.
Мне 30 лет.|Извини, секунду.
我有两只猫。|不好意思，等一下。|不，五分钟。
I live in Graz.|No, thanks.|No, Thanks.|No, I don't.|No.|Not Graz.|Sorry, I'm late.|No, Monday.|No, not Linz.
I live in Graz.|No, it's nice there.|No, wait.|Actually, Linz is nicer.|Wrong turn ahead.|Sorry, Tom here.
I have a dentist appointment on Monday at 10.|No, it's far.|No, Monday.|No, Linz.
I have a meeting on Monday and one on Friday.|No, it's Tuesday.
Ich wohne in Graz.|Nein, Danke.|Nein, Quatsch.|Nein, nicht mehr.|Nein, am Montag.|Nicht Graz.
Ich wohne in Graz.|Nein, es ist schön.|Nein, Spaß.
Vivo en Graz.|No, gracias.|No, Gracias.|No, es bonito.|No, no Graz.
J'habite à Graz.|Non, merci.|Non, Merci.|Non, c'est joli.|Non, pas Graz.
Я живу в Казани.|Нет, спасибо.|Нет, Спасибо.|Нет, не в Казани.|Нет, это хорошо.
I live in Leeds.|Late, sorry.|Traffic, sorry.|Thanks, sorry.|No time, sorry.|Make that work.|*smiles*|*laughs|* Smile
I live in Leeds.|That's wrong.
I live in Leeds.|Hang on, my mum is calling.|My mistake.|It's nice, not bad.|Tea, not coffee.|York, not Bath.
I live in Leeds.|3, sorry.|Scratch that.
I live in leeds.|no, thanks|sorry, later|sorry, traffic|no, really|no, wait|no, never
I have two cats.|Make that a list.|One minute, sorry.|Five minutes, not ten.|Three, not four.|Make that a table.
I have two cats.|Two, sorry.|Bye, sorry.
I work at a bank.|Not a problem, but thanks.|Bank, not office.|Well, not yet.|Maybe, not sure.
Ich wohne in Graz.|Stau, sorry.|Moment, sorry.|Danke, nicht nötig.|Klar, nicht schlimm.|Das stimmt nicht.
Ich wohne in Graz.|Mein Fehler, danke.|Moment mal.
Vivo en Soria.|Gracias, perdón.|Un momento, por favor.|Tarde, perdón.|Error mío, gracias.
J'habite à Nantes.|Merci, pardon.|Attends, une minute.|Retard, pardon.|C'est faux.
Я живу в Казани.|Спасибо, извини.|Погоди, звонят.|Подожди минуту.|Опоздал, извини.
我住在杭州。|等一下，有人敲门。|谢谢，不好意思。|等等，马上回来。|迟到了，不好意思。|你说错了，不对。
My sister works at Bosch.|She works at Bayer.|No, he works at Bayer.|No, she likes it.|Sorry, she is calling.
My sister works at Bosch.|No, she works at night.|No, thanks.|Sorry, works for me.|No, she doesn't.|Her name is Karin.
My sister works at Bosch.|His name is Tom.|No, I work at Bayer.|Sorry, she works a lot.
My sister and my brother work at Bosch.|No, she works at Bayer.|No, he works at Bayer.
My sister works at Bosch with my mother.|No, she works at Bayer.
I work at Bosch.|No, she works at Bayer.|Sorry, she works at Bayer.
Meine Schwester arbeitet bei Bosch.|Nein, er arbeitet bei Bayer.|Nein, sie arbeitet gern.|Sie arbeitet viel.
Mi hermana trabaja en Mapfre.|No, él trabaja en Telefónica.|No, trabaja mucho.
我妹妹住在重庆。|不对，他住在成都。|她喜欢重庆。|不，她很好。
I work at Orange.|My sister isn't at Orange but at OVH, sorry.|Tom's not at Orange but at OVH, sorry.
I work at Orange.|Sorry, she's not at Orange but at OVH.|Sorry, I'm not only at Orange but also at OVH.
I work at Orange.|Sorry, I didn't have lunch at Orange but at Subway.|Sorry, I wasn't at Orange but at OVH.
I work at Orange.|Sorry, I'm not happy at Orange but I need the money.|I'm not at Orange today but at home, sorry.
Ich arbeite bei Bosch.|Sorry, meine Frau ist nicht bei Bosch, sondern bei Bayer.
Trabajo en Mapfre.|Perdona, mi hermana no está en Mapfre sino en Telefónica.
Je travaille chez Orange.|Pardon, je ne travaille pas seulement chez Orange mais aussi chez OVH.
Я работаю в Газпроме.|Ой, я ошиблась: Маша не в Газпроме, а в Сбербанке.
我在华为工作。|说错了,我妹妹不在华为,在腾讯。|不好意思,我不只在华为,也在腾讯。
I earn 900 euros a month.|No wait, thanks.|No wait, really.|Wait, no.|I mean it.|Sorry, that's what I mean.
I am allergic to peanuts.|*laughs|*sighs loudly|No wait.|Wait, lunch.
Ich wohne in Graz.|Nein, warte.|Nein, warte, danke.|Nein, warte, noch was.
Vivo en Soria.|No, espera.|No, espera, gracias.|Quiero decir gracias.
J'habite à Nantes.|Non, attends.|Non, attends, merci.|Je veux dire merci.|Je voulais dire merci.
Я живу в Казани.|Нет, подожди.|Нет, подожди, спасибо.|Я хотела сказать спасибо.
我住在杭州。|不对，等等，谢谢。|不对，等等，我想想。|等等，马上。|我是说谢谢。
我住在杭州。|不，谢谢。|不是南京。|不是。|不客气。|不，没有。|对不起，打扰了。|不对，很好。|不好意思，没事。
"""
#: A statement, and another one behind words by which it is corrected.
ANEW = """
Ich wohne in Graz.|Quatsch, ich wohne in Linz.|Ich wohne in Linz.
Ich wohne in Graz.|Falsch, ich wohne in Linz.|Ich wohne in Linz.
Ich wohne in Graz.|Ups, ich wohne in Linz.|Ich wohne in Linz.
J'habite à Graz.|N'importe quoi, j'habite à Linz.|J'habite à Linz.
J'habite à Graz.|Oups, j'habite à Linz.|J'habite à Linz.
Vivo en Graz.|Ay no, vivo en Linz.|Vivo en Linz.
Vivo en Graz.|Uy, vivo en Linz.|Vivo en Linz.
I live in Graz.|Wrong, I live in Linz.|I live in Linz.
Я живу в Казани.|Чушь, я живу в Самаре.|Я живу в Самаре.
我住在杭州。|不，我住在南京。|我住在南京。
我住在杭州。|错了，我住在南京。|我住在南京。
我住在杭州。|我说错了，我住在南京。|我住在南京。
I live in Leeds.|My mistake, I live in York.|I live in York.
I have two kids.|I made a mistake, I have three kids.|I have three kids.
I live in Leeds.|Let me correct that: I live in York.|I live in York.
I work in room 402.|I think that's wrong. I work in room 204.|I work in room 204.
i live in leeds|actually i live in york|I live in york.
Ich wohne in Graz.|Das stimmt nicht, ich wohne in Linz.|Ich wohne in Linz.
Ich wohne in Graz.|Ich korrigiere: Ich wohne in Linz.|Ich wohne in Linz.
Vivo en Soria.|Eso no es correcto, vivo en Lugo.|Vivo en Lugo.
Vivo en Soria.|Corrijo: vivo en Lugo.|Vivo en Lugo.
J'habite à Nantes.|C'était faux, j'habite à Rennes.|J'habite à Rennes.
J'habite à Nantes.|Je corrige : j'habite à Rennes.|J'habite à Rennes.
Я живу в Казани.|Это неверно, я живу в Самаре.|Я живу в Самаре.
Я живу в Казани.|Исправлюсь: я живу в Самаре.|Я живу в Самаре.
我住在杭州。|刚才说错了，我住在南京。|我住在南京。
我住在杭州。|我来更正一下：我住在南京。|我住在南京。
Ich wohne in Graz.|Falsch geparkt habe ich nie.|Ich wohne in Graz.
"""


def _lines(table):
    return [line.split("|") for line in table.strip().splitlines()]


@pytest.mark.parametrize("code", LED)
def test_a_name_is_put_in_the_place_of_the_one_that_was_said(code):
    led, ends = (words.split("|") for words in LED[code])
    stop = "。" if code == "zh" else "."
    stated = STATED[code].split("|")
    for frame, said, meant in zip(stated[::3], stated[1::3], stated[2::3], strict=True):
        for lead, end in product(led, ends):
            turn = f"{lead}{meant}{end.format(said)}{stop}"
            right = put_right(frame.format(said), turn)
            assert right == frame.format(meant), turn


@pytest.mark.parametrize(("former", "turn", "told"), _lines(TOLD_ANEW + BY_NAME))
def test_what_would_have_to_change_its_form_is_kept_as_it_was_said(former, turn, told):
    assert put_right(former, turn) == told


@pytest.mark.parametrize(("former", "turn"), [(one, turn) for one, *turns in _lines(LEFT) for turn in turns])
def test_what_says_nothing_of_its_kind_puts_nothing_right(former, turn):
    assert put_right(former, turn) is None


@pytest.mark.parametrize("run", ["no, ", "sorry, ", "不对，", "that's wrong, ", "no, not ", "wait … "])
def test_a_run_of_such_words_is_read_at_once(run):
    assert put_right("My sister lives in Leeds.", (run * 60)[:118]) is None


def _kept(path, talks, *, after_each, speakers=("user",)):
    """Contents of what each of some sessions leaves, read at its end or after each turn; one scope a session."""
    clock = FrozenClock("2026-03-02T18:00:00Z")
    with Memory(path, clock=clock) as memory:
        for number, turns in enumerate(zip_longest(*talks)):
            role = speakers[number % len(speakers)]
            for talk, content in enumerate(turns):
                if content is not None:
                    turn = [{"role": role, "content": content}]
                    memory.add(turn, session_id=f"s{talk}", scope=f"user:x{talk}")
            clock.advance(seconds=30)
            if after_each:
                memory.extract()
                clock.advance(seconds=30)
        memory.extract()
        clock.advance(hours=10)
        memory.maintain()
        return {
            tuple(turns): [
                one.content
                for one in memory.list(scope=f"user:x{talk}")
                if one.type not in {"episode", "narrative"}
            ]
            for talk, turns in enumerate(talks)
        }


@pytest.mark.parametrize("after_each", [False, True])
def test_what_was_put_right_stands_alone(tmp_path, after_each):
    expected = {
        (former, turn): [told]
        for former, turn, told in _lines(TOLD_ANEW)[::2] + _lines(BY_NAME)[:-1] + _lines(ANEW)
    }
    assert _kept(tmp_path / "m.db", expected, after_each=after_each) == expected


@pytest.mark.parametrize("after_each", [False, True])
def test_what_was_put_right_is_put_right_again(tmp_path, after_each):
    expected = {
        ("I work at Orange.", "I love hiking.", "Sorry, I'm not at Orange but at OVH."): [
            "I work at OVH.",
            "I love hiking.",
        ],
        ("I have two cats.", "No, three.", "Sorry, four."): ["I have four cats."],
        ("I live in Graz.", "No, Linz, not Graz.", "Wait, it's Wels."): ["I live in Wels."],
        ("I have two cats.", "No, three.", "Thanks.", "No, five."): ["I have three cats."],
    }
    assert _kept(tmp_path / "m.db", expected, after_each=after_each) == expected


#: A statement, what an assistant says behind it, a turn, and what is so.
ANSWERED = """
I earn 900 euros a month.|Then I'd set your food budget to 250.|No, 300.|I earn 900 euros a month.
I'm 34 years old.|Your target is 130 beats a minute.|No, 140.|I'm 34 years old.
My name is Lena.|Hi Lena, I'm Bella, your assistant.|Sorry, Bella.|My name is Lena.
I live in Leeds.|Enjoy your trip to Hull!|No, to York.|I live in Leeds.
I live in Leeds.|I'll look for a venue in Hull.|No, in York.|I live in Leeds.
I live in Leeds.|I'll look for a venue in Hull.|No, York, not Leeds.|I live in York.
I have two kids.|Tell me how many portions you need.|Sorry, four.|I have two kids.
I have two kids.|Should I note that?|No, three.|I have two kids.
My brother lives in Basel.|I'm Max.|Sorry, Max.|My brother lives in Basel.
Ich wohne in Graz.|Ich habe ein Hotel in Wien gefunden.|Nein, in Linz.|Ich wohne in Graz.
Ich habe zwei Katzen.|Ich stelle drei Näpfe auf die Liste.|Nein, vier.|Ich habe zwei Katzen.
Vivo en Soria.|Buscaré un hotel en Madrid.|No, en Lugo.|Vivo en Soria.
J'habite à Nantes.|Je réserve un hôtel à Paris.|Non, à Rennes.|J'habite à Nantes.
Я живу в Казани.|Я нашёл гостиницу в Уфе.|Нет, в Самаре.|Я живу в Казани.
我住在杭州。|我帮你订了在北京的酒店。|不，是南京。|我住在杭州。
I have two cats.|Noted.|No, three.|I have three cats.
I have two cats.|Great, I've noted that you have two cats.|No, three.|I have three cats.
I have two cats.|Got it! Let me know if you need anything else.|No, three.|I have three cats.
I live in Graz.|Nice, Graz is lovely.|No, Linz, not Graz.|I live in Linz.
I live in Graz.|Nice, Graz is lovely.|No, in Linz.|I live in Linz.
Ich wohne in Graz.|Schön! Graz ist eine tolle Stadt.|Nein, in Linz.|Ich wohne in Linz.
Ich habe zwei Katzen.|Ich habe mir notiert, dass du zwei Katzen hast. Sag Bescheid.|Nein, drei.|Ich habe drei Katzen.
Gano 900 euros al mes.|¡Claro, encantado!|No, 950.|Gano 950 euros al mes.
Gano 900 euros al mes.|¡Vaya, es mucho!|No, espera, 950.|Gano 950 euros al mes.
Gano 900 euros al mes.|¡Claro! Como en Soria.|No, 950.|Gano 900 euros al mes.
Ich verdiene 900 Euro im Monat.|Gute Frage!|Nein, 950.|Ich verdiene 950 Euro im Monat.
Ich verdiene 900 Euro im Monat.|Wie in Graz!|Nein, 950.|Ich verdiene 900 Euro im Monat.
Vivo en Soria.|¡Qué bien! Lo apunto.|No, en Lugo.|Vivo en Lugo.
J'habite à Nantes.|Noté, Nantes.|Non, à Rennes.|J'habite à Rennes.
Я живу в Казани.|Понял, Казань.|Нет, в Самаре.|Я живу в Самаре.
我住在杭州。|好的，记下了。|不，是南京。|我住在南京。
"""


@pytest.mark.parametrize("after_each", [False, True])
def test_a_no_to_what_an_assistant_says_of_its_own_puts_nothing_else_right(tmp_path, after_each):
    expected = {tuple(turns): [told] for *turns, told in _lines(ANSWERED)}
    kept = _kept(tmp_path / "m.db", expected, after_each=after_each, speakers=("user", "assistant"))
    assert kept == expected


@pytest.mark.parametrize("after_each", [False, True])
def test_of_what_was_said_again_the_last_word_counts(tmp_path, after_each):
    talks = [
        ("I live in Graz.", "Actually, I live in Linz.", "No, I live in Graz."),
        ("I live in Graz.", "No, in Linz.", "No, I live in Graz."),
        ("I have two cats.", "No, three.", "No, two."),
        ("Ich wohne in Graz.", "Nein, in Linz.", "Nein, ich wohne in Graz."),
        ("Vivo en Graz.", "No, en Linz.", "No, vivo en Graz."),
        ("J'habite à Nantes.", "Non, à Rennes.", "En fait, j'habite à Nantes."),
        ("Я живу в Казани.", "Нет, в Самаре.", "Нет, я живу в Казани."),
        ("我住在杭州。", "不，是南京。", "不，我住在杭州。"),
    ]
    expected = {(first, "OK.", second, "OK.", third): [first] for first, second, third in talks}
    kept = _kept(tmp_path / "m.db", expected, after_each=after_each, speakers=("user", "assistant"))
    assert kept == expected


def test_another_session_puts_nothing_right(tmp_path):
    with Memory(tmp_path / "m.db") as memory:
        for session, content in (("s", "I have two cats."), ("t", "No, three.")):
            memory.add([{"role": "user", "content": content}], session_id=session, scope="user:x")
            memory.extract()
        assert [one.content for one in memory.list(scope="user:x", types=["fact"])] == ["I have two cats."]


def test_what_somebody_verified_is_contested_and_not_replaced(tmp_path):
    with Memory(tmp_path / "m.db") as memory:
        memory.add([{"role": "user", "content": "I have two cats."}], session_id="s", scope="user:x")
        memory.extract()
        (fact,) = memory.list(scope="user:x", types=["fact"])
        memory.confirm(fact.id)
        memory.add([{"role": "user", "content": "No, three."}], session_id="s", scope="user:x")
        memory.extract()
        assert {one.content for one in memory.list(scope="user:x", types=["fact"])} >= {"I have two cats."}
