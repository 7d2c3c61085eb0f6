"""`chemenu.api`: its parameters, its exceptions, and what it does not load."""

import inspect
import json
import pickle
import subprocess
import sys

import chemenu
import fronts
import pytest
from chemenu import _chemenu, api, errors


@pytest.mark.parametrize("question", _chemenu.question_names())
def test_a_methods_parameters_are_its_questions_arguments(question):
    schema = fronts.schema(question)
    parameters = dict(inspect.signature(getattr(api.Corpus, question)).parameters)
    del parameters["self"]
    assert parameters.keys() == schema["properties"].keys()
    for name, parameter in parameters.items():
        required = name in schema.get("required", ())
        assert required == (parameter.default is inspect.Parameter.empty), name
        default = schema["properties"][name].get("default")
        assert required or parameter.default == (tuple(default) if isinstance(default, list) else default), name


def test_the_methods_are_the_questions():
    assert [name for name in vars(api.Corpus) if not name.startswith("_")] == _chemenu.question_names()


def test_answers_are_what_the_command_line_prints(wiki):
    assert api.Corpus(wiki).search("gate", limit=2) == json.loads(fronts.wikitool(wiki, "search", "gate", "--limit=2", "--json").stdout)


def test_errors_are_classes_of_the_cores_table():
    table = _chemenu.error_codes()
    assert [(code, cls.__name__, cls.exit_status) for code, cls in errors.BY_CODE.items()] == table
    for code, name, _ in table:
        assert getattr(errors, name) is errors.BY_CODE[code]
        assert issubclass(errors.BY_CODE[code], chemenu.CorpusError)
        assert name in errors.__all__


def test_an_error_says_what_was_asked(wiki):
    with pytest.raises(errors.PageNotFound) as caught:
        api.Corpus(wiki).page("git-snapshoot")
    error, answer = caught.value, json.loads(fronts.wikitool(wiki, "page", "git-snapshoot", "--json").stdout)
    assert error.answer == answer
    told = {"code": error.code, "message": error.message, "hint": error.hint, "candidates": error.candidates}
    assert told == answer["error"]
    assert (error.commit, error.as_of) == (answer["commit"], answer["as_of"])
    assert error.commit and "concepts/git-snapshot.md" in error.candidates
    assert str(error) == f"{error.message}\nhint: {error.hint}"
    assert pickle.loads(pickle.dumps(error)).answer == answer


def test_a_wiki_that_is_none_is_told_at_once(tmp_path):
    with pytest.raises(errors.NotAWiki) as caught:
        api.Corpus(tmp_path / "nothing")
    assert (caught.value.commit, caught.value.as_of) == (None, None)
    with pytest.raises(errors.ArgumentInvalid, match="`dirty`"):
        api.Corpus(tmp_path, dirty="sometimes")


def a_list_in_itself():
    endless = []
    endless.append(endless)
    return endless


@pytest.mark.parametrize(
    "value",
    [None, b"x", 5, 2**70, 1.5, object(), "\ud800", ["x"], {"x": 1}, a_list_in_itself(), {1, 2}, float("nan")],
    ids=lambda value: type(value).__name__,
)
def test_no_value_is_too_odd_for_an_answer(wiki, value):
    text, status, is_error = _chemenu.Corpus(wiki).ask("search", {"query": value})
    assert (status, is_error) == (2, True)
    answer = json.loads(text)
    assert answer["error"]["code"] == "argument_invalid"
    assert "`query`" in answer["error"]["message"]
    assert answer["commit"]


def test_the_root_may_come_from_the_environment(wiki, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CHEMENU_ROOT", str(wiki))
    assert api.Corpus().types() == api.Corpus(wiki).types()


def loaded(statement):
    """The modules of our package that a fresh interpreter has after a statement."""
    code = f"import sys; {statement}; print(*[name for name in sys.modules if name.startswith('chemenu')])"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout.decode().split()


def test_the_api_loads_nothing_that_changes_a_wiki():
    modules = loaded("import chemenu.api, chemenu.errors; chemenu.Corpus, chemenu.CorpusError, chemenu.__version__")
    assert "chemenu.api" in modules
    assert not [name for name in modules if name.startswith("chemenu.commands")]
    # The control: the same question of an interpreter that has it.
    assert "chemenu.commands.touch" in loaded("import chemenu.commands.touch")


def test_the_package_itself_is_light():
    assert loaded("import chemenu") == ["chemenu"]
    assert set(chemenu.__all__) <= set(dir(chemenu))
    with pytest.raises(AttributeError, match="`corpus`"):
        chemenu.corpus
