"""The commands: what they are called, which options they take, and which module does the work."""

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from .. import __version__
from .terminal import BROKEN_PIPE, FAILED, LOST_LINES, finished, guarded, replace_closed_streams, say
from .words import LEAST_ERROR, InputFormat, LayoutKind, Method, OnError, OutputFormat

__all__ = ["app", "run"]

app = typer.Typer(
    name="pokernel",
    help="Strengths of 5-, 6- and 7-card poker hands: 1 (worst) to 7462 (royal flush), equal strengths split the pot.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command on its arguments and return the exit status."""
    replace_closed_streams()
    status = 0
    try:
        app(args=None if arguments is None else list(arguments), prog_name="pokernel")
    except SystemExit as leaving:
        status = leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
        # What prints help and usage has its own way with a reader that went away.
        if isinstance(leaving.__context__, BrokenPipeError):
            status = BROKEN_PIPE
    except OSError as error:
        say(f"<stdout>: {error.strerror or error}")
        status = FAILED
    return finished(status)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pokernel {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Strengths of 5-, 6- and 7-card poker hands: 1 (worst) to 7462 (royal flush); equal strengths split the pot."""


@app.command()
def score(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE...", help="Inputs; - is standard input, as is no FILE in a pipe.", show_default=False
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "--out",
            "-o",
            metavar="FILE|FOLDER/",
            help="Write here, not to standard output; into a folder, in parts: what a crash leaves undone is done by "
            "the same command again.",
        ),
    ] = None,
    input_format: Annotated[
        InputFormat | None, typer.Option(help="Format of the inputs.", show_default="by suffix; standard input: text")
    ] = None,
    output_format: Annotated[
        OutputFormat | None, typer.Option(help="Format of the output.", show_default="by suffix; standard output: csv")
    ] = None,
    layout: Annotated[
        LayoutKind,
        typer.Option(
            help="text: a column of hands. columns: 5 to 7 columns of cards, texts or numbers 0 to 51. uci: pairs of "
            "suit (1-4: hearts, spades, diamonds, clubs) and rank (1: ace, 2-10, 11-13: jack, queen, king)."
        ),
    ] = LayoutKind.auto,
    columns: Annotated[
        str | None,
        typer.Option(metavar="COLUMNS", help="The columns that hold the cards: names, numbers from 1, ranges as 1-5."),
    ] = None,
    board: Annotated[
        str | None,
        typer.Option(metavar="COLUMNS", help="Board cards for each row's hole cards: a column, or one a card."),
    ] = None,
    header: Annotated[
        bool | None,
        typer.Option("--header/--no-header", help="Whether CSV starts with column names.", show_default="by its cells"),
    ] = None,
    delimiter: Annotated[
        str | None, typer.Option(metavar="CHAR", help="What separates the fields of CSV; tab is a word.")
    ] = None,
    describe: Annotated[bool, typer.Option("--describe", help="Add a column description: the hand in words.")] = False,
    best_five: Annotated[
        bool, typer.Option("--best-five", help="Add a column best_five: the cards that play.")
    ] = False,
    prefix: Annotated[str, typer.Option(metavar="TEXT", help="Put this before the names of the added columns.")] = "",
    on_error: Annotated[
        OnError,
        typer.Option(help="A line without a hand: stop there, skip the line, or keep it with null strength."),
    ] = OnError.stop,
    output_header: Annotated[
        bool, typer.Option("--output-header/--no-output-header", help="Whether CSV output starts with column names.")
    ] = True,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Score the parts of a folder in so many processes of this machine.")
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Score them on a Dask cluster that sees the same files: tcp://host:8786."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No notes, no progress bar and no summary.")] = False,
) -> None:
    """
    Score the hands of files: every row, with the strength and category of its hand.

    CSV, TSV, NDJSON, Parquet, Arrow, .npy arrays (n, k) and plain text (a hand a line), the text ones also as .gz,
    .bz2 or .zst; a FILE may be a pattern in quotes ('data/*.parquet') or a folder. Blank lines are passed over. An
    output file appears whole or not at all; it may be one of the inputs.

    Exit status: 0 all scored; 1 stopped, nothing in the output file; 2 wrong usage; 3 done, but lines were lost.
    """
    if not files and sys.stdin.isatty():
        raise typer.BadParameter("no FILE, and standard input is a terminal (say - to type hands)", param_hint="FILE")
    if "" in (files or []):
        raise typer.BadParameter("an empty name", param_hint="FILE")
    if output == "":
        raise typer.BadParameter("an empty name", param_hint="--output")
    if workers and dask:
        raise typer.BadParameter("processes of this machine, or a cluster: one of the two", param_hint="--dask")
    if (workers or dask) and output in (None, "-"):
        raise typer.BadParameter("--workers and --dask write a folder of parts: say which", param_hint="--output")
    delimiter = "\t" if delimiter in ("tab", "\\t") else delimiter
    if delimiter is not None and (len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n'):
        raise typer.BadParameter("one ASCII character, or tab", param_hint="--delimiter")
    with guarded():
        from .job import Inputs, Output, score_files
        from .score import Scorer
        from .sources import format_of

        given = Inputs(files or ["-"], input_format, header, delimiter)
        scorer = Scorer(
            layout, columns, board, describe=describe, best_five=best_five, prefix=prefix, on_error=on_error
        )
        wanted = Output(output, output_format, output_header)
        is_folder = output is not None and (output.endswith(("/", os.sep)) or os.path.isdir(output))
        if (workers or dask) and not is_folder and format_of(output or ""):
            raise typer.BadParameter(f"names a file; for a folder of parts say {output}/", param_hint="--output")
        if workers or dask or is_folder:
            from .cluster import Workers
            from .folder import score_folder

            report = score_folder(given, wanted, scorer, Workers(workers, dask), quiet)
        else:
            report = score_files(given, wanted, scorer, quiet)
        if report.lost:
            raise typer.Exit(LOST_LINES)


@app.command("eval")
def eval_hands(
    hands: Annotated[
        list[str], typer.Argument(metavar="HAND...", help="5, 6 or 7 cards each; with --board, hole cards.")
    ],
    board: Annotated[str, typer.Option(metavar="CARDS", help="Cards that belong to every hand.")] = "",
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """
    Tell what hands are worth, and of several, which wins.

    Cards as people write them: "As Ks Qs Js Ts 2c 3d", AsKsQsJsTs, "10h 9♠ ...".
    """
    with guarded():
        from .show import show

        show(hands, board, json)


@app.command("range")
def show_range(
    words: Annotated[
        list[str], typer.Argument(metavar="RANGE...", help="Such as 'TT+, AKs, A5s-A2s, KQo:0.5', AsKs, 15% or random.")
    ],
    dead: Annotated[
        str, typer.Option(metavar="CARDS", help="Cards seen elsewhere: combos that hold one are left out.")
    ] = "",
    combos: Annotated[bool, typer.Option("--combos", help="List the combos, one a line, not the grid.")] = False,
    plot: Annotated[
        str | None, typer.Option(metavar="FILE", help="Also draw the grid, as .png, .svg, .pdf: needs matplotlib.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """
    Show a range of hands: the grid, the shortest way to write it, how many combos it has.

    Exactly what may be written is told by help(pokernel.Range) in Python.
    """
    with guarded():
        from .ranges import show

        show(" ".join(words), dead, combos, plot, json)


@app.command("equity")
def show_equity(
    players: Annotated[
        list[str], typer.Argument(metavar="PLAYER...", help="A hand or a range each: AsKs, 'QQ+, AKs', 15%, random.")
    ],
    board: Annotated[str, typer.Option(metavar="CARDS", help="The board so far, 0 to 5 cards.")] = "",
    dead: Annotated[str, typer.Option(metavar="CARDS", help="Cards seen elsewhere, which cannot come.")] = "",
    method: Annotated[
        Method,
        typer.Option(
            help="auto: exact where that takes some seconds at most, else monte-carlo. exact: counted, in the fastest "
            "of three ways: table, match-ups, sweep. monte-carlo: estimated from random deals."
        ),
    ] = Method.auto,
    trials: Annotated[
        int | None, typer.Option(min=1, help="Boards to deal at random.", show_default="1,000,000")
    ] = None,
    error: Annotated[
        float | None,
        typer.Option(metavar="SHARE", help="Deal until no standard error is larger: 0.0005 is 0.05% of the pot."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="The same seed deals the same again.", show_default="a new one")
    ] = None,
    threads: Annotated[
        int | None, typer.Option(min=1, help="Number of threads.", show_default="as many as processors")
    ] = None,
    categories: Annotated[
        bool, typer.Option("--categories", help="Tell too what each hand becomes, and what it wins with.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON; players are numbered from 0.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")] = False,
) -> None:
    """
    Tell how much of the pot each player can expect when the rest of the board comes at random.

    Exact where that takes some seconds at most; else estimated, and then every share has its standard error. What
    a range may be is told by help(pokernel.Range) in Python.
    """
    if error is not None and not LEAST_ERROR <= error < 1:
        raise typer.BadParameter(f"a share of at least {LEAST_ERROR:g} and less than 1", param_hint="--error")
    with guarded():
        from .odds import show

        show(
            players,
            board,
            dead,
            method=method.value,
            trials=trials,
            target_error=error,
            seed=seed,
            threads=threads,
            categories=categories,
            as_json=json,
            quiet=quiet,
        )


@app.command()
def verify(
    seven: Annotated[bool, typer.Option("--seven", help="All 133,784,560 seven-card hands as well.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Prove the installed tables: enumerate every hand, compare with the published counts, print a signature."""
    with guarded():
        from .show import show_verification

        show_verification(seven, json)


@app.command()
def bench(json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Measure this machine, in about twenty seconds: fresh random hands, medians, checksums."""
    with guarded():
        from .measure import measure

        measure(json)
