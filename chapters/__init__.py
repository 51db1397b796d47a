"""The chapters as packages: `chapters.seeing_attention` is the folder seeing-attention.

What lies beside a page is imported in one way, wherever the page runs:

    from chapters.seeing_attention import claims, figures
"""

import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


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
