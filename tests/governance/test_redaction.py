"""After redaction no character of a secret is left, however it was hidden."""

import base64
import random
import re
import string
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from simonides.governance.scan import Finding, redact, scan

LETTERS = string.ascii_letters
ALPHANUMERIC = string.ascii_letters + string.digits
HEX = "0123456789abcdef"


def drawn(generator: random.Random, alphabet: str, length: int) -> str:
    """A value with a digit and a letter, as generated secrets have."""
    middle = "".join(generator.choices(alphabet, k=length - 4))
    return (
        f"{generator.choice(LETTERS)}{middle}7{generator.choice('ghkmq')}4"
        if alphabet != HEX
        else f"a{middle}7b4"
    )


#: Sentences that hold a secret, and how the secret is drawn.
PLANTED = {
    "GitHub token": ("my token is {}", lambda g: "ghp_" + drawn(g, ALPHANUMERIC, 36)),
    "GitLab token": ("CI uses {} there", lambda g: "glpat-" + drawn(g, ALPHANUMERIC, 20)),
    "AWS key": (
        "use {} for S3",
        lambda g: "AKIA" + "".join(g.choices(string.ascii_uppercase + "234567", k=16)),
    ),
    "OpenAI key": ("OPENAI_API_KEY={}", lambda g: "sk-proj-" + drawn(g, ALPHANUMERIC, 44)),
    "Anthropic key": ("the key: {}", lambda g: "sk-ant-api03-" + drawn(g, ALPHANUMERIC, 80) + "AA"),
    "Stripe key": ("charge with {}", lambda g: "sk_live_" + drawn(g, ALPHANUMERIC, 24)),
    "npm token": ("publish with {} please", lambda g: "npm_" + drawn(g, ALPHANUMERIC, 36)),
    "Shopify token": ("shop {} end", lambda g: "shpat_" + drawn(g, HEX, 32)),
    "Telegram token": (
        "bot {} runs",
        lambda g: f"{g.randrange(10**8, 10**9)}:AA" + drawn(g, ALPHANUMERIC, 33),
    ),
    "JSON web token": (
        "auth {} sent",
        lambda g: f"eyJhbGciOiJIUzI1NiJ9.eyJ{drawn(g, ALPHANUMERIC, 20)}.{drawn(g, ALPHANUMERIC, 30)}",
    ),
    "assigned secret": ('STAGING_SECRET = "{}"', lambda g: drawn(g, ALPHANUMERIC, 24)),
    "hexadecimal secret": ("client_secret: {}", lambda g: drawn(g, HEX, 40)),
    "address with a password": (
        "postgres://app:{}@db.internal:5432/app",
        lambda g: drawn(g, ALPHANUMERIC, 14),
    ),
    "header": ("Authorization: Bearer {}", lambda g: drawn(g, ALPHANUMERIC, 30)),
    "password": ("The wifi password is {}", lambda g: f"{drawn(g, string.ascii_lowercase, 9)}!"),
    "German password": ("Das Passwort lautet {}", lambda g: drawn(g, string.ascii_lowercase, 11)),
    "French password": ("le mot de passe est {}", lambda g: drawn(g, string.ascii_lowercase, 11)),
    "Spanish password": ("la contraseña es {}", lambda g: drawn(g, string.ascii_lowercase, 11)),
    "Russian password": ("пароль: {}", lambda g: drawn(g, string.ascii_lowercase, 11)),
    "Chinese password": ("密码是{}", lambda g: drawn(g, string.ascii_lowercase, 11)),
    "Japanese password": ("パスワードは{}", lambda g: drawn(g, string.ascii_lowercase, 11)),
    "gate code": ("The gate code is {}", lambda g: f"{g.randrange(10**5, 10**6)}"),
    "passphrase": (
        "my passphrase is '{}'",
        lambda g: " ".join(g.sample(["plum", "oak", "stair", "lamp", "tea"], 4)),
    ),
}

AROUND = st.text(alphabet="abcdefghij klmno,. \n", max_size=400)
EVERY_KIND = pytest.mark.parametrize("kind", PLANTED)


def plant(kind: str, seed: int) -> tuple[str, str]:
    sentence, draw = PLANTED[kind]
    value = draw(random.Random(seed))
    return sentence.format(value), value


def visible(text: str) -> str:
    return "".join(c for c in text if c not in "\u200b\u200d\u2060\u00ad")


@EVERY_KIND
@settings(max_examples=25)
@given(before=AROUND, after=AROUND, seed=st.integers(0, 2**32))
def test_a_planted_secret_is_gone(kind: str, before: str, after: str, seed: int):
    sentence, value = plant(kind, seed)
    text = f"{before}\n{sentence}\n{after}"
    assert value not in redact(text, scan(text))


@settings(max_examples=200)
@given(
    kinds=st.lists(st.sampled_from(sorted(PLANTED)), min_size=2, max_size=4),
    between=st.sampled_from([" ", "\n", "\t", ", ", "; ", " / ", " and ", " und "]),
    seed=st.integers(0, 2**32),
)
def test_secrets_that_stand_side_by_side_are_all_gone(kinds: list[str], between: str, seed: int):
    planted = [plant(kind, seed + place) for place, kind in enumerate(kinds)]
    text = between.join(sentence for sentence, _ in planted)
    redacted = redact(text, scan(text))
    assert not [value for _, value in planted if value in redacted]
    assert redact(redacted, scan(redacted)) == redacted


@pytest.mark.parametrize("between", [" ", "\n", ", "])
def test_what_closes_a_token_may_open_the_next(between: str):
    for first, second in product(PLANTED, repeat=2):
        (_, left), (_, right) = plant(first, 1), plant(second, 2)
        alone = [value for value in (left, right) if value not in redact(value, scan(value))]
        redacted = redact(text := left + between + right, scan(text))
        assert not [value for value in alone if value in redacted], (first, second)


@pytest.mark.parametrize("between", [",", ";", "|", "&", "…", "...", "<br>", "\\n", "\\t", "%20", "\r\n"])
def test_secrets_that_a_mark_parts_are_all_gone(between: str):
    for first, second in product(PLANTED, repeat=2):
        (left, one), (right, other) = plant(first, 1), plant(second, 2)
        redacted = redact(text := left + between + right, scan(text))
        assert not [value for value in (one, other) if value in redacted], (first, second)


@pytest.mark.parametrize(
    "text",
    [
        "API_KEY=sk-ab12...", "token: eyJhbGci…", "the key: ghp_abcd...wxyz", "password: abc1...",
        "Authorization: Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9...",
    ],
)  # fmt: skip
def test_a_key_of_which_the_rest_is_left_out_is_none(text: str):
    assert redact(text, scan(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        r"The token is at D:\release2024\a.txt",
        r"auth token dir D:\react_2024\rust-old",
        r"Use C:\etc\passwd\test_2024.",
    ],
)
def test_a_place_on_a_drive_has_no_escapes(text: str):
    assert redact(text, scan(text)) == text


@pytest.mark.parametrize("value", ["n4Vq82wz:", "kY7:/x82", "a:b:c4/x", "n4:Vq:/8:2wz:"])
def test_a_password_with_colons_and_slashes_is_gone_from_its_address(value: str):
    text = f"redis://u:{value}@h:6379/0"
    assert value.strip(":") not in redact(text, scan(text))


def test_of_addresses_in_a_list_every_password_is_gone():
    one, other = "amqp://ana:kGtG/pK:cFU@mq1.example.org", "amqp://bob:SUsA@68Xs8@mq2.example.org/x"
    for between in (",", "|", ";", "", "?next="):
        redacted = redact(text := one + between + other, scan(text))
        assert not [value for value in ("kGtG", "cFU", "SUsA", "68Xs8") if value in redacted], between


def test_a_name_in_the_place_of_a_value_does_not_hide_the_value():
    text = "Sign in with pw, client_secret: 9f86d081884c7d659a2feaa0c55ad015."
    assert "9f86d0" not in redact(text, scan(text))


#: Secrets that are known by their own form, whatever stands before them.
FORMED = ("GitHub token", "GitLab token", "AWS key", "OpenAI key", "Anthropic key", "Stripe key", "npm token")


@pytest.mark.parametrize("kind", FORMED)
@settings(max_examples=25)
@given(
    mark=st.sampled_from(["password", "GitHub token", "withheld", "word"]),
    between=st.sampled_from(["", " ", ", ", ": ", '", "', "\n"]),
    seed=st.integers(0, 2**32),
)
def test_a_secret_with_a_form_of_its_own_is_gone_behind_a_mark(kind: str, mark: str, between: str, seed: int):
    _, draw = PLANTED[kind]
    value = draw(random.Random(seed))
    redacted = redact(text := f"[secret: {mark}]{between}{value}", scan(text))
    assert value not in redacted
    assert redact(redacted, scan(redacted)) == redacted


@EVERY_KIND
@settings(max_examples=15)
@given(before=AROUND, seed=st.integers(0, 2**32), hidden=st.sampled_from("\u200b\u200d\u2060\u00ad"))
def test_a_secret_with_invisible_characters_in_it_is_gone(kind: str, before: str, seed: int, hidden: str):
    sentence, value = plant(kind, seed)
    text = f"{before}\n{sentence.replace(value, hidden.join(value))}\nend"
    assert value not in visible(redact(text, scan(text)))


@EVERY_KIND
def test_a_secret_in_base64_goes_with_what_hides_it(kind: str):
    sentence, _ = plant(kind, seed=11)
    blob = base64.b64encode(sentence.encode()).decode()
    text = f"Kim said {blob} was it"
    redacted = redact(text, scan(text))
    assert redacted.startswith("Kim said [secret: ")
    assert redacted.endswith("] was it")


def test_a_secret_said_again_without_context_is_replaced_too():
    text = "The password is plum-tart-31. Remember, plum-tart-31!"
    assert redact(text, scan(text)) == "The password is [secret: password]. Remember, [secret: password]!"


def test_a_short_code_is_not_cut_out_of_longer_numbers():
    text = "The gate code is 4471; order 144712 has shipped."
    assert redact(text, scan(text)) == "The gate code is [secret: access code]; order 144712 has shipped."


def test_overlapping_secrets_become_one_named_by_the_longest():
    findings = [
        Finding(4, 9, "secret", "a", "short"),
        Finding(6, 20, "secret", "b", "long"),
        Finding(0, 3, "personal", "c", "name"),
    ]
    assert redact("Kim 0123456789abcdefghij", findings) == "Kim [secret: long]ghij"


def test_text_without_secrets_comes_back_as_it_was():
    text = "Kim's address is kim@example.org."
    assert redact(text, scan(text)) is text


def test_redacting_twice_changes_nothing_more():
    text = "password: plum-tart-31 and token = t8kqvw2lmzx9rfyb4nch"
    once = redact(text, scan(text))
    assert redact(once, scan(once)) == once


@given(st.text(max_size=200))
def test_redaction_of_any_text_needs_only_its_findings(text: str):
    redact(text, scan(text))


# Passwords of anything that a keyboard has

#: Sentences that say that a password follows.
SENTENCES = [
    "The wifi password is {}",
    "my bank password is {} by the way",
    "Password: {}",
    "DB_PASSWORD={}",
    'password "{}"',
    "the passphrase is '{}' now",
    "login: anna / {}",
    "username anna, password {}",
    "use {} as the password",
    "the safe opens with {}",
    "root / {}",
    "type {} when asked for the password",
    "Das Passwort ist {}",
    "Zugangsdaten: anna / {}",
    "Passwort „{}“",
    "der Rechner geht mit {} auf",
    "le mot de passe est {}",
    "Mot de passe {}",
    "la contraseña es {}",
    "mi clave: {}",
    "Wi-Fi şifresi {}",
    "密码是{}",
    "口令：{}，别忘了",
    "Пароль от вайфая: {}",
]
PUNCTUATION = string.punctuation


def drawn_password(generator: random.Random) -> str:
    """As managers of passwords draw them: each kind of character is in it."""
    some = [
        generator.choice(kind) for kind in (string.ascii_lowercase, string.ascii_uppercase, string.digits)
    ]
    some += generator.choices(LETTERS + string.digits + PUNCTUATION, k=generator.randrange(5, 17))
    some += generator.choices(PUNCTUATION, k=2)
    generator.shuffle(some)
    return "".join(some)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_of_drawn_passwords_nearly_all_are_found_and_those_whole(sentence: str):
    generator = random.Random(sentence)
    opened = sentence.partition("{}")[0][-1:] if "{}'" in sentence or '{}"' in sentence else ""
    values = [drawn_password(generator) for _ in range(80)]
    # Where the quote that opened it stands in it, nobody can tell where it ends.
    values = [value for value in values if not opened or opened not in value]
    redacted = {value: redacted_note(sentence.format(value)) for value in values}
    found = {value: text for value, text in redacted.items() if "[secret: " in text}
    assert len(found) >= 0.95 * len(values)
    assert {value: text for value, text in found.items() if left_of(value, text, sentence)} == {}


def redacted_note(sentence: str) -> str:
    text = f"Notes of May.\n{sentence}\nThe end."
    return redact(text, scan(text))


def left_of(value: str, text: str, sentence: str) -> set[str]:
    """Three characters in a row and more of a value that stand in a redacted text, and not in its sentence."""
    pieces = {value[start : start + 3] for start in range(len(value) - 2)}
    rest = re.sub(r"\[secret: [^]]*\]", "", text)
    return {piece for piece in pieces if piece in rest and piece not in sentence}


def key_lines(generator: random.Random, count: int) -> list[str]:
    return [base64.b64encode(generator.randbytes(48)).decode() for _ in range(count)]


LISTED = {
    "plain": "\n".join,
    "numbered": lambda lines: "\n".join(f"{n}. {line}" for n, line in enumerate(lines, 1)),
    "line numbers": lambda lines: "\n".join(f"{n:4} | {line}" for n, line in enumerate(lines, 1)),
    "bullets": lambda lines: "\n".join(f"- {line}" for line in lines),
    "quoted": lambda lines: "\n".join(f"> {line}" for line in lines),
    "strings": lambda lines: "[" + ", ".join(f'"{line}"' for line in lines) + "]",
    "one line": " ".join,
    "escaped": "\\n".join,
    "indented": lambda lines: "\n".join(f"    {line}" for line in lines),
}


@pytest.mark.parametrize("form", LISTED)
@pytest.mark.parametrize("kind", ["RSA ", "", "OPENSSH ", "EC ", "ENCRYPTED "])
def test_a_private_key_is_redacted_whole_however_it_is_listed(form: str, kind: str):
    generator = random.Random(form + kind)
    lines = key_lines(generator, 14)
    lines[-1] = lines[-1][:22] + "=="
    lines = [f"-----BEGIN {kind}PRIVATE KEY-----", *lines, f"-----END {kind}PRIVATE KEY-----"]
    text = f"Deploy notes.\n{LISTED[form](lines)}\nKeep it safe."
    redacted = redact(text, scan(text))
    assert not [line for line in lines if line[:16] in redacted or line[-10:] in redacted]
    assert redacted.startswith("Deploy notes.")
    assert redacted.endswith("Keep it safe.")


def test_a_putty_key_is_redacted_whole():
    lines = key_lines(random.Random(5), 9)
    text = "\n".join(
        [
            *("My key:", "PuTTY-User-Key-File-3: ssh-rsa", "Encryption: none", "Public-Lines: 4", *lines[:4]),
            *(
                "Private-Lines: 5",
                *lines[4:],
                "Private-MAC: 8f2c61d97b3ea054c8f19d6b72e3a405",
                "",
                "That was it.",
            ),
        ]
    )
    redacted = redact(text, scan(text))
    assert not [line for line in lines if line[:12] in redacted]
    assert "8f2c61d9" not in redacted


@given(seed=st.integers(0, 2**32))
def test_a_key_of_a_web_framework_is_redacted_whole(seed: int):
    generator = random.Random(seed)
    value = "".join(generator.choices(string.ascii_lowercase + string.digits + "!@#$%^&*(-_=+)", k=50))
    text = f"SECRET_KEY = 'django-insecure-{value}'\nDEBUG = True"
    redacted = redact(text, scan(text))
    assert not [value[i : i + 4] for i in range(47) if value[i : i + 4] in redacted]
    assert redacted.endswith("DEBUG = True")


@pytest.mark.parametrize("between", [", ", " ", "\n", "\n- ", "; ", " and ", "\n2. "])
@given(seed=st.integers(0, 2**32), count=st.integers(2, 10))
def test_every_backup_code_is_redacted(between: str, seed: int, count: int):
    generator = random.Random(seed)
    codes = [f"{generator.randrange(1000, 10000)}-{generator.randrange(1000, 10000)}" for _ in range(count)]
    text = f"My backup codes for the mail: {between.join(codes)}\nThe end."
    redacted = redact(text, scan(text))
    assert not [code for code in codes if code in redacted]


@given(st.text(alphabet=PUNCTUATION + "ab1 ", max_size=60))
@example(":b1111")
def test_redacting_twice_changes_nothing_more_whatever_stands_around(rest: str):
    text = f"password: plum-tart-31 {rest}"
    once = redact(text, scan(text))
    assert redact(once, scan(once)) == once
