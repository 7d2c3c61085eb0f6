"""What tests share."""

import golden
import pytest


@pytest.fixture(autouse=True)
def surroundings(monkeypatch, cache):
    """No setting of whoever runs the tests reaches them, and nothing of theirs that person's cache."""
    monkeypatch.delenv("CHEMENU_ROOT", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))


@pytest.fixture(scope="session")
def cache(tmp_path_factory):
    """The cache of all tests."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
def wiki(tmp_path_factory):
    """The golden wiki in a repository; for reading only."""
    return golden.repository(tmp_path_factory.mktemp("golden") / "wiki")


@pytest.fixture
def own_wiki(tmp_path):
    """The golden wiki in a repository that a test may change."""
    return golden.repository(tmp_path / "wiki")
