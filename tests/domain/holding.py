"""A process that uses a memory, purges what it told it, and writes what held a word of it before and afterwards.

It has nothing else in it: in the process of all tests, to look at everything there is takes a minute.

    holding.py STORE EMBEDDER WORK    a store's arguments as JSON, `bundled` or `fake`, `everything` or `questions`
"""

import gc
import json
import sys
from types import FrameType

from simonides import Memory
from simonides.testing import FakeEmbedder

#: Put together only where it is told.
START, END = "Zzquor", "felia"
#: Texts, and what gc does not track for itself while it holds nothing else.
_HOLDING = (str, bytes, dict, tuple, list, set, frozenset)


def holders_of(*parts):
    """Holders of texts with a word in them: whatever Python keeps track of, and the containers in it."""
    word = "".join(parts).casefold()
    work = gc.get_objects()
    seen = {id(one) for one in work}
    own = {id(work), id(seen)}
    while work:
        holder = work.pop()
        if id(holder) in own or isinstance(holder, FrameType):
            continue
        # Python tells of no keys of a dictionary that are texts, all of them.
        for one in (*gc.get_referents(holder), *(holder if isinstance(holder, dict) else ())):
            # Most are names that many hold: each is looked at once.
            if isinstance(one, _HOLDING) and id(one) not in seen:
                seen.add(id(one))
                if not isinstance(one, str | bytes):
                    work.append(one)
                elif word in (one if isinstance(one, str) else one.decode(errors="replace")).casefold():
                    yield f"{type(holder).__name__}: {one!r:.300}"


def everything(memory):
    """Tell it, have it kept up, ask for it, correct it, and purge all of it; give the word."""

    def use(name):
        added = [
            *memory.add(
                [
                    f"{name} Ivanova keeps the key of the harbour in Lübeck.",
                    f"Анна видела {name} Достоевскую.",
                    f"{name} 喜欢 很多 苹果",
                    f"We ship to {name} on Fridays; {name.lower()}@example.com knows.",
                ],
                user_id="ana",
            ),
            *memory.add(
                [{"role": "user", "content": f"I prefer {name} to tea, and my cat is {name}."}],
                session_id="s",
                user_id="ana",
            ),
        ]
        memory.maintain()
        memory.search(f"What does {name} keep?", user_id="ana")
        memory.context(f"Who is {name}?", user_id="ana")
        memory.correct(added[0].item_id, f"{name} Ivanova lost the key of the harbour.")
        memory.search(f"Who lost the key, {name}?", user_id="ana")
        memory.flush()

    use(f"{START}{END}")
    before = list(holders_of(START, END))
    memory.purge(scope="user:ana")
    return before


def questions(memory):
    """Tell it in a note, ask for it in other words, and purge the note."""
    (added,) = memory.add("Zzquorfelia keeps the key.").verdicts
    memory.search(" ".join(["what", "Zzquor" + "felia".strip(), "keeps"]))
    before = list(holders_of("zzquor", "felia"))
    memory.purge(added.item_id)
    return before


def main(store, embedder, work):
    options = {"embedder": FakeEmbedder(8)} if embedder == "fake" else {}
    with Memory(**json.loads(store), **options) as memory:
        before = {"everything": everything, "questions": questions}[work](memory)
        shown = len(before)
        before.clear()
        gc.collect()
        # Texts of this file hold the word, too, where they are no parts of it.
        after = [text for text in holders_of(START, END) if "Zzquorfelia keeps" not in text]
    sys.stdout.write(json.dumps({"before": shown, "after": after}))


if __name__ == "__main__":
    main(*sys.argv[1:])
