"""``python -m pokernel.cli``: the command without its entry point."""

import sys

from . import main

if __name__ == "__main__":
    sys.exit(main())
