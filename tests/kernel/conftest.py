from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.kernel.worker import Worker


@pytest.fixture(scope="session")
def worker() -> Iterator[Worker]:
    worker = Worker()
    yield worker
    worker.close()
