"""`_chemenu.pyi` says what the extension module is."""

import ast
import inspect
import subprocess
import sys

import golden
import pytest
from chemenu import _chemenu

STUB = ast.parse((golden.ROOT / "python/chemenu/_chemenu.pyi").read_text())


def public(names):
    return sorted(name for name in names if not name.startswith("_"))


def of(body, kind):
    return {node.name: node for node in body if isinstance(node, kind)}


def parameters(function):
    """Names and defaults as the stub writes them, without `self` and `cls`."""
    names = [argument.arg for argument in function.args.args]
    defaults = [ast.literal_eval(default) for default in function.args.defaults]
    padded = [inspect.Parameter.empty] * (len(names) - len(defaults)) + defaults
    return [(name, default) for name, default in zip(names, padded) if name not in ("self", "cls")]


def real_parameters(thing):
    found = inspect.signature(thing).parameters.values()
    return [(parameter.name, parameter.default) for parameter in found if parameter.name != "self"]


FUNCTIONS = of(STUB.body, ast.FunctionDef)
CORPUS = of(STUB.body, ast.ClassDef)["Corpus"]
METHODS = of(CORPUS.body, ast.FunctionDef)


def test_names():
    variables = [node.target.id for node in STUB.body if isinstance(node, ast.AnnAssign)]
    assert public([*FUNCTIONS, *of(STUB.body, ast.ClassDef), *variables]) == public(vars(_chemenu))
    assert public(METHODS) == public(vars(_chemenu.Corpus))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name):
    assert parameters(FUNCTIONS[name]) == real_parameters(getattr(_chemenu, name))


@pytest.mark.parametrize("name", METHODS)
def test_methods(name):
    real = _chemenu.Corpus if name == "__new__" else getattr(_chemenu.Corpus, name)
    assert parameters(METHODS[name]) == real_parameters(real)


def test_every_part_says_what_it_is():
    for thing in [_chemenu, _chemenu.Corpus, _chemenu.Corpus.ask, *(getattr(_chemenu, name) for name in FUNCTIONS)]:
        assert thing.__doc__


USE = """
import chemenu
from chemenu.errors import PageNotFound

try:
    print(chemenu.__version__.upper(), chemenu.Corpus("wiki").search("gate", limit=3)["total"])
except (chemenu.CorpusError, PageNotFound) as error:
    print(error.code, error.candidates[0].upper(), error.commit)
"""


def test_a_type_checker_understands_the_package(tmp_path):
    (tmp_path / "use.py").write_text(USE)
    (tmp_path / "misuse.py").write_text(USE.replace("limit=3", "limit='3'"))
    check = [sys.executable, "-m", "mypy", "--strict", "--python-executable", sys.executable, "--cache-dir", str(tmp_path / "cache")]
    good = subprocess.run([*check, "use.py"], cwd=tmp_path, capture_output=True, text=True)
    assert good.returncode == 0, good.stdout
    bad = subprocess.run([*check, "misuse.py"], cwd=tmp_path, capture_output=True, text=True)
    assert "arg-type" in bad.stdout
