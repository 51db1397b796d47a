"""Importing the package costs nothing."""

import subprocess
import sys

HEAVY = ("torch", "transformers", "numpy", "pandas", "sklearn", "bokeh", "IPython")


def test_import_of_the_package_loads_no_library():
    loaded = f"print(*[name for name in {HEAVY} if name in sys.modules])"
    command = [sys.executable, "-c", f"import sys, helpers; {loaded}"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout.split() == []
