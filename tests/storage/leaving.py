"""A scope that is left: what was said and asked in it, beside others that have sessions of the same names."""

from simonides.domain.scope import ALL

LEFT = "user:ana"
OTHERS = ("global", "user:bob", "user:ana/project:harbour")
MODES = ("context", "inject", "catalog", "hybrid")
#: What only the scope that is left says: in questions, and in names of its sessions.
WORDS = [f"planted{mode}" for mode in MODES] + [f"visit{mode}" for mode in MODES]


def live_in(memory, *, said=True):
    """Ask from every scope about what belongs to all, in every mode, and say something in each but one maybe."""
    (library,) = memory.add("The library of Bergen opens at nine.", scope="global").item_ids
    for scope in (LEFT, *OTHERS):
        for mode in MODES:
            word, name = (f"planted{mode}", f"visit{mode}") if scope == LEFT else ("today", "other")
            for asked_in in (name, "both"):
                question = f"When does the library of Bergen open? {word}"
                told = memory.context(question, scope=scope, mode=mode, asked_in=asked_in)
                assert told.injection_id
            memory.mark_used([library], session_id=name)
        if said or scope != LEFT:
            turn = {"role": "user", "content": f"I came to {scope} by boat."}
            memory.add([turn], scope=scope, session_id="both")
    memory.flush()
    return library


def of(memory, *scopes):
    """All that scopes have: memories, sessions, questions."""
    return [
        (
            [item.to_dict() for item in memory.list(scope=ALL, archived=True) if item.scope == scope],
            [one.to_dict() for one in memory.sessions.list(scope=ALL, limit=100) if one.scope == scope],
            [one.to_dict() for one in memory.injections(limit=100) if one.scope == scope],
        )
        for scope in scopes
    ]
