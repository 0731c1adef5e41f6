"""The folder of the cache: whole entries or none, whoever damages, fills or shares it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from gamespec.run.store import Bounds, Store, digest, folder

KEY, OTHER = digest(b"one"), digest(b"other")


def the_file(place: Path) -> Path:
    (file,) = place.glob("*.kept")
    return file


def test_what_is_put_is_got(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "a" / "kept"))
    assert store.get(KEY) is None
    assert store.put(KEY, b"first")
    assert store.put(KEY, b"second")
    assert store.put(OTHER, b"")
    assert (store.get(KEY), store.get(OTHER)) == (b"second", b"")
    assert os.stat(store.folder).st_mode & 0o777 == 0o700
    assert {entry.name for entry in store.entries()} == {KEY.hex(), OTHER.hex()}
    assert len(store.clear()) == 2
    assert store.get(KEY) is None
    assert os.listdir(store.folder) == []


def test_damage_is_no_entry(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    store.put(KEY, b"the body of an entry")
    file = the_file(tmp_path)
    data = file.read_bytes()
    for place in range(len(data)):
        file.write_bytes(data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :])
        assert store.get(KEY) is None
        file.write_bytes(data[:place])
        assert store.get(KEY) is None
    file.write_bytes(data + b"x")
    assert store.get(KEY) is None
    file.write_bytes(data)
    assert store.get(KEY) == b"the body of an entry"
    file.rename(tmp_path / f"{OTHER.hex()}.kept")  # an entry in the place of another
    assert store.get(OTHER) is None


def test_what_is_no_file_is_no_entry(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    store.put(KEY, b"body")
    file = the_file(tmp_path)
    data = file.read_bytes()
    file.unlink()
    os.mkfifo(file)
    assert store.get(KEY) is None
    assert store.put(KEY, b"body")
    assert store.get(KEY) == b"body"
    file.unlink()
    (tmp_path / "elsewhere").write_bytes(data)
    file.symlink_to(tmp_path / "elsewhere")
    assert store.get(KEY) is None
    assert store.clear()
    file.mkdir()
    assert store.get(KEY) is None
    assert not store.put(KEY, b"body")
    assert (store.entries(), store.clear()) == ([], [])


def test_folders_of_others_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(str(tmp_path / "kept"))
    store.put(KEY, b"body")
    for mode in (0o770, 0o702, 0o777):
        os.chmod(store.folder, mode)
        assert store.get(KEY) is None
        assert not store.put(KEY, b"other")
        with pytest.raises(PermissionError):
            store.entries()
        with pytest.raises(PermissionError):
            store.clear()
    os.chmod(store.folder, 0o700)
    os.chmod(the_file(Path(store.folder)), 0o666)
    assert store.get(KEY) is None
    os.chmod(the_file(Path(store.folder)), 0o600)
    assert store.get(KEY) == b"body"
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert store.get(KEY) is None
    assert not store.put(KEY, b"other")


def test_links_are_not_followed(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "kept"))
    store.put(KEY, b"body")
    link = tmp_path / "link"
    link.symlink_to(store.folder)
    assert Store(str(link)).get(KEY) is None
    assert not Store(str(link)).put(KEY, b"other")
    file = the_file(Path(store.folder))
    file.rename(tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")
    assert store.get(KEY) is None
    assert store.put(KEY, b"new")  # in the place of the link
    assert store.get(KEY) == b"new"
    assert b"body" in (tmp_path / "elsewhere").read_bytes()


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "kept", Path("/proc/kept"), Path("/dev/null")):
        store = Store(str(place))
        assert not store.put(KEY, b"body")
        assert store.get(KEY) is None


def test_a_file_that_cannot_be_finished_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(str(tmp_path))

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "no space left")

    monkeypatch.setattr(os, "replace", full)
    assert not store.put(KEY, b"body")
    assert os.listdir(tmp_path) == []


def test_what_was_not_used_for_longest_goes(tmp_path: Path) -> None:
    store = Store(str(tmp_path), Bounds(2000, 5000, 3000))
    keys = [digest(bytes([number])) for number in range(5)]
    stale = tmp_path / "old.part"
    stale.write_text("")
    os.utime(stale, (1, 1))
    (tmp_path / "mine.txt").write_text("nobody's entry")
    for age, key in enumerate(keys[:4]):
        store.put(key, bytes(1000))
        os.utime(tmp_path / f"{key.hex()}.kept", (1000 + age, 1000 + age))
    assert store.get(keys[0]) is not None  # used just now
    store.put(keys[4], bytes(1000))
    left = [key for key in keys if store.get(key) is not None]
    assert left == [keys[0], keys[4]]
    assert not stale.exists()
    assert (tmp_path / "mine.txt").exists()
    assert not store.put(KEY, bytes(17 << 20))


def test_many_at_a_time(tmp_path: Path) -> None:
    """Readers see one of the bodies that were put, never a mixture."""
    bodies = [bytes([number]) * 30_000 for number in range(4)]
    seen: set[bytes | None] = set()

    def put(body: bytes) -> None:
        for _ in range(30):
            assert Store(str(tmp_path)).put(KEY, body)

    def get() -> None:
        for _ in range(120):
            seen.add(Store(str(tmp_path)).get(KEY))

    threads = [threading.Thread(target=put, args=(body,)) for body in bodies] + [threading.Thread(target=get)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen <= {None, *bodies}
    assert [path.suffix for path in tmp_path.iterdir()] == [".kept"]


def test_two_processes_at_once(tmp_path: Path) -> None:
    script = (
        "import sys\nfrom gamespec.run.store import Store, digest\n"
        "store = Store(sys.argv[1])\n"
        "for _ in range(100):\n"
        "    assert store.put(digest(b'one'), sys.argv[2].encode() * 5000)\n"
        "    body = store.get(digest(b'one'))\n"
        "    assert body in (b'a' * 5000, b'b' * 5000)\n"
    )
    place = str(tmp_path / "kept")
    running = [subprocess.Popen([sys.executable, "-c", script, place, letter]) for letter in "ab"]
    assert [each.wait(60) for each in running] == [0, 0]


def test_where_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GAMESPEC_CACHE", "off")
    assert folder() is None
    monkeypatch.setenv("GAMESPEC_CACHE", str(tmp_path))
    assert folder() == str(tmp_path)
    monkeypatch.delenv("GAMESPEC_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert folder() == str(tmp_path / "gamespec")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert folder() == str(tmp_path / ".cache" / "gamespec")
    monkeypatch.setattr(sys, "platform", "win32")
    assert folder() is None
