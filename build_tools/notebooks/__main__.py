"""`python -m build_tools.notebooks`: see `exporter`."""

import sys

from build_tools.notebooks.exporter import main

if __name__ == "__main__":
    sys.exit(main())
