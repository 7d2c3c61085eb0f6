"""Random pages in German and English, their types, and what is asked of them."""

from chemenu import _chemenu

NOUNS = "Größe Maß Prüfung Schlüssel Straße Übersicht Verfahren Quelle gate index query measure graph schema commit source".split()
SENTENCES = """Die wichtige Größe beschreibt das Maß, weil jede Prüfung vom Schlüssel abhängt.
Große Straßen führen zu Übersichten, und Verfahren ändern sich mit ihren Quellen.
Publishing gates check every commit before the index answers queries.
The publish gate measures how a schema changes, and sources say why.
Ein Graph aus Quellen und Messungen ergibt eine Übersicht der Verfahren.
Measured graphs depend on keys, checks and the order of their sources.""".splitlines()
TAGS = "prüfung graph maß review draft".split()
KINDS = {"concept": "concepts", "source": "sources", "note": "notes/2026-09"}

CONFIG = b'name = "Soak"\nlanguages = ["de", "en"]\n'
# Other settings that a commit may bring: each changes which pages there are, how they are searched, or what is wrong.
CONFIGS = [
    CONFIG,
    b'name = "Soak"\nexclude = ["notes/**"]\n',
    b'name = "Seife"\nlanguages = ["en"]\n',
    b'languages = ["de"]\nlink_style = "dendron"\n',
    b'types = ["types/", "concepts/"]\n[lint.rules]\nbroken-wikilink = "off"\n',
    b'exclude = ["*1*.md"]\n[lint.paths."sources/**"]\nbroken-wikilink = "warn"\n',
    b"",
]

CONCEPT = """---
name: concept
summary: {summary}
schema:
  allOf: [{{$ref: ./schemas/base.yaml}}]
  required: [summary]
sections:
  - {{heading: [Überblick, Overview], required: true}}
relations:
  - {{name: Teil von, target: [{target}], inverse: enthält}}
links: {{related: [{target}]}}
---
# concept

## When to use

For an idea.
"""
SIMPLE = "---\nname: {name}\nsummary: A {name} of something\n---\n# {name}\n\n## When to use\n\nFor a {name}.\n"
BASE = "type: object\nproperties:\n  confidence: {{type: number, maximum: {most}}}\n  modified: {{type: string, format: date}}\n"
TYPES = {
    "types/concept.md": CONCEPT.format(summary="An idea", target="concept").encode(),
    "types/source.md": SIMPLE.format(name="source").encode(),
    "types/note.md": SIMPLE.format(name="note").encode(),
    "types/schemas/base.yaml": BASE.format(most="0.9").encode(),
}


def page(random, number):
    """The path and the text of a new page. It has a title, an alias that is its number, and links to pages with smaller numbers."""
    noun = random.choice(NOUNS)
    kind = random.choice([*KINDS, "concept"])
    lower = lambda: random.randrange(1, number + 1)  # noqa: E731
    front = [
        f"title: {noun} {number}",
        f"type: {random.choice([kind, f'types/{kind}.md'])}",
        f'aliases: ["{number}-ref"]',
        f"tags: [{', '.join(random.sample(TAGS, 2))}]",
        f"modified: 2026-{random.randrange(1, 10):02}-{random.randrange(1, 29):02}",
        f"confidence: 0.{random.randrange(10, 99)}",
        f'related: ["[[{lower()}-ref]]"]',
        f"summary: {random.choice(SENTENCES)}" if random.random() < 0.8 else "status: in review",
    ]
    body = [
        f"# {noun} {number}",
        f"{random.choice(SENTENCES)} Siehe [[{lower()}-ref]] und [[{lower()}-ref|den Eintrag]].[^s]",
        f"## {random.choice(['Überblick', 'Overview', 'Größen'])}",
        " ".join(random.choices(SENTENCES, k=6)),
        f"- **Teil von:** [[{lower()}-ref]]",
        f"[^s]: [[{lower()}-ref]]",
    ]
    text = "---\n" + "\n".join(front) + "\n---\n" + "\n\n".join(body) + "\n"
    return f"{KINDS[kind]}/{noun.lower()}-{number}.md", text.encode()


SEARCHES = [
    {"query": "revision*", "limit": 100},
    {"query": "Größe measure"},
    {"query": "groessen strassen", "limit": 30},
    {"query": '"publish gate"'},
    {"query": "type:concept index"},
    {"query": 'links:"3-ref"'},
    {"query": "path:concepts Maß"},
    {"query": "tag:prüfung -graph modified:>=2026-05"},
    {"query": "title:gate OR Schlüssel", "limit": 5},
    {"query": "Prüfung quelle", "explain": True, "limit": 3},
    {"query": "Verfahren", "explain": "5-ref"},
    {"query": "meassure grraph"},
]


def questions(wiki, random):
    """What is asked of a wiki as it is now: all kinds of questions, right names and wrong ones."""
    path = random.choice(wiki.pages() or ["gone.md"])
    title = wiki.files.get(path, b"").partition(b"title: ")[2].partition(b"\n")[0].decode(errors="replace") or "no title"
    asked = [("search", search) for search in SEARCHES]
    asked += [("page", {"name": name}) for name in (path, title, "4-ref", "7-reff", "Größe")]
    asked += [("page", {"name": path, "section": "Überblick"})]
    asked += [("types", {}), ("describe_type", {"type": "concept"}), ("describe_type", {"type": "konzept"}), ("status", {})]
    asked += [("lint", {"limit": 1000})]
    if "links" in _chemenu.question_names():
        asked += [("links", {"name": path}), ("links", {"name": "2-ref"})]
    return asked
