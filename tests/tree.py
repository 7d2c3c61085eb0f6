"""A fingerprint of a folder: what is in it, and when it was changed."""

import os


def tree(folder):
    """Each path below `folder`, `.git` included, with mode, time of change and contents."""
    found = {}
    for path in [folder, *sorted(folder.rglob("*"))]:
        about = path.lstat()
        content = None
        if path.is_symlink():
            content = os.readlink(path)
        elif path.is_file():
            content = path.read_bytes()
        found[str(path.relative_to(folder))] = (about.st_mode, about.st_mtime_ns, content)
    return found
