"""The first cell of a notebook: it finds the course, or fetches and verifies it."""

START = """\
# Where the course is not at hand, as on Colab and Kaggle, this fetches it.
import importlib.util, os, subprocess, sys

source = os.environ.get("INSIDE_BERT_SOURCE") or "{url}"
places = {{"INSIDE_BERT_SOURCE", "KAGGLE_KERNEL_RUN_TYPE"}} & {{*os.environ}}
if os.path.isdir("../helpers"):
    sys.path.insert(0, os.path.abspath(".."))
elif source and ("google.colab" in sys.modules or places):
    clone = ["git", "clone", "--quiet", "--depth", "1", "--branch", "{tag}"]
    if not os.path.isdir("inside-bert"):
        if subprocess.run([*clone, source, "inside-bert"]).returncode:
            sys.exit("The course was not fetched. On Kaggle: Settings, Internet.")
"""
VERIFY = """\
    commit = "git -C inside-bert rev-parse HEAD".split()
    if subprocess.check_output(commit, text=True).strip() != "{commit}":
        sys.exit("What lies in inside-bert is not the course of this notebook.")
"""
END = """\
    os.chdir("inside-bert/chapters")
    sys.path.insert(0, os.path.abspath(".."))
    from helpers import install_missing

    install_missing()
elif not importlib.util.find_spec("helpers"):
    sys.exit('Not here: the course. Name its repository and run this cell again: '
             'os.environ["INSIDE_BERT_SOURCE"] = "{example}"')"""


def source_of(site):
    """Return the source of the cell. Fetched is the tag; what came must be its commit.

    site: as of `build_tools.book.site`. Of one that is published nowhere no commit is
    known, and only a setting of the student's says where the course is.
    """
    parts = [START, *([VERIFY] if site.commit else []), END]
    return "".join(parts).format(
        url=site.url,
        tag=site.tag,
        commit=site.commit,
        example=site.url or "https://...",
    )
