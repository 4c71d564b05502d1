"""Spanish, which is one file of tables: what it tells of times, numbers, denials, questions and stop words."""

import pytest

from simonides.domain.instant import instant, iso
from simonides.language.calendar.windows import window_of
from simonides.language.clauses import begins_correction
from simonides.language.contradiction import difference
from simonides.language.guess import language_of
from simonides.language.revision import revises
from simonides.language.sentences import read
from simonides.language.spoken import own_words
from simonides.language.terms import terms
from simonides.recall.question.asks import asks_about, expected

ASKED = instant("2023-05-17T15:30:00Z")  # a Wednesday


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("¿Qué dije ayer por la tarde?", "2023-05-16T12:00", "2023-05-16T18:00"),
        ("hoy por la mañana", "2023-05-17T05:00", "2023-05-17T12:00"),
        ("esta mañana", "2023-05-17T05:00", "2023-05-17T12:00"),
        ("anoche", "2023-05-16T18:00", "2023-05-17T06:00"),
        ("mañana", "2023-05-18T00:00", "2023-05-19T00:00"),
        ("pasado mañana", "2023-05-19T00:00", "2023-05-20T00:00"),
        ("¿Dónde estuvimos hace tres semanas?", "2023-04-23T00:00", "2023-04-30T00:00"),
        ("hace once días", "2023-05-06T00:00", "2023-05-07T00:00"),
        ("hace medio año", "2022-10-02T00:00", "2023-01-02T00:00"),
        ("hace dos años y medio", "2020-09-02T00:00", "2021-02-02T00:00"),
        ("el 5 de marzo", "2023-03-05T00:00", "2023-03-06T00:00"),
        ("del 3 al 5 de mayo", "2023-05-03T00:00", "2023-05-06T00:00"),
        ("entre el 5 y el 9 de marzo", "2023-03-05T00:00", "2023-03-10T00:00"),
        ("en marzo de 2022", "2022-03-01T00:00", "2022-04-01T00:00"),
        ("en marzo del año pasado", "2022-03-01T00:00", "2022-04-01T00:00"),
        ("desde abril", "2023-04-01T00:00", "2023-05-18T00:00"),
        ("a finales de marzo", "2023-03-21T00:00", "2023-04-01T00:00"),
        ("el lunes pasado", "2023-05-15T00:00", "2023-05-16T00:00"),
        ("la semana pasada", "2023-05-08T00:00", "2023-05-15T00:00"),
        ("el mes que viene", "2023-06-01T00:00", "2023-07-01T00:00"),
        ("en los últimos tres meses", "2023-02-17T00:00", "2023-05-18T00:00"),
        ("el fin de semana", "2023-05-13T00:00", "2023-05-15T00:00"),
        ("en verano de 2021", "2021-06-01T00:00", "2021-09-01T00:00"),
        ("en el tercer trimestre", "2022-07-01T00:00", "2022-10-01T00:00"),
    ],
)
def test_a_time_is_read_from_its_words(text, start, end):
    window = window_of(text, ASKED)
    assert window is not None
    assert (iso(window.start)[:16], iso(window.end)[:16]) == (start, end)


@pytest.mark.parametrize(
    "text",
    ["buenos días", "todos los lunes", "un año", "Domingo García", "I put mayo on it", "the Marzo bar"],
)
def test_words_that_name_no_time_are_no_window(text):
    assert window_of(text, ASKED) is None


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("Entregamos los viernes.", "No entregamos los viernes.", "negation"),
        ("Entregamos los viernes.", "Ya no entregamos los viernes.", "negation"),
        ("Como carne.", "Nunca como carne.", "negation"),
        ("La puerta está abierta.", "La puerta está cerrada.", "opposite"),
        ("El alquiler cuesta 500 euros.", "El alquiler cuesta 700 euros.", "number"),
        ("Tenemos tres gatos.", "Tenemos cinco gatos.", "number"),
        ("La reunión es el 3 de mayo.", "La reunión es el 4 de mayo.", "date"),
        ("La reunión es el lunes.", "La reunión es el martes.", "date"),
        ("Vivo en Graz.", "Vivo en Viena.", "name"),
        ("Me llamo Ana.", "Me llamo Eva.", "name"),
        ("Trabajo en Acme.", "Trabajo en Initech.", "name"),
        ("El viaje dura entre 5 y 7 horas.", "El viaje dura 9 horas.", "number"),
        ("La sala tiene más de 50 sillas.", "La sala tiene 40 sillas.", "number"),
    ],
)
def test_statements_that_contradict_each_other_are_told_apart(one, other, kind):
    found = difference(one, other)
    assert found is not None
    assert found.kind == kind or (kind == "opposite" and found.kind == "negation")
    assert difference(other, one).kind == found.kind


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Tenemos tres gatos.", "Tenemos 3 gatos."),
        ("La reunión es el 3 de mayo.", "La reunión es el 3.5.2024."),
        ("Entregamos los viernes.", "Quizás no entregamos los viernes."),
        ("Vivo en Graz.", "Ella vive en Viena."),
        ("Vivo en Graz.", "Vive en Viena."),
        ("Antes vivía en Graz.", "Vivo en Viena."),
        ("El viaje dura entre 5 y 7 horas.", "El viaje dura 6 horas."),
        ("La sala no tiene más de 50 sillas.", "La sala tiene 40 sillas."),
        ("No solo entregamos los viernes.", "Entregamos los viernes."),
    ],
)
def test_statements_that_may_both_hold_contradict_nothing(one, other):
    assert difference(one, other) is None


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("¿Cuándo nos mudamos?", "time"),
        ("¿A qué hora es la cena?", "time"),
        ("¿Cuántos gatos tenemos?", "number"),
        ("¿Por qué renunció?", "reason"),
        ("¿Dónde vive Ana?", "place"),
        ("donde vive Ana", "place"),
        ("¿Quién es el casero?", "person"),
        ("¿Cuál es mi profesión?", "other"),
    ],
)
def test_a_question_word_tells_what_kind_of_answer_is_expected(question, kind):
    reading = read(question)
    assert expected(reading, asks_about(reading)) == kind


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("¿Cuándo están los perros con la pelota en el parque?", ("perros", "pelota", "parque")),
        ("Is the sin of the con man real?", ("sin", "con", "man", "real")),
        ("Who was once in Los Alamos?", ("Los", "Alamos")),
        ("Which DOS version did he use?", ("DOS", "version", "use")),
    ],
)
def test_stop_words_that_english_has_too_count_in_spanish_only(question, found):
    assert terms(question) == found


@pytest.mark.parametrize(
    "text", ["Perdón, quise decir Linz.", "Mejor dicho, el martes.", "Me equivoqué, es Linz."]
)
def test_a_correction_is_announced(text):
    assert begins_correction(text)


@pytest.mark.parametrize(
    "text",
    [
        "Vivo en Madrid.",
        "¿Qué dije la semana pasada sobre el jardín?",
        "Mi hermana es alérgica a las nueces.",
        "Nos quedamos con la cocina roja.",
        "donde trabajo",
        "Prefiero el tren.",
        "El deployment es el viernes con el team.",
    ],
)
def test_the_language_is_known_by_its_words(text):
    assert language_of(text) == "es"


@pytest.mark.parametrize("text", ["Los Angeles", "El Paso", "Las Vegas", "Santa Fe", "Juan Pérez"])
def test_names_are_not_taken_for_it(text):
    assert language_of(text) is None


@pytest.mark.parametrize(
    "text", ["Mi presupuesto: 900 euros.", "Decisión: vamos en tren.", "Por cierto: vivo en Graz."]
)
def test_what_stands_behind_an_own_label_is_the_speakers_word(text):
    assert own_words(text)


@pytest.mark.parametrize(
    "text", ["Mi hermana dijo: vivo en Graz.", "Carta de Eva: vivo en Graz.", "Eva: vivo en Graz."]
)
def test_what_another_is_said_to_say_is_not(text):
    assert not own_words(text)


NUMERALS = {
    21: "veintiuno", 22: "veintidós", 25: "veinticinco", 28: "veintiocho", 35: "treinta y cinco",
    47: "cuarenta y siete", 100: "cien", 120: "ciento veinte", 400: "cuatrocientos", 500: "quinientos",
    600: "seiscientos", 700: "setecientos", 750: "setecientos cincuenta", 800: "ochocientos", 900: "novecientos",
    999: "novecientos noventa y nueve", 2000: "dos mil",
}  # fmt: skip


@pytest.mark.parametrize(("number", "said"), [*NUMERALS.items()])
def test_numbers_in_words_are_the_numbers_in_figures(number, said):
    told = f"El alquiler es de {said} euros."
    assert difference(told, f"El alquiler es de {number} euros.") is None
    assert difference(told, f"El alquiler es de {number + 3} euros.").kind == "number"


HOURS = ["dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez"]


@pytest.mark.parametrize(("hour", "word"), [*enumerate(HOURS, 2)])
def test_a_time_in_words_is_the_one_on_the_clock(hour, word):
    for said, figures, another in (
        (f"{word} de la tarde", f"{hour + 12}:00", f"{hour + 11}:00"),
        (f"{word} de la mañana", f"{hour:02}:00", f"{hour + 12}:00"),
        (f"{word} y media de la tarde", f"{hour + 12}:30", f"{hour + 12}:00"),
        (f"{word} y cuarto de la tarde", f"{hour + 12}:15", f"{hour + 12}:30"),
        (f"{word} menos cuarto de la tarde", f"{hour + 11}:45", f"{hour + 12}:45"),
        (f"{word} y media", f"{hour + 12}:30", f"{hour + 12}:15"),
    ):
        told = f"La reunión es a las {said}."
        assert difference(told, f"La reunión es a las {figures}.") is None, (said, figures)
        assert difference(told, f"La reunión es a las {another}.").kind == "date", (said, another)


def test_a_full_stop_groups_the_digits_of_a_spanish_number():
    assert difference("El precio es de 1.500 euros.", "El precio es de 1500 euros.") is None
    assert difference("El precio es de 1.500 euros.", "El precio es de 1,5 euros.").kind == "number"


@pytest.mark.parametrize("leads", ["dirige", "lidera", "encabeza", "coordina"])
def test_one_leads_at_a_time(leads):
    assert difference(f"Lena {leads} Apollo.", f"Rubén {leads} Apollo.").kind == "name"


@pytest.mark.parametrize(
    "turn",
    [
        "Traduce esta carta al inglés. Odio las nueces.",
        "Escríbeme un poema. Odio las nueces.",
        "Mensaje original\nOdio las nueces.",
    ],
)
def test_behind_work_on_a_text_stands_nothing_of_ones_own(turn):
    assert "nueces" not in own_words(turn)


@pytest.mark.parametrize(
    "turn",
    [
        "Mi hermana traduce este libro. Odio las nueces.",
        "Mi hermana escribe una novela. Odio las nueces.",
    ],
)
def test_whoever_translates_and_writes_for_themselves_says_so(turn):
    assert "nueces" in own_words(turn)


def test_a_statement_with_nunca_is_affirmed_without_it():
    assert revises("Nunca como carne.", "Como carne.")
    assert revises("Como carne.", "Nunca como carne.")


@pytest.mark.parametrize("text", ["Mi nueva dirección: calle Mayor 5, Graz."])
def test_a_heading_for_ones_own_matter_may_have_an_adjective(text):
    assert own_words(text) == text


def test_what_stands_behind_a_polite_order_is_the_text_to_work_on():
    assert own_words("Resume, por favor. Vivo en Lyon.") == "Resume, por favor."
