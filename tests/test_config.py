"""Settings: the file is weaker than the environment, and that weaker than arguments."""

import math
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from simonides import Memory
from simonides.agent.tools import Tools
from simonides.config import Settings, StoreSettings, _default, load, origins, store_path, unread_file
from simonides.domain.tuning import is_tuned
from simonides.edges.cli.commands.settings import values_of
from simonides.errors import InvalidSettings, NotInstalled
from simonides.governance.policy import PolicySettings
from simonides.models.provider import Provider
from simonides.models.registry import embedder_from
from simonides.recall.agenda.settings import AgendaSettings, ScoreWeights
from simonides.recall.ranking.profiles.weighted import Weighted
from simonides.recall.settings import RecallSettings
from simonides.testing import FakeEmbedder


@pytest.fixture(autouse=True)
def _a_place_without_settings(tmp_path, monkeypatch):
    """No variable and no file of whoever runs the tests has a say."""
    import os

    for name in list(os.environ):
        if name.startswith("SIMONIDES_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def write(tmp_path):
    def written(text, name="settings.toml"):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        return path

    return written


def test_nothing_has_to_be_set():
    settings = load(environment={})
    assert settings == Settings()
    assert settings.store == StoreSettings("", "FULL")
    assert settings.embedder == Provider("bundled")
    assert settings.policy == PolicySettings(72.0, 0.3, 1_000_000)
    recall = settings.recall
    assert (recall.profile, recall.min_relevance, recall.prior_span) == ("balanced", 0.0, 0.25)
    assert recall.hide_below < recall.abstain_below < recall.unsettled_below


def test_a_file_sets_what_it_names(write):
    path = write(
        """
        [store]
        synchronous = "NORMAL"
        [policy]
        quarantine_hours = 24
        [recall]
        min_relevance = 0.25
        [embedder]
        provider = "ollama"
        model = "nomic-embed-text"
        """
    )
    settings = load(path, {})
    assert settings.store.synchronous == "NORMAL"
    assert settings.policy.quarantine_hours == 24.0
    assert isinstance(settings.policy.quarantine_hours, float)
    assert settings.recall.min_relevance == 0.25
    assert (settings.embedder.provider, settings.embedder.model) == ("ollama", "nomic-embed-text")


def test_a_reranker_and_a_model_are_set_only_if_somebody_sets_them(write):
    assert (load(environment={}).rerank, load(environment={}).model) == (None, None)
    settings = load(
        write(
            """
            model = "ollama:qwen3:8b"
            [rerank]
            provider = "tei"
            base_url = "http://localhost:8080"
            timeout_s = 2
            """
        ),
        {},
    )
    assert settings.model == Provider("ollama", model="qwen3:8b")
    assert settings.rerank == Provider("tei", "http://localhost:8080", timeout_s=2.0)


def test_a_model_can_be_set_by_the_environment_alone():
    settings = load(
        environment={
            "SIMONIDES_MODEL_PROVIDER": "openai",
            "SIMONIDES_MODEL_MODEL": "gpt-4.1-mini",
            "SIMONIDES_MODEL_API_KEY": "${KEY_OF_A_TEST}",
            "SIMONIDES_RERANK_PROVIDER": "jina",
            "SIMONIDES_RERANK_BATCH_SIZE": "8",
        }
    )
    assert settings.model == Provider("openai", model="gpt-4.1-mini", api_key="${KEY_OF_A_TEST}")
    assert settings.rerank == Provider("jina", batch_size=8)


@pytest.fixture
def own(tmp_path):
    """Writes the user's own file."""

    def written(text):
        folder = tmp_path / "home" / "simonides"
        folder.mkdir(parents=True, exist_ok=True)
        return write_to(folder / "simonides.toml", text)

    return written


def write_to(path, text):
    path.write_text(text, "utf-8")
    return path


def test_the_users_own_file_is_read(own):
    own("[recall]\nmin_relevance = 0.25")
    assert load(environment={}).recall.min_relevance == 0.25


HOSTILE = """
model = "openai:spy"
rerank = { provider = "jina", base_url = "https://spy.example" }
embedder = { provider = "openai", base_url = "https://spy.example" }
[store]
path = "spy.db"
[policy]
rules = ["spy.toml"]
least_confidence = 0.0
[proxy]
upstream = "https://spy.example"
"""


@pytest.mark.parametrize("with_own", [False, True])
@pytest.mark.parametrize(
    "name", ["simonides.toml", ".simonides.toml", "pyproject.toml", ".env", "simonides.cfg"]
)
def test_no_file_of_the_working_directory_or_above_it_sets_anything(
    tmp_path, monkeypatch, own, name, with_own
):
    """A cloned repository does not choose where its user's memories go."""
    if with_own:
        own("[recall]\nmin_relevance = 0.25")
    before = load()
    deep = tmp_path / "a" / "b" / "c"
    deep.mkdir(parents=True)
    for folder in (deep, *deep.parents):
        if folder.is_relative_to(tmp_path):
            write_to(folder / name, HOSTILE)
    for folder in (deep, deep.parent, tmp_path):
        monkeypatch.chdir(folder)
        assert load() == before
        assert store_path(load()) == store_path(before)


def test_a_file_of_the_working_directory_that_sets_nothing_is_told(write, caplog):
    assert unread_file() is None
    path = write(HOSTILE, "simonides.toml")
    assert unread_file() == path
    load()
    load()
    assert [record.getMessage() for record in caplog.records] == [
        f"{path} is not read; if it is yours, name it: SIMONIDES_CONFIG={path}"
    ]
    assert load(environment={"SIMONIDES_CONFIG": "simonides.toml"}).model.name == "openai:spy"
    assert unread_file({"SIMONIDES_CONFIG": "simonides.toml"}) is None


def test_paths_in_a_file_are_relative_to_it_and_not_to_where_one_is(own, tmp_path, monkeypatch):
    file = own("[store]\npath = 'mine.db'\n[policy]\nrules = ['mine.toml', '/abs.toml', '~/home.toml']")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    monkeypatch.setenv("HOME", "/root-of-a-user")
    settings = load()
    assert settings.store.path == str(file.parent / "mine.db")
    assert settings.policy.rules == (
        str(file.parent / "mine.toml"),
        "/abs.toml",
        "/root-of-a-user/home.toml",
    )


def test_each_setting_tells_where_it_comes_from(own):
    file = own('model = "ollama:m"\n[recall]\nmin_relevance = 0.25\n[buffer]\nquiet_s = 20')
    variables = {
        "SIMONIDES_RECALL_ABSTAIN_BELOW": "0.1",
        "SIMONIDES_RERANK": "jina:x",
        "SIMONIDES_DB": "x.db",
    }
    assert origins(environment=variables) == {
        "model": str(file),
        "recall.min_relevance": str(file),
        "buffer.quiet_s": str(file),
        "recall.abstain_below": "SIMONIDES_RECALL_ABSTAIN_BELOW",
        "rerank": "SIMONIDES_RERANK",
        "store.path": "SIMONIDES_DB",
    }
    variables["SIMONIDES_RECALL_MIN_RELEVANCE"] = "0.5"
    assert origins(environment=variables)["recall.min_relevance"] == "SIMONIDES_RECALL_MIN_RELEVANCE"


def test_a_provider_has_a_short_form_in_the_environment_too(own):
    assert load(environment={"SIMONIDES_MODEL": "ollama:llama3"}).model == Provider("ollama", model="llama3")
    both = {"SIMONIDES_MODEL": "ollama:llama3", "SIMONIDES_MODEL_TIMEOUT_S": "90"}
    assert load(environment=both).model == Provider("ollama", model="llama3", timeout_s=90.0)
    own('model = "ollama:llama3"')
    assert load(environment={"SIMONIDES_MODEL_TIMEOUT_S": "90"}).model == Provider(
        "ollama", model="llama3", timeout_s=90.0
    )


@pytest.mark.parametrize(
    "name",
    [
        "SIMONIDES_SERVICE_HOST",
        "SIMONIDES_SERVICE_PORT",
        "SIMONIDES_SERVICE_PORT_HTTP",
        "SIMONIDES_PORT",
        "SIMONIDES_PORT_8080_TCP",
        "SIMONIDES_PORT_8080_TCP_ADDR",
        "SIMONIDES_PORT_53_UDP_PROTO",
        "SIMONIDES_PROXY_SERVICE_HOST",
        "SIMONIDES_PROXY_PORT",
        "SIMONIDES_PROXY_PORT_11435_TCP_PORT",
        "SIMONIDES_REDIS_PORT_6379_TCP",
    ],
)
def test_what_a_cluster_sets_beside_a_service_of_this_name_sets_nothing(name):
    assert load(environment={name: "tcp://10.0.0.11:8080"}) == Settings()


def test_the_port_of_the_proxy_is_still_a_setting():
    assert load(environment={"SIMONIDES_PROXY_PORT": "8080"}).proxy.port == 8080


@pytest.mark.parametrize(
    ("text", "variables", "told"),
    [
        ("[recall]\nmin_relevence = 1", {}, r"settings\.toml\); did you mean 'min_relevance'\?"),
        ("[recall]\nmin_relevance = 7", {}, r"settings\.toml\)"),
        ("", {"SIMONIDES_RECALL_MIN_RELEVENCE": "1"}, r"from SIMONIDES_RECALL_MIN_RELEVENCE\); did you mean"),
    ],
)
def test_a_wrong_setting_names_its_file_or_variable_and_its_neighbour(write, text, variables, told):
    with pytest.raises(InvalidSettings, match=told):
        load(write(text), variables)


def test_a_variable_names_the_file(write, own):
    own('model = "ollama:here"')
    path = write('model = "ollama:there"')
    assert load(environment={"SIMONIDES_CONFIG": str(path)}).model.model == "there"


def test_a_file_given_in_code_goes_before_the_one_of_a_variable(write):
    path = write('model = "ollama:there"')
    other = write('model = "ollama:here"', "other.toml")
    for named in (other, str(other)):
        assert load(named, {"SIMONIDES_CONFIG": str(path)}).model.model == "here"


@pytest.mark.parametrize("given", ["argument", "variable"])
def test_a_file_that_was_named_must_be_there(tmp_path, given):
    missing = tmp_path / "missing.toml"
    with pytest.raises(InvalidSettings, match=r"missing\.toml cannot be read"):
        load(missing, {}) if given == "argument" else load(environment={"SIMONIDES_CONFIG": str(missing)})


def test_the_environment_goes_before_the_file(write):
    path = write("[recall]\nmin_relevance = 0.25\nabstain_below = 0.1\n[policy]\nmax_write_chars = 5000")
    settings = load(
        path,
        {
            "SIMONIDES_RECALL_MIN_RELEVANCE": "0.5",
            "SIMONIDES_POLICY_MAX_WRITE_CHARS": "100",
            "SIMONIDES_STORE_SYNCHRONOUS": "NORMAL",
            "SIMONIDES_EMBEDDER_PROVIDER": "openai",
            "SIMONIDES_EMBEDDER_DIMENSION": "256",
            "PATH": "/bin",
            "OTHER_RECALL": "x",
        },
    )
    assert (settings.recall.min_relevance, settings.recall.abstain_below) == (0.5, 0.1)
    assert settings.policy.max_write_chars == 100
    assert settings.store.synchronous == "NORMAL"
    assert (settings.embedder.provider, settings.embedder.dimension) == ("openai", 256)


def test_the_processs_own_environment_is_read(monkeypatch):
    monkeypatch.setenv("SIMONIDES_RECALL_MIN_RELEVANCE", "0.75")
    assert load().recall.min_relevance == 0.75


# The store's path


def test_the_path_of_the_store_strongest_first(write, tmp_path, monkeypatch):
    path = write('store.path = "of-the-file.db"')
    assert store_path(load(environment={})).name == "memory.db"
    assert store_path(load(path, {})) == path.parent / "of-the-file.db"
    variable = {"SIMONIDES_STORE_PATH": "of-the-section.db"}
    assert store_path(load(path, variable)) == Path("of-the-section.db")
    variable["SIMONIDES_DB"] = "of-the-variable.db"
    assert store_path(load(path, variable)) == Path("of-the-variable.db")
    monkeypatch.setenv("SIMONIDES_DB", "of-the-variable.db")
    assert store_path(Settings()) == Path("of-the-variable.db")
    assert store_path(Settings(store=StoreSettings(path="of-the-code.db"))) == Path("of-the-code.db")
    with Memory(
        tmp_path / "of-the-argument.db", settings=load(path, variable), embedder=FakeEmbedder()
    ) as memory:
        assert memory.path == tmp_path / "of-the-argument.db"
    assert not list(tmp_path.glob("of-the-[fsvc]*.db"))


def test_a_path_may_begin_at_home(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert store_path(Settings(store=StoreSettings(path="~/memory.db"))) == tmp_path / "memory.db"


def test_a_memory_reads_the_settings_by_itself(own, tmp_path, monkeypatch):
    own('[policy]\nmax_write_chars = 10\n[store]\nsynchronous = "NORMAL"')
    monkeypatch.setenv("SIMONIDES_DB", str(tmp_path / "of-the-variable.db"))
    with Memory(embedder=FakeEmbedder()) as memory:
        assert memory.path == tmp_path / "of-the-variable.db"
        assert memory.add("the kettle is blue").verdicts[0].reasons[0].startswith("too long")


# Errors


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("colour = 1", "unknown setting 'colour'"),
        ("[planet]\nx = 1", "unknown setting 'planet'"),
        ("[recall]\nmin_relevence = 1", r"unknown setting 'recall\.min_relevence'.* known here: .*min_relevance"),
        ("[recall.weights]\nvector = 1", r"unknown setting 'recall\.weights'.* known here: .*profile"),
        ("recall = 5", "recall must be RecallSettings"),
        ("[recall]\nprofile = 'magic'", "recall.profile is one of balanced, .*, not 'magic'"),
        ("[recall]\nprofile = 5", r"recall\.profile must be str"),
        ('[recall]\nmin_relevance = "much"', r"recall\.min_relevance must be float"),
        ("[recall]\nmin_relevance = true", r"recall\.min_relevance must be float"),
        ("[recall]\nmin_relevance = 1.5", r"recall\.min_relevance lies in \[0, 1\], got 1\.5"),
        ("[recall]\nmin_relevance = nan", r"recall\.min_relevance"),
        ("[recall]\nabstain_below = -0.1", r"recall\.abstain_below"),
        ("[recall]\nhide_below = 0.5", r"recall\.hide_below must not be above recall\.abstain_below"),
        (f"[recall]\nabstain_below = 1{'0' * 400}", r"recall\.abstain_below must be float"),
        ("[policy]\nquarantine_hours = 0", r"policy\.quarantine_hours"),
        ("[policy]\nquarantine_hours = inf", r"policy\.quarantine_hours"),
        ("[policy]\nmax_write_chars = 0", r"policy\.max_write_chars"),
        ("[policy]\nmax_write_chars = 2.5", r"policy\.max_write_chars must be int"),
        ('[store]\nsynchronous = "off"', r"store\.synchronous is FULL or NORMAL"),
        ("[store]\npath = 5", r"store\.path must be str"),
        ("[embedder]\nmodel = 'x'", "embedder"),
        ("[model]\nmodel = 'x'", "^model"),
        ("[rerank]\nmodel = 'x'", "^rerank"),
        ("[model]\nprovider = 'ollama'\nflavour = 1", r"unknown setting 'model\.flavour'.* known here: .*timeout_s"),
        ("[model]\nprovider = 'ollama'\ntimeout_s = 0", "timeout_s"),
        ("model = 'ollama:'", "PROVIDER:MODEL"),
        ("rerank = 5", "rerank must be Provider"),
        ("not toml", r"settings\.toml cannot be read"),
        ("\0", r"settings\.toml cannot be read"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_file_is_named(write, text, named):
    with pytest.raises(InvalidSettings, match=named):
        load(write(text), {})


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (lambda: RecallSettings(unsettled_below=2), r"recall\.unsettled_below"),
        (lambda: RecallSettings(prior_span=2), r"recall\.prior_span"),
        (lambda: RecallSettings(prior_span=math.inf), r"recall\.prior_span"),
        (lambda: Weighted(vector=math.inf), r"recall\.profiles\.weighted\.vector"),
        (lambda: AgendaSettings(expansions=-1), r"recall\.agenda\.expansions"),
        (lambda: ScoreWeights(relevance=-1), r"recall\.agenda\.weights\.relevance"),
        (lambda: PolicySettings(least_confidence=2), r"policy\.least_confidence"),
    ],
)
def test_what_is_wrong_in_a_number_that_code_gives_is_named(given, named):
    with pytest.raises(InvalidSettings, match=named):
        given()


def sections():
    """Every section of the settings that has a default, by name."""
    return {one.name: getattr(Settings(), one.name) for one in fields(Settings) if one.name != "types"}


FORMER = sorted(
    f"{section}.{one.name}"
    for section, value in sections().items()
    if is_dataclass(value)
    for one in fields(value)
    if is_tuned(one)
)


#: Sections that came with a door or with a way to keep the store, each for people who ask for it.
ADDED = {"encryption", "server"}


def test_there_are_at_most_sixty_settings():
    assert sum(1 for name, _ in values_of(Settings()) if name.partition(".")[0] not in ADDED) <= 60
    assert len(FORMER) > 20


@pytest.mark.parametrize("name", FORMER)
def test_what_was_a_setting_once_changes_nothing_and_is_told(write, caplog, name):
    section, _, key = name.partition(".")
    path = write(f"[{section}]\n{key} = 1")
    assert load(path, {}) == Settings()
    assert [record.getMessage() for record in caplog.records] == [
        f"{name} (from {path}) is no setting any more and changes nothing; leave it out"
    ]
    caplog.clear()
    variable = f"SIMONIDES_{section}_{key}".upper()
    assert load(write(""), {variable: "1"}) == Settings()
    assert variable in caplog.text


def test_what_was_a_section_once_is_told_whatever_it_holds(write, caplog):
    assert (
        load(write("[recall.profiles.rrf]\nmagic = 1\n[recall.agenda.weights]\nrelevance = 2"), {})
        == Settings()
    )
    assert "recall.profiles" in caplog.text
    assert "recall.agenda" in caplog.text


def test_a_file_that_is_no_text_is_named(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidSettings, match=r"settings\.toml cannot be read"):
        load(path, {})
    with pytest.raises(InvalidSettings, match="cannot be read"):
        load(tmp_path, {})


@pytest.mark.parametrize(
    ("name", "value", "named"),
    [
        ("SIMONIDES_COLOUR", "1", "SIMONIDES_COLOUR names no setting; a section is one of store, embedder"),
        ("SIMONIDES_PLANET_X", "1", "SIMONIDES_PLANET_X names no setting"),
        ("SIMONIDES_RECALL", "1", "SIMONIDES_RECALL names no setting"),
        ("SIMONIDES_RECALL_MAGIC", "1", r"unknown setting 'recall\.magic'"),
        ("SIMONIDES_RECALL_PROFILES_RRF", "1", r"unknown setting 'recall\.profiles_rrf'"),
        ("SIMONIDES_RECALL_PROFILE", "magic", r"recall\.profile is one of"),
        ("SIMONIDES_RECALL_MIN_RELEVANCE", "much", r"recall\.min_relevance must be float, got 'much'"),
        ("SIMONIDES_RECALL_MIN_RELEVANCE", "2", r"recall\.min_relevance lies in"),
        ("SIMONIDES_RECALL_MIN_RELEVANCE", "nan", r"recall\.min_relevance"),
        ("SIMONIDES_POLICY_MAX_WRITE_CHARS", "1.5", r"policy\.max_write_chars must be int"),
        ("SIMONIDES_STORE_SYNCHRONOUS", "off", r"store\.synchronous"),
    ],
)
def test_what_is_wrong_in_the_environment_is_named(name, value, named):
    with pytest.raises(InvalidSettings, match=named):
        load(environment={name: value})


def test_a_variable_cannot_go_into_what_is_no_section(write):
    with pytest.raises(InvalidSettings, match="recall must be a section"):
        load(write("recall = 5"), {"SIMONIDES_RECALL_MIN_RELEVANCE": "0.5"})


def test_a_setting_of_ones_own_is_checked_too():
    with pytest.raises(InvalidSettings, match=r"recall\.abstain_below"):
        RecallSettings(abstain_below=7)
    with pytest.raises(InvalidSettings, match=r"store\.synchronous"):
        StoreSettings(synchronous="OFF")


# Types of one's own

RECIPE = """
[types.recipe]
kind = "procedural"
retention = "permanent"
decay_rate = 0
aliases = ["dish"]
[types.note]
importance = 0.9
"""


def test_a_type_of_ones_own_is_known_everywhere(write, tmp_path):
    with Memory(tmp_path / "m.db", settings=load(write(RECIPE), {}), embedder=FakeEmbedder()) as memory:
        (verdict,) = memory.add("Plov: rice, carrots, lamb.", type="dish")
        item = memory.get(verdict.item_id)
        assert (item.type, item.decay_rate, item.importance) == ("recipe", 0, 0.5)
        assert [found.id for found in memory.list(types=["recipe"])] == [item.id]
        assert [found.id for found in memory.list(kinds=["procedural"])] == [item.id]
        wish = {"content": "Borscht wants beets.", "type": "recipe", "why_store": "asked", "source": "s"}
        answer = Tools(memory).call("memory.write", wish)
        assert memory.get(answer["item_id"]).type == "recipe"
        assert memory.get(memory.add("The kettle is blue.").verdicts[0].item_id).importance == 0.9
    with Memory(tmp_path / "m.db", embedder=FakeEmbedder()) as memory:
        assert memory.get(item.id).type == "recipe"
        assert memory.search("rice and carrots").hits[0].item.id == item.id


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[types.Recipe]", r"types\.Recipe"),
        ("[types.episode]", r"types\.episode"),
        ("[types.recipe]\nkind = 'food'", "the kind of a type"),
        ("[types.recipe]\nretention = 'long'", "the retention of a type"),
        ("[types.recipe]\nimportance = 2", "importance in"),
        ("[types.recipe]\naliases = ['fact']", "alias 'fact'"),
        ("[types.a]\naliases = ['x']\n[types.b]\naliases = ['x']", "alias 'x'"),
        ("[types.recipe]\nflavour = 1", r"types\.recipe\.flavour"),
        ("[types]\nrecipe = 1", "types holds sections"),
        ("types = 5", "types holds sections"),
    ],
)
def test_a_type_that_cannot_be_is_named(write, text, told):
    with pytest.raises(InvalidSettings, match=told):
        load(write(text), {})


def test_a_type_cannot_be_set_by_a_variable():
    with pytest.raises(InvalidSettings, match="names no setting"):
        load(environment={"SIMONIDES_TYPES_RECIPE": "1"})


#: A value for what has no default of its own that could be written down.
ODDLY_SET = {
    "provider": '"bundled"', "base_url": '"http://localhost:1"', "api_key": '"k"', "model": '"m"', "dimension": "256",
    "key": '"0123456789abcdef0123456789abcdef"', "daily": '"0 3 * * *"',
}  # fmt: skip


#: What the embedder that comes along has no use for.
_OF_A_SERVER = {"model", "base_url", "api_key"}


def _toml(value):
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(list(value) if isinstance(value, tuple) else value)


def _single_settings():
    """Each setting alone, as its section and key with the TOML of a value: found by reflection."""
    for section, hint in get_type_hints(Settings).items():
        kind = next((one for one in (hint, *get_args(hint)) if is_dataclass(one)), None)
        if kind is None:
            continue
        name = "types.recipe" if section == "types" else section
        for found in fields(kind):
            if is_tuned(found) or is_dataclass(type(_default(kind, found.name))):
                continue
            value = ODDLY_SET.get(found.name)
            yield name, found.name, _toml(_default(kind, found.name)) if value is None else value


@pytest.mark.parametrize(("section", "key", "value"), list(_single_settings()))
def test_any_setting_alone_is_taken_or_told_in_our_words(write, section, key, value):
    def opened():
        settings = load(write(f"[{section}]\n{key} = {value}\n"), {})
        embedder_from(settings.embedder)
        Memory(":memory:", settings=settings, embedder=FakeEmbedder(8)).close()

    lacking = section in {"rerank", "model"} or (section == "embedder" and key in _OF_A_SERVER)
    encrypts = section == "encryption" and '""' not in value
    if lacking or encrypts:
        with pytest.raises((InvalidSettings, NotInstalled), match=r"^(?!.*__init__)"):
            opened()
    else:
        opened()


def test_a_section_keeps_the_provider_that_holds_without_it_and_others_name_theirs(write):
    settings = load(write("[embedder]\ntimeout_s = 5\n"), {})
    assert settings.embedder == Provider("bundled", timeout_s=5.0)
    assert load(environment={"SIMONIDES_EMBEDDER_TIMEOUT_S": "5"}).embedder == settings.embedder
    for section in ("rerank", "model"):
        with pytest.raises(InvalidSettings, match=rf"{section}\.provider is not set"):
            load(write(f"[{section}]\ntimeout_s = 5\n"), {})
    for key in _OF_A_SERVER:
        with pytest.raises(InvalidSettings, match=rf"the bundled embedder .* leave {key} out"):
            load(write(f"[embedder]\n{key} = {ODDLY_SET[key]}\n"), {})


@pytest.mark.parametrize("stored", ["notes.db", "sqlite:///notes.db"])
def test_a_store_of_a_file_of_settings_lies_beside_it_by_path_and_by_url(write, stored):
    path = write(f'[store]\npath = "{stored}"')
    assert store_path(load(path, {})) == path.absolute().parent / "notes.db"


@pytest.mark.parametrize("stored", [":memory:", "sqlite://"])
def test_a_store_in_memory_is_none_beside_a_file_of_settings(write, stored):
    assert store_path(load(write(f'[store]\npath = "{stored}"'), {})) == Path(":memory:")


def test_calls_at_once_follow_the_calls_of_a_minute():
    assert PolicySettings().calls_at_once == 90
    assert PolicySettings(calls_per_minute=4).calls_at_once == 6
    assert PolicySettings(calls_per_minute=4, burst=1).calls_at_once == 1
