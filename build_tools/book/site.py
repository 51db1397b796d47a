"""Where the course is published: nowhere, unless INSIDE_BERT_SOURCE says where.

The variable holds the address of the course's repository. Buttons, addresses of the
book and what a notebook fetches come from it alone, and from the tag of this version.
"""

import os
import re
import subprocess
import tomllib
from dataclasses import dataclass

VARIABLE = "INSIDE_BERT_SOURCE"
# As git's own remotes name it; with a password in it, it is none to be published.
FORMS = re.compile(
    r"(?:https://([\w.-]+(?::\d+)?)/|ssh://git@([\w.-]+)(?::\d+)?/|git@([\w.-]+):/?)"
    r"(?P<path>[\w~-][\w./~-]*?)(?:\.git)?/?"
)
LOCAL = re.compile(r"file:///[\w./~%+-]+")
# What a notebook runs of what it fetches.
FETCHED = ["helpers", "data", "requirements.txt"]
KINDS = ("py", "tsv", "csv", "gz", "js", "css", "html")
FETCHED += [f":(glob)chapters/**/*.{kind}" for kind in KINDS]
FETCHED += [":(exclude,glob)chapters/**/test_*.py", ":(exclude,glob)**/*_answers.py"]
GITHUB = re.compile(r"https://github\.com/(?P<owner>[\w.-]+)/(?P<name>[\w.-]+)")


class SiteError(ValueError):
    """The address is none, or nothing is known that a notebook could fetch."""


@dataclass(frozen=True)
class Site:
    """Where the course is published, and what of it a notebook fetches."""

    tag: str  # of this version: a notebook and the helpers it fetches belong together
    url: str = ""  # of the repository; empty where none is named
    commit: str = ""  # that the tag stands for, where there is a repository

    @classmethod
    def read(cls, root):
        """Return the Site that the environment names; raises SiteError in one line."""
        nowhere = cls.unset(root)
        if not (url := address(os.environ.get(VARIABLE, ""))):
            return nowhere
        return cls(nowhere.tag, url, commit_of(nowhere.tag, root))

    @classmethod
    def unset(cls, root):
        """Return the Site of a course that is published nowhere."""
        project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
        return cls(f"v{project['project']['version']}")

    @property
    def github(self):
        """The repository on GitHub, "owner/name"; empty where it is elsewhere."""
        return self.url.split("/", 3)[3] if GITHUB.fullmatch(self.url) else ""

    @property
    def book(self):
        """The address of the book, which the workflow publishes beside a repository."""
        if not self.github:
            return ""
        owner, name = self.github.split("/")
        host = f"{owner.lower()}.github.io"
        return f"https://{host}/" + ("" if name.lower() == host else f"{name}/")


def address(text):
    """Return the address of a repository as anybody may read it; "" of nothing."""
    if not text or LOCAL.fullmatch(text):
        return text
    if not (found := FORMS.fullmatch(text)):
        raise SiteError(
            f"{VARIABLE} is no address of a repository: write it as "
            "https://HOST/OWNER/NAME, without a password"
        )
    host = next(filter(None, found.groups()))  # the port of ssh is not that of https
    return f"https://{host.lower()}/{found['path']}"


def commit_of(tag, root):
    """Return the commit that a tag of the repository at `root` stands for.

    Raises SiteError where there is none, or where what notebooks fetch has changed.
    """
    try:
        found = _git(root, "rev-parse", "--verify", "--quiet", f"refs/tags/{tag}^{{}}")
    except FileNotFoundError:
        raise SiteError(f"{VARIABLE} is set, but there is no git: install it") from None
    if found.returncode:
        raise SiteError(
            f"{VARIABLE} is set, but this copy has no tag {tag}, which notebooks pin: "
            f"git fetch --tags, or git tag {tag}"
        )
    commit = found.stdout.strip()
    changed = _git(root, "diff", "--name-only", commit, "--", *FETCHED).stdout.split()
    if changed:
        raise SiteError(
            f"notebooks would fetch the tag {tag}, which does not hold today's "
            f"{', '.join(changed[:3])}{' …' * (len(changed) > 3)}: take a new version "
            "in pyproject.toml"
        )
    return commit


def _git(root, *words):
    run = ["git", "-C", str(root), *words]
    return subprocess.run(run, capture_output=True, text=True)
