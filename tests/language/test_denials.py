"""A denial is seen however it is put, in four languages; what only looks like one is none."""

import pytest

from simonides.language.contradiction import difference

#: A statement and its denial.
DENIALS = [
    ("Je suis allergique aux noix.", "Je ne suis nullement allergique aux noix."),
    ("Je suis allergique aux noix.", "Je n'ai jamais été allergique aux noix."),
    ("Je suis allergique aux noix.", "Je n'ai aucune allergie aux noix."),
    ("Je suis allergique aux noix.", "Je ne suis guère allergique aux noix."),
    ("Je suis allergique aux noix.", "Je ne suis point allergique aux noix."),
    ("Je suis allergique aux noix.", "Je ne suis aucunement allergique aux noix."),
    ("Je suis allergique aux noix.", "Il est faux que je sois allergique aux noix."),
    ("У меня аллергия на орехи.", "У меня больше нет аллергии на орехи."),
    ("У меня аллергия на орехи.", "У меня нет аллергии на орехи."),
    ("Офис работает по субботам.", "Офис закрыт по субботам."),
    ("Магазин работает по субботам.", "Магазин по субботам закрыт."),
    ("我对花生过敏。", "我对花生并不过敏。"),
    ("我对花生过敏。", "我从来没对花生过敏。"),
    ("我对花生过敏。", "我从来没有对花生过敏。"),
    ("商店周日营业。", "商店周日关门。"),
    ("商店周日营业。", "商店周日停止营业。"),
    ("I am allergic to walnuts.", "I have no allergy to walnuts."),
    ("I am allergic to walnuts.", "The allergy to walnuts is gone."),
    ("I am allergic to walnuts.", "My allergy to walnuts is gone."),
    ("I am allergic to walnuts.", "User has no walnut allergy."),
    ("I am allergic to walnuts.", "I don't have a walnut allergy."),
    ("We ship on Fridays.", "We refuse to ship on Fridays."),
    ("We ship on Fridays.", "Fridays are no longer shipping days."),
    ("Petra lives in Bergen.", "Petra has left Bergen."),
    ("Petra lives in Bergen.", "Petra moved out of Bergen."),
    ("Petra lives in Bergen.", "Petra has moved out of Bergen."),
    ("Petra lives in Bergen.", "Petra has moved away from Bergen."),
    ("The office is open on Sundays.", "The office stays shut on Sundays."),
    ("The office is open on Sundays.", "The office is shut on Sundays."),
    ("The office is open.", "The office stays shut."),
    ("I eat meat.", "I hardly ever eat meat."),
    ("I eat meat.", "I rarely eat meat."),
    ("I eat meat.", "I have given up meat."),
    ("I eat meat.", "I have given up eating meat."),
    ("I eat meat.", "I refuse to eat meat."),
    ("Always use tabs.", "Avoid tabs."),
    ("Always use tabs.", "Avoid using tabs."),
    ("I am allergic to walnuts.", "User is not allergic to walnuts."),
    ("I am allergic to walnuts.", "The user is not allergic to walnuts."),
    ("I live in Graz.", "User no longer lives in Graz."),
    ("I am vegetarian.", "User isn't vegetarian."),
    ("I smoke cigars.", "I have quit cigars."),
    ("We use Docker.", "We have stopped using Docker."),
    ("We use Docker.", "Avoid Docker."),
    ("Je mange de la viande.", "J'ai arrêté la viande."),
    ("Je mange de la viande.", "Je refuse de manger de la viande."),
    ("Je fume.", "J'ai arrêté de fumer."),
    ("Nous livrons le vendredi.", "Il est faux que nous livrions le vendredi."),
    ("Elle prend le train.", "Il est faux qu'elle prenne le train."),
    ("Je bois du café.", "Il est faux que je boive du café."),
    ("Nous livrons le vendredi.", "Nous ne livrons nullement le vendredi."),
    ("Ana habite à Lyon.", "Ana a quitté Lyon."),
    ("Ana habite à Lyon.", "Ana n'habite plus à Lyon."),
    ("Ana habite à Lyon.", "Il est faux qu'Ana habite à Lyon."),
    ("Анна живёт в Риге.", "Анна съехала из Риги."),
    ("Анна живёт в Риге.", "Анна больше не живёт в Риге."),
    ("У Анны есть кошка.", "У Анны больше нет кошки."),
    ("Я курю.", "Я бросил курить."),
    ("Я ем мясо.", "Я отказался от мяса."),
    ("Я ем мясо.", "Я редко ем мясо."),
    ("У меня астма.", "Астма прошла."),
    ("Музей открыт по понедельникам.", "Музей закрыт по понедельникам."),
    ("我吃肉。", "我拒绝吃肉。"),
    ("我吃肉。", "我并不吃肉。"),
    ("我吃肉。", "我几乎不吃肉。"),
    ("我吃肉。", "我很少吃肉。"),
    ("我抽烟。", "我戒烟了。"),
    ("我住在北京。", "我已经搬离北京。"),
    ("我们星期五发货。", "我们星期五绝不发货。"),
    ("我们星期五发货。", "我们星期五并没有发货。"),
    ("餐厅周一开门。", "餐厅周一关门。"),
    ("I have diabetes.", "I am not diabetic."),
    ("I am diabetic.", "I have no diabetes."),
    ("Ana is lactose intolerant.", "Ana has no lactose intolerance."),
    ("Je suis asthmatique.", "Je n'ai pas d'asthme."),
    ("Je suis allergique aux noix.", "Je n'ai point d'allergie aux noix."),
    ("The library is open on Mondays.", "The library remains closed on Mondays."),
    ("Tuesdays are meeting days.", "We never meet on Tuesdays."),
    ("Ana works at Acme.", "Ana has left Acme."),
    ("I live in New York.", "I have moved out of New York for good."),
    ("The store opens on Sundays.", "The store declines to open on Sundays."),
    ("I drink coffee.", "I hardly drink coffee."),
    ("I drink coffee.", "I seldom drink coffee."),
    ("I drink coffee.", "I abstain from coffee."),
    ("I drink coffee.", "I stay away from coffee."),
    ("I have asthma.", "My asthma is cured."),
]
#: Look like denials of the other and are none: another subject, thing or place, a part of the time, for a while.
NO_DENIALS = [
    ("We ship on Fridays.", "We ship on Fridays, never on Sundays."),
    ("We ship on Fridays.", "We don't ship on Fridays in August."),
    ("I am allergic to walnuts.", "Ben is not allergic to walnuts."),
    ("I am allergic to walnuts.", "I have an allergy to walnuts."),
    ("I am allergic to walnuts.", "My sister has no allergy to walnuts."),
    ("I am allergic to walnuts.", "I have no allergy to cats."),
    ("I am allergic to walnuts.", "I am not allergic to peanuts."),
    ("Petra lives in Bergen.", "Petra has left Oslo."),
    ("Petra lives in Bergen.", "Petra left a note in Bergen."),
    ("Petra lives in Bergen.", "Petra left Bergen for a week."),
    ("Petra lives in Bergen.", "Petra moved to Bergen."),
    ("Petra lives in Bergen.", "Petra has moved within Bergen."),
    ("I eat meat.", "I rarely eat fish."),
    ("I eat meat.", "I often eat meat."),
    ("Always use tabs.", "Avoid spaces."),
    ("Always use tabs.", "Avoid tabs in YAML."),
    ("The office is open on Sundays.", "The shop stays shut on Sundays."),
    ("Офис работает по субботам.", "Магазин закрыт по субботам."),
    ("商店周日营业。", "餐厅周日关门。"),
    ("We ship on Fridays.", "We refuse to ship on Sundays."),
    ("We ship on Fridays.", "Fridays are shipping days."),
    ("Je suis allergique aux noix.", "Je suis allergique aux noix et aux noisettes."),
    ("Je suis allergique aux noix.", "J'ai une allergie aux noix."),
    ("Je suis allergique aux noix.", "Il est vrai que je suis allergique aux noix."),
    ("У меня аллергия на орехи.", "У меня больше нет кошки."),
    ("У меня аллергия на орехи.", "У мамы нет аллергии на орехи."),
    ("I drink coffee.", "I hardly drink tea."),
    ("I drink coffee.", "I gave up smoking."),
    ("I like coffee.", "I have given up meat."),
    ("I sell meat.", "I have given up meat."),
    ("We ship on Fridays.", "We ship on Fridays but not on Sundays."),
    ("We ship on Fridays.", "We do not ship on Friday 3 May."),
    ("We ship on Fridays.", "We ship on Fridays, not on Mondays."),
    ("I am allergic to walnuts.", "I am not intolerant to walnuts."),
    ("Petra lives in Bergen.", "Petra has left Bergen for a week."),
    ("Petra lives in Bergen.", "Petra has left the house."),
    ("Petra comes from Bergen.", "Petra has left Bergen."),
    ("Petra was born in Bergen.", "Petra has left Bergen."),
    ("Always use tabs.", "Avoid tabs in Makefiles."),
    ("Avoid tabs.", "Never use tabs."),
    ("I rarely eat meat.", "I do not eat meat often."),
    ("The trams run on Sundays.", "The buses stay shut on Sundays."),
    ("Ana has a ring.", "Ana wears a ring."),
    ("我有戒指。", "我没有烟。"),
    ("按停止键。", "按开始键。"),
    ("Мы отправляем по пятницам.", "Мы отправляем по пятницам, но никогда по воскресеньям."),
    ("Nous livrons le vendredi.", "Nous livrons le vendredi, jamais le dimanche."),
    ("Je suis allergique aux noix.", "Je ne suis jamais allé à Lyon."),
    ("J'aime un point.", "Je fais le point."),
    ("The allergy to walnuts is severe.", "The cat is gone."),
    ("I have a public page.", "I have no private page."),
    ("Ana bought tabs.", "Avoid tabs."),
    ("Мяч красный.", "Ана бросила мяч."),
]
#: Subjects with the form of a verb that goes with each: of "eat" and of "eats".
SUBJECTS = [("I", 0), ("We", 0), ("They", 0), ("Ana", 1), ("My sister", 1)]
USES = [("eat", "eats", "eating", "meat"), ("drink", "drinks", "drinking", "coffee"),
        ("smoke", "smokes", "smoking", "cigars"), ("use", "uses", "using", "tabs")]  # fmt: skip
#: Each with a plural subject's verb and a singular one's.
GIVEN_UP = [
    ("have given up {thing}", "has given up {thing}"),
    ("gave up {thing}", "gave up {thing}"),
    ("have quit {doing} {thing}", "has quit {doing} {thing}"),
    ("refuse to {do} {thing}", "refuses to {do} {thing}"),
    ("hardly ever {do} {thing}", "hardly ever {does} {thing}"),
    ("rarely {do} {thing}", "rarely {does} {thing}"),
    ("avoid {thing}", "avoids {thing}"),
    ("avoid {doing} {thing}", "avoids {doing} {thing}"),
    ("never {do} {thing}", "never {does} {thing}"),
    ("abstain from {thing}", "abstains from {thing}"),
]
FRENCH_VERBS = [("mange", "de la viande"), ("fume", "le cigare"), ("prends", "le train"), ("bois", "du café")]
NE = ["pas", "plus", "jamais", "guère", "point", "nullement", "aucunement"]
HAN_NOT = ["不", "并不", "从不", "从来不", "根本不", "绝不", "几乎不", "很少", "不再", "拒绝"]


def denies(one, other):
    there, back = difference(one, other), difference(other, one)
    assert (there is None) == (back is None)
    return there is not None and there.kind == back.kind == "negation"


@pytest.mark.parametrize(("said", "denied"), DENIALS)
def test_a_denial_is_seen(said, denied):
    assert denies(said, denied)


@pytest.mark.parametrize(("said", "other"), NO_DENIALS)
def test_what_only_looks_like_one_is_none(said, other):
    assert not denies(said, other)


@pytest.mark.parametrize("way", GIVEN_UP)
@pytest.mark.parametrize("use", USES)
def test_whoever_gives_a_thing_up_denies_that_they_have_it(use, way):
    do, does, doing, thing = use
    for who, number in SUBJECTS:
        said = f"{who} {(do, does)[number]} {thing}."
        denied = f"{who} {way[number].format(do=do, does=does, doing=doing, thing=thing)}."
        assert denies(said, denied), denied
        for other_do, other_does, _, other in USES:
            if other != thing:
                assert not denies(f"{who} {(other_do, other_does)[number]} {other}.", denied)
        assert not denies(f"Ben {does} {thing}.", denied)
        assert not denies(f"{who} sold {thing}.", denied)


@pytest.mark.parametrize("word", NE)
@pytest.mark.parametrize(("verb", "what"), FRENCH_VERBS)
def test_a_french_verb_with_ne_is_denied_once(verb, what, word):
    assert denies(f"Je {verb} {what}.", f"Je ne {verb} {word} {what}.")
    assert not denies(f"Je ne {verb} pas {what}.", f"Je ne {verb} {word} {what}.")
    assert not denies(f"Tu {verb} {what}.".replace("Tu", "Paul"), f"Je vois un {word} {what}.")


@pytest.mark.parametrize("word", HAN_NOT)
@pytest.mark.parametrize("what", ["吃肉", "喝咖啡", "用手机"])
def test_however_it_is_denied_in_chinese(what, word):
    assert denies(f"我{what}。", f"我{word}{what}。")
    assert not denies(f"我不{what}。", f"我{word}{what}。")
    assert not denies("我养猫。", f"我{word}{what}。")


def test_who_moved_on_lives_where_they_went():
    for move in ("moved from Bergen to Oslo", "has relocated from Bergen to Oslo", "moved to Oslo"):
        assert difference("Petra lives in Bergen.", f"Petra {move}.").words == ("Bergen", "Oslo")


@pytest.mark.parametrize(
    ("told", "denied"),
    [
        ("I'm allergic to nuts.", "I have no allergies any more."),
        ("I'm allergic to nuts.", "I no longer have any allergies."),
        ("I am allergic to cow milk.", "I don't have allergies anymore."),
        ("I have a contract with Acme.", "I have no contract any more."),
        ("Je suis allergique aux noix.", "Je n'ai plus d'allergies."),
        ("У меня аллергия на орехи.", "У меня больше нет аллергии."),
    ],
)
def test_that_there_is_none_any_more_denies_each_kind_of_it(told, denied):
    assert difference(told, denied) is not None
    assert difference(denied, told) is not None


@pytest.mark.parametrize(
    ("told", "denied"),
    [
        ("I have a bread knife.", "I have no bread any more."),
        ("I'm allergic to nuts.", "She has no allergies any more."),
        ("I'm allergic to nuts.", "I have no allergies to pollen any more."),
        ("I'm allergic to nuts.", "I have no fever any more."),
        ("I have a contract with Acme.", "I have no contract with Globex any more."),
        ("I was allergic to nuts.", "I have no allergies any more."),
    ],
)
def test_that_there_is_none_of_something_else_denies_nothing(told, denied):
    assert difference(told, denied) is None
    assert difference(denied, told) is None
