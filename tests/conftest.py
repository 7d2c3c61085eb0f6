"""What tests share."""

import golden
import pytest


@pytest.fixture(autouse=True)
def surroundings(monkeypatch):
    """No setting of whoever runs the tests reaches them."""
    monkeypatch.delenv("CHEMENU_ROOT", raising=False)


@pytest.fixture(scope="session")
def wiki(tmp_path_factory):
    """The golden wiki in a repository; for reading only."""
    return golden.repository(tmp_path_factory.mktemp("golden") / "wiki")


@pytest.fixture
def own_wiki(tmp_path):
    """The golden wiki in a repository that a test may change."""
    return golden.repository(tmp_path / "wiki")
