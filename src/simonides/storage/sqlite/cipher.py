"""Encryption of whole files, by the build of APSW that holds SQLite3 Multiple Ciphers."""

from __future__ import annotations

from functools import lru_cache
from hashlib import scrypt
from pathlib import Path
from typing import Final

import apsw

from simonides.errors import NotAStore, NotInstalled, WrongKey
from simonides.storage.sqlite.sql import Connection

#: What every SQLite file begins with that is not encrypted.
_PLAIN: Final = b"SQLite format 3\x00"
_SALT: Final = b"simonides pages 1"
_SCRYPT_BYTES: Final = 64 * 1024 * 1024


@lru_cache(maxsize=8)
def cipher_from(secret: str) -> str:
    """The key of a file's pages, in hexadecimal, that a secret of the owner stands for: some 50 ms of work, once."""
    made = scrypt(secret.encode(), salt=_SALT, n=2**14, r=8, p=1, maxmem=_SCRYPT_BYTES, dklen=32)
    return made.hex()


def raw(cipher: str) -> str:
    """A key as the ciphers take one that is to be used as it is: derived once, not at each opening."""
    return f"raw:{cipher}"


def unlock(connection: Connection, cipher: str) -> None:
    """Read and write the pages of a connection that was just opened with a key.

    Raises:
        NotInstalled: This build of APSW cannot encrypt.
    """
    if not hasattr(apsw, "mc_version"):
        raise NotInstalled(
            "the store is to be encrypted, but the APSW that is installed cannot: run `pip install "
            "'simonides[encryption]'`, then `pip install --force-reinstall --no-deps apsw-sqlite3mc`, which takes its "
            "place"
        )
    connection.pragma("key", raw(cipher))


def unreadable(path: Path, cipher: str | None) -> NotAStore | WrongKey:
    """The error for a file that SQLite cannot read: another program's, or not under this key."""
    try:
        with path.open("rb") as file:
            plain = file.read(len(_PLAIN)) == _PLAIN
    except OSError:
        plain = False
    if plain and cipher is not None:
        return WrongKey(
            f"{path} is not encrypted, and the settings have an encryption key; encrypt it with `simonides rekey`"
        )
    if cipher is not None:
        return WrongKey(
            f"{path} cannot be read with the encryption key of the settings: it is under another one, or no store"
        )
    return NotAStore(
        f"{path} is not a Simonides database, or it is encrypted: for an encrypted one set "
        "SIMONIDES_ENCRYPTION_KEY, encryption.key_file or encryption.key_command; it was left as it is"
    )
