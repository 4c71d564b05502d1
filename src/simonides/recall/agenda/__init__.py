"""The agenda: a best-first search over partial explanations of a question.

`search.Agenda` runs it, `source.AgendaSource` is all that it asks of its surroundings, `score.Scorer` says what an
explanation is worth.
"""
