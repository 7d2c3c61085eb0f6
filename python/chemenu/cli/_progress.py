"""How far a long question is, for whoever waits at a terminal."""

from time import monotonic

# What is done sooner needs no bar.
_PATIENCE = 0.5
_WIDTH = 30


class Bar:
    """A bar on the last line of a terminal, which is clean again when the bar is left."""

    def __init__(self, terminal):
        self._terminal = terminal
        self._since = monotonic()
        self._shown = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._shown is not None:
            self._write("")

    def show(self, done, total):
        """Says that so many of all pages have been read."""
        if monotonic() - self._since >= _PATIENCE:
            full = _WIDTH * done // total
            self._write(f"[{'#' * full}{'.' * (_WIDTH - full)}] {done} of {total} pages")

    def _write(self, text):
        if text != self._shown:
            self._shown = text
            self._terminal.write(f"\r{text}\x1b[K")
            self._terminal.flush()
