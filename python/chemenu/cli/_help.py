"""`--help`: the options of questions are described by the core, which knows them."""

import json

from chemenu._chemenu import question_schema
from chemenu.cli._options import BEFORE, COMMON, EACH, FLAG, LIST, MAYBE, NUMBER, ONE

_COMMON = {
    "root": "The wiki's folder; else CHEMENU_ROOT, else the nearest folder upwards with a `chemenu.toml`, else the work tree's top.",
    "ref": "A revision to read instead of the work tree.",
    "folder": "The wiki's folder in a bare repository.",
    "dirty": "Where the work tree differs from HEAD: `serve` the files with no commit, `ignore` that, or `refuse`.",
    "cache_dir": "Where indexes of wikis are kept; else below `$XDG_CACHE_HOME`, else in `~/.cache`.",
    "no_cache": "Keep no index on disk, and read none.",
    "json": "Write the answer as one JSON object.",
    "help": "Show this.",
    "version": "Show the version.",
}


def everything(commands, load):
    """What `wikitool --help` shows."""
    lines = ["Read wikis that are git repositories of Markdown pages", "", "Usage: wikitool [OPTIONS] COMMAND", "", "Commands:"]
    lines += [f"  {name:<{max(map(len, commands))}}  {load(name).HELP}" for name in commands]
    return "\n".join([*lines, "", "Options:", *_options(BEFORE, _described("status"))])


def command(name, module):
    """What `wikitool NAME --help` shows."""
    question = name.replace("-", "_")
    described = {**_described(question), **getattr(module, "DESCRIPTIONS", {})}
    table = {**module.ARGUMENTS, **COMMON}
    words = {key: kind for key, kind in table.items() if kind in (ONE, EACH)}
    options = {key: kind for key, kind in table.items() if key not in words}
    lines = [module.HELP, "", " ".join([f"Usage: wikitool {name} [OPTIONS]", *(f"{key.upper()}..." for key in words)])]
    if words:
        lines += ["", "Arguments:", *_options(words, described)]
    return "\n".join([*lines, "", "Options:", *_options(options, described)])


def _described(question):
    """What the core says about the arguments of a question, and what we say about the rest."""
    schema = question_schema(question)
    properties = json.loads(schema)["properties"] if schema else {}
    return {**{key: _sentence(argument) for key, argument in properties.items()}, **_COMMON}


def _sentence(argument):
    default = argument.get("default")
    return argument["description"] + (f" Default: {default}." if default not in (None, []) else "")


def _options(table, described):
    lines = []
    for key, kind in table.items():
        value = {FLAG: "", MAYBE: "[=TEXT]", NUMBER: " N", LIST: " NAME,..."}.get(kind, " TEXT")
        lines.append(f"  {key.upper()}..." if kind in (ONE, EACH) else f"  --{key.replace('_', '-')}{value}")
        lines.append(f"      {' '.join(described[key].split())}")
    return lines
