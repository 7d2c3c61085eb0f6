"""The options of a command line: a table in, a dict out.

Not argparse, because importing that takes nearly as long as starting Python, and a search takes less than either. What the
values mean is checked by the core, in the same way for every front; so all that can be wrong here are names.
"""


class Usage(Exception):
    """A command line that cannot be understood. `message` says why, `hint` what to do, `candidates` what comes close."""

    def __init__(self, message, hint, candidates=()):
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.candidates = list(candidates)


# Kinds of arguments. Words stand without an option: `ONE` takes them all as one text, `EACH` takes each of them.
ONE, EACH = "one", "each"
# `--name VALUE`; a whole number; a list, by repetition or with commas; `--name` alone; `--name` or `--name=VALUE`.
TEXT, NUMBER, LIST, FLAG, MAYBE = "text", "number", "list", "flag", "maybe"

# What every command takes, and what every question takes besides.
COMMON = {"root": TEXT, "json": FLAG, "help": FLAG}
READING = {"ref": TEXT, "folder": TEXT, "dirty": TEXT, "cache_dir": TEXT, "no_cache": FLAG, "at": TEXT, "budget": NUMBER}
# What may stand before a command.
BEFORE = {**READING, **COMMON, "version": FLAG}


def parse(argv, load):
    """The command's name and its arguments by name. `load` gives a command's table, or raises.

    The options that every question takes may stand before the command or after it.
    """
    command, table, values = None, BEFORE, {}
    tokens = iter(argv)
    for token in tokens:
        if token == "--":
            for word in tokens:
                command, table = _word(word, command, table, values, load)
        elif token == "-h":
            values["help"] = True
        elif token.startswith("--"):
            _option(token, tokens, command, table, values)
        else:
            command, table = _word(token, command, table, values, load)
    return command, values


def _word(word, command, table, values, load):
    if command is None:
        table = {**load(word), **COMMON}
        for name in values:
            if name not in table:
                raise _unknown("--" + name, word, table)
        return word, table
    for name, kind in table.items():
        if kind == ONE:
            values[name] = f"{values[name]} {word}" if name in values else word
            break
        if kind == EACH:
            values.setdefault(name, []).append(word)
            break
    else:
        raise Usage(f"`{command}` takes no `{word}`", f"see `wikitool {command} --help`")
    return command, table


def _option(token, tokens, command, table, values):
    option, equals, value = token.partition("=")
    name = option[2:].replace("-", "_")
    kind = table.get(name)
    if kind is None or kind in (ONE, EACH):
        raise _unknown(option, command, table)
    if kind == FLAG:
        if equals:
            raise Usage(f"`{option}` takes no value", f"write `{option}` alone")
        values[name] = True
        return
    if kind == MAYBE:
        values[name] = value if equals else True
        return
    if not equals:
        value = next(tokens, "--")
        if value.startswith("--"):
            raise Usage(f"`{option}` needs a value", f"write `{option}=VALUE`")
    if kind == NUMBER:
        values[name] = number(value)
    elif kind == LIST:
        parts = [part.strip() for part in value.split(",") if part.strip()]
        if not parts:
            # Nothing given means everything: a variable that is empty by mistake must not.
            raise Usage(f"`{option}` names nothing", f"write `{option}=NAME,NAME`, or leave it out")
        values.setdefault(name, []).extend(parts)
    else:
        values[name] = value


def number(text):
    """The whole number that `text` is; else the text itself, for the core to refuse."""
    digits = text[1:] if text.startswith("-") else text
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 20 else text


def _unknown(option, command, table):
    from difflib import get_close_matches

    names = [name.replace("_", "-") for name, kind in table.items() if kind not in (ONE, EACH)]
    near = ["--" + name for name in get_close_matches(option[2:], names, cutoff=0.7)]
    if command is None:
        whose = "the options before a command do not include"
        hint = "options of a command stand after it"
    else:
        whose = f"`{command}` has no option"
        hint = f"write `--` before words that begin with `--`, or see `wikitool {command} --help`"
    return Usage(f"{whose} `{option}`", f"did you mean `{near[0]}`" if near else hint, near)
