"""Words that say the same in short notes, and words that say nothing, for telling repetitions from news.

Written for this project. A group holds words that may stand for each other wherever a note states a fact; what only
sometimes means the same is left out: a repetition that is missed costs less than two facts taken for one.
"""

from __future__ import annotations

from typing import Final

from simonides.language.tokens import folded, stemmed

_GROUPS: Final = """
use uses using used utilise utilize employ|buy bought purchase acquire|begin began start commence|end finish
big large huge|small little tiny|fast quick rapid quickly rapidly|fix repair resolve
decide chose choose chosen pick select opt
like enjoy love adore fond|dislike hate detest|live reside|job position|help assist|show display
build built create made make
delete remove erase|tell told say said mention|get got obtain receive|send sent deliver|keep kept retain store
film movie|car automobile|photo picture photograph|kid child children|physician doctor|firm company
trip journey|vacation holiday|customer client|salary wage|reply answer respond|modify change alter|ill sick|baby infant
phone telephone cellphone|tv television|bike bicycle|database db|postgres postgresql|kubernetes k8s
javascript js|typescript ts|repository repo|application app|configuration config configure|authentication auth
documentation docs|environment env|administrator admin|information info|directory folder|parameter argument
require need|meeting appointment|error failure|often frequently|favourite favorite preferred|prefer favour favor
colleague coworker|mother mum mom|father dad|grandmother grandma granny|grandfather grandpa|relocate move
mail email e-mail|license licence|organize organise|analyze analyse|colour color|centre center|theatre theater
daily everyday|monthly|yearly annually annual|approximately roughly|allow permit|forbid prohibit ban
speak spoke talk|teach taught instruct|eat ate consume|drink drank|drive drove|write wrote|run ran execute
host hosted|deploy rollout|staff personnel|worker employee|lorry truck
happy glad|scared afraid|tasty delicious|rent lease|elevator lift|flu influenza
приобрести купить купил купила приобрел приобрела|использует применяет использовать применять|живет проживает
любит люблю любят любим обожает обожаю|ест ем едят едим|пьет пью пьют|ненавидит ненавижу ненавидят|
готовит готовлю|хочет хочу хотят|ходит хожу|ездит езжу|платит плачу|спит сплю|учится учусь|боится боюсь|пишет пишу|
автомобиль машина|фильм кино|работа должность|выбрали решили
acheter acquerir|utiliser employer utilise emploie|habite vit|aime adore|voiture auto|travail emploi|choisi opte
"""

#: What a word counts as: its stem, or the first stem of its group.
_GROUP_OF: Final[dict[str, str]] = {}
for _group in _GROUPS.replace("\n", "|").split("|"):
    _stems = [stemmed(folded(word)) for word in _group.split()]
    for _stem in _stems:
        _GROUP_OF.setdefault(_stem, _GROUP_OF.get(_stems[0], _stems[0]))


def group_of(stem: str) -> str:
    """What stands for a stem and all that say the same."""
    return _GROUP_OF.get(stem, stem)


#: Words without which a note says the same.
_FILLERS: Final = """
note noted notes remember remembers reminder remind btw basically really very quite currently now presently just still
please simply well indeed definitely certainly clearly overall generally also too already own always
actually fyi ok okay yes so pretty truly personally especially particularly great thing things all any over
way kind sort reported reportedly confirmed mentioned noting noticed recorded known knows
means mean meant takes take taking place happens happen held scheduled
vraiment tres actuellement maintenant toujours deja aussi bien tout tous toute toutes rappel simplement
очень действительно сейчас теперь уже также тоже всегда просто напоминание кстати все
"""
FILLERS: Final = frozenset(folded(word) for word in _FILLERS.split())
HAN_FILLERS: Final = frozenset("很就都也还真常")
