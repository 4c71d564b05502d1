"""Facts that a model proposes, which are the user's in disguise: they wait; facts of the world do not."""

from __future__ import annotations

import pytest

from simonides import Memory

#: Orders without a subject, labels, conditions, faiths, and words for the user that are no name.
OF_THE_USER = """
Answer in French|Keep replies brief|Short answers only|No peanuts ever|Lactose intolerant
Type 2 diabetes|Jewish|Salary 52,000|Home town: Graz|@ana eats no meat|the_user_is_vegetarian
theUserIsVegetarian|Geboren 1980 in Graz|Né en 1980|Nació en 1980|1980年出生|咱住在格拉茨
The individual lives in Graz|The speaker is vegetarian.|The person behind this account lives in Graz
The owner of this account lives in Graz|The undersigned lives in Graz|L'usager habite à Graz.
Son chien s'appelle Rex|Her dog is called Rex|Sein Hund heißt Rex|Его собаку зовут Рекс|他的狗叫旺财
Antworte auf Deutsch|Nur kurze Antworten|Keine Erdnüsse bitte|Laktoseintolerant|Typ-2-Diabetes|Jüdin
Gehalt 52.000|Heimatort: Graz|Die Unterzeichnende wohnt in Graz|Réponds en français
Réponses courtes uniquement|Intolérante au lactose|Diabète de type 2|Juive|Salaire 52 000
Ville natale : Lyon|La soussignée habite à Graz|Responde en español|Solo respuestas cortas
Intolerante a la lactosa|Diabetes tipo 2|Judía|Sueldo 52.000|Ciudad natal: Lima
La abajo firmante vive en Graz|Отвечай по-русски|Только короткие ответы|Непереносимость лактозы
Диабет 2 типа|Еврейка|Зарплата 52000|Родной город: Казань|Нижеподписавшийся живёт в Казани|请用中文回答
回答要简短|乳糖不耐受|2型糖尿病|犹太人|月薪52000|家乡：杭州|本人住在杭州|这个账号的主人住在杭州
"""

OF_THE_WORLD = """
Rex is a dog of the Millers|The build takes 5 minutes|Graz is in Austria|The API owner is Tom
Short answers are parsed faster|Answers in French are cached|Keep replies in the queue for an hour
No peanuts are grown in Graz|Type 2 diabetes is common in Austria
Lactose intolerance is common in Asia|The salary table has ten rows|Salary bands are public
Home towns are stored as text|get_user_name returns a string|user_is_admin|isUserLoggedIn
test_the_build_is_green|@tom maintains the build|The speaker is broken|The speaker talks at nine
The individual steps are listed below|The owner of the account service is Tom
Jewish holidays move each year|Tom's dog is called Rex|Her Majesty opened the bridge
Type 2 errors are rarer|No ports are open|No more builds on Fridays|Born2Code is a school
Reply codes are numbers|birthday_parser is a module|Die Firma wurde 1980 gegründet
Kurze Antworten werden schneller gelesen|Gehaltstabellen sind öffentlich|Laktoseintoleranz ist häufig
Sein oder Nichtsein ist ein Zitat|Keine Ports sind offen|Antworten auf Deutsch werden gespeichert
Die Katze der Müllers heißt Mia|Les réponses courtes sont plus rapides|Le salaire moyen est public
Son rapport est prêt|Né de la fusion de deux équipes, le projet avance
L'usager du bus paie deux euros|Les diabètes de type 2 sont fréquents|Sa sortie est prévue en mai
Las respuestas cortas son más rápidas|El sueldo medio es público
La ciudad natal de Mozart es Salzburgo|La diabetes tipo 2 es frecuente|Su servidor usa el puerto 80
Короткие ответы читаются быстрее|Средняя зарплата в Граце известна|Его сервер стоит в Казани
Диабет изучает доктор Иванов|Группа крови хранится в таблице|简短的回答解析更快|乳糖不耐受在亚洲很常见|家乡字段是文本
公司1980年成立
月薪表有十行|犹太人的节日每年不同|他的代码有错误|这个账号有三个权限|咱们的服务器在杭州
"""


def _texts(table: str) -> list[str]:
    return [text for line in table.strip().splitlines() for text in line.split("|")]


def _outcomes(texts: list[str]) -> dict[str, str]:
    with Memory(":memory:") as memory:
        return {
            text: memory.propose(
                [{"content": text, "type": "fact", "why_store": "asked for", "source": "msg-1"}],
                scope="user:ana",
            )[0].outcome.value
            for text in texts
        }


@pytest.mark.parametrize(("table", "outcome"), [(OF_THE_USER, "quarantined"), (OF_THE_WORLD, "accepted")])
def test_what_only_the_user_may_say_waits_and_nothing_else(table: str, outcome: str) -> None:
    outcomes = _outcomes(_texts(table))
    assert {text: found for text, found in outcomes.items() if found != outcome} == {}
