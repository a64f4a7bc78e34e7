"""``python -m pokernel`` is the ``pokernel`` command."""

import sys

from .cli import command

if __name__ == "__main__":
    sys.exit(command())
