"""Take-backs of the turn before, and answers that are none: dialogues older than the tables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides import Memory
from simonides.language.taken_back.turns import retracts, takes_back, unsays
from simonides.testing import FrozenClock

#: A statement, perhaps an answer (A:), and the speaker's next turn.
TAKEN_BACK = """
I live in Graz. | No wait, I don't.
I live in Graz. | Forget that.
I live in Graz. | That was a joke.
I live in Graz. | Sorry, wrong window.
I live in Graz. | A: Noted. | Forget that.
I live in Graz. | A: Noted! Anything else? | No wait, I don't.
I live in Graz. | A: Great, I'll remember. | That was a joke.
I live in Graz. | A: Got it. | Sorry, wrong chat.
I'm allergic to nuts. | A: Thanks for telling me. | Scratch that.
I'm allergic to nuts. | Just kidding!
I'm allergic to nuts. | A: Oh no. | Kidding. I'm not.
I like jazz. | A: Nice! | Actually no, I don't.
I am a nurse. | A: That's great. | Sorry, that was my daughter typing.
I am a nurse. | A: Cool. | Ignore that, please.
I am a nurse. | Ignore my last message.
I am a nurse. | A: ok | That's not true.
I am a nurse. | A: ok | That was a lie.
I am a nurse. | A: ok | Please disregard what I just said.
I work at Aldi. | A: ok | Never mind, that's wrong.
I work at Aldi. | A: ok | I made that up.
I work at Aldi. | A: ok | I was joking.
I work at Aldi. | A: ok | Oops, wrong window
I work at Aldi. | A: ok | that was meant for someone else
I work at Aldi. | A: ok | I take that back.
I have two kids. | A: Lovely. | Not really, I was testing you.
I have two kids. | A: Lovely. | That was just a test.
I have two kids. | A: Lovely. | Strike that.
I'm vegetarian. | A: Noted. | Forget what I said.
I'm vegetarian. | A: Noted. | That was autocorrect.
I'm vegetarian. | A: Noted. | I didn't mean that.
I'm vegetarian. | A: Noted. | forget that I'm vegetarian
I live in Graz. | Haha no, I'm only teasing.
I live in Graz. | A: Got it, Graz it is! | Wait, no. That's not right.
I'm a pilot. | A: Impressive! | Nah, I'm kidding.
I'm a pilot. | A: Impressive! | sorry, that was my son
I own a boat. | A: Nice. | Delete that please
I own a boat. | oh sorry, this was for my wife
I own a boat. | A: Noted. | Actually I don't own a boat.
I own a boat. | A: Noted. How can I help? | Hmm, scratch that.
I speak Polish. | A: Good to know! | Not true, I was just checking whether you remember
I speak Polish. | Please ignore that.
I speak Polish. | A: I'll remember that you speak Polish. | No, forget that.
I hate onions. | A: Understood. | That was a typo
I hate onions. | whoops, wrong tab
I hate onions. | A: Understood. | I lied.
I hate onions. | A: ok | Sorry, ignore the last message
Ich wohne in Graz. | Nein, warte, tue ich nicht.
Ich wohne in Graz. | Vergiss das.
Ich wohne in Graz. | A: Notiert. | Vergiss das wieder.
Ich wohne in Graz. | A: Notiert. | Das war ein Witz.
Ich wohne in Graz. | A: Notiert. | Das war nur Spaß.
Ich wohne in Graz. | A: Notiert. | Sorry, falsches Fenster.
Ich wohne in Graz. | A: Alles klar. | Ups, falscher Chat.
Ich bin Krankenschwester. | A: Schön. | Entschuldigung, das war meine Tochter.
Ich bin Krankenschwester. | A: Schön. | Stimmt gar nicht.
Ich bin Krankenschwester. | A: Schön. | Das stimmt nicht.
Ich mag Jazz. | A: Schön. | Quatsch, mag ich nicht.
Ich mag Jazz. | A: Schön. | Nein, doch nicht.
Ich mag Jazz. | Ignoriere das bitte.
Ich mag Jazz. | A: ok | War nur ein Test.
Ich mag Jazz. | A: ok | Ich nehme das zurück.
Ich arbeite bei Aldi. | A: Gut zu wissen. | Ach Quatsch, stimmt nicht.
Ich arbeite bei Aldi. | A: Verstanden. | Nee, war ein Scherz.
Ich arbeite bei Aldi. | Hoppla, das war für meine Frau bestimmt.
Ich habe einen Hund. | A: Schön! | Bitte vergiss das.
Ich habe einen Hund. | A: Schön! | Ich habe gelogen.
Ich habe einen Hund. | A: Ok. | Nein, ich habe keinen Hund.
Ich habe einen Hund. | A: Ok. | das hat mein Sohn geschrieben
Vivo en Graz. | No, espera, no es verdad.
Vivo en Graz. | Olvídalo.
Vivo en Graz. | A: Anotado. | Olvida eso.
Vivo en Graz. | A: Anotado. | Era broma.
Vivo en Graz. | A: Anotado. | Era una broma.
Vivo en Graz. | A: Anotado. | Perdón, ventana equivocada.
Vivo en Graz. | A: Anotado. | Perdona, me equivoqué de chat.
Soy enfermera. | A: Qué bien. | Perdón, era mi hija escribiendo.
Soy enfermera. | A: Qué bien. | No es cierto.
Soy enfermera. | A: Qué bien. | Era mentira.
Soy enfermera. | A: Qué bien. | Ignora lo que acabo de decir.
Soy alérgica a las nueces. | A: Vale. | Solo era una prueba.
Trabajo en Aldi. | A: Entendido. | Era coña.
Trabajo en Aldi. | A: Entendido. | Perdón, eso era para mi marido.
Tengo un perro. | A: Genial. | No, no tengo perro.
Tengo un perro. | A: Genial. | Bah, es mentira.
Tengo un perro. | A: Genial. | olvida lo que dije
Tengo un perro. | A: Genial. | Me lo he inventado.
J'habite à Graz. | Non, attends, c'est faux.
J'habite à Graz. | Oublie ça.
J'habite à Graz. | A: C'est noté. | Oublie ça.
J'habite à Graz. | A: C'est noté. | C'était une blague.
J'habite à Graz. | A: C'est noté. | Je plaisantais.
J'habite à Graz. | A: C'est noté. | Désolé, mauvaise fenêtre.
Je suis infirmière. | A: Super. | Pardon, c'était ma fille qui écrivait.
Je suis infirmière. | A: Super. | Ce n'est pas vrai.
Je suis infirmière. | A: Super. | Ignore ce que je viens de dire.
Je suis infirmière. | A: Super. | Laisse tomber, c'est faux.
J'aime le jazz. | A: Super. | En fait non.
J'aime le jazz. | A: Super. | C'était juste un test.
Je travaille chez Aldi. | A: Compris. | Non, je rigole !
Je travaille chez Aldi. | A: Compris. | Oups, c'était pour ma femme.
J'ai un chien. | A: Génial. | Non, je n'ai pas de chien.
J'ai un chien. | A: Génial. | C'est pas vrai, j'ai menti.
J'ai un chien. | A: Génial. | oublie ce que j'ai dit
J'ai un chien. | Mince, mauvais chat !
Я живу в Граце. | Нет, подожди, это не так.
Я живу в Граце. | Забудь об этом.
Я живу в Граце. | A: Записал. | Забудь это.
Я живу в Граце. | A: Записал. | Это была шутка.
Я живу в Граце. | A: Записал. | Шучу.
Я живу в Граце. | A: Записал. | Извини, не то окно.
Я работаю медсестрой. | A: Отлично. | Простите, это дочка писала.
Я работаю медсестрой. | A: Отлично. | Это неправда.
Я работаю медсестрой. | A: Отлично. | Я пошутил.
Я люблю джаз. | A: Отлично. | Нет, не люблю.
Я люблю джаз. | A: Отлично. | Не обращай внимания на последнее сообщение.
Я люблю джаз. | A: Отлично. | Это был просто тест.
Я работаю в Алди. | A: Понял. | Да нет, шутка.
Я работаю в Алди. | A: Понял. | Ой, это было для жены.
У меня есть собака. | A: Здорово. | Нет, у меня нет собаки.
У меня есть собака. | A: Здорово. | Я соврал.
У меня есть собака. | A: Здорово. | Забудь, что я сказал.
У меня есть собака. | не туда написал, извини
我住在格拉茨。 | 不对，等等，我不住那儿。
我住在格拉茨。 | 忘了吧。
我住在格拉茨。 | A: 记住了。 | 忘掉刚才说的。
我住在格拉茨。 | A: 记住了。 | 开玩笑的。
我住在格拉茨。 | A: 记住了。 | 刚才是开玩笑。
我住在格拉茨。 | A: 记住了。 | 不好意思，发错了。
我喜欢爵士乐。 | A: 好的。 | 抱歉，刚才是我女儿打的。
我喜欢爵士乐。 | A: 好的。 | 那不是真的。
我喜欢爵士乐。 | A: 好的。 | 我骗你的。
我喜欢爵士乐。 | A: 好的。 | 请忽略上一条消息。
我喜欢爵士乐。 | A: 好的。 | 只是测试一下。
我在阿尔迪工作。 | A: 明白了。 | 逗你玩的。
我在阿尔迪工作。 | A: 明白了。 | 这是发给我老婆的。
我有一只狗。 | A: 真好。 | 我没有狗。
我有一只狗。 | A: 真好。 | 我撒谎了。
我有一只狗。 | A: 真好。 | 忘掉我说的话吧。
我有一只狗。 | 哎呀，发错群了
Ich wohne in Graz. | A: Notiert. | Das stimmt nicht, ich habe es erfunden.
I have diabetes. | A: OK. | Forget I said that.
I have diabetes. | A: OK. | Forget that I said that.
I have diabetes. | A: OK. | Could you please forget that?
Ich habe Diabetes. | A: OK. | Vergiss, dass ich das gesagt habe.
Ich habe Diabetes. | A: OK. | Das vergisst du bitte gleich wieder.
Ich habe Diabetes. | A: OK. | Merk dir das bitte nicht.
Tengo diabetes. | A: OK. | Olvida que te lo he dicho.
Tengo diabetes. | A: OK. | olvidalo porfa
J'ai du diabète. | A: OK. | Oublie que je t'ai dit ça.
J'ai du diabète. | A: OK. | Merci d'oublier ça.
У меня диабет. | A: OK. | Забудь, что я это сказала.
У меня диабет. | A: OK. | забудь плиз
我有糖尿病。 | A: OK. | 把这个忘掉吧。
我有糖尿病。 | A: OK. | 忘了我刚说的吧。
我有糖尿病。 | A: OK. | 刚才说的别记。
J'habite à Graz. | A: C'est noté. | Ce n'est pas vrai, je l'ai inventé.
"""

#: A statement, perhaps an answer (A:), and the speaker's next turn.
LEFT_ALONE = """
I live in Graz. | A: Would you like a map? | No, I'm fine, thanks.
I live in Graz. | A: Noted. | Forget that, let's talk about trains.
I live in Graz. | A: Noted. | Actually, one more thing, what's the weather like?
I live in Graz. | A: Nice. Do you like it? | Not really.
I live in Graz. | A: Nice. Do you like it? | No.
I live in Graz. | A: Do you have children? | No, I don't.
I live in Graz. | A: Are you from there? | No, I'm not.
I'm allergic to nuts. | A: Shall I suggest a recipe? | Never mind, I found one.
I'm allergic to nuts. | A: How about a pesto? | No, not that.
I'm allergic to nuts. | A: Here is a Waldorf salad with walnuts. | That's wrong, it has nuts.
I'm allergic to nuts. | A: Here is a Waldorf salad. | That's not what I asked.
I'm allergic to nuts. | A: Why did the nut cross the road? ... | That was a good joke!
I like jazz. | A: Try Coltrane. | I don't know him.
I like jazz. | A: Try Coltrane. | No, something else please.
I like jazz. | A: Nice! | Thanks.
I like jazz. | But only on Sundays.
I am a nurse. | A: Must be hard. | It is.
I am a nurse. | A: Must be hard. | Not at all.
I am a nurse. | A: Do you like it? | Yes, but I don't like the hours.
I am a nurse. | A: Shall I write the letter? | No thanks, forget it.
I work at Aldi. | A: ok | I don't like my boss.
I work at Aldi. | A: How long have you been there? | I don't remember.
I work at Aldi. | A: Is it the one in Main Street? | No, the other one.
I work at Aldi. | A: Is that far? | Wrong question :)
I have two kids. | A: Lovely. | They are not easy.
I have two kids. | A: Boys? | No, girls.
I have two kids. | A: Boys? | Wait, let me show you a picture.
I'm vegetarian. | A: How about a steak? | No!
I'm vegetarian. | A: How about a steak? | Are you joking?
I'm vegetarian. | A: How about a steak? | You must be kidding.
I'm vegetarian. | A: Here's a list of 20 restaurants. | Ignore the ones outside the city.
I'm vegetarian. | A: Here's a recipe with chicken. | I don't eat that.
I'm learning Dutch. | A: Want an exercise? | No wait, first explain the articles.
I'm learning Dutch. | A: Want an exercise? | Sorry, my phone rang.
I'm learning Dutch. | A: Is it hard? | Not so much.
I'm learning Dutch. | I can't pronounce the g.
I'm learning Dutch. | What does 'laat maar' mean?
My name is Ana. | A: Hi Ana! | Open a new window please.
My name is Ana. | A: Is that short for Anastasia? | No, just Ana.
My name is Ana. | A: Hi Anna! | Not Anna.
My daughter is called Mia. | A: How old is she? | She typed this yesterday: hello
My daughter is called Mia. | A: The capital of Australia is Sydney. | That's not true.
I live in Bath. | The flat is small.
I live in Bath. | It's not cheap.
I prefer tea. | No sugar.
I prefer tea. | A: Milk? | No, never.
I prefer tea. | A: Shall I set a reminder? | Forget it.
I play chess. | A: Fancy a game? | Not now.
I play chess. | A: Fancy a game? | I changed my mind, let's do maths.
I'm a pilot. | A: Do you fly often? | Not really, no.
I'm a pilot. | A: That must be exciting! | It was, at first.
I'm a pilot. | A: Should I add it to your CV? | No, don't.
I own a boat. | A: A sailing boat? | No, a motor boat.
I own a boat. | A: Boats can be expensive. | That's true.
I own a boat. | A: You should insure it. | I did that already.
I own a boat. | A: Noted. | I forgot to say it's blue.
I own a boat. | A: Noted. | Do you remember my name?
I own a boat. | A: Would you like a quote? | Nope.
I speak Polish. | A: Dzień dobry! | That was not bad.
I speak Polish. | A: 'Kot' means dog. | That's wrong.
I speak Polish. | A: 'Kot' means dog. | No, that's not right.
I hate onions. | A: I'll leave them out. | Not in the soup, though.
I hate onions. | A: Here's a soup with onions. | Forget that, something else please.
I hate onions. | A: Ok! What about garlic? | I don't mind it.
I hate onions. | A: Understood. | Tell me a joke.
I hate onions. | My wife doesn't.
I hate onions. | That's why I never eat there.
I hate onions. | It was my mother who cooked with them.
I work at Aldi. | This is my first job.
I work at Aldi. | A: Cool. | I was wrong about the salary though.
I live in Graz. | A: Ok. | I don't know many people here.
I live in Graz. | A: Ok. | This was my dream.
I live in Graz. | A: Noted. | Please delete the old reminder.
I live in Graz. | I wasn't born here.
I live in Graz. | A: Noted. | Wrong answers only: why is the sky blue?
I have a dog. | A: Nice. | He's not friendly.
I have a dog. | A: Nice. | My daughter wanted it.
Ich wohne in Graz. | A: Soll ich eine Karte zeigen? | Nein, danke.
Ich wohne in Graz. | A: Gefällt es dir? | Nicht so sehr.
Ich wohne in Graz. | A: Hast du Kinder? | Nein, habe ich nicht.
Ich wohne in Graz. | A: Soll ich den Wetterbericht holen? | Vergiss es.
Ich bin Krankenschwester. | A: Ist das anstrengend? | Eigentlich nicht.
Ich bin Krankenschwester. | A: Die Hauptstadt Australiens ist Sydney. | Das stimmt nicht.
Ich mag Jazz. | A: Wie wäre es mit Coltrane? | Nein, lieber etwas anderes.
Ich mag Jazz. | A: Schön. | Ich kann aber nicht tanzen.
Ich mag Jazz. | A: Schön. | Warte, ich muss kurz weg.
Ich habe zwei Kinder. | A: Jungen? | Nein, Mädchen.
Ich habe zwei Kinder. | A: Schön. | Das ist nicht immer leicht.
Ich bin Vegetarierin. | A: Wie wäre es mit Steak? | Das ist ein Witz, oder?
Ich arbeite bei Aldi. | A: Macht es Spaß? | Nein, gar nicht.
Ich habe einen Hund. | A: Schön! | Er ist nicht sehr brav.
Ich habe einen Hund. | A: Soll ich Futter bestellen? | Nein, vergiss es.
Ich habe einen Hund. | Das war der Wunsch meiner Tochter.
Vivo en Graz. | A: ¿Quieres un mapa? | No, gracias.
Vivo en Graz. | A: ¿Te gusta? | No mucho.
Vivo en Graz. | A: ¿Tienes hijos? | No, no tengo.
Soy enfermera. | A: ¿Es duro? | No siempre.
Soy enfermera. | A: ¿Te ayudo con algo? | Espera, te cuento.
Soy alérgica a las nueces. | A: Prueba el pesto. | No, eso no.
Me llamo Ana. | A: ¿Anastasia? | No, solo Ana.
Tengo dos hijos. | A: ¿Quieres ideas? | Olvídalo, ya no hace falta.
Trabajo en Aldi. | A: ¿Te gusta? | No, nada.
Tengo un perro. | A: Genial. | No es muy obediente.
Tengo un perro. | Era de mi hermana.
J'habite à Graz. | A: Veux-tu une carte ? | Non, merci.
J'habite à Graz. | A: Ça te plaît ? | Pas vraiment.
J'habite à Graz. | A: As-tu des enfants ? | Non, je n'en ai pas.
Je suis infirmière. | A: C'est dur ? | Pas toujours.
Je suis infirmière. | A: Je t'aide ? | Attends, je t'explique.
J'aime le jazz. | A: Essaie Coltrane. | Non, autre chose.
Je m'appelle Ana. | A: Anastasia ? | Non, juste Ana.
J'ai deux enfants. | A: Veux-tu des idées ? | Laisse tomber, j'ai trouvé.
Je travaille chez Aldi. | A: Ça te plaît ? | Non, pas du tout.
J'ai un chien. | A: Génial. | Il n'est pas très sage.
J'ai un chien. | C'était celui de ma sœur.
Я живу в Граце. | A: Показать карту? | Нет, спасибо.
Я живу в Граце. | A: Тебе нравится? | Не очень.
Я живу в Граце. | A: У тебя есть дети? | Нет, у меня нет детей.
Я работаю медсестрой. | A: Это тяжело? | Не всегда.
Я работаю медсестрой. | A: Помочь? | Подожди, расскажу.
Я люблю джаз. | A: Попробуй Колтрейна. | Нет, что-нибудь другое.
Меня зовут Аня. | A: Анастасия? | Нет, просто Аня.
Я работаю в Алди. | A: Нравится? | Нет, совсем нет.
У меня есть собака. | A: Здорово. | Она не очень послушная.
У меня есть собака. | Это был подарок сестры.
我住在格拉茨。 | A: 要地图吗？ | 不用，谢谢。
我住在格拉茨。 | A: 你喜欢那里吗？ | 不太喜欢。
我住在格拉茨。 | A: 你有孩子吗？ | 没有。
我喜欢爵士乐。 | A: 试试科尔特兰。 | 不要，换一个。
我叫小安。 | A: 是安娜吗？ | 不是，就是小安。
我喜欢爵士乐。 | A: 好的。 | 等一下，我接个电话。
我在阿尔迪工作。 | A: 喜欢吗？ | 不喜欢。
我有一只狗。 | A: 真好。 | 它不太听话。
我有一只狗。 | 是我姐姐送的。
I live in Graz. | A: Noted! Let me know if I can help. | No, thanks.
I live in Graz. | A: Noted. | Please don't forget that.
I live in Graz. | A: Noted. | I forgot that.
I live in Graz. | A: Noted. | Forget that, I live in Graz.
Ich wohne in Graz. | A: Notiert. | Das darfst du nicht vergessen.
Ich wohne in Graz. | A: Notiert. | Das vergisst man leicht.
Vivo en Graz. | A: Anotado. | No lo olvides, porfa.
J'habite à Graz. | A: C'est noté. | N'oublie pas que je t'ai dit ça.
Я живу в Граце. | A: Понял. | Не забудь, что я это сказала.
我住在格拉茨。 | A: 好的。 | 我忘了。
我住在格拉茨。 | A: 好的。 | 别忘了我刚说的。
I live in Graz. | A: Noted. | No kidding.
I moved to Graz. | A: When was that? | It was a mistake.
I moved to Graz. | A: Noted. | It was for my job.
I moved to Graz. | A: Noted. | It was for another company.
I have a cat. | A: Noted. | It was my brother who found it.
I live with Tom. | That was my brother.
Ich wohne in Graz. | A: Notiert. | Das war ernst gemeint.
Ich wohne in Graz. | A: Notiert. | Das war nicht gelogen.
Ich bin nach Graz gezogen. | A: Notiert. | Das war an einem Montag.
Ich bin nach Graz gezogen. | A: Notiert. | Das war für meine Frau schwer.
Ich habe eine Katze. | A: Notiert. | Die war für meine Tochter.
Ich wohne bei Tom. | Das war mein Bruder.
Vivo en Graz. | A: Anotado. | No, gracias.
Vivo en Graz. | A: Anotado. | No es broma.
Vivo en Graz. | A: Anotado. | No mentí.
Vivo en Graz. | A: Anotado. | No estoy bromeando.
Vivo en Graz. | A: Anotado. | No era una prueba.
Tengo un perro. | A: Anotado. | Era para mi hijo.
Vivo con Tom. | A: Anotado. | Es mi hermano.
J'habite à Graz. | A: C'est noté. | C'était pour mon travail.
J'habite avec Tom. | A: C'est noté. | C'est mon frère.
Я живу в Граце. | A: Понял. | Это было для работы.
У меня есть кошка. | A: Понял. | Это была моя подруга.
我住在格拉茨。 | A: 好的。 | 不是开玩笑。
我住在格拉茨。 | A: 好的。 | 我不骗你。
我住在格拉茨。 | A: 好的。 | 不是瞎编的。
我跟小明住。 | A: 好的。 | 是我哥哥。
"""

#: A statement, and a turn any time later.
UNSAID = """
I live in Graz. | By the way, I don't live in Graz, I was joking.
I'm a vegetarian. | Actually what I said about being a vegetarian was a lie.
My name is Bob. | I'm not Bob, I was pulling your leg.
I have three kids. | Forget what I said about kids, that was my sister's account.
I live in Graz. I work as a baker. | Everything I told you so far was made up.
I live in Graz. | Forget everything I said.
I live in Graz. | Nothing I told you about myself is true.
I have a dog. | I was lying about the dog.
I have a dog. | I don't have a dog.
I have a dog. | I never had a dog.
I like jazz. | I don't actually like jazz.
I like jazz. | The thing about jazz was a joke.
I am allergic to nuts. | I'm not really allergic to nuts.
Ich wohne in Graz. | Ich wohne übrigens nicht in Graz, das war ein Scherz.
Ich habe einen Hund. | Ich habe gar keinen Hund.
Ich wohne in Graz. | Vergiss alles, was ich gesagt habe.
Ich habe einen Hund. | Das mit dem Hund war gelogen.
Ich habe einen Hund. | Was ich über den Hund gesagt habe, war ein Witz.
Ich wohne in Graz. | Alles, was ich dir erzählt habe, war erfunden.
J'habite à Lyon. | En fait je n'habite pas à Lyon, je plaisantais.
J'ai un chien. | Ce que j'ai dit sur le chien était faux.
J'ai un chien. | Je plaisantais à propos du chien.
J'ai un chien. | Oublie tout ce que j'ai dit.
Vivo en Sevilla. | En realidad no vivo en Sevilla, era broma.
Tengo un perro. | Lo del perro era mentira.
Tengo un perro. | Olvida todo lo que he dicho.
Tengo un perro. | Todo lo que dije era mentira.
Я живу в Твери. | На самом деле я не живу в Твери, я пошутил.
У меня есть собака. | Про собаку я соврал.
У меня есть собака. | Всё, что я говорил, неправда.
У меня есть собака. | Забудь всё, что я сказал.
我住在成都。 | 其实我不住在成都，我开玩笑的。
我有一只狗。 | 关于狗的事是骗你的。
我有一只狗。 | 我说的都是假的。
我有一只狗。 | 忘了我说的一切。
"""

#: A statement, and a turn that takes nothing of it back by name.
LEFT_STANDING = """
I live in Graz. | I don't live in Graz anymore.
I live in Graz. | I no longer live in Graz.
Ich wohne in Graz. | Ich wohne nicht mehr in Graz.
J'habite à Lyon. | Je n'habite plus à Lyon.
Vivo en Sevilla. | Ya no vivo en Sevilla.
Я живу в Твери. | Я больше не живу в Твери.
我住在成都。 | 我已经不住在成都了。
I don't eat meat. | I don't eat meat.
I live in Graz. | Do you think I don't live in Graz?
I live in Graz. | My sister doesn't live in Graz.
I have a dog. | I don't have a cat.
I like jazz. | I don't like rock.
I like jazz. | I don't like jazz on Sundays.
I live in Graz. | I don't like Graz.
I have a dog. | The dog is not well.
I have a dog. | Forget everything you know about dogs.
I have a dog. | You said it was a joke.
I live in Graz. | The movie about Graz was a joke.
I live in Graz. | What you said about Graz was wrong.
"""


def _dialogues(table: str) -> list[list[str]]:
    return [line.split(" | ") for line in table.strip().splitlines()]


@pytest.mark.parametrize("said", _dialogues(TAKEN_BACK), ids=" / ".join)
def test_what_the_next_turn_takes_back_is_known(said: list[str]) -> None:
    assert takes_back(said[0], [one.removeprefix("A: ") for one in said[1:-1]], said[-1])


@pytest.mark.parametrize("said", _dialogues(LEFT_ALONE), ids=" / ".join)
def test_an_answer_or_another_matter_takes_nothing_back(said: list[str]) -> None:
    assert not takes_back(said[0], [one.removeprefix("A: ") for one in said[1:-1]], said[-1])


@pytest.mark.parametrize("said", _dialogues(UNSAID), ids=" / ".join)
def test_what_a_later_turn_names_is_taken_back(said: list[str]) -> None:
    assert unsays(*said)


@pytest.mark.parametrize("said", _dialogues(LEFT_STANDING) + _dialogues(LEFT_ALONE), ids=" / ".join)
def test_an_end_another_matter_or_another_owner_names_nothing_back(said: list[str]) -> None:
    assert not unsays(said[0], said[-1])


@contextmanager
def _memory(said: list[str]) -> Iterator[Memory]:
    turns = [
        {"role": "assistant" if one.startswith("A: ") else "user", "content": one.removeprefix("A: ")}
        for one in said
    ]
    with Memory(":memory:", clock=FrozenClock("2026-03-02T10:00:00Z")) as memory:
        memory.add(turns, session_id="s", scope="user:ana")
        yield memory


def _extracted(said: list[str]) -> list[str]:
    with _memory(said) as memory:
        return [one.content for one in memory.extract().found]


@pytest.mark.parametrize("said", _dialogues(TAKEN_BACK)[::4], ids=" / ".join)
def test_extraction_keeps_nothing_that_the_next_turn_takes_back(said: list[str]) -> None:
    assert _extracted(said[:1]), "the statement alone is kept"
    assert said[0] not in _extracted(said)


@pytest.mark.parametrize("said", _dialogues(LEFT_ALONE)[::4], ids=" / ".join)
def test_extraction_keeps_what_the_next_turn_leaves_alone(said: list[str]) -> None:
    assert said[0] in _extracted(said)


@pytest.mark.parametrize(
    ("said", "accepted"),
    [
        (["I like jazz."], True),
        (["I like jazz.", "A: Noted.", "Actually, one more thing: what's the weather like?"], True),
        (["I like jazz.", "A: Shall I set a reminder?", "Forget it."], True),
        (["I like jazz.", "A: Noted.", "Forget that."], False),
        (["I like jazz.", "A: Noted.", "Actually I hate jazz."], False),
        (["I like jazz.", "Ignore my last message."], False),
        (["I like jazz.", "Forget that I like jazz."], False),
        (["Please don't forget that I like jazz."], True),
        (["I like jazz.", "Forget that.", "I like jazz."], True),
        (["I like jazz.", "Forget that.", "I like jazz.", "Just kidding!"], False),
    ],
)
def test_a_proposal_rests_on_no_turn_that_was_taken_back(said: list[str], *, accepted: bool) -> None:
    proposal = {
        "content": "The user likes jazz.",
        "type": "preference",
        "why_store": "said",
        "source": "chat",
    }
    with _memory(said) as memory:
        verdict = memory.propose([proposal], session_id="s", scope="user:ana").verdicts[0]
    assert (verdict.outcome.value == "accepted") is accepted


def test_a_take_back_reaches_one_turn_only() -> None:
    assert _extracted(["I live in Graz.", "I like jazz.", "Just kidding!", "Scratch that."]) == [
        "I live in Graz."
    ]


_TALK = ("What's the weather like?", "A: Sunny.", "Tell me about trains.", "A: They run on rails.", "Thanks!")


def _written(said: list[str]) -> list[dict[str, Any]]:
    return [
        {
            "role": "assistant" if one.startswith("A: ") else "user",
            "content": one.removeprefix("A: "),
            "id": str(place),
        }
        for place, one in enumerate(said)
    ]


def _known(memory: Memory) -> set[str]:
    """Contents of all that is kept but the talk itself."""
    return {
        item.content for item in memory.list(scope="user:ana") if item.type not in {"episode", "narrative"}
    }


@given(
    st.sampled_from([one for one in _dialogues(UNSAID) if len(one[0].split(". ")) == 1]),
    st.lists(st.sampled_from(_TALK), max_size=5),
    st.lists(st.integers(0, 6), max_size=3),
)
def test_what_is_taken_back_by_name_is_not_kept_whenever_turns_are_extracted(
    said: list[str], between: list[str], extracted: list[int]
) -> None:
    turns = _written([said[0], "A: Noted.", *between, said[1]])
    clock = FrozenClock("2026-03-02T10:00:00Z")
    with Memory(":memory:", clock=clock) as memory:
        for end in range(1, len(turns) + 1):
            memory.add(turns[:end], session_id="s", scope="user:ana")
            clock.advance(seconds=20)
            if end in extracted:
                memory.extract()
        memory.extract()
        assert said[0] not in _known(memory)


@pytest.mark.parametrize("said", _dialogues(TAKEN_BACK)[::3], ids=" / ".join)
def test_what_the_next_turn_takes_back_after_it_was_extracted_waits_for_a_decision(said: list[str]) -> None:
    turns = _written(said)
    with Memory(":memory:", clock=FrozenClock("2026-03-02T10:00:00Z")) as memory:
        memory.add(turns[:1], session_id="s", scope="user:ana")
        memory.extract()
        assert said[0] in _known(memory)
        memory.add(turns, session_id="s", scope="user:ana")
        run_id = memory.extract().run_id
        assert said[0] not in _known(memory)
        (held,) = memory.review.list(scope="user:ana")
        assert (held.item.content, held.verdict.reasons[0].partition(":")[0]) == (said[0], "taken back")
        assert memory.search(said[0], scope="user:ana", types=["identity", "preference", "fact"]).hits == ()
        assert run_id is not None
        memory.undo(run_id)
        assert said[0] in _known(memory)


@pytest.mark.parametrize("said", _dialogues(LEFT_ALONE)[::3], ids=" / ".join)
def test_what_the_next_turn_leaves_alone_stays_after_it_was_extracted(said: list[str]) -> None:
    turns = _written(said)
    with Memory(":memory:", clock=FrozenClock("2026-03-02T10:00:00Z")) as memory:
        memory.add(turns[:1], session_id="s", scope="user:ana")
        memory.extract()
        known = _known(memory)
        memory.add(turns, session_id="s", scope="user:ana")
        memory.extract()
        assert known <= _known(memory)


def test_what_a_person_confirmed_or_another_turn_says_is_not_held_back() -> None:
    clock = FrozenClock("2026-03-02T10:00:00Z")
    with Memory(":memory:", clock=clock) as memory:
        turns = _written(
            ["I live in Graz.", "A: Noted.", "I like jazz.", "A: Noted.", "I like jazz.", "Forget that."]
        )
        memory.add(turns[:5], session_id="s", scope="user:ana")
        memory.extract()
        (lives,) = memory.list(scope="user:ana", types=["identity"])
        memory.confirm(lives.id)
        memory.add(turns, session_id="s", scope="user:ana")
        memory.extract()
        assert _known(memory) == {"I live in Graz.", "I like jazz."}
        memory.add(
            [*turns, {"role": "user", "content": "Forget everything I said."}],
            session_id="s",
            scope="user:ana",
        )
        memory.extract()
        assert _known(memory) == {"I live in Graz."}


def test_a_proposal_that_was_accepted_waits_once_its_turn_is_taken_back() -> None:
    claim = {"content": "The user likes jazz.", "type": "preference", "why_store": "said", "source": "chat"}
    with _memory(["I like jazz."]) as memory:
        accepted = memory.propose([claim], session_id="s", scope="user:ana").verdicts[0]
        turns = _written(
            ["I like jazz.", "A: Noted.", "Which records?", "A: Kind of Blue.", "I don't like jazz."]
        )
        memory.add(turns, session_id="s", scope="user:ana")
        memory.extract()
        assert accepted.outcome.value == "accepted"
        assert memory.get(accepted.item_id).status.value == "quarantined"


#: What somebody has forgotten in other words than it was said, and statements that these words do not name.
IN_OTHER_WORDS = """
My partner's name is Lena. | Please forget that my partner is called Lena. | My dog is called Lena.
I'm based in Leeds. | That was a joke, I don't live in Leeds. | I was born in Leeds. | I live in York.
I have a walnut allergy. | Please forget that I'm allergic to walnuts. | I love walnuts. | I'm allergic to latex.
Der Name meiner Partnerin ist Lena. | Bitte vergiss, dass meine Partnerin Lena heißt. | Mein Hund heißt Lena.
Ich lebe seit zwei Jahren in Graz. | Das war ein Witz, ich wohne nicht in Graz. | Ich war in Graz.
Hab eine Allergie gegen Walnüsse. | Bitte vergiss, dass ich gegen Walnüsse allergisch bin. | Ich mag Walnüsse.
El nombre de mi pareja es Lena. | Por favor, olvida que mi pareja se llama Lena. | Mi perra se llama Lena.
Tengo alergia a las nueces. | Era una broma, no soy alérgico a las nueces. | Me gustan las nueces.
Je vis à Nantes. | C'était une blague, je n'habite pas à Nantes. | Je suis né à Nantes.
J'ai une allergie aux noix. | S'il te plaît, oublie que je suis allergique aux noix. | J'adore les noix.
Имя моей жены — Лена. | Пожалуйста, забудь, что мою жену зовут Лена. | Мою дочь зовут Лена.
我现在定居成都。 | 请忘记我住在成都。 | 我在成都出生。
我女朋友的名字是李娜。 | 请忘记我女朋友叫李娜。 | 我妹妹叫李娜。
My rent is 730 euros. | Please forget my rent. | I pay 40 euros for power.
I earn 52,000 pounds a year. | Could you please forget about my salary? | I pay 40 euros for power.
I'm allergic to walnuts. | Forget what I said about my allergy. | I have friends allergic to nuts. | I love walnuts.
I'm severely allergic to nuts. | Please forget my allergies. | My sister is allergic to nuts. | I dated a vegan.
I work as a baker at Acme. | What I said about my job was a joke. | I worked on my car. | My brother works at Acme.
I live in Graz. | Please forget what I told you about my address. | My sister lives in Graz. | I was in Graz.
I'm 45. | Please forget my age. | I'm 45 minutes late. | My brother is 45.
I was born on 3 March 1980. | Please forget my birthday. | My son was born on 3 March 1980.
I'm married to Max. | Forget what I said about my husband. | My sister is married to Max. | I met Max.
I'm a strict vegan. | Please forget what I said about my diet. | I'm dating a vegan. | My cat is no vegan.
Ich bin gegen Walnüsse allergisch. | Vergiss, was ich über meine Allergie gesagt habe. | Ich mag Walnüsse.
Ich arbeite bei Acme. | Vergiss bitte, was ich über meinen Job gesagt habe. | Mein Bruder arbeitet bei Acme.
Ich bin 45. | Bitte vergiss mein Alter. | Ich bin 45 Minuten zu spät.
J'habite à Lyon. | Oublie ce que j'ai dit sur mon adresse. | Ma sœur habite à Lyon.
Je suis allergique aux noix. | Oublie ce que j'ai dit sur mon allergie. | J'adore les noix.
Trabajo en Acme como enfermera. | Por favor, olvida mi trabajo. | Mi hermano trabaja en Acme.
Soy alérgica a las nueces. | Olvida lo que dije sobre mi alergia. | Me gustan las nueces.
Я работаю в Сбере. | Забудь, пожалуйста, про мою работу. | Мой брат работает в Сбере.
Мне 45 лет. | Забудь, что я говорил про мой возраст. | Моему брату 45 лет.
我在华为工作。 | 请忘记我的职业。 | 我哥哥在华为工作。
我住在杭州。 | 请忘记我的地址。 | 我在杭州出差。
Meine Miete beträgt 730 Euro. | Bitte vergiss meine Miete. | Ich zahle 40 Euro für Strom.
Ich zahle 730 Euro Miete. | Vergiss bitte, dass meine Miete 730 Euro beträgt. | Ich zahle 730 Euro für das Auto.
Mi alquiler es de 730 euros. | Por favor, olvida mi alquiler. | Pago 40 euros de luz.
Mon loyer est de 730 euros. | S'il te plaît, oublie mon loyer. | Je paie 40 euros d'électricité.
Моя аренда — 730 евро. | Пожалуйста, забудь про мою аренду. | Я плачу 40 евро за свет.
我的房租是730欧元。 | 请忘记我的房租。 | 我付40欧元电费。
我今年28岁。 | 请忘记我的年龄。 | 我儿子今年28岁。 | 我在这里住了28年。
我二十八岁。 | 把我的年龄忘掉吧。 | 我弟弟二十八岁。
我月薪两万。 | 请忘记我的工资。 | 我老婆月薪两万。
我有痛风。 | 把我痛风的事忘掉吧，别再提了。 | 我爸爸有痛风。 | 我有糖尿病。
我有痛风。 | 请忘记我有痛风这件事。 | 我有糖尿病。
我有痛风。 | 请把我有痛风这件事从记忆里删除。 | 我有糖尿病。
I'm 45. | Delete my age from your memory. | My brother is 45.
I have gout. | Erase from your memory what I said about gout. | I have a cat.
J'ai 45 ans. | Efface mon âge de ta mémoire. | Mon frère a 45 ans.
I'm 45. | Can you forget my age? | My brother is 45.
J'ai 45 ans. | Peux-tu oublier mon âge ? | Mon frère a 45 ans.
J'ai du diabète. | Je veux que tu oublies mon diabète. | J'ai du retard.
Tengo gota. | Quiero que olvides mi gota. | Mi padre tiene gota.
Мне 45 лет. | Можешь забыть мой возраст? | Моему брату 45 лет.
Mon copain s'appelle Hugo. | Oublie le nom de mon copain, s'il te plaît. | Mon copain habite à Lyon.
Tengo gota. | Olvida lo de mi gota, por favor. | Mi padre tiene gota.
Tengo gota. | Borra de tu memoria lo de la gota. | Tengo un gato.
Mi novio se llama Hugo. | Por favor, olvida el nombre de mi novio. | Mi novio vive en Vigo.
У меня есть кредит. | Удали из памяти про мой кредит. | У меня есть кот.
Моего парня зовут Дима. | Забудь имя моего парня, пожалуйста. | Мой парень живёт в Туле.
Ich bin 45. | Lösch mein Alter aus deinem Gedächtnis. | Mein Bruder ist 45.
Mein Freund heißt Hugo. | Vergiss bitte den Namen meines Freundes. | Mein Freund wohnt in Graz.
"""


@pytest.mark.parametrize(
    ("former", "turn", "others"),
    [
        (former, turn, others)
        for former, turn, *others in (line.split(" | ") for line in IN_OTHER_WORDS.strip().splitlines())
    ],
)
def test_what_is_forgotten_in_other_words_is_known(former, turn, others):
    assert retracts(former, turn)
    for other in others:
        assert not retracts(other, turn), other


@pytest.mark.parametrize(
    "turn",
    """
    Forget my rent.|Forget my rent, I want cake.|Please don't forget my rent.|Don't forget my rent, please.
    Please forget my rent for today.|I always forget my rent, please help.|Please forget my last message.
    Don't delete my rent from your memory.|Delete my rent.|Is my rent in your memory?
    Can I forget my rent?|Did you forget my rent?|Can you not forget my rent?
    Can you ignore my rent?|Could you disregard my rent?
    Delete my rent from the files.|Remove the rent of 730 euros in the history.
    """.strip()
    .replace("\n", "|")
    .split("|"),
)
def test_a_matter_is_not_forgotten_by_what_dismisses_it_or_reminds_of_it(turn):
    assert not retracts("My rent is 730 euros.", turn.strip())


@pytest.mark.parametrize(
    ("former", "turn"),
    [
        ("Meine Miete beträgt 730 Euro.", "Bitte vergiss meine Miete nicht."),
        ("Mi alquiler es de 730 euros.", "Por favor, no olvides mi alquiler."),
        ("Mon loyer est de 730 euros.", "N'oublie pas mon loyer, s'il te plaît."),
        ("Моя аренда — 730 евро.", "Пожалуйста, не забудь про мою аренду."),
    ],
)
def test_who_asks_not_to_forget_takes_nothing_back(former, turn):
    assert not retracts(former, turn)


@pytest.mark.parametrize(
    ("former", "of_another", "of_oneself"),
    [
        (
            "My sister lives in Leeds.",
            "Forget that my sister lives in Leeds.",
            "Forget that I live in Leeds.",
        ),
        (
            "My sister lives in Leeds.",
            "Forget what I said about my sister.",
            "It was a joke, I don't live in Leeds.",
        ),
        ("My sister's rent is 900 euros.", "Please forget my sister's rent.", "Please forget my rent."),
        (
            "Meine Schwester wohnt in Graz.",
            "Vergiss, dass meine Schwester in Graz wohnt.",
            "Vergiss, dass ich in Graz wohne.",
        ),
        ("Mi hermana vive en Vigo.", "Olvida que mi hermana vive en Vigo.", "Olvida que vivo en Vigo."),
        (
            "Mon frère habite à Nantes.",
            "Oublie que mon frère habite à Nantes.",
            "Oublie que j'habite à Nantes.",
        ),
        (
            "Моя сестра живёт в Казани.",
            "Забудь, что моя сестра живёт в Казани.",
            "Забудь, что я живу в Казани.",
        ),
        ("我姐姐住在成都。", "忘掉我姐姐住在成都。", "忘掉我住在成都。"),
    ],
)
def test_what_is_told_of_another_is_not_taken_back_with_what_one_said_of_oneself(
    former, of_another, of_oneself
):
    assert retracts(former, of_another)
    assert not retracts(former, of_oneself)


@pytest.mark.parametrize(
    ("turns", "held", "stands"),
    [
        (
            ("I live in Leeds.", "I'm based in Leeds with my two cats.", "Forget that I live in Leeds."),
            "I live in Leeds.",
            "I'm based in Leeds with my two cats.",
        ),
        (
            (
                "My sister is allergic to latex.",
                "I have a latex allergy.",
                "Forget that I'm allergic to latex.",
            ),
            "I have a latex allergy.",
            "My sister is allergic to latex.",
        ),
        (
            ("My rent is 730 euros.", "My sister's rent is 900 euros.", "Please forget my rent."),
            "My rent is 730 euros.",
            "My sister's rent is 900 euros.",
        ),
    ],
)
def test_what_is_meant_is_held_back_alone(tmp_path, turns, held, stands):
    clock = FrozenClock("2026-03-02T18:00:00Z")
    with Memory(tmp_path / "m.db", clock=clock) as memory:
        for place, content in enumerate(turns):
            memory.add([{"role": "user", "content": content}], session_id=f"s{place}", scope="user:x")
            clock.advance(days=1)
            memory.extract()
        assert [one.item.content for one in memory.review.list(scope="user:x")] == [held]
        kept = [one for one in memory.list(scope="user:x") if one.type not in {"episode", "narrative"}]
        assert [(one.content, one.validation.value) for one in kept] == [(stands, "unverified")]
