"""The agenda: a best-first search over partial explanations of a question.

`search.Agenda` runs it, `ground.Ground` is all that it asks of its surroundings, `score.Scorer` says what an
explanation is worth.
"""
