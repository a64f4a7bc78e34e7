"""The SQL functions: the same strengths as `evaluate`, SQL's logic of NULL, errors that quote, connections, threads."""

import gc
import threading
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import pokernel
from pokernel.frames.duckdb import CATEGORY, register

ROYAL, STEEL, NOTHING = "As Ks Qs Js Ts", "9h8h7h6h5h 2c", "7c 5d 4h 3s 2c"
BAD = "As Ks Qs Js Tx"
FUNCTIONS = ("poker_strength", "poker_category", "poker_describe", "poker_best_five", "poker_valid")


@pytest.fixture
def connection() -> Any:
    with duckdb.connect() as connection:
        register(connection)
        yield connection


@pytest.fixture
def forgiving() -> Any:
    with duckdb.connect() as connection:
        register(connection, on_error="null")
        yield connection


@pytest.fixture
def dealt(rng: np.random.Generator) -> np.ndarray[Any, Any]:
    deck = np.tile(np.arange(52, dtype=np.uint8), (7001, 1))
    return np.ascontiguousarray(rng.permuted(deck, axis=1)[:, :7])


@pytest.fixture
def played(connection: Any, dealt: np.ndarray[Any, Any]) -> Any:
    """A table of several vectors; every 50th hand is missing."""
    missing = np.arange(len(dealt)) % 50 == 7
    texts = pa.array(pokernel.format_hands(dealt, " ").tolist(), pa.string(), mask=missing)
    lists = pa.array(dealt.tolist(), pa.list_(pa.uint8()), mask=missing)
    arrays = pa.FixedSizeListArray.from_arrays(pa.array(dealt.reshape(-1)), 7)
    strengths = pa.array(pokernel.evaluate(dealt), mask=missing)
    columns = {f"c{i}": pa.array(dealt[:, i], mask=missing) for i in range(7)}
    table = pa.table({"hand": texts, "list": lists, "fixed": arrays, "strength": strengths} | columns)
    connection.register("arrow_table", table)
    connection.execute("CREATE TABLE played AS SELECT row_number() OVER () AS id, * FROM arrow_table")
    return connection


def value(connection: Any, query: str) -> Any:
    ((found,),) = connection.execute(query).fetchall()
    return found


def test_every_layout(played: Any) -> None:
    for hand in ("hand", "list", "string_split(hand, ' ')", "list::INTEGER[]", "c0, c1, c2, c3, c4, c5, c6"):
        assert value(played, f"SELECT count(*) FROM played WHERE poker_strength({hand}) IS DISTINCT FROM strength") == 0
    assert value(played, "SELECT count(*) FROM played WHERE poker_strength(fixed) <> strength") == 0
    assert value(played, "SELECT count(poker_strength(fixed)) FROM played") == 7001
    boards = "poker_strength(list[1:2], list[3:7]) IS DISTINCT FROM strength"
    assert value(played, f"SELECT count(*) FROM played WHERE {boards}") == 0
    assert value(played, "SELECT count(*) FROM played WHERE poker_strength(hand[1:5], hand[7:]) <> strength") == 0


def test_types(connection: Any) -> None:
    relation = connection.sql("SELECT " + ", ".join(f"{name}('{ROYAL}')" for name in FUNCTIONS))
    assert [str(kind) for kind in relation.types] == ["USMALLINT", CATEGORY, "VARCHAR", "VARCHAR", "BOOLEAN"]
    assert relation.fetchall() == [(7462, "Royal flush", "Royal flush", "AsKsQsJsTs", True)]
    relation = connection.sql("SELECT poker_equity('AsAh', 'KK')")
    assert [str(kind) for kind in relation.types] == ["DOUBLE"]


def test_categories_words_and_fives(played: Any, dealt: np.ndarray[Any, Any]) -> None:
    found = played.execute(
        "SELECT strength, poker_category(hand), poker_category(strength), poker_describe(hand), poker_describe(strength), "
        "poker_best_five(list), poker_valid(hand) FROM played ORDER BY id"
    ).fetchall()
    fives = pokernel.format_hands(pokernel.best_five(dealt)).tolist()
    for row, five in zip(found, fives, strict=True):
        if row[0] is None:
            assert row == (None,) * 7
        else:
            kind, words = pokernel.category(row[0]).label, pokernel.describe(row[0])
            assert row[1:] == (kind, kind, words, words, five, True)


def test_categories_sort_by_strength(played: Any) -> None:
    counts = played.execute(
        "SELECT poker_category(hand) AS kind, count(*) FROM played GROUP BY kind ORDER BY kind"
    ).fetchall()
    labels = [kind.label for kind in pokernel.Category]
    kinds = [kind for kind, _ in counts if kind is not None]
    assert kinds == [label for label in labels if label in kinds]
    assert len(kinds) > 6
    assert sum(count for kind, count in counts if kind is None) == 140
    assert value(played, "SELECT max(poker_category(hand)) FROM played") == kinds[-1]


def test_null_in_null_out(connection: Any) -> None:
    for name in FUNCTIONS:
        for null in ("NULL", "NULL::VARCHAR", "NULL::INTEGER[]", "NULL::UTINYINT[5]", "[0, 5, 10, NULL, 20]"):
            assert value(connection, f"SELECT {name}({null})") is None
        assert value(connection, f"SELECT {name}('AsKs', NULL)") is None
        assert value(connection, f"SELECT {name}(NULL, 'QsJsTs')") is None
        assert value(connection, f"SELECT {name}('As', 'Ks', NULL, 'Js', 'Ts')") is None
    for arguments in ("NULL, 'KK'", "'AsAh', NULL", "'AsAh', 'KK', NULL", "NULL, NULL"):
        assert value(connection, f"SELECT poker_equity({arguments})") is None
    logic = f"SELECT count(*) FROM (VALUES ('{ROYAL}'), (NULL), ('{NOTHING}')) t(hand) WHERE "
    assert value(connection, logic + "poker_strength(hand) > 10") == 1
    assert value(connection, logic + "NOT poker_strength(hand) > 10") == 1
    assert value(connection, logic + "poker_strength(hand) IS NULL") == 1
    assert value(connection, logic + "poker_valid(hand)") == 2


def test_no_rows_and_nothing_but_nulls(played: Any) -> None:
    for name in FUNCTIONS:
        assert played.execute(f"SELECT {name}(hand) FROM played WHERE id < 0").fetchall() == []
        assert played.execute(f"SELECT count(*), count({name}(hand)) FROM played WHERE hand IS NULL").fetchall() == [
            (140, 0)
        ]


def test_aggregates_windows_and_joins(played: Any) -> None:
    groups = "SELECT id % 7, {} FROM played GROUP BY 1 ORDER BY 1"
    sums = "sum({0}), avg({0}), max({0}), count({0})"
    found = played.execute(groups.format(sums.format("poker_strength(hand)"))).fetchall()
    assert found == played.execute(groups.format(sums.format("strength"))).fetchall()
    window = "SELECT id, rank() OVER (PARTITION BY id % 9 ORDER BY {} DESC) FROM played ORDER BY id"
    found = played.execute(window.format("poker_strength(hand)")).fetchall()
    assert found == played.execute(window.format("strength")).fetchall()
    join = "SELECT count(*), sum(a.id * b.id) FROM played a JOIN played b ON {} = b.strength"
    assert (
        played.execute(join.format("poker_strength(a.hand)")).fetchall()
        == played.execute(join.format("a.strength")).fetchall()
    )
    winners = (
        "WITH seats(game, seat, hole) AS (VALUES (1, 'a', 'AsAh'), (1, 'b', 'KsKh'), (2, 'a', 'AsAh'), (2, 'b', '8c9c')), "
        "boards(game, board) AS (VALUES (1, '2c 7d 9h Js 3c'), (2, 'Tc Jc Qc 2d 3h')) "
        "SELECT game, arg_max(seat, poker_strength(hole, board)) FROM seats JOIN boards USING (game) GROUP BY game ORDER BY game"
    )
    assert played.execute(winners).fetchall() == [(1, "a"), (2, "b")]


def test_errors_quote_the_hand(connection: Any) -> None:
    def complaint(query: str) -> str:
        with pytest.raises(duckdb.InvalidInputException) as caught:
            connection.execute(query).fetchall()
        return str(caught.value)

    for name in FUNCTIONS[:4]:
        many = f"SELECT {name}(CASE WHEN i = 3000 THEN '{BAD}' ELSE '{ROYAL}' END) FROM range(5000) t(i)"
        expected = f"CardError: {name}('{BAD}'): no card at position 12 of '{BAD}': 'Tx'"
        assert expected in complaint(many)
    twice = "DuplicateCardError: poker_strength([1, 1, 2, 3, 4]): 2d (1) is there twice"
    assert twice in complaint("SELECT poker_strength([1, 1, 2, 3, 4])")
    assert "HandSizeError: poker_strength('AsKs', 'Qs'): " in complaint("SELECT poker_strength('AsKs', 'Qs')")
    assert "CardError: poker_strength(51, 47, 43, 39, 52): " in complaint("SELECT poker_strength(51, 47, 43, 39, 52)")
    assert "7463 is no strength" in complaint("SELECT poker_describe(7463)")
    assert "TypeError: cards are " in complaint("SELECT poker_strength(1.5)")
    assert "not 3 arguments" in complaint("SELECT poker_strength('As', 'Ks', 'Qs')")
    assert "not 8 arguments" in complaint("SELECT poker_strength(1, 2, 3, 4, 5, 6, 7, 8)")
    assert value(connection, f"SELECT poker_valid('{BAD}')") is False


def test_bad_hands_to_null(forgiving: Any) -> None:
    for name in FUNCTIONS[:4]:
        hands = f"(VALUES ('{BAD}'), ('{ROYAL}'), ('AsKs'), (''), ('As As Qs Js Ts'), (NULL)) t(hand)"
        assert value(forgiving, f"SELECT count({name}(hand)) FROM {hands}") == 1
        assert value(forgiving, f"SELECT {name}([1, 1, 2, 3, 4])") is None
        with pytest.raises(duckdb.InvalidInputException, match="TypeError"):
            forgiving.execute(f"SELECT {name}(1.5)").fetchall()
    for arguments in ("'AsAs', 'KK'", "'As', 'KK'", "'AsAh', 'KKK'", "'AsAh', 'KK', 'As'", "'AsAh', 'AsAh'"):
        assert value(forgiving, f"SELECT poker_equity({arguments})") is None


def test_equity(connection: Any) -> None:
    for hand, villain, board in (
        ("AsAh", "KK", ""),
        ("AsKs", "QQ+, AKs", "Ah 7d 2s"),
        ("7h6h", "15%", "8h 9c 2h Kd"),
        ("7h6h", "random", "8h 9c 2h Kd Th"),
    ):
        expected = pokernel.equity([hand, villain], board, method="exact").equity[0]
        assert value(connection, f"SELECT poker_equity('{hand}', '{villain}', '{board}')") == expected
        if not board:
            assert value(connection, f"SELECT poker_equity('{hand}', '{villain}')") == expected
            assert (
                value(connection, f"SELECT poker_equity({list(pokernel.parse_cards(hand))}, '{villain}')") == expected
            )
    per_flop = connection.execute(
        "SELECT flop, poker_equity('AsAh', 'KK', flop) FROM (VALUES ('Kc 7d 2s'), ('Ac 7d 2s'), (NULL)) t(flop)"
    ).fetchall()
    assert [flop for flop, equity in per_flop if equity is not None and equity > 0.5] == ["Ac 7d 2s"]
    for wrong, error in (
        ("'AKs', 'KK'", "CardError: poker_equity('AKs', 'KK'): no card"),
        ("'AsKsQs', 'KK'", "HandSizeError: poker_equity('AsKsQs', 'KK'): a hand has two cards before the board, not 3"),
        ("'AsKs', 'KKK'", "RangeError: poker_equity('AsKs', 'KKK'): "),
        ("'AsKs', 'KK', 'As'", "DuplicateCardError: poker_equity('AsKs', 'KK', 'As'): "),
        ("5, 'KK'", "TypeError: "),
        ("'AsKs'", "TypeError: poker_equity takes a hand, a range and perhaps a board, not 1"),
    ):
        with pytest.raises(duckdb.InvalidInputException) as caught:
            connection.execute(f"SELECT poker_equity({wrong})").fetchall()
        assert error in str(caught.value)


def test_connections(tmp_path: Path) -> None:
    query = f"SELECT poker_strength('{ROYAL}')"
    with duckdb.connect(tmp_path / "a.db") as first, duckdb.connect(tmp_path / "a.db") as second:
        register(first)
        register(first, on_error="null")
        register(first)
        for connection in (first, second, first.cursor()):
            assert value(connection, query) == 7462
        with pytest.raises(pokernel.PokernelError, match="that this connection has not registered"):
            register(second)
    with duckdb.connect(tmp_path / "a.db") as later, pytest.raises(duckdb.CatalogException):
        later.execute(query)
    with duckdb.connect() as one, duckdb.connect() as other:  # two databases
        register(one)
        register(other, on_error="null")
        assert value(other, f"SELECT poker_strength('{BAD}')") is None
        with pytest.raises(duckdb.InvalidInputException):
            one.execute(f"SELECT poker_strength('{BAD}')").fetchall()


def test_threads(played: Any) -> None:
    expected = played.execute("SELECT sum(strength), count(strength) FROM played").fetchall()
    played.execute("CREATE TABLE many AS SELECT hand, list FROM played, range(40)")
    played.execute("SET threads = 4")
    ((total, count),) = played.execute(
        "SELECT sum(poker_strength(hand)), count(poker_strength(list)) FROM many"
    ).fetchall()
    assert [(total / 40, count / 40)] == expected
    found: list[Any] = []

    def ask() -> None:
        with played.cursor() as own:
            found.extend(
                own.execute("SELECT sum(poker_strength(hand)), count(poker_strength(hand)) FROM played").fetchall()
            )

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected * 6


def test_wrong_option() -> None:
    with (
        duckdb.connect() as connection,
        pytest.raises(pokernel.PokernelError, match="on_error must be 'raise' or 'null', not 'ignore'"),
    ):
        register(connection, on_error="ignore")  # type: ignore[arg-type]


def test_functions_outlive_their_connection() -> None:
    query = "SELECT " + ", ".join(f"{name}('{ROYAL}')" for name in FUNCTIONS)
    expected = [(7462, "Royal flush", "Royal flush", "AsKsQsJsTs", True)]
    with duckdb.connect() as base:
        cursor = base.cursor()
        register(cursor, on_error="null")
        cursor.close()
        del cursor
        gc.collect()
        fillers = [[lambda *_: None for _ in range(1000)] for _ in range(10)]  # takes memory that was freed
        assert base.execute(query).fetchall() == expected
        assert value(base, f"SELECT poker_strength('{BAD}')") is None
        with pytest.raises(pokernel.PokernelError, match="has not registered"):
            register(base)
        assert base.execute(query).fetchall() == expected
        del fillers


def test_rolled_back() -> None:
    query = f"SELECT poker_strength('{BAD}')"
    with duckdb.connect() as connection:
        connection.begin()
        register(connection)
        connection.rollback()
        connection.begin()
        with pytest.raises(pokernel.PokernelError, match="inside a transaction"):
            register(connection)
        connection.rollback()
        register(connection, on_error="null")
        assert value(connection, query) is None
        connection.begin()
        register(connection)
        with pytest.raises(duckdb.InvalidInputException, match="CardError"):
            connection.execute(query).fetchall()
        connection.rollback()
        gc.collect()
        assert value(connection, query) is None
        register(connection)
        with pytest.raises(duckdb.InvalidInputException, match="CardError"):
            connection.execute(query).fetchall()


@pytest.mark.parametrize("name", ["poker_strength", "poker_valid", "poker_equity"])
@pytest.mark.parametrize("kind", ["macro", "temporary macro", "function"])
def test_names_that_are_taken(name: str, kind: str) -> None:
    def double(number: int) -> int:
        return 2 * number

    with duckdb.connect() as connection:
        if kind == "function":
            connection.create_function(name, double, ["INTEGER"], "INTEGER")
        else:
            connection.execute(f"CREATE {kind} {name.title()}(number) AS 2 * number")
        with pytest.raises(pokernel.PokernelError, match=f"{name} that this connection has not registered"):
            register(connection)
        assert value(connection, f"SELECT {name}(21)") == 42
        found = "SELECT count(*) FROM duckdb_functions() WHERE function_name ILIKE 'poker!_%' ESCAPE '!'"
        assert value(connection, found) == 1


def test_equity_of_null_cards(connection: Any) -> None:
    for arguments in (
        "['As', NULL], 'KK'",
        "[51, NULL], 'KK'",
        "[NULL, NULL], 'KK'",
        "'AsAh', 'KK', ['2c', NULL, '7d']",
        "'AsAh', 'KK', [0, NULL, 21]",
    ):
        assert value(connection, f"SELECT poker_equity({arguments})") is None
    for arguments, what in (
        ("5, 'KK'", "a hand is a text or a list of cards, not int32"),
        ("[1.5::DOUBLE, 2], 'KK'", "a hand is a text or a list of cards, not list"),
        ("{'a': 'As', 'b': 'Ah'}, 'KK'", "a hand is a text or a list of cards, not struct"),
        ("'AsAh', 5", "a range is a text, not int32"),
        ("'AsAh', 'KK', 5", "a board is a text or a list of cards, not int32"),
    ):
        with pytest.raises(duckdb.InvalidInputException, match=f"TypeError: {what}"):
            connection.execute(f"SELECT poker_equity({arguments})").fetchall()


def test_what_is_no_strength(connection: Any, forgiving: Any) -> None:
    for name in ("poker_category", "poker_describe"):
        for wrong in ("7463", "0", "-1", "(1::HUGEINT << 100)"):
            assert value(forgiving, f"SELECT {name}({wrong})") is None
        assert value(forgiving, f"SELECT {name}(7462)") == "Royal flush"
        assert value(forgiving, f"SELECT count({name}(i)) FROM range(9000) t(i)") == 7462
        many = f"SELECT {name}(CASE WHEN i = 2952 THEN 7463 ELSE 1 END) FROM range(5000) t(i)"
        with pytest.raises(duckdb.InvalidInputException) as caught:
            connection.execute(many).fetchall()
        assert f"{name}(7463): 7463 is no strength" in str(caught.value)
        assert "index" not in str(caught.value)


def test_huge_integers_and_structs(connection: Any) -> None:
    assert value(connection, "SELECT poker_category(sum(i)) FROM (VALUES (7000), (462), (NULL)) t(i)") == "Royal flush"
    cards = ", ".join(f"{card}::HUGEINT" for card in pokernel.parse_cards(ROYAL))
    assert value(connection, f"SELECT poker_strength({cards})") == 7462
    fields = ", ".join(f"'{card}': '{card}'" for card in ROYAL.split())
    assert value(connection, f"SELECT poker_strength({{{fields}}})") == 7462


def test_uci(forgiving: Any, shared_data: Path) -> None:
    forgiving.execute(
        "CREATE TABLE uci AS SELECT row_number() OVER () AS number, string_split(line, ',') AS fields FROM "
        "read_csv(?, header = false, columns = {'line': 'VARCHAR'}, delim = '\t', quote = '')",
        [str(shared_data / "uci_poker_training.csv")],
    )
    card = "((fields[2 * i + 2]::INT + 11) % 13) * 4 + [2, 3, 1, 0][fields[2 * i + 1]::INT]"
    # A line with a field too many or too few does not say which cards it is about.
    forgiving.execute(
        f"CREATE TABLE hands AS SELECT number, fields[-1]::INT AS class, CASE WHEN len(fields) = 11 "
        f"THEN [{card} for i in range(5)] ELSE [] END AS hand FROM uci"
    )
    assert forgiving.execute("SELECT number FROM hands WHERE NOT poker_valid(hand) ORDER BY 1").fetchall() == [
        (38,),
        (25010,),
    ]
    assert value(forgiving, "SELECT count(poker_category(hand)) FROM hands") == 25_008
    assert value(forgiving, "SELECT count(*) FROM hands WHERE enum_code(poker_category(hand)) = class") == 24_998
