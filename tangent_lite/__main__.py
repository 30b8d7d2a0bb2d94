"""``python -m tangent_lite``: the command line without an installed script."""

import sys

from tangent_lite.cli import main

if __name__ == "__main__":
    sys.exit(main())
