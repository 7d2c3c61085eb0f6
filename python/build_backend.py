"""maturin, with the programs built first: a wheel holds the extension module, `chemenu-mcp` and `chemenu-auth`."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import maturin
from maturin import (  # noqa: F401  hooks that need no programs
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ["chemenu-mcp", "chemenu-auth"]
# `data` in `pyproject.toml` names the same folder.
SCRIPTS = ROOT / "target" / "wheel.data" / "scripts"
# maturin asks for it before every step, those that need no programs too.
SCRIPTS.mkdir(parents=True, exist_ok=True)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    put_programs()
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    put_programs()
    return maturin.build_editable(wheel_directory, config_settings, metadata_directory)


def put_programs():
    """Builds the programs and puts them where maturin takes the wheel's scripts from."""
    for name in PROGRAMS:
        command = [os.environ.get("CARGO", "cargo"), "rustc", "--release", "--locked", "--package", name, "--bin", name]
        command += ["--message-format", "json-render-diagnostics", "--", "-C", "strip=symbols"]
        built = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True)
        messages = map(json.loads, built.stdout.splitlines())
        # cargo says itself where a program is: that depends on the environment and on cargo's configuration.
        [program] = [message["executable"] for message in messages if message.get("executable")]
        shutil.copy2(program, SCRIPTS)
