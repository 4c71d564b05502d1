"""Turns that take back themselves what they say, and the rest of them."""

from __future__ import annotations

import pytest

from simonides.language.taken_back.within import taken_back_within, without_taken_back

#: A turn, and what of it stands.
STANDS = """
I live in Leeds. I have diabetes. Please forget that. What's the weather? | I live in Leeds. What's the weather?
I live in Leeds. What's the weather? Never mind. | I live in Leeds.
I have a dog. It is sick. Forget that. I like tea. | I like tea.
I live in Leeds. I have diabetes. Forget what I just said. I like tea. | I like tea.
I live in Leeds. I have a dog. Forget what I said about my dog. | I live in Leeds.
I live in Leeds. I have a dog. Forget that I have a dog. | I live in Leeds.
I live in Leeds. I have diabetes, never mind. | I live in Leeds.
I live in Leeds. I have diabetes (please forget that). | I live in Leeds.
I live in Linz. Forget that, I live in Graz. | Forget that, I live in Graz.
I live in Leeds. I have diabetes. Could you forget that, please? | I live in Leeds.
Don't remember this, but I have diabetes. I like tea. | I like tea.
i have diabetes please forget that. I like tea. | I like tea.
Ich wohne in Graz. Ich habe Diabetes. Vergessen Sie das bitte. | Ich wohne in Graz.
Ich wohne in Graz. Vergiss das gleich wieder: Ich habe Diabetes. Ich mag Tee. | Ich wohne in Graz. Ich mag Tee.
Ich wohne in Graz. ich habe diabetes vergiss das bitte | Ich wohne in Graz.
Vivo en Vigo. tengo diabetes olvidalo porfa | Vivo en Vigo.
Vivo en Vigo. Tengo diabetes; olvida eso, por favor. | Vivo en Vigo.
J'habite à Nantes. J'ai du diabète. Oubliez cela, s'il vous plaît. | J'habite à Nantes.
J'habite à Nantes. j'ai du diabète oublie ça stp | J'habite à Nantes.
Я живу в Казани. У меня диабет. Забудьте об этом, пожалуйста. | Я живу в Казани.
Я живу в Казани. у меня диабет забудь плиз | Я живу в Казани.
我住在杭州。我有糖尿病。请忘掉这个。 | 我住在杭州。
我住在杭州。我有糖尿病请忘掉这个 | 我住在杭州。
我住在杭州。我有糖尿病．请忘掉这个． | 我住在杭州。
我住在杭州。我有糖尿病！请你把这个忘掉，好吗？ | 我住在杭州。
I live in Leeds. I have diabetes! Ｐｌｅａｓｅ ｆｏｒｇｅｔ ｔｈａｔ． | I live in Leeds.
Je dois encore 2 500 euros à mon frère. J'ai un chat. Oublie que je dois encore 2 500 euros à mon frère. | J'ai un chat.
I earn 52,000 pounds. I have a dog. Forget what I said about my salary. | I have a dog.
"""

#: Turns of which everything stands.
ALL_STANDS = """
I live in Leeds. I never forget that.
I live in Leeds. Don't forget that.
I live in Leeds. Please don't forget it!
I live in Leeds. Please never forget that I said so.
I have a dog. I often forget that he needs a walk.
I work nights. People forget that.
I have diabetes. My doctor told me to forget about sugar.
I live in Leeds. Did you forget that?
I live in Leeds. Forget-me-nots grow here.
I live in Leeds. Ignore the noise in the log below.
I live in Leeds. Please delete the old draft.
I have a file named a.txt. Please delete it.
I have a red bike. You can skip that part of the story.
I live in Leeds. My sister said to forget it all.
I live in Leeds. I keep a diary so that I don't forget that.
I live in Leeds. I don't remember that.
I live in Leeds. You may forget it, but I won't.
I live in Leeds. Remember that.
I live in Leeds. Please keep that in mind.
I live in Leeds. Please save that.
I live in Leeds. Forgetting that would be silly.
I live in Leeds. Let's not forget that.
I live in Leeds. I'd like you to remember that.
I live in Leeds. I can't forget that.
I live in Leeds. I forget everything I said yesterday.
I live in Leeds. How do I forget that?
I live in Leeds. Is it better to forget that?
I live in Leeds. I would rather not forget that.
I told him: "I live in Leeds. Forget that."
Ich wohne in Graz. Vergiss das nicht.
Ich wohne in Graz. Das darfst du nicht vergessen.
Ich wohne in Graz. Das solltest du nicht vergessen.
Ich wohne in Graz. Ich vergesse das oft.
Ich wohne in Graz. Das habe ich vergessen.
Ich wohne in Graz. Das kann man leicht vergessen.
Ich wohne in Graz. Mir ist egal, was andere denken.
Ich wohne in Graz. Das vergisst man nicht.
Ich wohne in Graz. Merk dir das bitte.
Ich wohne in Graz. Mein Mann vergisst das gern wieder.
Ich wohne in Graz. Ich möchte, dass du das nicht vergisst.
Ich wohne in Graz. Kannst du dir das merken?
Ich wohne in Graz. Vergiss die Blumen nicht.
Ich wohne in Graz. Hast du das vergessen?
Ich wohne in Graz. Bitte nicht vergessen.
Ich wohne in Graz. Bitte merken.
Ich wohne in Graz. Ich habe meiner Mutter nichts gesagt.
Ich wohne in Graz. Speichere das bitte.
Ich wohne in Graz. Wir vergessen das gern.
J'habite à Nantes. N'oublie pas ça.
J'habite à Nantes. N'oublie pas que je t'ai dit ça.
J'habite à Nantes. J'oublie ça souvent.
J'habite à Nantes. Mon fils oublie ça.
J'habite à Nantes. J'ai oublié ça.
J'habite à Nantes. Note ça, s'il te plaît.
J'habite à Nantes. Retiens ça.
J'habite à Nantes. Je n'ai rien dit à ma mère.
J'habite à Nantes. Il ne faut pas oublier ça.
J'habite à Nantes. As-tu oublié ça ?
J'habite à Nantes. Je ne veux pas que tu oublies ça.
J'habite à Nantes. On oublie ça facilement.
Vivo en Valencia. No lo olvides.
Vivo en Valencia. No olvides eso, por favor.
Vivo en Valencia. Mi abuela olvida eso a menudo.
Vivo en Valencia. Se me olvida eso.
Vivo en Valencia. Recuerda eso.
Vivo en Valencia. No he dicho nada a mi madre.
Vivo en Valencia. Guarda eso, por favor.
Vivo en Valencia. No quiero que lo olvides.
Vivo en Valencia. ¿Lo olvidaste?
Vivo en Valencia. No puedo olvidarlo.
Vivo en Valencia. Nunca olvido eso.
Я живу в Казани. Не забудь это.
Я живу в Казани. Не забывай об этом.
Я живу в Казани. Я забыла об этом.
Я живу в Казани. Муж забыл об этом.
Я живу в Казани. Запомни это.
Я живу в Казани. Неважно, где живёт брат.
Я живу в Казани. Не хочу, чтобы ты об этом забыл.
Я живу в Казани. Ты не забыл об этом?
Я живу в Казани. Это нельзя забыть.
Я живу в Казани. Запиши это, пожалуйста.
Я живу в Казани. Маме я ничего не говорила.
Я живу в Казани. Забыть об этом трудно.
我住在杭州。别忘了这个。
我住在杭州。不要忘记这件事。
我住在杭州。请不要忘记。
我住在杭州。我忘了。
我住在杭州。我忘了这个。
我住在杭州。记住这个。
我住在杭州。请记下来。
我住在杭州。我老公忘了这件事。
我住在杭州。我经常忘记吃药。
我住在杭州。这件事我忘不了。
我住在杭州。我不记得了。
我住在杭州。你忘了吗？
我住在杭州。请你记住这件事。
我住在杭州。我没说过这个。
我住在杭州。这件事我忘了。
我住在杭州。别忘记我说的话。
"""


@pytest.mark.parametrize("row", STANDS.strip("\n").splitlines())
def test_what_a_turn_takes_back_is_left_out_and_the_rest_stands(row: str) -> None:
    text, _, rest = row.partition(" | ")
    assert without_taken_back(text) == rest


@pytest.mark.parametrize("text", ALL_STANDS.strip().splitlines())
def test_the_same_words_take_back_nothing_in_another_sentence(text: str) -> None:
    assert taken_back_within(text) == ()


def test_of_a_question_that_is_dismissed_the_statement_before_it_stands() -> None:
    text = "I live in Leeds. Can you tell me the weather? Never mind."
    assert [text[start:end].strip() for start, end in taken_back_within(text)] == [
        "Can you tell me the weather",
        "Never mind",
    ]
