"""The forms in which `wikitool lint` tells findings: one a file, and only the chosen one is imported.

A format for programs has `document(answer, folder)`, which gives the whole output as text; `folder` is the wiki's, below the
repository's top, from where such programs count paths.
"""


def current(answer):
    """All findings of an answer that are there: of a draft the new and the unchanged ones."""
    if "findings" in answer:
        return answer["findings"]
    findings = answer["new"] + answer["unchanged"]
    return sorted(findings, key=lambda finding: (finding["path"], finding["line"], finding["rule"], finding["column"]))


def path(finding, folder):
    """A finding's path below the repository's top."""
    return "/".join(parts(finding, folder))


def parts(finding, folder):
    """The wiki's folder, unless it is the top, and the page's path: each shown by itself where it is not UTF-8."""
    return [folder, finding["path"]] if folder else [finding["path"]]
