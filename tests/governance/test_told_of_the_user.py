"""Plain statements of users and the same told of them in the third person, in five languages."""

import pytest

from simonides.governance.bearing import bears_out

#: What a user says, and the same told of them.
STATED = """
Me gusta el jazz. | Al usuario le gusta el jazz.
Prefiero el té. | El usuario prefiere el té.
Me gustan los gatos. | Al usuario le gustan los gatos.
A mí me gusta el jazz. | Al usuario le gusta el jazz.
Me encanta el jazz. | Al usuario le encanta el jazz.
No me gusta el café. | Al usuario no le gusta el café.
Soy alérgica a las nueces. | La usuaria es alérgica a las nueces.
Vivo en Graz. | El usuario vive en Graz.
Trabajo en Aldi. | El usuario trabaja en Aldi.
Tengo dos hijos. | El usuario tiene dos hijos.
Soy enfermera. | La usuaria es enfermera.
Me llamo Ana. | La usuaria se llama Ana.
Mi hermana vive en Graz. | La hermana del usuario vive en Graz.
Prefiero el té al café. | El usuario prefiere el té al café.
Bebo té. | El usuario bebe té.
Estudio medicina. | El usuario estudia medicina.
Me duele la espalda. | Al usuario le duele la espalda.
Hablo inglés. | El usuario habla inglés.
Odio el café. | El usuario odia el café.
Ich mag Jazz. | Der Nutzer mag Jazz.
Mir gefällt Jazz. | Dem Nutzer gefällt Jazz.
Ich bevorzuge Tee. | Der Nutzer bevorzugt Tee.
Ich trinke lieber Tee. | Der Nutzer trinkt lieber Tee.
Ich heiße Ana. | Die Nutzerin heißt Ana.
Ich bin Krankenschwester. | Die Nutzerin ist Krankenschwester.
Ich arbeite bei Aldi. | Der Nutzer arbeitet bei Aldi.
Meine Schwester wohnt in Graz. | Die Schwester des Nutzers wohnt in Graz.
Ich habe zwei Kinder. | Der Nutzer hat zwei Kinder.
Ich esse kein Fleisch. | Der Nutzer isst kein Fleisch.
Ich bin allergisch gegen Nüsse. | Der Nutzer ist allergisch gegen Nüsse.
Ich spreche Englisch. | Der Nutzer spricht Englisch.
Mir schmeckt Tee. | Dem Nutzer schmeckt Tee.
Ich liebe Tee. | Der Nutzer liebt Tee.
Mein Hund heißt Rex. | Der Hund des Nutzers heißt Rex.
J'aime le jazz. | L'utilisateur aime le jazz.
Je préfère le thé. | L'utilisateur préfère le thé.
Je suis infirmière. | L'utilisatrice est infirmière.
Je m'appelle Ana. | L'utilisatrice s'appelle Ana.
J'ai deux enfants. | L'utilisateur a deux enfants.
Je travaille chez Aldi. | L'utilisateur travaille chez Aldi.
Je n'aime pas le café. | L'utilisateur n'aime pas le café.
Ma sœur habite à Graz. | La sœur de l'utilisateur habite à Graz.
Je bois du thé. | L'utilisateur boit du thé.
Je suis allergique aux noix. | L'utilisateur est allergique aux noix.
Je parle anglais. | L'utilisateur parle anglais.
Mon chien s'appelle Rex. | Le chien de l'utilisateur s'appelle Rex.
Я люблю джаз. | Пользователь любит джаз.
Мне нравится джаз. | Пользователю нравится джаз.
Я предпочитаю чай. | Пользователь предпочитает чай.
Меня зовут Аня. | Пользователя зовут Аня.
Я живу в Граце. | Пользователь живёт в Граце.
Я работаю в Алди. | Пользователь работает в Алди.
У меня двое детей. | У пользователя двое детей.
У меня есть собака. | У пользователя есть собака.
Я не ем мясо. | Пользователь не ест мясо.
У меня аллергия на орехи. | У пользователя аллергия на орехи.
Моя сестра живёт в Граце. | Сестра пользователя живёт в Граце.
Я пью чай. | Пользователь пьёт чай.
Я говорю по-английски. | Пользователь говорит по-английски.
我喜欢爵士乐。 | 用户喜欢爵士乐。
我住在格拉茨。 | 用户住在格拉茨。
我更喜欢茶。 | 用户更喜欢茶。
我叫小安。 | 用户叫小安。
我有两个孩子。 | 用户有两个孩子。
我在阿尔迪工作。 | 用户在阿尔迪工作。
我不吃肉。 | 用户不吃肉。
我对坚果过敏。 | 用户对坚果过敏。
我妹妹住在格拉茨。 | 用户的妹妹住在格拉茨。
我偏好茶。 | 用户偏好茶。
我的狗叫雷克斯。 | 用户的狗叫雷克斯。
"""
#: Two ways to say one thing.
ALIKE = {"Me gusta el jazz.", "A mí me gusta el jazz."}
#: What somebody says, and what it does not say of the user.
NOT_STATED = """
Le gusta el jazz. | Al usuario le gusta el jazz.
No me gusta el jazz. | Al usuario le gusta el jazz.
Te gusta el jazz. | Al usuario le gusta el jazz.
A mi hermana le gusta el jazz. | Al usuario le gusta el jazz.
A mí no me gusta el jazz. | Al usuario le gusta el jazz.
Me gusta el jazz. | Al usuario no le gusta el jazz.
Me gusta el jazz. | Al usuario le gusta mucho el jazz.
Me gusta el jazz de noche. | Al usuario le gusta el jazz.
Prefiero el té. | El usuario prefiere el café.
No prefiero el té. | El usuario prefiere el té.
Me llamo Ana. | La usuaria se llama Eva.
Mi hermana se llama Ana. | La usuaria se llama Ana.
Mi hermana prefiere el té. | El usuario prefiere el té.
¿Prefiero el té? | El usuario prefiere el té.
Le duele la espalda. | Al usuario le duele la espalda.
Meine Schwester wohnt in Graz. | Der Nutzer wohnt in Graz.
Ihre Schwester wohnt in Graz. | Die Schwester des Nutzers wohnt in Graz.
Die Schwester des Chefs wohnt in Graz. | Die Schwester des Nutzers wohnt in Graz.
Il boit du thé. | L'utilisateur boit du thé.
Je ne bois pas de thé. | L'utilisateur boit du thé.
Он работает в Алди. | Пользователь работает в Алди.
Я не работаю в Алди. | Пользователь работает в Алди.
"""


def _pairs(table: str) -> list[list[str]]:
    return [line.split(" | ") for line in table.strip().splitlines()]


@pytest.mark.parametrize(("said", "told"), _pairs(STATED))
def test_a_plain_statement_bears_out_the_same_told_of_the_user(said: str, told: str) -> None:
    assert bears_out(said, told)


@pytest.mark.parametrize(("said", "told"), _pairs(NOT_STATED))
def test_another_person_a_denial_or_another_value_bears_nothing_out(said: str, told: str) -> None:
    assert not bears_out(said, told)


def test_no_statement_bears_out_another() -> None:
    pairs = _pairs(STATED)
    same = {(said, told) for said, told in pairs}
    same |= {(said, told) for said, _ in pairs for other, told in pairs if {said, other} <= ALIKE}
    wrong = [(one, told) for one, _ in pairs for _, told in pairs if bears_out(one, told)]
    assert set(wrong) <= same
