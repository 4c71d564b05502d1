"""Words by which names are told from other capitals, and from each other; all folded."""

from __future__ import annotations

from typing import Final

# Written for this project.
_ENGLISH: Final = """
a about above absolutely actually after again ago agreed all almost already alright also although always am
amazing an and another any anybody anyone anything anyway apparently are aren't around as aside at aw
awesome aww bad basically be because been before being below besides best better between both bravo but by
bye call can can't cannot certainly check cheers clearly come congrats congratulations cool correct could
couldn't dear definitely despite did didn't dinner do does doesn't doing don't done down during each earlier
early easy either else enjoy enough especially even eventually ever every everybody everyone everything
exactly excellent except excuse family fantastic far feel feeling few finally find fine first for forget
fortunately friends from fun generally get getting give given glad go going good goodbye gosh got great
guess ha haha had happy hardly has have haven't having he he'd he'll he's hello help hence her here here's
hers hey hi him his honestly hope hopefully how how's however huge i i'd i'll i'm i've if imagine impressive
in incredible indeed initially instead interesting into is isn't it it'd it'll it's its job just keep kids
kind know last lately later least less let let's life like likewise little lol long look looking looks lots
love lovely luckily lunch make makes many may maybe me mean meanwhile might mine money more moreover most
mostly much music must my naturally near nearly need never nevertheless new next nice no nobody none nope
not note nothing now obviously of off oh ok okay old on once one only oops or other others otherwise ouch
our out over overall own people perfect perhaps personally plan play please plus possibly previously
probably put quick quite rather read really recently regarding remember rent right sadly same say school
seeing seems seriously several shall she she'd she'll she's should shouldn't similarly simply since so some
somebody somehow someone something sometimes soon sorry sounds speaking still stop stuff such super sure
surely surprisingly take talk tell thank thanks that that'd that'll that's the their theirs them then there
there's therefore these they they'd they'll they're they've thing things think this those though three
through thus till time to today together tomorrow tonight too totally true try trying two uh um under
unfortunately unless unlike until up upon us use used usually very wait want was wasn't watch way we we'd
we'll we're we've weekend welcome well were weren't what what's whatever when whenever where where's
wherever whether which whichever while who who's whoever whom whose why will wish with within without won't
wonderful work worst would wouldn't wow yay yeah year years yep yes yesterday yet you you'd you'll you're
you've young your yours yourself yup whoa woah
woohoo hooray yikes aha hmm
"""
_OTHER_LANGUAGES: Final = """
ah aber alors also après assez aussi avec bien bon bonjour c'est ce ces cette ceci cela comme comment con
cuando cómo da dann dans das de del dem den der des deux die dies diese doch donc du ein eine el elle elles
en er es et eso esta este estoy fue für gracias gut hallo hola hat ich ihr il ils in ist ja je jetzt kann la
las le les los lo mais mein merci mi mit moi mon más nach nein nicht no non noch nos notre nous nun oder où
oui para pas pero por pour pourquoi puis qu'est quand que quel quelle qui qué schon sehr sei sein si sie
sind sin son sur tout très tu und un una une va vamos vielleicht von vous was wann warum wenn wer wie wir wo
y ya yo zu а без бы был была были в вам вас во вот все всё вчера вы где да для до его ее её если есть ещё же
за завтра здравствуйте и из или им их к как какая какой когда конечно кто ли меня мне мой моя мы на надо нам
нас не него нет но ну о об он она они оно от ок по под пока после потом потому почему привет при про сегодня
с сейчас со спасибо так также там те тебе тебя то тогда тоже только ты у уже хорошо чем что чтобы эта эти
это этот я
"""
_TIMES: Final = """
monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays
saturdays sundays january february march april june july august september october november december mon tue
tues wed thu thur fri sat jan feb mar apr jun jul aug sep sept oct nov dec lundi mardi mercredi jeudi
vendredi samedi dimanche montag dienstag mittwoch donnerstag freitag samstag sonntag
"""
_SHOUTS: Final = """
ok am pm lol omg btw fyi imo imho todo ps asap rip wtf idk faq diy tbh eta rsvp tba nb ad bc aka etc usa's i
i'm a
"""
_ORGANIZATIONS: Final = """
inc ltd llc corp corporation company co gmbh ag sa sarl plc university college institute school academy bank
foundation association ministry department agency hospital museum library church club union council committee
universität université universidad institut
"""
_PLACES: Final = """
street avenue road square park river lake mountain mountains beach bay island islands city county valley airport
station bridge forest ocean sea desert canyon
"""
#: No names, though they may have a capital: what begins sentences, days and months, shouts.
COMMON: Final = frozenset(
    word
    for written in (f"{_ENGLISH} {_OTHER_LANGUAGES} {_TIMES} {_SHOUTS}",)
    for word in (*written.split(), *written.replace("'", "’").split())
)
#: Part of an organization's name.
ORGANIZATIONS: Final = frozenset(_ORGANIZATIONS.split())
#: The last word of a place's name.
PLACES: Final = frozenset(_PLACES.split())
