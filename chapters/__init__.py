"""The chapters as packages: `chapters.seeing_attention` is the folder seeing-attention.

What lies beside a page is imported in one way, wherever the page runs:

    from chapters.seeing_attention import claims, figures
"""

import os
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
# On two cores OpenBLAS lets a thread wait for the other at each small product, and
# logistic regression takes many times as long. It reads this as NumPy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


class Folders:
    """Finds a chapter's folder, whose name may have hyphens, by its name in Python."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        package, _, chapter = name.rpartition(".")
        folder = FOLDER / chapter.replace("_", "-")
        if package != __name__ or not folder.is_dir():
            return None
        spec = ModuleSpec(name, loader=None, is_package=True)
        spec.submodule_search_locations = [str(folder)]
        return spec


sys.meta_path.append(Folders)
