"""Sentences that tell of the one beside them, whatever their length; in doubt that one is nobody's claim."""

import pytest

from simonides.governance.bearing import bears_out
from simonides.testing import an_item
from simonides.writing.extract.statements import statements

#: A claim, what leaves it in doubt, and what does not.
POINTING = {
    "I prefer tea.": (
        """But that only holds on Sundays and during holidays.|But only when my mother in law is visiting.
That was the case until I moved away in May.|None of what I have told you is true.
Everything I have written so far is made up.
My sister typed this while I was out.|This is the first line of my new novel.|It is only true for the hero of my story.
The sentence above is from a book by Handke.|Those were the words on the poster in the hall.
At least that is what my doctor believes.|That at least is how Tom puts it in his letter.
Which of my friends do you think said this?|Though not when my mother in law is visiting.
Except on days when I have to work late.|Only when I am in the office with Tom.|What I just said is only true at work.
Nothing of what I said before is true.|Unless of course there is good coffee around somewhere.
This is no longer true since I moved away.|The words above are from a song by Adele.
I said this only because Tom asked me to.|That was true until the end of last year.
But this applies only while I am at work.|In my new play the spy walks in and speaks.|I want this as a haiku.
Let us play a game in which I lie.|I will now say something that is not true.|What I say next is not true at all.
I have a line in a play.|Can you tell me who said that?|What do you reply to him?|Do you think she means it?""",
        """That is why I need a good recipe for tonight.|This is important for the trip that we plan.
That was the best thing I did last year.|I have been drinking it since I was a child.
Can you suggest a place for that in Graz?
My sister likes it as well, she lives in Graz.|Only the best tea is good enough for my guests.
I work in Graz and have two children.|This holds the record for the longest trip of my life.
But my sister prefers coffee, and so does my brother.|It is true that I drink a lot of it.
When I was a child, we had a garden in Graz.|If you have any ideas, I would love to hear them.
That said, I also like to try new things now and then.|I read a book about it last week and liked it.
Do you know where this is sold in Graz?|I'm writing this on my phone while waiting for the bus.
That would be helpful for my plans this week.|I think this is a good start for the new year.
Only last week I found a new shop in Graz.|But only a few shops in Graz have the good one.""",
    ),
    "Ich wohne in Linz.": (
        """Aber nur wenn ich bei meiner Mutter zu Besuch bin.|Das gilt aber nur am Wochenende und in den Ferien.
Das war der Fall, bis ich im Mai weggezogen bin.|Nichts von dem, was ich gesagt habe, ist wahr.
Das hat meine Schwester geschrieben, als ich weg war.|Es sei denn, es gibt guten Kaffee im Haus.
Der Satz oben stammt aus einem Buch von Handke.""",
        """Das ist für die Reise im Mai sehr wichtig.|Nur am Wochenende koche ich für meine ganze Familie.
Das gilt als die schönste Stadt an der Donau.|Es ist wahr, dass ich oft im Park laufe.""",
    ),
    "J'habite à Lyon.": (
        """Mais seulement quand ma mère est en voyage.|Mais ça ne vaut que le dimanche et les jours fériés.
C'était vrai jusqu'à mon départ au mois de mai.|Ce que j'ai écrit jusqu'ici est faux, je crois.
À moins qu'il y ait du bon café.""",
        "C'est important pour mon voyage du mois de mai.|C'est vrai que je marche beaucoup dans le parc.",
    ),
    "Vivo en Madrid.": (
        """Pero solo cuando mi madre está de viaje.|Pero eso solo vale los domingos y los festivos.
Eso era verdad hasta que me mudé en mayo.|Lo que he escrito hasta ahora no es verdad.
Eso lo escribió mi hermana mientras yo dormía.""",
        "Eso es importante para mi viaje del mes de mayo.|Es verdad que camino mucho por el parque.",
    ),
    "Я живу в Москве.": (
        """Но только когда моя мама в отъезде на даче.|Но это верно только по воскресеньям и в праздники.
Всё, что я написал до сих пор, неправда.|Это написала моя сестра, пока я спал дома.""",
        "Это важно для моей поездки в мае с семьёй.|Правда, что я много гуляю в парке вечером.",
    ),
    "我住在北京。": (
        "但只有我妈妈来看我的时候才这样。|这句话是我姐姐昨天晚上写的。|我刚才说的话都是假的，不要信。",
        "这对我下个月的旅行很重要。|我只有周末才去公园跑步。",
    ),
}


def beside(place):
    return [
        (claim, turn)
        for claim, kinds in POINTING.items()
        for words in kinds[place].replace("\n", "|").split("|")
        for turn in (f"{claim} {words}", f"{words} {claim}")
    ]


@pytest.mark.parametrize(("claim", "turn"), beside(0))
def test_what_points_at_a_claim_leaves_it_in_doubt(claim, turn):
    assert not bears_out(turn, claim)


@pytest.mark.parametrize(("claim", "turn"), beside(1))
def test_what_goes_on_after_a_claim_leaves_it_what_it_is(claim, turn):
    assert bears_out(turn, claim)


@pytest.mark.parametrize(("claim", "turn"), [one for one in beside(0) if one[0] == "I prefer tea."])
def test_what_is_in_doubt_is_not_extracted(claim, turn):
    turns = [an_item(turn, type="episode")]
    assert claim not in [one.content for one in statements(turns)]
