"""A statement that tells itself as past answers no question about now, however late it was written."""

import pytest

from simonides import Memory
from simonides.language.bygone import tells_of_the_past
from simonides.testing import FrozenClock

#: What holds, what was written a month later about what held once, and a question about now.
BYGONE = [
    ("Backups are kept for 30 days.", "Before August backups were kept for 14 days.", "How long are backups kept?"),
    ("The cache TTL is 30 seconds.", "Until June the cache TTL was 5 minutes.", "What is the cache TTL?"),
    ("Releases happen on Tuesdays.", "Last year releases happened on Fridays.", "When do releases happen?"),
    ("The staging server is egret.", "In the pilot the staging server was heron.", "What is the staging server?"),
    ("Sessions are stored in Postgres.", "At first sessions were stored in Redis.", "Where are sessions stored?"),
    ("The API listens on port 9000.", "In version 1 the API listened on port 8071.",
     "On which port does the API listen?"),
    ("The default branch is main.", "Originally the default branch was master.", "What is the default branch?"),
    ("We use ruff for linting.", "We used flake8 for linting until 2025.", "What do we use for linting?"),
    ("Omar leads the mobile team.", "Lena led the mobile team before.", "Who leads the mobile team?"),
    ("We deploy with Kamal.", "We used to deploy with Capistrano.", "How do we deploy?"),
    ("Backups werden 30 Tage aufbewahrt.", "Bis August wurden Backups 14 Tage aufbewahrt.",
     "Wie lange werden Backups aufbewahrt?"),
    ("Die API lauscht auf Port 9000.", "In Version 1 lauschte die API auf Port 8071.",
     "Auf welchem Port lauscht die API?"),
    ("Der Standardzweig heißt main.", "Ursprünglich hieß der Standardzweig master.", "Wie heißt der Standardzweig?"),
    ("Omar leitet das Mobilteam.", "Früher leitete Lena das Mobilteam.", "Wer leitet das Mobilteam?"),
    ("Las copias se guardan 30 días.", "Antes de agosto las copias se guardaban 14 días.",
     "¿Cuánto tiempo se guardan las copias?"),
    ("La API escucha en el puerto 9000.", "En la versión 1 la API escuchaba en el puerto 8071.",
     "¿En qué puerto escucha la API?"),
    ("La rama por defecto es main.", "Originalmente la rama por defecto era master.", "¿Cuál es la rama por defecto?"),
    ("Omar dirige el equipo móvil.", "Antes Lena dirigía el equipo móvil.", "¿Quién dirige el equipo móvil?"),
    ("Les sauvegardes sont gardées 30 jours.", "Avant août les sauvegardes étaient gardées 14 jours.",
     "Combien de temps les sauvegardes sont-elles gardées ?"),
    ("L'API écoute sur le port 9000.", "Dans la version 1 l'API écoutait sur le port 8071.",
     "Sur quel port écoute l'API ?"),
    ("La branche par défaut est main.", "À l'origine la branche par défaut était master.",
     "Quelle est la branche par défaut ?"),
    ("Omar dirige l'équipe mobile.", "Avant, Lena dirigeait l'équipe mobile.", "Qui dirige l'équipe mobile ?"),
    ("Резервные копии хранятся 30 дней.", "До августа резервные копии хранились 14 дней.",
     "Сколько хранятся резервные копии?"),
    ("API слушает порт 9000.", "В версии 1 API слушал порт 8071.", "Какой порт слушает API?"),
    ("Основная ветка называется main.", "Изначально основная ветка называлась master.",
     "Как называется основная ветка?"),
    ("Мобильной командой руководит Омар.", "Раньше мобильной командой руководила Лена.",
     "Кто руководит мобильной командой?"),
    ("备份保留30天。", "八月之前备份保留14天。", "备份保留多久？"),
    ("API监听9000端口。", "版本1里API监听8071端口。", "API监听哪个端口？"),
    ("默认分支是main。", "默认分支原来是master。", "默认分支是什么？"),
    ("移动团队由奥马尔负责。", "以前移动团队由莉娜负责。", "移动团队由谁负责？"),
]  # fmt: skip
#: The later one tells in the past, or of a time, what holds.
HOLDS = [
    ("The rate limit is 120.", "The rate limit was set to 300 last year.", "What is the rate limit?"),
    ("The deadline is 1 May.", "The deadline was extended until 3 June.", "What is the deadline?"),
    ("Sessions are stored in Redis.", "Until June sessions were stored in Redis, now they are stored in Postgres.",
     "Where are sessions stored?"),
    ("Backups are kept for 14 days.", "Since August backups are kept for 30 days.", "How long are backups kept?"),
    ("Die Frist ist der 1. Mai.", "Die Frist wurde bis Juni verlängert.", "Wann ist die Frist?"),
    ("El plazo es el 1 de mayo.", "El plazo se amplió hasta junio.", "¿Cuál es el plazo?"),
    ("Le délai est le 1er mai.", "Le délai a été prolongé jusqu'en juin.", "Quel est le délai ?"),
    ("Срок до мая.", "Срок продлили до июня.", "Какой срок?"),
]  # fmt: skip


@pytest.fixture
def memory(fresh):
    with Memory(fresh, clock=FrozenClock("2026-07-13T09:00:00Z")) as memory:
        memory.add("Invoices over 500 euros need two signatures.", type="fact", project="t")
        yield memory


def noted(memory, first, second):
    memory.add(first, type="fact", project="t")
    memory._parts.clock.advance(days=40)
    memory.add(second, type="fact", project="t")
    memory._parts.clock.advance(days=9)


@pytest.mark.parametrize(("holds", "past", "question"), BYGONE)
def test_a_later_note_about_the_past_stands_behind_what_holds(memory, holds, past, question):
    assert tells_of_the_past(past)
    assert not tells_of_the_past(holds)
    noted(memory, holds, past)
    assert memory.search(question, project="t").hits[0].item.content == holds
    text = memory.context(question, project="t").text
    assert holds in text
    assert past not in text or text.index(holds) < text.index(past)


@pytest.mark.parametrize(("before", "later", "question"), HOLDS)
def test_a_later_note_with_a_time_that_tells_what_holds_stands_first(memory, before, later, question):
    assert not tells_of_the_past(later)
    noted(memory, before, later)
    assert memory.search(question, project="t").hits[0].item.content == later


def test_of_two_that_tell_of_the_past_the_newer_stands_first(memory):
    noted(
        memory, "In version 1 the API listened on port 8071.", "In version 2 the API listened on port 8080."
    )
    hits = memory.search("On which port does the API listen?", project="t").hits
    assert hits[0].item.content == "In version 2 the API listened on port 8080."


def test_a_question_about_the_past_is_answered_by_what_tells_of_it(memory):
    noted(memory, "The API listens on port 9000.", "In version 1 the API listened on port 8071.")
    hits = memory.search("On which port did the API listen before?", project="t").hits
    assert hits[0].item.content == "In version 1 the API listened on port 8071."


@pytest.mark.parametrize(
    "text",
    [
        "Rust was used to build the parser.", "I moved back in with Kate in May.", "Run the tests before you push.",
        "Before August backups are kept for 14 days.", "It wasn't enabled until June.", "Vor dem Haus stand ein Baum.",
        "Bis Juni nutzen wir die Liste.", "До июня файл хранится 14 дней.", "发布之前要运行测试。",
        "去年我们搬到南京。", "The vendor kept the key.", "", "Originally it was master. " * 40,
    ],
)  # fmt: skip
def test_what_is_to_be_done_or_names_no_bound_tells_of_no_past(text):
    assert not tells_of_the_past(text)
