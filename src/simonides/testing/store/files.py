"""The contract of a store that is a file, beside that of every store."""

from __future__ import annotations

from simonides.errors import StoreClosed
from simonides.ports.files import file_of
from simonides.testing.fakes import an_item
from simonides.testing.raising import raises
from simonides.testing.store.case import StoreCase


class FileStoreContract(StoreCase):
    """The contract of every `ports.files.FileStore`. Inherit, override `make_store`, and let pytest run it."""

    def test_a_store_that_is_a_file_says_where_it_is(self) -> None:
        store = file_of(self.store, "find it")
        assert store.path is not None
        assert store.path.exists()

    def test_compacting_gives_back_what_is_free(self) -> None:
        items = [an_item(f"falcon {n} " + "x" * 900) for n in range(300)]
        self.put(*items)
        before = self.view.statistics(None)
        self.store.write(lambda tx: tx.set_aside([item.id for item in items]))
        store = file_of(self.store, "shrink it")
        assert store.compact()
        after = self.view.statistics(None)
        assert after["file_bytes"] == after["live_bytes"] < before["live_bytes"] / 2

    def test_the_text_index_made_anew_finds_the_same(self) -> None:
        self.put(*[an_item(f"falcon {n}") for n in range(10, 20)])
        before = self.words("falcon")
        store = file_of(self.store, "make its text index anew")
        store.rebuild_fts()
        assert self.words("falcon") == before

    def test_a_copy_is_taken_while_the_store_is_in_use(self) -> None:
        self.put(an_item("one"))
        store = file_of(self.store, "copy it")
        told: list[float] = []
        store.backup(self.folder / "copy", told.append)
        assert (self.folder / "copy").exists()
        assert told[-1] == 1.0

    def test_a_closed_file_says_so(self) -> None:
        store = file_of(self.store, "use it")
        self.store.close()
        for use in (store.rebuild_fts, store.compact, lambda: store.backup(self.folder / "copy")):
            with raises(StoreClosed):
                use()
