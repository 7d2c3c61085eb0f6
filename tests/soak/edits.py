"""What a commit may do to a wiki: all that changes an answer, and some that must not."""

import re

import golden
from texts import BASE, CONCEPT, CONFIGS, SENTENCES, SIMPLE, page
from wiki import LINK

BAD = [
    b"---\ntitle: a: b\ntags: [\n---\n# Bad YAML\n\n[[3-ref]]\n",
    b"---\ntitle: Bad bytes\n---\n# Gr\xf6\xdfe \xff\n\nrevision\n",
    b"\xef\xbb\xbf---\r\ntitle: Windows\r\naliases: [4-ref]\r\n---\r\n# Windows\r\n",
    b"",
    b"no title, no front matter, publish gate",
]


def edit(wiki):
    """Does something to a wiki and commits it; gives the name of what was done."""
    change = wiki.random.choices(list(EDITS), weights=list(EDITS.values()))[0]
    if wiki.files.get("chemenu.toml") == BROKEN:
        change = change_config
    done = change(wiki)
    if done is not SWITCHED:
        wiki.commit(when=1_700_000_000 + wiki.random.randrange(90_000_000), other_parents=done or ())
    return change.__name__


def change_pages(wiki):
    wiki.touch(min(len(wiki.pages()), wiki.random.choice([1, 1, 1, 2, 5, 40])))


def add_pages(wiki):
    for _ in range(wiki.random.randrange(1, 4)):
        wiki.add()


def add_bad_page(wiki):
    wiki.files[f"notes/bad-{wiki.random.randrange(8)}.md"] = wiki.random.choice(BAD)


def remove_pages(wiki):
    for path in some(wiki, 3):
        del wiki.files[path]
        wiki.modes.pop(path, None)


def rename_page(wiki):
    """Into another folder, to another stem, or in its case alone."""
    for path in some(wiki):
        folder, _, name = path.rpartition("/")
        to = wiki.random.choice([f"notes/{name}", f"{folder}/x-{name}", f"{folder}/{name.upper()}", name])
        wiki.files[to] = wiki.files.pop(path)


def swap_pages(wiki):
    """Two pages change places: the same contents, other names."""
    if len(found := some(wiki, 2)) == 2:
        one, two = found
        wiki.files[one], wiki.files[two] = wiki.files[two], wiki.files[one]


def copy_page(wiki):
    """The same contents twice, so that names become ambiguous."""
    for path in some(wiki):
        wiki.files[f"notes/copy-{wiki.random.randrange(9)}.md"] = wiki.files[path]


def change_field(wiki):
    """A title, an alias, a type or a tag: links of other pages lead elsewhere."""
    field, value = wiki.random.choice(
        [
            (b"title", b"Gr\xc3\xb6\xc3\x9fe 7"),
            (b"title", b"Publish gate"),
            (b"aliases", b'["3-ref", "neu"]'),
            (b"aliases", b"[]"),
            (b"type", b"source"),
            (b"type", b"types/nothing.md"),
            (b"tags", b"[pr\xc3\xbcfung]"),
            (b"modified", b"2026-09-30"),
            (b"confidence", b"0.95"),
            (b"lang", b"en"),
        ]
    )
    for path in some(wiki, 3):
        wiki.files[path] = re.sub(rb"(?m)^" + field + b": .*$", lambda _: field + b": " + value, wiki.files[path], count=1)


def change_type(wiki):
    wiki.files["types/concept.md"] = CONCEPT.format(
        summary=wiki.random.choice(SENTENCES[:3]).replace(":", ""), target=wiki.random.choice(["concept", "source", "note"])
    ).encode()


def add_or_remove_type(wiki):
    if wiki.files.pop("types/source.md", None) is None:
        wiki.files["types/source.md"] = SIMPLE.format(name="source").encode()


def change_schema(wiki):
    wiki.files["types/schemas/base.yaml"] = BASE.format(most=wiki.random.choice(["0.2", "0.9", "many"])).encode()


def change_config(wiki):
    wiki.files["chemenu.toml"] = wiki.random.choice(CONFIGS)


def break_config(wiki):
    """Every answer is an error, and the next commit's are not."""
    wiki.files["chemenu.toml"] = BROKEN


def change_other_file(wiki):
    wiki.files["assets/picture.svg"] = b"<svg/>" * wiki.random.randrange(1, 9)
    wiki.files["notes/.hidden/page.md"] = b"# Hidden revision\n"


def link_page(wiki):
    """A page becomes a symbolic link, and is none any more."""
    wiki.files["notes/link.md"] = b"../types/note.md"
    wiki.modes["notes/link.md"] = LINK


def nothing(wiki):
    """A commit without a change."""


def remove_everything(wiki):
    """All pages go, and come back with the next commit."""
    kept = dict(wiki.files)
    for path in wiki.pages():
        del wiki.files[path]
    wiki.commit()
    wiki.files.update(kept)
    wiki.touch()


def switch_branch(wiki):
    wiki.switch("other" if wiki.branch == "main" else "main")
    return SWITCHED


def merge(wiki):
    """The other branch is a parent too; what it has new comes in."""
    other = "other" if wiki.branch == "main" else "main"
    tip = golden.git(wiki.repository.folder, "for-each-ref", "--format=%(objectname)", f"refs/heads/{other}")
    path, text = page(wiki.random, 900_000 + wiki.random.randrange(99))
    wiki.files[path] = text
    return [tip] if tip else None


def some(wiki, most=1):
    pages = wiki.pages()
    return wiki.random.sample(pages, min(len(pages), wiki.random.randrange(1, most + 1) if most > 2 else most))


SWITCHED = object()
BROKEN = b"languages = 3\n"
EDITS = {
    change_pages: 12,
    add_pages: 4,
    add_bad_page: 2,
    remove_pages: 3,
    rename_page: 5,
    swap_pages: 2,
    copy_page: 2,
    change_field: 8,
    change_type: 2,
    add_or_remove_type: 2,
    change_schema: 2,
    change_config: 3,
    break_config: 1,
    change_other_file: 1,
    link_page: 1,
    nothing: 1,
    remove_everything: 1,
    switch_branch: 4,
    merge: 2,
}
