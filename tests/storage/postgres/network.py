"""A network between a test and the server: it counts round trips, waits, and breaks off."""

import select
import socket
import threading
import time
from contextlib import suppress

#: End of an answer, outside of transactions.
READY = b"Z\0\0\0\5I"


class Network:
    """A port of this machine that leads to a server's socket.

    Attributes:
        trips: How often something was sent after something had been heard: what somebody waited for.
        delay_s: How long each trip takes.
    """

    def __init__(self, socket_file: str, delay_s: float = 0.0) -> None:
        self._file = socket_file
        self.delay_s = delay_s
        self.trips = 0
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        #: Called with what is about to be sent to the server; True breaks the connection off instead.
        self.breaks = lambda _: False
        #: Called with what was sent to the server; True breaks the connection off once that has answered.
        self.loses = lambda _: False
        #: Called with that answer, which is whole; what is returned still arrives, and the end so many seconds later.
        self.passes = lambda _: b""
        self.ends_after_s = 0.0
        self.lost = 0
        #: What the server answers, as it is passed on.
        self.answers = lambda data: data
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                here, _ = self._listening.accept()
            except OSError:
                return
            here.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            there = socket.socket(socket.AF_UNIX)
            try:
                there.connect(self._file)
            except OSError:  # It does not run.
                here.close()
                there.close()
                continue
            self._pairs.append((here, there))
            threading.Thread(target=self._carry, args=(here, there), daemon=True).start()

    def _carry(self, here: socket.socket, there: socket.socket) -> None:
        heard = True
        losing = False
        answer = b""
        try:
            while True:
                for ready in select.select([here, there], [], [])[0]:
                    data = ready.recv(1 << 20)
                    if not data or (ready is here and self.breaks(data)):
                        return
                    if ready is here:
                        self.trips += heard
                        heard = False
                        time.sleep(self.delay_s)
                        losing = losing or (not self.lost and self.loses(data))
                        there.sendall(data)
                    elif losing:
                        answer += data
                        if not answer.endswith(READY):
                            continue
                        here.sendall(self.passes(answer))
                        self.lost += 1
                        time.sleep(self.ends_after_s)
                        return
                    else:
                        heard = True
                        here.sendall(self.answers(data))
        except (OSError, ValueError):
            return
        finally:
            for end in (here, there):
                end.close()

    def lead_to(self, socket_file: str) -> None:
        """Lead new connections to another server."""
        self._file = socket_file

    def break_off(self) -> None:
        """End every connection that there is."""
        for pair in self._pairs:
            for end in pair:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._listening.close()
        for pair in self._pairs:
            for end in pair:
                end.close()
