"""What the README says is so: its examples run, its kernel is the shipped one, its commands, names and links exist."""

import ast
import doctest
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

import pokernel
from pokernel import errors
from pokernel.cli import terminal

README = ROOT / "README.md"
if not README.is_file():
    pytest.skip("no README beside these tests", allow_module_level=True)
TEXT = README.read_text("utf-8")


def blocks(language: str) -> list[tuple[int, str]]:
    """The fenced blocks of a language, each with the number of the line before it."""
    found = re.finditer(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    return [(TEXT.count("\n", 0, match.start()) + 1, match[1]) for match in found]


def without_docstrings(source: str) -> dict[str, str]:
    """Functions by name, in one spelling, without decorators, docstrings and comments."""
    functions = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            node.decorator_list = []
            if ast.get_docstring(node) is not None:
                del node.body[0]
            functions[node.name] = ast.unparse(node)
    return functions


def commands() -> dict[str, Any]:
    """The subcommands of ``pokernel``, by name."""
    import typer

    from pokernel.cli.app import app

    return dict(vars(typer.main.get_command(app))["commands"])


COMMAND_LINES = [
    shlex.split(line.split("|")[-1], comments=True)
    for _, block in blocks("sh")
    for line in block.splitlines()
    if line.split("|")[-1].strip().startswith("pokernel ")
]


def test_examples() -> None:
    names: dict[str, Any] = {}
    report: list[str] = []
    examples = 0
    for line, block in blocks("python"):
        test = doctest.DocTestParser().get_doctest(block, names, "README.md", str(README), line)
        examples += len(test.examples)
        doctest.DocTestRunner().run(test, out=report.append, clear_globs=False)
        names = test.globs
    assert not report, "".join(report)
    assert examples > 30


def test_kernel_is_the_shipped_one() -> None:
    shown = without_docstrings(next(block for _, block in blocks("python") if block.startswith("def ")))
    folder = Path(pokernel.jit.__file__).parent
    shipped: dict[str, str] = {}
    for room in ("kernel", "hand", "lookup"):
        shipped |= without_docstrings((folder / f"{room}.py").read_text("utf-8"))
    assert {"strength7", "has_flush", "unsuited"} <= set(shown)
    assert shown == {name: shipped[name] for name in shown}


@pytest.mark.parametrize("words", COMMAND_LINES, ids=" ".join)
def test_command_lines_parse(words: list[str]) -> None:
    _, name, *arguments = words
    commands()[name].make_context(name, arguments)


def test_every_option_is_told_and_no_other() -> None:
    told = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", TEXT.partition("## The command")[2].partition("## How it")[0]))
    there: set[str] = set()
    for name, command in commands().items():
        options = {option for parameter in command.params for option in [*parameter.opts, *parameter.secondary_opts]}
        there |= options
        if name == "score":
            assert {option for option in options if option.startswith("--")} - {"--output-header", "--help"} <= told
    assert told - {"--help"} <= there


def test_every_exit_status_is_told() -> None:
    (line,) = re.findall(r"^Exit status: (.*?)\n\n", TEXT, re.MULTILINE | re.DOTALL)
    statuses = (
        terminal.FAILED,
        2,
        terminal.LOST_LINES,
        terminal.HUNG_UP,
        terminal.INTERRUPTED,
        terminal.BROKEN_PIPE,
        terminal.TERMINATED,
    )
    assert list(map(int, re.findall(r"(?:^|· )(\d+)", " ".join(line.split())))) == [0, *statuses]


def test_every_public_name_is_told() -> None:
    names = [*pokernel.__all__, *pokernel.jit.__all__, *errors.__all__]
    untold = {"__version__", "card_key", "card_mask"}  # the kernel shows the last two
    assert [
        name for name in names if f"`{name}" not in TEXT and f"pokernel.{name}" not in TEXT and name not in untold
    ] == []


def test_links_lead_somewhere() -> None:
    targets = re.findall(r"\]\(([^)\s]+)\)", TEXT)
    titles = re.findall(r"^#+ (.*)$", TEXT, re.MULTILINE)
    anchors = {"#" + re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
    missing = [
        target
        for target in targets
        if not (target in anchors if target.startswith("#") else "://" in target or (ROOT / target).exists())
    ]
    assert len(targets) > 15
    assert missing == []
