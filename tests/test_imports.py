"""What is imported when: nothing heavy before it is needed."""

import pytest
from conftest import RunPython

HEAVY = ("numba", "llvmlite", "pyarrow", "typer", "rich", "click")


def loaded_by(script: str, run_python: RunPython) -> set[str]:
    ended = run_python(f"{script}\nimport sys\nprint(*sys.modules)")
    assert ended.returncode == 0, ended.stderr
    return {module.split(".")[0] for module in ended.stdout.splitlines()[-1].split()}


@pytest.mark.parametrize(
    "script",
    [
        "import pokernel",
        "import pokernel; pokernel.__version__; dir(pokernel)",
        "import pokernel; assert pokernel.evaluate('AsKsQsJsTs') == 7462",
        "import pokernel; assert pokernel.evaluate('AsKs', 'QsJsTs2c3d') == 7462",
        "import pokernel; assert pokernel.evaluate((51, 47, 43, 39, 35, 0)) == 7462",
        "import pokernel; assert pokernel.evaluate([51, 47, 43, 39, 35, 0, 5]) == 7462",
        "import pokernel; assert pokernel.evaluate(['As', 'Ks', 'Qs', 'Js', 'Ts']) == 7462",
        "import pokernel; assert pokernel.category(7462) == 9",
        "import pokernel; assert pokernel.describe(pokernel.evaluate('JsJhJd3c3s')) == 'Full house, jacks full of threes'",
        "import pokernel; assert pokernel.best_five('AsKsQsJsTs9s8s') == (51, 47, 43, 39, 35)",
        "import pokernel; assert pokernel.best_five((51, 47, 43, 39, 35, 31)) == (51, 47, 43, 39, 35)",
        "import pokernel; assert pokernel.to_kev_rank(7462) == 1 and pokernel.ranks_of(1) == (5, 3, 2, 1, 0)",
        "import pokernel; assert pokernel.parse_hands(['AsKsQsJsTs']).shape == (1, 5)",
        "from pokernel import *",
        "import pokernel.errors, pokernel.cards, pokernel.tables, pokernel.strength, pokernel.best, pokernel.winners, pokernel.verify",
    ],
)
def test_without_a_compiler(script: str, run_python: RunPython) -> None:
    modules = loaded_by(script, run_python)
    assert "pokernel" in modules
    assert not modules.intersection(HEAVY)


@pytest.mark.parametrize(
    "script",
    [
        "import numpy, pokernel; pokernel.evaluate(numpy.array([[51, 47, 43, 39, 35]]))",
        "import pokernel; pokernel.evaluate(['AsKsQsJsTs', 'AhKhQhJhTh'])",
        "import pokernel.jit",
        "import pokernel; pokernel.jit.strength5",
    ],
)
def test_arrays_bring_the_compiler_and_nothing_else(script: str, run_python: RunPython) -> None:
    modules = loaded_by(script, run_python)
    assert "numba" in modules
    assert not modules.intersection({"pyarrow", "typer", "rich", "click"})


def test_every_public_name_is_there_and_no_other(run_python: RunPython) -> None:
    ended = run_python(
        "import pokernel\n"
        "listed = dir(pokernel)\n"
        "assert listed == sorted([*pokernel.__all__, 'jit', 'verify']), listed\n"
        "for name in listed: getattr(pokernel, name)\n"
        "assert dir(pokernel) == listed\n"
        "try: pokernel.no_such_name\n"
        "except AttributeError as error: print(error)\n"
    )
    assert ended.returncode == 0, ended.stderr
    assert "no_such_name" in ended.stdout


def test_public_names() -> None:
    import pokernel

    assert set(pokernel.__all__) >= {
        *("evaluate", "best_five", "category", "describe", "ranks_of", "to_kev_rank", "from_kev_rank", "Category"),
        *("parse_card", "parse_cards", "parse_hands", "format_card", "format_cards", "format_hands"),
        *("PokernelError", "CardError", "DuplicateCardError", "HandSizeError", "OutputError", "TableError"),
        "enumerate_strengths",
    }
