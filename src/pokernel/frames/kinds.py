"""What an Arrow column may hold, by its type; without numba, for whoever only looks."""

import pyarrow as pa

__all__ = ["is_list", "is_text"]

TEXTS = "string", "large_string", "string_view", "binary", "large_binary", "binary_view", "fixed_size_binary"
LISTS = "list", "large_list", "fixed_size_list", "list_view", "large_list_view"


def is_text(kind: pa.DataType) -> bool:
    """Whether a type is one of Arrow's texts, or of its bytes."""
    return any(getattr(pa.types, f"is_{name}")(kind) for name in TEXTS)


def is_list(kind: pa.DataType) -> bool:
    """Whether a type is one of Arrow's lists."""
    return any(getattr(pa.types, f"is_{name}")(kind) for name in LISTS)
