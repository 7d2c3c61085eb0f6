"""Looks at a cache folder: one folder a wiki, with a manifest, the segments it names, and a lock."""


def wikis(cache):
    """The wikis' folders."""
    return sorted(path.parent for path in cache.rglob("manifest"))


def segments(cache):
    """Each segment's name, with what changes when somebody writes it."""
    found = {}
    for path in sorted(cache.rglob("*.segment")):
        about = path.stat()
        found[str(path.relative_to(cache))] = (about.st_mtime_ns, about.st_size, about.st_ino)
    return found


def files(cache):
    """All files, by name."""
    return sorted(path for path in cache.rglob("*") if not path.is_dir())


def leftovers(cache):
    """Files that nobody needs any more: all but manifests, the segments that they name, and one lock a folder."""
    left = []
    for path in files(cache):
        manifest = path.parent / "manifest"
        named = path.suffix == ".segment" and manifest.is_file() and path.stem.encode() in manifest.read_bytes()
        if not (named or path.name in ("manifest", "summary") or path.name in ("lock", "manifest.lock", ".lock")):
            left.append(f"{path.relative_to(cache)} ({path.stat().st_size} bytes)")
    return left
