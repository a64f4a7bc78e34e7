"""Groups of `benchmarks.ratios` that score columns: of polars, pandas, DuckDB and Arrow."""

from collections.abc import Callable
from typing import Any

import numpy as np

import pokernel

from .deal import Dealer, Hands
from .interleaved import Contender, Group
from .peers import Work

__all__ = ["FRAMES", "ROUNDS", "TEXTS", "frame_groups"]

FRAMES, TEXTS = "frames", "frames: texts"
ROUNDS = {FRAMES: 15, TEXTS: 11}
NUMBERS, ROWS = 1 << 23, 1 << 21
CALLS = 1 << 12
"""Rows where there is a call of a Python function for each."""


def _texts(hands: Hands) -> Any:
    """An Arrow array of texts such as ``AsKd2c9h9sTcJd``."""
    from pokernel.frames.best import card_texts

    return card_texts(hands)


def _evaluate(hands: Hands) -> Work:
    return lambda: pokernel.evaluate(hands)


def _polars_struct(hands: Hands) -> Work:
    import polars as pl

    from pokernel.frames.polars import PokerExpr

    frame = pl.DataFrame({f"c{number}": np.ascontiguousarray(column) for number, column in enumerate(hands.T)})
    strength = PokerExpr(pl.struct(frame.columns)).strength()  # pl.struct(...).poker.strength(), for mypy
    return lambda: frame.select(strength).to_series()


def _polars_column(hands: Hands) -> Any:
    import polars as pl

    return pl.DataFrame({"hand": pl.Series(values=_texts(hands), dtype=pl.String)})


def _polars_texts(hands: Hands) -> Work:
    import polars as pl

    from pokernel.frames.polars import PokerExpr

    frame, strength = _polars_column(hands), PokerExpr(pl.col("hand")).strength()
    return lambda: frame.select(strength).to_series()


def _phevaluator() -> Callable[[str], int]:
    """What takes a text of seven cards to its rank."""
    from phevaluator import evaluate_cards

    return lambda text: int(evaluate_cards(*[text[place : place + 2] for place in range(0, 14, 2)]))


def _polars_map_elements(hands: Hands) -> Work:
    import polars as pl

    frame, rank = _polars_column(hands), pl.col("hand").map_elements(_phevaluator(), return_dtype=pl.Int64)
    return lambda: frame.select(rank).to_series()


def _pandas_column(hands: Hands) -> Any:
    import pandas as pd

    return pd.Series(_texts(hands).to_pandas())


def _pandas_texts(hands: Hands) -> Work:
    series = _pandas_column(hands)
    from pokernel.frames.pandas import strength

    return lambda: strength(series)


def _pandas_apply(hands: Hands) -> Work:
    series, rank = _pandas_column(hands), _phevaluator()
    return lambda: series.apply(rank)


def _duckdb(threads: int) -> Contender:
    def prepare(hands: Hands) -> Work:
        import duckdb
        import pyarrow as pa

        from pokernel.frames.duckdb import register

        connection = duckdb.connect(config={"threads": threads})
        register(connection)
        connection.register("given", pa.table({"hand": _texts(hands)}))
        connection.execute("CREATE TABLE t AS SELECT hand FROM given")
        return lambda: connection.execute("SELECT sum(poker_strength(hand)) FROM t").fetchall()[0][0]

    return Contender(prepare)


def _arrow(hands: Hands) -> Work:
    texts = _texts(hands)
    from pokernel.frames.arrow import strengths

    return lambda: strengths(texts, threads=1)


def _lower(hands: Hands) -> Work:
    texts = _texts(hands)
    from pyarrow.compute import utf8_lower

    return lambda: utf8_lower(texts)


def frame_groups() -> dict[str, Group]:
    """By name: what deals a round's hands, and who scores them."""
    return {
        FRAMES: (
            Dealer(NUMBERS),
            {"polars, a struct": Contender(_polars_struct), "evaluate": Contender(_evaluate)},
        ),
        TEXTS: (
            Dealer(ROWS),
            {
                "polars": Contender(_polars_texts),
                "polars, map_elements of phevaluator": Contender(_polars_map_elements, CALLS),
                "pandas": Contender(_pandas_texts),
                "pandas, apply of phevaluator": Contender(_pandas_apply, CALLS),
                "DuckDB": _duckdb(1),
                "DuckDB, two threads": _duckdb(2),
                "Arrow": Contender(_arrow),
                "utf8_lower": Contender(_lower),
            },
        ),
    }
