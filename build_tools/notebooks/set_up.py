"""The first cells of a notebook: one finds the course, or fetches and verifies it.

The other, in sight, says what runs, whatever a network would answer.
"""

START = """\
# @title Set-up: finds the course; where it is not at hand, as on Colab, fetches it
import importlib.util, os, subprocess, sys

source = os.environ.get("INSIDE_BERT_SOURCE") or "{url}"
places = {{"INSIDE_BERT_SOURCE", "KAGGLE_KERNEL_RUN_TYPE"}} & {{*os.environ}}
if os.path.isdir("../helpers"):
    sys.path.insert(0, os.path.abspath(".."))
elif source and ("google.colab" in sys.modules or places):
    clone = ["git", "clone", "--quiet", "--depth", "1", "--branch", "{tag}"]
    if not os.path.isdir("inside-bert"):
        if subprocess.run([*clone, source, "inside-bert"]).returncode:
            hint = " Is Internet switched on under Settings?"
            sys.exit("The course was not fetched: git says above why it did not get "
                     f"the tag {tag} from {{source}}."
                     + hint * ("KAGGLE_KERNEL_RUN_TYPE" in os.environ))
"""
VERIFY = """\
    commit = "git -C inside-bert rev-parse HEAD".split()
    if subprocess.check_output(commit, text=True).strip() != "{commit}":
        sys.exit("What lies in inside-bert is not the course of this notebook: the "
                 f"tag {tag} of {{source}} is another commit than it was.")
"""
END = """\
    os.chdir("inside-bert/chapters")
    sys.path.insert(0, os.path.abspath(".."))
    from helpers import install_missing

    install_missing()
elif not importlib.util.find_spec("helpers"):
    sys.exit('Not here: the course. Name its repository, which has the tag {tag}, and '
             'run this cell again: os.environ["INSIDE_BERT_SOURCE"] = "{example}"')"""
SWITCHES = """\
# The text was written for these two. Where a sentence does not hold for others, it
# is marked. After a change run all cells again.
from helpers import choose_run

# or "bert-base-uncased" (440 MB), a hub id, a folder: BERT Base is much slower
MODEL = "embedded"
# or "official", the published sets, downloaded: more sentences, so other numbers
DATA = "sample"
choose_run(MODEL, DATA)"""


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
