"""Settings: the file is weaker than the environment, and that weaker than arguments."""

from dataclasses import replace
from pathlib import Path

import pytest

from simonides import Memory
from simonides.config import Settings, StoreSettings, load, store_path
from simonides.errors import InvalidSettings
from simonides.governance.policy import PolicySettings
from simonides.models.provider import Provider
from simonides.recall.agenda.score import ScoreWeights
from simonides.recall.profiles.weighted import Weighted
from simonides.recall.search import RecallSettings
from simonides.testing import FakeEmbedder


@pytest.fixture(autouse=True)
def _a_place_without_settings(tmp_path, monkeypatch):
    """No variable and no file of whoever runs the tests has a say."""
    import os

    for name in list(os.environ):
        if name.startswith("SIMONIDES_"):
            monkeypatch.delenv(name)
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
        [recall.profiles.weighted]
        tag = 1
        [recall.agenda.weights]
        relevance = 0.5
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
    weighted = settings.recall.profiles.weighted
    assert (weighted.tag, weighted.vector) == (1.0, Weighted().vector)
    assert settings.recall.agenda.weights == replace(ScoreWeights(), relevance=0.5)
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


def test_a_file_in_the_working_directory_is_read(write):
    write('store.path = "here.db"', "simonides.toml")
    assert load(environment={}).store.path == "here.db"


def test_a_variable_names_the_file(write):
    write('store.path = "here.db"', "simonides.toml")
    path = write('store.path = "there.db"')
    assert load(environment={"SIMONIDES_CONFIG": str(path)}).store.path == "there.db"


def test_a_file_given_in_code_goes_before_the_one_of_a_variable(write):
    path = write('store.path = "there.db"')
    other = write('store.path = "here.db"', "other.toml")
    assert load(other, {"SIMONIDES_CONFIG": str(path)}).store.path == "here.db"


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
    assert store_path(load(path, {})) == Path("of-the-file.db")
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


def test_a_memory_reads_the_settings_by_itself(write, tmp_path, monkeypatch):
    write('[policy]\nmax_write_chars = 10\n[store]\nsynchronous = "NORMAL"', "simonides.toml")
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
        ("[recall]\nmin_relevence = 1", r"unknown setting 'recall\.min_relevence'; known here: .*min_relevance"),
        ("[recall.profiles.rrf]\nmagic = 1", r"unknown setting 'recall\.profiles\.rrf\.magic'"),
        ("[recall.weights]\nvector = 1", r"unknown setting 'recall\.weights'; known here: .*profiles"),
        ("recall = 5", "recall must be RecallSettings"),
        ('recall.agenda.weights = "heavy"', r"recall\.agenda\.weights must be "),
        ("[recall]\nprofile = 'magic'", "recall.profile is one of balanced, .*, not 'magic'"),
        ("[recall]\nprofile = 5", r"recall\.profile must be str"),
        ('[recall]\nmin_relevance = "much"', r"recall\.min_relevance must be float"),
        ("[recall]\nmin_relevance = true", r"recall\.min_relevance must be float"),
        ("[recall]\nmin_relevance = 1.5", r"recall\.min_relevance lies in \[0, 1\], got 1\.5"),
        ("[recall]\nmin_relevance = nan", r"recall\.min_relevance"),
        ("[recall]\nabstain_below = -0.1", r"recall\.abstain_below"),
        ("[recall]\nhide_below = 0.5", r"recall\.hide_below must not be above recall\.abstain_below"),
        ("[recall]\nunsettled_below = 2", r"recall\.unsettled_below"),
        ("[recall]\nprior_span = 2", r"recall\.prior_span"),
        ("[recall]\nprior_span = inf", r"recall\.prior_span"),
        (f"[recall]\nprior_span = 1{'0' * 400}", r"recall\.prior_span must be float"),
        ("[recall.profiles.weighted]\nvector = inf", r"recall\.profiles\.weighted\.vector"),
        ("[recall.agenda]\nexpansions = -1", r"recall\.agenda\.expansions"),
        ("[recall.agenda.weights]\nrelevance = -1", r"recall\.agenda\.weights\.relevance"),
        ("[policy]\nquarantine_hours = 0", r"policy\.quarantine_hours"),
        ("[policy]\nquarantine_hours = inf", r"policy\.quarantine_hours"),
        ("[policy]\nleast_confidence = 2", r"policy\.least_confidence"),
        ("[policy]\nmax_write_chars = 0", r"policy\.max_write_chars"),
        ("[policy]\nmax_write_chars = 2.5", r"policy\.max_write_chars must be int"),
        ('[store]\nsynchronous = "off"', r"store\.synchronous is FULL or NORMAL"),
        ("[store]\npath = 5", r"store\.path must be str"),
        ("[embedder]\nmodel = 'x'", "embedder"),
        ("[model]\nmodel = 'x'", "^model"),
        ("[rerank]\nmodel = 'x'", "^rerank"),
        ("[model]\nprovider = 'ollama'\nflavour = 'x'", r"unknown setting 'model\.flavour'; known here: .*timeout_s"),
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
