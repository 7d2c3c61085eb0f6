"""Baselines: an earlier answer of `wikitool lint --json`, whose findings are known and do not count."""

import json

from chemenu.cli._options import Usage


def read(values, given):
    """The fingerprints in the file that `values` names."""
    for option in ("cursor", "budget"):
        if option in given:
            raise Usage(f"`--baseline` does not go with `--{option}`", f"leave `--{option}` out: all findings are compared")
    file = values["baseline"]
    again = f"make it with `wikitool lint --json --limit 1000000 > {file}`"
    try:
        with open(file, "rb") as stream:
            known, listed, total = _known(json.load(stream))
    except OSError as error:
        raise Usage(f"the baseline `{file}` could not be read: {error.strerror}", again) from None
    # Any JSON may stand in the file, lists in lists without end included.
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Usage(f"`{file}` is no baseline", again) from None
    if total > listed:
        more = f"make it with `wikitool lint --json --limit {total} > {file}`"
        raise Usage(f"the baseline `{file}` has {listed} of {total} findings only", more)
    return known


def _known(answer):
    """The fingerprints in an answer, how many findings it lists, and how many there were."""
    findings = answer["findings"]
    known = {finding["fingerprint"] for finding in findings}
    total = answer.get("summary", {}).get("total", len(findings))
    if not (isinstance(findings, list) and isinstance(total, int) and all(isinstance(one, str) for one in known)):
        raise TypeError("no answer of lint")
    return known, len(findings), total


def mark(answer, known, limit):
    """The answer with its known findings marked and its list cut to `limit`, and the exit status that the others deserve."""
    text, status, is_error = answer
    if is_error:
        return answer
    value = json.loads(text)
    current = [finding for key in ("findings", "new", "unchanged") for finding in value.get(key, ())]
    for finding in current:
        if finding["fingerprint"] in known:
            finding["suppressed"] = True
    value["summary"]["baseline"] = sum("suppressed" in finding for finding in current)
    status = int(any(finding["level"] == "error" and "suppressed" not in finding for finding in current))
    for key in ("findings", "new", "fixed", "unchanged"):
        if key in value:
            value[key] = _first(value[key], limit)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(), status, False


def _first(findings, limit):
    """So many of the findings, in their order: what is known must not push out what is new."""
    places = sorted(range(len(findings)), key=lambda place: "suppressed" in findings[place])
    return [findings[place] for place in sorted(places[:limit])]
