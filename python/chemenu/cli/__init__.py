"""The command line `wikitool`: one command a file.

A command's file has, in this order: `HELP`, one sentence without a period; `ARGUMENTS`, its table of options and words;
`ask(values)`, which gives the answer; `text(answer)`, which gives its lines for people. Where `ask` leaves a function as
`values["write"]`, that writes the answer instead. Only the chosen command's file is imported, and with `--json` nothing that reads or writes JSON: the core's bytes go out as they are.
"""

import sys

from chemenu.cli._options import Usage, parse

# The order of `wikitool --help`.
COMMANDS = ("search", "page", "links", "types", "describe-type", "lint", "status", "changes", "doctor", "touch")


def main(argv=None):
    """Runs a command line and gives its exit status."""
    argv = sys.argv[1:] if argv is None else argv
    try:
        # Whoever closed it meant no answer to be lost unseen.
        if sys.stdout is None:
            import errno
            import os

            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        status = _run(argv)
        sys.stdout.flush()
        return status
    except Usage as usage:
        from chemenu.cli import _errors

        return _errors.usage(usage, json=_wants_json(argv))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        _drop_output()
        return 0
    except OSError as error:
        from chemenu.cli import _errors

        _drop_output()
        return _errors.output(error)


def _drop_output():
    """Lets go of what could not be written: Python would try once more at exit, and complain."""
    if sys.stdout is not None:
        import os

        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def load(command):
    """The module of a command."""
    if command not in COMMANDS:
        from difflib import get_close_matches

        near = get_close_matches(command, COMMANDS)
        hint = f"did you mean `{near[0]}`" if near else "see `wikitool --help`"
        raise Usage(f"no command is named `{command}`", hint, near)
    name = "chemenu.cli." + command.replace("-", "_")
    __import__(name)
    return sys.modules[name]


def _wants_json(argv):
    """Whether a command line that cannot be understood asks for JSON."""
    return "--json" in argv or "--format=json" in argv or ("--format", "json") in zip(argv, argv[1:])


def _run(argv):
    command, values = parse(argv, lambda command: load(command).ARGUMENTS)
    if values.get("help"):
        from chemenu.cli import _help

        print(_help.command(command, load(command)) if command else _help.everything(COMMANDS, load))
        return 0
    if command is None:
        return _alone(values)
    module = load(command)
    json, status, is_error = module.ask(values)
    try:
        _write(module, values, json, is_error)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output has seen enough; what was found stays found.
        _drop_output()
    return status


def _write(module, values, json, is_error):
    if values.get("json"):
        sys.stdout.buffer.write(json)
        if sys.stdout.isatty():
            sys.stdout.buffer.write(b"\n")
    elif is_error:
        from chemenu.cli import _errors

        _errors.answer(json)
    elif "write" in values:
        values["write"](json)
    else:
        from chemenu.cli import _text

        _text.write(module.text, json)


def _alone(values):
    if values.get("version"):
        from chemenu._chemenu import version

        print(f"wikitool {version}")
        return 0
    raise Usage("no command is given", "see `wikitool --help`", COMMANDS)
