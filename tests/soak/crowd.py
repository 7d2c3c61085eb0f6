"""Many at once."""

import threading


class Crowd:
    """Threads that each repeat something until the block ends, with a number that counts up. `lost` says what ended one before."""

    def __init__(self, works):
        self.lost = []
        self._done = threading.Event()
        self._threads = [threading.Thread(target=self._repeat, args=(work, number)) for number, work in enumerate(works)]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._done.set()
        for thread in self._threads:
            thread.join()

    def _repeat(self, work, number):
        try:
            while not self._done.is_set():
                work(number)
                number += 1
        except Exception as problem:
            self.lost.append(f"{type(problem).__name__}: {problem}")
