"""Orders to forget in six languages: what each is about, and sentences with the same words that order nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.language.clauses import sentences_of
from simonides.language.taken_back.orders import forget_order, may_order_to_forget, requests
from simonides.language.taken_back.turns import takes_back, unsays
from simonides.language.taken_back.within import taken_back_within
from simonides.language.taken_back.wording import wording_of

#: An order, and its reach.
ORDERS = """
Forget that.|pointed
Please forget that.|pointed
Could you please forget that?|pointed
Forget I said that.|said it
Forget that I said that.|said it
Never mind.|dismissed
Please don't remember that.|pointed
Pretend I never said that.|said
Don't save what I just said.|said
I'd like you to forget that.|pointed
Let's forget that.|pointed
pls forget it|pointed
Would you mind forgetting that?|pointed
Forget what I just told you, please.|said
Please forget that I live in Leeds.|stated
Forget everything I said.|everything
Forget what I said about my dog.|about
Please delete that from your memory.|pointed
Delete the note that I live in Leeds.|stated
Remove from your memory that I live in Leeds.|stated
Remove from your memory what I just said.|said
Delete the file.|
Vergiss das bitte.|pointed
Vergessen Sie das bitte.|pointed
Das vergisst du bitte gleich wieder.|pointed
Bitte vergiss das gleich wieder.|pointed
Kannst du das bitte wieder vergessen?|pointed
Könnten Sie das bitte vergessen?|pointed
Das kannst du wieder vergessen.|pointed
Das bitte vergessen.|pointed
Bitte vergessen.|pointed
Vergiss, dass ich das gesagt habe.|said it
Bitte vergiss, was ich gerade gesagt habe.|said
Was ich gerade gesagt habe, kannst du wieder vergessen.|said
Merk dir das bitte nicht.|pointed
Bitte nicht merken.|pointed
Vergiss, dass ich in Leipzig wohne.|stated
Vergiss bitte, dass ich in Leipzig wohne.|stated
Bitte vergessen Sie, dass ich in Leipzig wohne.|stated
Ich möchte, dass du das vergisst.|pointed
Es wäre nett, wenn du das wieder vergisst.|pointed
Tu so, als hätte ich nichts gesagt.|said
Olvídalo, por favor.|pointed
Olvide eso, por favor.|pointed
olvidalo porfa|pointed
Olvida que te lo he dicho.|said it
¿Puedes olvidar eso?|pointed
¿Podrías olvidarlo, por favor?|pointed
No lo guardes.|pointed
No guardes eso, por favor.|pointed
Haz como si no hubiera dicho nada.|said
Olvida lo que acabo de decir.|said
Olvida que vivo en Valencia.|stated
Oublie ça.|pointed
Oublie ça, s'il te plaît.|pointed
Oubliez cela, s'il vous plaît.|pointed
Oublie-le stp|pointed
Peux-tu oublier ça ?|pointed
Tu peux l'oublier.|pointed
Merci d'oublier ça.|pointed
Veuillez oublier cela.|pointed
Oublie que je t'ai dit ça.|said it
Oublie ce que je viens de dire, stp.|said
Oublie que j'habite à Nantes.|stated
Ne retiens pas ça.|pointed
Fais comme si je n'avais rien dit.|said
Забудь об этом, пожалуйста.|pointed
Забудьте об этом, пожалуйста.|pointed
забудь плиз|dismissed
Забудь, что я это сказала.|said it
Забудь, что я сейчас сказала.|said
Это забудь, пожалуйста.|pointed
Можешь забыть об этом?|pointed
Не могли бы вы об этом забыть?|pointed
Прошу тебя забыть об этом.|pointed
Не запоминай это.|pointed
Забудь, что я живу в Казани.|stated
Забудь, что у меня есть собака Рекс.|stated
Забудь, что я говорила о своей собаке.|about
Считай, что я ничего не говорила.|said
То, что я сказала, забудь.|said
请忘掉这个。|pointed
请忘记我刚才说的话。|said
把这个忘掉吧。|pointed
忘了我刚说的吧。|said
忘了吧。|dismissed
刚才说的别记。|said
请把我刚才说的忘掉。|said
你能忘掉这个吗？|pointed
请别记这个。|pointed
别记住这件事。|pointed
请忘记我住在杭州。|stated
忘掉我住在杭州。|stated
忘记我是护士。|stated
忘了我说的一切。|everything
当我没说。|said
就当我没说过吧。|said
"""

#: Sentences that order nothing of the kind.
NO_ORDERS = """
Don't forget that.
I never forget that.
I forgot that.
I always forget that.
You forget that.
Vergiss das nicht.
Ich vergesse das oft.
No olvides eso.
Mi abuela olvida todo.
N'oublie pas ça.
J'oublie ça.
Не забудь это.
Я забыла об этом.
我忘了。
我忘了这个。
别忘了这个。
不要忘记这个。
"""

#: By language: a statement, what may lead up to an order to forget it, orders, what may trail behind, and how they end.
PIECES = {
    "en": (
        "I have diabetes",
        (
            " | Please | please, | Oh, | Oops, | Sorry, | Actually, | Hey, | No wait, | Ugh, sorry, | "
            "On second thought, | Um, | Hmm, please | OK, | Just | pls | plz | I'd like you to | "
            "I need you to | You can | You should | Let's | Better"
        ),
        (
            "forget that | forget it | forget this | ignore that | disregard that | forget I said that | "
            "forget that I said that | forget what I said | forget what I just said | "
            "forget what I just told you | forget I ever said it | forget I mentioned it | "
            "forget everything I just said | forget about that | forget about it | "
            "disregard what I just wrote | ignore my last message | ignore the last sentence | "
            "forget that last bit | forget all that | forget I said anything"
        ),
        (
            " | please | , please | , thanks | right away | now | , ok | , thank you | , pls | "
            "immediately | if you can | for me | again | entirely | completely | , sorry | :) | 🙏"
        ),
    ),
    "de": (
        "Ich habe Diabetes",
        (
            " | Bitte | Ach, | Ups, | Sorry, | Moment, | Entschuldigung, | Nein, | Oh je, | Äh, bitte | "
            "Ok, | Ach bitte | Hm, | Na ja,"
        ),
        (
            "vergiss das | vergiss das wieder | vergiss es | vergessen Sie das | vergessen Sie es bitte | "
            "vergiss, dass ich das gesagt habe | vergiss, was ich gesagt habe | "
            "vergiss, was ich gerade gesagt habe | vergiss, was ich eben geschrieben habe | ignorier das | "
            "ignorieren Sie das | vergiss alles, was ich gerade gesagt hab | das vergisst du bitte | "
            "das kannst du vergessen | das kannst du wieder vergessen | das können Sie wieder vergessen | "
            "das bitte vergessen | merk dir das nicht | merken Sie sich das nicht | "
            "vergiss meine letzte Nachricht | ich möchte, dass du das vergisst | "
            "tu so, als hätte ich das nie gesagt | vergesst das | streich das"
        ),
        (
            " | bitte | , bitte | , danke | gleich wieder | sofort | wieder | ganz schnell | einfach | "
            ", ja | bitte sofort | , ok | lieber | 🙏 | mal | doch | bittesehr | bitteee"
        ),
    ),
    "es": (
        "Tengo diabetes",
        (
            " | Por favor, | Por favor | Ay, | Perdón, | Uy, | Espera, | No, | Bueno, | Mejor | Ah, | "
            "Oye, | Disculpa, | porfa"
        ),
        (
            "olvida eso | olvídalo | olvidalo | olvídelo | olvide eso | olvida lo que dije | "
            "olvida lo que acabo de decir | olvida lo que te he dicho | olvida que te lo he dicho | "
            "olvida que dije eso | olvida que te lo conté | ignora eso | ignóralo | olvídate de eso | "
            "olvídese de eso | olvida todo lo que acabo de decir | no guardes eso | no lo recuerdes | "
            "haz como si no hubiera dicho nada | quiero que lo olvides | ignora mi último mensaje | "
            "olvida esto"
        ),
        (
            " | por favor | , por favor | porfa | , porfa | porfis | , gracias | ya | ahora mismo | "
            ", vale | cuanto antes | porfavor | plis | si puedes | 🙏 | , anda | mejor | inmediatamente"
        ),
    ),
    "fr": (
        "J'ai du diabète",
        (
            " | S'il te plaît, | S'il vous plaît | Oh, | Oups, | Pardon, | Désolée, | Attends, | Euh, | "
            "Non, | Bon, | Ah, | Zut, | Excuse-moi, | stp"
        ),
        (
            "oublie ça | oublie-le | oubliez ça | oubliez cela | oublie ce que j'ai dit | "
            "oublie ce que je viens de dire | oublie ce que je t'ai dit | "
            "oubliez ce que je viens de vous dire | oublie que j'ai dit ça | oublie que je t'ai dit ça | "
            "oublie que je te l'ai dit | ignore ça | oublie tout ça | oublie tout ce que je viens de dire | "
            "tu peux oublier ça | tu peux l'oublier | merci d'oublier ça | ne retiens pas ça | "
            "ne note pas ça | j'aimerais que tu oublies ça | fais comme si je n'avais rien dit | "
            "veuillez oublier cela | ignore mon dernier message"
        ),
        (
            " | s'il te plaît | , s'il te plaît | , s'il vous plaît | stp | , stp | svp | , merci | "
            "tout de suite | vite | , d'accord | maintenant | sil te plait | steuplait | 🙏 | "
            "immédiatement | si possible"
        ),
    ),
    "ru": (
        "У меня диабет",
        (
            " | Пожалуйста, | Ой, | Извини, | Прости, | Нет, | Подожди, | Ладно, | Слушай, | Ох, | "
            "Простите, | Так, | Э-э, | Прошу, | плиз"
        ),
        (
            "забудь об этом | забудь это | забудьте это | забудьте об этом | забудь про это | "
            "забудь, что я это сказала | забудь, что я сказал | забудь то, что я сказала | "
            "забудь, что я сейчас сказала | забудь, что я тебе это говорил | "
            "забудьте, что я только что сказала | это забудь | забудь всё, что я сейчас сказала | "
            "не запоминай это | не записывай это | можешь забыть об этом | прошу тебя забыть об этом | "
            "лучше забудь об этом | давай забудем об этом | считай, что я ничего не говорила | "
            "проигнорируй это | забудь моё последнее сообщение | забудь"
        ),
        (
            " | пожалуйста | , пожалуйста | плиз | , плиз | пж | , спасибо | сразу же | поскорее | "
            ", ладно | прошу тебя | если можно | пожалуста | плз | 🙏 | ))) | навсегда | сейчас же"
        ),
    ),
    "zh": (
        "我有糖尿病",
        " | 请 | 拜托， | 不好意思， | 对不起， | 哎呀， | 等等， | 嗯， | 抱歉，",
        (
            "忘掉这个 | 忘了这个 | 忘记这个 | 忘掉它 | 把这个忘掉 | 把它忘了吧 | 把这件事忘了吧 | "
            "忘掉我刚才说的 | 忘了我刚才说的话 | 忘记我刚刚说的话 | 忘了我刚说的 | 把我刚才说的话忘掉 | "
            "刚才说的别记 | 别记这个 | 不要记住这个 | 别记下来 | 忽略我刚才说的 | 忘掉刚才的话 | "
            "忽略上一条消息 | 当我没说 | 当我没说过 | 忘了吧 | 忘掉吧 | 不要保存这个 | 忘记我说过这个"
        ),
        (
            " | 吧 | 好吗 | ，谢谢 | ，拜托 | 吧，谢谢 | 啊 | 哦 | ，好吗 | 吧！ | 🙏 | 哈 | ，麻烦了 | "
            "行吗 | 啦 | ～"
        ),
    ),
}


def _rows(table: str) -> list[str]:
    return table.strip().splitlines()


def _reach(text: str) -> str:
    ((sentence, asks),) = sentences_of(text)
    order = forget_order(wording_of(sentence))
    return "" if order is None or (asks and not requests(wording_of(sentence))) else order.reach.value


@pytest.mark.parametrize("row", _rows(ORDERS))
def test_an_order_is_known_with_its_reach(row: str) -> None:
    text, _, reach = row.partition("|")
    assert (_reach(text), may_order_to_forget(text)) == (reach, True)


@pytest.mark.parametrize("text", _rows(NO_ORDERS))
def test_the_same_words_in_another_sentence_are_no_order(text: str) -> None:
    assert _reach(text) == ""


@st.composite
def orders(draw: st.DrawFn) -> tuple[str, str]:
    """Draw a statement, and an order to forget it, polite or hurried, in whatever case and with whatever end."""
    language = draw(st.sampled_from(sorted(PIECES)))
    statement, *pieces = PIECES[language]
    lead, order, trail = (draw(st.sampled_from(some.split(" | "))) for some in pieces)
    gap = "" if language == "zh" else " "
    text = f"{lead}{gap if lead else ''}{order}"
    text += trail if not trail or trail[0] in ",，" else gap + trail
    if draw(st.booleans()):
        text = text[0].upper() + text[1:]
    ends = ["。", "！", "", "．", "…"] if language == "zh" else [".", "!", "", "...", "!!", "！", "…"]
    return f"{statement}{'。' if language == 'zh' else '.'}", text + draw(st.sampled_from(ends))


@given(orders())
def test_the_next_turn_takes_back_in_whatever_wording(said: tuple[str, str]) -> None:
    statement, order = said
    assert takes_back(statement, ["Noted."], order) or unsays(statement, order)


@given(orders(), st.sampled_from([" ", " – ", " - ", "; ", ", ", "... ", ".\n", "! ", "… "]))
def test_a_turn_takes_back_itself_in_whatever_wording(said: tuple[str, str], gap: str) -> None:
    statement, order = said
    text = f"{statement} {order}" if gap == " " else statement[:-1] + gap + order
    assert any(text[start:end].startswith(statement[:-1]) for start, end in taken_back_within(text))
